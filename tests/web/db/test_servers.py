"""Crashes, several servers, and the databases they use."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

import kursbuch
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Base, Consent
from kursbuch.web.settings import Settings
from kursbuch.web.tables import moves as table_moves
from kursbuch.web.tables.snapshot import Seen
from kursbuch.web.tables.store import TableStore
from tests.web.live.test_events import Listener
from tests.web.stored import put
from tests.web.visitors import HTML, PATIENCE, Browser, Server, browsers, choose, free_port, seated

pytestmark = pytest.mark.asyncio(loop_scope="module")

SERVE = """
import sys
from kursbuch.web import serve
if __name__ == "__main__":
    serve(port=int(sys.argv[1]), database=sys.argv[2])
"""


class Process:
    """A server in a process of its own, as `kursbuch serve` runs it."""

    def __init__(self, folder: Path, stderr: int | None = subprocess.PIPE) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        program = folder / "serve.py"
        program.write_text(SERVE)
        self.process = subprocess.Popen(
            [sys.executable, str(program), str(self.port), str(folder / "tables.sqlite3")],
            start_new_session=True,
            stderr=stderr,
        )

    async def ready(self) -> None:
        """Wait until it answers."""
        async with asyncio.timeout(60), httpx.AsyncClient() as client:
            while True:
                assert self.process.poll() is None
                try:
                    await client.get(self.url)
                except httpx.TransportError:
                    await asyncio.sleep(0.05)
                else:
                    return

    def kill(self) -> None:
        """End it without warning."""
        self.process.kill()
        self.process.wait()


async def test_a_killed_server_loses_no_acknowledged_move(tmp_path: Path) -> None:
    process = Process(tmp_path)
    try:
        await process.ready()
        anna = Browser(process.url)
        table = await anna.open("me Anna", "hotseat Bernd")
        acknowledged: list[dict[str, Any]] = []

        async def play() -> None:
            while True:
                game = await anna.game(table)
                action = choose(game, "take-token", "extend-line", "let-stand", "place-station")
                answer = await anna.send(f"{table}/move", number=game["number"], action=action)
                if answer.status_code == 204:
                    acknowledged.append(action)

        playing = asyncio.create_task(play())
        async with asyncio.timeout(PATIENCE):
            while len(acknowledged) < 15:
                await asyncio.sleep(0.001)
        process.kill()
        with pytest.raises(httpx.TransportError):
            await playing
        cookies = anna.client.cookies
        await anna.client.aclose()
        process = Process(tmp_path)
        await process.ready()
        again = Browser(process.url)
        again.client.cookies = cookies
        game = await again.game(table)
        assert game["my_seats"] == [0, 1]
        # One more can be on disk without the answer having arrived.
        assert len(acknowledged) <= game["number"] <= len(acknowledged) + 1
        record = kursbuch.load((await again.client.get(f"{table}/record")).text)
        made = [record.title.action_to_json(move.action) for move in record.moves]
        assert made[: len(acknowledged)] == acknowledged
        await again.move(table)
        await again.client.aclose()
    finally:
        process.kill()


def _is_alive(group: int) -> bool:
    """Whether a process of the group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(os.name == "nt", reason="uses POSIX signals")
async def test_ctrl_c_ends_the_server_and_its_helpers(tmp_path: Path) -> None:
    process = Process(tmp_path)
    try:
        await process.ready()
        anna = Browser(process.url)
        table = await anna.open("bot greedy", "bot greedy")
        await anna.until(table, lambda game: game["number"] > 0)
        listener = Listener(anna, table)
        await listener.until(lambda event: True)
        os.killpg(process.process.pid, signal.SIGINT)
        async with asyncio.timeout(15):
            while process.process.poll() is None:
                await asyncio.sleep(0.05)
        await listener.stop()
        await anna.client.aclose()
        assert process.process.stderr is not None
        written = process.process.stderr.read().decode()
        assert "Traceback" not in written
        assert "ERROR" not in written
        async with asyncio.timeout(15):
            while _is_alive(process.process.pid):
                await asyncio.sleep(0.05)
    finally:
        process.kill()


