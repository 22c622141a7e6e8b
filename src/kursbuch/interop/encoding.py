"""Positions as integer arrays, and actions as tokens of a fixed alphabet."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, get_args

from msgspec import inspect

from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.errors import KursbuchError
from kursbuch.core.state import (
    Bits,
    Counted,
    Encoding,
    Keyed,
    Ledger,
    LeftOut,
    Listed,
    Ranked,
    Size,
    State,
    tag_of,
)

#: Writes a value to an array from an offset.
Write = Callable[[Any, "array[int]", int], None]
NOTHING = -1

#: State fields that are not part of a position's encoding.
SILENT = {"seats", "agenda", "ledger", "draws", "uncorrected"}

#: Number of steps written, from the top of the agenda.
DEPTH = 2


#: A holder with the first number in its name.
NUMBERED = re.compile(r"(\D*)(\d*)(.*)")


class Cell(NamedTuple):
    """What an integer of an array is: its largest value (0: any), whether it is the number of a
    seat, and where it belongs to a seat: pairs of the seat and the distance to the next seat's."""

    most: int = 0
    seat: bool = False
    turns: tuple[tuple[int, int], ...] = ()


class Form(NamedTuple):
    """How a type of value is written: a fixed number of integers, `blank` if there is no value.
    `cells` tells what each is."""

    blank: tuple[int, ...]
    write: Write
    text: str
    cells: tuple[Cell, ...]

    @property
    def size(self) -> int:
        return len(self.blank)


class Part(NamedTuple):
    """A named part of the array: `size` integers from `start`. `text` describes them."""

    name: str
    start: int
    size: int
    text: str


