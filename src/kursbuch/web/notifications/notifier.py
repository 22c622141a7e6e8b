"""The notifier decides who is told what: notices recorded with each change, and invitations."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

import msgspec
from sqlalchemy import delete, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.words import Words
from kursbuch.web.accounts.models import Account
from kursbuch.web.db.models import Consent, Seat, Table, TableInvitation, now
from kursbuch.web.notifications.links import Links
from kursbuch.web.notifications.models import Message, Notice, NotificationPreference, PausedAddress
from kursbuch.web.notifications.outbox import INVITATION, MAIL, PUSH, NewMessage, enqueue
from kursbuch.web.notifications.preferences import NEVER, NOW, Recipient, next_digest, recipients
from kursbuch.web.tables import votes as consents_of
from kursbuch.web.tables.policies import CLOSED, FINISHED, LOBBY, RUNNING, VOTE
from kursbuch.web.tables.transaction import TableTransaction

TURN, BEGUN, OVER, CONSENT, REMINDER, LATE, ANSWER, MENTION, LEFT, DROPPED, REPLACED = (
    "turn",
    "begun",
    "over",
    "consent",
    "reminder",
    "late",
    "answer",
    "mention",
    "left",
    "dropped",
    "replaced",
)

#: Delay of notices at a correspondence table, in case their task is done at once.
SLOW_PAUSE = timedelta(seconds=20)


class Notifier:
    """Records notices in the transaction of a change; at a live table a turn waits for `pause`."""

    def __init__(self, channels: Collection[str], pause: timedelta) -> None:
        self.channels = channels
        self._pause = pause

    async def keep(self, change: TableTransaction) -> None:
        """Record what a change means for players who may be away."""
        table, before = change.table, change.before
        given = [seat.number for seat in change.seats if seat.owner != before.owners[seat.number]]
        # A late player does not know the move that the computer made for them.
        helped = {seat for seat, automatic in change.made if automatic and before.late[seat]}
        anew = {*given, *change.asked_else, *helped}
        if change.rewound is not None:
            anew.update(before.turn)  # the same seat is asked something else
        over = [seat for seat in before.turn if seat not in table.turn or seat in anew]
        if over:
            await forget_turns(change.session, table.id, over)
        told: list[tuple[Seat, str]] = []
        data: dict[int, dict[str, Any]] = {}
        late: list[Seat] = []
        let_down: dict[int, list[int]] = {}
        for row in change.let_down:
            let_down.setdefault(row.seat, []).append(row.id)
        if table.status == RUNNING:
            asked = [seat for seat in table.turn if seat not in before.turn or seat in over]
            told += [(change.seats[seat], TURN) for seat in asked]
            late = [seat for seat in change.seats if seat.late and not before.late[seat.number]]
            told += [(seat, REMINDER) for seat in late if seat.number not in asked]
            if late:
                await self._tell_of_delay(change, late)
            # The notice of a turn says so too.
            told += [(change.seats[one], DROPPED) for one in let_down if one not in asked]
            if any(seat.is_gone and before.owners[seat.number] for seat in change.seats):
                told += [(seat, LEFT) for seat in change.seats]
            for number in given:
                seat = change.seats[number]
                if seat.owner is None and seat.former == before.owners[number]:
                    told.append((seat, REPLACED))
                    data[number] = {"name": seat.name}
            if before.status == LOBBY:
                waiting = [seat for seat in change.seats if seat.number not in asked]
                told += [(seat, BEGUN) for seat in waiting]
        elif table.status in (FINISHED, CLOSED) and before.status == RUNNING:
            told += [(seat, OVER) for seat in change.seats]
        consents: list[Consent] = []
        if not change.actions and change.rewound is None and table.status == RUNNING:
            query = select(Consent).where(
                Consent.table_id == table.id, Consent.version == change.next_version
            )
            consents = list(await change.session.scalars(query))
        asked_for = set(change.asked_anew)
        for consent in consents:
            asking = change.seats[consent.seat].owner
            people = consents_of.asked_for(change.seats, asking, consent.kind, consent.target)
            asked_for.update((one, consent.kind) for one in people)
        for seat in change.seats:
            if kinds := sorted(kind for owner, kind in asked_for if owner == seat.owner):
                told.append((seat, CONSENT))
                data.setdefault(seat.number, {})["asked"] = kinds
        told += [(change.seats[seat], MENTION) for seat in change.mentions]
        place = f"{table.rewound}.{table.number}"
        if (
            consents
            or given
            or late
            or change.asked_anew
            or change.mentions
            or table.status in (FINISHED, CLOSED)
        ):
            place = str(change.next_version)
        for number, line in change.mentions.items():
            data.setdefault(number, {})["chat"] = line
        for number, rows in let_down.items():
            data.setdefault(number, {})["rows"] = rows
        await self.note(change.session, table, change.seats, told, place, data)

    async def _tell_of_delay(self, change: TableTransaction, late: Collection[Seat]) -> None:
        """Replace the turn notices of late players by reminders, and tell others who may replace
        them."""
        table, owners = change.table, {seat.owner for seat in late}
        told = Notice.seat.in_([seat.number for seat in late]) & (Notice.kind == TURN)
        await change.session.execute(delete(Notice).where(Notice.table_id == table.id, told))
        if table.overrun == VOTE:
            others = [(seat, LATE) for seat in change.seats if seat.owner not in owners]
            place = str(change.next_version)
            await self.note(change.session, table, change.seats, others, place)

    async def note(
        self,
        session: AsyncSession,
        table: Table,
        seats: Collection[Seat],
        told: Collection[tuple[Seat, str]],
        place: str,
        data: Mapping[int, dict[str, Any]] = MappingProxyType({}),
    ) -> None:
        """Record notices for some seats, each of a kind.

        `place` tells repeated events of a table apart; `data` has details by seat."""
        owners = {owner for seat, kind in told if (owner := _recipient_of(seat, kind)) is not None}
        people = owners | {seat.owner for seat in seats if seat.owner is not None}
        if not owners or (len(people) < 2 and not any(seat.is_gone for seat in seats)):
            return  # a player alone against the computer knows
        reached = await recipients(session, owners, self.channels)
        done = set()
        for seat, kind in told:
            owner = _recipient_of(seat, kind)
            person = reached.get(owner or "")
            # A player with several seats is told once of what concerns all.
            once = (owner, kind, seat.number if kind in (TURN, DROPPED) else None)
            if person is None or once in done or (kind == MENTION and not person.mentions):
                continue
            done.add(once)
            for channel in sorted(person.channels):
                await self._note(
                    session, table, seat, kind, place, person, channel, data.get(seat.number, {})
                )

    async def _note(
        self,
        session: AsyncSession,
        table: Table,
        seat: Seat,
        kind: str,
        place: str,
        person: Recipient,
        channel: str,
        data: dict[str, Any],
    ) -> None:
        pace = person.pace(channel, table.id)
        if kind == CONSENT and pace != NEVER and table.move_hours is not None:
            pace = NOW  # the vote may be over before a digest is written
        key = f"{kind}:{table.id}:{seat.number}:{place}:{channel}"
        known = await session.scalar(select(Notice.id).where(Notice.key == key))
        if pace == NEVER or known is not None:
            return
        due_at = self._due(table, kind, pace, person)
        if kind == MENTION:
            # Of many messages only the last is told, at the time of the first.
            open_one = (Notice.table_id == table.id) & (Notice.kind == MENTION)
            open_one &= (Notice.owner == person.owner) & (Notice.channel == channel)
            first = await session.scalar(select(func.min(Notice.due_at)).where(open_one))
            due_at = min(due_at, first or due_at)
            await session.execute(delete(Notice).where(open_one))
        session.add(
            Notice(
                key=key,
                owner=person.owner,
                channel=channel,
                kind=kind,
                table_id=table.id,
                seat=seat.number,
                digest=pace != NOW,
                data=data,
                due_at=due_at,
            )
        )

    def _due(self, table: Table, kind: str, pace: str, person: Recipient) -> datetime:
        if pace != NOW:
            return next_digest(pace, now(), person.zone)
        return now() + (SLOW_PAUSE if table.slow or kind in (REMINDER, LATE) else self._pause)


def _recipient_of(seat: Seat, kind: str) -> str | None:
    """Return the player who is told something about a seat."""
    return seat.former if kind == REPLACED else seat.owner


async def forget_turns(session: AsyncSession, table_id: str, seats: Collection[int]) -> None:
    """Drop the notices and unsent messages of seats whose turn is over."""
    gone = Notice.seat.in_(seats) & Notice.kind.in_((TURN, REMINDER))
    await session.execute(delete(Notice).where(Notice.table_id == table_id, gone))
    for seat in seats:
        # An unsent message would come too late.
        keys = [Message.key.startswith(f"{kind}:{table_id}:{seat}:") for kind in (TURN, REMINDER)]
        waiting = Message.due_at.is_not(None) & or_(*keys)
        await session.execute(delete(Message).where(Message.table_id == table_id, waiting))


class Inviter(msgspec.Struct, frozen=True):
    """A player who invites others to a table.

    `base` is the address of the server, `language` the fallback for unknown recipients, `channels`
    the available channels, and `links` signs unsubscribe links."""

    name: str
    title: str
    base: str
    language: str
    channels: Collection[str]
    links: Links


async def notify_invited(session: AsyncSession, row: TableInvitation, host: Inviter) -> None:
    """Store the messages about an invitation, in its transaction."""
    link = host.base + row.path
    if row.account is None:
        if row.name and await _accepts_invitations(session, row.name):
            end = host.links.unsubscribe_address(row.name)
            await enqueue(
                session, _invitation_mail(row, row.name, Words(host.language), host, link, end)
            )
        return
    reached = await recipients(session, [row.account], host.channels)
    person = reached.get(row.account)
    if person is None:
        return
    words = Words(person.language or host.language)
    for channel in sorted(person.channels):
        if person.pace(channel, "") == NEVER:
            continue
        for message in _invitation_messages(row, person, channel, words, host, link):
            await enqueue(session, message)


def _invitation_messages(
    row: TableInvitation, person: Recipient, channel: str, words: Words, host: Inviter, link: str
) -> list[NewMessage]:
    pace = person.pace(channel, "")
    due = now() if pace == NOW else next_digest(pace, now(), person.zone)
    due = person.rests_until(due) or due
    if channel == MAIL:
        end = host.links.unsubscribe(person.owner, "")
        message = _invitation_mail(row, person.mail, words, host, link, end, known=True)
        return [msgspec.structs.replace(message, account_id=person.owner, due_at=due)]
    subject = _invitation_subject(words, host)
    data = {
        "title": subject,
        "text": words._("You are invited"),
        "url": link,
        "tag": row.table_id,
        "events": [{"kind": "invited", "table": row.table_id, "seat": None, "url": link}],
    }
    return [
        NewMessage(
            f"{INVITATION}:{row.id}:{channel}:{target[:12]}",
            channel,
            target,
            subject,
            msgspec.json.encode(data).decode(),
            table_id=row.table_id,
            account_id=person.owner,
            due_at=due,
        )
        for target in (person.devices if channel == PUSH else (person.owner,))
    ]


async def _accepts_invitations(session: AsyncSession, address: str) -> bool:
    """Return whether an address receives mails it has not asked for; no one else learns it."""
    if await session.get(PausedAddress, address) is not None:
        return False
    account = await session.scalar(select(Account.id).where(Account.email == address))
    wish = (
        None if account is None else await session.get(NotificationPreference, (account, "", MAIL))
    )
    return wish is None or wish.pace != NEVER


def _invitation_mail(
    row: TableInvitation,
    to: str,
    words: Words,
    host: Inviter,
    link: str,
    end: str,
    known: bool = False,
) -> NewMessage:
    """Write the mail of an invitation; `end` is the token of its unsubscribe link."""
    unsubscribe = f"{host.base}/unsubscribe/{end}"
    return NewMessage(
        f"{INVITATION}:{row.id}:{MAIL}",
        MAIL,
        to,
        _invitation_subject(words, host),
        _invitation_text(words, host, link, unsubscribe, known),
        headers={
            "List-Unsubscribe": f"<{unsubscribe}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
        table_id=row.table_id,
    )


def _invitation_subject(words: Words, host: Inviter) -> str:
    return words._("{name} invites you to play {title}", name=host.name, title=host.title)


def _invitation_text(words: Words, host: Inviter, link: str, unsubscribe: str, known: bool) -> str:
    why = words._(
        "{name} invites you to a game of {title} at {server}.",
        name=host.name,
        title=host.title,
        server=host.base,
    )
    if known:
        last = f"{words._('Notification settings')}: {host.base}/messages"
    else:
        last = words._("If you do not know {name}, you can ignore this mail.", name=host.name)
    foot = f"-- \n{words._('Unsubscribe from all mails')}: {unsubscribe}"
    return f"{why}\n\n{words._('Go to the table')}: {link}\n\n{last}\n\n{foot}\n"
