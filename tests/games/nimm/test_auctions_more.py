"""Phase one: first choice, open (called out and by mail) and pass on."""

from __future__ import annotations

import pytest

from kursbuch.core.events import visible_to
from kursbuch.core.words import Words
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.state import DraftPrice, OpenAuction
from tests.games.nimm.scenario import Scene
from tests.happened import every, only

BY_MAIL = {"open_auction": "rounds"}

# ---- first choice


@pytest.mark.rule(
    "nimm:auction-choice-1", "nimm:auction-choice-2", "nimm:auction-choice-3",
    "nimm:auction-choice-4", "nimm:auction-choice-5",
)  # fmt: skip
def test_bids_for_the_first_choice_of_unknown_cards() -> None:
    scene = Scene(3).auction("choice")
    assert scene.deciders() == "ABC"
    assert scene.state.offer == []
    assert scene.can("A") == ["bids 0 to 5000"]
    assert scene.refused("A bids 5050") == "bid-2"
    events = scene.do("A bids 100", "C bids 0")
    assert every(events, happened.BidsShown) == []
    events = scene.coming("S7", "S1", "E3").do("B bids 300")
    assert only(events, happened.BidsShown).bids == ((0, 100), (1, 300), (2, 0))
    shown = only(events, happened.LocosShown)
    assert (shown.locos, shown.order) == (("S7", "S1", "E3"), (1, 0, 2))
    assert scene.can("B") == ["buys S7", "buys S1", "buys E3"]
    assert scene.refused("B buys S2") == "auction-choice-5"
    events = scene.do("B buys E3", "A buys S7")
    paid = [(event.seat, event.bid + event.power) for event in every(events, happened.ChoiceBought)]
    assert paid == [(1, 1000), (0, 500), (2, 100)]
    assert [scene.purse(name) for name in "ABC"] == [4500, 4000, 4900]


@pytest.mark.rule("nimm:auction-choice-5", "nimm:bid-4")
def test_who_can_pay_for_no_card_pays_his_bid_and_gets_a_spare_one() -> None:
    scene = Scene(3).money(A=1600).auction("choice")
    scene.coming("E4", "E1", "S3").do("A bids 1500", "B bids 0")
    events = scene.do("C bids 100")
    assert only(events, happened.ChoiceMissed).seat == 0
    assert scene.purse("A") == 100
    assert scene.deciders() == "C"
    scene.do("C buys E1", "B buys S3")
    assert (scene.locos("A"), scene.locos("B"), scene.locos("C")) == ([""], ["S3"], ["E1"])
    assert scene.at("spare") == ["E4"]


@pytest.mark.rule("nimm:auction-choice-5", "nimm:bid-2")
def test_what_can_be_paid_must_be_bought() -> None:
    scene = Scene(3).money(A=900).auction("choice")
    scene.coming("E4", "E1", "S3").do("A bids 500", "B bids 0", "C bids 100")
    assert scene.can("A") == ["buys S3"]
    assert scene.refused("A buys E1") == "bid-2"
    assert scene.refused("A passes") == "auction-choice-5"


@pytest.mark.rule("nimm:auction-general-2")
def test_the_starter_puts_equal_bids_in_order() -> None:
    scene = Scene(4).auction("choice", "B")
    scene.do("A bids 200", "B bids 100", "C bids 200")
    scene.do("D bids 200")
    assert (scene.deciders(), scene.step()) == ("B", "ranking")
    assert scene.refused("B favours player 2") == "auction-general-2"
    scene.do("B favours player 4")
    assert scene.can("B") == ["favours player 1", "favours player 3"]
    assert scene.state.offer == []  # the order is settled before the cards are known
    events = scene.do("B favours player 1")
    assert only(events, happened.LocosShown).order == (3, 0, 2, 1)


@pytest.mark.rule("nimm:auction-choice-6", "nimm:auction-choice-7", "nimm:bid-1")
def test_three_first_choice_auctions() -> None:
    scene = Scene(2).auction("choice", "B")
    for starter in "BAB":
        assert scene.step() == "choice-bids"
        scene.do("A bids 0", "B bids 0")
        assert scene.deciders() == starter
        scene.do(f"{starter} favours player 1")
        if scene.step() == "buying":
            scene.do(scene.can("A")[0].replace("buys", "A buys"))
    assert scene.step() == "turn"
    assert [len(trains) for trains in scene.state.trains] == [3, 3]
    assert scene.state.unseen == 0


# ---- open


