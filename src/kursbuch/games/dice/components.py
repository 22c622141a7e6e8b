"""Components of Railroad Dice: dice, terrain tiles, company cards and costs.

`board.json` holds them, each record with its source. A file with corrected data can replace it.

Squares of a tile are numbered row by row from the north-west corner and named as in chess with row 1 in the north:
`d4` is the middle. Sides are numbered clockwise: 0 north, 1 east, 2 south, 3 west. Sets of squares are bit masks.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

import msgspec

from kursbuch.core.errors import KursbuchError, require
from kursbuch.games.dice.actions import SideName

SIDES: tuple[SideName, ...] = ("N", "E", "S", "W")
MEADOW, MOUNTAIN, WATER = ".MW"
FACES = ("straight", "curve", "share", "question")
#: Row and column offsets across each side.
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))

MAX_SIZE = 9
MAX_TILES = 12
MAX_COMPANIES = 12
MAX_COUNT = 500


class DiceRecord(msgspec.Struct, frozen=True):
    """The railroad dice: count, faces, and initial dice of players."""

    count: int
    faces: list[str]
    start_per_player: int
    limit_in_front: int


class EconomyRecord(msgspec.Struct, frozen=True):
    """Income, premiums and surcharges in dice; `passengers_per_station` in passengers."""

    minimum_income: int
    premium_new_tile: int
    premium_station: int
    mountain_cost: int
    lake_cost: int
    minimum_pieces_before_leaving: int
    passengers_per_station: int


class TradingRecord(msgspec.Struct, frozen=True):
    """Number of sold-out companies before players sell, by player count."""

    players: int
    sold_out_companies: int


class GeometryRecord(msgspec.Struct, frozen=True):
    """A tile has `size` by `size` squares."""

    size: int


class StartRecord(msgspec.Struct, frozen=True):
    """The first tile, with a straight piece from west to east on its middle square."""

    tile: str


class TileRecord(msgspec.Struct, frozen=True):
    """A type of terrain tile; `sides` are those of the unrotated grid: N, E, S, W."""

    id: str
    name: str
    small: int
    sides: list[str]
    grid: list[str]


class CardRecord(msgspec.Struct, frozen=True):
    """A company's stations for one kind of surroundings, by cost."""

    terrain: str
    cost_3: int
    cost_5: int


class CompanyRecord(msgspec.Struct, frozen=True):
    """A railway company and its card."""

    id: str
    name: str
    colour: str
    shares: int
    stations: list[CardRecord]


class SurroundingsRecord(msgspec.Struct, frozen=True):
    """Required surroundings of a kind of station: letters of its square and of enough neighbours."""

    terrain: str
    square: str
    neighbours: str
    at_least: int


class BoardFile(msgspec.Struct, frozen=True):
    """Contents of a component data file; unknown keys are ignored."""

    dice: DiceRecord
    economy: EconomyRecord
    share_trading: list[TradingRecord]
    geometry: GeometryRecord
    start: StartRecord
    tiles: list[TileRecord]
    companies: list[CompanyRecord]
    station_terrain: list[SurroundingsRecord]


class Layout(NamedTuple):
    """A rotated tile type; `stations` are the squares for each kind of station, without the outer ring [station-3]."""

    tile: int
    rotation: int
    terrain: str
    sides: tuple[str, ...]
    mountain: int
    water: int
    stations: tuple[int, ...]


class Stock(NamedTuple):
    """Identical stations of a company: `item` is their ledger name, `terrain` the index of their surroundings."""

    company: int
    terrain: int
    cost: int
    copies: int
    item: str


