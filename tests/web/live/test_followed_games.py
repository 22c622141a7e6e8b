"""What a server keeps of a table and brings up to date with every move is what it would read."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect

from kursbuch.core.errors import KursbuchError
from kursbuch.web.tables import chat as table_chat
from kursbuch.web.tables import lobby, votes
from kursbuch.web.tables import moves as table_moves
from kursbuch.web.tables.lobby import NewSeat, NewTable
from kursbuch.web.tables.snapshot import Seen, Snapshot, read_snapshot
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.table_view import settled
from kursbuch.web.tables.viewer import Viewer
from tests.web.tables.test_undo import database

pytestmark = pytest.mark.asyncio

#: What reads a table, where it is called.
READ = "kursbuch.web.tables.snapshot.read_snapshot"

PEOPLE = ("anna", "bernd", "clara")


def told(value: Any) -> Any:
    """Something of a snapshot in a form that can be compared."""
    if isinstance(value, list | tuple):
        return [told(one) for one in value]
    if isinstance(value, dict):
        return {key: told(one) for key, one in value.items()}
    if hasattr(value, "__table__"):
        return {column.key: getattr(value, column.key) for column in inspect(type(value)).columns}
    return value


def content(snapshot: Snapshot) -> dict[str, Any]:
    assert snapshot.game is not None
    parts = {name: told(value) for name, value in vars(snapshot).items() if name != "game"}
    readers = (Viewer(snapshot, person, "en", "http://localhost") for person in (*PEOPLE, "dora"))
    return {
        **parts,
        "settled": [settled(reader) for reader in readers],
        "position": snapshot.game.state,
    }


async def afresh(tables: TableStore, table_id: str) -> dict[str, Any]:
    """What someone reads who knows nothing of the table but its game."""
    other = TableStore(tables.database)
    other.games = tables.games
    return content(await other.load(table_id))


class Table:
    """A table at which three people play at random, and do whatever else can be done there."""

    def __init__(self, tables: TableStore, id: str, chance: random.Random) -> None:
        self.tables, self.id, self.chance = tables, id, chance

    async def move(self) -> None:
        snapshot = await self.tables.load(self.id)
        assert snapshot.game is not None
        seat = snapshot.table.turn[0]
        choice = self.chance.choice(snapshot.game.view(seat).legal_actions())
        action = snapshot.game.title.action_to_json(self.chance.choice(list(choice.actions())))
        owner = snapshot.seats[seat].owner or ""
        seen = Seen(snapshot.table.number, snapshot.table.version)
        await table_moves.move(self.tables, self.id, owner, seen, action)

    async def say(self) -> None:
        await table_chat.send_message(self.tables, self.id, self.chance.choice(PEOPLE), "Hello!")

    async def read(self) -> None:
        snapshot = await self.tables.load(self.id)
        if snapshot.chat:
            await table_chat.mark_chat_read(self.tables, self.id, "anna", snapshot.chat[-1].id)

    async def back(self) -> None:
        await self.ask(votes.UNDO)

    async def again(self) -> None:
        await self.ask(votes.REDO)

    async def ask(self, kind: str) -> None:
        await votes.ask(self.tables, self.id, self.chance.choice(PEOPLE), kind)
        for person in PEOPLE:
            if self.chance.random() < 0.8:
                with suppress(KursbuchError):
                    await votes.answer(self.tables, self.id, person, kind, agree=True)

    async def never(self) -> None:
        await table_moves.never_ask(self.tables, self.id, self.chance.choice(PEOPLE), "x", on=True)


@pytest.mark.parametrize("talks", [False, True])
async def test_what_is_kept_is_what_would_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, talks: bool
) -> None:
    tables = await database(tmp_path)
    read: list[str] = []

    async def reading(*given: Any) -> Snapshot:
        read.append(given[1].id)
        return await read_snapshot(*given)

    seats = [NewSeat("me", "Anna"), NewSeat("open"), NewSeat("open")]
    new = NewTable("rocket", seats, undo="ask", slow=True, move_hours=24)
    table_id = await lobby.open_table(tables, new, "anna")
    for number, person in enumerate(PEOPLE[1:], 1):
        await lobby.join(tables, table_id, person, number, person.title())
    await lobby.start(tables, table_id, "anna")
    table = Table(tables, table_id, random.Random(3))
    others: list[Callable[[], Awaitable[None]]] = [table.back, table.again]
    others += [table.never, *([table.say, table.read] if talks else [])]
    moves = followed = 0
    for _ in range(150):
        monkeypatch.setattr(READ, reading)
        deed = table.move if table.chance.random() < 0.85 else table.chance.choice(others)
        try:
            await deed()
        except KursbuchError:
            continue
        moves += deed == table.move
        read.clear()
        kept = await tables.load(table_id)
        followed += deed == table.move and not read
        monkeypatch.setattr(READ, read_snapshot)
        assert content(kept) == await afresh(tables, table_id)
    assert moves > 40
    assert (await tables.load(table_id)).notes
    assert talks or followed > moves / 2
    await tables.database.stop()


async def test_when_moves_were_made_is_known_at_a_table_with_a_delay(tmp_path: Path) -> None:
    tables = await database(tmp_path)
    seats = [NewSeat("me", "Anna"), NewSeat("hotseat", "Bernd")]
    new = NewTable("rocket", seats, delay_minutes=10)
    table = Table(tables, await lobby.open_table(tables, new, "anna"), random.Random(1))
    for number in (1, 2):
        await table.move()
        assert len((await tables.load(table.id)).made) == number
    await tables.database.stop()


async def test_a_server_that_missed_a_move_reads_the_table(tmp_path: Path) -> None:
    tables = await database(tmp_path)
    seats = [NewSeat("me", "Anna"), NewSeat("hotseat", "Bernd")]
    table_id = await lobby.open_table(tables, NewTable("rocket", seats), "anna")
    await tables.load(table_id)
    here = Table(tables, table_id, random.Random(1))
    there = Table(TableStore(tables.database), table_id, random.Random(2))
    for table in (here, there, there, here, here, there):
        await table.move()
        fresh = await afresh(TableStore(tables.database), table_id)
        assert content(await tables.load(table_id)) == fresh
        assert content(await there.tables.load(table_id)) == fresh
    await tables.database.stop()
