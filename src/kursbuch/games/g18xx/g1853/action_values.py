"""Values of 1853 actions for computer opponents: shares, trains, dividends, tiles and tokens."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

from kursbuch.games.g18xx.actions import (
    BuyShare,
    BuyTrain,
    Discard,
    Dividend,
    LayTile,
    OfferTrain,
    PlaceStation,
    SellShares,
)
from kursbuch.games.g18xx.components import PLAYERS, POOL, STACK, train_item
from kursbuch.games.g18xx.evaluation import Sight, per_company
from kursbuch.games.g18xx.g1853.actions import BuyOnCredit, Redeem, SettleTrain
from kursbuch.games.g18xx.g1853.estimates import GAUGES, TREASURY_PART, Estimates
from kursbuch.games.g18xx.g1853.state import SINGLE
from kursbuch.games.g18xx.map.revenue import Revenue
from kursbuch.games.g18xx.map.track import Laid, TrackPosition
from kursbuch.games.g18xx.plans import Sale, SaleForPurchase
from kursbuch.games.g18xx.state import TrainOffer

#: Value of being director.
DIRECTORSHIP = 40.0

#: Weight of par for a share of a company that may not float.
WAITING = 0.5

#: Extra cost of a sale, against buying and selling in turns.
SALE_COST = 8.0


class ShareValues:
    """Values of buying, selling and redeeming shares for one player."""

    def __init__(self, estimates: Estimates, seat: int) -> None:
        self.estimates = estimates
        self.ruleset = estimates.ruleset
        self.state = estimates.state
        self.seat = seat
        self.needed = self.ruleset.components.players[self.state.seats].float_percent // 10
        self.memo: dict[str, dict[str, Any]] = {"worth": {}, "_sale": {}}

    def price(self, company: str, source: str) -> int:
        """Price of a share."""
        return self.ruleset.shares.purchase_price(self.state, company, SINGLE, source)

    def begins(self, company: str) -> float:
        """Likelihood that a company floats in this stock round if the player buys a share."""
        ruleset, state = self.ruleset, self.state
        if state.companies[company].operating or company in state.founded:
            return 1.0
        missing = self.needed - (10 - ruleset.unsold(state, company) // 10)
        par = ruleset.public[company].par
        mine = ruleset.cash(state, self.seat) // par
        if missing <= mine:
            return 1.0
        others = sum(
            ruleset.cash(state, other) // par
            for other in range(state.seats)
            if other != self.seat and ruleset.shares_of(state, other, company)
        )
        return 0.8 if missing <= mine + others else 0.25

    @per_company
    def worth(self, company: str) -> float:
        """Value of one share to the player."""
        value = self.estimates.share_value(company)
        likely = self.begins(company)
        par = self.ruleset.public[company].par
        return value * likely + (1 - likely) * WAITING * par

    def buy(self, action: BuyShare) -> float:
        """Gain of a share: its value less its price, and more if it makes the player director."""
        ruleset, state, seat = self.ruleset, self.state, self.seat
        company = action.company
        gain = self.worth(company) - self.price(company, action.source)
        mine = ruleset.shares_of(state, seat, company) + 1
        others = max(
            ruleset.shares_of(state, other, company)
            for other in range(state.seats)
            if other != seat
        )
        director = ruleset.control.director(state, company)
        if director == seat:
            if others == mine - 1:
                # Another player could become director.
                gain += 0.5 * DIRECTORSHIP
        elif mine >= 2 and mine > others:
            gain += DIRECTORSHIP * self.begins(company)
        elif director is None and mine < 2 and state.companies[company].operating:
            gain -= 0.5 * DIRECTORSHIP
        return gain

    def sale_plan(self, sale: SellShares) -> tuple[Sale, float]:
        """A sale with the best purchase it allows in the turn, if any, and that purchase's gain
        beyond the best one possible anyway."""
        step = self.state.agenda[-1]
        if getattr(step, "bought", False) or self.state.unredeemed[self.seat]:
            return Sale((sale,)), 0.0
        gain, purchase = self.best_purchase(sale)
        if purchase is None:
            return Sale((sale,)), 0.0
        return SaleForPurchase((sale, purchase)), max(0.0, gain - self._best_now)

    def best_purchase(self, sale: SellShares | None = None) -> tuple[float, BuyShare | None]:
        """The best affordable purchase, now or after a sale, and its gain (0 if there is none).
        Players do not buy back a company they have sold in the round."""
        shares, state, seat = self.ruleset.shares, self.state, self.seat
        cash, papers, sold = self.ruleset.cash(state, seat), 1, ""
        if sale is not None:
            count, sold = len(sale.certificates), sale.company
            cash += count * shares.sale_price(state, sold, None)
            papers -= 0 if shares.exempt(state, sold) else count
        room: bool | None = None
        for cost, gain, purchase in self._purchases:
            if cost <= cash and purchase.company != sold:
                if room is None:
                    room = shares.has_room(state, seat, papers)
                if room or shares.exempt(state, purchase.company):
                    return gain, purchase
        return 0.0, None

    @cached_property
    def _best_now(self) -> float:
        return self.best_purchase()[0]

    @cached_property
    def _purchases(self) -> list[tuple[int, float, BuyShare]]:
        """Shares on sale that gain, regardless of money and certificate limit, best first, with
        cost and gain."""
        ruleset, state, seat = self.ruleset, self.state, self.seat
        most = ruleset.components.players[state.seats].per_company
        found = [
            BuyShare(seat, company, SINGLE, source)
            for company in ruleset.public
            if company not in state.round.sold[seat]
            if ruleset.shares.exempt(state, company)
            or ruleset.shares_of(state, seat, company) < most
            for source in (STACK, POOL)
            if ruleset.shares.lacking(state, seat, company, source) is None
        ]
        judged = [(self.price(one.company, one.source), self.buy(one), one) for one in found]
        return sorted((each for each in judged if each[1] > 0), key=lambda each: -each[1])

    def sell(self, action: SellShares) -> float:
        """Gain of a sale: proceeds above the shares' value, or money for a better purchase."""
        count = len(action.certificates)
        each, least = self._sale(action.company)
        gain = count * each - SALE_COST
        if least and self.ruleset.shares_of(self.state, self.seat, action.company) - count < least:
            gain -= DIRECTORSHIP
        return gain + self.sale_plan(action)[1]

    @per_company
    def _sale(self, company: str) -> tuple[float, int]:
        """Gain of selling one share, and how many a director has to keep (0: is not director)."""
        ruleset, state, seat = self.ruleset, self.state, self.seat
        each = ruleset.shares.sale_price(state, company, None) - self.worth(company)
        if ruleset.control.director(state, company) != seat:
            return each, 0
        others = [
            ruleset.shares_of(state, other, company)
            for other in range(state.seats)
            if other != seat
        ]
        return each, max(2, *others)

    def redeem(self, action: Redeem) -> float:
        """Gain of redeeming; unredeemed shares pay nothing."""
        price = self.ruleset.public[action.company].par
        return action.count * (self.worth(action.company) - price) + 0.1 * action.count * price

    def elephant(self) -> float:
        """Value of beginning the next stock round, and of ordering a round before it."""
        own = self.extra_round()
        return 15.0 + max(0.0, 0.5 * own)

    def extra_round(self) -> float:
        """Relative gain of the player by one more operating round."""
        total = 0.0
        for company, found in self.state.companies.items():
            if found.operating:
                total += self._round(company) * self.estimates.ahead(self.seat, company)
        return total

    def _round(self, company: str) -> float:
        """Gain of all shares of a company in an operating round."""
        ruleset, state = self.ruleset, self.state
        revenue, _ = self.estimates.earnings(company, self.estimates.trains(company))
        if not revenue or ruleset.control.director(state, company) is None:
            return 0.0
        cell = state.companies[company].cell
        raised = ruleset.market.raised(cell, ruleset.market.boxes(state, company, revenue))
        return revenue + 10 * (ruleset.chart.price[raised] - ruleset.chart.price[cell])

    def shares(self, company: str) -> int:
        """Number of the player's shares."""
        return self.ruleset.percent(self.state, PLAYERS[self.seat], company) // 10


