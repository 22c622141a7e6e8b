"""Mergers.

LSWR on M14 moves to L13, next to the locomotive of GWR on L11, and is dissolved into GWR.
"""

from __future__ import annotations

import pytest

from kursbuch.games.rocket.events import (
    Connected,
    Merged,
    MetropolisScored,
    SharesExchanged,
    SharesScored,
    StationsScored,
)
from tests.games.rocket.scenario import Scene, kinds, payments
from tests.happened import every, only

MOVE = "A extends LSWR to L13"


def about_to_merge(players: int = 4) -> Scene:
    return Scene(players).line("GWR", "L9 L11").line("LSWR", "O16 N15 M14")


@pytest.mark.rule("rocket:merge-1")
@pytest.mark.parametrize(
    ("path", "target", "contact"),
    [
        ("O16 N15 M14", "L13", "the locomotive, ahead"),
        ("O16 O14 O12 N11", "M10", "a track tile or the start town, ahead"),
    ],
)
def test_contact_in_any_direction(path: str, target: str, contact: str) -> None:
    scene = Scene().line("GWR", "L9 L11").line("LSWR", path)
    assert only(scene.do(f"A extends LSWR to {target}"), Merged).into == "GWR", contact


@pytest.mark.rule("rocket:merge-1", "rocket:interim-1")
def test_the_other_scorings_come_first_for_the_moved_line_alone() -> None:
    scene = Scene().line("GWR", "L9 L11").line("LBR", "H11 I12 J13", connected=[])
    scene.stations("A", "L11").stations("B", "J13").tokens("Worcester", C=1)
    events = scene.do("A extends LBR to K12")  # Worcester, and GWR's locomotive
    tags = kinds(events)
    assert tags.index("metropolis-scored") < tags.index("merged") < tags.index("shares-scored")
    railway = Scene().line("GWR", "L9 L11 L13").line("LBR", "H11 I12 J13", connected=[])
    railway.stations("A", "L13").stations("B", "J13")
    events = railway.do("A extends LBR to K14")  # Oxford, and GWR's locomotive
    assert only(events, StationsScored).counts == (0, 1, 0, 0)


@pytest.mark.rule("rocket:merge-2", "rocket:veto-6")
def test_no_multiple_merger_by_move_or_veto() -> None:
    scene = about_to_merge().line("LBR", "H11 I12 J13 K14").shares("GWR", B=1)
    assert scene.refused("A extends GWR to L13") == "move-6"
    scene.do("A extends GWR to K12", "B objects")
    assert scene.refused("B bids 1 for L13") == "veto-6"


@pytest.mark.rule("rocket:merge-3")
def test_example_the_moved_line_is_dissolved_whatever_its_size() -> None:
    scene = Scene().line("YNM", "B17 B15 B13 B11 B9 A8").line("LMR", "D7")
    events = scene.do("A extends LMR to C8")
    assert (only(events, Merged).line, only(events, Merged).into) == ("LMR", "YNM")
    large = Scene().line("YNM", "B17 B15 B13 B11").line("LMR", "D7 C8")
    events = large.do("A extends YNM to B9")
    assert (only(events, Merged).line, only(events, Merged).into) == ("YNM", "LMR")


@pytest.mark.rule("rocket:merge-4")
def test_example_five_towns() -> None:
    scene = about_to_merge().connect("LSWR", "Reading", "London", "Oxford")
    scene.shares("LSWR", A=3, B=3, C=1)
    scored = only(scene.extend(MOVE), SharesScored)
    assert (scored.line, scored.towns, scored.counts) == ("LSWR", 5, (4, 3, 1, 0))
    assert scored.amounts == (5000, 3000, 0, 0)
    assert not scored.final


@pytest.mark.rule("rocket:merge-4", "rocket:def-line")
def test_scenario_09_touching_a_start_town() -> None:
    """GWR moves next to Birmingham, whose line LBR has not moved."""
    scene = Scene().line("GWR", "L9 K10 J9")
    assert scene.towns("GWR") == {"Bristol", "Worcester"}
    events = scene.do("A extends GWR to I10")
    assert (only(events, Merged).line, only(events, Merged).into) == ("GWR", "LBR")
    scored = only(events, SharesScored)
    assert (scored.towns, scored.amounts) == (2, (2000, 0, 0, 0))
    assert every(events, Connected) == []
    assert scene.at("LBR") == "H11"
    assert scene.towns("LBR") == {"Birmingham", "Bristol", "Worcester"}


@pytest.mark.rule("rocket:merge-4", "rocket:merge-10")
def test_towns_of_lines_merged_earlier_count() -> None:
    scene = about_to_merge().dissolve("LMR", into="LSWR")
    assert only(scene.extend(MOVE), SharesScored).towns == 3  # with Salisbury and Liverpool


@pytest.mark.rule("rocket:merge-5")
def test_example_two_for_one_and_the_odd_share_lost() -> None:
    scene = about_to_merge().shares("LSWR", B=5, C=1)
    events = scene.extend(MOVE)
    given = {event.seat: (event.given, event.shares) for event in every(events, SharesExchanged)}
    assert given == {0: (1, 0), 1: (5, 2), 2: (1, 0)}
    assert scene.real("GWR") == [0, 2, 0, 0]
    assert scene.real("LSWR") == [0, 0, 0, 0]
    tags = kinds(events)
    assert tags.index("shares-scored") < tags.index("shares-exchanged")


@pytest.mark.rule("rocket:merge-6")
def test_the_exchange_goes_clockwise_from_the_active_player() -> None:
    scene = about_to_merge().turn("C").shares("LSWR", A=4, B=4, C=3, D=4).stock("GWR", 5)
    scene.supplementary_stock(1)
    events = scene.extend("C extends LSWR to L13")
    exchanged = [
        (event.seat, event.shares, event.supplementary) for event in every(events, SharesExchanged)
    ]
    assert exchanged == [(2, 2, 0), (3, 2, 0), (0, 1, 1), (1, 0, 0)]


