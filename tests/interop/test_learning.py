"""The example that learns: what it makes of positions and games."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy", reason="NumPy is not installed: kursbuch[pettingzoo]")

import numpy as np

import kursbuch
from examples.learn_rocket import Features, Job, LearnedBot, fitted, learn_from, parts
from kursbuch.rocket import Rocket


def test_majorities_are_parted_as_in_the_book() -> None:
    assert [now for now, _ in parts((3, 1))] == [1.0, 0.5]
    assert [now for now, _ in parts((2, 2, 1))] == [0.75, 0.75, 0.0]
    assert parts((0, 0)) == ((0.0, 0.0), (0.0, 0.0))


def test_positions_count_for_the_player_who_is_ahead_in_them() -> None:
    title = kursbuch.title("rocket")
    assert isinstance(title, Rocket)
    game = kursbuch.new("rocket", ["Anna", "Bernd"], seed=7)
    features = Features(title.boards.usual)
    before = features.of(game.state)
    assert np.array_equal(before[0], before[1])
    game.apply(game.parse("Anna takes Manchester"))
    after = features.of(game.state)
    assert (after[0] >= after[1]).all()
    assert after[0].sum() > after[1].sum()


def test_weights_learned_from_games_choose_legal_actions() -> None:
    samples = [learn_from(Job(seed, 2, None)) for seed in range(3)]
    weights = fitted(samples)
    assert weights.shape == (samples[0].rows.shape[1],)
    assert np.isfinite(weights).all()
    # Who has money at the end has won: no other number says as much.
    rows, scores = np.vstack([s.rows for s in samples]), np.concatenate([s.scores for s in samples])
    assert np.corrcoef(rows @ weights, scores)[0, 1] > 0.5
    game = kursbuch.new("rocket", ["Anna", "Bernd"], seed=7)
    seat = game.pending[0].seat
    game.apply(LearnedBot(weights, 1).choose(game.view(seat)))
