"""Games go on when a rule is corrected: every correction has a game of an older edition with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import kursbuch
from kursbuch.core.record import read
from kursbuch.core.verification import differences
from tests.editions.find import RECORDS
from tests.records import unchained

#: Whole games, recorded before there were editions.
FIRST = sorted((Path(__file__).parent / "first").glob("*.txt"))
SOURCE = Path(kursbuch.__file__).parent
CORRECTIONS = [
    (title, correction)
    for name, title in kursbuch.titles().items()
    for correction in title.rules.corrections
]
NAMED = [f"{title.id}:{correction.id}" for title, correction in CORRECTIONS]


def test_the_code_asks_for_the_corrections_that_are_declared() -> None:
    asked = {
        name
        for path in SOURCE.rglob("*.py")
        for name in re.findall(r'corrected\(\s*"([^"]+)"\s*\)', path.read_text("utf-8"))
    }
    assert asked == {correction.id for _, correction in CORRECTIONS}


def test_no_record_is_left_over() -> None:
    assert {f"{path.parent.name}:{path.stem}" for path in RECORDS.rglob("*.txt")} == set(NAMED)


@pytest.mark.parametrize(("title", "correction"), CORRECTIONS, ids=NAMED)
def test_an_older_game_with_it_is_replayed_as_it_was(title, correction) -> None:  # type: ignore[no-untyped-def]
    text = (RECORDS / title.id / f"{correction.id}.txt").read_text("utf-8")
    game = kursbuch.load(text)
    assert game.edition < correction.edition
    assert unchained(game.record(reveal="\nseed: " in text)) == text
    found = [each for each in differences(game) if each.correction == correction]
    assert found

    # From the corrected rules on, the same move is another one or none at all.
    number = found[0].move - 1
    game.rewind(number)
    assert game.position.edition == title.edition


@pytest.mark.parametrize(("title", "correction"), CORRECTIONS, ids=NAMED)
def test_it_goes_on_by_the_corrected_rules(title, correction) -> None:  # type: ignore[no-untyped-def]
    game = kursbuch.load((RECORDS / title.id / f"{correction.id}.txt").read_text("utf-8"))
    made = len(game.moves)
    if game.over:
        game.undo()
        made -= 1
    action = next(game.legal_actions(game.pending[0].seat)[0].actions())
    game.apply(action)
    assert [move.edition for move in game.moves[made:]] == [title.edition]
    again = read(game.record(), kursbuch.title)
    assert again.state == game.state
    assert [move.edition for move in again.moves] == [move.edition for move in game.moves]


@pytest.mark.parametrize("path", FIRST, ids=[path.stem for path in FIRST])
def test_games_from_before_there_were_editions(path: Path) -> None:
    text = path.read_text("utf-8")
    game = kursbuch.load(text)
    assert game.over
    assert game.edition == 1
    assert {move.edition for move in game.moves} == {1}
    moves = [line for line in text.splitlines() if re.match(r"\d+\. |draw |result: ", line)]
    assert [line for line in game.record().splitlines() if line in set(moves)] == moves

    # From anywhere in it the game goes on by today's rules.
    for part in (1, 2, 3):
        number = len(game.moves) * part // 4
        again = kursbuch.load(text)
        again.rewind(number)
        for _ in range(20):
            if not again.over:
                seat = again.pending[0].seat
                again.apply(next(again.legal_actions(seat)[0].actions()))
        assert {move.edition for move in again.moves[number:]} == {again.title.edition}
        assert read(again.record(reveal=True), kursbuch.title).state == again.state
