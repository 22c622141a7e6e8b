"""A change of a table while it is being made."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.bots import volunteers
from kursbuch.core.actions import Action
from kursbuch.core.game import Game
from kursbuch.core.position import Position
from kursbuch.core.state import Decision
from kursbuch.core.words import N_
from kursbuch.web.errors import Conflict, Forbidden, NotFound, stale
from kursbuch.web.models import Consent, Seat, StandingRefusal, StoredMove, Table, now
from kursbuch.web.policies import CLOSED, FINISHED, GRACE, LOBBY, RUNNING
from kursbuch.web.snapshot import Seen
from kursbuch.web.strengths import bot_volunteers


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
            StoredMove(
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

    @property
    def next_version(self) -> int:
        """The version of the table with this change in it."""
        return self.table.version + 1

    def require_line(self, seen: Seen) -> None:
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

    def require_current(self, seen: Seen) -> None:
        """Refuse unless nothing has been moved or taken back since."""
        self.require_line(seen)
        if seen.number != self.table.number:
            raise stale()

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
        self.table.rewound = self.next_version
        self._offer_goes_on = False
        table_id = self.table.id
        await self.session.execute(
            delete(StoredMove).where(StoredMove.table_id == table_id, StoredMove.number > target)
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
            table.objection_seconds and asked and all(refusal_of(position, seat) for seat in asked)
        ):
            table.deadline = None
        elif table.deadline is None or not self._offer_goes_on:
            table.deadline = now() + timedelta(seconds=table.objection_seconds) + GRACE
        if position.over:
            result = position.result
            assert result is not None
            table.status = FINISHED
            table.result = {"scores": list(result.scores), "winners": list(result.winners)}
        await self._forget_consents("undo")

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
        await self._forget_consents("undo", "end")

    async def _forget_consents(self, *kinds: str) -> None:
        """Nobody asks for these any more."""
        await self.session.execute(
            delete(Consent).where(Consent.table_id == self.table.id, Consent.kind.in_(kinds))
        )

    async def _decline_standing(self, position: Position[Any]) -> None:
        query = select(StandingRefusal.seat, StandingRefusal.subject)
        found = await self.session.execute(query.where(StandingRefusal.table_id == self.table.id))
        standing = {(seat, subject) for seat, subject in found}
        while standing:
            for decision in position.pending():
                refusal = refusal_of(position, decision.seat)
                if refusal is not None and (decision.seat, refusal[0]) in standing:
                    self.play(refusal[1], automatic=True)
                    break
            else:
                return


def refusal_of(position: Position[Any], seat: int) -> tuple[str, Action] | None:
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
