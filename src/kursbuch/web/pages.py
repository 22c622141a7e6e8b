"""The pages and fragments, and the forms they send."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, ServerSentEvent, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

import kursbuch
from kursbuch.core.errors import KursbuchError
from kursbuch.core.title import Title
from kursbuch.core.words import LANGUAGES, N_, Words
from kursbuch.web import contexts, present, thinking
from kursbuch.web.errors import Forbidden, NotFound, Refused, Unavailable
from kursbuch.web.opponents import Thinkers
from kursbuch.web.present import Presenter
from kursbuch.web.requests import (
    AnyRequest,
    Sent,
    base_url,
    is_secure,
    language_of,
    read,
    safe_path,
    tables_of,
    wants_page,
    who,
    words_for,
)
from kursbuch.web.security import LANGUAGE_COOKIE, make_cookie
from kursbuch.web.strengths import ADVISER
from kursbuch.web.tables import MAX_DATA, NewSeat, NewTable, Seen

#: A form with a file of component data may be larger than anything else.
LARGE_BODY = MAX_DATA + 100_000

#: How often the computer thinks about a hint while the game goes on under it.
ADVISING = 3


class Fragments:
    """Rendered parts of pages that look the same to many, such as a table to those who watch."""

    def __init__(self, most: int = 50) -> None:
        self._kept: OrderedDict[tuple[object, ...], str] = OrderedDict()
        self._most = most

    def get(self, key: tuple[object, ...]) -> str | None:
        """What was rendered for a key."""
        return self._kept.get(key)

    def put(self, key: tuple[object, ...], text: str) -> None:
        """Keep what was rendered; the oldest goes."""
        self._kept[key] = text
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)


FRAGMENTS = Fragments()


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


async def presenter(
    request: AnyRequest, table_id: FromPath[str], curtain: bool = True
) -> Presenter:
    """The table as the one who asks may see it; with `curtain` only what the player in front of a
    shared device may."""
    snapshot = await tables_of(request).load(table_id)
    language = language_of(request, snapshot.table.language)
    return Presenter(snapshot, who(request).id, language, base_url(request), curtain)


def done(request: AnyRequest, target: str) -> Response[Any]:
    """The answer to something carried out: nothing for scripts, the page for plain forms."""
    if wants_page(request):
        return Redirect(target, status_code=HTTP_303_SEE_OTHER)
    return Response(None, status_code=204)


def table_done(request: AnyRequest, table_id: str) -> Response[Any]:
    """The answer to something carried out at a table."""
    return done(request, f"/t/{table_id}")


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
    lists, counts = await tables_of(request).lists(visitor.id)
    words = words_for(request)
    return page(request, "home.html", present.home_page(words, lists, counts, visitor.id), words)


@get("/new", include_in_schema=False)
async def new_table(request: AnyRequest) -> Template:
    """The form for a new table."""
    words = words_for(request)
    name = request.query_params.get("title") or next(iter(kursbuch.titles()))
    given = {"seats": request.query_params.get("seats", "")}
    return page(request, "new.html", present.new_table_page(words, find_title(name), given), words)


def read_new_table(sent: Sent) -> NewTable:
    """The table a form asks for."""
    title = kursbuch.title(sent.text("title"))
    count = sent.number("seats")
    title.check_seats(count)
    seats = [
        NewSeat(
            sent.text(f"seat{number}_kind", "open"),
            sent.text(f"seat{number}_name"),
            sent.text(f"seat{number}_bot"),
        )
        for number in range(count)
    ]
    options = {
        name.removeprefix("option_"): sent.text(name)
        for name in sent.fields
        if name.startswith("option_")
    }
    try:
        pace = float(sent.text("pace") or NewTable.__struct_defaults__[-1])
    except ValueError:
        raise Refused(N_("The field {name} is not a number."), name="pace") from None
    return NewTable(
        title=title.id,
        seats=seats,
        options=options,
        undo=sent.text("undo", "ask"),
        help=sent.flag("help"),
        listed=sent.flag("listed"),
        objection=sent.optional_number("objection"),
        language=sent.text("language"),
        pace=pace,
    )


@post("/tables", include_in_schema=False, request_max_body_size=LARGE_BODY)
async def open_table(request: AnyRequest) -> Response[Any] | Template:
    """Open a table."""
    sent = await read(request)
    upload = sent.fields.pop("data", None)
    try:
        data = await upload.read() if isinstance(upload, UploadFile) else None
        table_id = await tables_of(request).open(
            read_new_table(sent), who(request).id, data or None
        )
    except KursbuchError as error:
        if not wants_page(request):
            raise
        words = words_for(request)
        given = {name: value for name, value in sent.fields.items() if isinstance(value, str)}
        title = kursbuch.titles().get(given.get("title", ""))
        if title is None:
            raise
        form = present.new_table_page(words, title, given, error.text(words))
        return page(request, "new.html", form, words, status=getattr(error, "status", 422))
    return Redirect(f"/t/{table_id}", status_code=HTTP_303_SEE_OTHER)


# ---- the table


@get("/t/{table_id:str}", include_in_schema=False)
async def table(request: AnyRequest, table_id: FromPath[str]) -> Template:
    """The table: lobby or game."""
    shown = await presenter(request, table_id)
    whole = request.query_params.get("log") == "all"
    return page(request, "table.html", shown.table_page(whole), shown.words)


@get("/t/{table_id:str}/live", include_in_schema=False, media_type="text/html")
async def table_live(request: AnyRequest, table_id: FromPath[str]) -> str:
    """The part of the page that is refreshed."""
    shown = await presenter(request, table_id)
    whole = request.query_params.get("log") == "all"
    shared = shown.shared()
    key = shared and (*shared, whole)
    found = FRAGMENTS.get(key) if key is not None else None
    if found is None:
        engine = request.app.template_engine
        assert engine is not None
        context = _context(request, shown.table_page(whole), shown.words)
        found = engine.get_template("live.html").render(**context)
        if key is not None:
            FRAGMENTS.put(key, found)
    return found


@get("/t/{table_id:str}/at/{number:int}", include_in_schema=False)
async def table_at(request: AnyRequest, table_id: FromPath[str], number: FromPath[int]) -> Template:
    """The board after so many moves."""
    shown = await presenter(request, table_id)
    return page(request, "at.html", shown.history_page(number), shown.words)


@get("/t/{table_id:str}/board.svg", include_in_schema=False, media_type="image/svg+xml")
async def table_board(
    request: AnyRequest, table_id: FromPath[str], move: FromQuery[int | None] = None
) -> str:
    """The board as a picture."""
    shown = await presenter(request, table_id)
    view = shown.view_at(len(shown.game.moves) if move is None and shown.game else move or 0)
    del view  # refuses a move that does not exist
    return str(shown.board() if move is None else shown.board_at(move))


@get("/titles/{title:str}/drawing.css", include_in_schema=False)
async def drawing_style(title: FromPath[str]) -> Response[str]:
    """The style sheet of a title's drawing."""
    headers = {"cache-control": "private, max-age=31536000, immutable"}
    return Response(find_title(title).style, headers=headers, media_type="text/css")


