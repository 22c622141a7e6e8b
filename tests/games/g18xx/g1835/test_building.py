"""Laying and replacing tiles."""

from __future__ import annotations

from collections import Counter

import pytest

from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.g1835.components import standard
from kursbuch.games.g18xx.map.board import COLOURS
from kursbuch.games.g18xx.map.tiles import supply
from kursbuch.games.g18xx.map.track import Station
from kursbuch.games.g18xx.state import OperatingRound
from tests.games.g18xx.g1835.rails import lays, rail
from tests.games.g18xx.g1835.table import Scene
from tests.happened import only

BOARD = standard().board


def bavaria(phase: str = "2", **options: str) -> Scene:
    """Bavaria of A with 1000 and its home in München, which has a tile towards N14."""
    scene = Scene(4, **options).shares("BY", A="20P 10 10 10").sold().operating("BY").money(BY=1000)
    return scene.phase(phase).tiles(rail("O15", "202", "N14"))


def minor(number: str, phase: str = "2", **options: str) -> Scene:
    """A minor of A with 500."""
    return Scene(4, **options).papers(A=number).phase(phase).money(**{f"M{number}": 500})


def tiles_for(scene: Scene, name: str, hex: str) -> set[str]:
    """The tiles a player may lay on a hex."""
    moves = [line.split() for line in scene.can(name)]
    return {words[1] for words in moves if words[0] == "lays" and words[3] == hex}


def hexes_for(scene: Scene, name: str) -> set[str]:
    """The hexes a player may lay tiles on."""
    return {line.split()[3] for line in scene.can(name) if line.startswith("lays")}


# ---- how many


@pytest.mark.rule("1835:5.4.1")
@pytest.mark.rule("1835:5.5.1.2")
def test_share_companies_lay_two_yellow_tiles_in_phase_1() -> None:
    scene = bavaria().turn("BY")
    scene.do(f"A {lays('N14', '8', 'O15', 'M15')}")
    # The second builds on the first; not on the same hex, and there is no third.
    assert scene.refused(f"A {lays('N14', '9', 'O15')}") == "5.4.1"
    scene.do(f"A {lays('M15', '3', 'N14')}")
    assert not hexes_for(scene, "A")


@pytest.mark.rule("1835:5.4.1")
@pytest.mark.rule("1835:5.5.1.2")
def test_one_tile_from_phase_2_on_and_for_minors() -> None:
    scene = bavaria("3").turn("BY")
    scene.do(f"A {lays('N14', '8', 'O15', 'M15')}")
    assert scene.step() != "build"
    scene = minor("3")
    scene.turn("3").do(f"A {lays('F14', '57', 'F12')}")
    assert scene.step() != "build"


@pytest.mark.rule("1835:5.4.1")
def test_building_may_be_declined() -> None:
    scene = bavaria().turn("BY")
    assert "is done" in scene.can("A")
    scene.do("A is done")
    assert scene.step() != "build"


# ---- where


@pytest.mark.rule("1835:5.5.1.3")
@pytest.mark.rule("1835:5.5.1.23")
@pytest.mark.rule("1835:5.5.2.4")
def test_new_track_joins_track_that_leads_to_a_station() -> None:
    scene = bavaria().tiles(rail("N14", "8", "O15", "M15")).turn("BY")
    assert "M15" in hexes_for(scene, "A")
    assert scene.refused(f"A {lays('M15', '3', 'M17')}") == "5.5.1.3"
    assert scene.refused(f"A {lays('L10', '9', 'L12')}") == "5.5.1.3"


@pytest.mark.rule("1835:5.5.2.3")
@pytest.mark.rule("1835:5.5.1.18")
def test_track_beyond_a_full_city_is_out_of_reach() -> None:
    """Leipzig is full with Saxony's marker; a green tile with two places opens it."""
    scene = Scene().papers(A="3").sold().operating("SX").phase("3").money(M3=500)
    scene.tiles(rail("F14", "57", "F16"), rail("F16", "8", "F14", "G17"))
    scene.tiles(rail("G17", "8", "F16", "H16"), rail("H16", "5", "G17", "G15"))
    scene.turn("3")
    assert "G15" not in hexes_for(scene, "A")
    scene.state.agenda.clear()
    scene.tiles(rail("H16", "14", "G17", "G15")).turn("3")
    assert "G15" in hexes_for(scene, "A")


