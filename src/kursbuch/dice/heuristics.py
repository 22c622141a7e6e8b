"""How good a position of Railroad Dice is for every player, in passenger counters."""

from __future__ import annotations

from kursbuch.dice.geography import Geography
from kursbuch.dice.state import SEATS, DiceState


def evaluate(state: DiceState, geography: Geography) -> list[float]:
    """Counters held plus what the holdings promise."""
    return [float(state.ledger.held("passengers", SEATS[seat])) for seat in range(state.seats)]
