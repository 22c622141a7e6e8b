"""The addresses of talk at a table, and of one's own notes."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from kursbuch.web import contexts
from kursbuch.web.deeds import jotting, talking
from kursbuch.web.errors import Refused
from kursbuch.web.filling import card_or_page, page
from kursbuch.web.forms import table_done
from kursbuch.web.limits import CHEAP
from kursbuch.web.present.labels import title_name
from kursbuch.web.requests import (
    AnyRequest,
    carry_out,
    read,
    tables_of,
    wants_page,
    wants_part,
    who,
    words_for,
)

#: The longest notes and those they take the place of, each character with as many bytes as a form needs at most.
NOTES_BODY = 2 * 12 * jotting.LONGEST + 10_000


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


@post(
    "/t/{table_id:str}/notes",
    include_in_schema=False,
    request_max_body_size=NOTES_BODY,
    status_code=HTTP_200_OK,
)
async def write_notes(request: AnyRequest, table_id: FromPath[str]) -> Response[Any] | Template:
    """Keep one's own notes."""
    sent = await read(request)
    text, words = sent.text("text"), words_for(request)
    seen = sent.text("seen") if "seen" in sent.fields else None
    try:
        await carry_out(request, jotting.write, table_id, text, words, seen)
    except Refused as error:
        if not wants_page(request) or error.status not in (409, 422):
            raise
        # What was typed stays, as does what it was typed instead of.
        return await _notes(request, table_id, refused=(error, text, seen or ""))
    if wants_part(request):
        return await _notes(request, table_id, saved=True)
    return Redirect(f"/t/{table_id}/notes", status_code=HTTP_303_SEE_OTHER)


async def _notes(
    request: AnyRequest,
    table_id: str,
    saved: bool = False,
    refused: tuple[Refused, str, str] | None = None,
) -> Template:
    tables = tables_of(request)
    visitor = who(request).id
    kept = await jotting.note_of(tables, table_id, visitor)
    table = (await tables.load(table_id)).table
    words = words_for(request, table.language)
    error, text, seen = refused or (None, kept, kept)
    struct = contexts.NotesPage(
        table_url=f"/t/{table_id}",
        title_name=title_name(table.title),
        text=text,
        seen=seen,
        longest=max(jotting.LONGEST, len(kept)),
        writes=await jotting.may_write(tables, table_id, visitor),
        saved=saved,
        error=error.text(words) if error else "",
    )
    name = card_or_page(request, "notes")
    return page(request, name, struct, words, error.status if error else HTTP_200_OK)


HANDLERS = [chat, chat_read, notes, write_notes]
