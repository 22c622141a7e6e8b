"""Corrections by a moderator."""

from __future__ import annotations

import pytest

from kursbuch.core.errors import IllegalAction
from kursbuch.games.rocket.events import EndReached
from tests.games.rocket.scenario import LINES, Scene
from tests.happened import only


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


@pytest.mark.rule(
    "rocket:merge-3", "rocket:merge-7", "rocket:merge-9", "rocket:end-1", "rocket:end-2"
)
def test_a_merger_that_happened_at_home_is_set_up() -> None:
    """It leaves what a merger by a move does, also where shares are missing, but nothing is scored. What ends the game
    is done by a move only."""

    def before() -> Scene:
        scene = Scene().line("GWR", "L9 L11").line("LSWR", "O16 N15 M14").shares("LSWR", A=3, B=1)
        scene.supplementary("LSWR", A=2)
        return scene.shares("GWR", C=scene.supply("share:GWR", "stock") - 1)

    played = before()
    played.do("A extends LSWR to L13", "B agrees")
    # A move brings a share of the line.
    scene = before().shares("LSWR", A=1).tiles(2)
    game = scene.game

    def correct(line: str) -> None:
        game.apply(game.parse_correction(line))

    with pytest.raises(IllegalAction, match="last track tile"):
        correct("merger of LSWR on L13")
    scene.state.ledger.move("tile", "map", "supply", scene.supply("tile", "map"))
    scene.tiles(played.supply("tile") + 2)
    for wrong in ("N13", "L9", "K12"):
        with pytest.raises(IllegalAction):
            correct(f"merger of LSWR on {wrong}")
    scores = scene.title.scores(scene.state)
    correct("merger of LSWR on L13")
    for field in ("owner", "locomotive", "facing", "connected", "merged_into", "track"):
        assert getattr(scene.state, field) == getattr(played.state, field), field
    assert scene.supply("tile") == played.supply("tile")
    assert scene.title.scores(scene.state) == scores
    for line in ("LSWR", "GWR"):
        assert (scene.real(line), scene.extra(line)) == (played.real(line), played.extra(line))
    assert scene.extra("GWR") != [0, 0, 0, 0]
    # With the next but one line without shares the end would have come.
    last = before()
    for line in LINES:
        if line not in ("GWR", "LSWR", "GER"):
            last.shares(line, D=last.supply(f"share:{line}", "stock"))
    last.shares("GWR", C=last.supply("share:GWR", "stock"))
    with pytest.raises(IllegalAction, match="Only one line would have shares left") as error:
        last.game.apply(last.game.parse_correction("merger of LSWR on L13"))
    assert error.value.rule == "end-1"
