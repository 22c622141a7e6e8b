"""Table access: joining, spectating, and spectator delay."""

from __future__ import annotations

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.words import N_
from kursbuch.web.accounts import attempts, credentials
from kursbuch.web.db.models import Seat, Table, TableGuest, TableInvitation
from kursbuch.web.http.errors import Conflict, Forbidden, Refused
from kursbuch.web.notifications.invitation_mail import withdraw
from kursbuch.web.notifications.models import Message
from kursbuch.web.tables.policies import (
    CLOSED,
    ENTRIES,
    ENTRY_INVITED,
    ENTRY_LINK,
    ENTRY_PASSWORD,
    FINISHED,
    LOBBY,
    MAX_DELAY_MINUTES,
    MAX_DELAY_MOVES,
    MAX_PASSWORD,
    RUNNING,
    WATCH_ALL,
    WATCHING,
)
from kursbuch.web.tables.snapshot import Snapshot
from kursbuch.web.tables.spectator_delay import plays_at
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.transaction import TableTransaction

#: What stands in the log: a table has been opened to those who look on, or closed; a delay has changed.
DOORS = "doors"


class TableClosed(Forbidden):
    """A table that nobody may see who does not play there; `snapshot` is for its door."""

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(N_("Nobody may look on at this table."))
        self.snapshot = snapshot


def check_access(entry: str, password: str, watching: str, moves: int, minutes: int) -> None:
    """Refuse what makes no sense for who may come."""
    if entry not in ENTRIES:
        raise Refused(N_("There is no such rule for who may sit down."))
    if watching not in WATCHING:
        raise Refused(N_("There is no such rule for who may look on."))
    if entry == ENTRY_PASSWORD and not 1 <= len(password) <= MAX_PASSWORD:
        raise Refused(
            N_("The password of the table must have {low} to {high} characters."),
            low=1,
            high=MAX_PASSWORD,
        )
    if not 0 <= moves <= MAX_DELAY_MOVES:
        raise Refused(
            N_("Those who look on can be {low} to {high} moves behind."),
            low=0,
            high=MAX_DELAY_MOVES,
        )
    if not 0 <= minutes <= MAX_DELAY_MINUTES:
        raise Refused(
            N_("Those who look on can be {low} to {high} minutes behind."),
            low=0,
            high=MAX_DELAY_MINUTES,
        )


async def require_join_permission(
    tables: TableStore, table_id: str, visitor: str, password: str = "", place: str = ""
) -> bool:
    """Refuse whoever may not sit down at a table; returns whether they have to be let in (`admit`), because they
    are known there from then on."""
    snapshot = await tables.load(table_id)
    table = snapshot.table
    if may_join(snapshot, visitor):
        return False
    if table.entry == ENTRY_INVITED:
        raise Forbidden(N_("This table is by invitation only."))
    if not password:
        raise Forbidden(N_("This table has a password."))
    await attempts.spend(tables, attempts.TABLE, table_id, place)
    await attempts.spend(tables, attempts.TABLE_ALL, table_id)
    if not await credentials.verify_password(table.password, password):
        raise Forbidden(N_("This table has a password, and that is not it."))
    return True


async def add_guest(session: AsyncSession, table_id: str, visitor: str) -> None:
    """Let somebody sit down at a table, if there is a seat."""
    if await session.get(TableGuest, (table_id, visitor)) is None:
        session.add(TableGuest(table_id=table_id, owner=visitor))


async def redeem_invitation(session: AsyncSession, table_id: str, visitor: str) -> None:
    """Note that whoever was invited by name sits down, whichever way he came."""
    mine = (TableInvitation.table_id == table_id) & (TableInvitation.account == visitor)
    await session.execute(
        update(TableInvitation)
        .where(mine, TableInvitation.uses_left > 0, ~TableInvitation.revoked)
        .values(uses_left=0, used=TableInvitation.used + 1)
    )
    await withdraw(session, Message.table_id == table_id, Message.account_id == visitor)


def require_unfinished(table: Table) -> None:
    """Refuse what makes no sense at a table whose game is over."""
    if table.status in (FINISHED, CLOSED):
        closed = table.status == CLOSED
        raise Conflict(N_("This table is closed.") if closed else N_("The game is over."))


def is_involved(table: Table, seats: list[Seat], visitor: str) -> bool:
    """Whether somebody has to do with a table: has opened it, plays there or did until replaced."""
    return table.creator == visitor or plays_at(seats, visitor)


def may_join(snapshot: Snapshot, visitor: str) -> bool:
    """Whether somebody may sit down without being asked for a password or an invitation."""
    table = snapshot.table
    known = visitor in snapshot.guests or is_involved(table, snapshot.seats, visitor)
    return known or table.entry == ENTRY_LINK


def may_watch(snapshot: Snapshot, visitor: str) -> bool:
    """Whether somebody may see the table. Where nobody looks on, there is nothing to be seen before the game; and
    who was let in sees what there is as long as a seat is free."""
    table = snapshot.table
    if table.watching == WATCH_ALL or table.status == LOBBY:
        return True
    if is_involved(table, snapshot.seats, visitor):
        return True
    return visitor in snapshot.guests and any(seat.is_free for seat in snapshot.seats)


async def change_access(
    tables: TableStore,
    table_id: str,
    visitor: str,
    *,
    entry: str,
    password: str,
    watching: str,
    moves: int,
    minutes: int,
) -> None:
    """Say anew who may come. Everybody sees in the log if that concerns those who look on. Without a password
    the one there is stays."""
    current = (await tables.load(table_id)).table
    kept = entry == ENTRY_PASSWORD and not password and current.password is not None
    check_access(ENTRY_LINK if kept else entry, password, watching, moves, minutes)
    stored = None
    if entry == ENTRY_PASSWORD:
        stored = current.password if kept else await credentials.hash_password(password)
    async with tables.changing(table_id) as changed:
        changed.require(LOBBY, RUNNING)
        table = changed.table
        if not may_change_access(table, changed.seats, visitor):
            raise Forbidden(N_("Only the one who opened the table can do that."))
        before = (table.watching, table.delay_moves, table.delay_minutes)
        table.entry, table.password = entry, stored
        table.watching, table.delay_moves, table.delay_minutes = watching, moves, minutes
        if table.status == RUNNING and before != (watching, moves, minutes):
            await _note(changed, visitor)


async def _note(changed: TableTransaction, visitor: str) -> None:
    table = changed.table
    own = [seat.number for seat in changed.seats if seat.owner == visitor]
    await changed.note(
        DOORS,
        own[0] if own else None,
        watching=table.watching,
        moves=table.delay_moves,
        minutes=table.delay_minutes,
    )


def may_change_access(table: Table, seats: list[Seat], visitor: str) -> bool:
    """Whether somebody may say who comes: the opener, or the players where the opener does not play."""
    owners = {seat.owner for seat in seats if seat.owner is not None}
    return visitor == table.creator or (table.creator not in owners and visitor in owners)
