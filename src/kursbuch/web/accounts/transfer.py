"""Rows, tables and seats of an account: move, give up, erase and export them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from sqlalchemy import Column, ColumnElement, Select, and_, delete, exists, select, update
from sqlalchemy import Table as DatabaseTable
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.web.accounts.models import Account, ApiToken, Invitation, Rating, Session
from kursbuch.web.background import noting
from kursbuch.web.db.models import (
    GONE,
    Base,
    Chat,
    Consent,
    Premove,
    Seat,
    StoredMove,
    Table,
    TableGuest,
)
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

OWNER = "owner"

#: Key in `info` of a column: the texts of browser and account are joined.
APPENDED = "joined"

#: Separator of joined texts.
SEPARATOR = "\n\n———\n\n"

#: Columns that are never exported, not even to their owner.
SECRET_COLUMNS = frozenset({"hash", "secret", "token"})


def owned_tables() -> list[DatabaseTable]:
    """Return the database tables with an owner. Seats are changed with their game table."""
    return [
        table
        for table in Base.metadata.sorted_tables
        if OWNER in table.columns and table.name != Seat.__tablename__
    ]


async def move_rows(
    session: AsyncSession, tables: Iterable[DatabaseTable], browser: str, account: str
) -> None:
    """Move the rows of a browser to an account, except those it already has; texts are joined."""
    for table in tables:
        owner = table.columns[OWNER]
        rest = [column for column in table.primary_key if column is not owner]
        if owner.primary_key:
            for row in await session.execute(select(*rest or [owner]).where(owner == browser)):
                same = [column == value for column, value in zip(rest, row, strict=False)]
                of_account = and_(owner == account, *same)
                of_browser = and_(owner == browser, *same)
                if (await session.execute(select(owner).where(of_account))).first() is not None:
                    for text in (one for one in table.columns if one.info.get(APPENDED)):
                        await _append_text(session, table, text, of_account, of_browser)
                    await session.execute(delete(table).where(of_browser))
        await session.execute(update(table).where(owner == browser).values({OWNER: account}))


async def _append_text(
    session: AsyncSession,
    table: DatabaseTable,
    text: Column[str],
    first: ColumnElement[bool],
    second: ColumnElement[bool],
) -> None:
    """Append the text of one row to that of another, unless it is already there."""
    upper = await session.scalar(select(text).where(first).with_for_update())
    lower = await session.scalar(select(text).where(second))
    if upper and lower and lower not in upper:
        joined = lower if upper in lower else f"{upper}{SEPARATOR}{lower}"
        await session.execute(update(table).where(first).values({text: joined}))


async def erase_rows(session: AsyncSession, tables: Iterable[DatabaseTable], account: str) -> None:
    """Erase the rows of an account."""
    for table in tables:
        await session.execute(delete(table).where(table.columns[OWNER] == account))


async def export_rows(
    session: AsyncSession, tables: Iterable[DatabaseTable], account: str
) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of an account by table."""
    found = {}
    for table in tables:
        shown = [column for column in table.columns if column.name not in SECRET_COLUMNS]
        rows = await session.execute(select(*shown).where(table.columns[OWNER] == account))
        found[table.name] = [row._asdict() for row in rows]
    return found


#: Tables about how a player is notified.
NOTIFICATION_TABLES = [
    Base.metadata.tables[row.__tablename__]
    for row in (NotificationPreference, RecipientSettings, PushDevice, Webhook, Notice)
]

#: Creator of a table whose creator was deleted and where no one else sits.
NO_CREATOR = "nobody"
log = logging.getLogger(__name__)


async def move_to_account(
    tables: TableStore, browser: str, account: str, session_id: int | None = None
) -> int:
    """Move everything of a browser to the account that logged in there; return the number of
    tables.

    After an interruption the rest follows at the next log-in."""
    found = await table_ids_of(tables, browser)
    async with tables.refusing(), tables.database.writing() as session:
        told_here = update(PushDevice).where(PushDevice.owner == browser)
        await session.execute(told_here.values(session_id=session_id))
        # Moved with the seats, turns are notified again, as the account prefers.
        await move_rows(session, NOTIFICATION_TABLES, browser, account)
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
                # Logging in must not settle a vote by surprise; it can be asked for again.
                if is_agreed(change.seats, consent):
                    await change.session.delete(consent)
            if await _forget_guest(change, browser):
                await access.add_guest(change.session, table_id, account)
    async with tables.refusing(), tables.database.writing() as session:
        await move_rows(session, owned_tables(), browser, account)
    return len(found)


async def leave_tables(tables: TableStore, account: str) -> None:
    """Take an account from all its tables.

    Its seats become free before a game and vacant in one. Another player there takes over a table
    it created."""
    for table_id in await table_ids_of(tables, account):
        async with tables.changing(table_id, replayed=False) as change:
            table = change.table
            for seat in change.seats:
                if seat.former == account:
                    seat.former = None
                if seat.owner == account:
                    await _vacate(change, seat)
            others = [seat.owner for seat in change.seats if seat.owner is not None]
            if table.creator == account:
                table.creator = next(iter(others), NO_CREATOR)
                if table.status == LOBBY and not others:
                    await change.end()
            await _forget_guest(change, account)
            # The account may have asked for the vote, or not have answered it.
            for consent in await _consents(change):
                await change.session.delete(consent)


async def _vacate(change: TableTransaction, seat: Seat) -> None:
    """Remove the player of a seat: it is free before a game, and vacant in one."""
    await votes.vacate_seat(change, seat)
    seat.owner = seat.token = seat.seen_at = None
    seat.facing = False
    if change.table.status == LOBBY:
        seat.name, seat.kind = "", "person"
    else:
        seat.kind = GONE
        if change.table.status == RUNNING:
            await change.note(votes.LEFT, seat.number)


