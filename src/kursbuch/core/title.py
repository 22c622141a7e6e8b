"""A title: everything one game declares. The rest of the program works from this."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import msgspec

from kursbuch.core.actions import Action, Choice, sampled
from kursbuch.core.errors import KursbuchError
from kursbuch.core.events import Event
from kursbuch.core.ledger import Ledger
from kursbuch.core.planner import Planner
from kursbuch.core.play import StepRules
from kursbuch.core.rules import RuleIndex
from kursbuch.core.state import State, Step
from kursbuch.core.words import N_, Words

if TYPE_CHECKING:
    from kursbuch.core.importing import Importer

StateT = TypeVar("StateT", bound="State[Any]")

_NO_LEDGER = Ledger({})


class Option(msgspec.Struct, frozen=True):
    """Something that can be chosen before a game starts. The first value is the usual one.

    `label` and `labels` (one per value) are translatable texts.
    """

    name: str
    values: tuple[str, ...]
    label: str
    labels: tuple[str, ...]
    rule: str = ""


class Decision(msgspec.Struct, frozen=True):
    """Who has to decide, and in which kind of step (the tag of the step)."""

    seat: int
    step: str


class Result(msgspec.Struct, frozen=True):
    """How a finished game ended: one score per seat, and the seats that won."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]


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


class Asking(msgspec.Struct, frozen=True):
    """How a table speaks of the decisions a clock may decline (`Title.standing_refusal`): what the
    time is for, what having none means, and what is said to those who are asked: `mine` always,
    `silence` while a clock runs.

    All are translatable texts; `never` and `standing` contain {subject}.
    """

    time: str = N_("Time to object to a move")
    unlimited: str = N_("no limit")
    mine: str = N_("You may object, or let it stand.")
    silence: str = N_("When the time is up, you let it stand.")
    never: str = N_("Never ask me about {subject}")
    standing: str = N_("You are not asked about {subject}.")


