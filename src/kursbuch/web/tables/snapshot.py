"""A table at one version, for reading; and as spectators see it with a delay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeVar

import msgspec
from sqlalchemy import Label, ScalarSelect, SQLColumnExpression, bindparam, exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.bots.review import Turn
from kursbuch.core.game import Game
from kursbuch.web.accounts.models import Account
from kursbuch.web.cache import LruCache
from kursbuch.web.db.models import (
    Chat,
    ChatRead,
    Consent,
    Note,
    Origin,
    Predecessor,
    Premove,
    Seat,
    StandingRefusal,
    StoredMove,
    StoredReview,
    Table,
    TableGuest,
    TakenBack,
    now,
)
from kursbuch.web.http.security import is_account
from kursbuch.web.live.streams import Announcement
from kursbuch.web.tables.medals import Medals, medals_of
from kursbuch.web.tables.policies import CLOSED, ENTRY_LINK, FINISHED, LOBBY, RUNNING, WATCH_ALL

#: Number of readers for whom is kept what moves leave as it is.
MOST_SETTLED = 10

#: Maximum number of chat messages shown.
SHOWN_CHAT = 200


class Seen(msgspec.Struct, frozen=True):
    """The table as a visitor saw it: its number of moves, and its version, which reveals later undos. Older programs
    send no version."""

    number: int
    version: int | None = None


class Redo(msgspec.Struct, frozen=True):
    """The last undo, for a redo: the seats of the moves, the seats that moved by hand, and whether the moves revealed
    hidden information."""

    seats: tuple[int, ...] = ()
    by_hand: frozenset[int] = frozenset()
    shown: bool = False


class Source(msgspec.Struct, frozen=True):
    """The table that a copy comes from: whether the start page lists it, and the people involved."""

    id: str
    listed: bool
    people: frozenset[str]


class Snapshot:
    """A table at one version, for reading. Its game is shared and may already be further (`is_whole`)."""

    def __init__(
        self,
        table: Table,
        seats: Sequence[Seat],
        chat: Sequence[Chat],
        refusals: Sequence[StandingRefusal],
        consents: Sequence[Consent],
        moves: Sequence[tuple[int, bool]],
    ) -> None:
        self.table = table
        self.seats = list(seats)
        self.game: Game | None = None
        self.chat = list(chat)
        self.refusals = list(refusals)
        #: Whether the game is really over: delayed spectators may still see it going on.
        self.is_over = table.status in (FINISHED, CLOSED)
        #: Open votes by kind.
        self.consents: Mapping[str, Consent] = {consent.kind: consent for consent in consents}
        #: For every move its seat, and whether it was automatic.
        self.moves = list(moves)
        #: Notes in the log, oldest first.
        self.notes: list[Note] = []
        self.redo = Redo()
        #: When each move was made, at tables with a spectator delay.
        self.made: list[datetime] = []
        #: Guests: visitors who were invited or knew the password.
        self.guests: frozenset[str] = frozenset()
        #: The last chat message that each player has read.
        self.read: dict[str, int] = {}
        #: Former players and names of the seats, in order.
        self.predecessors: list[Predecessor] = []
        #: The names of the accounts that hold seats.
        self.profiles: dict[str, str] = {}
        #: The table it was copied from, if that still exists.
        self.source: Source | None = None
        #: Whether there are premoves; adding one does not change the version.
        self.fixed_ahead = False
        #: The seats whose players look at the table.
        self.present: frozenset[int] = frozenset()
        #: What moves leave as it is, as readers see it: kept until anything else changes.
        self.settled = LruCache[tuple[object, ...], Any](MOST_SETTLED)
        #: The turning points of a finished game, once there is a review.
        self.turns: list[Turn] = []
        #: The medals of the players of a finished game.
        self.medals: Medals | None = None

    def weight(self) -> float:
        """Approximate memory without the game, in bytes."""
        told = len(self.chat) + len(self.notes)
        settled = len(self.settled) * (10_000 + 400 * told)
        return 20_000 + 800 * told + 72 * len(self.moves) + settled

    def after(
        self, table: Table, seats: Sequence[Seat], made: Sequence[tuple[int, bool]]
    ) -> Snapshot | None:
        """The snapshot after moves and nothing else, without its game. None if more may have changed: votes, or the
        times of moves."""
        delays = table.delay_moves or table.delay_minutes
        if table.status != RUNNING or self.consents or delays:
            return None
        later = Snapshot(table, seats, self.chat, self.refusals, (), [*self.moves, *made])
        later.read = self.read
        later.notes, later.guests = self.notes, self.guests
        later.profiles, later.source = self.profiles, self.source
        later.predecessors = self.predecessors
        later.settled = self.settled
        return later

    @property
    def is_whole(self) -> bool:
        """Whether the game is at the same move as the snapshot."""
        return self.game is None or len(self.game.moves) == len(self.moves)

    @property
    def chat_mark(self) -> int:
        """`chat_mark` of this snapshot."""
        return sum(self.read.values())

    @property
    def closed(self) -> set[str]:
        """Closed accounts that still hold seats."""
        owners = {seat.owner for seat in self.seats if seat.owner is not None}
        return {owner for owner in owners if is_account(owner)}.difference(self.profiles)

    def seats_of(self, visitor: str) -> list[int]:
        """The seats of a visitor."""
        return [seat.number for seat in self.seats if seat.owner == visitor]


async def read_snapshot(
    session: AsyncSession, table: Table, seats: Sequence[Seat], known: Snapshot | None = None
) -> Snapshot:
    """Read a table with everything but its game. Moves that are `known` are not read again."""
    chat = await session.scalars(
        select(Chat).where(Chat.table_id == table.id).order_by(Chat.id.desc()).limit(SHOWN_CHAT)
    )
    refusals = await session.scalars(
        select(StandingRefusal)
        .where(StandingRefusal.table_id == table.id)
        .order_by(StandingRefusal.seat, StandingRefusal.subject)
    )
    consents = await session.scalars(select(Consent).where(Consent.table_id == table.id))
    same = known is not None and known.table.rewound == table.rewound
    moves = list(known.moves[: table.number]) if known is not None and same else []
    moves += await moves_of(session, table.id, len(moves))
    snapshot = Snapshot(table, seats, list(chat)[::-1], list(refusals), list(consents), moves)
    snapshot.fixed_ahead = bool(await session.scalar(select(fixed_ahead(table.id))))
    if table.rewound:
        snapshot.redo = redo_of(await taken_back(session, table.id))
    if table.copied is not None:
        snapshot.source = await _source(session, table.id)
    if table.entry != ENTRY_LINK or table.watching != WATCH_ALL:
        guests = select(TableGuest.owner).where(TableGuest.table_id == table.id)
        snapshot.guests = frozenset(await session.scalars(guests))
    if table.delay_moves or table.delay_minutes:
        made = select(StoredMove.made_at).where(StoredMove.table_id == table.id)
        snapshot.made = list(await session.scalars(made.order_by(StoredMove.number)))
    accounts = [seat.owner for seat in seats if is_account(seat.owner)]
    if accounts:
        named = select(Account.id, Account.name).where(
            Account.id.in_(accounts), Account.closed_at.is_(None)
        )
        snapshot.profiles = {row.id: row.name for row in await session.execute(named)}
    if snapshot.chat:  # otherwise no messages can have been read
        read = select(ChatRead.owner, ChatRead.last).where(ChatRead.table_id == table.id)
        snapshot.read = {row.owner: row.last for row in await session.execute(read)}
    notes = select(Note).where(Note.table_id == table.id).order_by(Note.id)
    snapshot.notes = list(await session.scalars(notes))
    before = select(Predecessor).where(Predecessor.table_id == table.id).order_by(Predecessor.id)
    snapshot.predecessors = list(await session.scalars(before))
    if table.status == FINISHED:
        snapshot.turns = await _turns(session, table)
        snapshot.medals = await medals_of(session, table, seats)
    return snapshot


def chat_mark(table_id: SQLColumnExpression[str]) -> ScalarSelect[int]:
    """A number that grows when players read more of the chat, which does not change the version."""
    last = select(func.coalesce(func.sum(ChatRead.last), 0))
    return last.where(ChatRead.table_id == table_id).scalar_subquery()


def fixed_ahead(table_id: SQLColumnExpression[str] | str) -> Label[bool]:
    """Whether there are premoves at a table."""
    return exists().where(Premove.table_id == table_id).label("fixed_ahead")


async def taken_back(session: AsyncSession, table_id: str) -> list[TakenBack]:
    """The moves of the last undo, in order."""
    query = select(TakenBack).where(TakenBack.table_id == table_id).order_by(TakenBack.number)
    rows = list(await session.scalars(query))
    return [row for row in rows if row.version == rows[0].version]


def redo_of(rows: Sequence[TakenBack]) -> Redo:
    """The redo that these moves allow."""
    return Redo(
        tuple(row.seat for row in rows),
        frozenset(row.seat for row in rows if not row.automatic),
        any(row.shown for row in rows),
    )


async def _turns(session: AsyncSession, table: Table) -> list[Turn]:
    """The turning points that the review of the final position has found."""
    query = select(StoredReview.content["turns"]).where(
        StoredReview.table_id == table.id,
        StoredReview.position == f"{table.rewound}.{table.number}",
        StoredReview.content.is_not(None),
    )
    return msgspec.convert(await session.scalar(query) or [], list[Turn])


async def _source(session: AsyncSession, table_id: str) -> Source | None:
    query = select(Table.id, Table.listed, Table.creator)
    found = await session.execute(
        query.join(Origin, Origin.source_id == Table.id).where(Origin.table_id == table_id)
    )
    row = found.one_or_none()
    if row is None:
        return None
    owners = await session.scalars(select(Seat.owner).where(Seat.table_id == row.id))
    people = frozenset(owner for owner in (*owners, row.creator) if owner is not None)
    return Source(row.id, row.listed, people)


#: Statements used by every change are built once.
_SEATS = select(Seat).where(Seat.table_id == bindparam("table")).order_by(Seat.number)


async def seats_of(session: AsyncSession, table_id: str) -> list[Seat]:
    """The seats of a table in order."""
    return list(await session.scalars(_SEATS, {"table": table_id}))


async def moves_of(session: AsyncSession, table_id: str, known: int = 0) -> list[tuple[int, bool]]:
    """The seat of every move after the `known` ones, and whether it was automatic."""
    query = select(StoredMove.seat, StoredMove.automatic).where(
        StoredMove.table_id == table_id, StoredMove.number > known
    )
    rows = await session.execute(query.order_by(StoredMove.number))
    return [(seat, automatic) for seat, automatic in rows]


def announcement(table: Table, seats: Sequence[Seat]) -> Announcement:
    """The announcement of a table's current version."""
    deciding = (seats[number].owner for number in table.turn)
    return Announcement(
        table.version,
        table.number,
        tuple(owner for owner in deciding if owner),
        tuple(seat.owner for seat in seats),
        terms(table),
    )


