"""Tables made from records, ours or of other programs."""

from __future__ import annotations

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
from kursbuch.core.registry import Remark, importers, title_with_data
from kursbuch.core.replay_cache import unpack
from kursbuch.core.title import Title
from kursbuch.core.words import N_, Words
from kursbuch.web.ai.levels import bot_spec
from kursbuch.web.db.models import DataFile, Seat, Table
from kursbuch.web.http.admission import in_thread
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
from kursbuch.web.uploads.parser_pool import LIMITS, OF_DATA, UploadParser

MAX_RECORD = 1_000_000

#: Maximum time to search the tables for component data, in seconds.
PATIENCE = 5.0

#: The player of a seat that stays free.
OPEN = "open"

#: By title and file hash: the hash of the component data as records write it, empty if the file is invalid.
_NAMES: dict[tuple[str, str], str] = {}


class ReadRecord(NamedTuple):
    """A record that was read: its game, remarks, and its own file of component data, if any."""

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
    """Read the game of a record with `reader`. The ending of the file's `name` tells which program wrote it. `data`
    are component data, needed only if no table here uses them. Refusals name the line."""
    if len(record) > MAX_RECORD:
        raise Refused(N_("The record is too large (at most {most} bytes)."), most=MAX_RECORD)
    check_data(data)
    if not record.strip():
        raise Refused(N_("There is no record: choose a file, or paste its text."))
    suffix = PurePath(name).suffix.lower()
    if suffix not in importers():
        data = await _data_of(tables, record, data)
    limits = LIMITS if data is None else OF_DATA
    found = await reader(parsers.record, record, suffix, data, limits=limits)
    return ReadRecord(await in_thread(_game, found, data), found.remarks, data)


def _game(found: parsers.ParsedRecord, data: bytes | None) -> Game:
    return unpack(title_with_data(found.title, data), found.game)


async def _data_of(tables: TableStore, record: bytes, given: bytes | None) -> bytes | None:
    """The component data for a record of ours, None for those of the package: the given ones, or those of a table
    here."""
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
                "The record uses its own component data, which no table here has: "
                "choose the file with that data, too."
            )
        )
    return found


async def _stored(tables: TableStore, title: Title[Any], named: str) -> bytes | None:
    """Find the component data with the hash in a record. Files are stored by another hash, so unknown ones are tried,
    newest first."""
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
                name = _NAMES[title.id, found] = await in_thread(_name, title, content)
            if name == named:
                return content
    return None


def _name(title: Title[Any], content: bytes) -> str:
    try:
        return title.with_data(content).data_hash
    except KursbuchError:  # written for an older version
        return ""


async def open_from_record(
    tables: TableStore,
    visitor: str,
    found: ReadRecord,
    number: int,
    players: Sequence[str],
    wanted: NewTable | None = None,
) -> str:
    """Open a table that begins with the first `number` moves of a record; later draws come from its own seed.
    `players` names the player of every seat: the visitor (`MYSELF`), a person who joins (`OPEN`), or a bot level.
    `wanted` are the settings of a public table; without it the table is a private copy with free undo. A finished
    game can be viewed. Returns the id of the table."""
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
            N_("No one can join a private copy later: open a public table, or choose all players.")
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
    """Store component data for a table about to be opened; returns the hash of their file."""
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


PLAYERS = {MYSELF: N_("I"), OPEN: N_("another player, who joins later")}


class RecordInfo(msgspec.Struct, frozen=True):
    """A record that was read: `text` and its component `data` are sent on, `facts` and `remarks` describe it. `seats`
    are the possible players (seat{n}); `over` means that it can only be viewed after its last move, of all its
    `moves`. `number`, `private` and `chosen` (settings of a public table) are the values of the form."""

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
    """open.html: the form for a record (fields file, text, data; POST /open), and for the table that continues it
    (text, data, number, seat{n}, kind, and the settings in new.html; POST /open/table). `endings` are those of files
    of other programs."""

    error: str
    text: str
    endings: str
    record: RecordInfo | None


def open_page(
    words: Words, error: str = "", text: str = "", record: RecordInfo | None = None
) -> OpenPage:
    """The form for a record; `text` is a refused one."""
    endings = ",".join([*sorted(importers()), ".txt", "text/plain"])
    return OpenPage(error, text, endings, record)


def record_info(
    words: Words, read: ReadRecord, data: bytes | None, given: Mapping[str, str], error: str = ""
) -> RecordInfo:
    """Describe a record that was read, with its component data; `given` are the values of a form that was refused
    with an `error`."""
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


#: Maximum body: a record with a file of component data.
BODY = MAX_RECORD + LARGE_BODY


class SentRecord(NamedTuple):
    """A record that was sent, the name of its file if any, and component data."""

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
    """The content of a field, and the name of the file if it is one."""
    upload = sent.fields.get(field)
    if isinstance(upload, UploadFile):
        return await upload.read(), upload.filename
    # Forms send Windows line ends.
    return sent.text(field).replace("\r\n", "\n").encode(), ""


@post(
    "/open",
    include_in_schema=False,
    request_max_body_size=BODY,
    status_code=HTTP_200_OK,
    opt={"cost": COSTLY},
)
async def check_record_form(request: AnyRequest) -> Template:
    """Read a record, and ask how to continue it."""
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
    """A record as text, to continue after `number` moves; `players` names the player of every seat: "me", "open", or
    a bot level. `data` is its file of component data, unless they are those of the title or of a table here. A
    `private` table is unlisted and allows free undo; the other settings are those of a public table."""

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
    """A record from a form, perhaps with files."""

    sent: SentRecord | None = None


#: Settings of a table from a record, besides those that a rematch keeps.
OF_TABLES = ("listed", "undo", "help", "objection", "language", "pace", "moderation")
CHOICES = (*OF_TABLES, *PLAYED_AGAIN)


async def _read_record(request: AnyRequest, sent: RequestFields) -> _SentRecordWish:
    kind = sent.text("kind", "copy")
    if kind not in ("copy", "table"):
        raise Refused(N_("It is not clear how to open the record."))
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
    """Show the form again with its values; a record that cannot be read is refused again."""
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
    """Open a table that continues a record."""
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
