"""What happens in an 18xx title. `seat` is the player who acts, None for nobody."""

from __future__ import annotations

from typing import ClassVar

from kursbuch.core.events import Event, Payment
from kursbuch.games.g18xx.map.track import Station


class StockRoundBegan(Event, frozen=True, kw_only=True, tag="stock-round"):
    """A stock round begins with the holder of the priority marker."""

    number: int
    seat: int


class StockRoundEnded(Event, frozen=True, kw_only=True, tag="stock-round-ended"):
    """A stock round has ended; `seat` holds the priority marker from now on."""

    number: int
    seat: int


class OperatingRoundBegan(Event, frozen=True, kw_only=True, tag="operating-round"):
    """Operating round `part` of `parts` after stock round `number` begins."""

    number: int
    part: int
    parts: int


class PhaseBegan(Event, frozen=True, kw_only=True, tag="phase"):
    """The first train of a type has been bought; `phase` is an id of the phase table."""

    phase: str
    train: str


class PaperBought(Payment, frozen=True, kw_only=True, tag="paper-bought"):
    """A paper of the start packet has been bought; `free` is the certificate that comes with it."""

    EXCHANGE: ClassVar[bool] = True

    seat: int
    paper: str
    price: int
    company: str = ""
    free: str = ""


class Passed(Event, frozen=True, kw_only=True, tag="passed"):
    """A player has neither bought nor sold in his turn; `able` if he could have bought something."""

    seat: int
    able: bool = True


class ShareBought(Payment, frozen=True, kw_only=True, tag="share-bought"):
    """A certificate has been bought from `source`; `receiver` got the money."""

    EXCHANGE: ClassVar[bool] = True

    seat: int
    company: str
    certificate: str
    source: str
    price: int
    receiver: str


class Nationalised(Payment, frozen=True, kw_only=True, tag="nationalised"):
    """A certificate has been taken from another player."""

    EXCHANGE: ClassVar[bool] = True

    seat: int
    company: str
    certificate: str
    player: int
    price: int


class SharesSold(Payment, frozen=True, kw_only=True, tag="shares-sold"):
    """Certificates have been sold to the pool."""

    EXCHANGE: ClassVar[bool] = True

    seat: int
    company: str
    certificates: tuple[str, ...]
    proceeds: int


class PriceMoved(Event, frozen=True, kw_only=True, tag="price"):
    """A price marker has moved; `why` is dividend, saved, sold or sold-out."""

    company: str
    before: str
    after: str
    price: int
    why: str


class Floated(Event, frozen=True, kw_only=True, tag="floated"):
    """A company has gone into operation; the bank has paid it `treasury`. `cell` is empty for one
    without a price."""

    company: str
    treasury: int
    cell: str = ""


class DirectorChanged(Event, frozen=True, kw_only=True, tag="director"):
    """A company has a new director. `certificates` were given for the director's certificate; they
    went to `receiver`: a seat, or None for the pool. `old` is None if there was none."""

    company: str
    old: int | None
    new: int
    certificates: tuple[str, ...]
    receiver: int | None


class PapersClosed(Event, frozen=True, kw_only=True, tag="closed"):
    """Private railways have closed."""

    papers: tuple[str, ...]


class Exchanged(Event, frozen=True, kw_only=True, tag="exchanged"):
    """A paper has been exchanged for a certificate of `company`; money and trains went with it.
    `seat` is None if the certificate went to the pool. `unpaid`: the certificate brings no dividend in
    this operating round; `idle` are trains that do not run in it any more."""

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

    seat: int


class PrivatesPaid(Payment, frozen=True, kw_only=True, tag="privates-paid"):
    """Private railways have paid their income: paper, seat or company, and amount."""

    incomes: tuple[tuple[str, int | str, int], ...]


class TurnBegan(Event, frozen=True, kw_only=True, tag="turn"):
    """A company begins its turn; `seat` acts for it."""

    company: str
    seat: int | None


class PassedOver(Event, frozen=True, kw_only=True, tag="passed-over"):
    """A company does not act in this operating round."""

    company: str


