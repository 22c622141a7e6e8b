"""How steps are played: the rules of one kind of step, and what they work with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from msgspec.structs import force_setattr

from kursbuch.core.actions import Action, Choice
from kursbuch.core.chance import Chance
from kursbuch.core.errors import IllegalAction, Players
from kursbuch.core.events import Event
from kursbuch.core.state import State, Step

StateT = TypeVar("StateT", bound="State[Any]")
StepT = TypeVar("StepT", bound=Step)


class Play(Generic[StateT]):
    """The application of one action: the state it changes, the events it causes, its chance.

    `stated` are the ids of rules by the names under which shared code cites them.
    """

    __slots__ = ("chance", "draws", "events", "state", "stated")

    def __init__(
        self, state: StateT, chance: Chance, stated: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.state = state
        self.chance = chance
        self.stated = stated
        self.events: list[Event] = []
        self.draws: list[tuple[int, int]] = []

    def emit(self, event: Event) -> None:
        """Report something that happened. A rule cited by a name (`RuleIndex.stated`) gets its id."""
        id_ = self.stated.get(event.rule)
        if id_ is not None:
            force_setattr(event, "rule", id_)  # nobody else has seen the event yet
        self.events.append(event)

    def push(self, step: Step) -> None:
        """Put a step on top of the agenda: it is played before everything below it."""
        self.state.agenda.append(step)

    def done(self) -> None:
        """Take the top step off the agenda."""
        self.state.agenda.pop()

    def draw(self, sides: int) -> int:
        """A number from 0 to `sides` - 1, all equally likely."""
        value = self.chance.draw(self.state.draws, sides)
        self.state.draws += 1
        self.draws.append((value, sides))
        return value


#: Names under which the core cites rules: who may act when, and that the end of the game is the end.
WHOSE_TURN = "whose-turn"
GAME_END = "game-end"


class StepRules(ABC, Generic[StateT, StepT]):
    """The rules of one kind of step.

    A step without deciders is automatic: it is run as soon as it is on top. `check` never changes
    anything and `perform` never refuses, so a refused action cannot leave a half-done change.
    """

    @abstractmethod
    def deciders(self, state: StateT, step: StepT) -> Sequence[int]:
        """The seats that have to decide now; empty for an automatic step."""

    def volunteers(self, state: StateT, step: StepT) -> Sequence[int]:
        """The seats that may act now although nobody waits for them; they are not pending."""
        return ()

    def choices(self, state: StateT, step: StepT, seat: int) -> list[Choice]:
        """Everything that seat, a decider or a volunteer, may do now, and nothing else."""
        return []

    def not_asked(self, state: StateT, step: StepT, action: Action) -> IllegalAction:
        """Why the seat of this action, neither a decider nor a volunteer, may not act now. Where that
        is not simply because others are to decide, the step says it with the rule."""
        return IllegalAction(
            WHOSE_TURN,
            "It is not your turn: {players} must decide now.",
            players=Players(self.deciders(state, step)),
        )

    def check(self, state: StateT, step: StepT, action: Action) -> None:
        """Raise `IllegalAction` naming the rule if the action is not allowed."""
        raise IllegalAction("", "This action does not fit the situation.")

    def perform(self, state: StateT, step: StepT, action: Action, play: Play[StateT]) -> None:
        """Carry out an allowed action."""
        raise NotImplementedError

    def run(self, state: StateT, step: StepT, play: Play[StateT]) -> None:
        """Carry out an automatic step; it must take itself off the agenda."""
        raise NotImplementedError
