"""Mentions: names after @ in chat messages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

#: Means everybody at the table, in all languages.
EVERYBODY = ("all", "alle")


def pieces(text: str, names: Sequence[str]) -> list[tuple[str, frozenset[int]]]:
    """A message in pieces, each with the seats it means; names may have spaces, and the longest that fits counts.

    >>> pieces("@anna, ask @Bernd B!", ["Anna", "Bernd", "Bernd B"])
    [('@anna', frozenset({0})), (', ask ', frozenset()), ('@Bernd B', frozenset({2})), ('!', frozenset())]
    """
    known, found = _known(tuple(names))
    parts: list[tuple[str, frozenset[int]]] = []
    end = 0
    for match in found.finditer(text):
        seats = known.get(match[1].casefold())
        if seats is None:  # letters that change their length in capitals
            continue
        if match.start() > end:
            parts.append((text[end : match.start()], frozenset()))
        parts.append((match[0], seats))
        end = match.end()
    if end < len(text) or not parts:
        parts.append((text[end:], frozenset()))
    return parts


@lru_cache(500)
def _known(names: tuple[str, ...]) -> tuple[dict[str, frozenset[int]], re.Pattern[str]]:
    """Whom every word means, and where one stands in a message."""
    known = {name.casefold(): frozenset((seat,)) for seat, name in enumerate(names) if name}
    for word in EVERYBODY:
        known.setdefault(word, frozenset(range(len(names))))
    longest = sorted(known, key=len, reverse=True)
    return known, re.compile(rf"@({'|'.join(map(re.escape, longest))})(?!\w)", re.IGNORECASE)


def mentioned(text: str, names: Sequence[str]) -> list[int]:
    """The seats a message means, in their order."""
    return sorted(frozenset[int]().union(*(seats for _, seats in pieces(text, names))))
