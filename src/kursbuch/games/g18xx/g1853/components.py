"""Components of 1853, read from `board.json`, where every record names its source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import resources
from typing import ClassVar, Literal, NamedTuple

import msgspec

from kursbuch.core.components import RECONSTRUCTED, completed
from kursbuch.core.errors import KursbuchError
from kursbuch.core.title import parse_data
from kursbuch.games.g18xx.components import (
    CompaniesRecord,
    Components,
    EighteenFile,
    HomeRecord,
    PlayersRecord,
    PublicRecord,
    SetupRecord,
    StationCostRecord,
    TrainRecord,
)
from kursbuch.games.g18xx.map.board import STOP, Face, HexRecord, MapRecord, TileRecord

SEATS = range(3, 7)


# ---- the file


class Hex1853(HexRecord, frozen=True):
    """A hex with its terrain, the bonus for its first tile, and whether it lies in the Ganges
    valley."""

    terrains: tuple[str, ...] = ()
    bonus: int = 0
    valley: bool = False
    source: str = ""


class Tile1853(TileRecord, frozen=True, kw_only=True):
    """A tile type with its source."""

    source: str = ""


class Map1853(MapRecord, frozen=True):
    """The map of the file."""

    hexes: tuple[Hex1853, ...]


class Home1853(HomeRecord, frozen=True):
    """A home; with `only_if` it counts only if the company has that size."""

    only_if: Literal["large", ""] = ""


class Limit1853(msgspec.Struct, frozen=True):
    """A side of a city on which a company's territory lies."""

    direction: str
    city: str


class Public1853(PublicRecord, frozen=True, kw_only=True):
    """A company. `second_tile_cost` is the fee of a large one for laying a second tile at once;
    `territory` lists hexes that replace its limits."""

    number: int
    home: tuple[Home1853, ...]
    size: Literal["large", "small", "either"]
    second_tile_cost: int = 0
    limits: tuple[Limit1853, ...] = ()
    territory: tuple[str, ...] = ()


class Companies1853(CompaniesRecord, frozen=True):
    """All companies of the file."""

    public: tuple[Public1853, ...]


class CityRecord(msgspec.Struct, frozen=True):
    """A contract city, and the companies whose share it can bring."""

    id: str
    hex: str
    value: int
    companies: tuple[str, ...]
    valley: bool = False
    companies_source: str = ""


class BuildCostRecord(msgspec.Struct, frozen=True):
    """Cost of the first tile on one kind of terrain, by gauge."""

    id: str
    standard: int
    metre: int


class SpecialCostRecord(msgspec.Struct, frozen=True):
    """Special cost of a hex: for a company of a size, or for all at the first upgrade."""

    id: str
    hex: str
    cost: int
    company: str = ""
    only_if: Literal["large", ""] = ""
    first_upgrade: bool = False


class Train1853(TrainRecord, frozen=True):
    """A train type. `small_count` is its number if a small company has started in the first stock
    round, `phase` the phase from which it is on sale."""

    small_count: int = 0
    phase: int = 0


class Players1853(PlayersRecord, frozen=True, kw_only=True):
    """Setup for a number of players."""

    per_company: int
    float_percent: int
    min_cities: int
    max_cities: int
    least_bond: int


class Setup1853(SetupRecord, frozen=True):
    """The bank, and what players start with."""

    players: tuple[Players1853, ...]


class StationCost1853(StationCostRecord, frozen=True, kw_only=True):
    """Costs of stations besides the homes."""

    first: int
    further: int


class File1853(EighteenFile, frozen=True, kw_only=True):
    """The data file of 1853."""

    map: Map1853
    tiles: tuple[Tile1853, ...]
    companies: Companies1853
    cities: tuple[CityRecord, ...]
    build_costs: tuple[BuildCostRecord, ...]
    special_costs: tuple[SpecialCostRecord, ...] = ()
    trains: tuple[Train1853, ...]
    setup: Setup1853
    station_cost: StationCost1853


# ---- the components


class City(NamedTuple):
    """A contract city; `valley` marks the five limited ones of the Ganges valley, `doubt`
    reconstructed companies."""

    name: str
    hex: str
    value: int
    companies: tuple[str, ...]
    valley: bool
    doubt: bool


