"""Mail replies: the mailbox, moves by mail, and bounces."""

from __future__ import annotations

import asyncio
import imaplib
import logging
import secrets
import ssl
from collections.abc import Iterator, Sequence
from datetime import timedelta
from urllib.parse import unquote, urlsplit

import msgspec
from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.words import Words
from kursbuch.web.accounts.models import Account
from kursbuch.web.background import Background, failed, noting
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Table, now
from kursbuch.web.http.errors import NotFound, Unavailable, stale
from kursbuch.web.notifications.delivery import pause_address
from kursbuch.web.notifications.links import Links, ReplyPosition
from kursbuch.web.notifications.mail_parser import (
    MAX_MAIL,
    Received,
    address_secrets,
    mail_key,
    read,
)
from kursbuch.web.notifications.models import Incoming, Message, Notice
from kursbuch.web.notifications.notifier import ANSWER
from kursbuch.web.notifications.outbox import MAIL
from kursbuch.web.notifications.preferences import recipients
from kursbuch.web.tables.policies import RUNNING
from kursbuch.web.tables.snapshot import Seen
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.transaction import TableTransaction

#: How often received mails are looked for, in seconds.
POLL_INTERVAL = 2.0

#: How long a copy of a mail is recognised.
KEEP_READ = timedelta(days=90)

#: Maximum number of answers per hour to mails without a move.
MAX_ANSWERS = 20

#: Maximum number of addresses of a mail that are checked.
MAX_SECRETS = 10
log = logging.getLogger(__name__)


async def receive(database: Database, content: bytes) -> bool:
    """Store a received mail before returning; return whether it is new."""
    key = mail_key(content)
    async with database.writing() as session:
        if await session.get(Incoming, key) is not None:
            return False
        session.add(Incoming(key=key, content=content[:MAX_MAIL]))
    return True


class ReplyReader(Background):
    """Reads received mails."""

    def __init__(self, tables: TableStore) -> None:
        self._tables = tables
        self._links = Links(secrets.token_urlsafe(32))

    async def start(self, links: Links) -> None:
        """Start reading."""
        self._links = links
        self._begin()

    async def _run(self) -> None:
        tidied = now() - KEEP_READ
        while True:
            with noting(log, "Mails could not be read."):
                while await self.round():
                    pass
                if tidied < now() - timedelta(hours=6):
                    tidied = now()
                    async with self._tables.database.writing() as session:
                        old = Incoming.read_at < now() - KEEP_READ
                        await session.execute(delete(Incoming).where(old))
            await asyncio.sleep(POLL_INTERVAL)

    async def round(self) -> int:
        """Read the received mails; return their number."""
        waiting = select(Incoming.key).where(Incoming.read_at.is_(None))
        keys = await self._tables.database.glance(waiting.order_by(Incoming.received_at).limit(20))
        for (key,) in keys:
            try:
                await self._read(key)
            except Unavailable:
                raise
            except Exception:
                failed(log, "A mail could not be read and is skipped.")
                async with self._tables.database.writing() as session:
                    await _mark_read(session, key)
        return len(keys)

    async def _read(self, key: str) -> None:
        async with self._tables.database.reading() as session:
            row = await session.get(Incoming, key)
        if row is None or row.read_at is not None:
            return
        given = await asyncio.to_thread(address_secrets, row.content)
        ours = [secret for secret in given[:MAX_SECRETS] if await self._gave(secret)]
        # Anyone can write to the server; only replies to its mails are read.
        if ours and await self._answered(key, ours, await asyncio.to_thread(read, row.content)):
            return
        async with self._tables.database.writing() as session:
            await _mark_read(session, key)

    async def _answered(self, key: str, ours: Sequence[str], mail: Received) -> bool:
        """Do what a mail to our addresses says; return whether it says anything."""
        for secret in ours:
            message_id = self._links.bounced(secret)
            if message_id is not None:
                await self._came_back(key, message_id, mail)
                return True
            seal = self._links.read_reply(secret)
            if (
                seal is not None
                and not mail.automatic
                and await self._plays(key, secret, seal, mail)
            ):
                return True
        return False

    async def _gave(self, secret: str) -> bool:
        """Return whether a secret was in an address of this server."""
        if self._links.bounced(secret) is not None:
            return True
        seal = self._links.read_reply(secret)
        if seal is None:
            return False
        try:
            seats = (await self._tables.load(seal.table_id)).seats
        except NotFound:
            return False
        return seal.seat < len(seats) and self._links.proves(
            secret, seal, seats[seal.seat].owner or ""
        )

    async def _came_back(self, key: str, message_id: int, mail: Received) -> None:
        async with self._tables.database.writing() as session:
            if not await _mark_read(session, key):
                return
            row = await session.get(Message, message_id)
            if row is not None and row.channel == MAIL and mail.failed:
                await pause_address(session, row.address, mail.failed)

    async def _plays(self, key: str, secret: str, seal: ReplyPosition, mail: Received) -> bool:
        """Play the moves of a mail; return False if its address was not given to the owner of the
        seat."""
        try:
            async with self._tables.changing(seal.table_id) as change:
                change.silent = True
                if seal.seat >= len(change.seats):
                    return False
                owner = change.seats[seal.seat].owner or ""
                if not self._links.proves(secret, seal, owner):
                    return False
                if not await _mark_read(change.session, key):
                    return True
                account = await change.session.get(Account, owner)
                if account is not None and account.closed_at is not None:
                    return True
                language = await _language(change.session, owner, change.table)
                words = Words(language, [seat.name for seat in change.seats])
                played, wrong = await play(change, seal, mail.lines, words)
                change.silent = not played
                if played:
                    change.own_seat(seal.seat, owner)
                elif await _too_many(change.session, owner):
                    return True
                change.session.add(
                    Notice(
                        key=f"{ANSWER}:{seal.table_id}:{seal.seat}:{key[:40]}",
                        owner=owner,
                        channel=MAIL,
                        kind=ANSWER,
                        table_id=seal.table_id,
                        seat=seal.seat,
                        digest=False,
                        data={"played": played, "wrong": wrong, "mail": mail.id},
                        due_at=now(),
                    )
                )
        except NotFound:
            return False
        return True