# ---- several servers


def _has_number(number: int, event: dict[str, Any]) -> bool:
    return bool(event["number"] == number)


@asynccontextmanager
async def postgres_schema(url: str) -> AsyncIterator[str]:
    """The URL of an empty database on the server."""
    name = f"web_{secrets.token_hex(6)}"
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text(f"CREATE DATABASE {name}"))
    try:
        yield f"{url.rpartition('/')[0]}/{name}"
    finally:
        async with engine.connect() as connection:
            await connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        await engine.dispose()


@asynccontextmanager
async def two_servers(postgres: str, redis: str) -> AsyncIterator[tuple[Server, Server]]:
    """Two servers that share a database and a Redis, started at the same time."""
    async with postgres_schema(postgres) as url:
        prefix = secrets.token_hex(6)
        settings = Settings(database=url, redis=redis, prefix=prefix, bot_processes=1)
        first, second = Server(settings), Server(settings)
        await asyncio.gather(first.__aenter__(), second.__aenter__())
        try:
            yield first, second
        finally:
            await asyncio.gather(
                first.__aexit__(None, None, None), second.__aexit__(None, None, None)
            )


async def test_two_servers_on_one_database(postgres_url: str, redis_url: str) -> None:
    async with (
        two_servers(postgres_url, redis_url) as (one, two),
        browsers(one, 1) as (anna,),
        browsers(two, 2) as (bernd, watcher),
    ):
        table = await anna.open("me Anna", "open", undo="own", objection=2)
        await seated(table, bernd)
        listeners = [Listener(anna, table), Listener(bernd, table), Listener(watcher, table)]
        for listener in listeners:
            await listener.until(lambda event: True)
        # Both see the same, whichever server they ask.
        anna_elsewhere = Browser(two.url)
        anna_elsewhere.client.cookies = anna.client.cookies
        assert (await anna_elsewhere.game(table))["my_seats"] == [0]
        people = (anna, bernd)
        for number in range(1, 9):
            games = [await person.game(table) for person in people]
            mover = 0 if games[0]["choices"] else 1
            actions = choose(games[mover], "take-token", "let-stand")
            await people[mover].move(table, actions)
            for listener in listeners:
                await listener.until(partial(_has_number, number))
        # Two servers, one number: one move wins.
        games = [await person.game(table) for person in people]
        mover = 0 if games[0]["choices"] else 1
        elsewhere = Browser((two if mover == 0 else one).url)
        elsewhere.client.cookies = people[mover].client.cookies
        chosen = [choice["action"] for choice in games[mover]["choices"][:6]]
        answers = await asyncio.gather(
            *(
                (people[mover] if index % 2 else elsewhere).send(
                    f"{table}/move", number=8, action=action
                )
                for index, action in enumerate(chosen)
            )
        )
        assert sorted(answer.status_code for answer in answers) == [204] + [409] * 5
        await elsewhere.done(f"{table}/undo")
        assert (await watcher.game(table))["number"] == 8
        assert [move["number"] for move in [await person.game(table) for person in people]] == [
            8,
            8,
        ]
        # A deadline is kept, once, by whichever server.
        await people[mover].move(table, choose(await people[mover].game(table), "extend-line"))
        await anna.until(
            table,
            lambda game: all(decision["step"] != "objection" for decision in game["pending"]),
        )
        record = (await anna.client.get(f"{table}/record")).text
        assert record == (await bernd.client.get(f"{table}/record")).text
        kursbuch.load(record)
        for listener in listeners:
            await listener.stop()
        await elsewhere.client.aclose()
        await anna_elsewhere.client.aclose()