class TileLaid(Event, frozen=True, kw_only=True, tag="tile"):
    """A tile has been laid; `old` is the tile it replaces, `private` whose right was used."""

    company: str
    hex: str
    tile: str
    rotation: int
    cost: int = 0
    old: str = ""
    private: str = ""


class StationPlaced(Event, frozen=True, kw_only=True, tag="station"):
    """A station marker has been placed."""

    company: str
    hex: str
    stop: int
    cost: int = 0
    private: str = ""


class StationsTakenOver(Event, frozen=True, kw_only=True, tag="stations"):
    """Markers of a company that is no more have become `company`'s, or have been removed."""

    company: str
    old: str
    replaced: tuple[Station, ...] = ()
    removed: tuple[Station, ...] = ()


class RunEvent(Event, frozen=True, kw_only=True, tag="runs"):
    """A company has run its trains: for every run the train, its value and the stops it calls at
    as hex, number of the stop and value. `mail` is what the mail train has earned beside it."""

    company: str
    revenue: int
    runs: tuple[tuple[str, int, tuple[tuple[str, int, int], ...]], ...]
    mail: int = 0


class RevenueEntered(Event, frozen=True, kw_only=True, tag="revenue-entered"):
    """The revenue of a company has been entered; `best` is the highest its trains can earn."""

    company: str
    revenue: int
    best: int


class DividendPaid(Payment, frozen=True, kw_only=True, tag="dividend"):
    """Revenue has been paid out; `treasury` went to the company itself."""

    company: str
    revenue: int
    treasury: int


class Withheld(Event, frozen=True, kw_only=True, tag="saved"):
    """The whole revenue went into the treasury; `bank` is the part that repaid a debt."""

    company: str
    revenue: int
    bank: int = 0


class TrainBought(Payment, frozen=True, kw_only=True, tag="train"):
    """A train has been bought from `source`: bank, pool or a company. `added` is what the director
    put in, `lent` what the bank did."""

    company: str
    train: str
    source: str
    price: int
    added: int = 0
    lent: int = 0


class OfferMade(Event, frozen=True, kw_only=True, tag="offer"):
    """A company offers a price for a train of another, whose decision maker is `seat`."""

    company: str
    owner: str
    train: str
    price: int
    seat: int


class PriceAsked(Event, frozen=True, kw_only=True, tag="asked"):
    """The owner of a train asks for another price than was offered; `seat` decides about it."""

    company: str
    owner: str
    train: str
    price: int
    seat: int


class OfferRefused(Event, frozen=True, kw_only=True, tag="refused"):
    """The offer has been refused; if it was a `counter`, the price the owner asked for."""

    seat: int
    company: str
    owner: str
    train: str
    price: int
    counter: bool = False


class TrainsRusted(Event, frozen=True, kw_only=True, tag="scrapped"):
    """Trains have left the game; `trains` are owner, train and number."""

    trains: tuple[tuple[str, str, int], ...]


class TrainsDiscarded(Event, frozen=True, kw_only=True, tag="discarded"):
    """A company has given trains above its limit to the pool."""

    company: str
    trains: tuple[str, ...]


class Bankrupt(Payment, frozen=True, kw_only=True, tag="bankrupt"):
    """A player has left the game; `certificates` went to the pool."""

    seat: int
    company: str
    certificates: tuple[tuple[str, str], ...]


class ManagerFound(Event, frozen=True, kw_only=True, tag="manager"):
    """A company without a director is run by a player for the time being."""

    company: str
    seat: int


class BankBroken(Event, frozen=True, kw_only=True, tag="bank-broken"):
    """The bank has no money left; the game ends after this operating round, or the first one after this
    stock round, if `last` does not name another: the number and the part of the last round, part 0 for a stock
    round."""

    in_stock_round: bool = False
    last: tuple[int, ...] = ()


class Noted(Event, frozen=True, kw_only=True, tag="noted"):
    """The bank had not enough for what has just been paid: holders, and what is noted for them."""

    notes: tuple[tuple[str, int], ...]


class Ended(Event, frozen=True, kw_only=True, tag="ended"):
    """The game is over: cash, noted credits and value of the shares of every player."""

    cash: tuple[int, ...]
    shares: tuple[int, ...]
    noted: tuple[int, ...] = ()


#: What everybody should hear of at once.
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
