"""Administration of tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import ColumnElement, String, cast, delete, func, literal, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.words import N_
from kursbuch.web.admin.audit import Actor, note
from kursbuch.web.db.models import Base, DataFile, Origin, Seat, Table, now
from kursbuch.web.http.errors import NotFound
from kursbuch.web.notifications.models import NotificationPreference
from kursbuch.web.tables.policies import CLOSED, FINISHED, LOBBY, RUNNING
from kursbuch.web.tables.store import TableStore

#: Number of tables on a page of the list.
PAGE = 50

#: Maximum number of ids in one statement; PostgreSQL takes 32,767 values.
BATCH = 10_000

#: Limit on ages, in days.
MAX_DAYS = 36_500


class AdminTableLine(msgspec.Struct, frozen=True):
    """A table in the list; `bytes` is its approximate size in the database."""

    id: str
    title: str
    status: str
    players: list[str]
    moves: int
    bytes: int
    created_at: datetime
    updated_at: datetime


class FoundTables(msgspec.Struct, frozen=True):
    """A page of tables, and the number of all that match."""

    lines: list[AdminTableLine]
    count: int


async def listed(
    tables: TableStore,
    *,
    status: str = "",
    query: str = "",
    by_size: bool = False,
    limit: int = PAGE,
    offset: int = 0,
) -> FoundTables:
    """Return tables with this status, and this text as their id or in a player's name.

    The last changed come first or, with `by_size`, the largest."""
    wanted: list[ColumnElement[bool]] = [Table.status == status] if status else []
    if query:
        named = select(Seat.table_id).where(
            func.lower(Seat.name).contains(query.lower(), autoescape=True)
        )
        wanted.append(or_(Table.id == query, Table.id.in_(named)))
    async with tables.refusing(), tables.database.reading() as session:
        count = await session.scalar(select(func.count()).select_from(Table).where(*wanted)) or 0
        found: list[Table] = []
        if by_size:
            taken = await sizes(session)
            ids = list(await session.scalars(select(Table.id).where(*wanted)))
            ids.sort(key=lambda one: (-taken.get(one, 0), one))
            for some in _batches(ids[offset : offset + limit]):
                found += await session.scalars(select(Table).where(Table.id.in_(some)))
        else:
            rows = select(Table).where(*wanted).order_by(Table.updated_at.desc(), Table.id)
            found += await session.scalars(rows.offset(offset).limit(limit))
        lines = await _lines(session, found)
    if by_size:
        lines.sort(key=lambda line: (-line.bytes, line.id))
    return FoundTables(lines, count)


async def line(tables: TableStore, table_id: str) -> AdminTableLine:
    """Return one table."""
    async with tables.refusing(), tables.database.reading() as session:
        table = await session.get(Table, table_id)
        if table is None:
            raise NotFound(N_("There is no such table."))
        return (await _lines(session, [table]))[0]


async def _lines(session: AsyncSession, found: Sequence[Table]) -> list[AdminTableLine]:
    ids = [table.id for table in found]
    taken = await sizes(session, ids)
    players: dict[str, list[str]] = {table_id: [] for table_id in ids}
    for some in _batches(ids):
        seats = select(Seat.table_id, Seat.name).where(Seat.table_id.in_(some))
        for table_id, name in await session.execute(seats.order_by(Seat.number)):
            if name:
                players[table_id].append(name)
    return [
        AdminTableLine(
            table.id,
            table.title,
            table.status,
            players[table.id],
            table.number,
            taken.get(table.id, 0),
            table.created_at,
            table.updated_at,
        )
        for table in found
    ]


async def sizes(session: AsyncSession, ids: Sequence[str] | None = None) -> dict[str, int]:
    """Return the approximate size of tables in bytes, at least of these ids: the text of all their
    rows."""
    found: dict[str, int] = defaultdict(int)
    for table in Base.metadata.sorted_tables:
        key = table.c.id if table is Table.__table__ else table.c.get("table_id")
        if key is None:
            continue
        length: ColumnElement[int] = literal(0)
        for column in table.columns:
            length = length + func.coalesce(func.length(cast(column, String)), 0)
        query = select(key, func.sum(length)).group_by(key)
        # For more ids, adding up all rows is quicker than batches for every kind of row.
        if ids is not None and len(ids) <= BATCH:
            query = query.where(key.in_(ids))
        for table_id, taken in await session.execute(query):
            if table_id is not None:
                found[table_id] += int(taken)
    return found


def _batches(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    """Split ids into batches for one statement each."""
    return (ids[start : start + BATCH] for start in range(0, len(ids), BATCH))


async def old_tables(
    tables: TableStore, *, finished: int | None = None, asleep: int | None = None
) -> list[AdminTableLine]:
    """Return tables finished, or inactive, for a number of days, the oldest first."""
    wanted = []
    for days, status in ((finished, (FINISHED, CLOSED)), (asleep, (LOBBY, RUNNING))):
        if days is not None:
            before = now() - timedelta(days=min(days, MAX_DAYS))
            wanted.append(Table.status.in_(status) & (Table.updated_at < before))
    if not wanted:
        return []
    async with tables.refusing(), tables.database.reading() as session:
        query = select(Table).where(or_(*wanted)).order_by(Table.updated_at, Table.id)
        return await _lines(session, list(await session.scalars(query)))


async def close(tables: TableStore, actor: Actor, table_id: str) -> None:
    """End a table without a result, even if its game cannot be shown."""
    async with tables.changing(table_id, replayed=False) as change:
        change.require(LOBBY, RUNNING)
        await change.end()
        note(change.session, actor, "close-table", table_id)


async def delete_one(tables: TableStore, actor: Actor, table_id: str) -> None:
    """Delete a table with everything that belongs to it."""
    async with tables.changing(table_id, replayed=False) as change:
        names = [seat.name for seat in change.seats]
        title = change.table.title
        # There is nothing left to announce.
        change.silent = True
        await remove(change.session, [table_id])
        note(change.session, actor, "delete-table", table_id, title=title, players=names)


async def clean(
    tables: TableStore, actor: Actor, *, finished: int | None = None, asleep: int | None = None
) -> list[AdminTableLine]:
    """Delete the tables that `old_tables` finds; return them."""
    found = await old_tables(tables, finished=finished, asleep=asleep)
    gone = []
    try:
        for line in found:
            async with tables.refusing(), tables.database.writing() as session:
                table = await session.get(Table, line.id, with_for_update=True)
                # A player may have come back meanwhile.
                if table is not None and table.updated_at == line.updated_at:
                    await remove(session, [line.id])
                    gone.append(line)
    finally:
        if gone:
            async with tables.refusing(), tables.database.writing() as session:
                tidied = [line.id for line in gone]
                note(session, actor, "clean", count=len(gone), tables=tidied)
    return gone


async def remove(session: AsyncSession, ids: Sequence[str]) -> None:
    """Delete tables with everything that belongs to them, and component data no other table uses.

    Cached views of their copies are made again, because they link to them."""
    for some in _batches(ids):
        copies = select(Origin.table_id).where(Origin.source_id.in_(some))
        await session.execute(
            select(Table.id)
            .where(Table.id.in_(some) | Table.id.in_(copies))
            .order_by(Table.id)
            .with_for_update()
        )
        later = update(Table).where(Table.id.in_(copies)).values(version=Table.version + 1)
        await session.execute(later)
        await session.execute(delete(Table).where(Table.id.in_(some)))
        await session.execute(
            delete(NotificationPreference).where(NotificationPreference.table_id.in_(some))
        )
    used = select(Table.data_hash).where(Table.data_hash.is_not(None))
    await session.execute(delete(DataFile).where(DataFile.hash.not_in(used)))
