"""Which values count as good as the best one."""

from __future__ import annotations

import random
import sys
from itertools import chain

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kursbuch.bots.bot import EQUAL, GreedyBot, Ranked, leeway, nearly_best
from kursbuch.bots.game_tree import EQUAL as FOLLOWED
from kursbuch.bots.playouts import LEEWAY, evaluated_reply
from tests.bots.test_bots import random_game

PARTS = (EQUAL, LEEWAY, FOLLOWED)

numbers = st.floats(allow_nan=False, allow_infinity=False)
repeated = st.builds(lambda value, count: [value] * count, numbers, st.integers(1, 400))
several = st.lists(repeated, min_size=1, max_size=3).map(
    lambda runs: list(chain.from_iterable(runs))
)

#: So often a value whose mean comes out above it.
EQUALS = [0.1] * 293


@given(st.one_of(repeated, several, st.lists(numbers, min_size=1)), st.sampled_from(PARTS))
@example(EQUALS, EQUAL)
@example([sys.float_info.max, -sys.float_info.max], LEEWAY)
@example([-sys.float_info.max] * 300, LEEWAY)
def test_the_best_values_always_count(values: list[float], part: float) -> None:
    found = nearly_best(range(len(values)), values, part)
    assert found == sorted(set(found))
    assert {place for place, value in enumerate(values) if value == max(values)} <= set(found)
    assert leeway(values, part) >= 0
    left = [value for place, value in enumerate(values) if place not in found]
    assert not left or max(left) < min(values[place] for place in found)


@given(numbers, st.integers(1, 400), st.sampled_from(PARTS))
@example(EQUALS[0], len(EQUALS), EQUAL)
def test_equal_values_all_count(value: float, count: int, part: float) -> None:
    assert nearly_best(range(count), [value] * count, part) == list(range(count))


def test_what_falls_behind_too_far_does_not_count() -> None:
    # The mean is 50: a part of 0.15 are 7.5.
    assert nearly_best("abcd", [100, 93, 7, 0], 0.15) == ["a", "b"]
    assert nearly_best("abcd", [100, 92, 8, 0], 0.15) == ["a"]


def test_opponents_choose_among_equal_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as there are in a position of 1853 with contracts of any price."""
    game = random_game(1, 10, 3)
    view = game.view(game.pending[0].seat)
    action = view.legal_actions()[0].action
    bot = GreedyBot(1)
    monkeypatch.setattr(bot, "rank", lambda view: [Ranked(action, value) for value in EQUALS])
    assert bot.choose(view) == action
    monkeypatch.setattr(
        "kursbuch.bots.playouts._evaluated", lambda position, seat: ([action] * 293, EQUALS)
    )
    assert evaluated_reply(game.position, view.seat or 0, random.Random(1)) == action
