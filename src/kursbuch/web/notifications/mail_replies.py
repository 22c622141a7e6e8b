"""Mail replies: moves by mail, and bounces."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.words import Words
from kursbuch.web.accounts.models import Account
from kursbuch.web.background import Background, failed, noting
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Table, now
from kursbuch.web.http.errors import NotFound, Unavailable, stale
from kursbuch.web.notifications.links import Links, ReplyPosition
from kursbuch.web.notifications.mail_parser import LONGEST, Received, key_of, read, secrets_of
from kursbuch.web.notifications.models import Incoming, Message, Notice
from kursbuch.web.notifications.notices import ANSWER
from kursbuch.web.notifications.outbox import MAIL
from kursbuch.web.notifications.preferences import recipients
from kursbuch.web.notifications.smtp import pause_address
from kursbuch.web.tables.policies import RUNNING
from kursbuch.web.tables.snapshot import Seen
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.transaction import TableTransaction

#: What was received is looked for so often, in seconds.
LOOK = 2.0

#: So long a second copy of a mail is known.
KEPT = timedelta(days=90)

#: So often in an hour somebody is told that there was no move to play.
MOST_ANSWERS = 20

#: So many addresses of a mail are looked at.
MOST_SECRETS = 10
log = logging.getLogger(__name__)


async def receive(database: Database, content: bytes) -> bool:
    """Take a mail in; when this returns, it is on disk. Returns whether it is new."""
    key = key_of(content)
    async with database.writing() as session:
        if await session.get(Incoming, key) is not None:
            return False
        session.add(Incoming(key=key, content=content[:LONGEST]))
    return True


class ReplyReader(Background):
    """Reads what was received."""

    def __init__(self, tables: TableStore) -> None:
        self._tables = tables
        self._links = Links(secrets.token_urlsafe(32))

    async def start(self, links: Links) -> None:
        """Begin to read."""
        self._links = links
        self._begin()

    async def _run(self) -> None:
        tidied = now() - KEPT
        while True:
            with noting(log, "Mails could not be read."):
                while await self.round():
                    pass
                if tidied < now() - timedelta(hours=6):
                    tidied = now()
                    async with self._tables.database.writing() as session:
                        old = Incoming.read_at < now() - KEPT
                        await session.execute(delete(Incoming).where(old))
            await asyncio.sleep(LOOK)

    async def round(self) -> int:
        """Read what has been received; returns how many mails that were."""
        waiting = select(Incoming.key).where(Incoming.read_at.is_(None))
        keys = await self._tables.database.glance(waiting.order_by(Incoming.received_at).limit(20))
        for (key,) in keys:
            try:
                await self._read(key)
            except Unavailable:
                raise
            except Exception:
                failed(log, "A mail could not be read and is laid aside.")
                async with self._tables.database.writing() as session:
                    await _taken(session, key)
        return len(keys)

    async def _read(self, key: str) -> None:
        async with self._tables.database.reading() as session:
            row = await session.get(Incoming, key)
        if row is None or row.read_at is not None:
            return
        given = await asyncio.to_thread(secrets_of, row.content)
        ours = [secret for secret in given[:MOST_SECRETS] if await self._gave(secret)]
        # Anybody can write to the server; only what answers one of its mails is read.
        if ours and await self._answered(key, ours, await asyncio.to_thread(read, row.content)):
            return
        async with self._tables.database.writing() as session:
            await _taken(session, key)

    async def _answered(self, key: str, ours: Sequence[str], mail: Received) -> bool:
        """Do what a mail to addresses with these secrets of ours says; whether it says anything."""
        for secret in ours:
            letter = self._links.bounced(secret)
            if letter is not None:
                await self._came_back(key, letter, mail)
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
        """Whether the secret of an address is one that a mail of this server had."""
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

    async def _came_back(self, key: str, letter: int, mail: Received) -> None:
        async with self._tables.database.writing() as session:
            if not await _taken(session, key):
                return
            row = await session.get(Message, letter)
            if row is not None and row.channel == MAIL and mail.failed:
                await pause_address(session, row.address, mail.failed)

    async def _plays(self, key: str, secret: str, seal: ReplyPosition, mail: Received) -> bool:
        """Play the moves of a mail. False if its address is none that was given to the owner of the seat."""
        try:
            async with self._tables.changing(seal.table_id) as change:
                change.silent = True
                if seal.seat >= len(change.seats):
                    return False
                owner = change.seats[seal.seat].owner or ""
                if not self._links.proves(secret, seal, owner):
                    return False
                if not await _taken(change.session, key):
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


async def _taken(session: AsyncSession, key: str) -> bool:
    """Note that a mail has been read; False if somebody else has done so."""
    row = await session.get(Incoming, key, with_for_update=True)
    if row is None or row.read_at is not None:
        return False
    row.read_at = now()
    row.content = b""
    return True


async def _too_many(session: AsyncSession, owner: str) -> bool:
    """Whether somebody was answered so often lately that it may be a program that answers answers."""
    answers = Message.key.startswith(f"{ANSWER}:") & (Message.made_at > now() - timedelta(hours=1))
    count = select(func.count()).select_from(Message).where(Message.account_id == owner, answers)
    return (await session.scalar(count) or 0) >= MOST_ANSWERS


async def _language(session: AsyncSession, owner: str, table: Table) -> str:
    found = (await recipients(session, [owner], [MAIL])).get(owner)
    return (found.language if found is not None else "") or table.language or "en"


async def play(
    change: TableTransaction, seal: ReplyPosition, lines: tuple[str, ...], words: Words
) -> tuple[list[str], str]:
    """Play lines in their order until one is not possible; between them what others have decided already. Returns
    what was played, and what is wrong with the next line, as a sentence."""
    played: list[str] = []
    try:
        change.require(RUNNING)
        change.require_line(Seen(seal.number, seal.rewound))
    except KursbuchError as error:
        return played, error.text(words)
    if not lines:
        return played, words._("There is no move in your mail.")
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
            # Read by what the seat may know: no refusal tells it more.
            known = position.title.view(position.state, seal.seat)
            action = position.title.parse(text, seal.seat, known)
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
