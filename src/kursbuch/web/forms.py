"""What visitors do: forms and the scripts of the pages send it here."""

from __future__ import annotations

import re
from typing import Any

from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

import kursbuch
from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import LANGUAGES, N_
from kursbuch.web import contexts
from kursbuch.web.advising import advised
from kursbuch.web.deeds import consents, copies, doors, learning, lobby, playing, replacing, talking
from kursbuch.web.deeds.consents import END, REDO, UNDO
from kursbuch.web.deeds.lobby import MAX_DATA, NewSeat, NewTable
from kursbuch.web.errors import Refused, stale
from kursbuch.web.filling import find_title, page
from kursbuch.web.limits import CHEAP, COSTLY, TABLES
from kursbuch.web.looking import viewer
from kursbuch.web.people.accounts import keep_language
from kursbuch.web.people.asking import place_of
from kursbuch.web.policies import ENTRY_LINK, REMIND, USUAL_PACE, WATCH_ALL
from kursbuch.web.present.asked import foreseen
from kursbuch.web.present.hints import hint_card
from kursbuch.web.present.start import new_table_page
from kursbuch.web.requests import (
    AnyRequest,
    Sent,
    base_url,
    carry_out,
    once,
    read,
    read_data,
    removed_tables,
    safe_path,
    tables_of,
    wants_page,
    who,
    words_for,
)
from kursbuch.web.security import LANGUAGE_COOKIE, REMOVED_COOKIE, make_cookie

#: A form with a file of component data may be larger than anything else.
LARGE_BODY = MAX_DATA + 100_000

#: So many tables that were taken off a visitor's list are remembered.
MOST_REMOVED = 100

TABLE_CODE = re.compile(r"[a-z0-9-]{1,16}")


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
        pace = float(sent.text("pace") or USUAL_PACE)
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
        slow=bool(sent.text("time")),
        move_hours=None if sent.text("time") in ("", "slow") else sent.number("time"),
        overrun=sent.text("overrun") or REMIND,
        vacation=sent.optional_number("vacation") or 0,
        language_note=sent.text("language_note"),
        entry=sent.text("entry") or ENTRY_LINK,
        password=sent.text("password"),
        watching=sent.text("watching") or WATCH_ALL,
        delay_moves=sent.optional_number("delay_moves") or 0,
        delay_minutes=sent.optional_number("delay_minutes") or 0,
        rated=sent.flag("rated"),
        moderation=sent.text("moderation"),
        set_up=sent.text("set_up"),
    )


