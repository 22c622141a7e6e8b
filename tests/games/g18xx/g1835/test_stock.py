"""Stock rounds: turns, new shares, going into operation, the end of the round."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.components import BANK
from kursbuch.games.g18xx.g1835.components import standard
from kursbuch.games.g18xx.map.track import Station
from kursbuch.games.g18xx.rules.dividend_step import pay, withhold
from kursbuch.games.g18xx.state import EndStockRound, Home, StockRound
from tests.games.g18xx.g1835.table import Scene, play_of, sell_out, trading
from tests.happened import every, only


def on_offer(scene: Scene) -> str:
    """The new shares on offer: "BY 10, SX 10"."""
    offered = scene.ruleset.shares.offered(scene.state)
    return ", ".join(f"{company} {certificate}" for company, certificate in offered)


# ---- turns


@pytest.mark.rule("1835:2.6.1.1")
@pytest.mark.rule("1835:2.6.1.3")
def test_one_purchase_and_any_number_of_sales_in_any_order() -> None:
    scene = trading().shares("BY", A="10 10").shares("SX", A="20P 10", B="10 10").operating("SX")
    scene.stock("A").do("A sells BY 10", "A buys SX 10", "A sells SX 10", "A sells BY 10")
    assert scene.refused("A buys SX 10") == "2.6.1.3"
    assert scene.refused("A buys BY 10 from the pool") == "2.6.1.3"
    scene.do("A is done")
    assert scene.deciders() == "B"


@pytest.mark.rule("1835:2.6.1.4")
def test_who_does_nothing_passes_and_may_act_later() -> None:
    scene = trading().stock("A")
    passed = only(scene.do("A is done"), happened.Passed)
    assert (passed.seat, passed.able) == (0, True)
    scene.do("B buys BY 10", "B is done", "C is done", "D is done")
    assert "buys BY 10" in scene.can("A")


@pytest.mark.rule("1835:2.6.1.4")
def test_who_can_do_nothing_is_passed_over() -> None:
    scene = trading().money(B=10, C=10)
    scene.state.companies["BY"].worked = False
    passed = every(scene.stock("A").do("A is done"), happened.Passed)
    assert [(event.seat, event.able) for event in passed] == [(0, True), (1, False), (2, False)]
    assert scene.deciders() == "D"


@pytest.mark.rule("1835:2.3")
@pytest.mark.rule("1835:2.3b")
@pytest.mark.rule("1835:2.6.1.4")
def test_sales_do_not_prolong_the_round() -> None:
    """Question 3."""
    scene = trading().shares("SX", A="20P 10", B="10", D="10").operating("SX")
    scene.stock("A")
    scene.do("A buys BY 10", "A is done", "B sells SX 10", "B is done", "C is done")
    scene.do("D sells SX 10", "D is done", "A sells BY 10")
    ended = only(scene.do("A is done"), happened.StockRoundEnded)
    assert (ended.number, ended.seat) == (1, 1)
    assert scene.state.priority == 1


@pytest.mark.rule("1835:2.3b")
def test_a_round_without_purchase_leaves_the_priority_marker() -> None:
    scene = trading().shares("SX", A="20P 10").operating("SX")
    scene.state.priority = 2
    scene.stock("C").do("C is done", "D is done", "A sells SX 10", "A is done")
    assert only(scene.do("B is done"), happened.StockRoundEnded).seat == 2


@pytest.mark.rule("1835:2.2")
@pytest.mark.rule("1835:2.3")
def test_bankrupt_players_are_skipped() -> None:
    scene = trading()
    scene.state.out.append(1)
    scene.stock("A").do("A buys BY 10", "A is done", "C is done", "D is done")
    assert only(scene.do("A is done"), happened.StockRoundEnded).seat == 2


@pytest.mark.rule("1835:2.1")
@pytest.mark.rule("1835:1.1.1")
@pytest.mark.rule("1835:1.1.2")
def test_the_holder_of_the_priority_marker_begins() -> None:
    scene = trading()
    scene.state.priority = 2
    scene.on(StockRound(4))
    assert (scene.deciders(), scene.step()) == ("C", "stock-turn")
    assert (scene.state.round.number, scene.state.round.part) == (4, 0)


@pytest.mark.rule("1835:2.6.2.5")
def test_who_has_sold_does_not_buy_in_the_same_round() -> None:
    scene = trading().shares("BY", A="10").stock("A")
    scene.do("A sells BY 10")
    assert scene.refused("A buys BY 10") == "2.6.2.5"
    assert scene.refused("A buys BY 10 from the pool") == "2.6.2.5"
    scene.do("A is done", "B buys BY 10", "B is done", "C is done", "D is done")
    assert scene.refused("A buys BY 10") == "2.6.2.5"
    scene.state.agenda.clear()
    scene.on(StockRound(2))
    assert "buys BY 10 from the pool" in scene.can(scene.deciders())


@pytest.mark.rule("1835:2.6.2.5")
@pytest.mark.rule("1835:3.3.7")
def test_buying_first_and_selling_the_same_company_then_is_allowed() -> None:
    scene = trading().shares("BY", A="10").stock("A")
    scene.do("A buys BY 10", "A sells BY 10, 10")
    assert scene.held("pool", "BY") == "10 10"


# ---- new shares


@pytest.mark.rule("1835:1.2.1")
@pytest.mark.rule("1835:1.2.2")
def test_no_new_shares_before_the_packet_is_sold() -> None:
    scene = Scene()
    assert on_offer(scene) == ""
    assert scene.ruleset.shares.not_offered(scene.state, "BY", "10").rule == "1.2.1"
    assert on_offer(trading()) == "BY 10, SX 10"


@pytest.mark.rule("1835:1.2.4")
def test_saxony_waits_for_half_of_bavaria() -> None:
    scene = Scene().shares("BY", A="20P", B="10", C="10").sold()
    assert on_offer(scene) == "BY 10"
    assert scene.stock("A").refused("A buys SX 10") == "1.2.4"
    scene.do("A buys BY 10", "A is done")
    assert on_offer(scene) == "BY 10, SX 10"


@pytest.mark.rule("1835:1.2-ex2")
@pytest.mark.rule("1835:1.2.3")
@pytest.mark.rule("1835:1.2.4")
@pytest.mark.rule("1835:1.2.5")
@pytest.mark.rule("1835:1.2.6")
def test_the_second_group_opens_company_by_company() -> None:
    scene = trading().shares("SX", A="20P").money(A=2000, B=2000, C=2000, D=2000)
    sell_out(scene, "SX")
    assert on_offer(scene) == "BY 10"
    scene.shares("BY", pool="10 10 10 10 10").stock("A")
    assert on_offer(scene) == "BA 20P"
    assert scene.refused("A buys WT 20P") == "1.2.4"
    assert scene.refused("A buys PR 10") == "1.2.6"
    assert scene.refused("A buys BA 10") == "2.6.2.1"
    assert scene.refused("A buys MS 20P") == "1.2.3"
    scene.do("A buys BA 20P", "A is done")
    assert on_offer(scene) == "BA 10, PR 10"
    scene.do("B buys BA 10", "B is done", "C buys BA 10", "C is done", "D buys PR 10", "D is done")
    assert on_offer(scene) == "BA 10, PR 10"
    scene.do("A buys BA 10", "A is done")
    assert on_offer(scene) == "BA 10, WT 20P, PR 10"
    scene.shares("WT", B="20P 10 10 10")
    assert on_offer(scene) == "BA 10, WT 10, HE 20P, PR 10"


@pytest.mark.rule("1835:1.2.3")
@pytest.mark.rule("1835:option-group3-without-prussia")
def test_the_third_group_waits_for_the_four_prussian_shares() -> None:
    """Question 5."""
    for option in ("off", "on"):
        scene = trading(group3_without_prussia=option)
        sell_out(scene, "BY", "SX", "BA", "WT", "HE").shares("PR", B="10 10 10").money(A=2000)
        scene.stock("A")
        if option == "on":
            assert on_offer(scene) == "PR 10, MS 20P"
            continue
        assert on_offer(scene) == "PR 10"
        assert scene.refused("A buys MS 20P") == "1.2.3"
        scene.do("A buys PR 10")
        assert on_offer(scene) == "MS 20P"
        scene.do("A is done", "B buys MS 20P")
        assert scene.has("B") == 475 - 160


@pytest.mark.rule("1835:1.2.3")
def test_shares_in_the_pool_count_as_sold() -> None:
    scene = trading().shares("BY", pool="10 10 10 10 10").shares("SX", A="20P")
    scene.shares("SX", pool="10 10 10 10 10", B="10 10 10")
    assert on_offer(scene) == "BA 20P"


@pytest.mark.rule("1835:1.2-ex4")
@pytest.mark.rule("1835:1.2.5")
@pytest.mark.rule("1835:2.7.1")
def test_the_third_group() -> None:
    scene = trading().money(A=2000, B=2000, C=2000, D=2000)
    sell_out(scene, "BY", "SX", "BA", "WT", "HE", "PR")
    offers = []
    scene.stock("A")
    for name in "ABC":
        offers.append(on_offer(scene))
        scene.do(f"{name} buys {on_offer(scene)}", f"{name} is done")
    assert offers == ["MS 20P", "MS 20", "MS 20"]
    assert scene.state.companies["MS"].operating
    assert scene.has("MS") == 480
    assert on_offer(scene) == "MS 10, OL 20P"


@pytest.mark.rule("1835:1.2-ex3")
@pytest.mark.rule("1835:3.3.5")
@pytest.mark.rule("1835:3.3.6")
def test_the_last_certificate_can_change_the_director() -> None:
    scene = trading().shares("BA", A="20P 10", B="10 10", C="10 10 10").operating("BA")
    sell_out(scene, "BY", "SX").stock("B")
    scene.do("B buys BA 20")
    changed = only(scene.do("A takes BA 20"), happened.DirectorChanged)
    assert (changed.old, changed.new) == (0, 1)
    assert (scene.held("A", "BA"), scene.held("B", "BA")) == ("20 10", "20P 10 10")


@pytest.mark.rule("1835:2.6.1.2")
@pytest.mark.rule("1835:2.6.2.1")
def test_new_shares_cost_the_issue_price_whatever_the_market_price() -> None:
    scene = trading()
    scene.ruleset.market.move_price(play_of(scene), "BY", "H3", "dividend", "5.5.3.12.1")
    scene.shares("BY", pool="10").stock("A")
    scene.do("A buys BY 10")
    assert scene.has("A") == 475 - 92
    assert scene.has("BY") == 92


@pytest.mark.rule("1835:2.6.2.1")
@pytest.mark.rule("1835:3.3.2")
def test_issue_prices_capital_and_markers() -> None:
    found = {
        name: (public.par, public.record.station_markers, standard().homes[name][0].city)
        for name, public in standard().public.items()
    }
    assert found == {
        "BY": (92, 5, "München"),
        "SX": (88, 3, "Leipzig"),
        "BA": (84, 2, "Mannheim/Ludwigshafen"),
        "WT": (84, 2, "Stuttgart"),
        "HE": (84, 2, "Frankfurt"),
        "PR": (154, 7, "Berlin"),
        "MS": (80, 2, "Schwerin"),
        "OL": (80, 2, "Oldenburg"),
    }


@pytest.mark.rule("1835:2.6.2.1")
@pytest.mark.rule("1835:2.4c")
def test_what_cannot_be_paid_cannot_be_bought() -> None:
    scene = trading().money(A=91).stock("A")
    assert scene.refused("A buys BY 10") == "2.4c"
    assert scene.can("A") == ["buys SX 10", "is done"]


@pytest.mark.rule("1835:2.6.2.2")
def test_a_share_of_the_pool_costs_the_market_price() -> None:
    scene = trading().shares("SX", A="20P", pool="10").operating(SX="G3").stock("A")
    bank = scene.has(BANK)
    assert scene.refused("A buys BY 10 from the pool") == "2.6.2.2"
    scene.do("A buys SX 10 from the pool")
    assert (scene.has("A"), scene.has(BANK), scene.has("SX")) == (475 - 136, bank + 136, 0)
    assert scene.refused("A buys BY 10 from the pool") == "2.6.1.3"


@pytest.mark.rule("1835:2.6.2.2")
@pytest.mark.rule("1835:5.5.4.13d")
def test_sizes_and_the_director_in_the_pool() -> None:
    scene = trading().shares("HE", B="10", pool="20P 20 10").operating("HE").stock("A")
    hesse = [text for text in scene.can("A") if "HE" in text]
    assert hesse == [
        "buys HE 20P from the pool",
        "buys HE 20 from the pool",
        "buys HE 10 from the pool",
    ]
    scene.do("A buys HE 20P from the pool")
    assert (scene.has("A"), scene.director("HE")) == (475 - 168, "A")
    assert scene.refused("A buys BY 20 from the pool") == "2.6.1.3"


@pytest.mark.rule("1835:5.5.4.13d")
def test_who_reaches_twenty_percent_gets_the_director_from_the_pool() -> None:
    scene = trading().shares("HE", B="10", pool="20P 20 10").operating("HE").stock("B")
    changed = only(scene.do("B buys HE 10 from the pool"), happened.DirectorChanged)
    assert (changed.old, changed.new, changed.receiver) == (None, 1, None)
    assert (scene.held("B", "HE"), scene.held("pool", "HE")) == ("20P", "20 10 10")


# ---- going into operation


@pytest.mark.rule("1835:2.7.1")
@pytest.mark.rule("1835:2.7.2")
@pytest.mark.rule("1835:2.7.3")
@pytest.mark.rule("1835:2.7.4")
@pytest.mark.rule("1835:2.7.5")
@pytest.mark.rule("1835:2.6.2.1")
def test_a_company_goes_into_operation_at_half() -> None:
    scene = sell_out(trading(), "BY", "SX").shares("BA", A="20P", B="10")
    scene.operating(WT="B4").stock("D")
    bank = scene.has(BANK)
    scene.do("D buys BA 10", "D is done")
    assert (scene.has(BANK), scene.has("BA")) == (bank + 84, 0)
    assert not scene.state.companies["BA"].operating
    floated = only(scene.do("A buys BA 10"), happened.Floated)
    assert floated.treasury == scene.has("BA") == 420
    assert scene.state.chart["B4"] == ["WT", "BA"]
    assert scene.director("BA") == "A"


@pytest.mark.rule("1835:2.6.2.1b")
@pytest.mark.rule("1835:2.7.6")
@pytest.mark.rule("1835:2.7.7")
def test_after_that_new_shares_pay_the_company() -> None:
    """Question 4."""
    scene = sell_out(trading(), "BY", "SX").shares("BA", A="20P 10", B="10").stock("A")
    bank = scene.has(BANK)
    scene.do("A buys BA 10", "A is done", "B buys BA 10", "B is done")
    bought = only(scene.do("C buys BA 10"), happened.ShareBought)
    assert bought.receiver == "BA"
    assert scene.has("BA") == 588
    # 420 when it went into operation, one share before.
    assert scene.has(BANK) == bank + 84 - 420


@pytest.mark.rule("1835:2.7.7")
def test_prussian_shares_pay_the_bank_until_it_opens() -> None:
    scene = sell_out(trading(), "BY", "SX", "BA", "WT", "HE").stock("A")
    bought = only(scene.do("A buys PR 10"), happened.ShareBought)
    assert (bought.price, bought.receiver, scene.has("PR")) == (154, BANK, 0)
    assert not scene.state.companies["PR"].operating


@pytest.mark.rule("1835:5.5.4.13e")
def test_a_debt_is_repaid_from_new_shares() -> None:
    scene = trading().money(BY=0).stock("A")
    scene.state.companies["BY"].debt = 100
    bank = scene.has(BANK)
    scene.do("A buys BY 10")
    assert (scene.has("BY"), scene.state.companies["BY"].debt) == (0, 8)
    assert scene.has(BANK) == bank + 92


@pytest.mark.rule("1835:2.7.4")
def test_baden_has_no_city_before_its_home_is_built() -> None:
    scene = sell_out(trading(), "BY", "SX").shares("BA", A="20P 10", B="10").stock("A")
    scene.do("A buys BA 10")
    assert scene.deciders() == "A"
    assert scene.step() == "stock-turn"
    assert not any(station.company == "BA" for station in scene.state.layout.stations)
    assert scene.ruleset.tokens(scene.state, "BA") == 2


@pytest.mark.rule("1835:2.7.4")
@pytest.mark.rule("1835:5.5.2.10")
def test_baden_chooses_its_city_when_it_goes_into_operation() -> None:
    scene = sell_out(trading(), "BY", "SX").shares("BA", A="20P 10", B="10")
    scene.tiles("L6:210:0").stock("D").do("D buys BA 10")
    assert (scene.step(), scene.deciders()) == ("home", "A")
    assert scene.can("A") == ["makes city 1 the home of BA", "makes city 2 the home of BA"]
    assert scene.refused("A makes city 3 the home of BA") == "5.5.2.10"
    assert scene.refused("A is done") == "2.7.4"
    scene.do("A makes city 2 the home of BA")
    assert scene.state.layout.stations[-1] == Station("BA", "L6", 1)
    assert (scene.step(), scene.deciders()) == ("stock-turn", "D")


@pytest.mark.rule("1835:5.5.2.10")
def test_baden_chooses_in_the_turn_of_another_company() -> None:
    scene = trading().shares("BA", B="20P 10 10").operating("BA").tiles("L6:210:0")
    scene.stock("A").on(Home("BA", "L6"))
    assert scene.deciders() == "B"
    scene.do("B makes city 1 the home of BA")
    assert scene.state.layout.stations[-1] == Station("BA", "L6", 0)
    assert scene.ruleset.tokens(scene.state, "BA") == 1


@pytest.mark.rule("1835:2.7.3")
def test_markers_stack_in_the_order_of_going_into_operation() -> None:
    """Question 13, its beginning."""
    scene = sell_out(trading(), "BY", "SX").money(A=3000, B=3000)
    scene.shares("BA", A="20P 10 10").shares("WT", B="20P 10 10").stock("A")
    scene.do("A buys BA 10", "A is done", "B buys WT 10")
    assert scene.state.chart["B4"] == ["BA", "WT"]
    assert scene.ruleset.market.in_order(scene.state) == ["BY", "BA", "WT"]


@pytest.mark.rule("1835:5.3.4")
@pytest.mark.rule("1835:5.5.3.12.1")
@pytest.mark.rule("1835:5.5.3.12.2")
@pytest.mark.rule("1835:5.5.3.12.3")
@pytest.mark.parametrize(("second", "cell"), [(pay, "B4"), (withhold, "A5")])
def test_stacks_and_the_order_of_play(second: Callable[..., None], cell: str) -> None:
    """Question 13."""
    scene = Scene().shares("BA", A="20P").shares("WT", B="20P").operating("BA", "WT")
    game = scene.ruleset
    for company in game.market.in_order(scene.state):
        withhold(game, play_of(scene), company, 0)
    assert scene.state.chart == {"A4": ["BA", "WT"]}
    assert game.market.in_order(scene.state) == ["BA", "WT"]
    pay(game, play_of(scene), "BA", 60)
    second(game, play_of(scene), "WT", 60)
    assert (scene.cell("BA"), scene.cell("WT")) == ("B4", cell)
    if second is pay:
        assert scene.state.chart["B4"] == ["BA", "WT"]
    # Of two companies on 92, the one further to the right acts first.
    scene = Scene().operating(BY="C3", SX="E6")
    assert (
        scene.ruleset.market.price(scene.state, "BY")
        == scene.ruleset.market.price(scene.state, "SX")
        == 92
    )
    assert scene.ruleset.market.in_order(scene.state) == ["SX", "BY"]


# ---- the end of the round


@pytest.mark.rule("1835:2.6.3.4")
def test_sold_out_companies_rise() -> None:
    scene = trading().shares("SX", A="20P 10 10 10 10 10 10 10 10")
    scene.operating("SX", HE="E1").shares("HE", B="20P 20 10 10 10 10 10 10")
    scene.shares("BY", C="10 10 10 10", pool="10")
    events = scene.on(EndStockRound()).position
    assert events.state is scene.state
    assert (scene.cell("SX"), scene.cell("HE"), scene.cell("BY")) == ("C3", "E1", "C3")
    # What arrives goes under what is there.
    assert scene.state.chart["C3"] == ["BY", "SX"]


@pytest.mark.rule("1835:2.6.3.4")
def test_the_higher_one_moves_first() -> None:
    scene = trading().shares("SX", A="20P 10 10 10 10 10 10 10 10")
    scene.shares("HE", B="20P 20 10 10 10 10 10 10").operating(HE="C4", SX="C5")
    scene.on(EndStockRound())
    assert scene.state.chart["C3"] == ["BY", "HE"]
    assert scene.cell("SX") == "C4"


@pytest.mark.rule("1835:2.6.3.4")
def test_a_stack_keeps_its_order_when_it_rises() -> None:
    scene = trading().shares("SX", A="20P 10 10 10 10 10 10 10 10")
    scene.shares("HE", B="20P 20 10 10 10 10 10 10").operating(SX="F5", HE="F5")
    scene.on(EndStockRound())
    assert scene.state.chart["F4"] == ["SX", "HE"]


@pytest.mark.rule("1835:2.6.3.4")
def test_exchange_shares_do_not_matter() -> None:
    """Question 12."""
    scene = trading().papers(C="5 6").shares("PR", A="10P 10", B="10 10 10").operating("PR")
    scene.on(EndStockRound())
    assert scene.cell("PR") == "I3"


@pytest.mark.rule("1835:2.6.3.4")
def test_unsold_shares_of_the_packet_matter() -> None:
    scene = Scene().shares("BY", A="20P 10 10 10 10 10 10 10").operating("BY")
    scene.on(EndStockRound())
    assert scene.cell("BY") == "C3"


@pytest.mark.rule("1835:1.1.4")
@pytest.mark.parametrize(("train", "parts"), [("2", 1), ("3", 2), ("4", 2), ("4+4", 2), ("5", 3)])
def test_the_phase_at_the_end_fixes_the_number_of_operating_rounds(train: str, parts: int) -> None:
    scene = trading().phase(train)
    scene.on(EndStockRound())
    assert scene.state.round.parts == parts


@pytest.mark.rule("1835:6.1b")
def test_if_the_bank_runs_dry_in_a_stock_round_one_operating_round_follows() -> None:
    """Question 25, its second half."""
    scene = trading().phase("5").shares("BY", A="10 10").stock("A")
    scene.state.ledger.move("money", BANK, "p3", scene.has(BANK) - 184)
    broken = only(scene.do("A sells BY 10, 10"), happened.BankBroken)
    assert (broken.rule, scene.state.broken, scene.has(BANK)) == ("6.1b", "stock", 0)
    # Money that flows back changes nothing.
    scene.do("A is done", "B buys BY 10", "B is done", "C is done", "D is done", "A is done")
    scene.do("B is done")
    assert scene.state.round.parts == 1
