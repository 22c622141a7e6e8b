"""Rows that belong to a browser or an account."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Column, ColumnElement, Table, and_, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.web.db.models import Base, Seat

OWNER = "owner"

#: In `info` of a column: where a browser and its account both have a row, the account has both texts.
JOINED = "joined"

#: What stands between them.
BETWEEN = "\n\n———\n\n"

#: What is given out to nobody, not even to whom it belongs.
SECRET = frozenset({"hash", "secret", "token"})


def owned() -> list[Table]:
    """The tables of the database with such rows. Seats are changed with the table they are at."""
    return [
        table
        for table in Base.metadata.sorted_tables
        if OWNER in table.columns and table.name != Seat.__tablename__
    ]


async def bring(session: AsyncSession, tables: Iterable[Table], browser: str, account: str) -> None:
    """Give an account what belongs to a browser, but for what it has already; of texts it has both."""
    for table in tables:
        owner = table.columns[OWNER]
        rest = [column for column in table.primary_key if column is not owner]
        if owner.primary_key:
            for row in await session.execute(select(*rest or [owner]).where(owner == browser)):
                same = [column == value for column, value in zip(rest, row, strict=False)]
                of_account = and_(owner == account, *same)
                of_browser = and_(owner == browser, *same)
                if (await session.execute(select(owner).where(of_account))).first() is not None:
                    for text in (one for one in table.columns if one.info.get(JOINED)):
                        await _join(session, table, text, of_account, of_browser)
                    await session.execute(delete(table).where(of_browser))
        await session.execute(update(table).where(owner == browser).values({OWNER: account}))


async def _join(
    session: AsyncSession,
    table: Table,
    text: Column[str],
    first: ColumnElement[bool],
    second: ColumnElement[bool],
) -> None:
    """Put the text of a row below that of another, unless it stands there."""
    upper = await session.scalar(select(text).where(first).with_for_update())
    lower = await session.scalar(select(text).where(second))
    if upper and lower and lower not in upper:
        joined = lower if upper in lower else f"{upper}{BETWEEN}{lower}"
        await session.execute(update(table).where(first).values({text: joined}))


async def erase(session: AsyncSession, tables: Iterable[Table], account: str) -> None:
    """Erase what belongs to an account."""
    for table in tables:
        await session.execute(delete(table).where(table.columns[OWNER] == account))


async def export(
    session: AsyncSession, tables: Iterable[Table], account: str
) -> dict[str, list[dict[str, Any]]]:
    """What belongs to an account, by table."""
    found = {}
    for table in tables:
        shown = [column for column in table.columns if column.name not in SECRET]
        rows = await session.execute(select(*shown).where(table.columns[OWNER] == account))
        found[table.name] = [row._asdict() for row in rows]
    return found
