"""Buying trains, trade between companies, and what the first train of a type brings about."""

from __future__ import annotations

import pytest

from kursbuch.core.actions import Action
from kursbuch.core.events import Event
from kursbuch.core.words import Words
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.actions import Answer, AskPrice, Done
from kursbuch.games.g18xx.g1835 import TITLE
from kursbuch.games.g18xx.state import BuyTrains, Limits, OperatingRound, Surplus
from tests.games.g18xx.g1835.table import Scene
from tests.happened import every, only


def companies(phase: str = "2", money: int = 2000, **trains: str) -> Scene:
    """Bavaria of A, Saxony of B, Hessen of A, each with 2000."""
    scene = Scene().shares("BY", A="20P 10 10 10").shares("SX", B="20P 10 10 10")
    scene.shares("HE", A="20P 10 10 10").sold().operating("BY", "SX", "HE").phase(phase)
    for company, names in trains.items():
        scene.trains(company, *names.split())
    return scene.money(BY=money, SX=money, HE=money)


def before(scene: Scene, train: str) -> Scene:
    """The phase before the first train of a type; earlier types are sold out."""
    state = scene.phase(train).state
    state.phase -= 1
    return scene


# ---- from the bank


@pytest.mark.rule("1835:5.5.4.2")
@pytest.mark.rule("1835:5.5.4.11")
@pytest.mark.rule("1835:setup-7")
def test_new_trains_one_after_the_other() -> None:
    scene = companies().turn("BY", BuyTrains)
    events = scene.do("A buys train 2", "A buys train 2")
    assert [event.price for event in every(events, happened.TrainBought)] == [80, 80]
    assert (scene.owns("BY"), scene.has("BY")) == ("2 2", 1840)


def test_going_on_says_whether_a_train_was_bought() -> None:
    scene = companies(SX="2 2").turn("BY", BuyTrains)
    voice = TITLE.voice(Words("en"))

    def going_on() -> str:
        return voice.pick(scene.state, Done(0)).label

    assert going_on() == "Buy no train"
    scene.do("A buys train 2")
    assert going_on() == "Buy no more trains"


@pytest.mark.rule("1835:5.5.4.5")
def test_types_are_sold_in_their_order() -> None:
    scene = companies().turn("BY", BuyTrains)
    assert scene.refused("A buys train 2+2") == "5.5.4.5"
    scene.state.ledger.move("train:2", "stack", "box", 8)
    scene.do("A buys train 2", "A buys train 2+2")
    assert scene.refused("A buys train 2") == "5.5.4.5"
    assert scene.refused("A buys train 2 from the pool") == "5.5.4.8"


@pytest.mark.rule("1835:5.5.4.7")
def test_train_limits() -> None:
    """Four trains in phase 1; not even a purchase that would scrap enough of them is allowed."""
    scene = companies(BY="2 2 2").turn("BY", BuyTrains)
    scene.do("A buys train 2")
    assert (scene.deciders(), scene.state.round.acted) == ("B", ["BY"])
    scene = companies(BY="2 2 2 2", SX="2").papers(B="3").turn("BY", BuyTrains)
    # Nothing could be bought, so no one is asked.
    assert "BY" in scene.state.round.acted
    scene = before(companies(BY="2 2 2 2"), "4").turn("BY", BuyTrains)
    assert "BY" in scene.state.round.acted


@pytest.mark.rule("1835:5.5.4.11")
def test_a_minor_cannot_buy_without_the_money() -> None:
    scene = Scene().papers(A="3", B="4").money(M3=79).turn("3", BuyTrains)
    assert scene.deciders() == "B"
    scene = Scene().papers(A="3 4").money(M3=79, M4=200).phase("3").trains("4", "2")
    scene.turn("3", BuyTrains)
    assert scene.refused("A buys train 3") == "5.5.4.11"
    assert scene.refused("A offers 80 for train 2 of 4") == "5.5.4.11"


