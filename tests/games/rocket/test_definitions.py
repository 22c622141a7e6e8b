"""Definitions: town, line, connected, free, share, majority."""

from __future__ import annotations

import pytest

from kursbuch.games.rocket.actions import PlaceStation
from kursbuch.games.rocket.events import Connected, Merged, SharesScored, StationsScored
from kursbuch.games.rocket.state import prizes
from tests.games.rocket.scenario import Scene
from tests.happened import every, only


@pytest.mark.rule("rocket:def-town")
def test_nothing_enters_a_town() -> None:
    scene = Scene().line("LMR", "D7 D9")
    assert scene.refused("A extends LMR to D11") == "move-2"  # a metropolis
    assert Scene().line("LMR", "D7 E8 E10").refused("A extends LMR to F11") == "move-2"
    far = Scene().line("LMR", "D7 E8 F9 G10")
    assert far.refused("A extends LMR to H11") == "move-2"  # a start town
    for town in ("D11", "F11", "H11", "D7"):
        assert scene.refused(f"A builds {town}") == "station-2"


@pytest.mark.rule("rocket:def-town", "rocket:railtown-2")
def test_the_three_kinds_of_town_count_alike() -> None:
    scene = Scene().line("LMR", "D7 E8").stations("A", "E8")
    scored = only(scene.do("A extends LMR to E10"), StationsScored)
    assert scene.towns("LMR") == {"Liverpool", "Manchester", "Crewe"}
    assert (scored.towns, scored.amounts) == (3, (3000, 0, 0, 0))


@pytest.mark.rule("rocket:def-line", "rocket:merge-1")
def test_example_a_start_town_belongs_to_its_line() -> None:
    scene = Scene().line("LMR", "D7 E8 F9")
    merged = only(scene.do("A extends LMR to G10"), Merged)
    assert (merged.line, merged.into) == ("LMR", "LBR")
    assert scene.at("LMR") == ""
    assert scene.at("LBR") == "H11"


@pytest.mark.rule("rocket:def-line")
def test_a_line_is_start_town_tiles_and_locomotive() -> None:
    scene = Scene().line("GWR", "L9 L11 L13")
    assert [scene.owner(name) for name in ("L9", "L11", "L13", "L15")] == ["GWR"] * 3 + [""]
    for path, target in (
        ("H11 I12 J13", "K14"),  # next to the locomotive
        ("H11 I10 J9", "K10"),  # next to the track tile and the start town
    ):
        other = Scene().line("GWR", "L9 L11 L13").line("LBR", path)
        assert only(other.do(f"A extends LBR to {target}"), Merged).into == "GWR"
    apart = Scene().line("GWR", "L9 L11 L13").line("LBR", "H11 I12")
    assert every(apart.do("A extends LBR to J13"), Merged) == []


@pytest.mark.rule("rocket:def-line", "rocket:merge-10")
def test_a_line_also_has_what_was_merged_into_it() -> None:
    scene = Scene().line("LSWR", "O16 N15 M14").dissolve("LSWR", into="LBSC")
    scene.line("GWR", "L9 L11")
    assert only(scene.do("A extends GWR to L13"), Merged).into == "LBSC"


@pytest.mark.rule("rocket:def-connected")
def test_connected_means_adjacent_in_any_direction() -> None:
    scene = Scene().line("LMR", "D7 E8")
    assert scene.towns("LMR") == {"Liverpool"}
    events = scene.do("A extends LMR to E10")  # Manchester to the left, Crewe to the right
    assert {event.town for event in every(events, Connected)} == {"Manchester", "Crewe"}
    assert scene.towns("LMR") == {"Liverpool", "Manchester", "Crewe"}


@pytest.mark.rule("rocket:def-connected")
def test_a_town_two_hexes_away_is_not_connected() -> None:
    scene = Scene()
    events = scene.do("A extends LMR to E8")
    assert every(events, Connected) == []
    assert scene.towns("LMR") == {"Liverpool"}
    assert scene.towns("GWR") == {"Bristol"}


@pytest.mark.rule("rocket:def-free")
def test_free_is_open_land_without_any_piece() -> None:
    scene = Scene().line("GWR", "L9 L11 L13").stations("B", "E18")
    for name in ("L11", "L13", "E18", "J15", "J11", "L9"):  # tile, locomotive, station, towns
        assert scene.refused(f"A builds {name}") == "station-2"
    board = scene.board
    engines = [place for place in scene.state.locomotive if place >= 0]
    expected = set()
    for n, name in enumerate(board.hex_names):
        pieces = {*engines, *scene.state.stations}
        taken = {*pieces, board.hex_index["L11"], *(town.hex for town in board.towns)}
        if n not in taken and not pieces & set(board.around[n]):
            expected.add(name)
    offered = {
        choice.action.hex
        for choice in scene.choices("A", PlaceStation)
        if isinstance(choice.action, PlaceStation)
    }
    assert offered == expected
    assert len(expected) > 50


@pytest.mark.rule("rocket:def-share", "rocket:merge-4")
def test_supplementary_shares_count_like_real_ones() -> None:
    scene = Scene().line("GWR", "L9 L11").line("LSWR", "O16 N15 M14")
    scene.shares("LSWR", B=3).supplementary("LSWR", C=4)
    scored = only(scene.extend("A extends LSWR to L13"), SharesScored)
    assert scored.counts == (1, 3, 4, 0)
    assert scored.amounts == (0, 1000, 2000, 0)


@pytest.mark.rule("rocket:def-share", "rocket:veto-12")
def test_supplementary_shares_cannot_be_returned() -> None:
    scene = Scene().line("GWR", "L9 L11").stock("GWR", 0).supplementary("GWR", B=2)
    scene.do("A extends GWR to L13")
    assert scene.deciders() == ["B"]
    events = scene.do("B objects")
    assert scene.step() == "turn"  # no one can bid
    assert scene.at("GWR") == "L13"
    assert [event for event in events if getattr(event, "forced", False)]


@pytest.mark.rule("rocket:def-majority")
@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((0, 0, 0), (0, 0, 0)),
        ((3, 2, 1), (6000, 3000, 0)),
        ((1, 2, 3), (0, 3000, 6000)),
        ((2, 0, 0), (6000, 0, 0)),
        ((1, 0, 2, 0), (3000, 0, 6000, 0)),
    ],
)
def test_most_and_second_most(counts: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert prizes(counts, 6000, 3000, 1, 1000) == expected


@pytest.mark.rule("rocket:def-majority")
def test_a_count_of_nothing_is_paid_nothing() -> None:
    scene = Scene().line("LMR", "D7 E8").tokens("Manchester", B=1)
    scene.do("A extends LMR to E10")
    assert scene.money() == [0, 2000, 0, 0]
