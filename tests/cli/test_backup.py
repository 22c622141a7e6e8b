"""`kursbuch backup` and `kursbuch restore`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from kursbuch.core.errors import KursbuchError
from kursbuch.web.backup import dump, restore
from tests.cli.test_commands import Runner, english, run
from tests.web.db.test_upgrade import OLDER

__all__ = ["english", "run"]


def test_a_database_goes_into_a_file_and_back(run: Runner, tmp_path: Path) -> None:
    file, copy = str(tmp_path / "tables.sqlite3"), str(tmp_path / "copy.sqlite3")
    ran = run("restore", str(OLDER), "--database", file)
    assert (ran.code, ran.err) == (0, "")
    assert "has been restored: 537 rows, checked against the backup." in ran.out

    folder = tmp_path / "backups"
    folder.mkdir()
    for name in ("kursbuch-20200101-000000.backup.gz", "kursbuch-20200102-000000.backup.gz"):
        (folder / name).touch()
    # Anyone who gives a backup a name keeps it.
    named = folder / "kursbuch-before-upgrade.backup.gz"
    named.touch()
    ran = run("backup", str(folder), "--database", file, "--keep", "2", "--json")
    assert (ran.code, ran.err) == (0, "")
    made = ran.json
    assert named.exists()
    assert made["running"] == 10
    assert made["rows"]["move"] == 474
    assert [Path(path).name[9:17] for path in made["deleted"]] == ["20200101"]
    assert made["bytes"] == Path(made["file"]).stat().st_size

    assert run("restore", made["file"], "--check", "--json").json["stuck"] == []
    assert run("restore", made["file"], "--database", copy, "--json").json["rows"] == made["rows"]
    assert "--replace" in run.refused("restore", made["file"], "--database", copy)
    assert run("restore", made["file"], "--database", copy, "--replace").code == 0

    assert "--replace" in run.refused("backup", made["file"], "--database", file)
    assert "a folder" in run.refused(
        "backup", str(tmp_path / "x.gz"), "--keep", "1", "--database", file
    )
    assert "There is no file" in run.refused("backup", "x.gz", "--database", str(tmp_path / "no"))
    assert "not a Kursbuch backup" in run.refused("restore", file, "--database", copy)
    nowhere = tmp_path / "nowhere.db"
    said = run.refused("backup", str(tmp_path / "x.gz"), "--database", f"sqlite:///{nowhere}")
    assert said.startswith("There is no file")
    assert not nowhere.exists()
    empty = str(tmp_path / "empty.sqlite3")
    Path(empty).touch()
    assert "no server has used it" in run.refused(
        "backup", str(tmp_path / "x.gz"), "--database", empty
    )
    assert not (tmp_path / "x.gz").exists()


def test_without_room_to_try_it_a_backup_is_complete(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(path: Path, show: object) -> None:
        raise OperationalError("INSERT", {}, Exception("disk is full"))

    file, made = str(tmp_path / "tables.sqlite3"), tmp_path / "made.gz"
    assert run("restore", str(OLDER), "--database", file).code == 0
    monkeypatch.setattr(restore, "stuck_games", full)
    said = run.refused("backup", str(made), "--database", file)
    assert "is complete, but its games could not be tried: disk is full." in said
    monkeypatch.undo()
    assert run("restore", str(made), "--check").code == 0


def test_backups_are_limited_while_a_game_is_stuck(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are reported each time, and the last one without faults stays."""

    async def stuck(path: Path, show: object) -> tuple[int, list[restore.UnplayableTable]]:
        return 2, [restore.UnplayableTable("abc", "1835", KursbuchError("Broken."))]

    async def full(path: Path, show: object) -> None:
        raise OperationalError("INSERT", {}, Exception("disk is full"))

    def night(day: int, code: int) -> None:
        monkeypatch.setattr(dump, "now", lambda: datetime(2026, 11, day, 3, tzinfo=UTC))
        assert run("backup", str(folder), "--keep", "2", "--database", file).code == code

    def nights() -> list[str]:
        return sorted(path.name[15:17] for path in folder.glob("*.gz"))

    file, folder = str(tmp_path / "tables.sqlite3"), tmp_path / "backups"
    folder.mkdir()
    assert run("restore", str(OLDER), "--database", file).code == 0
    night(1, 0)
    night(2, 0)
    with monkeypatch.context() as broken:
        broken.setattr(restore, "stuck_games", stuck)
        for day in (3, 4, 5):
            night(day, 1)
    assert nights() == ["02", "04", "05"]
    with monkeypatch.context() as broken:
        broken.setattr(restore, "stuck_games", full)
        night(6, 2)
    assert nights() == ["02", "05", "06"]
    night(7, 0)
    assert nights() == ["06", "07"]


def test_a_backup_replaces_backups_only(run: Runner, tmp_path: Path) -> None:
    file = str(tmp_path / "tables.sqlite3")
    assert run("restore", str(OLDER), "--database", file).code == 0
    said = run.refused("backup", file, "--database", file, "--replace")
    assert said == f"{file} is not a Kursbuch backup, so it is not overwritten."
    said = run.refused("backup", f"{file}-wal", "--database", file)
    assert said.endswith("belongs to the database itself. A backup needs a separate file.")
    made = str(tmp_path / "made.gz")
    for _ in range(2):
        ran = run("backup", made, "--quick", "--replace", "--database", file)
        assert ran.code == 0


@pytest.mark.parametrize(
    "given",
    [
        ("tables", "list", "--most", "99999999999999999999"),
        ("accounts", "list", "--most", "0"),
        ("log", "--most", "99999999999999999999"),
        ("withdraw", "99999999999999999999"),
        ("invitations", "revoke", "99999999999999999999"),
    ],
)
def test_numbers_that_are_too_large(run: Runner, given: tuple[str, ...]) -> None:
    assert "a whole number from 1 to" in run.refused("admin", *given)


def test_nothing_is_as_old_as_that(run: Runner, tmp_path: Path) -> None:
    file = str(tmp_path / "tables.sqlite3")
    assert run("restore", str(OLDER), "--database", file).code == 0
    assert run("admin", "tables", "clean", "--finished", "999999999", "--database", file).code == 0
