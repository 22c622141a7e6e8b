"""Profiles, and the export of an account."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import exists, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from kursbuch.core.words import N_
from kursbuch.web.accounts import belongings
from kursbuch.web.accounts import service as accounts
from kursbuch.web.accounts.models import Account, ApiToken, Invitation, Rating, Session
from kursbuch.web.db.models import GONE, Chat, Premove, Seat, StoredMove, Table
from kursbuch.web.http.errors import NotFound
from kursbuch.web.notifications.models import NotificationPreference, PushDevice, Webhook
from kursbuch.web.tables.policies import CLOSED, FINISHED
from kursbuch.web.tables.snapshot import seats_of, sees_end

#: So many tables a profile shows.
RECENT = 12


class Profile(msgspec.Struct, frozen=True):
    """A person, as one visitor may know it. `played` and `won` count games with other people that are over. What those
    who look on with a delay must not know yet is left out, the ratings in titles of such games, too."""

    name: str
    since: datetime
    played: int
    won: int
    ratings: Sequence[Rating]
    tables: Sequence[tuple[Table, list[Seat]]]


async def profile(session: AsyncSession, name: str, visitor: str) -> Profile:
    """The person with that name."""
    account = await accounts.named(session, name)
    if account is None or account.closed_at is not None:
        raise NotFound(N_("There is no player called {name}."), name=name[:40])
    mine = aliased(Seat)
    known = exists().where(mine.table_id == Table.id, mine.owner == visitor)
    other = aliased(Seat)
    with_others = exists().where(
        other.table_id == Table.id,
        other.kind.in_(("person", GONE)),
        other.owner.is_distinct_from(account.id),
    )
    played = select(Table, Seat.number, known).join(Table, Table.id == Seat.table_id)
    played = played.where(
        Seat.owner == account.id,
        Seat.kind == "person",
        Table.status == FINISHED,
        Table.guided.is_(False),
        with_others,
    )
    ended: dict[str, bool] = {}
    untold = set[str]()
    for table, number, plays in await session.execute(played):
        if not sees_end(table, plays):
            untold.add(table.title)
            continue
        won = number in (table.result or {}).get("winners", ())
        ended[table.id] = ended.get(table.id, False) or won
    ratings = await session.scalars(
        select(Rating).where(Rating.account_id == account.id).order_by(Rating.games.desc())
    )
    at_table = exists().where(Seat.table_id == Table.id, Seat.owner == account.id)
    recent = (
        select(Table)
        .where(at_table, Table.status != CLOSED)
        .where(Table.listed | (Table.creator == visitor) | known)
        .order_by(Table.updated_at.desc())
        .limit(RECENT)
    )
    found = [(table, await seats_of(session, table.id)) for table in await session.scalars(recent)]
    return Profile(
        name=account.name,
        since=account.created_at,
        played=len(ended),
        won=sum(ended.values()),
        ratings=[rating for rating in ratings if rating.title not in untold],
        tables=[
            (table, seats)
            for table, seats in found
            if sees_end(table, any(seat.owner == visitor for seat in seats))
        ],
    )


async def export(session: AsyncSession, account: Account) -> Mapping[str, Any]:
    """Everything that is kept of an account, but for secrets."""
    mine = account.id
    seats = select(Table, Seat).join(Seat, Seat.table_id == Table.id).where(Seat.owner == mine)
    tables = []
    for table, seat in await session.execute(seats.order_by(Table.created_at, Seat.number)):
        of_seat = StoredMove.table_id == table.id, StoredMove.seat == seat.number
        moves = await session.execute(
            select(StoredMove.number, StoredMove.action, StoredMove.made_at)
            .where(*of_seat, StoredMove.automatic.is_(False))
            .order_by(StoredMove.number)
        )
        chat = await session.execute(
            select(Chat.text, Chat.sent_at)
            .where(Chat.table_id == table.id, Chat.seat == seat.number)
            .order_by(Chat.id)
        )
        planned = select(Premove.plan).where(
            Premove.table_id == table.id, Premove.seat == seat.number
        )
        tables.append(
            {
                "id": table.id,
                "title": table.title,
                "status": table.status,
                "seat": seat.number,
                "name": seat.name,
                "opened_by_me": table.creator == mine,
                "opened": table.created_at,
                "result": table.result,
                "moves": [row._asdict() for row in moves],
                "chat": [row._asdict() for row in chat],
                "planned": list(await session.scalars(planned)),
            }
        )
    opened = select(Table.id, Table.title, Table.status, Table.created_at).where(
        Table.creator == mine, Table.id.not_in([one["id"] for one in tables])
    )

    async def listed(owner: Any, *columns: Any) -> list[dict[str, Any]]:
        found = await session.execute(select(*columns).where(owner == mine).order_by(columns[0]))
        return [one._asdict() for one in found]

    return {
        "account": {
            "id": account.id,
            "name": account.name,
            "email": account.email,
            "language": account.language,
            "settings": account.settings,
            "created": account.created_at,
        },
        "sessions": await listed(
            Session.account_id, Session.created_at, Session.seen_at, Session.device
        ),
        "tokens": await listed(
            ApiToken.account_id, ApiToken.created_at, ApiToken.used_at, ApiToken.name
        ),
        "told": await listed(
            NotificationPreference.owner,
            NotificationPreference.table_id,
            NotificationPreference.channel,
            NotificationPreference.pace,
        ),
        "told_in_browsers": await listed(PushDevice.owner, PushDevice.made_at),
        "told_to_programs": await listed(Webhook.owner, Webhook.url, Webhook.form),
        "invitations": await listed(Invitation.creator, Invitation.created_at, Invitation.note),
        "ratings": await listed(
            Rating.account_id,
            Rating.title,
            Rating.mu,
            Rating.sigma,
            Rating.games,
            Rating.won,
        ),
        "tables": tables,
        "opened_for_others": [
            row._asdict() for row in await session.execute(opened.order_by(Table.created_at))
        ],
        **await belongings.export(session, belongings.owned(), mine),
    }
