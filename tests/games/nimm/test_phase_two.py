"""Phase two: order, wagons, replacing, passing, special cards, the end of a round, profits."""

from __future__ import annotations

import msgspec
import pytest

from kursbuch.core.actions import Action
from kursbuch.core.words import Words
from kursbuch.games.nimm import TITLE
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.actions import Replace, Take
from tests.games.nimm.scenario import Scene
from tests.happened import every, only

THREE = {"A": "E3 D5 S5", "B": "D6 E1 S1", "C": "E4 D4 S2"}


def scene3() -> Scene:
    """Three players with three locomotives each."""
    return Scene(3).own(**THREE)


# ---- order


@pytest.mark.rule(
    "nimm:order-1", "nimm:order-2", "nimm:order-example", "nimm:loco-3", "nimm:loco-4"
)
def test_the_worked_example_of_the_order() -> None:
    """Tom 1400, Bill 900 with 150 km/h, Jane 900 with 194 km/h."""
    scene = Scene(3).own(A="E2 D3 S7", B="D5 D2 S1", C="E1 S5 S2").phase_two()
    event = only(scene.events, happened.OrderSet)
    assert event.powers == (1400, 900, 900)
    assert scene.order() == "ACB"
    assert scene.deciders() == "A"


@pytest.mark.rule("nimm:order-1", "nimm:order-2", "nimm:bid-4")
def test_spare_locomotives_do_not_count_for_the_order() -> None:
    scene = Scene(3).own(A="S7 S5 -", B="D6 - -", C="E5 S1 S2").phase_two()
    assert only(scene.events, happened.OrderSet).powers == (1200, 700, 700)
    assert scene.order() == "CBA"


@pytest.mark.rule("nimm:order-2")
def test_only_spare_locomotives_are_ordered_clockwise_from_the_start_player() -> None:
    scene = Scene(4).own(A="- - -", B="S1 - -", C="- - -", D="- - -")
    scene.state.start = 2
    assert scene.phase_two().order() == "BCDA"


@pytest.mark.rule("nimm:order-2")
def test_the_second_fastest_breaks_a_tie_of_the_fastest() -> None:
    data = TITLE.cards.file
    locos = [
        msgspec.structs.replace(loco, speed=100) if loco.id in ("S5", "S6") else loco
        for loco in data.locomotives
    ]
    title = TITLE.with_data(msgspec.json.encode(msgspec.structs.replace(data, locomotives=locos)))
    scene = Scene(2, title=title).own(A="S5 S1 S3", B="S6 S2 S4").phase_two()
    # Power 600 each, fastest 100 each; second fastest 75 against 70.
    assert scene.order() == "AB"
    scene = Scene(2, title=title).own(A="S6 S2 S4", B="S5 S1 S3").phase_two()
    assert scene.order() == "BA"


@pytest.mark.rule("nimm:order-2")
def test_a_spare_locomotive_counts_as_the_slowest() -> None:
    data = TITLE.cards.file
    locos = [
        msgspec.structs.replace(loco, speed=90) if loco.id == "D1" else loco
        for loco in data.locomotives
    ]
    title = TITLE.with_data(msgspec.json.encode(msgspec.structs.replace(data, locomotives=locos)))
    # Power 300 each, fastest 90 each; second fastest 50 against a spare one.
    assert Scene(2, title=title).own(A="S5 - -", B="D1 S1 -").phase_two().order() == "BA"
    assert Scene(2, title=title).own(A="D1 S1 -", B="S5 - -").phase_two().order() == "AB"


# ---- the display


@pytest.mark.rule("nimm:display-1")
@pytest.mark.parametrize(("players", "cards"), [(2, 3), (3, 3), (4, 4), (5, 4), (6, 5)])
def test_so_many_cards_lie_open(players: int, cards: int) -> None:
    scene = Scene(players).own(**dict.fromkeys("ABCDEF"[:players], "- - -"))
    scene.coming(*["food50"] * cards).phase_two()
    assert scene.state.display == ["food50"] * cards


