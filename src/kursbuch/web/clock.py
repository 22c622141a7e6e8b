"""Ends the time for objections and the time for moves. The deadlines are in the database, so they outlast
the server."""

from __future__ import annotations

import asyncio
import contextlib
import logging

from kursbuch.web.background import Background, noting
from kursbuch.web.deeds import playing, times
from kursbuch.web.errors import Conflict, NotFound
from kursbuch.web.live import Announcement
from kursbuch.web.models import Table, now
from kursbuch.web.tables import Tables

#: Deadlines set by other servers are noticed after so many seconds.
LOOK = 2.0

log = logging.getLogger(__name__)


class Clock(Background):
    """Declines for those who have not objected in time, and notes whose time for a move has run out."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._woken = asyncio.Event()

    async def start(self) -> None:
        """Begin to watch the deadlines."""
        self._begin()

    async def on_change(self, table: Table, announcement: Announcement) -> None:
        """A table has changed: perhaps there is a new deadline."""
        if table.deadline is not None:
            self._woken.set()

    async def _run(self) -> None:
        while True:
            wait = LOOK
            with noting(log, "The deadlines could not be looked up."):
                for table_id in await self._tables.overdue():
                    with contextlib.suppress(Conflict, NotFound):
                        await playing.decline_overdue(self._tables, table_id)
                for table_id in await self._tables.out_of_time():
                    with contextlib.suppress(Conflict, NotFound):
                        await times.run_out(self._tables, table_id)
                deadline = await self._tables.next_deadline()
                if deadline is not None:
                    wait = min(LOOK, max(0.02, (deadline - now()).total_seconds()))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), wait)
            self._woken.clear()
