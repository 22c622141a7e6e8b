"""Who leads a company of 1853: directors, operating managers, the paper of two shares, trains on credit."""

from __future__ import annotations

import pytest

from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.g1853.events import (
    CreditReturned,
    CreditSettled,
    DirectorLost,
    TrainOnCredit,
)
from kursbuch.games.g18xx.state import BuyTrains, Pay
from tests.games.g18xx.g1853.table import Scene
from tests.happened import every, only

# ---- directors


@pytest.mark.rule("1853:3.2.3", "1853:1-control", "1853:1-director-change")
def test_the_example_of_a_sale() -> None:
    """A has three, B three as well; A sells one and B is director, A holds two single papers."""
    scene = Scene().shares("GIP", A=3, B=3).operating("GIP").stock()
    assert scene.director("GIP") == "A"
    changed = only(scene.do("A sells GIP 10"), happened.DirectorChanged)
    assert (changed.old, changed.new, changed.rule) == (0, 1, "3.2.3")
    assert scene.director("GIP") == "B"
    assert [scene.ruleset.shares.count_certificates(scene.state, seat) for seat in (0, 1)] == [2, 2]


@pytest.mark.rule("1853:3.2.3", "1853:1-director-change")
def test_more_shares_by_a_purchase() -> None:
    """As many do not unseat him, though B has held shares longer; more do, at once."""
    scene = Scene(3).shares("GIP", B=2, A=3).operating("GIP").stock("B")
    assert not every(scene.do("B buys GIP 10"), happened.DirectorChanged)
    scene.do("B is done", "C is done", "A is done")
    only(scene.do("B buys GIP 10"), happened.DirectorChanged)
    assert scene.director("GIP") == "B"
    assert scene.pool("GIP") == 0


@pytest.mark.rule("1853:3.2.3", "1853:3.2.1", "1853:2.9.2")
@pytest.mark.parametrize(("first", "then", "new"), [("B", "C", "B"), ("C", "B", "C")])
def test_of_several_who_pass_him_the_longest_holder_directs(
    first: str, then: str, new: str
) -> None:
    scene = Scene().shares("GIP", A=4).shares("GIP", **{first: 1}).shares("GIP", **{then: 3})
    scene.shares("GIP", **{first: 2}).operating("GIP").stock()
    scene.do("A sells GIP 10, 10, 10")
    assert scene.director("GIP") == new


@pytest.mark.rule("1853:3.2.1", "1853:1-control")
def test_the_director_leads_the_company() -> None:
    scene = Scene().shares("GIP", C=3, A=2).operating("GIP").money(GIP=100).turn("GIP", BuyTrains)
    assert scene.leads("GIP") == "C"
    scene = Scene().shares("GIP", C=3, A=2).operating("GIP").turn("GIP")
    assert scene.deciders() == "C"
    assert scene.refused("A lays two tiles later") == "4.0"


# ---- operating managers


@pytest.mark.rule("1853:3.4", "1853:3.4.1")
def test_selling_a_company_down() -> None:
    """Question 9: A has 3 shares, B 1, C 1; three lie in the pool."""

    def sir() -> Scene:
        scene = Scene().shares("SIR", B=1, C=1, A=3, pool=3).operating("SIR")
        scene.state.priority = 3
        return scene.stock()

    scene = sir()
    events = scene.do("A sells SIR 10, 10")
    assert only(events, DirectorLost).old == 0
    assert only(events, happened.ManagerFound).seat == 0
    assert (scene.director("SIR"), scene.leads("SIR")) == ("", "A")
    scene.do("A sells SIR 10")
    assert scene.leads("SIR") == "B"
    scene.do("A is done", "B sells SIR 10", "B is done")
    assert scene.leads("SIR") == "C"
    scene.do("C sells SIR 10")
    assert scene.leads("SIR") == "D", "the holder of the elephant"
    scene = sir()
    scene.do("A sells SIR 10, 10", "A is done", "B is done")
    changed = only(scene.do("C buys SIR 10"), happened.DirectorChanged)
    assert (changed.old, changed.new) == (None, 2)
    assert scene.director("SIR") == "C"


@pytest.mark.rule("1853:3.4.1")
def test_the_example_of_the_former_director() -> None:
    """A was the last director and has one share, as B, who has held longer; C has the elephant."""
    scene = Scene().shares("SIR", B=1, A=2, pool=5).operating("SIR").stock()
    scene.state.priority = 2
    scene.do("A sells SIR 10")
    assert scene.leads("SIR") == "A"


