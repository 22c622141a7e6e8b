"""Titles by their ids, and the options of a title."""

from __future__ import annotations

import pytest

import kursbuch
from kursbuch.core.errors import KursbuchError
from kursbuch.games.rocket import TITLE


def test_titles_are_found_by_entry_point() -> None:
    assert kursbuch.titles()["rocket"] is TITLE
    assert kursbuch.title("rocket").name == "Stephenson's Rocket"
    assert list(kursbuch.titles()) == sorted(kursbuch.titles())


@pytest.mark.parametrize("name", ["1899", "", "Rocket", "rocket\n", "../rocket"])
def test_an_unknown_title_is_named_with_those_that_exist(name: str) -> None:
    with pytest.raises(KursbuchError) as error:
        kursbuch.new(name, ["A", "B"])
    assert str(error.value).startswith(f"There is no title {name}. Installed: ")
    assert "rocket" in str(error.value)


def test_options_have_usual_values() -> None:
    game = kursbuch.new("rocket", ["A", "B"], options={"halves": "exact"})
    assert game.options == {"railway_towns": "9", "halves": "exact", "money": "open"}
    for option in TITLE.options:
        assert len(option.labels) == len(option.values) > 1
        assert option.rule in TITLE.rules


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"towns": "9"},
            "Stephenson's Rocket has no option towns; it has: railway_towns, halves, money.",
        ),
        (
            {"halves": "half"},
            ("The option halves cannot be half; possible values: rounded, exact."),
        ),
    ],
)
def test_wrong_options_are_refused(options: dict[str, str], sentence: str) -> None:
    with pytest.raises(KursbuchError) as error:
        kursbuch.new("rocket", ["A", "B"], options=options)
    assert str(error.value) == sentence
