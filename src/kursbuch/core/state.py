"""The state of a game: plain data that can be encoded, compared and cloned at any moment."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

from kursbuch.core.ledger import Ledger


class Step(msgspec.Struct, tag_field="step"):
    """One entry of the agenda: a record of what is to be done, without any behaviour.

    How a step is played stands in the `StepRules` its title declares for it.
    """


StepT = TypeVar("StepT", bound=Step)


class State(msgspec.Struct, Generic[StepT], kw_only=True):
    """What every game's state has. What never changes during a game (map, cards, tables) is not here.

    The agenda is a stack: its last step says who must decide. A game is over when it is empty.
    `draws` counts the chance draws made, so that the next one can be found again from the seed.
    `uncorrected` names the corrections of the rules that are not in force, because what follows was
    played by an older edition (docs/records.md).
    """

    seats: int
    agenda: list[StepT]
    ledger: Ledger
    draws: int = 0
    uncorrected: list[str] = []

    def corrected(self, correction: str) -> bool:
        """Whether a correction of the rules, by its id in the index, is in force."""
        return correction not in self.uncorrected


def tag_of(step: Step) -> str:
    """The name of a kind of step."""
    return str(type(step).__struct_config__.tag)


class Decision(msgspec.Struct, frozen=True):
    """Who has to decide, and in which kind of step (the tag of the step)."""

    seat: int
    step: str
