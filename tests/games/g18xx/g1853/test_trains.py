"""Trains: the two rows, cards with two sides, loco tokens, credit, returned trains, other companies."""

from __future__ import annotations

from collections import Counter

import pytest

from kursbuch.games.g18xx.actions import BuyTrain
from kursbuch.games.g18xx.components import BOX, STACK
from kursbuch.games.g18xx.events import PhaseBegan, TrainBought, TrainsDiscarded, TrainsRusted
from kursbuch.games.g18xx.g1853 import TITLE
from kursbuch.games.g18xx.g1853.actions import BuyOnCredit
from kursbuch.games.g18xx.g1853.events import LocoTokenUsed, TrainOnCredit
from kursbuch.games.g18xx.rules.depot import Offer
from kursbuch.games.g18xx.state import BuyTrains, Run
from tests.games.g18xx.g1853.land import go_on
from tests.games.g18xx.g1853.table import Scene
from tests.happened import every, only

LARGE, SMALL = "EIR", "MSM"


def buying(
    name: str, phase: str = "", *, small: bool = True, part: int = 2, number: int = 2
) -> Scene:
    """A company with A as its director, plenty of money and no trains."""
    scene = Scene().shares(name, A=3)
    if small:
        scene.small_founded()
    if phase:
        scene.phase(phase)
    scene.operating(name).money(**{name: 9000})
    scene.state.round.number, scene.state.round.part, scene.state.round.parts = number, part, part
    return scene


def now(scene: Scene, name: str) -> Scene:
    """Its step of buying trains."""
    part = scene.state.round.part
    return scene.turn(name, BuyTrains, part=part)


def asked(scene: Scene, name: str) -> bool:
    """Whether a company is asked which trains it buys."""
    return scene.state.agenda[-1] == BuyTrains(name, asked=True)


def offered(scene: Scene, name: str) -> str:
    """The new trains on offer to a company, in the order of the offers."""
    return " ".join(scene.ruleset.depot.new_trains(scene.state, name))


def sold(scene: Scene, *trains: str) -> Scene:
    """No new train of these types is left."""
    ledger = scene.state.ledger
    for train in trains:
        ledger.move(f"train:{train}", STACK, BOX, ledger.held(f"train:{train}", STACK))
    return scene


# ---- the table


@pytest.mark.rule("1853:table-5", "1853:4.8", "1853:4.8.2", "1853:4.8.16", "1853:2.8.4")
@pytest.mark.parametrize("row", TITLE.rules["table-5"].data)
def test_numbers_and_prices(row: list[str | int]) -> None:
    """Without a small company and with one; bought from the bank for the printed price."""
    train, count, more, price = str(row[0]), row[1], row[2], int(row[3])
    assert Scene().state.ledger.held(f"train:{train}", STACK) == count
    scene = Scene().small_founded()
    if train != "1M":
        assert scene.state.ledger.held(f"train:{train}", STACK) == more
    phases = {
        "2": "2",
        "1M": "2",
        "3": "3",
        "2M": "3",
        "4": "4",
        "3M": "4",
        "5": "5",
        "6": "5",
        "4M": "5",
    }
    scene = now(buying(SMALL, phases[train]), SMALL)
    bank = scene.has("bank")
    bought = only(scene.do(f"A buys train {train}"), TrainBought)
    assert (bought.price, scene.has(SMALL), scene.owns(SMALL)) == (price, 9000 - price, train)
    assert scene.has("bank") == bank + price


@pytest.mark.rule("1853:4.8.2", "1853:4.8.5")
def test_several_trains_up_to_the_limit() -> None:
    scene = now(buying(LARGE, small=False), LARGE)
    scene.do(*["A buys train 2"] * 4)
    assert scene.step() != "buy-trains"
    assert (scene.owns(LARGE), scene.has(LARGE)) == ("2 2 2 2", 9000 - 1200)


@pytest.mark.rule("1853:4.8")
def test_no_company_has_to_buy() -> None:
    scene = now(buying(LARGE), LARGE)
    scene.do("A is done")
    assert scene.owns(LARGE) == ""
    poor = now(Scene().shares(LARGE, A=3).operating(LARGE).money(EIR=0, A=0), LARGE)
    assert poor.step() != "buy-trains"


