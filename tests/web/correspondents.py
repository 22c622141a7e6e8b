"""People with accounts at a server that writes to them, for tests of what they are told."""

from __future__ import annotations

import random
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import select, update

from kursbuch.web.accounts.credentials import hashed
from kursbuch.web.accounts.models import Account, ApiToken, Session
from kursbuch.web.db.models import now
from kursbuch.web.notifications.models import Message, Notice
from kursbuch.web.notifications.service import Notifications
from kursbuch.web.settings import NotificationSettings, Settings
from kursbuch.web.tables import lobby
from kursbuch.web.tables import moves as table_moves
from kursbuch.web.tables.lobby import NewSeat, NewTable
from kursbuch.web.tables.snapshot import Seen
from kursbuch.web.tables.store import TableStore
from tests.web.mailbox import Mailbox
from tests.web.visitors import Browser, Server

ADDRESS = "https://club.example"
SENDER = "post@club.example"
REPLIES = "play@club.example"


class Club:
    """A server at which Anna and Bernd have accounts."""

    def __init__(self, server: Server, arrived: Mailbox) -> None:
        self.server = server
        self.arrived = arrived
        self.tables: TableStore = server.app.state.tables
        self.post: Notifications = server.app.state.notifications
        self._browsers: list[Browser] = []

    async def register(self, name: str, language: str = "en") -> str:
        """An account with an address; returns its id."""
        account = f"account-{name.lower()}"
        async with self.tables.database.writing() as session:
            session.add(
                Account(
                    id=account,
                    name=name,
                    name_key=name.lower(),
                    email=f"{name.lower()}@club.example",
                    language=language,
                )
            )
        return account

    async def browser(self, account: str = "") -> Browser:
        """A browser in which someone is logged in, or that of someone without an account."""
        found = Browser(self.server.url)
        self._browsers.append(found)
        if account:
            token = secrets.token_urlsafe(16)
            async with self.tables.database.writing() as session:
                session.add(Session(hash=hashed(token), account_id=account, device="test"))
            found.client.cookies.set("kursbuch_session", token)
        return found

    async def program(self, account: str) -> Browser:
        """A program that acts for an account."""
        token = secrets.token_urlsafe(16)
        async with self.tables.database.writing() as session:
            session.add(ApiToken(hash=hashed(token), account_id=account, name="test"))
        found = Browser(self.server.url)
        found.client.headers["authorization"] = f"Bearer {token}"
        self._browsers.append(found)
        return found

    async def close(self) -> None:
        for browser in self._browsers:
            await browser.client.aclose()

    async def table(self, *owners: str, **fields: Any) -> str:
        """A running game of Stephenson's Rocket of these people."""
        first, *others = owners
        names = [owner.removeprefix("account-").title() for owner in owners]
        seats = [NewSeat("me", names[0]), *(NewSeat("open") for _ in others)]
        table_id = await lobby.open_table(self.tables, NewTable("rocket", seats, **fields), first)
        for number, owner in enumerate(others, 1):
            await lobby.join(self.tables, table_id, owner, number, names[number])
        await lobby.start(self.tables, table_id, first)
        return table_id

    async def turn(self, table_id: str) -> int:
        """The seat that has to decide."""
        return (await self.tables.load(table_id)).table.turn[0]

    async def move(self, table_id: str, chance: random.Random | None = None) -> None:
        """The first possible move of the player who has to decide, or any of them."""
        snapshot = await self.tables.load(table_id)
        assert snapshot.game is not None
        seat = snapshot.table.turn[0]
        choices = snapshot.game.view(seat).legal_actions()
        choice = choices[0] if chance is None else chance.choice(choices)
        action = snapshot.game.title.action_to_json(choice.action)
        owner = snapshot.seats[seat].owner
        assert owner is not None
        seen = Seen(snapshot.table.number, snapshot.table.version)
        await table_moves.move(self.tables, table_id, owner, seen, action)

    async def leave(self) -> None:
        """No one looks at any table, and every pause is over."""
        self.tables.presence._seen.clear()
        self.tables.presence._eyes.clear()
        past = now() - timedelta(seconds=1)
        async with self.tables.database.writing() as session:
            await session.execute(update(Notice).values(due_at=past))
            waiting = Message.due_at.is_not(None)
            await session.execute(update(Message).where(waiting).values(due_at=past))

    async def written(self) -> int:
        """Write and send what there is to say; returns how many letters were written."""
        await self.leave()
        count = await self.post.composer.round()
        while await self.post.outbox.round():
            pass
        return count

    async def notices(self) -> list[tuple[str, str, str]]:
        """What people are to be told: kind, owner and channel."""
        async with self.tables.database.reading() as session:
            rows = list(await session.scalars(select(Notice).order_by(Notice.id)))
        return [(row.kind, row.owner, row.channel) for row in rows]


@asynccontextmanager
async def club(folder: Path, arrived: Mailbox, **fields: Any) -> AsyncIterator[Club]:
    """A server that writes mails only when it is told to."""
    database = fields.pop("database", str(folder / "club.sqlite3"))
    chosen = {"smtp": arrived.url, "sender": SENDER, "replies": REPLIES, **fields}
    settings = Settings(
        database=database,
        bot_processes=1,
        secret="a secret",
        address=ADDRESS,
        post=NotificationSettings(**chosen),
    )
    async with Server(settings) as server:
        found = Club(server, arrived)
        await found.post.composer.stop()
        await found.post.outbox.stop()
        try:
            yield found
        finally:
            await found.close()
