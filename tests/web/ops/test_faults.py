"""What a server depends on fails for a while: one sentence, nothing half done, nothing in the log that looks like a
mistake of the program, and everything goes on by itself afterwards."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import create_async_engine

from kursbuch.web.live import streams
from kursbuch.web.settings import Settings
from tests import services
from tests.services import Running
from tests.web.db.test_servers import Process, postgres_schema, two_servers
from tests.web.live.test_events import Listener
from tests.web.visitors import HTML, PATIENCE, Browser, Reachable, Server, browsers, seen

pytestmark = pytest.mark.asyncio(loop_scope="module")

AWAY = "cannot reach its database"
NOT_STORED = "cannot store anything at the moment, so nothing was changed"


@contextmanager
def own(
    service: services.Service, start: Callable[[str, ExitStack], tuple[str, Running]]
) -> Iterator[tuple[str, Running]]:
    """A service of one's own, which may be stopped and started."""
    place = service.find()
    if place is None:
        pytest.skip(services.lacking([service]))
    with ExitStack() as stack:
        yield start(place, stack)


async def wish(browser: Browser, table: str) -> dict[str, Any]:
    """A move that can be made, and something to say."""
    game = await browser.game(table)
    return {**seen(game), "action": game["choices"][0]["action"], "text": "Hello"}


async def refused(browser: Browser, table: str, body: dict[str, Any], sentence: str) -> None:
    """Anyone who moves or talks is told so, as a program and as a page, and when to come again."""
    for headers in ({}, HTML):
        for path in (f"{table}/move", f"{table}/chat"):
            answer = await browser.client.post(path, json=body, headers=headers)
            assert answer.status_code == 503, answer.text
            assert int(answer.headers["retry-after"]) > 0
            assert sentence in answer.text


