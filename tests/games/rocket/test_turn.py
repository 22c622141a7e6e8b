"""The turn: two actions, their kinds, their order."""

from __future__ import annotations

import pytest

from kursbuch.games.rocket.actions import ExtendLine
from kursbuch.games.rocket.events import Merged, MetropolisScored
from kursbuch.games.rocket.state import Turn
from tests.games.rocket.scenario import Scene
from tests.happened import only


@pytest.mark.rule("rocket:turn-1")
def test_complete_turns_clockwise_from_the_start_player() -> None:
    scene = Scene(3).turn("B")
    order = []
    for metropolis in ("London", "Exeter", "Reading") * 3:
        order += scene.deciders()
        scene.do(f"{scene.deciders()[0]} takes {metropolis}")
    assert "".join(order) == "BBCCAABBC"
    assert scene.refused("B takes Norwich") == "turn-1"
    assert scene.refused("A agrees") == "turn-1"


@pytest.mark.rule("rocket:turn-2")
def test_two_compulsory_actions_of_three_kinds() -> None:
    scene = Scene()
    for text in ("A passes", "A agrees", "A objects", "A bids 1 for L11"):
        assert scene.refused(text) == "turn-2"
    scene.do("A takes London")
    assert scene.refused("A passes") == "turn-2"
    assert scene.deciders() == ["A"]
    assert scene.refused("B takes London") == "turn-1"
    scene.do("A builds L13")
    assert scene.deciders() == ["B"]
    assert scene.refused("A takes London") == "turn-1"
    for kind in ("A takes London", "A builds L13", "A moves E18 to L13", "A extends GWR to L11"):
        assert Scene().stations("A", "E18").allowed(kind)


@pytest.mark.rule("rocket:turn-2", "rocket:iso-2")
def test_a_legal_action_exists_while_two_lines_have_shares() -> None:
    """No tokens, no stations to place, and only two lines with stock, one of them just moved."""
    scene = Scene(2).stations("A", "E18 G20 L15 J23 D17 A12 N19")
    scene.line("GWR", "L9 L11").stocks(0, "LMR", "YNM", "LBR", "GER", "LBSC")
    for number in scene.board.metropolises:
        scene.tokens(scene.board.towns[number].name, A=3)
    scene.extend("A extends GWR to K12")
    assert scene.deciders() == ["A"]
    assert scene.targets("LSWR")


@pytest.mark.rule("rocket:turn-3")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("A takes London", "A takes London"),
        ("A builds L13", "A builds E18"),
        ("A moves N19 to E18", "A moves E18 to N19"),
        ("A extends GWR to L11", "A extends GER to J25"),
    ],
)
def test_the_same_kind_twice(first: str, second: str) -> None:
    scene = Scene().stations("A", "N19")
    scene.do(first, second)
    assert scene.deciders() == ["B"]


@pytest.mark.rule("rocket:turn-4")
def test_the_same_locomotive_moves_once_a_turn() -> None:
    scene = Scene()
    scene.do("A extends GWR to L11")
    assert scene.refused("A extends GWR to L13") == "turn-4"
    assert scene.targets("GWR") == set()
    assert scene.targets("GER")
    scene.do("A extends GER to J25", "B extends GWR to L13")
    assert scene.deciders() == ["A"]  # a new turn, and A, a shareholder, is asked about the veto


@pytest.mark.rule("rocket:turn-4", "rocket:merge-10")
def test_example_the_survivor_may_move_after_a_merger() -> None:
    scene = Scene().line("GWR", "L9 L11").line("LSWR", "O16 N15 M14")
    assert only(scene.extend("A extends LSWR to L13"), Merged).into == "GWR"
    assert scene.refused("A extends LSWR to K12") == "move-1"
    assert scene.targets("GWR") == {"K12", "M12"}
    scene.do("A extends GWR to K12")
    assert scene.at("GWR") == "K12"
    twice = Scene().line("GWR", "L9 L11")
    twice.do("A extends GWR to L13")
    assert twice.refused("A extends GWR to L15") == "turn-4"


@pytest.mark.rule("rocket:turn-4")
def test_a_locomotive_moved_by_a_veto_has_been_moved() -> None:
    scene = Scene().line("GWR", "L9 L11").shares("GWR", B=2)
    scene.do("A extends GWR to L13", "B objects", "B bids 2 for K12")
    assert scene.at("GWR") == "K12"
    assert scene.refused("A extends GWR to K14") == "turn-4"


@pytest.mark.rule("rocket:turn-5")
def test_the_first_action_is_settled_before_the_second() -> None:
    scene = Scene().line("LMR", "D7 E8").tokens("Manchester", A=1).shares("LMR", B=1)
    scene.stations("B", "E10")
    scene.do("A extends LMR to E10")
    assert scene.deciders() == ["B"]
    assert scene.refused("A takes London") == "turn-5"
    events = scene.do("B agrees")
    assert only(events, MetropolisScored).amounts == (2000, 0, 0, 0)
    assert scene.held("passenger", "A") == 1
    assert scene.supply("tile") == 59
    (turn,) = scene.state.agenda
    assert isinstance(turn, Turn)
    assert (turn.seat, turn.action) == (0, 2)
    assert scene.deciders() == ["A"]


@pytest.mark.rule("rocket:turn-5", "rocket:end-1")
def test_the_first_action_can_end_the_game() -> None:
    scene = Scene().stocks(0, "YNM", "LBR", "GER", "GWR", "LSWR", "LBSC").stock("LMR", 1)
    scene.do("A extends LMR to E8")
    assert scene.game.over
    assert scene.game.pending == ()


def test_moves_of_several_lines_are_offered() -> None:
    scene = Scene()
    lines = {
        choice.action.line
        for choice in scene.choices("A", ExtendLine)
        if isinstance(choice.action, ExtendLine)
    }
    assert len(lines) == 7
