"""Stock rounds of 1853: turns, limits, what is on sale, prices, redeeming."""

from __future__ import annotations

import random

import pytest

from kursbuch.core.actions import Action
from kursbuch.core.game import Game
from kursbuch.core.play import Play
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.actions import BuyShare, SellShares
from kursbuch.games.g18xx.g1853 import TITLE
from kursbuch.games.g18xx.g1853.actions import Redeem
from kursbuch.games.g18xx.g1853.events import SharesRedeemed
from kursbuch.games.g18xx.state import StockTurn
from tests.games.g18xx.g1853.table import Scene
from tests.games.g18xx.scene import NAMES
from tests.happened import every, only


def sales(scene: Scene, name: str) -> list[str]:
    return [line for line in scene.can(name) if line.startswith("sells")]


def bought(scene: Scene, name: str) -> set[str]:
    """The companies of which a player can buy a share, from anywhere."""
    return {line.split()[1] for line in scene.can(name) if line.startswith("buys")}


# ---- turns


@pytest.mark.rule("1853:3.0", "1853:3.1", "1853:3.1.1")
def test_the_example_of_the_end_of_a_round() -> None:
    """Three players: A buys, B sells, C and A pass; the round is over, and B has the elephant."""
    scene = Scene(3).shares("SIR", B=3).operating("SIR").stock()
    scene.do("A buys EIR 10", "A is done", "B sells SIR 10", "B is done", "C is done")
    assert scene.step() == "stock-turn"
    ended = only(scene.do("A is done"), happened.StockRoundEnded)
    assert ended.seat == 1
    assert (scene.elephant(), scene.step()) == ("B", "sell-elephant")


@pytest.mark.rule("1853:3.0")
def test_who_passed_may_buy_again() -> None:
    scene = Scene(3).stock()
    scene.do("A is done", "B is done", "C buys EIR 10", "C is done")
    assert scene.deciders() == "A"
    scene.do("A buys EIR 10", "A is done", "B is done", "C is done")
    assert (scene.step(), scene.deciders()) == ("stock-turn", "A")
    scene.do("A is done")
    assert scene.elephant() == "B"


@pytest.mark.rule("1853:3.1.1", "1853:2.5.3")
def test_turns_go_by_the_bonds() -> None:
    scene = Scene(4)
    scene.state.seating = [2, 0, 3, 1]
    scene.stock("C")
    order = ""
    for _ in range(3):
        order += scene.deciders()
        scene.do(f"{scene.deciders()} is done")
    assert order == "CAD"
    assert scene.refused("A buys EIR 10") == "3.1.1"
    scene.do("B buys EIR 10", "B is done", "C is done", "A is done", "D is done", "B is done")
    assert scene.elephant() == "C", "to the left of B sits C"


@pytest.mark.rule("1853:3.0", "1853:3.1.5", "1853:3.1.6", "1853:3.1.9")
def test_one_purchase_and_any_number_of_sales_in_any_order() -> None:
    scene = Scene().shares("SIR", A=3).shares("MSM", A=3).operating("SIR", "MSM").stock()
    scene.do("A sells SIR 10, 10", "A buys EIR 10")
    assert scene.refused("A buys GIP 10") == "3.0"
    scene.do("A sells MSM 10", "A sells SIR 10", "A sells MSM 10, 10")
    assert scene.pool("SIR") == 3
    assert scene.has("A") == 570 + 3 * 75 + 3 * 80 - 100
    scene.do("A is done")
    assert scene.deciders() == "B"


@pytest.mark.rule("1853:3.1.9")
def test_never_buying_and_selling_one_company_in_a_turn() -> None:
    scene = Scene().shares("GIP", A=3).operating("GIP").stock()
    scene.do("A buys GIP 10")
    assert scene.refused("A sells GIP 10") == "3.1.9"
    scene = Scene().shares("GIP", A=3).operating("GIP").stock()
    scene.do("A sells GIP 10")
    assert scene.refused("A buys GIP 10") == "3.1.9"
    assert scene.refused("A buys GIP 10 from the pool") == "3.1.9"


