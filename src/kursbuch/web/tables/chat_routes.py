"""Routes for chat and private notes."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from kursbuch.core.errors import KursbuchError
from kursbuch.web.http.errors import Refused
from kursbuch.web.http.operations import READING
from kursbuch.web.http.rate_limits import CHEAP
from kursbuch.web.http.requests import (
    AnyRequest,
    carry_out,
    read,
    tables_of,
    wants_page,
    wants_part,
    who,
    words_for,
)
from kursbuch.web.http.templating import card_or_page, page
from kursbuch.web.labels import title_name
from kursbuch.web.tables import chat as table_chat
from kursbuch.web.tables import notes as private_notes
from kursbuch.web.tables.api_schemas import ApiMessage, ApiNotes, ChatWish, NotesWish, ReadWish
from kursbuch.web.tables.api_view import messages, shown_to_programs, table_operation

#: The longest notes and those they take the place of, each character with as many bytes as a form needs at most.
NOTES_BODY = 2 * 12 * private_notes.LONGEST + 10_000


@get("/t/{table_id:str}/notes", include_in_schema=False)
async def notes_page(request: AnyRequest, table_id: FromPath[str]) -> Template:
    """One's own notes, as a page or as a card for a popup."""
    return await _notes(request, table_id)


class NotesPage(msgspec.Struct, frozen=True):
    """notes.html, notes_card.html: what the reader has written down at a table (fields text, seen), and whether
    he `writes` there still. `seen` is what was kept when that was read; after a refusal, which `error` says, `text` is
    what was typed."""

    table_url: str
    title_name: str
    text: str
    seen: str
    longest: int
    writes: bool
    saved: bool
    error: str


async def _notes(
    request: AnyRequest,
    table_id: str,
    saved: bool = False,
    refused: tuple[Refused, str, str] | None = None,
) -> Template:
    tables = tables_of(request)
    visitor = who(request).id
    kept = await private_notes.note_of(tables, table_id, visitor)
    table = (await tables.load(table_id)).table
    words = words_for(request, table.language)
    error, text, seen = refused or (None, kept, kept)
    struct = NotesPage(
        table_url=f"/t/{table_id}",
        title_name=title_name(table.title),
        text=text,
        seen=seen,
        longest=max(private_notes.LONGEST, len(kept)),
        writes=await private_notes.may_write(tables, table_id, visitor),
        saved=saved,
        error=error.text(words) if error else "",
    )
    name = card_or_page(request, "notes")
    return page(request, name, struct, words, error.status if error else HTTP_200_OK)


@get("/tables/{table_id:str}/chat", responses=READING)
async def chat(request: AnyRequest, table_id: FromPath[str]) -> list[ApiMessage]:
    """The last messages at the table."""
    return await _messages(request)


async def _messages(request: AnyRequest, result: object = None) -> list[ApiMessage]:
    return messages(await shown_to_programs(request, request.path_params["table_id"]))


@table_operation("chat", answer=_messages, status_code=201)
async def say(request: AnyRequest, table_id: FromPath[str], data: JSONBody[ChatWish]) -> None:
    """Write a message to everybody at the table."""
    await carry_out(request, table_chat.say, table_id, data.text)


@table_operation("chat/read", answer=None, status_code=204, page_options={"opt": {"cost": CHEAP}})
async def mark_read(request: AnyRequest, table_id: FromPath[str], data: JSONBody[ReadWish]) -> None:
    """Say up to which message one has read."""
    await carry_out(request, table_chat.mark_read, table_id, data.last)


@get("/tables/{table_id:str}/notes", responses=READING)
async def notes(request: AnyRequest, table_id: FromPath[str]) -> ApiNotes:
    """One's own notes."""
    return ApiNotes(await private_notes.note_of(tables_of(request), table_id, who(request).id))


async def _notes_written(request: AnyRequest, result: object) -> Response[Any] | Template:
    table_id = request.path_params["table_id"]
    if wants_part(request):
        return await _notes(request, table_id, saved=True)
    return Redirect(f"/t/{table_id}/notes", status_code=HTTP_303_SEE_OTHER)


async def _notes_refused(request: AnyRequest, error: KursbuchError) -> Template:
    """The form again: what was typed stays, as does what it was typed instead of."""
    if not wants_page(request) or not isinstance(error, Refused) or error.status not in (409, 422):
        raise error
    sent = await read(request)
    refused = (error, sent.text("text"), sent.text("seen"))
    return await _notes(request, request.path_params["table_id"], refused=refused)


@table_operation(
    "notes",
    done=_notes_written,
    answer=None,
    refused=_notes_refused,
    request_max_body_size=NOTES_BODY,
)
async def write_notes(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[NotesWish]
) -> ApiNotes:
    """Keep one's own notes, in the place of those before."""
    tables, visitor = tables_of(request), who(request).id
    words = words_for(request)
    await carry_out(request, private_notes.write, table_id, data.text, words, data.seen)
    return ApiNotes(await private_notes.note_of(tables, table_id, visitor))
