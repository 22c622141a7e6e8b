"""Invitations and table access: service and routes."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import Response, get
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_303_SEE_OTHER
from sqlalchemy import exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.words import N_
from kursbuch.web.accounts import attempts
from kursbuch.web.accounts import service as accounts
from kursbuch.web.db.models import FREE_SEAT, Seat, Table, TableGuest, TableInvitation, now
from kursbuch.web.http import idempotency
from kursbuch.web.http.errors import Conflict, Forbidden, NotFound, Refused
from kursbuch.web.http.operations import READING, Number, done, operation
from kursbuch.web.http.requests import (
    AnyRequest,
    base_url,
    carry_out,
    language_of,
    once,
    tables_of,
    wants_page,
    who,
    words_for,
)
from kursbuch.web.http.security import is_account
from kursbuch.web.http.templating import page
from kursbuch.web.labels import title_name
from kursbuch.web.notifications.notifier import Inviter, notify_invited
from kursbuch.web.notifications.outbox import MAIL, withdraw_invitations
from kursbuch.web.tables import access
from kursbuch.web.tables.access import InvitedPage
from kursbuch.web.tables.api import table_operation
from kursbuch.web.tables.policies import ENTRY_LINK, LOBBY, RUNNING, WATCH_ALL
from kursbuch.web.tables.snapshot import Snapshot, seats_of
from kursbuch.web.tables.store import TableStore

#: Maximum number of uses of a link.
MOST_USES = 50

#: Maximum number of open invitations per person and table.
MOST_OF_TABLE = 30


async def create_invitation(
    tables: TableStore,
    table_id: str,
    visitor: str,
    uses: int = 1,
    to: str = "",
    host: Inviter | None = None,
) -> int:
    """Invite a number of people to a table by a link; returns the number of the invitation. With `to`, the name of an
    account or a mail address, it is for one person, who is notified by the server of `host`."""
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
                N_("There are already {count} open invitations: revoke one first."), count=held
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
    """Refuse visitors who may not have the server write to others."""
    if not to.isprintable():
        raise Refused(N_("Names may only contain printable characters."))
    if not is_account(visitor):
        raise Forbidden(N_("Only players with an account can invite by name or mail."))
    if "@" in to:
        accounts.checked_email(to)
        if host is None or MAIL not in host.channels:
            raise Refused(N_("This server does not send mail."))
        await attempts.spend_within(session, attempts.LETTER, to.lower())
    await attempts.spend_within(session, attempts.INVITE, visitor)


async def _meant(session: AsyncSession, snapshot: Snapshot, to: str) -> tuple[str | None, str]:
    """The account invited, and the name shown for it. The owner of a mail address stays secret."""
    if "@" in to:
        return None, accounts.checked_email(to)
    account = await accounts.account_named(session, to)
    if account is None or account.closed_at is not None:
        raise Refused(N_("There is no player called {name}."), name=to[:40])
    if any(seat.owner == account.id for seat in snapshot.seats):
        raise Conflict(N_("{name} already has a seat at this table."), name=account.name)
    same = select(TableInvitation.id).where(
        TableInvitation.table_id == snapshot.table.id,
        TableInvitation.account == account.id,
        TableInvitation.uses_left > 0,
        ~TableInvitation.revoked,
    )
    if await session.scalar(same) is not None:
        raise Conflict(N_("{name} is already invited."), name=account.name)
    return account.id, account.name


def require_host(snapshot: Snapshot, visitor: str) -> None:
    """Refuse visitors who neither play at the table nor opened it, and tables that are over."""
    if not access.is_involved(snapshot.table, snapshot.seats, visitor):
        raise Forbidden(N_("Only players at this table can do that."))
    access.require_unfinished(snapshot.table)


async def revoke_invitation(tables: TableStore, visitor: str, number: int) -> None:
    """Revoke an invitation; visitors who used it may stay."""
    async with tables.writing() as session:
        row = await _made(session, visitor, number)
        if row.revoked:
            raise _no_such()
        row.revoked = True
        await withdraw_invitations(session, number=row.id)


async def own_invitation(tables: TableStore, visitor: str, number: int) -> TableInvitation:
    """An invitation of the visitor, even revoked, so that a repeated request gets the same answer."""
    async with tables.refusing(), tables.database.reading() as session:
        return await _made(session, visitor, number)


async def _made(session: AsyncSession, visitor: str, number: int) -> TableInvitation:
    row = await session.get(TableInvitation, number) if 0 < number < 2**31 else None
    if row is None or row.owner != visitor:
        raise _no_such()
    return row


def _no_such() -> NotFound:
    return NotFound(N_("There is no such invitation."))


async def find_invitation(
    tables: TableStore, table_id: str, token: str, visitor: str | None = None
) -> TableInvitation:
    """The invitation of a link that can still be used, or was used by the visitor."""
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


async def accept_invitation(tables: TableStore, table_id: str, visitor: str, token: str) -> None:
    """Use an invitation to join; a second time changes nothing. It is not used up while no seat is free."""
    number = (await find_invitation(tables, table_id, token, visitor)).id
    async with tables.changing(table_id) as change:
        row = await change.session.get(TableInvitation, number)
        if row is None or row.revoked:
            raise _no_more()
        if row.account is not None and row.account != visitor:
            raise Forbidden(N_("This invitation is for another player."))
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
    """The invitations a visitor has made, newest first."""
    query = (
        select(TableInvitation)
        .where(TableInvitation.owner == visitor, ~TableInvitation.revoked)
        .order_by(TableInvitation.id.desc())
        .limit(100)
    )
    async with tables.refusing(), tables.database.reading() as session:
        return list(await session.scalars(query))


async def to_visitor(tables: TableStore, visitor: str) -> list[TableInvitation]:
    """The open invitations a visitor has received, newest first."""
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


async def invited_tables(
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


async def host_of(request: AnyRequest, table_id: str) -> Inviter:
    """The sender of an invitation as mails describe it."""
    person, post = who(request).account, request.app.state.notifications
    table = (await tables_of(request).load(table_id)).table
    return Inviter(
        name=person.name if person is not None else "",
        title=title_name(table.title),
        base=post.address or base_url(request),
        language=language_of(request),
        channels=post.outbox.channels,
        links=post.links,
    )


@get("/t/{table_id:str}/invited/{token:str}", include_in_schema=False)
async def invited_page(
    request: AnyRequest, table_id: FromPath[str], token: FromPath[str]
) -> Template | Redirect:
    """Ask whether to join the table. An invitation by name requires a login."""
    tables = tables_of(request)
    invitation = await find_invitation(tables, table_id, token, who(request).id)
    if invitation.account is not None and who(request).account is None:
        login = f"/login?{urlencode({'next': invitation.path})}"
        return Redirect(login, status_code=HTTP_303_SEE_OTHER)
    snapshot = await tables.load(table_id)
    words = words_for(request, snapshot.table.language)
    going = snapshot.table.status in (LOBBY, RUNNING)
    struct = InvitedPage(
        table_url=f"/t/{table_id}",
        title_name=title_name(snapshot.table.title),
        players=[seat.name for seat in snapshot.seats if seat.name],
        free_seats=sum(seat.is_free for seat in snapshot.seats) if going else 0,
        action=invitation.path,
    )
    return page(request, "invited.html", struct, words)


class DoorsWish(msgspec.Struct, frozen=True):
    """Who may join (`entry`: link, password, invited) and watch (`watching`: all, players), and the spectator delay
    in moves and minutes. Without a password, the old one stays."""

    entry: str = ENTRY_LINK
    password: str = ""
    watching: str = WATCH_ALL
    delay_moves: Number = 0
    delay_minutes: Number = 0


class InvitationWish(msgspec.Struct, frozen=True):
    """An invitation link with a number of `uses`, or for one person: `to` is the name of an account, or a mail
    address."""

    uses: Number = 1
    to: str = ""


class ApiInvitation(msgspec.Struct, frozen=True):
    """An invitation: its table, its recipient (empty for a link), and its uses."""

    id: int
    table: str
    link: str
    name: str
    used: int
    uses_left: int
    made_at: datetime


class ApiInvitations(msgspec.Struct, frozen=True):
    """The open invitations the caller has made and received."""

    made: list[ApiInvitation]
    got: list[ApiInvitation]


class InvitationSecret(msgspec.Struct, frozen=True):
    """The token of an invitation link: the part after `/invited/`."""

    token: str


@table_operation("doors")
async def change_doors(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[DoorsWish]
) -> None:
    """Change who may join and watch."""
    await carry_out(
        request,
        access.change_access,
        table_id,
        entry=data.entry,
        password=data.password,
        watching=data.watching,
        moves=data.delay_moves,
        minutes=data.delay_minutes,
    )


def _invitation(request: AnyRequest, row: TableInvitation) -> ApiInvitation:
    link = base_url(request) + row.path
    return ApiInvitation(row.id, row.table_id, link, row.name, row.used, row.uses_left, row.made_at)


def _invited(request: AnyRequest, made: ApiInvitation) -> Response[Any]:
    if wants_page(request):
        return Redirect(f"/tables#invitation-{made.id}", status_code=HTTP_303_SEE_OTHER)
    return Response({"id": made.id, "link": made.link}, status_code=201)


@table_operation("invite", done=_invited, answer=None, status_code=201)
async def invite(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[InvitationWish]
) -> ApiInvitation:
    """Make an invitation."""
    tables, visitor = tables_of(request), who(request).id
    host = await host_of(request, table_id)
    number = await carry_out(request, create_invitation, table_id, data.uses, data.to, host)
    return _invitation(request, await own_invitation(tables, visitor, number))


@get("/invitations", responses=READING)
async def invitations(request: AnyRequest) -> ApiInvitations:
    """Invitations the caller has made and received."""
    tables, visitor = tables_of(request), who(request).id
    return ApiInvitations(
        [_invitation(request, row) for row in await of_visitor(tables, visitor)],
        [_invitation(request, row) for row in await to_visitor(tables, visitor)],
    )


@operation(
    "/invitations/{number:int}/revoke",
    "/invitations/{number:int}/revoke",
    done=lambda request, _: done(request, "/tables#invitations"),
    status_code=204,
)
async def revoke(request: AnyRequest, number: FromPath[int]) -> None:
    """Revoke an invitation; visitors who used it may stay."""
    await once(request, revoke_invitation, tables_of(request), who(request).id, number)


@table_operation("accept", "/t/{table_id:str}/invited/{token:str}")
async def accept(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[InvitationSecret]
) -> None:
    """Accept an invitation: the caller may join the table from now on."""
    await carry_out(request, accept_invitation, table_id, data.token)
