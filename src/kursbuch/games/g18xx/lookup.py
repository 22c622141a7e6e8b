"""Policy of a title, lookup of holdings and places in a state, and transfers between holders.

Names in brackets are those of rules, which the index of a title resolves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Literal

import msgspec
from msgspec.structs import replace

from kursbuch.core.errors import IllegalAction, Label, Money
from kursbuch.core.events import Event
from kursbuch.core.play import Play
from kursbuch.core.state import Ledger
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
from kursbuch.games.g18xx.map.track import Layout, Station, TrackPosition
from kursbuch.games.g18xx.state import Company, OfCompany, Round, StateT


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """Values in which 18xx titles differ; by default nothing is special. A difference that takes code
    is a method of a `Ruleset` part, overridden by the title."""

    #: Currency sign.
    currency: str = "£"

    # ---- companies

    #: Steps of a company's turn in order, and those of a minor [turn-order].
    turn: tuple[type[OfCompany], ...]
    minor_turn: tuple[type[OfCompany], ...] = ()
    #: Short name of a minor by its `{id}`, and the noun before the id where a sentence has room.
    minor_label: str = "{id}"
    minor_noun: str = ""
    #: Whether the highest price acts first, or the company named first in the data [operating-order].
    order: Literal["price", "data"] = "price"
    #: Percentage to be sold for a company to float [float].
    float_percent: int = 50
    #: Starting treasury: the price of the shares players have, or of all [treasury-at-start].
    capital: Literal["sold", "all"] = "sold"
    #: Receiver of the price of new shares sold later [new-share-paid-to-company].
    later_shares: Literal["company", "bank"] = "company"
    #: New director among equals: the nearest to the left of the old one, or the longest holder of
    #: shares [director-change].
    ties: Literal["left", "longest"] = "left"

    # ---- shares

    #: Maximum percentage of a company in the pool [pool-limit].
    pool_limit: int = 50
    #: Percentage of a company from which a player may hold one more certificate, 0 without such a
    #: rule [certificate-limit-raised].
    room_from: int = 0
    #: Percentage from which shares may be taken from other players, 0 if never [nationalisation].
    nationalise_from: int = 0
    #: Whether share companies may own privates and receive their income [private-income].
    companies_own_privates: bool = False
    #: Whether a sale lowers the price [price-after-sale].
    sale_lowers_price: bool = True
    #: Whether the price rises if a company is sold out after a stock round [price-when-sold-out].
    sold_out_raises_price: bool = True

    # ---- revenue and trains

    #: Whether trains must run for the highest revenue, or as the director likes [revenue].
    runs: Literal["most", "any"] = "most"
    #: Whether one train also earns the values of both ends of its run, for the treasury.
    mail: bool = False
    #: Whether a run may have to reach some place.
    run_duty: bool = False
    #: Receiver of the dividend on shares in the pool [dividend].
    pool_earns: Literal["company", "bank"] = "company"
    #: Whether a share company must own a train at the end of its turn, if need be with its
    #: director's money [train-duty].
    train_duty: bool = True
    #: Whether directors may add money only then, or whenever the treasury is too small [director-pays].
    director_adds: Literal["duty", "any"] = "duty"
    #: Minimum price of a train between companies [train-of-company].
    least_price: int = 1


#: Seat of each player as a ledger holder.
SEATS = {holder: seat for seat, holder in enumerate(PLAYERS)}


class Lookup(Generic[StateT]):
    """Components of a game, and what a state tells about them.

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
        self._share_items = [item for public in self.public.values() for item, _, _ in public.items]

    # ---- in sentences

    def label(self, company: str) -> Label | str:
        """Short name of a company; that of a minor depends on the language (`Policy.minor_label`)."""
        if self.is_minor(company):
            return Label(self.policy.minor_label, id=company)
        return company

    def written(self, amount: int) -> Money:
        """An amount of money, formatted in the reader's language."""
        return Money(amount, self.policy.currency)

    # ---- players

    def left_of(self, state: StateT, seat: int) -> int:
        """Next player clockwise who is still in the game [turns-clockwise]."""
        for step in range(1, state.seats + 1):
            other = (seat + step) % state.seats
            if other not in state.out:
                return other
        return seat

    def around(self, state: StateT, seat: int) -> list[int]:
        """Players still in the game, clockwise from this seat."""
        order = [(seat + step) % state.seats for step in range(state.seats)]
        return [other for other in order if other not in state.out]

    def money(self, state: StateT, holder: str) -> int:
        """Money of a holder."""
        return state.ledger.held("money", holder)

    def purse(self, state: StateT, company: str) -> int:
        """Money a company may spend now."""
        return self.money(state, company)

    def spending_problem(self, state: StateT, company: str) -> IllegalAction | None:
        """Refusal if a company may spend nothing at all; here none."""
        return None

    def cash(self, state: StateT, seat: int) -> int:
        """Cash of a player."""
        return state.ledger.held("money", PLAYERS[seat])

    def noted(self, state: StateT, holder: str) -> int:
        """Money the bank could not pay a holder; players receive it at the final scoring
        [bank-broken]."""
        return state.ledger.held("note", holder)

    # ---- holdings

    def certificates(self, state: StateT, holder: str, company: str) -> dict[str, int]:
        """A holder's certificates of a company, largest first, the director's before others of its
        size."""
        items = state.ledger.items
        found = {}
        for item, name, _ in self.public[company].items:
            count = items[item].get(holder, 0)
            if count:
                found[name] = count
        return found

    def new_shares(self, state: StateT, company: str) -> int:
        """Percentage of a company never sold, including certificates not yet on sale."""
        return self.percent(state, STACK, company) + self.percent(state, PACKET, company)

    def percent(self, state: StateT, holder: str, company: str) -> int:
        """Percentage of a company that a holder has."""
        items = state.ledger.items
        total = 0
        for item, _, percent in self.public[company].items:
            row = items[item]
            if holder in row:
                total += percent * row[holder]
        return total

    def percents(self, state: StateT, company: str) -> list[int]:
        """Percentage of a company that each player has."""
        items = state.ledger.items
        found = [0] * state.seats
        for item, _, percent in self.public[company].items:
            for holder, count in items[item].items():
                if holder in SEATS:
                    found[SEATS[holder]] += percent * count
        return found

    def unpaid(self, state: StateT, seat: int, company: str) -> int:
        """Number of a player's unpaid shares of a company; here none."""
        return 0

    def unsold(self, state: StateT, company: str) -> int:
        """Percentage that no player has ever had, exchange shares included."""
        items = state.ledger.items
        total = 0
        for item, _, percent in self.public[company].items:
            row = items[item]
            total += percent * (
                row.get(STACK, 0) + row.get(PACKET, 0) + row.get(EXCHANGE_SHARES, 0)
            )
        return total

    def bearing_on_shares(self, state: StateT) -> StateT:
        """The state without what has no bearing on shares: agenda, map, money and trains, the course
        of an operating round."""
        items, now = state.ledger.items, state.round
        papers = (*self._share_items, *self._paper_items.values())
        return replace(
            state,
            agenda=[],
            ledger=Ledger({item: items[item] for item in papers}),
            draws=0,
            round=Round(now.number, sold=now.sold),
            companies={
                name: Company(
                    operating=company.operating,
                    closed=company.closed,
                    cell=company.cell,
                    holders=company.holders,
                )
                for name, company in state.companies.items()
            },
            layout=Layout(),
        )

    def bearing_on_trains(self, state: StateT) -> StateT:
        """The state without what has no bearing on the trains on offer: agenda, map, money and
        shares, all about companies but whether they operate."""
        items, now = state.ledger.items, state.round
        return replace(
            state,
            agenda=[],
            ledger=Ledger({item: items[item] for _, item in self._train_items}),
            draws=0,
            priority=0,
            round=Round(now.number, now.part),
            companies={
                name: Company(operating=company.operating)
                for name, company in state.companies.items()
            },
            chart={},
            layout=Layout(),
        )

    def privates_and_minors(self, state: StateT, seat: int) -> list[str]:
        """Privates and minors that a player owns."""
        holder = PLAYERS[seat]
        items = state.ledger.items
        return [paper for paper, item in self._paper_items.items() if items[item].get(holder)]

    def face_values(self, state: StateT) -> list[int]:
        """Total face value of each player's privates and minors."""
        items = state.ledger.items
        found = [0] * state.seats
        for item, price in self._face_values:
            for holder in items[item]:
                if holder in SEATS:
                    found[SEATS[holder]] += price
        return found

    def owner(self, state: StateT, paper: str) -> int | None:
        """Player who owns a private or minor, None if no player does."""
        for holder in state.ledger.items[self._paper_items[paper]]:
            if holder in SEATS:
                return SEATS[holder]
        return None

    def holder(self, state: StateT, paper: str) -> str:
        """Holder of a private or minor: a player, a company, the start packet or the box."""
        return next(iter(state.ledger.items[self._paper_items[paper]]), BOX)

    def is_minor(self, company: str) -> bool:
        """Whether a company is a minor."""
        return company in self.components.minors

    def trains(self, state: StateT, holder: str) -> list[str]:
        """Trains of a holder in selling order."""
        items = state.ledger.items
        found: list[str] = []
        for train, item in self._train_items:
            row = items[item]
            if holder in row:
                found += [train] * row[holder]
        return found

    def tokens(self, state: StateT, company: str) -> int:
        """Number of tokens a company has left."""
        return state.ledger.held(token_item(company), company)

    # ---- the round and the map

    def phase(self, state: StateT) -> PhaseRecord:
        """The current phase."""
        return self.components.phases[state.phase]

    def phase_name(self, row: int) -> str:
        """Name of a row of the phase table: its id, or the phase number if the phase has several
        rows."""
        phases = self.components.phases
        found = phases[row]
        alone = sum(other.number == found.number for other in phases) == 1
        return found.id if alone else str(found.number)

    def operating_rounds(self, state: StateT) -> int:
        """Number of operating rounds after a stock round; one if the bank has broken [rounds,
        bank-broken-in-stock-round]."""
        return 1 if state.broken else self.phase(state).operating_rounds

    def is_last_round(self, state: StateT) -> bool:
        """Whether the game ends with the current operating round [bank-broken]."""
        return bool(state.broken) and state.round.part >= state.round.parts

    def mixes_gauges(self, state: StateT) -> bool:
        """Whether track may change gauge on dual track when building."""
        return False

    def position(self, state: StateT) -> TrackPosition:
        """The current track."""
        phase = self.components.phases[state.phase].number - 1
        return self.components.track.position(state.layout, phase, mixed=self.mixes_gauges(state))

    def station(self, state: StateT, company: str, hex: str) -> int | None:
        """The stop of a hex in which a company has a token, None if there is none."""
        for owner, place, stop in state.layout.stations:
            if owner == company and place == hex:
                return stop
        return None

    # ---- what changes hands

    def pay_company(self, play: Play[StateT], source: str, company: str, amount: int) -> None:
        """Pay a company from another holder than the bank; its debt to the bank is paid off first
        [bank-loan]."""
        repaid = self.pay_off(play, company, amount)
        play.state.ledger.move("money", source, company, amount - repaid)
        play.state.ledger.move("money", source, BANK, repaid)

    def pay_off(self, play: Play[StateT], company: str, amount: int) -> int:
        """Reduce a company's debt by money due to it, and return what the bank keeps
        [bank-loan]."""
        found = play.state.companies[company]
        repaid = min(found.debt, amount)
        found.debt -= repaid
        return repaid

    def pay_out(self, play: Play[StateT], event: Event, *payments: tuple[str, int]) -> None:
        """Make the bank's payments for an event, in this order. Missing money is noted for its
        receivers [bank-broken]."""
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
        """Changes of money as one number per seat."""
        amounts = [0] * state.seats
        for seat, amount in changes:
            if seat is not None:
                amounts[seat] += amount
        return tuple(amounts)

    def place_token(self, play: Play[StateT], company: str, hex: str, stop: int) -> None:
        """Place a company's token on the map."""
        play.state.ledger.move(token_item(company), company, MAP)
        play.state.layout = play.state.layout.with_station(Station(company, hex, stop))

    def close_paper(self, state: StateT, paper: str) -> None:
        """Remove a private or minor from the game."""
        for holder in list(state.ledger.items[paper_item(paper)]):
            state.ledger.move(paper_item(paper), holder, BOX)

    def close_privates(self, play: Play[StateT], papers: Sequence[str], rule: str) -> None:
        """Close privates by a rule."""
        for paper in papers:
            self.close_paper(play.state, paper)
        if papers:
            play.emit(happened.PapersClosed(rule=rule, papers=tuple(papers)))

    # ---- the beginning

    def items(self, seats: int) -> dict[str, dict[str, int]]:
        """Ledger of all money and pieces before the first round."""
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
