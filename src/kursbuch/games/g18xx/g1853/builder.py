"""Building in 1853: one or two tiles, gauges, terrain, territories and stations; and whether two
new tiles connect to two stations without shared track [4.1.7]."""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
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
    """Track of one gauge around the company's stations: nothing leads beyond a blocked city
    [4.1.6]. Cached with the position."""
    key = ("net", company, gauge)
    known = position.memo.get(key)
    if isinstance(known, Net):
        return known
    stations = [(_STOP, *divmod(stop, PER_HEX)) for stop in position.stations(company)]
    found = Net({}, {}, stations)
    places = list(dict.fromkeys(place for _, place, _ in stations))
    seen = set(places)
    for place in places:  # grows during iteration
        _add(found, position, company, position.grounds[place], gauge)
        mask = position.grounds[place].face.edges(gauge)
        for edge, other in enumerate(position.board.neighbours[place]):
            if mask >> edge & 1 and other >= 0 and other not in seen:
                seen.add(other)
                places.append(other)
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
    edges: dict[int, int] = {}
    for path in ground.face.paths:
        if path.gauge & gauge:
            ends = [_point(place, end) for end in path[:2]]
            piece = (place, min(path[:2]), max(path[:2]))
            for a, b in (ends, ends[::-1]):
                if not _closed(position, company, ground, a):
                    neighbours.setdefault(a, []).append((b, piece))
            for end in path[:2]:
                if end < STOP:
                    edges[end] = graph.gauges[_END, place, end] = path.gauge
    for here, there, piece in _joints(graph, position, place, edges):
        neighbours[here].append((there, piece))
        neighbours[there].append((here, piece))


def _joints(
    graph: Net, position: TrackPosition, place: int, edges: Mapping[int, int]
) -> Iterator[tuple[Point, Point, Piece]]:
    """Ends of a hex's track, given with their gauges, that meet track of the graph; with its end
    there and the border."""
    board = position.board
    for edge, gauges in edges.items():
        there = (_END, board.neighbours[place][edge], (edge + 3) % 6)
        if there in graph.neighbours and gauges & graph.gauges[there]:
            yield (_END, place, edge), there, (_BORDER, board.borders[place][edge], 0)


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


def _ends(ground: Ground, gauge: int) -> set[Point]:
    """Ends of a tile's track: a route that reaches one of them uses the tile."""
    return {(_END, ground.place, edge) for edge in _edges(ground, gauge)}


def _edges(ground: Ground, gauge: int) -> dict[int, int]:
    """Edges to which a tile's track leads, with its gauges."""
    return {
        end: path.gauge
        for path in ground.face.paths
        if path.gauge & gauge
        for end in path[:2]
        if end < STOP
    }


def have_separate_routes(
    position: TrackPosition, company: str, first: str, second: str, fit: Fit
) -> bool:
    """Whether routes to the tiles on `first` and `second` start from two different stations and
    share no piece. Cached with the position."""
    key = ("separate routes", company, first, second, fit.tile, fit.rotation)
    known: bool | None = position.memo.get(key)
    if known is None:
        laid = position.grounds[position.board.number(first)]
        ground = position.track.ground(second, fit.tile, fit.rotation)
        known = position.memo[key] = _have_separate_routes(position, company, laid, ground)
    return known


def _have_separate_routes(
    position: TrackPosition, company: str, laid: Ground, ground: Ground
) -> bool:
    gauges = [
        (one, other) for one in _gauges(position, laid) for other in _gauges(position, ground)
    ]
    for one, other in gauges:
        further = _further_ends(position, company, laid, one, other)
        if not further.isdisjoint(_met(position, company, ground, other)):
            return True
    # There are more ways only if one begins on the second tile, or the other leads over it.
    place = ground.place
    if not position.grounds[place].face.paths and not any(
        stop // PER_HEX == place for stop in position.stations(company)
    ):
        gauges = [
            (one, other) for one, other in gauges if len(_met(position, company, ground, one)) > 1
        ]
    return any(_over_both(position, company, (laid, one), (ground, other)) for one, other in gauges)


