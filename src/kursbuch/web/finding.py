"""Tables where somebody can sit down, as they are looked for."""

from __future__ import annotations

import msgspec
from sqlalchemy import func, select

import kursbuch
from kursbuch.core.words import LANGUAGES
from kursbuch.web.models import FREE_SEAT, Seat, Table, now
from kursbuch.web.policies import LOBBY, RUNNING
from kursbuch.web.tables import LISTED_FOR, Tables

#: So many tables are found at most.
MOST_FOUND = 100

LIVE, SLOW = "live", "slow"


class Wanted(msgspec.Struct, frozen=True):
    """What kind of table somebody looks for; whatever is empty does not matter."""

    title: str = ""
    time: str = ""
    language: str = ""
    free: int = 1


Found = list[tuple[Table, list[Seat]]]


async def find(tables: Tables, wanted: Wanted) -> tuple[Found, Found]:
    """Tables with free seats that wait for players, and those whose game goes on and that want somebody for
    a seat; the newest first."""
    if (wanted.title and wanted.title not in kursbuch.titles()) or (
        wanted.language and wanted.language not in LANGUAGES
    ):
        return [], []
    free = (
        select(Seat.table_id, func.count().label("free"))
        .where(FREE_SEAT)
        .group_by(Seat.table_id)
        .subquery()
    )
    query = (
        select(Table)
        .join(free, free.c.table_id == Table.id)
        .where(
            Table.listed,
            Table.status.in_((LOBBY, RUNNING)),
            Table.updated_at > now() - LISTED_FOR,
            free.c.free >= max(1, wanted.free),
        )
        .order_by(Table.updated_at.desc())
        .limit(MOST_FOUND)
    )
    if wanted.title:
        query = query.where(Table.title == wanted.title)
    if wanted.time in (LIVE, SLOW):
        query = query.where(Table.slow.is_(wanted.time == SLOW))
    if wanted.language:
        query = query.where(Table.language == wanted.language)
    async with tables.refusing(), tables.database.reading() as session:
        found = list(await session.scalars(query))
        seats: dict[str, list[Seat]] = {table.id: [] for table in found}
        rows = select(Seat).where(Seat.table_id.in_(seats)).order_by(Seat.number)
        for seat in await session.scalars(rows):
            seats[seat.table_id].append(seat)
    lines = [(table, seats[table.id]) for table in found]
    return (
        [one for one in lines if one[0].status == LOBBY],
        [one for one in lines if one[0].status == RUNNING],
    )
