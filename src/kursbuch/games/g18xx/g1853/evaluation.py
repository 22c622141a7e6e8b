"""How good a position of 1853 is for every player, and what single actions bring, in pounds.

As in other 18xx titles actions are judged by what they are expected to bring until the end. The parts
stand in modules of their own: companies (`estimates`), contracts (`contract_plans`), shares, track
and trains (`action_values`, `distance`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kursbuch.core.actions import Action
from kursbuch.games.g18xx.actions import (
    Answer,
    AskPrice,
    BuyShare,
    BuyTrain,
    Discard,
    Dividend,
    Done,
    EnterRevenue,
    LayTile,
    OfferTrain,
    PlaceStation,
    SellShares,
)
from kursbuch.games.g18xx.g1853.action_values import ShareValues, TrackValues, TrainValues
from kursbuch.games.g18xx.g1853.actions import (
    BuyOnCredit,
    OfferElephant,
    OrderRound,
    Redeem,
    SettleTrain,
    ShowContract,
    TakeRight,
    Vote,
    WriteBond,
    WriteCity,
)
from kursbuch.games.g18xx.g1853.contract_plans import Bids, Plans
from kursbuch.games.g18xx.g1853.estimates import Estimates
from kursbuch.games.g18xx.g1853.state import BidTurn, ElephantOffer
from kursbuch.games.g18xx.rules.train_offer import ware
from kursbuch.games.g18xx.state import BuyTrains, TrainOffer

#: The right to a second tile at once is worth its price up to this.
CHEAP_RIGHT = 20


class Appraisal:
    """What is asked about one state by one player."""

    def __init__(self, estimates: Estimates, plans: Plans, seat: int) -> None:
        self.estimates = estimates
        self.ruleset = estimates.ruleset
        self.state = estimates.state
        self.plans = plans
        self.seat = seat
        self._laying: TrackValues | None = None
        self._fleet: TrainValues | None = None
        self._dealing: ShareValues | None = None
        self._bids: Bids | None = None

    def gains(self, actions: Sequence[Action]) -> list[float]:
        """What each action gains, against doing nothing."""
        return [_JUDGED[type(action)](self, action) for action in actions]

    # ---- the parts

    @property
    def company(self) -> str:
        """The company in turn."""
        step: Any = self.state.agenda[-1]
        return str(step.company)

    @property
    def laying(self) -> TrackValues:
        if self._laying is None:
            self._laying = TrackValues(self.estimates, self.seat, self.company)
        return self._laying

    @property
    def fleet(self) -> TrainValues:
        if self._fleet is None:
            self._fleet = TrainValues(self.estimates, self.seat, self.company)
        return self._fleet

    @property
    def dealing(self) -> ShareValues:
        if self._dealing is None:
            self._dealing = ShareValues(self.estimates, self.seat)
        return self._dealing

    @property
    def bids(self) -> Bids:
        if self._bids is None:
            self._bids = Bids(self.ruleset, self.plans, self.state, self.seat)
        return self._bids

    # ---- actions

    def done(self, action: Done) -> float:
        return self.bids.stop() if isinstance(self.state.agenda[-1], BidTurn) else 0.0

    def bond(self, action: WriteBond) -> float:
        return self.bids.bond(action.bond)

    def city(self, action: WriteCity) -> float:
        return self.bids.city(action.city, action.company)

    def right(self, action: TakeRight) -> float:
        """A second tile at once is worth little money."""
        cheap = self.ruleset.components.second_tile_cost[self.company] <= CHEAP_RIGHT
        return float(action.fee == cheap)

    def dividend(self, action: Dividend) -> float:
        return self.fleet.dividend(action)

    def answer(self, action: Answer) -> float:
        """Trains and the elephant are taken and given for a good price."""
        if not action.accepts:
            return 0.0
        step = self.state.agenda[-1]
        if isinstance(step, ElephantOffer):
            return self.dealing.elephant() - step.price
        assert isinstance(step, TrainOffer)
        return self.fleet.answer(step)

    def ask(self, action: AskPrice) -> float:
        """Instead of refusing, once in a turn: what the train is worth to its owner."""
        step, purchase = self.state.agenda[-1], self.state.agenda[-2]
        assert isinstance(step, TrainOffer)
        assert isinstance(purchase, BuyTrains)
        lost = self.fleet.lost_by_selling(step)
        if step.price > lost or ware(step.owner, step.train) in purchase.demanded:
            return -1.0
        return 1.0 if action.price > lost else -1.0

    def elephant(self, action: OfferElephant) -> float:
        """It is sold for more than it is worth only."""
        return -1.0

    def order(self, action: OrderRound) -> float:
        return self.dealing.extra_round() if action.orders else 0.0

    def show(self, action: ShowContract) -> float:
        """An illegal contract brings its bond back, and loses the companies of who directs any."""
        bond = float(self.state.contracts[self.seat].bond or 0)
        return bond - 200.0 if self.ruleset.shares.directed(self.state, self.seat) else bond

    def vote(self, action: Vote) -> float:
        """Who has to give up his companies is less of a rival."""
        return 0.0 if action.pardons else 1.0


_JUDGED: dict[type[Action], Callable[..., float]] = {
    Answer: Appraisal.answer,
    AskPrice: Appraisal.ask,
    BuyOnCredit: lambda self, action: self.fleet.credit(action),
    BuyShare: lambda self, action: self.dealing.buy(action),
    BuyTrain: lambda self, action: self.fleet.buy(action),
    Discard: lambda self, action: TrainValues(self.estimates, self.seat, action.company).discard(
        action
    ),
    Dividend: Appraisal.dividend,
    Done: Appraisal.done,
    EnterRevenue: lambda self, action: 0.0,
    LayTile: lambda self, action: self.laying.tile(action),
    OfferElephant: Appraisal.elephant,
    OfferTrain: lambda self, action: self.fleet.offer(action),
    OrderRound: Appraisal.order,
    PlaceStation: lambda self, action: self.laying.station(action),
    Redeem: lambda self, action: self.dealing.redeem(action),
    SellShares: lambda self, action: self.dealing.sell(action),
    SettleTrain: lambda self, action: self.fleet.settle(action),
    ShowContract: Appraisal.show,
    TakeRight: Appraisal.right,
    Vote: Appraisal.vote,
    WriteBond: Appraisal.bond,
    WriteCity: Appraisal.city,
}
