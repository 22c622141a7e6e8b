"""Spectator delay: the table as delayed spectators see it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from kursbuch.core.game import Game
from kursbuch.web.cache import LruCache
from kursbuch.web.db.models import Seat, Table, now
from kursbuch.web.live.streams import Announcement
from kursbuch.web.tables.policies import CLOSED, FINISHED, LOBBY, RUNNING, WATCH_ALL
from kursbuch.web.tables.snapshot import Snapshot, terms
from kursbuch.web.tables.transaction import TableTransaction

RowT = TypeVar("RowT", Table, Seat)

#: Games as far as those who look on may know them, by table, its revision and the number of moves.
GAMES = LruCache[tuple[str, int, int], Game](30)

#: What was last shown of a table, and under which version.
SHOWN = LruCache[str, tuple[tuple[object, ...], int]](500)


def is_delayed(at: Snapshot | TableTransaction, visitor: str) -> bool:
    """Whether somebody sees a table only as it was some time ago: whoever does not play there."""
    table = at.table
    if not _has_begun(table) or not (table.delay_moves or table.delay_minutes):
        return False
    return not plays_at(at.seats, visitor)


def sees_end(table: Table, plays: bool) -> bool:
    """Whether somebody may know how a game that is over has ended: who looks on with a delay may not yet."""
    if plays or table.status == RUNNING or not _has_begun(table):
        return True
    return table.updated_at <= now() - timedelta(minutes=table.delay_minutes)


def hides_course(table: Table, seats: Sequence[Seat], visitor: str) -> bool:
    """Whether lists must not tell somebody how far a table is: he may not look on there, or only with a delay."""
    plays = plays_at(seats, visitor)
    if plays or not _has_begun(table):
        return False
    if table.watching != WATCH_ALL and table.creator != visitor:
        return True
    if table.status == RUNNING:
        return bool(table.delay_moves or table.delay_minutes)
    return not sees_end(table, plays)


def is_told(table: Table, seats: Sequence[Seat], visitor: str) -> bool:
    """Whether lists may tell somebody that a game is over."""
    return table.status == RUNNING or not hides_course(table, seats, visitor)


def seems_to_go_on(table: Table, seats: Sequence[Seat], visitor: str) -> bool:
    """Whether somebody sees the game of a table go on, be it because its end is not shown yet."""
    hidden = table.watching == WATCH_ALL and not is_told(table, seats, visitor)
    return table.status == RUNNING or hidden


def plays_at(seats: Sequence[Seat], visitor: str) -> bool:
    """Whether somebody plays at a table, or did until replaced."""
    return any(visitor in (seat.owner, seat.former) for seat in seats)


def _has_begun(table: Table) -> bool:
    """Whether there is a game at a table, or was one when it was closed."""
    return table.status != LOBBY and (table.status != CLOSED or table.revision > 0)


def delayed(snapshot: Snapshot, moment: datetime) -> Snapshot:
    """A table as those see it at some moment who look on with a delay. Nothing of it tells what has happened
    since, and its version grows when they see more."""
    number, until = _visible(snapshot, moment)
    table = _as_it_was(snapshot, number, until)
    seats = [_seat_as_it_was(seat) for seat in snapshot.seats]
    seen = Snapshot(
        table,
        seats,
        [line for line in snapshot.chat if until is None or line.sent_at < until],
        [],
        [],
        snapshot.moves[:number],
    )
    seen.source = snapshot.source
    seen.guests = snapshot.guests
    seen.present = snapshot.present
    seen.profiles = snapshot.profiles
    seen.predecessors = snapshot.predecessors
    seen.is_over = snapshot.is_over
    seen.notes = [
        note
        for note in snapshot.notes
        if note.number <= number and (until is None or note.made_at < until)
    ]
    if snapshot.game is not None:
        seen.game = _game(snapshot, number)
        pending = seen.game.position.deciders() if table.status == RUNNING else ()
        table.turn = list(pending)
    table.version = _version(seen, snapshot)
    return seen


def announced(seen: Snapshot) -> Announcement:
    """What those who look on with a delay are told of the table."""
    return Announcement(seen.table.version, seen.table.number, (), terms=terms(seen.table))


def _visible(snapshot: Snapshot, moment: datetime) -> tuple[int, datetime | None]:
    """How many moves may be seen, and until when what was said; None if that is everything. What the game
    began with is no secret."""
    table, made = snapshot.table, snapshot.made
    over = table.status in (FINISHED, CLOSED)
    number, until = len(made), None
    if table.delay_moves and not over:
        number = max(0, number - table.delay_moves)
    if table.delay_minutes:
        until = moment - timedelta(minutes=table.delay_minutes)
        number = min(number, sum(one <= until for one in made))
        if number == len(made) and over and table.updated_at <= until:
            until = None
    number = min(len(made), max(number, table.given))
    if snapshot.game is not None:
        number = min(number, len(snapshot.game.moves))
    if number < len(made) and (until is None or made[number] < until):
        until = made[number]
    return number, until


def _as_it_was(snapshot: Snapshot, number: int, until: datetime | None) -> Table:
    table = _copy(snapshot.table)
    everything = number == len(snapshot.made) and (
        until is None or table.status not in (FINISHED, CLOSED)
    )
    table.number = number
    table.deadline = None
    if until is not None:
        table.updated_at = min(table.updated_at, until)
    if not everything and table.status in (FINISHED, CLOSED):
        table.status, table.result, table.again = RUNNING, None, None
    return table


def _seat_as_it_was(seat: Seat) -> Seat:
    """A seat without what tells since when it is waited for."""
    seat = _copy(seat)
    seat.asked_at = seat.due_at = None
    seat.late = False
    return seat


def _copy(row: RowT) -> RowT:
    """The same values in a row that is not stored."""
    return type(row)(**{column.key: getattr(row, column.key) for column in row.__table__.columns})


def _game(snapshot: Snapshot, number: int) -> Game:
    assert snapshot.game is not None
    table = snapshot.table
    if number == len(snapshot.game.moves):
        return snapshot.game
    key = (table.id, table.revision, number)
    game = GAMES.get(key) or GAMES.put(key, snapshot.game.branch(number))
    game.names = snapshot.game.names
    return game


def _version(seen: Snapshot, snapshot: Snapshot) -> int:
    """A version that changes with what is seen and tells nothing else: the moment it was first shown."""
    table = seen.table
    key = (
        table.rewound if table.number == snapshot.table.number else 0,
        table.number,
        table.status,
        table.turn and tuple(table.turn),
        len(seen.moves),
        seen.chat[-1].id if seen.chat else 0,
        seen.notes[-1].id if seen.notes else 0,
        tuple((seat.kind, seat.name, seat.owner) for seat in seen.seats),
        tuple(sorted(seen.profiles.items())),
        snapshot.is_over and any(seat.is_free for seat in seen.seats),
        (table.watching, table.delay_moves, table.delay_minutes),
    )
    before = SHOWN.get(table.id)
    if before is not None and before[0] == key:
        return before[1]
    stamp = max(int(now().timestamp()), before[1] + 1 if before else 0)
    return SHOWN.put(table.id, (key, stamp))[1]
