"""Backups: of either database, while it is used, for either database, and refused when damaged."""

from __future__ import annotations

import asyncio
import errno
import gzip
import os
import shutil
import sqlite3
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import OperationalError

from kursbuch.core.errors import KursbuchError
from kursbuch.web.backup import archive, dump, restore
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Base, Chat, Note, StoredMove, Table
from kursbuch.web.settings import Settings
from kursbuch.web.tables import games
from kursbuch.web.tables.games import Games
from tests.bombs import BACKUPS
from tests.web.db.test_servers import postgres_schema
from tests.web.db.test_upgrade import OLDER
from tests.web.visitors import Browser, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")


def quiet(done: int, total: int) -> None:
    assert 0 <= done <= total


async def restored(path: Path, target: str, **how: Any) -> Database:
    database = Database(target)
    try:
        await restore.restore(path, database, **{"replace": False, "progress": quiet, **how})
    except BaseException:
        await database.stop()
        raise
    return database


def content(path: Path) -> dict[str, tuple[list[str], str]]:
    """The columns and checksum of every table of a backup."""
    found = {}
    with archive.reading(path) as reader:
        for section, rows, checksum in reader.tables():
            for _ in rows:
                pass
            found[section.table] = (sorted(section.columns), checksum.text)
    return found


async def test_a_used_database_is_copied_and_goes_on_elsewhere(
    anna: Browser, server: Server, tmp_path: Path
) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    for _ in range(5):
        await anna.move(table)
    path = tmp_path / "one.gz"
    database = server.app.state.tables.database
    copied = await dump.write(database, path, quiet)
    assert copied.rows["move"] >= 5
    assert path.stat().st_mode & 0o077 == 0
    assert await restore.stuck_games(path, quiet) == (1, [])
    assert [file.name for file in tmp_path.iterdir()] == ["one.gz"]

    # A file in use is not replaced.
    used = database.engine.url.database
    with pytest.raises(KursbuchError, match="Stop the server"):
        await restored(path, used, replace=True, patience=0.1)
    await anna.move(table)

    other = tmp_path / "other.sqlite3"
    await (await restored(path, str(other))).stop()
    assert other.stat().st_mode & 0o077 == 0
    async with Server(Settings(database=str(other), bot_processes=1)) as second:
        again = Browser(second.url)
        again.client.cookies = anna.client.cookies
        game = await again.game(table)
        assert (game["number"], game["my_seats"]) == (5, [0, 1])
        await again.move(table)
        await again.client.aclose()

    with pytest.raises(KursbuchError, match="not empty"):
        await restored(path, str(other))
    database = await restored(path, str(other), replace=True)
    async with database.reading() as session:
        assert await session.scalar(select(Table.number)) == 5
    await database.stop()


async def test_what_is_going_on_is_noticed(tmp_path: Path) -> None:
    """A backup is of one moment; a game that cannot go on is named."""
    database = await restored(OLDER, str(tmp_path / "tables.sqlite3"))
    async with database.writing() as session:
        last = (
            select(StoredMove)
            .where(StoredMove.table_id.startswith("nk"))
            .order_by(StoredMove.number)
        )
        await session.delete(list(await session.scalars(last))[-1])
    path = tmp_path / "broken.gz"
    await dump.write(database, path, quiet)
    await database.stop()
    running, (stuck,) = await restore.stuck_games(path, quiet)
    assert (running, stuck.table, stuck.title) == (10, "nkvcwhh5fk", "1835")
    assert "110" in str(stuck.why)


