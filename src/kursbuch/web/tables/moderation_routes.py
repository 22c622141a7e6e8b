"""Routes for moderators."""

from __future__ import annotations

from litestar import get
from litestar.params import FromPath, JSONBody
from litestar.response import Template

from kursbuch.core.corrections import kind_of
from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_
from kursbuch.web.http.errors import Refused
from kursbuch.web.http.requests import AnyRequest, RequestFields, carry_out, read, wants_page
from kursbuch.web.http.templating import card_or_page, page
from kursbuch.web.tables import moderation
from kursbuch.web.tables.api_schemas import (
    Corrected,
    Correction,
    ModeratorsWish,
    RewindWish,
)
from kursbuch.web.tables.api_view import table_operation
from kursbuch.web.tables.moderation_view import correct_page
from kursbuch.web.tables.snapshot import Seen
from kursbuch.web.tables.visits import viewer


@get("/t/{table_id:str}/correct", include_in_schema=False)
async def correct_page_route(request: AnyRequest, table_id: FromPath[str]) -> Template:
    """Correct something: what has been filled in so far."""
    shown = await viewer(request, table_id)
    given = {name: value for name, value in request.query_params.items() if isinstance(value, str)}
    return page(request, card_or_page(request, "correct"), correct_page(shown, given), shown.words)


async def _read_correction(request: AnyRequest, sent: RequestFields) -> Correction:
    shown = await viewer(request, request.path_params["table_id"])
    kind = kind_of(shown.title.corrections, sent.text("kind"))
    if kind is None:
        raise Refused(N_("It is not clear what is to be corrected."))
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
    """Correct something, as a moderator of the table: by kind and values, or by a line of text such as
    "money 50 from bank to Anna"."""
    seen = None if data.number is None else Seen(data.number, data.version)
    number = await carry_out(
        request, moderation.correct, table_id, seen, data.kind, data.values, data.line
    )
    return Corrected(number)


@table_operation("rewind")
async def rewind(request: AnyRequest, table_id: FromPath[str], data: JSONBody[RewindWish]) -> None:
    """Go back to the position after so many moves without asking the others, as a moderator of the table."""
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
    """Say who may correct something, as the one who opened the table."""
    await carry_out(request, moderation.choose, table_id, data.moderation, data.seats)
