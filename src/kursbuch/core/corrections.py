"""Corrections: what people around cardboard put right by hand, as entries of the record.

A correction is a move of no player. It moves money and pieces from holder to holder, or changes something
else that lies on the table; it may break rules, but creates and destroys nothing unless it says so. What
can be corrected in a game its title declares as kinds (`Title.corrections`): each has a line of text with
fields (docs/notation.md), says what may stand in every field, and carries the correction out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from kursbuch.core.actions import Action
from kursbuch.core.errors import IllegalAction, KursbuchError, Plural
from kursbuch.core.events import Payment
from kursbuch.core.play import Play
from kursbuch.core.state import State, Step
from kursbuch.core.words import N_

StateT = TypeVar("StateT", bound="State[Any]")

#: The seat of actions that no player makes.
NOBODY = -1

#: The holder of money and pieces that a correction takes into the game or out of it; what it has is
#: negative, so that totals stay the same.
NOWHERE = "nowhere"

#: Maximum amount of a correction.
MOST = 1_000_000

#: What a field holds: these are numbers, which are entered; everything else is chosen.
NUMBERS = ("money", "count")

#: Maximum number of values named in a refusal.
_NAMED = 20

_LINE = re.compile(r"correction(?: by ([^:]+))?: *(.+)", re.I)
_PLAYER = re.compile(r"player (\d{1,2})")


class Correct(Action, frozen=True, tag="correct"):
    """A correction: its kind, what stands in the fields of that kind in their order, and the name of its
    author, empty if that is not known. It has no seat."""

    kind: str
    values: tuple[str, ...]
    by: str = ""


class Corrected(Payment, frozen=True, kw_only=True, tag="corrected"):
    """Something was corrected; the amounts are what it brought players or took from them."""

    kind: str
    values: tuple[str, ...]
    by: str


class TooLittle(IllegalAction):
    """A holder has less of something secret than was to be taken. The refusal tells that, so everybody should
    hear of it."""


class Field(msgspec.Struct, frozen=True):
    """A field of a kind of correction: its name, what it is called (a translatable text), and what its
    values are ("player", "company", "money"), so that a voice can say them (`Voice.spoken`)."""

    name: str
    label: str
    of: str = ""

    @property
    def is_number(self) -> bool:
        """Whether a number is entered."""
        return self.of in NUMBERS


#: Fields that many kinds have.
PLAYER = Field("player", N_("Player"), "player")
SOURCE = Field("source", N_("From"), "holder")
TARGET = Field("target", N_("To"), "holder")
COUNT = Field("count", N_("How many"), "count")


class Kind(Generic[StateT]):
    """One kind of correction.

    `form` is its line of text, with the names of its fields in braces; `sentence`, a translatable text, is the
    same for readers; where it depends on the field `count` it has two forms. Values are text as it stands in
    the line. A title has one of each kind.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    form: ClassVar[str]
    sentence: ClassVar[str | Plural]
    fields: ClassVar[tuple[Field, ...]]

    def candidates(self, state: StateT, field: str, chosen: Mapping[str, str]) -> Sequence[str]:
        """What may stand in a field, when those before it have been chosen. `state` may be a view."""
        return ()

    def most(self, state: StateT, field: str, chosen: Mapping[str, str]) -> int:
        """The highest number that may stand in a field; the lowest is 1."""
        return MOST

    def forbids(self, state: StateT, values: Mapping[str, str]) -> IllegalAction | None:
        """Why the values are not possible together, where each by itself is."""
        return None

    def perform(self, play: Play[StateT], values: Mapping[str, str]) -> None:
        """Carry it out."""
        raise NotImplementedError

    # ---- what all kinds have in common

    def chosen(self, values: Sequence[str]) -> dict[str, str]:
        """Values by the names of their fields."""
        return dict(zip((field.name for field in self.fields), values, strict=True))

    def problem(self, state: StateT, values: Sequence[str]) -> IllegalAction | None:
        """Why a correction with these values is not possible, in one sentence."""
        if len(values) != len(self.fields):
            return IllegalAction("", "This correction has the form: {form}.", form=self.shape())
        chosen: dict[str, str] = {}
        for field, value in zip(self.fields, values, strict=True):
            problem = self._wrong(state, field, value, chosen)
            if problem is not None:
                return problem
            chosen[field.name] = value
        return self.forbids(state, chosen)

    def _wrong(
        self, state: StateT, field: Field, value: str, chosen: Mapping[str, str]
    ) -> IllegalAction | None:
        if field.is_number:
            most = self.most(state, field.name, chosen)
            if re.fullmatch(r"[1-9]\d{0,6}", value, re.ASCII) and int(value) <= most:
                return None
            if most < 1:
                return IllegalAction("", "There is nothing there to take.")
            return IllegalAction(
                "", "{value} is not a number from 1 to {most}.", value=repr(value[:40]), most=most
            )
        possible = self.candidates(state, field.name, chosen)
        if value in possible:
            return None
        if not possible:
            return IllegalAction("", "Nothing is possible in {form} here.", form=field.name.upper())
        return IllegalAction(
            "",
            "{value} is not possible here; possible are: {possible}.",
            value=repr(value[:40]),
            possible=", ".join(possible[:_NAMED]) + " …" * (len(possible) > _NAMED),
        )

    def shape(self) -> str:
        """Its line of text, with its fields in capitals."""
        return self.form.format(**{field.name: field.name.upper() for field in self.fields})

    def write(self, values: Sequence[str]) -> str:
        """Its line of text."""
        return self.form.format(**self.chosen(values))

    def read(self, text: str, state: StateT, names: Sequence[str]) -> tuple[str, ...] | None:
        """The values in a line of text; None if it is a line of another kind. A player may be called by
        name."""
        numbers = {field.name for field in self.fields if field.is_number}
        parts = re.split(r"\{(\w+)\}", self.form)
        pattern = "".join(
            rf"(?P<{part}>{r'[0-9]+' if part in numbers else '.+?'})"
            if place % 2
            else _one_or_more(part)
            if parts[place + 1 : place + 2] == ["count"]
            else re.escape(part)
            for place, part in enumerate(parts)
        )
        found = re.fullmatch(pattern, text, re.I)
        if found is None:
            return None
        chosen: dict[str, str] = {}
        possible = True
        for field in self.fields:
            given = found[field.name]
            # What may stand in a field can only be asked when those before it are possible.
            if possible:
                if not field.is_number:
                    given = _spelt(given, self.candidates(state, field.name, chosen), names)
                possible = self._wrong(state, field, given, chosen) is None
            chosen[field.name] = given
        return tuple(chosen.values())


