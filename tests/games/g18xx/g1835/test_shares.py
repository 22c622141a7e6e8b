"""What may be bought and sold: limits, nationalisation, sales, changes of director."""

from __future__ import annotations

from itertools import product

import pytest

from kursbuch.core.errors import IllegalAction
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.actions import BuyShare, Done, Nationalise, SellShares
from kursbuch.games.g18xx.components import BANK, PERCENT
from tests.games.g18xx.g1835.table import Scene
from tests.happened import only

TENS = ", ".join


def trade(players: int = 4, **options: str) -> Scene:
    """The packet is sold, Bavaria's ten shares are with no one."""
    scene = Scene(players, **options)
    scene.shares("BY", box="20P 10 10 10 10 10 10 10 10")
    return scene.sold()


def tens(count: int) -> str:
    """This many ten percent certificates."""
    return " ".join(["10"] * count)


# ---- limits


@pytest.mark.rule("1835:2.6.2.6")
@pytest.mark.rule("1835:2.4b")
def test_the_paper_limit_stops_purchases() -> None:
    scene = trade().shares("SX", B="20P", pool="10").operating("SX").money(A=2000)
    scene.papers(A="NF 1 2").fill("A", 15).operating("OL").stock("A")
    assert scene.refused("A buys SX 10") == "2.6.2.6"
    assert scene.refused("A buys SX 10 from the pool") == "2.6.2.6"


@pytest.mark.rule("1835:2.6.2.6")
@pytest.mark.rule("1835:3.1.2d")
def test_every_paper_counts_one_whatever_its_size() -> None:
    scene = trade().papers(A="NF 1").shares("MS", A="20P 20 10").shares("PR", A="5")
    assert scene.ruleset.shares.count_certificates(scene.state, 0) == 6


@pytest.mark.rule("1835:2.6.2.6")
def test_a_bankruptcy_does_not_change_the_limit() -> None:
    scene = trade(5)
    scene.state.out.append(4)
    assert scene.ruleset.shares.certificate_limit(scene.state, 0) == 12


@pytest.mark.rule("1835:2.6.2.6b")
@pytest.mark.rule("1835:3.3.8")
def test_above_the_limit_by_losing_a_directorship() -> None:
    """Question 9."""
    scene = trade(5).shares("WT", A="20P", B="10 10").fill("A", 12).money(A=1000, B=1000)
    scene.shares("SX", C="20P").operating("SX", "WT", "MS", "OL").shares("WT", pool="10")
    scene.stock("B")
    scene.do("B buys WT 10 from the pool")
    assert (scene.held("A", "WT"), scene.held("B", "WT")) == ("10 10", "20P 10")
    assert scene.ruleset.shares.count_certificates(scene.state, 0) == 13
    scene.do("B is done", "C is done", "D is done", "E is done")
    assert all(text.startswith("sells ") for text in scene.can("A"))
    assert scene.refused("A is done") == "2.6.2.6b"
    assert scene.refused("A buys SX 10") == "2.6.2.6b"
    scene.do("A sells MS 10")
    assert "is done" in scene.can("A")
    assert scene.refused("A buys SX 10") == "2.6.2.6"


@pytest.mark.rule("1835:3.3.8")
def test_the_old_director_chooses_what_he_gets() -> None:
    """Question 9, its end."""
    scene = trade(5).shares("MS", A="20P", B="20", C="20", pool="10").shares("WT", A="20P", B="10")
    scene.fill("A", 12).shares("WT", B="10", pool="20").operating("WT").stock("B")
    scene.do("B buys WT 20 from the pool")
    assert (scene.step(), scene.deciders()) == ("swap", "A")
    assert scene.can("A") == ["takes WT 20", "takes WT 10, 10"]
    assert scene.refused("A takes WT 10") == "3.3.8"
    assert scene.refused("A takes BY 20") == "3.3.8"
    assert scene.refused("A is done") == "3.3.8"
    scene.do("A takes WT 20")
    assert scene.ruleset.shares.count_certificates(scene.state, 0) == 12
    assert (scene.deciders(), scene.director("WT")) == ("B", "B")


