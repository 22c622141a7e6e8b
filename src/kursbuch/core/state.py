"""The state of a game, its ledger, and the sizes of its fields. All of it is plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

import msgspec

#: Holders that may go below zero: the money a player has is what this holder is short of. What corrections
#: take into the game comes from `nowhere`.
UNLIMITED = frozenset({"bank", "nowhere"})


class Ledger(msgspec.Struct):
    """Who holds how many of what: item -> holder -> count (or amount of money).

    Nothing is created or lost after set-up: a transfer takes from one holder what it gives to
    another. The holder `bank` is unlimited and shows what it has paid out as a negative number, so
    the total of every item stays the same for the whole game.

    >>> ledger = Ledger({"share:GWR": {"stock": 16}, "money": {"bank": 0}})
    >>> ledger.move("share:GWR", "stock", "0", 1)
    >>> ledger.move("money", "bank", "0", 2000)
    >>> ledger.held("share:GWR", "0"), ledger.held("money", "0"), ledger.totals()
    (1, 2000, {'share:GWR': 16, 'money': 0})
    """

    items: dict[str, dict[str, int]]

    def copy(self) -> Ledger:
        """An independent copy."""
        return Ledger({item: row.copy() for item, row in self.items.items()})

    def held(self, item: str, holder: str) -> int:
        """How many of `item` the holder has; 0 for a holder never heard of."""
        return self.items[item].get(holder, 0)

    def move(self, item: str, source: str, target: str, count: int = 1) -> None:
        """Transfer `count` of `item`; the source must have them. A transfer of 0 changes nothing."""
        if count == 0:
            return
        row = self.items[item]
        left = row.get(source, 0) - count
        if count < 0 or (left < 0 and source not in UNLIMITED):
            raise AssertionError(
                f"cannot move {count} of {item} from {source}, which has {left + count}"
            )
        if left == 0 and source not in UNLIMITED:
            row.pop(source, None)
        else:
            row[source] = left
        row[target] = row.get(target, 0) + count

    def totals(self) -> dict[str, int]:
        """The sum over all holders, per item; the same at every moment of a game."""
        return {item: sum(row.values()) for item, row in self.items.items()}


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
    """A bit mask of this width."""

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


class Step(msgspec.Struct, tag_field="step"):
    """One entry of the agenda: a record of what is to be done, without any behaviour.

    How a step is played stands in the `StepRules` its title declares for it.
    """


StepT = TypeVar("StepT", bound=Step)


class State(msgspec.Struct, Generic[StepT], kw_only=True):
    """What every game's state has. What never changes during a game (map, cards, tables) is not here.

    The agenda is a stack: its last step says who must decide. A game is over when it is empty.
    `draws` counts the chance draws made, so that the next one can be found again from the seed.
    `uncorrected` names the corrections of the rules that are not in force, because what follows was
    played by an older edition (docs/records.md).
    """

    seats: int
    agenda: list[StepT]
    ledger: Ledger
    draws: int = 0
    uncorrected: list[str] = []

    def corrected(self, correction: str) -> bool:
        """Whether a correction of the rules, by its id in the index, is in force."""
        return correction not in self.uncorrected


def tag_of(step: Step) -> str:
    """The name of a kind of step."""
    return str(type(step).__struct_config__.tag)


class Decision(msgspec.Struct, frozen=True):
    """Who has to decide, and in which kind of step (the tag of the step)."""

    seat: int
    step: str
