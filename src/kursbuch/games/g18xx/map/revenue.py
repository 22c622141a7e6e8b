"""Revenue of a company: best runs and runs chosen by hand [run-trains].

The runs may have to meet obligations, such as passing a tile the company has just upgraded. One run
suffices for an obligation, and one run may meet several.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

from kursbuch.core.errors import IllegalAction
from kursbuch.games.g18xx.components import Components
from kursbuch.games.g18xx.map.networks import PER_HEX, CompanyNetwork
from kursbuch.games.g18xx.map.route_search import Search
from kursbuch.games.g18xx.map.routes import Best, Network, Segment, Train, unit_of
from kursbuch.games.g18xx.map.track import TrackPosition

#: Requirement for one of the routes: use a segment of each of these sets (as in `Train.via`).
Demand = tuple[int, ...]


class Obligation(NamedTuple):
    """One of the runs has to pass a hex, or call at its `stop` (-1: anywhere on it), and call at
    one of the stops `by`, given as hex and number (empty: any)."""

    hex: str
    stop: int = -1
    by: tuple[tuple[str, int], ...] = ()

    def met(
        self, position: TrackPosition, found: CompanyNetwork, calls: Sequence[int], track: int
    ) -> bool:
        """Whether a run meets it that calls at these stops of the network and crosses these
        borders, as bits."""
        board = position.board
        place = board.number(self.hex)
        stops = {found.stops[call] for call in calls}
        if self.by and not any(board.number(hex) * PER_HEX + n in stops for hex, n in self.by):
            return False
        if self.stop >= 0:
            return place * PER_HEX + self.stop in stops
        return bool(track & position.around[place])

    def demand(self, position: TrackPosition, found: CompanyNetwork) -> Demand:
        """The obligation as a requirement for routes of the network."""
        board = position.board
        place = board.number(self.hex)
        segments = found.network.segments

        def ending(stops: set[int]) -> int:
            return sum(
                1 << number
                for number, segment in enumerate(segments)
                if found.stops[segment.a] in stops or found.stops[segment.b] in stops
            )

        if self.stop >= 0:
            there = ending({place * PER_HEX + self.stop})
        else:
            there = sum(
                1 << number
                for number, segment in enumerate(segments)
                if segment.track & position.around[place]
            )
        if not self.by:
            return (there,)
        return there, ending({board.number(hex) * PER_HEX + n for hex, n in self.by})


def best_meeting(
    search: Search, trains: Sequence[Train], demands: Sequence[Demand], least: int = 0
) -> Best | None:
    """The best routes that meet all demands, None if there are none worth at least `least`.

    >>> from kursbuch.games.g18xx.map.routes import Network, Segment, Stop
    >>> network = Network(
    ...     stops=(Stop(20, own=True), Stop(10, town=True), Stop(40)),
    ...     segments=(Segment(0, 1, 0b01), Segment(0, 2, 0b10)),
    ... )
    >>> best_meeting(Search(network), [Train(2)], [(0b01,)])
    Best(total=30, routes=(Route(value=30, stops=(0, 1), segments=(0,)),))
    """
    if search.most(trains) < least:
        return None
    free = search.best(trains)
    if free is None or free.total < least:
        return None
    unmet = next((demand for demand in demands if not _met(demand, free)), None)
    if unmet is None:
        return free
    best: Best | None = None
    for number in {train: n for n, train in enumerate(trains)}.values():
        asked = list(trains)
        asked[number] = trains[number]._replace(via=(*trains[number].via, *unmet))
        found = best_meeting(search, asked, demands, least)
        if found is not None:
            best, least = found, found.total + 1
    return best


def can_meet(search: Search, trains: Sequence[Train], demands: Sequence[Demand]) -> bool:
    """Whether any routes meet all demands."""
    if len(demands) != 1:
        return best_meeting(search, trains, demands) is not None
    return any(search.runs(train._replace(via=demands[0])) for train in set(trains))


def _met(demand: Demand, best: Best) -> bool:
    ran = [sum(1 << number for number in route.segments) for route in best.routes if route]
    return any(all(segments & used for segments in demand) for used in ran)


#: Runs as plain data: train, value, and hex, stop and value of each call.
Runs = tuple[tuple[str, int, tuple[tuple[str, int, int], ...]], ...]

#: What runs are optimised for if a train carries mail: "pay" for revenue, then mail; "save" for the
#: total, then little mail; "sum" for the total only.
Aim = Literal["pay", "save", "sum"]


class Call(NamedTuple):
    """A stop on a run: hex, number on the hex, and value counted."""

    hex: str
    stop: int
    value: int


class Run(NamedTuple):
    """The run of a train; `track` are the borders it crosses, as bits. `mail` is what it earns
    besides its value if it carries the mail."""

    train: str
    value: int
    calls: tuple[Call, ...]
    track: int = 0
    mail: int = 0

    @property
    def ferry(self) -> int:
        """Toll taken from the calls' sum for crossing from bank to bank."""
        return sum(call.value for call in self.calls) - self.value

    def __str__(self) -> str:
        """
        >>> print(Run("2", 70, (Call("C11", 0, 60), Call("B12", 0, 10))))
        2: C11 (60), B12 (10) = 70
        """
        calls = ", ".join(f"{call.hex} ({call.value})" for call in self.calls)
        toll = f" - {self.ferry}" if self.ferry else ""
        return f"{self.train}: {calls}{toll} = {self.value}"


