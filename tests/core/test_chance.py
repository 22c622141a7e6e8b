"""Chance: fair, reproducible, promised by a hash."""

from __future__ import annotations

from collections import Counter

import pytest

from kursbuch.core.chance import RecordedChance, SeededChance, commitment, draw
from kursbuch.core.errors import KursbuchError


@pytest.mark.parametrize("sides", [2, 3, 6, 7, 100])
def test_draws_are_uniform(sides: int) -> None:
    rolls = 400 * sides if sides < 10 else 60 * sides
    counts = Counter(draw("uniform", number, sides) for number in range(rolls))
    assert set(counts) <= set(range(sides))
    expected = rolls / sides
    chi_squared = sum((counts[side] - expected) ** 2 / expected for side in range(sides))
    assert chi_squared < sides - 1 + 5 * (2 * (sides - 1)) ** 0.5


def test_same_seed_same_draws() -> None:
    assert [draw("7", n, 6) for n in range(8)] == [4, 3, 5, 1, 0, 3, 5, 2]
    assert [draw("8", n, 6) for n in range(8)] != [draw("7", n, 6) for n in range(8)]
    assert SeededChance("7").draw(2, 6) == 5


def test_a_single_outcome_and_none() -> None:
    assert draw("7", 0, 1) == 0
    with pytest.raises(ValueError, match="at least one outcome"):
        draw("7", 0, 0)


def test_large_numbers_of_outcomes() -> None:
    sides = (1 << 63) + 1  # almost half of all values are drawn again
    drawn = {draw("large", number, sides) for number in range(50)}
    assert len(drawn) == 50
    assert all(0 <= value < sides for value in drawn)


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    assert len(commitment("7")) == 64
    assert commitment("7") == commitment("7")
    assert len({commitment(str(seed)) for seed in range(100)}) == 100
    assert "7" * 8 not in commitment("77777777")


def test_recorded_draws_are_replayed() -> None:
    chance = RecordedChance([(3, 6), (0, 2)])
    assert (chance.draw(0, 6), chance.draw(1, 2)) == (3, 0)


@pytest.mark.parametrize(
    ("draws", "sentence"),
    [
        ([], "The record has no draw number 1, which the game needs here."),
        (
            [(0, 4)],
            ("Draw number 1 of the record is one out of 4, but here the game draws one out of 2."),
        ),
        ([(2, 2)], "Draw number 1 of the record is 3, which is not between 1 and 2."),
        ([(-1, 2)], "Draw number 1 of the record is 0, which is not between 1 and 2."),
    ],
)
def test_recorded_draws_that_do_not_fit(draws: list[tuple[int, int]], sentence: str) -> None:
    with pytest.raises(KursbuchError) as error:
        RecordedChance(draws).draw(0, 2)
    assert str(error.value) == sentence
