"""The end of the game, how rounds follow each other, and what payments say."""

from __future__ import annotations

import pytest

from kursbuch.core.events import Event, Payment
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.components import BANK
from kursbuch.games.g18xx.g1835 import TITLE
from kursbuch.games.g18xx.rules.dividend_step import share
from kursbuch.games.g18xx.state import (
    BuyTrains,
    EndGame,
    EndStockRound,
    EndTurn,
    NextCompany,
    Pay,
    StockRound,
)
from tests.games.g18xx.g1835.table import Scene, play_of, trading
from tests.happened import every, only

# ---- the end of the game


@pytest.mark.rule("1835:6.2.1")
@pytest.mark.rule("1835:6.2.2")
@pytest.mark.rule("1835:6.2.3")
@pytest.mark.rule("1835:goal-1")
@pytest.mark.rule("1835:2.6.2.3")
def test_cash_and_shares_are_counted() -> None:
    scene = trading().papers(B="NF 1").money(A=100, B=300, C=0, D=0, BY=700)
    scene.shares("PR", A="10").shares("HE", B="20P 20").operating(HE="B4")
    ended = _end(scene)
    assert ended.cash == (100, 300, 0, 0)
    # Bavaria is at 92, Hesse at 84; Prussia is not open.
    assert ended.shares == (184, 92 + 336, 92, 92)
    result = TITLE.result(scene.state)
    assert result is not None
    assert (result.scores, result.winners) == ((284, 728, 92, 92), (1,))


@pytest.mark.rule("1835:6.2.1")
def test_five_percent_counts_half() -> None:
    scene = trading().money(A=0, B=0).shares("PR", A="10P", B="5").operating("PR")
    assert _end(scene).shares == (184 + 154, 92 + 77, 92, 92)


@pytest.mark.rule("1835:6.2.3")
def test_equals_share_the_victory() -> None:
    scene = trading().money(A=0, B=92, C=92, D=91)
    _end(scene)
    result = TITLE.result(scene.state)
    assert result is not None
    assert result.winners == (0, 1, 2)


@pytest.mark.rule("1835:6.2.3")
@pytest.mark.rule("1835:5.5.4.13c")
def test_who_is_bankrupt_scores_nothing() -> None:
    scene = trading().money(A=0)
    scene.state.out.append(0)
    ended = _end(scene)
    assert (ended.cash[0], ended.shares[0]) == (0, 0)
    result = TITLE.result(scene.state)
    assert result is not None
    assert result.winners == (1, 2, 3)


def _end(scene: Scene) -> happened.Ended:
    scene.state.agenda.append(EndGame())
    play = play_of(scene)
    scene.position.run(play)
    assert scene.position.over
    return only(play.events, happened.Ended)


def test_every_payment_is_in_the_events() -> None:
    scene = trading().shares("BY", A="10 10").stock("A")
    before = [scene.has(name) for name in "ABCD"]
    events = scene.do("A sells BY 10", "A buys SX 10", "A is done", "B buys BY 10 from the pool")
    paid = [
        sum(column) for column in zip(*(e.amounts for e in every(events, Payment)), strict=True)
    ]
    assert [scene.has(name) for name in "ABCD"] == [
        old + change for old, change in zip(before, paid, strict=True)
    ]


# ---- stock rounds and operating rounds


@pytest.mark.rule("1835:1.1.1")
@pytest.mark.rule("1835:1.1.3")
@pytest.mark.rule("1835:5.3.2")
@pytest.mark.rule("1835:3.1.2b")
@pytest.mark.rule("1835:2.5.3")
def test_with_papers_left_an_operating_round_is_played() -> None:
    scene = Scene().papers(A="NF", B="1 HA").on(StockRound(1))
    events = scene.do("A is done", "B is done", "C is done", "D is done")
    assert only(events, happened.OperatingRoundBegan).parts == 1
    assert only(events, happened.PrivatesPaid).incomes == (("NF", 0, 5), ("HA", 1, 30))
    assert (scene.has("A"), scene.has("B")) == (480, 505)
    assert only(events, happened.TurnBegan).company == "1"
    assert scene.deciders() == "B"


@pytest.mark.rule("1835:1.1.1")
@pytest.mark.rule("1835:2.5.3")
def test_if_nobody_buys_rounds_go_on_alternating() -> None:
    scene = Scene().on(StockRound(1))
    for number in (2, 3):
        events = scene.do("A is done", "B is done", "C is done", "D is done")
        assert only(events, happened.StockRoundBegan).number == number
        assert only(events, happened.OperatingRoundBegan).number == number - 1


