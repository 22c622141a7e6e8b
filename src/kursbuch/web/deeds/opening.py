"""Open a record: ours or that of another program, as a table where others sit down or as a copy of one's own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import PurePath
from typing import NamedTuple

import kursbuch
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.importing import OtherGame, Remark, importers
from kursbuch.core.words import N_
from kursbuch.web.deeds.copies import MYSELF, lay
from kursbuch.web.deeds.lobby import usual_moderation
from kursbuch.web.errors import Refused
from kursbuch.web.models import Seat, Table
from kursbuch.web.policies import UNDO_POLICIES, USUAL_PACE
from kursbuch.web.strengths import bot_spec
from kursbuch.web.tables import Tables, new_seed, new_table

MAX_RECORD = 1_000_000

#: A record that takes longer to read is refused, in seconds.
PATIENCE = 30.0

#: A seat for somebody who sits down later.
OPEN = "open"

#: What stands in the log of a table that was begun with a record.
RECORD = "record"

#: One record is read at a time, so that the others at the server can go on.
_READING = asyncio.Semaphore(1)


class Read(NamedTuple):
    """A record that was read: its game, and what is to be said about it."""

    game: Game
    remarks: tuple[Remark, ...] = ()


async def read(data: bytes, name: str = "") -> Read:
    """The game of a record. `name` is that of the file, whose ending tells which program it comes from. What is
    wrong with it is said with its line."""
    if len(data) > MAX_RECORD:
        raise Refused(
            N_("The record is too large; at most {most} bytes are possible."), most=MAX_RECORD
        )
    if not data.strip():
        raise Refused(N_("There is no record: choose a file, or paste its text."))
    async with _READING:
        return await asyncio.to_thread(_read, data, PurePath(name).suffix.lower())


def _read(data: bytes, suffix: str) -> Read:
    end = time.monotonic() + PATIENCE

    def advance(done: int, total: int) -> None:
        if time.monotonic() > end:
            raise Refused(N_("Reading this record takes too long here."))

    readers = importers().get(suffix)
    if readers is None:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            raise Refused(N_("The record is no text in UTF-8.")) from None
        return Read(kursbuch.load(text, progress=advance))
    other: OtherGame | None = None
    for title, reader in readers.items():
        try:
            found = reader(kursbuch.title(title), data, progress=advance)
        except OtherGame as error:
            other = other or error
        except (ValueError, LookupError, TypeError, EOFError) as error:
            raise Refused(N_("This file cannot be read.")) from error
        else:
            return Read(found.game, found.remarks)
    assert other is not None
    raise other


async def open_record(
    tables: Tables,
    visitor: str,
    data: bytes,
    number: int,
    players: Sequence[str],
    *,
    private: bool,
    listed: bool = False,
    undo: str = "ask",
) -> str:
    """Open a table that begins with the first `number` moves of a record; later draws come from a seed of its own.
    `players` says for every seat who plays it: the visitor (`MYSELF`), whoever sits down (`OPEN`), or the computer,
    by its strength. A `private` one is found by its link only and lets everything be taken back. A game that is
    over there can be looked at. Returns the id of the table."""
    game = (await read(data)).game
    if not 0 <= number <= len(game.moves):
        raise Refused(N_("The game has no move number {number}."), number=number)
    if undo not in UNDO_POLICIES:
        raise Refused(N_("There is no such rule for taking moves back."))
    game = game.play_on(number, new_seed())
    if game.over:
        players, private = [MYSELF] * len(game.names), True
    if len(players) != len(game.names):
        raise Refused(N_("It is not clear who plays each seat of the copy."))
    if private and OPEN in players:
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
    table = _table(game, visitor)
    table.undo, table.listed = ("free", False) if private else (undo, listed)
    table.moderation = usual_moderation(table.listed, players)
    await lay(tables, table, seats, game, [False] * len(game.moves), RECORD)
    return table.id


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


def _table(game: Game, creator: str) -> Table:
    if game.title.data_hash != kursbuch.title(game.title.id).data_hash:
        raise KursbuchError(
            "The record was played with other component data than those given here."
        )
    return new_table(
        game,
        creator,
        language="",
        undo="free",
        help=True,
        objection_seconds=None,
        listed=False,
        pace=USUAL_PACE,
        guided=False,
    )
