"""A backup is restored while servers run: they let go of the database, and go on with what was restored."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import secrets
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar import Litestar
from sqlalchemy import insert, select, text

import kursbuch
from kursbuch.core.errors import KursbuchError, NotNow
from kursbuch.web import asgi
from kursbuch.web.app import create_app
from kursbuch.web.backup import dump, restore
from kursbuch.web.db import models
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Setting
from kursbuch.web.ops import maintenance_lock
from kursbuch.web.reviews.routes import Reviews
from kursbuch.web.settings import Settings
from tests.web.backup.test_backup import quiet, restored
from tests.web.db.test_servers import postgres_schema
from tests.web.db.test_upgrade import OLDER
from tests.web.live.test_events import Listener
from tests.web.visitors import HTML, PATIENCE, Browser, Server, SetClock, seated, seen

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """No one waits for long."""
    monkeypatch.setattr(maintenance_lock, "EVERY", 0.05)
    monkeypatch.setattr(asgi, "RETRY_AFTER_FAILURE", 0.05)
    monkeypatch.setattr(restore, "LOOKING", 0.05)


@asynccontextmanager
async def on_sqlite(folder: Path, count: int = 1) -> AsyncIterator[list[Server]]:
    """A server as it is served."""
    settings = Settings(database=str(folder / "tables.sqlite3"), bot_processes=1)
    async with Server(settings, renewed=True) as server:
        yield [server]


def on_postgresql(
    postgres: str, redis: str
) -> Callable[[Path], AbstractAsyncContextManager[list[Server]]]:
    """Two servers, as they are served."""

    @asynccontextmanager
    async def serving(folder: Path) -> AsyncIterator[list[Server]]:
        async with postgres_schema(postgres) as url:
            prefix = secrets.token_hex(6)
            settings = Settings(database=url, redis=redis, prefix=prefix, bot_processes=1)
            first, second = Server(settings, renewed=True), Server(settings, renewed=True)
            async with first, second:
                yield [first, second]

    return serving


@pytest.fixture(params=["sqlite", "postgresql"])
def serving(request: pytest.FixtureRequest) -> Any:
    if request.param == "sqlite":
        return on_sqlite
    return on_postgresql(
        request.getfixturevalue("postgres_url"), request.getfixturevalue("redis_url")
    )


def database_of(server: Server) -> str:
    """The database a server uses, as it was given."""
    url = server.app.state.tables.database.engine.url
    return str(url.database) if url.get_backend_name() == "sqlite" else url.render_as_string(False)


def refused(server: Server) -> tuple[int, str]:
    """How a program is answered while no one can be served."""
    with httpx.Client(base_url=server.url) as stranger:
        answer = stranger.get("/api/tables")
        assert answer.headers["retry-after"] == "3"
        assert stranger.get("/health").text == "ok"
        assert stranger.get("/ready").status_code == 503
        page = stranger.get("/", headers={**HTML, "accept-language": "de"})
        assert "wiederhergestellt" in page.text
        return answer.status_code, answer.json()["error"]


async def answers(server: Server, status: int) -> None:
    """Wait until a server says so of being ready."""
    async with asyncio.timeout(PATIENCE), httpx.AsyncClient(base_url=server.url) as client:
        while (await client.get("/ready")).status_code != status:
            await asyncio.sleep(0.05)


async def test_what_was_restored_goes_on(serving: Any, tmp_path: Path) -> None:
    async with serving(tmp_path) as servers:
        anna, elsewhere = Browser(servers[0].url), Browser(servers[-1].url)
        table = await anna.open("me Anna", "hotseat Bernd")
        computers = await anna.open("bot greedy", "bot greedy")
        for _ in range(4):
            await anna.move(table)
        ended = await anna.open("me Anna", "hotseat Bernd")
        await anna.done(f"{ended}/close")
        path, database = tmp_path / "one.gz", Database(database_of(servers[0]))
        await dump.write(database, path, quiet)
        await database.stop()
        then = await anna.game(table)
        elsewhere.client.cookies = anna.client.cookies
        for _ in range(5):
            game = await anna.game(table)
            await anna.move(table, game["choices"][-1]["action"])
        watcher = Browser(servers[0].url)
        page = await watcher.page(f"{table}/live")
        told = await watcher.client.get(f"/api/tables/{table[3:]}")
        await anna.done(f"{ended}/chat", text="This will never have been said.")
        assert "never have been said" in await watcher.page(f"{ended}/live")
        later = await anna.open("me Anna", "open")
        await anna.until(computers, lambda game: game["number"] > 3)
        assert (await elsewhere.game(table))["number"] == 9
        listener = Listener(elsewhere, table)
        await listener.until(lambda event: event["number"] == 9)

        heard: list[tuple[int, str]] = []

        def look(done: int, total: int) -> None:
            # The rows are written, and no one else sees them.
            if done == total and not heard:
                heard.extend(map(refused, servers))

        # In a thread: what is being restored keeps those who look waiting.
        await asyncio.to_thread(
            lambda: asyncio.run(
                restore.restore(
                    path, Database(database_of(servers[0])), replace=True, progress=look
                )
            )
        )
        sentence = "A backup is being restored on this server. Please wait a moment."
        assert heard == [(503, sentence)] * len(servers)
        await asyncio.wait_for(listener.ended(), PATIENCE)
        for server in servers:
            await answers(server, 200)

        for person in (anna, elsewhere):
            game = await person.game(table)
            assert (game["number"], game["log"]) == (4, then["log"])
            assert (await person.client.get(later)).status_code == 404
        # Nothing of what was known before is believed, however much it looks like what is now.
        for person in (anna, elsewhere, anna, elsewhere, elsewhere):
            await person.move(table)
        for person in (anna, elsewhere):
            assert (await person.game(table))["number"] == 9
        await anna.done(f"{ended}/chat", text="This has been said.")
        assert "This has been said" in await watcher.page(f"{ended}/live")
        # Anyone who has slept meanwhile does not decide on a position that is another one by now.
        stale = told.json()
        late = {
            "number": 9,
            "version": stale["version"],
            "action": (await anna.game(table))["choices"][0]["action"],
        }
        assert (await anna.send(f"{table}/move", **late)).status_code == 409
        assert await watcher.page(f"{table}/live") != page
        again = await watcher.client.get(
            f"/api/tables/{table[3:]}", headers={"if-none-match": told.headers["etag"]}
        )
        assert again.status_code == 200
        assert again.json()["log"] != told.json()["log"]
        record = kursbuch.load((await watcher.client.get(f"{table}/record")).text)
        assert len(record.moves) == 9
        await watcher.client.aclose()
        await anna.until(computers, lambda game: game["number"] > 3)
        async with database.reading() as session:
            assert await session.scalar(maintenance_lock.LOCK_QUERY) is None
        await database.stop()
        await anna.client.aclose()
        await elsewhere.client.aclose()


async def test_who_does_not_let_go_keeps_it_from_being_replaced(
    serving: Any, tmp_path: Path
) -> None:
    async with serving(tmp_path) as servers:
        anna = Browser(servers[0].url)
        table = await anna.open("me Anna", "hotseat Bernd")
        await anna.move(table)
        other = Database(database_of(servers[0]))
        path = tmp_path / "one.gz"
        await dump.write(other, path, quiet)
        await anna.move(table)
        # No one is asked to go for what is refused anyway.
        with pytest.raises(KursbuchError, match="not empty"):
            await restored(path, database_of(servers[0]))
        assert (await anna.game(table))["number"] == 2
        async with other.reading() as session:
            await session.execute(select(1))
            with pytest.raises(KursbuchError, match="Stop the server"):
                await restored(path, database_of(servers[0]), replace=True, patience=1)
        await answers(servers[0], 200)
        assert (await anna.game(table))["number"] == 2
        await anna.move(table)
        await other.stop()
        await anna.client.aclose()


async def test_a_backup_that_cannot_be_restored_brings_the_servers_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*about: object) -> None:
        raise KursbuchError("What was written differs from the backup.")

    async with on_sqlite(tmp_path) as [server]:
        anna = Browser(server.url)
        table = await anna.open("me Anna", "hotseat Bernd")
        await anna.move(table)
        monkeypatch.setattr(restore, "load", broken)
        with pytest.raises(KursbuchError, match="differs from the backup"):
            await restored(OLDER, database_of(server), replace=True)
        await answers(server, 200)
        await anna.move(table)
        assert (await anna.game(table))["number"] == 2
        await anna.client.aclose()


async def test_every_restore_is_another_way_for_a_game(tmp_path: Path) -> None:
    """Also with the same backup; and a table that has not begun can still begin."""
    async with on_sqlite(tmp_path) as [server]:
        anna, bernd = Browser(server.url), Browser(server.url)
        table = await anna.open("me Anna", "hotseat Bernd")
        waiting = await anna.open("me Anna", "open")
        path, database = tmp_path / "one.gz", Database(database_of(server))
        await dump.write(database, path, quiet)
        await database.stop()
        ways = []
        for _ in range(2):
            await (await restored(path, database_of(server), replace=True)).stop()
            await answers(server, 200)
            await anna.move(table)
            ways.append(await anna.game(table))
            await asyncio.sleep(1.1)  # versions are seconds
        assert ways[0]["version"] < ways[1]["rewound"] <= ways[1]["version"]
        action = ways[1]["choices"][0]["action"]
        late = await anna.send(f"{table}/move", number=1, version=ways[0]["version"], action=action)
        assert late.status_code == 409
        await seated(waiting, bernd)
        assert (await bernd.game(waiting))["status"] == "running"
        await anna.client.aclose()
        await bernd.client.aclose()


async def test_a_request_that_takes_too_long_changes_nothing(
    serving: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It began before the backup was restored, and is sent to its end afterwards."""
    monkeypatch.setattr(asgi, "GRACE", 0.2)
    async with serving(tmp_path) as servers:
        anna = Browser(servers[0].url)
        table = await anna.open("me Anna", "hotseat Bernd")
        path, database = tmp_path / "one.gz", Database(database_of(servers[0]))
        await dump.write(database, path, quiet)
        await database.stop()
        game = await anna.game(table)
        body = json.dumps({**seen(game), "action": game["choices"][0]["action"]}).encode()
        cookies = "; ".join(f"{name}={value}" for name, value in anna.client.cookies.items())
        host, port = servers[0].url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        head = (
            f"POST {table}/move HTTP/1.1\r\nhost: {host}:{port}\r\ncookie: {cookies}\r\n"
            f"origin: {servers[0].url}\r\naccept: application/json\r\n"
            f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body[:10])
        await writer.drain()
        for _ in range(2):
            # The second time as well: nothing is still connected.
            await (await restored(path, database_of(servers[0]), replace=True)).stop()
            for server in servers:
                await answers(server, 200)
        with suppress(OSError):
            writer.write(body[10:])
            await writer.drain()
        answer = await asyncio.wait_for(reader.readline(), PATIENCE)
        assert answer.startswith(b"HTTP/1.1 503 ")
        writer.close()
        assert (await anna.game(table))["number"] == 0
        await anna.client.aclose()


