"""Building in 1853: one or two tiles, gauges, terrain, territories and stations; and whether two
new tiles connect to two stations without shared track [4.1.7]."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kursbuch.core.errors import IllegalAction, first_refusal
from kursbuch.games.g18xx.components import HomeRecord
from kursbuch.games.g18xx.g1853.state import Lookup1853, State1853
from kursbuch.games.g18xx.map.board import COLOURS, STOP
from kursbuch.games.g18xx.map.networks import PER_HEX, Ground
from kursbuch.games.g18xx.map.revenue import can_run
from kursbuch.games.g18xx.map.tiles import Fit, shown
from kursbuch.games.g18xx.map.track import TrackPosition
from kursbuch.games.g18xx.rules.builder import Builder

#: A stop of the map, or an end of track on a border as seen from one of its hexes.
Point = tuple[int, int, int]

#: A border, or a path of a hex by its ends.
Piece = tuple[int, int, int]
_STOP, _END = 0, 1
_BORDER = -1


class Net(NamedTuple):
    """Track of one gauge: for every point its neighbours with the pieces between them; the gauges
    of ends of track; and the company's stations."""

    neighbours: dict[Point, list[tuple[Point, Piece]]]
    gauges: dict[Point, int]
    stations: list[Point]


def net(position: TrackPosition, company: str, gauge: int) -> Net:
    """Track of one gauge that a company may use: nothing leads beyond a blocked city [4.1.6].
    Cached with the position."""
    key = f"net {company} {gauge}"
    known = position.memo.get(key)
    if isinstance(known, Net):
        return known
    stations = [(_STOP, *divmod(stop, PER_HEX)) for stop in position.stations(company)]
    found = Net({}, {}, stations)
    for ground in position.grounds:
        _add(found, position, company, ground, gauge)
    position.memo[key] = found
    return found


def with_tile(graph: Net, position: TrackPosition, company: str, ground: Ground, gauge: int) -> Net:
    """The graph with a tile added on an empty hex."""
    neighbours = dict(graph.neighbours)
    for edge, other in enumerate(position.board.neighbours[ground.place]):
        end = (_END, other, (edge + 3) % 6)
        if end in neighbours:
            neighbours[end] = [*neighbours[end]]
    found = Net(neighbours, {**graph.gauges}, graph.stations)
    _add(found, position, company, ground, gauge)
    return found


def _add(graph: Net, position: TrackPosition, company: str, ground: Ground, gauge: int) -> None:
    """Add the track of a hex, and the borders to adjacent track."""
    neighbours, place = graph.neighbours, ground.place
    board = position.board
    edges: set[int] = set()
    for path in ground.face.paths:
        if path.gauge & gauge:
            ends = [_point(place, end) for end in path[:2]]
            piece = (place, min(path[:2]), max(path[:2]))
            for a, b in (ends, ends[::-1]):
                if not _closed(position, company, ground, a):
                    neighbours.setdefault(a, []).append((b, piece))
            for end in path[:2]:
                if end < STOP:
                    edges.add(end)
                    graph.gauges[_END, place, end] = path.gauge
    for edge in edges:
        here = (_END, place, edge)
        there = (_END, board.neighbours[place][edge], (edge + 3) % 6)
        if there in neighbours and graph.gauges[here] & graph.gauges[there]:
            piece = (_BORDER, board.borders[place][edge], 0)
            neighbours[here].append((there, piece))
            neighbours[there].append((here, piece))


def _point(place: int, end: int) -> Point:
    return (_STOP, place, end - STOP) if end >= STOP else (_END, place, end)


def _closed(position: TrackPosition, company: str, ground: Ground, point: Point) -> bool:
    """Whether no route continues from a point: a city full of others' tokens."""
    kind, place, number = point
    if kind != _STOP:
        return False
    stop = ground.face.stops[number]
    markers = position.markers.get(place * PER_HEX + number, ())
    return stop.kind == "city" and len(markers) >= stop.slots and company not in markers


def _new_ends(ground: Ground, gauge: int) -> list[Point]:
    """Ends of a tile's new track: a route that reaches one of them uses it."""
    return [
        (_END, ground.place, end)
        for path in ground.face.paths
        if path.gauge & gauge
        for end in path[:2]
        if end < STOP
    ]


def have_separate_routes(
    position: TrackPosition, company: str, first: str, second: str, fit: Fit
) -> bool:
    """Whether routes to the tiles on `first` and `second` start from two different stations and
    share no piece."""
    laid = position.grounds[position.board.number(first)]
    ground = position.track.ground(second, fit.tile, fit.rotation)
    return any(
        _disjoint(position, company, (laid, one), (ground, other))
        for one in _gauges(position, laid)
        for other in _gauges(position, ground)
    )