@pytest.mark.rule("1853:3.4.1")
def test_the_last_director_is_the_former_one() -> None:
    """A directed it before B did; then B sells all."""
    scene = Scene().shares("SIR", C=1, A=2, B=3, pool=2).operating("SIR").stock("B")
    scene.state.charters["SIR"].former = 0
    assert scene.director("SIR") == "B"
    scene.do("B sells SIR 10, 10, 10")
    assert scene.director("SIR") == "A"
    scene.do("B is done", "C is done", "D is done", "A sells SIR 10")
    assert (scene.director("SIR"), scene.leads("SIR")) == ("", "A")
    scene.do("A sells SIR 10")
    assert scene.leads("SIR") == "C"


@pytest.mark.rule("1853:3.4.1")
def test_of_two_former_directors_the_last_is_manager() -> None:
    """First A directed it, then B; now each has one share."""
    scene = Scene(3).shares("SIR", A=2, B=2, pool=2).operating("SIR").stock()
    scene.do("A sells SIR 10")
    assert scene.director("SIR") == "B"
    scene.do("A is done", "B sells SIR 10")
    assert (scene.director("SIR"), scene.leads("SIR")) == ("", "B")


@pytest.mark.rule("1853:3.4.1", "1853:3.1.11")
def test_a_company_without_shareholders_goes_with_the_elephant() -> None:
    scene = Scene(3).shares("SIR", pool=6).operating("SIR").stock()
    assert scene.leads("SIR") == "A"
    scene.do("A is done", "B buys EIR 10", "B is done", "C is done", "A is done", "B is done")
    assert scene.leads("SIR") == "C"
    scene.do("C offers the elephant to player 2 for 10", "B accepts")
    assert scene.leads("SIR") == "B"
    assert scene.deciders() == "B"


@pytest.mark.rule("1853:3.2.2", "1853:3.4.1", "1853:3.3.1")
def test_at_a_founding_without_a_director_the_longest_holder_is_manager() -> None:
    scene = Scene(6).shares("ECR", C=1, B=1, A=1).shares("SIR", D=1).stock("D")
    found = only(scene.do("D buys ECR 10"), happened.ManagerFound)
    assert found.seat == 2
    assert (scene.leads("ECR"), scene.has("ECR")) == ("C", 700)


@pytest.mark.rule("1853:3.4.2")
def test_a_manager_has_to_withhold() -> None:
    scene = Scene().shares("NWR", A=1, B=1, pool=3).operating("NWR")
    scene.track("standard", "B10", "C11").trains("NWR", "2").turn("NWR", Pay)
    scene.state.agenda.pop()
    scene.on(Pay("NWR", 60))
    assert scene.refused("A pays out") == "3.4.2"
    scene.do("A saves")
    assert scene.has("NWR") > 0
    scene = Scene().shares("NWR", A=2, B=1, pool=3).operating("NWR")
    scene.track("standard", "B10", "C11").trains("NWR", "2").turn("NWR", Pay)
    scene.state.agenda.pop()
    scene.on(Pay("NWR", 60)).do("A pays out")


# ---- the paper of two shares


@pytest.mark.rule("1853:1-shares", "1853:3.1.3")
def test_the_example_of_the_paper_of_two_in_the_offering() -> None:
    """NWR never had a director; A has one share, B none, and only the paper of two is left."""
    scene = Scene().shares("NWR", A=1, C=1, pool=6).operating("NWR").stock("B").money(A=92)
    assert scene.refused("B buys NWR 10") == "1-shares"
    scene.do("B is done", "C is done", "D is done")
    only(scene.do("A buys NWR 10"), happened.DirectorChanged)
    assert (scene.has("A"), scene.director("NWR")) == (0, "A")
    assert (scene.held("A", "NWR"), scene.held("stack", "NWR")) == (2, 1)
    scene.do("A is done")
    assert "buys NWR 10" in scene.can("B"), "the single paper that A gave for it"


@pytest.mark.rule("1853:1-shares")
def test_the_paper_of_two_in_the_pool() -> None:
    """The last director sold it; nothing else lies in the pool."""
    scene = Scene().shares("NWR", A=2, B=1, C=1).operating("NWR").money(D=500).stock()
    scene.do("A sells NWR 10, 10", "A is done")
    assert scene.state.charters["NWR"].double == "pool"
    assert "buys NWR 10 from the pool" in scene.can("B")
    scene.do("B is done", "C is done")
    assert scene.refused("D buys NWR 10 from the pool") == "1-shares"
    scene.do("D buys NWR 10", "D is done", "A is done")
    only(scene.do("B buys NWR 10 from the pool"), happened.DirectorChanged)
    assert (scene.director("NWR"), scene.pool("NWR")) == ("B", 1)
    assert scene.ruleset.shares.single_shares_at(scene.state, "NWR", "pool") == 1


