"""Sentences of 1853: log lines, holdings, statistics, and the end of the game."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.events import Event, Payment
from kursbuch.core.voice import Cell, Ending, Row
from kursbuch.games.g18xx.components import POOL, STACK
from kursbuch.games.g18xx.g1853 import contracts
from kursbuch.games.g18xx.g1853 import events as here
from kursbuch.games.g18xx.g1853.corrections import KINDS
from kursbuch.games.g18xx.g1853.prompts import Choices1853, Names1853, Prompts1853
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.shares import EXEMPT
from kursbuch.games.g18xx.g1853.state import CARD, SIDE, ExtraRound, State1853
from kursbuch.games.g18xx.share_register import Holder, Stake
from kursbuch.games.g18xx.text.holdings import Holdings
from kursbuch.games.g18xx.text.names import NONE
from kursbuch.games.g18xx.text.voice import Log, Statistics, Texts


class Log1853(Names1853, Log[State1853, Ruleset1853]):
    """Log lines of 1853 for one reader."""

    sentences = here.SENTENCES

    def bond_order(self, bonds: Sequence[int], seating: Sequence[int]) -> str:
        """Bonds from highest to lowest."""
        return ", ".join(f"{self.name(seat)} {self.money(bonds[seat])}" for seat in seating)


class Holdings1853(Names1853, Holdings[State1853, Ruleset1853]):
    """Holdings of 1853."""

    # ---- players

    def player_rows(self, state: State1853, seat: int, holder: Holder) -> list[Row]:
        return [*super().player_rows(state, seat, holder), *self._contract_rows(state, seat)]

    def share_row(self, stake: Stake) -> Row:
        notes = [self._("director")] if stake.directs else []
        if stake.unpaid:
            notes.append(self._("{count} not redeemed", count=stake.unpaid))
        count = self.shares(stake.percent // 10)
        return Row(stake.company, count, f"company:{stake.company}", ", ".join(notes))

    def _contract_rows(self, state: State1853, seat: int) -> list[Row]:
        """Bond and contract, as far as the reader may know them, and a penalty."""
        contract = state.contracts[seat]
        rows = []
        if contract.bond is not None:
            rows.append(Row(self._("Bond"), self.money(contract.bond), "", self._bond(state, seat)))
        if contract.cities:
            count = self.ngettext("{n} city", "{n} cities", len(contract.cities))
            rows.append(Row(self._("Contract"), count, "", self._contract(state, seat)))
            rows += self._city_rows(state, seat)
        if self.ruleset.to_pay(state, seat):
            rows.append(self._unpaid_row(state, seat))
        if seat in state.penalties:
            rows.append(
                Row(
                    self._("Penalty"),
                    self._("gives up every directorship"),
                    "",
                    self._("from {round} on", round=self.stock_round(state.penalties[seat])),
                )
            )
        return rows

    def _unpaid_row(self, state: State1853, seat: int) -> Row:
        """Cost of a player's unpaid shares, which do not count towards the player's worth."""
        price = self.money(self.ruleset.to_pay(state, seat))
        if state.round.number:
            note = self._("unredeemed shares are worth nothing")
        else:
            note = self._("shares in the contract are worth nothing until they are paid for")
        return Row(self._("Shares not paid for"), price, "", note)

    def _bond(self, state: State1853, seat: int) -> str:
        """Place of the bond, and for its owner the unused part."""
        contract = state.contracts[seat]
        if contract.shown:
            return self._("paid back")
        if not state.seating:
            return self._("shown once everyone has written theirs")
        if not contract.complete and self.open(state, seat):
            left = self.money(contracts.unused(self.components, contract))
            return self._("set aside, {left} unused", left=left)
        if not state.agenda:
            return self._("lost")
        return self._("set aside")

    def _contract(self, state: State1853, seat: int) -> str:
        """Progress of a contract."""
        contract = state.contracts[seat]
        if contract.shown:
            return self._("connected and shown")
        notes = [] if contract.complete else [self._("not complete")]
        if not self.open(state, seat):
            companies = self._("for {list}", list=", ".join(contract.companies))
            return ", ".join([*notes, companies])
        if contract.complete:
            networks = contracts.connections(self.ruleset, state)
            parts = len({networks[city] for city in contract.cities})
            if parts > 1:
                notes.append(
                    self.ngettext("{n} link is missing", "{n} links are missing", parts - 1)
                )
            else:
                notes.append(self._("connected"))
        return ", ".join(notes)

    def _city_rows(self, state: State1853, seat: int) -> list[Row]:
        """Cities known to the reader, with the contract cities each is connected to."""
        known = self.known(state, seat)
        networks = contracts.connections(self.ruleset, state)
        rows = []
        for place, (city, company) in enumerate(known):
            others = [other for other, _ in known[:place] + known[place + 1 :]]
            joined = [other for other in others if networks[other] == networks[city]]
            if state.contracts[seat].shown:
                value = ""
            elif joined:
                value = self._("joined to {list}", list=self.words.join(joined))
            else:
                value = self._("not connected")
            record = self.components.cities[city]
            rows.append(
                Row(city, value, f"hex:{record.hex}", f"{company}, {self.money(record.value)}")
            )
        return rows

    def seat_marks(self, state: State1853, seat: int) -> list[str]:
        marks = [self._("elephant")] if self.first(state) == seat else []
        contract = state.contracts[seat]
        if contract.bond is not None and not contract.shown:
            marks.append(self._("bond {amount}", amount=self.money(contract.bond)))
        unpaid = self.ruleset.shares.unredeemed(state, seat)
        if not state.round.number and self.ruleset.to_pay(state, seat):
            price = self.money(self.ruleset.to_pay(state, seat))
            marks.append(self._("shares for {price}, not yet paid for", price=price))
        if unpaid:
            marks.append(self._("{count} not redeemed", count=unpaid))
        return marks

    def first(self, state: State1853) -> int | None:
        """The elephant goes to the highest bond."""
        return super().first(state) if state.seating else None

    # ---- the table

    def phase_shown(self, state: State1853) -> str:
        """The contract bids are the first phase [4.10.2]."""
        return super().phase_shown(state) if state.round.number else "1"

    def round_name(self, state: State1853) -> str:
        return super().round_name(state) if state.round.number else self._("contract bids")

    def table_rows(self, state: State1853) -> list[Row]:
        rows = super().table_rows(state)
        if state.seating:
            order = " → ".join(self.name(seat) for seat in state.seating)
            rows.append(Row(self._("Seating, clockwise"), "", "", order))
        row = self.components.players[state.seats]
        rows.append(
            Row(
                self._("Shares of one company"),
                self._("at most {count}", count=row.per_company),
                "",
                self._(
                    "shares at {price} or less do not count against any limit",
                    price=self.money(EXEMPT),
                ),
            )
        )
        on_sale = self.ruleset.shares.on_sale(state) if state.round.number else []
        if on_sale and len(on_sale) < len(self.ruleset.public):
            rows.append(
                Row(
                    self._("New shares on sale"),
                    ", ".join(name for name in self.ruleset.public if name in on_sale),
                    "",
                    self._("the others when all of these are issued"),
                )
            )
        return rows

    def what_follows(self, state: State1853) -> str:
        now = state.round
        if not now.number:
            return self.stock_round(1)
        if not isinstance(self.ruleset.following(state), ExtraRound):
            return super().what_follows(state)
        return self._(
            "{round}, or one more operating round if {name} orders it",
            round=self.stock_round(now.number + 1),
            name=self.name(state.priority),
        )

    def why_ended(self, state: State1853) -> str:
        chart = self.ruleset.chart
        for company, found in state.companies.items():
            if found.cell and chart.right[found.cell] == found.cell:
                return self._(
                    "ended because the price of {company} has reached {price}",
                    company=company,
                    price=self.money(chart.price[found.cell]),
                )
        return super().why_ended(state)

    # ---- shares

    def share_signs(self) -> str:
        return self._(
            "In percent; ★ is the director, ☆ the operating manager. New shares include those that are "
            "not on sale yet."
        )

    def held_cell(self, stake: Stake) -> Cell:
        cell, unpaid = super().held_cell(stake), 10 * stake.unpaid
        note = self._("{percent} not redeemed", percent=unpaid) if unpaid else ""
        return Cell(f"☆{cell.text}" if stake.manages else cell.text, note)

    def price_note(self, state: State1853, company: str) -> str:
        """Before a company is founded its shares cost par."""
        price = super().price_note(state, company)
        return price or self._("issue price {price}", price=self.par(company))

    def new_note(self, state: State1853, company: str) -> str:
        if self._only_double(state, company, STACK):
            return self._("the director's certificate")
        left = state.round.number and self.ruleset.shares.shares_at(state, company, STACK)
        if left and company not in self.ruleset.shares.on_sale(state):
            return self._("not on sale yet")
        return ""

    def pool_note(self, state: State1853, company: str) -> str:
        if self._only_double(state, company, POOL):
            return self._("the director's certificate")
        return ""

    def _only_double(self, state: State1853, company: str, place: str) -> bool:
        """Whether only the double share lies there."""
        shares = self.ruleset.shares
        return shares.shares_at(state, company, place) > 0 and not shares.single_shares_at(
            state, company, place
        )

    # ---- companies

    def company_head(self) -> tuple[str, ...]:
        return (*super().company_head(), self._("Size"))

    def company_row(self, state: State1853, company: str) -> tuple[Cell, ...]:
        charter = state.charters[company]
        size = self._("large") if charter.large else self._("small")
        return (*super().company_row(state, company), Cell(size, self._rights(state, company)))

    def _rights(self, state: State1853, company: str) -> str:
        """Number of tiles a large company lays, or whether a small one has its loco token."""
        charter = state.charters[company]
        if not charter.large:
            return self._("loco token") if charter.token else self._("loco token used")
        if charter.right == "fee":
            return self._("two tiles, the second for {fee}", fee=self.tile_fee(company))
        if self.ruleset.builder.two_tiles(state, company):
            return self._("two tiles")
        return self._("two tiles from phase 3 on") if charter.right else ""

    def leader_note(self, state: State1853, company: str) -> str:
        name = super().leader_note(state, company)
        if self.ruleset.control.director(state, company) is not None:
            return name
        return self._("{name}, operating manager", name=name)

    def debts(self, state: State1853, company: str) -> list[str]:
        return [*super().debts(state, company), *self._owed(state, company)]

    def company_parts(self, state: State1853, company: str) -> list[str]:
        return [*super().company_parts(state, company), *self._owed(state, company)]

    def _owed(self, state: State1853, company: str) -> list[str]:
        """The train on credit."""
        charter = state.charters[company]
        if not charter.credit:
            return []
        return [
            self._(
                "owes {price} for its {train}",
                price=self.money(charter.owed),
                train=self.train(charter.credit),
            )
        ]

    # ---- trains

    def train_note(self, train: str) -> str:
        note = super().train_note(train)
        phase = self.ruleset.depot.metre_trains.get(train)
        if train == SIDE:
            return self._("the other side of the {train}", train=self.train(CARD))
        return note if phase is None else self._("from phase {phase} on", phase=phase)

    def supply_cell(self, state: State1853, train: str) -> Cell:
        """Trains left in play, and whether they are on sale now."""
        if train == SIDE and not state.small_founded:
            return Cell(NONE)
        count = self.components.train_records[train].count
        if state.small_founded:
            count = self.components.small_count[train]
        text = self.left(state, train)
        if text.isdecimal():
            text = self._("{left} of {count}", left=text, count=count)
        if (CARD if train == SIDE else train) not in self.ruleset.depot.new_trains(state):
            return Cell(text)
        note = self._("on offer to small companies") if train == SIDE else self._("on offer")
        return Cell(text, note)


#: Maximum distance of a price from the last box, in boxes, for the end to be near.
NEAR_BOXES = 5


class Statistics1853(Names1853, Statistics[State1853, Ruleset1853]):
    """Statistics of 1853."""

    def source(self, event: Payment) -> str:
        match event:
            case here.BondsShown() | here.ContractShown():
                return self._("Bonds")
            case here.SharesPaid() | here.SharesRedeemed():
                return self._("Contract shares")
            case here.CreditSettled():
                return self._("Contributions to trains")
            case here.ElephantSold():
                return self._("Elephant")
        return super().source(event)

    def worth_note(self) -> str:
        return self._(
            "Cash and shares at market price, at par before a company is founded; "
            "unpaid shares and bonds set aside count for nothing."
        )

    def stretch(self, events: Sequence[Event]) -> str:
        """The contract bids come before all rounds."""
        if any(isinstance(event, here.BondsShown | here.BondWritten) for event in events):
            return self._("contract bids")
        return super().stretch(events)

    def ending(self, state: State1853, events: Sequence[Event]) -> Ending | None:
        for event in reversed(events):
            if isinstance(event, here.PriceLimit):
                return Ending(
                    self._(
                        "The game is over because the price of {company} has reached {price}.",
                        company=event.company,
                        price=self.highest_price(),
                    ),
                    event.rule,
                )
        return super().ending(state, events)

    def near_end(self, state: State1853) -> str:
        if not state.agenda or state.broken:
            return ""
        return "\n".join(filter(None, (super().near_end(state), self._near_limit(state))))

    def _near_limit(self, state: State1853) -> str:
        """The company with the price closest to the last box, once it is near."""
        chart = self.ruleset.chart
        found = []
        for company in self.ruleset.market.in_order(state):
            cell, boxes = state.companies[company].cell, 0
            while cell and chart.right[cell] != cell and boxes <= NEAR_BOXES:
                cell, boxes = chart.right[cell], boxes + 1
            if cell and boxes <= NEAR_BOXES:
                found.append((boxes, company))
        if not found:
            return ""
        boxes, company = min(found)
        return self.ngettext(
            "The end is near: the price of {company} is {n} box from the last.",
            "The end is near: the price of {company} is {n} boxes from the last.",
            boxes,
            company=company,
        )


class Texts1853(
    Log1853, Prompts1853, Choices1853, Holdings1853, Statistics1853, Texts[State1853, Ruleset1853]
):
    """All sentences about a game of 1853 for one reader."""

    corrections = KINDS
