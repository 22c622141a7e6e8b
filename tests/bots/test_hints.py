"""Hints tell only differences that are more than noise."""

from __future__ import annotations

import kursbuch
from kursbuch.bots import estimates, make
from kursbuch.core.game import View


def view() -> View:
    """Early in a game."""
    game = kursbuch.new("rocket", ["Anna", "Bernd"], seed=7)
    bot = make("greedy", 1)
    for _ in range(8):
        game.apply(bot.choose(game.view(game.pending[0].seat)))
    return game.view(game.pending[0].seat)


def test_small_differences_are_noise() -> None:
    start = view()
    # Most actions are far worse: fifty makes no difference.
    assert 500 < estimates.noise(start, [10_000, 9_950] + [0] * 20) < 1_500
    # Two that are nearly equal have no spread to be measured by, but a size.
    assert estimates.noise(start, [5.0, 0.0]) > 5.0
    # Real differences between a few stay.
    assert estimates.noise(start, [3000.0, 0.0]) < 3000


def test_one_action_alone() -> None:
    assert estimates.noise(view(), [12.0]) >= 0


def test_differences_are_rounded() -> None:
    assert [estimates.rounded(value) for value in (0.4, 7.0, 148.0, 1860.0, -1860.0)] == [
        0,
        7,
        150,
        1900,
        -1900,
    ]
