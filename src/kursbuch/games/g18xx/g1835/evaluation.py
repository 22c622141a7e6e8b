"""Evaluation of 1835 positions and actions for each player, in Mark.

A short search shows little where a tile pays off ten rounds later. So an action is worth what it
should bring by the end of the game: dividends, rising prices, and the trains a company will need.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from functools import cached_property
from typing import Any

from kursbuch.core.actions import Action
from kursbuch.games.g18xx.actions import (
    Answer,
    AskPrice,
    BuyShare,
    BuyTrain,
    ChooseHome,
    ChooseSwap,
    Discard,
    Done,
    Exchange,
    LayTile,
    Nationalise,
    PlaceStation,
    SellShares,
)
from kursbuch.games.g18xx.components import BANK, PERCENT, PLAYERS, POOL, train_item
from kursbuch.games.g18xx.evaluation import Prospects, Sight, asking_gain, per_company
from kursbuch.games.g18xx.g1835.ruleset import OPENER, PRUSSIA, Ruleset1835
from kursbuch.games.g18xx.g1835.state import OpenPrussia, State1835
from kursbuch.games.g18xx.map.track import Laid, TrackPosition
from kursbuch.games.g18xx.state import (
    Build,
    BuyTrains,
    PlaceToken,
    RaiseMoney,
    StockTurn,
    TrainOffer,
)

#: Number of operating rounds, from the first, in which a private pays.
PRIVATE_ROUNDS = 9

#: Expected later revenue of a share company without trains, by phase.
LATER_REVENUE = (60, 110, 170)

#: Payments of the bank per operating round besides revenues, and the growth factor of revenues.
OTHER_PAYMENTS = 400
GROWTH = 1.4
MAX_ROUNDS = (16, 13, 9)

#: Number of operating rounds in a game, while little is known about it.
WHOLE_GAME = 17.0

#: Mean revenue of a running company over the remaining rounds: base by phase, and weight of its
#: present revenue.
EXPECTED = ((160.0, 0.2), (85.0, 0.6), (25.0, 0.95))

#: Part of the remaining rounds in which a company without trains pays, by phase.
PAYING_PART = (0.9, 0.55, 0.4)

#: Trains sold per operating round.
PACE = 1.75

#: The train that opens Prussia, and the number of rounds until a company on offer floats.
OPENING_TRAIN, FLOAT_WAIT = "4", 1.5

#: Weight of treasury money for the shareholders.
TREASURY_PART = 0.35

#: Possible later trains of a company, by phase, with their weight when it lays track. Trains with
#: slow route searches are left out.
LATER_TRAINS = ((("2", 0.2), ("3", 0.3), ("4", 0.3)), (("3", 0.2), ("4", 0.4)), ())
FIRST_LATER_TRAINS = (("2", 0.5), ("4", 0.5))

#: Number of remaining rounds below which a train that will rust may still last.
SOON = 4.0

#: Minimum gain of a tile or token.
LEAST = 0.5


def relative(changes: Sequence[float], seat: int) -> float:
    """A player's value beyond the other players' mean."""
    return changes[seat] - (sum(changes) - changes[seat]) / (len(changes) - 1)


#: Answers of an appraisal cached by company.
PER_COMPANY = ("income", "shortage", "sight", "ten_percent")


class Appraisal:
    """Evaluation of one state, with caches."""

    def __init__(self, ruleset: Ruleset1835, prospects: Prospects, state: State1835) -> None:
        self.ruleset = ruleset
        self.prospects = prospects
        self.state = state
        self.stage = ruleset.phase(state).number - 1
        self.memo: dict[str, dict[str, Any]] = {name: {} for name in PER_COMPANY}
        self._potentials: dict[str, float] = {}
        self._trains: dict[str, list[str]] = {}
        self._reserves: dict[int, int] = {}
        self._runs: dict[tuple[str, tuple[str, ...]], tuple[float, float, float]] = {}

    def after(self, state: State1835, company: str) -> Appraisal:
        """Evaluation of a state that differs only in shares of a company and players' money."""
        other = copy(self)
        other.state = state
        kept = {name: worth for name, worth in self.memo["ten_percent"].items() if name != company}
        other.memo = {**self.memo, "ten_percent": kept}
        other._reserves = {}
        return other

    # ---- companies

    def revenue(self, company: str, trains: Sequence[str]) -> int:
        """Revenue of a company with these trains."""
        if not trains:
            return 0
        network = self.position.network(company)
        return self.prospects.earned(network, trains).revenue

    @per_company
    def sight(self, company: str) -> Sight:
        """What a company can run on now."""
        return self.prospects.sight(self.position, company)

    @cached_property
    def position(self) -> TrackPosition:
        """Current track."""
        return self.ruleset.position(self.state)

    def trains(self, company: str) -> list[str]:
        """Trains of a company."""
        found = self._trains.get(company)
        if found is None:
            found = self._trains[company] = self.ruleset.trains(self.state, company)
        return found.copy()

    @cached_property
    def _left_before(self) -> dict[str, int]:
        """Number of trains to be sold before the first of each type."""
        left, found = 0, {}
        for name in self.ruleset.components.train_order:
            found[name] = left
            left += self.state.ledger.held(train_item(name), "stack")
        return found

    def doomed(self, train: str, within: int = 3) -> bool:
        """Whether a train rusts within that many further train sales."""
        scrapper = self.ruleset.components.train_records[train].scrapped_by
        return scrapper is not None and self._left_before[scrapper] < within

    def later_train(self, sold: float) -> tuple[str, int]:
        """The train on offer after that many sales, with its price; empty if none is left."""
        for name in self.ruleset.components.train_order:
            held = self.state.ledger.held(train_item(name), "stack")
            if self._left_before[name] + held > sold:
                return name, self.ruleset.depot.price(name)
        return "", 0

    @cached_property
    def next_price(self) -> int:
        """Price of the train on offer, 0 if there is none."""
        return min(
            map(self.ruleset.depot.price, self.ruleset.depot.new_trains(self.state)), default=0
        )

    @per_company
    def income(self, company: str) -> float:
        """Expected revenue of a company per operating round."""
        state, ruleset = self.state, self.ruleset
        found = state.companies[company]
        if not found.operating:
            return 0.6 * LATER_REVENUE[self.stage]
        lasting = [train for train in self.trains(company) if not self.doomed(train)]
        now = self.revenue(company, lasting)
        (train, *_) = (*ruleset.depot.new_trains(state, company), "")
        if train and len(lasting) < ruleset.depot.train_limit(state, company):
            affordable = ruleset.money(state, company) >= self.next_price
            more = self.revenue(company, [*lasting, train])
            now += int((more - now) * (0.8 if affordable else 0.3))
        return max(float(now), 0.25 * LATER_REVENUE[self.stage])

    @cached_property
    def rounds_left(self) -> float:
        """Expected number of remaining operating rounds."""
        state, ruleset = self.state, self.ruleset
        if state.broken:
            return max(1.0, state.round.parts - state.round.part + 0.5)
        paid = sum(found.revenue for found in state.companies.values() if found.operating)
        left = ruleset.money(state, BANK) / (GROWTH * paid + OTHER_PAYMENTS)
        if self.stage == 0:
            # Payments so far say too little.
            left = WHOLE_GAME - state.round.number + (state.round.part == 0)
        return min(max(left, 1.0), MAX_ROUNDS[self.stage])

    def share_value(self, company: str, percent: int) -> float:
        """Value of a share by the end of the game, dividends included."""
        return percent / 10 * self.ten_percent(company)

    @per_company
    def ten_percent(self, company: str) -> float:
        """Value of ten percent."""
        state, ruleset = self.state, self.ruleset
        found = state.companies[company]
        left = self.rounds_left
        if not found.operating:
            wait = self._left_before[OPENING_TRAIN] / PACE if company == PRUSSIA else FLOAT_WAIT
            left = max(left - wait, 1.0)
        trains = self.trains(company)
        paid = left * (1.0 if trains or not found.operating else PAYING_PART[self.stage])
        base, part = EXPECTED[self.stage]
        income = base + part * self.revenue(company, trains) if found.operating else base
        return (
            self.price_after(found.cell or ruleset.public[company].cell, paid) + paid * income / 10
        )

    def price_after(self, cell: str, rounds: float) -> float:
        """Share price after dividends in that many rounds."""
        chart, whole = self.ruleset.chart, int(rounds)
        for _ in range(whole):
            cell = chart.right[cell]
        now, then = chart.price[cell], chart.price[chart.right[cell]]
        return now + (rounds - whole) * (then - now)

    @per_company
    def shortage(self, company: str) -> int:
        """What a director may soon have to add for a train."""
        lasting = [train for train in self.trains(company) if not self.doomed(train, 2)]
        if lasting:
            return 0
        offers = self.ruleset.depot.offers(self.state, company)
        needed = min((price for _, _, price in offers), default=0)
        return max(needed - self.ruleset.money(self.state, company), 0)

    def reserve(self, seat: int) -> int:
        """Cash a player should keep for the trains of directed companies."""
        found = self._reserves.get(seat)
        if found is None:
            found = self._reserves[seat] = self._reserve(seat)
        return found

    def _reserve(self, seat: int) -> int:
        return sum(
            self.shortage(company)
            for company in self.ruleset.public
            if self.state.companies[company].operating
            and self.ruleset.control.director(self.state, company) == seat
        )

    def part(self, seat: int, company: str) -> float:
        """Part of a company's revenue that a player receives."""
        if self.ruleset.is_minor(company):
            return 0.5
        return self.ruleset.percent(self.state, PLAYERS[seat], company) / 100

    # ---- players

    def values(self) -> list[float]:
        """Expected final wealth of every player: cash, shares with future dividends, privates and
        minors, less trains the player may have to pay for."""
        ruleset, state = self.ruleset, self.state
        values = []
        for seat in range(state.seats):
            if seat in state.out:
                values.append(0.0)
                continue
            if not state.agenda:
                values.append(float(ruleset.market.wealth(state)[seat]))
                continue
            value = float(ruleset.cash(state, seat) + ruleset.noted(state, PLAYERS[seat]))
            for company in ruleset.public:
                percent = ruleset.percent(state, PLAYERS[seat], company)
                if percent:
                    value += self.share_value(company, percent)
            rounds = max(PRIVATE_ROUNDS - state.round.number, 1)
            for paper in ruleset.privates_and_minors(state, seat):
                if paper in ruleset.components.minors:
                    minor = ruleset.components.minors[paper]
                    income = 0.5 * self.revenue(paper, self.trains(paper))
                    value += income * rounds + self.share_value(PRUSSIA, minor.exchange.percent)
                else:
                    private = ruleset.components.privates[paper]
                    value += private.income * rounds
                    if private.colour == "black":
                        value += self.share_value(PRUSSIA, 10)
            values.append(value - 0.5 * self.reserve(seat))
        return values

    # ---- actions

    def gain(self, seat: int, action: Action) -> float:
        """Gain of an action over doing nothing."""
        return _JUDGED[type(action)](self, seat, action)

    def share(self, seat: int, action: BuyShare) -> float:
        """Gain of a share: its future value, less its price, less the risk of lacking money for
        trains."""
        ruleset, state = self.ruleset, self.state
        percent = PERCENT[action.certificate]
        price = ruleset.public[action.company].par
        if action.source == POOL:
            price = ruleset.market.price(state, action.company)
        cost = price * percent // 10
        gain = self.share_value(action.company, percent) - cost
        found = state.companies[action.company]
        if not found.operating and action.company != PRUSSIA:
            sold = 100 - ruleset.unsold(state, action.company) + percent
            # Money in a company that may not float lies idle.
            gain *= min(1.0, 0.45 + sold / 100)
        director = ruleset.control.director(state, action.company)
        mine = ruleset.percent(state, PLAYERS[seat], action.company) + percent
        held = (
            ruleset.percent(state, PLAYERS[director], action.company)
            if director is not None
            else 100
        )
        if director != seat and mine > held:
            gain += 30 - 0.8 * self.shortage(action.company)
        left = ruleset.cash(state, seat) - cost
        return gain - max(0, self.reserve(seat) - left)

    def nationalise(self, seat: int, action: Nationalise) -> float:
        """Gain of a nationalised share."""
        percent = PERCENT[action.certificate]
        cost = -(
            -3 * self.ruleset.market.value(self.state, action.company, action.certificate) // 2
        )
        left = self.ruleset.cash(self.state, seat) - cost
        gain = self.share_value(action.company, percent) - cost
        # The buyer's gain is the other player's loss.
        gain += gain / (self.state.seats - 1)
        return gain - max(0, self.reserve(seat) - left)

    def sell(self, seat: int, action: SellShares) -> float:
        """Gain of a sale: money that is needed, or a price above the share's value."""
        ruleset, state = self.ruleset, self.state
        percent = sum(PERCENT[name] for name in action.certificates)
        step = state.agenda[-1]
        assert isinstance(step, StockTurn | RaiseMoney)
        proceeds = ruleset.shares.sale_price(state, action.company, step.prices) * percent // 10
        gain = proceeds - self.share_value(action.company, percent)
        rest = ruleset.percent(state, PLAYERS[seat], action.company) - percent
        gain -= 0.02 * rest * ruleset.market.price(state, action.company) / 10
        if isinstance(step, RaiseMoney):
            return gain
        missing = self.reserve(seat) - ruleset.cash(state, seat)
        if any(name.endswith("P") for name in action.certificates):
            gain += 0.9 * self.shortage(action.company) - 15
        elif missing > 0:
            gain += 0.6 * min(missing, proceeds)
        return gain - 12

    def swap(self, seat: int, action: ChooseSwap) -> float:
        return -float(len(action.certificates))

    def home(self, seat: int, action: ChooseHome) -> float:
        (home,) = self.ruleset.builder.homes(self.state, action.company)
        position = self.prospects.with_station(
            self.ruleset.position(self.state), action.company, home.hex, action.stop
        )
        return self.prospects.outlook(self.prospects.sight(position, action.company))

    def open(self, seat: int, action: OpenPrussia) -> float:
        """Gain of opening Prussia: positive once it will have a lasting train, or money for one."""
        trains = [train for train in self.trains(OPENER) if not self.doomed(train)]
        sold = 40 - 10 * self.ruleset.certificates(self.state, "stack", PRUSSIA).get("10", 0)
        money = self.ruleset.money(self.state, OPENER) + sold * 154 // 10
        ready = bool(trains) or money >= self.next_price
        return float(ready if action.opens else not ready)

    def exchange(self, seat: int, action: Exchange) -> float:
        """Gain of an exchange: the share's income less the paper's."""
        ruleset, components = self.ruleset, self.ruleset.components
        income = self.income(PRUSSIA)
        gain = 0.0
        for paper in action.papers:
            if paper in components.minors:
                percent = components.minors[paper].exchange.percent
                lost = 0.5 * self.revenue(paper, self.trains(paper))
                lost -= 0.1 * ruleset.money(self.state, paper)
            else:
                percent, lost = 10, float(components.privates[paper].income)
            gain += percent / 100 * income - lost
        return gain

    def discard(self, seat: int, action: Discard) -> float:
        kept = self.trains(action.company)
        for train in action.trains:
            kept.remove(train)
        worth = sum(self.ruleset.components.train_records[train].price for train in kept)
        return self.revenue(action.company, kept) + worth / 100

    def potential(self, sight: Sight, company: str) -> float:
        """Value of a company's track: with its trains, with better ones, and later."""
        prospects = self.prospects
        trains = self.trains(company)
        value = prospects.revenue(sight, trains) + prospects.outlook(sight)
        for train, weight in LATER_TRAINS[self.stage] if trains else FIRST_LATER_TRAINS:
            value += weight * prospects.revenue(sight, [train])
        return value

    def more(self, position: TrackPosition, company: str) -> float:
        """Improvement of a company's track in another position."""
        now = self._potentials.get(company)
        if now is None:
            now = self._potentials[company] = self.potential(self.sight(company), company)
        sight = self.prospects.sight(position, company, self.sight(company))
        return self.potential(sight, company) - now

    def build(self, seat: int, action: LayTile) -> float:
        """Gain of a tile: extra revenue over the rest of the game, less its cost."""
        step = self.state.agenda[-1]
        assert isinstance(step, Build | PlaceToken)
        company = step.company
        position = self.prospects.with_tile(
            self.ruleset.position(self.state), action.hex, Laid(action.tile, action.rotation)
        )
        more = self.more(position, company)
        cost = 0
        if not action.private and action.hex not in self.state.layout.tiles:
            board = self.ruleset.components.board
            cost = board.records[board.number(action.hex)].cost
        return self._over_time(more, company) - self._price(company, cost) - LEAST

    def station(self, seat: int, action: PlaceStation) -> float:
        """Gain of a station token."""
        step = self.state.agenda[-1]
        assert isinstance(step, Build | PlaceToken)
        company = step.company
        position = self.prospects.with_station(
            self.ruleset.position(self.state), company, action.hex, action.stop
        )
        more = self.more(position, company)
        cost = 0
        if not action.private:
            cost = self.ruleset.builder.station_cost(self.state, company, action.hex)
        return self._over_time(more, company) - self._price(company, cost) - 4 * LEAST

    def _over_time(self, more: float, company: str) -> float:
        left = self.rounds_left
        if self.ruleset.is_minor(company):
            left = min(left, max(PRIVATE_ROUNDS - self.state.round.number, 1))
        return more * left * 0.5

    def _price(self, company: str, cost: int) -> float:
        """Weighted cost of spending treasury money: higher if the company needs it for a train."""
        money = self.ruleset.money(self.state, company)
        if self.ruleset.is_minor(company):
            return cost * 0.6
        needs = self.shortage(company) > 0 or money - cost < self.next_price
        lacking = not any(not self.doomed(train) for train in self.trains(company))
        return cost * (2.5 if needs and lacking else 0.6)

    def lasting(self, train: str) -> float:
        """Number of operating rounds a train may still run."""
        left = self.rounds_left
        if self.doomed(train, 2):
            return min(left, 1.0)
        return min(left, 4.0) if self.doomed(train, 8) else left

    def runs(self, company: str, trains: Sequence[str]) -> tuple[float, float, float]:
        """The company's remaining operating rounds, its total revenue with these trains, and the
        rounds until the last train rusts."""
        key = (company, tuple(trains))
        found = self._runs.get(key)
        if found is None:
            left = self.rounds_left
            if self.ruleset.is_minor(company):
                left = min(left, max(PRIVATE_ROUNDS - self.state.round.number, 1.0))
            ends = sorted((min(self.lasting(train), left), train) for train in trains)
            earned = now = 0.0
            for number, (end, _) in enumerate(ends):
                if end > now:
                    together = self.revenue(company, [train for _, train in ends[number:]])
                    earned += (end - now) * together
                    now = end
            found = self._runs[key] = left, earned, now
        return found

    def train(self, seat: int, action: BuyTrain) -> float:
        """Gain of a train: extra revenue while it lasts, less the value of the money."""
        step = self.state.agenda[-1]
        assert isinstance(step, BuyTrains)
        company = step.company
        record = self.ruleset.components.train_records[action.train]
        return self.train_gain(seat, company, action.train, record.price)

    def train_gain(
        self, seat: int, company: str, train: str, price: int, money: int | None = None
    ) -> float:
        """Gain of a train at a price, optionally with a different treasury."""
        ruleset, state = self.ruleset, self.state
        money = ruleset.money(state, company) if money is None else money
        trains = self.trains(company)
        left = self.lasting(train)
        more = self.revenue(company, [*trains, train]) - self.revenue(company, trains)
        spare = money - price >= self.next_price
        gain = 0.5 * left * more - (0.1 if spare else 0.3) * price
        lasting = [owned for owned in trains if not self.doomed(owned)]
        if not lasting and not self.doomed(train) and not ruleset.is_minor(company):
            # Waiting means a dearer train, or one the director pays for.
            gain += 150
        if not trains and not ruleset.is_minor(company):
            gain += 1000
        added = max(0, price - money)
        cash = ruleset.cash(state, seat)
        if added > cash:
            gain -= 3 * (added - cash)
        return gain - 0.9 * added

    def answer(self, seat: int, action: Answer) -> float:
        """Gain of accepting: an offer must be well above the train's value; an asked price must be
        worth it, with nothing better on sale."""
        if not action.accepts:
            return 0.0
        step = self.state.agenda[-1]
        assert isinstance(step, TrainOffer)
        if step.counter:
            others = [
                self.train_gain(seat, step.company, train, price)
                for train, _, price in self.ruleset.depot.offers(self.state, step.company)
            ]
            gain = self.train_gain(seat, step.company, step.train, step.price)
            return gain - max(0.0, *others) if others else gain
        lost = self.lost_by_selling(step)
        return -1.0 if lost is None else step.price - lost

    def lost_by_selling(self, step: TrainOffer) -> float | None:
        """Value of a train to its owner, None if it is not for sale."""
        rest = self.trains(step.owner)
        rest.remove(step.train)
        if not rest and not self.ruleset.is_minor(step.owner):
            return None
        # A train that rusts first adds no revenue alongside it.
        doomed = self.doomed(step.train, 2)
        stays = [train for train in rest if doomed or not self.doomed(train, 2)]
        lost = self.revenue(step.owner, [*stays, step.train]) - self.revenue(step.owner, stays)
        record = self.ruleset.components.train_records[step.train]
        worth = 0.5 * self.lasting(step.train) * lost + 0.3 * record.price
        # Without a lasting train the next one has to be bought.
        alone = not stays and not self.ruleset.is_minor(step.owner)
        return max(worth, float(self.next_price)) if alone else worth

    def ask(self, seat: int, action: AskPrice) -> float:
        step = self.state.agenda[-1]
        assert isinstance(step, TrainOffer)
        return asking_gain(self.state, action, self.lost_by_selling(step))

    def done(self, seat: int, action: Done) -> float:
        return 0.0


_JUDGED: dict[type[Action], Callable[..., float]] = {
    BuyShare: Appraisal.share,
    Nationalise: Appraisal.nationalise,
    SellShares: Appraisal.sell,
    ChooseSwap: Appraisal.swap,
    ChooseHome: Appraisal.home,
    OpenPrussia: Appraisal.open,
    Exchange: Appraisal.exchange,
    Discard: Appraisal.discard,
    LayTile: Appraisal.build,
    PlaceStation: Appraisal.station,
    BuyTrain: Appraisal.train,
    AskPrice: Appraisal.ask,
    Answer: Appraisal.answer,
    Done: Appraisal.done,
}
