"""Bridges and mountains."""

from __future__ import annotations

import pytest

from kursbuch.games.dice import TITLE
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.actions import LayTrack
from tests.games.dice.scenario import Scene, pieces
from tests.happened import every, only

# ---- bridges


def on_lake(**dice: int) -> Scene:
    """The end A points from the west to c2 of a lake tile; d2 is water, e2 meadow."""
    scene = Scene(2).line("A", "e4 e3 e2 f2 g2 > E").cross("A", "lake", "a2 b2 > E")
    return scene.front("A", **dice)


@pytest.mark.rule("dice:ban-2", "dice:lake-3", "dice:lake-1", "dice:lake-2")
def test_half_a_bridge() -> None:
    """Scenario 9."""
    scene = on_lake(curve=1, straight=1).behind("A", 4)
    assert scene.refused("A lays A c2 to E") == "ban-2"
    assert scene.refused("A lays A c2 to S") == "ban-2"
    assert pieces(scene, "A") == {"c2N"}
    scene.front("A", straight=1)
    events = scene.do("A lays A c2 to E")
    assert scene.step() == "bridge"
    assert scene.refused("A ends turn") == "lake-3"
    assert scene.refused("A rolls 1") == "lake-3"
    events = scene.do("A lays A d2 to E paying 2 behind", "A lays A e2 to N")
    assert [(e.lake, e.dice) for e in every(events, happened.SurchargePaid)] == [(True, 2)]
    assert scene.step() == "turn"
    assert scene.hidden("A") == 2


@pytest.mark.rule("dice:ban-2")
def test_a_curve_away_from_the_water_is_free() -> None:
    scene = on_lake(curve=1)
    scene.do("A lays A c2 to N")
    assert scene.step() == "turn"


@pytest.mark.rule("dice:lake-1")
def test_how_a_bridge_is_paid() -> None:
    scene = on_lake(curve=1, straight=2)
    assert scene.refused("A lays A c2 to E") == "ban-2"
    scene.front("A", question=1).behind("A", 1)
    scene.do("A lays A c2 to E")
    assert scene.refused("A lays A d2 to E") == "lake-1"
    before = scene.supply()
    scene.do("A lays A d2 to E paying 1 behind", "A lays A e2 to N")
    assert (scene.hidden("A"), scene.faces("A")) == (0, {})
    assert scene.supply() == before + 2


@pytest.mark.rule("dice:lake-1")
def test_a_bridge_may_be_paid_with_question_marks_only_if_track_remains() -> None:
    scene = on_lake(straight=2, question=3).behind("A", 1)
    scene.do("A lays A c2 to E")
    (choice,) = [
        choice
        for choice in scene.choices("A", LayTrack)
        if choice.action == scene.action("A lays A d2 to E")
    ]
    assert choice.amount is not None
    assert (choice.amount.low, choice.amount.high) == (0, 1)
    scene.do("A lays A d2 to E", "A lays A e2 to N with ?")
    assert scene.hidden("A") == 1


@pytest.mark.rule("dice:lake-2")
def test_a_long_bridge_costs_the_same_and_a_second_one_again() -> None:
    scene = on_lake(straight=4, curve=6).behind("A", 8)
    scene.do("A lays A c2 to S")
    events = scene.do(
        "A lays A c3 to S paying 2 behind",
        "A lays A c4 to S",
        "A lays A c5 to S",
        "A lays A c6 to W",
    )
    assert sum(event.dice for event in every(events, happened.SurchargePaid)) == 2
    assert scene.step() == "turn"
    scene.do("A lays A b6 to N", "A lays A b5 to N")
    assert scene.step() == "bridge"
    events = scene.do("A lays A b4 to W paying 2 behind")
    assert only(events, happened.SurchargePaid).dice == 2
    assert scene.hidden("A") == 4


@pytest.mark.rule("dice:lake-3", "dice:ban-1")
def test_a_bridge_may_end_with_a_new_tile() -> None:
    scene = on_lake(straight=9, curve=4).behind("A", 2)
    scene.do("A lays A c2 to E", "A lays A d2 to N paying 2 behind")
    assert scene.step() == "bridge"
    events = scene.do("A lays A d1 to N")
    assert scene.step() == "crossing"
    events += scene.do("A opens meadow", "A lays A d7 to N")
    assert scene.step() == "turn"
    assert every(events, happened.TileConnected)


@pytest.mark.rule("dice:ban-1", "dice:lake-3", "dice:tile-10")
def test_the_premium_counts_for_the_rest_of_the_step() -> None:
    """Beyond the northern edge the line meets the lake at once."""
    scene = Scene(2).line("A", "e4 e3 d3 d2 > N").line("B", "c4 > W").front("A", straight=2)
    scene.do("A lays A d1 to N")
    assert scene.refused("A opens lake") == "tile-7"
    scene.behind("A", 2)
    scene.do("A opens lake", "A lays A d7 to N")
    assert (scene.step(), scene.faces("A")) == ("bridge", {"question": 2})
    scene.do("A lays A d6 to E with ? paying 2 behind", "A lays A e6 to E with ?")
    assert (scene.step(), scene.faces("A"), scene.hidden("A")) == ("turn", {}, 0)