@pytest.mark.rule("rocket:merge-7")
def test_supplementary_shares_when_the_stock_is_empty() -> None:
    scene = about_to_merge().shares("LSWR", B=4).stock("GWR", 0)
    event = every(scene.extend(MOVE), SharesExchanged)[-1]
    assert (event.rule, event.shares, event.supplementary) == ("merge-7", 0, 2)
    assert scene.extra("GWR") == [0, 2, 0, 0]
    assert scene.supply("supplementary", "stock") == 14
    # They count as shares of GWR: B is asked when it moves.
    scene.do("A extends GWR to K12")
    assert scene.deciders() == ["B"]


@pytest.mark.rule("rocket:merge-7")
def test_both_stocks_empty_and_an_isolated_survivor() -> None:
    scene = about_to_merge().shares("LSWR", B=6).stock("GWR", 0).supplementary_stock(1)
    scene.extend(MOVE)
    assert (scene.real("GWR"), scene.extra("GWR")) == ([0] * 4, [0, 1, 0, 0])
    isolated = about_to_merge().shares("LSWR", B=6).isolate("GWR")
    isolated.extend(MOVE)
    assert (isolated.real("GWR"), isolated.extra("GWR")) == ([0] * 4, [0, 3, 0, 0])


@pytest.mark.rule("rocket:merge-7", "rocket:def-share")
def test_supplementary_shares_of_a_line_dissolved_later() -> None:
    scene = about_to_merge().supplementary("LSWR", B=3, C=2).shares("LSWR", B=1)
    events = scene.extend(MOVE)
    assert only(events, SharesScored).counts == (1, 4, 2, 0)
    assert scene.extra("LSWR") == [0, 0, 0, 0]
    assert scene.supply("supplementary", "stock") == 16
    assert scene.real("GWR") == [0, 2, 1, 0]


@pytest.mark.rule("rocket:merge-8")
def test_real_shares_of_the_dissolved_line_leave_the_game() -> None:
    scene = about_to_merge().shares("LSWR", A=2, B=5)
    scene.extend(MOVE)
    assert scene.gone("LSWR") == 16
    assert (scene.real("LSWR"), scene.left("LSWR")) == ([0, 0, 0, 0], 0)


@pytest.mark.rule("rocket:merge-9")
def test_a_tile_takes_the_place_of_the_locomotive() -> None:
    scene = about_to_merge()
    left = scene.supply("tile")
    scene.do(MOVE)
    assert scene.at("LSWR") == ""
    assert scene.supply("tile") == left - 2
    assert scene.owner("L13") == "GWR"
    # From the rear edge (towards M14) to the contact edge (towards L11).
    assert scene.track()["L13"] == {1, 3}
    assert scene.turn("B").refused("B extends LSWR to K12") == "move-1"
    assert "L13" not in scene.targets("GWR")


@pytest.mark.rule("rocket:merge-9")
def test_of_several_contacts_the_tile_leads_to_the_one_ahead() -> None:
    scene = Scene().line("GWR", "L9 L11 K12").line("LSWR", "O16 N15 M14")
    scene.do(MOVE)  # next to K12, straight ahead, and to L11
    assert scene.track()["L13"] == {1, 4}


@pytest.mark.rule("rocket:merge-10")
def test_everything_goes_over_to_the_survivor() -> None:
    scene = about_to_merge().stations("B", "N15").tokens("Worcester", C=1)
    scene.connect("LSWR", "Worcester", "Oxford").stations("C", "L11")
    facing = scene.state.facing[scene.index("GWR")]
    events = scene.do(MOVE)
    assert [scene.owner(name) for name in ("O16", "N15", "M14", "L13")] == ["GWR"] * 4
    assert scene.towns("GWR") == {"Bristol", "Southampton", "Salisbury", "Worcester", "Oxford"}
    assert (scene.at("GWR"), scene.state.facing[scene.index("GWR")]) == ("L11", facing)
    assert every(events, MetropolisScored) == []
    assert every(events, StationsScored) == []
    assert payments(events) == [(4000, 0, 0, 0)]  # only A's share: Southampton and three more
    # The locomotive of LBSC next to Southampton would now merge into GWR.
    scene.turn("B").line("LBSC", "O22 N21 N19")
    assert only(scene.do("B extends LBSC to O18"), Merged).into == "GWR"


@pytest.mark.rule("rocket:tile-2", "rocket:merge-4", "rocket:merge-5", "rocket:merge-9")
def test_scenario_08_first_move_no_tile() -> None:
    """LMR leaves Liverpool for C8, next to a tile of YNM on B9."""
    scene = Scene().line("YNM", "B17 B15 B13 B11 B9 A8")
    left = scene.supply("tile")
    events = scene.do("A extends LMR to C8")
    assert only(events, SharesScored).amounts == (1000, 0, 0, 0)
    assert scene.supply("tile") == left - 1
    assert "C8" in scene.track()
    assert "D7" not in scene.track()
    assert scene.real("LMR") == scene.real("YNM") == [0, 0, 0, 0]


@pytest.mark.rule("rocket:merge-6", "rocket:merge-7")
def test_scenario_10_stock_runs_dry() -> None:
    scene = about_to_merge().shares("LSWR", A=5, B=4).stock("GWR", 2)
    scene.extend(MOVE)
    assert (scene.real("GWR"), scene.extra("GWR")) == ([2, 0, 0, 0], [1, 2, 0, 0])
    assert scene.left("GWR") == 0
    assert scene.supply("supplementary", "stock") == 13
