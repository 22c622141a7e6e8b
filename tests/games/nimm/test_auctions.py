"""Phase one: what holds for all auctions, and the types in turn, sealed and double sealed."""

from __future__ import annotations

import pytest

from kursbuch.games.nimm import events as happened
from tests.games.nimm.scenario import Scene
from tests.happened import every, only

# ---- for all types


@pytest.mark.rule("nimm:bid-1", "nimm:auction-turn-8")
def test_only_who_needs_locomotives_takes_part() -> None:
    scene = Scene(3).own(A="S1 S2 S3").coming("E3", "D5", "S5").auction("turn")
    assert scene.deciders() == "B"  # A would start, but has three
    scene.do("B offers D5", "B bids 500")
    assert scene.deciders() == "C"
    events = scene.do("C passes")
    assert only(events, happened.LocoSold).seat == 1
    assert [len(trains) for trains in scene.state.trains] == [3, 1, 0]


@pytest.mark.rule("nimm:bid-1")
def test_phase_one_ends_when_all_have_three() -> None:
    scene = Scene(2).own(A="S1 S2 S3", B="D1 D2 D3").auction("sealed")
    assert scene.step() == "turn"
    assert [len(trains) for trains in scene.state.trains] == [3, 3]


@pytest.mark.rule("nimm:bid-2")
@pytest.mark.parametrize("kind", ["turn", "sealed", "double", "open"])
def test_nobody_bids_more_than_he_has(kind: str) -> None:
    coming = ("S5",) if kind == "open" else ("S5", "E3", "E4")
    scene = Scene(3).money(A=600, B=450).coming(*coming).auction(kind)
    if kind != "open":
        scene.do("A offers S5")
    assert scene.refused("A bids 650") == "bid-2"
    scene.do("A bids 300")
    assert scene.refused("B bids 500") == "bid-2"
    scene.do("B bids 450")


@pytest.mark.rule("nimm:bid-3")
def test_who_cannot_raise_waits_and_is_back_in_the_next_auction() -> None:
    scene = Scene(3).money(B=300).coming("S5", "E3", "E4").auction("turn")
    scene.do("A offers S5", "A bids 300")
    assert scene.can("B") == ["passes"]
    scene.coming("S1", "S2", "S3").do("B passes", "C passes")
    assert scene.can("B") == ["offers S1", "offers S2", "offers S3"]
    scene.do("B offers S1", "B bids 100")


@pytest.mark.rule("nimm:bid-5", "nimm:loco-3")
@pytest.mark.parametrize(("kind", "rule"), [("turn", "auction-turn-2"), ("open", "auction-open-2"),
                                            ("sealed", "auction-sealed-3")])  # fmt: skip
def test_the_power_is_the_minimum_price(kind: str, rule: str) -> None:
    scene = Scene(2).coming("E3", "S1", "S2").auction(kind)
    if kind != "open":
        scene.do("A offers E3")
    assert scene.refused("A bids 650") == rule
    assert scene.can("A") == ["bids 700 to 5000"]


@pytest.mark.rule("nimm:bid-6")
def test_bids_are_multiples_of_50() -> None:
    scene = Scene(2).coming("S1", "S2", "S3").auction("turn")
    scene.do("A offers S1")
    assert scene.refused("A bids 120") == "bid-6"
    scene.do("A bids 100")
    assert scene.refused("B bids 100") == "auction-turn-3"
    assert scene.refused("B bids 140") == "auction-turn-3"
    assert scene.refused("B bids 160") == "bid-6"
    scene.do("B bids 150")


@pytest.mark.rule("nimm:bid-7")
def test_a_starter_who_cannot_pay_is_replaced() -> None:
    scene = Scene(3).money(A=50, B=350).coming("S5", "S7", "E3").auction("sealed")
    event = only(scene.events, happened.StarterReplaced)
    assert (event.seat, event.other) == (0, 1)
    assert scene.can("B") == ["offers S5"]
    assert scene.refused("B offers S7") == "bid-7"
    scene.do("B offers S5")
    assert scene.can("A") == ["bids 0 to 50"]
    assert scene.can("B") == ["bids 300 to 350"]
    scene.coming("S1", "S2", "S3").do("A bids 0", "B bids 300", "C bids 0")
    assert scene.deciders() == "C"