def terms(table: Table) -> str:
    """The spectator settings in comparable form: whether watching is allowed, and the delay."""
    late = table.delay_moves or table.delay_minutes
    if table.status == LOBBY or (table.watching == WATCH_ALL and not late):
        return ""
    return f"{table.watching} {table.delay_moves} {table.delay_minutes}"


RowT = TypeVar("RowT", Table, Seat)

#: Games as delayed spectators may know them, by table, revision and number of moves.
GAMES = LruCache[tuple[str, int, int], Game](30)

#: What was last shown of a table with a delay, and under which version.
SHOWN = LruCache[str, tuple[tuple[object, ...], int]](500)


class _Seated(Protocol):
    @property
    def table(self) -> Table: ...

    @property
    def seats(self) -> Sequence[Seat]: ...


def is_delayed(at: _Seated, visitor: str) -> bool:
    """Whether a visitor sees a table with a delay: they do not play there."""
    table = at.table
    if not _has_begun(table) or not (table.delay_moves or table.delay_minutes):
        return False
    return not plays_at(at.seats, visitor)


def sees_end(table: Table, plays: bool) -> bool:
    """Whether a visitor may know the result of a finished game: delayed spectators may not yet."""
    if plays or table.status == RUNNING or not _has_begun(table):
        return True
    return table.updated_at <= now() - timedelta(minutes=table.delay_minutes)


