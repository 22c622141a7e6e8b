"""Holdings of players and companies, a panel for each, and the progress of the game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec.msgpack import decode, encode

from kursbuch.core.voice import Cell, Chip, Grid, Panel, Row, Summary
from kursbuch.games.g18xx.components import BANK, EXCHANGE_SHARES, PACKET, PLAYERS, POOL, paper_item
from kursbuch.games.g18xx.map.tiles import supply
from kursbuch.games.g18xx.map.track import Laid
from kursbuch.games.g18xx.share_register import Holder, ShareRegister, Stake, share_register
from kursbuch.games.g18xx.state import AnyState, EndGame, OperatingRound, StateT
from kursbuch.games.g18xx.text.names import COLOUR_NAMES, NONE, Names, RulesetT


class Holdings(Names[StateT, RulesetT]):
    """Descriptions of a position."""

    def panels(self, state: StateT) -> list[Panel]:
        """Panels of the players, the table, and the tiles left."""
        found = [
            Panel(self.words.name(seat), seat, tuple(self.player_rows(state, seat, holder)))
            for seat, holder in enumerate(share_register(self.ruleset, state).holders)
        ]
        return [*found, self.table_panel(state), self.tile_panel(state)]

    def player_rows(self, state: StateT, seat: int, holder: Holder) -> list[Row]:
        """Rows of a player's holdings: money, certificates, shares and papers."""
        cash, due = self.ruleset.cash(state, seat), self.ruleset.noted(state, PLAYERS[seat])
        rows = _holder_rows(self, holder, cash, due, self.first(state) == seat)
        return [*rows, *(self._paper_row(state, paper) for paper in holder.papers)]

    def unsettled_row(self, amount: int) -> Row:
        """Holdings without market value, and why they count towards a player's worth."""
        return Row(
            self._("Without a market price, at cost"),
            self.money(amount),
            "",
            self._(
                "privates and minors at their purchase price, shares of companies "
                "not yet floated at par; at the end only market prices count"
            ),
        )

    def share_row(self, stake: Stake) -> Row:
        """A player's shares of a company."""
        key = f"company:{stake.company}"
        return Row(
            stake.company, self.percent(stake.percent), key, self.certificates(stake.certificates)
        )

    def _paper_row(self, state: StateT, paper: str) -> Row:
        private = self.components.privates.get(paper)
        if private is not None:
            return Row(
                paper,
                self._(
                    "income {amount}", amount=self.money(self.ruleset.market.income(state, paper))
                ),
                f"paper:{paper}",
                private.name,
            )
        trains = self.ruleset.trains(state, paper)
        return Row(
            self.company(paper),
            self.money(self.ruleset.money(state, paper)),
            f"paper:{paper}",
            ", ".join(
                [
                    self.components.minors[paper].name,
                    self._("trains {list}", list=", ".join(trains) or NONE),
                ]
            ),
        )

    def board_text(self, state: StateT) -> list[Panel]:
        """Tiles and stations, hex by hex."""
        stations: dict[str, list[str]] = {}
        for station in state.layout.stations:
            stations.setdefault(station.hex, []).append(self.company(station.company))
        rows = []
        for hex in sorted({*state.layout.tiles, *stations}, key=lambda one: (len(one), one)):
            laid = state.layout.tiles.get(hex)
            what = self._("tile {tile}", tile=laid[0]) if laid is not None else self._("printed")
            tokens = ", ".join(stations.get(hex, ()))
            note = self._("tokens: {list}", list=tokens) if tokens else ""
            rows.append(Row(self.place(hex), what, f"hex:{hex}", note))
        return [Panel(self._("Map"), None, tuple(rows))] if rows else []

    def phase_shown(self, state: StateT) -> str:
        """Name of the current phase."""
        return self.ruleset.phase_name(state.phase)

    def round_name(self, state: StateT) -> str:
        """Name of the current round."""
        now = state.round
        if not now.number:
            return NONE
        if now.part:
            return self._(
                "operating round {number}.{part} ({part} of {parts})",
                number=now.number,
                part=now.part,
                parts=now.parts,
            )
        return self.stock_round(now.number)

    def table_panel(self, state: StateT) -> Panel:
        """Panel with round, phase, bank, operating order, trains."""
        trains = encode(self.ruleset.bearing_on_trains(state))
        rows = (*self.table_rows(state), *_train_rows(self, type(state), trains))
        return Panel(self._("Table"), None, rows)

    def table_rows(self, state: StateT) -> list[Row]:
        """Rows with round, phase, bank, operating order."""
        _, ruleset = self._, self.ruleset
        # A tick marks companies that have acted.
        order = [
            self.company(name) + "\N{NO-BREAK SPACE}✓" * acted for name, acted in self.order(state)
        ]
        first = self.first(state)
        return [
            Row(_("Round"), self.round_name(state)),
            Row(_("Phase"), self.phase_shown(state), "", _phase_note(self, state.phase)),
            Row(_("Bank"), self.money(ruleset.money(state, BANK)), "", self.end_note(state)),
            *([Row(self.priority(), self.words.name(first))] if first is not None else []),
            Row(_("Order of the companies"), "", "", ", ".join(order) or NONE),
        ]

    def train_rows(self, state: StateT) -> list[Row]:
        """Trains on offer, and those that rust next."""
        _, ruleset = self._, self.ruleset
        rows = [
            Row(
                _("Next train"),
                self.new_train(state, train),
                "",
                ", ".join(self.effects(state, train)),
            )
            for train in ruleset.depot.new_trains(state)
        ]
        rusting = self.next_rust(state)
        if rusting:
            rows.append(Row(_("Rusts next"), rusting))
        pool = ruleset.trains(state, POOL)
        return [*rows, Row(_("Trains in the pool"), self.trains(pool) or NONE)]

    def end_note(self, state: StateT) -> str:
        """When the game ends, once the bank has broken."""
        now, last = state.round, self.ruleset.last_round(state)
        if last is None:
            return ""
        if last == (now.number, 0):
            return self._("the game ends after this stock round")
        if last == (now.number, now.part):
            return self._("the game ends after this operating round")
        if last == (now.number, now.part + 1):
            return self._("the game ends after the next operating round")
        number, part = last
        return self._(
            "the game ends after operating round {number}.{part}", number=number, part=part
        )

    def next_rust(self, state: StateT) -> str:
        """Trains that rust next, and the trains that cause it."""
        for name, number in self.components.phase_row.items():
            scrapped = self.scrapped_by(name)
            if number > state.phase and scrapped:
                return self._(
                    "{list} with the first {train}",
                    list=self.words.join([self.train(one) for one in scrapped]),
                    train=self.train(name),
                )
        return ""

    def order(self, state: StateT) -> list[tuple[str, bool]]:
        """Operating companies in operating order, with whether they have acted."""
        acted = state.round.acted if state.round.part else []
        order = self.ruleset.control.order(state)
        # Operating minors without a turn now.
        idle = [
            name
            for name in self.components.minors
            if name not in order
            and state.companies[name].operating
            and not state.companies[name].closed
        ]
        return [(name, name in acted) for name in [*idle, *order]]

    def tile_panel(self, state: StateT) -> Panel:
        """Panel of available tiles in the current colours."""
        return _tile_panel(self, state.phase, tuple(state.layout.tiles.items()))

    def status(self, state: StateT) -> str:
        """Round, phase and bank; who is still to act, what comes next, and the acting company."""
        lines = [
            self._(
                "{round} · phase {phase} · bank {bank}",
                round=self.round_name(state),
                phase=self.phase_shown(state),
                bank=self.money(self.ruleset.money(state, BANK)),
            )
        ]
        if not state.agenda:
            why = self.why_ended(state)
            return "\n".join([*lines, why] if why else lines)
        waiting = [self.company(name) for name, acted in self.order(state) if not acted]
        after = self.what_follows(state)
        if state.round.part and waiting:
            list_ = ", ".join(waiting)
            lines.append(self._("still to act: {list}; then {after}", list=list_, after=after))
        else:
            lines.append(self._("then {after}", after=after))
        company = getattr(state.agenda[-1], "company", "")
        if state.round.part and company:
            lines.append(self.company_line(state, company))
        return "\n".join(lines)

    def what_follows(self, state: StateT) -> str:
        """What follows the current round [rounds, bank-broken]."""
        number = state.round.number
        match self.ruleset.following(state):
            case EndGame():
                return self._("the end of the game, because the bank is empty")
            case OperatingRound(part=part):
                round = self._("operating round {number}.{part}", number=number, part=part)
                if self.ruleset.last_round(state) != (number, part):
                    return round
                return self._("{round} and the end, because the bank is empty", round=round)
        return self.stock_round(number + 1)

    def why_ended(self, state: StateT) -> str:
        """Why the game has ended [forced-sale, bank-broken]."""
        if len(state.out) == state.seats - 1:
            return self._("ended because all others are bankrupt")
        return self._("ended because the bank is empty") if state.broken else ""

    def company_line(self, state: StateT, company: str) -> str:
        """A company's property in one line."""
        # Break the line between the parts only.
        parts = [
            part.replace(" ", "\N{NO-BREAK SPACE}") for part in self.company_parts(state, company)
        ]
        return f"{self.company(company)}: {' · '.join(parts)}"

    def company_parts(self, state: StateT, company: str) -> list[str]:
        """Parts of a company's property."""
        ruleset = self.ruleset
        parts = [
            self._("treasury {amount}", amount=self.money(ruleset.money(state, company))),
            self._("trains {list}", list=", ".join(ruleset.trains(state, company)) or NONE),
        ]
        price = ruleset.market.price(state, company)
        if price:
            parts.append(self._("price {price}", price=self.money(price)))
        if not ruleset.is_minor(company):
            parts.append(self._("tokens left {count}", count=ruleset.tokens(state, company)))
        revenue = state.companies[company].revenue
        if revenue:
            parts.append(self._("last revenue {amount}", amount=self.money(revenue)))
        return parts

    def seat_note(self, state: StateT, seat: int) -> str:
        """Cash and papers of a player, and the priority deal; at the end the parts of the total."""
        ruleset = self.ruleset
        cash = self.money(ruleset.cash(state, seat))
        due = ruleset.noted(state, PLAYERS[seat])
        if due:
            cash = self._("{cash} + noted {noted}", cash=cash, noted=self.money(due))
        if not state.agenda:
            shares = self.money(ruleset.market.worth(state)[seat])
            return self._("cash {cash} + shares {shares}", cash=cash, shares=shares)
        note = self._(
            "cash {cash} · certificates {count}/{limit}",
            cash=cash,
            count=ruleset.shares.count_certificates(state, seat),
            limit=ruleset.shares.certificate_limit(state, seat),
        )
        return " · ".join([note, *self.seat_marks(state, seat)])

    def seat_marks(self, state: StateT, seat: int) -> list[str]:
        """Further marks always shown at a player."""
        return [self._("priority")] if self.first(state) == seat else []

    def first(self, state: StateT) -> int | None:
        """First player of the next stock round, None while undecided."""
        return state.priority

    # ---- tables

    def tables(self, state: StateT) -> list[Grid]:
        """Tables of shareholdings, companies, and trains with their phases."""
        return [self.share_table(state), self.company_table(state), self.train_table(state)]

    def shown_companies(self, state: StateT) -> list[str]:
        """Share companies, operating ones first, in operating order."""
        working = self.ruleset.market.in_order(state)
        return [*working, *(name for name in self.ruleset.public if name not in working)]

    def share_table(self, state: StateT) -> Grid:
        """Percentages of every company: initial offering, pool, players; the director is
        starred."""
        _, ruleset, players = self._, self.ruleset, state.clockwise()
        known = share_register(ruleset, state)
        holders, seats = known.holders, range(state.seats)
        cash = [ruleset.cash(state, seat) for seat in seats]
        noted = [ruleset.noted(state, PLAYERS[seat]) for seat in seats]
        worth = [holder.worth for holder in holders]
        others = [holder.unsettled if state.agenda else 0 for holder in holders]
        rows = [*_share_rows(self, known)]
        income = [ruleset.market.round_income(state, seat) for seat in seats]
        for label, amounts in (
            *([(_("Income"), income)] if any(income) else []),
            (_("Cash"), cash),
            *([(_("Noted"), noted)] if any(noted) else []),
            (_("Shares"), worth),
            *([(_("Other certificates, at their price"), others)] if any(others) else []),
            (_("Together"), [*map(sum, zip(cash, noted, worth, others, strict=True))]),
        ):
            sums = [Cell(self.words.number(amounts[seat])) for seat in players]
            rows.append((Cell(label), Cell(""), Cell(""), *sums))
        head = [_("Company"), _("New"), _("Pool")]
        head += [self.words.name(seat) for seat in players]
        signs = f"{self.share_signs()} {self.founding_sign(state)}"
        return Grid(_("Shares"), tuple(head), tuple(rows), signs, players=tuple(players))

    def company_shares(self, known: ShareRegister[StateT], company: str) -> tuple[Cell, ...]:
        """Row of a company in the table of shares."""
        ruleset, state = self.ruleset, known.state
        place = list(ruleset.public).index(company)
        notes = filter(None, (self.price_note(state, company), self.sold_note(state, company)))
        return (
            Cell(company, "\n".join(notes), f"company:{company}"),
            Cell(self._share(ruleset.new_shares(state, company)), self.new_note(state, company)),
            Cell(
                self._share(ruleset.percent(state, POOL, company)), self.pool_note(state, company)
            ),
            *(self.held_cell(known.holders[seat].stakes[place]) for seat in state.clockwise()),
        )

    def paper_shares(self, known: ShareRegister[StateT]) -> tuple[Cell, ...]:
        """Row of the privates and minors in the table of shares."""
        unsold = str(self._unsold_papers(known.state) or "")
        owned = [
            Cell(", ".join(map(self.paper, known.holders[seat].papers)))
            for seat in known.state.clockwise()
        ]
        return (Cell(self._("Privates, minors")), Cell(unsold), Cell(""), *owned)

    def certificate_count(self, holder: Holder) -> str:
        """A player's number of certificates and limit."""
        return f"{holder.certificates}/{holder.limit}"

    def founding_sign(self, state: StateT) -> str:
        """Percentage of a company to be sold for it to float."""
        return self._(
            "A company floats when {percent} percent of it has been sold.",
            percent=self.ruleset.float.float_percent(state),
        )

    def share_signs(self) -> str:
        """Legend of the table of shares."""
        return self._(
            "In percent; ★ is the director. New shares include those that are not on sale yet."
        )

    def held_cell(self, stake: Stake) -> Cell:
        """A player's holding of a company."""
        held = self._share(stake.percent)
        return Cell(f"★{held}" if stake.directs else held)

    def price_note(self, state: StateT, company: str) -> str:
        """Price of a company's shares."""
        price = self.ruleset.market.price(state, company)
        return self.money(price) if price else ""

    def sold_note(self, state: StateT, company: str) -> str:
        """Percentage of a company sold, and percentage to be sold for it to float."""
        needed = self.ruleset.float.needed(state, company)
        sold = self.ruleset.float.issued(state, company)
        text = self._("{sold}/{needed}% sold", sold=sold, needed=needed) if needed else ""
        return text.replace(" ", "\N{NO-BREAK SPACE}")

    def new_note(self, state: StateT, company: str) -> str:
        """Note on a company's initial offering."""
        exchange = self._share(self.ruleset.percent(state, EXCHANGE_SHARES, company))
        return self._("exchange {percent}", percent=exchange) if exchange else ""

    def pool_note(self, state: StateT, company: str) -> str:
        """Note on a company's shares in the pool."""
        return ""

    def _share(self, percent: int) -> str:
        return self.words.number(percent) if percent else ""

    def _unsold_papers(self, state: StateT) -> int:
        names = [*self.components.privates, *self.components.minors]
        return sum(state.ledger.held(paper_item(name), PACKET) for name in names)

    def company_table(self, state: StateT) -> Grid:
        """Table of the operating companies."""
        rows = [self.company_row(state, company) for company, _acted in self.order(state)]
        return Grid(self._("Companies in operation"), self.company_head(), tuple(rows))

    def company_head(self) -> tuple[str, ...]:
        """Head of the table of companies."""
        _ = self._
        return (
            _("Company"),
            _("Price"),
            _("Treasury"),
            _("Trains"),
            _("Tokens left"),
            _("Last revenue"),
        )

    def company_row(self, state: StateT, company: str) -> tuple[Cell, ...]:
        """Row of a company."""
        _, ruleset = self._, self.ruleset
        found = state.companies[company]
        trains = ruleset.trains(state, company)
        price = ruleset.market.price(state, company)
        return (
            Cell(self.company(company), self.leader_note(state, company), f"company:{company}"),
            Cell(self.words.number(price) if price else ""),
            Cell(
                self.words.number(ruleset.money(state, company)),
                ", ".join(self.debts(state, company)),
            ),
            Cell(
                ", ".join(trains) or NONE,
                _("limit {number}", number=ruleset.depot.train_limit(state, company)),
            ),
            Cell(str(ruleset.tokens(state, company))),
            Cell(self.words.number(found.revenue) if found.revenue else NONE),
        )

    def leader_note(self, state: StateT, company: str) -> str:
        """Operator of a company."""
        seat = self.ruleset.control.operator(state, company)
        return self.words.name(seat) if seat is not None else ""

    def debts(self, state: StateT, company: str) -> list[str]:
        """Debts between a company and the bank."""
        debt, due = state.companies[company].debt, self.ruleset.noted(state, company)
        return [
            *([self._("debt {amount}", amount=self.money(debt))] if debt else []),
            *([self._("noted {amount}", amount=self.money(due))] if due else []),
        ]

    def train_table(self, state: StateT) -> Grid:
        """Table of all trains: number left, when they rust, effects of the first one."""
        return _train_table(self, type(state), encode(self.ruleset.bearing_on_trains(state)))

    def train_note(self, train: str) -> str:
        """Phase that a train begins."""
        number = self.components.phase_row.get(train)
        if number is None or not self.begins_phase(number):
            return ""
        return self._("phase {phase}", phase=self.ruleset.phase_name(number))

    def supply_cell(self, state: StateT, train: str) -> Cell:
        """Number of trains of a type left."""
        count = self.components.train_records[train].count
        return Cell(self._("{left} of {count}", left=self.left(state, train), count=count))

    def reached(self, state: StateT, train: str) -> bool:
        """Whether the first train of a type has been bought."""
        return train in self.components.phase_row and bool(
            self.components.phase_row[train] <= state.phase
        )


