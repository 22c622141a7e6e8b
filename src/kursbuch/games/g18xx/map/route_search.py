"""Exact search for the best routes of a company's trains, for every title of the family.

The module knows no title. A `Network` holds stops with their values and the track between them; all
peculiarities of a title are data of its stops and segments (`Stop`, `Segment`). `best_routes` returns
the routes with the best total over all trains.

A route runs over at least two stops, enters no stop twice, calls at every stop it reaches and includes
an own station. No track is used twice, by one train or by several.

>>> from kursbuch.games.g18xx.map.routes import Network, Segment, Stop, Train
>>> network = Network(
...     stops=(Stop(20, own=True), Stop(10, town=True), Stop(40), Stop(30)),
...     segments=(Segment(0, 1, 0b001), Segment(1, 2, 0b010), Segment(0, 3, 0b100)),
... )
>>> best_routes(network, [Train(2)])
Best(total=50, routes=(Route(value=50, stops=(0, 3), segments=(2,)),))
>>> best_routes(network, [Train(2), Train(2, 1)]).total
120

Every route is found from its first own station, by growing one arm and then a second. All routes of a small
network are found once, for trains of any range. In large networks upper bounds on the earnings of an arm
prune the search. Routes of several trains are combined from lists
in which one integer per piece of track holds the routes that use it, so a few integer operations tell
what remains for the other trains after a choice. docs/eighteen.md says more.

Ties: trains run one by one from the longest range down, each where it earns most on the remaining track,
if that reaches the best total. Otherwise the first set found is taken, where trains of shorter range try
routes that earn more first. Of equal routes the one with fewer segments comes first, then the one whose
highest segment number is lower, and so on downwards. Equal networks and trains always give equal routes.
"""

# Nested functions are deleted at the end because they refer to themselves; mypy knows their names.
# ruff: noqa: F821

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from math import gcd
from operator import neg

from kursbuch.games.g18xx.map.routes import (
    NEVER,
    Arcs,
    ArcStep,
    Best,
    FoundRoute,
    Network,
    Route,
    Train,
    set_bits,
    track_marks,
    unit_of,
    users_of,
    weighted,
)

#: Number of routes that are found once for all trains, and of segments with which that is tried.
_FEW, _SMALL = 100, 24

#: Number of steps tried without bounds: most networks need no more, and bounds take time.
_WITHOUT_BOUNDS = 1500


class _Enough(Exception):
    """The search without bounds takes too many steps."""


def best_routes(network: Network, trains: Sequence[Train]) -> Best:
    """The best routes for trains without required segments; see the module docstring for ties."""
    best = Search(network).best(trains)
    assert best is not None
    return best


