"""Search bot: plays out its best actions on positions consistent with its view.

The best actions one step ahead are the branches. Each playout starts from a new guess of the hidden information with
its own chance, and plays every branch on: each seat takes its best action for a fixed number of decisions, then the
position is evaluated. Branches share guesses and chance, so their differences show after few playouts, and have equal
length, since a position is worth more to the player who has just moved. Branches that fall behind are dropped.

A title may have its own playouts (`Evaluator.playout`) of any length. They vary more, so branches are not dropped
after a fixed number and the value one step ahead counts more.

Games that can be played out to the end use `PlanSearch`; two-player games without chance use `Tree`.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from operator import sub
from statistics import mean, variance
from typing import Any

import msgspec

from kursbuch.bots.bot import (
    Bot,
    Ranked,
    advantage,
    candidates,
    decision_seat,
    for_own_place,
    gains,
    is_likely,
    outlook,
    settled,
    varied,
    worthwhile,
)
from kursbuch.bots.estimates import lead
from kursbuch.bots.game_tree import Tree
from kursbuch.bots.playouts import INTERRUPTION, deciding_seats, follow, play_out
from kursbuch.core.actions import Action
from kursbuch.core.evaluator import Plan, Playout
from kursbuch.core.game import View
from kursbuch.core.position import Position

#: Round from which a plan may replace the title's choice, and is dropped once it is this many standard errors behind.
SEEN = 3
BEHIND = 0.5

#: To replace the title's choice, a plan must gain this share of the player's worth and this many standard errors.
OF_WORTH = 0.006
SURELY = 1.0

#: Difference below which a plan counts as the title's choice.
EQUAL = 1e-9


class PlanSearch:
    """The search for the best plan of a decision. `used` returns the share of the budget spent after a number of
    playouts; hidden information is guessed again for each."""

    def __init__(
        self, view: View, seat: int, rng: random.Random, used: Callable[[int], float]
    ) -> None:
        self.view = view
        self.seat = seat
        self.rng = rng
        self.used = used
        #: Number of games played out.
        self.played = 0

    def ranking(
        self, gains: Mapping[Action, float], order: Sequence[Action], plans: Sequence[Plan]
    ) -> list[Ranked]:
        """Rank all actions by the values found, best first; `plans` begins with the title's choice."""
        totals, chosen = self._compare(plans)
        own = totals[plans[0]]
        if not own:
            return [Ranked(action, gains[action]) for action in order]
        seen: dict[Action, Ranked] = {}
        for plan, values in totals.items():
            if values:
                # Plans dropped early are compared over the same playouts.
                value = mean(own) + mean(values) - mean(own[: len(values)])
                if plan == chosen or plan.first not in seen or value > seen[plan.first].value:
                    seen[plan.first] = Ranked(plan.first, value, plan)
        best = seen.pop(chosen.first)
        rest = sorted(seen.values(), key=lambda each: -each.value)
        found = [
            msgspec.structs.replace(best, plan=chosen),
            *(msgspec.structs.replace(each, value=min(each.value, best.value)) for each in rest),
        ]
        least = found[-1].value
        top = gains[order[0]]
        found += [
            Ranked(action, least + min(gains[action] - top, 0.0))
            for action in order
            if action != chosen.first and action not in seen
        ]
        return found

    def best(self, plans: Sequence[Plan]) -> Plan:
        """The best plan; `plans` begins with the title's choice."""
        return self._compare(plans)[1]

    def _compare(self, plans: Sequence[Plan]) -> tuple[dict[Plan, list[float]], Plan]:
        totals = self._play_out(plans)
        return totals, self._chosen(plans, totals)

    def _chosen(self, plans: Sequence[Plan], totals: Mapping[Plan, list[float]]) -> Plan:
        """The best surviving plan if it is clearly better than the title's choice, otherwise that choice."""
        own = totals[plans[0]]
        rounds = len(own)
        last = [plan for plan in plans[1:] if len(totals[plan]) == rounds]
        if not last or rounds < SEEN:
            return plans[0]
        best = max(last, key=lambda plan: sum(totals[plan]))
        ahead, error = lead(totals[best], own)
        # A few playouts may agree by accident: plans of one decision vary about equally.
        error = max(error, _spread(totals.values(), own) / math.sqrt(rounds))
        scores = self.view.title.scores(self.view.state)
        needed = max(OF_WORTH * max(scores), SURELY * error)
        return best if ahead > needed else plans[0]

    def _play_out(self, plans: Sequence[Plan]) -> dict[Plan, list[float]]:
        """Playout values of every plan. The plans are halved repeatedly, each round using an equal part of the
        budget."""
        totals: dict[Plan, list[float]] = {plan: [] for plan in plans}
        left, parts = list(plans), max(1, (len(plans) - 1).bit_length())
        halved = rounds = 0
        while len(left) > 1 and not self._late():
            seed = self.rng.getrandbits(64)
            values = {}
            for plan in left:
                value = self.value(plan, seed)
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

    def _open(self, totals: Mapping[Plan, list[float]], left: Sequence[Plan], plan: Plan) -> bool:
        """Whether a plan may still beat the title's choice clearly."""
        ahead, error = lead(totals[plan], totals[left[0]])
        return error > EQUAL and ahead > -BEHIND * error

    def value(self, plan: Plan, seed: int) -> float | None:
        """Value of a plan in one playout; None if time is up."""
        rng = random.Random(seed)
        after = self.view.determinize(rng)
        policy = after.title.evaluator.playout_policy(after.state, rng)
        assert policy is not None
        follow(after, plan, policy)
        if not play_out(after, policy, self._late) and self._late():
            return None
        # A game without an end counts as it stands.
        return advantage(after.title.scores(after.state), self.seat)


