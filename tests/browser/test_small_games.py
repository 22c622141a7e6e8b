"""Two people in two browsers play whole games of Nimm den Zug and of Railroad Dice by pointing."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

import kursbuch
from kursbuch.bots import make
from kursbuch.core.words import Words
from tests.browser.conftest import seeded
from tests.browser.table import Sample, carry_out, send, start_two, wait_for_move

#: With these seeds the games are short.
SEEDS = {"nimm": "4", "dice": "17"}


@pytest.fixture(scope="module", params=SEEDS)
def title(request: pytest.FixtureRequest) -> str:
    """What is played."""
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def program(title: str) -> str:
    """A server whose tables all have the same seed."""
    return seeded(SEEDS[title])


@pytest.mark.long
def test_a_whole_game_by_pointing(visit: Any, title: str) -> None:
    pages = start_two(visit, title=title)
    game = kursbuch.new(title, players=("Anna", "Bernd"), seed=SEEDS[title])
    players = [make("greedy", seed=seat) for seat in (0, 1)]
    pointing = Sample(first=4, every=10)
    while not game.over:
        seat = game.pending[0].seat
        action = players[seat].choose(game.view(seat))
        if pointing.by_hand(type(action)):
            wait_for_move(pages[seat], len(game.moves))
            carry_out(pages[seat], game.title.action_to_json(action))
        else:
            send(pages[seat], len(game.moves), game.title.action_to_json(action))
        game.apply(action)
    assert game.result is not None
    scores = [
        game.title.voice(Words("en", game.names)).written_score(one) for one in game.result.scores
    ]
    for page in pages:
        expect(page.locator("#live")).to_have_attribute("data-status", "finished")
        for score in scores:
            expect(page.locator(".ranking")).to_contain_text(score)
