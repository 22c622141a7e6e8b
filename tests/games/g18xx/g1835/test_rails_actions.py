"""Actions of Rails-18xx one by one, in positions made for them."""

from __future__ import annotations

from typing import Any

import pytest

from kursbuch.core.errors import KursbuchError
from kursbuch.games.g18xx.actions import LayTile
from kursbuch.games.g18xx.g1835 import TITLE
from kursbuch.games.g18xx.g1835.rails18xx import FileReplay
from kursbuch.games.g18xx.g1835.state import (
    AS_RAILS,
    FREE_REVENUE,
    FREE_TRACK,
    SAME_PRICE,
    ExchangeOffer,
    PrussiaOffer,
)
from kursbuch.games.g18xx.rails18xx import DoesNotFit, Needs, search, stations
from kursbuch.games.g18xx.state import Build, BuyTrains, EndTurn, NextCompany, Pay, PlaceToken, Run
from tests.games.g18xx.g1835.railacts import (
    DONE,
    PASS,
    SKIP,
    act,
    acts,
    along,
    begun,
    certificate,
    follow,
    null,
    packet,
    remarks,
    sale,
    tile,
    train,
)
from tests.games.g18xx.g1835.rails import rail
from tests.games.g18xx.g1835.table import Scene

# ---- the start packet and stock rounds


def test_papers_are_bought_and_passes_are_followed() -> None:
    scene = packet()
    said = follow(
        scene,
        act("BuyStartItem", "A", startItemName="M1"),
        null(PASS, "B"),
        act("BuyStartItem", "C", startItemName="LD"),
        act("BuyStartItem", "A", startItemName="M2"),
    )
    # D has been passed over there.
    assert said == ["A buys 1", "B is done", "C buys LD", "D is done", "A buys 2"]


def test_the_bavarian_director_has_a_name_of_its_own() -> None:
    scene = packet()
    said = follow(
        scene,
        *(
            act("BuyStartItem", name, startItemName=item)
            for name, item in zip("ABCDA", ("M1", "LD", "M2", "NF", "Bay"), strict=True)
        ),
    )
    assert said[-1] == "A buys BY-director"


def test_a_player_with_nothing_to_do_is_passed_over_here() -> None:
    scene = Scene().sold().money(A=0, B=500, C=0, D=0).stock("A")
    assert scene.deciders() == "B"
    # There the others have passed by hand.
    scene = Scene().sold().money(A=500, B=0, C=0, D=500).stock("A")
    said = follow(
        scene,
        certificate("A", "BY", 10),
        null(DONE, "A"),
        null(PASS, "B"),
        null(PASS, "C"),
        certificate("D", "BY", 10),
        null(DONE, "D"),
    )
    assert said == ["A buys BY 10", "A is done", "D buys BY 10", "D is done"]


def test_shares_of_all_sources() -> None:
    scene = Scene().sold().shares("BY", A="20P 10 10 10 10", B="10", pool="10")
    scene.operating("BY").money(A=2000).stock("A")
    assert follow(scene, certificate("A", "BY", 10, "Bank_Pool"), null(DONE)) == [
        "A buys BY 10 from the pool",
        "A is done",
    ]
    scene = Scene().sold().shares("BY", A="20P 10 10 10 10", B="10")
    scene.operating("BY").money(A=2000).stock("A")
    assert follow(scene, certificate("A", "BY", 10, "Player_B")) == [
        "A nationalises BY 10 of player 2"
    ]


def test_a_new_company_begins_with_the_certificate_of_its_director() -> None:
    scene = Scene().sold().money(A=500)
    scene.shares("BY", B="20P 10 10 10 10 10 10 10 10").shares(
        "SX", C="20P 10 10 10 10 10 10 10 10"
    )
    scene.stock("A")
    said = follow(
        scene, act("StartCompany", companyName="BA", sharePerCert=20, fromName="Bank_IPO")
    )
    assert said == ["A buys BA 20P"]


