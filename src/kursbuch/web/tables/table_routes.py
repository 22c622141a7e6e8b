"""Routes of the table page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import msgspec
from litestar import Response, get
from litestar.params import FromPath, FromQuery
from litestar.response import Stream, Template
from litestar.status_codes import HTTP_304_NOT_MODIFIED
from markupsafe import Markup

from kursbuch.core.words import N_
from kursbuch.web.accounts import sessions
from kursbuch.web.db.models import now
from kursbuch.web.http.errors import Conflict, Unauthorized
from kursbuch.web.http.operations import READING
from kursbuch.web.http.overload import HEAD
from kursbuch.web.http.rate_limits import Limiter, address_of_visitor
from kursbuch.web.http.requests import AnyRequest, tables_of, who, words_for
from kursbuch.web.http.templating import find_title, page, style_sheet
from kursbuch.web.live import patches
from kursbuch.web.live.fragments import FORM, accepts_gzip, answer, fragment
from kursbuch.web.live.streams import Announcement, Pushed, Pusher
from kursbuch.web.tables import access
from kursbuch.web.tables.access import closed_table_page
from kursbuch.web.tables.api import ApiGame, CheckedSeed, game, shown_to_programs
from kursbuch.web.tables.boards import board, card, places_page
from kursbuch.web.tables.history_view import check_page, payments_page
from kursbuch.web.tables.numbers import numbers_csv, numbers_page
from kursbuch.web.tables.snapshot import announced, delayed, is_delayed
from kursbuch.web.tables.table_view import TableInfo, settled
from kursbuch.web.tables.viewer import allowed, record_of, seen_by, viewer


class OpenTable(msgspec.Struct, frozen=True):
    """table.html: the page of a table, with its live part as HTML."""

    table: TableInfo
    html: Markup


@get("/t/{table_id:str}", include_in_schema=False)
async def show_table(
    request: AnyRequest, table_id: FromPath[str], move: FromQuery[int | None] = None
) -> Template:
    """The table: lobby or game, now or after an earlier move."""
    try:
        shown = await viewer(request, table_id, at=move)
    except access.TableClosed as closed:
        words = words_for(request, closed.snapshot.table.language)
        struct = closed_table_page(words, closed.snapshot, who(request).id)
        return page(request, "door.html", struct, words, closed.status)
    tables_of(request).presence.see(table_id, who(request).id)
    whole = request.query_params.get("log") == "all"
    html = Markup(fragment(request, shown, whole).text(same=False))
    return page(request, "table.html", OpenTable(settled(shown).table, html), shown.words)


@get("/t/{table_id:str}/live", include_in_schema=False)
async def table_live(
    request: AnyRequest, table_id: FromPath[str], move: FromQuery[int | None] = None
) -> Response[str | bytes]:
    """The live part of the page. An undone move is ignored."""
    shown = await viewer(request, table_id)
    if move is not None and 0 <= move < shown.number:
        shown.look_back(move)
    whole = request.query_params.get("log") == "all"
    return answer(request, fragment(request, shown, whole))


@get("/t/{table_id:str}/board.svg", include_in_schema=False, media_type="image/svg+xml")
async def table_board(
    request: AnyRequest, table_id: FromPath[str], move: FromQuery[int | None] = None
) -> str:
    """The board as a picture."""
    shown = await viewer(request, table_id, at=move)
    if shown.game is None:
        raise Conflict(N_("The game has not begun yet."))
    return str(board(shown).svg)


@get("/t/{table_id:str}/why", include_in_schema=False)
async def table_why(
    request: AnyRequest, table_id: FromPath[str], move: FromQuery[int | None] = None
) -> Template:
    """Describe the element with the last `key`, and why selecting these keys leads to no legal move."""
    shown = await viewer(request, table_id, at=move)
    keys = request.query_params.getall("key", [])
    return page(request, "card.html", card(shown, keys), shown.words)


@get("/t/{table_id:str}/places", include_in_schema=False)
async def table_places(
    request: AnyRequest, table_id: FromPath[str], move: FromQuery[int | None] = None
) -> Template:
    """The board in words, as a page or as a card for a popup."""
    shown = await viewer(request, table_id, at=move)
    return page(request, "places.html", places_page(shown), shown.words)


@get("/t/{table_id:str}/payments/{seat:int}", include_in_schema=False)
async def table_payments(
    request: AnyRequest,
    table_id: FromPath[str],
    seat: FromPath[int],
    move: FromQuery[int | None] = None,
) -> Template:
    """The payments of a seat, as a page or as a card for a popup."""
    shown = await viewer(request, table_id, at=move)
    return page(request, "payments.html", payments_page(shown, seat), shown.words)


@get("/titles/{title:str}/drawing.css", include_in_schema=False)
async def drawing_style(title: FromPath[str]) -> Response[str]:
    """The style sheet of a title's drawing."""
    headers = {"cache-control": "private, max-age=31536000, immutable"}
    return Response(style_sheet(find_title(title)), headers=headers, media_type="text/css")


