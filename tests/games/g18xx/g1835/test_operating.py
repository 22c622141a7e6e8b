"""Operating rounds: who acts when, what comes before and after."""

from __future__ import annotations

import pytest

from kursbuch.core.state import Step
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.g1835.state import ExchangeOffer
from kursbuch.games.g18xx.state import BuyTrains, EndTurn, OperatingRound, Round, Run, StockRound
from tests.games.g18xx.g1835.rails import rail
from tests.games.g18xx.g1835.table import Scene
from tests.happened import every, only


def order(scene: Scene) -> list[str]:
    """Who has had a turn in this operating round, or has it now."""
    now = [step.company for step in scene.state.agenda if isinstance(step, EndTurn)]
    return scene.state.round.acted + now


def working(**options: str) -> Scene:
    """Bavaria of A, Saxony of B, both with a train; the packet is gone."""
    scene = (
        Scene(4, **options).shares("BY", A="20P 10 10", C="10 10").shares("SX", B="20P 10 10 10")
    )
    return scene.sold().operating("BY", "SX").trains("BY", "2").trains("SX", "2")


def go_on(scene: Scene) -> None:
    """Anyone who is asked does as little as he may."""
    name = scene.deciders()
    can = scene.can(name)
    scene.do(f"{name} " + next((line for line in ("is done", "saves") if line in can), can[0]))


def pass_round(scene: Scene) -> None:
    """Everybody goes on until another round begins, or the game is over."""
    number = scene.state.round.part
    while scene.deciders() and scene.state.round.part == number:
        go_on(scene)


@pytest.mark.rule("1835:5.1")
@pytest.mark.rule("1835:1.1.3")
def test_owners_act_for_minors_and_directors_for_share_companies() -> None:
    scene = working().papers(C="3", D="NF")
    events_before = scene.has("D")
    scene.on(OperatingRound(1))
    assert scene.has("D") == events_before + 5
    assert (scene.deciders(), order(scene)) == ("C", ["3"])
    scene.do("C is done", "C is done")
    assert (scene.deciders(), order(scene)) == ("A", ["3", "BY"])
    assert "is done" in scene.can("A")
    assert not scene.can("B")


@pytest.mark.rule("1835:3.1.2b")
@pytest.mark.rule("1835:5.3.2")
def test_privates_pay_first() -> None:
    scene = Scene().papers(A="NF LD", B="HA", C="1")
    before = [scene.has(name) for name in "ABC"]
    state = scene.state
    scene.on(OperatingRound(1))
    assert [scene.has(name) - cash for name, cash in zip("ABC", before, strict=True)] == [25, 30, 0]
    assert state.round.paid == ["NF", "LD", "HA"]
    assert scene.deciders() == "C"


@pytest.mark.rule("1835:7.1")
@pytest.mark.rule("1835:7-intro")
def test_ld_pays_thirty_by_option() -> None:
    for value, income in (("off", 20), ("on", 30)):
        scene = Scene(ld_30=value).papers(A="LD", B="1")
        before = scene.has("A")
        scene.on(OperatingRound(1))
        assert scene.has("A") - before == income


@pytest.mark.rule("1835:5.3.1")
def test_exchanges_are_asked_before_privates_pay() -> None:
    scene = working().phase("4").papers(A="HA", C="5", B="NF").operating("PR", worked=True)
    scene.shares("PR", D="10P")
    before = scene.has("A")
    scene.on(OperatingRound(1))
    assert (scene.deciders(), scene.step()) == ("A", "exchange")
    scene.do("A exchanges HA")
    assert (scene.deciders(), scene.has("B")) == ("C", 475)
    scene.do("C exchanges nothing")
    # HA is no more, NF pays.
    assert (scene.has("A"), scene.has("B")) == (before, 480)
    assert scene.held("A", "PR") == "10"


@pytest.mark.rule("1835:5.3.3")
@pytest.mark.rule("1835:3.2.2")
def test_minors_act_in_their_order_before_share_companies() -> None:
    scene = working().papers(D="6 1", A="4")
    scene.on(OperatingRound(1))
    while len(scene.state.round.acted) < 4:
        go_on(scene)
    assert scene.state.round.acted == ["1", "4", "6", "BY"]


@pytest.mark.rule("1835:5.3.4")
def test_share_companies_act_by_price_and_stack() -> None:
    """Of two on 92 the one further right acts first; on one field the upper one."""
    scene = Scene(5).sold()
    for company, name in zip(("BA", "WT", "BY", "HE"), "ABCD", strict=True):
        scene.shares(company, **{name: "20P"})
    scene.operating(WT="C3", BA="E6").operating(HE="C3", BY="C4")
    assert scene.ruleset.chart.price["C3"] == scene.ruleset.chart.price["E6"] == 92
    assert scene.ruleset.market.in_order(scene.state) == ["BA", "WT", "HE", "BY"]


