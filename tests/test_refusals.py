"""Every refused action of a legal form names its rule, in every game and whoever tries it."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

import kursbuch
from kursbuch.core.actions import Action
from kursbuch.core.game import Game

NAMES = ("Anna", "Bernd", "Clara", "Dirk")


def random_game(title: str, seed: int, moves: int) -> tuple[Game, list[Action]]:
    """A game of random moves, and a part of the actions that were possible in it."""
    rng = random.Random(seed)
    chosen = kursbuch.title(title)
    options = {option.name: rng.choice(option.values) for option in chosen.options}
    game = Game(chosen, NAMES[: max(3, chosen.seats[0])], options, seed=str(seed))
    possible: list[Action] = []
    while len(game.moves) < moves and not game.over:
        legal = game.legal_actions(rng.choice(game.pending).seat)
        kinds = sorted({type(choice.action).__name__ for choice in legal})
        kind = rng.choice(kinds)
        of_kind = [choice for choice in legal if type(choice.action).__name__ == kind]
        choice = rng.choice(of_kind)
        possible += [each.action for each in rng.sample(of_kind, min(2, len(of_kind)))]
        amount = choice.amount
        game.apply(
            choice.action
            if amount is None
            else choice.with_amount(rng.choice([amount.low, amount.high]))
        )
    return game, possible


def tried(action: Action, seats: int, rng: random.Random) -> Action:
    """The action of another moment, by anybody, with any amount."""
    changes: dict[str, Any] = {"seat": rng.randrange(seats)}
    if action.AMOUNT:
        changes[action.AMOUNT] = rng.choice([0, 1, 5, 100, 5000])
    return msgspec.structs.replace(action, **changes)


def refusals(title: str, seed: int, moves: int = 250, looks: int = 60) -> set[tuple[str, str, str]]:
    """What was refused without a rule of the index: the step, the action and the sentence."""
    game, possible = random_game(title, seed, moves)
    rng = random.Random(seed)
    found = set()
    for number in rng.sample(range(len(game.moves) + 1), min(looks, len(game.moves) + 1)):
        position = game.at(number)
        step = type(position.state.agenda[-1]).__name__ if position.state.agenda else "over"
        before = game.title.encode(position.state)
        for action in rng.sample(possible, min(40, len(possible))):
            attempt = tried(action, position.state.seats, rng)
            problem = position.problem(attempt)
            if problem is not None and problem.rule not in game.title.rules:
                found.add((step, type(attempt).__name__, f"{problem.rule}: {problem}"))
        assert game.title.encode(position.state) == before
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("title", sorted(kursbuch.titles()))
def test_a_refusal_names_a_rule(title: str, seed: int) -> None:
    assert refusals(title, seed) == set()
