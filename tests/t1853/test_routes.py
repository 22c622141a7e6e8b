"""The best runs of 1853 on random positions, against a model of the map itself.

`KURSBUCH_TEST_POSITIONS=320` tries so many positions instead of a few.
"""

from __future__ import annotations

import os

import pytest

from kursbuch.eighteen.map.runs import best_runs
from kursbuch.eighteen.t1853.components import standard
from tests.eighteen import cpsat
from tests.t1853.positions import Case, case

#: So many positions are tried, and so many in one test.
POSITIONS = int(os.environ.get("KURSBUCH_TEST_POSITIONS", "24"))
TOGETHER = 8


def compare(found: Case) -> None:
    """The best runs earn what the model says."""
    components = standard()
    layout, phase, names, mail, duties = found
    position = components.track.position(layout, phase - 1)
    takings = best_runs(components, position, "X", names, mail=mail, duties=duties)
    trains = [components.train(name) for name in names]
    most = cpsat.map_total(
        components.board, layout, phase - 1, "X", trains, mail=mail, duties=duties
    )
    assert takings.total() == (most or 0)
    assert takings.revenue == sum(run.value for run in takings.runs)
    assert takings.mail == sum(run.mail for run in takings.runs)


@pytest.mark.parametrize("first", range(0, POSITIONS, TOGETHER))
def test_random_positions(first: int) -> None:
    for seed in range(first, min(first + TOGETHER, POSITIONS)):
        compare(case(seed))
