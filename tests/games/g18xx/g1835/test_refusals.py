"""Refusals say what is true, with names and amounts as players write them."""

from __future__ import annotations

from typing import Any

import pytest

from kursbuch.core.words import Words
from kursbuch.games.g18xx.g1835 import TITLE
from kursbuch.games.g18xx.g1835.state import PacketTurn
from kursbuch.games.g18xx.state import Build, BuyTrains, Pay, PlaceToken
from tests.games.g18xx.g1835.rails import rail
from tests.games.g18xx.g1835.table import Scene
from tests.games.g18xx.scene import NAMES

PLAYERS = ("Anna", "Bernd", "Clara", "Dirk")


def said(scene: Scene, line: str, language: str = "en") -> str:
    """The rule and the sentence of a refusal; nothing of it is offered."""
    action = scene.read(line)
    assert not scene.listed(action)
    problem = scene.position.problem(action)
    assert problem is not None
    text = problem.text(Words(language, PLAYERS)).replace("\N{NO-BREAK SPACE}", " ")
    return f"{problem.rule} {text}"


def bavaria(**options: Any) -> Scene:
    """Bavaria of A; B has NF and PF. Its home is built on, and it has money."""
    scene = Scene(**options).sold().shares("BY", A="20P 10 10", B="10").operating("BY")
    scene.papers(B="NF PF", C="3").trains("BY", "2").money(BY=500)
    return scene.tiles(rail("O15", "201", "N14"))


@pytest.mark.rule("1835:5.4-intro")
@pytest.mark.rule("1835:5.4.2")
def test_a_marker_that_is_paid_for_comes_after_building() -> None:
    scene = bavaria().turn("BY", Build)
    assert said(scene, "A places a station on L14 city 1") == (
        "5.4-intro A station token is placed after the track has been laid: finish that first."
    )
    minor = bavaria().tiles(rail("F14", "57", "F12", "F16")).turn("3", Build)
    assert said(minor, "C places a station on L14 city 1") == (
        "5.4.2 Minor 3 places no station token besides its home token."
    )


@pytest.mark.rule("1835:3.1.3.1")
@pytest.mark.rule("1835:3.1.3.3b")
def test_why_a_private_railway_gives_no_right_to_a_marker() -> None:
    scene = bavaria().phase("3").turn("BY", Build)
    assert said(scene, "A places a station on L14 city 1 through NF") == (
        "3.1.3.1 NF belongs to Bernd, who is not the director of BY."
    )
    assert said(scene, "A places a station on M15 city 1 through NF") == (
        "3.1.3.1 NF can be used only on L14, not on M15."
    )
    assert said(scene, "A places a station on L14 city 1 through OB") == (
        "3.1.3.1 Only NF and PF grant a free station token."
    )
    minor = bavaria().tiles(rail("F14", "57", "F12", "F16")).turn("3", Build)
    assert said(minor, "C places a station on L14 city 1 through NF") == (
        "3.1.3.1 Only a share company can use NF, through its director."
    )
    own = bavaria().phase("3")
    own.state.ledger.move("paper:NF", "p1", "p0")
    own.state.ledger.move("paper:PF", "p1", "box")
    own.station("BY", "L14", 0).turn("BY", Build)
    assert said(own, "A places a station on L14 city 2 through NF") == (
        "3.1.3.1 BY already has a station token on L14."
    )
    assert said(own, "A places a station on L6 city 1 through PF") == (
        "3.1.3.3b No player owns PF."
    )
    waiting = bavaria().phase("3")
    waiting.state.ledger.move("paper:PF", "p1", "p0")
    waiting.turn("BY", Build)
    assert said(waiting, "A places a station on L6 city 1 through PF") == (
        "3.1.3.3b PF can be used for a token only when BA has its home on L6."
    )


@pytest.mark.rule("1835:3.1.3.2")
@pytest.mark.rule("1835:3.1.3.3")
def test_why_a_private_railway_gives_no_right_to_a_tile() -> None:
    scene = bavaria().papers(A="OB").phase("3").turn("BY", Build)
    assert said(scene, "A lays 8 on F14 turned 0 through OB") == (
        "3.1.3.2 OB can be used only on M15, M17, not on F14."
    )
    assert said(scene, "A lays 210 on L6 turned 0 through PF") == (
        "3.1.3.3 PF belongs to Bernd, who is not the director of BY."
    )
    scene.state.ob_used = True
    assert said(scene, "A lays 8 on M17 turned 0 through OB") == (
        "3.1.3.2 OB has already been used for a tile in this operating round."
    )


@pytest.mark.rule("1835:5.5.2.2")
def test_towns_are_no_cities_and_an_own_marker_is_named() -> None:
    scene = (
        bavaria().phase("3").tiles(rail("M15", "58", "N14", "L14"), rail("N14", "8", "O15", "M15"))
    )
    scene.turn("BY", PlaceToken)
    assert said(scene, "A places a station on M15 city 1") == (
        "5.5.2.2 There is no city for a station token on M15."
    )
    assert said(scene, "A places a station on N14 city 1") == (
        "5.5.2.2 There is no city for a station token on N14."
    )
    assert said(scene, "A places a station on O15 city 1") == (
        "5.5.2.2 BY already has a station token on O15."
    )


