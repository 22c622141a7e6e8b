"""Ends the time for objections, for moves and for answers. The deadlines are in the database, so they outlast
the server."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from kursbuch.web.background import Background, noting
from kursbuch.web.deeds import consents, playing, times
from kursbuch.web.errors import Conflict, NotFound, Unavailable
from kursbuch.web.live import Announcement
from kursbuch.web.logs import Seldom
from kursbuch.web.models import Table, now
from kursbuch.web.tables import Tables

#: Deadlines set by other servers are noticed after so many seconds.
LOOK = 2.0

log = logging.getLogger(__name__)


class Clock(Background):
    """Declines for those who have not objected in time, notes whose time for a move has run out, and takes it that
    those agree who say nothing to what they are asked."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._woken = asyncio.Event()
        self._told = Seldom(log)

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
                    await self._at(table_id, playing.decline_overdue)
                for table_id in await self._tables.out_of_time():
                    await self._at(table_id, times.run_out)
                for table_id in await self._tables.unanswered():
                    await self._at(table_id, consents.take_silence)
                deadline = await self._tables.next_deadline()
                if deadline is not None:
                    wait = min(LOOK, max(0.02, (deadline - now()).total_seconds()))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), wait)
            self._woken.clear()

    async def _at(self, table_id: str, deed: Callable[[Tables, str], Awaitable[None]]) -> None:
        """Do something at a table. One whose game cannot be shown keeps no other from its time."""
        try:
            await deed(self._tables, table_id)
        except (Conflict, NotFound):
            pass  # it has been done in the meantime
        except Unavailable:
            raise
        except Exception as error:
            self._told.write(table_id, "The time of table %s cannot end: %s", table_id, error)