@pytest.mark.rule("1853:3.1.9", "1853:2.8.1")
def test_no_buying_back_in_the_same_round() -> None:
    """The example; in the next round he may."""
    scene = Scene(3).shares("GIP", A=3).operating("GIP").stock()
    scene.do("A sells GIP 10", "A is done", "B buys GIP 10 from the pool", "B is done", "C is done")
    assert scene.refused("A buys GIP 10") == "3.1.9"
    scene.do("A is done", "B is done")
    scene.state.agenda.clear()
    scene.stock("A", number=3).do("A buys GIP 10")


@pytest.mark.rule("1853:3.1.9")
def test_a_share_bought_in_an_earlier_turn_can_be_sold() -> None:
    scene = Scene(3).shares("GIP", A=3).operating("GIP").stock()
    scene.do("A buys GIP 10", "A is done", "B is done", "C is done")
    scene.do("A sells GIP 10, 10, 10, 10")
    assert scene.has("A") == 730 - 96 + 4 * 96


@pytest.mark.rule("1853:3.1.1")
def test_players_do_not_trade_with_each_other() -> None:
    scene = Scene().shares("GIP", A=5, B=3).operating("GIP").stock()
    kinds = {line.split()[0] for line in scene.can("A")}
    assert kinds == {"buys", "sells", "is"}
    assert scene.refused("A offers 20 for train 2 of GIP") == "3.0"


@pytest.mark.rule("1853:3.0", "1853:3.1.12", "1853:3.5")
def test_an_operating_round_follows() -> None:
    scene = Scene().shares("ECR", A=3).shares("GIP", B=3).operating("ECR", "GIP").stock()
    for name in "ABCD":
        scene.do(f"{name} is done")
    began = scene.do("A is done")
    assert only(began, happened.OperatingRoundBegan).part == 1
    assert only(began, happened.TurnBegan).company == "GIP", "the order of table 1"


@pytest.mark.rule("1853:3.0")
def test_who_can_do_nothing_is_passed_over() -> None:
    scene = Scene(3).money(B=0).stock()
    scene.do("A is done")
    assert scene.deciders() == "C"


# ---- what is on sale, and for how much


@pytest.mark.rule("1853:3.1.4", "1853:3.1.7")
def test_new_shares_cost_par_and_the_pool_the_market_price() -> None:
    """The example: BNR, par 88, at 122. The bank gets the money."""
    scene = Scene().shares("BNR", B=3, pool=2).operating(BNR=122).stock()
    bank = scene.has("bank")
    only(scene.do("A buys BNR 10"), happened.ShareBought)
    assert (scene.has("A"), scene.has("bank"), scene.has("BNR")) == (482, bank + 88, 0)
    scene.do("A is done", "B sells BNR 10")
    assert scene.has("B") == 570 + 122
    scene.do("B is done", "C buys BNR 10 from the pool")
    assert scene.has("C") == 570 - 122
    assert scene.price("BNR") == 122, "neither purchases nor sales move it"


@pytest.mark.rule("1853:3.1.4")
def test_everything_is_paid_at_once() -> None:
    scene = Scene().money(A=87).shares("SIR", A=1).operating("SIR").stock()
    assert scene.refused("A buys BNR 10") == "3.1.4"
    scene = Scene().money(A=88).stock()
    scene.do("A buys BNR 10")
    assert scene.has("A") == 0


@pytest.mark.rule("1853:3.1.5", "1853:1-bank-pool")
def test_the_pool_has_no_limit_and_a_sale_moves_no_price() -> None:
    scene = Scene().shares("SIR", A=5, pool=5).operating(SIR=109).stock()
    only(scene.do("A sells SIR 10, 10, 10, 10, 10"), happened.SharesSold)
    assert (scene.pool("SIR"), scene.price("SIR"), scene.has("A")) == (10, 109, 570 + 545)


@pytest.mark.rule("1853:3.1.5", "1853:4.7.1")
def test_the_end_of_a_stock_round_moves_no_price() -> None:
    """All shares are with players."""
    scene = Scene().shares("SIR", A=5, B=5).operating("SIR")
    assert not every(scene.ended(), happened.PriceMoved)
    assert scene.price("SIR") == 75


@pytest.mark.rule("1853:3.1.7")
def test_buying_from_the_pool_keeps_the_round_going() -> None:
    scene = Scene(3).shares("SIR", pool=2).stock()
    scene.do("A is done", "B is done", "C buys SIR 10 from the pool", "C is done")
    assert scene.has("C") == 730 - 75, "par, because there is no price yet"
    scene.do("A is done", "B is done", "C is done")
    assert scene.elephant() == "A"


