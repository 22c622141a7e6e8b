"""A title: everything one game declares for the engine, display, bots and premoves."""

from __future__ import annotations

import hashlib
import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from functools import cached_property
from importlib import resources
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar, get_args

import msgspec

from kursbuch.core.actions import Action, Notation
from kursbuch.core.components import Data, PrintedComponent
from kursbuch.core.corrections import Correct, Kind
from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.evaluator import Evaluator
from kursbuch.core.events import Event
from kursbuch.core.planner import Planner
from kursbuch.core.play import Play, StepRules
from kursbuch.core.rulebook import RuleIndex
from kursbuch.core.state import Decision, Encoding, Ledger, State, Step
from kursbuch.core.tally import Tally, payments
from kursbuch.core.tutorial import Lessons
from kursbuch.core.voice import Voice
from kursbuch.core.words import N_, Words, catalogue

StateT_contra = TypeVar("StateT_contra", bound="State[Any]", contravariant=True)

#: Trigger "the round is over", for titles with rounds. With several kinds of rounds, "round:stock-turn" is the end of
#: the round with that kind of decision (`Decision.step`).
ROUND = "round"


class Premoves(Generic[StateT_contra]):
    """Premove support of a title (`Title.premoves`): what can be planned for the next turn and whether it still fits
    then. By default only standing refusals can be planned (`Title.standing_refusal`).

    States are views and must not be changed.
    """

    #: Whether players can plan to always or never object.
    objects: ClassVar[bool] = False

    #: Trigger kinds that also fire on the player's own move, such as the last pass.
    by_any_seat: ClassVar[frozenset[str]] = frozenset((ROUND,))

    def situations(self, state: StateT_contra, seat: int) -> Iterable[Any]:
        """The view as if the seat were asked next, once for each kind of decision that can be foreseen; the top step
        asks. They may share parts with `state`."""
        return ()

    def subject(self, step: Step) -> str:
        """What a step is about if its player decides for several things, such as a company; empty if only for the
        player."""
        return ""

    def passing(self, state: StateT_contra, decision: Decision) -> Action | None:
        """The action that passes, ends the turn or continues to the next step."""
        return None

    def routines(self, state: StateT_contra, seat: int) -> Sequence[str]:
        """Subjects, such as companies, whose turns the seat may let run by themselves (`Voice.routine` writes them
        out)."""
        return ()

    def routine(self, state: StateT_contra, decision: Decision) -> Action | None:
        """The action of a turn that runs by itself; None if the seat has to decide."""
        return None

    def routine_terms(self, state: StateT_contra, subject: str) -> str:
        """What a turn that runs by itself depends on. It ends when that changes."""
        return ""

    def lot(self, state: StateT_contra, seat: int) -> str:
        """Name of the lot in the current open auction that the seat may bid for (`Voice.subject` writes it out);
        empty if there is none."""
        return ""

    def objecting(self, state: StateT_contra, decision: Decision) -> Action | None:
        """The action that objects, if that is what the seat is asked."""
        return None

    def terms(self, state: StateT_contra, action: Action) -> str:
        """Conditions an action depends on, such as a price or the tile on a hex. A premove is dropped if they have
        changed."""
        return ""

    def triggers(self, state: StateT_contra, seat: int) -> Sequence[str]:
        """Events a premove can wait for, by name (`Voice.trigger` writes them out)."""
        return ()

    def happened(self, event: Event) -> Iterable[str]:
        """Names of the triggers fired by an event."""
        return ()


StateT = TypeVar("StateT", bound="State[Any]")
_NO_LEDGER = Ledger({})


class Sign(NamedTuple):
    """A symbol of the drawing as SVG, and its meaning."""

    drawing: str
    meaning: str


class LegendPart(NamedTuple):
    """Symbols that belong together."""

    heading: str
    signs: Sequence[Sign]


DataT = TypeVar("DataT", bound=msgspec.Struct)


