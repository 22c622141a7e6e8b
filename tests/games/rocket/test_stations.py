"""Placing and moving stations."""

from __future__ import annotations

import pytest

from kursbuch.games.rocket.actions import MoveStation, PlaceStation
from kursbuch.games.rocket.events import StationMoved, StationPlaced, StationsScored
from tests.games.rocket.scenario import Scene
from tests.happened import every, only


@pytest.mark.rule("rocket:station-1")
def test_placing_takes_a_station_from_the_supply() -> None:
    scene = Scene()
    placed = only(scene.do("A builds L13"), StationPlaced)
    assert (placed.seat, placed.hex, placed.rule) == (0, "L13", "station-1")
    assert scene.station_hexes("A") == {"L13"}
    assert (scene.supply("station:0"), scene.supply("station:0", "map")) == (6, 1)


@pytest.mark.rule("rocket:station-2")
def test_where_a_station_may_not_go() -> None:
    scene = Scene().line("GWR", "L9 L11 L13").stations("A", "E18").stations("B", "N19")
    for name, why in {
        "J15": "a town",
        "L11": "a track tile",
        "L13": "a locomotive",
        "E18": "an own station",
        "N19": "another's station",
        "L15": "next to a locomotive",
        "M14": "next to a locomotive, behind it",
        "D17": "next to an own station",
        "F19": "next to an own station",
        "N17": "next to another's station and a locomotive in its town",
        "M20": "next to another's station",
    }.items():
        assert scene.refused(f"A builds {name}") == "station-2", why
    assert scene.allowed("A builds M10")  # next to a bare track tile and to a start town
    assert scene.allowed("A builds K16")  # next to two towns


@pytest.mark.rule("rocket:station-2")
def test_example_a_waiting_locomotive_blocks_its_neighbours() -> None:
    for name in ("C8", "D9", "E8"):
        assert Scene().refused(f"A builds {name}") == "station-2"
    gone = Scene().line("LMR", "D7 E8 E10")
    assert gone.allowed("A builds C8")
    assert gone.refused("A builds D9") == "station-2"  # next to the locomotive on E10
    assert gone.stations("B", "B9").refused("A builds C8") == "station-2"


@pytest.mark.rule("rocket:station-2")
def test_a_station_built_over_still_blocks() -> None:
    scene = Scene().line("GWR", "L9 L11 L13 L15").stations("B", "L11")
    assert scene.refused("A builds K12") == "station-2"
    assert scene.refused("A builds M10") == "station-2"
    assert scene.allowed("A builds M12") is False
    assert Scene().line("GWR", "L9 L11 L13 L15").allowed("A builds M12")


@pytest.mark.rule("rocket:station-3")
def test_moving_a_station_is_one_action() -> None:
    scene = Scene().stations("A", "L13").stations("B", "E18")
    moved = only(scene.do("A moves L13 to N19"), StationMoved)
    assert (moved.origin, moved.hex, moved.rule) == ("L13", "N19", "station-3")
    assert scene.station_hexes("A") == {"N19"}
    assert scene.supply("station:0") == 6
    assert scene.deciders() == ["A"]
    assert scene.refused("A moves E18 to L13") == "station-3"
    assert scene.refused("A moves A12 to L13") == "station-3"
    assert scene.refused("A moves N19 to N19") == "station-3"
    assert scene.refused("A moves N19 to F19") == "station-2"
    assert scene.refused("A moves N19 to J15") == "station-2"


@pytest.mark.rule("rocket:station-3")
def test_the_station_being_moved_does_not_block_its_new_place() -> None:
    scene = Scene().stations("A", "L13")
    assert scene.allowed("A moves L13 to L15")
    assert scene.refused("A builds L15") == "station-2"
    scene.stations("B", "M16")
    assert scene.refused("A moves L13 to L15") == "station-2"  # next to the other one
    assert scene.allowed("A moves L13 to K12")


@pytest.mark.rule("rocket:station-4", "rocket:move-2")
def test_a_station_reached_by_a_line_stays_for_good() -> None:
    scene = Scene().line("GWR", "L9 L11").stations("A", "L13")
    scene.do("A extends GWR to L13")
    assert scene.station_hexes("A") == {"L13"}
    assert scene.owner("L13") == "GWR"
    assert scene.refused("A moves L13 to N19") == "station-4"  # under the locomotive
    scene.do("A takes London", "B extends GWR to L15")
    scene.agree()
    scene.do("B takes London", "C takes London", "C takes Exeter", "D takes Exeter")
    scene.do("D takes Exeter")
    assert scene.refused("A moves L13 to N19") == "station-4"  # on the track tile


@pytest.mark.rule("rocket:station-4", "rocket:merge-10", "rocket:railtown-1")
def test_stations_go_over_to_the_survivor() -> None:
    scene = Scene().line("GWR", "L9 L11").line("LSWR", "O16 N15 M14").stations("B", "N15")
    scene.do("A extends LSWR to L13")
    assert scene.owner("N15") == "GWR"
    assert scene.turn("B").refused("B moves N15 to N19") == "station-4"
    scene.extend("B extends GWR to K12")
    scored = only(scene.turn("C").extend("C extends GWR to K14"), StationsScored)
    assert (scored.town, scored.counts) == ("Oxford", (0, 1, 0, 0))


@pytest.mark.rule("rocket:station-5", "rocket:railtown-2", "rocket:final-3")
def test_stations_are_scored_at_a_railway_town_and_at_the_end() -> None:
    scene = Scene().line("GWR", "L9 L11 K12").stations("A", "L11").stations("B", "K12").tiles(1)
    scene.stations("B", "K14")
    events = scene.extend("A extends GWR to K14")  # Oxford: Bristol, Worcester, Oxford
    railway, *final = [event for event in every(events, StationsScored) if event.line == "GWR"]
    assert (railway.town, railway.counts, railway.towns) == ("Oxford", (1, 2, 0, 0), 3)
    assert railway.amounts == (2000, 3000, 0, 0)  # 500 a town are 1500, paid as 2000
    assert [event.amounts for event in final] == [(2000, 3000, 0, 0)]
    assert final[0].town == ""


@pytest.mark.rule("rocket:station-6")
def test_without_supply_one_can_only_move_stations() -> None:
    scene = Scene().stations("A", "E18 G20 L13 J23 D17 A12 N19")
    assert scene.refused("A builds M16") == "station-6"
    assert scene.choices("A", PlaceStation) == []
    assert scene.choices("A", MoveStation)
    scene.do("A moves N19 to M16")
    assert scene.supply("station:0") == 0


@pytest.mark.rule("rocket:station-3", "rocket:station-4", "rocket:station-6")
def test_scenario_15_moving_a_station() -> None:
    scene = Scene().line("LMR", "D7 E8 E10").stations("A", "E8 L13")
    scene.state.ledger.move("station:0", "supply", "gone", 5)
    assert scene.refused("A builds N19") == "station-6"
    assert scene.allowed("A moves L13 to N19")
    assert scene.allowed("A moves L13 to L15")
    assert scene.refused("A moves L13 to L13") == "station-3"
    assert scene.refused("A moves E8 to N19") == "station-4"
