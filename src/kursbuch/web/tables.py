"""The tables: read, and changed in one transaction that holds the table's lock and is on disk before it
is announced. A change that is refused leaves no trace.

What can be done at a table is in `deeds`. Nothing of all this knows of HTTP.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.words import N_
from kursbuch.web.change import Change
from kursbuch.web.database import Database
from kursbuch.web.errors import Unavailable, no_table, stale
from kursbuch.web.games import Games
from kursbuch.web.live import Announcement
from kursbuch.web.models import DataFile, Seat, Table, now
from kursbuch.web.policies import CLOSED, FINISHED, LOBBY, MOST_OPEN, RUNNING
from kursbuch.web.recent import Recent
from kursbuch.web.snapshot import Snapshot, announcement, read_snapshot, seats_of

SNAPSHOTS = 200

#: The start page shows tables of others that wait or run if something has happened at them so lately.
LISTED_FOR = timedelta(days=30)

log = logging.getLogger(__name__)


def new_id() -> str:
    """The id of a new table: without letters and digits that look alike; 30 ** 10 possibilities cannot
    be guessed."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(10))


def new_seed() -> str:
    """The seed of a new game."""
    return secrets.token_hex(16)


class Tables:
    """The tables of a server."""

    def __init__(self, database: Database, most_open: int = MOST_OPEN) -> None:
        self.database = database
        self.most_open = most_open
        self.games = Games()
        self._snapshots = Recent[str, Snapshot](SNAPSHOTS)
        #: Called with the table after every stored change.
        self.listeners: list[Callable[[Table, Announcement], Awaitable[None]]] = []

    # ---- reading

    async def load(self, table_id: str) -> Snapshot:
        """The table as it is now."""
        query = (
            select(Table.version, Seat.number, Seat.seen_at)
            .join(Seat, Seat.table_id == Table.id)
            .where(Table.id == table_id)
        )
        async with self.refusing():
            kept = self._snapshots.get(table_id)
            if kept is not None:
                rows = await self.database.glance(query)
                if rows and rows[0].version == kept.table.version and self._is_current(kept):
                    kept.seen = {row.number: row.seen_at for row in rows}
                    return self._snapshots.put(table_id, kept)
            async with self.database.reading() as session:
                return await self._read(session, table_id)

    def _is_current(self, snapshot: Snapshot) -> bool:
        """Whether the game of a snapshot is still the one that is kept up to date."""
        return snapshot.game is None or self.games.kept(snapshot.table.id) is snapshot.game

    async def _read(self, session: AsyncSession, table_id: str) -> Snapshot:
        table = await session.get(Table, table_id)
        if table is None:
            raise no_table()
        seats = await seats_of(session, table_id)
        snapshot = await read_snapshot(session, table, seats)
        if table.status in (RUNNING, FINISHED) or table.revision:
            snapshot.game = await self.games.get(session, table, seats)
        return self._snapshots.put(table_id, snapshot)

    async def look(self, table_id: str) -> Announcement | None:
        """What would be announced of the table now; None if there is no such table."""
        async with self.database.reading() as session:
            table = await session.get(Table, table_id)
            if table is None:
                return None
            return announcement(table, await seats_of(session, table_id))

    async def check(self) -> None:
        """Refuse if the database does not answer."""
        async with self.refusing():
            await self.database.glance(select(1))

    async def lists(
        self, visitor: str, limit: int = 30
    ) -> dict[str, list[tuple[Table, list[Seat]]]]:
        """Tables by list (mine, waiting, running, finished), newest first. Those of
        others that wait or run untouched for long are left out."""
        own = select(Seat.table_id).where(Seat.owner == visitor)
        newest = Table.updated_at.desc()
        # Tables that everybody has left would be in the way of those where somebody is.
        alive = Table.listed & (Table.updated_at > now() - LISTED_FOR)
        queries = {
            "mine": select(Table)
            .where((Table.creator == visitor) | Table.id.in_(own), Table.status != CLOSED)
            .order_by(Table.status == FINISHED, newest),
            "waiting": select(Table).where(alive, Table.status == LOBBY).order_by(newest),
            "running": select(Table).where(alive, Table.status == RUNNING).order_by(newest),
            "finished": select(Table)
            .where(Table.listed, Table.status == FINISHED)
            .order_by(newest),
        }
        async with self.refusing(), self.database.reading() as session:
            found = {
                name: list(await session.scalars(query.limit(limit)))
                for name, query in queries.items()
            }
            ids = {table.id for tables in found.values() for table in tables}
            seats: dict[str, list[Seat]] = {table_id: [] for table_id in ids}
            for seat in await session.scalars(
                select(Seat).where(Seat.table_id.in_(ids)).order_by(Seat.number)
            ):
                seats[seat.table_id].append(seat)
        return {
            name: [(table, seats[table.id]) for table in tables] for name, tables in found.items()
        }

    async def due_for_bots(self, before: datetime | None = None) -> list[str]:
        """Running tables at which the computer has to decide, unchanged since `before`."""
        query = select(Table.id).where(Table.status == RUNNING, Table.bots_due)
        if before is not None:
            query = query.where(Table.updated_at < before)
        async with self.refusing(), self.database.reading() as session:
            return list(await session.scalars(query))

    async def next_deadline(self) -> datetime | None:
        """When the next time for objections ends."""
        query = select(func.min(Table.deadline)).where(Table.status == RUNNING)
        async with self.refusing(), self.database.reading() as session:
            return await session.scalar(query)

    async def overdue(self) -> list[str]:
        """Tables at which the time for objections is over."""
        query = select(Table.id).where(Table.status == RUNNING, Table.deadline <= now())
        async with self.refusing(), self.database.reading() as session:
            return list(await session.scalars(query))

    async def component_data(self, table: Table) -> bytes | None:
        """The table's own component data."""
        if table.data_hash is None:
            return None
        async with self.database.reading() as session:
            return await session.scalar(
                select(DataFile.content).where(DataFile.hash == table.data_hash)
            )

    # ---- changing

    @asynccontextmanager
    async def refusing(self) -> AsyncIterator[None]:
        """Turn failures of the database into refusals."""
        try:
            yield
        except IntegrityError:
            raise stale() from None
        except (DBAPIError, OSError) as error:
            if isinstance(error, OSError | OperationalError | InterfaceError):
                log.error("The database does not answer: %s", str(error).partition("\n")[0])
            else:
                log.exception("The database refuses something.")
            raise Unavailable(
                N_("The server cannot reach its database just now: please try again.")
            ) from error

    @asynccontextmanager
    async def changing(self, table_id: str) -> AsyncIterator[Change]:
        """A change of a table, made in the block: stored when that ends without an exception, then
        announced."""
        async with self.refusing():
            async with self.database.writing() as session:
                table = await session.get(Table, table_id, with_for_update=True)
                if table is None:
                    raise no_table()
                change = Change(session, table, await seats_of(session, table_id))
                if table.status == RUNNING:
                    change.game = await self.games.get(session, table, change.seats)
                    change.position = change.game.position.clone()
                yield change
                if change.silent:
                    return
                if change.actions or change.rewound is not None:
                    await change.settle()
                table.version += 1
                table.updated_at = now()
            if table.revision != change.base:
                self.games.follow(
                    table_id, change.base, table.revision, change.rewound, change.actions
                )
        await self._tell(table, change.seats)

    async def _tell(self, table: Table, seats: list[Seat]) -> None:
        """Announce a table as it is stored now."""
        announced = announcement(table, seats)
        for listener in self.listeners:
            await listener(table, announced)