async def goes_on(browser: Browser, table: str, number: int) -> None:
    """Nothing of what was refused has happened, and the game goes on."""
    game = await browser.game(table)
    assert game["number"] == number
    assert "Hello" not in await browser.page(table)
    action = game["choices"][0]["action"]
    await browser.done(f"{table}/move", **seen(game), action=action)
    assert (await browser.game(table))["number"] == number + 1


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Anyone who reads the log is told in a few lines, without tracebacks."""
    yield
    records = caplog.get_records("call")
    assert not [record for record in records if record.exc_info]
    errors = capfd.readouterr().err
    assert "Traceback" not in errors
    serious = ("WARNING", "ERROR")
    told = {record.msg for record in records if record.levelname in serious}
    told |= {line for line in errors.splitlines() if any(f" {level} " in line for level in serious)}
    assert told
    assert len(told) < 8


@contextmanager
def no_file_grows(process: int, folder: Path) -> Iterator[None]:
    """The system lets a process make no file larger than its smallest is."""
    resource = pytest.importorskip("resource")
    limits = resource.prlimit(process, resource.RLIMIT_FSIZE)
    smallest = min(path.stat().st_size for path in folder.glob("*.sqlite3*"))
    resource.prlimit(process, resource.RLIMIT_FSIZE, (smallest, limits[1]))
    try:
        yield
    finally:
        resource.prlimit(process, resource.RLIMIT_FSIZE, limits)


@contextmanager
def full(folder: Path) -> Iterator[None]:
    """Someone else has filled the disk to the last byte."""
    filler = folder / "filler"
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)
    try:
        yield
    finally:
        filler.unlink()


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A folder on a disk of its own of a few megabytes."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


async def plays_on_after(
    server: Reachable, fault: AbstractContextManager[None], sentence: str
) -> None:
    """While there is no room nothing is stored, and anyone who only looks, looks, also who comes again."""
    async with browsers(server, 1) as (anna,):
        table = await anna.open("me Anna", "hotseat Bernd")
        await anna.move(table)
        listener = Listener(anna, table)
        await listener.until(lambda event: True)
        body = await wish(anna, table)
        with fault:
            await refused(anna, table, body, sentence)
            await refused(anna, table, body, sentence)
            assert "Bernd" in await anna.page(table)
            async with browsers(server, 1) as (bernd,):
                assert "Bernd" in await bernd.page(table)
                assert "Bernd" in await bernd.page("/")
                assert (await bernd.client.get("/ready")).status_code == 200
        await goes_on(anna, table, 1)
        await listener.until(lambda event: event["number"] == 2)
        await listener.stop()


async def test_sqlite_on_a_full_disk(tmp_path: Path) -> None:
    with small_disk(tmp_path) as folder:
        settings = Settings(database=str(folder / "tables.sqlite3"), bot_processes=1)
        async with Server(settings) as server:
            await plays_on_after(server, full(folder), NOT_STORED)


@pytest.mark.skipif(sys.platform != "linux", reason="uses limits of Linux")
async def test_sqlite_whose_files_may_not_grow(tmp_path: Path) -> None:
    server = Process(tmp_path, stderr=None)
    try:
        await server.ready()
        await plays_on_after(server, no_file_grows(server.process.pid, tmp_path), AWAY)
    finally:
        server.kill()


async def test_sqlite_that_may_only_be_read(tmp_path: Path) -> None:
    settings = Settings(database=str(tmp_path / "tables.sqlite3"), bot_processes=1)
    async with Server(settings) as server, browsers(server, 1) as (anna,):
        table = await anna.open("me Anna", "hotseat Bernd")
        body = await wish(anna, table)
        engine = server.app.state.tables.database._writer
        begin = ["PRAGMA query_only = ON"]

        @event.listens_for(engine.sync_engine, "checkout")
        def make_read_only(connection: Any, record: Any, proxy: Any) -> None:
            connection.execute(begin[0])

        await refused(anna, table, body, NOT_STORED)
        assert "Bernd" in await anna.page(table)
        begin[0] = "PRAGMA query_only = OFF"
        await goes_on(anna, table, 0)


async def test_postgresql_that_cannot_store(postgres_url: str) -> None:
    async with postgres_schema(postgres_url) as url:
        settings = Settings(database=url, bot_processes=1)
        admin = create_async_engine(url, isolation_level="AUTOCOMMIT")

        async def run(*statements: str) -> None:
            async with admin.connect() as connection:
                for statement in statements:
                    await connection.execute(text(statement))

        name = url.rpartition("/")[2]
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = "
        disconnect = f"{others} '{name}' AND pid <> pg_backend_pid()"
        read_only = f"ALTER DATABASE {name} SET default_transaction_read_only = "
        trigger = "CREATE TRIGGER no_space BEFORE INSERT ON {table} EXECUTE FUNCTION is_full()"
        async with Server(settings) as server, browsers(server, 1) as (anna,):
            table = await anna.open("me Anna", "hotseat Bernd")
            body = await wish(anna, table)
            # As on a server that stands by for another one.
            await run(f"{read_only} on", disconnect)
            await refused(anna, table, body, NOT_STORED)
            assert "Bernd" in await anna.page(table)
            await run("SET default_transaction_read_only = off", f"{read_only} off", disconnect)
            await goes_on(anna, table, 0)
            # The code that PostgreSQL gives when its disk is full.
            body = await wish(anna, table)
            await run(
                "CREATE FUNCTION is_full() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$",
                trigger.format(table="move"),
                trigger.format(table="chat"),
            )
            await refused(anna, table, body, NOT_STORED)
            await run("DROP FUNCTION is_full() CASCADE")
            await goes_on(anna, table, 1)
        await admin.dispose()


async def test_postgresql_is_away() -> None:
    with own(services.POSTGRES, services.run_postgres) as (url, postgres):
        async with (
            Server(Settings(database=url, bot_processes=1)) as server,
            browsers(server, 1) as (anna,),
        ):
            table = await anna.open("me Anna", "hotseat Bernd")
            listener = Listener(anna, table)
            await listener.until(lambda event: True)
            number = (await anna.game(table))["number"]
            body = await wish(anna, table)
            postgres.process.kill()
            postgres.process.wait()
            await refused(anna, table, body, AWAY)
            for path in (table, "/", "/ready"):
                answer = await anna.client.get(path, headers=HTML)
                assert answer.status_code == 503, path
                assert int(answer.headers["retry-after"]) > 0
            assert (await anna.client.get("/health")).status_code == 200
            starting = asyncio.create_task(asyncio.to_thread(postgres.again))
            # While it starts it answers, but not yet as it should.
            while not starting.done():
                answer = await anna.client.get(table, headers=HTML)
                assert answer.status_code in (200, 503)
            await starting
            await goes_on(anna, table, number)
            await listener.until(lambda event: event["number"] > number)
            await listener.stop()


async def test_redis_is_away(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "SECOND_LOOK", 0.2)
    with own(services.REDIS, services.run_redis) as (redis, running):
        async with (
            two_servers(postgres_url, redis) as (one, two),
            browsers(one, 1) as (anna,),
            browsers(two, 2) as (bernd, clara),
        ):
            table, other = [await anna.open("me Anna", "hotseat Konrad") for _ in range(2)]
            before = Listener(bernd, table)
            await before.until(lambda event: True)
            running.process.kill()
            running.process.wait()
            # Who comes meanwhile sees a table, where no one of this server was, and everybody plays on.
            meanwhile = Listener(clara, other)
            await meanwhile.until(lambda event: True)
            assert "Konrad" in await clara.page(other)
            await anna.move(table)
            ready = await anna.client.get("/ready")
            assert (ready.status_code, ready.json()["error"]) == (503, "Redis does not answer.")
            monkeypatch.setattr(streams, "HEARTBEAT", 0.2)
            later = Listener(bernd, table)
            await later.until(lambda event: event["number"] == 1)
            monkeypatch.setattr(streams, "HEARTBEAT", 60.0)
            await asyncio.to_thread(running.again)
            # Both hear of what is done at the other server again.
            for listener, path in ((before, table), (meanwhile, other)):
                known = listener.seen[-1]["number"]
                async with asyncio.timeout(PATIENCE):
                    while listener.seen[-1]["number"] == known:
                        await anna.move(path)
                        await asyncio.sleep(0.2)
            for listener in (before, meanwhile, later):
                await listener.stop()
