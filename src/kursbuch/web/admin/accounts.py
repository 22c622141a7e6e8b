"""Accounts, as an administrator manages them."""

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

#: A link that an administrator hands on is good for so long.
LINK_LASTS = timedelta(days=7)

#: A page of the list of accounts.
PAGE = 50


class AccountLine(msgspec.Struct, frozen=True):
    """An account in the list. `seen_at` is when a browser of it was last heard of."""

    id: str
    name: str
    email: str | None
    admin: bool
    closed_at: datetime | None
    created_at: datetime
    seen_at: datetime | None
    seats: int


class FoundAccounts(msgspec.Struct, frozen=True):
    """Some of the accounts, and how many there are of those asked for."""

    lines: list[AccountLine]
    count: int


async def listed(
    tables: TableStore, *, query: str = "", limit: int = PAGE, offset: int = 0
) -> FoundAccounts:
    """Accounts with this text in their name or address, by name."""
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
    """The account with that id, name or address."""
    row = await session.get(Account, given, with_for_update=True) or await accounts.find_account(
        session, given
    )
    if row is None:
        raise NotFound(N_("There is no account {name}."), name=given[:60])
    return row


def _not_oneself(actor: Actor, account: Account) -> None:
    if account.id == actor.id:
        raise Forbidden(N_("Nobody can do that to the own account: ask another administrator."))


async def create(
    tables: TableStore, actor: Actor, name: str, email: str = "", *, admin: bool = False
) -> str:
    """Make an account for somebody; returns the path of a link by which a password is chosen. An address that is
    given counts as confirmed."""
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
    """The path of a link by which somebody chooses another password."""
    async with _changing(tables) as session:
        account = await _found(session, given)
        if account.closed_at is not None:
            raise Refused(
                N_("The account {name} is shut out: open it again first."), name=account.name
            )
        note(session, actor, "reset-account", account.name)
        return await _link(session, account)


async def _link(session: AsyncSession, account: Account) -> str:
    token = await credentials.make_code(session, RESET, account.id)
    row = await session.get_one(OneTimeToken, hashed(token))
    row.expires_at = now() + LINK_LASTS
    return f"{CODE_PATHS[RESET]}#{token}"


async def close(tables: TableStore, actor: Actor, given: str) -> str:
    """Shut an account out, until it is opened again; its seats stay its own but for those at tables that have not
    begun. Returns its name."""
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
    """Let an account in again; returns its name."""
    async with _changing(tables) as session:
        account = await _found(session, given)
        account.closed_at = None
        note(session, actor, "open-account", account.name)
        name, number = account.name, account.id
    await transfer.refresh_tables(tables, number)
    return name


async def set_admin(tables: TableStore, actor: Actor, given: str, admin: bool) -> str:
    """Make somebody an administrator, or not one any more; returns the name of the account."""
    async with _changing(tables) as session:
        account = await _found(session, given)
        _not_oneself(actor, account)
        account.admin = admin
        note(session, actor, "promote" if admin else "demote", account.name)
        return account.name


async def erase(tables: TableStore, actor: Actor, given: str) -> str:
    """Delete an account: others can take its seats, and what was kept of it goes. Returns its name."""
    async with _changing(tables) as session:
        account = await _found(session, given)
        _not_oneself(actor, account)
        name, number = account.name, account.id
        note(session, actor, "delete-account", name)
    await accounts.erase(tables, number)
    return name


async def invite(tables: TableStore, actor: Actor, for_whom: str) -> str:
    """The path of a link with which one person can register."""
    async with _changing(tables) as session:
        token = await credentials.make_invitation(session, None, for_whom)
        note(session, actor, "invite", for_whom)
        return f"/register#{token}"


async def invitations(tables: TableStore) -> list[Invitation]:
    """The invitations that nobody has used."""
    async with tables.refusing(), tables.database.reading() as session:
        return list(await session.scalars(select(Invitation).order_by(Invitation.id)))


async def revoke(tables: TableStore, actor: Actor, number: int) -> None:
    """Take an invitation back."""
    async with _changing(tables) as session:
        row = await session.get(Invitation, number)
        if row is None:
            raise NotFound(N_("There is no such invitation."))
        note(session, actor, "revoke", row.note)
        await session.execute(delete(Invitation).where(Invitation.id == number))
