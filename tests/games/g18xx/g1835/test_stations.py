"""Placing station markers, and Baden's home."""

from __future__ import annotations

import pytest

from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.g1835.components import standard
from kursbuch.games.g18xx.map.track import Layout, Station
from kursbuch.games.g18xx.state import BuyTrains, Home, PlaceToken
from tests.games.g18xx.g1835.rails import rail
from tests.games.g18xx.g1835.table import Scene
from tests.happened import only


def bavaria(**options: str) -> Scene:
    """Bavaria of A with 1000, its line from München to Nürnberg."""
    scene = Scene(4, **options).shares("BY", A="20P 10 10 10").sold().operating("BY").money(BY=1000)
    scene.tiles(rail("O15", "202", "N14"), rail("N14", "8", "O15", "M15"))
    return scene.tiles(rail("M15", "58", "N14", "L14"))


def magdeburg() -> Scene:
    """Bavaria with a marker in Magdeburg, a line from there by Braunschweig to Hannover."""
    scene = Scene().shares("BY", A="20P 10 10 10").sold().operating("BY").money(BY=1000)
    scene.papers(A="NF").station("BY", "F14").phase("3").tiles("F14:57:0", "F10:57:0")
    return scene.turn("BY", PlaceToken)


def places(scene: Scene, name: str) -> set[str]:
    """Where a player may place a marker, by no private's right."""
    moves = [line.split() for line in scene.can(name) if "through" not in line]
    return {f"{words[4]}/{words[6]}" for words in moves if words[0] == "places"}


@pytest.mark.rule("1835:5.5.2.1")
@pytest.mark.rule("1835:2.7.4")
def test_every_company_begins_with_its_home() -> None:
    game = Scene().ruleset
    for company, (home,) in game.components.homes.items():
        assert home.hex in standard().board.index, company
    markers = {public.id: public.record.station_markers for public in game.public.values()}
    assert all(count >= 2 for count in markers.values())
    assert {company for company, count in markers.items() if count > 2} == {"BY", "SX", "PR"}


@pytest.mark.rule("1835:5.4.2")
@pytest.mark.rule("1835:5.5.2.2")
@pytest.mark.rule("1835:5.5.2.6")
@pytest.mark.rule("1835:5.5.2.5")
def test_one_marker_in_a_round_at_its_cost() -> None:
    scene = bavaria().turn("BY", PlaceToken)
    assert places(scene, "A") == {"L14/1"}
    events = scene.do("A places a station on L14 city 1")
    placed = only(events, happened.StationPlaced)
    distance = standard().distance("O15", "L14")
    assert (placed.cost, scene.has("BY")) == (20 * distance, 1000 - 20 * distance)
    assert distance == 3
    assert scene.step() != "place"


@pytest.mark.rule("1835:5.4.2")
def test_placing_may_be_declined() -> None:
    scene = bavaria().turn("BY", PlaceToken)
    scene.do("A is done")
    assert scene.step() != "place"
    assert len(scene.state.layout.stations) == 1


@pytest.mark.rule("1835:5.5.2.5")
def test_distances() -> None:
    """Question 18: over hexes of the board; Prussia measures from Berlin."""
    distance = standard().distance
    assert (20 * distance("O15", "H20"), 20 * distance("O15", "H16")) == (160, 140)
    scene = Scene()
    assert scene.ruleset.components.homes["PR"][0].hex == "E19"
    poor = bavaria().money(BY=59).trains("BY", "2").papers(A="NF").turn("BY", PlaceToken)
    assert poor.refused("A places a station on L14 city 1") == "5.5.2.5"
    exact = bavaria().money(BY=60).turn("BY", PlaceToken)
    exact.do("A places a station on L14 city 1")
    assert exact.has("BY") == 0


@pytest.mark.rule("1835:5.5.2.2")
def test_one_marker_in_a_hex_and_only_in_free_places() -> None:
    scene = bavaria().papers(A="NF").station("BY", "L14", 1).tiles(rail("L16", "7", "L14", "M15"))
    scene.tiles("M15:203:0").turn("BY", PlaceToken)
    assert places(scene, "A") == set()
    scene = bavaria(free_track="on").papers(A="NF").station("SX", "L14", 1).turn("BY", PlaceToken)
    assert scene.refused("A places a station on L14 city 2") == "5.5.2.2"
    assert scene.refused("A places a station on L14 city 3") == "5.5.2.2"
    scene = bavaria().papers(A="NF").turn("BY", PlaceToken)
    assert scene.refused("A places a station on O15 city 1") == "5.5.2.2"
    assert scene.refused("A places a station on M15 city 1") == "5.5.2.2"
    assert scene.refused("A places a station on C21 city 1") == "5.5.1.1c"