def hides_course(table: Table, seats: Sequence[Seat], visitor: str) -> bool:
    """Whether lists must hide the state of a table from a visitor who may not watch, or only with a delay."""
    plays = plays_at(seats, visitor)
    if plays or not _has_begun(table):
        return False
    if table.watching != WATCH_ALL and table.creator != visitor:
        return True
    if table.status == RUNNING:
        return bool(table.delay_moves or table.delay_minutes)
    return not sees_end(table, plays)


def is_told(table: Table, seats: Sequence[Seat], visitor: str) -> bool:
    """Whether lists may tell a visitor that a game is over."""
    return table.status == RUNNING or not hides_course(table, seats, visitor)


def seems_to_go_on(table: Table, seats: Sequence[Seat], visitor: str) -> bool:
    """Whether a game looks unfinished to a visitor, perhaps because its end is still hidden."""
    hidden = table.watching == WATCH_ALL and not is_told(table, seats, visitor)
    return table.status == RUNNING or hidden


def plays_at(seats: Sequence[Seat], visitor: str) -> bool:
    """Whether a visitor plays at a table, or did until replaced."""
    return any(visitor in (seat.owner, seat.former) for seat in seats)


def _has_begun(table: Table) -> bool:
    """Whether a game was begun at a table."""
    return table.status != LOBBY and (table.status != CLOSED or table.revision > 0)


def delayed(snapshot: Snapshot, moment: datetime) -> Snapshot:
    """A table as delayed spectators see it at a moment. It reveals nothing later, and its version grows with what
    they see."""
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
    seen.turns = snapshot.turns
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
    """The announcement for delayed spectators."""
    return Announcement(seen.table.version, seen.table.number, (), terms=terms(seen.table))


def _visible(snapshot: Snapshot, moment: datetime) -> tuple[int, datetime | None]:
    """The number of visible moves, and the time up to which notes and messages are visible; None for all of them. The
    start of the game is never hidden."""
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
    """A seat without its deadline and the time it was asked."""
    seat = _copy(seat)
    seat.asked_at = seat.due_at = None
    seat.late = False
    return seat


def _copy(row: RowT) -> RowT:
    """A copy of a row that is not stored."""
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
    """A version that changes with what is seen and reveals nothing else: the time it was first shown."""
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