@pytest.mark.rule("1853:3.1.3", "1853:2.7.6", "1853:3.1.10")
def test_the_second_group_opens_when_the_first_is_issued() -> None:
    """Also within a round, and shares in the pool are issued."""
    scene = Scene().shares("SIR", A=3, B=3, C=3).shares("GIP", pool=1).operating("SIR")
    scene.state.first_group = ["SIR"]
    scene.stock("D")
    assert scene.refused("D buys EIR 10") == "3.1.3"
    assert bought(scene, "D") == {"SIR", "GIP"}, "GIP lies in the pool"
    scene.do("D buys SIR 10", "D is done")
    assert bought(scene, "A") == {*scene.ruleset.public} - {"SIR"}
    scene.do("A sells SIR 10")
    assert scene.held("stack", "SIR") == 0
    assert "EIR" in bought(scene, "A")


@pytest.mark.rule("1853:3.1.3", "1853:1-shares", "1853:3.2.1")
def test_the_two_shares_a_director_gives_back_have_to_be_sold_too() -> None:
    """Eight single papers are out; the company has a director, so two more are on sale."""
    scene = Scene().shares("SIR", A=4, B=4).operating("SIR")
    scene.state.first_group = ["SIR"]
    scene.stock("C")
    assert bought(scene, "C") == {"SIR"}
    scene.do("C buys SIR 10", "C is done", "D buys SIR 10", "D is done")
    assert "EIR" in bought(scene, "A")


@pytest.mark.rule("1853:3.1.3", "1853:1-shares")
def test_a_managers_company_holds_up_the_second_group() -> None:
    """No one has two of the eight shares that are out: the paper of two lies in the offering."""
    scene = Scene(6).shares("SIR", A=1, B=1, C=1, D=1, pool=4).operating("SIR")
    scene.state.first_group = ["SIR"]
    scene.stock("E").money(E=1000)
    assert scene.refused("E buys SIR 10") == "1-shares"
    assert scene.refused("E buys EIR 10") == "3.1.3"
    assert bought(scene, "E") == {"SIR"}, "from the pool"


# ---- limits


@pytest.mark.rule("1853:3.1.2", "1853:table-3")
@pytest.mark.parametrize(
    ("players", "most", "papers"), [(3, 6, 21), (4, 6, 16), (5, 5, 13), (6, 4, 11)]
)
def test_both_limits(players: int, most: int, papers: int) -> None:
    scene = Scene(players).shares("EIR", A=most).stock().money(A=500)
    assert scene.refused("A buys EIR 10") == "3.1.2"
    scene = Scene(players).shares("EIR", A=most - 1).stock().money(A=500)
    scene.do("A buys EIR 10")
    scene = Scene(players).fill("A", papers, "SIR", "ECR", "MSM", "NWR", "BNR").stock().money(A=500)
    assert scene.refused("A buys EIR 10") == "3.1.2"
    scene = Scene(players).fill("A", papers - 1, "SIR", "ECR", "MSM", "NWR", "BNR").stock()
    scene.money(A=500).do("A buys EIR 10")


@pytest.mark.rule("1853:3.1.2")
def test_the_example_of_the_certificate_limit() -> None:
    """Thirteen single and two directors' papers above 40 and three singles at 40: 15 count of 16."""
    scene = Scene().shares("EIR", A=5).shares("GIP", A=5).shares("NWR", A=5, B=1).shares("BNR", A=2)
    scene.shares("SIR", A=3, B=4).operating("EIR", "GIP", SIR=40)
    assert scene.ruleset.shares.count_certificates(scene.state, 0) == 4 + 4 + 5 + 2
    scene.stock().do("A buys BNR 10")
    assert scene.ruleset.shares.count_certificates(scene.state, 0) == 16


@pytest.mark.rule("1853:3.1.2")
@pytest.mark.parametrize(("price", "counts"), [(30, False), (40, False), (49, True)])
def test_cheap_is_forty_or_less(price: int, counts: bool) -> None:
    scene = Scene().shares("SIR", A=3, B=4).operating(SIR=price)
    assert scene.ruleset.shares.count_certificates(scene.state, 0) == 3 * counts


