"""Routes of the lobby: new tables, search, seats."""

from __future__ import annotations

import msgspec
from litestar import get
from litestar.datastructures import UploadFile
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_303_SEE_OTHER

import kursbuch
from kursbuch.core.errors import KursbuchError
from kursbuch.web.accounts.forms import place_of
from kursbuch.web.http.operations import READING, operation
from kursbuch.web.http.rate_limits import TABLES
from kursbuch.web.http.requests import (
    AnyRequest,
    RequestFields,
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
    ApiLists,
    ApiTable,
    JoinWish,
    Opened,
    SeatNumber,
    SeatWish,
    TitleInfo,
)
from kursbuch.web.tables.api_view import line, table_operation
from kursbuch.web.tables.lobby import MAX_DATA, NewTable
from kursbuch.web.tables.new_table import new_table_page, read_new_table
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


class _SentTable(NewTable, frozen=True):
    """A new table from a form, which may bring a file of component data."""

    data: bytes | None = None


async def _read_table(request: AnyRequest, sent: RequestFields) -> _SentTable:
    upload = sent.fields.pop("data", None)
    data = await upload.read() if isinstance(upload, UploadFile) else None
    new = read_new_table(sent)
    if data:
        lobby.check_data(data)
        await read_data(request, data, new.title, len(new.seats), new.options)
    return _SentTable(**msgspec.structs.asdict(new), data=data or None)


async def _table_refused(request: AnyRequest, error: KursbuchError) -> Template:
    """The form again, with what was filled in."""
    sent = (await read(request)).fields
    given = {name: value for name, value in sent.items() if isinstance(value, str)}
    title = kursbuch.titles().get(given.get("title", ""))
    if title is None or not wants_page(request):
        raise error
    words = words_for(request)
    form = new_table_page(words, title, given, error.text(words), person=who(request).account)
    return page(request, "new.html", form, words, status=getattr(error, "status", 422))


@operation(
    "/tables",
    "/tables",
    form=_read_table,
    done=lambda _, opened: Redirect(opened.url, status_code=HTTP_303_SEE_OTHER),
    refused=_table_refused,
    status_code=201,
    opt={"cost": TABLES},
    request_max_body_size=LARGE_BODY,
)
async def open_table(request: AnyRequest, data: JSONBody[NewTable]) -> Opened:
    """Open a table. It starts at once when no seat is `open`."""
    components = data.data if isinstance(data, _SentTable) else None
    tables, visitor = tables_of(request), who(request).id
    table_id = await once(request, lobby.open_table, tables, data, visitor, components)
    return Opened(table_id, f"/t/{table_id}")


@table_operation("join")
async def join(request: AnyRequest, table_id: FromPath[str], data: JSONBody[JoinWish]) -> None:
    """Sit down on a free seat."""
    given = (data.seat, data.name, data.password)
    await carry_out(request, lobby.join, table_id, *given, place_of(request))


@table_operation("leave")
async def leave(request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatNumber]) -> None:
    """Stand up again, before the game begins."""
    await carry_out(request, lobby.leave, table_id, data.seat)


@table_operation("rename")
async def rename(request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatWish]) -> None:
    """Give one's seat another name."""
    await carry_out(request, lobby.rename, table_id, data.seat, data.name)


@table_operation("start")
async def start(request: AnyRequest, table_id: FromPath[str]) -> None:
    """Begin the game."""
    await carry_out(request, lobby.start, table_id)


@table_operation("close")
async def close(request: AnyRequest, table_id: FromPath[str]) -> None:
    """End a table before its game is over."""
    await carry_out(request, lobby.close, table_id)


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