class Revenue(NamedTuple):
    """Revenue of a company: its runs, and the earnings of its mail train."""

    revenue: int
    runs: tuple[Run, ...]
    mail: int = 0

    def total(self) -> int:
        """Revenue and mail together."""
        return self.revenue + self.mail

    def plain(self) -> Runs:
        """The runs as plain data."""
        return tuple((run.train, run.value, run.calls) for run in self.runs)


class Earnings(NamedTuple):
    """Revenue and mail of a company."""

    revenue: int
    mail: int = 0


def mail_of(network: Network, calls: Sequence[int]) -> int:
    """Mail earned by a run: the values of both its ends."""
    return network.stops[calls[0]].value + network.stops[calls[-1]].value


def track_of(segments: Iterable[Segment]) -> int:
    """Borders that a run crosses, as bits."""
    track = 0
    for segment in segments:
        track |= segment.track
    return track


def calls_of(
    components: Components, found: CompanyNetwork, stops: Sequence[int]
) -> tuple[Call, ...]:
    """The stops of a run as calls."""
    names, known = components.board.names, found.network.stops
    return tuple(
        Call(names[found.stops[n] // PER_HEX], found.stops[n] % PER_HEX, known[n].value)
        for n in stops
    )


def best_runs(
    components: Components,
    position: TrackPosition,
    company: str,
    trains: Sequence[str],
    *,
    mail: bool = False,
    aim: Aim = "sum",
    duties: Sequence[Obligation] = (),
) -> Revenue:
    """The best runs that meet all duties, with mail if there is any; nothing if there are none
    [revenue]. Runs are in the order of the trains; trains that cannot run are left out. Results are
    cached with the network."""
    found = position.network(company)
    demands = tuple([duty.demand(position, found) for duty in duties])

    def best(aim: Aim | None) -> Revenue:
        key = (tuple(trains), aim, demands)
        known: Any = found.memo.get(key)
        if known is None:
            if found.network.segments:
                search = position.track.networks.search(found).fresh_copy()
                known = _best(components, found, search, trains, aim, demands)
            else:
                known = Revenue(0, ())
            found.memo[key] = known
        earned: Revenue = known
        return earned

    result = best(aim if mail else None)
    if mail and aim == "save":
        # Prefer the runs for paying out where they are equally good.
        paid = best("pay")
        return paid if paid.total() == result.total() else result
    return result


def earnings(
    components: Components,
    found: CompanyNetwork,
    trains: Sequence[str],
    aim: Aim | None,
    demands: Sequence[Demand] = (),
) -> Earnings:
    """What the best runs that meet all demands earn, for paying out or withholding (None: without
    mail). This is faster than `best_runs`, because totals tell it. Cached with the network."""
    key = ("earnings", tuple(sorted(trains)), aim, demands)
    known: Earnings | None = found.memo.get(key)
    if known is None:
        kinds = [components.train(train) for train in trains]
        search = components.track.networks.search(found)
        known = found.memo[key] = _earnings(search, kinds, aim, demands)
    return known


def _earnings(
    search: Search, kinds: Sequence[Train], aim: Aim | None, demands: Sequence[Demand]
) -> Earnings:
    if not kinds:
        return Earnings(0)
    assert aim != "sum"
    unit, weights = search.unit, _weights(search.network, aim)
    most = 0
    for _, ranges in _carriers(kinds, weights, aim):
        if demands:
            best = best_meeting(search, ranges, demands, most + 1)
            most = most if best is None else best.total
        elif not most or search.most(ranges) > most:
            most = max(most, search.total(ranges))
    first, _ = weights
    if aim is None:
        return Earnings(most)
    if aim == "pay":
        count, mail = divmod(most, first * unit)
        return Earnings(count * unit, mail)
    total = -(-most // (first * unit)) * unit
    mail = first * total - most
    return Earnings(total - mail, mail)


def can_run(
    components: Components,
    position: TrackPosition,
    company: str,
    trains: Sequence[str],
    duties: Sequence[Obligation],
) -> bool:
    """Whether these trains can meet all duties, whatever they earn. Cached with the network."""
    found = position.network(company)
    demands = tuple([duty.demand(position, found) for duty in duties])
    key = ("can run", tuple(trains), demands)
    known: bool | None = found.memo.get(key)
    if known is None:
        search = position.track.networks.search(found)
        known = can_meet(search, [components.train(train) for train in trains], demands)
        found.memo[key] = known
    return known


class MailRuns(NamedTuple):
    """Routes with the index of the mail train, -1 if there is none. Route values and total weigh
    revenue and mail by these weights."""

    best: Best
    carrier: int
    revenue_weight: int
    mail_weight: int

    def revenue(self, value: int, mail: int) -> int:
        """The revenue contained in a weighted value with that mail."""
        return (value - self.mail_weight * mail) // self.revenue_weight


def mail_runs(
    network: Network,
    kinds: Sequence[Train],
    aim: Aim | None,
    search: Callable[[Sequence[Train], int], Best | None],
) -> MailRuns | None:
    """The best runs for an aim (None: without mail), found by a search that takes trains and the
    minimum total."""
    weights = _weights(network, aim)
    most: MailRuns | None = None
    for carrier, ranges in _carriers(kinds, weights, aim):
        best = search(ranges, most.best.total + 1 if most else 0)
        if best is not None and (most is None or best.total > most.best.total):
            most = MailRuns(best, carrier, *weights)
    return most


def _carriers(
    kinds: Sequence[Train], weights: tuple[int, int], aim: Aim | None
) -> Iterator[tuple[int, list[Train]]]:
    """One train of each kind as mail carrier (-1 for none), with the trains weighted."""
    if aim is None:
        yield -1, list(kinds)
        return
    for carrier in sorted({kind: n for n, kind in enumerate(kinds)}.values()):
        yield (
            carrier,
            [
                kind._replace(weight=weights[0], ends=weights[1] * (n == carrier))
                for n, kind in enumerate(kinds)
            ],
        )


def _weights(network: Network, aim: Aim | None) -> tuple[int, int]:
    """Weights of revenue and mail for an aim; the tie-breaker weighs less in total than the least
    difference in the main goal."""
    if aim is None or aim == "sum":
        return 1, 1
    dearest = max((stop.value for stop in network.stops), default=0)
    first = 2 * dearest // unit_of(network) + 1
    return (first, 1) if aim == "pay" else (first, first - 1)


def _best(
    components: Components,
    found: CompanyNetwork,
    search: Search,
    trains: Sequence[str],
    aim: Aim | None,
    demands: Sequence[Demand],
) -> Revenue:
    segments = found.network.segments
    kinds = [components.train(train) for train in trains]
    most = mail_runs(
        found.network,
        kinds,
        aim,
        lambda ranges, least: best_meeting(search, ranges, demands, least),
    )
    if most is None:
        return Revenue(0, ())
    runs = []
    for n, (train, route) in enumerate(zip(trains, most.best.routes, strict=True)):
        if route is not None:
            ends = mail_of(found.network, route.stops) if n == most.carrier else 0
            calls = calls_of(components, found, route.stops)
            track = track_of(segments[number] for number in route.segments)
            runs.append(Run(train, most.revenue(route.value, ends), calls, track, ends))
    return Revenue(sum(run.value for run in runs), tuple(runs), sum(run.mail for run in runs))


#: Whether a run, as its stops and the track between them, meets an obligation.
Meets = Callable[[tuple[Sequence[int], Sequence[Segment]]], bool]


def picked_runs(
    components: Components,
    position: TrackPosition,
    company: str,
    trains: Sequence[str],
    runs: Sequence[Sequence[str]],
    *,
    mail: bool = False,
    duties: Sequence[Obligation] = (),
) -> Revenue:
    """Revenue of runs chosen by hand, one per train in order (empty: stays), with the most mail one
    of them can carry; `IllegalAction` names the rule a run breaks. Stops are written like
    "C11/0"."""
    found = position.network(company)

    def meets(duty: Obligation, run: tuple[Sequence[int], Sequence[Segment]]) -> bool:
        return duty.met(position, found, run[0], track_of(run[1]))

    ran = []
    ways = _picked_ways(components, found, trains, runs, [partial(meets, duty) for duty in duties])
    for train, stops, segments in ways:
        calls = calls_of(components, found, stops)
        value = sum(call.value for call in calls) - _toll(found.network, stops, segments)
        ran.append(Run(train, value, calls, track_of(segments)))
    most = 0
    if mail and ran:
        ends = [mail_of(found.network, stops) for _, stops, _ in ways]
        most = max(ends)
        carrier = ends.index(most)
        ran[carrier] = ran[carrier]._replace(mail=most)
    return Revenue(sum(run.value for run in ran), tuple(ran), most)


def _picked_ways(
    components: Components,
    found: CompanyNetwork,
    trains: Sequence[str],
    runs: Sequence[Sequence[str]],
    duties: Sequence[Meets] = (),
) -> list[tuple[str, list[int], list[Segment]]]:
    """For each running train its stops in the network and the track between them, chosen to meet
    all duties."""
    if len(runs) > len(trains):
        raise IllegalAction(
            "run-trains",
            "The company has fewer trains than that: only {count}.",
            count=len(trains),
        )
    wanted: list[tuple[str, list[int]]] = []
    for train, run in zip(trains, runs, strict=False):
        if run:
            calls = [_stop(components, found, text) for text in run]
            _check(components.train(train), found.network, calls)
            wanted.append((train, calls))
    legs = [(calls, components.train(train).gauges) for train, calls in wanted]
    ways = _Best(found.network, legs, duties).ways
    if ways is None:
        if duties and _Best(found.network, legs).ways is not None:
            raise IllegalAction(
                "run-duty", ("With these runs, no train goes where one of them has to run.")
            )
        raise IllegalAction(
            "runs-apart",
            ("The trains would use the same track, or there is no track between two stops."),
        )
    return [(*run, segments) for run, segments in zip(wanted, ways, strict=True)]


def _stop(components: Components, found: CompanyNetwork, text: str) -> int:
    """The stop of the network named by a text."""
    hex, _, stop = text.partition("/")
    place = components.board.index.get(hex, -1)
    known = place >= 0 and len(stop) < 3 and stop.isdecimal() and int(stop) < PER_HEX
    number = place * PER_HEX + int(stop) if known else -1
    if number not in found.stops:
        raise IllegalAction(
            "run-own-station", "No track leads from a station of the company to {stop}.", stop=text
        )
    return found.stops.index(number)


def _check(train: Train, network: Network, calls: list[int]) -> None:
    """Raise `IllegalAction` for errors that do not depend on the track between the stops."""
    stops = [network.stops[call] for call in calls]
    if len(set(calls)) < 2:
        raise IllegalAction("run-two-stops", "A run needs two different stations.")
    groups = [stop.group for stop in stops if stop.group >= 0]
    if len(set(calls)) < len(calls) or len(set(groups)) < len(groups):
        raise IllegalAction("run-stop-once", "A run cannot visit the same station twice.")
    if not any(stop.own for stop in stops):
        raise IllegalAction("run-own-station", "A run needs a station token of the company.")
    if any(stop.end for stop in stops[1:-1]):
        raise IllegalAction(
            "run-blocked", ("A run cannot pass through a city blocked by other companies' tokens.")
        )
    towns = sum(stop.town for stop in stops)
    if len(stops) - min(towns, train.towns) > train.stops:
        raise IllegalAction("run-range", "The run calls at more stations than the train can reach.")


def _toll(network: Network, calls: list[int], segments: Sequence[Segment]) -> int:
    """Toll of a run for crossing from bank to bank."""
    lost = 0
    for call, before, after in zip(calls[1:], segments, segments[1:], strict=False):
        if _bank(before, call) != _bank(after, call):
            lost += network.stops[call].toll
    return lost


def _bank(segment: Segment, stop: int) -> int:
    return segment.bank_a if segment.a == stop else segment.bank_b


class _Best:
    """Search for disjoint track of the right gauge between all stops, with the least toll."""

    def __init__(
        self, network: Network, wanted: list[tuple[list[int], int]], duties: Sequence[Meets] = ()
    ) -> None:
        self.network = network
        self.wanted = wanted
        self.duties = duties
        self.ways: list[list[Segment]] | None = None
        self.toll = 0
        self.lay(0, 0, 0, [])

    def lay(self, run: int, leg: int, used: int, chosen: list[list[Segment]]) -> None:
        """Choose track for a run from a leg on; `used` are the borders in use."""
        if run == len(self.wanted):
            ran = [(calls, way) for (calls, _), way in zip(self.wanted, chosen, strict=True)]
            if not all(any(map(meets, ran)) for meets in self.duties):
                return
            lost = sum(_toll(self.network, calls, way) for calls, way in ran)
            if self.ways is None or lost < self.toll:
                self.ways, self.toll = [list(segments) for segments in chosen], lost
            return
        if leg == 0:
            chosen = [*chosen, []]
        calls, gauges = self.wanted[run]
        ends = {calls[leg], calls[leg + 1]}
        last = leg + 2 == len(calls)
        for segment in self.network.segments:
            if (
                {segment.a, segment.b} == ends
                and segment.gauges & gauges
                and not segment.track & used
            ):
                chosen[-1].append(segment)
                self.lay(run + last, 0 if last else leg + 1, used | segment.track, chosen)
                chosen[-1].pop()
                if self.ways is not None and not self.toll:
                    return
