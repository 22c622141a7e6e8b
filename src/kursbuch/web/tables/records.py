"""Tables made from records, ours or of other programs."""

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
from kursbuch.core.registry import Remark, importers, title_with_data
from kursbuch.core.replay_cache import unpack
from kursbuch.core.title import Title
from kursbuch.core.words import N_
from kursbuch.web.ai.levels import bot_spec
from kursbuch.web.db.models import DataFile, Seat, Table
from kursbuch.web.http.errors import Refused
from kursbuch.web.tables.copies import MYSELF, lay
from kursbuch.web.tables.lobby import NewTable, as_wanted, check, check_data, usual_moderation
from kursbuch.web.tables.store import TableStore, new_seed
from kursbuch.web.uploads import parsers
from kursbuch.web.uploads.reader_pool import LIMITS, OF_DATA, UploadParser

MAX_RECORD = 1_000_000

#: So long its component data are looked for among those of the tables, in seconds.
PATIENCE = 5.0

#: A seat for somebody who sits down later.
OPEN = "open"

#: What stands in the log of a table that was begun with a record.
RECORD = "record"

#: By the title and the hash of a stored file: the hash by which records name its component data, empty for none.
_NAMES: dict[tuple[str, str], str] = {}


class ReadRecord(NamedTuple):
    """A record that was read: its game, what is to be said about it, and the file with the component data it was
    played with if they are not those of the package."""

    game: Game
    remarks: tuple[Remark, ...] = ()
    data: bytes | None = None


async def read(
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


async def open_record(
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
