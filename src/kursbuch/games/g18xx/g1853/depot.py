"""Trains of 1853: two rows of supply, two-sided cards, loco tokens, and trains on credit."""

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
from kursbuch.games.g18xx.rules.depot import Depot, Offer, train_holder
from kursbuch.games.g18xx.rules.director import Control

#: Phase from which large companies may buy metre-gauge trains [4.8.15].
METRE_FOR_ALL = 3


class Depot1853(Depot[State1853]):
    """Trains on offer, obligations of runs, and trains between companies."""

    lookup: Lookup1853
    components: Components1853

    def __init__(self, lookup: Lookup1853, control: Control[State1853]) -> None:
        super().__init__(lookup, control)
        self.components = lookup.components
        records = self.components.file.trains
        #: Metre-gauge trains with the phases from which they are on sale [4.8.11].
        self.metre_trains = {
            record.id: record.phase for record in records if record.gauge == "metre"
        }
        standard = [record.id for record in records if record.id not in self.metre_trains]
        last = self.components.phases[-1].starts_with_train
        #: Trains on offer side by side once the first of them is sold [4.8.3].
        self.side_by_side = standard[standard.index(last or "") :]

    # ---- trains on offer

    def first_operating_round(self, state: State1853) -> bool:
        """Whether this is the first operating round of the game [4.8.17]."""
        return state.round.number == 1 and state.round.part == 1

    def metre(self, train: str) -> bool:
        """Whether a train runs on metre gauge [4.8.11]."""
        return train in self.metre_trains

    def small(self, state: State1853, company: str) -> bool:
        """Whether a company is small [1-large-small]."""
        return not state.charters[company].large

    def new_trains(self, state: State1853, company: str = "") -> list[str]:
        """New trains on offer: the first standard type left, in the last phase 5 and 6 side by
        side; metre-gauge trains of the phases so far; for small companies the back of the card, and
        for a loco token a train of the next phase [4.8.3, 4.8.12, 4.8.13, 4.8.16 to 4.8.19]."""
        left = [train for train in self.components.train_order if self._left(state, train)]
        found: list[str] = []
        for train in left:
            if self.metre(train):
                continue
            if not found or (train in self.side_by_side and state.phase == self._last):
                found.append(train)
        if self.unlimited_cards(state) and CARD not in found:
            found.insert(0, CARD)
        cards = CARD in found and state.small_founded
        if company and cards and self.small(state, company):
            found.append(SIDE)
        phase = self.lookup.phase(state).number
        found += [
            train for train in left if self.metre(train) and self.metre_trains[train] <= phase
        ]
        if company:
            train = self.loco_token_train(state, company, found)
            if train:
                found.append(train)
        return found

    @property
    def _last(self) -> int:
        return len(self.components.phases) - 1

    def _left(self, state: State1853, train: str) -> int:
        return state.ledger.items[train_item(train)].get(STACK, 0)

    def unlimited_cards(self, state: State1853) -> bool:
        """Whether the 2/1M cards are unlimited [4.8.17]."""
        return state.small_founded and self.first_operating_round(state) and state.phase == 0

    def loco_token_train(self, state: State1853, company: str, new: Sequence[str]) -> str:
        """The train of the next phase that a small company may buy for its loco token if no other
        metre-gauge train is available; empty if there is none [4.8.19]."""
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
        """Returned cards have two sides again; in phase 2 large companies cannot buy returned
        metre-gauge trains, either [4.8.6, 4.8.15]."""
        found = super().offers(state, company)
        found = [
            offer for offer in found if self.gauge_problem(state, company, offer.train) is None
        ]
        card = Offer(CARD, POOL, self.price(CARD))
        if state.small_founded and self.small(state, company) and card in found:
            found.append(Offer(SIDE, POOL, self.price(SIDE)))
        return found

    def turn_card(self, state: State1853, train: str, source: str) -> None:
        """Prepare a purchase: take a card from the box if all have been sold, and turn it to the
        side bought [4.8.16, 4.8.17]."""
        place = train_holder(source)
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
        """Turn a 1M on sale back into a two-sided card."""
        state.ledger.move(train_item(SIDE), train_holder(source), BOX)
        state.ledger.move(train_item(CARD), BOX, train_holder(source))

    # ---- trains of other companies

    def transfer_problem(
        self, state: State1853, company: str, owner: str, train: str
    ) -> IllegalAction | None:
        """A train on credit is not sold; large companies cannot get every train [3.4.5]."""
        if state.charters[owner].credit:
            return IllegalAction(
                "3.4.5", "{company} has not paid its train and cannot sell it.", company=owner
            )
        return self.gauge_problem(state, company, train)

    def gauge_problem(self, state: State1853, company: str, train: str) -> IllegalAction | None:
        """Refusal of a metre-gauge train for a large company, from any source [4.8.15, 4.8.18]."""
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
        """Refusal of a train on credit [3.4.3]."""
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
        """Pay the bank for a train on credit, with money the player `payer` has added [3.4.3,
        4.8.10]."""
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
        """Mail is not paid out, so it ranks below the revenue if that is [4.6.4, 4.6.6]."""
        if not state.corrected("most-to-pay-out"):
            return "sum"
        return super().aim(state, pays)

    def duty_at(self, layout: Layout, company: str, hex: str, stop: int = -1) -> Obligation:
        """The run must also call at a home station of the company, but may call at any station of a
        city [4.2.3, 4.4.2, 4.5.5]. On a map set up by hand every token in a city of table-1 is a
        home."""
        homes = {home.hex for home in self.components.homes[company]}
        return Obligation(hex, -1, markers_in(layout, company, homes))

    def duties(self, state: State1853, company: str) -> Sequence[Obligation]:
        """Obligations to run outside the territory after building there [4.2.3, 4.4.2]."""
        by = markers_in(state.layout, company, self.lookup.home_hexes(state, company))
        return [self.lookup.duty(state, hex, stop, by) for hex, stop in state.turn.duties]


def markers_in(layout: Layout, company: str, hexes: Collection[str]) -> tuple[tuple[str, int], ...]:
    """Tokens of a company on some hexes, as hex and stop."""
    return tuple(
        (hex, stop) for owner, hex, stop in layout.stations if owner == company and hex in hexes
    )
