"""Delivery by mail."""

from __future__ import annotations

import base64
import re
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import format_datetime, formataddr, parseaddr
from hashlib import sha256
from urllib.parse import unquote, urlsplit

import aiosmtplib
import msgspec
from aiosmtplib.errors import (
    SMTPException,
    SMTPRecipientRefused,
    SMTPRecipientsRefused,
    SMTPResponseException,
)
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.errors import KursbuchError
from kursbuch.web.notifications.links import Links
from kursbuch.web.notifications.models import Message, PausedAddress
from kursbuch.web.notifications.sender import Gone, Refused, Undelivered

#: How long the mail server may take for an answer, in seconds.
PATIENCE = 30

#: Of an enhanced status code: its kind, and of what concerns the mailbox also which.
_DETAIL = re.compile(r"5\.(1(?=\.)|2\.1\b|\d+)")
_LOCAL = ("localhost", "127.0.0.1", "::1")


class _Whole(UnstructuredHeader, BaseHeader):
    """A field of addresses and ids. Where one is longer than a line Python would encode it like a text, which mail
    programs read in texts only."""

    def fold(self, *, policy: Policy) -> str:
        """The field in one line, as it is."""
        return f"{self.name}: {self}{policy.linesep}"


_FIELDS = HeaderRegistry()
for _field in ("List-Unsubscribe", "In-Reply-To", "References"):
    _FIELDS.map_to_type(_field, _Whole)
_POLICY = SMTP.clone(header_factory=_FIELDS)


class SmtpServer(msgspec.Struct, frozen=True):
    """The mail server that takes our mails. `encryption` is "tls" from the beginning on, "starttls" if it must
    be begun, "" if it is used where it is offered."""

    host: str
    port: int
    user: str = ""
    password: str = ""
    encryption: str = ""


def smtp_server(given: str) -> SmtpServer:
    """The mail server at an address such as `smtp://user:password@host:587`; with `smtps://` everything is
    encrypted from the start. A password is only ever sent encrypted, except to this machine.

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
            "The mail server is given as smtp://user:password@host:587 or smtps://…; this is not: {given}.",
            given=repr(given.rpartition("@")[2]),
        )
    if parts.scheme == "smtps":
        encryption, usual = "tls", 465
    else:
        encryption = "starttls" if parts.username and parts.hostname not in _LOCAL else ""
        usual = 587 if parts.username else 25
    return SmtpServer(
        parts.hostname,
        port or usual,
        unquote(parts.username or ""),
        unquote(parts.password or ""),
        encryption,
    )


class Smtp:
    """Sends mails through a mail server. What cannot be delivered comes back to `replies`, if that is read."""

    def __init__(self, server: SmtpServer, sender: str, replies: str = "") -> None:
        self._server = server
        self._replies = replies
        self.links: Links | None = None
        self._name, self.address = parseaddr(sender)
        if "@" not in self.address:
            raise KursbuchError(
                "The sender of mails is given as name@host or Name <name@host>; this is not: {given}.",
                given=repr(sender),
            )

    async def deliver(self, letter: Message) -> None:
        """Hand a mail to the mail server."""
        envelope = self.address
        if self._replies and self.links is not None:
            local, _, host = self._replies.partition("@")
            envelope = f"{local}+{self.links.bounce(letter.id)}@{host}"
        server = self._server
        try:
            message = self.mail(letter)
        except (ValueError, IndexError) as error:
            raise Refused(f"not an address: {error}") from None
        try:
            await aiosmtplib.send(
                message,
                sender=envelope,
                recipients=[letter.address],
                hostname=server.host,
                port=server.port,
                username=server.user or None,
                password=server.password or None,
                use_tls=server.encryption == "tls",
                start_tls=True if server.encryption == "starttls" else None,
                timeout=PATIENCE,
            )
        except SMTPRecipientsRefused as error:
            raise _refused(error.recipients[0]) from error
        except SMTPRecipientRefused as error:
            raise _refused(error) from error
        except SMTPResponseException as error:
            raise Undelivered(f"{error.code} {error.message}") from error
        except (SMTPException, OSError) as error:
            raise Undelivered(str(error) or type(error).__name__) from error

    async def settled(self, session: AsyncSession, letter: Message, why: Exception | None) -> None:
        """Send nothing more where nobody is."""
        if isinstance(why, Gone):
            await pause_address(session, letter.address, str(why))

    def mail(self, letter: Message) -> EmailMessage:
        """A letter as a mail. Sent again, it has the same id, by which mailboxes know it."""
        message = EmailMessage(policy=_POLICY)
        host = self.address.rpartition("@")[2]
        message["Subject"] = " ".join(letter.subject.split())
        message["From"] = formataddr((self._name, self.address)) if self._name else self.address
        message["To"] = Address(addr_spec=letter.address)
        message["Date"] = format_datetime(letter.made_at)
        message["Message-ID"] = f"<{sha256(letter.key.encode()).hexdigest()[:32]}@{host}>"
        message["Auto-Submitted"] = "auto-generated"
        for name, value in letter.headers.items():
            message[name] = value
        message.set_content(letter.text)
        if letter.html:
            message.add_alternative(letter.html, subtype="html")
        for attachment in letter.attachments:
            self._attach(message, attachment, host)
        return message

    def _attach(self, message: EmailMessage, attachment: dict[str, str], host: str) -> None:
        kind, _, subtype = attachment["kind"].partition("/")
        content = base64.b64decode(attachment["content"])
        # What belongs to the HTML stands beside it, not each thing around the ones before.
        shown = message.get_body(("related", "html")) if attachment["cid"] else None
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
            message.add_attachment(content, kind, subtype, filename=attachment["name"])


def _refused(error: SMTPResponseException) -> Undelivered:
    """Why a mail server does not take mails for an address.

    >>> answers = (550, "no such user"), (550, "5.1.1 unknown"), (550, "5.7.1 relaying denied"), (554, "no"), (452, "")
    >>> [type(_refused(SMTPResponseException(*answer))).__name__ for answer in answers]
    ['Gone', 'Gone', 'Refused', 'Refused', 'Undelivered']
    """
    said = f"{error.code} {error.message}"
    if not 500 <= error.code < 600:
        return Undelivered(said)
    return Gone(said) if is_unknown(error.code, error.message) else Refused(said)


def is_unknown(code: int, message: str) -> bool:
    """Whether a refusal for good says that there is nobody at an address. Policies, relays and full mailboxes are
    refused for good, too, and say nothing of it."""
    detail = _DETAIL.match(message)
    return detail[1] in ("1", "2.1") if detail else code in (550, 551, 553)


async def pause_address(session: AsyncSession, address: str, why: str) -> None:
    """Send nothing more to an address until its owner says so."""
    address = address.lower()
    if await session.get(PausedAddress, address) is None:
        session.add(PausedAddress(address=address, why=why[:500]))
