"""The stock market: share prices and their moves [price-stack]."""

from __future__ import annotations

from typing import Generic

from kursbuch.core.play import Play
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.components import PACKET, PERCENT, PLAYERS, POOL, STACK
from kursbuch.games.g18xx.lookup import Lookup
from kursbuch.games.g18xx.state import StateT


class StockMarket(Generic[StateT]):
    """Par, prices, and the cells to which price markers move. Texts and sheets use the
    `cell_after_…` methods as well, so a title overrides those rather than the methods that move a
    marker."""

    def __init__(self, lookup: Lookup[StateT]) -> None:
        self.lookup = lookup
        self.chart = lookup.chart

    def par(self, state: StateT, company: str) -> int:
        """Par of a company: the issue price of 10 percent, 0 until it is set [new-share]. By
        default it is part of the data; a title in which players set it keeps it in its state."""
        return self.lookup.public[company].par

    def start_cell(self, state: StateT, company: str) -> str:
        """Starting cell of a company's price marker, empty until it is set."""
        return self.lookup.public[company].cell

    def price(self, state: StateT, company: str) -> int:
        """Market price of 10 percent of a company, 0 if it has none."""
        cell = state.companies[company].cell
        return self.chart.price[cell] if cell else 0

    def value(self, state: StateT, company: str, certificate: str) -> int:
        """Market value of a certificate."""
        return PERCENT[certificate] * self.price(state, company) // 10

    def final_price(self, state: StateT, company: str) -> int:
        """Value of 10 percent of a company at the final scoring [final-worth]."""
        return self.price(state, company)

    def final_percents(self, state: StateT, company: str) -> list[int]:
        """Percentage of a company that counts for each player at the final scoring
        [final-worth]."""
        return self.lookup.percents(state, company)

    def worth(self, state: StateT) -> list[int]:
        """Value of every player's shares at market price [final-worth]."""
        tenths = [0] * state.seats
        for name in self.lookup.public:
            price = self.final_price(state, name)
            if price:
                for seat, percent in enumerate(self.final_percents(state, name)):
                    tenths[seat] += percent * price
        return [amount // 10 for amount in tenths]

    def wealth(self, state: StateT) -> list[int]:
        """Wealth of every player at the final scoring: cash, noted credits, shares
        [final-worth]."""
        items = state.ledger.items
        money, notes = items["money"], items["note"]
        return [
            money.get(holder, 0) + notes.get(holder, 0) + worth
            for holder, worth in zip(PLAYERS, self.worth(state), strict=False)
        ]

    def unsettled(self, state: StateT) -> list[int]:
        """Price paid by every player for holdings without market value yet: privates and minors at
        face value, shares of companies without a market price at par."""
        found = self.lookup.face_values(state)
        for name in self.lookup.public:
            if not self.price(state, name):
                par = self.par(state, name)
                for seat, percent in enumerate(self.lookup.percents(state, name)):
                    found[seat] += percent * par // 10
        return found

    def in_order(self, state: StateT) -> list[str]:
        """Operating share companies in operating order [operating-order]."""
        if self.lookup.policy.order == "data":
            return [name for name in self.lookup.public if state.companies[name].operating]
        cells = sorted(state.chart, key=self.chart.rank.__getitem__)
        return [
            company
            for cell in cells
            for company in state.chart[cell]
            if state.companies[company].operating
        ]

    # ---- what is paid

    def income(self, state: StateT, private: str) -> int:
        """Income of a private per operating round [private-income]."""
        return self.lookup.components.privates[private].income

    def dividend_percent(self, state: StateT, company: str, seat: int) -> int:
        """Percentage of the revenue that a player receives [dividend]."""
        return self.lookup.percent(state, PLAYERS[seat], company)

    def round_income(self, state: StateT, seat: int) -> int:
        """Income of a player per operating round if all companies pay out their last revenues."""
        lookup = self.lookup
        income = sum(
            found.revenue * self.dividend_percent(state, name, seat) // 100
            for name in lookup.public
            if (found := state.companies[name]).operating
        )
        for paper in lookup.privates_and_minors(state, seat):
            if lookup.is_minor(paper):
                income += state.companies[paper].revenue // 2
            else:
                income += self.income(state, paper)
        return income

    # ---- what moves a price

    def cell_after_dividend(self, state: StateT, company: str, revenue: int) -> str:
        """Cell after a dividend: one to the right, or up [price-after-dividend]."""
        return self.chart.right[state.companies[company].cell]

    def cell_after_withholding(self, state: StateT, company: str) -> str:
        """Cell after withholding: one to the left, or down [price-after-withholding]."""
        return self.chart.left[state.companies[company].cell]

    def cell_after_sale(self, state: StateT, company: str, percent: int) -> str:
        """Cell after a sale of any size: one down [price-after-sale]."""
        cell = state.companies[company].cell
        return self.chart.down.get(cell, "") if self.lookup.policy.sale_lowers_price else cell

    def cell_after_stock_round(self, state: StateT, company: str) -> str:
        """Cell after a stock round: one up if players hold all shares [price-when-sold-out]."""
        cell = state.companies[company].cell
        places = (STACK, PACKET, POOL)
        if not self.lookup.policy.sold_out_raises_price or any(
            self.lookup.percent(state, place, company) for place in places
        ):
            return cell
        return self.chart.up[cell]

    def after_dividend(self, play: Play[StateT], company: str, revenue: int) -> None:
        """Move the marker after a dividend [price-after-dividend]."""
        cell = self.cell_after_dividend(play.state, company, revenue)
        self.move_price(play, company, cell, "dividend", "price-after-dividend")

    def after_withholding(self, play: Play[StateT], company: str) -> None:
        """Move the marker after withholding [price-after-withholding]."""
        cell = self.cell_after_withholding(play.state, company)
        self.move_price(play, company, cell, "saved", "price-after-withholding")

    def after_sale(self, play: Play[StateT], company: str, percent: int) -> None:
        """Move the marker after a sale [price-after-sale]."""
        cell = self.cell_after_sale(play.state, company, percent)
        self.move_price(play, company, cell, "sold", "price-after-sale")

    def after_stock_round(self, play: Play[StateT]) -> None:
        """Move the markers after a stock round [price-when-sold-out]."""
        for company in self.in_order(play.state):
            cell = self.cell_after_stock_round(play.state, company)
            self.move_price(play, company, cell, "sold-out", "price-when-sold-out")

    # ---- markers

    def place_price(self, state: StateT, company: str, cell: str) -> None:
        """Put a price marker on a cell, below those already there [price-at-start, price-stack]."""
        state.companies[company].cell = cell
        state.chart.setdefault(cell, []).append(company)

    def take_price(self, state: StateT, company: str) -> None:
        """Take a price marker off the chart."""
        cell, state.companies[company].cell = state.companies[company].cell, ""
        stack = state.chart.get(cell, [])
        if company in stack:
            stack.remove(company)
            if not stack:
                del state.chart[cell]

    def move_price(self, play: Play[StateT], company: str, cell: str, why: str, rule: str) -> None:
        """Move a price marker to a cell; one that stays keeps its place in the stack
        [price-stack]."""
        state = play.state
        before = state.companies[company].cell
        if cell == before:
            return
        self.take_price(state, company)
        self.place_price(state, company, cell)
        play.emit(
            happened.PriceMoved(
                rule=rule,
                company=company,
                before=before,
                after=cell,
                price=self.chart.price[cell],
                why=why,
            )
        )
