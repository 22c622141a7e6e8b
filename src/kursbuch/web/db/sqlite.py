"""SQLite for the event loop, with one thread hop per statement."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from typing import Any

import aiosqlite
from sqlalchemy.dialects.sqlite.aiosqlite import (
    AsyncAdapt_aiosqlite_connection,
    AsyncAdapt_aiosqlite_cursor,
    AsyncAdapt_aiosqlite_dbapi,
)

#: Interval at which a statement is retried while another process locks the database, in seconds.
AGAIN = 0.01


class _Statement:
    """An adapter for a cursor of aiosqlite. Its rows are fetched during execution, so nothing stays open."""

    arraysize = 1

    def __init__(self, connection: Any) -> None:
        # SQLAlchemy's own adapter uses private attributes, too.
        self._connection = connection
        self._rows: list[Any] = []
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None

    async def execute(self, statement: str, parameters: Sequence[Any] = ()) -> _Statement:
        await self._visit("execute", statement, parameters)
        return self

    async def executemany(self, statement: str, parameters: Sequence[Any]) -> _Statement:
        await self._visit("executemany", statement, parameters)
        return self

    async def _visit(self, how: str, statement: str, parameters: Sequence[Any]) -> None:
        await self._connection._execute(self._carry_out, how, statement, parameters)

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


class _StatementAtOnce(_Statement):
    """A statement that runs in the event loop; only a locked database is waited for."""

    def __init__(self, connection: Any, patience: float) -> None:
        super().__init__(connection)
        self._patience = patience

    async def _visit(self, how: str, statement: str, parameters: Sequence[Any]) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + self._patience
        while True:
            try:
                return self._carry_out(how, statement, parameters)
            except sqlite3.OperationalError as error:
                # The lower bits are the same for every kind of lock.
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or loop.time() > until:
                    raise
            await asyncio.sleep(AGAIN)


class _Cursor(AsyncAdapt_aiosqlite_cursor):
    __slots__ = ()

    def _make_new_cursor(self, connection: Any) -> Any:
        return self._adapt_connection.dbapi.statement(connection)

    def _aenter_cursor(self, cursor: Any) -> Any:
        return cursor


class _Connection(AsyncAdapt_aiosqlite_connection):
    __slots__ = ()

    _cursor_cls = _Cursor

    def rollback(self) -> None:
        # A returned connection is rolled back; mostly there is nothing to do.
        raw = self._connection._connection
        if raw is not None and raw.in_transaction:
            super().rollback()


class AsyncSqlite(AsyncAdapt_aiosqlite_dbapi):
    """A DBAPI module for `create_async_engine(module=...)`. With `patience`, in seconds,
    connections are for short statements: these run in the event loop, and only commits, which wait
    for the disk, in the thread."""

    def __init__(self, patience: float | None = None) -> None:
        super().__init__(aiosqlite, sqlite3)
        self._patience = patience

    def statement(self, connection: Any) -> _Statement:
        """Return a statement of a connection."""
        if self._patience is None:
            return _Statement(connection)
        return _StatementAtOnce(connection, self._patience)

    def connect(self, *arg: Any, **kw: Any) -> _Connection:
        """Return a connection."""
        made: Any = super().connect(*arg, **kw)
        return _Connection(self, made._connection)
