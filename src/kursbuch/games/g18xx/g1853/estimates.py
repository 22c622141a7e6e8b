"""Estimates for computer opponents in 1853: distances between cities, and revenue, dividends and
prices of companies until the end."""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from kursbuch.games.g18xx.components import BANK, PLAYERS, train_item
from kursbuch.games.g18xx.evaluation import Prospects, Sight, per_company
from kursbuch.games.g18xx.g1853.components import Components1853
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.state import State1853
from kursbuch.games.g18xx.map.board import STOP, Face
from kursbuch.games.g18xx.map.networks import Ground
from kursbuch.games.g18xx.map.revenue import Earnings
from kursbuch.games.g18xx.map.track import Layout, TrackMap, TrackPosition

#: An end by which a hex is entered or left: twice the edge, plus one for metre gauge.
End = int

#: A hex with an end: twelve times its place, plus the end.
Entry = int

#: A way over a hex: the end by which it is entered, and its effort.
Crossing = tuple[End, float]

#: The two gauges.
GAUGES = (1, 2)

#: Effort, in new tiles, to run over existing track, to replace a tile, to lay tiles for both gauges
#: in a city, and where a tile cannot be replaced.
RUN, REPLACE, CHANGE, NEVER = 0.02, 1.6, 1.8, 12.0

#: Terrain cost equivalent to one more tile.
PER_TILE = 110.0

#: Maximum distance searched; and distances beyond which a city, or a town, attracts no track.
FAR = 14.0
NEAR = 8.0
NEAR_TOWN = 3.0

#: Penalty for a metre-gauge city, as its tiles may run out.
FEW = 0.8

#: Effort to get round a tile that bars the best way.
DETOUR = 1.0


