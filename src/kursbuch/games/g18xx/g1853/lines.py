"""What in 1853 is worth playing out to the end: shares of different companies in the contract bids, and in late
stock rounds the best of every kind of action, and a sale together with the purchase it is made for."""

from __future__ import annotations

from collections.abc import Mapping

from kursbuch.core.actions import Action
from kursbuch.games.g18xx.actions import BuyShare, Done, SellShares
from kursbuch.games.g18xx.g1853.actions import Redeem, WriteCity
from kursbuch.games.g18xx.g1853.dealing import Dealing
from kursbuch.games.g18xx.g1853.estimates import Estimates
from kursbuch.games.g18xx.g1853.state import BidTurn
from kursbuch.games.g18xx.state import StockTurn

#: Of so many companies the best city is looked at.
COMPANIES = 4

#: From this stock round on games are imagined to their end; before, they take long and say little.
FIRST_ROUND = 7

#: How many purchases, and companies whose shares are sold, are looked at.
PURCHASES = 2
SALES = 2


def lines(
    estimates: Estimates, seat: int, gains: Mapping[Action, float]
) -> list[tuple[Action, ...]]:
    """The plans for a decision; the actions come with what they gain."""
    state = estimates.state
    step = state.agenda[-1]
    order = sorted(gains, key=lambda action: -gains[action])
    if isinstance(step, BidTurn):
        return _bids(order)
    if isinstance(step, StockTurn) and state.round.number >= FIRST_ROUND:
        return _turns(Dealing(estimates, seat), order, bought=step.bought)
    return []


def _bids(order: list[Action]) -> list[tuple[Action, ...]]:
    """The best city for a share of each company."""
    best: dict[str, WriteCity] = {}
    for action in order:
        if isinstance(action, WriteCity):
            best.setdefault(action.company, action)
    return [(action,) for action in [*best.values()][:COMPANIES]]


def _turns(dealing: Dealing, order: list[Action], *, bought: bool) -> list[tuple[Action, ...]]:
    found: list[tuple[Action, ...]] = [(action,) for action in order if isinstance(action, Done)]
    found += [(action,) for action in order if isinstance(action, Redeem)][:1]
    found += [(action,) for action in order if isinstance(action, BuyShare)][:PURCHASES]
    sales: dict[str, SellShares] = {}
    for action in order:
        if isinstance(action, SellShares):
            sales.setdefault(action.company, action)
    for sale in [*sales.values()][:SALES]:
        found.append((sale,))
        following = None if bought else dealing.best_purchase(sale)[1]
        if following is not None:
            found.append((sale, following))
    return found
