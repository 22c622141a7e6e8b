"""The component data of 1853: what the book says of them, and what is said about wrong data."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from kursbuch.core.errors import KursbuchError
from kursbuch.games.g18xx.g1853 import TITLE
from kursbuch.games.g18xx.g1853.components import Components1853, standard, standard_data
from kursbuch.games.g18xx.map.board import COLOURS, GAUGES, Tile
from kursbuch.games.g18xx.map.tiles import fits, kept
from kursbuch.games.g18xx.map.track import Laid
from tests.games.g18xx.g1853.test_price import PRICES

File = dict[str, Any]


def changed(change: Callable[[File], object]) -> bytes:
    file: File = json.loads(standard_data())
    change(file)
    return json.dumps(file).encode()


def data(rule: str) -> list[list[Any]]:
    """The rows of a table of the rule index."""
    found = TITLE.rules[rule].data
    assert found
    return [[getattr(cell, "en", cell) for cell in row] for row in found]


def record(records: list[File], name: str) -> File:
    return next(found for found in records if found["id"] == name)


# ---- the map


@pytest.mark.rule("1853:1-map")
def test_the_map() -> None:
    """156 hexes, 23 cities with a name, towns without one."""
    components = standard()
    board = components.board
    assert len(board.hexes) == 156
    assert len(components.cities) == len(components.city_of_hex) == 23
    named = {found.id: found.name for found in board.records if found.name}
    assert named == components.city_of_hex
    for found, face in zip(board.records, board.printed, strict=True):
        assert set(face.kinds()) == ({"city"} if found.name else {"town"} if face.stops else set())
    towns = Counter(face.kinds().count("town") for face in board.printed)
    assert (towns[1], towns[2]) == (46, 6)
    assert all(hex.first_phase == 2 for hex in board.records)


@pytest.mark.rule("1853:1-ganges")
def test_the_valley_of_the_ganges() -> None:
    components = standard()
    valley = {hex.id for hex in components.file.map.hexes if hex.valley}
    cities = {name for name, city in components.cities.items() if city.hex in valley}
    five = {"Cawnpore", "Lucknow", "Allahabad", "Benares", "Patna"}
    assert cities == five | {"Calcutta"}
    assert {name for name, city in components.cities.items() if city.valley} == five


@pytest.mark.rule("1853:4.1.14")
def test_bonuses() -> None:
    assert standard().bonus == {
        **{"B8": 100, "B10": 40, "C5": 200, "D2": 200, "D14": 40, "H2": 40, "I3": 100},
    }


@pytest.mark.rule("1853:4.2.12")
def test_five_cities_are_printed_in_green() -> None:
    """Of two gauges, all but Waltair with separate stations, of which a route enters one."""
    components = standard()
    board = components.board
    printed = {}
    for found, face in zip(board.records, board.printed, strict=True):
        assert (face.colour == "green") == bool(face.paths)
        if face.paths:
            assert {path.gauge for path in face.paths} == {GAUGES["dual"]}
            assert face.edges() & board.closed[board.number(found.id)] == 0
            ways = Counter(len(face.exits(stop)) for stop in range(len(face.stops)))
            assert ways == ({2: 1} if found.label == "W" else {1: len(face.stops)})
            assert found.one_stop_per_route == (found.label != "W")
            values = [stop.value for stop in face.stops]
            printed[found.name] = (found.label, components.cities[found.name].value)
            assert values == [components.cities[found.name].value] * len(values)
        else:
            assert not found.one_stop_per_route
    assert printed == {
        "Calcutta": ("CD", 50),
        "Delhi": ("CD", 40),
        "Bombay": ("BM", 40),
        "Madras": ("BM", 30),
        "Waltair": ("W", 30),
    }


# ---- tiles

#: The table of the book: how many there are, and what they may become.
GREEN = "716 717 718 719"
TABLE = {
    "1": (2, ""),
    "2": (2, ""),
    "3": (10, f"12 14 15 {GREEN}"),
    "4": (14, f"14 15 87 88 {GREEN}"),
    "5": (4, f"12 14 15 {GREEN}"),
    "6": (8, f"12 13 14 15 {GREEN}"),
    "7": (6, "80 82 83 234"),
    "8": (14, "80 81 82 83 250"),
    "9": (14, "82 83 233"),
    "55": (2, ""),
    "56": (2, ""),
    "58": (10, f"87 88 {GREEN}"),
    "69": (2, f"12 13 14 15 {GREEN}"),
    "71": (2, ""),
    "72": (4, f"89 {GREEN} 100 116 117"),
    "73": (6, f"89 {GREEN} 100 101 116 117"),
    "74": (4, f"89 {GREEN} 116"),
    "75": (2, f"{GREEN} 100"),
    "76": (2, f"{GREEN} 100 101"),
    "77": (4, "84 85 86 234"),
    "78": (6, "84 85 86 250"),
    "79": (6, "85 86 233"),
    "113": (2, f"{GREEN} 100 101"),
    "12": (2, "102 103"),
    "13": (2, "102 103"),
    "14": (2, "102"),
    "15": (2, "102"),
    "80": (2, "106 108"),
    "81": (2, "106"),
    "82": (4, "106 107 108"),
    "83": (4, "106 107 108"),
    "84": (2, "106 108"),
    "85": (2, "106 107 108"),
    "86": (2, "106 107 108"),
    "87": (2, "102"),
    "88": (2, "102"),
    "89": (2, "102"),
    "100": (2, "102 103"),
    "101": (2, "102 103"),
    "233": (6, "106 107 108"),
    "234": (4, "106 107 108"),
    "250": (4, "106 107 108"),
    "116": (4, "102"),
    "117": (2, "102"),
    "716": (2, "102"),
    "717": (2, "102 103"),
    "718": (2, "102"),
    "719": (2, "102 103"),
    "102": (3, ""),
    "103": (4, "109"),
    "105": (2, "111"),
    "106": (2, "112"),
    "107": (2, "112"),
    "108": (2, "112"),
    "CD": (2, "900"),
    "W": (1, ""),
    "109": (2, ""),
    "900": (1, ""),
    "111": (2, ""),
    "112": (2, ""),
}


@pytest.mark.rule(
    "1853:1-tiles",
    "1853:table-tiles-yellow",
    "1853:table-tiles-green",
    "1853:table-tiles-brown",
    "1853:table-tiles-gray",
)
def test_tiles_are_those_of_the_table() -> None:
    tiles = standard().board.tiles
    found = {name: (tile.count, " ".join(tile.record.upgrades)) for name, tile in tiles.items()}
    order = {name: (count, sorted(up.split())) for name, (count, up) in TABLE.items()}
    assert {name: (count, sorted(up.split())) for name, (count, up) in found.items()} == order
    count: Counter[str] = Counter()
    for tile in tiles.values():
        count[tile.colour] += tile.count
    assert count == {"yellow": 128, "green": 64, "brown": 18, "gray": 7}


def kind(tile: Tile) -> str:
    return tile.record.stops[0].kind if tile.record.stops else ""


def possible(tile: Tile, other: Tile) -> bool:
    return any(kept(tile.faces[0], face) is not None for face in other.faces)


@pytest.mark.rule("1853:4.2.4", "1853:4.2.5", "1853:4.2.6")
def test_every_replacement_of_the_table_is_possible() -> None:
    """And the table leaves out nothing that is, but towns become cities, and double towns nothing."""
    tiles = standard().board.tiles
    becomes = {"": ("", "junction"), "junction": ("junction",), "town": ("town", "city")}
    left_out = set()
    for tile in tiles.values():
        for other in tiles.values():
            listed = other.id in tile.record.upgrades
            fitting = possible(tile, other)
            assert fitting or not listed, (tile.id, other.id)
            if (
                fitting
                and not listed
                and COLOURS.index(other.colour) == COLOURS.index(tile.colour) + 1
                and tile.label == other.label
                and kind(other) in becomes.get(kind(tile), ("city",))
                and len(tile.record.stops) < 2
            ):
                left_out.add((tile.id, other.id))
    three = {("3", "87"), ("3", "88"), ("117", "103")}
    assert left_out == three | {("58", other) for other in ("12", "13", "14", "15")}


@pytest.mark.rule("1853:4.1.5", "1853:4.2.8")
def test_gauges() -> None:
    """White track, black track, and all brown and gray tiles with both."""
    metre = {*map(str, range(71, 80)), "113", "84", "85", "86", "89", "100", "101", "116", "117"}
    dual = {"233", "234", "250", "716", "717", "718", "719"}
    for tile in standard().board.tiles.values():
        later = tile.colour in ("brown", "gray") or tile.id in dual
        gauge = "dual" if later else "metre" if tile.id in metre else "standard"
        assert {path.gauge for path in tile.faces[0].paths} == {GAUGES[gauge]}, tile.id


@pytest.mark.rule("1853:4.2.5", "1853:4.5.10")
def test_junctions() -> None:
    """Green ones are for one train, brown and gray ones are passed like stations."""
    exclusive: dict[bool, list[str]] = {True: [], False: []}
    for name, tile in standard().board.tiles.items():
        for stop in tile.faces[0].stops:
            if stop.kind == "junction":
                exclusive[stop.exclusive].append(name)
    assert exclusive[True] == [str(number) for number in range(80, 87)]
    assert exclusive[False] == ["106", "107", "108", "112"]


@pytest.mark.rule("1853:4.1.9", "1853:4.1.4")
def test_first_tiles() -> None:
    board = standard().board
    yellow: dict[tuple[str, int], set[str]] = {}
    for name, place in board.index.items():
        found = {fit.tile for fit in fits(board, {}, name, ["yellow"])}
        face = board.printed[place]
        if face.paths:
            assert not found
        else:
            assert found, name
            yellow.setdefault((kind_of(face.kinds()), len(face.stops)), set()).update(found)
    assert yellow == {
        ("", 0): {"7", "8", "9", "77", "78", "79"},
        ("town", 1): {"3", "4", "58", "72", "73", "74"},
        ("town", 2): {"1", "2", "55", "56", "71"},
        ("city", 1): {"5", "6", "69", "75", "76", "113"},
    }


def kind_of(kinds: list[str]) -> str:
    return kinds[0] if kinds else ""


@pytest.mark.rule("1853:4.2.12", "1853:4.1.10")
@pytest.mark.parametrize(
    ("city", "tiles", "stops"),
    [
        ("Calcutta", "CD 900", {3}),
        ("Delhi", "CD 900", {3}),
        ("Bombay", "105 111", {1}),
        ("Madras", "105 111", {1}),
        ("Waltair", "W", {1}),
    ],
)
def test_printed_cities_have_tiles_of_their_own(city: str, tiles: str, stops: set[int]) -> None:
    """In every rotation that fits; CD keeps the stations apart, BM merges them."""
    board = standard().board
    hex = standard().cities[city].hex
    names = tiles.split()
    for found in fits(board, {}, hex):
        assert found.tile == names[0]
        assert {len(set(found.stops))} == stops
        shares_at = {hex: Laid(found.tile, found.rotation)}
        assert {fit.tile for fit in fits(board, shares_at, hex)} == set(names[1:])
    assert any(fits(board, {}, hex))
    assert standard().board.tiles[names[-1]].record.upgrades == []


# ---- companies


@pytest.mark.rule("1853:table-1", "1853:1-companies", "1853:1-large-small")
def test_companies() -> None:
    components = standard()
    rows = [
        (
            record.number,
            record.id,
            components.size[record.id],
            *(home.city + home.only_if for home in record.home),
        )
        for record in components.file.companies.public
    ]
    assert rows == [
        (1, "EIR", "large", "Calcutta", "Patna"),
        (2, "GIP", "large", "Allahabad", "Bombay"),
        (3, "NWR", "large", "Delhi", "Lahore"),
        (4, "BNR", "large", "Calcutta", "Nagpur"),
        (5, "BBCI", "either", "Ajmer", "Bombaylarge"),
        (6, "MSM", "small", "Madras"),
        (7, "SIR", "small", "Trichinopoly"),
        (8, "ECR", "small", "Waltair"),
    ]
    assert list(components.public) == [row[1] for row in rows]
    stations = [(home.hex, home.stop) for homes in components.homes.values() for home in homes]
    assert len(set(stations)) == len(stations)
    for record in components.file.companies.public:
        for home in record.home:
            assert components.cities[home.city].hex == home.hex
            assert home.hex in components.territory[record.id]


@pytest.mark.rule("1853:1-shares", "1853:1-tokens", "1853:2.7.3", "1853:1-market")
def test_shares_and_prices() -> None:
    components = standard()
    publics = components.public.values()
    for public in publics:
        assert (public.stack, public.director) == (("10",) * 10, "")
        assert components.chart.price[public.cell] == public.par
    assert [public.record.station_markers for public in publics] == [5, 5, 5, 5, 4, 4, 4, 3]
    assert [public.par for public in publics] == [100, 96, 92, 88, 84, 80, 75, 70]
    assert [price for row in components.file.market.grid for price in row if price] == PRICES


@pytest.mark.rule("1853:4.1.3")
def test_what_a_second_tile_costs() -> None:
    found = standard().second_tile_cost
    assert found["EIR"] == 50
    assert {found[company] for company in ("GIP", "NWR", "BNR", "BBCI")} == {20}
    assert {found[company] for company in ("MSM", "SIR", "ECR")} == {0}


NORTH = "Peshawar Rawalpindi Lahore Multan"


@pytest.mark.rule("1853:table-2", "1853:1-regions")
@pytest.mark.parametrize(
    ("company", "hexes", "cities"),
    [
        ("EIR", 37, "Delhi Cawnpore Lucknow Allahabad Benares Patna Calcutta"),
        (
            "GIP",
            60,
            "Delhi Jaipur Cawnpore Lucknow Ajmer Allahabad Nagpur Bombay Hyderabad",
        ),
        ("NWR", 47, f"{NORTH} Delhi Jaipur Ajmer Karachi"),
        (
            "BNR",
            53,
            "Allahabad Benares Patna Calcutta Nagpur Hyderabad Waltair Bangalore Madras",
        ),
        ("BBCI", 56, "Delhi Jaipur Cawnpore Ajmer Karachi Ahmadabad Nagpur Bombay"),
        ("MSM", 34, "Bombay Hyderabad Waltair Mysore Bangalore Madras"),
        ("SIR", 15, "Mysore Bangalore Madras Trichinopoly"),
        ("ECR", 32, "Calcutta Nagpur Waltair Madras"),
    ],
)
def test_territories(company: str, hexes: int, cities: str) -> None:
    components = standard()
    found = components.territory[company]
    assert len(found) == hexes
    inside = [name for name, city in components.cities.items() if city.hex in found]
    assert sorted(inside) == sorted(cities.split())


@pytest.mark.rule("1853:1-regions")
def test_a_territory_may_be_named_hex_by_hex() -> None:
    def name(file: File) -> None:
        record(file["companies"]["public"], "SIR")["territory"] = ["T16", "T18"]

    territory = Components1853(changed(name)).territory
    assert territory["SIR"] == {"T16", "T18"}
    assert territory["ECR"] == standard().territory["ECR"]


# ---- contracts


@pytest.mark.rule("1853:2.5.9", "1853:2.5.5")
def test_contract_cities() -> None:
    cities = standard().cities
    values = {"Calcutta": 50, "Bombay": 40, "Delhi": 40, "Madras": 30, "Waltair": 30}
    assert {name: city.value for name, city in cities.items()} == {
        name: values.get(name, 20) for name in cities
    }
    offered = Counter(company for city in cities.values() for company in city.companies)
    assert set(offered) == set(standard().public)
    for company, homes in standard().homes.items():
        for home in homes:
            assert company in cities[home.city].companies


@pytest.mark.rule(
    "1853:example-2.5.4-a",
    "1853:example-2.5.7-a",
    "1853:example-2.5.9-a",
    "1853:example-2.5.10-a",
)
def test_contract_cities_of_the_examples() -> None:
    cities = standard().cities
    named = {"Calcutta": "EIR", "Patna": "EIR", "Bombay": "BBCI", "Lahore": "NWR", "Jaipur": "BBCI"}
    for city, company in named.items():
        assert company in cities[city].companies
    assert cities["Delhi"].companies == ("EIR", "GIP", "NWR", "BBCI")
    assert sum(cities[name].value for name in ("Calcutta", "Patna", "Delhi", "Jaipur")) == 130


# ---- tables


@pytest.mark.rule("1853:table-1")
def test_the_table_of_companies() -> None:
    found = {
        record.id: [record.number, record.name, tuple(home.city for home in record.home)]
        for record in standard().file.companies.public
    }
    rows = data("table-1")
    assert rows[4].pop() == "Ajmer (Bombay, too, if large)"
    rows[4].append(("Ajmer", "Bombay"))
    assert {name: [number, *rest] for number, name, *rest in rows} == found


@pytest.mark.rule("1853:2.3", "1853:table-3", "1853:2.5.6")
def test_the_tables_of_numbers_of_players() -> None:
    records = standard().file.setup.players
    assert data("table-3") == [
        [row.players, row.cash, row.per_company, row.certificate_limit, row.float_percent]
        for row in records
    ]
    assert data("2.5.6") == [[row.players, row.min_cities, row.max_cities] for row in records]
    for record, (players, cash, notes) in zip(records, data("2.3"), strict=True):
        assert (players, cash) == (record.players, record.cash)
        counts = [note.split(" x ") for note in notes.split(", ")]
        assert sum(int(count) * int(value) for count, value in counts) == cash


@pytest.mark.rule("1853:table-4")
def test_the_table_of_build_costs() -> None:
    names = {
        "river": "river",
        "rivers": "several rivers",
        "hill": "hills",
        "mountain": "mountains",
        "high_mountain": "high mountains",
    }
    assert data("table-4") == [
        [names[record.id], record.standard, record.metre] for record in standard().file.build_costs
    ]


@pytest.mark.rule("1853:2.5.9")
def test_the_table_of_cities() -> None:
    values = dict(data("2.5.9"))
    usual = values.pop("any other named city")
    assert values.keys() <= standard().cities.keys()
    for name, city in standard().cities.items():
        assert city.value == values.get(name, usual)


@pytest.mark.rule("1853:2.3", "1853:table-3", "1853:2.5.6", "1853:2.5.2", "1853:1-money")
def test_numbers_of_players() -> None:
    rows = {
        seats: (
            *(row.cash, row.certificate_limit, row.per_company, row.float_percent),
            *(row.min_cities, row.max_cities, row.least_bond),
        )
        for seats, row in standard().players.items()
    }
    assert rows == {
        3: (730, 21, 6, 60, 4, 6, 80),
        4: (570, 16, 6, 50, 3, 6, 60),
        5: (570, 13, 5, 50, 3, 5, 60),
        6: (510, 11, 4, 40, 3, 4, 60),
    }
    assert standard().file.setup.bank == 15000


@pytest.mark.rule("1853:1-terrain", "1853:table-4", "1853:4.1.12")
@pytest.mark.parametrize(
    ("hex", "standard_gauge", "metre_gauge"),
    [
        ("E5", 40, 30),
        ("F4", 60, 40),
        ("D4", 80, 50),
        ("H10", 140, 70),
        ("C15", 240, 100),
        ("L10", 80 + 40, 50 + 30),
        ("N22", 140 + 40, 70 + 30),
        ("C9", 0, 0),
    ],
)
def test_build_costs(hex: str, standard_gauge: int, metre_gauge: int) -> None:
    components = standard()
    assert components.build_cost(hex, metre=False) == standard_gauge
    assert components.build_cost(hex, metre=True) == metre_gauge
    assert (hex in components.terrain) == bool(standard_gauge)


@pytest.mark.rule("1853:4.1.13", "1853:2.6.2", "1853:4.2.13", "1853:4.2.11")
def test_special_costs() -> None:
    components = standard()
    cities = components.cities
    assert components.large_cost == {(cities["Ajmer"].hex, "BBCI"): 70}
    assert components.upgrade_cost == {cities["Calcutta"].hex: 60}


@pytest.mark.rule("1853:4.4.4")
def test_station_costs() -> None:
    cost = standard().file.station_cost
    assert (cost.first, cost.further, cost.per_hex) == (40, 100, 0)


@pytest.mark.rule("1853:1-trains", "1853:table-5", "1853:4.5.4", "1853:4.8.4")
def test_trains() -> None:
    records = standard().file.trains
    rows = {
        train.id: (train.price, train.count, train.small_count, train.phase, train.scrapped_by)
        for train in records
    }
    assert rows == {
        "2": (300, 6, 7, 2, "4"),
        "3": (440, 5, 5, 3, "5"),
        "4": (620, 4, 4, 4, None),
        "5": (830, 3, 3, 5, None),
        "6": (1050, 2, 2, 5, None),
        "1M": (180, 0, 7, 2, "4"),
        "2M": (250, 2, 3, 3, "5"),
        "3M": (430, 3, 4, 4, None),
        "4M": (590, 2, 2, 5, None),
    }
    assert list(rows) == list(standard().train_order)
    assert sum(train.small_count for train in records) == 37
    for name, train in standard().trains.items():
        assert train.gauges == GAUGES["metre" if name.endswith("M") else "standard"]
        assert (train.stops, train.towns > 1000) == (int(name[0]), True)


@pytest.mark.rule("1853:table-6", "1853:4.10.2", "1853:4.10.3", "1853:4.10.4", "1853:4.10.5")
def test_phases() -> None:
    rows = {
        phase.id: (phase.number, phase.tiles[-1], phase.train_limit.public, phase.operating_rounds)
        for phase in standard().phases
    }
    assert rows == {
        "2": (2, "yellow", 4, 1),
        "3": (3, "green", 4, 2),
        "4": (4, "brown", 3, 3),
        "5": (5, "gray", 2, 3),
    }
    assert standard().phase_row == {"3": 1, "4": 2, "5": 3}
    for number, phase in enumerate(standard().phases):
        assert phase.tiles == list(COLOURS[: number + 1])
        assert phase.trains_from_other_companies


# ---- the file


def test_every_record_carries_its_source() -> None:
    file = json.loads(standard_data())
    records = [*file["map"]["hexes"], *file["tiles"], *file["lays"], *file["trains"]]
    records += [*file["companies"]["public"], *file["cities"], *file["phases"]]
    records += [*file["build_costs"], *file["special_costs"], *file["setup"]["players"]]
    sources = {"rulebook", "public", "reconstructed"}
    for found in records:
        marks = {value for key, value in found.items() if key.split("_")[-1] == "source"}
        assert found["source"] in sources
        assert marks <= sources
    assert {file[key]["source"] for key in ("map", "companies", "market", "setup")} <= sources


def hex_of(file: File, name: str) -> File:
    return record(file["map"]["hexes"], name)


def company_of(file: File, name: str) -> File:
    return record(file["companies"]["public"], name)


def tile_of(file: File, name: str) -> File:
    return record(file["tiles"], name)


def city_of(file: File, name: str) -> File:
    return record(file["cities"], name)


WRONG: list[tuple[str, Callable[[File], object], str]] = [
    (
        "city of a limit",
        lambda f: company_of(f, "SIR")["limits"][0].update(city="Pune"),
        "The territory of SIR is limited by 'Pune', which is no city of the file.",
    ),
    (
        "direction",
        lambda f: company_of(f, "SIR")["limits"][0].update(direction="NE"),
        "The territory of SIR has a limit in no direction of N, S, W and E: 'NE'.",
    ),
    (
        "hex of a territory",
        lambda f: company_of(f, "SIR").update(territory=["Z99"]),
        "There is no hex 'Z99' on the map.",
    ),
    (
        "company of a city",
        lambda f: city_of(f, "Delhi").update(companies=["XYZ"]),
        "There is no company 'XYZ'.",
    ),
    (
        "city without company",
        lambda f: city_of(f, "Delhi").update(companies=[]),
        "No company goes with the city Delhi.",
    ),
    (
        "hex of a city",
        lambda f: city_of(f, "Delhi").update(hex="A1"),
        "There is no hex 'A1' on the map.",
    ),
    (
        "city without station",
        lambda f: city_of(f, "Delhi").update(hex="C9"),
        "The city Delhi lies on the hex C9, which has no station for tokens.",
    ),
    (
        "two cities on a hex",
        lambda f: city_of(f, "Delhi").update(hex="H20"),
        "The hex H20 has two cities of contracts.",
    ),
    (
        "city twice",
        lambda f: f["cities"].append(city_of(f, "Delhi")),
        "Delhi is in the file twice.",
    ),
    (
        "company twice",
        lambda f: f["companies"]["public"].append(company_of(f, "SIR")),
        "SIR is in the file twice.",
    ),
    (
        "pars that rise",
        lambda f: company_of(f, "SIR").update(par=90),
        "The issue prices must not rise in the order of the companies",
    ),
    (
        "home off the map",
        lambda f: company_of(f, "SIR")["home"][0].update(hex="A1"),
        "There is no hex 'A1' on the map.",
    ),
    (
        "home in no city",
        lambda f: company_of(f, "SIR")["home"][0].update(hex="T14"),
        "The home of SIR is the stop 's0' of T14, which is no city there.",
    ),
    (
        "home in no station",
        lambda f: company_of(f, "SIR")["home"][0].update(stop="s1"),
        "The home of SIR is the stop 's1' of T16, which is no city there.",
    ),
    (
        "home without a station",
        lambda f: company_of(f, "SIR")["home"][0].update(stop=None),
        "The home of SIR is no station for tokens of the hex T16.",
    ),
    (
        "terrain",
        lambda f: hex_of(f, "C9").update(terrains=["swamp"]),
        "The hex C9 has terrain without a building cost: 'swamp'.",
    ),
    (
        "company of a cost",
        lambda f: f["special_costs"][0].update(company="XYZ"),
        "There is no company 'XYZ'.",
    ),
    (
        "hex of a cost",
        lambda f: f["special_costs"][1].update(hex="A1"),
        "There is no hex 'A1' on the map.",
    ),
    (
        "track that branches",
        lambda f: tile_of(f, "7")["paths"].append(["e0", "e3"]),
        "The track of the hex or tile 7 branches without a stop or junction.",
    ),
    (
        "number of players",
        lambda f: f["setup"]["players"].pop(),
        "The file says nothing of a game of 6 players.",
    ),
    (
        "size",
        lambda f: company_of(f, "SIR").update(size="middling"),
        "The file of component data cannot be read: ",
    ),
]


@pytest.mark.parametrize(("change", "sentence"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_data_are_refused(change: Callable[[File], object], sentence: str) -> None:
    with pytest.raises(KursbuchError) as refused:
        Components1853(changed(change))
    assert sentence in str(refused.value)