@pytest.mark.rule("1835:5.4.4")
@pytest.mark.rule("1835:5.5.4.4")
def test_a_share_company_must_own_a_train() -> None:
    scene = companies().turn("BY", BuyTrains)
    assert scene.refused("A is done") == "5.5.4.4"
    scene.do("A buys train 2", "A is done")
    # A minor need not.
    scene = Scene().papers(A="4").turn("4", BuyTrains)
    assert "is done" in scene.can("A")


@pytest.mark.rule("1835:5.5.4.4b")
def test_without_trains_on_offer_there_is_no_duty() -> None:
    scene = companies(phase="6+6", SX="6+6 6+6 6+6 6+6")
    scene.turn("BY", BuyTrains)
    assert "is done" in scene.can("A")
    scene.do("A is done")
    assert scene.owns("BY") == ""


@pytest.mark.rule("1835:5.5.4.10")
def test_trains_are_not_sold_to_the_bank() -> None:
    scene = companies(BY="2 2").turn("BY", BuyTrains)
    assert {line.split()[0] for line in scene.can("A")} == {"buys", "is"}


@pytest.mark.rule("1835:5.5.4.8")
def test_the_pool_sells_at_printed_prices() -> None:
    scene = companies(phase="3", pool="2 2+2").turn("BY", BuyTrains)
    assert [line for line in scene.can("A") if line.startswith("buys")] == [
        "buys train 3",
        "buys train 2 from the pool",
        "buys train 2+2 from the pool",
    ]
    scene.do("A buys train 2+2 from the pool")
    assert (scene.has("BY"), scene.owns("pool")) == (1880, "2")


# ---- from other companies


@pytest.mark.rule("1835:5.5.4.3")
@pytest.mark.rule("1835:5.4.14.1")
def test_trade_between_companies_begins_with_phase_2() -> None:
    scene = before(companies(SX="2 2", BY="2"), "3").turn("BY", BuyTrains)
    assert scene.refused("A offers 100 for train 2 of SX") == "5.5.4.3"
    events = scene.do("A buys train 3")
    assert only(events, happened.PhaseBegan).phase == "2a"
    assert "offers 1 for train 2 of SX" in scene.can("A")


@pytest.mark.rule("1835:5.5.4.3")
def test_what_is_offered_to_one_company_may_be_offered_to_another() -> None:
    scene = companies(phase="3", SX="2", HE="2", BY="2").turn("BY", BuyTrains)
    scene.do("A offers 100 for train 2 of SX", "B refuses")
    assert scene.refused("A offers 100 for train 2 of SX") == "5.5.4.3"
    scene.do("A offers 100 for train 2 of HE")


@pytest.mark.rule("1835:5.5.4.3")
def test_an_offer_and_its_answer() -> None:
    scene = companies(phase="3", SX="2", BY="2").turn("BY", BuyTrains)
    assert scene.refused("A offers 0 for train 2 of SX") == "5.5.4.3"
    assert scene.refused("A offers 5 for train 3 of SX") == "5.5.4.3"
    assert scene.refused("A offers 2001 for train 2 of SX") == "5.5.4.11"
    events = scene.do("A offers 700 for train 2 of SX")
    assert only(events, happened.OfferMade).seat == 1
    # Another price may be asked, but no more than the company can pay.
    assert scene.deciders() == "B"
    assert scene.can("B") == ["accepts", "refuses", "asks 1", "asks 701"]
    scene.do("B refuses")
    assert (scene.deciders(), scene.has("BY")) == ("A", 2000)
    # The same offer is not repeated, but less can be offered as well as more.
    assert scene.refused("A offers 700 for train 2 of SX") == "5.5.4.3"
    can = scene.can("A")
    assert "offers 1 for train 2 of SX" in can
    assert "offers 701 for train 2 of SX" in can
    scene.do("A offers 300 for train 2 of SX", "B refuses")
    events = scene.do("A offers 710 for train 2 of SX", "B accepts")
    # A company may sell its last train; the price is public.
    assert only(events, happened.TrainBought).price == 710
    assert (scene.owns("BY"), scene.owns("SX")) == ("2 2", "")
    assert (scene.has("BY"), scene.has("SX")) == (1290, 2710)


