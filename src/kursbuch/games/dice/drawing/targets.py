"""Where the line can go on, and what the last move changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kursbuch.games.dice.components import SIDES
from kursbuch.games.dice.drawing import shapes
from kursbuch.games.dice.drawing.looks import BOLD, END_COLOURS, EXIT, RING
from kursbuch.games.dice.drawing.page import NEW, Page
from kursbuch.games.dice.state import END_NAMES
from kursbuch.hexmap import svg


def targets(page: Page) -> Iterable[str]:
    """The squares the ends of the line point to, and above them the pieces that can lie there."""
    if not page.state.agenda:
        return
    above: list[str] = []
    for end in (0, 1):
        if page.joining is not None and end == page.joining.end:
            site, number = page.geo.joining(page.state, page.joining), NEW
        elif page.state.ends[end].small in page.left:
            site = page.geo.site(page.state, end)
            number = site.number
        else:
            continue
        x = page.left[number]
        squares: list[str] = []
        exits: list[str] = []
        for square, back in site.ways:
            if not site.occupied >> square & 1:
                squares.append(_target(page, end, square, x))
                exits += _exits(page, end, square, back, x)
        narrow = page.narrow_field(number)
        yield svg.group(squares, transform="translate(0 0)", data_narrow=narrow)
        above.append(svg.group(exits, transform="translate(0 0)", data_narrow=narrow))
    yield from above


def _target(page: Page, end: int, square: int, x: float) -> str:
    """A square an end points to, as a ring with its letter."""
    letter, (fill, _) = END_NAMES[end], END_COLOURS[end]
    size, name = page.cell, page.board.names[square]
    cx, cy = page.middle(x, page.top, square)
    look = {"rx": size / 6, "class_": f"ring end-{letter}"} | RING | {"stroke": fill}
    return svg.group(
        [
            shapes.square(cx, cy, size - 4, **look),
            svg.text(
                cx,
                cy + size * 0.16,
                letter,
                class_=f"letter end-{letter}",
                font_size=round(size * 0.44, 1),
                **BOLD,
                fill=fill,
            ),
        ],
        title=page.words._("{square}, end {end} of the line", square=name, end=letter),
        class_="place",
        data_pick=f"square:{letter}:{name}",
    )


def _exits(page: Page, end: int, square: int, back: int, x: float) -> Iterator[str]:
    """The pieces for a square, each drawn as a small die on the side it leads to."""
    words, name = page.words, page.board.names[square]
    cx, cy = page.middle(x, page.top, square)
    size = page.cell * 0.86
    for side, letter in enumerate(SIDES):
        if side == back:
            continue
        px, py = shapes.towards(cx, cy, page.cell * 0.98, side)
        title = words._(
            "{piece} on {square}, on to the {side}",
            piece=page.names.piece((side - back) % 4 != 2),
            square=name,
            side=page.names.side(letter),
        )
        yield svg.group(
            [
                shapes.square(px, py, size, rx=size / 6, **EXIT),
                shapes.rails(px, py, size - 2, back, side),
            ],
            title=title,
            class_="exit",
            visibility="hidden",
            data_pick=f"exit:{END_NAMES[end]}:{name}:{letter}",
        )


def marked(page: Page, marks: Sequence[str]) -> Iterable[str]:
    """Frames around what the last move changed."""
    size, left, top = page.map_scale()
    for key in marks:
        kind, _, rest = key.partition(":")
        first, _, second = rest.partition(":")
        if kind == "square" and first in END_NAMES and second in page.board.square_index:
            number = page.state.ends[END_NAMES.index(first)].small
            if number in page.left:
                square = page.board.square_index[second]
                cx, cy = page.middle(page.left[number], page.top, square)
                frame = shapes.frame(cx - page.cell / 2, cy - page.cell / 2, page.cell)
                narrow = page.narrow_field(number)
                yield svg.group([frame], transform="translate(0 0)", data_narrow=narrow)
        elif kind == "place":
            frame = shapes.frame(left + int(second) * size, top + int(first) * size, size)
            narrow = page.narrow_landscape()
            yield svg.group([frame], transform="translate(0 0)", data_narrow=narrow)