def _gauges(position: TrackPosition, ground: Ground) -> list[int]:
    """Gauges in which routes may use a tile."""
    if position.mixed:
        return [3]
    return [gauge for gauge in (1, 2) if any(path.gauge & gauge for path in ground.face.paths)]


def _met(position: TrackPosition, company: str, ground: Ground, gauge: int) -> list[Point]:
    """Ends of the company's track that a tile meets."""
    graph = net(position, company, gauge)
    joints = _joints(graph, position, ground.place, _edges(ground, gauge))
    return [there for _, there, _ in joints]


def _further_ends(
    position: TrackPosition, company: str, laid: Ground, one: int, other: int
) -> set[Point]:
    """Ends of track at hexes without track that a route can reach beside one to the tile laid, from
    another station and without its track. Cached with the position."""
    key = ("further ends", company, laid.place, one, other)
    known: set[Point] | None = position.memo.get(key)
    if known is None:
        first, second = net(position, company, one), net(position, company, other)
        loose = {
            point
            for point in second.gauges
            if not position.grounds[position.board.neighbours[point[1]][point[2]]].face.paths
        }
        known = position.memo[key] = _beside(first, second, _ends(laid, one), loose)
    return known


def _over_both(
    position: TrackPosition, company: str, first: tuple[Ground, int], second: tuple[Ground, int]
) -> bool:
    """Whether there are such routes if both may lead over both tiles."""

    def track(gauge: int) -> Net:
        return with_tile(net(position, company, gauge), position, company, second[0], gauge)

    one = track(first[1])
    other = one if first[1] == second[1] else track(second[1])
    return bool(_beside(one, other, _ends(*first), _ends(*second)))


def _beside(one: Net, other: Net, goals: Container[Point], wanted: set[Point]) -> set[Point]:
    """Which of the wanted points a route in the second graph reaches beside one in the first to a
    goal, from another station and without its pieces."""
    if one is other:
        return _beside_in_one(one, goals) & wanted
    found: set[Point] = set()
    for start in one.stations:
        found |= _left_over(one, other, start, goals, wanted - found)
    return found


def _beside_in_one(graph: Net, goals: Container[Point]) -> set[Point]:
    """Points that a route reaches beside one to a goal in the same graph: all to which a second
    unit flows, if it may reroute the first."""
    way = _shortest(graph, goals)
    if not way:
        return set()
    start, last = way[0][0], way[-1][1]
    back = {piece: (end, begin) for begin, end, piece in way}
    seen = {station for station in graph.stations if station != start}
    waiting = list(seen)
    while waiting:
        point = waiting.pop()
        if point in goals and last not in seen:
            # It takes over the goal: the first unit turns off elsewhere.
            seen.add(last)
            waiting.append(last)
        for further, piece in graph.neighbours.get(point, ()):
            if further not in seen and back.get(piece, (point, further)) == (point, further):
                seen.add(further)
                waiting.append(further)
    return seen


def _shortest(graph: Net, goals: Container[Point]) -> list[tuple[Point, Point, Piece]]:
    """A shortest way from a station to a goal: for every piece where it begins and ends."""
    before: dict[Point, tuple[Point, Piece] | None] = dict.fromkeys(graph.stations)
    waiting = list(before)
    for point in waiting:  # grows during iteration
        if point in goals:
            way = []
            while (last := before[point]) is not None:
                way.append((last[0], point, last[1]))
                point = last[0]
            return way[::-1]
        for further, piece in graph.neighbours.get(point, ()):
            if further not in before:
                before[further] = (point, piece)
                waiting.append(further)
    return []


def _left_over(
    one: Net, other: Net, start: Point, goals: Container[Point], wanted: set[Point]
) -> set[Point]:
    """Wanted points that ways from other stations reach in the other graph beside a path from this
    station to a goal. Of a path only its pieces in the other graph matter, and fewer are never
    worse."""
    found: set[Point] = set()
    stations = [station for station in other.stations if station != start]

    def open_(used: frozenset[Piece]) -> set[Point]:
        return _reached(other, stations, used) & wanted - found

    nothing: frozenset[Piece] = frozenset()
    if not open_(nothing):
        return found
    theirs = {piece for row in other.neighbours.values() for _, piece in row}
    least: dict[Point, list[frozenset[Piece]]] = {start: [nothing]}
    waiting = deque([(start, nothing)])
    while waiting:
        point, used = waiting.popleft()
        if point in goals:
            found |= open_(used)
            if found == wanted:
                break
            continue
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
    return found


