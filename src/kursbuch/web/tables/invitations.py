"""Invitations to a table: by link, by name or by mail."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from sqlalchemy import exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.words import N_
from kursbuch.web.accounts import attempts
from kursbuch.web.accounts import service as accounts
from kursbuch.web.db.models import FREE_SEAT, Seat, Table, TableGuest, TableInvitation, now
from kursbuch.web.http import idempotency
from kursbuch.web.http.errors import Conflict, Forbidden, NotFound, Refused
from kursbuch.web.http.security import is_account
from kursbuch.web.notifications.notifier import Inviter, notify_invited, withdraw_invitations
from kursbuch.web.notifications.outbox import MAIL
from kursbuch.web.tables import access
from kursbuch.web.tables.policies import LOBBY, RUNNING
from kursbuch.web.tables.snapshot import Snapshot, seats_of
from kursbuch.web.tables.store import TableStore

#: So often a link can be used at most.
MOST_USES = 50

#: So many invitations that can still be used one person may have made for a table.
MOST_OF_TABLE = 30


async def invite(
    tables: TableStore,
    table_id: str,
    visitor: str,
    uses: int = 1,
    to: str = "",
    host: Inviter | None = None,
) -> int:
    """Make a link with which so many people can come to a table; returns the number of the invitation. With
    `to`, the name of an account or a mail address, it is for one person, who is told by the server of `host`."""
    to = " ".join(to.split())
    uses = 1 if to else uses
    if not 1 <= uses <= MOST_USES:
        raise Refused(N_("An invitation can be used {low} to {high} times."), low=1, high=MOST_USES)
    snapshot = await tables.load(table_id)
    require_host(snapshot, visitor)
    async with tables.writing() as session:
        if to:
            await _check_writer(session, visitor, to, host)
        held = await session.scalar(
            select(func.count())
            .select_from(TableInvitation)
            .where(
                TableInvitation.table_id == table_id,
                TableInvitation.owner == visitor,
                TableInvitation.uses_left > 0,
                ~TableInvitation.revoked,
            )
        )
        if (held or 0) >= MOST_OF_TABLE:
            raise Conflict(
                N_("There are {count} open invitations already: revoke one first."), count=held
            )
        account, name = await _meant(session, snapshot, to) if to else (None, "")
        row = TableInvitation(
            table_id=table_id,
            owner=visitor,
            token=secrets.token_urlsafe(18),
            account=account,
            name=name,
            uses_left=uses,
            made_at=now(),
        )
        session.add(row)
        await session.flush()
        if host is not None and to:
            await notify_invited(session, row, host)
        await idempotency.keep(session, row.id)
        return row.id


async def _check_writer(session: AsyncSession, visitor: str, to: str, host: Inviter | None) -> None:
    """Refuse whoever may not have the server write to others."""
    if not to.isprintable():
        raise Refused(N_("Names have only characters that can be printed."))
    if not is_account(visitor):
        raise Forbidden(N_("Only somebody with an account can invite by name or mail."))
    if "@" in to:
        accounts.checked_email(to)
        if host is None or MAIL not in host.channels:
            raise Refused(N_("This server sends no mails."))
        await attempts.spend_within(session, attempts.LETTER, to.lower())
    await attempts.spend_within(session, attempts.INVITE, visitor)


async def _meant(session: AsyncSession, snapshot: Snapshot, to: str) -> tuple[str | None, str]:
    """The account that is meant, and what the invitation says whom it is for. Whose a mail address is
    stays unknown."""
    if "@" in to:
        return None, accounts.checked_email(to)
    account = await accounts.account_named(session, to)
    if account is None or account.closed_at is not None:
        raise Refused(N_("There is no player called {name}."), name=to[:40])
    if any(seat.owner == account.id for seat in snapshot.seats):
        raise Conflict(N_("{name} sits at this table already."), name=account.name)
    same = select(TableInvitation.id).where(
        TableInvitation.table_id == snapshot.table.id,
        TableInvitation.account == account.id,
        TableInvitation.uses_left > 0,
        ~TableInvitation.revoked,
    )
    if await session.scalar(same) is not None:
        raise Conflict(N_("{name} is invited already."), name=account.name)
    return account.id, account.name


def require_host(snapshot: Snapshot, visitor: str) -> None:
    """Refuse whoever may not invite: only who plays at a table or has opened it can, as long as it goes on."""
    if not access.is_involved(snapshot.table, snapshot.seats, visitor):
        raise Forbidden(N_("Only players at this table can do that."))
    access.require_unfinished(snapshot.table)


async def revoke(tables: TableStore, visitor: str, number: int) -> None:
    """Take an invitation back; who has used it may stay."""
    async with tables.writing() as session:
        row = await _made(session, visitor, number)
        if row.revoked:
            raise _no_such()
        row.revoked = True
        await withdraw_invitations(session, number=row.id)


async def own(tables: TableStore, visitor: str, number: int) -> TableInvitation:
    """An invitation somebody has made, also one that is revoked: who asks for it again is told what it was."""
    async with tables.refusing(), tables.database.reading() as session:
        return await _made(session, visitor, number)


async def _made(session: AsyncSession, visitor: str, number: int) -> TableInvitation:
    row = await session.get(TableInvitation, number) if 0 < number < 2**31 else None
    if row is None or row.owner != visitor:
        raise _no_such()
    return row


def _no_such() -> NotFound:
    return NotFound(N_("There is no such invitation."))


async def find(
    tables: TableStore, table_id: str, token: str, visitor: str | None = None
) -> TableInvitation:
    """The invitation of a link, if it can still be used, or if the visitor has used it."""
    if not (token.isascii() and token.isprintable()):
        raise _no_more()
    query = select(TableInvitation).where(
        TableInvitation.token == token, TableInvitation.table_id == table_id
    )
    async with tables.refusing(), tables.database.reading() as session:
        row = await session.scalar(query)
        guest = await session.get(TableGuest, (table_id, visitor or ""))
    if row is None or row.revoked or not (row.uses_left or guest):
        raise _no_more()
    return row


async def accept(tables: TableStore, table_id: str, visitor: str, token: str) -> None:
    """Use an invitation: whoever does may sit down at the table from then on. Using it again changes nothing. It is not
    used up where nobody can sit down."""
    number = (await find(tables, table_id, token, visitor)).id
    async with tables.changing(table_id) as change:
        row = await change.session.get(TableInvitation, number)
        if row is None or row.revoked:
            raise _no_more()
        if row.account is not None and row.account != visitor:
            raise Forbidden(N_("This invitation is for somebody else."))
        if await change.session.get(TableGuest, (table_id, visitor)) is not None:
            change.silent = True
            return
        if not row.uses_left:
            raise _no_more()
        change.require(LOBBY, RUNNING)
        if not any(seat.is_free for seat in change.seats):
            raise Conflict(N_("No seat is free at the moment."))
        row.uses_left -= 1
        row.used += 1
        if not row.uses_left:
            await withdraw_invitations(change.session, number=row.id)
        await access.add_guest(change.session, table_id, visitor)


def _no_more() -> NotFound:
    return NotFound(N_("This invitation is no longer valid: ask for a new one."))


async def of_visitor(tables: TableStore, visitor: str) -> list[TableInvitation]:
    """The invitations somebody has made, the newest first."""
    query = (
        select(TableInvitation)
        .where(TableInvitation.owner == visitor, ~TableInvitation.revoked)
        .order_by(TableInvitation.id.desc())
        .limit(100)
    )
    async with tables.refusing(), tables.database.reading() as session:
        return list(await session.scalars(query))


async def to_visitor(tables: TableStore, visitor: str) -> list[TableInvitation]:
    """The invitations somebody has got, not used and could use, the newest first."""
    here = Seat.table_id == TableInvitation.table_id
    free = exists().where(here, FREE_SEAT)
    going = Table.status.in_((LOBBY, RUNNING))
    query = (
        select(TableInvitation)
        .join(Table, Table.id == TableInvitation.table_id)
        .where(
            going,
            free,
            ~exists().where(here, Seat.owner == visitor),
            TableInvitation.account == visitor,
            TableInvitation.uses_left > 0,
            ~TableInvitation.revoked,
        )
        .order_by(TableInvitation.id.desc())
        .limit(30)
    )
    async with tables.refusing(), tables.database.reading() as session:
        return list(await session.scalars(query))


async def tables_of(
    tables: TableStore, rows: Sequence[TableInvitation]
) -> dict[str, tuple[Table, list[Seat]]]:
    """The tables of invitations, with their seats."""
    ids = {row.table_id for row in rows}
    async with tables.refusing(), tables.database.reading() as session:
        found = {
            table.id: (table, await seats_of(session, table.id))
            for table in await session.scalars(select(Table).where(Table.id.in_(ids)))
        }
    return found
