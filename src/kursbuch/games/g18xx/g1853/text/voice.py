"""The sentences of 1853, put together, and the game in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kursbuch.core.events import Event, Payment
from kursbuch.core.voice import Ending
from kursbuch.games.g18xx.g1853 import events as here
from kursbuch.games.g18xx.g1853.corrections import KINDS
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.text.choices import Choices1853
from kursbuch.games.g18xx.g1853.text.holdings import Holdings1853
from kursbuch.games.g18xx.g1853.text.log import Log1853
from kursbuch.games.g18xx.g1853.text.names import Names1853
from kursbuch.games.g18xx.g1853.text.prompts import Prompts1853
from kursbuch.games.g18xx.text.voice import Statistics, Texts

#: The end is near once a price is at most so many boxes from the last one.
NEAR_BOXES = 5


class Statistics1853(Names1853, Statistics[Ruleset1853]):
    """What is said in numbers."""

    def source(self, event: Payment) -> str:
        match event:
            case here.BondsShown() | here.ContractShown():
                return self._("Bonds")
            case here.SharesPaid() | here.SharesRedeemed():
                return self._("Shares of contracts")
            case here.CreditSettled():
                return self._("Help with trains")
            case here.ElephantSold():
                return self._("Elephant")
        return super().source(event)

    def worth_note(self) -> str:
        return self._(
            "Cash and shares at market price, at par before a company is founded; shares that are not "
            "paid for and bonds set aside count nothing."
        )

    def stretch(self, events: Sequence[Event]) -> str:
        """The contract bids come before all rounds."""
        if any(isinstance(event, here.BondsShown | here.BondWritten) for event in events):
            return self._("contract bids")
        return super().stretch(events)

    def ending(self, state: Any, events: Sequence[Event]) -> Ending | None:
        for event in reversed(events):
            if isinstance(event, here.PriceLimit):
                return Ending(
                    self._(
                        "The game is over because the price of {company} has reached {price}.",
                        company=event.company,
                        price=self.money(max(self.ruleset.chart.price.values())),
                    ),
                    event.rule,
                )
        return super().ending(state, events)

    def near_end(self, state: Any) -> str:
        if not state.agenda or state.broken:
            return ""
        return "\n".join(filter(None, (super().near_end(state), self._near_limit(state))))

    def _near_limit(self, state: Any) -> str:
        """The company whose price is nearest to the last box, once it is near."""
        chart = self.ruleset.chart
        found = []
        for company in self.ruleset.market.in_order(state):
            cell, boxes = state.companies[company].cell, 0
            while cell and chart.right[cell] != cell and boxes <= NEAR_BOXES:
                cell, boxes = chart.right[cell], boxes + 1
            if cell and boxes <= NEAR_BOXES:
                found.append((boxes, company))
        if not found:
            return ""
        boxes, company = min(found)
        return self.ngettext(
            "The end is near: the price of {company} is {n} box from the last.",
            "The end is near: the price of {company} is {n} boxes from the last.",
            boxes,
            company=company,
        )


class Texts1853(
    Log1853, Prompts1853, Choices1853, Holdings1853, Statistics1853, Texts[Ruleset1853]
):
    """What is said about a game of 1853 to one reader."""

    corrections = KINDS