class Summaries(Holdings[StateT, RulesetT]):
    """Summaries that players compare all the time."""

    def summaries(self, state: StateT) -> list[Summary]:
        """Summaries of players, of what stays in sight, and of companies in operating order."""
        return [
            *(
                self._player_summary(state, seat, holder)
                for seat, holder in enumerate(share_register(self.ruleset, state).holders)
            ),
            *self._order_summary(state),
            self._bank_summary(state),
            *(self._company_summary(state, company) for company, _acted in self.order(state)),
            *self._waiting_summary(state),
        ]

    def _player_summary(self, state: StateT, seat: int, holder: Holder) -> Summary:
        cash, due = self.ruleset.cash(state, seat), self.ruleset.noted(state, PLAYERS[seat])
        marks = " · ".join(self.seat_marks(state, seat))
        income = self.ruleset.market.round_income(state, seat)
        return _holder_summary(self, seat, holder, cash, due, income, marks)

    def _company_summary(self, state: StateT, company: str) -> Summary:
        """Price, treasury, tokens and revenue as in the table of companies; trains as chips."""
        row, trains = self.company_row(state, company), self.ruleset.trains(state, company)
        return _company_summary(self, row, tuple(trains), self._acts(state, company))

    def _acts(self, state: StateT, company: str) -> bool:
        return any(getattr(step, "company", None) == company for step in state.agenda)

    def _waiting_summary(self, state: StateT) -> list[Summary]:
        """Companies that do not operate yet."""
        working = {company for company, _acted in self.order(state)}
        chips = tuple(
            Chip(company, f"company:{company}", note=self.price_note(state, company))
            for company in self.ruleset.public
            if company not in working
        )
        return [Summary(self._("Not yet floated"), chips=chips)] if chips else []

    def _order_summary(self, state: StateT) -> list[Summary]:
        """Companies in operating order: a tick marks those that have acted, an arrow the one that acts."""
        chips = tuple(
            Chip(
                "▶\N{NO-BREAK SPACE}" * acts
                + self.company(company)
                + "\N{NO-BREAK SPACE}✓" * acted,
                f"company:{company}",
                acts,
                self.leader_note(state, company),
            )
            for company, acted in self.order(state)
            for acts in (self._acts(state, company),)
        )
        return [Summary(self._("Order"), chips=chips, pinned=True)] if chips else []

    def next_phase(self, state: StateT) -> Row | None:
        """The phase after this one, and what it changes."""
        for train, number in self.components.phase_row.items():
            if number > state.phase and self.begins_phase(number):
                begins = self._(
                    "{phase} with the first {train}",
                    phase=self.ruleset.phase_name(number),
                    train=self.train(train),
                )
                return Row(self._("Next phase"), begins, "", ", ".join(self.phase_notes(number)))
        return None

    def _bank_summary(self, state: StateT) -> Summary:
        """Money left in the bank, phases, contents of the pool, trains on sale, and tiles left."""
        ruleset = self.ruleset
        pool = [
            Chip(f"{company} {ruleset.percent(state, POOL, company)}", f"company:{company}")
            for company in ruleset.public
            if ruleset.percent(state, POOL, company)
        ]
        trains = [
            Chip(self.train(train), f"train:{train}") for train in ruleset.trains(state, POOL)
        ]
        offered = self.words.join(
            [self.new_train(state, train) for train in ruleset.depot.new_trains(state)]
        )
        following, rusting = self.next_phase(state), self.next_rust(state)
        return Summary(
            self._("Bank and pool"),
            figures=(
                Row(self._("Bank"), self.money(ruleset.money(state, BANK))),
                Row(self._("Phase"), self.phase_shown(state)),
                Row(self._("Next train"), offered or NONE),
                *([Row(self._("Rusts next"), rusting)] if rusting else []),
                *([following] if following else []),
                _tile_row(self, state.phase, tuple(state.layout.tiles.items())),
            ),
            chips=(*pool, *trains),
            pinned=True,
        )


