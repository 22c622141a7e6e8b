"""Printed values of 1853 that owners of the game can correct, besides those of all 18xx titles."""

from __future__ import annotations

from collections.abc import Iterator

from kursbuch.core.components import (
    RECONSTRUCTED,
    Data,
    PrintedChoices,
    PrintedComponent,
    PrintedNumber,
    PrintedValue,
)
from kursbuch.core.words import N_, Words
from kursbuch.games.g18xx.drawing.faces import draw_tile
from kursbuch.games.g18xx.drawing.look import Sizes
from kursbuch.games.g18xx.g1853.components import Components1853
from kursbuch.games.g18xx.map.board import MAX_VALUE
from kursbuch.games.g18xx.printed import Presence, print_values, remark


def cities(file: Data, words: Words) -> Iterator[PrintedComponent]:
    """The contract cities."""
    # The map shows companies by their numbers.
    public = file["companies"]["public"]
    companies = {record["id"]: f"{record['number']} {record['id']}" for record in public}
    for record in file["cities"]:
        path = ("cities", record["id"])
        values = [
            PrintedChoices((*path, "companies"), N_("Companies"), companies, "companies_source"),
            PrintedNumber((*path, "value"), N_("Value in a contract"), limits=(0, MAX_VALUE, 5)),
        ]
        name, note = f"{record['id']} ({record['hex']})", remark(record, words)
        group = words._("Contract cities")
        yield PrintedComponent(f"city-{record['id']}", name, group, values, record["hex"], "", note)


def hexes(
    components: Components1853, packaged: Data, file: Data, sizes: Sizes, words: Words
) -> Iterator[PrintedComponent]:
    """The hexes that are reconstructed in the packaged file."""
    board = components.board
    for record in packaged["map"]["hexes"]:
        if record["source"] != RECONSTRUCTED:
            continue
        name, path = record["id"], ("map", "hexes", record["id"])
        values: list[PrintedValue] = [Presence(path, N_("On the map"), packaged)]
        drawing = ""
        here = next((one for one in file["map"]["hexes"] if one["id"] == name), None)
        if here is not None:
            drawing = draw_tile(board.printed[board.number(name)], name, sizes)
            values += print_values(path, here) if here["paths"] else ()
        label = f"{name} · {record['name']}" if record.get("name") else name
        yield PrintedComponent(
            f"hex-{name}",
            label,
            words._("Hexes of the map"),
            values,
            name,
            drawing,
            remark(record, words),
        )