def _spread(found: Iterable[Sequence[float]], own: Sequence[float]) -> float:
    """Standard deviation of the differences from the title's choice, of all other plans together."""
    others = (values for values in found if values is not own and len(values) > 1)
    spreads = [variance(map(sub, values, own)) for values in others]
    return math.sqrt(mean(spreads)) if spreads else 0.0


#: Number of best actions played out.
BRANCHES = 8

#: Playout counts after which the worse half of the branches is dropped.
HALVINGS = (2, 4, 8)

#: Decisions of all seats in a playout, without interruptions.
LENGTH = 5

#: Number of a seat's best known actions evaluated again in a playout.
RECOMPUTED = 10

#: Number of standard errors after which a branch is dropped early, from that playout on; the search ends when one is
#: left.
SEEN_BRANCHES = 12
CLEARLY = 2.5

#: For a title's own playouts: share of the budget after which the worse half of the branches is dropped.
PART = 1 / 3

#: Number of playouts the gain one step ahead counts for in the final choice; second value for a title's own playouts.
CAUTION = 0.5
CAUTION_IMAGINED = 20.0

#: Maximum wall-clock time as a multiple of the CPU budget.
PATIENCE = 3.0


class Budget(msgspec.Struct, frozen=True):
    """Budget of a move: CPU time, or playouts over all branches."""

    seconds: float | None = None
    playouts: int | None = None


class PlayoutBot(Bot):
    """Searches within a budget; nothing is kept between decisions."""

    def __init__(self, budget: Budget, seed: int | None = None, name: str = "mcts") -> None:
        super().__init__(name, seed)
        self.budget = budget

    def choose(self, view: View) -> Action:
        search = Search(self.rng, view, decision_seat(view))
        best = search.ranking(self.budget, varied(view, self.rng))[0].action
        return for_own_place(view, self.rng.choice(search.even) if search.even else best)

    def rank(self, view: View) -> list[Ranked]:
        return Search(self.rng, view, decision_seat(view)).ranking(self.budget)


