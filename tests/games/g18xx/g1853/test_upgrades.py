"""Replacing tiles: colours, what becomes what, printed cities, Calcutta's price, gray beside gray."""

from __future__ import annotations

from typing import Any

import pytest

from kursbuch.games.g18xx.actions import LayTile
from kursbuch.games.g18xx.events import TileLaid
from kursbuch.games.g18xx.g1853 import TITLE
from kursbuch.games.g18xx.g1853.state import ChooseRight
from kursbuch.games.g18xx.map.networks import PER_HEX
from kursbuch.games.g18xx.map.track import Layout
from kursbuch.games.g18xx.state import Build
from tests.games.g18xx.g1853.land import BOARD, can_run, company, go_on, land, lay, lays, may
from tests.happened import only

PHASES = ["2", "3", "4", "5"]
COLOURS = ["yellow", "green", "brown", "gray"]


def table(colour: str) -> list[list[Any]]:
    """The rows of the overview of tiles."""
    return [[*row] for row in TITLE.rules[f"table-tiles-{colour}"].data]


ROWS = [(colour, *row) for colour in COLOURS for row in table(colour)]

#: A hex for every kind of tile, beside a hex with a marker on dual track everywhere.
PLACES = {"": "I25", "town": "I23", "town town": "H16", "city": "H22", "junction": "I25"}
NEAR = {"I25": "H24", "I23": "H24", "H16": "G17", "H22": "H24"}


@pytest.mark.rule(
    "1853:4.2", "1853:4.2.1", "1853:4.10.3", "1853:4.10.4", "1853:4.10.5", "1853:table-6"
)
@pytest.mark.parametrize("phase", PHASES)
def test_colours_by_phase(phase: str) -> None:
    """Green from phase 3 on, brown from phase 4, gray from phase 5; always the next colour."""
    scene = land(company(phase=phase), "H24 H22 I25", "H22 12 H24 I23 I21", "I23 103 0")
    scene.station("EIR", "I23").turn("EIR")
    found = {(hex, BOARD.tiles[name].colour) for hex, name in lays(scene)}
    assert {hex for hex, colour in found if colour != "yellow"} == {
        hex
        for hex, since in (("H24", 1), ("H22", 2), ("J28", 2), ("I23", 3))
        if PHASES.index(phase) >= since
    }
    assert (("H24", "green") in found) == (phase >= "3")
    assert (("H22", "brown") in found) == (phase >= "4")
    assert (("J28", "brown") in found) == (phase >= "4")
    assert (("I23", "gray") in found) == (phase >= "5")
    if phase == "2":
        assert scene.refused(f"A {lay('H24 12 H22 I25 I23')}") == "4.2.1"
    if phase == "3":
        assert scene.refused(f"A {lay('H22 102')}") == "4.2.1"
    if phase == "4":
        assert scene.refused(f"A {lay('I23 109 I21 I25 J22 J24 H22')}") == "4.2.1"


@pytest.mark.rule("1853:table-tiles-yellow", "1853:table-tiles-green", "1853:table-tiles-brown")
@pytest.mark.rule("1853:table-tiles-gray", "1853:4.2.5", "1853:4.2.1")
@pytest.mark.parametrize(("colour", "row", "number", "count", "upgrades"), ROWS)
def test_what_becomes_what(
    colour: str, row: int, number: str | int, count: int, upgrades: list[str | int]
) -> None:
    """Every tile of the overview lies beside a marker: it can become exactly what its row says."""
    name = str(number)
    record = BOARD.tiles[name]
    assert (record.colour, record.count) == (colour, count)
    if record.label:
        hex, leader = {"CD": ("J28", "EIR"), "BM": ("M9", "GIP"), "W": ("O21", "ECR")}[record.label]
        scene = company(leader, phase="5")
        merged = len(record.faces[0].stops) < len(BOARD.printed[BOARD.number(hex)].stops)
        scene.state.layout = Layout(
            scene.state.layout.tiles,
            [
                station._replace(stop=0 if merged and station.hex == hex else station.stop)
                for station in scene.state.layout.stations
            ],
        )
    else:
        hex, leader = PLACES[" ".join(record.faces[0].kinds())], "EIR"
        scene = land(company(leader, phase="5"), f"{NEAR[hex]} 102")
        if NEAR[hex] != "H24":
            scene.station("EIR", NEAR[hex])
    place = BOARD.number(hex)
    near = BOARD.number(NEAR[hex]) if hex in NEAR else -1
    joined = [
        rotation
        for rotation in record.rotations
        if not record.faces[rotation].edges() & BOARD.closed[place]
        and (near < 0 or record.faces[rotation].edges() >> BOARD.neighbours[place].index(near) & 1)
    ]
    assert joined
    scene.tiles(f"{hex}:{name}:{joined[0]}").turn(leader)
    allowed = {other for where, other in lays(scene) if where == hex}
    assert allowed == {str(other) for other in upgrades}
    for other, found in BOARD.tiles.items():
        if other not in allowed:
            for rotation in found.rotations:
                problem = scene.position.problem(LayTile(0, hex, other, rotation))
                assert problem is not None
                assert problem.rule == "4.2.5"


