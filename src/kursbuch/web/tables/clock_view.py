"""Remaining time in words."""

from __future__ import annotations

from datetime import datetime, tzinfo

import msgspec

from kursbuch.core.words import Words
from kursbuch.web.db.models import Seat, Table, now
from kursbuch.web.tables.policies import RUNNING
from kursbuch.web.tables.viewer import Viewer


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


class SeatTimes(msgspec.Struct, frozen=True):
    """The time of a seat: `due` is until when it has to move, `late` that this is over, `away` until when its
    player is not there, `vacation` how many days of that are left. `may_replace` and `may_come_back` are what
    the visitor may do about it, `may_sit` that it is free."""

    due: Moment | None
    late: bool
    away: Moment | None
    vacation: int
    may_replace: bool
    may_come_back: bool
    may_sit: bool


def seat_times(shown: Viewer, seat: Seat) -> SeatTimes:
    """The time of a seat."""
    going = shown.table.status == RUNNING and shown.at is None
    away = seat.away_until if seat.away_until and seat.away_until > now() else None
    mine = seat.owner == shown.visitor
    comes_back = seat.owner is None and seat.former == shown.visitor
    # At a rated table everybody plays one seat.
    comes_back = comes_back and not (shown.table.rated and shown.own)
    return SeatTimes(
        due=moment(seat.due_at) if going else None,
        late=going and seat.late,
        away=moment(away) if going else None,
        vacation=seat.vacation,
        may_replace=going and bool(shown.own) and not mine,
        may_come_back=going and comes_back,
        may_sit=going and seat.is_free and not (shown.own or comes_back or shown.snapshot.is_over),
    )


def waited_for(table: Table, own: list[Seat]) -> Seat | None:
    """Of a visitor's seats the one the table has been waiting for longest."""
    due = [seat for seat in own if seat.number in table.turn and table.status == RUNNING]
    return min(due, key=lambda seat: seat.asked_at or table.updated_at, default=None)
