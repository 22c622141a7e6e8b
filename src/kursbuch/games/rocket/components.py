"""Components of Stephenson's Rocket: map, towns, lines, counts and payments.

`board.json` holds them, each record with its source. A file with corrected data can replace it.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from importlib import resources

import msgspec

from kursbuch.core.errors import KursbuchError, require
from kursbuch.core.words import N_
from kursbuch.hexmap.geometry import Hex

INDUSTRIES = ("steel", "textile", "beer", "leather")
KINDS = (*INDUSTRIES, "passengers")
KIND_NAMES = {
    "steel": N_("Steel"),
    "textile": N_("Textile"),
    "beer": N_("Beer"),
    "leather": N_("Leather"),
    "passengers": N_("Passengers"),
}
MAX_TOWNS = 60
MAX_HEXES = 1000
MAX_LINES = 26
MAX_NAME = 40

_LINE_ID = re.compile(r"[A-Z0-9]{1,8}")


class ComponentRecord(msgspec.Struct, frozen=True):
    """Count of a component."""

    id: str
    count: int
    per_line: int | None = None
    per_player: int | None = None
    per_metropolis: int | None = None


class PaymentRecord(msgspec.Struct, frozen=True):
    """A kind of payment, in pounds."""

    id: str
    first: int | None = None
    second: int | str | None = None
    first_per_town: int | None = None
    mode: str | None = None
    unit: int | None = None
    given: int | None = None
    received: int | None = None


class LineRecord(msgspec.Struct, frozen=True):
    """A railway line and the start town of its locomotive."""

    id: str
    name: str
    colour: str
    start: str
    hex: str


class MetropolisRecord(msgspec.Struct, frozen=True):
    """A metropolis and its industry."""

    name: str
    hex: str
    industry: str
    tokens: int


class TownRecord(msgspec.Struct, frozen=True):
    """A railway town."""

    name: str
    hex: str


class HexRecord(msgspec.Struct, frozen=True):
    """A land hex of the map."""

    id: str
    kind: str


class BoardFile(msgspec.Struct, frozen=True):
    """Contents of a component data file; unknown keys are ignored."""

    components: list[ComponentRecord]
    payments: list[PaymentRecord]
    lines: list[LineRecord]
    metropolises: list[MetropolisRecord]
    railway_towns: list[TownRecord]
    hexes: list[HexRecord]
    optional_railway_towns: list[TownRecord] = []


class Town(msgspec.Struct, frozen=True):
    """A town of the map. `kind` is start, metropolis or railway. Only a metropolis has an `industry`, only a start
    town a `line` (index)."""

    name: str
    hex: int
    kind: str
    industry: str = ""
    tokens: int = 0
    line: int = -1


class Payments(msgspec.Struct, frozen=True):
    """Payments in pounds; amounts are rounded up to `unit`."""

    metropolis_first: int
    metropolis_second: int
    per_town_stations: int
    per_town_shares: int
    kind_first: int
    kind_second: int
    unit: int
    rounded: bool
    given: int
    received: int


class Board:
    """Map and counts of a set of components, with derived tables.

    Hexes, towns and lines are numbered in file order.
    """

    def __init__(self, file: BoardFile, *, optional_towns: bool = False) -> None:
        """Raise `KursbuchError` if the file is inconsistent."""
        self.file = file
        self.lines = tuple(file.lines)
        self.line_index = {line.id: index for index, line in enumerate(self.lines)}
        require(
            2 <= len(self.lines) <= MAX_LINES,
            "The file must have 2 to {most} lines.",
            most=MAX_LINES,
        )
        require(len(self.line_index) == len(self.lines), "Two lines of the file have the same id.")
        require(
            all(_LINE_ID.fullmatch(line.id) for line in self.lines),
            "The id of a line must have 1 to 8 capital letters and digits.",
        )
        self._read_hexes(file)
        self._read_towns(file, optional_towns)
        self._read_counts(file)
        self.neighbours = tuple(
            tuple(self.hex_index.get(str(place.neighbour(edge)), -1) for edge in range(6))
            for place in self.places
        )
        self.around = tuple(tuple(n for n in row if n >= 0) for row in self.neighbours)
        self._check_map()
        #: Bit mask of the towns adjacent to each hex.
        self.near_towns = tuple(
            sum(1 << self.town_at[n] for n in around if self.town_at[n] >= 0)
            for around in self.around
        )
        self.start_hex = tuple(self.hex_index[line.hex] for line in self.lines)
        self.start_bit = tuple(1 << self.town_at[place] for place in self.start_hex)
        self.start_towns = sum(self.start_bit)
        self.metropolises = tuple(
            n for n, town in enumerate(self.towns) if town.kind == "metropolis"
        )
        self.metropolis_index = {self.towns[n].name: n for n in self.metropolises}

    # Neighbour lists have all six directions; `town_at` is -1 for open land.

    def _read_hexes(self, file: BoardFile) -> None:
        require(len(file.hexes) <= MAX_HEXES, "The map has more than {most} hexes.", most=MAX_HEXES)
        places = []
        for record in file.hexes:
            try:
                place = Hex.parse(record.id)
            except ValueError:
                raise KursbuchError(
                    "The hex {id} has no valid name, such as K16.", id=repr(record.id)
                ) from None
            require(
                (place.row + place.column) % 2 == 0,
                "The hex {id} lies between two hexes: in row A columns are even, in row B odd, and so on.",
                id=record.id,
            )
            places.append(place)
        self.places = tuple(places)
        self.hex_names = tuple(record.id for record in file.hexes)
        self.hex_index = {name: index for index, name in enumerate(self.hex_names)}
        twice = [name for name, count in Counter(self.hex_names).items() if count > 1]
        require(not twice, "The hex {id} is in the file twice.", id=", ".join(twice))

    def _read_towns(self, file: BoardFile, optional_towns: bool) -> None:
        towns: list[Town] = []

        def place(name: str, hex_name: str) -> int:
            if hex_name not in self.hex_index:
                raise KursbuchError(
                    "The town {name} is on hex {hex}, but the map has no such hex.",
                    name=name,
                    hex=hex_name,
                )
            return self.hex_index[hex_name]

        for index, line in enumerate(file.lines):
            towns.append(Town(line.start, place(line.start, line.hex), "start", line=index))
        for metropolis in file.metropolises:
            require(
                metropolis.industry in INDUSTRIES,
                "The metropolis {name} has the unknown industry {industry}.",
                name=metropolis.name,
                industry=repr(metropolis.industry),
            )
            require(
                0 <= metropolis.tokens <= 1000,
                "The metropolis {name} has no valid number of tokens.",
                name=metropolis.name,
            )
            towns.append(
                Town(
                    metropolis.name,
                    place(metropolis.name, metropolis.hex),
                    "metropolis",
                    metropolis.industry,
                    metropolis.tokens,
                )
            )
        railway_towns = [
            *file.railway_towns,
            *(file.optional_railway_towns if optional_towns else []),
        ]
        towns += [Town(town.name, place(town.name, town.hex), "railway") for town in railway_towns]
        require(len(towns) <= MAX_TOWNS, "The map has more than {most} towns.", most=MAX_TOWNS)
        for town in towns:
            require(
                0 < len(town.name) <= MAX_NAME
                and town.name.isprintable()
                and town.name == " ".join(town.name.split()),
                "A town of the file has no valid name: {name}.",
                name=repr(town.name[:MAX_NAME]),
            )
        names = [town.name.casefold() for town in towns]
        twice = [town.name for town in towns if names.count(town.name.casefold()) > 1][:1]
        require(not twice, "The town {name} is in the file twice.", name=", ".join(twice))
        self.towns = tuple(towns)
        town_at = [-1] * len(self.places)
        for number, town in enumerate(towns):
            other = town_at[town.hex]
            require(
                other < 0,
                "The towns {name} and {other} are on the same hex.",
                name=town.name,
                other=towns[other].name,
            )
            town_at[town.hex] = number
        self.town_at = tuple(town_at)
        kind_names = {
            "start": "start",
            "metropolis": "metropolis",
            "railway_town": "railway",
            "open": "",
        }
        optional = {town.hex for town in file.optional_railway_towns}
        for record, number in zip(file.hexes, town_at, strict=True):
            kind = towns[number].kind if number >= 0 else ""
            if kind_names.get(record.kind) != kind and record.id not in optional:
                raise KursbuchError(
                    "The hex {id} is marked {kind}, which contradicts the lists of towns.",
                    id=record.id,
                    kind=repr(record.kind),
                )

    def _read_counts(self, file: BoardFile) -> None:
        components = {record.id: record for record in file.components}
        payments = {record.id: record for record in file.payments}

        def count(name: str, per: str = "") -> int:
            record = components.get(name)
            value = None if record is None else (getattr(record, per) if per else record.count)
            if not isinstance(value, int) or not 0 < value <= 1000:
                raise KursbuchError(
                    "The file has no valid number for the component {name}.", name=name
                )
            return value

        def amount(name: str, field: str) -> int:
            value = getattr(payments.get(name), field, None)
            if not isinstance(value, int) or not 0 <= value <= 1_000_000:
                raise KursbuchError(
                    "The file has no valid {field} for the payment {name}.", name=name, field=field
                )
            return value

        self.shares = count("share", "per_line")
        self.supplementary = count("supplementary-share")
        self.tiles = count("track-tile")
        self.stations = count("station", "per_player")
        self.passengers = count("passenger-token")
        rounding = payments.get("rounding")
        self.payments = Payments(
            metropolis_first=amount("metropolis", "first"),
            metropolis_second=amount("metropolis", "second"),
            per_town_stations=amount("stations", "first_per_town"),
            per_town_shares=amount("shares", "first_per_town"),
            kind_first=amount("kind", "first"),
            kind_second=amount("kind", "second"),
            unit=max(1, amount("rounding", "unit")),
            rounded=rounding is not None and rounding.mode == "up",
            given=max(1, amount("exchange", "given")),
            received=amount("exchange", "received"),
        )

    def _check_map(self) -> None:
        seen = {0}
        waiting = [0]
        while waiting:
            for other in self.around[waiting.pop()]:
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        if len(seen) != len(self.places):
            lost = next(name for index, name in enumerate(self.hex_names) if index not in seen)
            raise KursbuchError(
                "The map has a gap: {id} cannot be reached from {first}.",
                id=lost,
                first=self.hex_names[0],
            )
        for town in self.towns:
            near = [
                self.towns[self.town_at[n]].name
                for n in self.around[town.hex]
                if self.town_at[n] >= 0
            ]
            require(
                not near,
                "The towns {name} and {other} are next to each other.",
                name=town.name,
                other=", ".join(near),
            )


@lru_cache
def standard_data() -> bytes:
    """The packaged component data."""
    return (resources.files("kursbuch.games.rocket") / "board.json").read_bytes()
