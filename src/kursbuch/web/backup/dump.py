"""Backups while servers run: a consistent snapshot in one file."""

from __future__ import annotations

import errno
import gzip
import logging
import os
import re
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

import msgspec
from sqlalchemy import Connection, Table, literal, select, tuple_
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.errors import KursbuchError
from kursbuch.core.processes import Progress
from kursbuch.web.backup import schema
from kursbuch.web.backup.archive import (
    ArchiveWriter,
    Head,
    Row,
    check,
    is_backup,
    written,
)
from kursbuch.web.db.database import Database, cause, upsert
from kursbuch.web.db.models import STATUS_PREFIX, Setting, now

#: Number of rows fetched at a time.
CHUNK = 500

#: Errors of the disk, not of the database.
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)

#: Prefix and suffix of a backup's name in a folder.
PREFIX, SUFFIX = "kursbuch-", ".backup.gz"

#: Names with a time, not chosen by the user.
TIMED = re.compile(rf"{PREFIX}\d{{8}}-\d{{6}}{re.escape(SUFFIX)}")

#: A file beside the backups: the name of the newest one whose games can all continue.
WHOLE = "kursbuch-whole.txt"

#: Prefix and suffix of an unfinished backup's name.
HIDDEN, PART = ".kursbuch-", ".part"

#: Name of the database in such a folder, in which the games of a backup are checked.
COPY = "copy.sqlite3"

#: Suffixes of SQLite's companion files.
BESIDE = ("-wal", "-shm", "-journal")

#: Remains of killed backups; older versions named a file after the backup.
_LEFT_FOLDER = re.compile(rf"{re.escape(HIDDEN)}[a-z0-9_]{{8}}")
_LEFT_FILE = re.compile(
    rf"{_LEFT_FOLDER.pattern}{re.escape(PART)}|\.{TIMED.pattern}\.[a-z0-9_]{{8}}"
)

#: Age after which an untouched file has no writer, in seconds.
_LEFT_AFTER = 12 * 3600

#: Key of the setting with the last backup.
_NOTED = f"{STATUS_PREFIX}backup"
log = logging.getLogger(__name__)


def target(given: str, replace: bool) -> Path:
    """Return the file to write; in a folder it is named after the time."""
    path = Path(given)
    if path.is_dir():
        path = path / f"{PREFIX}{now():%Y%m%d-%H%M%S}{SUFFIX}"
    if path.exists() and not replace:
        raise KursbuchError("{path} already exists. Use --replace to overwrite it.", path=str(path))
    if path.exists() and not is_backup(path):
        raise KursbuchError(
            "{path} is not a Kursbuch backup, so it is not overwritten.", path=str(path)
        )
    if not path.absolute().parent.is_dir():
        raise KursbuchError("There is no folder {folder}.", folder=str(path.absolute().parent))
    return path


async def write(database: Database, path: Path, progress: Progress) -> Head:
    """Write a backup and verify it; the file appears only when it is right."""
    if _belongs(path, database):
        raise KursbuchError(
            "{path} belongs to the database itself. A backup needs a separate file.",
            path=str(path),
        )
    folder = path.absolute().parent
    clear(folder)
    handle, name = tempfile.mkstemp(PART, HIDDEN, folder)
    try:
        with os.fdopen(handle, "wb") as raw:
            with gzip.open(raw, "wb", compresslevel=6) as file:
                await _dump(database, file, progress)
            raw.flush()
            os.fsync(raw.fileno())
        head = check(name, progress)
        os.replace(name, path)
    except BaseException as error:
        os.unlink(name)
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            raise KursbuchError(
                "{path} cannot be written: {why}.", path=str(path), why=error.strerror
            ) from None
        raise
    return head


def _belongs(path: Path, database: Database) -> bool:
    """Tell whether a file is the SQLite database or one of its companions, even before it exists."""
    file = database.engine.url.database if database.is_sqlite else None
    if file is None:
        return False
    real = os.path.realpath(file)
    return any(_same(path, Path(real + end)) for end in ("", *BESIDE))


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def clear(folder: Path) -> None:
    """Delete what killed backups left in a folder, once no running one can own it."""
    names: list[str] = []
    with suppress(OSError):
        names = os.listdir(folder)
    for path in (folder / name for name in names):
        with suppress(OSError):  # foreign or already gone
            if _is_left(path) and time.time() - _touched(path) > _LEFT_AFTER:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _is_left(path: Path) -> bool:
    if path.is_symlink():
        return False
    if _LEFT_FOLDER.fullmatch(path.name) and path.is_dir():
        return {COPY} <= set(os.listdir(path)) <= {COPY + end for end in ("", *BESIDE)}
    return bool(_LEFT_FILE.fullmatch(path.name)) and path.is_file()


