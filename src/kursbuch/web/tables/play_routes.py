"""Routes for playing: moves, undo and redo, votes, seats."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from kursbuch.core.words import N_
from kursbuch.web.http.errors import Refused, stale
from kursbuch.web.http.rate_limits import CHEAP
from kursbuch.web.http.requests import (
    AnyRequest,
    base_url,
    carry_out,
    read,
    tables_of,
    wants_page,
    who,
    words_for,
)
from kursbuch.web.http.templating import find_title, page
from kursbuch.web.tables import access, replacements, votes
from kursbuch.web.tables import moves as table_moves
from kursbuch.web.tables import seats as table_seats
from kursbuch.web.tables.api_schemas import (
    DOING,
    AnswerWish,
    ApiGame,
    Moved,
    MoveWish,
    RefusalWish,
    SeatLink,
    SeatNumber,
    SeatSecret,
    SeenWish,
    UndoWish,
)
from kursbuch.web.tables.api_view import game, shown_to_programs
from kursbuch.web.tables.explanations import PreviewInfo, foreseen
from kursbuch.web.tables.snapshot import Seen
from kursbuch.web.tables.visits import viewer
from kursbuch.web.tables.votes import END, REDO, UNDO


def done(request: AnyRequest, target: str) -> Response[Any]:
    """The answer to something carried out: nothing for scripts, the page for plain forms."""
    if wants_page(request):
        return Redirect(target, status_code=HTTP_303_SEE_OTHER)
    return Response(None, status_code=204)


def table_done(request: AnyRequest, table_id: str) -> Response[Any]:
    """The answer to something carried out at a table."""
    return done(request, f"/t/{table_id}")


@post("/t/{table_id:str}/move", include_in_schema=False)
async def move_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Make a move."""
    sent = await read(request)
    seen = sent.seen()
    await carry_out(request, table_moves.move, table_id, seen, sent.data("action"))
    return table_done(request, table_id)


@post(
    "/t/{table_id:str}/foresee",
    include_in_schema=False,
    status_code=HTTP_200_OK,
    opt={"cost": CHEAP},
)
async def foresee_form(request: AnyRequest, table_id: FromPath[str]) -> PreviewInfo:
    """What a move would bring for certain; nothing if the game has gone on."""
    sent = await read(request)
    seen = sent.seen()
    shown = await viewer(request, table_id)
    action = shown.title.action_from_json(sent.data("action"))
    if seen.number != shown.number:
        raise stale()
    return foreseen(shown, action)


@post("/t/{table_id:str}/undo", include_in_schema=False)
async def undo_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Take the last move back, or all after `to` moves, or ask for it."""
    sent = await read(request)
    target = sent.optional_number("to")
    await carry_out(request, votes.ask, table_id, UNDO, sent.optional_seen(), target)
    return table_done(request, table_id)


@post("/t/{table_id:str}/undo/answer", include_in_schema=False)
async def answer_undo_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Agree to taking a move back, or refuse."""
    await _answer_form(request, table_id, UNDO)
    return table_done(request, table_id)


@post("/t/{table_id:str}/redo", include_in_schema=False)
async def redo_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Do again what was taken back last, or ask for it."""
    seen = (await read(request)).optional_seen()
    await carry_out(request, votes.ask, table_id, REDO, seen)
    return table_done(request, table_id)


@post("/t/{table_id:str}/redo/answer", include_in_schema=False)
async def answer_redo_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Agree to doing again what was taken back, or refuse."""
    await _answer_form(request, table_id, REDO)
    return table_done(request, table_id)


async def _answer_form(request: AnyRequest, table_id: str, kind: str) -> None:
    """Agree to what somebody has asked for, or refuse."""
    sent = await read(request)
    said, version = sent.text("answer"), sent.optional_number("version")
    if said not in ("yes", "no"):
        raise Refused(N_("The answer must be yes or no."))
    await carry_out(request, votes.answer, table_id, kind, said == "yes", version)


@post("/t/{table_id:str}/end", include_in_schema=False)
async def end_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """End the game without a result, or ask for it."""
    await carry_out(request, votes.ask, table_id, END)
    return table_done(request, table_id)


@post("/t/{table_id:str}/end/answer", include_in_schema=False)
async def answer_end_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Agree to ending the game, or refuse."""
    await _answer_form(request, table_id, END)
    return table_done(request, table_id)


@post("/t/{table_id:str}/face", include_in_schema=False)
async def face_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Say who sits in front of a shared device; without a seat, it is handed over."""
    sent = await read(request)
    await carry_out(request, table_moves.face, table_id, sent.optional_number("seat"))
    return table_done(request, table_id)


@post("/t/{table_id:str}/never-ask", include_in_schema=False)
async def never_ask_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Switch "never ask me about this" on or off."""
    sent = await read(request)
    await carry_out(
        request,
        table_moves.never_ask,
        table_id,
        sent.text("subject"),
        sent.flag("on"),
        sent.optional_number("seat"),
    )
    return table_done(request, table_id)


@post("/t/{table_id:str}/hand-on", include_in_schema=False)
async def hand_on_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Make a link by which somebody else takes one's seat over."""
    sent = await read(request)
    token = await carry_out(request, table_seats.hand_on, table_id, sent.number("seat"))
    if wants_page(request):
        return table_done(request, table_id)
    return Response({"link": f"{base_url(request)}/t/{table_id}/seat/{token}"}, status_code=200)