@pytest.mark.rule(
    "nimm:auction-open-1", "nimm:auction-open-2", "nimm:auction-open-3", "nimm:auction-open-4"
)
def test_anybody_outbids_at_any_time() -> None:
    scene = Scene(4).coming("E3").auction("open")
    assert only(scene.events, happened.LocosTurnedUp).locos == ("E3",)
    assert scene.refused("A bids 650") == "auction-open-2"
    scene.do("A bids 700")
    assert scene.deciders() == "BCD"
    assert scene.refused("C bids 700") == "auction-open-3"
    assert scene.refused("A bids 800") == "auction-open-3"  # the highest bidder is not asked
    scene.do("D bids 750", "C bids 1000", "A bids 1050")
    assert scene.deciders() == "BCD"
    scene.do("C holds", "B holds")
    assert scene.deciders() == "D"
    scene.do("D bids 1100")
    assert scene.deciders() == "ABC"  # a higher bid asks everybody again
    scene.coming("S1").do("C holds", "A holds")
    events = scene.do("B holds")
    sold = only(events, happened.LocoSold)
    assert (sold.seat, sold.price) == (3, 1100)


@pytest.mark.rule("nimm:auction-open-4")
def test_who_let_a_bid_stand_may_still_outbid_it() -> None:
    scene = Scene(3).coming("E3").auction("open")
    scene.do("A bids 700", "B holds")
    assert scene.deciders() == "C"
    assert scene.can("B") == ["bids 750 to 5000"]
    assert scene.refused("B holds") == "auction-open-4"
    scene.do("B bids 750")
    assert scene.deciders() == "AC"


@pytest.mark.rule("nimm:auction-open-4")
def test_a_table_with_a_clock_lets_bids_stand_for_the_silent() -> None:
    scene = Scene(3).coming("E3", "S1").auction("open")
    scene.do("A bids 700")
    while isinstance(scene.state.agenda[-1], OpenAuction):
        refusal = scene.title.standing_refusal(scene.state, scene.game.pending[0])
        assert refusal is not None
        assert scene.title.voice(Words("en", "ABC")).subject(refusal[0]) == "E3 in round 1"
        scene.game.position.apply(refusal[1])
    assert (scene.locos("A"), scene.purse("A")) == (["E3"], 4300)


def test_no_clock_decides_anything_else() -> None:
    """Passing in turn is final, and a target tile not handed in may be lost."""
    scene = Scene(3).coming("E3", "S1", "S2").auction("turn")
    scene.do("A offers E3", "A bids 700")
    assert scene.title.standing_refusal(scene.state, scene.game.pending[0]) is None
    scene = Scene(2).own(A="- - -", B="- - -").tiles(A="1").open("bonus food50 food50")
    scene.turn("A", "A B").do("A takes bonus")
    assert scene.step() == "special-taken"
    assert scene.title.standing_refusal(scene.state, scene.game.pending[0]) is None


@pytest.mark.rule("nimm:auction-open-5", "nimm:auction-open-6")
def test_after_an_open_auction() -> None:
    scene = Scene(3).own(B="S1 S2 S3").coming("E3", "E4").auction("open")
    scene.do("A bids 700")
    assert scene.deciders() == "C"
    scene.do("C holds")
    assert scene.state.offer == ["E4"]
    assert scene.deciders() == "C"  # B, on A's left, has three
    assert scene.can("C") == ["bids 900 to 5000"]


@pytest.mark.rule("nimm:auction-open-5")
@pytest.mark.parametrize("options", [{}, BY_MAIL])
def test_whoever_outbids_does_not_become_the_starter(options: dict[str, str]) -> None:
    scene = Scene(3, options=options).coming("E3", "E4").auction("open")
    scene.do("A bids 700", "B holds", "C bids 750", "A holds", "B holds")
    assert scene.locos("C") == ["E3"]
    assert scene.deciders() == "B"  # left of A, who started


@pytest.mark.rule("nimm:auction-open-7")
def test_the_last_player_buys_at_the_first_bid() -> None:
    scene = Scene(2).own(A="S1 S2 S3", B="S4").money(B=900).coming("E3", "E2").auction("open")
    sold = only(scene.events, happened.LocoSold)
    assert (sold.seat, sold.loco, sold.price) == (1, "E3", 700)
    assert sold.rule == "auction-open-7"
    assert only(scene.events, happened.SparesReceived).count == 1
    assert scene.locos("B") == ["S4", "E3", ""]
    assert scene.purse("B") == 200


@pytest.mark.rule("nimm:option-open")
def test_by_mail_raises_are_made_in_sealed_rounds() -> None:
    scene = Scene(4, options=BY_MAIL).coming("E3").auction("open")
    scene.do("A bids 700")
    assert (scene.deciders(), scene.step()) == ("BCD", "sealed-raises")
    assert scene.can("B") == ["holds", "bids 750 to 5000"]
    assert scene.refused("B bids 700") == "option-open"
    events = scene.do("B bids 900", "D holds")
    assert [type(event) for event in events] == [happened.BidSealed] * 2
    events = scene.do("C bids 800")
    assert only(events, happened.BidsShown).bids == ((1, 900), (2, 800), (3, 0))
    assert scene.deciders() == "ACD"  # who held is asked again
    scene.do("A holds", "C bids 1000", "D bids 1000")
    assert (scene.deciders(), scene.step()) == ("A", "tie")
    scene.do("A favours player 4")
    assert scene.deciders() == "ABC"
    scene.coming("S1").do("A holds", "B holds")
    sold = only(scene.do("C holds"), happened.LocoSold)
    assert (sold.seat, sold.price) == (3, 1000)


