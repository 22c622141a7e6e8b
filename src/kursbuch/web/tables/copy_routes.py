"""Routes for copies."""

from __future__ import annotations

from typing import Any

from litestar import Response
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect
from litestar.status_codes import HTTP_303_SEE_OTHER

from kursbuch.web.http.rate_limits import TABLES
from kursbuch.web.http.requests import AnyRequest, RequestFields, carry_out, wants_page
from kursbuch.web.tables import copies
from kursbuch.web.tables.api_schemas import CopyWish, Opened
from kursbuch.web.tables.api_view import table_operation
from kursbuch.web.tables.snapshot import Seen


def opened_at(request: AnyRequest, opened: Opened) -> Response[Any]:
    """The answer to a new table: its page for plain forms, its address for scripts."""
    if wants_page(request):
        return Redirect(opened.url, status_code=HTTP_303_SEE_OTHER)
    return Response({"url": opened.url}, status_code=201)


def _read_copy(request: AnyRequest, sent: RequestFields) -> CopyWish:
    seen = sent.seen()
    return CopyWish(seen.number, sent.texts("seat"), seen.version)


OPENING: dict[str, Any] = {
    "done": opened_at,
    "answer": None,
    "status_code": 201,
    "opt": {"cost": TABLES},
}


@table_operation("copy", form=_read_copy, **OPENING)
async def copy(request: AnyRequest, table_id: FromPath[str], data: JSONBody[CopyWish]) -> Opened:
    """Play on after some move, at a table of one's own. Not while the game hides something."""
    seen = Seen(data.number, data.version)
    opened = await carry_out(request, copies.copy, table_id, seen, data.seats)
    return Opened(opened, f"/t/{opened}")


@table_operation("again", **OPENING)
async def again(request: AnyRequest, table_id: FromPath[str]) -> Opened:
    """Play once more with the same people when the game is over: the same table for all who ask."""
    opened = await carry_out(request, copies.again, table_id)
    return Opened(opened, f"/t/{opened}")
