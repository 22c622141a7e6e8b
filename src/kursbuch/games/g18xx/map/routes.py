"""Data of routes: the network of a company, its trains, and arcs for the search."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import gcd
from typing import NamedTuple


class Stop(NamedTuple):
    """A place where trains stop.

    `town`: it counts against the town range of a train while that lasts. `own`: the company has a
    station here. `end`: a route may end here but not continue. A route enters at most one stop of a
    `group` (-1: none). A `toll` is charged to a route that arrives by one bank and leaves by the
    other.
    """

    value: int
    town: bool = False
    own: bool = False
    end: bool = False
    group: int = -1
    toll: int = 0


class Segment(NamedTuple):
    """Track from stop `a` to stop `b` without a stop between them.

    Segments share track if their `track` has a bit in common; without bits a segment shares none,
    but is still used only once. `bank_a` and `bank_b` are the banks it reaches at a stop with a
    toll. Only trains with a gauge among `gauges` can use it.
    """

    a: int
    b: int
    track: int
    bank_a: int = 0
    bank_b: int = 0
    gauges: int = 1


class Network(NamedTuple):
    """What the trains of one company can run on."""

    stops: tuple[Stop, ...]
    segments: tuple[Segment, ...]


class Train(NamedTuple):
    """A train that calls at most at `stops` stops of any kind and `towns` further towns. It earns
    the value of every stop `weight` times (1 or more), and that of its first and last stop `ends`
    times more. A train with `via` has to run over at least one segment of each of these sets (bits
    are segment numbers).

    Weights rank aims: where both ends together count less than any difference between two sums of
    stops, the stops come first and the ends break ties.

    >>> from kursbuch.games.g18xx.map.route_search import best_routes
    >>> network = Network(
    ...     stops=(Stop(20, own=True), Stop(20), Stop(10), Stop(10)),
    ...     segments=(Segment(0, 1, 0b001), Segment(0, 2, 0b010), Segment(2, 3, 0b100)),
    ... )
    >>> best_routes(network, [Train(3, ends=1)]).routes
    (Route(value=80, stops=(0, 1), segments=(0,)),)
    >>> best_routes(network, [Train(3, weight=100, ends=1)]).routes
    (Route(value=5030, stops=(1, 0, 2), segments=(0, 1)),)
    """

    stops: int
    towns: int = 0
    gauges: int = 1
    ends: int = 0
    via: tuple[int, ...] = ()
    weight: int = 1


class Route(NamedTuple):
    """A route: its value, its stops from end to end, and the segments between them."""

    value: int
    stops: tuple[int, ...]
    segments: tuple[int, ...]


class Best(NamedTuple):
    """The best total and the routes in the order of the trains; None for a train that cannot
    run."""

    total: int
    routes: tuple[Route | None, ...]


#: An arc is a segment in one direction, as the search sees it: what must be free, what it uses,
#: what it earns, whether its stop is a city (1) or a town (0), and its number.
ArcStep = tuple[int, int, int, int, int]

#: A candidate for a train: its value and what it uses, in the bits of the search.
FoundRoute = tuple[int, int]

#: More cities than any way has.
FAR = 1_000_000

#: Value of a train that has to run and does not.
NEVER = -1_000_000_000_000


def unit_of(network: Network) -> int:
    """Common divisor of all values and tolls of a network."""
    return gcd(*{amount for stop in network.stops for amount in (stop.value, stop.toll)}) or 1


class Arcs(dict[int, list[ArcStep]]):
    """Segments of some gauges in both directions: maps each arc to the steps that may follow it,
    toll deducted, computed on demand."""

    def __init__(
        self,
        network: Network,
        marks: Sequence[int],
        entered: Sequence[int],
        gauges: int,
        weight: int,
    ) -> None:
        stops = network.stops
        self.network = network
        #: Weight of values in the network.
        self.weight = weight
        self.entered = entered
        # Arc 2 n is segment n from a to b, arc 2 n + 1 is from b to a.
        self.steps: list[ArcStep] = []
        #: Target stop of each arc, and the bank it leaves by; the reverse arc tells the source.
        self.targets: list[int] = []
        self.leaves: list[int] = []
        #: Steps that leave each stop.
        self.leaving: list[list[ArcStep]] = [[] for _ in stops]
        ends = [
            (1 << number, entered[number], stop.value, 0 if stop.town else 1)
            for number, stop in enumerate(stops)
        ]
        for number, (a, b, _, bank_a, bank_b, allowed) in enumerate(network.segments):
            mark = marks[number]
            bit, entry, value, city = ends[b]
            there: ArcStep = (mark | bit, mark | entry, value, city, 2 * number)
            bit, entry, value, city = ends[a]
            back: ArcStep = (mark | bit, mark | entry, value, city, 2 * number + 1)
            self.steps += (there, back)
            self.targets += (b, a)
            self.leaves += (bank_a, bank_b)
            if allowed & gauges and a != b and not entered[a] >> b & 1:
                self.leaving[a].append(there)
                self.leaving[b].append(back)
        for row in self.leaving:
            row.sort(key=_gain)
        #: For each own station the arcs that leave it, each with its possible second arms.
        self.arms = [
            (number, self._arms(number))
            for number, stop in enumerate(stops)
            if stop.own and self.leaving[number]
        ]
        self.known_ways: dict[int, list[int]] = {}
        self._hopes: dict[tuple[int, int], list[list[int]]] = {}

    def ends(self, train: Train) -> tuple[list[int], int]:
        """Extra value of each stop at the end of the train's route, and its maximum for both ends;
        nothing if that is 0."""
        if not train.ends:
            return [], 0
        worth = [stop.value // self.weight * train.ends for stop in self.network.stops]
        return worth, 2 * max(worth, default=0)

    def __missing__(self, arc: int) -> list[ArcStep]:
        here = self.targets[arc]
        found: list[ArcStep] = []
        if not self.network.stops[here].end:
            blocked = self.steps[arc][1] | 1 << self.targets[arc ^ 1]
            found = self._after(self.leaving[here], here, blocked, self.leaves[arc ^ 1])
        self[arc] = found
        return found

    def _after(self, row: list[ArcStep], here: int, blocked: int, bank: int) -> list[ArcStep]:
        """Steps from a stop that need nothing blocked, less the toll of a train arriving by this
        bank."""
        free = [step for step in row if not step[0] & blocked]
        toll = self.network.stops[here].toll
        if not toll:
            return free
        return [
            step if self.leaves[arc] == bank else (need, add, gain - toll, city, arc)
            for step in free
            for need, add, gain, city, arc in (step,)
        ]

    def _arms(self, number: int) -> list[tuple[ArcStep, list[ArcStep]]]:
        """Arcs that leave a station, each with its possible second arms."""
        row = self.leaving[number]
        return [
            (step, self._after(row[index:], number, step[1], self.leaves[step[4]]))
            for index, step in enumerate(row, 1)
        ]

    def hope(self, cities: int, longest: int) -> list[list[int]]:
        """Upper bounds by cities and stops left: the sums of the best values."""
        known = self._hopes.get((cities, longest))
        if known is None:
            stops = self.network.stops
            of_cities, of_towns = (
                sorted((stop.value for stop in stops if stop.town == town), reverse=True)
                for town in (False, True)
            )
            known = self._hopes[cities, longest] = []
            for free in range(cities + 1):
                best = sorted(of_cities[:free] + of_towns[:longest], reverse=True)[: longest - 1]
                most = [0, *itertools.accumulate(best)]
                known.append(most + [most[-1]] * (longest - len(most)))
        return known

    def reaches(self, train: Train) -> bool:
        """Whether the train's range can possibly cover all required segments, judged by the cities
        between any two of them, on ways that may cross themselves."""
        stops = self.network.stops
        own = sum(
            1 << number
            for number, segment in enumerate(self.network.segments)
            if stops[segment.a].own or stops[segment.b].own
        )
        sets = (own, *train.via)
        for index, one in enumerate(sets):
            if any(
                not one & other and self.cities(one, other) > train.stops for other in sets[:index]
            ):
                return False
        return all(train.via)

    def cities(self, start: int, goal: int) -> int:
        """The least number of cities on a way from one of these segments to one of those, both
        included."""
        least = self.ways(start)
        return min((least[arc] for n in set_bits(goal) for arc in (2 * n, 2 * n + 1)), default=FAR)

    def ways(self, start: int) -> list[int]:
        """For each arc the least number of cities on a way that begins with one of these segments
        and uses it."""
        least = self.known_ways.get(start)
        if least is None:
            stops = self.network.stops
            least = self.known_ways[start] = [FAR] * len(self.steps)
            rings: list[list[int]] = [[], [], []]
            for *_, city, arc in itertools.chain(*self.leaving):
                if start >> (arc >> 1) & 1:
                    rings[city + (not stops[self.targets[arc ^ 1]].town)].append(arc)
            for count, ring in enumerate(rings):  # both grow during iteration
                for arc in ring:
                    if least[arc] <= count:
                        continue
                    least[arc] = count
                    for _, _, _, city, after in self[arc]:
                        if count + city < least[after]:
                            while len(rings) <= count + city:
                                rings.append([])
                            rings[count + city].append(after)
        return least


def weighted(network: Network, weight: int) -> Network:
    """The network with weighted values."""
    if weight == 1:
        return network
    return network._replace(
        stops=tuple(
            stop._replace(value=stop.value * weight, toll=stop.toll * weight)
            for stop in network.stops
        )
    )


def _gain(step: ArcStep) -> tuple[int, int]:
    """Sort key: best first, so that good routes are found early."""
    return -step[2], step[4]


def users_of(tracks: list[int]) -> dict[int, int]:
    """Candidates, as bits, by each bit of track they use."""
    width = max(tracks, default=0).bit_length()
    # A column of the table of all bits, last candidate first, is such a number.
    table = "".join([f"{track:0{width}b}" for track in reversed(tracks)])
    rows = {1 << bit: int(table[width - 1 - bit :: width], 2) for bit in range(width)}
    return {bit: row for bit, row in rows.items() if row}


def track_marks(network: Network) -> tuple[list[int], int]:
    """For each segment its track bits: one of its own, and one for each set of segments that share
    track. Then the bits that can conflict."""
    size, count = len(network.stops), len(network.segments)
    once = several = 0
    for segment in network.segments:
        several |= once & segment.track
        once |= segment.track
    by_bit: dict[int, int] = {}
    for number, segment in enumerate(network.segments):
        track = segment.track & several
        while track:
            low = track & -track
            track ^= low
            by_bit[low] = by_bit.get(low, 0) | 1 << number
    marks = [1 << (size + number) for number in range(count)]
    bit = first = 1 << (size + count)
    sharers = 0
    for sharing in sorted(set(by_bit.values())):
        for number in set_bits(sharing):
            marks[number] |= bit
        sharers |= sharing
        bit <<= 1
    alone = ((1 << count) - 1) & ~sharers
    return marks, bit - first | alone << size


def set_bits(mask: int) -> list[int]:
    """Numbers of the bits that are set."""
    numbers = []
    while mask:
        low = mask & -mask
        mask ^= low
        numbers.append(low.bit_length() - 1)
    return numbers