class Search:
    """A network prepared for the search, with caches.

    One integer describes what a route uses. Its bits are, from the lowest: stops entered or
    excluded, segments, and track that several segments share.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self.size = len(network.stops)
        self.marks, self.shared = track_marks(network)
        groups: dict[int, int] = {}
        for number, stop in enumerate(network.stops):
            if stop.group >= 0:
                groups[stop.group] = groups.get(stop.group, 0) | 1 << number
        #: Stops excluded by entering a stop: itself and the rest of its group.
        self.entered = [
            1 << number if stop.group < 0 else groups[stop.group]
            for number, stop in enumerate(network.stops)
        ]
        self.maps: dict[tuple[int, int], Arcs] = {}
        #: All routes by gauges, None if there are many.
        self.all: dict[int, list[_AnyRoute] | None] = {}
        self._forget()

    def _forget(self) -> None:
        self.bounds: dict[Train, _Bounds] = {}
        self.values: dict[Train, int] = {}
        self.single: dict[Train, FoundRoute] = {}
        self.remains: dict[tuple[Train, int], FoundRoute] = {}
        self.lists: dict[Train, _List] = {}
        self.together: dict[tuple[Train, ...], list[FoundRoute]] = {}

    def fresh_copy(self) -> Search:
        """A copy without cached trains. Cached trains do not change what several trains earn, but
        may change which of equal routes they take."""
        other = Search.__new__(Search)
        other.__dict__.update(self.__dict__)
        other._forget()
        return other

    @cached_property
    def unit(self) -> int:
        """Common divisor of all values."""
        return unit_of(self.network)

    def arcs(self, gauges: int, weight: int) -> Arcs:
        """Arcs for trains of these gauges, with values weighted."""
        found = self.maps.get((gauges, weight))
        if found is None:
            network = weighted(self.network, weight)
            found = Arcs(network, self.marks, self.entered, gauges, weight)
            self.maps[gauges, weight] = found
        return found

    def few(self, gauges: int) -> list[_AnyRoute] | None:
        """All routes for trains of these gauges, those with the least track first; None if there are
        many."""
        if gauges not in self.all:
            small = len(self.network.segments) <= _SMALL
            found = _any_routes(self.arcs(gauges, 1)) if small else None
            if found is not None:
                size, segments = self.size, (1 << len(self.network.segments)) - 1
                ways = [route[2] >> size & segments for route in found]
                order = sorted([(way.bit_count(), way, n) for n, way in enumerate(ways)])
                found = [found[n] for _, _, n in order]
            self.all[gauges] = found
        return self.all[gauges]

    def most(self, trains: Sequence[Train]) -> int:
        """Upper bound of the trains' total: what each could earn alone. Below 0 if one of them has
        to run and cannot."""
        return sum(self.alone(train)[0] for train in trains)

    def best(self, trains: Sequence[Train]) -> Best | None:
        """The best routes for the trains together, None if one of them has to run and cannot."""
        order = sorted(range(len(trains)), key=lambda n: (_rank(trains[n]), n))
        chosen = self.combination([trains[n] for n in order])
        routes: list[Route | None] = [None] * len(trains)
        for n, found in zip(order, chosen, strict=False):
            if found[1]:
                routes[n] = self.route(found)
        total = sum(found[0] for found in chosen)
        return Best(total, tuple(routes)) if total >= 0 else None

    def total(self, trains: Sequence[Train]) -> int:
        """The best total of trains without required segments."""
        if len(trains) == 1:
            return self.value(trains[0])
        return sum(value for value, _ in self.combination(sorted(trains, key=_rank)))

    def route(self, found: FoundRoute) -> Route:
        """The route of a candidate, from the end with the lower number."""
        value, used = found
        segments = self.network.segments
        around: dict[int, list[int]] = {}
        for number in set_bits((used >> self.size) & ((1 << len(segments)) - 1)):
            around.setdefault(segments[number].a, []).append(number)
            around.setdefault(segments[number].b, []).append(number)
        here = min(stop for stop, near in around.items() if len(near) == 1)
        stops = [here]
        way: list[int] = []
        last = -1
        while True:
            onward = [number for number in around[here] if number != last]
            if not onward:
                return Route(value, tuple(stops), tuple(way))
            last = onward[0]
            here = segments[last].b if segments[last].a == here else segments[last].a
            stops.append(here)
            way.append(last)

    # ---- one train

    def search(
        self, train: Train, within: int, floor: int, closed: int = 0, spare: int = 0
    ) -> list[FoundRoute]:
        """Routes of a train that use nothing `closed`, are worth at least `floor` and at most
        `within` less than the best, or `spare` if the search takes bounds; best first. If there are
        `few`, also all that are worth less than that."""
        few = self.few(train.gauges)
        if few is not None:
            return _fitting(few, train, floor, closed, self.size)
        found = self._routes(train, within, floor, closed, spare)
        if not found:
            return []
        if spare > within and _range(train) in self.bounds:
            within = spare
        least = max(floor, max(found)[0] - within)
        size, segments = self.size, (1 << len(self.network.segments)) - 1

        good = sorted(
            [
                (-value, (way := used >> size & segments).bit_count(), way, used & ~closed)
                for value, used in found
                if value >= least
            ]
        )
        return [(-value, used) for value, _, _, used in good]

    def _routes(
        self, train: Train, within: int, floor: int, closed: int, spare: int = 0
    ) -> list[FoundRoute]:
        """Such routes in any order, perhaps with some worth less."""
        arcs = self.arcs(train.gauges, train.weight)
        if train.via and not arcs.reaches(train):
            return []
        bounds = self.bounds.get(_range(train))
        if bounds is None:
            try:
                return _all_routes(arcs, train, within, floor, closed)
            except _Enough:
                bounds = self.bounds[_range(train)] = _Bounds(arcs, train)
        return _good_routes(bounds, train, max(within, spare), floor, closed)

    def value(self, train: Train) -> int:
        """Value of the best route of a train that need not run."""
        known = self.single.get(train)
        if known is not None:
            return known[0]
        if self.few(train.gauges) is not None:
            return max(0, self.alone(train)[0])
        value = self.values.get(train)
        if value is None:
            # Only routes better than the best so far matter.
            found = self._routes(train, -1, 1, 0)
            value = self.values[train] = max(found)[0] if found else 0
        return value

    def runs(self, train: Train) -> bool:
        """Whether a train can run at all."""
        known = self.single.get(train)
        if known is None and self.few(train.gauges) is not None:
            known = self.alone(train)
        # No route is better than the first by as much, so the search ends there.
        return known[0] > 0 if known else bool(self._routes(train, NEVER, 1, 0))

    # ---- several trains

    def combination(self, trains: Sequence[Train]) -> list[FoundRoute]:
        """The best routes for trains sorted by range, longest first."""
        known = self.together.get(tuple(trains))
        if known is None:
            known = self.together[tuple(trains)] = self._combination(trains)
        return known

    def _combination(self, trains: Sequence[Train]) -> list[FoundRoute]:
        # One train after the other: often this is the best already.
        alone = [self.alone(train) for train in trains]
        best: list[FoundRoute] = []
        taken = total = most = 0
        for train, found in zip(trains, alone, strict=True):
            most += found[0]
            if found[1] & taken:
                found = self.left(train, taken)
            best.append(found)
            total += found[0]
            taken |= found[1] >> self.size << self.size
        if total >= most:
            return best
        # Upper bound for the other trains, each on its own; or together, where that is worth the
        # time.
        others = {train: most - value for train, (value, _) in zip(trains, alone, strict=True)}
        many = any(_range(train) in self.bounds for train in trains)
        if many and len(trains) > 2 and total < most:
            for train in others:
                without = list(trains)
                without.remove(train)
                others[train] = sum(value for value, _ in self.combination(without))
                most = min(most, self.alone(train)[0] + others[train])
        # In a set worth the target no train earns less than what the others leave of it. The lists
        # for a high target are short, and mostly come so near to it that nothing better is
        # possible.
        unit = self.unit * gcd(*(count for train in trains for count in (train.weight, train.ends)))
        gap = self.unit * max(train.weight for train in trains) if many else most
        while total < most:
            least = max(0, total) + unit
            target = max(least, most - gap)
            lists = {train: self.worth(train, max(1, target - others[train])) for train in others}
            better = _combine(trains, lists, least)
            if better:
                best, total = better, sum(value for value, _ in better)
            if max(0, total) + unit >= target:
                break
            gap = 2 * gap + unit
        return best

    def alone(self, train: Train) -> FoundRoute:
        """The best route of a train on its own, worth 0 if it has none."""
        found = self.single.get(train)
        if found is None:
            # Where the search is long, slightly worse routes come with it, and are asked for next.
            spare = self.unit * train.weight
            good = self.search(train, 0, 1, spare=spare)
            found = self.single[train] = (*good, _idle(train))[0]
            floor = max(1, found[0] - spare) if _range(train) in self.bounds else found[0]
            floor = floor if self.few(train.gauges) is None else 1
            self.lists[train] = _List(good, _idle(train), floor, self.shared)
        return found

    def left(self, train: Train, taken: int) -> FoundRoute:
        """The best route of a train on track that is not taken."""
        # All routes worth as much as those known are known.
        free = next(each for each in self.lists[train].found if not each[1] & taken)
        if free[1] or self.few(train.gauges) is not None:
            return free
        key = (train, taken)
        if key not in self.remains:
            self.remains[key] = (*self.search(train, 0, 1, taken), _idle(train))[0]
        return self.remains[key]

    def worth(self, train: Train, floor: int) -> tuple[_List, int]:
        """Routes of a train, best first, and how many of them are worth at least `floor`."""
        best = self.alone(train)[0]
        known = self.lists[train]
        if floor < known.floor:
            found = self.search(train, best, floor)
            known = self.lists[train] = _List(found, _idle(train), floor, self.shared)
        return known, bisect_right(known.values, -floor, key=neg, hi=known.size)


def _rank(train: Train) -> tuple[int, int, Train]:
    """Sort key of trains: longest range first."""
    return -(train.stops + train.towns), -train.stops, train


def _range(train: Train) -> Train:
    """The train reduced to its range."""
    return train._replace(ends=0, via=()) if train.ends or train.via else train


def _idle(train: Train) -> FoundRoute:
    """The candidate of a train that does not run."""
    return (NEVER if train.via else 0), 0


class _List:
    """Candidates of a train worth at least `floor`, best first; the last one stands for not
    running."""

    def __init__(self, found: list[FoundRoute], idle: FoundRoute, floor: int, shared: int) -> None:
        self.found = [*found, idle]
        self.floor = floor
        self.size = len(found)
        self.values = [value for value, _ in self.found]
        #: The part of each candidate's track that can conflict with others.
        self.tracks = [used & shared for _, used in self.found]
        self.memory: dict[int, int] = {}

    @cached_property
    def users(self) -> dict[int, int]:
        """Candidates, as bits, by the track they use."""
        return users_of(self.tracks)

    @cached_property
    def most(self) -> int:
        """Candidates, as bits, with the piece of track that most of them use."""
        return max(self.users.values(), key=int.bit_count, default=0)

    def conflicts(self, track: int) -> int:
        """Candidates, as bits, that share some of this track."""
        known = self.memory.get(track)
        if known is None:
            users = self.users
            rest, known = track, 0
            while rest:
                low = rest & -rest
                rest ^= low
                known |= users.get(low, 0)
            self.memory[track] = known
        return known


#: A step of the search with bounds, in the order in which they are tried: the bound of everything
#: through it, negative; its arc, what must be free, what it uses, its value above the price of its
#: stop, and whether that is a city.
_Rated = tuple[int, int, int, int, int, int]

#: What a step earns above the price of its stop, and its arc.
_Net = tuple[int, int]


class _Bounds:
    """Upper bounds of an arm's further earnings, by its last arc and the stops left.

    The range by kind of stop is relaxed: each city costs `price`, refunded for every city of the
    range. Any price gives a valid bound; it is tight if a train would gladly give up a city for it.
    """

    def __init__(self, arcs: Arcs, train: Train) -> None:
        self.arcs = arcs
        stops = arcs.network.stops
        towns = min(train.towns, sum(stop.town for stop in stops))
        self.length = min(train.stops + towns, len(stops))
        self.price = 0
        if train.towns:
            cities = sorted((stop.value for stop in stops if not stop.town), reverse=True)
            self.price = cities[min(train.stops, len(cities)) - 1] if cities else 0
        self.second = self._second()
        #: Steps after an arc, by the number of stops left: of second arms, and of first arms by root.
        self.second_rows = self.empty_rows()
        self.first_rows: dict[int, list[dict[int, list[_Rated]]]] = {}
        self.arms: dict[int, list[int]] = {}

    def empty_rows(self) -> list[dict[int, list[_Rated]]]:
        """A table of steps by the number of stops left and the last arc."""
        return [{} for _ in range(self.length)]

    def _second(self) -> list[list[int]]:
        """Maximum of what can follow each arc, by the number of stops left."""
        arcs, price = self.arcs, self.price
        table = [[0] for _ in arcs.steps]
        # Arcs to a stop mostly have the best of its steps in common: those that bar it look again.
        alike: dict[int, tuple[list[_Net], list[tuple[int, list[_Net], set[int]]]]] = {}
        for arc, stop in enumerate(arcs.targets):
            row = [(gain - price * city, after) for _, _, gain, city, after in arcs[arc]]
            if not row:
                continue
            if arcs.network.stops[stop].toll:
                alike[~arc] = row, [(arc, row, set())]
                continue
            if stop not in alike:
                leaving = [(step[2] - price * step[3], step[4]) for step in arcs.leaving[stop]]
                alike[stop] = leaving, []
            barred = {after for _, after in alike[stop][0]}.difference(after for _, after in row)
            alike[stop][1].append((arc, row, barred))
        before = [0] * len(table)
        for _ in range(self.length):
            now = [0] * len(table)
            for leaving, arriving in alike.values():
                values = [net + before[after] for net, after in leaving]
                most = max(values)
                if most <= 0:
                    continue
                best = leaving[values.index(most)][1]
                for arc, row, barred in arriving:
                    if best not in barred:
                        now[arc] = most
                    else:
                        now[arc] = max(0, *[net + before[after] for net, after in row])
            for values, value in zip(table, now, strict=True):
                values.append(value)
            before = now
        return table

    def after_first(self, root: int, arms: list[tuple[ArcStep, list[ArcStep]]]) -> list[int]:
        """Maximum of what a second arm from a station can earn, by the number of stops left, most
        first."""
        found = self.arms.get(root)
        if found is None:
            price, second = self.price, self.second
            found = self.arms[root] = [
                max(0, *[step[2] - price * step[3] + second[step[4]][left - 1] for step, _ in arms])
                for left in range(self.length, 0, -1)
            ]
            found.append(0)
        return found

    def rated(self, row: list[ArcStep], left: int, others: list[int] | None = None) -> list[_Rated]:
        """Steps of a row with their bounds when `left` stops may be entered, the most promising
        first. A first arm shares the stops left with a second, for which `others` are the bounds."""
        price, second, rest = self.price, self.second, left - 1
        others = others and others[self.length - rest :]
        found = []
        for need, used, gain, city, arc in row:
            net = gain - price * city
            most = max(map(operator.add, second[arc], others)) if others else second[arc][rest]
            found.append((-net - most, arc, need, used, net, city))
        found.sort()
        return found


#: A route for trains of any range: its value, the values of both ends, what it uses, its cities and
#: its stops.
_AnyRoute = tuple[int, int, int, int, int]


def _any_routes(arcs: Arcs) -> list[_AnyRoute] | None:
    """All routes, None if there are many."""
    stops, targets = arcs.network.stops, arcs.targets
    found: list[_AnyRoute] = []

    def grow(
        row: list[ArcStep],
        seconds: list[ArcStep],
        tail: int,
        used: int,
        value: int,
        cities: int,
        calls: int,
    ) -> None:
        """Continue an arm in all ways, and then a second arm; `tail` is the value of the other end."""
        if len(found) > _FEW:
            raise _Enough
        for need, add, gain, city, arc in row:
            if used & need:
                continue
            now, taken, called = value + gain, used | add, cities + city
            end = stops[targets[arc]].value
            found.append((now, tail + end, taken, called, calls + 1))
            grow(arcs[arc], seconds, tail, taken, now, called, calls + 1)
            if seconds:
                grow(seconds, [], end, taken, now, called, calls + 1)

    closed = 0
    try:
        for root, arms in arcs.arms:
            stop = stops[root]
            used = arcs.entered[root] | closed
            for step, seconds in arms:
                grow([step], seconds, stop.value, used, stop.value, 0 if stop.town else 1, 1)
            closed |= 1 << root
    except _Enough:
        return None
    finally:
        del grow
    return found


def _fitting(
    few: list[_AnyRoute], train: Train, floor: int, closed: int, size: int
) -> list[FoundRoute]:
    """Those of some routes that a train can run without what is `closed`, worth at least `floor`,
    best first; those worth the same in the order given."""
    cities, calls, asked = (
        train.stops,
        train.stops + train.towns,
        [via << size for via in train.via],
    )
    found = [
        (value * train.weight + ends * train.ends, used)
        for value, ends, used, called, all_calls in few
        if called <= cities and all_calls <= calls and not used & closed
    ]
    if asked:
        found = [each for each in found if all(each[1] & via for via in asked)]
    return sorted([each for each in found if each[0] >= floor], key=_gain)


def _gain(found: FoundRoute) -> int:
    return -found[0]


def _all_routes(arcs: Arcs, train: Train, within: int, floor: int, closed: int) -> list[FoundRoute]:
    """All routes of a train worth at least `floor`, perhaps with some more than `within` below the
    best. Raise `_Enough` if there are many."""
    stops = arcs.network.stops
    targets = arcs.targets
    ends, extra = arcs.ends(train)
    asked = _asked(arcs, train, closed)
    longest = min(train.stops + train.towns, len(stops))
    hope = arcs.hope(min(train.stops, longest), longest)
    found: list[FoundRoute] = []
    steps_taken = 0

    def emit(value: int, used: int, one: int, other: int) -> None:
        nonlocal floor
        if ends:
            value += ends[one] + ends[other]
        if value < floor:
            return
        for via in asked:
            if not used & via:
                return
        found.append((value, used))
        floor = max(floor, value - within)

    def grow(row: list[ArcStep], used: int, value: int, cities: int, left: int, tail: int) -> None:
        """Continue the second arm in all ways; `cities` and `left` are the remaining range."""
        for need, add, gain, city, arc in row:
            if used & need or city > cities:
                continue
            now = value + gain
            if now >= floor or ends:
                emit(now, used | add, tail, targets[arc])
            if left > 1 and now + hope[cities - city][left - 1] + extra >= floor:
                grow(arcs[arc], used | add, now, cities - city, left - 1, tail)

    def begin(
        row: list[ArcStep],
        seconds: list[ArcStep],
        used: int,
        value: int,
        cities: int,
        left: int,
        root: int,
    ) -> None:
        """Find all routes whose first arm continues with one of these steps."""
        nonlocal steps_taken
        steps_taken += len(row) + len(seconds)
        if steps_taken > _WITHOUT_BOUNDS:
            raise _Enough
        for need, add, gain, city, arc in row:
            if used & need or city > cities:
                continue
            now, taken, free = value + gain, used | add, cities - city
            if now >= floor or ends:
                emit(now, taken, root, targets[arc])
            if left > 1 and now + hope[free][left - 1] + extra >= floor:
                begin(arcs[arc], seconds, taken, now, free, left - 1, root)
                if seconds:
                    grow(seconds, taken, now, free, left - 1, targets[arc])

    try:
        for root, arms in arcs.arms:
            cities = min(train.stops, longest) - (0 if stops[root].town else 1)
            left = longest - 1
            if cities >= 0 and left > 0:
                used = arcs.entered[root] | closed
                for step, seconds in arms:
                    begin([step], seconds, used, stops[root].value, cities, left, root)
            closed |= 1 << root  # later stations find what follows
    finally:
        del begin, grow  # break the reference cycles now, rather than by garbage collection
    return found


def _good_routes(
    bounds: _Bounds, train: Train, within: int, floor: int, closed: int
) -> list[FoundRoute]:
    """The same routes, pruned by bounds. Values are counted above the price of the stops."""
    arcs = bounds.arcs
    stops = arcs.network.stops
    targets = arcs.targets
    ends, extra = arcs.ends(train)
    asked = _asked(arcs, train, closed)
    price = bounds.price
    second_rows = bounds.second_rows
    found: list[FoundRoute] = []
    #: Value to reach above the price of the range's cities.
    refund = price * train.stops
    least = floor - refund - extra

    def emit(value: int, used: int, one: int, other: int) -> None:
        nonlocal floor, least
        if ends:
            value += ends[one] + ends[other]
        if value < floor:
            return
        for via in asked:
            if not used & via:
                return
        found.append((value, used))
        floor = max(floor, value - within)
        least = floor - refund - extra

    def grow(row: list[_Rated], used: int, net: int, cities: int, left: int, tail: int) -> None:
        rows = second_rows[left - 1]
        for bound, arc, need, add, gain, city in row:
            if net - bound < least:
                return
            if used & need or city > cities:
                continue
            now, free = net + gain, cities - city
            value = now + refund - price * free
            if value >= floor or ends:
                emit(value, used | add, tail, targets[arc])
            if left > 1:
                onward = rows.get(arc)
                if onward is None:
                    onward = rows[arc] = bounds.rated(arcs[arc], left - 1)
                if onward:
                    grow(onward, used | add, now, free, left - 1, tail)

    def begin(
        row: list[_Rated], seconds: list[ArcStep], used: int, net: int, cities: int, left: int
    ) -> None:
        rows = first_rows[left - 1]
        for bound, arc, need, add, gain, city in row:
            if net - bound < least:
                return
            if used & need or city > cities:
                continue
            now, taken, free = net + gain, used | add, cities - city
            value = now + refund - price * free
            if value >= floor or ends:
                emit(value, taken, root, targets[arc])
            if left > 1:
                onward = rows.get(arc)
                if onward is None:
                    onward = rows[arc] = bounds.rated(arcs[arc], left - 1, others)
                begin(onward, seconds, taken, now, free, left - 1)
                if seconds:
                    onward = rows.get(~arm)
                    if onward is None:
                        onward = rows[~arm] = bounds.rated(seconds, left - 1)
                    grow(onward, taken, now, free, left - 1, targets[arc])

    for root, arms in arcs.arms:
        city = 0 if stops[root].town else 1
        left = bounds.length - 1
        if city <= train.stops and left > 0:
            others = bounds.after_first(root, arms)
            first_rows = bounds.first_rows.setdefault(root, bounds.empty_rows())
            used = arcs.entered[root] | closed
            net = stops[root].value - price * city
            for step, seconds in arms:
                arm = step[4]
                row = bounds.rated([step], left, others)
                begin(row, seconds, used, net, train.stops - city, left)
        closed |= 1 << root
    del begin, grow
    return found


def _asked(arcs: Arcs, train: Train, closed: int) -> list[int]:
    """Segments that the train's routes have to use, without closed ones, in the bits of the search."""
    return [segments << len(arcs.network.stops) & ~closed for segments in train.via]


