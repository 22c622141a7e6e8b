"""A table as it was at one version, for reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.game import Game
from kursbuch.web.live import Announcement
from kursbuch.web.models import Chat, Consent, Seat, StandingRefusal, StoredMove, Table

#: A chat is shown from its last so many messages.
SHOWN_CHAT = 200


class Seen(msgspec.Struct, frozen=True):
    """What somebody who decides something has seen of the table: how many moves, and its version, which
    tells whether moves were taken back since. Older programs send no version."""

    number: int
    version: int | None = None


class Snapshot:
    """A table as it was at one version, for reading. The game may already be further."""

    def __init__(
        self,
        table: Table,
        seats: Sequence[Seat],
        chat: Sequence[Chat],
        refusals: Sequence[StandingRefusal],
        consents: Sequence[Consent],
        moves: Sequence[tuple[int, bool]],
    ) -> None:
        self.table = table
        self.seats = list(seats)
        self.game: Game | None = None
        self.chat = list(chat)
        self.refusals = list(refusals)
        #: What somebody asks the others for, by kind.
        self.consents: Mapping[str, Consent] = {consent.kind: consent for consent in consents}
        #: For every move its seat, and whether it was made by itself.
        self.moves = list(moves)
        #: When the browser of each seat was last heard of.
        self.seen = {seat.number: seat.seen_at for seat in seats}

    def seats_of(self, visitor: str) -> list[int]:
        """The seats a browser holds."""
        return [seat.number for seat in self.seats if seat.owner == visitor]


async def read_snapshot(session: AsyncSession, table: Table, seats: Sequence[Seat]) -> Snapshot:
    """A table with everything that belongs to it but its game."""
    chat = await session.scalars(
        select(Chat).where(Chat.table_id == table.id).order_by(Chat.id.desc()).limit(SHOWN_CHAT)
    )
    refusals = await session.scalars(
        select(StandingRefusal)
        .where(StandingRefusal.table_id == table.id)
        .order_by(StandingRefusal.seat, StandingRefusal.subject)
    )
    consents = await session.scalars(select(Consent).where(Consent.table_id == table.id))
    moves = await moves_of(session, table.id)
    return Snapshot(table, seats, list(chat)[::-1], list(refusals), list(consents), moves)


async def seats_of(session: AsyncSession, table_id: str) -> list[Seat]:
    """The seats of a table in their order."""
    query = select(Seat).where(Seat.table_id == table_id).order_by(Seat.number)
    return list(await session.scalars(query))


async def moves_of(session: AsyncSession, table_id: str) -> list[tuple[int, bool]]:
    """For every move of a table its seat, and whether it was made by itself."""
    query = select(StoredMove.seat, StoredMove.automatic).where(StoredMove.table_id == table_id)
    rows = await session.execute(query.order_by(StoredMove.number))
    return [(seat, automatic) for seat, automatic in rows]


def announcement(table: Table, seats: Sequence[Seat]) -> Announcement:
    """What is announced of a table."""
    owners = (seats[number].owner for number in table.turn)
    return Announcement(table.version, table.number, tuple(owner for owner in owners if owner))
