"""Limits on attempts, counted in the database for all processes."""

from __future__ import annotations

import hashlib
import math
from datetime import timedelta
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.words import N_
from kursbuch.web.accounts.models import Attempt
from kursbuch.web.db.database import upsert
from kursbuch.web.db.models import now
from kursbuch.web.http.errors import TooMany
from kursbuch.web.tables.store import TableStore


class Limit(NamedTuple):
    """Maximum number of attempts of a kind within a period."""

    kind: str
    most: int
    within: timedelta


#: Passwords for one account from one network, from one network, and for one account from anywhere.
LOGIN = Limit("login", 8, timedelta(minutes=15))
LOGIN_ADDRESS = Limit("login address", 60, timedelta(minutes=15))
LOGIN_ACCOUNT = Limit("login account", 100, timedelta(hours=1))

#: Passwords in a browser that the account knows.
LOGIN_DEVICE = Limit("login device", 8, timedelta(minutes=15))

#: Codes of mails and invitations.
CODE = Limit("code", 40, timedelta(minutes=15))

#: Table passwords from one network, and from anywhere.
TABLE = Limit("table", 20, timedelta(minutes=15))
TABLE_ALL = Limit("table from everywhere", 1000, timedelta(hours=1))

#: Invitations of one account by name or mail.
INVITE = Limit("invite", 20, timedelta(days=1))

#: Webhook tests.
TRY = Limit("try", 10, timedelta(hours=1))

#: Registrations and requested mails from one network; mails to one address.
REGISTER = Limit("register", 30, timedelta(hours=1))
ASK = Limit("ask", 30, timedelta(hours=1))
LETTER = Limit("letter", 5, timedelta(hours=1))


async def spend(tables: TableStore, limit: Limit, *subjects: str) -> None:
    """Count an attempt, and refuse it if the limit is exceeded."""
    _refuse(await exceeded(tables, limit, *subjects))


async def spend_within(session: AsyncSession, limit: Limit, *subjects: str) -> None:
    """Count an attempt within a transaction; a refused attempt is not counted."""
    _refuse(await _wait(session, limit, subjects))


def _refuse(wait: int) -> None:
    if wait:
        raise TooMany(N_("Too many attempts: please wait a while and try again."), seconds=wait)


async def exceeded(tables: TableStore, limit: Limit, *subjects: str) -> int:
    """Count an attempt; return the seconds to wait if the limit is exceeded, else 0."""
    async with tables.refusing(), tables.database.writing() as session:
        return await _wait(session, limit, subjects)


async def _wait(session: AsyncSession, limit: Limit, subjects: tuple[str, ...]) -> int:
    await session.execute(delete(Attempt).where(Attempt.ends <= now()))
    first = upsert(session, Attempt).values(
        key=_key(limit, subjects), count=1, ends=now() + limit.within
    )
    counted = first.on_conflict_do_update(
        index_elements=["key"], set_={"count": Attempt.count + 1}
    ).returning(Attempt.count, Attempt.ends)
    count, ends = (await session.execute(counted)).one()
    return max(1, math.ceil((ends - now()).total_seconds())) if count > limit.most else 0


async def forgive(session: AsyncSession, limit: Limit, *subjects: str) -> None:
    """Forget the attempts after a successful one."""
    await session.execute(delete(Attempt).where(Attempt.key == _key(limit, subjects)))


def _key(limit: Limit, subjects: tuple[str, ...]) -> str:
    return hashlib.sha256("\0".join((limit.kind, *subjects)).encode()).hexdigest()


def network_of(host: str | None) -> str:
    """Return the network an address is counted by; of IPv6, the prefix of one household.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3:4:5:6"), network_of(None)
    ('192.0.2.7', '2001:db8:1:2::', '')
    """
    try:
        found = ip_address(host or "")
    except ValueError:
        return host or ""
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(IPv6Address(int(found) >> 64 << 64))
    return str(found)
