"""Running trains: routes, revenue, what is done with it, prices."""

from __future__ import annotations

import pytest

from kursbuch.core.events import Event
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.state import BuyTrains, OperatingRound, Pay, Run
from tests.games.g18xx.g1835.rails import rail
from tests.games.g18xx.g1835.table import Scene
from tests.happened import every, only


def minor(number: str, *trains: str, phase: str = "2") -> Scene:
    """A minor of A with trains."""
    return Scene().papers(A=number).phase(phase).trains(number, *trains)


def earns(scene: Scene, company: str) -> int:
    """The best revenue of a company."""
    return scene.ruleset.depot.best_runs(scene.state, company)[0]


def calls(scene: Scene, company: str) -> list[list[str]]:
    """The stops of its best runs, as hex/stop."""
    return [
        [f"{hex}/{stop}" for hex, stop, _ in run[2]]
        for run in scene.ruleset.depot.best_runs(scene.state, company)[1]
    ]


def baden(pool: str = "10 10 10", money: int = 100) -> Scene:
    """Baden: A 60, B 10, the pool 30 percent, earning 150 in München and Nürnberg."""
    scene = Scene().shares("BA", A="20P 20 10 10", B="10", pool=pool).sold().operating(BA="B4")
    return scene.money(BA=money).trains("BA", "2").phase("3")


def pay(scene: Scene, company: str, revenue: int, how: str = "pays out") -> list[Event]:
    """What the director does with a revenue."""
    scene.state.round.part = 1
    scene.on(BuyTrains(company), Pay(company, revenue))
    return scene.do(f"{scene.deciders()} {how}")


# ---- what runs


@pytest.mark.rule("1835:5.5.3.1")
@pytest.mark.rule("1835:5.5.4.1")
@pytest.mark.rule("1835:5.4.3")
def test_a_train_does_not_run_in_the_turn_in_which_it_is_bought() -> None:
    scene = Scene().papers(A="3").tiles("F14:57:0").turn("3")
    events = scene.do("A is done", "A buys train 2")
    assert only(events, happened.RunEvent).revenue == 0
    assert earns(scene, "3") == 40


@pytest.mark.rule("1835:5.5.3.1")
@pytest.mark.rule("1835:5.5.3.12.2")
@pytest.mark.rule("1835:5.5.4.4")
def test_the_first_turn_of_a_company_without_a_train() -> None:
    """Question 14: Bavaria saves nothing, falls to 86 and has to buy."""
    scene = Scene().shares("BY", A="20P 10 10 10").sold().operating("BY", worked=False)
    scene.money(BY=500).on(OperatingRound(1))
    assert (scene.deciders(), scene.step()) == ("A", "build")
    scene.do("A is done")
    assert (scene.cell("BY"), scene.step()) == ("B3", "buy-trains")
    assert scene.refused("A is done") == "5.5.4.4"
    scene.do("A buys train 2")
    assert scene.owns("BY") == "2"


@pytest.mark.rule("1835:5.5.3.2")
@pytest.mark.rule("1835:5.5.3.3")
def test_a_run_has_two_stations_and_a_marker() -> None:
    scene = minor("3", "2")
    assert earns(scene, "3") == 0
    scene.tiles("F14:57:1")
    assert earns(scene, "3") == 0
    scene.tiles("F14:57:0")
    assert calls(scene, "3") == [["F12/0", "F14/0"]]
    # Two stations that are joined, but no marker of the company.
    scene = Scene().papers(A="4").trains("4", "2").tiles("F14:57:0")
    assert earns(scene, "4") == 0


@pytest.mark.rule("1835:5.5.3.4")
def test_a_3_train_from_oldenburg() -> None:
    """Oldenburg, Bremen, Hamburg, and no fourth station. Oldenburg, worth 10, is a city."""
    scene = Scene().shares("OL", A="20P 20 20").sold().operating("OL").trains("OL", "3")
    scene.tiles("D8:57:0", rail("D10", "8", "D8", "C11"))
    assert [len(run) for run in calls(scene, "OL")] == [3]
    assert earns(scene, "OL") == 10 + 20 + 40


