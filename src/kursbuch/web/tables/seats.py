"""Handing a seat over and taking it back."""

from __future__ import annotations

import secrets

from kursbuch.core.words import N_
from kursbuch.web.db.models import Seat, now
from kursbuch.web.http.errors import Conflict, Forbidden, NotFound
from kursbuch.web.tables import replacements, votes
from kursbuch.web.tables.policies import LOBBY, RUNNING
from kursbuch.web.tables.snapshot import Snapshot
from kursbuch.web.tables.store import TableStore


async def hand_on(tables: TableStore, table_id: str, visitor: str, number: int) -> str:
    """Make a link by which somebody else takes the seat over, one's own or one that is gone; returns its
    secret part."""
    async with tables.changing(table_id) as change:
        change.require(LOBBY, RUNNING)
        gone = change.seat(number).is_gone
        seat = change.seat(number) if gone else change.own_seat(number, visitor)
        if gone:
            change.any_own_seat(visitor)
        change.answer = seat.token = secrets.token_urlsafe(18)
        return seat.token


async def find_token(tables: TableStore, table_id: str, token: str) -> tuple[Snapshot, Seat]:
    """The seat a hand-on link is for."""
    snapshot = await tables.load(table_id)
    for seat in snapshot.seats:
        if seat.token is not None and secrets.compare_digest(seat.token.encode(), token.encode()):
            return snapshot, seat
    raise NotFound(N_("This link is no longer valid: ask for a new one."))


async def take_over(tables: TableStore, table_id: str, visitor: str, token: str) -> None:
    """Take over the seat of a hand-on link, which then is used up."""
    _, found = await find_token(tables, table_id, token)
    async with tables.changing(table_id) as change:
        change.require(LOBBY, RUNNING)
        seat = change.seat(found.number)
        if seat.token != found.token:
            raise NotFound(N_("This link is no longer valid: ask for a new one."))
        given = seat.owner != visitor
        if given:
            replacements.check_sitter(change.table, change.seats, visitor)
            await replacements.part(change, seat)
            if change.table.status == RUNNING:
                await change.note(replacements.HANDED, seat.number)
            if seat.is_gone:
                seat.vacation = change.table.vacation
            seat.kind = "person"
        seat.owner, seat.seen_at = visitor, now()
        seat.token = None
        seat.facing = False
        if given and change.table.status == RUNNING:
            change.await_anew(seat.number)
            await votes.carry_out_agreed(change)
            await votes.ask_newcomer(change, visitor)


async def come_back(tables: TableStore, table_id: str, visitor: str, number: int) -> None:
    """Take one's seat again, as long as no other person has it."""
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        seat = change.seat(number)
        if seat.former != visitor:
            raise Forbidden(N_("This seat was not yours."))
        if seat.owner is not None:
            raise Conflict(N_("Somebody else has taken this seat."))
        replacements.check_sitter(change.table, change.seats, visitor)
        await replacements.sit(change, seat, visitor, replacements.BACK)
        await votes.ask_newcomer(change, visitor)
