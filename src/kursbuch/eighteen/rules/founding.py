"""When a company begins, and with what."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from kursbuch.core.play import Play
from kursbuch.eighteen import events as happened
from kursbuch.eighteen.facts import Facts
from kursbuch.eighteen.pieces import BANK
from kursbuch.eighteen.rules.builder import Builder
from kursbuch.eighteen.rules.control import Control
from kursbuch.eighteen.rules.market import Market
from kursbuch.eighteen.state import EighteenState

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
        found = state.companies[company]
        if found.operating or found.closed:
            return False
        return 100 - self.facts.unsold(state, company) >= self.float_percent(state)

    def float_percent(self, state: StateT) -> int:
        """The percentage that has to be sold for a company to begin [float]."""
        return self.facts.policy.float_percent

    def float_company(self, play: Play[StateT], company: str) -> None:
        """A share company goes into operation: price, treasury, home [float, treasury-at-start]."""
        state = play.state
        state.companies[company].operating = True
        public = self.facts.public[company]
        self.market.place_price(state, company, public.cell)
        paid = (
            100 if self.facts.policy.capital == "all" else 100 - self.facts.unsold(state, company)
        )
        treasury = paid * public.par // 10
        state.ledger.move("money", BANK, company, treasury)
        play.emit(
            happened.Floated(
                rule="treasury-at-start", company=company, treasury=treasury, cell=public.cell
            )
        )
        self.builder.place_homes(play, company)

    def settle(self, play: Play[StateT], company: str) -> None:
        """What follows when a player has got shares: the company may go into operation, and then
        its director may change [float, director-change]."""
        if self.floats(play.state, company):
            self.float_company(play, company)
        self.control.settle_director(play, company)