@lru_cache(maxsize=2048)
def _holder_rows(
    texts: Holdings[Any, Any], holder: Holder, cash: int, due: int, first: bool
) -> Sequence[Row]:
    """Rows of a player's money, certificates and shares; most moves change one or two players."""
    _ = texts._
    rows = [
        Row(_("Cash"), texts.money(cash)),
        *([Row(_("Noted, counts at the end"), texts.money(due))] if due else []),
        Row(_("Shares at market price"), texts.money(holder.worth)),
        *([texts.unsettled_row(holder.unsettled)] if holder.unsettled else []),
        Row(
            _("Certificates"),
            _("{count} of {limit}", count=holder.certificates, limit=holder.limit),
        ),
    ]
    if first:
        rows.append(Row(texts.priority(), "▶"))
    return [*rows, *(texts.share_row(stake) for stake in holder.stakes if stake.percent)]


@lru_cache(maxsize=2048)
def _holder_summary(
    texts: Holdings[Any, Any],
    seat: int,
    holder: Holder,
    cash: int,
    due: int,
    income: int,
    marks: str,
) -> Summary:
    """Summary of a player."""
    _ = texts._
    noted = _("{amount} noted", amount=texts.money(due)) if due else ""
    chips = []
    for stake in holder.stakes:
        if stake.percent:
            cell, key = texts.held_cell(stake), f"company:{stake.company}"
            chips.append(Chip(f"{stake.company} {cell.text}", key, stake.leads, cell.note))
    for paper in holder.papers:
        private = texts.components.privates.get(paper)
        name = (private or texts.components.minors[paper]).name
        chips.append(Chip(texts.paper(paper), f"paper:{paper}", note=name))
    return Summary(
        texts.words.name(seat),
        seat,
        figures=(
            Row(_("Cash"), texts.money(cash), "", noted),
            Row(_("Certificates"), texts.certificate_count(holder)),
            *([Row(_("Income"), texts.money(income))] if income else []),
        ),
        chips=tuple(chips),
        note=marks,
    )