@pytest.mark.rule("nimm:display-2", "nimm:special-bonus", "nimm:replace-1")
def test_an_empty_deck_is_replaced_by_the_discard_pile() -> None:
    """Six players, five cards open, no deck; discarded: the used bonus and seven wagons."""
    scene = Scene(6).own(**dict.fromkeys("ABCDEF", "- - -"))
    scene.open("food50 food50 coal150 coal150 cattle100")
    scene.pile("discard", "oil200 oil200 oil200 oil200 oil250 oil250 oil250")
    scene.pile("spent", "bonus").empty_deck().turn("F", "A B C D E F")
    assert scene.purse("F") == 5000
    events = scene.do("F replaces food50, coal150, cattle100")
    assert only(events, happened.CardsShuffled).count == 10
    assert len(only(events, happened.CardsTurnedUp).cards) == 3
    assert scene.purse("F") == 4900
    assert scene.count("bonus", "spent") == 1
    assert len(scene.state.display) == 5


@pytest.mark.rule("nimm:display-2", "nimm:special-bonus")
def test_a_bonus_taken_in_this_round_does_not_come_up_again() -> None:
    scene = scene3().open("bonus food50 cattle100").pile("discard", "oil200").empty_deck()
    events = scene.turn("A", "A B C").do("A takes bonus")
    assert only(events, happened.CardsShuffled).count == 1
    assert scene.state.display == ["food50", "cattle100", "oil200"]


@pytest.mark.rule("nimm:display-2")
def test_without_any_card_the_display_is_not_filled() -> None:
    scene = scene3().open("food50 coal150 cattle100").empty_deck().turn()
    scene.do("A takes food50 for train 1")
    assert scene.state.display == ["coal150", "cattle100"]
    assert scene.deciders() == "C"


# ---- coupling


@pytest.mark.rule("nimm:turn-1", "nimm:couple-1")
def test_turns_follow_the_order_and_cards_are_turned_up() -> None:
    scene = scene3().open("food50 coal150 cattle100").turn("A", "A C B")
    events = scene.coming("oil200").do("A takes coal150 for train 2")
    assert scene.wagons("A", 2) == ["coal150"]
    turned_up = only(events, happened.CardsTurnedUp)
    assert (turned_up.rule, turned_up.cards) == ("couple-1", ("oil200",))
    assert scene.state.display == ["food50", "cattle100", "oil200"]
    assert scene.deciders() == "C"
    scene.do("C passes")
    assert scene.deciders() == "B"
    scene.do("B takes food50 for train 1")
    assert scene.deciders() == "A"


@pytest.mark.rule("nimm:turn-1")
def test_a_turn_is_one_of_three_things() -> None:
    scene = scene3().open("food50 coal150 bonus").turn()
    assert scene.can("A") == [
        *[f"takes food50 for train {train}" for train in (1, 2, 3)],
        *[f"takes coal150 for train {train}" for train in (1, 2, 3)],
        "takes bonus",
        "replaces food50",
        "replaces coal150",
        "replaces bonus",
        "replaces food50, coal150",
        "replaces food50, bonus",
        "replaces coal150, bonus",
        "replaces food50, coal150, bonus",
        "passes",
    ]
    assert scene.refused("A bids 100") == "turn-1"
    assert scene.refused("A is ready") == "turn-1"
    assert scene.refused("B passes") == "turn-1"


@pytest.mark.rule("nimm:kind-1", "nimm:couple-2")
def test_one_kind_per_locomotive_and_no_kind_twice() -> None:
    scene = scene3().load("A", 1, "food50").load("A", 2, "coal150")
    scene.open("food100 cattle100 coal200").turn()
    assert [line for line in scene.can("A") if line.startswith("takes")] == [
        "takes food100 for train 1",
        "takes cattle100 for train 3",
        "takes coal200 for train 2",
    ]
    assert scene.refused("A takes food100 for train 3") == "kind-1"
    assert scene.refused("A takes cattle100 for train 1") == "kind-1"
    scene.do("A takes food100 for train 1")
    assert scene.wagons("A", 1) == ["food50", "food100"]
    assert scene.wagons("A", 2) == ["coal150"]  # nothing else moved


