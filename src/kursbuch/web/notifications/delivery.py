"""Delivery channels: mail by SMTP, Web Push and webhooks, none of which reach private networks."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import hmac
import importlib.util
import ipaddress
import os
import re
import secrets
import socket
import ssl
from collections.abc import Mapping
from datetime import timedelta
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import format_datetime, formataddr, parseaddr
from functools import cache
from hashlib import sha256
from typing import Any
from urllib.parse import unquote, urlsplit

import aiosmtplib
import msgspec
from aiosmtplib.errors import (
    SMTPException,
    SMTPRecipientRefused,
    SMTPRecipientsRefused,
    SMTPResponseException,
)
from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import now
from kursbuch.web.http import errors
from kursbuch.web.notifications.links import Links
from kursbuch.web.notifications.models import Message, PausedAddress, PushDevice, Webhook
from kursbuch.web.notifications.outbox import Gone, Rejected, Undelivered

#: Time limit for an answer of the mail server, in seconds.
SMTP_TIMEOUT = 30

#: Enhanced status code: its subject, and for mailboxes also the detail.
_ENHANCED_STATUS = re.compile(r"5\.(1(?=\.)|2\.1\b|\d+)")
_LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")


class _UnfoldedHeader(UnstructuredHeader, BaseHeader):
    """A header of addresses and ids on one line; mail programs do not decode long ones that are
    folded."""

    def fold(self, *, policy: Policy) -> str:
        """Return the header on one line."""
        return f"{self.name}: {self}{policy.linesep}"


_HEADERS = HeaderRegistry()
for _field in ("List-Unsubscribe", "In-Reply-To", "References"):
    _HEADERS.map_to_type(_field, _UnfoldedHeader)
_POLICY = SMTP.clone(header_factory=_HEADERS)


class SmtpServer(msgspec.Struct, frozen=True):
    """The outgoing mail server.

    `encryption` is "tls" from the start, "starttls" if required, or empty if used where offered."""

    host: str
    port: int
    user: str = ""
    password: str = ""
    encryption: str = ""


def smtp_server(given: str) -> SmtpServer:
    """Return the mail server at an address such as `smtp://user:password@host:587`.

    `smtps://` encrypts everything; with a password, `smtp://` requires STARTTLS.

    >>> smtp_server("smtp://ann%40club:pw@mail.example").encryption
    'starttls'
    >>> smtp_server("smtps://mail.example").port, smtp_server("smtp://localhost:25").encryption
    (465, '')
    """
    try:
        parts = urlsplit(given)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise KursbuchError(
            "The mail server must look like smtp://user:password@host:587 or smtps://…, not "
            "{given}.",
            given=repr(given.rpartition("@")[2]),
        )
    if parts.scheme == "smtps":
        encryption, usual = "tls", 465
    else:
        encryption = "starttls" if parts.username and parts.hostname not in _LOCAL_HOSTS else ""
        usual = 587 if parts.username else 25
    return SmtpServer(
        parts.hostname,
        port or usual,
        unquote(parts.username or ""),
        unquote(parts.password or ""),
        encryption,
    )


class SmtpChannel:
    """Delivers mails; bounces go to `replies`, if that mailbox is read."""

    def __init__(self, server: SmtpServer, sender: str, replies: str = "") -> None:
        self._server = server
        self._replies = replies
        self.links: Links | None = None
        self._name, self.address = parseaddr(sender)
        if "@" not in self.address:
            raise KursbuchError(
                ("The mail sender must look like name@host or Name <name@host>, not {given}."),
                given=repr(sender),
            )

    async def deliver(self, message: Message) -> None:
        """Hand a mail to the mail server."""
        envelope = self.address
        if self._replies and self.links is not None:
            local, _, host = self._replies.partition("@")
            envelope = f"{local}+{self.links.bounce(message.id)}@{host}"
        server = self._server
        try:
            mail = self.mail(message)
        except (ValueError, IndexError) as error:
            raise Rejected(f"not an address: {error}") from None
        try:
            await aiosmtplib.send(
                mail,
                sender=envelope,
                recipients=[message.address],
                hostname=server.host,
                port=server.port,
                username=server.user or None,
                password=server.password or None,
                use_tls=server.encryption == "tls",
                start_tls=True if server.encryption == "starttls" else None,
                timeout=SMTP_TIMEOUT,
            )
        except SMTPRecipientsRefused as error:
            raise _smtp_error(error.recipients[0]) from error
        except SMTPRecipientRefused as error:
            raise _smtp_error(error) from error
        except SMTPResponseException as error:
            raise Undelivered(f"{error.code} {error.message}") from error
        except (SMTPException, OSError) as error:
            raise Undelivered(str(error) or type(error).__name__) from error

    async def settled(self, session: AsyncSession, message: Message, why: Exception | None) -> None:
        """Pause an address that no longer exists."""
        if isinstance(why, Gone):
            await pause_address(session, message.address, str(why))

    def mail(self, message: Message) -> EmailMessage:
        """Return a message as a mail; sent again, it has the same id."""
        mail = EmailMessage(policy=_POLICY)
        host = self.address.rpartition("@")[2]
        mail["Subject"] = " ".join(message.subject.split())
        mail["From"] = formataddr((self._name, self.address)) if self._name else self.address
        mail["To"] = Address(addr_spec=message.address)
        mail["Date"] = format_datetime(message.made_at)
        mail["Message-ID"] = f"<{sha256(message.key.encode()).hexdigest()[:32]}@{host}>"
        mail["Auto-Submitted"] = "auto-generated"
        for name, value in message.headers.items():
            mail[name] = value
        mail.set_content(message.text)
        if message.html:
            mail.add_alternative(message.html, subtype="html")
        for attachment in message.attachments:
            self._attach(mail, attachment, host)
        return mail

    def _attach(self, mail: EmailMessage, attachment: dict[str, str], host: str) -> None:
        kind, _, subtype = attachment["kind"].partition("/")
        content = base64.b64decode(attachment["content"])
        # Images of the HTML are siblings, instead of nesting.
        shown = mail.get_body(("related", "html")) if attachment["cid"] else None
        if isinstance(shown, EmailMessage):
            shown.add_related(
                content,
                kind,
                subtype,
                cid=f"<{attachment['cid']}>",
                filename=attachment["name"],
                disposition="inline",
            )
        else:
            mail.add_attachment(content, kind, subtype, filename=attachment["name"])


def _smtp_error(error: SMTPResponseException) -> Undelivered:
    """Return what the refusal of a mail server means.

    >>> answers = (550, "no such user"), (550, "5.1.1 unknown"), (550, "5.7.1 relaying denied"), (554, "no"), (452, "")
    >>> [type(_smtp_error(SMTPResponseException(*answer))).__name__ for answer in answers]
    ['Gone', 'Gone', 'Rejected', 'Rejected', 'Undelivered']
    """
    said = f"{error.code} {error.message}"
    if not 500 <= error.code < 600:
        return Undelivered(said)
    return Gone(said) if is_unknown_mailbox(error.code, error.message) else Rejected(said)


def is_unknown_mailbox(code: int, message: str) -> bool:
    """Return whether a permanent refusal means that the mailbox does not exist.

    Policies, relaying and full mailboxes are refused permanently too."""
    detail = _ENHANCED_STATUS.match(message)
    return detail[1] in ("1", "2.1") if detail else code in (550, 551, 553)


async def pause_address(session: AsyncSession, address: str, why: str) -> None:
    """Send nothing more to an address until its owner resumes it."""
    address = address.lower()
    if await session.get(PausedAddress, address) is None:
        session.add(PausedAddress(address=address, why=why[:500]))


#: Time limit of a request to a foreign server, in seconds.
REQUEST_TIMEOUT = 10

#: Maximum length of an address.
MAX_URL = 1000


def check_url(url: str, private: bool) -> None:
    """Refuse an address that cannot be sent to, as far as the address itself shows."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    wanted = ("https", "http") if private else ("https",)
    if (
        parts.scheme not in wanted
        or not parts.hostname
        or parts.username is not None
        or len(url) > MAX_URL
        or not url.isascii()
        or not url.isprintable()
        or " " in url
        or port == 0
    ):
        raise errors.Refused(N_("The address must begin with https:// and name a host."))
    with contextlib.suppress(ValueError):
        ipaddress.ip_address(parts.hostname)
        if not private and not is_public(parts.hostname):
            raise _private_host(parts.hostname)


