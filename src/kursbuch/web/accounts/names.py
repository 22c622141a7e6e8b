"""Names of accounts: allowed characters, confusable names, and profile addresses."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from urllib.parse import quote

from kursbuch.core.game import check_names
from kursbuch.core.words import N_
from kursbuch.web.http.errors import Refused

#: Maximum length of a normalized name.
LONGEST = 120

#: Characters of addresses: a name is part of a path, and no link in a mail.
_OF_ADDRESSES = re.compile(r"[/\\?#%@:]")
_DOMAIN = re.compile(r"\w\.\w")

#: Invisible characters, which would let one name pass for another: blank letters, variation
#: selectors and stacks of marks.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
    "|[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{3}"
)

#: Alphabets with letters that look alike.
_ALPHABETS = frozenset({"ARMENIAN", "CHEROKEE", "COPTIC", "CYRILLIC", "GREEK", "LATIN"})


def checked_name(given: str) -> tuple[str, str]:
    """Return the name of an account and its normalized form, or refuse it.

    >>> checked_name("  Ada   Lovelace ")
    ('Ada Lovelace', 'ada lovelace')
    """
    (name,) = check_names([given])
    if _INVISIBLE.search(name):
        raise Refused(
            N_("The name {name} contains characters that cannot be shown."), name=repr(name)
        )
    if found := _OF_ADDRESSES.search(name):
        raise Refused(N_("Names cannot contain the character {character}."), character=found[0])
    if _DOMAIN.search(name):
        raise Refused(N_("Names cannot have a full stop between letters or digits."))
    if any(len(_alphabets(word)) > 1 for word in name.split()):
        raise Refused(N_("A word in the name {name} mixes letters of two alphabets."), name=name)
    return name, name_key(name)


def name_key(name: str) -> str:
    """Return the normalized form by which names are compared."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()[:LONGEST]


def skeleton(name: str) -> str:
    """Return what a name looks like: equal for all names that can be confused
    (https://www.unicode.org/reports/tr39/#Confusable_Detection).

    >>> skeleton("\\N{CYRILLIC CAPITAL LETTER A}lice") == skeleton("Alice") == skeleton("A1ice")
    True
    >>> skeleton("Elia") == skeleton("Ella"), skeleton("Jörg") == skeleton("Jorg")
    (False, False)
    """
    shapes = _shapes()
    parts = unicodedata.normalize("NFD", " ".join(name.split()))
    alike = "".join(shapes.get(char, char) for char in parts)
    return unicodedata.normalize("NFKD", alike).casefold()[:LONGEST]


def _alphabets(word: str) -> frozenset[str]:
    """Return the confusable alphabets that a word uses."""
    letters = unicodedata.normalize("NFKC", word)
    return _ALPHABETS & {unicodedata.name(char, "").partition(" ")[0] for char in letters}


@cache
def _shapes() -> dict[str, str]:
    """Map each character that looks like another to a common one.

    The package lists similar characters in pairs: a common shape is listed with all its
    look-alikes, and each of these with it."""
    from confusable_homoglyphs.confusables import confusables_data

    alike: dict[str, set[str]] = {}
    for one, others in confusables_data.items():
        for other in others:
            # Direction marks only make the list readable.
            first, second = (text.strip("\u200e\u200f") for text in (one, other["c"]))
            if first != second:
                alike.setdefault(first, set()).add(second)
                alike.setdefault(second, set()).add(first)
    shapes = {}
    for char, others in alike.items():
        (other, *more) = sorted(others)
        if len(char) > 1 or more:
            continue  # it represents itself
        if len(alike[other]) > 1 or (len(other), char) > (1, other):
            shapes[char] = other
    return shapes


def profile_url(name: str) -> str:
    """Return the address of a player's profile."""
    return f"/people/{quote(name, safe='')}"
