"""The best runs of a company [run-trains].

What is peculiar to a map stands in its component data: off-board values by phase, places a route may call
at once only, ferries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kursbuch.eighteen.map.duties import Demand, Duty, dutiful, possible
from kursbuch.eighteen.map.networks import CompanyNetwork
from kursbuch.eighteen.map.picked import calls_of, mail_of, track_of
from kursbuch.eighteen.map.routes import Search
from kursbuch.eighteen.map.takings import Run, Takings
from kursbuch.eighteen.map.track import TrackPosition
from kursbuch.eighteen.pieces import Components


def best_runs(
    components: Components,
    position: TrackPosition,
    company: str,
    trains: Sequence[str],
    *,
    mail: bool = False,
    duties: Sequence[Duty] = (),
) -> Takings:
    """The most that runs which meet all duties earn together with the mail, if there is any; nothing
    if there are no such runs [revenue]. Runs are in the order of the trains; trains that cannot run
    are left out. What has been found is kept with the network."""
    found = position.network(company)
    demands = tuple([duty.demand(position, found) for duty in duties])
    key = (tuple(trains), mail, demands)
    known: Any = found.memo.get(key)
    if known is None:
        search = position.track.networks.search(found).anew()
        known = found.memo[key] = _best(components, found, search, trains, mail, demands)
    result: Takings = known
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


def _best(
    components: Components,
    found: CompanyNetwork,
    search: Search,
    trains: Sequence[str],
    mail: bool,
    demands: Sequence[Demand],
) -> Takings:
    segments = found.network.segments
    kinds = [components.train(train) for train in trains]
    # One train of each kind in turn carries the mail.
    carriers = sorted({kind: n for n, kind in enumerate(kinds)}.values()) if mail else [-1]
    most, carried = None, -1
    for carrier in carriers:
        ranges = [kind._replace(ends=n == carrier) for n, kind in enumerate(kinds)]
        best = dutiful(search, ranges, demands, most.total + 1 if most else 0)
        if best is not None:
            most, carried = best, carrier
    if most is None:
        return Takings(0, ())
    runs = []
    for n, (train, route) in enumerate(zip(trains, most.routes, strict=True)):
        if route is not None:
            ends = mail_of(found.network, route.stops) if n == carried else 0
            calls = calls_of(components, found, route.stops)
            track = track_of(segments[number] for number in route.segments)
            runs.append(Run(train, route.value - ends, calls, track, ends))
    post = sum(run.mail for run in runs)
    return Takings(most.total - post, tuple(runs), post)