@pytest.mark.rule("1835:2.6.2.6b")
def test_who_cannot_sell_stays_above_the_limit() -> None:
    scene = trade(5).shares("SX", A="20P").fill("A", 12).papers(A="1").money(A=1000)
    scene.stock("B")
    assert scene.ruleset.shares.count_certificates(scene.state, 0) == 13
    scene.do("B is done", "C is done", "D is done")
    # A can do nothing: the round is over.
    assert only(scene.do("E is done"), happened.StockRoundEnded).seat == 0


@pytest.mark.rule("1835:2.6.2.6b")
def test_the_turn_ends_above_the_limit_when_nothing_more_can_be_sold() -> None:
    scene = trade(5).shares("SX", A="20P 10").operating("SX").fill("A", 14).stock("A")
    assert scene.can("A") == ["sells SX 10"]
    scene.do("A sells SX 10")
    assert scene.ruleset.shares.count_certificates(scene.state, 0) == 13
    assert scene.can("A") == ["is done"]
    scene.do("A is done")
    assert scene.deciders() == "B"


@pytest.mark.rule("1835:2.6.2.6c")
@pytest.mark.rule("1835:2.6.2.3")
@pytest.mark.rule("1835:2.6.2.6b")
def test_eighty_percent_raise_the_limit_by_one() -> None:
    """Question 10."""
    scene = trade().shares("SX", A=f"20P {tens(5)}").operating("SX", "OL", "MS").money(A=2000)
    scene.fill("A", 15).stock("A")
    assert scene.refused("A buys SX 10") == "2.6.2.6"
    scene.do("A sells OL 10", "A buys SX 10", "A is done")
    assert scene.ruleset.percent(scene.state, "p0", "SX") == 80
    assert scene.ruleset.shares.certificate_limit(scene.state, 0) == 16
    scene.do("B is done", "C is done", "D is done", "A buys SX 10")
    assert scene.ruleset.shares.count_certificates(scene.state, 0) == 16
    # Below 80 percent he has to be within 15 again.
    scene.do("A sells SX 10, 10")
    assert scene.ruleset.shares.certificate_limit(scene.state, 0) == 15
    assert "is done" in scene.can("A")


@pytest.mark.rule("1835:2.6.2.6c")
def test_every_company_held_at_eighty_percent_raises_the_limit() -> None:
    scene = trade().shares("SX", A=f"20P {tens(6)}").shares("MS", A="20P 20 20 10 10")
    assert scene.ruleset.shares.certificate_limit(scene.state, 0) == 17


@pytest.mark.rule("1835:2.6.2.6b")
def test_the_turn_cannot_end_above_the_limit() -> None:
    scene = trade().shares("SX", A=f"20P {tens(6)}").operating("SX", "OL", "MS").money(A=2000)
    scene.fill("A", 16)
    assert scene.ruleset.shares.certificate_limit(scene.state, 0) == 16
    scene.stock("A")
    scene.do("A sells SX 10")
    # 15 papers, 70 percent, limit 15.
    scene.do("A is done")
    scene = trade().shares("SX", A=f"20P {tens(6)}").shares("MS", A="20P 20", B="20 10 10")
    scene.operating("SX", "MS").fill("A", 16).stock("A")
    scene.shares("PR", A="10").do("A sells SX 10")
    assert scene.refused("A is done") == "2.6.2.6b"
    scene.do("A sells SX 10", "A is done")


@pytest.mark.rule("1835:2.6.2.3")
def test_a_player_may_hold_all_shares() -> None:
    scene = trade().shares("SX", A=f"20P {tens(7)}").operating("SX").stock("A")
    scene.do("A buys SX 10")
    assert scene.ruleset.percent(scene.state, "p0", "SX") == 100


# ---- nationalisation


@pytest.mark.rule("1835:2.6.2.4")
@pytest.mark.rule("1835:2.6.2.4b")
@pytest.mark.rule("1835:2.6.1.2")
def test_nationalisation_of_prussian_shares() -> None:
    """Question 11."""
    for certificate, price in (("10", 231), ("5", 116)):
        scene = trade().shares("PR", A="10P 10 10 10 10 5", B="10 5").operating("PR")
        scene.stock("A")
        assert [text for text in scene.can("A") if "nationalises" in text] == [
            "nationalises PR 10 of player 2",
            "nationalises PR 5 of player 2",
        ]
        event = only(
            scene.do(f"A nationalises PR {certificate} of player 2"), happened.Nationalised
        )
        assert event.price == price
        assert (scene.has("A"), scene.has("B")) == (475 - price, 475 + price)
        assert scene.cell("PR") == "I4"
        assert scene.refused("A buys SX 10") == "2.6.1.3"
        assert not scene.state.round.sold[1]


