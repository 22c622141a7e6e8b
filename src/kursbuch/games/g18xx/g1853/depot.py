"""The trains of 1853: two rows of supply, cards with two sides, loco tokens, trains on credit."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play
from kursbuch.games.g18xx.components import BANK, BOX, PLAYERS, POOL, STACK, train_item
from kursbuch.games.g18xx.g1853 import events as here
from kursbuch.games.g18xx.g1853.components import Components1853
from kursbuch.games.g18xx.g1853.state import CARD, SIDE, Lookup1853, State1853
from kursbuch.games.g18xx.map.revenue import Aim, Obligation
from kursbuch.games.g18xx.map.track import Layout
from kursbuch.games.g18xx.rules.depot import Depot, Offer, shelf
from kursbuch.games.g18xx.rules.director import Control

#: From this phase on large companies buy metre-gauge trains [4.8.15].
METRE_FOR_ALL = 3


class Depot1853(Depot[State1853]):
    """Trains on offer, duties to run, trains between companies."""

    lookup: Lookup1853
    components: Components1853

    def __init__(self, lookup: Lookup1853, control: Control[State1853]) -> None:
        super().__init__(lookup, control)
        self.components = lookup.components
        records = self.components.file.trains
        #: The metre-gauge trains with the phases from which they are on sale [4.8.11].
        self.metre_trains = {
            record.id: record.phase for record in records if record.gauge == "metre"
        }
        standard = [record.id for record in records if record.id not in self.metre_trains]
        last = self.components.phases[-1].starts_with_train
        #: The trains that are on offer at the same time, once the first of them is sold [4.8.3].
        self.side_by_side = standard[standard.index(last or "") :]

    # ---- trains on offer

    def first_operating_round(self, state: State1853) -> bool:
        """Whether the very first operating round of the game is played [4.8.17]."""
        return state.round.number == 1 and state.round.part == 1

    def metre(self, train: str) -> bool:
        """Whether a train runs on metre gauge [4.8.11]."""
        return train in self.metre_trains

    def small(self, state: State1853, company: str) -> bool:
        """Whether it is a small company [1-large-small]."""
        return not state.charters[company].large

    def new_trains(self, state: State1853, company: str = "") -> list[str]:
        """New trains: the first standard type of which any are left, from the last phase on 5 and 6
        side by side; metre-gauge trains of the phases so far; for small companies the other side of
        the card, and for a loco token a train of the next phase
        [4.8.3, 4.8.12, 4.8.13, 4.8.16 to 4.8.19]."""
        left = [train for train in self.components.train_order if self._left(state, train)]
        found: list[str] = []
        for train in left:
            if self.metre(train):
                continue
            if not found or (train in self.side_by_side and state.phase == self._last):
                found.append(train)
        if self.endless(state) and CARD not in found:
            found.insert(0, CARD)
        cards = CARD in found and state.small_founded
        if company and cards and self.small(state, company):
            found.append(SIDE)
        phase = self.lookup.phase(state).number
        found += [
            train for train in left if self.metre(train) and self.metre_trains[train] <= phase
        ]
        if company:
            train = self.for_token(state, company, found)
            if train:
                found.append(train)
        return found

    @property
    def _last(self) -> int:
        return len(self.components.phases) - 1

    def _left(self, state: State1853, train: str) -> int:
        return state.ledger.items[train_item(train)].get(STACK, 0)

    def endless(self, state: State1853) -> bool:
        """Whether there are more 2/1M cards than the seven [4.8.17]."""
        return state.small_founded and self.first_operating_round(state) and state.phase == 0

    def for_token(self, state: State1853, company: str, new: Sequence[str]) -> str:
        """The train a small company may buy for its loco token: of the next phase, if no metre-gauge
        train is to be had otherwise; empty if there is none [4.8.19]."""
        if not state.charters[company].token or self.first_operating_round(state):
            return ""
        if any(map(self.metre, new)) or any(map(self.metre, self.lookup.trains(state, POOL))):
            return ""
        if state.small_founded and CARD in self.lookup.trains(state, POOL):
            return ""
        following = self.lookup.phase(state).number + 1
        return next(
            (
                train
                for train, phase in self.metre_trains.items()
                if phase == following and self._left(state, train)
            ),
            "",
        )

    def offers(self, state: State1853, company: str) -> list[Offer]:
        """Returned cards have two sides again; in phase 2 large companies buy no metre-gauge train
        that has been returned either [4.8.6, 4.8.15]."""
        found = super().offers(state, company)
        found = [
            offer for offer in found if self.gauge_problem(state, company, offer.train) is None
        ]
        card = Offer(CARD, POOL, self.price(CARD))
        if state.small_founded and self.small(state, company) and card in found:
            found.append(Offer(SIDE, POOL, self.price(SIDE)))
        return found

    def turn_card(self, state: State1853, train: str, source: str) -> None:
        """Before a train is bought: a card is taken from the box if all have been sold, and turned to
        the side that is bought [4.8.16, 4.8.17]."""
        place = shelf(source)
        if train not in (CARD, SIDE):
            return
        if place == STACK and not self._left(state, CARD):
            state.ledger.move(train_item(CARD), BOX, STACK)
        if train == SIDE:
            state.ledger.move(train_item(CARD), place, BOX)
            state.ledger.move(train_item(SIDE), BOX, place)

    def give_back(self, state: State1853, company: str, train: str) -> None:
        """A returned card has two sides again [4.8.6, 4.8.10]."""
        super().give_back(state, company, train)
        if train == SIDE:
            self.turn_back(state, POOL)

    def turn_back(self, state: State1853, source: str) -> None:
        """A card that lies as a 1M where trains are sold is one with two sides again."""
        state.ledger.move(train_item(SIDE), shelf(source), BOX)
        state.ledger.move(train_item(CARD), BOX, shelf(source))

    # ---- trains of other companies

    def transfer_problem(
        self, state: State1853, company: str, owner: str, train: str
    ) -> IllegalAction | None:
        """A train on credit is not sold; large companies do not get every train [3.4.5]."""
        if state.charters[owner].credit:
            return IllegalAction(
                "3.4.5", "{company} has not paid its train and cannot sell it.", company=owner
            )
        return self.gauge_problem(state, company, train)

    def gauge_problem(self, state: State1853, company: str, train: str) -> IllegalAction | None:
        """Why a large company may not have a metre-gauge train, wherever it lies [4.8.15, 4.8.18]."""
        if self.small(state, company) or not self.metre(train):
            return None
        if train == SIDE:
            return IllegalAction(
                "4.8.18", "{company} is a large company: it can get no 1M-train.", company=company
            )
        if self.lookup.phase(state).number < METRE_FOR_ALL:
            return IllegalAction(
                "4.8.15",
                "{company} is a large company: it buys metre-gauge trains from phase {phase} on.",
                company=company,
                phase=METRE_FOR_ALL,
            )
        return None

    # ---- credit

    def credit_problem(
        self, state: State1853, company: str, train: str, source: str
    ) -> IllegalAction | None:
        """Why a company may not buy a train on credit [3.4.3]."""
        if self.control.director(state, company) is not None:
            return IllegalAction(
                "4.8.10", "{company} has a director: it buys nothing on credit.", company=company
            )
        if self.lookup.trains(state, company):
            return IllegalAction(
                "3.4.3", "Only a company without a train buys one on credit.", company=company
            )
        offers = self.offers(state, company)
        offer = next((one for one in offers if (one.train, one.source) == (train, source)), None)
        if offer is None:
            return self.gauge_problem(state, company, train) or IllegalAction(
                "train-order", "No train {train} is on offer there.", train=train
            )
        money = self.lookup.money(state, company)
        if money >= offer.price:
            return IllegalAction(
                "3.4.3",
                "{company} has {money} and can pay the train.",
                company=company,
                money=self.lookup.written(money),
            )
        return None

    def settle_credit(
        self,
        play: Play[State1853],
        company: str,
        rule: str,
        *,
        payer: int | None = None,
        added: int = 0,
    ) -> None:
        """A company pays the bank what it owes for its train; of that the player `payer` has added
        something [3.4.3, 4.8.10]."""
        state = play.state
        charter = state.charters[company]
        state.ledger.move("money", company, BANK, charter.owed - added)
        if payer is not None:
            state.ledger.move("money", PLAYERS[payer], BANK, added)
        play.emit(
            here.CreditSettled(
                rule=rule,
                amounts=self.lookup.amounts(state, (payer, -added)),
                company=company,
                train=charter.credit,
                price=charter.owed,
                seat=payer,
                added=added,
            )
        )
        charter.end_credit()

    # ---- runs

    def aim(self, state: State1853, pays: bool) -> Aim:
        """The mail is not paid out, so it comes second to the revenue if that is [4.6.4, 4.6.6]."""
        if not state.corrected("most-to-pay-out"):
            return "sum"
        return super().aim(state, pays)

    def duty_at(self, layout: Layout, company: str, hex: str, stop: int = -1) -> Obligation:
        """The run has to call at a home station of the company, too, but may come to any station of a city
        [4.2.3, 4.4.2, 4.5.5]. On a map set up by hand every marker in a city of table-1 is a home."""
        homes = {home.hex for home in self.components.homes[company]}
        return Obligation(hex, -1, markers_in(layout, company, homes))

    def duties(self, state: State1853, company: str) -> Sequence[Obligation]:
        """Where trains have to run because the company has built outside its territory
        [4.2.3, 4.4.2]."""
        by = markers_in(state.layout, company, self.lookup.home_hexes(state, company))
        return [self.lookup.duty(state, hex, stop, by) for hex, stop in state.turn.duties]


def markers_in(layout: Layout, company: str, hexes: Collection[str]) -> tuple[tuple[str, int], ...]:
    """The markers of a company on some hexes, as hex and stop."""
    return tuple(
        (hex, stop) for owner, hex, stop in layout.stations if owner == company and hex in hexes
    )
