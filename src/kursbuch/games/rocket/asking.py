"""What is common to the rules of the steps of Stephenson's Rocket."""

from __future__ import annotations

from typing import TypeVar

from kursbuch.core.play import StepRules
from kursbuch.core.state import Step
from kursbuch.games.rocket.geography import Boards
from kursbuch.games.rocket.state import RocketState

StepT = TypeVar("StepT", bound=Step)


class RocketRules(StepRules[RocketState, StepT]):
    """The rules of a step, and the boards they are about."""

    def __init__(self, boards: Boards) -> None:
        self.boards = boards