class TakePage(msgspec.Struct, frozen=True):
    """take.html: a seat is handed on; a POST to the same address takes it, unless the visitor must log in before
    (`needs_account`)."""

    table_url: str
    title_name: str
    seat: int
    name: str
    action: str
    needs_account: bool


@get("/t/{table_id:str}/seat/{token:str}", include_in_schema=False)
async def offered_seat_page(
    request: AnyRequest, table_id: FromPath[str], token: FromPath[str]
) -> Template:
    """Ask whether to take a seat over."""
    snapshot, seat = await table_seats.find_token(tables_of(request), table_id, token)
    table, visitor = snapshot.table, who(request).id
    access.require_unfinished(table)
    needs_account = replacements.needs_account(table, visitor)
    if seat.owner != visitor and not needs_account:
        replacements.check_sitter(table, snapshot.seats, visitor)
    words = words_for(request, table.language)
    struct = TakePage(
        table_url=f"/t/{table_id}",
        title_name=find_title(table.title).name,
        seat=seat.number,
        name=seat.name,
        action=f"/t/{table_id}/seat/{token}",
        needs_account=needs_account,
    )
    return page(request, "take.html", struct, words)


@post("/t/{table_id:str}/seat/{token:str}", include_in_schema=False)
async def take_seat_form(
    request: AnyRequest, table_id: FromPath[str], token: FromPath[str]
) -> Response[Any]:
    """Take a seat over."""
    await carry_out(request, table_seats.take_over, table_id, token)
    return Redirect(f"/t/{table_id}", status_code=HTTP_303_SEE_OTHER)


@post("/tables/{table_id:str}/move", status_code=200, responses=DOING)
async def move(request: AnyRequest, table_id: FromPath[str], data: JSONBody[MoveWish]) -> Moved:
    """Make a move. It is on disk when the answer arrives."""
    seen = Seen(data.number, data.version)
    number = await carry_out(request, table_moves.move, table_id, seen, data.action)
    return Moved(number)


@post("/tables/{table_id:str}/undo", status_code=200, responses=DOING)
async def undo(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[UndoWish | None] = None
) -> ApiGame:
    """Take the last move back, or ask the others for it. With the fields `number` and `version` of the
    table as the caller has seen it, only the move that was the last one then; with the field `to` all that
    were made after so many."""
    wish = data or UndoWish()
    await _ask(request, table_id, UNDO, wish.number, wish.version, wish.to)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/redo", status_code=200, responses=DOING)
async def redo(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeenWish | None] = None
) -> ApiGame:
    """Do again what was taken back last, or ask the others for it, until another move is made. With the
    fields `number` and `version` only as long as the table is as the caller has seen it."""
    wish = data or SeenWish()
    await _ask(request, table_id, REDO, wish.number, wish.version)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/end", status_code=200, responses=DOING)
async def end(request: AnyRequest, table_id: FromPath[str]) -> ApiGame:
    """End the game without a result, or ask the others for it."""
    await _ask(request, table_id, END)
    return game(await shown_to_programs(request, table_id))


async def _ask(
    request: AnyRequest,
    table_id: str,
    kind: str,
    number: int | None = None,
    version: int | None = None,
    target: int | None = None,
) -> None:
    if number is None and version is not None:
        raise Refused(N_("Send the number of moves along with the version."))
    seen = None if number is None else Seen(number, version)
    await carry_out(request, votes.ask, table_id, kind, seen, target)


@post("/tables/{table_id:str}/answer/{kind:str}", status_code=200, responses=DOING)
async def answer(
    request: AnyRequest,
    table_id: FromPath[str],
    kind: FromPath[Literal["undo", "redo", "end", "replace"]],
    data: JSONBody[AnswerWish],
) -> ApiGame:
    """Agree to what another player has asked for, or not; who has asked takes it back with "no"."""
    agree = data.answer == "yes"
    await carry_out(request, votes.answer, table_id, kind, agree, data.version)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/never-ask", status_code=200, responses=DOING)
async def never_ask(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[RefusalWish]
) -> ApiGame:
    """Never be asked about a subject again, or be asked again."""
    await carry_out(request, table_moves.never_ask, table_id, data.subject, data.on, data.seat)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/hand-on", status_code=200, responses=DOING)
async def hand_on(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatNumber]
) -> SeatLink:
    """Make a link by which somebody else takes one's seat over."""
    token = await carry_out(request, table_seats.hand_on, table_id, data.seat)
    return SeatLink(f"{base_url(request)}/t/{table_id}/seat/{token}")


@post("/tables/{table_id:str}/take-over", status_code=200, responses=DOING)
async def take_over(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatSecret]
) -> ApiGame:
    """Take over the seat of such a link, which then is used up."""
    await carry_out(request, table_seats.take_over, table_id, data.token)
    return game(await shown_to_programs(request, table_id))


API_HANDLERS = [
    move,
    undo,
    redo,
    end,
    answer,
    never_ask,
    hand_on,
    take_over,
]


HANDLERS = [
    move_form,
    foresee_form,
    undo_form,
    answer_undo_form,
    redo_form,
    answer_redo_form,
    end_form,
    answer_end_form,
    face_form,
    never_ask_form,
    hand_on_form,
    offered_seat_page,
    take_seat_form,
]