class Board:
    """Tiles and counts of a set of components, with derived tables.

    Tiles, companies and kinds of surroundings are numbered in file order.
    """

    def __init__(self, file: BoardFile) -> None:
        """Raise `KursbuchError` if the file is inconsistent."""
        self.file = file
        self.economy = file.economy
        self._read_counts(file)
        self._read_geometry(file.geometry.size)
        self._read_surroundings(file.station_terrain)
        self._read_tiles(file)
        self._read_companies(file)

    def _read_counts(self, file: BoardFile) -> None:
        dice, economy = file.dice, file.economy
        for name, value, least in (
            ("dice.count", dice.count, 1),
            ("dice.start_per_player", dice.start_per_player, 0),
            ("dice.limit_in_front", dice.limit_in_front, 0),
            ("economy.minimum_income", economy.minimum_income, 0),
            ("economy.premium_new_tile", economy.premium_new_tile, 0),
            ("economy.premium_station", economy.premium_station, 0),
            ("economy.mountain_cost", economy.mountain_cost, 0),
            ("economy.lake_cost", economy.lake_cost, 0),
            ("economy.minimum_pieces_before_leaving", economy.minimum_pieces_before_leaving, 2),
            ("economy.passengers_per_station", economy.passengers_per_station, 1),
        ):
            require(
                least <= value <= (MAX_COUNT if "passengers" not in name else 1_000_000),
                "The number {name} of the file cannot be {value}.",
                name=name,
                value=value,
            )
        self.dice = dice.count
        self.faces = tuple(dice.faces)
        require(
            1 <= len(self.faces) <= 100 and set(self.faces) <= set(FACES),
            "The faces of the dice can only be {faces}.",
            faces=", ".join(FACES),
        )
        require(
            dice.count > 4 * dice.start_per_player,
            "There are not enough dice to start with.",
        )
        self.sold_out = {record.players: record.sold_out_companies for record in file.share_trading}
        for players in (2, 3, 4):
            require(
                players in self.sold_out,
                "The file does not say how many companies must be sold out with {n} players.",
                n=players,
            )

    def _read_geometry(self, size: int) -> None:
        """Neighbours and masks. A line that can leave the first tile in both directions must be long enough by then
        [ban-5]."""
        least = self.economy.minimum_pieces_before_leaving
        require(
            size % 2 == 1 and max(5, least + 1) <= size <= MAX_SIZE,
            "A tile must have an odd number of squares a side, from {low} to {high}.",
            low=max(5, least + 1),
            high=MAX_SIZE,
        )
        self.size = size
        self.squares = size * size
        self.centre = self.squares // 2
        self.names = tuple(
            f"{chr(ord('a') + column)}{row + 1}" for row in range(size) for column in range(size)
        )
        self.square_index = {name: square for square, name in enumerate(self.names)}
        self.neighbours = tuple(
            tuple(
                (row + rows) * size + column + columns
                if 0 <= row + rows < size and 0 <= column + columns < size
                else -1
                for rows, columns in STEPS
            )
            for row in range(size)
            for column in range(size)
        )
        self.around = tuple(
            sum(1 << square for square in row if square >= 0) for row in self.neighbours
        )
        self.every = (1 << self.squares) - 1
        self.borders = tuple(
            sum(1 << square for square, row in enumerate(self.neighbours) if row[side] < 0)
            for side in range(4)
        )
        #: Entry square across each border square of a tile.
        self.opposite = tuple(
            tuple(
                _square((row + rows) % size, (column + columns) % size, size)
                for rows, columns in STEPS
            )
            for row in range(size)
            for column in range(size)
        )

    def _read_surroundings(self, records: list[SurroundingsRecord]) -> None:
        self.surroundings = tuple(records)
        self.kind_index = {record.terrain: index for index, record in enumerate(records)}
        require(
            len(self.kind_index) == len(records), "Two kinds of station of the file are the same."
        )
        for record in records:
            require(
                record.terrain.isalpha()
                and record.square in (MEADOW, MOUNTAIN)
                and record.neighbours in (MEADOW, MOUNTAIN, WATER)
                and 0 <= record.at_least <= 8,
                "The surroundings of the {terrain} station cannot be read.",
                terrain=repr(record.terrain),
            )

    def _read_tiles(self, file: BoardFile) -> None:
        self.tiles = tuple(file.tiles)
        self.tile_index = {tile.id: index for index, tile in enumerate(self.tiles)}
        require(
            1 <= len(self.tiles) <= MAX_TILES and len(self.tile_index) == len(self.tiles),
            "The file must have 1 to {most} types of tile with different ids.",
            most=MAX_TILES,
        )
        for tile in self.tiles:
            self._check_tile(tile)
        if file.start.tile not in self.tile_index:
            raise KursbuchError("There is no tile {id} to start with.", id=repr(file.start.tile))
        self.start_tile = self.tile_index[file.start.tile]
        start = self.tiles[self.start_tile]
        require(
            start.small > 0 and set("".join(start.grid)) == {MEADOW},
            "The first tile must be all meadow.",
        )
        self.layouts = tuple(self._turned(index) for index in range(len(self.tiles)))
        self._layout = {
            (layout.tile, layout.rotation): layout for row in self.layouts for layout in row
        }

    def _check_tile(self, tile: TileRecord) -> None:
        size = self.size
        require(
            tile.id.isalnum(),
            "The id of a tile may only have letters and digits: {id}.",
            id=repr(tile.id),
        )
        require(
            0 <= tile.small <= MAX_COUNT,
            "The tile {id} cannot exist {count} times.",
            id=tile.id,
            count=tile.small,
        )
        require(
            len(tile.grid) == size
            and all(
                len(row) == size and set(row) <= {MEADOW, MOUNTAIN, WATER} for row in tile.grid
            ),
            "The grid of the tile {id} is not {size} rows of {size} letters out of {letters}.",
            id=tile.id,
            size=size,
            letters=f"{MEADOW} {MOUNTAIN} {WATER}",
        )
        require(len(tile.sides) == 4, "The tile {id} must have four sides.", id=tile.id)
        edges = (
            tile.grid[0],
            "".join(row[-1] for row in tile.grid),
            tile.grid[-1],
            "".join(row[0] for row in tile.grid),
        )
        for side, edge, name in zip(tile.sides, edges, SIDES, strict=True):
            # Water at a side would allow bridges over two tiles, which no rule covers.
            wanted = {
                "meadow": MEADOW * size,
                "mountain": MEADOW + MOUNTAIN * (size - 2) + MEADOW,
            }.get(side)
            require(
                edge == wanted,
                "The side {side} of the tile {id} is not like its grid.",
                side=name,
                id=tile.id,
            )

    def _turned(self, tile: int) -> tuple[Layout, ...]:
        """Distinct rotations of a tile."""
        record = self.tiles[tile]
        grid, sides = tuple(record.grid), tuple(record.sides)
        found: list[Layout] = []
        for rotation in range(4):
            terrain = "".join(grid)
            if terrain not in [layout.terrain for layout in found]:
                found.append(
                    Layout(
                        tile,
                        rotation,
                        terrain,
                        sides,
                        _mask(terrain, MOUNTAIN),
                        _mask(terrain, WATER),
                        tuple(self._fit(terrain, record) for record in self.surroundings),
                    )
                )
            grid = tuple("".join(column) for column in zip(*grid[::-1], strict=True))
            sides = (sides[3], *sides[:3])
        return tuple(found)

    def _fit(self, terrain: str, record: SurroundingsRecord) -> int:
        size, found = self.size, 0
        for row in range(1, size - 1):
            for column in range(1, size - 1):
                near = [
                    terrain[(row + rows) * size + column + columns]
                    for rows in (-1, 0, 1)
                    for columns in (-1, 0, 1)
                    if rows or columns
                ]
                square = row * size + column
                if (
                    terrain[square] == record.square
                    and near.count(record.neighbours) >= record.at_least
                ):
                    found |= 1 << square
        return found

    def _read_companies(self, file: BoardFile) -> None:
        self.companies = tuple(file.companies)
        self.company_index = {company.id: index for index, company in enumerate(self.companies)}
        require(
            1 <= len(self.companies) <= MAX_COMPANIES
            and len(self.company_index) == len(self.companies),
            "The file must have 1 to {most} companies with different ids.",
            most=MAX_COMPANIES,
        )
        stocks: list[Stock] = []
        for index, company in enumerate(self.companies):
            require(
                company.id.isalnum(),
                "The id of a company may only have letters and digits: {id}.",
                id=repr(company.id),
            )
            require(
                1 <= company.shares <= MAX_COUNT,
                "{company} cannot have {count} shares.",
                company=company.name,
                count=company.shares,
            )
            kinds = [card.terrain for card in company.stations]
            twice = [kind for kind, count in Counter(kinds).items() if count > 1]
            require(
                not twice, "{company} has the same kind of station twice.", company=company.name
            )
            for card in company.stations:
                if card.terrain not in self.kind_index:
                    raise KursbuchError(
                        "{company} has stations for the unknown terrain {terrain}.",
                        company=company.name,
                        terrain=repr(card.terrain),
                    )
                for cost, count in ((3, card.cost_3), (5, card.cost_5)):
                    require(
                        0 <= count <= MAX_COUNT,
                        "{company} cannot have {count} stations of a kind.",
                        company=company.name,
                        count=count,
                    )
                    if count:
                        item = f"station:{company.id}:{card.terrain}:{cost}"
                        kind = self.kind_index[card.terrain]
                        stocks.append(Stock(index, kind, cost, count, item))
        for index, company in enumerate(self.companies):
            require(
                any(stock.company == index for stock in stocks),
                "{company} has no stations.",
                company=company.name,
            )
        self.stocks = tuple(stocks)
        self.stocks_of = tuple(
            tuple(stock for stock in stocks if stock.company == index)
            for index in range(len(self.companies))
        )
        self.totals = tuple(sum(stock.copies for stock in row) for row in self.stocks_of)

    def layout(self, tile: int, rotation: int) -> Layout:
        """The tile in this distinct rotation."""
        return self._layout[tile, rotation]


def _square(row: int, column: int, size: int) -> int:
    return row * size + column


def _mask(terrain: str, letter: str) -> int:
    return sum(1 << square for square, found in enumerate(terrain) if found == letter)


@lru_cache
def standard_data() -> bytes:
    """The packaged component data."""
    return (resources.files("kursbuch.games.dice") / "board.json").read_bytes()