async def release_tables(tables: TableStore, account: str) -> None:
    """Release tables that wait for a suspended account.

    Its seats become free before a game, and votes in a game go on without it."""
    asked = exists().where(Consent.table_id == Table.id)
    waits = (Table.status == LOBBY) | ((Table.status == RUNNING) & asked)
    async with tables.refusing():
        rows = await tables.database.glance(select(Table.id).where(_sits(account), waits))
    for row in rows:
        # A table that cannot be changed holds up no other.
        with (
            noting(log, "Table %s goes on waiting for an account that was closed.", row.id),
            suppress(NotFound),
        ):
            await _release(tables, row.id, account)


async def _release(tables: TableStore, table_id: str, account: str) -> None:
    async with tables.changing(table_id) as change:
        if change.table.status == RUNNING:
            await carry_out_agreed(change)
        elif change.table.status == LOBBY:
            for seat in change.seats:
                if seat.owner == account:
                    await _vacate(change, seat)


async def refresh_tables(tables: TableStore, account: str) -> None:
    """Have cached views of an account's tables made again.

    They show its name with a profile link, whether it is asked for votes, and links to its seats."""
    # In a transaction of its own: a change of a table may wait for an account.
    async with tables.refusing(), tables.database.writing() as session:
        # In one order, so that of two such changes one waits for the other.
        await session.execute(
            select(Table.id).where(_sits(account)).order_by(Table.id).with_for_update()
        )
        later = update(Table).where(_sits(account)).values(version=Table.version + 1)
        await session.execute(later)


def _sits(account: str) -> ColumnElement[bool]:
    """Return the condition that an account has a seat at a table."""
    return Table.id.in_(select(Seat.table_id).where(Seat.owner == account))


async def table_ids_of(tables: TableStore, owner: str) -> list[str]:
    """Return the ids of tables that concern a browser or an account."""
    async with tables.refusing():
        rows = await tables.database.glance(select_tables(owner).order_by(Table.id))
    return [row.id for row in rows]


def select_tables(owner: str) -> Select[str]:
    """Return the query for these tables."""
    own = select(Seat.table_id).where((Seat.owner == owner) | (Seat.former == owner))
    guest = select(TableGuest.table_id).where(TableGuest.owner == owner)
    return select(Table.id).where(
        (Table.creator == owner) | Table.id.in_(own) | Table.id.in_(guest)
    )


async def _forget_guest(change: TableTransaction, owner: str) -> bool:
    """Remove a guest of a table; return whether there was one."""
    row = await change.session.get(TableGuest, (change.table.id, owner))
    if row is not None:
        await change.session.delete(row)
    return row is not None


async def _consents(change: TableTransaction) -> list[Consent]:
    query = select(Consent).where(Consent.table_id == change.table.id)
    return list(await change.session.scalars(query))


async def export_account(session: AsyncSession, account: Account) -> Mapping[str, Any]:
    """Return everything stored about an account, without secrets."""
    mine = account.id
    seats = select(Table, Seat).join(Seat, Seat.table_id == Table.id).where(Seat.owner == mine)
    tables = []
    for table, seat in await session.execute(seats.order_by(Table.created_at, Seat.number)):
        of_seat = StoredMove.table_id == table.id, StoredMove.seat == seat.number
        moves = await session.execute(
            select(StoredMove.number, StoredMove.action, StoredMove.made_at)
            .where(*of_seat, StoredMove.automatic.is_(False))
            .order_by(StoredMove.number)
        )
        chat = await session.execute(
            select(Chat.text, Chat.sent_at)
            .where(Chat.table_id == table.id, Chat.seat == seat.number)
            .order_by(Chat.id)
        )
        planned = select(Premove.plan).where(
            Premove.table_id == table.id, Premove.seat == seat.number
        )
        tables.append(
            {
                "id": table.id,
                "title": table.title,
                "status": table.status,
                "seat": seat.number,
                "name": seat.name,
                "opened_by_me": table.creator == mine,
                "opened": table.created_at,
                "result": table.result,
                "moves": [row._asdict() for row in moves],
                "chat": [row._asdict() for row in chat],
                "planned": list(await session.scalars(planned)),
            }
        )
    opened = select(Table.id, Table.title, Table.status, Table.created_at).where(
        Table.creator == mine, Table.id.not_in([one["id"] for one in tables])
    )

    async def listed(owner: Any, *columns: Any) -> list[dict[str, Any]]:
        found = await session.execute(select(*columns).where(owner == mine).order_by(columns[0]))
        return [one._asdict() for one in found]

    return {
        "account": {
            "id": account.id,
            "name": account.name,
            "email": account.email,
            "language": account.language,
            "settings": account.settings,
            "created": account.created_at,
        },
        "sessions": await listed(
            Session.account_id, Session.created_at, Session.seen_at, Session.device
        ),
        "tokens": await listed(
            ApiToken.account_id, ApiToken.created_at, ApiToken.used_at, ApiToken.name
        ),
        "told": await listed(
            NotificationPreference.owner,
            NotificationPreference.table_id,
            NotificationPreference.channel,
            NotificationPreference.pace,
        ),
        "told_in_browsers": await listed(PushDevice.owner, PushDevice.made_at),
        "told_to_programs": await listed(Webhook.owner, Webhook.url, Webhook.form),
        "invitations": await listed(Invitation.creator, Invitation.created_at, Invitation.note),
        "ratings": await listed(
            Rating.account_id,
            Rating.title,
            Rating.mu,
            Rating.sigma,
            Rating.games,
            Rating.won,
        ),
        "tables": tables,
        "opened_for_others": [
            row._asdict() for row in await session.execute(opened.order_by(Table.created_at))
        ],
        **await export_rows(session, owned_tables(), mine),
    }
