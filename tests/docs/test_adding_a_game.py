"""The worked example of docs/adding-a-game.md runs as it stands there."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kursbuch import bots
from kursbuch.core import record
from kursbuch.core.explain import guided_game
from kursbuch.core.game import Game
from kursbuch.core.title import Title
from tests import documented


@pytest.fixture
def coal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Title[Any]:
    """The game of the example; its package is in `tmp_path`."""
    return documented.coal(tmp_path, monkeypatch)


@pytest.mark.usefixtures("coal")
def test_its_own_tests_pass(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-W", "ignore", "-o", "markers=rule(id)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "3 passed" in ran.stdout, ran.stdout + ran.stderr


def test_what_it_teaches_can_be_played(coal: Title[Any]) -> None:
    found = guided_game(coal)
    assert found is not None
    assert found.game.over
    assert len(found.guide.step) == 3


def test_opponents_and_records_work_with_it(coal: Title[Any]) -> None:
    game = Game(coal, ["Anna", "Bernd"], seed="5")
    perfect, clueless = bots.make("mcts:50", seed=1), bots.make("random", seed=1)
    while not game.over:
        seat = game.pending[0].seat
        bot = perfect if seat == 0 else clueless
        game.apply(bot.choose(game.view(seat)))
    assert game.result is not None
    assert record.read(game.record(), lambda _: coal).state == game.state
    assert coal.determinize(game.state, 0, random.Random(1)) == game.state