@get("/t/{table_id:str}/drawing.css", include_in_schema=False)
async def table_drawing_style(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    """The style sheet of a table's drawing; it never changes."""
    shown = await viewer(request, table_id)
    headers = {"cache-control": "private, max-age=31536000, immutable"}
    return Response(style_sheet(shown.title), headers=headers, media_type="text/css")


@get("/t/{table_id:str}/pieces.svg", include_in_schema=False)
async def table_pieces(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    """The drawing of the pieces; that of a table never changes."""
    shown = await viewer(request, table_id)
    headers = {"cache-control": "private, max-age=31536000, immutable"}
    return Response(shown.title.pieces, headers=headers, media_type="image/svg+xml")


@get("/t/{table_id:str}/events", include_in_schema=False)
async def table_events(
    request: AnyRequest, table_id: FromPath[str], push: FromQuery[int] = 0
) -> Stream:
    """Live updates of the table. A page asks for pushed updates in a format version (`push`), and says which drawing
    it has (`board`); it reports its visibility to `/waiting`."""
    return await stream(request, table_id, push == FORM, sees=not push)


@get("/t/{table_id:str}/record", include_in_schema=False, media_type="text/plain")
async def table_record(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    """The record of the game."""
    shown = await viewer(request, table_id)
    return record_of(shown)


@get("/t/{table_id:str}/numbers", include_in_schema=False)
async def table_numbers(
    request: AnyRequest, table_id: FromPath[str], move: FromQuery[int | None] = None
) -> Template:
    """The statistics of the game, now or after an earlier move."""
    shown = await viewer(request, table_id, at=move)
    return page(request, "numbers.html", numbers_page(shown), shown.words)


@get("/t/{table_id:str}/numbers.csv", include_in_schema=False, media_type="text/csv")
async def table_numbers_csv(
    request: AnyRequest,
    table_id: FromPath[str],
    move: FromQuery[int | None] = None,
    sheet: FromQuery[str] = "",
) -> Response[str]:
    """The statistics for spreadsheets."""
    shown = await viewer(request, table_id, at=move)
    name = "-".join(
        part for part in (shown.table.title, table_id, "" if move is None else str(move)) if part
    )
    body = numbers_csv(shown, sheet)
    headers = {"content-disposition": f'attachment; filename="{name}{sheet and f"-{sheet}"}.csv"'}
    return Response(body, headers=headers, media_type="text/csv")


@get("/t/{table_id:str}/check", include_in_schema=False)
async def table_check(request: AnyRequest, table_id: FromPath[str]) -> Template:
    """Check the seed after the game."""
    shown = await viewer(request, table_id)
    return page(request, "check.html", check_page(shown), shown.words)


@get("/tables/{table_id:str}", responses=READING)
async def table(
    request: AnyRequest, table_id: FromPath[str], since: FromQuery[int] = 0
) -> Response[ApiGame | None]:
    """A table as the caller may see it; the log begins after the first `since` moves. Its `ETag` changes with the
    table: sent back as `If-None-Match`, it is answered with 304 while nothing has changed."""
    shown = await shown_to_programs(request, table_id)
    tag = f'"{shown.stamp()}-{since}"'
    headers = {"etag": tag, "cache-control": "private, no-cache", "vary": "cookie, accept-language"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(None, status_code=HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(game(shown, since), headers=headers)


@get("/tables/{table_id:str}/record", media_type="text/plain", responses=READING)
async def record(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    """The record of the game. Not while the game hides something."""
    return record_of(await shown_to_programs(request, table_id))


@get(
    "/tables/{table_id:str}/events",
    opt={"compress": False},
    media_type="text/event-stream",
    response_description="Server-sent events, until the caller hangs up",
    responses=READING,
)
async def events(request: AnyRequest, table_id: FromPath[str]) -> Stream:
    """A stream of server-sent events, one for every change of the table, beginning with its present state. Each is
    called `changed`; its data are the `version` of the table, the `number` of moves, and whether it is the caller's
    `turn`. After 15 quiet seconds comes an event called `quiet`."""
    return await stream(request, table_id)


@get("/tables/{table_id:str}/check", responses=READING)
async def check(request: AnyRequest, table_id: FromPath[str]) -> CheckedSeed:
    """Check the seed of a finished game."""
    found = check_page(await shown_to_programs(request, table_id))
    return CheckedSeed(
        found.seed, found.seed_hash, found.draws, found.passed, found.sentence, found.head
    )


async def stream(
    request: AnyRequest, table_id: str, push: bool = False, sees: bool = False
) -> Stream:
    """Stream live updates of a table; `push` adds the new content of the page. Delayed spectators get no event at the
    moment of a change. `sees` counts the stream as a visible page."""
    tables = tables_of(request)
    visitor, address = who(request), address_of_visitor(request)
    limiter: Limiter = request.app.state.limiter
    behind = is_delayed(await allowed(tables, table_id, visitor.id), visitor.id)
    limiter.check_stream(visitor.id, address)
    packs = push and accepts_gzip(request)

    async def look() -> Announcement | None:
        if not behind:
            return await tables.look(table_id)
        current = await tables.load(table_id)
        return announced(delayed(current, now()) if is_delayed(current, visitor.id) else current)

    async def events() -> AsyncIterator[bytes]:
        if HEAD in request.scope:
            return
        if packs:
            yield patches.HEAD
        with (
            limiter.streaming(visitor.id, address),
            _pushing(request, table_id, push and not behind and not visitor.is_new) as pusher,
        ):
            async for event in request.app.state.live.events(
                table_id, visitor.id, look, not behind, pusher, sees
            ):
                yield event.packed if packs else event.data

    headers = {"cache-control": "no-cache", "x-accel-buffering": "no", "vary": "accept-encoding"}
    if packs:
        headers["content-encoding"] = "gzip"
    return Stream(events(), media_type="text/event-stream", headers=headers)


@contextmanager
def _pushing(request: AnyRequest, table_id: str, wanted: bool) -> Iterator[Pusher | None]:
    """Build updates for the reader of a stream, as a request at that moment would be answered."""
    if not wanted:
        yield None
        return
    tables, visitor = tables_of(request), who(request).id
    told = request.app.state.sent.to(request.query_params.get("board", ""))

    async def push(version: int) -> Pushed | None:
        # The visitor may have logged out, the seat may have changed hands, or spectators may be excluded.
        try:
            await sessions.identify_again(request, tables)
        except Unauthorized:  # the token of the program was revoked
            return None
        if who(request).id != visitor:
            return None
        snapshot = await tables.load_since(table_id, version)
        if not access.may_watch(snapshot, visitor) or is_delayed(snapshot, visitor):
            return None
        try:
            shown = await seen_by(request, snapshot)
        except access.TableClosed:
            return None
        found = fragment(request, shown)
        return Pushed(found.version, told.update(found))

    try:
        yield push
    finally:
        told.end()
