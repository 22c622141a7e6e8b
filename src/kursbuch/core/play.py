"""Rules of a kind of step, and the context in which they run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

from msgspec.structs import force_setattr

from kursbuch.core.actions import Action, Choice
from kursbuch.core.chance import Chance
from kursbuch.core.errors import IllegalAction, Players
from kursbuch.core.events import Event
from kursbuch.core.state import State, Step
from kursbuch.core.words import N_

StateT = TypeVar("StateT", bound="State[Any]")
StepT = TypeVar("StepT", bound=Step)


class Play(Generic[StateT]):
    """The application of one action: the state it changes, its events, and its chance.

    `stated` maps the names by which shared code cites rules to rule ids. Events are kept only if they are `recorded`.
    """

    __slots__ = ("chance", "draws", "events", "recorded", "state", "stated")

    def __init__(
        self,
        state: StateT,
        chance: Chance,
        stated: Mapping[str, str] = MappingProxyType({}),
        *,
        recorded: bool = True,
    ) -> None:
        self.state = state
        self.chance = chance
        self.stated = stated
        self.recorded = recorded
        self.events: list[Event] = []
        self.draws: list[tuple[int, int]] = []

    def emit(self, event: Event) -> None:
        """Record an event, if events are recorded. A rule cited by name (`RuleIndex.stated`) is replaced by its id."""
        if not self.recorded:
            return
        id_ = self.stated.get(event.rule)
        if id_ is not None:
            force_setattr(event, "rule", id_)  # not yet shared
        self.events.append(event)

    def push(self, step: Step) -> None:
        """Push a step on the agenda; it is played first."""
        self.state.agenda.append(step)

    def done(self) -> None:
        """Pop the top step of the agenda."""
        self.state.agenda.pop()

    def draw(self, sides: int) -> int:
        """A uniform draw from 0 to `sides` - 1."""
        value = self.chance.draw(self.state.draws, sides)
        self.state.draws += 1
        self.draws.append((value, sides))
        return value


#: Names of rules cited by the core.
WHOSE_TURN = "whose-turn"
GAME_END = "game-end"


class StepRules(Generic[StateT, StepT]):
    """The rules of one kind of step.

    A step without deciders is automatic and runs as soon as it is on top. `problem` changes nothing and `perform`
    never refuses, so a refused action has no effect.
    """

    #: The rule that says whose turn it is in this step, by its id or name.
    turn_rule: ClassVar[str] = WHOSE_TURN
    #: What is to be decided in this step, with its rule: the refusal of actions of other kinds.
    refusal: ClassVar[tuple[str, str]] = ("", N_("This action is not possible at this point."))
    #: Whether what this step does, or whom it asks, follows from something that is secret until then, so
    #: that no one can foresee it: of an action in this step only the first event is foreseen.
    secretive: ClassVar[bool] = False

    def deciders(self, state: StateT, step: StepT) -> Sequence[int]:
        """Seats that must decide now; empty for an automatic step."""
        return ()

    def volunteers(self, state: StateT, step: StepT) -> Sequence[int]:
        """Seats that may act now without being waited for; they are not pending."""
        return ()

    def candidates(self, state: StateT, step: StepT, seat: int) -> Iterable[Choice]:
        """Possible choices of a decider or volunteer, in display order: at least everything legal. The lowest amount
        of a choice stands for all of them in the legality check."""
        return ()

    def attempts(
        self, state: StateT, step: StepT, seat: int, keys: Sequence[str]
    ) -> Iterable[Action]:
        """Actions the seat may mean by selecting these elements, most likely first, used only to explain a refusal.
        `keys` are those of `Voice.pick` in order of selection; `candidates` need not be repeated."""
        return ()

    def choices(self, state: StateT, step: StepT, seat: int) -> list[Choice]:
        """Exactly what the seat may do now. Overrides for speed must agree with `problem`."""
        return [
            choice
            for choice in self.candidates(state, step, seat)
            if self.problem(state, step, choice.action) is None
        ]

    def by_kind(self, state: StateT, step: StepT, seat: int) -> Iterable[Iterable[Choice]]:
        """The choices grouped by action type; lazily where listing is slow."""
        kinds: dict[type[Action], list[Choice]] = {}
        for choice in self.choices(state, step, seat):
            kinds.setdefault(type(choice.action), []).append(choice)
        return kinds.values()

    def at_random(
        self,
        state: StateT,
        step: StepT,
        seat: int,
        rng: Random,
        weigh: Callable[[Action], float],
    ) -> Choice:
        """A random choice of the seat: first a type of action, weighted by `weigh`, then a choice of that type.
        Otherwise a type with many choices would dominate."""
        begun: list[tuple[Choice, Iterator[Choice]]] = []
        for kind in self.by_kind(state, step, seat):
            others = iter(kind)
            first = next(others, None)
            if first is not None:
                begun.append((first, others))
        weights = [weigh(first.action) for first, _ in begun]
        first, others = rng.choices(begun, weights)[0]
        return rng.choice([first, *others])

    def problem(self, state: StateT, step: StepT, action: Action) -> IllegalAction | None:
        """Why an action of a decider or volunteer is not allowed, with the rule that forbids it; None
        if it is allowed. Actions that are not of this step are left to `super().problem`. Where several
        actions may be meant, it is the `first_refusal` of checks that begin with what is most general."""
        return IllegalAction(*self.refusal)

    def not_asked(self, state: StateT, step: StepT, action: Action) -> IllegalAction:
        """Why a seat that is neither decider nor volunteer may not act now. Override where the reason is not simply
        that others must decide."""
        return IllegalAction(
            self.turn_rule,
            "It is not your turn: {players} must decide now.",
            players=Players(self.deciders(state, step)),
        )

    def perform(self, state: StateT, step: StepT, action: Action, play: Play[StateT]) -> None:
        """Perform a legal action."""
        raise NotImplementedError

    def run(self, state: StateT, step: StepT, play: Play[StateT]) -> None:
        """Run an automatic step, which must remove itself from the agenda."""
        raise NotImplementedError
