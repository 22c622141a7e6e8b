"""The engine on every title: whole games, actions, clones, choices, replay, evaluation."""

from __future__ import annotations

import copy
import random
import time
from statistics import median
from typing import Any

import kursbuch
from benchmarks.common import Measurement, faster, reference, seconds, shorter
from kursbuch.bots import make
from kursbuch.core.asking import foresee
from kursbuch.core.collector import spare_the_collector
from kursbuch.core.game import View
from kursbuch.core.position import Position

NAMES = ("Anna", "Bernd", "Clara", "Dirk", "Emil", "Fritz", "Greta", "Hans")
GAMES = 12
RUNS = 5
REFERENCE = "reference workload"


def names(title: str, seed: int) -> tuple[str, ...]:
    """The players of a game: the numbers a title is for take turns, up to four."""
    low, high = kursbuch.title(title).seats[0], min(4, kursbuch.title(title).seats[-1])
    return NAMES[: low + seed % (high - low + 1)]


def random_game(title: str, seed: int) -> kursbuch.Game:
    """A whole game of random moves through the public interface, as `kursbuch match` plays."""
    bot = make("random", seed)
    game = kursbuch.new(title, names(title, seed), seed)
    while not game.over:
        game.apply(bot.choose(game.view(game.pending[0].seat)))
    return game


def random_actions(name: str, seed: int) -> tuple[int, list[Position[Any]]]:
    """A game on the bare position: legal actions, one of them drawn and applied with its check.
    Gives the number of actions and some positions on the way."""
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
            weights.setdefault(kind, title.judge.playout_weight(action))
        kind = rng.choices(list(kinds), [weights[each] for each in kinds])[0]
        choice = rng.choice([each for each in choices if type(each.action) is kind])
        if len(kept) * 10 <= count:
            kept.append(position.clone())
        amount = choice.amount
        position.apply(choice.action if amount is None else choice.with_amount(amount.low))
        count += 1
    return count, kept


def run() -> list[Measurement]:
    """All figures of the engine, for every title, in a process as those that play games are."""
    spare_the_collector()
    base = seconds(reference, RUNS)
    return [each for title in kursbuch.titles() for each in measure(title, base)]


def measure(title: str, base: float) -> list[Measurement]:
    """The figures of one title; `base` is the time of the reference workload."""
    random_game(title, 0)
    per_second = 1 / base
    found: list[Measurement] = []

    games = seconds(lambda: [random_game(title, seed) for seed in range(GAMES)], RUNS) / GAMES
    found.append(faster(f"{title}: random games", 1 / games, "games/s", REFERENCE, per_second))

    actions = sum(random_actions(title, seed)[0] for seed in range(GAMES))
    time_ = seconds(lambda: [random_actions(title, seed) for seed in range(GAMES)], RUNS)
    found.append(
        faster(
            f"{title}: actions, legal actions at every decision",
            actions / time_,
            "actions/s",
            REFERENCE,
            per_second,
        )
    )

    positions = [position for seed in range(GAMES) for position in random_actions(title, seed)[1]]
    clone = _median(positions, lambda position: position.clone())
    deep = _median(positions, lambda position: copy.deepcopy(position.state))
    found.append(shorter(f"{title}: clone", clone * 1e3, "ms", "copy.deepcopy", deep * 1e3))

    legal = _median(positions, lambda position: position.legal_actions(position.deciders()[0]))
    found.append(shorter(f"{title}: legal actions", legal * 1e3, "ms", REFERENCE, base * 1e3))

    foreseen = _median(positions, _foresee)
    found.append(
        shorter(f"{title}: foresee an action", foreseen * 1e3, "ms", REFERENCE, base * 1e3)
    )

    evaluation = _median(positions, lambda position: position.title.judge.evaluate(position.state))
    found.append(shorter(f"{title}: evaluation", evaluation * 1e3, "ms", REFERENCE, base * 1e3))

    records = [random_game(title, seed).record() for seed in range(GAMES)]
    moves = sum(len(kursbuch.load(record).moves) for record in records)
    time_ = seconds(lambda: [kursbuch.load(record) for record in records], RUNS)
    found.append(
        faster(f"{title}: replay of records", moves / time_, "moves/s", REFERENCE, per_second)
    )
    return found


def _foresee(position: Position[Any]) -> None:
    """What the first action that is possible would bring."""
    seat = position.deciders()[0]
    state = position.title.view(position.state, seat)
    view = View(position.title, state, seat, NAMES)
    foresee(view, position.legal_actions(seat)[0].action)


def _median(positions: list[Position[Any]], work: Any) -> float:
    """The median time over the positions, each tried several times."""
    times = []
    for position in positions:
        best = float("inf")
        for _ in range(RUNS):
            started = time.perf_counter()
            work(position)
            best = min(best, time.perf_counter() - started)
        times.append(best)
    return median(times)
