"""Server settings, read from environment variables."""

from __future__ import annotations

import os
from collections.abc import Sequence
from urllib.parse import urlsplit

import msgspec

from kursbuch.core.errors import KursbuchError
from kursbuch.web.accounts import service as accounts
from kursbuch.web.ai.opponents import SLOW, UNWATCHED
from kursbuch.web.tables.games import MEMORY
from kursbuch.web.tables.policies import MOST_OPEN


def env_text(variable: str) -> str:
    """Return an environment variable, empty if it is not set."""
    return os.environ.get(variable, "").strip()


def env_choice(variable: str, known: Sequence[str]) -> str:
    """Return the word in a variable, by default the first of those known."""
    found = env_text(variable) or known[0]
    if found not in known:
        raise KursbuchError(
            "{variable} must be one of {known}.", variable=variable, known=", ".join(known)
        )
    return found


def env_number(variable: str) -> int | None:
    """Return the whole number in a variable, None if it is not set."""
    found = env_text(variable)
    if not found:
        return None
    if not (found.isascii() and found.isdecimal()) or len(found) > 9:
        raise KursbuchError("{variable} must be a whole number.", variable=variable)
    return int(found)


def env_address(variable: str) -> str:
    """Return the server address in a variable without a trailing slash; empty if it is not set."""
    found = env_text(variable).rstrip("/")
    if not found:
        return ""
    try:
        parts = urlsplit(found)
        whole = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        whole = None
    if not whole or parts.path or parts.query or parts.fragment or parts.username:
        raise KursbuchError(
            "{variable} must be an address such as https://kursbuch.example.org.", variable=variable
        )
    return found


#: Delay before players of a live game are notified of their turn, in seconds.
PAUSE = 300


class NotificationSettings(msgspec.Struct, frozen=True):
    """Settings for notifications by mail, Web Push and webhooks."""

    #: Mail server, `smtp://user:password@host:587`.
    smtp: str = ""
    #: Sender address of mails.
    sender: str = ""
    #: Address for replies to mails.
    replies: str = ""
    #: Mailbox with the replies, `imaps://user:password@host/INBOX`, unless a mail server pipes them in.
    imap: str = ""
    #: Contact address of the operator; Web Push is off without it.
    push: str = ""
    #: "on", or "private" if webhooks may lead into the server's own network.
    webhooks: str = ""
    #: Delay before a live player is notified, in seconds.
    pause: int = PAUSE

    @classmethod
    def from_environment(cls) -> NotificationSettings:
        """Read the settings from environment variables."""
        pause = env_number("KURSBUCH_NOTICE_PAUSE")
        webhooks = env_choice("KURSBUCH_WEBHOOKS", ("off", "on", "private"))
        return cls(
            smtp=env_text("KURSBUCH_SMTP"),
            sender=env_text("KURSBUCH_MAIL_FROM"),
            replies=env_text("KURSBUCH_MAIL_REPLIES"),
            imap=env_text("KURSBUCH_IMAP"),
            push=env_text("KURSBUCH_PUSH"),
            webhooks="" if webhooks == "off" else webhooks,
            pause=PAUSE if pause is None else pause,
        )


class Settings(msgspec.Struct, frozen=True):
    """Settings of a server."""

    database: str | None = None
    redis: str | None = None
    #: Keys that sign cookies, separated by spaces: the first one signs, all are read. By default the
    #: key is kept in the database.
    secret: str | None = None
    #: Tells apart servers that share a Redis but not a database.
    prefix: str = "kursbuch"
    bot_processes: int | None = None
    #: Maximum number of open tables per visitor.
    most_open: int = MOST_OPEN
    #: Address for links when the browser uses a name such as localhost.
    address: str = ""
    #: How bots play at tables without players or spectators (`opponents.UNWATCHED`).
    unwatched: str = SLOW
    #: Bot thinking time per owner of tables, in seconds a minute.
    thinking: float | None = None
    #: Memory for cached games, in megabytes.
    memory: int = MEMORY
    post: NotificationSettings = NotificationSettings()
    #: Host names the server answers to (`Hosts`).
    hosts: str = ""
    #: Rate limits (`limits_of`).
    limits: str = ""
    #: Registration: "open", "invitation", "closed" (administrators create accounts) or "off".
    accounts: str = accounts.OPEN

    @classmethod
    def from_environment(cls) -> Settings:
        """Read all settings from environment variables."""
        return cls(
            database=env_text("KURSBUCH_DATABASE") or None,
            redis=env_text("KURSBUCH_REDIS") or None,
            secret=env_text("KURSBUCH_SECRET") or None,
            prefix=env_text("KURSBUCH_PREFIX") or "kursbuch",
            bot_processes=env_number("KURSBUCH_BOT_PROCESSES") or None,
            most_open=env_number("KURSBUCH_TABLES") or MOST_OPEN,
            address=env_address("KURSBUCH_ADDRESS"),
            hosts=env_text("KURSBUCH_HOSTS"),
            limits=env_text("KURSBUCH_LIMITS"),
            unwatched=env_choice("KURSBUCH_UNWATCHED", UNWATCHED),
            thinking=env_number("KURSBUCH_THINKING") or None,
            memory=env_number("KURSBUCH_MEMORY") or MEMORY,
            post=NotificationSettings.from_environment(),
            accounts=accounts.registration(env_text("KURSBUCH_ACCOUNTS")),
        )
