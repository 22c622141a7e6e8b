"""Move clocks: remaining time, in numbers and in words."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta, tzinfo
from typing import Any

import msgspec

from kursbuch.core.title import Title
from kursbuch.core.words import Words
from kursbuch.web.db.models import Seat, Table, now
from kursbuch.web.tables.policies import MOVES_ON, RUNNING

DAY = timedelta(days=1)


def ask(table: Table, seat: Seat, moment: datetime) -> None:
    """Start the clock of a seat. It stands still while the player is away."""
    seat.asked_at = moment
    seat.late = False
    seat.due_at = None
    if table.move_hours is not None and not seat.is_bot:
        begins = max(moment, seat.away_until or moment)
        seat.due_at = begins + timedelta(hours=table.move_hours)


def stop(seat: Seat) -> None:
    """Stop the clock of a seat."""
    seat.asked_at = seat.due_at = None
    seat.late = False


def run(
    table: Table,
    seats: Sequence[Seat],
    asked: Collection[int],
    moved: Collection[int],
    at: datetime,
) -> None:
    """Set the clocks after moves: seats that moved or were not asked before get the full time."""
    for seat in seats:
        if seat.number not in asked:
            stop(seat)
        elif seat.number in moved or seat.asked_at is None:
            ask(table, seat, at)


def shift(seat: Seat, away_until: datetime | None, moment: datetime) -> None:
    """Set or end the absence of a player, and shift the deadline accordingly."""
    if seat.due_at is not None:
        before = max(seat.away_until or moment, moment)
        left = max(seat.due_at - before, timedelta())
        seat.due_at = max(away_until or moment, moment) + left
        seat.late = seat.late and away_until is None
    seat.away_until = away_until


def be_present(table: Table, seat: Seat, moment: datetime) -> None:
    """End an absence; whole unused days are given back."""
    if table.move_hours is not None:
        seat.vacation += math.floor(days_to_come(seat, moment))
    shift(seat, None, moment)


def days_to_come(seat: Seat, moment: datetime) -> float:
    """The remaining days of an absence."""
    return max(0, ((seat.away_until or moment) - moment) / DAY)


def computer_moves(table: Table, seat: Seat) -> bool:
    """Whether a bot decides for a seat: always, or because the player ran out of time."""
    return seat.is_bot or (seat.late and table.overrun == MOVES_ON)


def runs_out(seat: Seat, moment: datetime) -> bool:
    """Whether a seat has run out of time and is not marked late yet."""
    return seat.due_at is not None and seat.due_at <= moment and not seat.late


class Moment(msgspec.Struct, frozen=True):
    """A moment for scripts, and in words without scripts; pages show it in the reader's time zone."""

    iso: str
    text: str


def moment(at: datetime | None) -> Moment | None:
    """Convert a moment, if there is one."""
    if at is None:
        return None
    return Moment(at.isoformat(timespec="seconds"), f"{at:%Y-%m-%d %H:%M} UTC")


def written(words: Words, at: datetime, zone: tzinfo) -> str:
    """A moment for mails, in a named time zone."""
    local = at.astimezone(zone)
    day = f"{local:%d.%m.%Y}" if words.language == "de" else f"{local:%Y-%m-%d}"
    return f"{day}, {local:%H:%M} {local:%Z}"


def time_left(words: Words, due: datetime | None) -> str:
    """The approximate time left; empty without a deadline."""
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
    """How long a table has been waiting, approximately."""
    if since is None:
        return ""
    minutes = int((now() - since).total_seconds() // 60)
    if minutes < 60:
        return words.ngettext("waiting for {n} minute", "waiting for {n} minutes", max(1, minutes))
    if minutes < 48 * 60:
        return words.ngettext("waiting for {n} hour", "waiting for {n} hours", minutes // 60)
    return words.ngettext("waiting for {n} day", "waiting for {n} days", minutes // (24 * 60))


def hours_label(words: Words, slow: bool, hours: int | None) -> str:
    """The time per move in words."""
    if not slow:
        return words._("live: all players are online together")
    if hours is None:
        return words._("slow, no time limit")
    if hours % 24 == 0:
        return words.ngettext("slow, {n} day per move", "slow, {n} days per move", hours // 24)
    return words.ngettext("slow, {n} hour per move", "slow, {n} hours per move", hours)


def vacation_label(words: Words, days: int) -> str:
    """Days of absence in words."""
    return words.ngettext("{n} day", "{n} days", days) if days else words._("none")


def waited_for(table: Table, own: list[Seat]) -> Seat | None:
    """The seat of a visitor that the table has waited for longest."""
    due = [seat for seat in own if seat.number in table.turn and table.status == RUNNING]
    return min(due, key=lambda seat: seat.asked_at or table.updated_at, default=None)


def objection_label(words: Words, title: Title[Any], seconds: int | None) -> str:
    """Return the time for objections in words."""
    if not seconds:
        return words._(title.objection_texts.unlimited) if title.objection_texts else ""
    if seconds % 60 == 0:
        return words.ngettext("{n} minute", "{n} minutes", seconds // 60)
    return words.ngettext("{n} second", "{n} seconds", seconds)
