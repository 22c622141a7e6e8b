"""Moderation: corrections, rewinding, and who may moderate."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kursbuch.core.corrections import NOBODY, Correct, TooLittle
from kursbuch.core.words import N_
from kursbuch.web.accounts.models import Account
from kursbuch.web.db.models import Seat, Table
from kursbuch.web.http import idempotency
from kursbuch.web.http.errors import Conflict, Forbidden, Refused
from kursbuch.web.tables.policies import (
    ALL_MODERATE,
    LOBBY,
    MODERATION,
    NO_MODERATOR,
    OPENER_MODERATES,
    RUNNING,
)
from kursbuch.web.tables.snapshot import Seen, Snapshot
from kursbuch.web.tables.spectator_delay import is_delayed
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.transaction import TableTransaction

#: What a note says that a moderator has done: gone back, or tried to take more of something secret than
#: there is.
REWIND, TRIED = "rewind", "tried"


def is_moderator(table: Table, seats: Sequence[Seat], visitor: str) -> bool:
    """Whether somebody may correct something at a table: whoever opened it and whoever was named by his seat, or all
    who play."""
    if table.moderation == NO_MODERATOR:
        return False
    own = [seat.number for seat in seats if seat.owner == visitor]
    if table.moderation == ALL_MODERATE:
        return bool(own)
    return visitor == table.creator or any(number in table.moderators for number in own)


def check_moderator(at: Snapshot | TableTransaction, visitor: str) -> None:
    """Refuse whoever may not correct something at a table, or does not see how it is now."""
    if not is_moderator(at.table, at.seats, visitor):
        raise Forbidden(N_("Only a moderator of this table can do that."))
    if is_delayed(at, visitor):
        raise Forbidden(N_("You see this table with a delay, so you cannot correct how it is now."))


async def correcting(change: TableTransaction, visitor: str) -> str:
    """The name that stands with a correction: that of a moderator with one seat, or of the account of one with none.
    Several people at a device are not told apart."""
    names = [seat.name for seat in change.seats if seat.owner == visitor]
    if not names and (account := await change.session.get(Account, visitor)) is not None:
        names.append(account.name)
    return " ".join(names[0].replace(":", " ").split()) if len(names) == 1 else ""


async def correct(
    tables: TableStore,
    table_id: str,
    visitor: str,
    seen: Seen | None,
    kind: str,
    values: Sequence[str],
    line: str = "",
) -> int:
    """Correct something: a kind of correction with what stands in its fields, or in its place a `line` of
    text. Returns the new number of moves."""
    refused: TooLittle | None = None
    async with tables.changing(table_id) as change:
        check_moderator(change, visitor)
        change.require(RUNNING)
        if seen is not None:
            change.require_current(seen)
        assert change.game is not None
        action = Correct(NOBODY, kind, tuple(values))
        if line:
            action = change.game.parse_correction(line)
        by = await correcting(change, visitor)
        try:
            change.play(Correct(NOBODY, action.kind, action.values, by))
        except TooLittle as error:
            # That there is too little tells something that is secret: everybody hears that it was tried.
            await change.note(TRIED, _seat(change.seats, visitor), by=by)
            await idempotency.release(change.session)
            refused = error
        number = change.table.number
    if refused is not None:
        raise refused
    return number


def check_target(table: Table, target: int) -> None:
    """Refuse a number of moves to which nobody can go back."""
    if not table.given <= target < table.number:
        raise Refused(
            N_("You can go back to a number of moves from {low} to {high}."),
            low=table.given,
            high=table.number - 1,
        )


async def rewind(
    tables: TableStore, table_id: str, visitor: str, seen: Seen | None, target: int
) -> None:
    """Go back to the position after so many moves, without asking the others."""
    async with tables.changing(table_id) as change:
        check_moderator(change, visitor)
        change.require(RUNNING)
        if seen is not None:
            change.require_current(seen)
        if change.table.given >= change.table.number:
            raise Conflict(N_("There is no move to undo."))
        check_target(change.table, target)
        seats = await change.rewind(target)
        by = await correcting(change, visitor)
        await change.note(REWIND, _seat(change.seats, visitor), seats, by=by)


async def choose(
    tables: TableStore, table_id: str, visitor: str, moderation: str, seats: Collection[int]
) -> None:
    """Whoever opened a table says who moderates it: nobody, all who play, or besides himself those on some
    seats. A table without a moderator gets one only as long as nobody else plays there."""
    async with tables.changing(table_id) as change:
        change.require(LOBBY, RUNNING)
        table = change.table
        if visitor != table.creator:
            raise Forbidden(N_("Only whoever opened the table can do that."))
        if moderation not in MODERATION:
            raise Refused(N_("There is no such rule for moderators."))
        strangers = [s for s in change.seats if s.owner is not None and s.owner != visitor]
        if table.moderation == NO_MODERATOR and moderation != NO_MODERATOR and strangers:
            raise Conflict(
                N_("Others play here who sat down at a table without a moderator: that stays so.")
            )
        if table.rated and moderation == OPENER_MODERATES:
            raise unfair()
        table.moderation = moderation
        named = {change.seat(number).number for number in seats}
        table.moderators = sorted(named & {seat.number for seat in strangers})


def unfair() -> Refused:
    """What one player may do and the others may not has no place in a rated game."""
    return Refused(
        N_("At a rated table either nobody can correct something, or everybody who plays can.")
    )


def _seat(seats: Sequence[Seat], visitor: str) -> int | None:
    """The seat of a moderator who has only one."""
    own = [seat.number for seat in seats if seat.owner == visitor]
    return own[0] if len(own) == 1 else None