@pytest.mark.rule("nimm:kind-1", "nimm:turn-1")
def test_what_can_be_done_with_cards_that_fit_nowhere() -> None:
    """Food on the first, coal on the second, the third empty; open: food, coal, coal, bonus."""
    scene = Scene(4).own(A="E3 D5 S5", B="- - -", C="- - -", D="- - -")
    scene.load("A", 1, "food50").load("A", 2, "coal150")
    scene.open("food100 coal200 coal250 bonus").turn("A", "A B C D")
    assert [line for line in scene.can("A") if line.startswith("takes")] == [
        "takes food100 for train 1",
        "takes coal200 for train 2",
        "takes coal250 for train 2",
        "takes bonus",
    ]
    assert any(line.startswith("replaces") for line in scene.can("A"))
    assert "passes" in scene.can("A")


@pytest.mark.rule("nimm:couple-1")
@pytest.mark.parametrize(
    "action",
    [
        Take(0, "oil200", 1),
        Take(0, "food50", 0),
        Take(0, "food50", 4),
        Take(0, "food50", -1),
        Take(0, "nothing", 1),
    ],
)
def test_only_open_cards_go_to_ones_own_trains(action: Action) -> None:
    scene = scene3().open("food50 coal150 cattle100").turn()
    assert scene.refused_action(action) == "couple-1"


# ---- replacing


@pytest.mark.rule("nimm:replace-1", "nimm:replace-4")
def test_cards_are_replaced_once_and_one_may_be_taken() -> None:
    scene = scene3().open("food50 coal150 cattle100").turn("A", "A C B")
    events = scene.coming("oil200", "oil250").do("A replaces food50, cattle100")
    assert only(events, happened.CardsReplaced).amounts == (-600, 0, 0)
    assert scene.state.display == ["coal150", "oil200", "oil250"]
    assert scene.count("food50", "discard") == scene.count("cattle100", "discard") == 1
    assert scene.deciders() == "A"
    assert scene.refused("A replaces oil200") == "replace-1"
    assert "takes coal150 for train 1" in scene.can("A")  # a kept card may be taken too
    scene.coming("food50").do("A takes oil250 for train 1")
    assert scene.state.display == ["coal150", "oil200", "food50"]
    assert scene.deciders() == "C"


@pytest.mark.rule("nimm:replace-1")
@pytest.mark.parametrize("cards", [(), ("oil200",), ("food50", "food50"), ("food50", "bin")])
def test_only_open_cards_are_replaced(cards: tuple[str, ...]) -> None:
    scene = scene3().open("food50 coal150 cattle100").turn()
    assert scene.refused_action(Replace(0, cards)) == "replace-1"


@pytest.mark.rule("nimm:replace-1")
def test_the_cards_to_be_replaced_may_be_named_in_any_order() -> None:
    """An action has one form only; text and JSON are read in any order."""
    scene = scene3().open("food50 coal150 cattle100").turn()
    assert scene.refused_action(Replace(0, ("coal150", "food50"))) == ""
    given = {"action": "replace", "seat": 0, "cards": ["coal150", "food50"]}
    action = TITLE.action_from_json(given)
    assert action == scene.game.parse("A replaces coal150, food50")
    events = scene.game.position.apply(action)
    assert only(events, happened.CardsReplaced).cards == ("food50", "coal150")
    unknown = {"action": "replace", "seat": 0, "cards": ["tea100", "food50"]}
    assert scene.refused_action(TITLE.action_from_json(unknown)) == "replace-1"


@pytest.mark.rule("nimm:replace-2")
def test_the_price_stands_on_the_order_tile() -> None:
    for place, price in enumerate((600, 500, 400, 300, 200, 100)):
        scene = Scene(6).own(**dict.fromkeys("ABCDEF", "- - -"))
        scene.open("food50 food50 food50 food50 food50").turn("ABCDEF"[place], "A B C D E F")
        scene.do(f"{'ABCDEF'[place]} replaces food50, food50")
        assert scene.purse("ABCDEF"[place]) == 5000 - price


