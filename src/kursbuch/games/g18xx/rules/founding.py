"""When a company begins, and with what."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from kursbuch.core.play import Play
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.facts import Facts
from kursbuch.games.g18xx.pieces import POOL
from kursbuch.games.g18xx.rules.builder import Builder
from kursbuch.games.g18xx.rules.control import Control
from kursbuch.games.g18xx.rules.market import Market
from kursbuch.games.g18xx.state import EighteenState

StateT = TypeVar("StateT", bound="EighteenState[Any]")


class Founding(Generic[StateT]):
    """Companies going into operation."""

    def __init__(
        self,
        facts: Facts[StateT],
        market: Market[StateT],
        control: Control[StateT],
        builder: Builder[StateT],
    ) -> None:
        self.facts = facts
        self.market = market
        self.control = control
        self.builder = builder

    def floats(self, state: StateT, company: str) -> bool:
        """Whether a company that is not in operation has to begin now [float]."""
        return 0 < self.needed(state, company) <= self.issued(state, company)

    def issued(self, state: StateT, company: str) -> int:
        """The percentage of a company that has been sold."""
        return 100 - self.facts.unsold(state, company)

    def needed(self, state: StateT, company: str) -> int:
        """The percentage that has to be sold for this company to begin, 0 if it waits for no sale
        [float]."""
        found = state.companies[company]
        return 0 if found.operating or found.closed else self.float_percent(state)

    def float_percent(self, state: StateT) -> int:
        """The percentage that has to be sold for a company to begin [float]."""
        return self.facts.policy.float_percent

    def float_company(self, play: Play[StateT], company: str) -> None:
        """A share company goes into operation: price, treasury, home [float, treasury-at-start]."""
        state = play.state
        state.companies[company].operating = True
        public = self.facts.public[company]
        self.market.place_price(state, company, public.cell)
        treasury = self.paid_percent(state, company) * public.par // 10
        self.facts.pay_out(
            play,
            happened.Floated(
                rule="treasury-at-start", company=company, treasury=treasury, cell=public.cell
            ),
            (company, treasury),
        )
        self.builder.place_homes(play, company)

    def paid_percent(self, state: StateT, company: str) -> int:
        """The percentage for which the bank pays a company that begins: all, or what players have
        [treasury-at-start]."""
        if self.facts.policy.capital == "all":
            return 100
        percent = self.issued(state, company)
        if state.corrected("treasury-of-shares-held"):
            # What a bankrupt player has left in the pool is in nobody's hands.
            percent -= self.facts.percent(state, POOL, company)
        return percent

    def settle(self, play: Play[StateT], company: str) -> None:
        """What follows when a player has got shares: the company may go into operation, and then
        its director may change [float, director-change]."""
        if self.floats(play.state, company):
            self.float_company(play, company)
        self.control.settle_director(play, company)
