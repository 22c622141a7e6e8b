"""Events of 18xx titles. `seat` is the acting player, None for no one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from kursbuch.core.events import Event, Payment
from kursbuch.core.sentences import MONEY, NAME, By, Each, If, Part, Sentence, Term, Then
from kursbuch.core.words import N_
from kursbuch.games.g18xx.components import BANK, POOL, STACK
from kursbuch.games.g18xx.map.track import Station

#: Parts of sentences.
COMPANY, TRAINS = By("company"), By("trains").of("trains")
_AMOUNTS = ("amount", "bank", "best", "bond", "cost", "mail", "money", "price", "revenue")


class Line(Sentence):
    """A sentence about an 18xx game."""

    usual: ClassVar[Mapping[str, Part]] = {
        **Sentence.usual,
        **dict.fromkeys(_AMOUNTS, MONEY),
        "company": COMPANY,
        "owner": COMPANY.of("owner"),
        "place": By("place").of("hex"),
        "private": By("paper"),
        "share": By("certificate").of("certificate"),
        "shares": By("certificates").of("certificates"),
        "train": By("train"),
    }


#: Cost of a tile or token.
_COST = If(
    "private",
    Line("{line} The right of {private} is used."),
    If("cost", Line("{line} Cost: {cost}.")),
)

#: Reasons for moves of a price marker.
REASONS = {
    "dividend": N_("dividend"),
    "saved": N_("revenue withheld"),
    "sold": N_("shares sold"),
    "sold-out": N_("all shares in players' hands"),
}


class StockRoundBegan(Event, frozen=True, kw_only=True, tag="stock-round"):
    """A stock round begins with the holder of the priority deal."""

    SENTENCE = Line("Stock round {number} begins; {name} has the priority deal.")

    number: int
    seat: int


class StockRoundEnded(Event, frozen=True, kw_only=True, tag="stock-round-ended"):
    """A stock round has ended; `seat` now holds the priority deal."""

    SENTENCE = Line("Stock round {number} is over; {name} gets the priority deal.")

    number: int
    seat: int


class OperatingRoundBegan(Event, frozen=True, kw_only=True, tag="operating-round"):
    """Operating round `part` of `parts` after stock round `number` begins."""

    SENTENCE = Line("Operating round {number}.{part} begins ({part} of {parts}).")

    number: int
    part: int
    parts: int


class PhaseBegan(Event, frozen=True, kw_only=True, tag="phase"):
    """The first train of a type has been bought; `phase` is an id of the phase table."""

    SENTENCE = By("first_train").of("train")

    phase: str
    train: str


class PaperBought(Payment, frozen=True, kw_only=True, tag="paper-bought"):
    """A paper of the start packet has been bought; `free` is the certificate that comes with it."""

    SENTENCE = If(
        "free",
        Line(
            "{name} buys {paper} for {price} and gets {share} with it.",
            paper=By("full_paper"),
            share=By("share").of("company", "free"),
        ),
        Line("{name} buys {paper} for {price}.", paper=By("full_paper")),
    )

    EXCHANGE: ClassVar[bool] = True

    seat: int
    paper: str
    price: int
    company: str = ""
    free: str = ""


class Passed(Event, frozen=True, kw_only=True, tag="passed"):
    """A player has neither bought nor sold; `able` if a purchase was possible."""

    SENTENCE = If("able", Line("{name} passes."), Line("{name} can do nothing and passes."))

    seat: int
    able: bool = True


class ShareBought(Payment, frozen=True, kw_only=True, tag="share-bought"):
    """A certificate has been bought from `source`; `receiver` got the money."""

    SENTENCE = If(
        "source",
        Line("{name} buys {share} of {company} from the pool for {price}."),
        If(
            "receiver",
            Line("{name} buys {share} of {company} for {price}."),
            Line(
                "{name} buys {share} of {company} for {price}; the money goes to {receiver}.",
                receiver=By("receiver"),
            ),
            equals=(BANK, ""),
        ),
        equals=(POOL,),
    )

    EXCHANGE: ClassVar[bool] = True

    seat: int
    company: str
    certificate: str
    source: str
    price: int
    receiver: str


class Nationalised(Payment, frozen=True, kw_only=True, tag="nationalised"):
    """A certificate has been taken from another player."""

    SENTENCE = Line(
        "{name} takes {share} of {company} from {other} for {price}.", other=NAME.of("player")
    )

    EXCHANGE: ClassVar[bool] = True

    seat: int
    company: str
    certificate: str
    player: int
    price: int


class SharesSold(Payment, frozen=True, kw_only=True, tag="shares-sold"):
    """Certificates have been sold to the pool."""

    SENTENCE = Line("{name} sells {shares} of {company} for {price}.", price=MONEY.of("proceeds"))

    EXCHANGE: ClassVar[bool] = True

    seat: int
    company: str
    certificates: tuple[str, ...]
    proceeds: int


class PriceMoved(Event, frozen=True, kw_only=True, tag="price"):
    """A price marker has moved; `why` is dividend, saved, sold or sold-out."""

    SENTENCE = Line(
        "The price of {company} goes from {before} to {price} ({why}).",
        before=By("cell_price"),
        price=Part(),
        why=Term(REASONS),
    )

    company: str
    before: str
    after: str
    price: int
    why: str


class Floated(Event, frozen=True, kw_only=True, tag="floated"):
    """A company has floated; the bank has paid it `treasury`. `cell` is empty for one without a
    price."""

    SENTENCE = If(
        "cell",
        Line(
            "{company} goes into operation at {price} with {money}.",
            company=By("full_company"),
            price=By("cell_price").of("cell"),
            money=MONEY.of("treasury"),
        ),
        Line(
            "{company} goes into operation with {money}.",
            company=By("full_company"),
            money=MONEY.of("treasury"),
        ),
    )

    company: str
    treasury: int
    cell: str = ""


class DirectorChanged(Event, frozen=True, kw_only=True, tag="director"):
    """A company has a new director. `certificates` were given for the director's certificate to
    `receiver`: a seat, or None for the pool. `old` is None if there was none."""

    SENTENCE = If(
        "certificates",
        Line(
            "{name} becomes director of {company}; in exchange {shares} go to {receiver}.",
            name=NAME.of("new"),
            receiver=By("seat_or_pool"),
        ),
        Line("{name} becomes director of {company}.", name=NAME.of("new")),
    )

    company: str
    old: int | None
    new: int
    certificates: tuple[str, ...]
    receiver: int | None


class PapersClosed(Event, frozen=True, kw_only=True, tag="closed"):
    """Privates have closed."""

    SENTENCE = Line("{list} closes.", "{list} close.", n="papers", list=By("papers").of("papers"))

    papers: tuple[str, ...]


class Exchanged(Event, frozen=True, kw_only=True, tag="exchanged"):
    """A paper has been exchanged for a certificate of `company`, along with its money and trains.
    `seat` is None if the certificate went to the pool. `unpaid`: the certificate pays no dividend
    in this operating round; `idle` are trains that do not run in it any more."""

    SENTENCE = Then(
        If(
            "seat",
            Line(
                "{paper} is exchanged for {share} of {company}, which goes to the pool.",
                paper=By("long_name"),
            ),
            Line("{name} exchanges {paper} for {share} of {company}.", paper=By("long_name")),
            equals=(None,),
        ),
        If(
            "trains",
            If(
                "money",
                Line("{line} {company} takes over {money} and these trains: {list}.", list=TRAINS),
                Line("{line} {company} takes over these trains: {list}.", list=TRAINS),
            ),
            If("money", Line("{line} {company} takes over {money}.")),
        ),
        If("unpaid", Line("{line} The share brings no dividend in this operating round.")),
        If(
            "idle",
            Line(
                "{line} Not to run again in this operating round: {list}.",
                list=By("trains").of("idle"),
            ),
        ),
    )

    seat: int | None
    paper: str
    company: str
    certificate: str
    money: int = 0
    trains: tuple[str, ...] = ()
    unpaid: bool = False
    idle: tuple[str, ...] = ()


class NothingExchanged(Event, frozen=True, kw_only=True, tag="nothing-exchanged"):
    """A player exchanges nothing now."""

    SENTENCE = Line("{name} exchanges nothing.")

    seat: int


class PrivatesPaid(Payment, frozen=True, kw_only=True, tag="privates-paid"):
    """Privates have paid their income: paper, seat or company, and amount."""

    SENTENCE = Line("The privates pay: {list}.", list=By("incomes").of("incomes"))

    incomes: tuple[tuple[str, int | str, int], ...]


class TurnBegan(Event, frozen=True, kw_only=True, tag="turn"):
    """A company begins its turn; `seat` acts for it."""

    SENTENCE = If(
        "seat",
        Line("{company} is next."),
        Line("{company} is next; {name} acts for it."),
        equals=(None,),
    )

    company: str
    seat: int | None


class PassedOver(Event, frozen=True, kw_only=True, tag="passed-over"):
    """A company does not act in this operating round."""

    SENTENCE = Line("{company} does not act in this operating round.")

    company: str


class TileLaid(Event, frozen=True, kw_only=True, tag="tile"):
    """A tile has been laid; `old` is the tile it replaces, `private` whose right was used."""

    SENTENCE = Then(
        If(
            "old",
            Line("{company} replaces tile {old} on {place} by {tile}."),
            Line("{company} lays tile {tile} on {place}."),
        ),
        _COST,
    )

    company: str
    hex: str
    tile: str
    rotation: int
    cost: int = 0
    old: str = ""
    private: str = ""


class StationPlaced(Event, frozen=True, kw_only=True, tag="station"):
    """A station token has been placed."""

    SENTENCE = Then(Line("{company} places a station token in {place}."), _COST)

    company: str
    hex: str
    stop: int
    cost: int = 0
    private: str = ""


class StationsTakenOver(Event, frozen=True, kw_only=True, tag="stations"):
    """Tokens of a closed company have become `company`'s, or have been removed."""

    SENTENCE = If(
        "replaced",
        Line(
            "{company} takes over the station of {old}: {list}.",
            old=By("company").of("old"),
            list=By("stations").of("replaced"),
        ),
        Line(
            "The station of {old} is removed: {list}.",
            old=By("company").of("old"),
            list=By("stations").of("removed"),
        ),
    )

    company: str
    old: str
    replaced: tuple[Station, ...] = ()
    removed: tuple[Station, ...] = ()


