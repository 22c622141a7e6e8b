"""The recorded games of 1835 (`../shared/peer`) played again: actions with their check, with and
without the search for the best routes, and with the legal actions of every decision; legal actions
and clones on their positions.

Times are CPU times of one process.
"""

from __future__ import annotations

import copy
import gc
import time
from collections.abc import Callable
from functools import partial
from itertools import cycle
from statistics import mean, median
from typing import Any

from benchmarks.common import Measurement, faster, reference, shorter
from kursbuch.core.game import Game
from kursbuch.core.position import Position
from kursbuch.eighteen.t1835 import TITLE
from kursbuch.eighteen.t1835.rails import import_rails
from tests.eighteen import peer

RUNS = 5
REFERENCE = "reference workload"


def run() -> list[Measurement]:
    """All figures of the replay."""
    if not peer.there():
        raise SystemExit("The recorded games (../shared/peer) are missing.")
    games = [
        import_rails(TITLE, path.read_bytes()).game for path in sorted(peer.FOLDER.glob("*.rails"))
    ]
    actions = sum(len(game.moves) for game in games)
    gc.collect()
    gc.freeze()  # the recorded games are no garbage of ours
    base = _cpu(reference)
    per_second = 1 / base
    found = []

    def rate(name: str, work: Callable[[], object]) -> None:
        found.append(faster(name, actions / _cpu(work), "actions/s", REFERENCE, per_second))

    rate("1835: replay, legality checked, best routes", lambda: [_replay(game) for game in games])
    rate(
        "1835: replay, legal actions at every decision",
        lambda: [_replay(game, legal=True) for game in games],
    )
    known = _revenues(games)
    searched = TITLE.book.depot.best_runs
    try:
        TITLE.book.depot.best_runs = _Answers(known)  # type: ignore[method-assign]
        rate(
            "1835: replay, legality checked, routes known",
            lambda: [_replay(game) for game in games],
        )
    finally:
        TITLE.book.depot.best_runs = searched  # type: ignore[method-assign]

    positions = [position for game in games for position in _replay(game, keep=True)]
    legal = [_once(position) for position in positions]
    found += [
        shorter("1835: legal actions, mean", mean(legal) * 1e3, "ms", REFERENCE, base * 1e3),
        shorter("1835: legal actions, median", median(legal) * 1e3, "ms", REFERENCE, base * 1e3),
        shorter("1835: legal actions, worst", max(legal) * 1e3, "ms", REFERENCE, base * 1e3),
    ]
    clone = median(_best(position.clone) for position in positions)
    deep = median(_best(partial(copy.deepcopy, position.state)) for position in positions[::20])
    found.append(shorter("1835: clone", clone * 1e3, "ms", "copy.deepcopy", deep * 1e3))
    return found


class _Answers:
    """Gives known answers in order, again and again."""

    def __init__(self, known: list[Any]) -> None:
        self.known = cycle(known)

    def __call__(self, state: Any, company: str) -> Any:
        return next(self.known)


def _start(game: Game) -> Position[Any]:
    return Game(TITLE, game.names, game.options, seed=game.seed).position


def _replay(game: Game, *, legal: bool = False, keep: bool = False) -> list[Position[Any]]:
    """Every action checked and carried out, on the bare position."""
    _forget()
    position = _start(game)
    kept = []
    for move in game.moves:
        if keep:
            kept.append(position.clone())
        if legal:
            _choices(position)
        position.apply(move.action)
    return kept


def _forget() -> None:
    """What is kept about positions would make every run after the first too fast."""
    TITLE.book._positions.clear()


def _once(position: Position[Any]) -> float:
    """The time of the legal actions, nothing about the position being known before."""
    _forget()
    started = time.process_time()
    _choices(position)
    return time.process_time() - started


def _choices(position: Position[Any]) -> None:
    for seat in position.deciders():
        position.legal_actions(seat)


def _revenues(games: list[Game]) -> list[Any]:
    """What every search for routes finds in a replay, in order."""
    found: list[Any] = []
    searched = TITLE.book.depot.best_runs

    def noted(state: Any, company: str) -> Any:
        found.append(searched(state, company))
        return found[-1]

    try:
        TITLE.book.depot.best_runs = noted  # type: ignore[method-assign]
        for game in games:
            _replay(game)
    finally:
        TITLE.book.depot.best_runs = searched  # type: ignore[method-assign]
    return found


def _cpu(work: Callable[[], object]) -> float:
    """The median CPU time of some work."""
    times = []
    for _ in range(RUNS):
        gc.collect()
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return median(times)


def _best(work: Callable[[], object]) -> float:
    """The best time of three."""
    times = []
    for _ in range(3):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)