@pytest.mark.rule("1853:3.1.2")
def test_cheap_shares() -> None:
    """Question 12: five players; MSM stands at 40, and later above."""
    scene = Scene(5).fill("A", 13, "SIR", "ECR", "BBCI").shares("MSM", A=5, B=1).operating(MSM=40)
    scene.stock().money(A=200)
    assert scene.refused("A buys EIR 10") == "3.1.2"
    scene.do("A buys MSM 10", "A is done")
    assert scene.held("A", "MSM") == 6
    again = Scene(5).shares("MSM", A=6, B=1).operating(MSM=40).stock()
    again.do("A buys MSM 10")
    scene.state.agenda.clear()
    play = Play(scene.state, scene.position.chance)
    scene.ruleset.market.move_price(play, "MSM", "E1", "dividend", "price-after-dividend")
    assert scene.price("MSM") == 49
    scene.stock("A", number=3)
    assert scene.refused("A is done") == "3.1.2"
    assert scene.refused("A buys MSM 10") == "3.1.2"
    assert scene.refused("A sells SIR 10") == "3.1.2", "first those of which he has too many"
    scene.do("A sells MSM 10")
    # Five shares of the MSM, of which A is director, are four papers: 17 of 13.
    for company in ("SIR", "ECR", "BBCI", "MSM"):
        assert scene.refused("A is done") == "3.1.2"
        scene.do(f"A sells {company} 10")
    assert scene.ruleset.shares.count_certificates(scene.state, 0) == 13
    assert "A is done" in [f"A {line}" for line in scene.can("A")]


@pytest.mark.rule("1853:3.2.3", "1853:3.1.2")
def test_limits_around_a_change_of_director() -> None:
    """Question 11: four players, 16 certificates."""
    scene = Scene().shares("GIP", A=3, B=3).operating("GIP")
    scene.fill("A", 16, "EIR", "SIR", "ECR").fill("B", 16, "NWR", "MSM", "BBCI")
    scene.money(A=500, B=500).stock("B")
    assert scene.refused("B buys GIP 10") == "3.1.2"
    scene = Scene().shares("GIP", A=3, B=3).operating("GIP")
    scene.fill("A", 16, "EIR", "SIR", "ECR").fill("B", 15, "NWR", "MSM", "BBCI")
    scene.money(A=500, B=500).stock("B").do("B buys GIP 10")
    assert scene.director("GIP") == "B"
    assert [scene.ruleset.shares.count_certificates(scene.state, seat) for seat in (0, 1)] == [
        17,
        15,
    ]
    scene.do("B is done", "C is done", "D is done")
    assert scene.refused("A is done") == "3.1.2"
    assert scene.refused("A buys BNR 10") == "3.1.2"
    scene.do("A sells EIR 10")
    assert scene.refused("A buys BNR 10") == "3.1.2", "now he has 16"
    scene.do("A sells EIR 10", "A buys BNR 10", "A is done")


@pytest.mark.rule("1853:3.1.2")
def test_nobody_has_to_sell_what_does_not_count() -> None:
    """A is above the limit, and can sell nothing but shares at 40: he need not."""
    scene = Scene(6).shares("MSM", A=2, B=3).operating(MSM=40)
    scene.fill("A", 12, "EIR", "GIP", "NWR").unredeemed("A", EIR=4, GIP=4, NWR=4)
    scene.stock().money(A=10)
    assert scene.refused("A buys MSM 10") == "3.1.2"
    assert scene.can("A") == ["sells MSM 10", "sells MSM 10, 10", "is done"]
    # The same with shares that could be sold if their company had not been founded in this round.
    scene.state.unredeemed[0] = {"EIR": 4, "NWR": 4}
    scene.state.founded = ["GIP"]
    assert scene.can("A") == ["sells MSM 10", "sells MSM 10, 10", "is done"]


# ---- redeeming


