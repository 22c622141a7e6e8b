"""A table: how it stands, its record, what happens at it, talk, tables made from it."""

from __future__ import annotations

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Stream
from litestar.status_codes import HTTP_304_NOT_MODIFIED

from kursbuch.web.api.errors import DOING, READING
from kursbuch.web.api.shapes import (
    ApiGame,
    ApiMessage,
    ApiNotes,
    ChatWish,
    CheckedSeed,
    CopyWish,
    NotesWish,
    Opened,
    ReadWish,
)
from kursbuch.web.api.shown import game, messages, shown_to_programs
from kursbuch.web.deeds import copies, jotting, talking
from kursbuch.web.limits import TABLES
from kursbuch.web.looking import record_of, stream
from kursbuch.web.present.history import check_page
from kursbuch.web.requests import AnyRequest, carry_out, tables_of, who, words_for
from kursbuch.web.snapshot import Seen
from kursbuch.web.talk import NOTES_BODY


@get("/tables/{table_id:str}", responses=READING)
async def table(
    request: AnyRequest, table_id: FromPath[str], since: FromQuery[int] = 0
) -> Response[ApiGame | None]:
    """A table as the caller may see it; of its log, what happened after the first `since` moves. Its `ETag`
    changes with the table: sent along as `If-None-Match`, it is answered with 304 as long as nothing has."""
    shown = await shown_to_programs(request, table_id)
    tag = f'"{shown.stamp()}-{since}"'
    headers = {"etag": tag, "cache-control": "private, no-cache", "vary": "cookie, accept-language"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(None, status_code=HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(game(shown, since), headers=headers)


@get("/tables/{table_id:str}/record", media_type="text/plain", responses=READING)
async def record(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    """The record of the game. Not while the game hides something."""
    return record_of(await shown_to_programs(request, table_id))


@get(
    "/tables/{table_id:str}/events",
    opt={"compress": False},
    media_type="text/event-stream",
    response_description="Server-sent events, until the caller hangs up",
    responses=READING,
)
async def events(request: AnyRequest, table_id: FromPath[str]) -> Stream:
    """A stream of server-sent events, one for every change of the table, beginning with how it is now. Each is
    called `changed`; its data are the `version` of the table, the `number` of moves, and whether it is the
    caller's `turn`. After 15 seconds without one an event called `quiet` says that the stream is alive."""
    return await stream(request, table_id)


@get("/tables/{table_id:str}/chat", responses=READING)
async def chat(request: AnyRequest, table_id: FromPath[str]) -> list[ApiMessage]:
    """The last messages at the table."""
    return messages(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/chat", responses=DOING)
async def say(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[ChatWish]
) -> list[ApiMessage]:
    """Write a message to everybody at the table."""
    await carry_out(request, talking.say, table_id, data.text)
    return messages(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/chat/read", status_code=204, responses=DOING)
async def mark_read(request: AnyRequest, table_id: FromPath[str], data: JSONBody[ReadWish]) -> None:
    """Say up to which message one has read."""
    await carry_out(request, talking.mark_read, table_id, data.last)


@get("/tables/{table_id:str}/notes", responses=READING)
async def notes(request: AnyRequest, table_id: FromPath[str]) -> ApiNotes:
    """One's own notes."""
    return ApiNotes(await jotting.note_of(tables_of(request), table_id, who(request).id))


@post(
    "/tables/{table_id:str}/notes",
    request_max_body_size=NOTES_BODY,
    status_code=200,
    responses=DOING,
)
async def write_notes(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[NotesWish]
) -> ApiNotes:
    """Keep one's own notes, in the place of those before."""
    tables, visitor = tables_of(request), who(request).id
    words = words_for(request)
    await carry_out(request, jotting.write, table_id, data.text, words, data.seen)
    return ApiNotes(await jotting.note_of(tables, table_id, visitor))


@post("/tables/{table_id:str}/copy", opt={"cost": TABLES}, responses=DOING)
async def copy(request: AnyRequest, table_id: FromPath[str], data: JSONBody[CopyWish]) -> Opened:
    """Play on after some move, at a table of one's own. Not while the game hides something."""
    seen = Seen(data.number, data.version)
    opened = await carry_out(request, copies.copy, table_id, seen, data.seats)
    return Opened(opened, f"/t/{opened}")


@post("/tables/{table_id:str}/again", opt={"cost": TABLES}, responses=DOING)
async def again(request: AnyRequest, table_id: FromPath[str]) -> Opened:
    """Play once more with the same people when the game is over: the same table for all who ask."""
    opened = await carry_out(request, copies.again, table_id)
    return Opened(opened, f"/t/{opened}")


@get("/tables/{table_id:str}/check", responses=READING)
async def check(request: AnyRequest, table_id: FromPath[str]) -> CheckedSeed:
    """The seed of a finished game, checked."""
    found = check_page(await shown_to_programs(request, table_id))
    return CheckedSeed(
        found.seed, found.seed_hash, found.draws, found.passed, found.sentence, found.head
    )


HANDLERS = [
    table,
    record,
    events,
    chat,
    say,
    mark_read,
    notes,
    write_notes,
    copy,
    again,
    check,
]
