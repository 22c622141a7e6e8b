"""What the bank cannot pay is noted, counts at the end and can be used for nothing [6.1]."""

from __future__ import annotations

from typing import Any

import pytest

from kursbuch.core.play import Play
from kursbuch.core.words import Words
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.components import BANK
from kursbuch.games.g18xx.g1835 import TITLE
from kursbuch.games.g18xx.g1835.state import PacketTurn
from kursbuch.games.g18xx.rules.dividend_step import share
from kursbuch.games.g18xx.state import BuyTrains, EndTurn, NextCompany, OperatingRound, Pay
from tests.games.g18xx.g1835.table import Scene
from tests.games.g18xx.scene import NAMES
from tests.happened import every, only

pytestmark = pytest.mark.rule("1835:6.1")


def paying(bank: int, director: str = "A", **options: Any) -> Scene:
    """Bavaria is to pay 200: 20 to the pool, the director 60, everybody else 20."""
    scene = Scene(**options).sold().phase("5").operating("BY").trains("BY", "5")
    held = dict.fromkeys("ABCD", "10") | {director: "20P 10"}
    scene.shares("BY", **held, pool="10").money(A=0, B=0, C=0, D=0, BY=0).bank(bank)
    scene.state.round.part, scene.state.round.parts = 1, 1
    return scene.on(NextCompany(), EndTurn("BY"), Pay("BY", 200))


def play(scene: Scene) -> Play[Any]:
    """What changes the scene outside of a move."""
    return Play(scene.state, scene.position.chance, TITLE.rules.stated)


def sums(scene: Scene) -> list[tuple[int, int]]:
    """Money and notes of the players and of Bavaria."""
    return [(scene.has(name), scene.noted(name)) for name in ("A", "B", "C", "D", "BY")]


@pytest.mark.rule("1835:5.5.3.11.6")
@pytest.mark.rule("1835:5.5.3.11.7")
def test_the_acting_player_is_paid_first_then_the_others_clockwise_and_the_company_last() -> None:
    scene = paying(90, "C")
    events = scene.do("C pays out")
    assert sums(scene) == [(10, 10), (0, 20), (60, 0), (20, 0), (0, 20)]
    assert scene.has(BANK) == 0
    # The event has the whole amounts, since they count for the score; the note follows it.
    assert only(events, happened.DividendPaid).amounts == (20, 20, 60, 20)
    noted = only(events, happened.Noted)
    assert (noted.rule, noted.notes) == ("6.1", (("p0", 10), ("p1", 20), ("BY", 20)))
    kinds = [type(event) for event in events]
    assert kinds.index(happened.Noted) == kinds.index(happened.DividendPaid) + 1


def test_what_the_bank_has_exactly_is_paid_and_nothing_noted() -> None:
    scene = paying(140)
    events = scene.do("A pays out")
    assert sums(scene) == [(60, 0), (20, 0), (20, 0), (20, 0), (20, 0)]
    assert every(events, happened.BankBroken)
    assert not every(events, happened.Noted)


@pytest.mark.rule("1835:option-pays-beyond-bank")
def test_groups_with_chips_pay_on() -> None:
    scene = paying(90, pays_beyond_bank="on")
    events = scene.do("A pays out")
    assert sums(scene) == [(60, 0), (20, 0), (20, 0), (20, 0), (20, 0)]
    assert scene.has(BANK) == -50
    assert every(events, happened.BankBroken)


def test_saved_revenue_is_noted_for_the_company() -> None:
    scene = paying(90)
    scene.do("A saves")
    assert sums(scene)[-1] == (90, 110)


