"""Whatever is given as a move, a record, a name or an option: it is used, or refused in one sentence that can be
written."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import kursbuch
from kursbuch.bots import make
from kursbuch.core.actions import Action
from kursbuch.core.corrections import Correct
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.title import Title
from kursbuch.core.words import Words
from tests.core.test_forms import NAMES, OTHERS, TITLES, VALUES, each_title, forms, written

#: Texts with every kind of character, halves of characters among them.
texts = st.text(st.characters(categories=None), max_size=20) | st.sampled_from(
    ["\ud800", "Anna\udfff", "0", "-1", "9" * 30, "١", "²", "{x}", "%s", "…", "\u2028"]
)
numbers = st.integers() | st.integers(2**62, 2**70) | st.just(-(10**4000))
values = st.recursive(
    st.none() | st.booleans() | numbers | st.floats() | texts | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts | numbers, inner, max_size=3),
    max_leaves=8,
)


def nested(depth: int) -> Any:
    """A list in a list in a list …"""
    found: Any = []
    for _ in range(depth):
        found = [found]
    return found


def kinds(title: Title[Any]) -> tuple[Any, ...]:
    """All types of actions of a title, and corrections."""
    return (*get_args(title.action_type), Correct)


@st.composite
def nearly_actions(draw: st.DrawFn, title: Title[Any]) -> object:
    """Objects with the fields of an action, filled with anything."""
    kind = draw(st.sampled_from(kinds(title)))
    data = {"action": kind.__struct_config__.tag, "seat": draw(st.just(0) | values)}
    for field in kind.__struct_fields__:
        data.setdefault(field, draw(values))
    data.update(draw(st.dictionaries(texts, values, max_size=1)))
    return data


def refused(use: Callable[[], object]) -> bool:
    """Whether something is refused; the sentence can be written in both languages."""
    try:
        use()
    except KursbuchError as error:
        for text in (str(error), error.text(Words("en")), error.text(Words("de"))):
            assert text.encode("utf-8")
        return True
    return False


@cache
def begun(name: str) -> Game:
    """A game after some moves."""
    game = Game(TITLES[name], NAMES, seed="1")
    bot = make("random", 1)
    while len(game.moves) < 12:
        game.apply(bot.choose(game.view(game.pending[0].seat)))
    return game


@each_title
def test_any_value_is_an_action_or_refused(title: Title[Any]) -> None:
    @settings(max_examples=150, deadline=None)
    @given(nearly_actions(title) | values)
    @example("\ud800")
    @example({"action": "\ud800"})
    @example({"action": "correct", "seat": -1, "kind": "\ud800", "values": [], "by": "\udfff"})
    def holds(data: object) -> None:
        made: list[Action] = []
        if refused(lambda: made.append(title.action_from_json(data))):
            return
        (action,) = made
        assert title.malformed(action) is None
        assert title.action_from_json(title.action_to_json(action)) == action
        assert msgspec.json.encode(action)
        game = begun(title.id)
        problem = game.position.problem(action)
        if problem is not None:
            assert str(problem).encode("utf-8")

    holds()


@each_title
def test_what_is_hard_to_read_or_to_write_is_refused_in_one_sentence(title: Title[Any]) -> None:
    for kind in kinds(title):
        tag = kind.__struct_config__.tag
        for data in (
            nested(10_000),
            {"action": tag, "seat": nested(10_000)},
            {"action": tag, "seat": 10**5000},
            {"action": tag, "seat": "\ud800"},
            {"action": tag, "\ud800": 0},
            {"action": "\ud800", "seat": 0},
        ):
            with pytest.raises(KursbuchError, match=r"^This is not an action of [^.]+: [^\n]+\.$"):
                title.action_from_json(data)


@each_title
def test_any_line_is_a_move_or_refused(title: Title[Any]) -> None:
    lines = [
        f"Anna {line}" for form in forms(title) for line in written(form, VALUES | OTHERS[title.id])
    ]
    lines += [f"Correction: {kind.shape()}" for kind in title.corrections]
    game = begun(title.id)

    @settings(max_examples=150, deadline=None)
    @given(st.sampled_from(lines), texts, st.integers(0, 20))
    def holds(line: str, put: str, place: int) -> None:
        words = line.split(" ")
        words[place % len(words)] = put
        made: list[Action] = []
        if not refused(lambda: made.append(game.parse(" ".join(words)))):
            problem = game.position.problem(made[0])
            assert problem is None or str(problem).encode("utf-8")

    holds()


@each_title
def test_any_record_is_read_or_refused(title: Title[Any]) -> None:
    record = begun(title.id).record(reveal=True)
    words = re.split(r"(\s+)", record)

    @settings(max_examples=60, deadline=None)
    @given(st.integers(0, len(words) - 1), texts)
    def holds(place: int, put: str) -> None:
        changed = "".join([*words[:place], put, *words[place + 1 :]])
        refused(lambda: kursbuch.load(changed))

    holds()
    # Every word of the header once, also in a run that does not come to it by chance.
    for place in range(words.index("\n\n")):
        changed = "".join([*words[:place], "\ud800", *words[place + 1 :]])
        refused(partial(kursbuch.load, changed))


@each_title
@settings(max_examples=60, deadline=None)
@given(texts, texts)
@example("\ud800", "x")
def test_any_names_seeds_and_options_are_used_or_refused(
    title: Title[Any], put: str, other: str
) -> None:
    def used(names: tuple[str, ...], seed: str, options: dict[str, str]) -> None:
        game = Game(title, names, options, seed=seed)
        assert game.record(reveal=True).encode("utf-8")

    refused(lambda: used((put, *NAMES[1:]), "1", {}))
    refused(lambda: used(NAMES, put, {}))
    refused(lambda: used(NAMES, "1", {put: other}))
    for option in title.options:
        is_refused = refused(partial(used, NAMES, "1", {option.name: put}))
        assert is_refused == (put not in option.values)
