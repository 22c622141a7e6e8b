"""Corrections by a moderator: what holds for one operating round only."""

from __future__ import annotations

import pytest

from kursbuch.core.corrections import read
from kursbuch.games.g18xx.g1835 import TITLE
from tests.games.g18xx.g1835.table import Scene


def correct(scene: Scene, line: str) -> None:
    scene.position.apply(read(TITLE.corrections, line, scene.state, ()))


@pytest.mark.rule("1835:3.1.3.2b", "1835:4.5")
@pytest.mark.parametrize(("part", "kept"), [(1, True), (2, False)])
def test_another_operating_round_begins_afresh(part: int, kept: bool) -> None:
    """OB lays a tile again, and what was refused or has run before brings in something again; in the round
    that is played nothing of this changes."""
    scene = Scene().shares("BY", A="20P 10 10 10").sold().operating("BY").papers(A="OB").phase("4")
    state = scene.turn("BY").state
    state.round.parts = 2
    state.ob_used, state.opened, state.idle, state.refused = True, True, ["2"], {0: 5}
    number = state.round.number
    correct(scene, f"turn of BY in operating round {number} part {part} of 2")
    assert (state.ob_used, state.opened, state.idle, state.refused) == (
        (True, True, ["2"], {0: 5}) if kept else (False, False, [], {})
    )
