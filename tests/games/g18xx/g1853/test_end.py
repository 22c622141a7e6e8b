"""Prices of 1853 after dividends, the end of the game, the result."""

from __future__ import annotations

from typing import Any

import pytest

from kursbuch.core.events import Event
from kursbuch.core.play import Play
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.g1853.events import PriceLimit
from kursbuch.games.g18xx.rules.dividend_step import pay, withhold
from kursbuch.games.g18xx.state import BuyTrains, EndGame, EndTurn, NextCompany, Round, Run
from tests.games.g18xx.g1853.table import Scene
from tests.happened import every, only


def settled(
    scene: Scene, company: str, revenue: int, mail: int = 0, *, pays: bool = True
) -> list[Event]:
    """A company's trains have run for so much; it pays that out or saves it. Returns what happens."""
    state = scene.state
    state.round = Round(2, 1, scene.ruleset.phase(state).operating_rounds)
    names = list(scene.ruleset.public)
    state.round.acted = names[: names.index(company)]
    state.agenda[:] = [NextCompany(), EndTurn(company), BuyTrains(company)]
    play: Play[Any] = Play(state, scene.position.chance, scene.title.rules.stated)
    state.ledger.move("money", "bank", company, mail)
    (pay if pays else withhold)(scene.ruleset, play, company, revenue)
    scene.title.after_step(play)
    scene.position.run(play)
    return play.events


def running(price: int, **pool: int) -> Scene:
    """NWR, which A directs, runs for 40 between Lahore and Rawalpindi."""
    scene = at(price, **pool).trains("NWR", "2").money(A=0)
    return scene.track("standard", "B10", "C11").turn("NWR", Run)


def at(price: int, **pool: int) -> Scene:
    """NWR at a price, three shares with A; no one else takes part."""
    return Scene().shares("NWR", A=3, **pool).operating(NWR=price)


def after(events: list[Event]) -> int:
    """How the price moved, as the new price; 0 if it did not."""
    moves = every(events, happened.PriceMoved)
    return moves[-1].price if moves else 0


@pytest.mark.rule("1853:4.7.1", "1853:4.6.5", "1853:4.6.6", "1853:2.7.3", "1853:4.6.4")
def test_dividend_and_price() -> None:
    """Question 24: price 80, revenue 170 and mail 60; two shares in the pool, one unredeemed."""

    def company() -> Scene:
        scene = Scene().shares("MSM", A=4, B=4, pool=2).unredeemed("B", MSM=1).operating(MSM=80)
        return scene.money(A=0, B=0)

    scene = company()
    events = settled(scene, "MSM", 170, 60)
    paid = only(events, happened.DividendPaid)
    assert (paid.amounts, paid.treasury) == ((68, 51, 0, 0), 0)
    assert (scene.has("A"), scene.has("B"), scene.has("MSM")) == (68, 51, 60)
    assert after(events) == 88
    scene = company()
    events = settled(scene, "MSM", 170, 60, pays=False)
    assert (scene.has("MSM"), after(events)) == (230, 75)
    scene = Scene().shares("MSM", A=4, B=3).operating(MSM=80)
    events = settled(scene, "MSM", 170, pays=False)
    assert (after(events), scene.price("MSM")) == (0, 80), "unsold shares make no difference"


@pytest.mark.rule("1853:4.7.1", "1853:example-4.7.1-a")
@pytest.mark.parametrize(
    ("revenue", "price"),
    [
        (10, 84),
        (60, 84),
        (150, 84),
        (160, 88),
        (230, 88),
        (240, 92),
        (320, 96),
        (400, 100),
        (900, 100),
    ],
)
def test_how_far_a_dividend_raises_the_price(revenue: int, price: int) -> None:
    scene = at(80)
    assert after(settled(scene, "NWR", revenue)) == price


@pytest.mark.rule("1853:4.7.3", "1853:1-market")
def test_the_price_does_not_fall_below_ten() -> None:
    scene = at(10, pool=1)
    assert after(settled(scene, "NWR", 10, pays=False)) == 0
    assert scene.price("NWR") == 10
    scene = at(20, pool=1)
    assert after(settled(scene, "NWR", 10, pays=False)) == 10


@pytest.mark.rule("1853:5.1.1", "1853:5.1.3", "1853:1-flow-b", "1853:4.7.3")
def test_a_price_of_400_ends_the_game_at_once() -> None:
    """Question 25: BNR has paid dividend and mail; it buys no train, and no one else acts."""
    scene = Scene().shares("BNR", A=3).shares("SIR", B=3).operating(BNR=380, SIR=75)
    scene.money(A=0, BNR=1000)
    events = settled(scene, "BNR", 100, 60)
    assert only(events, PriceLimit).company == "BNR"
    assert (scene.price("BNR"), scene.has("BNR")) == (400, 1060)
    assert scene.position.over
    assert scene.position.result is not None
    assert scene.position.result.scores[0] == 30 + 3 * 400
    assert [type(event) for event in events] == [
        happened.DividendPaid,
        happened.PriceMoved,
        PriceLimit,
        happened.Ended,
    ]


@pytest.mark.rule("1853:5.1.3", "1853:4.7.3")
def test_a_price_of_400_in_the_course_of_a_turn() -> None:
    scene = running(380)
    events = scene.do("A pays out")
    assert only(events, happened.DividendPaid).revenue == 40
    assert scene.has("A") == 12
    assert scene.has("NWR") == 40, "the mail has been paid"
    assert scene.position.over