@pytest.mark.rule("1835:5.5.4.3")
def test_the_seller_may_name_another_price() -> None:
    scene = companies(phase="3", SX="2", BY="2").turn("BY", BuyTrains)
    scene.do("A offers 100 for train 2 of SX")
    assert scene.refused("B asks 100") == "5.5.4.3"
    assert scene.refused("B asks 0") == "5.5.4.3"
    assert scene.refused("B asks 2001") == "5.5.4.11"
    asked = only(scene.do("B asks 400"), happened.PriceAsked)
    assert (asked.rule, asked.company, asked.owner, asked.price, asked.seat) == (
        "5.5.4.3",
        "BY",
        "SX",
        400,
        0,
    )
    # The price that is asked is accepted or refused.
    assert (scene.deciders(), scene.can("A")) == ("A", ["accepts", "refuses"])
    assert scene.refused("A asks 300") == "5.5.4.3"
    refused = only(scene.do("A refuses"), happened.OfferRefused)
    assert (refused.seat, refused.price, refused.counter) == (0, 400, True)
    # What the other side has named may be offered; no one names the same price twice.
    assert scene.refused("A offers 100 for train 2 of SX") == "5.5.4.3"
    scene.do("A offers 250 for train 2 of SX")
    assert scene.refused("B asks 400") == "5.5.4.3"
    assert scene.can("B") == ["accepts", "refuses", "asks 1", "asks 251", "asks 401"]
    events = scene.do("B asks 300", "A accepts")
    assert only(events, happened.TrainBought).price == 300
    assert (scene.has("BY"), scene.has("SX")) == (1700, 2300)
    # In another turn all of it may be said again.
    scene.trains("SX", "2")
    assert scene.refused("A offers 100 for train 2 of SX") == "5.5.4.3"
    scene.state.agenda.clear()
    scene.turn("BY", BuyTrains).do("A offers 100 for train 2 of SX")


@pytest.mark.rule("1835:5.5.4.3")
@pytest.mark.rule("1835:5.5.4.12")
def test_the_director_adds_to_the_price_that_is_asked() -> None:
    scene = companies(phase="3", SX="2", BY="").money(BY=30, A=100).turn("BY", BuyTrains)
    scene.do("A offers 10 for train 2 of SX", "B asks 70")
    bought = only(scene.do("A accepts"), happened.TrainBought)
    assert (bought.price, bought.added, scene.has("A"), scene.has("BY")) == (70, 40, 60, 0)


@pytest.mark.rule("1835:5.5.4.3")
def test_every_range_of_prices_is_pointed_at_for_itself() -> None:
    scene = companies(phase="3", SX="2", BY="2").turn("BY", BuyTrains)
    voice = TITLE.voice(Words("en", ["Anna", "Bernd", "Clara", "Dirk"]))

    def labels(seat: int) -> list[str]:
        picks = [voice.pick(scene.state, c.action) for c in scene.position.legal_actions(seat)]
        assert len({pick.keys for pick in picks}) == len(picks)
        return [pick.label.replace("\N{NO-BREAK SPACE}", " ") for pick in picks]

    assert "2-train of SX (Bernd): make an offer" in labels(0)
    scene.do("A offers 100 for train 2 of SX")
    assert labels(1)[2:] == ["Ask for 1 M to 99 M", "Ask for 101 M to 2,000 M"]
    scene.do("B asks 400", "A refuses")
    assert {
        "2-train of SX (Bernd): offer 1 M to 99 M",
        "2-train of SX (Bernd): offer 101 M to 2,000 M",
    } <= set(labels(0))


def appraised(scene: Scene, *actions: Action) -> list[float]:
    """What actions gain in the eyes of a computer opponent."""
    gains = TITLE.evaluator.action_values(scene.state, actions[0].seat, actions)
    assert gains is not None
    return list(gains)


