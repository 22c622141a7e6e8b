"""Chat, mentions and private notes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from functools import lru_cache
from typing import Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER
from sqlalchemy import func, select

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_, Words
from kursbuch.web.db.models import Chat, ChatRead, PrivateNote, now
from kursbuch.web.http.errors import Forbidden, Refused
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
from kursbuch.web.http.templating import page
from kursbuch.web.labels import title_name
from kursbuch.web.tables.access import is_involved
from kursbuch.web.tables.api import (
    ApiMessage,
    ApiNotes,
    ChatWish,
    NotesWish,
    ReadWish,
    shown_to_programs,
    table_operation,
)
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.viewer import Viewer

#: Words that mean all players, in all languages.
EVERYBODY = ("all", "alle")


def pieces(text: str, names: Sequence[str]) -> list[tuple[str, frozenset[int]]]:
    """Split a message into pieces with the seats they mention; the longest matching name counts.

    >>> pieces("@anna, ask @Bernd B!", ["Anna", "Bernd", "Bernd B"])
    [('@anna', frozenset({0})), (', ask ', frozenset()), ('@Bernd B', frozenset({2})), ('!', frozenset())]
    """
    known, found = _known(tuple(names))
    parts: list[tuple[str, frozenset[int]]] = []
    end = 0
    for match in found.finditer(text):
        seats = known.get(match[1].casefold())
        if seats is None:  # letters that change their length in capitals
            continue
        if match.start() > end:
            parts.append((text[end : match.start()], frozenset()))
        parts.append((match[0], seats))
        end = match.end()
    if end < len(text) or not parts:
        parts.append((text[end:], frozenset()))
    return parts


@lru_cache(500)
def _known(names: tuple[str, ...]) -> tuple[dict[str, frozenset[int]], re.Pattern[str]]:
    """The seats that each word means, and the pattern that finds the words."""
    known = {name.casefold(): frozenset((seat,)) for seat, name in enumerate(names) if name}
    for word in EVERYBODY:
        known.setdefault(word, frozenset(range(len(names))))
    longest = sorted(known, key=len, reverse=True)
    return known, re.compile(rf"@({'|'.join(map(re.escape, longest))})(?!\w)", re.IGNORECASE)


def mentioned(text: str, names: Sequence[str]) -> list[int]:
    """The seats that a message mentions, in order."""
    return sorted(frozenset[int]().union(*(seats for _, seats in pieces(text, names))))


MAX_CHAT = 500

#: Maximum number of messages of one player at a table per day.
MAX_CHAT_LINES = 300
CHAT_DAY = timedelta(days=1)


async def send_message(tables: TableStore, table_id: str, visitor: str, text: str) -> None:
    """Write a chat message."""
    text = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    if not text:
        raise Refused(N_("A message must not be empty."))
    if len(text) > MAX_CHAT:
        raise Refused(
            N_("The message is too long (at most {most} characters)."),
            most=MAX_CHAT,
        )
    async with tables.changing(table_id) as change:
        seat = change.any_own_seat(visitor)
        own = [one.number for one in change.seats if one.owner == visitor]
        written = await change.session.scalar(
            select(func.count())
            .select_from(Chat)
            .where(Chat.table_id == table_id, Chat.seat.in_(own), Chat.sent_at > now() - CHAT_DAY)
        )
        if (written or 0) >= MAX_CHAT_LINES:
            raise Refused(
                N_("You have written {count} messages here today: continue tomorrow."),
                count=written,
            )
        line = Chat(table_id=table_id, seat=seat.number, name=seat.name, text=text, sent_at=now())
        change.session.add(line)
        await change.session.flush()
        names = [one.name for one in change.seats]
        change.mentions = {
            number: line.id for number in mentioned(text, names) if number not in own
        }


async def mark_chat_read(tables: TableStore, table_id: str, visitor: str, last: int) -> None:
    """Record that a player has read the chat up to the message `last`."""
    snapshot = await tables.load(table_id)
    last = min(last, snapshot.chat[-1].id if snapshot.chat else 0)
    if not snapshot.seats_of(visitor) or last <= snapshot.read.get(visitor, 0):
        return
    async with tables.writing() as session:
        row = await session.get(ChatRead, (table_id, visitor), with_for_update=True)
        if row is None:
            session.add(ChatRead(table_id=table_id, owner=visitor, last=last))
        else:
            row.last = max(row.last, last)
    snapshot.read[visitor] = last


#: Maximum length of private notes.
LONGEST = 20_000

#: The line above text that was written elsewhere at the same time.
ELSEWHERE = N_("— Written on another device in the meantime: —")


async def note_of(tables: TableStore, table_id: str, visitor: str) -> str:
    """The private notes of a visitor, even after leaving the table."""
    async with tables.refusing(), tables.database.reading() as session:
        row = await session.get(PrivateNote, (table_id, visitor))
    if row is None:
        await _require(tables, table_id, visitor)
        return ""
    return row.text


async def write_note(
    tables: TableStore,
    table_id: str,
    visitor: str,
    text: str,
    words: Words,
    seen: str | None = None,
) -> None:
    """Replace the private notes; empty ones are deleted. `seen` is the text that the writer edited: what was written
    elsewhere since is kept below a line that says so."""
    text = _tidied(text)
    await _require(tables, table_id, visitor)
    async with tables.writing() as session:
        row = await session.get(PrivateNote, (table_id, visitor), with_for_update=True)
        before = "" if row is None else row.text
        elsewhere = "" if seen is None else _added(_tidied(seen), before)
        # Notes joined when accounts were merged may be longer.
        most = max(LONGEST, len(before))
        if len(text) > most:
            raise Refused(N_("The notes are too long (at most {most} characters)."), most=most)
        # A client that missed the answer sends the same text again.
        if elsewhere and f"\n{elsewhere}\n" not in f"\n{text}\n":
            text = f"{text}\n\n{words._(ELSEWHERE)}\n{elsewhere}".strip()
            if len(text) > most:
                raise Refused(
                    N_(
                        "Together with what was written on another device, the notes are too "
                        "long (at most {most} characters)."
                    ),
                    most=most,
                )
        if row is not None and text:
            row.text, row.written_at = text, now()
        elif row is not None:
            await session.delete(row)
        elif text:
            session.add(PrivateNote(table_id=table_id, owner=visitor, text=text, written_at=now()))


def _tidied(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.replace("\0", "").splitlines()).strip()


def _added(seen: str, now: str) -> str:
    """The new lines of a text, from the first to the last.

    >>> _added("Leeds\\nYork", "Leeds\\nHull\\nYork\\nBath")
    'Hull\\nYork\\nBath'
    >>> _added("Leeds\\nYork", "York")
    ''
    """
    old, new = seen.splitlines(), now.splitlines()
    for _ in range(2):
        while old and new and old[-1] == new[-1]:
            old.pop()
            new.pop()
        old, new = old[::-1], new[::-1]
    return "\n".join(new).strip()


async def may_write(tables: TableStore, table_id: str, visitor: str) -> bool:
    """Whether a visitor can write notes at a table."""
    snapshot = await tables.load(table_id)
    return is_involved(snapshot.table, snapshot.seats, visitor)


async def _require(tables: TableStore, table_id: str, visitor: str) -> None:
    if not await may_write(tables, table_id, visitor):
        raise Forbidden(N_("Only players at this table can do that."))


def messages(shown: Viewer) -> list[ApiMessage]:
    """The latest chat messages."""
    names = [seat.name for seat in shown.seats]
    return [
        ApiMessage(
            line.id,
            line.seat,
            line.name or names[line.seat],
            line.text,
            line.sent_at,
            mentioned(line.text, names),
        )
        for line in shown.snapshot.chat
    ]


#: Maximum body with new and old notes, each character with as many bytes as a form needs at most.
NOTES_BODY = 2 * 12 * LONGEST + 10_000


@get("/t/{table_id:str}/notes", include_in_schema=False)
async def notes_page(request: AnyRequest, table_id: FromPath[str]) -> Template:
    """Private notes, as a page or as a card for a popup."""
    return await _notes(request, table_id)


class NotesPage(msgspec.Struct, frozen=True):
    """notes.html, as a page or a card: private notes (fields text, seen), and whether the reader still `writes` there.
    `seen` is the stored text; after a refusal, which `error` says, `text` is what was typed."""

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
    kept = await note_of(tables, table_id, visitor)
    table = (await tables.load(table_id)).table
    words = words_for(request, table.language)
    error, text, seen = refused or (None, kept, kept)
    struct = NotesPage(
        table_url=f"/t/{table_id}",
        title_name=title_name(table.title),
        text=text,
        seen=seen,
        longest=max(LONGEST, len(kept)),
        writes=await may_write(tables, table_id, visitor),
        saved=saved,
        error=error.text(words) if error else "",
    )
    return page(request, "notes.html", struct, words, error.status if error else HTTP_200_OK)


@get("/tables/{table_id:str}/chat", responses=READING)
async def chat(request: AnyRequest, table_id: FromPath[str]) -> list[ApiMessage]:
    """The latest messages at the table."""
    return await _messages(request)


async def _messages(request: AnyRequest, result: object = None) -> list[ApiMessage]:
    return messages(await shown_to_programs(request, request.path_params["table_id"]))


@table_operation("chat", answer=_messages, status_code=201)
async def say(request: AnyRequest, table_id: FromPath[str], data: JSONBody[ChatWish]) -> None:
    """Write a message to all players at the table."""
    await carry_out(request, send_message, table_id, data.text)


@table_operation("chat/read", answer=None, status_code=204, page_options={"opt": {"cost": CHEAP}})
async def mark_read(request: AnyRequest, table_id: FromPath[str], data: JSONBody[ReadWish]) -> None:
    """Record the last message that the caller has read."""
    await carry_out(request, mark_chat_read, table_id, data.last)


@get("/tables/{table_id:str}/notes", responses=READING)
async def notes(request: AnyRequest, table_id: FromPath[str]) -> ApiNotes:
    """Private notes of the caller."""
    return ApiNotes(await note_of(tables_of(request), table_id, who(request).id))


async def _notes_written(request: AnyRequest, result: object) -> Response[Any] | Template:
    table_id = request.path_params["table_id"]
    if wants_part(request):
        return await _notes(request, table_id, saved=True)
    return Redirect(f"/t/{table_id}/notes", status_code=HTTP_303_SEE_OTHER)


async def _notes_refused(request: AnyRequest, error: KursbuchError) -> Template:
    """Show the form again with the typed text."""
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
    """Replace the private notes of the caller."""
    tables, visitor = tables_of(request), who(request).id
    words = words_for(request)
    await carry_out(request, write_note, table_id, data.text, words, data.seen)
    return ApiNotes(await note_of(tables, table_id, visitor))