@pytest.mark.rule("1835:1.1.4")
@pytest.mark.rule("1835:5.4.14.1")
def test_a_set_of_operating_rounds_keeps_its_length() -> None:
    scene = Scene().shares("BY", A="20P 10").sold().papers(A="1").money(M1=180)
    scene.trains("box", *["2"] * 9, *["2+2"] * 4)
    scene.turn("1", BuyTrains)
    assert scene.state.round.parts == 1
    events = scene.do("A buys train 3")
    assert only(events, happened.PhaseBegan).train == "3"
    # The round goes on to its end; then comes a stock round, and two operating rounds.
    assert only(events, happened.StockRoundBegan).number == 2
    events = [event for name in "ABCD" for event in scene.do(f"{name} is done")]
    assert every(events, happened.OperatingRoundBegan)[0].parts == 2


@pytest.mark.rule("1835:7.3")
@pytest.mark.rule("1835:option-minors-need-bavaria")
@pytest.mark.rule("1835:option-packet")
@pytest.mark.parametrize(
    ("options", "sold", "acts"),
    [
        ({}, False, True),
        ({"minors_wait": "on"}, False, False),
        ({"minors_wait": "on"}, True, True),
        ({"minors_need_bavaria": "on"}, False, False),
        ({"packet": "clemens"}, False, False),
        ({"packet": "snake"}, False, True),
    ],
)
def test_minors_may_have_to_wait(options: dict[str, str], sold: bool, acts: bool) -> None:
    scene = Scene(4, **options).papers(A="1")
    if sold:
        scene.sold()
    assert scene.ruleset.control.acts(scene.state, "1") == acts
    scene.operating("BY")
    waits = options.get("minors_wait") == "on" and not sold
    assert scene.ruleset.control.acts(scene.state, "1") != waits


@pytest.mark.rule("1835:6.1")
def test_if_the_bank_runs_dry_the_operating_round_is_the_last() -> None:
    """Question 25."""
    scene = trading().phase("5").shares("SX", D="20P 10").operating("SX").trains("SX", "5")
    scene.shares("BY", A="10").trains("BY", "5")
    scene.state.round.part, scene.state.round.parts = 1, 3
    scene.state.ledger.move("money", BANK, "WT", scene.has(BANK) - 90)
    scene.on(NextCompany(), EndTurn("BY"), Pay("BY", 250))
    cash = [scene.has(name) for name in "ABCD"]
    events = scene.do("A pays out")
    assert only(events, happened.BankBroken).rule == "6.1"
    paid = [scene.has(name) - had for name, had in zip("ABCD", cash, strict=True)]
    assert paid == [75, 15, 0, 0]
    assert [scene.noted(name) for name in "ABCD"] == [0, 10, 25, 25]
    assert scene.has(BANK) == 0
    # Saxony still acts; then the game is over.
    assert not scene.position.over
    events += finish(scene)
    assert [event.company for event in every(events, happened.TurnBegan)] == ["SX"]
    assert only(events, happened.Ended).cash[0] > 0
    assert scene.position.over


@pytest.mark.rule("1835:6.1b")
@pytest.mark.rule("1835:6.1")
def test_after_the_one_operating_round_the_game_ends() -> None:
    scene = trading().phase("5").trains("BY", "5")
    scene.state.broken = "stock"
    scene.on(EndStockRound())
    events = finish(scene)
    assert not every(events, happened.OperatingRoundBegan)
    assert only(events, happened.Ended).cash[0] > 0


def finish(scene: Scene) -> list[Event]:
    """Everybody goes on without doing anything until the operating round is over."""
    events: list[Event] = []
    number = scene.state.round.number
    while not scene.position.over and scene.state.round.number == number:
        name = scene.deciders()
        events += scene.do(f"{name} is done" if scene.step() != "pay" else f"{name} saves")
    return events


@pytest.mark.rule("1835:3.3.3")
@pytest.mark.rule("1835:5.5.3.11.6")
def test_every_shareholder_gets_his_percentage() -> None:
    scene = trading().shares("BY", B="10 10").operating()
    scene.state.round.part, scene.state.round.parts = 1, 1
    scene.on(EndTurn("BY"), Pay("BY", 200))
    paid = only(scene.do("A pays out"), happened.DividendPaid)
    assert paid.amounts == (40, 60, 20, 20)


@pytest.mark.rule("1835:3.2.2c")
@pytest.mark.rule("1835:3.2.2b")
def test_a_minor_halves_its_revenue() -> None:
    scene = trading().papers(A="1").money(M1=0, A=0)
    share(scene.ruleset, play_of(scene), "1", 60)
    assert (scene.has("A"), scene.has("1")) == (30, 30)
