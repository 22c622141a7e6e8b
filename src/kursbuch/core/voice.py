"""Texts of a title for one reader: names, sentences, panels, sheets and picks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, TypeVar

import msgspec

from kursbuch.core.actions import Action, Choice, Chosen, PickIf
from kursbuch.core.corrections import NOWHERE, Corrected, Field, Kind, seat_of
from kursbuch.core.errors import Plural
from kursbuch.core.evaluator import Plan
from kursbuch.core.events import Event, Payment
from kursbuch.core.sentences import By, Speaker, Told
from kursbuch.core.state import Decision, State
from kursbuch.core.tally import Key
from kursbuch.core.words import Words, sign


class Account(msgspec.Struct, frozen=True):
    """A source of scores: the amount of each seat, and optional remarks per seat. `key` is the board element that
    gives its colour, if any (`Title.colours`)."""

    label: str
    amounts: tuple[int, ...]
    notes: tuple[str, ...] = ()
    key: str = ""


class Ending(msgspec.Struct, frozen=True):
    """Why a game is over: a sentence and its rule id."""

    text: str
    rule: str


class Stretch(msgspec.Struct, frozen=True):
    """A stretch of a game, such as a round: label, last move and events."""

    label: str
    number: int
    events: tuple[Event, ...]


class Entry(msgspec.Struct, frozen=True):
    """A number on a sheet, or a text instead; `note` is shown smaller below it."""

    value: int | None = None
    text: str = ""
    note: str = ""


class Line(msgspec.Struct, frozen=True):
    """A line of a sheet; `number` is the last move it covers, if any."""

    label: str
    entries: tuple[Entry, ...]
    number: int | None = None


class Sheet(msgspec.Struct, frozen=True):
    """A table of numbers. `head` has the columns after the first, `id` is its name in URLs.

    `unit` says whether the numbers are scores; with `curves` the lines are points in time and each column is a curve.
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
    """A sheet with a line for every stretch that has values in `found`, keyed like `columns`; empty columns are
    omitted.

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
    """A line of a list of holdings: what, how many, and the key of its board element."""

    label: str
    value: str
    key: str = ""
    note: str = ""


class Panel(msgspec.Struct, frozen=True):
    """A list of holdings of a player (`seat`) or the table (None).

    With `pieces`, rows are keys of pieces (`Title.pieces`) and shown as pictures.
    """

    title: str
    seat: int | None
    rows: tuple[Row, ...]
    pieces: bool = False


class Cell(msgspec.Struct, frozen=True):
    """A cell of a table of holdings; `note` is shown smaller below it, `key` is its board element."""

    text: str
    note: str = ""
    key: str = ""


class Grid(msgspec.Struct, frozen=True):
    """A table of holdings. The first cell of a row is its name; `note` explains the symbols. A `brief` one fits among
    the player cards. The last columns are the `players`."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    brief: bool = False
    players: tuple[int, ...] = ()


class Chip(msgspec.Struct, frozen=True):
    """A holding in its shortest form: "PR 30". `key` is its board element and gives the colours (`Title.colours`);
    `strong` marks the lead (director, majority); `note` is a tooltip."""

    text: str
    key: str = ""
    strong: bool = False
    note: str = ""


class Summary(msgspec.Struct, frozen=True):
    """A card of a player (`seat`) or another thing such as a company: a few figures and its holdings.

    `key` is its board element, `active` means that it acts now, and `held` labels the chips if needed. A `pinned` one
    stays in sight. A player's score is shown separately.
    """

    title: str
    seat: int | None = None
    key: str = ""
    figures: tuple[Row, ...] = ()
    chips: tuple[Chip, ...] = ()
    note: str = ""
    active: bool = False
    held: str = ""
    pinned: bool = False


class Pick(msgspec.Struct, frozen=True):
    """How an action is selected: the keys of the elements in order.

    Keys are the `data-pick` values of the drawing ("line:GWR", "hex:K16"); other keys become buttons labelled
    `label`. With `several`, elements (dice to return) are marked in any order; elements may share a key, which then
    occurs once per element. `cost` is shown beside pieces to choose from.
    """

    group: str
    keys: tuple[str, ...]
    label: str
    several: bool = False
    cost: str = ""


class Card(msgspec.Struct, frozen=True):
    """Description of a board element, shown on hover.

    `rows` list its price, income and holdings; `notes` add whole sentences and `rules` the ids behind them. `piece`
    is the key of its picture (`Title.pieces`).
    """

    title: str
    rows: tuple[Row, ...] = ()
    notes: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    piece: str = ""


