"""Why nothing can be done with what is pointed at on the table of Railroad Dice."""

from __future__ import annotations

import pytest

from kursbuch.games.dice import TITLE
from tests.asked import refused, told
from tests.games.dice.scenario import Scene


def turn() -> Scene:
    """A line through the first tile; A has a straight, directs one company and cannot pay much."""
    made = Scene(3).line("A", "e4 f4 > E").front("A", straight=1)
    return made.shares("weiden", A=1).director("A", "weiden").director("B", "eisberg")


@pytest.mark.parametrize(
    ("keys", "rule"),
    [
        # A piece that goes back, for which there is no die, where the end does not point.
        (["square:A:g4"], "track-2"),
        (["square:A:g4", "exit:A:g4:W"], "track-4"),
        (["square:A:g4", "exit:A:g4:N"], "track-2"),
        (["square:A:a1"], "track-4"),
        (["square:A:g4", "exit:A:g4:E"], "tile-2"),
        # A share without a die for it; a station of another director.
        (["company:weiden"], "share-4"),
        (["company:eisberg", "square:A:g4"], "station-1"),
        # A tile is not chosen before a piece leads there; dice by themselves do nothing.
        (["stock:lake"], "tile-1"),
        (["die:straight"], "turn-2"),
    ],
)
def test_in_a_turn(keys: list[str], rule: str) -> None:
    assert refused(TITLE, turn().state, 0, *keys) == rule


def test_no_side_was_chosen() -> None:
    """A square on which no die of the player can lie, and a side that would need a curve."""
    state = turn().state
    assert told(TITLE, state, 0, "square:A:g4") == (
        "No die in front of your screen shows a piece that could lie there."
    )
    assert told(TITLE, state, 0, "square:A:g4", "exit:A:g4:N") == (
        "No die in front of your screen shows a curve."
    )


def test_who_is_not_on_turn_is_told_who_is() -> None:
    assert refused(TITLE, turn().state, 1, "company:weiden") == "turn-1"