def parse_data(data: bytes, kind: type[DataT]) -> DataT:
    """Parse a file of component data; `KursbuchError` names the error and its place."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise KursbuchError(
            "The file of component data cannot be read: {why}.", why=str(error)
        ) from None


def hash_data(file: msgspec.Struct) -> str:
    """Hash of component data for records (`Title.data_hash`); it covers only the fields in use."""
    return hashlib.sha256(msgspec.json.encode(file)).hexdigest()


#: Refusal of data that are not a valid action.
NO_ACTION = N_("This is not an action of {title}: {why}.")


class Option(msgspec.Struct, frozen=True):
    """An option chosen before a game; the first value is the default.

    `label` and `labels` (one per value) are translatable.
    """

    name: str
    values: tuple[str, ...]
    label: str
    labels: tuple[str, ...]
    rule: str = ""

    @classmethod
    def switch(cls, name: str, label: str, rule: str) -> Self:
        """An on/off option, off by default."""
        return cls(name, ("off", "on"), label, (N_("off"), N_("on")), rule)


class Result(msgspec.Struct, frozen=True):
    """Result of a finished game: a score per seat, and the winning seats."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]


class ObjectionTexts(msgspec.Struct, frozen=True):
    """Texts about decisions with a standing refusal (`Title.standing_refusal`): what the time limit is for, what no
    limit means, and what the players asked are told: `mine` always, `silence` while a clock runs. `calls` are
    announced in the last seconds, the final one first.

    All are translatable; `never` and `standing` contain {subject}.
    """

    time: str = N_("Time to object to a move")
    unlimited: str = N_("no limit")
    mine: str = N_("You may object, or let it stand.")
    silence: str = N_("If time runs out, that counts as a pass.")
    calls: tuple[str, ...] = ()
    never: str = N_("Never ask me about {subject}")
    standing: str = N_("You are not asked about {subject}.")


class Audience(Enum):
    """The players whom a game suits; values are labels, translatable."""

    FAMILY = N_("family game")
    STRATEGY = N_("strategy game")
    EXPERTS = N_("expert game")


