"""The best routes of 1835 on every recorded dividend, beside CP-SAT solving the same.

The positions come from `../shared/peer`; the time includes making the network from the map. CP-SAT
gets the finished network, so its times hold only its model and its search. Where it has not proven the
best total in 30 seconds it is stopped; the last figure says how often.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

from benchmarks.common import Measurement, shorter
from kursbuch.eighteen.map.routes import Network, Train, best_routes
from kursbuch.eighteen.t1835.components import standard
from tests.eighteen import cpsat, peer

RUNS = 3


def run() -> list[Measurement]:
    """Median, 99th percentile and worst, over dividends and over the last boards; and the named
    worst case."""
    if not peer.there():
        raise SystemExit("The recorded games (../shared/peer) are missing.")
    components = standard()
    cases = peer.cases()
    gc.collect()
    gc.freeze()  # the recorded games are no garbage of ours
    ours: dict[str, float] = {}
    theirs: dict[str, float] = {}
    networks: list[tuple[Network, list[Train]]] = []
    for case in cases:
        trains = [components.train(name) for name in case.trains]

        def work(case: peer.Case = case, trains: list[Train] = trains) -> int:
            position = components.track.position(case.layout, case.phase)
            return best_routes(position.network(case.company).network, trains).total

        ours[case.name] = _best(work, RUNS)
        network = components.track.position(case.layout, case.phase).network(case.company).network
        networks.append((network, trains))
    unproven = 0
    for case, (network, trains) in zip(cases, networks, strict=True):
        started = time.process_time()
        try:
            best = cpsat.network_total(network, trains)
        except cpsat.Unproven:  # its time is the limit, then
            best = case.revenue
            unproven += 1
        theirs[case.name] = time.process_time() - started
        assert best == case.revenue, case.name
    gc.unfreeze()
    played = [case.name for case in cases if case.recorded]
    final = [case.name for case in cases if not case.recorded]
    found = []
    for what, names in (("dividends", played), ("last boards", final)):
        one, two = sorted(ours[n] for n in names), sorted(theirs[n] for n in names)
        for label, part in (("median", 0.5), ("99th percentile", 0.99), ("worst", 1.0)):
            index = min(len(names) - 1, int(len(names) * part))
            found.append(
                shorter(
                    f"routes, {len(names)} {what}, {label}",
                    one[index] * 1e3,
                    "ms",
                    "CP-SAT",
                    two[index] * 1e3,
                )
            )
    worst = max(ours, key=lambda name: ours[name])
    found.append(
        shorter(f"routes, {worst}", ours[worst] * 1e3, "ms", "CP-SAT", theirs[worst] * 1e3)
    )
    proven = len(cases) - unproven
    found.append(
        Measurement(
            "routes, positions proven", len(cases), "cases", "CP-SAT", proven, len(cases) / proven
        )
    )
    return found


def _best(work: Callable[[], int], runs: int) -> float:
    """The shortest CPU time of some runs."""
    times = []
    for _ in range(runs):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)
