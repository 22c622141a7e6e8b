"""The computer at the tables: thinks in other processes and moves when it is its turn."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from datetime import timedelta
from typing import Any, TypeVar

from kursbuch.bots import volunteers
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game, View
from kursbuch.web import thinking
from kursbuch.web.deeds import playing
from kursbuch.web.errors import Conflict, NotFound, Unavailable
from kursbuch.web.live import Announcement
from kursbuch.web.models import Seat, Table, now
from kursbuch.web.policies import RUNNING
from kursbuch.web.snapshot import Seen, Snapshot
from kursbuch.web.strengths import bot_volunteers
from kursbuch.web.tables import Tables

JobT = TypeVar("JobT")
ResultT = TypeVar("ResultT")

#: How often to look for games in which the computer has been forgotten, in seconds: by a server that
#: was stopped, for example.
SWEEP = 10.0

#: A game counts as forgotten when nothing has happened in it for so long.
FORGOTTEN = timedelta(seconds=15)

#: How often thinking about a move is tried.
ATTEMPTS = 3

log = logging.getLogger(__name__)


class Thinkers:
    """Processes for thinking; they are started when they are first needed."""

    def __init__(self, processes: int | None = None) -> None:
        self._count = processes or max(1, min(4, (os.cpu_count() or 2) - 1))
        self._executor: ProcessPoolExecutor | None = None

    async def think(self, function: Callable[[JobT], ResultT], job: JobT) -> ResultT:
        """The result of a function of `thinking`, computed elsewhere."""
        loop = asyncio.get_running_loop()
        for attempt in range(ATTEMPTS):
            executor = self._ready()
            try:
                return await loop.run_in_executor(executor, function, job)
            except BrokenProcessPool:
                log.warning("A thinking process ended unexpectedly.")
                if self._executor is executor:
                    self._executor = None
                executor.shutdown(wait=False, cancel_futures=True)
                if attempt + 1 == ATTEMPTS:
                    raise
        raise AssertionError("not reached")

    def _ready(self) -> ProcessPoolExecutor:
        if self._executor is None:
            # Not by forking, which copies locks and connections of the server in any condition.
            self._executor = ProcessPoolExecutor(
                self._count,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=thinking.begin,
            )
        return self._executor

    async def stop(self) -> None:
        """End the processes. They finish the thought they are in, which takes a moment; without
        waiting for them, a server that is ended by a signal leaves their semaphores behind."""
        executor, self._executor = self._executor, None
        if executor is not None:
            await asyncio.to_thread(executor.shutdown, wait=True, cancel_futures=True)
            del executor
            gc.collect()


class Opponents:
    """Moves for the seats of the computer. Several servers may do this for the same game: a second
    move for the same position is not stored."""

    def __init__(self, tables: Tables, thinkers: Thinkers) -> None:
        self._tables = tables
        self._thinkers = thinkers
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._sweeper: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Go on with all games in which it is the computer's turn."""
        self._sweeper = asyncio.create_task(self._sweep())

    async def stop(self) -> None:
        """Stop moving; what is being thought about is forgotten."""
        tasks = [*self._playing.values(), *([self._sweeper] if self._sweeper else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._thinkers.stop()

    async def on_change(self, table: Table, announcement: Announcement) -> None:
        """A table has changed: perhaps the computer has to move."""
        if table.bots_due and table.status == RUNNING:
            self.poke(table.id)

    def poke(self, table_id: str) -> None:
        """Move at this table, if it is the computer's turn."""
        self._again.add(table_id)
        if table_id not in self._playing:
            self._playing[table_id] = asyncio.create_task(self._play(table_id))

    async def _sweep(self) -> None:
        before = None
        while True:
            try:
                for table_id in await self._tables.due_for_bots(before):
                    self.poke(table_id)
            except Unavailable:
                pass  # that is in the log already
            except Exception:
                log.exception("Games waiting for the computer could not be looked up.")
            await asyncio.sleep(SWEEP)
            before = now() - FORGOTTEN

    async def _play(self, table_id: str) -> None:
        try:
            while table_id in self._again:
                self._again.discard(table_id)
                with contextlib.suppress(NotFound):
                    while await self._move(table_id):
                        pass
        except Exception:
            log.exception("The computer could not move at table %s.", table_id)
        finally:
            self._again.discard(table_id)
            del self._playing[table_id]

    async def _move(self, table_id: str) -> bool:
        """One move of the computer; False if there is none to make."""
        snapshot = await self._tables.load(table_id)
        table, game = snapshot.table, snapshot.game
        if table.status != RUNNING or game is None:
            return False
        seen = Seen(len(game.moves), table.version)
        position = (seen.number, table.rewound)
        if seen.number != table.number:
            return True  # the game has gone on since the table was read
        earliest = asyncio.get_running_loop().time() + table.pace
        found = await self._volunteered(snapshot, game)
        if found is None:
            snapshot = await self._tables.load(table_id)
            table, game = snapshot.table, snapshot.game
            if game is None or (len(game.moves), table.rewound) != position:
                return table.status == RUNNING
            deciding = game.position.deciders()
            due = [seat for seat in snapshot.seats if seat.is_bot and seat.number in deciding]
            if not due:
                return False
            found = await self._decided(table, game, due[0])
        view, action = found
        await asyncio.sleep(max(0.0, earliest - asyncio.get_running_loop().time()))
        with contextlib.suppress(Conflict):
            try:
                await playing.bot_move(self._tables, table_id, seen, action)
            except KursbuchError as error:
                if isinstance(error, Conflict | NotFound):
                    raise
                log.error("The computer chose badly at table %s: %s", table_id, error)
                await playing.bot_move(self._tables, table_id, seen, thinking.any_move(view))
        return True

    async def _volunteered(
        self, snapshot: Snapshot, game: Game
    ) -> tuple[View, dict[str, Any]] | None:
        """What a seat of the computer does although nobody waits for it."""
        views = [
            (_kept(game.view(number)), snapshot.seats[number].bot)
            for number in volunteers(game.position)
            if bot_volunteers(snapshot.seats[number].bot)
        ]
        if not views:
            return None
        data = await self._tables.component_data(snapshot.table)
        for view, spec in views:
            try:
                job = thinking.make_job(view, data, spec)
                action = await self._thinkers.think(thinking.volunteer, job)
            except Exception:
                log.exception("The computer could not decide at table %s.", snapshot.table.id)
                return None
            if action is not None:
                return view, action
        return None

    async def _decided(self, table: Table, game: Game, seat: Seat) -> tuple[View, dict[str, Any]]:
        """What a seat of the computer does that has to decide."""
        view = _kept(game.view(seat.number))
        data = await self._tables.component_data(table)
        try:
            job = thinking.make_job(view, data, seat.bot)
            return view, await self._thinkers.think(thinking.choose, job)
        except Exception:
            log.exception("The computer could not decide at table %s.", table.id)
            return view, thinking.any_move(view)


def _kept(view: View) -> View:
    """A view that can be used longer than until the next await."""
    view.state = view.title.clone(view.state)
    return view
