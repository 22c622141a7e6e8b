"""Station markers: where, for how much, and which places are kept."""

from __future__ import annotations

import pytest

from kursbuch.core.play import Play
from kursbuch.games.g18xx.actions import PlaceStation
from kursbuch.games.g18xx.events import StationPlaced
from kursbuch.games.g18xx.map.track import Layout
from kursbuch.games.g18xx.state import PlaceToken
from tests.games.g18xx.g1853.land import BOARD, can_run, company, go_on, land
from tests.games.g18xx.g1853.table import Scene
from tests.happened import only


def markers(scene: Scene) -> set[str]:
    """Where A may place a marker: hex and number of the city."""
    return {
        f"{words[4]}/{words[6]}"
        for words in (text.split() for text in scene.can("A"))
        if words[0] == "places"
    }


def problem(scene: Scene, name: str, hex: str, stop: int = 0) -> str:
    """The rule that forbids a marker; empty if it is allowed. The company is at that step."""
    if scene.step() != "place":
        scene.on(PlaceToken(name, asked=True))
    found = scene.position.problem(PlaceStation(0, hex, stop))
    return "" if found is None else found.rule


@pytest.mark.rule("1853:4.4", "1853:4.4.1", "1853:3.3.2")
def test_homes_are_placed_when_a_company_is_founded() -> None:
    """Free of charge; a further marker in a turn at most, in the territory."""
    scene = company()
    assert {(s.hex, s.stop) for s in scene.state.layout.stations} == {("J28", 0), ("H24", 0)}
    assert scene.has("EIR") == 1000
    land(scene, "H24 H22 I25", "H22 H24 G21", "I25 102").turn("EIR", PlaceToken)
    assert markers(scene) == {"H22/1", "I25/1"}
    scene.do("A places a station on H22 city 1")
    assert scene.step() != "place"
    scene.on(PlaceToken("EIR", placed=True, asked=True))
    assert scene.refused("A places a station on I25 city 1") == "4.4.1"


@pytest.mark.rule("1853:4.4.4")
@pytest.mark.parametrize(("name", "prices"), [("EIR", [40, 100, 100]), ("BBCI", [40, 100])])
def test_what_markers_cost(name: str, prices: list[int]) -> None:
    """The first beside the homes 40, each further one 100, as long as there are markers."""
    scene = company(name, money=300)
    if name == "EIR":
        cities = ["H22", "I25", "J26"]
        land(scene, "H24 102", *(f"{hex} 102" for hex in cities))
    else:
        cities = ["G9", "I9"]
        land(scene, "H10 102", *(f"{hex} 102" for hex in cities))
    left = 300
    for hex, price in zip(cities, prices, strict=True):
        go_on(scene, name, PlaceToken)
        paid = only(scene.do(f"A places a station on {hex} city 1"), StationPlaced)
        left -= price
        assert (paid.cost, scene.has(name)) == (price, left)
    assert scene.ruleset.tokens(scene.state, name) == 0
    assert go_on(scene, name, PlaceToken).step() != "place"
    further = {"EIR": "I23", "BBCI": "H12"}[name]
    land(scene, f"{further} 102")
    assert problem(scene, name, further) == "4.4.1"


@pytest.mark.rule("1853:4.4.4")
def test_the_treasury_pays_alone() -> None:
    line = ("H24 H22 I25", "H22 H24 G21", "I25 102")
    for money, further in ((39, False), (40, False), (99, True), (100, True)):
        scene = land(company(money=money), *line).money(A=500)
        if further:
            scene.station("EIR", "H22")
        scene.turn("EIR", PlaceToken)
        if money in (39, 99):
            assert scene.step() != "place"
            assert problem(scene, "EIR", "I25") == "4.4.4"
        else:
            scene.do("A places a station on I25 city 1")
            assert (scene.has("EIR"), scene.has("A")) == (0, 500)


@pytest.mark.rule("1853:4.4.4", "1853:2.6.3")
def test_bombay_is_no_home_of_a_small_bbci() -> None:
    """Its first marker there costs 40, the next one 100; of a large one it is free, and the first other
    one costs 40."""
    scene = Scene().shares("BBCI", A=3).operating("BBCI")
    assert scene.ruleset.builder.station_cost(scene.state, "BBCI", "M9") == 40
    scene.station("BBCI", "M9", 0)
    assert scene.ruleset.builder.station_cost(scene.state, "BBCI", "J8") == 100
    scene = company("BBCI")
    assert scene.ruleset.builder.station_cost(scene.state, "BBCI", "J8") == 40


