"""Log lines and statistics of an 18xx game, and the class that joins all sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kursbuch.core.corrections import Corrected
from kursbuch.core.events import Event, Payment
from kursbuch.core.tally import Key
from kursbuch.core.voice import Account, Ending, Entry, Row, Sheet, Stretch, sheet_of
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.components import BANK, PLAYERS, POOL, STACK
from kursbuch.games.g18xx.map.track import Station
from kursbuch.games.g18xx.state import StateT
from kursbuch.games.g18xx.text.cards import Cards
from kursbuch.games.g18xx.text.holdings import Summaries
from kursbuch.games.g18xx.text.names import NONE, Names, RulesetT
from kursbuch.games.g18xx.text.prompts import Prompts, Waiting


class Log(Names[StateT, RulesetT]):
    """Parts of log lines that take more than a name."""

    def first_train(self, train: str) -> str:
        """Effects of the first train of a type; only some begin a new phase."""
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

    def incomes(self, incomes: Sequence[tuple[str, int | str, int]]) -> str:
        """Income of privates by owner."""
        paid: dict[int | str, list[tuple[str, int]]] = {}
        for paper, owner, amount in incomes:
            paid.setdefault(owner, []).append((self.paper(paper), amount))
        return "; ".join(
            self._(
                "{name} {amount} ({list})",
                name=self.words.name(owner) if isinstance(owner, int) else self.company(owner),
                amount=self.money(sum(amount for _, amount in each)),
                list=", ".join(paper for paper, _ in each),
            )
            for owner, each in paid.items()
        )

    def stations(self, stations: Sequence[Station]) -> str:
        """Places of tokens."""
        return self.words.join([self.place(station.hex) for station in stations]) or NONE

    def shared(self, amounts: Sequence[int], treasury: int) -> str:
        """Parts of a revenue that players and treasury receive."""
        parts = [
            f"{self.words.name(seat)} {self.money(amount)}"
            for seat, amount in enumerate(amounts)
            if amount
        ]
        if treasury:
            parts.append(self._("treasury {amount}", amount=self.money(treasury)))
        return ", ".join(parts)

    def rusted(self, trains: Sequence[tuple[str, str, int]]) -> str:
        """Rusted trains by owner."""
        lost: dict[str, dict[str, int]] = {}
        for owner, train, count in trains:
            lost.setdefault(owner, {})[train] = count
        return "; ".join(
            f"{self.holder(owner)}: {self.words.join(self.each_train(counts))}"
            for owner, counts in lost.items()
        )

    def lost(self, certificates: Sequence[tuple[str, str]]) -> str:
        """Certificates by company."""
        found: dict[str, list[str]] = {}
        for company, name in certificates:
            found.setdefault(company, []).append(name)
        return "; ".join(
            f"{company} {self.certificates(names)}" for company, names in found.items()
        )

    def sums(self, cash: Sequence[int], noted: Sequence[int], shares: Sequence[int]) -> str:
        """Totals of all players with their parts, the richest first."""
        parts = zip(cash, noted or (0,) * len(cash), shares, strict=True)
        found = []
        for seat, sums in sorted(enumerate(parts), key=lambda one: -sum(one[1])):
            own, due, held = map(self.money, sums)
            params = {
                "name": self.words.name(seat),
                "sum": self.money(sum(sums)),
                "cash": own,
                "noted": due,
                "shares": held,
            }
            if sums[1]:
                text = self._("{name} {sum} ({cash} + noted {noted} + shares {shares})", **params)
            else:
                text = self._("{name} {sum} ({cash} + shares {shares})", **params)
            found.append(text)
        return ", ".join(found)

    def holder(self, holder: str) -> str:
        """Holder of trains: a company, the pool, or none yet."""
        if holder == STACK:
            return self._("unsold")
        return self._("Pool") if holder == POOL else self.receiver(holder)


#: The end is near once the bank has less than this fraction of all money.
NEAR_END = 5


class Statistics(Names[StateT, RulesetT]):
    """Statistics of 18xx titles."""

    def source(self, event: Payment) -> str:
        """Reason of a payment to or by players."""
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
                return self._("Contributions to trains")
        return super().source(event)

    def accounts(self, state: StateT, paid: Sequence[Payment]) -> list[Account]:
        """Cash, noted credits, and shares of every company at market price [final-worth]. A half
        left over goes to the next company, as the total is rounded."""
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
                        key=f"company:{company}",
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
            "Cash and shares at market price; until the end, anything without a "
            "market price counts at cost."
        )

    def tallied(self, key: Key) -> str:
        kind, *about = key
        known = {*self.components.minors, *self.ruleset.public}
        company = self.company(about[0]) if about and about[0] in known else ""
        match kind:
            case "dividends":
                return self._("dividends of {company}", company=company)
            case "shares":
                return self._("shares of {company}, worth less cost", company=company)
            case "added":
                return self._("own money for trains of {company}", company=company)
            case "privates":
                return self._("income of private railways")
            case "runs":
                return self._("runs of {company} that earn money", company=company)
            case "withheld":
                return self._("revenue withheld by {company}", company=company)
            case "train":
                train = self.train(about[1])
                return self._("purchases of a {train} by {company}", train=train, company=company)
            case "rusted":
                train, owner = self.train(about[1]), company or self._("Pool")
                return self._("{train} of {company} that rust", train=train, company=owner)
            case "stations":
                return self._("new station tokens of {company}", company=company)
            case "price":
                return self._("share price of {company} at the end", company=company)
            case "director":
                name = self.name(int(about[1]))
                return self._("{name} as director of {company}", name=name, company=company)
            case "bankrupt":
                return self._("bankruptcy of {name}", name=self.name(int(about[1])))
            case "operating-rounds":
                return self._("operating rounds still to come")
        return super().tallied(key)

    def stretch(self, events: Sequence[Event]) -> str:
        """Name of a round."""
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
        """Revenue and its use, trains bought, and players' money by source."""
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
        """Best revenue and run, highest earner and receiver, and most tiles laid."""
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

    def ending(self, state: StateT, events: Sequence[Event]) -> Ending | None:
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

    def near_end(self, state: StateT) -> str:
        """Money left in the bank, once it is little."""
        if not state.agenda or state.broken:
            return ""
        left = self.ruleset.money(state, BANK)
        if left * NEAR_END > sum(state.ledger.items["money"].values()):
            return ""
        return self._("The end is near: the bank has {amount} left.", amount=self.money(left))


class Texts(
    Log[StateT, RulesetT],
    Prompts[StateT, RulesetT],
    Waiting[StateT, RulesetT],
    Cards[StateT, RulesetT],
    Summaries[StateT, RulesetT],
    Statistics[StateT, RulesetT],
):
    """All sentences about a game for one reader."""