@pytest.mark.rule("1835:5.5.2.5")
def test_amounts_have_their_sign() -> None:
    scene = (
        bavaria().phase("3").tiles(rail("M15", "58", "N14", "L14"), rail("N14", "8", "O15", "M15"))
    )
    scene.turn("BY", PlaceToken)
    scene.state.ledger.move("money", "BY", "bank", 490)
    assert said(scene, "A places a station on L14 city 1") == (
        "5.5.2.5 A station token in L14 costs 60 M; BY has 10 M."
    )
    stock = Scene().sold().shares("BY", A="20P", B="10").operating("BY")
    stock.money(B=90).stock("B")
    assert said(stock, "B buys BY 10") == "2.4c It costs 92 M, and you have 90 M."
    assert said(stock, "B buys BY 10", "de") == "2.4c Der Preis ist 92 M, und du hast 90 M."


@pytest.mark.rule("1835:5.5.4.11")
def test_a_train_that_a_company_cannot_pay() -> None:
    scene = bavaria().phase("3").shares("SX", D="20P 10").operating("SX").trains("SX", "2")
    scene.money(BY=150, A=500).turn("BY", BuyTrains)
    assert said(scene, "A buys train 3") == (
        "5.5.4.11 The train costs 180 M; BY has 150 M, and its director may add money only for a "
        "train it must have."
    )
    assert said(scene, "A offers 151 for train 2 of SX") == (
        "5.5.4.11 BY cannot pay 151 M: it has 150 M."
    )
    assert said(scene, "A buys train 4") == ("5.5.4.5 No new 4-train is on offer; on offer now: 3.")
    assert said(scene, "A buys train 2 from the pool") == (
        "5.5.4.8 There is no 2-train in the pool."
    )
    minor = Scene().papers(A="3", B="4").money(M3=79, M4=500).phase("3").trains("4", "2")
    minor.turn("3", BuyTrains)
    assert said(minor, "A offers 80 for train 2 of (4)") == (
        "5.5.4.11 Minor 3 cannot pay 80 M: it has 79 M."
    )
    assert said(minor, "A offers 8 for train 3 of (4)") == (
        "5.5.4.3 Minor 4 has no 3-train to sell."
    )


@pytest.mark.rule("1835:2.5.1")
def test_a_minor_is_named_in_the_language_of_the_reader() -> None:
    scene = Scene()
    scene.on(PacketTurn(0))
    assert said(scene, "A buys 2") == "2.5.1 Minor 2 is not on offer in the start packet."
    assert said(scene, "A buys 2", "de") == "2.5.1 V2 ist im Startpaket nicht im Angebot."
    assert said(scene, "A buys BY-director") == "2.5.1 BY is not on offer in the start packet."
    scene.do("A buys 1")
    assert said(scene, "B buys 1") == "2.5.1 Minor 1 has already been sold."


@pytest.mark.rule("1835:2.6.2.4")
@pytest.mark.rule("1835:2.6.2.4b")
def test_nationalising() -> None:
    scene = Scene().sold().shares("BY", A="20P 10 10 10 10", B="10").operating("BY")
    scene.money(A=500).stock("A")
    assert said(scene, "A nationalises BY 10 of player 1") == (
        "2.6.2.4b You can take shares only from another player."
    )
    assert said(scene, "A nationalises BY 10 of player 3") == (
        "2.6.2.4b Clara has no certificate 10 of BY."
    )
    assert said(scene, "A nationalises SX 10 of player 2") == (
        "2.6.2.4 To nationalise shares of a company you must hold at least 55 "
        "percent of it; you hold 0 percent of SX."
    )
    assert said(scene, "A nationalises (3) 10 of player 2") == (
        "2.6.2.4 Only shares can be nationalised."
    )


@pytest.mark.rule("1835:5.5.3.11.2")
def test_another_revenue_cannot_be_entered() -> None:
    scene = bavaria().on(Pay("BY", 40))
    assert said(scene, "A pays out 30") == (
        "5.5.3.11.2 The revenue is what the runs earn; no other amount can be entered here."
    )


def test_the_wrong_step_says_what_is_to_be_decided() -> None:
    for scene in (
        bavaria().turn("BY", Build),
        bavaria().turn("BY", BuyTrains),
        bavaria().on(Pay("BY", 40)),
        bavaria().stock("A"),
    ):
        name = NAMES[scene.position.deciders()[0]]
        for line in ("opens PR", "accepts", "takes BY 10, 10", "exchanges nothing"):
            rule, _, sentence = said(scene, f"{name} {line}").partition(" ")
            assert rule in TITLE.rules
            assert "does not fit" not in sentence


@pytest.mark.rule("1835:5.5.1.14")
def test_the_first_tile_is_yellow() -> None:
    scene = bavaria().phase("3").turn("BY", Build)
    assert said(scene, "A lays 24 on N14 turned 0") == (
        "5.5.1.14 The first tile on N14 must be yellow."
    )
