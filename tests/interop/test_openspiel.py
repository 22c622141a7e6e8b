"""Every title passes OpenSpiel's own tests, and tells a player only what he may know."""

from __future__ import annotations

import random
from typing import Any

import pytest

import kursbuch

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: kursbuch[openspiel]")

import pyspiel

from examples.openspiel_nimm import play
from kursbuch.interop.openspiel import KursbuchState

TITLES = sorted(kursbuch.titles())


def walked(game: Any, choices: int, seed: int = 1) -> KursbuchState:
    """A game after this number of random choices and draws."""
    rng = random.Random(seed)
    state: KursbuchState = game.new_initial_state()
    for _ in range(choices):
        if not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("title", TITLES)
def test_conforms(title: str) -> None:
    game = pyspiel.load_game(f"kursbuch_{title}(most_decisions=100)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_a_whole_game_with_more_players_and_other_options_conforms() -> None:
    game = pyspiel.load_game("kursbuch_rocket(players=4,money=hidden,railway_towns=13)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("title", TITLES)
def test_a_clone_and_what_was_serialized_go_on_alike(title: str) -> None:
    game = pyspiel.load_game(f"kursbuch_{title}")
    for choices in (0, 1, 30, 31, 32):
        state = walked(game, choices)
        clone = state.clone()
        _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
        before = str(state)
        for _ in range(20):
            action = clone.legal_actions()[-1]
            assert read.legal_actions()[-1] == action
            clone.apply_action(action)
            read.apply_action(action)
        assert str(clone) == str(read) != before
        assert str(state) == before


def test_every_draw_is_a_chance_node() -> None:
    state = pyspiel.load_game("kursbuch_nimm").new_initial_state()
    draws = 0
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        assert sum(chance for _, chance in outcomes) == pytest.approx(1)
        state.apply_action(outcomes[-1][0])
        draws += 1
    # The start player, six target tiles, and the type of the first auction; in some, cards.
    assert draws == state.environment.position.state.draws >= 8


def test_information_states_leave_out_the_bids_of_others() -> None:
    """Two sealed bids that the other player cannot tell apart, and the bidder can."""
    game = pyspiel.load_game("kursbuch_nimm")
    for seed in range(20):
        state = walked(game, 40, seed)
        while not state.is_terminal() and not (
            state.is_player_node() and "sealed-bids" in state.observation_string(0)
        ):
            state.apply_action(state.legal_actions()[-1])
        if not state.is_terminal():
            break
    bidder = state.current_player()
    other = 1 - bidder
    after = []
    for pick in (0, -1):
        bid = state.clone()
        while bid.current_player() == bidder:
            bid.apply_action(bid.legal_actions()[pick])
        after.append(bid)
    low, high = after
    assert str(low) != str(high)
    assert low.information_state_string(other) == high.information_state_string(other)
    assert low.observation_tensor(other) == high.observation_tensor(other)
    assert low.information_state_string(bidder) != high.information_state_string(bidder)


def test_information_states_recall_what_observations_do_not() -> None:
    """Two stations placed in one order or the other leave the same position, but not the same past."""
    game = pyspiel.load_game("kursbuch_rocket")
    beginning = game.new_initial_state()
    beginning.apply_action(0)
    place = next(
        action
        for action in beginning.legal_actions()
        if beginning.action_to_string(action) == "place-station"
    )
    hexes = beginning.child(place).legal_actions()[:60:59]
    after = []
    for order in (hexes, hexes[::-1]):
        state = beginning.clone()
        for hex_ in order:
            state.apply_action(place)
            state.apply_action(hex_)
        after.append(state)
    first, second = after
    assert first.observation_string(0) == second.observation_string(0)
    assert first.information_state_string(0) != second.information_state_string(0)


def test_resampling_keeps_what_a_player_knows() -> None:
    game = pyspiel.load_game("kursbuch_nimm")
    state = walked(game, 60)
    seat = state.current_player()
    assert seat >= 0
    found = {
        str(other): other
        for other in (state.resample_from_infostate(seat, random.random) for _ in range(5))
    }
    assert len(found) > 1
    for other in found.values():
        assert other.information_state_string(seat) == state.information_state_string(seat)
        assert other.legal_actions() == state.legal_actions()


def test_what_can_be_chosen_fits_what_was_guessed_for_another() -> None:
    """A player who does not choose guesses: from there on the game goes on with what is guessed."""
    game = pyspiel.load_game("kursbuch_nimm")
    rng = random.Random(5)
    for moves in range(20, 140, 12):
        state = walked(game, moves)
        seat = state.current_player()
        if seat < 0:
            continue
        for _ in range(4):
            guessed = state.resample_from_infostate(1 - seat, rng.random)
            for _ in range(12):
                if guessed.is_terminal():
                    break
                guessed.apply_action(rng.choice(guessed.legal_actions()))


def test_a_search_of_openspiel_plays_nimm() -> None:
    assert sorted(play(searcher=0, simulations=2, seed=1)) in ([-1, 1], [0, 0])
