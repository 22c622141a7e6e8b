"""The opening of Prussia, the exchanges, and what they do to an operating round."""

from __future__ import annotations

from typing import Any

import pytest

from kursbuch.core.play import Play
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.components import BANK
from kursbuch.games.g18xx.g1835 import prussia
from kursbuch.games.g18xx.g1835.state import PrussiaOpened, PrussiaWaits
from kursbuch.games.g18xx.map.track import Station
from kursbuch.games.g18xx.rules.dividend_step import pay
from kursbuch.games.g18xx.state import BuyTrains, OperatingRound, StockRound
from tests.games.g18xx.g1835.table import Scene
from tests.happened import every, only


def before(train: str, **papers: str) -> Scene:
    """The first train of a type is the next to be sold; these papers are with players, the rest of
    the start packet is out of the way."""
    scene = Scene().papers(**papers).sold().phase(train)
    scene.state.phase -= 1
    return scene


def since(train: str, **papers: str) -> Scene:
    """The first train of a type has been sold."""
    return Scene().papers(**papers).sold().phase(train)


def open_now(scene: Scene) -> Scene:
    """Prussia is open, and A has the director's certificate."""
    return scene.shares("PR", A="10P").operating("PR")


def play(scene: Scene) -> Play[Any]:
    return Play(scene.state, scene.position.chance)


def begin(scene: Scene) -> Scene:
    """An operating round begins."""
    scene.state.round.parts = 2
    return scene.on(OperatingRound(1))


# ---- the question


@pytest.mark.rule("1835:4-intro")
@pytest.mark.rule("1835:4.1")
@pytest.mark.rule("1835:4.2")
@pytest.mark.rule("1835:4.3")
@pytest.mark.rule("1835:4.5")
@pytest.mark.rule("1835:5.5.4.14.2")
def test_the_first_4_train() -> None:
    """Question 20."""
    scene = before("4", A="2 BS").money(M2=226, BY=500).trains("2", "2+2", "3").trains("SX", "2")
    scene.shares("PR", B="10", C="10").shares("BY", D="20P 10", A="10").operating("SX", BY="G1")
    scene.state.round.acted = ["2", "SX"]
    scene.turn("BY", BuyTrains)
    events = scene.do("D buys train 4")
    assert only(events, happened.TrainsRusted).trains == (("SX", "2", 1),)
    assert (scene.deciders(), scene.step()) == ("A", "surplus")
    scene.do("A hands in 2+2 of 2")
    assert (scene.deciders(), scene.step()) == ("A", "prussia")
    assert scene.refused("A is done") == "4.6"
    opened = only(scene.do("A opens PR"), PrussiaOpened)
    assert (opened.seat, opened.treasury) == (0, 308)
    assert (scene.deciders(), scene.can("A")) == ("A", ["exchanges nothing", "exchanges BS"])
    scene.do("A exchanges BS")
    assert (scene.has("PR"), scene.owns("PR"), scene.cell("PR")) == (308 + 226, "3", "I4")
    assert scene.held("A", "PR") == "10P 10"
    # Bavaria goes on; Prussia does not act in this round.
    assert (scene.deciders(), scene.step()) == ("D", "buy-trains")
    events = scene.do("D is done")
    kinds = [type(event) for event in events]
    assert happened.OperatingRoundBegan in kinds
    assert happened.TurnBegan not in kinds[: kinds.index(happened.OperatingRoundBegan)]


