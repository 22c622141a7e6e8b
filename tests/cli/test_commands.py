"""The commands: results, JSON shapes, exit codes, one sentence for whatever is wrong."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import click
import pytest

import kursbuch
from kursbuch.bots import RandomBot, make
from kursbuch.cli import main
from kursbuch.cli.commands import COMMANDS, cli
from kursbuch.cli.common import write_file
from kursbuch.core.actions import Action
from kursbuch.core.errors import NotNow
from kursbuch.core.game import Game, View
from kursbuch.web.db.database import failure
from tests.bot_games import played_out
from tests.reviews import shallow

RUN = Path(__file__).parents[2] / "run.py"

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(variable, "C.UTF-8")


class Ran:
    """What a command did."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        assert self.out.count("\n") == 1, self.err or self.out
        return json.loads(self.out)


class Runner:
    """Runs commands in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys, self.monkeypatch = capsys, monkeypatch

    def __call__(self, *arguments: str, typed: str = "") -> Ran:
        self.monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        self.capsys.readouterr()
        code = main(arguments)
        captured = self.capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    def refused(self, *arguments: str, code: int = 2) -> str:
        """The sentence of a command that must be refused."""
        ran = self(*arguments)
        assert ran.code == code
        assert "Traceback" not in ran.err
        assert ran.err.count("\n") == 1, ran.err
        return ran.err.strip()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    return Runner(capsys, monkeypatch)


def finished_game(seed: int = 3) -> Game:
    game = kursbuch.new("rocket", ["Anna", "Bernd"], seed)
    bot = make("random", seed)
    while not game.over:
        game.apply(bot.choose(game.view(game.pending[0].seat)))
    return game


@pytest.fixture(scope="module")
def game() -> Game:
    return finished_game()


@pytest.fixture
def record(game: Game, tmp_path: Path) -> Path:
    path = tmp_path / "game.kb"
    path.write_text(game.record(), encoding="utf-8")
    return path


# ---- titles


def test_titles(run: Runner) -> None:
    ran = run("titles")
    assert ran.code == 0
    assert "rocket    Stephenson's Rocket, 2 to 4 players, about 90 minutes" in ran.out
    rocket = next(each for each in run("titles", "--json").json["titles"] if each["id"] == "rocket")
    assert rocket["players"] == [2, 4]
    assert rocket["options"]["money"] == ["open", "hidden"]


def test_language(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    english, german = run("rules", "rocket", "turn-4").out, ""
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    german = run("rules", "rocket", "turn-4").out
    assert german != english
    assert run("--language", "en", "rules", "rocket", "turn-4").out == english
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert run("rules", "rocket", "turn-4").out == english
    assert run("rules", "rocket", "turn-4", "--language", "de").out == german


# ---- wrong input


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["dance"], "dance"),
        (["--dance"], "There is no option --dance. See kursbuch --help."),
        (["titles", "--dance"], "There is no option --dance. See kursbuch titles --help."),
        (["titles", "more"], "Unexpected arguments: "),
        (["--language", "fr", "titles"], "Invalid value for --language"),
        (["match"], "TITLE is missing. See kursbuch match --help."),
        (["match", "1899"], "There is no title 1899. Installed: "),
        (["match", "rocket", "--players", "7"], "2 to 4 players, not for 7"),
        (["match", "rocket", "--players", "x"], "--players"),
        (["match", "rocket", "--games", "0"], "--games"),
        (["match", "rocket", "--on", "ray://head"], "ray or ray://HOST:PORT, not on ray://head."),
        (["match", "rocket", "--results", ""], "The option --results needs a value."),
        (["dataset", "rocket", "-o", ""], "The option --output needs a value."),
        (["routes", "1853", "-o", ""], "The option --output needs a value."),
        (["render", "game.txt", "-o", ""], "The option --output needs a value."),
        (["import", "game.rails", "-o", ""], "The option --output needs a value."),
        (["set-up", "rocket", "-o", ""], "The option --output needs a value."),
        (["match", "rocket", "--bots", "chess"], "There is no bot 'chess'. Available:"),
        (["match", "rocket", "--bots", "random,,greedy"], "There is no bot ''"),
        (["match", "rocket", "--results", "/"], "/ cannot be used: "),
        (["match", "rocket", "--until", "nan"], "It must be a number from 0.1 to 50."),
        (["dataset", "rocket", "-o", "-"], "A data set needs a file of its own"),
        (["import", "game.rails", "-o", "-", "--json"], "With --json, -o needs a file"),
        (["match", "rocket", "--option", "money"], "NAME=VALUE"),
        (["match", "rocket", "--seed", "\udcff"], "A seed has 1 to 200 printable characters"),
        (["match", "rocket", "--seed", "x" * 199], "A seed has 1 to 200 printable characters"),
        (["match", "rocket", "--option", "money=gone"], "The option money cannot be gone"),
        (["match", "rocket", "--option", "luck=on"], "has no option luck"),
        (["match", "rocket", "--data", "/nowhere"], "There is no file /nowhere."),
        (["replay"], "FILE is missing"),
        (["replay", "/nowhere"], "There is no file /nowhere."),
        (["replay", "/"], "/ is a directory, not a file."),
        (["replay", "a\0b"], "cannot be read"),
        (["render", "/nowhere", "-o", "x.svg"], "There is no file /nowhere."),
        (["render", "/nowhere"], "The option --output is missing."),
        (["render", "/nowhere", "-o", "board.pdf"], "ending in .svg or .png"),
        (["rules", "rocket", "turn-44"], "has no rule turn-44; did you mean turn-4?"),
        (["rules", "rocket", "nimm:turn-4"], "is a rule of nimm, not of rocket"),
        (["rules", "rocket", "--search", "xylophone"], "No rule of Stephenson's Rocket contains"),
        (["rules", "rocket", "a", "b"], "Unexpected arguments: "),
        (["play", "rocket", "--players", "Anna"], "2 to 4 players, not for 1"),
        (["play", "rocket", "--players", "Anna,Anna"], "Two players cannot both be called Anna"),
        (["play", "rocket", "--players", "Anna,bot:chess"], "There is no bot 'chess'"),
        (["play", "chess"], "There is no title chess"),
        (["serve", "--port", "0"], "--port"),
        (["serve", "--port", "70000"], "--port"),
        (["serve", "--host", "no such host"], "There is no host 'no such host'."),
    ],
)
def test_wrong_input_is_one_sentence(run: Runner, arguments: list[str], sentence: str) -> None:
    said = run.refused(*arguments)
    assert sentence in said
    assert said.endswith(".") or said.endswith("?")


def test_wrong_input_in_german(run: Runner) -> None:
    german = run.refused("--language", "de", "replay", "/nowhere")
    assert german != "There is no file /nowhere."
    assert "/nowhere" in german


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["shunt"], "Es gibt keinen Befehl shunt."),
        (["titles", "x", "y"], "Damit kann der Befehl nichts anfangen: x y."),
        (["replay", "x", "--move"], "Die Option --move braucht einen Wert."),
        (["replay", "x", "--move", "-3"], "Es muss eine ganze Zahl sein, mindestens 0."),
        (["match", "rocket", "--games", "x"], "Es muss eine ganze Zahl von 1 bis 1000000 sein."),
        (["titles", "--language", "fr"], "Möglich sind: de, en."),
    ],
)
def test_a_wrong_command_line_in_german(run: Runner, arguments: list[str], sentence: str) -> None:
    assert sentence in run.refused("--language", "de", *arguments)


def test_nothing_but_text_reaches_the_terminal(run: Runner, tmp_path: Path) -> None:
    assert run.refused("replay", "a\nb\x1b[31m") == "There is no file a?b?[31m."
    record = tmp_path / "game.txt"
    text = finished_game().record()
    record.write_text(text.replace("\n2. ", "\n2. \x1b[31m"), encoding="utf-8")
    assert "2. " in text
    said = run.refused("replay", str(record))
    assert said.startswith("Move 2 (?[31m")


@pytest.mark.skipif(os.name == "nt", reason="names of files are text there")
def test_the_name_of_a_file_need_not_be_text(run: Runner) -> None:
    ran = run("replay", "\udcff", "--json")
    assert ran.code == 2
    assert ran.json == {"error": "There is no file \\udcff."}


@pytest.mark.parametrize("arguments", [["rules", "nimm"], ["rules", "nimm", "--json"]])
def test_a_terminal_may_know_few_letters(arguments: list[str]) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "kursbuch.cli", "--language", "de", *arguments]
    done = subprocess.run(command, capture_output=True, env=environment, check=True)
    assert done.stderr == b""
    # Programs get all letters.
    assert ("ü".encode() in done.stdout) == ("--json" in arguments)


def test_an_error_as_json(run: Runner) -> None:
    ran = run("replay", "/nowhere", "--json")
    assert ran.code == 2
    assert ran.json == {"error": "There is no file /nowhere."}


def test_binary_and_unreadable_files(run: Runner, tmp_path: Path) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(PNG + bytes(range(256)))
    assert "is not a text file" in run.refused("replay", str(binary))
    binary.write_bytes(b"Kursbuch record 1\n\0\n")
    assert "is not a text file" in run.refused("replay", str(binary))
    binary.write_bytes(b"")
    assert "this is not a Kursbuch record" in run.refused("replay", str(binary))
    assert "component data cannot be read" in run.refused("play", "rocket", "--data", str(binary))


def test_help(run: Runner) -> None:
    ran = run("--help")
    assert ran.code == 0
    for name in ("titles", "play", "serve", "match", "replay", "render", "import", "rules"):
        assert f"  {name} " in ran.out
        ran_ = run(name, "--help")
        assert ran_.code == 0
        assert "--json" in ran_.out
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*\n", run("--version").out)
    assert run().code == 2


# ---- match


def test_a_match_gives_one_object(run: Runner) -> None:
    arguments = ("match", "rocket", "--bots", "greedy,random", "--games", "3", "--json")
    found = run(*arguments, "--option", "money=hidden", "--jobs", "2").json
    assert found["options"]["money"] == "hidden"
    assert (found["title"], found["players"], found["bots"]) == ("rocket", 2, ["greedy", "random"])
    assert (found["games"], found["blocks"], found["errors"]) == (4, 2, 0)
    greedy = found["by_bot"]["greedy"]
    assert greedy["wins"]["value"] >= 0.75
    assert greedy["margin"]["value"] > 0
    assert len(found["by_seat"]) == 2


def test_a_match_prints_a_table_and_can_be_gone_on_with(run: Runner, tmp_path: Path) -> None:
    kept = str(tmp_path / "games.sqlite")
    arguments = ("match", "rocket", "--jobs", "1", "--results", kept)
    first = run(*arguments, "--games", "2", "--players", "3")
    assert first.out.startswith("Stephenson's Rocket: games 2, seeds 2, errors 0, moves ")
    bots, seats = first.out.split("\n\n")
    assert "random" in bots
    # Who plays against no one else wins all there is.
    assert "wins in %" not in bots
    assert "wins in %" in seats
    assert ": games 3, " in run(*arguments, "--games", "3", "--players", "3").out
    said = run.refused(*arguments, "--games", "2", "--players", "2")
    assert "holds the games of another match: players 3, bots" in said
    assert "players 3" in said
    (tmp_path / "text").write_text("no database, but long enough to be taken for one" * 9)
    assert "text cannot be used" in run.refused("match", "rocket", "--results", f"{tmp_path}/text")


def test_more_games_than_asked_for_are_announced(run: Runner, tmp_path: Path) -> None:
    bots = ("--players", "2", "--bots", "random,careless:99,careless:98")
    arguments = ("match", "rocket", *bots, "--jobs", "1", "--results", str(tmp_path / "games"))
    said = "All groups and seat orders make 6 games per seed.\n"
    assert run(*arguments, "--games", "5").err == said
    assert run(*arguments, "--games", "6").err == ""


def test_a_game_without_end_counts_as_it_stands(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kursbuch.bots.match.MOST_MOVES", 30)
    found = run("match", "rocket", "--games", "2", "--jobs", "1", "--json").json
    assert (found["games"], found["moves"], found["errors"]) == (2, 60, 0)


def test_an_error_in_a_game_is_reported(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    left = 500
    choose = RandomBot.choose

    def tired(bot: RandomBot, view: View) -> Action:
        nonlocal left
        left -= 1
        assert left > 0, "too tired"
        return choose(bot, view)

    monkeypatch.setattr(RandomBot, "choose", tired)
    arguments = ("match", "rocket", "--games", "20", "--jobs", "1")
    ran = run(*arguments, "--json")
    assert ran.code == 1
    assert 0 < ran.json["errors"] < 20
    assert ran.json["games"] == 20 - ran.json["errors"]
    assert "AssertionError: too tired" in ran.json["first_error"]
    assert "too tired" in run.refused(*arguments)


# ---- review


def test_a_review_says_what_turned_the_game(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shallow(monkeypatch)
    game = kursbuch.new("nimm", ["Anna", "Bernd"], 3)
    bots = [make("random", 1), make("greedy", 1)]
    played_out(game, bots)
    path, again = tmp_path / "game.txt", tmp_path / "again.txt"
    for file in (path, again):
        file.write_text(game.record(), encoding="utf-8")
    ran = run("review", str(path), str(again), "--depth", "quick", "--jobs", "2")
    assert ran.code == 0
    empty, single, same = re.split(r"\n?== .*\n", ran.out)
    assert not empty
    assert single == same
    assert "Anna: accuracy " in single
    assert "Chances to win in percent" in single
    assert "Found: " in single
    assert "Better: " in single
    again.write_text(game.branch(12).record(), encoding="utf-8")
    broken_off = run("review", str(again), "--depth", "quick", "--jobs", "1")
    assert broken_off.code == 0
    assert "When it stopped" in broken_off.out
    assert re.search(
        "Anna: about .* expected at the end, chance of winning [0-9]+ %", broken_off.out
    )
    again.write_text(game.branch(0).record(), encoding="utf-8")
    assert f"{again}: There is nothing in this game to review" in run.refused("review", str(again))
    again.write_text("nothing", encoding="utf-8")
    assert f"{again}: Line 1 is not" in run.refused("review", str(path), str(again))


# ---- replay


def test_replay(run: Runner, record: Path, game: Game) -> None:
    ran = run("replay", str(record))
    assert ran.code == 0
    assert f"{len(game.moves)} moves, all by the rules" in ran.out
    assert "(winner)" in ran.out
    found = run("replay", str(record), "--json").json
    assert found["ok"]
    assert found["over"]
    assert found["seed_verified"]
    assert found["result"]["scores"] == list(game.result.scores if game.result else ())


def test_replay_to_a_move(run: Runner, record: Path) -> None:
    ran = run("replay", str(record), "--move", "10", "--log")
    assert "After move 10:" in ran.out
    assert "is chosen at random to start" in ran.out
    assert "\n  11  " not in ran.out
    found = run("replay", str(record), "--move", "10", "--log", "--json").json
    assert found["move"] == 10
    assert len(found["log"]) >= 11
    assert "There is no move number 5000" in run.refused("replay", str(record), "--move", "5000")


def test_a_changed_move_is_refused_with_its_rule(run: Runner, record: Path) -> None:
    lines = record.read_text("utf-8").splitlines()
    number, line = next(
        (index, line) for index, line in enumerate(lines, 1) if re.match(r"\d+\. .* builds ", line)
    )
    move = line.partition(".")[0]
    lines[number - 1] = re.sub(r"builds \w+", "builds B17", line)
    record.write_text("\n".join(lines) + "\n", "utf-8")
    said = run.refused("replay", str(record))
    assert f"Move {move} " in said
    assert f"Line {number}:" in said
    assert "rocket:station-2" in said
    ran = run("replay", str(record), "--json")
    assert ran.code == 2
    assert ran.json["ok"] is False
    assert ran.json["move"] == int(move)
    assert ran.json["line"] == number
    assert ran.json["rule"] == "rocket:station-2"


def test_no_move_is_refused_for_what_is_missing_after_it(run: Runner, record: Path) -> None:
    text = record.read_text("utf-8")
    record.write_text(text[: text.index("result: ")], "utf-8")
    said = run.refused("replay", str(record))
    assert said == "The game is over, but the record has no result."


def test_what_a_record_proves(run: Runner, record: Path, game: Game) -> None:
    text, number = record.read_text("utf-8"), len(game.moves)
    ran = run("replay", str(record), "--verify")
    assert ran.code == 0
    assert "Consistent, not proven:\n  An altered record can be given a new chain" in ran.out
    ran = run("replay", str(record), "--verify", "--head", str(game.head()))
    assert ran.code == 0
    assert "Proven: this is the game" in ran.out
    found = run("replay", str(record), "--head", str(game.head(10))[:16], "--json").json
    assert (found["verdict"], found["proven_moves"]) == ("consistent", 10)
    assert found["open_points"] == [
        f"The hash that was noted proves the game up to move 10 of {number}."
    ]
    assert "verdict" not in run("replay", str(record), "--json").json
    assert "16 to 64 digits" in run.refused("replay", str(record), "--verify", "--head", "9f6e")

    # A name everywhere: the record can be read. On one line: it cannot.
    record.write_text(text.replace("Bernd", "Berta"), "utf-8")
    sentence = 'The line "seat 2" was changed, added or left out.'
    ran = run("replay", str(record), "--verify")
    assert ran.code == 2
    assert f"Changed:\n  {sentence}\n" in ran.out
    found = run("replay", str(record), "--verify", "--json").json
    assert (found["ok"], found["verdict"], found["changed"]) == (False, "changed", [sentence])
    assert run("replay", str(record)).code == 0
    record.write_text(text.replace("seat 2: Bernd", "seat 2: Berta"), "utf-8")
    ran = run("replay", str(record), "--verify")
    assert ran.code == 2
    assert ran.out == f"Changed:\n  {sentence}\n"
    assert "does not begin with the name of a player" in ran.err
    assert run("replay", str(record), "--verify", "--json").json["changed"] == [sentence]
    german = run("--language", "de", "replay", str(record), "--verify").out
    assert german.startswith("Geändert:\n  Die Zeile „seat 2“ wurde geändert")


# ---- render


def test_render(run: Runner, record: Path, tmp_path: Path) -> None:
    svg, png = tmp_path / "board.svg", tmp_path / "board.png"
    ran = run("render", str(record), "--move", "20", "-o", str(svg))
    assert ran.code == 0
    assert svg.read_text("utf-8").lstrip().startswith("<svg")
    found = run("render", str(record), "-o", str(png), "--width", "300", "--json").json
    content = png.read_bytes()
    assert content.startswith(PNG)
    assert int.from_bytes(content[16:20], "big") == 300
    assert found["format"] == "png"
    assert found["bytes"] == len(content)
    run("render", str(record), "-o", str(svg), "--width", "640")
    assert re.match(r'\s*<svg width="640"', svg.read_text("utf-8"))
    assert run("render", str(record), "-o", "-").out.lstrip().startswith("<svg")


def test_render_refuses(run: Runner, record: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "x.svg")
    assert "no move number 5000" in run.refused("render", str(record), "--move", "5000", "-o", out)
    missing = str(tmp_path / "no" / "x.svg")
    assert "cannot be written" in run.refused("render", str(record), "-o", missing)
    assert not Path(out).exists()
    folder = tmp_path / "folder.svg"
    folder.mkdir()
    assert "is a directory" in run.refused("render", str(record), "-o", str(folder))


# ---- rules


def test_rules(run: Runner) -> None:
    everything = run("rules", "rocket")
    assert everything.code == 0
    for rule in kursbuch.title("rocket").rules:
        assert f"\n{rule.id}  " in everything.out
    one = run("rules", "rocket", "rocket:setup-1").out
    assert one.startswith("rocket:setup-1  ")
    assert "How it is played here" in one
    for cited in (["rule rocket:setup-1"], ["Regel", "rocket:setup-1"], ["(rocket:setup-1)"]):
        assert run("rules", *cited).out == one
    found = run("rules", "rocket", "goal-1", "--json").json
    assert [rule["id"] for rule in found["rules"]] == ["goal-1"]
    assert found["rules"][0]["ruling"]
    assert run("rules", "rocket", "--json").json["title"] == "rocket"
    searched = run("rules", "rocket", "--search", "veto round").out
    assert "veto-2" in searched
    assert "goal-1" not in searched


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_rule_can_be_shown(run: Runner, language: str) -> None:
    for rule in kursbuch.title("rocket").rules:
        ran = run("rules", "rocket", rule.id, "--language", language)
        assert ran.code == 0
        assert max(map(len, ran.out.splitlines())) < 160


# ---- serve


def test_serve_starts_the_web_table(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    from kursbuch import web

    given: dict[str, object] = {}
    monkeypatch.setattr(web, "serve", lambda **arguments: given.update(arguments))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    ran = run(
        "serve",
        "--port",
        str(port),
        "--database",
        "x.db",
        "--workers",
        "2",
        "--tables",
        "5",
        "--json",
    )
    assert ran.code == 0
    assert ran.json == {"url": f"http://127.0.0.1:{port}/"}
    assert given == {
        "host": "127.0.0.1",
        "port": port,
        "database": "x.db",
        "redis": None,
        "workers": 2,
        "tables": 5,
        "accounts": None,
        "open_browser": False,
        "metrics": None,
        "log": "text",
    }


def test_the_folder_of_static_files_is_printed(run: Runner) -> None:
    folder = Path(run("static-folder").out.strip())
    assert (folder / "manifest.webmanifest").is_file()
    assert run("static-folder", "--json").json == {"folder": str(folder)}


def test_who_starts_with_run_py_may_keep_the_browser_shut(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kursbuch import web
    from kursbuch.cli import server

    opened: list[object] = []
    monkeypatch.setattr(web, "serve", lambda **given: opened.append(given["open_browser"]))
    monkeypatch.setattr(server, "check_free", lambda host, port: None)
    # run.py asks for the browser before it hands on what was typed.
    for options in ((), ("--no-open",)):
        assert run("serve", "--open", *options).code == 0
    assert opened == [True, False]
    shown = subprocess.run(
        [sys.executable, str(RUN), "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert "--port 8080 --no-open" in shown


def test_serve_needs_a_free_port(run: Runner) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        said = run.refused("serve", "--port", port, code=75)
        assert f"Port {port} of 127.0.0.1 is in use" in said


def test_only_what_may_pass_is_worth_another_try(run: Runner, tmp_path: Path) -> None:
    """The unit of systemd starts a server again, but not if it said that its settings are wrong."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    away = ["--database", "postgresql://nobody@127.0.0.1:1/none"]
    assert "cannot be used" in run.refused("serve", "--port", port, *away, code=75)
    away = ["--database", str(tmp_path / "a.sqlite3"), "--redis", "redis://127.0.0.1:1/0"]
    assert "Redis does not answer" in run.refused("serve", "--port", port, *away, code=75)
    for reason, code in ((errno.EACCES, 2), (errno.EROFS, 2), (errno.ECONNREFUSED, 75)):
        kind = type(failure("tables.sqlite3", OSError(reason, "no")))
        assert (kind is NotNow) == (code == 75)
    unit = (RUN.parent / "deploy" / "systemd" / "kursbuch.service").read_text("utf-8")
    assert "\nRestart=always\n" in unit
    assert "\nRestartPreventExitStatus=2\n" in unit