async def check_host(url: str, private: bool) -> None:
    """Refuse an address that leads into a private network; every delivery checks this again."""
    parts = urlsplit(url)
    try:
        await resolve(parts.hostname or "", parts.port or 443, private)
    except Rejected:
        raise _private_host(parts.hostname or "") from None
    except Undelivered:
        pass  # the host may be known later


def _private_host(host: str) -> errors.Refused:
    return errors.Refused(
        N_("{host} is in a private network, which this server does not contact."), host=host
    )


async def resolve(host: str, port: int, private: bool) -> str:
    """Return the IP address of a host, which must be public unless private ones are allowed."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Undelivered(f"no host {host}: {error}") from None
    addresses = [str(one[4][0]).partition("%")[0] for one in found]
    # A name with any private address is suspicious as a whole.
    if not private and not all(is_public(address) for address in addresses):
        raise Rejected(f"{host} is an address of a private network")
    return addresses[0]


def is_public(address: str) -> bool:
    """Return whether an IP address is public, independent of the tables of this Python.

    >>> [is_public(one) for one in ("8.8.8.8", "10.0.0.1", "::1", "::ffff:127.0.0.1", "169.254.169.254")]
    [True, False, False, False, False]
    >>> [is_public(one) for one in ("100.64.0.1", "64:ff9b::a00:1", "2002:7f00:1::", "224.0.0.1")]
    [False, False, False, False]
    >>> [is_public(one) for one in ("::127.0.0.1", "::ffff:0:7f00:1", "fec0::1", "2a01:4f8::1")]
    [False, False, False, True]
    >>> [is_public(one) for one in ("64:ff9b:1::1", "5f00::1", "64:ff9b::808:808", "::ffff:8.8.8.8")]
    [False, False, True, True]
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        if not any(found in one for one in _EMBEDDING_4):
            return found in _GLOBAL_6 and not any(found in one for one in _RESERVED_6)
        found = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
    return not any(found in one for one in _RESERVED_4)


