"""Delivery by Web Push."""

from __future__ import annotations

import base64
import importlib.util
import os
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import now
from kursbuch.web.http import errors
from kursbuch.web.notifications import outbound
from kursbuch.web.notifications.models import Message, PushDevice
from kursbuch.web.notifications.sender import Gone, Refused

#: The row of `setting` with our key.
SETTING = "vapid"

#: The maker's server keeps what it cannot bring for so many seconds.
KEEP = 24 * 3600

#: A signature holds for so many seconds.
SIGNED = 12 * 3600

#: So many characters of each part of a message fit into it.
_LENGTHS = {"title": 120, "text": 300, "url": 200, "tag": 20}

#: So many browsers one person may name.
MOST_DEVICES = 10


def _claimed(contact: str) -> str:
    """Whoever runs this server, as the makers of browsers want it told: a mail address or a page.

    >>> _claimed("admin@club.example"), _claimed("https://club.example/imprint")
    ('mailto:admin@club.example', 'https://club.example/imprint')
    """
    if contact.startswith("https://"):
        return contact
    mail = contact.removeprefix("mailto:")
    name, _, host = mail.rpartition("@")
    if not name or not host or " " in mail:
        raise KursbuchError(
            "KURSBUCH_PUSH must be the mail address of whoever runs the server; this is not: {given}.",
            given=repr(contact),
        )
    return f"mailto:{mail}"


class Push:
    """Sends by Web Push. `contact` is where the makers of browsers find whoever runs this server."""

    def __init__(self, database: Database, contact: str, private: bool) -> None:
        if importlib.util.find_spec("py_vapid") is None:
            raise KursbuchError(
                "Web Push needs more Python packages: pip install '.[push]' in the folder of the source."
            )
        self._database = database
        self._contact = _claimed(contact)
        self.private = private
        self._vapid: Any = None
        #: What browsers have to know to take messages of this server.
        self.public_key = ""

    async def prepare(self) -> None:
        """Find our key, or make it."""
        from py_vapid import Vapid02

        kept = await self._database.setting(SETTING, _new_key)
        self._vapid = Vapid02.from_pem(kept.encode())
        self.public_key = _written(_raw(self._vapid.public_key))

    async def deliver(self, letter: Message) -> None:
        """Send a letter to a browser."""
        import http_ece

        async with self._database.reading() as session:
            device = await session.get(PushDevice, letter.address)
        if device is None:
            raise Refused("there is no such browser any more")
        parts = urlsplit(device.endpoint)
        claims = {
            "sub": self._contact,
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": int(now().timestamp()) + SIGNED,
        }
        data = msgspec.json.decode(letter.text)
        told = {name: str(data[name])[:most] for name, most in _LENGTHS.items()}
        content = http_ece.encrypt(
            msgspec.json.encode(told),
            salt=os.urandom(16),
            private_key=_new_private(),
            dh=_read(device.key),
            auth_secret=_read(device.auth),
            version="aes128gcm",
        )
        headers = {
            **self._vapid.sign(claims),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(KEEP),
            "urgency": "normal",
        }
        if told["tag"]:
            headers["topic"] = sha256(told["tag"].encode()).hexdigest()[:32]
        await outbound.post(device.endpoint, content, headers, self.private)

    async def settled(self, session: AsyncSession, letter: Message, why: Exception | None) -> None:
        """Forget a browser that does not want to be told any more."""
        if isinstance(why, Gone):
            await session.execute(delete(PushDevice).where(PushDevice.id == letter.address))

    def device(
        self, owner: str, session: int | None, endpoint: str, key: str, auth: str
    ) -> PushDevice:
        """A browser as its page describes it; refused if nothing could be sent there."""
        from cryptography.hazmat.primitives.asymmetric import ec

        outbound.check_url(endpoint, self.private)
        try:
            ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _read(key))
            known = len(_read(auth)) == 16
        except ValueError:
            known = False
        if not known:
            raise errors.Refused(N_("This browser cannot be told anything."))
        return PushDevice(
            id=_id(endpoint),
            owner=owner,
            session_id=session,
            endpoint=endpoint,
            key=key[:120],
            auth=auth[:60],
            made_at=now(),
        )


async def forget(session: AsyncSession, owner: str, endpoint: str) -> None:
    """Tell a browser nothing any more."""
    mine = (PushDevice.id == _id(endpoint)) & (PushDevice.owner == owner)
    await session.execute(delete(PushDevice).where(mine))


def _id(endpoint: str) -> str:
    return sha256(endpoint.encode()).hexdigest()


def _new_key() -> str:
    from py_vapid import Vapid02

    vapid = Vapid02()
    vapid.generate_keys()
    return str(vapid.private_pem().decode())


def _new_private() -> Any:
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.generate_private_key(ec.SECP256R1())


def _raw(public: Any) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return bytes(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def _written(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _read(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
