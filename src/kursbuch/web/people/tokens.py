"""Secrets that are given out once and kept only as hashes."""

from __future__ import annotations

import hashlib
import secrets

from kursbuch.web.security import ACCOUNT

#: What API tokens begin with, so that one that is found somewhere is known for what it is.
API = "kursbuch_"


def new_token(prefix: str = "") -> str:
    """A token that nobody can guess."""
    return prefix + secrets.token_urlsafe(32)


def new_account_id() -> str:
    """The id of a new account."""
    return ACCOUNT + secrets.token_hex(12)


def hashed(token: str) -> str:
    """What is kept of a token. A token is random, so nobody gets from its hash to it."""
    return hashlib.sha256(token.encode()).hexdigest()
