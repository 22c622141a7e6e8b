"""Computer opponents in 1853: the evaluator, rollouts, and lines worth playing out."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from kursbuch.core.actions import Action, Choice
from kursbuch.core.evaluator import Evaluator
from kursbuch.games.g18xx.actions import (
    Answer,
    AskPrice,
    BuyShare,
    Done,
    EnterRevenue,
    OfferTrain,
    SellShares,
)
from kursbuch.games.g18xx.evaluation import Prospects
from kursbuch.games.g18xx.g1853.action_values import ShareValues, TrainValues
from kursbuch.games.g18xx.g1853.actions import (
    OfferElephant,
    OrderRound,
    Redeem,
    SettleTrain,
    WriteBond,
    WriteCity,
)
from kursbuch.games.g18xx.g1853.contract_plans import Plans
from kursbuch.games.g18xx.g1853.distance import Distances
from kursbuch.games.g18xx.g1853.estimates import Estimates
from kursbuch.games.g18xx.g1853.evaluation import Appraisal
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.state import BidTurn, ElephantOffer, Pardon, SettleCredit, State1853
from kursbuch.games.g18xx.rollouts import Scripted, tracks
from kursbuch.games.g18xx.state import Build, PlaceToken, StockTurn, Surplus, TrainOffer

#: Of so many companies the best city is looked at.
COMPANIES = 4

#: From this stock round on games are imagined to their end; before, they take long and say little.
FIRST_ROUND = 7

#: How many purchases, and companies whose shares are sold, are looked at.
PURCHASES = 2
SALES = 2


def lines(
    estimates: Estimates, seat: int, gains: Mapping[Action, float]
) -> list[tuple[Action, ...]]:
    """The plans for a decision; the actions come with what they gain."""
    state = estimates.state
    step = state.agenda[-1]
    order = sorted(gains, key=lambda action: -gains[action])
    if isinstance(step, BidTurn):
        return _bids(order)
    if isinstance(step, StockTurn) and state.round.number >= FIRST_ROUND:
        return _turns(ShareValues(estimates, seat), order, bought=step.bought)
    return []


def _bids(order: list[Action]) -> list[tuple[Action, ...]]:
    """The best city for a share of each company."""
    best: dict[str, WriteCity] = {}
    for action in order:
        if isinstance(action, WriteCity):
            best.setdefault(action.company, action)
    return [(action,) for action in [*best.values()][:COMPANIES]]


def _turns(dealing: ShareValues, order: list[Action], *, bought: bool) -> list[tuple[Action, ...]]:
    found: list[tuple[Action, ...]] = [(action,) for action in order if isinstance(action, Done)]
    found += [(action,) for action in order if isinstance(action, Redeem)][:1]
    found += [(action,) for action in order if isinstance(action, BuyShare)][:PURCHASES]
    sales: dict[str, SellShares] = {}
    for action in order:
        if isinstance(action, SellShares):
            sales.setdefault(action.company, action)
    for sale in [*sales.values()][:SALES]:
        found.append((sale,))
        following = None if bought else dealing.best_purchase(sale)[1]
        if following is not None:
            found.append((sale, following))
    return found


#: Nobody ties up more than this above the least bond.
MOST_MORE = 70


class Judge1853(Evaluator[State1853]):
    """What computer opponents ask."""

    def __init__(self, ruleset: Ruleset1853) -> None:
        self.ruleset = ruleset
        self.prospects = Prospects(ruleset.components, mail=ruleset.policy.mail)
        self.ways = Distances(ruleset.components, self.prospects.values)
        self.plans = Plans(ruleset, self.ways)

    def estimates(self, state: State1853) -> Estimates:
        """What can be expected in a state."""
        return Estimates(self.ruleset, self.prospects, self.ways, state)

    def evaluate(self, state: State1853) -> list[float]:
        return self.estimates(state).values()

    def appraise(self, state: State1853, seat: int, actions: Sequence[Action]) -> list[float]:
        return Appraisal(self.estimates(state), self.plans, seat).gains(actions)

    def debatable(self, state: State1853, gains: Mapping[Action, float]) -> Sequence[Action]:
        """Track pays off later than anybody can look ahead."""
        return () if isinstance(state.agenda[-1], Build | PlaceToken) else list(gains)

    def passed_over(self, state: State1853, seat: int) -> Action | None:
        """Track pays off in years, and to judge it takes longer than all the rest."""
        step = state.agenda[-1] if state.agenda else None
        return Done(seat) if isinstance(step, Build | PlaceToken) else None

    def lines(
        self, state: State1853, seat: int, gains: Mapping[Action, float]
    ) -> Sequence[tuple[Action, ...]]:
        return lines(self.estimates(state), seat, gains)

    def course(self, state: State1853, rng: random.Random) -> Scripted[State1853]:
        # What connects to what takes long to find out, and the reference games knew.
        state.house = replace(state.house, free_track=True)
        return Scripted(self.ruleset, tracks(__package__), rng)

    def amounts(self, state: State1853, choice: Choice) -> Sequence[int]:
        """Bonds a little above the least one; prices worth to name."""
        action, amounts = choice.action, choice.amount
        if isinstance(action, EnterRevenue):
            return ()
        if isinstance(action, WriteBond) and amounts is not None:
            step = max(10, amounts.step)
            return [*range(amounts.low, min(amounts.high, amounts.low + MOST_MORE) + 1, step)]
        if isinstance(action, OfferTrain) and amounts is not None:
            return [amounts.low]
        if isinstance(action, OfferElephant) and amounts is not None:
            return [amounts.low]
        if isinstance(action, AskPrice) and amounts is not None:
            # The least that is more than the train is worth.
            step_ = state.agenda[-1]
            assert isinstance(step_, TrainOffer)
            fleet = TrainValues(self.estimates(state), action.seat, step_.owner)
            price = int(fleet.lost_by_selling(step_)) + 1
            return [price] if price in amounts else []
        return super().amounts(state, choice)

    def unsettled(self, state: State1853) -> bool:
        """Whether a question has come up in the middle of a turn."""
        step = state.agenda[-1] if state.agenda else None
        return isinstance(step, SettleCredit | Surplus | TrainOffer | ElephantOffer | Pardon)

    def obvious(self, action: Action) -> bool:
        return isinstance(action, Answer | AskPrice | OrderRound | SettleTrain)

    def playout_weight(self, action: Action) -> float:
        match action:
            case SellShares():
                return 0.2
            case OfferTrain() | OfferElephant():
                return 0.1
            case AskPrice():
                return 0.05
            case EnterRevenue():
                return 0.01
        return 1.0
