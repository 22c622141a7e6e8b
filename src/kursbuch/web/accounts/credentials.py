"""Passwords, tokens, one-time codes and invitations, all stored as hashes."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import cache
from typing import TypeVar, TypeVarTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import CursorResult, Delete, delete, exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.words import N_
from kursbuch.web.accounts.models import Account, Invitation, OneTimeToken
from kursbuch.web.db.models import now
from kursbuch.web.http.admission import aside
from kursbuch.web.http.errors import Conflict, Forbidden, Refused
from kursbuch.web.http.security import ACCOUNT

#: Prefix of API tokens, so that secret scanners recognise a leaked one.
API_TOKEN_PREFIX = "kursbuch_"


def new_token(prefix: str = "") -> str:
    """Return a random token."""
    return prefix + secrets.token_urlsafe(32)


def new_account_id() -> str:
    """Return the id of a new account."""
    return ACCOUNT + secrets.token_hex(12)


def hashed(token: str) -> str:
    """Return the stored hash of a token; tokens are random, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


ArgsT = TypeVarTuple("ArgsT")
ResultT = TypeVar("ResultT")

MIN_PASSWORD, MAX_PASSWORD = 10, 200

#: Hashing is slow on purpose: two at a time, never in the event loop.
_POOL = ThreadPoolExecutor(max_workers=2, thread_name_prefix="password")
_HASHER = PasswordHasher()


def check_password(password: str, *known: str | None) -> str:
    """Return a password, or refuse it if it is too short, too long or easy to guess."""
    if len(password) < MIN_PASSWORD:
        raise Refused(N_("The password needs at least {least} characters."), least=MIN_PASSWORD)
    if len(password) > MAX_PASSWORD:
        raise Refused(N_("The password can have at most {most} characters."), most=MAX_PASSWORD)
    if len(set(password)) < 4 or password.casefold() in {(one or "").casefold() for one in known}:
        raise Refused(N_("This password is too easy to guess."))
    return password


async def hash_password(password: str) -> str:
    """Return the stored hash of a password."""
    return await aside(_in_pool(_HASHER.hash, password))


async def verify_password(kept: str | None, password: str) -> bool:
    """Verify a password; without a stored hash this takes just as long."""
    return await aside(_in_pool(_verify, kept, password[: MAX_PASSWORD + 1]))


async def _in_pool(work: Callable[[*ArgsT], ResultT], *args: *ArgsT) -> ResultT:
    return await asyncio.get_running_loop().run_in_executor(_POOL, work, *args)


def _verify(kept: str | None, password: str) -> bool:
    try:
        _HASHER.verify(kept or _unknown_hash(), password)
    except (VerificationError, InvalidHashError):
        return False
    return kept is not None


@cache
def _unknown_hash() -> str:
    return _HASHER.hash("no account has this password")


CONFIRM, LOGIN, RESET = "confirm", "login", "reset"

#: Lifetime of a code, by kind.
CODE_LIFETIMES = {
    CONFIRM: timedelta(days=3),
    LOGIN: timedelta(minutes=20),
    RESET: timedelta(hours=1),
}

#: Maximum number of open invitations of one account.
MAX_INVITATIONS = 10


async def make_code(
    session: AsyncSession, kind: str, account: str | None, email: str = "", browser: str = ""
) -> str:
    """Return a new code for an account; without an account it is valid for nothing."""
    await session.execute(delete(OneTimeToken).where(OneTimeToken.expires_at <= now()))
    token = new_token()
    session.add(
        OneTimeToken(
            hash=hashed(token),
            kind=kind,
            account_id=account,
            email=email,
            browser=hashed(browser),
            expires_at=now() + CODE_LIFETIMES[kind],
        )
    )
    await session.flush()
    return token


async def find_code(session: AsyncSession, kind: str, token: str) -> OneTimeToken:
    """Return the row of a code, or refuse an invalid one."""
    row = await session.get(OneTimeToken, hashed(token.strip()))
    if row is None or row.kind != kind or row.account_id is None or row.expires_at <= now():
        raise Forbidden(N_("This code is no longer valid: request a new one."))
    return row


async def redeem_code(session: AsyncSession, kind: str, token: str) -> OneTimeToken:
    """Return the row of a code and use it up; of two uses at the same time one is refused."""
    row = await find_code(session, kind, token)
    if not await _deleted_one(session, delete(OneTimeToken).where(OneTimeToken.hash == row.hash)):
        raise Forbidden(N_("This code is no longer valid: request a new one."))
    return row


async def revoke_codes(session: AsyncSession, account: str, *kinds: str) -> None:
    """Revoke unused codes of an account."""
    await session.execute(
        delete(OneTimeToken).where(OneTimeToken.account_id == account, OneTimeToken.kind.in_(kinds))
    )


async def make_invitation(session: AsyncSession, creator: str | None, note: str = "") -> str:
    """Return a new invitation, with which one player can register."""
    if creator is not None:
        query = select(func.count()).select_from(Invitation)
        count = await session.scalar(query.where(Invitation.creator == creator))
        if (count or 0) >= MAX_INVITATIONS:
            raise Conflict(
                N_("You already have {most} open invitations: withdraw one first."),
                most=MAX_INVITATIONS,
            )
    token = new_token()
    session.add(Invitation(hash=hashed(token), creator=creator, note=note[:40], created_at=now()))
    await session.flush()
    return token


async def redeem_invitation(session: AsyncSession, token: str) -> None:
    """Use an invitation up, unless its creator is suspended and could return with it."""
    suspended = exists().where(Account.id == Invitation.creator, Account.closed_at.is_not(None))
    used = delete(Invitation).where(Invitation.hash == hashed(token.strip()))
    if not await _deleted_one(session, used.where(~suspended)):
        raise Forbidden(N_("This invitation is not valid: ask for a new one."))


async def _deleted_one(session: AsyncSession, rows: Delete) -> bool:
    found = await session.execute(rows.execution_options(synchronize_session=False))
    assert isinstance(found, CursorResult)
    return bool(found.rowcount == 1)
