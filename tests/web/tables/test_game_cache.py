"""Games that are written down now and then are opened quickly, and never in another state than their moves say."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select, update

from kursbuch.core.game import Game
from kursbuch.core.position import Position
from kursbuch.web.db.models import KeptGame, StoredMove
from kursbuch.web.settings import Settings
from kursbuch.web.tables import games
from kursbuch.web.tables.store import TableStore
from tests.web.visitors import PATIENCE, Browser, Server, browsers

pytestmark = pytest.mark.asyncio


async def kept(tables: TableStore, table: str) -> KeptGame | None:
    async with tables.database.reading() as session:
        return await session.get(KeptGame, table[3:])


async def until_kept(tables: TableStore, table: str, number: int) -> KeptGame:
    async with asyncio.timeout(PATIENCE):
        while True:
            found = await kept(tables, table)
            if found is not None and found.number >= number:
                return found
            await asyncio.sleep(0.02)


@pytest.fixture
def often_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings of a server that writes games down every five moves."""
    monkeypatch.setattr(games, "WRITTEN_EVERY", 5)
    return Settings(database=str(tmp_path / "tables.sqlite3"), bot_processes=1)


def calls(monkeypatch: pytest.MonkeyPatch, kind: type[Any], name: str) -> list[Any]:
    """The actions with which a method is called from now on."""
    seen: list[Any] = []
    real = getattr(kind, name)

    def called(self: Any, action: Any, *more: Any) -> Any:
        seen.append(action)
        return real(self, action, *more)

    monkeypatch.setattr(kind, name, called)
    return seen


async def test_a_cold_table_is_not_replayed_from_its_beginning(
    often_kept: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Server(often_kept) as server, browsers(server, 1) as (anna,):
        tables = server.app.state.tables
        table = await anna.open("me Anna", "hotseat Bernd", undo="free")
        for _ in range(12):
            await anna.move(table)
        written = await until_kept(tables, table, 10)
        assert (written.number, written.rewound) == (10, 0)
        before = await anna.game(table)
        cookies = anna.client.cookies
    async with Server(often_kept) as server:
        tables = server.app.state.tables
        again = Browser(server.url)
        again.client.cookies = cookies
        seen = calls(monkeypatch, Game, "replay")
        assert await again.game(table) == before
        assert len(seen) == 2
        # A move is made, and the past looked at, as if the game had been replayed.
        await again.move(table)
        assert (await again.client.get(f"{table}?move=3")).status_code == 200
        # What was taken back makes what is kept useless; other moves follow the same number.
        await again.done(f"{table}/undo", to=4)
        for _ in range(3):
            game = await again.game(table)
            await again.move(table, game["choices"][-1]["action"])
        there = await again.game(table)
        tables.games._kept.clear()
        tables._snapshots.clear()
        seen.clear()
        assert await again.game(table) == there
        assert len(seen) == 7
        # Nor is anything read that another program has written.
        for _ in range(10):
            await again.move(table)
        await until_kept(tables, table, 15)
        there = await again.game(table)
        async with tables.database.writing() as session:
            await session.execute(update(KeptGame).values(program="another", content=b"?"))
        tables.games._kept.clear()
        tables._snapshots.clear()
        assert await again.game(table) == there
        # And it may be thrown away at any time.
        async with tables.database.writing() as session:
            await session.execute(delete(KeptGame))
        tables.games._kept.clear()
        tables._snapshots.clear()
        assert await again.game(table) == there
        await again.client.aclose()


async def test_a_cold_table_is_made_ready_once_and_not_within_a_transaction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(database=str(tmp_path / "tables.sqlite3"), bot_processes=1)
    async with Server(settings) as server, browsers(server, 3) as people:
        tables, anna = server.app.state.tables, people[0]
        table = await anna.open("me Anna", "hotseat Bernd")
        for _ in range(4):
            await anna.move(table)
        game = await anna.game(table)
        tables.games._kept.clear()
        tables._snapshots.clear()
        made, real = [], games.StoredGame.game

        def build(self: games.StoredGame, names: tuple[str, ...]) -> Game:
            made.append(tables.database._writers.waiting)
            assert tables.database._writer.pool.checkedout() == 0
            return real(self, names)

        monkeypatch.setattr(games.StoredGame, "game", build)
        seen = {"number": game["number"], "version": game["version"]}
        await asyncio.gather(
            anna.done(f"{table}/move", **seen, action=game["choices"][0]["action"]),
            *(person.game(table) for person in people),
        )
        assert made == [0]
        async with tables.database.reading() as session:
            rows = await session.scalars(
                select(StoredMove.number).where(StoredMove.table_id == table[3:])
            )
        assert len(list(rows)) == 5


async def test_a_game_is_replayed_once_for_its_position_and_its_figures(
    often_kept: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Server(often_kept) as server, browsers(server, 1) as (anna,):
        tables = server.app.state.tables
        table = await anna.open("me Anna", "hotseat Bernd")
        for _ in range(6):
            await anna.move(table)
        await until_kept(tables, table, 5)
        async with tables.database.writing() as session:
            await session.execute(delete(KeptGame))
        tables.games._kept.clear()
        tables._snapshots.clear()
        performed = calls(monkeypatch, Position, "perform")
        await anna.game(table)
        await until_kept(tables, table, 6)
        assert len(performed) == 6


async def test_memory_is_limited_and_sleeping_tables_need_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(database=str(tmp_path / "tables.sqlite3"), bot_processes=1, memory=1)
    async with Server(settings) as server, browsers(server, 1) as (anna,):
        tables = server.app.state.tables
        monkeypatch.setattr(games, "PER_MOVE", 0)
        monkeypatch.setattr(games, "PER_BYTE", 200)
        opened = [await anna.open("me Anna", "hotseat Bernd") for _ in range(12)]
        for table in opened:
            assert (await anna.game(table))["number"] == 0
        assert 0 < len(tables.games._kept) < len(opened)
        assert tables.games.bytes < 1_000_000
        for table in opened:
            await anna.move(table)
            assert (await anna.game(table))["number"] == 1
        clock = tables.games._kept._clock() + games.REST + 1
        monkeypatch.setattr(tables.games._kept, "_clock", lambda: clock)
        await anna.game(opened[0])
        assert len(tables.games._kept) == 1