# ---- as a program


def program(*arguments: str, **given: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "kursbuch.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUTF8": "1"},
        **given,
    )


def test_a_broken_pipe_is_quiet() -> None:
    with program("rules", "rocket") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait(20)
    assert process.returncode in (0, 141)


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
@pytest.mark.parametrize("ending", ["", " --json"])
def test_a_closed_output_is_quiet(ending: str) -> None:
    command = f"{sys.executable} -m kursbuch.cli titles{ending} >&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def _has_workers(pid: int) -> bool:
    """Whether a process has started two others, and listens to interrupts again."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    blocked = re.search(r"SigBlk:\s*(\w+)", Path(f"/proc/{pid}/status").read_text())
    assert blocked is not None
    return len(children) >= 2 and not int(blocked[1], 16) >> (signal.SIGINT - 1) & 1


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes as Linux shows them")
def test_an_interrupt_is_quiet() -> None:
    # Whatever runs in the background of a shell ignores interrupts, and so does what it starts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        started = program("match", "rocket", "--games", "100000", "--jobs", "2")
    finally:
        signal.signal(signal.SIGINT, before)
    with started as process:
        patience = time.monotonic() + 60
        while not _has_workers(process.pid) and time.monotonic() < patience:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 130
    assert (out, err.strip()) == (b"", b"")


#: Anyone who is impatient interrupts the program in the middle of loading.
IMPATIENT = """
import sys
class Impatient:
    def find_spec(self, name, *rest):
        if name == "kursbuch.cli.titles":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Impatient())