@pytest.mark.rule("1853:3.4.6", "1853:4.4.4")
def test_a_company_that_owes_a_train_places_no_marker() -> None:
    scene = Scene().shares("EIR", A=1).operating("EIR").money(EIR=200).credit("EIR", "2")
    land(scene, "H24 H22 I25", "H22 H24 G21").turn("EIR", PlaceToken)
    assert problem(scene, "EIR", "H22") == "3.4.6"


@pytest.mark.rule("1853:4.4.5")
def test_a_marker_needs_an_empty_circle_of_a_large_city() -> None:
    """No small station, no city without a tile, no second marker of the company on the hex."""
    line = ("H24 H22 I25", "H22 12 H24 I23 I21", "I23 H22 J22", "I21 H22 J20", "J20 I21 K19")
    scene = land(company(), *line).turn("EIR", PlaceToken)
    assert markers(scene) == {"H22/1"}
    assert problem(scene, "EIR", "I23") == "4.4.5"
    assert problem(scene, "EIR", "I21") == "4.4.5"
    assert problem(scene, "EIR", "H24") == "4.4.5"
    assert problem(scene, "EIR", "H22", 1) == "4.4.5"
    for others, rule in ((["ECR"], "4.4.5"), (["EIR"], "4.4.5")):
        full = land(company(), *line)
        for other in others:
            full.station(other, "H22")
        full.turn("EIR")
        assert problem(full, "EIR", "H22") == rule
    two = land(company(), "H24 H22 I25", "H22 718 H24 I23 I21 H20").station("ECR", "H22")
    assert markers(two.turn("EIR", PlaceToken)) == {"H22/1"}
    two = land(company(), "H24 H22 I25", "H22 718 H24 I23 I21 H20").station("EIR", "H22")
    assert problem(two.turn("EIR"), "EIR", "H22") == "4.4.5"


@pytest.mark.rule("1853:4.4.5", "1853:4.4.6", "1853:4.2.12")
def test_separate_stations_of_calcutta() -> None:
    """Question 20: ECR comes to the east station by K29, and to the west one not at all."""
    scene = land(company("ECR"), "J30 J28 K29", "K29 J30 K27", "K27 102").station("ECR", "K27")
    # K27 leads to the station in the south west, too, which is kept for BNR.
    assert "J28/3" in markers(scene.turn("ECR", PlaceToken))
    assert problem(scene, "ECR", "J28", 1) == "4.4.7"
    assert problem(scene, "ECR", "J28", 0) == "4.4.6"
    scene.shares("EIR", B=3).shares("BNR", C=3).operating("EIR", "BNR")
    assert problem(scene, "ECR", "J28", 0) == "4.4.6"
    assert problem(scene, "ECR", "J28", 1) == "4.4.5"
    assert problem(scene, "ECR", "J28", 2) == ""
    away = land(company("ECR"), "K27 102").station("ECR", "K27")
    assert problem(away.turn("ECR"), "ECR", "J28", 2) == "4.4.6"


@pytest.mark.rule("1853:4.4.5")
def test_eir_places_no_second_marker_in_calcutta() -> None:
    """Question 20."""
    scene = land(company(), "H24 102", "I25 102", "J26 102", "K27 102").turn("EIR", PlaceToken)
    assert "K27/1" not in markers(scene)
    assert not {mark for mark in markers(scene) if mark.startswith("J28")}
    assert problem(scene, "EIR", "J28", 1) == "4.4.5"
    assert problem(scene, "EIR", "J28", 2) == "4.4.5"


@pytest.mark.rule("1853:4.4.6", "1853:4.4.3")
def test_a_marker_needs_a_way_from_a_station() -> None:
    """Unbroken, of one gauge, and not blocked by others."""
    tail = ("H22 H24 I21", "I21 H22 J22", "J22 102")
    scene = land(company(), "H24 H22 I25", *tail).turn("EIR", PlaceToken)
    assert markers(scene) == {"H22/1", "J22/1"}
    scene = land(company(), "H24 H22 I25", *tail).station("ECR", "H22").turn("EIR")
    assert problem(scene, "EIR", "J22") == "4.4.6"
    assert problem(scene, "EIR", "G19") == "4.4.6"
    scene = land(company(), "metre H24 H22 I25", *tail).turn("EIR")
    assert problem(scene, "EIR", "H22") == "4.4.6"
    # Dual track on the way does not change the gauge.
    scene = land(company(), "metre H24 H22 I25", "H22 102", *tail[1:]).turn("EIR", PlaceToken)
    assert markers(scene) == {"H22/1"}
    assert problem(scene, "EIR", "J22") == "4.4.6"