@pytest.mark.rule("1835:5.5.2.7")
def test_a_route_must_lead_there() -> None:
    scene = bavaria().papers(A="NF").turn("BY", PlaceToken)
    assert scene.refused("A places a station on L14 city 2") == "5.5.2.7"
    # Not beyond a full city: Hannover lies behind Saxony's marker in Braunschweig.
    assert places(magdeburg(), "A") == {"F10/1", "F12/1"}
    blocked = magdeburg().station("SX", "F12")
    assert places(blocked, "A") == set()
    assert blocked.refused("A places a station on F10 city 1") == "5.5.2.7"


@pytest.mark.rule("1835:option-free-track")
@pytest.mark.rule("1835:5.5.2.7")
def test_stations_anywhere_by_option() -> None:
    scene = bavaria(free_track="on").turn("BY", PlaceToken)
    assert {"L14/1", "L14/2", "F12/1"} <= places(scene, "A")
    assert not {place for place in places(scene, "A") if place.startswith(("C21", "E21"))}


@pytest.mark.rule("1835:5.5.2.8")
def test_homes_are_kept() -> None:
    """Frankfurt has two places: one for Hessen, one for others. Prussia keeps none in Berlin."""
    scene = bavaria(free_track="on").turn("BY", PlaceToken)
    assert "J8/1" in places(scene, "A")
    scene = bavaria(free_track="on").station("SX", "J8", 0).papers(A="NF").turn("BY", PlaceToken)
    assert scene.refused("A places a station on J8 city 1") == "5.5.2.8"
    # Minors not yet bought keep theirs, too.
    scene = bavaria(free_track="on").papers(A="NF").tiles("F14:57:0").turn("BY", PlaceToken)
    assert scene.refused("A places a station on F14 city 1") == "5.5.2.8"
    # Green Berlin: two places for the (2) and the (5), the third is free.
    scene = bavaria(free_track="on").papers(B="2 5").tiles("E19:209:2")
    layout = scene.state.layout
    scene.state.layout = Layout(layout.tiles, layout.moved("E19", (0, 0)))
    assert "E19/1" in places(scene.turn("BY", PlaceToken), "A")
    scene = bavaria(free_track="on").tiles("E19:209:2").station("SX", "E19", 0)
    scene.papers(A="NF").turn("BY", PlaceToken)
    assert scene.refused("A places a station on E19 city 1") == "5.5.2.8"


@pytest.mark.rule("1835:5.5.2.9")
@pytest.mark.rule("1835:3.2.2b")
def test_minors_place_no_further_markers() -> None:
    scene = Scene().papers(A="3", B="4").turn("3")
    scene.do("A is done")
    assert scene.step() != "place"
    assert scene.ruleset.tokens(scene.state, "3") == 0


@pytest.mark.rule("1835:5.5.2.6")
@pytest.mark.rule("1835:3.1.3.1")
def test_nf_places_a_free_marker_besides() -> None:
    """Without a connection and without cost, before or after the tiles; it closes NF."""
    scene = bavaria().papers(A="NF")
    scene.state.layout = Layout({}, scene.state.layout.stations)
    scene.tiles("O15:202:4").turn("BY")
    events = scene.do("A places a station on L14 city 1 through NF")
    placed = only(events, happened.StationPlaced)
    assert (placed.cost, placed.rule, scene.has("BY")) == (0, "3.1.3.1", 1000)
    assert scene.ruleset.owner(scene.state, "NF") is None
    assert scene.step() == "build"
    scene = bavaria().papers(A="NF").turn("BY", PlaceToken)
    scene.do("A places a station on L14 city 1 through NF")
    # One marker per hex also holds for the regular one.
    assert places(scene, "A") == set()


@pytest.mark.rule("1835:5.5.2.6")
@pytest.mark.rule("1835:3.1.3.1")
@pytest.mark.parametrize("free_first", [True, False])
def test_the_free_marker_is_not_counted(free_first: bool) -> None:
    """In one turn one to Nürnberg/Fürth through NF and one to Augsburg, in either order."""
    scene = bavaria().papers(A="NF").phase("3").tiles(rail("O15", "207", "N14", "O13"))
    scene.tiles(rail("O13", "8", "O15", "N12"), rail("N12", "57", "O13")).turn("BY", PlaceToken)
    moves = ["A places a station on L14 city 2 through NF", "A places a station on N12 city 1"]
    for move in moves if free_first else moves[::-1]:
        assert scene.step() == "place"
        scene.do(move)
    assert [one.hex for one in scene.state.layout.stations].count("L14") == 1
    assert scene.has("BY") == 1000 - 40
    # A second regular one is not allowed.
    assert scene.step() != "place"