class RunEvent(Event, frozen=True, kw_only=True, tag="runs"):
    """A company has run its trains: for each run the train, its value and its stops as hex, number
    and value. `mail` is the additional income of the mail train."""

    SENTENCE = If(
        "runs",
        If(
            "mail",
            Line(
                "{company} earns {revenue}: {runs}. The mail brings it {mail}.",
                runs=Each(By("run"), "; "),
            ),
            Line("{company} earns {revenue}: {runs}.", runs=Each(By("run"), "; ")),
        ),
        Line("{company} earns nothing."),
    )

    company: str
    revenue: int
    runs: tuple[tuple[str, int, tuple[tuple[str, int, int], ...]], ...]
    mail: int = 0


class RevenueEntered(Event, frozen=True, kw_only=True, tag="revenue-entered"):
    """A company's revenue has been entered; `best` is the highest its trains can earn."""

    SENTENCE = Line("The revenue of {company} is entered as {revenue}; its best runs earn {best}.")

    company: str
    revenue: int
    best: int


class DividendPaid(Payment, frozen=True, kw_only=True, tag="dividend"):
    """Revenue has been paid out; `treasury` went to the company itself."""

    SENTENCE = If(
        "is_shared",
        If(
            By("ruleset.is_minor").of("company"),
            Line(
                "{company} splits {revenue}: {list}.", list=By("shared").of("amounts", "treasury")
            ),
            Line(
                "{company} pays out {revenue}: {list}.", list=By("shared").of("amounts", "treasury")
            ),
        ),
        Line("{company} pays out {revenue}."),
    )

    company: str
    revenue: int
    treasury: int

    @property
    def is_shared(self) -> bool:
        """Whether anything has been paid."""
        return any((*self.amounts, self.treasury))