@pytest.mark.rule("1853:1-shares")
def test_single_papers_in_the_pool_are_sold_first() -> None:
    scene = Scene().shares("NWR", A=3, B=1).operating("NWR").stock()
    scene.do("A sells NWR 10, 10, 10", "A is done", "B is done")
    scene.do("C buys NWR 10 from the pool", "C is done")
    assert scene.refused("D buys NWR 10 from the pool") == "1-shares"


@pytest.mark.rule("1853:1-shares")
@pytest.mark.parametrize(
    ("others", "pool", "possible"),
    [({"B": 1}, 0, False), ({"B": 1}, 1, True), ({"B": 2}, 0, True), ({}, 0, False)],
)
def test_a_director_who_has_only_the_paper_of_two(
    others: dict[str, int], pool: int, possible: bool
) -> None:
    """He sells one of its shares if someone else is director by that, or the pool has a single paper
    to give back for it. He can always sell both."""
    scene = Scene().shares("NWR", A=2, **others, pool=pool).operating("NWR").stock()
    assert scene.director("NWR") == "A"
    if possible:
        scene.do("A sells NWR 10")
        assert scene.director("NWR") == ("B" if others == {"B": 2} else "")
        assert scene.leads("NWR") == ("B" if others == {"B": 2} else "A")
    else:
        assert scene.refused("A sells NWR 10") == "1-shares"
        scene.do("A sells NWR 10, 10")
        assert scene.director("NWR") == ""


@pytest.mark.rule("1853:1-shares", "1853:3.2.1")
def test_at_the_founding_the_single_papers_go_back_to_the_offering() -> None:
    """The number of issued shares stays the same; the paper of two is not bought any more."""
    scene = Scene(3).shares("SIR", A=4, B=1).stock("C")
    scene.do("C buys SIR 10")
    assert (scene.held("stack", "SIR"), scene.state.charters["SIR"].double) == (4, "")
    assert scene.ruleset.shares.single_shares_at(scene.state, "SIR", "stack") == 4
    assert scene.held("A", "SIR") == 4


# ---- trains on credit


def on_credit(**sums: int) -> Scene:
    """NWR with three shares of different players, A its manager, and 200 in the treasury."""
    scene = Scene().shares("NWR", A=1, B=1, C=1, pool=2).operating("NWR").money(**sums)
    return scene.money(NWR=200).turn("NWR", BuyTrains)


@pytest.mark.rule("1853:3.4.3", "1853:3.4.4", "1853:3.4.2")
def test_a_manager_buys_on_credit() -> None:
    """Question 10: the treasury stays at 200, and 300 are owed."""
    scene = on_credit(A=50)
    event = only(scene.do("A buys train 2 on credit"), TrainOnCredit)
    assert (event.train, event.price) == ("2", 300)
    assert (scene.has("NWR"), scene.owns("NWR")) == (200, "2")
    charter = scene.state.charters["NWR"]
    assert (charter.credit, charter.owed) == ("2", 300)
    scene = on_credit(A=50)
    assert "is done" in scene.can("A"), "he need not buy"


@pytest.mark.rule("1853:3.4.3", "1853:4.8.10")
def test_who_may_not_buy_on_credit() -> None:
    """A company with a director, with a train, or with money enough."""
    scene = Scene().shares("NWR", A=2, pool=3).operating("NWR").money(NWR=200, A=500)
    assert scene.turn("NWR", BuyTrains).refused("A buys train 2 on credit") == "4.8.10"
    scene = Scene().shares("NWR", A=1, pool=3).operating("NWR").money(NWR=300)
    assert scene.turn("NWR", BuyTrains).refused("A buys train 2 on credit") == "3.4.3"
    scene = Scene().shares("NWR", A=1, pool=3).operating("NWR").money(NWR=200).trains("NWR", "2")
    assert scene.turn("NWR", BuyTrains).refused("A buys train 2 on credit") == "3.4.3"


@pytest.mark.rule("1853:3.4.4", "1853:3.4.3")
def test_the_manager_chooses_the_gauge() -> None:
    scene = Scene().shares("NWR", A=1, B=1, pool=3).operating("NWR").phase("3").money(NWR=200)
    scene.trains("pool", "2").turn("NWR", BuyTrains)
    credits = [line for line in scene.can("A") if line.endswith("on credit")]
    assert credits == [
        "buys train 3 on credit",
        "buys train 2M on credit",
        "buys train 2 from the pool on credit",
    ]
    scene.do("A buys train 2M on credit")
    assert scene.state.charters["NWR"].owed == 250


@pytest.mark.rule("1853:3.4.3")
@pytest.mark.parametrize(("treasury", "paid"), [(299, False), (300, True), (350, True)])
def test_the_debt_is_paid_as_soon_as_the_treasury_covers_it(treasury: int, paid: bool) -> None:
    scene = Scene().shares("NWR", A=1, B=1, pool=3).operating("NWR").credit("NWR", "2")
    bank = scene.money(NWR=treasury).has("bank")
    scene.turn("NWR", BuyTrains)
    charter = scene.state.charters["NWR"]
    assert (charter.credit == "", charter.owed == 0) == (paid, paid)
    assert scene.has("NWR") == treasury - 300 * paid
    assert scene.has("bank") == bank + 300 * paid