@pytest.mark.rule(
    "1853:4.8.3", "1853:4.8.12", "1853:4.8.13", "1853:4.10.3", "1853:4.10.4", "1853:4.10.5"
)
@pytest.mark.parametrize(
    ("phase", "gone", "large", "small"),
    [
        ("2", "", "2", "2 1M"),
        ("2", "2", "3", "3 2M"),
        ("3", "", "3 2M", "3 2M"),
        ("3", "3", "4 2M", "4 2M"),
        ("3", "2M", "3", "3 3M"),
        ("3", "3 2M", "4", "4 3M"),
        ("4", "", "4 2M 3M", "4 2M 3M"),
        ("4", "2M", "4 3M", "4 3M"),
        ("4", "3M", "4 2M", "4 2M"),
        ("4", "2M 3M", "4", "4 4M"),
        ("4", "4 2M", "5 3M", "5 3M"),
        ("5", "4 2M", "5 6 3M 4M", "5 6 3M 4M"),
        ("5", "4 5 2M", "6 3M 4M", "6 3M 4M"),
        ("5", "4 6 2M", "5 3M 4M", "5 3M 4M"),
        ("5", "4 5 6 2M 3M 4M", "", ""),
    ],
)
def test_the_two_rows(phase: str, gone: str, large: str, small: str) -> None:
    """What the bank offers in every phase, when these new trains are gone; a small company has its token."""
    for name, expected in ((LARGE, large), (SMALL, small)):
        scene = sold(buying(name, phase), *gone.split())
        assert offered(scene, name) == expected
        now(scene, name)
        listed = {text.split()[2] for text in scene.can("A") if text.startswith("buys train")}
        assert listed == {*expected.split()}
        for train in ("2", "3", "4", "5", "6", "1M", "2M", "3M", "4M"):
            if train not in expected.split() and scene.step() == "buy-trains":
                early = "4.8.15" if phase == "2" else ""
                closed = "4.8.18" if train == "1M" else early
                if name == SMALL or "M" not in train:
                    closed = ""
                assert scene.refused(f"A buys train {train}") == (closed or "4.8.3")
                assert scene.refused(f"A buys train {train} from the pool") == (closed or "4.8.6")


@pytest.mark.rule("1853:4.8.3")
def test_6_trains_come_with_the_first_5() -> None:
    scene = now(sold(buying(LARGE, "4"), "4"), LARGE)
    assert "A buys train 6"[2:] not in scene.can("A")
    assert scene.refused("A buys train 6") == "4.8.3"
    scene.do("A buys train 5")
    assert "buys train 6" in scene.can("A")
    assert "buys train 5" in scene.can("A")
    events = scene.do("A buys train 6")
    assert not every(events, PhaseBegan)
    assert scene.state.phase == 3


@pytest.mark.rule("1853:4.8.11", "1853:4.8.15")
@pytest.mark.parametrize(
    ("phase", "train"), [("2", "1M"), ("3", "2M"), ("4", "3M"), ("5", "4M"), ("4", "2M")]
)
def test_metre_gauge_trains_never_change_the_phase(phase: str, train: str) -> None:
    scene = now(buying(SMALL, phase), SMALL)
    before = scene.state.phase
    assert not every(scene.do(f"A buys train {train}"), PhaseBegan)
    assert scene.state.phase == before
    assert scene.ruleset.components.train(train).gauges == 2


@pytest.mark.rule("1853:4.8.15", "1853:4.1.5")
def test_large_companies_buy_metre_gauge_trains_from_phase_3_on() -> None:
    """Also what lies in the pool, and what small companies have."""
    scene = sold(buying(LARGE, "2"), "2").trains("pool", "2M")
    scene.shares(SMALL, B=3).operating(SMALL).trains(SMALL, "2M", "1M")
    now(scene, LARGE)
    assert not [text for text in scene.can("A") if "M" in text.removeprefix("buys train")]
    assert scene.refused("A buys train 2M") == "4.8.15"
    assert scene.refused("A buys train 2M from the pool") == "4.8.15"
    assert scene.refused("A offers 100 for train 2M of MSM") == "4.8.15"
    scene = buying(LARGE, "3").trains("pool", "2M").shares(SMALL, B=3).operating(SMALL)
    now(scene.trains(SMALL, "2M", "1M"), LARGE)
    assert {"buys train 2M", "buys train 2M from the pool"} <= {*scene.can("A")}
    scene.do("A offers 100 for train 2M of MSM", "B accepts")
    assert scene.owns(LARGE) == "2M"


# ---- cards with two sides


@pytest.mark.rule("1853:4.8.16", "1853:4.8.18", "1853:2.8.4")
def test_cards_with_two_sides() -> None:
    """Seven in all; only a small company may buy them as 1M, for 180."""
    scene = now(buying(SMALL), SMALL)
    scene.do("A buys train 1M", "A buys train 2", "A buys train 1M")
    assert scene.owns(SMALL) == "2 1M 1M"
    assert scene.has(SMALL) == 9000 - 180 - 300 - 180
    assert scene.state.ledger.held("train:2", STACK) == 4
    large = now(buying(LARGE), LARGE)
    assert "buys train 1M" not in large.can("A")
    assert large.refused("A buys train 1M") == "4.8.18"
    without = now(buying(SMALL, small=False), SMALL)
    assert without.refused("A buys train 1M") == "4.8.3"


