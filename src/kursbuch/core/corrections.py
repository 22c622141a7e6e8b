"""Corrections: manual changes to a game, kept as entries of its record.

A correction is a move without a seat. It transfers money and pieces between holders or changes something else on the
table. It may break rules, but creates and destroys nothing unless it says so. `Title.corrections` lists the kinds a
game allows; each has a text form with fields (docs/notation.md), lists the valid values of each field, and applies
the correction.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from kursbuch.core.actions import Action
from kursbuch.core.errors import IllegalAction, KursbuchError, Plural
from kursbuch.core.events import Payment
from kursbuch.core.notation import Translate, replace_words
from kursbuch.core.play import Play
from kursbuch.core.state import State, Step
from kursbuch.core.words import N_

StateT = TypeVar("StateT", bound="State[Any]")

#: Seat of actions that no player makes.
NOBODY = -1

#: Holder outside the game, from and to which corrections move money and pieces; its negative count keeps totals
#: constant.
NOWHERE = "nowhere"

#: Maximum amount of a correction.
MOST = 1_000_000

#: Field types that hold a number; all others are chosen from a list.
NUMBERS = ("money", "count")

#: Maximum number of values named in a refusal.
_NAMED = 20

#: Words in values, which can be written in any language.
VALUE_WORDS = (
    N_("bank"),
    N_("box"),
    N_("closed"),
    N_("discard"),
    N_("display"),
    N_("has-worked"),
    N_("map"),
    N_("nobody"),
    N_("nowhere"),
    N_("operates"),
    N_("packet"),
    N_("player"),
    N_("pool"),
    N_("stack"),
    N_("stock"),
    N_("supply"),
    N_("waits"),
)

_LINE = re.compile(r"(?:correction|korrektur)(?: (?:by|von) ([^:]+))?: *(.+)", re.I)
_PLAYER = re.compile(r"player (\d{1,2})")


class Correct(Action, frozen=True, tag="correct"):
    """A correction without a seat: its kind, the values of that kind's fields in order, and its author (may be
    empty)."""

    kind: str
    values: tuple[str, ...]
    by: str = ""


class Corrected(Payment, frozen=True, kw_only=True, tag="corrected"):
    """A correction was made; `amounts` are the resulting payments to and from players."""

    kind: str
    values: tuple[str, ...]
    by: str


class TooLittle(IllegalAction):
    """A holder has less of something secret than a correction takes. The refusal reveals that, so all players must be
    told."""


class Field(msgspec.Struct, frozen=True):
    """A field of a kind of correction. `of` is the type of its values ("player", "company", "money"), used to write
    them out (`Voice.spoken`)."""

    name: str
    label: str
    of: str = ""

    @property
    def is_number(self) -> bool:
        """Whether its value is a number."""
        return self.of in NUMBERS


#: Fields used by several kinds.
PLAYER = Field("player", N_("Player"), "player")
SOURCE = Field("source", N_("From"), "holder")
TARGET = Field("target", N_("To"), "holder")
COUNT = Field("count", N_("How many"), "count")


class Kind(Generic[StateT]):
    """A kind of correction; a title has one instance of each.

    `form` is its text form with field names in braces. `sentence` is the translatable sentence for readers, with a
    plural if it depends on the field `count`. Values are given as written in the text form.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    form: ClassVar[str]
    sentence: ClassVar[str | Plural]
    fields: ClassVar[tuple[Field, ...]]
    #: The words in its values that are translated.
    words: ClassVar[tuple[str, ...]] = VALUE_WORDS

    def candidates(self, state: StateT, field: str, chosen: Mapping[str, str]) -> Sequence[str]:
        """Valid values of a field, given the `chosen` values of the fields before it. `state` may be a view."""
        return ()

    def most(self, state: StateT, field: str, chosen: Mapping[str, str]) -> int:
        """Maximum of a number field; the minimum is 1."""
        return MOST

    def forbids(self, state: StateT, values: Mapping[str, str]) -> IllegalAction | None:
        """Why individually valid values are not possible together."""
        return None

    def perform(self, play: Play[StateT], values: Mapping[str, str]) -> None:
        """Apply the correction."""
        raise NotImplementedError

    # ---- shared by all kinds

    def chosen(self, values: Sequence[str]) -> dict[str, str]:
        """Values by field name."""
        return dict(zip((field.name for field in self.fields), values, strict=True))

    def problem(self, state: StateT, values: Sequence[str]) -> IllegalAction | None:
        """Why a correction with these values is not possible."""
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
            "{value} is not possible here; possible values: {possible}.",
            value=repr(value[:40]),
            possible=", ".join(possible[:_NAMED]) + " …" * (len(possible) > _NAMED),
        )

    def shape(self, translate: Translate = str) -> str:
        """The text form with field names in capitals."""
        named = {field.name: translate(field.name.upper()) for field in self.fields}
        return translate(self.form).format(**named)

    def write(self, values: Sequence[str]) -> str:
        """The correction as a line of text."""
        return self.form.format(**self.chosen(values))

    def read(
        self, text: str, state: StateT, names: Sequence[str], translate: Translate = str
    ) -> tuple[str, ...] | None:
        """The values in a line of text, in which players may be named; None if it has another form."""
        numbers = {field.name for field in self.fields if field.is_number}
        parts = re.split(r"\{(\w+)\}", translate(self.form))
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
        english = {translate(word): word for word in self.words}
        possible = True
        for field in self.fields:
            given = found[field.name]
            # Candidates depend on valid earlier fields.
            if possible:
                if not field.is_number:
                    candidates = self.candidates(state, field.name, chosen)
                    given = _spelt(given, candidates, names)
                    if given not in candidates:
                        given = _spelt(replace_words(given, english), candidates, names)
                possible = self._wrong(state, field, given, chosen) is None
            chosen[field.name] = given
        return tuple(chosen.values())


