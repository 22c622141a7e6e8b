"""The maintenance lock: servers release the database while it is replaced."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, insert, inspect, select

from kursbuch.core.errors import NotNow
from kursbuch.core.words import N_
from kursbuch.web.db.models import Setting, now

#: How often servers look whether somebody wants the database for himself, in seconds.
EVERY = 1.0

#: How often a server that has made room looks whether it may come back, in seconds: meanwhile it is connected.
RETURNING = 1.0

#: How long servers are waited for, in seconds: they finish what they are thinking about.
PATIENCE = 60.0

#: A wish that is older is not waited for: whoever left it was killed, or has the database for himself already.
VALID = timedelta(seconds=90)
_WISH = "making room"

#: The query for the wish of somebody.
WISH = select(Setting.value).where(Setting.key == _WISH)
REPLACED = N_("A backup is just being restored on this server: please wait a moment.")


class UnderMaintenance(NotNow):
    """Somebody has the database for himself."""

    def __init__(self) -> None:
        super().__init__(
            N_(
                "Another backup is just being restored into this database; if that was broken off, please "
                "try again in two minutes."
            )
        )


class MaintenanceLock:
    """What one who wants a database for himself leaves in it."""

    def __init__(self) -> None:
        self._token = secrets.token_hex(8)
        #: Whether there is anything to withdraw.
        self.left = False

    def leave(self, connection: Connection) -> None:
        """Leave it, or renew it; `Wanted` if there is one of somebody else. Nobody uses a database in which nothing
        can be left."""
        if not inspect(connection).has_table(Setting.__tablename__):
            return
        found = connection.scalar(WISH)
        if found is not None and is_valid(found) and not self.is_mine(found):
            raise UnderMaintenance
        forget(connection)
        value = f"{now().isoformat()} {self._token}"
        connection.execute(insert(Setting).values(key=_WISH, value=value))
        self.left = True

    def is_mine(self, found: str) -> bool:
        """Whether a wish that was found is this one."""
        return found.endswith(self._token)

    def withdraw(self, connection: Connection) -> None:
        """Let servers come back."""
        mine = Setting.value.endswith(self._token)
        connection.execute(delete(Setting).where(Setting.key == _WISH, mine))


def forget(connection: Connection) -> None:
    """Remove whatever wish there is."""
    connection.execute(delete(Setting).where(Setting.key == _WISH))


def require_free(connection: Connection) -> None:
    """Raise `Wanted` as long as somebody wants the database for himself. Asked when the lock for writing is held, which
    whoever has it keeps."""
    found = connection.scalar(WISH)
    if found is None:
        return
    if is_valid(found):
        raise UnderMaintenance
    forget(connection)


def is_valid(found: str) -> bool:
    """Whether a wish holds that was found."""
    return now() - datetime.fromisoformat(found.split()[0]) < VALID