class Components1853(Components):
    """The components of 1853 with cities and territories.

    `upgrade_cost` is the cost of the first upgrade by hex, `large_cost` the cost of the first tile
    by hex and large company.
    """

    file: File1853
    city_values: ClassVar[Mapping[str, int]] = {"CD": 60, "BM": 50, "W": 35}

    def __init__(self, data: bytes) -> None:
        file = parse_data(completed(data, "1853", standard_data()), File1853)
        super().__init__(file)
        _once(record.id for record in file.companies.public)
        _once(record.id for record in file.cities)
        for tile in self.board.tiles.values():
            _check_branches(tile.id, tile.faces[0])
        for name, face in zip(self.board.names, self.board.printed, strict=True):
            _check_branches(name, face)
        self.cities = {
            record.id: City(
                record.id,
                record.hex,
                record.value,
                record.companies,
                record.valley,
                record.companies_source == RECONSTRUCTED,
            )
            for record in file.cities
        }
        #: Reconstructed hexes and tiles.
        self.doubtful_hexes = {r.id for r in file.map.hexes if r.source == RECONSTRUCTED}
        self.doubtful_tiles = {r.id for r in file.tiles if r.source == RECONSTRUCTED}
        self.city_of_hex = {city.hex: name for name, city in self.cities.items()}
        for city in self.cities.values():
            self._check_city(city)
        self.small_count = {record.id: record.small_count for record in file.trains}
        self.records = {record.id: record for record in file.companies.public}
        self.size = {record.id: record.size for record in file.companies.public}
        self.second_tile_cost = {
            record.id: record.second_tile_cost for record in file.companies.public
        }
        pars = [record.par for record in file.companies.public]
        if pars != sorted(pars, reverse=True):
            raise KursbuchError(
                "The issue prices must not rise in the order of the companies: unpaid shares are the cheapest."
            )
        self.territory = {record.id: self._territory(record) for record in file.companies.public}
        for record in file.companies.public:
            for home in record.home:
                self._check_home(record.id, home)
        self._costs = {record.id: (record.standard, record.metre) for record in file.build_costs}
        self.terrain = {record.id: record.terrains for record in file.map.hexes if record.terrains}
        for hex, kinds in self.terrain.items():
            for kind in kinds:
                if kind not in self._costs:
                    raise KursbuchError(
                        "The hex {id} has terrain without a building cost: {terrain}.",
                        id=hex,
                        terrain=repr(kind),
                    )
        self.bonus = {record.id: record.bonus for record in file.map.hexes if record.bonus}
        self.upgrade_cost: dict[str, int] = {}
        self.large_cost: dict[tuple[str, str], int] = {}
        for special in file.special_costs:
            self.board.number(special.hex)
            if special.first_upgrade:
                self.upgrade_cost[special.hex] = special.cost
            else:
                self._check_company(special.company)
                self.large_cost[special.hex, special.company] = special.cost
        self.players = {row.players: row for row in file.setup.players}
        for seats in SEATS:
            if seats not in self.players:
                raise KursbuchError(
                    "The file does not cover a game for {count} players.", count=seats
                )

    def build_cost(self, hex: str, metre: bool) -> int:
        """Cost of the first tile on a hex, over all its kinds of terrain [terrain-cost]."""
        return sum(self._costs[kind][metre] for kind in self.terrain.get(hex, ()))

    def _check_company(self, company: str) -> None:
        if company not in self.public:
            raise KursbuchError("There is no company {id}.", id=repr(company))

    def _check_city(self, city: City) -> None:
        place = self.board.number(city.hex)
        if "city" not in self.board.printed[place].kinds():
            raise KursbuchError(
                ("The city {city} lies on the hex {hex}, which has no space for station tokens."),
                city=city.name,
                hex=city.hex,
            )
        if self.city_of_hex[city.hex] != city.name:
            raise KursbuchError("The hex {id} has two contract cities.", id=city.hex)
        if not city.companies:
            raise KursbuchError("No company goes with the city {city}.", city=city.name)
        for company in city.companies:
            self._check_company(company)

    def _check_home(self, company: str, home: Home1853) -> None:
        face = self.board.printed[self.board.number(home.hex)]
        number = home.stop[1:] if home.stop is not None and home.stop[:1] == "s" else ""
        if number not in map(str, range(len(face.stops))) or (
            face.stops[int(number)].kind != "city"
        ):
            raise KursbuchError(
                ("The home of {company} is not a space for station tokens on the hex {hex}."),
                company=company,
                hex=home.hex,
            )

    def _territory(self, record: Public1853) -> frozenset[str]:
        """Hexes in which a company may place tokens and, at first, upgrade tiles. Rows and columns
        of the limiting cities are inside."""
        if record.territory:
            return frozenset(self.board.names[self.board.number(hex)] for hex in record.territory)
        inside = set(self.board.hexes)
        for limit in record.limits:
            city = self.cities.get(limit.city)
            if city is None:
                raise KursbuchError(
                    (
                        "The territory of {company} is bounded by {city}, but the file "
                        "has no such city."
                    ),
                    company=record.id,
                    city=repr(limit.city),
                )
            at = self.board.hexes[self.board.number(city.hex)]
            if limit.direction == "N":
                inside = {hex for hex in inside if hex.row <= at.row}
            elif limit.direction == "S":
                inside = {hex for hex in inside if hex.row >= at.row}
            elif limit.direction == "W":
                inside = {hex for hex in inside if hex.column <= at.column}
            elif limit.direction == "E":
                inside = {hex for hex in inside if hex.column >= at.column}
            else:
                raise KursbuchError(
                    ("A limit of {company}'s territory must be N, S, W or E, not {direction}."),
                    company=record.id,
                    direction=repr(limit.direction),
                )
        return frozenset(map(str, inside))


def _check_branches(where: str, face: Face) -> None:
    """Check that track branches only in stops and junctions, which other modules rely on."""
    ends = Counter(end for path in face.paths for end in path[:2] if end < STOP)
    if any(count > 1 for count in ends.values()):
        raise KursbuchError(
            "The track of the hex or tile {id} branches without a stop or junction.", id=where
        )


def _once(names: Iterable[str]) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise KursbuchError("{id} is in the file twice.", id=name)


@lru_cache
def standard_data() -> bytes:
    """The data file in the package."""
    return (resources.files("kursbuch.games.g18xx.g1853") / "board.json").read_bytes()


@lru_cache
def standard() -> Components1853:
    """The components of the file in the package.

    >>> standard().train("1M")
    Train(stops=1, towns=9000, gauges=2, ends=0, via=(), weight=1)
    >>> standard().cities["Delhi"].companies
    ('EIR', 'GIP', 'NWR', 'BBCI')
    >>> standard().build_cost("L10", metre=False), standard().build_cost("L10", metre=True)
    (120, 80)
    """
    return Components1853(standard_data())
