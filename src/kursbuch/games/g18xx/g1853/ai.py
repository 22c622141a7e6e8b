"""Computer opponents in 1853: contracts worth writing, the value of positions and actions in pounds,
rollouts, and lines worth playing out.

As in other 18xx titles, an action is worth what it is expected to bring until the end of the game.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

import msgspec
from msgspec.structs import replace

from kursbuch.core.actions import Action, Choice
from kursbuch.core.evaluator import Evaluator
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
from kursbuch.games.g18xx.evaluation import Prospects, Scripted, tracks
from kursbuch.games.g18xx.g1853 import contracts
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
from kursbuch.games.g18xx.g1853.estimates import Distances, Estimates
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.state import (
    BidTurn,
    Contract,
    ElephantOffer,
    Pardon,
    SettleCredit,
    State1853,
)
from kursbuch.games.g18xx.map.track import Layout
from kursbuch.games.g18xx.rules.train_offer import ware
from kursbuch.games.g18xx.state import Build, BuyTrains, PlaceToken, StockTurn, Surplus, TrainOffer

#: What it is worth to direct a company from the beginning.
DESIRE = {
    "EIR": 200,
    "GIP": 200,
    "NWR": 200,
    "BNR": 180,
    "BBCI": 180,
    "MSM": 170,
    "SIR": 150,
    "ECR": 150,
}
COMMON_DESIRE = 150

#: What a tile still missing takes off a contract.
TILE = 8.0

#: What every pound of the bond is worth: who writes more than the others has the first choice, and gets it
#: back.
POUND = 0.2

#: What is left if others want to direct the company, too, as much, or more, or if the player cannot pay for it to
#: begin alone; and what a share is worth of a company others direct.
AHEAD, EQUAL, BEHIND, NOT_ALONE, SIDE_SHARE = 0.75, 0.55, 0.25, 0.7, 0.1

#: What an illegal list is worth: who shows it may lose all his companies.
ILLEGAL = -1000.0

#: Cities further apart than this are not looked at together, nor lists that need more tiles.
APART, MOST_TILES = 6.0, 15.0


class Plan(msgspec.Struct, frozen=True):
    """A list of cities with the effort to connect them."""

    cities: frozenset[str]
    value: int
    effort: float


class Plans:
    """The lists for every number of players, worked out once."""

    def __init__(self, ruleset: Ruleset1853, ways: Distances) -> None:
        self.ruleset = ruleset
        self.ways = ways
        self._known: dict[int, list[Plan]] = {}

    def of(self, state: State1853) -> list[Plan]:
        """All legal lists of the least number of cities, and of one more."""
        known = self._known.get(state.seats)
        if known is None:
            known = self._known[state.seats] = list(self._lists(state.seats))
        return known

    @cached_property
    def distances(self) -> Mapping[tuple[str, str], float]:
        """What it takes to connect two cities on the empty map, by their names in order."""
        components = self.ruleset.components
        position = components.track.position(Layout(), 0)
        return {
            pair: self.ways.between(position, *pair)
            for pair in combinations(sorted(components.cities), 2)
        }

    def _lists(self, seats: int) -> Iterator[Plan]:
        components, distances = self.ruleset.components, self.distances
        row = components.players[seats]
        names = sorted(components.cities)
        for count in range(row.min_cities, min(row.min_cities + 1, row.max_cities) + 1):
            for cities in combinations(names, count):
                value = contracts.spent(components, cities)
                if not self._near(cities):
                    continue
                companies = [components.cities[city].companies[0] for city in cities]
                if not contracts.legal(components, seats, Contract(value, list(cities), companies)):
                    continue
                effort = self.ways.tree(distances, cities)
                if effort < MOST_TILES:
                    yield Plan(frozenset(cities), value, effort)

    def _near(self, cities: Sequence[str]) -> bool:
        """Whether every city has another one near by."""
        return all(
            any(
                self.distances[min(one, other), max(one, other)] < APART
                for other in cities
                if other != one
            )
            for one in cities
        )


class Bids:
    """What a player's next city, or his bond, is worth."""

    def __init__(self, ruleset: Ruleset1853, plans: Plans, state: State1853, seat: int) -> None:
        self.ruleset = ruleset
        self.plans = plans
        self.state = state
        self.seat = seat
        self.contract = state.contracts[seat]
        self.row = ruleset.components.players[state.seats]
        self.needed = self.row.float_percent // 10
        self.mine = Counter(self.contract.companies)
        self.others = {
            company: max(
                self._claim(other, company) for other in range(state.seats) if other != seat
            )
            for company in ruleset.public
        }
        self.issued = {
            company: 10 - ruleset.unsold(state, company) // 10 for company in ruleset.public
        }

    def _claim(self, other: int, company: str) -> float:
        """Number of shares of a company that a player may take if they go on as they began."""
        contract = self.state.contracts[other]
        taken = len(contract.companies)
        if not taken:
            return 0.0
        count = contract.companies.count(company)
        least = self.row.min_cities
        return count if contract.complete else count * max(taken, least) / taken

    def bond(self, bond: int) -> float:
        """What the best contract for a bond is worth."""
        return self._best(bond, frozenset(), Counter()) + POUND * bond

    def city(self, city: str, company: str) -> float:
        """What the best contract is worth that goes on with a city and a share."""
        if company not in self.ruleset.components.cities[city].companies:
            return ILLEGAL
        bond = self.contract.bond or 0
        cities = frozenset((*self.contract.cities, city))
        if len(cities) == len(self.contract.cities):
            return ILLEGAL
        return self._best(bond, cities, self.mine + Counter([company]))

    def stop(self) -> float:
        """What the contract is worth as it is."""
        stuck = contracts.stuck(self.ruleset, self.state, self.seat)
        finished = replace(self.contract, stuck=stuck)
        if not contracts.legal(self.ruleset.components, self.state.seats, finished):
            return ILLEGAL
        return self._value(self.contract.bond or 0, self._plan(self.contract.cities), (), self.mine)

    def _plan(self, cities: Sequence[str]) -> Plan:
        components = self.ruleset.components
        distances = self.plans.distances
        cities = sorted(set(cities))  # where contracts may be illegal, one can stand there twice
        effort = self.plans.ways.tree(distances, cities) if cities else 0.0
        return Plan(frozenset(cities), contracts.spent(components, cities), effort)

    def _best(self, bond: int, written: frozenset[str], held: Counter[str]) -> float:
        """The best contract that goes on from the cities `written` and the shares `held`, and does not force
        a further city [2.5.4]."""
        least, most = bond - contracts.FORCED_ON, self.row.max_cities
        plans = [
            plan
            for plan in self.plans.of(self.state)
            if plan.value <= bond
            and written <= plan.cities
            and (plan.value > least or len(plan.cities) == most)
        ]
        if not plans:
            if not contracts.completable(
                self.ruleset.components, self.state.seats, bond, [*written]
            ):
                return ILLEGAL
            plans = [self._plan([*written])]
        return max(self._value(bond, plan, sorted(plan.cities - written), held) for plan in plans)

    def _value(self, bond: int, plan: Plan, left: Sequence[str], held: Counter[str]) -> float:
        """What a contract is worth; for its other cities the shares that go best with those it has."""
        shares = Counter(held)
        cities = self.ruleset.components.cities
        # Cities with one company first: the others can follow.
        for city in sorted(left, key=lambda name: len(cities[name].companies)):
            fitting = [
                company
                for company in cities[city].companies
                if self.issued[company] + shares[company] - self.mine[company] < 8
            ]
            if not fitting:
                return -500.0
            best = max(fitting, key=lambda name: (shares[name], DESIRE.get(name, 50)))
            shares[best] += 1
        if not shares:
            return 0.0  # the bond is not written for any of these plans
        main, count = max(
            shares.items(), key=lambda each: (each[1], DESIRE.get(each[0], COMMON_DESIRE))
        )
        value = self._lead(main, count, bond, shares)
        value += SIDE_SHARE * sum(
            number * DESIRE.get(company, COMMON_DESIRE)
            for company, number in shares.items()
            if company != main
        )
        return value - TILE * (plan.effort + self._to_home(plan, main))

    def _lead(self, company: str, count: int, bond: int, shares: Counter[str]) -> float:
        """Value of beginning with that many shares of a company."""
        desire = float(DESIRE.get(company, COMMON_DESIRE))
        public = self.ruleset.public
        cash = self.ruleset.cash(self.state, self.seat)
        if not self.state.seating:
            cash -= bond
        paid = sum(number * public[name].par for name, number in shares.items())
        more = max(0, cash - paid) // public[company].par
        issued = self.issued[company] - self.mine[company] + count
        if issued + more < self.needed:
            desire *= NOT_ALONE
        claim = self.others[company]
        if count < 2 or count < claim:
            return desire * BEHIND
        if count == claim:
            desire *= EQUAL
        elif claim:
            desire *= AHEAD
        least = self.row.min_cities
        return desire * (0.4 + 0.6 * min(1.0, count / least))

    def _to_home(self, plan: Plan, company: str) -> float:
        """What it takes to connect the home of a company to the cities."""
        homes = {home.city for home in self.ruleset.components.homes[company]}
        if homes & plan.cities:
            return 0.0
        distances = self.plans.distances
        return min(
            distances[min(home, city), max(home, city)] for home in homes for city in plan.cities
        )


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

#: Number of companies whose best city is examined.
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


#: Maximum amount a player ties up above the least bond.
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