@pytest.mark.rule("nimm:replace-3")
def test_the_second_of_two_players_pays_300() -> None:
    scene = Scene(2).own(A="E3 D5 S5", B="D6 E1 S1").open("food50 food50 food50")
    scene.turn("B", "A B").do("B replaces food50")
    assert scene.purse("B") == 4700
    scene = Scene(2).own(A="E3 D5 S5", B="D6 E1 S1").open("food50 food50 food50")
    scene.turn("A", "A B").do("A replaces food50")
    assert scene.purse("A") == 4400


@pytest.mark.rule("nimm:replace-5")
def test_who_cannot_pay_replaces_nothing() -> None:
    scene = scene3().open("food50 coal150 cattle100").money(C=450).turn("C", "A C B")
    assert scene.refused("C replaces food50") == "replace-5"
    assert not any(line.startswith("replaces") for line in scene.can("C"))
    scene.money(C=500).do("C replaces food50")
    assert scene.purse("C") == 0


# ---- passing


@pytest.mark.rule("nimm:pass-1", "nimm:pass-2")
def test_the_round_ends_when_all_pass_in_a_row() -> None:
    scene = scene3().open("food50 coal150 cattle100").turn("A", "A B C")
    scene.do("A passes", "B takes food50 for train 1", "C passes", "A passes")
    assert scene.state.round == 1
    assert "takes coal150 for train 2" in scene.can("B")
    events = scene.do("B passes")
    assert only(events, happened.RoundEnded).seat is None
    assert scene.state.round == 2
    assert len(every(events, happened.ProfitPaid)) == 3


@pytest.mark.rule("nimm:pass-2", "nimm:replace-4")
def test_replacing_and_taking_nothing_is_passing() -> None:
    scene = scene3().open("food50 coal150 cattle100").turn("A", "A B C")
    scene.do("A passes", "B replaces food50", "B passes")
    assert scene.purse("B") == 4500
    assert only(scene.do("C passes"), happened.RoundEnded).seat is None


@pytest.mark.rule("nimm:pass-2")
def test_a_card_taken_makes_the_passes_count_anew() -> None:
    scene = scene3().open("food50 coal150 cattle100").turn("A", "A B C")
    scene.coming("oil200", "oil200")
    scene.do("A passes", "B replaces food50", "B takes coal150 for train 1", "C passes")
    assert scene.state.round == 1
    scene.do("A passes")
    assert scene.state.round == 1
    scene.do("B passes")
    assert scene.state.round == 2


# ---- special cards


@pytest.mark.rule("nimm:special-bin")
def test_the_bin_clears_the_display() -> None:
    scene = Scene(4).own(A="- - -", B="- - -", C="- - -", D="- - -")
    scene.coming("food50", "coal150", "bonus", "bin", "oil200", "oil200", "oil250", "luxury300")
    scene.phase_two()
    assert only(scene.events, happened.BinTurnedUp).cards == ("food50", "coal150", "bonus")
    assert scene.state.display == ["oil200", "oil200", "oil250", "luxury300"]
    assert scene.count("bin", "box") == 1
    assert [scene.count(card, "discard") for card in ("food50", "coal150", "bonus")] == [1, 1, 1]
    assert scene.deciders() == "A"
    assert scene.purse("A") == 5000


@pytest.mark.rule("nimm:special-bin", "nimm:replace-1", "nimm:replace-4")
def test_the_bin_in_the_middle_of_a_replacement() -> None:
    scene = Scene(4).own(A="- - -", B="- - -", C="- - -", D="- - -")
    scene.open("food50 coal150 cattle100 cattle150").turn("A", "A B C D")
    scene.coming("bin", "oil200", "oil200", "oil250", "luxury300")
    scene.do("A replaces food50, coal150")
    assert scene.state.display == ["oil200", "oil200", "oil250", "luxury300"]
    assert scene.count("cattle100", "discard") == scene.count("food50", "discard") == 1
    assert scene.purse("A") == 4400
    scene.do("A takes luxury300 for train 1")