@pytest.mark.rule("1835:2.6.2.4")
def test_nationalising_twenty_percent_at_80_costs_240() -> None:
    scene = trade().shares("MS", A="20P 20 10 10", B="20").operating(MS="B5", worked=False)
    scene.stock("A")
    assert only(scene.do("A nationalises MS 20 of player 2"), happened.Nationalised).price == 240


@pytest.mark.rule("1835:2.6.2.4")
@pytest.mark.rule("1835:2.6.2.5")
def test_what_forbids_a_nationalisation() -> None:
    scene = trade().shares("SX", A=f"20P {tens(3)}", B=tens(2)).operating("SX").stock("A")
    assert scene.refused("A nationalises SX 10 of player 2") == "2.6.2.4"
    scene.shares("SX", A="10")
    assert "nationalises SX 10 of player 2" in scene.can("A")
    assert scene.refused("A nationalises SX 10 of player 3") == "2.6.2.4b"
    assert scene.refused("A nationalises SX 20 of player 2") == "2.6.2.4b"
    assert scene.refused("A nationalises SX 10 of player 1") == "2.6.2.4b"
    assert scene.refused("A nationalises SX 10 of player 9") == "2.6.2.4b"
    assert scene.refused("A nationalises 1 10 of player 2") == "2.6.2.4"
    scene.money(A=131)
    assert scene.refused("A nationalises SX 10 of player 2") == "2.4c"
    scene.money(A=1000).fill("A", 15)
    assert scene.refused("A nationalises SX 10 of player 2") == "2.6.2.6"


@pytest.mark.rule("1835:2.6.2.5")
def test_who_has_sold_does_not_nationalise() -> None:
    scene = trade().shares("SX", A=f"20P {tens(5)}", B=tens(2)).operating("SX").stock("A")
    scene.do("A sells SX 10")
    assert scene.refused("A nationalises SX 10 of player 2") == "2.6.2.5"


@pytest.mark.rule("1835:2.6.2.4")
def test_a_company_must_be_in_operation_to_be_nationalised() -> None:
    scene = trade().shares("SX", A=f"20P {tens(4)}", B="10").stock("A")
    assert scene.refused("A nationalises SX 10 of player 2") == "2.6.2.4"


@pytest.mark.rule("1835:2.3")
@pytest.mark.rule("1835:2.3b")
def test_a_nationalisation_keeps_the_round_alive() -> None:
    scene = trade().shares("SX", A=f"20P {tens(4)}", B=tens(2)).operating("SX").stock("A")
    scene.do("A nationalises SX 10 of player 2", "A is done", "B is done", "C is done", "D is done")
    assert scene.deciders() == "A"
    assert only(scene.do("A is done"), happened.StockRoundEnded).seat == 1


@pytest.mark.rule("1835:2.6.2.4")
def test_who_was_nationalised_may_buy_again() -> None:
    scene = trade().shares("SX", A=f"20P {tens(4)}", B=tens(2)).operating("SX").stock("A")
    scene.do("A nationalises SX 10 of player 2", "A is done", "B buys SX 10")
    assert scene.held("B", "SX") == "10 10"


# ---- sales


@pytest.mark.rule("1835:2.6.3.2")
@pytest.mark.rule("1835:2.6.3.2b")
@pytest.mark.rule("1835:2.6.3.2d")
@pytest.mark.rule("1835:3.3.6")
@pytest.mark.parametrize("sale", ["20P", "10, 10", "20P, 10", "20"])
def test_selling_with_the_directors_certificate(sale: str) -> None:
    """Question 6."""
    scene = trade().shares("WT", A="20P 10 10", B="10 10", pool="20").operating(WT="D3").money(A=0)
    scene.stock("A")
    if sale == "20P":
        assert scene.refused("A sells WT 20P") == "2.6.3.2d"
    elif sale == "20":
        assert scene.refused("A sells WT 20") == "2.6.3.2b"
        assert scene.refused("A sells WT 10, 10, 10") == "2.6.3.2b"
    elif sale == "10, 10":
        scene.do("A sells WT 10, 10")
        assert (scene.has("A"), scene.director("WT")) == (200, "A")
    else:
        scene.do("A sells WT 20P, 10")
        assert (scene.has("A"), scene.director("WT"), scene.cell("WT")) == (300, "B", "D4")
        assert (scene.held("A", "WT"), scene.held("B", "WT")) == ("10", "20P")
        assert scene.held("pool", "WT") == "20 10 10 10"