@pytest.mark.rule("1835:5.5.1.4")
def test_a_hex_with_an_own_marker_can_always_be_built_on() -> None:
    scene = minor("3").turn("3")
    assert hexes_for(scene, "A") == {"F14"}
    assert {line for line in scene.can("A") if "5 on F14" in line}


@pytest.mark.rule("1835:5.5.1.22")
def test_other_track_of_the_tile_may_lead_anywhere() -> None:
    """The tile on N14 comes from München and meets a side of N16 that has no track."""
    scene = bavaria().tiles("N16:7:4").turn("BY")
    scene.do(f"A {lays('N14', '7', 'O15', 'N16')}")
    assert "N14" in scene.state.layout.tiles


@pytest.mark.rule("1835:5.5.1.1")
@pytest.mark.rule("1835:5.5.1.1b")
@pytest.mark.rule("1835:5.5.1.1c")
def test_brown_and_red_hexes_take_no_tiles() -> None:
    scene = minor("3", free_track="on").turn("3")
    assert scene.refused("A lays 57 on F12 turned 0") == "5.5.1.1b"
    assert scene.refused("A lays 57 on C21 turned 0") == "5.5.1.1c"
    assert scene.refused("A lays 57 on Z99 turned 0") == ""


@pytest.mark.rule("1835:5.5.1.1d")
@pytest.mark.rule("1835:5.5.1.20")
def test_printed_hexes_wait_for_their_phase() -> None:
    scene = minor("2").turn("2")
    assert scene.refused("A lays 209 on E19 turned 0") == "5.5.1.1d"
    scene = minor("6", "3").turn("6")
    assert scene.refused("A lays 221 on C11 turned 0") == "5.5.1.1d"


@pytest.mark.rule("1835:5.5.1.20")
def test_berlin_becomes_green_when_a_route_runs_there() -> None:
    scene = minor("2", "3").tiles(rail("E17", "8", "E19", "F16"), rail("F16", "8", "E17", "F14"))
    scene.tiles(rail("F14", "57", "F16")).turn("2")
    events = scene.do(f"A lays 209 on E19 turned {min(turned(scene, '209', 'E19'))}")
    laid = only(events, happened.TileLaid)
    assert (laid.old, laid.cost) == ("", 0)
    assert scene.state.layout.stations == [Station("2", "E19", 0)]


def turned(scene: Scene, tile: str, hex: str) -> set[int]:
    """The rotations in which A may lay a tile on a hex."""
    moves = [line.split() for line in scene.can("A")]
    return {int(words[5]) for words in moves if words[:4] == ["lays", tile, "on", hex]}


# ---- which tiles


FIRST = [
    pytest.param("N14", {"7", "8", "9"}, "57", "5.5.1.5", marks=pytest.mark.rule("1835:5.5.1.5")),
    pytest.param("M15", {"3", "4", "58"}, "8", "5.5.1.6", marks=pytest.mark.rule("1835:5.5.1.6")),
    pytest.param(
        "H4", {"1", "2", "55", "56", "69"}, "58", "5.5.1.7", marks=pytest.mark.rule("1835:5.5.1.7")
    ),
    pytest.param("F14", {"5", "6", "57"}, "201", "5.5.1.8", marks=pytest.mark.rule("1835:5.5.1.8")),
    pytest.param("H20", {"201", "202"}, "57", "5.5.1.9", marks=pytest.mark.rule("1835:5.5.1.9")),
    pytest.param(
        "G3",
        {"210", "211", "212", "213", "214", "215"},
        "57",
        "5.5.1.10",
        marks=pytest.mark.rule("1835:5.5.1.10"),
    ),
    pytest.param("E19", {"209"}, "210", "5.5.1.11", marks=pytest.mark.rule("1835:5.5.1.11")),
    pytest.param("C11", {"221"}, "220", "5.5.1.11", marks=pytest.mark.rule("1835:5.5.1.11")),
    pytest.param("J8", {"216"}, "63", "5.5.1.9", marks=pytest.mark.rule("1835:5.5.1.9")),
    pytest.param("L14", {"218"}, "63", "5.5.1.10", marks=pytest.mark.rule("1835:5.5.1.10")),
]


