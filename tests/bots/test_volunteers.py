"""Bots also act when no one waits for them, if that is good at once."""

from __future__ import annotations

import pytest

import kursbuch
from kursbuch.bots import Bot, make, volunteered
from kursbuch.core.game import Game
from kursbuch.games.nimm.actions import UseTarget

NAMES = ("Anna", "Bernd", "Clara")


def play(game: Game, bots: dict[int, Bot], *, until_volunteer: bool = False) -> None:
    """Play on as `kursbuch match` does."""
    while not game.over:
        action = volunteered(game, bots)
        if action is not None and until_volunteer:
            return
        if action is None:
            seat = game.pending[0].seat
            action = bots[seat].choose(game.view(seat))
        game.apply(action)


@pytest.mark.rule("nimm:target-use-1")
@pytest.mark.parametrize("spec", ["greedy", "mcts:5"])
def test_target_tiles_are_handed_in_during_the_turns_of_others(spec: str) -> None:
    game = kursbuch.new("nimm", NAMES, seed=1)
    play(game, {seat: make("greedy", seat) for seat in range(3)}, until_volunteer=True)
    assert not game.over
    before = game.title.encode(game.state)
    (seat,) = {
        seat
        for seat in game.position.volunteers()
        if make(spec, 1).volunteer(game.view(seat)) is not None
    }
    assert seat not in game.position.deciders()
    action = make(spec, 1).volunteer(game.view(seat))
    assert isinstance(action, UseTarget)
    assert game.title.encode(game.state) == before
    game.apply(action)


def test_a_beginner_waits_to_be_asked() -> None:
    game = kursbuch.new("nimm", NAMES, seed=1)
    play(game, {seat: make("greedy", seat) for seat in range(3)}, until_volunteer=True)
    assert volunteered(game, {seat: make("random", seat) for seat in range(3)}) is None
    # Nor does anybody whom there is nothing to do for, or who only watches.
    assert all(
        make("greedy", 1).volunteer(game.view(seat)) is None
        for seat in range(3)
        if seat not in (*game.position.volunteers(), *game.position.deciders())
    )
    assert make("greedy", 1).volunteer(game.view(None)) is None


def test_games_without_volunteers_are_as_before() -> None:
    game = kursbuch.new("rocket", NAMES, seed=1)
    assert volunteered(game, {seat: make("greedy", seat) for seat in range(3)}) is None
