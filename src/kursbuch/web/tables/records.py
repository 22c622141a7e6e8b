"""Tables made from records, ours or of other programs."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

import msgspec
from litestar import get, post
from litestar.datastructures import UploadFile
from litestar.params import JSONBody
from litestar.response import Template
from litestar.status_codes import HTTP_200_OK
from sqlalchemy import func, select

import kursbuch
from kursbuch.bots import strengths
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.importers import Remark, importers
from kursbuch.core.registry import title_with_data
from kursbuch.core.replay_cache import unpack
from kursbuch.core.title import Title
from kursbuch.core.words import N_, Words
from kursbuch.web.ai.levels import bot_spec
from kursbuch.web.db.models import DataFile, Seat, Table
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
from kursbuch.web.labels import Fact, FieldChoice
from kursbuch.web.tables.api import Opened
from kursbuch.web.tables.copies import MYSELF, PLAYED_AGAIN, RECORD, CopySeat, lay
from kursbuch.web.tables.lobby import NewTable, as_wanted, check, check_data, usual_moderation
from kursbuch.web.tables.lobby_routes import LARGE_BODY, opened_at
from kursbuch.web.tables.new_table import NewTablePage, new_table_page, read_policies
from kursbuch.web.tables.policies import ENTRY_LINK, REMIND, USUAL_PACE, WATCH_ALL
from kursbuch.web.tables.store import TableStore, new_seed
from kursbuch.web.uploads import parsers
from kursbuch.web.uploads.reader_pool import LIMITS, OF_DATA, UploadParser

MAX_RECORD = 1_000_000

#: So long its component data are looked for among those of the tables, in seconds.
PATIENCE = 5.0

#: A seat for somebody who sits down later.
OPEN = "open"

#: By the title and the hash of a stored file: the hash by which records name its component data, empty for none.
_NAMES: dict[tuple[str, str], str] = {}


class ReadRecord(NamedTuple):
    """A record that was read: its game, what is to be said about it, and the file with the component data it was
    played with if they are not those of the package."""

    game: Game
    remarks: tuple[Remark, ...] = ()
    data: bytes | None = None


async def read_record(
    tables: TableStore,
    reader: UploadParser,
    record: bytes,
    name: str = "",
    data: bytes | None = None,
) -> ReadRecord:
    """The game of a record, read by `reader`. `name` is that of the file, whose ending tells which program it comes
    from; `data` are component data of its own, which are needed only if no table here was opened with them. What is
    wrong with it is said with its line."""
    if len(record) > MAX_RECORD:
        raise Refused(
            N_("The record is too large; at most {most} bytes are possible."), most=MAX_RECORD
        )
    check_data(data)
    if not record.strip():
        raise Refused(N_("There is no record: choose a file, or paste its text."))
    suffix = PurePath(name).suffix.lower()
    if suffix not in importers():
        data = await _data_of(tables, record, data)
    limits = LIMITS if data is None else OF_DATA
    found = await reader(parsers.record, record, suffix, data, limits=limits)
    return ReadRecord(await asyncio.to_thread(_game, found, data), found.remarks, data)


def _game(found: parsers.ParsedRecord, data: bytes | None) -> Game:
    return unpack(title_with_data(found.title, data), found.game)


async def _data_of(tables: TableStore, record: bytes, given: bytes | None) -> bytes | None:
    """The component data for a record of ours, None for those of the package: what was given, or else what a table
    here was opened with."""
    head = record.decode(errors="replace").replace("\r\n", "\n").partition("\n\n")[0]
    header = {
        key: value.strip() for key, _, value in (line.partition(": ") for line in head.splitlines())
    }
    title = kursbuch.titles().get(header.get("title", ""))
    named = header.get("data", "")
    if title is None or named in ("", title.data_hash):
        return None
    found = await _stored(tables, title, named) if given is None else given
    if found is None:
        raise Refused(
            N_(
                "The record was played with component data of its own, and no table here has them: choose the file "
                "with these data, too."
            )
        )
    return found


async def _stored(tables: TableStore, title: Title[Any], named: str) -> bytes | None:
    """The component data of a table of the title that records name so. Stored files go by their own hash, which says
    also what the game does not use, so those nobody has asked for yet are looked at, the newest first."""
    used = (
        select(Table.data_hash)
        .where(Table.title == title.id, Table.data_hash.is_not(None))
        .group_by(Table.data_hash)
        .order_by(func.max(Table.created_at).desc())
    )
    end = time.monotonic() + PATIENCE
    async with tables.refusing():
        async with tables.database.reading() as session:
            hashes = [found for found in await session.scalars(used) if found is not None]
        for found in sorted(hashes, key=lambda one: (title.id, one) not in _NAMES):
            name = _NAMES.get((title.id, found))
            if name not in (None, named):
                continue
            if time.monotonic() > end:
                raise Refused(N_("Finding the component data of this record takes too long here."))
            async with tables.database.reading() as session:
                query = select(DataFile.content).where(DataFile.hash == found)
                content = await session.scalar(query)
            if content is None:
                continue
            if name is None:
                name = _NAMES[title.id, found] = await asyncio.to_thread(_name, title, content)
            if name == named:
                return content
    return None


def _name(title: Title[Any], content: bytes) -> str:
    try:
        return title.with_data(content).data_hash
    except KursbuchError:  # an older version may have taken it
        return ""


async def open_from_record(
    tables: TableStore,
    visitor: str,
    found: ReadRecord,
    number: int,
    players: Sequence[str],
    wanted: NewTable | None = None,
) -> str:
    """Open a table that begins with the first `number` moves of a record; later draws come from a seed of its own.
    `players` says for every seat who plays it: the visitor (`MYSELF`), whoever sits down (`OPEN`), or the computer,
    by its strength. `wanted` is what was chosen for a table for others, but for its game and seats; without it the
    table is a copy of one's own, found by its link only, at which everything can be taken back. A game that is
    over there can be looked at. Returns the id of the table."""
    game = found.game
    if not 0 <= number <= len(game.moves):
        raise Refused(N_("The game has no move number {number}."), number=number)
    if wanted is not None:
        check(wanted)
    game = game.play_on(number, new_seed())
    if game.over:
        players, wanted = [MYSELF] * len(game.names), None
    if len(players) != len(game.names):
        raise Refused(N_("It is not clear who plays each seat of the copy."))
    if wanted is None and OPEN in players:
        raise Refused(
            N_(
                "Nobody sits down later at a copy of your own: open a table for others, too, or choose who plays."
            )
        )
    seats = [
        _seat(seat, name, player, visitor)
        for seat, (name, player) in enumerate(zip(game.names, players, strict=True))
    ]
    mine = next((seat for seat in seats if seat.owner is not None), None)
    if mine is not None:
        mine.kind, mine.facing = "person", True
    chosen = wanted or NewTable(game.title.id, [], undo="free", listed=False)
    table = await as_wanted(
        game,
        visitor,
        chosen,
        seats,
        guided=False,
        moderation=chosen.moderation or usual_moderation(chosen.listed, players),
    )
    if found.data is not None:
        table.data_hash = await _keep(tables, visitor, found.data)
    await lay(tables, table, seats, game, [False] * len(game.moves), RECORD)
    return table.id


async def _keep(tables: TableStore, visitor: str, data: bytes) -> str:
    """Store component data for a table that may be opened; returns the hash of their file."""
    name = hashlib.sha256(data).hexdigest()
    async with tables.refusing(), tables.database.writing() as session:
        await tables.check_open(session, visitor)
        if await session.get(DataFile, name) is None:
            session.add(DataFile(hash=name, content=data))
    return name


def _seat(number: int, name: str, player: str, visitor: str) -> Seat:
    mine, free = player == MYSELF, player == OPEN
    return Seat(
        number=number,
        kind="hotseat" if mine else "person" if free else "bot",
        name=name,
        bot="" if mine or free else bot_spec(player),
        owner=visitor if mine else None,
        facing=False,
    )


PLAYERS = {MYSELF: N_("I"), OPEN: N_("somebody who sits down later")}


class RecordInfo(msgspec.Struct, frozen=True):
    """A record that was read: `text` is what is sent on, `data` the component data that came with it, `facts` are
    what it is, `remarks` what the import has to say. `seats` say who can play each of them (seat{n}); `over` that it
    can only be looked at from its last move, of all its `moves`. `number`, `private` and `chosen` (what a table for
    others is like) are what is filled in."""

    text: str
    data: str
    title_name: str
    facts: list[Fact]
    remarks: list[str]
    moves: int
    over: bool
    seats: list[CopySeat]
    number: str
    private: bool
    chosen: NewTablePage


class OpenPage(msgspec.Struct, frozen=True):
    """open.html: the form for a record (fields file, text, data; POST /open), and for the table that goes on with it
    (text, data, number, seat{n}, kind, and what a table is like as in new.html; POST /open/table). `endings` are those
    of files of other programs."""

    error: str
    text: str
    endings: str
    record: RecordInfo | None


def open_page(
    words: Words, error: str = "", text: str = "", record: RecordInfo | None = None
) -> OpenPage:
    """The page where a record is opened; `text` is one that was refused."""
    endings = ",".join([*sorted(importers()), ".txt", "text/plain"])
    return OpenPage(error, text, endings, record)


def record_info(
    words: Words, read: ReadRecord, data: bytes | None, given: Mapping[str, str], error: str = ""
) -> RecordInfo:
    """A record that was read, with the component data that came with it; `given` are the fields of a form that was
    refused with an `error`."""
    game, _ = read.game, words._
    title = game.title
    facts = [Fact(_("Moves"), str(len(game.moves)))]
    for option in title.options:
        value = game.options[option.name]
        if value != option.values[0]:
            label = option.labels[option.values.index(value)]
            facts.append(Fact(_(option.label), _(label)))
    if read.data is not None:
        facts.append(Fact(_("Component data"), _("changed by the players")))
    bots = [(spec, _(label)) for spec, label in strengths(title)]
    players = [*((key, _(label)) for key, label in PLAYERS.items()), *bots]

    def seat(number: int, name: str) -> CopySeat:
        chosen = given.get(f"seat{number}", MYSELF)
        choices = [FieldChoice(value, label, value == chosen) for value, label in players]
        return CopySeat(number, name, choices)

    return RecordInfo(
        text=game.record(),
        data=(data or b"").decode(errors="replace"),
        title_name=title.name,
        facts=facts,
        remarks=[remark.text(words) for remark in read.remarks],
        moves=len(game.moves),
        over=game.over,
        seats=[seat(number, name) for number, name in enumerate(game.names)],
        number=given.get("number", str(len(game.moves))),
        private=given.get("kind", "copy") == "copy",
        chosen=msgspec.structs.replace(
            new_table_page(words, kursbuch.title(title.id), dict(given), error),
            listed="listed" in given,
        ),
    )


#: A record can come with a file of component data.
BODY = MAX_RECORD + LARGE_BODY


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
        found = await read_record(tables_of(request), reader_of(request), *given)
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
    found = await read_record(tables_of(request), reader_of(request), *given)
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
    found = await read_record(tables, reader_of(request), *given)
    chosen = {name: getattr(data, name) for name in CHOICES}
    wanted = None if data.private else NewTable(found.game.title.id, [], **chosen)
    opened = await once(
        request, open_from_record, tables, visitor, found, data.number, data.players, wanted
    )
    return Opened(opened, f"/t/{opened}")
