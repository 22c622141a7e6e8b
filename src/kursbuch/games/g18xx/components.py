"""Components of an 18xx title: companies, certificates, stock market chart, trains and phases, read
from its data file and from variant files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import ClassVar, Literal

import msgspec

from kursbuch.core.errors import KursbuchError, require
from kursbuch.games.g18xx.map.board import (
    COLOURS,
    GAUGES,
    MAX_HEXES,
    MAX_STOPS,
    Board,
    BoardFile,
    first_twice,
)
from kursbuch.games.g18xx.map.routes import Train
from kursbuch.games.g18xx.map.track import TrackMap


def cell_name(column: int, row: int) -> str:
    """Name of a cell; columns and rows count from 0.

    >>> cell_name(0, 0), cell_name(25, 2), cell_name(26, 0), cell_name(53, 0)
    ('A1', 'Z3', 'AA1', 'BB1')
    """
    letters = ""
    while column >= 0:
        column, letter = column // 26 - 1, column % 26
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row + 1}"


def column_and_row(name: str) -> tuple[int, int]:
    """Column and row of a cell.

    >>> column_and_row("A1"), column_and_row("Z3"), column_and_row("BB1")
    ((0, 0), (25, 2), (53, 0))
    """
    letters = name.rstrip("0123456789")
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - ord("A") + 1
    return column - 1, int(name[len(letters) :]) - 1


class Chart:
    """Grid of share prices; None is no cell.

    `right`, `left`, `up` and `down` map each cell to the one a price marker moves to, or to itself
    where it cannot move. At the right edge a marker goes up, at the left edge down.

    >>> chart = Chart([[None, 98, 108], [82, 86, 92], [78, 84, None]])
    >>> chart.right["B2"], chart.right["C2"], chart.left["A2"], chart.down["B3"], chart.up["A2"]
    ('C2', 'C1', 'A3', 'B3', 'A2')
    >>> chart.price["C1"]
    108
    """

    def __init__(self, grid: Sequence[Sequence[int | None]]) -> None:
        if not grid or not max(len(row) for row in grid):
            raise KursbuchError("The stock market has no spaces.")
        self.price = {
            cell_name(column, row): value
            for row, values in enumerate(grid)
            for column, value in enumerate(values)
            if value is not None
        }
        self.right = {name: self._go(name, (1, 0), (0, -1)) for name in self.price}
        self.left = {name: self._go(name, (-1, 0), (0, 1)) for name in self.price}
        self.up = {name: self._go(name, (0, -1)) for name in self.price}
        self.down = {name: self._go(name, (0, 1)) for name in self.price}
        #: Sort key of each cell in operating order: higher prices first, then further right.
        self.rank = {name: (-price, -column_and_row(name)[0]) for name, price in self.price.items()}

    def _go(self, name: str, *ways: tuple[int, int]) -> str:
        column, row = column_and_row(name)
        for columns, rows in ways:
            other = cell_name(column + columns, row + rows)
            if other in self.price:
                return other
        return name


#: Company colours that the drawing knows.
COMPANY_COLOURS = (
    "blue", "red", "brown", "yellow", "green", "black", "violet", "gray", "orange", "white",
    "dark green", "dark blue", "purple", "light blue",
)  # fmt: skip


class HomeRecord(msgspec.Struct, frozen=True):
    """A company's home; `stop` is null if the company chooses one of `choice`."""

    hex: str
    stop: str | None
    city: str = ""
    choice: list[str] = []

    @property
    def number(self) -> int | None:
        """Number of the stop on the printed hex."""
        return None if self.stop is None else int(self.stop[1:])


class CertificateRecord(msgspec.Struct, frozen=True):
    """One certificate: where it starts, and the private or minor it comes with."""

    percent: int
    where: Literal["stack", "start packet", "exchange"]
    director: bool = False
    item: str = ""
    free: bool = False


class PublicRecord(msgspec.Struct, frozen=True):
    """A share company. `par` is the price of 10 percent; without it players set the par, and the
    company has no starting cell."""

    id: str
    name: str
    color: str
    station_markers: int
    home: HomeRecord | tuple[HomeRecord, ...]
    certificates: list[CertificateRecord]
    par: int = 0
    group: int = 0
    ids_elsewhere: dict[str, str] = {}


class ExchangeRecord(msgspec.Struct, frozen=True):
    """The share that a private or minor is exchanged for."""

    company: str
    percent: int
    director: bool = False


