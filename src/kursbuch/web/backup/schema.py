"""The tables of a database, whichever version of the program made it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON as JsonType
from sqlalchemy import (
    Column,
    Connection,
    DateTime,
    LargeBinary,
    MetaData,
    Table,
    create_engine,
    func,
    inspect,
    select,
    text,
)

from kursbuch.core.errors import KursbuchError
from kursbuch.web.backup import archive
from kursbuch.web.db.database import Database
from kursbuch.web.db.migrations import migrate, migrated_to, newest_migration, require_known
from kursbuch.web.db.models import Base

#: Key in `info` of a table that is only a cache and not backed up.
SPARE = "spare"


def names(revision: str) -> list[str]:
    """Return the tables that the migrations up to `revision` make, without caches."""
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        migrate(connection, revision)
        found = inspect(connection).get_table_names()
    engine.dispose()
    return [name for name in found if name != "alembic_version" and not _is_spare(name)]


def _is_spare(name: str) -> bool:
    table = Base.metadata.tables.get(name)
    return table is not None and bool(table.info.get(SPARE))


def tables(connection: Connection, revision: str) -> list[Table]:
    """Return the tables of a database at `revision`, parents first."""
    metadata = MetaData()
    metadata.reflect(connection, only=names(revision))
    for table in metadata.tables.values():
        for column in table.columns:
            if isinstance(column.type, JsonType):
                column.type.none_as_null = True
    return metadata.sorted_tables


def kind(column: Column[Any]) -> str:
    """Return how an archive writes the values of a column."""
    if isinstance(column.type, JsonType):
        return archive.JSON
    if isinstance(column.type, DateTime):
        return archive.TIME
    return archive.BYTES if isinstance(column.type, LargeBinary) else archive.PLAIN


def section(table: Table) -> archive.Section:
    """Return the start of a table in an archive."""
    columns = list(table.columns)
    return archive.Section(
        str(table.name), [str(one.name) for one in columns], [kind(one) for one in columns]
    )


def count(connection: Connection, table: Table) -> int:
    """Return the number of rows of a table."""
    return connection.scalar(select(func.count()).select_from(table)) or 0


def go_on_counting(connection: Connection, table: Table) -> None:
    """On PostgreSQL, let sequences continue after the inserted rows."""
    if connection.dialect.name != "postgresql":
        return
    for column in table.primary_key:
        sequence = connection.scalar(
            text("SELECT pg_get_serial_sequence(:name, :column)"),
            {"name": f'"{table.name}"', "column": column.name},
        )
        if sequence is not None:
            last = connection.scalar(select(func.max(column))) or 0
            connection.execute(
                text("SELECT setval(CAST(:sequence AS regclass), :next, false)"),
                {"sequence": sequence, "next": last + 1},
            )


def require_database(connection: Connection) -> str:
    """Return the migration of a database; refuse a foreign one."""
    found = migrated_to(connection)
    if found is None:
        raise KursbuchError("This database is empty: no server has used it yet.")
    require_known(found)
    return found


async def require_current(database: Database) -> None:
    """Refuse a database that this version of the program has not migrated."""
    async with database.engine.connect() as connection:
        found = await connection.run_sync(require_database)
    if found != newest_migration():
        raise KursbuchError(
            "This database was used by an older version of the program. Start the server once."
        )
