"""Coming to a table: who may, invitations, who is watching."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_303_SEE_OTHER

from kursbuch.web import contexts
from kursbuch.web.deeds import doors, inviting
from kursbuch.web.filling import page
from kursbuch.web.finding import Wanted, find
from kursbuch.web.forms import done, table_done
from kursbuch.web.messages.invitations import Host
from kursbuch.web.policies import LOBBY, RUNNING
from kursbuch.web.present.labels import title_name
from kursbuch.web.present.lobby import tables_page
from kursbuch.web.requests import (
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


@get("/tables", include_in_schema=False)
async def open_tables(request: AnyRequest) -> Template:
    """Tables where somebody can sit down, and invitations."""
    tables, visitor = tables_of(request), who(request).id
    given = request.query_params
    free = given.get("free", "")
    wanted = Wanted(
        title=given.get("title", "")[:40],
        time=given.get("time", "")[:10],
        language=given.get("language", "")[:2],
        free=int(free) if free.isdecimal() and len(free) < 3 else 1,
    )
    found = await find(tables, wanted)
    invitations = (
        await inviting.to_visitor(tables, visitor),
        await inviting.of_visitor(tables, visitor),
    )
    known = await inviting.tables_of(tables, [row for rows in invitations for row in rows])
    words = words_for(request)
    struct = tables_page(words, visitor, base_url(request), wanted, found, invitations, known)
    return page(request, "tables.html", struct, words)


@post("/t/{table_id:str}/doors", include_in_schema=False)
async def change_doors(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Say who may sit down and look on."""
    sent = await read(request)
    await carry_out(
        request,
        doors.change,
        table_id,
        entry=sent.text("entry"),
        password=sent.text("password"),
        watching=sent.text("watching"),
        moves=sent.optional_number("delay_moves") or 0,
        minutes=sent.optional_number("delay_minutes") or 0,
    )
    return table_done(request, table_id)


@post("/t/{table_id:str}/invite", include_in_schema=False)
async def invite(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Make an invitation."""
    sent, tables, visitor = await read(request), tables_of(request), who(request).id
    uses = sent.optional_number("uses") or 1
    to, host = sent.text("to"), await host_of(request, table_id)
    number = await carry_out(request, inviting.invite, table_id, uses, to, host)
    if wants_page(request):
        return Redirect(f"/tables#invitation-{number}", status_code=HTTP_303_SEE_OTHER)
    made = await inviting.own(tables, visitor, number)
    return Response({"id": number, "link": base_url(request) + made.path}, status_code=201)


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


@post("/invitations/{number:int}/revoke", include_in_schema=False)
async def revoke(request: AnyRequest, number: FromPath[int]) -> Response[Any]:
    """Take an invitation back."""
    await once(request, inviting.revoke, tables_of(request), who(request).id, number)
    return done(request, "/tables#invitations")


@get("/t/{table_id:str}/invited/{token:str}", include_in_schema=False)
async def invited(
    request: AnyRequest, table_id: FromPath[str], token: FromPath[str]
) -> Template | Redirect:
    """Ask whether to come to the table. Who is invited by name logs in first."""
    tables = tables_of(request)
    invitation = await inviting.find(tables, table_id, token, who(request).id)
    if invitation.account is not None and who(request).account is None:
        login = f"/login?{urlencode({'next': invitation.path})}"
        return Redirect(login, status_code=HTTP_303_SEE_OTHER)
    snapshot = await tables.load(table_id)
    words = words_for(request, snapshot.table.language)
    going = snapshot.table.status in (LOBBY, RUNNING)
    struct = contexts.InvitedPage(
        table_url=f"/t/{table_id}",
        title_name=title_name(snapshot.table.title),
        players=[seat.name for seat in snapshot.seats if seat.name],
        free_seats=sum(seat.is_free for seat in snapshot.seats) if going else 0,
        action=invitation.path,
    )
    return page(request, "invited.html", struct, words)


@post("/t/{table_id:str}/invited/{token:str}", include_in_schema=False)
async def accept(
    request: AnyRequest, table_id: FromPath[str], token: FromPath[str]
) -> Response[Any]:
    """Come to the table."""
    await carry_out(request, inviting.accept, table_id, token)
    return table_done(request, table_id)


HANDLERS = [open_tables, change_doors, invite, revoke, invited, accept]
