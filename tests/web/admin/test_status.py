"""The state of a server: what is wrong and what to do, on the page and at the command line."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio
from sqlalchemy import text, update

from kursbuch.core.words import Words
from kursbuch.web.admin import status, status_text
from kursbuch.web.admin.status import (
    DatabaseState,
    Disk,
    OutboxState,
    ServerStatus,
    TableCounts,
    collect_status,
    problems_of,
)
from kursbuch.web.backup import dump, restore
from kursbuch.web.backup.dump import LastBackup
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Setting, Table, now
from kursbuch.web.notifications.models import Message, PausedAddress
from kursbuch.web.ops import workers
from kursbuch.web.ops.workers import WorkerReport, WorkerReports, worker_reports
from tests.cli.test_commands import Runner, run
from tests.web.admin.test_pages import promote
from tests.web.db.test_servers import postgres_schema
from tests.web.db.test_upgrade import OLDER
from tests.web.registration import register
from tests.web.visitors import Browser, Server, SetClock, free_port

__all__ = ["run"]

GERMAN = Words("de")


def quiet(done: int, total: int) -> None:
    """Show no progress."""


def worker(**changes: Any) -> WorkerReport:
    """The report of a process of another machine that works well."""
    good = WorkerReport(
        host="far",
        process=7,
        program=version("kursbuch"),
        started_at=now(),
        at=now(),
        seconds=300.0,
        requests=100,
        request_seconds=2.0,
        address=True,
        channels=["mail"],
    )
    return msgspec.structs.replace(good, **changes)


def good_status(**changes: Any) -> ServerStatus:
    """The state of a server with nothing wrong."""
    good = ServerStatus(
        at=now(),
        program=version("kursbuch"),
        workers=[worker()],
        database=DatabaseState("SQLite", "0026", "0026", 5_000_000),
        tables=TableCounts({"lobby": 1, "running": 2, "finished": 3, "closed": 4}, 1, 0),
        messages=OutboxState(),
        backup=LastBackup(now(), "far", "/backups/one.gz", 500_000, 0),
        disks=[Disk("/data", 9 * 10**9, 10**11)],
    )
    return msgspec.structs.replace(good, **changes)


HOUR, WEEK = timedelta(hours=1), timedelta(days=7)
OLD = LastBackup(now() - WEEK, "far", "/backups/one.gz", 500_000, 0)
#: What is wrong, and what of the sentence helps.
WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("database-version", {"database": DatabaseState("SQLite", "", "0026")}, "KURSBUCH_DATABASE"),
    (
        "database-version",
        {"database": DatabaseState("SQLite", "0009", "0026")},
        "systemctl restart kursbuch",
    ),
    (
        "database-version",
        {"database": DatabaseState("SQLite", "9999", "0026")},
        "systemctl restart kursbuch",
    ),
    ("no-server", {"workers": []}, "systemctl start kursbuch"),
    ("versions", {"workers": [worker(program="0.0.1")]}, "systemctl restart kursbuch"),
    ("no-redis", {"workers": [worker(), worker(process=8, redis=True)]}, "KURSBUCH_REDIS"),
    ("redis-away", {"workers": [worker(redis=False)]}, "systemctl status redis-server"),
    (
        "no-backup",
        {"backup": None, "database": DatabaseState("SQLite", "0026", "0026", 5, used=True)},
        "systemctl enable --now kursbuch-backup.timer",
    ),
    ("old-backup", {"backup": OLD}, "systemctl status kursbuch-backup"),
    (
        "stuck-games",
        {"backup": LastBackup(now(), "far", "/backups/one.gz", 5, 2)},
        "kursbuch restore --check /backups/one.gz",
    ),
    ("no-address", {"workers": [worker(address=False)]}, "KURSBUCH_ADDRESS"),
    (
        "mail-stuck",
        {"messages": OutboxState(waiting=3, oldest=now() - HOUR, error="no route")},
        "KURSBUCH_SMTP",
    ),
    (
        "mail-stuck",
        {"messages": OutboxState(waiting=3, oldest=now() - HOUR, sent=now() - 2 * HOUR)},
        "KURSBUCH_SMTP",
    ),
    (
        "mail-stuck",
        {
            "messages": OutboxState(waiting=3, oldest=now() - HOUR),
            "workers": [worker(channels=["push"])],
        },
        "KURSBUCH_MAIL_FROM",
    ),
    ("refused", {"workers": [worker(refused=5)]}, "KURSBUCH_LIMITS=public"),
    ("overload", {"workers": [worker(slow=9)]}, "--workers"),
    ("overload", {"workers": [worker(processor=0.97)]}, "--workers"),
    ("bots-late", {"tables": TableCounts({}, 5, 2)}, "KURSBUCH_BOT_PROCESSES"),
    ("errors", {"errors_in_hour": 1}, "journalctl -u kursbuch"),
    ("disk", {"disks": [Disk("/data", 10**8, 10**11)]}, "kursbuch admin tables clean"),
    (
        "disk",
        {
            "disks": [Disk("/data", 3 * 10**9, 10**11)],
            "database": DatabaseState("SQLite", "0026", "0026", 4 * 10**9),
        },
        "--keep",
    ),
]
#: What looks alike and is right.
RIGHT: list[dict[str, Any]] = [
    {},
    {"backup": None},
    {"workers": [worker(redis=True), worker(process=8, redis=True)]},
    {"workers": [worker(address=False, channels=[])]},
    {"messages": OutboxState(waiting=3, oldest=now() - HOUR, sent=now())},
    {"messages": OutboxState(waiting=3, oldest=now())},
    {"workers": [worker(requests=10, slow=9)]},
    {"workers": [worker(processor=0.97, seconds=3.0)]},
]


@pytest.mark.parametrize(("code", "changes", "helps"), WRONG)
def test_each_problem_says_what_helps(code: str, changes: dict[str, Any], helps: str) -> None:
    (found,) = problems_of(good_status(**changes))
    assert found.code == code
    for words in (Words(), GERMAN):
        said = found.sentence.text(words)
        assert f"`{helps}`" in said
        assert said.count("`") % 2 == 0
        assert said.endswith(".")
    assert found.sentence.text(GERMAN) != str(found.sentence)


@pytest.mark.parametrize("changes", RIGHT)
def test_nothing_is_wrong(changes: dict[str, Any]) -> None:
    assert problems_of(good_status(**changes)) == []


@pytest.mark.parametrize("words", [Words(), GERMAN], ids=["en", "de"])
def test_the_state_in_words(words: Words) -> None:
    busy = worker(waiting={"long": 3}, thinking=2, streams=4, redis=False)
    found = good_status(workers=[busy], tables=TableCounts(dict.fromkeys(STATUSES, 2000), 5, 2))
    said = "\n".join(status_text.lines(found, words))
    for shown in ("/backups/one.gz", "SQLite", "0026", "/data", "far", "Web Push"):
        assert (shown in said) == (shown != "Web Push")
    long_moves, many = ("lange Züge 3", "2.000") if words is GERMAN else ("long moves 3", "2,000")
    assert long_moves in said
    assert many in said
    empty = ServerStatus(at=now(), program="1")
    assert status_text.lines(empty, words)[0] == words._("Everything is in order.")
    assert msgspec.json.decode(msgspec.json.encode(status_text.status_json(found, words)))


STATUSES = ("lobby", "running", "finished", "closed")


@pytest_asyncio.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """A database with the tables of an earlier version."""
    made = Database(str(tmp_path / "tables.sqlite3"))
    await restore.restore(OLDER, made, replace=False, progress=quiet)
    yield made
    await made.stop()


async def codes(database: Database, own: WorkerReport | None) -> list[str]:
    return [problem.code for problem in (await collect_status(database, own)).problems]


async def spoil(database: Database) -> None:
    """Leave mails and bots waiting."""
    async with database.writing() as session:
        past = now() - timedelta(hours=2)
        for number, channel in enumerate(("mail", "mail", "webhook")):
            row = {"key": str(number), "channel": channel, "address": "a@b.de", "made_at": past}
            session.add(Message(**row, due_at=now() + HOUR, attempts=4, error="refused: x:geheim"))
        # A digest is not late.
        session.add(
            Message(key="d", channel="mail", address="a", made_at=past, due_at=now() + HOUR)
        )
        session.add(Message(key="f", channel="mail", address="a", made_at=past, failed_at=now()))
        session.add(PausedAddress(address="c@d.de", why="unknown", since=past))
        running = update(Table).where(Table.status == "running")
        await session.execute(running.values(bots_due=True, updated_at=past))


async def check_database(database: Database) -> None:
    """Everything that the database tells of itself."""
    assert (await collect_status(database)).problems[0].code == "no-server"
    async with database.writing() as session:
        await session.execute(update(Table).values(bots_due=False))
    assert await codes(database, worker()) == ["no-backup"]
    await spoil(database)
    found = await collect_status(database, worker())
    assert {one.code for one in found.problems} == {"no-backup", "mail-stuck", "bots-late"}
    assert found.tables is not None
    assert found.tables.by_status["running"] == found.tables.bots_due == 10
    # Only people wait.
    assert 0 < found.tables.bots_late <= 10
    mail = found.messages
    assert mail is not None
    assert (mail.waiting, mail.failing, mail.given_up, mail.paused) == (4, 3, 1, 1)
    assert mail.oldest is not None
    assert found.database is not None
    assert found.database.bytes > 100_000
    async with database.writing() as session:
        await session.execute(text("UPDATE alembic_version SET version_num = '0009'"))
    assert await codes(database, worker()) == ["database-version"]


@pytest.mark.asyncio
async def test_on_sqlite(database: Database) -> None:
    await check_database(database)


@pytest.mark.asyncio
async def test_on_postgresql(postgres_url: str) -> None:
    async with postgres_schema(postgres_url) as url:
        database = Database(url)
        await restore.restore(OLDER, database, replace=False, progress=quiet)
        await check_database(database)
        await database.stop()


@pytest.mark.asyncio
async def test_an_address_without_database(tmp_path: Path) -> None:
    empty = Database(str(tmp_path / "empty.sqlite3"))
    assert await codes(empty, None) == ["database-version"]
    await empty.stop()
    away = Database(f"postgresql://x@127.0.0.1:{free_port()}/x")
    assert (await codes(away, None))[0] == "database-away"
    await away.stop()


@pytest.mark.asyncio
async def test_a_database_that_hangs(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    async def hang(*given: object) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(status, "_read", hang)
    monkeypatch.setattr(status, "LIMIT", 0.05)
    found = await collect_status(database, worker(errors_in_hour=1))
    assert [problem.code for problem in found.problems] == ["database-away", "errors"]
    assert status_text.lines(found, GERMAN)


@pytest.mark.asyncio
async def test_reports_of_several_processes(
    database: Database, monkeypatch: pytest.MonkeyPatch, clock: SetClock
) -> None:
    async def store(process: int) -> WorkerReports:
        monkeypatch.setattr(os, "getpid", lambda: process)
        made = WorkerReports(database, None, "https://example.org", ["mail"])
        await made.store()
        return made

    monkeypatch.setattr(workers, "process_lives", lambda process: process != 9)
    first = await store(7)
    for process in (8, 9, 8):
        await store(process)
    async with database.reading() as session:
        assert sorted(one.process for one in await worker_reports(session)) == [7, 8, 9]
    # One has died, and they have no Redis.
    found = await collect_status(database)
    assert [one.process for one in found.workers] == [7, 8]
    assert "no-redis" in [problem.code for problem in found.problems]
    # The page adds what its own process knows now.
    monkeypatch.setattr(os, "getpid", lambda: 7)
    own = await first.report()
    assert [one.process for one in (await collect_status(database, own)).workers] == [7, 8]
    clock.on(minutes=5)
    assert (await collect_status(database)).workers == []
    clock.on(days=2)
    async with database.writing() as session:
        session.add(Setting(key="status worker x", value='{"other": "version"}'))
    await first._tidy()
    async with database.reading() as session:
        assert await worker_reports(session) == []
        assert not await session.scalar(
            text("SELECT count(*) FROM setting WHERE key LIKE 'status%'")
        )


def test_errors_are_told_without_secrets() -> None:
    errors = workers.ErrorLog()
    log = logging.Logger("kursbuch.test")
    log.addHandler(errors)
    try:
        raise ValueError("the password is geheim")
    except ValueError:
        log.exception("No answer from\npostgresql://club:geheim@db/kursbuch")
    log.warning("Not so bad.")
    for number in range(20):
        log.error("Error %s", number)
    assert errors.since(now() - HOUR) == 21
    assert errors.last[-1].text == "Error 19"
    assert len(errors.last) == workers.MAX_DESCRIBED
    first = workers.ErrorLog()
    log.handlers = [first]
    try:
        raise ValueError("the password is geheim")
    except ValueError:
        log.exception("No answer from\npostgresql://club:geheim@db/kursbuch")
    said = first.last[0].text
    assert said.startswith("No answer from postgresql://club:***@db/kursbuch (ValueError, tests.")
    assert "geheim" not in said


@pytest.mark.asyncio
async def test_a_restore_brings_no_state_back(database: Database, tmp_path: Path) -> None:
    path = tmp_path / "one.gz"
    head = await dump.write(database, path, quiet)
    await dump.note_backup(database, path, head, 0)
    reports = WorkerReports(database, None, "", [])
    await reports.store()
    found = await collect_status(database)
    assert found.backup is not None
    assert (found.backup.path, found.backup.at) == (str(path), head.made_at)
    assert (found.backup.bytes, found.backup.stuck) == (path.stat().st_size, 0)
    later = tmp_path / "later.gz"
    await dump.write(database, later, quiet)
    await restore.restore(later, database, replace=True, progress=quiet)
    found = await collect_status(database)
    assert found.backup is None
    assert found.workers == []


def test_the_command(run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, path = str(tmp_path / "tables.sqlite3"), str(tmp_path / "one.gz")
    assert "There is no file" in run.refused("admin", "status", "--database", file)
    assert run("restore", str(OLDER), "--database", file).code == 0
    ran = run("admin", "status", "--database", file, "--language", "de")
    assert (ran.code, ran.err) == (1, "")
    assert "`systemctl start kursbuch`" in ran.out.splitlines()[0]
    assert "keine bekannt" in ran.out
    assert run("backup", path, "--database", file).code == 0
    found = run("admin", "status", "--database", file, "--json").json
    assert [problem["code"] for problem in found["problems"]] == ["no-server"]
    assert found["backup"]["path"] == path
    assert found["backup"]["stuck"] == 0
    assert found["tables"]["by_status"]["running"] == 10

    def nothing_wrong(found: ServerStatus) -> Sequence[Any]:
        return []

    monkeypatch.setattr(status, "problems_of", nothing_wrong)
    ran = run("admin", "status", "--database", file, "--language", "en")
    assert ran.code == 0
    assert ran.out.startswith("Everything is in order.")


@pytest.mark.asyncio(loop_scope="module")
async def test_the_page(
    server: Server,
    anna: Browser,
    visit: Callable[..., Browser],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await register(anna, "Olga")
    await promote(server, "Olga")
    bernd = visit("de")
    await register(bernd, "Bernd")
    await promote(server, "Bernd")
    await bernd.open("me Bernd", "open")
    page = await anna.page("/admin/status")
    assert 'href="/admin/status"' in await anna.page("/admin")
    assert "Everything is in order." in page
    assert "Tables waiting for players</dt><dd>1<" in page
    assert "SQLite" in page
    logging.getLogger("kursbuch.test").error("Broken at /t/abc/invited/Zm9vYmFy <b>")
    page = await anna.page("/admin/status")
    assert "1 error was logged in the last hour" in page
    assert "<code>journalctl -u kursbuch</code>" in page
    assert "Broken at /t/abc/invited/*** &lt;b&gt;" in page
    page = await bernd.page("/admin/status")
    assert "Was nicht stimmt und was zu tun ist" in page
    assert "wurde 1 Fehler protokolliert" in page

    async def hang(*given: object) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(status, "_read", hang)
    monkeypatch.setattr(status, "LIMIT", 0.05)
    page = await bernd.page("/admin/status")
    assert "Die Datenbank antwortet nicht" in page


@pytest.mark.asyncio(loop_scope="module")
async def test_a_process_counts_its_requests(server: Server, bernd: Browser) -> None:
    before = await server.app.state.reports.report()
    for _ in range(3):
        await bernd.page("/")
        await bernd.client.get("/health")
    after = await server.app.state.reports.report()
    assert after.requests == before.requests + 3
    assert after.request_seconds > before.request_seconds
    assert after.slow <= after.requests
    assert after.redis is None