@pytest.mark.rule("1835:4.5")
@pytest.mark.rule("1835:4.3")
@pytest.mark.rule("1835:5.5.4.14.2")
@pytest.mark.rule("1835:5.3.4")
@pytest.mark.parametrize(("given", "running"), [("2+2", ["3", "4"]), ("4", ["3"])])
def test_the_1_buys_the_first_4_train(given: str, running: list[str]) -> None:
    """Question 21."""
    scene = before("4", A="1", B="2", C="HA", D="3").money(M1=400)
    scene.trains("1", "2+2").trains("2", "3").shares("PR", C="10")
    scene.turn("1")
    scene.state.round.paid = ["HA"]
    scene.do("A is done")
    assert scene.state.round.ran["1"] == ["2+2"]
    scene.do("A buys train 4", f"A hands in {given} of 1")
    scene.do("B opens PR")
    asked = []
    for answer in ("exchanges HA", "exchanges nothing", "exchanges 1"):
        asked.append(scene.deciders())
        scene.do(f"{scene.deciders()} {answer}")
    assert asked == ["C", "D", "A"]
    # The turn of Minor 1 is over, Minor 2 does not act: it is the turn of Minor 3.
    assert (scene.deciders(), scene.state.agenda[-1].company) == ("D", "3")  # type: ignore[union-attr]
    assert "PR" not in scene.state.round.acted
    assert scene.ruleset.depot.running_trains(scene.state, "PR") == running
    cash = [scene.has(name) for name in "ABCD"]
    scene.money(PR=0)
    pay(scene.ruleset, play(scene), "PR", 200)
    paid = [scene.has(name) - had for name, had in zip("ABCD", cash, strict=True)]
    assert paid == [0, 20, 20, 0]
    assert scene.has("PR") == 0


@pytest.mark.rule("1835:4.5")
@pytest.mark.rule("1835:5.5.4.14.2")
def test_the_2_itself_buys_the_first_4_train() -> None:
    """It has its turn now, so Prussia is passed over; the turn ends with Minor 2."""
    scene = before("4", A="2", B="3").money(M2=500).trains("2", "2+2").turn("2", BuyTrains)
    scene.shares("BY", C="20P 10").operating(BY="D3").trains("BY", "3")
    scene.do("A buys train 4", "A hands in 2+2 of 2")
    events = scene.do("A opens PR", "B exchanges nothing")
    assert only(events, happened.PassedOver).company == "PR"
    assert (scene.owns("PR"), scene.has("PR")) == ("4", 140)
    assert (scene.deciders(), scene.step()) == ("B", "build")
    assert scene.state.round.acted == ["PR", "2"]


@pytest.mark.rule("1835:4-intro")
@pytest.mark.rule("1835:4.6")
def test_the_owner_of_the_2_may_wait_and_is_asked_in_every_round() -> None:
    scene = since("4", B="2").shares("BY", A="20P 10").operating("BY")
    scene.on(StockRound(3))
    assert (scene.deciders(), scene.step()) == ("B", "prussia")
    assert only(scene.do("B waits"), PrussiaWaits).seat == 1
    assert (scene.deciders(), scene.step()) == ("A", "stock-turn")
    begun = begin(since("4", B="2 3", C="NF"))
    assert (begun.deciders(), begun.step()) == ("B", "prussia")
    events = begun.do("B opens PR", "B exchanges nothing")
    kinds = [type(event) for event in events]
    assert kinds.index(PrussiaOpened) < kinds.index(happened.PrivatesPaid)
    # It opens before anybody acts, so it acts in this round.
    assert "PR" not in begun.state.round.acted


@pytest.mark.rule("1835:4-intro")
def test_nobody_is_asked_before_the_first_4_train() -> None:
    scene = begin(since("3", B="2 3"))
    assert scene.step() == "build"
    assert not prussia.is_open(scene.state)


@pytest.mark.rule("1835:4.6")
@pytest.mark.rule("1835:5.5.4.14.3")
def test_the_first_4_plus_4_opens_prussia() -> None:
    scene = before("4+4", A="2 3", B="4").money(BY=500).trains("SX", "2+2").operating("BY", "SX")
    scene.shares("BY", D="20P 10").trains("2", "4").turn("BY", BuyTrains)
    events = scene.do("D buys train 4+4")
    assert only(events, PrussiaOpened).seat == 0
    assert scene.owns("SX") == ""
    assert (scene.deciders(), scene.step()) == ("A", "exchange")
    scene.do("A exchanges 3", "B exchanges nothing")
    assert (scene.held("A", "PR"), scene.owns("PR")) == ("10P 5", "4")
    assert (scene.deciders(), scene.step()) == ("D", "buy-trains")


@pytest.mark.rule("1835:5.5.4.14.3")
def test_with_prussia_open_the_first_4_plus_4_asks_nobody() -> None:
    scene = open_now(before("4+4", A="3", B="4")).money(BY=1500).operating("BY")
    scene.shares("BY", D="20P 10").turn("BY", BuyTrains)
    scene.do("D buys train 4+4")
    assert (scene.deciders(), scene.step()) == ("D", "buy-trains")


