"""Routes for copies."""

from __future__ import annotations

from typing import Any

from litestar import Response, post
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect
from litestar.status_codes import HTTP_303_SEE_OTHER

from kursbuch.web.http.rate_limits import TABLES
from kursbuch.web.http.requests import AnyRequest, carry_out, read, wants_page
from kursbuch.web.tables import copies
from kursbuch.web.tables.api_schemas import DOING, CopyWish, Opened
from kursbuch.web.tables.snapshot import Seen


@post("/t/{table_id:str}/copy", include_in_schema=False, opt={"cost": TABLES})
async def copy_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Play on from a move, at a table of one's own."""
    sent = await read(request)
    seen = sent.seen()
    players: list[str] = []
    while (name := f"seat{len(players)}") in sent.fields:
        players.append(sent.text(name))
    opened = await carry_out(request, copies.copy, table_id, seen, players)
    return opened_at(request, opened)


@post("/t/{table_id:str}/again", include_in_schema=False, opt={"cost": TABLES})
async def again_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Play once more with the same people."""
    return opened_at(request, await carry_out(request, copies.again, table_id))


def opened_at(request: AnyRequest, table_id: str) -> Response[Any]:
    """The answer to a new table: its page for plain forms, its address for scripts."""
    if wants_page(request):
        return Redirect(f"/t/{table_id}", status_code=HTTP_303_SEE_OTHER)
    return Response({"url": f"/t/{table_id}"}, status_code=201)


@post("/tables/{table_id:str}/copy", opt={"cost": TABLES}, responses=DOING)
async def copy(request: AnyRequest, table_id: FromPath[str], data: JSONBody[CopyWish]) -> Opened:
    """Play on after some move, at a table of one's own. Not while the game hides something."""
    seen = Seen(data.number, data.version)
    opened = await carry_out(request, copies.copy, table_id, seen, data.seats)
    return Opened(opened, f"/t/{opened}")


@post("/tables/{table_id:str}/again", opt={"cost": TABLES}, responses=DOING)
async def again(request: AnyRequest, table_id: FromPath[str]) -> Opened:
    """Play once more with the same people when the game is over: the same table for all who ask."""
    opened = await carry_out(request, copies.again, table_id)
    return Opened(opened, f"/t/{opened}")


API_HANDLERS = [
    copy,
    again,
]


HANDLERS = [
    copy_form,
    again_form,
]
