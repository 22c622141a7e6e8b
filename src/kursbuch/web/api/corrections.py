"""Corrections by a moderator."""

from __future__ import annotations

from litestar import post
from litestar.params import FromPath, JSONBody

from kursbuch.web.api.errors import DOING
from kursbuch.web.api.shapes import Corrected, Correction
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


HANDLERS = [correct]