@get("/t/{table_id:str}/pieces.svg", include_in_schema=False)
async def table_pieces(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    """The pieces that are laid on the board; a table's never change."""
    shown = await presenter(request, table_id)
    headers = {"cache-control": "private, max-age=31536000, immutable"}
    return Response(shown.title.pieces, headers=headers, media_type="image/svg+xml")


@get("/t/{table_id:str}/events", include_in_schema=False, opt={"compress": False})
async def table_events(request: AnyRequest, table_id: FromPath[str]) -> ServerSentEvent:
    """Live updates of the table."""
    tables = tables_of(request)
    visitor = who(request).id
    await tables.load(table_id)

    async def look() -> Any:
        await tables.seen(table_id, visitor)
        return await tables.look(table_id)

    async def events() -> AsyncIterator[Any]:
        async for message in request.app.state.live.events(table_id, visitor, look):
            yield message

    return ServerSentEvent(events())


@get("/t/{table_id:str}/record", include_in_schema=False, media_type="text/plain")
async def table_record(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    """The record of the game."""
    shown = await presenter(request, table_id)
    record = shown.record()
    headers = {"content-disposition": f'attachment; filename="{shown.table.title}-{table_id}.txt"'}
    return Response(record, headers=headers, media_type="text/plain; charset=utf-8")


@get("/t/{table_id:str}/check", include_in_schema=False)
async def table_check(request: AnyRequest, table_id: FromPath[str]) -> Template:
    """The check of the seed after the game."""
    shown = await presenter(request, table_id)
    return page(request, "check.html", shown.check_page(), shown.words)


# ---- what players do


@post("/t/{table_id:str}/join", include_in_schema=False)
async def join(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Sit down."""
    sent = await read(request)
    await tables_of(request).join(table_id, who(request).id, sent.number("seat"), sent.text("name"))
    return table_done(request, table_id)


@post("/t/{table_id:str}/leave", include_in_schema=False)
async def leave(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Stand up before the game."""
    sent = await read(request)
    await tables_of(request).leave(table_id, who(request).id, sent.number("seat"))
    return table_done(request, table_id)


@post("/t/{table_id:str}/rename", include_in_schema=False)
async def rename(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Change the name of one's seat."""
    sent = await read(request)
    await tables_of(request).rename(
        table_id, who(request).id, sent.number("seat"), sent.text("name")
    )
    return table_done(request, table_id)


@post("/t/{table_id:str}/start", include_in_schema=False)
async def start(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Begin the game."""
    await tables_of(request).start(table_id, who(request).id)
    return table_done(request, table_id)


@post("/t/{table_id:str}/close", include_in_schema=False)
async def close(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """End the table."""
    await tables_of(request).close(table_id, who(request).id)
    return table_done(request, table_id)


@post("/t/{table_id:str}/move", include_in_schema=False)
async def move(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Make a move."""
    sent = await read(request)
    seen = Seen(sent.number("number"), sent.optional_number("version"))
    await tables_of(request).move(table_id, who(request).id, seen, sent.data("action"))
    return table_done(request, table_id)


@post("/t/{table_id:str}/undo", include_in_schema=False)
async def undo(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Take the last move back, or ask for it."""
    seen = what_was_seen(await read(request))
    await tables_of(request).undo(table_id, who(request).id, seen)
    return table_done(request, table_id)


@post("/t/{table_id:str}/undo/answer", include_in_schema=False)
async def answer_undo(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Agree to taking a move back, or refuse."""
    sent = await read(request)
    await tables_of(request).answer_undo(
        table_id, who(request).id, yes_or_no(sent), what_was_seen(sent)
    )
    return table_done(request, table_id)


def what_was_seen(sent: Sent) -> Seen | None:
    """What the visitor saw of the table, where that may be left out."""
    number = sent.optional_number("number")
    return None if number is None else Seen(number, sent.optional_number("version"))


def yes_or_no(sent: Sent) -> bool:
    """The answer to what somebody has asked for."""
    answer = sent.text("answer")
    if answer not in ("yes", "no"):
        raise Refused(N_("The answer must be yes or no."))
    return answer == "yes"


@post("/t/{table_id:str}/end", include_in_schema=False)
async def end(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """End the game without a result, or ask for it."""
    await tables_of(request).propose_end(table_id, who(request).id)
    return table_done(request, table_id)


@post("/t/{table_id:str}/end/answer", include_in_schema=False)
async def answer_end(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Agree to ending the game, or refuse."""
    agreed = yes_or_no(await read(request))
    await tables_of(request).answer_end(table_id, who(request).id, agreed)
    return table_done(request, table_id)


@post("/t/{table_id:str}/face", include_in_schema=False)
async def face(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Say who sits in front of a shared device; without a seat, it is handed over."""
    sent = await read(request)
    await tables_of(request).face(table_id, who(request).id, sent.optional_number("seat"))
    return table_done(request, table_id)


@post("/t/{table_id:str}/chat", include_in_schema=False)
async def chat(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Write a message."""
    sent = await read(request)
    await tables_of(request).say(table_id, who(request).id, sent.text("text"))
    return table_done(request, table_id)


@post("/t/{table_id:str}/never-ask", include_in_schema=False)
async def never_ask(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Switch "never ask me about this" on or off."""
    sent = await read(request)
    await tables_of(request).never_ask(
        table_id,
        who(request).id,
        sent.text("subject"),
        sent.flag("on"),
        sent.optional_number("seat"),
    )
    return table_done(request, table_id)


@post("/t/{table_id:str}/hint", include_in_schema=False, status_code=HTTP_200_OK)
async def hint(request: AnyRequest, table_id: FromPath[str]) -> Template:
    """What the computer would do."""
    shown = await presenter(request, table_id)
    if not shown.table.help:
        raise Forbidden(N_("This table does not allow help."))
    shown.own_view()  # refuses those who have nothing to decide
    data = await tables_of(request).component_data(shown.table)
    thinkers: Thinkers = request.app.state.thinkers
    # The game may go on while the computer thinks, as when others bid secretly at the same time.
    for _ in range(ADVISING):
        shown = await presenter(request, table_id)
        position = shown.position()
        job = thinking.make_job(shown.own_view(), data, ADVISER)
        try:
            ranked = await thinkers.think(thinking.rank, job)
        except Exception as error:
            raise Unavailable(
                N_("The computer has no advice just now: please try again.")
            ) from error
        shown = await presenter(request, table_id)
        if shown.position() == position and ranked:
            return page(request, "hint.html", shown.hint(ranked), shown.words)
    raise Refused(N_("The game has gone on in the meantime, so the advice no longer fits."))


@post("/t/{table_id:str}/hand-on", include_in_schema=False)
async def hand_on(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Make a link by which somebody else takes one's seat over."""
    sent = await read(request)
    token = await tables_of(request).hand_on(table_id, who(request).id, sent.number("seat"))
    if wants_page(request):
        return table_done(request, table_id)
    return Response({"link": f"{base_url(request)}/t/{table_id}/seat/{token}"}, status_code=200)


@get("/t/{table_id:str}/seat/{token:str}", include_in_schema=False)
async def offered_seat(
    request: AnyRequest, table_id: FromPath[str], token: FromPath[str]
) -> Template:
    """Ask whether to take a seat over."""
    snapshot, seat = await tables_of(request).find_token(table_id, token)
    words = words_for(request, snapshot.table.language)
    struct = contexts.TakePage(
        table_url=f"/t/{table_id}",
        title_name=find_title(snapshot.table.title).name,
        seat=seat.number,
        name=seat.name,
        action=f"/t/{table_id}/seat/{token}",
    )
    return page(request, "take.html", struct, words)


@post("/t/{table_id:str}/seat/{token:str}", include_in_schema=False)
async def take_seat(
    request: AnyRequest, table_id: FromPath[str], token: FromPath[str]
) -> Response[Any]:
    """Take a seat over."""
    await tables_of(request).take_over(table_id, who(request).id, token)
    return Redirect(f"/t/{table_id}", status_code=HTTP_303_SEE_OTHER)


# ---- rules, language


@get("/rules/{title:str}", include_in_schema=False)
async def rules(request: AnyRequest, title: FromPath[str]) -> Template:
    """All rules of a title."""
    words = words_for(request)
    query = request.query_params.get("q", "")[:200]
    struct = present.rules_page(words, find_title(title), query)
    return page(request, "rules.html", struct, words)


@get("/rules/{title:str}/{rule:str}", include_in_schema=False)
async def rule(request: AnyRequest, title: FromPath[str], rule: FromPath[str]) -> Template:
    """One rule, as a page or as a card for a popup."""
    words = words_for(request)
    found = find_title(title)
    if rule not in found.rules:
        raise NotFound(N_("{title} has no rule {rule}."), title=found.name, rule=rule[:60])
    name = "rule_card.html" if "hx-request" in request.headers else "rule.html"
    return page(request, name, present.rule_card(words, found, found.rules[rule]), words)


@post("/language", include_in_schema=False)
async def language(request: AnyRequest) -> Response[Any]:
    """Choose the language."""
    sent = await read(request)
    wanted = sent.text("language")
    if wanted not in LANGUAGES:
        raise Refused(N_("There is no such language."))
    answer = done(request, safe_path(sent.fields.get("next")))
    answer.set_cookie(make_cookie(LANGUAGE_COOKIE, wanted, is_secure(request)))
    return answer


HANDLERS = [
    health,
    home,
    new_table,
    open_table,
    table,
    table_live,
    table_at,
    table_board,
    drawing_style,
    table_pieces,
    table_events,
    table_record,
    table_check,
    join,
    leave,
    rename,
    start,
    close,
    move,
    undo,
    answer_undo,
    end,
    answer_end,
    face,
    chat,
    never_ask,
    hint,
    hand_on,
    offered_seat,
    take_seat,
    rules,
    rule,
    language,
]
