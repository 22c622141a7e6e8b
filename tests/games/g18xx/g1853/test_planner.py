"""Positions of 1853 set up by hand: its phases, the mail, and runs that have to come somewhere."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import kursbuch
from kursbuch.core.planner import Plan, PlanError
from kursbuch.games.g18xx.g1853 import TITLE
from kursbuch.games.g18xx.planner import EighteenPlanner
from kursbuch.games.g18xx.state import Run
from tests.games.g18xx.g1853.table import Scene

PLANNER = TITLE.planner

#: Calcutta, a town and Patna on standard gauge, and Calcutta and a town on metre gauge.
TILES = ("H24 6 1", "I25 8 4", "I27 58 1", "J26 74 1", "K27 77 4")
PLAN = Plan(
    "1853",
    3,
    TILES,
    ("EIR H24 0", "EIR J28 0"),
    {"EIR": ("3", "2M")},
)


def test_the_title_has_a_planner_with_its_phases() -> None:
    assert isinstance(kursbuch.title("1853").planner, EighteenPlanner)
    assert PLANNER.phases == (2, 3, 4, 5)
    assert PLANNER.check(Plan("1853")) == PLANNER.empty()
    assert PLANNER.empty().phase == 2
    for phase in (1, 6):
        with pytest.raises(PlanError, match="phase: The phases are 2 to 5"):
            PLANNER.check(Plan("1853", phase))


@pytest.mark.rule("1853:4.10.1")
def test_tiles_on_offer_are_those_of_the_phase() -> None:
    offered = [
        {choice.colour for choice in PLANNER.hex(PLANNER.with_phase(PLAN, phase), "H24").tiles}
        for phase in PLANNER.phases
    ]
    assert offered[0] == {"yellow"}
    assert offered[1] == {"yellow", "green"}
    assert offered[2] == {"yellow", "green", "brown"}
    assert offered[3] == {"yellow", "green", "brown", "gray"}


@pytest.mark.rule("1853:4.6.6")
def test_the_best_runs_are_those_with_the_mail() -> None:
    """Calcutta, the town and Patna: 80, and 70 for both ends."""
    earned = PLANNER.best(PLAN, "EIR")
    assert (earned.total, earned.mail, earned.idle) == (150, 70, ("2M",))
    (run,) = earned.runs
    assert (run.train, run.value, run.mail) == ("3", 80, 70)


@pytest.mark.rule("1853:4.6.6")
def test_the_mail_goes_to_the_train_with_the_better_ends() -> None:
    """From Calcutta a 3 runs to Patna, 80, and a 1M to a town, 60."""
    stations = ("BNR H24 0", "EIR J28 1")
    plan = replace(PLAN, tiles=TILES, stations=stations, trains={"EIR": ("3", "1M")})
    earned = PLANNER.best(plan, "EIR")
    assert [(run.train, run.value, run.mail) for run in earned.runs] == [("1M", 60, 60)]
    both = replace(plan, trains={"EIR": ("1M",), "BNR": ("3",)})
    assert [PLANNER.best(both, name).total for name in ("EIR", "BNR")] == [120, 150]
    one = PLANNER.best(replace(plan, stations=("EIR H24 0", "EIR J28 1")), "EIR")
    assert [(run.train, run.value, run.mail) for run in one.runs] == [
        ("3", 80, 70),
        ("1M", 60, 0),
    ]
    assert (one.total, one.mail) == (210, 70)


@pytest.mark.rule("1853:4.2.3")
@pytest.mark.parametrize(
    ("where", "total"),
    [("I27", 150), ("I27 0", 150), ("H24", 150), ("J26", 0), ("J28 1", 150), ("K27", 0)],
)
def test_a_run_has_to_come_somewhere(where: str, total: int) -> None:
    earned = PLANNER.best(PLANNER.duty(PLAN, "EIR", where), "EIR")
    assert (earned.total, earned.unmet) == (total, not total)


@pytest.mark.rule("1853:4.4.2", "1853:4.5.5")
def test_stations_of_a_city_are_one_place() -> None:
    plan = replace(PLAN, duties={"EIR": ("J28 1", "J28", "I27 0")})
    assert PLANNER.check(plan).duties == {"EIR": ("J28", "I27")}


@pytest.mark.rule("1853:4.2.3")
def test_it_has_to_come_from_a_home_station() -> None:
    """Patna is no home of the GIP; Calcutta and Patna are homes of the EIR."""
    stations = ("GIP H24 0", "EIR J28 0")
    plan = replace(PLAN, stations=stations, trains={"GIP": ("3",), "EIR": ("3",)})
    assert PLANNER.best(plan, "GIP").total == 150
    away = PLANNER.duty(replace(plan, stations=("GIP H24 0", "GIP H20")), "GIP", "I27")
    assert PLANNER.best(away, "GIP").unmet
    assert PLANNER.best(PLANNER.duty(plan, "EIR", "I27"), "EIR").total == 150


#: At Benares the most that can be paid out is 70, with 40 mail; saved it is 60 with 60.
CHOICE = Plan(
    "1853",
    4,
    ("H22 716 0", "H24 716 0", "I23 58 2"),
    ("EIR H24 0",),
    {"EIR": ("2",)},
)


@pytest.mark.rule("1853:4.6.6", "1853:4.6.4")
def test_the_best_runs_to_pay_out_and_to_save() -> None:
    best = PLANNER.best(CHOICE, "EIR")
    assert (best.total - best.mail, best.mail) == (70, 40)
    assert best.saved is not None
    assert (best.saved.total, best.saved.mail) == (120, 60)
    assert [[call.hex for call in run.calls] for run in best.saved.runs] == [["H22", "H24"]]
    assert best.saved.saved is None
    assert PLANNER.best(PLAN, "EIR").saved is None, "one plan is as good for both"


def test_the_position_of_a_game() -> None:
    state = Scene().state
    assert PLANNER.of_state(state) == PLANNER.empty()
    state.turn.duties += [("I27", -1), ("J28", 2)]
    assert PLANNER.of_state(state).duties == {}, "no company acts"
    state.agenda.append(Run("EIR"))
    assert PLANNER.of_state(state).duties == {"EIR": ("I27", "J28")}
