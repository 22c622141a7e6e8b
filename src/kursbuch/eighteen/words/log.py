"""The log lines of an 18xx game."""

from __future__ import annotations

from collections import Counter

from kursbuch.core.events import Event
from kursbuch.core.words import N_
from kursbuch.eighteen import events as happened
from kursbuch.eighteen.pieces import (
    BANK,
    POOL,
    STACK,
)
from kursbuch.eighteen.words.names import NONE, BookT, Names

#: Why a price marker has moved.
REASONS = {
    "dividend": N_("dividend"),
    "saved": N_("revenue saved"),
    "sold": N_("shares sold"),
    "sold-out": N_("all shares in players' hands"),
}


class Log(Names[BookT]):
    """What is said about what has happened."""

    def describe(self, event: Event) -> str:
        """The log line of an event."""
        for part in (self._of_rounds, self._of_shares, self._of_companies, self._of_trains):
            line = part(event)
            if line:
                return line
        raise TypeError(f"not an event of this game: {event!r}")

    def _of_rounds(self, event: Event) -> str:
        _, words = self._, self.words
        match event:
            case happened.StockRoundBegan(number=number, seat=seat):
                return _(
                    "Stock round {number} begins; {name} has the priority marker.",
                    number=number,
                    name=words.name(seat),
                )
            case happened.StockRoundEnded(number=number, seat=seat):
                return _(
                    "Stock round {number} is over; {name} gets the priority marker.",
                    number=number,
                    name=words.name(seat),
                )
            case happened.OperatingRoundBegan(number=number, part=part, parts=parts):
                return _(
                    "Operating round {number}.{part} begins ({part} of {parts}).",
                    number=number,
                    part=part,
                    parts=parts,
                )
            case happened.PhaseBegan(train=train):
                return self._phase_began(train)
            case happened.Passed(seat=seat, able=able):
                if not able:
                    return _("{name} can do nothing and passes.", name=words.name(seat))
                return _("{name} passes.", name=words.name(seat))
            case happened.BankBroken(in_stock_round=True):
                return _(
                    "The bank has no money left; the game ends after this stock round and one more "
                    "operating round."
                )
            case happened.BankBroken():
                return _("The bank has no money left; the game ends after this operating round.")
            case happened.Noted(notes=notes):
                dues = [f"{self.receiver(holder)} {self.money(due)}" for holder, due in notes]
                return _(
                    "The bank has not enough money; noted for the final scoring: {list}.",
                    list=", ".join(dues),
                )
            case happened.Ended():
                return _("The game is over: {list}.", list=", ".join(self._sums(event)))
        return ""

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

    def _phase_began(self, train: str) -> str:
        """What the first train of a type brings; only some begin one of the phases of the book."""
        number = self.components.phase_of[train]
        params = {"train": self.train(train), "list": ", ".join(self.phase_notes(number))}
        if self.begins_phase(number):
            phase = self.components.phases[number].phase
            return self._(
                "Phase {phase} begins with the first {train}: {list}.", phase=phase, **params
            )
        if not params["list"]:
            return self._("The first {train} has been bought.", **params)
        return self._("The first {train} has been bought: {list}.", **params)

    def _of_shares(self, event: Event) -> str:
        _, words = self._, self.words
        match event:
            case happened.PaperBought(seat=seat, paper=paper, price=price, company=company):
                params = {
                    "name": words.name(seat),
                    "paper": self.full_paper(paper),
                    "price": self.money(price),
                }
                if event.free:
                    free = f"{company} {self.certificate(event.free)}"
                    return _(
                        "{name} buys {paper} for {price} and gets {share} with it.",
                        **params,
                        share=free,
                    )
                return _("{name} buys {paper} for {price}.", **params)
            case happened.ShareBought():
                return self._share_bought(event)
            case happened.Nationalised(seat=seat, company=company, certificate=name):
                return _(
                    "{name} takes {share} of {company} from {other} for {price}.",
                    name=words.name(seat),
                    share=self.certificate(name),
                    company=company,
                    other=words.name(event.player),
                    price=self.money(event.price),
                )
            case happened.SharesSold(seat=seat, company=company, certificates=names):
                return _(
                    "{name} sells {shares} of {company} for {price}.",
                    name=words.name(seat),
                    shares=self.certificates(names),
                    company=company,
                    price=self.money(event.proceeds),
                )
            case happened.PriceMoved(company=company, before=before, price=price, why=why):
                return _(
                    "The price of {company} goes from {before} to {price} ({why}).",
                    company=company,
                    before=self.book.chart.price[before],
                    price=price,
                    why=_(REASONS[why]) if why in REASONS else why,
                )
            case happened.DirectorChanged():
                return self._director_changed(event)
            case happened.ManagerFound(company=company, seat=seat):
                return _(
                    "{name} acts for {company} until it has a director.",
                    name=words.name(seat),
                    company=company,
                )
            case happened.Bankrupt(seat=seat, certificates=certificates):
                if not certificates:
                    return _("{name} is bankrupt and out of the game.", name=words.name(seat))
                lost: dict[str, list[str]] = {}
                for company, name in certificates:
                    lost.setdefault(company, []).append(name)
                parts = [f"{company} {self.certificates(names)}" for company, names in lost.items()]
                return _(
                    "{name} is bankrupt and out of the game; into the pool go {list}.",
                    name=words.name(seat),
                    list="; ".join(parts),
                )
        return ""

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

    def _director_changed(self, event: happened.DirectorChanged) -> str:
        params = {"name": self.words.name(event.new), "company": event.company}
        if not event.certificates:
            return self._("{name} becomes director of {company}.", **params)
        receiver = self.words.name(event.receiver) if event.receiver >= 0 else self._("the pool")
        return self._(
            "{name} becomes director of {company}; {shares} for it go to {receiver}.",
            **params,
            shares=self.certificates(event.certificates),
            receiver=receiver,
        )

    def _of_companies(self, event: Event) -> str:
        _, words = self._, self.words
        match event:
            case happened.Floated(company=company, treasury=treasury, cell=cell):
                if cell:
                    return _(
                        "{company} goes into operation at {price} with {money}.",
                        company=self.full_company(company),
                        price=self.book.chart.price[cell],
                        money=self.money(treasury),
                    )
                return _(
                    "{company} goes into operation with {money}.",
                    company=self.full_company(company),
                    money=self.money(treasury),
                )
            case happened.PapersClosed(papers=papers):
                return words.ngettext(
                    "{list} closes.", "{list} close.", len(papers), list=self.papers(papers)
                )
            case happened.Exchanged():
                return self._exchanged(event)
            case happened.NothingExchanged(seat=seat):
                return _("{name} exchanges nothing.", name=words.name(seat))
            case happened.PrivatesPaid(incomes=incomes):
                parts = [
                    _(
                        "{name} {amount} ({list})",
                        name=words.name(seat),
                        amount=self.money(sum(sum_ for _p, s, sum_ in incomes if s == seat)),
                        list=", ".join(self.paper(paper) for paper, s, _n in incomes if s == seat),
                    )
                    for seat in dict.fromkeys(seat for _p, seat, _n in incomes)
                ]
                return _("The private railways pay: {list}.", list="; ".join(parts))
            case happened.TurnBegan(company=company, seat=seat):
                if seat < 0:
                    return _("{company} is next.", company=self.company(company))
                return _(
                    "{company} is next; {name} acts for it.",
                    company=self.company(company),
                    name=words.name(seat),
                )
            case happened.PassedOver(company=company):
                return _(
                    "{company} does not act in this operating round.",
                    company=self.company(company),
                )
            case happened.TileLaid():
                return self._tile_laid(event)
            case happened.StationPlaced():
                return self._station_placed(event)
            case happened.StationsTakenOver(company=company, old=old):
                places = [self.place(station.hex) for station in event.replaced]
                gone = [self.place(station.hex) for station in event.removed]
                if not places:
                    return _(
                        "The station of {old} is removed: {list}.",
                        old=self.company(old),
                        list=words.join(gone) or NONE,
                    )
                return _(
                    "{company} takes over the station of {old}: {list}.",
                    old=self.company(old),
                    company=self.company(company),
                    list=words.join(places),
                )
            case happened.RunEvent(company=company, revenue=revenue, runs=runs):
                if not runs:
                    return _("{company} earns nothing.", company=self.company(company))
                return _(
                    "{company} earns {revenue}: {runs}.",
                    company=self.company(company),
                    revenue=self.money(revenue),
                    runs="; ".join(self.run(*run) for run in runs),
                )
            case happened.RevenueEntered(company=company, revenue=revenue, best=best):
                return _(
                    "The revenue of {company} is entered as {revenue}; its best runs earn {best}.",
                    company=self.company(company),
                    revenue=self.money(revenue),
                    best=self.money(best),
                )
            case happened.DividendPaid():
                return self._dividend(event)
            case happened.Saved(company=company, revenue=revenue, bank=bank):
                if bank:
                    return _(
                        "{company} saves {revenue}; {bank} of it pay off its debt.",
                        company=self.company(company),
                        revenue=self.money(revenue),
                        bank=self.money(bank),
                    )
                if not revenue:
                    return _("{company} pays no dividend.", company=self.company(company))
                return _(
                    "{company} saves {revenue}.",
                    company=self.company(company),
                    revenue=self.money(revenue),
                )
        return ""

    def _exchanged(self, event: happened.Exchanged) -> str:
        params = {
            "paper": self.paper(event.paper),
            "share": self.certificate(event.certificate),
            "company": event.company,
        }
        if event.seat < 0:
            line = self._(
                "{paper} is exchanged for {share} of {company}, which goes to the pool.", **params
            )
        else:
            line = self._(
                "{name} exchanges {paper} for {share} of {company}.",
                name=self.words.name(event.seat),
                **params,
            )
        extras = [self.money(event.money)] if event.money else []
        if event.trains:
            extras += self.each_train(Counter(event.trains))
        if extras:
            line = self._(
                "{line} {company} takes over {list}.",
                line=line,
                company=event.company,
                list=self.words.join(extras),
            )
        if event.unpaid:
            line = self._("{line} The share brings no dividend in this operating round.", line=line)
        if event.idle:
            line = self._(
                "{line} Not to run again in this operating round: {list}.",
                line=line,
                list=self.trains(event.idle),
            )
        return line

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

    def _station_placed(self, event: happened.StationPlaced) -> str:
        line = self._(
            "{company} places a station marker in {place}.",
            company=self.company(event.company),
            place=self.place(event.hex),
        )
        return self._with_cost(line, event.cost, event.private)

    def _with_cost(self, line: str, cost: int, private: str) -> str:
        if private:
            return self._(
                "{line} The right of {private} is used.", line=line, private=self.paper(private)
            )
        if cost:
            return self._("{line} Cost: {cost}.", line=line, cost=self.money(cost))
        return line

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
        if self.book.is_minor(event.company):
            return self._("{company} splits {revenue}: {list}.", **params, list=", ".join(parts))
        return self._("{company} pays out {revenue}: {list}.", **params, list=", ".join(parts))

    def _of_trains(self, event: Event) -> str:
        _, words = self._, self.words
        match event:
            case happened.TrainBought():
                return self._train_bought(event)
            case happened.OfferMade(company=company, owner=owner, train=train, price=price):
                return _(
                    "{company} offers {owner} {price} for a {train}; {name} decides.",
                    company=self.company(company),
                    owner=self.company(owner),
                    price=self.money(price),
                    train=self.train(train),
                    name=words.name(event.seat),
                )
            case happened.PriceAsked(company=company, owner=owner, train=train, price=price):
                return _(
                    "{owner} asks {company} for {price} for the {train}; {name} decides.",
                    company=self.company(company),
                    owner=self.company(owner),
                    price=self.money(price),
                    train=self.train(train),
                    name=words.name(event.seat),
                )
            case happened.OfferRefused(seat=seat, owner=owner, price=price, counter=True):
                return _(
                    "{name} does not pay {owner} {price} for the {train}.",
                    name=words.name(seat),
                    owner=self.company(owner),
                    price=self.money(price),
                    train=self.train(event.train),
                )
            case happened.OfferRefused(seat=seat, company=company, train=train, price=price):
                return _(
                    "{name} refuses {price} of {company} for the {train}.",
                    name=words.name(seat),
                    company=self.company(company),
                    price=self.money(price),
                    train=self.train(train),
                )
            case happened.TrainsScrapped(trains=trains):
                parts = []
                for owner in dict.fromkeys(owner for owner, _t, _n in trains):
                    mine = {train: count for who, train, count in trains if who == owner}
                    gone = words.join(self.each_train(mine))
                    parts.append(f"{self.holder(owner)} {gone}")
                return _("Trains rust: {list}.", list="; ".join(parts))
            case happened.TrainsDiscarded(company=company, trains=trains):
                return _(
                    "{company} gives trains above its limit to the pool: {list}.",
                    company=self.company(company),
                    list=self.trains(trains),
                )
        return ""

    def holder(self, holder: str) -> str:
        """Who had trains: a company, the pool, or nobody yet."""
        if holder == STACK:
            return self._("unsold")
        return self._("Pool") if holder == POOL else self.receiver(holder)

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
