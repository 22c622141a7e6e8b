"""Anyone who may not do something is told the rule, also if he is not asked at all."""

from __future__ import annotations

import pytest

from kursbuch.core.errors import IllegalAction
from kursbuch.core.words import Words
from kursbuch.games.nimm.state import DraftPrice
from tests.games.nimm.scenario import Scene

BY_MAIL = {"open_auction": "rounds"}


def chosen(kind: str, **own: str) -> Scene:
    """A has put the E3 up for auction; D has three locomotives."""
    scene = Scene(4).own(D="S1 S2 S3", **own).coming("E3", "D5", "S5").auction(kind)
    scene.do("A offers E3")
    return scene


FULL = [
    ("turn", "auction-turn-8"),
    ("sealed", "auction-sealed-8"),
    ("double", "auction-double-3"),
    ("open", "auction-open-6"),
]


@pytest.mark.rule(
    "nimm:auction-turn-8", "nimm:auction-sealed-8", "nimm:auction-double-3", "nimm:auction-open-6"
)
@pytest.mark.parametrize(("kind", "rule"), FULL)
def test_a_bid_with_three_locomotives(kind: str, rule: str) -> None:
    scene = Scene(4).own(D="S1 S2 S3").coming("E3", "D5", "S5").auction(kind)
    if kind != "open":
        assert scene.refused("D offers E3") == rule
        scene.do("A offers E3")
    assert scene.refused("D bids 800") == rule
    scene.do("A bids 700")
    assert scene.refused("D bids 800") == rule
    if kind == "double":
        scene.do("B bids 0", "C bids 0")
        assert scene.refused("D bids 800") == rule


@pytest.mark.rule("nimm:option-open")
def test_a_bid_with_three_locomotives_by_mail() -> None:
    scene = Scene(3, options=BY_MAIL).own(C="S1 S2 S3").coming("E3").auction("open")
    scene.do("A bids 700")
    assert scene.refused("C bids 800") == "auction-open-6"
    assert scene.refused("A bids 800") == "option-open"  # the highest bidder
    assert scene.refused("B passes") == "option-open"


@pytest.mark.rule("nimm:auction-turn-1", "nimm:auction-sealed-1", "nimm:auction-double-3")
@pytest.mark.parametrize(
    ("kind", "rule"),
    [("turn", "auction-turn-1"), ("sealed", "auction-sealed-1"), ("double", "auction-double-3")],
)
def test_only_the_starter_chooses_the_card(kind: str, rule: str) -> None:
    scene = Scene(3).coming("E3", "D5", "S5").auction(kind)
    assert scene.refused("B offers E3") == rule
    assert scene.refused("A passes") == rule
    assert scene.refused("A offers E1") == rule


@pytest.mark.rule("nimm:auction-turn-2", "nimm:auction-turn-3", "nimm:auction-open-2")
def test_bids_out_of_turn() -> None:
    scene = chosen("turn")
    assert scene.refused("B bids 900") == "auction-turn-2"
    assert scene.refused("A passes") == "auction-turn-2"
    scene.do("A bids 700", "B passes")
    assert scene.refused("A bids 800") == "auction-turn-3"
    assert scene.refused("B bids 800") == "auction-turn-3"
    assert scene.refused("C holds") == "auction-turn-3"
    scene = Scene(2).coming("E3").auction("open")
    assert scene.refused("B bids 900") == "auction-open-2"
    assert scene.refused("A holds") == "auction-open-2"


@pytest.mark.rule("nimm:auction-sealed-2", "nimm:auction-double-1", "nimm:auction-choice-2")
def test_a_secret_bid_already_made() -> None:
    scene = chosen("sealed")
    scene.do("B bids 0")
    assert scene.refused("B bids 50") == "auction-sealed-2"
    assert scene.refused("C passes") == "auction-sealed-2"
    scene = chosen("double")
    scene.do("A bids 700", "B bids 0", "C bids 0", "C bids 50")
    assert scene.refused("C bids 50") == "auction-double-1"
    assert scene.refused("A holds") == "auction-double-1"
    scene = Scene(2).auction("choice")
    scene.do("B bids 0")
    assert scene.refused("B bids 0") == "auction-choice-2"
    assert scene.refused("A passes") == "auction-choice-2"


