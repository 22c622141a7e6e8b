"""The pages and fragments."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

from litestar import Response, get
from litestar.params import FromPath, FromQuery
from litestar.response import ServerSentEvent, Template
from litestar.status_codes import HTTP_200_OK

import kursbuch
from kursbuch.core.title import Title
from kursbuch.core.words import LANGUAGES, N_, Words
from kursbuch.web.deeds import talking
from kursbuch.web.errors import Conflict, NotFound
from kursbuch.web.present.boards import board
from kursbuch.web.present.history import check_page
from kursbuch.web.present.rules import rule_card, rules_page
from kursbuch.web.present.start import home_page, new_table_page
from kursbuch.web.present.table import table_page
from kursbuch.web.present.viewer import Viewer
from kursbuch.web.recent import Recent
from kursbuch.web.requests import (
    AnyRequest,
    base_url,
    language_of,
    safe_path,
    tables_of,
    who,
    words_for,
)

#: Rendered parts of pages that look the same to many, such as a table to those who watch.
FRAGMENTS = Recent[tuple[object, ...], str](50)


def page(
    request: AnyRequest,
    name: str,
    struct: Any,
    words: Words,
    status: int = HTTP_200_OK,
) -> Template:
    """A filled-in template."""
    return Template(name, context=_context(request, struct, words), status_code=status)


def _context(request: AnyRequest, struct: Any, words: Words) -> dict[str, Any]:
    visitor = who(request)
    notice = ""
    if visitor.forged:
        notice = words._(
            "The cookie of this browser was not valid, so you are here as a new visitor."
        )
    return {
        "page": struct,
        "_": words._,
        "ngettext": words.ngettext,
        "language": words.language,
        "languages": LANGUAGES,
        "notice": notice,
        "path": safe_path(_path(request)),
        "asset": request.app.state.assets.url,
        "drawing_style": drawing_style_url,
    }


def _path(request: AnyRequest) -> str:
    query = request.url.query
    return request.url.path + (f"?{query}" if query else "")


def find_title(name: str) -> Title[Any]:
    """The title with that id."""
    title = kursbuch.titles().get(name)
    if title is None:
        raise NotFound(N_("There is no title {name}."), name=name[:40])
    return title


@cache
def drawing_style_url(title: str) -> str:
    """The address of the style sheet of a title's drawing; it changes with the content."""
    stamp = hashlib.sha256(find_title(title).style.encode()).hexdigest()[:12]
    return f"/titles/{title}/drawing.css?v={stamp}"


async def viewer(
    request: AnyRequest, table_id: FromPath[str], curtain: bool = True, at: int | None = None
) -> Viewer:
    """The table as the one who asks may see it; with `curtain` only what the player in front of a
    shared device may, with `at` as it was after so many moves."""
    snapshot = await tables_of(request).load(table_id)
    language = language_of(request, snapshot.table.language)
    return Viewer(snapshot, who(request).id, language, base_url(request), curtain, at)


# ---- whether the server is well


@get("/health", include_in_schema=False, media_type="text/plain")
async def health(request: AnyRequest) -> str:
    """For those who watch over the server: refused with 503 if the database does not answer."""
    await tables_of(request).check()
    return "ok"


# ---- start page, new table


@get("/", include_in_schema=False)
async def home(request: AnyRequest) -> Template:
    """The start page."""
    visitor = who(request)
    lists = await tables_of(request).lists(visitor.id)
    words = words_for(request)
    return page(request, "home.html", home_page(words, lists, visitor.id), words)


@get("/new", include_in_schema=False)
async def new_table(request: AnyRequest) -> Template:
    """The form for a new table."""
    words = words_for(request)
    name = request.query_params.get("title") or next(iter(kursbuch.titles()))
    given = {"seats": request.query_params.get("seats", "")}
    return page(request, "new.html", new_table_page(words, find_title(name), given), words)


# ---- the table


@get("/t/{table_id:str}", include_in_schema=False)
async def table(
    request: AnyRequest, table_id: FromPath[str], move: FromQuery[int | None] = None
) -> Template:
    """The table: lobby or game, as it is or as it was after so many moves."""
    shown = await viewer(request, table_id, at=move)
    whole = request.query_params.get("log") == "all"
    return page(request, "table.html", table_page(shown, whole), shown.words)