# ---- pass on


@pytest.mark.rule(
    "nimm:auction-pass-1", "nimm:auction-pass-2", "nimm:auction-pass-3", "nimm:auction-pass-4",
    "nimm:auction-pass-5", "nimm:auction-pass-7", "nimm:auction-pass-example",
)  # fmt: skip
def test_cards_are_kept_and_passed_on() -> None:
    scene = Scene(3)
    scene.put("auction:turn", "pool")
    scene.coming("pass", "E3", "D2", "D4", "S1", "S2", "S3", "E5", "S4", "S5").new_round(1)
    assert (scene.deciders(), scene.step()) == ("ABC", "draft")
    dealt = every(scene.events, happened.LocosDealt)
    assert all(event.secret_to == (event.seat,) for event in dealt)
    assert not any(visible_to(event, (event.seat + 1) % 3) for event in dealt)
    assert scene.can("A") == ["keeps D2", "keeps D4", "keeps E3"]
    assert scene.refused("A keeps S1") == "auction-pass-2"
    assert scene.refused("A bids 0") == "auction-pass-2"
    scene.do("A keeps D4", "B keeps S1")
    assert scene.refused("B keeps S2") == "auction-pass-2"
    scene.do("C keeps E5")
    assert scene.can("B") == ["keeps D2", "keeps E3"]
    assert scene.can("A") == ["keeps S4", "keeps S5"]
    scene.do("A keeps S5", "B keeps E3")
    assert scene.refused("C keeps E5") == "auction-pass-3"
    events = scene.do("C keeps S2")
    shown = {event.seat: event.locos for event in every(events, happened.DraftShown)}
    assert sorted(shown[0]) == ["D4", "S3", "S5"]
    assert sorted(shown[1]) == ["E3", "S1", "S4"]
    assert sorted(shown[2]) == ["D2", "E5", "S2"]


@pytest.mark.rule("nimm:auction-pass-5", "nimm:auction-pass-example")
def test_the_worked_example_of_the_price() -> None:
    scene = Scene(2).own(A="S1 E3 D2", B="S2 S3 S4")
    scene.state.auction = "pass"
    scene.run(price_step())
    paid = every(scene.events, happened.DraftPaid)
    assert [(event.power, event.multiplier, event.amounts) for event in paid] == [
        (1100, 4, (-4400, 0)),
        (500, 2, (0, -1000)),
    ]
    assert scene.step() == "turn"


@pytest.mark.rule("nimm:auction-pass-5")
def test_the_start_player_pays_first() -> None:
    scene = Scene(2)
    scene.state.start = 1
    scene.put("auction:turn", "pool")
    scene.coming("pass", "S1", "S2", "S3", "S4", "D1", "D2").new_round(1)
    scene.do("A keeps S1", "B keeps S4", "A keeps D1")
    paid = every(scene.do("B keeps S2"), happened.DraftPaid)
    assert [event.seat for event in paid] == [1, 0]


def price_step() -> DraftPrice:
    return DraftPrice([0, 1])


@pytest.mark.rule("nimm:auction-pass-6")
@pytest.mark.parametrize(("loco", "price"), [("E3", 800), ("D2", 3200), ("S1", 4000)])
def test_a_locomotive_too_dear_is_turned_down(loco: str, price: int) -> None:
    scene = Scene(2).own(A="S1 E3 D2", B="S2 S3 S4").money(A=4000)
    scene.run(price_step())
    assert (scene.deciders(), scene.step()) == ("A", "too-dear")
    assert scene.can("A") == ["turns down S1", "turns down E3", "turns down D2"]
    assert scene.refused("A turns down S2") == "auction-pass-6"
    assert scene.refused("A passes") == "auction-pass-6"
    scene.do(f"A turns down {loco}")
    assert scene.purse("A") == 4000 - price
    assert scene.locos("A").count("") == 1
    assert scene.at("spare") == [loco]
    assert scene.step() == "turn"


@pytest.mark.rule("nimm:auction-pass-6")
def test_as_many_are_turned_down_as_necessary() -> None:
    scene = Scene(2).own(A="E4 E3 S1", B="S2 S3 S4").money(A=1500)
    scene.run(price_step())
    scene.do("A turns down E4")
    assert scene.step() == "too-dear"
    scene.do("A turns down E3")
    assert (scene.purse("A"), scene.locos("A")) == (1400, ["", "", "S1"])
    scene = Scene(2).own(A="E4 E3 S1", B="S2 S3 S4").money(A=1500)
    scene.run(price_step())
    scene.do("A turns down S1", "A turns down E3", "A turns down E4")
    assert (scene.purse("A"), scene.locos("A")) == (1500, ["", "", ""])