@pytest.mark.rule("1835:5.5.3.4")
@pytest.mark.rule("1835:5.5.3.4-ex2")
@pytest.mark.rule("1835:5.5.3.5")
def test_a_2_plus_2_train() -> None:
    """Question 17 and the book's example: München, Passau, Regensburg, Nürnberg."""
    scene = Scene().shares("BY", A="20P 10 10 10").sold().operating("BY")
    scene.tiles(rail("O15", "202", "O17"), rail("O17", "8", "O15", "N18"))
    scene.tiles(rail("N18", "9", "O17", "M19"), rail("M17", "9", "M19"))
    scene.tiles(rail("M15", "58", "M17", "L14")).phase("3")
    for trains, value in ((["2+2"], 30 + 10 + 10 + 30), (["2"], 40), (["3"], 50)):
        for train in scene.ruleset.trains(scene.state, "BY"):
            scene.state.ledger.move(f"train:{train}", "BY", "box")
        scene.trains("BY", *trains)
        assert earns(scene, "BY") == value


@pytest.mark.rule("1835:5.5.3.5")
@pytest.mark.rule("1835:5.5.3.5b")
def test_stations_of_one_hex() -> None:
    """Question 16: not from Berlin to Berlin; both cities of Nürnberg may be on one route, and two
    stations of green Hamburg."""
    scene = minor("2", "3", phase="3")
    scene.tiles(rail("E17", "7", "E19", "D18"), rail("D18", "7", "E19", "E17"))
    assert earns(scene, "2") == 0
    scene = Scene().sold().shares("BY", A="20P 10 10 10").operating("BY").trains("BY", "3")
    scene.station("BY", "L14", 0).phase("3")
    scene.tiles(rail("M15", "3", "L14", "L16"), rail("L16", "8", "M15", "K15"))
    scene.tiles(rail("K15", "7", "L14", "L16"))
    assert calls(scene, "BY") == [["L14/0", "M15/0", "L14/1"]]
    assert earns(scene, "BY") == 70
    scene = minor("6", "3", phase="3")
    scene.tiles(rail("B10", "7", "C11", "B12"), rail("B12", "3", "B10", "C11"))
    assert calls(scene, "6") == [["C11/0", "B12/0", "C11/1"]]
    assert earns(scene, "6") == 90


@pytest.mark.rule("1835:5.5.3.5b")
def test_two_small_towns_of_one_hex() -> None:
    """From Stuttgart round to both towns of L8; when they have grown together, only once there."""
    scene = Scene().sold().shares("WT", A="20P 10 10 10").operating("WT").trains("WT", "3")
    scene.tiles("L8:1:0", rail("L10", "7", "L8", "M9"), rail("M9", "5", "L8", "L10")).phase("3")
    assert calls(scene, "WT") in (
        [["L8/0", "M9/0", "L8/1"]],
        [["L8/1", "M9/0", "L8/0"]],
    )
    assert earns(scene, "WT") == 10 + 20 + 10
    scene.tiles("L8:88:0")
    assert earns(scene, "WT") == 10 + 20


@pytest.mark.rule("1835:5.5.3.6")
@pytest.mark.rule("1835:5.5.3.7")
def test_a_full_city_ends_a_route() -> None:
    """Leipzig full with Saxony's marker is an end; with two places it is passed."""
    scene = minor("3", "3", phase="3").operating("SX")
    scene.tiles("F14:57:0", rail("F16", "8", "F14", "G17"), rail("G17", "8", "F16", "H16"))
    scene.tiles(rail("H16", "5", "G17", "G15"), rail("G15", "3", "H16", "H14"))
    assert earns(scene, "3") == 20 + 20 + 20
    scene.tiles(rail("H16", "14", "G17", "G15"))
    assert earns(scene, "3") == 20 + 20 + 30
    scene.trains("3", "3")
    scene.state.ledger.move("train:3", "3", "box", 1)
    scene.tiles("F14:57:1")
    assert earns(scene, "3") == 0


@pytest.mark.rule("1835:5.5.3.8")
@pytest.mark.rule("1835:5.5.3.10")
def test_no_track_twice() -> None:
    """Two trains on one line: the second finds no track of its own. A junction serves one train."""
    scene = minor("3", "2", "2").tiles("F14:57:0")
    assert len(calls(scene, "3")) == 1
    scene.tiles(rail("F16", "9", "F14"), rail("F18", "9", "F16"), rail("F20", "9", "F18"))
    scene.tiles(rail("F16", "8", "F14", "G17"), rail("G17", "8", "F16", "H16"))
    scene.tiles(rail("H16", "57", "G17"))
    assert calls(scene, "3") == [["F12/0", "F14/0"], ["F14/0", "H16/0"]]
    assert earns(scene, "3") == 80