@pytest.mark.parametrize(("hex", "tiles", "other", "rule"), FIRST)
@pytest.mark.rule("1835:table-printed-upgrades")
def test_first_tiles(hex: str, tiles: set[str], other: str, rule: str) -> None:
    scene = minor("3", "5", free_track="on").turn("3")
    assert tiles_for(scene, "A", hex) == tiles
    found = scene.refused(f"A lays {other} on {hex} turned 0")
    assert found == rule


@pytest.mark.rule("1835:5.5.1.14")
def test_replacements_go_from_colour_to_colour() -> None:
    """Green tiles from phase 2, brown ones from phase 3; 14 is never replaced."""
    line = [rail("F14", "57", "F12")]
    scene = minor("3").tiles(*line).turn("3")
    assert scene.refused("A lays 14 on F14 turned 0") == "5.5.1.14"
    scene = minor("3", "3").tiles(*line).turn("3")
    assert tiles_for(scene, "A", "F14") == {"14", "15", "205", "206"}
    assert scene.refused("A lays 63 on F14 turned 0") == "5.5.1.17"
    events = scene.do("A lays 14 on F14 turned 0")
    assert only(events, happened.TileLaid).old == "57"
    scene = minor("3", "5").tiles("F14:14:0").turn("3")
    assert tiles_for(scene, "A", "F14") == set()
    assert scene.refused("A lays 63 on F14 turned 0") == "5.5.1.17"
    scene = minor("3", "3").tiles("F14:205:0").turn("3")
    assert scene.refused("A lays 63 on F14 turned 0") == "5.5.1.14"
    scene = minor("3", "5").tiles("F14:205:0").turn("3")
    assert tiles_for(scene, "A", "F14") == {"63"}


@pytest.mark.rule("1835:5.5.1.14b")
@pytest.mark.rule("1835:5.5.1.4")
def test_replacing_without_a_route() -> None:
    """Question 26: I5 would be joined, but no route of two stations runs over it."""
    scene = minor("1", "3").tiles(rail("H2", "201", "H4"), rail("H4", "69", "H2", "I5"))
    scene.tiles(rail("I5", "7", "H4", "H6")).turn("1")
    assert not any(line.startswith("lays 28 on I5") for line in scene.can("A"))
    assert scene.refused(f"A {lays('I5', '28', 'H4', 'H6', 'I3')}") == "5.5.1.14b"
    # With a station at the end of that track it is allowed.
    scene = minor("1", "3").tiles(rail("H2", "201", "H4"), rail("H4", "69", "H2", "I5"))
    scene.tiles(rail("I5", "7", "H4", "H6"), rail("H6", "9", "I5"), rail("G7", "9", "H6"))
    scene.tiles(rail("F8", "8", "G7", "F10"), rail("F10", "57", "F8")).turn("1")
    assert any(line.startswith("lays 28 on I5") for line in scene.can("A"))


@pytest.mark.rule("1835:5.5.1.14b")
def test_an_own_marker_is_not_enough_for_a_replacement() -> None:
    scene = minor("3", "3").tiles(rail("F14", "57", "E13")).turn("3")
    assert not tiles_for(scene, "A", "F14") - {"14", "15", "205", "206"}
    found = {line for line in scene.can("A") if "on F14" in line}
    # Only such as lead to Braunschweig, whose track is printed.
    for line in found:
        tile, turns = line.split()[1], int(line.split()[5])
        assert BOARD.tile(tile).faces[turns].edges() >> 3 & 1
    assert found


@pytest.mark.rule("1835:5.5.1.14b")
@pytest.mark.rule("1835:5.5.3.5b")
def test_stations_that_grow_together_end_their_route() -> None:
    """The only route leads from one half of Nürnberg/Fürth to the other; on the brown tile they are
    one station."""
    scene = bavaria("5").station("BY", "L14").tiles(rail("M13", "7", "L14", "L12"))
    scene.tiles(rail("L12", "8", "M13", "K13"), rail("K13", "7", "L12", "L14"))
    assert scene.trains("BY", "5").ruleset.depot.best_runs(scene.state, "BY")[0] == 60
    scene.turn("BY")
    assert scene.refused("A lays 218 on L14 turned 1") == "5.5.1.14b"
    # With a station elsewhere it is allowed.
    scene.state.agenda.clear()
    scene.tiles(rail("M15", "58", "L14", "N14")).turn("BY")
    scene.do("A lays 218 on L14 turned 1")


