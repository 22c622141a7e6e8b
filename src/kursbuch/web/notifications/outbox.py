"""The outbox: messages are stored with the change that causes them, and sent later."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.web.db.database import upsert
from kursbuch.web.db.models import now
from kursbuch.web.notifications.models import Message

MAIL, PUSH, WEBHOOK = "mail", "push", "webhook"


class Attachment(msgspec.Struct, frozen=True):
    """A file that goes with a mail; `cid` is the name by which the HTML of the mail shows it."""

    name: str
    content: bytes
    kind: str = "application/octet-stream"
    cid: str = ""

    def packed(self) -> dict[str, str]:
        """As it is stored."""
        data = base64.b64encode(self.content).decode()
        return {"name": self.name, "kind": self.kind, "cid": self.cid, "content": data}


class NewMessage(msgspec.Struct, frozen=True):
    """A letter to be sent by a channel to an address. The `key` says what it is about: a second letter with
    the same key is dropped. `due_at` is when it is to be sent, at once without it. `told` are the notices it
    is about."""

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
        """What it says, as it is stored."""
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


async def send(session: AsyncSession, letter: NewMessage) -> None:
    """Hand a letter in, within the transaction that causes it."""
    moment = now()
    values = {
        "key": letter.key,
        "channel": letter.channel,
        **letter.said(),
        "account_id": letter.account_id,
        "made_at": moment,
        "due_at": letter.due_at or moment,
        "attempts": 0,
        "error": "",
    }
    await session.execute(
        upsert(session, Message).values(values).on_conflict_do_nothing(index_elements=["key"])
    )
