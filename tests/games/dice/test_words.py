"""Notation, sentences, holdings and the drawing."""

from __future__ import annotations

import random
import re
from xml.etree import ElementTree

import pytest

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import Words
from kursbuch.games.dice import TITLE
from kursbuch.games.dice.actions import BuildStation, LayTrack, OpenTile, ReturnDice, Roll
from tests.games.dice.scenario import NAMES, Scene
from tests.games.dice.test_invariants import middle, played

ENGLISH, GERMAN = Words("en", NAMES), Words("de", NAMES)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("rolls 3", Roll(0, 3, 0)),
        ("ROLLS 0 and 2 ?", Roll(0, 0, 2)),
        ("lays b C4 to w", LayTrack(0, "B", "c4", "W")),
        ("lays A c4 to N with ? paying 2 behind", LayTrack(0, "A", "c4", "N", True, 2)),
        ("opens MOUNTAIN2 turned 3", OpenTile(0, "mountain2", 3)),
        (
            "builds Weiden Meadow 5 at b paying 4 behind",
            BuildStation(0, "weiden", "meadow", 5, "B", 4),
        ),
        ("returns 1 straight,2 ?", ReturnDice(0, 1, 0, 0, 2)),
    ],
)
def test_lines_are_read(text: str, action: object) -> None:
    assert TITLE.parse(text, 0, Scene(2).state) == action


@pytest.mark.parametrize(
    "text", ["", "rolls", "rolls many", "lays C c4 to N", "lays A c4 to X", "returns", "builds"]
)
def test_other_lines_are_refused(text: str) -> None:
    with pytest.raises(KursbuchError, match="is not a move; moves are: "):
        TITLE.parse(text, 0, Scene(2).state)


def test_everything_can_be_said_in_both_languages() -> None:
    seen = set()
    for seed in range(8):
        for game in played(seed, 2 + seed % 3):
            for decision in game.pending:
                english = TITLE.voice(ENGLISH).prompt(game.state, decision)
                assert english
                assert english != TITLE.voice(GERMAN).prompt(game.state, decision)
                choices = game.legal_actions(decision.seat)
                for choice in random.Random(seed).sample(choices, min(4, len(choices))):
                    pick = TITLE.voice(GERMAN).pick(game.state, choice.action)
                    assert pick.keys
                    assert "{" not in pick.label + pick.group
        for move in game.moves:
            for event in move.events:
                seen.add(type(event).__name__)
                english, german = (
                    TITLE.voice(words).describe(event) for words in (ENGLISH, GERMAN)
                )
                assert english != german
                assert "{" not in english + german
    assert len(seen) >= 14


def test_holdings() -> None:
    scene = Scene(2).shares("insel", A=3).director("A", "insel").behind("A", 4).behind("B", 5)
    scene.front("B", curve=2).passengers(A=2, B=7)
    mine, other, companies, bank = TITLE.voice(ENGLISH).panels(TITLE.view(scene.state, 0))
    rows = {row.label: row for row in mine.rows}
    assert rows["Passengers carried"].value == "2,000"
    assert rows["Dice behind the screen"].value == "4"
    assert rows["Shares of Insel Hopper"].value == "3"
    assert rows["Shares of Insel Hopper"].note == "director"
    rows = {row.label: row for row in other.rows}
    assert rows["Passengers carried"].value == rows["Dice behind the screen"].value == "–"
    assert (rows["Dice in front"].value, rows["Dice in front"].note) == ("2", "2 curves")
    assert {row.label for row in companies.rows} == {c.name for c in TITLE.board.companies}
    assert {row.label: row.value for row in bank.rows}["Dice in the bank"] == str(scene.supply())


def keys(drawing: str) -> set[str]:
    return set(re.findall(r'data-pick="([^"]+)"', drawing))


@pytest.mark.parametrize("seed", range(6))
def test_the_drawing(seed: int) -> None:
    game = middle(seed, 2 + seed % 3)
    for words in (ENGLISH, GERMAN):
        marks = TITLE.marks([event for move in game.moves[-6:] for event in move.events])
        drawing = TITLE.draw(game.state, words, marks)
        assert ElementTree.fromstring(drawing).tag.endswith("svg")
    if game.over:
        return
    (decision,) = game.pending
    found = keys(drawing)
    for choice in game.legal_actions(decision.seat):
        pick = TITLE.voice(ENGLISH).pick(game.state, choice.action)
        for key in pick.keys:
            if key.partition(":")[0] in ("square", "end", "company", "tile"):
                assert key in found


@pytest.mark.rule("dice:lake-3")
def test_a_station_at_the_end_of_a_bridge_can_be_pointed_at() -> None:
    scene = Scene(2).line("A", "e4 e3 e2 f2 g2 > E").cross("A", "lake", "a2 b2 > E")
    scene.director("A", "eisberg").front("A", straight=2).behind("A", 8)
    scene.do("A lays A c2 to E", "A lays A d2 to E paying 2 behind")
    found = keys(TITLE.draw(scene.state, ENGLISH))
    for choice in scene.choices("A", BuildStation):
        company, square, _ = TITLE.voice(ENGLISH).pick(scene.state, choice.action).keys
        assert (company, square) == ("company:eisberg", "square:A:e2")
        assert {company, square} <= found


def test_the_drawing_of_a_new_tile() -> None:
    scene = Scene(2).line("A", "e4 f4 > E").line("B", "c4 > W").front("A", straight=2)
    scene.do("A lays A g4 to E")
    assert "square:A:" not in str(sorted(keys(TITLE.draw(scene.state, ENGLISH))))
    scene.do("A opens meadow")
    assert "square:A:a4" in keys(TITLE.draw(scene.state, ENGLISH))
    assert "new: meadow" in TITLE.draw(scene.state, ENGLISH)


def test_the_drawing_hides_what_the_view_hides() -> None:
    scene = Scene(2).behind("A", 13).behind("B", 17)
    drawing = TITLE.draw(TITLE.view(scene.state, 0), ENGLISH)
    assert ">13<" in drawing
    assert ">17<" not in drawing


@pytest.mark.parametrize("count", [4, 9, 16])
def test_every_die_in_front_can_be_pointed_at(count: int) -> None:
    scene = Scene(2).front("A", straight=2, question=count - 2)
    drawing = TITLE.draw(scene.state, ENGLISH)
    assert drawing.count('data-pick="die:straight"') == 2
    assert drawing.count('data-pick="die:question"') == count - 2
    boxes = re.findall(
        r'data-pick="die:\w+">.*?<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"', drawing
    )
    assert len({(x, y) for x, y, _ in boxes}) == count


@pytest.mark.rule("dice:reduce-1")
def test_dice_to_be_returned_are_marked_one_by_one() -> None:
    scene = Scene(2).front("A", straight=3, curve=2, share=1, question=2)
    scene.do("A ends turn")
    picks = [
        TITLE.voice(ENGLISH).pick(scene.state, choice.action)
        for choice in scene.choices("A", ReturnDice)
    ]
    assert all(pick.several and len(pick.keys) == 3 for pick in picks)
    assert len({tuple(sorted(pick.keys)) for pick in picks}) == len(picks)
    assert ("die:straight", "die:straight", "die:curve") in [pick.keys for pick in picks]