@pytest.mark.rule("1835:5.5.1.15")
def test_connections_are_kept() -> None:
    scene = minor("3", "3").tiles(rail("F14", "57", "F12")).turn("3")
    for line in scene.can("A"):
        if "on F14" in line:
            edges = BOARD.tile(line.split()[1]).faces[int(line.split()[5])].edges()
            assert edges >> 0 & 1
            assert edges >> 3 & 1
    assert scene.refused("A lays 14 on F14 turned 1") == "5.5.1.15"


@pytest.mark.rule("1835:5.5.1.16")
def test_kinds_of_stations_stay_what_they_are() -> None:
    for tile in BOARD.tiles.values():
        for name in (*tile.record.upgrades, *tile.record.unlisted_upgrades):
            other = BOARD.tiles[name]
            old, new = tile.faces[0].kinds(), other.faces[0].kinds()
            assert set(old) == set(new)
            # Two of a kind may grow together; labels stay.
            assert len(new) <= max(1, len(old))
            assert (tile.label[:1], len(new) > 0) == (other.label[:1], len(old) > 0)
            assert COLOURS.index(other.colour) == COLOURS.index(tile.colour) + 1


@pytest.mark.rule("1835:5.5.1.17")
@pytest.mark.rule("1835:option-no-206")
def test_tile_206_on_6() -> None:
    for option, allowed in (("off", True), ("on", False)):
        scene = minor("3", "3", no_206=option).tiles(rail("F14", "6", "F12")).turn("3")
        assert ("206" in tiles_for(scene, "A", "F14")) == allowed
        assert "205" in tiles_for(scene, "A", "F14")


@pytest.mark.rule("1835:5.5.1.19")
@pytest.mark.rule("1835:option-unlimited-tiles")
def test_replaced_tiles_go_back_and_counts_are_limits() -> None:
    scene = minor("3", "3").tiles(rail("F14", "57", "F12"), rail("F10", "57", "F12"))
    assert supply(BOARD, scene.state.layout.tiles)["57"] == 0
    scene.turn("3").do("A lays 14 on F14 turned 0")
    assert supply(BOARD, scene.state.layout.tiles)["57"] == 1
    scene = minor("4").tiles(rail("F14", "57", "F12"), rail("F10", "57", "F12")).turn("4")
    assert tiles_for(scene, "A", "G5") == {"5", "6"}
    assert scene.refused("A lays 57 on G5 turned 0") == "5.5.1.19"
    scene = minor("4", unlimited_tiles="on").tiles("F14:57:0", "F10:57:0").turn("4")
    assert "57" in tiles_for(scene, "A", "G5")


@pytest.mark.rule("1835:5.5.1.21")
def test_no_track_into_water_off_the_board_or_over_the_bar() -> None:
    scene = minor("3", free_track="on").turn("3")
    for line in scene.can("A"):
        if line.startswith("lays"):
            _, tile, _, hex, _, turns = line.split()
            place = BOARD.number(hex)
            edges = BOARD.tile(tile).faces[int(turns)].edges()
            for edge in range(6):
                if edges >> edge & 1:
                    other = BOARD.neighbours[place][edge]
                    assert other >= 0
                    record = BOARD.records[other]
                    back = (edge + 3) % 6
                    assert (
                        record.first_phase is not None or BOARD.printed[other].edges() >> back & 1
                    )
                    assert {hex, record.id} != {"C9", "B10"}
    # B10 is e5 of C9, the bar; A11 north of it is white.
    assert scene.refused("A lays 8 on C9 turned 5") == "5.5.1.21"
    assert scene.refused("A lays 9 on B18 turned 0") == "5.5.1.21"


# ---- money


@pytest.mark.rule("1835:5.5.1.12")
def test_the_first_tile_pays_for_mountains_and_rivers() -> None:
    scene = bavaria().tiles(rail("N14", "8", "O15", "M15")).money(BY=50).turn("BY")
    events = scene.do(f"A {lays('M15', '3', 'N14')}")
    assert only(events, happened.TileLaid).cost == 50
    assert scene.has("BY") == 0
    # Replacing it costs nothing.
    scene = bavaria("3").tiles(rail("N14", "8", "O15", "M15"), rail("M15", "4", "N14"))
    scene.money(BY=0).turn("BY")
    assert "88" in tiles_for(scene, "A", "M15")
    # Without the money nothing is built; players cannot help out.
    scene = bavaria().tiles(rail("N14", "8", "O15", "M15")).money(BY=49).turn("BY")
    assert scene.refused(f"A {lays('M15', '3', 'N14')}") == "5.5.1.12"