# ---- opening


@pytest.mark.rule("1835:4.2")
@pytest.mark.rule("1835:2.6.2.1b")
@pytest.mark.rule("1835:1.2.6")
@pytest.mark.parametrize(("sold", "treasury"), [("", 0), ("10", 154), ("10 10 10 10", 616)])
def test_the_treasury_is_what_was_paid_for_prussian_shares(sold: str, treasury: int) -> None:
    scene = since("4", A="2").shares("PR", B=sold).on(StockRound(3))
    bank = scene.has(BANK)
    scene.do("A opens PR")
    assert scene.has("PR") == treasury + 170
    assert scene.has(BANK) == bank - treasury
    if sold == "10":
        # Shares sold from now on pay Prussia.
        scene.shares("BA", box="20P")
        for company in ("BY", "SX"):
            for name, count in scene.ruleset.certificates(scene.state, "stack", company).items():
                scene.state.ledger.move(f"{company}:{name}", "stack", "box", count)
        scene.do("A buys PR 10")
        assert scene.has("PR") == treasury + 170 + 154


@pytest.mark.rule("1835:4.1")
@pytest.mark.rule("1835:3.2.2d")
def test_the_2_becomes_the_directors_certificate() -> None:
    scene = since("4", A="2").on(StockRound(3))
    exchanged = only(scene.do("A opens PR"), happened.Exchanged)
    assert (exchanged.paper, exchanged.certificate, exchanged.money) == ("2", "10P", 170)
    assert scene.director("PR") == "A"
    assert scene.ruleset.privates_and_minors(scene.state, 0) == []
    assert scene.state.companies["2"].closed
    assert scene.state.layout.stations == [Station("PR", "E19", 0)]


@pytest.mark.rule("1835:4.3")
@pytest.mark.rule("1835:4.8")
def test_the_former_owner_of_the_2_is_asked_first_and_the_director_judged_last() -> None:
    scene = since("4", A="2 5", B="1", D="4").shares("PR", B="10 10").on(StockRound(3))
    scene.do("A opens PR")
    assert (scene.director("PR"), scene.deciders()) == ("A", "A")
    scene.do("A exchanges 5", "B exchanges 1")
    assert scene.director("PR") == "A"
    changed = only(scene.do("D exchanges nothing"), happened.DirectorChanged)
    assert (changed.old, changed.new) == (0, 1)
    assert (scene.held("A", "PR"), scene.held("B", "PR")) == ("10 5", "10P 10 5")


# ---- exchanges


@pytest.mark.rule("1835:4.3")
@pytest.mark.rule("1835:3.1.3.5")
@pytest.mark.rule("1835:3.2.1")
@pytest.mark.rule("1835:terms-1")
@pytest.mark.parametrize(
    ("paper", "certificate"),
    [("1", "5"), ("3", "5"), ("5", "5"), ("6", "5"), ("4", "10"), ("BS", "10"), ("HA", "10")],
)
def test_what_is_given_for_a_paper(paper: str, certificate: str) -> None:
    scene = begin(open_now(since("4", B=paper)))
    exchanged = only(scene.do(f"B exchanges {paper}"), happened.Exchanged)
    assert (exchanged.seat, exchanged.company) == (1, "PR")
    assert scene.held("B", "PR") == certificate
    assert scene.ruleset.privates_and_minors(scene.state, 1) == []


@pytest.mark.rule("1835:4.7")
@pytest.mark.rule("1835:5.3.1")
@pytest.mark.rule("1835:5.3.2")
@pytest.mark.rule("1835:4.8")
def test_later_exchanges_begin_with_the_start_player() -> None:
    """Question 23."""
    scene = open_now(since("4", A="HA 1", B="4", C="NF")).shares("PR", B="10")
    scene.state.priority = 1
    begin(scene)
    assert scene.deciders() == "B"
    events = scene.do("B exchanges 4")
    assert (scene.director("PR"), scene.deciders()) == ("A", "A")
    events += scene.do("A exchanges HA, 1")
    assert not every(events, happened.DirectorChanged)
    assert (scene.held("A", "PR"), scene.held("B", "PR")) == ("10P 10 5", "10 10")
    assert only(events, happened.PrivatesPaid).incomes == (("NF", 2, 5),)


