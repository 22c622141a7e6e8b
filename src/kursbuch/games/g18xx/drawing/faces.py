"""Faces of hexes and tiles with stops, tokens and values, and the notes beside them: terrain,
costs, rings and coasts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from kursbuch.games.g18xx.drawing import lettering
from kursbuch.games.g18xx.drawing.lettering import radius, spaces, stop_points, value_box
from kursbuch.games.g18xx.drawing.look import PLAIN, USUAL, MapLook, Note, Sizes
from kursbuch.games.g18xx.map.board import GAUGES, STOP, Board, Face, Stop
from kursbuch.games.g18xx.ruleset import Ruleset
from kursbuch.hexmap import scenery, svg
from kursbuch.hexmap.geometry import edge_middle

SIZE = 46.0
INK = "#1d1a16"

#: Background of lettering.
PAPER = "#f7f3e6"
FILLS = {
    "white": "#f4f0e2",
    "yellow": "#f3d34a",
    "green": "#7fb567",
    "brown": "#b98a5a",
    "gray": "#b5b2aa",
    "red": "#d9705f",
    "blue": "#9cc3dd",
}
TRACK: dict[str, object] = {"fill": "none", "stroke_linecap": "round"}

#: Width of a tile's rim.
RIM = 2.4
RIM_LOOK: svg.Look = {
    "class_": "rim-of-tile",
    "fill": "none",
    "stroke": "#1d1a16",
    "stroke_opacity": ".6",
    "stroke_width": RIM,
}

#: Halo that keeps lettering readable over other shapes.
HALO: svg.Look = {"stroke_width": 3, "paint_order": "stroke", "stroke_linejoin": "round"}
Point = tuple[float, float]

#: Colours of each company's tokens and of the letters on them.
Looks = Mapping[str, tuple[str, str]]
NO_LOOKS: Looks = {}

#: Fill and letter colours of tokens by the colour name of the data file.
COLOURS = {
    "blue": ("#2a5caa", "#ffffff"),
    "red": ("#c8302c", "#ffffff"),
    "brown": ("#7a4a26", "#ffffff"),
    "yellow": ("#f5cf2d", INK),
    "green": ("#2f7d3b", "#ffffff"),
    "black": ("#1d1a16", "#ffffff"),
    "violet": ("#7b4a9c", "#ffffff"),
    "gray": ("#8d8d8d", INK),
    "orange": ("#e07b22", INK),
    "white": ("#ffffff", INK),
    "dark green": ("#1f5d33", "#ffffff"),
    "dark blue": ("#1d2f77", "#ffffff"),
    "purple": ("#8e2fb5", "#ffffff"),
    "light blue": ("#a8d4ea", INK),
}
MINOR = ("#fbf6e2", INK)

#: Gauge names by their bits.
_NAMES = {bits: name for name, bits in GAUGES.items()}


@lru_cache(maxsize=32)
def token_colours(ruleset: Ruleset[Any]) -> Looks:
    """Token colours of all companies."""
    found = {
        name: COLOURS.get(public.record.color, (INK, "#ffffff"))
        for name, public in ruleset.public.items()
    }
    return found | dict.fromkeys(ruleset.components.minors, MINOR)


def path_data(
    face: Face, a: int, b: int, x: float, y: float, size: float, sizes: Sizes = USUAL
) -> str:
    """SVG path data of one piece of track of a face."""
    if max(a, b) < STOP:
        return svg.track(x, y, size, a, b)
    n = svg.number
    points = stop_points(face, x, y, size, sizes)
    to_x, to_y = points[max(a, b) - STOP]
    if min(a, b) >= STOP:
        from_x, from_y = points[min(a, b) - STOP]
        return f"M{n(from_x)} {n(from_y)}Q{n(x)} {n(y)} {n(to_x)} {n(to_y)}"
    edge = min(a, b)
    at_x, at_y = edge_middle(x, y, size, edge)
    # Meet the border at a right angle.
    via_x, via_y = at_x + (x - at_x) * 0.45, at_y + (y - at_y) * 0.45
    return f"M{n(at_x)} {n(at_y)}Q{n(via_x)} {n(via_y)} {n(to_x)} {n(to_y)}"


def draw_face(
    face: Face,
    x: float,
    y: float,
    size: float = SIZE,
    markers: Sequence[Sequence[str]] = (),
    phase: int = 0,
    sizes: Sizes = USUAL,
) -> Iterator[str]:
    """Draw a face on its own: hex, track, stops with slots and tokens, values and label."""
    yield draw_land(face, x, y, size, laid=True)
    yield from track_layers(face, x, y, size, sizes)
    yield from _stops(face, x, y, size, markers, phase, sizes)


@lru_cache(maxsize=8192)
def draw_land(
    face: Face,
    x: float,
    y: float,
    size: float,
    land: str = "",
    fill: str = "",
    laid: bool = False,
) -> str:
    """Draw the hex of a face; `land` is its CSS class. A `laid` tile gets a rim, print does not."""
    drawn = svg.hexagon(
        x,
        y,
        size - 0.5,
        class_=f"land {face.colour} {land}".rstrip(),
        fill=fill or FILLS[face.colour],
        stroke="#8d8672",
        stroke_width=0.8,
    )
    return drawn + svg.hexagon(x, y, size - RIM / 2 - 1, **RIM_LOOK) if laid else drawn


@lru_cache(maxsize=4096)
def track_layers(face: Face, x: float, y: float, size: float, sizes: Sizes) -> tuple[str, str, str]:
    """Track of a face in three layers, each gauge as one path: casing, dark track and light inner
    line. Casings lie below all track of the map, so that none shows where track crosses a hex
    border."""
    ways: dict[str, list[str]] = {}
    for path in face.paths:
        gauge = _NAMES[path.gauge]
        ways.setdefault(gauge, []).append(path_data(face, path.a, path.b, x, y, size, sizes))
    if not ways:
        return "", "", ""
    whole = "".join("".join(lines) for lines in ways.values())
    light = "".join(
        _track_line("".join(lines), size, gauge, sizes)
        for gauge, lines in ways.items()
        if gauge != "standard"
    )
    return (
        _track_line(whole, size, "casing", sizes),
        _track_line(whole, size, "track", sizes),
        light,
    )


def _track_line(line: str, size: float, kind: str, sizes: Sizes) -> str:
    """A line of one layer: "casing", "track", or the light line of "metre" and "dual" track."""
    if kind == "casing":
        return svg.path(
            line, class_=kind, stroke="#ffffff", stroke_width=size * sizes.casing, **TRACK
        )
    if kind == "track":
        return svg.path(line, class_=kind, stroke=INK, stroke_width=size * sizes.track, **TRACK)
    wide = size * sizes.track
    dual = kind == "dual"
    return svg.path(
        line,
        class_=f"core {kind}",
        stroke="#ffffff",
        stroke_width=wide * (0.62 if dual else 0.56),
        # The hex border falls in the middle of a dark dash.
        stroke_dasharray=f"{svg.number(wide)} {svg.number(wide)}" if dual else None,
        stroke_dashoffset=-wide / 2 if dual else None,
        **(TRACK | {"stroke_linecap": "butt" if dual else "round"}),
    )


def draw_gauge_sample(gauge: str, x: float, y: float, length: float, sizes: Sizes) -> str:
    """Draw a piece of straight track from a point eastwards."""
    line = f"M{svg.number(x)} {svg.number(y)}h{svg.number(length)}"
    kinds = ("casing", "track", gauge)[: 2 if gauge == "standard" else 3]
    return "".join(_track_line(line, SIZE, kind, sizes) for kind in kinds)


def gauges(board: Board) -> list[str]:
    """All gauges of the board's track, in order."""
    faces = [*board.printed, *(tile.faces[0] for tile in board.tiles.values())]
    used = {path.gauge for face in faces for path in face.paths}
    return [name for name, bits in GAUGES.items() if bits in used]


