"""The sentences of an 18xx title: log lines, prompts, choices, holdings. A title overrides what differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from kursbuch.core.actions import Action
from kursbuch.core.events import Event
from kursbuch.core.title import Cell, Decision, Grid, Panel, Pick, Row
from kursbuch.core.words import N_, Words
from kursbuch.eighteen import events as happened
from kursbuch.eighteen import shares, stations
from kursbuch.eighteen import state as steps
from kursbuch.eighteen.actions import (
    Answer,
    BuyPaper,
    BuyShare,
    BuyTrain,
    ChooseHome,
    ChooseSwap,
    Discard,
    Dividend,
    Done,
    Exchange,
    LayTile,
    Nationalise,
    OfferTrain,
    PlaceStation,
    SellShares,
)
from kursbuch.eighteen.companies import (
    BANK,
    PACKET,
    PERCENT,
    PLAYERS,
    POOL,
    STACK,
)
from kursbuch.eighteen.kernel import Kernel
from kursbuch.eighteen.tiles import shown, supply

KernelT = TypeVar("KernelT", bound="Kernel[Any, Any]")

#: Stands where there is nothing to show.
NONE = "–"

COLOUR_NAMES = {
    "yellow": N_("yellow"),
    "green": N_("green"),
    "brown": N_("brown"),
    "gray": N_("gray"),
}

#: Why a price marker has moved.
REASONS = {
    "dividend": N_("dividend"),
    "saved": N_("revenue saved"),
    "sold": N_("shares sold"),
    "sold-out": N_("all shares in players' hands"),
}


class Texts(Generic[KernelT]):
    """What is said about one game to one reader."""

    #: The sign of the money.
    currency = "£"

    def __init__(self, game: KernelT, words: Words) -> None:
        self.game = game
        self.components = game.components
        self.words = words
        self._ = words._

    # ---- names

    def money(self, amount: int) -> str:
        """An amount of money."""
        return self.words.money(amount, self.currency)

    def percent(self, number: int) -> str:
        """A percentage."""
        return f"{number}\N{NO-BREAK SPACE}%"

    def company(self, company: str) -> str:
        """The short name of a company."""
        if self.game.is_minor(company):
            return self._("minor {id}", id=company)
        return company

    def full_company(self, company: str) -> str:
        """A company with its whole name."""
        if self.game.is_minor(company):
            name = self.components.minors[company].name
            return self._("minor {id} ({name})", id=company, name=name)
        public = self.game.public.get(company)
        return f"{company} ({public.record.name})" if public is not None else company

    def certificate(self, name: str) -> str:
        """A certificate by its size."""
        text = self.percent(PERCENT[name])
        if name.endswith("P"):
            return self._("{percent} (director)", percent=text)
        return text

    def certificates(self, names: Iterable[str]) -> str:
        """Several certificates, equal ones together."""
        return self.words.join(
            [
                self.certificate(name) if count == 1 else f"{count} × {self.certificate(name)}"
                for name, count in Counter(names).items()
            ]
        )

    def train(self, name: str) -> str:
        """A train by its type, as a noun."""
        return self._("{train}-train", train=name)

    def each_train(self, counts: Mapping[str, int]) -> list[str]:
        """Types of trains with their numbers."""
        return [
            self.train(name) if count == 1 else f"{count} × {self.train(name)}"
            for name, count in counts.items()
        ]

    def trains(self, names: Iterable[str]) -> str:
        """Several trains, equal ones together."""
        return self.words.join(self.each_train(Counter(names)))

    def place(self, hex: str) -> str:
        """A hex with the name of what is there."""
        name = self.town(hex)
        return hex if name == hex else f"{name} ({hex})"

    def town(self, hex: str) -> str:
        """The name of what is on a hex, or its coordinate."""
        record = self.components.board.records[self.components.board.place(hex)]
        return record.name or record.place or hex

    def paper(self, paper: str) -> str:
        """A private railway or minor by its short name."""
        return self.company(paper) if self.game.is_minor(paper) else paper

    def full_paper(self, paper: str) -> str:
        """A private railway or minor with its whole name."""
        private = self.components.privates.get(paper)
        return f"{paper} ({private.name})" if private is not None else self.full_company(paper)

    def papers(self, papers: Sequence[str]) -> str:
        """Several papers."""
        return self.words.join([self.paper(paper) for paper in papers])

    def receiver(self, holder: str) -> str:
        """Who has got something: a player, a company, the bank or the pool."""
        if holder == BANK:
            return self._("the bank")
        if holder == POOL:
            return self._("the pool")
        if holder in PLAYERS:
            return self.words.name(PLAYERS.index(holder))
        return self.company(holder)

    def stock_round(self, number: int) -> str:
        """A stock round by its number."""
        return self._("stock round {number}", number=number)

    # ---- phases

    def phase_notes(self, number: int) -> list[str]:
        """What is new in a line of the phase table."""
        phases = self.components.phases
        now = phases[number]
        before = phases[number - 1] if number else None
        notes = []
        fresh = [c for c in now.tiles if before is None or c not in before.tiles]
        if fresh:
            colours = self.words.join([self._(COLOUR_NAMES[colour]) for colour in fresh])
            notes.append(self._("{colours} tiles", colours=colours))
        if before is None or now.operating_rounds != before.operating_rounds:
            notes.append(
                self.words.ngettext(
                    "{n} operating round", "{n} operating rounds", now.operating_rounds
                )
            )
        if now.trains_from_other_companies and before and not before.trains_from_other_companies:
            notes.append(self._("trains from other companies"))
        if before is None or now.train_limit != before.train_limit:
            notes.append(self.limit_note(number))
        return notes

    def limit_note(self, number: int) -> str:
        """The train limits of a line of the phase table."""
        limit = self.components.phases[number].train_limit
        if limit.minor is None:
            return self._("train limit {major}", major=limit.major)
        return self._("train limit {major}, minors {minor}", major=limit.major, minor=limit.minor)

    def scrapped_by(self, train: str) -> list[str]:
        """The trains that rust when the first of this type is bought."""
        return [
            name
            for name, record in self.components.train_records.items()
            if record.scrapped_by == train
        ]

    def effects(self, state: Any, train: str) -> list[str]:
        """What happens when this train is bought new, if it is the first of its type."""
        number = self.components.phase_of.get(train)
        if number is None or number <= state.phase:
            return []
        notes = []
        scrapped = self.scrapped_by(train)
        if scrapped:
            notes += [self._("every {train} rusts", train=self.train(name)) for name in scrapped]
        return [*notes, *self.phase_notes(number)]

    # ---- log

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
                    "Operating round {number}.{part} of {parts} begins.",
                    number=number,
                    part=part,
                    parts=parts,
                )
            case happened.PhaseBegan(phase=phase, train=train):
                numbers = [n for n, one in enumerate(self.components.phases) if one.id == phase]
                notes = self.phase_notes(numbers[0]) if numbers else []
                if not notes:
                    return _(
                        "Phase {phase} begins with the first {train}.",
                        phase=phase,
                        train=self.train(train),
                    )
                return _(
                    "Phase {phase} begins with the first {train}: {list}.",
                    phase=phase,
                    train=self.train(train),
                    list=", ".join(notes),
                )
            case happened.Passed(seat=seat):
                return _("{name} passes.", name=words.name(seat))
            case happened.BankBroken():
                return _("The bank has no money left; the end of the game is near.")
            case happened.Ended(cash=cash, shares=shares):
                sums = [
                    _(
                        "{name} {sum} ({cash} + shares {shares})",
                        name=words.name(seat),
                        sum=self.money(money + value),
                        cash=self.money(money),
                        shares=self.money(value),
                    )
                    for seat, (money, value) in sorted(
                        enumerate(zip(cash, shares, strict=True)), key=lambda one: -sum(one[1])
                    )
                ]
                return _("The game is over: {list}.", list=", ".join(sums))
        return ""

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
                    before=self.game.chart.price[before],
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
                        price=self.game.chart.price[cell],
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
                        "The markers of {old} are removed: {list}.",
                        old=self.company(old),
                        list=words.join(gone) or NONE,
                    )
                return _(
                    "The markers of {old} become markers of {company}: {list}.",
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
                if not revenue:
                    return _("{company} pays no dividend.", company=self.company(company))
                return _(
                    "{company} saves {revenue}.",
                    company=self.company(company),
                    revenue=self.money(revenue),
                )
        return ""

    def run(self, train: str, value: int, calls: Sequence[tuple[str, int, int]]) -> str:
        """A run with its sum: "2-train Leipzig 20 + Dresden 20 = 40"."""
        stops = " + ".join(f"{self.town(hex)} {worth}" for hex, _stop, worth in calls)
        # What a ferry takes away.
        toll = sum(worth for _hex, _stop, worth in calls) - value
        if toll:
            stops = f"{stops} − {toll} ({self._('ferry')})"
        return f"{self.train(train)} {stops} = {value}"

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
        if not extras:
            return line
        return self._(
            "{line} {company} takes over {list}.",
            line=line,
            company=event.company,
            list=self.words.join(extras),
        )

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

    # ---- decisions

    def prompt(self, state: Any, decision: Decision) -> str:
        """What the seat has to decide now."""
        _ = self._
        step = state.agenda[-1]
        match step:
            case steps.StockTurn(bought=bought, acted=acted):
                if bought:
                    return _("You have bought. Sell shares, or end your turn.")
                if acted:
                    return _("Sell more shares, buy one, or end your turn.")
                return _("Buy a share, sell shares, or pass.")
            case steps.Build(company=company, laid=laid):
                if laid:
                    return _(
                        "{company} may lay one more tile: choose a hex on the map.",
                        company=self.company(company),
                    )
                return _(
                    "{company} may lay a tile: choose a hex on the map. It has {money}.",
                    company=self.company(company),
                    money=self.money(self.game.money(state, company)),
                )
            case steps.Place(company=company):
                left = self.game.markers(state, company)
                return self.words.ngettext(
                    "{company} may place a station marker: choose a city. It has {n} left and {money}.",
                    "{company} may place a station marker: choose a city. It has {n} left and {money}.",
                    left,
                    company=self.company(company),
                    money=self.money(self.game.money(state, company)),
                )
            case steps.Run(company=company):
                return _("{company} runs its trains.", company=self.company(company))
            case steps.Pay(company=company, revenue=revenue):
                return self.pay_prompt(state, company, revenue)
            case steps.BuyTrains(company=company):
                return self._buy_prompt(state, company)
            case steps.TrainOffer(company=company, owner=owner, train=train, price=price):
                return _(
                    "{company} offers {price} for a {train} of {owner}. Do you accept?",
                    company=self.company(company),
                    owner=self.company(owner),
                    price=self.money(price),
                    train=self.train(train),
                )
            case steps.RaiseMoney(company=company, train=train):
                return _(
                    "You must sell shares so that {company} can pay for the {train}; {missing} are missing.",
                    company=self.company(company),
                    train=self.train(train),
                    missing=self.money(self.missing(state, decision.seat, company, train)),
                )
            case steps.Surplus(companies=companies):
                company = companies[0]
                return _(
                    "{company} has more trains than its limit of {limit}: choose what goes to the pool.",
                    company=self.company(company),
                    limit=self.game.train_limit(state, company),
                )
            case steps.Swap(company=company, new=new):
                return _(
                    "{name} becomes director of {company}. Which shares do you get for the "
                    "director's certificate?",
                    name=self.words.name(new),
                    company=company,
                )
            case steps.Home(company=company):
                return _("Choose the city in which {company} has its home.", company=company)
        return ""

    def missing(self, state: Any, seat: int, company: str, train: str) -> int:
        """What a company and its director together lack for a new train."""
        price: int = self.components.train_records[train].price
        have = self.game.money(state, company) + self.game.cash(state, seat)
        return max(0, price - have)

    def pay_prompt(self, state: Any, company: str, revenue: int) -> str:
        """What the trains have earned, with the sum."""
        runs = self.game.best_runs(state, company)[1]
        if runs and sum(value for _train, value, _calls in runs) == revenue:
            return self._(
                "{company} earns {revenue}: {runs}. Pay it out or save it?",
                company=self.company(company),
                revenue=self.money(revenue),
                runs="; ".join(self.run(*run) for run in runs),
            )
        return self._(
            "{company} earns {revenue}. Pay it out or save it?",
            company=self.company(company),
            revenue=self.money(revenue),
        )

    def _buy_prompt(self, state: Any, company: str) -> str:
        owned = self.game.trains(state, company)
        params = {
            "company": self.company(company),
            "money": self.money(self.game.money(state, company)),
            "limit": self.game.train_limit(state, company),
        }
        if not owned:
            return self._("{company} has no train and {money}: buy a train?", **params)
        return self._(
            "{company} has {list} (limit {limit}) and {money}: buy a train?",
            **params,
            list=self.trains(owned),
        )

    # ---- choices

    def pick(self, state: Any, action: Action) -> Pick:
        """How an action is pointed at, and its text."""
        for part in (self._pick_shares, self._pick_building, self._pick_money):
            found = part(state, action)
            if found is not None:
                return found
        raise TypeError(f"not an action of this game: {action!r}")

    def company_group(self, company: str) -> str:
        """What actions with the shares of a company are listed under."""
        return f"{company} {self.game.public[company].record.name}"

    def _pick_shares(self, state: Any, action: Action) -> Pick | None:
        _ = self._
        match action:
            case BuyPaper(_seat, paper):
                label = _(
                    "Buy {paper} for {price}",
                    paper=self.full_paper(paper),
                    price=self.money(self.paper_price(state, paper)),
                )
                return Pick(_("Start packet"), (f"paper:{paper}", "buy"), label)
            case BuyShare(_seat, company, name, source):
                return self._pick_share(state, company, name, source)
            case Nationalise(_seat, company, name, other):
                label = _(
                    "{company}: take {share} from {name} for {price}",
                    company=company,
                    share=self.certificate(name),
                    name=self.words.name(other),
                    price=self.money(shares.nationalisation_price(self.game, state, company, name)),
                )
                keys = (f"company:{company}", f"take:{name}:{other}")
                return Pick(self.company_group(company), keys, label)
            case SellShares(_seat, company, names):
                proceeds, after = self.sale_price(state, company, names)
                label = _(
                    "{company}: sell {shares} for {price}, price → {after}",
                    company=company,
                    shares=self.certificates(names),
                    price=self.money(proceeds),
                    after=after,
                )
                keys = (f"company:{company}", f"sell:{'+'.join(names)}")
                return Pick(self.company_group(company), keys, label)
            case ChooseSwap(_seat, company, names):
                label = _("Get {shares}", shares=self.certificates(names))
                return Pick(_("Change of director"), (f"swap:{'+'.join(names)}",), label)
            case Exchange(_seat, papers):
                return self._pick_exchange(state, papers)
            case Done():
                return Pick(_("Go on"), ("done",), self.done_label(state))
        return None

    def paper_price(self, state: Any, paper: str) -> int:
        """What a paper of the start packet costs now."""
        private = self.components.privates.get(paper)
        if private is not None:
            return int(private.price)
        return int(self.components.minors[paper].price)

    def sale_price(self, state: Any, company: str, names: Sequence[str]) -> tuple[int, int]:
        """What certificates bring if they are sold now, and the price after that."""
        step = state.agenda[-1] if state.agenda else None
        price = self.game.price(state, company)
        after = self.game.chart.price[self.game.chart.down[state.companies[company].cell]]
        if isinstance(step, steps.StockTurn) and self.game.one_price(state):
            after = price if company in step.prices else after
            price = step.prices.get(company, price)
        return shares.percent_of(names) * price // 10, after

    def _pick_share(self, state: Any, company: str, name: str, source: str) -> Pick:
        params = {
            "company": company,
            "share": self.certificate(name),
            "price": self.money(shares.purchase_price(self.game, state, company, name, source)),
        }
        if source == POOL:
            label = self._("{company}: buy {share} from the pool for {price}", **params)
        else:
            label = self._("{company}: buy {share} new for {price}", **params)
        keys = (f"company:{company}", f"buy:{source}:{name}")
        return Pick(self.company_group(company), keys, label)

    def _pick_exchange(self, state: Any, papers: Sequence[str]) -> Pick:
        group = self._("Exchange")
        if not papers:
            return Pick(group, ("exchange:nothing",), self._("Exchange nothing"))
        label = self._("Exchange {list}", list=self.papers(papers))
        keys = tuple(f"paper:{paper}" for paper in papers)
        return Pick(group, keys, label, several=True)

    def done_label(self, state: Any) -> str:
        """What it means to be done in this step."""
        _ = self._
        step = state.agenda[-1] if state.agenda else None
        match step:
            case steps.StockTurn(acted=acted):
                return _("End the turn") if acted else _("Pass")
            case steps.Build(laid=laid):
                return _("Lay no more tile") if laid else _("Lay no tile")
            case steps.Place():
                return _("Place no station marker")
            case steps.BuyTrains():
                return _("Buy no more trains")
        return _("Pass")

    def _pick_building(self, state: Any, action: Action) -> Pick | None:
        _ = self._
        match action:
            case LayTile(_seat, hex, tile, rotation, private):
                keys: tuple[str, ...] = (f"hex:{hex}", f"tile:{tile}", f"turn:{rotation}")
                params = {
                    "tile": tile,
                    "place": self.place(hex),
                    "rotation": rotation,
                    "cost": self.money(self.tile_cost(state, hex)),
                }
                if private:
                    label = _(
                        "Tile {tile} on {place}, turned {rotation}, free by the right of {private}",
                        **params,
                        private=self.paper(private),
                    )
                    keys = (*keys, f"by:{private}")
                elif self.tile_cost(state, hex):
                    label = _("Tile {tile} on {place}, turned {rotation}, for {cost}", **params)
                else:
                    label = _("Tile {tile} on {place}, turned {rotation}", **params)
                return Pick(_("Lay a tile"), keys, label)
            case PlaceStation(_seat, hex, stop, private):
                key = f"stop:{hex}/{stop}"
                if private:
                    label = _(
                        "Station marker in {place}, free by the right of {private}",
                        place=self.stop_name(state, hex, stop),
                        private=self.paper(private),
                    )
                    return Pick(_("Place a marker"), (key, f"by:{private}"), label)
                label = _(
                    "Station marker in {place} for {cost}",
                    place=self.stop_name(state, hex, stop),
                    cost=self.money(stations.cost(self.game, state.agenda[-1].company, hex)),
                )
                return Pick(_("Place a marker"), (key, "place"), label)
            case ChooseHome(_seat, company, stop):
                hex = self.components.homes[company].hex
                label = _(
                    "Home of {company} in {place}",
                    company=company,
                    place=self.stop_name(state, hex, stop),
                )
                return Pick(_("Home"), (f"stop:{hex}/{stop}", "home"), label)
        return None

    def stop_name(self, state: Any, hex: str, stop: int) -> str:
        """A stop of a hex, with its number if there are several."""
        stops = shown(self.components.board, state.layout.tiles, hex).stops
        if len(stops) < 2:
            return self.place(hex)
        return self._("{place}, city {number}", place=self.place(hex), number=stop + 1)

    def tile_cost(self, state: Any, hex: str) -> int:
        """What the first tile on a hex costs."""
        if hex in state.layout.tiles:
            return 0
        board = self.components.board
        return int(board.records[board.place(hex)].cost)

    def _pick_money(self, state: Any, action: Action) -> Pick | None:
        _ = self._
        match action:
            case Dividend(_seat, pays, runs):
                label = self.dividend_label(state, pays)
                keys = ("pay" if pays else "save", *("-".join(run) for run in runs))
                return Pick(_("Revenue"), keys, label)
            case BuyTrain(_seat, train, source):
                return self._pick_train(state, train, source)
            case OfferTrain(_seat, company, train, _price):
                label = _(
                    "Offer {company} a price for a {train}",
                    company=self.company(company),
                    train=self.train(train),
                )
                return Pick(_("Trains of other companies"), (f"offer:{company}:{train}",), label)
            case Answer(_seat, accepts):
                label = _("Accept") if accepts else _("Refuse")
                return Pick(_("Answer"), ("accept" if accepts else "refuse",), label)
            case Discard(_seat, company, trains):
                label = _(
                    "{company} gives up {list}",
                    company=self.company(company),
                    list=self.trains(trains),
                )
                return Pick(_("Trains above the limit"), (f"discard:{'+'.join(trains)}",), label)
        return None

    def dividend_label(self, state: Any, pays: bool) -> str:
        """What paying out or saving comes to."""
        step = state.agenda[-1]
        company, revenue = step.company, getattr(step, "revenue", 0)
        params = {
            "revenue": self.money(revenue),
            "share": self.money(revenue // 10),
            "percent": self.percent(10),
            "change": self.price_change(state, company, pays),
        }
        if pays:
            return self._("Pay out {revenue}: {share} per {percent}, {change}", **params)
        return self._("Save {revenue}, {change}", **params)

    def price_change(self, state: Any, company: str, up: bool) -> str:
        """Where the price marker goes."""
        cell = state.companies[company].cell
        if not cell:
            return self._("no price")
        chart = self.game.chart
        after = (chart.right if up else chart.left)[cell]
        if after == cell:
            return self._("price stays {price}", price=chart.price[cell])
        return self._(
            "price {before} → {after}", before=chart.price[cell], after=chart.price[after]
        )

    def _pick_train(self, state: Any, train: str, source: str) -> Pick:
        name = self.train(train)
        price = self.money(self.components.train_records[train].price)
        if source == POOL:
            label = self._("Buy a {train} from the pool for {price}", train=name, price=price)
            return Pick(self._("Trains"), (f"train:{source}:{train}",), label)
        notes = self.effects(state, train)
        if notes:
            label = self._(
                "Buy a {train} for {price} ({notes})",
                train=name,
                price=price,
                notes=", ".join(notes),
            )
        else:
            label = self._("Buy a {train} for {price}", train=name, price=price)
        return Pick(self._("Trains"), (f"train:{source}:{train}",), label)

    def amount_label(self, action: Action) -> str:
        """What the amount that goes with an action counts."""
        if isinstance(action, OfferTrain):
            return self._("The price in {currency}", currency=self.currency)
        return ""

    # ---- holdings

    def panels(self, state: Any) -> list[Panel]:
        """What every player has, the table, and the tiles that are left."""
        found = [self.player_panel(state, seat) for seat in range(state.seats)]
        return [*found, self.table_panel(state), self.tile_panel(state)]

    def player_panel(self, state: Any, seat: int) -> Panel:
        """Money, papers and shares of a player."""
        _, game = self._, self.game
        holder = PLAYERS[seat]
        worth = game.worth(state, seat)
        rows = [
            Row(_("Cash"), self.money(game.cash(state, seat))),
            Row(_("Shares at market price"), self.money(worth)),
            Row(
                _("Papers"),
                _(
                    "{count} of {limit}",
                    count=game.count_papers(state, seat),
                    limit=game.paper_limit(state, seat),
                ),
            ),
        ]
        if state.priority == seat:
            rows.append(Row(_("Priority marker"), "▶"))
        for company in game.public:
            held = game.certificates(state, holder, company)
            if held:
                names = [name for name, count in held.items() for _n in range(count)]
                rows.append(
                    Row(
                        company,
                        self.percent(game.percent(state, holder, company)),
                        f"company:{company}",
                        self.certificates(names),
                    )
                )
        for paper in game.papers(state, seat):
            rows.append(self._paper_row(state, paper))
        return Panel(self.words.name(seat), seat, tuple(rows))

    def _paper_row(self, state: Any, paper: str) -> Row:
        private = self.components.privates.get(paper)
        if private is not None:
            return Row(
                paper,
                self._("income {amount}", amount=self.money(self.game.income(state, paper))),
                f"paper:{paper}",
                private.name,
            )
        trains = self.game.trains(state, paper)
        return Row(
            self.company(paper),
            self.money(self.game.money(state, paper)),
            f"paper:{paper}",
            ", ".join(
                [
                    self.components.minors[paper].name,
                    self._("trains {list}", list=", ".join(trains) or NONE),
                ]
            ),
        )

    def round_name(self, state: Any) -> str:
        """The round that is being played."""
        now = state.round
        if not now.number:
            return NONE
        if now.part:
            return self._(
                "operating round {number}.{part} of {parts}",
                number=now.number,
                part=now.part,
                parts=now.parts,
            )
        return self.stock_round(now.number)

    def table_panel(self, state: Any) -> Panel:
        """Round, phase, bank, order of play."""
        _, game = self._, self.game
        phase = game.phase(state)
        rows = [
            Row(_("Round"), self.round_name(state)),
            Row(
                _("Phase"),
                phase.id,
                "",
                ", ".join(
                    [
                        _(
                            "{colours} tiles",
                            colours=self.words.join([_(COLOUR_NAMES[c]) for c in phase.tiles]),
                        ),
                        self.words.ngettext(
                            "{n} operating round", "{n} operating rounds", phase.operating_rounds
                        ),
                        self.limit_note(state.phase),
                    ]
                ),
            ),
            Row(_("Bank"), self.money(game.money(state, BANK))),
            Row(_("Priority marker"), self.words.name(state.priority)),
            Row(_("Order of the companies"), "", "", ", ".join(self.order(state)) or NONE),
        ]
        train = game.available(state)
        if train:
            record = self.components.train_records[train]
            notes = self.effects(state, train)
            left = state.ledger.held(f"train:{train}", STACK)
            rows.append(
                Row(
                    _("Next train"),
                    _(
                        "{train} for {price}, {left} left",
                        train=self.train(train),
                        price=self.money(record.price),
                        left=left,
                    ),
                    "",
                    ", ".join(notes),
                )
            )
        rusting = self.next_rust(state)
        if rusting:
            rows.append(Row(_("Rusts next"), rusting))
        pool = game.trains(state, POOL)
        rows.append(Row(_("Trains in the pool"), self.trains(pool) or NONE))
        return Panel(_("Table"), None, tuple(rows))

    def next_rust(self, state: Any) -> str:
        """Which trains rust next, and by which."""
        for name, number in self.components.phase_of.items():
            scrapped = self.scrapped_by(name)
            if number > state.phase and scrapped:
                return self._(
                    "{list} with the first {train}",
                    list=self.words.join([self.train(one) for one in scrapped]),
                    train=self.train(name),
                )
        return ""

    def order(self, state: Any) -> list[str]:
        """The companies in operation in the order in which they act; who has acted has a tick."""
        minors = [name for name in self.components.minors if state.companies[name].operating]
        acted = state.round.acted if state.round.part else []
        return [
            f"{self.company(name)}\N{NO-BREAK SPACE}✓" if name in acted else self.company(name)
            for name in [
                *(name for name in minors if not state.companies[name].closed),
                *self.game.by_price(state),
            ]
        ]

    def tile_panel(self, state: Any) -> Panel:
        """The tiles of the colours on offer that are left."""
        board = self.components.board
        left = supply(board, state.layout.tiles)
        rows = [
            Row(
                tile.id,
                self._("{left} of {count}", left=left[tile.id], count=tile.count),
                f"tile:{tile.id}",
            )
            for colour in self.game.phase(state).tiles
            for tile in board.tiles.values()
            if tile.colour == colour
        ]
        return Panel(self._("Tiles left"), None, tuple(rows), pieces=True)

    # ---- tables

    def tables(self, state: Any) -> list[Grid]:
        """Who holds which shares, what companies have, and the trains with their phases."""
        return [self.share_table(state), self.company_table(state), self.train_table(state)]

    def shown_companies(self, state: Any) -> list[str]:
        """The share companies, those in operation first, in the order of play."""
        working = self.game.by_price(state)
        return [*working, *(name for name in self.game.public if name not in working)]

    def share_table(self, state: Any) -> Grid:
        """Percentages of every company: new shares, pool, players. The director has a star."""
        _, game = self._, self.game
        rows = []
        for company in self.shown_companies(state):
            director = game.director(state, company)
            price = game.price(state, company)
            cells = [
                Cell(company, self.money(price) if price else "", f"company:{company}"),
                Cell(self._share(game.unsold(state, company))),
                Cell(self._share(game.percent(state, POOL, company))),
            ]
            for seat in range(state.seats):
                held = self._share(game.percent(state, PLAYERS[seat], company))
                cells.append(Cell(f"★\N{NO-BREAK SPACE}{held}" if seat == director else held))
            rows.append(tuple(cells))
        players = range(state.seats)
        rows.append(
            (
                Cell(_("Private railways and minors")),
                Cell(str(self._unsold_papers(state) or "")),
                Cell(""),
                *(Cell(", ".join(map(self.paper, game.papers(state, seat)))) for seat in players),
            )
        )
        rows.append(
            (
                Cell(_("Papers")),
                Cell(""),
                Cell(""),
                *(
                    Cell(f"{game.count_papers(state, seat)}/{game.paper_limit(state, seat)}")
                    for seat in players
                ),
            )
        )
        for label, amount in (
            (_("Cash"), game.cash),
            (_("Shares"), game.worth),
            (_("Together"), lambda state, seat: game.cash(state, seat) + game.worth(state, seat)),
        ):
            sums = [Cell(self.words.number(amount(state, seat))) for seat in players]
            rows.append((Cell(label), Cell(""), Cell(""), *sums))
        head = [_("Company"), _("New"), _("Pool")]
        head += [self.words.name(seat) for seat in players]
        return Grid(
            _("Shares"),
            tuple(head),
            tuple(rows),
            _("★ is the director. New shares include those that are not on sale yet."),
        )

    def _share(self, percent: int) -> str:
        return self.percent(percent) if percent else ""

    def _unsold_papers(self, state: Any) -> int:
        names = [*self.components.privates, *self.components.minors]
        return sum(state.ledger.held(f"paper:{name}", PACKET) for name in names)

    def company_table(self, state: Any) -> Grid:
        """What the companies in operation have."""
        _, game = self._, self.game
        minors = [
            name
            for name in self.components.minors
            if state.companies[name].operating and not state.companies[name].closed
        ]
        rows = []
        for company in [*minors, *game.by_price(state)]:
            found = state.companies[company]
            seat = game.decider(state, company)
            debt = _("debt {amount}", amount=self.money(found.debt)) if found.debt else ""
            trains = game.trains(state, company)
            price = game.price(state, company)
            rows.append(
                (
                    Cell(
                        self.company(company),
                        self.words.name(seat) if seat >= 0 else "",
                        f"company:{company}",
                    ),
                    Cell(self.words.number(price) if price else ""),
                    Cell(self.words.number(game.money(state, company)), debt),
                    Cell(
                        ", ".join(trains) or NONE,
                        _("limit {number}", number=game.train_limit(state, company)),
                    ),
                    Cell(str(game.markers(state, company))),
                    Cell(self.words.number(found.revenue) if found.revenue else NONE),
                )
            )
        head = (
            _("Company"),
            _("Price"),
            _("Treasury"),
            _("Trains"),
            _("Markers left"),
            _("Last revenue"),
        )
        return Grid(_("Companies in operation"), head, tuple(rows))

    def train_table(self, state: Any) -> Grid:
        """All trains with what is left, when they rust, and what the first of them brings."""
        _ = self._
        rows = []
        for name, record in self.components.train_records.items():
            left = state.ledger.held(f"train:{name}", STACK)
            number = self.components.phase_of.get(name)
            notes = self.phase_notes(number) if number is not None else []
            phase = self.components.phases[number].id if number is not None else ""
            gone = record.scrapped_by is not None and self._reached(state, record.scrapped_by)
            rusts = _("rusted") if gone else record.scrapped_by or _("never")
            rows.append(
                (
                    Cell(name, phase and _("phase {phase}", phase=phase), f"train:{name}"),
                    Cell(self.words.number(record.price)),
                    Cell(_("{left} of {count}", left=left, count=record.count)),
                    Cell(rusts),
                    Cell("", ", ".join(notes)),
                )
            )
        head = (_("Train"), _("Cost"), _("Left"), _("Rusts with"), _("With the first"))
        return Grid(_("Trains and phases"), head, tuple(rows))

    def _reached(self, state: Any, train: str) -> bool:
        return train in self.components.phase_of and bool(
            self.components.phase_of[train] <= state.phase
        )


def marks(events: Sequence[Event]) -> list[str]:
    """The elements the board points out after these events."""
    found: list[str] = []
    for event in events:
        match event:
            case happened.TileLaid(hex=hex):
                found.append(f"hex:{hex}")
            case happened.StationPlaced(hex=hex, stop=stop):
                found.append(f"stop:{hex}/{stop}")
            case happened.ShareBought(company=company) | happened.SharesSold(company=company):
                found.append(f"company:{company}")
            case happened.Nationalised(company=company):
                found.append(f"company:{company}")
            case happened.PaperBought(paper=paper):
                found.append(f"paper:{paper}")
            case happened.PriceMoved(company=company):
                found.append(f"price:{company}")
            case happened.RunEvent(company=company, runs=runs) if runs:
                found.append(f"runs:{company}")
    return list(dict.fromkeys(found))
