"""Typed access to environment variables."""

from __future__ import annotations

import os
from collections.abc import Sequence
from urllib.parse import urlsplit

from kursbuch.core.errors import KursbuchError


def text(variable: str) -> str:
    """What stands in a variable, empty if it is not there."""
    return os.environ.get(variable, "").strip()


def word(variable: str, known: Sequence[str]) -> str:
    """The word in a variable; the first of those known if there is none."""
    found = text(variable) or known[0]
    if found not in known:
        raise KursbuchError(
            "{variable} must be one of {known}.", variable=variable, known=", ".join(known)
        )
    return found


def number(variable: str) -> int | None:
    """The whole number in a variable, None if there is none."""
    found = text(variable)
    if not found:
        return None
    if not (found.isascii() and found.isdecimal()) or len(found) > 9:
        raise KursbuchError("{variable} must be a whole number.", variable=variable)
    return int(found)


def address(variable: str) -> str:
    """The address of a server in a variable, without a slash at its end; empty if there is none."""
    found = text(variable).rstrip("/")
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