class Arrays:
    """Writes states of a title with a number of seats. `items` are those of the ledger."""

    def __init__(
        self, state_type: Any, encoding: Encoding, seats: int, items: Sequence[str]
    ) -> None:
        self.encoding = encoding
        self.seats = seats
        self.numbers = {"": 0} | {word: n for n, word in enumerate(encoding.words, 1)}
        self.parts: list[Part] = []
        #: What the integers are.
        self.cells: list[Cell] = []
        self._writes: list[tuple[str, Write, int]] = []
        blank: list[int] = []
        info = inspect.type_info(state_type)
        assert isinstance(info, inspect.StructType)
        self._steps = self._forms_of_steps(info)
        self._tags = {tag: number for number, tag in enumerate(self._steps, 1)}
        longest = max(form.size for form in self._steps.values())
        self._agenda: list[int] = []
        for depth in range(DEPTH):
            self._agenda.append(len(blank))
            name = "step" if depth == 0 else "step below"
            self._part(blank, name, (0,), "kind of step", [Cell(len(self._steps))])
            # Each kind of step has other fields there.
            fields = [Cell()] * longest
            self._part(blank, f"{name}: fields", (NOTHING,) * longest, "fields of the step", fields)
        for field in info.fields:
            if field.name in SILENT:
                continue
            form = self.form(field.type, field.name)
            if form.size:
                self._writes.append((field.name, form.write, len(blank)))
                self._part(blank, field.name, form.blank, form.text, form.cells)
        self._items: dict[str, int] = {}
        self._holders: dict[str, dict[str, int]] = {}
        for item in items:
            holders = encoding.holders(item)
            self._items[item] = len(blank)
            self._holders[item] = {holder: n for n, holder in enumerate(holders, len(blank))}
            text = f"held by {', '.join(holders)}"
            cells = [Cell(turns=_turns(holder, holders, seats)) for holder in holders]
            self._part(blank, f"ledger {item}", (0,) * len(holders), text, cells)
        self.blank = array("i", blank)

    def _part(
        self,
        blank: list[int],
        name: str,
        numbers: Sequence[int],
        text: str,
        cells: Sequence[Cell],
    ) -> None:
        self.parts.append(Part(name, len(blank), len(numbers), text))
        blank += numbers
        self.cells += cells

    def _forms_of_steps(self, info: inspect.StructType) -> dict[str, Form]:
        agenda = next(field.type for field in info.fields if field.name == "agenda")
        assert isinstance(agenda, inspect.ListType)
        found = {}
        for kind in _members(agenda.item_type):
            assert isinstance(kind, inspect.StructType)
            found[str(kind.tag)] = self.form(kind, str(kind.tag))
        return found

    @property
    def steps(self) -> Mapping[str, Form]:
        """Step types by tag, numbered from 1 in this order, and their fields."""
        return self._steps

    def write(self, state: State[Any]) -> array[int]:
        """The array of a state, which must be a view without hidden information."""
        out = self.blank[:]
        for depth, at in enumerate(self._agenda, 1):
            if len(state.agenda) < depth:
                break
            step = state.agenda[-depth]
            tag = tag_of(step)
            out[at] = self._tags[tag]
            self._steps[tag].write(step, out, at + 1)
        for name, write, at in self._writes:
            write(getattr(state, name), out, at)
        self._write_ledger(state.ledger, out)
        return out

    def _write_ledger(self, ledger: Ledger, out: array[int]) -> None:
        for item, row in ledger.items.items():
            places = self._holders[item]
            for holder, count in row.items():
                out[places[holder]] = count

    # ---- forms by type

    def form(self, kind: inspect.Type, path: str) -> Form:
        """The form of a field; `path` is its name in the title's sizes."""
        return self._form(kind, path, self.encoding.sizes.get(path))

    def _form(self, kind: inspect.Type, path: str, size: Size | None) -> Form:
        match kind, size:
            case _, LeftOut():
                return Form((), _nothing, "", ())
            case inspect.UnionType(types=types), _:
                return self._optional([each for each in types if not _is_none(each)], path, size)
            case inspect.IntType(), Bits(width):
                return _bits(width)
            case inspect.BoolType() | inspect.IntType(), _:
                return self._number(kind, path)
            case inspect.StrType() | inspect.LiteralType(), _:
                return self._word()
            case inspect.StructType(), _:
                return self._fields(kind.fields, path)
            case inspect.NamedTupleType(), _:
                return self._fields(kind.fields, path, positional=True)
            case inspect.TupleType(item_types=types), _:
                return self._row([self._form(each, path, None) for each in types])
            case _, Keyed(by=by) if by:
                return self._placed(_item(kind), path, size)
            case _, Counted(members):
                return self._counted(members)
            case inspect.DictType(), Ranked(members):
                return self._ranked(members)
            case inspect.DictType(value_type=value), _:
                if size is None and isinstance(kind.key_type, inspect.IntType):
                    size = Keyed(range(self.seats))
                if isinstance(size, Keyed):
                    return self._keyed(self._form(value, path, size.each), size)
            case (inspect.ListType() | inspect.VarTupleType()) as rows, _:
                by_seat = size is None and not isinstance(rows.item_type, inspect.StrType)
                if by_seat:
                    size = Listed(self.seats)
                if isinstance(size, Listed):
                    form = self._form(rows.item_type, path, size.each)
                    by_seat = size.most == self.seats and not any(c.seat for c in form.cells)
                    keys = range(size.most if by_seat else 0)
                    cells = self._repeated(form, keys) if by_seat else form.cells * size.most
                    return _listed(form, size, cells)
        raise KursbuchError("The encoding does not say how large {name} can be.", name=path)

    def _optional(self, types: Sequence[inspect.Type], path: str, size: Size | None) -> Form:
        form = self._form(types[0], path, size)
        write = form.write

        def write_if(value: Any, out: array[int], at: int) -> None:
            if value is not None:
                write(value, out, at)

        return Form(form.blank, write_if, form.text, form.cells)

    def _number(self, kind: inspect.Type, path: str) -> Form:
        if isinstance(kind, inspect.BoolType):
            return Form((NOTHING,), _write_number, "0 or 1", (Cell(1),))
        if {path, path.rpartition(".")[2]}.isdisjoint(self.encoding.seats):
            return Form((NOTHING,), _write_number, "number", (Cell(),))
        return Form((NOTHING,), _write_number, "number", (Cell(self.seats, seat=True),))

    def _word(self) -> Form:
        numbers = self.numbers

        def write(value: str, out: array[int], at: int) -> None:
            out[at] = numbers[value]

        return Form((NOTHING,), write, "word", (Cell(len(numbers) - 1),))

    def _fields(
        self, fields: Sequence[inspect.Field], path: str, *, positional: bool = False
    ) -> Form:
        blank: list[int] = []
        texts: list[str] = []
        cells: list[Cell] = []
        plan: list[tuple[Any, Write, int]] = []
        for number, field in enumerate(fields):
            form = self.form(field.type, f"{path}.{field.name}")
            if form.size:
                plan.append((number if positional else field.name, form.write, len(blank)))
                texts.append(f"{field.name}: {form.text}")
                blank += form.blank
                cells += form.cells
        get = _entry if positional else getattr

        def write(value: Any, out: array[int], at: int) -> None:
            for key, write_field, offset in plan:
                write_field(get(value, key), out, at + offset)

        return Form(tuple(blank), write, f"({', '.join(texts)})", tuple(cells))

    def _row(self, forms: Sequence[Form]) -> Form:
        blank = tuple(number for form in forms for number in form.blank)

        def write(value: Any, out: array[int], at: int) -> None:
            for form, entry in zip(forms, value, strict=True):
                form.write(entry, out, at)
                at += form.size

        text = f"({', '.join(form.text for form in forms)})"
        return Form(blank, write, text, tuple(cell for form in forms for cell in form.cells))

    def _placed(self, kind: inspect.Type, path: str, size: Size) -> Form:
        assert isinstance(size, Keyed)
        form = self._form(kind, path, None)
        places = {key: number * form.size for number, key in enumerate(size.keys)}
        write_entry, by = form.write, size.by

        def write(value: Any, out: array[int], at: int) -> None:
            for entry in value:
                write_entry(entry, out, at + places[getattr(entry, by)])

        cells = self._repeated(form, size.keys)
        return Form(form.blank * len(places), write, f"{_of(size.keys)} {form.text}", cells)

    def _keyed(self, form: Form, size: Keyed) -> Form:
        places = {key: number * form.size for number, key in enumerate(size.keys)}
        write_entry = form.write

        def write(value: Any, out: array[int], at: int) -> None:
            for key, entry in value.items():
                write_entry(entry, out, at + places[key])

        cells = self._repeated(form, size.keys)
        return Form(form.blank * len(places), write, f"{_of(size.keys)} {form.text}", cells)

    def _repeated(self, form: Form, keys: Sequence[Any]) -> tuple[Cell, ...]:
        """Cells of several such values, one for each key: those of seats belong to them."""
        if keys != range(self.seats):
            return form.cells * len(keys)
        return tuple(
            cell._replace(turns=(*cell.turns, (seat, form.size)))
            for seat in keys
            for cell in form.cells
        )

    def _counted(self, members: Sequence[Any]) -> Form:
        places = {member: number for number, member in enumerate(members)}

        def write(value: Any, out: array[int], at: int) -> None:
            for member in value:
                out[at + places[member]] += 1

        cells = self._repeated(Form((0,), _nothing, "", (Cell(),)), members)
        return Form((0,) * len(places), write, f"{_of(members)} how often", cells)

    def _ranked(self, members: Sequence[Any]) -> Form:
        places = {member: number for number, member in enumerate(members)}

        def write(value: Any, out: array[int], at: int) -> None:
            for row in value.values():
                for rank, member in enumerate(row):
                    out[at + places[member]] = rank

        cells = (Cell(),) * len(places)
        return Form((NOTHING,) * len(places), write, f"{_of(members)} place in its list", cells)


