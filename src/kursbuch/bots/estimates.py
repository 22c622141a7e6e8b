"""Estimates from samples: rates and means with confidence intervals, and significant differences."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from statistics import mean, stdev, variance

import msgspec

from kursbuch.core.game import View

#: 97.5 % quantile of the normal distribution.
Z = 1.959964


class Estimate(msgspec.Struct, frozen=True):
    """A value with its interval, None if the sample is too small."""

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
    """A rate with its Wilson interval.

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
    """A rate from clusters of dependent games: the share of each cluster and the total number of games. The interval
    is that of the equivalent number of independent games, at most the number played.

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
    """The mean of independent values with its Student interval.

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
    """Mean difference of paired values and its standard error; for a single pair the error is the difference itself.

    >>> found, error = lead([3.0, 5.0, 4.0], [2.0, 2.0, 2.0])
    >>> found, round(error, 3)
    (2.0, 0.577)
    """
    ahead = [one - other for one, other in zip(ones, others, strict=True)]
    error = standard_error(ahead) if len(ahead) > 1 else abs(ahead[0])
    return mean(ahead), error


def standard_error(values: Sequence[float]) -> float:
    """Standard error of the mean of at least two independent values."""
    return stdev(values) / math.sqrt(len(values))


def student(freedom: int) -> float:
    """97.5 % quantile of Student's distribution.

    >>> [round(student(freedom), 2) for freedom in (1, 2, 3, 5, 10, 30, 1000)]
    [12.71, 4.3, 3.18, 2.57, 2.23, 2.04, 1.96]
    """
    if freedom <= 3:
        return (12.706, 4.303, 3.182)[freedom - 1]
    # Cornish-Fisher expansion.
    first = (Z**3 + Z) / 4
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    third = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    return Z + first / freedom + second / freedom**2 + third / freedom**3


#: Minimum significant difference as a share of the best action's gain over the mean.
NOISE_OF_SPREAD = 0.1

#: The same as a share of the leader's worth, the accuracy of evaluations.
NOISE_OF_WORTH = 0.01


def noise(view: View, values: Sequence[float]) -> float:
    """Difference in values below which actions count as equal."""
    spread = max(values) - sum(values) / len(values)
    return max(NOISE_OF_SPREAD * spread, NOISE_OF_WORTH * max(_worths(view)))


#: Largest credible difference as a share of what the players expect on average.
CREDIBLE = 1 / 3


def credible(view: View) -> float:
    """Difference in values above which an estimate says only which action is better."""
    return CREDIBLE * mean(_worths(view))


def _worths(view: View) -> list[float]:
    """Value of the position for each seat, regardless of sign."""
    state = view.determinize(random.Random(0)).state
    return [abs(value) for value in view.title.evaluator.evaluate(state)]


def rounded(value: float) -> int:
    """Round a difference to two significant digits.

    >>> rounded(1234.5), rounded(96.2), rounded(0.3)
    (1200, 96, 0)
    """
    whole = round(value)
    unit: int = 10 ** max(0, len(str(abs(whole))) - 2)
    return round(whole / unit) * unit
