"""What the actions of a turn of 1835 gain: each by itself, or as part of what else it allows."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.actions import Action
from kursbuch.games.g18xx.actions import Dividend, EnterRevenue, OfferTrain
from kursbuch.games.g18xx.g1835 import fleet, sales
from kursbuch.games.g18xx.g1835.book import Book1835
from kursbuch.games.g18xx.g1835.draft import Draft
from kursbuch.games.g18xx.g1835.heuristics import Appraisal
from kursbuch.games.g18xx.g1835.state import PacketTurn, State1835
from kursbuch.games.g18xx.prospects import Prospects
from kursbuch.games.g18xx.state import Pay, RaiseMoney, StockTurn


def gains(
    book: Book1835,
    prospects: Prospects,
    state: State1835,
    seat: int,
    actions: Sequence[Action],
    *,
    whole: bool = True,
) -> list[float]:
    """What each action gains for a player. Turns are judged `whole`, or, which takes a fifth of the time, every
    purchase and sale by itself, and trains of other companies only for those that have none."""
    step = state.agenda[-1]
    if isinstance(step, PacketTurn):
        return Draft(book, state).gains(seat, actions)
    appraisal = Appraisal(book, prospects, state)
    if whole and isinstance(step, StockTurn | RaiseMoney):
        return sales.gains(appraisal, seat, actions)
    return [_gain(appraisal, seat, action, whole) for action in actions]


def _gain(appraisal: Appraisal, seat: int, action: Action, whole: bool) -> float:
    match action:
        case Dividend(pays=pays):
            step = appraisal.state.agenda[-1]
            assert isinstance(step, Pay)
            return fleet.dividend(appraisal, seat, pays, step.revenue)
        case EnterRevenue(pays=pays, revenue=revenue):
            return fleet.dividend(appraisal, seat, pays, revenue)
        case OfferTrain():
            return fleet.offer(appraisal, seat, action, whole)
    return appraisal.gain(seat, action)
