"""The best routes of the family's titles, beside CP-SAT solving the same.

1835: every recorded dividend and the last boards (`../shared/peer`). 1853, where one of the trains
carries the mail: random positions as its tests use them. The time includes making the network from the
map. CP-SAT gets the finished network, so its times hold only its model and its search. Where it has not
proven the best total in 30 seconds it is stopped; the last figures say how often.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from benchmarks.common import Measurement, shorter
from kursbuch.eighteen.map.runs import best_runs
from kursbuch.eighteen.map.track import Layout
from kursbuch.eighteen.pieces import Components
from kursbuch.eighteen.t1835 import components as components_1835
from kursbuch.eighteen.t1853 import components as components_1853
from tests.eighteen import cpsat, peer
from tests.t1853 import positions

RUNS = 3
POSITIONS = 320


class Case(NamedTuple):
    """The trains of a company on a map; `phase` counts from 0."""

    name: str
    group: str
    layout: Layout
    phase: int
    company: str
    trains: Sequence[str]


def run() -> list[Measurement]:
    """Median, 99th percentile and worst of every group of positions; and the named worst case of
    1835."""
    if not peer.there():
        raise SystemExit("The recorded games (../shared/peer) are missing.")
    recorded = [
        Case(
            case.name,
            "dividends" if case.recorded else "last boards",
            *(case.layout, case.phase, case.company, case.trains),
        )
        for case in peer.cases()
    ]
    found = _figures("routes", components_1835.standard(), recorded, mail=False)
    drawn = [positions.case(seed) for seed in range(POSITIONS)]
    random = [
        Case(str(seed), "random positions", case.layout, case.phase - 1, "X", case.trains)
        for seed, case in enumerate(drawn)
    ]
    return found + _figures("1853: routes", components_1853.standard(), random, mail=True)


def _figures(
    title: str, components: Components, cases: Sequence[Case], *, mail: bool
) -> list[Measurement]:
    gc.collect()
    gc.freeze()  # what the positions come from is no garbage of ours
    ours: dict[str, float] = {}
    theirs: dict[str, float] = {}
    unproven = 0
    for case in cases:

        def work(case: Case = case) -> int:
            position = components.track.position(case.layout, case.phase)
            return best_runs(components, position, case.company, case.trains, mail=mail).total()

        ours[case.name] = _best(work, RUNS)
    for case in cases:
        trains = [components.train(name) for name in case.trains]
        position = components.track.position(case.layout, case.phase)
        network = position.network(case.company).network
        total = best_runs(components, position, case.company, case.trains, mail=mail).total()
        started = time.process_time()
        try:
            assert cpsat.network_total(network, trains, mail=mail) == total, case.name
        except cpsat.Unproven:  # its time is the limit, then
            unproven += 1
        theirs[case.name] = time.process_time() - started
    gc.unfreeze()
    found = []
    for group in dict.fromkeys(case.group for case in cases):
        names = [case.name for case in cases if case.group == group]
        one, two = sorted(ours[n] for n in names), sorted(theirs[n] for n in names)
        for label, part in (("median", 0.5), ("99th percentile", 0.99), ("worst", 1.0)):
            index = min(len(names) - 1, int(len(names) * part))
            name = f"{title}, {len(names)} {group}, {label}"
            found.append(shorter(name, one[index] * 1e3, "ms", "CP-SAT", two[index] * 1e3))
    worst = max(ours, key=lambda name: ours[name])
    found.append(
        shorter(f"{title}, {worst}", ours[worst] * 1e3, "ms", "CP-SAT", theirs[worst] * 1e3)
    )
    proven = len(cases) - unproven
    found.append(
        Measurement(
            f"{title}, positions proven", len(cases), "cases", "CP-SAT", proven, len(cases) / proven
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