@pytest.mark.rule("nimm:auction-general-2")
def test_only_the_starter_decides_between_equal_bids() -> None:
    scene = chosen("sealed")
    scene.do("A bids 700", "B bids 700", "C bids 0")
    assert scene.refused("B favours player 2") == "auction-general-2"
    scene = Scene(2).auction("choice")
    scene.do("A bids 0", "B bids 0")
    assert scene.refused("B favours player 2") == "auction-general-2"


@pytest.mark.rule("nimm:auction-choice-4", "nimm:auction-choice-5")
def test_others_choose_first_or_have_chosen() -> None:
    scene = Scene(3).auction("choice")
    scene.coming("E3", "S1", "S2").do("A bids 200", "B bids 100", "C bids 0")
    assert scene.refused("B buys E3") == "auction-choice-4"
    scene.do("A buys E3")
    assert scene.refused("A buys S1") == "auction-choice-5"


@pytest.mark.rule("nimm:auction-pass-6", "nimm:target-use-1")
def test_another_cannot_pay() -> None:
    scene = Scene(3).own(A="S3 S4 S7", B="E1 D1 S5", C="S1 S2 S6").money(A=2000).tiles(B="16")
    scene.run(DraftPrice([0, 1, 2]))
    for name in "BC":  # with a target tile and without
        assert scene.refused(f"{name} turns down S1") == "auction-pass-6"
    assert scene.refused("C hands in target-14") == "target-use-1"


@pytest.mark.rule("nimm:turn-1", "nimm:target-use-1")
def test_out_of_turn_in_phase_two() -> None:
    scene = Scene(3).own(A="E3 D5 S5", B="D6 E1 S1", C="- - -").tiles(A="2", B="1")
    scene.open("bonus food50 coal150").turn("A", "A B C")
    for name in "BC":
        assert scene.refused(f"{name} takes food50 for train 1") == "turn-1"
    scene.do("A takes bonus")
    assert scene.refused("A takes food50 for train 1") == "target-use-1"
    assert scene.refused("B takes food50 for train 1") == "target-use-1"
    assert scene.refused("C takes food50 for train 1") == "turn-1"
    scene.do("A is ready", "B passes", "C passes", "A passes")
    assert scene.step() == "closing"
    assert scene.refused("C is ready") == "target-use-1"
    assert scene.refused("A passes") == "target-use-1"


@pytest.mark.rule("nimm:auction-general-2", "nimm:turn-1")
def test_refusals_name_players() -> None:
    scene = chosen("sealed")
    scene.do("A bids 700", "B bids 700", "C bids 0")
    with pytest.raises(IllegalAction) as error:
        scene.game.apply(scene.game.parse("C favours player 1"))
    assert str(error.value) == "A started the auction and breaks the tie."
    assert error.value.text(Words("de")) == (
        "A hat die Auktion gestartet und entscheidet zwischen den gleichen Geboten."
    )


@pytest.mark.rule("nimm:replace-5", "nimm:bid-7")
def test_refusals_write_money_as_the_reader_does() -> None:
    scene = Scene(2).own(A="E3 D5 S5", B="- - -").money(A=550).open("food50").turn("A", "A B")
    with pytest.raises(IllegalAction) as error:
        scene.game.apply(scene.game.parse("A replaces food50"))
    assert error.value.text(Words("en")) == "You cannot pay $600 to have cards replaced."
    assert (
        error.value.text(Words("de"))
        == "Du kannst die 600\N{NO-BREAK SPACE}$ für das Ersetzen von Karten nicht zahlen."
    )
    scene = Scene(2).money(A=650).coming("E5", "S1", "S2").auction("turn")
    with pytest.raises(IllegalAction) as error:
        scene.game.apply(scene.game.parse("A offers E5"))
    assert str(error.value) == "You cannot pay the first bid for E5, $1,000."
