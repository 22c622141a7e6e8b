"""Dice, set-up, the turn, income, rolling and shares."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

import kursbuch
from kursbuch.core.game import Game
from kursbuch.games.dice import TITLE
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.actions import BuyShare, EndTurn, LayTrack, ReturnDice, Roll, TakeIncome
from kursbuch.games.dice.state import behind, faces, supply
from tests.games.dice.scenario import NAMES, Scene, consistent
from tests.happened import every, only

GAMES = Path(__file__).parent / "games"


def game(players: int, bank: str = "standard") -> Game:
    return Game(TITLE, NAMES[:players], seed="1", options={"bank": bank})


# ---- introduction and dice


@pytest.mark.rule("dice:intro-1", "dice:director-1")
def test_a_director_by_shares_may_build_stations() -> None:
    scene = Scene(2).line("A", "e4 > E").front("A", share=1, question=5)
    scene.shares("weiden", B=1)
    scene.do("A buys weiden from bank")
    assert scene.refused("A builds weiden meadow 3 at A") == "station-1"
    scene.do("A buys weiden from bank with ?", "A ends turn", "B ends turn")
    assert scene.director_of("weiden") == "A"
    scene.do("B ends turn")
    scene.do("A builds weiden meadow 3 at A")


@pytest.mark.rule("dice:intro-2")
def test_anybody_may_lay_track() -> None:
    scene = Scene(2).front("A", straight=1)
    assert scene.state.directors == [None] * 5
    scene.do("A lays A e4 to E")


@pytest.mark.rule("dice:dice-1")
def test_the_faces_of_a_die() -> None:
    assert sorted(TITLE.board.faces) == sorted(
        ["straight", "straight", "curve", "curve", "share", "question"]
    )
    assert TITLE.board.dice == 40


@pytest.mark.rule("dice:dice-2")
def test_dice_behind_the_screen_are_money_and_can_be_rolled() -> None:
    scene = Scene(2).behind("A", 5).director("A", "weiden").line("A", "e4 > E")
    assert scene.choices("A", LayTrack) == scene.choices("A", BuyShare) == []
    scene.do("A builds weiden meadow 3 at A paying 3 behind")
    assert scene.hidden("A") == 2
    scene.do("A rolls 2")
    assert scene.hidden("A") == 0


@pytest.mark.rule("dice:dice-3")
def test_dice_with_a_face_are_not_rolled_again() -> None:
    scene = Scene(2).front("A", straight=2, curve=1, share=1)
    assert scene.choices("A", Roll) == []
    assert scene.refused("A rolls 1") == "roll-2"
    assert scene.refused("A rolls 0 and 1 ?") == "roll-2"
    assert scene.refused("A lays A e4 to N with ?") == "track-2"


@pytest.mark.rule("dice:dice-4", "dice:dice-6")
def test_a_question_mark_is_any_face() -> None:
    scene = Scene(2).front("A", question=4)
    scene.do("A lays A e4 to E with ?", "A lays B c4 to N with ?", "A buys insel from bank with ?")
    scene.do("A rolls 0 and 1 ?")
    assert sum(scene.faces("A").values()) == 2


@pytest.mark.rule("dice:dice-6")
@pytest.mark.parametrize(
    ("face", "kinds"),
    [
        ("straight", {LayTrack}),
        ("curve", {LayTrack}),
        ("share", {BuyShare}),
        ("question", {LayTrack, BuyShare, Roll}),
    ],
)
def test_what_a_face_is_for(face: str, kinds: set[type]) -> None:
    scene = Scene(2).front("A", **{face: 1})
    found = {type(choice.action) for choice in scene.game.legal_actions(0)}
    assert found == kinds | {TakeIncome, EndTurn}
    shapes = {
        choice.action.side
        for choice in scene.choices("A", LayTrack)
        if isinstance(choice.action, LayTrack) and choice.action.end == "A"
    }
    assert (
        shapes
        == {
            "straight": {"E"},
            "curve": {"N", "S"},
            "share": set(),
            "question": {"N", "E", "S"},
        }[face]
    )


@pytest.mark.rule("dice:dice-5", "dice:reduce-1", "dice:turn-3")
def test_five_dice_may_stay_in_front() -> None:
    scene = Scene(2).front("A", straight=2, curve=2, question=2)
    scene.do("A ends turn")
    assert scene.step() == "reduction"
    assert len(scene.choices("A", ReturnDice)) == 3
    assert scene.refused("A ends turn") == "reduce-1"
    assert scene.refused("A returns 1 share") == "reduce-1"
    assert scene.refused("A returns 1 straight, 1 curve") == "reduce-1"
    before = scene.supply()
    events = scene.do("A returns 1 curve")
    assert only(events, happened.DiceReturned).faces == (0, 1, 0, 0)
    assert scene.faces("A") == {"straight": 2, "curve": 1, "question": 2}
    assert scene.supply() == before + 1
    assert scene.on_turn() == "B"


@pytest.mark.rule("dice:reduce-1", "dice:dice-5")
def test_five_dice_need_no_reduction() -> None:
    scene = Scene(2).front("A", question=5).behind("A", 9)
    scene.do("A ends turn")
    assert (scene.step(), scene.on_turn()) == ("turn", "B")


@pytest.mark.rule("dice:reduce-2")
def test_any_number_may_lie_in_front_during_the_turn() -> None:
    scene = Scene(2).front("A", question=9).behind("A", 9)
    scene.do("A rolls 9 and 4 ?")
    assert sum(scene.faces("A").values()) == 22
    assert scene.step() == "turn"


# ---- set-up


@pytest.mark.rule("dice:setup-1", "dice:setup-2", "dice:setup-3", "dice:setup-8")
def test_the_first_tile() -> None:
    state = game(2).state
    (tile,) = state.landscape
    (large,) = state.large
    assert TITLE.board.tiles[tile.tile].id == "meadow"
    assert TITLE.board.tiles[tile.tile].small == 9
    assert state.ledger.held("small:meadow", "supply") == 8
    assert large.small == 0
    (piece,) = large.pieces
    assert (piece.square, {piece.back, piece.front}) == (3 * 7 + 3, {1, 3})
    assert [end.front for end in state.ends] == [1, 3]
    for company in TITLE.board.companies:
        assert state.ledger.items[f"share:{company.id}"] == {"supply": 10}
    assert all(
        state.ledger.items[stock.item] == {"card": stock.copies} for stock in TITLE.board.stocks
    )


@pytest.mark.rule("dice:setup-6")
def test_the_other_tiles_and_the_counters_lie_ready() -> None:
    ledger = game(2).state.ledger
    ready = {tile.id: ledger.held(f"small:{tile.id}", "supply") for tile in TITLE.board.tiles}
    assert ready == {"meadow": 8, "lake": 9, "mountain2": 10, "mountain3": 7}
    assert ledger.items["passengers"] == {"bank": 0}


@pytest.mark.rule("dice:setup-4", "dice:setup-5")
@pytest.mark.parametrize(("players", "bank"), [(2, 31), (3, 27), (4, 23)])
def test_dice_at_the_start(players: int, bank: int) -> None:
    state = game(players).state
    assert [faces(state, seat) for seat in range(players)] == [(0, 0, 0, 4)] * players
    assert supply(state) == bank
    assert state.ledger.held("die", "tile:0") == 1


@pytest.mark.rule("dice:option-extended")
@pytest.mark.parametrize(("players", "bank"), [(2, 51), (3, 47), (4, 43)])
def test_dice_of_an_extended_game(players: int, bank: int) -> None:
    state = game(players, "extended").state
    assert [faces(state, seat) for seat in range(players)] == [(0, 0, 0, 4)] * players
    assert supply(state) == bank
    assert state.ledger.totals()["die"] == 60
    usual = game(players).state
    assert supply(usual) == bank - 20
    state.ledger.move("die", "supply", "lost", 20)
    del state.ledger.items["die"]["lost"]
    state.added_dice = 0
    assert state == usual


@pytest.mark.rule("dice:option-extended", "dice:dice-2")
def test_behind_the_screens_of_an_extended_game_are_the_dice_nobody_sees() -> None:
    scene = Scene(3, bank="extended").behind("A", 5).behind("B", 25).behind("C", 9)
    view = scene.game.view(0)
    for seed in range(5):
        guess = view.determinize(random.Random(seed)).state
        consistent(guess, TITLE)
        assert behind(guess, 0) == 5
        assert behind(guess, 1) + behind(guess, 2) == 34


@pytest.mark.rule("dice:option-extended", "dice:end-4")
def test_the_bank_of_an_extended_game_breaks_in_the_same_way() -> None:
    scene = Scene(2, bank="extended").bank(4)
    scene.do("A takes income")
    assert (scene.supply(), scene.game.over) == (0, False)
    scene.do("A ends turn", "B takes income")
    assert scene.game.over


def test_a_position_kept_before_there_was_an_extended_game_is_a_usual_one() -> None:
    state = game(2).state
    kept = msgspec.msgpack.decode(TITLE.encode(state))
    del kept["added_dice"]
    assert TITLE.decode(msgspec.msgpack.encode(kept)) == state


@pytest.mark.parametrize("file", sorted(GAMES.glob("*.txt")), ids=lambda file: file.stem)
def test_a_record_written_before_there_was_an_extended_game_is_of_a_usual_one(file: Path) -> None:
    text = file.read_text("utf-8")
    assert "option " not in text
    found = kursbuch.load(text)
    assert found.options == {"bank": "standard"}
    assert found.state.ledger.totals()["die"] == 40
    assert kursbuch.load(found.record()).state == found.state


@pytest.mark.rule("dice:setup-7")
def test_the_start_player_is_drawn() -> None:
    starts = {Game(TITLE, NAMES, seed=str(seed)).state.start for seed in range(40)}
    assert starts == {0, 1, 2, 3}
    played = game(4)
    assert played.opening_draws == ((played.state.start, 4),)
    assert played.pending[0].seat == played.state.start


# ---- turn


@pytest.mark.rule("dice:turn-1", "dice:turn-4", "dice:startplayer-1")
def test_turns_go_round_and_the_start_moves_on() -> None:
    scene = Scene(3).turn("B", first="B")
    order = []
    for _ in range(7):
        order.append(scene.on_turn())
        events = scene.end_turns(1)
        if len(order) == 3:
            begun = only(events, happened.YearBegun)
            assert (begun.year, begun.seat) == (3, 2)
    assert order == ["B", "C", "A", "C", "A", "B", "A"]
    assert scene.state.year == 4


@pytest.mark.rule("dice:turn-2")
def test_actions_in_any_order() -> None:
    scene = Scene(2).front("A", straight=2, share=2, question=3).director("A", "weiden")
    scene.do("A lays A e4 to E", "A buys insel from bank", "A takes income")
    scene.do("A builds weiden meadow 3 at A paying 3 behind", "A rolls 1 and 1 ?")
    assert scene.refused("A takes income") == "income-2"
    assert scene.refused("A rolls 0 and 1 ?") == "roll-1"
    scene.do("A lays B c4 to W", "A buys insel from bank", "A ends turn")


@pytest.mark.rule("dice:turn-2")
def test_nothing_is_compulsory() -> None:
    scene = Scene(2).front("A", question=4)
    scene.do("A ends turn")
    assert scene.faces("A") == {"question": 4}


# ---- income


@pytest.mark.rule("dice:income-1")
def test_no_income_in_the_first_year() -> None:
    scene = Scene(2, year=1)
    assert scene.refused("A takes income") == "income-1"
    scene.end_turns(1)
    assert scene.refused("B takes income") == "income-1"
    scene.end_turns(1)
    assert scene.allowed("B takes income")


@pytest.mark.rule("dice:income-2")
def test_income_once_and_from_the_bank() -> None:
    scene = Scene(2)
    before = scene.supply()
    scene.do("A takes income")
    assert scene.refused("A takes income") == "income-2"
    assert (scene.supply(), scene.hidden("A")) == (before - 4, 4)


@pytest.mark.rule("dice:income-3", "dice:income-4")
@pytest.mark.parametrize(
    ("first", "second", "dice", "rule"),
    [(0, 0, 4, "income-3"), (1, 3, 4, "income-3"), (2, 3, 5, "income-4"), (4, 3, 7, "income-4")],
)
def test_income_of_a_director(first: int, second: int, dice: int, rule: str) -> None:
    scene = Scene(3).director("A", "weiden", "insel").director("B", "bergtal")
    scene.built("weiden", "meadow", 3, first).built("insel", "lake", 3, second)
    scene.built("bergtal", "meadow", 3, 3)
    event = only(scene.do("A takes income"), happened.IncomeTaken)
    assert (event.dice, event.front, event.rule) == (dice, False, rule)
    assert (scene.hidden("A"), scene.faces("A")) == (dice, {})


@pytest.mark.rule("dice:income-5", "dice:income-6", "dice:income-7")
def test_income_after_losing_the_last_company() -> None:
    """Scenario 7."""
    scene = Scene(2).shares("weiden", A=1, B=2).director("A", "weiden")
    scene.end_turns(2)
    assert scene.director_of("weiden") == "B"
    assert scene.on_turn() == "B"
    scene.end_turns(1)
    event = only(scene.do("A takes income"), happened.IncomeTaken)
    assert (event.dice, event.front, event.rule) == (4, True, "income-5")
    assert (scene.hidden("A"), scene.faces("A")) == (0, {"question": 4})
    scene.end_turns(1)
    event = only(scene.do("A takes income"), happened.IncomeTaken)
    assert (event.dice, event.front, event.rule) == (4, False, "income-7")


@pytest.mark.rule("dice:income-5", "dice:income-3")
def test_no_special_income_for_whoever_kept_a_company() -> None:
    scene = Scene(2).shares("weiden", A=1, B=2).shares("insel", A=1)
    scene.director("A", "weiden", "insel").end_turns(2)
    scene.end_turns(1)
    assert only(scene.do("A takes income"), happened.IncomeTaken).rule == "income-3"
    assert scene.hidden("A") == 4


@pytest.mark.rule("dice:income-7")
def test_income_of_somebody_who_never_was_a_director() -> None:
    scene = Scene(2)
    assert only(scene.do("A takes income"), happened.IncomeTaken).rule == "income-7"
    assert scene.hidden("A") == 4


# ---- roll


@pytest.mark.rule("dice:roll-1")
def test_one_roll_a_turn() -> None:
    scene = Scene(2).behind("A", 3)
    scene.do("A rolls 1")
    assert scene.refused("A rolls 1") == "roll-1"
    assert scene.choices("A", Roll) == []


@pytest.mark.rule("dice:roll-2", "dice:roll-3")
def test_a_bonus_die_for_every_question_mark() -> None:
    scene = Scene(2).behind("A", 4).front("A", question=3, straight=1).bank(10)
    event = only(scene.do("A rolls 3 and 2 ?"), happened.Rolled)
    assert (event.behind, event.questions, event.bonus, sum(event.faces)) == (3, 2, 2, 7)
    straights, curves, shares, questions = event.faces
    wanted = (straights + 1, curves, shares, questions + 1)
    assert faces(scene.state, 0) == wanted
    assert (scene.hidden("A"), scene.supply()) == (1, 8)
    assert scene.game.moves[-1].draws == tuple(scene.game.draws()[-7:])
    names = [TITLE.board.faces[value] for value, sides in scene.game.moves[-1].draws if sides == 6]
    assert [names.count(face) for face in ("straight", "curve", "share", "question")] == list(
        event.faces
    )


@pytest.mark.rule("dice:roll-2")
def test_any_number_of_dice_is_rolled_but_not_none() -> None:
    scene = Scene(2).behind("A", 2).front("A", question=1)
    found = {
        (action.behind, action.questions)
        for choice in scene.choices("A", Roll)
        for action in choice.actions()
        if isinstance(action, Roll)
    }
    assert found == {(1, 0), (2, 0), (0, 1), (1, 1), (2, 1)}
    assert scene.refused("A rolls 0") == "roll-2"
    assert scene.refused("A rolls 3") == "roll-2"
    assert scene.refused("A rolls 0 and 2 ?") == "roll-2"


# ---- shares


@pytest.mark.rule("dice:share-1", "dice:share-2")
def test_shares_from_the_bank() -> None:
    scene = Scene(2).front("A", share=2, question=1)
    before = scene.supply()
    event = only(scene.do("A buys insel from bank"), happened.ShareBought)
    assert (event.seller, event.rule) == (None, "share-2")
    scene.do("A buys insel from bank", "A buys eisberg from bank with ?")
    assert (scene.held("insel"), scene.held("eisberg")) == ([2, 0], [1, 0])
    assert (scene.faces("A"), scene.supply()) == ({}, before + 3)
    assert scene.state.directors == [None] * 5
    kinds = {type(choice.action).__name__ for choice in scene.game.legal_actions(0)}
    assert not any("Sell" in kind for kind in kinds)


@pytest.mark.rule("dice:share-2")
def test_a_company_can_be_sold_out() -> None:
    scene = Scene(2).front("A", share=1).shares("insel", B=10)
    assert scene.refused("A buys insel from bank") == "share-2"


@pytest.mark.rule("dice:share-4")
def test_shares_are_paid_from_the_front() -> None:
    scene = Scene(2).behind("A", 9).front("A", straight=2, curve=2)
    assert scene.choices("A", BuyShare) == []
    assert scene.refused("A buys insel from bank") == "share-4"
    assert scene.refused("A buys insel from bank with ?") == "share-4"


@pytest.mark.rule("dice:share-3")
def test_a_share_from_a_director() -> None:
    scene = Scene(2).shares("insel", B=10).shares("weiden", B=10).director("B", "insel", "weiden")
    scene.front("A", share=1, question=1)
    before = scene.supply()
    event = only(scene.do("A buys insel from director"), happened.ShareBought)
    assert (event.seller, event.rule) == (1, "share-3")
    scene.do("A buys weiden from director with ?")
    assert (scene.held("insel"), scene.held("weiden")) == ([1, 9], [1, 9])
    assert (scene.hidden("B"), scene.faces("B"), scene.supply()) == (2, {}, before)


@pytest.mark.rule("dice:share-5")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_how_many_companies_must_be_sold_out(players: int) -> None:
    companies = ["insel", "weiden", "eisberg", "bergtal"]
    scene = Scene(players).front("A", share=1).shares("ueberall", B=2).director("B", "ueberall")
    for company in companies[: players - 1]:
        scene.shares(company, B=10)
    assert scene.refused("A buys ueberall from director") == "share-5"
    scene.shares(companies[players - 1], B=10)
    scene.do("A buys ueberall from director")


@pytest.mark.rule("dice:share-6", "dice:share-3", "dice:share-5")
def test_the_right_arises_in_the_same_turn() -> None:
    """Scenario 6."""
    scene = Scene(3).front("A", share=2).shares("insel", B=10).shares("weiden", C=10)
    scene.shares("eisberg", B=9).shares("bergtal", C=3).director("C", "bergtal")
    assert scene.refused("A buys bergtal from director") == "share-5"
    scene.do("A buys eisberg from bank", "A buys bergtal from director")
    assert scene.hidden("C") == 1
    assert scene.state.ledger.held("share:bergtal", "supply") == 7


@pytest.mark.rule("dice:share-7")
def test_only_the_director_sells() -> None:
    scene = Scene(3).shares("insel", A=10).shares("weiden", A=10).shares("eisberg", A=10)
    scene.shares("bergtal", A=4, B=3).director("A", "bergtal").turn("B").front("B", share=2)
    scene.front("C", share=3)
    scene.do("B buys bergtal from director", "B buys bergtal from director", "B ends turn")
    assert scene.held("bergtal") == [2, 5, 0]
    assert scene.director_of("bergtal") == "A"
    scene.do("C buys bergtal from director", "C buys bergtal from director")
    assert scene.held("bergtal") == [0, 5, 2]
    assert scene.refused("C buys bergtal from director") == "share-7"
    assert scene.refused("C buys insel from director") == "share-7"  # it has no director


@pytest.mark.rule("dice:share-7", "dice:director-1", "dice:passenger-3")
def test_majority_without_office() -> None:
    """Scenario 5."""
    scene = Scene(2).shares("insel", A=10).shares("weiden", A=10).shares("bergtal", B=4, A=2)
    scene.director("B", "bergtal").front("A", share=3, question=5).front("B", share=1)
    scene.moved_station("bergtal", 0, 0).line("A", "e4 > E")
    for _ in range(3):
        scene.do("A buys bergtal from director")
    assert scene.director_of("bergtal") == "B"
    assert scene.refused("A builds bergtal meadow 3 at A") == "station-1"
    scene.do("A ends turn")
    assert scene.refused("B buys bergtal from director") == "share-8"
    scene.do("B ends turn")
    assert scene.counters() == [0, 1]
    assert scene.director_of("bergtal") == "A"


@pytest.mark.rule("dice:share-8")
def test_a_director_buys_his_own_shares_only_from_the_bank() -> None:
    scene = Scene(2).shares("insel", B=10).shares("weiden", B=10).shares("bergtal", A=2, B=1)
    scene.director("A", "bergtal").front("A", share=1)
    assert scene.refused("A buys bergtal from director") == "share-8"
    scene.do("A buys bergtal from bank")


def test_events_are_in_order() -> None:
    scene = Scene(2)
    assert [type(event) for event in scene.end_turns(2)] == [
        happened.TurnEnded,
        happened.TurnEnded,
        happened.YearBegun,
    ]
    assert every([], happened.TurnEnded) == []