@pytest.mark.rule("1835:5.5.3.9")
def test_a_route_leaves_a_station_on_any_track() -> None:
    scene = minor("3", "3", phase="3").tiles("F14:14:0", rail("E13", "8", "F14", "E11"))
    scene.tiles(rail("G15", "3", "F14"))
    found = set()
    for run in scene.ruleset.depot.best_runs(scene.state, "3").runs:
        found |= {hex for hex, _, _ in run.calls}
    assert found == {"F12", "F14", "G15"}


@pytest.mark.rule("1835:5.5.1.1c")
@pytest.mark.rule("1835:5.5.3.11.3")
@pytest.mark.rule("1835:5.5.3.9")
def test_red_destinations() -> None:
    """Elsaß-Lothringen: 50 in phase 2 only, an end, once on a route, but by two trains."""
    for train, value in (("2", 0), ("3", 80), ("5", 0)):
        scene = Scene().shares("BA", A="20P 10 10 10").sold().operating("BA").trains("BA", "3")
        scene.phase(train).tiles("L6:210:1").station("BA", "L6", 1)
        towards = [
            turn
            for turn, face in enumerate(scene.ruleset.components.board.tile("210").faces)
            if any(set(path[:2]) == {2, 7} for path in face.paths)
        ]
        scene.tiles(f"L6:210:{towards[0]}")
        assert earns(scene, "BA") == value


# ---- the money


@pytest.mark.rule("1835:5.5.3.11.1")
@pytest.mark.rule("1835:5.5.3.11.4")
@pytest.mark.rule("1835:3.2.2c")
def test_a_minor_shares_with_its_owner() -> None:
    scene = minor("3", "2").tiles("F14:57:0").money(M3=0)
    cash, bank = scene.has("A"), scene.has("bank")
    scene.turn("3", Run)
    assert (scene.has("A"), scene.has("3"), scene.has("bank")) == (cash + 20, 20, bank - 40)


@pytest.mark.rule("1835:5.5.3.11.2")
def test_the_highest_revenue_is_taken() -> None:
    """Of two lines the train takes the better one; nothing can be chosen."""
    scene = Scene().shares("BY", A="20P 10 10 10").sold().operating("BY").trains("BY", "2")
    scene.tiles(rail("O15", "202", "N14"), rail("N14", "8", "O15", "M15"))
    scene.tiles(rail("M15", "58", "N14", "L14")).turn("BY", Run)
    assert (scene.step(), scene.state.companies["BY"].revenue) == ("pay", 40)
    assert scene.can("A") == ["pays out", "saves"]
    assert scene.refused("A saves running O15/0-M15/0") == "5.5.3.11.2"


@pytest.mark.rule("1835:5.3.11.5")
@pytest.mark.rule("1835:5.5.3.11.7")
@pytest.mark.rule("1835:5.5.3.12.1")
def test_paying_out() -> None:
    """Baden pays 150; 60 percent are A's, 10 B's, 30 lie in the pool."""
    scene = baden()
    before = scene.has("A"), scene.has("B"), scene.has("BA")
    events = pay(scene, "BA", 150)
    after = scene.has("A"), scene.has("B"), scene.has("BA")
    assert [b - a for a, b in zip(before, after, strict=True)] == [90, 15, 45]
    assert only(events, happened.DividendPaid).amounts == (90, 15, 0, 0)
    assert scene.cell("BA") == "C4"


@pytest.mark.rule("1835:5.3.11.5")
@pytest.mark.rule("1835:5.5.3.11.7")
@pytest.mark.rule("1835:5.5.3.12.2")
def test_saving() -> None:
    scene = baden()
    cash = scene.has("A")
    pay(scene, "BA", 150, "saves")
    assert (scene.has("A"), scene.has("BA"), scene.cell("BA")) == (cash, 250, "A4")


@pytest.mark.rule("1835:5.5.3.11.7")
def test_unsold_shares_earn_nothing() -> None:
    scene = baden(pool="")
    before = scene.has("bank")
    pay(scene, "BA", 150)
    assert before - scene.has("bank") == 105
    assert scene.has("BA") == 100


