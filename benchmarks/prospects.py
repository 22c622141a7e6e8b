"""Fit the position weights of Stephenson's Rocket (`games/rocket/worths.json`).

    python -m benchmarks.prospects --players 2 --games 350 --rounds 3 --seed 1
    python -m benchmarks.prospects --players 3 4 --games 200 --rounds 3 --seed 1

For each player count, the first games use greedy's evaluation and later rounds the weights so far; some moves are
random. Weights are fitted by least squares of the remaining gain of each player on the features
(`games/rocket/prospects.py`), both relative to the players' mean. The result does not depend on the number of
processes. Repeat after changes of features, rules or evaluation.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import random
import sys
import time
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

import kursbuch
from kursbuch.bots import RandomBot
from kursbuch.bots.bot import advantage, candidates, is_likely, outlook
from kursbuch.core.actions import Action
from kursbuch.core.position import Position
from kursbuch.games import rocket
from kursbuch.games.rocket import Rocket
from kursbuch.games.rocket.evaluation import RocketEvaluator
from kursbuch.games.rocket.prospects import NAMES, Prospects, Worths
from kursbuch.games.rocket.state import RocketState

FILE = Path(str(rocket.__file__)).parent / "worths.json"

#: Mean share of random actions; each game has between none and twice as many.
NOISE = 0.05

#: Maximum number of random actions at the start.
MOST_RANDOM = 6

#: Number of best actions so far evaluated again per decision, and the share of the others.
LOOKED_AT = 8
LOOKED_AT_PART = 0.12

#: Ridge penalty.
RIDGE = 1000.0

Numbers = NDArray[np.float64]


class WeightedEvaluator(RocketEvaluator):
    """Evaluates by weights."""

    def __init__(self, title: Rocket, players: int, worths: Worths) -> None:
        super().__init__(title.boards)
        self.prospects = Prospects(title.boards.usual, {players: worths})

    def evaluate(self, state: RocketState) -> list[float]:
        return self.prospects.values(state)


class Job(msgspec.Struct, frozen=True):
    """A game to play, by the evaluation or by weights."""

    players: int
    seed: str
    worths: Worths | None


class NormalEquations(msgspec.Struct):
    """Normal equations of the least squares."""

    products: Numbers
    aims: Numbers
    rows: int

    def add(self, other: NormalEquations) -> None:
        self.products += other.products
        self.aims += other.aims
        self.rows += other.rows


def empty_equations() -> NormalEquations:
    """Empty normal equations."""
    size = 2 * len(NAMES)
    return NormalEquations(np.zeros((size, size)), np.zeros(size), 0)


class Player:
    """Plays the best action one step ahead; most gains are taken from earlier evaluations."""

    def __init__(self, seat: int, rng: random.Random) -> None:
        self.seat = seat
        self.rng = rng
        self.known: dict[Action, float] = {}

    def choose(self, position: Position[RocketState]) -> Action:
        evaluator, known = position.title.evaluator, self.known
        actions = candidates(position.legal_actions(self.seat), position)
        actions = [action for action in actions if is_likely(position.title, action)] or actions
        now = advantage(evaluator.evaluate(position.state), self.seat)
        best = sorted(actions, key=lambda action: known.get(action, math.inf), reverse=True)
        looked_at = [
            action
            for number, action in enumerate(best)
            if number < LOOKED_AT or action not in known or self.rng.random() < LOOKED_AT_PART
        ]
        for action in looked_at:
            values = outlook(position, action, evaluator.evaluate)
            known[action] = advantage(values, self.seat) - now
        return max(looked_at, key=known.__getitem__)


@lru_cache(maxsize=1)
def weighted_title(players: int, worths: Worths | None) -> tuple[Rocket, Prospects]:
    """The title with these weights, and its feature extractor."""
    title = Rocket()
    if worths is not None:
        title.evaluator = WeightedEvaluator(title, players, worths)
    return title, Prospects(title.boards.usual, {})


def played(job: Job) -> NormalEquations:
    """Play a game; return the sums over its positions."""
    rng = random.Random(job.seed)
    title, plain = weighted_title(job.players, job.worths)
    players = [Player(seat, rng) for seat in range(job.players)]
    by_chance = RandomBot(rng.getrandbits(32))
    at_random, noise = rng.randrange(MOST_RANDOM), 2 * NOISE * rng.random()
    game = kursbuch.new("rocket", [f"P{seat}" for seat in range(job.players)], job.seed)
    found, money, left = [], [], []
    while not game.over:
        seat = game.pending[0].seat
        if len(game.moves) < at_random or rng.random() < noise:
            game.apply(by_chance.choose(game.view(seat)))
        else:
            game.apply(players[seat].choose(Position(title, game.state, game.position.chance)))
        if game.state.agenda and not title.evaluator.unsettled(game.state):
            found.append(plain.numbers(game.state))
            money.append(title.scores(game.state))
            left.append(game.state.ledger.held("tile", "supply") / title.boards.usual.tiles)
    numbers = np.array(found)
    numbers -= numbers.mean(axis=1, keepdims=True)
    gained = np.array(title.scores(game.state)) - np.array(money, dtype=np.float64)
    gained -= gained.mean(axis=1, keepdims=True)
    rows = np.concatenate([numbers, numbers * np.array(left)[:, None, None]], axis=2)
    rows = rows.reshape(-1, rows.shape[2])
    return NormalEquations(rows.T @ rows, rows.T @ gained.ravel(), len(rows))


def fitted(normal: NormalEquations) -> Worths:
    """Solve for the weights."""
    scale = np.sqrt(np.diag(normal.products) / normal.rows) + 1e-9
    scaled = normal.products / np.outer(scale, scale) + RIDGE * np.eye(len(scale))
    weights = np.linalg.solve(scaled, normal.aims / scale) / scale
    rounded = [float(f"{weight:.4g}") for weight in weights]
    return Worths(tuple(rounded[: len(NAMES)]), tuple(rounded[len(NAMES) :]))


def learned(
    players: int, games: int, rounds: int, seed: str, processes: int, keep: Path | None = None
) -> Worths:
    """Weights of a player count after a number of rounds, the first without weights; every round is saved if a
    folder is given."""
    normal = empty_equations()
    worths: Worths | None = None
    started = time.perf_counter()
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for number in range(rounds):
            jobs = [Job(players, f"{seed}-{number}-{game}", worths) for game in range(games)]
            results: Iterable[NormalEquations] = pool.imap(played, jobs, chunksize=5)
            for result in results:
                normal.add(result)
            worths = fitted(normal)
            passed = time.perf_counter() - started
            print(f"{players} players, round {number + 1}: {passed:.0f} s", file=sys.stderr)
            if keep is not None:
                written(keep / f"{players}-{number + 1}.json", {players: worths})
    assert worths is not None
    return worths


def written(file: Path, worths: dict[int, Worths]) -> None:
    """Write weights, one player count per line."""
    data = msgspec.json.encode(dict(sorted(worths.items())))
    file.write_bytes(data.replace(b'},"', b'},\n"') + b"\n")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prospects", description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--games", type=int, default=600, help="in every round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--file", type=Path, default=FILE)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="for the weights of each round")
    given = parser.parse_args(arguments)
    known: dict[int, Worths] = {}
    if given.file.exists():
        known = msgspec.json.decode(given.file.read_bytes(), type=dict[int, Worths])
    for players in given.players:
        known[players] = learned(
            players, given.games, given.rounds, given.seed, given.processes, given.keep
        )
        written(given.file, known)


if __name__ == "__main__":
    main()