@lru_cache(maxsize=256)
def _share_rows(texts: Holdings[Any, Any], known: ShareRegister[Any]) -> Sequence[tuple[Cell, ...]]:
    """Rows of the table of shares without sums of money, which only some moves change."""
    rows = [texts.company_shares(known, company) for company in texts.shown_companies(known.state)]
    if texts.components.privates or texts.components.minors:
        rows.append(texts.paper_shares(known))
    holders = [known.holders[seat] for seat in known.state.clockwise()]
    counts = [Cell(texts.certificate_count(holder)) for holder in holders]
    return [*rows, (Cell(texts._("Certificates")), Cell(""), Cell(""), *counts)]


@lru_cache(maxsize=256)
def _tile_panel(texts: Holdings[Any, Any], phase: int, laid: tuple[tuple[str, Laid], ...]) -> Panel:
    """Panel of the tiles left beside those on the map."""
    board = texts.components.board
    left = supply(board, dict(laid))
    rows = [
        Row(
            tile.id,
            texts._("{left} of {count}", left=left[tile.id], count=tile.count),
            f"tile:{tile.id}",
        )
        for colour in texts.components.phases[phase].tiles
        for tile in board.tiles.values()
        if tile.colour == colour
    ]
    return Panel(texts._("Tiles left"), None, tuple(rows), pieces=True)


