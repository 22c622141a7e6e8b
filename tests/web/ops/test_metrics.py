"""What those see who watch over a server: whether it is well, its metrics, its logs."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text

from kursbuch.core.errors import KursbuchError
from kursbuch.web.db.database import Database
from kursbuch.web.http.fair_scheduler import FairScheduler
from kursbuch.web.ops import health, logs
from kursbuch.web.ops.metrics import COUNTS
from tests.web.db.test_servers import postgres_schema
from tests.web.visitors import Browser, Server, free_port

pytestmark = pytest.mark.asyncio(loop_scope="module")

SERVE = """
import json, sys
from kursbuch.web import serve
if __name__ == "__main__":
    serve(**json.loads(sys.argv[1]))
"""


@asynccontextmanager
async def process(folder: Path, **how: Any) -> AsyncIterator[str]:
    """A server in a process of its own: its address."""
    program = folder / "serve.py"
    program.write_text(SERVE)
    how = {"port": free_port(), "database": str(folder / "tables.sqlite3"), **how}
    with open(folder / "log", "wb") as log:
        running = subprocess.Popen(
            [sys.executable, str(program), json.dumps(how)], stderr=log, cwd=folder
        )
    try:
        url = f"http://127.0.0.1:{how['port']}"
        async with asyncio.timeout(60), httpx.AsyncClient() as client:
            while True:
                assert running.poll() is None, (folder / "log").read_text()
                try:
                    await client.get(f"{url}/health")
                except httpx.TransportError:
                    await asyncio.sleep(0.1)
                else:
                    break
        yield url
    finally:
        running.terminate()
        await asyncio.to_thread(running.wait)


async def values(address: str) -> dict[str, float]:
    """The metrics at an address: for every name with its labels the value."""
    async with httpx.AsyncClient(timeout=30) as client:
        answer = await client.get(f"http://{address}/metrics")
    found = {}
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            labels = ",".join(f"{key}={value}" for key, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


async def test_what_was_played_is_counted_and_noted(tmp_path: Path) -> None:
    metrics = f"127.0.0.1:{free_port()}"
    async with process(tmp_path, metrics=metrics, log="json") as url:
        anna = Browser(url)
        table = await anna.open("me Anna", "bot random")
        await anna.until(table, lambda game: bool(game["choices"]))
        await anna.move(table)
        await anna.refused(422, f"{table}/move", number=0, action={"action": "nonsense"})
        token = (await anna.done(f"{table}/hand-on", seat=0)).json()["link"].rpartition("/")[2]
        await anna.page(f"{table}/seat/{token}")
        async with anna.client.stream("GET", f"{table}/events") as stream:
            lines = stream.aiter_lines()
            assert await anext(lines)
            moved = 1
            # Until the computer had a turn; who begins, and with what, is drawn.
            while (await anna.until(table, lambda game: game["choices"]))["number"] == moved:
                await anna.move(table)
                moved += 1
            found = await values(metrics)
        assert found["kursbuch_moves_total{by=person,title=rocket}"] == moved
        assert found["kursbuch_moves_total{by=computer,title=rocket}"] >= 1
        assert found["kursbuch_refusals_total{status=422}"] == 1
        assert found["kursbuch_streams"] == 1
        assert found["kursbuch_tables{status=running}"] == 1
        assert found["kursbuch_database_up"] == 1
        assert found["kursbuch_thinking_seconds_count{kind=choose}"] >= 1
        assert found["kursbuch_request_seconds_count{kind=move,status=204}"] == moved
        assert found["kursbuch_database_seconds_count{kind=write}"] >= 3
        assert found["process_resident_memory_bytes"] > 0
        await anna.client.aclose()
    # Python itself may have something to say of a server that ends on a busy machine.
    noted = (tmp_path / "log").read_text().splitlines()
    written = [json.loads(line) for line in noted if line.startswith("{")]
    requests = [line for line in written if line["logger"] == "kursbuch.requests"]
    moves = [line for line in requests if line["path"] == "/t/{table_id}/move"]
    assert [line["status"] for line in moves] == [204, 422, *[204] * (moved - 1)]
    assert {line["table"] for line in moves} == {table.rpartition("/")[2]}
    assert token not in (tmp_path / "log").read_text()


async def test_every_request_is_counted_and_noted(
    server: Server,
    anna: Browser,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those that lead nowhere, and those that are refused at once, as well."""

    def counted(kind: str, status: int) -> float:
        labels = {"kind": kind, "status": str(status)}
        return COUNTS.get_sample_value("kursbuch_request_seconds_count", labels) or 0

    table = await anna.open("me Anna", "hotseat Bernd")
    caplog.set_level(logging.INFO, "kursbuch.requests")
    full = FairScheduler(0, longest=0)
    for method, path, status, kind, noted in (
        ("GET", "/t/{table_id}", 200, "page", "/t/{table_id}"),
        ("HEAD", "/t/{table_id}", 200, "page", "/t/{table_id}"),
        ("GET", "/nope/c2VjcmV0", 404, "page", ""),
        ("GET", "/api/nope", 404, "api", ""),
        ("POST", "/nope", 404, "change", ""),
        ("DELETE", "/api/titles", 405, "change", ""),
        ("GET", "/t/{table_id}", 503, "page", ""),
        ("GET", "/api/tables/{table_id}", 503, "api", ""),
        ("POST", "/t/{table_id}/move", 503, "move", ""),
        ("GET", "/t/{table_id}/events", 503, "events", ""),
        ("GET", "/health", 200, "health", "/health"),
    ):
        if status == 503:
            for line in ("_readers", "_writers"):
                monkeypatch.setattr(server.app.state.tables.database, line, full)
        caplog.clear()
        before = counted(kind, status)
        answer = await anna.client.request(method, path.format(table_id=table[3:]))
        assert answer.status_code == status, path
        assert counted(kind, status) == before + 1, path
        (record,) = [one for one in caplog.records if one.name == "kursbuch.requests"]
        fields = record.__dict__["fields"]
        assert (fields["path"], fields["status"]) == (noted, status)
        assert ("table" in fields) == ("table" in noted)