async def _mark_read(session: AsyncSession, key: str) -> bool:
    """Mark a mail as read; return False if another process did."""
    row = await session.get(Incoming, key, with_for_update=True)
    if row is None or row.read_at is not None:
        return False
    row.read_at = now()
    row.content = b""
    return True


async def _too_many(session: AsyncSession, owner: str) -> bool:
    """Return whether a player got this many answers that a program may be answering answers."""
    answers = Message.key.startswith(f"{ANSWER}:") & (Message.made_at > now() - timedelta(hours=1))
    count = select(func.count()).select_from(Message).where(Message.account_id == owner, answers)
    return (await session.scalar(count) or 0) >= MAX_ANSWERS


async def _language(session: AsyncSession, owner: str, table: Table) -> str:
    found = (await recipients(session, [owner], [MAIL])).get(owner)
    return (found.language if found is not None else "") or table.language or "en"


async def play(
    change: TableTransaction, seal: ReplyPosition, lines: tuple[str, ...], words: Words
) -> tuple[list[str], str]:
    """Play lines in order until one is impossible, with decided moves of others between them.

    Returns what was played, and what is wrong with the next line."""
    played: list[str] = []
    try:
        change.require(RUNNING)
        change.require_line(Seen(seal.number, seal.rewound))
    except KursbuchError as error:
        return played, error.text(words)
    if not lines:
        return played, words._("Your mail contains no move.")
    name = change.seats[seal.seat].name
    for number, line in enumerate(lines, 1):
        position = change.position
        assert position is not None
        text = line
        if line.lower().startswith(f"{name.lower()} "):
            text = line[len(name) + 1 :].strip()
        try:
            if played and not await change.go_on_in_turn(seal.seat):
                raise stale()
            # Parse by what the seat may know, so that no refusal tells more.
            known = position.title.view(position.state, seal.seat)
            action = position.title.parse_in(words.language, text, seal.seat, known)
            moved = not played and seal.number != change.table.number
            if moved and not change.still_fits(action, seal.number):
                raise stale()
            change.play(action)
        except KursbuchError as error:
            if played and line.lower() == name.lower().removesuffix("."):
                break  # signed
            sentence = error.text(words)
            if isinstance(error, IllegalAction) and error.rule:
                sentence += f" ({error.reference})"
            where = words._(
                "Line {number}, “{line}”: {why}", number=number, line=line, why=sentence
            )
            return played, where
        played.append(f"{name} {text}")
    return played, ""


#: How often the mailbox is read, in seconds.
MAILBOX_INTERVAL = 30.0

#: Time limit for an answer of the mailbox, in seconds.
IMAP_TIMEOUT = 30
_LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")


class ImapServer(msgspec.Struct, frozen=True):
    """The server and folder of the mailbox."""

    host: str
    port: int
    user: str
    password: str
    folder: str
    encrypted: bool


def imap_server(given: str) -> ImapServer:
    """Return the mailbox at an address such as `imaps://user:password@host/INBOX`.

    Only this machine may be asked without encryption.

    >>> imap_server("imaps://play%40club:pw@mail.example").port
    993
    """
    try:
        parts = urlsplit(given)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    encrypted = parts.scheme == "imaps"
    usable = encrypted or (parts.scheme == "imap" and parts.hostname in _LOCAL_HOSTS)
    if not usable or not parts.hostname or not parts.username:
        raise KursbuchError(
            "The mailbox must look like imaps://user:password@host/INBOX, not {given}.",
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
    """Receives what arrives in a mailbox; several processes may read it, and a mail counts once."""

    def __init__(self, database: Database, given: str) -> None:
        self._database = database
        self._server = imap_server(given)

    async def start(self) -> None:
        """Start reading."""
        self._begin()

    async def round(self) -> int:
        """Store the new mails, then mark them as seen; return their number."""
        found = await asyncio.to_thread(lambda: list(self._new()))
        for _, content in found:
            await receive(self._database, content)
        if found:
            await asyncio.to_thread(self._mark, [number for number, _ in found])
        return len(found)

    async def _run(self) -> None:
        while True:
            with noting(log, "The mailbox could not be read."):
                try:
                    await self.round()
                except (OSError, imaplib.IMAP4.error, ssl.SSLError) as error:
                    log.warning("The mailbox cannot be read: %s", _error_text(error))
            await asyncio.sleep(MAILBOX_INTERVAL)

    def _open(self) -> imaplib.IMAP4:
        server = self._server
        box: imaplib.IMAP4
        if server.encrypted:
            context = ssl.create_default_context()
            box = imaplib.IMAP4_SSL(
                server.host, server.port, ssl_context=context, timeout=IMAP_TIMEOUT
            )
        else:
            box = imaplib.IMAP4(server.host, server.port, timeout=IMAP_TIMEOUT)
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


def _error_text(error: Exception) -> str:
    """Return the error; the library passes on raw answers of a mail server."""
    why = error.args[0] if len(error.args) == 1 else error
    return why.decode("utf-8", "replace") if isinstance(why, bytes) else str(why)
