"""How wide letters are, as far as drawings have to know it without a font."""

from __future__ import annotations

from functools import lru_cache

#: How wide letters are, as part of their height; all others are as wide as `OTHER`.
WIDE = dict.fromkeys("ijlI.,'/ -", 0.33) | dict.fromkeys("frt()", 0.42)
WIDE |= dict.fromkeys("mwMW", 0.9) | dict.fromkeys("ABCDEFGHKLNOPQRSTUVXYZ", 0.7)
OTHER = 0.58
#: How much wider bold letters are.
BOLD = 1.2


@lru_cache(maxsize=4096)
def width(text: str, size: float) -> float:
    """About how wide a text is.

    >>> round(width("Madras", 1), 2)
    3.64
    """
    return size * sum(WIDE.get(letter, OTHER) for letter in text)


def shortened(text: str, size: float, most: float, *, bold: bool = False) -> str:
    """A text that is not wider than so much.

    >>> shortened("Ilse", 10, 40), shortened("Wilhelmine", 10, 40)
    ('Ilse', 'Wilhel…')
    """
    room = most / (BOLD if bold else 1)
    if width(text, size) <= room:
        return text
    for end in range(len(text) - 1, 1, -1):
        cut = f"{text[:end].rstrip()}…"
        if width(cut, size) <= room:
            return cut
    return f"{text[:1]}…"
