"""Notification channels and their background tasks."""

from __future__ import annotations

import asyncio
import logging
import secrets
from datetime import timedelta
from email.utils import parseaddr

from jinja2 import Environment

from kursbuch.core.errors import KursbuchError
from kursbuch.web.admin import keys
from kursbuch.web.admin.keys import Ring
from kursbuch.web.background import Background, noting
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import now
from kursbuch.web.notifications.imap import Mailbox
from kursbuch.web.notifications.links import Links
from kursbuch.web.notifications.mail_replies import ReplyReader
from kursbuch.web.notifications.notices import Notices
from kursbuch.web.notifications.notifier import Notifier
from kursbuch.web.notifications.outbox import MAIL, PUSH, WEBHOOK
from kursbuch.web.notifications.push import Push
from kursbuch.web.notifications.sender import Channel, Sender
from kursbuch.web.notifications.smtp import Smtp, smtp_server
from kursbuch.web.notifications.webhooks import Webhooks
from kursbuch.web.settings import NotificationSettings
from kursbuch.web.tables.store import TableStore

#: How often the keys of links are read, in seconds; well below `keys.READ_FIRST`.
EVERY = 10.0
log = logging.getLogger(__name__)


class LinkKeys(Background):
    """Has `links` signed by the keys of the database, which may be followed by others while servers run."""

    def __init__(self, database: Database, links: Links) -> None:
        self._database = database
        self._links = links
        self._ring: Ring | None = None

    async def start(self) -> None:
        """Read them, and go on doing so."""
        await self.refresh()
        self._begin()

    async def refresh(self) -> None:
        """Read them now."""
        self._ring = await keys.read(self._database, keys.LINKS)
        self._sign()

    def _sign(self) -> None:
        if self._ring is not None:
            self._links.keys = self._ring.at(now())

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            with noting(log, "The keys of links could not be read."):
                await self.refresh()
            self._sign()  # keys that are known come into their time also while the database is away


class Notifications:
    """What tells people things on this server, which is found at `address`."""

    def __init__(
        self, tables: TableStore, settings: NotificationSettings, pages: Environment, address: str
    ) -> None:
        self.address = address
        self.replies = parseaddr(settings.replies)[1] or settings.replies
        self.push: Push | None = None
        self._tables = tables
        channels: dict[str, Channel] = {}
        private = settings.webhooks == "private"
        if settings.smtp:
            if not settings.sender:
                raise KursbuchError("Mails need the address they come from: KURSBUCH_MAIL_FROM.")
            channels[MAIL] = Smtp(smtp_server(settings.smtp), settings.sender, self.replies)
        if settings.push:
            self.push = channels[PUSH] = Push(tables.database, settings.push, private)
        if settings.webhooks:
            channels[WEBHOOK] = Webhooks(tables.database, private)
        self.private = private
        self.reader = ReplyReader(tables)
        self.mailbox = Mailbox(tables.database, settings.imap) if settings.imap else None
        if self.replies and "@" not in self.replies:
            raise KursbuchError(
                "The address for answers is given as name@host; this is not: {given}.",
                given=repr(settings.replies),
            )
        self.links = Links(secrets.token_urlsafe(32))
        self.link_keys = LinkKeys(tables.database, self.links)
        self.sender = Sender(tables.database, channels)
        self.notifier = Notifier(tables, self.sender, pages, address, self.replies)
        #: What is noted with every change; without an address no letter could say where the table is.
        self.notices: Notices | None = None
        if channels and address:
            self.notices = Notices(channels, timedelta(seconds=settings.pause))
            tables.keepers.append(self.notices.keep)
        elif channels:
            log.warning("Without KURSBUCH_ADDRESS nobody is told what happens at the tables.")

    @property
    def channels(self) -> tuple[str, ...]:
        """The channels by which people can be told of tables."""
        return tuple(self.sender.channels) if self.notices is not None else ()

    @property
    def mails(self) -> bool:
        """Whether mails can be sent."""
        return MAIL in self.sender.channels

    async def start(self) -> None:
        """Begin to send and to receive."""
        if self.sender.channels or self.mailbox is not None:
            await self._prepare()

    async def _prepare(self) -> None:
        await self.link_keys.start()
        if self.push is not None:
            await self.push.prepare()
        smtp = self.sender.channels.get(MAIL)
        if isinstance(smtp, Smtp):
            smtp.links = self.links
        await self.sender.start()
        if self.notices is not None:
            await self.notifier.start(self.links)
        if self.replies:
            await self.reader.start(self.links)
        if self.mailbox is not None:
            await self.mailbox.start()

    async def stop(self) -> None:
        """Stop sending and receiving."""
        if self.mailbox is not None:
            await self.mailbox.stop()
        await self.reader.stop()
        await self.notifier.stop()
        await self.sender.stop()
        await self.link_keys.stop()