def with_own(plans: Sequence[Plan], action: Action) -> list[Plan]:
    """The plans, first of them the title's choice: the first that begins with an action, or the action alone."""
    own = next((plan for plan in plans if plan.first == action), Plan((action,)))
    return [*dict.fromkeys((own, *plans))]


class Search:
    """The search for one decision."""

    def __init__(self, rng: random.Random, view: View, seat: int) -> None:
        self.started = time.thread_time()
        self.wall = time.monotonic()
        self.rng = rng
        self.view = view
        self.seat = seat
        seats = view.state.seats
        self.leaf_value = view.title.evaluator.leaf_value
        #: Latest gain one step ahead of each seat's actions.
        self.known: list[dict[Action, float]] = [{} for _ in range(seats)]
        self.limit: float | None = None
        #: Whether the title has its own playouts.
        self.imagined = view.title.evaluator.supports_playouts
        #: Actions equal to the best one, if nothing else varies the games.
        self.even: list[Action] = []

    def ranking(self, budget: Budget, own: Action | None = None) -> list[Ranked]:
        """Rank all actions by the values found, best first; `own` is the title's choice, if it varies games."""
        title = self.view.title
        if budget.seconds is not None:
            # Turns of small steps share their time.
            self.limit = budget.seconds * title.evaluator.part_of_turn
        position = self.view.determinize(self.rng)
        now = advantage(self.leaf_value(position.state), self.seat)
        actions = candidates(self.view.legal_actions(), self.view)
        found = gains(position, self.seat, actions, now, self.leaf_value)
        self.known[self.seat].update(found)
        order = worthwhile(title, found)
        if own is not None:
            order = [own, *(action for action in order if action != own)]
        worth = {action: now + gain for action, gain in found.items()}
        used = partial(self._used, budget)
        plans = title.evaluator.plans(position.state, self.seat, found)
        if plans is not None:
            plans = with_own(plans, order[0])
            return PlanSearch(self.view, self.seat, self.rng, used).ranking(worth, order, plans)
        if title.evaluator.certain and position.state.seats == 2:
            tree = Tree(self.seat, self.leaf_value, used)
            ranking = tree.ranking(position, worth, order)
            self.even = tree.even
            return ranking
        debatable = set(title.evaluator.debatable(position.state, found))
        branches = [action for action in order if action in debatable][:BRANCHES]
        if len(branches) < 2:
            return [Ranked(action, worth[action]) for action in order]
        totals = self._play_out({action: found[action] for action in branches}, budget)
        best = found[branches[0]]
        counts = {action: len(values) for action, values in totals.items()}
        most = max(counts.values())
        if not most:
            return [Ranked(action, worth[action]) for action in order]
        start = sum(totals[branches[0]]) / counts[branches[0]]
        worth = {}
        caution = CAUTION_IMAGINED if self.imagined else CAUTION
        for action in order:
            expected = start + found[action] - best
            values = totals.get(action, [])
            worth[action] = (sum(values) + caution * expected) / (len(values) + caution)
        # A dropped branch never ranks above one played out longer.
        ranking = []
        least = max(worth.values())
        for action in sorted(worth, key=lambda each: (-counts.get(each, 0), -worth[each])):
            least = min(least, worth[action])
            ranking.append(Ranked(action, least))
        return ranking

    def _play_out(self, gains: Mapping[Action, float], budget: Budget) -> dict[Action, list[float]]:
        """Playout values of every branch, given the gains one step ahead."""
        branches = list(gains)
        totals: dict[Action, list[float]] = {action: [] for action in branches}
        played = rounds = halved = 0
        while not self._late() and (budget.playouts is None or played < budget.playouts):
            seed = self.rng.getrandbits(64)
            values = {}
            for action in branches:
                value = self._value(action, seed)
                if value is None:
                    break
                values[action] = value
            played += len(branches)
            if len(values) < len(branches):
                # Out of time, or a branch is impossible with these guesses.
                if self._late() or (played > 100 * BRANCHES and not rounds):
                    break
                continue
            for action, value in values.items():
                totals[action].append(value)
            rounds += 1
            used = self._used(budget, played)
            is_due = used >= (halved + 1) * PART if self.imagined else rounds in HALVINGS
            if len(branches) > 2 and is_due:
                halved += 1
                branches = self._better_half(branches, totals, gains)
            if rounds >= SEEN_BRANCHES:
                branches = _abreast({action: totals[action] for action in branches})
                if len(branches) < 2:
                    break
        return totals

    def _better_half(
        self,
        branches: list[Action],
        totals: Mapping[Action, Sequence[float]],
        gains: Mapping[Action, float],
    ) -> list[Action]:
        caution = CAUTION_IMAGINED if self.imagined else 0.0
        ordered = sorted(branches, key=lambda each: -sum(totals[each]) - caution * gains[each])
        return ordered[: (len(branches) + 1) // 2]

    def _used(self, budget: Budget, played: int) -> float:
        """Share of the budget spent after a number of playouts."""
        if budget.playouts is None:
            return self._elapsed()
        return max(self._elapsed(), played / budget.playouts)

    def _elapsed(self) -> float:
        """Share of the time spent."""
        if self.limit is None:
            return 0.0
        waited = (time.monotonic() - self.wall) / PATIENCE
        return max(time.thread_time() - self.started, waited) / self.limit

    def _late(self) -> bool:
        return self._elapsed() >= 1

    def _value(self, action: Action, seed: int) -> float | None:
        """Value of a branch in one playout; None if it is impossible or time is up."""
        rng = random.Random(seed)
        position = self.view.determinize(rng)
        if position.problem(action) is not None:
            return None
        # Continue to the end of the current unit of play even if the action ends it.
        playout = position.title.evaluator.playout(position.state, rng)
        position.perform(action)
        if playout is not None:
            return self._imagined(position, playout)
        for seat in deciding_seats(position, LENGTH, INTERRUPTION):
            if self._late():
                return None
            position.perform(self.reply(position, seat, rng))
        return advantage(settled(position, self.leaf_value), self.seat)

    def _imagined(self, position: Position[Any], playout: Playout[Any]) -> float | None:
        """Value of a position after the title's own playout; None if time is up."""
        while not position.over:
            action = playout.action(position.state, position.deciders()[0])
            if action is None:
                break
            if self._late():
                return None
            position.perform(action)
        return advantage(playout.worth(position.state), self.seat)

    def reply(self, position: Position[Any], seat: int, rng: random.Random) -> Action:
        """A seat's best action among those with the best gains so far. It guesses the information hidden from it."""
        title, known = position.title, self.known[seat]
        if title.evaluator.guess_per_seat and seat != self.seat:
            seen = title.view(position.state, seat)
            if seen is not position.state:
                guess = title.determinize(seen, seat, rng)
                position = Position(title, guess, position.chance)
        actions = candidates(position.legal_actions(seat), position)
        if len(actions) == 1:
            return actions[0]
        likely = [action for action in actions if is_likely(title, action)] or actions
        now = advantage(self.leaf_value(position.state), seat)
        fresh = [action for action in likely if action not in known]
        for action in fresh:
            known[action] = advantage(outlook(position, action, self.leaf_value), seat) - now
        best = sorted(likely, key=known.__getitem__, reverse=True)[:RECOMPUTED]
        looked_at = set(fresh)
        for action in best:
            if action not in looked_at:
                known[action] = advantage(outlook(position, action, self.leaf_value), seat) - now
        return max(best, key=known.__getitem__)


def _abreast(totals: Mapping[Action, Sequence[float]]) -> list[Action]:
    """The best branch by playouts common to all, and those not clearly worse. Branches identical to the best are left
    out."""
    best = max(totals, key=lambda action: sum(totals[action]))
    found = [best]
    for action, values in totals.items():
        behind, error = lead(totals[best], values)
        if action != best and behind < CLEARLY * error:
            found.append(action)
    return found
