"""The database: SQLite or PostgreSQL, migrated at startup; its outages become refusals."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import secrets
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import aiosqlite
import msgspec
from sqlalchemy import (
    URL,
    Connection,
    Executable,
    Row,
    TextClause,
    event,
    insert,
    make_url,
    select,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.sqlite.aiosqlite import (
    AsyncAdapt_aiosqlite_connection,
    AsyncAdapt_aiosqlite_cursor,
    AsyncAdapt_aiosqlite_dbapi,
)
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import (
    AsyncConnection,
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)
from sqlalchemy.orm import Session

from kursbuch.core.errors import KursbuchError, NotNow
from kursbuch.core.words import N_
from kursbuch.web.db import migrations
from kursbuch.web.db.migrations import newest_migration
from kursbuch.web.db.models import Base, Setting
from kursbuch.web.http.admission import aside, this_client
from kursbuch.web.http.errors import Unavailable, overloaded
from kursbuch.web.http.fair_scheduler import FairScheduler
from kursbuch.web.ops import maintenance_lock
from kursbuch.web.ops.logs import ThrottledLog, without_password
from kursbuch.web.ops.metrics import DATABASE, timed

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


#: SQLite result codes: busy, locked, I/O error, cannot open, locking protocol.
_SQLITE_AWAY = {5, 6, 10, 14, 15}
_SQLITE_BUSY = 5

#: SQLite result codes: read-only, full.
_SQLITE_FIXED = {8, 13}

#: PostgreSQL error classes: no connection, no resources, shut down or starting, system error.
_POSTGRES_AWAY = ("08", "53", "57P", "58")

#: PostgreSQL error code while it starts.
_POSTGRES_STARTING = "57P03"

#: PostgreSQL error codes: read-only, disk full.
_POSTGRES_FIXED = ("25006", "53100")
log = logging.getLogger(__name__)


def cause(error: Exception) -> str:
    """Return the cause of an error in one line."""
    said = str(getattr(error, "orig", None) or error) or type(error).__name__
    return said.splitlines()[0].rpartition(">: ")[2].rstrip(".")


def is_starting(error: Exception) -> bool:
    """Tell whether a database is still starting, or locked for long by another process."""
    found = getattr(error, "orig", None)
    if getattr(found, "sqlstate", None) == _POSTGRES_STARTING:
        return True
    return getattr(found, "sqlite_errorcode", 0) & 0xFF == _SQLITE_BUSY


def outage_refusal(error: Exception) -> Unavailable | None:
    """Return the refusal for a temporary failure, None for a programming error."""
    if isinstance(error, PoolTimeoutError):
        return overloaded()
    if isinstance(error, OSError):
        # Without a file name: the database server is unreachable.
        return None if error.filename else _away()
    if not isinstance(error, DBAPIError):
        return None
    sqlite = getattr(error.orig, "sqlite_errorcode", None)
    if isinstance(sqlite, int):
        return _told(sqlite & 0xFF in _SQLITE_FIXED, sqlite & 0xFF in _SQLITE_AWAY)
    code = getattr(error.orig, "sqlstate", None) or ""
    lost = error.connection_invalidated or "connection" in str(error.orig)
    return _told(code in _POSTGRES_FIXED, lost or code.startswith(_POSTGRES_AWAY))


def _told(fixed: bool, away: bool) -> Unavailable | None:
    if fixed:
        return Unavailable(
            N_(
                "The server cannot store anything at the moment, so nothing was changed. Please "
                "try again later."
            )
        )
    return _away() if away else None


def _away() -> Unavailable:
    return Unavailable(N_("The server cannot reach its database at the moment. Please try again."))


class OutageGuard:
    """Turns database failures into refusals, with a throttled log."""

    def __init__(self) -> None:
        self._log = ThrottledLog(log, logging.ERROR)

    @contextmanager
    def told(self) -> Iterator[None]:
        """Refuse temporary failures of the block."""
        try:
            yield
        except (DBAPIError, PoolTimeoutError, OSError) as error:
            found = outage_refusal(error)
            if found is None:
                raise
            said = cause(error)
            self._log.write(said, "The database does not answer: %s", said)
            raise found from error


DEFAULT_FILE = "kursbuch.sqlite3"

#: Time a writer waits for one in another process, in seconds.
PATIENCE = 30

#: Connections for reading and for writing. SQLite writes one transaction at a time anyway.
READERS, WRITERS = 5, 5

#: Time a reader or writer waits for its turn, in seconds, the number of those who wait, and the time
#: one is expected to need.
WAITING, MOST_WAITING, COST = 10.0, 200, 0.005

#: Time limit for ending abandoned connections, in seconds.
ENDING = 2.0

#: Time to wait for a starting database, in seconds.
STARTING = 60.0

#: Advisory lock for migrations on PostgreSQL; any fixed number.
_MIGRATION_LOCK = 0x4B757273

#: Missing permissions of a file, which are permanent.
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
_DRIVERS = {
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "sqlite": "sqlite+aiosqlite",
}


def database_url(given: str | None) -> str:
    """Return the SQLAlchemy URL for None, the path of a file, or a URL.

    >>> database_url(None)
    'sqlite+aiosqlite:///kursbuch.sqlite3'
    >>> database_url("games/club.db")
    'sqlite+aiosqlite:///games/club.db'
    >>> database_url("postgresql://club@db/kursbuch")
    'postgresql+asyncpg://club@db/kursbuch'
    """
    if not given:
        given = DEFAULT_FILE
    scheme, separator, rest = given.partition("://")
    if not separator:
        return f"sqlite+aiosqlite:///{given}"
    return f"{_DRIVERS.get(scheme, scheme)}://{rest}"


class Database:
    """Sessions for reading and for writing, with separate connections: readers never wait for
    writers. Both wait in turns, and are refused while the database cannot be used."""

    def __init__(self, given: str | None = None) -> None:
        try:
            url = make_url(database_url(given))
            self.is_sqlite = url.get_backend_name() == "sqlite"
            if not self.is_sqlite and url.get_backend_name() != "postgresql":
                raise KursbuchError("The database must be SQLite or PostgreSQL.")
            self.name = url.render_as_string(hide_password=True)
            if self.is_sqlite:
                _check_folder(url.database)
            #: Application name of this object's connections on PostgreSQL.
            self._called = f"kursbuch {secrets.token_hex(8)}"
            writers = 1 if self.is_sqlite else WRITERS
            # One spare: a connection returns a moment after its place in the queue.
            self.engine = self._engine(url, READERS + 1)
            self._glancer = (
                self._engine(url, READERS + 1, short=True) if self.is_sqlite else self.engine
            )
            self._writer = self._engine(url, writers + 1, short=True)
            self._watcher = self._engine(url, 2)
        except KursbuchError:
            raise
        except (SQLAlchemyError, ModuleNotFoundError, ValueError) as error:
            raise KursbuchError(
                "The database {url} cannot be used: {why}.",
                url=without_password(str(given)),
                why=str(error).splitlines()[0].rstrip("."),
            ) from None
        if self.is_sqlite:
            for engine in self._engines():
                _prepare_sqlite(engine.sync_engine)
        self.trouble = OutageGuard()
        self._closed = False
        self._readers = FairScheduler(READERS, patience=WAITING, longest=MOST_WAITING)
        self._writers = FairScheduler(writers, patience=WAITING, longest=MOST_WAITING)
        #: Commits, closes and background work in progress.
        self._finishing: set[asyncio.Task[None]] = set()
        self._reading = async_sessionmaker(self.engine, expire_on_commit=False)
        # A single statement needs no transaction around it.
        self._glancing = self._glancer.execution_options(glance=True)
        # With SQLite a writing transaction takes the lock when it begins. If it took the lock
        # later, another might have written in between, and it would have to start again.
        self._writing = async_sessionmaker(
            self._writer.execution_options(immediate=True), expire_on_commit=False
        )

    def _engine(self, url: URL, connections: int, *, short: bool = False) -> AsyncEngine:
        """Return an engine. With SQLite, `short` statements stay in the event loop."""
        of_sqlite = {
            "module": AsyncSqlite(PATIENCE if short else None),
            "connect_args": {"timeout": 0 if short else PATIENCE, "check_same_thread": not short},
        }
        of_postgresql = {"connect_args": {"server_settings": {"application_name": self._called}}}
        return create_async_engine(
            url,
            **(of_sqlite if self.is_sqlite else of_postgresql),
            pool_pre_ping=not self.is_sqlite,
            pool_size=connections,
            max_overflow=0,
            pool_timeout=WAITING,
            json_serializer=lambda value: msgspec.json.encode(value).decode(),
            json_deserializer=msgspec.json.decode,
            # Values may be secret, and errors are logged.
            hide_parameters=True,
        )

    def _engines(self) -> tuple[AsyncEngine, ...]:
        own = () if self._glancer is self.engine else (self._glancer,)
        return self.engine, *own, self._writer, self._watcher

    def is_full(self, client: str, writing: bool) -> bool:
        """Tell whether a client would be refused as a reader, or as a writer too."""
        return self._readers.is_full(client) or (writing and self._writers.is_full(client))

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """Open a read-only session."""
        async with self._placed(self._readers, "read"):
            session = self._reading()
            try:
                yield session
            finally:
                await self._finished(session.close())

    async def glance(
        self, query: Executable, values: Mapping[str, Any] | None = None
    ) -> list[Row[Any]]:
        """Return the rows of a single query, with values for its parameters."""
        async with self._placed(self._readers, "glance"):
            return await self._glanced(self._glancing, query, values)

    async def _glanced(
        self, engine: AsyncEngine, query: Executable, values: Mapping[str, Any] | None = None
    ) -> list[Row[Any]]:
        connection = await engine.connect()
        try:
            return list(await connection.execute(query, values))
        finally:
            await self._finished(connection.close())

    @asynccontextmanager
    async def _placed(self, turns: FairScheduler, kind: str) -> AsyncIterator[None]:
        if self._closed:
            raise Unavailable(maintenance_lock.REPLACED)
        # The time of waiting counts.
        turn = turns.turn(*this_client(), COST, lambda: True)
        with timed(DATABASE.labels(kind)):
            # Those who read or do something else need not wait for those who write.
            await (aside(turn.begin()) if turns is self._writers else turn.begin())
            try:
                with self.trouble.told():
                    yield
            finally:
                turn.end()

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncSession]:
        """Open a session; its changes are on disk when the block ends without an exception."""
        async with self._placed(self._writers, "write"):
            session = self._writing()
            ending = session.close
            try:
                yield session
                ending = partial(_commit, session)
            finally:
                await self._finished(ending())

    async def _finished(self, ending: Coroutine[Any, Any, None]) -> None:
        """Finish a step even if the task is cancelled; `stop` waits for it."""
        await asyncio.shield(self.beside(ending))

    def beside(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start work in the background; `stop` waits for it."""
        task = asyncio.create_task(work)
        self._finishing.add(task)
        task.add_done_callback(self._finishing.discard)
        return task

    async def start(self) -> None:
        """Migrate the tables; several servers may do so at once. Waits for a database that is
        starting or under maintenance."""
        if self.is_sqlite:
            self.keep_private()
        began = time.monotonic()
        while True:
            waited, pause = time.monotonic() - began, 0.2
            try:
                if await self.is_wanted():
                    raise maintenance_lock.UnderMaintenance
                return await self._migrate()
            except maintenance_lock.UnderMaintenance:
                if waited > STARTING + maintenance_lock.VALID.total_seconds():
                    raise
                # Maintenance needs the database without connections.
                await self.stop()
                pause = maintenance_lock.RETURNING
            except (SQLAlchemyError, OSError) as error:
                if not is_starting(error) or waited > STARTING:
                    raise failure(self.name, error) from error
            await asyncio.sleep(pause)

    async def _migrate(self) -> None:
        if self.is_sqlite:
            await self.use_wal()
        async with self._writer.execution_options(immediate=True).begin() as connection:
            await self.hold_off(connection)
            await connection.run_sync(migrations.migrate)
            await connection.run_sync(maintenance_lock.require_free)

    async def hold_off(self, connection: AsyncConnection) -> None:
        """Keep starting servers waiting until the transaction ends."""
        # With SQLite any writer does so.
        if not self.is_sqlite:
            lock = text("SELECT pg_advisory_xact_lock(:lock)")
            await connection.execute(lock, {"lock": _MIGRATION_LOCK})

    def keep_private(self) -> None:
        """Restrict the SQLite file to its owner: it holds the key that signs cookies. SQLite gives
        files beside it the same rights."""
        file = self.engine.url.database if self.is_sqlite else None
        if file is None or os.name == "nt":
            return
        # Only for a new file: closing a file in use would drop this process's locks on it, and
        # others would take it for unused.
        with suppress(FileExistsError):
            os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        for path in (file, f"{file}-wal", f"{file}-shm"):
            with suppress(FileNotFoundError, PermissionError):
                os.chmod(path, 0o600)

    async def use_wal(self) -> None:
        """Switch an SQLite file to write-ahead logging, so that readers and a writer do not block each other."""
        # The change fails at once while another process writes.
        for attempt in range(50):
            try:
                async with self.engine.connect() as connection:
                    # Outside a transaction, in which the mode cannot change.
                    raw = await connection.get_raw_connection()
                    assert raw.driver_connection is not None
                    cursor = await raw.driver_connection.execute("PRAGMA journal_mode = WAL")
                    await cursor.close()
                return
            except OperationalError:
                if attempt == 49:
                    raise
            except Exception as error:
                if attempt == 49 or "locked" not in str(error):
                    raise OSError(str(error)) from error
            await asyncio.sleep(0.1)

    async def close(self) -> None:
        """Close the database for good; later requests are refused."""
        self._closed = True
        await self.stop()
        if not self.is_sqlite:
            with suppress(SQLAlchemyError, OSError):
                async with asyncio.timeout(ENDING):
                    await self._end_others()

    async def _end_others(self) -> None:
        # A connection cancelled while it was opened would stay open for ever.
        mine = text(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = :called AND pid <> pg_backend_pid()"
        )
        async with self.engine.connect() as connection:
            await connection.execute(mine, {"called": self._called})
        await self.engine.dispose()

    async def stop(self) -> None:
        """Close all connections, after pending writes."""
        await asyncio.gather(*self._finishing, return_exceptions=True)
        for engine in self._engines():
            await engine.dispose()

    async def is_current(self) -> bool:
        """Tell whether the tables match this version of the program. The query uses a connection of its own."""
        rows = await self._watched(text("SELECT version_num FROM alembic_version"))
        return [row[0] for row in rows] == [newest_migration()]

    async def is_wanted(self) -> bool:
        """Tell whether maintenance waits for everyone to disconnect; False if the database does not answer."""
        try:
            found = await self._watched(maintenance_lock.LOCK_QUERY)
        except (SQLAlchemyError, OSError):
            return False
        return any(maintenance_lock.is_valid(value) for [value] in found)

    async def _watched(self, query: Executable) -> list[Row[Any]]:
        return await self._glanced(self._watcher.execution_options(glance=True), query)

    @property
    def size_query(self) -> TextClause:
        """The query for the size on disk, in bytes."""
        if self.is_sqlite:
            return text(
                "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
            )
        return text("SELECT pg_database_size(current_database())")

    async def bytes(self) -> int:
        """Return the size on disk, in bytes."""
        return int((await self.glance(self.size_query))[0][0])

    async def secret(self) -> str:
        """Return the key that signs cookies; create it on first use."""
        return await self.setting("secret", lambda: secrets.token_urlsafe(32))

    async def setting(self, key: str, make: Callable[[], str]) -> str:
        """Return a stored setting; create it on first use."""
        query = select(Setting.value).where(Setting.key == key)
        async with self.reading() as session:
            found = await session.scalar(query)
        if found:
            return found
        try:
            async with self.writing() as session:
                await session.execute(insert(Setting).values(key=key, value=make()))
        except IntegrityError:
            pass  # another worker was first
        async with self.reading() as session:
            return str(await session.scalar(query))


