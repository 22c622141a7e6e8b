"""Plans that are played out: where the budget goes, and when the judgement's choice is left."""

from __future__ import annotations

import random

import pytest

import kursbuch
from kursbuch.bots import mcts
from kursbuch.bots.bot import candidates
from kursbuch.bots.mcts import PlanSearch
from kursbuch.core.actions import Action
from kursbuch.core.evaluator import Plan

GAME = kursbuch.new("rocket", ["Anna", "Bernd"], "7")
VIEW = GAME.view(GAME.pending[0].seat)
ACTIONS = candidates(VIEW.legal_actions(), VIEW)[:8]


class Known(PlanSearch):
    """Plans whose games end as is known, but for luck that is the same for all, and some that is not."""

    def __init__(self, worths: dict[Action, float], budget: int, luck: float = 0.0) -> None:
        super().__init__(VIEW, 0, random.Random(1), lambda played: played / budget)
        self.worths = worths
        self.luck = luck
        self.games: dict[Action, int] = dict.fromkeys(worths, 0)

    def value(self, plan: Plan, seed: int) -> float | None:
        self.games[plan.first] += 1
        common = random.Random(seed).gauss(0, 1000)
        own = random.Random(f"{seed} {ACTIONS.index(plan.first)}").gauss(0, self.luck)
        return self.worths[plan.first] + common + own

    def chosen(self) -> Action:
        gains = {action: -float(n) for n, action in enumerate(self.worths)}
        plans = [Plan((action,)) for action in self.worths]
        return self.ranking(gains, list(self.worths), plans)[0].action


def test_every_halving_of_the_plans_has_the_same_part_of_the_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mcts, "BEHIND", 100.0)
    worths = {action: float(n) for n, action in enumerate(ACTIONS)}
    search = Known(worths, 72, luck=1000.0)
    search.chosen()
    # A third for the judgement's choice and seven others, a third for it and the better four, and what
    # is left for it and two.
    counts = sorted(search.games[action] for action in ACTIONS)
    assert counts == [3, 3, 3, 8, 8, 16, 16, 16]
    assert search.games[ACTIONS[0]] == 16


def test_the_best_plan_is_found_through_luck() -> None:
    found = 0
    for good in ACTIONS[1:]:
        worths = {action: 500.0 * (action == good) for action in ACTIONS}
        found += Known(worths, 100, luck=300.0).chosen() == good
    assert found >= 6


@pytest.mark.parametrize(("more", "left"), [(-50.0, False), (0.0, False), (500.0, True)])
def test_the_choice_of_the_judgement_is_left_only_for_what_is_better(
    more: float, left: bool
) -> None:
    usual, other = ACTIONS[:2]
    search = Known({usual: 0.0, other: more}, 1000)
    assert (search.chosen() == other) is left


def test_two_playouts_decide_nothing() -> None:
    usual, other = ACTIONS[:2]
    assert Known({usual: 0.0, other: 500.0}, 4).chosen() == usual


def test_few_playouts_that_agree_by_accident_decide_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mcts, "BEHIND", 100.0)
    usual, steady, wild = ACTIONS[:3]

    class Uneven(Known):
        def value(self, plan: Plan, seed: int) -> float | None:
            self.luck = 20_000.0 if plan.first == wild else 0.0
            return super().value(plan, seed)

    worths = {usual: 0.0, steady: 1_000.0, wild: -1e6}
    assert Uneven(worths, 12).chosen() == usual
    assert Known(worths, 12).chosen() == steady


def test_what_makes_no_difference_is_not_played_on() -> None:
    usual, other = ACTIONS[:2]
    search = Known({usual: 0.0, other: 0.0}, 1000)
    search.chosen()
    assert search.played == 6


def test_without_time_the_judgement_decides() -> None:
    search = PlanSearch(VIEW, 0, random.Random(1), lambda played: 1.0)
    gains = {action: -float(n) for n, action in enumerate(ACTIONS)}
    found = search.ranking(gains, ACTIONS, [Plan((action,)) for action in ACTIONS])
    assert [(each.action, each.value) for each in found] == [*gains.items()]
