"""A small agent learns Stephenson's Rocket by playing against itself.

    python examples/learn_rocket.py --minutes 12

It knows the rules, the map, and who gets how much for a majority; not what anything is worth. A position becomes
some 80 numbers for every player (`Features`), and what the final score will be is a weighted sum of them. The
weights are fitted to the final scores of games, first of random moves, then of games in which all players take the
action after which they are furthest ahead by these weights, now and then a random one. In the end it plays
against `greedy`. Needs NumPy.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import time
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import kursbuch
from kursbuch.bots import Bot, GreedyBot, RandomBot, Ranked
from kursbuch.core.actions import Action
from kursbuch.core.game import View
from kursbuch.core.judge import Judge
from kursbuch.rocket import Rocket
from kursbuch.rocket.components import INDUSTRIES, Board
from kursbuch.rocket.counts import all_shares, living
from kursbuch.rocket.geography import directions
from kursbuch.rocket.state import SEATS, RocketState, token

Numbers = NDArray[np.float64]

#: How far a locomotive is looked ahead, in moves, and how these are grouped.
MOVES = 5
GROUPS = ((0,), (1,), (2, 3, 4))

#: How often a random action is taken in games that are learned from.
CURIOSITY = 0.08

#: How strongly large weights are held back.
RIDGE = 30.0

#: A game is learned from after so many actions each.
STRIDE = 2


class Reach(NamedTuple):
    """What a locomotive comes to with its first, second … move: towns and hexes as bits."""

    towns: tuple[int, ...]
    hexes: tuple[int, ...]


@lru_cache(maxsize=50_000)
def parts(counts: tuple[int, ...]) -> tuple[tuple[float, float], ...]:
    """Of a majority payment what every player would get now, and his part in proportion."""
    everything = sum(counts)
    if not everything:
        return ((0.0, 0.0),) * len(counts)
    best = max(counts)
    leaders = counts.count(best)
    second = max((count for count in counts if count < best), default=0)
    found = []
    for count in counts:
        if count == best:
            now = 1.0 if leaders == 1 else 1.5 / leaders
        else:
            now = 0.5 / counts.count(count) if count and count == second and leaders == 1 else 0.0
        found.append((now, 1.5 * count / (everything + 1)))
    return tuple(found)


class Features:
    """Positions as numbers: for every player a row, in thousands of pounds where money is meant."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.metropolises = sum(1 << number for number in board.metropolises)
        self.reach = lru_cache(maxsize=100_000)(self._reach)

    def _reach(self, origin: int, edges: tuple[int, ...], connected: int, taken: int) -> Reach:
        """By breadth first over the hexes a locomotive can enter; `taken` belong to lines."""
        board = self.board
        towns, hexes = [], []
        seen_towns, seen_hexes = connected | board.start_towns, taken
        front = {(origin, edge) for edge in edges}
        for _ in range(MOVES):
            here = 0
            following = set()
            for place, edge in front:
                there = board.neighbours[place][edge]
                if there < 0 or board.town_at[there] >= 0 or seen_hexes >> there & 1:
                    continue
                here |= 1 << there
                following |= {(there, turn % 6) for turn in (edge + 5, edge, edge + 1)}
            near = 0
            for place in _bits(here):
                near |= board.near_towns[place]
            towns.append(near & ~seen_towns)
            hexes.append(here)
            seen_towns |= near
            seen_hexes |= here
            front = following
        return Reach(tuple(towns), tuple(hexes))

    def of(self, state: RocketState) -> Numbers:
        """The rows of a position."""
        board, seats, items = self.board, state.seats, state.ledger.items
        rows: list[list[float]] = [
            [items["money"].get(SEATS[seat], 0) / 1000] for seat in range(seats)
        ]
        lines = [[0.0] * 26 for _ in range(seats)]
        coming: list[list[int]] = [[], [], []]
        taken = sum(1 << place for place, line in enumerate(state.owner) if line >= 0)
        waiting = [0] * seats
        on_line: dict[int, list[int]] = {}
        for place, seat in state.stations.items():
            line = state.owner[place]
            if line < 0:
                waiting[seat] |= 1 << place
            else:
                on_line.setdefault(line, [0] * seats)[seat] += 1
        for line in living(state):
            connected = state.connected[line]
            towns = connected.bit_count()
            held = tuple(all_shares(state, board, line))
            reach = None
            new, railway = [0, 0, 0], [0, 0, 0]
            if not state.isolated[line]:
                reach = self.reach(
                    state.locomotive[line], directions(state, line), connected, taken
                )
                for group, moves in enumerate(GROUPS):
                    mask = 0
                    for move in moves:
                        mask |= reach.towns[move]
                    new[group] = mask.bit_count()
                    railway[group] = (mask & ~self.metropolises).bit_count()
                    coming[group].append(mask & self.metropolises)
            stations = tuple(on_line.get(line, [0] * seats))
            for seat, (share, station) in enumerate(zip(parts(held), parts(stations), strict=True)):
                row = lines[seat]
                for kind in (0, 1):
                    row[kind] += share[kind] * towns
                    row[2 + kind] += station[kind] * towns
                    for group in range(3):
                        at = 4 + 6 * group + 2 * kind
                        row[at] += share[kind] * new[group]
                        row[at + 1] += station[kind] * new[group]
                    row[22 + kind] += station[kind] * towns * railway[0]
                    row[24 + kind] += station[kind] * towns * (railway[1] + railway[2])
                if waiting[seat] and reach is not None:
                    for group, moves in enumerate(GROUPS):
                        met = sum((reach.hexes[move] & waiting[seat]).bit_count() for move in moves)
                        row[8 + 6 * group] += met * (towns + 1)
                        row[9 + 6 * group] += met * sum(new)
        for seat in range(seats):
            rows[seat] += lines[seat]
        self._tokens(state, coming, rows)
        left = items["tile"].get("supply", 0) / board.tiles
        found = np.array(rows)
        return np.hstack([found, found * left])

    def _tokens(
        self, state: RocketState, coming: Sequence[Sequence[int]], rows: list[list[float]]
    ) -> None:
        """Tokens at metropolises that are near a locomotive, tokens by kind, and passengers."""
        board, seats = self.board, state.seats
        items = state.ledger.items
        connected = 0
        for line in living(state):
            connected |= state.connected[line]
        near = [[0.0] * 6 for _ in range(seats)]
        kinds = {kind: [[0] * seats, [0] * seats] for kind in INDUSTRIES}
        for number in board.metropolises:
            town = board.towns[number]
            row = items[token(town.name)]
            held = tuple(row.get(SEATS[seat], 0) for seat in range(seats))
            if not any(held):
                continue
            for seat, count in enumerate(held):
                kinds[town.industry][0][seat] += count
                kinds[town.industry][1][seat] += count * (connected >> number & 1)
            for group, masks in enumerate(coming):
                lines = sum(mask >> number & 1 for mask in masks)
                if lines:
                    for seat, part in enumerate(parts(held)):
                        near[seat][2 * group] += part[0] * lines
                        near[seat][2 * group + 1] += part[1] * lines
        totals = [[0.0] * 4 for _ in range(seats)]
        for whole, safe in kinds.values():
            for at, counts in ((0, whole), (2, safe)):
                for seat, part in enumerate(parts(tuple(counts))):
                    totals[seat][at] += part[0]
                    totals[seat][at + 1] += part[1]
        travelling = items["passenger"]
        passengers = parts(tuple(travelling.get(SEATS[seat], 0) for seat in range(seats)))
        for seat in range(seats):
            supply = items[f"station:{seat}"].get("supply", 0)
            rows[seat] += [*near[seat], *totals[seat], *passengers[seat], float(supply)]


