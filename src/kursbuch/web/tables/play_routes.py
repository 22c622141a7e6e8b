"""Routes for playing: moves, votes, corrections, absence, seats."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from kursbuch.core.corrections import kind_of
from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_
from kursbuch.web.home.views import stamp, thumbnail_stamp
from kursbuch.web.http.errors import Conflict, NotFound, Refused, stale
from kursbuch.web.http.rate_limits import CHEAP
from kursbuch.web.http.requests import (
    TABLE_CODE,
    AnyRequest,
    RequestFields,
    base_url,
    carry_out,
    read,
    removed_tables,
    tables_of,
    wants_page,
    who,
    words_for,
)
from kursbuch.web.http.security import ZONE_COOKIE, cookie_of
from kursbuch.web.http.templating import find_title, page
from kursbuch.web.notifications.preferences import zone_of
from kursbuch.web.tables import access, deadlines, lobby, moderation, votes
from kursbuch.web.tables import lobby as table_seats
from kursbuch.web.tables import moves as table_moves
from kursbuch.web.tables.api import (
    AnswerWish,
    AwayWish,
    Corrected,
    Correction,
    ModeratorsWish,
    Moved,
    MoveWish,
    RefusalWish,
    ReplaceWish,
    RewindWish,
    SeatLink,
    SeatNumber,
    SeatSecret,
    SeenWish,
    UndoWish,
    table_done,
    table_operation,
)
from kursbuch.web.tables.boards import THEMES, PreviewInfo, foreseen, thumbnail
from kursbuch.web.tables.moderation import correct_page
from kursbuch.web.tables.snapshot import Seen
from kursbuch.web.tables.viewer import viewer
from kursbuch.web.tables.votes import END, REDO, REPLACE, UNDO


def done(request: AnyRequest, target: str) -> Response[Any]:
    """Answer a form: nothing for scripts, the page for plain forms."""
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
    """Preview the certain results of a move; nothing if the game has gone on."""
    sent = await read(request)
    seen = sent.seen()
    shown = await viewer(request, table_id)
    action = shown.title.action_from_json(sent.data("action"))
    if seen.number != shown.number:
        raise stale()
    return foreseen(shown, action)


@post("/t/{table_id:str}/face", include_in_schema=False)
async def face_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Choose the player in front of a shared device; without a seat, hand it over."""
    sent = await read(request)
    await carry_out(request, table_moves.face, table_id, sent.optional_number("seat"))
    return table_done(request)


class TakePage(msgspec.Struct, frozen=True):
    """take.html: a seat is handed on; a POST to the same address takes it, unless the visitor must log in first
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
    needs_account = access.needs_account(table, visitor)
    if seat.owner != visitor and not needs_account:
        access.check_sitter(table, snapshot.seats, visitor)
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
    """Undo the last move, or ask the others for it. With the fields `number` and `version`, only if the table has not
    changed since; with the field `to`, all moves after that number."""
    wish = data or UndoWish()
    await _ask(request, table_id, UNDO, wish.number, wish.version, wish.to)


@table_operation("redo")
async def redo(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeenWish | None] = None
) -> None:
    """Redo the last undo, or ask the others for it, until another move is made. With the fields `number` and
    `version`, only if the table has not changed since."""
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
    """Agree to a vote, or refuse it; the player who asked withdraws it with "no"."""
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
    """Create a link that hands on one's seat."""
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
    """Take over the seat of a hand-on link, which is then used up."""
    await carry_out(request, table_seats.take_over, table_id, data.token)


#: Maximum distance of a time zone from UTC, in minutes.
FURTHEST = 14 * 60


def end_of_day(until: str, offset: int, zone: str = "") -> datetime:
    """The end of a day in a time zone; in an unknown one, UTC is `offset` minutes ahead.

    >>> [str(end_of_day("2026-10-31", -120, zone)) for zone in ("Europe/Berlin", "", "Atlantis")]
    ['2026-10-31 23:00:00+00:00', '2026-10-31 22:00:00+00:00', '2026-10-31 22:00:00+00:00']
    """
    try:
        after = datetime.strptime(until, "%Y-%m-%d").replace(tzinfo=UTC) + timedelta(days=1)
        there = zone_of(zone)
        if there is not UTC:
            return after.replace(tzinfo=there).astimezone(UTC)
        return after + timedelta(minutes=max(-FURTHEST, min(FURTHEST, offset)))
    except (ValueError, OverflowError):
        raise Refused(N_("That is not a date: write it like 2031-12-24.")) from None


class Waiting(msgspec.Struct, frozen=True):
    """The number of tables that wait for the visitor, and of those other than the current one; `stamp` changes with
    the list."""

    count: int
    elsewhere: int
    stamp: str


async def waiting_tables(request: AnyRequest) -> list[tuple[str, datetime | None, datetime]]:
    """The tables that wait for the visitor and are on their list, longest wait first."""
    removed = removed_tables(request)
    found = await tables_of(request).waiting_for(who(request).id)
    return [one for one in found if one[0] not in removed]


@get("/waiting", include_in_schema=False)
async def waiting_page(
    request: AnyRequest, table: FromQuery[str] = "", seen: FromQuery[bool] = False
) -> Waiting:
    """Count the tables that wait for the visitor. A table page also says whether it is visible (`seen`): it may be in
    the background, or on a sleeping computer."""
    if seen and TABLE_CODE.fullmatch(table):
        tables, visitor = tables_of(request), who(request).id
        if tables.presence.see(table, visitor):
            await lobby.note_seen(tables, table, visitor)
    found = await waiting_tables(request)
    return Waiting(len(found), sum(one[0] != table for one in found), stamp(found))


