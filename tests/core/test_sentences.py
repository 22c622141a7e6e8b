"""What titles declare about events and actions: every field and method that a sentence or a pick names exists."""

from __future__ import annotations

import sys
import typing
from collections.abc import Iterator
from typing import Any

import pytest

import kursbuch
from kursbuch.core.actions import PickIf, PickSpec
from kursbuch.core.events import Event
from kursbuch.core.sentences import By, Condition, Each, If, Part, Sentence, Then
from kursbuch.core.title import Title
from kursbuch.core.words import Words


def parts(told: Any, placeholder: str = "") -> Iterator[tuple[Part, str]]:
    """Every part with the placeholder that it fills."""
    match told:
        case Part(fields=fields):
            yield told, placeholder
            for field in fields or ():
                if isinstance(field, By):
                    yield from parts(field)
        case Sentence(parts=named):
            for name, part in named.items():
                yield from parts(part, name)
        case Then(sentences=sentences):
            for sentence in sentences:
                yield from parts(sentence)
        case PickSpec():
            for each in (told.group, *told.keys, told.label, told.cost):
                yield from parts(each)
    if isinstance(told, Condition):
        yield from parts(told.value)
    if isinstance(told, If | PickIf):
        yield from parts(told.yes)
        yield from parts(told.no)
    if isinstance(told, Each):
        assert isinstance(told.part, Part)


def declared(title: Title[Any]) -> Iterator[tuple[type, Any]]:
    """The structs of a title with what they declare, those of its family included."""
    actions: Any = title.action_type
    for action in typing.get_args(actions):
        yield action, action.PICK
    sentences = title.voice(Words("en")).sentences
    for name, module in list(sys.modules.items()):
        if name.startswith(title.package) or name == "kursbuch.games.g18xx.events":
            for event in vars(module).values():
                if isinstance(event, type) and issubclass(event, Event):
                    yield event, sentences.get(event, event.SENTENCE)


@pytest.mark.parametrize("title", kursbuch.titles().values(), ids=lambda title: title.id)
def test_what_is_declared_can_be_said(title: Title[Any]) -> None:
    speaker = title.voice(Words("en")).speaker
    family = "g18xx" in title.package
    count = 0
    for struct, told in declared(title):
        if "g18xx" in struct.__module__ and not family:
            continue
        known = {*dir(struct), "state", "step", "action", "line", ""}
        for part, placeholder in parts(told):
            count += 1
            if isinstance(part, By):
                assert callable(part.method(speaker)), struct
            fields = (placeholder,) if part.fields is None else part.fields
            names = {field.partition(".")[0] for field in fields if isinstance(field, str)}
            assert names <= known, struct
    assert count > 20
