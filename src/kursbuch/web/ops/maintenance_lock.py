"""The maintenance lock: servers release the database while it is replaced."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, insert, inspect, select

from kursbuch.core.errors import NotNow
from kursbuch.core.words import N_
from kursbuch.web.db.models import Setting, now

#: Interval at which servers check for the lock, in seconds.
EVERY = 1.0

#: Interval at which a stopped server checks whether it may return, in seconds: the check needs a
#: connection.
RETURNING = 1.0

#: Time to wait for servers to finish what they are doing, in seconds.
PATIENCE = 60.0

#: Lifetime of the lock: its holder was killed, or has exclusive use already.
VALID = timedelta(seconds=90)
_KEY = "making room"

#: Query for the stored lock.
LOCK_QUERY = select(Setting.value).where(Setting.key == _KEY)
REPLACED = N_("A backup is being restored on this server. Please wait a moment.")


class UnderMaintenance(NotNow):
    """Another process holds the maintenance lock."""

    def __init__(self) -> None:
        super().__init__(
            N_(
                "Another backup is being restored into this database. If that was interrupted, "
                "try again in two minutes."
            )
        )


class MaintenanceLock:
    """A lock, stored as a row, for exclusive use of a database."""

    def __init__(self) -> None:
        self._token = secrets.token_hex(8)
        #: Whether there is a lock to release.
        self.held = False

    def acquire(self, connection: Connection) -> None:
        """Take or renew the lock; raise `UnderMaintenance` if another process holds it. A database
        without a table for it is used by no one."""
        if not inspect(connection).has_table(Setting.__tablename__):
            return
        found = connection.scalar(LOCK_QUERY)
        if found is not None and is_valid(found) and not self.is_mine(found):
            raise UnderMaintenance
        forget(connection)
        value = f"{now().isoformat()} {self._token}"
        connection.execute(insert(Setting).values(key=_KEY, value=value))
        self.held = True

    def is_mine(self, found: str) -> bool:
        """Tell whether a stored lock is this one."""
        return found.endswith(self._token)

    def release(self, connection: Connection) -> None:
        """Release the lock."""
        mine = Setting.value.endswith(self._token)
        connection.execute(delete(Setting).where(Setting.key == _KEY, mine))


def forget(connection: Connection) -> None:
    """Remove any lock."""
    connection.execute(delete(Setting).where(Setting.key == _KEY))


def require_free(connection: Connection) -> None:
    """Raise `UnderMaintenance` while the database is locked. Call it with the write lock, which the holder keeps."""
    found = connection.scalar(LOCK_QUERY)
    if found is None:
        return
    if is_valid(found):
        raise UnderMaintenance
    forget(connection)


def is_valid(found: str) -> bool:
    """Tell whether a stored lock is still valid."""
    return now() - datetime.fromisoformat(found.split()[0]) < VALID
