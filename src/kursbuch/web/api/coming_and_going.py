"""Players who are away for some time, are replaced, or come back."""

from __future__ import annotations

from litestar import post
from litestar.params import FromPath, JSONBody

from kursbuch.web.api.errors import DOING
from kursbuch.web.api.shapes import ApiGame, AwayWish, ReplaceWish, SeatNumber
from kursbuch.web.api.shown import game, shown_to_programs
from kursbuch.web.deeds import consents, talking, times
from kursbuch.web.deeds.consents import REPLACE
from kursbuch.web.requests import AnyRequest, carry_out
from kursbuch.web.slow_games import end_of_day


@post("/tables/{table_id:str}/away", status_code=200, responses=DOING)
async def away(request: AnyRequest, table_id: FromPath[str], data: JSONBody[AwayWish]) -> ApiGame:
    """Say that one is away for some time; where there is a time for moves, it stands still."""
    until = end_of_day(data.until, data.offset)
    await carry_out(request, times.go_away, table_id, data.seat, until)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/present", status_code=200, responses=DOING)
async def present(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatNumber]
) -> ApiGame:
    """Be back before that."""
    await carry_out(request, times.be_present, table_id, data.seat)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/replace", status_code=200, responses=DOING)
async def replace(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[ReplaceWish]
) -> ApiGame:
    """Replace the player of a seat, or ask the others for it."""
    wish = data.by or None
    await carry_out(request, consents.ask, table_id, REPLACE, target=data.seat, wish=wish)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/come-back", status_code=200, responses=DOING)
async def come_back(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatNumber]
) -> ApiGame:
    """Take one's seat again, as long as no other person has it."""
    await carry_out(request, talking.come_back, table_id, data.seat)
    return game(await shown_to_programs(request, table_id))


HANDLERS = [away, present, replace, come_back]