class Title(ABC, Generic[StateT]):
    """One game. Subclasses declare its data types and its steps, and say its sentences.

    `board` is whatever never changes during a game (map, cards, tables); `with_data` gives the same
    title with corrected component data.
    """

    id: ClassVar[str]
    name: ClassVar[str]
    seats: ClassVar[range]
    minutes: ClassVar[int]
    options: ClassVar[tuple[Option, ...]] = ()
    state_type: ClassVar[Any]
    action_type: ClassVar[Any]
    package: ClassVar[str]
    #: What a player's score is counted in: "money" or "points".
    score_unit: ClassVar[str] = "money"
    currency: ClassVar[str] = "£"
    #: Whether the seats in what computer opponents imagine guess anew what is hidden from them, because
    #: much depends on it there (secret bids).
    guess_anew: ClassVar[bool] = False
    #: How tables speak of what `standing_refusal` declines; None for a title that never asks.
    asking: ClassVar[Asking | None] = None
    #: What reads games of other programs, by the ending of their files (".rails").
    importers: ClassVar[Mapping[str, Importer]] = {}

    steps: Mapping[type[Step], StepRules[StateT, Any]]

    # ---- component data

    @property
    @abstractmethod
    def data_hash(self) -> str:
        """A hash of the component data, written into every record."""

    @property
    @abstractmethod
    def data_is_standard(self) -> bool:
        """Whether the component data are those of the package."""

    @abstractmethod
    def with_data(self, data: bytes) -> Title[StateT]:
        """The title with other component data; `KursbuchError` says what is wrong with them."""

    @cached_property
    def rules(self) -> RuleIndex:
        """The index of every rule of the book."""
        return RuleIndex.load(self.package)

    @property
    def edition(self) -> int:
        """The newest edition of its rules (docs/records.md)."""
        return self.rules.edition

    # ---- course of play

    @abstractmethod
    def setup(self, seats: int, options: Mapping[str, str]) -> StateT:
        """The state before the first step is run; draws are made by steps on its agenda."""

    @abstractmethod
    def result(self, state: StateT) -> Result | None:
        """The result of a finished game, None while it goes on."""

    @abstractmethod
    def scores(self, state: StateT) -> tuple[int, ...]:
        """What each seat has so far, 0 for one whose score may not be known."""

    def view(self, state: StateT, seat: int | None) -> StateT:
        """A state without what that seat (None: a spectator) may not know. May be `state` itself
        when nothing is hidden; whoever changes it must clone it first."""
        return state

    def hides(self, options: Mapping[str, str]) -> bool:
        """Whether a game with these options has anything that not everybody may know while it goes on;
        its moves, and so its record, would tell that."""
        return type(self).view is not Title.view

    def determinize(self, view: StateT, seat: int | None, rng: random.Random) -> StateT:
        """A full state that fits the view, what is hidden being guessed at random."""
        return view

    @abstractmethod
    def evaluate(self, state: StateT) -> Sequence[float]:
        """How good the position is for each seat, in the unit of the score."""

    def appraise(
        self, state: StateT, seat: int, actions: Sequence[Action]
    ) -> Sequence[float] | None:
        """What each of these legal actions gains for the seat, in the unit of the score, where the
        title can judge that better than by evaluating the position after it; None if it cannot."""
        return None

    def debatable(self, state: StateT, gains: Mapping[Action, float]) -> Sequence[Action]:
        """Of actions that gain so much, those between which playing on shows more than that. With
        fewer than two computer opponents do not search."""
        return list(gains)

    def passed_over(self, state: StateT, seat: int) -> Action | None:
        """The action by which a decision is passed over in what computer opponents imagine of the
        course of play, because it changes little there (track that pays off much later). None where
        a decision matters."""
        return None

    def playout_weight(self, action: Action) -> float:
        """How likely an action of this kind is in a random playout, against 1 for the others."""
        return 1.0

    def unsettled(self, state: StateT) -> bool:
        """Whether the top step interrupts the course of play (an objection, an auction) so that the
        worth of a position shows only when it is over. Computer opponents look past such steps."""
        return False

    def amounts(self, state: StateT, choice: Choice) -> Sequence[int]:
        """The amounts of a choice worth considering for a computer opponent; it need not look at
        every one of a long range."""
        return sampled(choice.amount) if choice.amount is not None else ()

    # ---- notation

    @abstractmethod
    def format(self, action: Action) -> str:
        """The action in its one-line text form, without the player's name."""

    @abstractmethod
    def parse(self, text: str, seat: int, state: StateT) -> Action:
        """The action a line of text means; `KursbuchError` says what could not be read."""

    # ---- words and drawing

    @abstractmethod
    def describe(self, event: Event, words: Words) -> str:
        """The log line of an event."""

    @abstractmethod
    def prompt(self, state: StateT, decision: Decision, words: Words) -> str:
        """What the seat has to decide now, addressed to that player."""

    @abstractmethod
    def pick(self, state: StateT, action: Action, words: Words) -> Pick:
        """How an action is pointed at, and its text."""

    def written_score(self, score: int, words: Words) -> str:
        """A score, or a part of one, as players read it."""
        if self.score_unit == "money":
            return words.money(score, self.currency)
        return words.number(score)

    def amount_label(self, action: Action, words: Words) -> str:
        """What the amount that goes with an action counts; empty if its text says so."""
        return ""

    def compose(self, state: StateT, action: Action, words: Words) -> Compose | None:
        """What may be added to an action by pointing, such as runs chosen by hand."""
        return None

    def status(self, state: StateT, words: Words) -> str:
        """Where the game is, in a few short lines that are always in sight: the round, the phase."""
        return ""

    def seat_note(self, state: StateT, seat: int, words: Words) -> str:
        """What is always in sight of a seat besides its score, in a few words."""
        return ""

    @abstractmethod
    def panels(self, state: StateT, words: Words) -> list[Panel]:
        """What every player and the table hold."""

    def tables(self, state: StateT, words: Words) -> list[Grid]:
        """What is better read in rows and columns, such as who holds which shares."""
        return []

    @abstractmethod
    def draw(self, state: StateT, words: Words, marks: Sequence[str] = ()) -> str:
        """The board as SVG; `marks` are keys of elements to point out (the last move)."""

    @cached_property
    def pieces(self) -> str:
        """Pieces that are laid on the board, as one SVG: each is an element with its key as
        `data-piece`, drawn around the origin as it lies unturned, and with an `id` of its own.

        Where a choice goes on with such a key ("tile:57") and then with "turn:N", pages show the
        piece on the board, turned clockwise by N sixths."""
        return ""

    def irrevocable(self, action: Action) -> bool:
        """Whether the table should ask before this action is sent."""
        return False

    def shows(self, events: Sequence[Event]) -> bool:
        """Whether these events showed everybody what was secret before (bids, hands). Draws, and what
        only some may know, need not be named here."""
        return False

    def marks(self, events: Sequence[Event]) -> list[str]:
        """The elements the board should point out after these events."""
        return []

    def standing_refusal(self, state: StateT, decision: Decision) -> tuple[str, Action] | None:
        """For a decision that is an offer to object: its subject (such as a line) and the action
        that declines. Tables use it for time limits and for "never ask me about this". The time
        runs for everybody whom the same step asks, and anew when another step asks."""
        return None

    def others_asked(self, names: Sequence[str], words: Words) -> str:
        """What is said to those who are not asked, about those who are."""
        return words.ngettext(
            "{names} may object.", "{names} may object.", len(names), names=words.join(names)
        )

    def subject(self, subject: str, words: Words) -> str:
        """The subject of an offer to object, for readers."""
        return subject

    @property
    def planner(self) -> Planner[StateT] | None:
        """What is known about positions set up by hand, if the title can find the best runs on them."""
        return None

    # ---- shared helpers

    def option_values(self, options: Mapping[str, str]) -> dict[str, str]:
        """All options with their values, the usual one where none is given."""
        known = {option.name: option for option in self.options}
        for name, value in options.items():
            if name not in known:
                raise KursbuchError(
                    "{title} has no option {name}; it has: {known}.",
                    title=self.name,
                    name=name,
                    known=", ".join(known) or "-",
                )
            if value not in known[name].values:
                raise KursbuchError(
                    "The option {name} cannot be {value}; possible are: {known}.",
                    name=name,
                    value=value,
                    known=", ".join(known[name].values),
                )
        return {name: options.get(name, option.values[0]) for name, option in known.items()}

    def check_seats(self, count: int) -> None:
        """Refuse a number of players the game cannot be played with."""
        if count not in self.seats:
            raise KursbuchError(
                "{title} is for {low} to {high} players, not for {count}.",
                title=self.name,
                low=self.seats[0],
                high=self.seats[-1],
                count=count,
            )

    @cached_property
    def encoder(self) -> msgspec.msgpack.Encoder:
        """Encodes states compactly."""
        return msgspec.msgpack.Encoder()

    @cached_property
    def decoder(self) -> msgspec.msgpack.Decoder[StateT]:
        """Decodes what `encoder` made."""
        return msgspec.msgpack.Decoder(self.state_type)

    def encode(self, state: StateT) -> bytes:
        """The state as bytes; equal states give equal bytes."""
        return self.encoder.encode(state)

    def decode(self, data: bytes) -> StateT:
        """The state that `encode` turned into bytes."""
        return self.decoder.decode(data)

    def clone(self, state: StateT) -> StateT:
        """An independent copy. The ledger, often the largest part, is quicker copied than encoded."""
        bare = msgspec.structs.replace(state, ledger=_NO_LEDGER)
        copy = self.decoder.decode(self.encoder.encode(bare))
        copy.ledger = state.ledger.copy()
        return copy

    def action_to_json(self, action: Action) -> dict[str, Any]:
        """The JSON form of an action."""
        built: dict[str, Any] = msgspec.to_builtins(action)
        return built

    def action_from_json(self, data: object) -> Action:
        """The action of a JSON form; `KursbuchError` says what is wrong with it."""
        try:
            action: Action = msgspec.convert(data, self.action_type)
        except msgspec.ValidationError as error:
            raise KursbuchError(
                "This is not an action of {title}: {why}.", title=self.name, why=str(error)
            ) from None
        return action
