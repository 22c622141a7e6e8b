"""Table access: joining, spectating, moderating and closing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.words import N_, Words
from kursbuch.web.accounts import attempts, credentials
from kursbuch.web.db.models import Note, Seat, Table, TableGuest, TableInvitation, now
from kursbuch.web.http.errors import Conflict, Forbidden, Refused
from kursbuch.web.http.security import is_account
from kursbuch.web.labels import STATUS, FieldChoice, title_name
from kursbuch.web.notifications.models import Message
from kursbuch.web.notifications.outbox import withdraw_invitations
from kursbuch.web.tables.policies import (
    ALL_MODERATE,
    CLOSED,
    DELAYS_MINUTES,
    DELAYS_MOVES,
    ENTRIES,
    ENTRY_INVITED,
    ENTRY_LINK,
    ENTRY_PASSWORD,
    FINISHED,
    GONE_FOR,
    LOBBY,
    MAX_DELAY_MINUTES,
    MAX_DELAY_MOVES,
    MAX_PASSWORD,
    NO_MODERATOR,
    RUNNING,
    WATCH_ALL,
    WATCHING,
)
from kursbuch.web.tables.snapshot import Snapshot, is_delayed, plays_at
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.transaction import TableTransaction

#: Notes in the log: a table was opened or closed to spectators, or their delay changed.
DOORS = "doors"


class TableClosed(Forbidden):
    """The table is closed to this visitor; `snapshot` is for the page shown instead."""

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(N_("Spectators are not allowed at this table."))
        self.snapshot = snapshot


def check_access(entry: str, password: str, watching: str, moves: int, minutes: int) -> None:
    """Refuse impossible access policies."""
    if entry not in ENTRIES:
        raise Refused(N_("There is no such rule for joining."))
    if watching not in WATCHING:
        raise Refused(N_("There is no such rule for watching."))
    if entry == ENTRY_PASSWORD and not 1 <= len(password) <= MAX_PASSWORD:
        raise Refused(
            N_("The password of the table must have {low} to {high} characters."),
            low=1,
            high=MAX_PASSWORD,
        )
    if not 0 <= moves <= MAX_DELAY_MOVES:
        raise Refused(
            N_("The spectator delay must be {low} to {high} moves."),
            low=0,
            high=MAX_DELAY_MOVES,
        )
    if not 0 <= minutes <= MAX_DELAY_MINUTES:
        raise Refused(
            N_("The spectator delay must be {low} to {high} minutes."),
            low=0,
            high=MAX_DELAY_MINUTES,
        )


async def require_join_permission(
    tables: TableStore, table_id: str, visitor: str, password: str = "", place: str = ""
) -> bool:
    """Refuse a visitor who may not join; returns whether to add them as a guest (`add_guest`)."""
    snapshot = await tables.load(table_id)
    table = snapshot.table
    if may_join(snapshot, visitor):
        return False
    if table.entry == ENTRY_INVITED:
        raise Forbidden(N_("This table is by invitation only."))
    if not password:
        raise Forbidden(N_("This table has a password."))
    await attempts.spend(tables, attempts.TABLE, table_id, place)
    await attempts.spend(tables, attempts.TABLE_ALL, table_id)
    if not await credentials.verify_password(table.password, password):
        raise Forbidden(N_("Wrong table password."))
    return True


async def add_guest(session: AsyncSession, table_id: str, visitor: str) -> None:
    """Add a guest of a table: from now on the visitor may sit down there."""
    if await session.get(TableGuest, (table_id, visitor)) is None:
        session.add(TableGuest(table_id=table_id, owner=visitor))


async def redeem_invitation(session: AsyncSession, table_id: str, visitor: str) -> None:
    """Use up the invitation of a visitor who was invited by name, however they came."""
    mine = (TableInvitation.table_id == table_id) & (TableInvitation.account == visitor)
    await session.execute(
        update(TableInvitation)
        .where(mine, TableInvitation.uses_left > 0, ~TableInvitation.revoked)
        .values(uses_left=0, used=TableInvitation.used + 1)
    )
    await withdraw_invitations(session, Message.table_id == table_id, Message.account_id == visitor)


def require_unfinished(table: Table) -> None:
    """Refuse a table whose game is over."""
    if table.status in (FINISHED, CLOSED):
        closed = table.status == CLOSED
        raise Conflict(N_("This table is closed.") if closed else N_("The game is over."))


def is_involved(table: Table, seats: list[Seat], visitor: str) -> bool:
    """Whether a visitor opened the table, plays there, or played until replaced."""
    return table.creator == visitor or plays_at(seats, visitor)


def may_join(snapshot: Snapshot, visitor: str) -> bool:
    """Whether a visitor may sit down without a password or an invitation."""
    table = snapshot.table
    known = visitor in snapshot.guests or is_involved(table, snapshot.seats, visitor)
    return known or table.entry == ENTRY_LINK


def may_watch(snapshot: Snapshot, visitor: str) -> bool:
    """Whether a visitor may see the table. Without spectators, guests see it as long as a seat is free."""
    table = snapshot.table
    if table.watching == WATCH_ALL or table.status == LOBBY:
        return True
    if is_involved(table, snapshot.seats, visitor):
        return True
    return visitor in snapshot.guests and any(seat.is_free for seat in snapshot.seats)


async def change_access(
    tables: TableStore,
    table_id: str,
    visitor: str,
    *,
    entry: str,
    password: str,
    watching: str,
    moves: int,
    minutes: int,
) -> None:
    """Change who may join and watch. The log says so if it concerns spectators. Without a new password, the old one
    stays."""
    current = (await tables.load(table_id)).table
    kept = entry == ENTRY_PASSWORD and not password and current.password is not None
    check_access(ENTRY_LINK if kept else entry, password, watching, moves, minutes)
    stored = None
    if entry == ENTRY_PASSWORD:
        stored = current.password if kept else await credentials.hash_password(password)
    async with tables.changing(table_id) as changed:
        changed.require(LOBBY, RUNNING)
        table = changed.table
        if not may_change_access(table, changed.seats, visitor):
            raise Forbidden(N_("Only the player who opened the table can do that."))
        before = (table.watching, table.delay_moves, table.delay_minutes)
        table.entry, table.password = entry, stored
        table.watching, table.delay_moves, table.delay_minutes = watching, moves, minutes
        if table.status == RUNNING and before != (watching, moves, minutes):
            await _note(changed, visitor)


async def _note(changed: TableTransaction, visitor: str) -> None:
    table = changed.table
    own = [seat.number for seat in changed.seats if seat.owner == visitor]
    await changed.note(
        DOORS,
        own[0] if own else None,
        watching=table.watching,
        moves=table.delay_moves,
        minutes=table.delay_minutes,
    )


def may_change_access(table: Table, seats: list[Seat], visitor: str) -> bool:
    """Whether a visitor may change the access: the opener, or the players if the opener does not play."""
    owners = {seat.owner for seat in seats if seat.owner is not None}
    return visitor == table.creator or (table.creator not in owners and visitor in owners)


class InvitedPage(msgspec.Struct, frozen=True):
    """invited.html: an invitation to a table; a POST to `action` accepts it while a seat is free."""

    table_url: str
    title_name: str
    players: list[str]
    free_seats: int
    action: str


class ClosedTableSeat(msgspec.Struct, frozen=True):
    """A seat as outsiders see it."""

    number: int
    name: str
    is_free: bool
    is_bot: bool


class ClosedTablePage(msgspec.Struct, frozen=True):
    """door.html: a table that only its players may see. `may_join` says that the visitor can sit down from here, with
    a password if it `asks` for one. `needs_account` says that they must log in first."""

    table_url: str
    title_name: str
    status_label: str
    seats: list[ClosedTableSeat]
    may_join: bool
    asks: bool
    needs_account: bool
    entry_label: str


def closed_table_page(words: Words, snapshot: Snapshot, visitor: str) -> ClosedTablePage:
    """The page of a table that the visitor may not watch."""
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
    """Table access in words and, if the visitor `may_change` it, as a form: fields entry, password, watching,
    delay_moves, delay_minutes. `is_open`: anyone may join and watch. `needs_account`: the visitor must log in before
    sitting down."""

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


def access_info(words: Words, snapshot: Snapshot, visitor: str) -> AccessInfo:
    """Describe the access to a table."""
    table = snapshot.table
    welcome = may_join(snapshot, visitor)
    return AccessInfo(
        may_change=table.status not in (FINISHED, CLOSED)
        and may_change_access(table, snapshot.seats, visitor),
        is_open=table.entry == ENTRY_LINK and table.watching == WATCH_ALL,
        asks_password=table.entry == ENTRY_PASSWORD and not welcome,
        invited_only=table.entry == ENTRY_INVITED and not welcome,
        needs_account=needs_account(table, visitor),
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
    """Form fields for joining and spectating."""

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
    """Who may watch, and with what delay."""
    behind = delay_label(words, moves, minutes) if watching == WATCH_ALL else ""
    return ", ".join([words._(WATCHING[watching]), *([behind] if behind else [])])


def delay_label(words: Words, moves: int, minutes: int) -> str:
    """The spectator delay, empty if there is none."""
    parts = [_behind(words, "moves", moves)] * bool(moves)
    parts += [_behind(words, "minutes", minutes)] * bool(minutes)
    return ", ".join(parts)


def access_note(words: Words, name: str, note: Note) -> str:
    """Log line about a change of the spectator settings."""
    label = watching_label(words, note.data["watching"], note.data["moves"], note.data["minutes"])
    if not name:
        return words._("Who may watch from now on: {label}.", label=label)
    return words._("{name} changes who may watch: {label}.", name=name, label=label)


def needs_account(table: Table, visitor: str) -> bool:
    """Whether a visitor must log in before taking a seat."""
    return table.rated and not is_account(visitor)


def check_sitter(table: Table, seats: Sequence[Seat], visitor: str) -> None:
    """Refuse a seat of a rated table to visitors without an account or with another seat there."""
    if needs_account(table, visitor):
        raise Forbidden(N_("A rated table requires an account: log in first."))
    if table.rated and any(seat.owner == visitor for seat in seats):
        raise Conflict(
            N_("At a rated table, each player has one seat, and there are no computer players.")
        )


def is_moderator(table: Table, seats: Sequence[Seat], visitor: str) -> bool:
    """Whether a visitor moderates a table: its opener and the players named, or all players."""
    if table.moderation == NO_MODERATOR:
        return False
    own = [seat.number for seat in seats if seat.owner == visitor]
    if table.moderation == ALL_MODERATE:
        return bool(own)
    return visitor == table.creator or any(number in table.moderators for number in own)


def check_moderator(at: Snapshot | TableTransaction, visitor: str) -> None:
    """Refuse visitors who do not moderate a table, or who see it with a delay."""
    if not is_moderator(at.table, at.seats, visitor):
        raise Forbidden(N_("Only a moderator of this table can do that."))
    if is_delayed(at, visitor):
        raise Forbidden(
            N_("You see this table with a delay, so you cannot correct its current state.")
        )


def unfair() -> Refused:
    """Refusal of rights at a rated table that only one player would have."""
    return Refused(N_("At a rated table, either all players can correct the game or no one can."))


def may_close(seats: Sequence[Seat], visitor: str) -> bool:
    """Whether the opener may end the game without asking: the others have no seats, or have been gone for long."""
    others = [seat for seat in seats if seat.owner not in (None, visitor)]
    plays = any(seat.owner == visitor for seat in seats)
    return not others or (plays and all(_is_gone(seat) for seat in others))


def _is_gone(seat: Seat) -> bool:
    moment = now()
    away = seat.away_until is not None and seat.away_until > moment
    return not away and seat.seen_at is not None and seat.seen_at < moment - GONE_FOR


def others(seats: Sequence[Seat], visitor: str | None) -> set[str]:
    """The browsers and accounts of the other players."""
    return {seat.owner for seat in seats if seat.owner is not None and seat.owner != visitor}
