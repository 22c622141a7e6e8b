"""The games of a match on disk, so that it can be left and gone on with."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Protocol

import msgspec

from kursbuch.bots.playing import Outcome
from kursbuch.core.errors import KursbuchError


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