@pytest.mark.rule(
    "1853:4.8.16", "1853:4.8.17", "1853:example-4.8.19-a", "1853:4.8.19", "1853:4.10.2"
)
def test_the_first_operating_round() -> None:
    """Question 21: when the seven are sold there are more, as an alternative to the 3; the first 3 ends
    that, and so does the end of the round."""
    scene = sold(buying(LARGE, part=1, number=1), "2")
    scene.shares(SMALL, A=3).operating(SMALL).money(MSM=9000)
    assert offered(scene, LARGE) == "2 3"
    assert offered(scene, SMALL) == "2 3 1M"
    now(scene, LARGE).do("A buys train 2", "A buys train 2")
    assert (scene.owns(LARGE), scene.has(LARGE)) == ("2 2", 9000 - 600)
    assert offered(scene, SMALL) == "2 3 1M"
    go_on(scene, SMALL, BuyTrains)
    scene.do("A buys train 1M", "A buys train 2")
    assert (scene.owns(SMALL), scene.has(SMALL)) == ("2 1M", 9000 - 480)
    assert scene.refused("A buys train 2M") == "4.8.3"
    after = scene.position.clone()
    scene.do("A buys train 3")
    assert offered(scene, SMALL) == "3 2M"
    # Without the 3 the next round offers it alone, an extra one, too.
    for number, part in ((2, 1), (1, 2)):
        after.state.round.number, after.state.round.part = number, part
        depot = scene.ruleset.depot
        assert depot.new_trains(after.state, LARGE) == ["3"]
        assert depot.new_trains(after.state, SMALL) == ["3", "2M"]
    # All cards must be sold first, and without a small company there are just six.
    assert offered(buying(LARGE, part=1, number=1), LARGE) == "2"
    assert offered(sold(buying(LARGE, part=1, number=1, small=False), "2"), LARGE) == "3"


@pytest.mark.rule("1853:4.8.18", "1853:4.10.4", "1853:4.8.4")
def test_1m_trains_go_with_the_first_4() -> None:
    scene = sold(buying(SMALL, "3"), "3").trains(SMALL, "1M", "2", "3").trains("pool", "2")
    now(scene, SMALL)
    events = scene.do("A buys train 4")
    gone = {(holder, train) for holder, train, _ in only(events, TrainsRusted).trains}
    assert {(SMALL, "1M"), (SMALL, "2"), ("pool", "2")} <= gone
    assert (scene.owns(SMALL), scene.owns("pool")) == ("3 4", "")
    assert scene.has(SMALL) == 9000 - 620


@pytest.mark.rule("1853:4.8.18", "1853:4.8.9")
def test_a_large_company_gets_no_1m_from_a_small_one() -> None:
    for phase in ("2", "3"):
        scene = buying(LARGE, phase).shares(SMALL, B=3).operating(SMALL).trains(SMALL, "1M", "2")
        now(scene, LARGE)
        assert scene.refused("A offers 50 for train 1M of MSM") == "4.8.18"
        scene.do("A offers 50 for train 2 of MSM", "B accepts")
    scene = buying("SIR").shares(SMALL, B=3).operating(SMALL).trains(SMALL, "1M")
    now(scene, "SIR").do("A offers 50 for train 1M of MSM", "B accepts")
    # The card keeps the side it was bought as.
    assert (scene.owns("SIR"), scene.owns(SMALL)) == ("1M", "")


# ---- loco tokens


@pytest.mark.rule("1853:4.8.19", "1853:4.8.13", "1853:example-4.8.19-a")
def test_a_loco_token() -> None:
    """Question 23: second operating round, all cards sold: a 2M for 250, once."""
    scene = now(sold(buying(SMALL), "2"), SMALL)
    events = scene.do("A buys train 2M")
    assert only(events, LocoTokenUsed).train == "2M"
    assert (scene.owns(SMALL), scene.has(SMALL), scene.state.phase) == ("2M", 8750, 0)
    assert not scene.state.charters[SMALL].token
    assert scene.refused("A buys train 2M") == "4.8.3"
    assert offered(scene, SMALL) == "3"
    # The others have theirs.
    scene.shares("SIR", B=3).operating("SIR")
    assert offered(scene, "SIR") == "3 2M"


