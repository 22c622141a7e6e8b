"""Votes: undo, redo, ending a game, replacing a player."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta

from sqlalchemy import delete, select

from kursbuch.core.corrections import NOBODY
from kursbuch.core.game import Game
from kursbuch.core.words import N_
from kursbuch.web.accounts.models import Account
from kursbuch.web.ai.levels import bot_spec
from kursbuch.web.db.models import Consent, Note, Seat, StandingRefusal, Table, now
from kursbuch.web.http.errors import Conflict, Forbidden, stale
from kursbuch.web.http.security import is_account
from kursbuch.web.tables import clocks
from kursbuch.web.tables.access import check_moderator, is_moderator, others
from kursbuch.web.tables.moderation import check_target, correcting
from kursbuch.web.tables.policies import RUNNING
from kursbuch.web.tables.premoves import ROUTINE
from kursbuch.web.tables.snapshot import Redo, Seen, moves_of, redo_of, taken_back
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.transaction import TableTransaction, refusal_of

#: Notes in the log: a seat is now played by a bot, is free, was taken by another person or by its former player, was
#: handed on, or lost its player with the account.
TO_BOT, TO_OPEN, SITS, BACK, HANDED, LEFT = "to-bot", "to-open", "sits", "back", "handed", "gone"


def check_replacement(seat: Seat, wish: str | None) -> None:
    """Refuse a senseless replacement; `wish` is a bot level, None frees the seat."""
    if wish is not None:
        bot_spec(wish)
    if seat.is_free and wish is None:
        raise Conflict(N_("This seat is already free."))


async def replace_player(change: TableTransaction, number: int, wish: str | None) -> None:
    """Give a seat to a bot, or free it."""
    seat = change.seat(number)
    await vacate_seat(change, seat)
    if seat.owner is not None:
        seat.former = seat.owner
    seat.owner = seat.token = None
    seat.facing = False
    seat.kind, seat.bot = ("person", "") if wish is None else ("bot", wish)
    await change.note(TO_OPEN if wish is None else TO_BOT, number)
    change.await_anew(number)


async def vacate_seat(change: TableTransaction, seat: Seat) -> None:
    """Remove the player of a seat: their premoves, standing refusals and votes go too. At a rated table, the
    departure is kept for the rating."""
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


async def seat_player(change: TableTransaction, seat: Seat, visitor: str, note: str) -> None:
    """Seat a person."""
    if seat.former != visitor:
        seat.vacation = change.table.vacation  # the former player spent their own days
    seat.kind, seat.bot, seat.former = "person", "", None
    seat.owner, seat.seen_at = visitor, now()
    seat.facing = not any(
        other.owner == visitor for other in change.seats if other.number != seat.number
    )
    await change.note(note, seat.number)
    change.await_anew(seat.number)


#: What can be voted on: undo, redo, ending the game without a result, replacing a player.
UNDO, REDO, END, REPLACE = "undo", "redo", "end", "replace"

#: Note in the log: a player refuses.
REFUSED = "refused"
_ALREADY = {
    UNDO: N_("A player has already asked to take a move back."),
    REDO: N_("A player has already asked for a redo."),
    END: N_("A player has already asked to end the game."),
    REPLACE: N_("A player has already asked for a replacement."),
}
_NO_MORE = {
    UNDO: N_("The request to take a move back is no longer open."),
    REDO: N_("The request for a redo is no longer open."),
    END: N_("The request to end the game is no longer open."),
    REPLACE: N_("The request to replace a player is no longer open."),
}


async def ask(
    tables: TableStore,
    table_id: str,
    visitor: str,
    kind: str,
    seen: Seen | None = None,
    target: int | None = None,
    wish: str | None = None,
) -> bool:
    """Undo, redo, end the game or replace a player, or ask the others for it. Without a `target`, the last move is
    taken back; for a replacement, `target` is the seat and `wish` the bot level, None for another person. With
    `seen`, nothing happens once the game has gone on. Returns whether it was done."""
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        if seen is not None:
            change.require_current(seen)
        redo = redo_of(await taken_back(change.session, table_id)) if kind == REDO else Redo()
        if kind == REDO and not change.owns_seat(visitor):
            check_moderator(change, visitor)
            if not redo.seats:
                raise Forbidden(N_("There is nothing to redo now."))
            await change.note(REDO, None, await change.redo(), by=await correcting(change, visitor))
            return True
        seat = change.any_own_seat(visitor)
        if kind == UNDO:
            target, asks = await _back(change, visitor, target)
        elif kind == REDO:
            asked_first = redo_asks(change.table, change.seats, redo, visitor)
            if asked_first is None:
                raise Forbidden(N_("There is nothing to redo now."))
            target, asks = change.table.number + len(redo.seats), asked_first
        elif kind == REPLACE:
            asks = True
            check_replacement(change.seat(-1 if target is None else target), wish)
        else:
            target, asks = None, True
        asked = asked_for(change.seats, visitor, kind, target) - await _closed(change)
        if not (asks and asked):
            await _carry_out(change, kind, seat.number, target, wish)
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
                wish=wish,
                due_at=_until(change, visitor, kind, target),
            )
        )
    return False


async def answer(
    tables: TableStore,
    table_id: str,
    visitor: str,
    kind: str,
    agree: bool,
    version: int | None = None,
) -> None:
    """Agree or refuse; the player who asked can withdraw. `version` as the visitor saw it tells whether the answer is
    meant for this vote or an earlier one."""
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        seat = change.any_own_seat(visitor)
        consent = await change.session.get(Consent, (table_id, kind))
        if consent is None:
            raise Conflict(_NO_MORE[kind])
        if version is not None and version < consent.version:
            raise stale()
        asking = change.seats[consent.seat].owner
        if visitor not in {asking, *asked_for(change.seats, asking, kind, consent.target)}:
            raise Forbidden(N_("You are out of time, so the others decide without you."))
        if agree and visitor == asking:
            raise Forbidden(N_("The others must agree."))
        if not agree:
            await change.session.delete(consent)
            if visitor != asking:
                await change.note(REFUSED, seat.number, wish=kind)
            return
        consent.agreed = sorted({*consent.agreed, visitor})
        if is_agreed(change.seats, consent, await _closed(change)):
            await _carry_out(change, kind, consent.seat, consent.target, consent.wish)


async def _back(change: TableTransaction, visitor: str, wanted: int | None) -> tuple[int, bool]:
    """The number of moves the visitor goes back to, and whether the others must agree."""
    table, seats = change.table, change.seats
    moves = await moves_of(change.session, table.id)
    own = [seat.number for seat in seats if seat.owner == visitor]
    begun = select(Note.number).where(Note.table_id == table.id, Note.kind == ROUTINE)
    routines = list(await change.session.scalars(begun.where(Note.seat.in_(own))))
    target = undo_target(table, seats, moves, visitor, change.game) if wanted is None else wanted
    if wanted is not None and table.given < table.number:
        check_target(table, wanted)
    known = (table, seats, moves, visitor)
    if target is None or not may_go_back(*known, target, change.game, routines):
        raise Forbidden(N_("You cannot take a move back now."))
    return target, asks_for_undo(table, change.game, target)


def asked_for(seats: Sequence[Seat], asking: str | None, kind: str, target: int | None) -> set[str]:
    """The players who must agree. Once the player to be replaced is out of time, other late players are not asked."""
    asked = others(seats, asking)
    if _late(seats, kind, target):
        asked -= {str(seat.owner) for seat in seats if seat.late}
    return asked


def _late(seats: Sequence[Seat], kind: str, target: int | None) -> bool:
    """Whether the vote is to replace a player who is out of time."""
    return kind == REPLACE and target is not None and seats[target].late


def _until(
    change: TableTransaction, asking: str | None, kind: str, target: int | None
) -> datetime | None:
    """When silence counts as consent: where a late player holds up the game, it goes on even if others do not look
    in. They get the time of a move, and not while one of them is away."""
    hours, seats = change.table.move_hours, change.seats
    if hours is None or not _late(seats, kind, target):
        return None
    asked = asked_for(seats, asking, kind, target)
    away = [seat.away_until for seat in seats if seat.owner in asked and seat.away_until]
    return max([now(), *away]) + timedelta(hours=hours)


def is_agreed(seats: Sequence[Seat], consent: Consent, closed: Collection[str] = ()) -> bool:
    """Whether all players asked have agreed, apart from `closed` accounts."""
    asked = asked_for(seats, seats[consent.seat].owner, consent.kind, consent.target)
    return asked <= {*consent.agreed, *closed}


async def _closed(change: TableTransaction) -> set[str]:
    """Players whose accounts are closed: they can no longer answer."""
    owners = [seat.owner for seat in change.seats if is_account(seat.owner)]
    query = select(Account.id).where(Account.id.in_(owners), Account.closed_at.is_not(None))
    return set(await change.session.scalars(query))


def open_to(consents: Iterable[Consent], seats: Sequence[Seat], visitor: str) -> list[Consent]:
    """Votes in which a visitor still has to answer."""
    return [
        consent
        for consent in consents
        if visitor not in consent.agreed
        and visitor in asked_for(seats, seats[consent.seat].owner, consent.kind, consent.target)
    ]


async def carry_out_agreed(change: TableTransaction) -> None:
    """Carry out votes that nothing blocks any more: missing voters are late or were replaced."""
    query = select(Consent).where(Consent.table_id == change.table.id)
    closed = await _closed(change)
    for consent in list(await change.session.scalars(query.order_by(Consent.kind))):
        if is_agreed(change.seats, consent, closed):
            kind, seat, target, wish = consent.kind, consent.seat, consent.target, consent.wish
            await change.forget_consents(kind)
            await _carry_out(change, kind, seat, target, wish)
            return


async def begin_silence(change: TableTransaction, late: Collection[int]) -> None:
    """Start the time to answer if a player to be replaced has just run out of time, and notify the others."""
    consent = await change.session.get(Consent, (change.table.id, REPLACE))
    if consent is not None and consent.target in late:
        asking = change.seats[consent.seat].owner
        consent.due_at = _until(change, asking, REPLACE, consent.target)
        asked = asked_for(change.seats, asking, REPLACE, consent.target)
        change.asked_anew.update((one, REPLACE) for one in asked.difference(consent.agreed))


async def give_time(change: TableTransaction, visitor: str) -> list[Consent]:
    """Restart the time to answer for a player who is asked or comes back. Returns their open votes."""
    query = select(Consent).where(Consent.table_id == change.table.id).order_by(Consent.kind)
    asked = open_to(await change.session.scalars(query), change.seats, visitor)
    for consent in asked:
        asking = change.seats[consent.seat].owner
        until = _until(change, asking, consent.kind, consent.target)
        if consent.due_at is not None and until is not None:
            consent.due_at = max(consent.due_at, until)
    return asked


async def ask_newcomer(change: TableTransaction, visitor: str) -> None:
    """Notify a new player of the open votes."""
    if visitor not in change.before.owners:
        asked = await give_time(change, visitor)
        change.asked_anew.update((visitor, consent.kind) for consent in asked)


async def take_silence(tables: TableStore, table_id: str) -> None:
    """Carry out votes whose time to refuse is over, unless the late player came back."""
    async with tables.changing(table_id) as change:
        query = select(Consent).where(Consent.table_id == table_id, Consent.due_at <= now())
        consent = (await change.session.scalars(query)).first()
        if change.table.status != RUNNING or consent is None:
            change.silent = True
        elif _late(change.seats, consent.kind, consent.target):
            await _carry_out(change, consent.kind, consent.seat, consent.target, consent.wish)
        else:
            consent.due_at = None


async def _carry_out(
    change: TableTransaction, kind: str, seat: int, target: int | None, wish: str | None
) -> None:
    """Carry out a vote that passed."""
    if kind == REPLACE:
        assert target is not None
        await change.forget_consents(REPLACE)
        await replace_player(change, target, wish)
        await carry_out_agreed(change)
    elif kind == REDO:
        await change.note(REDO, seat, await change.redo())
    elif target is None:
        await change.end()
    else:
        await change.note(UNDO, seat, await change.rewind(target))


def undo_target(
    table: Table,
    seats: Sequence[Seat],
    moves: Sequence[tuple[int, bool]],
    visitor: str,
    game: Game | None,
) -> int | None:
    """The number of moves after undoing the last move; None if that is not allowed. `moves` has the seat of every
    move and whether it was automatic. Bot moves since a person's last move go with it, except where players may undo
    only their own last move."""
    for index in range(len(moves) - 1, -1, -1):
        seat, automatic = moves[index]
        if automatic or (seat != NOBODY and seats[seat].is_bot and table.undo != "own"):
            continue
        return index if may_go_back(table, seats, moves, visitor, index, game) else None
    return None


def own_target(
    table: Table,
    seats: Sequence[Seat],
    moves: Sequence[tuple[int, bool]],
    visitor: str,
    game: Game | None,
    routines: Sequence[int] = (),
) -> int | None:
    """The number of moves after undoing the visitor's own last move, or own turn that began to run by itself after so
    many moves (`routines`), and everything since; None if that is not allowed."""
    for index in range(len(moves) - 1, -1, -1):
        seat, automatic = moves[index]
        own = seat != NOBODY and seats[seat].owner == visitor
        if own and (not automatic or index in routines):
            known = (table, seats, moves, visitor)
            return index if may_go_back(*known, index, game, routines) else None
    return None


def may_go_back(
    table: Table,
    seats: Sequence[Seat],
    moves: Sequence[tuple[int, bool]],
    visitor: str,
    target: int,
    game: Game | None,
    routines: Sequence[int] = (),
) -> bool:
    """Whether the visitor may go back that far, or ask for it. The start of the game stays. Where players may undo
    only their own last move, all moves must be theirs, apart from automatic refusals of offers, and one of them made
    by hand, unless a turn of theirs began to run by itself there (`routines`)."""
    if table.status != RUNNING or table.undo == "none":
        return False
    if not table.given <= target < len(moves):
        return False
    own = {seat.number for seat in seats if seat.owner == visitor}
    if table.undo == "own":
        later = list(enumerate(moves[target:], target))
        theirs = [number for number, (seat, _) in later if seat not in own]
        # The most expensive check comes last.
        return (
            (target in routines or any(not automatic for _, (_, automatic) in later))
            and all(moves[number][1] for number in theirs)
            and all(_declines(game, number) for number in theirs)
        )
    return bool(own)


def _declines(game: Game | None, number: int) -> bool:
    """Whether the move after the first `number` only declined an offer."""
    if game is None or number >= len(game.moves):
        return False
    action = game.moves[number].action
    refusal = refusal_of(game.at(number), action.seat)
    return refusal is not None and refusal[1] == action


def asks_for_undo(table: Table, game: Game | None, target: int) -> bool:
    """Whether an undo to `target` moves needs consent: always where the table says so, and everywhere if hidden
    information was revealed since."""
    return table.undo == "ask" or (game is not None and game.has_shown(target))


def redo_asks(table: Table, seats: Sequence[Seat], redo: Redo, visitor: str) -> bool | None:
    """Whether the others must agree to a redo; None if it is not allowed. It follows the rules of the undo. A
    moderator needs no consent for what a player could not do."""
    if table.status != RUNNING or not redo.seats:
        return None
    own = {seat.number for seat in seats if seat.owner == visitor}
    theirs = table.undo == "own" and not own.issuperset(redo.by_hand)
    if own and table.undo != "none" and not theirs:
        return table.undo == "ask" or redo.shown
    return False if is_moderator(table, seats, visitor) else None
