"""Computer opponents for 1853: contract bids, values of positions and actions in pounds, and plans
worth comparing.

As in the other 18xx titles, an action is worth what it should bring by the end of the game.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, islice
from typing import Any

import msgspec
from msgspec.structs import replace

from kursbuch.core.actions import Action, Choice
from kursbuch.core.evaluator import Plan
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
from kursbuch.games.g18xx.evaluation import (
    EighteenEvaluator,
    Prospects,
    ScriptedPolicy,
    asking_gain,
    tracks,
)
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
from kursbuch.games.g18xx.g1853.contract_bids import drawn_bond
from kursbuch.games.g18xx.g1853.estimates import Distances, Estimates
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.state import (
    BidTurn,
    Contract,
    ElephantOffer,
    ExtraRound,
    Pardon,
    SellElephant,
    SettleCredit,
    State1853,
    WriteBonds,
)
from kursbuch.games.g18xx.map.track import Layout
from kursbuch.games.g18xx.plans import by_company, by_gain, plain
from kursbuch.games.g18xx.state import Build, Pay, PlaceToken, Surplus, TrainOffer

#: Value of a share in a company that begins in the first stock round, by the end of the game.
DESIRE = {
    "EIR": 240,
    "GIP": 360,
    "NWR": 450,
    "BNR": 150,
    "BBCI": 380,
    "MSM": 150,
    "SIR": 380,
    "ECR": 150,
}
COMMON_DESIRE = 150

#: Weight of what a company lacks to the most desired one, whose shares run out first.
SCARCE = 0.5

#: Value of being the likely director.
LEAD = 100.0

#: Cost of each city beyond the minimum, with its share: at the beginning money grows fastest.
FURTHER_CITY = 500.0

#: How much more than the least bond is best: with less a player sits behind the others, with more
#: the cities of the best company do not fill it (`python -m benchmarks.bonds`).
BEST_MORE = 50

#: Cost of each pound that a bond differs from the best, and of each tile missing until it is paid back.
POUND = 10.0
TILE = 35.0

#: Value of a list for which no shares are left, and of an illegal one, which may cost its owner all
#: companies.
NO_SHARES = -5_000.0
ILLEGAL = -10_000.0

#: Maximum distance of neighbouring cities, and of tiles needed for a list.
APART, MAX_TILES = 6.0, 15.0


class CityList(msgspec.Struct, frozen=True):
    """A list of cities with the effort to connect them."""

    cities: frozenset[str]
    value: int
    effort: float


class CityLists:
    """Contract lists by number of players, cached."""

    def __init__(self, ruleset: Ruleset1853, ways: Distances) -> None:
        self.ruleset = ruleset
        self.ways = ways
        self._known: dict[int, list[CityList]] = {}

    def of(self, state: State1853) -> list[CityList]:
        """All legal lists with the minimum number of cities, or one more."""
        known = self._known.get(state.seats)
        if known is None:
            known = self._known[state.seats] = list(self._lists(state.seats))
        return known

    @cached_property
    def distances(self) -> Mapping[tuple[str, str], float]:
        """Effort to connect two cities on the empty map, by their sorted names."""
        components = self.ruleset.components
        position = components.track.position(Layout(), 0)
        return {
            pair: self.ways.between(position, *pair)
            for pair in combinations(sorted(components.cities), 2)
        }

    def _lists(self, seats: int) -> Iterator[CityList]:
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
                if effort < MAX_TILES:
                    yield CityList(frozenset(cities), value, effort)

    def _near(self, cities: Sequence[str]) -> bool:
        """Whether every city has a neighbour."""
        return all(
            any(
                self.distances[min(one, other), max(one, other)] < APART
                for other in cities
                if other != one
            )
            for one in cities
        )


class Bids:
    """Values of a player's bond and next city."""

    def __init__(self, ruleset: Ruleset1853, lists: CityLists, state: State1853, seat: int) -> None:
        self.ruleset = ruleset
        self.lists = lists
        self.state = state
        self.seat = seat
        self.contract = state.contracts[seat]
        self.row = ruleset.components.players[state.seats]
        self.needed = self.row.float_percent // 10
        self.mine = Counter(self.contract.companies)
        #: Shares of each company that other players have taken.
        self.others = {
            company: [
                state.contracts[other].companies.count(company)
                for other in range(state.seats)
                if other != seat
            ]
            for company in ruleset.public
        }
        self.issued = {
            company: 10 - ruleset.unsold(state, company) // 10 for company in ruleset.public
        }

    def bond(self, bond: int) -> float:
        """Value of a bond, by its distance from the best."""
        return -POUND * abs(bond - self.row.least_bond - BEST_MORE)

    def city(self, city: str, company: str) -> float:
        """Value of the best contract that continues with a city and a share."""
        if company not in self.ruleset.components.cities[city].companies:
            return ILLEGAL
        bond = self.contract.bond or 0
        cities = frozenset((*self.contract.cities, city))
        if len(cities) == len(self.contract.cities):
            return ILLEGAL
        lacks = max(DESIRE.values()) - DESIRE.get(company, COMMON_DESIRE)
        return self._best(bond, cities, self.mine + Counter([company])) - SCARCE * lacks

    def stop(self) -> float:
        """Value of the contract as it is."""
        stuck = contracts.stuck(self.ruleset, self.state, self.seat)
        finished = replace(self.contract, stuck=stuck)
        if not contracts.legal(self.ruleset.components, self.state.seats, finished):
            return ILLEGAL
        return self._value(
            self.contract.bond or 0, self._listed(self.contract.cities), (), self.mine
        )

    def _listed(self, cities: Sequence[str]) -> CityList:
        components = self.ruleset.components
        distances = self.lists.distances
        cities = sorted(set(cities))  # illegal contracts may repeat a city
        effort = self.lists.ways.tree(distances, cities) if cities else 0.0
        return CityList(frozenset(cities), contracts.spent(components, cities), effort)

    def _best(self, bond: int, written: frozenset[str], held: Counter[str]) -> float:
        """Value of the best contract that extends the cities `written` and the shares `held`
        without forcing a further city [2.5.4]."""
        least, most = bond - contracts.FORCED_ON, self.row.max_cities
        known = [
            listed
            for listed in self.lists.of(self.state)
            if listed.value <= bond
            and written <= listed.cities
            and (listed.value > least or len(listed.cities) == most)
        ]
        best = max(
            (self._value(bond, listed, sorted(listed.cities - written), held) for listed in known),
            default=NO_SHARES,
        )
        if best > NO_SHARES:
            return best
        if contracts.completable(self.ruleset.components, self.state.seats, bond, [*written]):
            return self._value(bond, self._listed([*written]), (), held)
        return ILLEGAL

    def _value(self, bond: int, listed: CityList, left: Sequence[str], held: Counter[str]) -> float:
        """Value of a contract, its missing cities filled with the shares that suit best."""
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
                return NO_SHARES
            best = max(fitting, key=lambda name: (shares[name], DESIRE.get(name, COMMON_DESIRE)))
            shares[best] += 1
        if not shares:
            return NO_SHARES  # the bond fits none of these lists
        public = self.ruleset.public
        cash = self.ruleset.cash(self.state, self.seat)
        if not self.state.seating:
            cash -= bond
        cash -= sum(number * public[name].par for name, number in shares.items())
        value = sum(
            number * DESIRE.get(name, COMMON_DESIRE) * self._begins(name, number, cash)
            for name, number in shares.items()
        )
        value -= FURTHER_CITY * max(0, shares.total() - self.row.min_cities)
        main = max(shares, key=lambda name: (shares[name], DESIRE.get(name, COMMON_DESIRE)))
        if shares[main] > max(self.others[main]):
            value += LEAD
        return value - TILE * (listed.effort + self._to_home(listed, main))

    def _begins(self, company: str, count: int, cash: int) -> float:
        """Likelihood that a company with `count` shares of the player begins in the first stock
        round: the player buys more for their cash, and so do others who have some."""
        others = self.others[company]
        issued = count + sum(others) + max(0, cash) // self.ruleset.public[company].par
        issued += sum(1 for number in others if number)
        return min(1.0, issued / self.needed) ** 2

    def _to_home(self, listed: CityList, company: str) -> float:
        """Effort to connect a company's home to the cities."""
        homes = {home.city for home in self.ruleset.components.homes[company]}
        if homes & listed.cities:
            return 0.0
        distances = self.lists.distances
        return min(
            distances[min(home, city), max(home, city)] for home in homes for city in listed.cities
        )


