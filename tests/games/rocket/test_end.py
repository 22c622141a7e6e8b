"""The end of the game."""

from __future__ import annotations

import pytest

from kursbuch.games.rocket.events import EndReached, Merged, MetropolisScored, SharesScored
from tests.games.rocket.scenario import LINES, Scene, kinds
from tests.happened import every, only


def only_lines(*available: str) -> Scene:
    """Only these lines have shares in stock."""
    return Scene().stocks(0, *(line for line in LINES if line not in available))


@pytest.mark.rule("rocket:end-1")
def test_shares_of_one_line_only() -> None:
    scene = only_lines("GER", "LBSC").stock("GER", 1)
    end = only(scene.do("A extends GER to J25"), EndReached)
    assert (end.rule, end.tiles) == ("end-1", False)
    assert scene.game.over
    assert scene.game.result is not None


@pytest.mark.rule("rocket:end-1")
def test_two_lines_with_shares_go_on() -> None:
    scene = only_lines("GER", "LBSC")
    scene.do("A extends GER to J25")
    assert not scene.game.over
    assert scene.deciders() == ["A"]


@pytest.mark.rule("rocket:end-1", "rocket:veto-13")
def test_the_stock_is_looked_at_after_the_veto() -> None:
    """The last share of GWR is taken, but the veto brings two back."""
    scene = only_lines("GWR", "LBSC").line("GWR", "L9 L11").shares("GWR", B=2).stock("GWR", 1)
    scene.do("A extends GWR to L13", "B objects", "B bids 2 for K12")
    assert not scene.game.over
    assert scene.left("GWR") == 2


@pytest.mark.rule("rocket:end-1", "rocket:iso-2")
def test_isolated_dissolved_and_sold_out_lines_do_not_count() -> None:
    scene = only_lines("LMR", "LBSC").line("LMR", "D7 E8 E10").line("YNM", "B17 C16 D15")
    scene.line("LBR", "H11 G12 F13")
    events = scene.do("A extends YNM to D13")
    tags = kinds(events)
    assert tags.index("line-isolated") < tags.index("end-reached")
    assert scene.game.over
    # From two lines to none: the last share of one, and the other isolated by that move.
    none = only_lines("LMR", "YNM").stock("YNM", 1).line("LMR", "D7 E8 E10")
    none.line("YNM", "B17 C16 D15").line("LBR", "H11 G12 F13")
    none.do("A extends YNM to D13")
    assert none.game.over


@pytest.mark.rule("rocket:end-1", "rocket:end-3")
def test_scenario_12_the_end_in_mid_turn() -> None:
    scene = only_lines("LSWR", "LBSC").line("GWR", "L9 L11").line("LSWR", "O16 N15 M14")
    scene.tokens("Dorchester", A=1)
    events = scene.do("A extends LSWR to L13")
    assert only(events, Merged).into == "GWR"
    assert every(events, SharesScored)[0].line == "LSWR"
    tags = kinds(events)
    assert tags.index("shares-exchanged") < tags.index("end-reached") < tags.index("kind-scored")
    assert scene.game.over
    assert scene.refused("A takes London") == "end-3"


@pytest.mark.rule("rocket:end-2", "rocket:end-3", "rocket:end-4")
def test_scenario_12_the_sixtieth_tile() -> None:
    scene = Scene().line("GWR", "L9 L11").tiles(1).tokens("Worcester", B=1)
    events = scene.do("A extends GWR to K12")
    assert only(events, MetropolisScored).amounts == (0, 2000, 0, 0)
    assert only(events, EndReached).tiles
    assert scene.game.over
    merger = Scene().line("GWR", "L9 L11").line("LSWR", "O16 N15 M14").tiles(1)
    events = merger.do("A extends LSWR to L13")
    assert only(events, Merged).into == "GWR"
    assert merger.game.over
    assert merger.owner("L13") == "GWR"


@pytest.mark.rule("rocket:end-2")
def test_the_game_goes_on_while_a_tile_is_left() -> None:
    scene = Scene().line("GWR", "L9 L11").tiles(2)
    scene.do("A extends GWR to K12")
    assert not scene.game.over
    first = Scene().tiles(1)
    first.do("A extends GWR to L11")  # a first move takes no tile
    assert not first.game.over
    first.do("A takes London")
    assert not first.game.over
    end = only(first.do("B extends GWR to L13") + first.agree(), EndReached)
    assert (end.rule, end.tiles) == ("end-2", True)


@pytest.mark.rule("rocket:end-3")
@pytest.mark.parametrize("action", [1, 2])
def test_no_second_action_and_no_other_turn(action: int) -> None:
    scene = Scene().line("GWR", "L9 L11").tiles(1).turn("B", action)
    scene.do("B extends GWR to L13")
    assert scene.game.over
    assert scene.game.pending == ()
    for text in ("B takes London", "C takes London"):
        assert scene.refused(text) == "end-3"


@pytest.mark.rule("rocket:end-4", "rocket:merge-9")
def test_a_merger_with_one_tile_left() -> None:
    scene = Scene().line("GWR", "L9 L11").line("LSWR", "O16 N15 M14").shares("LSWR", B=4).tiles(1)
    events = scene.extend("A extends LSWR to L13")
    assert only([*events], EndReached).tiles
    assert scene.supply("tile") == 0
    assert "L13" not in scene.track()  # the missing tile
    assert scene.at("LSWR") == ""
    assert scene.real("GWR") == [0, 2, 0, 0]
    assert scene.game.over


@pytest.mark.rule("rocket:end-1", "rocket:end-2")
def test_other_actions_do_not_end_the_game() -> None:
    scene = Scene()
    for text in ("A takes London", "A builds L13", "B takes London", "B builds E18"):
        scene.do(text)
    assert not scene.game.over
