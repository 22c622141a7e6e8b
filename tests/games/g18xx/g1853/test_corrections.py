"""Corrections by a moderator: the paper of two shares, and what holds for one round only."""

from __future__ import annotations

import pytest

import kursbuch
from kursbuch.bots import make
from kursbuch.core.corrections import read
from kursbuch.core.errors import IllegalAction
from kursbuch.games.g18xx.g1853 import TITLE
from kursbuch.games.g18xx.g1853.state import ChooseRight, ExtraRound
from tests.games.g18xx.g1853.table import Scene


def correct(scene: Scene, *lines: str) -> None:
    for line in lines:
        scene.position.apply(read(TITLE.corrections, line, scene.state, ()))


@pytest.mark.rule("1853:1-shares")
@pytest.mark.parametrize(("pool", "target"), [(0, "player 2"), (1, "player 2"), (0, "pool")])
def test_the_paper_of_two_shares_stays_whole(pool: int, target: str) -> None:
    """No one else has two, and the pool could not take it."""
    scene = Scene().shares("SIR", A=2, pool=pool).operating("SIR").stock()
    with pytest.raises(IllegalAction, match="cannot be split") as error:
        correct(scene, f"share 1 SIR 10 from player 1 to {target}")
    assert error.value.rule == "1-shares"
    assert scene.director("SIR") == "A"


@pytest.mark.rule("1853:1-shares")
@pytest.mark.parametrize(
    ("held", "line", "director"),
    [
        ({"A": 2}, "share 2 SIR 10 from player 1 to pool", ""),
        ({"A": 2, "pool": 1}, "share 1 SIR 10 from player 1 to pool", ""),
        ({"A": 2, "pool": 2}, "share 1 SIR 10 from player 1 to player 2", ""),
        ({"A": 2, "B": 1}, "share 1 SIR 10 from player 1 to player 2", "B"),
        ({"A": 3}, "share 1 SIR 10 from player 1 to player 2", "A"),
    ],
)
def test_it_goes_where_it_is_whole(held: dict[str, int], line: str, director: str) -> None:
    scene = Scene().shares("SIR", **held).operating("SIR").stock()
    correct(scene, line)
    assert scene.director("SIR") == director
    assert scene.ruleset.shares.single_shares_at(scene.state, "SIR", "pool") >= 0
    assert scene.state.charters["SIR"].double == ("" if director else "pool")


@pytest.mark.rule("1853:3.1.8", "1853:4.9")
def test_another_stock_round_begins_afresh() -> None:
    """What was founded in the last one can be sold, and the holder of the elephant is asked again."""
    scene = Scene().shares("GIP", A=3).operating("GIP").turn("GIP")
    state = scene.state
    state.extra, state.founded = True, ["GIP"]
    number = state.round.number
    correct(scene, f"turn of GIP in operating round {number} part 1 of 1")
    assert (state.extra, state.founded) == (True, ["GIP"])
    correct(scene, f"turn of GIP in operating round {number + 1} part 1 of 1")
    assert (state.extra, state.founded) == (False, [])
    state.extra, state.founded = True, ["GIP"]
    correct(scene, f"turn of player 1 in stock round {number + 1}")
    assert (state.extra, state.founded) == (False, ["GIP"]), "of the same series"
    correct(scene, f"turn of player 1 in stock round {number + 2}")
    assert state.founded == []


def test_between_the_turns_of_companies_anything_can_be_corrected() -> None:
    """Neither the right to two tiles nor one more round rests on what is on the table."""
    game = kursbuch.new("1853", ["Anna", "Bernd", "Clara"], 3)
    met: set[type] = set()
    bot = make("greedy", 1)
    while met != {ChooseRight, ExtraRound}:
        step = game.state.agenda[-1]
        if isinstance(step, ChooseRight | ExtraRound) and type(step) not in met:
            met.add(type(step))
            money, asked = game.state.ledger.held("money", "p0"), game.pending
            game.apply(game.parse("Correction: money 7 from bank to player 1"))
            assert game.state.ledger.held("money", "p0") == money + 7
            assert game.pending == asked
        game.apply(bot.choose(game.view(game.pending[0].seat)))
    assert kursbuch.load(game.record(reveal=True)).state == game.state