@pytest.mark.rule("1853:table-tiles-yellow", "1853:table-tiles-green", "1853:table-tiles-brown")
@pytest.mark.rule("1853:table-tiles-gray")
def test_the_numbers_of_tiles() -> None:
    totals = {colour: sum(row[2] for row in table(colour)) for colour in COLOURS}
    assert totals == {"yellow": 128, "green": 64, "brown": 18, "gray": 7}
    assert {str(row[1]) for colour in COLOURS for row in table(colour)} == {*BOARD.tiles}


@pytest.mark.rule("1853:4.2.4")
def test_track_is_kept() -> None:
    scene = land(company(phase="3"), "H24 H22 I25").turn("EIR")
    face = BOARD.tiles["12"].faces
    for rotation in range(6):
        move = f"lays 12 on H24 turned {rotation}"
        edges = face[rotation].edges()
        if edges & BOARD.closed[BOARD.number("H24")]:
            assert scene.refused(f"A {move}") == "4.1.10"
        elif edges & 0b1010 == 0b1010:
            assert move in scene.can("A")
        else:
            assert scene.refused(f"A {move}") == "4.2.4"
    scene = land(company(phase="3"), "H24 102", "I25 H24 J24").turn("EIR")
    assert scene.refused(f"A {lay('I25 82 H26 I27 J24')}") == "4.2.4"


@pytest.mark.rule("1853:4.2.5")
def test_plain_track_and_double_towns() -> None:
    scene = land(company(phase="3"), "H24 102", "I25 H24 J24", "I23 H24 I21").station("EIR", "G17")
    land(scene, "G17 102", "H16 55 G17 G15 I15 I17").turn("EIR")
    assert scene.refused(f"A {lay('I25 13 H24 I27 J24')}") == "4.2.5"
    assert not [hex for hex, _ in lays(scene) if hex == "H16"]
    assert scene.refused(f"A {lay('H16 88 G17 G15 I15 I17')}") == "4.2.5"
    # A small station becomes a small or a large one.
    kinds = {BOARD.tiles[name].faces[0].stops[0].kind for hex, name in lays(scene) if hex == "I23"}
    assert kinds == {"city", "town"}


@pytest.mark.rule("1853:4.2.5", "1853:4.5.4", "1853:4.6.2")
def test_a_small_station_that_becomes_large_counts_as_large() -> None:
    line = ("H24 69 I23", "H22 69 I23")
    for middle, small, large in (
        ("I23 3 H24 H22", "50+40", "50+40"),
        ("I23 12 H24 H22 I25", "4.5.4", "70+40"),
    ):
        for train, earned in (("2", small), ("3", large)):
            scene = land(company(phase="3"), *line, middle).trains("EIR", train)
            assert can_run(scene, "EIR", "H24/0-I23/0-H22/0") == earned


@pytest.mark.rule("1853:4.2.7")
def test_gray_tiles_never_lie_side_by_side() -> None:
    scene = land(company(phase="5"), "H22 103 0", "H24 109 H26 I25 I23 H22 G23").turn("EIR")
    grays = [name for hex, name in lays(scene) if hex == "H22"]
    assert grays == []
    assert scene.refused("A lays 109 on H22 turned 0") == "4.2.7"
    scene = land(company(phase="5"), "H22 103 0", "H24 103 0").turn("EIR")
    assert {name for hex, name in lays(scene) if hex == "H22"} == {"109"}
    # A junction beside a gray city, and Calcutta beside one.
    scene = land(company(phase="5"), "I25 106 0", "H24 109 H26 I25 I23 H22 G23").turn("EIR")
    assert "I25" not in {hex for hex, _ in lays(scene)}
    assert scene.refused("A lays 112 on I25 turned 0") == "4.2.7"
    scene = land(company(phase="5"), "J28 CD", "I27 112 0").turn("EIR")
    assert scene.refused("A lays 900 on J28 turned 0") == "4.2.7"
    scene = land(company(phase="5"), "J28 CD", "I27 106 0").turn("EIR")
    assert may(scene, "A", "J28 900")


