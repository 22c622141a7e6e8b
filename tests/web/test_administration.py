"""What an administrator does at the database while a server runs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select, text, update

from kursbuch.core.words import Words
from kursbuch.web.admin import audit, bulletins, keys, tables
from kursbuch.web.admin.audit import Actor
from kursbuch.web.admin.bulletins import SiteState
from kursbuch.web.admin.keys import Key, Ring
from kursbuch.web.admin.models import Bulletin
from kursbuch.web.backup import restore
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Base, DataFile, Table, now
from kursbuch.web.http.errors import Conflict, NotFound, Refused
from kursbuch.web.http.security import COOKIE, Signer
from kursbuch.web.tables.store import TableStore
from tests.web.test_servers import postgres_schema
from tests.web.test_upgrade import OLDER
from tests.web.visitors import Browser, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

ACTOR = Actor("", "root")


async def rows_of(all_: TableStore, table_id: str) -> dict[str, int]:
    """How many rows of every kind belong to a table."""
    found = {}
    async with all_.database.reading() as session:
        for table in Base.metadata.sorted_tables:
            key = table.c.id if table.name == "game_table" else table.c.get("table_id")
            if key is not None:
                query = select(func.count()).select_from(table).where(key == table_id)
                count = await session.scalar(query)
                if count:
                    found[table.name] = count
    return found


async def done(server: Server) -> list[str]:
    """What was done, the newest first."""
    async with server.app.state.tables.database.reading() as session:
        return [line.action for line in await audit.audit_lines(session)]


async def test_tables_are_listed_closed_and_deleted(anna: Browser, server: Server) -> None:
    all_: TableStore = server.app.state.tables
    small = await anna.open("me Wilhelmina", "open")
    large = await anna.open("me Wilhelmina", "hotseat Bernd", undo="free")
    for _ in range(6):
        await anna.move(large)
    await anna.done(f"{large}/chat", text="Hello")
    await anna.done(f"{large}/undo")
    ids = [path.removeprefix("/t/") for path in (large, small)]

    found = await tables.listed(all_, query="WILHELM", by_size=True)
    assert [line.id for line in found.lines] == ids
    assert found.lines[0].bytes > found.lines[1].bytes + 300
    assert (found.lines[0].moves, found.lines[0].players) == (5, ["Wilhelmina", "Bernd"])
    assert (await tables.listed(all_, query=ids[1])).count == 1
    assert [line.id for line in (await tables.listed(all_, status="lobby")).lines] == [ids[1]]
    assert (await tables.listed(all_, query="Wil%")).count == 0
    assert len((await tables.listed(all_, limit=1, offset=1)).lines) == 1

    assert set(await rows_of(all_, ids[0])) >= {
        "game_table",
        "seat",
        "move",
        "taken_back",
        "chat",
        "note",
    }
    await tables.close(all_, ACTOR, ids[0])
    assert (await anna.game(large))["status"] == "closed"
    with pytest.raises(Conflict):
        await tables.close(all_, ACTOR, ids[0])
    await tables.delete_one(all_, ACTOR, ids[0])
    assert await rows_of(all_, ids[0]) == {}
    await anna.page(large, 404)
    with pytest.raises(NotFound):
        await tables.delete_one(all_, ACTOR, ids[0])
    assert (await done(server))[:2] == ["delete-table", "close-table"]

    # Whoever calls himself like a table is not taken for it.
    await anna.open(f"me {ids[1]}", "open")
    assert (await tables.line(all_, ids[1])).id == ids[1]
    with pytest.raises(NotFound):
        await tables.line(all_, ids[0])


async def test_a_table_whose_game_cannot_be_shown_is_deleted(anna: Browser, server: Server) -> None:
    all_: TableStore = server.app.state.tables
    table = await anna.open("me Anna", "hotseat Bernd")
    table_id = table.removeprefix("/t/")
    async with all_.database.writing() as session:
        changed = update(Table).where(Table.id == table_id)
        await session.execute(changed.values(title="unknown", version=Table.version + 1))
    await tables.close(all_, ACTOR, table_id)
    await tables.delete_one(all_, ACTOR, table_id)
    assert await rows_of(all_, table_id) == {}


async def test_old_tables_go_after_a_look(anna: Browser, server: Server) -> None:
    all_: TableStore = server.app.state.tables
    paths = [await anna.open("me Anna", "open") for _ in range(4)]
    ids = [path.removeprefix("/t/") for path in paths]
    await anna.done(f"{paths[2]}/close")
    async with all_.database.writing() as session:
        session.add(DataFile(hash="0" * 64, content=b"{}"))
        await session.flush()
        for table_id, days in zip(ids, (40, 20, 40, 0), strict=True):
            values: dict[str, Any] = {"updated_at": now() - timedelta(days=days)}
            if table_id == ids[0]:
                values["data_hash"] = "0" * 64
            await session.execute(update(Table).where(Table.id == table_id).values(**values))

    async def old(**which: int) -> set[str]:
        return {line.id for line in await tables.old_tables(all_, **which)}

    assert await old(asleep=30) == {ids[0]}
    assert await old(finished=30) == {ids[2]}
    assert await old(asleep=10, finished=10) == {ids[0], ids[1], ids[2]}
    assert await old() == set()
    assert await old(finished=10**9, asleep=10**9) == set()
    gone = await tables.clean(all_, ACTOR, asleep=30, finished=30)
    assert {line.id for line in gone} == {ids[0], ids[2]}
    assert await tables.clean(all_, ACTOR, asleep=30, finished=30) == []
    async with all_.database.reading() as session:
        assert await session.get(DataFile, "0" * 64) is None
        (line, *_) = await audit.audit_lines(session)
    assert line.data == {"count": 2, "tables": [one.id for one in gone]}
    assert audit.sentence(line, Words("en")) == "deleted 2 finished or inactive tables"
    line.data["count"] = 1
    assert audit.sentence(line, Words("de")) == "hat 1 beendeten oder schlafenden Tisch gelöscht"
    await anna.page(paths[0], 404)
    assert (await anna.game(paths[1]))["status"] == "lobby"


async def test_an_announcement_is_shown_until_it_is_closed_or_runs_out(
    anna: Browser, bernd: Browser, server: Server
) -> None:
    all_: TableStore = server.app.state.tables
    standing: SiteState = server.app.state.standing
    made = await bulletins.announce(all_, ACTOR, "A break\nat <eight>", 5)
    await standing.refresh()
    for path in ("/", "/new", "/rules/rocket", "/t/none"):
        assert "A break at &lt;eight&gt;" in await anna.page(path, 404 if "none" in path else 200)
    answer = await anna.client.post(
        f"/announcements/{made.id}/close", data={"next": "/new"}, headers={"accept": "text/html"}
    )
    assert (answer.status_code, answer.headers["location"]) == (303, "/new")
    assert "A break" not in await anna.page("/")
    assert "A break" in await bernd.page("/")
    later = await bulletins.announce(all_, ACTOR, "Cake for all", 1)
    async with all_.database.writing() as session:
        (await session.get_one(Bulletin, later.id)).until = now()
    await bulletins.withdraw(all_, ACTOR, made.id)
    await standing.refresh()
    page = await bernd.page("/")
    assert "A break" not in page
    assert "Cake for all" not in page
    for wrong, hours in (("  ", 5), ("x" * 501, 5), ("Text", 0)):
        with pytest.raises(Refused):
            await bulletins.announce(all_, ACTOR, wrong, hours)
    with pytest.raises(NotFound):
        await bulletins.withdraw(all_, ACTOR, made.id)
    assert (await done(server))[:3] == ["withdraw", "announce", "announce"]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """New keys sign as soon as they are made."""
    monkeypatch.setattr(keys, "SIGN_DELAY", timedelta(0))


async def test_nobody_is_lost_when_the_key_changes(
    anna: Browser, server: Server, at_once: None
) -> None:
    all_: TableStore = server.app.state.tables
    standing: SiteState = server.app.state.standing
    table = await anna.open("me Anna", "open")
    old = anna.client.cookies[COOKIE]
    before = list(standing.signer.keys)
    await keys.rotate_keys(all_, ACTOR, 30)
    await standing.refresh()
    assert standing.signer.keys[:-1] == before
    assert (await anna.game(table))["my_seats"] == [0]
    # What is signed now, the old key does not read.
    visitor = standing.signer.read(old).id
    assert Signer(before).read(standing.signer.write(visitor)).is_new
    # Another server, and this one after a restart, have the same keys.
    other = SiteState(all_)
    await other.start()
    assert other.signer.keys == standing.signer.keys
    await other.stop()
    await keys.rotate_keys(all_, ACTOR, 0)
    await standing.refresh()
    assert len(standing.signer.keys) == 1
    assert (await anna.game(table))["my_seats"] == []


async def test_a_new_key_is_read_before_it_signs() -> None:
    moment = now()
    first = Key("one", None, moment + timedelta(days=1))
    ring = Ring((first, Key("two", moment + timedelta(seconds=60))))
    assert ring.at(moment) == ["two", "one"]
    assert ring.at(moment + timedelta(seconds=61)) == ["one", "two"]
    assert ring.at(moment + timedelta(days=2)) == ["two"]
    given = SiteState(None, ["new", "old"])  # type: ignore[arg-type]
    assert given.signer.keys == ["old", "new"]
    with pytest.raises(Conflict, match="KURSBUCH_SECRET"):
        given.require_own_keys()


async def test_a_file_gives_back_what_was_deleted(anna: Browser, server: Server) -> None:
    all_: TableStore = server.app.state.tables
    async with all_.database.writing() as session:
        session.add(DataFile(hash="1" * 64, content=b"x" * 3_000_000))
    full = await all_.database.bytes()
    async with all_.database.writing() as session:
        await session.execute(text("DELETE FROM data_file"))
    await restore.compact(all_.database)
    assert await all_.database.bytes() < full - 2_500_000


async def test_on_postgresql(postgres_url: str) -> None:
    async with postgres_schema(postgres_url) as url:
        database = Database(url)
        await restore.restore(OLDER, database, replace=False, progress=lambda done, total: None)
        all_ = TableStore(database)
        found = await tables.listed(all_, by_size=True)
        assert (found.count, found.lines[0].title, found.lines[0].moves) == (13, "1835", 110)
        assert found.lines[0].bytes > 5000
        assert (await tables.listed(all_, query="CLAR", status="running")).count == 5
        gone = found.lines[0].id
        await tables.delete_one(all_, ACTOR, gone)
        assert await rows_of(all_, gone) == {}
        async with database.writing() as session:
            long_ago = now() - timedelta(days=400)
            await session.execute(update(Table).values(updated_at=long_ago))
        assert len(await tables.clean(all_, ACTOR, asleep=365)) == 10
        assert len(await tables.clean(all_, ACTOR, finished=365)) == 2
        await bulletins.announce(all_, ACTOR, "Hello", 1)
        await keys.rotate_keys(all_, ACTOR, 3)
        await keys.rotate_keys(all_, ACTOR, 3)
        assert len((await keys.read_keys(database)).keys) == 3
        async with database.reading() as session:
            assert len(await audit.audit_lines(session)) == 6
        assert await database.bytes() > 100_000
        await database.stop()


async def test_more_tables_than_a_statement_takes_values(postgres_url: str) -> None:
    async with postgres_schema(postgres_url) as url:
        database = Database(url)
        await restore.restore(OLDER, database, replace=False, progress=lambda done, total: None)
        copied = [column.name for column in Table.__table__.columns if column.name != "id"]
        columns = ", ".join(copied)
        async with database.writing() as session:
            await session.execute(text("UPDATE game_table SET updated_at = now() - interval '1 h'"))
            await session.execute(
                text(
                    f"INSERT INTO game_table (id, {columns}) SELECT 'x' || n, {columns} FROM game_table "
                    "CROSS JOIN generate_series(10001, 43000) n "
                    "WHERE id = (SELECT min(id) FROM game_table)"
                )
            )
            long_ago = now() - timedelta(days=400)
            old = update(Table).where(Table.id.startswith("x"))
            await session.execute(old.values(updated_at=long_ago, status="closed"))
        all_ = TableStore(database)
        found = await tables.listed(all_, limit=1_000_000)
        assert found.count == len(found.lines) == 33_013
        assert sum(len(line.players) for line in found.lines[:13]) > 13
        by_size = await tables.listed(all_, by_size=True, limit=1_000_000)
        assert {line.id: line for line in by_size.lines} == {line.id: line for line in found.lines}
        assert (by_size.lines[0].title, by_size.lines[0].moves) == ("1835", 110)
        gone = await tables.old_tables(all_, finished=365)
        assert {line.id for line in gone} == {f"x{number}" for number in range(10001, 43001)}
        await database.stop()
