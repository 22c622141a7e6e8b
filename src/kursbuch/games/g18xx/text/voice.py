"""The log lines and statistics of an 18xx game, and all its sentences together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import singledispatchmethod

from kursbuch.core.corrections import Corrected
from kursbuch.core.events import Event, Payment
from kursbuch.core.voice import Account, Ending, Entry, Row, Sheet, Stretch, sheet_of
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.components import BANK, PLAYERS, POOL, STACK
from kursbuch.games.g18xx.text.cards import Cards
from kursbuch.games.g18xx.text.holdings import Summaries
from kursbuch.games.g18xx.text.names import NONE, AnyState, Names, RulesetT
from kursbuch.games.g18xx.text.prompts import Prompts, Waiting


class Log(Names[RulesetT]):
    """What is said about what has happened: a method for each event."""

    @singledispatchmethod
    def describe(self, event: Event) -> str:
        """The log line of an event."""
        return super().describe(event)

    @describe.register
    def _phase_began(self, event: happened.PhaseBegan) -> str:
        return self._first_train(event.train)

    @describe.register
    def _ended(self, event: happened.Ended) -> str:
        return self._("The game is over: {list}.", list=", ".join(self._sums(event)))

    @describe.register
    def _bankrupt(self, event: happened.Bankrupt) -> str:
        if not event.certificates:
            return self._(
                "{name} is bankrupt and out of the game.", name=self.words.name(event.seat)
            )
        lost: dict[str, list[str]] = {}
        for company, name in event.certificates:
            lost.setdefault(company, []).append(name)
        parts = [f"{company} {self.certificates(names)}" for company, names in lost.items()]
        return self._(
            "{name} is bankrupt and out of the game; into the pool go {list}.",
            name=self.words.name(event.seat),
            list="; ".join(parts),
        )

    @describe.register
    def _exchanged(self, event: happened.Exchanged) -> str:
        params = {
            "paper": self.long_name(event.paper),
            "share": self.certificate(event.certificate),
            "company": event.company,
        }
        if event.seat is None:
            line = self._(
                "{paper} is exchanged for {share} of {company}, which goes to the pool.", **params
            )
        else:
            line = self._(
                "{name} exchanges {paper} for {share} of {company}.",
                name=self.words.name(event.seat),
                **params,
            )
        taken = {
            "line": line,
            "company": event.company,
            "money": self.money(event.money),
            "list": self.trains(event.trains),
        }
        if event.money and event.trains:
            line = self._("{line} {company} takes over {money} and these trains: {list}.", **taken)
        elif event.trains:
            line = self._("{line} {company} takes over these trains: {list}.", **taken)
        elif event.money:
            line = self._("{line} {company} takes over {money}.", **taken)
        if event.unpaid:
            line = self._("{line} The share brings no dividend in this operating round.", line=line)
        if event.idle:
            line = self._(
                "{line} Not to run again in this operating round: {list}.",
                line=line,
                list=self.trains(event.idle),
            )
        return line

    @describe.register
    def _privates_paid(self, event: happened.PrivatesPaid) -> str:
        parts = [
            self._(
                "{name} {amount} ({list})",
                name=self.words.name(owner) if isinstance(owner, int) else self.company(owner),
                amount=self.money(sum(sum_ for _p, who, sum_ in event.incomes if who == owner)),
                list=", ".join(
                    self.paper(paper) for paper, who, _n in event.incomes if who == owner
                ),
            )
            for owner in dict.fromkeys(owner for _p, owner, _n in event.incomes)
        ]
        return self._("The privates pay: {list}.", list="; ".join(parts))

    @describe.register
    def _tile_laid(self, event: happened.TileLaid) -> str:
        params = {
            "company": self.company(event.company),
            "tile": event.tile,
            "place": self.place(event.hex),
        }
        if event.old:
            line = self._(
                "{company} replaces tile {old} on {place} by {tile}.", old=event.old, **params
            )
        else:
            line = self._("{company} lays tile {tile} on {place}.", **params)
        return self._with_cost(line, event.cost, event.private)

    @describe.register
    def _station_placed(self, event: happened.StationPlaced) -> str:
        line = self._(
            "{company} places a station token in {place}.",
            company=self.company(event.company),
            place=self.place(event.hex),
        )
        return self._with_cost(line, event.cost, event.private)

    @describe.register
    def _stations_taken_over(self, event: happened.StationsTakenOver) -> str:
        places = [self.place(station.hex) for station in event.replaced]
        gone = [self.place(station.hex) for station in event.removed]
        if not places:
            return self._(
                "The station of {old} is removed: {list}.",
                old=self.company(event.old),
                list=self.words.join(gone) or NONE,
            )
        return self._(
            "{company} takes over the station of {old}: {list}.",
            old=self.company(event.old),
            company=self.company(event.company),
            list=self.words.join(places),
        )

    @describe.register
    def _dividend(self, event: happened.DividendPaid) -> str:
        parts = [
            f"{self.words.name(seat)} {self.money(amount)}"
            for seat, amount in enumerate(event.amounts)
            if amount
        ]
        if event.treasury:
            parts.append(self._("treasury {amount}", amount=self.money(event.treasury)))
        params = {"company": self.company(event.company), "revenue": self.money(event.revenue)}
        if not parts:
            return self._("{company} pays out {revenue}.", **params)
        if self.ruleset.is_minor(event.company):
            return self._("{company} splits {revenue}: {list}.", **params, list=", ".join(parts))
        return self._("{company} pays out {revenue}: {list}.", **params, list=", ".join(parts))

    @describe.register
    def _train_bought(self, event: happened.TrainBought) -> str:
        params = {
            "company": self.company(event.company),
            "train": self.train(event.train),
            "price": self.money(event.price),
        }
        if event.source in (BANK, STACK):
            line = self._("{company} buys a {train} for {price}.", **params)
        elif event.source == POOL:
            line = self._("{company} buys a {train} from the pool for {price}.", **params)
        else:
            line = self._(
                "{company} buys a {train} from {owner} for {price}.",
                owner=self.company(event.source),
                **params,
            )
        if event.added:
            line = self._(
                "{line} The director adds {amount}.", line=line, amount=self.money(event.added)
            )
        if event.lent:
            line = self._(
                "{line} The bank lends {amount}.", line=line, amount=self.money(event.lent)
            )
        return line

    @describe.register
    def _trains_scrapped(self, event: happened.TrainsRusted) -> str:
        parts = []
        for owner in dict.fromkeys(owner for owner, _t, _n in event.trains):
            mine = {train: count for who, train, count in event.trains if who == owner}
            gone = self.words.join(self.each_train(mine))
            parts.append(f"{self.holder(owner)}: {gone}")
        return self._("Trains rust: {list}.", list="; ".join(parts))

    # ---- parts of lines

    def _sums(self, event: happened.Ended) -> list[str]:
        """What every player has at the end and what it is made of, the richest first."""
        noted = event.noted or (0,) * len(event.cash)
        parts = zip(event.cash, noted, event.shares, strict=True)
        found = []
        for seat, (cash, due, shares) in sorted(enumerate(parts), key=lambda one: -sum(one[1])):
            params = {
                "name": self.words.name(seat),
                "sum": self.money(cash + due + shares),
                "cash": self.money(cash),
                "noted": self.money(due),
                "shares": self.money(shares),
            }
            if due:
                text = self._("{name} {sum} ({cash} + noted {noted} + shares {shares})", **params)
            else:
                text = self._("{name} {sum} ({cash} + shares {shares})", **params)
            found.append(text)
        return found

    def _first_train(self, train: str) -> str:
        """What the first train of a type brings; only some begin one of the phases of the book."""
        number = self.components.phase_row[train]
        params = {"train": self.train(train), "list": ", ".join(self.phase_notes(number))}
        if self.begins_phase(number):
            phase = self.ruleset.phase_name(number)
            return self._(
                "Phase {phase} begins with the first {train}: {list}.", phase=phase, **params
            )
        if not params["list"]:
            return self._("The first {train} has been bought.", **params)
        return self._("The first {train} has been bought: {list}.", **params)

    def _with_cost(self, line: str, cost: int, private: str) -> str:
        if private:
            return self._(
                "{line} The right of {private} is used.", line=line, private=self.paper(private)
            )
        if cost:
            return self._("{line} Cost: {cost}.", line=line, cost=self.money(cost))
        return line

    def holder(self, holder: str) -> str:
        """The holder of trains: a company, the pool, or none yet."""
        if holder == STACK:
            return self._("unsold")
        return self._("Pool") if holder == POOL else self.receiver(holder)


#: The end is near once the bank has less than this part of all its money.
NEAR_END = 5


class Statistics(Names[RulesetT]):
    """What is said in numbers."""

    def source(self, event: Payment) -> str:
        """What a payment to or by players is for."""
        match event:
            case Corrected():
                return self._("Corrections")
            case happened.PaperBought():
                return self._("Start packet")
            case happened.ShareBought() | happened.Nationalised():
                return self._("Shares bought")
            case happened.SharesSold():
                return self._("Shares sold")
            case happened.PrivatesPaid():
                return self._("Income of private railways")
            case happened.DividendPaid():
                return self._("Dividends")
            case happened.TrainBought():
                return self._("Help with trains")
        return super().source(event)

    def accounts(self, state: AnyState, paid: Sequence[Payment]) -> list[Account]:
        """Cash, noted credits, and the shares of every company at market price [final-worth]. Half an
        amount that is left of a company goes to the next, as all shares together are rounded."""
        ruleset, seats = self.ruleset, range(state.seats)
        playing = [seat not in state.out for seat in seats]
        cash = tuple(ruleset.cash(state, seat) * playing[seat] for seat in seats)
        noted = tuple(ruleset.noted(state, PLAYERS[seat]) * playing[seat] for seat in seats)
        found = [Account(self._("Cash"), cash)]
        if any(noted):
            found.append(Account(self._("Noted"), noted))
        tenths = [0] * state.seats
        for company in ruleset.public:
            price = ruleset.market.final_price(state, company)
            amounts, notes = [], []
            for seat, held in enumerate(ruleset.market.final_percents(state, company)):
                percent = held * playing[seat]
                tenths[seat] = tenths[seat] % 10 + percent * price
                amounts.append(tenths[seat] // 10)
                notes.append(self.percent(percent) if percent else "")
            if price and any(notes):
                found.append(
                    Account(
                        self._("{company} at {price}", company=company, price=self.money(price)),
                        tuple(amounts),
                        tuple(notes),
                    )
                )
        at_cost = tuple(
            amount * playing[seat] * bool(state.agenda)
            for seat, amount in enumerate(ruleset.market.unsettled(state))
        )
        if any(at_cost):
            found.append(Account(self._("Without a market price, at cost"), at_cost))
        return found

    def worth_note(self) -> str:
        return self._(
            "Cash and shares at market price; until the end, what has no market price counts at cost."
        )

    def stretch(self, events: Sequence[Event]) -> str:
        """A round by its name."""
        match events[0] if events else None:
            case happened.StockRoundBegan(number=number):
                return self.stock_round(number)
            case happened.OperatingRoundBegan(number=number, part=part):
                return self._("operating round {number}.{part}", number=number, part=part)
        return self._("before the first round")

    def levels_title(self) -> str:
        return self._("Share prices")

    # ---- by company

    def figures(self, stretches: Sequence[Stretch]) -> list[Sheet]:
        """Revenue and what was done with it, the trains bought, and the money of players by source."""
        rounds = [
            stretch
            for stretch in stretches
            if any(isinstance(event, happened.OperatingRoundBegan) for event in stretch.events)
        ]
        companies = {
            name: self.company(name) for name in (*self.components.minors, *self.ruleset.public)
        }
        return [
            sheet_of(
                "revenue",
                self._("Revenue of the companies"),
                rounds,
                companies,
                [self._revenue(stretch.events) for stretch in rounds],
                self._("↑ paid out, ↓ withheld, ½ shared by a minor and its owner."),
                curves=True,
            ),
            sheet_of(
                "trains",
                self._("Trains bought"),
                rounds,
                companies,
                [self._bought(stretch.events) for stretch in rounds],
                self._("In brackets what was paid for them."),
            ),
        ]

    def _revenue(self, events: Sequence[Event]) -> dict[str, Entry]:
        found = {}
        for event in events:
            match event:
                case happened.DividendPaid(company=company, revenue=revenue):
                    minor = self.ruleset.is_minor(company)
                    found[company] = Entry(revenue, note="½" if minor else "↑")
                case happened.Withheld(company=company, revenue=revenue):
                    found[company] = Entry(revenue, note="↓")
        return found

    def _bought(self, events: Sequence[Event]) -> dict[str, Entry]:
        trains: dict[str, Counter[str]] = {}
        prices: Counter[str] = Counter()
        for event in events:
            if isinstance(event, happened.TrainBought):
                trains.setdefault(event.company, Counter())[event.train] += 1
                prices[event.company] += event.price
        return {
            company: Entry(
                text=", ".join(
                    name if count == 1 else f"{count} × {name}" for name, count in counts.items()
                ),
                note=f"({self.words.number(prices[company])})",
            )
            for company, counts in trains.items()
        }

    # ---- the greatest

    def highlights(self, events: Sequence[Event]) -> list[Row]:
        """The best revenue and run, who earned and received most, who laid most tiles."""
        revenues, dividends, tiles = Counter[str](), Counter[str](), Counter[str]()
        best: tuple[int, str] = (0, "")
        run: tuple[int, str, str] = (0, "", "")
        when = ""
        for event in events:
            match event:
                case happened.OperatingRoundBegan():
                    when = self.stretch([event])
                case happened.RunEvent(company=company, runs=runs):
                    for train, value, calls in runs:
                        if value > run[0]:
                            run = value, self.company(company), self.run(train, value, calls)
                case happened.DividendPaid() | happened.Withheld():
                    revenues[event.company] += event.revenue
                    if event.revenue > best[0]:
                        best = event.revenue, f"{self.company(event.company)}, {when}"
                    if isinstance(event, happened.DividendPaid):
                        dividends.update(
                            {self.name(seat): paid for seat, paid in enumerate(event.amounts)}
                        )
                case happened.TileLaid(company=company):
                    tiles[self.company(company)] += 1
        rows = []
        if best[0]:
            rows.append(Row(self._("Highest revenue"), self.money(best[0]), "", best[1]))
        if run[0]:
            rows.append(Row(self._("Best run"), self.money(run[0]), "", f"{run[1]}: {run[2]}"))
        if revenues:
            company, total = revenues.most_common(1)[0]
            rows.append(Row(self._("Earned most"), self.money(total), "", self.company(company)))
        if dividends:
            name, total = dividends.most_common(1)[0]
            rows.append(Row(self._("Most dividends received"), self.money(total), "", name))
        if tiles:
            company, count = tiles.most_common(1)[0]
            rows.append(Row(self._("Most tiles laid"), self.words.number(count), "", company))
        return rows

    # ---- the end

    def ending(self, state: AnyState, events: Sequence[Event]) -> Ending | None:
        for event in reversed(events):
            if isinstance(event, happened.Bankrupt) and len(state.out) == state.seats - 1:
                return Ending(
                    self._("The game is over because all other players are bankrupt."), event.rule
                )
            if isinstance(event, happened.BankBroken):
                return Ending(
                    self._("The game is over because the bank has run out of money."), event.rule
                )
        return None

    def near_end(self, state: AnyState) -> str:
        """What the bank still has, once it is not much."""
        if not state.agenda or state.broken:
            return ""
        left = self.ruleset.money(state, BANK)
        if left * NEAR_END > sum(state.ledger.items["money"].values()):
            return ""
        return self._("The end is near: the bank has {amount} left.", amount=self.money(left))


class Texts(
    Log[RulesetT],
    Prompts[RulesetT],
    Waiting[RulesetT],
    Cards[RulesetT],
    Summaries[RulesetT],
    Statistics[RulesetT],
):
    """All that is said about one game to one reader."""