@pytest.mark.rule("1835:4.7")
def test_any_of_the_own_papers_and_each_player_once() -> None:
    scene = begin(open_now(since("4", B="BS 1 NF", D="6")))
    assert scene.can("B") == [
        "exchanges nothing",
        "exchanges BS",
        "exchanges 1",
        "exchanges BS, 1",
    ]
    for papers in ("6", "NF", "1, 6", "1, 1"):
        assert scene.refused(f"B exchanges {papers}") == "4.7"
    nothing = only(scene.do("B exchanges nothing"), happened.NothingExchanged)
    assert (nothing.seat, nothing.rule, scene.deciders()) == (1, "4.7", "D")
    scene.do("D exchanges 6")
    assert scene.step() == "build"


@pytest.mark.rule("1835:4.7")
def test_exchanges_at_the_beginning_of_a_stock_round() -> None:
    scene = open_now(since("4", C="3")).on(StockRound(4))
    assert (scene.deciders(), scene.step()) == ("C", "exchange")
    scene.do("C exchanges 3")
    assert (scene.deciders(), scene.step()) == ("A", "stock-turn")
    assert not scene.state.refused


@pytest.mark.rule("1835:4.4")
@pytest.mark.rule("1835:5.5.2.9")
def test_money_trains_and_markers_pass_to_prussia() -> None:
    scene = open_now(since("4", B="4 5")).money(M4=70, M5=9, PR=100).trains("4", "3", "3+3")
    begin(scene)
    events = scene.do("B exchanges 4, 5")
    assert (scene.has("PR"), scene.has("4"), scene.owns("PR")) == (179, 0, "3 3+3")
    four, five = every(events, happened.StationsTakenOver)
    assert four.replaced == (Station("PR", "G5", 0),)
    # Prussia is in Berlin already: the place of Minor 5 is free.
    assert five.removed == (Station("5", "E19", 1),)
    assert scene.state.layout.stations == [Station("PR", "G5", 0), Station("PR", "E19", 0)]
    assert scene.ruleset.tokens(scene.state, "PR") == 5


@pytest.mark.rule("1835:5.5.2.9")
def test_without_a_marker_left_prussia_replaces_nothing() -> None:
    scene = open_now(since("4", B="4"))
    scene.state.ledger.move("marker:PR", "PR", "map", 6)
    begin(scene)
    scene.do("B exchanges 4")
    assert scene.state.layout.stations == [Station("PR", "E19", 0)]


@pytest.mark.rule("1835:4.8")
@pytest.mark.rule("1835:5.5.4.9")
def test_the_new_director_gives_back_surplus_trains() -> None:
    scene = open_now(since("4", A="5", B="BS 1")).trains("5", "3")
    scene.trains("PR", "2+2", "2+2", "3", "3")
    begin(scene)
    scene.do("A exchanges 5", "B exchanges BS, 1")
    # 15 and 15: A stays director, and chooses among all five trains.
    assert (scene.deciders(), scene.step()) == ("A", "surplus")
    assert scene.can("A") == ["hands in 2+2 of PR", "hands in 3 of PR"]
    scene.do("A hands in 2+2 of PR")
    assert (scene.owns("PR"), scene.owns("pool")) == ("2+2 3 3 3", "2+2")


@pytest.mark.rule("1835:4.8")
@pytest.mark.rule("1835:3.3.8")
def test_the_choice_of_shares_comes_before_surplus_trains() -> None:
    scene = open_now(since("4", B="BS 1 3 6")).trains("1", "3").trains("PR", "2+2", "3", "3", "3+3")
    begin(scene)
    scene.do("B exchanges BS, 1, 3, 6")
    assert (scene.deciders(), scene.can("A")) == ("A", ["takes PR 10", "takes PR 5, 5"])
    scene.do("A takes PR 5, 5")
    assert (scene.held("A", "PR"), scene.held("B", "PR")) == ("5 5", "10P 10 5")
    assert (scene.deciders(), scene.step()) == ("B", "surplus")


@pytest.mark.rule("1835:3.1.2d")
def test_a_private_stays_until_it_is_exchanged() -> None:
    scene = begin(open_now(since("4", B="BS")))
    scene.do("B exchanges nothing")
    assert scene.ruleset.privates_and_minors(scene.state, 1) == ["BS"]
    assert scene.ruleset.shares.count_certificates(scene.state, 1) == 1


