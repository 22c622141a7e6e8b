"""How the steps of Nimm den Zug ask: what is common to the rules of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import StepRules
from kursbuch.core.state import Step
from kursbuch.games.nimm import targets
from kursbuch.games.nimm.actions import UseTarget
from kursbuch.games.nimm.components import Cards
from kursbuch.games.nimm.holdings import NimmPlay
from kursbuch.games.nimm.state import NimmState

StepT = TypeVar("StepT", bound=Step)


class NimmRules(StepRules[NimmState, StepT]):
    """The rules of a step. Whether a target tile may be handed in is the same question in all of
    them; what else is forbidden, the step says itself."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def attempts(
        self, state: NimmState, step: StepT, seat: int, keys: Sequence[str]
    ) -> Iterable[Action]:
        kind, _, name = keys[-1].partition(":")
        return [UseTarget(seat, name)] if kind == "target" else []

    def problem(self, state: NimmState, step: StepT, action: Action) -> IllegalAction | None:
        if isinstance(action, UseTarget):
            return targets.problem(state, self.cards, action)
        return self.step_problem(state, step, action)

    def step_problem(self, state: NimmState, step: StepT, action: Action) -> IllegalAction | None:
        """Why an action other than handing in a target tile is not allowed to somebody who is asked."""
        raise NotImplementedError

    def not_asked(self, state: NimmState, step: StepT, action: Action) -> IllegalAction:
        reason = (
            targets.problem(state, self.cards, action)
            if isinstance(action, UseTarget)
            else self.left_out(state, step, action.seat)
        )
        return reason or super().not_asked(state, step, action)

    def left_out(self, state: NimmState, step: StepT, seat: int) -> IllegalAction | None:
        """Why a seat is not asked, if that is not simply because it is another's turn."""
        return None


class TargetRules(NimmRules[StepT]):
    """The rules of a step in which everybody owns three locomotives: whoever has target tiles may
    hand one in, whoever's turn it is [target-use-1]."""

    def volunteers(self, state: NimmState, step: StepT) -> Sequence[int]:
        return targets.holders(state)

    def choices(self, state: NimmState, step: StepT, seat: int) -> list[Choice]:
        """`candidates` are only what a seat could think of besides handing in target tiles."""
        return [*targets.usable(state, self.cards, seat), *super().choices(state, step, seat)]

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
