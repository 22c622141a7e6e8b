"""The time for moves at a slow table: it runs out, or somebody is away and it stands still."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from kursbuch.core.errors import Plural
from kursbuch.core.words import N_
from kursbuch.web import clocks
from kursbuch.web.deeds import consents
from kursbuch.web.errors import Refused
from kursbuch.web.models import now
from kursbuch.web.policies import MAX_VACATION, RUNNING
from kursbuch.web.tables import Tables

#: What stands in the log: the time of a seat ran out, its player is away or back.
LATE, AWAY, PRESENT = "late", "away", "present"


async def run_out(tables: Tables, table_id: str) -> None:
    """Note whose time has run out; the computer moves for them where the table wants that."""
    async with tables.changing(table_id) as change:
        late = [seat for seat in change.seats if clocks.runs_out(seat, now())]
        if change.table.status != RUNNING or not late:
            change.silent = True
            return
        for seat in late:
            seat.late = True
            await change.note(LATE, seat.number)
        change.await_anew()
        await consents.begin_silence(change, [seat.number for seat in late])
        await consents.carry_out_agreed(change)


async def go_away(
    tables: Tables, table_id: str, visitor: str, number: int, until: datetime
) -> None:
    """Say that one is away until then: one's time stands still, as far as one has days left for it."""
    moment = now()
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        seat = change.own_seat(number, visitor)
        if not moment < until <= moment + timedelta(days=MAX_VACATION):
            raise Refused(N_("The day you are back must be in the future, and within a year."))
        if change.table.move_hours is not None:
            # Every beginning day costs a whole one, whenever it is added; whole days that are given up come back.
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
        await consents.give_time(change, visitor)
        if late:
            change.await_anew()
        await change.note(AWAY, number)


async def be_present(tables: Tables, table_id: str, visitor: str, number: int) -> None:
    """Be back before that: whole days that were not needed are given back."""
    moment = now()
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        seat = change.own_seat(number, visitor)
        if seat.away_until is None or seat.away_until <= moment:
            change.silent = True
            return
        clocks.be_present(change.table, seat, moment)
        await change.note(PRESENT, number)
