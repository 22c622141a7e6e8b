"""What a title says: names, sentences, panels, sheets of numbers and picks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, TypeVar

import msgspec

from kursbuch.core.actions import Action, Choice, Chosen, PickIf
from kursbuch.core.corrections import NOWHERE, Corrected, Field, Kind, seat_of
from kursbuch.core.errors import Plural
from kursbuch.core.events import Event, Payment
from kursbuch.core.sentences import By, Speaker, Told
from kursbuch.core.state import Decision, State
from kursbuch.core.words import Words, sign


class Account(msgspec.Struct, frozen=True):
    """A source of scores: what every seat has from it, with a remark for each or none at all."""

    label: str
    amounts: tuple[int, ...]
    notes: tuple[str, ...] = ()


class Ending(msgspec.Struct, frozen=True):
    """Why a game is over: a sentence, and the id of the rule."""

    text: str
    rule: str


class Stretch(msgspec.Struct, frozen=True):
    """A stretch of a game, such as a round: what it is called, its last move, and what happened."""

    label: str
    number: int
    events: tuple[Event, ...]


class Entry(msgspec.Struct, frozen=True):
    """A number on a sheet, or a text in its place; `note` stands smaller below it."""

    value: int | None = None
    text: str = ""
    note: str = ""


class Line(msgspec.Struct, frozen=True):
    """A line of a sheet; `number` is the move it leads to, None if it is about no moment."""

    label: str
    entries: tuple[Entry, ...]
    number: int | None = None


class Sheet(msgspec.Struct, frozen=True):
    """A table of numbers. `head` are the columns after the first, `id` names it in addresses.

    `unit` says whether its numbers are scores or plain numbers; `curves`: the lines are moments,
    and each column makes a curve.
    """

    id: str
    title: str
    head: tuple[str, ...]
    lines: tuple[Line, ...]
    note: str = ""
    unit: Literal["score", "number"] = "number"
    curves: bool = False


def sheet_of(
    id: str,
    title: str,
    stretches: list[Stretch],
    columns: dict[str, str],
    found: list[dict[str, Entry]],
    note: str = "",
    *,
    curves: bool = False,
) -> Sheet:
    """A sheet with a line for every stretch in which anything was `found`, by the keys of `columns`;
    columns without anything are left out.

    >>> turns = [Stretch("Turn 1", 3, ()), Stretch("Turn 2", 6, ())]
    >>> found = [{}, {"b": Entry(5)}]
    >>> sheet = sheet_of("wood", "Wood", turns, {"a": "Anna", "b": "Bernd"}, found)
    >>> sheet.head, [(line.label, line.entries) for line in sheet.lines]
    (('Bernd',), [('Turn 2', (Entry(value=5, text='', note=''),))])
    """
    used = [key for key in columns if any(key in row for row in found)]
    lines = tuple(
        Line(stretch.label, tuple(row.get(key, Entry()) for key in used), stretch.number)
        for stretch, row in zip(stretches, found, strict=True)
        if row
    )
    return Sheet(id, title, tuple(columns[key] for key in used), lines, note, curves=curves)


StateT_contra = TypeVar("StateT_contra", bound="State[Any]", contravariant=True)


class Row(msgspec.Struct, frozen=True):
    """One line of a list of holdings: what, how many, and the element of the board it belongs to."""

    label: str
    value: str
    key: str = ""
    note: str = ""


class Panel(msgspec.Struct, frozen=True):
    """A titled list of holdings: of a player (`seat`), or of the table (None).

    With `pieces` every row is a piece by its key (`Title.pieces`), and shown as a picture.
    """

    title: str
    seat: int | None
    rows: tuple[Row, ...]
    pieces: bool = False


class Cell(msgspec.Struct, frozen=True):
    """One cell of a table of holdings; `note` stands smaller below it, `key` is the element of the
    board it belongs to."""

    text: str
    note: str = ""
    key: str = ""


class Grid(msgspec.Struct, frozen=True):
    """A table of holdings: the first cell of every row names it; `note` explains the signs. One that is
    `brief` is narrow enough to stand among the cards of the players. Its last columns are the `players`."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    brief: bool = False
    players: tuple[int, ...] = ()