def _one_or_more(noun: str) -> str:
    """Pattern of a noun before a number, singular or plural.

    >>> [bool(re.fullmatch(_one_or_more("dice "), text)) for text in ("die ", "dice ", "dices ")]
    [True, True, False]
    >>> [bool(re.fullmatch(_one_or_more("share "), text)) for text in ("share ", "shares ", "sharp ")]
    [True, True, False]
    """
    return "dic?e " if noun == "dice " else re.escape(noun.rstrip()) + "(?:s|e?n)? "


def _spelt(given: str, possible: Sequence[str], names: Sequence[str]) -> str:
    """The possible value that matches the input except for case, or the player of that name; else the input."""
    folded = given.casefold()
    for value in possible:
        if value.casefold() == folded:
            return value
    for seat, name in enumerate(names):
        if name.casefold() == folded:
            return player(seat)
    return given


def player(seat: int) -> str:
    """A player as a field value.

    >>> player(0), seat_of("player 1"), seat_of("bank")
    ('player 1', 0, None)
    """
    return f"player {seat + 1}"


def seat_of(value: str) -> int | None:
    """The seat of a field value; None if it is not a player."""
    found = _PLAYER.fullmatch(value)
    return int(found[1]) - 1 if found else None


def seat_in(value: str) -> int:
    """The seat of a field value that is a player."""
    seat = seat_of(value)
    assert seat is not None
    return seat


def players(state: State[Any]) -> list[str]:
    """All players as field values."""
    return [player(seat) for seat in range(state.seats)]


def kind_of(kinds: Sequence[Kind[Any]], name: str) -> Kind[Any] | None:
    return next((kind for kind in kinds if kind.name == name), None)


def is_correction(line: str) -> bool:
    """Whether a line is a correction rather than a player's move."""
    return _LINE.fullmatch(line) is not None