#: Networks outside the public internet, from the special-purpose registries:
#: https://www.iana.org/assignments/iana-ipv4-special-registry, and the same for IPv6. Partly public
#: blocks, multicast and obsolete blocks are listed as a whole.
_RESERVED_4 = [
    ipaddress.IPv4Network(one)
    for one in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared by customers of a provider
        "127.0.0.0/8",  # loopback
        "169.254.0.0/16",  # link-local
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocols
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
]

#: The only public range of IPv6: https://www.iana.org/assignments/ipv6-address-space.
_GLOBAL_6 = ipaddress.IPv6Network("2000::/3")
_RESERVED_6 = [
    ipaddress.IPv6Network(one)
    for one in (
        "2001::/23",  # protocols, among them Teredo
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "3fff::/20",  # documentation
    )
]

#: Ranges that lead to the IPv4 address at their end.
_EMBEDDING_4 = [ipaddress.IPv6Network(one) for one in ("::ffff:0:0/96", "64:ff9b::/96")]


@cache
def _tls_context() -> ssl.SSLContext:
    """Return the trusted certificate authorities; loading them takes longer than a request."""
    import httpx

    return httpx.create_ssl_context(trust_env=False)


async def post(url: str, content: bytes, headers: Mapping[str, str], private: bool = False) -> None:
    """Send a POST request.

    The host is looked up once, and that IP address is connected to. Redirects are not followed, and
    the response body is not read."""
    import httpx  # here, because it takes a fifth of a second and many servers never need it

    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    address = await resolve(host, port, private)
    connect = f"[{address}]" if ":" in address else address
    target = f"{parts.scheme}://{connect}:{port}{parts.path or '/'}"
    if parts.query:
        target += f"?{parts.query}"
    try:
        async with (
            httpx.AsyncClient(
                timeout=REQUEST_TIMEOUT,
                follow_redirects=False,
                trust_env=False,
                verify=_tls_context(),
            ) as client,
            client.stream(
                "POST",
                target,
                content=content,
                headers={**headers, "host": parts.netloc},
                extensions={"sni_hostname": host},
            ) as answer,
        ):
            status, wait = answer.status_code, answer.headers.get("retry-after", "")
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        raise Undelivered(str(error) or type(error).__name__) from None
    if 200 <= status < 300:
        return
    if status in (404, 410):
        raise Gone(f"answered {status}")
    if status in (408, 425, 429) or status >= 500:
        after = timedelta(seconds=min(int(wait), 86400)) if wait.isdecimal() else None
        raise Undelivered(f"answered {status}", after)
    raise Rejected(f"answered {status}")


