"""The component data of 1835, and what is said about wrong data."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from importlib import resources
from types import ModuleType
from typing import Any

import pytest

from kursbuch.core.errors import KursbuchError
from kursbuch.games.g18xx.g1835.components import Components1835, standard
from kursbuch.games.g18xx.map.board import STOP, Face, Path, Stop
from kursbuch.games.g18xx.ruleset import Ruleset
from tests.games.g18xx.toy import data_of, read

File = dict[str, Any]
DATA = (resources.files("kursbuch.games.g18xx.g1835") / "board.json").read_bytes()


def changed(change: Callable[[File], object]) -> bytes:
    file: File = json.loads(DATA)
    change(file)
    return json.dumps(file).encode()


def hex_record(file: File, name: str) -> File:
    found: File = next(record for record in file["map"]["hexes"] if record["id"] == name)
    return found


def tile_record(file: File, name: str) -> File:
    found: File = next(record for record in file["tiles"] if record["id"] == name)
    return found


def test_counts_are_those_of_the_box() -> None:
    """1835: material-1 and the tables of tiles."""
    board = standard().board
    count: Counter[str] = Counter()
    for tile in board.tiles.values():
        count[tile.colour] += tile.count
    assert count == {"yellow": 63, "green": 53, "brown": 31}
    assert len(board.hexes) == 127


def test_every_record_carries_its_source() -> None:
    file = json.loads(DATA)
    records = [*file["map"]["hexes"], *file["tiles"], *file["lays"], *file["trains"]]
    assert {record["source"] for record in records} <= {"rulebook", "public", "reconstructed"}


def test_printed_track_meets_printed_track_or_a_hex_for_tiles() -> None:
    """1835: 5.5.1.21."""
    board = standard().board
    for place, face in enumerate(board.printed):
        for edge in range(6):
            if face.edges() >> edge & 1:
                other = board.neighbours[place][edge]
                assert other >= 0
                assert board.records[other].first_phase is not None or (
                    board.printed[other].edges() >> (edge + 3) % 6 & 1
                )


def test_borders_are_the_same_from_both_sides() -> None:
    board = standard().board
    for place, around in enumerate(board.neighbours):
        for edge, other in enumerate(around):
            if other >= 0:
                assert board.borders[place][edge] == board.borders[other][(edge + 3) % 6]


def test_the_bar_is_closed_from_both_sides() -> None:
    """1835: 5.5.1.21: the bar is the side between C9 and B10."""
    board = standard().board
    assert board.closed[board.number("B10")] >> 2 & 1
    assert board.closed[board.number("C9")] >> 5 & 1


@pytest.mark.parametrize("said", ["B10", "C9"])
def test_a_bar_named_on_one_hex_closes_both(said: str) -> None:
    other = {"B10": "C9", "C9": "B10"}[said]
    data = changed(lambda file: hex_record(file, other).pop("impassable"))
    board = Components1835(data).board
    assert board.closed[board.number("B10")] >> 2 & 1
    assert board.closed[board.number("C9")] >> 5 & 1


def test_rotations_that_look_the_same_are_laid_once() -> None:
    board = standard().board
    looks = {name: len(tile.rotations) for name, tile in board.tiles.items()}
    assert looks["9"] == 3
    assert looks["8"] == 6
    assert looks["20"] == 3
    assert looks["40"] == 2
    assert looks["63"] == looks["221"] == 1
    assert board.tiles["215"].lowest == (0, 1, 2, 0, 1, 2)


def test_the_banks_of_the_ferry_turn_with_the_tile() -> None:
    ferry = standard().board.tiles["221"].faces[0].ferry
    turned = standard().board.tiles["221"].faces[1].ferry
    assert ferry is not None
    assert turned is not None
    assert ferry.sides == (0, 1, 1, 1, 0, 0)
    assert turned.sides == (0, 0, 1, 1, 1, 0)
    assert ferry.toll == 10


def test_gauges_are_read() -> None:
    file = json.loads(DATA)
    tile_record(file, "9")["paths"] = [["e0", "e3", "dual"]]
    board = Components1835(json.dumps(file).encode()).board
    assert board.tiles["9"].faces[1].paths == (Path(1, 4, 3),)


def test_shape_forgets_the_order_of_stops() -> None:
    stops = (Stop("city", 30, 1), Stop("city", 30, 1))
    one = Face("green", "XX", stops, (Path(0, STOP), Path(3, STOP + 1)))
    two = Face("green", "XX", stops, (Path(3, STOP), Path(0, STOP + 1)))
    assert one.shape() == two.shape()


WRONG: list[tuple[str, Callable[[File], object], str]] = [
    ("no file", lambda f: f.clear(), "The file of component data cannot be read: "),
    (
        "hex twice",
        lambda f: f["map"]["hexes"].append(hex_record(f, "G9")),
        "G9 is in the file twice",
    ),
    ("name", lambda f: hex_record(f, "G9").update(id="9G"), "The hex '9G' has no valid name"),
    ("no hexes", lambda f: f["map"].update(hexes=[]), "The map must have 1 to 1000 hexes."),
    (
        "edge",
        lambda f: tile_record(f, "9").update(paths=[["e0", "e6"]]),
        "The hex or tile 9 has no edge or stop 'e6'.",
    ),
    (
        "stop",
        lambda f: tile_record(f, "5").update(paths=[["e0", "s1"]]),
        "The hex or tile 5 has no edge or stop 's1'.",
    ),
    (
        "gauge",
        lambda f: tile_record(f, "9").update(paths=[["e0", "e3", "broad"]]),
        ("The hex or tile 9 has a path that does not consist of two ends and optionally a gauge."),
    ),
    (
        "path to itself",
        lambda f: tile_record(f, "9").update(paths=[["e0", "e0"]]),
        "The hex or tile 9 has a path that does not join an edge to another edge or a stop, or two towns.",
    ),
    (
        "path twice",
        lambda f: tile_record(f, "9").update(paths=[["e0", "e3"], ["e3", "e0"]]),
        "The hex or tile 9 has the same path twice.",
    ),
    (
        "value",
        lambda f: tile_record(f, "5")["stops"][0].update(value=-20),
        "The hex or tile 5 has a stop without a usable value or number of station spaces.",
    ),
    (
        "spaces",
        lambda f: tile_record(f, "5")["stops"][0].update(slots=0),
        "The hex or tile 5 must have station spaces in a city, and only there.",
    ),
    (
        "values by phase",
        lambda f: hex_record(f, "H22")["stops"][0].update(values=[]),
        "The hex or tile H22 must have values by phase for an off-board stop, and only for one.",
    ),
    (
        "too many stops",
        lambda f: tile_record(f, "5").update(stops=tile_record(f, "5")["stops"] * 10),
        "The hex or tile 5 has more than 9 stops.",
    ),
    (
        "rotation",
        lambda f: tile_record(f, "221").update(rotations=[6]),
        "The hex or tile 221 has a rotation that is not 0 to 5.",
    ),
    (
        "ferry",
        lambda f: tile_record(f, "221")["ferry"].update(sides=[["e0"], ["e1"]]),
        "The hex or tile 221 must have one stop and every edge on one bank of its ferry.",
    ),
    (
        "ferry value",
        lambda f: tile_record(f, "221")["ferry"].update(value_when_crossed=70),
        "The hex or tile 221 has no usable value for a crossing by ferry.",
    ),
    (
        "upgrade",
        lambda f: tile_record(f, "12").update(upgrades=["5"]),
        "Tile 12 cannot be upgraded to '5': there is no such tile of a later colour.",
    ),
    (
        "first tile",
        lambda f: f["lays"][0].update(tiles=["999"]),
        "Tile '999' is to be laid on some hexes, but there is no such tile.",
    ),
    (
        "tile twice",
        lambda f: f["tiles"].append(tile_record(f, "9")),
        "Tile 9 is in the file twice.",
    ),
    (
        "off the map",
        lambda f: hex_record(f, "A9").update(paths=[["e4", "e5"]]),
        "The track printed on hex A9 leads off the map or into a closed side.",
    ),
]


@pytest.mark.parametrize(("change", "sentence"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_data_are_refused(change: Callable[[File], object], sentence: str) -> None:
    with pytest.raises(KursbuchError) as refused:
        Components1835(changed(change))
    assert sentence in str(refused.value)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(KursbuchError, match="no hex 'Z1'"):
        standard().board.number("Z1")
    with pytest.raises(KursbuchError, match="no tile '999'"):
        standard().board.tile("999")
    with pytest.raises(KursbuchError, match="no train '7'"):
        standard().train("7")


CONTRADICTIONS: list[tuple[str, Callable[[File], object], str]] = [
    (
        "terrain",
        lambda f: hex_record(f, "A3").update(terrain="swamp"),
        "The hex A3 has the unknown terrain 'swamp'; known terrain: river, rivers, hill,",
    ),
    (
        "colour of a company",
        lambda f: f["companies"]["public"][0].update(color="pink"),
        "The company N has the unknown colour 'pink'; known colours: blue, red,",
    ),
    (
        "colour of tiles",
        lambda f: f["phases"][1].update(tiles=["yellow", "grey"]),
        (
            "The phase 2 has tiles of the unknown colour 'grey'; known colours: yellow, "
            "green, brown, gray."
        ),
    ),
    (
        "size of a certificate",
        lambda f: f["companies"]["public"][0]["certificates"][0].update(percent=40),
        ("The company N has a certificate of 40 percent; only 5, 10, 20, 30 percent are possible."),
    ),
    (
        "one id for two",
        lambda f: f["companies"].update(privates=[private("S")]),
        "The id 'S' names two companies or private railways.",
    ),
    (
        "id of something else",
        lambda f: f["companies"].update(privates=[private("pool")]),
        "A company or private railway cannot have the id 'pool'.",
    ),
    (
        "private of a hex",
        lambda f: hex_record(f, "A3").update(privates=["X"]),
        "The hex A3 names 'X', which is not a private railway.",
    ),
    (
        "home",
        lambda f: f["companies"]["public"][0]["home"].update(stop="s1"),
        "The home of N is the stop 's1' of A1, which is not a city.",
    ),
    (
        "train twice",
        lambda f: f["trains"].append(f["trains"][0]),
        "The train or phase '2' is in the file twice.",
    ),
    (
        "rusting",
        lambda f: f["trains"][0].update(scrapped_by="4"),
        "Train 2 is rusted by '4', but there is no such train.",
    ),
    (
        "first phase",
        lambda f: f["phases"].pop(0),
        "The first phase begins without a train, and the others with trains in the order",
    ),
    (
        "numbers of phases",
        lambda f: f["phases"][0].update(phase=3),
        "Phase numbers must start at 1 or more and must not decrease.",
    ),
    (
        "phase of a hex",
        lambda f: hex_record(f, "A3").update(first_phase=3),
        "The hex A3 can be built on from phase 3, but there is no such phase.",
    ),
    (
        "start without a field",
        lambda f: f["market"]["start"].pop("N"),
        "The company N has no starting space on the stock market.",
    ),
]


def private(name: str) -> File:
    return {"id": name, "name": "Some railway", "price": 20, "income": 5}


@pytest.mark.parametrize(
    ("change", "sentence"), [w[1:] for w in CONTRADICTIONS], ids=[w[0] for w in CONTRADICTIONS]
)
def test_what_would_fail_later_is_refused_on_reading(
    shuttle: ModuleType, change: Callable[[File], object], sentence: str
) -> None:
    data = data_of(shuttle)
    change(data)
    with pytest.raises(KursbuchError) as refused:
        read(data)
    assert sentence in str(refused.value)


def test_a_chosen_par_needs_neither_price_nor_field(shuttle: ModuleType) -> None:
    data = data_of(shuttle)
    del data["companies"]["public"][0]["par"], data["market"]["start"]["N"]
    assert (read(data).public["N"].par, read(data).public["N"].cell) == (0, "")


def test_a_title_needs_data_for_all_numbers_of_players(shuttle: ModuleType) -> None:
    data = data_of(shuttle)
    data["setup"]["players"].pop()
    made: Ruleset[Any] = Ruleset(read(data), shuttle.POLICY)
    with pytest.raises(KursbuchError, match="does not cover a game for 3 players"):
        super(shuttle.Shuttle, object.__new__(shuttle.Shuttle)).__init__(made)
