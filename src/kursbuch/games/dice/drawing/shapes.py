"""The shapes of which the drawings are made: ground, dice, track, letters."""

from __future__ import annotations

from functools import lru_cache
from xml.sax.saxutils import escape

from kursbuch.games.dice.components import MOUNTAIN, STEPS, Layout
from kursbuch.games.dice.drawing.looks import (
    ARROW,
    DIE,
    GROUND,
    INK,
    MARK,
    MEADOW,
    ON_SCREEN,
    PEAK,
    SCREEN,
    SHARE,
    SQUARE,
    TRACK,
    WAVES,
    bold,
)
from kursbuch.hexmap import svg

#: The side of a square of a large tile of seven by seven.
CELL = 42.0


def square(x: float, y: float, size: float, /, **look: object) -> str:
    """A square by its middle."""
    return svg.rect(x - size / 2, y - size / 2, size, size, **look)


@lru_cache(maxsize=1024)
def company_square(company: str, fill: str, x: float, y: float, size: float) -> str:
    """A square in a company's colour."""
    return square(x, y, size, class_=f"company-{company}", fill=fill, **SQUARE)


def label(
    x: float, y: float, content: str, size: float, *, bold: bool = False, anchor: str | None = None
) -> str:
    """A text that begins at x, unless it is anchored elsewhere."""
    return svg.element(
        "text",
        escape(content),
        x=x,
        y=y,
        class_="label",
        text_anchor=anchor,
        font_size=size,
        font_weight="bold" if bold else None,
        fill=INK,
    )


def towards(x: float, y: float, reach: float, side: int) -> tuple[float, float]:
    """The point so far towards a side."""
    rows, columns = STEPS[side]
    return x + columns * reach, y + rows * reach


def arrow(x: float, y: float, side: int, size: float, fill: str) -> str:
    """An arrow towards a side."""
    rows, columns = STEPS[side]
    tip = (x + columns * size / 2, y + rows * size / 2)
    base = (x - columns * size / 2, y - rows * size / 2)
    points = [
        tip,
        (base[0] + rows * size * 0.5, base[1] + columns * size * 0.5),
        (base[0] - rows * size * 0.5, base[1] - columns * size * 0.5),
    ]
    return svg.polygon(points, **({"fill": fill} | ARROW))


def frame(x: float, y: float, size: float) -> str:
    """A frame around what the last move changed."""
    return svg.rect(x + 1.5, y + 1.5, size - 3, size - 3, rx=4, **MARK)


# ---- ground


@lru_cache(maxsize=1024)
def terrain(layout: Layout, size: int, x: float, y: float, cell: float) -> str:
    """The ground of a tile: meadow, and runs of mountain and water squares on it."""
    drawn = [svg.rect(x, y, size * cell, size * cell, **MEADOW)]
    for row in range(size):
        line = layout.terrain[row * size : (row + 1) * size]
        column = 0
        while column < size:
            run = column
            while run < size and line[run] == line[column]:
                run += 1
            look = GROUND.get(line[column])
            if look is not None:
                at = (x + column * cell, y + row * cell)
                drawn.append(svg.rect(*at, (run - column) * cell, cell, **look))
            column = run
    return "".join(drawn)


@lru_cache(maxsize=1024)
def glyph(letter: str, x: float, y: float, size: float) -> str:
    """A peak or waves, so that the ground is not told by colour alone."""
    if letter == MOUNTAIN:
        points = [
            (x - size * 0.34, y + size * 0.24),
            (x - size * 0.06, y - size * 0.26),
            (x + size * 0.1, y + size * 0.02),
            (x + size * 0.2, y - size * 0.1),
            (x + size * 0.36, y + size * 0.24),
        ]
        return svg.polygon(points, **PEAK)
    path = "".join(
        f"M{svg.number(x - size * 0.3)} {svg.number(y + shift)}"
        f"q{svg.number(size * 0.15)} {svg.number(-size * 0.16)} {svg.number(size * 0.3)} 0"
        f"t{svg.number(size * 0.3)} 0"
        for shift in (-size * 0.12, size * 0.14)
    )
    return svg.path(path, **WAVES)


# ---- dice, track, shares, screens


def die(x: float, y: float, size: float) -> str:
    """An empty die."""
    return square(x, y, size, rx=size / 6, **DIE)


@lru_cache(maxsize=4096)
def rails(x: float, y: float, size: float, back: int, front: int) -> str:
    """Track between two sides of a square; to the middle only if there is no second side."""
    path = _way(x, y, size, back, front)
    scale = size / CELL
    return "".join(
        svg.element(
            "path",
            d=path,
            class_=class_,
            fill="none",
            stroke=colour,
            stroke_width=width * scale,
            stroke_dasharray=dashes,
        )
        for class_, colour, width, dashes in TRACK
    )


def _way(x: float, y: float, size: float, back: int, front: int) -> str:
    """Path data from side to side."""
    reach = size / 2
    x1, y1 = towards(x, y, reach, back)
    if front < 0:
        return f"M{svg.number(x1)} {svg.number(y1)}L{svg.number(x)} {svg.number(y)}"
    x2, y2 = towards(x, y, reach, front)
    if (back - front) % 4 == 2:
        return f"M{svg.number(x1)} {svg.number(y1)}L{svg.number(x2)} {svg.number(y2)}"
    return (
        f"M{svg.number(x1)} {svg.number(y1)}"
        f"Q{svg.number(x)} {svg.number(y)} {svg.number(x2)} {svg.number(y2)}"
    )


def share(x: float, y: float, size: float = 30.0) -> list[str]:
    """A share."""
    unit = size / 30
    return [
        svg.rect(x - 10 * unit, y - 7 * unit, 20 * unit, 14 * unit, **SHARE),
        svg.text(x, y + 4 * unit, "%", **bold(10.5 * unit)),
    ]


def screen(x: float, y: float, number: str) -> list[str]:
    """A screen with the number of dice behind it."""
    outline = [(x - 10, y + 15), (x, y - 15), (x + 58, y - 15), (x + 68, y + 15)]
    return [svg.polygon(outline, **SCREEN), svg.text(x + 29, y + 6, number, **ON_SCREEN)]
