"""The log lines of an 18xx game."""

from __future__ import annotations

from functools import singledispatchmethod

from kursbuch.core.corrections import Corrected
from kursbuch.core.events import Event
from kursbuch.core.words import N_
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.components import BANK, POOL, STACK
from kursbuch.games.g18xx.text.names import NONE, Names, RulesetT

#: Why a price marker has moved.
REASONS = {
    "dividend": N_("dividend"),
    "saved": N_("revenue withheld"),
    "sold": N_("shares sold"),
    "sold-out": N_("all shares in players' hands"),
}


class Log(Names[RulesetT]):
    """What is said about what has happened: a method for each event."""

    @singledispatchmethod
    def describe(self, event: Event) -> str:
        """The log line of an event."""
        raise TypeError(f"not an event of this game: {event!r}")

    @describe.register
    def _corrected(self, event: Corrected) -> str:
        return self.corrected(event)

    @describe.register
    def _stock_round_began(self, event: happened.StockRoundBegan) -> str:
        return self._(
            "Stock round {number} begins; {name} has the priority deal.",
            number=event.number,
            name=self.words.name(event.seat),
        )

    @describe.register
    def _stock_round_ended(self, event: happened.StockRoundEnded) -> str:
        return self._(
            "Stock round {number} is over; {name} gets the priority deal.",
            number=event.number,
            name=self.words.name(event.seat),
        )

    @describe.register
    def _operating_round_began(self, event: happened.OperatingRoundBegan) -> str:
        return self._(
            "Operating round {number}.{part} begins ({part} of {parts}).",
            number=event.number,
            part=event.part,
            parts=event.parts,
        )

    @describe.register
    def _phase_began(self, event: happened.PhaseBegan) -> str:
        return self._first_train(event.train)

    @describe.register
    def _passed(self, event: happened.Passed) -> str:
        if not event.able:
            return self._("{name} can do nothing and passes.", name=self.words.name(event.seat))
        return self._("{name} passes.", name=self.words.name(event.seat))

    @describe.register
    def _bank_broken(self, event: happened.BankBroken) -> str:
        if event.last:
            number, part = event.last
            if not part:
                return self._("The bank has no money left; the game ends after this stock round.")
            return self._(
                "The bank has no money left; the game ends after operating round {number}.{part}.",
                number=number,
                part=part,
            )
        if event.in_stock_round:
            return self._(
                "The bank has no money left; the game ends after this stock round and one more "
                "operating round."
            )
        return self._("The bank has no money left; the game ends after this operating round.")

    @describe.register
    def _noted(self, event: happened.Noted) -> str:
        dues = [f"{self.receiver(holder)} {self.money(due)}" for holder, due in event.notes]
        return self._(
            "The bank has not enough money; noted for the final scoring: {list}.",
            list=", ".join(dues),
        )

    @describe.register
    def _ended(self, event: happened.Ended) -> str:
        return self._("The game is over: {list}.", list=", ".join(self._sums(event)))

    @describe.register
    def _paper_bought(self, event: happened.PaperBought) -> str:
        params = {
            "name": self.words.name(event.seat),
            "paper": self.full_paper(event.paper),
            "price": self.money(event.price),
        }
        if event.free:
            free = f"{event.company} {self.certificate(event.free)}"
            return self._(
                "{name} buys {paper} for {price} and gets {share} with it.",
                **params,
                share=free,
            )
        return self._("{name} buys {paper} for {price}.", **params)

    @describe.register
    def _share_bought(self, event: happened.ShareBought) -> str:
        params = {
            "name": self.words.name(event.seat),
            "share": self.certificate(event.certificate),
            "company": event.company,
            "price": self.money(event.price),
        }
        if event.source == POOL:
            return self._("{name} buys {share} of {company} from the pool for {price}.", **params)
        if event.receiver not in (BANK, ""):
            return self._(
                "{name} buys {share} of {company} for {price}; the money goes to {receiver}.",
                **params,
                receiver=self.receiver(event.receiver),
            )
        return self._("{name} buys {share} of {company} for {price}.", **params)

    @describe.register
    def _nationalised(self, event: happened.Nationalised) -> str:
        return self._(
            "{name} takes {share} of {company} from {other} for {price}.",
            name=self.words.name(event.seat),
            share=self.certificate(event.certificate),
            company=event.company,
            other=self.words.name(event.player),
            price=self.money(event.price),
        )

    @describe.register
    def _shares_sold(self, event: happened.SharesSold) -> str:
        return self._(
            "{name} sells {shares} of {company} for {price}.",
            name=self.words.name(event.seat),
            shares=self.certificates(event.certificates),
            company=event.company,
            price=self.money(event.proceeds),
        )

    @describe.register
    def _price_moved(self, event: happened.PriceMoved) -> str:
        return self._(
            "The price of {company} goes from {before} to {price} ({why}).",
            company=event.company,
            before=self.ruleset.chart.price[event.before],
            price=event.price,
            why=self._(REASONS[event.why]) if event.why in REASONS else event.why,
        )

    @describe.register
    def _director_changed(self, event: happened.DirectorChanged) -> str:
        params = {"name": self.words.name(event.new), "company": event.company}
        if not event.certificates:
            return self._("{name} becomes director of {company}.", **params)
        receiver = (
            self.words.name(event.receiver) if event.receiver is not None else self._("the pool")
        )
        return self._(
            "{name} becomes director of {company}; in exchange {shares} go to {receiver}.",
            **params,
            shares=self.certificates(event.certificates),
            receiver=receiver,
        )

    @describe.register
    def _manager_found(self, event: happened.ManagerFound) -> str:
        return self._(
            "{name} acts for {company} until it has a director.",
            name=self.words.name(event.seat),
            company=event.company,
        )

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
    def _floated(self, event: happened.Floated) -> str:
        if event.cell:
            return self._(
                "{company} goes into operation at {price} with {money}.",
                company=self.full_company(event.company),
                price=self.ruleset.chart.price[event.cell],
                money=self.money(event.treasury),
            )
        return self._(
            "{company} goes into operation with {money}.",
            company=self.full_company(event.company),
            money=self.money(event.treasury),
        )

    @describe.register
    def _papers_closed(self, event: happened.PapersClosed) -> str:
        return self.words.ngettext(
            "{list} closes.", "{list} close.", len(event.papers), list=self.papers(event.papers)
        )

    @describe.register
    def _exchanged(self, event: happened.Exchanged) -> str:
        params = {
            "paper": self.paper(event.paper),
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
    def _nothing_exchanged(self, event: happened.NothingExchanged) -> str:
        return self._("{name} exchanges nothing.", name=self.words.name(event.seat))

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
    def _turn_began(self, event: happened.TurnBegan) -> str:
        if event.seat is None:
            return self._("{company} is next.", company=self.company(event.company))
        return self._(
            "{company} is next; {name} acts for it.",
            company=self.company(event.company),
            name=self.words.name(event.seat),
        )

    @describe.register
    def _passed_over(self, event: happened.PassedOver) -> str:
        return self._(
            "{company} does not act in this operating round.",
            company=self.company(event.company),
        )

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
    def _run_event(self, event: happened.RunEvent) -> str:
        if not event.runs:
            return self._("{company} earns nothing.", company=self.company(event.company))
        params = {
            "company": self.company(event.company),
            "revenue": self.money(event.revenue),
            "runs": "; ".join(self.run(*run) for run in event.runs),
        }
        if event.mail:
            mail = self.money(event.mail)
            return self._(
                "{company} earns {revenue}: {runs}. The mail brings it {mail}.", **params, mail=mail
            )
        return self._("{company} earns {revenue}: {runs}.", **params)

    @describe.register
    def _revenue_entered(self, event: happened.RevenueEntered) -> str:
        return self._(
            "The revenue of {company} is entered as {revenue}; its best runs earn {best}.",
            company=self.company(event.company),
            revenue=self.money(event.revenue),
            best=self.money(event.best),
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
    def _saved(self, event: happened.Withheld) -> str:
        if event.bank:
            return self._(
                "{company} withholds {revenue}; {bank} of it pay off its debt.",
                company=self.company(event.company),
                revenue=self.money(event.revenue),
                bank=self.money(event.bank),
            )
        if not event.revenue:
            return self._("{company} pays no dividend.", company=self.company(event.company))
        return self._(
            "{company} withholds {revenue}.",
            company=self.company(event.company),
            revenue=self.money(event.revenue),
        )

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
    def _offer_made(self, event: happened.OfferMade) -> str:
        return self._(
            "{company} offers {owner} {price} for a {train}; {name} decides.",
            company=self.company(event.company),
            owner=self.company(event.owner),
            price=self.money(event.price),
            train=self.train(event.train),
            name=self.words.name(event.seat),
        )

    @describe.register
    def _price_asked(self, event: happened.PriceAsked) -> str:
        return self._(
            "{owner} asks {company} for {price} for the {train}; {name} decides.",
            company=self.company(event.company),
            owner=self.company(event.owner),
            price=self.money(event.price),
            train=self.train(event.train),
            name=self.words.name(event.seat),
        )

    @describe.register
    def _offer_refused(self, event: happened.OfferRefused) -> str:
        if event.counter:
            return self._(
                "{name} does not pay {owner} {price} for the {train}.",
                name=self.words.name(event.seat),
                owner=self.company(event.owner),
                price=self.money(event.price),
                train=self.train(event.train),
            )
        return self._(
            "{name} refuses {price} of {company} for the {train}.",
            name=self.words.name(event.seat),
            company=self.company(event.company),
            price=self.money(event.price),
            train=self.train(event.train),
        )

    @describe.register
    def _trains_scrapped(self, event: happened.TrainsRusted) -> str:
        parts = []
        for owner in dict.fromkeys(owner for owner, _t, _n in event.trains):
            mine = {train: count for who, train, count in event.trains if who == owner}
            gone = self.words.join(self.each_train(mine))
            parts.append(f"{self.holder(owner)}: {gone}")
        return self._("Trains rust: {list}.", list="; ".join(parts))

    @describe.register
    def _trains_discarded(self, event: happened.TrainsDiscarded) -> str:
        return self._(
            "{company} gives trains above its limit to the pool: {list}.",
            company=self.company(event.company),
            list=self.trains(event.trains),
        )

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
        """Who had trains: a company, the pool, or nobody yet."""
        if holder == STACK:
            return self._("unsold")
        return self._("Pool") if holder == POOL else self.receiver(holder)