@pytest.mark.rule("1835:5.3.4")
def test_the_order_is_not_fixed_at_the_start() -> None:
    """While Bavaria acts, Saxony falls behind Württemberg."""
    scene = working().shares("WT", D="20P 10 10 10").operating(WT="C4").trains("WT", "2")
    state = scene.money(BY=100).state
    assert scene.ruleset.market.in_order(state) == ["BY", "SX", "WT"]
    scene.turn("BY", BuyTrains)
    state.chart["C4"].remove("SX")
    scene.ruleset.market.place_price(state, "SX", "C5")
    scene.do("A is done")
    assert scene.deciders() == "D"


@pytest.mark.rule("1835:5.3.5")
@pytest.mark.rule("1835:1.1.4")
@pytest.mark.rule("1835:1.1.1")
def test_rounds_follow_each_other() -> None:
    """Two operating rounds in phase 2, then a stock round; the running set keeps its length."""
    scene = working().phase("3")
    scene.state.round.parts = 2
    scene.on(OperatingRound(1))
    pass_round(scene)
    assert (scene.state.round.part, scene.state.round.parts) == (2, 2)
    scene.state.phase = scene.ruleset.components.phase_row["5"]
    pass_round(scene)
    assert (scene.step(), scene.state.round.number, scene.state.round.part) == ("stock-turn", 2, 0)


@pytest.mark.rule("1835:5.4-intro")
def test_the_steps_of_a_turn_follow_each_other() -> None:
    scene = working().money(BY=1000).tiles(rail("O15", "202", "N14"))
    scene.tiles(rail("N14", "8", "O15", "M15"), rail("M15", "58", "N14", "L14")).turn("BY")
    steps = []
    while scene.deciders() == "A":
        steps.append(scene.step())
        go_on(scene)
    assert steps == ["build", "place", "pay", "buy-trains"]
    assert scene.state.round.acted == ["BY"]


@pytest.mark.rule("1835:7.3")
def test_minors_wait_for_the_start_packet_by_option() -> None:
    scene = Scene(minors_wait="on").papers(A="1", B="NF").on(OperatingRound(1))
    # Only privates pay; the next stock round follows.
    assert (scene.step(), scene.state.round.number) == ("packet", 2)
    assert scene.has("1") == 80
    scene = Scene(minors_wait="on").papers(A="1", B="NF").sold().on(OperatingRound(1))
    assert scene.deciders() == "A"


@pytest.mark.rule("1835:option-minors-need-bavaria")
def test_minors_wait_for_bavaria_by_option() -> None:
    scene = Scene(minors_need_bavaria="on").papers(A="1").on(OperatingRound(1))
    assert scene.step() == "packet"
    scene = working(minors_need_bavaria="on").papers(A="1").on(OperatingRound(1))
    assert order(scene) == ["1"]


@pytest.mark.rule("1835:6.1")
def test_the_bank_runs_dry_in_an_operating_round() -> None:
    """Question 25: the bank pays what it has, the round is played to its end, no other follows."""
    scene = working().phase("3").tiles(rail("O15", "202", "N14"), rail("N14", "8", "O15", "M15"))
    scene.tiles(rail("M15", "4", "N14"))
    scene.state.round.parts = 3
    ledger = scene.state.ledger
    scene.on(OperatingRound(1))
    ledger.move("money", "bank", "box", ledger.held("money", "bank") - 10)
    while scene.step() != "pay":
        assert scene.state.round.part == 1
        go_on(scene)
    revenue = scene.state.companies["BY"].revenue
    assert revenue > 10
    before = scene.has("A")
    events = scene.do("A pays out")
    assert scene.has("A") - before == 10
    assert scene.noted("A") == revenue * 40 // 100 - 10
    assert scene.state.broken == "operating"
    assert every(events, happened.BankBroken)
    # Money that flows back changes nothing.
    ledger.move("money", "box", "bank", 5000)
    while scene.deciders():
        assert scene.state.round.part == 1
        go_on(scene)
    assert "SX" in scene.state.round.acted
    assert scene.position.over
    assert scene.position.result is not None


@pytest.mark.rule("1835:6.1b")
def test_after_a_stock_round_without_money_one_operating_round_is_played() -> None:
    scene = working().phase("3").money(A=1000)
    ledger = scene.state.ledger
    scene.stock("A")
    ledger.move("money", "bank", "box", ledger.held("money", "bank") - 50)
    scene.do("A sells BY 10")
    assert scene.state.broken == "stock"
    while scene.state.round.part == 0:
        scene.do(f"{scene.deciders()} is done")
    assert scene.state.round.parts == 1
    pass_round(scene)
    assert scene.position.over