@pytest.mark.rule("1835:5.5.1.12")
def test_a_printed_hex_pays_with_its_first_tile_of_any_colour() -> None:
    scene = Scene().shares("HE", A="20P 10 10 10").sold().operating("HE").money(HE=60).phase("5")
    scene.tiles(rail("J10", "8", "J8", "K11"), rail("K11", "58", "J10")).turn("HE")
    events = scene.do(f"A lays 216 on J8 turned {min(turned(scene, '216', 'J8'))}")
    assert (only(events, happened.TileLaid).cost, scene.has("HE")) == (50, 10)


@pytest.mark.rule("1835:5.5.1.12")
def test_green_hamburg_pays_fifty_for_its_brown_tile() -> None:
    scene = Scene().shares("OL", A="20P 20 20").sold().operating("OL").money(OL=60).phase("5")
    scene.tiles(rail("D8", "57", "D6"), rail("D10", "8", "D8", "C11")).turn("OL")
    events = scene.do("A lays 221 on C11 turned 0")
    assert (only(events, happened.TileLaid).cost, scene.has("OL")) == (50, 10)


@pytest.mark.rule("1835:5.5.1.13")
def test_hexes_of_privates_are_built_on_like_others() -> None:
    scene = bavaria().papers(B="OB").tiles(rail("N14", "8", "O15", "M15")).turn("BY")
    assert "M15" in hexes_for(scene, "A")


# ---- markers on replaced tiles


@pytest.mark.rule("1835:5.5.1.18")
def test_markers_stay_in_cities_that_grow_together() -> None:
    """The double city with Baden and Hessen becomes one city with two places."""
    scene = Scene().shares("BA", A="20P 10 10 10").shares("HE", B="20P 10 10 10").sold()
    scene.operating("BA", "HE").phase("5").money(BA=500)
    scene.tiles("L6:210:0", rail("M7", "55", "L6")).station("BA", "L6", 1).station("HE", "L6", 0)
    scene.turn("BA").do("A lays 217 on L6 turned 0")
    assert {found for found in scene.state.layout.stations if found.hex == "L6"} == {
        Station("BA", "L6", 0),
        Station("HE", "L6", 0),
    }


@pytest.mark.rule("1835:5.5.1.14b")
@pytest.mark.rule("1835:5.5.3.2")
def test_a_destination_without_value_makes_no_route() -> None:
    """Baden's first tile needs a route; in phase 2 a track to Elsaß-Lothringen is enough, in phase 3
    that is no station."""
    for train, possible in (("3", True), ("5", False)):
        scene = Scene().shares("BA", A="20P 10 10 10").sold().operating("BA").money(BA=100)
        scene.phase(train).papers(A="OB").turn("BA")
        found = {
            int(line.split()[5]) for line in scene.can("A") if line.startswith("lays 210 on L6")
        }
        towards = {turn for turn in found if BOARD.tile("210").faces[turn].edges() >> 2 & 1}
        assert found == towards
        assert bool(found) == possible
    assert scene.refused("A lays 210 on L6 turned 0") == "5.5.1.14b"


# ---- private railways


@pytest.mark.rule("1835:3.1.3.2")
def test_ob_lays_a_free_tile_without_a_connection() -> None:
    scene = bavaria("3").papers(A="OB").money(BY=0)
    scene.bare("O15")
    scene.turn("BY")
    events = scene.do("A lays 58 on M15 turned 0 through OB")
    laid = only(events, happened.TileLaid)
    assert (laid.cost, laid.private, laid.rule) == (0, "OB", "3.1.3.2")
    # The regular tile is still to come; OB gives only one in a round.
    assert scene.refused("A lays 8 on M17 turned 0 through OB") == "3.1.3.2"
    scene.do(f"A {lays('O15', '201', 'N14')}")
    assert scene.step() != "build"


