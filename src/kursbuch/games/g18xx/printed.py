"""Printed values of an 18xx title that owners of the game can correct: tiles, printed hexes and companies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kursbuch.core.components import (
    COLOUR_NAMES,
    COMPONENT,
    SEPARATOR,
    Data,
    PrintedChoice,
    PrintedChoices,
    PrintedComponent,
    PrintedList,
    PrintedNumber,
    PrintedValue,
    in_order,
)
from kursbuch.core.errors import Label, require
from kursbuch.core.words import N_, Words
from kursbuch.games.g18xx.components import COMPANY_COLOURS, Components
from kursbuch.games.g18xx.drawing.faces import draw_tile
from kursbuch.games.g18xx.drawing.look import Sizes
from kursbuch.games.g18xx.map.board import MAX_COUNT, MAX_VALUE

#: Sides by edge, clockwise from east.
SIDES = {
    "0": N_("east"),
    "1": N_("south-east"),
    "2": N_("south-west"),
    "3": N_("west"),
    "4": N_("north-west"),
    "5": N_("north-east"),
}

EDGES = ("E", "SE", "SW", "W", "NW", "NE")

#: Most spaces for tokens in one city.
MOST_SPACES = 6


class StopNumber(PrintedNumber):
    """A number that all stops of a tile or hex have."""

    def exists(self, file: Data) -> bool:
        return super().exists(file) or bool(self.record(file)["stops"])

    def read(self, file: Data) -> str:
        return str(self.record(file)["stops"][0].get(self.path[-1], 0))

    def write(self, file: Data, text: str) -> None:
        record = self.record(file)
        number = self.number(text)
        record["stops"] = [stop | {self.path[-1]: number} for stop in record["stops"]]


class Sides(PrintedChoices):
    """The sides that track joins with the stop of a tile or hex, or each with a stop of its own."""

    kind = "sides"

    def __init__(self, path: Sequence[str | int], label: str) -> None:
        super().__init__(path, label, SIDES)

    @staticmethod
    def fit(record: Mapping[str, Any]) -> bool:
        """Whether sides are all there is to say about the track of a record."""
        paths, stops = record["paths"], record["stops"]
        plain = all(path[0][0] == "e" and path[1][0] == "s" for path in paths)
        return bool(plain and paths) and len(stops) in (1, len(paths))

    def read(self, file: Data) -> str:
        paths = self.record(file)["paths"]
        return SEPARATOR.join(self.in_order(path[0][1:] for path in paths))

    def _store(self, file: Data, text: str) -> None:
        if text == self.read(file):
            return
        record = self.record(file)
        sides = self.in_order(text.split(SEPARATOR))
        require(
            bool(sides),
            "{label}: choose one or more.",
            label=Label(self.label),
        )
        gauge, stop = record["paths"][0][2:], record["stops"][0]
        shared = len(record["stops"]) == 1
        record["stops"] = [stop] if shared else [stop] * len(sides)
        record["paths"] = [
            [f"e{side}", f"s{0 if shared else number}", *gauge] for number, side in enumerate(sides)
        ]

    def shown(self, text: str) -> str:
        return ", ".join(EDGES[int(side)] for side in text.split(SEPARATOR))


class Presence(PrintedChoice):
    """Whether the map has a hex of the packaged file."""

    kind = "check"

    def __init__(self, path: Sequence[str | int], label: str, packaged: Data) -> None:
        super().__init__(path, label, {"": N_("no"), "1": N_("yes")})
        self._packaged: Sequence[Data] = packaged["map"]["hexes"]

    @property
    def _given(self) -> Data:
        return next(one for one in self._packaged if one["id"] == self.path[-1])

    def exists(self, file: Data) -> bool:
        return True

    def record(self, file: Data) -> Any:
        found = [one for one in file["map"]["hexes"] if one["id"] == self.path[-1]]
        return found[0] if found else dict(self._given)

    def noted_source(self, file: Data) -> str:
        return super().noted_source(file) if self.read(file) else COMPONENT

    def read(self, file: Data) -> str:
        return "1" if any(one["id"] == self.path[-1] for one in file["map"]["hexes"]) else ""

    def _store(self, file: Data, text: str) -> None:
        hexes = [one for one in file["map"]["hexes"] if one["id"] != self.path[-1]]
        file["map"]["hexes"] = in_order(hexes + [dict(self._given)] * bool(text), self._packaged)


class Par(PrintedNumber):
    """The issue price of a company, which is also where it starts on a chart of one row."""

    def write(self, file: Data, text: str) -> None:
        number, market = self.number(text), file["market"]
        places = {
            value: [row, column]
            for row, values in enumerate(market["grid"])
            for column, value in enumerate(values)
            if value is not None
        }
        require(number in places, "The stock market has no space worth {number}.", number=number)
        record = self.record(file)
        record["par"] = number
        market["start"] = market["start"] | {record["id"]: places[number]}


def print_values(path: Sequence[str | int], record: Mapping[str, Any]) -> Iterator[PrintedValue]:
    """The values of the stops and the track of a tile or hex."""
    kinds = {stop["kind"] for stop in record["stops"]}
    if kinds and kinds <= {"city", "town"}:
        limits = (0, MAX_VALUE, 5)
        yield StopNumber((*path, "value"), N_("Value"), limits=limits)
        if kinds == {"city"}:
            yield StopNumber((*path, "slots"), N_("Spaces in a city"), limits=(1, MOST_SPACES, 1))
        if Sides.fit(record):
            yield Sides((*path, "paths"), N_("Track to these sides"))


def tiles(
    components: Components, file: Data, words: Words, sizes: Sizes
) -> Iterator[PrintedComponent]:
    """All types of tiles."""
    for record in file["tiles"]:
        name, path = record["id"], ("tiles", record["id"])
        table = "table_source" if "table_source" in record else "source"
        values = [
            PrintedNumber((*path, "count"), N_("Number of tiles"), table, limits=(0, MAX_COUNT, 1)),
            *print_values(path, record),
            PrintedList((*path, "upgrades"), N_("Replaced by the tiles"), table),
        ]
        label = words._("Tile {tile}", tile=name)
        drawing = draw_tile(components.board.tiles[name].faces[0], label, sizes)
        yield PrintedComponent(
            f"tile-{name}", label, words._("Tiles"), values, "", drawing, remark(record, words)
        )


def companies(file: Data, words: Words, *, with_par: bool = False) -> Iterator[PrintedComponent]:
    """All share companies."""
    colours = {name: COLOUR_NAMES[name] for name in COMPANY_COLOURS}
    for record in file["companies"]["public"]:
        path = ("companies", "public", record["id"])
        values: list[PrintedValue] = [
            PrintedNumber(
                (*path, "station_markers"),
                N_("Station tokens"),
                _own(record, "station_markers"),
                limits=(1, 20, 1),
            ),
            PrintedChoice((*path, "color"), N_("Colour"), colours, _own(record, "color")),
        ]
        if with_par:
            own = _own(record, "par")
            values.append(Par((*path, "par"), N_("Issue price"), own, limits=(1, MAX_VALUE, 1)))
        yield PrintedComponent(
            f"company-{record['id']}",
            f"{record['id']} · {record['name']}",
            words._("Companies"),
            values,
            note=remark(record, words),
        )


def _own(record: Mapping[str, Any], key: str) -> str:
    """The key of the source of one value, which may have its own."""
    return f"{key}_source" if f"{key}_source" in record else "source"


def remark(record: Mapping[str, Any], words: Words) -> str:
    """The remark of a record, if there is one in the reader's language."""
    found: str = record.get("note" if words.language == "en" else f"note_{words.language}", "")
    return found
