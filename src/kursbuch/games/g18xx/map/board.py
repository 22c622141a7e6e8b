"""Map and tiles of an 18xx title, read from its data file.

The file describes what is printed on the components, for people to read and correct. Edges are
numbered clockwise from east (see `kursbuch.hexmap.geometry`); `"e0"` is an edge and `"s0"` a stop
of the record's hex or tile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from kursbuch.core.errors import KursbuchError, require
from kursbuch.hexmap.geometry import Hex

#: Tile colours in order of upgrades.
COLOURS = ("yellow", "green", "brown", "gray")

#: Kinds of terrain that a map has signs for.
TERRAIN = ("river", "rivers", "hill", "mountain", "high_mountain")

#: Gauges as bit masks: dual track serves both kinds of train.
GAUGES = {"standard": 1, "metre": 2, "dual": 3}

#: Ends of paths from here on are stops; smaller ones are edges.
STOP = 6

MAX_HEXES = 1000
MAX_STOPS = 9
MAX_VALUE = 10_000
MAX_COUNT = 1000

StopKind = Literal["city", "town", "junction", "offboard"]
Colour = Literal["white", "yellow", "green", "brown", "gray", "red", "blue"]


# ---- the file


class StopRecord(msgspec.Struct, frozen=True):
    """A stop printed on a hex or tile; `values` are those of an off-board location, one per phase.

    Trains do not call at a junction; one that is `exclusive` is passed only once.
    """

    kind: StopKind
    value: int | None = 0
    slots: int = 0
    values: list[int] = []
    exclusive: bool = True


class FerryRecord(msgspec.Struct, frozen=True):
    """Two banks of one station: a route that uses edges of both counts the lower value."""

    sides: tuple[list[str], list[str]]
    value_when_crossed: int


class HexHomeRecord(msgspec.Struct, frozen=True):
    """A company with its home on this hex; `stop` is null if it chooses one of `choice`."""

    company: str
    stop: str | None = None
    choice: list[str] = []


class HexRecord(msgspec.Struct, frozen=True):
    """A hex with its print.

    `first_phase` is the first phase in which a tile may be laid on it, null if never. Hexes with
    the same `connection` are one place outside the map.
    """

    id: str
    color: Colour
    first_phase: int | None
    stops: list[StopRecord] = []
    paths: list[list[str]] = []
    name: str = ""
    place: str = ""
    label: str = ""
    cost: int = 0
    terrain: str = ""
    impassable: list[str] = []
    home: list[HexHomeRecord] = []
    privates: list[str] = []
    connection: str = ""
    one_stop_per_route: bool = False
    stops_elsewhere: dict[str, list[int]] = {}


class TileRecord(msgspec.Struct, frozen=True):
    """A tile type; `unlisted_upgrades` are upgrades missing in the rulebook's table.

    `rotation_elsewhere` and `stops_elsewhere` tell how other programs turn the tile and number its
    stops: their n-th is our `stops_elsewhere[n - 1]`, by default the n-th.
    """

    id: str
    color: Colour
    count: int
    stops: list[StopRecord]
    paths: list[list[str]]
    upgrades: list[str]
    unlisted_upgrades: list[str] = msgspec.field(default_factory=list, name="upgrades_public")
    label: str = ""
    rotations: list[int] | None = None
    rotation_elsewhere: dict[str, int] = {}
    stops_elsewhere: dict[str, list[int]] = {}
    ferry: FerryRecord | None = None


class LayRecord(msgspec.Struct, frozen=True):
    """First tiles allowed on hexes of a colour, label and kinds of stops."""

    color: Colour
    stops: list[StopKind]
    tiles: list[str]
    label: str = ""


class MapRecord(msgspec.Struct, frozen=True):
    """The map of the file."""

    hexes: tuple[HexRecord, ...]


class BoardFile(msgspec.Struct, frozen=True):
    """The part of the file read here; other keys belong to the title or to people."""

    map: MapRecord
    tiles: tuple[TileRecord, ...]
    lays: tuple[LayRecord, ...]


# ---- the components


class Stop(NamedTuple):
    """A stop of a face; `values` are the values by phase of an off-board location."""

    kind: StopKind
    value: int
    slots: int
    values: tuple[int, ...] = ()
    exclusive: bool = True


class Path(NamedTuple):
    """Track between two ends: edges 0 to 5, stops from `STOP` on."""

    a: int
    b: int
    gauge: int = 1


class Ferry(NamedTuple):
    """The bank (0 or 1) of each edge, and the toll of a crossing."""

    sides: tuple[int, ...]
    toll: int


class Face(msgspec.Struct, frozen=True, cache_hash=True):
    """What a hex shows: its print, or the tile on it in its rotation."""

    colour: str
    label: str
    stops: tuple[Stop, ...]
    paths: tuple[Path, ...]
    ferry: Ferry | None = None

    def edges(self, gauges: int = ~0) -> int:
        """Edges with track of any of these gauges, as bits."""
        mask = 0
        for path in self.paths:
            if path.gauge & gauges:
                for end in path[:2]:
                    if end < STOP:
                        mask |= 1 << end
        return mask

    def between(self) -> int:
        """Number of paths between two stops."""
        return sum(min(path[:2]) >= STOP for path in self.paths)

    def exits(self, stop: int) -> list[tuple[int, int]]:
        """Edges that a stop's track leads to, with gauges."""
        return [
            (min(path[:2]), path.gauge)
            for path in self.paths
            if min(path[:2]) < STOP and max(path[:2]) == STOP + stop
        ]

    def kinds(self) -> list[str]:
        """Kinds of the stops, in order."""
        return [stop.kind for stop in self.stops]

    def rotated(self, steps: int) -> Face:
        """Return the face rotated clockwise by a number of edges.

        >>> straight = Face("yellow", "", (), (Path(0, 3),))
        >>> straight.rotated(1).paths
        (Path(a=1, b=4, gauge=1),)
        """

        def turn(end: int) -> int:
            return (end + steps) % 6 if end < STOP else end

        paths = tuple(Path(turn(path.a), turn(path.b), path.gauge) for path in self.paths)
        ferry = self.ferry
        if ferry is not None:
            sides = tuple(ferry.sides[(edge - steps) % 6] for edge in range(6))
            ferry = Ferry(sides, ferry.toll)
        return Face(self.colour, self.label, self.stops, paths, ferry)

    def shape(self) -> tuple[object, ...]:
        """Key that is equal for faces differing only in the numbers of equal stops and the order of
        paths.

        >>> one = Face("green", "", (), (Path(0, 3), Path(1, 4)))
        >>> one.shape() == one.rotated(3).shape(), one.shape() == one.rotated(1).shape()
        (True, False)
        """
        edges = sorted(
            (min(path[:2]), max(path[:2]), path.gauge)
            for path in self.paths
            if max(path[:2]) < STOP
        )
        exits = [tuple(sorted(self.exits(number))) for number in range(len(self.stops))]
        stops = sorted(zip(self.stops, exits, strict=True))
        between = sorted(
            (*sorted((exits[path.a - STOP], exits[path.b - STOP])), path.gauge)
            for path in self.paths
            if min(path[:2]) >= STOP
        )
        return tuple(edges), tuple(stops), tuple(between), self.ferry and self.ferry.sides


