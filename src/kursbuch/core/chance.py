"""Random draws from a secret seed and a public counter, by SHA-256.

A seed gives the same game on every machine and Python version. Its hash is public from the start (`commitment`), so
that anyone can check every draw once the seed is revealed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Protocol

from kursbuch.core.errors import KursbuchError


def commitment(seed: str) -> str:
    """Public hash of a seed.

    >>> commitment("7")[:16]
    'ea99299463a1410c'
    """
    return hashlib.sha256(f"kursbuch seed {seed}".encode()).hexdigest()


def draw(seed: str, counter: int, sides: int) -> int:
    """Draw number `counter` of a game: uniform from 0 to `sides` - 1.

    Values at or above the largest multiple of `sides` are redrawn to avoid bias.

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
    """A recorded draw that the game cannot have made; `number` counts from 0."""

    def __init__(self, number: int, template: str, /, **params: object) -> None:
        super().__init__(template, number=number + 1, **params)
        self.number = number


class Chance(Protocol):
    """Source of a game's draws."""

    def draw(self, counter: int, sides: int) -> int:
        """Draw number `counter`, from 0 to `sides` - 1."""


class SeededChance:
    """Draws computed from a seed."""

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
    """Recorded draws followed by draws from a seed, for a game copied from another.

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
