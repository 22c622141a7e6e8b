"""A table at one version, for reading; and as spectators see it with a delay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

import msgspec
from sqlalchemy import Label, ScalarSelect, SQLColumnExpression, bindparam, exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession

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
    Table,
    TableGuest,
    TakenBack,
    now,
)
from kursbuch.web.http.security import is_account
from kursbuch.web.live.streams import Announcement
from kursbuch.web.tables.policies import CLOSED, ENTRY_LINK, FINISHED, LOBBY, RUNNING, WATCH_ALL

#: A chat is shown from its last so many messages.
SHOWN_CHAT = 200


class Seen(msgspec.Struct, frozen=True):
    """What somebody who decides something has seen of the table: how many moves, and its version, which
    tells whether moves were taken back since. Older programs send no version."""

    number: int
    version: int | None = None


class Redo(msgspec.Struct, frozen=True):
    """What was taken back last and can be done again: the seats of the moves, those of them that did not move by
    themselves, and whether the moves had turned up what nobody could know before."""

    seats: tuple[int, ...] = ()
    by_hand: frozenset[int] = frozenset()
    shown: bool = False


class Source(msgspec.Struct, frozen=True):
    """The table a table was copied from: whether the start page lists it, and whose browsers have to do
    with it."""

    id: str
    listed: bool
    people: frozenset[str]


class Snapshot:
    """A table as it was at one version, for reading. The game may already be further (`is_whole`): it is shared with
    whoever moves."""

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
        #: Whether its game is over in truth: those who look on with a delay may still see it go on.
        self.is_over = table.status in (FINISHED, CLOSED)
        #: What somebody asks the others for, by kind.
        self.consents: Mapping[str, Consent] = {consent.kind: consent for consent in consents}
        #: For every move its seat, and whether it was made by itself.
        self.moves = list(moves)
        #: What happened at the table and is no move, the oldest first.
        self.notes: list[Note] = []
        self.redo = Redo()
        #: At a table with a delay when each move was made.
        self.made: list[datetime] = []
        #: Where not everybody may come, who was invited or knew the password.
        self.guests: frozenset[str] = frozenset()
        #: Up to which message its players have read the chat.
        self.read: dict[str, int] = {}
        #: Under which names seats were played before, in the order in which they got others.
        self.predecessors: list[Predecessor] = []
        #: The names of the accounts that hold seats.
        self.profiles: dict[str, str] = {}
        #: Where it was copied from, if that table is still there.
        self.source: Source | None = None
        #: Whether anybody has planned a move ahead of time: that is no change of the table.
        self.fixed_ahead = False
        #: The seats whose people look at the table.
        self.present: frozenset[int] = frozenset()

    def weight(self) -> float:
        """What it takes in memory without its game, in bytes, about."""
        return 20_000 + 800 * (len(self.chat) + len(self.notes)) + 72 * len(self.moves)

    def after(
        self, table: Table, seats: Sequence[Seat], made: Sequence[tuple[int, bool]]
    ) -> Snapshot | None:
        """The table after moves and nothing else, but for its game. After a move nothing can be done again. None
        where more may have changed: what is asked for, or when moves were made."""
        delays = table.delay_moves or table.delay_minutes
        if table.status != RUNNING or self.consents or delays:
            return None
        later = Snapshot(table, seats, self.chat, self.refusals, (), [*self.moves, *made])
        later.read = self.read
        later.notes, later.guests = self.notes, self.guests
        later.profiles, later.source = self.profiles, self.source
        later.predecessors = self.predecessors
        return later

    @property
    def is_whole(self) -> bool:
        """Whether the game is where everything else is."""
        return self.game is None or len(self.game.moves) == len(self.moves)

    @property
    def chat_mark(self) -> int:
        """The `chat_mark` of what is known of the chat."""
        return sum(self.read.values())

    @property
    def closed(self) -> set[str]:
        """The accounts that hold seats and are closed."""
        owners = {seat.owner for seat in self.seats if seat.owner is not None}
        return {owner for owner in owners if is_account(owner)}.difference(self.profiles)

    def seats_of(self, visitor: str) -> list[int]:
        """The seats a browser holds."""
        return [seat.number for seat in self.seats if seat.owner == visitor]


async def read_snapshot(
    session: AsyncSession, table: Table, seats: Sequence[Seat], known: Snapshot | None = None
) -> Snapshot:
    """A table with everything that belongs to it but its game. Of its moves, those are not read that are
    `known` from before."""
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
    if snapshot.chat:  # else nobody has read anything
        read = select(ChatRead.owner, ChatRead.last).where(ChatRead.table_id == table.id)
        snapshot.read = {row.owner: row.last for row in await session.execute(read)}
    notes = select(Note).where(Note.table_id == table.id).order_by(Note.id)
    snapshot.notes = list(await session.scalars(notes))
    before = select(Predecessor).where(Predecessor.table_id == table.id).order_by(Predecessor.id)
    snapshot.predecessors = list(await session.scalars(before))
    return snapshot


def chat_mark(table_id: SQLColumnExpression[str]) -> ScalarSelect[int]:
    """Grows whenever somebody has read more of the chat of a table, which is no change of it."""
    last = select(func.coalesce(func.sum(ChatRead.last), 0))
    return last.where(ChatRead.table_id == table_id).scalar_subquery()


def fixed_ahead(table_id: SQLColumnExpression[str] | str) -> Label[bool]:
    """Whether anybody has planned a move ahead of time at a table."""
    return exists().where(Premove.table_id == table_id).label("fixed_ahead")


async def taken_back(session: AsyncSession, table_id: str) -> list[TakenBack]:
    """The moves that were taken back last, in their order."""
    query = select(TakenBack).where(TakenBack.table_id == table_id).order_by(TakenBack.number)
    rows = list(await session.scalars(query))
    return [row for row in rows if row.version == rows[0].version]


def redo_of(rows: Sequence[TakenBack]) -> Redo:
    """What can be done again."""
    return Redo(
        tuple(row.seat for row in rows),
        frozenset(row.seat for row in rows if not row.automatic),
        any(row.shown for row in rows),
    )


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


#: Questions that every change asks are made once.
_SEATS = select(Seat).where(Seat.table_id == bindparam("table")).order_by(Seat.number)


async def seats_of(session: AsyncSession, table_id: str) -> list[Seat]:
    """The seats of a table in their order."""
    return list(await session.scalars(_SEATS, {"table": table_id}))


async def moves_of(session: AsyncSession, table_id: str, known: int = 0) -> list[tuple[int, bool]]:
    """For every move of a table after those known its seat, and whether it was made by itself."""
    query = select(StoredMove.seat, StoredMove.automatic).where(
        StoredMove.table_id == table_id, StoredMove.number > known
    )
    rows = await session.execute(query.order_by(StoredMove.number))
    return [(seat, automatic) for seat, automatic in rows]


def announcement(table: Table, seats: Sequence[Seat]) -> Announcement:
    """What is announced of a table."""
    deciding = (seats[number].owner for number in table.turn)
    return Announcement(
        table.version,
        table.number,
        tuple(owner for owner in deciding if owner),
        tuple(seat.owner for seat in seats),
        terms(table),
    )


def terms(table: Table) -> str:
    """What holds for those who look on, in a form that can be compared: whether they may, and how late."""
    late = table.delay_moves or table.delay_minutes
    if table.status == LOBBY or (table.watching == WATCH_ALL and not late):
        return ""
    return f"{table.watching} {table.delay_moves} {table.delay_minutes}"


RowT = TypeVar("RowT", Table, Seat)

#: Games as far as those who look on may know them, by table, its revision and the number of moves.
GAMES = LruCache[tuple[str, int, int], Game](30)

#: What was last shown of a table, and under which version.
SHOWN = LruCache[str, tuple[tuple[object, ...], int]](500)


class _Seated(Protocol):
    @property
    def table(self) -> Table: ...

    @property
    def seats(self) -> Sequence[Seat]: ...


def is_delayed(at: _Seated, visitor: str) -> bool:
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