@pytest.mark.rule("1835:5.5.3.11.6")
@pytest.mark.rule("1835:5.5.3.11.7")
def test_five_percent_shares_and_the_pool() -> None:
    """Question 15: Prussia pays 150; A 45, B 40, the pool 15 percent."""
    scene = Scene().sold().phase("4+4").papers(D="2")
    scene.state.ledger.move("paper:2", "p3", "box")
    scene.shares("PR", A="10P 10 10 10 5", B="10 10 10 10", pool="5 5 5")
    scene.operating("PR").trains("PR", "3")
    before = scene.has("A"), scene.has("B"), scene.has("PR")
    pay(scene, "PR", 150)
    after = scene.has("A"), scene.has("B"), scene.has("PR")
    assert [b - a for a, b in zip(before, after, strict=True)] == [68, 60, 22]


@pytest.mark.rule("1835:5.5.3.11.6")
def test_shares_of_players_are_rounded_up_in_total() -> None:
    scene = Scene().sold().phase("4+4")
    scene.shares("PR", A="5", B="10 10 5", C="10P 10 10", D="10 10 10 5 5")
    scene.operating("PR").trains("PR", "3")
    before = [scene.has(name) for name in "ABCD"]
    pay(scene, "PR", 150)
    assert [scene.has(n) - b for n, b in zip("ABCD", before, strict=True)] == [8, 38, 45, 60]


# ---- prices


@pytest.mark.rule("1835:5.5.3.12.1")
def test_prices_rise() -> None:
    for before, after in (("B4", "C4"), ("L4", "L3"), ("P1", "P1"), ("P2", "P1")):
        scene = baden()
        scene.state.chart.clear()
        scene.ruleset.market.place_price(scene.state, "BA", before)
        pay(scene, "BA", 100)
        assert scene.cell("BA") == after
    assert Scene().ruleset.chart.price["P1"] == 418


@pytest.mark.rule("1835:5.5.3.12.2")
def test_prices_fall() -> None:
    for before, after in (("B4", "A4"), ("A4", "A5"), ("A7", "A7"), ("E1", "E2")):
        scene = baden()
        scene.state.chart.clear()
        scene.ruleset.market.place_price(scene.state, "BA", before)
        pay(scene, "BA", 100, "saves")
        assert scene.cell("BA") == after
    assert Scene().ruleset.chart.price["A7"] == 54


@pytest.mark.rule("1835:5.5.3.12.3")
def test_a_marker_goes_under_those_already_there() -> None:
    scene = baden().operating(WT="C4", HE="C4")
    pay(scene, "BA", 100)
    assert scene.state.chart["C4"] == ["WT", "HE", "BA"]
    # One that cannot move keeps its place.
    scene = baden()
    scene.state.chart.clear()
    scene.ruleset.market.place_price(scene.state, "BA", "P1")
    scene.operating(WT="P1")
    pay(scene, "BA", 100)
    assert scene.state.chart["P1"] == ["BA", "WT"]


@pytest.mark.rule("1835:5.5.3.12.3")
@pytest.mark.rule("1835:5.3.4")
@pytest.mark.parametrize(("how", "cell"), [("pays out", "B4"), ("saves", "A5")])
def test_two_companies_on_one_field(how: str, cell: str) -> None:
    """Question 13: both are on 78; Baden, on top, acts first and pays."""
    scene = Scene().shares("BA", A="20P 10 10 10").shares("WT", B="20P 10 10 10").sold()
    scene.operating(BA="A4").operating(WT="A4").phase("3").trains("BA", "2").trains("WT", "2")
    assert scene.ruleset.market.in_order(scene.state) == ["BA", "WT"]
    pay(scene, "BA", 100)
    scene.state.agenda.clear()
    pay(scene, "WT", 100, how)
    assert (scene.cell("BA"), scene.cell("WT")) == ("B4", cell)
    assert scene.ruleset.market.in_order(scene.state) == ["BA", "WT"]


@pytest.mark.rule("1835:5.5.4.13e")
def test_a_debt_is_paid_off_first() -> None:
    scene = minor("3", "2").tiles("F14:57:0").money(M3=0)
    scene.state.companies["3"].debt = 5
    scene.turn("3", Run)
    assert (scene.has("3"), scene.state.companies["3"].debt) == (15, 0)


