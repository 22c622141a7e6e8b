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
    """Something the table does not do; nothing has changed."""

    status: ClassVar[int] = 422


class Unauthorized(Refused):
    """The visitor has to say first who it is."""

    status = 401


class NotFound(Refused):
    """There is no such thing."""

    status = 404


class Forbidden(Refused):
    """The visitor may not do that."""

    status = 403


class Conflict(Refused):
    """The table is no longer as the visitor saw it."""

    status = 409


class TooMany(Refused):
    """The visitor has asked for too much; if `params["seconds"]` is there, so much later it is possible again."""

    status = 429


def retry_after(error: Exception) -> dict[str, str]:
    """The header that says when to ask for too much again, if that is known."""
    if isinstance(error, TooMany) and "seconds" in error.params:
        return {"retry-after": str(error.params["seconds"])}
    return {}


class Misdirected(Refused):
    """The server does not answer to the name it was asked by."""

    status = 421


class Unavailable(Refused):
    """The server cannot do that at the moment."""

    status = 503


def no_table() -> NotFound:
    """There is no table with that address."""
    return NotFound(N_("There is no such table."))


def stale() -> Conflict:
    """The visitor decided on an older position."""
    return Conflict(
        N_("The game has gone on in the meantime: look at the new position and decide again.")
    )
