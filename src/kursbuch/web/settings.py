"""Server settings, read from environment variables."""

from __future__ import annotations

import msgspec

from kursbuch.web import environment
from kursbuch.web.accounts import service as accounts
from kursbuch.web.ai.opponents import SLOW, UNWATCHED
from kursbuch.web.notifications.service import NotificationSettings
from kursbuch.web.tables.games import MEMORY
from kursbuch.web.tables.policies import MOST_OPEN


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
            database=environment.text("KURSBUCH_DATABASE") or None,
            redis=environment.text("KURSBUCH_REDIS") or None,
            secret=environment.text("KURSBUCH_SECRET") or None,
            prefix=environment.text("KURSBUCH_PREFIX") or "kursbuch",
            bot_processes=environment.number("KURSBUCH_BOT_PROCESSES") or None,
            most_open=environment.number("KURSBUCH_TABLES") or MOST_OPEN,
            address=environment.address("KURSBUCH_ADDRESS"),
            hosts=environment.text("KURSBUCH_HOSTS"),
            limits=environment.text("KURSBUCH_LIMITS"),
            unwatched=environment.word("KURSBUCH_UNWATCHED", UNWATCHED),
            thinking=environment.number("KURSBUCH_THINKING") or None,
            memory=environment.number("KURSBUCH_MEMORY") or MEMORY,
            post=NotificationSettings.from_environment(),
            accounts=accounts.registration(environment.text("KURSBUCH_ACCOUNTS")),
        )