#: Maximum price worth paying for a second tile at once.
CHEAP_RIGHT = 20


class Appraisal:
    """Evaluation of one state for one player."""

    def __init__(self, estimates: Estimates, lists: CityLists, seat: int) -> None:
        self.estimates = estimates
        self.ruleset = estimates.ruleset
        self.state = estimates.state
        self.lists = lists
        self.seat = seat
        self._laying: TrackValues | None = None
        self._fleet: TrainValues | None = None
        self._dealing: ShareValues | None = None
        self._bids: Bids | None = None

    def gains(self, actions: Sequence[Action]) -> list[float]:
        """Gain of each action over doing nothing."""
        return [_JUDGED[type(action)](self, action) for action in actions]

    # ---- the parts

    @property
    def company(self) -> str:
        """The active company."""
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
            self._bids = Bids(self.ruleset, self.lists, self.state, self.seat)
        return self._bids

    # ---- actions

    def done(self, action: Done) -> float:
        return self.bids.stop() if isinstance(self.state.agenda[-1], BidTurn) else 0.0

    def bond(self, action: WriteBond) -> float:
        return self.bids.bond(action.bond)

    def city(self, action: WriteCity) -> float:
        return self.bids.city(action.city, action.company)

    def right(self, action: TakeRight) -> float:
        """Gain of the right to two tiles: worth only a small fee."""
        cheap = self.ruleset.components.second_tile_cost[self.company] <= CHEAP_RIGHT
        return float(action.fee == cheap)

    def dividend(self, action: Dividend) -> float:
        return self.fleet.dividend(action)

    def answer(self, action: Answer) -> float:
        """Gain of accepting an offer for a train or the elephant."""
        if not action.accepts:
            return 0.0
        step = self.state.agenda[-1]
        if isinstance(step, ElephantOffer):
            return self.dealing.elephant() - step.price
        assert isinstance(step, TrainOffer)
        return self.fleet.answer(step)

    def ask(self, action: AskPrice) -> float:
        step = self.state.agenda[-1]
        assert isinstance(step, TrainOffer)
        return asking_gain(self.state, action, self.fleet.lost_by_selling(step))

    def elephant(self, action: OfferElephant) -> float:
        """Gain of offering the elephant: never."""
        return -1.0

    def order(self, action: OrderRound) -> float:
        return self.dealing.extra_round() if action.orders else 0.0

    def show(self, action: ShowContract) -> float:
        """Gain of showing an illegal contract: the bond comes back, but the player's companies are
        lost."""
        bond = float(self.state.contracts[self.seat].bond or 0)
        return bond - 200.0 if self.ruleset.shares.directed(self.state, self.seat) else bond

    def vote(self, action: Vote) -> float:
        """Gain of a vote: a punished player is a weaker rival."""
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

