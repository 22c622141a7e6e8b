"""Variant files of every title, and the printed values that owners of a game can correct."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import kursbuch
from kursbuch.core.components import (
    COMPONENT,
    RECONSTRUCTED,
    Data,
    PrintedComponent,
    PrintedValue,
    beyond,
    completed,
    corrected,
    differences,
    variant_file,
)
from kursbuch.core.errors import KursbuchError
from kursbuch.core.title import Title
from kursbuch.core.words import Words

TITLES = list(kursbuch.titles().values())
WORDS = Words("en")

#: A correction of every title: the name of a value, and a text.
CORRECTIONS = {
    "rocket": {
        "metropolises.0.hex": "D11",
        "metropolises.3.hex": "E14",
        "lines.2.colour": "yellow",
        "hexes.A": "8-22",
    },
    "nimm": {"locomotives.S2.speed": "61", "wagons.0.values": "9×50, 10×100, 6×150"},
    "dice": {
        "tiles.lake.grid": "\n".join(
            (".......", "...W...", "..WWWW.", ".WWWWW.", *3 * (".......",))
        ),
        "companies.weiden.colour": "black",
    },
    "1835": {"tiles.57.value": "30", "companies.public.BY.station_markers": "4"},
    "1853": {
        "cities.Nagpur.companies": "EIR,BNR",
        "cities.Nagpur.value": "30",
        "tiles.716.paths": "0,2,4",
        "tiles.CD.paths": "0,1,2",
        "companies.public.ECR.par": "64",
        "map.hexes.I29": "",
    },
}


def encoded(data: Data) -> bytes:
    return json.dumps(data).encode()


def values(title: Title[Any], file: Data) -> dict[str, tuple[PrintedComponent, PrintedValue]]:
    """The printed values of a file by name."""
    own = title if file == title.packaged_data else title.with_data(encoded(file))
    return {
        value.name: (component, value)
        for component in own.printed_components(file, WORDS)
        for value in component.values
    }


def change(
    title: Title[Any], file: Data, entered: dict[str, str], checked: dict[str, bool] | None = None
) -> Data:
    components = title.printed_components(file, WORDS)
    ours = title.packaged_data
    return corrected(components, ours, file, entered, checked or {}, title.align_data)


def reread(title: Title[Any], file: Data) -> Data:
    """What a title makes of the variant file of a file."""
    variant = variant_file(title.id, title.packaged_data, file)
    assert json.loads(variant)["variant_of"] == title.id
    found: Data = json.loads(completed(variant, title.id, encoded(title.packaged_data)))
    return found


@pytest.mark.parametrize("title", TITLES, ids=lambda title: title.id)
def test_every_value_can_be_written_as_it_is_read(title: Title[Any]) -> None:
    ours = title.packaged_data
    found = values(title, ours)
    assert len(found) > 20
    for name, (_, value) in found.items():
        assert value.exists(ours), name
        file = copy.deepcopy(ours)
        value.write(file, value.read(file))
        title.align_data(file)
        assert value.read(file) == value.read(ours), name
    assert change(title, ours, {}) == ours
    assert list(differences([one for one, _ in found.values()], ours, ours)) == []


@pytest.mark.parametrize("title", TITLES, ids=lambda title: title.id)
def test_corrections_become_a_variant_that_the_title_reads(title: Title[Any]) -> None:
    ours, entered = title.packaged_data, CORRECTIONS[title.id]
    file = change(title, ours, entered)
    assert reread(title, file) == file
    own = title.with_data(variant_file(title.id, ours, file, "My box"))
    assert not own.data_is_standard
    now = values(title, file)
    assert {name: now[name][1].read(file) for name in entered} == entered
    components = own.printed_components(file, WORDS)
    found = [one.value.name for one in differences(components, ours, file)]
    assert set(entered) <= set(found)
    assert beyond(components, ours, file, title.align_data) == []
    # What was corrected is no longer reconstructed, and taking it back makes it so again.
    for name in entered:
        assert now[name][1].source(file) != RECONSTRUCTED
    back = {name: now[name][1].read(ours) for name in found}
    unchecked = dict.fromkeys((component.id for component in components), False)
    again = change(title, file, back, unchecked)
    assert title.with_data(encoded(again)).data_is_standard


@pytest.mark.parametrize("title", TITLES, ids=lambda title: title.id)
def test_what_was_compared_with_the_box_says_so(title: Title[Any]) -> None:
    ours = title.packaged_data
    doubtful = {
        component.id: value
        for component, value in values(title, ours).values()
        if value.source(ours) == RECONSTRUCTED
    }
    assert bool(doubtful) == (title.id != "1835")
    for name, value in doubtful.items():
        file = change(title, ours, {}, {name: True})
        assert value.source(file) == COMPONENT
        assert change(title, file, {}, {name: False}) == ours
        assert change(title, file, {}) == file


@pytest.mark.parametrize(
    ("title", "name", "text", "sentence"),
    [
        ("1853", "tiles.716.count", "many", "Number of tiles must be a number from 0 to 1000"),
        ("1853", "tiles.716.count", "-1", "Number of tiles must be a number from 0 to 1000"),
        ("1853", "tiles.716.paths", "", "Track to these sides: choose one or more."),
        ("1853", "tiles.716.paths", "0,7", "Track to these sides cannot be '7'."),
        ("1853", "tiles.716.upgrades", "102, 7", "Tile 716 cannot be upgraded to '7'"),
        ("1853", "cities.Delhi.companies", "", "No company goes with the city Delhi."),
        ("1853", "companies.public.ECR.par", "71", "The stock market has no space worth 71."),
        ("rocket", "metropolises.0.hex", "D11", "are on the same hex"),
        ("rocket", "metropolises.0.name", "", "invalid name"),
        ("rocket", "hexes.A", "8 to 10", "Columns are written as 8-20 or 24, unlike 'to'."),
        ("rocket", "hexes.A", "9-11", "lies between two hexes"),
        ("nimm", "wagons.0.values", "nine", "Cards are written as 9×50, 7×100, unlike 'nine'."),
        ("nimm", "wagons.0.values", "9×50", "do not add up to 25"),
        ("nimm", "locomotives.S2.drive", "horse", "Drive cannot be 'horse'."),
        ("dice", "tiles.lake.grid", "", "The grid of the tile lake is not 7 rows"),
        ("dice", "tiles.lake.grid", "W" * 49, "The grid of the tile lake is not 7 rows"),
    ],
)
def test_what_cannot_be_printed_is_refused(title: str, name: str, text: str, sentence: str) -> None:
    found = kursbuch.title(title)
    with pytest.raises(KursbuchError) as refusal:
        found.with_data(encoded(change(found, found.packaged_data, {name: text})))
    assert sentence in str(refusal.value)


def test_tracks_of_a_tile_follow_its_sides() -> None:
    title = kursbuch.title("1853")
    file = change(title, title.packaged_data, {"tiles.716.paths": "1,4", "tiles.CD.paths": "0,3"})
    tiles = {tile["id"]: tile for tile in file["tiles"]}
    assert tiles["716"]["paths"] == [["e1", "s0", "dual"], ["e4", "s0", "dual"]]
    assert tiles["CD"]["paths"] == [["e0", "s0", "dual"], ["e3", "s1", "dual"]]
    assert len(tiles["CD"]["stops"]) == 2


def test_towns_can_change_places() -> None:
    title = kursbuch.title("rocket")
    towns = title.packaged_data["metropolises"]
    first, second = towns[0]["hex"], towns[3]["hex"]
    entered = {"metropolises.0.hex": second.lower(), "metropolises.3.hex": first}
    file = change(title, title.packaged_data, entered)
    assert title.with_data(encoded(file)).boards.usual.towns[7].hex  # type: ignore[attr-defined]
    assert [file["metropolises"][n]["hex"] for n in (0, 3)] == [second, first]


def test_a_file_that_no_variant_can_describe_is_kept_whole() -> None:
    title = kursbuch.title("1853")
    file = copy.deepcopy(title.packaged_data)
    file["trains"].reverse()
    del file["tiles"][0]["table_source"]
    assert json.loads(variant_file("1853", title.packaged_data, file)) == file


def test_differences_besides_printed_values_are_named() -> None:
    title = kursbuch.title("1853")
    ours = title.packaged_data
    variant = title.packaged_variant("waltair-n22")
    file = json.loads(completed(variant, "1853", encoded(ours)))
    components = title.with_data(encoded(file)).printed_components(file, WORDS)
    assert beyond(components, ours, file, title.align_data) == [
        "cities Waltair",
        "companies public ECR",
        "map hexes N22",
        "map hexes O21",
    ]


@pytest.mark.parametrize("title", TITLES, ids=lambda title: title.id)
def test_packaged_variants_can_be_read(title: Title[Any]) -> None:
    for name in title.data_variants:
        assert not title.with_data(title.packaged_variant(name)).data_is_standard
