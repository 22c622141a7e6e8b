"""Actions spelled as tokens of a fixed alphabet, so that any choice is a sequence of small ones.

An action is its kind, then its fields in their order: words as themselves, numbers digit by digit, sets
word by word up to `END`, a free amount last. What only one possible action is left for is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, get_args

from msgspec import inspect

from kursbuch.core.actions import Action, Choice, Range

#: Not to do anything, for a seat that could although nobody waits for it.
WAIT = 0
#: A set is complete.
END = 1
NO = 2
YES = 3
DIGIT = 4

#: The tokens that every title has.
COMMON = ("wait", "end", "no", "yes", *"0123456789")

#: Spelled actions are remembered up to so many.
REMEMBERED = 200_000


class Spelled(NamedTuple):
    """A choice with its items: tokens, and whole numbers n as ~n."""

    items: tuple[int, ...]
    choice: Choice | None


class Span(NamedTuple):
    """Numbers that one spelled choice stands for at some place."""

    low: int
    high: int
    step: int
    spelled: Spelled

    def meets(self, low: int, high: int) -> bool:
        """Whether one of its numbers lies between these, both included."""
        first = max(self.low, low)
        first += -(first - self.low) % self.step
        return first <= min(self.high, high)


class Tokens:
    """The alphabet of a title, and how its actions are spelled."""

    def __init__(self, action_type: Any, words: Sequence[str]) -> None:
        kinds = [str(kind.__struct_config__.tag) for kind in get_args(action_type)]
        self.kinds = {kind: number for number, kind in enumerate(kinds, len(COMMON))}
        first = len(COMMON) + len(kinds)
        self.words = {word: number for number, word in enumerate(words, first)}
        self.words[""] = END
        #: Every token as a person reads it.
        self.tokens = (*COMMON, *kinds, *words)
        self._fields = {kind: _fields(kind) for kind in get_args(action_type)}
        self._items: dict[Action, tuple[int, ...]] = {}

    def spelled(self, choice: Choice) -> Spelled:
        """A choice with its items; its amount is not among them."""
        found = self._items.get(choice.action)
        if found is None:
            if len(self._items) >= REMEMBERED:
                self._items.clear()
            found = self._items[choice.action] = tuple(self._spell(choice.action))
        return Spelled(found, choice)

    def _spell(self, action: Action) -> Iterable[int]:
        yield self.kinds[str(type(action).__struct_config__.tag)]
        for name in self._fields[type(action)]:
            yield from self._value(getattr(action, name))

    def _value(self, value: Any) -> Iterable[int]:
        match value:
            case bool():
                yield YES if value else NO
            case int():
                yield ~value
            case str():
                yield self.words[value]
            case _:
                for each in value:
                    yield from self._value(each)
                yield END


def _fields(kind: Any) -> tuple[str, ...]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    free = ("seat", kind.AMOUNT)
    return tuple(field.name for field in info.fields if field.name not in free)


class Menu:
    """A decision of one seat on its way: what has been spelled of it, and which tokens can follow."""

    __slots__ = (
        "_alive",
        "_depth",
        "_forced",
        "_left",
        "_prefix",
        "_spans",
        "action",
        "begun",
        "done",
        "legal",
    )

    def __init__(self, spelling: Tokens, choices: Iterable[Choice], *, waits: bool = False) -> None:
        self._alive = [spelling.spelled(choice) for choice in choices]
        if waits:
            self._alive.append(Spelled((WAIT,), None))
        self._depth = 0
        #: A number on its way: its digits so far, how many are left, and which there are.
        self._prefix = 0
        self._left = 0
        self._spans: list[Span] = []
        #: The tokens spelled so far, those without an alternative among them.
        self.begun: tuple[int, ...] = ()
        #: The tokens that can follow, in their order.
        self.legal: tuple[int, ...] = ()
        #: Whether the decision is made, and the action; None if it is to do nothing.
        self.done = False
        self.action: Action | None = None
        self._advance()
        #: Whether there is nothing to choose: one token is offered all the same.
        self._forced = self.done
        if self._forced:
            self.done = False
            self.legal = self.begun[:1]

    def copy(self) -> Menu:
        """An independent copy."""
        other = Menu.__new__(Menu)
        for name in Menu.__slots__:
            setattr(other, name, getattr(self, name))
        return other

    def choose(self, token: int) -> None:
        """Go on with one of the legal tokens."""
        if token not in self.legal:
            raise ValueError(f"the token {token} is not legal here; legal are {self.legal}")
        if self._forced:
            self.legal = ()
            self.done = True
            return
        self._take(token)
        self._advance()

    def toward(self, spelled: Spelled, amount: int = 0) -> int:
        """The next token of an action that is possible, as it is spelled; `amount` is its free amount."""
        if self._forced:
            return self.legal[0]
        if not self._left:
            return spelled.items[self._depth]
        items = spelled.items
        value = ~items[self._depth] if self._depth < len(items) else amount
        size: int = 10 ** (self._left - 1)
        return DIGIT + value // size % 10

    def follow(self, begun: Sequence[int]) -> None:
        """Choose what another menu of the same decision has begun."""
        while len(self.begun) < len(begun) and not self._forced:
            self.choose(begun[len(self.begun)])

    def _advance(self) -> None:
        """Spell what has no alternative."""
        while len(options := self._options()) == 1:
            self._take(options[0])
        if options:
            self.legal = tuple(options)
        else:
            self._complete()

    def _complete(self) -> None:
        self.legal = ()
        self.done = True
        choice = self._alive[0].choice
        if choice is not None:
            amounts = choice.amount
            self.action = choice.action if amounts is None else choice.with_amount(self._prefix)

    def _options(self) -> list[int]:
        """The tokens that can follow; none if the decision is made."""
        if self._left:
            size = 10 ** (self._left - 1)
            found = []
            for digit in range(10):
                low = (self._prefix * 10 + digit) * size
                if any(span.meets(low, low + size - 1) for span in self._spans):
                    found.append(DIGIT + digit)
            return found
        depth = self._depth
        first = self._alive[0]
        if depth >= len(first.items):
            if self._spans or not any(each.choice and each.choice.amount for each in self._alive):
                return []
            self._begin(_amounts(self._alive))
            return self._options()
        if first.items[depth] < 0:
            values = ((each, ~each.items[depth]) for each in self._alive)
            self._begin([Span(value, value, 1, each) for each, value in values])
            return self._options()
        return sorted({each.items[depth] for each in self._alive})

    def _begin(self, spans: list[Span]) -> None:
        self._spans = spans
        self._prefix = 0
        self._left = len(str(max(span.high for span in spans)))

    def _take(self, token: int) -> None:
        self.begun += (token,)
        if not self._left:
            depth = self._depth
            if len(self._alive) > 1:
                self._alive = [each for each in self._alive if each.items[depth] == token]
            self._depth += 1
            return
        self._prefix = self._prefix * 10 + token - DIGIT
        self._left -= 1
        if self._left:
            return
        value = self._prefix
        self._alive = [span.spelled for span in self._spans if span.meets(value, value)]
        if self._depth < len(self._alive[0].items):
            self._spans = []
            self._depth += 1


def _amounts(alive: Sequence[Spelled]) -> list[Span]:
    found = []
    for each in alive:
        assert each.choice is not None
        action = each.choice.action
        amounts = each.choice.amount
        if amounts is None:
            value = getattr(action, action.AMOUNT)
            amounts = Range(value, value)
        found.append(Span(amounts.low, amounts.high, amounts.step, each))
    return found
