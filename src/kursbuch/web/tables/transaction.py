"""A change of a table inside its transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import (
    Row,
    Select,
    Update,
    bindparam,
    delete,
    exists,
    func,
    insert,
    inspect,
    literal,
    null,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Session

from kursbuch.bots import volunteers
from kursbuch.core.actions import Action
from kursbuch.core.corrections import NOBODY
from kursbuch.core.events import Event
from kursbuch.core.game import Game, reveals
from kursbuch.core.play import Play
from kursbuch.core.position import Endless, Position
from kursbuch.core.state import Decision
from kursbuch.core.words import N_
from kursbuch.web.accounts import ratings
from kursbuch.web.ai.levels import bot_volunteers
from kursbuch.web.db.models import (
    Base,
    Consent,
    Note,
    Predecessor,
    Premove,
    Seat,
    StandingRefusal,
    StoredMove,
    Table,
    TakenBack,
    now,
)
from kursbuch.web.http.errors import Conflict, Forbidden, NotFound, stale
from kursbuch.web.tables import clocks, games
from kursbuch.web.tables.policies import CLOSED, FINISHED, GRACE, LOBBY, RUNNING
from kursbuch.web.tables.premoves import ROUTINE, UNDONE, Plan, PremoveQueue, Routine
from kursbuch.web.tables.snapshot import Seen, taken_back

#: Columns of a move, wherever it is stored.
MOVE = (
    "table_id",
    "number",
    "seat",
    "action",
    "draws",
    "automatic",
    "plan",
    "edition",
    "made_at",
)

#: Rows that a move may affect: standing refusals, premoves (dropped ones too), votes.
BESIDE = (
    exists().where(StandingRefusal.table_id == Table.id).label("refused"),
    exists().where(Premove.table_id == Table.id, Premove.dropped == "").label("ahead"),
    exists().where(Premove.table_id == Table.id).label("fixed_ahead"),
    exists()
    .where(Consent.table_id == Table.id, (Consent.kind == "undo") | (Consent.kind == "redo"))
    .label("asked_for"),
)
_BESIDE = select(*BESIDE).where(Table.id == bindparam("table"))

#: Statements that store a move and what it changes; of the plain tables, which take less time than their classes.
_TABLES = Base.metadata.tables
_NEW_MOVES = insert(_TABLES[StoredMove.__tablename__])


@lru_cache(maxsize=256)
def _new_values(name: str, columns: tuple[str, ...]) -> Update:
    """The statement that gives a row of a table (`old_` and its key) other values in these columns (`new_`)."""
    rows = _TABLES[name]
    found = [column == bindparam(f"old_{column.name}") for column in rows.primary_key]
    return (
        update(rows)
        .where(*found)
        .values({column: bindparam(f"new_{column}") for column in columns})
    )


#: Maximum number of premoves made after one move; otherwise players who all pass until an event would pass for ever.
MOST_AHEAD = 200

#: Maximum number of notes per table.
MAX_NOTES = 200


class Before(msgspec.Struct, frozen=True):
    """A table before a change: its status, whose turn it was, the owners of its seats, and which were late."""

    status: str
    turn: tuple[int, ...]
    owners: tuple[str | None, ...]
    late: tuple[bool, ...]


class TableTransaction:
    """A change of a table in progress."""

    def __init__(
        self,
        session: AsyncSession,
        table: Table,
        seats: list[Seat],
        beside: Row[*tuple[Any, ...]] | None = None,
    ) -> None:
        self.session = session
        #: Rows that a move may affect, as far as they were read.
        self.beside = beside
        self.table = table
        self.seats = seats
        self.game: Game | None = None
        self.position: Position[Any] | None = None
        self.base = table.revision
        #: The version before the change.
        self.version = table.version
        #: Whether only moves were made, so that nothing else has to be read again.
        self.only_moves = False
        #: The seat of every new move, and whether it was automatic.
        self.made: list[tuple[int, bool]] = []
        self.before = Before(
            table.status,
            tuple(table.turn),
            tuple(seat.owner for seat in seats),
            tuple(seat.late for seat in seats),
        )
        #: Whether this change begins the game.
        self.begun = False
        self.rewound: int | None = None
        #: Seats that were asked something else without having moved.
        self.asked_else: set[int] = set()
        #: The actions played, each with its edition of the rules, and the last result.
        self.actions: list[tuple[Action, int]] = []
        self.played: Play[Any] | None = None
        #: Whether any move is new, and not a redo.
        self._new = False
        #: The seats that moved by hand.
        self._by_hand: set[int] = set()
        #: Whether a new move revealed hidden information.
        self._turned_up = False
        #: Visitors who are asked again, with the kind of vote.
        self.asked_anew: set[tuple[str, str]] = set()
        self.silent = False
        #: The seats that a new message mentions, with its number.
        self.mentions: dict[int, int] = {}
        #: Premoves that could not be made, or were taken back.
        self.let_down: list[Premove] = []
        #: The result of the operation, repeated if the same request is sent again.
        self.answer: object = None
        self._offer_goes_on = True
        #: Events and the seats that caused them, not yet checked against premoves.
        self._events: list[tuple[int, Event]] = []

    def seat(self, number: int) -> Seat:
        """A seat by number."""
        if not 0 <= number < len(self.seats):
            raise NotFound(N_("This table has no seat number {number}."), number=number + 1)
        return self.seats[number]

    def own_seat(self, number: int, visitor: str) -> Seat:
        """A seat by number, which must be the visitor's."""
        seat = self.seat(number)
        if seat.owner != visitor:
            raise Forbidden(N_("This seat is not yours."))
        seat.seen_at = now()
        return seat

    def any_own_seat(self, visitor: str) -> Seat:
        """A seat of the visitor, preferably one that must decide now."""
        own = [seat for seat in self.seats if seat.owner == visitor]
        if not own:
            raise Forbidden(N_("Only players at this table can do that."))
        own.sort(key=lambda seat: seat.number not in self.table.turn)
        own[0].seen_at = now()
        return own[0]

    def owns_seat(self, visitor: str) -> bool:
        """Whether the visitor has a seat."""
        return any(seat.owner == visitor for seat in self.seats)

    def require(self, *status: str) -> None:
        """Refuse unless the table has one of these statuses."""
        if self.table.status not in status:
            raise Conflict(
                {
                    LOBBY: N_("The game has not begun yet."),
                    RUNNING: N_("The game has already begun."),
                    FINISHED: N_("The game is over."),
                    CLOSED: N_("This table is closed."),
                }[self.table.status]
            )

    def begin(self, game: Game) -> None:
        """Begin the game, which may have moves already."""
        self.begun = True
        self.table.status = RUNNING
        self.table.edition = game.edition
        self.game, self.position = game, game.position.clone()

    def play(self, action: Action, *, automatic: bool = False, plan: Plan | None = None) -> None:
        """Carry out an action and record it as the next move; `plan` is the premove it comes from."""
        position, table = self.position, self.table
        assert position is not None
        position.check(action, [seat.name for seat in self.seats])
        step, edition = position.state.agenda[-1], position.edition
        try:
            play = position.perform(action)
        except Endless:
            # An illegal action among several leaves the position here.
            position.state = self._replayed().state
            raise
        position.adopt_newest_edition()
        # An answer leaves the same step asking; anything else asks again.
        if not position.state.agenda or position.state.agenda[-1] is not step:
            self._offer_goes_on = False
        table.number += 1
        self.session.add(
            StoredMove(
                table_id=table.id,
                number=table.number,
                seat=action.seat,
                action=position.title.action_to_json(action),
                draws=[list(drawn) for drawn in play.draws],
                automatic=automatic,
                plan=None if plan is None else msgspec.to_builtins(plan),
                edition=edition,
                made_at=now(),
            )
        )
        self.actions.append((action, edition))
        self.played = play
        self.made.append((action.seat, automatic))
        self._events += [(action.seat, event) for event in play.events]
        self._new = True
        self._turned_up |= reveals(position.title, play.draws, play.events)
        if not automatic:
            self._by_hand.add(action.seat)

    def _replayed(self) -> Position[Any]:
        """The position before the next move."""
        assert self.game is not None
        position = self.game.at(len(self.game.moves) if self.rewound is None else self.rewound)
        for action, edition in self.actions:
            position.edition = edition
            position.perform(action)
        position.adopt_newest_edition()
        return position

    @property
    def next_version(self) -> int:
        """The version after this change."""
        return self.table.version + 1

    def require_line(self, seen: Seen) -> None:
        """Refuse a decision from before an undo: the same number of moves may be another position by now."""
        table = self.table
        if seen.version is None and table.rewound:
            raise Conflict(
                N_(
                    "Moves have been taken back at this table: reload the page. Programs send "
                    "the version of the table that they saw in the field {name}."
                ),
                name="version",
            )
        if seen.version is not None and not table.rewound <= seen.version <= table.version:
            raise stale()

    def require_current(self, seen: Seen) -> None:
        """Refuse unless there was no move or undo since."""
        self.require_line(seen)
        if seen.number != self.table.number:
            raise stale()

    def still_fits(self, action: Action, number: int) -> bool:
        """Whether an action from `number` moves ago still makes sense: the seat has had the same choices since,
        because the others answered the same question or did something unrelated; or the action is an amount that
        beats the bids since."""
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

    async def rewind(self, target: int) -> list[int]:
        """Go back to `target` moves. Returns the seats of the moves taken back."""
        assert self.game is not None
        seats = [move.action.seat for move in self.game.moves[target:]]
        self.position = self.game.at(target)
        self.position.adopt_newest_edition()
        self.rewound = target
        self.table.number = target
        self.table.rewound = self.next_version
        await ratings.revoke_game(self.session, self.table)
        self._offer_goes_on = False
        table_id, later = self.table.id, StoredMove.number > target
        await self._take_back_ahead(target)
        kept = [getattr(StoredMove, name) for name in MOVE]
        kept += [literal(self.next_version), literal(self.game.has_shown(target))]
        rows = select(*kept).where(StoredMove.table_id == table_id, later)
        await self.session.execute(insert(TakenBack).from_select([*MOVE, "version", "shown"], rows))
        await self.session.execute(delete(StoredMove).where(StoredMove.table_id == table_id, later))
        # Notes of undone moves keep their place before what follows.
        await self.session.execute(
            update(Note)
            .where(Note.table_id == table_id, Note.number > target)
            .values(number=target)
        )
        await self.session.execute(
            update(Predecessor)
            .where(Predecessor.table_id == table_id, Predecessor.number > target)
            .values(number=target)
        )
        return seats

    async def redo(self) -> list[int]:
        """Redo the moves of the last undo. Returns their seats."""
        table, position = self.table, self.position
        assert position is not None
        rows = await taken_back(self.session, table.id)
        for row in rows:
            action = position.title.action_from_json(row.action)
            position.edition = row.edition
            position.perform(action)
            table.number += 1
            self.session.add(StoredMove(**{name: getattr(row, name) for name in MOVE}))
            await self.session.delete(row)
            self.actions.append((action, row.edition))
        position.adopt_newest_edition()
        self._offer_goes_on = False
        return [row.seat for row in rows]

    async def note(
        self, kind: str, seat: int | None, seats: Sequence[int] = (), **data: object
    ) -> None:
        """Add a note to the log; `seats` are those of the moves concerned, `data` the other values of its sentence."""
        table_id = self.table.id
        made = list(seats)
        counts = [made.count(seat.number) for seat in self.seats]
        counts.append(made.count(NOBODY))
        data["names"] = [seat.name for seat in self.seats]
        self.session.add(
            Note(
                table_id=table_id,
                kind=kind,
                seat=seat,
                number=self.table.number,
                counts=counts,
                data=data,
                made_at=now(),
            )
        )
        kept = select(func.count(), func.min(Note.id)).where(Note.table_id == table_id)
        held, oldest = (await self.session.execute(kept)).one()
        if held > MAX_NOTES:
            await self.session.execute(delete(Note).where(Note.id == oldest))

    async def rename(self, seat: Seat, name: str) -> None:
        """Rename a seat; its earlier moves keep the old name."""
        if self.table.status == RUNNING and name != seat.name:
            await self.keep_predecessor(seat)
        seat.name = name

    async def keep_predecessor(self, seat: Seat, account: str | None = None) -> None:
        """Keep the former player of a seat, with the `account` if leaving does not escape the rating."""
        known = (Predecessor.table_id == self.table.id) & (Predecessor.seat == seat.number)
        if account is None:
            known &= Predecessor.number >= self.table.number
        else:
            known &= Predecessor.account == account
        if await self.session.scalar(select(Predecessor.id).where(known).limit(1)) is None:
            self.session.add(
                Predecessor(
                    table_id=self.table.id,
                    seat=seat.number,
                    number=self.table.number,
                    name=seat.name,
                    account=account,
                )
            )

    async def settle(self) -> None:
        """Make automatic moves and update the state of the table."""
        table, position = self.table, self.position
        assert position is not None
        beside = await self.go_on()
        pending = [decision.seat for decision in position.pending()]
        table.revision += 1
        table.turn = pending
        moved = {action.seat for action, _ in self.actions}
        again = pending if self.rewound is not None else ()
        self.asked_else = self._asked_else(position) - moved
        clocks.run(table, self.seats, pending, {*moved, *again, *self.asked_else}, now())
        table.bots_due = self._bots_due(position, pending)
        self._draw_curtains(pending)
        asked = [seat for seat in pending if not self.seats[seat].is_bot]
        if not (
            table.objection_seconds and asked and all(refusal_of(position, seat) for seat in asked)
        ):
            table.deadline = None
        elif table.deadline is None or not self._offer_goes_on:
            table.deadline = now() + timedelta(seconds=table.objection_seconds) + GRACE
        if position.over:
            result = position.result
            assert result is not None
            table.status = FINISHED
            await self.forget_consents("end", "replace")
            table.result = {"scores": list(result.scores), "winners": list(result.winners)}
            if rated := await ratings.rate_game(self.session, table, self.seats, result):
                changes = [rated.get(seat.owner or "") for seat in self.seats]
                table.result = {**table.result, "ratings": changes}
        if beside.asked_for:
            await self._go_on_asking()
        if self._new and table.rewound:
            await self.session.execute(delete(TakenBack).where(TakenBack.table_id == table.id))

    async def write(self) -> None:
        """Store moves and what they change of the table and its seats. The ORM would first work out an order, which
        takes longer than the statements."""
        await self.session.run_sync(self._written)

    def _written(self, session: Session) -> None:
        moves = [row for row in session.new if isinstance(row, StoredMove)]
        rows = [row for row in (self.table, *self.seats) if inspect(row).modified]
        connection = session.connection()
        if moves:
            values = [{name: getattr(move, name) for name in MOVE} for move in moves]
            connection.execute(_NEW_MOVES, values)
        for row in rows:
            changed = tuple(
                name
                for name, before in inspect(row).committed_state.items()
                if getattr(row, name) != before
            )
            if changed:
                key = _TABLES[row.__tablename__].primary_key.columns.keys()
                given = {f"old_{name}": getattr(row, name) for name in key}
                given |= {f"new_{name}": getattr(row, name) for name in changed}
                connection.execute(_new_values(row.__tablename__, changed), given)
        for row in (*moves, *rows):
            session.expunge(row)

    async def go_on(self) -> Row[*tuple[Any, ...]]:
        """Make standing refusals and premoves. Returns the rows that a move may affect."""
        beside = await self._beside()
        if beside.refused:
            assert self.position is not None
            await self._decline_standing(self.position)
        if beside.ahead:
            await self.carry_out_ahead()
        return beside

    async def go_on_in_turn(self, seat: int) -> bool:
        """Make automatic moves while the turn of a seat waits for others. Returns whether its next decision belongs
        to that turn."""
        position = self.position
        assert position is not None
        rules, state = position.title.steps, position.state
        own = [step for step in state.agenda if seat in rules[type(step)].deciders(state, step)]
        if not own or seat in position.deciders():
            return True
        await self.go_on()
        return seat not in position.deciders() or any(position.top()[0] is step for step in own)

    async def _beside(self) -> Row[*tuple[Any, ...]]:
        """Find in one query the rows that a move may affect; most tables have none."""
        if self.beside is None or not self.only_moves:
            with self.session.no_autoflush:
                found = await self.session.execute(_BESIDE, {"table": self.table.id})
            self.beside = found.one()
        return self.beside

    async def _go_on_asking(self) -> None:
        """Update votes after moves: redo votes end; undo votes stay unless the player who asked has moved. Consent
        covers later moves too, except those that revealed hidden information."""
        table, position = self.table, self.position
        assert position is not None
        asked = select(Consent).where(Consent.table_id == table.id)
        for consent in await self._stored(asked.where(Consent.kind.in_(("undo", "redo")))):
            onward = self._new and self.rewound is None and not position.over
            if (
                consent.kind != "undo"
                or not onward
                or table.undo == "own"
                or consent.seat in self._by_hand
            ):
                await self.session.delete(consent)
            elif self._turned_up and consent.agreed:
                self.asked_anew.update((one, consent.kind) for one in consent.agreed)
                consent.agreed, consent.version = [], self.next_version

    def _asked_else(self, position: Position[Any]) -> set[int]:
        """Seats that had another kind of decision before."""
        assert self.game is not None
        before = {decision.seat: decision.step for decision in self.game.position.pending()}
        return {
            decision.seat
            for decision in position.pending()
            if before.get(decision.seat, decision.step) != decision.step
        }

    def _bots_due(self, position: Position[Any], pending: Sequence[int]) -> bool:
        """Whether a bot has to move."""
        assert self.game is not None
        actions = [move.action for move in self.game.moves[: self.rewound]]
        actions += [action for action, _ in self.actions]
        course = games.followed(self.table, position.title, actions)
        if course is not None:
            scripted = course.next(len(actions))
            return scripted is not None and self.seats[scripted.seat].is_bot
        return any(clocks.computer_moves(self.table, self.seats[seat]) for seat in pending) or (
            any(seat.is_bot for seat in self.seats)
            and any(bot_volunteers(self.seats[seat].bot) for seat in volunteers(position))
        )

    def await_anew(self, *reseated: int) -> None:
        """Restart clocks without a move: `reseated` seats have new players, or a seat ran out of time."""
        assert self.position is not None
        for number in reseated:
            if number in self.table.turn:
                clocks.ask(self.table, self.seats[number], now())
        self.table.bots_due = self._bots_due(self.position, self.table.turn)
        self._draw_curtains(self.table.turn)

    async def carry_out_ahead(self) -> None:
        """Make due premoves one after another."""
        table, position = self.table, self.position
        assert position is not None
        query = select(Premove).where(Premove.table_id == table.id, Premove.dropped == "")
        rows = await self._stored(query.order_by(Premove.id))
        if not rows:
            return
        planned = PremoveQueue(rows)
        people = [seat.number for seat in self.seats if not seat.is_bot]
        running = None
        for _ in range(MOST_AHEAD):
            planned.hear(position, self._events)
            self._events.clear()
            found = planned.next(position, people)
            if found is None:
                break
            action, plan = found
            if isinstance(plan, Routine) and plan != running:
                await self.note(ROUTINE, action.seat, subject=plan.subject)
            running = plan
            try:
                self.play(action, automatic=True, plan=plan)
            except Endless:
                continue  # moves that would lead there are no longer planned
            planned.keep_ending(position, action.seat)
            await self._decline_standing(position)
        self.let_down += [row for row in rows if row.dropped]
        for row in planned.gone:
            await self.session.delete(row)
        await self.session.flush()

    async def _take_back_ahead(self, target: int) -> None:
        """Drop premoves after an undo. Players whose premoves were made and undone are notified."""
        assert self.game is not None
        assert self.position is not None
        table_id = self.table.id
        made = select(StoredMove.seat, StoredMove.plan).order_by(StoredMove.number)
        made = made.where(StoredMove.table_id == table_id, StoredMove.number > target)
        rows = list(await self.session.execute(made))
        waiting = select(Premove).where(Premove.table_id == table_id, Premove.dropped == "")
        fixed = list(await self.session.scalars(waiting.order_by(Premove.id)))
        if not fixed and not any(row.plan for row in rows):
            return
        before = _retraced(self.game, target)
        taken = ((position, *row) for position, row in zip(before, rows, strict=True))
        lost = PremoveQueue(fixed).go_back(self.position, taken)
        self.let_down += [row for row in fixed if row.dropped]
        for seat, plan in lost:
            row = Premove(
                table_id=table_id,
                seat=seat,
                plan=msgspec.to_builtins(plan),
                dropped=UNDONE,
                made_at=now(),
            )
            self.session.add(row)
            self.let_down.append(row)
        await self.session.flush()

    async def forget_ahead(self, seat: int) -> None:
        """Delete the premoves of a seat without notice."""
        table_id = self.table.id
        await self.session.execute(
            delete(Premove).where(Premove.table_id == table_id, Premove.seat == seat)
        )
        for row in (StoredMove, TakenBack):
            made = update(row).where(row.table_id == table_id, row.seat == seat)
            await self.session.execute(made.values(plan=null()))

    def _draw_curtains(self, pending: Sequence[int]) -> None:
        """Draw the curtain where players at the same device are to move, until one of them opens it."""
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
        for seat in self.seats:
            clocks.stop(seat)
        await self.forget_consents("undo", "redo", "end", "replace")

    async def forget_consents(self, *kinds: str) -> None:
        """Delete votes of these kinds."""
        await self.session.execute(
            delete(Consent).where(Consent.table_id == self.table.id, Consent.kind.in_(kinds))
        )

    async def _stored(self, query: Select[Any]) -> list[Any]:
        """Run a query without flushing the pending changes, which happens once at the end."""
        with self.session.no_autoflush:
            return list(await self.session.scalars(query))

    async def _decline_standing(self, position: Position[Any]) -> None:
        query = select(StandingRefusal).where(StandingRefusal.table_id == self.table.id)
        standing = {(row.seat, row.subject) for row in await self._stored(query)}
        while standing:
            for decision in position.pending():
                refusal = refusal_of(position, decision.seat)
                if refusal is not None and (decision.seat, refusal[0]) in standing:
                    self.play(refusal[1], automatic=True)
                    break
            else:
                return


def _retraced(game: Game, target: int) -> Iterator[Position[Any]]:
    """The positions before each move after the first `target`; always the same object."""
    position = game.at(target)
    for move in game.moves[target:]:
        position.edition = move.edition
        yield position
        position.perform(move.action)


def refusal_of(position: Position[Any], seat: int) -> tuple[str, Action] | None:
    """The subject and the declining action, if the seat is asked whether it objects."""
    for decision in position.pending():
        if decision.seat == seat:
            return position.title.standing_refusal(position.state, decision)
    return None


def _subject(position: Position[Any], seat: int) -> str | None:
    """The subject of the current step, also for a seat that has already answered."""
    for decision in position.pending():
        offer = position.title.standing_refusal(position.state, Decision(seat, decision.step))
        return None if offer is None else offer[0]
    return None
