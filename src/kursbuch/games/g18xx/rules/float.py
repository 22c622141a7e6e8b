"""When a company begins, and with what."""

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
    """Companies going into operation."""

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
        """Whether a company that is not in operation has to begin now [float]."""
        return 0 < self.needed(state, company) <= self.issued(state, company)

    def issued(self, state: StateT, company: str) -> int:
        """The percentage of a company that has been sold."""
        return 100 - self.lookup.unsold(state, company)

    def needed(self, state: StateT, company: str) -> int:
        """The percentage that has to be sold for this company to begin, 0 if it waits for no sale
        [float]."""
        found = state.companies[company]
        return 0 if found.operating or found.closed else self.float_percent(state)

    def float_percent(self, state: StateT) -> int:
        """The percentage that has to be sold for a company to begin [float]."""
        return self.lookup.policy.float_percent

    def float_company(self, play: Play[StateT], company: str) -> None:
        """A share company goes into operation: price, treasury, home [float, treasury-at-start]."""
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
        """The percentage for which the bank pays a company that begins: all, or what players have
        [treasury-at-start]."""
        if self.lookup.policy.capital == "all":
            return 100
        percent = self.issued(state, company)
        if state.corrected("treasury-of-shares-held"):
            # What a bankrupt player has left in the pool is in no player's hands.
            percent -= self.lookup.percent(state, POOL, company)
        return percent

    def settle(self, play: Play[StateT], company: str) -> None:
        """What follows when a player has got shares: the company may go into operation, and then
        its director may change [float, director-change]."""
        if self.floats(play.state, company):
            self.float_company(play, company)
        self.control.settle_director(play, company)
