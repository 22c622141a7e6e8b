"""Routes for table access and invitations."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import Response, get
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_303_SEE_OTHER

from kursbuch.web.db.models import TableInvitation
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
from kursbuch.web.http.templating import page
from kursbuch.web.labels import title_name
from kursbuch.web.notifications.invitation_mail import Host
from kursbuch.web.tables import access
from kursbuch.web.tables import invitations as table_invitations
from kursbuch.web.tables.access_view import InvitedPage
from kursbuch.web.tables.api_view import table_operation
from kursbuch.web.tables.policies import ENTRY_LINK, LOBBY, RUNNING, WATCH_ALL


async def host_of(request: AnyRequest, table_id: str) -> Host:
    """What is said of the one who invites to a table."""
    person, post = who(request).account, request.app.state.post
    table = (await tables_of(request).load(table_id)).table
    return Host(
        name=person.name if person is not None else "",
        title=title_name(table.title),
        base=post.address or base_url(request),
        language=language_of(request),
        channels=post.sender.channels,
        links=post.links,
    )


@get("/t/{table_id:str}/invited/{token:str}", include_in_schema=False)
async def invited_page(
    request: AnyRequest, table_id: FromPath[str], token: FromPath[str]
) -> Template | Redirect:
    """Ask whether to come to the table. Who is invited by name logs in first."""
    tables = tables_of(request)
    invitation = await table_invitations.find(tables, table_id, token, who(request).id)
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
    """Who may sit down (`entry`: link, password, invited) and look on (`watching`: all, players), and how many moves
    and minutes behind those are who do. Without a password the one there is stays."""

    entry: str = ENTRY_LINK
    password: str = ""
    watching: str = WATCH_ALL
    delay_moves: Number = 0
    delay_minutes: Number = 0


class InvitationWish(msgspec.Struct, frozen=True):
    """An invitation by a link that can be used so many times, or for one person: `to` is the name of an account, or
    a mail address."""

    uses: Number = 1
    to: str = ""


class ApiInvitation(msgspec.Struct, frozen=True):
    """An invitation: to which table, for whom (empty: for whoever has the link), how often it was used and still
    can be."""

    id: int
    table: str
    link: str
    name: str
    used: int
    uses_left: int
    made_at: datetime


class ApiInvitations(msgspec.Struct, frozen=True):
    """The invitations the caller has made and not revoked, and those the caller has got and not used."""

    made: list[ApiInvitation]
    got: list[ApiInvitation]


class InvitationSecret(msgspec.Struct, frozen=True):
    """The secret part of the link of an invitation: what stands after `/invited/`."""

    token: str


@table_operation("doors")
async def change_doors(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[DoorsWish]
) -> None:
    """Say who may sit down and look on."""
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
    number = await carry_out(request, table_invitations.invite, table_id, data.uses, data.to, host)
    return _invitation(request, await table_invitations.own(tables, visitor, number))


@get("/invitations", responses=READING)
async def invitations(request: AnyRequest) -> ApiInvitations:
    """Invitations the caller has made and got."""
    tables, visitor = tables_of(request), who(request).id
    return ApiInvitations(
        [_invitation(request, row) for row in await table_invitations.of_visitor(tables, visitor)],
        [_invitation(request, row) for row in await table_invitations.to_visitor(tables, visitor)],
    )


@operation(
    "/invitations/{number:int}/revoke",
    "/invitations/{number:int}/revoke",
    done=lambda request, _: done(request, "/tables#invitations"),
    status_code=204,
)
async def revoke(request: AnyRequest, number: FromPath[int]) -> None:
    """Take an invitation back; who has used it may stay."""
    await once(request, table_invitations.revoke, tables_of(request), who(request).id, number)


@table_operation("accept", "/t/{table_id:str}/invited/{token:str}")
async def accept(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[InvitationSecret]
) -> None:
    """Use an invitation: the caller may sit down at the table from then on."""
    await carry_out(request, table_invitations.accept, table_id, data.token)
