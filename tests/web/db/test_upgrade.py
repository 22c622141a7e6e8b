"""A database of the version before accounts and slow games is brought up to date by starting the server.

`older/0007.backup.gz` was made by that version: every title in the middle of a game, a copy, a table with moves
taken back, a finished one and the one that follows it, a guided one, one with the computer, one that waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from alembic.script import ScriptDirectory
from itsdangerous import URLSafeSerializer
from sqlalchemy import select

import kursbuch
from kursbuch.web.backup import restore
from kursbuch.web.db import migrations
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Table
from kursbuch.web.settings import Settings
from tests.web.visitors import PATIENCE, Browser, Server, seen

pytestmark = pytest.mark.asyncio(loop_scope="module")

OLDER = Path(__file__).parents[1] / "older" / "0007.backup.gz"
SECRET = "the key of the old server, for tests"
PEOPLE = ("anna", "bernd", "clara", "dirk")


async def older_database(path: Path) -> Database:
    """The database as that version left it."""
    database = Database(str(path))
    await database.use_wal()
    async with database.engine.begin() as connection:
        await connection.run_sync(restore.load, OLDER, lambda done, total: None)
    return database


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    path = tmp_path_factory.mktemp("older") / "tables.sqlite3"
    await (await older_database(path)).stop()
    async with Server(Settings(database=str(path), bot_processes=1)) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="module")
async def people(server: Server) -> AsyncIterator[dict[str, Browser]]:
    """The browsers that opened these tables, with the cookies they had."""
    found = {}
    for name in PEOPLE:
        cookie = URLSafeSerializer(SECRET, salt="kursbuch browser").dumps(name)
        found[name] = Browser(server.url)
        found[name].client.headers["cookie"] = f"kursbuch_browser={cookie}"
    yield found
    for browser in found.values():
        await browser.client.aclose()


async def rows(server: Server) -> list[Table]:
    async with server.app.state.tables.database.reading() as session:
        return list(await session.scalars(select(Table).order_by(Table.id)))


async def decider(people: dict[str, Browser], path: str) -> tuple[Browser, dict[str, Any]]:
    """Someone who can move at a table, and the table as this person sees it."""
    async with asyncio.timeout(PATIENCE):
        while True:
            for browser in people.values():
                game = await browser.game(path)
                if game["choices"]:
                    return browser, game
            await asyncio.sleep(0.1)  # the computer moves first


async def test_all_tables_go_on(server: Server, people: dict[str, Browser]) -> None:
    found = await rows(server)
    assert len(found) == 13
    played = set()
    for table in found:
        path = f"/t/{table.id}"
        if table.status != "running":
            continue
        if await has_computer(people["anna"], path) and not table.guided:
            continue
        assert await people["anna"].page(path)
        for _ in range(3):
            browser, game = await decider(people, path)
            choice = game["choices"][0]
            action = dict(choice["action"])
            if choice["amount"]:
                action[choice["amount"]["field"]] = choice["amount"]["low"]
            await browser.done(f"{path}/move", **seen(game), action=action)
        played.add(table.title)
    assert played == set(kursbuch.titles())


async def has_computer(browser: Browser, path: str) -> bool:
    return any(seat["kind"] == "bot" for seat in (await browser.game(path))["seats"])


async def test_what_had_happened_is_still_there(server: Server, people: dict[str, Browser]) -> None:
    found = await rows(server)
    anna, clara = people["anna"], people["clara"]
    done = next(table for table in found if table.status == "finished")
    record = (await anna.client.get(f"/t/{done.id}/record")).text
    assert kursbuch.load(record).over
    assert (await anna.client.get(f"/api/tables/{done.id}/check")).json()["passed"]
    assert (await anna.done(f"/api/tables/{done.id}/again")).json()["id"] == done.again
    copy = next(table for table in found if table.copied is not None)
    assert (await clara.game(f"/t/{copy.id}"))["copied"] == 90
    talked = next(table for table in found if table.title == "1835" and table.copied is None)
    assert "Grüße an alle – à bientôt!" in await anna.page(f"/t/{talked.id}")


async def test_what_had_been_taken_back_is_done_again(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite3"
    await (await older_database(path)).stop()
    async with Server(Settings(database=str(path), bot_processes=1)) as server:
        back = next(table for table in await rows(server) if table.rewound)
        anna = Browser(server.url)
        cookie = URLSafeSerializer(SECRET, salt="kursbuch browser").dumps("anna")
        anna.client.headers["cookie"] = f"kursbuch_browser={cookie}"
        assert (await anna.game(f"/t/{back.id}"))["number"] == 9
        await anna.done(f"/api/tables/{back.id}/redo")
        assert (await anna.game(f"/t/{back.id}"))["number"] == 14
        # The computer goes on where it was its turn.
        with_computer = [
            table
            for table in await rows(server)
            if table.status == "running" and await has_computer(anna, f"/t/{table.id}")
        ]
        assert with_computer
        async with asyncio.timeout(60):
            for table in with_computer:
                await anna.until(f"/t/{table.id}", lambda game: bool(game["pending"]))
        await anna.client.aclose()


async def test_migrations_follow_each_other_by_number() -> None:
    script = ScriptDirectory(str(Path(migrations.__file__).parent))
    steps = [step.revision for step in script.walk_revisions()]
    assert steps == sorted(steps, reverse=True)
    assert steps[0] == migrations.newest_migration()
    assert all(migrations.is_known(step) for step in steps)
    assert not migrations.is_known("9999")