def _listed(form: Form, size: Listed, cells: tuple[Cell, ...]) -> Form:
    most, step, write_entry = size.most, form.size, form.write
    text = f"up to {most} × {form.text}"

    def write_numbers(value: Any, out: array[int], at: int) -> None:
        end = min(len(value), most)
        out[at : at + end] = array("i", value[:end])

    def write(value: Any, out: array[int], at: int) -> None:
        for entry in value[:most]:
            write_entry(entry, out, at)
            at += step

    numbers = write_entry is _write_number
    return Form(form.blank * most, write_numbers if numbers else write, text, cells)


def _bits(count: int) -> Form:
    def write(value: int, out: array[int], at: int) -> None:
        for bit in range(count):
            out[at + bit] = value >> bit & 1

    return Form((NOTHING,) * count, write, f"{count} bits", (Cell(1),) * count)


def _write_number(value: int, out: array[int], at: int) -> None:
    out[at] = value


def _turns(holder: str, holders: Sequence[str], seats: int) -> tuple[tuple[int, int], ...]:
    """The seat whose number a holder has, and the distance to the same holder of the next seat.

    >>> _turns("1:behind", ["bank", "0", "0:behind", "1", "1:behind"], 2)
    ((1, 2),)
    """
    before, number, after = NUMBERED.fullmatch(holder).groups()  # type: ignore[union-attr]
    alike = [f"{before}{seat}{after}" for seat in range(seats)]
    if not number or any(each not in holders for each in alike) or int(number) >= seats:
        return ()
    places = [holders.index(each) for each in alike]
    return ((int(number), places[1] - places[0]),)


