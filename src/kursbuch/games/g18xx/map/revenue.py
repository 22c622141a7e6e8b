"""Revenue of a company: its runs, what they earn, and the best of them [run-trains]."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple

from kursbuch.games.g18xx.components import Components
from kursbuch.games.g18xx.map.networks import PER_HEX, CompanyNetwork
from kursbuch.games.g18xx.map.obligations import Demand, Obligation, dutiful, possible
from kursbuch.games.g18xx.map.route_search import Search
from kursbuch.games.g18xx.map.routes import Best, Network, Segment, Train, unit_of
from kursbuch.games.g18xx.map.track import TrackPosition

#: Runs as plain data: train, value, and hex, stop and value of every call.
Runs = tuple[tuple[str, int, tuple[tuple[str, int, int], ...]], ...]

#: What runs are the best for, where a train carries mail: to "pay" the most out, and with that to carry
#: the most mail; to "save" the most together with the mail, and of that as little by the mail as
#: possible; or the "sum" whatever it is made of.
Aim = Literal["pay", "save", "sum"]


class Call(NamedTuple):
    """A stop on a run: hex, number of the stop on it, and what it counts for."""

    hex: str
    stop: int
    value: int


class Run(NamedTuple):
    """What one train does; `track` are the borders it crosses, as bits. `mail` is what it earns
    beside its value if it carries the mail."""

    train: str
    value: int
    calls: tuple[Call, ...]
    track: int = 0
    mail: int = 0

    @property
    def ferry(self) -> int:
        """What crossing from bank to bank takes off the sum of the calls."""
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
    """What a company takes in: the revenue of its runs, and what its mail train earns beside it."""

    revenue: int
    runs: tuple[Run, ...]
    mail: int = 0

    def total(self) -> int:
        """Revenue and mail together."""
        return self.revenue + self.mail

    def plain(self) -> Runs:
        """The runs as plain data."""
        return tuple((run.train, run.value, run.calls) for run in self.runs)


def mail_of(network: Network, calls: Sequence[int]) -> int:
    """What a run earns that carries the mail: the values of both its ends."""
    return network.stops[calls[0]].value + network.stops[calls[-1]].value


def track_of(segments: Iterable[Segment]) -> int:
    """The borders that a run crosses, as bits."""
    track = 0
    for segment in segments:
        track |= segment.track
    return track


def calls_of(
    components: Components, found: CompanyNetwork, stops: Sequence[int]
) -> tuple[Call, ...]:
    """The stops of a run by their names and values."""
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
    """The best that runs which meet all duties earn, with the mail, if there is any; nothing if there
    are no such runs [revenue]. Runs are in the order of the trains; trains that cannot run are left
    out. What has been found is kept with the network."""
    found = position.network(company)
    demands = tuple([duty.demand(position, found) for duty in duties])

    def best(aim: Aim | None) -> Revenue:
        key = (tuple(trains), aim, demands)
        known: Any = found.memo.get(key)
        if known is None:
            search = position.track.networks.search(found).anew()
            known = found.memo[key] = _best(components, found, search, trains, aim, demands)
        takings: Revenue = known
        return takings

    result = best(aim if mail else None)
    if mail and aim == "save":
        # Where the runs to pay out are as good for it, they are taken.
        paid = best("pay")
        return paid if paid.total() == result.total() else result
    return result


def can_run(
    components: Components,
    position: TrackPosition,
    company: str,
    trains: Sequence[str],
    duties: Sequence[Obligation],
) -> bool:
    """Whether these trains can meet all duties, whatever they earn."""
    found = position.network(company)
    demands = [duty.demand(position, found) for duty in duties]
    search = position.track.networks.search(found)
    return possible(search, [components.train(train) for train in trains], demands)


class MailRuns(NamedTuple):
    """Routes of trains, with the number of the train that carries the mail, -1 if none does. A total
    or the value of a route counts revenue and mail by these weights."""

    best: Best
    carrier: int
    revenue_weight: int
    mail_weight: int

    def revenue(self, value: int, mail: int) -> int:
        """The revenue in a value with that mail."""
        return (value - self.mail_weight * mail) // self.revenue_weight


def mail_runs(
    network: Network,
    kinds: Sequence[Train],
    aim: Aim | None,
    search: Callable[[Sequence[Train], int], Best | None],
) -> MailRuns | None:
    """The best runs for an aim, None without mail, in a search that is given trains and the least
    their total has to be."""
    weights = _weights(network, aim)
    # One train of each kind in turn carries the mail.
    carriers = [-1] if aim is None else sorted({kind: n for n, kind in enumerate(kinds)}.values())
    most: MailRuns | None = None
    for carrier in carriers:
        ranges = [
            kind._replace(weight=weights[0], ends=weights[1] * (n == carrier))
            for n, kind in enumerate(kinds)
        ]
        best = search(ranges, most.best.total + 1 if most else 0)
        if best is not None and (most is None or best.total > most.best.total):
            most = MailRuns(best, carrier, *weights)
    return most


def _weights(network: Network, aim: Aim | None) -> tuple[int, int]:
    """What revenue and mail count for an aim; what decides between equal runs counts together less
    than the least difference in what comes first."""
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
        found.network, kinds, aim, lambda ranges, least: dutiful(search, ranges, demands, least)
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
