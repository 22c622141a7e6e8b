"""Positions set up by hand, against the recorded games and the rules for tiles."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import pytest

import kursbuch
from kursbuch.core.planner import Plan, PlanError, Planner, read_plan, write_plan
from kursbuch.games.g18xx.map.revenue import Obligation
from kursbuch.games.g18xx.map.track import Layout
from kursbuch.games.g18xx.planner import EighteenPlanner
from kursbuch.games.g18xx.rules.depot import Depot
from kursbuch.games.g18xx.ruleset import Ruleset
from tests.games.g18xx import peer
from tests.games.g18xx.toy import ENGLISH, begun, data_of, read, with_policy


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


# ---- what titles differ in


class FromHome(Depot[Any]):
    def duty_at(self, layout: Layout, company: str, hex: str, stop: int = -1) -> Obligation:
        return Obligation(hex, stop, (("A1", 0),))


#: Two lines lead from North: one to South, one to a town.
LINES = ("A3 9 0", "A5 8 1", "B2 8 4", "B4 4 0")


def shuttle_planner(shuttle: ModuleType, **policy: Any) -> EighteenPlanner:
    made = with_policy(shuttle, **policy)
    made.ruleset.depot = FromHome(made.ruleset, made.ruleset.control)
    found: EighteenPlanner = made.planner
    return found


def test_one_train_carries_the_mail(shuttle: ModuleType) -> None:
    plan = Plan("shuttle", 1, LINES, ("N A1 0",), {"N": ("2", "2")})
    without = shuttle_planner(shuttle).best(plan, "N")
    assert (without.total, without.mail) == (30 + 40 + 30 + 10, 0)
    earned = shuttle_planner(shuttle, mail=True).best(plan, "N")
    assert (earned.total, earned.mail) == (without.total + 70, 70)
    assert sorted((run.value, run.mail) for run in earned.runs) == [(40, 0), (70, 70)]
    (carrier,) = [run for run in earned.runs if run.mail]
    assert carrier.text(ENGLISH) == "North A1 (30) – South B6 (40) = 70, and 70 for the mail"


def test_a_run_comes_where_it_has_to(shuttle: ModuleType) -> None:
    planner = shuttle_planner(shuttle, run_duty=True)
    assert planner.has_duties
    plan = Plan("shuttle", 1, LINES, ("N A1 0", "S B6 0"), {"N": ("2",), "S": ("2",)})
    assert planner.best(plan, "N").total == 70
    for where in ("B4", "B4 0"):
        asked = planner.duty(plan, "N", where)
        assert asked.duties == {"N": (where,)}
        assert read_plan(write_plan(asked)) == asked
        assert planner.best(asked, "N").total == 40
        assert planner.best(asked, "S").total == 70
        assert planner.duty(asked, "N", where) == plan
    # Its own station lies on the way, but not the one the title asks for.
    other = planner.duty(planner.lay(plan, "A3", "", 0), "S", "B6 0")
    assert (planner.best(other, "S").total, planner.best(other, "S").unmet) == (0, True)
    both = planner.duty(planner.duty(plan, "N", "B4"), "N", "A5")
    assert planner.best(both, "N").unmet
    assert planner.best(planner.with_trains(both, "N", ("2", "2")), "N").total == 110


def test_a_stop_that_is_no_more_cannot_be_asked_for() -> None:
    plan = Plan("1835", 2, ("L6 210 0",), duties={"BA": ("L6 0", "L6 1", "L6")})
    assert len(PLANNER.hex(PLANNER.lay(plan, "L6", "217", 0), "L6").spots) == 1
    assert PLANNER.lay(plan, "L6", "217", 0).duties == {"BA": ("L6 0", "L6")}


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        ("B4 1", "There is no stop '1' on B4"),
        ("A3 0", "There is no stop '0' on A3"),
        ("Z9", "There is no hex 'Z9'"),
        ("B4 x", "'B4 x' is not a place such as F14 or F14 0"),
        ("", "'' is not a place"),
    ],
)
def test_places_that_cannot_be_asked_for(shuttle: ModuleType, where: str, sentence: str) -> None:
    planner = shuttle_planner(shuttle)
    with pytest.raises(PlanError, match=f"duties.N: {sentence}"):
        planner.duty(Plan("shuttle"), "N", where)
    with pytest.raises(PlanError, match=r"duties: There is no company 'X'"):
        planner.duty(Plan("shuttle"), "X", "B4")
    with pytest.raises(PlanError, match=r"duties.N: It has more than 3 entries"):
        planner.check(Plan("shuttle", duties={"N": ("A1", "A3", "A5", "B4")}))


def test_the_phases_are_those_of_the_data(shuttle: ModuleType) -> None:
    data = data_of(shuttle)
    for record in data["phases"]:
        record["phase"] += 1
    made = with_policy(shuttle)
    ruleset: Ruleset[Any] = Ruleset(read(data), made.ruleset.policy)
    planner = EighteenPlanner("shuttle", ruleset)
    assert planner.phases == (2, 3)
    assert planner.empty().phase == 2
    assert planner.check(Plan("shuttle")) == planner.empty()
    assert {one.colour for one in planner.hex(planner.empty(), "A3").tiles} == {"yellow"}
    later = planner.hex(planner.with_phase(planner.empty(), 3), "A3").tiles
    assert {one.colour for one in later} == {"yellow", "green"}
    for phase in (1, 4):
        with pytest.raises(PlanError, match="The phases are 2 to 3"):
            planner.check(Plan("shuttle", phase))


def test_a_table_gives_its_duties(shuttle: ModuleType) -> None:
    class Asked(FromHome):
        def duties(self, state: Any, company: str) -> Sequence[Obligation]:
            return (self.duty_at(state.layout, company, "B4"),)

    game = begun(with_policy(shuttle))
    made: Any = game.title
    made.ruleset.depot = Asked(made.ruleset, made.ruleset.control)
    assert made.planner.of_state(game.state).duties == {"N": ("B4",)}
    game.state.agenda.clear()
    assert made.planner.of_state(game.state).duties == {}


def test_a_key_of_very_many_parts_is_refused_unread() -> None:
    key = ".".join(["a"] * 45_000)
    with pytest.raises(PlanError, match=r"Line 2: .* too many dots"):
        read_plan(f'title = "1835"\n{key} = 1\n')