# ---- by hand


def hand() -> Scene:
    """Bavaria with a 2 and a 3, München to Nürnberg, at a table that allows runs by hand."""
    scene = Scene(routes_by_hand="on").shares("BY", A="20P 10 10 10").sold().operating("BY")
    scene.tiles(rail("O15", "202", "N14"), rail("N14", "8", "O15", "M15"))
    scene.tiles(rail("M15", "58", "N14", "L14")).trains("BY", "2", "3").phase("3")
    return scene.turn("BY", Run)


@pytest.mark.rule("1835:option-routes-by-hand")
def test_runs_by_hand() -> None:
    scene = hand()
    assert scene.step() == "pay"
    # They must be as good as the best: the 3-train alone earns more here than the 2-train.
    assert scene.refused("A saves running O15/0-M15/0") == "5.5.3.11.2"
    action = scene.read("A saves running , L14/0-M15/0-O15/0")
    assert scene.title.parse(scene.title.format(action), 0, scene.state) == action
    ran = only(scene.position.apply(action), happened.RunEvent)
    assert ran.runs == (("3", 70, (("L14", 0, 30), ("M15", 0, 10), ("O15", 0, 30))),)
    assert scene.has("BY") == 70
    scene = hand()
    assert only(scene.do("A saves"), happened.RunEvent).revenue == 70


@pytest.mark.parametrize(
    ("runs", "rule"),
    [
        ("O15/0", "5.5.3.2"),
        ("O15/0-M15/0-L14/0", "5.5.3.4"),
        ("M15/0-L14/0", "5.5.3.3"),
        ("O15/0-H16/0", "5.5.3.3"),
        ("O15/0-M15/0-O15/0", "5.5.3.5"),
        ("O15/0-L14/0", "5.5.3.10"),
        ("O15/0-M15/0, O15/0-M15/0", "5.5.3.10"),
        ("O15/0-M15/0, O15/0-M15/0, O15/0-M15/0", "5.5.3.1"),
    ],
)
def test_impossible_runs_by_hand(runs: str, rule: str) -> None:
    assert hand().refused(f"A saves running {runs}") == rule


@pytest.mark.rule("1835:5.5.3.6")
def test_no_run_by_hand_through_a_full_city() -> None:
    """Bavaria is in Magdeburg and Hannover, Saxony in Braunschweig between them."""
    scene = Scene(routes_by_hand="on").shares("BY", A="20P 10 10 10").sold().operating("BY")
    scene.station("BY", "F14").station("BY", "F10").station("SX", "F12").phase("3")
    scene.tiles("F14:57:0", "F10:57:0").trains("BY", "3").turn("BY", Run)
    assert scene.refused("A saves running F14/0-F12/0-F10/0") == "5.5.3.6"


@pytest.mark.rule("1835:5.5.3.4")
def test_no_run_by_hand_of_a_2_plus_2_to_three_cities() -> None:
    scene = Scene(routes_by_hand="on").shares("BY", A="20P 10 10 10").sold().operating("BY")
    scene.station("BY", "F14").phase("3").tiles("F14:57:0", "F10:57:0").trains("BY", "2+2")
    assert scene.turn("BY", Run).refused("A saves running F14/0-F12/0-F10/0") == "5.5.3.4"


@pytest.mark.rule("1835:5.5.3.5")
def test_no_run_by_hand_from_berlin_to_berlin() -> None:
    scene = Scene(routes_by_hand="on").shares("BY", A="20P 10 10 10").sold().operating("BY")
    scene.tiles(rail("O15", "202", "N14"), rail("N14", "8", "O15", "M15"))
    scene.tiles(rail("M15", "58", "N14", "L14")).trains("BY", "3").station("BY", "E19")
    scene.tiles(rail("E17", "7", "E19", "D18"), rail("D18", "7", "E19", "E17")).turn("BY", Run)
    assert scene.refused("A saves running E19/0-E19/1") == "5.5.3.5"