def test_the_director_sells_his_certificate_and_the_fewest_come_back() -> None:
    scene = Scene(same_price="on").sold().shares("OL", A="20P 20 10", B="20 10 10", C="10")
    scene.operating("OL").stock("A")
    said = follow(scene, sale("A", "OL", 20), sale("A", "OL", 10), may=(SAME_PRICE,))
    assert said[:2] == ["A sells OL 20", "A takes OL 20"]


def test_an_old_director_who_sells_single_tens_has_got_two() -> None:
    """Older versions gave small certificates; the file does not say which they were."""

    def started() -> FileReplay:
        scene = Scene().sold().shares("OL", A="20P 10", B="20 10", C="20", pool="10")
        scene.operating("OL").money(B=500).stock("B")
        return begun(
            scene,
            certificate("B", "OL", 10, "Bank_Pool"),
            null(DONE, "B"),
            *(null(PASS, name) for name in "CD"),
            sale("A", "OL", 10),
            null(DONE, "A"),
            certificate("B", "OL", 10, "Bank_Pool"),
            null(DONE, "B"),
            *(null(PASS, name) for name in "CD"),
            sale("A", "OL", 10),
        )

    replay = started()
    assert isinstance(replay.run(None), DoesNotFit)
    found, stopped = search(started(), lambda replay, option: None, None)
    assert stopped is None
    said = [found.game.format(move.action) for move in found.game.moves]
    assert said[:2] == ["B buys OL 10 from the pool", "A takes OL 10, 10"]
    assert said.count("A sells OL 10") == 2


def test_two_tens_of_which_one_is_in_the_certificate_of_the_director() -> None:
    scene = Scene().sold().shares("BY", A="20P 10", B="10 10 10").operating("BY").stock("A")
    said = follow(scene, sale("A", "BY", 10, 2))
    assert said == ["A sells BY 20P"]
    assert scene.held("A", "BY") == "10"
    assert scene.held("pool", "BY") == "10 10"


def test_half_of_a_certificate_cannot_be_sold() -> None:
    scene = Scene().sold().shares("BY", A="20P", B="10 10").operating("BY").stock("A")
    with pytest.raises(KursbuchError, match="no whole certificates"):
        follow(scene, sale("A", "BY", 10))


def test_a_second_sale_of_a_company_needs_the_option() -> None:
    def scene(same_price: str = "off") -> Scene:
        made = Scene(same_price=same_price).sold().shares("BY", A="10 10 10", B="20P 10 10 10")
        return made.operating("BY").stock("A")

    two = (sale("A", "BY", 10), sale("A", "BY", 10), null(DONE))
    with pytest.raises(Needs):
        follow(scene(), *two, may=(SAME_PRICE,))
    asked = scene(same_price="on")
    follow(asked, *two, may=(SAME_PRICE,))
    assert asked.has("A") == 475 + 2 * 92
    # Where that program moves the price, too, nothing is needed.
    ruleset = scene()
    follow(ruleset, *two)
    assert ruleset.has("A") == 475 + 92 + 88


# ---- a company's turn


def on_turn(step: type[Any] = Build, free_track: str = "off") -> Scene:
    """Bavaria's turn; A is its director."""
    scene = Scene(free_track=free_track).sold().shares("BY", A="20P 10", B="10 10").operating("BY")
    return scene.money(BY=800).phase("3").turn("BY", step)


def test_steps_without_an_action_are_gone_through() -> None:
    scene = on_turn()
    said = follow(scene, train("BY", "3_0", "IPO", 180), null(DONE))
    assert said == ["A is done", "A buys train 3", "A is done"]
    scene = on_turn()
    said = follow(scene, null(SKIP), null(SKIP), train("BY", "3_0", "IPO", 180), null(DONE))
    assert said == ["A is done", "A buys train 3", "A is done"]


def test_a_tile_is_turned_as_it_lies() -> None:
    scene = on_turn()
    said = follow(scene, tile("BY", "O15", "201", 2))
    (line,) = said
    assert line.startswith("A lays 201 on O15 turned ")
    laid = scene.state.layout.tiles["O15"]
    face = TITLE.ruleset.components.board.tile("201").faces[laid.rotation]
    # Its track leads to the west and the north-west and no further, as "NW" says there.
    assert bin(face.edges()).count("1") == 2


