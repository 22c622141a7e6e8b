"""The mailbox for replies."""

from __future__ import annotations

import asyncio
import imaplib
import logging
import ssl
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

import msgspec

from kursbuch.core.errors import KursbuchError
from kursbuch.web.background import Background, noting
from kursbuch.web.db.database import Database
from kursbuch.web.notifications.mail_replies import receive

#: The mailbox is looked at so often, in seconds.
LOOK = 30.0

#: How long it may take for an answer, in seconds.
PATIENCE = 30
_LOCAL = ("localhost", "127.0.0.1", "::1")
log = logging.getLogger(__name__)


class ImapServer(msgspec.Struct, frozen=True):
    """Where the mailbox is."""

    host: str
    port: int
    user: str
    password: str
    folder: str
    encrypted: bool


def imap_server(given: str) -> ImapServer:
    """The mailbox at an address such as `imaps://user:password@host/INBOX`. Without encryption only this machine
    is asked.

    >>> imap_server("imaps://play%40club:pw@mail.example").port
    993
    """
    try:
        parts = urlsplit(given)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    encrypted = parts.scheme == "imaps"
    usable = encrypted or (parts.scheme == "imap" and parts.hostname in _LOCAL)
    if not usable or not parts.hostname or not parts.username:
        raise KursbuchError(
            "The mailbox is given as imaps://user:password@host/INBOX; this is not: {given}.",
            given=repr(given.rpartition("@")[2]),
        )
    return ImapServer(
        parts.hostname,
        port or (993 if encrypted else 143),
        unquote(parts.username),
        unquote(parts.password or ""),
        unquote(parts.path.strip("/")) or "INBOX",
        encrypted,
    )


class Mailbox(Background):
    """Takes in what comes to a mailbox. Several servers may look: a mail counts once."""

    def __init__(self, database: Database, given: str) -> None:
        self._database = database
        self._server = imap_server(given)

    async def start(self) -> None:
        """Begin to look."""
        self._begin()

    async def round(self) -> int:
        """Take in what is new; returns how many mails that were. Only then they are marked as seen."""
        found = await asyncio.to_thread(lambda: list(self._new()))
        for _, content in found:
            await receive(self._database, content)
        if found:
            await asyncio.to_thread(self._mark, [number for number, _ in found])
        return len(found)

    async def _run(self) -> None:
        while True:
            with noting(log, "The mailbox could not be looked at."):
                try:
                    await self.round()
                except (OSError, imaplib.IMAP4.error, ssl.SSLError) as error:
                    log.warning("The mailbox cannot be looked at: %s", _said(error))
            await asyncio.sleep(LOOK)

    def _open(self) -> imaplib.IMAP4:
        server = self._server
        box: imaplib.IMAP4
        if server.encrypted:
            context = ssl.create_default_context()
            box = imaplib.IMAP4_SSL(server.host, server.port, ssl_context=context, timeout=PATIENCE)
        else:
            box = imaplib.IMAP4(server.host, server.port, timeout=PATIENCE)
        box.login(server.user, server.password)
        answer, told = box.select(f'"{server.folder}"')
        if answer != "OK":
            raise imaplib.IMAP4.error(told[0])
        return box

    def _new(self) -> Iterator[tuple[str, bytes]]:
        with self._open() as box:
            _, data = box.uid("SEARCH", "UNSEEN")
            for number in (data[0] or b"").split()[:50]:
                _, parts = box.uid("FETCH", number.decode(), "(BODY.PEEK[])")
                for part in parts:
                    if isinstance(part, tuple):
                        yield number.decode(), part[1]

    def _mark(self, numbers: list[str]) -> None:
        with self._open() as box:
            for number in numbers:
                box.uid("STORE", number, "+FLAGS", "(\\Seen)")


def _said(error: Exception) -> str:
    """What was wrong; the library hands on what a mail server answered as it came."""
    why = error.args[0] if len(error.args) == 1 else error
    return why.decode("utf-8", "replace") if isinstance(why, bytes) else str(why)
