"""`kursbuch import`: results, what is said, wrong input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import kursbuch
from kursbuch.cli import main
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.registry import Imported, OtherGame, Remark
from kursbuch.core.title import Title


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(variable, "C.UTF-8")


def reads_letters(
    title: Title[Any], data: bytes, *, partial: bool = False, progress: Any = None
) -> Imported:
    """An importer of files whose letters take railways; "?" cannot be read."""
    if not data.startswith(b"letters "):
        raise OtherGame("This is a game of {game}.", game="words")
    game = Game(title, ["Anna", "Bernd"], {}, seed="letters")
    stopped = None
    letters = data.removeprefix(b"letters ").decode().strip()
    done = 0
    for number, letter in enumerate(letters):
        if progress is not None:
            progress(number, len(letters))
        if letter == "?":
            stopped = KursbuchError("Action {number} cannot be read.", number=number)
            break
        choice = game.legal_actions(game.pending[0].seat)[0]
        game.apply(choice.action)
        done += 1
    if stopped is not None and not partial:
        raise stopped
    remarks = (Remark((0, 1), "Look at {actions} of {who}.", {"who": "Anna"}),)
    return Imported(game, len(letters), done, {}, frozenset(), remarks, stopped)


@pytest.fixture(autouse=True)
def importer(monkeypatch: pytest.MonkeyPatch) -> None:
    readers = {".letters": {"rocket": reads_letters}}
    monkeypatch.setattr("kursbuch.cli.records.importers", lambda: readers)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["import", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def letters(folder: Path, text: str) -> str:
    path = folder / "game.letters"
    path.write_text(text)
    return str(path)


def test_a_record_is_written_and_what_was_found_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game"
    code, out, _ = run(capsys, letters(tmp_path, "letters abc"), "-o", str(record))
    assert code == 0
    assert f"{record}: 3 of 3 actions as 3 moves of Stephenson's Rocket." in out
    assert "Look at 0, 1 of Anna." in out
    assert len(kursbuch.load(record.read_text("utf-8")).moves) == 3
    code, out, _ = run(capsys, letters(tmp_path, "letters abc"), "-o", str(record), "--json")
    found = json.loads(out)
    assert (found["title"], found["actions"], found["imported"]) == ("rocket", 3, 3)
    assert found["remarks"] == [{"actions": [0, 1], "text": "Look at 0, 1 of Anna."}]
    assert found["stopped"] is None


def test_the_record_can_go_to_standard_output(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["import", letters(tmp_path, "letters abc"), "-o", "-"]) == 0
    told = capfdbinary.readouterr()
    assert len(kursbuch.load(told.out.decode()).moves) == 3
    assert b"3 of 3 actions" in told.err


def test_up_to_what_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game"
    file = letters(tmp_path, "letters ab?c")
    code, _, err = run(capsys, file, "-o", str(record))
    assert (code, err) == (2, "Action 2 cannot be read.\n")
    assert not record.exists()
    code, out, _ = run(capsys, file, "-o", str(record), "--partial")
    assert code == 0
    assert "2 of 4 actions as 2 moves" in out
    assert "Action 2 cannot be read." in out
    code, out, _ = run(capsys, file, "-o", str(record), "--partial", "--json")
    assert json.loads(out)["stopped"] == {"error": "Action 2 cannot be read."}


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("game.letters", "words", "This is a game of words."),
        (
            "game.txt",
            "letters a",
            "Files ending in .txt cannot be imported; possible are: .letters",
        ),
        ("game", "letters a", "Files ending in - cannot be imported"),
    ],
)
def test_other_files(
    name: str, content: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_text(content)
    code, out, err = run(capsys, str(path), "-o", str(tmp_path / "out"))
    assert (code, out) == (2, "")
    assert err.startswith(sentence)
    assert err.count("\n") == 1


def test_wrong_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "/nowhere.letters", "-o", "x") == (
        2,
        "",
        "There is no file /nowhere.letters.\n",
    )
    assert "The option --output is missing." in run(capsys, letters(tmp_path, ""))[2]
    missing = str(tmp_path / "no" / "game")
    code, _, err = run(capsys, letters(tmp_path, "letters a"), "-o", missing)
    assert code == 2
    assert "cannot be written" in err