#: Numbers of bonds, and of companies whose best city is considered.
BONDS = 4
COMPANIES = 4

#: Maximum number of purchases, and of companies to sell, considered.
PURCHASES = 2
SALES = 2


def bid_plans(order: Sequence[Action]) -> list[Plan]:
    """The end of the list, and the best city for a share of each company."""
    cities = (best for best, *_ in by_company(order, WriteCity).values())
    return [*plain(order, 1, Done), *plain(cities, COMPANIES)]


def turn_plans(dealing: ShareValues, order: Sequence[Action]) -> list[Plan]:
    """Plans for a stock turn."""
    found = [*plain(order, 1, Done), *plain(order, 1, Redeem), *plain(order, PURCHASES, BuyShare)]
    sales = islice(by_company(order, SellShares).values(), SALES)
    # Without the purchase, playouts would make it as well.
    return [*found, *(dealing.sale_plan(best)[0] for best, *_ in sales)]


class PlayoutPolicy1853(ScriptedPolicy[State1853]):
    """Playout policy of 1853, on scripted track. Bonds are drawn, as players do not know them."""

    def __init__(self, evaluator: Evaluator1853, rng: random.Random) -> None:
        super().__init__(evaluator.ruleset, tracks(__package__), rng)
        self.evaluator = evaluator
        self.rng = rng

    def action(self, state: State1853, seat: int) -> Action | None:
        if isinstance(state.agenda[-1], WriteBonds):
            return WriteBond(seat, drawn_bond(self.ruleset, state, self.rng))
        return super().action(state, seat)

    def action_values(
        self, state: State1853, seat: int, actions: Sequence[Action]
    ) -> Sequence[float] | None:
        """Pay out revenue where withholding certainly gains less."""
        step = state.agenda[-1]
        if not isinstance(step, Pay):
            return None
        fleet = TrainValues(self.evaluator.estimates(state), seat, step.company)
        pays = [isinstance(action, Dividend) and action.pays for action in actions]
        return list(map(float, pays)) if any(pays) and fleet.surely_pays() else None


