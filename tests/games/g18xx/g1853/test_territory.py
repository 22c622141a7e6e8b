"""Territories, and the land outside them: where the trains of the last phase open it, and have to run."""

from __future__ import annotations

import pytest

from kursbuch.games.g18xx.actions import PlaceStation
from kursbuch.games.g18xx.events import RunEvent
from kursbuch.games.g18xx.g1853.state import ChooseRight
from kursbuch.games.g18xx.map.board import STOP
from kursbuch.games.g18xx.state import Build, PlaceToken, Run
from tests.games.g18xx.g1853.land import BOARD, can_run, company, go_on, land, lay, lays, may, runs
from tests.games.g18xx.g1853.table import Scene
from tests.happened import only

#: From Allahabad to Benares and Patna, which lie outside the territory of GIP.
EAST = ("H20 H22 I19", "H22 H20 I23", "I23 H22 H24", "H24 I23 H26")
#: From Bombay to a town in the south, outside as well.
SOUTH = ("N10 M9 O11", "O11 N10 P12", "P12 O11 Q13")
GREEN = lay("P12 14 O11 Q13 O13 Q11")


def gip(*trains: str, phase: str = "5") -> Scene:
    return land(company("GIP", phase=phase).trains("GIP", *trains), *EAST, *SOUTH)


@pytest.mark.rule("1853:4.2.2", "1853:table-2", "1853:4.4.1", "1853:4.1.15")
@pytest.mark.parametrize("phase", ["3", "4", "5"])
def test_the_territory_bounds_replacements_and_markers(phase: str) -> None:
    """The row of Calcutta is inside the territory of EIR, the next one is not; new tiles lie anywhere."""
    line = ("H24 H22 I25", "I25 H24 J26", "J26 I25 K25", "K25 J26 L24")
    scene = land(company(phase=phase).trains("EIR", "4"), *line).turn("EIR")
    hexes = {hex for hex, name in lays(scene) if BOARD.tiles[name].colour == "green"}
    assert hexes == {"H24", "I25", "J26"}
    rule = "4.2.3" if phase == "5" else "4.2.2"
    assert scene.refused(f"A {lay('K25 14 J26 L24 K23 K27')}") == rule
    assert may(scene, "A", "L24 K25 M23")


@pytest.mark.rule("1853:4.2.3", "1853:4.10.5")
@pytest.mark.parametrize(
    ("trains", "allowed"),
    [
        ("5", True),
        ("6", True),
        ("5 4", True),
        ("6 4M", True),
        ("4", False),
        ("4 4M", False),
        ("", False),
    ],
)
def test_a_5_or_6_opens_the_land(trains: str, allowed: bool) -> None:
    """Question 18: a 4-train with a 4M is not enough."""
    scene = gip(*trains.split()).turn("GIP")
    assert (
        "P12" in {hex for hex, name in lays(scene) if BOARD.tiles[name].colour != "yellow"}
    ) == allowed
    move = f"A {GREEN}"
    if allowed:
        assert scene.listed(scene.read(move))
    else:
        assert scene.refused(move) == "4.2.3"


@pytest.mark.rule("1853:4.2.3", "1853:4.5.4")
@pytest.mark.parametrize(
    ("trains", "allowed"), [("5", False), ("4M", False), ("5 4M", True), ("4M 5", True)]
)
def test_any_train_can_serve_it(trains: str, allowed: bool) -> None:
    """The 5 opens the land; another train of the company, of metre gauge, reaches the tile."""
    scene = company("GIP", phase="5").trains("GIP", *trains.split())
    land(scene, *(f"metre {text}" for text in SOUTH)).turn("GIP")
    assert scene.listed(scene.read(f"A {lay('P12 89 O11 Q13 O13 Q11')}")) == allowed


@pytest.mark.rule("1853:4.2.3", "1853:4.2.2")
def test_the_run_has_to_come_from_a_home() -> None:
    """Joined only to another station the tile stays closed, and in reach of no train, too."""
    far = ("P12 O11 Q13", "O11 P12 N10")
    scene = land(company("GIP", phase="5").trains("GIP", "5"), *far, "R14 102", "Q13 P12 R14")
    scene.station("GIP", "R14").turn("GIP")
    assert scene.refused(f"A {GREEN}") == "4.2.3"
    # The same with the line to Bombay; and a train of metre gauge opens nothing here.
    scene = land(company("GIP", phase="5").trains("GIP", "5"), *SOUTH, "R14 102", "Q13 P12 R14")
    assert scene.station("GIP", "R14").turn("GIP").listed(scene.read(f"A {GREEN}"))