@pytest.mark.rule("1835:5.5.2.6")
def test_only_one_regular_marker_in_a_round() -> None:
    """Nürnberg is in reach as well and could be paid for."""
    scene = bavaria().papers(A="NF").phase("3").tiles(rail("O15", "207", "N14", "O13"))
    scene.tiles(rail("O13", "8", "O15", "N12"), rail("N12", "57", "O13")).turn("BY", PlaceToken)
    assert places(scene, "A") == {"L14/1", "N12/1"}
    scene.do("A places a station on N12 city 1")
    assert (scene.step(), places(scene, "A")) == ("place", set())
    assert scene.refused("A places a station on L14 city 1") == "5.5.2.6"


@pytest.mark.rule("1835:3.1.3.1")
def test_nf_needs_its_owner_as_director_a_marker_and_a_free_place() -> None:
    scene = bavaria().papers(B="NF").turn("BY", PlaceToken)
    assert scene.refused("A places a station on L14 city 1 through NF") == "3.1.3.1"
    scene = Scene().papers(A="NF 3").turn("3")
    assert scene.refused("A places a station on L14 city 1 through NF") == "3.1.3.1"
    scene = bavaria().papers(A="NF OB").station("SX", "L14", 0).turn("BY")
    assert scene.refused("A places a station on L14 city 1 through NF") == "3.1.3.1"
    scene = bavaria().papers(A="NF OB").station("BY", "L14", 1).turn("BY")
    assert scene.refused("A places a station on L14 city 1 through NF") == "3.1.3.1"
    scene = bavaria().papers(A="NF OB").turn("BY")
    assert scene.refused("A places a station on L14 city 2") == "5.4-intro"


@pytest.mark.rule("1835:5.4.2")
@pytest.mark.rule("1835:3.1.3.1")
def test_without_a_marker_left_none_is_placed() -> None:
    scene = bavaria().papers(A="NF")
    ledger = scene.state.ledger
    ledger.move("marker:BY", "BY", "map", ledger.held("marker:BY", "BY"))
    scene.on(PlaceToken("BY", asked=True))
    assert scene.refused("A places a station on L14 city 1") == "5.4.2"
    assert scene.refused("A places a station on L14 city 1 through NF") == "3.1.3.1"


def baden() -> Scene:
    """Question 19: Hessen of A, who owns PF, acts in phase 2; Baden of B is in operation."""
    scene = Scene().shares("HE", A="20P 10 10 10").shares("BA", B="20P 10 10 10").sold()
    return scene.operating("HE", "BA").papers(A="PF").phase("3").money(HE=500)


@pytest.mark.rule("1835:5.5.2.10")
@pytest.mark.rule("1835:3.1.3.3")
@pytest.mark.rule("1835:3.1.3.3b")
@pytest.mark.rule("1835:3.1.3.3c")
def test_another_company_builds_badens_home() -> None:
    scene = baden().tiles(rail("J10", "8", "J8", "K11"), rail("K11", "58", "J10")).turn("HE")
    scene.do("A lays 210 on L6 turned 0 through PF")
    # Baden's director chooses at once, out of turn.
    assert (scene.deciders(), scene.step()) == ("B", "home")
    assert scene.can("B") == ["makes city 1 the home of BA", "makes city 2 the home of BA"]
    events = scene.do("B makes city 2 the home of BA")
    assert only(events, happened.StationPlaced).rule == "5.5.2.10"
    assert Station("BA", "L6", 1) in scene.state.layout.stations
    # In the same turn Hessen may use the other city, and still lay its tile.
    assert (scene.deciders(), scene.step()) == ("A", "build")
    assert any(line.startswith("lays") for line in scene.can("A"))
    scene.do("A places a station on L6 city 1 through PF")
    assert Station("HE", "L6", 0) in scene.state.layout.stations
    assert scene.ruleset.owner(scene.state, "PF") is None