async def test_what_is_no_text_for_postgresql_is_refused(postgres_url: str, redis_url: str) -> None:
    async with two_servers(postgres_url, redis_url) as (one, _), browsers(one, 1) as (anna,):
        for path in ("/t/%00x", "/people/%00x", "/messages?table=%00", "/routes/1853?table=%00"):
            assert (await anna.client.get(path, headers=HTML)).status_code == 404, path
        for path in ("/t/%00x/join", "/api/tables/a%00/move"):
            await anna.refused(404, path, seat=0, name="A")
        await anna.refused(422, "/messages", table="\0")
        await anna.refused(422, "/login", name="\0", password="x" * 12)


async def test_a_move_knows_what_was_asked_while_it_waited(postgres_url: str) -> None:
    """Two servers: one stores a wish, while the other waits for the same table with a move that ends it."""
    async with postgres_schema(postgres_url) as url:
        one, two = Database(url), Database(url)
        await one.start()
        here, there = TableStore(one), TableStore(two)
        game = kursbuch.new("rocket", ["Anna", "Bernd"], seed="1")
        table = await put(here, game, ["anna", "bernd"], undo="own", pace=0.0)
        seen = await there.load(table)
        assert seen.game is not None
        [seat] = seen.table.turn
        action = game.title.action_to_json(seen.game.view(seat).legal_actions()[0].action)
        owner = str(seen.seats[seat].owner)
        async with here.changing(table) as change:
            wish = {"seat": 1 - seat, "target": 0, "version": change.next_version, "agreed": []}
            change.session.add(Consent(table_id=table, kind="undo", **wish))
            await change.session.flush()
            moving = asyncio.create_task(
                table_moves.move(there, table, owner, Seen(0, seen.table.version), action)
            )
            async with one.reading() as session:
                while not await session.scalar(text("SELECT 1 FROM pg_locks WHERE NOT granted")):
                    await asyncio.sleep(0.05)
        await moving
        assert not (await there.load(table)).consents
        await one.stop()
        await two.stop()


async def test_the_computer_plays_on_postgresql(postgres_url: str, redis_url: str) -> None:
    async with two_servers(postgres_url, redis_url) as (one, two), browsers(one, 1) as (anna,):
        table = await anna.open("bot random", "bot random")
        await anna.until(table, lambda game: game["number"] >= 10)
        await anna.done(f"{table}/close")
        async with browsers(two, 1) as (other,):
            assert (await other.game(table))["status"] == "closed"


# ---- databases


async def test_the_migrations_make_what_the_models_say(tmp_path: Path) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    database = Database(str(tmp_path / "tables.sqlite3"))
    await database.start()
    await database.start()
    async with database.engine.connect() as connection:

        def differences(sync: Any) -> list[Any]:
            return list(compare_metadata(MigrationContext.configure(sync), Base.metadata))

        assert await connection.run_sync(differences) == []
    async with database.engine.connect() as connection:
        assert (await connection.execute(text("PRAGMA journal_mode"))).scalar() == "wal"
        assert (await connection.execute(text("PRAGMA synchronous"))).scalar() == 2
    await database.stop()


WRITE = """
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as connection:
    connection.execute("INSERT INTO setting VALUES (?, 'from elsewhere')", (sys.argv[2],))
connection.close()
"""


async def test_what_other_processes_write_is_seen_however_often_a_process_starts(
    tmp_path: Path,
) -> None:
    """Anyone who opens and closes the file beside SQLite ends the locks of the whole process."""
    file = str(tmp_path / "tables.sqlite3")
    one, other = Database(file), Database(file)
    await one.start()
    assert await one.setting("here", lambda: "from here") == "from here"
    await other.start()
    await other.stop()
    for key in ("first", "second"):
        subprocess.run([sys.executable, "-c", WRITE, file, key], check=True)
        assert await one.setting(key, lambda: "not seen") == "from elsewhere"
    await one.stop()


async def test_several_servers_start_on_a_new_file_at_once(tmp_path: Path) -> None:
    databases = [Database(str(tmp_path / "tables.sqlite3")) for _ in range(5)]
    await asyncio.gather(*(database.start() for database in databases))
    found = await asyncio.gather(*(database.secret() for database in databases))
    assert len(set(found)) == 1
    for database in databases:
        await database.stop()
