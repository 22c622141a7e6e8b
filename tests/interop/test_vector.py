"""Many games side by side: every row is what the seat that chooses may know, as it sees the table."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import kursbuch
from kursbuch.games.g18xx.components import PLAYERS
from kursbuch.interop.vector import LARGE, Relative, VectorEnv

TITLES = sorted(kursbuch.titles())


def chosen(masks: Any, rng: random.Random) -> Any:
    """A random legal token of every game; any for those that are over."""
    return np.array([rng.choice([*np.flatnonzero(mask)] or [0]) for mask in masks])


@pytest.mark.parametrize("title", TITLES)
def test_rows_are_observations_relative_to_the_seat_that_chooses(title: str) -> None:
    rng = random.Random(title)
    games = VectorEnv(title, 3, kursbuch.title(title).seats[-1])
    table = games.table
    names = PLAYERS if title.startswith("18") else [str(seat) for seat in range(10)]
    observations, infos = games.reset(seed=4)
    items = games.games[0].position.state.ledger.items
    item = next(item for item in items if names[0] in table.arrays.encoding.holders(item))
    asked, ledger = table.part("asked"), table.part(f"ledger {item}")
    holders = list(table.arrays.encoding.holders(item))
    seats = set()
    for _ in range(60):
        for number, game in enumerate(games.games):
            row, seat = observations["observation"][number], int(infos["seat"][number])
            if game.over:
                continue
            seats.add(seat)
            assert seat == game.seat
            assert tuple(np.flatnonzero(observations["action_mask"][number])) == game.legal
            assert row[0] == 0
            assert [*row[asked]] == [1] + [0] * (table.players - 1)
            view = title_view(game, seat)
            for after in range(table.players):
                holder = names[(seat + after) % table.players]
                have = view.ledger.items[item].get(holder, 0)
                shown = row[ledger][holders.index(names[after])]
                assert shown == pytest.approx(np.log1p(have) / np.log1p(LARGE))
            whole = np.empty(table.size, np.float32)
            Relative(table).write(np.frombuffer(game.observe(seat), np.int32), whole)
            assert np.allclose(whole, row, atol=1e-6)
            mask = observations["action_mask"][number]
            assert games.single_observation_space.contains(
                {"observation": row, "action_mask": mask}
            )
        observations, _, _, _, infos = games.step(chosen(observations["action_mask"], rng))
    assert len(seats) > 1


def title_view(game: Any, seat: int) -> Any:
    return game.table.title.view(game.position.state, seat)


def test_numbers_of_a_seat_are_counted_from_the_viewer() -> None:
    games = VectorEnv("nimm", 1, 3)
    observations, _ = games.reset(seed=1)
    rng, relative, table = random.Random(1), Relative(games.table), games.table
    start = table.part("start")
    for _ in range(40):
        game = games.games[0]
        for seat in range(3):
            numbers = np.frombuffer(game.observe(seat), np.int32)
            row = np.empty(table.size, np.float32)
            relative.write(numbers, row)
            first = int(numbers[start][0])
            assert row[start][0] == pytest.approx((first - seat) % 3 / 3)
        observations, *_ = games.step(chosen(observations["action_mask"], rng))


def test_a_game_that_is_over_is_followed_by_the_next() -> None:
    games = VectorEnv("rocket", 2, most_decisions=300)
    rng = random.Random(3)
    observations, infos = games.reset(seed=3)
    ended = [0, 0]
    before = [False, False]
    while min(ended) < 2:
        seats = infos["seat"]
        observations, rewards, terminated, truncated, infos = games.step(
            chosen(observations["action_mask"], rng)
        )
        for number in range(2):
            over = bool(terminated[number] or truncated[number])
            assert not (over and before[number])
            if over:
                ended[number] += 1
                assert infos["returns"][number].sum() == pytest.approx(0)
                assert rewards[number] == infos["returns"][number, seats[number]]
                assert not observations["action_mask"][number].any()
            elif before[number]:
                assert games.games[number].decisions == 0
                assert rewards[number] == 0
            before[number] = over


def test_the_same_seed_gives_the_same_games_of_which_none_are_equal() -> None:
    rows = []
    for _ in range(2):
        games, rng = VectorEnv("nimm", 4), random.Random(5)
        observations, _ = games.reset(seed=5)
        for _ in range(30):
            observations, *_ = games.step(chosen(observations["action_mask"], rng))
        rows.append(observations["observation"])
    assert (rows[0] == rows[1]).all()
    assert len({row.tobytes() for row in rows[0]}) == 4


def test_what_cannot_be_chosen_is_refused() -> None:
    games = VectorEnv("rocket", 2)
    observations, _ = games.reset(seed=1)
    illegal = int(np.flatnonzero(observations["action_mask"][1] == 0)[0])
    legal = int(np.flatnonzero(observations["action_mask"][0])[0])
    with pytest.raises(ValueError, match="in game 1"):
        games.step(np.array([legal, illegal]))
    with pytest.raises(ValueError, match="at least 1"):
        VectorEnv("rocket", 0)