class MinorRecord(msgspec.Struct, frozen=True):
    """A minor: a company with a single owner."""

    id: str
    name: str
    price: int
    treasury: int
    home: HomeRecord
    exchange: ExchangeRecord
    ids_elsewhere: dict[str, str] = {}


class PrivateRecord(msgspec.Struct, frozen=True):
    """A private with a fixed income. `colour` is printed on its certificate, in titles that have
    one."""

    id: str
    name: str
    price: int
    income: int
    colour: str = msgspec.field(default="", name="mark")
    ids_elsewhere: dict[str, str] = {}


class CompaniesRecord(msgspec.Struct, frozen=True):
    """All companies of the file."""

    public: tuple[PublicRecord, ...]
    minors: tuple[MinorRecord, ...] = ()
    privates: tuple[PrivateRecord, ...] = ()


class MarketRecord(msgspec.Struct, frozen=True):
    """The stock market chart, and the starting cell (row, column) of each company."""

    grid: list[list[int | None]]
    start: dict[str, tuple[int, int]]


class RangeRecord(msgspec.Struct, frozen=True):
    """Range of a train: stops of any kind, plus further small towns (null: unlimited)
    [run-range]."""

    any: int
    towns: int | None = 0

    @property
    def further(self) -> int:
        """Number of small towns that do not count against `any`."""
        return MAX_HEXES * MAX_STOPS if self.towns is None else self.towns


class TrainRecord(msgspec.Struct, frozen=True):
    """A train type; the first purchase of `scrapped_by` rusts it, and `gauge` is its gauge besides
    dual, if not standard."""

    id: str
    count: int
    price: int
    range: RangeRecord
    scrapped_by: str | None = None
    gauge: Literal["standard", "metre"] | msgspec.UnsetType = msgspec.UNSET


class LimitRecord(msgspec.Struct, frozen=True):
    """Train limit by kind of company."""

    minor: int | None = None
    public: int | None = msgspec.field(default=None, name="major")


class LaysRecord(msgspec.Struct, frozen=True):
    """Number of tiles a company may lay in its turn."""

    minor: int
    public: int


class PhaseRecord(msgspec.Struct, frozen=True):
    """A phase: what holds from the first purchase of its train."""

    id: str
    number: int = msgspec.field(name="phase")
    starts_with_train: str | None
    tiles: list[str]
    operating_rounds: int
    train_limit: LimitRecord
    tile_lays: LaysRecord
    trains_from_other_companies: bool


class PlayersRecord(msgspec.Struct, frozen=True):
    """Starting cash and certificate limit for a number of players."""

    players: int
    cash: int
    certificate_limit: int = msgspec.field(name="papers")


class SetupRecord(msgspec.Struct, frozen=True):
    """The bank, and what players start with."""

    bank: int
    players: tuple[PlayersRecord, ...]


class StationCostRecord(msgspec.Struct, frozen=True):
    """Cost of a station token per hex of distance."""

    per_hex: int = 0


class EighteenFile(BoardFile, frozen=True, kw_only=True):
    """The part of the data file that all 18xx titles share. A title with more fields extends the
    records and the file."""

    companies: CompaniesRecord
    market: MarketRecord
    trains: tuple[TrainRecord, ...]
    phases: tuple[PhaseRecord, ...]
    setup: SetupRecord
    station_cost: StationCostRecord


def certificate(percent: int, director: bool) -> str:
    """Short form of a certificate.

    >>> certificate(20, True), certificate(5, False)
    ('20P', '5')
    """
    return f"{percent}{'P' * director}"


#: Percentage of a certificate by its short form.
PERCENT = {
    certificate(percent, director): percent
    for percent in (5, 10, 20, 30)
    for director in (True, False)
}

#: Ledger holders other than companies.
BANK, STACK, POOL, PACKET, EXCHANGE_SHARES, BOX, MAP = (
    "bank",
    "stack",
    "pool",
    "packet",
    "exchange",
    "box",
    "map",
)

#: Players as ledger holders; companies go by their ids, which may be numbers.
PLAYERS = tuple(f"p{seat}" for seat in range(10))


def share_item(company: str, name: str) -> str:
    """Ledger item of a kind of certificate of a company.

    >>> share_item("BY", "20P")
    'BY:20P'
    """
    return f"{company}:{name}"


def paper_item(paper: str) -> str:
    """Ledger item of a private or minor."""
    return f"paper:{paper}"


def train_item(train: str) -> str:
    """Ledger item of a train type."""
    return f"train:{train}"


