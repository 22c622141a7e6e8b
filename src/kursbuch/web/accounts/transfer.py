"""Moving tables and seats to an account, and giving them up."""

from __future__ import annotations

import logging
from contextlib import suppress

from sqlalchemy import ColumnElement, Select, exists, select, update

from kursbuch.web.accounts import belongings
from kursbuch.web.background import noting
from kursbuch.web.db.models import GONE, Base, Consent, Seat, Table, TableGuest
from kursbuch.web.http.errors import NotFound
from kursbuch.web.notifications.models import (
    Notice,
    NotificationPreference,
    PushDevice,
    RecipientSettings,
    Webhook,
)
from kursbuch.web.tables import access, votes
from kursbuch.web.tables.policies import LOBBY, RUNNING
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.transaction import TableTransaction
from kursbuch.web.tables.votes import carry_out_agreed, is_agreed

#: What says how somebody is told things.
TOLD = [
    Base.metadata.tables[row.__tablename__]
    for row in (NotificationPreference, RecipientSettings, PushDevice, Webhook, Notice)
]

#: The creator of a table whose creator's account is no more, where nobody else sits.
NOBODY = "nobody"
log = logging.getLogger(__name__)


async def bring(
    tables: TableStore, browser: str, account: str, session_id: int | None = None
) -> int:
    """Give an account everything that belongs to a browser, in which it is logged in with a session; returns at
    how many tables. If it is interrupted, the rest goes over the next time."""
    found = await tables_of(tables, browser)
    async with tables.refusing(), tables.database.writing() as session:
        told_here = update(PushDevice).where(PushDevice.owner == browser)
        await session.execute(told_here.values(session_id=session_id))
        # With the seats it is told anew whose turn it is, as the account wants to be told.
        await belongings.bring(session, TOLD, browser, account)
    for table_id in found:
        async with tables.changing(table_id, replayed=False) as change:
            table = change.table
            if table.creator == browser:
                table.creator = account
            faced = any(seat.facing for seat in change.seats if seat.owner == account)
            for seat in change.seats:
                if seat.former == browser:
                    seat.former = account
                if seat.owner == browser:
                    seat.owner = account
                    seat.facing = seat.facing and not faced
            for consent in await _consents(change):
                if browser in consent.agreed:
                    names = [account if one == browser else one for one in consent.agreed]
                    consent.agreed = list(dict.fromkeys(names))
                # Who has it done by logging in would be surprised: it can be asked for again.
                if is_agreed(change.seats, consent):
                    await change.session.delete(consent)
            if await _forget_guest(change, browser):
                await access.add_guest(change.session, table_id, account)
    async with tables.refusing(), tables.database.writing() as session:
        await belongings.bring(session, belongings.owned(), browser, account)
    return len(found)


async def let_go(tables: TableStore, account: str) -> None:
    """Take an account from all its tables: its seats are free before a game, gone while it is played and
    after it. What it opened goes over to somebody else who sits there."""
    for table_id in await tables_of(tables, account):
        async with tables.changing(table_id, replayed=False) as change:
            table = change.table
            for seat in change.seats:
                if seat.former == account:
                    seat.former = None
                if seat.owner == account:
                    await _empty(change, seat)
            others = [seat.owner for seat in change.seats if seat.owner is not None]
            if table.creator == account:
                table.creator = next(iter(others), NOBODY)
                if table.status == LOBBY and not others:
                    await change.end()
            await _forget_guest(change, account)
            # Whoever asked the others for something may be gone; whoever did not answer surely is.
            for consent in await _consents(change):
                await change.session.delete(consent)


async def _empty(change: TableTransaction, seat: Seat) -> None:
    """A seat loses its player: it is free before a game, and gone while it is played and after it."""
    await votes.vacate_seat(change, seat)
    seat.owner = seat.token = seat.seen_at = None
    seat.facing = False
    if change.table.status == LOBBY:
        seat.name, seat.kind = "", "person"
    else:
        seat.kind = GONE
        if change.table.status == RUNNING:
            await change.note(votes.LEFT, seat.number)


async def shut_out(tables: TableStore, account: str) -> None:
    """Nobody waits at a table for an account that is closed: its seats are free before a game, and while one is played
    it is not asked for what the others have agreed to."""
    asked = exists().where(Consent.table_id == Table.id)
    waits = (Table.status == LOBBY) | ((Table.status == RUNNING) & asked)
    async with tables.refusing():
        rows = await tables.database.glance(select(Table.id).where(_sits(account), waits))
    for row in rows:
        # One that cannot be changed keeps no other waiting.
        with (
            noting(log, "Table %s goes on waiting for an account that was closed.", row.id),
            suppress(NotFound),
        ):
            await _wait_no_more(tables, row.id, account)


async def _wait_no_more(tables: TableStore, table_id: str, account: str) -> None:
    async with tables.changing(table_id) as change:
        if change.table.status == RUNNING:
            await carry_out_agreed(change)
        elif change.table.status == LOBBY:
            for seat in change.seats:
                if seat.owner == account:
                    await _empty(change, seat)


async def show_anew(tables: TableStore, account: str) -> None:
    """What is kept of the tables at which an account sits is made anew: its name leads to its profile there, who is
    shut out is not asked, and links that were taken back are not shown."""
    # By itself: whoever changes a table may wait for an account.
    async with tables.refusing(), tables.database.writing() as session:
        # In one order, so that of two who do this at the same time one waits for the other.
        await session.execute(
            select(Table.id).where(_sits(account)).order_by(Table.id).with_for_update()
        )
        later = update(Table).where(_sits(account)).values(version=Table.version + 1)
        await session.execute(later)


def _sits(account: str) -> ColumnElement[bool]:
    """Whether an account has a seat at a table, as a question to the database."""
    return Table.id.in_(select(Seat.table_id).where(Seat.owner == account))


async def tables_of(tables: TableStore, owner: str) -> list[str]:
    """The tables at which a browser or an account has to do with something."""
    async with tables.refusing():
        rows = await tables.database.glance(tables_with(owner).order_by(Table.id))
    return [row.id for row in rows]


def tables_with(owner: str) -> Select[str]:
    """These tables, as a question to the database."""
    own = select(Seat.table_id).where((Seat.owner == owner) | (Seat.former == owner))
    guest = select(TableGuest.table_id).where(TableGuest.owner == owner)
    return select(Table.id).where(
        (Table.creator == owner) | Table.id.in_(own) | Table.id.in_(guest)
    )


async def _forget_guest(change: TableTransaction, owner: str) -> bool:
    """Let somebody no longer be a guest of a table; returns whether it was one."""
    row = await change.session.get(TableGuest, (change.table.id, owner))
    if row is not None:
        await change.session.delete(row)
    return row is not None


async def _consents(change: TableTransaction) -> list[Consent]:
    query = select(Consent).where(Consent.table_id == change.table.id)
    return list(await change.session.scalars(query))
