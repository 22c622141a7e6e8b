"""Routes for records."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
from litestar import get, post
from litestar.datastructures import UploadFile
from litestar.params import JSONBody
from litestar.response import Template
from litestar.status_codes import HTTP_200_OK

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_
from kursbuch.web.http.errors import Refused
from kursbuch.web.http.operations import Number, operation
from kursbuch.web.http.rate_limits import COSTLY, TABLES
from kursbuch.web.http.requests import (
    AnyRequest,
    RequestFields,
    once,
    read,
    reader_of,
    tables_of,
    wants_page,
    who,
    words_for,
)
from kursbuch.web.http.templating import page
from kursbuch.web.tables import records
from kursbuch.web.tables.api_schemas import Opened
from kursbuch.web.tables.copies import PLAYED_AGAIN
from kursbuch.web.tables.copy_routes import opened_at
from kursbuch.web.tables.lobby import NewTable
from kursbuch.web.tables.lobby_routes import LARGE_BODY
from kursbuch.web.tables.new_table import read_policies
from kursbuch.web.tables.policies import ENTRY_LINK, REMIND, USUAL_PACE, WATCH_ALL
from kursbuch.web.tables.record_views import open_page, record_info

#: A record can come with a file of component data.
BODY = records.MAX_RECORD + LARGE_BODY


class SentRecord(NamedTuple):
    """What was sent to be opened: a record, the name of its file if it was one, and component data."""

    record: bytes
    name: str
    data: bytes | None


@get("/open", include_in_schema=False)
async def open_form(request: AnyRequest) -> Template:
    """The form for a record."""
    words = words_for(request)
    return page(request, "open.html", open_page(words), words)


async def _given(sent: RequestFields) -> SentRecord:
    record, name = await _content(sent, "file")
    if not record:
        record, name = await _content(sent, "text")
    data, _ = await _content(sent, "data")
    return SentRecord(record, name, data or None)


async def _content(sent: RequestFields, field: str) -> tuple[bytes, str]:
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
async def check_record_form(request: AnyRequest) -> Template:
    """Read a record, and ask how to go on with it."""
    words = words_for(request)
    sent = await read(request)
    try:
        given = await _given(sent)
        found = await records.read(tables_of(request), reader_of(request), *given)
    except KursbuchError as error:
        if not wants_page(request):
            raise
        text = sent.fields.get("text")
        struct = open_page(words, error.text(words), text if isinstance(text, str) else "")
        return page(request, "open.html", struct, words, getattr(error, "status", 422))
    record = record_info(words, found, given.data, {})
    return page(request, "open.html", open_page(words, record=record), words)


class RecordWish(msgspec.Struct, frozen=True):
    """A record, as text; `number` is after how many of its moves the table begins, and `players` says for every seat
    who plays it: "me", "open", or a strength of the computer. `data` is what stands in the file of component data it
    was played with, if these are neither those of the game nor those of a table here. A `private` table is found by
    its link only, and lets everything be taken back; whatever follows is for others, as at a new table."""

    text: str
    number: Number
    players: list[str]
    data: str = ""
    private: bool = True
    listed: bool = False
    undo: str = "ask"
    help: bool = True
    objection: Number | None = None
    language: str = ""
    pace: float = USUAL_PACE
    moderation: str = ""
    slow: bool = False
    move_hours: Number | None = None
    overrun: str = REMIND
    vacation: Number = 0
    language_note: str = ""
    entry: str = ENTRY_LINK
    password: str = ""
    watching: str = WATCH_ALL
    delay_moves: Number = 0
    delay_minutes: Number = 0


class _SentRecordWish(RecordWish, frozen=True):
    """The same from a form, which may bring files."""

    sent: SentRecord | None = None


#: What a table from a record can be like, besides what is taken over when the same people play again.
OF_TABLES = ("listed", "undo", "help", "objection", "language", "pace", "moderation")
CHOICES = (*OF_TABLES, *PLAYED_AGAIN)


async def _read_record(request: AnyRequest, sent: RequestFields) -> _SentRecordWish:
    kind = sent.text("kind", "copy")
    if kind not in ("copy", "table"):
        raise Refused(N_("It is not clear what the record is opened as."))
    chosen: dict[str, Any] = {}
    if kind == "table":
        policies = read_policies(sent)
        chosen = {name: policies[name] for name in CHOICES}
    return _SentRecordWish(
        text="",
        number=sent.number("number"),
        players=sent.texts("seat"),
        private=kind == "copy",
        sent=await _given(sent),
        **chosen,
    )


async def _record_refused(request: AnyRequest, error: KursbuchError) -> Template:
    """The form again, with what was filled in. A record that cannot be read is refused once more."""
    if not wants_page(request) or not isinstance(error, Refused):
        raise error
    sent, words = await read(request), words_for(request)
    given = await _given(sent)
    found = await records.read(tables_of(request), reader_of(request), *given)
    fields = {name: value for name, value in sent.fields.items() if isinstance(value, str)}
    said = error.text(words)
    record = record_info(words, found, given.data, fields, said)
    return page(request, "open.html", open_page(words, said, record=record), words, error.status)


@operation(
    "/open/table",
    "/records",
    form=_read_record,
    done=opened_at,
    refused=_record_refused,
    status_code=201,
    opt={"cost": TABLES},
    request_max_body_size=BODY,
)
async def open_record(request: AnyRequest, data: JSONBody[RecordWish]) -> Opened:
    """Open a table that goes on with a record."""
    tables, visitor = tables_of(request), who(request).id
    given = data.sent if isinstance(data, _SentRecordWish) else None
    if given is None:
        text, own = (part.encode(errors="replace") for part in (data.text, data.data))
        given = SentRecord(text, "", own or None)
    found = await records.read(tables, reader_of(request), *given)
    chosen = {name: getattr(data, name) for name in CHOICES}
    wanted = None if data.private else NewTable(found.game.title.id, [], **chosen)
    opened = await once(
        request, records.open_record, tables, visitor, found, data.number, data.players, wanted
    )
    return Opened(opened, f"/t/{opened}")
