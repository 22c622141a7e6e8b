"""Cards about elements of the map and the sheets of an 18xx game."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.actions import Action
from kursbuch.core.events import Event
from kursbuch.core.voice import Card, Row
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.actions import (
    BuyPaper,
    BuyShare,
    BuyTrain,
    LayTile,
    Nationalise,
    PlaceStation,
    SellShares,
)
from kursbuch.games.g18xx.components import (
    BOX,
    EXCHANGE_SHARES,
    PACKET,
    PLAYERS,
    POOL,
    STACK,
    train_item,
)
from kursbuch.games.g18xx.map.board import Face, Stop
from kursbuch.games.g18xx.map.tiles import shown, successors, supply
from kursbuch.games.g18xx.state import StateT
from kursbuch.games.g18xx.text.choices import Choices
from kursbuch.games.g18xx.text.holdings import Holdings
from kursbuch.games.g18xx.text.names import COLOUR_NAMES, NONE, RulesetT

#: Events that repeat the choice.
_THEMSELVES = (
    happened.OfferMade,
    happened.PaperBought,
    happened.Passed,
    happened.PriceAsked,
    happened.RevenueEntered,
    happened.RunEvent,
    happened.ShareBought,
    happened.SharesSold,
    happened.StationPlaced,
    happened.TileLaid,
    happened.TrainBought,
    happened.TurnBegan,
)


class Cards(Choices[StateT, RulesetT], Holdings[StateT, RulesetT]):
    """Cards: what an element is, costs, earns and may become."""

    def card(self, state: StateT, key: str) -> Card | None:
        """The card of the element with that key."""
        kind, _, name = key.partition(":")
        components = self.components
        match kind:
            case "hex" | "stop":
                hex = name.partition("/")[0]
                return self.hex_card(state, hex) if hex in components.board.index else None
            case "company" | "price":
                if name in self.ruleset.public:
                    return self.company_card(state, name)
                return self.minor_card(state, name) if self.ruleset.is_minor(name) else None
            case "paper" if self.ruleset.is_minor(name):
                return self.minor_card(state, name)
            case "paper" if self.is_paper(name):
                return self.paper_card(state, name)
            case "train":
                train = name.rpartition(":")[2]
                return self.train_card(state, train) if train in components.train_records else None
            case "tile":
                return self.tile_card(state, name) if name in components.board.tiles else None
        return None

    def outcome(self, events: Sequence[Event]) -> list[str]:
        """Consequences of an action, without the action itself."""
        return [self.describe(event) for event in events if not isinstance(event, _THEMSELVES)]

    def consequences(self, before: StateT, after: StateT, action: Action) -> list[str]:
        """Cash, certificates and income of a player, or treasury, trains and revenue of a company."""
        match action:
            case BuyPaper() | BuyShare() | Nationalise() | SellShares():
                return self._player_consequences(before, after, action.seat)
            case BuyTrain(train=train):
                return self._train_consequences(before, after, train)
            case LayTile() | PlaceStation():
                return [
                    *self._revenue_consequences(before, after),
                    *self._reach_consequences(before, after),
                ]
        return []

    def _player_consequences(self, before: StateT, after: StateT, seat: int) -> list[str]:
        ruleset, _ = self.ruleset, self._
        lines = [
            _(
                "Cash: {before} → {after}",
                before=self.money(ruleset.cash(before, seat)),
                after=self.money(ruleset.cash(after, seat)),
            ),
            _(
                "Certificates: {count} of {limit}",
                count=ruleset.shares.count_certificates(after, seat),
                limit=ruleset.shares.certificate_limit(after, seat),
            ),
        ]
        incomes = [self.ruleset.market.round_income(state, seat) for state in (before, after)]
        if incomes[0] != incomes[1]:
            lines.append(
                _(
                    "Income per operating round, at the last revenues paid out: {before} → {after}",
                    before=self.money(incomes[0]),
                    after=self.money(incomes[1]),
                )
            )
        return lines

    def _revenue_consequences(self, before: StateT, after: StateT) -> list[str]:
        """The best revenue of the operating company with its trains, if it has any."""
        company, depot = before.agenda[-1].company, self.ruleset.depot
        if not depot.running_trains(before, company):
            return []
        revenues = [depot.best_runs(state, company).total() for state in (before, after)]
        return [
            self._(
                "Revenue of {company}: {before} → {after}",
                company=self.company(company),
                before=self.money(revenues[0]),
                after=self.money(revenues[1]),
            )
        ]

    def _reach_consequences(self, before: StateT, after: StateT) -> list[str]:
        """Cities and off-board areas that come into reach of the operating company, or where it can now place a
        token."""
        company, builder = before.agenda[-1].company, self.ruleset.builder
        spare = builder.spare_tokens(after, company)
        known, reached = (builder.destinations(state, company) for state in (before, after))
        taken, free = (
            {hex for hex, _ in builder.open_slots(state, company)} if spare else set[str]()
            for state in (before, after)
        )
        fresh = (reached - known) | (free - taken)
        if not fresh:
            return []
        list_ = [
            self._("{place} (a token, too)", place=self.town(hex))
            if hex in free - taken
            else self.town(hex)
            for hex in sorted(fresh, key=self.town)
        ]
        return [self._("Newly in reach: {list}", list=self.words.join(list_))]

    def _train_consequences(self, before: StateT, after: StateT, train: str) -> list[str]:
        ruleset, _ = self.ruleset, self._
        company = before.agenda[-1].company
        left = ruleset.money(after, company)
        lines = [
            _(
                "Treasury: {before} → {after}",
                before=self.money(ruleset.money(before, company)),
                after=self.money(left),
            ),
            _(
                "Trains: {count} of {limit}",
                count=len(ruleset.trains(after, company)),
                limit=ruleset.depot.train_limit(after, company),
            ),
        ]
        for following in ruleset.depot.new_trains(after, company):
            price = ruleset.depot.price(following)
            count = after.ledger.held(train_item(following), STACK)
            lines.append(
                _(
                    "Next in the bank: train {train} for {price}, {count} left",
                    train=following,
                    price=self.money(price),
                    count=count,
                )
                + (
                    _("; the treasury is {missing} short", missing=self.money(price - left))
                    if price > left
                    else ""
                )
            )
        return lines

    # ---- the map

    def hex_card(self, state: StateT, hex: str) -> Card:
        """Card of a hex: tile, earnings, cost, and possible tiles."""
        _, ruleset, board = self._, self.ruleset, self.components.board
        record, laid = board.records[board.number(hex)], state.layout.tiles.get(hex)
        face = shown(board, state.layout.tiles, hex)
        rows = [
            Row(_("Tile"), laid.tile if laid is not None else NONE),
            *self.stop_rows(state, hex, face),
        ]
        cost = self.ground_cost(state, hex)
        if cost:
            rows.append(Row(_("Building costs"), cost))
        homes = self.components.at_home.get(hex, ())
        if homes:
            rows.append(Row(_("Home of"), ", ".join(map(self.company, homes))))
        if record.privates:
            rows.append(Row(_("Privates"), ", ".join(map(self.paper, record.privates))))
        notes = []
        rules: tuple[str, ...] = ("stop-values", "upgrade")
        if record.first_phase is None:
            notes.append(_("No tile may be laid here."))
            rules = ("stop-values",)
        elif laid is None and record.first_phase > ruleset.phase(state).number:
            numbers = [phase.number for phase in self.components.phases]
            phase = ruleset.phase_name(numbers.index(record.first_phase))
            notes.append(_("It can be built on from phase {phase}.", phase=phase))
            rules = ("hex-later",)
        else:
            rows += self._next_rows(state, hex)
        if cost:
            rules = (*rules, "terrain-cost")
        piece = f"tile:{laid.tile}" if laid is not None else ""
        return Card(self.place(hex), tuple(rows), tuple(notes), rules, piece)

    def ground_cost(self, state: StateT, hex: str) -> str:
        """Cost of the next tile on a hex, in tile order if tiles differ."""
        company = getattr(state.agenda[-1], "company", "") if state.agenda else ""
        builder = self.ruleset.builder
        tiles = [fit.tile for fit in builder.fits(state, hex)] or [""]
        costs = dict.fromkeys(builder.cost(state, company, hex, tile) for tile in tiles)
        return " / ".join(self.money(cost) for cost in costs) if any(costs) else ""

    def stop_rows(self, state: StateT, hex: str, face: Face) -> list[Row]:
        """Stops of a hex with values and tokens."""
        rows = []
        for number, stop in enumerate(face.stops):
            if stop.kind == "junction":
                continue
            owners = [
                self.company(owner)
                for owner, place, at in state.layout.stations
                if (place, at) == (hex, number)
            ]
            notes = []
            if stop.slots:
                taken = ", ".join(owners) or NONE
                notes.append(
                    self.ngettext(
                        "{n} place for tokens: {taken}",
                        "{n} places for tokens: {taken}",
                        stop.slots,
                        taken=taken,
                    )
                )
            rows.append(
                Row(self.stop_kind(stop), self.stop_value(state, stop), "", "; ".join(notes))
            )
        return rows

    def stop_kind(self, stop: Stop) -> str:
        """Name of a kind of stop."""
        if stop.values:
            return self._("Off-board")
        return self._("City") if stop.kind == "city" else self._("Town")

    def stop_value(self, state: StateT, stop: Stop) -> str:
        """Value of a stop; an off-board location by phase, the current value first."""
        if not stop.values:
            return self.money(stop.value)
        phase = self.ruleset.position(state).phase
        now = stop.values[min(phase, len(stop.values) - 1)]
        values = list(dict.fromkeys(stop.values))
        if len(values) < 2:
            return self.money(now)
        return self._(
            "{now} now ({values})", now=self.money(now), values=" / ".join(map(str, values))
        )

    def _next_rows(self, state: StateT, hex: str) -> list[Row]:
        """Tiles that a hex may become now, and in later phases."""
        board, ruleset = self.components.board, self.ruleset
        left = supply(board, state.layout.tiles)
        unlimited = state.house.unlimited_tiles
        fitting = list(dict.fromkeys(fit.tile for fit in ruleset.builder.fits(state, hex)))
        now = ", ".join(
            tile if unlimited else f"{tile}\N{NO-BREAK SPACE}×{left[tile]}" for tile in fitting
        )
        unlisted = not state.house.printed_upgrades
        later = [
            tile.id
            for tile in successors(board, state.layout.tiles, hex, unlisted=unlisted)
            if tile.colour not in ruleset.phase(state).tiles
        ]
        rows = [Row(self._("May become"), now or NONE)]
        if later:
            rows.append(Row(self._("In a later phase"), ", ".join(dict.fromkeys(later))))
        return rows

    def tile_card(self, state: StateT, name: str) -> Card:
        """Card of a tile of the supply."""
        board = self.components.board
        tile = board.tiles[name]
        left = supply(board, state.layout.tiles)[name]
        rows = [
            Row(
                self._("Colour"),
                self._("{colours} tiles", colours=self._(COLOUR_NAMES[tile.colour])),
            ),
            Row(
                self._("Left"),
                self._("any number")
                if state.house.unlimited_tiles
                else self._("{left} of {count}", left=left, count=tile.count),
            ),
        ]
        for stop in tile.faces[0].stops:
            if stop.kind != "junction":
                note = ""
                if stop.slots:
                    note = self.ngettext(
                        "{n} place for tokens", "{n} places for tokens", stop.slots
                    )
                rows.append(Row(self.stop_kind(stop), self.money(stop.value), "", note))
        record = tile.record
        later = [
            *record.upgrades,
            *([] if state.house.printed_upgrades else record.unlisted_upgrades),
        ]
        rows.append(Row(self._("May become"), ", ".join(later) or NONE))
        title = self._("Tile {tile}", tile=name)
        return Card(title, tuple(rows), (), ("tile-supply", "upgrade-table"), f"tile:{name}")

    # ---- companies and papers

    def company_card(self, state: StateT, company: str) -> Card:
        """Card of a share company: price, director, property, shareholders."""
        _, ruleset = self._, self.ruleset
        found = state.companies[company]
        price, par = ruleset.market.price(state, company), ruleset.market.par(state, company)
        director = ruleset.control.director(state, company)
        rows = [
            Row(
                _("Price"),
                self.money(price or par) if price or par else NONE,
                "",
                "" if price else _("at the start"),
            ),
            Row(_("Director"), NONE if director is None else self.words.name(director)),
        ]
        if found.operating:
            trains = ruleset.trains(state, company)
            revenue = self.money(found.revenue) if found.revenue else NONE
            rows += [
                Row(
                    _("Treasury"),
                    self.money(ruleset.money(state, company)),
                    "",
                    ", ".join(self.debts(state, company)),
                ),
                Row(
                    _("Trains"),
                    ", ".join(trains) or NONE,
                    "",
                    _("limit {number}", number=ruleset.depot.train_limit(state, company)),
                ),
                Row(_("Tokens left"), str(ruleset.tokens(state, company))),
                Row(_("Last revenue"), revenue),
            ]
        privates = [p for p in self.components.privates if ruleset.holder(state, p) == company]
        if privates:
            rows.append(Row(_("Privates"), ", ".join(map(self.paper, privates))))
        rows += self._shares(state, company)
        notes = () if found.operating else (_("It is not operating yet."),)
        rules = ("director", "dividend", "sale") if found.operating else ("float", "new-share")
        return Card(self.full_company(company), tuple(rows), notes, rules)

    def _shares(self, state: StateT, company: str) -> list[Row]:
        ruleset = self.ruleset
        places = [
            (self._("New shares"), ruleset.percent(state, STACK, company)),
            (self._("In the start packet"), ruleset.percent(state, PACKET, company)),
            (self._("For exchange"), ruleset.percent(state, EXCHANGE_SHARES, company)),
            (self._("Pool"), ruleset.percent(state, POOL, company)),
        ]
        places += [
            (self.words.name(seat), ruleset.percent(state, PLAYERS[seat], company))
            for seat in range(state.seats)
        ]
        return [Row(label, self.percent(percent)) for label, percent in places if percent]

    def minor_card(self, state: StateT, minor: str) -> Card:
        """Card of a minor."""
        _, ruleset = self._, self.ruleset
        record, found = self.components.minors[minor], state.companies[minor]
        owner = ruleset.owner(state, minor)
        rows = [
            Row(_("Cost"), self.money(record.price)),
            Row(_("Owner"), NONE if owner is None else self.words.name(owner)),
            Row(_("Treasury"), self.money(ruleset.money(state, minor))),
            Row(_("Trains"), ", ".join(ruleset.trains(state, minor)) or NONE),
        ]
        if found.revenue:
            rows.append(Row(_("Last revenue"), self.money(found.revenue)))
        rows += self.exchange_rows(minor)
        notes = (_("It is closed."),) if found.closed else ()
        return Card(self.full_company(minor), tuple(rows), notes, ("minor-revenue", "minors-first"))

    def exchange_rows(self, paper: str) -> list[Row]:
        """The share a paper is exchanged for."""
        record = self.components.minors.get(paper)
        exchange = getattr(record, "exchange", None)
        if exchange is None:
            return []
        share = f"{exchange.company} {self.percent(exchange.percent)}"
        return [Row(self._("Exchanged for"), share)]

    def is_paper(self, name: str) -> bool:
        """Whether a name is a paper other than a minor."""
        return name in self.components.privates

    def paper_card(self, state: StateT, paper: str) -> Card:
        """Card of a private, or of another paper sold on its own."""
        _, ruleset = self._, self.ruleset
        rows = [Row(_("Cost"), self.money(self.paper_price(state, paper)))]
        rules: list[str] = []
        notes = []
        if paper in self.components.privates:
            holder = ruleset.holder(state, paper)
            owner = NONE if holder in (PACKET, BOX) else self.receiver(holder)
            rows += [
                Row(_("Income"), self.money(ruleset.market.income(state, paper))),
                Row(_("Owner"), owner),
            ]
            if holder == BOX:
                notes.append(_("It is closed."))
            builder = ruleset.builder
            if paper in builder.tile_right_rules:
                notes.append(_("Its owner's companies may use its right to lay tiles."))
            if paper in builder.station_right_rules:
                notes.append(_("Its owner's companies may use its right to place a token."))
            rights = (builder.tile_right_rules, builder.station_right_rules)
            rules = ["private-income", *(each[paper] for each in rights if paper in each)]
        return Card(self.full_paper(paper), tuple(rows), tuple(notes), tuple(rules))

    # ---- trains

    def train_card(self, state: StateT, train: str) -> Card:
        """Card of a train type: price, number left, when it rusts, effects of the first one."""
        _, ruleset = self._, self.ruleset
        record = self.components.train_records[train]
        gone = record.scrapped_by is not None and self.reached(state, record.scrapped_by)
        rusts = self.train(record.scrapped_by) if record.scrapped_by else _("never")
        rows = [
            Row(_("Cost"), self.money(ruleset.depot.price(train))),
            Row(_("Left"), self.supply_cell(state, train).text),
            Row(_("Rusts with"), _("rusted") if gone else rusts),
        ]
        owners = [
            self.company(company)
            for company in state.companies
            for owned in ruleset.trains(state, company)
            if owned == train
        ]
        if owners:
            rows.append(Row(_("Owned by"), ", ".join(owners)))
        pool = ruleset.trains(state, POOL).count(train)
        if pool:
            rows.append(Row(_("In the pool"), str(pool)))
        number = self.components.phase_row.get(train)
        notes = []
        if number is not None and number > state.phase:
            scrapped = [
                _("every {train} rusts", train=self.train(name)) for name in self.scrapped_by(train)
            ]
            notes = [
                _(
                    "With the first: {effects}.",
                    effects=", ".join([*scrapped, *self.phase_notes(number)]),
                )
            ]
        return Card(
            self.train(train), tuple(rows), tuple(notes), ("buy-train", "rusting", "train-limit")
        )
