"""The outbox: messages are stored with the change that causes them, and delivered later."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol

import msgspec
from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.web.background import Background, failed, noting
from kursbuch.web.db.database import Database, upsert
from kursbuch.web.db.models import now
from kursbuch.web.http.errors import Unavailable
from kursbuch.web.notifications.models import Message
from kursbuch.web.ops.metrics import LETTERS

MAIL, PUSH, WEBHOOK = "mail", "push", "webhook"
#: Start of the key of messages that invite to a table.
INVITATION = "invitation"


class Attachment(msgspec.Struct, frozen=True):
    """An attached file; `cid` is the name by which the HTML shows it."""

    name: str
    content: bytes
    kind: str = "application/octet-stream"
    cid: str = ""

    def packed(self) -> dict[str, str]:
        """Return the file as it is stored."""
        data = base64.b64encode(self.content).decode()
        return {"name": self.name, "kind": self.kind, "cid": self.cid, "content": data}


class NewMessage(msgspec.Struct, frozen=True):
    """A message for an address of a channel.

    A second message with the same `key` is dropped. Without `due_at` it is sent at once. `told` are
    the notices it is about."""

    key: str
    channel: str
    to: str
    subject: str = ""
    text: str = ""
    html: str = ""
    attachments: tuple[Attachment, ...] = ()
    headers: Mapping[str, str] = msgspec.field(default_factory=dict)
    table_id: str | None = None
    account_id: str | None = None
    due_at: datetime | None = None
    told: Sequence[dict[str, Any]] = ()

    def said(self) -> dict[str, Any]:
        """Return the contents as they are stored."""
        return {
            "address": self.to,
            "subject": self.subject,
            "text": self.text,
            "html": self.html,
            "attachments": [attachment.packed() for attachment in self.attachments],
            "headers": dict(self.headers),
            "told": list(self.told),
            "table_id": self.table_id,
        }


async def enqueue(session: AsyncSession, message: NewMessage) -> None:
    """Store a message in the outbox, within the transaction that causes it."""
    moment = now()
    values = {
        "key": message.key,
        "channel": message.channel,
        **message.said(),
        "account_id": message.account_id,
        "made_at": moment,
        "due_at": message.due_at or moment,
        "attempts": 0,
        "error": "",
    }
    await session.execute(
        upsert(session, Message).values(values).on_conflict_do_nothing(index_elements=["key"])
    )


async def withdraw_invitations(
    session: AsyncSession, *which: ColumnElement[bool], number: int = 0
) -> None:
    """Delete unsent messages about invitations, or only about the one with this number."""
    about = f"{INVITATION}:{number}:" if number else f"{INVITATION}:"
    waiting = Message.due_at.is_not(None) & Message.key.startswith(about)
    await session.execute(delete(Message).where(waiting, *which))


#: How often messages of other processes are looked for, in seconds.
POLL_INTERVAL = 2.0

#: Time in which a process must send a message it has taken.
LEASE = timedelta(minutes=3)

#: How often the result is noted again while the database is away, in seconds.
NOTE_INTERVAL = 0.5

#: Age from which a message is checked again before it is sent.
FRESH = timedelta(seconds=30)

#: Minutes before each retry, after which it is tried daily.
RETRY_MINUTES = (1, 5, 15, 60, 180, 360, 720)
LAST_RETRY_PAUSE = timedelta(days=1)

#: Age at which an undelivered message is given up.
GIVE_UP = timedelta(days=5)

#: How long finished messages are kept, so that their keys are known.
KEEP_DONE = timedelta(days=60)

#: How often old messages are deleted, in seconds.
TIDY_INTERVAL = 6 * 3600

#: Maximum number of messages of a channel taken at once.
BATCH = 8
log = logging.getLogger(__name__)


class Undelivered(Exception):
    """A message could not be sent and is tried again, `after` a delay if the receiver named one."""

    def __init__(self, why: str, after: timedelta | None = None) -> None:
        super().__init__(why)
        self.after = after


class Rejected(Undelivered):
    """A message is refused for good."""


class Gone(Rejected):
    """The address of a message no longer exists."""


class Channel(Protocol):
    """A way to deliver messages."""

    async def deliver(self, message: Message) -> None:
        """Deliver a message, or raise `Undelivered`."""

    async def settled(self, session: AsyncSession, message: Message, why: Exception | None) -> None:
        """Note what a delivery, or its failure, means for the address."""


class Outbox(Background):
    """Hands stored messages to their channels, each to one process.

    A message interrupted by a shutdown is sent again unless it is known to have arrived."""

    def __init__(self, database: Database, channels: Mapping[str, Channel]) -> None:
        self._database = database
        self.channels = channels
        self._woken = {channel: asyncio.Event() for channel in channels}
        #: Writes a delayed message again, and says whether to send it.
        self.renew: Callable[[Message], Awaitable[bool]] | None = None

    async def start(self) -> None:
        """Start sending, if there is a channel."""
        if self.channels:
            self._begin()

    def wake(self) -> None:
        """Look for new messages at once."""
        for woken in self._woken.values():
            woken.set()

    async def round(self) -> int:
        """Send what is due now; return the number of messages."""
        return sum(await asyncio.gather(*map(self._round, self.channels)))

    async def _round(self, channel: str) -> int:
        taken = await self._take(channel)
        await asyncio.gather(*(self._send(message) for message in taken))
        return len(taken)

    async def _run(self) -> None:
        # A channel that does not answer holds up no other.
        await asyncio.gather(self._tidy(), *map(self._serve, self.channels))

    async def _serve(self, channel: str) -> None:
        while True:
            with noting(log, "Messages could not be sent."):
                while await self._round(channel):
                    pass
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._woken[channel].wait(), POLL_INTERVAL)
            self._woken[channel].clear()

    async def _take(self, channel: str) -> list[Message]:
        due = (Message.due_at <= now()) & (Message.channel == channel)
        # Only if there are any, wait for other writers.
        if not await self._database.glance(select(Message.id).where(due).limit(1)):
            return []
        # One of each address: a dead one must not hold up others.
        first = select(func.min(Message.id)).where(due).group_by(Message.address)
        query = select(Message).where(due, Message.id.in_(first))
        query = query.order_by(Message.due_at, Message.id).limit(BATCH)
        async with self._database.writing() as session:
            messages = list(await session.scalars(query.with_for_update(skip_locked=True)))
            for message in messages:
                message.due_at = now() + LEASE
                message.attempts += 1
        return messages

    async def _send(self, message: Message) -> None:
        channel = self.channels[message.channel]
        why: Exception | None = None
        try:
            waited = message.told and message.made_at < now() - FRESH
            if waited and self.renew is not None and not await self.renew(message):
                return
            await asyncio.wait_for(channel.deliver(message), LEASE.total_seconds() / 2)
        except TimeoutError:
            why = Undelivered("no answer")
        except Undelivered as error:
            why = error
        except Unavailable:
            why = Undelivered("the database was away")  # it is in the log already
        except Exception as error:
            failed(log, "The message %s could not be sent.", message.key)
            why = error
        await self._note(message, why)

    async def _note(self, message: Message, why: Exception | None) -> None:
        """Note the result of a message; while the database is away, for as long as the lease lasts."""
        until = now() + LEASE / 2
        while True:
            try:
                return await self._noted(message, why)
            except Unavailable:
                if now() > until:
                    raise
                await asyncio.sleep(NOTE_INTERVAL)

    async def _noted(self, message: Message, why: Exception | None) -> None:
        async with self._database.writing() as session:
            row = await session.get(Message, message.id, with_for_update=True)
            if row is None or row.attempts != message.attempts:
                return  # deleted, or taken by another process because this took too long
            await self.channels[message.channel].settled(session, message, why)
            if why is None:
                _clear(row)
                row.sent_at = now()
                row.error = ""
                LETTERS.labels(row.channel, "sent").inc()
                return
            row.error = str(why)[:500]
            if isinstance(why, Rejected) or row.made_at < now() - GIVE_UP:
                log.warning("The message %s is given up: %s", row.key, row.error)
                _clear(row)
                row.failed_at = now()
                LETTERS.labels(row.channel, "given up").inc()
            else:
                after = why.after if isinstance(why, Undelivered) else None
                row.due_at = now() + (after or retry_pause(row.attempts))
                LETTERS.labels(row.channel, "put off").inc()

    async def _tidy(self) -> None:
        """Delete old messages now and then."""
        while True:
            with noting(log, "Old messages could not be deleted."):
                over = Message.due_at.is_(None) & (Message.made_at < now() - KEEP_DONE)
                async with self._database.writing() as session:
                    await session.execute(delete(Message).where(over))
            await asyncio.sleep(TIDY_INTERVAL)


def retry_pause(attempts: int) -> timedelta:
    """Return the delay after a number of failures.

    >>> [str(retry_pause(count)) for count in (1, 2, 99)]
    ['0:01:00', '0:05:00', '1 day, 0:00:00']
    """
    return (
        timedelta(minutes=RETRY_MINUTES[attempts - 1])
        if attempts <= len(RETRY_MINUTES)
        else LAST_RETRY_PAUSE
    )


def _clear(row: Message) -> None:
    """Clear what a message said; only its key is kept."""
    row.due_at = None
    row.text = row.html = ""
    row.attachments = []
    row.told = []
    row.headers = {}


async def count_messages(database: Database) -> dict[str, int]:
    """Count the waiting, sent and failed messages that are still stored."""
    waiting = Message.due_at.is_not(None)
    rows = await database.glance(
        select(
            func.count().filter(waiting),
            func.count().filter(Message.sent_at.is_not(None)),
            func.count().filter(Message.failed_at.is_not(None)),
        )
    )
    return dict(zip(("waiting", "sent", "failed"), rows[0], strict=True))