def _gauges(position: TrackPosition, ground: Ground) -> list[int]:
    """Gauges in which routes may use a tile."""
    if position.mixed:
        return [3]
    return [gauge for gauge in (1, 2) if any(path.gauge & gauge for path in ground.face.paths)]


def _disjoint(
    position: TrackPosition, company: str, first: tuple[Ground, int], second: tuple[Ground, int]
) -> bool:
    goals = [set(_new_ends(*first)), set(_new_ends(*second))]

    def track(gauge: int) -> Net:
        return with_tile(net(position, company, gauge), position, company, second[0], gauge)

    one = track(first[1])
    if first[1] == second[1]:
        return _two_units(one, goals)
    other = track(second[1])
    return any(_leaves_way(one, other, start, goals) for start in one.stations)


def _two_units(graph: Net, goals: Sequence[set[Point]]) -> bool:
    """Whether two units flow from different stations to the two goals, at most one per piece."""
    flow: dict[Piece, tuple[Point, Point]] = {}
    started: set[Point] = set()
    met: set[int] = set()
    return all(_augment(graph, goals, flow, started, met) for _ in goals)


def _augment(
    graph: Net,
    goals: Sequence[set[Point]],
    flow: dict[Piece, tuple[Point, Point]],
    started: set[Point],
    met: set[int],
) -> bool:
    """Add one unit of flow; an earlier unit may be rerouted to make room."""
    source, sinks = (2, 0, 0), [(3, number, 0) for number in range(len(goals))]
    target = (4, 0, 0)

    def steps(point: Point) -> Iterator[tuple[Point, Piece]]:
        """Points a unit can flow to, or be sent back from."""
        kind, number, _ = point
        if point == source:
            for station in graph.stations:
                if station not in started:
                    yield station, (-2, 0, 0)
            return
        if kind == 3:
            if number not in met:
                yield target, (-3, 0, 0)
            for piece, (_, end) in flow.items():
                if end == point:
                    yield flow[piece][0], piece
            return
        for other, piece in graph.neighbours.get(point, ()):
            if piece not in flow or flow[piece] == (other, point):
                yield other, piece
        for sink, goal in zip(sinks, goals, strict=True):
            piece = (-4 - sink[1], *point[1:])
            if point in goal and piece not in flow:
                yield sink, piece

    before: dict[Point, tuple[Point, Piece]] = {source: (source, (0, 0, 0))}
    queue = [source]
    for point in queue:
        for other, piece in steps(point):
            if other not in before:
                before[other] = (point, piece)
                queue.append(other)
    if target not in before:
        return False
    point = target
    while point != source:
        last, piece = before[point]
        if last == source:
            started.add(point)
        elif point == target:
            met.add(last[1])
        elif flow.get(piece) == (point, last):
            del flow[piece]
        else:
            flow[piece] = (last, point)
        point = last
    return True


def _leaves_way(one: Net, other: Net, start: Point, goals: Sequence[set[Point]]) -> bool:
    """Whether a path from a station to the first goal leaves one in the other graph from another
    station to the second. Of a path only its pieces in the other graph matter, and fewer are never
    worse."""
    stations = [station for station in other.stations if station != start]

    def open_(used: frozenset[Piece]) -> bool:
        return any(_reaches(other, station, goals[1], used) for station in stations)

    nothing: frozenset[Piece] = frozenset()
    if not open_(nothing):
        return False
    theirs = {piece for row in other.neighbours.values() for _, piece in row}
    least: dict[Point, list[frozenset[Piece]]] = {start: [nothing]}
    waiting = deque([(start, nothing)])
    while waiting:
        point, used = waiting.popleft()
        if point in goals[0]:
            return True
        for further, piece in one.neighbours.get(point, ()):
            more = used | {piece} if piece in theirs else used
            known = least.setdefault(further, [])
            if any(fewer <= more for fewer in known) or not (more == used or open_(more)):
                continue
            known.append(more)
            if more == used:
                waiting.appendleft((further, more))
            else:
                waiting.append((further, more))
    return False


def _reaches(graph: Net, start: Point, goals: set[Point], used: frozenset[Piece]) -> bool:
    """Whether a path leads from a station to a goal without the used pieces."""
    seen = {start}
    waiting = [start]
    while waiting:
        point = waiting.pop()
        if point in goals:
            return True
        for other, piece in graph.neighbours.get(point, ()):
            if other not in seen and piece not in used:
                seen.add(other)
                waiting.append(other)
    return False