def token_item(company: str) -> str:
    """Ledger item of a company's station tokens."""
    return f"marker:{company}"


class Public:
    """A share company with its certificates.

    `items` are its certificates as ledger item, short form and percentage, the director's
    certificate first; without one the title's `Control` names the director. `stack` is the initial
    offering in selling order, `given` the shares exchanged for privates and minors, by paper.
    """

    def __init__(self, record: PublicRecord, cell: str) -> None:
        self.record = record
        self.id = record.id
        self.par = record.par
        self.cell = cell
        counts: dict[str, dict[str, int]] = {}
        where = {"stack": STACK, "start packet": PACKET, "exchange": EXCHANGE_SHARES}
        for paper in record.certificates:
            name = certificate(paper.percent, paper.director)
            require(
                name in PERCENT,
                "The company {company} has a certificate of {percent} percent; only "
                "{known} percent are possible.",
                company=record.id,
                percent=paper.percent,
                known=", ".join(map(str, sorted(set(PERCENT.values())))),
            )
            row = counts.setdefault(name, {})
            row[where[paper.where]] = row.get(where[paper.where], 0) + 1
        if sum(PERCENT[name] * sum(row.values()) for name, row in counts.items()) != 100:
            raise KursbuchError(
                "The certificates of {company} do not add up to 100 percent.", company=record.id
            )
        directors = [name for name in counts if name.endswith("P")]
        if directors and (len(directors) > 1 or sum(counts[directors[0]].values()) != 1):
            raise KursbuchError(
                "The company {company} must have one director's certificate.", company=record.id
            )
        self.director = directors[0] if directors else ""
        order = sorted(counts, key=lambda name: (name != self.director, -PERCENT[name]))
        self.items = tuple((share_item(self.id, name), name, PERCENT[name]) for name in order)
        self.start = {share_item(self.id, name): counts[name] for name in order}
        self.stack = tuple(
            certificate(paper.percent, paper.director)
            for paper in record.certificates
            if paper.where == "stack"
        )
        self.given = {
            paper.item: certificate(paper.percent, paper.director)
            for paper in record.certificates
            if paper.where == "exchange"
        }
        #: Kinds of certificates in the initial offering, each sold out before the next.
        self.kinds = tuple(dict.fromkeys(self.stack))


class Components:
    """All printed components of one file: map, tiles, track, chart, companies, trains and
    phases."""

    #: Potential value of an unbuilt city by the label of its hex; for computer opponents.
    city_values: ClassVar[Mapping[str, int]] = {}

    def __init__(self, file: EighteenFile) -> None:
        """Raise `KursbuchError` if the file contradicts itself."""
        self.file = file
        self.board = Board(file)
        _check_companies(file)
        _check_trains(file)
        self.track = TrackMap(self.board)
        self.chart = Chart(file.market.grid)
        self.public = {
            record.id: Public(record, self._start(record)) for record in file.companies.public
        }
        self.minors = {record.id: record for record in file.companies.minors}
        self.privates = {record.id: record for record in file.companies.privates}
        #: Homes of each company, share companies first.
        self.homes: dict[str, tuple[HomeRecord, ...]] = {
            record.id: record.home if isinstance(record.home, tuple) else (record.home,)
            for record in file.companies.public
        }
        self.homes |= {record.id: (record.home,) for record in file.companies.minors}
        #: Companies with a home on each hex.
        self.at_home: dict[str, list[str]] = {}
        for company, homes in self.homes.items():
            for home in homes:
                self._check_home_stop(company, home)
                self.at_home.setdefault(home.hex, []).append(company)
        self.train_records = {record.id: record for record in file.trains}
        #: Trains in selling order.
        self.train_order = tuple(self.train_records)
        self.trains = {
            record.id: Train(
                record.range.any, record.range.further, GAUGES[record.gauge or "standard"]
            )
            for record in file.trains
        }
        self.phases = tuple(file.phases)
        self.phase_row = {
            phase.starts_with_train: number
            for number, phase in enumerate(self.phases)
            if phase.starts_with_train is not None
        }

    def _start(self, record: PublicRecord) -> str:
        company = record.id
        if not record.par and company not in self.file.market.start:
            return ""
        row, column = self.file.market.start.get(company, (-1, -1))
        cell = cell_name(column, row)
        if cell not in self.chart.price:
            raise KursbuchError(
                "The company {company} has no starting space on the stock market.",
                company=company,
            )
        return cell

    def _check_home_stop(self, company: str, home: HomeRecord) -> None:
        stops = self.board.printed[self.board.number(home.hex)].stops
        for stop in home.choice if home.stop is None else [home.stop]:
            require(
                stop in [f"s{number}" for number, each in enumerate(stops) if each.kind == "city"],
                "The home of {company} is the stop {stop} of {hex}, which is not a city.",
                company=company,
                stop=repr(stop),
                hex=home.hex,
            )

    def train(self, name: str) -> Train:
        """A train's range as the route search takes it."""
        try:
            return self.trains[name]
        except KeyError:
            raise KursbuchError("There is no train {id}.", id=repr(name)) from None

    def distance(self, start: str, target: str, passable: bool = False) -> int:
        """Shortest distance between two hexes [station-cost], over any hexes of the map or only
        `passable` sides.

        Return -1 if there is no way.
        """
        board = self.board
        goal = board.number(target)
        seen = {board.number(start)}
        ring, steps = list(seen), 0
        while ring:
            if goal in seen:
                return steps
            ring = sorted(
                {
                    other
                    for place in ring
                    for edge, other in enumerate(board.neighbours[place])
                    if other >= 0
                    and other not in seen
                    and not (passable and board.barred(place, edge))
                }
            )
            seen.update(ring)
            steps += 1
        return -1


