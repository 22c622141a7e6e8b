"""Trains a company must buy: the director's money, forced sales, bankruptcy."""

from __future__ import annotations

import pytest

from kursbuch.core.play import Play
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.rules.dividend_step import withhold
from kursbuch.games.g18xx.state import BuyTrains, OperatingRound, Run
from tests.games.g18xx.g1835.table import Scene
from tests.happened import every, only


def oldenburg(**options: str) -> Scene:
    """Question 24: A directs Oldenburg with 30 percent, B has 10, the pool 50; only 6-trains."""
    scene = Scene(4, **options).shares("OL", A="20P 10", B="10", pool="20 20 10").sold()
    scene.operating(OL="A5").operating("PR").shares("PR", D="10P").trains("PR", "5")
    return scene.phase("6").money(OL=40, A=50)


def bavaria(cash: int, treasury: int) -> Scene:
    """Bavaria of A without a train; new 3-trains (180) and a 2+2 (120) in the pool. A has 40 percent
    of Saxony (100) and of Bavaria (100), B directs Saxony."""
    scene = Scene().shares("BY", A="20P 10 10 10", B="10 10 10")
    scene.shares("SX", B="20P 10 10 10", A="10 10 10 10").sold().phase("3")
    scene.operating(BY="D3", SX="D3").trains("pool", "2+2").trains("SX", "2+2")
    return scene.money(A=cash, BY=treasury)


# ---- the director's money


@pytest.mark.rule("1835:5.5.4.12")
@pytest.mark.rule("1835:5.5.4.12b")
def test_the_director_pays_what_is_missing() -> None:
    scene = bavaria(cash=300, treasury=70).turn("BY", BuyTrains)
    events = scene.do("A buys train 3")
    bought = only(events, happened.TrainBought)
    assert (bought.price, bought.added, bought.amounts[0]) == (180, 110, -110)
    assert (scene.has("A"), scene.has("BY")) == (190, 0)
    # No further train with his money.
    assert scene.step() != "buy-trains"


@pytest.mark.rule("1835:5.5.4.12")
def test_he_may_choose_a_dearer_train() -> None:
    """The treasury could pay the 2+2 of the pool."""
    scene = bavaria(cash=60, treasury=120).turn("BY", BuyTrains)
    assert "buys train 2+2 from the pool" in scene.can("A")
    scene.do("A buys train 3")
    assert (scene.has("A"), scene.has("BY")) == (0, 0)


@pytest.mark.rule("1835:5.5.4.12b")
def test_no_money_for_a_further_train() -> None:
    scene = bavaria(cash=500, treasury=150).trains("BY", "2+2").turn("BY", BuyTrains)
    assert scene.refused("A buys train 3") == "5.5.4.11"
    assert scene.refused("A offers 151 for train 2+2 of SX") == "5.5.4.11"


@pytest.mark.rule("1835:5.5.4.12")
def test_his_cash_for_the_train_of_another_company() -> None:
    """Up to the printed price, with the whole treasury used; he sells no shares for it."""
    scene = bavaria(cash=100, treasury=30).turn("BY", BuyTrains)
    assert scene.refused("A offers 121 for train 2+2 of SX") == "5.5.4.12"
    scene.do("A offers 120 for train 2+2 of SX", "B accepts")
    assert (scene.has("A"), scene.has("BY"), scene.has("SX")) == (10, 0, 120)
    scene = bavaria(cash=40, treasury=30).turn("BY", BuyTrains)
    assert scene.refused("A offers 71 for train 2+2 of SX") == "5.5.4.12"
    # Beyond the printed price only from the treasury.
    scene = bavaria(cash=100, treasury=200).turn("BY", BuyTrains)
    scene.do("A offers 200 for train 2+2 of SX", "B accepts")
    assert scene.has("A") == 100


# ---- forced sales


@pytest.mark.rule("1835:5.5.4.13")
@pytest.mark.rule("1835:2.6.2.5")
def test_he_sells_no_more_than_needed() -> None:
    """70 are missing: one 10 of a company at 100 is enough."""
    scene = bavaria(cash=10, treasury=100).turn("BY", BuyTrains)
    scene.do("A buys train 3")
    assert (scene.deciders(), scene.step()) == ("A", "raise-money")
    assert scene.can("A") == ["sells BY 10", "sells SX 10"]
    assert scene.refused("A sells SX 10, 10") == "5.5.4.13"
    events = scene.do("A sells SX 10")
    assert only(events, happened.SharesSold).proceeds == 100
    assert only(events, happened.TrainBought).added == 80
    assert (scene.owns("BY"), scene.has("A"), scene.has("BY")) == ("3", 30, 0)
    # The price falls, as after any sale; but no later purchase is forbidden by it.
    assert scene.cell("SX") == "D4"
    assert not any(scene.state.round.sold)


