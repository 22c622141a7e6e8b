"""Actions of a seat, their text forms, and choices that cover one action or a range of amounts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from itertools import product
from operator import attrgetter
from string import Formatter
from typing import Any, ClassVar

import msgspec

from kursbuch.core.errors import no_move
from kursbuch.core.notation import Form, Names, Translate
from kursbuch.core.sentences import By, Condition, Part, Speaker, Told


class Chosen:
    """The subject of a pick: the `state`, the current `step`, the `action`, and the fields of the action."""

    def __init__(self, state: Any, action: Action) -> None:
        self.state = state
        self.action = action

    @property
    def step(self) -> Any:
        """The current step; None after the end."""
        return self.state.agenda[-1] if self.state.agenda else None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.action, name)


class Keys(Formatter):
    """Formatter for keys: "{trains:+}" joins a list, "{pays:pay|save}" is the first word if the field is true.

    >>> Keys().format("{pays:pay|save} {trains:+}", pays=False, trains=("2", "3"))
    'save 2+3'
    """

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" in format_spec:
            return format_spec.split("|")[not value]
        return format_spec.join(value) if isinstance(value, tuple) else str(value)

    def written(self, template: str, told: Chosen) -> Iterator[str]:
        """The keys of a template: one per element of each list that is not joined."""
        parts = [(name, spec) for _, name, spec, _ in self.parse(template) if name]
        fields = {name: attrgetter(name)(told) for name, _ in parts}
        lists = [name for name, spec in parts if not spec and isinstance(fields[name], tuple)]
        for values in product(*(fields[name] for name in lists)):
            yield self.vformat(template, (), fields | dict(zip(lists, values, strict=True)))

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        return kwargs[field_name], field_name


_KEYS = Keys()


class PickSpec:
    """How an action is selected on the board (`Voice.pick`).

    `group` is a translatable text, and `keys` are templates (`Keys`) with fields of the action, such as
    "train:{seat}:{train}". `label` is the text of the action, and `cost` that of its cost. All refer to a `Chosen`;
    methods of the speaker give what fields cannot.
    """

    def __init__(
        self,
        group: str | By,
        keys: tuple[str | By, ...],
        label: Told,
        *,
        several: bool = False,
        cost: Part | None = None,
    ) -> None:
        self.group = group
        self.keys = keys
        self.label = label
        self.several = several
        self.cost = cost

    def keys_of(self, speaker: Speaker, told: Chosen) -> tuple[str, ...]:
        """Keys of the elements to select, in order."""
        found: list[str] = []
        for key in self.keys:
            found += [key.said(speaker, told)] if isinstance(key, By) else _KEYS.written(key, told)
        return tuple(found)


class PickIf(Condition):
    """One of two ways to select an action."""

    def __init__(self, field: str | By, yes: PickSpec, no: PickSpec) -> None:
        super().__init__(field)
        self.yes = yes
        self.no = no


class Action(msgspec.Struct, frozen=True, tag_field="action", gc=False):
    """One decision of one seat. Every subclass has its own short tag."""

    #: Field that holds the amount, for actions that have one.
    AMOUNT: ClassVar[str] = ""
    #: The text form.
    FORM: ClassVar[Form | None] = None
    #: How it is selected; a method of the speaker may return the whole `Pick`.
    PICK: ClassVar[PickSpec | PickIf | By | None] = None

    seat: int


class Notation:
    """Text forms of a title's actions, in the order they are tried."""

    def __init__(
        self, actions: Iterable[type[Action]], names: Mapping[str, Iterable[str]] | None = None
    ) -> None:
        self.names = Names(names or {})
        self.forms = {action: action.FORM for action in actions if action.FORM is not None}

    def translated(self, translate: Translate) -> Notation:
        """The notation in another language."""
        other = copy(self)
        other.forms = {action: form.translated(translate) for action, form in self.forms.items()}
        return other

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