@pytest.mark.rule("1835:3.1.3.3b")
def test_pf_waits_for_baden() -> None:
    """No one may place a marker in the hex before Baden has its home there."""
    scene = Scene(free_track="on").shares("HE", A="20P 10 10 10").sold().operating("HE")
    scene.papers(A="PF").phase("3").money(HE=500).tiles("L6:210:0").turn("HE", PlaceToken)
    assert scene.refused("A places a station on L6 city 1 through PF") == "3.1.3.3b"
    assert scene.refused("A places a station on L6 city 1") == "5.5.2.10"
    # Nor in the home of Baden, nor twice.
    scene = baden().tiles("L6:210:0").station("BA", "L6", 0).turn("HE")
    assert scene.refused("A places a station on L6 city 1 through PF") == "3.1.3.3b"
    scene.do("A places a station on L6 city 2 through PF")
    assert scene.step() != "home"


@pytest.mark.rule("1835:3.1.3.3c")
def test_both_powers_of_pf_by_two_companies() -> None:
    scene = baden().shares("SX", A="20P 10 10 10").operating("SX").money(SX=500)
    scene.trains("HE", "3").turn("HE").do("A lays 210 on L6 turned 0 through PF")
    scene.do("B makes city 1 the home of BA", "A is done")
    while scene.deciders() != "A" or "SX" not in str(scene.state.agenda[-1]):
        scene.do(f"{scene.deciders()} is done")
    scene.do("A places a station on L6 city 2 through PF")
    assert Station("SX", "L6", 1) in scene.state.layout.stations
    assert scene.ruleset.owner(scene.state, "PF") is None


@pytest.mark.rule("1835:2.7.4")
@pytest.mark.rule("1835:5.5.2.10")
def test_baden_keeps_a_marker_for_its_home() -> None:
    """Ludwigshafen/Mannheim is empty. Of Baden's two markers one goes to Nürnberg through NF; from
    there its track leads to Augsburg, but the other one is kept."""
    scene = Scene().shares("BA", A="20P 10 10 10").sold().operating("BA").papers(A="NF").phase("3")
    scene.tiles(rail("M13", "9", "L14", "N12"), rail("N12", "57", "M13")).money(BA=1000)
    scene.station("BA", "L14", 0).turn("BA", PlaceToken)
    assert scene.step() != "place"
    scene.state.agenda.clear()
    scene.on(PlaceToken("BA", asked=True))
    assert scene.refused("A places a station on N12 city 1") == "5.5.2.10"
    scene.state.agenda.clear()
    scene.turn("BA").do("A lays 210 on L6 turned 0", "A makes city 1 the home of BA")
    assert scene.ruleset.tokens(scene.state, "BA") == 0
    # Nor does the last one go to Nürnberg through NF.
    scene = Scene().shares("BA", A="20P 10 10 10").sold().operating("BA").papers(A="NF").phase("3")
    scene.tiles("N12:57:0").station("BA", "N12").on(PlaceToken("BA", asked=True))
    assert scene.refused("A places a station on L14 city 1 through NF") == "3.1.3.1"


@pytest.mark.rule("1835:5.5.2.10")
def test_baden_chooses_among_the_cities_there_are() -> None:
    """On a brown tile there is only one city: no one is asked."""
    scene = Scene().shares("BA", A="20P 10 10 10").sold().phase("5").tiles("L6:217:0")
    state = scene.state
    state.companies["BA"].operating = True
    scene.on(Home("BA", "L6"))
    assert Station("BA", "L6", 0) in state.layout.stations


def test_a_station_step_without_choices_is_left_out() -> None:
    scene = Scene().shares("BY", A="20P 10 10 10").sold().operating("BY").money(BY=500)
    scene.turn("BY", PlaceToken)
    assert isinstance(scene.state.agenda[-1], BuyTrains)


@pytest.mark.rule("1835:5.5.2.8")
def test_a_minor_that_has_stopped_keeps_only_the_place_of_its_marker() -> None:
    """Its owner is bankrupt and Prussia not open: the marker stays, nothing more is kept."""
    scene = bavaria(free_track="on").papers(B="3").tiles("F14:14:0")
    scene.state.companies["3"].operating = False
    scene.turn("BY", PlaceToken)
    assert "F14/1" in places(scene, "A")


@pytest.mark.rule("1835:3.1.3.1")
def test_nf_needs_a_marker_that_is_left() -> None:
    scene = bavaria().papers(A="NF OB")
    scene.state.ledger.move("marker:BY", "BY", "map", 4)
    scene.turn("BY")
    assert scene.refused("A places a station on L14 city 1 through NF") == "3.1.3.1"
