"""Loading and changing tables. A change runs in one transaction and is on disk before it is announced."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any
from weakref import WeakValueDictionary

from sqlalchemy import bindparam, exists, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm.exc import StaleDataError

from kursbuch.core.game import Game
from kursbuch.core.words import N_
from kursbuch.web.accounts.models import Account
from kursbuch.web.cache import LruCache
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import ChatRead, Consent, DataFile, Premove, Seat, Table, now
from kursbuch.web.http import idempotency
from kursbuch.web.http.admission import charged
from kursbuch.web.http.errors import Conflict, Unauthorized, no_table, stale
from kursbuch.web.http.security import is_account
from kursbuch.web.live.presence import Presence, spectator
from kursbuch.web.live.streams import Announcement
from kursbuch.web.ops.metrics import MOVES
from kursbuch.web.tables.games import MEMORY, REST, Games
from kursbuch.web.tables.policies import (
    CLOSED,
    FINISHED,
    LOBBY,
    MAX_DELAY_MINUTES,
    MOST_OPEN,
    RUNNING,
)
from kursbuch.web.tables.snapshot import (
    Snapshot,
    announcement,
    chat_mark,
    fixed_ahead,
    is_told,
    read_snapshot,
    seats_of,
    seems_to_go_on,
)
from kursbuch.web.tables.transaction import BESIDE, TableTransaction

#: The start page lists waiting and running tables of others with activity this recently.
LISTED_FOR = timedelta(days=30)

#: Maximum spectator delay after the end of a game.
LONGEST_DELAY = timedelta(minutes=MAX_DELAY_MINUTES)

#: Statements used by every move are built once.
_VERSION = select(
    Table.version, fixed_ahead(Table.id), chat_mark(Table.id).label("chat_mark")
).where(Table.id == bindparam("table"))
_LOCKED = select(Table).where(Table.id == bindparam("table")).with_for_update()
_AT_ONCE = (
    select(Table, Seat, *BESIDE)
    .join(Seat, Seat.table_id == Table.id)
    .where(Table.id == bindparam("table"))
    .order_by(Seat.number)
)


def new_id() -> str:
    """The id of a new table, without characters that look alike; 30 ** 10 possibilities cannot be guessed."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(10))


def new_seed() -> str:
    """The seed of a new game."""
    return secrets.token_hex(16)


def new_table(game: Game, creator: str, **chosen: Any) -> Table:
    """A new table for a game that has not begun; `chosen` are its other settings."""
    return Table(
        id=new_id(),
        title=game.title.id,
        options=game.options,
        seed=game.seed,
        seed_hash=game.seed_hash,
        status=LOBBY,
        creator=creator,
        version=1,
        revision=0,
        rewound=0,
        number=0,
        edition=game.edition,
        turn=[],
        bots_due=False,
        **chosen,
    )


