"""Positions set up by hand, against the recorded games and the rules for tiles."""

from __future__ import annotations

import pytest

import kursbuch
from kursbuch.core.planner import Plan, PlanError, Planner
from kursbuch.eighteen.map.track import Layout
from kursbuch.eighteen.planner import EighteenPlanner
from tests.eighteen import peer


def planner_of_1835() -> EighteenPlanner:
    planner: Planner[object] | None = kursbuch.title("1835").planner
    assert isinstance(planner, EighteenPlanner)
    return planner


PLANNER = planner_of_1835()
MINORS = {f"M{number}": str(number) for number in range(1, 7)}


@pytest.mark.skipif(not peer.there(), reason="needs the recorded games in ../shared/peer")
def test_recorded_positions_can_be_set_up_and_earn_the_same() -> None:
    for case in peer.cases()[::7]:
        stations = [
            one._replace(company=MINORS.get(one.company, one.company))
            for one in case.layout.stations
        ]
        company = MINORS.get(case.company, case.company)
        layout = Layout(case.layout.tiles, stations)
        plan = PLANNER.plan(layout, case.phase + 1, {company: case.trains})
        assert PLANNER.check(plan) == plan
        assert PLANNER.best(plan, company).total == case.revenue, case.name


@pytest.mark.rule("1835:5.5.1.1b")
@pytest.mark.rule("1835:5.5.1.8")
@pytest.mark.rule("1835:5.5.1.14")
def test_tiles_on_offer_are_those_of_the_phase_that_can_come_to_lie_there() -> None:
    offered = [
        {tile.tile for tile in PLANNER.hex(Plan("1835", phase), "F14").tiles} for phase in (1, 2, 3)
    ]
    assert offered[0] == {"5", "6", "57"}
    assert offered[0] < offered[1] < offered[2]
    assert {"14", "63"} <= offered[2]
    assert PLANNER.hex(Plan("1835", 3), "F12").tiles == ()


def test_the_rotation_that_joins_most_track_comes_first() -> None:
    (tile,) = [one for one in PLANNER.hex(Plan("1835"), "F14").tiles if one.tile == "57"]
    assert tile.rotations == (0, 1, 2)
    (tile,) = [one for one in PLANNER.hex(Plan("1835"), "B10").tiles if one.tile == "9"]
    assert tile.rotations == (1,)


def test_tiles_in_the_box_are_counted() -> None:
    plan = Plan("1835", 1, ("F14 57 0", "G5 57 0"))
    (tile,) = [one for one in PLANNER.hex(plan, "F10").tiles if one.tile == "57"]
    assert tile.left == PLANNER.board.tiles["57"].count - 2


def test_markers_go_where_their_track_leads() -> None:
    plan = Plan("1835", 2, ("L6 210 0",), ("BA L6 1",))
    after = PLANNER.lay(plan, "L6", "217", 0)
    assert after.tiles == ("L6 217 0",)
    assert len(after.stations) == 1
    without = PLANNER.lay(plan, "L6", "", 0)
    assert without.stations == ("BA L6 1",)
    assert without.tiles == ()


def test_a_city_says_who_may_still_come() -> None:
    plan = Plan("1835", 2, ("G5 14 0",), ("4 G5 0",))
    (spot,) = PLANNER.hex(plan, "G5").spots
    assert (spot.spaces, spot.markers) == (2, ("4",))
    assert "PR" in spot.free_for
    assert "4" not in spot.free_for
    with pytest.raises(PlanError, match="only 1"):
        PLANNER.station(plan, "4", "A11", 0)


@pytest.mark.rule("1835:5.5.2.2")
def test_a_company_has_one_marker_on_a_hex() -> None:
    plan = Plan("1835", 2, (), ("BY L14 0",))
    first, second = PLANNER.hex(plan, "L14").spots
    assert "BY" not in first.free_for
    assert "BY" not in second.free_for
    assert "SX" in second.free_for
    with pytest.raises(PlanError, match="more than one token on L14"):
        PLANNER.station(plan, "BY", "L14", 1)