@pytest.mark.rule("1835:2.6.3.2d")
@pytest.mark.rule("1835:3.3.8")
def test_the_seller_chooses_what_goes_to_the_pool() -> None:
    scene = trade().shares("MS", A="20P 10", B="20 10 10").operating("MS").stock("A")
    scene.do("A sells MS 20P")
    assert (scene.step(), scene.deciders()) == ("swap", "A")
    scene.do("A takes MS 10, 10")
    assert (scene.held("pool", "MS"), scene.held("B", "MS")) == ("10 10", "20P 20")
    assert (scene.held("A", "MS"), scene.deciders(), scene.has("A")) == ("10", "A", 475 + 160)


@pytest.mark.rule("1835:3.3.7")
@pytest.mark.rule("1835:2.6.3.2")
@pytest.mark.rule("1835:2.6.2.6")
@pytest.mark.rule("1835:3.3.6")
def test_making_room_in_the_pool_first() -> None:
    """Question 7."""
    scene = trade().shares("HE", A="20P", B="20", C="10 10", pool="10 10 10 10").operating("HE")
    scene.stock("A")
    assert scene.refused("A sells HE 20P") == "2.6.3.2"
    scene.do("A buys HE 10 from the pool", "A sells HE 20P")
    assert (scene.held("A", "HE"), scene.director("HE")) == ("10", "B")
    assert scene.ruleset.percent(scene.state, "pool", "HE") == 50


@pytest.mark.rule("1835:3.3.6")
@pytest.mark.rule("1835:2.6.3.2d")
def test_among_equals_the_nearest_to_the_left_becomes_director() -> None:
    scene = trade().shares("SX", C="20P", B="10 10", D="10 10", A="10 10").operating("SX")
    scene.stock("C").do("C sells SX 20P")
    assert scene.director("SX") == "D"


@pytest.mark.rule("1835:3.3.6")
@pytest.mark.rule("1835:3.3.4")
@pytest.mark.rule("1835:overview-1")
def test_a_sale_can_change_the_director_but_not_on_a_tie() -> None:
    scene = trade().shares("SX", A="20P 10 10", B="10 10 10").operating("SX").stock("A")
    scene.do("A sells SX 10")
    assert scene.director("SX") == "A"
    changed = only(scene.do("A sells SX 10"), happened.DirectorChanged)
    assert (changed.old, changed.new, changed.receiver) == (0, 1, 0)
    assert (scene.held("A", "SX"), scene.held("B", "SX")) == ("10 10", "20P 10")


@pytest.mark.rule("1835:3.3.6")
def test_the_highest_percentage_goes_before_the_nearest_seat() -> None:
    scene = trade().shares("SX", A="20P 10 10", B="10 10", C="10 10 10").operating("SX")
    scene.stock("A").do("A sells SX 10, 10")
    assert scene.director("SX") == "C"
    scene = trade().shares("SX", A="20P 10 10", B="10 10", C="10 10 10").operating("SX")
    scene.stock("A").do("A sells SX 20P, 10, 10")
    assert scene.director("SX") == "C"


@pytest.mark.rule("1835:3.3.9")
def test_trains_and_treasury_stay_with_the_company() -> None:
    scene = trade().shares("SX", A="20P", B="10 10").operating("SX").money(SX=300)
    scene.trains("SX", "2").stock("B").do("B buys SX 10")
    assert (scene.director("SX"), scene.has("SX"), scene.owns("SX")) == ("B", 300 + 88, "2")


@pytest.mark.rule("1835:2.6.3.1")
@pytest.mark.rule("1835:2.6.3.3")
@pytest.mark.rule("1835:3.3.1")
def test_one_action_or_two() -> None:
    """Question 8."""
    scene = trade().shares("HE", A="20 10", B="20P 10").operating(HE="B4").money(A=0)
    bank = scene.has(BANK)
    scene.stock("A").do("A sells HE 20, 10")
    assert (scene.has("A"), scene.cell("HE"), scene.has(BANK)) == (252, "B5", bank - 252)
    scene = trade().shares("HE", A="20 10", B="20P 10").operating(HE="B4").money(A=0)
    scene.stock("A").do("A sells HE 20", "A sells HE 10")
    assert (scene.has("A"), scene.cell("HE")) == (248, "B6")


