"""Notifications of an invitation to a table."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.words import Words
from kursbuch.web.accounts.models import Account
from kursbuch.web.db.models import TableInvitation, now
from kursbuch.web.notifications.links import Links
from kursbuch.web.notifications.models import Message, NotificationPreference, PausedAddress
from kursbuch.web.notifications.outbox import MAIL, PUSH, NewMessage, send
from kursbuch.web.notifications.preferences import NEVER, NOW, Recipient, next_digest, recipients

#: What the keys of letters with invitations begin with.
INVITATION = "invitation"


class Host(msgspec.Struct, frozen=True):
    """Who invites to what: the name, the title of the game, the address of the server, the language of whom it
    writes to if that is not known, the channels by which the server tells people things, and what makes the links
    with which they end that."""

    name: str
    title: str
    base: str
    language: str
    channels: Collection[str]
    links: Links


async def tell(session: AsyncSession, row: TableInvitation, host: Host) -> None:
    """Hand in what tells somebody of an invitation, in its transaction."""
    link = host.base + row.path
    if row.account is None:
        if row.name and await _welcome(session, row.name):
            end = host.links.unsubscribe_address(row.name)
            await send(session, _mail(row, row.name, Words(host.language), host, link, end))
        return
    reached = await recipients(session, [row.account], host.channels)
    person = reached.get(row.account)
    if person is None:
        return
    words = Words(person.language or host.language)
    for channel in sorted(person.channels):
        if person.pace(channel, "") == NEVER:
            continue
        for letter in _letters(row, person, channel, words, host, link):
            await send(session, letter)


async def withdraw(session: AsyncSession, *which: ColumnElement[bool], number: int = 0) -> None:
    """Send nothing any more of some invitations, or of the one with that number, that waits to be sent."""
    about = f"{INVITATION}:{number}:" if number else f"{INVITATION}:"
    waiting = Message.due_at.is_not(None) & Message.key.startswith(about)
    await session.execute(delete(Message).where(waiting, *which))


def _letters(
    row: TableInvitation, person: Recipient, channel: str, words: Words, host: Host, link: str
) -> list[NewMessage]:
    pace = person.pace(channel, "")
    due = now() if pace == NOW else next_digest(pace, now(), person.zone)
    due = person.rests_until(due) or due
    if channel == MAIL:
        end = host.links.unsubscribe(person.owner, "")
        letter = _mail(row, person.mail, words, host, link, end, known=True)
        return [msgspec.structs.replace(letter, account_id=person.owner, due_at=due)]
    subject = _subject(words, host)
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


async def _welcome(session: AsyncSession, address: str) -> bool:
    """Whether mails that an address has not asked for go there. Nobody else learns it."""
    if await session.get(PausedAddress, address) is not None:
        return False
    account = await session.scalar(select(Account.id).where(Account.email == address))
    wish = (
        None if account is None else await session.get(NotificationPreference, (account, "", MAIL))
    )
    return wish is None or wish.pace != NEVER


def _mail(
    row: TableInvitation,
    to: str,
    words: Words,
    host: Host,
    link: str,
    end: str,
    known: bool = False,
) -> NewMessage:
    """The mail of an invitation; `end` is the last part of the address that ends such mails."""
    unsubscribe = f"{host.base}/unsubscribe/{end}"
    return NewMessage(
        f"{INVITATION}:{row.id}:{MAIL}",
        MAIL,
        to,
        _subject(words, host),
        _text(words, host, link, unsubscribe, known),
        headers={
            "List-Unsubscribe": f"<{unsubscribe}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
        table_id=row.table_id,
    )


def _subject(words: Words, host: Host) -> str:
    return words._("{name} invites you to {title}", name=host.name, title=host.title)


def _text(words: Words, host: Host, link: str, unsubscribe: str, known: bool) -> str:
    why = words._(
        "{name} invites you to a game of {title} at {server}.",
        name=host.name,
        title=host.title,
        server=host.base,
    )
    if known:
        last = f"{words._('When I am told')}: {host.base}/messages"
    else:
        last = words._("If you do not know {name}, you need not do anything.", name=host.name)
    foot = f"-- \n{words._('No more mails at all')}: {unsubscribe}"
    return f"{why}\n\n{words._('To the table')}: {link}\n\n{last}\n\n{foot}\n"