#: A higher revenue also raises the price.
WITH_PRICE = 1.3

#: Expected revenue of a company's first trains once it has track, while the game is young (in stock
#: rounds); and the remaining money from which a train is cheap.
HOPED, YOUNG, NEXT = (90, 50), 8, 300

#: Factor if the company has no track of the gauge yet.
OTHER_GAUGE = 0.2

#: Factor for a train that calls at one city only.
SHORT = 0.7

#: Value to a company of a new phase.
NEW_PHASE = 120.0

#: Expected mail of a company until its next turn.
MAIL_SOON = 200

#: Weight of mail relative to paid-out revenue.
MAIL_OF_TRAINS = 0.4


class TrainValues:
    """Values of trains and dividends of the active company for its operator."""

    def __init__(self, estimates: Estimates, seat: int, company: str) -> None:
        self.estimates = estimates
        self.ruleset = estimates.ruleset
        self.state = estimates.state
        self.seat = seat
        self.company = company
        self.part = max(0.1, estimates.part(seat, company))

    def worth(self, company: str, trains: Sequence[str]) -> float:
        """Value of a company's revenue per round with these trains."""
        revenue, mail = self.estimates.earnings(company, trains)
        return WITH_PRICE * revenue + MAIL_OF_TRAINS * mail

    def lasting(self, train: str) -> float:
        """Number of operating rounds a train may still run."""
        left = self.estimates.rounds_left
        if self.estimates.doomed(train, 2):
            return min(left, 1.5)
        if self.estimates.doomed(train, 5):
            return min(left, 3.5)
        return min(left, 6.0) if self.estimates.doomed(train, 20) else left

    def gain(self, train: str, price: int) -> float:
        """Gain of a train: extra revenue while it lasts, less the value of the money."""
        ruleset, state, company = self.ruleset, self.state, self.company
        trains = self.estimates.trains(company)
        more = self._adds(company, trains, train)
        money = ruleset.purse(state, company)
        added = max(0, price - money)
        left = max(0.0, self.lasting(train) - 0.5)
        if not added and len(trains) < len(HOPED):
            # Track is still growing.
            hoped = HOPED[len(trains)] * max(0.0, 1 - state.round.number / YOUNG)
            stops = self.ruleset.components.train(train).stops
            more = max(more, hoped * self._suits(train) * (1.0 if stops > 1 else SHORT))
        idle = 0.25
        if money - price >= NEXT:
            idle = 0.03 if money - price >= self._following() else 0.1
        # A director adds money alone, but all shareholders gain.
        part = self._ahead() if added else self.part
        gain = part * (0.9 * left * more - idle * (price - added)) - added
        gain += part * self.opens(train, money - price) * self._suits(train)
        if not trains and not self.estimates.doomed(train):
            # A company without trains is worth nothing.
            gain += part * 150
        return gain

    def _ahead(self) -> float:
        """The player's part of the company beyond the other players' mean."""
        parts = [self.estimates.part(seat, self.company) for seat in range(self.state.seats)]
        mine = parts.pop(self.seat)
        return max(0.0, mine - sum(parts) / len(parts))

    def _suits(self, train: str) -> float:
        """How well a train's gauge suits the company's track."""
        sight = self.estimates.sight(self.company)
        seen = 0
        for segment in sight.worth.found.network.segments:
            seen |= segment.gauges
        for _, _, gauges in sight.entries:
            seen |= gauges
        gauges = self.ruleset.components.train(train).gauges
        return 1.0 if not seen or seen & gauges else OTHER_GAUGE

    def opens(self, train: str, money: int) -> float:
        """Value to a company of bringing better trains and tiles closer, if it can then afford such
        a train."""
        depot, following = self.ruleset.depot, self._opener()
        if depot.metre(train) or not following:
            return 0.0
        if train == following:
            return NEW_PHASE
        left = self.state.ledger.held(train_item(train), "stack")
        return NEW_PHASE / (1 + left) if money + MAIL_SOON >= self._following() else 0.0

    def _opener(self) -> str:
        """The train that begins the next phase, empty in the last one."""
        phases, stage = self.ruleset.components.phases, self.state.phase
        return phases[stage + 1].starts_with_train or "" if stage + 1 < len(phases) else ""

    def _following(self) -> int:
        """Price of the train that begins the next phase."""
        opener = self._opener()
        return self.ruleset.depot.price(opener) if opener else 0

    def phase(self, train: str) -> float:
        """Relative effect on the player of the trains rusted by a purchase."""
        components = self.ruleset.components
        if components.phase_row.get(train, 0) <= self.state.phase:
            return 0.0
        scrapped = [
            record.id for record in components.train_records.values() if record.scrapped_by == train
        ]
        total = 0.0
        for company, found in self.state.companies.items():
            trains = self.estimates.trains(company)
            left = [name for name in trains if name not in scrapped]
            if found.operating and len(left) < len(trains):
                lost = self.worth(company, trains) - self.worth(company, left)
                total -= 1.5 * lost * self.estimates.ahead(self.seat, company)
        return total

    # ---- actions

    def buy(self, action: BuyTrain) -> float:
        price = self.ruleset.depot.price(action.train)
        gain = self.gain(action.train, price)
        return gain + self.phase(action.train) if action.source == "bank" else gain

    def credit(self, action: BuyOnCredit) -> float:
        """Gain of credit: a company without a director gets a train now and pays later."""
        price = self.ruleset.depot.price(action.train)
        worth = self.worth(self.company, [action.train])
        if not self.estimates.part(self.seat, self.company):
            return -1.0
        return 0.1 * (worth * self.lasting(action.train) - 0.5 * price)

    def settle(self, action: SettleTrain) -> float:
        if not action.pays:
            return 0.0
        charter = self.state.charters[self.company]
        price = charter.owed
        money = self.ruleset.money(self.state, self.company)
        more = self.worth(self.company, [charter.credit])
        added = max(0, price - money)
        return self.part * (self.lasting(charter.credit) * more - 0.2 * (price - added)) - added

    def dividend(self, action: Dividend) -> float:
        """Gain of a dividend: paying out raises the price; withholding is right if no other way
        leads to a train."""
        ruleset, state, company = self.ruleset, self.state, self.company
        if action.pays:
            revenue = self._paid.revenue
            cell = state.companies[company].cell
            raised = ruleset.market.raised(cell, ruleset.market.boxes(state, company, revenue))
            price = ruleset.chart.price
            mine = self.estimates.part(self.seat, company)
            return mine * (revenue + 0.8 * 10 * (price[raised] - price[cell]))
        return self._withheld(ruleset.depot.earnings(state, company, pays=False).total())

    def surely_pays(self) -> bool:
        """Whether paying out is better whatever the runs for withholding earn, which are slow to
        find: at most the mail between the two best stops more."""
        network = self.estimates.position.network(self.company).network
        mail = sum(sorted([stop.value for stop in network.stops])[-2:])
        most = self._withheld(self._paid.revenue + mail, at_most=True)
        return self.dividend(Dividend(self.seat, True)) >= most

    @cached_property
    def _paid(self) -> Revenue:
        return self.ruleset.depot.earnings(self.state, self.company)

    def _withheld(self, total: int, *, at_most: bool = False) -> float:
        """Gain of withholding revenue and mail, or an upper bound of it for less of them."""
        ruleset, state, company = self.ruleset, self.state, self.company
        mine, paid = self.estimates.part(self.seat, company), self._paid
        # Treasury gain beyond the mail of paid-out runs.
        revenue = total - paid.mail
        gain = mine * TREASURY_PART * revenue
        if len(self.estimates.trains(company)) >= ruleset.depot.train_limit(state, company):
            return gain
        trains = self.estimates.lasting(company)
        money = ruleset.money(state, company) + paid.mail
        now = self.worth(company, trains)
        best = 0.0
        for train, _, price_ in ruleset.depot.offers(state, company):
            if money < price_ <= money + revenue:
                more = self.worth(company, [*trains, train]) - now
                best = max(best, mine * more * min(3.0, self.lasting(train)))
        if not trains and (at_most or money + revenue < min(self._prices(), default=0)):
            best = max(best, 0.5 * mine * revenue)
        return gain + best

    def _prices(self) -> list[int]:
        return [offer.price for offer in self.ruleset.depot.offers(self.state, self.company)]

    def discard(self, action: Discard) -> float:
        kept = self.estimates.trains(action.company)
        for train in action.trains:
            kept.remove(train)
        worth = sum(self.ruleset.components.train_records[train].price for train in kept)
        doomed = sum(self.estimates.doomed(train, 20) for train in kept)
        return self.worth(action.company, kept) + worth / 100 - 20 * doomed

    # ---- trains of other companies

    def offer(self, action: OfferTrain) -> float:
        """Gain of a train offer: only between a player's own companies, one of which lacks a
        train."""
        ruleset, state, company = self.ruleset, self.state, self.company
        estimates = self.estimates
        if ruleset.control.decider(state, action.company) != self.seat:
            return -1.0
        if ruleset.is_last_round(state) and not ruleset.depot.must_buy(state, company):
            return -1.0  # the train would never run
        if estimates.lasting(company) or action.price > ruleset.purse(state, company):
            return -1.0
        rest = estimates.trains(action.company)
        rest.remove(action.train)
        # Ignore trains that rust soon in either company, or the same train would help both and go
        # to and fro.
        kept = [train for train in rest if not estimates.doomed(train)]
        part = estimates.part(self.seat, action.company)
        lost = part * self._adds(action.company, kept, action.train)
        won = estimates.part(self.seat, company) * self.worth(company, [action.train])
        gain = self.lasting(action.train) * (won - lost) - 20 - 0.05 * action.price
        if action.company not in state.round.acted:
            # Neither company runs the train this round.
            gain -= part * self._adds(action.company, rest, action.train)
        return gain

    def _adds(self, company: str, trains: Sequence[str], train: str) -> float:
        """Value per round that a train adds to others."""
        return self.worth(company, [*trains, train]) - self.worth(company, trains)

    def answer(self, step: TrainOffer) -> float:
        """Gain of accepting: an offer must be well above the train's value; an asked price must be
        worth it, with nothing better on sale."""
        if step.counter:
            others = [
                self.gain(train, price)
                for train, _, price in self.ruleset.depot.offers(self.state, self.company)
            ]
            gain = self.gain(step.train, step.price)
            return gain - max([0.0, *others])
        return step.price - self.lost_by_selling(step)

    def lost_by_selling(self, step: TrainOffer) -> float:
        """Value of a train to its owner."""
        rest = self.estimates.trains(step.owner)
        rest.remove(step.train)
        lost = self._adds(step.owner, rest, step.train)
        price = self.ruleset.depot.price(step.train)
        return 20 + 0.9 * self.lasting(step.train) * lost + 0.3 * price