class Title(ABC, Generic[StateT]):
    """One game, declared for the engine (types, steps, set-up, views, notation), for display (`voice`, `draw`, table
    texts) and for computer opponents (`evaluator`).

    A title is immutable. It holds everything that is constant during a game, such as the map and the cards;
    `with_data` returns it with corrected component data.
    """

    #: Id in commands, records and entry points.
    id: ClassVar[str]
    #: Name shown to players, the same in every language.
    name: ClassVar[str]
    #: Possible player counts.
    seats: ClassVar[range]
    #: Approximate playing time in minutes.
    minutes: ClassVar[int]
    #: What players do in it, in one sentence; translatable.
    summary: ClassVar[str] = ""
    #: Whom it suits; None if unknown.
    audience: ClassVar[Audience | None] = None
    #: How hard it is to learn, from 1 to 5; 0 if unknown.
    difficulty: ClassVar[int] = 0
    #: Part of the drawing of its specimen that is its picture: left, top, width and height. None for all of it.
    cutout: ClassVar[tuple[float, float, float, float] | None] = None
    #: Options chosen before a game.
    options: ClassVar[tuple[Option, ...]] = ()
    #: Class of its states, and union of its actions.
    state_type: ClassVar[Any]
    action_type: ClassVar[Any]
    #: Package that contains its `rules.toml`.
    package: ClassVar[str]
    #: Which of its components are reconstructed for lack of sources; translatable.
    reconstructed: ClassVar[str] = ""
    #: Terms of its rulebook that replace those of shared sentences, by language.
    terms: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    #: Texts about standing refusals; None if it has none.
    objection_texts: ClassVar[ObjectionTexts | None] = None

    #: The rules of each kind of step.
    steps: Mapping[type[Step], StepRules[StateT, Any]]
    #: Evaluation for computer opponents.
    evaluator: Evaluator[StateT]
    #: Corrections available to a moderator.
    corrections: Sequence[Kind[Any]] = ()

    # ---- component data

    #: Hash of the component data, written into records; "none" without data.
    data_hash: str = "none"

    @property
    def data_is_standard(self) -> bool:
        """Whether the component data are the packaged ones."""
        return True

    def with_data(self, data: bytes) -> Title[StateT]:
        """The title with other component data (file content); `KursbuchError` for invalid data."""
        raise KursbuchError("{title} has no component data.", title=self.name)

    #: Name of the packaged file of component data, in its package; empty without data.
    data_file: ClassVar[str] = ""
    #: Packaged variant files by name, each with what it says in a sentence; translatable.
    data_variants: ClassVar[Mapping[str, str]] = {}

    @cached_property
    def packaged_data(self) -> Data:
        """The packaged file of component data, decoded; it must not be changed."""
        file = resources.files(self.package) / self.data_file
        found: Data = msgspec.json.decode(file.read_bytes())
        return found

    def packaged_variant(self, name: str) -> bytes:
        """The content of a packaged variant file."""
        return (resources.files(self.package) / "variants" / f"{name}.json").read_bytes()

    def printed_components(self, file: Data, words: Words) -> Sequence[PrintedComponent]:
        """What owners of the game can correct: the components of a file with their printed values, drawn with the
        data of this title."""
        return ()

    def align_data(self, file: Data) -> None:
        """Bring what follows from printed values of a file in line with them."""

    def draw_components(self, file: Data, words: Words) -> str:
        """The map without pieces as SVG, with dotted outlines around what is reconstructed; empty for a game without
        a map."""
        return ""

    @cached_property
    def rules(self) -> RuleIndex:
        """Index of all rules in the book."""
        return RuleIndex.load(self.package)

    @cached_property
    def lessons(self) -> Lessons | None:
        """Lessons for newcomers from `learn.toml` in its package; None without one."""
        return Lessons.load(self.package, self.rules)

    @property
    def edition(self) -> int:
        """Newest edition of its rules (docs/records.md)."""
        return self.rules.edition

    # ---- course of play

    @abstractmethod
    def setup(self, seats: int, options: Mapping[str, str]) -> StateT:
        """The state before the first step; steps on its agenda make the draws."""

    @abstractmethod
    def result(self, state: StateT) -> Result | None:
        """The result of a finished game; None during the game."""

    @abstractmethod
    def scores(self, state: StateT) -> tuple[int, ...]:
        """Current score of each seat, 0 if hidden."""

    def worth(self, state: StateT) -> tuple[int | None, ...]:
        """Score of each seat if the game ended now, None if hidden. Differs from `scores` where holdings count at the
        end."""
        return self.scores(state)

    def levels(self, state: StateT) -> dict[str, int]:
        """Public figures for charts by name, such as share prices (`Voice.levels_title`)."""
        return {}

    def tally(self, state: StateT, events: Sequence[Event]) -> Tally:
        """What happened in these events, which led to a state, in numbers that explain the scores (`Voice.tallied`).
        Reviews compare them between two continuations."""
        return payments(state.seats, events)

    def after_step(self, play: Play[StateT]) -> None:
        """Hook after every step, performed or run, for effects that can happen in any of them (the bank breaks)."""

    def uncorrectable(self, state: StateT, kind: str) -> IllegalAction | None:
        """Why no correction of this kind is possible now, because it would interfere with the current decision; else
        None."""
        return None

    def corrected(self, play: Play[StateT]) -> None:
        """Hook after a correction, to re-examine what is in progress."""

    def purses(self, state: StateT) -> tuple[int, ...]:
        """The amounts that `Payment` events change: usually the scores."""
        return self.scores(state)

    def view(self, state: StateT, seat: int | None) -> StateT:
        """The state without information hidden from the seat (None: a spectator). May be `state` itself if nothing is
        hidden; clone it before changing it."""
        return state

    def hides(self, options: Mapping[str, str]) -> bool:
        """Whether a game with these options has hidden information, which its moves and record would reveal."""
        return type(self).view is not Title.view

    def determinize(self, view: StateT, seat: int | None, rng: random.Random) -> StateT:
        """A complete state consistent with the view; hidden information is guessed at random."""
        return view

    def encoding(self, seats: int) -> Encoding:
        """Numeric encoding of its positions and actions for machine learning; `KursbuchError` for a title without
        one."""
        raise KursbuchError(
            "{title} does not define how it is encoded as numbers.", title=self.name
        )

    # ---- notation

    def spelling(self) -> Mapping[str, Iterable[str]]:
        """Names used in moves, by placeholder in a form ("LINE")."""
        return {}

    @cached_property
    def notation(self) -> Notation:
        """Text forms of all its actions (`Action.FORM`)."""
        return Notation(get_args(self.action_type) or (self.action_type,), self.spelling())

    @cached_property
    def _notations(self) -> dict[str, Notation]:
        return {"en": self.notation}

    def notation_in(self, language: str) -> Notation:
        """The text forms in a language. Records and the API use the English ones."""
        if language not in self._notations:
            self._notations[language] = self.notation.translated(catalogue(language).gettext)
        return self._notations[language]

    def format(self, action: Action) -> str:
        """The action as one line, without the player's name."""
        return self.notation.format(action)

    def parse(self, text: str, seat: int, state: StateT) -> Action:
        """Parse a line of text; `KursbuchError` if it cannot be read."""
        return self.notation.parse(text, seat)

    def format_in(self, language: str, action: Action) -> str:
        """The action as one line in a language, without the player's name."""
        if language == "en":
            return self.format(action)
        return self.notation_in(language).format(action)

    def parse_in(self, language: str, text: str, seat: int, state: StateT) -> Action:
        """Parse a line of text in a language or in English; `KursbuchError` if it cannot be read."""
        if language == "en":
            return self.parse(text, seat, state)
        try:
            return self.notation_in(language).parse(text, seat)
        except KursbuchError:
            with suppress(KursbuchError):
                return self.parse(text, seat, state)
            raise

    # ---- words and display

    @abstractmethod
    def voice(self, words: Words) -> Voice[StateT]:
        """Its texts for readers of these words."""

    @abstractmethod
    def draw(self, state: StateT, words: Words, marks: Sequence[str] = ()) -> str:
        """The board as SVG; `marks` are keys of highlighted elements (the last move)."""

    def legend(self, words: Words) -> Sequence[LegendPart]:
        """Legend of the drawing; empty if it needs none."""
        return ()

    @cached_property
    def style(self) -> str:
        """Style sheet for pages with the drawing: `drawing.css` in its package, if there is one.

        Drawings carry their light colours as attributes; the style sheet gives their classes `light-dark(…)` colours.
        Pages offer `--ground`, the background of a drawing, which it may change, and `--ink-on-map`.
        """
        sheet = resources.files(self.package) / "drawing.css"
        return sheet.read_text("utf-8") if sheet.is_file() else ""

    @cached_property
    def specimen(self) -> str:
        """Record of a game up to a typical position, drawn as the title's picture: `specimen.txt` in its package,
        empty without one."""
        record = resources.files(self.package) / "specimen.txt"
        return record.read_text("utf-8") if record.is_file() else ""

    @cached_property
    def pieces(self) -> str:
        """Pieces laid on the board as one SVG. Each is an element with its key as `data-piece` and a unique `id`,
        drawn unrotated around the origin.

        Where a pick continues with such a key ("tile:57") and then "turn:N", pages show the piece on the board,
        rotated clockwise by N sixths.
        """
        return ""

    @cached_property
    def colours(self) -> Mapping[str, tuple[str, str]]:
        """Fill and text colours by key of a board element ("line:GWR")."""
        return {}

    @cached_property
    def own_colours(self) -> Mapping[str, str]:
        """Usual colours that readers can replace, by class of the drawing; empty if it has no such classes.
        "of-GWR" fills the shapes of a company, whose letters are "on-GWR" and whose lines "line-of-GWR"; "run-0" is the
        first route, "seat-0" the first player."""
        return {}

    def irrevocable(self, action: Action) -> bool:
        """Whether to ask for confirmation before the action is sent."""
        return False

    def shows(self, events: Sequence[Event]) -> bool:
        """Whether these events reveal secrets to all (bids, hands). Draws and events visible to some need not be
        included."""
        return False

    def opens(self, event: Event) -> bool:
        """Whether an event begins a new part of the game, such as a round, with its own heading in the log."""
        return False

    def announces(self, event: Event) -> bool:
        """Whether to notify all players of an event at once: a lot is won, two lines merge."""
        return self.opens(event)

    def marks(self, events: Sequence[Event]) -> list[str]:
        """Board elements to highlight after these events."""
        return []

    def seating(self, state: StateT, seats: int) -> Sequence[int]:
        """Seats in clockwise seating order, which a game may determine."""
        return range(seats)

    def standing_refusal(self, state: StateT, decision: Decision) -> tuple[str, Action] | None:
        """For an offer to object: its subject (such as a line) and the action that declines. Tables use it for time
        limits and "never ask me about this". The time limit covers all seats asked by one step and restarts with the
        next step."""
        return None

    @cached_property
    def premoves(self) -> Premoves[StateT]:
        """Its premove support."""
        return Premoves()

    @property
    def planner(self) -> Planner[StateT] | None:
        """Its best-run calculator for positions set up by hand, if it has one."""
        return None

    # ---- shared helpers

    def option_values(self, options: Mapping[str, str]) -> dict[str, str]:
        """All options with their values; missing ones get the default."""
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
                    "The option {name} cannot be {value}; possible values: {known}.",
                    name=name,
                    value=value,
                    known=", ".join(known[name].values),
                )
        return {name: options.get(name, option.values[0]) for name, option in known.items()}

    def check(self) -> None:
        """Raise `KursbuchError` if the title is inconsistent; a family adds its own checks."""

    def check_seats(self, count: int) -> None:
        """Refuse an unsupported number of players."""
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
        """Encoder for compact states."""
        return msgspec.msgpack.Encoder()

    @cached_property
    def decoder(self) -> msgspec.msgpack.Decoder[StateT]:
        """Decoder for the output of `encoder`."""
        return msgspec.msgpack.Decoder(self.state_type)

    def encode(self, state: StateT) -> bytes:
        """Encode a state; equal states give equal bytes."""
        return self.encoder.encode(state)

    def decode(self, data: bytes) -> StateT:
        """Decode the output of `encode`."""
        return self.decoder.decode(data)

    def clone(self, state: StateT) -> StateT:
        """An independent copy. The ledger, often the largest part, is copied faster than it is encoded."""
        bare = msgspec.structs.replace(state, ledger=_NO_LEDGER)
        copy = self.decoder.decode(self.encoder.encode(bare))
        copy.ledger = state.ledger.copy()
        return copy

    def action_to_json(self, action: Action) -> dict[str, Any]:
        """The action as JSON data."""
        built: dict[str, Any] = msgspec.to_builtins(action)
        return built

    @cached_property
    def _any_action(self) -> Any:
        return self.action_type | Correct if self.corrections else self.action_type

    @cached_property
    def _action_decoder(self) -> msgspec.msgpack.Decoder[Action]:
        return msgspec.msgpack.Decoder(self._any_action)

    def malformed(self, action: Action) -> IllegalAction | None:
        """Why an action has fields of the wrong type, as in `action_from_json`; else None."""
        why = self._misshapen(action)
        return None if why is None else IllegalAction("", NO_ACTION, title=self.name, why=why)

    def _misshapen(self, action: Action) -> str | None:
        """Why an action does not survive a round trip; None if it does."""
        try:
            same = self._action_decoder.decode(self.encoder.encode(action))
        except UnicodeEncodeError:
            return "it has a text that is not Unicode"
        except (msgspec.MsgspecError, TypeError, ValueError, OverflowError) as error:
            return str(error)
        return None if same == action else f"{same} is not {action}"

    def action_from_json(self, data: object) -> Action:
        """The action from JSON data; `KursbuchError` if it is invalid."""
        try:
            action: Action = msgspec.convert(data, self._any_action)
        except UnicodeEncodeError:
            why: str | None = "it has a text that is not Unicode"
        except (
            msgspec.MsgspecError,
            TypeError,
            ValueError,
            OverflowError,
            RecursionError,
        ) as error:
            why = str(error)
        else:
            why = self._misshapen(action)
            if why is None:
                return action
        raise KursbuchError(NO_ACTION, title=self.name, why=why)
