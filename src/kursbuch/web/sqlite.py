"""SQLite for the event loop, with one visit to the thread of a connection for every statement.

The usual adapter makes four: for a cursor, to execute, to fetch, to close. Handing over to another thread
costs more than most statements do.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

import aiosqlite
from sqlalchemy.dialects.sqlite.aiosqlite import (
    AsyncAdapt_aiosqlite_connection,
    AsyncAdapt_aiosqlite_cursor,
    AsyncAdapt_aiosqlite_dbapi,
)


class _Statement:
    """What an adapter takes for a cursor of aiosqlite: by the time it is executed its rows are here, and nothing is
    left open."""

    arraysize = 1

    def __init__(self, connection: Any) -> None:
        # What SQLAlchemy's own adapter uses of a connection is not public either.
        self._connection = connection
        self._rows: list[Any] = []
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None

    async def execute(self, statement: str, parameters: Sequence[Any] = ()) -> _Statement:
        await self._connection._execute(self._carry_out, "execute", statement, parameters)
        return self

    async def executemany(self, statement: str, parameters: Sequence[Any]) -> _Statement:
        await self._connection._execute(self._carry_out, "executemany", statement, parameters)
        return self

    def _carry_out(self, how: str, statement: str, parameters: Sequence[Any]) -> None:
        cursor: sqlite3.Cursor = self._connection._conn.cursor()
        try:
            getattr(cursor, how)(statement, parameters)
            self.description = cursor.description
            self._rows = cursor.fetchall() if cursor.description else []
            self.rowcount, self.lastrowid = cursor.rowcount, cursor.lastrowid
        finally:
            cursor.close()

    async def fetchall(self) -> list[Any]:
        return self._rows

    async def close(self) -> None:
        self._rows = []


class _Cursor(AsyncAdapt_aiosqlite_cursor):
    __slots__ = ()

    def _make_new_cursor(self, connection: Any) -> Any:
        return _Statement(connection)

    def _aenter_cursor(self, cursor: Any) -> Any:
        return cursor


class _Connection(AsyncAdapt_aiosqlite_connection):
    __slots__ = ()

    _cursor_cls = _Cursor


class OneVisit(AsyncAdapt_aiosqlite_dbapi):
    """The module that an engine is to use (`create_async_engine(module=...)`)."""

    def __init__(self) -> None:
        super().__init__(aiosqlite, sqlite3)

    def connect(self, *arg: Any, **kw: Any) -> _Connection:
        """A connection."""
        made: Any = super().connect(*arg, **kw)
        return _Connection(self, made._connection)
