"""The best runs of 1853 on random positions and in games played at random, against a model of the map
itself.

`KURSBUCH_TEST_POSITIONS=320` tries this many positions instead of a few, and more games.
"""

from __future__ import annotations

import os

import pytest

from kursbuch.games.g18xx.g1853.components import standard
from kursbuch.games.g18xx.map.revenue import Aim, best_runs
from tests.games.g18xx import cpsat
from tests.games.g18xx.g1853.positions import Case, case, played

#: This many positions are tried, and this many in one test.
POSITIONS = int(os.environ.get("KURSBUCH_TEST_POSITIONS", "24"))
TOGETHER = 8
#: From this seed on the model is solved soon.
FIRST = 208
#: What counts most for an aim, and what decides between equal runs: what revenue and mail count.
WEIGHTS: dict[Aim, tuple[int, int]] = {"pay": (1000, 1), "save": (1001, 1000)}
#: This many games, of which one position in this many is tried, and those in which a run has to come
#: somewhere.
GAMES = POSITIONS // 24
ONE_IN = 12


def compare(found: Case) -> None:
    """The best runs earn what the model says."""
    components = standard()
    layout, phase, names, mail, duties, company = found
    position = components.track.position(layout, phase - 1)
    trains = [components.train(name) for name in names]
    for aim, weights in WEIGHTS.items():
        earned = best_runs(components, position, company, names, mail=mail, aim=aim, duties=duties)
        most = cpsat.map_total(
            *(components.board, layout, phase - 1, company, trains),
            mail=mail,
            duties=duties,
            weights=weights,
        )
        assert weights[0] * earned.revenue + weights[1] * earned.mail == (most or 0), aim
        assert earned.revenue == sum(run.value for run in earned.runs)
        assert earned.mail == sum(run.mail for run in earned.runs)
    total = best_runs(components, position, company, names, mail=mail, duties=duties).total()
    assert total == earned.total()


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may take its time."""
    monkeypatch.setattr(cpsat, "SECONDS", 300.0)


@pytest.mark.parametrize("first", range(FIRST, FIRST + POSITIONS, TOGETHER))
def test_random_positions(first: int) -> None:
    for seed in range(first, first + TOGETHER):
        compare(case(seed))


@pytest.mark.parametrize("seed", range(5, 5 + GAMES))
def test_positions_of_games(seed: int) -> None:
    found = played(seed)
    chosen = found[::ONE_IN] + [one for one in found if one.duties]
    assert len(chosen) > 5
    for one in chosen:
        compare(one)