@pytest.mark.rule("1853:2.7.4", "1853:3.0")
def test_redeeming_inside_a_turn() -> None:
    """Question 5: sell two for 300, redeem three for 225, and buy another share for up to 95."""
    scene = Scene().money(A=20).shares("EIR", A=1, B=3).shares("NWR", A=1, B=3)
    scene.shares("MSM", A=1).shares("SIR", A=1).shares("ECR", A=1)
    scene.operating(EIR=200, NWR=100).unredeemed("A", MSM=1, SIR=1, ECR=1).stock()
    assert not bought(scene, "A")
    scene.do("A sells EIR 10", "A sells NWR 10")
    assert scene.has("A") == 320
    scene.do("A redeems 1 of ECR", "A redeems 1 of MSM")
    assert scene.refused("A buys BNR 10") == "2.7.4"
    scene.do("A redeems 1 of SIR")
    assert (scene.has("A"), scene.state.unredeemed[0]) == (95, {})
    assert scene.refused("A redeems 1 of SIR") == "2.7.4"
    assert scene.refused("A buys GIP 10") == "3.1.4", "it costs 96"
    scene.do("A buys BNR 10", "A is done")
    assert scene.deciders() == "B"


@pytest.mark.rule("1853:2.7.4", "1853:3.1.9")
def test_redeeming_is_possible_where_shares_were_sold() -> None:
    """Question 5: of two NWR shares one is sold and the other redeemed, and sold as well."""
    scene = (
        Scene().money(A=0).shares("NWR", A=2, B=3).operating("NWR").unredeemed("A", NWR=1).stock()
    )
    assert sales(scene, "A") == ["sells NWR 10"]
    scene.do("A sells NWR 10", "A redeems 1 of NWR")
    assert scene.has("A") == 0
    assert scene.refused("A buys NWR 10") == "3.1.9"
    scene.do("A sells NWR 10")
    assert scene.has("A") == 92


@pytest.mark.rule("1853:2.7.4", "1853:3.0")
def test_redeeming_is_a_pass() -> None:
    """Question 5: it can end the round, and who does it is not the last buyer."""
    scene = Scene(3).shares("ECR", B=2).unredeemed("B", ECR=2).stock("A")
    scene.do("A buys EIR 10", "A is done")
    redeemed = only(scene.do("B redeems 2 of ECR"), SharesRedeemed)
    assert (redeemed.count, redeemed.price) == (2, 140)
    scene.do("B is done", "C is done", "A is done")
    assert scene.step() == "sell-elephant"
    assert scene.elephant() == "B", "to the left of A, who bought last"


@pytest.mark.rule("1853:2.7.4")
def test_any_number_in_any_order_as_long_as_the_money_lasts() -> None:
    scene = Scene().money(A=170).shares("SIR", A=3).shares("ECR", A=1).unredeemed("A", SIR=3, ECR=1)
    scene.stock()
    assert scene.can("A") == [
        "redeems 1 of SIR",
        "redeems 2 of SIR",
        "redeems 1 of ECR",
        "is done",
    ]
    assert scene.refused("A redeems 3 of SIR") == "3.1.4"
    assert scene.refused("A redeems 0 of SIR") == "2.7.4"
    assert scene.refused("A redeems 4 of SIR") == "2.7.4"
    bank = scene.has("bank")
    scene.do("A redeems 2 of SIR")
    assert (scene.has("A"), scene.has("bank")) == (20, bank + 150)
    assert scene.state.unredeemed[0] == {"SIR": 1, "ECR": 1}


@pytest.mark.rule("1853:2.7.4")
def test_redeeming_costs_par_whatever_the_price() -> None:
    scene = Scene().money(A=100).shares("SIR", A=1, B=3).operating(SIR=109).unredeemed("A", SIR=1)
    scene.stock().do("A redeems 1 of SIR")
    assert scene.has("A") == 25


@pytest.mark.rule("1853:2.7.4")
def test_who_can_only_redeem_is_asked() -> None:
    scene = Scene(3).money(B=80).shares("SIR", B=1).unredeemed("B", SIR=1).stock()
    scene.do("A is done")
    assert scene.deciders() == "B"


@pytest.mark.rule("1853:3.1.2", "1853:2.7.4")
def test_selling_down_comes_before_redeeming() -> None:
    scene = Scene(6).fill("A", 12, "EIR", "GIP", "NWR").unredeemed("A", NWR=1).stock()
    assert scene.refused("A redeems 1 of NWR") == "3.1.2"
    scene.do("A sells EIR 10", "A redeems 1 of NWR")


@pytest.mark.rule("1853:3.1.2")
def test_above_both_limits_the_company_comes_first() -> None:
    """Five shares of one company are one too many with six players, and twelve papers, too."""
    scene = Scene(6).shares("GIP", A=5).fill("A", 12, "EIR", "NWR").stock()
    assert sales(scene, "A")[0] == "sells GIP 10"
    assert scene.refused("A sells EIR 10") == "3.1.2"
    scene.do("A sells GIP 10", "A is done")