@pytest.mark.rule("1853:4.4.7", "1853:4.2.9")
@pytest.mark.parametrize(
    ("tile", "others", "before", "after"),
    [
        ("T16 S17 S15", [], "4.4.7", "4.4.5"),
        ("T16 12 S17 S15 T14", [], "4.4.7", "4.4.5"),
        ("T16 718 S17 S15 T14 U15", [], "", ""),
        ("T16 718 S17 S15 T14 U15", ["ECR"], "4.4.7", "4.4.5"),
    ],
)
def test_homes_of_companies_to_come_are_kept(
    tile: str, others: list[str], before: str, after: str
) -> None:
    """Question 20: Trichinopoly for SIR, also one of two places after a replacement."""
    scene = land(Scene().shares("MSM", A=3).operating("MSM"), "S17 R18 T16", tile)
    scene.state.layout = Layout(scene.state.layout.tiles)
    scene.station("MSM", "R18", 1).money(MSM=500)
    for other in others:
        scene.station(other, "T16")
    # T16 lies outside the territory of MSM.
    scene.phase("5").trains("MSM", "6")
    assert problem(scene.turn("MSM"), "MSM", "T16") == before
    scene.shares("SIR", B=3).operating("SIR")
    assert problem(scene, "MSM", "T16") == after


@pytest.mark.rule("1853:4.4.7", "1853:4.5.7")
def test_a_kept_place_blocks_no_train() -> None:
    """Question 20."""
    scene = company("MSM").trains("MSM", "3")
    scene.state.layout = Layout(scene.state.layout.tiles)
    scene.station("MSM", "R18", 1)
    land(scene, "S17 R18 T16", "T16 S17 S15", "S15 T16 R14", "R14 69 S15")
    assert can_run(scene, "MSM", "R18/1-S17/0-T16/0-R14/0") == "80+50"


@pytest.mark.rule("1853:4.4.7", "1853:2.6.3")
def test_north_bombay_is_never_kept() -> None:
    """Question 7: of a small BBCI, or none, the station is free for others; Ajmer is kept."""
    scene = Scene()
    reserved = scene.ruleset.builder.reserved
    assert not reserved(scene.state, "M9", 0)
    assert reserved(scene.state, "M9", 1)
    assert reserved(scene.state, "H10", 0)
    scene = land(company("MSM"), "L10 102").station("MSM", "L10").turn("MSM")
    assert problem(scene, "MSM", "M9", 0) == ""
    # Brown Bombay keeps one of its three places for GIP.
    scene = land(company("MSM", phase="4"), "L10 102", "M9 105 L10 M11 N10").station("MSM", "L10")
    for count, kept in ((0, ""), (1, ""), (2, "4.4.7")):
        scene.state.layout = Layout(scene.state.layout.tiles, scene.state.layout.stations[:2])
        for other in ["ECR", "SIR"][:count]:
            scene.station(other, "M9")
        assert problem(scene.turn("MSM"), "MSM", "M9") == kept


@pytest.mark.rule("1853:4.4.7", "1853:4.2.12")
@pytest.mark.parametrize(
    ("name", "hex", "tile", "stop", "all_kept"),
    [
        ("EIR", "J28", "J28", 0, {0, 1}),
        ("EIR", "J28", "J28 CD", 4, {2, 4}),
        ("EIR", "J28", "J28 900", 4, {2, 4}),
        ("BNR", "J28", "J28", 1, {0, 1}),
        ("BNR", "J28", "J28 CD", 2, {2, 4}),
        ("NWR", "F14", "F14 CD", 4, {4}),
        ("GIP", "M9", "M9", 1, {1}),
        ("GIP", "M9", "M9 105 L10 M11 N10", 0, set()),
        ("MSM", "R18", "R18 111 Q17 R16 S17", 0, set()),
        ("ECR", "O21", "O21", 0, {0}),
        ("ECR", "O21", "O21 W O19 N20 N22", 0, set()),
    ],
)
def test_a_home_founded_after_a_replacement(
    name: str, hex: str, tile: str, stop: int, all_kept: set[int]
) -> None:
    """Its marker comes into what its own station has become, and that was kept for it."""
    scene = Scene(6).shares(name, A=3, B=1)
    if tile != hex:
        land(scene, tile)
    stops = scene.ruleset.position(scene.state).grounds[BOARD.number(hex)].face.stops
    kept = {n for n in range(len(stops)) if scene.ruleset.builder.reserved(scene.state, hex, n)}
    assert kept == all_kept
    play = Play(scene.state, scene.position.chance)
    scene.ruleset.builder.place_homes(play, name)
    assert (name, hex, stop) in scene.state.layout.stations