def test_without_a_connection_the_option_is_asked_for() -> None:
    far = tile("BY", "F8", "8", 0)
    with pytest.raises(Needs) as needs:
        follow(on_turn(), far, may=(FREE_TRACK,))
    assert needs.value.option == FREE_TRACK
    with pytest.raises(KursbuchError, match=r"Action 0 \(LayTile\) breaks rule 1835:5\.5\.1\.3"):
        follow(on_turn(), far)
    said = follow(on_turn(free_track="on"), far, may=(FREE_TRACK,))
    assert said[0].startswith("A lays 8 on F8")


def test_a_train_of_another_player_is_offered_for_and_sold() -> None:
    scene = Scene().sold().shares("BY", A="20P 10").shares("SX", B="20P 10")
    scene.operating("BY", "SX").money(BY=300).trains("SX", "3", "3").trains("BY", "3")
    scene.phase("3").turn("BY", BuyTrains)
    said = follow(scene, train("BY", "3_1", "SX", 77), null(DONE))
    assert said == ["A offers 77 for train 3 of SX", "B accepts", "A is done"]
    assert scene.has("SX") == 77


def test_a_purchase_with_the_money_of_the_director() -> None:
    scene = Scene().sold().shares("BY", A="20P 10").operating("BY").money(A=500, BY=20)
    scene.phase("3").turn("BY", BuyTrains)
    follow(scene, train("BY", "3_0", "IPO", 180))
    assert (scene.has("A"), scene.has("BY")) == (340, 0)


@pytest.mark.parametrize("first", ["BuyTrain", "SellShares"])
def test_a_forced_sale(first: str) -> None:
    """The purchase is recorded before the sales, by some versions perhaps behind them, too."""
    scene = Scene().sold().shares("BY", A="20P 10").operating("BY")
    scene.shares("PR", A="5 5", B="10P 10").operating("PR").money(A=50, BY=20)
    scene.phase("3").turn("BY", BuyTrains)
    bought, sold = train("BY", "3_0", "IPO", 180), sale("A", "PR", 5, 2)
    said = follow(scene, *((bought, sold) if first == "BuyTrain" else (sold, bought)))
    assert said == ["A buys train 3", "A sells PR 5, 5"]
    assert scene.owns("BY") == "3"
    assert scene.has("A") == 50 + 154 - 160


def test_another_train_may_be_bought_in_the_end() -> None:
    scene = Scene().sold().shares("BY", A="20P 10").operating("BY").trains("pool", "2+2")
    scene.shares("PR", A="5 5", B="10P 10").operating("PR").money(A=20, BY=20)
    scene.phase("3").turn("BY", BuyTrains)
    said = follow(
        scene,
        train("BY", "3_0", "IPO", 180),
        sale("A", "PR", 5, 2),
        train("BY", "2+2_1", "Pool", 120),
    )
    assert said == ["A buys train 2+2 from the pool", "A sells PR 5, 5"]
    assert (scene.owns("BY"), scene.has("A")) == ("2+2", 20 + 154 - 100)


def test_a_purchase_that_stands_there_again_after_the_sales() -> None:
    scene = Scene().sold().shares("BY", A="20P 10").operating("BY")
    scene.shares("PR", A="5 5", B="10P 10").operating("PR").money(A=50, BY=20)
    scene.phase("3").turn("BY", BuyTrains)
    bought = train("BY", "3_0", "IPO", 180)
    said = follow(scene, bought, sale("A", "PR", 5, 2), bought)
    assert said == ["A buys train 3", "A sells PR 5, 5"]


# ---- revenues


def revenue(company: str, amount: int, allocation: int = 2) -> Any:
    return act(
        "SetDividend", companyName=company, actualRevenue=amount, revenueAllocation=allocation
    )