@pytest.mark.rule("1853:4.2.11", "1853:4.1.12")
def test_replacing_costs_nothing_on_any_ground() -> None:
    scene = land(company(phase="3", money=0), "H24 H22 I25", "H22 H24 I21").turn("EIR")
    assert only(scene.do(f"A {lay('H22 12 H24 I23 I21')}"), TileLaid).cost == 0
    assert scene.has("EIR") == 0


# ---- printed cities


@pytest.mark.rule("1853:4.2.12", "1853:4.2.1")
@pytest.mark.parametrize(
    ("name", "hex", "brown", "gray"),
    [
        ("EIR", "J28", "CD", "900"),
        ("NWR", "F14", "CD", "900"),
        ("GIP", "M9", "105", "111"),
        ("MSM", "R18", "105", "111"),
        ("ECR", "O21", "W", ""),
    ],
)
def test_printed_cities_are_replaced_from_phase_4_on(
    name: str, hex: str, brown: str, gray: str
) -> None:
    assert hex not in {where for where, _ in lays(company(name, phase="3").turn(name))}
    scene = company(name, phase="3").turn(name)
    for rotation in BOARD.tiles[brown].rotations:
        assert scene.refused(f"A lays {brown} on {hex} turned {rotation}") == "4.2.1"
    scene = company(name, phase="4").turn(name)
    assert {other for where, other in lays(scene) if where == hex} == {brown}
    move = next(text for text in scene.can("A") if text.startswith(f"lays {brown} on {hex}"))
    scene.do(f"A {move}")
    assert go_on(scene, name, ChooseRight, Build).step() == "build"
    assert not [where for where, _ in lays(scene) if where == hex]
    scene.phase("5")
    go_on(scene, name, ChooseRight, Build)
    assert {other for where, other in lays(scene) if where == hex} == ({gray} if gray else set())


@pytest.mark.rule("1853:4.2.12", "1853:4.2.10")
def test_there_is_one_gray_tile_for_calcutta_and_delhi() -> None:
    scene = land(company(phase="5"), "F14 900", "J28 CD").turn("EIR")
    assert scene.refused("A lays 900 on J28 turned 0") == "4.2.10"
    assert may(land(company(phase="5"), "F14 CD", "J28 CD").turn("EIR"), "A", "J28 900")


