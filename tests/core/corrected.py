"""Stephenson's Rocket with two imagined corrections, in the second and third edition of its rules."""

from __future__ import annotations

from functools import cached_property

from kursbuch.core.actions import Action
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play
from kursbuch.core.rulebook import RuleIndex
from kursbuch.games.rocket import Rocket
from kursbuch.games.rocket.actions import PlaceStation, TakeToken
from kursbuch.games.rocket.state import RocketState, Turn
from kursbuch.games.rocket.steps import TurnRules

INDEX = """
game = { id = "rocket", title = "Corrected", players = [2, 4] }
[[rule]]
id = "token-1"
kind = "rule"
summary = "Tokens."
[[rule]]
id = "station-1"
kind = "rule"
summary = "Stations."
[[correction]]
id = "no-manchester"
edition = 2
rule = "token-1"
text = "Manchester remains closed."
text_de = "Manchester bleibt zu."
[[correction]]
id = "long-building"
edition = 3
rule = "station-1"
text = "Building a station ends the turn."
text_de = "Nach dem Bau eines Bahnhofs ist der Zug zu Ende."
"""


class CorrectedTurn(TurnRules):
    """No one takes Manchester, and a station takes a whole turn."""

    def problem(self, state: RocketState, step: Turn, action: Action) -> IllegalAction | None:
        if (
            state.corrected("no-manchester")
            and isinstance(action, TakeToken)
            and action.metropolis == "Manchester"
        ):
            return IllegalAction("token-1", "{name} is closed.", name="Manchester")
        return super().problem(state, step, action)

    def perform(
        self, state: RocketState, step: Turn, action: Action, play: Play[RocketState]
    ) -> None:
        super().perform(state, step, action, play)
        if state.corrected("long-building") and isinstance(action, PlaceStation):
            step.action = 3


class Corrected(Rocket):
    """The title."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = {**self.steps, Turn: CorrectedTurn(self.boards)}

    @cached_property
    def rules(self) -> RuleIndex:
        return RuleIndex.parse(INDEX, "corrected.toml")


CORRECTED = Corrected()