@pytest.mark.rule("1835:option-same-price")
def test_one_price_for_all_sales_of_a_turn() -> None:
    for option, money, cell in (("on", 200, "D4"), ("off", 194, "D5")):
        scene = trade(same_price=option).shares("WT", A="20P 10 10 10", B="10").operating(WT="D3")
        scene.money(A=88).stock("A")
        scene.do("A sells WT 10", "A buys SX 10", "A sells WT 10")
        assert (scene.has("A"), scene.cell("WT")) == (money, cell)


@pytest.mark.rule("1835:option-same-price")
def test_the_next_turn_has_the_new_price() -> None:
    scene = trade(same_price="on").shares("WT", A="20P 10 10 10", B="10").operating(WT="D3")
    scene.money(A=0, B=1000).stock("A").do(
        "A sells WT 10", "A is done", "B buys SX 10", "B is done"
    )
    scene.do("C is done", "D is done", "A sells WT 10")
    assert (scene.has("A"), scene.cell("WT")) == (194, "D5")


@pytest.mark.rule("1835:2.6.3.3b")
def test_the_lowest_field_keeps_the_marker() -> None:
    scene = trade().shares("WT", A="20P 10 10", B="10").operating(WT="C7")
    scene.stock("A").do("A sells WT 10")
    assert (scene.cell("WT"), scene.has("A")) == ("C7", 475 + 76)


@pytest.mark.rule("1835:2.6.3.3")
@pytest.mark.rule("1835:table-price-chart")
def test_the_price_chart() -> None:
    chart = trade().ruleset.chart
    rows = [
        [price for cell, price in chart.price.items() if cell.endswith(str(row))]
        for row in range(1, 8)
    ]
    assert rows == [
        [132, 148, 166, 186, 208, 232, 258, 286, 316, 348, 382, 418],
        [98, 108, 120, 134, 150, 168, 188, 210, 234, 260, 288, 318, 350, 384],
        [82, 86, 92, 100, 110, 122, 136, 152, 170, 190, 212, 236, 262, 290, 320],
        [78, 84, 88, 94, 102, 112, 124, 138, 154, 172, 192, 214],
        [72, 80, 86, 90, 96, 104, 114, 126, 140],
        [64, 74, 82, 88, 92, 98, 106],
        [54, 66, 76, 84, 90],
    ]
    assert (chart.price["E1"], chart.price["C2"], chart.price["A3"]) == (132, 98, 82)
    cells = {name: public.cell for name, public in trade().ruleset.public.items()}
    assert cells == {
        "BY": "C3",
        "SX": "C4",
        "BA": "B4",
        "WT": "B4",
        "HE": "B4",
        "MS": "B5",
        "OL": "B5",
        "PR": "I4",
    }


@pytest.mark.rule("1835:2.6.3.2c")
def test_nothing_is_sold_before_the_company_has_worked() -> None:
    scene = trade().shares("SX", A="20P 10 10").operating("SX", worked=False).stock("A")
    assert scene.refused("A sells SX 10") == "2.6.3.2c"
    scene.state.companies["SX"].worked = True
    scene.do("A sells SX 10")


@pytest.mark.rule("1835:2.6.3.2c")
@pytest.mark.rule("1835:1.2.6")
def test_prussian_shares_are_sold_as_soon_as_it_is_open() -> None:
    scene = trade().shares("PR", A="10 10").stock("A")
    assert scene.refused("A sells PR 10") == "2.6.3.2c"
    scene.shares("PR", B="10P").operating("PR", worked=False)
    scene.do("A sells PR 10, 10")
    assert scene.has("A") == 475 + 308


@pytest.mark.rule("1835:2.6.3.1")
@pytest.mark.rule("1835:3.1.2")
@pytest.mark.rule("1835:3.2.2b")
def test_privates_and_minors_are_never_sold() -> None:
    scene = trade().papers(A="NF 1").shares("SX", A="20P 10").operating("SX").stock("A")
    for sale in ("NF 10", "1 10"):
        assert scene.refused(f"A sells {sale}") == "2.6.3.1"


