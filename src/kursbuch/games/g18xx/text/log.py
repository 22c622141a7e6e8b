"""The log lines of an 18xx game."""

from __future__ import annotations

from functools import singledispatchmethod

from kursbuch.core.events import Event
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.components import BANK, POOL, STACK
from kursbuch.games.g18xx.text.names import NONE, Names, RulesetT


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
        """Who had trains: a company, the pool, or nobody yet."""
        if holder == STACK:
            return self._("unsold")
        return self._("Pool") if holder == POOL else self.receiver(holder)
