"""Routes for premoves."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_
from kursbuch.web.db.models import Premove
from kursbuch.web.http.errors import Forbidden
from kursbuch.web.http.operations import READING, Number
from kursbuch.web.http.requests import (
    AnyRequest,
    carry_out,
    read,
    wants_page,
    wants_part,
    words_for,
)
from kursbuch.web.http.templating import page
from kursbuch.web.tables import premove_service
from kursbuch.web.tables.api_view import table_done, table_operation
from kursbuch.web.tables.premove_service import PremoveRequest, is_present, situations
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


async def _card(request: AnyRequest, result: object) -> Response[Any] | Template:
    """The card once more; the page for plain forms."""
    sent, table_id = await read(request), request.path_params["table_id"]
    seat, situation = sent.number("seat"), sent.optional_number("situation")
    if sent.flag("quiet"):
        return table_done(request)
    if wants_page(request):
        place = "" if situation is None else f"&situation={situation}"
        target = f"/t/{table_id}/ahead?seat={seat}{place}"
        return Redirect(target, status_code=HTTP_303_SEE_OTHER)
    shown = await viewer(request, table_id)
    if not shown.running():
        return Response("", status_code=HTTP_200_OK, media_type="text/html")
    return await shown_ahead(request, table_id, seat, situation)


async def _refused(request: AnyRequest, error: KursbuchError) -> Template:
    if getattr(error, "status", 422) != 422:
        raise error
    sent, table_id = await read(request), request.path_params["table_id"]
    seat, situation, instead = map(sent.optional_number, ("seat", "situation", "instead"))
    said = error.text(words_for(request))
    return await shown_ahead(request, table_id, seat, situation, said, instead)


class _SentPremove(AheadWish, frozen=True):
    """The same from a form, which sends the amount of an action apart."""

    amount: int | None = None


async def _planned(request: AnyRequest, seat: int) -> ApiAhead:
    return await _shown(request, request.path_params["table_id"], seat)


@table_operation(
    "ahead",
    form=lambda _, sent: sent.fill(_SentPremove),
    done=_card,
    refused=_refused,
    answer=_planned,
)
async def fix(request: AnyRequest, table_id: FromPath[str], data: JSONBody[AheadWish]) -> int:
    """Plan a move ahead of time. If its moment is now, it is made at once."""
    fields = msgspec.structs.asdict(data)
    seat, instead = fields.pop("seat"), fields.pop("instead")
    await carry_out(request, premove_service.fix, table_id, seat, PremoveRequest(**fields), instead)
    return data.seat


@table_operation("ahead/advance", done=_card, answer=_planned)
async def advance(request: AnyRequest, table_id: FromPath[str], data: JSONBody[AdvanceWish]) -> int:
    """Put a plan before the one it follows."""
    await carry_out(request, premove_service.advance, table_id, data.seat, data.row)
    return data.seat


@table_operation("ahead/withdraw", done=_card, answer=_planned)
async def withdraw(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[WithdrawWish]
) -> int:
    """Take back what was planned ahead of time."""
    await carry_out(request, premove_service.withdraw, table_id, data.seat, data.row)
    return data.seat
