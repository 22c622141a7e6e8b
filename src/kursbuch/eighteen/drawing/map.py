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
from kursbuch.eighteen.drawing.faces import (
    FILLS,
    INK,
    NO_LOOKS,
    SIZE,
    TRACK,
    Looks,
    Point,
    draw_label,
    draw_land,
    draw_stop,
    edges_of,
    path_data,
    track_layers,
    value_spot,
)
from kursbuch.eighteen.drawing.lettering import stop_points
from kursbuch.eighteen.drawing.look import PLAIN, SMALL, MapLook, Note, Sizes
from kursbuch.eighteen.drawing.notes import (
    LARGE_MARGIN,
    draw_ask,
    draw_coast,
    draw_doubt,
    draw_note,
    draw_rim,
    draw_ring,
)
from kursbuch.eighteen.map.board import STOP, Board, Face
from kursbuch.eighteen.map.tiles import shown
from kursbuch.eighteen.map.track import Layout
from kursbuch.hexmap import svg
from kursbuch.hexmap.geometry import Hex, corners

MARGIN = 20.0
#: The colours of the runs, which colour-blind readers can tell apart as well.
RUNS = ("#0072b2", "#d55e00", "#009e73", "#cc3d92", "#5b2c83", "#6b5500")
#: How wide a run is drawn, and the white under it.
RUN_WIDTH = 5.5
RUN_HALO = 9.0

NOTHING = Note()
NO_HOMES: Mapping[tuple[str, int], str] = {}


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
        land += [*draw_coast(coast), *draw_rim(board, centres)]
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
        parts = [draw_land(face, x, y, SIZE, note.land if bare else "", fill)]
        if not sizes.large:
            parts.append(coord)
        land.append(svg.group(parts, title=title, data_pick=f"hex:{name}"))
        for layer, lines in zip(layers, track_layers(face, x, y, SIZE, sizes), strict=True):
            if sizes.large:
                layer += lines
            else:
                track += lines
        if f"hex:{name}" in marks:
            mark: dict[str, object] = {"fill": "none", "stroke": "#b3202c", "stroke_width": 3}
            over.append(svg.hexagon(x, y, SIZE - 3, class_="mark", **mark))
        if note.ring:
            over += draw_ring(note.ring, x, y)
        if note.doubt:
            over += draw_doubt(x, y)
        # Below the stops: of what finds no room, the markers and values are the last to be covered.
        if not sizes.large:
            over += _name(face, record.name, x, y)
        over += _map_stops(board, layout, face, name, (x, y), phase, looks, reserved, marks, look)
        over += draw_note(note, face, laid is not None, (x, y), look)
        if note.ask:
            above += draw_ask(
                note, x, y + SIZE * room.Places(note, face, sizes).ask[1], looks, look
            )
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
        value = value_spot(face, number, look.sizes)
        parts = list(draw_stop(stop, *point, SIZE, here, phase, value, looks, home, look))
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
                data_edges=edges_of(face, number),
            )
    yield from draw_label(face, *centre, SIZE, look.sizes)


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


def _lines(name: str) -> tuple[str, ...]:
    """A name in one line, or in two where it is one of two places."""
    first, slash, second = name.partition("/")
    return (first + slash, second) if second else (name,) if name else ()


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
