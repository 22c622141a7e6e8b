"""Routes of the lobby: search, new tables, seats, copies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from litestar import Response, get
from litestar.datastructures import UploadFile
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_303_SEE_OTHER
from sqlalchemy import func, select

import kursbuch
from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import LANGUAGES, Words
from kursbuch.web.accounts.views import client_network
from kursbuch.web.db.models import FREE_SEAT, Seat, Table, TableInvitation, now
from kursbuch.web.home.views import TableLine, table_line
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
    reader_of,
    tables_of,
    wants_page,
    who,
    words_for,
)
from kursbuch.web.http.templating import find_title, page
from kursbuch.web.labels import FieldChoice, ago, title_name
from kursbuch.web.tables import copies, lobby
from kursbuch.web.tables import invitations as table_invitations
from kursbuch.web.tables.access import watching_label
from kursbuch.web.tables.api import (
    ApiLists,
    ApiTable,
    CopyWish,
    JoinWish,
    Opened,
    SeatNumber,
    SeatWish,
    TitleInfo,
    table_operation,
)
from kursbuch.web.tables.clocks import hours_label
from kursbuch.web.tables.lobby import MAX_DATA, NewTable
from kursbuch.web.tables.new_table import new_table_page, read_new_table
from kursbuch.web.tables.policies import ENTRIES, ENTRY_LINK, LOBBY, RUNNING
from kursbuch.web.tables.snapshot import Seen
from kursbuch.web.tables.store import LISTED_FOR, TableStore

#: Maximum number of search results.
MOST_FOUND = 100
LIVE, SLOW = "live", "slow"


class TableQuery(msgspec.Struct, frozen=True):
    """Search criteria for open tables; empty ones do not matter."""

    title: str = ""
    time: str = ""
    language: str = ""
    free: int = 1


Found = list[tuple[Table, list[Seat]]]


async def find_tables(tables: TableStore, wanted: TableQuery) -> tuple[Found, Found]:
    """Tables with free seats that wait for players, and running games that look for a replacement, newest first."""
    if (wanted.title and wanted.title not in kursbuch.titles()) or (
        wanted.language and wanted.language not in LANGUAGES
    ):
        return [], []
    free = (
        select(Seat.table_id, func.count().label("free"))
        .where(FREE_SEAT)
        .group_by(Seat.table_id)
        .subquery()
    )
    query = (
        select(Table)
        .join(free, free.c.table_id == Table.id)
        .where(
            Table.listed,
            Table.status.in_((LOBBY, RUNNING)),
            Table.updated_at > now() - LISTED_FOR,
            free.c.free >= max(1, wanted.free),
        )
        .order_by(Table.updated_at.desc())
        .limit(MOST_FOUND)
    )
    if wanted.title:
        query = query.where(Table.title == wanted.title)
    if wanted.time in (LIVE, SLOW):
        query = query.where(Table.slow.is_(wanted.time == SLOW))
    if wanted.language:
        query = query.where(Table.language == wanted.language)
    async with tables.refusing(), tables.database.reading() as session:
        found = list(await session.scalars(query))
        seats: dict[str, list[Seat]] = {table.id: [] for table in found}
        rows = select(Seat).where(Seat.table_id.in_(seats)).order_by(Seat.number)
        for seat in await session.scalars(rows):
            seats[seat.table_id].append(seat)
    lines = [(table, seats[table.id]) for table in found]
    return (
        [one for one in lines if one[0].status == LOBBY],
        [one for one in lines if one[0].status == RUNNING],
    )


SEARCH_LANGUAGES = {"de": "Deutsch", "en": "English"}

#: Maximum number of free seats to search for.
MOST_FREE = 4


class OpenTable(msgspec.Struct, frozen=True):
    """A table with free seats; `facts` are what players want to know before joining."""

    line: TableLine
    facts: list[str]


class InvitationLine(msgspec.Struct, frozen=True):
    """An invitation made (with its `link`) or received; `sentence` names its recipient, or the players, `uses` its
    uses and their maximum."""

    id: int
    title_name: str
    table_url: str
    link: str
    sentence: str
    uses: str
    made: str


class TablesPage(msgspec.Struct, frozen=True):
    """tables.html: open tables, filtered by title, time, language and free seats; invitations received and made."""

    titles: list[FieldChoice]
    times: list[FieldChoice]
    languages: list[FieldChoice]
    free: list[FieldChoice]
    filtered: bool
    waiting: list[OpenTable]
    wanted: list[OpenTable]
    got: list[InvitationLine]
    made: list[InvitationLine]


def tables_page(
    words: Words,
    visitor: str,
    base_url: str,
    wanted: TableQuery,
    found: tuple[Found, Found],
    invitations: tuple[Sequence[TableInvitation], Sequence[TableInvitation]],
    known: Mapping[str, tuple[Table, list[Seat]]],
) -> TablesPage:
    """The page of open tables. `invitations` are those received and made, `known` their tables."""
    _ = words._

    def choices(values: Iterable[tuple[str, str]], chosen: str) -> list[FieldChoice]:
        every = [("", _("all")), *values]
        return [FieldChoice(value, label, value == chosen) for value, label in every]

    def lines(found: Found) -> list[OpenTable]:
        return [open_table_line(words, table, seats, visitor) for table, seats in found]

    got, made = (
        [
            _invitation(words, base_url, row, *known[row.table_id], made=mine)
            for row in rows
            if row.table_id in known
        ]
        for rows, mine in zip(invitations, (False, True), strict=True)
    )
    return TablesPage(
        titles=choices(
            ((title.id, title.name) for title in kursbuch.titles().values()), wanted.title
        ),
        times=choices(((LIVE, _("live")), (SLOW, _("slow"))), wanted.time),
        languages=choices(SEARCH_LANGUAGES.items(), wanted.language),
        free=[
            FieldChoice(str(n), words.ngettext("at least {n}", "at least {n}", n), n == wanted.free)
            for n in range(1, MOST_FREE + 1)
        ],
        filtered=wanted != TableQuery(),
        waiting=lines(found[0]),
        wanted=lines(found[1]),
        got=got,
        made=made,
    )


def open_table_line(words: Words, table: Table, seats: Sequence[Seat], visitor: str) -> OpenTable:
    """A table with free seats."""
    _ = words._
    facts = [hours_label(words, True, table.move_hours) if table.slow else _("live")]
    if table.rated:
        facts.append(_("rated"))
    if table.set_up:
        facts.append(_("begins from a set-up position"))
    if table.language_note:
        facts.append(table.language_note)
    elif table.language:
        facts.append(SEARCH_LANGUAGES[table.language])
    if table.entry != ENTRY_LINK:
        facts.append(words._(ENTRIES[table.entry]))
    if table.watching != "all" or table.delay_moves or table.delay_minutes:
        label = watching_label(words, table.watching, table.delay_moves, table.delay_minutes)
        facts.append(words._("spectators: {label}", label=label))
    return OpenTable(table_line(words, table, seats, visitor), facts)


def _invitation(
    words: Words,
    base_url: str,
    row: TableInvitation,
    table: Table,
    seats: Sequence[Seat],
    made: bool,
) -> InvitationLine:
    names = words.join([seat.name for seat in seats if seat.name])
    if made:
        if_link = words._("for anyone with the link")
        sentence = words._("for {name}", name=row.name) if row.name else if_link
    else:
        host = next((seat.name for seat in seats if seat.owner == row.owner), "")
        sentence = words._("{name} invites you", name=host) if host else ""
    uses = words.ngettext("used {n} time", "used {n} times", row.used)
    left = words.ngettext("{n} more possible", "{n} more possible", row.uses_left)
    return InvitationLine(
        id=row.id,
        title_name=title_name(table.title),
        table_url=f"/t/{table.id}",
        link=base_url + row.path,
        sentence="; ".join(filter(None, (names, sentence))),
        uses=f"{uses}, {left}",
        made=ago(words, row.made_at),
    )


def line(words: Words, table: Table, seats: Sequence[Seat], visitor: str) -> ApiTable:
    """A table in a list."""
    one = table_line(words, table, seats, visitor)
    return ApiTable(
        one.id,
        one.title,
        one.status,
        one.players,
        one.free_seats,
        one.moves,
        one.my_turn,
        table.rated,
        bool(table.set_up),
    )


@get("/new", include_in_schema=False)
async def new_table(request: AnyRequest) -> Template:
    """The form for a new table."""
    words = words_for(request)
    name = request.query_params.get("title") or next(iter(kursbuch.titles()))
    given = {"seats": request.query_params.get("seats", "")}
    form = new_table_page(words, find_title(name), given, person=who(request).account)
    return page(request, "new.html", form, words)


#: Maximum body with a file of component data.
LARGE_BODY = MAX_DATA + 100_000


@get("/tables", include_in_schema=False)
async def open_tables_page(request: AnyRequest) -> Template:
    """Open tables and invitations."""
    tables, visitor = tables_of(request), who(request).id
    given = request.query_params
    free = given.get("free", "")
    wanted = TableQuery(
        title=given.get("title", "")[:40],
        time=given.get("time", "")[:10],
        language=given.get("language", "")[:2],
        free=int(free) if free.isdecimal() and len(free) < 3 else 1,
    )
    found = await find_tables(tables, wanted)
    invitations = (
        await table_invitations.to_visitor(tables, visitor),
        await table_invitations.of_visitor(tables, visitor),
    )
    known = await table_invitations.invited_tables(
        tables, [row for rows in invitations for row in rows]
    )
    words = words_for(request)
    struct = tables_page(words, visitor, base_url(request), wanted, found, invitations, known)
    return page(request, "tables.html", struct, words)


@get("/titles", responses=READING)
async def titles() -> list[TitleInfo]:
    """The titles of this server."""
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
    """A new table from a form, perhaps with a file of component data."""

    data: bytes | None = None


async def _read_table(request: AnyRequest, sent: RequestFields) -> _SentTable:
    given = sent.fields.pop("data", None)
    # Forms send Windows line ends.
    text = given.replace("\r\n", "\n").encode() if isinstance(given, str) else None
    data = await given.read() if isinstance(given, UploadFile) else text
    new = read_new_table(sent)
    if data:
        lobby.check_data(data)
        await read_data(request, data, new.title, len(new.seats), new.options)
    return _SentTable(**msgspec.structs.asdict(new), data=data or None)


async def _table_refused(request: AnyRequest, error: KursbuchError) -> Template:
    """Show the form again with its values."""
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
    table_id = await once(
        request,
        lobby.open_table,
        tables,
        data,
        visitor,
        components,
        parse=reader_of(request),
        language=words_for(request).language,
    )
    return Opened(table_id, f"/t/{table_id}")


@table_operation("join")
async def join(request: AnyRequest, table_id: FromPath[str], data: JSONBody[JoinWish]) -> None:
    """Take a free seat."""
    given = (data.seat, data.name, data.password)
    await carry_out(request, lobby.join, table_id, *given, client_network(request))


@table_operation("leave")
async def leave(request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatNumber]) -> None:
    """Leave the seat before the game."""
    await carry_out(request, lobby.leave, table_id, data.seat)


@table_operation("rename")
async def rename(request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatWish]) -> None:
    """Rename one's seat."""
    await carry_out(request, lobby.rename, table_id, data.seat, data.name)


