"""Who sits at a table: sit down, stand up, begin, hand a seat on, close."""

from __future__ import annotations

from litestar import post
from litestar.params import FromPath, JSONBody

from kursbuch.web.api.errors import DOING
from kursbuch.web.api.shapes import ApiGame, JoinWish, SeatLink, SeatNumber, SeatSecret, SeatWish
from kursbuch.web.api.shown import game, shown_to_programs
from kursbuch.web.deeds import lobby, talking
from kursbuch.web.people.asking import place_of
from kursbuch.web.requests import AnyRequest, base_url, carry_out


@post("/tables/{table_id:str}/join", status_code=200, responses=DOING)
async def join(request: AnyRequest, table_id: FromPath[str], data: JSONBody[JoinWish]) -> ApiGame:
    """Sit down on a free seat."""
    given = (data.seat, data.name, data.password)
    await carry_out(request, lobby.join, table_id, *given, place_of(request))
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/leave", status_code=200, responses=DOING)
async def leave(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatNumber]
) -> ApiGame:
    """Stand up again, before the game begins."""
    await carry_out(request, lobby.leave, table_id, data.seat)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/rename", status_code=200, responses=DOING)
async def rename(request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatWish]) -> ApiGame:
    """Give one's seat another name."""
    await carry_out(request, lobby.rename, table_id, data.seat, data.name)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/start", status_code=200, responses=DOING)
async def start(request: AnyRequest, table_id: FromPath[str]) -> ApiGame:
    """Begin the game."""
    await carry_out(request, lobby.start, table_id)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/hand-on", status_code=200, responses=DOING)
async def hand_on(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatNumber]
) -> SeatLink:
    """Make a link by which somebody else takes one's seat over."""
    token = await carry_out(request, talking.hand_on, table_id, data.seat)
    return SeatLink(f"{base_url(request)}/t/{table_id}/seat/{token}")


@post("/tables/{table_id:str}/take-over", status_code=200, responses=DOING)
async def take_over(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatSecret]
) -> ApiGame:
    """Take over the seat of such a link, which then is used up."""
    await carry_out(request, talking.take_over, table_id, data.token)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/close", status_code=200, responses=DOING)
async def close(request: AnyRequest, table_id: FromPath[str]) -> ApiGame:
    """End a table before its game is over."""
    await carry_out(request, lobby.close, table_id)
    return game(await shown_to_programs(request, table_id))


HANDLERS = [join, leave, rename, start, hand_on, take_over, close]
