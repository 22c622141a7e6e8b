"""A book of rules: the components of a title, its policy, and the parts that answer for it.

The steps of the agenda ask the book and nothing else. What a title does in another way it declares in
its `Policy`, or replaces one of the parts:

| part | answers |
| --- | --- |
| `market` | what shares are worth, what is paid, what moves a price |
| `control` | who leads a company, who acts when |
| `builder` | sites, costs, homes, station markers |
| `founding` | when a company begins, and with what |
| `shares` | what is on offer, limits, purchases and sales |
| `depot` | trains on offer to a company, limits, duties, the best runs |
| `occasions` | what a title does of its own at certain moments |

A part knows the facts and the parts above it in this table, but not the book; so imports run one way:
`facts` <- the parts <- `book` <- the steps <- a title.
"""

from __future__ import annotations

from typing import Any, TypeVar

from kursbuch.games.g18xx.facts import Facts
from kursbuch.games.g18xx.pieces import Components
from kursbuch.games.g18xx.policy import Policy
from kursbuch.games.g18xx.rules.builder import Builder
from kursbuch.games.g18xx.rules.control import Control
from kursbuch.games.g18xx.rules.depot import Depot
from kursbuch.games.g18xx.rules.founding import Founding
from kursbuch.games.g18xx.rules.market import Market
from kursbuch.games.g18xx.rules.occasions import Occasions
from kursbuch.games.g18xx.rules.shares import Shares
from kursbuch.games.g18xx.state import EighteenState

StateT = TypeVar("StateT", bound="EighteenState[Any]")


class Book(Facts[StateT]):
    """The facts of a game with the parts that answer for it. A title gives the classes of those it
    replaces, and assigns its `occasions`."""

    def __init__(
        self,
        components: Components,
        policy: Policy,
        *,
        market: type[Market[StateT]] = Market,
        control: type[Control[StateT]] = Control,
        builder: type[Builder[StateT]] = Builder,
        founding: type[Founding[StateT]] = Founding,
        shares: type[Shares[StateT]] = Shares,
        depot: type[Depot[StateT]] = Depot,
    ) -> None:
        super().__init__(components, policy)
        self.market = market(self)
        self.control = control(self, self.market)
        self.builder = builder(self, self.control)
        self.founding = founding(self, self.market, self.control, self.builder)
        self.shares = shares(self, self.market, self.control, self.founding)
        self.depot = depot(self, self.control)
        self.occasions: Occasions[StateT] = Occasions()
