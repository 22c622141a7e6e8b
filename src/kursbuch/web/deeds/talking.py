"""Talk, hand a seat on, take one's own again."""

from __future__ import annotations

import secrets
from datetime import timedelta

from sqlalchemy import func, select

from kursbuch.core.words import N_
from kursbuch.web.deeds import consents, replacing
from kursbuch.web.errors import Conflict, Forbidden, NotFound, Refused
from kursbuch.web.mentions import mentioned
from kursbuch.web.models import Chat, ChatRead, Seat, now
from kursbuch.web.policies import LOBBY, RUNNING
from kursbuch.web.snapshot import Snapshot
from kursbuch.web.tables import Tables

MAX_CHAT = 500

#: So many messages a person may write at a table within a day, so that nobody silences the others.
MAX_CHAT_LINES = 300
CHAT_DAY = timedelta(days=1)


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
        own = [one.number for one in change.seats if one.owner == visitor]
        written = await change.session.scalar(
            select(func.count())
            .select_from(Chat)
            .where(Chat.table_id == table_id, Chat.seat.in_(own), Chat.sent_at > now() - CHAT_DAY)
        )
        if (written or 0) >= MAX_CHAT_LINES:
            raise Refused(
                N_("You have written {count} messages here within a day: go on tomorrow."),
                count=written,
            )
        line = Chat(table_id=table_id, seat=seat.number, name=seat.name, text=text, sent_at=now())
        change.session.add(line)
        await change.session.flush()
        names = [one.name for one in change.seats]
        change.mentions = {
            number: line.id for number in mentioned(text, names) if number not in own
        }


async def mark_read(tables: Tables, table_id: str, visitor: str, last: int) -> None:
    """Note that a player has read the chat up to the message with this number."""
    snapshot = await tables.load(table_id)
    last = min(last, snapshot.chat[-1].id if snapshot.chat else 0)
    if not snapshot.seats_of(visitor) or last <= snapshot.read.get(visitor, 0):
        return
    async with tables.writing() as session:
        row = await session.get(ChatRead, (table_id, visitor), with_for_update=True)
        if row is None:
            session.add(ChatRead(table_id=table_id, owner=visitor, last=last))
        else:
            row.last = max(row.last, last)
    snapshot.read[visitor] = last


async def hand_on(tables: Tables, table_id: str, visitor: str, number: int) -> str:
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
        change.require(LOBBY, RUNNING)
        seat = change.seat(found.number)
        if seat.token != found.token:
            raise NotFound(N_("This link is no longer valid: ask for a new one."))
        given = seat.owner != visitor
        if given:
            replacing.check_sitter(change.table, change.seats, visitor)
            await replacing.part(change, seat)
            if change.table.status == RUNNING:
                await change.note(replacing.HANDED, seat.number)
            if seat.is_gone:
                seat.vacation = change.table.vacation
            seat.kind = "person"
        seat.owner, seat.seen_at = visitor, now()
        seat.token = None
        seat.facing = False
        if given and change.table.status == RUNNING:
            change.await_anew(seat.number)
            await consents.carry_out_agreed(change)
            await consents.ask_newcomer(change, visitor)


async def come_back(tables: Tables, table_id: str, visitor: str, number: int) -> None:
    """Take one's seat again, as long as no other person has it."""
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        seat = change.seat(number)
        if seat.former != visitor:
            raise Forbidden(N_("This seat was not yours."))
        if seat.owner is not None:
            raise Conflict(N_("Somebody else has taken this seat."))
        replacing.check_sitter(change.table, change.seats, visitor)
        await replacing.sit(change, seat, visitor, replacing.BACK)
        await consents.ask_newcomer(change, visitor)
