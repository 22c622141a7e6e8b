"""Routes for moderators."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_303_SEE_OTHER

from kursbuch.core.corrections import kind_of
from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_
from kursbuch.web.http.errors import Refused
from kursbuch.web.http.requests import AnyRequest, carry_out, read, wants_page
from kursbuch.web.http.templating import card_or_page, page
from kursbuch.web.tables import moderation
from kursbuch.web.tables.api_schemas import (
    DOING,
    ApiGame,
    Corrected,
    Correction,
    ModeratorsWish,
    RewindWish,
)
from kursbuch.web.tables.api_view import game, shown_to_programs
from kursbuch.web.tables.moderation_view import correct_page
from kursbuch.web.tables.snapshot import Seen
from kursbuch.web.tables.visits import viewer


def _done(request: AnyRequest, table_id: str) -> Response[Any]:
    if wants_page(request):
        return Redirect(f"/t/{table_id}", status_code=HTTP_303_SEE_OTHER)
    return Response(None, status_code=204)


@get("/t/{table_id:str}/correct", include_in_schema=False)
async def correct_page_route(request: AnyRequest, table_id: FromPath[str]) -> Template:
    """Correct something: what has been filled in so far."""
    shown = await viewer(request, table_id)
    given = {name: value for name, value in request.query_params.items() if isinstance(value, str)}
    return page(request, card_or_page(request, "correct"), correct_page(shown, given), shown.words)


@post("/t/{table_id:str}/correct", include_in_schema=False)
async def correct_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any] | Template:
    """Correct something."""
    sent = await read(request)
    try:
        shown = await viewer(request, table_id)
        kind = kind_of(shown.title.corrections, sent.text("kind"))
        if kind is None:
            raise Refused(N_("It is not clear what is to be corrected."))
        values = [sent.text(field.name) for field in kind.fields]
        seen = sent.optional_seen("seen_")
        await carry_out(request, moderation.correct, table_id, seen, kind.name, values)
    except KursbuchError as error:
        if not wants_page(request) or getattr(error, "status", 422) not in (409, 422):
            raise
        shown = await viewer(request, table_id)
        given = {name: value for name, value in sent.fields.items() if isinstance(value, str)}
        form = correct_page(shown, given, error.text(shown.words))
        return page(
            request, "correct.html", form, shown.words, status=getattr(error, "status", 422)
        )
    return _done(request, table_id)


@post("/t/{table_id:str}/rewind", include_in_schema=False)
async def rewind_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Go back to the position after so many moves, as a moderator."""
    sent = await read(request)
    seen = sent.optional_seen()
    await carry_out(request, moderation.rewind, table_id, seen, sent.number("to"))
    return _done(request, table_id)


@post("/t/{table_id:str}/moderators", include_in_schema=False)
async def moderators_form(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Say who may correct something."""
    sent = await read(request)
    named = [
        int(number)
        for name in sent.fields
        if (number := name.removeprefix("seat")) != name and number.isdecimal() and len(number) < 3
    ]
    await carry_out(request, moderation.choose, table_id, sent.text("moderation"), named)
    return _done(request, table_id)


@post("/tables/{table_id:str}/correct", status_code=200, responses=DOING)
async def correct(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[Correction]
) -> Corrected:
    """Correct something, as a moderator of the table: by kind and values, or by a line of text such as
    "money 50 from bank to Anna"."""
    seen = None if data.number is None else Seen(data.number, data.version)
    number = await carry_out(
        request, moderation.correct, table_id, seen, data.kind, data.values, data.line
    )
    return Corrected(number)


@post("/tables/{table_id:str}/rewind", status_code=200, responses=DOING)
async def rewind(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[RewindWish]
) -> ApiGame:
    """Go back to the position after so many moves without asking the others, as a moderator of the table."""
    seen = None if data.number is None else Seen(data.number, data.version)
    await carry_out(request, moderation.rewind, table_id, seen, data.to)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/moderators", status_code=200, responses=DOING)
async def moderators(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[ModeratorsWish]
) -> ApiGame:
    """Say who may correct something, as the one who opened the table."""
    await carry_out(request, moderation.choose, table_id, data.moderation, data.seats)
    return game(await shown_to_programs(request, table_id))


API_HANDLERS = [
    correct,
    rewind,
    moderators,
]


HANDLERS = [
    correct_page_route,
    correct_form,
    rewind_form,
    moderators_form,
]
