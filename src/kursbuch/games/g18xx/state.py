"""State of an 18xx game, as plain data.

Ledger items and their holders, besides players ("p0", "p1" …) and companies (their ids):

- `money`: `bank`, below zero only if the table allows that;
- `note`: what the bank could not pay, with a negative number for `bank`;
- certificates ("BY:20P", "BY:10"): `stack` (initial offering), `pool`, `packet`, `exchange` (only
  for papers);
- papers ("paper:NF", "paper:1"), which are privates and minors: `packet`, and `box` once closed;
- trains ("train:2+2"): `stack`, `pool`, and `box` once rusted;
- station tokens ("marker:BY"): the company until placed, then `map`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from kursbuch.core.state import (
    Counted,
    Encoding,
    Keyed,
    LeftOut,
    Listed,
    Ranked,
    Size,
    State,
    Step,
)
from kursbuch.games.g18xx.components import (
    BANK,
    BOX,
    EXCHANGE_SHARES,
    MAP,
    PACKET,
    PERCENT,
    PLAYERS,
    POOL,
    STACK,
    Components,
)
from kursbuch.games.g18xx.map.track import Layout


class Variants(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Options of a table that the shared rules know; titles add their own."""

    #: Tiles and tokens need no connection.
    free_track: bool = False
    #: Any number of tiles of each type [tile-supply].
    unlimited_tiles: bool = False
    #: Only upgrades in the rulebook's table [upgrade-table].
    printed_upgrades: bool = False
    #: The director may choose the runs [revenue].
    routes_by_hand: bool = False
    #: Any revenue may be entered [entered-revenue].
    free_revenue: bool = False
    #: All sales of a company in a turn count as one, at the first price [sale].
    one_sale_price: bool = False
    #: The bank pays in full without money left [bank-broken].
    pays_beyond_bank: bool = False
    #: The price of nationalised shares is rounded down [nationalisation].
    nationalised_down: bool = False
    #: Token distances are measured over sides that track can cross [station-cost].
    distance_by_track: bool = False
    #: A forced sale may bring more than needed [forced-sale].
    sell_beyond_need: bool = False


class Company(msgspec.Struct, omit_defaults=True):
    """State of a company beyond its holdings.

    `operating`: it has floated; `worked`: it has finished a turn; `closed`: it is out of the game.
    `cell` is its market cell, `revenue` its last revenue, `debt` its debt to the bank. `holders`
    are its shareholders in the order they began to hold shares, where that matters (`Policy.ties`).
    """

    operating: bool = False
    worked: bool = False
    closed: bool = False
    cell: str = ""
    revenue: int = 0
    debt: int = 0
    holders: list[int] = msgspec.field(default_factory=list)


class Round(msgspec.Struct):
    """The current round: stock round `number`, or operating round `part` of `parts` after it.
    `part` is 0 in a stock round.

    In a stock round `passed` are the seats whose last turn had no purchase since the last purchase,
    with or without sales; `buyer` is the seat of the last purchase (None: none yet), and `sold` has
    the companies sold by each seat.

    In an operating round `acted` are the companies that have had their turn, `paid` the papers that
    have paid income, `ran` the trains that have run, by their company.
    """

    number: int
    part: int = 0
    parts: int = 0
    passed: list[int] = msgspec.field(default_factory=list, name="idle")
    buyer: int | None = None
    sold: list[list[str]] = msgspec.field(default_factory=list)
    acted: list[str] = msgspec.field(default_factory=list)
    paid: list[str] = msgspec.field(default_factory=list)
    ran: dict[str, list[str]] = msgspec.field(default_factory=dict)


class StockRound(Step, tag="stock-round"):
    """A stock round begins."""

    number: int


class EndStockRound(Step, tag="end-stock-round"):
    """A stock round ends."""


class StockTurn(Step, tag="stock-turn"):
    """A stock turn. `asked` once the player can do something, `bought` after a purchase, `acted`
    after any action; `prices` are the sale prices of companies in this turn."""

    seat: int
    asked: bool = False
    bought: bool = False
    acted: bool = False
    prices: dict[str, int] = msgspec.field(default_factory=dict)


class OperatingRound(Step, tag="operating-round"):
    """An operating round begins; `part` counts from 1."""

    part: int


class Income(Step, tag="income"):
    """Privates pay their income."""


class NextCompany(Step, tag="next-company"):
    """The next company acts, or the operating round ends."""


class OfCompany(Step):
    """A step of a company's turn."""

    company: str


class Build(OfCompany, tag="build"):
    """A company may lay tiles; `laid` are the hexes of this turn's tiles, except free ones of
    privates."""

    laid: list[str] = msgspec.field(default_factory=list)
    asked: bool = False


class PlaceToken(OfCompany, tag="place"):
    """A company may place a station token; `placed` once it has."""

    placed: bool = False
    asked: bool = False


class Run(OfCompany, tag="run"):
    """A company runs its trains."""


class Pay(OfCompany, tag="pay"):
    """The director pays out or withholds the revenue."""

    revenue: int


class BuyTrains(OfCompany, tag="buy-trains"):
    """A company may buy trains, or has to. `offered` are the prices it has offered in this turn, by
    owner and train type ("SX 2+2"), `demanded` those the owner has asked; `bought` after a
    purchase."""

    asked: bool = False
    bought: bool = False
    offered: dict[str, list[int]] = msgspec.field(default_factory=dict)
    demanded: dict[str, list[int]] = msgspec.field(default_factory=dict)