@pytest.mark.rule("1853:4.8.19", "1853:4.8.6")
@pytest.mark.parametrize(
    ("phase", "gone", "pool", "train"),
    [
        ("2", "", "", ""),
        ("2", "2", "", "2M"),
        ("2", "2", "2", ""),  # a returned card can be bought as a 1M
        ("2", "2", "2M", ""),
        ("3", "", "", ""),
        ("3", "2M", "", "3M"),
        ("3", "2M", "2M", ""),
        ("3", "2M", "3", "3M"),
        ("3", "2M", "2", ""),
        ("4", "2M 3M", "", "4M"),
        ("4", "2M 3M", "2M", ""),
        ("4", "2M 3M", "3M", ""),
        ("5", "2M 3M 4M", "", ""),
        ("2", "2 2M", "", ""),
    ],
)
def test_when_a_loco_token_can_be_used(phase: str, gone: str, pool: str, train: str) -> None:
    """If no metre-gauge train is to be had, new or returned; for the next type. Never in phase 5."""
    scene = sold(buying(SMALL, phase), *gone.split()).trains("pool", *pool.split())
    depot = scene.ruleset.depot
    assert depot.loco_token_train(scene.state, SMALL, without_token(scene)) == train
    scene.state.charters[SMALL].token = False
    assert depot.loco_token_train(scene.state, SMALL, without_token(scene)) == ""


def without_token(scene: Scene) -> list[str]:
    """The new trains on offer without a token."""
    charter = scene.state.charters[SMALL]
    token, charter.token = charter.token, False
    found = list(scene.ruleset.depot.new_trains(scene.state, SMALL))
    charter.token = token
    return found


@pytest.mark.rule("1853:4.8.19")
def test_no_loco_token_in_the_first_operating_round_nor_of_large_companies() -> None:
    scene = sold(buying(SMALL, part=1, number=1, small=False), "2")
    assert offered(scene, SMALL) == "3"
    assert offered(sold(buying(SMALL, part=2, number=1, small=False), "2"), SMALL) == "3 2M"
    assert not buying(LARGE).state.charters[LARGE].token
    # Without a small company at the beginning there are no 1M: the token works while 2-trains are left.
    assert offered(buying(SMALL, small=False), SMALL) == "2 2M"
    assert [name for name, c in Scene().state.charters.items() if c.token] == ["MSM", "SIR", "ECR"]


# ---- limits and phases


@pytest.mark.rule("1853:4.8.5", "1853:table-6", "1853:4.8.14")
@pytest.mark.parametrize(("phase", "limit"), [("2", 4), ("3", 4), ("4", 3), ("5", 2)])
def test_the_limit(phase: str, limit: int) -> None:
    """Metre-gauge trains count as well; at the limit nothing is bought, from no one."""
    train = {"2": "2", "3": "3", "4": "4", "5": "5"}[phase]
    for owned in ([train] * limit, [train] * (limit - 1) + ["2M" if phase < "5" else "3M"]):
        if phase == "5":
            owned = ["4", owned[-1]]
        scene = buying(LARGE, phase).trains(LARGE, *owned).shares("GIP", A=3).operating("GIP")
        scene.trains("GIP", train)
        assert not asked(now(scene, LARGE), LARGE)
        scene.on(BuyTrains(LARGE, asked=True))
        assert scene.refused(f"A buys train {train}") == "4.8.5"
        assert scene.refused(f"A offers 10 for train {train} of GIP") == "4.8.5"
    scene = buying(LARGE, phase).trains(LARGE, *[train] * (limit - 1))
    assert asked(now(scene, LARGE), LARGE)


@pytest.mark.rule("1853:4.8.5", "1853:4.8.6", "1853:4.8.4", "1853:4.10.1", "1853:4.10.4")
def test_a_phase_change_and_the_limits() -> None:
    """Question 22: P has 2, 3, 3, Q 3, 3, 3, 2M, R 2, 2, 2, 2; the first 4-train is next."""
    scene = sold(Scene().phase("3"), "3")
    scene.shares("EIR", A=3).shares("GIP", B=3).shares("NWR", C=3).operating("EIR", "GIP", "NWR")
    scene.money(EIR=2000, GIP=2000, NWR=2000)
    scene.trains("EIR", "2", "3", "3").trains("NWR", "3", "3", "3", "2M").trains("GIP", *["2"] * 4)
    scene.state.round.part, scene.state.round.parts = 1, 2
    blocked = Scene().phase("3").shares("GIP", B=3).operating("GIP").money(GIP=2000)
    now(sold(blocked.trains("GIP", *["2"] * 4), "3"), "GIP").on(BuyTrains("GIP", asked=True))
    assert blocked.refused("B buys train 4") == "4.8.5"
    now(scene, "EIR")
    events = scene.do("A buys train 4")
    assert only(events, PhaseBegan).phase == "4"
    assert scene.owns("EIR") == "3 3 4"
    assert scene.owns("GIP") == ""
    assert (scene.step(), scene.deciders()) == ("surplus", "C")
    assert set(scene.can("C")) == {"hands in 3 of NWR", "hands in 2M of NWR"}
    assert scene.refused("C hands in 3, 3 of NWR") == "4.8.6"
    assert scene.refused("C hands in 3 of EIR") == "4.8.6"
    assert scene.refused("A hands in 3 of NWR") == "4.8.6"
    treasury = scene.has("NWR")
    scene.do("C hands in 3 of NWR")
    assert (scene.owns("NWR"), scene.owns("pool"), scene.has("NWR")) == ("3 3 2M", "3", treasury)
    # At full price, also for a company with room; the series is as long as it was.
    assert scene.ruleset.depot.offers(scene.state, "GIP").count(Offer("3", "pool", 440)) == 1
    assert (scene.state.round.parts, scene.ruleset.phase(scene.state).operating_rounds) == (2, 3)
    assert "brown" in scene.ruleset.phase(scene.state).tiles
    scene.state.agenda.clear()
    now(scene, "GIP").do("B buys train 3 from the pool")
    assert (scene.owns("GIP"), scene.owns("pool"), scene.has("GIP")) == ("3", "", 1560)