@pytest.mark.rule("1835:5.4.3")
@pytest.mark.rule("1835:5.5.3.12.3")
@pytest.mark.rule("1835:5.5.3.12.2")
@pytest.mark.rule("1835:5.5.3.12.1")
def test_stacks_and_order() -> None:
    """Question 13: Baden and Württemberg both on 84, both without trains; then with some."""
    scene = Scene().sold().shares("BA", A="20P 10 10 10").shares("WT", B="20P 10 10 10")
    scene.operating("BA", "WT").money(BA=500, WT=500)
    scene.on(OperatingRound(1))
    while scene.state.round.part == 1 and scene.deciders():
        can = scene.can(scene.deciders())
        scene.do(f"{scene.deciders()} " + next((c for c in can if "is done" in c), "buys train 2"))
    assert (scene.cell("BA"), scene.cell("WT")) == ("A4", "A4")
    assert scene.state.chart["A4"] == ["BA", "WT"]


@pytest.mark.rule("1835:2.6.3.2c")
def test_shares_can_be_sold_from_the_end_of_the_first_turn_on() -> None:
    scene = working().operating("BA", worked=False).shares("BA", C="20P 10 10 10").trains("BA", "2")
    scene.money(BA=100)
    assert not scene.state.companies["BA"].worked
    scene.turn("BA", BuyTrains).do("C is done")
    assert scene.state.companies["BA"].worked


@pytest.mark.rule("1835:2.5.3")
def test_with_papers_left_what_is_in_operation_works() -> None:
    scene = Scene().papers(A="1 NF", B="3").on(OperatingRound(1))
    assert order(scene) == ["1"]
    pass_round(scene)
    assert scene.step() == "packet"


@pytest.mark.rule("1835:4.5")
def test_prussia_is_passed_over_when_the_2_has_acted() -> None:
    """Question 20: the book's case of the first 4-train, in its order of events."""
    scene = working().phase("3+3").papers(D="2 BS", C="3").money(BY=1000, M2=10)
    scene.shares("PR", A="10", B="10").trains("2", "2+2", "3")
    scene.state.ledger.items["train:3+3"]
    scene.state.ledger.move("train:3+3", "stack", "box", 3)
    scene.state.round.acted, scene.state.round.paid = ["2", "3"], ["BS"]
    scene.turn("BY", BuyTrains)
    before = len(scene.state.round.acted)
    events = scene.do("A buys train 4")
    assert before == 2
    scrapped = only(events, happened.TrainsRusted)
    assert ("BY", "2", 1) in scrapped.trains
    assert ("SX", "2", 1) in scrapped.trains
    # Surplus first, then the question.
    assert (scene.deciders(), scene.step()) == ("D", "surplus")
    scene.do("D hands in 2+2 of 2")
    assert (scene.deciders(), scene.step()) == ("D", "prussia")
    events = scene.do("D opens PR", "D exchanges BS", "C exchanges nothing")
    # Prussia will not act, so there is nothing to be got twice.
    assert not any(event.unpaid for event in every(events, happened.Exchanged))
    assert (scene.owns("PR"), scene.owns("pool"), scene.has("PR")) == ("3", "2+2", 318)
    assert scene.cell("PR") == "I4"
    # Bavaria goes on with its turn; Prussia does not act in this round.
    assert scene.deciders() == "A"
    scene.do("A is done")
    assert "PR" in scene.state.round.acted
    assert scene.deciders() == "B"


@pytest.mark.rule("1835:4.5")
def test_what_has_earned_in_a_round_does_not_earn_again_in_it() -> None:
    """Question 21: the first 4-train is bought by Minor 1; Prussia acts in its place."""
    scene = Scene().papers(A="1", B="2", C="HA", D="3").shares("PR", D="10").sold()
    scene.phase("4").money(M1=500)
    scene.state.phase = scene.ruleset.components.phase_row["3"]
    # Düsseldorf to Köln: 60.
    scene.tiles(rail("H2", "201", "I3"), rail("I3", "202", "H2"))
    scene.trains("1", "2+2").trains("2", "3")
    scene.state.round.paid = ["HA"]
    cash = scene.has("A")
    scene.turn("1", Run)
    assert scene.has("A") == cash + 30
    assert scene.has("1") == 530
    scene.do("A buys train 4")
    assert scene.step() == "surplus"
    scene.do("A hands in 2+2 of 1")
    assert (scene.deciders(), scene.step()) == ("B", "prussia")
    events = scene.do("B opens PR", "C exchanges HA", "D exchanges nothing", "A exchanges 1")
    unpaid = {event.paper: event.unpaid for event in every(events, happened.Exchanged)}
    assert unpaid == {"2": False, "HA": True, "1": True}
    assert "2" not in scene.state.round.acted
    # Minor 3 acts, then Prussia, which may run both trains.
    assert scene.deciders() == "D"
    scene.do("D is done", "D is done")
    assert scene.deciders() == "B"
    game, state = scene.ruleset, scene.state
    assert game.depot.running_trains(state, "PR") == ["3", "4"]
    percents = [game.market.dividend_percent(state, "PR", seat) for seat in range(4)]
    assert percents == [0, 10, 0, 10]
    assert scene.held("A", "PR") == "5"
    assert scene.held("C", "PR") == "10"