# ---- founding in a later round


@pytest.mark.rule("1853:3.1.8", "1853:3.2", "1853:3.2.1", "1853:3.3", "1853:3.3.1", "1853:3.3.2")
def test_a_founding_in_a_later_round() -> None:
    scene = Scene(4).shares("GIP", A=2, B=2).money(C=500).stock("B")
    scene.do("B sells GIP 10", "B is done")
    events = scene.do("C buys GIP 10")
    changed = only(events, happened.DirectorChanged)
    assert (changed.company, changed.old, changed.new) == ("GIP", None, 0)
    assert only(events, happened.Floated).treasury == 960
    assert (scene.director("GIP"), scene.has("GIP"), scene.price("GIP")) == ("A", 960, 96)
    assert [(one.hex, one.stop) for one in scene.state.layout.stations] == [("H20", 0), ("M9", 1)]
    scene.do("C is done", "D is done")
    for name in "AB":
        assert scene.refused(f"{name} sells GIP 10") == "3.1.8"
        scene.do(f"{name} is done")
    scene.do("C is done")
    scene.state.agenda.clear()
    scene.state.founded = []
    scene.stock("A", number=3).do("A sells GIP 10")
    assert scene.has("A") == 570 + 96


@pytest.mark.rule("1853:3.1.8", "1853:3.2.2")
def test_the_ban_also_holds_under_a_manager() -> None:
    scene = Scene(5).shares("GIP", A=1, B=1, C=1, D=1).stock("E")
    events = scene.do("E buys GIP 10")
    found = only(events, happened.ManagerFound)
    assert (found.seat, found.rule) == (0, "3.2.2")
    assert (scene.director("GIP"), scene.has("GIP")) == ("", 960)
    scene.do("E is done")
    assert scene.refused("A sells GIP 10") == "3.1.8"


@pytest.mark.rule("1853:3.1.8")
def test_the_ban_ends_with_the_round() -> None:
    """The next stock round begins by itself after the operating rounds."""
    scene = Scene(3).shares("ECR", A=4, B=1).money(B=500, C=0).stock("B")
    scene.do("B buys ECR 10", "B is done", "A is done", "B is done")
    assert scene.elephant() == "C"
    assert (scene.has("ECR"), scene.price("ECR")) == (700, 70), "it began once, in the round"
    assert len(scene.state.layout.stations) == 1
    scene.do("C is done")
    while scene.step() != "extra-round":
        (line, *_) = [line for line in scene.can("A") if line == "is done"] or scene.can("A")
        scene.do(f"A {line}")
    scene.do("C orders no operating round")
    assert (scene.state.round.number, scene.step()) == (3, "stock-turn")
    assert scene.state.founded == []
    assert "sells ECR 10" in scene.can("A")


# ---- what is offered is what is allowed


@pytest.mark.parametrize("seed", range(6))
def test_offers_and_refusals_agree(seed: int) -> None:
    """In random games every purchase, sale and redemption is either offered or refused."""
    players = 3 + seed % 4
    rng = random.Random(seed)
    game = Game(TITLE, list(NAMES[:players]), seed=str(seed))
    looks = 0
    while not game.over and looks < 60:
        step = game.state.agenda[-1]
        if isinstance(step, StockTurn):
            looks += 1
            seat = step.seat
            offered = [choice.action for choice in game.legal_actions(seat)]
            tried: list[Action] = [
                BuyShare(seat, company, "10", source)
                for company in game.state.companies
                for source in ("stack", "pool")
            ]
            for company in game.state.companies:
                for count in range(1, 8):
                    tried.append(SellShares(seat, company, ("10",) * count))
                    tried.append(Redeem(seat, company, count))
            for action in tried:
                assert (game.position.problem(action) is None) == (action in offered), action
        decision = rng.choice(game.pending)
        legal = game.legal_actions(decision.seat)
        kind = rng.choice(sorted({type(choice.action).__name__ for choice in legal}))
        choice = rng.choice([one for one in legal if type(one.action).__name__ == kind])
        amount = choice.amount
        game.apply(choice.action if amount is None else choice.with_amount(amount.low))
    assert looks
