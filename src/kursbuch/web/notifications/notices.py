"""Notices: who is told what, recorded with each change."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from sqlalchemy import delete, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.web.db.models import Consent, Seat, Table, now
from kursbuch.web.notifications.models import Message, Notice
from kursbuch.web.notifications.preferences import NEVER, NOW, Recipient, next_digest, recipients
from kursbuch.web.tables import votes as consents_of
from kursbuch.web.tables.policies import CLOSED, FINISHED, LOBBY, RUNNING, VOTE
from kursbuch.web.tables.transaction import TableTransaction

TURN, BEGUN, OVER, CONSENT, REMINDER, LATE, ANSWER, MENTION, LEFT, DROPPED, REPLACED = (
    "turn",
    "begun",
    "over",
    "consent",
    "reminder",
    "late",
    "answer",
    "mention",
    "left",
    "dropped",
    "replaced",
)

#: At a table where nobody has to be there, what is to be done is told after so long, in case it is done at once.
SLOW_PAUSE = timedelta(seconds=20)


class Notices:
    """Notes who is to be told what. At a table where people play together they are told that it is their
    turn only after a `pause`."""

    def __init__(self, channels: Collection[str], pause: timedelta) -> None:
        self.channels = channels
        self._pause = pause

    async def keep(self, change: TableTransaction) -> None:
        """Note what a change means for those who may not be there."""
        table, before = change.table, change.before
        given = [seat.number for seat in change.seats if seat.owner != before.owners[seat.number]]
        # Whoever was too late knows nothing of the move that the computer made in the meantime.
        helped = {seat for seat, automatic in change.made if automatic and before.late[seat]}
        anew = {*given, *change.asked_else, *helped}
        if change.rewound is not None:
            anew.update(before.turn)  # the same seat is asked something else
        over = [seat for seat in before.turn if seat not in table.turn or seat in anew]
        if over:
            await forget_turns(change.session, table.id, over)
        told: list[tuple[Seat, str]] = []
        data: dict[int, dict[str, Any]] = {}
        late: list[Seat] = []
        let_down: dict[int, list[int]] = {}
        for row in change.let_down:
            let_down.setdefault(row.seat, []).append(row.id)
        if table.status == RUNNING:
            asked = [seat for seat in table.turn if seat not in before.turn or seat in over]
            told += [(change.seats[seat], TURN) for seat in asked]
            late = [seat for seat in change.seats if seat.late and not before.late[seat.number]]
            told += [(seat, REMINDER) for seat in late if seat.number not in asked]
            if late:
                await self._tell_of_delay(change, late)
            # Whose turn it is hears of it with that.
            told += [(change.seats[one], DROPPED) for one in let_down if one not in asked]
            if any(seat.is_gone and before.owners[seat.number] for seat in change.seats):
                told += [(seat, LEFT) for seat in change.seats]
            for number in given:
                seat = change.seats[number]
                if seat.owner is None and seat.former == before.owners[number]:
                    told.append((seat, REPLACED))
                    data[number] = {"name": seat.name}
            if before.status == LOBBY:
                waiting = [seat for seat in change.seats if seat.number not in asked]
                told += [(seat, BEGUN) for seat in waiting]
        elif table.status in (FINISHED, CLOSED) and before.status == RUNNING:
            told += [(seat, OVER) for seat in change.seats]
        consents: list[Consent] = []
        if not change.actions and change.rewound is None and table.status == RUNNING:
            query = select(Consent).where(
                Consent.table_id == table.id, Consent.version == change.next_version
            )
            consents = list(await change.session.scalars(query))
        asked_for = set(change.asked_anew)
        for consent in consents:
            asking = change.seats[consent.seat].owner
            people = consents_of.asked_for(change.seats, asking, consent.kind, consent.target)
            asked_for.update((one, consent.kind) for one in people)
        for seat in change.seats:
            if kinds := sorted(kind for owner, kind in asked_for if owner == seat.owner):
                told.append((seat, CONSENT))
                data.setdefault(seat.number, {})["asked"] = kinds
        told += [(change.seats[seat], MENTION) for seat in change.mentions]
        place = f"{table.rewound}.{table.number}"
        if (
            consents
            or given
            or late
            or change.asked_anew
            or change.mentions
            or table.status in (FINISHED, CLOSED)
        ):
            place = str(change.next_version)
        for number, line in change.mentions.items():
            data.setdefault(number, {})["chat"] = line
        for number, rows in let_down.items():
            data.setdefault(number, {})["rows"] = rows
        await self.note(change.session, table, change.seats, told, place, data)

    async def _tell_of_delay(self, change: TableTransaction, late: Collection[Seat]) -> None:
        """Who is reminded need not be told besides that it is his turn. Where the others may replace whoever is
        too late, they hear of it."""
        table, owners = change.table, {seat.owner for seat in late}
        told = Notice.seat.in_([seat.number for seat in late]) & (Notice.kind == TURN)
        await change.session.execute(delete(Notice).where(Notice.table_id == table.id, told))
        if table.overrun == VOTE:
            others = [(seat, LATE) for seat in change.seats if seat.owner not in owners]
            place = str(change.next_version)
            await self.note(change.session, table, change.seats, others, place)

    async def note(
        self,
        session: AsyncSession,
        table: Table,
        seats: Collection[Seat],
        told: Collection[tuple[Seat, str]],
        place: str,
        data: Mapping[int, dict[str, Any]] = MappingProxyType({}),
    ) -> None:
        """Note what some seats are told, each with its kind. `place` tells apart what happens at a table
        several times; `data` is what only its kind knows, by seat."""
        owners = {owner for seat, kind in told if (owner := _concerned(seat, kind)) is not None}
        people = owners | {seat.owner for seat in seats if seat.owner is not None}
        if not owners or (len(people) < 2 and not any(seat.is_gone for seat in seats)):
            return  # who plays against the computer alone knows
        reached = await recipients(session, owners, self.channels)
        done = set()
        for seat, kind in told:
            owner = _concerned(seat, kind)
            person = reached.get(owner or "")
            # Who holds several seats is told once of what concerns all.
            once = (owner, kind, seat.number if kind in (TURN, DROPPED) else None)
            if person is None or once in done or (kind == MENTION and not person.mentions):
                continue
            done.add(once)
            for channel in sorted(person.channels):
                await self._note(
                    session, table, seat, kind, place, person, channel, data.get(seat.number, {})
                )

    async def _note(
        self,
        session: AsyncSession,
        table: Table,
        seat: Seat,
        kind: str,
        place: str,
        person: Recipient,
        channel: str,
        data: dict[str, Any],
    ) -> None:
        pace = person.pace(channel, table.id)
        if kind == CONSENT and pace != NEVER and table.move_hours is not None:
            pace = NOW  # perhaps it is over before a digest is written
        key = f"{kind}:{table.id}:{seat.number}:{place}:{channel}"
        known = await session.scalar(select(Notice.id).where(Notice.key == key))
        if pace == NEVER or known is not None:
            return
        due_at = self._due(table, kind, pace, person)
        if kind == MENTION:
            # Of many messages only the last is told, when the first would have been.
            open_one = (Notice.table_id == table.id) & (Notice.kind == MENTION)
            open_one &= (Notice.owner == person.owner) & (Notice.channel == channel)
            first = await session.scalar(select(func.min(Notice.due_at)).where(open_one))
            due_at = min(due_at, first or due_at)
            await session.execute(delete(Notice).where(open_one))
        session.add(
            Notice(
                key=key,
                owner=person.owner,
                channel=channel,
                kind=kind,
                table_id=table.id,
                seat=seat.number,
                digest=pace != NOW,
                data=data,
                due_at=due_at,
            )
        )

    def _due(self, table: Table, kind: str, pace: str, person: Recipient) -> datetime:
        if pace != NOW:
            return next_digest(pace, now(), person.zone)
        return now() + (SLOW_PAUSE if table.slow or kind in (REMINDER, LATE) else self._pause)


def _concerned(seat: Seat, kind: str) -> str | None:
    """Who is told something about a seat."""
    return seat.former if kind == REPLACED else seat.owner


async def forget_turns(session: AsyncSession, table_id: str, seats: Collection[int]) -> None:
    """It is no longer the turn of these seats: nobody needs to be told."""
    gone = Notice.seat.in_(seats) & Notice.kind.in_((TURN, REMINDER))
    await session.execute(delete(Notice).where(Notice.table_id == table_id, gone))
    for seat in seats:
        # What could not be sent yet would come too late.
        keys = [Message.key.startswith(f"{kind}:{table_id}:{seat}:") for kind in (TURN, REMINDER)]
        waiting = Message.due_at.is_not(None) & or_(*keys)
        await session.execute(delete(Message).where(Message.table_id == table_id, waiting))
