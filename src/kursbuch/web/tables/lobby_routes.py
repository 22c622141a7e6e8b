"""Routes of the lobby: new tables, search, seats."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_303_SEE_OTHER

import kursbuch
from kursbuch.core.errors import KursbuchError
from kursbuch.web.accounts.views import client_network
from kursbuch.web.http.rate_limits import TABLES
from kursbuch.web.http.requests import (
    AnyRequest,
    base_url,
    carry_out,
    once,
    read,
    read_data,
    tables_of,
    wants_page,
    who,
    words_for,
)
from kursbuch.web.http.templating import find_title, page
from kursbuch.web.tables import invitations as table_invitations
from kursbuch.web.tables import lobby
from kursbuch.web.tables.api_schemas import (
    DOING,
    READING,
    ApiGame,
    ApiLists,
    ApiTable,
    JoinWish,
    Opened,
    SeatNumber,
    SeatWish,
    TitleInfo,
)
from kursbuch.web.tables.api_view import game, line, shown_to_programs
from kursbuch.web.tables.lobby import MAX_DATA, NewTable
from kursbuch.web.tables.new_table import new_table_page, read_new_table
from kursbuch.web.tables.play_routes import table_done
from kursbuch.web.tables.search import TableQuery, find, tables_page


@get("/new", include_in_schema=False)
async def new_table(request: AnyRequest) -> Template:
    """The form for a new table."""
    words = words_for(request)
    name = request.query_params.get("title") or next(iter(kursbuch.titles()))
    given = {"seats": request.query_params.get("seats", "")}
    form = new_table_page(words, find_title(name), given, person=who(request).account)
    return page(request, "new.html", form, words)


#: A form with a file of component data may be larger than anything else.
LARGE_BODY = MAX_DATA + 100_000


@post(
    "/tables",
    include_in_schema=False,
    request_max_body_size=LARGE_BODY,
    opt={"cost": TABLES},
)
async def open_table_form(request: AnyRequest) -> Response[Any] | Template:
    """Open a table."""
    sent = await read(request)
    upload = sent.fields.pop("data", None)
    try:
        data = await upload.read() if isinstance(upload, UploadFile) else None
        new = read_new_table(sent)
        if data:
            lobby.check_data(data)
            await read_data(request, data, new.title, len(new.seats), new.options)
        table_id = await once(
            request, lobby.open_table, tables_of(request), new, who(request).id, data or None
        )
    except KursbuchError as error:
        if not wants_page(request):
            raise
        words = words_for(request)
        given = {name: value for name, value in sent.fields.items() if isinstance(value, str)}
        title = kursbuch.titles().get(given.get("title", ""))
        if title is None:
            raise
        form = new_table_page(words, title, given, error.text(words), person=who(request).account)
        return page(request, "new.html", form, words, status=getattr(error, "status", 422))
    return Redirect(f"/t/{table_id}", status_code=HTTP_303_SEE_OTHER)


@post("/t/{table_id:str}/join", include_in_schema=False)
async def join_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Sit down."""
    sent = await read(request)
    await carry_out(
        request,
        lobby.join,
        table_id,
        sent.number("seat"),
        sent.text("name"),
        sent.text("password"),
        client_network(request),
    )
    return table_done(request, table_id)


@post("/t/{table_id:str}/leave", include_in_schema=False)
async def leave_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Stand up before the game."""
    sent = await read(request)
    await carry_out(request, lobby.leave, table_id, sent.number("seat"))
    return table_done(request, table_id)


@post("/t/{table_id:str}/rename", include_in_schema=False)
async def rename_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Change the name of one's seat."""
    sent = await read(request)
    await carry_out(request, lobby.rename, table_id, sent.number("seat"), sent.text("name"))
    return table_done(request, table_id)


@post("/t/{table_id:str}/start", include_in_schema=False)
async def start_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Begin the game."""
    await carry_out(request, lobby.start, table_id)
    return table_done(request, table_id)


@post("/t/{table_id:str}/close", include_in_schema=False)
async def close_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """End the table."""
    await carry_out(request, lobby.close, table_id)
    return table_done(request, table_id)


@get("/tables", include_in_schema=False)
async def open_tables_page(request: AnyRequest) -> Template:
    """Tables where somebody can sit down, and invitations."""
    tables, visitor = tables_of(request), who(request).id
    given = request.query_params
    free = given.get("free", "")
    wanted = TableQuery(
        title=given.get("title", "")[:40],
        time=given.get("time", "")[:10],
        language=given.get("language", "")[:2],
        free=int(free) if free.isdecimal() and len(free) < 3 else 1,
    )
    found = await find(tables, wanted)
    invitations = (
        await table_invitations.to_visitor(tables, visitor),
        await table_invitations.of_visitor(tables, visitor),
    )
    known = await table_invitations.tables_of(tables, [row for rows in invitations for row in rows])
    words = words_for(request)
    struct = tables_page(words, visitor, base_url(request), wanted, found, invitations, known)
    return page(request, "tables.html", struct, words)


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


@post("/tables/{table_id:str}/join", status_code=200, responses=DOING)
async def join(request: AnyRequest, table_id: FromPath[str], data: JSONBody[JoinWish]) -> ApiGame:
    """Sit down on a free seat."""
    given = (data.seat, data.name, data.password)
    await carry_out(request, lobby.join, table_id, *given, client_network(request))
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


@post("/tables/{table_id:str}/close", status_code=200, responses=DOING)
async def close(request: AnyRequest, table_id: FromPath[str]) -> ApiGame:
    """End a table before its game is over."""
    await carry_out(request, lobby.close, table_id)
    return game(await shown_to_programs(request, table_id))


class ApiOpen(msgspec.Struct, frozen=True):
    """Tables where somebody can sit down: those that wait for players, and games that go on and want somebody for
    a seat."""

    waiting: list[ApiTable]
    wanted: list[ApiTable]


@get("/open-tables", responses=READING)
async def open_tables(
    request: AnyRequest,
    title: FromQuery[str] = "",
    time: FromQuery[str] = "",
    language: FromQuery[str] = "",
    free: FromQuery[int] = 1,
) -> ApiOpen:
    """Tables where somebody can sit down, by title, `time` ("live" or "slow"), language and free seats."""
    wanted = TableQuery(title[:40], time[:10], language[:2], max(1, min(free, 99)))
    found = await find(tables_of(request), wanted)
    words, visitor = words_for(request), who(request).id
    waiting, wanting = ([line(words, *one, visitor) for one in some] for some in found)
    return ApiOpen(waiting, wanting)


API_HANDLERS = [
    titles,
    table_lists,
    open_table,
    join,
    leave,
    rename,
    start,
    close,
    open_tables,
]


HANDLERS = [
    new_table,
    open_table_form,
    join_form,
    leave_form,
    rename_form,
    start_form,
    close_form,
    open_tables_page,
]