#: Possible later trains of a company, by phase, with their weight when it lays track.
LATER_TRAINS = (
    (("2", 0.2), ("3", 0.3), ("4", 0.2)),
    (("3", 0.2), ("4", 0.3), ("5", 0.1)),
    (("4", 0.2), ("5", 0.2)),
    (("5", 0.2),),
)
LATER_METRE_TRAINS = (
    (("2M", 0.2), ("3M", 0.2)),
    (("2M", 0.1), ("3M", 0.2)),
    (("3M", 0.2),),
    (("4M", 0.1),),
)

#: Weight of mail relative to paid-out revenue.
MAIL_OF_TRACK = 0.5

#: Weights of the strongest attractions of nearby cities and towns.
INVITING = (0.9, 0.8, 0.6, 0.4, 0.2)

#: Maximum number of attractions per open end of track.
MAX_AT_END = 2

#: Weight of a reached stop besides the runs of present trains.
REACHED = 0.3

#: Weights of later standard and metre trains for a company with metre trains only.
ONLY_METRE = 0.3, 1.0

#: Number of missing tiles at which a contract is worthless; and weights of its bond for being on
#: the way, and nearly complete.
FAR_OFF = 16.0
ON_THE_WAY, NEARLY = 2.5, 1.5

#: Minimum gain of a tile or token.
LEAST = 0.5


