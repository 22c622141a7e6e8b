"""What 1853 hides: bonds, cities, votes; and what might be there instead."""

from __future__ import annotations

import random
from typing import Any

import pytest

from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.position import Position
from kursbuch.games.g18xx.g1853 import TITLE, contracts
from kursbuch.games.g18xx.g1853.actions import WriteCity
from kursbuch.games.g18xx.g1853.components import standard
from kursbuch.games.g18xx.g1853.events import BondNoted, CityNoted
from kursbuch.games.g18xx.g1853.state import HIDDEN, State1853
from tests.games.g18xx.g1853.table import Scene, bidding, listing
from tests.games.g18xx.scene import NAMES

READERS = (0, 1, 2, 3, None)


def seen(scene: Scene, reader: int | None) -> State1853:
    return TITLE.view(scene.state, reader)


def randomly(seed: int, moves: int, **options: str) -> Game:
    """A game after some random moves."""
    rng = random.Random(seed)
    players = list(NAMES[: 3 + seed % 4])
    given = {name.replace("_", "-"): value for name, value in options.items()}
    game = Game(TITLE, players, given, seed=str(seed))
    while len(game.moves) < moves and not game.over:
        legal = game.legal_actions(rng.choice(game.pending).seat)
        kind = rng.choice(sorted({type(choice.action).__name__ for choice in legal}))
        choice = rng.choice([one for one in legal if type(one.action).__name__ == kind])
        amount = choice.amount
        game.apply(choice.action if amount is None else choice.with_amount(amount.low))
    return game


# ---- views


@pytest.mark.rule("1853:2.5.2", "1853:2.1")
def test_bonds_are_secret_until_all_are_written() -> None:
    scene = bidding(4)
    scene.do("A writes a bond of 100", "C writes a bond of 60")
    known = {reader: [one.bond for one in seen(scene, reader).contracts] for reader in READERS}
    assert known[0] == [100, None, None, None]
    assert known[1] == known[3] == known[None] == [None] * 4
    assert known[2] == [None, None, 60, None]
    scene.draws().do("B writes a bond of 90", "D writes a bond of 110")
    for reader in READERS:
        assert [one.bond for one in seen(scene, reader).contracts] == [100, 90, 60, 110]


@pytest.mark.rule("1853:2.5.4", "1853:2.1")
def test_cities_are_known_to_their_owner_only() -> None:
    """Everybody sees the number of cities and the shares; no one else how much of a bond is unused."""
    scene = listing(4, 100, 90, 80, 70)
    scene.do("A writes Delhi for NWR", "B writes Delhi for EIR", "C writes Patna for EIR")
    for reader in READERS:
        found = seen(scene, reader).contracts
        assert [one.companies for one in found] == [["NWR"], ["EIR"], ["EIR"], []]
        cities = [["Delhi"], ["Delhi"], ["Patna"], []]
        assert [one.cities for one in found] == [
            real if seat == reader or not real else [HIDDEN] for seat, real in enumerate(cities)
        ]


@pytest.mark.rule("1853:4.3.2", "1853:5.2.1", "1853:2.5.11")
def test_cities_are_open_when_they_are_shown_and_at_the_end() -> None:
    scene = Scene().contract("A", 60, "Lahore", "Multan", "Jaipur").stock("B")
    assert seen(scene, 1).contracts[0].cities == [HIDDEN] * 3
    assert seen(scene, 0).contracts[0].cities == ["Lahore", "Multan", "Jaipur"]
    scene.state.contracts[0].shown = True
    assert seen(scene, 1).contracts[0].cities == ["Lahore", "Multan", "Jaipur"]
    scene.state.contracts[0].shown = False
    scene.state.agenda.clear()
    assert seen(scene, None).contracts[0].cities == ["Lahore", "Multan", "Jaipur"]


@pytest.mark.rule("1853:2.6.2")
def test_only_the_two_cities_of_a_large_bbci_are_shown() -> None:
    scene = (
        Scene().contract("D", 100, "Ajmer", "Lahore", "Bombay").contract("C", 90, "Ajmer").stock()
    )
    scene.state.claimant = 3
    assert seen(scene, 0).contracts[3].cities == ["Ajmer", HIDDEN, "Bombay"]
    assert seen(scene, None).contracts[2].cities == [HIDDEN]
    # Which of several shares of a company came with a city no one has seen.
    scene = Scene().contract("D", 100, "Jaipur", "Ajmer", "Bombay").stock()
    scene.state.claimant = 3
    assert seen(scene, 0).contracts[3].cities == ["Ajmer", "Bombay", HIDDEN]
    assert seen(scene, 3).contracts[3].cities == ["Jaipur", "Ajmer", "Bombay"]