def _stops(
    face: Face,
    x: float,
    y: float,
    size: float,
    markers: Sequence[Sequence[str]],
    phase: int,
    sizes: Sizes,
) -> Iterator[str]:
    points = stop_points(face, x, y, size, sizes)
    look = MapLook(sizes)
    for number, (stop, point) in enumerate(zip(face.stops, points, strict=True)):
        here = markers[number] if number < len(markers) else ()
        value = value_spot(face, number, sizes)
        parts = draw_stop(stop, *point, size, here, phase, value, NO_LOOKS, look=look)
        yield svg.group(parts, class_="stop", data_edges=edges_of(face, number))
    yield from draw_label(face, x, y, size, sizes)


def value_spot(face: Face, number: int, sizes: Sizes) -> Point | None:
    """Position of a stop's value relative to the stop."""
    if not face.paths:
        return None
    return lettering.values(face, sizes)[number]


def edges_of(face: Face, number: int) -> str:
    """Edges that a stop's track leads to; by them a page follows its tokens to the next tile."""
    return "".join(str(edge) for edge in sorted({edge for edge, _ in face.exits(number)}))


def draw_label(face: Face, x: float, y: float, size: float, sizes: Sizes) -> Iterator[str]:
    """Draw the letters of a special tile."""
    if face.label:
        across, down = lettering.label(face, sizes)
        yield svg.text(
            x + size * across,
            y + size * (down + sizes.label * 0.35),
            face.label,
            class_="label",
            font_size=size * sizes.label,
            font_weight="bold",
            fill=INK,
            stroke=PAPER,
            **HALO,
        )


