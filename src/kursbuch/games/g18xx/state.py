"""The state of an 18xx game, as plain data.

Items of the ledger and their holders, beside players ("p0", "p1" …) and companies (their ids):

- `money`: `bank`, which goes below zero only where the table wants that;
- `note`: what the bank could not pay; `bank` has it as a negative number;
- certificates ("BY:20P", "BY:10"): `stack` (new shares), `pool`, `packet`, `exchange` (given for
  papers only);
- papers ("paper:NF", "paper:1"): `packet`, and `box` once they are closed;
- trains ("train:2+2"): `stack`, `pool`, and `box` once they are scrapped;
- station markers ("marker:BY"): the company while they are not placed, then `map`.
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
    """The options of a table that the shared rules know; a title adds its own.

    - `free_track`: tiles and markers need no connection;
    - `unlimited_tiles`: there are as many tiles of a kind as are wanted [tile-supply];
    - `printed_upgrades`: tiles are replaced only as the book's table says [upgrade-table];
    - `routes_by_hand`: the director may choose the runs [revenue];
    - `free_revenue`: a revenue may be entered that is not the highest [entered-revenue];
    - `one_sale_price`: all sales of one company in one turn are made at the price of the first, as one
      sale [sale];
    - `pays_beyond_bank`: payments are made in full when the bank has no money left [bank-broken];
    - `nationalised_down`: the price of shares taken from others is rounded down [nationalisation];
    - `distance_by_track`: the distance of a marker is counted over sides that track can cross
      [station-cost];
    - `sell_beyond_need`: a forced sale may bring more than is needed [forced-sale].
    """

    free_track: bool = False
    unlimited_tiles: bool = False
    printed_upgrades: bool = False
    routes_by_hand: bool = False
    free_revenue: bool = False
    one_sale_price: bool = False
    pays_beyond_bank: bool = False
    nationalised_down: bool = False
    distance_by_track: bool = False
    sell_beyond_need: bool = False


class Company(msgspec.Struct, omit_defaults=True):
    """What changes about a company, apart from what it holds.

    `operating`: it is in operation; `worked`: it has finished a turn of its own; `closed`: it is no
    more. `cell` is the field of its price marker, `revenue` what it earned last, `debt` what it owes
    the bank. `holders` are the players with shares of it in the order in which they began to hold
    some, where that matters (`Policy.ties`).
    """

    operating: bool = False
    worked: bool = False
    closed: bool = False
    cell: str = ""
    revenue: int = 0
    debt: int = 0
    holders: list[int] = msgspec.field(default_factory=list)


class Round(msgspec.Struct):
    """The round being played: a stock round by its number, or operating round `part` of `parts`
    after that stock round. `part` is 0 in a stock round.

    In a stock round `passed` are the seats that have had a turn without a purchase since the last
    purchase, even if they have sold something in it; `buyer` is the seat of the last purchase (None:
    none yet), and `sold` has for every seat the companies of which it has sold shares.

    In an operating round `acted` are the companies that have had their turn, `paid` the papers that
    have brought income in it, `ran` the trains that have run in it, by the company that has them.
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
    """A stock round is to begin."""

    number: int


class EndStockRound(Step, tag="end-stock-round"):
    """A stock round is to end."""


class StockTurn(Step, tag="stock-turn"):
    """A turn in a stock round. `asked` once it is clear that the player can do something, `bought`
    once a share has been bought, `acted` once anything has been done; `prices` are those at which
    shares of a company have been sold in this turn."""

    seat: int
    asked: bool = False
    bought: bool = False
    acted: bool = False
    prices: dict[str, int] = msgspec.field(default_factory=dict)


class OperatingRound(Step, tag="operating-round"):
    """An operating round is to begin; `part` counts from 1."""

    part: int


class Income(Step, tag="income"):
    """The private railways are to pay."""


class NextCompany(Step, tag="next-company"):
    """The next company is to act, or the operating round to end."""


class OfCompany(Step):
    """A step of a company's turn."""

    company: str


class Build(OfCompany, tag="build"):
    """A company may lay tiles: `laid` are the hexes of those it has laid in this turn, the free
    ones of private railways not counted."""

    laid: list[str] = msgspec.field(default_factory=list)
    asked: bool = False


class PlaceToken(OfCompany, tag="place"):
    """A company may place a station marker; `placed` once it has."""

    placed: bool = False
    asked: bool = False


class Run(OfCompany, tag="run"):
    """A company is to run its trains."""


class Pay(Step, tag="pay"):
    """The director decides what is done with the revenue."""

    company: str
    revenue: int


class BuyTrains(OfCompany, tag="buy-trains"):
    """A company may buy trains, or has to. `offered` are the prices it has offered in this turn for a
    type of train, by the company that owns it and the type ("SX 2+2"), `demanded` those its owner has
    named instead; `bought` says that it has bought one."""

    asked: bool = False
    bought: bool = False
    offered: dict[str, list[int]] = msgspec.field(default_factory=dict)
    demanded: dict[str, list[int]] = msgspec.field(default_factory=dict)


class TrainOffer(Step, tag="train-offer"):
    """A company has offered `price` for a train of `owner`; if it is a `counter`, the owner asks for
    that price instead."""

    company: str
    owner: str
    train: str
    price: int
    counter: bool = False


class RaiseMoney(Step, tag="raise-money"):
    """The director has to sell shares to pay for a train from `source`; `ruined` if it is certain
    that he cannot. `prices` are those at which shares of a company have been sold for it, `noted` is
    what the bank could not pay for them: it is set off against the train."""

    company: str
    train: str
    source: str
    ruined: bool = False
    prices: dict[str, int] = msgspec.field(default_factory=dict)
    noted: int = 0


class Limits(Step, tag="limits"):
    """The train limits are to be looked at; the player of `seat` gives back first."""

    seat: int


class Surplus(Step, tag="surplus"):
    """These companies have more trains than the limit allows; the first gives trains back now."""

    companies: list[str]


class Swap(Step, tag="swap"):
    """The old director chooses what he gets for the director's certificate; `to_pool` if that goes
    to the pool, because he has sold the director's certificate."""

    company: str
    old: int
    new: int
    to_pool: bool = False


class Home(Step, tag="home"):
    """The director chooses the city in which the company has its home on a hex."""

    company: str
    hex: str


class EndTurn(Step, tag="end-turn"):
    """A company's turn is to end."""

    company: str


class EndGame(Step, tag="end-game"):
    """The game is to be scored."""


#: The steps that every 18xx title has.
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
    """What changes during every 18xx game.

    `phase` is a line of the phase table, `priority` the holder of the priority marker; `chart` has
    for every field with markers the companies from top to bottom; `layout` the tiles and stations on
    the map. `broken` is the kind of round in which the bank ran dry ("stock" or "operating"), empty
    as long as it has not. `out` are the seats that have gone bankrupt.
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
        """The seats in the order in which people sit."""
        return range(self.seats)


AnyState = EighteenState[Any]
StateT = TypeVar("StateT", bound="EighteenState[Any]")


# ---- positions as numbers

#: Maximum number of tiles laid in one turn that are told.
LAID = 4


def encoding(
    components: Components,
    seats: int,
    words: Sequence[str] = (),
    sizes: Mapping[str, Size] | None = None,
    purses: Sequence[str] = (),
) -> Encoding:
    """The words and sizes of a game with a number of seats; a title adds its own, and who else can hold
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
    return Encoding(tuple(dict.fromkeys(found)), holders, each)
