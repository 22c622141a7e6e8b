"""Deadlines that expire: offers, moves and votes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from kursbuch.core.errors import Plural
from kursbuch.core.words import N_
from kursbuch.web.background import Background, noting
from kursbuch.web.db.models import Table, now
from kursbuch.web.http.errors import Conflict, NotFound, Refused, Unavailable
from kursbuch.web.live.streams import Announcement
from kursbuch.web.ops.logs import ThrottledLog
from kursbuch.web.tables import clocks, votes
from kursbuch.web.tables import moves as table_moves
from kursbuch.web.tables.policies import MAX_VACATION, RUNNING
from kursbuch.web.tables.store import TableStore

#: Notes in the log: a seat ran out of time, its player is away or back.
LATE, AWAY, PRESENT = "late", "away", "present"


async def run_out(tables: TableStore, table_id: str) -> None:
    """Mark seats that ran out of time; bots move for them where the table wants that."""
    async with tables.changing(table_id) as change:
        late = [seat for seat in change.seats if clocks.runs_out(seat, now())]
        if change.table.status != RUNNING or not late:
            change.silent = True
            return
        for seat in late:
            seat.late = True
            await change.note(LATE, seat.number)
        change.await_anew()
        await votes.begin_silence(change, [seat.number for seat in late])
        await votes.carry_out_agreed(change)


async def go_away(
    tables: TableStore, table_id: str, visitor: str, number: int, until: datetime
) -> None:
    """Start an absence: the clock stands still for as many days as the player has left."""
    moment = now()
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        seat = change.own_seat(number, visitor)
        if not moment < until <= moment + timedelta(days=MAX_VACATION):
            raise Refused(N_("The end of your absence must be in the future, within a year."))
        if change.table.move_hours is not None:
            # Every day begun costs a whole one; whole days given up come back.
            more = (until - max(seat.away_until or moment, moment)) / clocks.DAY
            days = math.ceil(more)
            if days > seat.vacation:
                said = Plural(
                    "That would be {n} day away, but you have {left} left at this table.",
                    "That would be {n} days away, but you have {left} left at this table.",
                )
                if clocks.days_to_come(seat, moment):
                    said = Plural(
                        "That would be {n} more day away, but you have {left} left at this table.",
                        "That would be {n} more days away, but you have {left} left at this table.",
                    )
                raise Refused(said, n=days, left=seat.vacation)
            seat.vacation -= days
        late = seat.late
        clocks.shift(seat, until, moment)
        await votes.give_time(change, visitor)
        if late:
            change.await_anew()
        await change.note(AWAY, number)


async def be_present(tables: TableStore, table_id: str, visitor: str, number: int) -> None:
    """End an absence early; whole unused days are given back."""
    moment = now()
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        seat = change.own_seat(number, visitor)
        if seat.away_until is None or seat.away_until <= moment:
            change.silent = True
            return
        clocks.be_present(change.table, seat, moment)
        await change.note(PRESENT, number)


#: Seconds between checks for deadlines set by other servers.
LOOK = 2.0
log = logging.getLogger(__name__)


class DeadlineWatcher(Background):
    """Watch deadlines: decline unanswered offers, mark seats that ran out of time, and count silence as consent in
    votes."""

    def __init__(self, tables: TableStore) -> None:
        self._tables = tables
        self._woken = asyncio.Event()
        self._told = ThrottledLog(log)

    async def start(self) -> None:
        """Start watching."""
        self._begin()

    async def on_change(self, table: Table, announcement: Announcement) -> None:
        """Check whether a changed table has a new deadline."""
        if table.deadline is not None:
            self._woken.set()

    async def _run(self) -> None:
        while True:
            wait = LOOK
            with noting(log, "The deadlines could not be looked up."):
                for table_id in await self._tables.overdue():
                    await self._at(table_id, table_moves.decline_overdue)
                for table_id in await self._tables.out_of_time():
                    await self._at(table_id, run_out)
                for table_id in await self._tables.unanswered():
                    await self._at(table_id, votes.take_silence)
                deadline = await self._tables.next_deadline()
                if deadline is not None:
                    wait = min(LOOK, max(0.02, (deadline - now()).total_seconds()))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), wait)
            self._woken.clear()

    async def _at(self, table_id: str, deed: Callable[[TableStore, str], Awaitable[None]]) -> None:
        """Handle a deadline of a table; one broken game does not hold up the others."""
        try:
            await deed(self._tables, table_id)
        except (Conflict, NotFound):
            pass  # handled in the meantime
        except Unavailable:
            raise
        except Exception as error:
            self._told.write(table_id, "The time of table %s cannot end: %s", table_id, error)