@pytest.mark.rule("1835:6.2.1")
@pytest.mark.rule("1835:6.2.2")
def test_notes_of_players_count_at_the_end_and_those_of_companies_do_not() -> None:
    scene = paying(90)
    before = TITLE.evaluator.evaluate(scene.state)
    scene.state.ledger.move("note", BANK, "p1", 100)
    after = TITLE.evaluator.evaluate(scene.state)
    assert [now - then for now, then in zip(after, before, strict=True)] == pytest.approx(
        [0, 100, 0, 0]
    )
    ended = only(scene.do("A pays out"), happened.Ended)
    assert (ended.cash, ended.noted) == ((60, 20, 10, 0), (0, 100, 10, 20))
    assert TITLE.scores(scene.state) == tuple(
        map(sum, zip(ended.cash, ended.noted, ended.shares, strict=True))
    )
    result = scene.position.result
    assert result is not None
    assert result.scores == TITLE.scores(scene.state)


@pytest.mark.rule("1835:5.3.2")
def test_private_railways_are_paid_one_after_the_other() -> None:
    scene = Scene().sold().papers(A="OB", B="NF", C="LD").money(A=0, B=0, C=0).bank(12)
    scene.on(OperatingRound(1))
    # NF comes first, then LD, then OB.
    assert [(scene.has(name), scene.noted(name)) for name in "ABC"] == [(0, 10), (5, 0), (7, 13)]


@pytest.mark.rule("1835:5.5.3.11.4")
def test_the_owner_of_a_minor_is_paid_before_the_minor() -> None:
    scene = Scene().papers(A="1").money(M1=0, A=0).bank(40)
    share(scene.ruleset, play(scene), "1", 60)
    assert (scene.has("A"), scene.noted("A")) == (30, 0)
    assert (scene.has("1"), scene.noted("1")) == (10, 20)


@pytest.mark.rule("1835:2.7.5")
def test_a_company_that_goes_into_operation_gets_what_the_bank_has() -> None:
    scene = Scene().sold().shares("BY", A="20P 10", B="10").money(C=92).bank(100).stock("C")
    events = scene.do("C buys BY 10")
    # The bank has got 92 for the last share: 192 of 460.
    assert only(events, happened.Floated).treasury == 460
    assert (scene.has("BY"), scene.noted("BY"), scene.has(BANK)) == (192, 268, 0)
    assert scene.state.broken == "stock"


@pytest.mark.rule("1835:3.2.2")
def test_a_minor_gets_what_the_bank_has() -> None:
    scene = Scene().papers(A="NF").money(A=80)
    scene.state.ledger.move("money", BANK, "box", scene.has(BANK))
    scene.on(PacketTurn(0)).do("A buys 1")
    assert (scene.has("1"), scene.noted("1")) == (80, 0)


@pytest.mark.rule("1835:4.2")
def test_prussia_gets_what_the_bank_has() -> None:
    scene = Scene().sold().phase("4").papers(A="2").shares("PR", B="10 10").money(M2=0).bank(200)
    scene.on(OperatingRound(1)).do("A opens PR")
    assert (scene.has("PR"), scene.noted("PR")) == (200, 108)


@pytest.mark.rule("1835:2.6.3.1")
def test_shares_sold_to_a_bank_without_money() -> None:
    scene = Scene().sold().phase("5").operating("BY").shares("BY", A="10 10", B="20P 10")
    scene.money(A=0).bank(100).stock("A")
    scene.do("A sells BY 10, 10")
    assert (scene.has("A"), scene.noted("A"), scene.has(BANK)) == (100, 84, 0)
    # It buys nothing.
    assert scene.state.broken == "stock"
    scene.money(A=50)
    assert scene.refused("A buys SX 10") == "2.4c"


def test_money_that_flows_back_serves_later_payments_and_not_the_notes() -> None:
    scene = paying(90)
    scene.do("A pays out")
    scene.state.ledger.move("money", "box", BANK, 30)
    before = sums(scene)
    passed = happened.Passed(rule="6.1", seat=0)
    scene.ruleset.pay_out(play(scene), passed, ("p1", 20), ("p2", 20))
    after = sums(scene)
    assert after[1] == (before[1][0] + 20, before[1][1])
    assert after[2] == (before[2][0] + 10, before[2][1] + 10)