@pytest.mark.rule("1835:5.5.3.11.3b")
def test_a_run_by_hand_pays_for_the_ferry() -> None:
    """Bremen, brown Hamburg and two stops north of it."""
    scene = Scene(routes_by_hand="on").shares("OL", A="20P 20 20").sold().operating("OL")
    scene.station("OL", "D8").phase("5").trains("OL", "4").tiles("C11:221:0")
    scene.tiles(rail("C9", "8", "C11", "D8"), rail("D8", "5", "C9", "D10"))
    scene.tiles(rail("B12", "58", "C11", "B14"), rail("B14", "4", "B12")).turn("OL", Run)
    action = scene.read("A saves running D8/0-C11/0-B12/0-B14/0")
    assert only(scene.position.apply(action), happened.RunEvent).revenue == 20 + 50 + 10 + 10


def test_minors_run_by_themselves() -> None:
    scene = Scene(routes_by_hand="on").papers(A="3").trains("3", "2").tiles("F14:57:0")
    scene.turn("3", Run)
    assert scene.step() == "buy-trains"
    assert scene.state.companies["3"].revenue == 40


# ---- entered


def entered() -> Scene:
    """Bavaria about to decide about 40, at a table where revenues may be entered."""
    scene = Scene(free_revenue="on").shares("BY", A="20P 10", B="10", pool="10").sold()
    scene.operating("BY").trains("BY", "2").tiles(rail("M15", "58", "N14", "L14"))
    return scene.station("BY", "L14", 0).money(A=0, B=0, BY=0).turn("BY", Run)


@pytest.mark.rule("1835:option-free-revenue")
def test_another_revenue_is_entered() -> None:
    scene = entered()
    assert scene.can("A") == ["pays out", "saves", "pays out 1", "saves 0"]
    events = scene.do("A pays out 95")
    # Every share is rounded by itself, as always.
    assert (scene.has("A"), scene.has("B"), scene.has("BY")) == (29, 10, 9)
    assert only(events, happened.RevenueEntered).best == 40
    assert not every(events, happened.RunEvent)
    assert scene.state.companies["BY"].revenue == 95
    usual = entered()
    assert only(usual.do("A pays out"), happened.RunEvent).revenue == 40
    assert usual.has("A") == 12
    saved = entered()
    saved.do("A saves 0")
    assert (saved.has("BY"), saved.cell("BY")) == (0, "B3")


@pytest.mark.rule("1835:option-free-revenue")
def test_what_cannot_be_entered() -> None:
    scene = entered()
    assert scene.refused("A pays out 0") == "5.5.3.12.2"
    assert scene.refused("A saves 2001") == "5.5.3.11.2"
    assert scene.refused("A saves running L14/0-M15/0") == "5.5.3.11.2"
    ruleset = Scene().shares("BY", A="20P 10").sold().operating("BY").turn("BY")
    ruleset.on(Pay("BY", 40))
    assert ruleset.refused("A pays out 40") == "5.5.3.11.2"


@pytest.mark.rule("1835:option-free-revenue")
@pytest.mark.rule("1835:5.5.4.13e")
def test_who_owes_the_bank_saves_what_is_entered() -> None:
    scene = Scene(free_revenue="on").shares("BY", A="20P 10").sold().operating("BY")
    scene.state.companies["BY"].debt = 30
    scene.trains("BY", "2").money(BY=0).turn("BY", Run)
    assert scene.can("A") == ["saves", "saves 0"]
    assert scene.refused("A pays out 50") == "5.5.4.13e"
    scene.do("A saves 50")
    assert (scene.has("BY"), scene.state.companies["BY"].debt) == (20, 0)


@pytest.mark.rule("1835:option-free-revenue")
@pytest.mark.rule("1835:5.5.3.11.4")
def test_a_minor_is_asked_where_revenues_are_entered() -> None:
    def scene() -> Scene:
        made = Scene(free_revenue="on").papers(A="3").trains("3", "2").tiles("F14:57:0")
        return made.money(A=0, M3=0).turn("3", Run)

    asked = scene()
    assert asked.can("A") == ["pays out", "pays out 0"]
    assert asked.refused("A saves") == "5.5.3.11.4"
    asked.do("A pays out 70")
    assert (asked.has("A"), asked.has("3")) == (35, 35)
    usual = scene()
    usual.do("A pays out")
    assert (usual.has("A"), usual.has("3")) == (20, 20)
    # Without a train nothing can be entered.
    idle = Scene(free_revenue="on").papers(A="3").turn("3", Run)
    assert idle.step() != "pay"
