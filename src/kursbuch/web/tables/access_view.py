"""Table access, in words and as a form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from kursbuch.core.words import Words
from kursbuch.web.db.models import Note
from kursbuch.web.labels import STATUS, FieldChoice, title_name
from kursbuch.web.tables.access import may_change_access, may_join
from kursbuch.web.tables.policies import (
    CLOSED,
    DELAYS_MINUTES,
    DELAYS_MOVES,
    ENTRIES,
    ENTRY_INVITED,
    ENTRY_LINK,
    ENTRY_PASSWORD,
    FINISHED,
    WATCH_ALL,
    WATCHING,
)
from kursbuch.web.tables.replacements import needs_account
from kursbuch.web.tables.snapshot import Snapshot
from kursbuch.web.tables.viewer import Viewer


class InvitedPage(msgspec.Struct, frozen=True):
    """invited.html: an invitation to a table; a POST to `action` accepts it, as long as a seat is free."""

    table_url: str
    title_name: str
    players: list[str]
    free_seats: int
    action: str


class ClosedTableSeat(msgspec.Struct, frozen=True):
    """A seat as it is seen from outside."""

    number: int
    name: str
    is_free: bool
    is_bot: bool


class ClosedTablePage(msgspec.Struct, frozen=True):
    """door.html: a table nobody may look at who does not play there. `may_join` says that somebody can sit down
    from here, with a password if it `asks` for one; or that it `needs_account` first, which the visitor has not."""

    table_url: str
    title_name: str
    status_label: str
    seats: list[ClosedTableSeat]
    may_join: bool
    asks: bool
    needs_account: bool
    entry_label: str


def closed_table_page(words: Words, snapshot: Snapshot, visitor: str) -> ClosedTablePage:
    """The door of a table, for somebody who may not look in."""
    table = snapshot.table
    return ClosedTablePage(
        table_url=f"/t/{table.id}",
        title_name=title_name(table.title),
        status_label=words._(STATUS[table.status]),
        seats=[
            ClosedTableSeat(seat.number, seat.name, seat.is_free, seat.is_bot)
            for seat in snapshot.seats
        ],
        may_join=(table.entry != ENTRY_INVITED or may_join(snapshot, visitor))
        and table.status not in (FINISHED, CLOSED)
        and any(seat.is_free for seat in snapshot.seats),
        asks=table.entry == ENTRY_PASSWORD and not may_join(snapshot, visitor),
        needs_account=needs_account(table, visitor),
        entry_label=words._(ENTRIES[table.entry]),
    )


class AccessInfo(msgspec.Struct, frozen=True):
    """Who may sit down and look on, as everybody at the table sees it and, if the visitor `may_change` it, as a
    form: fields entry, password, watching, delay_moves, delay_minutes. `is_open`: everybody may do both.
    `needs_account`: the visitor must log in before sitting down."""

    may_change: bool
    is_open: bool
    asks_password: bool
    invited_only: bool
    needs_account: bool
    entry_label: str
    watching_label: str
    entries: list[FieldChoice]
    watching: list[FieldChoice]
    delay_moves: list[FieldChoice]
    delay_minutes: list[FieldChoice]
    has_password: bool


def access_info(shown: Viewer) -> AccessInfo:
    """Who may come to the table."""
    table, words = shown.table, shown.words
    welcome = may_join(shown.snapshot, shown.visitor)
    return AccessInfo(
        may_change=table.status not in (FINISHED, CLOSED)
        and may_change_access(table, shown.seats, shown.visitor),
        is_open=table.entry == ENTRY_LINK and table.watching == WATCH_ALL,
        asks_password=table.entry == ENTRY_PASSWORD and not welcome,
        invited_only=table.entry == ENTRY_INVITED and not welcome,
        needs_account=needs_account(table, shown.visitor),
        entry_label=words._(ENTRIES[table.entry]),
        watching_label=watching_label(
            words, table.watching, table.delay_moves, table.delay_minutes
        ),
        has_password=table.password is not None,
        **access_fields(
            words, table.entry, table.watching, str(table.delay_moves), str(table.delay_minutes)
        ),
    )


def access_fields(
    words: Words,
    entry: str = ENTRY_LINK,
    watching: str = WATCH_ALL,
    moves: str = "0",
    minutes: str = "0",
) -> dict[str, list[FieldChoice]]:
    """The fields of a form that say who may come."""

    def choices(labels: Mapping[str, str], chosen: str) -> list[FieldChoice]:
        return [
            FieldChoice(value, words._(label), value == chosen) for value, label in labels.items()
        ]

    def delays(values: Sequence[int], chosen: str, label: str) -> list[FieldChoice]:
        known = sorted({*values, int(chosen)} if chosen.isdecimal() else values)
        return [
            FieldChoice(str(value), _behind(words, label, value), str(value) == (chosen or "0"))
            for value in known
        ]

    return {
        "entries": choices(ENTRIES, entry or ENTRY_LINK),
        "watching": choices(WATCHING, watching or WATCH_ALL),
        "delay_moves": delays(DELAYS_MOVES, moves, "moves"),
        "delay_minutes": delays(DELAYS_MINUTES, minutes, "minutes"),
    }


def _behind(words: Words, what: str, value: int) -> str:
    if not value:
        return words._("no delay")
    if what == "moves":
        return words.ngettext("{n} move behind", "{n} moves behind", value)
    if value % (24 * 60) == 0:
        days = value // (24 * 60)
        return words.ngettext("{n} day behind", "{n} days behind", days)
    if value % 60 == 0:
        return words.ngettext("{n} hour behind", "{n} hours behind", value // 60)
    return words.ngettext("{n} minute behind", "{n} minutes behind", value)


def watching_label(words: Words, watching: str, moves: int, minutes: int) -> str:
    """Who may look on, and how far behind they are."""
    behind = delay_label(words, moves, minutes) if watching == WATCH_ALL else ""
    return ", ".join([words._(WATCHING[watching]), *([behind] if behind else [])])


def delay_label(words: Words, moves: int, minutes: int) -> str:
    """How far behind those are who look on, empty if they are not."""
    parts = [_behind(words, "moves", moves)] * bool(moves)
    parts += [_behind(words, "minutes", minutes)] * bool(minutes)
    return ", ".join(parts)


def access_note(words: Words, name: str, note: Note) -> str:
    """That somebody has changed who may look on, for everybody's log."""
    label = watching_label(words, note.data["watching"], note.data["moves"], note.data["minutes"])
    if not name:
        return words._("Who may look on from here on: {label}.", label=label)
    return words._("{name} changes who may look on: {label}.", name=name, label=label)
