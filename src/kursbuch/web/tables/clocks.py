"""Move clocks: remaining time, in numbers and in words."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta, tzinfo

import msgspec

from kursbuch.core.words import Words
from kursbuch.web.db.models import Seat, Table, now
from kursbuch.web.tables.policies import MOVES_ON, RUNNING

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


class Moment(msgspec.Struct, frozen=True):
    """A moment as scripts read it, and in words for who has none; pages show it in the reader's time zone."""

    iso: str
    text: str


def moment(at: datetime | None) -> Moment | None:
    """A moment, if there is one."""
    if at is None:
        return None
    return Moment(at.isoformat(timespec="seconds"), f"{at:%Y-%m-%d %H:%M} UTC")


def written(words: Words, at: datetime, zone: tzinfo) -> str:
    """A moment for letters, in a time zone that is named."""
    local = at.astimezone(zone)
    day = f"{local:%d.%m.%Y}" if words.language == "de" else f"{local:%Y-%m-%d}"
    return f"{day}, {local:%H:%M} {local:%Z}"


def time_left(words: Words, due: datetime | None) -> str:
    """How much time is left, roughly; empty if it does not run."""
    if due is None:
        return ""
    minutes = int((due - now()).total_seconds() // 60)
    if minutes < 0:
        return words._("the time is up")
    if minutes < 60:
        return words.ngettext("{n} minute left", "{n} minutes left", max(1, minutes))
    if minutes < 48 * 60:
        return words.ngettext("{n} hour left", "{n} hours left", minutes // 60)
    return words.ngettext("{n} day left", "{n} days left", minutes // (24 * 60))


def waiting_for(words: Words, since: datetime | None) -> str:
    """How long a table has been waiting for somebody, roughly."""
    if since is None:
        return ""
    minutes = int((now() - since).total_seconds() // 60)
    if minutes < 60:
        return words.ngettext("waiting for {n} minute", "waiting for {n} minutes", max(1, minutes))
    if minutes < 48 * 60:
        return words.ngettext("waiting for {n} hour", "waiting for {n} hours", minutes // 60)
    return words.ngettext("waiting for {n} day", "waiting for {n} days", minutes // (24 * 60))


def hours_label(words: Words, slow: bool, hours: int | None) -> str:
    """The time for a move in words."""
    if not slow:
        return words._("live: all are there at the same time")
    if hours is None:
        return words._("slow, as long as it takes")
    if hours % 24 == 0:
        return words.ngettext("slow, {n} day for a move", "slow, {n} days for a move", hours // 24)
    return words.ngettext("slow, {n} hour for a move", "slow, {n} hours for a move", hours)


def vacation_label(words: Words, days: int) -> str:
    """Days of absence in words."""
    return words.ngettext("{n} day", "{n} days", days) if days else words._("none")


def waited_for(table: Table, own: list[Seat]) -> Seat | None:
    """Of a visitor's seats the one the table has been waiting for longest."""
    due = [seat for seat in own if seat.number in table.turn and table.status == RUNNING]
    return min(due, key=lambda seat: seat.asked_at or table.updated_at, default=None)
