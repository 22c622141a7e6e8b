"""Floating of companies, and their starting capital."""

from __future__ import annotations

from typing import Generic

from kursbuch.core.play import Play
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.components import POOL
from kursbuch.games.g18xx.lookup import Lookup
from kursbuch.games.g18xx.rules.builder import Builder
from kursbuch.games.g18xx.rules.director import Control
from kursbuch.games.g18xx.rules.stock_market import StockMarket
from kursbuch.games.g18xx.state import StateT


class Float(Generic[StateT]):
    """Floating of companies."""

    def __init__(
        self,
        lookup: Lookup[StateT],
        market: StockMarket[StateT],
        control: Control[StateT],
        builder: Builder[StateT],
    ) -> None:
        self.lookup = lookup
        self.market = market
        self.control = control
        self.builder = builder

    def floats(self, state: StateT, company: str) -> bool:
        """Whether a company not yet operating floats now [float]."""
        return 0 < self.needed(state, company) <= self.issued(state, company)

    def issued(self, state: StateT, company: str) -> int:
        """Percentage of a company that has been sold."""
        return 100 - self.lookup.unsold(state, company)

    def needed(self, state: StateT, company: str) -> int:
        """Percentage to be sold for this company to float, 0 if it does not wait for sales
        [float]."""
        found = state.companies[company]
        return 0 if found.operating or found.closed else self.float_percent(state)

    def float_percent(self, state: StateT) -> int:
        """Percentage to be sold for a company to float [float]."""
        return self.lookup.policy.float_percent

    def float_company(self, play: Play[StateT], company: str) -> None:
        """Float a share company: price, treasury, home [float, treasury-at-start]."""
        state = play.state
        state.companies[company].operating = True
        cell = self.market.start_cell(state, company)
        self.market.place_price(state, company, cell)
        treasury = self.paid_percent(state, company) * self.market.par(state, company) // 10
        self.lookup.pay_out(
            play,
            happened.Floated(
                rule="treasury-at-start", company=company, treasury=treasury, cell=cell
            ),
            (company, treasury),
        )
        self.builder.place_homes(play, company)

    def paid_percent(self, state: StateT, company: str) -> int:
        """Percentage for which the bank pays a floating company: all, or what players hold
        [treasury-at-start]."""
        if self.lookup.policy.capital == "all":
            return 100
        percent = self.issued(state, company)
        if state.corrected("treasury-of-shares-held"):
            # Shares of a bankrupt player in the pool do not count.
            percent -= self.lookup.percent(state, POOL, company)
        return percent

    def settle(self, play: Play[StateT], company: str) -> None:
        """Settle a purchase: the company may float, then its director may change [float,
        director-change]."""
        if self.floats(play.state, company):
            self.float_company(play, company)
        self.control.settle_director(play, company)
