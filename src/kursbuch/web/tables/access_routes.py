"""Routes for table access and invitations."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_303_SEE_OTHER

from kursbuch.web.db.models import TableInvitation
from kursbuch.web.http.requests import (
    AnyRequest,
    base_url,
    carry_out,
    language_of,
    once,
    read,
    tables_of,
    wants_page,
    who,
    words_for,
)
from kursbuch.web.http.templating import page
from kursbuch.web.labels import title_name
from kursbuch.web.notifications.notifier import Inviter
from kursbuch.web.tables import access
from kursbuch.web.tables import invitations as table_invitations
from kursbuch.web.tables.access_view import InvitedPage
from kursbuch.web.tables.api_schemas import DOING, READING, ApiGame, Number
from kursbuch.web.tables.api_view import game, shown_to_programs
from kursbuch.web.tables.play_routes import done, table_done
from kursbuch.web.tables.policies import ENTRY_LINK, LOBBY, RUNNING, WATCH_ALL


@post("/t/{table_id:str}/doors", include_in_schema=False)
async def change_access_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Say who may sit down and look on."""
    sent = await read(request)
    await carry_out(
        request,
        access.change_access,
        table_id,
        entry=sent.text("entry"),
        password=sent.text("password"),
        watching=sent.text("watching"),
        moves=sent.optional_number("delay_moves") or 0,
        minutes=sent.optional_number("delay_minutes") or 0,
    )
    return table_done(request, table_id)


@post("/t/{table_id:str}/invite", include_in_schema=False)
async def invite_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Make an invitation."""
    sent, tables, visitor = await read(request), tables_of(request), who(request).id
    uses = sent.optional_number("uses") or 1
    to, host = sent.text("to"), await host_of(request, table_id)
    number = await carry_out(request, table_invitations.invite, table_id, uses, to, host)
    if wants_page(request):
        return Redirect(f"/tables#invitation-{number}", status_code=HTTP_303_SEE_OTHER)
    made = await table_invitations.own(tables, visitor, number)
    return Response({"id": number, "link": base_url(request) + made.path}, status_code=201)


async def host_of(request: AnyRequest, table_id: str) -> Inviter:
    """What is said of the one who invites to a table."""
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


@post("/invitations/{number:int}/revoke", include_in_schema=False)
async def revoke_form(request: AnyRequest, number: FromPath[int]) -> Response[Any]:
    """Take an invitation back."""
    await once(request, table_invitations.revoke, tables_of(request), who(request).id, number)
    return done(request, "/tables#invitations")


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


@post("/t/{table_id:str}/invited/{token:str}", include_in_schema=False)
async def accept_form(
    request: AnyRequest, table_id: FromPath[str], token: FromPath[str]
) -> Response[Any]:
    """Come to the table."""
    await carry_out(request, table_invitations.accept, table_id, token)
    return table_done(request, table_id)


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


@post("/tables/{table_id:str}/doors", status_code=200, responses=DOING)
async def change_doors(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[DoorsWish]
) -> ApiGame:
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
    return game(await shown_to_programs(request, table_id))


def _invitation(request: AnyRequest, row: TableInvitation) -> ApiInvitation:
    link = base_url(request) + row.path
    return ApiInvitation(row.id, row.table_id, link, row.name, row.used, row.uses_left, row.made_at)


@post("/tables/{table_id:str}/invite", responses=DOING)
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


@post("/invitations/{number:int}/revoke", status_code=204, responses=DOING)
async def revoke(request: AnyRequest, number: FromPath[int]) -> None:
    """Take an invitation back; who has used it may stay."""
    await once(request, table_invitations.revoke, tables_of(request), who(request).id, number)


@post("/tables/{table_id:str}/accept", status_code=200, responses=DOING)
async def accept(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[InvitationSecret]
) -> ApiGame:
    """Use an invitation: the caller may sit down at the table from then on."""
    await carry_out(request, table_invitations.accept, table_id, data.token)
    return game(await shown_to_programs(request, table_id))


API_HANDLERS = [
    change_doors,
    invite,
    invitations,
    revoke,
    accept,
]


HANDLERS = [
    change_access_form,
    invite_form,
    revoke_form,
    invited_page,
    accept_form,
]