class TrainOffer(Step, tag="train-offer"):
    """A company has offered `price` for a train of `owner`; in a `counter` the owner asks that
    price."""

    company: str
    owner: str
    train: str
    price: int
    counter: bool = False


class RaiseMoney(Step, tag="raise-money"):
    """The director has to sell shares for a train from `source`; `ruined` if the sales certainly
    cannot suffice. `prices` are the sale prices of companies so far; `noted` is unpaid credit from
    the sales, set off against the train."""

    company: str
    train: str
    source: str
    ruined: bool = False
    prices: dict[str, int] = msgspec.field(default_factory=dict)
    noted: int = 0


class Limits(Step, tag="limits"):
    """Train limits are to be checked; the player of `seat` discards first."""

    seat: int


class Surplus(Step, tag="surplus"):
    """Companies above the train limit; the first discards now."""

    companies: list[str]


class Swap(Step, tag="swap"):
    """The old director chooses certificates in exchange; they go to the pool with `to_pool`, if the
    director's certificate was sold."""

    company: str
    old: int
    new: int
    to_pool: bool = False


class Home(Step, tag="home"):
    """The director chooses the city of the company's home on a hex."""

    company: str
    hex: str


class EndTurn(Step, tag="end-turn"):
    """A company's turn ends."""

    company: str


class EndGame(Step, tag="end-game"):
    """The game is scored."""


#: Steps of every 18xx title.
EighteenStep = (
    StockRound
    | StockTurn
    | EndStockRound
    | OperatingRound
    | Income
    | NextCompany
    | Build
    | PlaceToken
    | Run
    | Pay
    | BuyTrains
    | TrainOffer
    | RaiseMoney
    | Limits
    | Surplus
    | Swap
    | Home
    | EndTurn
    | EndGame
)
StepT = TypeVar("StepT", bound=Step)


class EighteenState(State[StepT], kw_only=True):
    """State of every 18xx game.

    `phase` is a row of the phase table, `priority` the holder of the priority deal; `chart` lists
    the companies on each market cell from top to bottom; `layout` has the tiles and stations on the
    map. `broken` is the kind of round in which the bank broke ("stock" or "operating"), or empty.
    `out` are bankrupt seats.
    """

    house: Variants
    phase: int
    round: Round
    priority: int
    companies: dict[str, Company]
    chart: dict[str, list[str]]
    layout: Layout
    broken: str = ""
    out: list[int] = msgspec.field(default_factory=list)

    def clockwise(self) -> Sequence[int]:
        """Seats in seating order."""
        return range(self.seats)


AnyState = EighteenState[Any]
StateT = TypeVar("StateT", bound="EighteenState[Any]")


# ---- positions as numbers

#: Maximum number of tiles of one turn in the encoding.
LAID = 4


#: Fields that hold seats.
OF_SEATS = (
    *("asked", "buyer", "claimant", "director", "former", "holders", "out", "passed", "priority"),
    *("seat", "seating", "seats", "swap.new", "swap.old", "waiting"),
)


def encoding(
    components: Components,
    seats: int,
    words: Sequence[str] = (),
    sizes: Mapping[str, Size] | None = None,
    purses: Sequence[str] = (),
) -> Encoding:
    """Encoding of a game with this number of seats; titles add words, sizes, and further holders of
    money."""
    players = PLAYERS[:seats]
    public = tuple(components.public)
    companies = (*public, *components.minors)
    papers = (*components.minors, *components.privates)
    trains = components.train_order
    hexes = components.board.names
    file = components.file.companies
    markers = sum(record.station_markers for record in file.public) + len(components.minors)
    by_kind = {
        "money": (BANK, *players, *companies, *purses),
        "note": (BANK, *players, *companies),
        "paper": (PACKET, POOL, BOX, *players),
        "train": (STACK, POOL, BOX, *companies),
    }
    shares = (STACK, POOL, PACKET, EXCHANGE_SHARES, BOX, *players)

    def holders(item: str) -> Sequence[str]:
        kind, _, name = item.partition(":")
        return (MAP, BOX, name) if kind == "marker" else by_kind.get(kind, shares)

    found = (
        *companies,
        *components.privates,
        *hexes,
        *components.board.tiles,
        *trains,
        *PERCENT,
        *(STACK, POOL, BANK),
        *components.chart.price,
        *("stock", "operating"),
        *words,
    )
    each: dict[str, Size] = {
        "house": LeftOut(),
        "round.sold": Listed(seats, Counted(companies)),
        "round.acted": Counted(companies),
        "round.paid": Counted(papers),
        "round.ran": Keyed(companies, Counted(trains)),
        "companies": Keyed(companies),
        "chart": Ranked(public),
        "layout.tiles": Keyed(hexes),
        "layout.stations": Listed(markers),
        "stock-turn.prices": Keyed(companies),
        "build.laid": Listed(LAID),
        "buy-trains.offered": LeftOut(),
        "buy-trains.demanded": LeftOut(),
        "raise-money.prices": Keyed(companies),
        "surplus.companies": Counted(companies),
        **(sizes or {}),
    }
    return Encoding(tuple(dict.fromkeys(found)), holders, each, OF_SEATS)
