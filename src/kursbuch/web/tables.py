"""The tables: open, join, start, move, take back, chat, hand on. Nothing here knows of HTTP.

Every change happens in one transaction that holds the table's lock, and is on disk before it is
announced. A change that is refused leaves no trace.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.ext.asyncio import AsyncSession

import kursbuch
from kursbuch.bots import volunteers
from kursbuch.core.actions import Action
from kursbuch.core.chance import commitment
from kursbuch.core.game import Game, check_names
from kursbuch.core.position import Position
from kursbuch.core.state import Decision
from kursbuch.core.words import LANGUAGES, N_
from kursbuch.web import live
from kursbuch.web.database import Database
from kursbuch.web.errors import Conflict, Forbidden, NotFound, Refused, Unavailable, no_table, stale
from kursbuch.web.games import Games
from kursbuch.web.models import (
    Chat,
    DataFile,
    EndRequest,
    Move,
    Seat,
    StandingRefusal,
    Table,
    UndoRequest,
    now,
)
from kursbuch.web.strengths import bot_spec, bot_volunteers
from kursbuch.web.thinking import title_with_data

LOBBY, RUNNING, FINISHED, CLOSED = "lobby", "running", "finished", "closed"

#: Who may take moves back, the usual policy first.
UNDO_POLICIES: dict[str, str] = {
    "ask": N_("with everybody's consent"),
    "own": N_("one's own last move, until somebody else has moved"),
    "free": N_("any player, any time"),
    "none": N_("never"),
}

#: What is sent in time counts although it arrives so much later.
GRACE = timedelta(seconds=1.5)

#: Seconds for objections; None waits for everybody.
OBJECTION_TIMES: tuple[int | None, ...] = (None, 15, 30, 60, 120)
MAX_OBJECTION = 7 * 24 * 3600

#: The least time between two moves of the computer, in seconds, so that people can follow.
PACES: dict[float, str] = {
    0.0: N_("at once"),
    0.8: N_("easy to follow"),
    2.5: N_("slow"),
}
USUAL_PACE = 0.8

MAX_CHAT = 500
MAX_CHAT_LINES = 1000
MAX_DATA = 1_000_000
MAX_SUBJECT = 80
MAX_REFUSALS = 100

#: So many games that are not over a visitor may have opened.
MOST_OPEN = 30

#: A chat is shown from its last so many messages.
SHOWN_CHAT = 200

KINDS = ("me", "open", "hotseat", "bot")

#: Names the computer opponents get: builders of early locomotives.
BOT_NAMES = ("Trevithick", "Hackworth", "Hedley", "Murray", "Rastrick", "Gooch", "Crampton")

SNAPSHOTS = 200

#: A seat counts as connected when its browser was heard of so lately.
PRESENT = timedelta(seconds=50)

#: The start page shows tables of others that wait or run if something has happened at them so lately.
LISTED_FOR = timedelta(days=30)

log = logging.getLogger(__name__)


class NewSeat(msgspec.Struct, frozen=True):
    """A seat of a new table: for the one who opens it (`me`, `hotseat`), for anybody (`open`), or for
    the computer (`bot`)."""

    kind: str
    name: str = ""
    bot: str = ""


class NewTable(msgspec.Struct, frozen=True):
    """A table to be opened. `objection` is in seconds, None for no limit."""

    title: str
    seats: list[NewSeat]
    options: dict[str, str] = {}
    undo: str = "ask"
    help: bool = True
    listed: bool = True
    objection: int | None = None
    language: str = ""
    pace: float = USUAL_PACE


class Seen(msgspec.Struct, frozen=True):
    """What somebody who decides something has seen of the table: how many moves, and its version, which
    tells whether moves were taken back since. Older programs send no version."""

    number: int
    version: int | None = None


class Snapshot:
    """A table as it was at one version, for reading. The game may already be further."""

    def __init__(
        self,
        table: Table,
        seats: Sequence[Seat],
        game: Game | None,
        chat: Sequence[Chat],
        refusals: Sequence[StandingRefusal],
        undo: UndoRequest | None,
        end: EndRequest | None,
        moves: Sequence[tuple[int, bool]],
    ) -> None:
        self.table = table
        self.seats = list(seats)
        self.game = game
        self.chat = list(chat)
        self.refusals = list(refusals)
        self.undo = undo
        self.end = end
        #: For every move its seat, and whether it was made by itself.
        self.moves = list(moves)
        #: When the browser of each seat was last heard of.
        self.seen = {seat.number: seat.seen_at for seat in seats}

    def seats_of(self, visitor: str) -> list[int]:
        """The seats a browser holds."""
        return [seat.number for seat in self.seats if seat.owner == visitor]

    def change(self) -> live.Change:
        """What is announced of this version."""
        return _announcement(self.table, self.seats)


class Change:
    """A change of a table while it is being made."""

    def __init__(self, session: AsyncSession, table: Table, seats: list[Seat]) -> None:
        self.session = session
        self.table = table
        self.seats = seats
        self.game: Game | None = None
        self.position: Position[Any] | None = None
        self.base = table.revision
        self.rewound: int | None = None
        self.actions: list[Action] = []
        self.silent = False
        self._offer_goes_on = True

    def seat(self, number: int) -> Seat:
        """The seat with that number."""
        if not 0 <= number < len(self.seats):
            raise NotFound(N_("This table has no seat number {number}."), number=number + 1)
        return self.seats[number]

    def own_seat(self, number: int, visitor: str) -> Seat:
        """The seat with that number, which must be the visitor's."""
        seat = self.seat(number)
        if seat.owner != visitor:
            raise Forbidden(N_("This seat is not yours."))
        seat.seen_at = now()
        return seat

    def any_own_seat(self, visitor: str) -> Seat:
        """A seat of the visitor, one that decides now if possible."""
        own = [seat for seat in self.seats if seat.owner == visitor]
        if not own:
            raise Forbidden(N_("Only players at this table can do that."))
        own.sort(key=lambda seat: seat.number not in self.table.turn)
        own[0].seen_at = now()
        return own[0]

    def require(self, *status: str) -> None:
        """Refuse unless the table is in one of these states."""
        if self.table.status not in status:
            raise Conflict(
                {
                    LOBBY: N_("The game has not begun yet."),
                    RUNNING: N_("The game has already begun."),
                    FINISHED: N_("The game is over."),
                    CLOSED: N_("This table is closed."),
                }[self.table.status]
            )

    def play(self, action: Action, *, automatic: bool = False) -> None:
        """Carry out an action, and note it as the next move."""
        position, table = self.position, self.table
        assert position is not None
        position.check(action, [seat.name for seat in self.seats])
        step, edition = position.state.agenda[-1], position.edition
        play = position.perform(action)
        position.come_over()
        # An answer leaves the step that asks on top; anything else asks anew.
        if not position.state.agenda or position.state.agenda[-1] is not step:
            self._offer_goes_on = False
        table.number += 1
        self.session.add(
            Move(
                table_id=table.id,
                number=table.number,
                seat=action.seat,
                action=position.title.action_to_json(action),
                draws=[list(drawn) for drawn in play.draws],
                automatic=automatic,
                edition=edition,
                made_at=now(),
            )
        )
        self.actions.append(action)

    def check_line(self, seen: Seen) -> None:
        """Refuse what was decided before moves were taken back: the same number of moves may be
        another position by now."""
        table = self.table
        if seen.version is None and table.rewound:
            raise Conflict(
                N_(
                    "Moves have been taken back at this table: load the page anew. Programs send the "
                    "version of the table they have seen in the field {name}."
                ),
                name="version",
            )
        if seen.version is not None and not table.rewound <= seen.version <= table.version:
            raise stale()

    def is_current(self, seen: Seen) -> bool:
        """Whether nothing has been moved or taken back since."""
        self.check_line(seen)
        return seen.number == self.table.number

    def still_fits(self, action: Action, number: int) -> bool:
        """Whether an action can be meant although the game has gone on since so many moves: the seat
        has had the same choices ever since, because the others answered the same question or did
        something that does not concern it; or the action is an amount that outbids those called out
        meanwhile for the same subject."""
        assert self.game is not None
        seat = action.seat
        since = self.game.moves[number:] if number >= 0 else []
        if not 0 < len(since) <= len(self.seats):
            return False
        if any(move.action.seat == seat for move in since):
            return False
        positions = [self.game.at(n) for n in range(number, len(self.game.moves) + 1)]
        offers = [position.legal_actions(seat) for position in positions]
        if offers[0] and all(offer == offers[0] for offer in offers):
            return True
        subjects = {_subject(position, seat) for position in positions}
        return (
            len(subjects) == 1
            and None not in subjects
            and all(
                any(type(choice.action) is type(action) and choice.amount for choice in offer)
                for offer in offers
            )
        )

    async def rewind(self, target: int) -> None:
        """Go back to the position after `target` moves."""
        assert self.game is not None
        self.position = self.game.at(target)
        self.position.come_over()
        self.rewound = target
        self.table.number = target
        self.table.rewound = self.table.version + 1
        self._offer_goes_on = False
        table_id = self.table.id
        await self.session.execute(
            delete(Move).where(Move.table_id == table_id, Move.number > target)
        )

    async def settle(self) -> None:
        """Answer offers for seats that never want to be asked, and note where the game stands."""
        table, position = self.table, self.position
        assert position is not None
        await self._decline_standing(position)
        pending = [decision.seat for decision in position.pending()]
        table.revision += 1
        table.turn = pending
        table.bots_due = any(self.seats[seat].is_bot for seat in pending) or any(
            bot_volunteers(self.seats[seat].bot) for seat in volunteers(position)
        )
        self._draw_curtains(pending)
        asked = [seat for seat in pending if not self.seats[seat].is_bot]
        if not (
            table.objection_seconds and asked and all(_refusal(position, seat) for seat in asked)
        ):
            table.deadline = None
        elif table.deadline is None or not self._offer_goes_on:
            table.deadline = now() + timedelta(seconds=table.objection_seconds) + GRACE
        if position.over:
            result = position.result
            assert result is not None
            table.status = FINISHED
            table.result = {"scores": list(result.scores), "winners": list(result.winners)}
        await self.session.execute(delete(UndoRequest).where(UndoRequest.table_id == table.id))

    def _draw_curtains(self, pending: Sequence[int]) -> None:
        """Where it is the turn of others at the same device than the one in front of it, nobody sits
        there until one of them says so."""
        for owner in {seat.owner for seat in self.seats if seat.owner is not None}:
            own = [seat for seat in self.seats if seat.owner == owner]
            due = [seat for seat in own if seat.number in pending]
            if len(own) > 1 and due and not any(seat.facing for seat in due):
                for seat in own:
                    seat.facing = False

    async def end(self) -> None:
        """End the game without a result."""
        table = self.table
        table.status = CLOSED
        table.turn = []
        table.bots_due = False
        table.deadline = None
        for request in (UndoRequest, EndRequest):
            await self.session.execute(delete(request).where(request.table_id == table.id))

    async def _decline_standing(self, position: Position[Any]) -> None:
        query = select(StandingRefusal.seat, StandingRefusal.subject)
        found = await self.session.execute(query.where(StandingRefusal.table_id == self.table.id))
        standing = {(seat, subject) for seat, subject in found}
        while standing:
            for decision in position.pending():
                refusal = _refusal(position, decision.seat)
                if refusal is not None and (decision.seat, refusal[0]) in standing:
                    self.play(refusal[1], automatic=True)
                    break
            else:
                return


