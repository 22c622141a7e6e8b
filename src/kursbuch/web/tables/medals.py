"""Medals: how often the players of a table came first, second and third in games with each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.web.db.models import Seat, Table
from kursbuch.web.tables.policies import FINISHED

#: Maximum number of earlier games that are looked at.
MOST_GAMES = 300

#: Number of places with a medal.
PLACES = 3


class Medals(msgspec.Struct, frozen=True):
    """The number of `games` of a group, and for each seat how often it came first, second and third."""

    games: int
    counts: tuple[tuple[int, ...], ...]


def places(scores: Sequence[int], winners: Sequence[int]) -> list[int]:
    """The place of each seat. Winners come first, also where a tie-break decided.

    >>> places([30, 40, 40, 20], winners=[2])
    [3, 2, 1, 4]
    >>> places([30, 40, 40, 20], winners=[1, 2])
    [3, 1, 1, 4]
    """
    keys = [(seat not in winners, -score) for seat, score in enumerate(scores)]
    return [1 + sum(other < key for other in keys) for key in keys]


def players(seats: Sequence[Seat]) -> list[str]:
    """Who plays each seat: the person, who may be called something else every time. Computers, and people who share a
    device, are known by their names."""
    owners = Counter(seat.owner for seat in seats)
    return [
        seat.owner if seat.owner and owners[seat.owner] == 1 else f"{seat.owner or ''} {seat.name}"
        for seat in seats
    ]


async def medals_of(session: AsyncSession, table: Table, seats: Sequence[Seat]) -> Medals | None:
    """The medals of a finished game's players up to that game; None if it is the first they finished together. Guided
    games and copies do not count."""
    person = next((seat.owner for seat in seats if seat.owner), None)
    if person is None or table.result is None or table.guided or table.copied is not None:
        return None
    earlier = await session.execute(
        select(Table.id, Table.result)
        .where(
            Table.id.in_(select(Seat.table_id).where(Seat.owner == person)),
            Table.status == FINISHED,
            Table.result.is_not(None),
            Table.guided.is_(False),
            Table.copied.is_(None),
            Table.id != table.id,
            Table.created_at < table.created_at,
        )
        .order_by(Table.created_at.desc())
        .limit(MOST_GAMES)
    )
    results = {row.id: row.result for row in earlier}
    if not results:
        return None
    query = select(Seat).where(Seat.table_id.in_(results)).order_by(Seat.table_id, Seat.number)
    group = players(seats)
    found = [(group, table.result)]
    for table_id, one in groupby(await session.scalars(query), lambda seat: seat.table_id):
        others = players(list(one))
        if sorted(others) == sorted(group):
            found.append((others, results[table_id]))
    if len(found) == 1:
        return None
    counts = Counter[tuple[str, int]]()
    for people, result in found:
        reached = places(result["scores"], result["winners"])
        # The last has no medal, unless all have won.
        worst = max(reached)
        counts.update(
            (player, place)
            for player, place in zip(people, reached, strict=True)
            if place == 1 or place < worst
        )
    return Medals(
        len(found),
        tuple(tuple(counts[player, place] for place in range(1, PLACES + 1)) for player in group),
    )
