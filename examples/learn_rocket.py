"""A small agent learns Stephenson's Rocket on a small computer.

    python examples/learn_rocket.py --minutes 12

A position is about forty numbers for each player (`kursbuch.games.rocket.prospects`): the payments in sight. What a
player still gains beyond the money at hand is a weighted sum of them; the weights change with the tiles that are left.
They are fitted to what players really gained: first in games of `greedy`, then in games in which each player takes the
action that leaves them furthest ahead by the weights found so far. Games begin with random moves, and some moves later
are random too. After each round the agent plays against `greedy`; it stops when it clearly wins more than half.
Needs NumPy.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import kursbuch
from kursbuch.bots import Bot, GreedyBot, RandomBot, Ranked
from kursbuch.core.actions import Action
from kursbuch.core.game import View
from kursbuch.games.rocket import Rocket
from kursbuch.games.rocket.evaluation import RocketEvaluator
from kursbuch.games.rocket.prospects import NAMES, Prospects, Worths
from kursbuch.games.rocket.state import RocketState

Numbers = NDArray[np.float64]

#: A game begins with at most this number of random actions, and later actions are random with this chance.
OPENING = 6
CURIOSITY = 0.05

#: How strongly large weights are held back.
RIDGE = 300.0


class Learned(RocketEvaluator):
    """Judges positions by weights."""

    def __init__(self, title: Rocket, players: int, weights: Worths) -> None:
        super().__init__(title.boards)
        self.prospects = Prospects(title.boards.usual, {players: weights})

    def evaluate(self, state: RocketState) -> list[float]:
        return self.prospects.values(state)


class LearnedBot(Bot):
    """Takes the action after which it is furthest ahead by the weights."""

    def __init__(self, players: int, weights: Worths, seed: int) -> None:
        super().__init__("learned", seed)
        self.title = Rocket()
        self.title.evaluator = Learned(self.title, players, weights)
        self.greedy = GreedyBot(seed)

    def rank(self, view: View) -> list[Ranked]:
        return self.greedy.rank(self.own(view))

    def choose(self, view: View) -> Action:
        return self.greedy.choose(self.own(view))

    def own(self, view: View) -> View:
        """The same view, judged by the weights."""
        return View(self.title, view.state, view.seat, view.names)


class Sample(NamedTuple):
    """Of the players of positions their numbers, and what they still gained; both less the mean of all players."""

    rows: Numbers
    gained: Numbers


class Job(NamedTuple):
    """A game to be played: with weights by them, without by `greedy`."""

    seed: int
    players: int
    weights: Worths | None


def learn_from(job: Job) -> Sample:
    """Play a game and note its positions."""
    rng = random.Random(job.seed)
    title = Rocket()
    board = title.boards.usual
    features = Prospects(board, {})
    by_chance = RandomBot(job.seed)
    bot: Bot = GreedyBot(job.seed)
    if job.weights is not None:
        bot = LearnedBot(job.players, job.weights, job.seed)
    opening = rng.randrange(OPENING + 1)
    game = kursbuch.new("rocket", [f"p{n}" for n in range(job.players)], job.seed)
    rows, money = [], []
    while not game.over:
        view = game.view(game.pending[0].seat)
        curious = len(game.moves) < opening or rng.random() < CURIOSITY
        game.apply((by_chance if curious else bot).choose(view))
        if game.state.agenda and not title.evaluator.unsettled(game.state):
            numbers = np.array(features.numbers(game.state))
            left = game.state.ledger.held("tile", "supply") / board.tiles
            rows.append(np.hstack([numbers, numbers * left]))
            money.append(title.scores(game.state))
    found = np.array(rows)
    found -= found.mean(axis=1, keepdims=True)
    gained = np.array(title.scores(game.state)) - np.array(money, dtype=np.float64)
    gained -= gained.mean(axis=1, keepdims=True)
    return Sample(found.reshape(-1, found.shape[2]), gained.ravel())


def fitted(samples: Sequence[Sample]) -> Worths:
    """The weights that fit best, large ones held back."""
    rows = np.vstack([sample.rows for sample in samples])
    gained = np.concatenate([sample.gained for sample in samples])
    scale = rows.std(axis=0) + 1e-9
    scaled = rows / scale
    normal = scaled.T @ scaled + RIDGE * np.eye(rows.shape[1])
    weights: list[float] = (np.linalg.solve(normal, scaled.T @ gained) / scale).tolist()
    return Worths(tuple(weights[: len(NAMES)]), tuple(weights[len(NAMES) :]))


def match(job: Job) -> float:
    """A game of the learned bot against greedy: 1 won, 0 lost. Its seat changes from game to game."""
    assert job.weights is not None
    seat = job.seed % job.players
    bots: list[Bot] = [GreedyBot(job.seed + n) for n in range(job.players)]
    bots[seat] = LearnedBot(job.players, job.weights, job.seed)
    names = [f"p{n}" for n in range(job.players)]
    game = kursbuch.new("rocket", names, f"match {job.seed // job.players}")
    while not game.over:
        decider = game.pending[0].seat
        game.apply(bots[decider].choose(game.view(decider)))
    assert game.result is not None
    winners = game.result.winners
    return 1 / len(winners) if seat in winners else 0.0


def interval(won: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson)."""
    z = 1.96
    share = won / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * (share * (1 - share) / games + z * z / (4 * games**2)) ** 0.5
    return middle - half, middle + half


def main(arguments: Sequence[str] | None = None) -> float:
    """Learn and play until the agent is better or the time is over; gives the share of games won in the end."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=12.0, help="no round begins later")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--batch", type=int, default=150, help="games to learn from in a round")
    parser.add_argument("--games", type=int, default=60, help="of the match after a round")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args(arguments)
    started = time.monotonic()
    samples: list[Sample] = []
    weights: Worths | None = None
    share = 0.0
    with multiprocessing.get_context("spawn").Pool(given.processes) as pool:
        while weights is None or time.monotonic() - started < 60 * given.minutes:
            first = len(samples)
            jobs = [Job(first + n, given.players, weights) for n in range(given.batch)]
            samples += pool.imap(learn_from, jobs)
            weights = fitted(samples)
            jobs = [Job(first + n, given.players, weights) for n in range(given.games)]
            won: float = sum(pool.imap_unordered(match, jobs))
            share = won / given.games
            low, high = interval(won, given.games)
            print(
                f"{len(samples)} games learned from, {time.monotonic() - started:.0f} s: "
                f"{won:g} of {given.games} won against greedy, {100 * share:.0f} % "
                f"(95 %: {100 * low:.0f} to {100 * high:.0f} %)",
                flush=True,
            )
            if low > 1 / given.players:
                break
    return share


if __name__ == "__main__":
    main()