@pytest.mark.rule("1835:5.5.4.13")
def test_he_stays_director_of_the_company() -> None:
    """A holds 50 percent of Bavaria, B 30: two 10s at most, and never the director's certificate."""
    scene = bavaria(cash=0, treasury=0)
    scene.turn("BY", BuyTrains).do("A buys train 3")
    assert "sells BY 10, 10" in scene.can("A")
    assert scene.refused("A sells BY 10, 10, 10") == "5.5.4.13"
    # Action by action, until it is enough.
    scene.do("A sells BY 10")
    assert scene.step() == "raise-money"
    scene.do("A sells SX 10")
    assert (scene.owns("BY"), scene.has("A")) == ("3", 20)


@pytest.mark.rule("1835:5.5.4.13")
def test_not_even_for_the_whole_price() -> None:
    """At 64 all three 10s would be needed; with two of them sold A and B are equal."""
    scene = bavaria(cash=0, treasury=0)
    scene.state.chart.clear()
    scene.operating(BY="A6", SX="D3").turn("BY", BuyTrains).do("A buys train 3")
    assert "sells BY 10, 10" in scene.can("A")
    assert scene.refused("A sells BY 10, 10, 10") == "5.5.4.13"


@pytest.mark.rule("1835:5.5.4.13")
def test_other_directorships_may_be_lost() -> None:
    scene = Scene().shares("BY", A="20P 10 10 10").shares("SX", A="20P 10", B="10 10").sold()
    scene.phase("3").operating(BY="D3", SX="D3").money(A=0, BY=0).trains("SX", "2+2")
    scene.turn("BY", BuyTrains).do("A buys train 3", "A sells SX 20P")
    assert scene.director("SX") == "B"
    assert scene.owns("BY") == "3"
    assert scene.ruleset.percent(scene.state, "pool", "SX") == 20


@pytest.mark.rule("1835:5.5.4.13b")
def test_who_can_finance_a_train_must_choose_one_of_those() -> None:
    """The variant of question 24: a 3+3 in the pool, and shares worth 180."""
    scene = (
        oldenburg().shares("SX", A="10 10", B="20P 10 10 10").operating(SX="C3").trains("SX", "6")
    )
    scene.trains("pool", "3+3").turn("OL", BuyTrains)
    assert scene.refused("A buys train 6") == "5.5.4.13b"
    scene.do("A buys train 3+3 from the pool", "A sells SX 10, 10")
    assert scene.state.out == []
    assert scene.owns("OL") == "3+3"


@pytest.mark.rule("1835:5.5.4.13b")
def test_nobody_escapes_by_selling_badly() -> None:
    """Sold one by one, the shares would not bring enough."""
    scene = (
        oldenburg().shares("SX", A="10 10", B="20P 10 10 10").operating(SX="C3").trains("SX", "6")
    )
    scene.money(A=48).trains("pool", "3+3").turn("OL", BuyTrains)
    scene.do("A buys train 3+3 from the pool")
    assert scene.refused("A sells SX 10") == "5.5.4.13b"
    assert scene.can("A") == ["sells SX 10, 10"]


# ---- bankruptcy


@pytest.mark.rule("1835:5.5.4.13b")
@pytest.mark.rule("1835:5.5.4.13c")
@pytest.mark.rule("1835:5.5.4.13d")
@pytest.mark.rule("1835:5.5.4.13e")
def test_bankruptcy() -> None:
    """Question 24."""
    scene = oldenburg().turn("OL", BuyTrains)
    assert [line for line in scene.can("A") if not line.startswith("offers")] == ["buys train 6"]
    events = scene.do("A buys train 6")
    bought = only(events, happened.TrainBought)
    assert (bought.added, bought.lent, scene.state.companies["OL"].debt) == (50, 510, 510)
    bankrupt = only(events, happened.Bankrupt)
    assert (bankrupt.seat, bankrupt.certificates) == (0, (("OL", "20P"), ("OL", "10")))
    assert scene.state.out == [0]
    assert scene.ruleset.percent(scene.state, "pool", "OL") == 80
    # B manages Oldenburg; the priority marker goes on.
    manager = only(events, happened.ManagerFound)
    assert (manager.company, manager.seat, scene.director("OL")) == ("OL", 1, "B")
    assert scene.state.priority == 1
    assert scene.title.scores(scene.state)[0] == 0
    # Oldenburg earns 200: all of it goes to the bank, and the price falls.
    scene.state.agenda.clear()
    scene.tiles("D8:57:0")
    revenue = scene.ruleset.depot.best_runs(scene.state, "OL")[0]
    assert revenue > 0
    bank = scene.has("bank")
    scene.turn("OL", Run)
    assert scene.state.companies["OL"].debt == 510 - revenue
    assert (scene.has("OL"), scene.has("bank"), scene.cell("OL")) == (0, bank, "A6")


