"""The example that learns: what it makes of games."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy", reason="NumPy is not installed: kursbuch[pettingzoo]")

import numpy as np

import kursbuch
from examples.learn_rocket import Job, LearnedBot, fitted, interval, learn_from, main, match
from kursbuch.games.rocket.prospects import NAMES


def test_weights_learned_from_games_choose_legal_actions() -> None:
    samples = [learn_from(Job(seed, 2, None)) for seed in range(3)]
    weights = fitted(samples)
    assert len(weights.last) == len(weights.first) == len(NAMES)
    rows, gained = np.vstack([s.rows for s in samples]), np.concatenate([s.gained for s in samples])
    expected = rows @ np.array([*weights.last, *weights.first])
    assert np.corrcoef(expected, gained)[0, 1] > 0.5
    # What one of two players gains more, the other gains less.
    assert gained[0::2] == pytest.approx(-gained[1::2])
    game = kursbuch.new("rocket", ["Anna", "Bernd"], seed=7)
    seat = game.pending[0].seat
    game.apply(LearnedBot(2, weights, 1).choose(game.view(seat)))
    assert match(Job(0, 2, weights)) in {0.0, 0.5, 1.0}


def test_the_same_game_is_learned_from_the_same() -> None:
    first, second = (learn_from(Job(4, 3, None)) for _ in range(2))
    assert np.array_equal(first.rows, second.rows)
    assert np.array_equal(first.gained, second.gained)


def test_the_interval_holds_the_share() -> None:
    low, high = interval(30, 40)
    assert 0.59 < low < 0.75 < high < 0.87


def test_the_script_says_what_came_out(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--minutes", "0", "--batch", "2", "--games", "2", "--processes", "1"]
    assert 0 <= main(options) <= 1
    assert capsys.readouterr().out.startswith("2 games learned from")