class TableStore:
    """The tables of a server."""

    def __init__(
        self,
        database: Database,
        most_open: int = MOST_OPEN,
        presence: Presence | None = None,
        memory: float = MEMORY,
    ) -> None:
        self.database = database
        self.most_open = most_open
        self.presence = presence or Presence()
        self.games = Games(database, memory)
        self._snapshots = LruCache[str, Snapshot](memory * 1e6 / 4, Snapshot.weight, REST)
        self._reading: dict[str, asyncio.Task[Snapshot]] = {}
        #: Snapshots being loaded because of a change, by table and announced version.
        self._loading: dict[tuple[str, int], asyncio.Task[Snapshot]] = {}
        self._busy: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        #: Called with every change before it is stored, to store its consequences with it.
        self.keepers: list[Callable[[TableTransaction], Awaitable[None]]] = []
        #: Called with the table after every stored change.
        self.listeners: list[Callable[[Table, Announcement], Awaitable[None]]] = []

    # ---- reading

    async def load(self, table_id: str) -> Snapshot:
        """The current table; its game is at the same move."""
        async with self.refusing():
            while True:
                kept = self._snapshots.get(table_id)
                if kept is not None:
                    rows = await self.database.glance(_VERSION, {"table": table_id})
                    if rows and rows[0].version == kept.table.version and self._is_current(kept):
                        kept.fixed_ahead = rows[0].fixed_ahead
                        if rows[0].chat_mark != kept.chat_mark:
                            kept.read = await self._chat_read(table_id)
                            continue
                        if kept.is_whole:
                            return kept
                reading = self._reading.get(table_id)
                if reading is None:
                    read = await self._read_once(table_id)
                    if read.is_whole:
                        return read
                    continue
                # Another task is reading it, perhaps an earlier version.
                await asyncio.shield(reading)

    async def _chat_read(self, table_id: str) -> dict[str, int]:
        """The last chat message that each player has read."""
        query = select(ChatRead.owner, ChatRead.last).where(ChatRead.table_id == table_id)
        return {row.owner: row.last for row in await self.database.glance(query)}

    async def load_since(self, table_id: str, version: int) -> Snapshot:
        """The table at an announced version or later. All streams that want it share one load; after moves made here
        it is known already."""
        kept = self._snapshots.get(table_id)
        if (
            kept is not None
            and kept.table.version >= version
            and self._is_current(kept)
            and kept.is_whole
        ):
            return kept
        key = (table_id, version)
        loading = self._loading.get(key)
        if loading is None:
            loading = self._loading[key] = asyncio.create_task(self.load(table_id))

            def done(loaded: asyncio.Task[Snapshot]) -> None:
                del self._loading[key]
                loaded.cancelled() or loaded.exception()  # perhaps all waiting tasks are gone

            loading.add_done_callback(done)
        return await asyncio.shield(loading)

    async def _read_once(self, table_id: str) -> Snapshot:
        # In a task of its own, because others wait for it when this one is cancelled.
        reading = asyncio.create_task(charged(self._read(table_id)))
        self._reading[table_id] = reading
        reading.add_done_callback(lambda _: self._reading.pop(table_id, None))
        return await asyncio.shield(reading)

    def look_at(self, snapshot: Snapshot, visitor: str) -> None:
        """Record a visit; the snapshot then says who else is present."""
        table_id, owners = snapshot.table.id, [seat.owner for seat in snapshot.seats]
        self.presence.touch(table_id, visitor if visitor in owners else spectator(visitor))
        snapshot.present = frozenset(
            number
            for number, owner in enumerate(owners)
            if owner is not None and self.presence.looking(table_id, owner)
        )

    def _is_current(self, snapshot: Snapshot) -> bool:
        """Whether the game of a snapshot is still the cached one."""
        return snapshot.game is None or self.games.kept(snapshot.table.id) is snapshot.game

    async def _read(self, table_id: str) -> Snapshot:
        stored = None
        async with self.database.reading() as session:
            table = await session.get(Table, table_id)
            if table is None:
                raise no_table()
            seats = await seats_of(session, table_id)
            known = self._snapshots.get(table_id)
            snapshot = await read_snapshot(session, table, seats, known)
            snapshot.game = self.games.known(table, seats)
            if snapshot.game is None and (table.status in (RUNNING, FINISHED) or table.revision):
                stored = await self.games.read(session, table)
        # No connection is held while a game is replayed.
        if stored is not None:
            snapshot.game = await self.games.build(stored, seats)
        return self._snapshots.put(table_id, snapshot)

    async def look(self, table_id: str) -> Announcement | None:
        """The current announcement of a table; None if it does not exist."""
        async with self.refusing(), self.database.reading() as session:
            table = await session.get(Table, table_id)
            if table is None:
                return None
            return announcement(table, await seats_of(session, table_id))

    async def lists(
        self, visitor: str, limit: int = 30
    ) -> dict[str, list[tuple[Table, list[Seat]]]]:
        """Tables by list (mine, waiting, running, finished), newest first, as the visitor may see them: a hidden end
        looks like a running game. Untouched tables of others are left out, and those with bots only."""
        own = select(Seat.table_id).where((Seat.owner == visitor) | (Seat.former == visitor))
        due = select(Seat.table_id).where(Seat.owner == visitor, Seat.asked_at.is_not(None))
        newest = Table.updated_at.desc()
        # Abandoned tables would hide the active ones.
        alive = Table.listed & (Table.updated_at > now() - LISTED_FOR)
        somebody = Seat.owner.is_not(None) | Seat.former.is_not(None)
        played = exists().where(Seat.table_id == Table.id, somebody)
        over = Table.status.in_((FINISHED, CLOSED))
        shown_later = over & (Table.delay_minutes > 0) & (Table.updated_at > now() - LONGEST_DELAY)
        queries = {
            "mine": select(Table)
            .where(
                (Table.creator == visitor) | Table.id.in_(own),
                (Table.status != CLOSED) | shown_later,
            )
            .order_by(Table.status == FINISHED, Table.id.not_in(due), newest),
            "waiting": select(Table).where(alive, Table.status == LOBBY).order_by(newest),
            "running": select(Table)
            .where(alive, played, (Table.status == RUNNING) | shown_later)
            .order_by(newest),
            "finished": select(Table)
            .where(Table.listed, played, Table.status == FINISHED)
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

        def belongs(name: str, table: Table) -> bool:
            goes_on = seems_to_go_on(table, seats[table.id], visitor)
            return {
                "mine": goes_on or table.status != CLOSED,
                "waiting": True,
                "running": goes_on,
                "finished": is_told(table, seats[table.id], visitor),
            }[name]

        return {
            name: [(table, seats[table.id]) for table in tables if belongs(name, table)]
            for name, tables in found.items()
        }

    async def due_for_bots(self, before: datetime | None = None) -> list[tuple[str, bool]]:
        """Running tables where a bot has to decide, unchanged since `before`, and whether they have no players left."""
        people = exists().where(Seat.table_id == Table.id, Seat.owner.is_not(None))
        query = select(Table.id, ~people).where(Table.status == RUNNING, Table.bots_due)
        if before is not None:
            query = query.where(Table.updated_at < before)
        async with self.refusing(), self.database.reading() as session:
            return [(table_id, alone) for table_id, alone in await session.execute(query)]

    async def next_deadline(self) -> datetime | None:
        """The next end of a time to object."""
        query = select(func.min(Table.deadline)).where(Table.status == RUNNING)
        async with self.refusing(), self.database.reading() as session:
            return await session.scalar(query)

    async def overdue(self) -> list[str]:
        """Tables whose time to object is over."""
        query = select(Table.id).where(Table.status == RUNNING, Table.deadline <= now())
        async with self.refusing(), self.database.reading() as session:
            return list(await session.scalars(query))

    async def out_of_time(self) -> list[str]:
        """Tables where a player ran out of time."""
        query = select(Seat.table_id).distinct().where(Seat.due_at <= now(), Seat.late.is_(False))
        async with self.refusing(), self.database.reading() as session:
            return list(await session.scalars(query))

    async def unanswered(self) -> list[str]:
        """Tables where the time to answer a vote is over."""
        query = select(Consent.table_id).where(Consent.due_at <= now())
        async with self.refusing(), self.database.reading() as session:
            return list(await session.scalars(query))

    async def waiting_for(self, visitor: str) -> list[tuple[str, datetime | None, datetime]]:
        """The tables that wait for a visitor, longest first: id, deadline, and when the wait began."""
        asked = func.min(Seat.asked_at)
        query = (
            select(Table.id, func.min(Seat.due_at), asked)
            .join(Seat, Seat.table_id == Table.id)
            .where(Table.status == RUNNING, Seat.owner == visitor, Seat.asked_at.is_not(None))
            .group_by(Table.id)
            .order_by(asked)
        )
        async with self.refusing(), self.database.reading() as session:
            rows = await session.execute(query)
            return [(table_id, due, since or now()) for table_id, due, since in rows]

    async def intentions(self, table_id: str, seats: Sequence[int]) -> list[Premove]:
        """The premoves of these seats, and those that were dropped."""
        query = select(Premove).where(Premove.table_id == table_id, Premove.seat.in_(seats))
        async with self.refusing(), self.database.reading() as session:
            return list(await session.scalars(query.order_by(Premove.id)))

    async def component_data(self, table: Table) -> bytes | None:
        """The component data of a table."""
        if table.data_hash is None:
            return None
        async with self.database.reading() as session:
            return await session.scalar(
                select(DataFile.content).where(DataFile.hash == table.data_hash)
            )

    # ---- changing

    @asynccontextmanager
    async def refusing(self) -> AsyncIterator[None]:
        """Turn database failures into refusals."""
        try:
            with self.database.trouble.told():
                yield
        except (IntegrityError, StaleDataError):
            # Another transaction has inserted or deleted the same row.
            raise stale() from None

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncSession]:
        """A transaction outside tables; an idempotency key counts there too."""
        async with self.refusing(), self.database.writing() as session:
            await idempotency.claim(session)
            yield session

    @asynccontextmanager
    async def changing(
        self, table_id: str, replayed: bool = True
    ) -> AsyncIterator[TableTransaction]:
        """Change a table in the block: stored if that ends without an exception, then announced. With `replayed`, its
        game can be read and played."""
        async with self.refusing(), self._alone(table_id):
            if replayed and not self.games.is_ready(table_id):
                # Slow work comes before the transaction, which others wait for.
                await self._read(table_id)
            async with self.database.writing() as session:
                await idempotency.claim(session)
                change = await self._locked(session, table_id)
                table = change.table
                if replayed and table.status == RUNNING:
                    change.game = await self.games.get(session, table, change.seats)
                    change.position = change.game.position.clone()
                yield change
                if change.silent:
                    await idempotency.keep(session, change.answer)
                    return
                await self.complete(change)
                await idempotency.keep(session, change.answer or table.number)
            if table.revision != change.base:
                self.games.follow(
                    table,
                    change.base,
                    change.rewound,
                    change.actions,
                    change.position,
                    change.played,
                )
            self._follow(change)
        await self.tell(change)

    async def _locked(self, session: AsyncSession, table_id: str) -> TableTransaction:
        """A change of a table, whose row is locked until the transaction ends."""
        at_once = self.database.is_sqlite
        rows = (await session.execute(_AT_ONCE if at_once else _LOCKED, {"table": table_id})).all()
        if not rows:
            raise no_table()
        if at_once:
            return TableTransaction(session, rows[0].Table, [row.Seat for row in rows], rows[0])
        # A transaction that waited for a row lock sees that row fresh, but nothing else: so related rows are read
        # after locking.
        return TableTransaction(session, rows[0].Table, await seats_of(session, table_id))

    def _follow(self, change: TableTransaction) -> None:
        """Update the caches after stored moves."""
        table = change.table
        kept, game = self._snapshots.get(table.id), self.games.known(table, change.seats)
        if not change.only_moves or kept is None or game is None:
            return
        # It may have been read again meanwhile.
        if kept.table.version == change.version and self._is_current(kept):
            later = kept.after(table, change.seats, change.made)
            if later is not None:
                later.game = game
                later.fixed_ahead = change.beside is not None and change.beside.fixed_ahead
                self._snapshots.put(table.id, later)

    @asynccontextmanager
    async def opening(
        self, table: Table, seats: list[Seat], data: bytes | None = None
    ) -> AsyncIterator[TableTransaction]:
        """A change that opens a new table, with its own component data; stored and announced like any other."""
        async with self.refusing(), self.database.writing() as session:
            await idempotency.claim(session)
            await self.check_open(session, table.creator)
            if data is not None:
                table.data_hash = hashlib.sha256(data).hexdigest()
                if await session.get(DataFile, table.data_hash) is None:
                    session.add(DataFile(hash=table.data_hash, content=data))
                    await session.flush()
            change = await laid(session, table, seats)
            await self._check_there(session, [table.creator, *change.before.owners])
            yield change
            await self.complete(change)
            await idempotency.keep(session, table.id)
        await self.tell(change)

    async def _check_there(
        self,
        session: AsyncSession,
        owners: Iterable[str | None],
        before: Collection[str | None] = (),
    ) -> None:
        """Refuse a seat to accounts that are deleted or blocked at the same moment."""
        new = {owner for owner in owners if is_account(owner) and owner not in before}
        if new:
            there = Account.id.in_(new) & Account.closed_at.is_(None)
            query = select(Account.id).where(there).order_by(Account.id)
            if new.difference(await session.scalars(query.with_for_update(read=True))):
                raise Unauthorized(N_("Log in first."))

    async def check_open(self, session: AsyncSession, visitor: str) -> None:
        """Refuse another table to a visitor with too many open ones."""
        count = await session.scalar(
            select(func.count())
            .select_from(Table)
            .where(Table.creator == visitor, Table.status.in_((LOBBY, RUNNING)))
        )
        if (count or 0) >= self.most_open:
            raise Conflict(
                N_(
                    "You already have {count} open tables, the maximum: end one of their games "
                    "or close one first."
                ),
                count=count,
            )

    async def complete(self, change: TableTransaction) -> None:
        """Store the consequences of a change: the state of the table, and the notifications."""
        await self._check_there(
            change.session, {seat.owner for seat in change.seats}, change.before.owners
        )
        if change.begun or change.actions or change.rewound is not None:
            await change.settle()
        for keeper in self.keepers:
            await keeper(change)
        change.table.version += 1
        if change.table.status != change.before.status or change.table.status in (LOBBY, RUNNING):
            # Messages after the end do not make it later.
            change.table.updated_at = now()
        if change.only_moves:
            await change.write()

    @asynccontextmanager
    async def _alone(self, table_id: str) -> AsyncIterator[None]:
        """Serialise changes of a table: a task that waits for its row must not hold a connection."""
        busy = self._busy.get(table_id)
        if busy is None:
            busy = self._busy[table_id] = asyncio.Lock()
        async with busy:
            yield

    async def tell(self, change: TableTransaction) -> None:
        """Announce a stored change, and count its moves."""
        for action, _ in change.actions:
            moved = change.seats[action.seat] if action.seat >= 0 else None
            by = "computer" if moved is not None and moved.is_bot else "person"
            MOVES.labels(change.table.title, by).inc()
        announced = announcement(change.table, change.seats)
        for listener in self.listeners:
            await listener(change.table, announced)


async def laid(session: AsyncSession, table: Table, seats: list[Seat]) -> TableTransaction:
    """The change that opens a new table, within a transaction."""
    session.add(table)
    await session.flush()
    for seat in seats:
        seat.table_id = table.id
    session.add_all(seats)
    await session.flush()
    return TableTransaction(session, table, seats)