@pytest.mark.rule("1835:5.5.4.13e")
def test_the_rest_of_the_last_payment_goes_into_the_treasury() -> None:
    scene = oldenburg().trains("OL", "6").tiles("D8:57:0")
    scene.state.companies["OL"].debt = 10
    revenue = scene.ruleset.depot.best_runs(scene.state, "OL")[0]
    scene.turn("OL", Run)
    assert (scene.has("OL"), scene.state.companies["OL"].debt) == (40 + revenue - 10, 0)
    # As long as there was a debt it had to save.
    assert scene.cell("OL") == "A6"


@pytest.mark.rule("1835:5.5.4.13b")
@pytest.mark.rule("1835:5.5.4.14.5")
def test_a_train_bought_with_a_loan_has_its_effects() -> None:
    """The first 6-train: the 3-trains go."""
    scene = oldenburg().shares("SX", B="20P 10 10 10").operating("SX").trains("SX", "3", "6")
    scene.state.phase -= 1
    events = scene.turn("OL", BuyTrains).do("A buys train 6")
    assert every(events, happened.Bankrupt)
    assert only(events, happened.TrainsRusted).trains == (("SX", "3", 1),)
    assert scene.ruleset.phase(scene.state).starts_with_train == "6"


@pytest.mark.rule("1835:5.5.4.13c")
def test_papers_of_a_bankrupt_player() -> None:
    """Prussia is open: black privates and minors are exchanged, the shares go to the pool; the others
    close."""
    scene = oldenburg().papers(A="NF HA 1").money(M1=30).trains("1", "4").turn("OL", BuyTrains)
    scene.do("A buys train 6")
    game, state = scene.ruleset, scene.state
    assert game.privates_and_minors(state, 0) == []
    assert game.certificates(state, "pool", "PR") == {"10": 1, "5": 1}
    assert (scene.has("PR"), scene.owns("PR")) == (30, "4 5")
    assert state.companies["1"].closed


@pytest.mark.rule("1835:5.5.4.13d")
def test_another_large_holder_becomes_director() -> None:
    scene = Scene().shares("OL", A="20P 10", B="10 10", pool="20 20 10").sold().phase("6")
    scene.operating(OL="A5").operating("PR").shares("PR", D="10P").trains("PR", "5")
    scene.money(OL=40, A=50).turn("OL", BuyTrains).do("A buys train 6")
    assert scene.held("B", "OL") == "20P"
    assert scene.held("pool", "OL") == "20 20 10 10 10 10"
    assert scene.ruleset.control.director(scene.state, "OL") == 1


@pytest.mark.rule("1835:5.5.4.13d")
def test_of_equal_holders_the_first_from_the_priority_marker_becomes_director() -> None:
    scene = Scene().shares("OL", A="20P", B="10 10", D="10 10", pool="20 20").sold().phase("6")
    scene.operating(OL="A5").operating("PR").shares("PR", C="10P")
    scene.trains("PR", "5").money(OL=40, A=50)
    scene.state.priority = 2
    scene.turn("OL", BuyTrains).do("A buys train 6")
    assert scene.ruleset.control.director(scene.state, "OL") == 3


@pytest.mark.rule("1835:5.5.4.13d")
def test_a_managed_company_buys_the_cheapest_train() -> None:
    """The manager pays nothing himself; the bank lends what is missing."""
    scene = oldenburg().money(A=0, B=500)
    scene.state.ledger.move("OL:20P", "p0", "pool")
    scene.state.ledger.move("OL:10", "p0", "pool")
    scene.trains("pool", "3+3").turn("OL", BuyTrains)
    assert scene.director("OL") == "B"
    assert scene.refused("B buys train 6") == "5.5.4.13b"
    scene.do("B buys train 3+3 from the pool")
    assert (scene.has("B"), scene.state.companies["OL"].debt, scene.has("OL")) == (500, 230, 0)


@pytest.mark.rule("1835:5.5.4.13d")
def test_who_manages_on_a_tie() -> None:
    """The first from the priority marker on; if no one holds a share, its holder."""
    scene = oldenburg()
    state = scene.state
    state.ledger.move("OL:20P", "p0", "pool")
    state.ledger.move("OL:10", "p0", "p2")
    state.out, state.priority = [0], 2
    assert scene.director("OL") == "C"
    state.priority = 3
    assert scene.director("OL") == "B"
    state.ledger.move("OL:10", "p1", "pool")
    state.ledger.move("OL:10", "p2", "pool")
    assert scene.director("OL") == "D"


