"""What is done with the revenue, and what moves a share price."""

from __future__ import annotations

from typing import Any

import pytest

from kursbuch.core.play import Play
from kursbuch.games.g18xx.actions import EnterRevenue
from kursbuch.games.g18xx.events import DividendPaid, PriceMoved, RunEvent, Withheld
from kursbuch.games.g18xx.g1853.events import PriceLimit
from kursbuch.games.g18xx.rules.dividend_step import pay
from kursbuch.games.g18xx.state import Run
from tests.games.g18xx.g1853.land import land, runs
from tests.games.g18xx.g1853.table import Scene
from tests.happened import every, only

PRICES = [
    *(10, 20, 30, 40, 49, 57, 64, 70, 75, 80, 84, 88, 92, 96, 100, 104, 109, 115, 122, 130),
    *(140, 152, 166, 182, 200, 220, 240, 260, 280, 300, 320, 340, 360, 380, 400),
]


def at(price: int = 80, pool: int = 0) -> Scene:
    """MSM at a price."""
    return Scene().shares("MSM", A=3, B=1, pool=pool).operating(MSM=price).money(MSM=0)


def after(scene: Scene, pays: bool, revenue: int) -> int:
    """The price after a dividend, or after nothing was paid; straight from the market."""
    made = Play(scene.state, scene.position.chance)
    if pays:
        scene.ruleset.market.after_dividend(made, "MSM", revenue)
    else:
        scene.ruleset.market.after_withholding(made, "MSM")
    return scene.price("MSM")


@pytest.mark.rule("1853:4.7", "1853:4.7.1", "1853:example-4.7.1-a")
@pytest.mark.parametrize(
    ("revenue", "boxes"),
    [
        (10, 1),
        (60, 1),
        (79, 1),
        (80, 1),
        (159, 1),
        (160, 2),
        (239, 2),
        (240, 3),
        (320, 4),
        (399, 4),
        (400, 5),
        (480, 5),
        (2000, 5),
    ],
)
def test_a_dividend_raises_the_price(revenue: int, boxes: int) -> None:
    """By the whole dividend against the price of one share before; five boxes at most."""
    for pool in (0, 2):
        scene = at(pool=pool)
        assert after(scene, True, revenue) == PRICES[PRICES.index(80) + boxes]


@pytest.mark.rule("1853:4.7.1", "1853:1-market")
@pytest.mark.parametrize(("pool", "price"), [(0, 80), (1, 75), (5, 75)])
def test_without_a_dividend_shares_in_the_pool_lower_the_price(pool: int, price: int) -> None:
    """Unsold shares of the bank offering make no difference."""
    scene = at(pool=pool)
    assert scene.held("stack", "MSM") > 0
    assert after(scene, False, 0) == price


@pytest.mark.rule("1853:4.7.3")
def test_the_lowest_price() -> None:
    scene = at(10, pool=3)
    assert after(scene, False, 0) == 10
    assert after(scene, True, 10) == 20


@pytest.mark.rule("1853:4.7.2")
def test_a_company_that_is_not_in_operation_has_no_price() -> None:
    scene = Scene().shares("EIR", A=3, pool=2).shares("MSM", A=3).operating("MSM")
    scene.turn("MSM").do("A is done")
    assert scene.price("EIR") == 0
    assert scene.state.companies["EIR"].cell == ""
    assert list(scene.state.chart.values()) == [["MSM"]]


@pytest.mark.rule("1853:4.7.3", "1853:5.1.3", "1853:5.1.1")
@pytest.mark.parametrize(
    ("price", "revenue", "over"),
    [
        (380, 100, True),
        (380, 2000, True),
        (360, 100, False),
        (360, 720, True),
        (240, 1200, False),
        (320, 1280, True),
        (300, 1500, True),
        (280, 1400, False),
    ],
)
def test_400_ends_the_game(price: int, revenue: int, over: bool) -> None:
    """Dividend and mail are paid, the company buys no train, and no one acts any more; a rise beyond 400
    stops there."""
    scene = Scene().shares("EIR", A=3).shares("GIP", B=3).operating("GIP", EIR=price)
    scene.money(EIR=1000, GIP=1000, A=0).state.charters["EIR"].right = "later"
    scene.turn("EIR", Run)
    play: Play[Any] = Play(scene.state, scene.position.chance)
    pay(scene.ruleset, play, "EIR", revenue)
    scene.position.run(play)
    assert scene.has("A") == revenue * 3 // 10
    assert scene.position.over == over
    assert bool(every(play.events, PriceLimit)) == over
    assert (scene.price("EIR") == 400) == over
    assert scene.owns("EIR") == ""


# ---- dividend or treasury

#: Lines that earn EIR 50, with 40 of mail.
LINE = ("H24 69 I23", "I23 H24 H22", "H22 69 I23")


def earning(unsold: int = 4, **shares: int) -> Scene:
    scene = Scene().shares("EIR", **shares).operating("EIR").money(EIR=0, A=0, B=0, C=0)
    scene.state.charters["EIR"].right = "later"
    land(scene, *LINE).trains("EIR", "2")
    assert scene.held("stack", "EIR") == unsold
    return scene.turn("EIR", Run)


