"""Estimates from samples: rates and means with their intervals, and which differences count."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from statistics import mean, stdev, variance

import msgspec

from kursbuch.core.game import View

#: The quantile of the normal distribution that leaves 2.5 % above it.
Z = 1.959964


class Estimate(msgspec.Struct, frozen=True):
    """A value and its interval, which is missing where the sample is too small for one."""

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def reach(self) -> float:
        """Half the width of the interval."""
        if self.low is None or self.high is None:
            return math.inf
        return (self.high - self.low) / 2


def rate(wins: float, games: float) -> Estimate:
    """A rate with its interval (Wilson).

    >>> found = rate(190, 200)
    >>> round(found.low, 3), round(found.high, 3)
    (0.91, 0.973)
    """
    if not games:
        return Estimate(0.0)
    share = wins / games
    middle = share + Z * Z / (2 * games)
    reach = Z * math.sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    whole = 1 + Z * Z / games
    return Estimate(share, max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole))


def clustered_rate(shares: Sequence[float], games: int) -> Estimate:
    """A rate from groups of games that have something in common: the share of every group, and the
    number of games in all. The interval is that of as many independent games as tell as much, but of
    no more than were played.

    >>> clustered_rate([0.5, 0.5, 0.5], 6) == rate(3, 6)
    True
    >>> clustered_rate([0.0, 1.0, 1.0, 0.0], 8) == rate(4 * 3 / 8, 3)
    True
    """
    share = mean(shares)
    worth = float(games)
    if len(shares) > 1 and 0 < share < 1:
        spread = variance(shares) / len(shares)
        if spread > 0:
            worth = min(worth, share * (1 - share) / spread)
    return rate(share * worth, worth)


def average(values: Sequence[float]) -> Estimate:
    """The mean of independent values with its interval (Student).

    >>> found = average([1.0, 2.0, 3.0, 4.0, 5.0])
    >>> found.value, round(found.low, 2), round(found.high, 2)
    (3.0, 1.04, 4.96)
    """
    middle = mean(values)
    if len(values) < 2:
        return Estimate(middle)
    reach = student(len(values) - 1) * math.sqrt(variance(values) / len(values))
    return Estimate(middle, middle - reach, middle + reach)


def lead(ones: Sequence[float], others: Sequence[float]) -> tuple[float, float]:
    """By how much the first of two rows of paired values is ahead on average, and the standard error of that;
    of one pair, which tells nothing of it, as much as it is ahead.

    >>> found, error = lead([3.0, 5.0, 4.0], [2.0, 2.0, 2.0])
    >>> found, round(error, 3)
    (2.0, 0.577)
    """
    ahead = [one - other for one, other in zip(ones, others, strict=True)]
    error = standard_error(ahead) if len(ahead) > 1 else abs(ahead[0])
    return mean(ahead), error


def standard_error(values: Sequence[float]) -> float:
    """That of the mean of two and more independent values."""
    return stdev(values) / math.sqrt(len(values))


def student(freedom: int) -> float:
    """The quantile of Student's distribution that leaves 2.5 % above it.

    >>> [round(student(freedom), 2) for freedom in (1, 2, 3, 5, 10, 30, 1000)]
    [12.71, 4.3, 3.18, 2.57, 2.23, 2.04, 1.96]
    """
    if freedom <= 3:
        return (12.706, 4.303, 3.182)[freedom - 1]
    # The expansion of Cornish and Fisher.
    first = (Z**3 + Z) / 4
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    third = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    return Z + first / freedom + second / freedom**2 + third / freedom**3


#: A difference counts from this part of what the best action gains over the mean of all.
NOISE_OF_SPREAD = 0.1

#: And from this part of what the player in front is worth: evaluations are not better than that.
NOISE_OF_WORTH = 0.01


def noise(view: View, values: Sequence[float]) -> float:
    """Actions of a ranking whose values differ by less than this are about equal."""
    spread = max(values) - sum(values) / len(values)
    state = view.determinize(random.Random(0)).state
    worth = max(abs(value) for value in view.title.judge.evaluate(state))
    return max(NOISE_OF_SPREAD * spread, NOISE_OF_WORTH * worth)


def rounded(value: float) -> int:
    """A difference with two figures: more would pretend to know better.

    >>> rounded(1234.5), rounded(96.2), rounded(0.3)
    (1200, 96, 0)
    """
    whole = round(value)
    unit: int = 10 ** max(0, len(str(abs(whole))) - 2)
    return round(whole / unit) * unit