@pytest.mark.rule("1835:5.5.4.3")
def test_bots_name_a_price_once_and_take_what_is_worth_it() -> None:
    scene = companies(phase="3", SX="2 2", BY="2").turn("BY", BuyTrains)
    scene.do("A offers 1 for train 2 of SX")
    state, evaluator = scene.state, TITLE.evaluator
    choices = [c for c in scene.position.legal_actions(1) if c.amount is not None]
    prices = [price for choice in choices for price in evaluator.amounts(state, choice)]
    assert len(prices) == 1
    actions = [Answer(1, True), Answer(1, False), AskPrice(1, prices[0])]
    gains = appraised(scene, *actions)
    assert max(gains) == gains[2] > gains[1] > gains[0]
    # What is enough is accepted, and there is no haggling.
    scene.do(f"B asks {prices[0]}", "A refuses", "A offers 2 for train 2 of SX")
    assert appraised(scene, AskPrice(1, prices[0] + 1))[0] < 0
    scene.do("B refuses", "A offers 900 for train 2 of SX")
    accepted, refused = appraised(scene, Answer(1, True), Answer(1, False))
    assert accepted > refused
    # The buyer does not pay far more than for a new train.
    scene.do("B refuses", "A offers 3 for train 2 of SX", "B asks 1900")
    accepted, refused = appraised(scene, Answer(0, True), Answer(0, False))
    assert accepted < refused


@pytest.mark.rule("1835:5.5.4.3")
def test_one_player_needs_no_answer() -> None:
    scene = companies(phase="3", HE="2", BY="2").papers(A="3").money(M3=50).trains("3", "2")
    scene.turn("BY", BuyTrains).do("A offers 1 for train 2 of HE", "A offers 1 for train 2 of 3")
    assert (scene.owns("BY"), scene.has("HE"), scene.has("3")) == ("2 2 2", 2001, 51)


@pytest.mark.rule("1835:5.2b")
def test_a_used_train_changes_no_phase() -> None:
    scene = before(companies(pool="4", BY="2", SX="3"), "4")
    scene.turn("BY", BuyTrains).do("A buys train 4 from the pool")
    assert scene.ruleset.phase(scene.state).id == "2a"
    assert scene.owns("BY") == "2 4"


# ---- effects


@pytest.mark.rule("1835:5.2")
@pytest.mark.rule("1835:5.4.14.1")
@pytest.mark.rule("1835:1.1.4")
def test_the_first_3_begins_phase_2() -> None:
    scene = before(companies(BY="2", SX="2", HE="2"), "3")
    assert (scene.ruleset.phase(scene.state).tiles, scene.ruleset.phase(scene.state).number) == (
        ["yellow"],
        1,
    )
    scene.turn("BY", BuyTrains).do("A buys train 3")
    phase = scene.ruleset.phase(scene.state)
    assert (phase.tiles, phase.number, phase.operating_rounds) == (["yellow", "green"], 2, 2)
    # The running set keeps its one round.
    assert scene.state.round.parts == 1
    assert scene.owns("BY") == "2 3"


@pytest.mark.rule("1835:5.2b")
@pytest.mark.rule("1835:5.5.4.6")
@pytest.mark.rule("1835:5.5.4.14.2")
def test_the_first_4_scraps_all_2_trains() -> None:
    """Wherever they are; then come surplus trains, and Prussia may open."""
    scene = before(companies(BY="2 2", SX="2+2 3 3 3", pool="2"), "4").papers(C="2")
    scene.turn("BY", BuyTrains)
    events = scene.do("A buys train 4")
    scrapped = only(events, happened.TrainsRusted)
    assert set(scrapped.trains) == {("BY", "2", 2), ("pool", "2", 1)}
    assert scene.owns("BY") == "4"
    assert (scene.deciders(), scene.step()) == ("B", "surplus")
    assert scene.can("B") == ["hands in 2+2 of SX", "hands in 3 of SX"]
    assert scene.refused("B hands in 3, 3 of SX") == "5.5.4.8"
    scene.do("B hands in 2+2 of SX")
    assert scene.owns("pool") == "2+2"
    assert (scene.deciders(), scene.step()) == ("C", "prussia")
    scene.do("C waits")
    assert scene.deciders() == "A"