@pytest.mark.rule("1835:4.4")
def test_what_is_noted_for_a_minor_becomes_prussias() -> None:
    scene = Scene().sold().phase("4").papers(A="1", D="2").operating("PR").shares("PR", D="10P")
    scene.state.ledger.move("note", BANK, "1", 35)
    scene.state.priority = 0
    scene.on(OperatingRound(1)).do("A exchanges 1")
    assert (scene.noted("1"), scene.noted("PR")) == (0, 35)


def forced(bank: int, cash: int = 50, **options: Any) -> Scene:
    """Oldenburg of A must buy a 6-train for 600 and has 40; A can sell 30 percent of Bavaria for 276."""
    scene = Scene(**options).shares("OL", A="20P", B="10").sold().phase("6").operating("OL")
    scene.shares("BY", A="10 10 10", B="20P 10 10").operating("BY")
    return scene.money(OL=40, A=cash).bank(bank).turn("OL", BuyTrains)


@pytest.mark.rule("1835:5.5.4.13")
def test_what_is_noted_in_a_forced_sale_is_set_off_against_the_train() -> None:
    scene = forced(100, cash=300)
    scene.do("A buys train 6")
    events = scene.do("A sells BY 10, 10, 10")
    # 260 were missing, the sale brings 276: 100 in money, which is used up first, and 176 noted.
    assert only(events, happened.TrainBought).added == 560
    assert (scene.has("OL"), scene.owns("OL"), scene.state.out) == (0, "6", [])
    assert (scene.has("A"), scene.noted("A")) == (0, 16)
    assert scene.has(BANK) == 40 + 300 + 100


@pytest.mark.rule("1835:5.5.4.13b")
def test_other_notes_do_not_help() -> None:
    scene = forced(0, cash=50)
    scene.state.ledger.move("note", BANK, "p0", 1000)
    scene.do("A buys train 6")
    assert scene.step() == "raise-money"
    events = scene.do("A sells BY 10, 10, 10")
    assert scene.state.out == [0]
    assert only(events, happened.TrainBought).lent == 600 - 40 - 50 - 276
    # What is noted for a bankrupt player lapses.
    assert scene.noted("A") == 0
    assert TITLE.scores(scene.state)[0] == 0


def test_pages_show_what_is_noted() -> None:
    scene = paying(90)
    words = Words("en", NAMES[:4])
    voice = TITLE.voice(words)
    before = [row.label for row in voice.panels(scene.state)[2].rows]
    assert "Noted, counts at the end" not in before
    scene.do("A pays out")
    rows = {row.label: row.value for row in voice.panels(scene.state)[2].rows}
    assert rows["Noted, counts at the end"].replace("\N{NO-BREAK SPACE}", " ") == "10 M"
    assert "noted" in voice.seat_note(scene.state, 2)
    shares, companies, _ = voice.tables(scene.state)
    lines = {row[0].text: [cell.text for cell in row] for row in shares.rows}
    assert lines["Noted"][3:] == ["0", "0", "10", "20"]
    assert lines["Together"][3:] == [str(score) for score in TITLE.scores(scene.state)]
    (bavaria,) = (row for row in companies.rows if row[0].text == "BY")
    assert "noted" in bavaria[2].note


def test_money_and_notes_are_conserved() -> None:
    scene = paying(90)
    totals = scene.state.ledger.totals()
    scene.do("A pays out")
    assert scene.state.ledger.totals() == totals
    assert totals["note"] == 0
    assert all(amount >= 0 for amount in scene.state.ledger.items["money"].values())


def test_together_is_what_counts_for_everybody() -> None:
    """Also what has no share price yet, as beside the names of the players."""
    scene = Scene().papers(A="3").shares("BY", A="20P 10").turn("3")
    voice = TITLE.voice(Words("en", NAMES[: scene.state.seats]))
    shares, *_ = voice.tables(scene.state)
    lines = {row[0].text: [cell.text for cell in row[3:]] for row in shares.rows}
    assert lines["Shares"][0] == "0"
    assert lines["Other papers, at their price"][0] != "0"
    words = voice.words
    assert lines["Together"] == [words.number(score) for score in TITLE.scores(scene.state)]