@pytest.mark.rule("1853:4.8.6")
def test_companies_give_back_in_their_order_the_buyer_too() -> None:
    """Phase 5, limit 2: the buyer may give back what it has just bought."""
    scene = sold(Scene().phase("4"), "4")
    for name, seat in (("GIP", "B"), ("BNR", "A"), ("MSM", "C")):
        scene.shares(name, **{seat: 3}).operating(name)
    scene.trains("GIP", "4", "4", "3M").trains("BNR", "4", "3M").trains("MSM", "4", "3M", "3M")
    now(scene.money(BNR=2000), "BNR").do("A buys train 5")
    assert (scene.step(), scene.deciders()) == ("surplus", "B")
    scene.do("B hands in 3M of GIP")
    assert set(scene.can("A")) == {f"hands in {train} of BNR" for train in ("4", "5", "3M")}
    scene.do("A hands in 5 of BNR")
    assert scene.deciders() == "C"
    scene.do("C hands in 4 of MSM")
    assert scene.step() != "surplus"
    assert scene.owns("pool") == "4 5 3M"
    assert (scene.owns("GIP"), scene.owns("BNR"), scene.owns("MSM")) == ("4 4", "4 3M", "3M 3M")


@pytest.mark.rule("1853:4.8.6")
def test_a_card_that_is_given_back_has_two_sides_again() -> None:
    """A small company, which has had a train too many by a correction, gives a 1M-train back."""
    scene = sold(Scene().small_founded().phase("2"), "2")
    scene.shares("GIP", B=3).shares("MSM", C=3).operating("GIP", "MSM").money(GIP=2000, MSM=2000)
    scene.trains("MSM", "1M", "1M", "2M", "2M", "3M")
    now(scene, "GIP").do("B buys train 3")
    scene.do("C hands in 1M of MSM")
    assert (scene.owns("MSM"), scene.owns("pool")) == ("1M 2M 2M 3M", "2")


@pytest.mark.rule("1853:4.8.6")
def test_without_a_choice_trains_go_by_themselves() -> None:
    scene = (
        sold(Scene().phase("4"), "4").shares("EIR", A=3).shares("GIP", B=3).operating("EIR", "GIP")
    )
    scene.trains("GIP", "4", "4", "4").money(EIR=900)
    events = now(scene, "EIR").do("A buys train 5")
    assert only(events, TrainsDiscarded).trains == ("4",)
    assert (scene.owns("GIP"), scene.owns("pool")) == ("4 4", "4")


@pytest.mark.rule("1853:4.8.6", "1853:4.8.3")
def test_returned_trains() -> None:
    """They do not hold up the next type; of two equal ones the buyer says which he takes; a card has both
    its sides again."""
    scene = buying(SMALL, "2").trains("pool", "2")
    assert Counter(scene.ruleset.depot.offers(scene.state, SMALL)) == Counter(
        [("2", "bank", 300), ("1M", "bank", 180), ("2", "pool", 300), ("1M", "pool", 180)]
    )
    now(scene, SMALL).do("A buys train 1M from the pool")
    assert (scene.owns(SMALL), scene.owns("pool"), scene.has(SMALL)) == ("1M", "", 8820)
    assert scene.state.ledger.held("train:2", STACK) == 6
    scene.do("A buys train 2")
    assert scene.state.ledger.held("train:2", STACK) == 5
    late = sold(buying(LARGE, "3"), "3").trains("pool", "3")
    assert offered(late, LARGE) == "4 2M"
    large = buying(LARGE, "2").trains("pool", "2")
    now(large, LARGE)
    assert {"buys train 2", "buys train 2 from the pool"} <= {*large.can("A")}
    assert large.refused("A buys train 1M from the pool") == "4.8.18"