@pytest.mark.rule("1835:5.5.4.14.3")
@pytest.mark.rule("1835:4.6")
def test_the_first_4_plus_4_forces_prussia() -> None:
    scene = before(companies(BY="2+2 3", SX="2+2", HE="3"), "4+4").papers(C="2", D="HA")
    scene.shares("PR", B="10").turn("BY", BuyTrains)
    events = scene.do("A buys train 4+4")
    assert set(only(events, happened.TrainsRusted).trains) == {("BY", "2+2", 1), ("SX", "2+2", 1)}
    assert scene.state.companies["PR"].operating
    assert (scene.deciders(), scene.step()) == ("D", "exchange")
    scene.do("D exchanges nothing")
    assert scene.has("PR") == 154 + 170


@pytest.mark.rule("1835:5.5.4.14.3")
def test_nobody_is_asked_at_the_first_4_plus_4_if_prussia_is_open() -> None:
    scene = before(companies(BY="3", SX="3", HE="3"), "4+4").papers(D="HA")
    scene.operating("PR").shares("PR", C="10P").turn("BY", BuyTrains).do("A buys train 4+4")
    assert scene.deciders() == "A"
    assert scene.ruleset.owner(scene.state, "HA") == 3


@pytest.mark.rule("1835:5.5.4.14.4")
@pytest.mark.rule("1835:5.5.4.8")
@pytest.mark.rule("1835:3.1.2d")
@pytest.mark.rule("1835:4.8")
def test_the_first_5() -> None:
    """Question 22: exchanges, director, surplus trains, privates, in this order."""
    scene = Scene().shares("HE", D="20P 10 10 10").sold().operating("HE").money(HE=1000)
    scene.papers(A="BS NF", B="4 6", C="OB PF LD").shares("PR", A="10P", B="10", C="10")
    before(scene.operating("PR"), "5").trains("HE", "3", "3").trains("PR", "3", "3+3", "3+3")
    scene.trains("4", "4").trains("6", "4")
    scene.state.round.acted, scene.state.round.paid = ["4", "6"], ["BS"]
    scene.state.round.ran = {"4": ["4"], "6": ["4"]}
    scene.state.round.parts, scene.state.round.part = 2, 1
    scene.turn("HE", BuyTrains)
    events = scene.do("D buys train 5")
    # (a), (d) No one is asked; the privates close.
    exchanged = every(events, happened.Exchanged)
    assert {(event.paper, event.certificate) for event in exchanged} == {
        ("BS", "10"),
        ("4", "10"),
        ("6", "5"),
    }
    assert set(only(events, happened.PapersClosed).papers) == {"NF", "OB", "PF", "LD"}
    # (b) B has 25 percent and becomes director.
    assert scene.step() == "surplus"
    assert scene.director("PR") == "B"
    assert (scene.held("A", "PR"), scene.held("B", "PR")) == ("10 10", "10P 10 5")
    # (c) Hessen first, because it has bought; then B for Prussia.
    assert scene.deciders() == "D"
    scene.do("D hands in 3 of HE")
    assert (scene.deciders(), scene.owns("PR")) == ("B", "3 3+3 3+3 4 4")
    scene.do("B hands in 3, 3+3 of PR")
    # (e) What has earned does not earn again.
    game, state = scene.ruleset, scene.state
    assert [game.market.dividend_percent(state, "PR", seat) for seat in range(3)] == [10, 10, 10]
    assert game.depot.running_trains(state, "PR") == ["3+3"]
    # (f) The running set keeps its length.
    assert (state.round.parts, game.phase(state).operating_rounds) == (2, 3)


@pytest.mark.rule("1835:5.5.4.14.4")
@pytest.mark.rule("1835:4.8")
def test_the_choice_at_a_change_of_director_comes_before_surplus_trains() -> None:
    """B becomes director with 20 percent; A still chooses what he gets for the certificate."""
    scene = Scene().shares("HE", D="20P 10 10 10").sold().operating("HE").money(HE=1000)
    scene.papers(B="4 1 3").shares("PR", A="10P")
    before(scene.operating("PR"), "5").trains("PR", "3", "3+3", "4", "4+4")
    scene.turn("HE", BuyTrains).do("D buys train 5")
    assert (scene.deciders(), scene.step()) == ("A", "swap")
    scene.do("A takes PR 5, 5")
    assert (scene.deciders(), scene.step()) == ("B", "surplus")


