"""The map of an 18xx title as SVG, with tiles and runs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, islice, product
from typing import NamedTuple, TypeVar

from kursbuch.games.g18xx.drawing import lettering
from kursbuch.games.g18xx.drawing.faces import (
    HALO,
    INK,
    NO_LOOKS,
    PAPER,
    RELIEF,
    SIZE,
    TRACK,
    UPLANDS,
    Looks,
    Point,
    draw_ask,
    draw_coast,
    draw_cost,
    draw_doubt,
    draw_label,
    draw_land,
    draw_note,
    draw_rim,
    draw_ring,
    draw_stop,
    draw_terrain,
    edges_of,
    land_class,
    path_data,
    rim_margin,
    track_layers,
    value_spot,
)
from kursbuch.games.g18xx.drawing.lettering import extent, stop_points
from kursbuch.games.g18xx.drawing.look import PLAIN, ByIdentity, MapLook, Note, Sizes
from kursbuch.games.g18xx.map.board import STOP, Board, Face, Path
from kursbuch.games.g18xx.map.revenue import Run
from kursbuch.games.g18xx.map.tiles import shown
from kursbuch.games.g18xx.map.track import Laid, Layout, Station
from kursbuch.hexmap import scenery, svg
from kursbuch.hexmap.geometry import Hex, corners

#: Colours of the runs, distinguishable by colour-blind readers.
RUNS = ("#0072b2", "#d55e00", "#009e73", "#cc3d92", "#5b2c83", "#6b5500")

#: Width of a run, and of its white halo.
RUN_WIDTH = 5.5
RUN_HALO = 9.0

#: Maximum number of track choices tried for a run with ambiguous hexes.
MAX_CHOICES = 500


class Way(NamedTuple):
    """The way of a train: the sides it crosses between hexes, and its stops as hex and number."""

    sides: Sequence[tuple[str, str]]
    calls: Collection[tuple[str, int]]

    @staticmethod
    def of(board: Board, run: Run) -> Way:
        """The way of a run."""
        return Way(board.crossed(run.track), {(call.hex, call.stop) for call in run.calls})


def draw_run_sample(number: int) -> str:
    """Draw a short sample of a run's line."""
    height = 2 * RUN_HALO
    line = f"M{RUN_HALO} {RUN_HALO}H{SIZE + RUN_HALO}"
    return svg.document(
        SIZE + height,
        height,
        [_run_line(line, number, halo) for halo in (True, False)],
        label="",
        aria_hidden="true",
    )


def draw_run(
    board: Board,
    layout: Layout,
    centres: Sequence[Point],
    way: Way,
    sizes: Sizes,
    number: int,
) -> list[str]:
    """Draw the way of a train by its number."""
    lines = []
    for name, paths in track_used(board, layout, way).items():
        face = shown(board, layout.tiles, name)
        centre = centres[board.index[name]]
        lines += [path_data(face, a, b, *centre, SIZE, sizes) for a, b, _ in paths]
    return [_run_line(line, number, halo) for halo in (True, False) for line in lines]


def run_dashes(number: int) -> str | None:
    """Dash pattern of the N-th run, so that runs differ by more than colour."""
    return (None, "9 7", "0.1 8", "13 7 0.1 7", "5 6", "18 6 5 6")[number % len(RUNS)]


def _run_line(line: str, number: int, halo: bool) -> str:
    """One piece of a run, or its white halo."""
    return svg.element(
        "path",
        d=line,
        class_="halo-run" if halo else f"run-{number}",
        stroke="#ffffff" if halo else RUNS[number % len(RUNS)],
        stroke_width=RUN_HALO if halo else RUN_WIDTH,
        stroke_dasharray=None if halo else run_dashes(number),
        **TRACK,
    )


def track_used(board: Board, layout: Layout, way: Way) -> Mapping[str, Sequence[Path]]:
    """Track that a train used in each hex: one connected line that calls where the train calls. Any
    choice earns the same."""
    crossed: dict[str, set[int]] = {}
    for one, two in way.sides:
        for here, there in ((one, two), (two, one)):
            around = (*board.neighbours[board.index[here]], board.index[here])
            crossed.setdefault(here, set()).add(around.index(board.index[there]))
    faces = {name: shown(board, layout.tiles, name) for name in crossed}
    found = [_choices(faces[name].paths, edges) for name, edges in crossed.items()]
    for chosen in islice(product(*found), MAX_CHOICES):
        used = dict(zip(crossed, chosen, strict=True))
        if _served(faces, used) == set(way.calls) and _is_one_line(board, used):
            return used
    return {name: choices[0] for name, choices in zip(crossed, found, strict=True)}


