"""Delivery to webhooks."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Any

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.web.db.database import Database
from kursbuch.web.db.models import now
from kursbuch.web.notifications import outbound
from kursbuch.web.notifications.models import Message, Webhook
from kursbuch.web.notifications.sender import Gone, Refused

PLAIN, DISCORD, SLACK = "plain", "discord", "slack"
FORMS = (PLAIN, DISCORD, SLACK)

#: Discord refuses more.
_MOST = 1900


class Webhooks:
    """Tells programs; with `private` also those in this server's own network."""

    def __init__(self, database: Database, private: bool) -> None:
        self._database = database
        self.private = private

    async def deliver(self, letter: Message) -> None:
        """Send a letter where its reader's program waits."""
        async with self._database.reading() as session:
            hook = await session.get(Webhook, letter.address)
        if hook is None:
            raise Refused("there is no such webhook any more")
        data = msgspec.json.decode(letter.text)
        body = msgspec.json.encode(formed(hook.form, data))
        headers = {"content-type": "application/json", "user-agent": "Kursbuch"}
        if hook.form == PLAIN:
            moment = str(int(now().timestamp()))
            headers["x-kursbuch-delivery"] = hashlib.sha256(letter.key.encode()).hexdigest()[:32]
            headers["x-kursbuch-timestamp"] = moment
            headers["x-kursbuch-signature"] = signature(hook.secret, moment, body)
        await outbound.post(hook.url, body, headers, self.private)

    async def settled(self, session: AsyncSession, letter: Message, why: Exception | None) -> None:
        """Note for its owner what became of the last message; nothing more is sent where nobody waits."""
        hook = await session.get(Webhook, letter.address, with_for_update=True)
        if hook is None:
            return
        hook.tried_at = now()
        hook.failure = "" if why is None else str(why)[:500]
        if isinstance(why, Gone):
            hook.error = hook.failure


def signature(secret: str, moment: str, body: bytes) -> str:
    """What proves that a POST comes from here: an HMAC of the time and what is sent."""
    told = moment.encode() + b"." + body
    return "sha256=" + hmac.new(secret.encode(), told, hashlib.sha256).hexdigest()


def new_secret() -> str:
    """A secret to sign with."""
    return secrets.token_urlsafe(24)


def formed(form: str, data: dict[str, Any]) -> dict[str, Any]:
    """What is sent, in the form the other side accepts. Names of people can address nobody there.

    >>> formed("slack", {"title": "a <b>", "text": "@c", "url": "https://d"})
    {'text': '*a &lt;b&gt;*\\n@c\\nhttps://d'}
    """
    if form == PLAIN:
        return data
    title, text, url = data["title"], data["text"], data["url"]
    if form == DISCORD:
        content = f"**{_unmarked(title)}**\n{_unmarked(text)}"[:_MOST] + f"\n{url}"
        return {"content": content, "allowed_mentions": {"parse": []}}
    return {"text": f"*{_escaped(title)}*\n{_escaped(text)}\n{url}"[: 2 * _MOST]}


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _unmarked(text: str) -> str:
    return "".join("\\" + char if char in "\\*_~`|<>[]()#" else char for char in text)
