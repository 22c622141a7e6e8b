"""What holds in every position of every game."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given

import kursbuch
from kursbuch import bots
from kursbuch.core.actions import Action
from kursbuch.core.events import Payment
from kursbuch.core.position import Position
from kursbuch.games.nimm import TITLE
from kursbuch.games.nimm.actions import (
    Bid,
    Buy,
    Favour,
    Hold,
    Keep,
    Offer,
    Pass,
    Ready,
    Replace,
    Take,
    TurnDown,
    UseTarget,
)
from kursbuch.games.nimm.state import NimmState, owner
from tests.games.nimm.randomplay import (
    lengths,
    modest,
    new_game,
    options,
    play,
    played,
    players,
    seeds,
)

CARDS = TITLE.cards


def every_action(state: NimmState) -> list[Action]:
    """Every action that could ever be meant, and some that could not."""
    found: list[Action] = []
    selections = {
        tuple(chosen)
        for count in range(len(state.display) + 1)
        for chosen in itertools.combinations(state.display, count)
    }
    for seat in range(state.seats):
        found += [Pass(seat), Hold(seat), Ready(seat)]
        found += [Bid(seat, amount) for amount in range(-50, 6100, 50)]
        found += [Bid(seat, amount) for amount in (25, 125, 575)]
        found += [Favour(seat, player) for player in range(state.seats + 1)]
        for loco in [*CARDS.locomotive, "E9"]:
            found += [Offer(seat, loco), Buy(seat, loco), Keep(seat, loco), TurnDown(seat, loco)]
        for card in [*CARDS.counts, "tea100"]:
            found += [Take(seat, card, train) for train in range(-1, 5)]
        found += [UseTarget(seat, tile) for tile in [*CARDS.targets, "target-19"]]
        found += [Replace(seat, cards) for cards in selections]
        found += [Replace(seat, tuple(reversed(cards))) for cards in selections]
    return found


def accepted(position: Position[NimmState], action: Action) -> bool:
    problem = position.problem(action)
    if problem is not None and problem.rule not in TITLE.rules:
        assert "order of the component file" in str(problem), action
        assert isinstance(action, Replace), action
    return problem is None


@modest(20)
@given(players, options, seeds)
def test_a_whole_game(seats: int, values: dict[str, str], seed: int) -> None:
    """Money, cards and tiles are conserved, payments explain every purse, the game ends."""
    game = new_game(seats, values, seed)
    totals = game.state.ledger.totals()
    assert totals["money"] == 0
    purses = [0] * seats
    for event in game.opening:
        if isinstance(event, Payment):
            purses = [have + more for have, more in zip(purses, event.amounts, strict=True)]
    state = game.state
    for number, _ in enumerate(play(game, seed, 1_000_000)):
        for event in game.moves[-1].events:
            assert event.rule in TITLE.rules
            if isinstance(event, Payment):
                purses = [have + more for have, more in zip(purses, event.amounts, strict=True)]
        state = game.state
        assert [state.ledger.held("money", owner(seat)) for seat in range(seats)] == purses
        assert min(purses) >= 0
        assert all(purse % 50 == 0 for purse in purses)
        if number % 10 == 0:
            assert state.ledger.totals() == totals
        assert all(len(trains) <= 3 for trains in state.trains)
        if state.order:
            assert [len(trains) for trains in state.trains] == [3] * seats
            for trains in state.trains:
                kinds = [CARDS.wagons[train.wagons[0]].kind for train in trains if train.wagons]
                assert len(set(kinds)) == len(kinds)
                assert all(len(train.wagons) <= 6 for train in trains)
    assert game.over
    assert state.ledger.totals() == totals
    assert game.result is not None
    assert game.result.scores == tuple(purses)


@modest(10)
@given(players, options, seeds, lengths)
def test_records_replay_to_the_same_state(
    seats: int, values: dict[str, str], seed: int, moves: int
) -> None:
    game = played(seats, values, seed, moves)
    again = kursbuch.load(game.record())
    assert again.state == game.state
    assert again.record() == game.record()
    for reveal in (True, False):
        assert kursbuch.load(game.record(reveal=reveal)).state == game.state


@modest(10)
@given(players, options, seeds, lengths)
def test_choices_and_checks_agree(
    seats: int, values: dict[str, str], seed: int, moves: int
) -> None:
    """Everything offered is accepted, everything else is refused and changes nothing."""
    game = played(seats, values, seed, moves)
    position = game.position
    before = TITLE.encode(game.state)
    choices = {seat: position.legal_actions(seat) for seat in range(seats)}
    offered = [choice for found in choices.values() for choice in found]
    for choice in offered:
        position.check(choice.action)
        if choice.amount is not None:
            position.check(choice.with_amount(choice.amount.high))
    for action in every_action(game.state):
        covered = any(choice.covers(action) for choice in choices[action.seat])
        assert accepted(position, action) == covered, action
    assert TITLE.encode(game.state) == before


@modest(10)
@given(players, options, seeds, lengths)
def test_moves_keep_their_text_and_json(
    seats: int, values: dict[str, str], seed: int, moves: int
) -> None:
    game = played(seats, values, seed, moves)
    for seat in range(seats):
        for choice in game.legal_actions(seat):
            action = choice.action
            assert game.parse(game.format(action)) == action
            assert game.parse(game.format(action).upper().replace("  ", " ")) == action
            assert TITLE.action_from_json(TITLE.action_to_json(action)) == action


@modest(10)
@given(players, options, seeds, lengths)
def test_clones_are_independent(seats: int, values: dict[str, str], seed: int, moves: int) -> None:
    game = played(seats, values, seed, moves)
    if game.over:
        return
    before = TITLE.encode(game.state)
    clone = game.position.clone()
    assert clone.state == game.state
    rng = random.Random(seed)
    for _ in range(20):
        if clone.over:
            break
        clone.apply(rng.choice(clone.legal_actions(clone.deciders()[0])).action)
    assert TITLE.encode(game.state) == before
    assert TITLE.decode(before) == game.state


@modest(5)
@given(players, options, seeds)
def test_undo_goes_back(seats: int, values: dict[str, str], seed: int) -> None:
    game = new_game(seats, values, seed)
    states = [TITLE.encode(game.state)]
    for _ in play(game, seed, 60):
        states.append(TITLE.encode(game.state))
    while game.moves:
        assert TITLE.encode(game.state) == states[len(game.moves)]
        game.undo()
    assert TITLE.encode(game.state) == states[0]


@pytest.mark.parametrize("seats", range(2, 7))
def test_values_of_positions_can_be_used(seats: int) -> None:
    game = new_game(seats, {}, seats)
    for number, _ in enumerate(play(game, seats, 5000)):
        if number % 5 == 0:
            values = TITLE.evaluator.evaluate(game.state)
            assert len(values) == seats
            assert all(-10_000 < value < 200_000 for value in values)
            for seat in range(seats):
                for choice in game.legal_actions(seat):
                    amounts = list(TITLE.evaluator.amounts(game.state, choice))
                    assert bool(amounts) == (choice.amount is not None)
                    assert all(choice.amount and amount in choice.amount for amount in amounts)
    assert TITLE.evaluator.evaluate(game.state) == [
        float(score) for score in TITLE.scores(game.state)
    ]


def test_an_opponent_that_looks_ahead_beats_one_that_does_not() -> None:
    won = 0.0
    for seed in range(6):
        game = new_game(2, {}, seed)
        players_ = [bots.make("greedy", seed), bots.make("random", seed)]
        if seed % 2:
            players_.reverse()
        while not game.over:
            seat = game.pending[0].seat
            game.apply(players_[seat].choose(game.view(seat)))
        assert game.result is not None
        won += (seed % 2 in game.result.winners) / len(game.result.winners)
    assert won >= 5
