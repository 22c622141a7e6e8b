"""`kursbuch backup` and `kursbuch restore`."""

from __future__ import annotations

from pathlib import Path

from tests.cli.test_commands import Runner, english, run
from tests.web.test_upgrade import OLDER

__all__ = ["english", "run"]


def test_a_database_goes_into_a_file_and_back(run: Runner, tmp_path: Path) -> None:
    file, copy = str(tmp_path / "tables.sqlite3"), str(tmp_path / "copy.sqlite3")
    ran = run("restore", str(OLDER), "--database", file)
    assert (ran.code, ran.err) == (0, "")
    assert "is restored: 537 rows, compared with the backup." in ran.out

    folder = tmp_path / "backups"
    folder.mkdir()
    for name in ("kursbuch-20200101-000000.backup.gz", "kursbuch-20200102-000000.backup.gz"):
        (folder / name).touch()
    ran = run("backup", str(folder), "--database", file, "--keep", "2", "--json")
    assert (ran.code, ran.err) == (0, "")
    made = ran.json
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
    assert "no backup" in run.refused("restore", file, "--database", copy)
    empty = str(tmp_path / "empty.sqlite3")
    Path(empty).touch()
    assert "no server has used it" in run.refused(
        "backup", str(tmp_path / "x.gz"), "--database", empty
    )
    assert not (tmp_path / "x.gz").exists()
