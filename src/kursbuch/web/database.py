"""The database: SQLite or PostgreSQL, brought up to date when the server starts."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Executable, Row, event, insert, make_url, select, text
from sqlalchemy.exc import IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine

from kursbuch.core.errors import KursbuchError
from kursbuch.web.models import Setting

DEFAULT_FILE = "kursbuch.sqlite3"

#: How long a writer waits for another one, in seconds.
PATIENCE = 30

#: The advisory lock under which PostgreSQL is migrated; any number that is always the same.
_MIGRATION_LOCK = 0x4B757273

_DRIVERS = {
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "sqlite": "sqlite+aiosqlite",
}


def database_url(given: str | None) -> str:
    """The SQLAlchemy URL for what was given: nothing, the path of a file, or a URL.

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
    """Sessions for reading and for writing."""

    def __init__(self, given: str | None = None) -> None:
        try:
            url = make_url(database_url(given))
            self.is_sqlite = url.get_backend_name() == "sqlite"
            if not self.is_sqlite and url.get_backend_name() != "postgresql":
                raise KursbuchError("The database must be SQLite or PostgreSQL.")
            self.name = url.render_as_string(hide_password=True)
            if self.is_sqlite:
                _check_folder(url.database)
            self.engine = create_async_engine(
                url,
                connect_args={"timeout": PATIENCE} if self.is_sqlite else {},
                pool_pre_ping=not self.is_sqlite,
                json_serializer=lambda value: msgspec.json.encode(value).decode(),
                json_deserializer=msgspec.json.decode,
            )
        except (SQLAlchemyError, ModuleNotFoundError) as error:
            raise KursbuchError(
                "The database {url} cannot be used: {why}.",
                url=str(given),
                why=str(error).splitlines()[0],
            ) from None
        if self.is_sqlite:
            _prepare_sqlite(self.engine.sync_engine)
        #: What is just being committed or closed.
        self._finishing: set[asyncio.Task[None]] = set()
        self._reading = async_sessionmaker(self.engine, expire_on_commit=False)
        # A single statement needs no transaction around it.
        self._glancing = self.engine.execution_options(glance=True)
        # With SQLite a transaction that will write takes the lock when it begins. One that took it
        # later could find that another had written in between, and would have to start again.
        self._writing = async_sessionmaker(
            self.engine.execution_options(immediate=True), expire_on_commit=False
        )

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """A session that changes nothing."""
        session = self._reading()
        try:
            yield session
        finally:
            await self._finished(session.close())

    async def glance(self, query: Executable) -> list[Row[Any]]:
        """The rows of a single query."""
        connection = await self._glancing.connect()
        try:
            return list(await connection.execute(query))
        finally:
            await self._finished(connection.close())

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncSession]:
        """A session whose changes are on disk when the block is left without an exception."""
        session = self._writing()
        ending = session.close
        try:
            yield session
            ending = partial(_commit, session)
        finally:
            await self._finished(ending())

    async def _finished(self, ending: Coroutine[Any, Any, None]) -> None:
        """Wait for what must be finished even if the task is cancelled, at the latest by `stop`."""
        task = asyncio.create_task(ending)
        self._finishing.add(task)
        task.add_done_callback(self._finishing.discard)
        await asyncio.shield(task)

    async def start(self) -> None:
        """Bring the tables up to date; several servers may do this at the same time."""
        try:
            if self.is_sqlite:
                await self._use_wal()
            async with self.engine.execution_options(immediate=True).begin() as connection:
                if not self.is_sqlite:
                    await connection.execute(
                        text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MIGRATION_LOCK}
                    )
                await connection.run_sync(_migrate)
        except (SQLAlchemyError, OSError) as error:
            raise KursbuchError(
                "The database {url} cannot be used: {why}.",
                url=self.name,
                why=str(getattr(error, "orig", None) or error).splitlines()[0].rstrip("."),
            ) from error

    async def _use_wal(self) -> None:
        # Changing the mode fails at once while another process has the file open for writing.
        for attempt in range(50):
            try:
                async with self.engine.connect() as connection:
                    # Not within a transaction, which the mode cannot be changed in.
                    raw = await connection.get_raw_connection()
                    assert raw.driver_connection is not None
                    await raw.driver_connection.execute("PRAGMA journal_mode = WAL")
                return
            except OperationalError:
                if attempt == 49:
                    raise
            except Exception as error:
                if attempt == 49 or "locked" not in str(error):
                    raise OSError(str(error)) from error
            await asyncio.sleep(0.1)

    async def stop(self) -> None:
        """Close all connections."""
        await asyncio.gather(*self._finishing, return_exceptions=True)
        await self.engine.dispose()

    async def secret(self) -> str:
        """The key that signs cookies, made when it is first needed."""
        query = select(Setting.value).where(Setting.key == "secret")
        async with self.reading() as session:
            found = await session.scalar(query)
        if found:
            return found
        try:
            async with self.writing() as session:
                await session.execute(
                    insert(Setting).values(key="secret", value=secrets.token_urlsafe(32))
                )
        except IntegrityError:
            pass  # another worker was first
        async with self.reading() as session:
            return str(await session.scalar(query))


async def _commit(session: AsyncSession) -> None:
    async with session:
        await session.commit()


def _check_folder(file: str | None) -> None:
    if not file or file == ":memory:":
        raise KursbuchError("The database must be in a file.")
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
        cursor.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if not options.get("glance", False):
            immediate = options.get("immediate", False)
            connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def _migrate(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