class Tile:
    """A tile type with its six faces.

    `rotations` are the rotations that may be laid, one for each different look.
    """

    def __init__(self, record: TileRecord) -> None:
        self.record = record
        self.id = record.id
        self.colour = record.color
        self.label = record.label
        self.count = record.count
        where = record.id
        base = _face(where, record.color, record.label, record.stops, record.paths)
        if record.ferry is not None:
            base = msgspec.structs.replace(base, ferry=_ferry(where, record.ferry, base))
        self.faces = tuple(base.rotated(steps) for steps in range(6))
        looks = [face.shape() for face in self.faces]
        #: For each rotation the lowest one that looks the same.
        self.lowest = tuple(looks.index(look) for look in looks)
        allowed = range(6) if record.rotations is None else record.rotations
        require(
            all(0 <= steps < 6 for steps in allowed),
            "The hex or tile {id} has a rotation that is not 0 to 5.",
            id=where,
        )
        self.rotations = tuple(sorted({self.lowest[steps] for steps in allowed}))
        self._edges: dict[tuple[int, int], int] = {}

    def edges(self, rotation: int, gauges: int) -> int:
        """Edges with track of any of these gauges, as bits."""
        key = (rotation, gauges)
        found = self._edges.get(key)
        if found is None:
            found = self._edges[key] = self.faces[rotation].edges(gauges)
        return found

    def __repr__(self) -> str:
        return f"Tile({self.id!r})"


