"""Idempotency keys: a retried request runs once."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable
from contextvars import ContextVar
from datetime import timedelta
from typing import Any, TypeVar

from sqlalchemy import delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Answered, now
from kursbuch.web.http.errors import Refused

#: Lifetime of a stored result.
KEPT = timedelta(days=1)

#: Old results are deleted at one of this many requests, on average.
_CLEARING = 100

#: Maximum length of a key.
LONGEST = 80
ResultT = TypeVar("ResultT")


class Repeated(Exception):
    """The request was carried out before; `answer` is its result."""

    def __init__(self, answer: Any) -> None:
        super().__init__()
        self.answer = answer


class IdempotencyKey:
    """An idempotency key of a visitor; `about` is the hash of its request."""

    def __init__(self, visitor: str, key: str, about: str) -> None:
        if len(key) > LONGEST or not key.isprintable():
            raise Refused(
                N_("An idempotency key may have at most {most} printable characters."), most=LONGEST
            )
        self.visitor = visitor
        self.key = key
        self.about = about
        self.session: AsyncSession | None = None
        self._mine = (Answered.visitor == visitor) & (Answered.key == key)

    async def claim(self, session: AsyncSession) -> None:
        """Claim the key in a transaction; raise `Repeated` if it was used before."""
        self.session = session
        if secrets.randbelow(_CLEARING) == 0:
            await session.execute(delete(Answered).where(Answered.made_at < now() - KEPT))
        connection = await session.connection()
        insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
        values = {"visitor": self.visitor, "key": self.key, "about": self.about, "made_at": now()}
        # Of two simultaneous requests, the second waits here for the end of the first.
        noted = insert(Answered).values(**values).on_conflict_do_nothing()
        noted_now = noted.returning(Answered.key)
        if (await session.execute(noted_now)).first() is not None:
            return
        before = await session.get_one(Answered, (self.visitor, self.key))
        if before.about != self.about:
            raise Refused(N_("This idempotency key was used for another request. Use a new one."))
        raise Repeated(before.answer)

    async def told(self, database: Database) -> list[Any]:
        """Return the stored result in a list, empty if there is none."""
        query = select(Answered.answer).where(self._mine, Answered.about == self.about)
        return [row.answer for row in await database.glance(query)]

    async def keep(self, answer: object) -> None:
        """Store the result."""
        assert self.session is not None
        await self.session.execute(update(Answered).where(self._mine).values(answer=answer))

    async def release(self) -> None:
        """Give the key back."""
        assert self.session is not None
        await self.session.execute(delete(Answered).where(self._mine))


_CURRENT: ContextVar[IdempotencyKey | None] = ContextVar("idempotency_key", default=None)


async def claim(session: AsyncSession) -> None:
    """Claim the key of the current request; the first call in its transaction."""
    key = _CURRENT.get()
    if key is not None and key.session is None:
        await key.claim(session)


async def keep(session: AsyncSession, answer: object = None) -> None:
    """Store the result of the current request; the last call in its transaction."""
    key = _CURRENT.get()
    # Consequences of a change, such as bot moves, run in the same context.
    if key is not None and key.session is session and answer is not None:
        await key.keep(answer)


async def release(session: AsyncSession) -> None:
    """Give the key back in a transaction that stores something although the request is refused."""
    key = _CURRENT.get()
    if key is not None and key.session is session:
        await key.release()


async def carried_out(key: IdempotencyKey, database: Database, deed: Awaitable[ResultT]) -> ResultT:
    """Carry out a request, unless its key was used before; return the result."""
    before = _CURRENT.set(key)
    try:
        return await deed
    except Repeated as repeated:
        found: ResultT = repeated.answer
        return found
    except KursbuchError:
        # Checks before the transaction may fail because the request was carried out already.
        told: list[ResultT] = await key.told(database)
        if not told:
            raise
        return told[0]
    finally:
        _CURRENT.reset(before)
