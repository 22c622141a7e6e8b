"""What one player may not do alone: the others are asked, and it is done when all people agree."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.game import Game
from kursbuch.core.words import N_
from kursbuch.web.change import Change
from kursbuch.web.errors import Conflict, Forbidden, stale
from kursbuch.web.models import Consent, Seat, Table
from kursbuch.web.policies import RUNNING
from kursbuch.web.snapshot import Seen, moves_of
from kursbuch.web.tables import Tables

#: What others may be asked for: to take the last move back, to end the game without a result.
UNDO, END = "undo", "end"

_ALREADY = {
    UNDO: N_("Somebody has already asked to take a move back."),
    END: N_("Somebody has already asked to end the game."),
}
_NO_MORE = {
    UNDO: N_("Nobody asks to take a move back any more."),
    END: N_("Nobody asks to end the game any more."),
}


async def ask(
    tables: Tables, table_id: str, visitor: str, kind: str, seen: Seen | None = None
) -> bool:
    """Take the last move back or end the game, or ask the others for it. If the visitor says what was
    `seen`, only the move is taken back that was the last one then. Returns whether it was done."""
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        seat = change.any_own_seat(visitor)
        if seen is not None:
            change.require_current(seen)
        target = await _target(change, visitor) if kind == UNDO else None
        asks = target is None or asks_for_undo(change.table, change.game, target)
        if not (asks and others(change.seats, visitor)):
            await _carry_out(change, target)
            return True
        if await change.session.get(Consent, (table_id, kind)) is not None:
            raise Conflict(_ALREADY[kind])
        change.session.add(
            Consent(
                table_id=table_id,
                kind=kind,
                seat=seat.number,
                target=target,
                version=change.next_version,
                agreed=[],
            )
        )
    return False


async def answer(
    tables: Tables,
    table_id: str,
    visitor: str,
    kind: str,
    agree: bool,
    version: int | None = None,
) -> None:
    """Agree to what somebody asks for, or not; who asked for it can withdraw it. The `version` the
    visitor has seen tells whether the answer is meant for this wish or for an earlier one."""
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        change.any_own_seat(visitor)
        consent = await change.session.get(Consent, (table_id, kind))
        if consent is None:
            raise Conflict(_NO_MORE[kind])
        if version is not None and version < consent.version:
            raise stale()
        asking = change.seats[consent.seat].owner
        if not agree:
            await change.session.delete(consent)
            return
        if visitor == asking:
            raise Forbidden(N_("The others have to agree."))
        consent.agreed = sorted({*consent.agreed, visitor})
        if others(change.seats, asking) <= set(consent.agreed):
            await _carry_out(change, consent.target)


async def _target(change: Change, visitor: str) -> int:
    moves = await moves_of(change.session, change.table.id)
    target = undo_target(change.table, change.seats, moves, visitor)
    if target is None:
        raise Forbidden(N_("You cannot take a move back now."))
    return target


async def _carry_out(change: Change, target: int | None) -> None:
    """Go back to `target` moves, or end the game if there is none."""
    if target is None:
        await change.end()
    else:
        await change.rewind(target)


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


def others(seats: Sequence[Seat], visitor: str | None) -> set[str]:
    """The browsers of the other people at a table."""
    return {seat.owner for seat in seats if seat.owner is not None and seat.owner != visitor}