class Distances:
    """Least effort from anywhere to a city on the current map. As for contracts, stations block no
    company, and all stations of a city are one."""

    def __init__(self, components: Components1853, values: Sequence[float]) -> None:
        self.components = components
        self.board = components.board
        board = self.board
        #: Potential value of the stops of each hex.
        self.values = values
        self.place_of = {name: board.number(city.hex) for name, city in components.cities.items()}
        self.open = [self._open(place) for place in range(len(board.names))]
        self._effort = [self._efforts(place) for place in range(len(board.names))]
        #: For a hex with an end, the same end as seen from the next hex; below 0 at the edge of the
        #: map.
        self._beyond = [
            12 * other + (end + 6) % 12
            for row in board.neighbours
            for edge, other in enumerate(row)
            for end in (2 * edge, 2 * edge + 1)
        ]
        self._tables: dict[Ground, list[list[Crossing]]] = {}
        self._ends: dict[int, tuple[Face, list[tuple[int, int]]]] = {}

    def _efforts(self, place: int) -> dict[int, float]:
        """Effort of the first tile on a hex, by gauge. Metre-gauge city tiles are few."""
        hex, kinds = self.board.names[place], self.board.printed[place].kinds()
        found = {
            gauge: 1 + self.components.build_cost(hex, gauge == 2) / PER_TILE for gauge in GAUGES
        }
        found[2] += FEW * ("city" in kinds)
        return found

    def _open(self, place: int) -> tuple[int, ...]:
        """Edges that track can cross."""
        closed = self.board.closed[place]
        return tuple(
            edge
            for edge, other in enumerate(self.board.neighbours[place])
            if other >= 0 and not closed >> edge & 1
        )

    def near(self, place: int, border: int, gauge: int) -> Sequence[tuple[float, int]]:
        """Attraction of cities and towns, with their places, to a way that enters a hex; it falls
        with the distance on the empty map."""
        return self._invitations.get((place, border, gauge), ())

    @cached_property
    def _invitations(self) -> dict[tuple[int, int, int], list[tuple[float, int]]]:
        empty = TrackMap(self.board).position(Layout(), 0)
        found: dict[tuple[int, int, int], list[tuple[float, int]]] = {}
        for goal, face in enumerate(self.board.printed):
            kinds = face.kinds()
            within = NEAR if "city" in kinds else NEAR_TOWN
            for entry, far in enumerate(self._field(empty, goal, within) if kinds else ()):
                if far < FAR:
                    place, end = divmod(entry, 12)
                    key = place, self.board.borders[place][end // 2], end % 2 + 1
                    found.setdefault(key, []).append((self.values[goal] / (1 + far), goal))
        return found

    # ---- one hex

    def _crossings(self, ground: Ground) -> list[list[Crossing]]:
        """For every end by which a hex is left, the ends by which it may be entered."""
        known = self._tables.get(ground)
        if known is not None:
            return known
        place, face = ground.place, ground.face
        table: list[list[Crossing]] = [[] for _ in range(12)]
        edges = self.open[place]
        city = any(stop.kind == "city" for stop in face.stops)
        for out in edges:
            for way in edges:
                if way == out:
                    continue
                for gauge in GAUGES:
                    for other in GAUGES:
                        far = self._crossing(place, face, city, (way, other), (out, gauge))
                        if far < NEVER:
                            table[_end(out, gauge)].append((_end(way, other), far))
        self._tables[ground] = table
        return table

    def _crossing(
        self, place: int, face: Face, city: bool, enters: tuple[int, int], leaves: tuple[int, int]
    ) -> float:
        """Effort to lead track over a hex between two edges with gauges."""
        if face.colour == "white":
            effort = self._effort[place][leaves[1]]
            if enters[1] == leaves[1]:
                return effort
            return effort + CHANGE if city else NEVER
        first, second = (led(face, *end) for end in (enters, leaves))
        if first and second and (city or first & second):
            if first & second and (enters[1] == leaves[1] or city):
                return RUN
            if city:
                # All stations of a city are one.
                return RUN
        if enters[1] != leaves[1] and not city:
            return NEVER
        return self._replacing(face)

    def _replacing(self, face: Face) -> float:
        return {"yellow": REPLACE, "green": 2 * REPLACE, "brown": 3 * REPLACE}.get(
            face.colour, NEVER
        )

    def _entering(self, ground: Ground, edge: int, gauge: int) -> float:
        """Effort to lead track from an edge of a hex to its city."""
        if ground.face.colour == "white":
            return self._effort[ground.place][gauge]
        return 0.0 if led(ground.face, edge, gauge) else self._replacing(ground.face)

    # ---- fields

    def field(self, position: TrackPosition, city: str) -> Sequence[float]:
        """Distances to a city from every hex and end."""
        key = f"far {city}"
        known = position.memo.get(key)
        if isinstance(known, list):
            return known
        found = position.memo[key] = self._field(position, self.place_of[city])
        return found

    def _field(self, position: TrackPosition, goal: int, within: float = FAR) -> list[float]:
        grounds = position.grounds
        found = [FAR] * (12 * len(grounds))
        best = [within] * len(found)
        waiting = [
            (self._entering(grounds[goal], edge, gauge), 12 * goal + _end(edge, gauge))
            for edge in self.open[goal]
            for gauge in GAUGES
        ]
        heapq.heapify(waiting)
        while waiting:
            far, entry = heapq.heappop(waiting)
            if found[entry] < FAR:
                continue
            found[entry] = far
            place, out = divmod(self._beyond[entry], 12)
            if place == goal:
                continue
            for end, more in self._crossings(grounds[place])[out]:
                total, key = far + more, 12 * place + end
                if total < best[key]:
                    best[key] = total
                    heapq.heappush(waiting, (total, key))
        return found

    # ---- between cities

    def between(self, position: TrackPosition, one: str, other: str) -> float:
        """Effort to connect two cities."""
        field, place = self.field(position, other), self.place_of[one]
        ground = position.grounds[place]
        best = FAR
        for edge in self.open[place]:
            for gauge in GAUGES:
                far = self._outward(field, place, _end(edge, gauge))
                best = min(best, far + self._entering(ground, edge, gauge))
        return best

    def by_tile(
        self, position: TrackPosition, place: int, face: Face, one: str, other: str
    ) -> float:
        """Effort to connect two cities over a hex with this face."""
        first, second = self.field(position, one), self.field(position, other)
        ends = self._ends_of(face)
        if place in (self.place_of[one], self.place_of[other]):
            field = second if place == self.place_of[one] else first
            return min((self._outward(field, place, _end(*end)) for end in ends), default=FAR)
        best = FAR
        city = any(stop.kind == "city" for stop in face.stops)
        for enters in ends:
            near = self._outward(first, place, _end(*enters))
            if near >= best:
                continue
            for leaves in ends:
                if enters[0] != leaves[0]:
                    across = self._crossing(place, face, city, enters, leaves)
                    rest = self._outward(second, place, _end(*leaves))
                    best = min(best, near + across + rest)
        return best

    def with_tile(
        self, position: TrackPosition, place: int, face: Face, pair: tuple[str, str], far: float
    ) -> float:
        """Effort to connect two cities, so far `far` apart, with a new tile on a hex."""
        found = min(FAR, self.by_tile(position, place, face, *pair))
        if found <= far:
            return found
        if not self._between_by(position, place, pair, far):
            return far
        return min(found, far + DETOUR)

    def _between_by(
        self, position: TrackPosition, place: int, pair: tuple[str, str], far: float
    ) -> bool:
        """Whether the best way between two cities leads over a hex."""
        one, other = pair
        if place in (self.place_of[one], self.place_of[other]):
            return True
        first, second = self.field(position, one), self.field(position, other)
        for out, crossings in enumerate(self._crossings(position.grounds[place])):
            rest = self._outward(second, place, out)
            if rest < far:
                for end, more in crossings:
                    if self._outward(first, place, end) + more + rest <= far + RUN:
                        return True
        return False

    def _ends_of(self, face: Face) -> list[tuple[int, int]]:
        """Edges that a face's track leads to, with gauges."""
        known = self._ends.get(id(face))
        if known is None:
            ends = [
                (edge, gauge) for edge in range(6) for gauge in GAUGES if led(face, edge, gauge)
            ]
            known = self._ends[id(face)] = face, ends
        return known[1]

    def _outward(self, field: Sequence[float], place: int, end: End) -> float:
        """Distance by a way that leaves a hex."""
        entry = self._beyond[12 * place + end]
        return field[entry] if entry >= 0 else FAR

    def tree(self, distances: Mapping[tuple[str, str], float], cities: Iterable[str]) -> float:
        """Length of a minimum spanning tree of these cities."""
        left = list(cities)
        joined = [left.pop(0)]
        total = 0.0
        while left:
            far, city = min(
                (distances[min(one, other), max(one, other)], other)
                for one in joined
                for other in left
            )
            total += far
            left.remove(city)
            joined.append(city)
        return total


def _end(edge: int, gauge: int) -> End:
    return 2 * edge + gauge - 1


def led(face: Face, edge: int, gauge: int) -> frozenset[int]:
    """What track of a gauge leads to from an edge of a face: stops, and other edges. Track between
    two edges has one key for both."""
    found: set[int] = set()
    for path in face.paths:
        if path.gauge & gauge and edge in path[:2]:
            a, b = path[:2]
            found.add(max(a, b) if max(a, b) >= STOP else -1 - min(a, b) * STOP - max(a, b))
    return frozenset(found)


#: Expected later revenue of a company per operating round, by phase.
LATER_REVENUE = (60, 90, 130, 190)

#: Maximum number of remaining operating rounds, by phase; and growth of revenues.
MAX_ROUNDS = (18, 15, 11, 9)
GROWTH = 1.05

#: Payments of the bank per operating round besides the last revenues.
OTHER_PAYMENTS = 150

#: Part of the rounds in which a company pays out.
PAYS = 0.9

#: Weight of treasury money for the shareholders.
TREASURY_PART = 0.3

#: Number of rounds until a new company's first revenue.
FIRST_RUN = 2


class Estimates:
    """Estimates for the companies in one state, cached."""

    def __init__(
        self, ruleset: Ruleset1853, prospects: Prospects, ways: Distances, state: State1853
    ) -> None:
        self.ruleset = ruleset
        self.prospects = prospects
        self.ways = ways
        self.state = state
        self.stage = state.phase
        self.memo: dict[str, dict[str, Any]] = {
            name: {} for name in ("_trains", "course", "income", "sight")
        }

    # ---- runs

    @per_company
    def sight(self, company: str) -> Sight:
        """What a company can run on now."""
        return self.prospects.sight(self.position, company)

    @cached_property
    def position(self) -> TrackPosition:
        """Current track."""
        return self.ruleset.components.track.position(self.state.layout, self.stage)

    def earnings(self, company: str, trains: Sequence[str]) -> Earnings:
        """Revenue and mail of a company with these trains."""
        if not trains:
            return Earnings(0)
        return self.prospects.earned(self.position.network(company), trains)

    def trains(self, company: str) -> list[str]:
        """Trains of a company."""
        return [*self._trains(company)]

    @per_company
    def _trains(self, company: str) -> list[str]:
        return self.ruleset.trains(self.state, company)

    def doomed(self, train: str, within: int = 2) -> bool:
        """Whether a train rusts within that many further sales of standard-gauge trains."""
        components = self.ruleset.components
        scrapper = components.train_records[train].scrapped_by
        if scrapper is None:
            return False
        return self._left_before.get(scrapper, 0) < within

    @cached_property
    def _left_before(self) -> dict[str, int]:
        """Number of standard-gauge trains to be sold before the first of each type."""
        left, found = 0, {}
        for name in self.ruleset.components.train_order:
            found[name] = left
            if not self.ruleset.depot.metre(name):
                left += self.state.ledger.held(train_item(name), "stack")
        return found

    def lasting(self, company: str, within: int = 2) -> list[str]:
        """Trains of a company that will not rust soon."""
        return [train for train in self.trains(company) if not self.doomed(train, within)]

    # ---- the course of the game

    @cached_property
    def rounds_left(self) -> float:
        """Expected number of remaining operating rounds, by the bank's money."""
        state, ruleset = self.state, self.ruleset
        if state.broken:
            return 0.5
        paid = sum(found.revenue for found in state.companies.values() if found.operating)
        left = ruleset.money(state, BANK) / (1.5 * paid + OTHER_PAYMENTS)
        return min(max(left, 1.0), MAX_ROUNDS[self.stage])

    @per_company
    def income(self, company: str) -> float:
        """Expected revenue of a company per operating round; the same as long as neither track nor
        trains nor its money change."""
        state, ruleset = self.state, self.ruleset
        charter = state.charters[company]
        key = (
            company,
            state.companies[company].operating,
            ruleset.money(state, company),
            ruleset.control.director(state, company) is None,
            charter.large,
            charter.token,
        )
        found = self._incomes.get(key)
        if found is None:
            found = self._incomes[key] = self._income(company)
        return found

    @cached_property
    def _incomes(self) -> dict[Hashable, float]:
        """Known incomes, kept with the position for the trains there are."""
        state, items = self.state, self.state.ledger.items
        trains = (
            state.small_founded,
            state.round.number,
            state.round.part,
            *[
                tuple(items[train_item(name)].items())
                for name in self.ruleset.components.train_order
            ],
        )
        memo = self.position.memo
        known: tuple[object, dict[Hashable, float]] | None = memo.get("incomes")
        if known is None or known[0] != trains:
            known = memo["incomes"] = trains, {}
        return known[1]

    def _income(self, company: str) -> float:
        state, ruleset = self.state, self.ruleset
        hope = LATER_REVENUE[self.stage]
        if not state.companies[company].operating:
            return float(hope)
        lasting = self.lasting(company)
        now, mail = self.earnings(company, lasting)
        money = ruleset.money(state, company) + mail
        best = 0.0
        if len(self.trains(company)) < ruleset.depot.train_limit(state, company):
            for train, _, price in ruleset.depot.offers(state, company):
                more = self.earnings(company, [*lasting, train])[0] - now
                best = max(best, more * (0.8 if money >= price else 0.35))
        directed = ruleset.control.director(state, company) is not None
        return max(now + best, 0.25 * hope) * (1.0 if directed else 0.4)

    @per_company
    def course(self, company: str) -> tuple[float, float]:
        """Dividends per share until the end of the game, and the final price."""
        state, ruleset = self.state, self.ruleset
        public = ruleset.public[company]
        found = state.companies[company]
        cell = found.cell or public.cell
        income, left = self.income(company), self.rounds_left
        if not found.operating:
            left = max(0.0, left - FIRST_RUN)
        elif not self.trains(company):
            left = max(0.0, left - 1)
        chart, paid = ruleset.chart, 0.0
        while left > 0 and income > 0:
            part = min(left, 1.0)
            paid += PAYS * part * income / 10
            price = chart.price[cell]
            if part == 1:
                cell = ruleset.market.raised(cell, max(1, min(5, int(income // price))))
            income *= GROWTH
            left -= 1
        price = chart.price[cell]
        if not found.operating:
            return paid, float(price)
        return paid, 0.1 * chart.price[found.cell] + 0.9 * price

    def share_value(self, company: str) -> float:
        """Value of one share by the end of the game."""
        paid, price = self.course(company)
        return 0.9 * paid + price

    # ---- players

    def part(self, seat: int, company: str) -> float:
        """Part of a company's revenue that a player receives; unredeemed shares pay nothing."""
        percent = self.ruleset.percent(self.state, PLAYERS[seat], company)
        return (percent - 10 * self.ruleset.unpaid(self.state, seat, company)) / 100

    def ahead(self, seat: int, company: str) -> float:
        """Lead a player gains per 1 that a company gains, over the average of the best other player
        and all others' mean."""
        parts = [self.part(other, company) for other in range(self.state.seats)]
        mine = parts.pop(seat)
        return mine - (max(parts) + sum(parts) / len(parts)) / 2

    def values(self) -> list[float]:
        """Expected final wealth of every player, ignoring sealed contracts."""
        ruleset, state = self.ruleset, self.state
        if not state.agenda:
            return list(map(float, ruleset.market.wealth(state)))
        left = self.rounds_left
        found = []
        for seat in range(state.seats):
            value = float(ruleset.cash(state, seat) + ruleset.noted(state, PLAYERS[seat]))
            for company, public in ruleset.public.items():
                count = ruleset.shares_of(state, seat, company)
                if count:
                    unpaid = ruleset.unpaid(state, seat, company)
                    value += count * self.share_value(company) - unpaid * public.par
            contract = state.contracts[seat]
            if contract.bond and not contract.shown:
                value += contract.bond * min(1.0, left / 12)
            found.append(value)
        return found
