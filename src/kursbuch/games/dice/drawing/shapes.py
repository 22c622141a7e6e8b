"""Colours, named looks, and the shapes drawings are made of: ground, dice, track, letters."""

from __future__ import annotations

from functools import lru_cache
from xml.sax.saxutils import escape

from kursbuch.games.dice.components import MOUNTAIN, STEPS, WATER, Layout
from kursbuch.hexmap import svg
from kursbuch.hexmap.svg import Look

INK = "#1d1a16"
PAPER = "#fbf6e6"
GRASS = "#5d6b46"
TABLE: Look = {"class_": "table", "fill": "#e3d9c3"}
MEADOW: Look = {"class_": "meadow", "fill": "#a9cb7f"}
GROUND: dict[str, Look] = {
    MOUNTAIN: {"class_": "mountain", "fill": "#b59a7a"},
    WATER: {"class_": "water", "fill": "#7fb4d8"},
}
PEAK: Look = {"class_": "glyph", "fill": "#8d7353", "stroke": "#6d573c", "stroke_width": 0.8}
WAVES: Look = {"class_": "glyph", "fill": "none", "stroke": "#3f7ba3", "stroke_width": 1.4}
GRID: Look = {"class_": "grid", "fill": "none", "stroke": GRASS, "stroke_width": 0.6}
CANDIDATE: Look = {"class_": "grid", "fill": "none", "stroke": INK, "stroke_width": 1.4}
SMALL: Look = {"class_": "grid", "fill": "none", "stroke": GRASS, "stroke_width": 0.9}
SMALL_IN_PLAY: Look = {"class_": "grid", "fill": "none", "stroke": INK, "stroke_width": 2.2}
FREE_PLACE: Look = {
    "class_": "place-free",
    "fill": "#ffffff",
    "fill_opacity": 0.45,
    "stroke": INK,
    "stroke_width": 1.4,
    "stroke_dasharray": "4 3",
}
DIE: Look = {"class_": "die", "fill": PAPER, "stroke": INK, "stroke_width": 1.3}
EXIT: Look = DIE | {"stroke_width": 2.0}

#: The strokes of track: class, colour, width on a square of the usual size, dashes.
TRACK = (
    ("sleeper", "#7a5a3a", 13.0, "2.4 3.4"),
    ("rail", INK, 7.4, None),
    ("die", PAPER, 4.2, None),
)
SHARE: Look = {"class_": "paper", "fill": "#d9e6c3", "stroke": INK, "stroke_width": 1.1}
SCREEN: Look = {"class_": "screen", "fill": "#6f6145", "stroke": INK, "stroke_width": 1.2}
CARD: Look = {"class_": "card", "fill": PAPER, "stroke": INK, "stroke_width": 1.2}
CUBE: Look = {"stroke": INK, "stroke_width": 1.2}
SQUARE: Look = {"stroke": INK, "stroke_width": 1.4}

#: A player's number in his colour.
SIGN: Look = {"stroke": INK, "stroke_width": 1.2}
NUMBER: Look = {"font_size": 13, "font_weight": "bold"}
ON_TURN: Look = {"class_": "turn", "fill": "#fff3bf"}

#: What can be pointed at has no gaps.
POINTABLE: Look = {"class_": "ground", "fill_opacity": 0}
MARKER: Look = {"stroke": INK, "stroke_width": 1.4}
SMALL_MARKER: Look = {"stroke": INK, "stroke_width": 0.8}
ARROW: Look = {"class_": "arrow", "stroke": "#ffffff", "stroke_width": 1.2}
RING: Look = {
    "fill": "#ffffff",
    "fill_opacity": 0.55,
    "stroke_width": 2.2,
    "stroke_dasharray": "5 3",
}
MARK: Look = {
    "class_": "mark",
    "stroke": "#b3202c",
    "stroke_width": 2.8,
    "fill": "none",
    "stroke_dasharray": "5 4",
}
COORDINATE: Look = {"class_": "coord", "font_size": 9.8, "fill": "#5c5443"}
BOLD: Look = {"font_weight": "bold"}
ON_SCREEN: Look = {"font_size": 15, "font_weight": "bold", "fill": "#ffffff"}

#: Fill and text colour for the colours of the companies.
COMPANY_COLOURS = {
    "white": ("#ffffff", INK),
    "blue": ("#2467b3", "#ffffff"),
    "green": ("#2a7d46", "#ffffff"),
    "yellow": ("#efc71e", INK),
    "red": ("#c8372d", "#ffffff"),
    "black": ("#26262b", "#ffffff"),
    "orange": ("#e07b1a", INK),
    "violet": ("#7c3f98", "#ffffff"),
}
OTHER_COMPANY = ("#6d6a63", "#ffffff")

#: The two colours of the tile markers.
END_COLOURS = (("#7a2e1d", "#ffffff"), ("#1f4d63", "#ffffff"))


def bold(size: float, fill: str = INK) -> Look:
    """Bold letters."""
    return {"font_size": size, **BOLD, "fill": fill}


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
