"""Errors: a sentence, the rule, the line."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from kursbuch.core.errors import (
    IllegalAction,
    KursbuchError,
    Label,
    Labels,
    RecordError,
)
from kursbuch.core.game import refusal
from kursbuch.core.rulebook import UnknownRule
from kursbuch.core.words import Words


def test_a_template_and_its_parameters() -> None:
    error = KursbuchError("There is no game called {title}.", title="18{9}9")
    assert str(error) == "There is no game called 18{9}9."
    assert error.text(Words("en")) == str(error)
    assert (
        str(KursbuchError("Braces {stay} without parameters."))
        == "Braces {stay} without parameters."
    )


def test_the_rule_is_cited_with_its_title() -> None:
    error = IllegalAction("move-6", "No.")
    assert error.reference == "move-6"
    error.title = "rocket"
    assert error.reference == refusal(error) == "rocket:move-6"
    none = IllegalAction("", "It is not your turn.")
    none.title = "rocket"
    assert none.reference == refusal(none) == ""
    assert refusal(KursbuchError("x")) == ""


THROUGH = [copy.copy, lambda error: pickle.loads(pickle.dumps(error))]


@pytest.mark.parametrize("through", THROUGH)
def test_names_are_said_in_the_language_of_the_reader(through: Callable[[Any], Any]) -> None:
    names = Labels([Label("Player {number}", number=2), "BS"])
    error = through(KursbuchError("{player}: {list}", player=names.names[0], list=names))
    assert str(error) == error.text(Words("en")) == "Player 2: Player 2, BS"
    assert error.text(Words("de")) == "Spieler 2: Spieler 2, BS"


@pytest.mark.parametrize("through", THROUGH)
def test_errors_survive_being_sent_to_another_process(through: object) -> None:
    assert callable(through)
    illegal = IllegalAction("move-6", "{hex} is not free.", hex="K16")
    illegal.title = "rocket"
    record = RecordError(3, "rocket:move-6", "Line {line} is {what}.", line=3, what="{wrong}")
    for error in (illegal, record, KursbuchError("x"), UnknownRule("{a}", a="b")):
        sent = through(error)
        assert type(sent) is type(error)
        assert str(sent) == str(error)
        assert isinstance(sent, ValueError)
        assert sent.text(Words("en")) == str(error)
    assert through(illegal).reference == "rocket:move-6"
    assert (through(record).line, through(record).rule) == (3, "rocket:move-6")
