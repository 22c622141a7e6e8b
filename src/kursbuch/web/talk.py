"""The addresses of talk at a table, and of one's own notes."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from kursbuch.web import contexts
from kursbuch.web.deeds import jotting, talking
from kursbuch.web.filling import card_or_page, page
from kursbuch.web.forms import table_done
from kursbuch.web.limits import CHEAP
from kursbuch.web.present.labels import title_name
from kursbuch.web.requests import (
    AnyRequest,
    carry_out,
    read,
    tables_of,
    wants_part,
    who,
    words_for,
)


@post("/t/{table_id:str}/chat", include_in_schema=False)
async def chat(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Write a message."""
    sent = await read(request)
    await carry_out(request, talking.say, table_id, sent.text("text"))
    return table_done(request, table_id)


@post("/t/{table_id:str}/chat/read", include_in_schema=False, opt={"cost": CHEAP})
async def chat_read(request: AnyRequest, table_id: FromPath[str]) -> Response[None]:
    """Say up to which message one has read."""
    last = (await read(request)).number("last")
    await talking.mark_read(tables_of(request), table_id, who(request).id, last)
    return Response(None, status_code=204)


@get("/t/{table_id:str}/notes", include_in_schema=False)
async def notes(request: AnyRequest, table_id: FromPath[str]) -> Template:
    """One's own notes, as a page or as a card for a popup."""
    return await _notes(request, table_id)


@post("/t/{table_id:str}/notes", include_in_schema=False, status_code=HTTP_200_OK)
async def write_notes(request: AnyRequest, table_id: FromPath[str]) -> Response[Any] | Template:
    """Keep one's own notes."""
    text = (await read(request)).text("text")
    await carry_out(request, jotting.write, table_id, text)
    if wants_part(request):
        return await _notes(request, table_id, saved=True)
    return Redirect(f"/t/{table_id}/notes", status_code=HTTP_303_SEE_OTHER)


async def _notes(request: AnyRequest, table_id: str, saved: bool = False) -> Template:
    tables = tables_of(request)
    text = await jotting.note_of(tables, table_id, who(request).id)
    table = (await tables.load(table_id)).table
    struct = contexts.NotesPage(
        f"/t/{table_id}", title_name(table.title), text, jotting.LONGEST, saved
    )
    name = card_or_page(request, "notes")
    return page(request, name, struct, words_for(request, table.language))


HANDLERS = [chat, chat_read, notes, write_notes]
