"""Random play for tests that hold in every position."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

from hypothesis import settings
from hypothesis import strategies as st

from kursbuch.core.actions import Action
from kursbuch.core.game import Game
from kursbuch.core.position import Position
from kursbuch.games.rocket import TITLE
from kursbuch.games.rocket.actions import (
    Bid,
    CallVeto,
    ExtendLine,
    LetStand,
    MoveStation,
    PassVeto,
    PlaceStation,
    TakeToken,
)
from kursbuch.games.rocket.state import RocketState

#: The same examples every time where changes are judged, new ones elsewhere.
IN_CI = os.environ.get("CI", "").lower() in ("true", "1")


def modest(examples: int) -> settings:
    """Settings for this many examples of whatever length."""
    return settings(max_examples=examples, deadline=None, derandomize=IN_CI)


seeds = st.integers(0, 10**9)
players = st.integers(2, 4)
lengths = st.integers(0, 100)
options = st.fixed_dictionaries(
    {option.name: st.sampled_from(option.values) for option in TITLE.options}
)

#: How likely the kinds of actions are; locomotives make the game move on.
WEIGHTS: dict[type[Action], int] = {
    ExtendLine: 12,
    TakeToken: 3,
    PlaceStation: 4,
    MoveStation: 1,
    CallVeto: 1,
    LetStand: 2,
    Bid: 3,
    PassVeto: 2,
}


def some_action(position: Position[RocketState], rng: random.Random) -> Action:
    """An action of one of those who have to decide; every kind has its chance."""
    legal = position.legal_actions(rng.choice(position.deciders()))
    kinds = sorted({type(choice.action) for choice in legal}, key=lambda kind: kind.__name__)
    kind = rng.choices(kinds, [WEIGHTS[kind] for kind in kinds])[0]
    choice = rng.choice([choice for choice in legal if type(choice.action) is kind])
    if choice.amount is None:
        return choice.action
    return choice.with_amount(rng.choice([choice.amount.low, choice.amount.low, *choice.amount]))


def new_game(seats: int, values: dict[str, str], seed: int) -> Game:
    """A new game of this many players."""
    return Game(TITLE, ["A", "B", "C", "D"][:seats], values, seed=str(seed))


def played(seats: int, values: dict[str, str], seed: int, moves: int) -> Game:
    """A game after this many random actions, or at its end."""
    game = new_game(seats, values, seed)
    for _ in play(game, seed, moves):
        pass
    return game


def play(game: Game, seed: int, moves: int) -> Iterator[Action]:
    """Play at random, yielding every action after it was carried out."""
    rng = random.Random(seed)
    for _ in range(moves):
        if game.over:
            return
        action = some_action(game.position, rng)
        game.apply(action)
        yield action


def every_action(state: RocketState) -> Iterator[Action]:
    """Every action one could think of, for every seat, sensible or not."""
    board = TITLE.boards.of(state)
    places = (*board.hex_names, "Z9", "")
    for seat in range(state.seats):
        yield LetStand(seat)
        yield CallVeto(seat)
        yield PassVeto(seat)
        for town in (*(town.name for town in board.towns), "Nowhere"):
            yield TakeToken(seat, town)
        origins = [board.hex_names[place] for place in state.stations]
        for place in places:
            yield PlaceStation(seat, place)
            for line in (*board.line_index, "LNER"):
                yield ExtendLine(seat, line, place)
            for shares in range(21):
                yield Bid(seat, place, shares)
            for origin in (*origins, "L13"):
                yield MoveStation(seat, origin, place)
