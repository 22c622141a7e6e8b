"""Database outages: what visitors and the log are told."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from kursbuch.core.words import N_
from kursbuch.web.http.errors import Unavailable
from kursbuch.web.http.queues import overloaded
from kursbuch.web.ops.logs import ThrottledLog

#: Codes of SQLite: busy, locked, input or output failed, cannot be opened, a lock of another kind.
_SQLITE_AWAY = {5, 6, 10, 14, 15}
_SQLITE_BUSY = 5

#: May only be read, is full.
_SQLITE_FIXED = {8, 13}

#: Classes of codes of PostgreSQL: no connection, no resources, ended or starting, its system failed.
_POSTGRES_AWAY = ("08", "53", "57P", "58")

#: It is there, but not ready yet.
_POSTGRES_STARTING = "57P03"

#: May only be read, the disk is full.
_POSTGRES_FIXED = ("25006", "53100")
log = logging.getLogger(__name__)


def why(error: Exception) -> str:
    """What is wrong, in a line."""
    said = str(getattr(error, "orig", None) or error) or type(error).__name__
    return said.splitlines()[0].rpartition(">: ")[2].rstrip(".")


def is_starting(error: Exception) -> bool:
    """Whether a database is only not ready yet, or another process writes in it for long."""
    found = getattr(error, "orig", None)
    if getattr(found, "sqlstate", None) == _POSTGRES_STARTING:
        return True
    return getattr(found, "sqlite_errorcode", 0) & 0xFF == _SQLITE_BUSY


def refusal(error: Exception) -> Unavailable | None:
    """What people are told of a failure that will pass; None if it is none, but a mistake of ours."""
    if isinstance(error, PoolTimeoutError):
        return overloaded()
    if isinstance(error, OSError):
        # Nothing of a file: that the server of the database is not reached.
        return None if error.filename else _away()
    if not isinstance(error, DBAPIError):
        return None
    sqlite = getattr(error.orig, "sqlite_errorcode", None)
    if isinstance(sqlite, int):
        return _told(sqlite & 0xFF in _SQLITE_FIXED, sqlite & 0xFF in _SQLITE_AWAY)
    code = getattr(error.orig, "sqlstate", None) or ""
    lost = error.connection_invalidated or "connection" in str(error.orig)
    return _told(code in _POSTGRES_FIXED, lost or code.startswith(_POSTGRES_AWAY))


def _told(fixed: bool, away: bool) -> Unavailable | None:
    if fixed:
        return Unavailable(
            N_(
                "The server cannot store anything just now, so nothing was changed: please try again later."
            )
        )
    return _away() if away else None


def _away() -> Unavailable:
    return Unavailable(N_("The server cannot reach its database just now: please try again."))


class OutageGuard:
    """Turns failures of a database into refusals. Many notice them at once; the log tells them now and then."""

    def __init__(self) -> None:
        self._log = ThrottledLog(log, logging.ERROR)

    @contextmanager
    def told(self) -> Iterator[None]:
        """Refuse what fails in the block for a reason that will pass."""
        try:
            yield
        except (DBAPIError, PoolTimeoutError, OSError) as error:
            found = refusal(error)
            if found is None:
                raise
            said = why(error)
            self._log.write(said, "The database does not answer: %s", said)
            raise found from error
