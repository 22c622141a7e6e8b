"""Refusals of the server: one sentence and an HTTP status."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_


class ErrorPage(msgspec.Struct, frozen=True):
    """error.html: one sentence."""

    status: int
    sentence: str
    rule: str
    rule_url: str


class Refused(KursbuchError):
    """A refused request; nothing was changed."""

    status: ClassVar[int] = 422


class Unauthorized(Refused):
    """The visitor has to log in first."""

    status = 401


class NotFound(Refused):
    """The requested thing does not exist."""

    status = 404


class Forbidden(Refused):
    """The visitor has no permission."""

    status = 403


class Conflict(Refused):
    """The table has changed since the visitor saw it."""

    status = 409


class TooMany(Refused):
    """Too many requests; `params["seconds"]`, if given, is the time to wait."""

    status = 429


def retry_after(error: Exception) -> dict[str, str]:
    """Return the Retry-After header of a refusal, if the time is known."""
    if isinstance(error, TooMany) and "seconds" in error.params:
        return {"retry-after": str(error.params["seconds"])}
    return {}


class Misdirected(Refused):
    """The server does not answer to this host name."""

    status = 421


class Unavailable(Refused):
    """The server cannot answer at the moment."""

    status = 503


def no_table() -> NotFound:
    """Return the refusal for an unknown table."""
    return NotFound(N_("There is no such table."))


def stale() -> Conflict:
    """Return the refusal of a decision on an older position."""
    return Conflict(N_("The game has moved on. Look at the new position and decide again."))


BUSY = N_("The server is very busy. Please try again in a moment.")


def overloaded() -> Unavailable:
    """Return the refusal of an overloaded server."""
    return Unavailable(BUSY)
