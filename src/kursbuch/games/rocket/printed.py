"""Printed values of Stephenson's Rocket that owners of the game can correct: towns, lines and the shape of the map."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kursbuch.core.components import (
    COLOUR_NAMES,
    RECONSTRUCTED,
    Data,
    PrintedChoice,
    PrintedComponent,
    PrintedNumber,
    PrintedValue,
    in_order,
)
from kursbuch.core.errors import require
from kursbuch.core.words import N_, Words
from kursbuch.games.rocket.components import INDUSTRIES, KIND_NAMES

#: Lists of towns with the kind of their hexes.
TOWN_LISTS = {"lines": "start", "metropolises": "metropolis", "railway_towns": "railway_town"}

_RANGE = re.compile(r"([0-9]{1,2})(?:[-–]([0-9]{1,2}))?")


class MapRow(PrintedValue):
    """The land hexes of a row of the map, as ranges of columns: "8-20 24"."""

    def __init__(self, row: str, packaged: Data) -> None:
        super().__init__(("hexes", row), N_("Columns with land"))
        self._packaged: Sequence[Data] = packaged["hexes"]

    def record(self, file: Data) -> dict[str, Any]:
        """The hexes of the row by column."""
        row = self.path[-1]
        return {one["id"][1:]: one for one in file["hexes"] if one["id"][0] == row}

    def exists(self, file: Data) -> bool:
        return True

    def noted_source(self, file: Data) -> str:
        sources = {one.get("source", "") for one in self.record(file).values()}
        return RECONSTRUCTED if RECONSTRUCTED in sources else max(sources, default="")

    def note_source(self, file: Data, source: str) -> None:
        for one in self.record(file).values():
            one["source"] = source

    def read(self, file: Data) -> str:
        ranges: list[list[int]] = []
        for column in sorted(map(int, self.record(file))):
            if ranges and column == ranges[-1][-1] + 2:
                ranges[-1][1:] = [column]
            else:
                ranges.append([column])
        return " ".join("-".join(map(str, ends)) for ends in ranges)

    def write(self, file: Data, text: str) -> None:
        columns: set[int] = set()
        for word in text.replace(",", " ").split():
            found = _RANGE.fullmatch(word)
            require(
                found is not None,
                "Columns are written as 8-20 or 24, unlike {text}.",
                text=repr(word[:20]),
            )
            assert found is not None
            columns.update(range(int(found[1]), int(found[2] or found[1]) + 1, 2))
        row, known = str(self.path[-1]), self.record(file)
        ours = {one["id"]: one for one in self._packaged}
        hexes = [
            one for one in file["hexes"] if one["id"][0] != row or int(one["id"][1:]) in columns
        ]
        for column in sorted(columns):
            if str(column) not in known:
                name = f"{row}{column}"
                new = {"id": name, "kind": "open", "source": RECONSTRUCTED}
                hexes.append(dict(ours.get(name, new)))
        file["hexes"] = in_order(hexes, self._packaged)


class Place(PrintedValue):
    """The hex of a town."""

    kind = "place"

    def write(self, file: Data, text: str) -> None:
        super().write(file, text.upper())


def align(file: Data) -> None:
    """Give every hex the kind of the town on it."""
    kinds = {town["hex"]: kind for name, kind in TOWN_LISTS.items() for town in file.get(name, [])}
    for record in file["hexes"]:
        kind = kinds.get(record["id"], "open")
        if record["kind"] != kind:
            record["kind"] = kind


def components(packaged: Data, file: Data, words: Words) -> Iterator[PrintedComponent]:
    """Towns, lines and rows of the map."""
    colours = {
        name: COLOUR_NAMES[name]
        for name in ("red", "blue", "black", "violet", "green", "orange", "yellow")
    }
    industries = {name: KIND_NAMES[name] for name in INDUSTRIES}
    for number, record in enumerate(file["metropolises"]):
        path = ("metropolises", number)
        values = [
            *_town(path, record, "name"),
            PrintedChoice((*path, "industry"), N_("Industry"), industries),
            PrintedNumber((*path, "tokens"), N_("Tokens"), known="public", limits=(0, 1000, 1)),
        ]
        yield _component(path, record["name"], words._("Metropolises"), values, record)
    for number, record in enumerate(file["railway_towns"]):
        path = ("railway_towns", number)
        values = _town(path, record, "name")
        yield _component(path, record["name"], words._("Railway towns"), values, record)
    for number, record in enumerate(file.get("optional_railway_towns", [])):
        path = ("optional_railway_towns", number)
        group = words._("Railway towns of the option with 13")
        yield _component(path, record["name"], group, _town(path, record, "name"), record)
    for number, record in enumerate(file["lines"]):
        path = ("lines", number)
        values = [
            *_town(path, record, "start"),
            PrintedValue((*path, "name"), N_("Name of the line"), known=_known(record, "name")),
            PrintedChoice((*path, "colour"), N_("Colour"), colours, known=_known(record, "colour")),
        ]
        name = f"{record['id']} · {record['start']}"
        yield _component(path, name, words._("Lines and their start towns"), values, record)
    for row in sorted({record["id"][0] for record in file["hexes"]}):
        name = words._("Row {row}", row=row)
        yield PrintedComponent(
            f"row-{row}", name, words._("Land of the map"), [MapRow(row, packaged)]
        )


def _component(
    path: Sequence[str | int],
    name: str,
    group: str,
    values: Sequence[PrintedValue],
    record: Mapping[str, Any],
) -> PrintedComponent:
    return PrintedComponent("-".join(map(str, path)), name, group, values, record["hex"])


def _town(path: Sequence[str | int], record: Mapping[str, Any], name: str) -> list[PrintedValue]:
    return [
        PrintedValue((*path, name), N_("Name of the town"), known=_known(record, name)),
        Place((*path, "hex"), N_("Hex"), known=_known(record, "hex")),
    ]


def _known(record: Mapping[str, Any], key: str) -> str:
    """The source of a value that is public although the rest of its record is reconstructed."""
    return "public" if key in record.get("public", ()) else ""