class Board:
    """Map and tiles of one file. Hexes are numbered in file order.

    Each side between two hexes has one number in `borders`, whichever hex it is seen from.
    """

    def __init__(self, file: BoardFile) -> None:
        """Raise `KursbuchError` if the file contradicts itself."""
        self.file = file
        self.records = tuple(file.map.hexes)
        require(
            0 < len(self.records) <= MAX_HEXES,
            "The map must have 1 to {most} hexes.",
            most=MAX_HEXES,
        )
        self.hexes = tuple(_place(record) for record in self.records)
        self.names = tuple(record.id for record in self.records)
        self.index = {name: number for number, name in enumerate(self.names)}
        for record in self.records:
            require(
                record.terrain in ("", *TERRAIN),
                "The hex {id} has the unknown terrain {terrain}; known terrain: {known}.",
                id=record.id,
                terrain=repr(record.terrain),
                known=", ".join(TERRAIN),
            )
        twice = first_twice(self.names)
        require(not twice, "The hex {id} is in the file twice.", id=twice)
        self.neighbours = tuple(
            tuple(self.index.get(str(place.neighbour(edge)), -1) for edge in range(6))
            for place in self.hexes
        )
        self.borders = self._number_borders()
        self.border_count = 1 + max(border for row in self.borders for border in row)
        self.printed = tuple(
            _face(record.id, record.color, record.label, record.stops, record.paths)
            for record in self.records
        )
        self.closed = self._closed_edges()
        self.tiles = {record.id: Tile(record) for record in file.tiles}
        twice = first_twice([record.id for record in file.tiles])
        require(not twice, "Tile {id} is in the file twice.", id=twice)
        self.colours = {tile.colour for tile in self.tiles.values()}
        #: Number of tiles by type.
        self.counts = {tile.id: tile.count for tile in self.tiles.values()}
        self.inner = self._number_inner()
        self._check_upgrades()
        self.homes = {
            home.company: place for place, record in enumerate(self.records) for home in record.home
        }

    def _number_borders(self) -> tuple[tuple[int, ...], ...]:
        rows: list[list[int]] = [[-1] * 6 for _ in self.hexes]
        count = 0
        for place, around in enumerate(self.neighbours):
            for edge, other in enumerate(around):
                if rows[place][edge] < 0:
                    rows[place][edge] = count
                    if other >= 0:
                        rows[other][(edge + 3) % 6] = count
                    count += 1
        return tuple(tuple(row) for row in rows)

    def _number_inner(self) -> tuple[range, ...]:
        """Further borders for each hex: one for each path between two stops that it can show. A
        train that leaves one stop over it enters the same hex and comes to the other."""
        faces = [face for tile in self.tiles.values() for face in tile.faces[:1]]
        most = max(map(Face.between, (*self.printed, *faces)))
        first = self.border_count
        self.border_count += most * len(self.hexes)
        return tuple(
            range(first + most * n, first + most * (n + 1)) for n in range(len(self.hexes))
        )

    def behind(self, place: int, border: int) -> int:
        """The hex behind a border, -1 if there is none; the hex itself for track between two
        stops."""
        row = self.borders[place]
        return self.neighbours[place][row.index(border)] if border in row else place

    def _closed_edges(self) -> tuple[int, ...]:
        """For each hex the edges, as bits, that new track may not cross: off the map, over a bar,
        or into a hex without tiles and track there."""
        bars = [0] * len(self.records)
        for place, record in enumerate(self.records):
            for end in record.impassable:
                edge = _end(record.id, end, 0)
                bars[place] |= 1 << edge
                other = self.neighbours[place][edge]
                if other >= 0:
                    bars[other] |= 1 << (edge + 3) % 6
        for place, around in enumerate(self.neighbours):
            for edge, other in enumerate(around):
                if other < 0 or (
                    self.records[other].first_phase is None
                    and not self.printed[other].edges() >> (edge + 3) % 6 & 1
                ):
                    bars[place] |= 1 << edge
        for place, face in enumerate(self.printed):
            require(
                not face.edges() & bars[place],
                "The track printed on hex {id} leads off the map or into a closed side.",
                id=self.names[place],
            )
        return tuple(bars)

    def crossed(self, track: int) -> tuple[tuple[str, str], ...]:
        """Borders crossed by track, given as bits, as pairs of hexes; twice the same hex for track
        between its stops."""
        sides = [
            (self.names[place], self.names[self.neighbours[place][edge]])
            for place, row in enumerate(self.borders)
            for edge, border in enumerate(row[:3])
            if track >> border & 1
        ]
        sides += [
            (name, name)
            for name, inner in zip(self.names, self.inner, strict=True)
            if any(track >> border & 1 for border in inner)
        ]
        return tuple(sides)

    def barred(self, place: int, edge: int) -> bool:
        """Whether new track may not cross a side, seen from either hex."""
        other = self.neighbours[place][edge]
        return bool(
            self.closed[place] >> edge & 1
            or (other >= 0 and self.closed[other] >> (edge + 3) % 6 & 1)
        )

    def _check_upgrades(self) -> None:
        for record in self.file.tiles:
            tile = self.tiles[record.id]
            for other in (*record.upgrades, *record.unlisted_upgrades):
                require(
                    other in self.tiles
                    and COLOURS.index(self.tiles[other].colour) > COLOURS.index(tile.colour),
                    (
                        "Tile {id} cannot be upgraded to {other}: there is no such tile "
                        "of a later colour."
                    ),
                    id=record.id,
                    other=repr(other),
                )
        for lay in self.file.lays:
            for other in lay.tiles:
                require(
                    other in self.tiles,
                    "Tile {id} is to be laid on some hexes, but there is no such tile.",
                    id=repr(other),
                )

    def number(self, name: str) -> int:
        """Number of a hex by its name."""
        try:
            return self.index[name]
        except KeyError:
            raise KursbuchError("There is no hex {id} on the map.", id=repr(name)) from None

    def tile(self, name: str) -> Tile:
        """A tile type by its number."""
        try:
            return self.tiles[name]
        except KeyError:
            raise KursbuchError("There is no tile {id}.", id=repr(name)) from None


