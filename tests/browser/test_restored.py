"""A page that is open while a backup is restored shows what was restored, by itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SERVE, Serving, clean_environment
from tests.browser.table import choose, first_label, hot_seat, number, wait_for_move

#: Where the pieces are that have been moved.
PIECES = """[...document.querySelectorAll('#board-now [data-piece]')].map(piece => {
  const { x, y, width, height } = piece.getBBox();
  return [piece.dataset.piece, ...[x, y, width, height].map(Math.round)].join(' ');
}).join()"""

COMMAND = "import sys; from kursbuch.cli import main; sys.exit(main())"


@pytest.fixture(scope="module")
def program() -> str:
    return SERVE


def kursbuch(*arguments: str) -> str:
    """What a command says."""
    command = [sys.executable, "-c", COMMAND, *arguments]
    ran = subprocess.run(command, env=clean_environment(), capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_page_shows_what_was_restored(visit: Any, server: Serving, tmp_path: Path) -> None:
    page = hot_seat(visit)
    choose(page, first_label(page, "extend-line"))
    then = number(page)
    wait_for_move(page, then)
    pieces = page.evaluate(PIECES)
    backup, database = str(tmp_path / "one.gz"), str(server.database)
    kursbuch("backup", backup, "--quick", "--database", database)
    for _ in range(2):
        choose(page, first_label(page, "extend-line"))
    assert number(page) == then + 2
    assert page.evaluate(PIECES) != pieces
    assert "has been restored" in kursbuch("restore", backup, "--replace", "--database", database)
    expect(page.locator("#live")).to_have_attribute("data-number", str(then))
    page.wait_for_function(f"pieces => {PIECES} === pieces", arg=pieces)
    expect(page.locator("#connection")).to_be_hidden()
    choose(page, first_label(page, "extend-line"))
    assert number(page) == then + 1