@pytest.mark.rule("nimm:bid-7", "nimm:auction-open-7", "nimm:bid-4")
def test_nobody_can_pay() -> None:
    """Open, two players: the 300 is too dear for both, the 100 for B alone."""
    scene = Scene(2).own(A="D5 E1", B="E3 E4").money(A=150, B=50).coming("S5", "S1")
    scene.auction("open")
    assert only(scene.events, happened.NobodyCanPay).locos == ("S5",)
    replaced = only(scene.events, happened.StarterReplaced)
    assert (replaced.seat, replaced.other) == (1, 0)
    assert scene.refused("A bids 50") == "auction-open-2"
    scene.do("A bids 100")
    assert scene.can("B") == ["holds"]
    scene.do("B holds")
    assert scene.locos("A") == ["D5", "E1", "S1"]
    assert scene.locos("B") == ["E3", "E4", ""]
    assert scene.purse("A") == 50
    assert scene.step() == "turn"


@pytest.mark.rule("nimm:bid-4")
def test_a_spare_locomotive_has_neither_power_nor_multiplier() -> None:
    scene = Scene(2).own(A="S1 - -", B="D1 D2 D3").load("A", 2, "food50 food150")
    scene.phase_two()
    assert only(scene.events, happened.OrderSet).powers == (900, 100)
    scene.state.display.clear()
    scene.do("B passes")
    events = scene.do("A passes")
    assert every(events, happened.ProfitPaid)[0].parts == (0,)
    assert only(events, happened.SparePaid).parts == (150, 0)


# ---- in turn


@pytest.mark.rule("nimm:auction-turn-1", "nimm:auction-turn-6", "nimm:auction-turn-7")
def test_three_cards_one_auctioned_two_set_aside() -> None:
    scene = Scene(3).coming("E3", "D5", "S5").auction("turn")
    assert only(scene.events, happened.LocosTurnedUp).locos == ("E3", "D5", "S5")
    assert scene.step() == "choose-card"
    assert scene.can("A") == ["offers E3", "offers D5", "offers S5"]
    assert scene.refused("A offers E4") == "auction-turn-1"
    scene.coming("S1", "S2", "S3")
    scene.do("A offers D5", "A bids 500", "B passes", "C passes")
    assert scene.at("aside") == ["S5", "E3"]
    assert scene.state.unseen == 3
    assert scene.deciders() == "B"
    assert scene.can("B") == ["offers S1", "offers S2", "offers S3"]


@pytest.mark.rule(
    "nimm:auction-turn-2", "nimm:auction-turn-3", "nimm:auction-turn-4", "nimm:auction-turn-5"
)
def test_bidding_goes_round_until_one_is_left() -> None:
    scene = Scene(4).coming("E3", "D5", "S5").auction("turn")
    scene.do("A offers S5", "A bids 300")
    assert scene.deciders() == "B"
    assert scene.refused("C bids 400") == "auction-turn-3"
    assert scene.refused("B bids 300") == "auction-turn-3"
    scene.do("B bids 350", "C passes", "D bids 500")
    assert scene.deciders() == "A"
    scene.do("A passes")
    assert scene.deciders() == "B"
    scene.do("B bids 600")
    assert scene.deciders() == "D"  # C has passed and is not asked again
    events = scene.do("D passes")
    sold = only(events, happened.LocoSold)
    assert (sold.seat, sold.price, sold.amounts) == (1, 600, (0, -600, 0, 0))
    assert scene.purse("B") == 4400
    assert scene.locos("B") == ["S5"]


@pytest.mark.rule("nimm:auction-turn-9", "nimm:bid-4", "nimm:auction-sealed-9")
@pytest.mark.parametrize("kind", ["turn", "sealed", "double"])
@pytest.mark.parametrize(
    ("money", "bought", "spares"),
    [(800, ["S7", "S5"], 1), (500, ["S5"], 2), (950, ["S7", "S5"], 1)],
)
def test_the_last_buyer(kind: str, money: int, bought: list[str], spares: int) -> None:
    scene = Scene(4).own(A="S1 S2 S3", B="S4 S6 D1", C="D2 D3 D4").money(D=money)
    scene.coming("E4", "S7", "S5").auction(kind)
    assert scene.deciders() == "D"
    for loco in bought:
        if scene.game.pending[0].step == "choose-card":
            sold = only(scene.do(f"D offers {loco}"), happened.LocoSold)
            assert sold.alone
            assert sold.rule == {"double": "auction-double-3"}.get(kind, f"auction-{kind}-9")
    assert scene.step() == "turn"
    assert sorted(scene.locos("D")) == sorted([*bought, *[""] * spares])
    price = {"S7": 400, "S5": 300}
    assert scene.purse("D") == money - sum(price[loco] for loco in bought)


