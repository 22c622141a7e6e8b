"""Moves, automatic declines and shared devices."""

from __future__ import annotations

from sqlalchemy import func, select

from kursbuch.core.words import N_
from kursbuch.web.db.models import StandingRefusal, now
from kursbuch.web.http.errors import Refused, stale
from kursbuch.web.tables.clocks import computer_moves
from kursbuch.web.tables.policies import RUNNING
from kursbuch.web.tables.snapshot import Seen
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.transaction import refusal_of

MAX_SUBJECT = 80
MAX_REFUSALS = 100


async def face(tables: TableStore, table_id: str, visitor: str, number: int | None) -> None:
    """Choose the player in front of the visitor's device; None while it changes hands."""
    async with tables.changing(table_id) as change:
        if number is None:
            change.any_own_seat(visitor)
        else:
            change.own_seat(number, visitor)
        for seat in change.seats:
            if seat.owner == visitor:
                seat.facing = seat.number == number


async def move(tables: TableStore, table_id: str, visitor: str, seen: Seen, data: object) -> int:
    """Make a move. Returns the new number of moves."""
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        assert change.position is not None
        action = change.position.title.action_from_json(data)
        change.own_seat(action.seat, visitor)
        change.require_line(seen)
        if seen.number != change.table.number and not change.still_fits(action, seen.number):
            raise stale()
        change.only_moves = True
        change.play(action)
    return change.table.number


async def bot_move(tables: TableStore, table_id: str, seen: Seen, data: object) -> None:
    """Make a bot move; `Conflict` if the game has changed, or a person has taken the seat meanwhile."""
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        change.require_current(seen)
        assert change.position is not None
        action = change.position.title.action_from_json(data)
        seat = change.seat(action.seat)
        if not computer_moves(change.table, seat):
            raise stale()
        change.only_moves = True
        change.play(action, automatic=not seat.is_bot)


async def decline_overdue(tables: TableStore, table_id: str) -> None:
    """Decline for all players who missed the time to object."""
    async with tables.changing(table_id) as change:
        table, position = change.table, change.position
        if position is None or table.deadline is None or table.deadline > now():
            change.silent = True
            return
        table.deadline = None
        for decision in position.pending():
            if change.seats[decision.seat].is_bot:
                continue
            refusal = refusal_of(position, decision.seat)
            if refusal is not None:
                change.play(refusal[1], automatic=True)


async def never_ask(
    tables: TableStore, table_id: str, visitor: str, subject: str, on: bool, seat: int | None = None
) -> None:
    """Switch "never ask me about this" on or off for one of the visitor's seats."""
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        position = change.position
        assert position is not None
        own = change.any_own_seat(visitor) if seat is None else change.own_seat(seat, visitor)
        if not subject or len(subject) > MAX_SUBJECT or not subject.isprintable():
            raise Refused(N_("It is not clear which question should not be asked again."))
        row = await change.session.get(StandingRefusal, (table_id, own.number, subject))
        if on and row is None:
            held = await change.session.scalar(
                select(func.count())
                .select_from(StandingRefusal)
                .where(StandingRefusal.table_id == table_id, StandingRefusal.seat == own.number)
            )
            if (held or 0) >= MAX_REFUSALS:
                raise Refused(N_("You have turned off questions about too many subjects."))
            change.session.add(StandingRefusal(table_id=table_id, seat=own.number, subject=subject))
            await change.session.flush()
            refusal = refusal_of(position, own.number)
            if refusal is not None and refusal[0] == subject:
                change.play(refusal[1], automatic=True)
        elif not on and row is not None:
            await change.session.delete(row)
