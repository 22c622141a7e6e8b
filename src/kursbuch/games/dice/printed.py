"""Printed values of Railroad Dice that owners of the game can correct: terrain tiles and companies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kursbuch.core.components import (
    COLOUR_NAMES,
    Data,
    PrintedChoice,
    PrintedComponent,
    PrintedGrid,
    PrintedNumber,
    PrintedValue,
)
from kursbuch.core.words import N_, Words
from kursbuch.games.dice import drawing
from kursbuch.games.dice.components import MAX_COUNT, MEADOW, MOUNTAIN, WATER, Board

LETTERS = {MEADOW: N_("meadow"), MOUNTAIN: N_("mountain"), WATER: N_("water")}
TILE_NAMES = {
    "meadow": N_("Meadow"),
    "lake": N_("Lake"),
    "mountain2": N_("Mountain on two sides"),
    "mountain3": N_("Mountain on three sides"),
}
STATIONS = {
    "mountain": {"cost_3": N_("Mountain stations for 3"), "cost_5": N_("Mountain stations for 5")},
    "lake": {"cost_3": N_("Lake stations for 3"), "cost_5": N_("Lake stations for 5")},
    "meadow": {"cost_3": N_("Meadow stations for 3"), "cost_5": N_("Meadow stations for 5")},
}


def align(file: Data) -> None:
    """Name the sides of every tile as its grid has them."""
    for record in file["tiles"]:
        grid = record["grid"]
        if not grid or not all(grid):
            continue  # the reader reports the error
        edges = (
            grid[0],
            "".join(row[-1] for row in grid),
            grid[-1],
            "".join(row[0] for row in grid),
        )
        sides = ["mountain" if MOUNTAIN in edge else "meadow" for edge in edges]
        if record["sides"] != sides:
            record["sides"] = sides


def components(board: Board, file: Data, words: Words) -> Iterator[PrintedComponent]:
    """Tiles and companies."""
    for number, record in enumerate(file["tiles"]):
        name, path = record["id"], ("tiles", record["id"])
        values: Sequence[PrintedValue] = [
            PrintedGrid((*path, "grid"), N_("Squares"), LETTERS),
            PrintedNumber((*path, "small"), N_("Small tiles"), limits=(0, MAX_COUNT, 1)),
        ]
        label = words._(TILE_NAMES.get(name, record["name"]))
        picture = drawing.draw_tile(board, number, label)
        yield PrintedComponent(
            f"tile-{name}", label, words._("Terrain tiles"), values, drawing=picture
        )
    names = ("white", "blue", "green", "yellow", "red", "black", "orange", "violet")
    colours = {name: COLOUR_NAMES[name] for name in names}
    for record in file["companies"]:
        path = ("companies", record["id"])
        values = [
            PrintedChoice((*path, "colour"), N_("Colour"), colours, "colour_source"),
            PrintedNumber((*path, "shares"), N_("Shares"), limits=(1, MAX_COUNT, 1)),
        ]
        for place, card in enumerate(record["stations"]):
            for key, text in STATIONS.get(card["terrain"], {}).items():
                where, limits = (*path, "stations", place, key), (0, MAX_COUNT, 1)
                values.append(PrintedNumber(where, text, known="rulebook", limits=limits))
        group = words._("Companies")
        yield PrintedComponent(f"company-{record['id']}", record["name"], group, values)