@pytest.mark.rule("1853:4.2.12", "1853:4.4.5", "1853:4.5.5")
def test_markers_stay_in_their_own_station_of_calcutta() -> None:
    """North west, south west and east; no train runs through, before and after."""
    scene = company(phase="4").shares("BNR", B=3).operating("BNR").station("ECR", "J28", 2)
    tracks = ("I27 J28 H26", "K27 J28 K25", "J30 J28 K29", "J26 K27 I25")
    land(scene, *tracks[:3]).turn("EIR").do("A lays CD on J28 turned 0")
    for phase, colour in (("4", "CD"), ("5", "900")):
        stations = {s.company: s.stop for s in scene.state.layout.stations if s.hex == "J28"}
        face = BOARD.tiles[colour].faces[0]
        assert {name: face.exits(stop)[0][0] for name, stop in stations.items()} == {
            "EIR": 4,
            "BNR": 2,
            "ECR": 0,
        }
        # EIR comes to its own station only.
        network = scene.ruleset.position(scene.state).network("EIR")
        calcutta = BOARD.number("J28")
        assert len([stop for stop in network.stops if stop // PER_HEX == calcutta]) == 1
        if phase == "4":
            scene.phase("5")
            go_on(scene, "EIR", ChooseRight, Build).do("A lays 900 on J28 turned 0")


@pytest.mark.rule("1853:4.2.12", "1853:4.4.5")
@pytest.mark.parametrize(("name", "hex", "other"), [("GIP", "M9", "BBCI"), ("MSM", "R18", "ECR")])
def test_the_stations_of_bombay_and_madras_become_one(name: str, hex: str, other: str) -> None:
    """All markers stay, and from the brown tile on trains run through."""
    scene = company(name, phase="4")
    if name == "GIP":
        scene.large().shares("BBCI", B=3).operating("BBCI")
        land(scene, "L10 M9 L12", "N10 M9 O11")
    else:
        scene.station("ECR", "R18", 1)
        land(scene, "Q17 R18 P18", "P18 Q17 O19", "S17 R18 T16")
    ends = ("L10/0", "N10/0") if name == "GIP" else ("P18/0", "S17/0")
    assert {s.stop for s in scene.state.layout.stations if s.hex == hex} == {0, 1}
    scene.trains(name, "3").trains(other, "3")
    through = f"{ends[0]}-{hex}/0-{ends[1]}"
    assert {can_run(scene, each, through) for each in (name, other)} == {"4.5.2"}
    scene.turn(name)
    move = next(text for text in scene.can("A") if text.startswith(f"lays 105 on {hex}"))
    scene.do(f"A {move}")
    markers = {(s.company, s.stop) for s in scene.state.layout.stations if s.hex == hex}
    assert markers == {(name, 0), (other, 0)}
    assert {can_run(scene, each, through) for each in (name, other)} == {"70+20"}
    # One space of three is left.
    assert scene.ruleset.builder.vacant(scene.state, hex, 0)


@pytest.mark.rule("1853:4.2.13", "1853:4.2.11")
@pytest.mark.parametrize("money", [59, 60])
def test_calcutta_costs_60_once(money: int) -> None:
    scene = company(phase="4", money=money).money(A=500)
    land(scene, "I27 J28 H26").turn("EIR")
    if money < 60:
        assert scene.refused("A lays CD on J28 turned 0") == "4.1.12"
        return
    assert only(scene.do("A lays CD on J28 turned 0"), TileLaid).cost == 60
    assert (scene.has("EIR"), scene.has("A")) == (0, 500)
    scene.phase("5")
    go_on(scene, "EIR", ChooseRight, Build)
    assert only(scene.do("A lays 900 on J28 turned 0"), TileLaid).cost == 0
    other = company("NWR", phase="4", money=0).turn("NWR")
    assert only(other.do("A lays CD on F14 turned 0"), TileLaid).cost == 0


# ---- connection


@pytest.mark.rule("1853:4.2.2", "1853:4.1.10")
def test_a_tile_is_joined_already_or_becomes_so() -> None:
    """With the old track joined any replacement will do, also one whose new track is out of reach; else
    the new track has to join, without a change of gauge."""
    base = ("H24 H22 I25", "I25 H24 J24")
    scene = land(company(phase="3"), *base).turn("EIR")
    for number in ("81", "82", "83", "250"):
        for rotation in BOARD.tiles[number].rotations:
            face = BOARD.tiles[number].faces[rotation]
            keeps = face.edges() >> 4 & 1 and face.edges() >> 2 & 1
            listed = f"lays {number} on I25 turned {rotation}" in scene.can("A")
            assert listed == bool(keeps and number in BOARD.tiles["8"].record.upgrades)
    # J26 beside I25: its old track leads past.
    past = ("H24 H22 I25", "I25 H24 J26", "J26 J24 K27")
    scene = land(company(phase="3"), *past).turn("EIR")
    found = [text for text in scene.can("A") if " on J26 " in text]
    assert found
    for text in found:
        words = text.split()
        assert BOARD.tiles[words[1]].faces[int(words[-1])].edges(1) >> 4 & 1
    assert scene.refused("A " + lay("J26 87 J24 K25 K27 J28")) == "4.2.2"
    # Metre track beside the standard line joins it only as dual track.
    past = ("H24 H22 I25", "I25 H24 J26", "metre J26 J24 K27")
    scene = land(company(phase="3"), *past).turn("EIR")
    numbers = {name for hex, name in lays(scene) if hex == "J26"}
    assert numbers
    assert numbers <= {"716", "717", "718", "719"}
    assert scene.refused("A " + lay("J26 89 I25 J24 K27 J28")) == "4.2.2"


@pytest.mark.rule("1853:4.2.2", "1853:4.4.3")
def test_a_replacement_beyond_a_blocked_city() -> None:
    line = ("H24 H22 I25", "H22 H24 I21", "I21 H22 J20")
    assert "I21" in {hex for hex, _ in lays(land(company(phase="3"), *line).turn("EIR"))}
    scene = land(company(phase="3"), *line).station("ECR", "H22").turn("EIR")
    assert "I21" not in {hex for hex, _ in lays(scene)}
    assert "H22" in {hex for hex, _ in lays(scene)}
    assert scene.refused(f"A {lay('I21 82 H22 J20 I19')}") == "4.2.2"


@pytest.mark.rule("1853:4.2.9", "1853:4.5.7")
def test_more_room_in_a_replaced_city_opens_the_way() -> None:
    line = ("H24 H22 I25", "I21 H22 J20")
    for city, open_ in (
        ("H22 H24 I21", False),
        ("H22 12 H24 I23 I21", False),
        ("H22 718 H24 I23 I21 H20", True),
    ):
        scene = land(company(phase="3"), *line, city).station("ECR", "H22").turn("EIR")
        assert may(scene, "A", "J20 I21 K19") == open_