def _bits(mask: int) -> Iterable[int]:
    while mask:
        bit = mask & -mask
        mask ^= bit
        yield bit.bit_length() - 1


class Learned(Judge[RocketState]):
    """A judge by weights."""

    def __init__(self, title: Rocket, weights: Numbers | None) -> None:
        self.title = title
        self.usual = title.judge
        self.weights = weights
        self.features = Features(title.boards.usual)

    def evaluate(self, state: RocketState) -> Sequence[float]:
        if self.weights is None or not state.agenda:
            return [float(score) for score in self.title.scores(state)]
        values: list[float] = (self.features.of(state) @ self.weights * 1000).tolist()
        return values

    def playout_weight(self, action: Action) -> float:
        return self.usual.playout_weight(action)

    def unsettled(self, state: RocketState) -> bool:
        return self.usual.unsettled(state)


class LearnedBot(Bot):
    """Takes the action after which it is furthest ahead by the learned weights."""

    def __init__(self, weights: Numbers, seed: int) -> None:
        super().__init__("learned", seed)
        self.title = Rocket()
        self.title.judge = Learned(self.title, weights)
        self.greedy = GreedyBot(seed)

    def rank(self, view: View) -> list[Ranked]:
        return self.greedy.rank(self.own(view))

    def choose(self, view: View) -> Action:
        return self.greedy.choose(self.own(view))

    def own(self, view: View) -> View:
        """The same view, judged by the weights."""
        return View(self.title, view.state, view.seat, view.names)


