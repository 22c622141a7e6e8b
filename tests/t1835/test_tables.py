"""The component data agree with the tables of the rule index."""

from __future__ import annotations

from typing import Any

import pytest

from kursbuch.eighteen.t1835 import TITLE
from kursbuch.eighteen.t1835.components import standard
from tests.t1835.table import Scene

COMPONENTS = standard()
BOARD = COMPONENTS.board


def data(rule: str) -> list[list[Any]]:
    """The rows of a table."""
    found = TITLE.rules[rule].data
    assert found
    return [[getattr(cell, "en", cell) for cell in row] for row in found]


@pytest.mark.rule("1835:table-yellow-tiles")
@pytest.mark.rule("1835:table-green-tiles")
@pytest.mark.rule("1835:table-brown-tiles")
@pytest.mark.rule("1835:5.5.1.17")
def test_tiles() -> None:
    for colour in ("yellow", "green", "brown"):
        found = {tile.id: tile.record for tile in BOARD.tiles.values() if tile.colour == colour}
        rows = data(f"table-{colour}-tiles")
        assert {str(row[0]) for row in rows} == set(found)
        for number, count, *replaced in rows:
            record = found[str(number)]
            expected = [[str(other) for other in others] for others in [*replaced, [], []][:2]]
            assert record.count == count
            assert [sorted(record.upgrades), sorted(record.upgrades_public)] == [
                sorted(others) for others in expected
            ]
    assert sum(tile.count for tile in BOARD.tiles.values()) == 147


@pytest.mark.rule("1835:table-printed-upgrades")
def test_first_tiles_of_printed_hexes() -> None:
    scene = Scene().phase("5")
    for name, colour, tiles in data("table-printed-upgrades"):
        record = next(record for record in BOARD.records if record.name == name)
        assert record.color == colour
        fits = scene.book.builder.fits(scene.state, record.id)
        assert {fit.tile for fit in fits} == {str(tile) for tile in tiles}


@pytest.mark.rule("1835:table-trains")
@pytest.mark.rule("1835:material-1")
def test_trains() -> None:
    records = COMPONENTS.train_records.values()
    assert data("table-trains") == [[record.id, record.count, record.price] for record in records]
    assert sum(record.count for record in records) == 33


@pytest.mark.rule("1835:table-phases")
def test_phases() -> None:
    scrapped = {
        record.scrapped_by: record.id
        for record in COMPONENTS.train_records.values()
        if record.scrapped_by
    }
    assert scrapped == {"4": "2", "4+4": "2+2", "6": "3", "6+6": "3+3"}
    rows = [
        (
            record.starts_with_train,
            record.phase,
            record.tiles,
            record.operating_rounds,
            record.tile_lays.public,
            record.tile_lays.minor,
            record.trains_from_other_companies,
        )
        for record in COMPONENTS.phases
    ]
    yellow, green = ["yellow"], ["yellow", "green"]
    brown = [*green, "brown"]
    assert rows == [
        (None, 1, yellow, 1, 2, 1, False),
        ("3", 2, green, 2, 1, 1, True),
        ("4", 2, green, 2, 1, 1, True),
        ("4+4", 2, green, 2, 1, 1, True),
        ("5", 3, brown, 3, 1, 1, True),
        ("6", 3, brown, 3, 1, 1, True),
        ("6+6", 3, brown, 3, 1, 1, True),
    ]
    assert [str(row[0]) for row in data("table-phases")] == ["2", *(str(r[0]) for r in rows[1:])]


@pytest.mark.rule("1835:table-train-limits")
@pytest.mark.rule("1835:5.5.4.7")
def test_train_limits() -> None:
    expected = {"2": (4, 2, 4), "3": (4, 2, 4), "4": (3, 1, 4), "4+4": (3, 1, 4), "5": (2, 0, 3)}
    for train, (share, minor, prussia) in expected.items():
        scene = Scene().phase(train)
        limit = scene.book.depot.train_limit
        assert (limit(scene.state, "BY"), limit(scene.state, "1")) == (share, minor)
        assert limit(scene.state, "PR") == prussia
    assert [row[0] for row in data("table-train-limits")] == ["2", "4", "5"]


@pytest.mark.rule("1835:table-red-hexes")
@pytest.mark.rule("1835:5.5.3.11.3")
def test_red_hexes() -> None:
    for name, *values in data("table-red-hexes"):
        hexes = [record for record in BOARD.records if record.name == name]
        assert hexes
        found = values[0] if isinstance(values[0], list) else values
        assert all(record.stops[0].values == found for record in hexes)
        assert all(record.first_phase is None for record in hexes)


@pytest.mark.rule("1835:table-board")
def test_named_hexes() -> None:
    for name, place, *_ in data("table-board"):
        for hex in str(place).replace(" and ", ",").split(","):
            record = BOARD.records[BOARD.place(hex.strip())]
            assert name in (record.name, record.place, "second OB hex")
    # What the ruling says about costs.
    for hex in ("H20", "H2", "F14", "L6"):
        assert BOARD.records[BOARD.place(hex)].cost == 0
    assert BOARD.records[BOARD.place("M17")].privates == ["OB"]