@pytest.mark.rule("dice:ban-1", "dice:lake-3", "dice:tile-10", "dice:end-5")
@pytest.mark.parametrize(
    ("behind", "ending", "possible"), [(2, "", True), (0, "", False), (2, "company", False)]
)
def test_premiums_are_foreseen_as_the_bank_will_pay_them(
    behind: int, ending: str, possible: bool
) -> None:
    """The bank is empty, but the tile left behind fills it, unless it pays nothing any more."""
    scene = Scene(2).line("A", "e4 e3 e2 e1 > N").line("B", "c4 > W").front("A", straight=2)
    scene.cross("A", "meadow", "e7 e6 d6 d5 d4 d3 d2 > N").behind("A", behind).bank(0)
    scene.state.ending = ending
    scene.do("A lays A d1 to N")
    assert scene.allowed("A opens lake") == possible
    if possible:
        scene.do("A opens lake", "A lays A d7 to N")
        assert (scene.step(), scene.faces("A")) == ("bridge", {"question": 2})


@pytest.mark.rule("dice:ban-2")
def test_a_bridge_may_start_from_a_station() -> None:
    scene = on_lake(straight=1, curve=1).behind("A", 2)
    scene.station("A", "insel", "c2", "lake", 3)
    assert scene.step() == "turn"
    scene.do("A lays A d2 to E paying 2 behind")
    assert scene.step() == "bridge"
    scene.do("A lays A e2 to N")


# ---- mountains


def on_mountain(**dice: int) -> Scene:
    """The end A points from the west to the foot of a mountain in the east and south."""
    scene = Scene(2).line("A", "e4 f4 g4 > E").line("B", "c4 > W")
    scene.cross("A", "mountain2", "a4 b4 > E", 1)
    return scene.front("A", **dice)


@pytest.mark.rule("dice:mountain-1")
def test_the_mountain_costs_a_die() -> None:
    scene = on_mountain(straight=3)
    board = scene.title.board
    first = next(
        square
        for square in range(3 * 7 + 2, 3 * 7 + 7)
        if board.layout(2, 1).mountain >> square & 1
    )
    scene.line("A", " ".join(board.names[n] for n in range(23, first)) + " > E")
    name = board.names[first]
    assert scene.refused(f"A lays A {name} to E") == "mountain-1"
    scene.behind("A", 1)
    assert scene.refused(f"A lays A {name} to E") == "mountain-1"
    before = scene.supply()
    assert scene.allowed(f"A lays A {name} to E paying 1 behind")
    scene.front("A", question=1)
    assert scene.allowed(f"A lays A {name} to E")
    event = only(scene.do(f"A lays A {name} to E"), happened.SurchargePaid)
    assert (event.dice, event.lake, event.behind) == (1, False, 0)
    assert (scene.supply(), scene.faces("A")) == (before, {"straight": 2})


@pytest.mark.rule("dice:mountain-2")
def test_one_mountain_is_paid_once_a_turn() -> None:
    scene = Scene(2).line("A", "e4 f4 g4 > E").line("B", "c4 > W")
    scene.cross("A", "mountain2", "a4 b4 c4 d4 e4 > E", 1).front("A", straight=5, curve=3)
    scene.behind("A", 3)
    events = scene.do("A lays A f4 to E paying 1 behind", "A lays A g4 to E")
    events += scene.do("A opens mountain2 turned 3", "A lays A a4 to E", "A lays A b4 to E")
    assert len(every(events, happened.SurchargePaid)) == 1
    # Off the mountain and back on it in the same turn.
    grid = TITLE.board.layout(2, 3).terrain
    assert grid[3 * 7 : 4 * 7] == "MMM...."
    assert grid[2 * 7 : 3 * 7] == "MMMM..."
    scene.do("A lays A c4 to E", "A lays A d4 to N", "A lays A d3 to N with ?")
    assert scene.hidden("A") == 2
    scene.do("A ends turn")
    while scene.step() != "turn" or scene.on_turn() != "A":
        if scene.step() == "reduction":
            action = scene.game.legal_actions(scene.game.pending[0].seat)[0].action
            scene.game.apply(action)
        else:
            scene.end_turns(1)
    assert scene.state.agenda[-1].paid == []  # type: ignore[union-attr]


@pytest.mark.rule("dice:mountain-2")
def test_another_mountain_costs_again() -> None:
    scene = Scene(2).line("A", "e4 f4 g4 > E").line("B", "c4 b4 a4 > W")
    scene.cross("A", "mountain2", "a4 b4 c4 d4 e4 > E", 1)
    scene.cross("B", "mountain2", "g4 f4 e4 d4 > W", 2).behind("A", 3).front("A", straight=2)
    assert TITLE.board.layout(2, 2).terrain[3 * 7 + 2] == "M"
    assert not TITLE.board.layout(2, 2).mountain & sum(1 << n for n in (27, 26, 25, 24))
    scene.do("A lays A f4 to E paying 1 behind", "A lays B c4 to W paying 1 behind")
    assert scene.hidden("A") == 1