@table_operation("start")
async def start(request: AnyRequest, table_id: FromPath[str]) -> None:
    """Start the game."""
    await carry_out(request, lobby.start, table_id)


@table_operation("close")
async def close(request: AnyRequest, table_id: FromPath[str]) -> None:
    """Close a table before its game is over."""
    await carry_out(request, lobby.close, table_id)


class ApiOpen(msgspec.Struct, frozen=True):
    """Open tables: those that wait for players, and running games that look for a replacement."""

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
    """Open tables by title, `time` ("live" or "slow"), language and free seats."""
    wanted = TableQuery(title[:40], time[:10], language[:2], max(1, min(free, 99)))
    found = await find_tables(tables_of(request), wanted)
    words, visitor = words_for(request), who(request).id
    waiting, wanting = ([line(words, *one, visitor) for one in some] for some in found)
    return ApiOpen(waiting, wanting)


def opened_at(request: AnyRequest, opened: Opened) -> Response[Any]:
    """Answer with a new table: its page for plain forms, its address for scripts."""
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
    """Play on after some move, at a private table. Not while the game hides something."""
    seen = Seen(data.number, data.version)
    opened = await carry_out(request, copies.copy, table_id, seen, data.seats)
    return Opened(opened, f"/t/{opened}")


@table_operation("again", **OPENING)
async def again(request: AnyRequest, table_id: FromPath[str]) -> Opened:
    """Open the rematch of a finished game: the same table for all who ask."""
    opened = await carry_out(request, copies.again, table_id)
    return Opened(opened, f"/t/{opened}")
