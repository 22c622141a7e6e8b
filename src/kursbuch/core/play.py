"""How steps are played: the rules of one kind of step, and what they work with."""

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
            force_setattr(event, "rule", id_)  # no one else has seen the event yet
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


class StepRules(Generic[StateT, StepT]):
    """The rules of one kind of step.

    A step without deciders is automatic: it is run as soon as it is on top. `problem` never changes
    anything and `perform` never refuses, so a refused action cannot leave a half-done change.

    What is allowed is decided in one place, `problem`; `choices` are those of the `candidates` that
    have none. Rules that override `choices` because listing is quicker another way answer for it that
    both agree.
    """

    #: The rule that says whose turn it is in this step, by its id or name.
    turn_rule: ClassVar[str] = WHOSE_TURN
    #: What is to be decided in this step, with its rule: the refusal of actions of other kinds.
    refusal: ClassVar[tuple[str, str]] = ("", N_("This action does not fit the situation."))
    #: Whether what this step does, or whom it asks, follows from something that is secret until then, so
    #: that no one can foresee it: of an action in this step only the first event is foreseen.
    secretive: ClassVar[bool] = False

    def deciders(self, state: StateT, step: StepT) -> Sequence[int]:
        """The seats that have to decide now; empty for an automatic step."""
        return ()

    def volunteers(self, state: StateT, step: StepT) -> Sequence[int]:
        """The seats that may act now although no one waits for them; they are not pending."""
        return ()

    def candidates(self, state: StateT, step: StepT, seat: int) -> Iterable[Choice]:
        """What that seat, a decider or a volunteer, could think of doing, in the order in which it is
        offered: at least everything that is allowed. All amounts of one choice must be equally
        allowed; the lowest stands for them."""
        return ()

    def attempts(
        self, state: StateT, step: StepT, seat: int, keys: Sequence[str]
    ) -> Iterable[Action]:
        """Everything that seat may mean by pointing at elements of the board, the likeliest kind first: `keys`
        are those of `Voice.pick`, in the order in which they were pointed at. Only for what is not allowed,
        to say why; what the `candidates` have need not be named again."""
        return ()

    def choices(self, state: StateT, step: StepT, seat: int) -> list[Choice]:
        """Everything that seat may do now, and nothing else."""
        return [
            choice
            for choice in self.candidates(state, step, seat)
            if self.problem(state, step, choice.action) is None
        ]

    def by_kind(self, state: StateT, step: StepT, seat: int) -> Iterable[Iterable[Choice]]:
        """The same by the type of action. Where listing takes long, what is not looked at is not found out."""
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
        """One of what that seat may do: the kind of action is drawn first, as `weigh` weighs the first of
        each, then one of that kind. Kinds come first because a game may offer a hundred places for one
        thing and three for another."""
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
        """Why the seat of this action, neither a decider nor a volunteer, may not act now. Where that
        is not simply because others are to decide, the step says it with the rule."""
        return IllegalAction(
            self.turn_rule,
            "It is not your turn: {players} must decide now.",
            players=Players(self.deciders(state, step)),
        )

    def perform(self, state: StateT, step: StepT, action: Action, play: Play[StateT]) -> None:
        """Carry out an allowed action."""
        raise NotImplementedError

    def run(self, state: StateT, step: StepT, play: Play[StateT]) -> None:
        """Carry out an automatic step; it must take itself off the agenda."""
        raise NotImplementedError
