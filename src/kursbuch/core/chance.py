"""Chance from one secret seed and a public counter, through SHA-256.

The same seed gives the same game on every machine and Python version. The hash of the seed is
public from the start of a game (`commitment`); with the seed itself anybody can check every draw
afterwards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Protocol

from kursbuch.core.errors import KursbuchError


def commitment(seed: str) -> str:
    """The public hash of a seed.

    >>> commitment("7")[:16]
    'ea99299463a1410c'
    """
    return hashlib.sha256(f"kursbuch seed {seed}".encode()).hexdigest()


def draw(seed: str, counter: int, sides: int) -> int:
    """The draw number `counter` of a game: a whole number from 0 to `sides` - 1, each equally likely.

    Values above the largest multiple of `sides` are drawn again, so there is no bias.

    >>> [draw("7", n, 6) for n in range(8)]
    [4, 3, 5, 1, 0, 3, 5, 2]
    """
    if sides < 1:
        raise ValueError("a draw needs at least one outcome")
    limit = (1 << 64) // sides * sides
    attempt = 0
    while True:
        digest = hashlib.sha256(f"kursbuch draw {seed} {counter} {attempt}".encode()).digest()
        value = int.from_bytes(digest[:8], "big")
        if value < limit:
            return value % sides
        attempt += 1


class WrongDraw(KursbuchError):
    """A draw of a record that cannot be the game's; `number` is which one, from 0."""

    def __init__(self, number: int, template: str, /, **params: object) -> None:
        super().__init__(template, number=number + 1, **params)
        self.number = number


class Chance(Protocol):
    """Where a game's draws come from."""

    def draw(self, counter: int, sides: int) -> int:
        """Draw number `counter`, from 0 to `sides` - 1."""


class SeededChance:
    """Draws computed from the seed."""

    def __init__(self, seed: str) -> None:
        self.seed = seed

    def draw(self, counter: int, sides: int) -> int:
        return draw(self.seed, counter, sides)


class RecordedChance:
    """Draws read from a record, for replaying without the seed."""

    def __init__(self, draws: Sequence[tuple[int, int]]) -> None:
        self.draws = list(draws)

    def draw(self, counter: int, sides: int) -> int:
        if counter >= len(self.draws):
            raise WrongDraw(
                counter, "The record has no draw number {number}, which the game needs here."
            )
        value, recorded_sides = self.draws[counter]
        if recorded_sides != sides:
            raise WrongDraw(
                counter,
                "Draw number {number} of the record is one of {recorded}, but the game draws one of {sides} here.",
                recorded=recorded_sides,
                sides=sides,
            )
        if not 0 <= value < sides:
            raise WrongDraw(
                counter,
                "Draw number {number} of the record is {value}, which is not from 1 to {sides}.",
                value=value + 1,
                sides=sides,
            )
        return value


class ContinuedChance(RecordedChance):
    """Recorded draws, and those after them computed from a seed: the chance of a game that goes on where
    another one was copied.

    >>> [ContinuedChance([(5, 6)], "7").draw(number, 6) for number in range(3)]
    [5, 3, 5]
    """

    def __init__(self, draws: Sequence[tuple[int, int]], seed: str) -> None:
        super().__init__(draws)
        self.seed = seed

    def draw(self, counter: int, sides: int) -> int:
        if counter < len(self.draws):
            return super().draw(counter, sides)
        return draw(self.seed, counter, sides)