class Withheld(Event, frozen=True, kw_only=True, tag="saved"):
    """The whole revenue went into the treasury; `bank` is the part that repaid a debt."""

    SENTENCE = If(
        "bank",
        Line("{company} withholds {revenue}; {bank} of it pay off its debt."),
        If("revenue", Line("{company} withholds {revenue}."), Line("{company} pays no dividend.")),
    )

    company: str
    revenue: int
    bank: int = 0


class TrainBought(Payment, frozen=True, kw_only=True, tag="train"):
    """A train has been bought from `source`: bank, pool or a company. `added` came from the
    director, `lent` from the bank."""

    BOUGHT = If(
        "source",
        Line("{company} buys a {train} for {price}."),
        If(
            "source",
            Line("{company} buys a {train} from the pool for {price}."),
            Line(
                "{company} buys a {train} from {owner} for {price}.",
                owner=By("company").of("source"),
            ),
            equals=(POOL,),
        ),
        equals=(BANK, STACK),
    )
    LENT = If("lent", Line("{line} The bank lends {amount}.", amount=MONEY.of("lent")))
    SENTENCE = Then(
        BOUGHT,
        If("added", Line("{line} The director adds {amount}.", amount=MONEY.of("added"))),
        LENT,
    )

    company: str
    train: str
    source: str
    price: int
    added: int = 0
    lent: int = 0

    @property
    def payer(self) -> int | None:
        """Seat that has added money."""
        return next((seat for seat, amount in enumerate(self.amounts) if amount < 0), None)


