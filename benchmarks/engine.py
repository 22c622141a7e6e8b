"""Engine benchmarks for all titles: games, actions, clones, choices, replay, evaluation.

Each run of games and each query of a position starts cold; warm is a repeated query.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Mapping
from functools import partial
from statistics import median
from typing import Any

import kursbuch
from benchmarks.common import Caches, Measurement, faster, reference, seconds, shorter, timed
from kursbuch.bots import make
from kursbuch.core.explain import preview
from kursbuch.core.game import View
from kursbuch.core.position import Position
from kursbuch.core.processes import tune_garbage_collector

NAMES = ("Anna", "Bernd", "Clara", "Dirk", "Emil", "Fritz", "Greta", "Hans")
GAMES = 12
RUNS = 5
REFERENCE = "reference workload"


def names(title: str, seed: int) -> tuple[str, ...]:
    """Players of a game; seeds cycle through the possible numbers, up to four."""
    low, high = kursbuch.title(title).seats[0], min(4, kursbuch.title(title).seats[-1])
    return NAMES[: low + seed % (high - low + 1)]


def random_game(title: str, seed: int) -> kursbuch.Game:
    """A random game through the public interface, as in `kursbuch match`."""
    bot = make("random", seed)
    game = kursbuch.new(title, names(title, seed), seed)
    while not game.over:
        game.apply(bot.choose(game.view(game.pending[0].seat)))
    return game


def random_actions(name: str, seed: int) -> tuple[int, list[Position[Any]]]:
    """A random game on the bare position: legal actions, a random one, and its application. Returns the number of
    actions and some positions."""
    rng = random.Random(seed)
    title = kursbuch.title(name)
    position = kursbuch.new(name, names(name, seed), seed).position
    weights: dict[type, float] = {}
    kept: list[Position[Any]] = []
    count = 0
    while not position.over:
        choices = position.legal_actions(position.deciders()[0])
        kinds = {type(choice.action): choice.action for choice in choices}
        for kind, action in kinds.items():
            weights.setdefault(kind, title.evaluator.playout_weight(action))
        kind = rng.choices(list(kinds), [weights[each] for each in kinds])[0]
        choice = rng.choice([each for each in choices if type(each.action) is kind])
        if len(kept) * 10 <= count:
            kept.append(position.clone())
        amount = choice.amount
        position.apply(choice.action if amount is None else choice.with_amount(amount.low))
        count += 1
    return count, kept


def run() -> list[Measurement]:
    """All figures for all titles, in a process tuned like those that play games."""
    tune_garbage_collector()
    base = seconds(reference, RUNS)
    return [each for title in kursbuch.titles() for each in measure(title, base)]


def measure(title: str, base: float) -> list[Measurement]:
    """Figures of one title; `base` is the time of the reference workload."""
    random_game(title, 0)
    caches = Caches()
    found: list[Measurement] = []

    def rate(what: str, unit: str, count: int, work: Callable[[], object]) -> None:
        value = count / seconds(work, RUNS, caches)
        found.append(faster(f"{title}: {what}", value, unit, REFERENCE, 1 / base))

    rate(
        "random games",
        "games/s",
        GAMES,
        lambda: [random_game(title, seed) for seed in range(GAMES)],
    )
    rate(
        "actions, legal actions at every decision",
        "actions/s",
        sum(random_actions(title, seed)[0] for seed in range(GAMES)),
        lambda: [random_actions(title, seed) for seed in range(GAMES)],
    )

    positions = [position for seed in range(GAMES) for position in random_actions(title, seed)[1]]
    clone = median(timed(position.clone, caches).cold for position in positions)
    deep = median(timed(partial(copy.deepcopy, each.state), caches).cold for each in positions)
    found.append(shorter(f"{title}: clone", clone * 1e3, "ms", "copy.deepcopy", deep * 1e3))

    for what, question in QUESTIONS.items():
        times = [timed(partial(question, position), caches) for position in positions]
        cold, warm = median(one.cold for one in times), median(one.warm for one in times)
        found.append(
            shorter(f"{title}: {what}", cold * 1e3, "ms", REFERENCE, base * 1e3, warm * 1e3)
        )

    records = [random_game(title, seed).record() for seed in range(GAMES)]
    rate(
        "replay of records",
        "moves/s",
        sum(len(kursbuch.load(record).moves) for record in records),
        lambda: [kursbuch.load(record) for record in records],
    )
    return found


def legal_actions(position: Position[Any]) -> None:
    """Legal actions of the first decider."""
    position.legal_actions(position.deciders()[0])


def foreseen(position: Position[Any]) -> None:
    """Preview of the first legal action."""
    seat = position.deciders()[0]
    state = position.title.view(position.state, seat)
    view = View(position.title, state, seat, NAMES)
    preview(view, position.legal_actions(seat)[0].action)


def evaluation(position: Position[Any]) -> None:
    """Evaluation of the position."""
    position.title.evaluator.evaluate(position.state)


#: Queries of positions.
QUESTIONS: Mapping[str, Callable[[Position[Any]], None]] = {
    "legal actions": legal_actions,
    "foresee an action": foreseen,
    "evaluation": evaluation,
}