def _touched(path: Path) -> float:
    """Return the time of the last write to a file, or to a folder and its files."""
    inside = list(path.iterdir()) if path.is_dir() else []
    return max(os.lstat(one).st_mtime for one in [path, *inside])


async def _dump(database: Database, file: gzip.GzipFile, progress: Progress) -> None:
    async with database.engine.connect() as connection:
        if not database.is_sqlite:
            await connection.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        async with connection.begin():
            await connection.run_sync(_dump_all, file, progress)


def _dump_all(connection: Connection, file: gzip.GzipFile, progress: Progress) -> None:
    revision = schema.require_database(connection)
    tables = schema.tables(connection, revision)
    head = Head(
        revision=revision,
        program=version("kursbuch"),
        made_at=now(),
        rows={str(table.name): schema.count(connection, table) for table in tables},
    )
    writer = ArchiveWriter(file, head, progress)
    for table in tables:
        writer.table(schema.section(table), rows_of(connection, table))
    writer.finish()


def rows_of(connection: Connection, table: Table) -> Iterator[Row]:
    """Iterate over the rows of a table as an archive writes them."""
    kinds = [schema.kind(column) for column in table.columns]
    key = list(table.primary_key)
    places = [list(table.columns).index(column) for column in key]
    query = select(table).order_by(*key).limit(CHUNK)
    following = query
    # No server-side cursor, which would block migrations.
    while rows := connection.execute(following).all():
        for row in rows:
            yield [written(value, kind) for value, kind in zip(row, kinds, strict=True)]
        last = [
            literal(rows[-1][place], column.type) for place, column in zip(places, key, strict=True)
        ]
        following = query.where(tuple_(*key) > tuple_(*last))


class LastBackup(msgspec.Struct, frozen=True):
    """The last backup of a database. `host` is the machine with the file at `path`, `stuck` the number of
    its games that cannot continue, None if that was not checked."""

    at: datetime
    host: str
    path: str
    bytes: int
    stuck: int | None = None


async def note_backup(database: Database, path: Path, head: Head, stuck: int | None = None) -> None:
    """Note in the database that it has a backup; a failure is only logged, for the backup is complete."""
    made = LastBackup(
        head.made_at, socket.gethostname(), str(path.absolute()), path.stat().st_size, stuck
    )
    value = msgspec.json.encode(made).decode()
    try:
        async with database.writing() as session:
            row = upsert(session, Setting).values(key=_NOTED, value=value)
            await session.execute(
                row.on_conflict_do_update(index_elements=["key"], set_={"value": value})
            )
    except (KursbuchError, SQLAlchemyError) as error:
        log.warning("The backup could not be noted in the database: %s", cause(error))


async def last_backup(session: AsyncSession) -> LastBackup | None:
    """Return the last backup, None if there is none known."""
    found = await session.scalar(select(Setting.value).where(Setting.key == _NOTED))
    return msgspec.json.decode(found, type=LastBackup) if found else None


def note_whole(path: Path) -> None:
    """Note beside a backup that all its games can continue."""
    (path.parent / WHOLE).write_text(f"{path.name}\n")


def forget_old(folder: Path, keep: int, *, doubtful: bool = False) -> list[Path]:
    """Delete all but the `keep` newest backups named after their time, and the last one known to
    have only playable games. If none is known and the newest are `doubtful`, the oldest stays
    instead."""
    found = sorted((path for path in folder.iterdir() if TIMED.fullmatch(path.name)), reverse=True)
    whole = _whole(folder)
    if whole not in found:
        whole = found[-1] if found and doubtful else None
    gone = [path for path in found[keep:] if path != whole]
    for path in gone:
        path.unlink()
    return gone


def _whole(folder: Path) -> Path | None:
    with suppress(OSError, UnicodeDecodeError):
        return folder / (folder / WHOLE).read_text().strip()
    return None
