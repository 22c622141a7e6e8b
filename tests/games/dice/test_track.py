"""Laying track: the line, and what forbids a piece."""

from __future__ import annotations

import pytest

from kursbuch.games.dice import events as happened
from tests.games.dice.scenario import Scene, pieces, rich
from tests.happened import every, only


@pytest.mark.rule("dice:track-1", "dice:track-4")
def test_one_line_with_two_ends() -> None:
    scene = rich(Scene(2))
    assert pieces(scene, "A") == {"e4N", "e4E", "e4S"}
    assert pieces(scene, "B") == {"c4N", "c4W", "c4S"}
    scene.do("A lays A e4 to N")
    assert pieces(scene, "A") == {"e3W", "e3N", "e3E"}
    assert scene.refused("A lays A f4 to E") == "track-4"
    assert scene.refused("A lays A d3 to N") == "track-4"
    assert scene.refused("A lays B e3 to N") == "track-4"
    assert scene.refused("A lays A e3 to S") == "track-4"


@pytest.mark.rule("dice:track-1", "dice:track-4", "dice:ban-3")
def test_no_branches_at_stations() -> None:
    scene = rich(Scene(2)).line("A", "e4 > E").station("A", "weiden", "f4", "meadow", 3)
    assert pieces(scene, "A") == {"f3W", "f3N", "f3E", "g4N", "g4S", "f5W", "f5S", "f5E"}
    scene.do("A lays A f3 to W", "A lays A e3 to W")
    assert pieces(scene, "A") == {"d3W", "d3N"}
    assert scene.refused("A lays A f5 to S") == "track-4"
    assert len(scene.state.ends) == 2


@pytest.mark.rule("dice:track-2")
def test_only_track_dice_in_front() -> None:
    scene = Scene(2).front("A", share=3, straight=1).behind("A", 5)
    assert pieces(scene, "A") == {"e4E"}
    assert scene.refused("A lays A e4 to N") == "track-2"
    scene.do("A lays A e4 to E")
    assert pieces(scene, "A") == set()


@pytest.mark.rule("dice:track-3")
def test_the_die_lies_on_the_tile() -> None:
    scene = Scene(2).front("A", curve=1, question=1)
    before = scene.supply()
    event = only(scene.do("A lays A e4 to S"), happened.TrackLaid)
    assert (event.curve, event.question, event.square) == (True, False, "e4")
    assert scene.faces("A") == {"question": 1}
    assert scene.supply() == before
    assert scene.state.ledger.held("die", "tile:0") == 2
    taken = rich(Scene(2)).line("A", "e4 > N").line("B", "c4 c3 d3 e3 > E")
    assert taken.refused("A lays A e3 to W") == "track-3"


@pytest.mark.rule("dice:tile-2", "dice:tile-2-example", "dice:ban-1", "dice:tile-1")
def test_leaving_the_start_tile() -> None:
    """Scenario 1."""
    scene = Scene(2).line("A", "e4 f4 > E").front("A", straight=4)
    assert scene.refused("A lays A g4 to E") == "tile-2"
    scene.do("A lays B c4 to W", "A lays A g4 to E")
    assert scene.step() == "crossing"
    assert scene.refused("A ends turn") == "tile-1"
    assert scene.refused("A lays A g4 to E") == "tile-1"
    scene.do("A opens meadow")
    assert scene.step() == "joining"
    assert scene.refused("A ends turn") == "tile-7"
    scene.do("A lays A a4 to E")
    assert scene.step() == "turn"


@pytest.mark.rule("dice:ban-1", "dice:tile-7")
def test_a_piece_against_the_edge_needs_all_that_follows() -> None:
    scene = Scene(2).line("A", "e4 f4 > E").line("B", "c4 > W").front("A", straight=1)
    assert scene.refused("A lays A g4 to E") == "ban-1"
    scene.front("A", curve=1)
    assert scene.allowed("A lays A g4 to E")


@pytest.mark.rule("dice:ban-1", "dice:mountain-1", "dice:tile-7")
def test_extra_costs_belong_to_the_step() -> None:
    """Beyond a mountain side there are only mountain squares to go on."""
    scene = Scene(2).line("A", "e4 e3 e2 e1 > N").cross("A", "mountain2", "e7 e6 > N", 2)
    scene.line("A", "e5 > N").line("A", "e4 > W").line("A", "d4 c4 b4 > W")
    scene.front("A", straight=2)
    assert scene.title.board.layout(2, 2).terrain[3 * 7] == "M"
    assert scene.refused("A lays A a4 to W") == "mountain-1"
    scene.behind("A", 1)
    assert scene.allowed("A lays A a4 to W paying 1 behind")  # the same mountain goes on beyond
    events = scene.do("A lays A a4 to W paying 1 behind", "A opens mountain2", "A lays A g4 to W")
    assert len(every(events, happened.SurchargePaid)) == 1


@pytest.mark.rule("dice:tile-2")
def test_stations_and_the_other_half_count() -> None:
    scene = Scene(2).line("A", "e4 > E").station("A", "weiden", "f4", "meadow", 3)
    scene.front("A", curve=2)
    assert scene.refused("A lays A g4 to E") == "tile-2"
    scene.front("A", straight=2)
    assert scene.refused("A lays A g4 to E") == "tile-2"
    scene.line("B", "c4 > W")
    assert scene.allowed("A lays A g4 to E")


@pytest.mark.rule("dice:ban-3")
def test_a_station_has_two_exits() -> None:
    scene = rich(Scene(2)).line("A", "e4 > E").station("A", "weiden", "f4", "meadow", 3)
    scene.line("A", "f3 e3 d3 d2 > E").line("B", "c4 c5 d5 e5 > E")
    assert scene.refused("A lays B f5 to N") == "ban-3"
    assert scene.allowed("A lays B f5 to S")


@pytest.mark.rule("dice:ban-4")
def test_track_may_not_touch_track() -> None:
    scene = rich(Scene(2)).line("A", "e4 e3 > N").line("B", "c4 c3 > E")
    assert scene.refused("A lays B d3 to E") == "ban-4"
    assert scene.refused("A lays B d3 to S") == "ban-4"
    assert scene.allowed("A lays B d3 to N")
    parallel = rich(Scene(2)).line("A", "e4 e3 > W")
    assert parallel.allowed("A lays A d3 to W"), "side by side is not touching"


@pytest.mark.rule("dice:ban-4")
def test_no_piece_before_the_open_side_of_the_other_end() -> None:
    scene = rich(Scene(2)).line("A", "e4 e3 d3 > N").line("B", "c4 c3 c2 > E")
    assert pieces(scene, "A") == pieces(scene, "B") == set()
    assert scene.refused("A lays A d2 to N") == "ban-4"