#: Name of the setting with our VAPID key.
VAPID_SETTING = "vapid"

#: How long the push service keeps a message, in seconds.
PUSH_TTL = 24 * 3600

#: Lifetime of a VAPID signature, in seconds.
VAPID_LIFETIME = 12 * 3600

#: Maximum length of each part of a push message.
_MAX_LENGTHS = {"title": 120, "text": 300, "url": 200, "tag": 20}

#: Maximum number of browsers of one player.
MAX_DEVICES = 10


def _vapid_subject(contact: str) -> str:
    """Return the operator's contact in the form that push services want.

    >>> _vapid_subject("admin@club.example"), _vapid_subject("https://club.example/imprint")
    ('mailto:admin@club.example', 'https://club.example/imprint')
    """
    if contact.startswith("https://"):
        return contact
    mail = contact.removeprefix("mailto:")
    name, _, host = mail.rpartition("@")
    if not name or not host or " " in mail:
        raise KursbuchError(
            "KURSBUCH_PUSH must be the mail address of the server's operator, not {given}.",
            given=repr(contact),
        )
    return f"mailto:{mail}"


class PushChannel:
    """Delivers by Web Push; `contact` is where push services reach the operator."""

    def __init__(self, database: Database, contact: str, private: bool) -> None:
        if importlib.util.find_spec("py_vapid") is None:
            raise KursbuchError(
                "Web Push needs more Python packages: pip install '.[push]' in the source folder."
            )
        self._database = database
        self._contact = _vapid_subject(contact)
        self.private = private
        self._vapid: Any = None
        #: The key that browsers need to accept messages of this server.
        self.public_key = ""

    async def prepare(self) -> None:
        """Load our key, or create it."""
        from py_vapid import Vapid02

        kept = await self._database.setting(VAPID_SETTING, _new_vapid_key)
        self._vapid = Vapid02.from_pem(kept.encode())
        self.public_key = _base64url(_raw_key(self._vapid.public_key))

    async def deliver(self, message: Message) -> None:
        """Deliver a message to a browser."""
        import http_ece

        async with self._database.reading() as session:
            device = await session.get(PushDevice, message.address)
        if device is None:
            raise Rejected("there is no such browser any more")
        parts = urlsplit(device.endpoint)
        claims = {
            "sub": self._contact,
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": int(now().timestamp()) + VAPID_LIFETIME,
        }
        data = msgspec.json.decode(message.text)
        told = {name: str(data[name])[:most] for name, most in _MAX_LENGTHS.items()}
        content = http_ece.encrypt(
            msgspec.json.encode(told),
            salt=os.urandom(16),
            private_key=_new_private_key(),
            dh=_from_base64url(device.key),
            auth_secret=_from_base64url(device.auth),
            version="aes128gcm",
        )
        headers = {
            **self._vapid.sign(claims),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(PUSH_TTL),
            "urgency": "normal",
        }
        if told["tag"]:
            headers["topic"] = sha256(told["tag"].encode()).hexdigest()[:32]
        await post(device.endpoint, content, headers, self.private)

    async def settled(self, session: AsyncSession, message: Message, why: Exception | None) -> None:
        """Forget a browser that is no longer subscribed."""
        if isinstance(why, Gone):
            await session.execute(delete(PushDevice).where(PushDevice.id == message.address))

    def device(
        self, owner: str, session: int | None, endpoint: str, key: str, auth: str
    ) -> PushDevice:
        """Return the browser that its page describes, or refuse it."""
        from cryptography.hazmat.primitives.asymmetric import ec

        check_url(endpoint, self.private)
        try:
            ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _from_base64url(key))
            known = len(_from_base64url(auth)) == 16
        except ValueError:
            known = False
        if not known:
            raise errors.Refused(N_("This browser does not support notifications."))
        return PushDevice(
            id=_device_id(endpoint),
            owner=owner,
            session_id=session,
            endpoint=endpoint,
            key=key[:120],
            auth=auth[:60],
            made_at=now(),
        )


