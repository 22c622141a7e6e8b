"""Games of a match: tasks, outcomes, and the file that stores them."""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Protocol

import msgspec

from kursbuch.bots import registry as bot_registry
from kursbuch.bots.bot import Bot, volunteered
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.registry import title_with_data

MOST_MOVES = 100_000

#: Makes the bot that sits in a game, from its specification and its seed.
Seating = Callable[[Game, str, int], Bot]


class Task(msgspec.Struct, frozen=True):
    """One game to be played: `bots` are specifications in the order of the seats."""

    number: int
    title: str
    seed: str
    options: dict[str, str]
    #: The content of a file with corrected component data.
    data: bytes | None
    bots: tuple[str, ...]


class Outcome(msgspec.Struct, frozen=True):
    """How a game went, everything but `moves` by seat. `error` is empty for one that was finished."""

    number: int
    bots: tuple[str, ...]
    moves: int
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    #: How often each seat had something to decide, and how many seconds it computed in all.
    decisions: tuple[int, ...] = ()
    seconds: tuple[float, ...] = ()
    error: str = ""


def derived_seed(*parts: object) -> int:
    """A seed that depends on all of these, for bots; the same on every machine."""
    text = "bot " + " ".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def new_game(task: Task) -> Game:
    """The game of a task before its first move."""
    title = title_with_data(task.title, task.data)
    names = [f"{spec}-{seat}" for seat, spec in enumerate(task.bots, 1)]
    return Game(title, names, task.options, seed=task.seed)


def seated(game: Game, spec: str, seed: int) -> Bot:
    """The bot of a specification."""
    return bot_registry.make(spec, seed)


def play_game(task: Task, seating: Seating = seated) -> Outcome:
    """Play one game to its end. Bots without a time limit play the same game every time."""
    count = len(task.bots)
    moves, decisions, seconds = 0, [0] * count, [0.0] * count
    try:
        game = new_game(task)
        bots = [
            seating(game, spec, derived_seed(task.seed, seat))
            for seat, spec in enumerate(task.bots)
        ]
        while not game.over:
            if moves >= MOST_MOVES:
                raise KursbuchError("The game does not end: {moves} moves.", moves=moves)
            action = volunteered(game, dict(enumerate(bots)))
            if action is None:
                seat = game.pending[0].seat
                started = time.thread_time()
                action = bots[seat].choose(game.view(seat))
                seconds[seat] += time.thread_time() - started
                decisions[seat] += 1
            game.apply(action)
            moves += 1
        result = game.result
        assert result is not None
    except Exception as error:
        # Whatever goes wrong in one game must not stop the others; it is counted and reported.
        what = f"game {task.number + 1}, move {moves + 1}: {type(error).__name__}: {error}"
        return Outcome(task.number, task.bots, moves, error=what)
    return Outcome(
        task.number,
        task.bots,
        moves,
        result.scores,
        result.winners,
        tuple(decisions),
        tuple(round(spent, 4) for spent in seconds),
    )


class Named(Protocol):
    """What a file belongs to."""

    @property
    def terms(self) -> dict[str, object]: ...


class Results:
    """A file of finished games (SQLite: `match` holds the terms as JSON, `game` a row for each); in
    memory without a path. Games that failed are not kept, so they are played again."""

    def __init__(self, path: str | None = None) -> None:
        self.path = path
        try:
            self.file = sqlite3.connect(path or ":memory:")
            tables = {row[0] for row in self.file.execute("SELECT name FROM sqlite_master")}
            if tables not in (set(), {"match", "game"}):
                raise KursbuchError(
                    "{path} holds something else than the games of a match.", path=str(path)
                )
            with self.file:
                self.file.execute("CREATE TABLE IF NOT EXISTS match (terms TEXT NOT NULL)")
                self.file.execute(
                    "CREATE TABLE IF NOT EXISTS game (number INTEGER PRIMARY KEY, bots TEXT NOT NULL, "
                    "moves INTEGER NOT NULL, scores TEXT NOT NULL, winners TEXT NOT NULL, "
                    "decisions TEXT NOT NULL, seconds TEXT NOT NULL)"
                )
        except sqlite3.Error as error:
            raise _unusable(path, error) from None

    def __enter__(self) -> Results:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.file.close()

    def load(self, match: Named) -> dict[int, Outcome]:
        """The games that have been played of a match, by number; a file of another one is refused."""
        terms = msgspec.json.encode(match.terms, order="sorted").decode()
        try:
            games = self.file.execute(
                "SELECT number, bots, moves, scores, winners, decisions, seconds FROM game"
            ).fetchall()
            kept = self.file.execute("SELECT terms FROM match").fetchall()
            if not kept:
                with self.file:
                    self.file.execute("INSERT INTO match VALUES (?)", (terms,))
            elif kept != [(terms,)]:
                raise KursbuchError(
                    "{path} holds the games of another match: {terms}.",
                    path=str(self.path),
                    terms=_told(msgspec.json.decode(kept[0][0], type=dict[str, Any]), match.terms),
                )
            return {row[0]: _outcome(row) for row in games}
        except (sqlite3.Error, msgspec.MsgspecError) as error:
            raise _unusable(self.path, error) from None

    def add(self, outcome: Outcome) -> None:
        """Keep a game."""
        if outcome.error:
            return
        parts = (outcome.scores, outcome.winners, outcome.decisions, outcome.seconds)
        row = (outcome.number, _packed(outcome.bots), outcome.moves, *map(_packed, parts))
        try:
            with self.file:
                self.file.execute("INSERT OR REPLACE INTO game VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        except sqlite3.Error as error:
            raise _unusable(self.path, error) from None


def _packed(values: object) -> str:
    return msgspec.json.encode(values).decode()


def _outcome(row: tuple[int, str, int, str, str, str, str]) -> Outcome:
    number, bots, moves, *rest = row
    scores, winners, decisions = (
        msgspec.json.decode(text, type=tuple[int, ...]) for text in rest[:3]
    )
    names = msgspec.json.decode(bots, type=tuple[str, ...])
    seconds = msgspec.json.decode(rest[3], type=tuple[float, ...])
    lengths = {len(part) for part in (names, scores, decisions, seconds)}
    if lengths != {len(names)} or not all(0 <= seat < len(names) for seat in winners):
        raise msgspec.ValidationError(f"game {number} is no result of a match")
    return Outcome(number, names, moves, scores, winners, decisions, seconds)


def _told(kept: Mapping[str, object], wanted: Mapping[str, object]) -> str:
    """What is different about another match."""
    wanted = msgspec.to_builtins(wanted)
    other = [name for name in wanted if kept.get(name) != wanted[name]]
    return ", ".join(f"{name} {kept.get(name, '–')}" for name in other or kept)


def _unusable(path: str | None, error: Exception) -> KursbuchError:
    return KursbuchError("{path} cannot be used: {why}.", path=str(path), why=str(error))
