"""Passwords and tokens, stored as hashes."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from kursbuch.core.words import N_
from kursbuch.web.http.errors import Refused
from kursbuch.web.http.security import ACCOUNT

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


LEAST, MOST = 10, 200

#: Hashing takes much time and memory on purpose: so many at once, and never where requests are answered.
_POOL = ThreadPoolExecutor(max_workers=2, thread_name_prefix="password")
_HASHER = PasswordHasher()


def check_password(password: str, *known: str | None) -> str:
    """The password, refused if it is too short or is something that is `known` of the account."""
    if len(password) < LEAST:
        raise Refused(N_("The password needs at least {least} characters."), least=LEAST)
    if len(password) > MOST:
        raise Refused(N_("The password can have at most {most} characters."), most=MOST)
    if len(set(password)) < 4 or password.casefold() in {(one or "").casefold() for one in known}:
        raise Refused(N_("This password is too easy to guess."))
    return password


async def hash_password(password: str) -> str:
    """What is kept of a password."""
    return await asyncio.get_running_loop().run_in_executor(_POOL, _HASHER.hash, password)


async def verify_password(kept: str | None, password: str) -> bool:
    """Whether a password is the one that is kept. Takes as long if there is none."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_POOL, _verify, kept, password[: MOST + 1])


def _verify(kept: str | None, password: str) -> bool:
    try:
        _HASHER.verify(kept or _nobodys(), password)
    except (VerificationError, InvalidHashError):
        return False
    return kept is not None


@cache
def _nobodys() -> str:
    return _HASHER.hash("nobody has this password")
