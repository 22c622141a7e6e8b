"""The addresses of moderators: pages and forms."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_303_SEE_OTHER

from kursbuch.core.corrections import kind_of
from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_
from kursbuch.web.deeds import moderating
from kursbuch.web.errors import Refused
from kursbuch.web.filling import card_or_page, page
from kursbuch.web.looking import viewer
from kursbuch.web.present.moderating import correct_page
from kursbuch.web.requests import AnyRequest, carry_out, read, wants_page


def _done(request: AnyRequest, table_id: str) -> Response[Any]:
    if wants_page(request):
        return Redirect(f"/t/{table_id}", status_code=HTTP_303_SEE_OTHER)
    return Response(None, status_code=204)


@get("/t/{table_id:str}/correct", include_in_schema=False)
async def correcting(request: AnyRequest, table_id: FromPath[str]) -> Template:
    """Correct something: what has been filled in so far."""
    shown = await viewer(request, table_id)
    given = {name: value for name, value in request.query_params.items() if isinstance(value, str)}
    return page(request, card_or_page(request, "correct"), correct_page(shown, given), shown.words)


@post("/t/{table_id:str}/correct", include_in_schema=False)
async def correct(request: AnyRequest, table_id: FromPath[str]) -> Response[Any] | Template:
    """Correct something."""
    sent = await read(request)
    try:
        shown = await viewer(request, table_id)
        kind = kind_of(shown.title.corrections, sent.text("kind"))
        if kind is None:
            raise Refused(N_("It is not clear what is to be corrected."))
        values = [sent.text(field.name) for field in kind.fields]
        seen = sent.optional_seen("seen_")
        await carry_out(request, moderating.correct, table_id, seen, kind.name, values)
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
async def rewind(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Go back to the position after so many moves, as a moderator."""
    sent = await read(request)
    seen = sent.optional_seen()
    await carry_out(request, moderating.rewind, table_id, seen, sent.number("to"))
    return _done(request, table_id)


@post("/t/{table_id:str}/moderators", include_in_schema=False)
async def moderators(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Say who may correct something."""
    sent = await read(request)
    named = [
        int(number)
        for name in sent.fields
        if (number := name.removeprefix("seat")) != name and number.isdecimal() and len(number) < 3
    ]
    await carry_out(request, moderating.choose, table_id, sent.text("moderation"), named)
    return _done(request, table_id)


HANDLERS = [correcting, correct, rewind, moderators]
