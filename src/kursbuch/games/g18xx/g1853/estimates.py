"""What computer opponents expect of the companies of 1853: revenue, dividends and prices until the end."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.games.g18xx.components import BANK, PLAYERS, train_item
from kursbuch.games.g18xx.evaluation import Prospects, Sight
from kursbuch.games.g18xx.g1853.distance import Distances
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.state import State1853
from kursbuch.games.g18xx.map.track import TrackPosition

#: What a company may come to earn in an operating round, by phase.
HOPE = (60, 90, 130, 190)

#: How many operating rounds there may be at most, by phase, and how fast revenues grow.
MOST_ROUNDS = (18, 15, 11, 9)
GROWTH = 1.05

#: What the bank loses in an operating round beside what companies have earned last.
OTHER_PAYMENTS = 150

#: A company does not pay out its revenue in every round.
PAYS = 0.9

#: So much of the money in a treasury counts for the shareholders.
TREASURY_PART = 0.3

#: A company that begins earns its first revenue so many rounds later.
FIRST_RUN = 2


class Estimates:
    """What can be expected of the companies in one state. Answers are kept."""

    def __init__(
        self, ruleset: Ruleset1853, prospects: Prospects, ways: Distances, state: State1853
    ) -> None:
        self.ruleset = ruleset
        self.prospects = prospects
        self.ways = ways
        self.state = state
        self.stage = state.phase
        self._sights: dict[str, Sight] = {}
        self._incomes: dict[str, float] = {}
        self._courses: dict[str, tuple[float, float]] = {}
        self._rounds: float | None = None

    # ---- runs

    def sight(self, company: str) -> Sight:
        """What a company can run on now."""
        found = self._sights.get(company)
        if found is None:
            found = self._sights[company] = self.prospects.sight(self.position(), company)
        return found

    def position(self) -> TrackPosition:
        """The track as it lies now."""
        return self.ruleset.components.track.position(self.state.layout, self.stage)

    def takings(self, company: str, trains: Sequence[str]) -> tuple[int, int]:
        """What a company would earn with these trains: revenue, and mail."""
        return self.prospects.takings(self.sight(company), trains)

    def trains(self, company: str) -> list[str]:
        """Its trains."""
        return self.ruleset.trains(self.state, company)

    def doomed(self, train: str, within: int = 2) -> bool:
        """Whether a train will be scrapped when so many more trains of standard gauge have been
        sold."""
        components = self.ruleset.components
        scrapper = components.train_records[train].scrapped_by
        if scrapper is None:
            return False
        left = 0
        for name in components.train_order:
            if name == scrapper:
                return left < within
            if not self.ruleset.depot.metre(name):
                left += self.state.ledger.held(train_item(name), "stack")
        return True

    def lasting(self, company: str, within: int = 2) -> list[str]:
        """The trains of a company that will not be scrapped soon."""
        return [train for train in self.trains(company) if not self.doomed(train, within)]

    # ---- the course of the game

    def rounds_left(self) -> float:
        """How many operating rounds there may still be, by the money of the bank."""
        if self._rounds is None:
            self._rounds = self._left()
        return self._rounds

    def _left(self) -> float:
        state, ruleset = self.state, self.ruleset
        if state.broken:
            return 0.5
        paid = sum(found.revenue for found in state.companies.values() if found.operating)
        left = ruleset.money(state, BANK) / (1.5 * paid + OTHER_PAYMENTS)
        return min(max(left, 1.0), MOST_ROUNDS[self.stage])

    def income(self, company: str) -> float:
        """What a company can be expected to earn in an operating round."""
        found = self._incomes.get(company)
        if found is None:
            found = self._incomes[company] = self._income(company)
        return found

    def _income(self, company: str) -> float:
        state, ruleset = self.state, self.ruleset
        hope = HOPE[self.stage]
        if not state.companies[company].operating:
            return float(hope)
        lasting = self.lasting(company)
        now, mail = self.takings(company, lasting)
        money = ruleset.money(state, company) + mail
        best = 0.0
        if len(self.trains(company)) < ruleset.depot.train_limit(state, company):
            for train, _, price in ruleset.depot.offers(state, company):
                more = self.takings(company, [*lasting, train])[0] - now
                best = max(best, more * (0.8 if money >= price else 0.35))
        directed = ruleset.control.director(state, company) is not None
        return max(now + best, 0.25 * hope) * (1.0 if directed else 0.4)

    def course(self, company: str) -> tuple[float, float]:
        """What one share will have paid by the end of the game, and its price then."""
        found = self._courses.get(company)
        if found is None:
            found = self._courses[company] = self._course(company)
        return found

    def _course(self, company: str) -> tuple[float, float]:
        state, ruleset = self.state, self.ruleset
        public = ruleset.public[company]
        found = state.companies[company]
        cell = found.cell or public.cell
        income, left = self.income(company), self.rounds_left()
        if not found.operating:
            left = max(0.0, left - FIRST_RUN)
        elif not self.trains(company):
            left = max(0.0, left - 1)
        chart, paid = ruleset.chart, 0.0
        while left > 0 and income > 0:
            part = min(left, 1.0)
            paid += PAYS * part * income / 10
            price = chart.price[cell]
            if part == 1:
                cell = ruleset.market.raised(cell, max(1, min(5, int(income // price))))
            income *= GROWTH
            left -= 1
        price = chart.price[cell]
        if not found.operating:
            return paid, float(price)
        return paid, 0.1 * chart.price[found.cell] + 0.9 * price

    def share_value(self, company: str) -> float:
        """What one share will have brought by the end of the game."""
        paid, price = self.course(company)
        return 0.9 * paid + price

    # ---- players

    def part(self, seat: int, company: str) -> float:
        """The part of a company's revenue that comes to a player: unredeemed shares bring nothing."""
        percent = self.ruleset.percent(self.state, PLAYERS[seat], company)
        return (percent - 10 * self.ruleset.unpaid(self.state, seat, company)) / 100

    def ahead(self, seat: int, company: str) -> float:
        """By how much a player gains more than the others, half the best of them and half their
        mean, when a company gains 1."""
        parts = [self.part(other, company) for other in range(self.state.seats)]
        mine = parts.pop(seat)
        return mine - (max(parts) + sum(parts) / len(parts)) / 2

    def values(self) -> list[float]:
        """What every player can expect to have at the end. What others have sealed is not looked
        at."""
        ruleset, state = self.ruleset, self.state
        if not state.agenda:
            return list(map(float, ruleset.market.wealth(state)))
        left = self.rounds_left()
        found = []
        for seat in range(state.seats):
            value = float(ruleset.cash(state, seat) + ruleset.noted(state, PLAYERS[seat]))
            for company, public in ruleset.public.items():
                count = ruleset.shares_of(state, seat, company)
                if count:
                    unpaid = ruleset.unpaid(state, seat, company)
                    value += count * self.share_value(company) - unpaid * public.par
            contract = state.contracts[seat]
            if contract.bond and not contract.shown:
                value += contract.bond * min(1.0, left / 12)
            found.append(value)
        return found
