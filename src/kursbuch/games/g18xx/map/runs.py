"""The best runs of a company [run-trains].

What is peculiar to a map stands in its component data: off-board values by phase, places a route may call
at once only, ferries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from kursbuch.games.g18xx.map.duties import Demand, Duty, dutiful, possible
from kursbuch.games.g18xx.map.networks import CompanyNetwork
from kursbuch.games.g18xx.map.picked import calls_of, mail_of, track_of
from kursbuch.games.g18xx.map.routes import Best, Network, Search, Train, unit_of
from kursbuch.games.g18xx.map.takings import Aim, Run, Takings
from kursbuch.games.g18xx.map.track import TrackPosition
from kursbuch.games.g18xx.pieces import Components


def best_runs(
    components: Components,
    position: TrackPosition,
    company: str,
    trains: Sequence[str],
    *,
    mail: bool = False,
    aim: Aim = "sum",
    duties: Sequence[Duty] = (),
) -> Takings:
    """The best that runs which meet all duties earn, with the mail, if there is any; nothing if there
    are no such runs [revenue]. Runs are in the order of the trains; trains that cannot run are left
    out. What has been found is kept with the network."""
    found = position.network(company)
    demands = tuple([duty.demand(position, found) for duty in duties])

    def best(aim: Aim | None) -> Takings:
        key = (tuple(trains), aim, demands)
        known: Any = found.memo.get(key)
        if known is None:
            search = position.track.networks.search(found).anew()
            known = found.memo[key] = _best(components, found, search, trains, aim, demands)
        takings: Takings = known
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
    duties: Sequence[Duty],
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
) -> Takings:
    segments = found.network.segments
    kinds = [components.train(train) for train in trains]
    most = mail_runs(
        found.network, kinds, aim, lambda ranges, least: dutiful(search, ranges, demands, least)
    )
    if most is None:
        return Takings(0, ())
    runs = []
    for n, (train, route) in enumerate(zip(trains, most.best.routes, strict=True)):
        if route is not None:
            ends = mail_of(found.network, route.stops) if n == most.carrier else 0
            calls = calls_of(components, found, route.stops)
            track = track_of(segments[number] for number in route.segments)
            runs.append(Run(train, most.revenue(route.value, ends), calls, track, ends))
    return Takings(sum(run.value for run in runs), tuple(runs), sum(run.mail for run in runs))