def _check_companies(file: EighteenFile) -> None:
    """Check ids, colours and references of companies and privates."""
    companies = file.companies
    names = [record.id for record in companies.public]
    privates = [record.id for record in companies.privates]
    ids = [*names, *(record.id for record in companies.minors), *privates]
    twice = first_twice(names)
    require(not twice, "{id} is in the file twice.", id=twice)
    twice = first_twice(ids)
    require(not twice, "The id {id} names two companies or private railways.", id=repr(twice))
    holders = {BANK, STACK, POOL, PACKET, EXCHANGE_SHARES, BOX, MAP, *PLAYERS}
    for name in ids:
        require(
            name not in holders and not {":", "/", " ", ""} & {name, *name},
            "A company or private railway cannot have the id {id}.",
            id=repr(name),
        )
    for record in companies.public:
        require(
            record.color in COMPANY_COLOURS,
            ("The company {company} has the unknown colour {colour}; known colours: {known}."),
            company=record.id,
            colour=repr(record.color),
            known=", ".join(COMPANY_COLOURS),
        )
    for minor in companies.minors:
        require(
            minor.exchange.company in names,
            (
                "The minor {minor} is exchanged for a share of {company}, which is not a "
                "share company."
            ),
            minor=minor.id,
            company=repr(minor.exchange.company),
        )
    for hex in file.map.hexes:
        for private in hex.privates:
            require(
                private in privates,
                "The hex {hex} names {private}, which is not a private railway.",
                hex=hex.id,
                private=repr(private),
            )


def _check_trains(file: EighteenFile) -> None:
    """Check trains, phases and references to them."""
    trains = [record.id for record in file.trains]
    twice = first_twice(trains) or first_twice([phase.id for phase in file.phases])
    require(not twice, "The train or phase {id} is in the file twice.", id=repr(twice))
    for record in file.trains:
        require(
            record.scrapped_by is None or record.scrapped_by in trains,
            "Train {id} is rusted by {other}, but there is no such train.",
            id=record.id,
            other=repr(record.scrapped_by),
        )
    starts = [phase.starts_with_train for phase in file.phases]
    order = [
        -1 if train is None else trains.index(train) for train in starts if train in (None, *trains)
    ]
    require(
        starts[:1] == [None]
        and len(order) == len(starts)
        and all(one < other for one, other in pairwise(order)),
        "The first phase begins without a train, and the others with trains in the order in which "
        "they are sold.",
    )
    numbers = [phase.number for phase in file.phases]
    require(
        numbers[0] > 0 and numbers == sorted(numbers),
        "Phase numbers must start at 1 or more and must not decrease.",
    )
    for phase in file.phases:
        unknown = [colour for colour in phase.tiles if colour not in COLOURS]
        require(
            not unknown,
            ("The phase {id} has tiles of the unknown colour {colour}; known colours: {known}."),
            id=phase.id,
            colour=repr("".join(unknown[:1])),
            known=", ".join(COLOURS),
        )
    for hex in file.map.hexes:
        require(
            hex.first_phase is None or hex.first_phase <= numbers[-1],
            ("The hex {hex} can be built on from phase {phase}, but there is no such phase."),
            hex=hex.id,
            phase=hex.first_phase,
        )
