"""Colours of players, companies and routes that a reader has chosen, as text of a cookie and as a style sheet."""

from __future__ import annotations

import re
from collections.abc import Mapping

#: Name and colour of an entry; names are classes of drawings (`Title.own_colours`).
_ENTRY = re.compile(r"((?:seat|run|of)-[A-Za-z0-9]{1,8})-([0-9a-f]{6})")
_MOST = 60

DARK, LIGHT = "1d1a16", "ffffff"


def read(text: str) -> dict[str, str]:
    """The colours in a text; whatever is not one is left out.

    >>> read("seat-0-dd0078_of-BY-2a5caa_of-<-000000")
    {'seat-0': 'dd0078', 'of-BY': '2a5caa'}
    """
    found = [_ENTRY.fullmatch(part) for part in text.split("_")[:_MOST]]
    return {one[1]: one[2] for one in found if one is not None}


def write(colours: Mapping[str, str]) -> str:
    """The text of these colours."""
    return "_".join(f"{name}-{colour}" for name, colour in colours.items())


def sound(text: str) -> str:
    """A text with its colours only."""
    return write(read(text))


def luminance(colour: str) -> float:
    """Relative luminance of a colour, as WCAG defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast of two colours.

    >>> contrast("ffffff", "000000")
    21.0
    """
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def letters_on(colour: str) -> str:
    """Dark or light, whichever is better to read on a colour.

    >>> letters_on("f5cf2d"), letters_on("1d2f77")
    ('1d1a16', 'ffffff')
    """
    return max(DARK, LIGHT, key=lambda one: contrast(one, colour))


def style(text: str) -> str:
    """The style sheet of the colours in a text; it counts while the reader wants own colours."""
    variables, rules = [], []
    for name, colour in read(text).items():
        kind, _, key = name.partition("-")
        letters = letters_on(colour)
        if kind == "seat":
            variables += [f"--{name}:#{colour}", f"--{name}-ink:#{letters}"]
        elif kind == "run":
            rules.append(f"svg .{name}{{stroke:#{colour}}}")
        else:
            rules += [
                f'.piece-of[data-key$=":{key}"]{{--fill:#{colour};--letters:#{letters}}}',
                f"svg .{name}{{fill:#{colour}}}",
                f"svg .line-{name}{{stroke:#{colour}}}",
                f"svg .on-{key}{{fill:#{letters}}}",
            ]
    inner = "".join([f"{one};" for one in variables] + [f"& {one}" for one in rules])
    return f':root[data-players="own"]{{{inner}}}' if inner else ""
