"""Tallies explain what playouts are worth: money paid and expected, by source, adds up to it."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

import kursbuch
from kursbuch.bots import make
from kursbuch.bots.review.positions import PlayoutResult, Playouts
from tests.bot_games import played_out


@pytest.mark.parametrize("title", ["rocket", "nimm", "dice"])
def test_a_tally_adds_up_to_the_values_of_its_playout(title: str) -> None:
    """Compared between players: what all have alike is no one's reason."""
    game = kursbuch.new(title, ["Anna", "Bernd", "Clara"], seed=3)
    played_out(game, [make("greedy", seat) for seat in range(3)])
    for part in (0.1, 0.4, 0.7, 0.95):
        number = round(part * len(game.moves))
        seat = game.moves[number].action.seat
        view = game.branch(number).view(seat)
        playouts = Playouts(view, knower=seat)
        unexplained = []
        for seed in range(2):
            rng = random.Random(seed)
            position = view.determinize(rng)
            before = [worth or 0 for worth in game.title.worth(position.state)]
            unexplained.append(_unexplained(playouts.run(position, rng), before))
        assert unexplained[0] == pytest.approx(unexplained[1], abs=1e-6)


def _unexplained(future: PlayoutResult, before: list[int]) -> list[float]:
    """What each player gained over the next beyond the money of the tally."""
    money = future.tally.money.values()
    gained = [
        value - worth - sum(row[seat] for row in money)
        for seat, (value, worth) in enumerate(zip(future.values, before, strict=True))
    ]
    return [one - two for one, two in pairwise(gained)]