@lru_cache(maxsize=256)
def _tile_row(texts: Holdings[Any, Any], phase: int, laid: tuple[tuple[str, Laid], ...]) -> Row:
    """Number of tiles left by colour, and those of which none is left."""
    board = texts.components.board
    left = supply(board, dict(laid))
    counts, gone = [], []
    for colour in texts.components.phases[phase].tiles:
        tiles = [tile.id for tile in board.tiles.values() if tile.colour == colour]
        counts.append(f"{texts._(COLOUR_NAMES[colour])} {sum(left[one] for one in tiles)}")
        gone += [one for one in tiles if not left[one]]
    note = texts._("gone: {list}", list=", ".join(gone)) if gone else ""
    return Row(texts._("Tiles left"), ", ".join(counts), "", note)


@lru_cache(maxsize=256)
def _phase_note(texts: Holdings[Any, Any], number: int) -> str:
    """Colours of tiles, number of operating rounds and train limits of a row of the phase table."""
    phase = texts.components.phases[number]
    colours = texts.words.join([texts._(COLOUR_NAMES[colour]) for colour in phase.tiles])
    rounds = texts.ngettext("{n} operating round", "{n} operating rounds", phase.operating_rounds)
    return ", ".join(
        [
            texts._("{colours} tiles", colours=colours),
            rounds,
            texts.limit_note(number),
        ]
    )


