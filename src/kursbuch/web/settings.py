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
    """What stands in a variable, empty if it is not there."""
    return os.environ.get(variable, "").strip()


def env_choice(variable: str, known: Sequence[str]) -> str:
    """The word in a variable; the first of those known if there is none."""
    found = env_text(variable) or known[0]
    if found not in known:
        raise KursbuchError(
            "{variable} must be one of {known}.", variable=variable, known=", ".join(known)
        )
    return found


def env_number(variable: str) -> int | None:
    """The whole number in a variable, None if there is none."""
    found = env_text(variable)
    if not found:
        return None
    if not (found.isascii() and found.isdecimal()) or len(found) > 9:
        raise KursbuchError("{variable} must be a whole number.", variable=variable)
    return int(found)


def env_address(variable: str) -> str:
    """The address of a server in a variable, without a slash at its end; empty if there is none."""
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


#: At a table where people play together, they are told after so many seconds that it is their turn.
PAUSE = 300


class NotificationSettings(msgspec.Struct, frozen=True):
    """How people are told things. `smtp` is the mail server (`smtp://user:password@host:587`), `sender` the
    address mails come from, `replies` the one they are answered to, `imap` the mailbox that gets the answers
    (`imaps://user:password@host/INBOX`), if no mail server pipes them here. `push` switches Web Push on: it is the
    address of whoever runs the server. `webhooks` is "on", or "private" if they may lead into the
    server's own network. Who plays live is told after `pause` seconds."""

    smtp: str = ""
    sender: str = ""
    replies: str = ""
    imap: str = ""
    push: str = ""
    webhooks: str = ""
    pause: int = PAUSE

    @classmethod
    def from_environment(cls) -> NotificationSettings:
        """The settings in the variables KURSBUCH_SMTP, _MAIL_FROM, _MAIL_REPLIES, _IMAP, _PUSH, _WEBHOOKS and
        _NOTICE_PAUSE."""
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
    """How a server runs. `secret` signs the cookies; without one it is kept in the database. Of
    several, separated by spaces, the first one signs and all are read.
    `prefix` tells apart servers that share a Redis without sharing a database. `most_open` is how many
    games that are not over a visitor may have opened. `address` is for the links of those who came to
    the server by a name that only their own device knows, such as localhost. `hosts` are the names the server
    answers to (`Hosts`), `limits` is how much may be asked of it (`limits_of`). `unwatched` says how the
    computer plays where nobody sits and nobody looks on (`opponents.UNWATCHED`), `thinking` how many seconds a
    minute it may think for the tables of one owner. `memory` is for games that are kept ready, in megabytes.
    `post` is how letters are sent. `accounts` says who may have one: anybody who registers ("open"), who is
    invited ("invitation"), for whom an administrator makes one ("closed"), or nobody ("off")."""

    database: str | None = None
    redis: str | None = None
    secret: str | None = None
    prefix: str = "kursbuch"
    bot_processes: int | None = None
    most_open: int = MOST_OPEN
    address: str = ""
    unwatched: str = SLOW
    thinking: float | None = None
    memory: int = MEMORY
    post: NotificationSettings = NotificationSettings()
    hosts: str = ""
    limits: str = ""
    accounts: str = accounts.OPEN

    @classmethod
    def from_environment(cls) -> Settings:
        """The settings in the variables KURSBUCH_DATABASE, _REDIS, _SECRET, _PREFIX, _BOT_PROCESSES,
        _TABLES, _ADDRESS, _HOSTS, _LIMITS, _UNWATCHED, _THINKING, _MEMORY and _ACCOUNTS, and those of
        `PostSettings`."""
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
