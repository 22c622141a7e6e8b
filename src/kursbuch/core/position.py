"""A position: a title's state with its chance, and the actions on it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from random import Random
from typing import Any, Generic, TypeVar

from kursbuch.core.actions import Action, Choice
from kursbuch.core.chance import Chance
from kursbuch.core.corrections import NOBODY, Correct, Corrected, kind_of
from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.events import Event
from kursbuch.core.play import GAME_END, WHOSE_TURN, Play, StepRules
from kursbuch.core.state import Decision, State, Step, tag_of
from kursbuch.core.title import Result, Title
from kursbuch.core.words import N_

StateT = TypeVar("StateT", bound="State[Any]")


#: Maximum length of a correction's author name.
MAX_BY = 80

#: Maximum number of consecutive automatic steps; only a correction can cause an endless sequence.
MOST_STEPS = 2000


class Endless(KursbuchError):
    """Automatic steps that never reach a decision."""

    def __init__(self) -> None:
        super().__init__(N_("This would leave no legal move."))


class Position(Generic[StateT]):
    """A state with its chance: who decides, what is legal, what an action does.

    It has no history (see `Game`). Bots and simulations use positions. Events are `recorded` unless a simulation does
    without them.
    """

    __slots__ = ("chance", "recorded", "state", "title")

    def __init__(self, title: Title[StateT], state: StateT, chance: Chance) -> None:
        self.title = title
        self.state = state
        self.chance = chance
        self.recorded = True

    def clone(self, chance: Chance | None = None) -> Position[StateT]:
        """An independent copy, optionally with another chance."""
        return Position(self.title, self.title.clone(self.state), chance or self.chance)

    @property
    def edition(self) -> int:
        """Edition of the rules for the next action (docs/records.md)."""
        without = self.state.uncorrected
        if not without:
            return self.title.edition
        return min(each.edition for each in self.title.rules.corrections if each.id in without) - 1

    @edition.setter
    def edition(self, edition: int) -> None:
        if edition != self.edition:
            self.state.uncorrected = self.title.rules.uncorrected(edition)

    def adopt_newest_edition(self) -> None:
        """Continue under the newest edition of the rules, if a player can act under it."""
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
        """The result; None during the game."""
        return self.title.result(self.state) if self.over else None

    def top(self) -> tuple[Step, StepRules[StateT, Any]]:
        """The current step and its rules; fails when the game is over."""
        step: Step = self.state.agenda[-1]
        return step, self.title.steps[type(step)]

    def deciders(self) -> tuple[int, ...]:
        """Seats that must decide now."""
        if not self.state.agenda:
            return ()
        step, rules = self.top()
        return tuple(rules.deciders(self.state, step))

    def volunteers(self) -> tuple[int, ...]:
        """Seats that may act now without being waited for."""
        if not self.state.agenda:
            return ()
        step, rules = self.top()
        deciders = rules.deciders(self.state, step)
        return tuple(seat for seat in rules.volunteers(self.state, step) if seat not in deciders)

    def pending(self) -> tuple[Decision, ...]:
        """The pending decisions; empty when the game is over."""
        if not self.state.agenda:
            return ()
        step, rules = self.top()
        tag = tag_of(step)
        return tuple([Decision(seat, tag) for seat in rules.deciders(self.state, step)])

    def legal_actions(self, seat: int) -> list[Choice]:
        """Exactly what the seat may do now; empty if it is neither decider nor volunteer."""
        if not self.state.agenda:
            return []
        if not self.may_act(seat):
            return []
        step, rules = self.top()
        return rules.choices(self.state, step, seat)

    def at_random(self, seat: int, rng: Random) -> Choice:
        """A random one of a seat's `legal_actions`, often faster than listing them. Action types are weighted by the
        title's evaluator; choices of a type are equally likely."""
        step, rules = self.top()
        weigh = self.title.evaluator.playout_weight
        return rules.at_random(self.state, step, seat, rng, weigh)

    def may_act(self, seat: int) -> bool:
        """Whether the seat is a decider or a volunteer."""
        if not self.state.agenda:
            return False
        step, rules = self.top()
        return seat in rules.deciders(self.state, step) or seat in rules.volunteers(
            self.state, step
        )

    def problem(self, action: Action) -> IllegalAction | None:
        """Why the action is illegal now, with the violated rule; None if legal. Malformed actions are illegal too."""
        found = self._problem(action)
        return None if found is None else self.cited(found)

    def cited(self, found: IllegalAction) -> IllegalAction:
        """Add the title to a refusal and replace a rule name by its id."""
        found.title, found.terms = self.title.id, self.title.terms
        found.rule = self.title.rules.cite(found.rule)
        if found.rule in (WHOSE_TURN, GAME_END):
            found.rule = ""  # the index states no such rule
        return found

    def _problem(self, action: Action) -> IllegalAction | None:
        malformed = self.title.malformed(action)
        if malformed is not None:
            return malformed
        if isinstance(action, Correct):
            return self._correction_problem(action)
        if action.seat not in range(self.state.seats):
            return IllegalAction(
                "", "There is no seat {number} in this game.", number=action.seat + 1
            )
        if not self.state.agenda:
            return IllegalAction(GAME_END, "The game is over.")
        step, rules = self.top()
        if not self.may_act(action.seat):
            return rules.not_asked(self.state, step, action)
        return rules.problem(self.state, step, action)

    def check(self, action: Action, names: Sequence[str] = ()) -> None:
        """Raise `IllegalAction` if the action is illegal; `names` are the players'."""
        problem = self.problem(action)
        if problem is not None:
            problem.name_players(names)
            raise problem

    def perform(self, action: Action) -> Play[StateT]:
        """Perform a legal action and the automatic steps after it. `Endless` leaves the position in an undefined
        state."""
        play = Play(self.state, self.chance, self.title.rules.stated, recorded=self.recorded)
        if isinstance(action, Correct):
            self._correct(action, play)
            self.run(play)
            return play
        step, rules = self.top()
        rules.perform(self.state, step, action, play)
        self.title.after_step(play)
        self.run(play)
        return play

    def apply(self, action: Action) -> list[Event]:
        """Check and perform an action; return its events."""
        self.check(action)
        return self.perform(action).events

    def run(self, play: Play[StateT]) -> None:
        """Run automatic steps until a decision or the end of the game; raises `Endless`."""
        agenda = self.state.agenda
        steps = self.title.steps
        left = MOST_STEPS
        while agenda:
            left -= 1
            if not left:
                raise Endless
            step = agenda[-1]
            rules = steps[type(step)]
            if rules.deciders(self.state, step):
                return
            rules.run(self.state, step, play)
            self.title.after_step(play)

    # ---- corrections

    def _correction_problem(self, action: Correct) -> IllegalAction | None:
        """Why a correction is not possible now."""
        title, state = self.title, self.state
        kind = kind_of(title.corrections, action.kind)
        if kind is None:
            return IllegalAction(
                "", "Nothing of this kind can be corrected in {title}.", title=title.name
            )
        # The name must survive a round trip through a record.
        named = " ".join(unicodedata.normalize("NFC", action.by).split())
        if (
            action.seat != NOBODY
            or ":" in action.by
            or len(action.by) > MAX_BY
            or action.by != named
            or not named.isprintable()
        ):
            return IllegalAction(
                "", ("A correction belongs to no seat and names at most one person.")
            )
        if not state.agenda:
            return IllegalAction(
                GAME_END, "The game is over: take the last move back before you correct anything."
            )
        return (
            title.uncorrectable(state, action.kind)
            or kind.problem(state, action.values)
            or self._stuck_after(action)
        )

    def _stuck_after(self, action: Correct) -> IllegalAction | None:
        """Why play could not continue after an otherwise valid correction. It is tried on a copy, since corrections
        bypass the rules' invariants."""
        trial = self.clone()
        play = Play(trial.state, self.chance, self.title.rules.stated)
        try:
            trial._correct(action, play)
            trial.run(play)
            seats = trial.deciders()
            able = all(trial.legal_actions(seat) for seat in seats) and bool(seats) != trial.over
            self.title.scores(trial.state)
        except Endless as error:
            return IllegalAction("", str(error.template))
        except KursbuchError:
            raise
        except Exception:
            able = False
        if able:
            return None
        return IllegalAction("", "The game could not go on after this correction.")

    def _correct(self, action: Correct, play: Play[StateT]) -> None:
        title, state = self.title, self.state
        kind = kind_of(title.corrections, action.kind)
        assert kind is not None
        before = title.purses(state)
        kind.perform(play, kind.chosen(action.values))
        amounts = tuple(now - then for now, then in zip(title.purses(state), before, strict=True))
        event = Corrected(
            rule="", kind=action.kind, values=action.values, by=action.by, amounts=amounts
        )
        play.events.insert(0, event)
        title.after_step(play)
        title.corrected(play)