@pytest.mark.rule("1835:5.5.4.14.4")
def test_a_minor_that_buys_the_first_5_is_exchanged() -> None:
    scene = before(Scene().papers(A="1", B="2").sold(), "5").operating("PR").money(M1=700)
    scene.state.ledger.move("paper:2", "p1", "box")
    scene.state.companies["2"].operating, scene.state.companies["2"].closed = False, True
    scene.shares("PR", B="10P").turn("1", BuyTrains)
    scene.do("A buys train 5")
    assert scene.owns("PR") == "5"
    assert scene.has("PR") == 200
    assert scene.state.companies["1"].closed
    assert scene.deciders() == "B"


@pytest.mark.rule("1835:5.5.4.8")
def test_several_companies_above_the_limit() -> None:
    """Question 27: C hands in for Baden first, then B for Saxony, although Saxony acts first."""
    scene = Scene().shares("HE", C="20P 10 10 10").shares("SX", B="20P 10 10 10")
    scene.shares("BA", C="20P 10 10 10").sold().operating("HE", SX="E2").operating(BA="A3")
    before(scene.money(HE=600), "5").trains("SX", "3", "3+3", "4").trains("BA", "3", "3+3", "4")
    scene.operating("PR").shares("PR", A="10P")
    scene.turn("HE", BuyTrains).do("C buys train 5")
    assert (scene.deciders(), scene.step()) == ("C", "surplus")
    scene.do("C hands in 3 of BA")
    assert scene.deciders() == "B"
    scene.do("B hands in 4 of SX")
    assert (scene.owns("BA"), scene.owns("SX"), scene.owns("pool")) == ("3+3 4", "3 3+3", "3 4")


@pytest.mark.rule("1835:5.5.4.8")
def test_a_player_hands_in_for_his_companies_in_operating_order() -> None:
    """B's minor before his Saxony."""
    scene = before(companies(BY="2+2", SX="2+2 3 3 3"), "4").papers(B="1").trains("1", "2+2", "3")
    scene.turn("BY", BuyTrains).do("A buys train 4")
    assert scene.can("B") == ["hands in 2+2 of 1", "hands in 3 of 1"]
    scene.do("B hands in 2+2 of 1")
    assert scene.can("B") == ["hands in 2+2 of SX", "hands in 3 of SX"]


@pytest.mark.rule("1835:5.2b")
@pytest.mark.rule("1835:5.5.4.14.2")
def test_only_the_first_of_a_type_has_effects() -> None:
    """The second 4-train: nothing is scrapped or handed in, and no one is asked about Prussia."""
    scene = companies(phase="4", BY="3", SX="3", HE="4").papers(C="2").turn("BY", BuyTrains)
    events = scene.do("A buys train 4")
    assert not every(events, happened.PhaseBegan)
    assert (scene.deciders(), scene.step()) == ("A", "buy-trains")


@pytest.mark.rule("1835:5.5.4.14.5")
@pytest.mark.rule("1835:5.5.4.14.6")
@pytest.mark.parametrize(("train", "old"), [("6", "3"), ("6+6", "3+3")])
def test_late_trains_scrap(train: str, old: str) -> None:
    scene = companies().operating("PR").shares("PR", C="10P")
    before(scene, train).trains("SX", old, "5").trains("HE", "5").trains("pool", old)
    scene.turn("BY", BuyTrains)
    events = scene.do(f"A buys train {train}")
    assert set(only(events, happened.TrainsRusted).trains) == {("SX", old, 1), ("pool", old, 1)}
    assert (scene.owns("SX"), scene.owns("pool")) == ("5", "")


