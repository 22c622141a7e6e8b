"""Who sits at a table: sit down, stand up, begin, hand a seat on, close."""

from __future__ import annotations

from litestar import post
from litestar.params import FromPath, JSONBody

from kursbuch.web.api.errors import DOING
from kursbuch.web.api.shapes import ApiGame, JoinWish, SeatLink, SeatNumber, SeatSecret, SeatWish
from kursbuch.web.api.shown import game, shown_to_programs
from kursbuch.web.deeds import lobby, talking
from kursbuch.web.requests import AnyRequest, base_url, once, tables_of, who


@post("/tables/{table_id:str}/join", status_code=200, responses=DOING)
async def join(request: AnyRequest, table_id: FromPath[str], data: JSONBody[JoinWish]) -> ApiGame:
    """Sit down on a free seat."""
    tables, visitor = tables_of(request), who(request).id
    await once(request, lobby.join, tables, table_id, visitor, data.seat, data.name, data.password)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/leave", status_code=200, responses=DOING)
async def leave(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatNumber]
) -> ApiGame:
    """Stand up again, before the game begins."""
    tables, visitor = tables_of(request), who(request).id
    await once(request, lobby.leave, tables, table_id, visitor, data.seat)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/rename", status_code=200, responses=DOING)
async def rename(request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatWish]) -> ApiGame:
    """Give one's seat another name."""
    tables, visitor = tables_of(request), who(request).id
    await once(request, lobby.rename, tables, table_id, visitor, data.seat, data.name)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/start", status_code=200, responses=DOING)
async def start(request: AnyRequest, table_id: FromPath[str]) -> ApiGame:
    """Begin the game."""
    await once(request, lobby.start, tables_of(request), table_id, who(request).id)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/hand-on", status_code=200, responses=DOING)
async def hand_on(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatNumber]
) -> SeatLink:
    """Make a link by which somebody else takes one's seat over."""
    tables, visitor = tables_of(request), who(request).id
    token = await once(request, talking.hand_on, tables, table_id, visitor, data.seat)
    return SeatLink(f"{base_url(request)}/t/{table_id}/seat/{token}")


@post("/tables/{table_id:str}/take-over", status_code=200, responses=DOING)
async def take_over(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatSecret]
) -> ApiGame:
    """Take over the seat of such a link, which then is used up."""
    tables, visitor = tables_of(request), who(request).id
    await once(request, talking.take_over, tables, table_id, visitor, data.token)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/close", status_code=200, responses=DOING)
async def close(request: AnyRequest, table_id: FromPath[str]) -> ApiGame:
    """End a table before its game is over."""
    await once(request, lobby.close, tables_of(request), table_id, who(request).id)
    return game(await shown_to_programs(request, table_id))


HANDLERS = [join, leave, rename, start, hand_on, take_over, close]
