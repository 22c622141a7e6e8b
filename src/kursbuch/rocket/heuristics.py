"""How good a position of Stephenson's Rocket is for every player, in pounds."""

from __future__ import annotations

from kursbuch.rocket.components import Board
from kursbuch.rocket.state import RocketState


def evaluate(state: RocketState, board: Board) -> list[float]:
    """Money held plus what the holdings promise."""
    return [float(state.ledger.held("money", str(seat))) for seat in range(state.seats)]