class Tables:
    """Everything that can be done at tables. `visitor` is always the id of a browser."""

    def __init__(self, database: Database, most_open: int = MOST_OPEN) -> None:
        self.database = database
        self.most_open = most_open
        self.games = Games()
        self._snapshots: OrderedDict[str, Snapshot] = OrderedDict()
        #: Called with the table after every stored change.
        self.listeners: list[Callable[[Table, live.Change], Awaitable[None]]] = []

    # ---- reading

    async def load(self, table_id: str) -> Snapshot:
        """The table as it is now."""
        query = (
            select(Table.version, Seat.number, Seat.seen_at)
            .join(Seat, Seat.table_id == Table.id)
            .where(Table.id == table_id)
        )
        async with self._refusing():
            kept = self._snapshots.get(table_id)
            if kept is not None:
                rows = await self.database.glance(query)
                if rows and rows[0].version == kept.table.version and self._is_current(kept):
                    kept.seen = {row.number: row.seen_at for row in rows}
                    self._snapshots[table_id] = kept
                    self._snapshots.move_to_end(table_id)
                    return kept
            async with self.database.reading() as session:
                return await self._read(session, table_id)

    def _is_current(self, snapshot: Snapshot) -> bool:
        """Whether the game of a snapshot is still the one that is kept up to date."""
        return snapshot.game is None or self.games.kept(snapshot.table.id) is snapshot.game

    async def _read(self, session: AsyncSession, table_id: str) -> Snapshot:
        table = await session.get(Table, table_id)
        if table is None:
            raise no_table()
        seats = await _seats(session, table_id)
        chat = await session.scalars(
            select(Chat).where(Chat.table_id == table_id).order_by(Chat.id.desc()).limit(SHOWN_CHAT)
        )
        refusals = await session.scalars(
            select(StandingRefusal)
            .where(StandingRefusal.table_id == table_id)
            .order_by(StandingRefusal.seat, StandingRefusal.subject)
        )
        undo = await session.get(UndoRequest, table_id)
        end = await session.get(EndRequest, table_id)
        moves = await session.execute(
            select(Move.seat, Move.automatic).where(Move.table_id == table_id).order_by(Move.number)
        )
        game = None
        chat_lines, standing = list(chat)[::-1], list(refusals)
        made = [(seat, automatic) for seat, automatic in moves]
        if table.status in (RUNNING, FINISHED) or table.revision:
            game = await self.games.get(session, table, seats)
        snapshot = Snapshot(table, seats, game, chat_lines, standing, undo, end, made)
        self._snapshots[table_id] = snapshot
        self._snapshots.move_to_end(table_id)
        while len(self._snapshots) > SNAPSHOTS:
            self._snapshots.popitem(last=False)
        return snapshot

    async def look(self, table_id: str) -> live.Change | None:
        """What would be announced of the table now; None if there is no such table."""
        async with self.database.reading() as session:
            table = await session.get(Table, table_id)
            if table is None:
                return None
            return _announcement(table, await _seats(session, table_id))

    async def check(self) -> None:
        """Refuse if the database does not answer."""
        async with self._refusing():
            await self.database.glance(select(1))

    async def lists(
        self, visitor: str, limit: int = 30
    ) -> tuple[dict[str, list[tuple[Table, list[Seat]]]], dict[str, int]]:
        """Tables by list (mine, waiting, running, finished), newest first, and how many there are
        of each status. Those of others that wait or run untouched for long are left out."""
        own = select(Seat.table_id).where(Seat.owner == visitor)
        newest = Table.updated_at.desc()
        # Tables that everybody has left would be in the way of those where somebody is.
        alive = Table.listed & (Table.updated_at > now() - LISTED_FOR)
        queries = {
            "mine": select(Table)
            .where((Table.creator == visitor) | Table.id.in_(own), Table.status != CLOSED)
            .order_by(Table.status == FINISHED, newest),
            "waiting": select(Table).where(alive, Table.status == LOBBY).order_by(newest),
            "running": select(Table).where(alive, Table.status == RUNNING).order_by(newest),
            "finished": select(Table)
            .where(Table.listed, Table.status == FINISHED)
            .order_by(newest),
        }
        async with self._refusing(), self.database.reading() as session:
            found = {
                name: list(await session.scalars(query.limit(limit)))
                for name, query in queries.items()
            }
            ids = {table.id for tables in found.values() for table in tables}
            seats: dict[str, list[Seat]] = {table_id: [] for table_id in ids}
            for seat in await session.scalars(
                select(Seat).where(Seat.table_id.in_(ids)).order_by(Seat.number)
            ):
                seats[seat.table_id].append(seat)
            counted = await session.execute(
                select(Table.status, func.count()).group_by(Table.status)
            )
            counts: dict[str, int] = {}
            for status, count in counted:
                counts[status] = count
        lists = {
            name: [(table, seats[table.id]) for table in tables] for name, tables in found.items()
        }
        return lists, counts

    async def due_for_bots(self, before: datetime | None = None) -> list[str]:
        """Running tables at which the computer has to decide, unchanged since `before`."""
        query = select(Table.id).where(Table.status == RUNNING, Table.bots_due)
        if before is not None:
            query = query.where(Table.updated_at < before)
        async with self._refusing(), self.database.reading() as session:
            return list(await session.scalars(query))

    async def next_deadline(self) -> datetime | None:
        """When the next time for objections ends."""
        query = select(func.min(Table.deadline)).where(Table.status == RUNNING)
        async with self._refusing(), self.database.reading() as session:
            return await session.scalar(query)

    async def overdue(self) -> list[str]:
        """Tables at which the time for objections is over."""
        query = select(Table.id).where(Table.status == RUNNING, Table.deadline <= now())
        async with self._refusing(), self.database.reading() as session:
            return list(await session.scalars(query))

    async def component_data(self, table: Table) -> bytes | None:
        """The table's own component data."""
        if table.data_hash is None:
            return None
        async with self.database.reading() as session:
            return await session.scalar(
                select(DataFile.content).where(DataFile.hash == table.data_hash)
            )

    # ---- changing

    @asynccontextmanager
    async def _refusing(self) -> AsyncIterator[None]:
        """Turn failures of the database into refusals."""
        try:
            yield
        except IntegrityError:
            raise stale() from None
        except (DBAPIError, OSError) as error:
            if isinstance(error, OSError | OperationalError | InterfaceError):
                log.error("The database does not answer: %s", str(error).partition("\n")[0])
            else:
                log.exception("The database refuses something.")
            raise Unavailable(
                N_("The server cannot reach its database just now: please try again.")
            ) from error

    @asynccontextmanager
    async def _changing(self, table_id: str) -> AsyncIterator[Change]:
        async with self._refusing():
            async with self.database.writing() as session:
                table = await session.get(Table, table_id, with_for_update=True)
                if table is None:
                    raise no_table()
                change = Change(session, table, await _seats(session, table_id))
                if table.status == RUNNING:
                    change.game = await self.games.get(session, table, change.seats)
                    change.position = change.game.position.clone()
                yield change
                if change.silent:
                    return
                if change.actions or change.rewound is not None:
                    await change.settle()
                table.version += 1
                table.updated_at = now()
            if table.revision != change.base:
                self.games.follow(
                    table_id, change.base, table.revision, change.rewound, change.actions
                )
        await self._tell(table, change.seats)

    async def _tell(self, table: Table, seats: list[Seat]) -> None:
        announcement = _announcement(table, seats)
        for listener in self.listeners:
            await listener(table, announcement)

    async def open(self, new: NewTable, visitor: str, data: bytes | None = None) -> str:
        """Open a table and return its id; a table without free seats starts at once."""
        if data is not None and len(data) > MAX_DATA:
            raise Refused(
                N_("The file of component data is too large; at most {most} bytes are possible."),
                most=MAX_DATA,
            )
        kursbuch.title(new.title)
        title = title_with_data(new.title, data)
        title.check_seats(len(new.seats))
        if new.undo not in UNDO_POLICIES:
            raise Refused(N_("There is no such rule for taking moves back."))
        if new.language not in ("", *LANGUAGES):
            raise Refused(N_("There is no such language."))
        if new.objection is not None and not 1 <= new.objection <= MAX_OBJECTION:
            raise Refused(
                N_("The time for objections must be between {low} and {high} seconds."),
                low=1,
                high=MAX_OBJECTION,
            )
        if not 0 <= new.pace <= 60:
            raise Refused(
                N_("The computer's pace must be between {low} and {high} seconds."), low=0, high=60
            )
        seats = _new_seats(new.seats, visitor)
        seed = secrets.token_hex(16)
        options = title.option_values(new.options)
        # Whatever the options and the component data do not allow shows when a game is set up.
        Game(title, _all_names(seats), options, seed=seed)
        table = Table(
            id=_slug(),
            title=new.title,
            options=options,
            data_hash=None,
            seed=seed,
            seed_hash=commitment(seed),
            status=LOBBY,
            language=new.language,
            undo=new.undo,
            help=new.help,
            objection_seconds=new.objection,
            listed=new.listed,
            pace=new.pace,
            creator=visitor,
            version=1,
            revision=0,
            number=0,
            edition=title.edition,
            turn=[],
            bots_due=False,
        )
        for seat in seats:
            seat.table_id = table.id
        async with self._refusing(), self.database.writing() as session:
            await self._check_open(session, visitor)
            if data is not None:
                table.data_hash = hashlib.sha256(data).hexdigest()
                if await session.get(DataFile, table.data_hash) is None:
                    session.add(DataFile(hash=table.data_hash, content=data))
                    await session.flush()
            session.add(table)
            await session.flush()
            session.add_all(seats)
        if not any(seat.is_free for seat in seats):
            await self.start(table.id, visitor)
        return table.id

    async def _check_open(self, session: AsyncSession, visitor: str) -> None:
        """Refuse another table to somebody who has as many open ones as one may have."""
        count = await session.scalar(
            select(func.count())
            .select_from(Table)
            .where(Table.creator == visitor, Table.status.in_((LOBBY, RUNNING)))
        )
        if (count or 0) >= self.most_open:
            raise Conflict(
                N_(
                    "You have {count} open tables, and more are not possible here: "
                    "end one of their games or close one first."
                ),
                count=count,
            )

    async def join(self, table_id: str, visitor: str, number: int, name: str) -> None:
        """Sit down on a free seat."""
        async with self._changing(table_id) as change:
            change.require(LOBBY)
            seat = change.seat(number)
            if not seat.is_free:
                raise Conflict(N_("This seat is already taken."))
            seat.name = _checked_name(name, change.seats, number)
            seat.facing = not any(other.owner == visitor for other in change.seats)
            seat.owner = visitor
            seat.seen_at = now()

    async def rename(self, table_id: str, visitor: str, number: int, name: str) -> None:
        """Give one's seat another name."""
        async with self._changing(table_id) as change:
            change.require(LOBBY, RUNNING)
            change.own_seat(number, visitor).name = _checked_name(name, change.seats, number)

    async def leave(self, table_id: str, visitor: str, number: int) -> None:
        """Stand up again, before the game begins."""
        async with self._changing(table_id) as change:
            change.require(LOBBY)
            seat = change.own_seat(number, visitor)
            seat.owner, seat.name, seat.token, seat.kind = None, "", None, "person"
            seat.facing = False

    async def start(self, table_id: str, visitor: str) -> None:
        """Begin the game, once every seat is taken."""
        async with self._changing(table_id) as change:
            change.require(LOBBY)
            table = change.table
            if visitor != table.creator and visitor not in (seat.owner for seat in change.seats):
                raise Forbidden(N_("Only players at this table can do that."))
            if any(seat.is_free for seat in change.seats):
                raise Conflict(N_("The game begins when every seat is taken."))
            title = await self.games.title(change.session, table)
            names = [seat.name for seat in change.seats]
            game = Game(title, names, table.options, seed=table.seed)
            table.status = RUNNING
            table.edition = game.edition
            change.game, change.position = game, game.position
            await change.settle()

    async def close(self, table_id: str, visitor: str) -> None:
        """End a table before its game is over."""
        async with self._changing(table_id) as change:
            change.require(LOBBY, RUNNING)
            if visitor != change.table.creator:
                raise Forbidden(N_("Only the one who opened the table can close it."))
            await change.end()

    async def propose_end(self, table_id: str, visitor: str) -> None:
        """End the game without a result, or ask the others for it."""
        async with self._changing(table_id) as change:
            change.require(RUNNING)
            seat = change.any_own_seat(visitor)
            if not _others(change.seats, visitor):
                await change.end()
                return
            if await change.session.get(EndRequest, table_id) is not None:
                raise Conflict(N_("Somebody has already asked to end the game."))
            change.session.add(EndRequest(table_id=table_id, seat=seat.number, agreed=[]))

    async def answer_end(self, table_id: str, visitor: str, agree: bool) -> None:
        """Agree to ending the game, or not; who asked for it can withdraw it."""
        async with self._changing(table_id) as change:
            change.require(RUNNING)
            change.any_own_seat(visitor)
            request = await change.session.get(EndRequest, table_id)
            if request is None:
                raise Conflict(N_("Nobody asks to end the game any more."))
            asking = change.seats[request.seat].owner
            if not agree:
                await change.session.delete(request)
                return
            if visitor == asking:
                raise Forbidden(N_("The others have to agree."))
            request.agreed = sorted({*request.agreed, visitor})
            if _others(change.seats, asking) <= set(request.agreed):
                await change.end()

    async def face(self, table_id: str, visitor: str, number: int | None) -> None:
        """Say who sits in front of the visitor's device now; None while it is handed over."""
        async with self._changing(table_id) as change:
            if number is None:
                change.any_own_seat(visitor)
            else:
                change.own_seat(number, visitor)
            for seat in change.seats:
                if seat.owner == visitor:
                    seat.facing = seat.number == number

    async def move(self, table_id: str, visitor: str, seen: Seen, data: object) -> int:
        """Make a move. Returns the new number of moves."""
        async with self._changing(table_id) as change:
            change.require(RUNNING)
            assert change.position is not None
            action = change.position.title.action_from_json(data)
            change.own_seat(action.seat, visitor)
            if not change.is_current(seen) and not change.still_fits(action, seen.number):
                raise stale()
            change.play(action)
        return change.table.number

    async def bot_move(self, table_id: str, seen: Seen, data: object) -> None:
        """Make a move of the computer; `Conflict` if the game has gone on or moves were taken back
        while it thought."""
        async with self._changing(table_id) as change:
            change.require(RUNNING)
            if not change.is_current(seen):
                raise stale()
            assert change.position is not None
            action = change.position.title.action_from_json(data)
            if not change.seat(action.seat).is_bot:
                raise Forbidden(N_("This seat is not played by the computer."))
            change.play(action)

    async def decline_overdue(self, table_id: str) -> None:
        """Decline for everybody who has not answered an offer in time."""
        async with self._changing(table_id) as change:
            table, position = change.table, change.position
            if position is None or table.deadline is None or table.deadline > now():
                change.silent = True
                return
            table.deadline = None
            for decision in position.pending():
                if change.seats[decision.seat].is_bot:
                    continue
                refusal = _refusal(position, decision.seat)
                if refusal is not None:
                    change.play(refusal[1], automatic=True)

    async def never_ask(
        self, table_id: str, visitor: str, subject: str, on: bool, seat: int | None = None
    ) -> None:
        """Switch "never ask me about this" on or off for one of the visitor's seats."""
        async with self._changing(table_id) as change:
            change.require(RUNNING)
            position = change.position
            assert position is not None
            own = change.any_own_seat(visitor) if seat is None else change.own_seat(seat, visitor)
            if not subject or len(subject) > MAX_SUBJECT or not subject.isprintable():
                raise Refused(N_("It is not clear what you do not want to be asked about."))
            row = await change.session.get(StandingRefusal, (table_id, own.number, subject))
            if on and row is None:
                held = await change.session.scalar(
                    select(func.count())
                    .select_from(StandingRefusal)
                    .where(StandingRefusal.table_id == table_id, StandingRefusal.seat == own.number)
                )
                if (held or 0) >= MAX_REFUSALS:
                    raise Refused(
                        N_("There are too many subjects you do not want to be asked about.")
                    )
                change.session.add(
                    StandingRefusal(table_id=table_id, seat=own.number, subject=subject)
                )
                refusal = _refusal(position, own.number)
                if refusal is not None and refusal[0] == subject:
                    change.play(refusal[1], automatic=True)
            elif not on and row is not None:
                await change.session.delete(row)

    # ---- taking back

    async def undo(self, table_id: str, visitor: str, seen: Seen | None = None) -> bool:
        """Take the last move back, or ask the others for it; if the visitor says what was `seen`, only
        the move that was the last one then. Returns whether it was taken back."""
        async with self._changing(table_id) as change:
            change.require(RUNNING)
            seat = change.any_own_seat(visitor)
            if seen is not None and not change.is_current(seen):
                raise stale()
            moves = await _moves(change.session, table_id)
            target = undo_target(change.table, change.seats, moves, visitor)
            if target is None:
                raise Forbidden(N_("You cannot take a move back now."))
            others = _others(change.seats, visitor)
            if others and asks_for_undo(change.table, change.game, target):
                if await change.session.get(UndoRequest, table_id) is not None:
                    raise Conflict(N_("Somebody has already asked to take a move back."))
                change.session.add(
                    UndoRequest(table_id=table_id, seat=seat.number, target=target, agreed=[])
                )
                return False
            await change.rewind(target)
        return True

    async def answer_undo(
        self, table_id: str, visitor: str, agree: bool, seen: Seen | None = None
    ) -> None:
        """Agree to taking a move back, or not; who asked for it can withdraw it."""
        async with self._changing(table_id) as change:
            change.require(RUNNING)
            change.any_own_seat(visitor)
            if seen is not None and not change.is_current(seen):
                raise stale()
            request = await change.session.get(UndoRequest, table_id)
            if request is None:
                raise Conflict(N_("Nobody asks to take a move back any more."))
            asking = change.seats[request.seat].owner
            if not agree:
                await change.session.delete(request)
                return
            if visitor == asking:
                raise Forbidden(N_("The others have to agree."))
            request.agreed = sorted({*request.agreed, visitor})
            if _others(change.seats, asking) <= set(request.agreed):
                await change.rewind(request.target)

    # ---- talking and handing on

    async def say(self, table_id: str, visitor: str, text: str) -> None:
        """Write a chat message."""
        text = " ".join("".join(char if char.isprintable() else " " for char in text).split())
        if not text:
            raise Refused(N_("A message must not be empty."))
        if len(text) > MAX_CHAT:
            raise Refused(
                N_("The message is too long; at most {most} characters are possible."),
                most=MAX_CHAT,
            )
        async with self._changing(table_id) as change:
            seat = change.any_own_seat(visitor)
            written = await change.session.scalar(
                select(func.count()).select_from(Chat).where(Chat.table_id == table_id)
            )
            if (written or 0) >= MAX_CHAT_LINES:
                raise Refused(N_("There are too many messages at this table."))
            change.session.add(Chat(table_id=table_id, seat=seat.number, text=text, sent_at=now()))

    async def hand_on(self, table_id: str, visitor: str, number: int) -> str:
        """Make a link by which somebody else takes the seat over; returns its secret part."""
        async with self._changing(table_id) as change:
            change.require(LOBBY, RUNNING)
            seat = change.own_seat(number, visitor)
            seat.token = secrets.token_urlsafe(18)
            return seat.token

    async def find_token(self, table_id: str, token: str) -> tuple[Snapshot, Seat]:
        """The seat a hand-on link is for."""
        snapshot = await self.load(table_id)
        for seat in snapshot.seats:
            if seat.token is not None and secrets.compare_digest(
                seat.token.encode(), token.encode()
            ):
                return snapshot, seat
        raise NotFound(N_("This link is no longer valid: ask for a new one."))

    async def take_over(self, table_id: str, visitor: str, token: str) -> None:
        """Take over the seat of a hand-on link, which then is used up."""
        _, found = await self.find_token(table_id, token)
        async with self._changing(table_id) as change:
            seat = change.seat(found.number)
            if seat.token != found.token:
                raise NotFound(N_("This link is no longer valid: ask for a new one."))
            seat.owner = visitor
            seat.token = None
            seat.facing = False

    async def seen(self, table_id: str, visitor: str) -> None:
        """Note that a player is looking at the table. Coming back is a change that others see."""
        own = (Seat.table_id == table_id) & (Seat.owner == visitor)
        async with self._refusing():
            async with self.database.reading() as session:
                heard = list(await session.scalars(select(Seat.seen_at).where(own)))
            if not heard:
                return
            if any(moment is None or moment < now() - PRESENT for moment in heard):
                async with self._changing(table_id) as change:
                    for seat in change.seats:
                        if seat.owner == visitor:
                            seat.seen_at = now()
                return
            async with self.database.writing() as session:
                await session.execute(update(Seat).where(own).values(seen_at=now()))


