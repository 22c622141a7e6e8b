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

#: So long an answer can be asked for again.
KEPT = timedelta(days=1)

#: At one of so many requests with a key, forgotten answers are cleared away.
_CLEARING = 100

#: The longest key.
LONGEST = 80
ResultT = TypeVar("ResultT")


class Repeated(Exception):
    """It was carried out before; `answer` is what it led to."""

    def __init__(self, answer: Any) -> None:
        super().__init__()
        self.answer = answer


class IdempotencyKey:
    """What a visitor wants under a key; `about` tells apart requests that differ."""

    def __init__(self, visitor: str, key: str, about: str) -> None:
        if len(key) > LONGEST or not key.isprintable():
            raise Refused(
                N_("The key of a request has at most {most} printable characters."), most=LONGEST
            )
        self.visitor = visitor
        self.key = key
        self.about = about
        self.session: AsyncSession | None = None

    async def claim(self, session: AsyncSession) -> None:
        """Note in a transaction that it is carried out there; `Repeated` if it was before."""
        self.session = session
        if secrets.randbelow(_CLEARING) == 0:
            await session.execute(delete(Answered).where(Answered.made_at < now() - KEPT))
        connection = await session.connection()
        insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
        values = {"visitor": self.visitor, "key": self.key, "about": self.about, "made_at": now()}
        # Where two come at once, the second waits here for the end of the first.
        noted = insert(Answered).values(**values).on_conflict_do_nothing()
        noted_now = noted.returning(Answered.key)
        if (await session.execute(noted_now)).first() is not None:
            return
        before = await session.get_one(Answered, (self.visitor, self.key))
        if before.about != self.about:
            raise Refused(N_("This key was used for another request: take a new one."))
        raise Repeated(before.answer)

    async def told(self, database: Database) -> list[Any]:
        """What it has led to; an empty list if it was not carried out before."""
        same = (Answered.visitor == self.visitor) & (Answered.key == self.key)
        query = select(Answered.answer).where(same, Answered.about == self.about)
        return [row.answer for row in await database.glance(query)]

    async def keep(self, answer: object) -> None:
        """Note what it led to."""
        assert self.session is not None
        mine = (Answered.visitor == self.visitor) & (Answered.key == self.key)
        await self.session.execute(update(Answered).where(mine).values(answer=answer))

    async def release(self) -> None:
        """Note nothing of it."""
        assert self.session is not None
        mine = (Answered.visitor == self.visitor) & (Answered.key == self.key)
        await self.session.execute(delete(Answered).where(mine))


_INTENT: ContextVar[IdempotencyKey | None] = ContextVar("intent", default=None)


async def claim(session: AsyncSession) -> None:
    """To be called first in a transaction that carries out what a visitor wants."""
    intent = _INTENT.get()
    if intent is not None and intent.session is None:
        await intent.claim(session)


async def keep(session: AsyncSession, answer: object = None) -> None:
    """To be called last in such a transaction, with what the deed returns."""
    intent = _INTENT.get()
    # What follows from a change, such as moves of the computer, runs in the same context.
    if intent is not None and intent.session is session and answer is not None:
        await intent.keep(answer)


async def release(session: AsyncSession) -> None:
    """To be called in such a transaction if what was wanted is refused after all, although something is stored."""
    intent = _INTENT.get()
    if intent is not None and intent.session is session:
        await intent.release()


async def carried_out(
    intent: IdempotencyKey, database: Database, deed: Awaitable[ResultT]
) -> ResultT:
    """Carry out a deed for an intent unless that has been done; returns what it led to."""
    before = _INTENT.set(intent)
    try:
        return await deed
    except Repeated as repeated:
        found: ResultT = repeated.answer
        return found
    except KursbuchError:
        # What a deed looks at before its transaction is different once it has been carried out.
        told: list[ResultT] = await intent.told(database)
        if not told:
            raise
        return told[0]
    finally:
        _INTENT.reset(before)
