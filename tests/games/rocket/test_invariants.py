"""What holds in every position of every game."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

import kursbuch
from kursbuch.core.actions import Action
from kursbuch.core.errors import IllegalAction
from kursbuch.core.events import Event, Payment
from kursbuch.core.position import Position
from kursbuch.games.rocket import TITLE
from kursbuch.games.rocket import events as happened
from kursbuch.games.rocket.actions import Bid
from kursbuch.games.rocket.state import RocketState
from tests.games.rocket.randomplay import (
    every_action,
    lengths,
    modest,
    new_game,
    options,
    play,
    played,
    players,
    seeds,
    some_action,
)
from tests.games.rocket.scenario import consistent


def refusal_of(position: Position[RocketState], action: Action) -> IllegalAction | None:
    """Why an action is refused, None if it is accepted."""
    try:
        position.check(action)
    except IllegalAction as error:
        return error
    return None


def accepted(position: Position[RocketState], action: Action) -> bool:
    return refusal_of(position, action) is None


@modest(25)
@given(players, options, seeds)
def test_a_whole_game(seats: int, values: dict[str, str], seed: int) -> None:
    """Money and pieces are conserved, the map agrees with the ledger, the game ends."""
    game = new_game(seats, values, seed)
    totals = game.state.ledger.totals()
    board = TITLE.boards.of(game.state)
    money = [0] * seats
    moves = 0
    consistent(game.state, board)
    for _ in play(game, seed, 3000):
        moves += 1
        consistent(game.state, board)
        assert game.state.ledger.totals() == totals
        for event in game.moves[-1].events:
            assert event.rule in TITLE.rules
            if isinstance(event, Payment):
                assert all(amount >= 0 for amount in event.amounts)
                money = [have + more for have, more in zip(money, event.amounts, strict=True)]
        assert [game.state.ledger.held("money", str(seat)) for seat in range(seats)] == money
    assert game.over
    assert moves < 3000
    assert game.result is not None
    assert game.result.scores == tuple(money)
    if values["halves"] == "rounded":
        assert all(score % 1000 == 0 for score in money)


@modest(12)
@given(players, options, seeds, lengths)
def test_records_replay_to_the_same_state(
    seats: int, values: dict[str, str], seed: int, moves: int
) -> None:
    game = played(seats, values, seed, moves * 3)
    again = kursbuch.load(game.record())
    assert again.state == game.state
    assert TITLE.encode(again.state) == TITLE.encode(game.state)
    assert again.moves == game.moves
    assert again.record() == game.record()
    if game.over:
        game.verify_seed(str(seed))


@modest(30)
@given(players, options, seeds, lengths)
def test_legal_actions_are_sound_and_complete(
    seats: int, values: dict[str, str], seed: int, moves: int
) -> None:
    """Of all actions one could think of, exactly those offered are accepted; a refused one changes
    nothing and names a rule of the index."""
    game = played(seats, values, seed, moves)
    if game.over:
        return
    offered: list[Action] = []
    for seat in range(seats):
        for choice in game.legal_actions(seat):
            assert choice.action.seat == seat
            offered += choice.actions()
            if choice.amount is not None:
                assert isinstance(choice.action, Bid)
                assert choice.action.shares == choice.amount.low <= choice.amount.high
                for outside in (choice.amount.low - 1, choice.amount.high + 1):
                    wrong = Bid(seat, choice.action.hex, outside)
                    assert not accepted(game.position, wrong)
    assert len(offered) == len(set(offered))
    assert {action.seat for action in offered} == {decision.seat for decision in game.pending}
    before = TITLE.encode(game.state)
    found = set()
    for action in every_action(game.state):
        why = refusal_of(game.position, action)
        if why is None:
            found.add(action)
        else:
            assert why.title == "rocket"
            assert why.rule in TITLE.rules
    assert found == set(offered)
    assert TITLE.encode(game.state) == before


@modest(15)
@given(players, options, seeds, lengths)
def test_refused_actions_change_nothing(
    seats: int, values: dict[str, str], seed: int, moves: int
) -> None:
    game = played(seats, values, seed, moves)
    rng = random.Random(seed)
    conceivable = list(every_action(game.state))
    before, count = TITLE.encode(game.state), len(game.moves)
    refused = 0
    for action in rng.sample(conceivable, 200):
        if not accepted(game.position, action):
            with pytest.raises(IllegalAction):
                game.apply(action)
            refused += 1
    assert refused > 100
    assert (TITLE.encode(game.state), len(game.moves)) == (before, count)


@modest(20)
@given(players, options, seeds, lengths)
def test_every_offered_action_can_be_carried_out(
    seats: int, values: dict[str, str], seed: int, moves: int
) -> None:
    """On a clone, which leaves the position itself as it was."""
    game = played(seats, values, seed, moves)
    before = TITLE.encode(game.state)
    totals = game.state.ledger.totals()
    rng = random.Random(seed)
    for decision in game.pending:
        legal = game.legal_actions(decision.seat)
        for choice in rng.sample(legal, min(15, len(legal))):
            for action in choice.actions():
                clone = game.position.clone()
                assert clone.state == game.state
                clone.apply(action)
                consistent(clone.state, TITLE.boards.of(clone.state))
                assert clone.state.ledger.totals() == totals
                assert TITLE.encode(clone.state) != before
    assert TITLE.encode(game.state) == before


@modest(15)
@given(players, options, seeds, lengths)
def test_forms_of_actions_give_the_same_action(
    seats: int, values: dict[str, str], seed: int, moves: int
) -> None:
    game = played(seats, values, seed, moves)
    for seat in range(seats):
        for choice in game.legal_actions(seat):
            for action in choice.actions():
                assert game.parse(game.format(action)) == action
                assert game.parse(game.format(action).upper()) == action
                data = TITLE.action_to_json(action)
                assert TITLE.action_from_json(data) == action
                assert data["seat"] == seat


@modest(15)
@given(players, options, seeds, lengths)
def test_undo_restores(seats: int, values: dict[str, str], seed: int, moves: int) -> None:
    game = new_game(seats, values, seed)
    states = [TITLE.encode(game.state)]
    for _ in play(game, seed, moves):
        states.append(TITLE.encode(game.state))
    rng = random.Random(seed)
    for number in rng.sample(range(len(states)), min(4, len(states))):
        assert TITLE.encode(game.at(number).state) == states[number]
    for _ in range(min(12, len(game.moves))):
        game.undo()
        assert TITLE.encode(game.state) == states[len(game.moves)]
    if not game.over:
        game.apply(some_action(game.position, rng))
        assert kursbuch.load(game.record()).state == game.state


@modest(15)
@given(players, options, seeds, lengths)
def test_views_hide_what_they_must(
    seats: int, values: dict[str, str], seed: int, moves: int
) -> None:
    game = played(seats, values, seed, moves + moves // 2)
    for viewer in (None, *range(seats)):
        view = game.view(viewer)
        assert view.pending == game.pending
        assert view.legal_actions() == ([] if viewer is None else game.legal_actions(viewer))
        money = view.state.ledger.items["money"]
        if values["money"] == "open" or game.over:
            assert view.state == game.state
        else:
            own = set() if viewer is None else {str(viewer)}
            assert set(money) <= own
            for holder in own:
                assert view.state.ledger.held("money", holder) == game.state.ledger.held(
                    "money", holder
                )
        items = {**view.state.ledger.items, "money": {}}
        assert items == {**game.state.ledger.items, "money": {}}
        assert list(game.events(viewer)) == list(game.events())


@modest(15)
@given(players, options, seeds, lengths)
def test_the_state_is_plain_data(seats: int, values: dict[str, str], seed: int, moves: int) -> None:
    game = played(seats, values, seed, moves)
    data = TITLE.encode(game.state)
    assert TITLE.decode(data) == game.state
    assert TITLE.encode(TITLE.decode(data)) == data
    clone = TITLE.clone(game.state)
    clone.ledger.move("money", "bank", "0", 1000)
    clone.stations[0] = 0
    clone.owner[0] = 3
    assert TITLE.encode(game.state) == data


def test_random_play_meets_everything() -> None:
    """The games above are worth something: every kind of event happens in some of them."""
    met: set[str] = set()
    for seed in range(60):
        game = played(2 + seed % 3, {}, seed, 3000)
        met |= {str(type(event).__struct_config__.tag) for _, event in game.events()}
    abstract = (Event, Payment, happened.Scored)
    kinds = {
        str(kind.__struct_config__.tag)
        for kind in vars(happened).values()
        if isinstance(kind, type) and issubclass(kind, Event) and kind not in abstract
    }
    assert kinds - met <= {"shares-swapped"}
