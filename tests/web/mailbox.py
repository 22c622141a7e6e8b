"""A real mail server within the test process, and what it has received."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any, NamedTuple

from aiosmtpd.controller import Controller

from tests.web.visitors import free_port


class Mail(NamedTuple):
    """A mail as it arrived."""

    sender: str
    recipient: str
    message: EmailMessage

    @property
    def text(self) -> str:
        part = self.message.get_body(("plain",))
        assert part is not None
        return str(part.get_content()).replace("\r\n", "\n")

    @property
    def html(self) -> str:
        part = self.message.get_body(("html",))
        assert part is not None
        return str(part.get_content()).replace("\r\n", "\n")


class Mailbox:
    """Takes mails for everybody. `refuses` are answers to recipients, `down` is its answer to all."""

    def __init__(self) -> None:
        self.mails: list[Mail] = []
        self.refuses: dict[str, str] = {}
        self.down = ""
        self.controller: Any = None
        self.port = free_port()

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        if address in self.refuses:
            return self.refuses[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.down:
            return self.down
        found = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(found, EmailMessage)
        self.mails += [Mail(envelope.mail_from, one, found) for one in envelope.rcpt_tos]
        return "250 OK"

    def start(self) -> None:
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self.controller.start()

    def stop(self) -> None:
        self.controller.stop()

    def to(self, address: str) -> list[Mail]:
        return [mail for mail in self.mails if mail.recipient == address]


@contextmanager
def mailbox() -> Iterator[Mailbox]:
    """A mail server that runs."""
    found = Mailbox()
    found.start()
    try:
        yield found
    finally:
        found.stop()
