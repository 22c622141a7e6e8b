"""Names in an 18xx game: companies, certificates, trains, places, phases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from kursbuch.core.corrections import Field, seat_of
from kursbuch.core.voice import Voice
from kursbuch.core.words import N_, Words
from kursbuch.games.g18xx.components import (
    BANK,
    BOX,
    EXCHANGE_SHARES,
    PACKET,
    PERCENT,
    PLAYERS,
    POOL,
    STACK,
    train_item,
)
from kursbuch.games.g18xx.corrections import KINDS
from kursbuch.games.g18xx.ruleset import Ruleset
from kursbuch.games.g18xx.state import StateT

RulesetT = TypeVar("RulesetT", bound="Ruleset[Any]")

#: Placeholder for nothing.
NONE = "–"

COLOUR_NAMES = {
    "yellow": N_("yellow"),
    "green": N_("green"),
    "brown": N_("brown"),
    "gray": N_("gray"),
}


#: Names of places of things that no player has.
PLACE_NAMES = {
    STACK: N_("the new shares"),
    POOL: N_("the pool"),
    PACKET: N_("the start packet"),
    EXCHANGE_SHARES: N_("the exchange shares"),
    BOX: N_("the box"),
}

#: Names of a company's stages.
STATUS_NAMES = {
    "waits": N_("not in operation yet"),
    "operates": N_("in operation, its first turn still to come"),
    "has-worked": N_("in operation"),
    "closed": N_("closed"),
}


def plain(name: str) -> str:
    """Name of a company without the word that all of them share."""
    return name.replace("Eisenbahn", "").strip()


class Names(Voice[StateT], Generic[StateT, RulesetT]):
    """Names of a game for one reader."""

    corrections = KINDS

    def __init__(self, ruleset: RulesetT, words: Words) -> None:
        super().__init__(words, ruleset)
        self.ruleset = ruleset
        self.components = ruleset.components
        self.currency = ruleset.policy.currency

    # ---- names

    def percent(self, number: int) -> str:
        """A percentage."""
        return f"{number}\N{NO-BREAK SPACE}%"

    def company(self, company: str) -> str:
        """Short name of a company."""
        label = self.ruleset.label(company)
        return label if isinstance(label, str) else label.text(self.words)

    def long_name(self, company: str) -> str:
        """A company in a sentence that has room for the noun of a minor."""
        noun = self.ruleset.policy.minor_noun
        if noun and self.ruleset.is_minor(company):
            return f"{self._(noun)} {company}"
        return self.company(company)

    def full_company(self, company: str) -> str:
        """Full name of a company."""
        if self.ruleset.is_minor(company):
            return f"{self.long_name(company)} ({self.components.minors[company].name})"
        public = self.ruleset.public.get(company)
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

    def priority(self) -> str:
        """Name of the priority deal."""
        return self._("Priority deal")

    def train(self, name: str) -> str:
        """Noun of a train type."""
        return self._("{train}-train", train=name)

    def new_train(self, state: StateT, train: str) -> str:
        """A new train with its price, and the number left."""
        return self._(
            "{train} for {price}, {left} left",
            train=self.train(train),
            price=self.money(self.ruleset.depot.price(train)),
            left=self.left(state, train),
        )

    def left(self, state: StateT, train: str) -> str:
        """Number of trains of a type left."""
        return str(state.ledger.held(train_item(train), STACK))

    def each_train(self, counts: Mapping[str, int]) -> list[str]:
        """Train types with their numbers."""
        return [
            self.train(name) if count == 1 else f"{count} × {self.train(name)}"
            for name, count in counts.items()
        ]

    def trains(self, names: Iterable[str]) -> str:
        """Several trains, equal ones together."""
        return self.words.join(self.each_train(Counter(names)))

    def place(self, hex: str) -> str:
        """A hex with its place name."""
        name = self.town(hex)
        return hex if name == hex else f"{name} ({hex})"

    def town(self, hex: str) -> str:
        """Place name of a hex, or its coordinate."""
        record = self.components.board.records[self.components.board.number(hex)]
        return record.name or record.place or hex

    def paper(self, paper: str) -> str:
        """Short name of a private or minor."""
        return self.company(paper) if self.ruleset.is_minor(paper) else paper

    def full_paper(self, paper: str) -> str:
        """Full name of a private or minor."""
        private = self.components.privates.get(paper)
        return f"{paper} ({private.name})" if private is not None else self.full_company(paper)

    def papers(self, papers: Sequence[str]) -> str:
        """Several papers."""
        return self.words.join([self.paper(paper) for paper in papers])

    def receiver(self, holder: str) -> str:
        """Name of a receiver: a player, a company, the bank or the pool."""
        if holder == BANK:
            return self._("the bank")
        if holder == POOL:
            return self._("the pool")
        if holder in PLAYERS:
            return self.words.name(PLAYERS.index(holder))
        return self.company(holder)

    def receiver_sum(self, holder: str, amount: int) -> str:
        """A holder with an amount."""
        return f"{self.receiver(holder)} {self.money(amount)}"

    def seat_or_pool(self, seat: int | None) -> str:
        """Name of a player by seat, or of the pool."""
        return self._("the pool") if seat is None else self.words.name(seat)

    def share(self, company: str, certificate: str) -> str:
        """A certificate of a company."""
        return f"{company} {self.certificate(certificate)}"

    def cell_price(self, cell: str) -> str:
        """Price of a market cell."""
        return str(self.ruleset.chart.price[cell])

    def stock_round(self, number: int) -> str:
        """A stock round by its number."""
        return self._("stock round {number}", number=number)

    # ---- in corrections

    def spoken(self, field: Field, value: str) -> str:
        match field.of:
            case "company":
                return self.company(value)
            case "certificate":
                return self.certificate(value)
            case "train":
                return self.train(value)
            case "paper":
                return self.full_paper(value)
            case "hex":
                return self.place(value)
            case "cell":
                return f"{value} ({self.money(self.ruleset.chart.price[value])})"
            case "status":
                return self._(STATUS_NAMES[value])
            case "holder" if seat_of(value) is None:
                if value in PLACE_NAMES:
                    return self._(PLACE_NAMES[value])
                return (
                    self.company(value)
                    if value in self.components.homes
                    else super().spoken(field, value)
                )
        return super().spoken(field, value)

    # ---- phases

    def begins_phase(self, number: int) -> bool:
        """Whether a row of the phase table begins a new phase."""
        phases = self.components.phases
        return number == 0 or phases[number].number != phases[number - 1].number

    def phase_notes(self, number: int) -> list[str]:
        """Changes in a row of the phase table."""
        phases = self.components.phases
        now = phases[number]
        before = phases[number - 1] if number else None
        notes = []
        fresh = [c for c in now.tiles if before is None or c not in before.tiles]
        if fresh:
            colours = self.words.join([self._(COLOUR_NAMES[colour]) for colour in fresh])
            notes.append(self._("{colours} tiles", colours=colours))
        if before is not None and now.operating_rounds != before.operating_rounds:
            notes.append(
                self.words.ngettext(
                    "{n} operating round after the next stock round",
                    "{n} operating rounds after the next stock round",
                    now.operating_rounds,
                )
            )
        if before is not None and now.tile_lays.public != before.tile_lays.public:
            notes.append(
                self.words.ngettext(
                    "share companies lay {n} tile in a turn",
                    "share companies lay {n} tiles in a turn",
                    now.tile_lays.public,
                )
            )
        if now.trains_from_other_companies and before and not before.trains_from_other_companies:
            notes.append(self._("trains from other companies"))
        if before is None or now.train_limit != before.train_limit:
            notes.append(self.limit_note(number))
        return notes

    def limit_note(self, number: int) -> str:
        """Train limits of a row of the phase table."""
        limit_in, minors = self.ruleset.depot.limit_in, self.components.minors
        public = [limit_in(number, company) for company in self.ruleset.public]
        major = max(set(public), key=public.count)
        if not minors or self.components.phases[number].train_limit.minor is None:
            return self._("train limit {major}", major=major)
        minor = limit_in(number, next(iter(minors)))
        return self._("train limit {major}, minors {minor}", major=major, minor=minor)

    def scrapped_by(self, train: str) -> list[str]:
        """Trains that rust when the first of this type is bought."""
        return [
            name
            for name, record in self.components.train_records.items()
            if record.scrapped_by == train
        ]

    def effects(self, state: StateT, train: str) -> list[str]:
        """Effects of the first purchase of a new train type."""
        number = self.components.phase_row.get(train)
        if number is None or number <= state.phase:
            return []
        notes = []
        scrapped = self.scrapped_by(train)
        if scrapped:
            notes += [self._("every {train} rusts", train=self.train(name)) for name in scrapped]
        return [*notes, *self.phase_notes(number)]

    # ---- runs

    def missing(self, state: StateT, seat: int, company: str, train: str) -> int:
        """Money that a company and its director together lack for a new train."""
        price: int = self.ruleset.depot.price(train)
        have = self.ruleset.purse(state, company) + self.ruleset.cash(state, seat)
        return max(0, price - have)

    def run(self, train: str, value: int, calls: Sequence[tuple[str, int, int]]) -> str:
        """A run with its total: "2-train Leipzig 20 + Dresden 20 = 40"."""
        stops = " + ".join(f"{self.town(hex)} {worth}" for hex, _stop, worth in calls)
        # Toll of a ferry.
        toll = sum(worth for _hex, _stop, worth in calls) - value
        if toll:
            stops = f"{stops} − {toll} ({self._('ferry')})"
        return f"{self.train(train)} {stops} = {value}"
