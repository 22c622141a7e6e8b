"""Signing keys and their rotation."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.words import N_
from kursbuch.web.admin.audit import Actor, note
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Setting, now
from kursbuch.web.http.errors import Conflict
from kursbuch.web.tables.store import TableStore

#: Age at which a key starts signing: by then every process has read it.
SIGN_DELAY = timedelta(seconds=60)
MAX_GRACE = 366


class Purpose(msgspec.Struct, frozen=True):
    """What keys sign: the names of the settings with all keys, and with the first."""

    name: str
    first: str


COOKIES = Purpose("secrets", "secret")

#: Links in mails and reply addresses.
LINKS = Purpose("link-secrets", "links")


class Key(msgspec.Struct, frozen=True):
    """A key, with the times from which it signs and until which it is read."""

    secret: str
    signs_from: datetime | None = None
    read_until: datetime | None = None


class Ring(msgspec.Struct, frozen=True):
    """All keys, the oldest first."""

    keys: tuple[Key, ...]

    def at(self, moment: datetime) -> list[str]:
        """Return the keys for reading at a moment; the last one signs."""
        known = [key for key in self.keys if key.read_until is None or key.read_until > moment]
        ready = [key for key in known if key.signs_from is None or key.signs_from <= moment]
        signing = ready[-1] if ready else known[-1]
        return [key.secret for key in known if key is not signing] + [signing.secret]


def external_key_error() -> Conflict:
    """Return the refusal to change keys from outside the database."""
    return Conflict(
        N_("The key of this server is set by {name}: change it there."), name="KURSBUCH_SECRET"
    )


async def key_ring(session: AsyncSession, first: str, purpose: Purpose = COOKIES) -> Ring:
    """Return the keys in the database, or only the `first` before any rotation."""
    found = await session.scalar(select(Setting.value).where(Setting.key == purpose.name))
    if found is None:
        return Ring((Key(first),))
    return msgspec.json.decode(found, type=Ring)


async def read_keys(database: Database, purpose: Purpose = COOKIES) -> Ring:
    """Return the keys in the database."""
    first = await database.setting(purpose.first, _new_secret)
    async with database.reading() as session:
        return await key_ring(session, first, purpose)


async def rotate_keys(tables: TableStore, actor: Actor, days: int) -> Ring:
    """Create new keys; the old ones are read for a number of days. Return those of cookies.

    Without any days, players without an account lose their seats, and mails sent before cannot be
    answered."""
    firsts = {
        one: await tables.database.setting(one.first, _new_secret) for one in (COOKIES, LINKS)
    }
    async with tables.refusing(), tables.database.writing() as session:
        # Only one process may rotate at a time.
        await session.get(Setting, COOKIES.first, with_for_update=True)
        begins = now() + SIGN_DELAY
        made = {
            purpose: await _add_key(session, purpose, first, begins, begins + timedelta(days=days))
            for purpose, first in firsts.items()
        }
        note(session, actor, "rotate", days=days)
    return made[COOKIES]


async def _add_key(
    session: AsyncSession, purpose: Purpose, first: str, begins: datetime, ends: datetime
) -> Ring:
    """Let a new key sign from one moment on, and the others be read until another."""
    old = await key_ring(session, first, purpose)
    kept = [
        msgspec.structs.replace(key, read_until=min(key.read_until or ends, ends))
        for key in old.keys
        if key.read_until is None or key.read_until > now()
    ]
    made = Ring((*kept, Key(_new_secret(), begins)))
    written = msgspec.json.encode(made).decode()
    row = await session.get(Setting, purpose.name)
    if row is None:
        session.add(Setting(key=purpose.name, value=written))
    else:
        row.value = written
    return made


def _new_secret() -> str:
    return secrets.token_urlsafe(32)