class TrackValues:
    """Values of the active company's tiles and tokens for a player."""

    def __init__(self, estimates: Estimates, seat: int, company: str) -> None:
        self.estimates = estimates
        self.prospects = estimates.prospects
        self.ways = estimates.ways
        self.ruleset = estimates.ruleset
        self.state = estimates.state
        self.seat = seat
        self.company = company
        self.part = max(0.2, estimates.part(seat, company))
        self.trains = estimates.trains(company)
        #: Gauges of its trains; any if it has none.
        self.gauges = 0 if self.trains else ~0
        for train in self.trains:
            self.gauges |= self.ruleset.components.train(train).gauges
        self.now: float | None = None
        self._contract: tuple[dict[tuple[str, str], float], float] | None = None

    # ---- what track is good for

    def potential(self, sight: Sight) -> float:
        """Value of a company's track: with its trains, with better ones, and later."""
        prospects, stage = self.prospects, self.estimates.stage
        revenue, mail = prospects.earnings(sight, self.trains)
        value = revenue + MAIL_OF_TRACK * mail + self.outlook(sight)
        scale = 1.0 if self.trains else 2.0
        standard, metre = 1.0, 0.7 if self.ruleset.depot.small(self.state, self.company) else 0.2
        if self.trains and all(map(self.ruleset.depot.metre, self.trains)):
            standard, metre = ONLY_METRE
        for dreams, weight in ((LATER_TRAINS, standard), (LATER_METRE_TRAINS, metre)):
            for train, likely in dreams[stage]:
                revenue, mail = prospects.earnings(sight, [train])
                value += scale * weight * likely * (revenue + MAIL_OF_TRACK * mail)
        return value

    def outlook(self, sight: Sight) -> float:
        """Potential of the company's track, and the stops it has reached."""
        reached = set(sight.worth.reached)
        found: list[tuple[float, int, int]] = []
        for number, (place, border, gauges) in enumerate(sight.entries):
            for gauge in GAUGES:
                if gauges & gauge & self.gauges:
                    found += [
                        (pull, number, other)
                        for pull, other in self.ways.near(place, border, gauge)
                        if other not in reached
                    ]
        found.sort(reverse=True)
        # Count each stop once, and a limited number per open end.
        pulls: list[float] = []
        ends: dict[int, int] = {}
        for pull, number, place in found:
            if place not in reached and ends.get(number, 0) < MAX_AT_END:
                ends[number] = ends.get(number, 0) + 1
                reached.add(place)
                pulls.append(pull)
                if len(pulls) == len(INVITING):
                    break
        return REACHED * sight.worth.stops + sum(
            part * pull for part, pull in zip(INVITING, pulls, strict=False)
        )

    def more(self, position: TrackPosition) -> float:
        """Improvement of the company's track in another position."""
        base = self.estimates.sight(self.company)
        if self.now is None:
            self.now = self.potential(base)
        sight = self.prospects.sight(position, self.company, base)
        return self.potential(sight) - self.now

    def over_time(self, more: float) -> float:
        """Value to the player of a higher revenue until the end."""
        return 0.7 * self.part * more * self.estimates.rounds_left

    def paid(self, cost: int) -> float:
        """Weighted cost of spending treasury money: higher if the company needs it for a train."""
        money = self.ruleset.money(self.state, self.company) - cost
        prices = [offer.price for offer in self.ruleset.depot.offers(self.state, self.company)]
        if money >= min(prices, default=0):
            return 0.3 * self.part * cost
        return self.part * cost * (0.6 if self.estimates.lasting(self.company) else 1.5)

    # ---- actions

    def tile(self, action: LayTile) -> float:
        """Gain of a tile: extra revenue over the rest of the game and progress of the contract,
        less its cost."""
        ruleset, state = self.ruleset, self.state
        laid = Laid(action.tile, action.rotation)
        position = self.prospects.with_tile(self.estimates.position, action.hex, laid)
        cost = ruleset.builder.cost(state, self.company, action.hex, action.tile)
        if not ruleset.builder.replaces(state, action.hex):
            cost += ruleset.builder.fee(state, self.company)
            cost -= ruleset.components.bonus.get(action.hex, 0)
        gain = self.over_time(self.more(position)) - self.paid(cost) - LEAST
        return gain + self.nearer(action)

    def station(self, action: PlaceStation) -> float:
        """Gain of a station token."""
        position = self.prospects.with_station(
            self.estimates.position, self.company, action.hex, action.stop
        )
        cost = self.ruleset.builder.station_cost(self.state, self.company, action.hex)
        return self.over_time(self.more(position)) - self.paid(cost) - 4 * LEAST

    # ---- the contract

    def _open(self) -> tuple[dict[tuple[str, str], float], float]:
        """Distances between the cities of the player's contract, and between all of them."""
        if self._contract is None:
            cities = sorted(self.state.contracts[self.seat].cities)
            position = self.ruleset.position(self.state)
            found = {pair: self.ways.between(position, *pair) for pair in combinations(cities, 2)}
            self._contract = found, self.ways.tree(found, cities)
        return self._contract

    def bond(self, missing: float) -> float:
        """Value of the contract with that much track missing."""
        bond = self.state.contracts[self.seat].bond or 0
        return bond * (
            ON_THE_WAY * max(0.0, 1 - missing / FAR_OFF) + NEARLY * math.exp(-missing / 2)
        )

    def nearer(self, action: LayTile) -> float:
        """Gain of a tile for the player's contract."""
        contract = self.state.contracts[self.seat]
        if contract.shown or len(contract.cities) < 2:
            return 0.0
        found, missing = self._open()
        board = self.ruleset.components.board
        place, face = board.number(action.hex), board.tiles[action.tile].faces[action.rotation]
        position = self.ruleset.position(self.state)
        shorter = {
            pair: self.ways.with_tile(position, place, face, pair, far)
            for pair, far in found.items()
        }
        left = self.ways.tree(shorter, sorted(contract.cities))
        return self.bond(left) - self.bond(missing)
