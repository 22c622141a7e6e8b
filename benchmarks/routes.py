"""Route search of the 18xx titles, compared with CP-SAT.

Positions with running trains: from our games of 1835 and 1853 (`games.py`), random ones of 1853 as in tests, and
from recorded games of 1835 (`../shared/peer`) if present. In 1853 one train carries mail, and there are no mandatory
stops. Calls start cold and include building the network from the map; warm is a cached repeat. CP-SAT gets the
network; its times include its model and search. It is stopped after 30 seconds without a proof; the last figures
count these cases.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from benchmarks.common import Caches, Measurement, Times, once, shorter, spread, timed
from benchmarks.games import own
from kursbuch.core.game import Game
from kursbuch.games.g18xx.components import Components
from kursbuch.games.g18xx.g1835 import components as components_1835
from kursbuch.games.g18xx.g1853 import components as components_1853
from kursbuch.games.g18xx.map.revenue import best_runs
from kursbuch.games.g18xx.map.routes import Network
from kursbuch.games.g18xx.map.track import Layout
from kursbuch.games.g18xx.state import Pay
from kursbuch.games.g18xx.title import EighteenTitle
from tests.games.g18xx import cpsat, peer
from tests.games.g18xx.g1853 import positions

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
    """Median, 99th percentile and maximum for each group of positions, and the known worst case of each title."""
    found = _figures("1835", components_1835.standard(), [*of_games("1835"), *_recorded()])
    random = [_random(seed) for seed in range(POSITIONS)]
    return found + _figures(
        "1853", components_1853.standard(), [*of_games("1853"), *random], mail=True
    )


def of_games(title: str) -> Iterator[Case]:
    """Dividends in our own games."""
    for number, game in enumerate(own(title), 1):
        yield from _dividends(f"game {number}", game)


def _dividends(name: str, game: Game) -> Iterator[Case]:
    title = game.title
    assert isinstance(title, EighteenTitle)
    ruleset, position = title.ruleset, game.at(0)
    for count, move in enumerate(game.moves, 1):
        position.edition = move.edition
        position.perform(move.action)
        state = position.state
        step = state.agenda[-1] if state.agenda else None
        trains = ruleset.depot.running_trains(state, step.company) if isinstance(step, Pay) else []
        if isinstance(step, Pay) and trains:
            yield Case(
                f"{name}, move {count}, {step.company}",
                "dividends of own games",
                state.layout,
                ruleset.phase(state).number - 1,
                step.company,
                trains,
            )


def _recorded() -> Iterator[Case]:
    """Positions of the recorded games, if present."""
    for case in peer.cases() if peer.there() else ():
        group = "recorded dividends" if case.recorded else "recorded last boards"
        yield Case(case.name, group, case.layout, case.phase, case.company, case.trains)


def _random(seed: int) -> Case:
    case = positions.case(seed)
    return Case(
        f"position {seed}", "random positions", case.layout, case.phase - 1, "X", case.trains
    )


def question(components: Components, case: Case, *, mail: bool) -> Callable[[], int]:
    """The measured work: the best total of a company from the map."""

    def work() -> int:
        position = components.track.position(case.layout, case.phase)
        return best_runs(components, position, case.company, case.trains, mail=mail).total()

    return work


def network_of(components: Components, case: Case) -> Network:
    """The network of a company: the first part of the work."""
    return components.track.position(case.layout, case.phase).network(case.company).network


def _figures(
    title: str, components: Components, cases: Sequence[Case], *, mail: bool = False
) -> list[Measurement]:
    caches = Caches()
    gc.collect()
    gc.freeze()  # exclude the positions from collections
    ours: dict[str, Times] = {}
    theirs: dict[str, float] = {}
    unproven = 0
    networks: list[Times] = []
    for case in cases:
        ours[case.name] = timed(question(components, case, mail=mail), caches)
        networks.append(timed(partial(network_of, components, case), caches))
    for case in cases:
        trains = [components.train(name) for name in case.trains]
        network = network_of(components, case)
        total = question(components, case, mail=mail)()
        solved: list[int] = []

        def work() -> None:
            solved.append(cpsat.network_total(network, trains, mail=mail))  # noqa: B023

        try:
            theirs[case.name] = once(work)
            assert solved == [total], case.name
        except cpsat.Unproven:
            unproven += 1
            theirs[case.name] = cpsat.SECONDS
    gc.unfreeze()
    whole = [times.cold for times in ours.values()]
    found = [*spread(f"{title}: networks alone", networks, "with their routes", whole)]
    for group in dict.fromkeys(case.group for case in cases):
        names = [case.name for case in cases if case.group == group]
        found += spread(
            f"{title}: {len(names)} {group}",
            [ours[name] for name in names],
            "CP-SAT",
            [theirs[name] for name in names],
        )
    worst = max(ours, key=lambda name: ours[name].cold)
    found.append(
        shorter(
            f"{title}: {worst}",
            ours[worst].cold * 1e3,
            "ms",
            "CP-SAT",
            theirs[worst] * 1e3,
            ours[worst].warm * 1e3,
        )
    )
    proven = len(cases) - unproven
    found.append(
        Measurement(
            f"{title}: positions proven", len(cases), "cases", "CP-SAT", proven, len(cases) / proven
        )
    )
    return found
