"""Extending a line: where a locomotive may go, and the share."""

from __future__ import annotations

import pytest

from kursbuch.games.rocket.events import Connected, Merged, NoShare, ShareTaken
from tests.games.rocket.scenario import LINES, Scene, kinds
from tests.happened import every, only


@pytest.mark.rule("rocket:move-1")
def test_anybody_may_move_any_locomotive_by_one_hex() -> None:
    scene = Scene().line("GWR", "L9 L11").shares("GWR", B=5)
    assert {line for line in LINES if scene.targets(line)} == set(LINES)
    assert scene.refused("A extends GWR to L15") == "move-2"
    assert scene.refused("A extends GWR to M16") == "move-2"
    scene.extend("A extends GWR to L13")
    assert scene.at("GWR") == "L13"
    assert scene.refused("A extends LNER to L15") == "move-1"
    assert scene.dissolve("LSWR", into="LBSC").refused("A extends LSWR to N15") == "move-1"


@pytest.mark.rule("rocket:move-2")
def test_the_destination_is_free_or_has_a_station() -> None:
    scene = Scene().line("GWR", "L9 M10 M12 L13 K12").stations("A", "K10").stations("B", "J13")
    # The locomotive faces north-west: its own station, Worcester, another's station.
    assert scene.targets("GWR") == {"K10", "J13"}
    assert scene.refused("A extends GWR to J11") == "move-2"
    circle = Scene().line("GWR", "L9 L11 L13 M14 N15 N17 M18 L19 K18 K16 K14")
    assert circle.targets("GWR") == {"J13", "K12"}
    assert circle.refused("A extends GWR to L13") == "move-2"  # its own track tile
    circle.stations("B", "L13")
    assert circle.refused("A extends GWR to L13") == "move-2"  # a station built over
    meeting = Scene().line("GWR", "L9 L11 L13").line("LBR", "H11 I12 J13 K14")
    assert meeting.refused("A extends GWR to K14") == "move-2"  # a locomotive


@pytest.mark.rule("rocket:move-2")
def test_a_locomotive_stays_on_the_map() -> None:
    scene = Scene().line("YNM", "B17 A18 A20")
    assert scene.targets("YNM") == {"B21"}
    assert scene.refused("A extends YNM to A22") == "setup-1"


@pytest.mark.rule("rocket:move-3")
@pytest.mark.parametrize(
    ("target", "facing", "onward"),
    [
        ("H13", 0, {"G14", "H15", "I14"}),
        ("I12", 1, {"I14", "J13", "J11"}),
        ("I10", 2, {"J11", "J9", "I8"}),
        ("H9", 3, {"I8", "H7", "G8"}),
        ("G10", 4, {"G8", "F9", "F11"}),
        ("G12", 5, {"F11", "F13", "G14"}),
    ],
)
def test_the_locomotive_faces_its_direction_of_travel(
    target: str, facing: int, onward: set[str]
) -> None:
    scene = Scene()
    scene.do(f"A extends LBR to {target}")
    assert scene.state.facing[scene.index("LBR")] == facing
    towns = {"G14", "J11", "G8", "F11"}
    assert scene.turn("B").targets("LBR") == onward - towns


@pytest.mark.rule("rocket:move-3", "rocket:tile-3")
def test_front_and_rear() -> None:
    scene = Scene().line("GWR", "L9 L11")
    assert scene.state.facing[scene.index("GWR")] == 0
    scene.do("A extends GWR to M12")
    assert scene.state.facing[scene.index("GWR")] == 1
    scene.turn("B").extend("B extends GWR to N11")
    assert scene.state.facing[scene.index("GWR")] == 2
    # The tile on M12 joins the edge towards L11 (rear of facing 1) to the edge towards N11.
    assert scene.track() == {"L11": {3, 1}, "M12": {4, 2}}


@pytest.mark.rule("rocket:move-4")
def test_six_directions_from_the_start_town() -> None:
    scene = Scene()
    assert scene.targets("LBR") == {"H13", "I12", "I10", "H9", "G10", "G12"}
    for target in scene.targets("LBR"):
        first = Scene()
        first.do(f"A extends LBR to {target}")
        assert first.at("LBR") == target
        assert "H11" not in first.turn("B").targets("LBR")


@pytest.mark.rule("rocket:move-5")
def test_example_east_then_east_or_gently_to_the_side() -> None:
    scene = Scene().line("GWR", "L9 L11")
    assert scene.targets("GWR") == {"K12", "L13", "M12"}
    for sharp in ("K10", "M10"):
        assert scene.refused(f"A extends GWR to {sharp}") == "move-5"
    assert scene.refused("A extends GWR to L9") == "move-5"


