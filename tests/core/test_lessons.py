"""What titles teach: the files are read strictly, and every guided game can be played as it stands."""

from __future__ import annotations

import re
from typing import Any

import pytest

import kursbuch
from kursbuch.core.errors import KursbuchError
from kursbuch.core.explain import LEARNER, GuidedGame, guided_game
from kursbuch.core.title import Title
from kursbuch.core.tutorial import Lessons
from kursbuch.core.words import LANGUAGES, Words

TITLES = [title for title in kursbuch.titles().values() if title.lessons is not None]

TEXT = '{ en = "Text", de = "Text" }'
CHAPTER = f'[[chapter]]\nid = "aim"\nheading = {TEXT}\ntext = {TEXT}\n'
GUIDE = f'[guide]\nplayers = ["Anna"]\nseed = "1"\nstop = 2\nsummary = {TEXT}\n'


def step(at: int) -> str:
    return f"[[guide.step]]\nat = {at}\ndo = {TEXT}\nbecause = {TEXT}\n"


def jump(at: int, to: int) -> str:
    return f"[[guide.jump]]\nat = {at}\nto = {to}\ntext = {TEXT}\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[[chapter]", "not valid TOML"),
        ("[[lesson]]", "unknown field `lesson`"),
        (CHAPTER + 'rule = ["turn-1"]', "unknown field `rule`"),
        (CHAPTER.replace(', de = "Text"', ""), "missing required field `de`"),
        (CHAPTER.replace('de = "Text"', 'de = " "'), "a text is empty"),
        (CHAPTER + 'rules = ["turn-1", "turn-9"]', "chapter aim: there is no rule turn-9"),
        (CHAPTER + CHAPTER, "the id aim is used 2 times"),
        (CHAPTER + f"picture = {{ move = 1, caption = {TEXT} }}", "no guided game for its picture"),
        (GUIDE + step(0) + step(2), "step 2 is not within the 2 moves"),
        (GUIDE + step(1) + step(0), "the steps of the guide are not in order"),
        (GUIDE + step(0) + f"[[guide.note]]\nat = 3\ntext = {TEXT}", "note 3 is not within"),
        (GUIDE + step(0) + 'rules = ["turn-9"]', "step 0: there is no rule turn-9"),
        (GUIDE + step(0) + jump(1, 1), "the jumps of the guide are not in order"),
        (GUIDE + step(0) + jump(1, 3), "the jumps of the guide are not in order"),
        (GUIDE + step(0) + jump(1, 2) + jump(0, 1), "the jumps of the guide are not in order"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(KursbuchError, match=re.escape(why)) as refused:
        Lessons.parse(text, "learn.toml", {"turn-1"}, "record")
    assert str(refused.value).startswith("learn.toml")


def test_a_guide_needs_its_record() -> None:
    with pytest.raises(KursbuchError, match=r"no guide\.txt"):
        Lessons.parse(GUIDE + step(0), "learn.toml", ())


def course_of(title: Title[Any]) -> GuidedGame:
    found = guided_game(title)
    assert found is not None
    return found


@pytest.mark.parametrize("title", TITLES, ids=lambda title: title.id)
def test_the_guided_game_is_by_the_rules_of_today(title: Title[Any]) -> None:
    """The record was replayed, and so checked; it has a step for every decision of the reader."""
    found = course_of(title)
    assert found.game.edition == title.edition
    assert all(move.edition == title.edition for move in found.game.moves)
    assert 8 <= len(found.guide.step) <= 40
    # Where several decide at once, the computers wait until the reader has.
    for number, move in enumerate(found.game.moves[: found.guide.stop]):
        if move.action.seat != LEARNER:
            assert LEARNER not in found.game.at(number).deciders(), number


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("title", TITLES, ids=lambda title: title.id)
def test_the_steps_can_be_pointed_out(title: Title[Any], language: str) -> None:
    """Every recorded action of the reader is one of those offered, and has a name."""
    found = course_of(title)
    voice = title.voice(Words(language, found.game.names))
    for step in found.guide.step:
        position = found.game.at(step.at)
        action = found.game.moves[step.at].action
        assert any(choice.covers(action) for choice in position.legal_actions(LEARNER)), step.at
        assert voice.pick(title.view(position.state, LEARNER), action).label, step.at


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("title", TITLES, ids=lambda title: title.id)
def test_the_pictures_can_be_drawn(title: Title[Any], language: str) -> None:
    assert title.lessons is not None
    found = course_of(title)
    pictures = [chapter.picture for chapter in title.lessons.chapters if chapter.picture]
    assert len(pictures) >= 4
    for picture in pictures:
        state = title.view(found.game.at(picture.move).state, LEARNER)
        drawing = title.draw(state, Words(language, found.game.names))
        for key in picture.focus:
            kind, _, name = key.partition(":")
            attribute = {"sheet": "data-part", "hex": "data-hex"}.get(kind, "data-pick")
            wanted = (f'data-pick="{key}"', f'{attribute}="{name}"')
            assert any(one in drawing for one in wanted), (picture.move, key)


@pytest.mark.parametrize("title", TITLES, ids=lambda title: title.id)
def test_what_a_game_follows(title: Title[Any]) -> None:
    found = course_of(title)
    actions = [move.action for move in found.game.moves[: found.guide.stop]]
    assert found.followed([]) == 0
    assert found.next(0) == actions[0]
    assert found.followed(actions[:3]) == 3
    assert found.on_course(actions)
    assert found.next(len(actions)) is None
    other = [*actions[:2], actions[0], *actions[3:]]
    assert found.followed(other) == 2
    assert not found.on_course(other)


@pytest.mark.parametrize(
    "title",
    [title for title in TITLES if course_of(title).guide.jump],
    ids=lambda title: title.id,
)
def test_what_is_left_out_is_played_for_everybody(title: Title[Any]) -> None:
    found = course_of(title)
    actions = [move.action for move in found.game.moves]
    for left_out in found.guide.jump:
        assert found.next(left_out.at) is None
        assert found.next(left_out.to) == actions[left_out.to]
        assert found.jumped(left_out.at) == actions[left_out.at : left_out.to]
        assert found.jumped(left_out.to - 1) == [actions[left_out.to - 1]]
        assert found.jumped(left_out.to) == []