#: Phase from which all large companies may lay two tiles [4.1.3].
TWO_TILES = 3

#: Phase from which trains open the land outside the territory, and the trains that do [4.2.3].
OPEN_LAND = 5
OPENERS = ("5", "6")

#: Tiles of this colour may not be adjacent [4.2.7].
LAST_COLOUR = COLOURS[-1]


class Builder1853(Builder[State1853]):
    """Sites, costs and stations of 1853."""

    lookup: Lookup1853

    # ---- tiles

    def allowed(self, state: State1853, company: str) -> int:
        """Two for large companies with the right to it, one after an upgrade [4.1.2, 4.2.1]."""
        return 2 if self.two_tiles(state, company) and not state.turn.upgraded else 1

    def two_tiles(self, state: State1853, company: str) -> bool:
        """Whether a company may lay two new tiles in this turn [4.1.2, 4.1.3]."""
        charter = state.charters[company]
        if not charter.large:
            return False
        return charter.right == "fee" or self.lookup.phase(state).number >= TWO_TILES

    def fee(self, state: State1853, company: str) -> int:
        """Fee for a second new tile in this turn [4.1.3]."""
        if not state.turn.tiles or state.charters[company].right != "fee":
            return 0
        return self.lookup.components.second_tile_cost[company]

    def needs_route(self, state: State1853, hex: str) -> bool:
        """An upgrade needs no more than a connection, either [4.2.2]."""
        return False

    def cost(self, state: State1853, company: str, hex: str, tile: str) -> int:
        """Terrain cost by the tile's gauge for the first tile on a hex; Calcutta costs at its first
        upgrade [4.1.12, 4.1.13, 4.2.11, 4.2.13]."""
        cost = self._cost_of_place(state, company, hex)
        return self.lookup.components.build_cost(hex, self.metre(tile)) if cost is None else cost

    def least_cost(self, state: State1853, company: str, hex: str) -> int:
        cost = self._cost_of_place(state, company, hex)
        if cost is not None:
            return cost
        return min(self.lookup.components.build_cost(hex, metre) for metre in (False, True))

    def _cost_of_place(self, state: State1853, company: str, hex: str) -> int | None:
        """Cost of a tile on a hex if the same for both gauges, else None."""
        components = self.lookup.components
        if hex in state.layout.tiles:
            return 0
        if self.replaces(state, hex):
            return components.upgrade_cost.get(hex, 0)
        if hex not in components.terrain:
            return 0
        special = components.large_cost.get((hex, company))
        return special if special is not None and state.charters[company].large else None

    def metre(self, tile: str) -> bool:
        """Whether a new tile has metre-gauge track only."""
        return all(path.gauge == 2 for path in self.components.board.tiles[tile].faces[0].paths)

    def connection_rule(self, state: State1853, hex: str) -> str:
        return "4.2.2" if self.replaces(state, hex) else super().connection_rule(state, hex)

    def site_problem(self, state: State1853, company: str, hex: str) -> IllegalAction | None:
        if not self.replaces(state, hex):
            return None
        if state.turn.tiles:
            return IllegalAction(
                "4.2.1", "{company} has laid a new tile: it upgrades none.", company=company
            )
        if hex in self.lookup.components.territory[company] or self.roams(state, company):
            return None
        return self._outside("4.2.3", "4.2.2", state, company, hex)

    def tile_problem(
        self, state: State1853, company: str, hex: str, fit: Fit
    ) -> IllegalAction | None:
        if self.replaces(state, hex):
            checks = self._upgrade_checks(state, company, hex, fit)
        else:
            checks = self._second_tile_checks(state, company, hex, fit)
        refusal = first_refusal(checks)
        # These sentences name no tile.
        return None if refusal is None else refusal.without("tile").without("rotation")

    def _second_tile_checks(
        self, state: State1853, company: str, hex: str, fit: Fit
    ) -> Iterator[IllegalAction | None]:
        if state.turn.tiles:
            yield self._not_apart(state, company, hex, fit)
            yield self._fee_too_high(state, company, hex, fit)

    def _not_apart(
        self, state: State1853, company: str, hex: str, fit: Fit
    ) -> IllegalAction | None:
        first = state.turn.tiles[0]
        if state.house.free_track or have_separate_routes(
            self.lookup.position(state), company, first, hex, fit
        ):
            return None
        return IllegalAction(
            "4.1.7",
            "The routes to {first} and {hex} have to come from two stations of {company} and share no "
            "track.",
            first=first,
            hex=hex,
            company=company,
        )

    def _fee_too_high(
        self, state: State1853, company: str, hex: str, fit: Fit
    ) -> IllegalAction | None:
        fee, purse = self.fee(state, company), self.lookup.purse(state, company)
        cost = self.cost(state, company, hex, fit.tile) + fee
        if cost <= purse:
            return None
        return self.lookup.spending_problem(state, company) or IllegalAction(
            "4.1.3",
            "A second tile costs {fee}; with the terrain that is {cost}, and {company} has {money}.",
            fee=self.lookup.written(fee),
            cost=self.lookup.written(cost),
            company=company,
            money=self.lookup.written(purse),
        )

    def _upgrade_checks(
        self, state: State1853, company: str, hex: str, fit: Fit
    ) -> Iterator[IllegalAction | None]:
        yield self._beside_last_colour(state, hex, fit)
        if hex not in self.lookup.components.territory[company]:
            place = self.components.board.number(hex)
            ground = self.components.track.ground(hex, fit.tile, fit.rotation)
            after = self.lookup.position(state).changed(place, ground, fit.stops)
            yield self._unserved("4.2.3", state, company, after, (hex, -1))

    def _beside_last_colour(self, state: State1853, hex: str, fit: Fit) -> IllegalAction | None:
        board = self.components.board
        if board.tiles[fit.tile].colour != LAST_COLOUR:
            return None
        for other in board.neighbours[board.number(hex)]:
            name = board.names[other] if other >= 0 else ""
            if name and shown(board, state.layout.tiles, name).colour == LAST_COLOUR:
                return IllegalAction(
                    "4.2.7", "{other} has a gray tile: {hex} gets none.", other=name, hex=hex
                )
        return None

    # ---- the land outside the territory

    def roams(self, state: State1853, company: str) -> bool:
        """Whether a company may build wherever its trains can run [4.2.3, 4.4.2]."""
        if self.lookup.phase(state).number < OPEN_LAND:
            return False
        return any(train in OPENERS for train in self.lookup.trains(state, company))

    def _outside(
        self, rule: str, before: str, state: State1853, company: str, hex: str
    ) -> IllegalAction:
        """Refusal of a hex outside the territory, by the rule of the last phase or the one
        `before`."""
        if self.lookup.phase(state).number < OPEN_LAND:
            return IllegalAction(
                before, "{hex} lies outside the territory of {company}.", hex=hex, company=company
            )
        return IllegalAction(
            rule,
            "{hex} lies outside the territory of {company}, which has no train {list}.",
            hex=hex,
            company=company,
            list="/".join(OPENERS),
        )

    def _unserved(
        self,
        rule: str,
        state: State1853,
        company: str,
        position: TrackPosition,
        place: tuple[str, int],
    ) -> IllegalAction | None:
        """Refusal outside the territory if no train can run there in this turn from a home station
        [4.2.3, 4.4.2]."""
        board = self.components.board
        homes = set(map(board.number, self.lookup.home_hexes(state, company)))
        by = tuple(
            (board.names[stop // PER_HEX], stop % PER_HEX)
            for stop in position.stations(company)
            if stop // PER_HEX in homes
        )
        places = (*state.turn.duties, place)
        duties = [self.lookup.duty(state, hex, stop, by) for hex, stop in places]
        trains = self.lookup.trains(state, company)
        if can_run(self.components, position, company, trains, duties):
            return None
        return IllegalAction(
            rule,
            "{hex} lies outside the territory of {company}, and no train of it can run there from a home "
            "station in this turn.",
            hex=place[0],
            company=company,
        )

    # ---- stations

    def homes(self, state: State1853, company: str) -> tuple[HomeRecord, ...]:
        return self.lookup.homes(state, company)

    def station_cost(self, state: State1853, company: str, hex: str) -> int:
        """Cheap for the first station besides the homes, more for each further one [4.4.4]."""
        homes = self.lookup.home_hexes(state, company)
        more = any(
            owner == company and place not in homes for owner, place, _ in state.layout.stations
        )
        record = self.lookup.components.file.station_cost
        return record.further if more else record.first

    def station_problem(
        self, state: State1853, company: str, hex: str, stop: int
    ) -> IllegalAction | None:
        if hex in self.lookup.components.territory[company]:
            return None
        if not self.roams(state, company):
            return self._outside("4.4.2", "4.4.1", state, company, hex)
        # The token opens nothing to a run from a home: the city has a free slot.
        return self._unserved("4.4.2", state, company, self.lookup.position(state), (hex, stop))
