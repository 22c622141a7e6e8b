"""Replay cache of running games, and guided games."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.actions import Action
from kursbuch.core.chance import ContinuedChance
from kursbuch.core.errors import KursbuchError
from kursbuch.core.explain import GuidedGame, guided_game
from kursbuch.core.game import Game
from kursbuch.core.play import Play
from kursbuch.core.position import Position
from kursbuch.core.record_format import Copied
from kursbuch.core.registry import title_with_data
from kursbuch.core.replay_cache import Dump, load_dump, program_id
from kursbuch.core.title import Title
from kursbuch.core.words import N_
from kursbuch.web.cache import LruCache
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import DataFile, KeptGame, Origin, Seat, StoredMove, Table
from kursbuch.web.http.admission import charged, in_thread
from kursbuch.web.http.errors import Refused

#: Memory for cached games and tables in megabytes, and how long unused ones stay, in seconds.
MEMORY = 256
REST = 900.0

#: Memory of a game in bytes: per move, and per byte of its encoded state.
PER_MOVE, PER_BYTE = 2500, 12

#: Number of moves after which a game is written to the database again.
WRITTEN_EVERY = 25

#: Maximum number of moves replayed in the event loop; more are replayed in a thread.
AT_ONCE = 10
log = logging.getLogger(__name__)


class _Ready:
    def __init__(self, revision: int, rewound: int, game: Game, written: int) -> None:
        self.revision = revision
        self.rewound = rewound
        self.game = game
        #: Number of moves when it was last written to the database.
        self.written = written


def _weight(ready: _Ready) -> float:
    states = ready.game.states.values()
    last = len(next(reversed(states)))
    return sum(map(len, states)) + PER_MOVE * len(ready.game.moves) + PER_BYTE * last


class StoredGame:
    """The game of a table as the database has it."""

    def __init__(
        self,
        table: Table,
        title: Title[Any],
        moves: list[tuple[Action, int]],
        first: int,
        origin: Origin | None,
        kept: KeptGame | None,
    ) -> None:
        self.table = table
        self.title = title
        self.revision, self.rewound = table.revision, table.rewound
        #: The moves after the `first` ones, each with its edition of the rules.
        self.moves = moves
        self.first = first
        self.origin = origin
        self.kept = kept

    def game(self, names: tuple[str, ...]) -> Game:
        """Replay the game as far as it is not cached."""
        game = _begun(self.title, names, self.table, self.origin)
        if self.kept is not None:
            load_dump(game, self.kept.content)
        _replay(game, self.moves)
        game.adopt_newest_edition()
        return game


class Games:
    """Games by table. A game is replayed only as far as it is not known yet.

    Nothing here is needed, nor what stands in `KeptGame`: every game can be built again from its moves. A
    game must not be used any more after something was awaited, because it may have gone on meanwhile.
    """

    def __init__(self, database: Database, memory: float = MEMORY) -> None:
        self._database = database
        self._kept = LruCache[str, _Ready](memory * 1e6, _weight, REST)
        self._building: dict[str, asyncio.Task[None]] = {}

    @property
    def bytes(self) -> float:
        """Memory of the cached games in bytes, approximately."""
        return self._kept.weight

    async def get(self, session: AsyncSession, table: Table, seats: Sequence[Seat]) -> Game:
        """The game of a table, at least up to the version of `table`, within a transaction."""
        names = tuple(seat.name for seat in seats)
        if not self._is_known(table):
            stored = await self.read(session, table)
            if not self._catch_up(stored):
                self._put(stored, await self._made(stored, names))
        return self._shown(table.id, names)

    async def build(self, stored: StoredGame, seats: Sequence[Seat]) -> Game:
        """The game of a table that was read, built once for all tasks that want it."""
        table_id, names = stored.table.id, tuple(seat.name for seat in seats)
        while not self._is_known(stored.table) and not self._catch_up(stored):
            building = self._building.get(table_id)
            if building is None:
                building = asyncio.create_task(charged(self._build(stored, names)))
                self._building[table_id] = building
                building.add_done_callback(lambda _: self._building.pop(table_id, None))
            await asyncio.shield(building)
        return self._shown(table_id, names)

    async def _build(self, stored: StoredGame, names: tuple[str, ...]) -> None:
        game = await self._made(stored, names)
        if not self._is_known(stored.table):
            self._put(stored, game)

    def known(self, table: Table, seats: Sequence[Seat]) -> Game | None:
        """The cached game of a table, if it is as far as `table`."""
        if not self._is_known(table):
            return None
        return self._shown(table.id, tuple(seat.name for seat in seats))

    def is_ready(self, table_id: str) -> bool:
        """Whether a game is cached, however far."""
        return self._kept.get(table_id) is not None

    def _is_known(self, table: Table) -> bool:
        ready = self._kept.get(table.id)
        return ready is not None and ready.revision >= table.revision

    def _shown(self, table_id: str, names: tuple[str, ...]) -> Game:
        ready = self._kept.get(table_id)
        assert ready is not None
        ready.game.names = names
        return ready.game

    async def read(self, session: AsyncSession, table: Table) -> StoredGame:
        """Read what is missing for the game of a table: the moves after the known ones."""
        title = await self.title(session, table)
        ready, kept, origin, first = self._kept.get(table.id), None, None, 0
        if ready is not None and ready.rewound == table.rewound:
            first = len(ready.game.moves)
        else:
            kept = await session.get(KeptGame, table.id)
            if kept is not None and not _fits(kept, table, title):
                kept = None
            first = 0 if kept is None else kept.number
        if table.copied is not None:
            origin = await session.get(Origin, table.id)
        query = select(StoredMove.action, StoredMove.edition).where(
            StoredMove.table_id == table.id, StoredMove.number > first
        )
        rows = await session.execute(query.order_by(StoredMove.number))
        moves = [(title.action_from_json(data), edition) for data, edition in rows]
        return StoredGame(table, title, moves, first, origin, kept)

    def _catch_up(self, stored: StoredGame) -> bool:
        """Play a few missing moves in the cached game, if they follow it."""
        ready = self._kept.get(stored.table.id)
        if (
            ready is None
            or stored.kept is not None
            or ready.rewound != stored.rewound
            or stored.first != len(ready.game.moves)
            or len(stored.moves) > AT_ONCE
        ):
            return False
        _replay(ready.game, stored.moves)
        ready.game.adopt_newest_edition()
        ready.revision = stored.revision
        return True

    async def _made(self, stored: StoredGame, names: tuple[str, ...]) -> Game:
        if stored.first and stored.kept is None:
            # The cached game has changed since the rest was read.
            async with self._database.reading() as session:
                self._kept.drop(stored.table.id)
                stored = await self.read(session, stored.table)
        try:
            # In a thread: a long game takes a while.
            return await in_thread(stored.game, names)
        except KursbuchError as error:
            raise Refused(
                N_("This game cannot be shown with this version of the program: {why}"),
                why=str(error),
            ) from error

    def _put(self, stored: StoredGame, game: Game) -> None:
        written = 0 if stored.kept is None else stored.kept.number
        table_id = stored.table.id
        self._kept.put(table_id, _Ready(stored.revision, stored.rewound, game, written))
        self._write_some(table_id)

    async def title(self, session: AsyncSession, table: Table) -> Title[Any]:
        """The title of a table, with its own component data."""
        data = None
        if table.data_hash is not None:
            data = await session.scalar(
                select(DataFile.content).where(DataFile.hash == table.data_hash)
            )
        return title_with_data(table.title, data)

    def follow(
        self,
        table: Table,
        old: int,
        rewind: int | None,
        actions: Sequence[tuple[Action, int]],
        position: Position[Any] | None = None,
        played: Play[Any] | None = None,
    ) -> None:
        """Follow a stored change from revision `old`: go back to `rewind` moves and play `actions`, each by its
        edition of the rules. A single action need not be played again if its unused `position` and the result
        `played` are given."""
        ready = self._kept.get(table.id)
        if ready is None or ready.revision != old:
            return
        if rewind is None and len(actions) == 1 and position is not None and played is not None:
            ready.game.accept_move(position, actions[0][0], played, actions[0][1])
            ready.game.record_reading()
        else:
            if rewind is not None:
                ready.game.rewind(rewind)
            _replay(ready.game, actions)
        ready.game.adopt_newest_edition()
        ready.revision, ready.rewound = table.revision, table.rewound
        ready.written = min(ready.written, len(ready.game.moves))
        self._kept.put(table.id, ready)
        self._write_some(table.id)

    def kept(self, table_id: str) -> Game | None:
        """The cached game of a table."""
        ready = self._kept.get(table_id)
        return None if ready is None else ready.game

    # ---- games in the database

    def _write_some(self, table_id: str) -> None:
        """Write the game of a table to the database once it has many new moves."""
        ready = self._kept.get(table_id)
        if ready is None or len(ready.game.moves) - ready.written < WRITTEN_EVERY:
            return
        ready.written = len(ready.game.moves)
        self._database.beside(self._write(table_id, ready.rewound, Dump(ready.game), ready))

    async def _write(self, table_id: str, rewound: int, frozen: Dump, ready: _Ready) -> None:
        try:
            content = await in_thread(frozen.written)
            row = {
                "table_id": table_id,
                "rewound": rewound,
                "number": frozen.number,
                "program": await in_thread(program_id, ready.game.title),
                "content": content,
            }
            async with self._database.writing() as session:
                await session.execute(delete(KeptGame).where(KeptGame.table_id == table_id))
                await session.execute(insert(KeptGame).values(row))
        except Exception as error:
            # Another server may have written it at the same time, and it is only a cache.
            log.info("The game of table %s could not be kept: %r", table_id, error)


def _fits(kept: KeptGame, table: Table, title: Title[Any]) -> bool:
    """Whether a stored game is the beginning of the game of a table, written by this program."""
    return (
        kept.rewound == table.rewound
        and kept.number <= table.number
        and kept.program == program_id(title)
    )


def _begun(title: Title[Any], names: tuple[str, ...], table: Table, origin: Origin | None) -> Game:
    """The game of a table before its first move."""
    if origin is None:
        return Game(title, names, table.options, seed=table.seed, edition=table.edition)
    draws = [(value, sides) for value, sides in origin.draws]
    return Game(
        title,
        names,
        table.options,
        seed=table.seed,
        chance=ContinuedChance(draws, table.seed),
        edition=table.edition,
        copied=[Copied(moves, seed_hash) for moves, seed_hash in origin.parts],
    )


def _replay(game: Game, actions: Sequence[tuple[Action, int]]) -> None:
    """Carry out actions by their editions of the rules, and read statistics on the way, where it is cheap."""
    game.record_reading()
    for action, edition in actions:
        game.replay(action, edition)
        game.record_reading()


def course_of(table: Table, title: Title[Any]) -> GuidedGame | None:
    """The guided game of a table, if it is one."""
    return guided_game(title) if table.guided else None


def followed(table: Table, title: Title[Any], actions: Sequence[Action]) -> GuidedGame | None:
    """The guided game of a table while its moves follow the guide; `GuidedGame.next` is then the only move."""
    found = course_of(table, title)
    if found is None:
        return None
    return found if found.on_course(actions) else None
