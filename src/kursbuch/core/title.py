"""A title: everything one game declares, and what it says of decisions ahead of time. The engine works from this."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from importlib import resources
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar, get_args

import msgspec

from kursbuch.core.actions import Action, Notation
from kursbuch.core.corrections import Correct, Kind
from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.evaluator import Evaluator
from kursbuch.core.events import Event
from kursbuch.core.planner import Planner
from kursbuch.core.play import Play, StepRules
from kursbuch.core.rulebook import RuleIndex
from kursbuch.core.state import Decision, Encoding, Ledger, State, Step
from kursbuch.core.tutorial import Lessons
from kursbuch.core.voice import Voice
from kursbuch.core.words import N_, Words

StateT_contra = TypeVar("StateT_contra", bound="State[Any]", contravariant=True)

#: What in every title with rounds can be waited for: that the round is over. Where rounds are of several kinds, it
#: is over for a kind of decision (`Decision.step`) by the name "round:stock-turn".
ROUND = "round"


class Premoves(Generic[StateT_contra]):
    """What a title says of decisions before they are due (`Title.ahead`): tables ask it what can be fixed for
    the own next turn, and whether that still fits when the turn has come. Without a word of the title nothing
    can be fixed but whether to object (`Title.standing_refusal`).

    States are views; they are never changed.
    """

    #: Whether it can be fixed to object always or never.
    objects: ClassVar[bool] = False

    #: The kinds of what may be waited for that count also when they come of one's own move, such as the last pass.
    by_anybody: ClassVar[frozenset[str]] = frozenset((ROUND,))

    def situations(self, state: StateT_contra, seat: int) -> Iterable[Any]:
        """The view as it would be if that seat were asked next, for every kind of decision that can be
        foreseen: the last step of the agenda asks it. They may share parts with `state`."""
        return ()

    def subject(self, step: Step) -> str:
        """Of several that one player decides for, the one a step is about, such as a company; empty if there is only
        the player."""
        return ""

    def passing(self, state: StateT_contra, decision: Decision) -> Action | None:
        """The action by which a seat leaves it at that: passes, ends its turn, goes on to the next step."""
        return None

    def lot(self, state: StateT_contra, seat: int) -> str:
        """What a seat may bid for now or later in the auction that is under way, by a name no other has
        (`Voice.subject` says it in words); empty if nothing is auctioned openly."""
        return ""

    def objecting(self, state: StateT_contra, decision: Decision) -> Action | None:
        """The action by which a seat objects, where it is asked whether it does."""
        return None

    def terms(self, state: StateT_contra, action: Action) -> str:
        """What an action depends on as it stands, such as a price or what lies on a hex: fixed ahead, it is
        not made if this has changed."""
        return ""

    def triggers(self, state: StateT_contra, seat: int) -> Sequence[str]:
        """What may be waited for, by name (`Voice.trigger` says it in words)."""
        return ()

    def happened(self, event: Event) -> Iterable[str]:
        """The names of what may be waited for that an event is."""
        return ()


StateT = TypeVar("StateT", bound="State[Any]")
_NO_LEDGER = Ledger({})


class Sign(NamedTuple):
    """A sign of a drawing, drawn by itself as SVG, and what it means."""

    drawing: str
    meaning: str


class LegendPart(NamedTuple):
    """Signs that belong together."""

    heading: str
    signs: Sequence[Sign]


#: What is said of data that make no action.
NO_ACTION = N_("This is not an action of {title}: {why}.")


class Option(msgspec.Struct, frozen=True):
    """Something that can be chosen before a game starts. The first value is the usual one.

    `label` and `labels` (one per value) are translatable texts.
    """

    name: str
    values: tuple[str, ...]
    label: str
    labels: tuple[str, ...]
    rule: str = ""

    @classmethod
    def switch(cls, name: str, label: str, rule: str) -> Self:
        """An option that is off or on."""
        return cls(name, ("off", "on"), label, (N_("off"), N_("on")), rule)


class Result(msgspec.Struct, frozen=True):
    """How a finished game ended: one score per seat, and the seats that won."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]


class Asking(msgspec.Struct, frozen=True):
    """How a table speaks of the decisions a clock may decline (`Title.standing_refusal`): what the
    time is for, what having none means, and what is said to those who are asked: `mine` always,
    `silence` while a clock runs. `calls` are called out in the last seconds, the last one first.

    All are translatable texts; `never` and `standing` contain {subject}.
    """

    time: str = N_("Time to object to a move")
    unlimited: str = N_("no limit")
    mine: str = N_("You may object, or let it stand.")
    silence: str = N_("When the time is up, you let it stand.")
    calls: tuple[str, ...] = ()
    never: str = N_("Never ask me about {subject}")
    standing: str = N_("You are not asked about {subject}.")


