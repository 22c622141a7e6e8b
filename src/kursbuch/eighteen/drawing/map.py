"""The map and tiles of an 18xx title as SVG.

Every hex carries `data-pick="hex:K16"`, every stop `data-pick="stop:K16/0"`. Classes for recolouring:
`land` with the colour of the face, `casing`, `track`, `city`, `town`, `value`, `label`, `name` and `coord` (the
last three with the colour they stand on), `cost`, `bar`, `marker`, `reserved`, `mark` for what is pointed out,
and `run-N` for the way of the N-th train. Nothing is shown by colour alone: markers carry the letters of their
company, tiles their number, and runs are dashed in different ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from kursbuch.eighteen.drawing import lettering
from kursbuch.eighteen.drawing.lettering import stop_points
from kursbuch.eighteen.map.board import STOP, Board, Face, Stop
from kursbuch.eighteen.map.tiles import shown
from kursbuch.eighteen.map.track import Layout
from kursbuch.hexmap import svg
from kursbuch.hexmap.geometry import corners, edge_middle

SIZE = 46.0
MARGIN = 20.0
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
TRACK: dict[str, object] = {"fill": "none", "stroke_linecap": "round"}

Point = tuple[float, float]

#: For every company the colour of its markers, and that of the letters on them.
Looks = Mapping[str, tuple[str, str]]
NO_LOOKS: Looks = {}
NO_HOMES: Mapping[tuple[str, int], str] = {}


def path_data(face: Face, a: int, b: int, x: float, y: float, size: float) -> str:
    """The path data of a piece of track of a face."""
    if max(a, b) < STOP:
        return svg.track(x, y, size, a, b)
    edge = min(a, b)
    points = stop_points(face, x, y, size)
    to_x, to_y = points[max(a, b) - STOP]
    if edge >= STOP:
        (at_x, at_y), (via_x, via_y) = points[edge - STOP], (x, y)
    else:
        at_x, at_y = edge_middle(x, y, size, edge)
        # Leaves the border at a right angle.
        via_x, via_y = at_x + (x - at_x) * 0.45, at_y + (y - at_y) * 0.45
    n = svg.number
    return f"M{n(at_x)} {n(at_y)}Q{n(via_x)} {n(via_y)} {n(to_x)} {n(to_y)}"


def draw_face(
    face: Face,
    x: float,
    y: float,
    size: float = SIZE,
    markers: Sequence[Sequence[str]] = (),
    phase: int = 0,
) -> Iterator[str]:
    """A face on its own: hex, track, stops with station spaces and markers, values and label."""
    yield _land(face, x, y, size)
    yield from _tracks(face, x, y, size)
    yield from _stops(face, x, y, size, markers, phase)


def _land(face: Face, x: float, y: float, size: float) -> str:
    return svg.hexagon(
        x,
        y,
        size - 0.5,
        class_=f"land {face.colour}",
        fill=FILLS[face.colour],
        stroke="#8d8672",
        stroke_width=0.8,
    )


def _tracks(face: Face, x: float, y: float, size: float) -> Iterator[str]:
    lines = [path_data(face, path.a, path.b, x, y, size) for path in face.paths]
    for kind, width, colour in (("casing", size / 6, "#ffffff"), ("track", size / 9, INK)):
        for line in lines:
            yield svg.element(
                "path", d=line, class_=kind, stroke=colour, stroke_width=width, **TRACK
            )


def _stops(
    face: Face, x: float, y: float, size: float, markers: Sequence[Sequence[str]], phase: int
) -> Iterator[str]:
    points = stop_points(face, x, y, size)
    for number, (stop, point) in enumerate(zip(face.stops, points, strict=True)):
        here = markers[number] if number < len(markers) else ()
        value = lettering.values(face)[number] if face.paths else None
        parts = _draw_stop(stop, *point, size, here, phase, value, NO_LOOKS)
        yield svg.group(parts, class_="stop", data_edges=_edges(face, number))
    yield from _label(face, x, y, size)


def _edges(face: Face, number: int) -> str:
    """The edges to which track of a stop leads: by them a page finds what becomes of its markers when
    another tile takes its place."""
    return "".join(str(edge) for edge in sorted({edge for edge, _ in face.exits(number)}))


def _label(face: Face, x: float, y: float, size: float) -> Iterator[str]:
    if face.label:
        _, (across, down) = lettering.place(face, ())
        yield svg.text(
            x + size * across,
            y + size * (down + lettering.LABEL_SIZE * 0.35),
            face.label,
            class_=f"label on-{face.colour}",
            font_size=size * lettering.LABEL_SIZE,
            font_weight="bold",
            fill=INK,
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
) -> Iterator[str]:
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
    radius = size * 0.235
    if stop.kind == "town":
        look = ring | {"fill": INK, "stroke": "#ffffff"}
        yield svg.element("circle", cx=x, cy=y, r=size * 0.12, class_="town", **look)
        radius = size * 0.12
    elif stop.kind == "offboard":
        yield from _draw_values(stop, x, y, size, phase)
        return
    for slot in range(stop.slots):
        at = x + (slot - (stop.slots - 1) / 2) * radius * 2
        yield svg.element("circle", cx=at, cy=y, r=radius, class_="city", **ring)
        if slot < len(markers):
            yield draw_marker(markers[slot], at, y, radius * 0.9, looks)
        elif reserved and slot == len(markers):
            yield svg.text(
                at,
                y + radius * 0.32,
                reserved,
                class_="reserved",
                font_size=radius * 0.85,
                fill="#6b6658",
            )
    if stop.value and value:
        yield svg.text(
            x + size * value[0],
            y + size * (value[1] + 0.07),
            str(stop.value),
            class_="value",
            font_size=size / 5,
            **halo,
        )


def draw_tile(face: Face, label: str = "") -> str:
    """A tile on its own."""
    size = 2 * SIZE
    return svg.document(size, size, draw_face(face, SIZE, SIZE), label=label, class_="eighteen")


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


def draw_marker(company: str, x: float, y: float, radius: float, looks: Looks) -> str:
    """A station or price marker with the letters of its company."""
    fill, ink = looks.get(company, (INK, "#ffffff"))
    disc = svg.element(
        "circle", cx=x, cy=y, r=radius, class_="marker", fill=fill, stroke=INK, stroke_width=1.2
    )
    letters = svg.text(
        x,
        y + radius * 0.34,
        company,
        class_="marker-text",
        font_size=radius * (1.25 if len(company) < 2 else 0.95),
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
    width, height, content = map_parts(board, layout, phase, runs)
    return svg.document(width, height, content, label=label)


def map_parts(
    board: Board,
    layout: Layout,
    phase: int = 0,
    runs: Iterable[Sequence[tuple[str, str]]] = (),
    *,
    looks: Looks = NO_LOOKS,
    reserved: Mapping[tuple[str, int], str] = NO_HOMES,
    marks: Sequence[str] = (),
) -> tuple[float, float, list[str]]:
    """The map with tiles and markers: its width, its height, and what is drawn.

    Each of the `runs` is the sides between hexes that a train crosses, as pairs of their names.
    `looks` are the colours of markers, `reserved` the homes (hex and stop) of companies that are not
    yet there, and `marks` the keys of hexes and stops to point out.
    """
    raw = [place.centre(SIZE) for place in board.places]
    left = min(x for x, _ in raw) - SIZE - MARGIN
    top = min(y for _, y in raw) - SIZE - MARGIN
    centres = [(x - left, y - top) for x, y in raw]
    # The land is drawn first, so that no hex covers the track of its neighbours, and stops last.
    land: list[str] = []
    track: list[str] = []
    over: list[str] = []
    for place, (x, y) in enumerate(centres):
        name, record = board.names[place], board.records[place]
        face = shown(board, layout.tiles, name)
        laid = layout.tiles.get(name)
        corner = name if laid is None else f"{name} #{laid.tile}"
        small: dict[str, object] = {"font_size": SIZE / 6, "fill": "#4a4431"}
        coord = svg.text(x, y - SIZE * 0.72, corner, class_=f"coord on-{face.colour}", **small)
        title = f"{name} {record.name}".strip()
        land.append(
            svg.group([_land(face, x, y, SIZE), coord], title=title, data_pick=f"hex:{name}")
        )
        track += _tracks(face, x, y, SIZE)
        if f"hex:{name}" in marks:
            look: dict[str, object] = {"fill": "none", "stroke": "#b3202c", "stroke_width": 3}
            over.append(svg.hexagon(x, y, SIZE - 3, class_="mark", **look))
        # Below the stops: of what finds no room, the markers and values are the last to be covered.
        over += _name(face, record.name, x, y)
        over += _map_stops(board, layout, face, name, (x, y), phase, looks, reserved, marks)
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
    for number, sides in enumerate(runs):
        lines = _run_lines(board, layout, centres, sides)
        track += [_run_line(line, number, halo) for halo in (True, False) for line in lines]
    width = max(x for x, _ in centres) + SIZE + MARGIN
    height = max(y for _, y in centres) + SIZE + MARGIN
    return width, height, [*land, *track, *over]


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
) -> Iterator[str]:
    """The stops of a hex, each an element of its own, so that it can be pointed at."""
    points = stop_points(face, *centre, SIZE)
    for number, (stop, point) in enumerate(zip(face.stops, points, strict=True)):
        here = [s.company for s in layout.stations if s.hex == name and s.stop == number]
        home = reserved.get((name, number), "")
        value = lettering.values(face)[number] if face.paths else None
        parts = list(_draw_stop(stop, *point, SIZE, here, phase, value, looks, home))
        key = f"stop:{name}/{number}"
        if key in marks:
            wide = SIZE * 0.235 * max(1, stop.slots) + 3
            parts.append(
                svg.element(
                    "rect",
                    x=point[0] - wide,
                    y=point[1] - SIZE * 0.235 - 3,
                    width=2 * wide,
                    height=SIZE * 0.47 + 6,
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
    yield from _label(face, *centre, SIZE)


def _name(face: Face, name: str, x: float, y: float) -> Iterator[str]:
    """The name of a place, where little else is."""
    lines = _lines(name)
    middles, _ = lettering.place(face, lines)
    size = lettering.NAME_SIZE * lettering.name_scale(lines)
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
                lines.append(path_data(face, a, b, *centres[board.index[name]], SIZE))
    return lines
