"""`kursbuch check`: a title that keeps its promises, and small ones that break one each."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

import pytest

from kursbuch.cli import main
from kursbuch.cli.check import CLOSELY, Report, check_game, find_title
from kursbuch.core.actions import Action
from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.events import Event
from kursbuch.core.game import Game
from kursbuch.core.play import Play
from kursbuch.core.state import Decision
from kursbuch.core.words import Words
from kursbuch.games.g18xx.actions import SellShares
from kursbuch.games.g18xx.components import PLAYERS
from kursbuch.games.g18xx.text.voice import Texts
from tests.games.g18xx.conftest import shuttle as shuttle


class Silent(Texts[Any, Any]):
    def prompt(self, state: Any, decision: Decision) -> str:
        return ""


class Unfilled(Texts[Any, Any]):
    def describe(self, event: Event) -> str:
        return "{name} has done something."


def broken(shuttle: ModuleType, **methods: Any) -> Any:
    """Shuttle with other methods."""
    return type("Broken", (shuttle.Shuttle,), methods)()


def voiced(kind: type[Texts[Any, Any]]) -> Callable[[Any, Words], Texts[Any, Any]]:
    return lambda self, words: kind(self.ruleset, words)


def guess_too_much(self: Any, view: Any, seat: int | None, rng: random.Random) -> Any:
    view.ledger.move("money", "bank", PLAYERS[0], rng.randint(1, 50))
    return view


def wrong_parse(self: Any, text: str, seat: int, state: Any) -> Action:
    return SellShares(seat, "N", ("10",))


def lavish(self: Any, play: Play[Any]) -> None:
    play.state.ledger.items["money"]["bank"] += 1


def other_index(self: Any) -> Any:
    return find_title("rocket").rules


BROKEN: dict[str, tuple[Mapping[str, Any], str]] = {
    "names": (
        {"rules": property(other_index)},
        "The rule index is for 'rocket', not for shuttle.",
    ),
    "data": (
        {"setup": lambda self, seats, options: 1 // 0},
        "ZeroDivisionError: integer division or modulo by zero",
    ),
    "games": ({"after_step": lavish}, "there is more or less of something than before."),
    "notation": (
        {"parse": wrong_parse},
        "is read as a different action from the one it was written for.",
    ),
    "voice": ({"voice": voiced(Silent)}, "In the language de a prompt reads ''."),
    "drawing": ({"draw": lambda self, state, words, marks=(): "<svg><g></svg>"}, "mismatched tag"),
    "views": ({"determinize": guess_too_much}, "looks different to that seat."),
    "corrections": (
        {"corrected": lavish},
        "there is more or less of something than before.",
    ),
}


@pytest.mark.parametrize("check", BROKEN)
def test_every_check_finds_what_it_is_for(shuttle: ModuleType, check: str) -> None:
    methods, sentence = BROKEN[check]
    problems = Report(broken(shuttle, **methods), 1, Words("en")).problems
    assert sentence in problems[check]


def test_a_log_line_with_a_parameter_left_is_found(shuttle: ModuleType) -> None:
    problems = Report(broken(shuttle, voice=voiced(Unfilled)), 1, Words("en")).problems
    assert "In the language de a log line reads '{name} has done something.'" in problems["games"]


def test_a_refusal_of_what_is_offered_is_found(shuttle: ModuleType) -> None:
    made = broken(shuttle)

    def refuse(self: Any, state: Any, step: Any, action: Action) -> IllegalAction:
        return IllegalAction("pass", "Not now.")

    kind = next(kind for kind in made.steps if kind.__name__ == "StockTurn")
    made.steps = {
        **made.steps,
        kind: type("Refusing", (type(made.steps[kind]),), {"problem": refuse})(made.ruleset),
    }
    with pytest.raises(KursbuchError, match=r"An offered action is refused: .*Not now"):
        check_game(made, 2, 1)


def test_positions_are_looked_at_by_every_check(shuttle: ModuleType) -> None:
    rng = random.Random(1)

    def look(game: Game) -> None:
        if len(game.moves) % 15 == 0:
            assert all(check(game, rng) for check in CLOSELY.values())

    assert check_game(shuttle.TITLE, 3, 2, look).over


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["--language", "en", *arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def lines(out: str) -> Sequence[Sequence[str]]:
    return [line.split() for line in out.splitlines()]


def test_a_title_outside_the_tree_is_checked(
    shuttle: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, "check", "shuttle:TITLE")
    assert (code, out.splitlines()[-1]) == (0, "All checks passed.")
    assert [row[:2] for row in lines(out)[:-1]] == [
        ["ok", name]
        for name in (
            "names",
            "data",
            "drawing",
            "games",
            "notation",
            "voice",
            "views",
            "corrections",
        )
    ]


def test_a_broken_title_fails_with_its_places(
    shuttle: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shuttle, "TITLE", broken(shuttle, voice=voiced(Silent)))
    code, out, _ = run(capsys, "check", "shuttle:TITLE")
    assert code == 1
    assert "In the language de a prompt reads ''. (2 players, seed 1, move 0)" in out
    assert out.splitlines()[-1] == "These checks failed: voice."
    code, out, _ = run(capsys, "check", "shuttle:TITLE", "--json")
    found = json.loads(out)
    assert (code, found["ok"]) == (1, False)
    assert [each["name"] for each in found["checks"] if each["problem"]] == ["voice"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nosuchgame", "There is no title nosuchgame"),
        ("nosuch.package:TITLE", "The title 'nosuch.package:TITLE' cannot be imported: "),
        ("json:dumps", "'json:dumps' is not a title."),
    ],
)
def test_what_is_no_title_is_said_in_a_sentence(
    name: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = run(capsys, "check", name)
    assert code == 2
    assert sentence in err
