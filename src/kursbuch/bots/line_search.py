"""A search that plays whole plans out to the end of the game, for titles that can imagine it quickly.

A plan is one action, or several of the same player that make sense only together. In every round all
plans that are left are played out by the same course, so that their differences show after few games.
Plans that fall behind are dropped: the worse half whenever an equal part of the budget is used up. What the
judgement alone would do is kept unless a plan is clearly better.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from statistics import mean

from kursbuch.bots.bot import Ranked, advantage
from kursbuch.bots.estimates import lead
from kursbuch.bots.playouts import play_out, reply
from kursbuch.core.actions import Action
from kursbuch.core.game import View

Line = tuple[Action, ...]

#: From so many rounds on a plan is dropped that is surely no better than the judgement's choice.
SEEN = 3

#: The judgement's own choice is left only for what gains more by this part of what the player has, and by
#: so many standard errors.
OF_WORTH = 0.006
SURELY = 1.0

#: A plan that never differs from the judgement's choice by more than that is about equal.
EQUAL = 1e-9


class LineSearch:
    """The search for one decision. `used` says which part of the budget is used up when so many games
    have been imagined; what the view hides is guessed anew for every one of them."""

    def __init__(
        self, view: View, seat: int, rng: random.Random, used: Callable[[int], float]
    ) -> None:
        self.view = view
        self.seat = seat
        self.rng = rng
        self.used = used
        #: How many games have been imagined.
        self.played = 0

    def ranking(
        self, gains: Mapping[Action, float], order: Sequence[Action], plans: Sequence[Line]
    ) -> list[Ranked]:
        """All actions, best first, with what they are worth as far as it was found out; `plans` begins
        with the judgement's own choice."""
        totals = self._play_out(plans)
        chosen = self._chosen(plans, totals)
        own = totals[plans[0]]
        if not own:
            return [Ranked(action, gains[action]) for action in order]
        seen: dict[Action, float] = {}
        for plan, values in totals.items():
            if values:
                # What was dropped early is measured against what the judgement's choice came to then.
                behind = mean(values) - mean(own[: len(values)])
                value = mean(own) + behind
                seen[plan[0]] = max(value, seen.get(plan[0], value))
        best = seen[chosen[0]]
        found = [Ranked(chosen[0], best)]
        rest = {action: min(value, best) for action, value in seen.items() if action != chosen[0]}
        found += [Ranked(action, rest[action]) for action in sorted(rest, key=lambda a: -rest[a])]
        least = found[-1].value
        top = gains[order[0]]
        found += [
            Ranked(action, least + min(gains[action] - top, 0.0))
            for action in order
            if action not in seen
        ]
        return found

    def _chosen(self, plans: Sequence[Line], totals: Mapping[Line, list[float]]) -> Line:
        """The best of the plans that were played out to the last, if it is clearly better than the
        judgement's choice."""
        own = totals[plans[0]]
        rounds = len(own)
        last = [plan for plan in plans[1:] if len(totals[plan]) == rounds]
        if not last or rounds < 2:
            return plans[0]
        best = max(last, key=lambda plan: sum(totals[plan]))
        ahead, error = lead(totals[best], own)
        scores = self.view.title.scores(self.view.state)
        needed = max(OF_WORTH * max(scores), SURELY * error)
        return best if ahead > needed else plans[0]

    def _play_out(self, plans: Sequence[Line]) -> dict[Line, list[float]]:
        """The values of the games imagined for every plan. With every halving of the plans that are left
        the same part of the budget is used."""
        totals: dict[Line, list[float]] = {plan: [] for plan in plans}
        left, parts = list(plans), max(1, (len(plans) - 1).bit_length())
        halved = rounds = 0
        while len(left) > 1 and not self._late():
            seed = self.rng.getrandbits(64)
            values = {}
            for plan in left:
                value = self._value(plan, seed)
                if value is None:
                    return totals
                values[plan] = value
            self.played += len(left)
            for plan, value in values.items():
                totals[plan].append(value)
            rounds += 1
            if rounds >= SEEN:
                left = [left[0], *(plan for plan in left[1:] if self._open(totals, left, plan))]
            while halved < min(parts - 1, int(self.used(self.played) * parts)):
                halved += 1
                others = sorted(left[1:], key=lambda plan: -sum(totals[plan]))
                left = [left[0], *others[: len(plans) >> halved]]
        return totals

    def _late(self) -> bool:
        return self.used(self.played) >= 1

    def _open(self, totals: Mapping[Line, list[float]], left: Sequence[Line], plan: Line) -> bool:
        """Whether a plan may still turn out better than the judgement's choice."""
        ahead, error = lead(totals[plan], totals[left[0]])
        return error > EQUAL and ahead > -2 * error

    def _value(self, plan: Line, seed: int) -> float | None:
        """What a plan comes to in one imagined game; None if time is up."""
        rng = random.Random(seed)
        after = self.view.determinize(rng)
        course = after.title.judge.course(after.state, rng)
        assert course is not None
        for action in plan:
            while not after.over and after.deciders()[0] != self.seat:
                seat = after.deciders()[0]
                after.perform(reply(after, seat, course))
            if after.over or after.problem(action) is not None:
                break
            after.perform(action)
        if not play_out(after, course, self._late):
            return None
        result = after.result
        assert result is not None
        return advantage(result.scores, self.seat)