#: Maximum amount bid above the least bond.
MAX_MORE = 70


class Evaluator1853(EighteenEvaluator[State1853]):
    """The evaluator of 1853."""

    questions = (ExtraRound, SellElephant, ElephantOffer, SettleCredit, TrainOffer)

    def __init__(self, ruleset: Ruleset1853) -> None:
        self.ruleset = ruleset
        self.prospects = Prospects(ruleset.components, mail=ruleset.policy.mail)
        self.ways = Distances(ruleset.components, self.prospects.values)
        self.lists = CityLists(ruleset, self.ways)

    def estimates(self, state: State1853) -> Estimates:
        """Estimates for a state."""
        return Estimates(self.ruleset, self.prospects, self.ways, state)

    def evaluate(self, state: State1853) -> list[float]:
        return self.estimates(state).values()

    def action_values(self, state: State1853, seat: int, actions: Sequence[Action]) -> list[float]:
        return Appraisal(self.estimates(state), self.lists, seat).gains(actions)

    def debatable(self, state: State1853, gains: Mapping[Action, float]) -> Sequence[Action]:
        """Actions worth exploring: not track, which pays off beyond any search."""
        return () if isinstance(state.agenda[-1], Build | PlaceToken) else list(gains)

    def turn_plans(self, state: State1853, seat: int, order: Sequence[Action]) -> Sequence[Plan]:
        return turn_plans(ShareValues(self.estimates(state), seat), order)

    def plans(self, state: State1853, seat: int, gains: Mapping[Action, float]) -> Sequence[Plan]:
        match state.agenda[-1]:
            case WriteBonds():
                return plain(by_gain(gains), BONDS)
            case BidTurn():
                return bid_plans(by_gain(gains))
        return super().plans(state, seat, gains)

    def train_gain(
        self, state: State1853, seat: int, company: str, train: str, price: int
    ) -> float:
        return TrainValues(self.estimates(state), seat, company).gain(train, price)

    def make_policy(self, rng: random.Random) -> PlayoutPolicy1853:
        return PlayoutPolicy1853(self, rng)

    def lost_by_selling(self, state: State1853, step: TrainOffer, seat: int) -> float:
        return TrainValues(self.estimates(state), seat, step.owner).lost_by_selling(step)

    def amounts(self, state: State1853, choice: Choice) -> Sequence[int]:
        """Bonds a little above the least one, the lowest prices of trains, and for the elephant a
        little less than it is worth to the other player."""
        action, amounts = choice.action, choice.amount
        if isinstance(action, WriteBond) and amounts is not None:
            step = max(10, amounts.step)
            return [*range(amounts.low, min(amounts.high, amounts.low + MAX_MORE) + 1, step)]
        if isinstance(action, OfferTrain) and amounts is not None:
            return [amounts.low]
        if isinstance(action, OfferElephant) and amounts is not None:
            worth = int(ShareValues(self.estimates(state), action.player).elephant())
            return [max(amounts.low, min(worth - 1, amounts.high))]
        return super().amounts(state, choice)

    def unsettled(self, state: State1853) -> bool:
        """Whether a question interrupts a turn."""
        step = state.agenda[-1] if state.agenda else None
        return isinstance(step, SettleCredit | Surplus | TrainOffer | ElephantOffer | Pardon)

    def obvious(self, action: Action) -> bool:
        return isinstance(action, Answer | AskPrice | OrderRound | SettleTrain)

    def playout_weight(self, action: Action) -> float:
        return 0.1 if isinstance(action, OfferElephant) else super().playout_weight(action)
