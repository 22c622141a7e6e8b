"""Matches of current bots against those of earlier commits, as in `kursbuch match`.

    python -m benchmarks.versus 1835 --games 100 --bots greedy,greedy@63ef0f3,greedy@63ef0f3,greedy@63ef0f3

A bot with `@COMMIT` runs the code of that commit in a child process, which keeps its own game and receives moves in
notation. Rules and notation must be compatible. Thinking time is not measured.
"""

from __future__ import annotations

import configparser
import io
import json
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

import kursbuch
from kursbuch.bots import check, make
from kursbuch.bots.bot import Bot, Ranked
from kursbuch.bots.match import Match, Outcome, Results, Task, play, play_game
from kursbuch.bots.worker_pool import LocalPool, ResultT, WorkT
from kursbuch.cli.common import jobs_option, options_option, parse_options, progress
from kursbuch.cli.match import standings_lines
from kursbuch.core.actions import Action
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game, View
from kursbuch.core.words import Words

ROOT = Path(__file__).parent.parent


class RemoteBots:
    """A process with the code of a folder, which answers for its bots in one game at a time."""

    def __init__(self, folder: str) -> None:
        program = (Path(__file__).parent / "answering.py").read_text(encoding="utf-8")
        # The working directory precedes installed packages.
        self.process = subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self.game: Game | None = None
        self.sent = 0

    def ask(self, game: Game, **asked: object) -> Action | None:
        """The action of a bot of that code."""
        new: dict[str, object] | None = None
        if game is not self.game:
            new = {"title": game.title.id, "names": game.names, "options": game.options}
            new["seed"] = game.seed
            self.game, self.sent = game, 0
        moves = [game.format(move.action) for move in game.moves[self.sent :]]
        self.sent = len(game.moves)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"new": new, "moves": moves, **asked}) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            self.process.wait()
            raise KursbuchError("The other version of Kursbuch has ended without an answer.")
        move = json.loads(answer)
        return None if move is None else game.parse(move)


#: Processes by folder.
_remotes: dict[str, RemoteBots] = {}


def remote_bots(folder: str) -> RemoteBots:
    """The process of a folder; restarted if it has ended."""
    found = _remotes.get(folder)
    if found is None or found.process.poll() is not None:
        found = _remotes[folder] = RemoteBots(folder)
    return found


class RemoteBot(Bot):
    """A bot of another version, which knows its game."""

    def __init__(self, folder: str, game: Game, spec: str, seed: int) -> None:
        super().__init__(spec, seed)
        self.folder = folder
        self.game = game
        self.seed = seed

    def _ask(self, view: View, *, unasked: bool) -> Action | None:
        asked = {"seat": view.seat, "bot": self.name, "seed": self.seed, "unasked": unasked}
        return remote_bots(self.folder).ask(self.game, **asked)

    def rank(self, view: View) -> list[Ranked]:
        action = self._ask(view, unasked=False)
        assert action is not None
        return [Ranked(action, 0.0)]

    def volunteer(self, view: View) -> Action | None:
        return self._ask(view, unasked=True)


def seated(folders: Mapping[str, str], game: Game, spec: str, seed: int) -> Bot:
    """The bot of a specification, possibly with a commit."""
    name, _, commit = spec.partition("@")
    return RemoteBot(folders[commit], game, name, seed) if commit else make(name, seed)


def play_task(folders: Mapping[str, str], task: Task) -> Outcome:
    """Play one game to its end."""
    return play_game(task, partial(seated, folders))


class VersusPool:
    """Worker pool of a match, with a folder for the code of each commit."""

    def __init__(self, workers: LocalPool, folders: Mapping[str, str]) -> None:
        self.workers = workers
        self.folders = folders

    def each(
        self, function: Callable[[WorkT], ResultT], work: Iterable[WorkT]
    ) -> Iterator[ResultT]:
        """The results as they finish; games use `play_task`."""
        found: Any = partial(play_task, self.folders) if function is play_game else function
        return self.workers.each(found, work)


def checked(spec: str) -> str:
    """Normalise a specification; a bot of a commit is not checked."""
    name, _, commit = spec.partition("@")
    return f"{name}@{resolved(commit)}" if commit else check(name)


def resolved(commit: str) -> str:
    """Short hash of a commit."""
    done = _git("rev-parse", "--short=10", "--verify", "--quiet", f"{commit}^{{commit}}")
    if done.returncode:
        raise KursbuchError("There is no commit {commit}.", commit=commit)
    return done.stdout.decode().strip()


def taken_out(commit: str, folder: Path) -> str:
    """Extract the code of a commit; return its folder."""
    done = _git("archive", commit, "src", "pyproject.toml")
    if done.returncode:
        raise KursbuchError("The commit {commit} has no code in src.", commit=commit)
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder / commit, filter="data")
    source = folder / commit / "src"
    _declare(source, tomllib.loads((folder / commit / "pyproject.toml").read_text("utf-8")))
    return str(source)


def _declare(source: Path, project: Mapping[str, Any]) -> None:
    """Let a folder of code hide the installed package, whose entry points may name other modules."""
    declared = source / "kursbuch-0.dist-info"
    declared.mkdir()
    (declared / "METADATA").write_text("Metadata-Version: 2.1\nName: kursbuch\nVersion: 0\n")
    points = configparser.ConfigParser(delimiters="=", interpolation=None)
    points.read_dict(project["project"]["entry-points"])
    with (declared / "entry_points.txt").open("w", encoding="utf-8") as file:
        points.write(file)


def _git(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, check=False)


@click.command(help=__doc__)
@click.argument("title")
@click.option("--bots", required=True, help="As for kursbuch match, also greedy@COMMIT.")
@click.option("--players", type=int)
@click.option("--games", type=int, default=100)
@click.option("--seed", default="1")
@jobs_option
@click.option("--results", "path", help="Keep the games in this file (SQLite).")
@options_option
def main(
    title: str,
    bots: str,
    players: int | None,
    games: int,
    seed: str,
    jobs: int | None,
    path: str | None,
    options: Sequence[str],
) -> None:
    words, started = Words("en"), time.perf_counter()
    try:
        match = Match(
            kursbuch.title(title),
            bots.split(","),
            players,
            seed,
            parse_options(options),
            check=checked,
        )
        commits = {bot.partition("@")[2] for bot in match.bots} - {""}
        with (
            tempfile.TemporaryDirectory() as folder,
            Results(path) as results,
            progress("Playing") as advance,
        ):
            folders = {commit: taken_out(commit, Path(folder)) for commit in commits}
            pool = VersusPool(LocalPool(jobs), folders)
            found = play(match, games, pool, results, advance=advance)
    except KursbuchError as error:
        sys.exit(str(error))
    for line in standings_lines(found, match, time.perf_counter() - started, words):
        print(line)
    if found.errors:
        sys.exit(f"The first error: {found.first_error}")


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.versus")