class Title(ABC, Generic[StateT]):
    """One game, declared for three readers: the engine, which plays it (types, steps, setup, views,
    notation); display (`voice`, `draw`, and what a table asks); computer opponents (`judge`).

    A title never changes. What never changes during a game (map, cards, tables) belongs to it and not
    to the state; `with_data` gives the same title with corrected component data.
    """

    #: How commands, records and entry points call it.
    id: ClassVar[str]
    #: How players call it; the same in every language.
    name: ClassVar[str]
    #: The possible numbers of players.
    seats: ClassVar[range]
    #: How long people play, roughly.
    minutes: ClassVar[int]
    #: What can be chosen before a game.
    options: ClassVar[tuple[Option, ...]] = ()
    #: The class of its states, and the union of its actions.
    state_type: ClassVar[Any]
    action_type: ClassVar[Any]
    #: The package that holds its `rules.toml`.
    package: ClassVar[str]
    #: What of its components is reconstructed, because it is recorded nowhere; a translatable text.
    reconstructed: ClassVar[str] = ""
    #: What its book calls otherwise than sentences that it shares with other titles, by language.
    terms: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    #: How tables speak of what `standing_refusal` declines; None for a title that never asks.
    asking: ClassVar[Asking | None] = None

    #: The rules of every kind of step.
    steps: Mapping[type[Step], StepRules[StateT, Any]]
    #: What computer opponents ask.
    judge: Evaluator[StateT]
    #: What a moderator can correct.
    corrections: Sequence[Kind[Any]] = ()

    # ---- component data

    #: A hash of the component data, written into every record; "none" for a title without any.
    data_hash: str = "none"

    @property
    def data_is_standard(self) -> bool:
        """Whether the component data are those of the package."""
        return True

    def with_data(self, data: bytes) -> Title[StateT]:
        """The title with other component data (the content of a file); `KursbuchError` says what is
        wrong with them."""
        raise KursbuchError("{title} has no component data.", title=self.name)

    @cached_property
    def rules(self) -> RuleIndex:
        """The index of every rule of the book."""
        return RuleIndex.load(self.package)

    @cached_property
    def lessons(self) -> Lessons | None:
        """What it teaches newcomers: what stands in `learn.toml` in its package, None without one."""
        return Lessons.load(self.package, self.rules)

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

    def worth(self, state: StateT) -> tuple[int | None, ...]:
        """What each seat would have if the game ended now, None where that may not be known: the same
        as its score, unless something else than what has been scored counts at the end."""
        return self.scores(state)

    def levels(self, state: StateT) -> dict[str, int]:
        """What everybody can see things stand at, by their names, such as share prices: pages draw
        their curves (`Voice.levels_title`)."""
        return {}

    def after_step(self, play: Play[StateT]) -> None:
        """Called after every step, performed or run: for what may happen in any of them (the bank has
        no money left)."""

    def uncorrectable(self, state: StateT, kind: str) -> IllegalAction | None:
        """Why nothing of a kind can be corrected now, because it would get in the way of what is being
        decided; None if it can."""
        return None

    def corrected(self, play: Play[StateT]) -> None:
        """Called after a correction: whatever is going on may have to be looked at again."""

    def purses(self, state: StateT) -> tuple[int, ...]:
        """What payments to players change (`Payment`): usually their scores."""
        return self.scores(state)

    def view(self, state: StateT, seat: int | None) -> StateT:
        """A state without what that seat (None: a spectator) may not know. May be `state` itself
        when nothing is hidden; clone it before changing it."""
        return state

    def hides(self, options: Mapping[str, str]) -> bool:
        """Whether a game with these options has anything that not everybody may know while it goes on;
        its moves, and so its record, would tell that."""
        return type(self).view is not Title.view

    def determinize(self, view: StateT, seat: int | None, rng: random.Random) -> StateT:
        """A full state that fits the view, what is hidden being guessed at random."""
        return view

    def encoding(self, seats: int) -> Encoding:
        """How its positions and actions with a number of seats are written as numbers, for programs that
        learn; `KursbuchError` for a title that does not say it."""
        raise KursbuchError("{title} does not say how it is written as numbers.", title=self.name)

    # ---- notation

    def spelling(self) -> Mapping[str, Iterable[str]]:
        """The names that moves are written with, by the word that stands for them in a form ("LINE")."""
        return {}

    @cached_property
    def notation(self) -> Notation:
        """The text forms of all its actions, as they declare them (`Action.FORM`)."""
        return Notation(get_args(self.action_type) or (self.action_type,), self.spelling())

    def format(self, action: Action) -> str:
        """The action in its one-line text form, without the player's name."""
        return self.notation.format(action)

    def parse(self, text: str, seat: int, state: StateT) -> Action:
        """The action a line of text means; `KursbuchError` says what could not be read."""
        return self.notation.parse(text, seat)

    # ---- what is said and shown

    @abstractmethod
    def voice(self, words: Words) -> Voice[StateT]:
        """What the title says to readers of these words."""

    @abstractmethod
    def draw(self, state: StateT, words: Words, marks: Sequence[str] = ()) -> str:
        """The board as SVG; `marks` are keys of elements to point out (the last move)."""

    def legend(self, words: Words) -> Sequence[LegendPart]:
        """What the signs of the drawing mean; nothing if it explains itself."""
        return ()

    @cached_property
    def style(self) -> str:
        """A style sheet for the pages that show the drawing: `drawing.css` beside it, if there is one.

        Drawings carry their light colours as attributes; this gives their classes those of pages,
        which are light or dark: `light-dark(…)`. Pages offer `--ground`, on which a drawing stands
        and which it may change, and `--ink-on-map`."""
        sheet = resources.files(self.package) / "drawing.css"
        return sheet.read_text("utf-8") if sheet.is_file() else ""

    @cached_property
    def specimen(self) -> str:
        """The record of a game as far as a typical position, whose drawing stands for the title: what
        `specimen.txt` in its package holds, empty without one."""
        record = resources.files(self.package) / "specimen.txt"
        return record.read_text("utf-8") if record.is_file() else ""

    @cached_property
    def pieces(self) -> str:
        """Pieces that are laid on the board, as one SVG: each is an element with its key as
        `data-piece`, drawn around the origin as it lies unturned, and with an `id` of its own.

        Where a choice goes on with such a key ("tile:57") and then with "turn:N", pages show the
        piece on the board, turned clockwise by N sixths."""
        return ""

    @cached_property
    def colours(self) -> Mapping[str, tuple[str, str]]:
        """The colours of what belongs to an element of the board by its key ("line:GWR"), as fill and
        lettering."""
        return {}

    def irrevocable(self, action: Action) -> bool:
        """Whether the table should ask before this action is sent."""
        return False

    def shows(self, events: Sequence[Event]) -> bool:
        """Whether these events showed everybody what was secret before (bids, hands). Draws, and what
        only some may know, need not be named here."""
        return False

    def opens(self, event: Event) -> bool:
        """Whether an event begins another part of the game, such as a round: logs have a heading
        there, and readers go from one to the next."""
        return False

    def announces(self, event: Event) -> bool:
        """Whether everybody should hear of an event at once, whatever they are doing: a lot is won, two
        lines merge."""
        return self.opens(event)

    def marks(self, events: Sequence[Event]) -> list[str]:
        """The elements the board should point out after these events."""
        return []

    def seating(self, state: StateT, seats: int) -> Sequence[int]:
        """The seats in the order in which people sit, clockwise, which a game may settle itself."""
        return range(seats)

    def standing_refusal(self, state: StateT, decision: Decision) -> tuple[str, Action] | None:
        """For a decision that is an offer to object: its subject (such as a line) and the action
        that declines. Tables use it for time limits and for "never ask me about this". The time
        runs for everybody whom the same step asks, and again when another step asks."""
        return None

    @cached_property
    def ahead(self) -> Premoves[StateT]:
        """What it says of decisions before they are due."""
        return Premoves()

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

    def check(self) -> None:
        """Raise `KursbuchError` if the title contradicts itself; a family adds what its titles must keep."""

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

    @cached_property
    def _any_action(self) -> Any:
        return self.action_type | Correct if self.corrections else self.action_type

    @cached_property
    def _action_decoder(self) -> msgspec.msgpack.Decoder[Action]:
        return msgspec.msgpack.Decoder(self._any_action)

    def malformed(self, action: Action) -> IllegalAction | None:
        """What is wrong with an action built with fields of the wrong kind, as `action_from_json`
        would say it; None if nothing is."""
        why = self._misshapen(action)
        return None if why is None else IllegalAction("", NO_ACTION, title=self.name, why=why)

    def _misshapen(self, action: Action) -> str | None:
        """Why an action cannot be written and read again as the same one; None if it can."""
        try:
            same = self._action_decoder.decode(self.encoder.encode(action))
        except UnicodeEncodeError:
            return "it has a text that is not Unicode"
        except (msgspec.MsgspecError, TypeError, ValueError, OverflowError) as error:
            return str(error)
        return None if same == action else f"{same} is not {action}"

    def action_from_json(self, data: object) -> Action:
        """The action of a JSON form; `KursbuchError` says what is wrong with it."""
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