class Compose(msgspec.Struct, frozen=True):
    """An optional addition to an action by selecting elements: `field` gets one list per name in `parts`, of what
    follows `prefix` in the keys selected.

    `label` is the text of the extended action.
    """

    field: str
    parts: tuple[str, ...]
    prefix: str
    label: str


class Amounts(msgspec.Struct, frozen=True):
    """How an amount is entered. `send` is the label of the button with {amount} ("Bid {amount}"; empty: a
    confirmation), and `written` the format of an amount. Each `quick` amount has a button, lowest first; with
    `at_once` these send without confirmation."""

    send: str = ""
    written: str = "{amount}"
    quick: tuple[int, ...] = ()
    at_once: bool = False


class Speech:
    """Base of a voice and its parts, bound to one reader.

    `self._("{name} passes.", name=...)` is a translated sentence, `self.ngettext` one with a plural, `self.name` a
    player's name. With the components it speaks `about`, it equals any other with equal words about the same ones, so
    that what it says can be cached by it.
    """

    #: Currency sign.
    currency: str = "£"

    def __init__(self, words: Words, about: object = None) -> None:
        self.words = words
        self._identity = (type(self), words, object() if about is None else about)
        self._hash = hash(self._identity)
        self._ = words._
        self.ngettext = words.ngettext
        self.name = words.name
        self.number = words.number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Speech) and other._identity == self._identity

    def __hash__(self) -> int:
        return self._hash

    def money(self, amount: int) -> str:
        """Format an amount of money."""
        return self.words.money(amount, self.currency)

    def some_money(self) -> str:
        """Format an amount to be filled in later, as {amount}."""
        return self.money(0).replace("0", "{amount}")