@pytest.mark.rule("1853:4.8.7")
def test_trains_are_not_sold_to_the_bank() -> None:
    scene = now(buying(LARGE).trains(LARGE, "2"), LARGE)
    assert scene.refused("A hands in 2 of EIR") == "4.8.2"
    assert {text.split()[0] for text in scene.can("A")} == {"buys", "is"}


# ---- money


@pytest.mark.rule("1853:4.8.8")
@pytest.mark.parametrize(
    ("treasury", "cash", "allowed"),
    [(250, 120, True), (250, 50, True), (250, 49, False), (0, 300, True)],
)
def test_the_director_adds_what_is_missing(treasury: int, cash: int, allowed: bool) -> None:
    scene = Scene().shares(LARGE, A=3).operating(LARGE).money(EIR=treasury, A=cash)
    now(scene, LARGE)
    if not allowed:
        assert scene.step() != "buy-trains"
        scene.on(BuyTrains(LARGE, asked=True))
        assert scene.refused("A buys train 2") == "4.8.8"
        return
    bought = only(scene.do("A buys train 2"), TrainBought)
    assert bought.added == 300 - treasury
    assert (scene.has(LARGE), scene.has("A")) == (0, cash - 300 + treasury)


@pytest.mark.rule("1853:4.8.8")
def test_he_adds_nothing_while_the_treasury_is_enough_and_is_never_forced() -> None:
    scene = now(Scene().shares(LARGE, A=3).operating(LARGE).money(EIR=310, A=400), LARGE)
    scene.do("A buys train 2")
    assert (scene.has(LARGE), scene.has("A")) == (10, 400)
    scene = now(Scene().shares(LARGE, A=3).operating(LARGE).money(EIR=10, A=400), LARGE)
    scene.do("A is done")
    assert (scene.has(LARGE), scene.has("A")) == (10, 400)


@pytest.mark.rule("1853:4.8.8", "1853:3.4.2")
def test_an_operating_manager_may_add_money_as_well() -> None:
    scene = Scene().shares(LARGE, A=1, B=1).operating(LARGE).money(EIR=100, A=250)
    now(scene, LARGE).do("A buys train 2")
    assert (scene.has(LARGE), scene.has("A")) == (0, 50)


# ---- other companies


def traders(**money: int) -> Scene:
    """EIR of A, GIP of B with two trains, NWR of A with one."""
    scene = Scene().shares("EIR", A=3).shares("GIP", B=3).shares("NWR", A=3)
    scene.operating("EIR", "GIP", "NWR").trains("GIP", "2", "2").trains("NWR", "2")
    return now(scene.money(**{"EIR": 100, "A": 0, "GIP": 0, "NWR": 0} | money), "EIR")


@pytest.mark.rule("1853:4.8.9", "1853:4.8.1")
def test_a_train_of_another_company() -> None:
    """For at least 10, as both sides agree; announced, and paid to the other company."""
    scene = traders()
    assert scene.refused("A offers 9 for train 2 of GIP") == "4.8.9"
    assert scene.refused("A offers 10 for train 3 of GIP") == "4.8.9"
    assert scene.refused("A offers 101 for train 2 of GIP") == "4.8.8"
    scene.do("A offers 10 for train 2 of GIP")
    assert (scene.step(), scene.deciders()) == ("train-offer", "B")
    scene.do("B refuses")
    assert scene.refused("A offers 10 for train 2 of GIP") == "4.8.9"
    scene.do("A offers 11 for train 2 of GIP", "B asks 100")
    bought = only(scene.do("A accepts"), TrainBought)
    assert (bought.price, bought.source, bought.company) == (100, "GIP", "EIR")
    assert (scene.has("EIR"), scene.has("GIP"), scene.has("B")) == (0, 100, 570)
    assert (scene.owns("EIR"), scene.owns("GIP")) == ("2", "2")


@pytest.mark.rule("1853:4.8.9", "1853:4.8.8")
def test_any_price_and_the_directors_money() -> None:
    """Exactly what is missing; also more than the printed price."""
    scene = traders(A=900)
    assert scene.refused("A offers 1001 for train 2 of GIP") == "4.8.8"
    bought = only(scene.do("A offers 1000 for train 2 of GIP", "B accepts"), TrainBought)
    assert (bought.added, scene.has("EIR"), scene.has("A"), scene.has("GIP")) == (900, 0, 0, 1000)
    scene = traders(A=900)
    only(scene.do("A offers 150 for train 2 of GIP", "B accepts"), TrainBought)
    assert (scene.has("EIR"), scene.has("A"), scene.has("GIP")) == (0, 850, 150)