@pytest.mark.rule("1853:4.6", "1853:4.6.1", "1853:4.6.4", "1853:4.6.5", "1853:4.6.6")
def test_a_dividend_is_paid_in_full_by_the_bank() -> None:
    """10 percent for every share in hand; what lies in the pool or is unsold brings nothing."""
    scene = earning(3, A=3, B=2, pool=2)
    bank = scene.has("bank")
    scene.state.unredeemed[1] = {"EIR": 1}
    events = scene.do("A pays out")
    assert only(events, DividendPaid).amounts == (15, 5, 0, 0)
    assert only(events, RunEvent).mail == 40
    assert (scene.has("A"), scene.has("B"), scene.has("EIR")) == (15, 5, 40)
    assert scene.has("bank") == bank - 15 - 5 - 40


@pytest.mark.rule("1853:4.6.4", "1853:4.6.6", "1853:4.7.1")
@pytest.mark.parametrize(("pool", "price"), [(0, 100), (2, 96)])
def test_withheld_revenue_goes_into_the_treasury_with_the_mail(pool: int, price: int) -> None:
    scene = earning(7 - pool, A=3, pool=pool)
    assert only(scene.do("A saves"), Withheld).revenue == 50
    assert (scene.has("EIR"), scene.has("A"), scene.price("EIR")) == (90, 0, price)


@pytest.mark.rule("1853:4.6.4")
def test_it_is_all_or_nothing() -> None:
    scene = earning(7, A=3)
    assert scene.can("A") == ["pays out", "saves"]
    assert scene.refused("A is done") == "4.6.4"
    for paid in (True, False):
        assert scene.position.problem(EnterRevenue(0, paid, 30)) is not None
    assert scene.refused("B pays out") == "4.0"


@pytest.mark.rule("1853:4.6.4", "1853:4.7.1", "1853:4.5.1")
@pytest.mark.parametrize(("pool", "price"), [(0, 100), (1, 96)])
def test_no_revenue_is_no_dividend(pool: int, price: int) -> None:
    """No one is asked without runs; runs that are left out pay no dividend either."""
    scene = Scene().shares("EIR", A=3, pool=pool).operating("EIR").money(EIR=0)
    assert scene.turn("EIR", Run).price("EIR") == price
    assert scene.step() != "pay"
    scene = earning(7 - pool, A=3, pool=pool)
    assert scene.refused("A pays out running -") == "4.7.1"
    moved = every(runs(scene, "A saves running -"), PriceMoved)
    assert (len(moved), scene.price("EIR")) == (pool, price)


@pytest.mark.rule("1853:3.4.2", "1853:4.6.6", "1853:4.6.4")
def test_an_operating_manager_withholds() -> None:
    """The mail comes as well."""
    scene = earning(7, A=1, B=1, pool=1)
    assert (scene.director("EIR"), scene.deciders()) == ("", "A")
    assert scene.can("A") == ["saves"]
    assert scene.refused("A pays out") == "3.4.2"
    scene.do("A saves")
    assert (scene.has("EIR"), scene.price("EIR")) == (90, 96)


@pytest.mark.rule("1853:4.6.4", "1853:4.6.5", "1853:4.6.6", "1853:4.7.1")
@pytest.mark.parametrize(
    ("pays", "pool", "price", "treasury"),
    [(True, 2, 88, 60), (False, 2, 75, 230), (False, 0, 80, 230)],
)
def test_dividend_mail_and_price(pays: bool, pool: int, price: int, treasury: int) -> None:
    """Question 24: 170 and 60 of mail at a price of 80; one share is not redeemed, seven are paid for."""
    scene = Scene().shares("EIR", A=4, B=3, C=1, pool=pool).operating(EIR=80).phase("5")
    scene.money(EIR=0, A=0, B=0, C=0).unredeemed("C", EIR=1)
    scene.state.charters["EIR"].right = "later"
    large = [f"{hex} 102" for hex in ("H22", "H24", "I25", "K27", "L26")]
    land(scene, *large, "I23 H22 H24", "J26 I25 K27").trains("EIR", "5").turn("EIR", Run)
    run = "H22/0-I23/0-H24/0-I25/0-J26/0-K27/0-L26/0"
    events = runs(scene, f"A {'pays out' if pays else 'saves'} running {run}")
    assert (only(events, RunEvent).revenue, only(events, RunEvent).mail) == (170, 60)
    paid = (68, 51, 0) if pays else (0, 0, 0)
    assert (scene.has("A"), scene.has("B"), scene.has("C")) == paid
    assert (scene.has("EIR"), scene.price("EIR")) == (treasury, price)


@pytest.mark.rule("1853:4.6.5")
def test_the_dividend_of_the_index() -> None:
    """120: three shares, two of which one is unredeemed, two in the pool, three unsold."""
    scene = Scene().shares("MSM", A=3, B=2, pool=2).operating("MSM").unredeemed("B", MSM=1)
    market = scene.ruleset.market
    assert [
        market.dividend_percent(scene.state, "MSM", seat) * 120 // 100 for seat in range(3)
    ] == [36, 12, 0]


@pytest.mark.rule("1853:4.7.1", "1853:4.8.1")
def test_the_price_moves_before_trains_are_bought() -> None:
    scene = earning(7, A=3)
    scene.money(EIR=400)
    scene.do("A pays out")
    assert (scene.step(), scene.price("EIR")) == ("buy-trains", 104)
