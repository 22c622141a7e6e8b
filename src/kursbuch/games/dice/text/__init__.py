"""What is said about Railroad Dice: log lines, prompts, choices, holdings."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.actions import Action
from kursbuch.core.corrections import Field, seat_of
from kursbuch.core.events import Event, Payment
from kursbuch.core.state import Decision
from kursbuch.core.voice import Card, Ending, Panel, Pick, Row, Sheet, Stretch, Summary, Voice
from kursbuch.core.words import N_, Words
from kursbuch.games.dice.corrections import KINDS, NO_DIRECTOR
from kursbuch.games.dice.events import (
    DiceReturned,
    IncomeTaken,
    ShareBought,
    StationBuilt,
    TileOpened,
    TrackLaid,
)
from kursbuch.games.dice.geography import Geography
from kursbuch.games.dice.premoves import TILE
from kursbuch.games.dice.state import DiceState, Reduction
from kursbuch.games.dice.text.choices import Choices
from kursbuch.games.dice.text.log import Statistics
from kursbuch.games.dice.text.names import Names
from kursbuch.games.dice.text.panels import About, panels, summaries

#: The faces of dice, as they are called where dice are corrected.
_SIGNS = {
    "straight": N_("straight"),
    "curve": N_("curve"),
    "share": N_("share"),
    "question": N_("question mark"),
}


class DiceVoice(Voice[DiceState]):
    """What is said about Railroad Dice to one reader."""

    score_unit = "points"
    corrections = KINDS

    def __init__(self, geography: Geography, words: Words) -> None:
        super().__init__(words)
        self.names = Names(geography.board, words)
        self.choices = Choices(geography, self.names)
        self.sums = Statistics(self.names)

    def trigger(self, name: str) -> str:
        if name == TILE:
            return self._("somebody opens a new tile")
        return self._("the year is over")

    @property
    def speaker(self) -> Names:
        return self.names

    def spoken(self, field: Field, value: str) -> str:
        match field.of:
            case "company":
                return self.names.company(value)
            case "tile":
                return self.names.tile(value)
            case "stock":
                terrain, _, cost = value.partition(" ")
                return f"{self.names.surroundings(terrain)} {cost}"
            case "director" if value == NO_DIRECTOR:
                return self._("nobody")
            case "dice" if value != "supply":
                who, _, place = value.rpartition(" ")
                seat = seat_of(who)
                name = "" if seat is None else self.name(seat)
                if place == "behind":
                    return self._("behind the screen of {name}", name=name)
                sign = self._(_SIGNS[place])
                return self._("in front of the screen of {name} ({sign})", name=name, sign=sign)
        if value == "supply":
            return self._("the bank")
        return super().spoken(field, value)

    def prompt(self, state: DiceState, decision: Decision) -> str:
        """What the seat has to decide now."""
        return self.choices.prompt(state.agenda[-1], state)

    def pick(self, state: DiceState, action: Action) -> Pick:
        """How an action is pointed at on the board, and its text."""
        return self.choices.pick(action, state) or super().pick(state, action)

    def task(self, state: DiceState, decision: Decision) -> str:
        if isinstance(state.agenda[-1], Reduction):
            return self._("return dice")
        return self._("play the turn of the year")

    def amount_label(self, action: Action) -> str:
        """What the amount that goes with an action counts."""
        return self.choices.amount_label(action)

    def card(self, state: DiceState, key: str) -> Card | None:
        """What an element of the board is."""
        return About(self.names).card(state, key)

    def outcome(self, events: Sequence[Event]) -> list[str]:
        """What an action leads to, without the action itself."""
        own = (TrackLaid, StationBuilt, ShareBought, IncomeTaken, DiceReturned, TileOpened)
        return [self.describe(event) for event in events if not isinstance(event, own)]

    def panels(self, state: DiceState) -> list[Panel]:
        """What every player holds, the companies, and the bank."""
        return panels(state, self.names)

    def summaries(self, state: DiceState) -> list[Summary]:
        """A card for each player and each company."""
        return summaries(state, self.names)

    def score_value(self, score: int) -> int:
        """In passengers, as everywhere else, and not in counters."""
        return score * self.names.board.economy.passengers_per_station

    # ---- numbers over time, and the end

    def source(self, event: Payment) -> str:
        """The company whose passengers they are."""
        return self.sums.source(event)

    def stretch(self, events: Sequence[Event]) -> str:
        """A year."""
        return self.sums.stretch(events)

    def figures(self, stretches: Sequence[Stretch]) -> list[Sheet]:
        """What was counted in every year."""
        return self.sums.figures(stretches)

    def highlights(self, events: Sequence[Event]) -> list[Row]:
        """What was greatest in a game."""
        return self.sums.highlights(events)

    def ending(self, state: DiceState, events: Sequence[Event]) -> Ending | None:
        """Why the game is over."""
        return self.sums.ending(events)

    def near_end(self, state: DiceState) -> str:
        """How near the end is."""
        return self.sums.near_end(state)
