"""What dealing in shares brings in 1853, for computer opponents."""

from __future__ import annotations

from functools import cached_property

from kursbuch.games.g18xx.actions import BuyShare, SellShares
from kursbuch.games.g18xx.g1853.actions import Redeem
from kursbuch.games.g18xx.g1853.estimates import Estimates
from kursbuch.games.g18xx.g1853.facts import SINGLE
from kursbuch.games.g18xx.pieces import PLAYERS, POOL, STACK

#: What it is worth to direct a company.
POST = 40.0

#: How much less a share is worth that may not come to run.
WAITING = 0.5

#: What is lost by a sale beside the share, so that nobody sells and buys to and fro.
TROUBLE = 8.0


class Dealing:
    """Shares bought, sold and redeemed by one player."""

    def __init__(self, estimates: Estimates, seat: int) -> None:
        self.estimates = estimates
        self.book = estimates.book
        self.state = estimates.state
        self.seat = seat
        self.needed = self.book.components.players[self.state.seats].float_percent // 10
        self._worth: dict[str, float] = {}

    def price(self, company: str, source: str) -> int:
        """What a share costs."""
        return self.book.shares.purchase_price(self.state, company, SINGLE, source)

    def begins(self, company: str) -> float:
        """How likely it is that a company begins in this stock round if the player buys a share."""
        book, state = self.book, self.state
        if state.companies[company].operating or company in state.founded:
            return 1.0
        missing = self.needed - (10 - book.unsold(state, company) // 10)
        par = book.public[company].par
        mine = book.cash(state, self.seat) // par
        if missing <= mine:
            return 1.0
        others = sum(
            book.cash(state, other) // par
            for other in range(state.seats)
            if other != self.seat and book.shares_of(state, other, company)
        )
        return 0.8 if missing <= mine + others else 0.25

    def worth(self, company: str) -> float:
        """What one share is worth to the player."""
        found = self._worth.get(company)
        if found is None:
            found = self._worth[company] = self._worth_of(company)
        return found

    def _worth_of(self, company: str) -> float:
        value = self.estimates.share_value(company)
        likely = self.begins(company)
        par = self.book.public[company].par
        return value * likely + (1 - likely) * WAITING * par

    def buy(self, action: BuyShare) -> float:
        """A share: what it will bring, less its price; more if the player directs the company by
        it."""
        book, state, seat = self.book, self.state, self.seat
        company = action.company
        gain = self.worth(company) - self.price(company, action.source)
        mine = book.shares_of(state, seat, company) + 1
        others = max(
            book.shares_of(state, other, company) for other in range(state.seats) if other != seat
        )
        director = book.control.director(state, company)
        if director == seat:
            if others == mine - 1:
                # Somebody could take the company over.
                gain += 0.5 * POST
        elif mine >= 2 and mine > others:
            gain += POST * self.begins(company)
        elif director is None and mine < 2 and state.companies[company].operating:
            gain -= 0.5 * POST
        return gain

    def best_purchase(self, sale: SellShares | None = None) -> tuple[float, BuyShare | None]:
        """The purchase that gains most, now or after a sale, and what it gains: 0 without one. Who has sold
        shares of a company buys none in that round."""
        shares, state, seat = self.book.shares, self.state, self.seat
        cash, papers, sold = self.book.cash(state, seat), 1, ""
        if sale is not None:
            count, sold = len(sale.certificates), sale.company
            cash += count * shares.sale_price(state, sold, None)
            papers -= 0 if shares.exempt(state, sold) else count
        room = shares.has_room(state, seat, papers)
        possible = [
            (gain, purchase)
            for cost, gain, purchase in self._purchases
            if cost <= cash and gain > 0 and purchase.company != sold
            if room or shares.exempt(state, purchase.company)
        ]
        return max(possible, key=lambda each: each[0], default=(0.0, None))

    @cached_property
    def _purchases(self) -> list[tuple[int, float, BuyShare]]:
        """The shares that the player could take if he had money and room: what they cost and would gain."""
        book, state, seat = self.book, self.state, self.seat
        most = book.components.players[state.seats].per_company
        found = [
            BuyShare(seat, company, SINGLE, source)
            for company in book.public
            if company not in state.round.sold[seat]
            if book.shares.exempt(state, company) or book.shares_of(state, seat, company) < most
            for source in (STACK, POOL)
            if book.shares.lacking(state, seat, company, source) is None
        ]
        return [(self.price(one.company, one.source), self.buy(one), one) for one in found]

    def sell(self, action: SellShares) -> float:
        """Shares are sold when they bring more than they will be worth, or for something better."""
        book, state, seat = self.book, self.state, self.seat
        company, count = action.company, len(action.certificates)
        price = book.shares.sale_price(state, company, None)
        gain = count * (price - self.worth(company)) - TROUBLE
        mine = book.shares_of(state, seat, company)
        others = max(
            book.shares_of(state, other, company) for other in range(state.seats) if other != seat
        )
        if book.control.director(state, company) == seat and (
            mine - count < max(2, others) or mine - count < others
        ):
            gain -= POST
        step = state.agenda[-1]
        if getattr(step, "bought", False) or state.unredeemed[seat]:
            return gain
        return gain + max(0.0, self.best_purchase(action)[0] - self.best_purchase()[0])

    def redeem(self, action: Redeem) -> float:
        """A share that is not redeemed brings nothing."""
        price = self.book.public[action.company].par
        return action.count * (self.worth(action.company) - price) + 0.1 * action.count * price

    def elephant(self) -> float:
        """What it is worth to begin the next stock round, and to order a round before it."""
        own = self.extra_round()
        return 15.0 + max(0.0, 0.5 * own)

    def extra_round(self) -> float:
        """By how much one more operating round puts the player ahead."""
        total = 0.0
        for company, found in self.state.companies.items():
            if found.operating:
                total += self._round(company) * self.estimates.ahead(self.seat, company)
        return total

    def _round(self, company: str) -> float:
        """What all shares of a company gain in an operating round."""
        book, state = self.book, self.state
        revenue, _ = self.estimates.takings(company, self.estimates.trains(company))
        if not revenue or book.control.director(state, company) is None:
            return 0.0
        cell = state.companies[company].cell
        raised = book.market.raised(cell, book.market.boxes(state, company, revenue))
        return revenue + 10 * (book.chart.price[raised] - book.chart.price[cell])

    def shares(self, company: str) -> int:
        """How many shares the player has."""
        return self.book.percent(self.state, PLAYERS[self.seat], company) // 10