@pytest.mark.rule("nimm:special-longer")
def test_the_longer_train_is_laid_aside_and_replaced() -> None:
    scene = scene3().load("A", 1, "food50 food50 food50 food50")
    scene.open("food50 coal150 cattle100").turn("B", "B A C")
    events = scene.coming("longer-train", "food100").do("B takes coal150 for train 1")
    assert only(events, happened.LongerTurnedUp).limit == 6
    assert scene.state.display == ["food50", "cattle100", "food100"]
    scene.coming("food100").do("A takes food50 for train 1")
    assert scene.state.round == 1  # the fifth wagon no longer ends the round
    scene.do("C passes", "B passes")
    events = scene.do("A takes food100 for train 1")
    assert only(events, happened.RoundEnded).wagons == 6
    assert scene.state.round == 2
    assert scene.count("longer-train", "box") == 1
    assert not scene.state.longer


@pytest.mark.rule("nimm:special-multiplier", "nimm:special-take", "nimm:pay-1")
def test_multiplier_plus_one() -> None:
    scene = scene3().load("A", 2, "coal150 coal150 coal200 coal200")
    scene.open("multiplier coal250 cattle100").turn("A", "A B C")
    assert scene.refused("A takes multiplier") == "couple-1"
    lines = [line for line in scene.can("A") if "multiplier for" in line]
    assert lines == [f"takes multiplier for train {train}" for train in (1, 2, 3)]
    scene.coming("food50").do("A takes multiplier for train 2")
    assert scene.deciders() == "B"
    assert scene.state.display == ["coal250", "cattle100", "food50"]
    scene.do("B passes", "C passes")
    events = scene.do("A takes coal250 for train 2")  # the fifth wagon: the card does not count
    assert only(events, happened.RoundEnded).wagons == 5
    assert every(events, happened.ProfitPaid)[0].parts == (0, 950 * 4, 0)


@pytest.mark.rule("nimm:special-multiplier", "nimm:bid-4")
def test_a_multiplier_is_useless_at_a_spare_locomotive() -> None:
    scene = Scene(2).own(A="- E3 S1", B="- - -").load("A", 1, "coal150 coal200")
    scene.open("multiplier food50 cattle100").turn("A", "A B")
    scene.do("A takes multiplier for train 1", "B passes")
    events = scene.do("A passes")
    assert every(events, happened.SparePaid)[0].parts == (200,)


@pytest.mark.rule("nimm:special-bonus", "nimm:special-take")
def test_the_bonus() -> None:
    scene = scene3().open("bonus food50 cattle100").turn("A", "A B C")
    assert scene.refused("A takes bonus for train 1") == "special-bonus"
    events = scene.coming("oil200").do("A takes bonus")
    assert only(events, happened.BonusTaken).amounts == (600, 0, 0)
    assert (scene.count("bonus", "spent"), scene.count("bonus", "discard")) == (1, 0)
    assert scene.purse("A") == 5600
    assert scene.state.display == ["food50", "cattle100", "oil200"]
    assert scene.deciders() == "B"


@pytest.mark.rule("nimm:special-double")
def test_the_double_wagon_is_a_copy_of_the_one_before_it() -> None:
    scene = Scene(2).own(A="S2 E3 S1", B="- - -").load("A", 1, "coal200")
    scene.open("double coal150 cattle100").turn("A", "A B")
    assert scene.refused("A takes double for train 2") == "special-double"
    event = only(scene.do("A takes double for train 1"), happened.WagonCoupled)
    assert (event.kind, event.value, event.length) == ("coal", 200, 2)
    scene.do("B passes", "A takes coal150 for train 1", "B passes")
    events = scene.do("A passes")
    assert every(events, happened.ProfitPaid)[0].parts == (550, 0, 0)


@pytest.mark.rule("nimm:special-double", "nimm:bid-4")
def test_a_spare_locomotive_can_pull_the_double_wagon() -> None:
    scene = Scene(2).own(A="- E3 S1", B="- - -").load("A", 1, "coal200")
    scene.open("double coal150 cattle100").turn("A", "A B").do("A takes double for train 1")
    assert scene.wagons("A", 1) == ["coal200", "double"]