@pytest.mark.rule("1853:4.3.2")
def test_votes_are_secret_until_all_have_voted() -> None:
    scene = Scene(illegal_contracts="on").contract("A", 50, "Lahore", "Rawalpindi", "Peshawar")
    scene.track("standard", "B8", "B10").tiles("B10:6:1").track("standard", "B10", "C11").stock("B")
    scene.do("A shows the contract", "B pardons")
    votes: dict[int | None, dict[int, bool]] = {}
    for reader in READERS:
        step: Any = seen(scene, reader).agenda[-1]
        votes[reader] = step.votes
    assert votes == {0: {}, 1: {1: True}, 2: {}, 3: {}, None: {}}


@pytest.mark.rule("1853:2.5.12", "1853:4.3.2")
def test_nobody_else_sees_that_a_contract_is_illegal() -> None:
    """Its owner may show it; in the eyes of the others no one may."""
    scene = Scene(illegal_contracts="on").contract("A", 50, "Lahore", "Rawalpindi", "Peshawar")
    scene.track("standard", "B8", "B10").tiles("B10:6:1").track("standard", "B10", "C11").stock("B")
    for reader in READERS:
        position = Position(TITLE, seen(scene, reader), scene.position.chance)
        assert position.volunteers() == ((0,) if reader == 0 else ())
        offered = [TITLE.format(choice.action) for choice in position.legal_actions(0)]
        assert offered == (["shows the contract"] if reader == 0 else [])


@pytest.mark.rule("1853:2.5.4")
@pytest.mark.parametrize("seed", range(4))
def test_every_reader_sees_whose_turn_it_is_and_his_own_possibilities(seed: int) -> None:
    """In the view of anybody the same players are asked as in the game; no one is offered what others
    may do."""
    options = {"illegal_contracts": "on"} if seed % 2 else {}
    game = randomly(seed, 90, **options)
    for number in range(0, len(game.moves) + 1, 3):
        position = game.at(number)
        for reader in (*range(position.state.seats), None):
            view = Position(TITLE, TITLE.view(position.state, reader), position.chance)
            assert view.deciders() == position.deciders()
            if reader is not None:
                assert view.legal_actions(reader) == position.legal_actions(reader)


@pytest.mark.rule("1853:2.5.2", "1853:2.5.4", "1853:2.1")
@pytest.mark.parametrize("seed", range(4))
def test_events_tell_no_more_than_the_views(seed: int) -> None:
    """Amounts and cities are told to their owner; everything that others are told is free of them."""
    game = randomly(seed, 60)
    seats = game.state.seats
    noted = [event for move in game.moves for event in move.events if event.secret_to is not None]
    assert {type(event) for event in noted} == {BondNoted, CityNoted}
    for event in noted:
        assert isinstance(event, BondNoted | CityNoted)
        assert event.secret_to == (event.seat,)
    for reader in (*range(seats), None):
        told = [event for _, event in game.events(reader)]
        assert {event.seat for event in told if isinstance(event, BondNoted | CityNoted)} == (
            set() if reader is None else {reader}
        )


@pytest.mark.rule("1853:2.5.4", "1853:2.5.11")
def test_the_record_tells_the_secrets_and_is_kept_back() -> None:
    game = randomly(0, 40)
    assert TITLE.hides({})
    written = next(move.action for move in game.moves if isinstance(move.action, WriteCity))
    assert TITLE.format(written) in game.record()
    for reader in {*range(3), None} - {written.seat}:
        told = [event for _, event in game.events(reader)]
        assert told
        assert not [event for event in told if written.city in repr(event)]


# ---- what might be there


