"""A ruleset: the components of a title, its policy, and the parts that decide for it.

The steps of the agenda ask only the ruleset. A title declares its differences in its `Policy`, or
overrides a part:

| part | decides |
| --- | --- |
| `market` | share values, payments, price moves |
| `control` | directors, operators, operating order |
| `builder` | sites, costs, homes, station tokens |
| `float` | when a company floats, and with what |
| `shares` | shares on offer, limits, purchases, sales |
| `depot` | trains on offer, limits, duties, best runs |
| `triggers` | a title's reactions to events |

A part knows the lookup and the parts above it in this table, but not the ruleset; so imports run
one way: `lookup` <- the parts <- `ruleset` <- the steps <- a title.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any, ClassVar, Generic

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play, StepRules
from kursbuch.core.state import Step
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.components import BANK, Components
from kursbuch.games.g18xx.lookup import Lookup, Policy
from kursbuch.games.g18xx.rules.builder import Builder
from kursbuch.games.g18xx.rules.depot import Depot
from kursbuch.games.g18xx.rules.director import Control
from kursbuch.games.g18xx.rules.float import Float
from kursbuch.games.g18xx.rules.shares import Shares
from kursbuch.games.g18xx.rules.stock_market import StockMarket
from kursbuch.games.g18xx.state import (
    EndGame,
    Limits,
    OperatingRound,
    Round,
    StateT,
    StepT,
    StockRound,
    StockTurn,
)


class Triggers(Generic[StateT]):
    """A title's reactions to events. Whatever they push on the agenda comes first."""

    def first_turn(self, state: StateT) -> Step:
        """First turn of a stock round [stock-round-start]."""
        return StockTurn(state.priority)

    def stock_round_began(self, play: Play[StateT]) -> None:
        """A stock round has begun; its first turn is on the agenda."""

    def stock_round_over(self, play: Play[StateT]) -> None:
        """The stock round is over; prices and the priority deal have not moved yet."""

    def priority_moved(self, play: Play[StateT]) -> None:
        """A stock round has ended; what follows is on the agenda."""

    def after_stock_round(self, state: StateT) -> Step:
        """What follows a stock round: operating rounds [rounds]."""
        return OperatingRound(1)

    def operating_round_began(self, play: Play[StateT]) -> None:
        """An operating round has begun; its first company is on the agenda."""

    def next_round(self, state: StateT) -> Step:
        """What follows an operating round: the end of the game, the next one, or a stock round
        [rounds, operating-round-end, bank-broken]."""
        part = state.round.part
        if state.broken:
            return EndGame()
        if part < state.round.parts:
            return OperatingRound(part + 1)
        return StockRound(state.round.number + 1)

    def company_corrected(self, state: StateT, company: str) -> None:
        """A correction has changed the status or price of a company; a title's own state must
        follow."""

    def round_corrected(self, state: StateT, before: Round) -> None:
        """A correction has changed the round played `before`; state that belonged to it ends."""

    def tile_laid(self, play: Play[StateT], hex: str, private: str) -> None:
        """A tile has been laid on a hex, by the right of a `private` if named."""

    def station_placed(self, play: Play[StateT], company: str, hex: str, stop: int) -> None:
        """A company has placed a token."""

    def free_station_placed(self, play: Play[StateT], private: str) -> None:
        """A token has been placed by the right of a private."""

    def train_bought(self, play: Play[StateT], company: str, train: str, source: str) -> None:
        """A company has bought a train from `source`: the bank, the pool or another company."""

    def phase_began(self, play: Play[StateT], company: str, seat: int) -> None:
        """A purchase by this company, operated by `seat`, has begun a phase, and trains have
        rusted. Surplus trains are discarded [surplus-trains]."""
        play.push(Limits(seat))

    def player_left(self, play: Play[StateT], seat: int) -> None:
        """A player has left the game; settle their privates and minors [bankruptcy]."""


class Ruleset(Lookup[StateT]):
    """Lookup of a game with its parts. A title passes its own classes of parts, and assigns its
    `triggers`."""

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

    def watch_bank(self, play: Play[StateT]) -> None:
        """Fix the end of the game once the bank has no money left [bank-broken]."""
        state = play.state
        if state.broken or state.ledger.items["money"][BANK] > 0:
            return
        number, part = state.round.number, state.round.part
        state.broken = "operating" if part else "stock"
        last = self.last_round(state)
        play.emit(
            happened.BankBroken(
                rule="bank-broken" if part else "bank-broken-in-stock-round",
                in_stock_round=not part,
                last=last if last and last != (number, part or 1) else (),
            )
        )

    def following(self, state: StateT) -> Step:
        """What follows the current round as things stand."""
        if state.round.part:
            return self.triggers.next_round(state)
        now = copy(state)
        now.round = Round(state.round.number, parts=self.operating_rounds(state))
        return self.triggers.after_stock_round(now)

    def last_round(self, state: StateT) -> tuple[int, int] | None:
        """Number and part of the last round of the game, part 0 for a stock round; None while the
        bank has money, or if a decision is still open."""
        now = copy(state)
        while now.broken and now.round.number <= state.round.number + 1:
            number, part = now.round.number, now.round.part
            parts = now.round.parts if part else self.operating_rounds(now)
            match self.following(now):
                case EndGame():
                    return number, part
                case OperatingRound(part):
                    now.round = Round(number, part, parts)
                case StockRound(number):
                    now.round = Round(number)
                case _:
                    return None
        return None


AnyRuleset = Ruleset[Any]


class EighteenRules(StepRules[StateT, StepT], Generic[StateT, StepT]):
    """Rules of one kind of step."""

    def __init__(self, ruleset: Ruleset[StateT]) -> None:
        self.ruleset = ruleset


#: Classes of rules by kind of step.
Steps = Mapping[type[Step], type[EighteenRules[Any, Any]]]


class QuestionRules(EighteenRules[StateT, StepT], Generic[StateT, StepT]):
    """Rules of a step that asks a question with two answers."""

    #: The type of the answer, and its values in display order.
    answer: ClassVar[type[Any]]
    values: ClassVar[tuple[bool, bool]] = (True, False)

    def candidates(self, state: StateT, step: StepT, seat: int) -> Iterable[Choice]:
        return [Choice(self.answer(seat, value)) for value in self.values]

    def problem(self, state: StateT, step: StepT, action: Action) -> IllegalAction | None:
        return None if isinstance(action, self.answer) else super().problem(state, step, action)