def draw_stop(
    stop: Stop,
    x: float,
    y: float,
    size: float,
    markers: Sequence[str],
    phase: int,
    value: Point | None,
    looks: Looks,
    reserved: str = "",
    look: MapLook = PLAIN,
) -> Iterator[str]:
    """Draw a stop with slots, tokens and value; `reserved` is the company that has the next
    slot."""
    sizes = look.sizes
    ring: dict[str, object] = {"fill": "#ffffff", "stroke": INK, "stroke_width": size / 32}
    if stop.kind == "junction":
        return
    space = size * radius(stop, sizes)
    if stop.kind == "town":
        dot = ring | {"fill": INK, "stroke": "#ffffff"}
        yield svg.element("circle", cx=x, cy=y, r=space, class_="town", **dot)
    elif stop.kind == "offboard":
        yield from _draw_values(stop, x, y, size, phase, sizes)
        return
    places = [(x + space * across, y + space * down) for across, down in spaces(stop)]
    if stop.slots > 1:
        capsule: svg.Look = {"class_": "capsule", "fill": "#ffffff", "stroke": INK}
        yield svg.path(_around(places, space + 1.5), stroke_width=size / 26, **capsule)
        ring |= {"stroke_width": size / 50}
    for slot, (at, down) in enumerate(places):
        yield svg.element("circle", cx=at, cy=down, r=space, class_="city", **ring)
        if slot < len(markers):
            sign = look.signs.get(markers[slot], "")
            yield draw_marker(markers[slot], at, down, space * 0.95, looks, sign)
        elif reserved and slot == len(markers):
            yield _letters(
                look.signs.get(reserved, "") or reserved,
                at,
                down,
                space * 0.95,
                class_="reserved",
                fill="#6b6658",
            )
    if stop.value and value:
        yield svg.text(
            x + size * value[0],
            y + size * (value[1] + sizes.value * 0.35),
            str(stop.value),
            class_="value",
            font_size=size * sizes.value,
            font_weight="bold",
            fill=INK,
            stroke="#ffffff",
            **HALO,
        )


def _around(places: Sequence[Point], radius: float) -> str:
    """Outline around circles that stand side by side or clockwise around a centre."""
    n = svg.number
    data = ""
    for (x1, y1), (x2, y2) in zip(places, (*places[1:], places[0]), strict=True):
        far = math.dist((x1, y1), (x2, y2))
        out_x, out_y = (y2 - y1) / far * radius, (x1 - x2) / far * radius
        data += f"A{n(radius)} {n(radius)} 0 0 1 {n(x1 + out_x)} {n(y1 + out_y)}" if data else ""
        data = data or f"M{n(x1 + out_x)} {n(y1 + out_y)}"
        data += f"L{n(x2 + out_x)} {n(y2 + out_y)}"
    start = data[1 : data.index("L")]
    return f"{data}A{n(radius)} {n(radius)} 0 0 1 {start}Z"


def draw_tile(face: Face, label: str = "", sizes: Sizes = USUAL) -> str:
    """Draw a tile on its own."""
    size = 2 * SIZE
    content = draw_face(face, SIZE, SIZE, sizes=sizes)
    return svg.document(size, size, content, label=label, class_="eighteen")


def _draw_values(
    stop: Stop, x: float, y: float, size: float, phase: int, sizes: Sizes
) -> Iterator[str]:
    """Draw the values of an off-board location by phase; the current one is dark."""
    width, height = (size * part for part in value_box(sizes))
    letters = size * sizes.value
    for number, value in enumerate(stop.values):
        left = x + (number - len(stop.values) / 2) * width
        now = number == min(phase, len(stop.values) - 1)
        yield svg.element(
            "rect",
            x=left,
            y=y - height / 2,
            width=width,
            height=height,
            class_="now" if now else "later",
            fill=INK if now else "#ffffff",
            stroke=INK,
            stroke_width=1,
        )
        yield svg.text(
            left + width / 2,
            y + letters * 0.36,
            str(value),
            class_="value now" if now else "value later",
            font_size=letters,
            font_weight="bold",
            fill="#ffffff" if now else INK,
        )