def undo_target(
    table: Table,
    seats: Sequence[Seat],
    moves: Sequence[tuple[int, bool]],
    visitor: str,
) -> int | None:
    """To which number of moves the visitor may (ask to) go back; None if not at all.

    `moves` has the seat of every move and whether it was made by itself. What the computer did since
    a person's last move is taken back with it, except where only one's own move may be.
    """
    own = {seat.number for seat in seats if seat.owner == visitor}
    if table.status != RUNNING or table.undo == "none" or not own:
        return None
    for index in range(len(moves) - 1, -1, -1):
        seat, automatic = moves[index]
        if automatic:
            continue
        if table.undo == "own":
            return index if seat in own else None
        if not seats[seat].is_bot:
            return index
    return None


def asks_for_undo(table: Table, game: Game | None, target: int) -> bool:
    """Whether going back to `target` moves needs the consent of the other people: always at a table
    that says so, and everywhere if something was turned up since then."""
    return table.undo == "ask" or (game is not None and game.has_shown(target))


def _others(seats: Sequence[Seat], visitor: str | None) -> set[str]:
    return {seat.owner for seat in seats if seat.owner is not None and seat.owner != visitor}


async def _seats(session: AsyncSession, table_id: str) -> list[Seat]:
    query = select(Seat).where(Seat.table_id == table_id).order_by(Seat.number)
    return list(await session.scalars(query))


