"""The elephant of 1853: who gets it, its sale, the extra operating round."""

from __future__ import annotations

import pytest

from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.g1853.events import (
    ElephantKept,
    ElephantOffered,
    ElephantRefused,
    ElephantSold,
    RoundOrdered,
)
from kursbuch.games.g18xx.state import NextCompany, Round, StockTurn
from tests.games.g18xx.g1853.table import Scene
from tests.happened import every, only


def after_a_round(players: int = 4) -> Scene:
    """All pass at once; A still has the elephant."""
    scene = Scene(players).stock()
    for name in "ABCDEF"[:players]:
        scene.do(f"{name} is done")
    return scene


@pytest.mark.rule("1853:3.0", "1853:3.1.11", "1853:1-elephant", "1853:4.9", "1853:3.4.1")
def test_nobody_buys_and_the_elephant_is_sold() -> None:
    """Question 13."""
    scene = Scene(4).shares("SIR", pool=5).operating("SIR").stock()
    for name in "ABCD":
        assert scene.step() == "stock-turn"
        scene.do(f"{name} is done")
    assert (scene.step(), scene.deciders(), scene.elephant()) == ("sell-elephant", "A", "A")
    offered = only(scene.do("A offers the elephant to player 3 for 500"), ElephantOffered)
    assert (offered.seat, offered.buyer, offered.price) == (0, 2, 500)
    assert (scene.step(), scene.deciders()) == ("elephant-offer", "C")
    sold = only(scene.do("C accepts"), ElephantSold)
    assert sold.amounts == (500, 0, -500, 0)
    assert (scene.has("A"), scene.has("C"), scene.elephant()) == (1070, 70, "C")
    assert scene.leads("SIR") == "C"
    scene.do("C is done")
    while scene.step() != "extra-round":
        scene.do("C is done")
    assert scene.deciders() == "C"
    scene.do("C orders no operating round")
    assert (scene.step(), scene.state.round.number) == ("stock-turn", 3)
    step = scene.state.agenda[-1]
    assert isinstance(step, StockTurn)
    assert step.seat == 2


@pytest.mark.rule("1853:3.1.11")
def test_any_price_the_buyer_can_pay() -> None:
    scene = after_a_round().money(B=33)
    assert scene.refused("A offers the elephant to player 2 for 34") == "3.1.11"
    assert scene.refused("A offers the elephant to player 1 for 0") == "3.1.11"
    assert scene.refused("A offers the elephant to player 5 for 0") == "3.1.11"
    scene.do("A offers the elephant to player 2 for 33", "B accepts")
    assert scene.has("B") == 0
    scene = after_a_round()
    scene.do("A offers the elephant to player 2 for 0", "B accepts")
    assert scene.elephant() == "B"


@pytest.mark.rule("1853:3.1.11")
def test_everybody_is_asked_once_and_it_is_sold_once() -> None:
    scene = after_a_round(3)
    scene.do("A offers the elephant to player 2 for 100")
    only(scene.do("B refuses"), ElephantRefused)
    assert scene.refused("A offers the elephant to player 2 for 50") == "3.1.11"
    assert (scene.has("A"), scene.has("B")) == (730, 730)
    scene.do("A offers the elephant to player 3 for 50")
    kept = only(scene.do("C refuses"), ElephantKept)
    assert kept.seat == 0
    assert scene.step() != "sell-elephant"
    scene = after_a_round(3)
    events = scene.do("A offers the elephant to player 2 for 100", "B accepts")
    assert not every(events, ElephantKept)
    assert scene.step() not in ("sell-elephant", "elephant-offer")


@pytest.mark.rule("1853:3.1.11")
def test_the_holder_may_keep_it() -> None:
    scene = after_a_round()
    assert scene.refused("B is done") == "3.1.11"
    only(scene.do("A is done"), ElephantKept)
    assert scene.elephant() == "A"


@pytest.mark.rule("1853:3.1.11")
def test_the_first_round_has_that_moment_too() -> None:
    scene = Scene().first_round()
    for name in "ABCD":
        scene.do(f"{name} is done")
    assert scene.step() == "sell-elephant"


def series(part: int, parts: int) -> Scene:
    """An operating round of a series is over; no company is founded."""
    scene = Scene().phase("3")
    scene.state.round = Round(2, part, parts)
    scene.state.priority = 1
    return scene.on(NextCompany())


@pytest.mark.rule("1853:4.9", "1853:table-6-note", "1853:1-elephant")
def test_one_extra_round_at_the_end_of_a_series() -> None:
    scene = series(2, 2)
    assert (scene.step(), scene.deciders()) == ("extra-round", "B")
    assert scene.refused("A orders an operating round") == "4.9"
    assert scene.refused("B is done") == "4.9"
    events = scene.do("B orders an operating round")
    assert only(events, RoundOrdered).orders
    began = only(events, happened.OperatingRoundBegan)
    assert (began.part, began.parts) == (3, 3)
    assert (scene.step(), scene.state.round.number) == ("stock-turn", 3), "none is offered after it"


@pytest.mark.rule("1853:4.9")
def test_no_extra_round() -> None:
    scene = series(2, 2)
    events = scene.do("B orders no operating round")
    assert not every(events, happened.OperatingRoundBegan)
    assert scene.state.round.number == 3
    assert scene.state.extra is False, "it is asked again after the next stock round"


@pytest.mark.rule("1853:4.9")
def test_it_is_only_asked_when_the_series_is_over() -> None:
    """After the first of two rounds the second follows."""
    assert series(1, 2).state.round.part == 2


@pytest.mark.rule("1853:4.9", "1853:5.1.2")
def test_no_extra_round_when_the_bank_is_broken() -> None:
    scene = Scene()
    scene.state.round, scene.state.broken = Round(2, 1, 1), "operating"
    scene.on(NextCompany())
    assert scene.position.over


@pytest.mark.rule("1853:table-6", "1853:4.9", "1853:1-flow-a")
@pytest.mark.parametrize(("train", "rounds"), [("2", 1), ("3", 2), ("4", 3), ("5", 3)])
def test_the_number_of_rounds_is_fixed_at_the_end_of_the_stock_round(
    train: str, rounds: int
) -> None:
    scene = Scene().phase(train)
    ended = scene.ended()
    assert only(ended, happened.StockRoundEnded).number == 2
    assert scene.state.round.parts == rounds
    scene.state.phase = 3
    scene.do("A is done")
    assert scene.step() == "extra-round"
    assert scene.state.round.part == rounds
