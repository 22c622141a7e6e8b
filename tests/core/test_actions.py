"""Actions, ranges and choices."""

from __future__ import annotations

import pytest

from kursbuch.core.actions import Choice, Range
from kursbuch.games.rocket.actions import Bid, LetStand, PassVeto, TakeToken


def test_a_range_holds_its_ends_and_keeps_its_step() -> None:
    steps = Range(10, 45, 10)
    assert list(steps) == [10, 20, 30, 40]
    assert len(steps) == 4
    assert [amount in steps for amount in (0, 10, 15, 40, 45, 50)] == [
        False,
        True,
        False,
        True,
        False,
        False,
    ]
    assert "10" not in steps
    assert len(Range(3, 3)) == 1
    assert list(Range(3, 2)) == []


def test_a_choice_without_amount_is_one_action() -> None:
    choice = Choice(TakeToken(0, "London"))
    assert list(choice.actions()) == [TakeToken(0, "London")]
    assert choice.covers(TakeToken(0, "London"))
    assert not choice.covers(TakeToken(0, "Reading"))
    assert not choice.covers(TakeToken(1, "London"))
    with pytest.raises(ValueError, match="not among the amounts"):
        choice.with_amount(1)


def test_a_choice_with_an_amount_is_several() -> None:
    choice = Choice(Bid(2, "K12", 1), Range(1, 3))
    assert list(choice.actions()) == [Bid(2, "K12", shares) for shares in (1, 2, 3)]
    assert choice.covers(Bid(2, "K12", 3))
    assert not choice.covers(Bid(2, "K12", 4))
    assert not choice.covers(Bid(2, "L13", 2))
    assert not choice.covers(Bid(1, "K12", 2))
    assert not choice.covers(PassVeto(2))
    with pytest.raises(ValueError, match="not among the amounts"):
        choice.with_amount(0)


def test_actions_of_different_kinds_are_different() -> None:
    assert len({LetStand(0), PassVeto(0), LetStand(0)}) == 2
    with pytest.raises(AttributeError):
        LetStand(0).seat = 1  # type: ignore[misc]