async def forget_device(session: AsyncSession, owner: str, endpoint: str) -> None:
    """Stop notifying a browser."""
    mine = (PushDevice.id == _device_id(endpoint)) & (PushDevice.owner == owner)
    await session.execute(delete(PushDevice).where(mine))


def _device_id(endpoint: str) -> str:
    return sha256(endpoint.encode()).hexdigest()


def _new_vapid_key() -> str:
    from py_vapid import Vapid02

    vapid = Vapid02()
    vapid.generate_keys()
    return str(vapid.private_pem().decode())


def _new_private_key() -> Any:
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.generate_private_key(ec.SECP256R1())


def _raw_key(public: Any) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return bytes(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _from_base64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


PLAIN, DISCORD, SLACK = "plain", "discord", "slack"
WEBHOOK_FORMS = (PLAIN, DISCORD, SLACK)

#: Discord refuses longer texts.
_MAX_DISCORD = 1900


class WebhookChannel:
    """Delivers to webhooks; with `private`, also inside the server's own network."""

    def __init__(self, database: Database, private: bool) -> None:
        self._database = database
        self.private = private

    async def deliver(self, message: Message) -> None:
        """Deliver a message to its reader's webhook."""
        async with self._database.reading() as session:
            hook = await session.get(Webhook, message.address)
        if hook is None:
            raise Rejected("there is no such webhook any more")
        data = msgspec.json.decode(message.text)
        body = msgspec.json.encode(webhook_body(hook.form, data))
        headers = {"content-type": "application/json", "user-agent": "Kursbuch"}
        if hook.form == PLAIN:
            moment = str(int(now().timestamp()))
            headers["x-kursbuch-delivery"] = hashlib.sha256(message.key.encode()).hexdigest()[:32]
            headers["x-kursbuch-timestamp"] = moment
            headers["x-kursbuch-signature"] = webhook_signature(hook.secret, moment, body)
        await post(hook.url, body, headers, self.private)

    async def settled(self, session: AsyncSession, message: Message, why: Exception | None) -> None:
        """Note the last delivery for the owner; a webhook that is gone is switched off."""
        hook = await session.get(Webhook, message.address, with_for_update=True)
        if hook is None:
            return
        hook.tried_at = now()
        hook.failure = "" if why is None else str(why)[:500]
        if isinstance(why, Gone):
            hook.error = hook.failure


def webhook_signature(secret: str, moment: str, body: bytes) -> str:
    """Return the signature of a webhook request: an HMAC of the time and the body."""
    told = moment.encode() + b"." + body
    return "sha256=" + hmac.new(secret.encode(), told, hashlib.sha256).hexdigest()


def new_webhook_secret() -> str:
    """Return a new signing secret."""
    return secrets.token_urlsafe(24)


def webhook_body(form: str, data: dict[str, Any]) -> dict[str, Any]:
    """Return the body in the form the receiver expects; names of players mention no one there.

    >>> webhook_body("slack", {"title": "a <b>", "text": "@c", "url": "https://d"})
    {'text': '*a &lt;b&gt;*\\n@c\\nhttps://d'}
    """
    if form == PLAIN:
        return data
    title, text, url = data["title"], data["text"], data["url"]
    if form == DISCORD:
        content = (
            f"**{_escape_markdown(title)}**\n{_escape_markdown(text)}"[:_MAX_DISCORD] + f"\n{url}"
        )
        return {"content": content, "allowed_mentions": {"parse": []}}
    return {"text": f"*{_escape_slack(title)}*\n{_escape_slack(text)}\n{url}"[: 2 * _MAX_DISCORD]}


def _escape_slack(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _escape_markdown(text: str) -> str:
    return "".join("\\" + char if char in "\\*_~`|<>[]()#" else char for char in text)