# ---- the first 5-train


@pytest.mark.rule("1835:5.5.4.14.4")
@pytest.mark.rule("1835:3.1.3.5")
@pytest.mark.rule("1835:3.1.2d")
@pytest.mark.rule("1835:4.5")
@pytest.mark.rule("1835:4.8")
@pytest.mark.rule("1835:5.5.4.8")
@pytest.mark.rule("1835:5.5.4.9")
@pytest.mark.rule("1835:1.1.4")
def test_the_first_5_train() -> None:
    """Question 22."""
    scene = open_now(before("5", A="BS", B="4 6", C="NF PF", D="OB LD")).shares(
        "PR", B="10", C="10"
    )
    scene.trains("PR", "4", "4", "4+4").trains("4", "3").trains("6", "3+3").trains("HE", "3", "3")
    scene.shares("HE", D="20P 20 10").operating("HE").money(HE=500)
    scene.turn("HE", BuyTrains)
    state = scene.state
    state.round.acted, state.round.paid = ["4", "6"], ["BS", "NF", "PF", "OB", "LD"]
    state.round.ran = {"4": ["3"], "6": ["3+3"]}
    events = scene.do("D buys train 5")
    assert {event.paper for event in every(events, happened.Exchanged)} == {"4", "6", "BS"}
    changed = only(events, happened.DirectorChanged)
    assert (changed.old, changed.new, changed.certificates) == (0, 1, ("10",))
    assert (scene.held("A", "PR"), scene.held("B", "PR")) == ("10 10", "10P 10 5")
    assert set(only(events, happened.PapersClosed).papers) == {"NF", "LD", "OB", "PF"}
    assert [scene.ruleset.privates_and_minors(state, seat) for seat in range(4)] == [[], [], [], []]
    assert (scene.deciders(), scene.can("D")[0]) == ("D", "hands in 3 of HE")
    scene.do("D hands in 3 of HE")
    assert scene.deciders() == "B"
    assert scene.owns("PR") == "3 3+3 4 4 4+4"
    scene.do("B hands in 3, 4 of PR")
    assert scene.ruleset.depot.running_trains(state, "PR") == ["4", "4+4"]
    assert state.refused == {0: 10, 1: 15}
    assert "PR" not in state.round.acted
    assert (state.round.parts, scene.ruleset.phase(state).operating_rounds) == (2, 3)


@pytest.mark.rule("1835:5.5.4.14.4")
@pytest.mark.rule("1835:4.8")
def test_the_choice_of_shares_comes_before_the_new_limits() -> None:
    """Question 22b: B has a 10 and two 5s to give for the director's certificate."""
    scene = (
        open_now(before("5", B="1 3 4")).trains("PR", "4", "4").trains("4", "3").trains("1", "3")
    )
    scene.shares("HE", D="20P 20 10").operating("HE").money(HE=500).turn("HE", BuyTrains)
    scene.do("D buys train 5")
    assert (scene.deciders(), scene.can("A")) == ("A", ["takes PR 10", "takes PR 5, 5"])
    scene.do("A takes PR 5, 5")
    assert (scene.deciders(), scene.step()) == ("B", "surplus")


@pytest.mark.rule("1835:5.5.4.14.4")
def test_a_minor_that_buys_the_first_5_train_is_exchanged() -> None:
    scene = open_now(before("5", B="4")).money(M4=500).turn("4", BuyTrains)
    scene.shares("BY", D="20P 10").operating("BY")
    events = scene.do("B buys train 5")
    assert only(events, happened.Exchanged).trains == ("5",)
    assert scene.owns("PR") == "5"
    # It has not run in this round, so Prussia may run it.
    assert scene.ruleset.depot.running_trains(scene.state, "PR") == ["5"]
    assert [event.company for event in every(events, happened.TurnBegan)] == ["PR"]


@pytest.mark.rule("1835:5.5.4.14.4")
@pytest.mark.rule("1835:4.7")
def test_after_the_first_5_train_nobody_is_asked() -> None:
    scene = open_now(since("5")).on(StockRound(6))
    assert scene.step() == "stock-turn"


