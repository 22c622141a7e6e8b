"""What happened in a stretch of a game of Nimm den Zug, and what is still to come, in numbers."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.events import Event, Payment
from kursbuch.core.tally import Tally
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.components import Cards
from kursbuch.games.nimm.evaluation import expectations
from kursbuch.games.nimm.state import NimmState


def tally(cards: Cards, state: NimmState, events: Sequence[Event]) -> Tally:
    """Money paid and expected by kind, prices by locomotive; buyers, and wagons coupled by each player."""
    found = Tally(state.seats)
    for event in events:
        match event:
            case (
                happened.LocoSold(seat=seat, loco=loco)
                | happened.ChoiceBought(seat=seat, loco=loco)
            ):
                found.pay(("price", loco), event.amounts)
                found.count(("loco", loco, str(seat)))
            case happened.DraftShown(seat=seat, locos=locos):
                for loco in locos:
                    found.count(("loco", loco, str(seat)))
            case happened.ChoiceMissed() | happened.DraftPaid():
                found.pay(("locos",), event.amounts)
            case happened.ProfitPaid():
                found.pay(("profit",), event.amounts)
            case happened.SparePaid():
                found.pay(("spares",), event.amounts)
            case happened.TargetUsed():
                found.pay(("targets",), event.amounts)
            case happened.CardsReplaced():
                found.pay(("replaced",), event.amounts)
            case happened.BonusTaken():
                found.pay(("bonus",), event.amounts)
            case happened.WagonCoupled(seat=seat):
                found.count(("wagons", "", str(seat)))
            case happened.MultiplierLaid(seat=seat):
                found.count(("multipliers", "", str(seat)))
            case Payment():
                found.pay(("others",), event.amounts)
    for key, amounts in expectations(state, cards):
        found.pay(key, amounts)
    return found
