"""Games of 18xx played again: actions with their check, with and without the search for the best
routes, and with the legal actions of every decision; legal actions and clones on their positions.

The games of 1835 are recorded ones (`../shared/peer`), those of 1853 are played by the random opponent.
Times are CPU times of one process.
"""

from __future__ import annotations

import copy
import gc
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle
from statistics import mean, median
from typing import Any

import kursbuch
from benchmarks.common import Measurement, faster, reference, shorter
from kursbuch.bots import make
from kursbuch.core.game import Game
from kursbuch.core.position import Position
from kursbuch.eighteen.t1835 import TITLE as TITLE_1835
from kursbuch.eighteen.t1835.rails import import_rails
from kursbuch.eighteen.title import EighteenTitle
from tests.eighteen import peer

RUNS = 5
REFERENCE = "reference workload"
#: Games of 1853: seeds with the number of players.
PLAYED = ((1, 4), (2, 3), (3, 5), (4, 6), (5, 4), (6, 4), (7, 3), (8, 5))

AnyTitle = EighteenTitle[Any, Any]


def run() -> list[Measurement]:
    """All figures of the replays."""
    if not peer.there():
        raise SystemExit("The recorded games (../shared/peer) are missing.")
    recorded = [
        import_rails(TITLE_1835, path.read_bytes()).game
        for path in sorted(peer.FOLDER.glob("*.rails"))
    ]
    return _figures(TITLE_1835, recorded) + _figures(*played())


def played() -> tuple[AnyTitle, list[Game]]:
    """Whole games of 1853."""
    title = kursbuch.title("1853")
    assert isinstance(title, EighteenTitle)
    games = []
    for seed, seats in PLAYED:
        game = Game(
            title, ("Anna", "Bernd", "Clara", "Dirk", "Emma", "Franz")[:seats], seed=str(seed)
        )
        bot = make("random", seed)
        while not game.over:
            game.apply(bot.choose(game.view(game.pending[0].seat)))
        games.append(game)
    return title, games


def _figures(title: AnyTitle, games: Sequence[Game]) -> list[Measurement]:
    actions = sum(len(game.moves) for game in games)
    gc.collect()
    gc.freeze()  # the games are no garbage of ours
    base = _cpu(reference)
    per_second = 1 / base
    found = []

    def rate(name: str, work: Callable[[], object]) -> None:
        value = actions / _cpu(work)
        found.append(faster(f"{title.id}: {name}", value, "actions/s", REFERENCE, per_second))

    rate("replay, legality checked, best routes", lambda: [_replay(game) for game in games])
    rate(
        "replay, legal actions at every decision",
        lambda: [_replay(game, legal=True) for game in games],
    )
    known = _revenues(title, games)
    depot = title.book.depot
    searched = depot.best_runs
    try:
        depot.best_runs = _Answers(known)
        rate("replay, legality checked, routes known", lambda: [_replay(game) for game in games])
    finally:
        depot.best_runs = searched

    positions = [position for game in games for position in _replay(game, keep=True)]
    gc.collect()
    gc.freeze()  # nor are these: a collection that comes by chance would be the worst decision
    legal = [_once(position) for position in positions]
    for name, value in (("mean", mean(legal)), ("median", median(legal)), ("worst", max(legal))):
        name = f"{title.id}: legal actions, {name}"
        found.append(shorter(name, value * 1e3, "ms", REFERENCE, base * 1e3))
    clone = median(_best(position.clone) for position in positions)
    deep = median(_best(partial(copy.deepcopy, position.state)) for position in positions[::20])
    found.append(shorter(f"{title.id}: clone", clone * 1e3, "ms", "copy.deepcopy", deep * 1e3))
    gc.unfreeze()
    return found


class _Answers:
    """Gives known answers in order, again and again."""

    def __init__(self, known: list[Any]) -> None:
        self.known = cycle(known)

    def __call__(self, state: Any, company: str, *, pays: bool = True) -> Any:
        return next(self.known)


def _start(game: Game) -> Position[Any]:
    return Game(game.title, game.names, game.options, seed=game.seed).position


def _replay(game: Game, *, legal: bool = False, keep: bool = False) -> list[Position[Any]]:
    """Every action checked and carried out, on the bare position."""
    position = _start(game)
    _forget(position)
    kept = []
    for move in game.moves:
        if keep:
            kept.append(position.clone())
        if legal:
            _choices(position)
        position.apply(move.action)
    return kept


def _forget(position: Position[Any]) -> None:
    """What is kept about positions would make every run after the first too fast."""
    position.title.book.forget()  # type: ignore[attr-defined]


def _once(position: Position[Any]) -> float:
    """The time of the legal actions, nothing about the position being known before."""
    _forget(position)
    started = time.process_time()
    _choices(position)
    return time.process_time() - started


def _choices(position: Position[Any]) -> None:
    for seat in position.deciders():
        position.legal_actions(seat)


def _revenues(title: AnyTitle, games: Sequence[Game]) -> list[Any]:
    """What every search for routes finds in a replay, in order."""
    found: list[Any] = []
    depot = title.book.depot
    searched = depot.best_runs

    def noted(state: Any, company: str, *, pays: bool = True) -> Any:
        found.append(searched(state, company, pays=pays))
        return found[-1]

    try:
        depot.best_runs = noted
        for game in games:
            _replay(game)
    finally:
        depot.best_runs = searched
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