@pytest.mark.rule("nimm:auction-turn-1", "nimm:auction-turn-10", "nimm:auction-sealed-10")
def test_the_last_card_is_offered_alone_after_reshuffling() -> None:
    for kind in ("turn", "sealed"):
        scene = Scene(2).own(A="S1 S2 S3", B="D1 D2")
        scene.put("loco:E1", "aside")
        scene.state.unseen = 0
        scene.auction(kind)
        assert only(scene.events, happened.LocosShuffled).count == 1
        assert only(scene.events, happened.LocosTurnedUp).locos == ("E1",)
        sold = only(scene.events, happened.LocoSold)
        assert (sold.seat, sold.price, sold.alone) == (1, 500, True)


@pytest.mark.rule("nimm:auction-turn-10", "nimm:auction-turn-1")
def test_what_is_left_in_the_deck_comes_before_the_cards_set_aside() -> None:
    scene = Scene(2).own(A="S1", B="D1")
    for loco in ("E1", "E2", "E3"):
        scene.put(f"loco:{loco}", "aside")
    scene.state.unseen = 1
    scene.coming("S7").auction("turn")
    assert scene.state.offer[0] == "S7"
    assert set(scene.state.offer[1:]) < {"E1", "E2", "E3"}
    assert len(scene.state.offer) == 3
    assert len(scene.at("deck")) == 1


@pytest.mark.rule("nimm:auction-turn-10", "nimm:bid-7")
def test_cards_set_aside_are_shuffled_only_when_the_deck_is_used_up() -> None:
    """So every unsold card comes up again before any does twice."""
    for loco in ("E1", "E4"):
        scene = Scene(2).own(A="S1", B="D1")
        for aside in ("E2", "E3"):
            scene.put(f"loco:{aside}", "aside")
        scene.put(f"loco:{loco}", "deck")
        scene.state.unseen = 0
        scene.auction("turn")
        assert scene.state.offer[0] == loco
        assert set(scene.state.offer[1:]) == {"E2", "E3"}


# ---- sealed


@pytest.mark.rule(
    "nimm:auction-sealed-1",
    "nimm:auction-sealed-2",
    "nimm:auction-sealed-4",
    "nimm:auction-sealed-5",
)
def test_sealed_bids_are_made_at_once_and_shown_together() -> None:
    scene = Scene(3).coming("E3", "D5", "S5").auction("sealed")
    scene.do("A offers D5")
    assert scene.deciders() == "ABC"
    events = scene.do("C bids 700", "A bids 500")
    assert [type(event) for event in events] == [happened.BidSealed] * 2
    assert scene.deciders() == "B"
    assert scene.refused("C bids 800") == "auction-sealed-2"
    events = scene.do("B bids 650")
    shown = only(events, happened.BidsShown)
    assert shown.bids == ((0, 500), (1, 650), (2, 700))
    assert only(events, happened.LocoSold).seat == 2
    assert [scene.purse(name) for name in "ABC"] == [5000, 5000, 4300]


@pytest.mark.rule("nimm:auction-sealed-3")
def test_only_the_starter_must_reach_the_power() -> None:
    scene = Scene(3).coming("E3", "D5", "S5").auction("sealed")
    scene.do("A offers D5")
    assert scene.refused("A bids 450") == "auction-sealed-3"
    assert scene.can("B") == ["bids 0 to 5000"]
    scene.do("A bids 500", "B bids 450", "C bids 0")
    assert (scene.locos("A"), scene.purse("A")) == (["D5"], 4500)