class OfferMade(Event, frozen=True, kw_only=True, tag="offer"):
    """A company offers a price for a train of another, operated by `seat`."""

    SENTENCE = Line("{company} offers {owner} {price} for a {train}; {name} decides.")

    company: str
    owner: str
    train: str
    price: int
    seat: int


class PriceAsked(Event, frozen=True, kw_only=True, tag="asked"):
    """The owner of a train asks another price than was offered; `seat` decides."""

    SENTENCE = Line("{owner} asks {company} for {price} for the {train}; {name} decides.")

    company: str
    owner: str
    train: str
    price: int
    seat: int


class OfferRefused(Event, frozen=True, kw_only=True, tag="refused"):
    """An offer has been refused, or in a `counter` the asked price."""

    SENTENCE = If(
        "counter",
        Line("{name} does not pay {owner} {price} for the {train}."),
        Line("{name} refuses {price} of {company} for the {train}."),
    )

    seat: int
    company: str
    owner: str
    train: str
    price: int
    counter: bool = False


class TrainsRusted(Event, frozen=True, kw_only=True, tag="scrapped"):
    """Trains have rusted; `trains` are owner, train and number."""

    SENTENCE = Line("Trains rust: {list}.", list=By("rusted").of("trains"))

    trains: tuple[tuple[str, str, int], ...]


class TrainsDiscarded(Event, frozen=True, kw_only=True, tag="discarded"):
    """A company has discarded trains above its limit to the pool."""

    SENTENCE = Line("{company} gives trains above its limit to the pool: {list}.", list=TRAINS)

    company: str
    trains: tuple[str, ...]


class Bankrupt(Payment, frozen=True, kw_only=True, tag="bankrupt"):
    """A player has left the game; `certificates` went to the pool."""

    SENTENCE = If(
        "certificates",
        Line(
            "{name} is bankrupt and out of the game; into the pool go {list}.",
            list=By("lost").of("certificates"),
        ),
        Line("{name} is bankrupt and out of the game."),
    )

    seat: int
    company: str
    certificates: tuple[tuple[str, str], ...]


class ManagerFound(Event, frozen=True, kw_only=True, tag="manager"):
    """A player temporarily manages a company without a director."""

    SENTENCE = Line("{name} acts for {company} until it has a director.")

    company: str
    seat: int


class BankBroken(Event, frozen=True, kw_only=True, tag="bank-broken"):
    """The bank has no money left; the game ends after this operating round, or the first one after
    this stock round, unless `last` names another: number and part of the last round, part 0 for a
    stock round."""

    SENTENCE = If(
        "last",
        If(
            "last_part",
            Line(
                "The bank has no money left; the game ends after operating round {number}.{part}.",
                number="last_number",
                part="last_part",
            ),
            Line("The bank has no money left; the game ends after this stock round."),
        ),
        If(
            "in_stock_round",
            Line(
                "The bank has no money left; the game ends after this stock round and one more "
                "operating round."
            ),
            Line("The bank has no money left; the game ends after this operating round."),
        ),
    )

    in_stock_round: bool = False
    last: tuple[int, ...] = ()

    @property
    def last_number(self) -> int:
        """Number of the last round, if named."""
        return self.last[0]

    @property
    def last_part(self) -> int:
        """Part of the last round, if named."""
        return self.last[1]


class Noted(Event, frozen=True, kw_only=True, tag="noted"):
    """The bank could not pay in full: holders, and the amounts noted for them."""

    SENTENCE = Line(
        "The bank has not enough money; noted for the final scoring: {list}.",
        list=Each(By("receiver_sum"), ", ").of("notes"),
    )

    notes: tuple[tuple[str, int], ...]


class Ended(Event, frozen=True, kw_only=True, tag="ended"):
    """The game is over: cash, noted credits and value of the shares of every player."""

    SENTENCE = Line("The game is over: {list}.", list=By("sums").of("cash", "noted", "shares"))

    cash: tuple[int, ...]
    shares: tuple[int, ...]
    noted: tuple[int, ...] = ()


#: Events to announce to everyone at once.
ANNOUNCED = (
    PhaseBegan,
    Floated,
    Nationalised,
    DirectorChanged,
    PapersClosed,
    TrainsRusted,
    Bankrupt,
    BankBroken,
    Ended,
)
