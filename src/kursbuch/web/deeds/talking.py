"""Talk, hand a seat on, be there."""

from __future__ import annotations

import secrets

from sqlalchemy import func, select, update

from kursbuch.core.words import N_
from kursbuch.web.errors import NotFound, Refused
from kursbuch.web.models import Chat, Seat, now
from kursbuch.web.policies import LOBBY, PRESENT, RUNNING
from kursbuch.web.snapshot import Snapshot
from kursbuch.web.tables import Tables

MAX_CHAT = 500
MAX_CHAT_LINES = 1000


async def say(tables: Tables, table_id: str, visitor: str, text: str) -> None:
    """Write a chat message."""
    text = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    if not text:
        raise Refused(N_("A message must not be empty."))
    if len(text) > MAX_CHAT:
        raise Refused(
            N_("The message is too long; at most {most} characters are possible."),
            most=MAX_CHAT,
        )
    async with tables.changing(table_id) as change:
        seat = change.any_own_seat(visitor)
        written = await change.session.scalar(
            select(func.count()).select_from(Chat).where(Chat.table_id == table_id)
        )
        if (written or 0) >= MAX_CHAT_LINES:
            raise Refused(N_("There are too many messages at this table."))
        change.session.add(Chat(table_id=table_id, seat=seat.number, text=text, sent_at=now()))


async def hand_on(tables: Tables, table_id: str, visitor: str, number: int) -> str:
    """Make a link by which somebody else takes the seat over; returns its secret part."""
    async with tables.changing(table_id) as change:
        change.require(LOBBY, RUNNING)
        seat = change.own_seat(number, visitor)
        seat.token = secrets.token_urlsafe(18)
        return seat.token


async def find_token(tables: Tables, table_id: str, token: str) -> tuple[Snapshot, Seat]:
    """The seat a hand-on link is for."""
    snapshot = await tables.load(table_id)
    for seat in snapshot.seats:
        if seat.token is not None and secrets.compare_digest(seat.token.encode(), token.encode()):
            return snapshot, seat
    raise NotFound(N_("This link is no longer valid: ask for a new one."))


async def take_over(tables: Tables, table_id: str, visitor: str, token: str) -> None:
    """Take over the seat of a hand-on link, which then is used up."""
    _, found = await find_token(tables, table_id, token)
    async with tables.changing(table_id) as change:
        seat = change.seat(found.number)
        if seat.token != found.token:
            raise NotFound(N_("This link is no longer valid: ask for a new one."))
        seat.owner = visitor
        seat.token = None
        seat.facing = False


async def seen(tables: Tables, table_id: str, visitor: str) -> None:
    """Note that a player is looking at the table. Coming back is a change that others see."""
    own = (Seat.table_id == table_id) & (Seat.owner == visitor)
    async with tables.refusing():
        async with tables.database.reading() as session:
            heard = list(await session.scalars(select(Seat.seen_at).where(own)))
        if not heard:
            return
        if any(moment is None or moment < now() - PRESENT for moment in heard):
            async with tables.changing(table_id) as change:
                for seat in change.seats:
                    if seat.owner == visitor:
                        seat.seen_at = now()
            return
        async with tables.database.writing() as session:
            await session.execute(update(Seat).where(own).values(seen_at=now()))
