"""Bot moves at tables."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from concurrent.futures.process import BrokenProcessPool
from datetime import timedelta
from functools import partial
from typing import Any

import kursbuch
from kursbuch.bots import usual_strength, volunteers
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game, View
from kursbuch.web.ai import jobs as bot_jobs
from kursbuch.web.ai.levels import bot_volunteers
from kursbuch.web.ai.scheduler import AiScheduler
from kursbuch.web.background import break_off, failed, noting
from kursbuch.web.db.models import Seat, Table, now
from kursbuch.web.http.errors import Conflict, NotFound, Unavailable, stale
from kursbuch.web.live.streams import Announcement
from kursbuch.web.tables import games
from kursbuch.web.tables import moves as table_moves
from kursbuch.web.tables.clocks import computer_moves
from kursbuch.web.tables.policies import RUNNING
from kursbuch.web.tables.snapshot import Seen, Snapshot
from kursbuch.web.tables.store import TableStore

#: Interval of the search for games whose bots were forgotten, for example by a stopped server, in
#: seconds.
SWEEP = 10.0

#: Idle time after which a game counts as forgotten.
FORGOTTEN = timedelta(seconds=15)

#: How bots play at tables without players or spectators.
SLOW, NEVER, ALWAYS = UNWATCHED = ("slow", "never", "always")
log = logging.getLogger(__name__)


class Opponents:
    """Plays the seats of bots. Several servers may play the same game: a second move for the same
    position is not stored.

    `unwatched` controls tables without players or spectators: "slow" (a move now and then), "never"
    (until someone watches), or "always".
    """

    def __init__(self, tables: TableStore, thinkers: AiScheduler, unwatched: str = SLOW) -> None:
        self._tables = tables
        self._thinkers = thinkers
        self._unwatched = unwatched
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        #: Unwatched tables whose next move is due.
        self._slowly: set[str] = set()
        self._sweeper: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Continue all games in which a bot has to move."""
        self._sweeper = asyncio.create_task(self._sweep())

    async def stop(self) -> None:
        """Stop; unfinished moves are dropped."""
        await break_off(*self._playing.values(), *([self._sweeper] if self._sweeper else []))
        await self._thinkers.stop()

    async def on_change(self, table: Table, announcement: Announcement) -> None:
        """Move at a changed table if a bot has to."""
        if table.bots_due and table.status == RUNNING:
            self.poke(table.id)

    def poke(self, table_id: str) -> None:
        """Move at this table if a bot has to."""
        self._again.add(table_id)
        if table_id not in self._playing:
            self._playing[table_id] = asyncio.create_task(self._play(table_id))

    def on_arrival(self, table_id: str) -> None:
        """Move at a table that now has a spectator: its bots may have waited for one."""
        self.poke(table_id)

    async def _sweep(self) -> None:
        before = None
        while True:
            with noting(log, "Games waiting for the computer could not be looked up."):
                for table_id, alone in await self._tables.due_for_bots(before):
                    if not alone or self._unwatched != NEVER or self._is_watched(table_id):
                        self._slowly.add(table_id)
                        self.poke(table_id)
            await asyncio.sleep(SWEEP)
            before = now() - FORGOTTEN

    async def _play(self, table_id: str) -> None:
        try:
            with noting(log, "The computer could not move at table %s.", table_id):
                while table_id in self._again:
                    self._again.discard(table_id)
                    with contextlib.suppress(NotFound):
                        while await self._goes_on(table_id):
                            pass
        finally:
            self._again.discard(table_id)
            self._slowly.discard(table_id)
            del self._playing[table_id]

    def _is_watched(self, table_id: str) -> bool:
        return self._tables.presence.watched(table_id)

    def _rests(self, snapshot: Snapshot) -> bool:
        """Tell whether the bots of a table wait for a spectator, or for some time to pass."""
        table_id = snapshot.table.id
        if self._unwatched == ALWAYS or self._is_watched(table_id):
            return False
        if any(seat.owner is not None for seat in snapshot.seats):
            return False
        if self._unwatched == SLOW and table_id in self._slowly:
            self._slowly.discard(table_id)
            return False
        return True

    async def _goes_on(self, table_id: str) -> bool:
        try:
            return await self._move(table_id)
        except Conflict:
            return True  # the game has changed meanwhile
        except Unavailable:
            return False  # logged already; the table is retried later

    async def _move(self, table_id: str) -> bool:
        """Make one bot move; return False if there is none to make."""
        snapshot = await self._tables.load(table_id)
        table, game = snapshot.table, snapshot.game
        if table.status != RUNNING or game is None or self._rests(snapshot):
            return False
        seen = Seen(len(game.moves), table.version)
        position = (seen.number, table.rewound)
        if seen.number != table.number:
            return True  # the game has changed since the table was read
        earliest = asyncio.get_running_loop().time() + table.pace
        actions = [move.action for move in game.moves]
        course = games.followed(table, game.title, actions)
        found: tuple[View, dict[str, Any]] | None
        if course is not None:
            scripted = course.next(seen.number)
            if scripted is None or not snapshot.seats[scripted.seat].is_bot:
                return False
            found = _kept(game.view(scripted.seat)), game.title.action_to_json(scripted)
        else:
            found = await self._chosen(snapshot, position)
            if found is None:
                return False
        view, action = found
        await asyncio.sleep(max(0.0, earliest - asyncio.get_running_loop().time()))
        try:
            await table_moves.bot_move(self._tables, table_id, seen, action)
        except KursbuchError as error:
            if isinstance(error, Conflict | NotFound | Unavailable):
                raise
            log.error("The computer chose badly at table %s: %s", table_id, error)
            await table_moves.bot_move(self._tables, table_id, seen, bot_jobs.any_move(view))
        return True

    async def _chosen(
        self, snapshot: Snapshot, position: tuple[int, int]
    ) -> tuple[View, dict[str, Any]] | None:
        """Choose a bot's action when the table's turn has come. None if no bot has to act;
        `Conflict` if the game has changed."""
        table_id, title = snapshot.table.id, snapshot.table.title
        usual = usual_strength(kursbuch.title(title))
        bots = [snapshot.seats[number].bot or usual for number in _acting(snapshot)]
        if not bots:
            return None
        watched = partial(self._tables.presence.watched, table_id)
        async with self._thinkers.moving(title, bots, snapshot.table.creator, table_id, watched):
            game = await self._current(table_id, position)
            found = await self._volunteered(snapshot, game)
            if found is None:
                game = await self._current(table_id, position)
                deciding = game.position.deciders()
                due = [
                    one
                    for one in snapshot.seats
                    if one.number in deciding and computer_moves(snapshot.table, one)
                ]
                found = await self._decided(snapshot.table, game, due[0]) if due else None
            return found

    async def _current(self, table_id: str, position: tuple[int, int]) -> Game:
        """Return the game of a table; `Conflict` unless the position is the same."""
        snapshot = await self._tables.load(table_id)
        game = snapshot.game
        if game is None or (len(game.moves), snapshot.table.rewound) != position:
            raise stale()
        return game

    async def _volunteered(
        self, snapshot: Snapshot, game: Game
    ) -> tuple[View, dict[str, Any]] | None:
        """Return a voluntary action of a bot."""
        views = [
            (_kept(game.view(number)), snapshot.seats[number].bot)
            for number in volunteers(game.position)
            if bot_volunteers(snapshot.seats[number].bot)
        ]
        if not views:
            return None
        data = await self._tables.component_data(snapshot.table)
        with noting(log, "The computer could not decide at table %s.", snapshot.table.id):
            for view, spec in views:
                job = bot_jobs.make_job(view, data, spec)
                action = await self._thinkers.think(bot_jobs.volunteer, job)
                if action is not None:
                    return view, action
        return None

    async def _decided(self, table: Table, game: Game, seat: Seat) -> tuple[View, dict[str, Any]]:
        """Return the action of a bot that has to decide."""
        view = _kept(game.view(seat.number))
        data = await self._tables.component_data(table)
        try:
            job = bot_jobs.make_job(view, data, seat.bot or usual_strength(game.title))
            return view, await self._thinkers.think(bot_jobs.choose, job)
        except BrokenProcessPool:
            log.error("The computer was interrupted again and again at table %s.", table.id)
        except Exception:
            failed(log, "The computer could not decide at table %s.", table.id)
        return view, bot_jobs.any_move(view)


def _acting(snapshot: Snapshot) -> list[int]:
    """Return the bot seats that have to decide or may volunteer."""
    game, seats = snapshot.game, snapshot.seats
    assert game is not None
    deciding = [
        number
        for number in game.position.deciders()
        if computer_moves(snapshot.table, seats[number])
    ]
    willing = [number for number in volunteers(game.position) if bot_volunteers(seats[number].bot)]
    return [*deciding, *willing]


def _kept(view: View) -> View:
    """Return a view that stays valid beyond the next await."""
    view.state = view.title.clone(view.state)
    return view