def _choices(paths: Sequence[Path], edges: set[int]) -> list[list[Path]]:
    """All ways to use a hex's track so that each of these edges is crossed by one piece."""
    # Track between two stops crosses no border: see `Board.crossed`.
    inner = [path for path in paths if min(path[:2]) >= STOP in edges]
    outer = [path for path in paths if min(path[:2]) < STOP]
    return [[*inner, *chosen] for chosen in _covers(outer, frozenset(edges - {STOP}))] or [inner]


def _served(faces: Mapping[str, Face], used: Mapping[str, Sequence[Path]]) -> set[tuple[str, int]]:
    """Stops that track leads to; junctions are passed without a call."""
    return {
        (name, end - STOP)
        for name, paths in used.items()
        for path in paths
        for end in path[:2]
        if end >= STOP and faces[name].stops[end - STOP].kind != "junction"
    }


def _covers(paths: Sequence[Path], edges: frozenset[int]) -> Iterator[list[Path]]:
    """Choices of track that cross each of these edges once, and no other."""
    if not edges:
        yield []
        return
    edge = min(edges)
    for path in paths:
        ends = {end for end in path[:2] if end < STOP}
        if edge in ends and ends <= edges:
            for more in _covers(paths, edges - ends):
                yield [path, *more]


def _is_one_line(board: Board, used: Mapping[str, Sequence[Path]]) -> bool:
    """Whether track is connected."""
    groups: list[set[tuple[str, ...]]] = []
    for name, paths in used.items():
        for path in paths:
            ends = {_end(board, name, end) for end in path[:2]}
            apart = [group for group in groups if group.isdisjoint(ends)]
            ends.update(*(group for group in groups if not group.isdisjoint(ends)))
            groups = [*apart, ends]
    return len(groups) == 1


def _end(board: Board, name: str, end: int) -> tuple[str, ...]:
    """Key of a track end: a stop, or a side regardless of the hex it is seen from."""
    if end >= STOP:
        return name, str(end)
    other = board.neighbours[board.index[name]][end]
    return tuple(sorted((name, board.names[other])))


Corner = tuple[float, float]


def outline(board: Board, centres: Sequence[Corner], names: Collection[str], size: float) -> str:
    """SVG path data of the border around these hexes."""
    inside = {board.number(name) for name in names}
    # A corner is identified by the three hexes around it, on the map or not.
    follows: dict[tuple[int, int], tuple[int, int]] = {}
    at: dict[tuple[int, int], Corner] = {}
    for place in inside:
        around = [board.hexes[place].neighbour(edge) for edge in range(6)]
        row, column = board.hexes[place]
        keys = [
            (row + one.row + two.row, column + one.column + two.column)
            for one, two in zip(around, (*around[1:], around[0]), strict=True)
        ]
        at.update(zip(keys, corners(*centres[place], size), strict=True))
        for edge, other in enumerate(board.neighbours[place]):
            if other not in inside:
                follows[keys[edge - 1]] = keys[edge]
    data = ""
    while follows:
        first = min(follows)
        ring, corner = [first], follows.pop(first)
        while corner != first:
            ring.append(corner)
            corner = follows.pop(corner)
        points = (f"{svg.number(x)} {svg.number(y)}" for x, y in map(at.__getitem__, ring))
        data += f"M{'L'.join(points)}Z"
    return data


MARGIN = 20.0
NOTHING = Note()
NO_HOMES: Mapping[tuple[str, int], str] = {}
NO_NOTES: Mapping[str, Note] = {}


def draw_map(
    board: Board,
    layout: Layout,
    phase: int = 0,
    runs: Iterable[Way] = (),
    label: str = "",
) -> str:
    """Draw the whole map with tiles and tokens."""
    width, height, content, _ = map_parts(board, layout, phase, runs)
    return svg.document(width, height, content, label=label)