def _reached(graph: Net, starts: Iterable[Point], used: Container[Piece]) -> set[Point]:
    """Points to which paths lead without the used pieces."""
    seen = set(starts)
    waiting = list(seen)
    while waiting:
        for further, piece in graph.neighbours.get(waiting.pop(), ()):
            if further not in seen and piece not in used:
                seen.add(further)
                waiting.append(further)
    return seen


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

    def payable(
        self, state: State1853, company: str, hex: str, found: Sequence[Fit]
    ) -> Sequence[Fit]:
        purse, cost = self.lookup.purse(state, company), self._cost_of_place(state, company, hex)
        if cost is not None:
            return found if cost <= purse else ()
        build_cost = self.lookup.components.build_cost
        paid = {metre for metre in (False, True) if build_cost(hex, metre) <= purse}
        return found if len(paid) == 2 else [fit for fit in found if self.metre(fit.tile) in paid]

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
                "4.2.1", "{company} has laid a new tile, so it cannot upgrade one.", company=company
            )
        if hex in self.lookup.components.territory[company] or self.roams(state, company):
            return None
        return self._outside("4.2.3", "4.2.2", state, company, hex)

    def tile_problem(
        self, state: State1853, company: str, hex: str, fit: Fit
    ) -> IllegalAction | None:
        if self.replaces(state, hex):
            checks = self._upgrade_checks(state, company, hex, fit)
        elif state.turn.tiles:
            checks = self._second_tile_checks(state, company, hex, fit)
        else:
            return None
        refusal = first_refusal(checks)
        # These sentences name no tile.
        return None if refusal is None else refusal.without("tile").without("rotation")

    def _second_tile_checks(
        self, state: State1853, company: str, hex: str, fit: Fit
    ) -> Iterator[IllegalAction | None]:
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
            ("A second tile costs {fee}, or {cost} with the terrain; {company} has {money}."),
            fee=self.lookup.written(fee),
            cost=self.lookup.written(cost),
            company=company,
            money=self.lookup.written(purse),
        )

    def _upgrade_checks(
        self, state: State1853, company: str, hex: str, fit: Fit
    ) -> Iterator[IllegalAction | None]:
        yield self._beside_last_colour(state, hex, fit)
        if hex in self.lookup.components.territory[company]:
            return
        position = self.lookup.position(state)
        place = self.components.board.number(hex)
        ground = self.components.track.ground(hex, fit.tile, fit.rotation)
        # A run over the hex stays possible, unless stops are merged or tracks come to cross.
        tracks = sum(max(path[:2]) < STOP for path in position.grounds[place].face.paths)
        if (
            len(set(fit.stops)) == len(fit.stops)
            and (tracks < 2 or all(stop.kind != "junction" for stop in ground.face.stops))
            and self._unserved("4.2.3", state, company, position, (hex, -1)) is None
        ):
            return
        after = position.changed(place, ground, fit.stops)
        yield self._unserved("4.2.3", state, company, after, (hex, -1))

    def _beside_last_colour(self, state: State1853, hex: str, fit: Fit) -> IllegalAction | None:
        board = self.components.board
        if board.tiles[fit.tile].colour != LAST_COLOUR:
            return None
        for other in board.neighbours[board.number(hex)]:
            name = board.names[other] if other >= 0 else ""
            if name and shown(board, state.layout.tiles, name).colour == LAST_COLOUR:
                return IllegalAction(
                    "4.2.7", "{other} has a grey tile: {hex} gets none.", other=name, hex=hex
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
            "{hex} lies outside the territory of {company}, and none of its trains "
            "can run there from a home station in this turn.",
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
