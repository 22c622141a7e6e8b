"""What every title says of its recorded games stays as it is (`python -m tests.golden_texts`)."""

from __future__ import annotations

from typing import Any

import pytest

import kursbuch
from kursbuch.core.title import Title
from kursbuch.core.words import LANGUAGES
from tests.golden_texts import file_of, text

TITLES = kursbuch.titles()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("title", TITLES.values(), ids=list(TITLES))
def test_sentences_notation_and_picks_are_as_before(title: Title[Any], language: str) -> None:
    golden = file_of(title, language).read_text("utf-8").splitlines()
    assert text(title, language).splitlines() == golden
