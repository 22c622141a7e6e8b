"""Corrections by a moderator: turns in which no one has passed, and when money can be corrected."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kursbuch.core.errors import IllegalAction
from kursbuch.games.nimm.state import Closing, SpecialTaken, Tie, Turn
from tests.games.nimm.scenario import Scene


def correct(scene: Scene, line: str) -> None:
    scene.game.position.apply(scene.game.parse_correction(line))


def two() -> Scene:
    """Two players with three locomotives each, A on turn."""
    scene = Scene(2).own(A="E3 D5 S5", B="D6 E1 S1").open("coal150")
    return scene.turn("A", "A B")


@pytest.mark.rule("nimm:pass-2")
def test_a_turn_begun_anew_is_nobody_s_second_pass() -> None:
    scene = two()
    scene.do("A passes")
    correct(scene, "turn of player 1")
    scene.do("A passes")
    assert scene.deciders() == "B"
    scene.do("B passes")
    assert not isinstance(scene.state.agenda[-1], Turn)


@pytest.mark.rule("nimm:pass-2", "nimm:target-use-1")
def test_a_round_gone_on_with_can_end_by_passing() -> None:
    """It is taken up again out of its last moment, when all had passed."""
    scene = two().tiles(A="1")
    scene.do("A passes", "B passes")
    assert isinstance(scene.state.agenda[-1], Closing)
    correct(scene, "turn of player 1")
    scene.do("A passes", "B passes")
    assert isinstance(scene.state.agenda[-1], Closing)


@pytest.mark.rule("nimm:target-2")
def test_a_special_card_counts_only_in_the_turn_in_which_it_was_taken() -> None:
    scene = two().tiles(A="2").open("bonus")
    scene.do("A takes bonus")
    assert isinstance(scene.state.agenda[-1], SpecialTaken)
    assert "hands in target-2" in scene.can("A")
    correct(scene, "turn of player 2")
    assert scene.refused("A hands in target-2") == "target-use-1"


def closing() -> Scene:
    scene = two().tiles(A="1")
    scene.do("A passes", "B passes")
    return scene


def special() -> Scene:
    scene = two().tiles(A="2").open("bonus")
    scene.do("A takes bonus")
    return scene


@pytest.mark.parametrize("begun", [closing, special])
def test_in_phase_two_money_can_be_corrected_whatever_is_asked(begun: Callable[[], Scene]) -> None:
    scene = begun()
    before = scene.purse("B")
    correct(scene, "money 100 from bank to player 2")
    assert scene.purse("B") == before + 100


def sealed() -> Scene:
    return Scene(3).coming("E3", "D5", "S5").auction("sealed")


def test_money_stays_while_bids_are_secret_or_settled() -> None:
    scene = sealed()
    scene.do("A offers D5", "A bids 500")
    with pytest.raises(IllegalAction, match="in secret"):
        correct(scene, "money 100 from bank to player 2")
    scene.do("B bids 500", "C bids 0")
    assert isinstance(scene.state.agenda[-1], Tie)
    with pytest.raises(IllegalAction, match="once this auction is settled"):
        correct(scene, "money 100 from bank to player 2")