def _one_or_more(noun: str) -> str:
    """The pattern of a noun before a number, which may be in the singular or the plural.

    >>> [bool(re.fullmatch(_one_or_more("dice "), text)) for text in ("die ", "dice ", "dices ")]
    [True, True, False]
    >>> [bool(re.fullmatch(_one_or_more("share "), text)) for text in ("share ", "shares ", "sharp ")]
    [True, True, False]
    """
    return "dic?e " if noun == "dice " else re.escape(noun.rstrip()) + "s? "


def _spelt(given: str, possible: Sequence[str], names: Sequence[str]) -> str:
    """A value as it is spelt among those possible; itself if it is not among them."""
    folded = given.casefold()
    for value in possible:
        if value.casefold() == folded:
            return value
    for seat, name in enumerate(names):
        if name.casefold() == folded:
            return player(seat)
    return given


def player(seat: int) -> str:
    """A player as a value of a field.

    >>> player(0), seat_of("player 1"), seat_of("bank")
    ('player 1', 0, None)
    """
    return f"player {seat + 1}"


def seat_of(value: str) -> int | None:
    """The seat of a value of a field, None if it is no player."""
    found = _PLAYER.fullmatch(value)
    return int(found[1]) - 1 if found else None


def seat_in(value: str) -> int:
    """The seat of a value that is a player."""
    seat = seat_of(value)
    assert seat is not None
    return seat


def players(state: State[Any]) -> list[str]:
    """All players as values of a field."""
    return [player(seat) for seat in range(state.seats)]


def kind_of(kinds: Sequence[Kind[Any]], name: str) -> Kind[Any] | None:
    """The kind of that name."""
    return next((kind for kind in kinds if kind.name == name), None)


def is_correction(line: str) -> bool:
    """Whether a line of text is that of a correction, and not of a player's move."""
    return _LINE.fullmatch(line) is not None


def written(kinds: Sequence[Kind[Any]], action: Correct) -> str:
    """The line of a correction."""
    kind = kind_of(kinds, action.kind)
    assert kind is not None
    by = f" by {action.by}" if action.by else ""
    return f"Correction{by}: {kind.write(action.values)}"