@pytest.mark.skipif(os.name == "nt", reason="several workers")
async def test_several_workers_are_added_up(
    tmp_path: Path, redis_url: str, postgres_url: str
) -> None:
    metrics = f"127.0.0.1:{free_port()}"
    async with postgres_schema(postgres_url) as database:
        how = {"database": database, "redis": redis_url, "workers": 2, "metrics": metrics}
        async with process(tmp_path, **how) as url:
            async with asyncio.timeout(60):
                while True:
                    # Each request by a connection of its own, so that both workers get some.
                    async with httpx.AsyncClient(base_url=url) as client:
                        assert (await client.get("/ready")).text == "ready"
                    found = await values(metrics)
                    if found["kursbuch_request_seconds_count{kind=health,status=200}"] >= 10:
                        break
            assert found["kursbuch_database_up"] == 1
            assert found["kursbuch_tables{status=running}"] == 0
            assert not [name for name in found if "pid=" in name]


async def test_ready_says_what_is_wrong(server: Server, anna: Browser) -> None:
    database: Database = server.app.state.tables.database
    assert (await anna.client.get("/ready")).text == "ready"
    async with database.writing() as session:
        await session.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    answer = await anna.client.get("/ready")
    assert answer.status_code == 503
    assert "another version" in answer.text
    async with database.writing() as session:
        await session.execute(text("DELETE FROM alembic_version"))
    assert (await anna.client.get("/ready")).status_code == 503
    # The server itself lives.
    assert (await anna.client.get("/health")).text == "ok"


async def test_addresses_that_cannot_be_used(tmp_path: Path) -> None:
    for given in ("9100", "localhost:", "127.0.0.1:x", "127.0.0.1:0", ":9100"):
        with pytest.raises(KursbuchError, match="HOST:PORT"):
            health.metrics_address(given)
    taken = free_port()
    with (
        health.export_metrics(f"127.0.0.1:{taken}", str(tmp_path / "none.sqlite3")),
        pytest.raises(KursbuchError, match="cannot be used"),
        health.export_metrics(f"127.0.0.1:{taken}", None),
    ):
        raise AssertionError("not reached")
    down = f"127.0.0.1:{free_port()}"
    with health.export_metrics(down, str(tmp_path / "no" / "folder.sqlite3")):
        assert (await values(down))["kursbuch_database_up"] == 0


async def test_logs_keep_secrets() -> None:
    secret = "c2VjcmV0LXRva2VuLTEyMzQ1"
    for formatter in (logs.TextFormatter(), logs.JsonFormatter()):
        try:
            raise ValueError(f"bad token {secret}")
        except ValueError:
            error = sys.exc_info()
        record = logging.LogRecord("kursbuch", 40, "", 1, "At %s", (f"/x/{secret}",), error)
        line = formatter.format(record)
        assert secret not in line
        assert "ValueError: bad token ***" in line


async def test_what_is_noticed_again_and_again_is_written_now_and_then(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = logs.ThrottledLog(logging.getLogger("kursbuch.test"))
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    for moment in (0.0, 1.0, logs.QUIET - 1, logs.QUIET, logs.QUIET + 1):
        now = moment
        log.write("redis", "away for %s", moment)
        log.write("disk", "full")
    assert [record.message for record in caplog.records] == [
        "away for 0.0",
        "full",
        f"away for {logs.QUIET}",
        "full",
    ]
