"""`kursbuch import` refuses files that are traps, with one sentence."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from kursbuch.cli import main, records
from kursbuch.core.registry import Imported
from kursbuch.core.title import Title
from tests import bombs


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(variable, "C.UTF-8")


def reads_for_ever(
    title: Title[Any], data: bytes, *, partial: bool = False, progress: Any = None
) -> Imported:
    """An importer that comes to no end."""
    while True:
        progress(1, 2)


def fails(
    title: Title[Any], data: bytes, *, partial: bool = False, progress: Any = None
) -> Imported:
    """An importer with a fault."""
    raise LookupError("a fault")


def refused(capsys: pytest.CaptureFixture[str], path: Path, content: bytes) -> str:
    path.write_bytes(content)
    record = path.with_name("record")
    code = main(["import", str(path), "-o", str(record)])
    captured = capsys.readouterr()
    assert (code, captured.out) == (2, "")
    assert captured.err.count("\n") == 1
    assert not record.exists()
    return captured.err


@pytest.mark.parametrize("name", ["40 levels of shared references", "a gzip bomb"])
def test_a_save_file(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, tmp_path / "game.rails", bombs.JAVA[name]())
    assert "save file of Rails-18xx" in said


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no limits for processes")
def test_what_comes_to_no_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    readers = {".loop": {"rocket": reads_for_ever}, ".fault": {"rocket": fails}}
    monkeypatch.setattr(records, "importers", lambda: readers)
    assert refused(capsys, tmp_path / "game.fault", b"x") == "This file cannot be read.\n"
    monkeypatch.setattr(
        records, "IMPORT_LIMITS", records.IMPORT_LIMITS._replace(seconds=0.2, clock=1000)
    )
    said = refused(capsys, tmp_path / "game.loop", b"x")
    assert said == "Reading this takes too much time or memory.\n"
