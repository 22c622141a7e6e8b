"""What a title declares so that its positions and actions can be written as numbers of fixed size.

A state is plain data, so most of it is found by looking at its type; a title only says how long its lists
are, which keys its dictionaries have, and which words there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple


class Listed(NamedTuple):
    """A list: its first `most` entries, each of the size `each` where that must be said."""

    most: int
    each: Size | None = None


class Keyed(NamedTuple):
    """A dictionary with these keys at most, or the entries of a list by their field `by`."""

    keys: Sequence[str | int]
    each: Size | None = None
    by: str = ""


class Counted(NamedTuple):
    """A list whose order means nothing: how often it has each of these members."""

    members: Sequence[str | int]


class Ranked(NamedTuple):
    """A dictionary of lists: the place of each of these members in the list that has it."""

    members: Sequence[str | int]


class Bits(NamedTuple):
    """A number that is a bit mask of so many bits."""

    width: int


class LeftOut(NamedTuple):
    """Nothing a player needs to know."""


Size = Listed | Keyed | Counted | Ranked | Bits | LeftOut


class Encoding(NamedTuple):
    """How one title is written as numbers, for a number of seats.

    `words` are all texts that fields of states and actions can hold. `holders` says for an item of the
    ledger who can hold it. `sizes` are those of fields that are no single number or word, by their
    names: "layout.tiles", and for fields of steps "turn.moved", with the tag of the step.
    Lists and dictionaries of numbers that are not named have an entry for every seat.
    """

    words: Sequence[str]
    holders: Callable[[str], Sequence[str]]
    sizes: Mapping[str, Size]