def draw_marker(
    company: str, x: float, y: float, radius: float, looks: Looks, sign: str = ""
) -> str:
    """Draw a token or price marker with the letters of its company, or a sign."""
    fill, ink = looks.get(company, (INK, "#ffffff"))
    disc = svg.disc(
        x, y, radius, class_=f"marker of-{company}", fill=fill, stroke=INK, stroke_width=1.2
    )
    return disc + _letters(
        sign or company,
        x,
        y,
        radius,
        class_=f"marker-text on-{company}",
        font_weight="bold",
        fill=ink,
    )


def _letters(text: str, x: float, y: float, radius: float, **values: object) -> str:
    """Letters of a company fitted into a circle."""
    high = radius * (1.75 if len(text) < 2 else 1.22 if len(text) < 3 else 0.95)
    most = radius * (1.8 if len(text) < 3 else 1.9)
    if svg.width(text, high) * svg.BOLD > most:
        values |= {"textLength": most, "lengthAdjust": "spacingAndGlyphs"}
    return svg.text(x, y + high * 0.36, text, font_size=high, **values)


#: Land under relief, by CSS class.
UPLANDS = {"upland": "#efe3c4", "highland": "#e6d5b4", "summits": "#d9c9ad"}

#: CSS class of the land by the highest relief on it.
RELIEF = {"hill": "upland", "mountain": "highland", "high_mountain": "summits"}

#: Arms of a river by terrain; others cross a hex without a cost.
ARMS = {"river": 1, "rivers": 2}


def land_class(terrains: Sequence[str]) -> str:
    """CSS class of land with this terrain."""
    found = [RELIEF[one] for one in terrains if one in RELIEF]
    return found[-1] if found else ""


def draw_terrain(
    terrains: Sequence[str], name: str, x: float, y: float, reaches: Sequence[scenery.Reach]
) -> Iterator[str]:
    """Draw the terrain of a hex: relief, and the rivers through it; without a name, that of a
    sample."""
    arms = max((ARMS.get(one, 0) for one in terrains), default=0)
    for one in terrains:
        if one in RELIEF:
            drawn = scenery.defined(one, name, x, y) if name else scenery.relief(one)
            yield svg.group([drawn], class_=f"terrain-{one}")
    # Data of the reader's own may have a river anywhere.
    reaches = reaches or ((SAMPLE_REACH,) if arms else ())
    if reaches:
        kind = next((one for one in terrains if one in ARMS), "brook")
        lines = (
            scenery.river(reach, x, y, SIZE, arms if arms and len(reach) > 1 else 1)
            for reach in reaches
        )
        yield svg.group(draw_river("".join(lines), bool(arms)), class_=f"terrain-{kind}")


def draw_river(data: str, wide: bool) -> Iterator[str]:
    """Draw the course of a river; one that costs nothing is a thin line."""
    look: svg.Look = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    if wide:
        yield svg.path(data, class_="bank", stroke="#2f6ea5", stroke_width=6.6, **look)
        yield svg.path(data, class_="stream", stroke="#8fc0e3", stroke_width=3.2, **look)
    else:
        yield svg.path(data, class_="brook", stroke="#b9cfd3", stroke_width=2.4, **look)


#: A river in the legend: from west to east.
SAMPLE_REACH: scenery.Reach = (
    ((-0.7, 0.1), (-0.4, -0.35), (-0.25, -0.2), (0, 0)),
    ((0, 0), (0.25, 0.2), (0.4, 0.35), (0.7, -0.1)),
)


def draw_terrain_sample(kind: str, x: float, y: float, lands: Mapping[str, str]) -> Iterator[str]:
    """Draw a small hex with terrain."""
    land = land_class((kind,))
    fill = lands.get(land) or UPLANDS.get(land) or FILLS["white"]
    rivers = (SAMPLE_REACH,) if kind in ARMS else ()
    whole = svg.hexagon(
        0, 0, SIZE, class_=f"land white {land}".rstrip(), fill=fill, stroke="#8d8672"
    )
    where = f"translate({svg.number(x)} {svg.number(y)}) scale(0.34)"
    # What is on it is drawn a little larger, to be seen.
    terrain = svg.group(draw_terrain((kind,), "", 0, 0, rivers), transform="scale(1.2)")
    yield svg.group([whole, terrain], transform=where)


