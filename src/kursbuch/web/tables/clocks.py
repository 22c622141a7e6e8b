"""Move clocks: remaining time and deadlines."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from kursbuch.web.db.models import Seat, Table
from kursbuch.web.tables.policies import MOVES_ON

DAY = timedelta(days=1)


def ask(table: Table, seat: Seat, moment: datetime) -> None:
    """The table waits for a seat from now on. While its player is away, the time does not run."""
    seat.asked_at = moment
    seat.late = False
    seat.due_at = None
    if table.move_hours is not None and not seat.is_bot:
        begins = max(moment, seat.away_until or moment)
        seat.due_at = begins + timedelta(hours=table.move_hours)


def stop(seat: Seat) -> None:
    """Nobody waits for a seat."""
    seat.asked_at = seat.due_at = None
    seat.late = False


def run(
    table: Table,
    seats: Sequence[Seat],
    asked: Collection[int],
    moved: Collection[int],
    at: datetime,
) -> None:
    """Set the clocks after moves: who is asked anew, after a move of his own or because he was not asked
    before, has the whole time."""
    for seat in seats:
        if seat.number not in asked:
            stop(seat)
        elif seat.number in moved or seat.asked_at is None:
            ask(table, seat, at)


def shift(seat: Seat, away_until: datetime | None, moment: datetime) -> None:
    """Note until when a player is away, and put off the end of the time accordingly."""
    if seat.due_at is not None:
        before = max(seat.away_until or moment, moment)
        left = max(seat.due_at - before, timedelta())
        seat.due_at = max(away_until or moment, moment) + left
        seat.late = seat.late and away_until is None
    seat.away_until = away_until


def be_present(table: Table, seat: Seat, moment: datetime) -> None:
    """End an absence: whole days that were not needed are given back."""
    if table.move_hours is not None:
        seat.vacation += math.floor(days_to_come(seat, moment))
    shift(seat, None, moment)


def days_to_come(seat: Seat, moment: datetime) -> float:
    """The days of an absence that are still to come."""
    return max(0, ((seat.away_until or moment) - moment) / DAY)


def computer_moves(table: Table, seat: Seat) -> bool:
    """Whether the computer decides for a seat: always, or because its time has run out."""
    return seat.is_bot or (seat.late and table.overrun == MOVES_ON)


def runs_out(seat: Seat, moment: datetime) -> bool:
    """Whether the time of a seat is over and nobody has noted it."""
    return seat.due_at is not None and seat.due_at <= moment and not seat.late
