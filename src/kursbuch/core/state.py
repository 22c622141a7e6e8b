"""Game state, its ledger and the sizes of its fields; plain data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

import msgspec

#: Holders that may go negative: the bank's debt is the players' money, and corrections bring things into the game
#: from `nowhere`.
UNLIMITED = frozenset({"bank", "nowhere"})


class Ledger(msgspec.Struct):
    """Holdings: item -> holder -> count (or amount of money).

    Transfers create and lose nothing after set-up. The holder `bank` is unlimited and its payments count as negative,
    so the total of every item is constant.

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
        """Number of `item` held; 0 for an unknown holder."""
        return self.items[item].get(holder, 0)

    def move(self, item: str, source: str, target: str, count: int = 1) -> None:
        """Transfer `count` of `item`, which the source must have. Zero is a no-op."""
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
        """Sum over all holders by item; constant during a game."""
        return {item: sum(row.values()) for item, row in self.items.items()}


class Listed(NamedTuple):
    """A list cut to its first `most` entries; `each` is their size where needed."""

    most: int
    each: Size | None = None


class Keyed(NamedTuple):
    """A dictionary restricted to these keys, or list entries keyed by their field `by`."""

    keys: Sequence[str | int]
    each: Size | None = None
    by: str = ""


class Counted(NamedTuple):
    """An unordered list: the count of each member."""

    members: Sequence[str | int]


class Ranked(NamedTuple):
    """A dictionary of lists: the position of each member in its list."""

    members: Sequence[str | int]


class Bits(NamedTuple):
    """A bit mask of this width."""

    width: int


class LeftOut(NamedTuple):
    """A field players need not know."""


Size = Listed | Keyed | Counted | Ranked | Bits | LeftOut


class Encoding(NamedTuple):
    """A title's numeric encoding for a number of seats.

    `words` are all texts in fields of states and actions. `holders` lists the possible holders of an item of the
    ledger. `sizes` describes fields that are not a single number or word by name: "layout.tiles", or "turn.moved"
    with the step's tag. Other lists and dictionaries of numbers have one entry per seat. `seats` names the
    number fields that hold a seat, alone ("seat") or with what they belong to ("turn.active").
    """

    words: Sequence[str]
    holders: Callable[[str], Sequence[str]]
    sizes: Mapping[str, Size]
    seats: Collection[str] = ("seat",)


class Step(msgspec.Struct, tag_field="step"):
    """An entry of the agenda: plain data without behaviour.

    The title's `StepRules` for its type define how it is played.
    """


StepT = TypeVar("StepT", bound=Step)


class State(msgspec.Struct, Generic[StepT], kw_only=True):
    """Base of every game's state. Constants such as the map and cards belong to the title.

    The agenda is a stack whose last step decides; the game is over when it is empty. `draws` counts the draws made,
    to find the next one from the seed. `uncorrected` names rule corrections that are not in force under an older
    edition (docs/records.md).
    """

    seats: int
    agenda: list[StepT]
    ledger: Ledger
    draws: int = 0
    uncorrected: list[str] = []

    def corrected(self, correction: str) -> bool:
        """Whether a rule correction, by id, is in force."""
        return correction not in self.uncorrected


def clockwise(state: State[StepT], seat: int) -> list[int]:
    """All seats in their order, clockwise from this one."""
    return [(seat + n) % state.seats for n in range(state.seats)]


def tag_of(step: Step) -> str:
    """The tag of a step."""
    return str(type(step).__struct_config__.tag)


class Decision(msgspec.Struct, frozen=True):
    """A pending decision: the seat and the tag of the step."""

    seat: int
    step: str
