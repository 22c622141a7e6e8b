"""What a title says: every sentence and every list of holdings, in the language of one reader."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from kursbuch.core.actions import Action
from kursbuch.core.events import Event
from kursbuch.core.state import Decision, State
from kursbuch.core.words import Words

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
    """A table of holdings: the first cell of every row names it; `note` explains the signs."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


class Pick(msgspec.Struct, frozen=True):
    """How an action is chosen by pointing: the keys of the elements to point at, in this order.

    Keys are the `data-pick` values of the drawing ("line:GWR", "hex:K16"); a key the drawing does
    not have is offered as a button with the text of `label`. An action on `several` things of a kind
    (dice to be returned) is chosen by marking them in any order; several elements may then have the
    same key, and a key stands in `keys` as often as elements with it are meant.
    """

    group: str
    keys: tuple[str, ...]
    label: str
    several: bool = False


class Compose(msgspec.Struct, frozen=True):
    """What may be added to an action by pointing: `field` of it gets a list for each of the `parts`
    (their names), with what follows `prefix` in the keys of the elements pointed at, in their order.

    `label` is the text of the action with it.
    """

    field: str
    parts: tuple[str, ...]
    prefix: str
    label: str


class Speech:
    """What says something to one reader: a voice, and parts of it that stand by themselves.

    In its methods `self._("{name} passes.", name=...)` is a translated sentence, `self.ngettext` one
    that depends on a number, `self.name` a player's name.
    """

    #: The sign of the money.
    currency: ClassVar[str] = "£"

    def __init__(self, words: Words) -> None:
        self.words = words
        self._ = words._
        self.ngettext = words.ngettext
        self.name = words.name

    def money(self, amount: int) -> str:
        """An amount of the title's money."""
        return self.words.money(amount, self.currency)


class Voice(Speech, ABC, Generic[StateT_contra]):
    """A title that speaks to one reader (`Title.voice`): pages, the command line and mails ask it for
    every sentence, and for what everybody holds.

    It is bound to `words`, a language and the names at a table, and may be kept for all that is shown
    of that table in that language. States given to it are views: it must say nothing that cannot be
    read from them, and it never changes them.
    """

    #: What a player's score is counted in: "money" or "points".
    score_unit: ClassVar[str] = "money"

    # ---- what happens and what is to be decided

    @abstractmethod
    def describe(self, event: Event) -> str:
        """The log line of an event."""

    @abstractmethod
    def prompt(self, state: StateT_contra, decision: Decision) -> str:
        """What the seat has to decide now, addressed to that player."""

    @abstractmethod
    def pick(self, state: StateT_contra, action: Action) -> Pick:
        """How an action is pointed at, and its text. The action is a legal one of this state."""

    def amount_label(self, action: Action) -> str:
        """What the amount that goes with an action counts; empty if its text says so."""
        return ""

    def compose(self, state: StateT_contra, action: Action) -> Compose | None:
        """What may be added to an action by pointing, such as runs chosen by hand."""
        return None

    # ---- offers to object (`Title.standing_refusal`)

    def others_asked(self, names: Sequence[str]) -> str:
        """What is said to those who are not asked, about those who are."""
        return self.ngettext(
            "{names} may object.", "{names} may object.", len(names), names=self.words.join(names)
        )

    def subject(self, subject: str) -> str:
        """The subject of an offer to object, for readers."""
        return subject

    # ---- how things stand

    @abstractmethod
    def panels(self, state: StateT_contra) -> list[Panel]:
        """What every player and the table hold."""

    def tables(self, state: StateT_contra) -> list[Grid]:
        """What is better read in rows and columns, such as who holds which shares."""
        return []

    def status(self, state: StateT_contra) -> str:
        """Where the game is, in a few short lines that are always in sight: the round, the phase."""
        return ""

    def seat_note(self, state: StateT_contra, seat: int) -> str:
        """What is always in sight of a seat besides its score, in a few words."""
        return ""

    def written_score(self, score: int) -> str:
        """A score, or a part of one, as players read it."""
        return self.money(score) if self.score_unit == "money" else self.words.number(score)