def _combine(
    trains: Sequence[Train], lists: dict[Train, tuple[_List, int]], floor: int
) -> list[FoundRoute]:
    """The best candidates of the trains that share no track, worth at least `floor`; else none."""
    # Shortest range first: it has the fewest candidates.
    kinds = list(lists)
    numbers = [kinds.index(train) for train in reversed(trains)]
    tables = [lists[kind][0] for kind in kinds]
    values = [table.values for table in tables]
    everything = [1 << table.size | (1 << count) - 1 for table, count in lists.values()]
    best = floor - 1
    chosen: list[int] = []
    picked: list[int] = []

    def choose(number: int, alive: list[int], total: int) -> None:
        """Choose for the trains from `number` on; `alive` are the candidates left."""
        nonlocal best, chosen
        kind = numbers[number]
        rest = numbers[number + 1 :]
        if rest == [kind]:
            choose_two(kind, alive[kind], total)
            return
        # Of equal trains a later one takes a later candidate, so it earns no more.
        same = 1 + rest.count(kind)
        most = total
        for other in rest:
            if other != kind:
                most += values[other][(alive[other] & -alive[other]).bit_length() - 1]
        left = alive[kind]
        while left:
            low = left & -left
            left ^= low
            index = low.bit_length() - 1
            value = values[kind][index]
            if value * same + most <= best:
                return
            if not rest:
                best = value + total
                chosen = [*picked, index]
                return
            track = tables[kind].tracks[index]
            if len(rest) == 1:
                # Fast path for the most frequent case.
                other = rest[0]
                fitting = alive[other] & ~tables[other].conflicts(track)
                last = (fitting & -fitting).bit_length() - 1
                if total + value + values[other][last] > best:
                    best = total + value + values[other][last]
                    chosen = [*picked, index, last]
                continue
            following = alive.copy()
            for other in set(rest):
                following[other] &= ~tables[other].conflicts(track)
            if same > 1:
                following[kind] &= ~(low - 1)
            bound = total + value
            for other in rest:
                bound += values[other][(following[other] & -following[other]).bit_length() - 1]
            if bound > best:
                picked.append(index)
                choose(number + 1, following, total + value)
                picked.pop()

    def choose_two(kind: int, left: int, total: int) -> None:
        """Choose for two equal trains that are last. One of them does without the track that most
        candidates use."""
        nonlocal best, chosen
        table, worth = tables[kind], values[kind]
        most = total + worth[(left & -left).bit_length() - 1]
        pair = (-best, -1, -1)
        ones = left & ~table.most
        while ones:
            one = (ones & -ones).bit_length() - 1
            ones &= ones - 1
            if most + worth[one] + (pair[1] >= 0) <= -pair[0]:
                break
            fitting = left & ~table.conflicts(table.tracks[one])
            other = (fitting & -fitting).bit_length() - 1
            value = total + worth[one] + worth[other]
            # Of equal pairs the first.
            pair = min(pair, (-value, min(one, other), max(one, other)))
        if pair[1] >= 0:
            best, chosen = -pair[0], [*picked, *pair[1:]]

    choose(0, everything, 0)
    del choose, choose_two
    return [tables[kind].found[index] for kind, index in zip(numbers, chosen, strict=False)][::-1]