@lru_cache(maxsize=8)
def _corner(board: Board, sizes: Sizes) -> Point:
    """Upper left corner of the map."""
    raw = [place.centre(SIZE) for place in board.hexes]
    left = min(x for x, _ in raw) - SIZE - MARGIN
    return left, min(y for _, y in raw) - SIZE - rim_margin(sizes)


@lru_cache(maxsize=8)
def _centres(board: Board, sizes: Sizes) -> Sequence[Point]:
    """Centres of all hexes."""
    left, top = _corner(board, sizes)
    return [(x - left, y - top) for x, y in (place.centre(SIZE) for place in board.hexes)]


def point(board: Board, name: str, sizes: Sizes) -> Point:
    """Centre of a hex, which need not be on the map."""
    left, top = _corner(board, sizes)
    x, y = Hex.parse(name).centre(SIZE)
    return x - left, y - top


@lru_cache(maxsize=32)
def _border(board: Board, names: frozenset[str], sizes: Sizes) -> str:
    """Border of some hexes."""
    return outline(board, _centres(board, sizes), names, SIZE)


def draw_area(board: Board, company: str, look: MapLook, colour: str) -> str:
    """Draw the border of a company's area, which pages show on demand."""
    border = _border(board, frozenset(look.areas[company]), look.sizes)
    lines = (
        ("area-halo", "#ffffff", 10),
        ("area-edge", INK, 6.5),
        (f"area-line line-of-{company}", colour, 4),
    )
    return "".join(
        svg.path(border, fill="none", class_=kind, stroke=stroke, stroke_width=width)
        for kind, stroke, width in lines
    )


def map_parts(
    board: Board,
    layout: Layout,
    phase: int = 0,
    runs: Iterable[Way] = (),
    *,
    looks: Looks = NO_LOOKS,
    reserved: Mapping[tuple[str, int], str] = NO_HOMES,
    marks: Sequence[str] = (),
    look: MapLook = PLAIN,
    notes: Mapping[str, Note] = NO_NOTES,
    under: Iterable[str] = (),
) -> tuple[float, float, list[str], list[str]]:
    """The map in parts: width, height, the drawing, and the lettering that stays above all marks.

    `looks` are the colours of tokens, `reserved` the homes (hex and stop) of companies to come,
    `marks` the keys of hexes and stops to highlight, `look` is the map style, and `notes` replace
    its notes of some hexes. What lies `under` the lettering is drawn elsewhere.
    """
    sizes, style, colours = look.sizes, ByIdentity(look), ByIdentity(looks)
    parts = (
        _by_row(board, layout.tiles.items()),
        _by_row(board, notes.items()),
        _by_row(board, ((station.hex, station) for station in layout.stations)),
        _by_row(board, ((home[0], (home, company)) for home, company in reserved.items())),
        _by_row(board, _marked(marks)),
    )
    rows = [
        _row(board, places, phase, style, colours, *here)
        for places, *here in zip(_rows(board), *parts, strict=True)
    ]
    # Land goes first so that no hex covers its neighbour's track; stops go last.
    *ground, over = ("".join(layer) for layer in zip(*rows, strict=True))
    centres, track = _centres(board, sizes), []
    for train, way in enumerate(runs):
        track += draw_run(board, layout, centres, way, sizes, train)
    drawn = [_rim(board, style), *ground, *track, *under, over]
    laid = tuple(layout.tiles.items())
    asked = tuple((name, note) for name, note in notes.items() if note.ask)
    return *_extent(board, sizes), drawn, [_lettering(board, style, colours, laid, asked)]


ItemT = TypeVar("ItemT")


@lru_cache(maxsize=8)
def _rows(board: Board) -> Sequence[tuple[int, ...]]:
    """The hexes of each row. Rows are groups of the drawing, so that a page update can skip
    unchanged ones."""
    rows = groupby(range(len(board.names)), lambda place: board.names[place][0])
    return [tuple(places) for _, places in rows]


@lru_cache(maxsize=8)
def _row_numbers(board: Board) -> Mapping[str, int]:
    """The row of each hex."""
    return {board.names[place]: row for row, here in enumerate(_rows(board)) for place in here}


