"""Player aids beside the component data they were written from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kursbuch.core.title import Title
from kursbuch.core.words import LANGUAGES


def lines(title: Title[Any], heading: str) -> Iterator[list[str]]:
    """The lines of the section with that English heading, in each language."""
    assert title.lessons is not None
    found = [one for one in title.lessons.aid if one.heading.en == heading]
    assert len(found) == 1, heading
    for language in LANGUAGES:
        yield [line.text(language) for line in found[0].lines]


def numbers(text: str) -> list[int]:
    """The numbers of a text in their order."""
    return [int(number) for number in re.findall(r"\d+", text)]
