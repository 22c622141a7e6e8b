"""Editions of the rules: older moves are replayed as they were, new ones follow the corrections."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import kursbuch
from kursbuch.cli import main
from kursbuch.cli.titles import rule_json, whole_rule
from kursbuch.core.errors import IllegalAction, KursbuchError, RecordError
from kursbuch.core.game import Game
from kursbuch.core.record import read
from kursbuch.core.rulebook import RuleIndex
from kursbuch.core.verification import differences
from kursbuch.core.words import Words
from kursbuch.games.rocket.state import Turn
from tests.core.corrected import CORRECTED


def game_of(edition: int | None = None) -> Game:
    return Game(CORRECTED, ["Anna", "Bernd"], seed="7", edition=edition)


def load(text: str) -> Game:
    return read(text, lambda _: CORRECTED)


def older() -> Game:
    """Three moves by the first edition: the second would be refused now, the third change."""
    game = game_of(1)
    for line in ("Anna takes London", "Anna takes Manchester", "Bernd builds K16"):
        game.replay(game.parse(line), 1)
    return game


def test_a_new_game_is_of_the_newest_edition() -> None:
    game = game_of()
    assert (game.edition, game.position.edition, CORRECTED.edition) == (3, 3, 3)
    assert "\nedition: 3\n" in game.record()
    with pytest.raises(IllegalAction) as refused:
        game.apply(game.parse("Anna takes Manchester"))
    assert refused.value.reference == "rocket:token-1"


def test_a_title_without_corrections_names_no_edition() -> None:
    title = kursbuch.title("rocket")
    assert title.edition == max([1, *(each.edition for each in title.rules.corrections)])
    assert "edition" not in Game(CORRECTED, ["Anna", "Bernd"], seed="7", edition=1).record()


def test_older_moves_are_replayed_as_they_were_and_the_game_goes_on() -> None:
    before = older()
    text = before.record()
    assert "edition" not in text
    game = load(text)
    assert [move.edition for move in game.moves] == [1, 1, 1]
    assert game.position.edition == 3
    assert game.record() == text
    held = game.state.ledger.held("token:Manchester", "0")
    assert held == 1
    with pytest.raises(IllegalAction, match="Manchester"):
        game.apply(game.parse("Bernd takes Manchester"))
    game.apply(game.parse("Bernd takes London"))
    again = game.record()
    assert "3. Bernd builds K16\nedition 3\n4. Bernd takes London\n" in again
    reread = load(again)
    assert reread.state == game.state
    assert [move.edition for move in reread.moves] == [1, 1, 1, 3]
    assert reread.record() == again


def test_positions_looked_back_at_are_of_the_edition_of_the_move_made_there() -> None:
    game = load(older().record())
    game.apply(game.parse("Bernd takes London"))
    assert [game.at(number).edition for number in range(5)] == [1, 1, 1, 3, 3]
    game.at(1).check(game.parse("Anna takes Manchester"))
    game.rewind(1)
    assert game.position.edition == 3
    with pytest.raises(IllegalAction):
        game.apply(game.parse("Anna takes Manchester"))


def test_what_would_be_otherwise_today_is_named() -> None:
    game = load(older().record())
    found = [
        (each.move, each.correction.id, each.refusal and str(each.refusal))
        for each in differences(game)
    ]
    assert found == [
        (2, "no-manchester", "Manchester is closed."),
        (3, "long-building", None),
    ]
    assert not list(differences(game_of()))


def test_replay_names_the_corrections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("kursbuch.core.registry.title", lambda _: CORRECTED)
    file = tmp_path / "older.txt"
    file.write_text(older().record(), "utf-8")
    assert main(["--language", "de", "replay", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "3 Züge, alle nach den Regeln ihrer Fassung." in shown
    assert "Zug 2 (Anna takes Manchester) würde heute abgelehnt: " in shown
    assert "Manchester bleibt zu." in shown
    assert "Zug 3 (Bernd builds K16) hätte heute eine andere Wirkung: " in shown
    assert main(["replay", str(file), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["ok"]
    assert answer["edition"] == 1
    found = answer["corrections"]
    assert [(each["move"], each["correction"], each["refused"]) for each in found] == [
        (2, "no-manchester", True),
        (3, "long-building", False),
    ]
    assert [each["rule"] for each in found] == ["rocket:token-1", "rocket:station-1"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("edition: x", "edition"),
        ("edition: 4", "edition 4"),
        ("edition: 0", "edition 0"),
        ("edition: ٣", "number"),
    ],
)
def test_an_edition_that_is_not_known_is_refused(line: str, sentence: str) -> None:
    text = older().record().replace("option railway_towns", f"{line}\noption railway_towns", 1)
    with pytest.raises(RecordError, match=sentence):
        load(text)
    with pytest.raises(RecordError, match=r"Line \d+: .*edition 4"):
        load(older().record().replace("2. Anna", "edition 4\n2. Anna"))


def test_corrections_are_declared_in_the_index() -> None:
    head = '[game]\nid = "t"\ntitle = "T"\nplayers = [2, 4]\n[[rule]]\nid = "a"\nkind = "rule"\nsummary = "A"\n'
    one = '[[correction]]\nid = "{}"\nedition = {}\nrule = "{}"\ntext = "X"\ntext_de = "Y"\n'
    index = RuleIndex.parse(head + one.format("x", 2, "a") + one.format("y", 3, "a"), "t.toml")
    assert (index.edition, index.uncorrected(1), index.uncorrected(2)) == (3, ["x", "y"], ["y"])
    assert [each.id for each in index.corrections_of("a")] == ["x", "y"]
    assert "Ab Fassung 3: Y" in whole_rule(index, index["a"], Words("de"))
    shown = rule_json(index, index["a"], Words("en"))["corrections"]
    assert shown == [
        {"id": "x", "edition": 2, "text": "X"},
        {"id": "y", "edition": 3, "text": "X"},
    ]
    for wrong, why in (
        (one.format("x", 3, "a"), "without a gap"),
        (one.format("x", 2, "b"), "correction x: there is no rule b"),
        (one.format("x", 2, "a") * 2, "used 2 times"),
    ):
        with pytest.raises(KursbuchError, match=re.escape(why)):
            RuleIndex.parse(head + wrong, "t.toml")


@pytest.mark.parametrize("asked", ["deciders", "choices"])
def test_a_game_stays_with_its_edition_where_nobody_could_act_by_a_newer_one(
    asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = older()
    rules = CORRECTED.steps[Turn]
    usual = getattr(rules, asked)
    monkeypatch.setattr(
        rules, asked, lambda state, *rest: usual(state, *rest) if state.uncorrected else []
    )
    assert game.position.edition == 1
    game.adopt_newest_edition()
    assert game.position.edition == 1
    monkeypatch.undo()
    game.adopt_newest_edition()
    assert game.position.edition == 3
