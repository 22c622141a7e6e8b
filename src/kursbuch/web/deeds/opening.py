"""Open a record: ours or that of another program, as a table where others sit down or as a copy of one's own."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

from sqlalchemy import func, select

import kursbuch
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.importing import OtherGame, Remark, importers
from kursbuch.core.registry import title_with_data
from kursbuch.core.title import Title
from kursbuch.core.words import N_
from kursbuch.web.deeds.copies import MYSELF, lay
from kursbuch.web.deeds.lobby import NewTable, as_wanted, check, check_data, usual_moderation
from kursbuch.web.errors import Refused
from kursbuch.web.models import DataFile, Seat, Table
from kursbuch.web.strengths import bot_spec
from kursbuch.web.tables import Tables, new_seed

MAX_RECORD = 1_000_000

#: A record that takes longer to read is refused, in seconds.
PATIENCE = 30.0

#: A seat for somebody who sits down later.
OPEN = "open"

#: What stands in the log of a table that was begun with a record.
RECORD = "record"

#: One record is read at a time, so that the others at the server can go on.
_READING = asyncio.Semaphore(1)

#: By the title and the hash of a stored file: the hash by which records name its component data, empty for none.
_NAMES: dict[tuple[str, str], str] = {}


class Read(NamedTuple):
    """A record that was read: its game, what is to be said about it, and the file with the component data it was
    played with if they are not those of the package."""

    game: Game
    remarks: tuple[Remark, ...] = ()
    data: bytes | None = None


async def read(tables: Tables, record: bytes, name: str = "", data: bytes | None = None) -> Read:
    """The game of a record. `name` is that of the file, whose ending tells which program it comes from; `data` are
    component data of its own, which are needed only if no table here was opened with them. What is wrong with it is
    said with its line."""
    if len(record) > MAX_RECORD:
        raise Refused(
            N_("The record is too large; at most {most} bytes are possible."), most=MAX_RECORD
        )
    check_data(data)
    if not record.strip():
        raise Refused(N_("There is no record: choose a file, or paste its text."))
    suffix = PurePath(name).suffix.lower()
    async with _READING:
        end = time.monotonic() + PATIENCE
        if suffix not in importers():
            data = await _data_of(tables, record, data, end)
        return await asyncio.to_thread(_read, record, suffix, data, end)


def _read(record: bytes, suffix: str, data: bytes | None, end: float) -> Read:
    def advance(done: int, total: int) -> None:
        _hurry(end)

    readers = importers().get(suffix)
    if readers is None:
        try:
            text = record.decode()
        except UnicodeDecodeError:
            raise Refused(N_("The record is no text in UTF-8.")) from None
        verified = kursbuch.verify(text, data=data, progress=advance)
        if verified.refusal is not None:
            raise verified.refusal
        remarks = [Remark((), change.template, change.params) for change in verified.changes]
        return Read(verified.game, tuple(remarks), data)
    other: OtherGame | None = None
    for title, reader in readers.items():
        try:
            found = reader(title_with_data(title, data), record, progress=advance)
        except OtherGame as error:
            other = other or error
        except (ValueError, LookupError, TypeError, EOFError) as error:
            raise Refused(N_("This file cannot be read.")) from error
        else:
            return Read(found.game, found.remarks, data)
    assert other is not None
    raise other


def _hurry(end: float) -> None:
    if time.monotonic() > end:
        raise Refused(N_("Reading this record takes too long here."))


async def _data_of(tables: Tables, record: bytes, given: bytes | None, end: float) -> bytes | None:
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
    found = await _stored(tables, title, named, end) if given is None else given
    if found is None:
        raise Refused(
            N_(
                "The record was played with component data of its own, and no table here has them: choose the file "
                "with these data, too."
            )
        )
    return found


async def _stored(tables: Tables, title: Title[Any], named: str, end: float) -> bytes | None:
    """The component data of a table of the title that records name so. Stored files go by their own hash, which says
    also what the game does not use, so those nobody has asked for yet are looked at, the newest first."""
    used = (
        select(Table.data_hash)
        .where(Table.title == title.id, Table.data_hash.is_not(None))
        .group_by(Table.data_hash)
        .order_by(func.max(Table.created_at).desc())
    )
    async with tables.refusing():
        async with tables.database.reading() as session:
            hashes = [found for found in await session.scalars(used) if found is not None]
        for found in sorted(hashes, key=lambda one: (title.id, one) not in _NAMES):
            name = _NAMES.get((title.id, found))
            if name not in (None, named):
                continue
            _hurry(end)
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


async def open_record(
    tables: Tables,
    visitor: str,
    found: Read,
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


async def _keep(tables: Tables, visitor: str, data: bytes) -> str:
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