@pytest.mark.rule("1853:4.2.3")
def test_the_tile_may_come_into_reach_with_the_replacement() -> None:
    """Its old track leads past; the new one joins the line from Bombay."""
    line = ("N10 M9 O11", "O11 N10 P12", "P12 Q11 Q13")
    scene = land(company("GIP", phase="5").trains("GIP", "5"), *line).turn("GIP")
    found = {name for hex, name in lays(scene) if hex == "P12"}
    assert found
    scene = land(company("GIP", phase="5").trains("GIP", "4"), *line).turn("GIP")
    assert not {name for hex, name in lays(scene) if hex == "P12"}


@pytest.mark.rule("1853:4.2.3", "1853:4.5.1", "1853:4.6.4")
def test_the_run_is_a_duty() -> None:
    """A company that has replaced a tile outside its territory runs there, also if another run earns more,
    and cannot leave it out."""
    scene = gip("5").turn("GIP")
    scene.do(f"A {GREEN}", "A is done")
    assert scene.step() == "pay"
    assert can_run(scene, "GIP", "H20/0-H22/0") == "4.2.3"
    assert scene.refused("A pays out running H20/0-H22/0") == "4.2.3"
    assert scene.refused("A saves running -") == "4.2.3"
    run = only(scene.do("A pays out"), RunEvent)
    assert [call[0] for call in run.runs[0][2]] == ["M9", "N10", "P12"]
    # In the next turn there is no duty.
    go_on(scene, "GIP", ChooseRight, Run)
    assert can_run(scene, "GIP", "H20/0-H22/0") == "40+40"
    # The same replacement inside the territory binds no one.
    scene = gip("5").turn("GIP")
    scene.do(f"A {lay('H20 12 H22 I21 I19')}")
    assert scene.state.turn.duties == []


def southern(*trains: str) -> Scene:
    """GIP has replaced P12, and may place a marker."""
    scene = gip(*trains).turn("GIP")
    scene.do(f"A {GREEN}")
    assert scene.step() == "place"
    return scene


PATNA = "A places a station on H24 city 1"


@pytest.mark.rule("1853:4.4.2", "1853:4.2.3")
@pytest.mark.parametrize(
    ("trains", "rule"),
    [("5", "4.4.2"), ("6", "4.4.2"), ("5 4", ""), ("4 5", ""), ("5 5", ""), ("5 4M", "4.4.2")],
)
def test_two_duties_are_met_together(trains: str, rule: str) -> None:
    """Question 18: the tile in the south and a marker in Patna need two trains; a metre-gauge one is none
    here."""
    scene = southern(*trains.split())
    free(scene)
    if rule:
        assert scene.refused(PATNA) == rule
        return
    scene.do(PATNA)
    assert scene.state.turn.duties == [("P12", -1), ("H24", 0)]
    assert scene.step() == "pay"
    assert scene.refused("A saves running H20/0-H22/0, M9/1-N10/0-P12/0") == "4.2.3"
    assert scene.refused("A saves running H20/0-H22/0-I23/0-H24/0") == "4.2.3"
    runs(scene, "A saves running H20/0-H22/0-I23/0-H24/0, M9/1-N10/0-P12/0")


def free(scene: Scene) -> None:
    """No place in Patna is kept: EIR works, with its markers elsewhere."""
    scene.state.companies["EIR"].operating = True


@pytest.mark.rule("1853:4.4.2", "1853:4.4.1")
def test_one_train_may_meet_two_duties() -> None:
    """Benares is replaced and Patna gets a marker: one run comes to both."""
    scene = gip("5")
    free(scene)
    scene.turn("GIP").do(f"A {lay('H22 12 H20 I21 I23')}", PATNA)
    assert scene.state.turn.duties == [("H22", -1), ("H24", 0)]
    assert scene.refused("A saves running H20/0-H22/0") == "4.2.3"
    runs(scene, "A saves running H20/0-H22/0-I23/0-H24/0")


@pytest.mark.rule("1853:4.4.2")
def test_a_marker_outside_has_to_be_run_to() -> None:
    """In the same turn, by a run with a home station."""
    scene = gip("5")
    free(scene)
    scene.turn("GIP").do("A is done", PATNA)
    assert scene.state.turn.duties == [("H24", 0)]
    assert scene.refused("A saves running H20/0-H22/0") == "4.2.3"
    assert scene.refused("A saves running H22/0-I23/0-H24/0") == "4.2.3"
    run = only(scene.do("A saves"), RunEvent)
    calls = [call[0] for call in run.runs[0][2]]
    assert {"H20", "H24"} <= {*calls}
    scene = gip("5")
    free(scene)
    scene.turn("GIP", PlaceToken).do("A is done")
    assert scene.state.turn.duties == []


