"""Replacing a player during the game."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete

from kursbuch.core.words import N_
from kursbuch.web.ai.levels import bot_spec
from kursbuch.web.db.models import Consent, Seat, StandingRefusal, Table, now
from kursbuch.web.http.errors import Conflict, Forbidden
from kursbuch.web.http.security import is_account
from kursbuch.web.tables import clocks
from kursbuch.web.tables.policies import RUNNING
from kursbuch.web.tables.transaction import TableTransaction

#: To replace a player, as what the others may be asked for.
REPLACE = "replace"

#: What stands in the log: a seat is played by the computer, free for somebody else, taken by a person, or
#: by the one who had it, handed on, or without a player since an account was deleted.
TO_BOT, TO_OPEN, SITS, BACK, HANDED, LEFT = "to-bot", "to-open", "sits", "back", "handed", "gone"


def check(seat: Seat, wish: str | None) -> None:
    """Refuse to replace a player by whom that makes no sense: `wish` is a strength of the computer, None
    frees the seat for somebody else."""
    if wish is not None:
        bot_spec(wish)
    if seat.is_free and wish is None:
        raise Conflict(N_("This seat is free already."))


async def replace(change: TableTransaction, number: int, wish: str | None) -> None:
    """Give a seat to the computer, or make it free for somebody else."""
    seat = change.seat(number)
    await part(change, seat)
    if seat.owner is not None:
        seat.former = seat.owner
    seat.owner = seat.token = None
    seat.facing = False
    seat.kind, seat.bot = ("person", "") if wish is None else ("bot", wish)
    await change.note(TO_OPEN if wish is None else TO_BOT, number)
    change.await_anew(number)


async def part(change: TableTransaction, seat: Seat) -> None:
    """The player of a seat leaves it to others. What he has planned for it and may do there goes with him, and what is
    asked about him; at a rated table it is noted that he has left."""
    table = change.table
    await change.forget_ahead(seat.number)
    mine = (StandingRefusal.table_id == table.id) & (StandingRefusal.seat == seat.number)
    await change.session.execute(delete(StandingRefusal).where(mine))
    about = (Consent.kind == REPLACE) & (Consent.target == seat.number)
    wished = (Consent.table_id == table.id) & ((Consent.seat == seat.number) | about)
    await change.session.execute(delete(Consent).where(wished))
    table.moderators = [one for one in table.moderators if one != seat.number]
    clocks.be_present(table, seat, now())
    if table.rated and table.status == RUNNING and seat.owner and is_account(seat.owner):
        await change.keep_predecessor(seat, seat.owner)


def needs_account(table: Table, visitor: str) -> bool:
    """Whether a visitor must log in before taking a seat."""
    return table.rated and not is_account(visitor)


def check_sitter(table: Table, seats: Sequence[Seat], visitor: str) -> None:
    """Refuse a seat of a rated table to somebody without an account, or with a seat already."""
    if needs_account(table, visitor):
        raise Forbidden(N_("You need an account to play at a rated table. Log in first."))
    if table.rated and any(seat.owner == visitor for seat in seats):
        raise Conflict(N_("At a rated table everybody plays one seat, and no computer does."))


async def sit(change: TableTransaction, seat: Seat, visitor: str, note: str) -> None:
    """Let a person play a seat from now on."""
    if seat.former != visitor:
        seat.vacation = change.table.vacation  # whoever was there before has spent his own
    seat.kind, seat.bot, seat.former = "person", "", None
    seat.owner, seat.seen_at = visitor, now()
    seat.facing = not any(
        other.owner == visitor for other in change.seats if other.number != seat.number
    )
    await change.note(note, seat.number)
    change.await_anew(seat.number)
