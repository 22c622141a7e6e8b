"""Moves ahead of time for programs."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import get, post
from litestar.params import FromPath, FromQuery, JSONBody

from kursbuch.core.words import N_
from kursbuch.web.api.errors import DOING, READING
from kursbuch.web.api.shapes import Number
from kursbuch.web.deeds import ahead
from kursbuch.web.deeds.ahead import Wanted, is_present, situations
from kursbuch.web.errors import Forbidden
from kursbuch.web.looking import viewer
from kursbuch.web.models import Intention
from kursbuch.web.plans import ASK, passing, subject_of
from kursbuch.web.present.ahead import plan_line
from kursbuch.web.present.viewer import Viewer
from kursbuch.web.requests import AnyRequest, carry_out


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

    def plans(rows: list[Intention]) -> list[ApiPlan]:
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
    await carry_out(request, ahead.fix, table_id, seat, Wanted(**fields), instead)
    return await _shown(request, table_id, seat)


@post("/tables/{table_id:str}/ahead/advance", status_code=200, responses=DOING)
async def advance(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[AdvanceWish]
) -> ApiAhead:
    """Put a plan before the one it follows."""
    await carry_out(request, ahead.advance, table_id, data.seat, data.row)
    return await _shown(request, table_id, data.seat)


@post("/tables/{table_id:str}/ahead/withdraw", status_code=200, responses=DOING)
async def withdraw(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[WithdrawWish]
) -> ApiAhead:
    """Take back what was planned ahead of time."""
    await carry_out(request, ahead.withdraw, table_id, data.seat, data.row)
    return await _shown(request, table_id, data.seat)


HANDLERS = [fixed, fix, advance, withdraw]
