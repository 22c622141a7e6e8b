"""Killed at any moment, a server loses and doubles nothing: a short run of `python -m tests.kills`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import services
from tests.kills.__main__ import run
from tests.kills.processes import BOT, CONNECTION, POSTGRES, REDIS, SERVER, WORKER

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="finds processes as Linux shows them"
)


def test_on_sqlite(tmp_path: Path) -> None:
    found = run([BOT, SERVER], "sqlite", tmp_path)
    assert found.tally.wrong == []
    assert found.killed.total() == 2
    assert found.tally.lost


def test_on_postgresql_with_two_workers(tmp_path: Path, long: bool) -> None:
    missing = [one for one in (services.POSTGRES, services.REDIS) if not one.find()]
    if missing:
        pytest.skip(services.lacking(missing))
    kills = [REDIS, WORKER, CONNECTION, POSTGRES] if long else [WORKER, POSTGRES]
    found = run(kills, "postgres", tmp_path)
    assert found.tally.wrong == []
    assert found.killed.total() == len(kills)
