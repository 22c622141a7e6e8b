"""The club of the benchmarks, in a short form: some days of slow games by page, program, mail and moves ahead."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import club


@pytest.mark.asyncio
async def test_slow_games_over_simulated_days(tmp_path: Path) -> None:
    """Whatever is wrong on the way stops it: a turn not told once, a move that is lost, a clock."""
    reports = await club.tell(tmp_path, ("nimm", "rocket"), {"nimm": 12, "rocket": 12})
    assert [report.moves >= 12 for report in reports] == [True, True]
    assert reports[0].days > 0.5
    ways = set().union(*(report.ways for report in reports))
    assert ways >= {"page", "token", "mail"}