@get("/next", include_in_schema=False)
async def next_table(request: AnyRequest, after: FromQuery[str] = "") -> Redirect:
    """Go to the next table that waits for the visitor, longest wait first; else to the start page."""
    names = [one[0] for one in await waiting_tables(request)]
    place = names.index(after) + 1 if after in names else 0
    others = [name for name in names[place:] + names[:place] if name != after]
    return Redirect(f"/t/{others[0]}" if others else "/", status_code=HTTP_303_SEE_OTHER)


@get("/t/{table_id:str}/picture.svg", include_in_schema=False)
async def small_picture(
    request: AnyRequest,
    table_id: FromPath[str],
    theme: FromQuery[str] = "light",
    v: FromQuery[str] = "",
) -> Response[str]:
    """The thumbnail of the board in the colours of a theme, as the visitor may see it. The browser caches only the
    version in the address: the device may have changed hands."""
    if theme not in THEMES:
        raise NotFound(N_("There is no picture in this theme."))
    shown = await viewer(request, table_id)
    drawn = thumbnail(shown, theme)
    if not drawn:
        raise Conflict(N_("The game has not begun yet."))
    lasts = v == thumbnail_stamp(shown.table, shown.seats, shown.visitor)
    headers = {"cache-control": "private, max-age=86400" if lasts else "no-store"}
    return Response(drawn, headers=headers, media_type="image/svg+xml")


def _read_absence(request: AnyRequest, sent: RequestFields) -> AwayWish:
    """Read an absence from a form, in the time zone of its sender."""
    until, zone = sent.text("until"), cookie_of(request, ZONE_COOKIE)
    try:
        offset = int(sent.text("offset") or 0)
    except ValueError:
        offset = 0
    ahead = end_of_day(until, 0) - end_of_day(until, offset, zone)
    return AwayWish(sent.number("seat"), until, -round(ahead.total_seconds() / 60))


@table_operation("away", form=_read_absence)
async def away(request: AnyRequest, table_id: FromPath[str], data: JSONBody[AwayWish]) -> None:
    """Start an absence; the clock of the seat stands still."""
    until = end_of_day(data.until, data.offset)
    await carry_out(request, deadlines.go_away, table_id, data.seat, until)


@table_operation("present")
async def present(request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatNumber]) -> None:
    """End an absence early."""
    await carry_out(request, deadlines.be_present, table_id, data.seat)


@table_operation("replace")
async def replace(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[ReplaceWish]
) -> None:
    """Replace the player of a seat, or ask the others for it."""
    wish = data.by or None
    await carry_out(request, votes.ask, table_id, REPLACE, target=data.seat, wish=wish)


@table_operation("come-back")
async def come_back(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatNumber]
) -> None:
    """Take back one's former seat, unless another person has it."""
    await carry_out(request, table_seats.come_back, table_id, data.seat)


@get("/t/{table_id:str}/correct", include_in_schema=False)
async def correct_page_route(request: AnyRequest, table_id: FromPath[str]) -> Template:
    """The form of a correction with its values so far."""
    shown = await viewer(request, table_id)
    given = {name: value for name, value in request.query_params.items() if isinstance(value, str)}
    return page(request, "correct.html", correct_page(shown, given), shown.words)


async def _read_correction(request: AnyRequest, sent: RequestFields) -> Correction:
    shown = await viewer(request, request.path_params["table_id"])
    kind = kind_of(shown.title.corrections, sent.text("kind"))
    if kind is None:
        raise Refused(N_("It is not clear what should be corrected."))
    values = [sent.text(field.name) for field in kind.fields]
    seen = sent.optional_seen("seen_")
    number, version = (seen.number, seen.version) if seen else (None, None)
    return Correction(kind.name, values, number=number, version=version)


async def _correction_refused(request: AnyRequest, error: KursbuchError) -> Template:
    status = getattr(error, "status", 422)
    if not wants_page(request) or status not in (409, 422):
        raise error
    shown = await viewer(request, request.path_params["table_id"])
    sent = (await read(request)).fields
    given = {name: value for name, value in sent.items() if isinstance(value, str)}
    form = correct_page(shown, given, error.text(shown.words))
    return page(request, "correct.html", form, shown.words, status)


@table_operation("correct", form=_read_correction, refused=_correction_refused, answer=None)
async def correct(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[Correction]
) -> Corrected:
    """Correct the game as a moderator: by kind and values, or by a line such as "money 50 from bank to Anna"."""
    seen = None if data.number is None else Seen(data.number, data.version)
    number = await carry_out(
        request,
        moderation.correct,
        table_id,
        seen,
        data.kind,
        data.values,
        data.line,
        words_for(request).language,
    )
    return Corrected(number)


@table_operation("rewind")
async def rewind(request: AnyRequest, table_id: FromPath[str], data: JSONBody[RewindWish]) -> None:
    """Go back to an earlier position as a moderator, without asking the others."""
    seen = None if data.number is None else Seen(data.number, data.version)
    await carry_out(request, moderation.rewind, table_id, seen, data.to)


def _read_moderators(request: AnyRequest, sent: RequestFields) -> ModeratorsWish:
    named = [
        int(number)
        for name in sent.fields
        if (number := name.removeprefix("seat")) != name and number.isdecimal() and len(number) < 3
    ]
    return ModeratorsWish(sent.text("moderation"), named)


@table_operation("moderators", form=_read_moderators)
async def moderators(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[ModeratorsWish]
) -> None:
    """Choose the moderators, as the opener of the table."""
    await carry_out(request, moderation.choose, table_id, data.moderation, data.seats)
