"""Routes for premoves."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_
from kursbuch.web.db.models import Premove
from kursbuch.web.http.errors import Forbidden, Refused
from kursbuch.web.http.requests import (
    AnyRequest,
    RequestFields,
    carry_out,
    read,
    wants_page,
    wants_part,
    words_for,
)
from kursbuch.web.http.templating import page
from kursbuch.web.tables import premove_service
from kursbuch.web.tables.api_schemas import DOING, READING, Number
from kursbuch.web.tables.play_routes import table_done
from kursbuch.web.tables.premove_service import PremoveRequest, is_present, situations
from kursbuch.web.tables.premove_service import advance as advance_ahead
from kursbuch.web.tables.premove_service import fix as fix_ahead
from kursbuch.web.tables.premove_service import withdraw as withdraw_ahead
from kursbuch.web.tables.premoves import ASK, passing, subject_of
from kursbuch.web.tables.premoves_view import ahead_page, plan_line
from kursbuch.web.tables.viewer import Viewer
from kursbuch.web.tables.visits import viewer


async def shown_ahead(
    request: AnyRequest,
    table_id: str,
    seat: int | None,
    situation: int | None,
    error: str = "",
    instead: int | None = None,
) -> Template:
    """The moves ahead of time of a seat: a page, or a card for a popup. A refusal stands on the card."""
    shown = await viewer(request, table_id)
    struct = ahead_page(shown, seat, situation, error, instead)
    card = wants_part(request)
    name = "ahead_card.html" if card else "ahead.html"
    return page(request, name, struct, shown.words, 422 if error and not card else HTTP_200_OK)


@get("/t/{table_id:str}/ahead", include_in_schema=False)
async def premoves_page_route(
    request: AnyRequest,
    table_id: FromPath[str],
    seat: FromQuery[int | None] = None,
    situation: FromQuery[int | None] = None,
    instead: FromQuery[int | None] = None,
) -> Template:
    """What is planned ahead of time, and what could be, perhaps `instead` of something that is planned."""
    return await shown_ahead(request, table_id, seat, situation, instead=instead)


def read_wanted(sent: RequestFields) -> PremoveRequest:
    """What a form wants to have planned ahead."""
    action = sent.data("action") if sent.fields.get("action") else None
    if action is not None and not isinstance(action, dict):
        raise Refused(N_("The field {name} is not a JSON object."), name="action")
    return PremoveRequest(
        kind=sent.text("kind"),
        step=sent.text("step"),
        subject=sent.text("subject") if "subject" in sent.fields else None,
        later=sent.flag("later"),
        action=action,
        amount=sent.optional_number("amount"),
        otherwise=sent.text("otherwise") or ASK,
        ends=sent.flag("ends"),
        until=sent.text("until"),
        most=sent.optional_number("most") or 0,
        always=sent.flag("always"),
    )


@post("/t/{table_id:str}/ahead", include_in_schema=False, status_code=HTTP_200_OK)
async def fix_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any] | Template:
    """Plan a move ahead of time."""
    sent = await read(request)
    words = words_for(request)
    try:
        wanted, seat = read_wanted(sent), sent.number("seat")
        instead = sent.optional_number("instead")
        await carry_out(request, fix_ahead, table_id, seat, wanted, instead)
    except KursbuchError as error:
        if getattr(error, "status", 422) != 422:
            raise
        asked, situation = sent.optional_number("seat"), sent.optional_number("situation")
        instead = sent.optional_number("instead")
        return await shown_ahead(request, table_id, asked, situation, error.text(words), instead)
    return await after(request, table_id, seat, sent.optional_number("situation"))


@post("/t/{table_id:str}/ahead/advance", include_in_schema=False, status_code=HTTP_200_OK)
async def advance_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any] | Template:
    """Put a plan before the one it follows."""
    sent = await read(request)
    seat, row = sent.number("seat"), sent.number("row")
    await carry_out(request, advance_ahead, table_id, seat, row)
    return await after(request, table_id, seat, None)


@post("/t/{table_id:str}/ahead/withdraw", include_in_schema=False, status_code=HTTP_200_OK)
async def withdraw_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any] | Template:
    """Take back what was planned, or what was said about something that was not carried out."""
    sent = await read(request)
    seat, row = sent.number("seat"), sent.optional_number("row")
    await carry_out(request, withdraw_ahead, table_id, seat, row)
    if sent.flag("quiet"):
        return table_done(request, table_id)
    return await after(request, table_id, seat, sent.optional_number("situation"))


async def after(
    request: AnyRequest, table_id: str, seat: int, situation: int | None
) -> Response[Any] | Template:
    """The card once more; the page for plain forms."""
    if wants_page(request):
        place = "" if situation is None else f"&situation={situation}"
        target = f"/t/{table_id}/ahead?seat={seat}{place}"
        return Redirect(target, status_code=HTTP_303_SEE_OTHER)
    shown = await viewer(request, table_id)
    if not shown.running():
        return Response("", media_type="text/html")
    return await shown_ahead(request, table_id, seat, situation)


class AheadWish(msgspec.Struct, frozen=True):
    """What a seat plans ahead of time. `kind` is "act" (an `action` in a decision of the kind `step` about
    `subject`, without that in the first in which it is possible, `later` than in the present turn; what happens
    `otherwise`: ask, pass, next; whether the turn `ends` with it), "pass" (in such decisions `until` something),
    "bid" (up to `most`) or "object" (`always` or never). `instead` is the row of a plan in whose place it comes."""

    seat: int
    kind: str
    step: str = ""
    subject: str | None = None
    later: bool = False
    action: dict[str, Any] | None = None
    otherwise: str = ASK
    ends: bool = False
    until: str = ""
    most: int = 0
    always: bool = False
    instead: Number | None = None


class AdvanceWish(msgspec.Struct, frozen=True):
    """Which plan of which seat comes before the one it follows."""

    seat: int
    row: Number


class WithdrawWish(msgspec.Struct, frozen=True):
    """Which plan of which seat is taken back; without `row` all that were not carried out are forgotten."""

    seat: int
    row: Number | None = None


class ApiPlan(msgspec.Struct, frozen=True):
    """A move that is planned ahead of time, in words and as data; `why` it was not carried out."""

    row: int
    text: str
    plan: dict[str, Any]
    why: str


class ApiSituation(msgspec.Struct, frozen=True):
    """A decision that can be foreseen: its kind, the `subject` (a company) it is about if a player decides for
    several, whether it comes `later` than in the present turn, what there is to do, the actions that would be
    possible, those with an amount with the lowest one; whether it can be passed."""

    step: str
    subject: str
    later: bool
    text: str
    actions: list[dict[str, Any]]
    passes: bool


class ApiAhead(msgspec.Struct, frozen=True):
    """What a seat has planned ahead of time and could plan. `triggers` are what may be waited for, with its words;
    `lot` is what is auctioned openly and the seat may bid for."""

    seat: int
    plans: list[ApiPlan]
    dropped: list[ApiPlan]
    situations: list[ApiSituation]
    triggers: dict[str, str]
    lot: str


def ahead_data(shown: Viewer, seat: int) -> ApiAhead:
    """What is planned, as data."""
    if seat not in shown.own:
        raise Forbidden(N_("This seat is not yours."))
    if not shown.running() or shown.game is None:
        return ApiAhead(seat, [], [], [], {}, "")
    view, title, voice = shown.game.view(seat), shown.title, shown.voice

    def plans(rows: list[Premove]) -> list[ApiPlan]:
        lines = [plan_line(shown, row) for row in rows]
        return [
            ApiPlan(row.id, line.text, row.plan, line.note)
            for row, line in zip(rows, lines, strict=True)
        ]

    mine = [row for row in shown.ahead if row.seat == seat]
    return ApiAhead(
        seat=seat,
        plans=plans([row for row in mine if not row.dropped]),
        dropped=plans([row for row in mine if row.dropped]),
        situations=[
            ApiSituation(
                decision.step,
                subject_of(position),
                not is_present(view, position),
                voice.task(position.state, decision),
                [title.action_to_json(one.action) for one in position.legal_actions(seat)],
                passing(decision, position) is not None,
            )
            for decision, position in situations(view)
        ],
        triggers={name: voice.trigger(name) for name in title.ahead.triggers(view.state, seat)},
        lot=title.ahead.lot(view.state, seat),
    )


async def _shown(request: AnyRequest, table_id: str, seat: int) -> ApiAhead:
    return ahead_data(await viewer(request, table_id, curtain=False), seat)


@get("/tables/{table_id:str}/ahead", responses=READING)
async def fixed(request: AnyRequest, table_id: FromPath[str], seat: FromQuery[int]) -> ApiAhead:
    """What a seat of the caller has planned ahead of time, and what it could plan."""
    return await _shown(request, table_id, seat)


@post("/tables/{table_id:str}/ahead", status_code=200, responses=DOING)
async def fix(request: AnyRequest, table_id: FromPath[str], data: JSONBody[AheadWish]) -> ApiAhead:
    """Plan a move ahead of time. If its moment is now, it is made at once."""
    fields = msgspec.structs.asdict(data)
    seat, instead = fields.pop("seat"), fields.pop("instead")
    await carry_out(request, premove_service.fix, table_id, seat, PremoveRequest(**fields), instead)
    return await _shown(request, table_id, seat)


@post("/tables/{table_id:str}/ahead/advance", status_code=200, responses=DOING)
async def advance(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[AdvanceWish]
) -> ApiAhead:
    """Put a plan before the one it follows."""
    await carry_out(request, premove_service.advance, table_id, data.seat, data.row)
    return await _shown(request, table_id, data.seat)


@post("/tables/{table_id:str}/ahead/withdraw", status_code=200, responses=DOING)
async def withdraw(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[WithdrawWish]
) -> ApiAhead:
    """Take back what was planned ahead of time."""
    await carry_out(request, premove_service.withdraw, table_id, data.seat, data.row)
    return await _shown(request, table_id, data.seat)


API_HANDLERS = [
    fixed,
    fix,
    advance,
    withdraw,
]


HANDLERS = [
    premoves_page_route,
    fix_form,
    advance_form,
    withdraw_form,
]
