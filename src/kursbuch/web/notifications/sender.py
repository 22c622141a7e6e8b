"""Delivery of messages. Each message is taken by one server."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Protocol

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.web.background import Background, failed, noting
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import now
from kursbuch.web.http.errors import Unavailable
from kursbuch.web.notifications.models import Message
from kursbuch.web.ops.metrics import LETTERS

#: Letters handed in by other servers are noticed after so many seconds.
LOOK = 2.0

#: Whoever takes a letter has so long to send it.
LEASE = timedelta(minutes=3)

#: What became of a letter is noted again after so many seconds while the database is away.
AGAIN = 0.5

#: What a letter tells still holds when it is sent so soon.
FRESH = timedelta(seconds=30)

#: After a failure it is tried again after these minutes, then every day.
PAUSES = (1, 5, 15, 60, 180, 360, 720)
LAST_PAUSE = timedelta(days=1)

#: A letter that could not be sent for so long is given up.
GIVE_UP = timedelta(days=5)

#: What is done with is kept so long, so that its key is known.
KEPT = timedelta(days=60)

#: That is looked after so often, in seconds.
TIDY = 6 * 3600

#: So many letters of a channel are taken at once.
AT_ONCE = 8
log = logging.getLogger(__name__)


class Undelivered(Exception):
    """A letter could not be sent, and it is tried again; `after` so long if somebody said so."""

    def __init__(self, why: str, after: timedelta | None = None) -> None:
        super().__init__(why)
        self.after = after


class Refused(Undelivered):
    """A letter will never be taken by whoever it was sent to."""


class Gone(Refused):
    """There is nobody any more at the address of a letter."""


class Channel(Protocol):
    """A way letters are sent."""

    async def deliver(self, letter: Message) -> None:
        """Send a letter; raises `Undelivered` if that fails."""

    async def settled(self, session: AsyncSession, letter: Message, why: Exception | None) -> None:
        """Note what follows for the address of a letter: it was sent, or why it could not be."""


class Sender(Background):
    """Sends letters by the channels that are set up. What is being sent when it is stopped is sent again if it
    is not known to have arrived."""

    def __init__(self, database: Database, channels: Mapping[str, Channel]) -> None:
        self._database = database
        self.channels = channels
        self._woken = {channel: asyncio.Event() for channel in channels}
        #: Writes a letter anew that has waited, and says whether it is to be sent now.
        self.renew: Callable[[Message], Awaitable[bool]] | None = None

    async def start(self) -> None:
        """Begin to send, if there is any channel."""
        if self.channels:
            self._begin()

    def wake(self) -> None:
        """There may be a new letter."""
        for woken in self._woken.values():
            woken.set()

    async def round(self) -> int:
        """Send what is due now; returns how many letters were taken."""
        return sum(await asyncio.gather(*map(self._round, self.channels)))

    async def _round(self, channel: str) -> int:
        taken = await self._take(channel)
        await asyncio.gather(*(self._send(letter) for letter in taken))
        return len(taken)

    async def _run(self) -> None:
        # What does not answer by one channel holds up no other.
        await asyncio.gather(self._tidy(), *map(self._serve, self.channels))

    async def _serve(self, channel: str) -> None:
        while True:
            with noting(log, "Letters could not be sent."):
                while await self._round(channel):
                    pass
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._woken[channel].wait(), LOOK)
            self._woken[channel].clear()

    async def _take(self, channel: str) -> list[Message]:
        due = (Message.due_at <= now()) & (Message.channel == channel)
        # Only who finds something waits for the other writers.
        if not await self._database.glance(select(Message.id).where(due).limit(1)):
            return []
        # One of each address: many to one that does not answer must not hold up the others.
        first = select(func.min(Message.id)).where(due).group_by(Message.address)
        query = select(Message).where(due, Message.id.in_(first))
        query = query.order_by(Message.due_at, Message.id).limit(AT_ONCE)
        async with self._database.writing() as session:
            letters = list(await session.scalars(query.with_for_update(skip_locked=True)))
            for letter in letters:
                letter.due_at = now() + LEASE
                letter.attempts += 1
        return letters

    async def _send(self, letter: Message) -> None:
        channel = self.channels[letter.channel]
        why: Exception | None = None
        try:
            waited = letter.told and letter.made_at < now() - FRESH
            if waited and self.renew is not None and not await self.renew(letter):
                return
            await asyncio.wait_for(channel.deliver(letter), LEASE.total_seconds() / 2)
        except TimeoutError:
            why = Undelivered("no answer")
        except Undelivered as error:
            why = error
        except Unavailable:
            why = Undelivered("the database was away")  # that is in the log already
        except Exception as error:
            failed(log, "The letter %s could not be sent.", letter.key)
            why = error
        await self._note(letter, why)

    async def _note(self, letter: Message, why: Exception | None) -> None:
        """Note what became of a letter; while the database is away, as long as nobody else sends it."""
        until = now() + LEASE / 2
        while True:
            try:
                return await self._noted(letter, why)
            except Unavailable:
                if now() > until:
                    raise
                await asyncio.sleep(AGAIN)

    async def _noted(self, letter: Message, why: Exception | None) -> None:
        async with self._database.writing() as session:
            row = await session.get(Message, letter.id, with_for_update=True)
            if row is None or row.attempts != letter.attempts:
                return  # deleted, or taken by somebody else because this took too long
            await self.channels[letter.channel].settled(session, letter, why)
            if why is None:
                _done(row)
                row.sent_at = now()
                row.error = ""
                LETTERS.labels(row.channel, "sent").inc()
                return
            row.error = str(why)[:500]
            if isinstance(why, Refused) or row.made_at < now() - GIVE_UP:
                log.warning("The letter %s is given up: %s", row.key, row.error)
                _done(row)
                row.failed_at = now()
                LETTERS.labels(row.channel, "given up").inc()
            else:
                after = why.after if isinstance(why, Undelivered) else None
                row.due_at = now() + (after or pause(row.attempts))
                LETTERS.labels(row.channel, "put off").inc()

    async def _tidy(self) -> None:
        """Forget what has long been done with, now and then."""
        while True:
            with noting(log, "Letters could not be forgotten."):
                over = Message.due_at.is_(None) & (Message.made_at < now() - KEPT)
                async with self._database.writing() as session:
                    await session.execute(delete(Message).where(over))
            await asyncio.sleep(TIDY)


def pause(attempts: int) -> timedelta:
    """How long to wait after so many failures.

    >>> [str(pause(count)) for count in (1, 2, 99)]
    ['0:01:00', '0:05:00', '1 day, 0:00:00']
    """
    return timedelta(minutes=PAUSES[attempts - 1]) if attempts <= len(PAUSES) else LAST_PAUSE


def _done(row: Message) -> None:
    """What a letter said need not be kept, only that there was one."""
    row.due_at = None
    row.text = row.html = ""
    row.attachments = []
    row.told = []
    row.headers = {}


async def counts(database: Database) -> dict[str, int]:
    """How many letters wait, were sent and were given up, of those that are still known."""
    waiting = Message.due_at.is_not(None)
    rows = await database.glance(
        select(
            func.count().filter(waiting),
            func.count().filter(Message.sent_at.is_not(None)),
            func.count().filter(Message.failed_at.is_not(None)),
        )
    )
    return dict(zip(("waiting", "sent", "failed"), rows[0], strict=True))
