"""A position: a title's state and what can be done with it. The engine under every use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from kursbuch.core.actions import Action, Choice
from kursbuch.core.chance import Chance
from kursbuch.core.errors import IllegalAction
from kursbuch.core.events import Event
from kursbuch.core.play import GAME_END, WHOSE_TURN, Play, StepRules
from kursbuch.core.state import Decision, State, Step
from kursbuch.core.title import Result, Title

StateT = TypeVar("StateT", bound="State[Any]")


class Position(Generic[StateT]):
    """A state of a title with its chance: who decides, what is allowed, what an action does.

    It keeps no history; `Game` does. Bots and simulations work on positions.
    """

    __slots__ = ("chance", "state", "title")

    def __init__(self, title: Title[StateT], state: StateT, chance: Chance) -> None:
        self.title = title
        self.state = state
        self.chance = chance

    def clone(self, chance: Chance | None = None) -> Position[StateT]:
        """An independent copy, with another chance if one is given."""
        return Position(self.title, self.title.clone(self.state), chance or self.chance)

    @property
    def edition(self) -> int:
        """The edition of the rules by which the next action is judged (docs/records.md)."""
        without = self.state.uncorrected
        if not without:
            return self.title.edition
        return min(each.edition for each in self.title.rules.corrections if each.id in without) - 1

    @edition.setter
    def edition(self, edition: int) -> None:
        if edition != self.edition:
            self.state.uncorrected = self.title.rules.uncorrected(edition)

    def come_over(self) -> None:
        """Go on by the newest edition of the rules, if somebody can do something under it."""
        older = self.state.uncorrected
        if older:
            self.state.uncorrected = []
            if not any(self.legal_actions(seat) for seat in self.deciders()):
                self.state.uncorrected = older

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.state.agenda

    @property
    def result(self) -> Result | None:
        """The result, None while the game goes on."""
        return self.title.result(self.state) if self.over else None

    def _top(self) -> tuple[Step, StepRules[StateT, Any]]:
        step: Step = self.state.agenda[-1]
        return step, self.title.steps[type(step)]

    def deciders(self) -> tuple[int, ...]:
        """The seats that have to decide now."""
        if not self.state.agenda:
            return ()
        step, rules = self._top()
        return tuple(rules.deciders(self.state, step))

    def volunteers(self) -> tuple[int, ...]:
        """The seats that may act now although nobody waits for them."""
        if not self.state.agenda:
            return ()
        step, rules = self._top()
        deciders = rules.deciders(self.state, step)
        return tuple(seat for seat in rules.volunteers(self.state, step) if seat not in deciders)

    def pending(self) -> tuple[Decision, ...]:
        """Who has to decide what; empty when the game is over."""
        if not self.state.agenda:
            return ()
        tag = str(type(self.state.agenda[-1]).__struct_config__.tag)
        return tuple(Decision(seat, tag) for seat in self.deciders())

    def legal_actions(self, seat: int) -> list[Choice]:
        """Everything the seat may do now; empty if it neither has to decide nor may volunteer."""
        if not self.state.agenda:
            return []
        step, rules = self._top()
        if not self._may_act(step, rules, seat):
            return []
        return rules.choices(self.state, step, seat)

    def _may_act(self, step: Step, rules: StepRules[StateT, Any], seat: int) -> bool:
        return seat in rules.deciders(self.state, step) or seat in rules.volunteers(
            self.state, step
        )

    def problem(self, action: Action) -> IllegalAction | None:
        """Why the action is not allowed now, with the rule that forbids it; None if it is allowed.
        Whoever built it: actions with fields of the wrong kind have a problem, too."""
        found = self._problem(action)
        if found is not None:
            found.title = self.title.id
            found.rule = self.title.rules.cite(found.rule)
            if found.rule in (WHOSE_TURN, GAME_END):
                found.rule = ""  # an index that does not state what the core cites
        return found

    def _problem(self, action: Action) -> IllegalAction | None:
        malformed = self.title.malformed(action)
        if malformed is not None:
            return malformed
        if action.seat not in range(self.state.seats):
            return IllegalAction(
                "", "There is no seat {number} in this game.", number=action.seat + 1
            )
        if not self.state.agenda:
            return IllegalAction(GAME_END, "The game is over.")
        step, rules = self._top()
        if not self._may_act(step, rules, action.seat):
            return rules.not_asked(self.state, step, action)
        return rules.problem(self.state, step, action)

    def check(self, action: Action, names: Sequence[str] = ()) -> None:
        """Raise the problem of an action that is not allowed now; `names` are those at the table."""
        problem = self.problem(action)
        if problem is not None:
            problem.name_players(names)
            raise problem

    def perform(self, action: Action) -> Play[StateT]:
        """Carry out an action known to be legal, and every automatic step that follows."""
        play = Play(self.state, self.chance, self.title.rules.stated)
        step, rules = self._top()
        rules.perform(self.state, step, action, play)
        self.title.after_step(play)
        self.run(play)
        return play

    def apply(self, action: Action) -> list[Event]:
        """Check an action and carry it out; returns what happened."""
        self.check(action)
        return self.perform(action).events

    def run(self, play: Play[StateT]) -> None:
        """Run automatic steps until somebody has to decide or the game is over."""
        agenda = self.state.agenda
        steps = self.title.steps
        while agenda:
            step = agenda[-1]
            rules = steps[type(step)]
            if rules.deciders(self.state, step):
                return
            rules.run(self.state, step, play)
            self.title.after_step(play)
