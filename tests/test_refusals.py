"""Every refused action of a legal form names its rule, in every game and anyone who tries it."""

from __future__ import annotations

import random
from collections.abc import Iterator
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


#: What no field, or hardly one, can be.
ODD: tuple[Any, ...] = (
    *(None, 1.5, 2.0, True, -1, 7, 10**30, object()),
    *("", "x", "AB", "NES", "anyone", "\ud800", ("x",), (), ["x"], {"x": 1}),
)


def mangled(action: Action) -> Iterator[Action]:
    """The action with one field replaced by something odd."""
    for field in action.__struct_fields__:
        for odd in ODD:
            yield msgspec.structs.replace(action, **{field: odd})


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("title", sorted(kursbuch.titles()))
def test_a_refusal_names_a_rule(title: str, seed: int) -> None:
    assert refusals(title, seed) == set()


@pytest.mark.parametrize("title", sorted(kursbuch.titles()))
def test_odd_fields_are_refused_and_change_nothing(title: str) -> None:
    """Built in Python: either the action is one of those offered, or there is a sentence."""
    game, possible = random_game(title, 5, 250)
    rng = random.Random(5)
    for number in rng.sample(range(len(game.moves)), 40):
        position = game.at(number)
        before = game.title.encode(position.state)
        offered = [
            choice for seat in position.deciders() for choice in position.legal_actions(seat)
        ] + [choice for seat in position.volunteers() for choice in position.legal_actions(seat)]
        actions = [choice.action for choice in offered] + possible
        for action in rng.sample(actions, 6):
            for odd in mangled(action):
                problem = position.problem(odd)
                if problem is None:
                    assert any(choice.covers(odd) for choice in offered), odd
                else:
                    assert "\n" not in str(problem)
        assert game.title.encode(position.state) == before