# ---- bankruptcy


@pytest.mark.rule("1835:5.5.4.13c")
def test_a_bankrupt_players_papers_are_exchanged_for_the_pool() -> None:
    scene = open_now(since("4", B="NF HA 4")).money(M4=60)
    events = play(scene)
    scene.state.out.append(1)
    prussia.surrender(scene.ruleset, events, 1)
    assert scene.held("pool", "PR") == "10 10"
    assert (scene.has("PR"), scene.ruleset.privates_and_minors(scene.state, 1)) == (60, [])
    assert only(events.events, happened.PapersClosed).papers == ("NF",)


@pytest.mark.rule("1835:5.5.4.13c")
@pytest.mark.rule("1835:5.5.4.9")
def test_trains_of_a_bankrupt_players_minors_may_be_too_many() -> None:
    scene = open_now(since("4", B="4 1")).trains("4", "3").trains("1", "3+3")
    scene.trains("PR", "2+2", "3", "3", "4")
    scene.state.out.append(1)
    prussia.surrender(scene.ruleset, play(scene), 1)
    scene.on()
    assert (scene.deciders(), scene.step()) == ("A", "surplus")
    scene.do("A hands in 2+2, 3 of PR")
    assert (scene.owns("PR"), scene.owns("pool")) == ("3 3 3+3 4", "2+2 3")


@pytest.mark.rule("1835:5.5.4.13c")
def test_before_prussia_is_open_they_wait_for_it() -> None:
    scene = since("4", A="2", B="HA 4")
    scene.state.out.append(1)
    prussia.surrender(scene.ruleset, play(scene), 1)
    assert not scene.ruleset.control.acts(scene.state, "4")
    scene.on(StockRound(4)).do("A opens PR")
    assert scene.held("pool", "PR") == "10 10"
    assert scene.state.companies["4"].closed


@pytest.mark.rule("1835:5.5.4.13c")
def test_without_the_owner_of_the_2_prussia_opens_at_the_next_round() -> None:
    for train, opens in (("3", False), ("4", True)):
        scene = since(train, B="2")
        scene.state.out.append(1)
        prussia.surrender(scene.ruleset, play(scene), 1)
        begin(scene)
        assert prussia.is_open(scene.state) == opens
        assert scene.held("pool", "PR") == ("10P" if opens else "")


@pytest.mark.rule("1835:5.5.4.13c")
@pytest.mark.rule("1835:5.5.4.14.4")
def test_without_the_owner_of_the_2_prussia_opens_with_the_first_5_train_at_the_latest() -> None:
    scene = before("5", B="2 6", C="4").shares("HE", D="20P 20 10").operating("HE").money(HE=500)
    scene.state.out.append(1)
    prussia.surrender(scene.ruleset, play(scene), 1)
    scene.turn("HE", BuyTrains).do("D buys train 5")
    assert (scene.held("pool", "PR"), scene.held("C", "PR")) == ("10 5", "10P")
    assert scene.director("PR") == "C"


@pytest.mark.rule("1835:5.5.4.13c")
@pytest.mark.rule("1835:5.5.4.13d")
def test_who_holds_ten_percent_then_directs_prussia() -> None:
    scene = since("4", B="2").shares("PR", C="10 10", D="10")
    scene.state.out.append(1)
    prussia.surrender(scene.ruleset, play(scene), 1)
    scene.on(StockRound(4))
    assert scene.director("PR") == "C"
    assert (scene.held("C", "PR"), scene.held("pool", "PR")) == ("10P 10", "10")


@pytest.mark.rule("1835:4.4")
def test_money_of_a_minor_pays_off_prussias_debt() -> None:
    scene = open_now(since("4", B="4")).money(M4=70, PR=0)
    scene.state.companies["PR"].debt = 30
    begin(scene)
    scene.do("B exchanges 4")
    assert (scene.has("PR"), scene.state.companies["PR"].debt) == (40, 0)


@pytest.mark.rule("1835:4.3")
def test_who_opens_prussia_is_asked_first_wherever_the_marker_is() -> None:
    scene = since("4", A="2 4", B="5")
    scene.state.priority = 1
    begin(scene)
    scene.do("A opens PR")
    assert scene.deciders() == "A"
