"""Administration of accounts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import delete, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.words import N_
from kursbuch.web.accounts import credentials, sessions, transfer
from kursbuch.web.accounts import service as accounts
from kursbuch.web.accounts.credentials import CONFIRM, LOGIN, RESET, hashed
from kursbuch.web.accounts.models import Account, Invitation, OneTimeToken, Session
from kursbuch.web.accounts.names import name_key
from kursbuch.web.accounts.service import CODE_PATHS
from kursbuch.web.admin.audit import Actor, note
from kursbuch.web.db.models import Seat, now
from kursbuch.web.http.errors import Conflict, Forbidden, NotFound, Refused
from kursbuch.web.tables.store import TableStore

#: Lifetime of a link that an administrator hands on.
LINK_LASTS = timedelta(days=7)

#: Number of accounts on a page of the list.
PAGE = 50


class AccountLine(msgspec.Struct, frozen=True):
    """An account in the list; `seen_at` is the last use of one of its browsers."""

    id: str
    name: str
    email: str | None
    admin: bool
    closed_at: datetime | None
    created_at: datetime
    seen_at: datetime | None
    seats: int


class FoundAccounts(msgspec.Struct, frozen=True):
    """A page of accounts, and the number of all that match."""

    lines: list[AccountLine]
    count: int


async def listed(
    tables: TableStore, *, query: str = "", limit: int = PAGE, offset: int = 0
) -> FoundAccounts:
    """Return accounts with this text in their name or address, by name."""
    wanted = []
    if query:
        part = query.strip().lower()
        wanted.append(
            or_(
                Account.name_key.contains(name_key(query), autoescape=True),
                Account.email.contains(part, autoescape=True),
            )
        )
    async with tables.refusing(), tables.database.reading() as session:
        count = await session.scalar(select(func.count()).select_from(Account).where(*wanted)) or 0
        rows = select(Account).where(*wanted).order_by(Account.name_key)
        found = list(await session.scalars(rows.offset(offset).limit(limit)))
        return FoundAccounts(await _lines(session, found), count)


async def _lines(session: AsyncSession, found: Sequence[Account]) -> list[AccountLine]:
    ids = [account.id for account in found]
    seats = select(Seat.owner, func.count()).where(Seat.owner.in_(ids)).group_by(Seat.owner)
    held = {row.owner: int(row[-1]) for row in await session.execute(seats)}
    heard = select(Session.account_id, func.max(Session.seen_at)).group_by(Session.account_id)
    heard = heard.where(Session.account_id.in_(ids))
    seen = {row.account_id: row[-1] for row in await session.execute(heard)}
    return [
        AccountLine(
            account.id,
            account.name,
            account.email,
            account.admin,
            account.closed_at,
            account.created_at,
            seen.get(account.id),
            held.get(account.id, 0),
        )
        for account in found
    ]


@asynccontextmanager
async def _changing(tables: TableStore) -> AsyncIterator[AsyncSession]:
    async with tables.refusing(), tables.database.writing() as session:
        yield session


async def _found(session: AsyncSession, given: str) -> Account:
    """Return the account with this id, name or address."""
    row = await session.get(Account, given, with_for_update=True) or await accounts.find_account(
        session, given
    )
    if row is None:
        raise NotFound(N_("There is no account {name}."), name=given[:60])
    return row


def _not_oneself(actor: Actor, account: Account) -> None:
    if account.id == actor.id:
        raise Forbidden(N_("You cannot do this to your own account: ask another administrator."))


async def create(
    tables: TableStore, actor: Actor, name: str, email: str = "", *, admin: bool = False
) -> str:
    """Create an account; return the path of a link for choosing its password.

    A given address counts as confirmed."""
    address = accounts.checked_email(email) if email.strip() else None
    async with _changing(tables) as session:
        if address is not None:
            query = select(Account.id).where(Account.email == address)
            if await session.scalar(query) is not None:
                raise Conflict(N_("This address belongs to another account."))
        account = await accounts.create(session, name, None, admin)
        account.email = address
        note(session, actor, "create-account", account.name, admin=admin)
        return await _link(session, account)


async def reset(tables: TableStore, actor: Actor, given: str) -> str:
    """Return the path of a link for choosing a new password."""
    async with _changing(tables) as session:
        account = await _found(session, given)
        if account.closed_at is not None:
            raise Refused(
                N_("The account {name} is suspended: reopen it first."), name=account.name
            )
        note(session, actor, "reset-account", account.name)
        return await _link(session, account)


async def _link(session: AsyncSession, account: Account) -> str:
    token = await credentials.make_code(session, RESET, account.id)
    row = await session.get_one(OneTimeToken, hashed(token))
    row.expires_at = now() + LINK_LASTS
    return f"{CODE_PATHS[RESET]}#{token}"


async def close(tables: TableStore, actor: Actor, given: str) -> str:
    """Suspend an account until it is reopened; return its name.

    It keeps its seats, except at tables that have not begun."""
    async with _changing(tables) as session:
        account = await _found(session, given)
        _not_oneself(actor, account)
        if account.closed_at is None:
            account.closed_at = now()
        await sessions.end(session, account.id)
        await credentials.revoke_codes(session, account.id, CONFIRM, LOGIN, RESET)
        note(session, actor, "close-account", account.name)
        name, number = account.name, account.id
    await transfer.refresh_tables(tables, number)
    await transfer.release_tables(tables, number)
    return name


async def reopen(tables: TableStore, actor: Actor, given: str) -> str:
    """Reopen a suspended account; return its name."""
    async with _changing(tables) as session:
        account = await _found(session, given)
        account.closed_at = None
        note(session, actor, "open-account", account.name)
        name, number = account.name, account.id
    await transfer.refresh_tables(tables, number)
    return name


async def set_admin(tables: TableStore, actor: Actor, given: str, admin: bool) -> str:
    """Grant or revoke administrator rights; return the name of the account."""
    async with _changing(tables) as session:
        account = await _found(session, given)
        _not_oneself(actor, account)
        account.admin = admin
        note(session, actor, "promote" if admin else "demote", account.name)
        return account.name


async def erase(tables: TableStore, actor: Actor, given: str) -> str:
    """Delete an account with its data; return its name. Its seats become vacant."""
    async with _changing(tables) as session:
        account = await _found(session, given)
        _not_oneself(actor, account)
        name, number = account.name, account.id
        note(session, actor, "delete-account", name)
    await accounts.erase(tables, number)
    return name


async def invite(tables: TableStore, actor: Actor, for_whom: str) -> str:
    """Return the path of a link with which one player can register."""
    async with _changing(tables) as session:
        token = await credentials.make_invitation(session, None, for_whom)
        note(session, actor, "invite", for_whom)
        return f"/register#{token}"


async def invitations(tables: TableStore) -> list[Invitation]:
    """Return the open invitations."""
    async with tables.refusing(), tables.database.reading() as session:
        return list(await session.scalars(select(Invitation).order_by(Invitation.id)))


async def revoke(tables: TableStore, actor: Actor, number: int) -> None:
    """Revoke an invitation."""
    async with _changing(tables) as session:
        row = await session.get(Invitation, number)
        if row is None:
            raise NotFound(N_("There is no such invitation."))
        note(session, actor, "revoke", row.note)
        await session.execute(delete(Invitation).where(Invitation.id == number))
