"""Runs: length, gauge, blocked stations, track used once, the mail, runs chosen by hand."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations, product

import pytest

from kursbuch.games.g18xx.events import RunEvent
from kursbuch.games.g18xx.g1853.components import standard
from kursbuch.games.g18xx.map.revenue import Aim, best_runs, picked_runs
from kursbuch.games.g18xx.map.track import Layout
from kursbuch.games.g18xx.state import PlaceToken, Run
from tests.games.g18xx import randomnet
from tests.games.g18xx.g1853.land import BOARD, can_run, company, go_on, land, runs
from tests.games.g18xx.g1853.positions import played
from tests.games.g18xx.g1853.table import Scene
from tests.games.g18xx.test_duties import routes_of
from tests.happened import only

#: Patna, a town, Benares.
SHORT = ("H24 69 I23", "I23 H24 H22", "H22 69 I23")


@pytest.mark.rule("1853:4.5", "1853:4.5.1", "1853:4.8.1")
def test_every_train_runs_once_and_none_when_it_is_bought() -> None:
    scene = land(company(money=700), *SHORT).turn("EIR", Run, part=1)
    # No train: nothing runs, and one that is bought now runs in the next round.
    assert scene.step() == "buy-trains"
    scene.do("A buys train 2")
    assert scene.state.companies["EIR"].revenue == 0
    go_on(scene, "EIR", Run)
    assert scene.step() == "pay"
    assert only(scene.do("A saves"), RunEvent).revenue == 50
    assert can_run(scene, "EIR", "H24/0-I23/0", "H22/0-I23/0") == "4.5.1"


@pytest.mark.rule("1853:4.5.1")
def test_running_is_a_right() -> None:
    """The director may choose runs that earn less, or none."""
    scene = land(company(money=0), *SHORT).trains("EIR", "2").turn("EIR", Run)
    run = only(runs(scene, "A saves running H24/0-I23/0"), RunEvent)
    assert (run.revenue, run.mail, scene.has("EIR")) == (30, 30, 60)
    scene = land(company(money=0), *SHORT).trains("EIR", "2").turn("EIR", Run)
    run = only(runs(scene, "A saves running -"), RunEvent)
    assert (run.revenue, run.mail, scene.has("EIR")) == (0, 0, 0)
    assert scene.title.format(scene.read("A saves running -")) == "saves running -"
    action = scene.read("A saves running H24/0-I23/0, -")
    assert scene.read(f"A {scene.title.format(action)}") == action


@pytest.mark.rule("1853:4.5.2", "1853:4.4.3")
def test_a_run_needs_an_own_station() -> None:
    scene = land(company(), *SHORT, "I27 J28 H26").trains("EIR", "2", "2")
    assert can_run(scene, "EIR", "I23/0-H22/0") == "4.5.2"
    assert can_run(scene, "EIR", "I23/0-H24/0") == "30+30"
    # Each run needs one of its own.
    assert can_run(scene, "EIR", "J28/0-I27/0", "H24/0-I23/0") == "90+60"
    assert can_run(scene, "EIR", "J28/0-I27/0", "I23/0-H22/0") == "4.5.2"


@pytest.mark.rule("1853:4.5.3", "1853:4.5.9", "1853:4.2.8")
def test_a_run_keeps_to_the_gauge_of_its_train() -> None:
    """Through a dual city by any other exit, and never from one gauge to the other."""
    line = ("metre H24 H22 I25", "H22 102", "I23 H22 J24", "metre I21 H22 J20")
    scene = land(company(), *line).trains("EIR", "2", "2M")
    # The 2 runs first, then the 2M.
    assert can_run(scene, "EIR", "", "H24/0-H22/0") == "50+50"
    assert can_run(scene, "EIR", "H24/0-H22/0") == "4.5.10"
    assert can_run(scene, "EIR", "", "H24/0-H22/0-J20/0") == "4.5.2"
    land(scene, "metre J20 I21 J18")
    assert can_run(scene, "EIR", "", "H24/0-H22/0-J20/0") == "60+30"
    assert can_run(scene, "EIR", "H24/0-H22/0-J20/0") == "4.5.10"
    assert can_run(scene, "EIR", "", "H24/0-H22/0-I23/0") == "4.5.10"
    scene.station("EIR", "H22")
    assert can_run(scene, "EIR", "H22/0-I23/0") == "40+40"
    assert can_run(scene, "EIR", "", "H22/0-I23/0") == "4.5.10"


@pytest.mark.rule("1853:4.5.4")
@pytest.mark.parametrize(
    ("train", "reach"),
    [("2", 2), ("3", 3), ("4", 4), ("5", 5), ("6", 6), ("2M", 2), ("3M", 3), ("4M", 4)],
)
def test_the_range_counts_large_stations(train: str, reach: int) -> None:
    """And never small ones, wherever they lie."""
    chain = ["H24", "I25", "J26", "K27", "L26", "L24", "L22"]
    scene = land(company(phase="5"), *(f"{hex} 102" for hex in chain)).trains("EIR", train)
    cities = "-".join(f"{hex}/0" for hex in chain)
    parts = cities.split("-")
    for count in range(2, len(parts) + 1):
        earned = can_run(scene, "EIR", "-".join(parts[:count]))
        assert earned == (f"{30 * count}+60" if count <= reach else "4.5.4")
    gauge = "metre " if train.endswith("M") else ""
    land(scene, f"{gauge}H26 H24 I27", f"{gauge}I27 H26 H28", f"{gauge}G23 H24 H22")
    towns = "-".join(["I27/0", *parts[:reach]])
    assert can_run(scene, "EIR", towns) == f"{30 * reach + 10}+40"


@pytest.mark.rule("1853:4.5.4")
def test_a_run_has_two_stations() -> None:
    scene = land(company(), *SHORT).trains("EIR", "2")
    assert can_run(scene, "EIR", "H24/0") == "4.5.4"
    assert can_run(scene, "EIR", "H24/0-H24/0") == "4.5.4"
    alone = land(company(), "H24 H22 I25").trains("EIR", "6")
    assert alone.ruleset.depot.best_runs(alone.state, "EIR").runs == ()


@pytest.mark.rule("1853:example-4.5.4-a", "1853:4.5.4", "1853:4.6.3")
def test_the_3_train_of_the_book() -> None:
    """From Delhi over Lucknow and Allahabad: not to Benares as well, and no city is left out."""
    scene = company("NWR").trains("NWR", "3")
    land(scene, "F16 55 0", "F18 F16 G19", "G19 102", "H20 102", "H22 69 H20")
    scene.state.layout = Layout(scene.state.layout.tiles)
    scene.station("NWR", "F14", 2)
    run = "F14/2-F16/0-F18/0-G19/0-H20/0"
    assert can_run(scene, "NWR", run) == "120+70"
    assert can_run(scene, "NWR", f"{run}-H22/0") == "4.5.4"
    assert can_run(scene, "NWR", run.replace("-G19/0", "")) == "4.5.10"
    assert can_run(scene, "NWR", run.replace("-F18/0", "")) == "4.5.10"


@pytest.mark.rule("1853:4.5.4", "1853:4.8.18")
def test_the_1m_train() -> None:
    """Question 23: exactly one large station with a marker, and at least one small one."""
    line = (
        "metre I23 H24 H22",
        "H24 102",
        "metre G23 H24 H22",
        "H22 102",
        "metre I25 H24 J26",
        "metre J26 I25 K27",
    )
    scene = land(company(), *line).trains("EIR", "1M")
    assert can_run(scene, "EIR", "I23/0-H24/0") == "40+40"
    assert can_run(scene, "EIR", "I23/0-H24/0-G23/0") == "50+20"
    assert can_run(scene, "EIR", "I23/0-H24/0-J26/0") == "50+20"
    assert can_run(scene, "EIR", "H24/0-I23/0-H22/0") == "4.5.4"
    assert can_run(scene, "EIR", "H22/0-I23/0") == "4.5.2"
    assert can_run(scene, "EIR", "H24/0") == "4.5.4"
    assert can_run(scene, "EIR", "H24/0-H22/0") == "4.5.4"
    best = scene.ruleset.depot.best_runs(scene.state, "EIR", pays=False)
    assert (best.revenue, best.mail) == (40, 40)


@pytest.mark.rule("1853:4.5.5")
def test_a_run_comes_to_a_city_once() -> None:
    """Large or small, and to one of the stations of a city with several; two towns of a hex are two."""
    ring = ("H24 102", "I23 87 I25 J24 J22 I21", "I25 102", "J24 102")
    scene = land(company(), *ring).trains("EIR", "6")
    assert can_run(scene, "EIR", "H24/0-I25/0-I23/0-J24/0") == "100+60"
    assert can_run(scene, "EIR", "H24/0-I25/0-J24/0-I23/0-I25/0") == "4.5.5"
    assert can_run(scene, "EIR", "H24/0-I25/0-I23/0-J24/0-I23/0") == "4.5.5"
    line = ("metre H24 H22 I25", "H22 102", "G21 71 3", "metre G19 G21 H20")
    towns = land(company(), *line).trains("EIR", "3M")
    earned = {
        can_run(towns, "EIR", f"H24/0-H22/0-G21/{a}-G21/{b}-G19/0") for a, b in permutations((0, 1))
    }
    assert earned == {"90+40", "4.5.10"}


@pytest.mark.rule("1853:4.5.5", "1853:4.5.10", "1853:4.2.12")
def test_runs_to_calcutta() -> None:
    """Question 20: none from one of its stations to another; two trains may end in two of them, not in
    the same one."""
    line = ("I27 J28 I25", "I25 102", "J26 I25 K27", "K27 102")
    scene = land(company(), *line).station("EIR", "I25").trains("EIR", "3", "3", "4")
    one, two = "J28/0-I27/0-I25/0", "I25/0-J26/0-K27/0-J28/1"
    assert can_run(scene, "EIR", one, two) == "210+80"
    assert can_run(scene, "EIR", one, "J28/0-I27/0") == "4.5.10"
    assert can_run(scene, "EIR", "", "", "J28/0-I27/0-I25/0-J26/0-K27/0-J28/1") == "4.5.5"
    # EIR's marker does not fill BNR's station, nor does BNR's block EIR's.
    scene.shares("BNR", B=3).operating("BNR").trains("BNR", "2")
    assert can_run(scene, "BNR", "J28/1-K27/0") == "80+80"
    assert can_run(scene, "EIR", one, two) == "210+80"


@pytest.mark.rule("1853:4.5.6", "1853:4.5.7", "1853:4.4.3", "1853:4.5.9")
@pytest.mark.rule("1853:example-4.5.7-a", "1853:example-4.5.7-b", "1853:example-4.5.7-c")
@pytest.mark.parametrize(
    ("city", "markers", "through"),
    [
        ("H22 12 H24 I23 I21", [], True),
        ("H22 12 H24 I23 I21", ["ECR"], False),
        ("H22 12 H24 I23 I21", ["EIR"], True),
        ("H22 718 H24 I23 I21 H20", ["ECR"], True),
        ("H22 718 H24 I23 I21 H20", ["ECR", "BNR"], False),
        ("H22 718 H24 I23 I21 H20", ["ECR", "EIR"], True),
        ("H22 105 0", ["ECR", "BNR"], True),
        ("H22 105 0", ["ECR", "BNR", "GIP"], False),
        ("H22 105 0", ["ECR", "EIR", "GIP"], True),
    ],
)
def test_full_stations(city: str, markers: list[str], through: bool) -> None:
    """Two spaces, one of them free: all run through. Full: a run begins or ends there, unless one of the
    markers is its own."""
    scene = land(company(), "H24 H22 I25", city, "I23 H22 J24").trains("EIR", "4")
    for marker in markers:
        scene.station(marker, "H22")
    assert not can_run(scene, "EIR", "H24/0-H22/0").startswith("4.")
    beyond = can_run(scene, "EIR", "H24/0-H22/0-I23/0")
    assert (beyond if through else "4.5.2") == beyond
    assert ("+" in beyond) == through


@pytest.mark.rule("1853:example-4.5.7-c", "1853:4.2.12")
def test_a_marker_in_one_of_two_separate_stations() -> None:
    """North Bombay has one of ECR, south Bombay is as it was; and the other way round."""
    scene = land(company("GIP"), "N10 M9 O11").station("ECR", "M9", 0).trains("GIP", "2")
    assert can_run(scene, "GIP", "M9/1-N10/0") == "50+50"
    scene = land(company("MSM"), "L10 102").station("MSM", "L10").trains("MSM", "2")
    scene.station("GIP", "M9", 1)
    assert can_run(scene, "MSM", "L10/0-M9/0") == "70+70"
    scene.turn("MSM", PlaceToken).do("A places a station on M9 city 1")


@pytest.mark.rule("1853:4.5.6")
def test_no_run_goes_on_beyond_a_full_station_on_a_line_with_markers_at_both_ends() -> None:
    line = ("H24 H22 I25", "H22 12 H24 I23 I21", "I23 H22 J24", "J24 102")
    scene = land(company(), *line).station("ECR", "H22").station("EIR", "J24").trains("EIR", "4")
    assert can_run(scene, "EIR", "H24/0-H22/0-I23/0-J24/0") == "4.5.6"
    assert can_run(scene, "EIR", "H24/0-H22/0") == "50+50"
    assert can_run(scene, "EIR", "J24/0-I23/0-H22/0") == "70+60"


@pytest.mark.rule("1853:4.5.8", "1853:4.5.10", "1853:4.2.5")
def test_track_is_used_once() -> None:
    """By one run or several; two tracks of a tile are two, the branches of a green tile are one."""
    branch = ("H24 102", "I25 81 H24 I27 J24", "I27 I25 J28", "J24 102")
    scene = land(company(), *branch).trains("EIR", "2", "2")
    assert can_run(scene, "EIR", "H24/0-I27/0", "H24/0-J24/0") == "4.5.10"
    assert can_run(scene, "EIR", "H24/0-I27/0") == "40+40"
    assert can_run(scene, "EIR", "H24/0-J24/0") == "60+60"
    # Two tracks of one hex with two towns: G19 to G23, and H22 to F20.
    line = ("H22 102", "G21 55 0", "G19 102", "F20 102", "G23 102", "H24 102")
    scene = land(company(), *line).station("EIR", "G19").trains("EIR", "3", "3")
    one, two = "G19/0-G21/0-G23/0", "H24/0-H22/0-G21/1-F20/0"
    assert can_run(scene, "EIR", one, two) == "170+60"
    assert can_run(scene, "EIR", "G19/0-G21/1-G23/0", two) == "4.5.10"
    assert can_run(scene, "EIR", one, "H24/0-G23/0-G21/0") == "4.5.10"


@pytest.mark.rule("1853:4.2.5", "1853:4.5.10", "1853:4.5.4")
@pytest.mark.parametrize("junction", ["106", "107", "108"])
def test_junctions(junction: str) -> None:
    """A train may turn there from any side to any other, several meet there and one passes twice; they
    count for nothing and no run ends there."""
    record = BOARD.tiles[junction]
    rotation = next(
        r for r in range(6) if record.faces[r].edges() >> 4 & 1 and record.faces[r].edges() >> 0 & 1
    )
    edges = [edge for edge in range(6) if record.faces[rotation].edges() >> edge & 1]
    around = [BOARD.names[BOARD.neighbours[BOARD.number("I25")][edge]] for edge in edges]
    scene = land(
        company(phase="5"), f"I25 {junction} {rotation}", *(f"{hex} 102" for hex in around)
    )
    for hex in around[1:]:
        if hex != "H24" and scene.ruleset.tokens(scene.state, "EIR"):
            scene.station("EIR", hex)
    scene.trains("EIR", "2", "2")
    own = {hex for company, hex, _ in scene.state.layout.stations if company == "EIR"}
    for a, b in permutations(around, 2):
        assert can_run(scene, "EIR", f"{a}/0-{b}/0") == ("60+60" if {a, b} & own else "4.5.2")
    a, b, c, d = around
    assert can_run(scene, "EIR", f"{a}/0-{b}/0", f"{c}/0-{d}/0") == "120+60"
    assert can_run(scene, "EIR", f"{a}/0-I25/0") == "4.5.2"


@pytest.mark.rule("1853:4.6", "1853:4.6.2", "1853:4.6.3", "1853:4.6.6")
def test_what_a_run_earns() -> None:
    """The sum of its stations, none left out, and the ends once more as mail: 40, 10, 10, 30."""
    scene = company("NWR").trains("NWR", "3")
    land(scene, "E13 F14 D12", "D12 E13 D14", "D14 D12 D16", "D16 102")
    earned = can_run(scene, "NWR", "F14/0-E13/0-D14/0-D16/0")
    assert earned == "90+70"
    assert can_run(scene, "NWR", "F14/0-D14/0-D16/0") == "4.5.10"
    scene.turn("NWR", Run)
    event = only(runs(scene, "A saves running F14/0-E13/0-D14/0-D16/0"), RunEvent)
    assert (event.revenue, event.mail) == (90, 70)


@pytest.mark.rule("1853:4.6.6")
def test_the_mail_goes_with_the_run_that_earns_most_of_it() -> None:
    """One train a round, of either gauge; chosen together with the runs."""
    scene = land(company(money=0), *SHORT, "I27 J28 H26")
    scene.trains("EIR", "2", "2").turn("EIR", Run)
    run = only(scene.do("A pays out"), RunEvent)
    assert (run.revenue, run.mail) == (110, 60)
    assert scene.has("EIR") == 60
    # A short run with large ends may be worth more than a long one with small ends.
    scene = land(company(), "H24 102", "H22 102", "I23 H24 I21")
    scene.trains("EIR", "2")
    best = scene.ruleset.depot.best_runs(scene.state, "EIR", pays=False)
    assert (best.revenue, best.mail) == (60, 60)
    assert can_run(scene, "EIR", "I23/0-H24/0-H22/0") == "70+40"


#: From Jaipur the longest run of a 2-train is over two small stations; the shorter ones end in large ones.
JAIPUR = ("G13:6:0", "G15:58:3", "G9:4:1", "H10:6:4", "H12:8:3")


@pytest.mark.rule("1853:4.6.6", "1853:4.6.4")
def test_equal_runs_are_those_that_pay_more() -> None:
    """60 and 20 mail are as much as 40 and 40, but only the revenue is paid out."""
    for move in ("A pays out", "A saves"):
        scene = company("BBCI").tiles(*JAIPUR).trains("BBCI", "2", "2M").turn("BBCI", Run)
        run = only(scene.do(move), RunEvent)
        assert (run.revenue, run.mail, scene.state.companies["BBCI"].revenue) == (60, 20, 60)


#: In Benares a 2-train has the choice: three stations with small ends, or two large ones.
CHOICE = ("H24 102", "H22 102", "I23 H24 I21")


@pytest.mark.rule("1853:4.6.6", "1853:4.6.4", "1853:4.7.1")
def test_the_runs_are_those_for_what_is_done_with_the_revenue() -> None:
    """Paid out is the most that can be; saved the most together with the mail."""
    scene = land(company(money=0), *CHOICE).trains("EIR", "2").turn("EIR", Run)
    assert scene.state.companies["EIR"].revenue == 70
    before = scene.has("A")
    run = only(scene.do("A pays out"), RunEvent)
    assert (run.revenue, run.mail, scene.has("EIR"), scene.has("A") - before) == (70, 40, 40, 21)
    scene = land(company(money=0), *CHOICE).trains("EIR", "2").turn("EIR", Run)
    run = only(scene.do("A saves"), RunEvent)
    assert (run.revenue, run.mail, scene.has("EIR")) == (60, 60, 120)
    assert scene.state.companies["EIR"].revenue == 60
    # The price rises by the dividend: at 30 two boxes for 70, one for 50.
    for move, boxes in (("A pays out", 2), ("A pays out running H24/0-I23/0", 1)):
        scene = Scene().shares("EIR", A=3).operating(EIR=30)
        land(scene, *CHOICE).trains("EIR", "2").turn("EIR", Run)
        cell = scene.state.companies["EIR"].cell
        runs(scene, move)
        assert scene.state.companies["EIR"].cell == scene.ruleset.market.raised(cell, boxes)


@pytest.mark.rule("1853:4.6.6", "1853:3.4.2")
def test_an_operating_manager_runs_for_the_treasury() -> None:
    scene = Scene().shares("EIR", A=1, pool=5).operating("EIR").money(EIR=0)
    land(scene, *CHOICE).trains("EIR", "2").turn("EIR", Run)
    assert scene.refused("A pays out") == "3.4.2"
    assert only(scene.do("A saves"), RunEvent).mail == 60


@pytest.mark.rule("1853:4.6.6", "1853:4.6.4")
@pytest.mark.parametrize("seed", range(3))
def test_no_default_dividend_is_less_than_can_be_paid(seed: int) -> None:
    """In games played at random: no runs have a higher revenue, and saved, none a higher sum."""
    components = standard()
    found = played(seed)
    asked: list[tuple[bool, Aim]] = [
        (True, "pay"),
        (True, "save"),
        (False, "pay"),
        (True, "sum"),
    ]
    others = 0
    for layout, phase, trains, _, duties, name in found:
        position = components.track.position(layout, phase - 1)
        paid, saved, most, total = (
            best_runs(components, position, name, trains, mail=mail, aim=aim, duties=duties)
            for mail, aim in asked
        )
        assert paid.revenue == most.revenue
        assert saved.total() == total.total()
        others += total.revenue < paid.revenue
    assert len(found) > 20
    assert others


@pytest.mark.rule("1853:4.6.6", "1853:4.8.14")
def test_a_metre_gauge_train_carries_mail_as_well() -> None:
    scene = land(
        company(),
        *(f"metre {text}" for text in SHORT if " 69 " not in text),
        "H24 113 I23",
        "H22 113 I23",
    )
    scene.trains("EIR", "2M")
    best = scene.ruleset.depot.best_runs(scene.state, "EIR")
    assert (best.revenue, best.mail) == (50, 40)


@pytest.mark.rule("1853:4.6.6", "1853:4.5.1")
def test_best_runs_earn_the_most_with_the_mail() -> None:
    """Against all pairs of routes on random maps."""
    both = changed = 0
    for seed in range(40):
        rng = random.Random(seed)
        track = standard().track
        lays, own, others = rng.randint(150, 300), rng.randint(1, 3), rng.randint(0, 4)
        position = track.position(randomnet.layout(track, rng, lays, own, others), 2)
        trains = rng.sample(["2", "3", "1M", "2M", "4"], 2)
        found = position.network("X")
        routes = [[*routes_of(found.network, standard().train(train))] for train in trains]
        best, pays, saves = 0, (0, 0), (0, 0)
        for pair in product(*([None, *all_] for all_ in routes)):
            used = [route for route in pair if route is not None]
            tracks = [
                sum(found.network.segments[n].track for n in route.segments) for route in used
            ]
            if len(used) == 2 and tracks[0] & tracks[1]:
                continue
            ends = [
                found.network.stops[r.stops[0]].value + found.network.stops[r.stops[-1]].value
                for r in used
            ]
            revenue, mail = sum(r.value for r in used), max(ends, default=0)
            best = max(best, revenue + mail)
            pays = max(pays, (revenue, mail))
            saves = max(saves, (revenue + mail, revenue))
        assert best_runs(standard(), position, "X", trains, mail=True).total() == best, seed
        paid, saved = (
            best_runs(standard(), position, "X", trains, mail=True, aim=aim)
            for aim in ("pay", "save")
        )
        assert (paid.revenue, paid.mail) == pays, seed
        assert (saved.total(), saved.revenue) == saves, seed
        assert (saved == paid) == (saved.total() == paid.total())
        both += all(routes)
        changed += saved.revenue < paid.revenue
    assert both >= 10
    assert changed >= 5, "for the mail another run is chosen"


@pytest.mark.rule("1853:4.5.1")
def test_best_runs_can_be_chosen_by_hand() -> None:
    """What the calculator finds is allowed and earns the same."""
    counts = Counter[int]()
    for seed in range(60):
        rng = random.Random(seed)
        track = standard().track
        layout = randomnet.layout(track, rng, rng.randint(150, 300), rng.randint(1, 3), 4)
        position = track.position(layout, 2)
        trains = rng.sample(["2", "3", "1M", "2M", "4"], 2)
        aim: Aim = rng.choice(["pay", "save", "sum"])
        best = best_runs(standard(), position, "X", trains, mail=True, aim=aim)
        calls = {run.train: [f"{call.hex}/{call.stop}" for call in run.calls] for run in best.runs}
        picked = picked_runs(
            standard(), position, "X", trains, [calls.get(train, []) for train in trains], mail=True
        )
        assert (picked.revenue, picked.mail) == (best.revenue, best.mail)
        counts[len(best.runs)] += 1
    assert counts[2] >= 10


@pytest.mark.rule("1853:4.5.1", "1853:4.8.9")
def test_a_train_that_is_bought_before_its_owners_turn_does_not_run() -> None:
    """EIR buys the train of GIP: it has run for neither in this round, and runs for EIR in the next."""
    scene = Scene().shares("EIR", A=3).shares("GIP", A=3).operating("EIR", "GIP")
    scene.money(EIR=500, GIP=0).trains("GIP", "2").phase("3")
    land(scene, "H20 69 H22", "H22 69 H20")
    scene.turn("EIR", Run, part=1).do("A offers 10 for train 2 of GIP")
    assert (scene.owns("EIR"), scene.owns("GIP")) == ("2", "")
    while scene.state.round.acted != ["EIR", "GIP"]:
        assert scene.step() != "pay"
        scene.do(f"{scene.deciders()} is done")
