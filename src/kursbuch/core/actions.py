"""What a seat may do: actions, and choices that stand for one action or a range of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec


class Action(msgspec.Struct, frozen=True, tag_field="action", gc=False):
    """One decision of one seat. Subclasses are tagged with a short name of their own.

    `AMOUNT` names the field that holds a free amount, for actions that have one.
    """

    AMOUNT: ClassVar[str] = ""

    seat: int


class Range(msgspec.Struct, frozen=True):
    """The amounts from `low` to `high`, both included, in steps of `step`.

    >>> list(Range(10, 40, 10)), 25 in Range(10, 40, 10), len(Range(1, 3))
    ([10, 20, 30, 40], False, 3)
    """

    low: int
    high: int
    step: int = 1

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.low, self.high + 1, self.step))

    def __contains__(self, amount: object) -> bool:
        return amount in range(self.low, self.high + 1, self.step)

    def __len__(self) -> int:
        return len(range(self.low, self.high + 1, self.step))


def sampled(amounts: Range) -> list[int]:
    """The lowest, middle and highest of some amounts.

    >>> sampled(Range(10, 1000, 10)), sampled(Range(2, 3))
    ([10, 500, 1000], [2, 3])
    """
    last = len(amounts) - 1
    return [amounts.low + place * amounts.step for place in sorted({0, last // 2, last})]


def raised(amounts: Range) -> list[int]:
    """The lowest of some amounts and those one, two and four steps above it, as far as they go.

    >>> raised(Range(750, 5000, 50)), raised(Range(1, 2)), raised(Range(3, 3))
    ([750, 800, 850, 950], [1, 2], [3])
    """
    wanted = [amounts.low + steps * amounts.step for steps in (0, 1, 2, 4)]
    return [amount for amount in wanted if amount in amounts]


class Choice(msgspec.Struct, frozen=True):
    """One thing a seat may do now: `action` itself, or, with an `amount`, the action with any
    amount of that range (`action` then carries the lowest)."""

    action: Action
    amount: Range | None = None

    def with_amount(self, amount: int) -> Action:
        """The action with that amount, which must lie in the range."""
        if self.amount is None or amount not in self.amount:
            raise ValueError(f"{amount} is not among the amounts of {self}")
        field: Any = {self.action.AMOUNT: amount}
        return msgspec.structs.replace(self.action, **field)

    def actions(self) -> Iterator[Action]:
        """Every single action this choice stands for."""
        if self.amount is None:
            yield self.action
        else:
            for amount in self.amount:
                yield self.with_amount(amount)

    def covers(self, action: Action) -> bool:
        """Whether `action` is one of those this choice stands for."""
        if self.amount is None:
            return self.action == action
        if type(action) is not type(self.action):
            return False
        amount = getattr(action, action.AMOUNT)
        return amount in self.amount and self.with_amount(amount) == action