@pytest.mark.rule("1835:5.5.4.9")
def test_prussia_disposes_of_all_trains() -> None:
    """The example: two 2+2 and two 3-trains, then Minor 5 joins with a 3."""
    scene = Scene().papers(B="5").sold().phase("4").operating("PR").shares("PR", A="10P")
    scene.trains("PR", "2+2", "2+2", "3", "3").trains("5", "3").on(OperatingRound(1))
    scene.do("B exchanges 5")
    assert scene.deciders() == "A"
    assert scene.can("A") == ["hands in 2+2 of PR", "hands in 3 of PR"]
    scene.do("A hands in 2+2 of PR")
    assert scene.owns("PR") == "2+2 3 3 3"


# ---- privates and trains


@pytest.mark.rule("1835:3.1.3.4")
def test_ld_closes_with_saxonys_first_train() -> None:
    """From the bank or from another company."""
    scene = companies().papers(B="LD").turn("SX", BuyTrains)
    assert only(scene.do("B buys train 2"), happened.PapersClosed).papers == ("LD",)
    scene = companies(phase="3", BY="2 2").papers(B="LD").turn("SX", BuyTrains)
    events: list[Event] = scene.do("B offers 5 for train 2 of BY", "A accepts")
    assert only(events, happened.PapersClosed).rule == "3.1.3.4"
    scene = companies().papers(B="LD").turn("BY", BuyTrains)
    assert not every(scene.do("A buys train 2"), happened.PapersClosed)


def test_a_train_keeps_its_past_when_sold() -> None:
    """Minor 1 has run a train and sells it to Minor 2; if that joins Prussia, it stays idle."""
    scene = Scene().papers(A="1", B="2").sold().phase("4").money(M2=200).trains("1", "3")
    scene.state.round.ran = {"1": ["3"]}
    scene.turn("2", BuyTrains).do("B offers 50 for train 3 of 1", "A accepts")
    assert scene.state.round.ran == {"1": [], "2": ["3"]}


@pytest.mark.rule("1835:4.5")
@pytest.mark.rule("1835:5.5.4.8")
def test_of_equal_trains_the_one_that_has_run_is_given_back() -> None:
    """Prussia has a 3 of its own and takes over one that has run for Minor 1; it gives one of them
    back and runs the other."""
    scene = Scene().papers(A="1").sold().operating("PR").shares("PR", B="10P")
    before(scene, "5").shares("HE", D="20P 10 10 10").operating("HE").money(HE=500)
    scene.trains("PR", "3", "4", "4+4").trains("1", "3")
    scene.state.round.acted, scene.state.round.ran = ["1"], {"1": ["3"]}
    scene.turn("HE", BuyTrains).do("D buys train 5")
    assert scene.owns("PR") == "3 3 4 4+4"
    scene.do("B hands in 3 of PR")
    assert scene.ruleset.depot.running_trains(scene.state, "PR") == ["3", "4", "4+4"]
    # A minor does the same.
    scene = before(Scene().papers(A="1", B="2").sold(), "4").trains("1", "3", "3")
    scene.shares("HE", D="20P 10 10 10").operating("HE").money(HE=500)
    scene.state.round.acted, scene.state.round.ran = ["1", "2"], {"1": ["3"]}
    scene.turn("HE", BuyTrains).do("D buys train 4")
    assert (scene.owns("1"), scene.state.round.ran["1"]) == ("3", [])


def test_a_minor_has_no_trains_in_a_phase_without_minors() -> None:
    scene = Scene()
    limits = []
    for phase in range(len(scene.ruleset.components.phases)):
        scene.state.phase = phase
        limits.append(scene.ruleset.depot.train_limit(scene.state, "1"))
    assert limits == [2, 2, 1, 1, 0, 0, 0]


@pytest.mark.rule("1835:5.5.4.8")
def test_who_has_nobody_to_act_gives_trains_back_last() -> None:
    scene = companies(phase="4", BY="3 3 3+3 3+3").trains("1", "3", "3")
    scene.state.companies["1"].closed = False
    scene.on(Limits(0))
    step = scene.state.agenda[-1]
    assert isinstance(step, Surplus)
    assert step.companies == ["BY", "1"]