@pytest.mark.rule("1853:2.5.2", "1853:2.5.4", "1853:2.5.7", "1853:2.5.9")
@pytest.mark.parametrize("seed", range(4))
def test_guesses_fit_the_view(seed: int) -> None:
    """Seen again by the same reader a guess is what he saw; the lists are possible ones, and the same
    players are asked."""
    game = randomly(seed, 90)
    components = standard()
    for number in range(0, len(game.moves) + 1, 3):
        position = game.at(number)
        seats = position.state.seats
        for reader in (*range(seats), None):
            view = TITLE.view(position.state, reader)
            state = TITLE.determinize(TITLE.clone(view), reader, random.Random(number))
            assert TITLE.encode(TITLE.view(state, reader)) == TITLE.encode(view)
            guessed = Position(TITLE, state, position.chance)
            assert guessed.deciders() == position.deciders()
            for seat, contract in enumerate(state.contracts):
                assert HIDDEN not in contract.cities
                assert contracts.matched(components, contract)
                row = components.players[seats]
                if contract.bond is None:
                    assert seat in position.deciders()
                    continue
                assert contract.bond >= row.least_bond
                if contract.complete:
                    assert contracts.legal(components, seats, contract)
                    full = len(contract.cities) == row.max_cities
                    assert full or contracts.unused(components, contract) < 40
                else:
                    assert contracts.completable(components, seats, contract.bond, contract.cities)


@pytest.mark.rule("1853:4.3.1")
def test_a_guess_is_not_connected_yet() -> None:
    """A contract that is still sealed joins no cities that a line joins already."""
    scene = Scene().contract("A", 60, "Rawalpindi", "Lahore", "Multan").stock("B")
    scene.track("standard", "B8", "B10").tiles("B10:6:1").track("standard", "B10", "C11")
    lists = set()
    for seed in range(40):
        state = TITLE.determinize(TITLE.clone(seen(scene, 1)), 1, random.Random(seed))
        lists.add(frozenset(state.contracts[0].cities))
    assert len(lists) > 3
    assert frozenset(("Peshawar", "Rawalpindi", "Lahore")) not in lists


@pytest.mark.rule("1853:2.5.4", "1853:2.5.9")
def test_a_guess_explains_why_its_owner_has_passed() -> None:
    """Three cities for a bond of 130: less than 40 of it are unused."""
    scene = Scene().contract("A", 130, "Calcutta EIR", "Madras MSM", "Lahore NWR").stock("B")
    lists = set()
    for seed in range(30):
        state = TITLE.determinize(TITLE.clone(seen(scene, 1)), 1, random.Random(seed))
        assert contracts.unused(standard(), state.contracts[0]) < 40
        lists.add(tuple(state.contracts[0].cities))
    assert len(lists) > 3


@pytest.mark.rule("1853:2.5.2", "1853:4.3.2")
def test_guesses_leave_what_is_known() -> None:
    scene = bidding(4)
    scene.do("A writes a bond of 100", "C writes a bond of 60")
    for seed in range(5):
        state = TITLE.determinize(TITLE.clone(seen(scene, 0)), 0, random.Random(seed))
        assert state.contracts[0].bond == 100
        assert (state.contracts[1].bond, state.contracts[3].bond) == (None, None)
        assert state.contracts[2].bond is not None
        assert 60 <= state.contracts[2].bond <= 570


@pytest.mark.rule("1853:4.3.2")
def test_guessed_votes() -> None:
    scene = Scene(illegal_contracts="on").contract("A", 50, "Lahore", "Rawalpindi", "Peshawar")
    scene.track("standard", "B8", "B10").tiles("B10:6:1").track("standard", "B10", "C11").stock("B")
    scene.do("A shows the contract", "B pardons", "C does not pardon")
    found = set()
    for seed in range(20):
        state = TITLE.determinize(TITLE.clone(seen(scene, 1)), 1, random.Random(seed))
        step: Any = state.agenda[-1]
        assert set(step.votes) == {1, 2}
        assert step.votes[1] is True
        found.add(step.votes[2])
    assert found == {True, False}


def test_the_finished_game_hides_nothing() -> None:
    scene = Scene().contract("A", 60, "Lahore", "Multan", "Jaipur")
    state = TITLE.view(scene.state, None)
    assert state.contracts[0].cities == ["Lahore", "Multan", "Jaipur"]
    assert TITLE.determinize(state, None, random.Random(1)) is state
    with pytest.raises(KursbuchError):
        TITLE.parse("writes", 0, state)