@pytest.mark.rule("nimm:special-double", "nimm:special-take", "nimm:stop-1", "nimm:target-use-1")
def test_the_double_wagon_as_the_fifth() -> None:
    scene = scene3().load("A", 2, "cattle100 cattle150 cattle150 cattle200").tiles(A="8")
    scene.open("double coal150 cattle100").turn("A", "A B C")
    events = scene.do("A takes double for train 2")
    assert only(events, happened.RoundEnded).seat == 0
    assert every(events, happened.ProfitPaid) == []
    assert scene.can("A") == ["hands in target-8", "is ready"]
    events = scene.do("A hands in target-8")
    assert scene.purse("A") == 5000 + 800 + 800 * 3
    assert every(events, happened.ProfitPaid)[0].parts == (0, 2400, 0)


@pytest.mark.rule("nimm:special-take")
def test_special_cards_that_cannot_be_taken() -> None:
    scene = scene3().open("double food50 coal150").turn()
    assert not any("double for" in line or line == "takes double" for line in scene.can("A"))
    assert scene.refused("A takes bin") == "special-take"
    assert scene.refused("A takes longer-train") == "special-take"


# ---- the end of the round and profits


@pytest.mark.rule("nimm:stop-1", "nimm:goal-1", "nimm:pay-1", "nimm:pay-example", "nimm:loco-5")
def test_the_worked_example_of_a_profit() -> None:
    """The fifth coal wagon behind a x3 locomotive; nothing is turned up and no one acts again."""
    scene = scene3().load("A", 2, "coal200 coal200 coal150 coal150").load("C", 1, "food50")
    scene.open("coal150 food50 cattle100").tiles(B="1").turn("A", "A B C")
    draws = scene.state.draws
    events = scene.do("A takes coal150 for train 2")
    ended = only(events, happened.RoundEnded)
    assert (ended.seat, ended.wagons) == (0, 5)
    assert scene.state.display == ["food50", "cattle100"]
    assert scene.state.draws == draws
    assert scene.deciders() == "B"  # only to hand in target tiles
    assert scene.can("B") == ["is ready"]
    events = scene.do("B is ready")
    profits = every(events, happened.ProfitPaid)
    assert profits[0].parts == (0, 2550, 0)
    assert profits[2].parts == (200, 0, 0)
    assert [scene.purse(name) for name in "ABC"] == [7550, 5000, 5200]


@pytest.mark.rule("nimm:stop-1", "nimm:pay-2", "nimm:bid-4")
def test_a_spare_locomotive_pays_for_its_best_wagon() -> None:
    scene = Scene(2).own(A="- - S1", B="E3 E4 E5").load("A", 1, "food50 food100 food150 food50")
    scene.open("food50 coal150 double").turn("A", "A B")
    events = scene.do("A takes food50 for train 1")  # its fifth wagon ends the round too
    paid = only(events, happened.SparePaid)
    assert (paid.rule, paid.amounts, paid.parts) == ("pay-2", (150, 0), (150, 0))
    working = every(events, happened.ProfitPaid)
    assert [(one.rule, one.parts) for one in working] == [("pay-1", (0,)), ("pay-1", (0, 0, 0))]
    assert scene.purse("A") == 5150


@pytest.mark.rule("nimm:pay-2")
def test_a_copied_wagon_at_a_spare_locomotive_is_worth_what_it_copies() -> None:
    scene = Scene(2).own(A="- - S1", B="E3 E4 E5").load("A", 1, "food150 double food50 food50")
    scene.open("food50 coal150 cattle100").turn("A", "A B")
    events = scene.do("A takes food50 for train 1")
    assert only(events, happened.SparePaid).parts == (150, 0)


@pytest.mark.rule("nimm:pay-2")
def test_who_has_nothing_but_spare_locomotives_is_paid_for_them_alone() -> None:
    scene = Scene(2).own(A="- - -", B="E3 E4 E5").load("A", 1, "food150").open("coal150")
    scene.turn("A", "A B").do("A passes")
    events = scene.do("B passes")
    assert only(events, happened.SparePaid).parts == (150, 0, 0)
    assert only(events, happened.ProfitPaid).seat == 1
    scene = Scene(2).own(A="- - -", B="E3 E4 E5").open("coal150").turn("A", "A B")
    scene.do("A passes")
    line = only(scene.do("B passes"), happened.SparePaid)
    words = Words("en", ["Anna", "Bernd"])
    expected = "Anna receives $0 for the best wagons of 3 spare locomotives."
    assert TITLE.voice(words).describe(line) == expected
