"""Contracts that computer opponents of 1853 find worth writing: near cities, shares of one company."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations

import msgspec
from msgspec.structs import replace

from kursbuch.games.g18xx.g1853 import contracts
from kursbuch.games.g18xx.g1853.distance import Distances
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.state import Contract, State1853
from kursbuch.games.g18xx.map.track import Layout

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
        """How many shares of a company somebody may take if he goes on as he has begun."""
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
        """What it is worth to begin with so many shares of a company."""
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
