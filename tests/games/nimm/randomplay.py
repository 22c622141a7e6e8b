"""Games played at random, for what must hold in all of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache

from hypothesis import settings
from hypothesis import strategies as st

from kursbuch.core.actions import Action, Choice
from kursbuch.core.game import Game
from kursbuch.games.nimm import TITLE

NAMES = ("Anna", "Bernd", "Clara", "Dirk", "Eva", "Fritz")

players = st.integers(2, 6)
seeds = st.integers(0, 10**6)
options = st.sampled_from([{"open_auction": "calls"}, {"open_auction": "rounds"}])
lengths = st.integers(0, 250)


def modest(examples: int) -> settings:
    """Few examples, each a whole game."""
    return settings(max_examples=examples, deadline=None)


def new_game(seats: int, values: dict[str, str], seed: int) -> Game:
    """A game that has not begun."""
    return Game(TITLE, NAMES[:seats], values, seed=str(seed))


def some_action(choices: list[Choice], rng: random.Random, bold: float) -> Action:
    """One of the actions; of a long range mostly one of the lowest eight amounts, and any with the
    probability `bold`."""
    choice = rng.choice(choices)
    if choice.amount is None:
        return choice.action
    reach = len(choice.amount) if rng.random() < bold else min(8, len(choice.amount))
    return choice.with_amount(choice.amount.low + choice.amount.step * rng.randrange(reach))


def play(game: Game, seed: int, most: int, *, bold: float = 0.05) -> Iterator[Action]:
    """Make up to this many random moves; now and then someone hands in a tile unasked."""
    rng = random.Random(seed)
    for _ in range(most):
        if game.over:
            return
        seat = rng.choice(game.pending).seat
        other = rng.randrange(game.state.seats)
        if rng.random() < 0.1 and game.legal_actions(other):
            seat = other
        action = some_action(game.legal_actions(seat), rng, bold)
        game.apply(action)
        yield action


def played(seats: int, values: dict[str, str], seed: int, moves: int) -> Game:
    """A game after this number of random moves, or at its end."""
    game = new_game(seats, values, seed)
    for _ in play(game, seed, moves):
        pass
    return game


@lru_cache
def finished(seats: int, seed: int) -> Game:
    """A whole game."""
    return played(seats, {}, seed, 10_000)
