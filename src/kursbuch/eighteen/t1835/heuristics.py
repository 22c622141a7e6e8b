"""How good a position of 1835 is for every player, in Mark."""

from __future__ import annotations

from kursbuch.core.actions import Action
from kursbuch.eighteen.actions import OfferTrain, SellShares
from kursbuch.eighteen.t1835.game import Game1835
from kursbuch.eighteen.t1835.state import State1835


def evaluate(game: Game1835, state: State1835) -> list[float]:
    """What every player has."""
    return [float(game.cash(state, seat) + game.worth(state, seat)) for seat in range(state.seats)]


def playout_weight(action: Action) -> float:
    """How likely an action is in a random playout."""
    match action:
        case SellShares():
            return 0.2
        case OfferTrain():
            return 0.1
    return 1.0
