"""Values of single actions in 1853, for computer opponents: shares, trains, dividends, tiles and
stations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations

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
from kursbuch.games.g18xx.evaluation import Sight
from kursbuch.games.g18xx.g1853.actions import BuyOnCredit, Redeem, SettleTrain
from kursbuch.games.g18xx.g1853.estimates import GAUGES, TREASURY_PART, Estimates
from kursbuch.games.g18xx.g1853.state import SINGLE
from kursbuch.games.g18xx.map.track import Laid, TrackPosition
from kursbuch.games.g18xx.state import TrainOffer

#: What it is worth to direct a company.
POST = 40.0

#: How much less a share is worth that may not come to run.
WAITING = 0.5

#: What is lost by a sale beside the share, so that no player sells and buys back and forth.
TROUBLE = 8.0


class ShareValues:
    """Shares bought, sold and redeemed by one player."""

    def __init__(self, estimates: Estimates, seat: int) -> None:
        self.estimates = estimates
        self.ruleset = estimates.ruleset
        self.state = estimates.state
        self.seat = seat
        self.needed = self.ruleset.components.players[self.state.seats].float_percent // 10
        self._worth: dict[str, float] = {}

    def price(self, company: str, source: str) -> int:
        """What a share costs."""
        return self.ruleset.shares.purchase_price(self.state, company, SINGLE, source)

    def begins(self, company: str) -> float:
        """How likely it is that a company begins in this stock round if the player buys a share."""
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

    def worth(self, company: str) -> float:
        """What one share is worth to the player."""
        found = self._worth.get(company)
        if found is None:
            found = self._worth[company] = self._worth_of(company)
        return found

    def _worth_of(self, company: str) -> float:
        value = self.estimates.share_value(company)
        likely = self.begins(company)
        par = self.ruleset.public[company].par
        return value * likely + (1 - likely) * WAITING * par

    def buy(self, action: BuyShare) -> float:
        """A share: what it will bring, less its price; more if the player directs the company by
        it."""
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
                # Another player could take the company over.
                gain += 0.5 * POST
        elif mine >= 2 and mine > others:
            gain += POST * self.begins(company)
        elif director is None and mine < 2 and state.companies[company].operating:
            gain -= 0.5 * POST
        return gain

    def best_purchase(self, sale: SellShares | None = None) -> tuple[float, BuyShare | None]:
        """The purchase that gains most, now or after a sale, and what it gains: 0 without one. Who has sold
        shares of a company buys none in that round."""
        shares, state, seat = self.ruleset.shares, self.state, self.seat
        cash, papers, sold = self.ruleset.cash(state, seat), 1, ""
        if sale is not None:
            count, sold = len(sale.certificates), sale.company
            cash += count * shares.sale_price(state, sold, None)
            papers -= 0 if shares.exempt(state, sold) else count
        room = shares.has_room(state, seat, papers)
        possible = [
            (gain, purchase)
            for cost, gain, purchase in self._purchases
            if cost <= cash and gain > 0 and purchase.company != sold
            if room or shares.exempt(state, purchase.company)
        ]
        return max(possible, key=lambda each: each[0], default=(0.0, None))

    @cached_property
    def _purchases(self) -> list[tuple[int, float, BuyShare]]:
        """The shares that the player could take if he had money and room: what they cost and would gain."""
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
        return [(self.price(one.company, one.source), self.buy(one), one) for one in found]

    def sell(self, action: SellShares) -> float:
        """Shares are sold when they bring more than they will be worth, or for something better."""
        ruleset, state, seat = self.ruleset, self.state, self.seat
        company, count = action.company, len(action.certificates)
        price = ruleset.shares.sale_price(state, company, None)
        gain = count * (price - self.worth(company)) - TROUBLE
        mine = ruleset.shares_of(state, seat, company)
        others = max(
            ruleset.shares_of(state, other, company)
            for other in range(state.seats)
            if other != seat
        )
        if ruleset.control.director(state, company) == seat and (
            mine - count < max(2, others) or mine - count < others
        ):
            gain -= POST
        step = state.agenda[-1]
        if getattr(step, "bought", False) or state.unredeemed[seat]:
            return gain
        return gain + max(0.0, self.best_purchase(action)[0] - self.best_purchase()[0])

    def redeem(self, action: Redeem) -> float:
        """A share that is not redeemed brings nothing."""
        price = self.ruleset.public[action.company].par
        return action.count * (self.worth(action.company) - price) + 0.1 * action.count * price

    def elephant(self) -> float:
        """What it is worth to begin the next stock round, and to order a round before it."""
        own = self.extra_round()
        return 15.0 + max(0.0, 0.5 * own)

    def extra_round(self) -> float:
        """By how much one more operating round puts the player ahead."""
        total = 0.0
        for company, found in self.state.companies.items():
            if found.operating:
                total += self._round(company) * self.estimates.ahead(self.seat, company)
        return total

    def _round(self, company: str) -> float:
        """What all shares of a company gain in an operating round."""
        ruleset, state = self.ruleset, self.state
        revenue, _ = self.estimates.takings(company, self.estimates.trains(company))
        if not revenue or ruleset.control.director(state, company) is None:
            return 0.0
        cell = state.companies[company].cell
        raised = ruleset.market.raised(cell, ruleset.market.boxes(state, company, revenue))
        return revenue + 10 * (ruleset.chart.price[raised] - ruleset.chart.price[cell])

    def shares(self, company: str) -> int:
        """How many shares the player has."""
        return self.ruleset.percent(self.state, PLAYERS[self.seat], company) // 10


#: A higher revenue also raises the price.
WITH_PRICE = 1.3

#: What the first trains of a company may be expected to earn once it has track, as long as the game is
#: young (in stock rounds), and with how much money left a train is cheap.
HOPED, YOUNG, NEXT = (90, 50), 8, 300

#: What is left of that if the company has no track of the gauge yet.
OTHER_GAUGE = 0.2

#: And for a train that calls at one city only.
SHORT = 0.7

#: What it is worth to a company that a new phase begins.
OPENED = 120.0

#: So much a company may be expected to get until its next turn.
MAIL_SOON = 200

#: The mail counts for so much of what is paid out.
MAIL_OF_TRAINS = 0.4


class TrainValues:
    """Trains and dividends of the company in turn, for the player who acts for it."""

    def __init__(self, estimates: Estimates, seat: int, company: str) -> None:
        self.estimates = estimates
        self.ruleset = estimates.ruleset
        self.state = estimates.state
        self.seat = seat
        self.company = company
        self.part = max(0.1, estimates.part(seat, company))

    def worth(self, company: str, trains: Sequence[str]) -> float:
        """What a company earns with these trains in a round."""
        revenue, mail = self.estimates.takings(company, trains)
        return WITH_PRICE * revenue + MAIL_OF_TRAINS * mail

    def lasting(self, train: str) -> float:
        """In how many operating rounds a train may still run."""
        left = self.estimates.rounds_left()
        if self.estimates.doomed(train, 2):
            return min(left, 1.5)
        if self.estimates.doomed(train, 5):
            return min(left, 3.5)
        return min(left, 6.0) if self.estimates.doomed(train, 20) else left

    def gain(self, train: str, price: int) -> float:
        """A train: what it adds while it lasts, less what else the money could do."""
        ruleset, state, company = self.ruleset, self.state, self.company
        trains = self.estimates.trains(company)
        more = self._adds(company, trains, train)
        money = ruleset.purse(state, company)
        added = max(0, price - money)
        left = max(0.0, self.lasting(train) - 0.5)
        if not added and len(trains) < len(HOPED):
            # Track still grows.
            hoped = HOPED[len(trains)] * max(0.0, 1 - state.round.number / YOUNG)
            stops = self.ruleset.components.train(train).stops
            more = max(more, hoped * self._suits(train) * (1.0 if stops > 1 else SHORT))
        idle = 0.25
        if money - price >= NEXT:
            idle = 0.03 if money - price >= self._following() else 0.1
        # A director who adds money does so alone, and the other shareholders gain by it.
        part = self._ahead() if added else self.part
        gain = part * (0.9 * left * more - idle * (price - added)) - added
        gain += part * self.opens(train, money - price) * self._suits(train)
        if not trains and not self.estimates.doomed(train):
            # A company without trains is worth nothing.
            gain += part * 150
        return gain

    def _ahead(self) -> float:
        """How much more of the company is the player's than the others' in the mean."""
        parts = [self.estimates.part(seat, self.company) for seat in range(self.state.seats)]
        mine = parts.pop(self.seat)
        return max(0.0, mine - sum(parts) / len(parts))

    def _suits(self, train: str) -> float:
        """How well a train suits the track of the company, by its gauge."""
        sight = self.estimates.sight(self.company)
        seen = 0
        for segment in sight.worth.found.network.segments:
            seen |= segment.gauges
        for _, _, gauges in sight.entries:
            seen |= gauges
        gauges = self.ruleset.components.train(train).gauges
        return 1.0 if not seen or seen & gauges else OTHER_GAUGE

    def opens(self, train: str, money: int) -> float:
        """What it is worth to a company that better trains and tiles come sooner by a purchase, if it
        will have money for such a train."""
        depot, following = self.ruleset.depot, self._opener()
        if depot.metre(train) or not following:
            return 0.0
        if train == following:
            return OPENED
        left = self.state.ledger.held(train_item(train), "stack")
        return OPENED / (1 + left) if money + MAIL_SOON >= self._following() else 0.0

    def _opener(self) -> str:
        """The train with which the next phase begins, empty in the last one."""
        phases, stage = self.ruleset.components.phases, self.state.phase
        return phases[stage + 1].starts_with_train or "" if stage + 1 < len(phases) else ""

    def _following(self) -> int:
        """What that train costs."""
        opener = self._opener()
        return self.ruleset.depot.price(opener) if opener else 0

    def phase(self, train: str) -> float:
        """What the scrapping that a train brings about does to the player, against the others."""
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
        """A company without money of a director gets a train and can pay it later."""
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
        """To pay is good for the price; to save is right when a train cannot be had otherwise."""
        ruleset, state, company = self.ruleset, self.state, self.company
        mine = self.estimates.part(self.seat, company)
        paid = ruleset.depot.best_runs(state, company)
        if action.pays:
            revenue = paid.revenue
            cell = state.companies[company].cell
            raised = ruleset.market.raised(cell, ruleset.market.boxes(state, company, revenue))
            price = ruleset.chart.price
            return mine * (revenue + 0.8 * 10 * (price[raised] - price[cell]))
        # What the treasury gets more than by the mail of the runs that are paid out.
        revenue = ruleset.depot.best_runs(state, company, pays=False).total() - paid.mail
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
        if not trains and money + revenue < min(self._prices(), default=0):
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
        """Only between companies of one player, when one of them lacks a train."""
        ruleset, state, company = self.ruleset, self.state, self.company
        estimates = self.estimates
        if ruleset.control.decider(state, action.company) != self.seat:
            return -1.0
        if estimates.lasting(company) or action.price > ruleset.purse(state, company):
            return -1.0
        rest = estimates.trains(action.company)
        rest.remove(action.train)
        # Beside trains that are soon scrapped, in either company: else both would gain by the same train, which
        # would go to and fro.
        kept = [train for train in rest if not estimates.doomed(train)]
        part = estimates.part(self.seat, action.company)
        lost = part * self._adds(action.company, kept, action.train)
        won = estimates.part(self.seat, company) * self.worth(company, [action.train])
        gain = self.lasting(action.train) * (won - lost) - 20 - 0.05 * action.price
        if action.company not in state.round.acted:
            # Neither of the two runs it in this round.
            gain -= part * self._adds(action.company, rest, action.train)
        return gain

    def _adds(self, company: str, trains: Sequence[str], train: str) -> float:
        """What a train adds in a round to what a company earns with others."""
        return self.worth(company, [*trains, train]) - self.worth(company, trains)

    def answer(self, step: TrainOffer) -> float:
        """An offer is accepted if it is well above what the train brings; a price that is asked, if the
        train is worth it and no better is to be had."""
        if step.counter:
            others = [
                self.gain(train, price)
                for train, _, price in self.ruleset.depot.offers(self.state, self.company)
            ]
            gain = self.gain(step.train, step.price)
            return gain - max([0.0, *others])
        return step.price - self.lost_by_selling(step)

    def lost_by_selling(self, step: TrainOffer) -> float:
        """What a train is worth to its owner."""
        rest = self.estimates.trains(step.owner)
        rest.remove(step.train)
        lost = self._adds(step.owner, rest, step.train)
        price = self.ruleset.depot.price(step.train)
        return 20 + 0.9 * self.lasting(step.train) * lost + 0.3 * price


#: The trains a company may have later, by phase, and how much they count when it builds.
DREAMS = (
    (("2", 0.2), ("3", 0.3), ("4", 0.2)),
    (("3", 0.2), ("4", 0.3), ("5", 0.1)),
    (("4", 0.2), ("5", 0.2)),
    (("5", 0.2),),
)
METRE_DREAMS = (
    (("2M", 0.2), ("3M", 0.2)),
    (("2M", 0.1), ("3M", 0.2)),
    (("3M", 0.2),),
    (("4M", 0.1),),
)

#: The mail counts for so much of what is paid out.
MAIL_OF_TRACK = 0.5

#: How much the best invitations of cities and towns near by count.
INVITING = (0.9, 0.8, 0.6, 0.4, 0.2)

#: Number of them that an end of track counts for.
MOST_AT_END = 2

#: How much a stop that is reached counts beside the runs of today's trains.
REACHED = 0.3

#: How much later trains of standard and of metre gauge count for a company with trains of metre gauge only.
ONLY_METRE = 0.3, 1.0

#: A contract that needs this many more tiles counts for nothing; how often its bond counts for being on
#: the way, and for being nearly there.
FAR_OFF = 16.0
ON_THE_WAY, NEARLY = 2.5, 1.5

#: A new tile or station must gain so much to be worth the trouble.
LEAST = 0.5


class TrackValues:
    """What the tiles and stations of the company in turn bring to a player."""

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
        #: The gauges of its trains, any as long as it has none.
        self.gauges = 0 if self.trains else ~0
        for train in self.trains:
            self.gauges |= self.ruleset.components.train(train).gauges
        self.now: float | None = None
        self._contract: tuple[dict[tuple[str, str], float], float] | None = None

    # ---- what track is good for

    def potential(self, sight: Sight) -> float:
        """What a company's track is good for: with its trains, with better ones, later."""
        prospects, stage = self.prospects, self.estimates.stage
        revenue, mail = prospects.takings(sight, self.trains)
        value = revenue + MAIL_OF_TRACK * mail + self.outlook(sight)
        scale = 1.0 if self.trains else 2.0
        standard, metre = 1.0, 0.7 if self.ruleset.depot.small(self.state, self.company) else 0.2
        if self.trains and all(map(self.ruleset.depot.metre, self.trains)):
            standard, metre = ONLY_METRE
        for dreams, weight in ((DREAMS, standard), (METRE_DREAMS, metre)):
            for train, likely in dreams[stage]:
                revenue, mail = prospects.takings(sight, [train])
                value += scale * weight * likely * (revenue + MAIL_OF_TRACK * mail)
        return value

    def outlook(self, sight: Sight) -> float:
        """What the company's track may still come to, and what it has come to."""
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
        # No stop is counted twice, and every end of track goes for a few.
        pulls: list[float] = []
        ends: dict[int, int] = {}
        for pull, number, place in found:
            if place not in reached and ends.get(number, 0) < MOST_AT_END:
                ends[number] = ends.get(number, 0) + 1
                reached.add(place)
                pulls.append(pull)
                if len(pulls) == len(INVITING):
                    break
        return REACHED * sight.worth.stops + sum(
            part * pull for part, pull in zip(INVITING, pulls, strict=False)
        )

    def more(self, position: TrackPosition) -> float:
        """How much better the company's track is in another position."""
        base = self.estimates.sight(self.company)
        if self.now is None:
            self.now = self.potential(base)
        sight = self.prospects.sight(position, self.company, base)
        return self.potential(sight) - self.now

    def over_time(self, more: float) -> float:
        """What a higher revenue brings the player until the end."""
        return 0.7 * self.part * more * self.estimates.rounds_left()

    def paid(self, cost: int) -> float:
        """What it means for the player that the company spends money: dear if it lacks it for a
        train."""
        money = self.ruleset.money(self.state, self.company) - cost
        prices = [offer.price for offer in self.ruleset.depot.offers(self.state, self.company)]
        if money >= min(prices, default=0):
            return 0.3 * self.part * cost
        return self.part * cost * (0.6 if self.estimates.lasting(self.company) else 1.5)

    # ---- actions

    def tile(self, action: LayTile) -> float:
        """A tile: what it adds to the revenue over the rest of the game, what it does for the
        contract, less its cost."""
        ruleset, state = self.ruleset, self.state
        laid = Laid(action.tile, action.rotation)
        position = self.prospects.with_tile(self.estimates.position(), action.hex, laid)
        cost = ruleset.builder.cost(state, self.company, action.hex, action.tile)
        if not ruleset.builder.replaces(state, action.hex):
            cost += ruleset.builder.fee(state, self.company)
            cost -= ruleset.components.bonus.get(action.hex, 0)
        gain = self.over_time(self.more(position)) - self.paid(cost) - LEAST
        return gain + self.nearer(action)

    def station(self, action: PlaceStation) -> float:
        """A station marker, in the same way."""
        position = self.prospects.with_station(
            self.estimates.position(), self.company, action.hex, action.stop
        )
        cost = self.ruleset.builder.station_cost(self.state, self.company, action.hex)
        return self.over_time(self.more(position)) - self.paid(cost) - 4 * LEAST

    # ---- the contract

    def _open(self) -> tuple[dict[tuple[str, str], float], float]:
        """What is missing between the cities of the player's contract, and between all of them."""
        if self._contract is None:
            cities = sorted(self.state.contracts[self.seat].cities)
            position = self.ruleset.position(self.state)
            found = {pair: self.ways.between(position, *pair) for pair in combinations(cities, 2)}
            self._contract = found, self.ways.tree(found, cities)
        return self._contract

    def bond(self, missing: float) -> float:
        """What a contract is worth of which so much is missing."""
        bond = self.state.contracts[self.seat].bond or 0
        return bond * (
            ON_THE_WAY * max(0.0, 1 - missing / FAR_OFF) + NEARLY * math.exp(-missing / 2)
        )

    def nearer(self, action: LayTile) -> float:
        """How much nearer a tile brings the player's contract."""
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