@lru_cache(maxsize=2048)
def _company_summary(
    texts: Holdings[Any, Any], row: tuple[Cell, ...], trains: tuple[str, ...], acts: bool
) -> Summary:
    """Summary of a company, made from its row in the table of companies."""
    head, (name, price, treasury, owned, *rest) = texts.company_head(), row
    figures = [
        Row(label, cell.text, note=cell.note)
        for label, cell in zip(head[1:3] + head[4:], (price, treasury, *rest), strict=True)
        if cell.text
    ]
    chips = tuple(Chip(train, f"train:{train}") for train in trains)
    return Summary(
        name.text,
        key=name.key,
        figures=tuple(figures),
        chips=chips or (Chip(texts._("no train"), note=owned.note),),
        note=name.note,
        active=acts,
        held=head[3] if chips else "",
    )


@lru_cache(maxsize=256)
def _train_rows(texts: Holdings[Any, Any], form: type[AnyState], encoded: bytes) -> Sequence[Row]:
    """Rows of the trains on offer, from what bears on them."""
    return texts.train_rows(decode(encoded, type=form))


@lru_cache(maxsize=256)
def _train_table(texts: Holdings[Any, Any], form: type[AnyState], encoded: bytes) -> Grid:
    """Table of all trains, from what bears on them."""
    state, _ = decode(encoded, type=form), texts._
    rows = []
    for name, record in texts.components.train_records.items():
        number = texts.components.phase_row.get(name)
        notes = texts.phase_notes(number) if number is not None else []
        gone = record.scrapped_by is not None and texts.reached(state, record.scrapped_by)
        rusts = _("rusted") if gone else record.scrapped_by or _("never")
        rows.append(
            (
                Cell(name, texts.train_note(name), f"train:{name}"),
                Cell(texts.words.number(texts.ruleset.depot.price(name))),
                texts.supply_cell(state, name),
                Cell(rusts),
                Cell("", ", ".join(notes)),
            )
        )
    head = (_("Train"), _("Cost"), _("Left"), _("Rusts with"), _("With the first"))
    return Grid(_("Trains and phases"), head, tuple(rows))