@post(
    "/tables",
    include_in_schema=False,
    request_max_body_size=LARGE_BODY,
    opt={"cost": TABLES},
)
async def open_table(request: AnyRequest) -> Response[Any] | Template:
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
async def join(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Sit down."""
    sent = await read(request)
    await carry_out(
        request,
        lobby.join,
        table_id,
        sent.number("seat"),
        sent.text("name"),
        sent.text("password"),
        place_of(request),
    )
    return table_done(request, table_id)


@post("/t/{table_id:str}/leave", include_in_schema=False)
async def leave(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Stand up before the game."""
    sent = await read(request)
    await carry_out(request, lobby.leave, table_id, sent.number("seat"))
    return table_done(request, table_id)


@post("/t/{table_id:str}/rename", include_in_schema=False)
async def rename(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Change the name of one's seat."""
    sent = await read(request)
    await carry_out(request, lobby.rename, table_id, sent.number("seat"), sent.text("name"))
    return table_done(request, table_id)


@post("/t/{table_id:str}/start", include_in_schema=False)
async def start(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Begin the game."""
    await carry_out(request, lobby.start, table_id)
    return table_done(request, table_id)


@post("/t/{table_id:str}/close", include_in_schema=False)
async def close(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """End the table."""
    await carry_out(request, lobby.close, table_id)
    return table_done(request, table_id)


@post("/t/{table_id:str}/move", include_in_schema=False)
async def move(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Make a move."""
    sent = await read(request)
    seen = sent.seen()
    await carry_out(request, playing.move, table_id, seen, sent.data("action"))
    return table_done(request, table_id)


@post(
    "/t/{table_id:str}/foresee",
    include_in_schema=False,
    status_code=HTTP_200_OK,
    opt={"cost": CHEAP},
)
async def foresee(request: AnyRequest, table_id: FromPath[str]) -> contexts.ForeseenInfo:
    """What a move would bring for certain; nothing if the game has gone on."""
    sent = await read(request)
    seen = sent.seen()
    shown = await viewer(request, table_id)
    action = shown.title.action_from_json(sent.data("action"))
    if seen.number != shown.number:
        raise stale()
    return foreseen(shown, action)


@post("/t/{table_id:str}/undo", include_in_schema=False)
async def undo(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Take the last move back, or all after `to` moves, or ask for it."""
    sent = await read(request)
    target = sent.optional_number("to")
    await carry_out(request, consents.ask, table_id, UNDO, sent.optional_seen(), target)
    return table_done(request, table_id)


@post("/t/{table_id:str}/undo/answer", include_in_schema=False)
async def answer_undo(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Agree to taking a move back, or refuse."""
    await answer(request, table_id, UNDO)
    return table_done(request, table_id)


@post("/t/{table_id:str}/redo", include_in_schema=False)
async def redo(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Do again what was taken back last, or ask for it."""
    seen = (await read(request)).optional_seen()
    await carry_out(request, consents.ask, table_id, REDO, seen)
    return table_done(request, table_id)


@post("/t/{table_id:str}/redo/answer", include_in_schema=False)
async def answer_redo(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Agree to doing again what was taken back, or refuse."""
    await answer(request, table_id, REDO)
    return table_done(request, table_id)


@post("/t/{table_id:str}/copy", include_in_schema=False, opt={"cost": TABLES})
async def copy(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Play on from a move, at a table of one's own."""
    sent = await read(request)
    seen = sent.seen()
    players: list[str] = []
    while (name := f"seat{len(players)}") in sent.fields:
        players.append(sent.text(name))
    opened = await carry_out(request, copies.copy, table_id, seen, players)
    return opened_at(request, opened)


@post("/t/{table_id:str}/again", include_in_schema=False, opt={"cost": TABLES})
async def again(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Play once more with the same people."""
    return opened_at(request, await carry_out(request, copies.again, table_id))


def opened_at(request: AnyRequest, table_id: str) -> Response[Any]:
    """The answer to a new table: its page for plain forms, its address for scripts."""
    if wants_page(request):
        return Redirect(f"/t/{table_id}", status_code=HTTP_303_SEE_OTHER)
    return Response({"url": f"/t/{table_id}"}, status_code=201)


async def answer(request: AnyRequest, table_id: str, kind: str) -> None:
    """Agree to what somebody has asked for, or refuse."""
    sent = await read(request)
    said, version = sent.text("answer"), sent.optional_number("version")
    if said not in ("yes", "no"):
        raise Refused(N_("The answer must be yes or no."))
    await carry_out(request, consents.answer, table_id, kind, said == "yes", version)


@post("/t/{table_id:str}/end", include_in_schema=False)
async def end(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """End the game without a result, or ask for it."""
    await carry_out(request, consents.ask, table_id, END)
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
    await carry_out(request, playing.face, table_id, sent.optional_number("seat"))
    return table_done(request, table_id)


@post("/t/{table_id:str}/never-ask", include_in_schema=False)
async def never_ask(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Switch "never ask me about this" on or off."""
    sent = await read(request)
    await carry_out(
        request,
        playing.never_ask,
        table_id,
        sent.text("subject"),
        sent.flag("on"),
        sent.optional_number("seat"),
    )
    return table_done(request, table_id)


@post("/learn/{title:str}/guide", include_in_schema=False, opt={"cost": TABLES})
async def open_guide(request: AnyRequest, title: FromPath[str]) -> Response[Any]:
    """Open a table for a guided first game."""
    sent = await read(request)
    player = sent.text("name").strip() or words_for(request)._("Guest")
    table_id = await learning.open_guide(tables_of(request), title, who(request).id, player)
    return Redirect(f"/t/{table_id}", status_code=HTTP_303_SEE_OTHER)


@post("/t/{table_id:str}/guide", include_in_schema=False)
async def guide(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Go back to the course of the guide, past what it leaves out, or on without it."""
    deeds = {"back": learning.take_back, "jump": learning.jump, "leave": learning.leave}
    deed = deeds.get((await read(request)).text("answer"))
    if deed is None:
        raise Refused(N_("The answer must be back, jump or leave."))
    await carry_out(request, deed, table_id)
    return table_done(request, table_id)


@post(
    "/t/{table_id:str}/hint", include_in_schema=False, status_code=HTTP_200_OK, opt={"cost": COSTLY}
)
async def hint(request: AnyRequest, table_id: FromPath[str]) -> Template:
    """What the computer would do."""
    shown, advice = await advised(request, table_id)
    return page(request, "hint.html", hint_card(shown, advice), shown.words)


@post("/t/{table_id:str}/hand-on", include_in_schema=False)
async def hand_on(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Make a link by which somebody else takes one's seat over."""
    sent = await read(request)
    token = await carry_out(request, talking.hand_on, table_id, sent.number("seat"))
    if wants_page(request):
        return table_done(request, table_id)
    return Response({"link": f"{base_url(request)}/t/{table_id}/seat/{token}"}, status_code=200)


@get("/t/{table_id:str}/seat/{token:str}", include_in_schema=False)
async def offered_seat(
    request: AnyRequest, table_id: FromPath[str], token: FromPath[str]
) -> Template:
    """Ask whether to take a seat over."""
    snapshot, seat = await talking.find_token(tables_of(request), table_id, token)
    table, visitor = snapshot.table, who(request).id
    doors.require_going(table)
    needs_account = replacing.needs_account(table, visitor)
    if seat.owner != visitor and not needs_account:
        replacing.check_sitter(table, snapshot.seats, visitor)
    words = words_for(request, table.language)
    struct = contexts.TakePage(
        table_url=f"/t/{table_id}",
        title_name=find_title(table.title).name,
        seat=seat.number,
        name=seat.name,
        action=f"/t/{table_id}/seat/{token}",
        needs_account=needs_account,
    )
    return page(request, "take.html", struct, words)


@post("/t/{table_id:str}/seat/{token:str}", include_in_schema=False)
async def take_seat(
    request: AnyRequest, table_id: FromPath[str], token: FromPath[str]
) -> Response[Any]:
    """Take a seat over."""
    await carry_out(request, talking.take_over, table_id, token)
    return Redirect(f"/t/{table_id}", status_code=HTTP_303_SEE_OTHER)


@post("/removed", include_in_schema=False)
async def remove_from_list(request: AnyRequest) -> Response[Any]:
    """Take a table off the visitor's list on the start page; without one, put all back."""
    wanted = (await read(request)).text("table")
    names = [name for name in removed_tables(request) if name != wanted]
    kept = ".".join([*names, wanted][-MOST_REMOVED:]) if TABLE_CODE.fullmatch(wanted) else ""
    answer = done(request, "/")
    answer.set_cookie(make_cookie(request, REMOVED_COOKIE, kept))
    return answer


@post("/language", include_in_schema=False)
async def language(request: AnyRequest) -> Response[Any]:
    """Choose the language."""
    sent = await read(request)
    wanted = sent.text("language")
    if wanted not in LANGUAGES:
        raise Refused(N_("There is no such language."))
    answer = done(request, safe_path(sent.fields.get("next")))
    answer.set_cookie(make_cookie(request, LANGUAGE_COOKIE, wanted))
    person = who(request).account
    if person is not None:
        await keep_language(tables_of(request), person.id, wanted)
    return answer


HANDLERS = [
    open_table,
    join,
    leave,
    rename,
    start,
    close,
    move,
    foresee,
    undo,
    answer_undo,
    redo,
    answer_redo,
    copy,
    again,
    end,
    answer_end,
    face,
    never_ask,
    open_guide,
    guide,
    hint,
    hand_on,
    offered_seat,
    take_seat,
    remove_from_list,
    language,
]
