"""Making a backup, also while servers run: everything in it is of one moment."""

from __future__ import annotations

import errno
import gzip
import os
import re
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from sqlalchemy import Connection, Table, literal, select, tuple_

from kursbuch.core.errors import KursbuchError
from kursbuch.web.backup import schema
from kursbuch.web.backup.archive import Head, Progress, Row, Writer, check, written
from kursbuch.web.database import Database
from kursbuch.web.models import now

#: So many rows are fetched at a time.
CHUNK = 500

#: What is wrong with the disk, and not with the database.
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)

#: The beginning and the end of the name of a backup in a folder.
PREFIX, SUFFIX = "kursbuch-", ".backup.gz"

#: What is named after its time, and not by somebody.
TIMED = re.compile(rf"{PREFIX}\d{{8}}-\d{{6}}{re.escape(SUFFIX)}")


def target(given: str, replace: bool) -> Path:
    """The file to write: in a folder, one that is named after the time."""
    path = Path(given)
    if path.is_dir():
        path = path / f"{PREFIX}{now():%Y%m%d-%H%M%S}{SUFFIX}"
    if path.exists() and not replace:
        raise KursbuchError(
            "There is a file {path} already; with --replace it is replaced.", path=str(path)
        )
    if not path.absolute().parent.is_dir():
        raise KursbuchError("There is no folder {folder}.", folder=str(path.absolute().parent))
    return path


async def write(database: Database, path: Path, progress: Progress) -> Head:
    """Write a backup and read it again; the file appears when it is found to be right."""
    handle, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=f".{path.name[:40]}.")
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
    writer = Writer(file, head, progress)
    for table in tables:
        writer.table(schema.section(table), rows_of(connection, table))
    writer.finish()


def rows_of(connection: Connection, table: Table) -> Iterator[Row]:
    """The rows of a table as an archive writes them."""
    kinds = [schema.kind(column) for column in table.columns]
    key = list(table.primary_key)
    places = [list(table.columns).index(column) for column in key]
    query = select(table).order_by(*key).limit(CHUNK)
    following = query
    # Not with a cursor of the server, which would hold the table against migrations.
    while rows := connection.execute(following).all():
        for row in rows:
            yield [written(value, kind) for value, kind in zip(row, kinds, strict=True)]
        last = [
            literal(rows[-1][place], column.type) for place, column in zip(places, key, strict=True)
        ]
        following = query.where(tuple_(*key) > tuple_(*last))


def forget_old(folder: Path, keep: int) -> list[Path]:
    """Delete all backups in a folder that were named after their time, but for the newest ones."""
    found = sorted((path for path in folder.iterdir() if TIMED.fullmatch(path.name)), reverse=True)
    for path in found[keep:]:
        path.unlink()
    return found[keep:]
