"""What visitors do: forms and the scripts of the pages send it here."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

import kursbuch
from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import LANGUAGES, N_
from kursbuch.web import contexts, thinking
from kursbuch.web.deeds import consents, lobby, playing, talking
from kursbuch.web.deeds.consents import END, UNDO
from kursbuch.web.deeds.lobby import MAX_DATA, NewSeat, NewTable
from kursbuch.web.errors import Forbidden, Refused, Unavailable
from kursbuch.web.opponents import Thinkers
from kursbuch.web.pages import find_title, page, viewer
from kursbuch.web.present.hints import hint_card
from kursbuch.web.present.start import new_table_page
from kursbuch.web.requests import (
    AnyRequest,
    Sent,
    base_url,
    is_secure,
    read,
    safe_path,
    tables_of,
    wants_page,
    who,
    words_for,
)
from kursbuch.web.security import LANGUAGE_COOKIE, make_cookie
from kursbuch.web.snapshot import Seen
from kursbuch.web.strengths import ADVISER

#: A form with a file of component data may be larger than anything else.
LARGE_BODY = MAX_DATA + 100_000

#: How often the computer thinks about a hint while the game goes on under it.
ADVISING = 3


def done(request: AnyRequest, target: str) -> Response[Any]:
    """The answer to something carried out: nothing for scripts, the page for plain forms."""
    if wants_page(request):
        return Redirect(target, status_code=HTTP_303_SEE_OTHER)
    return Response(None, status_code=204)


def table_done(request: AnyRequest, table_id: str) -> Response[Any]:
    """The answer to something carried out at a table."""
    return done(request, f"/t/{table_id}")


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
        table_id = await lobby.open_table(
            tables_of(request), read_new_table(sent), who(request).id, data or None
        )
    except KursbuchError as error:
        if not wants_page(request):
            raise
        words = words_for(request)
        given = {name: value for name, value in sent.fields.items() if isinstance(value, str)}
        title = kursbuch.titles().get(given.get("title", ""))
        if title is None:
            raise
        form = new_table_page(words, title, given, error.text(words))
        return page(request, "new.html", form, words, status=getattr(error, "status", 422))
    return Redirect(f"/t/{table_id}", status_code=HTTP_303_SEE_OTHER)


@post("/t/{table_id:str}/join", include_in_schema=False)
async def join(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Sit down."""
    sent = await read(request)
    await lobby.join(
        tables_of(request), table_id, who(request).id, sent.number("seat"), sent.text("name")
    )
    return table_done(request, table_id)


