"""Corrections by a moderator."""

from __future__ import annotations

import pytest

from kursbuch.core.errors import IllegalAction
from kursbuch.rocket.events import EndReached
from tests.happened import only
from tests.rocket.scenario import Scene


@pytest.mark.rule("rocket:end-2", "rocket:tile-1")
def test_no_correction_lays_the_last_tile() -> None:
    """The game ends with it; a move does that."""
    scene = Scene().line("GWR", "L9 L11").tiles(2)
    game = scene.game

    def place(line: str, hex: str) -> None:
        game.apply(game.parse_correction(f"locomotive of {line} on {hex}"))

    place("GWR", "K12")
    assert scene.supply("tile") == 1
    # Out of a start town no tile is laid, and back none is needed.
    place("LBSC", "N21")
    with pytest.raises(IllegalAction, match="last track tile") as error:
        place("GWR", "K14")
    assert error.value.rule == "end-2"
    place("GWR", "L11")
    assert scene.supply("tile") == 2
    place("GWR", "K12")
    only(scene.extend("A extends GWR to K14"), EndReached)