def running(**options: Any) -> Scene:
    """Bavaria has run its train for 40."""
    scene = Scene(**options).sold().shares("BY", A="20P 10 10", B="10 10 10").operating("BY")
    scene.money(BY=0, A=0, B=0).trains("BY", "2").station("BY", "L14", 0)
    return scene.tiles(rail("M15", "58", "N14", "L14")).turn("BY", Run)


def test_the_highest_revenue_is_taken_over_as_it_is() -> None:
    replay = along(running(), revenue("BY", 40), may=(FREE_REVENUE,))
    assert replay.game.format(replay.game.moves[0].action) == "A pays out"
    assert remarks(replay) == []


@pytest.mark.parametrize(("there", "why"), [(30, "less than"), (60, "more than any runs")])
@pytest.mark.rule("1835:option-free-revenue")
def test_another_revenue_is_taken_over_and_named(there: int, why: str) -> None:
    with pytest.raises(Needs) as needs:
        follow(running(), revenue("BY", there), may=(FREE_REVENUE,))
    assert needs.value.option == FREE_REVENUE
    scene = running(free_revenue="on")
    replay = along(scene, revenue("BY", there), may=(FREE_REVENUE,))
    assert replay.game.format(replay.game.moves[0].action) == f"A pays out {there}"
    assert (scene.has("A"), scene.has("B")) == (there * 4 // 10, there * 3 // 10)
    assert scene.state.companies["BY"].revenue == there
    (said,) = remarks(replay)
    assert said.startswith(f"In action 0 BY earns {there}, {why}")
    # The runs are shown with the names of the places and what they count for.
    assert "(40): 2: Nürnberg/Fürth 30 + Regensburg 10 = 40." in said


def test_nothing_earned_is_saved() -> None:
    scene = running(free_revenue="on")
    cell = scene.cell("BY")
    assert follow(scene, revenue("BY", 0)) == ["A saves 0"]
    assert scene.cell("BY") != cell


def minor_running(**options: Any) -> Scene:
    """Minor 3 is about to run for 40."""
    scene = Scene(**options).sold().papers(A="3").trains("3", "2").money(A=0, M3=0)
    scene.tiles(rail("F14", "57", "F12", "F16")).turn("3")
    return scene


@pytest.mark.rule("1835:option-free-revenue")
def test_a_minor_with_another_revenue() -> None:
    alone = minor_running()
    assert follow(alone, revenue("M3", 40, 1), null(DONE), may=(FREE_REVENUE,)) == ["A is done"]
    assert (alone.has("A"), alone.has("3")) == (20, 20)
    for there in (20, 60):
        with pytest.raises(Needs):
            follow(minor_running(), revenue("M3", there, 1), null(DONE), may=(FREE_REVENUE,))
        scene = minor_running(free_revenue="on")
        said = follow(scene, revenue("M3", there, 1), null(DONE), may=(FREE_REVENUE,))
        assert said == ["A is done", f"A pays out {there}"]
        assert (scene.has("A"), scene.has("3")) == (there // 2, there // 2)


def test_a_company_without_runs_may_have_a_revenue_there() -> None:
    """Where track does not connect, that program counts what has been entered."""

    def scene(**options: Any) -> Scene:
        made = Scene(**options).sold().shares("BY", A="20P 10").operating("BY")
        return made.money(BY=0, A=0).trains("BY", "2").phase("2").turn("BY")

    with pytest.raises(DoesNotFit) as refused:
        follow(scene(), revenue("BY", 30), null(DONE), may=(FREE_REVENUE,))
    assert refused.value.perhaps == (FREE_REVENUE,)
    found = scene(free_revenue="on")
    replay = along(found, revenue("BY", 30), null(DONE), may=(FREE_REVENUE,))
    assert found.has("A") == 9
    assert remarks(replay)[0].endswith("bring (0): –. The amount is taken over.")
    # Where it is not asked what is done with nothing, neither is here.
    nothing = scene(free_revenue="on")
    assert follow(nothing, null(SKIP), null(DONE), may=(FREE_REVENUE,)) == ["A is done", "A saves"]


# ---- small print of that program


@pytest.mark.rule("1835:option-as-rails")
def test_a_nationalised_5_percent_share_is_rounded_down() -> None:
    def scene(**options: Any) -> Scene:
        made = Scene(**options).sold().shares("PR", A="10P 10 10 10 10 5", B="5", C="10")
        return made.operating("PR").money(A=500, B=0).stock("A")

    take = certificate("A", "PR", 5, "Player_B")
    with pytest.raises(Needs) as needs:
        follow(scene(), take, may=(AS_RAILS,))
    assert needs.value.option == AS_RAILS
    found = scene(as_rails="on")
    replay = along(found, take, may=(AS_RAILS,))
    assert found.has("B") == 115
    assert remarks(replay) == ["With the option as-rails the action 0 comes out as in Rails-18xx."]
    # What comes out even needs no option.
    even = scene()
    follow(even, certificate("A", "PR", 10, "Player_C"), may=(AS_RAILS,))
    assert even.has("C") == 475 + 231


@pytest.mark.parametrize(
    ("company", "hex", "price"), [("OL", "A11", 80), ("MS", "F12", 60), ("HE", "C13", 140)]
)
@pytest.mark.rule("1835:option-as-rails")
def test_markers_around_schwerin_and_oldenburg(company: str, hex: str, price: int) -> None:
    def scene(**options: Any) -> Scene:
        made = Scene(**options).sold().shares(company, A="20P 10").operating(company)
        for name in ("BY", "SX", "BA", "WT", "HE", "MS", "OL"):
            made.state.companies[name].operating = True
        made.money(**{company: 500}).phase("3")
        return made.turn(company, PlaceToken)

    marker = act("LayBaseToken", companyName=company, chosenHexName=hex, chosenStation=1, type=1)
    with pytest.raises(Needs) as needs:
        follow(scene(free_track="on"), marker, may=(AS_RAILS,))
    assert needs.value.option == AS_RAILS
    found = scene(free_track="on", as_rails="on")
    follow(found, marker, may=(AS_RAILS,))
    assert found.has(company) == 500 - price - 20


def test_most_markers_cost_the_same_there() -> None:
    scene = Scene(free_track="on").sold().shares("BY", A="20P 10").operating("BY")
    scene.money(BY=500).phase("3").turn("BY", PlaceToken)
    marker = act("LayBaseToken", companyName="BY", chosenHexName="J8", chosenStation=1, type=1)
    follow(scene, marker, may=(AS_RAILS,))
    assert scene.has("BY") == 500 - 120


@pytest.mark.rule("1835:option-as-rails")
def test_a_forced_sale_of_more_than_is_needed() -> None:
    def scene(**options: Any) -> Scene:
        made = Scene(**options).sold().shares("BY", A="20P 10").operating("BY")
        made.shares("PR", A="5 5 5", B="10P 10").operating("PR").money(A=50, BY=20)
        return made.phase("3").turn("BY", BuyTrains)

    given = (train("BY", "3_0", "IPO", 180), sale("A", "PR", 5, 3))
    with pytest.raises(Needs) as needs:
        follow(scene(), *given, may=(AS_RAILS,))
    assert needs.value.option == AS_RAILS
    found = scene(as_rails="on")
    replay = along(found, *given, may=(AS_RAILS,))
    assert found.has("A") == 50 + 231 - 160
    assert len(remarks(replay)) == 1


def opened(paid: str, **options: Any) -> Scene:
    """Prussia has opened in this operating round and pays; B holds a share of it and HA."""
    scene = Scene(**options).sold().papers(A="3", B="HA 4").phase("4")
    scene.shares("PR", A="10P", B="10").operating("PR").money(A=0, B=0, PR=0).trains("PR", "4")
    scene.state.opened = True
    scene.state.round.part = scene.state.round.parts = 2
    scene.state.round.paid = paid.split()
    scene.state.round.acted = ["3"]
    return scene.on(NextCompany(), EndTurn("PR"), BuyTrains("PR"), Pay("PR", 100))


@pytest.mark.rule("1835:option-as-rails")
@pytest.mark.rule("1835:4.5")
def test_income_is_refused_for_papers_that_are_not_exchanged() -> None:
    paid = revenue("PR", 100)
    with pytest.raises(Needs) as needs:
        follow(opened("BS HA"), paid, null(DONE), may=(AS_RAILS,))
    assert needs.value.option == AS_RAILS
    # HA has paid: its 10 percent count; Minor 4 has not acted. Minor 3 has: 5 percent.
    scene = opened("BS HA", as_rails="on")
    replay = along(scene, paid, null(DONE), may=(AS_RAILS,))
    assert (scene.has("A"), scene.has("B")) == (5, 0)
    assert len(remarks(replay)) == 1
    # When Prussia was open before the round, nothing is refused there either.
    before = opened("BS HA")
    before.state.opened = False
    follow(before, paid, null(DONE), may=(AS_RAILS,))
    assert (before.has("A"), before.has("B")) == (10, 10)


@pytest.mark.parametrize(("named", "stop"), [("BA:1", 1), ("BA:2", 0)])
def test_baden_gets_the_city_named_with_the_tile(named: str, stop: int) -> None:
    scene = Scene().sold().shares("BA", A="20P 10", B="20").operating("BA").money(BA=500)
    scene.phase("3").turn("BA")
    follow(scene, tile("BA", "L6", "210", 4, relaidBaseTokensString=named))
    ((company, hex, where),) = [
        station for station in scene.state.layout.stations if station.company == "BA"
    ]
    assert (company, hex) == ("BA", "L6")
    laid = scene.state.layout.tiles["L6"]
    assert where == stations(TITLE.ruleset.components.board.tile("210"), laid.rotation)[1 - stop]


# ---- Prussia and surplus trains


def prussia() -> Scene:
    scene = Scene().sold().papers(A="2 3", B="BS 4", C="5").phase("4")
    scene.shares("BY", A="20P 10").operating("BY").money(BY=100).trains("BY", "4")
    return scene


def test_prussia_opens_and_the_questions_may_come_in_another_order() -> None:
    scene = prussia()
    scene.state.agenda += [NextCompany()]
    scene.state.round.part = 1
    scene.state.round.parts = 2
    scene.on(PrussiaOffer(0))

    def fold(name: str, exchangeable: str, folded: str) -> Any:
        return act(
            "FoldIntoPrussian", name, foldableCompanyNames=exchangeable, foldedCompanyNames=folded
        )

    said = follow(
        scene,
        fold("A", "M2", "M2"),
        fold("C", "M5", ""),
        fold("A", "M3", "M3"),
        fold("B", "BB,M4", "M4,BB"),
    )
    assert said[:4] == [
        "A opens PR",
        "A exchanges 3",
        "B exchanges BS, 4",
        "C exchanges nothing",
    ]


def test_trains_are_handed_in_one_by_one_there_and_together_here() -> None:
    from kursbuch.games.g18xx.state import Surplus

    scene = prussia()
    scene.trains("BY", "4", "2+2", "3").turn("BY", BuyTrains)
    scene.on(Surplus(["BY"]))
    assert scene.step() == "surplus"
    limit = TITLE.ruleset.depot.train_limit(scene.state, "BY")
    count = len(scene.owns("BY").split()) - limit
    handed = ("3_0", "2+2_1", "4_0")[:count]
    said = follow(
        scene,
        *(
            act("DiscardTrain", companyName="BY", discardedTrainUniqueId=unique)
            for unique in handed
        ),
    )
    assert said[0].startswith("A hands in ")
    assert scene.owns("pool").split() == sorted(u.partition("_")[0] for u in handed)


def test_prussia_is_opened_together_with_another_exchange() -> None:
    scene = prussia()
    scene.state.round.part = scene.state.round.parts = 2
    scene.state.agenda += [NextCompany()]
    said = follow(
        scene.on(PrussiaOffer(0)),
        act("FoldIntoPrussian", foldableCompanyNames="M2,M3", foldedCompanyNames="M2,M3"),
        act("FoldIntoPrussian", "B", foldableCompanyNames="BB,M4", foldedCompanyNames=""),
    )
    assert said[:3] == ["A opens PR", "A exchanges 3", "B exchanges nothing"]


def folding(*seats: int) -> Scene:
    """Prussia, led by A, has one train more than it may once B has exchanged; B will lead it."""
    scene = Scene().sold().papers(B="HA 4").phase("4")
    scene.shares("PR", A="10P", B="10").operating("PR").trains("PR", "3", "3", "3", "4")
    scene.trains("4", "3+3")
    scene.state.round.part, scene.state.round.parts = 1, 2
    return scene.on(NextCompany(), ExchangeOffer(list(seats), "4.7"))


def test_surplus_trains_of_prussia_before_its_director_changes() -> None:
    scene = folding(1)
    said = follow(
        scene,
        act("FoldIntoPrussian", "B", foldableCompanyNames="HB,M4", foldedCompanyNames="M4,HB"),
        act("DiscardTrain", "A", companyName="PR", discardedTrainUniqueId="3+3_0"),
    )
    # The new director acts here, with the trains the old one chose there.
    assert said[:2] == [
        "B exchanges HA, 4",
        "B hands in 3+3 of PR",
    ]
    assert scene.director("PR") == "B"


def test_the_order_of_exchanges_does_not_matter() -> None:
    def scene() -> Scene:
        made = Scene().sold().papers(A="3", B="4", C="5").phase("4")
        made.shares("PR", D="10P 10 10").operating("PR")
        made.state.round.part, made.state.round.parts = 1, 2
        return made.on(NextCompany(), ExchangeOffer([0, 1, 2], "4.7"))

    folds = [
        act("FoldIntoPrussian", name, foldableCompanyNames=paper, foldedCompanyNames=paper)
        for name, paper in (("A", "M3"), ("B", "M4"), ("C", "M5"))
    ]
    there, here = scene(), scene()
    follow(there, *folds[1:], folds[0])
    follow(here, *folds)
    assert there.state == here.state


@pytest.mark.parametrize("named", ["BA:1", "BA:2"])
def test_whoever_builds_names_the_city_of_baden(named: str) -> None:
    scene = Scene(free_track="on").sold().shares("BA", B="20P 10", C="20").operating("BA")
    scene.shares("WT", A="20P 10").operating("WT").money(WT=500).phase("3").turn("WT")
    said = follow(scene, tile("WT", "L6", "210", 4, relaidBaseTokensString=named))
    stop = TITLE.ruleset.station(scene.state, "BA", "L6")
    assert stop is not None
    assert said[1] == f"B makes city {stop + 1} the home of BA"
    number = int(named[-1]) - 1
    laid = scene.state.layout.tiles["L6"]
    there = stations(TITLE.ruleset.components.board.tile("210"), laid.rotation)[number]
    assert TITLE.ruleset.station(scene.state, "BA", "L6") == there


# ---- corrections by hand


def test_what_was_corrected_by_hand_is_corrected_here() -> None:
    scene = Scene().papers(A="PF").sold().money(A=500, B=500, C=0, D=0).operating("BY")
    scene.stock("A")
    before = scene.state.companies["BY"].cell
    replay = along(
        scene,
        act("CorrectionModeAction", active=True),
        act("CashCorrectionAction", cashHolderName="B", amount=-30, maximumNegative=500),
        act("CashCorrectionAction", cashHolderName="BY", amount=40),
        act("CorrectionModeAction", active=False),
        act("AdjustSharePrice", companyName="BY", chosenDirection="UP"),
        act("ClosePrivate", privateCompanyName="PfB"),
        null(PASS, "A"),
    )
    said = [replay.game.format(move.action) for move in replay.game.moves]
    after = replay.ruleset.chart.up[before]
    assert said[:3] == [
        "Correction: money 30 from player 2 to bank",
        "Correction: money 40 from bank to BY",
        f"Correction: price of BY at {after}",
    ]
    assert said[3] == "Correction: paper PF from player 1 to box"
    assert said[4] == "A is done"
    assert remarks(replay) == [
        "In action 1, 2, 4, 5 something was corrected by hand. It is taken over as a correction."
    ]


def corrected_train(source: str, target: str) -> tuple[str, int, dict[str, Any]]:
    """A train goes from one to another."""
    names = {"sourceOwnerName": source, "destOwnerName": target}
    return act("TrainCorrectionAction", "A", trainId="2_0", **names)


def test_tiles_and_trains_that_were_corrected() -> None:
    """In steps, of which only the last changes anything, or at once, as versions of that program do it."""
    scene = Scene().sold().money(A=500, B=500, C=0, D=0).operating("BY").stock("A")
    hexes: dict[str, Any] = {"locationCoordinates": "H8", "orientation": 0}
    replay = along(
        scene,
        act("MapCorrectionAction", **hexes, stepName="SELECT_TILE", sTileIds=["7", "8", "9"]),
        act("MapCorrectionAction", **hexes, stepName="FINISHED", sTileIds=["8"]),
        act("MapCorrectionAction", **hexes, stepName="FINISHED", tileIds=[9]),
        act("MapCorrectionAction", hexName="H8", tileNumber="7", rotation=1),
        act("MapCorrectionAction", hexName="H8", tileNumber="7", rotation=1),
        act("MapCorrectionAction", hexName="H8", tileNumber="-1", rotation=0),
        act("TrainCorrectionAction", trainId="2_0", sourceOwnerName="IPO", destOwnerName="BY"),
        act(
            "TrainCorrectionAction", trainId="2_0", sourceOwnerName="BY", destOwnerName="Bank_Pool"
        ),
        act("TrainCorrectionAction", trainId="2_0", sourceOwnerName="Pool", destOwnerName="Trash"),
        null(PASS, "A"),
    )
    said = [replay.game.format(move.action) for move in replay.game.moves]

    def laid(tile: str, orientation: int) -> int:
        """How a tile that is laid there as a move is turned here."""
        laying = act("LayTile", chosenHexName="H8", sLaidTileId=tile, orientation=orientation)
        (lay,) = acts(laying)
        move = replay.terms.building(lay, 0)
        assert isinstance(move, LayTile)
        return move.rotation

    assert [line.removeprefix("Correction: ") for line in said] == [
        f"tile 8 on H8 turned {laid('8', 0)}",
        f"tile 9 on H8 turned {laid('9', 0)}",
        f"tile 7 on H8 turned {laid('7', 1)}",
        "no tile on H8",
        "train 2 from bank to BY",
        "train 2 from BY to pool",
        "train 2 from pool to box",
        "A is done",
    ]


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("CashCorrectionAction", {"cashHolderName": "Zeno", "amount": 5}),
        ("CashCorrectionAction", {"cashHolderName": "B", "amount": None}),
        ("CashCorrectionAction", {"cashHolderName": "B", "amount": -9999}),
        ("AdjustSharePrice", {"companyName": "BY"}),
        ("MapCorrectionAction", {"locationCoordinates": "F14", "orientation": 0}),
        ("MapCorrectionAction", {"locationCoordinates": "F14", "tileIds": [7], "orientation": 0}),
        ("MapCorrectionAction", {"hexName": "Z99", "tileNumber": "8", "rotation": 0}),
        ("TrainCorrectionAction", {"trainId": "2_0", "sourceOwnerName": "IPO"}),
        (
            "TrainCorrectionAction",
            {"trainId": "9_0", "sourceOwnerName": "IPO", "destOwnerName": "BY"},
        ),
    ],
)
def test_corrections_that_cannot_be_taken_over_are_named(kind: str, fields: dict[str, Any]) -> None:
    scene = Scene().sold().money(A=500, B=500, C=0, D=0).operating("BY").stock("A")
    with pytest.raises(KursbuchError, match=f"Action 0 .*{kind}"):
        along(scene, act(kind, **fields))
