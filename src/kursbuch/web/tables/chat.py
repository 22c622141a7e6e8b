"""Table chat."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import func, select

from kursbuch.core.words import N_
from kursbuch.web.db.models import Chat, ChatRead, now
from kursbuch.web.http.errors import Refused
from kursbuch.web.tables.mentions import mentioned
from kursbuch.web.tables.store import TableStore

MAX_CHAT = 500

#: So many messages a person may write at a table within a day, so that nobody silences the others.
MAX_CHAT_LINES = 300
CHAT_DAY = timedelta(days=1)


async def say(tables: TableStore, table_id: str, visitor: str, text: str) -> None:
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


async def mark_read(tables: TableStore, table_id: str, visitor: str, last: int) -> None:
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