def _nothing(value: Any, out: array[int], at: int) -> None:
    pass


def _entry(value: Any, key: int) -> Any:
    return value[key]


def _of(keys: Sequence[Any]) -> str:
    if isinstance(keys, range) or not keys:
        return f"{len(keys)} ×"
    return f"{len(keys)} ({keys[0]} … {keys[-1]}) ×"


def _is_none(kind: inspect.Type) -> bool:
    return isinstance(kind, inspect.NoneType)


def _members(kind: inspect.Type) -> Sequence[inspect.Type]:
    return kind.types if isinstance(kind, inspect.UnionType) else (kind,)


def _item(kind: inspect.Type) -> inspect.Type:
    assert isinstance(kind, inspect.ListType | inspect.VarTupleType)
    return kind.item_type


#: Do nothing, for a seat that may act voluntarily.
WAIT = 0

#: End of a set.
END = 1
NO = 2
YES = 3
DIGIT = 4

#: Tokens of every title.
COMMON = ("wait", "end", "no", "yes", *"0123456789")

#: Maximum number of cached choices.
REMEMBERED = 200_000


class Spelled(NamedTuple):
    """A choice with its items: tokens, and whole numbers n as ~n."""

    items: tuple[int, ...]
    choice: Choice | None


class Span(NamedTuple):
    """A range of numbers that a choice allows at one position."""

    low: int
    high: int
    step: int
    spelled: Spelled

    def meets(self, low: int, high: int) -> bool:
        """Whether one of its numbers is in this range, both ends included."""
        first = max(self.low, low)
        first += -(first - self.low) % self.step
        return first <= min(self.high, high)


class Tokens:
    """The alphabet of a title, and the spelling of its actions."""

    def __init__(self, action_type: Any, words: Sequence[str]) -> None:
        kinds = [str(kind.__struct_config__.tag) for kind in get_args(action_type)]
        self.kinds = {kind: number for number, kind in enumerate(kinds, len(COMMON))}
        first = len(COMMON) + len(kinds)
        self.words = {word: number for number, word in enumerate(words, first)}
        self.words[""] = END
        #: All tokens as text.
        self.tokens = (*COMMON, *kinds, *words)
        self._fields = {kind: _fields(kind) for kind in get_args(action_type)}
        self._items: dict[Action, tuple[int, ...]] = {}

    def spelled(self, choice: Choice) -> Spelled:
        """A choice with its items, without its amount."""
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
    """A decision being spelled: the tokens so far and those that can follow."""

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
        #: A number being spelled: its digits so far, the digits left, and the possible spans.
        self._prefix = 0
        self._left = 0
        self._spans: list[Span] = []
        #: The tokens so far, including forced ones.
        self.begun: tuple[int, ...] = ()
        #: The tokens that can follow, in order.
        self.legal: tuple[int, ...] = ()
        #: Whether the decision is complete, and its action; None for doing nothing.
        self.done = False
        self.action: Action | None = None
        self._advance()
        #: Whether there is no real choice; one token is offered all the same.
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
        """Continue with a legal token."""
        if token not in self.legal:
            raise ValueError(f"the token {token} is not legal here; legal are {self.legal}")
        if self._forced:
            self.legal = ()
            self.done = True
            return
        self._take(token)
        self._advance()

    def toward(self, spelled: Spelled, amount: int = 0) -> int:
        """The next token of a possible action as it is spelled; `amount` is its free amount."""
        if self._forced:
            return self.legal[0]
        if not self._left:
            return spelled.items[self._depth]
        items = spelled.items
        value = ~items[self._depth] if self._depth < len(items) else amount
        size: int = 10 ** (self._left - 1)
        return DIGIT + value // size % 10

    def follow(self, begun: Sequence[int]) -> None:
        """Repeat the tokens of another menu of the same decision."""
        while len(self.begun) < len(begun) and not self._forced:
            self.choose(begun[len(self.begun)])

    def _advance(self) -> None:
        """Spell tokens without an alternative."""
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
        """The tokens that can follow; empty if the decision is complete."""
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