@get("/t/{table_id:str}/live", include_in_schema=False, media_type="text/html")
async def table_live(
    request: AnyRequest, table_id: FromPath[str], move: FromQuery[int | None] = None
) -> str:
    """The part of the page that is refreshed. A move that has been taken back is no more."""
    shown = await viewer(request, table_id)
    if move is not None and 0 <= move < shown.number:
        shown = await viewer(request, table_id, at=move)
    whole = request.query_params.get("log") == "all"
    shared = shown.shared()
    key = shared and (*shared, whole)
    found = FRAGMENTS.get(key) if key is not None else None
    if found is None:
        engine = request.app.template_engine
        assert engine is not None
        context = _context(request, table_page(shown, whole), shown.words)
        found = engine.get_template("live.html").render(**context)
        if key is not None:
            FRAGMENTS.put(key, found)
    return found


@get("/t/{table_id:str}/board.svg", include_in_schema=False, media_type="image/svg+xml")
async def table_board(
    request: AnyRequest, table_id: FromPath[str], move: FromQuery[int | None] = None
) -> str:
    """The board as a picture."""
    shown = await viewer(request, table_id, at=move)
    if shown.game is None:
        raise Conflict(N_("The game has not begun yet."))
    return str(board(shown))


@get("/titles/{title:str}/drawing.css", include_in_schema=False)
async def drawing_style(title: FromPath[str]) -> Response[str]:
    """The style sheet of a title's drawing."""
    headers = {"cache-control": "private, max-age=31536000, immutable"}
    return Response(find_title(title).style, headers=headers, media_type="text/css")


@get("/t/{table_id:str}/pieces.svg", include_in_schema=False)
async def table_pieces(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    """The pieces that are laid on the board; a table's never change."""
    shown = await viewer(request, table_id)
    headers = {"cache-control": "private, max-age=31536000, immutable"}
    return Response(shown.title.pieces, headers=headers, media_type="image/svg+xml")


@get("/t/{table_id:str}/events", include_in_schema=False, opt={"compress": False})
async def table_events(request: AnyRequest, table_id: FromPath[str]) -> ServerSentEvent:
    """Live updates of the table."""
    tables = tables_of(request)
    visitor = who(request).id
    await tables.load(table_id)

    async def look() -> Any:
        await talking.seen(tables, table_id, visitor)
        return await tables.look(table_id)

    async def events() -> AsyncIterator[Any]:
        async for message in request.app.state.live.events(table_id, visitor, look):
            yield message

    return ServerSentEvent(events())


@get("/t/{table_id:str}/record", include_in_schema=False, media_type="text/plain")
async def table_record(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    """The record of the game."""
    shown = await viewer(request, table_id)
    record = shown.record()
    headers = {"content-disposition": f'attachment; filename="{shown.table.title}-{table_id}.txt"'}
    return Response(record, headers=headers, media_type="text/plain; charset=utf-8")


@get("/t/{table_id:str}/check", include_in_schema=False)
async def table_check(request: AnyRequest, table_id: FromPath[str]) -> Template:
    """The check of the seed after the game."""
    shown = await viewer(request, table_id)
    return page(request, "check.html", check_page(shown), shown.words)


# ---- rules, language


@get("/rules/{title:str}", include_in_schema=False)
async def rules(request: AnyRequest, title: FromPath[str]) -> Template:
    """All rules of a title."""
    words = words_for(request)
    query = request.query_params.get("q", "")[:200]
    struct = rules_page(words, find_title(title), query)
    return page(request, "rules.html", struct, words)


@get("/rules/{title:str}/{rule:str}", include_in_schema=False)
async def rule(request: AnyRequest, title: FromPath[str], rule: FromPath[str]) -> Template:
    """One rule, as a page or as a card for a popup."""
    words = words_for(request)
    found = find_title(title)
    if rule not in found.rules:
        raise NotFound(N_("{title} has no rule {rule}."), title=found.name, rule=rule[:60])
    name = "rule_card.html" if "hx-request" in request.headers else "rule.html"
    return page(request, name, rule_card(words, found, found.rules[rule]), words)


HANDLERS = [
    health,
    home,
    new_table,
    table,
    table_live,
    table_board,
    drawing_style,
    table_pieces,
    table_events,
    table_record,
    table_check,
    rules,
    rule,
]
