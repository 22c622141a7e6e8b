"""The worked example of docs/adding-a-game.md runs as it stands there."""

from __future__ import annotations

import importlib
import random
import subprocess
import sys
from pathlib import Path

import pytest

from kursbuch import bots
from kursbuch.core import record
from kursbuch.core.game import Game
from kursbuch.core.guided import course
from kursbuch.core.title import Title
from tests import documented


@pytest.fixture
def coal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package of the example, written to a folder and importable."""
    assert len(documented.write("adding-a-game.md", tmp_path)) == 9
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.partition(".")[0] == "coal"]:
        monkeypatch.delitem(sys.modules, name)
    return tmp_path


def test_its_own_tests_pass(coal: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-W", "ignore", "-o", "markers=rule(id)"],
        cwd=coal,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "3 passed" in ran.stdout, ran.stdout + ran.stderr


def test_what_it_teaches_can_be_played(coal: Path) -> None:
    title: Title[object] = importlib.import_module("coal").TITLE  # type: ignore[type-var]
    found = course(title)
    assert found is not None
    assert found.game.over
    assert len(found.guide.step) == 3


def test_opponents_and_records_work_with_it(coal: Path) -> None:
    title: Title[object] = importlib.import_module("coal").TITLE  # type: ignore[type-var]
    game = Game(title, ["Anna", "Bernd"], seed="5")
    perfect, clueless = bots.make("mcts:50", seed=1), bots.make("random", seed=1)
    while not game.over:
        seat = game.pending[0].seat
        bot = perfect if seat == 0 else clueless
        game.apply(bot.choose(game.view(seat)))
    assert game.result is not None
    assert record.read(game.record(), lambda _: title).state == game.state
    assert title.determinize(game.state, 0, random.Random(1)) == game.state