@pytest.mark.rule("1835:2.6.3.1")
def test_only_own_shares_are_sold_and_named_in_order() -> None:
    scene = trade().shares("MS", A="20 10", B="20P 20").operating("MS").stock("A")
    assert scene.refused("A sells SX 10") == "2.6.3.1"
    assert scene.refused("A sells MS 20, 20") == "2.6.3.1"
    with pytest.raises(IllegalAction) as caught:
        scene.position.apply(SellShares(0, "MS", ("10", "20")))
    # The order of the list is a matter of form, which no rule of the book forbids.
    assert caught.value.rule == ""
    with pytest.raises(IllegalAction):
        scene.position.apply(SellShares(0, "MS", ()))


@pytest.mark.rule("1835:2.6.3.2")
def test_the_pool_takes_half_of_a_company() -> None:
    scene = trade().shares("SX", A="20P 10 10", B="10", pool=tens(4)).operating("SX").stock("A")
    assert scene.refused("A sells SX 10, 10") == "2.6.3.2"
    scene.do("A sells SX 10")
    assert not any(text.startswith("sells SX") for text in scene.can("A"))


@pytest.mark.rule("1835:2.6.3.2d")
def test_a_prussian_director_needs_a_successor_with_ten_percent() -> None:
    scene = trade().shares("PR", A="10P", B="5 5").operating("PR").stock("A")
    scene.do("A sells PR 10P")
    assert (scene.director("PR"), scene.held("pool", "PR")) == ("B", "5 5")
    scene = trade().shares("PR", A="10P", B="5").operating("PR").stock("A")
    assert scene.refused("A sells PR 10P") == "2.6.3.2d"


@pytest.mark.rule("1835:5.5.4.13")
def test_forced_sales_keep_the_directorship_and_sell_no_more_than_needed() -> None:
    scene = trade().shares("SX", A="20P 10 10", B="10 10 10").shares("HE", A="20 10 10")
    scene.shares("HE", B="20P").operating("SX", "HE")
    game, state = scene.ruleset, scene.state
    assert game.shares.sales(state, 0, keep="SX", needed=100) == [
        ("SX", ("10",)),
        ("HE", ("10",)),
        ("HE", ("10", "10")),
        ("HE", ("20",)),
    ]
    refused = game.shares.sale_problem(state, 0, "SX", ("10", "10"), keep="SX")
    assert refused is not None
    assert refused.rule == "forced-sale"
    refused = game.shares.sale_problem(state, 0, "HE", ("20", "10"), needed=100)
    assert refused is not None
    assert refused.rule == "forced-sale"


# ---- choices and checks agree


def conceivable(scene: Scene, seat: int) -> list[BuyShare | Nationalise | SellShares | Done]:
    """Every action that can be written down, sensible or not."""
    game = scene.ruleset
    found: list[BuyShare | Nationalise | SellShares | Done] = [Done(seat)]
    for company in game.public:
        for name in PERCENT:
            found += [BuyShare(seat, company, name, source) for source in ("stack", "pool", "box")]
            found += [Nationalise(seat, company, name, other) for other in range(5)]
        names = [name for _, name, _ in game.public[company].items]
        for counts in product(*(range(4) for _ in names)):
            sold = tuple(
                name for name, count in zip(names, counts, strict=True) for _ in range(count)
            )
            found.append(SellShares(seat, company, sold))
    return found


@pytest.mark.parametrize("bought", [False, True])
def test_what_is_offered_is_exactly_what_is_allowed(bought: bool) -> None:
    scene = trade().shares("SX", A=f"20P {tens(4)}", B=tens(2), pool="10").operating("SX", "MS")
    scene.shares("MS", B="20P 10", A="20 10", pool="20").shares("PR", A="10 10", C="10P 5")
    scene.operating("PR").shares("HE", C="20P 10 10", pool="10 10").operating("HE", worked=False)
    scene.stock("A")
    if bought:
        scene.do("A buys SX 10 from the pool")
    for seat in range(4):
        scene.state.agenda.clear()
        scene.stock("ABCD"[seat])
        offered = {choice.action for choice in scene.position.legal_actions(seat)}
        assert len(offered) > 1
        for action in conceivable(scene, seat):
            try:
                scene.position.check(action)
            except IllegalAction:
                assert action not in offered
            else:
                assert action in offered


def test_exchange_shares_are_unsold() -> None:
    scene = Scene()
    assert scene.ruleset.unsold(scene.state, "PR") == 100
