"""Actions of a seat, their text forms, and choices that cover one action or a range of amounts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from string import Formatter
from typing import Any, ClassVar

import msgspec

from kursbuch.core.errors import no_move
from kursbuch.core.notation import Form, Names
from kursbuch.core.sentences import Told


class PickSpec:
    """How an action is selected on the board (`Voice.pick`).

    `group` is a translatable text; `keys` are templates with fields of the action, such as "train:{seat}:{train}":
    one with a list in it stands for a key for each element. `label` is the text of the action.
    """

    def __init__(
        self, group: str, keys: tuple[str, ...], label: Told, *, several: bool = False
    ) -> None:
        self.group = group
        self.keys = keys
        self.label = label
        self.several = several

    def keys_of(self, action: Action) -> tuple[str, ...]:
        """The keys of the elements to point at, in their order."""
        found: list[str] = []
        for key in self.keys:
            fields = {
                name: getattr(action, name) for _, name, _, _ in Formatter().parse(key) if name
            }
            lists = [name for name, value in fields.items() if isinstance(value, tuple)]
            each = [fields | {name: value} for name in lists for value in fields[name]]
            found += [key.format(**values) for values in (each if lists else [fields])]
        return tuple(found)


class Action(msgspec.Struct, frozen=True, tag_field="action", gc=False):
    """One decision of one seat. Every subclass has its own short tag."""

    #: Field that holds the amount, for actions that have one.
    AMOUNT: ClassVar[str] = ""
    #: The text form.
    FORM: ClassVar[Form | None] = None
    #: How it is pointed at, where that does not depend on the state.
    PICK: ClassVar[PickSpec | None] = None

    seat: int


class Notation:
    """Text forms of a title's actions, in the order they are tried."""

    def __init__(
        self, actions: Iterable[type[Action]], names: Mapping[str, Iterable[str]] | None = None
    ) -> None:
        self.names = Names(names or {})
        self.forms = {action: action.FORM for action in actions if action.FORM is not None}

    @property
    def shapes(self) -> tuple[str, ...]:
        """The forms listed in a refusal."""
        return tuple(shape for form in self.forms.values() for shape in form.shapes)

    def format(self, action: Action) -> str:
        """Format an action without the player's name."""
        form = self.forms.get(type(action))
        if form is None:
            raise TypeError(f"not an action of this game: {action!r}")
        return form.write(action)

    def parse(self, text: str, seat: int) -> Action:
        """Parse an action, ignoring case; `KursbuchError` lists the known forms."""
        for action, form in self.forms.items():
            fields = form.read(text.strip(), self.names)
            if fields is not None:
                return action(seat=seat, **fields)
        raise no_move(text, self.shapes)


class Range(msgspec.Struct, frozen=True):
    """Amounts from `low` to `high`, both included, in steps of `step`.

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
    """The lowest, middle and highest amount of a range.

    >>> sampled(Range(10, 1000, 10)), sampled(Range(2, 3))
    ([10, 500, 1000], [2, 3])
    """
    last = len(amounts) - 1
    return [amounts.low + place * amounts.step for place in sorted({0, last // 2, last})]


def raised(amounts: Range) -> list[int]:
    """The lowest amount and those one, two and four steps above it, within the range.

    >>> raised(Range(750, 5000, 50)), raised(Range(1, 2)), raised(Range(3, 3))
    ([750, 800, 850, 950], [1, 2], [3])
    """
    wanted = [amounts.low + steps * amounts.step for steps in (0, 1, 2, 4)]
    return [amount for amount in wanted if amount in amounts]


class Choice(msgspec.Struct, frozen=True):
    """One thing a seat may do now. With an `amount`, it stands for the action with any amount of that range; `action`
    then carries the lowest."""

    action: Action
    amount: Range | None = None

    def with_amount(self, amount: int) -> Action:
        """The action with this amount, which must be in the range."""
        if self.amount is None or amount not in self.amount:
            raise ValueError(f"{amount} is not among the amounts of {self}")
        field: Any = {self.action.AMOUNT: amount}
        return msgspec.structs.replace(self.action, **field)

    def actions(self) -> Iterator[Action]:
        """Every action this choice stands for."""
        if self.amount is None:
            yield self.action
        else:
            for amount in self.amount:
                yield self.with_amount(amount)

    def covers(self, action: Action) -> bool:
        """Whether this choice includes the action."""
        if self.amount is None:
            return self.action == action
        if type(action) is not type(self.action):
            return False
        amount = getattr(action, action.AMOUNT)
        return amount in self.amount and self.with_amount(amount) == action
