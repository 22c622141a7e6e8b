"""What in a stock round of 1835 is worth playing out: the best of every kind of action, and a sale together
with the purchase it is made for."""

from __future__ import annotations

from collections.abc import Mapping

from kursbuch.core.actions import Action
from kursbuch.games.g18xx.actions import BuyShare, Done, Nationalise, SellShares
from kursbuch.games.g18xx.g1835.book import Book1835
from kursbuch.games.g18xx.g1835.heuristics import Appraisal
from kursbuch.games.g18xx.g1835.sales import best_after
from kursbuch.games.g18xx.g1835.state import State1835
from kursbuch.games.g18xx.pieces import PERCENT
from kursbuch.games.g18xx.prospects import Prospects
from kursbuch.games.g18xx.state import StockTurn

#: From this stock round on games are imagined to their end; before, they take long and say little.
FIRST_ROUND = 6

#: How many purchases, nationalisations, and companies whose shares are sold are looked at.
PURCHASES = 3
TAKEN = 1
SALES = 3


def stock_plans(
    book: Book1835,
    prospects: Prospects,
    state: State1835,
    seat: int,
    gains: Mapping[Action, float],
) -> list[tuple[Action, ...]]:
    """The plans for a turn."""
    step = state.agenda[-1]
    if not isinstance(step, StockTurn) or state.round.number < FIRST_ROUND:
        return []
    order = sorted(gains, key=lambda action: -gains[action])
    bought = [action for action in order if isinstance(action, BuyShare)]
    taken = [action for action in order if isinstance(action, Nationalise)]
    sold: dict[str, list[SellShares]] = {}
    for action in order:
        if isinstance(action, SellShares):
            sold.setdefault(action.company, []).append(action)
    sales: list[SellShares] = []
    for offers in [*sold.values()][:SALES]:
        # The best part, and all of it.
        sales += dict.fromkeys((offers[0], max(offers, key=_percent)))
    found: list[tuple[Action, ...]] = [(action,) for action in gains if isinstance(action, Done)]
    found += [(action,) for action in bought[:PURCHASES]]
    found += [(action,) for action in taken[:TAKEN]]
    appraisal = Appraisal(book, prospects, state)
    for sale in sales:
        found.append((sale,))
        if not step.bought:
            following = best_after(appraisal, seat, sale)
            if following is not None:
                found.append((sale, following))
    return [*dict.fromkeys(found)]


def _percent(sale: SellShares) -> int:
    return sum(PERCENT[name] for name in sale.certificates)