def failure(name: str, error: Exception) -> KursbuchError:
    """Return the error for an unusable database; missing permissions are permanent."""
    kind = KursbuchError if getattr(error, "errno", None) in _FORBIDDEN else NotNow
    return kind(
        "The database {url} cannot be used: {why}.",
        url=name,
        why=cause(error),
    )


async def _commit(session: AsyncSession) -> None:
    await session.run_sync(_committed)


def _committed(session: Session) -> None:
    """Commit and close, in one visit to the driver's side of SQLAlchemy."""
    with session:
        session.commit()


def _check_folder(file: str | None) -> None:
    if not file or file == ":memory:":
        raise KursbuchError("The database must be a file.")
    if Path(file).is_dir():
        raise KursbuchError("{path} is a directory, not a file.", path=file)
    folder = Path(file).absolute().parent
    if not folder.is_dir():
        raise KursbuchError("There is no folder {folder} for the database.", folder=str(folder))


def _prepare_sqlite(engine: Any) -> None:
    @event.listens_for(engine, "connect")
    def connect(connection: Any, record: Any) -> None:
        # Transactions begin where we say so, not where the driver guesses.
        connection.isolation_level = None
        cursor = connection.cursor()
        # With FULL a commit returns only when the change is on disk.
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if not options.get("glance", False):
            immediate = options.get("immediate", False)
            connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def upsert(session: AsyncSession, row: type[Base]) -> postgresql.Insert | sqlite.Insert:
    """Return an insert statement that can be given a conflict clause."""
    if session.get_bind().dialect.name == "postgresql":
        return postgresql.insert(row)
    return sqlite.insert(row)