from kursbuch.cli import main
sys.exit(main(["titles"]))
"""


def test_an_interrupt_while_the_program_is_loading_is_quiet() -> None:
    command = [sys.executable, "-c", IMPATIENT]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, b"", b"")


# ---- where the points come from


@pytest.mark.parametrize("title", sorted(kursbuch.titles()))
def test_replay_says_where_the_points_come_from(run: Runner, title: str) -> None:
    record = str(Path(__file__).parents[1] / "browser" / "games" / f"{title}.txt")
    found = run("replay", record, "--json").json
    for seat, score in enumerate(found["result"]["scores"]):
        assert sum(source["amounts"][seat] for source in found["sources"]) == score
    assert found["ended"]["rule"].startswith(f"{title}:")
    lines = run("replay", record).out.splitlines()
    assert lines[-1] == f"{found['ended']['text']} ({found['ended']['rule']})"
    winner = next(number for number, line in enumerate(lines) if line.endswith("(winner)"))
    assert f"{found['sources'][0]['label']}: " in lines[winner + 1]


def test_a_link_is_written_through_and_a_pipe_stays_one(tmp_path: Path) -> None:
    real, link, pipe = (tmp_path / name for name in ("real.txt", "link.txt", "pipe"))
    real.write_text("old")
    link.symlink_to(real)
    write_file(str(link), b"new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    read: list[bytes] = []
    reader.start()
    write_file(str(pipe), b"through")
    reader.join(30)
    assert read == [b"through"]
    assert pipe.is_fifo()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_has_the_first_sentence_of_each(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.name == name
    assert " ".join((command.help or "").split()).startswith(COMMANDS[name].help)


def test_help_imports_no_command() -> None:
    program = (
        "import sys; from kursbuch.cli import main; main(['--help']);"
        "print(sorted({'rich', 'litestar', 'sqlalchemy', 'kursbuch.bots'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("[]\n"), done.stdout