@pytest.mark.rule("nimm:auction-sealed-3", "nimm:bid-7")
def test_a_card_the_starter_cannot_pay_cannot_be_chosen() -> None:
    """Power 700, A has 650; 700 would do."""
    scene = Scene(4).money(A=700).coming("E3", "E4", "E5").auction("sealed")
    assert scene.can("A") == ["offers E3"]
    scene = Scene(4).money(A=650).coming("E3", "E4", "S5").auction("sealed")
    assert scene.refused("A offers E3") == "bid-7"
    assert scene.can("A") == ["offers S5"]
    scene = Scene(4).money(A=650).coming("E3", "E4", "E5").auction("sealed")
    assert scene.deciders() == "B"
    scene.do("B offers E3")
    assert scene.can("C") == ["bids 0 to 5000"]
    scene.do("A bids 650", "B bids 700", "C bids 700", "D bids 0")
    assert (scene.deciders(), scene.step()) == ("B", "tie")  # B is the starter in every respect
    scene.do("B favours player 3")
    assert scene.locos("C") == ["E3"]
    assert scene.deciders() == "C"


@pytest.mark.rule("nimm:auction-general-2")
def test_the_starter_decides_between_equal_bids() -> None:
    scene = Scene(4).coming("S7", "E3", "E4").auction("sealed")
    scene.do("A offers S7", "A bids 600", "B bids 600", "C bids 600", "D bids 0")
    assert (scene.deciders(), scene.step()) == ("A", "tie")
    assert scene.can("A") == [f"favours player {number}" for number in (1, 2, 3)]
    assert scene.refused("A favours player 4") == "auction-general-2"
    assert scene.refused("A bids 650") == "auction-general-2"
    scene.do("A favours player 1")
    assert (scene.locos("A"), scene.purse("A")) == (["S7"], 4400)


@pytest.mark.rule("nimm:auction-sealed-6", "nimm:auction-sealed-7", "nimm:auction-sealed-8")
def test_after_a_sealed_auction() -> None:
    scene = Scene(3).own(B="S1 S2 S3").coming("S4", "E3", "E4").auction("sealed")
    scene.do("A offers S4")
    assert scene.deciders() == "AC"
    scene.coming("E5", "E2", "E1").do("A bids 200", "C bids 0")
    assert scene.at("aside") == ["E3", "E4"]
    assert scene.state.offer == ["E5", "E2", "E1"]
    assert scene.deciders() == "C"  # B, on A's left, has three


# ---- double sealed


@pytest.mark.rule("nimm:auction-double-1", "nimm:auction-double-2", "nimm:auction-double-example")
def test_the_worked_example_of_two_bids() -> None:
    """A is Tom, B is Jane, C is Bill."""
    scene = Scene(3).coming("E4", "S1", "S2").auction("double")
    scene.do("A offers E4")
    assert scene.refused("A bids 850") == "auction-sealed-3"
    events = scene.do("A bids 2400", "B bids 1000", "C bids 50")
    assert only(events, happened.BidsShown).bids == ((0, 2400), (1, 1000), (2, 50))
    assert scene.locos("A") == []
    assert scene.deciders() == "ABC"
    events = scene.do("A bids 0", "B bids 0", "C bids 2500")
    sold = only(events, happened.LocoSold)
    assert (sold.seat, sold.price) == (2, 2550)
    assert [scene.purse(name) for name in "ABC"] == [5000, 5000, 2450]


@pytest.mark.rule("nimm:auction-double-1", "nimm:bid-2")
def test_both_bids_together_may_not_exceed_the_purse() -> None:
    scene = Scene(3).money(B=2500).coming("E3", "S1", "S2").auction("double")
    scene.do("A offers E3", "A bids 700", "B bids 1000", "C bids 0")
    assert scene.can("B") == ["bids 0 to 1500"]
    assert scene.refused("B bids 1550") == "bid-2"
    scene.do("A bids 1000", "B bids 500", "C bids 0")
    assert (scene.locos("A"), scene.purse("A"), scene.purse("B")) == (["E3"], 3300, 2500)


@pytest.mark.rule("nimm:auction-double-3", "nimm:auction-general-2")
def test_otherwise_double_sealed_is_like_sealed() -> None:
    scene = Scene(3).own(C="S1 S2 S3").coming("E3", "D5", "S5").auction("double")
    scene.do("A offers D5")
    assert scene.deciders() == "AB"
    scene.do("A bids 500", "B bids 400", "A bids 0")
    scene.coming("E5", "E2", "E1").do("B bids 100")
    assert scene.step() == "tie"
    scene.do("A favours player 2")
    assert (scene.locos("B"), scene.purse("B")) == (["D5"], 4500)
    assert scene.at("aside") == ["S5", "E3"]
    assert scene.deciders() == "B"
    assert len(scene.state.offer) == 3