class Chip(msgspec.Struct, frozen=True):
    """One holding, as short as can be: "PR 30". `key` is the element of the board it belongs
    to and gives it its colours (`Title.colours`); `strong` says that it gives its holder the lead (director,
    majority); `note` says more to those who point at it."""

    text: str
    key: str = ""
    strong: bool = False
    note: str = ""


class Summary(msgspec.Struct, frozen=True):
    """A card about a player (`seat`), or about something else of the table: a few figures and what is held.

    `key` is the element of the board it belongs to, `active` says that it acts now, `held` what the chips
    are, if that is not plain. The score of a player is shown beside it and need not be among the figures.
    """

    title: str
    seat: int | None = None
    key: str = ""
    figures: tuple[Row, ...] = ()
    chips: tuple[Chip, ...] = ()
    note: str = ""
    active: bool = False
    held: str = ""


class Pick(msgspec.Struct, frozen=True):
    """How an action is chosen by pointing: the keys of the elements to point at, in this order.

    Keys are the `data-pick` values of the drawing ("line:GWR", "hex:K16"); a key the drawing does
    not have is offered as a button with the text of `label`. An action on `several` things of a kind
    (dice to be returned) is chosen by marking them in any order; several elements may then have the
    same key, and a key stands in `keys` as often as elements with it are meant. `cost` is shown where
    the pieces that fit a place are offered.
    """

    group: str
    keys: tuple[str, ...]
    label: str
    several: bool = False
    cost: str = ""


class Card(msgspec.Struct, frozen=True):
    """What an element of the board is, shown when the pointer rests on it.

    `rows` say what it costs, brings and holds, `notes` what else is to be known of it, in whole
    sentences; `rules` are the ids of those that say so. `piece` is the key of its picture
    (`Title.pieces`).
    """

    title: str
    rows: tuple[Row, ...] = ()
    notes: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    piece: str = ""


class Compose(msgspec.Struct, frozen=True):
    """What may be added to an action by pointing: `field` of it gets a list for each of the `parts`
    (their names), with what follows `prefix` in the keys of the elements pointed at, in their order.

    `label` is the text of the action with it.
    """

    field: str
    parts: tuple[str, ...]
    prefix: str
    label: str


class Amounts(msgspec.Struct, frozen=True):
    """How an amount is chosen: `send` is the text of the button that sends it, with the amount in it as
    {amount} ("Bid {amount}"; empty: it is confirmed); `written` is how the title writes it. The `quick`
    ones have a button each, the least first; `at_once` says that such a button sends the amount without
    asking again."""

    send: str = ""
    written: str = "{amount}"
    quick: tuple[int, ...] = ()
    at_once: bool = False


class Speech:
    """What says something to one reader: a voice, and parts of it that stand by themselves.

    In its methods `self._("{name} passes.", name=...)` is a translated sentence, `self.ngettext` one
    that depends on a number, `self.name` a player's name.
    """

    #: The sign of the money.
    currency: str = "£"

    def __init__(self, words: Words) -> None:
        self.words = words
        self._ = words._
        self.ngettext = words.ngettext
        self.name = words.name
        self.number = words.number

    def money(self, amount: int) -> str:
        """An amount of the title's money."""
        return self.words.money(amount, self.currency)

    def some_money(self) -> str:
        """An amount of the title's money that is filled in later, as {amount}."""
        return self.money(0).replace("0", "{amount}")