async def test_games_that_are_tried_are_not_written_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is still being written when all have been tried is waited for: its file is deleted then."""
    written, write = [], Games._write

    async def slowly(self: Games, *what: Any) -> None:
        await asyncio.sleep(0.2)
        await write(self, *what)
        written.append(what[0])

    monkeypatch.setattr(games, "WRITTEN_EVERY", 1)
    monkeypatch.setattr(Games, "_write", slowly)
    path = Path(shutil.copy(OLDER, tmp_path))
    assert await restore.stuck_games(path, quiet) == (10, [])
    assert len(written) > 5
    assert list(tmp_path.iterdir()) == [path]


def cut(lines: list[bytes]) -> list[bytes]:
    return lines[:-1]


def changed(lines: list[bytes]) -> list[bytes]:
    return [line.replace(b"Anna", b"Emma") for line in lines]


def shortened(lines: list[bytes]) -> list[bytes]:
    return [line for line in lines if b'"Anna"' not in line]


def newer(lines: list[bytes]) -> list[bytes]:
    return [lines[0].replace(b'"revision":"0007"', b'"revision":"9999"'), *lines[1:]]


def other_format(lines: list[bytes]) -> list[bytes]:
    return [lines[0].replace(b'"format":1', b'"format":2'), *lines[1:]]


def something_else(lines: list[bytes]) -> list[bytes]:
    return [b"{}\n"]


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (cut, "its end is missing"),
        (changed, "is damaged"),
        (shortened, "is damaged"),
        (newer, "newer version"),
        (other_format, "newer version"),
        (something_else, "is not a Kursbuch backup"),
    ],
)
async def test_a_damaged_backup_changes_nothing(
    damage: Callable[[list[bytes]], list[bytes]], sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / "damaged.gz"
    lines = gzip.decompress(OLDER.read_bytes()).splitlines(keepends=True)
    path.write_bytes(gzip.compress(b"".join(damage(lines))))
    target = tmp_path / "tables.sqlite3"
    database = await restored(OLDER, str(target))
    with pytest.raises(KursbuchError, match=sentence):
        await restore.restore(path, database, replace=True, progress=quiet)
    async with database.reading() as session:
        assert len(list(await session.scalars(select(Table.id)))) == 13
    await database.stop()


async def test_back_to_the_version_before(tmp_path: Path) -> None:
    """The database was used by a newer one, which has made tables that no one knows here."""
    target = tmp_path / "tables.sqlite3"
    database = await restored(OLDER, str(target))
    async with database.writing() as session:
        await session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        await session.execute(text("CREATE TABLE newer (id INTEGER PRIMARY KEY)"))
    await database.stop()
    with pytest.raises(KursbuchError, match="newer version"):
        await database.start()
    await database.stop()
    with pytest.raises(KursbuchError, match="newer version"):
        await restored(OLDER, str(target))
    database = await restored(OLDER, str(target), replace=True)
    assert await database.is_current()
    async with database.reading() as session:
        assert len(list(await session.scalars(select(Table.id)))) == 13
        found = await session.scalars(text("SELECT name FROM sqlite_master WHERE type = 'table'"))
        assert "newer" not in list(found)
    await database.stop()


async def test_what_belongs_to_another_program_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "other.sqlite3"
    with sqlite3.connect(target) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32))")
        connection.execute("INSERT INTO alembic_version VALUES ('abcdef')")
        connection.execute("CREATE TABLE account (id INTEGER)")
    with pytest.raises(KursbuchError, match="does not belong to Kursbuch"):
        await restored(OLDER, str(target), replace=True)
    with sqlite3.connect(target) as connection:
        assert connection.execute("SELECT COUNT(*) FROM account").fetchall() == [(0,)]


async def test_files_that_are_no_backups(tmp_path: Path) -> None:
    path = tmp_path / "file"
    whole = OLDER.read_bytes()
    for body, sentence in [
        (b"", "not a Kursbuch backup"),
        (b"something", "not a Kursbuch backup"),
        (whole[:3000], "its end is missing"),
        (whole[:3000] + b"0" * 20 + whole[3020:], "damaged|end is missing"),
    ]:
        path.write_bytes(body)
        with pytest.raises(KursbuchError, match=sentence):
            archive.check(path, quiet)
    with pytest.raises(KursbuchError, match="There is no file"):
        archive.check(tmp_path / "nothing", quiet)


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no limits of memory")
@pytest.mark.parametrize("name", BACKUPS)
async def test_a_backup_that_is_a_bomb(name: str, tmp_path: Path) -> None:
    """A child process reads it and stops at its limits; this one hardly needs more memory."""
    import resource

    bomb, sentence = BACKUPS[name]
    path = tmp_path / "bomb.gz"
    path.write_bytes(bomb())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    database = Database(str(tmp_path / "tables.sqlite3"))
    with pytest.raises(KursbuchError, match=sentence):
        await restore.restore(path, database, replace=False, progress=quiet)
    await database.stop()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + 50_000


@pytest.mark.parametrize(
    ("column", "value"),
    [("created_at", "yesterday"), ("created_at", 5), ("status", None), ("id", {"a": 1})],
)
async def test_a_whole_backup_with_a_value_of_another_kind(
    column: str, value: Any, tmp_path: Path
) -> None:
    path = tmp_path / "strange.gz"
    with archive.reading(OLDER) as reader, gzip.open(path, "wb") as file:
        writer = archive.ArchiveWriter(file, reader.head, quiet)
        for section, rows, _ in reader.tables():
            found = [list(row) for row in rows]
            if section.table == "game_table":
                found[0][section.columns.index(column)] = value
            writer.table(section, iter(found))
        writer.finish()
    archive.check(path, quiet)
    with pytest.raises(KursbuchError, match="is damaged"):
        await restored(path, str(tmp_path / "tables.sqlite3"))


async def test_from_one_kind_of_database_to_the_other_and_back(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Versions of tables are all that is not as it was.
    monkeypatch.setattr(restore, "_assign_new_versions", lambda connection: None)
    async with postgres_schema(postgres_url) as url:
        first, second = tmp_path / "first.gz", tmp_path / "second.gz"
        lite = await restored(OLDER, str(tmp_path / "one.sqlite3"))
        await dump.write(lite, first, quiet)
        post = await restored(first, url)
        await dump.write(post, second, quiet)
        assert content(second) == content(first)
        back = await restored(second, str(tmp_path / "two.sqlite3"))
        await dump.write(back, tmp_path / "third.gz", quiet)
        assert content(tmp_path / "third.gz") == content(first)
        # New rows get new numbers.
        async with post.writing() as session:
            query = select(Table.id).where(Table.status == "running")
            table = (await session.scalars(query)).first()
            session.add(Chat(table_id=table, seat=0, text="Here we go on."))
            session.add(Note(table_id=table, kind="undo", seat=0, number=0, counts=[]))
        # Someone who is connected keeps it from being replaced.
        other = Database(url)
        async with other.reading() as session:
            await session.execute(text("SELECT 1"))
            with pytest.raises(KursbuchError, match="Stop the server"):
                await restore.restore(first, post, replace=True, progress=quiet, patience=0.1)
        await other.stop()
        await restore.restore(first, post, replace=True, progress=quiet)
        await dump.write(post, second, quiet)
        assert content(second) == content(first)
        for database in (lite, post, back):
            await database.stop()


async def test_a_backup_is_of_one_moment(tmp_path: Path) -> None:
    """What is written while it is made is not in it."""
    database = await restored(OLDER, str(tmp_path / "tables.sqlite3"))
    meanwhile: list[Callable[[], Awaitable[None]]] = []

    def show(done: int, total: int) -> None:
        import sqlite3

        if not meanwhile:
            meanwhile.append(database.stop)
            with sqlite3.connect(tmp_path / "tables.sqlite3") as other:
                other.execute("DELETE FROM move")
            other.close()

    head = await dump.write(database, tmp_path / "backup.gz", show)
    assert meanwhile
    assert head.rows["move"] == 474
    assert archive.check(tmp_path / "backup.gz", quiet) == head
    await database.stop()


async def test_every_column_can_be_written() -> None:
    """Values of other kinds would come back as something else."""
    known = [
        "VARCHAR",
        "TEXT",
        "INTEGER",
        "BIGINT",
        "BOOLEAN",
        "DOUBLE",
        "DATETIME",
        "JSON",
        "BLOB",
    ]
    for table in Base.metadata.sorted_tables:
        for column in table.columns:
            assert str(column.type).partition("(")[0] in known, column
            # Rows would have to come in an order of their own.
            assert all(key.column.table is not table for key in column.foreign_keys), column


async def test_names_in_a_folder(tmp_path: Path) -> None:
    for day in range(1, 6):
        (tmp_path / f"kursbuch-2026110{day}-030000.backup.gz").touch()
    (tmp_path / "other.gz").touch()
    made = dump.target(str(tmp_path), False)
    assert made.parent == tmp_path
    assert dump.PREFIX in made.name
    assert [path.name[16:17] for path in dump.forget_old(tmp_path, 2)] == ["3", "2", "1"]
    assert len(list(tmp_path.iterdir())) == 3
    with pytest.raises(KursbuchError, match="--replace"):
        dump.target(str(tmp_path / "other.gz"), False)


async def test_only_a_backup_is_replaced(tmp_path: Path) -> None:
    path, whole = tmp_path / "file", OLDER.read_bytes()
    lines = gzip.decompress(whole).splitlines(keepends=True)
    for body in (whole, whole[:5000], *(gzip.compress(b"".join(made)) for made in versions(lines))):
        path.write_bytes(body)
        assert dump.target(str(path), True) == path
    for body in (b"", b"something", b"SQLite format 3\0", gzip.compress(b"{}\n"), whole[:20]):
        path.write_bytes(body)
        with pytest.raises(KursbuchError, match="is not a Kursbuch backup, so"):
            dump.target(str(path), True)
        assert path.read_bytes() == body


def versions(lines: list[bytes]) -> list[list[bytes]]:
    return [newer(lines), other_format(lines), [b'{"kursbuch":"backup","new":1}\n']]


async def test_a_database_is_not_overwritten_by_its_backup(tmp_path: Path) -> None:
    """Nor what SQLite puts beside it, also where that is not there yet, and by whatever name."""
    file = tmp_path / "tables.sqlite3"
    await (await restored(OLDER, str(file))).stop()
    (tmp_path / "deeper").mkdir()
    (tmp_path / "symbolic").symlink_to(file)
    (tmp_path / "hard").hardlink_to(file)
    names = ["tables.sqlite3", "symbolic", "hard", "deeper/../tables.sqlite3"]
    names += [f"tables.sqlite3{end}" for end in ("-wal", "-shm", "-journal")]
    before = file.read_bytes()
    for given in (file, tmp_path / "symbolic"):
        database = Database(str(given))
        for name in names:
            with pytest.raises(KursbuchError, match="belongs to the database itself"):
                await dump.write(database, tmp_path / name, quiet)
        await database.stop()
    assert file.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 4


async def test_a_file_that_cannot_be_made_smaller_is_restored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def full(database: Database) -> None:
        raise OperationalError("VACUUM", {}, sqlite3.OperationalError("disk is full"))

    monkeypatch.setattr(restore, "compact", full)
    database = await restored(OLDER, str(tmp_path / "tables.sqlite3"))
    async with database.reading() as session:
        assert len(list(await session.scalars(select(Table.id)))) == 13
    await database.stop()
    assert [line.getMessage() for line in caplog.records if line.name == restore.__name__] == [
        "All is restored; only the file could not be made smaller: disk is full."
    ]


async def test_the_last_backup_without_faults_stays(tmp_path: Path) -> None:
    def made(day: int, *, whole: bool) -> Path:
        path = tmp_path / f"kursbuch-202611{day:02}-030000.backup.gz"
        path.touch()
        if whole:
            dump.note_whole(path)
        dump.forget_old(tmp_path, 2, doubtful=not whole)
        return path

    def days() -> list[int]:
        return sorted(int(path.name[15:17]) for path in tmp_path.glob("*.gz"))

    # As long as it is not known, the oldest stays.
    for day in (1, 2, 3, 4):
        made(day, whole=False)
    assert days() == [1, 3, 4]
    for day in (5, 6, 7):
        made(day, whole=True)
    assert days() == [6, 7]
    for day in (8, 9, 10, 11):
        made(day, whole=False)
    assert days() == [7, 10, 11]
    # One that was not tried does not take its place.
    (tmp_path / "kursbuch-20261112-030000.backup.gz").touch()
    dump.forget_old(tmp_path, 2)
    assert days() == [7, 11, 12]
    made(13, whole=True)
    assert days() == [12, 13]


async def test_what_a_killed_backup_left_is_cleared(tmp_path: Path) -> None:
    database = await restored(OLDER, str(tmp_path / "tables.sqlite3"))
    folder = tmp_path / "backups"

    def make(name: str, *inside: str, hours: int = 13, touched: int = 13) -> str:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir() if inside else path.touch()
        for one in inside:
            (path / one).touch()
            then = time.time() - 3600 * touched
            os.utime(path / one, (then, then))
        then = time.time() - 3600 * hours
        os.utime(path, (then, then))
        return name

    make(".kursbuch-abc_4567.part")
    make(".kursbuch-20261101-030000.backup.gz.abcdefgh")
    make(".kursbuch-abcdefgh", "copy.sqlite3", "copy.sqlite3-wal")
    kept = {
        make(".kursbuch-12345678.part", hours=11),
        make(".kursbuch-ijklmnop", "copy.sqlite3", touched=11),
        make(".kursbuch-qrstuvwx", "copy.sqlite3", "notes.txt"),
        make(".kursbuch-settings", "tables.sqlite3"),
        make(".kursbuch-password"),
        make("kursbuch-20261101-030000.backup.gz"),
        make("kursbuch-abcdefgh.part"),
        make(".something.abcdefgh"),
    }
    link = folder / ".kursbuch-elsewher.part"
    link.symlink_to(tmp_path / "tables.sqlite3")
    os.utime(link, (0, 0), follow_symlinks=False)
    await dump.write(database, folder / "new.gz", quiet)
    await database.stop()
    assert {path.name for path in folder.iterdir()} == kept | {"new.gz", link.name}


async def test_what_is_left_is_named_as_it_is_cleared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backup is killed while it is written, and another one while its games are tried."""
    database = await restored(OLDER, str(tmp_path / "tables.sqlite3"))
    folder = tmp_path / "backups"
    folder.mkdir()
    left: list[Path] = []

    def look() -> None:
        """What lies there now would be cleared later."""
        (found,) = (one for one in folder.iterdir() if one.name.startswith("."))
        assert dump._is_left(found), found
        left.append(found)

    monkeypatch.setattr(dump, "check", lambda name, progress: look())
    await dump.write(database, folder / "new.gz", quiet)
    monkeypatch.setattr(restore, "_check_games", lambda *_: asyncio.to_thread(look))
    await restore.stuck_games(folder / "new.gz", quiet)
    await database.stop()
    assert len(left) == 2


async def test_a_full_disk_leaves_the_older_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = await restored(OLDER, str(tmp_path / "tables.sqlite3"))
    path = tmp_path / "backup.gz"
    path.write_bytes(b"older")

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(KursbuchError, match=r"backup\.gz cannot be written: No space left"):
        await dump.write(database, path, quiet)
    assert path.read_bytes() == b"older"
    assert {one.name.partition("-")[0] for one in tmp_path.iterdir()} == {
        "tables.sqlite3",
        "backup.gz",
    }
    await database.stop()