def _by_row(
    board: Board, items: Iterable[tuple[str, ItemT]]
) -> Sequence[tuple[tuple[str, ItemT], ...]]:
    """Sort what belongs to hexes into rows."""
    numbers = _row_numbers(board)
    found: list[tuple[tuple[str, ItemT], ...]] = [()] * len(_rows(board))
    for one in items:
        row = numbers.get(one[0])
        if row is not None:
            found[row] = (*found[row], one)
    return found


def _marked(marks: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Highlighted hexes and stops, by hex."""
    for mark in marks:
        kind, _, name = mark.partition(":")
        if kind in ("hex", "stop"):
            yield name.partition("/")[0], mark


@lru_cache(maxsize=8)
def _extent(board: Board, sizes: Sizes) -> tuple[float, float]:
    """Width and height of the map."""
    across, down = zip(*_centres(board, sizes), strict=True)
    return max(across) + SIZE + MARGIN, max(down) + SIZE + rim_margin(sizes)


@lru_cache(maxsize=4096)
def _row(
    board: Board,
    places: tuple[int, ...],
    phase: int,
    style: ByIdentity,
    colours: ByIdentity,
    tiles: tuple[tuple[str, Laid], ...],
    notes: tuple[tuple[str, Note], ...],
    stations: tuple[tuple[str, Station], ...],
    homes: tuple[tuple[str, tuple[tuple[str, int], str]], ...],
    marks: tuple[tuple[str, str], ...],
) -> Sequence[str]:
    """Draw a row of hexes in layers: land, three of track, and what lies above. Most moves change
    one or two rows."""
    look: MapLook = style.value
    laid, noted, marked = dict(tiles), _notes(board, style) | dict(notes), [one for _, one in marks]
    here, reserved = [station for _, station in stations], dict(home for _, home in homes)
    hexes, over = [], []
    for place in places:
        name = board.names[place]
        note, tile = noted.get(name, NOTHING), laid.get(name)
        hex = _base_hex(board, place, tile, note, style)
        hexes.append((hex.land, *hex.track))
        if f"hex:{name}" in marked:
            mark: dict[str, object] = {"fill": "none", "stroke": "#b3202c", "stroke_width": 3}
            over.append(
                svg.hexagon(*_centres(board, look.sizes)[place], SIZE - 3, class_="mark", **mark)
            )
        stops = _map_stops(
            board,
            place,
            tile,
            shown(board, laid, name),
            [station for station in here if station.hex == name],
            phase,
            colours.value,
            reserved,
            marked,
            look,
        )
        over.append(f"{hex.below}{stops}{hex.above}")
    layers = ("".join(layer) for layer in (*zip(*hexes, strict=True), over))
    return [svg.group([layer]) if layer else "" for layer in layers]


@lru_cache(maxsize=256)
def _lettering(
    board: Board,
    style: ByIdentity,
    colours: ByIdentity,
    tiles: tuple[tuple[str, Laid], ...],
    asked: tuple[tuple[str, Note], ...],
) -> str:
    """Draw the names of places, asked numbers, and the numbers of hexes."""
    look: MapLook = style.value
    sizes, laid, noted = look.sizes, dict(tiles), _notes(board, style) | dict(asked)
    centres = _centres(board, sizes)
    faces = [shown(board, laid, name) for name in board.names]
    found = []
    names = lettering.names(board, faces, noted, laid, sizes)
    for name, (across, down) in names.items():
        x, y = centres[board.number(name)]
        found.append(
            _name(board.records[board.number(name)].name, x + SIZE * across, y + SIZE * down, sizes)
        )
    for name, note in sorted(asked, key=lambda one: board.number(one[0])):
        (x, y), face = centres[board.number(name)], faces[board.number(name)]
        spot = lettering.NoteLayout(note, face, sizes).ask[1]
        found += draw_ask(note, x, y + SIZE * spot, colours.value, look)
    found.append(_numbers(board, faces, noted, laid, names, sizes))
    return "".join(found)


class BaseHex(NamedTuple):
    """What a hex shows until a tile is laid on it: its land, its track layers, and what lies below
    and above its stops."""

    land: str
    track: tuple[str, str, str]
    below: str
    above: str


@lru_cache(maxsize=8192)
def _base_hex(
    board: Board, place: int, laid: Laid | None, note: Note, style: ByIdentity
) -> BaseHex:
    """Draw a hex with its terrain and note, without stops and asked numbers."""
    look: MapLook = style.value
    sizes = look.sizes
    name, record = board.names[place], board.records[place]
    x, y = _centres(board, sizes)[place]
    face = shown(board, {} if laid is None else {name: laid}, name)
    bare = face.colour == "white"
    number = lettering.numbered(name, laid.tile if laid else "")
    kind = (note.land or land_class(note.terrains)) if bare else ""
    ground = (look.lands.get(kind) or UPLANDS.get(kind, "")) if bare else ""
    parts = [draw_land(face, x, y, SIZE, kind, ground, laid is not None)]
    cost = ""
    if not laid:
        # Print has no room for a river that costs nothing.
        rivers = _rivers(style).get(name, ()) if bare or note.terrains else ()
        parts += draw_terrain(note.terrains, name, x, y, rivers)
        parts += draw_cost(note, face, (x, y), sizes)
        cost = f": {note.cost}" if note.cost else ""
    below = draw_ring(note.ring, x, y) if note.ring else ()
    doubt = draw_doubt(x, y) if note.doubt else ()
    signs = () if laid else draw_note(note, face, (x, y), look)
    bars = [_bar(x, y, edge) for edge in range(6) if f"e{edge}" in record.impassable]
    return BaseHex(
        svg.group(parts, title=f"{number} {record.name}".strip() + cost, data_pick=f"hex:{name}"),
        track_layers(face, x, y, SIZE, sizes),
        "".join([*below, *doubt]),
        "".join([*signs, *bars]),
    )


@lru_cache(maxsize=8)
def _rim(board: Board, style: ByIdentity) -> str:
    """Draw what surrounds the land."""
    look: MapLook = style.value
    sizes = look.sizes
    coast = _border(board, frozenset(board.names), sizes)
    kinds = {one for note in _notes(board, style).values() for one in note.terrains}
    if look.around is not None:
        kinds |= {one.kind for one in look.around.ranges}
    parts = [draw_coast(coast), *draw_rim(board, _centres(board, sizes), sizes)]
    if look.around is not None:
        at, extent = _corner(board, sizes), _extent(board, sizes)
        parts.insert(0, scenery.draw_surroundings(look.around, at, SIZE, extent, coast))
    parts.insert(0, scenery.definitions(sorted(kinds & RELIEF.keys())))
    # One element, which moves never change.
    return svg.group(parts, class_="surroundings")


@lru_cache(maxsize=8)
def _rivers(style: ByIdentity) -> Mapping[str, Sequence[scenery.Reach]]:
    """The rivers through each hex."""
    look: MapLook = style.value
    return scenery.reaches(look.rivers)


@lru_cache(maxsize=8)
def _notes(board: Board, style: ByIdentity) -> dict[str, Note]:
    """Notes of a map style, by default with the terrain and costs of the hex records."""
    look: MapLook = style.value
    found = {
        record.id: Note(terrains=(record.terrain,), cost=str(record.cost))
        for record in board.records
        if record.cost and record.terrain
    }
    return found | dict(look.notes)


def _bar(x: float, y: float, edge: int) -> str:
    """Draw a side closed to track."""
    points = corners(x, y, SIZE)
    (x1, y1), (x2, y2) = points[(edge - 1) % 6], points[edge]
    line = f"M{svg.number(x1)} {svg.number(y1)}L{svg.number(x2)} {svg.number(y2)}"
    return svg.path(line, class_="bar", stroke="#2467b3", stroke_width=6.0, **TRACK)


def _numbers(
    board: Board,
    faces: Sequence[Face],
    noted: Mapping[str, Note],
    laid: Mapping[str, Laid],
    names: Mapping[str, Point],
    sizes: Sizes,
) -> str:
    """Draw the numbers of hexes and tiles, shown when zoomed in."""
    tiles = {name: one.tile for name, one in laid.items()}
    drawn = [
        _number(board, board.index[name], tiles.get(name, ""), at, faces[board.index[name]], sizes)
        for name, at in lettering.numbers(board, faces, noted, tiles, names, sizes).items()
    ]
    size = SIZE * sizes.near
    return svg.group(drawn, visibility="hidden", font_size=size, text_anchor="middle", fill=INK)


@lru_cache(maxsize=4096)
def _number(board: Board, place: int, tile: str, spot: Point, face: Face, sizes: Sizes) -> str:
    """Draw the numbers of a hex and its tile."""
    (x, y), (across, down) = _centres(board, sizes)[place], spot
    parts = svg.element("tspan", board.names[place], class_="coordinate")
    if tile:
        parts += svg.element("tspan", f" #{tile}", class_="tile-id")
    at = {"x": x + SIZE * across, "y": y + SIZE * (down + sizes.near * 0.36)}
    return svg.element("text", parts, class_=f"corner on-{face.colour}", **at)


def _map_stops(
    board: Board,
    place: int,
    laid: Laid | None,
    face: Face,
    stations: Sequence[Station],
    phase: int,
    looks: Looks,
    reserved: Mapping[tuple[str, int], str],
    marks: Sequence[str],
    look: MapLook,
) -> str:
    """Draw the stops of a hex, each an element that can be pointed at."""
    if not face.stops:
        return "".join(draw_label(face, *_centres(board, look.sizes)[place], SIZE, look.sizes))
    name = board.names[place]
    found = []
    for number, stop in enumerate(face.stops):
        here = tuple(station.company for station in stations if station.stop == number)
        home = reserved.get((name, number), "")
        shown_here = here + ((home,) if home else ())
        found.append(
            StopLook(
                here,
                home,
                f"stop:{name}/{number}" in marks,
                phase if stop.values else 0,
                tuple((one, looks[one]) for one in shown_here if one in looks),
                tuple((one, look.signs[one]) for one in shown_here if one in look.signs),
            )
        )
    return _drawn_stops(board, place, laid, tuple(found), look.sizes)


class StopLook(NamedTuple):
    """The variable look of a stop: tokens, reserved homes, highlight, the phase if its value
    depends on it, and the companies' colours and signs."""

    here: tuple[str, ...]
    home: str
    marked: bool
    phase: int
    colours: tuple[tuple[str, tuple[str, str]], ...]
    signs: tuple[tuple[str, str], ...]


@lru_cache(maxsize=4096)
def _drawn_stops(
    board: Board, place: int, laid: Laid | None, stops: tuple[StopLook, ...], sizes: Sizes
) -> str:
    """Draw the stops of a hex, and its label."""
    name, centre = board.names[place], _centres(board, sizes)[place]
    face = shown(board, {} if laid is None else {name: laid}, name)
    points = stop_points(face, *centre, SIZE, sizes)
    drawn = []
    for number, (stop, point, seen) in enumerate(zip(face.stops, points, stops, strict=True)):
        value = value_spot(face, number, sizes)
        look = MapLook(sizes, signs=dict(seen.signs))
        colours = dict(seen.colours)
        parts = list(
            draw_stop(stop, *point, SIZE, seen.here, seen.phase, value, colours, seen.home, look)
        )
        if seen.marked:
            wide, high = (SIZE * one + 3 for one in extent(stop, sizes))
            parts.append(
                svg.element(
                    "rect",
                    x=point[0] - wide,
                    y=point[1] - high,
                    width=2 * wide,
                    height=2 * high,
                    rx=SIZE * 0.3,
                    class_="mark",
                    fill="none",
                    stroke="#b3202c",
                    stroke_width=3,
                )
            )
        if parts:
            title = f"{board.records[place].name or name}, {', '.join(seen.here)}"
            drawn.append(
                svg.group(
                    parts,
                    title=title.strip(", "),
                    class_="stop",
                    data_pick=f"stop:{name}/{number}",
                    data_edges=edges_of(face, number),
                )
            )
    return "".join([*drawn, *draw_label(face, *centre, SIZE, sizes)])


def _name(name: str, x: float, y: float, sizes: Sizes) -> str:
    """Draw a place name."""
    size = SIZE * sizes.name
    lines = lettering.lines(name, sizes)
    texts = []
    for number, line in enumerate(lines):
        down = (number - (len(lines) - 1) / 2) * lettering.LINE
        texts.append(
            svg.text(
                x,
                y + size * (down + 0.35),
                line,
                class_="name",
                font_size=size,
                fill=INK,
                stroke=PAPER,
                **(HALO | {"stroke_width": 4}),
            )
        )
    return "".join(texts)
