"""Records are opened: read, shown, and gone on with at a table."""

from __future__ import annotations

from typing import Any, NamedTuple

from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.response import Template
from litestar.status_codes import HTTP_200_OK

from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.words import N_
from kursbuch.web.deeds import opening
from kursbuch.web.deeds.lobby import NewTable
from kursbuch.web.errors import Refused
from kursbuch.web.filling import page
from kursbuch.web.forms import LARGE_BODY, opened_at, read_new_table
from kursbuch.web.limits import COSTLY, TABLES
from kursbuch.web.present.opening import open_page, record_info
from kursbuch.web.requests import (
    AnyRequest,
    Sent,
    once,
    read,
    reader_of,
    tables_of,
    wants_page,
    who,
    words_for,
)

#: A record can come with a file of component data.
BODY = opening.MAX_RECORD + LARGE_BODY


class Given(NamedTuple):
    """What was sent to be opened: a record, the name of its file if it was one, and component data."""

    record: bytes
    name: str
    data: bytes | None


@get("/open", include_in_schema=False)
async def open_form(request: AnyRequest) -> Template:
    """The form for a record."""
    words = words_for(request)
    return page(request, "open.html", open_page(words), words)


async def _given(sent: Sent) -> Given:
    record, name = await _content(sent, "file")
    if not record:
        record, name = await _content(sent, "text")
    data, _ = await _content(sent, "data")
    return Given(record, name, data or None)


async def _content(sent: Sent, field: str) -> tuple[bytes, str]:
    """What is in a field, and the name of the file if it is one."""
    upload = sent.fields.get(field)
    if isinstance(upload, UploadFile):
        return await upload.read(), upload.filename
    # Forms send the ends of lines as Windows writes them.
    return sent.text(field).replace("\r\n", "\n").encode(), ""


@post(
    "/open",
    include_in_schema=False,
    request_max_body_size=BODY,
    status_code=HTTP_200_OK,
    opt={"cost": COSTLY},
)
async def check_record(request: AnyRequest) -> Template:
    """Read a record, and ask how to go on with it."""
    words = words_for(request)
    sent = await read(request)
    try:
        given = await _given(sent)
        found = await opening.read(tables_of(request), reader_of(request), *given)
    except KursbuchError as error:
        if not wants_page(request):
            raise
        text = sent.fields.get("text")
        struct = open_page(words, error.text(words), text if isinstance(text, str) else "")
        return page(request, "open.html", struct, words, getattr(error, "status", 422))
    record = record_info(words, found, given.data, {})
    return page(request, "open.html", open_page(words, record=record), words)


@post(
    "/open/table",
    include_in_schema=False,
    request_max_body_size=BODY,
    opt={"cost": TABLES},
)
async def open_table(request: AnyRequest) -> Response[Any] | Template:
    """Open a table that goes on with a record."""
    sent = await read(request)
    kind = sent.text("kind", "copy")
    if kind not in ("copy", "table"):
        raise Refused(N_("It is not clear what the record is opened as."))
    players: list[str] = []
    while (name := f"seat{len(players)}") in sent.fields:
        players.append(sent.text(name))
    given = await _given(sent)
    found = await opening.read(tables_of(request), reader_of(request), *given)
    fields = {name: value for name, value in sent.fields.items() if isinstance(value, str)}
    try:
        opened = await once(
            request,
            opening.open_record,
            tables_of(request),
            who(request).id,
            found,
            sent.number("number"),
            players,
            _wanted(sent, found.game) if kind == "table" else None,
        )
    except Refused as error:
        if not wants_page(request):
            raise
        words = words_for(request)
        said = error.text(words)
        record = record_info(words, found, given.data, fields, said)
        struct = open_page(words, said, record=record)
        return page(request, "open.html", struct, words, error.status)
    return opened_at(request, opened)


def _wanted(sent: Sent, game: Game) -> NewTable:
    """What was chosen for a table for others; its game and seats are those of the record."""
    return read_new_table(Sent({**sent.fields, "title": game.title.id, "seats": len(game.names)}))


HANDLERS = [open_form, check_record, open_table]
