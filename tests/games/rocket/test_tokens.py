"""The action of taking a metropolis token."""

from __future__ import annotations

import pytest

from kursbuch.games.rocket.events import KindScored, MetropolisScored, TokenTaken
from tests.games.rocket.scenario import Scene
from tests.happened import every, only


@pytest.mark.rule("rocket:token-1")
def test_any_metropolis_with_a_token_left() -> None:
    scene = Scene().tokens("Exeter", B=2, C=1).tokens("London", B=2)
    assert scene.refused("A takes Exeter") == "token-1"
    assert scene.refused("A takes Oxford") == "token-1"
    assert scene.refused("A takes Bristol") == "token-1"
    taken = only(scene.do("A takes London"), TokenTaken)
    assert (taken.rule, taken.metropolis) == ("token-1", "London")
    assert scene.held("token:London", "A") == 1
    assert scene.supply("token:London", "map") == 0
    assert scene.refused("A takes London") == "token-1"


@pytest.mark.rule("rocket:token-1")
def test_all_three_tokens_of_a_connected_metropolis() -> None:
    scene = Scene(2).connect("LMR", "Manchester").tokens("Manchester", A=1)
    scene.do("A takes Manchester", "A takes Manchester")
    assert scene.held("token:Manchester", "A") == 3


@pytest.mark.rule("rocket:token-2", "rocket:metro-2")
def test_tokens_are_open_and_kept() -> None:
    scene = Scene().line("LMR", "D7 E8").tokens("Manchester", A=2, B=1)
    events = scene.do("A extends LMR to E10")
    assert only(events, MetropolisScored).amounts == (2000, 1000, 0, 0)
    for seat in (None, 0, 1, 2, 3):
        view = scene.game.view(seat).state.ledger
        assert view.held("token:Manchester", "0") == 2
        assert view.held("token:Manchester", "1") == 1


@pytest.mark.rule("rocket:token-3", "rocket:final-2")
def test_a_token_counts_twice() -> None:
    scene = Scene().line("LMR", "D7 E8").tokens("Manchester", B=1).tiles(1)
    events = scene.do("A extends LMR to E10")
    assert only(events, MetropolisScored).amounts == (0, 2000, 0, 0)
    textile = [event for event in every(events, KindScored) if event.kind == "textile"]
    assert [event.amounts for event in textile] == [(0, 6000, 0, 0)]
    assert scene.money() == [3000, 8000, 0, 0]  # A: one LMR share, 3 towns