@pytest.mark.rule("1853:4.8.9")
def test_one_player_for_both_companies_decides_alone() -> None:
    scene = traders()
    scene.do("A offers 10 for train 2 of NWR")
    assert (scene.owns("EIR"), scene.owns("NWR"), scene.has("NWR")) == ("2", "", 10)
    assert scene.step() == "buy-trains"


@pytest.mark.rule("1853:4.8.9")
def test_managers_trade_as_well() -> None:
    scene = Scene().shares("EIR", A=1).shares("GIP", B=1).operating("EIR", "GIP").trains("GIP", "2")
    now(scene.money(EIR=100), "EIR").do("A offers 10 for train 2 of GIP", "B accepts")
    assert scene.owns("EIR") == "2"


# ---- credit

#: What a new director chooses from.
BOTH = ["pays for the train", "returns the train"]


def manager(**money: int) -> Scene:
    """EIR with A as its operating manager."""
    scene = Scene().shares("EIR", A=1, B=1).operating("EIR")
    scene.state.charters["EIR"].right = "later"
    return scene.money(**{"EIR": 200, "A": 0} | money)


@pytest.mark.rule("1853:4.8.10", "1853:3.4.3", "1853:3.4.4")
def test_a_train_on_credit() -> None:
    """Question 10: the treasury stays, nothing else is bought; paid as soon as there is enough."""
    scene = now(manager(), "EIR")
    assert "buys train 2 on credit" in scene.can("A")
    event = only(scene.do("A buys train 2 on credit"), TrainOnCredit)
    assert (event.price, scene.has("EIR"), scene.owns("EIR")) == (300, 200, "2")
    assert (scene.state.charters["EIR"].credit, scene.state.charters["EIR"].owed) == ("2", 300)
    assert scene.step() != "buy-trains"
    scene.on(BuyTrains("EIR", asked=True))
    for line in ("A buys train 2", "A buys train 2 on credit"):
        assert scene.refused(line) == "3.4.6"
    scene.money(EIR=299)
    go_on(scene, "EIR", BuyTrains)
    assert scene.state.charters["EIR"].owed == 300
    scene.money(EIR=300, A=100)
    bank = scene.has("bank")
    go_on(scene, "EIR", BuyTrains)
    assert (scene.has("EIR"), scene.has("bank"), scene.has("A")) == (0, bank + 300, 100)
    assert (scene.state.charters["EIR"].credit, scene.state.charters["EIR"].owed) == ("", 0)


@pytest.mark.rule("1853:4.8.10", "1853:3.4.3")
def test_the_debt_is_paid_before_another_purchase() -> None:
    scene = now(manager(EIR=620).credit("EIR", "2"), "EIR")
    assert scene.has("EIR") == 320
    assert "buys train 2" in scene.can("A")
    assert not [text for text in scene.can("A") if "credit" in text]


@pytest.mark.rule("1853:4.8.10", "1853:3.4.3")
def test_who_may_buy_on_credit() -> None:
    directed = now(Scene().shares("EIR", A=3).operating("EIR").money(EIR=0, A=400), "EIR")
    assert directed.refused("A buys train 2 on credit") == "4.8.10"
    rich = now(manager(EIR=300), "EIR")
    assert rich.refused("A buys train 2 on credit") == "3.4.3"
    owner = manager(A=400).trains("EIR", "2")
    assert now(owner, "EIR").refused("A buys train 2 on credit") == "3.4.3"
    scene = now(manager(), "EIR")
    assert scene.refused("A buys train 3 on credit") == "4.8.3"
    assert scene.refused("A buys train 2 from the pool on credit") == "4.8.3"
    assert scene.refused("A buys train 2M on credit") == "4.8.15"
    assert scene.refused("A buys train 1M on credit") == "4.8.18"
    returned = now(manager().trains("pool", "2"), "EIR")
    returned.do("A buys train 2 from the pool on credit")
    assert (returned.owns("EIR"), returned.owns("pool")) == ("2", "")


@pytest.mark.rule("1853:3.4.3", "1853:4.8.4")
def test_a_scrapped_train_on_credit_is_owed_no_more() -> None:
    scene = (
        sold(Scene().phase("3"), "3").shares("EIR", A=3).shares("GIP", B=1).operating("EIR", "GIP")
    )
    scene.money(EIR=700, GIP=50).credit("GIP", "2")
    now(scene, "EIR").do("A buys train 4")
    charter = scene.state.charters["GIP"]
    assert (scene.owns("GIP"), charter.credit, charter.owed, scene.has("GIP")) == ("", "", 0, 50)


