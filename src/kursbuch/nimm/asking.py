"""How the steps of Nimm den Zug ask: what is common to the rules of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import StepRules
from kursbuch.core.state import Step
from kursbuch.nimm import targets
from kursbuch.nimm.actions import UseTarget
from kursbuch.nimm.components import Cards
from kursbuch.nimm.holdings import NimmPlay
from kursbuch.nimm.state import NimmState

StepT = TypeVar("StepT", bound=Step)


class NimmRules(StepRules[NimmState, StepT]):
    """The rules of a step. Whether a target tile may be handed in does not depend on the step; what
    else is forbidden in it says `objection`, to whoever tries it."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def deciders(self, state: NimmState, step: StepT) -> Sequence[int]:
        return ()

    def candidates(self, state: NimmState, step: StepT, seat: int) -> Iterable[Choice]:
        """What a seat that is asked, or may volunteer, might do; `problem` sorts it out."""
        return ()

    def choices(self, state: NimmState, step: StepT, seat: int) -> list[Choice]:
        return [
            choice
            for choice in self.candidates(state, step, seat)
            if self.problem(state, step, choice.action) is None
        ]

    def problem(self, state: NimmState, step: StepT, action: Action) -> IllegalAction | None:
        """Why an action is not allowed now; None if it is."""
        if isinstance(action, UseTarget):
            return targets.problem(state, self.cards, action)
        return self.objection(state, step, action)

    def objection(self, state: NimmState, step: StepT, action: Action) -> IllegalAction | None:
        """Why an action other than handing in a target tile is not allowed."""
        raise NotImplementedError

    def check(self, state: NimmState, step: StepT, action: Action) -> None:
        problem = self.problem(state, step, action)
        if problem is not None:
            raise problem


class TargetRules(NimmRules[StepT]):
    """The rules of a step in which everybody owns three locomotives: whoever has target tiles may
    hand one in, whoever's turn it is [target-use-1]."""

    def volunteers(self, state: NimmState, step: StepT) -> Sequence[int]:
        return targets.holders(state)

    def candidates(self, state: NimmState, step: StepT, seat: int) -> Iterable[Choice]:
        yield from targets.usable(state, self.cards, seat)
        yield from self.moves(state, step, seat)

    def moves(self, state: NimmState, step: StepT, seat: int) -> Iterable[Choice]:
        """What a seat might do besides handing in target tiles."""
        raise NotImplementedError

    def perform(self, state: NimmState, step: StepT, action: Action, play: NimmPlay) -> None:
        if isinstance(action, UseTarget):
            targets.use(state, self.cards, action, play)
            self.after_target(state, step, play)
        else:
            self.move(state, step, action, play)

    def after_target(self, state: NimmState, step: StepT, play: NimmPlay) -> None:
        """What follows a target tile in this step."""

    def move(self, state: NimmState, step: StepT, action: Action, play: NimmPlay) -> None:
        """Carry out an allowed action other than handing in a target tile."""
        raise NotImplementedError