@pytest.mark.rule("1853:5.1.3")
@pytest.mark.parametrize(("price", "over"), [(360, False), (380, True)])
def test_a_rise_stops_at_400(price: int, over: bool) -> None:
    scene = at(price)
    settled(scene, "NWR", 10)
    assert (scene.price("NWR"), scene.position.over) == ((400 if over else 380), over)
    scene = at(360)
    settled(scene, "NWR", 5000)
    assert (scene.price("NWR"), scene.position.over) == (400, True)


@pytest.mark.rule("1853:5.1.2", "1853:5.1.1")
def test_the_bank_breaks_in_an_operating_round() -> None:
    """Question 25: phase 4, round 1 of 3. The dividend is paid in full, the companies after it act,
    then the game is over, though the bank has money again."""
    scene = Scene().phase("4").shares("NWR", A=3).shares("SIR", B=3).shares("EIR", C=3)
    scene.operating("EIR", "NWR", "SIR").money(A=0, NWR=0).bank(50)
    events = settled(scene, "NWR", 300)
    assert not only(events, happened.BankBroken).in_stock_round
    assert scene.has("A") == 90
    assert scene.has("bank") == -40
    assert scene.state.round.parts == 3
    events += scene.do("A is done") if scene.deciders() == "A" else []
    assert "SIR" in [event.company for event in every(events, happened.TurnBegan)]
    scene.money(B=0, C=0, D=0)
    assert scene.has("bank") > 0
    while not scene.position.over:
        assert scene.deciders() == "B"
        line = next(line for line in scene.can("B") if line == "is done" or "saves" in line)
        scene.do(f"B {line}")


@pytest.mark.rule("1853:5.1.2")
@pytest.mark.parametrize(("bank", "broken"), [(31, ""), (30, "operating"), (29, "operating")])
def test_the_bank_is_broken_at_zero(bank: int, broken: str) -> None:
    scene = at(80).bank(bank)
    settled(scene, "NWR", 100)
    assert scene.state.broken == broken


@pytest.mark.rule("1853:5.1.2")
def test_the_bank_breaks_in_a_stock_round() -> None:
    """Question 25: by ten times par for a new company. The round is played to its end, and the game
    is over without an operating round."""
    scene = Scene(3).shares("EIR", A=3, B=2).bank(899).stock("C")
    events = scene.do("C buys EIR 10")
    assert only(events, happened.BankBroken).in_stock_round
    assert (scene.has("EIR"), scene.has("bank")) == (1000, -1)
    assert (scene.step(), scene.deciders()) == ("stock-turn", "C")
    scene.do("C is done", "A buys GIP 10", "A is done", "B is done", "C is done")
    events = scene.do("A is done")
    assert not every(events, happened.OperatingRoundBegan)
    assert scene.position.over


@pytest.mark.rule("1853:5.1.2", "1853:1-money-option", "1853:2.9.1")
def test_the_bank_breaks_at_the_end_of_the_first_stock_round() -> None:
    """By the money of the companies that begin then: the game ends after that round."""
    scene = Scene(4).shares("EIR", A=3, B=2).first_round().bank(1000)
    for name in "ABC":
        scene.do(f"{name} is done")
    events = scene.do("D is done")
    assert scene.has("EIR") == 1000
    assert only(events, happened.BankBroken).in_stock_round
    assert not every(events, happened.OperatingRoundBegan)
    assert scene.position.over


@pytest.mark.rule("1853:5.2.1", "1853:5.2.2", "1853:1-flow-b")
def test_the_example_of_the_wealth() -> None:
    """1500, five shares at 320, three at 109 and a contract with a bond of 130 make 3427; money and
    trains of companies count nothing."""
    scene = Scene().shares("EIR", A=5).shares("SIR", A=3).operating(EIR=320, SIR=109)
    scene.contract("A", 130, "Lahore", "Delhi", "Madras").money(A=1500, EIR=5000).trains("EIR", "5")
    ended = scene.on(EndGame())
    assert ended.position.result is not None
    assert ended.position.result.scores[0] == 3427


@pytest.mark.rule("1853:5.2.1", "1853:2.7.3", "1853:3.1.7")
def test_par_without_a_price_and_nothing_for_unredeemed_shares() -> None:
    """Question 25."""
    scene = Scene().shares("GIP", A=2).shares("NWR", B=4).operating(NWR=200)
    scene.unredeemed("B", NWR=1).money(A=0, B=0, C=0, D=0).on(EndGame())
    assert scene.position.result is not None
    assert scene.position.result.scores == (192, 600, 0, 0)
    scene = Scene().shares("GIP", A=2).unredeemed("A", GIP=2).money(A=7).on(EndGame())
    assert scene.position.result is not None
    assert scene.position.result.scores[0] == 7


@pytest.mark.rule("1853:5.2.3", "1853:1-flow-b")
def test_the_richest_wins_and_equals_share() -> None:
    scene = Scene().money(A=5, B=800, C=800, D=799).on(EndGame())
    assert scene.position.result is not None
    assert scene.position.result.winners == (1, 2)
    scene = Scene().money(A=5, B=800, C=801, D=799).on(EndGame())
    assert scene.position.result is not None
    assert scene.position.result.winners == (2,)


@pytest.mark.rule("1853:5.1.2", "1853:4.9")
def test_the_series_goes_on_while_the_bank_has_money() -> None:
    scene = Scene().phase("4")
    scene.state.round = Round(2, 1, 3)
    scene.on(NextCompany())
    assert scene.state.round.part == 3
    assert scene.step() == "extra-round"
