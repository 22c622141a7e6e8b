"""Replays of 18xx games: actions with and without route search and legal actions; legal actions and clones of
positions.

The games are our own (`games.py`) and, if present, recorded games of 1835 (`../shared/peer`). Times are CPU times of
one process. Each replay and each list of legal actions starts cold; results within a replay are cached as in any
game. Warm are repeated legal actions.
"""

from __future__ import annotations

import copy
import gc
from collections.abc import Sequence
from functools import partial
from itertools import cycle
from statistics import mean, median
from typing import Any

from benchmarks.common import (
    Caches,
    Measurement,
    faster,
    reference,
    seconds,
    shorter,
    spread,
    timed,
)
from benchmarks.games import own
from kursbuch.core.game import Game
from kursbuch.core.position import Position
from kursbuch.games.g18xx.g1835 import TITLE as TITLE_1835
from kursbuch.games.g18xx.g1835.rails18xx import import_rails
from kursbuch.games.g18xx.title import EighteenTitle
from tests.games.g18xx import peer

REFERENCE = "reference workload"

AnyTitle = EighteenTitle[Any, Any]


def run() -> list[Measurement]:
    """All figures."""
    found = [*_figures("1835", own("1835")), *_figures("1853", own("1853"))]
    if peer.there():
        recorded = [
            import_rails(TITLE_1835, path.read_bytes()).game
            for path in sorted(peer.FOLDER.glob("*.rails"))
        ]
        found += _figures("1835, recorded games", recorded)
    return found


def _figures(name: str, games: Sequence[Game]) -> list[Measurement]:
    title: Any = games[0].title
    actions = sum(len(game.moves) for game in games)
    caches = Caches()
    gc.collect()
    gc.freeze()  # exclude the games from collections
    base = seconds(reference)
    found = []

    def rate(what: str, **how: bool) -> None:
        value = actions / seconds(lambda: [_replay(game, caches, **how) for game in games])
        found.append(faster(f"{name}: {what}", value, "actions/s", REFERENCE, 1 / base))

    rate("replay, legality checked, best routes")
    rate("replay, legal actions at every decision", legal=True)
    known = _revenues(title, games, caches)
    depot = title.ruleset.depot
    searched = depot.best_runs
    try:
        depot.best_runs = _Answers(known)
        rate("replay, legality checked, routes known")
    finally:
        depot.best_runs = searched

    positions = [position for game in games for position in _replay(game, caches, keep=True)]
    gc.collect()
    gc.freeze()  # and these, since a chance collection would be the worst case
    legal = [timed(partial(_choices, position), caches) for position in positions]
    found.append(
        shorter(
            f"{name}: legal actions, mean",
            mean(one.cold for one in legal) * 1e3,
            "ms",
            REFERENCE,
            base * 1e3,
            mean(one.warm for one in legal) * 1e3,
        )
    )
    found += spread(f"{name}: legal actions", legal, REFERENCE, [base])
    clone = median(seconds(position.clone, 1) for position in positions[::20])
    deep = median(seconds(partial(copy.deepcopy, each.state), 1) for each in positions[::20])
    found.append(shorter(f"{name}: clone", clone * 1e3, "ms", "copy.deepcopy", deep * 1e3))
    gc.unfreeze()
    return found


class _Answers:
    """Returns known answers in order, repeatedly."""

    def __init__(self, known: list[Any]) -> None:
        self.known = cycle(known)

    def __call__(self, state: Any, company: str, *, pays: bool = True) -> Any:
        return next(self.known)


def _replay(
    game: Game, caches: Caches, *, legal: bool = False, keep: bool = False
) -> list[Position[Any]]:
    """Check and perform every action on the bare position."""
    caches.clear()
    position = game.at(0)
    kept = []
    for move in game.moves:
        if keep:
            kept.append(position.clone())
        if legal:
            _choices(position)
        position.edition = move.edition
        position.apply(move.action)
    return kept


def _choices(position: Position[Any]) -> None:
    for seat in position.deciders():
        position.legal_actions(seat)


def _revenues(title: AnyTitle, games: Sequence[Game], caches: Caches) -> list[Any]:
    """Results of all route searches in a replay, in order."""
    found: list[Any] = []
    depot = title.ruleset.depot
    searched = depot.best_runs

    def noted(state: Any, company: str, *, pays: bool = True) -> Any:
        found.append(searched(state, company, pays=pays))
        return found[-1]

    try:
        depot.best_runs = noted
        for game in games:
            _replay(game, caches)
    finally:
        depot.best_runs = searched
    return found
