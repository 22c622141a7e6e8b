"""The notification service: its channels and background tasks."""

from __future__ import annotations

import asyncio
import logging
import secrets
from datetime import timedelta
from email.utils import parseaddr

import msgspec
from jinja2 import Environment

from kursbuch.core.errors import KursbuchError
from kursbuch.web import environment
from kursbuch.web.admin import keys
from kursbuch.web.admin.keys import Ring
from kursbuch.web.background import Background, noting
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import now
from kursbuch.web.notifications.composer import Composer
from kursbuch.web.notifications.delivery import (
    PushChannel,
    SmtpChannel,
    WebhookChannel,
    smtp_server,
)
from kursbuch.web.notifications.links import Links
from kursbuch.web.notifications.mail_replies import Mailbox, ReplyReader
from kursbuch.web.notifications.notifier import Notifier
from kursbuch.web.notifications.outbox import MAIL, PUSH, WEBHOOK, Channel, Outbox
from kursbuch.web.tables.store import TableStore

#: How often the keys of links are read, in seconds; well below `keys.SIGN_DELAY`.
EVERY = 10.0

#: At a table where people play together, they are told after so many seconds that it is their turn.
PAUSE = 300
log = logging.getLogger(__name__)


class NotificationSettings(msgspec.Struct, frozen=True):
    """How people are told things. `smtp` is the mail server (`smtp://user:password@host:587`), `sender` the
    address mails come from, `replies` the one they are answered to, `imap` the mailbox that gets the answers
    (`imaps://user:password@host/INBOX`), if no mail server pipes them here. `push` switches Web Push on: it is the
    address of whoever runs the server. `webhooks` is "on", or "private" if they may lead into the
    server's own network. Who plays live is told after `pause` seconds."""

    smtp: str = ""
    sender: str = ""
    replies: str = ""
    imap: str = ""
    push: str = ""
    webhooks: str = ""
    pause: int = PAUSE

    @classmethod
    def from_environment(cls) -> NotificationSettings:
        """The settings in the variables KURSBUCH_SMTP, _MAIL_FROM, _MAIL_REPLIES, _IMAP, _PUSH, _WEBHOOKS and
        _NOTICE_PAUSE."""
        pause = environment.number("KURSBUCH_NOTICE_PAUSE")
        webhooks = environment.word("KURSBUCH_WEBHOOKS", ("off", "on", "private"))
        return cls(
            smtp=environment.text("KURSBUCH_SMTP"),
            sender=environment.text("KURSBUCH_MAIL_FROM"),
            replies=environment.text("KURSBUCH_MAIL_REPLIES"),
            imap=environment.text("KURSBUCH_IMAP"),
            push=environment.text("KURSBUCH_PUSH"),
            webhooks="" if webhooks == "off" else webhooks,
            pause=PAUSE if pause is None else pause,
        )


class LinkKeys(Background):
    """Keeps the keys of `links` equal to those of the database, which may rotate."""

    def __init__(self, database: Database, links: Links) -> None:
        self._database = database
        self._links = links
        self._ring: Ring | None = None

    async def start(self) -> None:
        """Read the keys, and keep reading them."""
        await self.refresh()
        self._begin()

    async def refresh(self) -> None:
        """Read the keys now."""
        self._ring = await keys.read_keys(self._database, keys.LINKS)
        self._sign()

    def _sign(self) -> None:
        if self._ring is not None:
            self._links.keys = self._ring.at(now())

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            with noting(log, "The keys of links could not be read."):
                await self.refresh()
            self._sign()  # known keys become valid in time even while the database is away


class Notifications:
    """The notification service of a server at `address`."""

    def __init__(
        self, tables: TableStore, settings: NotificationSettings, pages: Environment, address: str
    ) -> None:
        self.address = address
        self.replies = parseaddr(settings.replies)[1] or settings.replies
        self.push: PushChannel | None = None
        self._tables = tables
        channels: dict[str, Channel] = {}
        private = settings.webhooks == "private"
        if settings.smtp:
            if not settings.sender:
                raise KursbuchError("Set KURSBUCH_MAIL_FROM to the address mails are sent from.")
            channels[MAIL] = SmtpChannel(smtp_server(settings.smtp), settings.sender, self.replies)
        if settings.push:
            self.push = channels[PUSH] = PushChannel(tables.database, settings.push, private)
        if settings.webhooks:
            channels[WEBHOOK] = WebhookChannel(tables.database, private)
        self.private = private
        self.reader = ReplyReader(tables)
        self.mailbox = Mailbox(tables.database, settings.imap) if settings.imap else None
        if self.replies and "@" not in self.replies:
            raise KursbuchError(
                "The reply address must look like name@host, not {given}.",
                given=repr(settings.replies),
            )
        self.links = Links(secrets.token_urlsafe(32))
        self.link_keys = LinkKeys(tables.database, self.links)
        self.outbox = Outbox(tables.database, channels)
        self.composer = Composer(tables, self.outbox, pages, address, self.replies)
        #: Records notices with every change; without an address no message could link to a table.
        self.notifier: Notifier | None = None
        if channels and address:
            self.notifier = Notifier(channels, timedelta(seconds=settings.pause))
            tables.keepers.append(self.notifier.keep)
        elif channels:
            log.warning("Without KURSBUCH_ADDRESS no notifications about tables are sent.")

    @property
    def channels(self) -> tuple[str, ...]:
        """Return the channels by which players can be notified of tables."""
        return tuple(self.outbox.channels) if self.notifier is not None else ()

    @property
    def mails(self) -> bool:
        """Return whether mails can be sent."""
        return MAIL in self.outbox.channels

    async def start(self) -> None:
        """Start sending and receiving."""
        if self.outbox.channels or self.mailbox is not None:
            await self._prepare()

    async def _prepare(self) -> None:
        await self.link_keys.start()
        if self.push is not None:
            await self.push.prepare()
        smtp = self.outbox.channels.get(MAIL)
        if isinstance(smtp, SmtpChannel):
            smtp.links = self.links
        await self.outbox.start()
        if self.notifier is not None:
            await self.composer.start(self.links)
        if self.replies:
            await self.reader.start(self.links)
        if self.mailbox is not None:
            await self.mailbox.start()

    async def stop(self) -> None:
        """Stop sending and receiving."""
        if self.mailbox is not None:
            await self.mailbox.stop()
        await self.reader.stop()
        await self.composer.stop()
        await self.outbox.stop()
        await self.link_keys.stop()
