"""What trains and dividends bring in 1853, for computer opponents."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.games.g18xx.actions import BuyTrain, Discard, Dividend, OfferTrain
from kursbuch.games.g18xx.g1853.actions import BuyOnCredit, SettleTrain
from kursbuch.games.g18xx.g1853.estimates import TREASURY_PART, Estimates
from kursbuch.games.g18xx.pieces import train_item
from kursbuch.games.g18xx.state import TrainOffer

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
MAIL_PART = 0.4


class Fleet:
    """Trains and dividends of the company in turn, for the player who acts for it."""

    def __init__(self, estimates: Estimates, seat: int, company: str) -> None:
        self.estimates = estimates
        self.book = estimates.book
        self.state = estimates.state
        self.seat = seat
        self.company = company
        self.part = max(0.1, estimates.part(seat, company))

    def worth(self, company: str, trains: Sequence[str]) -> float:
        """What a company earns with these trains in a round."""
        revenue, mail = self.estimates.takings(company, trains)
        return WITH_PRICE * revenue + MAIL_PART * mail

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
        book, state, company = self.book, self.state, self.company
        trains = self.estimates.trains(company)
        more = self._adds(company, trains, train)
        money = book.purse(state, company)
        added = max(0, price - money)
        left = max(0.0, self.lasting(train) - 0.5)
        if not added and len(trains) < len(HOPED):
            # Track still grows.
            hoped = HOPED[len(trains)] * max(0.0, 1 - state.round.number / YOUNG)
            stops = self.book.components.train(train).stops
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
        gauges = self.book.components.train(train).gauges
        return 1.0 if not seen or seen & gauges else OTHER_GAUGE

    def opens(self, train: str, money: int) -> float:
        """What it is worth to a company that better trains and tiles come sooner by a purchase, if it
        will have money for such a train."""
        depot, following = self.book.depot, self._opener()
        if depot.metre(train) or not following:
            return 0.0
        if train == following:
            return OPENED
        left = self.state.ledger.held(train_item(train), "stack")
        return OPENED / (1 + left) if money + MAIL_SOON >= self._following() else 0.0

    def _opener(self) -> str:
        """The train with which the next phase begins, empty in the last one."""
        phases, stage = self.book.components.phases, self.state.phase
        return phases[stage + 1].starts_with_train or "" if stage + 1 < len(phases) else ""

    def _following(self) -> int:
        """What that train costs."""
        opener = self._opener()
        return self.book.depot.price(opener) if opener else 0

    def phase(self, train: str) -> float:
        """What the scrapping that a train brings about does to the player, against the others."""
        components = self.book.components
        if components.phase_of.get(train, 0) <= self.state.phase:
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
        price = self.book.depot.price(action.train)
        gain = self.gain(action.train, price)
        return gain + self.phase(action.train) if action.source == "bank" else gain

    def credit(self, action: BuyOnCredit) -> float:
        """A company with nobody's money on it gets a train and can pay it later."""
        price = self.book.depot.price(action.train)
        worth = self.worth(self.company, [action.train])
        if not self.estimates.part(self.seat, self.company):
            return -1.0
        return 0.1 * (worth * self.lasting(action.train) - 0.5 * price)

    def settle(self, action: SettleTrain) -> float:
        if not action.pays:
            return 0.0
        charter = self.state.charters[self.company]
        price = charter.owed
        money = self.book.money(self.state, self.company)
        more = self.worth(self.company, [charter.credit])
        added = max(0, price - money)
        return self.part * (self.lasting(charter.credit) * more - 0.2 * (price - added)) - added

    def dividend(self, action: Dividend) -> float:
        """To pay is good for the price; to save is right when a train cannot be had otherwise."""
        book, state, company = self.book, self.state, self.company
        mine = self.estimates.part(self.seat, company)
        paid = book.depot.best_runs(state, company)
        if action.pays:
            revenue = paid.revenue
            cell = state.companies[company].cell
            raised = book.market.raised(cell, book.market.boxes(state, company, revenue))
            price = book.chart.price
            return mine * (revenue + 0.8 * 10 * (price[raised] - price[cell]))
        # What the treasury gets more than by the mail of the runs that are paid out.
        revenue = book.depot.best_runs(state, company, pays=False).total() - paid.mail
        gain = mine * TREASURY_PART * revenue
        if len(self.estimates.trains(company)) >= book.depot.train_limit(state, company):
            return gain
        trains = self.estimates.lasting(company)
        money = book.money(state, company) + paid.mail
        now = self.worth(company, trains)
        best = 0.0
        for train, _, price_ in book.depot.offers(state, company):
            if money < price_ <= money + revenue:
                more = self.worth(company, [*trains, train]) - now
                best = max(best, mine * more * min(3.0, self.lasting(train)))
        if not trains and money + revenue < min(self._prices(), default=0):
            best = max(best, 0.5 * mine * revenue)
        return gain + best

    def _prices(self) -> list[int]:
        return [offer.price for offer in self.book.depot.offers(self.state, self.company)]

    def discard(self, action: Discard) -> float:
        kept = self.estimates.trains(action.company)
        for train in action.trains:
            kept.remove(train)
        worth = sum(self.book.components.train_records[train].price for train in kept)
        doomed = sum(self.estimates.doomed(train, 20) for train in kept)
        return self.worth(action.company, kept) + worth / 100 - 20 * doomed

    # ---- trains of other companies

    def offer(self, action: OfferTrain) -> float:
        """Only between companies of one player, when one of them lacks a train."""
        book, state, company = self.book, self.state, self.company
        estimates = self.estimates
        if book.control.decider(state, action.company) != self.seat:
            return -1.0
        if estimates.lasting(company) or action.price > book.purse(state, company):
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
                for train, _, price in self.book.depot.offers(self.state, self.company)
            ]
            gain = self.gain(step.train, step.price)
            return gain - max([0.0, *others])
        return step.price - self.lost_by_selling(step)

    def lost_by_selling(self, step: TrainOffer) -> float:
        """What a train is worth to its owner."""
        rest = self.estimates.trains(step.owner)
        rest.remove(step.train)
        lost = self._adds(step.owner, rest, step.train)
        price = self.book.depot.price(step.train)
        return 20 + 0.9 * self.lasting(step.train) * lost + 0.3 * price