#: Line style of reconstructed data.
DOTTED: svg.Look = {"stroke_width": 3, "stroke_dasharray": "0.1 6", "stroke_linecap": "round"}


def draw_note(note: Note, face: Face, centre: Point, look: MapLook) -> Iterator[str]:
    """Draw the note of a hex without a tile: its bonus."""
    sizes, (x, y) = look.sizes, centre
    places = lettering.NoteLayout(note, face, sizes)
    if note.bonus:
        across, down = places.bonus
        yield from draw_bonus(note.bonus, x + SIZE * across, y + SIZE * down, sizes)


def draw_cost(note: Note, face: Face, centre: Point, sizes: Sizes) -> Iterator[str]:
    """Draw the building cost of a hex, hidden; the style sheet of pages shows it while a tile can be
    laid there."""
    if note.cost and not note.ask:
        across, down = lettering.NoteLayout(note, face, sizes).cost
        small = SIZE * sizes.cost
        yield svg.text(
            centre[0] + SIZE * across,
            centre[1] + SIZE * down + small * 0.35,
            note.cost,
            class_="cost",
            font_size=small,
            font_weight="bold",
            visibility="hidden",
        )


def draw_ask(note: Note, x: float, y: float, looks: Looks, look: MapLook) -> Iterator[str]:
    """Draw a number that is being asked, and the companies it concerns."""
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
    """Draw the bonus for the first tile on a hex."""
    high = SIZE * sizes.name
    wide = SIZE * svg.width(text, sizes.name) + 8
    box: svg.Look = {"class_": "bonus", "fill": "#fff1b8", "stroke": "#8a6d00"}
    left, top = x - wide / 2, y - high * 0.52
    yield svg.rect(left, top, wide, high * 1.04, rx=high * 0.4, stroke_width=1, **box)
    look: svg.Look = {"font_size": high, "font_weight": "bold", "fill": INK}
    yield svg.text(x, y + high * 0.36, text, class_="bonus-text", **look)


def draw_ring(kind: str, x: float, y: float, size: float = SIZE - 5) -> Iterator[str]:
    """Draw a "solid" or "dashed" ring around a hex that matters to the reader."""
    line: svg.Look = {"fill": "none", "class_": "ring-halo", "stroke": "#ffffff"}
    yield svg.hexagon(x, y, size, stroke_width=7, **line)
    line = line | {"class_": f"ring {kind}", "stroke": "#7a1fa2"}
    dashes = "9 6" if kind == "dashed" else None
    yield svg.hexagon(x, y, size, stroke_width=4, stroke_dasharray=dashes, **line)


def draw_doubt(x: float, y: float, size: float = SIZE - 9) -> Iterator[str]:
    """Draw a dotted outline around reconstructed data."""
    yield svg.hexagon(x, y, size, class_="doubt", fill="none", stroke="#5f5a48", **DOTTED)


def draw_coast(border: str) -> str:
    """Draw the border of the map, and what shines through hexes that step back."""
    look: svg.Look = {"fill": "#dcd8cb", "stroke_linejoin": "round"}
    return svg.path(border, class_="coast", stroke="#5f5a48", stroke_width=3, **look)


def rim_margin(sizes: Sizes) -> float:
    """Margin above and below the map, for the column numbers."""
    return SIZE * sizes.name * 1.5


def draw_rim(board: Board, centres: Sequence[Point], sizes: Sizes) -> Iterator[str]:
    """Draw row letters at both ends, and column numbers above and below."""
    rows: dict[int, list[float]] = {}
    columns: dict[int, float] = {}
    for place, (x, y) in zip(board.hexes, centres, strict=True):
        rows.setdefault(place.row, [y]).append(x)
        columns[place.column] = x
    size = SIZE * sizes.name
    look: svg.Look = {"class_": "coordinate rim", "font_size": size, "fill": "#3f5a60"}
    for row, (y, *found) in rows.items():
        for x in (min(found) - SIZE * lettering.RIM, max(found) + SIZE * lettering.RIM):
            yield svg.text(x, y + size * 0.36, chr(ord("A") + row), **look)
    top = min(y for _, y in centres) - SIZE - rim_margin(sizes)
    bottom = max(y for _, y in centres) + SIZE + rim_margin(sizes)
    for column, x in columns.items():
        yield svg.text(x, top + size, str(column), **look)
        yield svg.text(x, bottom - size * 0.3, str(column), **look)