@pytest.mark.rule("1835:5.5.4.13d")
def test_the_directorship_is_filled_in_the_next_stock_round() -> None:
    scene = oldenburg().money(B=500, C=500)
    scene.turn("OL", BuyTrains).do("A buys train 6")
    scene.state.agenda.clear()
    scene.state.round.part = 0
    scene.state.round.sold = [[], [], [], []]
    scene.stock("B")
    assert "buys OL 20P from the pool" in scene.can("B")
    scene.do("B buys OL 10 from the pool")
    assert (scene.held("B", "OL"), scene.ruleset.control.director(scene.state, "OL")) == ("20P", 1)


@pytest.mark.rule("1835:5.5.4.13d")
@pytest.mark.rule("1835:5.5.4.13e")
def test_a_revenue_of_200_and_the_directors_certificate_in_the_pool() -> None:
    """Question 24, its numbers: 310 stay owed, from 72 down to 64; anyone may buy the director's
    certificate at twice the price."""
    scene = oldenburg().money(C=500)
    scene.turn("OL", BuyTrains).do("A buys train 6")
    scene.state.agenda.clear()
    withhold(scene.ruleset, Play(scene.state, scene.position.chance), "OL", 200)
    assert (scene.has("OL"), scene.state.companies["OL"].debt) == (0, 310)
    assert (scene.cell("OL"), scene.ruleset.market.price(scene.state, "OL")) == ("A6", 64)
    scene.state.round.part = 0
    scene.state.round.sold = [[], [], [], []]
    scene.stock("C").do("C buys OL 20P from the pool")
    assert (scene.has("C"), scene.ruleset.control.director(scene.state, "OL")) == (500 - 128, 2)


@pytest.mark.rule("1835:5.5.4.13c")
def test_if_only_one_player_is_left_the_game_is_over() -> None:
    scene = oldenburg()
    scene.state.out = [2, 3]
    # Not even the effects of the first 6-train are waited for.
    scene.state.phase -= 1
    scene.turn("OL", BuyTrains).do("A buys train 6")
    assert scene.position.over
    assert scene.position.result is not None
    assert scene.position.result.winners == (1,)


@pytest.mark.rule("1835:5.5.4.13c")
def test_a_bankrupt_owner_of_the_2() -> None:
    """Prussia opens at the beginning of the next round, its director's certificate in the pool."""
    scene = Scene().shares("OL", A="20P 10", B="10", pool="20 20 10").sold().phase("4")
    scene.shares("SX", B="20P 10 10 10").operating("SX", OL="A5").papers(A="2 1").money(
        OL=40, A=50, M2=20
    ).turn("OL", BuyTrains)
    events = scene.do("A buys train 4")
    assert every(events, happened.Bankrupt)
    assert scene.has("PR") == 0
    scene.state.agenda.clear()
    scene.on(OperatingRound(1))
    assert scene.state.companies["PR"].operating
    assert scene.held("pool", "PR") == "10P 5"
    assert scene.has("PR") == 20 + 80


@pytest.mark.rule("1835:option-same-price")
@pytest.mark.parametrize(("option", "second", "cell"), [("off", 94, "D5"), ("on", 100, "D4")])
def test_sales_for_one_train_at_one_price(option: str, second: int, cell: str) -> None:
    """The price of Saxony is 100, the next rows are 94 and 88."""
    scene = Scene(4, same_price=option).shares("BY", A="20P 10 10 10", B="10 10 10")
    scene.shares("SX", B="20P 10 10 10", A="10 10 10 10").sold().phase("3")
    scene.operating(BY="D3", SX="D3").money(A=0, BY=0).turn("BY", BuyTrains)
    scene.do("A buys train 3", "A sells SX 10")
    assert scene.has("A") == 100
    scene.do("A sells SX 10")
    assert (scene.has("A"), scene.cell("SX")) == (100 + second - 180, cell)


@pytest.mark.rule("1835:2.7.5")
@pytest.mark.rule("1835:2.7.1")
def test_what_a_bankrupt_player_left_in_the_pool_is_sold_but_not_paid_for() -> None:
    scene = Scene().sold().shares("BY", A="20P", B="10", pool="10").money(C=300).stock("C")
    floated = only(scene.do("C buys BY 10"), happened.Floated)
    # Half of it has been sold; 40 percent are in players' hands.
    assert (floated.treasury, scene.has("BY")) == (4 * 92, 4 * 92)
    # Who buys the share from the pool pays the bank.
    scene.do("C is done")
    name = scene.deciders()
    scene.do(f"{name} buys BY 10 from the pool")
    assert scene.has("BY") == 4 * 92