@pytest.mark.rule("1853:4.4.1", "1853:4.4.2")
@pytest.mark.parametrize(
    ("phase", "trains", "rule"),
    [
        ("3", "3", "4.4.1"),
        ("4", "4", "4.4.1"),
        ("5", "4", "4.4.2"),
        ("5", "4 4M", "4.4.2"),
        ("5", "", "4.4.2"),
        ("5", "5", ""),
        ("5", "6", ""),
    ],
)
def test_markers_outside_the_territory(phase: str, trains: str, rule: str) -> None:
    scene = gip(*trains.split(), phase=phase)
    free(scene)
    scene.turn("GIP", PlaceToken)
    action = PlaceStation(0, "H24", 0)
    if not rule:
        scene.do(PATNA)
        return
    if scene.step() != "place":
        scene.on(PlaceToken("GIP", asked=True))
    problem = scene.position.problem(action)
    assert problem is not None
    assert problem.rule == rule


@pytest.mark.rule("1853:4.4.2", "1853:4.5.4")
def test_a_city_out_of_the_trains_reach_gets_no_marker() -> None:
    """Six large stations from the only home on the line: a 6-train comes there, a 5-train does not."""
    cities = [f"{hex} 102" for hex in ("H22", "H24", "I25", "J26", "K27")]
    for train, allowed in (("5", False), ("6", True)):
        scene = company("GIP", phase="5").trains("GIP", train)
        free(land(scene, "H20 69 H22", *cities))
        scene.turn("GIP", PlaceToken)
        listed = {text.split()[4] for text in scene.can("A")[:-1]}
        assert listed == {"H22", "H24", "I25", "J26"} | ({"K27"} if allowed else set())


@pytest.mark.rule("1853:4.2.3", "1853:4.4.2")
def test_a_small_bbci_has_one_home() -> None:
    """Bombay is no home of it: a run from there meets no duty."""
    for large in (True, False):
        scene = company("BBCI", phase="5") if large else Scene().phase("5")
        if not large:
            scene.shares("BBCI", A=3).operating("BBCI").money(BBCI=900).station("BBCI", "M9", 0)
        scene.trains("BBCI", "5")
        land(scene, "L10 M9 L12", "L12 L10 M13", "M13 L12 N14", "N14 M13 O15")
        scene.turn("BBCI", Build)
        green = f"A {lay('N14 88 M13 O15 N12 N16')}"
        if large:
            assert scene.listed(scene.read(green))
        else:
            assert scene.refused(green) == "4.2.3"


def calcutta(*tiles: str) -> Scene:
    """The trains of GIP come from home to one station of Calcutta; from a marker that is no home track
    leads to another."""
    scene = gip("5")
    land(scene, "H26 H24 I27", "I27 H26 J28", "K27 102").tiles(*tiles)
    for name in ("EIR", "BNR"):  # no place is kept for them
        scene.state.companies[name].operating = True
    return scene.station("GIP", "K27").turn("GIP", PlaceToken)


@pytest.mark.rule("1853:4.4.2", "1853:4.5.5", "1853:4.4.6", "1853:4.2.12")
@pytest.mark.parametrize(("tiles", "reached", "other"), [((), 0, 1), (("J28:CD:0",), 4, 2)])
def test_any_station_of_the_city_serves_the_marker(
    tiles: tuple[str, ...], reached: int, other: int
) -> None:
    """Several stations on a tile are one city: it is enough to come to it. The marker itself needs a way to
    its own station."""
    scene = calcutta(*tiles)
    placed = {text.split()[6] for text in scene.can("A") if "on J28 " in text}
    assert placed == {str(reached + 1), str(other + 1)}
    scene.do(f"A places a station on J28 city {other + 1}")
    assert scene.step() == "pay"
    assert scene.refused("A saves running H20/0-H22/0") == "4.2.3"
    assert scene.refused(f"A saves running K27/0-J28/{other}") == "4.2.3", "from no home"
    event = only(scene.do("A saves"), RunEvent)
    assert ("J28", reached) in [call[:2] for call in event.runs[0][2]]
    # By the first edition of the rules the very station had to be reached.
    scene = calcutta(*tiles)
    scene.state.uncorrected = ["any-station-of-a-city"]
    assert scene.refused(f"A places a station on J28 city {other + 1}") == "4.4.2"


@pytest.mark.rule("1853:4.4.2", "1853:4.5.5")
def test_all_track_of_a_city_leads_into_a_station() -> None:
    """So a run over the hex of a city calls at it."""
    faces = [*BOARD.printed, *(tile.faces[0] for tile in BOARD.tiles.values())]
    cities = [face for face in faces if any(stop.kind == "city" for stop in face.stops)]
    assert len(cities) > 40
    for face in cities:
        assert all(path.b >= STOP for path in face.paths)
        assert {stop.kind for stop in face.stops} == {"city"}
