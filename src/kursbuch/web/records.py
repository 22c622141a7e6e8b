"""Records are opened: read, shown, and gone on with at a table."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.response import Template
from litestar.status_codes import HTTP_200_OK

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_
from kursbuch.web.deeds import opening
from kursbuch.web.errors import Refused
from kursbuch.web.filling import page
from kursbuch.web.forms import LARGE_BODY, opened_at
from kursbuch.web.limits import COSTLY, TABLES
from kursbuch.web.present.opening import open_page
from kursbuch.web.requests import (
    AnyRequest,
    Sent,
    once,
    read,
    tables_of,
    wants_page,
    who,
    words_for,
)


@get("/open", include_in_schema=False)
async def open_form(request: AnyRequest) -> Template:
    """The form for a record."""
    words = words_for(request)
    return page(request, "open.html", open_page(words), words)


async def _given(sent: Sent) -> tuple[bytes, str]:
    """The record that was sent, and the name of its file if it was one."""
    upload = sent.fields.get("file")
    if isinstance(upload, UploadFile) and (data := await upload.read()):
        return data, upload.filename
    # Forms send the ends of lines as Windows writes them.
    return sent.text("text").replace("\r\n", "\n").encode(), ""


@post(
    "/open",
    include_in_schema=False,
    request_max_body_size=LARGE_BODY,
    status_code=HTTP_200_OK,
    opt={"cost": COSTLY},
)
async def check_record(request: AnyRequest) -> Template:
    """Read a record, and ask how to go on with it."""
    words = words_for(request)
    sent = await read(request)
    try:
        found = await opening.read(*await _given(sent))
    except KursbuchError as error:
        if not wants_page(request):
            raise
        text = sent.fields.get("text")
        struct = open_page(words, None, error.text(words), text if isinstance(text, str) else "")
        return page(request, "open.html", struct, words, getattr(error, "status", 422))
    return page(request, "open.html", open_page(words, found), words)


@post(
    "/open/table",
    include_in_schema=False,
    request_max_body_size=LARGE_BODY,
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
    data, _ = await _given(sent)
    try:
        opened = await once(
            request,
            opening.open_record,
            tables_of(request),
            who(request).id,
            data,
            sent.number("number"),
            players,
            private=kind == "copy",
            listed=sent.flag("listed"),
            undo=sent.text("undo", "ask"),
        )
    except Refused as error:
        if not wants_page(request):
            raise
        words = words_for(request)
        struct = open_page(words, await opening.read(data), error.text(words))
        return page(request, "open.html", struct, words, error.status)
    return opened_at(request, opened)


HANDLERS = [open_form, check_record, open_table]