@pytest.mark.rule("1853:3.4.3", "1853:4.10.1", "1853:4.8.10")
def test_a_train_on_credit_may_begin_a_phase() -> None:
    scene = sold(manager(), "2")
    events = now(scene, "EIR").do("A buys train 3 on credit")
    assert only(events, PhaseBegan).phase == "3"
    assert scene.state.phase == 1


@pytest.mark.rule("1853:4.8.9", "1853:3.4.5")
def test_a_train_on_credit_is_not_sold() -> None:
    scene = Scene().shares("EIR", A=3).shares("GIP", B=1).operating("EIR", "GIP").money(EIR=500)
    now(scene.credit("GIP", "2"), "EIR")
    assert scene.refused("A offers 100 for train 2 of GIP") == "3.4.5"


@pytest.mark.rule("1853:4.8.19", "1853:3.4.3", "1853:4.8.6", "1853:4.8.10")
def test_a_loco_token_and_credit() -> None:
    """The token is spent, and stays so if the train goes back: then it lies in the pool."""
    scene = sold(
        Scene().shares(SMALL, A=1, B=1).small_founded().operating(SMALL).money(MSM=50), "2"
    )
    scene.state.round.number = 2
    events = now(scene, SMALL).do("A buys train 2M on credit")
    assert only(events, LocoTokenUsed).train == "2M"
    assert not scene.state.charters[SMALL].token
    scene.ruleset.depot.give_back(scene.state, SMALL, "2M")
    assert (scene.owns("pool"), scene.state.charters[SMALL].token) == ("2M", False)
    # From the pool it costs no token.
    scene.shares("SIR", C=3).operating("SIR").money(SIR=900)
    now(scene, "SIR").do("C buys train 2M from the pool")
    assert scene.state.charters["SIR"].token


@pytest.mark.rule("1853:4.8.6", "1853:4.8.16")
def test_a_1m_that_goes_back_is_a_card_again() -> None:
    scene = Scene().shares(SMALL, A=1).small_founded().operating(SMALL).credit(SMALL, "1M")
    left = scene.state.ledger.held("train:2", STACK)
    scene.ruleset.depot.give_back(scene.state, SMALL, "1M")
    assert (scene.owns(SMALL), scene.owns("pool")) == ("", "2")
    assert scene.state.ledger.held("train:2", STACK) == left


@pytest.mark.rule("1853:4.8.10", "1853:4.8.8")
@pytest.mark.parametrize(
    ("treasury", "cash", "choices"),
    [
        (200, 150, ["pays for the train", "returns the train"]),
        (200, 99, []),
        (400, 0, ["pays for the train", "returns the train"]),
    ],
)
def test_a_new_director_pays_or_returns(treasury: int, cash: int, choices: list[str]) -> None:
    """Question 10: from the treasury first, the missing part is his; or the train goes back. If it cannot
    be paid it goes."""
    for choice in choices or [""]:
        scene = Scene().shares("EIR", A=1, B=1).operating("EIR").money(EIR=treasury, A=cash + 100)
        scene.credit("EIR", "2").stock("A").do("A buys EIR 10")
        assert scene.director("EIR") == "A"
        charter = scene.state.charters["EIR"]
        if choice == "pays for the train":
            assert scene.can("A") == choices
            scene.do("A pays for the train")
            assert scene.has("EIR") == max(0, treasury - 300)
            assert scene.has("A") == cash - max(0, 300 - treasury)
            assert scene.owns("EIR") == "2"
        else:
            if choice:
                scene.do("A returns the train")
            assert (scene.has("EIR"), scene.has("A")) == (treasury, cash)
            assert (scene.owns("EIR"), scene.owns("pool")) == ("", "2")
        assert (charter.credit, charter.owed) == ("", 0)


@pytest.mark.rule("1853:4.8.1", "1853:4.5.1")
def test_trains_are_bought_last() -> None:
    assert TITLE.ruleset.policy.turn[-1] is BuyTrains
    scene = buying(LARGE)
    go_on(scene, LARGE, Run, BuyTrains).do("A buys train 2", "A is done")
    assert scene.state.companies[LARGE].revenue == 0


@pytest.mark.rule("1853:4.8.3", "1853:4.8.6")
def test_trains_that_are_not_there() -> None:
    for scene in (now(buying(LARGE), LARGE), now(manager(), "EIR")):
        for action in (
            *(BuyTrain(0, "9"), BuyOnCredit(0, "9"), BuyOnCredit(0, "7M"), BuyTrain(0, "7M")),
            *(BuyTrain(0, "2", "nobody"), BuyOnCredit(0, "2", "nobody")),
        ):
            assert scene.position.problem(action) is not None
