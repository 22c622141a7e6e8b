"""Names of accounts: allowed characters, names that look alike, and profile addresses."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from urllib.parse import quote

from kursbuch.core.game import check_names
from kursbuch.core.words import N_
from kursbuch.web.http.errors import Refused

#: As much is kept of a name as names are compared.
LONGEST = 120

#: What addresses are made of, so that a name is a path and no link in a letter.
_OF_ADDRESSES = re.compile(r"[/\\?#%@:]")
_DOMAIN = re.compile(r"\w\.\w")

#: What nobody sees, so that nobody looks like somebody else: letters without a shape, what chooses between
#: shapes, and heaps of marks.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
    "|[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{3}"
)

#: Alphabets with letters that look alike.
_ALPHABETS = frozenset({"ARMENIAN", "CHEROKEE", "COPTIC", "CYRILLIC", "GREEK", "LATIN"})


def checked_name(given: str) -> tuple[str, str]:
    """The name of an account, and as names are compared.

    >>> checked_name("  Ada   Lovelace ")
    ('Ada Lovelace', 'ada lovelace')
    """
    (name,) = check_names([given])
    if _INVISIBLE.search(name):
        raise Refused(
            N_("The name {name} contains characters that cannot be shown."), name=repr(name)
        )
    if found := _OF_ADDRESSES.search(name):
        raise Refused(N_("A name cannot contain the character {character}."), character=found[0])
    if _DOMAIN.search(name):
        raise Refused(N_("A name cannot contain a full stop between two letters or digits."))
    if any(len(_alphabets(word)) > 1 for word in name.split()):
        raise Refused(N_("A word of the name {name} mixes letters of two alphabets."), name=name)
    return name, name_key(name)


def name_key(name: str) -> str:
    """A name as names are compared."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()[:LONGEST]


def skeleton(name: str) -> str:
    """What a name looks like: the same for all names that can be taken for one another
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
    """The alphabets of a word, of those that look alike."""
    letters = unicodedata.normalize("NFKC", word)
    return _ALPHABETS & {unicodedata.name(char, "").partition(" ")[0] for char in letters}


@cache
def _shapes() -> dict[str, str]:
    """What stands for each character that looks like another.

    The package lists for every character those it looks like: one that stands for many is listed with all of them,
    and each of these with that one."""
    from confusable_homoglyphs.confusables import confusables_data

    alike: dict[str, set[str]] = {}
    for one, others in confusables_data.items():
        for other in others:
            # Marks of the direction of writing only make the list readable.
            first, second = (text.strip("\u200e\u200f") for text in (one, other["c"]))
            if first != second:
                alike.setdefault(first, set()).add(second)
                alike.setdefault(second, set()).add(first)
    shapes = {}
    for char, others in alike.items():
        (other, *more) = sorted(others)
        if len(char) > 1 or more:
            continue  # it stands for itself
        if len(alike[other]) > 1 or (len(other), char) > (1, other):
            shapes[char] = other
    return shapes


def profile_url(name: str) -> str:
    """The page of a person."""
    return f"/people/{quote(name, safe='')}"
