"""What a moderator does, and who is one."""

from __future__ import annotations

from litestar import post
from litestar.params import FromPath, JSONBody

from kursbuch.web.api.errors import DOING
from kursbuch.web.api.shapes import ApiGame, Corrected, Correction, ModeratorsWish, RewindWish
from kursbuch.web.api.shown import game, shown_to_programs
from kursbuch.web.deeds import moderating
from kursbuch.web.requests import AnyRequest, carry_out
from kursbuch.web.snapshot import Seen


@post("/tables/{table_id:str}/correct", status_code=200, responses=DOING)
async def correct(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[Correction]
) -> Corrected:
    """Correct something, as a moderator of the table: by kind and values, or by a line of text such as
    "money 50 from bank to Anna"."""
    seen = None if data.number is None else Seen(data.number, data.version)
    number = await carry_out(
        request, moderating.correct, table_id, seen, data.kind, data.values, data.line
    )
    return Corrected(number)


@post("/tables/{table_id:str}/rewind", status_code=200, responses=DOING)
async def rewind(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[RewindWish]
) -> ApiGame:
    """Go back to the position after so many moves without asking the others, as a moderator of the table."""
    seen = None if data.number is None else Seen(data.number, data.version)
    await carry_out(request, moderating.rewind, table_id, seen, data.to)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/moderators", status_code=200, responses=DOING)
async def moderators(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[ModeratorsWish]
) -> ApiGame:
    """Say who may correct something, as the one who opened the table."""
    await carry_out(request, moderating.choose, table_id, data.moderation, data.seats)
    return game(await shown_to_programs(request, table_id))


HANDLERS = [correct, rewind, moderators]
