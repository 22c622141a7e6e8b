"""What is said about Railroad Dice: log lines, prompts, choices, holdings."""

from __future__ import annotations

from kursbuch.core.actions import Action
from kursbuch.core.events import Event
from kursbuch.core.state import Decision
from kursbuch.core.voice import Panel, Pick, Voice
from kursbuch.core.words import Words
from kursbuch.dice.components import Board
from kursbuch.dice.state import DiceState
from kursbuch.dice.texts.choices import Choices
from kursbuch.dice.texts.holdings import panels
from kursbuch.dice.texts.log import Log
from kursbuch.dice.texts.names import Names


class DiceVoice(Voice[DiceState]):
    """What is said about Railroad Dice to one reader."""

    score_unit = "points"

    def __init__(self, board: Board, words: Words) -> None:
        super().__init__(words)
        self.names = Names(board, words)
        self.log = Log(self.names)
        self.choices = Choices(self.names)

    def describe(self, event: Event) -> str:
        """The log line of an event."""
        return self.log.line(event)

    def prompt(self, state: DiceState, decision: Decision) -> str:
        """What the seat has to decide now."""
        return self.choices.prompt(state.agenda[-1], state)

    def pick(self, state: DiceState, action: Action) -> Pick:
        """How an action is pointed at on the board, and its text."""
        return self.choices.pick(action, state)

    def amount_label(self, action: Action) -> str:
        """What the amount that goes with an action counts."""
        return self.choices.amount_label(action)

    def panels(self, state: DiceState) -> list[Panel]:
        """What every player holds, the companies, and the bank."""
        return panels(state, self.names)

    def written_score(self, score: int) -> str:
        """In passengers, as everywhere else, and not in counters."""
        return self.names.passengers(score)
