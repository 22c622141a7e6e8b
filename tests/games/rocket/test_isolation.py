"""Isolated lines.

LMR on E10 stands between Manchester and Crewe, both connected; only E12 lies ahead of it.
"""

from __future__ import annotations

import pytest

from kursbuch.games.rocket.events import (
    LineIsolated,
    Merged,
    MetropolisScored,
    NoShare,
    SharesExchanged,
    SharesReturned,
    SharesScored,
)
from kursbuch.games.rocket.state import is_isolated
from tests.games.rocket.scenario import Scene
from tests.happened import every, only


def isolated(scene: Scene, line: str) -> bool:
    return is_isolated(scene.state, scene.board, scene.index(line))


def violet() -> Scene:
    """YNM, into which GER was merged, in the east: on H25 it will be able to make two more moves,
    but Norwich and Ipswich are its own."""
    scene = Scene().line("YNM", "B17 C18 D17 E18 F19 G20 G22 H23")
    return scene.line("GER", "J27 J25").connect("YNM", "Norwich").dissolve("GER", into="YNM")


@pytest.mark.rule("rocket:iso-1", "rocket:iso-2", "rocket:iso-4", "rocket:final-4")
@pytest.mark.rule("rocket:veto-13", "rocket:iso-5", "rocket:merge-7")
def test_scenario_11_isolated_line() -> None:
    scene = violet().shares("YNM", B=3)
    assert not isolated(scene, "YNM")
    events = scene.extend("A extends YNM to H25")
    found = only(events, LineIsolated)
    assert (found.line, found.shares, found.rule) == ("YNM", 12, "iso-2")
    assert (scene.left("YNM"), scene.gone("YNM"), scene.real("YNM")) == (0, 12, [1, 3, 0, 0])

    # Moves stay legal and bring no share; shares returned in a veto leave the game.
    events = scene.turn("C").do("C extends YNM to H27", "B objects", "A passes", "B bids 2 for H27")
    assert only(events, NoShare).rule == "iso-4"
    assert only(events, SharesReturned).gone
    assert (scene.real("YNM"), scene.gone("YNM")) == ([1, 1, 0, 0], 14)
    assert scene.turn("D").extend("D extends YNM to H29")
    assert scene.targets("YNM") == set()

    # Another line may merge into it; there are only supplementary shares then.
    scene.turn("D").line("LBR", "H11 H13 H15 H17").shares("LBR", D=3)
    events = scene.extend("D extends LBR to H19")
    assert only(events, Merged).into == "YNM"
    assert only(events, SharesExchanged).supplementary == 2
    assert scene.extra("YNM") == [0, 0, 0, 2]

    # Its holders are paid at the end.
    scene.turn("A").line("LBSC", "O22 N21").tiles(1)
    final = scene.do("A extends LBSC to N19")
    paid = [event for event in every(final, SharesScored) if event.line == "YNM"]
    assert [event.counts for event in paid] == [(1, 1, 0, 2)]
    assert paid[0].amounts[3] == paid[0].towns * 1000


@pytest.mark.rule("rocket:iso-5")
def test_scenario_11_an_isolated_locomotive_may_merge_after_all() -> None:
    scene = Scene().line("GWR", "L9 L11").line("LSWR", "O16 N15 M14").isolate("GWR")
    assert only(scene.do("A extends GWR to L13"), Merged).into == "LSWR"


def dead_end() -> Scene:
    return Scene().line("LMR", "D7 E8 E10").line("YNM", "B17 C16 D15").line("LBR", "H11 G12 F13")


@pytest.mark.rule("rocket:iso-1", "rocket:iso-2")
def test_every_line_is_tested_after_every_action() -> None:
    """YNM's move to D13 leaves LMR only a hex next to two other lines."""
    scene = dead_end().shares("LMR", B=2)
    assert scene.targets("LMR") == {"E12"}
    events = scene.do("A extends YNM to D13")
    found = only(events, LineIsolated)
    assert (found.line, found.shares) == ("LMR", 14)
    assert (scene.left("LMR"), scene.gone("LMR"), scene.real("LMR")) == (0, 14, [0, 2, 0, 0])
    assert scene.state.isolated[scene.index("LMR")]


@pytest.mark.rule("rocket:iso-1", "rocket:iso-5")
def test_once_isolated_always_isolated() -> None:
    """LBR and YNM become one line: LMR may merge into it, but gets no stock back."""
    scene = dead_end()
    scene.do("A extends YNM to D13")
    assert scene.targets("LMR") == set()
    scene.dissolve("LBR", into="YNM")
    scene.do("A takes London")
    scene.do("B extends GWR to L11")  # every line is tested again
    assert scene.state.isolated[scene.index("LMR")]
    assert scene.left("LMR") == 0
    events = scene.do("B extends LMR to E12")
    assert only(events, NoShare).rule == "iso-4"
    assert only(events, Merged).into == "YNM"


@pytest.mark.rule("rocket:iso-1")
def test_a_station_never_blocks_the_way_and_tiles_do_not_matter() -> None:
    scene = Scene().line("YNM", "B17 A18 A20")  # only B21, next to Hull, is left
    assert not isolated(scene, "YNM")
    assert not isolated(scene.stations("B", "B21"), "YNM")
    assert not isolated(scene.tiles(1), "YNM")
    assert isolated(scene.connect("YNM", "Hull"), "YNM")


@pytest.mark.rule("rocket:iso-1")
def test_an_unmoved_line_looks_in_all_directions() -> None:
    scene = Scene()
    assert not any(isolated(scene, line.id) for line in scene.board.lines)


@pytest.mark.rule("rocket:iso-3")
def test_players_keep_their_shares_and_are_paid_at_the_end() -> None:
    scene = dead_end().shares("LMR", B=2, C=1)
    scene.do("A extends YNM to D13")
    assert scene.real("LMR") == [0, 2, 1, 0]
    scene.turn("A").line("LBSC", "O22 N21").tiles(1)
    events = scene.do("A extends LBSC to N19")
    paid = [event for event in every(events, SharesScored) if event.line == "LMR"]
    assert [(event.towns, event.amounts) for event in paid] == [(3, (0, 3000, 2000, 0))]


@pytest.mark.rule("rocket:iso-4")
def test_no_share_for_an_isolated_line_but_a_veto() -> None:
    scene = Scene().line("GWR", "L9 L11").shares("GWR", B=1).isolate("GWR")
    events = scene.do("A extends GWR to L13")
    assert only(events, NoShare).rule == "iso-4"
    assert scene.real("GWR") == [0, 1, 0, 0]
    assert scene.deciders() == ["B"]
    scene.do("B objects", "B bids 1 for K12")
    assert scene.at("GWR") == "K12"


@pytest.mark.rule("rocket:iso-5")
def test_an_isolated_line_still_connects_and_takes_others_in() -> None:
    scene = Scene().line("GWR", "L9 L11").isolate("GWR").tokens("Worcester", B=1)
    assert only(scene.do("A extends GWR to K12"), MetropolisScored).amounts == (0, 2000, 0, 0)
    scene = Scene().line("GWR", "L9 L11").isolate("GWR").line("LSWR", "O16 N15 M14")
    scene.shares("LSWR", A=1)
    scene.do("A extends LSWR to L13")
    assert scene.extra("GWR") == [1, 0, 0, 0]
