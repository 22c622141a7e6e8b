"""Who has what, and where things lie: what can be read off a state without any policy of a title, and
how things change hands.

Names in brackets are those of rules; the index of a title says which of its rules states each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from kursbuch.core.errors import IllegalAction, Label, Money
from kursbuch.core.events import Event
from kursbuch.core.play import Play
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.components import (
    BANK,
    BOX,
    EXCHANGE_SHARES,
    MAP,
    PACKET,
    PLAYERS,
    STACK,
    Components,
    PhaseRecord,
    paper_item,
    token_item,
    train_item,
)
from kursbuch.games.g18xx.map.track import Station, TrackPosition
from kursbuch.games.g18xx.policy import Policy
from kursbuch.games.g18xx.state import Company, StateT

#: The seats of the players among the holders.
SEATS = {holder: seat for seat, holder in enumerate(PLAYERS)}


def player(holder: str) -> int | None:
    """The seat of a holder, None if it is no player."""
    return SEATS.get(holder)


class Lookup(Generic[StateT]):
    """The components of a game with what a state says about them.

    Methods that take a `Play` change its state; the others change nothing.
    """

    def __init__(self, components: Components, policy: Policy) -> None:
        self.components = components
        self.policy = policy
        self.chart = components.chart
        self.public = components.public
        self._train_items = [(train, train_item(train)) for train in components.train_order]
        prices = {name: record.price for name, record in components.privates.items()}
        prices |= {name: record.price for name, record in components.minors.items()}
        self._paper_items = {paper: paper_item(paper) for paper in prices}
        self._face_values = [(paper_item(paper), price) for paper, price in prices.items()]

    # ---- in sentences

    def label(self, company: str) -> Label | str:
        """The short name of a company: minors have one by language (`Policy.minor_label`)."""
        if self.is_minor(company):
            return Label(self.policy.minor_label, id=company)
        return company

    def written(self, amount: int) -> Money:
        """An amount, as money is written in the reader's language."""
        return Money(amount, self.policy.currency)

    # ---- players

    def left_of(self, state: StateT, seat: int) -> int:
        """The next player clockwise who is still in the game [turns-clockwise]."""
        for step in range(1, state.seats + 1):
            other = (seat + step) % state.seats
            if other not in state.out:
                return other
        return seat

    def around(self, state: StateT, seat: int) -> list[int]:
        """All players still in the game, clockwise, from this seat on."""
        order = [(seat + step) % state.seats for step in range(state.seats)]
        return [other for other in order if other not in state.out]

    def money(self, state: StateT, holder: str) -> int:
        """The money of a holder."""
        return state.ledger.held("money", holder)

    def purse(self, state: StateT, company: str) -> int:
        """What a company may spend now."""
        return self.money(state, company)

    def barred(self, state: StateT, company: str) -> IllegalAction | None:
        """Why a company may spend nothing now, whatever it has; nothing forbids it here."""
        return None

    def cash(self, state: StateT, seat: int) -> int:
        """A player's money."""
        return state.ledger.held("money", PLAYERS[seat])

    def noted(self, state: StateT, holder: str) -> int:
        """What the bank could not pay a holder: a player gets it at the final scoring [bank-broken]."""
        return state.ledger.held("note", holder)

    # ---- holdings

    def certificates(self, state: StateT, holder: str, company: str) -> dict[str, int]:
        """The certificates of a company that a holder has, the largest first, the director's before
        others of its size."""
        items = state.ledger.items
        found = {}
        for item, name, _ in self.public[company].items:
            count = items[item].get(holder, 0)
            if count:
                found[name] = count
        return found

    def new_shares(self, state: StateT, company: str) -> int:
        """The percentage of a company that has not been sold, also of what is not on sale yet."""
        return self.percent(state, STACK, company) + self.percent(state, PACKET, company)

    def percent(self, state: StateT, holder: str, company: str) -> int:
        """The percentage of a company that a holder has."""
        items = state.ledger.items
        total = 0
        for item, _, percent in self.public[company].items:
            row = items[item]
            if holder in row:
                total += percent * row[holder]
        return total

    def percents(self, state: StateT, company: str) -> list[int]:
        """The percentage of a company that every player has."""
        items = state.ledger.items
        found = [0] * state.seats
        for item, _, percent in self.public[company].items:
            for holder, count in items[item].items():
                if holder in SEATS:
                    found[SEATS[holder]] += percent * count
        return found

    def unpaid(self, state: StateT, seat: int, company: str) -> int:
        """How many shares of a company a player holds without having paid for them; none here."""
        return 0

    def unsold(self, state: StateT, company: str) -> int:
        """The percentage that no player has ever had, exchange shares included."""
        items = state.ledger.items
        total = 0
        for item, _, percent in self.public[company].items:
            row = items[item]
            total += percent * (
                row.get(STACK, 0) + row.get(PACKET, 0) + row.get(EXCHANGE_SHARES, 0)
            )
        return total

    def privates_and_minors(self, state: StateT, seat: int) -> list[str]:
        """The private railways and minors a player owns."""
        holder = PLAYERS[seat]
        items = state.ledger.items
        return [paper for paper, item in self._paper_items.items() if items[item].get(holder)]

    def face_values(self, state: StateT) -> list[int]:
        """The prices in the book of the private railways and minors of every player together."""
        items = state.ledger.items
        found = [0] * state.seats
        for item, price in self._face_values:
            for holder in items[item]:
                if holder in SEATS:
                    found[SEATS[holder]] += price
        return found

    def owner(self, state: StateT, paper: str) -> int | None:
        """Who owns a private railway or minor, None if no player does."""
        for holder in state.ledger.items[self._paper_items[paper]]:
            if holder in SEATS:
                return SEATS[holder]
        return None

    def holder(self, state: StateT, paper: str) -> str:
        """The holder of a private railway or minor: a player, a company, the start packet or the box."""
        return next(iter(state.ledger.items[self._paper_items[paper]]), BOX)

    def is_minor(self, company: str) -> bool:
        """Whether it is a company with one owner."""
        return company in self.components.minors

    def trains(self, state: StateT, holder: str) -> list[str]:
        """The trains of a holder, in the order in which they are sold."""
        items = state.ledger.items
        found: list[str] = []
        for train, item in self._train_items:
            row = items[item]
            if holder in row:
                found += [train] * row[holder]
        return found

    def tokens(self, state: StateT, company: str) -> int:
        """How many markers a company has left."""
        return state.ledger.held(token_item(company), company)

    # ---- the round and the map

    def phase(self, state: StateT) -> PhaseRecord:
        """What holds now."""
        return self.components.phases[state.phase]

    def phase_name(self, row: int) -> str:
        """What a row of the phase table is called: its id, or the number of its phase where that has several
        rows."""
        phases = self.components.phases
        found = phases[row]
        alone = sum(other.number == found.number for other in phases) == 1
        return found.id if alone else str(found.number)

    def operating_rounds(self, state: StateT) -> int:
        """The number of operating rounds after a stock round; one when the bank has run dry
        [rounds, bank-broken-in-stock-round]."""
        return 1 if state.broken else self.phase(state).operating_rounds

    def mixes_gauges(self, state: StateT) -> bool:
        """Whether the gauge may change on dual track where a company builds."""
        return False

    def position(self, state: StateT) -> TrackPosition:
        """The track as it lies now."""
        phase = self.phase(state).number - 1
        return self.components.track.position(state.layout, phase, mixed=self.mixes_gauges(state))

    def station(self, state: StateT, company: str, hex: str) -> int | None:
        """The stop of a hex in which a company has a marker, None if it has none there."""
        for owner, place, stop in state.layout.stations:
            if owner == company and place == hex:
                return stop
        return None

    # ---- what changes hands

    def pay_company(self, play: Play[StateT], source: str, company: str, amount: int) -> None:
        """Pay a company from others than the bank; what it owes the bank is paid off first
        [bank-loan]."""
        repaid = self.pay_off(play, company, amount)
        play.state.ledger.move("money", source, company, amount - repaid)
        play.state.ledger.move("money", source, BANK, repaid)

    def pay_off(self, play: Play[StateT], company: str, amount: int) -> int:
        """What the bank keeps of an amount due to a company, because the company owes it
        [bank-loan]."""
        found = play.state.companies[company]
        repaid = min(found.debt, amount)
        found.debt -= repaid
        return repaid

    def pay_out(self, play: Play[StateT], event: Event, *payments: tuple[str, int]) -> None:
        """The bank makes the payments of an event, in this order. What it does not have is noted for
        those it is due to [bank-broken]."""
        state = play.state
        in_full = state.house.pays_beyond_bank or not state.corrected("noted-money")
        notes = []
        for holder, amount in payments:
            paid = amount if in_full else min(amount, max(0, self.money(state, BANK)))
            state.ledger.move("money", BANK, holder, paid)
            state.ledger.move("note", BANK, holder, amount - paid)
            if paid < amount:
                notes.append((holder, amount - paid))
        play.emit(event)
        if notes:
            play.emit(happened.Noted(rule="bank-broken", notes=tuple(notes)))

    def amounts(self, state: StateT, *changes: tuple[int | None, int]) -> tuple[int, ...]:
        """One number per seat, for a payment."""
        amounts = [0] * state.seats
        for seat, amount in changes:
            if seat is not None:
                amounts[seat] += amount
        return tuple(amounts)

    def place_token(self, play: Play[StateT], company: str, hex: str, stop: int) -> None:
        """Put a marker of a company on the map."""
        play.state.ledger.move(token_item(company), company, MAP)
        play.state.layout.stations.append(Station(company, hex, stop))

    def close_paper(self, state: StateT, paper: str) -> None:
        """Take a private railway or minor out of the game."""
        for holder in list(state.ledger.items[paper_item(paper)]):
            state.ledger.move(paper_item(paper), holder, BOX)

    def close_privates(self, play: Play[StateT], papers: Sequence[str], rule: str) -> None:
        """Private railways close by a rule."""
        for paper in papers:
            self.close_paper(play.state, paper)
        if papers:
            play.emit(happened.PapersClosed(rule=rule, papers=tuple(papers)))

    # ---- the beginning

    def items(self, seats: int) -> dict[str, dict[str, int]]:
        """All money and pieces as they lie before the first round."""
        file = self.components.file
        cash = next(row.cash for row in file.setup.players if row.players == seats)
        items = {"note": {BANK: 0}, "money": {BANK: file.setup.bank - seats * cash}}
        items["money"] |= {PLAYERS[seat]: cash for seat in range(seats)}
        for public in self.public.values():
            items |= {item: dict(row) for item, row in public.start.items()}
            items[token_item(public.id)] = {public.id: public.record.station_markers}
        for minor in self.components.minors:
            items[token_item(minor)] = {minor: 1}
            items[paper_item(minor)] = {PACKET: 1}
        for private in self.components.privates:
            items[paper_item(private)] = {PACKET: 1}
        for train in self.components.train_records.values():
            items[train_item(train.id)] = {STACK: train.count}
        return items

    def companies(self) -> dict[str, Company]:
        """All companies before the first round."""
        return {name: Company() for name in (*self.components.minors, *self.public)}
