"""Announcements on every page, and the state of the site that each process refreshes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.words import N_
from kursbuch.web.admin import keys
from kursbuch.web.admin.audit import Actor, note
from kursbuch.web.admin.keys import Ring
from kursbuch.web.admin.models import Bulletin
from kursbuch.web.background import Background, noting
from kursbuch.web.db.models import now
from kursbuch.web.http.errors import NotFound, Refused
from kursbuch.web.http.security import Signer
from kursbuch.web.tables.store import TableStore

MAX_TEXT = 500
MAX_HOURS = 24 * 90

#: Cookie with the numbers of announcements that a browser has closed.
CLOSED_COOKIE = "kursbuch_closed"
MAX_CLOSED = 20


async def announce(tables: TableStore, actor: Actor, text: str, hours: int) -> Bulletin:
    """Show an announcement on every page for a number of hours."""
    text = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    if not text:
        raise Refused(N_("A message must not be empty."))
    if len(text) > MAX_TEXT:
        raise Refused(
            N_("The message is too long; at most {most} characters are possible."), most=MAX_TEXT
        )
    if not 1 <= hours <= MAX_HOURS:
        raise Refused(
            N_("An announcement can be shown for {low} to {high} hours."), low=1, high=MAX_HOURS
        )
    async with tables.refusing(), tables.database.writing() as session:
        made = Bulletin(text=text, until=now() + timedelta(hours=hours))
        session.add(made)
        note(session, actor, "announce", text, hours=hours)
    return made


async def withdraw(tables: TableStore, actor: Actor, number: int) -> None:
    """Withdraw an announcement."""
    async with tables.refusing(), tables.database.writing() as session:
        found = await session.get(Bulletin, number)
        if found is None:
            raise NotFound(N_("There is no such announcement."))
        await session.delete(found)
        note(session, actor, "withdraw", found.text)


async def shown_bulletins(session: AsyncSession) -> Sequence[Bulletin]:
    """Return the current announcements, the newest first."""
    query = select(Bulletin).where(Bulletin.until > now()).order_by(Bulletin.id.desc())
    return list(await session.scalars(query))


def visible_bulletins(bulletins: Sequence[Bulletin], closed: str, at: datetime) -> list[Bulletin]:
    """Return the announcements that have not expired and that the browser has not closed."""
    gone = set(closed.split("."))
    return [one for one in bulletins if one.until > at and str(one.id) not in gone]


def with_closed(closed: str, number: int) -> str:
    """Return the cookie of a browser that closes another announcement.

    >>> with_closed("3.5", 7), with_closed("", 7), with_closed("7", 7), with_closed("x.1", 2)
    ('3.5.7', '7', '7', '1.2')
    """
    known = [name for name in closed.split(".") if name.isdecimal() and name != str(number)]
    return ".".join([*known, str(number)][-MAX_CLOSED:])


#: How often the state is read, in seconds; well below `keys.SIGN_DELAY`.
REFRESH_INTERVAL = 10.0
log = logging.getLogger(__name__)


class SiteState(Background):
    """Current announcements and signing keys.

    `given` are keys from outside the database, the signing one first."""

    def __init__(self, tables: TableStore, given: Sequence[str] = ()) -> None:
        self._tables = tables
        self._given = list(given)
        self.bulletins: Sequence[Bulletin] = ()
        self.signer = Signer(self._given[::-1])
        self._ring: Ring | None = None

    def require_own_keys(self) -> None:
        """Refuse to change keys from outside the database."""
        if self._given:
            raise keys.external_key_error()

    async def start(self) -> None:
        """Read the state, and keep reading it."""
        if not self._given:
            self._ring = await keys.read_keys(self._tables.database)
            self._sign()
        await self.refresh()
        self._begin()

    async def refresh(self) -> None:
        """Read the state now."""
        async with self._tables.refusing(), self._tables.database.reading() as session:
            self.bulletins = await shown_bulletins(session)
            if self._ring is not None:
                self._ring = await keys.key_ring(session, self._ring.keys[0].secret)
        self._sign()

    def _sign(self) -> None:
        if self._ring is not None:
            self.signer.keys = self._ring.at(now())

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(REFRESH_INTERVAL)
            with noting(log, "Announcements and keys could not be read."):
                await self.refresh()
            self._sign()  # known keys become valid in time even while the database is away