@pytest.mark.rule("1853:3.4.6", "1853:3.4.5", "1853:4.8.9")
def test_what_is_not_paid_blocks_other_payments_and_its_sale() -> None:
    scene = Scene().shares("NWR", A=1, B=1, pool=3).operating("NWR", "EIR").credit("NWR", "2")
    scene.shares("EIR", C=3).money(NWR=200, EIR=500)
    assert scene.ruleset.purse(scene.state, "NWR") == 0
    scene.turn("NWR", BuyTrains)
    assert scene.step() != "buy-trains" or scene.refused("A buys train 2") == "3.4.6"
    scene = Scene().shares("NWR", A=1, B=1, pool=3).shares("EIR", C=3)
    scene.operating("NWR", "EIR").credit("NWR", "2").money(NWR=200, EIR=500)
    scene.turn("EIR", BuyTrains)
    assert scene.refused("C offers 100 for train 2 of NWR") == "3.4.5"


@pytest.mark.rule("1853:4.8.10", "1853:3.4.6", "1853:4.8.8")
def test_a_new_director_pays_or_returns_the_train() -> None:
    """Question 10: the treasury of 200 and exactly 100 of his own."""

    def new_director(cash: int) -> Scene:
        scene = Scene().shares("NWR", B=1, A=1, pool=4).operating("NWR").credit("NWR", "2")
        return scene.money(NWR=200, A=cash + 92).stock()

    scene = new_director(100)
    scene.do("A buys NWR 10")
    assert (scene.step(), scene.deciders()) == ("settle-credit", "A")
    assert scene.refused("A is done") == "4.8.10"
    settled = only(scene.do("A pays for the train"), CreditSettled)
    assert (settled.price, settled.added, settled.amounts) == (300, 100, (-100, 0, 0, 0))
    assert (scene.has("A"), scene.has("NWR"), scene.owns("NWR")) == (0, 0, "2")
    assert scene.state.charters["NWR"].credit == ""
    assert scene.step() == "stock-turn"
    scene = new_director(100)
    returned = only(scene.do("A buys NWR 10", "A returns the train"), CreditReturned)
    assert not returned.forced
    assert (scene.has("A"), scene.has("NWR"), scene.owns("NWR")) == (100, 200, "")
    assert scene.owns("pool") == "2"
    assert scene.state.charters["NWR"].owed == 0
    scene = new_director(99)
    returned = only(scene.do("A buys NWR 10"), CreditReturned)
    assert returned.forced
    assert (scene.has("A"), scene.has("NWR"), scene.owns("pool")) == (99, 200, "2")
    assert scene.ruleset.depot.price("2") == 300


@pytest.mark.rule("1853:4.8.10")
def test_a_full_treasury_pays_alone() -> None:
    """The new director adds nothing."""
    scene = Scene().shares("NWR", B=1, A=1, pool=4).operating("NWR").credit("NWR", "2")
    scene.money(NWR=350, A=92).stock().do("A buys NWR 10", "A pays for the train")
    assert (scene.has("NWR"), scene.has("A")) == (50, 0)


@pytest.mark.rule("1853:4.8.10", "1853:3.4.1")
def test_the_choice_is_made_in_the_turn_of_whoever_causes_it() -> None:
    """B sells nothing but buys his second share in his own turn; A, who has one, is not asked."""
    scene = Scene().shares("NWR", A=1, B=1, pool=4).operating("NWR").credit("NWR", "2")
    scene.money(NWR=300).stock("B").do("B buys NWR 10")
    assert (scene.step(), scene.deciders()) == ("settle-credit", "B")
    scene.do("B returns the train")
    assert (scene.step(), scene.deciders()) == ("stock-turn", "B")


@pytest.mark.rule("1853:3.4.3")
def test_the_debt_goes_with_a_scrapped_train() -> None:
    """Question 10: the first train 4 scraps the 2."""
    scene = Scene().shares("NWR", A=1, B=1, pool=3).shares("SIR", C=3)
    scene.operating("NWR", "SIR").credit("NWR", "2").phase("3").money(NWR=10, SIR=700)
    ledger = scene.state.ledger
    ledger.move("train:3", "stack", "box", ledger.held("train:3", "stack"))
    scene.turn("SIR", BuyTrains).do("C buys train 4")
    charter = scene.state.charters["NWR"]
    assert (scene.owns("NWR"), charter.credit, charter.owed) == ("", "", 0)
    assert scene.has("NWR") == 10