@pytest.mark.rule("1835:5.5.1.19")
@pytest.mark.rule("1835:3.1.3.2")
def test_a_free_tile_must_be_there_as_well() -> None:
    used = ("B12:58:0", "B14:58:0", "B16:58:0", "F4:58:0")
    scene = bavaria().papers(A="OB").tiles(*used).turn("BY")
    assert scene.refused("A lays 58 on M15 turned 0 through OB") == "5.5.1.19"
    scene = bavaria(unlimited_tiles="on").papers(A="OB").tiles(*used).turn("BY")
    scene.do("A lays 58 on M15 turned 0 through OB")


@pytest.mark.rule("1835:3.1.3.2")
def test_ob_serves_directors_of_share_companies_only() -> None:
    scene = minor("3").papers(A="OB").turn("3")
    assert scene.refused("A lays 58 on M15 turned 0 through OB") == "3.1.3.2"
    scene = bavaria().papers(B="OB").turn("BY")
    assert scene.refused("A lays 58 on M15 turned 0 through OB") == "3.1.3.2"
    scene = bavaria().papers(A="OB").tiles("M15:58:0").turn("BY")
    assert scene.refused("A lays 58 on M15 turned 1 through OB") == "3.1.3.2"
    assert scene.refused("A lays 8 on N14 turned 0 through OB") == "3.1.3.2"


@pytest.mark.rule("1835:3.1.3.2b")
def test_ob_closes_when_both_hexes_have_a_tile() -> None:
    """Anyone who lays the second, and by whatever right."""
    scene = bavaria().papers(B="OB").tiles(rail("N14", "8", "O15", "M15"), "M17:9:0").turn("BY")
    events = scene.do(f"A {lays('M15', '3', 'N14')}")
    assert only(events, happened.PapersClosed).papers == ("OB",)
    assert scene.ruleset.owner(scene.state, "OB") is None
    scene = bavaria().papers(A="OB").tiles("M17:9:0").turn("BY")
    scene.do("A lays 58 on M15 turned 0 through OB")
    assert scene.ruleset.owner(scene.state, "OB") is None


@pytest.mark.rule("1835:3.1.3.2b")
def test_ob_may_be_used_again_in_a_later_round() -> None:
    scene = bavaria().papers(A="OB").turn("BY")
    scene.do("A lays 58 on M15 turned 0 through OB")
    assert scene.state.ob_used
    scene.state.agenda.clear()
    scene.trains("BY", "2").on(OperatingRound(1))
    assert "lays 9 on M17 turned 0 through OB" in scene.can("A")
    scene.do("A lays 9 on M17 turned 0 through OB")
    assert scene.ruleset.owner(scene.state, "OB") is None


@pytest.mark.rule("1835:3.1.3.3")
def test_pf_lays_the_tile_of_its_hex_from_phase_2_on() -> None:
    scene = bavaria().papers(A="PF").turn("BY")
    assert scene.refused("A lays 210 on L6 turned 0 through PF") == "5.5.1.1d"
    scene = bavaria("3").papers(A="PF").turn("BY")
    scene.do("A lays 210 on L6 turned 0 through PF")
    # That does not close PF, and the regular tile remains.
    assert scene.ruleset.owner(scene.state, "PF") == 0
    assert scene.step() == "build"
    assert scene.refused("A lays 211 on L6 turned 0 through PF") == "3.1.3.3"


@pytest.mark.rule("1835:3.1.3.3")
def test_bavaria_and_baden_of_one_player() -> None:
    """The owner of PF directs Baden: two tiles in one turn, one of them on its home hex."""
    scene = Scene().shares("BA", A="20P 10 10 10").papers(A="PF").sold().operating("BA").phase("3")
    scene.money(BA=100).turn("BA")
    scene.do("A lays 210 on L6 turned 0 through PF")
    assert (scene.step(), scene.deciders()) == ("home", "A")
    scene.do("A makes city 1 the home of BA")
    assert scene.step() == "build"
    assert any(line.startswith("lays") for line in scene.can("A"))


def test_rotations_that_look_the_same_are_offered_once() -> None:
    scene = minor("3").turn("3")
    assert Counter(line for line in scene.can("A") if "57 on F14" in line).total() == 3
    assert scene.refused("A lays 57 on F14 turned 3") == ""


@pytest.mark.rule("1835:option-free-track")
def test_free_track_asks_for_no_connection() -> None:
    scene = minor("3", "3", free_track="on").tiles("L10:7:0").turn("3")
    assert any("28 on L10" in line for line in scene.can("A"))
