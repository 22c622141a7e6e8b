"""Every sentence of the program has a German form with the same parameters."""

from __future__ import annotations

import re

from tests.translations import catalogue, forms, key, texts


def parameters(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


MESSAGES = [message for message in catalogue() if message.id]


def test_every_text_is_translated() -> None:
    known = {key(message.id) for message in MESSAGES if all(forms(message.string))}
    assert {text: name for text, name in texts().items() if key(text) not in known} == {}


def test_nothing_is_translated_that_is_not_there() -> None:
    assert {key(message.id) for message in MESSAGES} - {key(text) for text in texts()} == set()


def test_plurals_have_both_forms() -> None:
    plural = {key(text) for text in texts() if not isinstance(text, str)}
    assert {key(message.id) for message in MESSAGES if len(forms(message.string)) == 2} == plural


def test_translations_keep_the_parameters() -> None:
    for message in MESSAGES:
        wanted = {name for form in forms(message.id) for name in parameters(form)}
        for form in forms(message.string):
            assert parameters(form) in (wanted, wanted - {"n"}), form


def test_no_translation_is_a_guess() -> None:
    assert [message.id for message in MESSAGES if message.fuzzy] == []