@pytest.mark.rule("rocket:move-5")
@pytest.mark.parametrize(
    ("path", "targets"),
    [
        ("L9 L11", {"K12", "L13", "M12"}),
        ("L9 M10", {"M12", "N11", "N9"}),
        ("L9 L11 M12 N11", {"O12", "N9"}),  # facing south-west; O10 is Dorchester
        ("O22 N21 M20 M18", {"M16", "N17"}),  # facing west; L17 is Reading
        ("O22 N21 M20", {"L19", "M18"}),  # facing north-west; L21 is London
        ("L9 K10", {"J9", "K12"}),  # facing north-east; J11 is Worcester
    ],
)
def test_gentle_turns_in_every_facing(path: str, targets: set[str]) -> None:
    line = {"L9": "GWR", "O22": "LBSC"}[path[:3].strip()]
    assert Scene().line(line, path).targets(line) == targets


@pytest.mark.rule("rocket:move-6", "rocket:merge-2")
def test_no_hex_next_to_two_other_lines() -> None:
    scene = Scene().line("GWR", "L9 L11").line("LSWR", "O16 N15 M14").line("LBR", "H11 I12 J13 K14")
    assert scene.refused("A extends GWR to L13") == "move-6"
    assert scene.targets("GWR") == {"K12", "M12"}
    assert Scene().line("GWR", "L9 L11").line("LSWR", "O16 N15 M14").allowed("A extends GWR to L13")
    # Two hexes of one line are one line.
    one = Scene().line("GWR", "L9 L11").line("LSWR", "O16 N15 M14").line("LBR", "H11 I12 J13 K14")
    one.dissolve("LBR", into="LSWR")
    assert only(one.do("A extends GWR to L13"), Merged).into == "LSWR"


@pytest.mark.rule("rocket:move-6", "rocket:merge-2", "rocket:veto-6", "rocket:move-7")
def test_scenario_03_forbidden_corner() -> None:
    """LMR stands between Manchester and Crewe; ahead is only E12, next to YNM and LBR."""
    scene = (
        Scene().line("LMR", "D7 E8 E10").line("YNM", "B17 C16 D15 D13").line("LBR", "H11 G12 F13")
    )
    assert scene.refused("A extends LMR to E12") == "move-6"
    assert (
        scene.refused("A extends LMR to D11") == scene.refused("A extends LMR to F11") == "move-2"
    )
    assert scene.targets("LMR") == set()
    veto = Scene().line("GWR", "L9 L11").line("LSWR", "O16 N15 M14").line("LBR", "H11 I12 J13 K14")
    veto.shares("GWR", B=2).do("A extends GWR to K12", "B objects")
    assert veto.refused("B bids 1 for L13") == "veto-6"
    assert veto.allowed("B bids 1 for M12")


@pytest.mark.rule("rocket:move-7")
def test_no_destination_no_move() -> None:
    scene = Scene().line("GER", "J27 I26 H27 H29")
    assert scene.targets("GER") == set()
    assert scene.targets("GWR")


@pytest.mark.rule("rocket:move-7")
def test_passing_next_to_its_own_hexes_has_no_effect() -> None:
    scene = Scene().line("GWR", "L9 L11 L13 M14 N15 N17 M18 L19 K18 K16 K14")
    scene.connect("GWR", "Worcester")
    events = scene.do("A extends GWR to K12")  # next to L11 and L13
    assert every(events, Merged) == []
    assert kinds(events) == ["line-extended", "share-taken", "track-laid"]


@pytest.mark.rule("rocket:share-1")
def test_the_share_is_taken_before_the_veto_and_kept() -> None:
    scene = Scene().line("GWR", "L9 L11").shares("GWR", B=1)
    events = scene.do("A extends GWR to L13")
    assert kinds(events) == ["line-extended", "share-taken"]
    assert only(events, ShareTaken).rule == "share-1"
    assert (scene.real("GWR"), scene.left("GWR")) == ([1, 1, 0, 0], 14)
    scene.do("B objects", "B bids 1 for M12")
    assert scene.allowed("A bids 1 for L13")  # the share just taken may be used
    scene.do("A passes")
    assert scene.at("GWR") == "M12"
    assert scene.real("GWR") == [1, 0, 0, 0]


@pytest.mark.rule("rocket:share-2", "rocket:setup-5")
def test_no_share_from_an_empty_stock() -> None:
    scene = Scene().line("GWR", "L9 L11").stock("GWR", 0)
    event = only(scene.do("A extends GWR to L13"), NoShare)
    assert event.rule == "share-2"
    assert scene.at("GWR") == "L13"
    assert scene.real("GWR") == scene.extra("GWR") == [0] * 4
    assert every(scene.do("A takes London"), Connected) == []