async def test_nothing_stays_connected_to_a_database_that_is_closed(postgres_url: str) -> None:
    async with postgres_schema(postgres_url) as url:
        database, other = Database(url), Database(url)
        await database.start()
        lost = await database.engine.connect()
        await lost.execute(select(1))
        await database.close()
        query = text(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        async with asyncio.timeout(PATIENCE):
            while (await other.glance(query))[0][0]:
                await asyncio.sleep(0.05)
        await lost.invalidate()
        await lost.close()
        await other.stop()


async def test_what_fails_on_the_way_out_does_not_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    failing = iter([True])

    async def broken(reviews: Reviews) -> None:
        if next(failing, False):
            raise RuntimeError("it cannot stop")

    monkeypatch.setattr(Reviews, "stop", broken)
    async with on_sqlite(tmp_path) as [server]:
        anna = Browser(server.url)
        table = await anna.open("me Anna", "hotseat Bernd")
        await (await restored(OLDER, database_of(server), replace=True)).stop()
        await answers(server, 200)
        assert (await anna.client.get(table)).status_code == 404
        assert "it cannot stop" in caplog.text
        await anna.client.aclose()


async def test_a_backup_is_restored_once_at_a_time(tmp_path: Path) -> None:
    target = str(tmp_path / "tables.sqlite3")
    await (await restored(OLDER, target)).stop()
    refused_with: list[BaseException] = []

    def look(done: int, total: int) -> None:
        if done == total and not refused_with:
            with ThreadPoolExecutor() as pool:
                other = pool.submit(asyncio.run, restored(OLDER, target, replace=True))
                refused_with.append(other.exception() or AssertionError("nothing was refused"))

    await (await restored(OLDER, target, replace=True, progress=look)).stop()
    assert [type(error) for error in refused_with] == [maintenance_lock.UnderMaintenance]
    # That does not end the lock of the first one, which was released in the end.
    database = Database(target)
    assert not await database.is_wanted()
    await database.stop()


async def test_a_server_that_waits_for_its_database_can_be_stopped(
    serving: Any, tmp_path: Path
) -> None:
    await (await restored(OLDER, str(tmp_path / "source.sqlite3"))).stop()
    held, go_on = threading.Event(), threading.Event()

    def hold(done: int, total: int) -> None:
        if done == total and not held.is_set():
            held.set()
            go_on.wait(PATIENCE)

    async with serving(tmp_path) as servers:
        database = database_of(servers[0])
        restoring = asyncio.create_task(
            asyncio.to_thread(
                lambda: asyncio.run(restored(OLDER, database, replace=True, progress=hold))
            )
        )
        while not held.is_set():
            await asyncio.sleep(0.05)
        began = asyncio.get_running_loop().time()
        for server in servers:
            await server.__aexit__(None, None, None)
        assert asyncio.get_running_loop().time() - began < 20
        go_on.set()
        await restoring


async def test_a_server_that_starts_waits_until_nobody_wants_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SetClock()
    monkeypatch.setattr(models, "clock", clock)
    database = await restored(OLDER, str(tmp_path / "tables.sqlite3"))
    async with database.engine.execution_options(immediate=True).begin() as connection:
        await connection.run_sync(maintenance_lock.MaintenanceLock().acquire)
    assert await database.is_wanted()
    await database.stop()
    other = Database(str(tmp_path / "tables.sqlite3"))
    starting = asyncio.create_task(other.start())
    done, _ = await asyncio.wait([starting], timeout=0.5)
    assert not done
    # Anyone who was killed is not waited for.
    clock.on(seconds=maintenance_lock.VALID / timedelta(seconds=1) + 1)
    await starting
    async with other.reading() as session:
        assert await session.scalar(maintenance_lock.LOCK_QUERY) is None
    await other.stop()


async def test_a_lock_in_a_backup_is_not_restored(tmp_path: Path) -> None:
    database = await restored(OLDER, str(tmp_path / "tables.sqlite3"))
    async with database.writing() as session:
        await session.execute(
            insert(Setting).values(key="making room", value=f"{models.now().isoformat()} other")
        )
    await dump.write(database, tmp_path / "one.gz", quiet)
    await database.stop()
    copy = await restored(tmp_path / "one.gz", str(tmp_path / "copy.sqlite3"))
    assert not await copy.is_wanted()
    await copy.stop()


async def test_a_server_without_its_database_ends_when_it_is_told_to(tmp_path: Path) -> None:
    async with on_sqlite(tmp_path) as [server]:
        database = Database(database_of(server))
        async with database.engine.execution_options(immediate=True).begin() as connection:
            await connection.run_sync(maintenance_lock.MaintenanceLock().acquire)
        await answers(server, 503)
        await database.stop()
        before = asyncio.get_running_loop().time()
    assert asyncio.get_running_loop().time() - before < 30


async def test_a_server_that_cannot_go_on_tries_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What was restored has been used by a newer version of the program."""
    async with on_sqlite(tmp_path) as [server]:
        anna = Browser(server.url)
        table = await anna.open("me Anna", "hotseat Bernd")
        database = Database(database_of(server))
        async with database.engine.execution_options(immediate=True).begin() as connection:
            await connection.run_sync(maintenance_lock.MaintenanceLock().acquire)
        await answers(server, 503)
        was = "SELECT version_num FROM alembic_version"
        async with database.engine.execution_options(immediate=True).begin() as connection:
            [revision] = (await connection.execute(text(was))).one()
            await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
            await connection.run_sync(maintenance_lock.forget)
        async with asyncio.timeout(PATIENCE):
            while "cannot go on: This database was used by a newer version" not in caplog.text:
                await asyncio.sleep(0.05)
        await answers(server, 503)
        change = text("UPDATE alembic_version SET version_num = :revision")
        async with database.engine.execution_options(immediate=True).begin() as connection:
            await connection.execute(change, {"revision": revision})
        await answers(server, 200)
        await anna.move(table)
        await database.stop()
        await anna.client.aclose()


async def test_a_server_that_cannot_start_says_so(tmp_path: Path) -> None:
    """As it did before there was anything between it and its application."""
    said: list[dict[str, Any]] = []

    def make() -> Litestar:
        return create_app(Settings(database=str(tmp_path / "tables.sqlite3"), bot_processes=1))

    told = iter(["lifespan.startup"])

    async def receive() -> dict[str, str]:
        for kind in told:
            return {"type": kind}
        await asyncio.Event().wait()
        raise AssertionError("not reached")

    async def send(message: dict[str, Any]) -> None:
        said.append(message)

    (tmp_path / "tables.sqlite3").write_text("This is no database, but it is longer than nothing.")
    with pytest.raises(KursbuchError, match="cannot be used"):
        await asgi.ReloadingApp(make)({"type": "lifespan"}, receive, send)
    assert [message["type"] for message in said] == ["lifespan.startup.failed"]
    assert "file is not a database" in said[0]["message"]


async def test_a_worker_that_starts_while_the_database_is_away_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server has used the database before; without the worker it would stop."""
    said: list[str] = []
    ending = asyncio.Event()
    tries = iter([True, True, False])
    started = asgi._started

    async def away(app: Litestar) -> None:
        if next(tries):
            raise NotNow("The database cannot be used.")
        await started(app)

    def make() -> Litestar:
        return create_app(Settings(database=str(tmp_path / "tables.sqlite3"), bot_processes=1))

    told = iter(["lifespan.startup"])

    async def receive() -> dict[str, str]:
        for kind in told:
            return {"type": kind}
        await ending.wait()
        return {"type": "lifespan.shutdown"}

    async def send(message: dict[str, Any]) -> None:
        said.append(message["type"])
        ending.set()

    monkeypatch.setattr(asgi, "_started", away)
    monkeypatch.setattr(multiprocessing, "parent_process", object)
    await asgi.ReloadingApp(make)({"type": "lifespan"}, receive, send)
    assert said == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    assert not list(tries)