async def _moves(session: AsyncSession, table_id: str) -> list[tuple[int, bool]]:
    query = select(Move.seat, Move.automatic).where(Move.table_id == table_id)
    return [
        (seat, automatic) for seat, automatic in await session.execute(query.order_by(Move.number))
    ]


def _announcement(table: Table, seats: Sequence[Seat]) -> live.Change:
    owners = (seats[number].owner for number in table.turn)
    return live.Change(table.version, table.number, tuple(owner for owner in owners if owner))


def _refusal(position: Position[Any], seat: int) -> tuple[str, Action] | None:
    """The subject and the declining action, if the seat is asked whether it objects."""
    for decision in position.pending():
        if decision.seat == seat:
            return position.title.standing_refusal(position.state, decision)
    return None


def _subject(position: Position[Any], seat: int) -> str | None:
    """What the step that asks now is about, also for a seat that has already answered."""
    for decision in position.pending():
        offer = position.title.standing_refusal(position.state, Decision(seat, decision.step))
        return None if offer is None else offer[0]
    return None


def _slug() -> str:
    # Without letters and digits that look alike; 30 ** 10 possibilities cannot be guessed.
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(10))


def _checked_name(name: str, seats: Sequence[Seat], number: int) -> str:
    others = [seat.name for seat in seats if seat.number != number and seat.name]
    return check_names([*others, name])[-1]


