"""The composer writes the messages for notices that are due."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec
from jinja2 import Environment
from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import Words
from kursbuch.web.background import Background, failed, noting
from kursbuch.web.db.models import Chat, now
from kursbuch.web.http.errors import NotFound, Unavailable
from kursbuch.web.notifications import message_text
from kursbuch.web.notifications.links import Links, ReplyPosition
from kursbuch.web.notifications.message_text import (
    MailPage,
    Report,
    board_png,
    board_svg,
    late_seats,
    open_votes,
    unread_dropped,
)
from kursbuch.web.notifications.models import Message, Notice
from kursbuch.web.notifications.notifier import (
    ANSWER,
    BEGUN,
    DROPPED,
    LEFT,
    MENTION,
    OVER,
    REPLACED,
)
from kursbuch.web.notifications.outbox import (
    MAIL,
    PUSH,
    Attachment,
    NewMessage,
    Outbox,
    Undelivered,
    enqueue,
)
from kursbuch.web.notifications.preferences import NEVER, Recipient, recipients
from kursbuch.web.tables.policies import RUNNING
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.viewer import Viewer

#: How often due notices are looked for, in seconds.
POLL_INTERVAL = 2.0

#: Delay for a player who is looking at the table.
WATCHING_PAUSE = timedelta(seconds=30)

#: Delay before a failed notice is tried again, and time after which it is given up.
RETRY_INTERVAL = timedelta(minutes=2)
GIVE_UP = timedelta(hours=12)

#: Key in the data of a notice: since when it could not be written.
FAILING = "failing"

#: Fields of a notice that a message keeps, so that it can be written again.
KEPT_FIELDS = ("key", "kind", "table_id", "seat", "data")

#: Maximum number of notices in one round.
BATCH = 50

#: With a number, the name of a board in a mail.
BOARD = "board"

#: Maximum number of boards in one mail.
MAX_BOARDS = 12
log = logging.getLogger(__name__)


class _Composed(NamedTuple):
    """The report of a notice; a mail reply refers to the position `seal`."""

    notice: Notice
    shown: Viewer
    told: Report
    seal: ReplyPosition


class Composer(Background):
    """Writes the messages for notices that are due.

    `address` is this server. `replies` is the reply address, with a "+" where the secret goes, or
    empty."""

    def __init__(
        self, tables: TableStore, outbox: Outbox, pages: Environment, address: str, replies: str
    ) -> None:
        self._tables = tables
        self._outbox = outbox
        self._pages = pages
        self._address = address
        self._replies = replies
        self._links: Links | None = None
        outbox.renew = self.renew

    async def start(self, links: Links) -> None:
        """Start writing."""
        self._links = links
        self._begin()

    async def _run(self) -> None:
        while True:
            with noting(log, "Notices could not be processed."):
                if await self.round():
                    self._outbox.wake()
            await asyncio.sleep(POLL_INTERVAL)

    async def round(self) -> int:
        """Write what is due now; return the number of messages."""
        due = Notice.due_at <= now()
        if not await self._tables.database.glance(select(Notice.id).where(due).limit(1)):
            return 0
        query = select(Notice).where(due).order_by(Notice.due_at, Notice.id).limit(BATCH)
        async with self._tables.database.reading() as session:
            found = list(await session.scalars(query))
            # A digest includes everything that is due.
            owners = {notice.owner for notice in found if notice.digest}
            whole = due & Notice.digest & Notice.owner.in_(owners)
            digests = select(Notice).where(whole).order_by(Notice.due_at, Notice.id)
            found = [notice for notice in found if not notice.digest]
            found += await session.scalars(digests)
        groups: dict[object, list[Notice]] = {}
        for notice in found:
            together = (notice.owner, notice.channel) if notice.digest else notice.id
            groups.setdefault(together, []).append(notice)
        return sum([await self._try(group) for group in groups.values()])

    async def _try(self, group: Sequence[Notice]) -> int:
        """Write the messages for some notices; a failure holds up no other."""
        try:
            return await self._write(group)
        except Unavailable:
            raise
        except Exception:
            failed(log, "The notice %s cannot be written.", group[0].key)
        async with self._tables.database.writing() as session:
            for notice in group:
                await _postpone(session, notice)
        return 0

    async def _write(self, group: Sequence[Notice]) -> int:
        """Write the messages for notices that belong together."""
        owner, channel = group[0].owner, group[0].channel
        async with self._tables.database.reading() as session:
            reached = await recipients(session, [owner], self._outbox.channels)
        person = reached.get(owner)
        rest = person.rests_until(now()) if person is not None else None
        drop: list[Notice] = []
        later: list[tuple[Notice, datetime]] = []
        put_off: list[Notice] = []
        told: list[tuple[Notice, Viewer]] = []
        for notice in group:
            if person is None or (
                notice.kind != ANSWER and person.pace(channel, notice.table_id) == NEVER
            ):
                drop.append(notice)
                continue
            if rest is not None and notice.kind != ANSWER:
                later.append((notice, rest))
                continue
            try:
                shown = await self._viewer(notice, person)
            except Unavailable:
                raise
            except KursbuchError as error:
                # The table was deleted, or its game cannot be shown at present.
                log.warning("The notice %s cannot be written: %s", notice.key, error)
                put_off.append(notice)
                continue
            if not _still_holds(shown, notice):
                drop.append(notice)
            elif notice.kind != ANSWER and not notice.digest and (saw := self._saw(notice)):
                # The player saw what happened, but may still forget what to do.
                happened = notice.kind in (BEGUN, OVER, LEFT, DROPPED, REPLACED)
                if happened and saw >= (notice.made_at or saw):
                    drop.append(notice)
                else:
                    later.append((notice, now() + WATCHING_PAUSE))
            else:
                told.append((notice, shown))
        messages: list[NewMessage] = []
        if told and person is not None:
            messages = await self._composed(told, person, channel)
        async with self._tables.database.writing() as session:
            ids = [notice.id for notice, _ in told]
            held = select(Notice.id).where(Notice.id.in_(ids)).with_for_update()
            # If one was deleted meanwhile, the others follow in the next round.
            whole = set(await session.scalars(held)) == set(ids)
            done = [notice.id for notice in drop] + (ids if whole else [])
            await session.execute(delete(Notice).where(Notice.id.in_(done)))
            for message in messages if whole else ():
                await enqueue(session, message)
            for notice, due in later:
                row = await session.get(Notice, notice.id, with_for_update=True)
                if row is not None:
                    row.due_at = due
            for notice in put_off:
                await _postpone(session, notice)
        return len(messages) if whole else 0

    async def renew(self, message: Message) -> bool:
        """Write a delayed message again without what no longer holds; return whether to send it.

        If nothing is left the message is deleted, and during quiet hours it waits."""
        owner, channel = message.account_id or "", message.channel
        async with self._tables.database.reading() as session:
            person = (await recipients(session, [owner], self._outbox.channels)).get(owner)
        rest = person.rests_until(now()) if person is not None else None
        messages: list[NewMessage] = []
        if person is not None and rest is None:
            told = [
                Notice(owner=owner, channel=channel, digest=True, **one) for one in message.told
            ]
            still = [
                (one, shown)
                for one in told
                if (shown := await self._again(one, person)) is not None
            ]
            messages = await self._composed(still, person, channel) if still else []
        new = next((one for one in messages if channel != PUSH or one.to == message.address), None)
        async with self._tables.database.writing() as session:
            row = await session.get(Message, message.id, with_for_update=True)
            if row is None or row.attempts != message.attempts:
                return False  # deleted, or taken by another process because this took too long
            if rest is not None:
                # It was not tried.
                row.due_at, row.attempts = rest, row.attempts - 1
                return False
            if new is None:
                await session.delete(row)
                return False
            for name, value in new.said().items():
                setattr(row, name, value)
                setattr(message, name, value)
        return True

    async def _again(self, notice: Notice, person: Recipient) -> Viewer | None:
        """Return the table of a notice as it is now, or None if the notice no longer holds."""
        try:
            shown = await self._viewer(notice, person)
        except NotFound:
            return None  # the table was deleted
        except Unavailable:
            raise
        except KursbuchError as error:
            raise Undelivered(str(error)) from error
        wanted = person.pace(notice.channel, notice.table_id) != NEVER
        return shown if wanted and _still_holds(shown, notice) else None

    async def _composed(
        self, notices: Sequence[tuple[Notice, Viewer]], person: Recipient, channel: str
    ) -> list[NewMessage]:
        # A mail about several tables cannot tell which of them a reply means.
        answerable = channel == MAIL and bool(self._replies) and len(notices) == 1
        called = [notice.data["chat"] for notice, _ in notices if notice.kind == MENTION]
        chat: dict[int, Chat] = {}
        if called:  # a snapshot has the latest messages only
            async with self._tables.database.reading() as session:
                found = await session.scalars(select(Chat).where(Chat.id.in_(called)))
                chat = {line.id: line for line in found}
        told = [
            _Composed(
                notice,
                shown,
                message_text.report(shown, notice, person, answerable, chat),
                _reply_position(notice, shown),
            )
            for notice, shown in notices
        ]
        # The game may go on while a picture is drawn: it shows the reported position.
        wanted = told[:MAX_BOARDS] if channel == MAIL else []
        drawings = [board_svg(page.shown) if page.told.pictured else "" for page in wanted]
        boards = [await asyncio.to_thread(board_png, svg) if svg else b"" for svg in drawings]
        return self._messages(told, person, channel, boards)

    async def _viewer(self, notice: Notice, person: Recipient) -> Viewer:
        snapshot = await self._tables.load(notice.table_id)
        language = person.language or snapshot.table.language
        ahead = []
        if snapshot.fixed_ahead:
            ahead = await self._tables.intentions(notice.table_id, [notice.seat])
        return Viewer(
            snapshot, notice.owner, language, self._address, ahead=ahead, seat=notice.seat
        )

    def _saw(self, notice: Notice) -> datetime | None:
        """Return when a player who has the table open was last known to see it, else None."""
        ago = self._tables.presence.saw(notice.table_id, notice.owner)
        return None if ago is None else now() - timedelta(seconds=ago)

    def _messages(
        self,
        group: Sequence[_Composed],
        person: Recipient,
        channel: str,
        boards: Sequence[bytes],
    ) -> list[NewMessage]:
        first, shown, told = group[0].notice, group[0].shown, group[0].told
        words = shown.words
        digest = len(group) > 1
        key = f"digest:{channel}:{first.key}" if first.digest else first.key
        subject = told.subject
        if digest:
            subject = words.ngettext(
                "News from {n} table",
                "News from {n} tables",
                len({page.notice.table_id for page in group}),
            )
        table_id = None if digest else first.table_id
        # An answer to a mail is always sent.
        notices = [page.notice for page in group if page.notice.kind != ANSWER]
        kept = [{name: getattr(one, name) for name in KEPT_FIELDS} for one in notices]
        if channel == MAIL:
            footer = self._footer(words, person.owner, first.table_id if not digest else "")
            pictures = [
                f"{BOARD}{number}" if number < len(boards) and boards[number] else ""
                for number in range(len(group))
            ]
            files = tuple(
                Attachment(f"{name}.png", board, "image/png", name)
                for name, board in zip(pictures, boards, strict=False)
                if name
            )
            page = MailPage(
                words.language,
                tuple(page.told for page in group),
                tuple(pictures),
                words._("The board"),
                tuple(footer),
            )
            return [
                NewMessage(
                    key,
                    MAIL,
                    person.mail,
                    subject,
                    message_text.plain_text(page.told, page.footer),
                    message_text.html_text(self._pages, page),
                    files,
                    self._headers(person.owner, group),
                    table_id,
                    person.owner,
                    told=kept,
                )
            ]
        url = told.url if not digest else self._address
        short = told.short if not digest else "\n".join(page.told.subject for page in group)
        data = {
            "title": subject,
            "text": short,
            "url": url,
            "tag": first.table_id if not digest else "",
            "events": [
                {
                    "kind": page.notice.kind,
                    "table": page.notice.table_id,
                    "seat": page.notice.seat,
                    "url": page.told.url,
                }
                for page in group
            ],
        }
        text = msgspec.json.encode(data).decode()
        targets = person.devices if channel == PUSH else (person.owner,)
        return [
            NewMessage(
                f"{key}:{target[:12]}" if channel == PUSH else key,
                channel,
                target,
                subject,
                text,
                table_id=table_id,
                account_id=person.owner,
                told=kept,
            )
            for target in targets
        ]

    def _footer(self, words: Words, owner: str, table_id: str) -> list[tuple[str, str]]:
        assert self._links is not None
        start = f"{self._address}/unsubscribe/"
        footer = []
        if table_id:
            one = start + self._links.unsubscribe(owner, table_id)
            footer.append((words._("Unsubscribe from mails about this table"), one))
        every = start + self._links.unsubscribe(owner, "")
        footer.append((words._("Unsubscribe from all mails"), every))
        footer.append((words._("Notification settings"), f"{self._address}/messages"))
        return footer

    def _headers(self, owner: str, group: Sequence[_Composed]) -> dict[str, str]:
        assert self._links is not None
        notice = group[0].notice
        table_id = notice.table_id if len(group) == 1 else ""
        url = f"{self._address}/unsubscribe/{self._links.unsubscribe(owner, table_id)}"
        headers = {
            "List-Unsubscribe": f"<{url}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "List-ID": f"<{notice.table_id}.tables.kursbuch>" if table_id else "<tables.kursbuch>",
        }
        if group[0].told.answerable:
            local, _, host = self._replies.partition("@")
            headers["Reply-To"] = f"{local}+{self._links.reply(group[0].seal, owner)}@{host}"
        if len(group) == 1 and notice.kind == ANSWER and notice.data.get("mail"):
            headers["In-Reply-To"] = headers["References"] = str(notice.data["mail"])
        return headers


def _reply_position(notice: Notice, shown: Viewer) -> ReplyPosition:
    return ReplyPosition(notice.table_id, notice.seat, shown.number, shown.table.rewound)


async def _postpone(session: AsyncSession, notice: Notice) -> None:
    """Try a failed notice again later, for some hours."""
    row = await session.get(Notice, notice.id, with_for_update=True)
    if row is None:
        return
    since = row.data.get(FAILING, now().timestamp())
    if since < (now() - GIVE_UP).timestamp():
        await session.delete(row)
    else:
        row.data = {**row.data, FAILING: since}
        row.due_at = now() + RETRY_INTERVAL


def _still_holds(shown: Viewer, notice: Notice) -> bool:
    """Return whether what a notice says still holds."""
    plays = shown.seats[notice.seat].owner == notice.owner
    if plays == (notice.kind == REPLACED):
        return False
    match notice.kind:
        case "turn":
            return shown.table.status == RUNNING and notice.seat in shown.table.turn
        case "reminder":
            return shown.table.status == RUNNING and shown.seats[notice.seat].late
        case "late":
            return shown.table.status == RUNNING and bool(late_seats(shown, notice.owner))
        case "consent":
            return bool(open_votes(shown, notice))
        case "replaced":
            return shown.table.status == RUNNING
        case "left":
            return shown.table.status == RUNNING and any(seat.is_gone for seat in shown.seats)
        case "dropped":
            undone = unread_dropped(shown, notice.data.get("rows", ()))
            return shown.table.status == RUNNING and bool(undone)
        case "mention":
            return shown.snapshot.read.get(notice.owner, 0) < int(notice.data["chat"])
    return True