def written(kinds: Sequence[Kind[Any]], action: Correct) -> str:
    """Format a correction as a line."""
    kind = kind_of(kinds, action.kind)
    assert kind is not None
    by = f" by {action.by}" if action.by else ""
    return f"Correction{by}: {kind.write(action.values)}"


def read(
    kinds: Sequence[Kind[Any]],
    line: str,
    state: State[Any],
    names: Sequence[str],
    translate: Translate = str,
) -> Correct:
    """Parse a correction in another language or in English, with or without a leading "Correction:";
    `KursbuchError` if it cannot be read. It need not be possible."""
    found = _LINE.fullmatch(line)
    by, text = (found[1] or "", found[2]) if found else ("", line)
    for language in (translate, str):
        for kind in kinds:
            values = kind.read(text, state, names, language)
            if values is not None:
                return Correct(NOBODY, kind.name, values, by)
    begins = text.casefold().split()[:1]
    shapes = [kind.shape(translate) for kind in kinds]
    near = [shape for shape in shapes if shape.casefold().split()[:1] == begins]
    if near:
        raise KursbuchError(
            "{text} is not a correction. Write it like this: {forms}.",
            text=repr(text[:80]),
            forms=", ".join(near),
        )
    words = dict.fromkeys(shape.split()[0] for shape in shapes)
    raise KursbuchError(
        "{text} is not a correction. Corrections begin with one of these words: {words}.",
        text=repr(text[:80]),
        words=", ".join(words) or "-",
    )


# ---- kinds shared by titles


class Transfer(Kind[StateT]):
    """A transfer of a ledger item between holders: fields `count`, `source` and `target`.

    A title declares the item and its possible holders. Secret holdings (`private`) are revealed neither by the
    candidates nor by refusals, except `TooLittle`.
    """

    #: Ledger item, with correction fields in braces ("share:{line}").
    moved: ClassVar[str] = ""
    #: Holders other than players.
    places: ClassVar[tuple[str, ...]] = ()
    #: Holders that may give more than they have.
    unlimited: ClassVar[tuple[str, ...]] = (NOWHERE,)

    def item(self, chosen: Mapping[str, str]) -> str:
        """The ledger item."""
        return self.moved.format(**chosen)

    def kinds(self, state: StateT, field: str, chosen: Mapping[str, str]) -> Sequence[str]:
        """Candidates of a field that names the item."""
        raise NotImplementedError

    def holders(self, state: StateT, chosen: Mapping[str, str]) -> Sequence[str]:
        """Holders as field values."""
        return [*players(state), *self.places]

    def holder(self, value: str) -> str:
        """The holder's name in the ledger."""
        seat = seat_of(value)
        return value if seat is None else str(seat)

    def private(self, state: StateT, holder: str) -> bool:
        """Whether a holding is secret during the game."""
        return False

    def hidden(self, state: StateT, holder: str) -> bool:
        """Whether a secret holding is hidden in this view."""
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
    """Transfer money."""

    name = "money"
    label = N_("Money")
    form = N_("money {count} from {source} to {target}")
    sentence = N_("{count} from {source} to {target}")
    fields = (SOURCE, TARGET, Field("count", N_("Amount"), "money"))

    moved = "money"


class TurnOf(Kind[StateT]):
    """Interrupt play and start the turn of another player."""

    name = "turn"
    label = N_("Whose turn it is")
    form = N_("turn of {player}")
    sentence = N_("{player} to move, at the start of a turn")
    fields: ClassVar[tuple[Field, ...]] = (PLAYER,)

    def candidates(self, state: StateT, field: str, chosen: Mapping[str, str]) -> Sequence[str]:
        return players(state)

    def turn(self, seat: int, values: Mapping[str, str]) -> Step:
        """First step of the turn."""
        raise NotImplementedError

    def perform(self, play: Play[StateT], values: Mapping[str, str]) -> None:
        play.state.agenda[:] = [self.turn(seat_in(values["player"]), values)]
