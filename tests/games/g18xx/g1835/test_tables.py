"""The component data agree with the tables of the rule index."""

from __future__ import annotations

from typing import Any

import pytest

from kursbuch.games.g18xx.g1835 import TITLE
from kursbuch.games.g18xx.g1835.components import standard
from tests.games.g18xx.g1835.table import Scene

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
            assert [sorted(record.upgrades), sorted(record.unlisted_upgrades)] == [
                sorted(others) for others in expected
            ]
    assert sum(tile.count for tile in BOARD.tiles.values()) == 147


@pytest.mark.rule("1835:table-printed-upgrades")
def test_first_tiles_of_printed_hexes() -> None:
    scene = Scene().phase("5")
    for name, colour, tiles in data("table-printed-upgrades"):
        record = next(record for record in BOARD.records if record.name == name)
        assert record.color == colour
        fits = scene.ruleset.builder.fits(scene.state, record.id)
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
            record.number,
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
    assert [row[:5] for row in data("table-phases")] == [
        [train or "2", phase, ", ".join(tiles), rounds, scrapped.get(train or "", ())]
        for train, phase, tiles, rounds, *_ in rows
    ]


@pytest.mark.rule("1835:table-train-limits")
@pytest.mark.rule("1835:5.5.4.7")
def test_train_limits() -> None:
    expected = {"2": (4, 2, 4), "3": (4, 2, 4), "4": (3, 1, 4), "4+4": (3, 1, 4), "5": (2, 0, 3)}
    for train, (share, minor, prussia) in expected.items():
        scene = Scene().phase(train)
        limit = scene.ruleset.depot.train_limit
        assert (limit(scene.state, "BY"), limit(scene.state, "1")) == (share, minor)
        assert limit(scene.state, "PR") == prussia
    rows = [
        [record.starts_with_train or "2", limit.public, limit.minor or (), limit.prussia or ()]
        for record in COMPONENTS.file.phases
        for limit in [record.train_limit]
    ]
    assert data("table-train-limits") == [
        row for number, row in enumerate(rows) if not number or row[1:] != rows[number - 1][1:]
    ]


@pytest.mark.rule("1835:table-start-capital")
def test_starting_capital() -> None:
    records = COMPONENTS.file.setup.players
    rows = [[record.players, record.cash, record.certificate_limit] for record in records]
    assert data("table-start-capital") == rows


@pytest.mark.rule("1835:table-start-packet")
def test_the_start_packet() -> None:
    incomes = {record.id: record.income for record in COMPONENTS.file.companies.privates}
    minors = {record.id for record in COMPONENTS.file.companies.minors}

    def certificate(company: str, percent: int, director: bool) -> str:
        return f"{company} {percent}{', director' * director}"

    rows = []
    for number, records in enumerate(COMPONENTS.file.start_packet.rows, 1):
        for record in records:
            item, given = record.item, record.with_
            name = f"Minor {item}" if item in minors else item
            if record.company:
                name = certificate(record.company, record.percent, record.director)
            free = certificate(given.company, given.percent, given.director) if given else ()
            rows.append([number, name, record.price, incomes.get(item, ()), free])
    # What black privates give for Prussia stands elsewhere; a row may end before its last column.
    assert [[*row, ()][:5] for row in data("table-start-packet")] == rows


@pytest.mark.rule("1835:table-certificates")
def test_certificates() -> None:
    rows = {}
    for record in COMPONENTS.file.companies.public:
        [director] = [one.percent for one in record.certificates if one.director]
        others = [one for one in record.certificates if not one.director]
        new = tuple(one.percent for one in others if one.where != "exchange")
        exchanged = tuple(one.percent for one in others if one.where == "exchange")
        rows[record.id] = [director, new, exchanged]
    assert {name: row[:3] for name, *row in data("table-certificates")} == rows


@pytest.mark.rule("1835:table-price-chart")
def test_the_price_chart() -> None:
    rows = []
    for number, row in enumerate(COMPONENTS.file.market.grid, 1):
        prices = tuple(price for price in row if price is not None)
        rows.append([number, "ABCDEFGHIJKLMNOP"[row.index(prices[0])], prices])
    assert data("table-price-chart") == rows


@pytest.mark.rule("1835:3.1.1")
def test_privates() -> None:
    records = COMPONENTS.file.companies.privates
    assert data("3.1.1") == [[record.id, record.name, record.colour] for record in records]


@pytest.mark.rule("1835:3.3.2")
def test_share_companies() -> None:
    """Their capital is what is paid for all that is not exchanged."""
    rows = {}
    for record in COMPONENTS.file.companies.public:
        sold = sum(one.percent for one in record.certificates if one.where != "exchange")
        home = {*COMPONENTS.homes[record.id][0].city.split("/")}
        capital = record.par * sold // 10
        rows[record.id] = [home, record.par, sold // 10, capital, record.station_markers]
    found = {name: [{*home.split("/")}, *rest] for name, _, home, *rest in data("3.3.2")}
    assert found == rows


@pytest.mark.rule("1835:material-1")
def test_material() -> None:
    file = COMPONENTS.file
    counts = {
        "track tiles (yellow, green, brown)": sum(record.count for record in file.tiles),
        "share certificates": sum(len(record.certificates) for record in file.companies.public),
        "privates": len(file.companies.privates),
        "train cards": sum(record.count for record in file.trains),
        "sheets of share companies": len(file.companies.public),
        "sheets of minors": len(file.companies.minors),
        "money in Mark, in 8 denominations": file.setup.bank,
    }
    assert counts.items() <= dict(data("material-1")).items()


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
            record = BOARD.records[BOARD.number(hex.strip())]
            assert name in (record.name, record.place, "second OB hex")
    # What the ruling says about costs.
    for hex in ("H20", "H2", "F14", "L6"):
        assert BOARD.records[BOARD.number(hex)].cost == 0
    assert BOARD.records[BOARD.number("M17")].privates == ["OB"]