@post("/t/{table_id:str}/leave", include_in_schema=False)
async def leave(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Stand up before the game."""
    sent = await read(request)
    await lobby.leave(tables_of(request), table_id, who(request).id, sent.number("seat"))
    return table_done(request, table_id)


@post("/t/{table_id:str}/rename", include_in_schema=False)
async def rename(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Change the name of one's seat."""
    sent = await read(request)
    await lobby.rename(
        tables_of(request), table_id, who(request).id, sent.number("seat"), sent.text("name")
    )
    return table_done(request, table_id)


@post("/t/{table_id:str}/start", include_in_schema=False)
async def start(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Begin the game."""
    await lobby.start(tables_of(request), table_id, who(request).id)
    return table_done(request, table_id)


@post("/t/{table_id:str}/close", include_in_schema=False)
async def close(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """End the table."""
    await lobby.close(tables_of(request), table_id, who(request).id)
    return table_done(request, table_id)


@post("/t/{table_id:str}/move", include_in_schema=False)
async def move(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Make a move."""
    sent = await read(request)
    seen = Seen(sent.number("number"), sent.optional_number("version"))
    await playing.move(tables_of(request), table_id, who(request).id, seen, sent.data("action"))
    return table_done(request, table_id)


@post("/t/{table_id:str}/undo", include_in_schema=False)
async def undo(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Take the last move back, or ask for it."""
    seen = (await read(request)).seen()
    await consents.ask(tables_of(request), table_id, who(request).id, UNDO, seen)
    return table_done(request, table_id)


@post("/t/{table_id:str}/undo/answer", include_in_schema=False)
async def answer_undo(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Agree to taking a move back, or refuse."""
    await answer(request, table_id, UNDO)
    return table_done(request, table_id)


async def answer(request: AnyRequest, table_id: str, kind: str) -> None:
    """Agree to what somebody has asked for, or refuse."""
    sent = await read(request)
    said, version = sent.text("answer"), sent.optional_number("version")
    if said not in ("yes", "no"):
        raise Refused(N_("The answer must be yes or no."))
    await consents.answer(
        tables_of(request), table_id, who(request).id, kind, said == "yes", version
    )


@post("/t/{table_id:str}/end", include_in_schema=False)
async def end(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """End the game without a result, or ask for it."""
    await consents.ask(tables_of(request), table_id, who(request).id, END)
    return table_done(request, table_id)


@post("/t/{table_id:str}/end/answer", include_in_schema=False)
async def answer_end(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Agree to ending the game, or refuse."""
    await answer(request, table_id, END)
    return table_done(request, table_id)


@post("/t/{table_id:str}/face", include_in_schema=False)
async def face(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Say who sits in front of a shared device; without a seat, it is handed over."""
    sent = await read(request)
    await playing.face(tables_of(request), table_id, who(request).id, sent.optional_number("seat"))
    return table_done(request, table_id)


@post("/t/{table_id:str}/chat", include_in_schema=False)
async def chat(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Write a message."""
    sent = await read(request)
    await talking.say(tables_of(request), table_id, who(request).id, sent.text("text"))
    return table_done(request, table_id)


@post("/t/{table_id:str}/never-ask", include_in_schema=False)
async def never_ask(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Switch "never ask me about this" on or off."""
    sent = await read(request)
    await playing.never_ask(
        tables_of(request),
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
    shown = await viewer(request, table_id)
    if not shown.table.help:
        raise Forbidden(N_("This table does not allow help."))
    shown.own_view()  # refuses those who have nothing to decide
    data = await tables_of(request).component_data(shown.table)
    thinkers: Thinkers = request.app.state.thinkers
    # The game may go on while the computer thinks, as when others bid secretly at the same time.
    for _ in range(ADVISING):
        shown = await viewer(request, table_id)
        position = shown.position()
        job = thinking.make_job(shown.own_view(), data, ADVISER)
        try:
            ranked = await thinkers.think(thinking.rank, job)
        except Exception as error:
            raise Unavailable(
                N_("The computer has no advice just now: please try again.")
            ) from error
        shown = await viewer(request, table_id)
        if shown.position() == position and ranked:
            return page(request, "hint.html", hint_card(shown, ranked), shown.words)
    raise Refused(N_("The game has gone on in the meantime, so the advice no longer fits."))


@post("/t/{table_id:str}/hand-on", include_in_schema=False)
async def hand_on(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Make a link by which somebody else takes one's seat over."""
    sent = await read(request)
    token = await talking.hand_on(
        tables_of(request), table_id, who(request).id, sent.number("seat")
    )
    if wants_page(request):
        return table_done(request, table_id)
    return Response({"link": f"{base_url(request)}/t/{table_id}/seat/{token}"}, status_code=200)


@get("/t/{table_id:str}/seat/{token:str}", include_in_schema=False)
async def offered_seat(
    request: AnyRequest, table_id: FromPath[str], token: FromPath[str]
) -> Template:
    """Ask whether to take a seat over."""
    snapshot, seat = await talking.find_token(tables_of(request), table_id, token)
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
    await talking.take_over(tables_of(request), table_id, who(request).id, token)
    return Redirect(f"/t/{table_id}", status_code=HTTP_303_SEE_OTHER)


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
    open_table,
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
    language,
]