def read(kinds: Sequence[Kind[Any]], line: str, state: State[Any], names: Sequence[str]) -> Correct:
    """The correction a line means, with or without "Correction:" before it; `KursbuchError` says what could
    not be read. It need not be possible."""
    found = _LINE.fullmatch(line)
    by, text = (found[1] or "", found[2]) if found else ("", line)
    for kind in kinds:
        values = kind.read(text, state, names)
        if values is not None:
            return Correct(NOBODY, kind.name, values, by)
    begins = text.split()[:1]
    near = [kind.shape() for kind in kinds if kind.shape().split()[:1] == [*map(str.lower, begins)]]
    if near:
        raise KursbuchError(
            "{text} is not a correction. Write it like this: {forms}.",
            text=repr(text[:80]),
            forms=", ".join(near),
        )
    words = dict.fromkeys(kind.shape().split()[0] for kind in kinds)
    raise KursbuchError(
        "{text} is not a correction. Corrections begin with one of these words: {words}.",
        text=repr(text[:80]),
        words=", ".join(words) or "-",
    )


# ---- kinds that several titles have


class Transfer(Kind[StateT]):
    """A number of one item of the ledger goes from holder to holder: fields `count`, `source` and `target`.

    A title declares what is moved and who can hold it. What others may not know of a holder (`private`) is told
    neither by what is offered nor by a refusal, but for `TooLittle`.
    """

    #: The ledger's name of what is moved, with fields of the correction in braces ("share:{line}").
    moved: ClassVar[str] = ""
    #: Who can hold it besides the players.
    places: ClassVar[tuple[str, ...]] = ()
    #: Holders that give what they do not have.
    unlimited: ClassVar[tuple[str, ...]] = (NOWHERE,)

    def item(self, chosen: Mapping[str, str]) -> str:
        """The ledger's name of what is moved."""
        return self.moved.format(**chosen)

    def kinds(self, state: StateT, field: str, chosen: Mapping[str, str]) -> Sequence[str]:
        """What there is to move, as values of a field that names it."""
        raise NotImplementedError

    def holders(self, state: StateT, chosen: Mapping[str, str]) -> Sequence[str]:
        """Who can hold it, as values of a field."""
        return [*players(state), *self.places]

    def holder(self, value: str) -> str:
        """The ledger's name of a holder."""
        seat = seat_of(value)
        return value if seat is None else str(seat)

    def private(self, state: StateT, holder: str) -> bool:
        """Whether others may not know how much a holder has, while the game goes on."""
        return False

    def hidden(self, state: StateT, holder: str) -> bool:
        """Whether this view does not tell how much a holder with a secret has."""
        return self.private(state, holder) and "bank" not in state.ledger.items["money"]

    def has(self, state: StateT, chosen: Mapping[str, str], value: str) -> int:
        """How many a holder can give."""
        holder = self.holder(value)
        if holder in self.unlimited or self.hidden(state, holder):
            return MOST
        return state.ledger.held(self.item(chosen), holder)

    def candidates(self, state: StateT, field: str, chosen: Mapping[str, str]) -> Sequence[str]:
        if field not in ("source", "target"):
            return self.kinds(state, field, chosen)
        holders = self.holders(state, chosen)
        if field == "source":
            return [
                value
                for value in holders
                if self.private(state, self.holder(value)) or self.has(state, chosen, value) > 0
            ]
        return [value for value in holders if value != chosen.get("source")]

    def most(self, state: StateT, field: str, chosen: Mapping[str, str]) -> int:
        if self.private(state, self.holder(chosen["source"])):
            return MOST
        return min(MOST, self.has(state, chosen, chosen["source"]))

    def forbids(self, state: StateT, values: Mapping[str, str]) -> IllegalAction | None:
        if int(values.get("count", "1")) > self.has(state, values, values["source"]):
            return TooLittle("", "There is not that much there.")
        return None

    def perform(self, play: Play[StateT], values: Mapping[str, str]) -> None:
        play.state.ledger.move(
            self.item(values),
            self.holder(values["source"]),
            self.holder(values["target"]),
            int(values.get("count", "1")),
        )


class Money(Transfer[StateT]):
    """Money goes from holder to holder."""

    name = "money"
    label = N_("Money")
    form = "money {count} from {source} to {target}"
    sentence = N_("{count} from {source} to {target}")
    fields = (SOURCE, TARGET, Field("count", N_("Amount"), "money"))

    moved = "money"


class TurnOf(Kind[StateT]):
    """It is another player's turn: what is going on is broken off, and this player begins a turn."""

    name = "turn"
    label = N_("Whose turn it is")
    form = "turn of {player}"
    sentence = N_("the turn goes to {player}, from its start")
    fields: ClassVar[tuple[Field, ...]] = (PLAYER,)

    def candidates(self, state: StateT, field: str, chosen: Mapping[str, str]) -> Sequence[str]:
        return players(state)

    def turn(self, seat: int, values: Mapping[str, str]) -> Step:
        """The step with which the turn begins."""
        raise NotImplementedError

    def perform(self, play: Play[StateT], values: Mapping[str, str]) -> None:
        play.state.agenda[:] = [self.turn(seat_in(values["player"]), values)]
