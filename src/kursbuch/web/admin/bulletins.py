"""Announcements on every page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.words import N_
from kursbuch.web.admin.audit import Actor, note
from kursbuch.web.admin.models import Bulletin
from kursbuch.web.db.models import now
from kursbuch.web.http.errors import NotFound, Refused
from kursbuch.web.tables.store import TableStore

MOST_TEXT = 500
MOST_HOURS = 24 * 90

#: What a browser has closed, by number.
CLOSED_COOKIE = "kursbuch_closed"
MOST_CLOSED = 20


async def announce(tables: TableStore, actor: Actor, text: str, hours: int) -> Bulletin:
    """Show a message on every page for so many hours."""
    text = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    if not text:
        raise Refused(N_("A message must not be empty."))
    if len(text) > MOST_TEXT:
        raise Refused(N_("The message is too long (at most {most} characters)."), most=MOST_TEXT)
    if not 1 <= hours <= MOST_HOURS:
        raise Refused(
            N_("An announcement is shown for {low} to {high} hours."), low=1, high=MOST_HOURS
        )
    async with tables.refusing(), tables.database.writing() as session:
        made = Bulletin(text=text, until=now() + timedelta(hours=hours))
        session.add(made)
        note(session, actor, "announce", text, hours=hours)
    return made


async def withdraw(tables: TableStore, actor: Actor, number: int) -> None:
    """Show a message no more."""
    async with tables.refusing(), tables.database.writing() as session:
        found = await session.get(Bulletin, number)
        if found is None:
            raise NotFound(N_("There is no such announcement."))
        await session.delete(found)
        note(session, actor, "withdraw", found.text)


async def shown(session: AsyncSession) -> Sequence[Bulletin]:
    """The messages that are shown, the newest first."""
    query = select(Bulletin).where(Bulletin.until > now()).order_by(Bulletin.id.desc())
    return list(await session.scalars(query))


def visible(bulletins: Sequence[Bulletin], closed: str, at: datetime) -> list[Bulletin]:
    """Those of the messages that have not run out, and that a browser has not closed."""
    gone = set(closed.split("."))
    return [one for one in bulletins if one.until > at and str(one.id) not in gone]


def with_closed(closed: str, number: int) -> str:
    """The cookie of a browser that has closed another message.

    >>> with_closed("3.5", 7), with_closed("", 7), with_closed("7", 7), with_closed("x.1", 2)
    ('3.5.7', '7', '7', '1.2')
    """
    known = [name for name in closed.split(".") if name.isdecimal() and name != str(number)]
    return ".".join([*known, str(number)][-MOST_CLOSED:])