def _new_seats(given: Sequence[NewSeat], visitor: str) -> list[Seat]:
    seats: list[Seat] = []
    for number, wanted in enumerate(given):
        if wanted.kind not in KINDS:
            raise Refused(N_("A seat cannot be of the kind {kind}."), kind=repr(wanted.kind[:20]))
        kind = {"me": "person", "open": "person"}.get(wanted.kind, wanted.kind)
        seat = Seat(number=number, kind=kind, name="", bot="", owner=None, token=None, facing=False)
        if wanted.kind in ("me", "hotseat"):
            seat.owner = visitor
        if wanted.kind == "bot":
            seat.bot = bot_spec(wanted.bot)
        if wanted.kind != "open" and (wanted.name.strip() or wanted.kind != "bot"):
            seat.name = _checked_name(wanted.name, seats, number)
        seats.append(seat)
    for seat in seats:
        seat.facing = seat.owner is not None and not any(other.facing for other in seats)
        if seat.is_bot and not seat.name:
            taken = {other.name.casefold() for other in seats}
            seat.name = next(name for name in BOT_NAMES if name.casefold() not in taken)
    return seats


def _all_names(seats: Sequence[Seat]) -> list[str]:
    return [seat.name or f"\N{NUMBER SIGN}{seat.number}" for seat in seats]