# ---- reading


def first_twice(names: Sequence[str]) -> str:
    """First duplicate name, or empty."""
    return next((name for name, count in Counter(names).items() if count > 1), "")


def _place(record: HexRecord) -> Hex:
    try:
        place = Hex.parse(record.id)
    except ValueError:
        raise KursbuchError(
            "The hex {id} has no valid name, such as K16.", id=repr(record.id)
        ) from None
    return place


def _end(where: str, text: str, stops: int) -> int:
    """Number of an end of a path, or of an edge if there are no stops."""
    kind, number = text[:1], text[1:]
    if number.isdecimal() and len(number) == 1:
        if kind == "e" and int(number) < 6:
            return int(number)
        if kind == "s" and int(number) < stops:
            return STOP + int(number)
    raise KursbuchError("The hex or tile {id} has no edge or stop {end}.", id=where, end=repr(text))


def _face(
    where: str, colour: str, label: str, stops: list[StopRecord], paths: list[list[str]]
) -> Face:
    require(
        len(stops) <= MAX_STOPS,
        "The hex or tile {id} has more than {most} stops.",
        id=where,
        most=MAX_STOPS,
    )
    read_stops = []
    for stop in stops:
        values = tuple(stop.values)
        require(
            all(0 <= value <= MAX_VALUE for value in (stop.value or 0, *values))
            and 0 <= stop.slots <= MAX_STOPS,
            "The hex or tile {id} has a stop without a usable value or number of station spaces.",
            id=where,
        )
        require(
            (stop.kind == "offboard") == bool(values),
            "The hex or tile {id} must have values by phase for an off-board stop, and only for one.",
            id=where,
        )
        require(
            (stop.kind == "city") == (stop.slots > 0),
            "The hex or tile {id} must have station spaces in a city, and only there.",
            id=where,
        )
        read_stops.append(Stop(stop.kind, stop.value or 0, stop.slots, values, stop.exclusive))
    read_paths = []
    for path in paths:
        require(
            2 <= len(path) <= 3 and (len(path) < 3 or path[2] in GAUGES),
            (
                "The hex or tile {id} has a path that does not consist of two ends and "
                "optionally a gauge."
            ),
            id=where,
        )
        a, b = (_end(where, end, len(stops)) for end in path[:2])
        require(
            a != b
            and (min(a, b) < STOP or all(stops[end - STOP].kind == "town" for end in (a, b))),
            "The hex or tile {id} has a path that does not join an edge to another edge or a stop, or two towns.",
            id=where,
        )
        read_paths.append(Path(a, b, GAUGES[path[2]] if len(path) > 2 else 1))
    ends = [frozenset(path[:2]) for path in read_paths]
    require(len(set(ends)) == len(ends), "The hex or tile {id} has the same path twice.", id=where)
    return Face(colour, label, tuple(read_stops), tuple(read_paths))


def _ferry(where: str, record: FerryRecord, face: Face) -> Ferry:
    banks = [[_end(where, end, 0) for end in side] for side in record.sides]
    require(
        sorted(banks[0] + banks[1]) == list(range(6)) and len(face.stops) == 1,
        "The hex or tile {id} must have one stop and every edge on one bank of its ferry.",
        id=where,
    )
    toll = face.stops[0].value - record.value_when_crossed
    require(
        0 <= toll <= face.stops[0].value,
        "The hex or tile {id} has no usable value for a crossing by ferry.",
        id=where,
    )
    return Ferry(tuple(int(edge in banks[1]) for edge in range(6)), toll)
