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
    RequestFields,
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
    AnswerWish,
    Moved,
    MoveWish,
    RefusalWish,
    SeatLink,
    SeatNumber,
    SeatSecret,
    SeenWish,
    UndoWish,
)
from kursbuch.web.tables.api_view import table_done, table_operation
from kursbuch.web.tables.explanations import PreviewInfo, foreseen
from kursbuch.web.tables.snapshot import Seen
from kursbuch.web.tables.visits import viewer
from kursbuch.web.tables.votes import END, REDO, REPLACE, UNDO


def done(request: AnyRequest, target: str) -> Response[Any]:
    """The answer to something carried out: nothing for scripts, the page for plain forms."""
    if wants_page(request):
        return Redirect(target, status_code=HTTP_303_SEE_OTHER)
    return Response(None, status_code=204)


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


@post("/t/{table_id:str}/face", include_in_schema=False)
async def face_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Say who sits in front of a shared device; without a seat, it is handed over."""
    sent = await read(request)
    await carry_out(request, table_moves.face, table_id, sent.optional_number("seat"))
    return table_done(request)


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


@table_operation("move", answer=None)
async def move(request: AnyRequest, table_id: FromPath[str], data: JSONBody[MoveWish]) -> Moved:
    """Make a move. It is on disk when the answer arrives."""
    seen = Seen(data.number, data.version)
    number = await carry_out(request, table_moves.move, table_id, seen, data.action)
    return Moved(number)


@table_operation("undo")
async def undo(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[UndoWish | None] = None
) -> None:
    """Take the last move back, or ask the others for it. With the fields `number` and `version` of the
    table as the caller has seen it, only the move that was the last one then; with the field `to` all that
    were made after so many."""
    wish = data or UndoWish()
    await _ask(request, table_id, UNDO, wish.number, wish.version, wish.to)


@table_operation("redo")
async def redo(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeenWish | None] = None
) -> None:
    """Do again what was taken back last, or ask the others for it, until another move is made. With the
    fields `number` and `version` only as long as the table is as the caller has seen it."""
    wish = data or SeenWish()
    await _ask(request, table_id, REDO, wish.number, wish.version)


@table_operation("end")
async def end(request: AnyRequest, table_id: FromPath[str]) -> None:
    """End the game without a result, or ask the others for it."""
    await _ask(request, table_id, END)


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


def _read_answer(request: AnyRequest, sent: RequestFields) -> AnswerWish:
    said, version = sent.text("answer"), sent.optional_number("version")
    if said not in ("yes", "no"):
        raise Refused(N_("The answer must be yes or no."))
    return AnswerWish("yes" if said == "yes" else "no", version)


@table_operation(
    "answer/{kind:str}",
    {f"/t/{{table_id:str}}/{kind}/answer": {"kind": kind} for kind in (UNDO, REDO, END, REPLACE)},
    form=_read_answer,
)
async def answer(
    request: AnyRequest,
    table_id: FromPath[str],
    kind: FromPath[Literal["undo", "redo", "end", "replace"]],
    data: JSONBody[AnswerWish],
) -> None:
    """Agree to what another player has asked for, or not; who has asked takes it back with "no"."""
    agree = data.answer == "yes"
    await carry_out(request, votes.answer, table_id, kind, agree, data.version)


@table_operation("never-ask")
async def never_ask(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[RefusalWish]
) -> None:
    """Never be asked about a subject again, or be asked again."""
    await carry_out(request, table_moves.never_ask, table_id, data.subject, data.on, data.seat)


def _handed_on(request: AnyRequest, made: SeatLink) -> Response[Any]:
    return table_done(request) if wants_page(request) else Response(made, status_code=200)


@table_operation("hand-on", done=_handed_on, answer=None)
async def hand_on(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatNumber]
) -> SeatLink:
    """Make a link by which somebody else takes one's seat over."""
    token = await carry_out(request, table_seats.hand_on, table_id, data.seat)
    return SeatLink(f"{base_url(request)}/t/{table_id}/seat/{token}")


@table_operation(
    "take-over",
    "/t/{table_id:str}/seat/{token:str}",
    done=lambda request, _: Redirect(
        f"/t/{request.path_params['table_id']}", status_code=HTTP_303_SEE_OTHER
    ),
)
async def take_over(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatSecret]
) -> None:
    """Take over the seat of such a link, which then is used up."""
    await carry_out(request, table_seats.take_over, table_id, data.token)
