"""`kursbuch play`: games typed in line by line, as a script or a person would."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

import kursbuch
from kursbuch.cli.common import Style
from kursbuch.cli.play import TerminalTable, seats
from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import Words
from tests.cli.test_commands import PNG, Runner, english, finished_game, run

__all__ = ["english", "run"]


def played(path: Path) -> list[str]:
    """The moves in a record."""
    return [
        line.partition(". ")[2]
        for line in path.read_text("utf-8").splitlines()
        if line[:1].isdigit()
    ]


def test_bots_play_alone(run: Runner) -> None:
    ran = run("play", "rocket", "--players", "bot:random,bot:random", "--seed", "1", "--json")
    assert ran.code == 0
    found = ran.json
    assert found["finished"]
    assert found["players"] == ["random-1", "random-2"]
    assert found["result"]["winners"]
    assert "is chosen at random to start" in ran.err


def test_a_person_plays_to_the_end(run: Runner) -> None:
    """The first entry of every menu is always possible."""
    ran = run("play", "rocket", "--players", "Anna,bot:random", "--seed", "2", typed="1\n" * 2000)
    assert ran.code == 0
    assert ran.err == ""
    assert "Result:" in ran.out
    assert "(winner)" in ran.out
    assert ran.out.count("Traceback") == 0


def test_two_people_at_one_keyboard(run: Runner, tmp_path: Path) -> None:
    record = tmp_path / "two.kb"
    typed = "takes London\nAnna takes Reading\ntakes Exeter\nextends gwr to k10\nquit\n"
    game = kursbuch.new("rocket", ["Anna", "Bernd"], "s2")
    first, second = (("Anna", "Bernd"), ("Bernd", "Anna"))[game.pending[0].seat]
    ran = run(
        *("play", "rocket", "--players", "Anna,Bernd", "--seed", "s2", "--record", str(record)),
        typed=typed.replace("Anna", first),
    )
    assert ran.code == 0
    assert played(record) == [
        f"{first} takes London",
        f"{first} takes Reading",
        f"{second} takes Exeter",
        f"{second} extends GWR to K10",
    ]
    assert f"The game is saved in {record}" in ran.out


def test_a_record_is_continued(run: Runner, tmp_path: Path) -> None:
    record = str(tmp_path / "game.kb")
    arguments = ("play", "rocket", "--record", record)
    run(*arguments, "--players", "Anna,bot:random", "--seed", "5", typed="takes London\n")
    before = len(played(Path(record)))
    assert before >= 1
    ran = run(*arguments, typed="1\n" * 2000)
    assert ran.code == 0
    assert "Result:" in ran.out
    assert len(played(Path(record))) > before
    assert run("replay", record).code == 0
    said = run.refused(*arguments, "--seed", "6")
    assert "its seed and its options cannot be changed" in said
    assert "its seed and its options cannot be changed" in run.refused(
        *arguments, "--option", "money=open"
    )
    over = run(*arguments)
    assert over.code == 0
    assert "Result:" in over.out


def test_a_record_of_something_else_is_refused(run: Runner, tmp_path: Path) -> None:
    record = tmp_path / "game.kb"
    record.write_text(finished_game().record(), "utf-8")
    said = run.refused("play", "rocket", "--players", "Anna,Clara", "--record", str(record))
    assert "is a game of Anna, Bernd, not of Anna, Clara" in said
    record.write_text("nonsense", "utf-8")
    assert "not a Kursbuch record" in run.refused("play", "rocket", "--record", str(record))
    game = kursbuch.new("rocket", ["Anna", "Bernd"], 1)
    record.write_text(game.record(), "utf-8")
    assert "does not contain the seed" in run.refused("play", "rocket", "--record", str(record))
    assert record.read_text("utf-8") == game.record()


def test_every_command_of_a_player(run: Runner, tmp_path: Path) -> None:
    saved, svg, png = tmp_path / "saved.kb", tmp_path / "b.svg", tmp_path / "b.png"
    typed = [
        "help",
        "takes London",
        "hint",
        f"board {svg}",
        f"board {png}",
        "log",
        "rules move-6",
        "rules rocket:turn-4",
        "rules veto round",
        "rules xylophone",
        f"save {saved}",
        "save",
        "undo",
        "undo",
        "",
        "99",
        "1",
        "99",
        "1",
        "",
        "2",
        "takes Paris",
        "extends GWR to A8",
        "agrees",
        "sings",
        "HELP",
        "quit",
    ]
    ran = run(
        *("play", "rocket", "--players", "Anna,Bernd", "--seed", "4"), typed="\n".join(typed) + "\n"
    )
    assert ran.code == 0
    out = ran.out
    assert out.count("choose from the list") == 2
    assert "ahead  (" in out or "behind  (" in out
    assert svg.read_text("utf-8").lstrip().startswith("<svg")
    assert png.read_bytes().startswith(PNG)
    assert "   1  " in out
    assert "rocket:move-6  " in out
    assert "rocket:turn-4  " in out
    assert "veto-2" in out
    assert "No rule of Stephenson's Rocket contains 'xylophone'." in out
    assert f"Saved in {saved}." in out
    assert "The name of the file is missing" in out
    assert "Back to before move 1." in out
    assert "There is no move to undo." in out
    assert out.count("There is no number 99") == 2
    assert "There is no metropolis Paris. (rule rocket:token-1)" in out
    assert "A8 is not next to the locomotive of GWR. (rule rocket:move-2)" in out
    assert "(rule rocket:turn-2)" in out
    assert "'sings' is not a move; moves are" in out
    assert "The game is not over." in out
    assert len(played(saved)) == 1


def test_undo_goes_back_over_bots(run: Runner, tmp_path: Path) -> None:
    record = tmp_path / "game.kb"
    seed = next(
        str(seed)
        for seed in range(20)
        if kursbuch.new("rocket", ["Anna", "random-2"], str(seed)).pending[0].seat == 0
    )
    run(
        *("play", "rocket", "--players", "Anna,bot:random", "--seed", seed),
        *("--record", str(record)),
        typed="takes London\ntakes Exeter\nundo\nquit\n",
    )
    assert played(record) == ["Anna takes London"]


def test_what_a_game_was_set_up_with_is_not_taken_back(run: Runner, tmp_path: Path) -> None:
    game = kursbuch.new("rocket", ["Anna", "Bernd"], 1)
    game.apply(game.parse("Correction: money 10 from bank to player 1"))
    record = tmp_path / "game.kb"
    record.write_text(game.record(reveal=True), "utf-8")
    ran = run("play", "rocket", "--record", str(record), typed="undo\nquit\n")
    assert "There is no move to undo." in ran.out + ran.err
    assert played(record) == ["Correction: money 10 from bank to player 1"]


def test_amounts_are_asked_for(run: Runner, capsys: pytest.CaptureFixture[str]) -> None:
    """In a veto round the menu asks for the number of shares."""
    import io
    import sys

    game = kursbuch.new("rocket", ["Anna", "Bernd"], 1)
    anna = game.pending[0].seat
    other = 1 - anna
    state = game.state
    state.ledger.move("share:GWR", "stock", str(other), 4)
    state.ledger.move("share:GWR", "stock", str(anna), 2)
    game.apply(game.parse(f"{game.names[anna]} extends GWR to K10"))
    game.apply(game.parse(f"{game.names[other]} objects"))
    table = TerminalTable(game, {}, Words("en", game.names), sys.stdout, None)
    monkeypatch = pytest.MonkeyPatch()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO("9\n\u00b2\n3\n"))
        for _ in range(2):
            with pytest.raises(kursbuch.KursbuchError, match="not a number from 1 to 4"):
                table.choose(other, 2)
        with pytest.raises(kursbuch.KursbuchError):
            table.answer(other, "\u00b2")
        table.choose(other, 2)
    assert "Shares you bid (1 to 4)?" in capsys.readouterr().out
    assert "bids 3 for" in game.format(game.moves[-1].action)


def test_german(run: Runner) -> None:
    ran = run("--language", "de", "play", "rocket", "--seed", "4", typed="help\nquit\n")
    assert ran.code == 0
    english = run("play", "rocket", "--seed", "4", typed="help\nquit\n")
    assert ran.out != english.out
    assert "First of two actions" not in ran.out


def test_usual_players() -> None:
    assert seats(None, Words("en")) == (["Player", "greedy-2"], {1: "greedy"})
    assert seats(" Anna , bot:mcts:300ms", Words("en")) == (
        ["Anna", "mcts:300ms-2"],
        {1: "mcts:300ms"},
    )


def test_only_whoever_plays_alone_is_told_secrets(run: Runner) -> None:
    alone = run("play", "nimm", "--players", "Anna,bot:random", "--seed", "1", typed="quit\n").out
    assert "Type `board` for a picture" in alone
    assert "Anna receives the target tiles: " in alone
    together = run("play", "nimm", "--players", "Anna,Bernd", "--seed", "1", typed="quit\n").out
    assert "target tiles:" not in together


def test_bids_go_in_steps(run: Runner) -> None:
    """What is asked, and what is refused, names the steps."""
    typed = "bids 401\n" + "1\n401\n" * 3 + "quit\n"
    for seed in range(40):
        game = kursbuch.new("nimm", ["Anna", "Bernd"], str(seed))
        if game.pending[0].step == "sealed-bids" or game.state.auction == "open":
            break
    ran = run("play", "nimm", "--players", "Anna,Bernd", "--seed", str(seed), typed=typed)
    assert "in steps of 50)?" in ran.out
    assert "'401' is not possible: from" in ran.out


def test_what_is_needed_to_decide_is_shown_as_text(run: Runner, tmp_path: Path) -> None:
    file = str(tmp_path / "board.svg")
    ran = run("play", "1835", "--players", "A,B,C", "--seed", "1", typed=f"board {file}\nquit\n")
    assert "stock round 1 · phase 1" in ran.out
    # The tables of shares stand in straight columns; no escape sequences in what is no terminal.
    assert "\x1b" not in ran.out
    dice = run(
        "play", "dice", "--players", "A,B", "--seed", "1", typed="roll with 1 question mark\n1\n1\n"
    )
    assert "Dice in front" in dice.out


class Terminal(StringIO):
    """Standard output as if it were a terminal."""

    def isatty(self) -> bool:
        return True


def test_terminals_have_bold_text_unless_asked_not_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert Style(Terminal()).strong("now") == "\x1b[1mnow\x1b[0m"
    assert Style(StringIO()).strong("now") == "now"
    monkeypatch.setenv("NO_COLOR", "1")
    assert Style(Terminal()).strong("now") == "now"


def test_the_map_of_an_18xx_is_told_hex_by_hex() -> None:
    game = kursbuch.load(kursbuch.title("1835").specimen)
    voice = game.title.voice(Words("en", game.names))
    (told,) = voice.board_text(game.state)
    berlin = next(row for row in told.rows if row.label == "Berlin (E19)")
    assert berlin.value.startswith("tile ")
    assert "tokens: " in berlin.note


STARTED = "import sys; from kursbuch.cli import main; sys.exit(main())"


def started(*arguments: str, given: str | None) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, with this on standard input, or with none."""
    closed = {"preexec_fn": lambda: os.close(0)} if given is None else {"input": given}
    command = [sys.executable, "-c", STARTED, *arguments]
    return subprocess.run(command, capture_output=True, text=True, **closed)


def test_a_record_that_cannot_be_written_any_more_is_not_called_saved(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    game = kursbuch.new("rocket", ["Anna", "Bernd"], seed=7)
    table = TerminalTable(game, {}, Words(), StringIO(), str(folder / "game.txt"))
    shutil.rmtree(folder)
    with pytest.raises(KursbuchError, match="cannot be written"):
        table.move(table.game.parse("Anna takes Reading"))
    assert not table.game.moves


def test_a_file_that_is_replaced_keeps_who_may_read_it(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    arguments = ("play", "rocket", "--players", "Anna,Bernd", "--record", str(record))
    for _ in range(2):
        assert started(*arguments, given="takes Reading\nquit\n").returncode == 0
        record.chmod(0o600)
    started(*arguments, given="takes Leeds\nquit\n")
    assert record.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("arguments", [["play", "rocket"], ["mail", "receive"]])
def test_without_standard_input_nothing_is_read(arguments: list[str]) -> None:
    ran = started(*arguments, given=None)
    assert "Traceback" not in ran.stderr
    assert len(ran.stderr.splitlines()) <= 1
