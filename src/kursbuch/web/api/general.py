"""Titles, lists of tables, a new table."""

from __future__ import annotations

from litestar import get, post
from litestar.params import JSONBody

import kursbuch
from kursbuch.web.api.errors import DOING, READING
from kursbuch.web.api.shapes import ApiLists, ApiTable, Opened, TitleInfo
from kursbuch.web.api.shown import line
from kursbuch.web.deeds import lobby
from kursbuch.web.deeds.lobby import NewTable
from kursbuch.web.forms import LARGE_BODY
from kursbuch.web.limits import TABLES
from kursbuch.web.requests import AnyRequest, once, tables_of, who, words_for


@get("/titles", responses=READING)
async def titles() -> list[TitleInfo]:
    """The games that can be played here."""
    return [
        TitleInfo(
            title.id,
            title.name,
            title.seats[0],
            title.seats[-1],
            {option.name: list(option.values) for option in title.options},
        )
        for title in kursbuch.titles().values()
    ]


@get("/tables", responses=READING)
async def table_lists(request: AnyRequest) -> ApiLists:
    """Tables: the caller's own, and those listed publicly."""
    visitor = who(request).id
    words = words_for(request)
    lists = await tables_of(request).lists(visitor)

    def lines(name: str) -> list[ApiTable]:
        return [line(words, table, seats, visitor) for table, seats in lists[name]]

    return ApiLists(lines("mine"), lines("waiting"), lines("running"), lines("finished"))


@post("/tables", opt={"cost": TABLES}, request_max_body_size=LARGE_BODY, responses=DOING)
async def open_table(request: AnyRequest, data: JSONBody[NewTable]) -> Opened:
    """Open a table. It starts at once when no seat is `open`."""
    table_id = await once(request, lobby.open_table, tables_of(request), data, who(request).id)
    return Opened(table_id, f"/t/{table_id}")


HANDLERS = [titles, table_lists, open_table]