class Sample(NamedTuple):
    """Rows of positions, less the mean of all players, and what the final scores were, likewise."""

    rows: Numbers
    scores: Numbers


class Job(NamedTuple):
    """A game to be played: with weights by itself, without them at random."""

    seed: int
    players: int
    weights: Numbers | None


_features: list[Features] = []


def learn_from(job: Job) -> Sample:
    """Play a game and note its positions."""
    rng = random.Random(job.seed)
    title = kursbuch.title("rocket")
    assert isinstance(title, Rocket)
    if not _features:
        _features.append(Features(title.boards.usual))
    bot: Bot = RandomBot(job.seed)
    other = bot
    if job.weights is not None:
        bot = LearnedBot(job.weights, job.seed)
    game = kursbuch.new("rocket", [f"p{n}" for n in range(job.players)], job.seed)
    rows = []
    while not game.over:
        view = game.view(game.pending[0].seat)
        curious = rng.random() < CURIOSITY
        game.apply((other if curious else bot).choose(view))
        if len(game.moves) % STRIDE == 0 and not title.judge.unsettled(game.state):
            rows.append(_features[0].of(game.state))
    found = np.array(rows)
    scores = np.array(title.scores(game.state), dtype=float) / 1000
    aimed = np.tile(scores - scores.mean(), (len(rows), 1))
    return Sample(
        (found - found.mean(axis=1, keepdims=True)).reshape(-1, found.shape[2]), aimed.ravel()
    )


def fitted(samples: Sequence[Sample]) -> Numbers:
    """The weights that fit best, large ones held back."""
    rows = np.vstack([sample.rows for sample in samples])
    scores = np.concatenate([sample.scores for sample in samples])
    scale = rows.std(axis=0) + 1e-9
    scaled = rows / scale
    normal = scaled.T @ scaled + RIDGE * np.eye(rows.shape[1])
    weights: Numbers = np.linalg.solve(normal, scaled.T @ scores) / scale
    return weights


def match(job: Job) -> float:
    """A game of the learned bot against greedy: 1 won, 0 lost. Its seat changes from game to game."""
    assert job.weights is not None
    seat = job.seed % job.players
    bots: list[Bot] = [GreedyBot(job.seed + n) for n in range(job.players)]
    bots[seat] = LearnedBot(job.weights, job.seed)
    game = kursbuch.new(
        "rocket", [f"p{n}" for n in range(job.players)], f"match {job.seed // job.players}"
    )
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


def train(pool: Any, players: int, seconds: float, random_games: int, batch: int) -> Numbers:
    """Games and fits in turn until the time is over; the oldest games are forgotten."""
    started = time.monotonic()
    jobs = [Job(seed, players, None) for seed in range(random_games)]
    samples: list[Sample] = list(pool.imap_unordered(learn_from, jobs))
    weights = fitted(samples)
    rounds = 0
    seed = random_games
    while time.monotonic() - started < seconds:
        rounds += 1
        jobs = [Job(seed + n, players, weights) for n in range(batch)]
        seed += batch
        played = list(pool.imap_unordered(learn_from, jobs))
        # What random players did says little once there are better games.
        samples = (samples if rounds > 1 else []) + played
        samples = samples[-max(4 * batch, len(samples) // 2) :]
        weights = fitted(samples)
        passed = time.monotonic() - started
        print(f"round {rounds}: {seed} games played, {passed:.0f} s", flush=True)
    return weights


def main(arguments: Sequence[str] | None = None) -> float:
    """Learn, then play the match; gives the share of games won."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=12.0, help="to learn")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--random-games", type=int, default=300)
    parser.add_argument("--batch", type=int, default=60, help="games between two fits")
    parser.add_argument("--games", type=int, default=100, help="of the match")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--save", metavar="FILE", help="keep the weights (.npy)")
    given = parser.parse_args(arguments)
    with multiprocessing.get_context("spawn").Pool(given.processes) as pool:
        weights = train(pool, given.players, given.minutes * 60, given.random_games, given.batch)
        if given.save:
            np.save(given.save, weights)
        jobs = [Job(seed, given.players, weights) for seed in range(given.games)]
        won: float = sum(pool.imap_unordered(match, jobs))
    low, high = interval(won, given.games)
    share: float = won / given.games
    print(
        f"{won:g} of {given.games} games won against greedy: {100 * share:.0f} % "
        f"(95 %: {100 * low:.0f} to {100 * high:.0f} %)"
    )
    return share


if __name__ == "__main__":
    main()
