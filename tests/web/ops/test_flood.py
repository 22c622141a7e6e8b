"""One client floods the server, and another plays on."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import pytest

from benchmarks import flood
from benchmarks.common import quantile

#: Runs of which one must succeed: other programs on the machine may delay the one request in a hundred.
RUNS = 3


def test_a_flood_does_not_stop_a_player(tmp_path: Path) -> None:
    """Without turns each answer would take as long as three hundred pages."""
    rest, waits = flood.measured(str(tmp_path), 25, 0.1)
    assert waits.refused == 0
    assert waits.flood["200"] > len(waits.page) + len(waits.move)
    for calm, under in ((rest.page, waits.page), (rest.move, waits.move)):
        assert len(under) == 25
        assert median(under) < 20 * median(calm)
    assert median(waits.health) < 20 * median(rest.move)


@pytest.mark.long
def test_a_flood_of_a_minute_delays_a_player_threefold_at_most(tmp_path: Path) -> None:
    for run in range(RUNS):
        (folder := tmp_path / f"{run}").mkdir()
        rest, waits = flood.measured(str(folder), *flood.LONG)
        assert waits.refused == 0
        page, move = (
            quantile(under, 0.99) / quantile(calm, 0.99)
            for calm, under in ((rest.page, waits.page), (rest.move, waits.move))
        )
        health = quantile(waits.health, 0.99)
        if page <= 3 and move <= 3 and health < 0.2:
            return
    pytest.fail(f"page {page:.1f} × rest, move {move:.1f} × rest, health {health:.3f} s")