class Voice(Speech, ABC, Generic[StateT_contra]):
    """A title that speaks to one reader (`Title.voice`): pages, the command line and mails ask it for
    every sentence, and for what everybody holds.

    It is bound to `words`, a language and the names at a table, and may be kept for all that is shown
    of that table in that language. States given to it are views: it must say nothing that cannot be
    read from them, and it never changes them.
    """

    #: What a player's score is counted in: "money" or "points".
    score_unit: ClassVar[str] = "money"

    #: Log lines in the place of those that shared events declare.
    sentences: ClassVar[Mapping[type[Event], Told]] = {}

    # ---- what happens and what is to be decided

    @property
    def speaker(self) -> Speaker:
        """What says the parts of declared sentences: the voice itself, or the names of the title."""
        return self

    def describe(self, event: Event) -> str:
        """The log line of an event: the title's own, or the one that the event declares."""
        if isinstance(event, Corrected):
            return self.corrected(event)
        sentence = self.sentences.get(type(event), event.SENTENCE)
        if sentence is None:
            raise TypeError(f"not an event of this game: {event!r}")
        return sentence.said(self.speaker, event)

    @abstractmethod
    def prompt(self, state: StateT_contra, decision: Decision) -> str:
        """What the seat has to decide now, addressed to that player."""

    def task(self, state: StateT_contra, decision: Decision) -> str:
        """What the seat has to do, for those who wait: an infinitive ("lay track for BY"). Empty if nothing
        can be said that everybody may know."""
        return ""

    def pick(self, state: StateT_contra, action: Action) -> Pick:
        """How an action is pointed at, and its text: as it declares. The action is one of those the step thinks
        of (`StepRules.candidates`), allowed or not."""
        spec, told, speaker = action.PICK, Chosen(state, action), self.speaker
        if isinstance(spec, PickIf):
            spec = spec.yes if spec.holds(speaker, told) else spec.no
        if isinstance(spec, By):
            found: Pick = spec.call(speaker, told)
            return found
        if spec is None:
            raise TypeError(f"not an action of this game: {action!r}")
        return Pick(
            spec.group.said(speaker, told) if isinstance(spec.group, By) else self._(spec.group),
            spec.keys_of(speaker, told),
            spec.label.said(speaker, told),
            several=spec.several,
            cost="" if spec.cost is None else spec.cost.said(speaker, told, ""),
        )

    def amount_label(self, action: Action) -> str:
        """What the amount that goes with an action counts; empty if its text says so."""
        return ""

    def amounts(self, state: StateT_contra, choice: Choice) -> Amounts:
        """How the amount of a choice that has one is chosen."""
        return Amounts()

    def reason(self, state: StateT_contra, action: Action) -> str:
        """What speaks for an action beyond what it certainly brings, in a sentence; empty where nothing
        general can be said."""
        return ""

    def compose(self, state: StateT_contra, action: Action) -> Compose | None:
        """What may be added to an action by pointing, such as runs chosen by hand."""
        return None

    # ---- answers to pointing at something

    def card(self, state: StateT_contra, key: str) -> Card | None:
        """What the element of the board with that key is; None if there is nothing to say. Any text
        may be given as a key."""
        return None

    def outcome(self, events: Sequence[Event]) -> list[str]:
        """What an action brings, before it is done: a line for each of its events that matters."""
        return [self.describe(event) for event in events]

    # ---- corrections

    #: The kinds of corrections of the title.
    corrections: ClassVar[Sequence[type[Kind[Any]]]] = ()

    def corrected(self, event: Corrected) -> str:
        """The log line of a correction."""
        kind = next(kind for kind in self.corrections if kind.name == event.kind)
        what = self.correction(
            kind, dict(zip((f.name for f in kind.fields), event.values, strict=True))
        )
        if event.by:
            return self._("{name} corrects: {what}.", name=event.by, what=what)
        return self._("Correction: {what}.", what=what)

    def correction(self, kind: type[Kind[Any]], values: Mapping[str, str]) -> str:
        """What a correction does, without a full stop; a field without a value is left open."""
        spoken = {
            field.name: self.spoken(field, values[field.name]) if values.get(field.name) else "…"
            for field in kind.fields
        }
        if isinstance(kind.sentence, Plural):
            # As long as the number is left open, several are meant.
            return self.ngettext(*kind.sentence, int(values.get("count") or 2), **spoken)
        return self._(kind.sentence, **spoken)

    def spoken(self, field: Field, value: str) -> str:
        """What a field of a correction holds, for readers."""
        seat = seat_of(value)
        if seat is not None:
            return self.name(seat)
        if field.of == "money":
            return self.money(int(value))
        if value == NOWHERE:
            return self._("nowhere (out of the game)")
        if value == "bank":
            return self._("the bank")
        return value

    # ---- offers to object (`Title.standing_refusal`)

    def others_asked(self, names: Sequence[str]) -> str:
        """What is said to those who are not asked, about those who are."""
        return self.ngettext(
            "{names} may object.", "{names} may object.", len(names), names=self.words.join(names)
        )

    def subject(self, subject: str) -> str:
        """The subject of an offer to object, for readers."""
        return subject

    # ---- moves ahead of time (`Title.ahead`)

    def trigger(self, name: str) -> str:
        """What may be waited for, as the end of a sentence that begins with "until"."""
        return name

    # ---- how things stand

    @abstractmethod
    def panels(self, state: StateT_contra) -> list[Panel]:
        """What every player and the table hold."""

    def board_text(self, state: StateT_contra) -> list[Panel]:
        """What lies on the board, for those who read it as text; with `panels` and `tables`, all that is
        needed to decide."""
        return []

    def tables(self, state: StateT_contra) -> list[Grid]:
        """What is better read in rows and columns, such as who holds which shares."""
        return []

    def summaries(self, state: StateT_contra) -> list[Summary]:
        """A card for every player, and for whatever else has to be compared all the time (companies);
        without details of its own, what the panels of the players say."""
        return [
            Summary(
                panel.title,
                panel.seat,
                figures=tuple(row for row in panel.rows if not row.key),
                chips=tuple(
                    Chip(f"{row.label} {row.value}", row.key, note=row.note)
                    for row in panel.rows
                    if row.key
                ),
            )
            for panel in self.panels(state)
            if panel.seat is not None
        ]

    def status(self, state: StateT_contra) -> str:
        """Where the game is, in a few short lines that are always in sight: the round, the phase."""
        return ""

    def seat_note(self, state: StateT_contra, seat: int) -> str:
        """What is always in sight of a seat besides its score, in a few words."""
        return ""

    def score_value(self, score: int) -> int:
        """A score, or a part of one, as the number players read."""
        return score

    def written_score(self, score: int) -> str:
        """A score, or a part of one, as players read it."""
        value = self.score_value(score)
        return self.money(value) if self.score_unit == "money" else self.words.number(value)

    def difference(self, score: int) -> str:
        """A difference of scores as players read it, with its sign."""
        return sign(self.score_value(score)) + self.written_score(abs(score))

    # ---- numbers over time, and the end

    def source(self, event: Payment) -> str:
        """What a payment is for, in a few words: payments for the same are added up."""
        return self._("Payments")

    def accounts(self, state: StateT_contra, paid: Sequence[Payment]) -> list[Account]:
        """Where the scores come from; for every seat the amounts add up to its score. Usually these
        are all payments so far, by their sources."""
        found: dict[str, list[int]] = {}
        for event in paid:
            if any(event.amounts):
                row = found.setdefault(self.source(event), [0] * state.seats)
                for seat, amount in enumerate(event.amounts):
                    row[seat] += amount
        return [Account(label, tuple(row)) for label, row in found.items()]

    def worth_note(self) -> str:
        """What counts in what everybody is worth (`Title.worth`), where that is not plain."""
        return ""

    def stretch(self, events: Sequence[Event]) -> str:
        """What a stretch of the game is called, by what happened in it: of a title with parts
        (`Title.opens`) the first of these begins one, or begins the game; of others it is a move
        with a payment."""
        return ""

    def levels_title(self) -> str:
        """What the numbers of `Title.levels` are; empty if there are none."""
        return ""

    def figures(self, stretches: Sequence[Stretch]) -> list[Sheet]:
        """What else is to be seen of a game in numbers, such as what companies earned in every round."""
        return []

    def highlights(self, events: Sequence[Event]) -> list[Row]:
        """What was greatest in a game: the dearest, the longest."""
        return []

    def ending(self, state: StateT_contra, events: Sequence[Event]) -> Ending | None:
        """Why the game is over."""
        return None

    def near_end(self, state: StateT_contra) -> str:
        """What will end the game and how near it is, once it is near; else empty."""
        return ""
