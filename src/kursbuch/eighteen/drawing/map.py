"""The map and tiles of an 18xx title as SVG.

Every hex carries `data-pick="hex:K16"`, every stop `data-pick="stop:K16/0"`. Classes for recolouring:
`land` with the colour of the face, `casing`, `track`, `city`, `town`, `value`, `label`, `name` and `coord` (the
last three with the colour they stand on), `cost`, `bar`, `marker`, `reserved`, `mark` for what is pointed out,
and `run-N` for the way of the N-th train. Nothing is shown by colour alone: markers carry the letters of their
company, tiles their number, and runs are dashed in different ways. Standard track is a dark line, metre track a
light one with dark edges, dual track dark and light in turns (`core` is what is light).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from kursbuch.eighteen.drawing import lettering, room
from kursbuch.eighteen.drawing.areas import outline
from kursbuch.eighteen.drawing.lettering import radius, stop_points
from kursbuch.eighteen.drawing.look import PLAIN, SMALL, MapLook, Note, Sizes
from kursbuch.eighteen.drawing.terrain import draw_signs
from kursbuch.eighteen.map.board import GAUGES, STOP, Board, Face, Stop
from kursbuch.eighteen.map.tiles import shown
from kursbuch.eighteen.map.track import Layout
from kursbuch.hexmap import svg
from kursbuch.hexmap.geometry import Hex, corners, edge_middle

SIZE = 46.0
MARGIN = 20.0
#: Above and below a map of large lettering: there stand the numbers of the columns.
LARGE_MARGIN = 34.0
INK = "#1d1a16"

FILLS = {
    "white": "#f4f0e2",
    "yellow": "#f3d34a",
    "green": "#7fb567",
    "brown": "#b98a5a",
    "gray": "#b5b2aa",
    "red": "#d9705f",
    "blue": "#9cc3dd",
}
#: The colours of the runs, which colour-blind readers can tell apart as well.
RUNS = ("#0072b2", "#d55e00", "#009e73", "#cc3d92", "#5b2c83", "#6b5500")
#: How wide a run is drawn, and the white under it.
RUN_WIDTH = 5.5
RUN_HALO = 9.0
#: Lettering that is read over what lies below.
HALO: svg.Look = {"stroke_width": 3, "paint_order": "stroke", "stroke_linejoin": "round"}
TRACK: dict[str, object] = {"fill": "none", "stroke_linecap": "round"}

Point = tuple[float, float]

#: For every company the colour of its markers, and that of the letters on them.
Looks = Mapping[str, tuple[str, str]]
NO_LOOKS: Looks = {}
NOTHING = Note()
NO_HOMES: Mapping[tuple[str, int], str] = {}


def path_data(
    face: Face, a: int, b: int, x: float, y: float, size: float, sizes: Sizes = SMALL
) -> str:
    """The path data of a piece of track of a face."""
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
    # Leaves the border at a right angle.
    via_x, via_y = at_x + (x - at_x) * 0.45, at_y + (y - at_y) * 0.45
    return f"M{n(at_x)} {n(at_y)}Q{n(via_x)} {n(via_y)} {n(to_x)} {n(to_y)}"


def draw_face(
    face: Face,
    x: float,
    y: float,
    size: float = SIZE,
    markers: Sequence[Sequence[str]] = (),
    phase: int = 0,
    sizes: Sizes = SMALL,
) -> Iterator[str]:
    """A face on its own: hex, track, stops with station spaces and markers, values and label."""
    yield _land(face, x, y, size)
    for layer in _tracks(face, x, y, size, sizes):
        yield from layer
    yield from _stops(face, x, y, size, markers, phase, sizes)


def _land(face: Face, x: float, y: float, size: float, land: str = "", fill: str = "") -> str:
    return svg.hexagon(
        x,
        y,
        size - 0.5,
        class_=f"land {face.colour} {land}".rstrip(),
        fill=fill or FILLS[face.colour],
        stroke="#8d8672",
        stroke_width=0.8,
    )


def _tracks(
    face: Face, x: float, y: float, size: float, sizes: Sizes
) -> tuple[list[str], list[str], list[str]]:
    """The track of a face in three layers: what is around it, the dark, and the light within."""
    around, dark, light = [], [], []
    for path in face.paths:
        line = path_data(face, path.a, path.b, x, y, size, sizes)
        around.append(_track_line(line, size, "casing", sizes))
        dark.append(_track_line(line, size, "track", sizes))
        gauge = _NAMES[path.gauge]
        if gauge != "standard":
            light.append(_track_line(line, size, gauge, sizes))
    return around, dark, light


#: The names of gauges by their bits.
_NAMES = {bits: name for name, bits in GAUGES.items()}


def _track_line(line: str, size: float, kind: str, sizes: Sizes) -> str:
    """A line of one of the layers: "casing", "track", or what is light in "metre" and "dual" track."""
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
        # The border of a hex is in the middle of a dark piece.
        stroke_dasharray=f"{svg.number(wide)} {svg.number(wide)}" if dual else None,
        stroke_dashoffset=-wide / 2 if dual else None,
        **(TRACK | {"stroke_linecap": "butt" if dual else "round"}),
    )


def draw_gauge_sample(gauge: str, x: float, y: float, length: float, sizes: Sizes) -> str:
    """A piece of straight track from a point to the east."""
    line = f"M{svg.number(x)} {svg.number(y)}h{svg.number(length)}"
    kinds = ("casing", "track", gauge)[: 2 if gauge == "standard" else 3]
    return "".join(_track_line(line, SIZE, kind, sizes) for kind in kinds)


def gauges(board: Board) -> list[str]:
    """The gauges of all track, in their order."""
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
        value = _value(face, number, sizes)
        parts = _draw_stop(stop, *point, size, here, phase, value, NO_LOOKS, look=look)
        yield svg.group(parts, class_="stop", data_edges=_edges(face, number))
    yield from _label(face, x, y, size, sizes)


def _value(face: Face, number: int, sizes: Sizes) -> Point | None:
    """Where the value of a stop stands, from the middle of the stop."""
    if not face.paths:
        return None
    return room.values(face, sizes)[number] if sizes.large else lettering.values(face)[number]


def _edges(face: Face, number: int) -> str:
    """The edges to which track of a stop leads: by them a page finds what becomes of its markers when
    another tile takes its place."""
    return "".join(str(edge) for edge in sorted({edge for edge, _ in face.exits(number)}))


def _label(face: Face, x: float, y: float, size: float, sizes: Sizes) -> Iterator[str]:
    if face.label:
        across, down = room.label(face, sizes) if sizes.large else lettering.place(face, ())[1]
        yield svg.text(
            x + size * across,
            y + size * (down + sizes.label * 0.35),
            face.label,
            class_=f"label on-{face.colour}",
            font_size=size * sizes.label,
            font_weight="bold",
            fill=INK,
            **({"stroke": FILLS[face.colour]} | HALO if sizes.large else {}),
        )


def _draw_stop(
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
    sizes = look.sizes
    ring: dict[str, object] = {"fill": "#ffffff", "stroke": INK, "stroke_width": size / 32}
    if stop.kind == "junction":
        return
    halo: dict[str, object] = {
        "font_weight": "bold",
        "fill": INK,
        "stroke": "#ffffff",
        "stroke_width": 2,
        "paint_order": "stroke",
    }
    space = size * radius(stop, sizes)
    if stop.kind == "town":
        dot = ring | {"fill": INK, "stroke": "#ffffff"}
        yield svg.element("circle", cx=x, cy=y, r=space, class_="town", **dot)
    elif stop.kind == "offboard":
        yield from _draw_values(stop, x, y, size, phase)
        return
    if sizes.large and stop.slots > 1:
        wide, high = stop.slots * space, space + 1.5
        capsule: svg.Look = {"class_": "capsule", "fill": "#ffffff", "stroke": INK}
        yield svg.rect(
            x - wide - 1.5, y - high, 2 * wide + 3, 2 * high, rx=high, stroke_width=1, **capsule
        )
    for slot in range(stop.slots):
        at = x + (slot - (stop.slots - 1) / 2) * space * 2
        yield svg.element("circle", cx=at, cy=y, r=space, class_="city", **ring)
        if slot < len(markers):
            sign = look.signs.get(markers[slot], "")
            yield draw_marker(markers[slot], at, y, space * (0.94 if sign else 0.9), looks, sign)
        elif reserved and slot == len(markers):
            sign = look.signs.get(reserved, "")
            letters = 1.6 if sign else 0.85
            yield svg.text(
                at,
                y + space * letters * (0.36 if sign else 0.32 / 0.85),
                sign or reserved,
                class_="reserved",
                font_size=space * letters,
                fill="#6b6658",
            )
    if stop.value and value:
        yield svg.text(
            x + size * value[0],
            y + size * (value[1] + sizes.value * 0.35),
            str(stop.value),
            class_="value",
            font_size=size * sizes.value,
            **halo,
        )


def draw_tile(face: Face, label: str = "", sizes: Sizes = SMALL) -> str:
    """A tile on its own."""
    size = 2 * SIZE
    content = draw_face(face, SIZE, SIZE, sizes=sizes)
    return svg.document(size, size, content, label=label, class_="eighteen")


def draw_run_sample(number: int) -> str:
    """A short line as a run is drawn on the map."""
    height = 2 * RUN_HALO
    line = f"M{RUN_HALO} {RUN_HALO}H{SIZE + RUN_HALO}"
    return svg.document(
        SIZE + height,
        height,
        [_run_line(line, number, halo) for halo in (True, False)],
        label="",
        aria_hidden="true",
    )


def _run_line(line: str, number: int, halo: bool) -> str:
    """A piece of a run, or the white under it."""
    return svg.element(
        "path",
        d=line,
        class_="halo-run" if halo else f"run-{number}",
        stroke="#ffffff" if halo else RUNS[number % len(RUNS)],
        stroke_width=RUN_HALO if halo else RUN_WIDTH,
        stroke_dasharray=None if halo else run_dashes(number),
        **TRACK,
    )


def _draw_values(stop: Stop, x: float, y: float, size: float, phase: int) -> Iterator[str]:
    """The values of an off-board stop by phase; the one that counts now is dark."""
    width, height = size * 0.42, size * 0.36
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
            y + size * 0.08,
            str(value),
            class_="value now" if now else "value",
            font_size=size / 4.8,
            font_weight="bold",
            fill="#ffffff" if now else INK,
        )


def draw_marker(
    company: str, x: float, y: float, radius: float, looks: Looks, sign: str = ""
) -> str:
    """A station or price marker with the letters of its company, or a sign."""
    fill, ink = looks.get(company, (INK, "#ffffff"))
    disc = svg.element(
        "circle", cx=x, cy=y, r=radius, class_="marker", fill=fill, stroke=INK, stroke_width=1.2
    )
    if sign:
        high = radius * 1.7
        down = high * 0.36
    else:
        high, down = radius * (1.25 if len(company) < 2 else 0.95), radius * 0.34
    letters = svg.text(
        x,
        y + down,
        sign or company,
        class_="marker-text",
        font_size=high,
        font_weight="bold",
        fill=ink,
    )
    return disc + letters


def draw_map(
    board: Board,
    layout: Layout,
    phase: int = 0,
    runs: Iterable[Sequence[tuple[str, str]]] = (),
    label: str = "",
) -> str:
    """The whole map with tiles and markers as a drawing of its own."""
    width, height, content, _ = map_parts(board, layout, phase, runs)
    return svg.document(width, height, content, label=label)


def _margin(sizes: Sizes) -> float:
    """What is free above and below the hexes."""
    return LARGE_MARGIN if sizes.large else MARGIN


def _corner(board: Board, sizes: Sizes) -> Point:
    """The upper left corner of the map."""
    raw = [place.centre(SIZE) for place in board.places]
    left = min(x for x, _ in raw) - SIZE - MARGIN
    return left, min(y for _, y in raw) - SIZE - _margin(sizes)


def point(board: Board, name: str, sizes: Sizes) -> Point:
    """Where the middle of a hex is drawn, which need not be on the map."""
    left, top = _corner(board, sizes)
    x, y = Hex.parse(name).centre(SIZE)
    return x - left, y - top


@lru_cache(maxsize=32)
def _border(board: Board, names: frozenset[str], sizes: Sizes) -> str:
    """The border of some hexes."""
    left, top = _corner(board, sizes)
    places = (place.centre(SIZE) for place in board.places)
    return outline(board, [(x - left, y - top) for x, y in places], names, SIZE)


def draw_area(board: Board, company: str, look: MapLook, colour: str) -> str:
    """The border of what belongs to a company; pages show it when they are about it."""
    border = _border(board, frozenset(look.areas[company]), look.sizes)
    lines = (("area-halo", "#ffffff", 10), ("area-edge", INK, 6.5), ("area-line", colour, 4))
    return "".join(
        svg.path(border, fill="none", class_=kind, stroke=stroke, stroke_width=width)
        for kind, stroke, width in lines
    )


def map_parts(
    board: Board,
    layout: Layout,
    phase: int = 0,
    runs: Iterable[Sequence[tuple[str, str]]] = (),
    *,
    looks: Looks = NO_LOOKS,
    reserved: Mapping[tuple[str, int], str] = NO_HOMES,
    marks: Sequence[str] = (),
    look: MapLook = PLAIN,
    under: Iterable[str] = (),
) -> tuple[float, float, list[str], list[str]]:
    """The map with tiles and markers: its width, its height, what is drawn, and what of large lettering
    stays above everything that is marked.

    Each of the `runs` is the sides between hexes that a train crosses, as pairs of their names.
    `looks` are the colours of markers, `reserved` the homes (hex and stop) of companies that are not
    yet there, `marks` the keys of hexes and stops to point out, and `look` is how the map looks;
    what is `under` the lettering is drawn elsewhere.
    """
    sizes = look.sizes
    raw = [place.centre(SIZE) for place in board.places]
    left, top = _corner(board, sizes)
    margin = _margin(sizes)
    centres = [(x - left, y - top) for x, y in raw]
    # The land is drawn first, so that no hex covers the track of its neighbours, and stops last.
    land: list[str] = []
    track: list[str] = []
    layers: tuple[list[str], list[str], list[str]] = ([], [], [])
    over: list[str] = []
    above: list[str] = []
    names: Mapping[str, Point] = {}
    if sizes.large:
        faces = [shown(board, layout.tiles, name) for name in board.names]
        names = room.names(board, faces, look.notes, layout.tiles, sizes)
        coast = _border(board, frozenset(board.names), sizes)
        land += [*_coast(coast), *_rim(board, centres)]
    for name, (across, down) in names.items():
        x, y = centres[board.place(name)]
        above.append(
            _large_name(
                board.records[board.place(name)].name, x + SIZE * across, y + SIZE * down, sizes
            )
        )
    for place, (x, y) in enumerate(centres):
        name, record = board.names[place], board.records[place]
        face = shown(board, layout.tiles, name)
        laid = layout.tiles.get(name)
        corner = name if laid is None else f"{name} #{laid.tile}"
        small: dict[str, object] = {"font_size": SIZE / 6, "fill": "#4a4431"}
        coord = svg.text(x, y - SIZE * 0.72, corner, class_=f"coord on-{face.colour}", **small)
        note = look.notes.get(name, NOTHING)
        title = f"{corner if sizes.large else name} {record.name}".strip()
        bare = face.colour == "white"
        fill = look.lands.get(note.land, "") if bare else ""
        parts = [_land(face, x, y, SIZE, note.land if bare else "", fill)]
        if not sizes.large:
            parts.append(coord)
        land.append(svg.group(parts, title=title, data_pick=f"hex:{name}"))
        for layer, lines in zip(layers, _tracks(face, x, y, SIZE, sizes), strict=True):
            if sizes.large:
                layer += lines
            else:
                track += lines
        if f"hex:{name}" in marks:
            mark: dict[str, object] = {"fill": "none", "stroke": "#b3202c", "stroke_width": 3}
            over.append(svg.hexagon(x, y, SIZE - 3, class_="mark", **mark))
        if note.ring:
            over += draw_ring(note.ring, x, y)
        # Below the stops: of what finds no room, the markers and values are the last to be covered.
        if not sizes.large:
            over += _name(face, record.name, x, y)
        over += _map_stops(board, layout, face, name, (x, y), phase, looks, reserved, marks, look)
        over += _note(note, face, laid is not None, (x, y), look)
        if note.ask:
            above += _ask(note, x, y + SIZE * room.Places(note, face, sizes).ask[1], looks, look)
        if record.cost and laid is None:
            cost = f"{'▲' if record.terrain == 'mountain' else '≈'} {record.cost}"
            over.append(
                svg.text(
                    x,
                    y + SIZE * (0.85 if record.name else 0.62),
                    cost,
                    class_=f"cost on-{face.colour}",
                    font_size=SIZE / 5.5,
                    fill="#274a6d",
                )
            )
        for edge in range(6):
            if f"e{edge}" in record.impassable:
                (x1, y1), (x2, y2) = ((svg.number(a), svg.number(b)) for a, b in _side(x, y, edge))
                bar: dict[str, object] = {"stroke": "#2467b3", "stroke_width": 6.0, **TRACK}
                over.append(svg.element("path", d=f"M{x1} {y1}L{x2} {y2}", class_="bar", **bar))
    track += [line for layer in layers for line in layer]
    for number, sides in enumerate(runs):
        lines = _run_lines(board, layout, centres, sides, sizes)
        track += [_run_line(line, number, halo) for halo in (True, False) for line in lines]
    width = max(x for x, _ in centres) + SIZE + MARGIN
    height = max(y for _, y in centres) + SIZE + margin
    return width, height, [*land, *track, *under, *over], above


def _map_stops(
    board: Board,
    layout: Layout,
    face: Face,
    name: str,
    centre: Point,
    phase: int,
    looks: Looks,
    reserved: Mapping[tuple[str, int], str],
    marks: Sequence[str],
    look: MapLook,
) -> Iterator[str]:
    """The stops of a hex, each an element of its own, so that it can be pointed at."""
    points = stop_points(face, *centre, SIZE, look.sizes)
    for number, (stop, point) in enumerate(zip(face.stops, points, strict=True)):
        here = [s.company for s in layout.stations if s.hex == name and s.stop == number]
        home = reserved.get((name, number), "")
        value = _value(face, number, look.sizes)
        parts = list(_draw_stop(stop, *point, SIZE, here, phase, value, looks, home, look))
        key = f"stop:{name}/{number}"
        if key in marks:
            high = SIZE * look.sizes.city
            wide = high * max(1, stop.slots) + 3
            parts.append(
                svg.element(
                    "rect",
                    x=point[0] - wide,
                    y=point[1] - high - 3,
                    width=2 * wide,
                    height=2 * high + 6,
                    rx=SIZE * 0.3,
                    class_="mark",
                    fill="none",
                    stroke="#b3202c",
                    stroke_width=3,
                )
            )
        if parts:
            title = f"{board.records[board.place(name)].name or name}, {', '.join(here)}"
            yield svg.group(
                parts,
                title=title.strip(", "),
                class_="stop",
                data_pick=key,
                data_edges=_edges(face, number),
            )
    yield from _label(face, *centre, SIZE, look.sizes)


def _name(face: Face, name: str, x: float, y: float) -> Iterator[str]:
    """The name of a place, where little else is."""
    lines = _lines(name)
    middles, _ = lettering.place(face, lines)
    size = SMALL.name * lettering.name_scale(lines)
    for part, (across, down) in zip(lines, middles, strict=True):
        yield svg.text(
            x + SIZE * across,
            y + SIZE * (down + size * 0.35),
            part,
            class_=f"name on-{face.colour}",
            font_size=SIZE * size,
            fill=INK,
            stroke=FILLS[face.colour],
            stroke_width=3,
            paint_order="stroke",
            stroke_linejoin="round",
        )


def _large_name(name: str, x: float, y: float, sizes: Sizes) -> str:
    """The name of a place on a map of large lettering; a long one is fitted to the width left for it."""
    size = SIZE * sizes.name
    most = len(name) * size * sizes.letter
    fitted: svg.Look = {}
    if room.width(name, size) > most:
        fitted = {"textLength": round(most), "lengthAdjust": "spacingAndGlyphs"}
    return svg.text(
        x,
        y + size * 0.35,
        name,
        class_="place",
        font_size=size,
        fill=INK,
        stroke="#f7f3e6",
        stroke_width=4,
        paint_order="stroke",
        stroke_linejoin="round",
        **fitted,
    )


def _note(note: Note, face: Face, laid: bool, centre: Point, look: MapLook) -> Iterator[str]:
    """What a title says about a hex: terrain, cost and bonus, as long as no tile lies there."""
    sizes, (x, y) = look.sizes, centre
    places = room.Places(note, face, sizes)
    small = SIZE * sizes.name
    laid = laid or bool(face.paths)
    if note.signs and not laid:
        across, down = places.signs
        yield from draw_signs(note.signs, x + SIZE * across, y + SIZE * down, SIZE * places.height)
    if note.cost and not note.ask and not laid:
        across, down = places.cost
        yield svg.text(
            x + SIZE * across,
            y + SIZE * down + small * 0.35,
            note.cost,
            class_=f"cost on-land {note.land}".rstrip(),
            font_size=small,
            fill=INK,
            stroke=look.lands.get(note.land, FILLS["white"]),
            stroke_width=3,
            paint_order="stroke",
        )
    if note.bonus and not laid:
        across, down = places.bonus
        yield from draw_bonus(note.bonus, x + SIZE * across, y + SIZE * down, sizes)


def _ask(note: Note, x: float, y: float, looks: Looks, look: MapLook) -> Iterator[str]:
    """A number asked now, and the companies it is about."""
    sizes = look.sizes
    high = SIZE * sizes.value
    wide = SIZE * room.ask_width(note, sizes) + 6
    left = x - wide / 2
    box: svg.Look = {"class_": "ask", "fill": "#ffffff", "stroke": INK, "stroke_width": 1}
    yield svg.rect(left, y - high * 0.66, wide, high * 1.32, rx=high * 0.3, **box)
    start = left + 4
    look_of: svg.Look = {"font_size": high, "font_weight": "bold", "fill": INK, "class_": "asked"}
    yield svg.text(start, y + high * 0.36, note.ask, text_anchor="start", **look_of)
    start += SIZE * room.width(note.ask, sizes.value) * room.BOLD + 2
    for number, company in enumerate(note.companies):
        at = start + high * room.ASKED * (number + 0.5)
        yield draw_marker(company, at, y, high * 0.6, looks, look.signs.get(company, ""))


def draw_bonus(text: str, x: float, y: float, sizes: Sizes) -> Iterator[str]:
    """What the first tile on a hex brings."""
    high = SIZE * sizes.name
    wide = SIZE * room.width(text, sizes.name) + 8
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


def _coast(border: str) -> Iterator[str]:
    """The land from outside: shallow water and a line."""
    wide: svg.Look = {"fill": "none", "stroke_linejoin": "round"}
    for name, colour, line in (
        ("shelf far", "#d9ecea", 34),
        ("shelf", "#e9f5f2", 16),
        ("coast", "#5f5a48", 3),
    ):
        yield svg.path(border, class_=name, stroke=colour, stroke_width=line, **wide)


def _rim(board: Board, centres: Sequence[Point]) -> Iterator[str]:
    """The letters of rows beside both their ends, and the numbers of columns above and below."""
    rows: dict[int, list[float]] = {}
    columns: dict[int, float] = {}
    for place, (x, y) in zip(board.places, centres, strict=True):
        rows.setdefault(place.row, [y]).append(x)
        columns[place.column] = x
    size = SIZE * RIM
    look: svg.Look = {"class_": "rim", "font_size": size, "fill": "#3f5a60"}
    for row, (y, *found) in rows.items():
        for x in (min(found) - SIZE * 1.2, max(found) + SIZE * 1.2):
            yield svg.text(x, y + size * 0.36, chr(ord("A") + row), **look)
    top = min(y for _, y in centres) - SIZE - LARGE_MARGIN
    bottom = max(y for _, y in centres) + SIZE + LARGE_MARGIN
    for column, x in columns.items():
        yield svg.text(x, top + size, str(column), **look)
        yield svg.text(x, bottom - size * 0.3, str(column), **look)


#: The size of letters at the rim.
RIM = 0.435


def _lines(name: str) -> tuple[str, ...]:
    """A name in one line, or in two where it is one of two places."""
    first, slash, second = name.partition("/")
    return (first + slash, second) if second else (name,) if name else ()


def run_dashes(number: int) -> str | None:
    """How the line of the N-th run is broken, so that colour is not all that tells runs apart."""
    return (None, "9 7", "0.1 8", "13 7 0.1 7", "5 6", "18 6 5 6")[number % len(RUNS)]


def _side(x: float, y: float, edge: int) -> tuple[Point, Point]:
    """The two ends of an edge of a hex."""
    points = corners(x, y, SIZE)
    return points[(edge - 1) % 6], points[edge]


def _run_lines(
    board: Board,
    layout: Layout,
    centres: Sequence[Point],
    sides: Sequence[tuple[str, str]],
    sizes: Sizes,
) -> list[str]:
    """The way of a train as path data: the pieces of track of which the borders are crossed."""
    crossed: dict[str, set[int]] = {}
    for one, two in sides:
        for here, there in ((one, two), (two, one)):
            around = (*board.neighbours[board.index[here]], board.index[here])
            crossed.setdefault(here, set()).add(around.index(board.index[there]))
    lines = []
    for name, edges in crossed.items():
        face = shown(board, layout.tiles, name)
        for a, b, _ in face.paths:
            # Track between two stops crosses no border: see `Board.crossed`.
            inner = [end for end in (a, b) if end < STOP] or [STOP]
            # Track past a station is drawn only where no track into the station serves.
            into = any(max(p[:2]) >= STOP and min(p[:2]) in inner for p in face.paths)
            if edges.issuperset(inner) and not (len(inner) == 2 and into):
                lines.append(path_data(face, a, b, *centres[board.index[name]], SIZE, sizes))
    return lines
