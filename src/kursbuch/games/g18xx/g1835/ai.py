"""Computer opponents in 1835: the evaluator, rollouts, and lines worth playing out."""

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
    Nationalise,
    OfferTrain,
    SellShares,
)
from kursbuch.games.g18xx.components import PERCENT
from kursbuch.games.g18xx.evaluation import Prospects
from kursbuch.games.g18xx.g1835.action_values import Draft, best_after, gains, offer_prices
from kursbuch.games.g18xx.g1835.evaluation import Appraisal
from kursbuch.games.g18xx.g1835.ruleset import Ruleset1835
from kursbuch.games.g18xx.g1835.state import (
    Folding,
    Formed,
    OpenPrussia,
    PacketTurn,
    PrussiaOffer,
    State1835,
)
from kursbuch.games.g18xx.rollouts import Scripted, tracks
from kursbuch.games.g18xx.state import (
    Build,
    Home,
    PlaceToken,
    RaiseMoney,
    StockTurn,
    Surplus,
    Swap,
    TrainOffer,
)


class Imagined1835(Scripted[State1835]):
    """A course on scripted track."""

    def __init__(self, ruleset: Ruleset1835, prospects: Prospects, rng: random.Random) -> None:
        super().__init__(ruleset, tracks(__package__), rng)
        self.prospects = prospects

    def appraise(self, state: State1835, seat: int, actions: Sequence[Action]) -> Sequence[float]:
        """Purchases and sales by themselves: to judge whole turns takes as long as all the rest."""
        return gains(self.ruleset, self.prospects, state, seat, actions, whole=False)


#: From this stock round on games are imagined to their end; before, they take long and say little.
FIRST_ROUND = 6

#: How many purchases, nationalisations, and companies whose shares are sold are looked at.
PURCHASES = 3
TAKEN = 1
SALES = 3


def stock_plans(
    ruleset: Ruleset1835,
    prospects: Prospects,
    state: State1835,
    seat: int,
    gains: Mapping[Action, float],
) -> list[tuple[Action, ...]]:
    """The plans for a turn."""
    step = state.agenda[-1]
    if not isinstance(step, StockTurn) or state.round.number < FIRST_ROUND:
        return []
    order = sorted(gains, key=lambda action: -gains[action])
    bought = [action for action in order if isinstance(action, BuyShare)]
    taken = [action for action in order if isinstance(action, Nationalise)]
    sold: dict[str, list[SellShares]] = {}
    for action in order:
        if isinstance(action, SellShares):
            sold.setdefault(action.company, []).append(action)
    sales: list[SellShares] = []
    for offers in [*sold.values()][:SALES]:
        # The best part, and all of it.
        sales += dict.fromkeys((offers[0], max(offers, key=_percent)))
    found: list[tuple[Action, ...]] = [(action,) for action in gains if isinstance(action, Done)]
    found += [(action,) for action in bought[:PURCHASES]]
    found += [(action,) for action in taken[:TAKEN]]
    appraisal = Appraisal(ruleset, prospects, state)
    for sale in sales:
        found.append((sale,))
        if not step.bought:
            following = best_after(appraisal, seat, sale)
            if following is not None:
                found.append((sale, following))
    return [*dict.fromkeys(found)]


def _percent(sale: SellShares) -> int:
    return sum(PERCENT[name] for name in sale.certificates)


class Judge1835(Evaluator[State1835]):
    """What computer opponents ask."""

    def __init__(self, ruleset: Ruleset1835) -> None:
        self.ruleset = ruleset
        self.prospects = Prospects(ruleset.components)

    def evaluate(self, state: State1835) -> list[float]:
        return Appraisal(self.ruleset, self.prospects, state).values()

    def appraise(self, state: State1835, seat: int, actions: Sequence[Action]) -> list[float]:
        return gains(self.ruleset, self.prospects, state, seat, actions)

    def debatable(self, state: State1835, gains: Mapping[Action, float]) -> Sequence[Action]:
        """Track pays off later than anybody can look ahead, and so does the start packet, which is
        played through in thought to its end already."""
        return () if isinstance(state.agenda[-1], Build | PlaceToken | PacketTurn) else list(gains)

    def varied(
        self, state: State1835, seat: int, actions: Sequence[Action], rng: random.Random
    ) -> Action | None:
        """Everybody thinks a little differently of the papers of the start packet."""
        if not isinstance(state.agenda[-1], PacketTurn):
            return None
        gains = Draft(self.ruleset, state, rng).gains(seat, actions)
        return actions[max(range(len(actions)), key=gains.__getitem__)]

    def passed_over(self, state: State1835, seat: int) -> Action | None:
        """Track pays off in years, and to judge it takes longer than all the rest."""
        step = state.agenda[-1] if state.agenda else None
        return Done(seat) if isinstance(step, Build | PlaceToken) else None

    def lines(
        self, state: State1835, seat: int, gains: Mapping[Action, float]
    ) -> Sequence[tuple[Action, ...]]:
        return stock_plans(self.ruleset, self.prospects, state, seat, gains)

    def course(self, state: State1835, rng: random.Random) -> Imagined1835:
        # What connects to what takes long to find out, and the reference games knew.
        state.house = replace(state.house, free_track=True)
        return Imagined1835(self.ruleset, self.prospects, rng)

    def amounts(self, state: State1835, choice: Choice) -> Sequence[int]:
        """Nobody runs for less than the most, and more is not earned."""
        if isinstance(choice.action, EnterRevenue):
            return ()
        if isinstance(choice.action, AskPrice) and choice.amount is not None:
            # The least that is more than the train is worth.
            step = state.agenda[-1]
            assert isinstance(step, TrainOffer)
            lost = Appraisal(self.ruleset, self.prospects, state).lost_by_selling(step)
            if lost is None or int(lost) + 1 not in choice.amount:
                return []
            return [int(lost) + 1]
        if isinstance(choice.action, OfferTrain) and choice.amount is not None:
            return offer_prices(self.ruleset, state, choice.action, choice.amount)
        return super().amounts(state, choice)

    def unsettled(self, state: State1835) -> bool:
        """Whether a question has come up in the middle of a turn."""
        step = state.agenda[-1] if state.agenda else None
        return isinstance(
            step, Swap | Home | Surplus | RaiseMoney | TrainOffer | PrussiaOffer | Folding | Formed
        )

    def obvious(self, action: Action) -> bool:
        return isinstance(action, Answer | AskPrice | OpenPrussia)

    def playout_weight(self, action: Action) -> float:
        match action:
            case SellShares():
                return 0.2
            case OfferTrain():
                return 0.1
            case AskPrice():
                return 0.05
            case EnterRevenue():
                return 0.01
        return 1.0
