"""Restore a backup, or check that its games can continue."""

from __future__ import annotations

import asyncio
import logging
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import JSON as JsonType
from sqlalchemy import (
    ColumnElement,
    Connection,
    MetaData,
    Table,
    case,
    delete,
    inspect,
    select,
    text,
    update,
)
from sqlalchemy.exc import (
    DataError,
    IntegrityError,
    OperationalError,
    ProgrammingError,
    SQLAlchemyError,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import InstrumentedAttribute

from kursbuch.core.errors import KursbuchError
from kursbuch.core.processes import Progress
from kursbuch.core.words import N_
from kursbuch.web.backup import archive, schema
from kursbuch.web.backup.archive import ArchiveReader, Checksum, Head
from kursbuch.web.backup.dump import CHUNK, COPY, HIDDEN, rows_of
from kursbuch.web.db.database import Database, cause
from kursbuch.web.db.migrations import is_known, migrate, migrated_to
from kursbuch.web.db.models import STATUS_PREFIX, Base, Setting, now
from kursbuch.web.db.models import Table as GameTable
from kursbuch.web.ops import maintenance_lock
from kursbuch.web.tables.policies import RUNNING
from kursbuch.web.tables.store import TableStore

#: Tables that a server fills at startup.
MADE_BY_STARTING = frozenset({"setting"})

#: Epoch of the versions that a restore assigns, which count seconds.
SINCE = datetime(2020, 1, 1, tzinfo=UTC)

#: Raised by a value that does not fit its column.
_UNFIT = (ValueError, TypeError, AttributeError, IntegrityError, ProgrammingError, DataError)

#: Interval at which connected servers are looked for, in seconds.
LOOKING = 0.5
log = logging.getLogger(__name__)


async def restore(
    path: str | Path,
    database: Database,
    *,
    replace: bool,
    progress: Progress,
    patience: float = maintenance_lock.PATIENCE,
) -> Head:
    """Replace the content of the database by a backup and migrate it; `replace` allows this for a
    database with content. Servers that use the database are asked to release it, and given
    `patience` seconds."""
    head = archive.check(path, progress)
    if not is_known(head.revision):
        raise KursbuchError(
            "{path} was made by a newer version of the program ({version}).",
            path=str(path),
            version=head.program,
        )
    if database.is_sqlite:
        database.keep_private()
    lock = maintenance_lock.MaintenanceLock()
    try:
        async with _alone(database, lock, replace, patience) as connection:
            await connection.run_sync(_replace, replace)
            await connection.run_sync(load, path, progress)
            await connection.run_sync(migrate)
            await connection.run_sync(_assign_new_versions)
            # The backup may contain a lock; this one holds until everything is done.
            await connection.run_sync(maintenance_lock.forget)
            await connection.run_sync(_forget_status)
            await connection.run_sync(lock.acquire)
        try:
            await compact(database)
        except (SQLAlchemyError, OSError) as error:
            # The data are on disk by now.
            log.warning(
                "All is restored; only the file could not be made smaller: %s.", cause(error)
            )
    finally:
        if lock.held:
            # Otherwise servers return later, when the lock expires.
            with suppress(SQLAlchemyError, OSError):
                await _write(database, lock.release)
    return head


@asynccontextmanager
async def _alone(
    database: Database, lock: maintenance_lock.MaintenanceLock, replace: bool, patience: float
) -> AsyncIterator[AsyncConnection]:
    """Open a transaction in a database that no other process uses; servers are asked to release it."""
    if await database.is_wanted():
        raise maintenance_lock.UnderMaintenance
    # Servers need not stop for what is refused anyway.
    async with _beginning(database) as connection:
        await connection.run_sync(_require_replaceable, replace)
    until: float | None = None
    while True:
        # A starting server sees the lock; one that runs is found by its connection.
        await _write(database, lock.acquire)
        # Our own idle connections do not count.
        await database.stop()
        try:
            if database.is_sqlite:
                await _require_alone(database)
            async with _beginning(database) as connection:
                await database.hold_off(connection)
                if not database.is_sqlite:
                    await _require_alone_on_postgresql(connection)
                yield connection
                await connection.commit()
            return
        except _InUse:
            if until is None:
                log.warning(
                    "Servers that use this database let go of it now, and go on with what is restored."
                )
                until = time.monotonic() + patience
            elif time.monotonic() > until:
                raise
        await asyncio.sleep(LOOKING)


@asynccontextmanager
async def _beginning(database: Database) -> AsyncIterator[AsyncConnection]:
    """Open a transaction with the write lock; without a commit it is rolled back."""
    async with database.engine.execution_options(immediate=True).connect() as connection:
        # SQLite takes the lock with the first statement.
        await connection.execute(text("SELECT 1"))
        yield connection


async def _write(database: Database, change: Callable[[Connection], None]) -> None:
    async with _beginning(database) as connection:
        await connection.run_sync(change)
        await connection.commit()


async def compact(database: Database) -> None:
    """Return unused space of an SQLite file to the disk; PostgreSQL does so itself."""
    if database.is_sqlite:
        async with database.engine.execution_options(glance=True).connect() as connection:
            await connection.exec_driver_sql("VACUUM")
            await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


async def _require_alone(database: Database) -> None:
    # Only the last process with the file open can end write-ahead logging.
    try:
        async with database.engine.execution_options(glance=True).connect() as connection:
            await connection.exec_driver_sql("PRAGMA busy_timeout = 500")
            await connection.exec_driver_sql("PRAGMA journal_mode = DELETE")
    except OperationalError as error:
        if "locked" not in str(error):
            raise
        raise _InUse from None
    finally:
        await database.engine.dispose()
    await database.use_wal()


async def _require_alone_on_postgresql(connection: Any) -> None:
    others = await connection.scalar(
        text(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
    )
    if others:
        raise _InUse


class _InUse(KursbuchError):
    """Another process is connected."""

    def __init__(self) -> None:
        super().__init__(
            N_("This database is still in use. Stop the server, or restore into another database.")
        )


def _require_replaceable(connection: Connection, replace: bool) -> None:
    """Refuse a foreign database, or one with content that may not be replaced."""
    if migrated_to(connection) is None:
        if inspect(connection).get_table_names():
            raise KursbuchError("This database does not belong to Kursbuch.")
        return
    if not replace:
        schema.require_database(connection)
        migrate(connection)
        for table in Base.metadata.sorted_tables:
            if table.name not in MADE_BY_STARTING and schema.count(connection, table):
                raise KursbuchError(
                    "This database is not empty. Use --replace to replace everything in it."
                )
    elif not inspect(connection).has_table("game_table"):
        raise KursbuchError("This database does not belong to Kursbuch.")


def _replace(connection: Connection, replace: bool) -> None:
    """Drop all tables, if that is allowed."""
    _require_replaceable(connection, replace)
    metadata = MetaData()
    # A newer version of the program may have made unknown tables.
    metadata.reflect(connection)
    metadata.drop_all(connection)


def _forget_status(connection: Connection) -> None:
    """Drop what the backup says of its servers and of backups before it."""
    connection.execute(delete(Setting).where(Setting.key.startswith(STATUS_PREFIX)))


def _assign_new_versions(connection: Connection) -> None:
    """Give the restored games new versions, as if moves had been taken back. Pages, programs and
    mails from after the backup then do not mistake a new position for one they know."""
    # Grows with every restore, and by more than the changes in between.
    fresh = int((now() - SINCE).total_seconds())

    def after(column: InstrumentedAttribute[int]) -> ColumnElement[int]:
        return case((column < fresh, fresh), else_=column + 1)

    connection.execute(update(GameTable).values({GameTable.version: after(GameTable.version)}))
    # Without a game there is nothing to take back.
    values = {GameTable.revision: after(GameTable.revision), GameTable.rewound: GameTable.version}
    connection.execute(update(GameTable).where(GameTable.status == RUNNING).values(values))


def load(connection: Connection, path: str | Path, progress: Progress) -> None:
    """Load a backup into an empty database and verify it."""
    with archive.reading(path) as reader:
        migrate(connection, reader.head.revision)
        tables = {table.name: table for table in schema.tables(connection, reader.head.revision)}
        sums = _insert(connection, reader, tables, progress)
    done = 0
    for name, checksum in sums.items():
        found = Checksum()
        for row in rows_of(connection, tables[name]):
            found.add(row)
        if found.text != checksum.text:
            raise KursbuchError(
                "The table {name} of the database differs from the backup after writing.",
                name=name,
            )
        schema.go_on_counting(connection, tables[name])
        done += found.rows
        progress(done, reader.head.total)


def _insert(
    connection: Connection, reader: ArchiveReader, tables: dict[str, Table], progress: Progress
) -> dict[str, Checksum]:
    """Insert all rows; return the checksum of every table."""
    sums: dict[str, Checksum] = {}
    done = 0
    for section, rows, checksum in reader.tables():
        table = tables.get(section.table)
        if table is None or [column.name for column in table.columns] != section.columns:
            raise KursbuchError(
                "The table {name} of the backup does not match this version of the program.",
                name=section.table,
            )
        columns = list(zip(table.columns, section.kinds, strict=True))
        # Migrations fill some tables themselves.
        connection.execute(table.delete())
        while chunk := list(islice(rows, CHUNK)):
            try:
                found = [
                    {
                        column.name: _stored(column, archive.read(value, kind))
                        for (column, kind), value in zip(columns, row, strict=True)
                    }
                    for row in chunk
                ]
                connection.execute(table.insert(), found)
            except _UNFIT:
                reader.refuse_damaged()
            progress(done + checksum.rows, reader.head.total)
        done += checksum.rows
        sums[section.table] = checksum
    return sums


def _stored(column: Any, value: Any) -> Any:
    """Convert a value for its column."""
    if isinstance(column.type, JsonType):
        return JsonType.NULL if value is None and not column.nullable else value
    if schema.kind(column) == archive.TIME and value is not None and not column.type.timezone:
        return value.replace(tzinfo=None)
    return value


class UnplayableTable(msgspec.Struct, frozen=True):
    """A table whose game cannot continue, and why."""

    table: str
    title: str
    why: KursbuchError


async def stuck_games(path: Path, progress: Progress) -> tuple[int, list[UnplayableTable]]:
    """Return the number of running games in a backup, and those that cannot continue. The copy is
    made beside the backup, where there is room."""
    with tempfile.TemporaryDirectory(dir=path.absolute().parent, prefix=HIDDEN) as folder:
        database = Database(str(Path(folder) / COPY))
        try:
            await restore(path, database, replace=False, progress=progress)
            return await _check_games(database, progress)
        finally:
            await database.stop()


async def _check_games(database: Database, progress: Progress) -> tuple[int, list[UnplayableTable]]:
    tables = TableStore(database)
    async with database.reading() as session:
        query = (
            select(GameTable.id, GameTable.title)
            .where(GameTable.status == RUNNING)
            .order_by(GameTable.id)
        )
        running = list((await session.execute(query)).all())
    stuck = []
    for done, (table_id, title) in enumerate(running, 1):
        try:
            await _check_game(tables, table_id)
        except KursbuchError as error:
            stuck.append(UnplayableTable(table_id, title, error))
        progress(done, len(running))
    return len(running), stuck


async def _check_game(tables: TableStore, table_id: str) -> None:
    snapshot = await tables.load(table_id)
    table, game = snapshot.table, snapshot.game
    assert game is not None
    if len(game.moves) != table.number:
        raise KursbuchError(
            "The table records {said} moves, but there are {found}.",
            said=table.number,
            found=len(game.moves),
        )
    if sorted(table.turn) != sorted(decision.seat for decision in game.pending):
        raise KursbuchError("The table records the wrong player to move.")
