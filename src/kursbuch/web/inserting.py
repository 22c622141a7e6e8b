"""Rows that are inserted unless there is one with their key: each database says that in its own words."""

from __future__ import annotations

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.web.models import Base


def insert(session: AsyncSession, row: type[Base]) -> postgresql.Insert | sqlite.Insert:
    """A statement that inserts, to which it can be added what is done on a conflict."""
    if session.get_bind().dialect.name == "postgresql":
        return postgresql.insert(row)
    return sqlite.insert(row)
