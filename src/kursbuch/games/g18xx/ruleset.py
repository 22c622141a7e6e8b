"""A ruleset: the components of a title, its policy, and the parts that answer for it.

The steps of the agenda ask the ruleset and nothing else. What a title does in another way it declares in
its `Policy`, or replaces one of the parts:

| part | answers |
| --- | --- |
| `market` | what shares are worth, what is paid, what moves a price |
| `control` | who leads a company, who acts when |
| `builder` | sites, costs, homes, station markers |
| `float` | when a company begins, and with what |
| `shares` | what is on offer, limits, purchases and sales |
| `depot` | trains on offer to a company, limits, duties, the best runs |
| `triggers` | what a title does of its own at certain moments |

A part knows the lookup and the parts above it in this table, but not the ruleset; so imports run one way:
`lookup` <- the parts <- `ruleset` <- the steps <- a title.
"""

from __future__ import annotations

from typing import Any, Generic

from kursbuch.core.play import Play, StepRules
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.components import BANK, Components
from kursbuch.games.g18xx.lookup import Lookup
from kursbuch.games.g18xx.policy import Policy
from kursbuch.games.g18xx.rules.builder import Builder
from kursbuch.games.g18xx.rules.depot import Depot
from kursbuch.games.g18xx.rules.director import Control
from kursbuch.games.g18xx.rules.float import Float
from kursbuch.games.g18xx.rules.shares import Shares
from kursbuch.games.g18xx.rules.stock_market import StockMarket
from kursbuch.games.g18xx.rules.triggers import Triggers
from kursbuch.games.g18xx.state import StateT, StepT


class Ruleset(Lookup[StateT]):
    """Lookup of a game with the parts that answer for it. A title gives the classes of those it
    replaces, and assigns its `triggers`."""

    def __init__(
        self,
        components: Components,
        policy: Policy,
        *,
        market: type[StockMarket[StateT]] = StockMarket,
        control: type[Control[StateT]] = Control,
        builder: type[Builder[StateT]] = Builder,
        float: type[Float[StateT]] = Float,
        shares: type[Shares[StateT]] = Shares,
        depot: type[Depot[StateT]] = Depot,
    ) -> None:
        super().__init__(components, policy)
        self.market = market(self)
        self.control = control(self, self.market)
        self.builder = builder(self, self.control)
        self.float = float(self, self.market, self.control, self.builder)
        self.shares = shares(self, self.market, self.control, self.float)
        self.depot = depot(self, self.control)
        self.triggers: Triggers[StateT] = Triggers()


AnyRuleset = Ruleset[Any]


class EighteenRules(StepRules[StateT, StepT], Generic[StateT, StepT]):
    """The rules of one kind of step, which ask the book."""

    def __init__(self, ruleset: Ruleset[StateT]) -> None:
        self.ruleset = ruleset


def watch_bank(play: Play[Any]) -> None:
    """Once the bank has no money left, the end of the game is fixed [bank-broken]."""
    state = play.state
    if not state.broken and state.ledger.items["money"][BANK] <= 0:
        state.broken = "operating" if state.round.part else "stock"
        in_stock_round = not state.round.part
        rule = "bank-broken-in-stock-round" if in_stock_round else "bank-broken"
        play.emit(happened.BankBroken(rule=rule, in_stock_round=in_stock_round))
