"""Notes on a map beside tiles and markers: terrain, costs, rings and coasts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kursbuch.games.g18xx.drawing import lettering
from kursbuch.games.g18xx.drawing.faces import (
    FILLS,
    HALO,
    INK,
    PAPER,
    SIZE,
    Looks,
    Point,
    draw_marker,
)
from kursbuch.games.g18xx.drawing.look import MapLook, Note, Sizes
from kursbuch.games.g18xx.map.board import Board, Face
from kursbuch.hexmap import svg

#: Lines are drawn on land, areas are filled: the path data of both around the origin, one unit high.
SIGNS: Mapping[str, tuple[str, str]] = {
    "river": ("M-.6 .1q.2 -.35 .4 0t.4 0t.4 0", ""),
    "rivers": (
        "M-.6 -.3q.2 -.35 .4 0t.4 0t.4 0M-.6 .1q.2 -.35 .4 0t.4 0t.4 0M-.6 .5q.2 -.35 .4 0t.4 0t.4 0",
        "",
    ),
    "hill": ("", "M-.7 .4C-.55 -.45 .1 -.45 .22 .1C.35 -.2 .65 -.05 .7 .4Z"),
    "mountain": ("", "M-.62 .45L0 -.5L.62 .45Z"),
    "high_mountain": (
        "M-.36 -.06l.16 .12l.14 -.14l.14 .1M.4 .06l.12 .1l.14 -.1",
        "M-.9 .5L-.12 -.75L.28 .02L.5 -.25L.95 .5Z",
    ),
}


def draw_signs(names: Sequence[str], x: float, y: float, height: float) -> Iterator[str]:
    """Signs side by side around a point."""
    step = height * 1.45
    for number, name in enumerate(names):
        line, area = SIGNS[name]
        parts = []
        if area:
            colour, kind = ("#94793f", "hills") if name == "hill" else ("#6f5840", "relief")
            parts.append(svg.path(area, fill=colour, class_=kind))
        if line:
            colour, kind = ("#ffffff", "snow") if area else ("#1f62a0", "stream")
            look: svg.Look = {"fill": "none", "stroke_linecap": "round", "stroke_width": ".16"}
            parts.append(svg.path(line, class_=kind, stroke=colour, **look))
        at = x + (number - (len(names) - 1) / 2) * step
        where = f"translate({svg.number(at)} {svg.number(y)}) scale({svg.number(height)})"
        yield svg.group(parts, class_=f"sign-{name}", transform=where)


#: A line for what is reconstructed.
DOTTED: svg.Look = {"stroke_width": 3, "stroke_dasharray": "0.1 6", "stroke_linecap": "round"}


def draw_note(note: Note, face: Face, centre: Point, look: MapLook) -> Iterator[str]:
    """What a title says about a hex on which no tile lies: terrain, cost and bonus."""
    sizes, (x, y) = look.sizes, centre
    places = lettering.Places(note, face, sizes)
    small, bare = SIZE * sizes.name, face.colour == "white"
    if note.signs:
        across, down = places.signs
        yield from draw_signs(note.signs, x + SIZE * across, y + SIZE * down, SIZE * places.height)
    if note.cost and not note.ask:
        across, down = places.cost
        yield svg.text(
            x + SIZE * across,
            y + SIZE * down + small * 0.35,
            note.cost,
            class_=f"cost on-land {note.land}".rstrip() if bare else "cost",
            font_size=small,
            fill=INK,
            stroke=look.lands.get(note.land, FILLS["white"]) if bare else PAPER,
            **HALO,
        )
    if note.bonus:
        across, down = places.bonus
        yield from draw_bonus(note.bonus, x + SIZE * across, y + SIZE * down, sizes)


def draw_ask(note: Note, x: float, y: float, looks: Looks, look: MapLook) -> Iterator[str]:
    """A number asked now, and the companies it is about."""
    sizes = look.sizes
    high = SIZE * sizes.value
    wide = SIZE * lettering.ask_width(note, sizes) + 6
    left = x - wide / 2
    box: svg.Look = {"class_": "ask", "fill": "#ffffff", "stroke": INK, "stroke_width": 1}
    if note.ask_doubt:
        box = box | DOTTED
    yield svg.rect(left, y - high * 0.66, wide, high * 1.32, rx=high * 0.3, **box)
    start = left + 4
    look_of: svg.Look = {
        "font_size": high,
        "font_weight": "bold",
        "fill": INK,
        "class_": "ask-text",
    }
    yield svg.text(start, y + high * 0.36, note.ask, text_anchor="start", **look_of)
    start += SIZE * svg.width(note.ask, sizes.value) * svg.BOLD + 2
    for number, company in enumerate(note.companies):
        at = start + high * lettering.ASKED * (number + 0.5)
        yield draw_marker(company, at, y, high * 0.6, looks, look.signs.get(company, ""))


def draw_bonus(text: str, x: float, y: float, sizes: Sizes) -> Iterator[str]:
    """What the first tile on a hex brings."""
    high = SIZE * sizes.name
    wide = SIZE * svg.width(text, sizes.name) + 8
    box: svg.Look = {"class_": "bonus", "fill": "#fff1b8", "stroke": "#8a6d00"}
    left, top = x - wide / 2, y - high * 0.52
    yield svg.rect(left, top, wide, high * 1.04, rx=high * 0.4, stroke_width=1, **box)
    look: svg.Look = {"font_size": high, "font_weight": "bold", "fill": INK}
    yield svg.text(x, y + high * 0.36, text, class_="bonus-text", **look)


def draw_ring(kind: str, x: float, y: float, size: float = SIZE - 5) -> Iterator[str]:
    """Around a hex that matters to the reader: a "solid" line, or a "dashed" one."""
    line: svg.Look = {"fill": "none", "class_": "ring-halo", "stroke": "#ffffff"}
    yield svg.hexagon(x, y, size, stroke_width=7, **line)
    line = line | {"class_": f"ring {kind}", "stroke": "#7a1fa2"}
    dashes = "9 6" if kind == "dashed" else None
    yield svg.hexagon(x, y, size, stroke_width=4, stroke_dasharray=dashes, **line)


def draw_doubt(x: float, y: float, size: float = SIZE - 9) -> Iterator[str]:
    """A dotted line around what is reconstructed."""
    yield svg.hexagon(x, y, size, class_="doubt", fill="none", stroke="#5f5a48", **DOTTED)


def draw_coast(border: str, sea: bool) -> Iterator[str]:
    """The land from outside: a line, and shallow water if it lies in the `sea`."""
    wide: svg.Look = {"fill": "none", "stroke_linejoin": "round"}
    if sea:
        yield svg.path(border, class_="shelf far", stroke="#d9ecea", stroke_width=34, **wide)
        yield svg.path(border, class_="shelf", stroke="#e9f5f2", stroke_width=16, **wide)
    yield svg.path(border, class_="coast", stroke="#5f5a48", stroke_width=3, **wide)


def rim_margin(sizes: Sizes) -> float:
    """What is free above and below a map: there stand the numbers of the columns."""
    return SIZE * sizes.name * 1.5


def draw_rim(board: Board, centres: Sequence[Point], sizes: Sizes) -> Iterator[str]:
    """The letters of rows beside both their ends, and the numbers of columns above and below."""
    rows: dict[int, list[float]] = {}
    columns: dict[int, float] = {}
    for place, (x, y) in zip(board.places, centres, strict=True):
        rows.setdefault(place.row, [y]).append(x)
        columns[place.column] = x
    size = SIZE * sizes.name
    look: svg.Look = {"class_": "coordinate rim", "font_size": size, "fill": "#3f5a60"}
    for row, (y, *found) in rows.items():
        for x in (min(found) - SIZE * 1.2, max(found) + SIZE * 1.2):
            yield svg.text(x, y + size * 0.36, chr(ord("A") + row), **look)
    top = min(y for _, y in centres) - SIZE - rim_margin(sizes)
    bottom = max(y for _, y in centres) + SIZE + rim_margin(sizes)
    for column, x in columns.items():
        yield svg.text(x, top + size, str(column), **look)
        yield svg.text(x, bottom - size * 0.3, str(column), **look)