class Voice(Speech, ABC, Generic[StateT_contra]):
    """Texts of a title for one reader (`Title.voice`), used by pages, the command line and mails.

    It is bound to `words`, a language and the names at a table, and can be kept for that table and language. States
    are views: reveal only what they contain, and do not change them.
    """

    #: Unit of scores: "money" or "points".
    score_unit: ClassVar[str] = "money"

    #: Log lines that replace those declared by shared events.
    sentences: ClassVar[Mapping[type[Event], Told]] = {}

    # ---- events and decisions

    @property
    def speaker(self) -> Speaker:
        """Object that writes the parts of declared sentences: the voice, or the names of the title."""
        return self

    def describe(self, event: Event) -> str:
        """The log line of an event: the title's own, or the one the event declares."""
        if isinstance(event, Corrected):
            return self.corrected(event)
        sentence = self.sentences.get(type(event), event.SENTENCE)
        if sentence is None:
            raise TypeError(f"not an event of this game: {event!r}")
        return sentence.said(self.speaker, event)

    @abstractmethod
    def prompt(self, state: StateT_contra, decision: Decision) -> str:
        """What the seat must decide, addressed to that player."""

    def task(self, state: StateT_contra, decision: Decision) -> str:
        """What the seat must do, for those who wait, as an infinitive ("lay track for BY"). Empty if nothing public
        can be said."""
        return ""

    def pick(self, state: StateT_contra, action: Action) -> Pick:
        """How an action is selected, as declared. The action is a candidate of the step (`StepRules.candidates`), legal
        or not."""
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
        """What the amount of an action counts; empty if its text says so."""
        return ""

    def amounts(self, state: StateT_contra, choice: Choice) -> Amounts:
        """How the amount of a choice is entered."""
        return Amounts()

    def reason(self, state: StateT_contra, action: Action) -> str:
        """A reason for an action beyond its certain effects, as a sentence; empty if there is none."""
        return ""

    def plan(self, plan: Plan) -> str:
        """What a plan does and why, as it declares; empty for a plain action."""
        return "" if plan.SENTENCE is None else plan.SENTENCE.said(self.speaker, plan)

    def compose(self, state: StateT_contra, action: Action) -> Compose | None:
        """Optional addition to an action by selecting elements, such as manual routes."""
        return None

    # ---- descriptions of board elements

    def card(self, state: StateT_contra, key: str) -> Card | None:
        """Description of the board element with that key, which may be any text; None if there is none."""
        return None

    def outcome(self, events: Sequence[Event]) -> list[str]:
        """Effects of an action for its preview: a line per event that matters."""
        return [self.describe(event) for event in events]

    def consequences(
        self, before: StateT_contra, after: StateT_contra, action: Action
    ) -> list[str]:
        """What an action changes for its seat, for its preview: a line per figure. `after` is the state right after
        it, in which what is hidden from the seat is a guess: it must not be told."""
        return []

    # ---- corrections

    #: Kinds of corrections of the title.
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
        """What a correction does, without a full stop; missing values are left open."""
        spoken = {
            field.name: self.spoken(field, values[field.name]) if values.get(field.name) else "…"
            for field in kind.fields
        }
        if isinstance(kind.sentence, Plural):
            # Use the plural while the number is open.
            return self.ngettext(*kind.sentence, int(values.get("count") or 2), **spoken)
        return self._(kind.sentence, **spoken)

    def spoken(self, field: Field, value: str) -> str:
        """A correction field's value for readers."""
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
        """What players who are not asked are told about those who are."""
        return self.ngettext(
            "{names} may object.", "{names} may object.", len(names), names=self.words.join(names)
        )

    def subject(self, subject: str) -> str:
        """The subject of an offer to object, for readers."""
        return subject

    # ---- premoves (`Title.premoves`)

    def trigger(self, name: str) -> str:
        """A trigger, as the end of a sentence that begins with "until"."""
        return name

    def routine(self, subject: str) -> str:
        """What is done in a turn that runs by itself ("BY: no tile, best run")."""
        return subject

    # ---- holdings and status

    @abstractmethod
    def panels(self, state: StateT_contra) -> list[Panel]:
        """Holdings of the players and the table."""

    def board_text(self, state: StateT_contra) -> list[Panel]:
        """The board as text; together with `panels` and `tables`, enough to decide."""
        return []

    def tables(self, state: StateT_contra) -> list[Grid]:
        """Holdings better shown as tables, such as shares."""
        return []

    def summaries(self, state: StateT_contra) -> list[Summary]:
        """A card per player and per thing to compare, such as companies; by default made from the players' panels."""
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
        """The stage of the game in a few short lines that are always visible: round, phase."""
        return ""

    def seat_note(self, state: StateT_contra, seat: int) -> str:
        """A short note on a seat that is always visible besides its score."""
        return ""

    def score_value(self, score: int) -> int:
        """A score, or part of one, as the number shown."""
        return score

    def written_score(self, score: int) -> str:
        """Format a score, or part of one."""
        value = self.score_value(score)
        return self.money(value) if self.score_unit == "money" else self.words.number(value)

    def difference(self, score: int) -> str:
        """Format a difference of scores with its sign."""
        return sign(self.score_value(score)) + self.written_score(abs(score))

    # ---- statistics and the end

    def source(self, event: Payment) -> str:
        """What a payment is for; payments with the same source are added up."""
        return self._("Payments")

    def accounts(self, state: StateT_contra, paid: Sequence[Payment]) -> list[Account]:
        """Sources of the scores; the amounts of a seat add up to its score. By default all payments by source."""
        found: dict[str, list[int]] = {}
        for event in paid:
            if any(event.amounts):
                row = found.setdefault(self.source(event), [0] * state.seats)
                for seat, amount in enumerate(event.amounts):
                    row[seat] += amount
        return [Account(label, tuple(row)) for label, row in found.items()]

    def tallied(self, key: Key) -> str:
        """What a key of `Title.tally` counts, as a noun ("dividends of PR", "6-trains bought by PR")."""
        return self._("payments")

    def worth_note(self) -> str:
        """What counts towards worth (`Title.worth`), if not obvious."""
        return ""

    def stretch(self, events: Sequence[Event]) -> str:
        """Label of a stretch, given its events. In a title with parts (`Title.opens`) the first event begins the
        part, or the game; otherwise the stretch is a move with a payment."""
        return ""

    def levels_title(self) -> str:
        """Title of the `Title.levels` sheet; empty if there is none."""
        return ""

    def figures(self, stretches: Sequence[Stretch]) -> list[Sheet]:
        """Other statistics, such as company income per round."""
        return []

    def highlights(self, events: Sequence[Event]) -> list[Row]:
        """Records of a game, such as the highest price or the longest run."""
        return []

    def ending(self, state: StateT_contra, events: Sequence[Event]) -> Ending | None:
        """Why the game is over."""
        return None

    def near_end(self, state: StateT_contra) -> str:
        """What will end the game and how close it is; empty before that."""
        return ""
