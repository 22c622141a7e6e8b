"""What of a ranking is worth telling a person: differences that are more than noise."""

from __future__ import annotations

import random
from collections.abc import Sequence

from kursbuch.core.game import View

#: A difference counts from this part of what the best action gains over the mean of all.
OF_SPREAD = 0.1

#: And from this part of what the player in front is worth: evaluations are not better than that.
OF_WORTH = 0.01


def noise(view: View, values: Sequence[float]) -> float:
    """Actions of a ranking whose values differ by less than this are about equal."""
    spread = max(values) - sum(values) / len(values)
    state = view.determinize(random.Random(0)).state
    worth = max(abs(value) for value in view.title.judge.evaluate(state))
    return max(OF_SPREAD * spread, OF_WORTH * worth)


def rounded(value: float) -> int:
    """A difference with two figures: more would pretend to know better.

    >>> rounded(1234.5), rounded(96.2), rounded(0.3)
    (1200, 96, 0)
    """
    whole = round(value)
    unit: int = 10 ** max(0, len(str(abs(whole))) - 2)
    return round(whole / unit) * unit
