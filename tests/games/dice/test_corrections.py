"""Corrections by a moderator: what follows from them is what the rules ask."""

from __future__ import annotations

import pytest

import kursbuch
from kursbuch.core.errors import IllegalAction
from kursbuch.core.events import Event
from kursbuch.core.words import Words
from kursbuch.games.dice import TITLE
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.actions import EndTurn
from tests.games.dice.scenario import Scene
from tests.happened import only


def correct(scene: Scene, *lines: str) -> list[Event]:
    """Make these corrections."""
    found: list[Event] = []
    for line in lines:
        found += scene.game.apply(scene.game.parse_correction(line))
    return found


@pytest.mark.rule("dice:reduce-1")
@pytest.mark.parametrize("straights", [1, 2])
def test_without_surplus_no_dice_are_returned(straights: int) -> None:
    scene = Scene(2).front("A", straight=4, curve=2)
    scene.do("A ends turn")
    assert scene.step() == "reduction"
    correct(scene, f"dice {straights} from player 1 straight to supply")
    assert (scene.step(), scene.on_turn()) == ("turn", "B")


@pytest.mark.rule("dice:reduce-1")
def test_a_record_with_the_surplus_corrected_is_loaded() -> None:
    game = kursbuch.new("dice", players=["Anna", "Bernd"], seed=1)
    seat = game.pending[0].seat
    dice = "dice {} from {} to {}".format
    straight = f"player {seat + 1} straight"
    game.apply(game.parse_correction(dice(6, "supply", straight)))
    game.apply(EndTurn(seat))
    assert game.pending[0].step == "reduction"
    game.apply(game.parse_correction(dice(4, straight, "supply")))
    game.apply(game.legal_actions(game.pending[0].seat)[0].action)
    assert kursbuch.load(game.record()).state == game.state


@pytest.mark.rule("dice:ban-1")
def test_what_leads_against_the_edge_is_not_broken_off() -> None:
    """The piece would stay, and the end of the line could never go on."""
    scene = Scene(2).line("A", "e4 f4 > E").line("B", "c4 > W").front("A", straight=2)
    scene.do("A lays A g4 to E")
    for line in ("A opens meadow", "A lays A a4 to E"):
        with pytest.raises(IllegalAction, match="leads to the edge") as error:
            correct(scene, "turn of player 2")
        assert error.value.rule == "ban-1"
        scene.do(line)
    correct(scene, "turn of player 2")
    assert scene.on_turn() == "B"


@pytest.mark.rule("dice:end-1")
def test_the_last_station_may_be_placed_by_a_correction() -> None:
    scene = Scene(2)
    board = TITLE.board
    company = board.company_index["insel"]
    stocks = [stock for stock in board.stocks_of[company] for _ in range(stock.copies)]
    for stock in stocks[1:]:
        scene.state.ledger.move(stock.item, "card", "map")
    scene.place(0, 1, "meadow")
    name = f"{board.surroundings[stocks[0].terrain].terrain} {stocks[0].cost}"
    events = correct(scene, f"station of insel for {name} at 0/1")
    assert only(events, happened.EndCaused).company == "insel"
    assert scene.state.ending == "company"
    scene.end_turns(2)
    assert scene.game.over


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("dice 1 from supply to player 1 behind", "1 die from"),
        ("dice 2 from supply to player 1 behind", "2 dice from"),
        ("passenger 1 from bank to player 1", "1 passenger counter from"),
        ("passenger 2 from bank to player 1", "2 passenger counters from"),
    ],
)
def test_one_is_told_in_the_singular(line: str, text: str) -> None:
    scene = Scene(2)
    voice = TITLE.voice(Words("en", ["Anna", "Bernd"]))
    (event,) = correct(scene, line)
    assert text in voice.describe(event)