@pytest.mark.rule("1835:4.5")
def test_a_train_that_has_run_for_a_minor_stays_idle() -> None:
    """The variant of question 21: the 2+2 is kept and the 4-train handed in."""
    scene = Scene().papers(A="1", B="2").sold().phase("4").money(M1=500)
    scene.state.phase = scene.ruleset.components.phase_row["3"]
    scene.trains("1", "2+2").trains("2", "3").turn("1", Run)
    events = scene.do("A buys train 4", "A hands in 4 of 1", "B opens PR", "A exchanges 1")
    assert [event.idle for event in every(events, happened.Exchanged)] == [(), ("2+2",)]
    assert scene.owns("PR") == "2+2 3"
    assert scene.ruleset.depot.running_trains(scene.state, "PR") == ["3"]


@pytest.mark.rule("1835:4.5")
@pytest.mark.parametrize("step", [OperatingRound(2), StockRound(2)])
def test_in_the_next_round_everything_earns_again(step: Step) -> None:
    scene = Scene().papers(A="3").shares("PR", A="10P 5").sold().phase("4").operating("PR")
    scene.trains("PR", "2+2")
    scene.state.refused, scene.state.idle = {0: 5}, ["2+2"]
    assert scene.ruleset.depot.running_trains(scene.state, "PR") == []
    scene.on(step)
    assert scene.ruleset.depot.running_trains(scene.state, "PR") == ["2+2"]
    assert scene.ruleset.market.dividend_percent(scene.state, "PR", 0) == 15


@pytest.mark.rule("1835:4.5")
@pytest.mark.rule("1835:5.5.4.9")
@pytest.mark.parametrize(
    ("given", "running"), [("2+2", ["2+2", "3", "3", "3"]), ("3", ["2+2", "3", "3"])]
)
def test_of_equal_trains_the_one_that_has_run_is_handed_in(given: str, running: list[str]) -> None:
    """Prussia has four trains and gets the 2+2 with which Minor 1 has run."""
    scene = Scene().papers(A="1").shares("PR", A="10P").sold().phase("4").operating("PR")
    scene.trains("PR", "2+2", "3", "3", "3").trains("1", "2+2")
    scene.state.round = Round(1, 1, 2, acted=["1"], ran={"1": ["2+2"]})
    scene.on(ExchangeOffer([0], "4.7")).do("A exchanges 1", f"A hands in {given} of PR")
    assert scene.ruleset.depot.running_trains(scene.state, "PR") == running


@pytest.mark.rule("1835:4.5")
def test_of_equal_trains_the_one_that_has_run_is_sold() -> None:
    scene = Scene().papers(A="1").shares("PR", A="10P").shares("BY", A="20P 10").sold()
    scene.phase("4").operating("PR", BY="I3").trains("PR", "2+2", "2+2")
    scene.state.idle = ["2+2"]
    scene.money(BY=100).turn("BY", BuyTrains).do("A offers 1 for train 2+2 of PR")
    assert scene.ruleset.depot.running_trains(scene.state, "PR") == ["2+2"]


def test_nothing_but_the_track_is_asked_of_a_company_without_choices() -> None:
    """A minor without money and track is asked for its tile only; its turn ends by itself."""
    scene = Scene().papers(A="3", B="4").money(M3=0).on(OperatingRound(1))
    assert (scene.deciders(), scene.step()) == ("A", "build")
    scene.do("A is done")
    assert scene.deciders() == "B"


@pytest.mark.rule("1835:3.2.2b")
def test_a_minor_places_no_markers() -> None:
    scene = Scene().papers(A="1").sold().on(OperatingRound(1))
    names = [type(step).__name__ for step in scene.state.agenda]
    assert names == ["NextCompany", "EndTurn", "BuyTrains", "Run", "Build"]
