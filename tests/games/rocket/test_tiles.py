"""Track tiles and passenger tokens."""

from __future__ import annotations

import pytest

from kursbuch.games.rocket.events import PassengerTaken, TrackLaid
from tests.games.rocket.scenario import Scene
from tests.happened import every, only


@pytest.mark.rule("rocket:tile-1")
def test_the_hex_left_is_covered_once_the_destination_is_fixed() -> None:
    scene = Scene().line("GWR", "L9 L11").shares("GWR", B=2)
    scene.do("A extends GWR to L13")
    assert scene.supply("tile") == 60
    assert scene.track() == {}
    events = scene.do("B objects", "B bids 2 for M12")
    laid = only(events, TrackLaid)
    assert (laid.origin, laid.hex, laid.covered, laid.tiles) == ("L11", "M12", True, 59)
    assert scene.track() == {"L11": {3, 1}}  # to the final destination
    assert (scene.owner("L11"), scene.owner("M12")) == ("GWR", "GWR")


@pytest.mark.rule("rocket:tile-2")
def test_the_start_town_is_not_covered() -> None:
    scene = Scene()
    laid = only(scene.do("A extends GWR to L11"), TrackLaid)
    assert (laid.covered, laid.rule) == (False, "tile-2")
    assert scene.supply("tile") == 60
    assert scene.track() == {}
    assert scene.owner("L9") == "GWR"


@pytest.mark.rule("rocket:tile-3")
@pytest.mark.parametrize(
    ("path", "target", "joined"),
    [
        ("L9 L11", "L13", {3, 0}),
        ("L9 L11", "K12", {3, 5}),
        ("L9 L11", "M12", {3, 1}),
        ("L9 M10", "N11", {4, 1}),
        ("L9 M10", "M12", {4, 0}),
        ("L9 K10", "J9", {2, 4}),
        ("O22 N21", "M20", {1, 4}),
        ("O22 N21 M20 M18", "N17", {0, 2}),
    ],
)
def test_a_tile_joins_the_edges_of_the_way(path: str, target: str, joined: set[int]) -> None:
    line = "GWR" if path.startswith("L9") else "LBSC"
    scene = Scene().line(line, path)
    left = scene.at(line)
    scene.do(f"A extends {line} to {target}")
    assert scene.track()[left] == joined


@pytest.mark.rule("rocket:passenger-1")
def test_a_passenger_token_for_anothers_station() -> None:
    scene = Scene().line("GWR", "L9 L11").stations("B", "L13")
    taken = only(scene.do("A extends GWR to L13"), PassengerTaken)
    assert (taken.seat, taken.hex, taken.rule) == (0, "L13", "passenger-1")
    assert scene.held("passenger", "A") == 1
    assert scene.supply("passenger") == 8


@pytest.mark.rule("rocket:passenger-1")
def test_example_no_token_after_a_veto_sends_the_locomotive_elsewhere() -> None:
    scene = Scene().line("GWR", "L9 L11").stations("B", "L13").shares("GWR", C=2)
    events = scene.do("A extends GWR to L13", "C objects", "C bids 2 for M12")
    assert every(events, PassengerTaken) == []
    assert scene.supply("passenger") == 9


@pytest.mark.rule("rocket:passenger-1")
def test_whoever_objects_gets_no_token_and_a_supported_choice_brings_it() -> None:
    scene = Scene().line("GWR", "L9 L11").stations("B", "M12").shares("GWR", C=2)
    scene.do("A extends GWR to L13", "C objects", "C bids 2 for M12")
    assert scene.supply("passenger") == 9
    scene = Scene().line("GWR", "L9 L11").stations("B", "M12").shares("GWR", C=2)
    scene.do("A extends GWR to M12", "C objects", "C bids 2 for M12")
    assert (scene.held("passenger", "A"), scene.held("passenger", "C")) == (1, 0)


@pytest.mark.rule("rocket:passenger-2")
def test_no_token_for_ones_own_station_or_when_they_are_gone() -> None:
    scene = Scene().line("GWR", "L9 L11").stations("A", "L13")
    scene.do("A extends GWR to L13")
    assert scene.supply("passenger") == 9
    scene = Scene().line("GWR", "L9 L11").stations("B", "L13").passengers(C=9)
    assert every(scene.do("A extends GWR to L13"), PassengerTaken) == []
    assert scene.held("passenger", "A") == 0
