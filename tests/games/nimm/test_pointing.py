"""Why nothing can be done with what is pointed at on the table of Nimm den Zug."""

from __future__ import annotations

import pytest

from kursbuch.games.nimm import TITLE
from tests.asked import refused, told
from tests.games.nimm.scenario import Scene


def turn() -> Scene:
    """A has a train with coal and one with oil; coal, cattle and a bonus lie open."""
    made = Scene(3).own(A="S1 S2 S3", B="D1 D2 D3", C="E1 E2 E3").money(A=0)
    made.load("A", 1, "coal200").load("A", 2, "oil250").load("A", 3, "food50")
    return made.open("coal150 cattle100 bonus").tiles(A="3").turn("A")


@pytest.mark.parametrize(
    ("keys", "rule"),
    [
        (["card:coal150", "train:0:1"], "possible"),
        (["card:coal150", "train:0:2"], "kind-1"),
        (["card:cattle100"], "kind-1"),
        (["card:coal150", "train:1:1"], "couple-1"),
        (["card:coal250"], "couple-1"),
        (["card:bonus"], "possible"),
        (["target:target-3"], "target-use-1"),
        (["seat:1"], "turn-1"),
        (["train:1:1"], "turn-1"),
        # The first card is to be pointed at first.
        (["train:0:1"], ""),
    ],
)
def test_in_a_turn(keys: list[str], rule: str) -> None:
    assert refused(TITLE, turn().state, 0, *keys) == rule


def test_no_train_was_chosen() -> None:
    """A wagon for which there is no train, and no money for other cards."""
    assert told(TITLE, turn().state, 0, "card:cattle100") == (
        "All your trains already have wagons of another kind. You cannot pay $400 to have cards replaced."
    )
    assert told(TITLE, turn().state, 0, "card:cattle100", "train:0:2") == (
        "Train 2 already has wagons of another kind."
    )


def test_in_an_auction() -> None:
    made = Scene(3).coming("E5", "D5", "S5").money(A=600).auction("turn")
    assert refused(TITLE, made.state, 0, "loco:D5") == "possible"
    assert refused(TITLE, made.state, 0, "loco:E5") == "bid-7"
    assert refused(TITLE, made.state, 0, "target:target-1") == "target-use-1"
    assert refused(TITLE, made.state, 0, "seat:1") == "auction-turn-1"
    assert refused(TITLE, made.state, 1, "loco:D5") == "auction-turn-1"


def test_whoever_has_answered_secretly_is_told_so() -> None:
    made = Scene(3).coming("E3", "D5", "S5").auction("sealed")
    made.do("A offers D5", "A bids 500")
    assert refused(TITLE, made.state, 0, "loco:D5") == "auction-sealed-2"
