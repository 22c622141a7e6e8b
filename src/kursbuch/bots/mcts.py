"""A bot that plays out its best actions on positions that fit its view.

The actions that gain most one step ahead are the branches of the search. Each playout starts from a
new position that fits the view, with new guesses and its own chance. Every branch is played on from
it: each seat takes the action that gains it most, for a fixed number of decisions, and the resulting
position is evaluated. All branches share the guesses and the chance, so their differences show after
few playouts. All are judged at the same distance, because a position is worth more to the player who
has just moved. Branches that fall behind are dropped; the others get the rest of the budget.

A title may imagine playouts itself (`Evaluator.playout`); then they go as far as it says. They
scatter more, so no fixed number of them drops a branch, and the value one step ahead counts more.

If games can be imagined to their end, lines of play are played out instead (`LineSearch`). Games of
two without chance use a game tree (`Tree`).
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import mean
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
from kursbuch.bots.playouts import INTERRUPTION, deciding, play_out, reply
from kursbuch.core.actions import Action
from kursbuch.core.evaluator import Playout
from kursbuch.core.game import View
from kursbuch.core.position import Position

Line = tuple[Action, ...]

#: From this round on a plan is dropped that is surely no better than the judgement's choice.
SEEN = 3

#: The judgement's own choice is left only for what gains more by this part of what the player has, and by
#: this many standard errors.
OF_WORTH = 0.006
SURELY = 1.0

#: A plan that never differs from the judgement's choice by more than that is about equal.
EQUAL = 1e-9


class LineSearch:
    """The search for one decision. `used` says which part of the budget is used up when this many games
    have been imagined; what the view hides is guessed again for each of them."""

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


#: How many of the best actions are played out.
BRANCHES = 8

#: After how many playouts the worse half of the branches is dropped.
HALVINGS = (2, 4, 8)

#: A playout is evaluated after this number of decisions of all seats, interruptions not counted.
LENGTH = 5

#: In a playout this many of a seat's best known actions are looked at again.
RECOMPUTED = 10

#: Of playouts that a title itself imagines the worse half of the branches is dropped whenever such a part of the
#: budget is used up; and from that playout on those that fall behind by more than this many standard errors.
PART = 1 / 3
SEEN_IMAGINED = 12
CLEARLY = 2.5

#: With this many playouts the gain one step ahead counts in the final choice; with this many of those that a title
#: itself imagines.
CAUTION = 0.5
CAUTION_IMAGINED = 20.0

#: A budget is computing time; on a busy machine a move takes at most this many times as long.
PATIENCE = 3.0


class Budget(msgspec.Struct, frozen=True):
    """How long a move may take: a time, or a number of playouts (of all branches together)."""

    seconds: float | None = None
    playouts: int | None = None


class PlayoutBot(Bot):
    """Searches within a budget of time or playouts; no tree is kept between decisions."""

    def __init__(self, budget: Budget, seed: int | None = None, name: str = "mcts") -> None:
        super().__init__(name, seed)
        self.budget = budget

    def choose(self, view: View) -> Action:
        action = varied(view, self.rng)
        if action is not None:
            return action
        search = Search(self.rng, view, decision_seat(view))
        best = search.ranking(self.budget)[0].action
        return for_own_place(view, self.rng.choice(search.even) if search.even else best)

    def rank(self, view: View) -> list[Ranked]:
        return Search(self.rng, view, decision_seat(view)).ranking(self.budget)


class Search:
    """The search for one decision."""

    def __init__(self, rng: random.Random, view: View, seat: int) -> None:
        self.started = time.thread_time()
        self.wall = time.monotonic()
        self.rng = rng
        self.view = view
        self.seat = seat
        seats = view.state.seats
        self.foresee = view.title.judge.foresee
        #: What actions of each seat gained one step ahead when last looked at.
        self.known: list[dict[Action, float]] = [{} for _ in range(seats)]
        self.limit: float | None = None
        #: Whether the title itself imagines what follows.
        self.imagined = view.title.judge.imagines_playouts
        #: From which playout on branches are dropped that are clearly behind.
        self.seen = SEEN_IMAGINED if self.imagined else math.inf
        #: The actions found to be as good as the best one, where nothing else makes games differ.
        self.even: list[Action] = []

    def ranking(self, budget: Budget) -> list[Ranked]:
        """All actions, best first, with what they are worth as far as it was found out."""
        title = self.view.title
        position = self.view.determinize(self.rng)
        now = advantage(self.foresee(position.state), self.seat)
        actions = candidates(self.view.legal_actions(), self.view)
        found = gains(position, self.seat, actions, now, self.foresee)
        self.known[self.seat].update(found)
        order = worthwhile(title, found)
        worth = {action: now + gain for action, gain in found.items()}
        used = partial(self._used, budget)
        lines = title.judge.lines(position.state, self.seat, found)
        if lines is not None:
            self.limit = budget.seconds
            plans = [*dict.fromkeys(((order[0],), *lines))]
            return LineSearch(self.view, self.seat, self.rng, used).ranking(worth, order, plans)
        if title.judge.certain and position.state.seats == 2:
            self.limit = budget.seconds
            tree = Tree(self.seat, self.foresee, used)
            ranking = tree.ranking(position, worth, order)
            self.even = tree.even
            return ranking
        debatable = set(title.judge.debatable(position.state, found))
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
        # What was dropped is not better than what was played out further.
        ranking = []
        least = max(worth.values())
        for action in sorted(worth, key=lambda each: (-counts.get(each, 0), -worth[each])):
            least = min(least, worth[action])
            ranking.append(Ranked(action, least))
        return ranking

    def _play_out(self, gains: Mapping[Action, float], budget: Budget) -> dict[Action, list[float]]:
        """The values of the playouts of every branch; they come with what they gain one step ahead."""
        branches = list(gains)
        totals: dict[Action, list[float]] = {action: [] for action in branches}
        if budget.seconds is not None:
            self.limit = budget.seconds
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
            if len(branches) > 2 and self._to_halve(rounds, halved, self._used(budget, played)):
                halved += 1
                branches = self._better_half(branches, totals, gains)
            if rounds >= self.seen:
                branches = _abreast({action: totals[action] for action in branches})
                if len(branches) < 2:
                    break
        return totals

    def _to_halve(self, rounds: int, halved: int, used: float) -> bool:
        """Whether the worse half of the branches is to be dropped now."""
        return used >= (halved + 1) * PART if self.imagined else rounds in HALVINGS

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
        """Which part of the budget is used up after this many playouts."""
        if budget.playouts is None:
            return self._elapsed()
        return max(self._elapsed(), played / budget.playouts)

    def _elapsed(self) -> float:
        """Which part of the time is over."""
        if self.limit is None:
            return 0.0
        waited = (time.monotonic() - self.wall) / PATIENCE
        return max(time.thread_time() - self.started, waited) / self.limit

    def _late(self) -> bool:
        return self._elapsed() >= 1

    def _value(self, action: Action, seed: int) -> float | None:
        """What a branch is worth in one playout; None if it is impossible, or time is up."""
        rng = random.Random(seed)
        position = self.view.determinize(rng)
        if position.problem(action) is not None:
            return None
        # It goes on to the end of what is being played now, also if the action brings that about.
        playout = position.title.judge.playout(position.state, rng)
        position.perform(action)
        if playout is not None:
            return self._imagined(position, playout)
        for seat in deciding(position, LENGTH, INTERRUPTION):
            if self._late():
                return None
            position.perform(self.reply(position, seat, rng))
        return advantage(settled(position, self.foresee), self.seat)

    def _imagined(self, position: Position[Any], playout: Playout[Any]) -> float | None:
        """What a position is worth after what the title itself imagines to follow; None if time is up."""
        while not position.over:
            action = playout.action(position.state, position.deciders()[0])
            if action is None:
                break
            if self._late():
                return None
            position.perform(action)
        return advantage(playout.worth(position.state), self.seat)

    def reply(self, position: Position[Any], seat: int, rng: random.Random) -> Action:
        """What gains a seat most, among the actions that have gained most before. A seat does not
        know what is hidden from it: it guesses again."""
        title, known = position.title, self.known[seat]
        if title.judge.guess_anew and seat != self.seat:
            seen = title.view(position.state, seat)
            if seen is not position.state:
                guess = title.determinize(seen, seat, rng)
                position = Position(title, guess, position.chance)
        actions = candidates(position.legal_actions(seat), position)
        if len(actions) == 1:
            return actions[0]
        likely = [action for action in actions if is_likely(title, action)] or actions
        now = advantage(self.foresee(position.state), seat)
        fresh = [action for action in likely if action not in known]
        for action in fresh:
            known[action] = advantage(outlook(position, action, self.foresee), seat) - now
        best = sorted(likely, key=known.__getitem__, reverse=True)[:RECOMPUTED]
        looked_at = set(fresh)
        for action in best:
            if action not in looked_at:
                known[action] = advantage(outlook(position, action, self.foresee), seat) - now
        return max(best, key=known.__getitem__)


def _abreast(totals: Mapping[Action, Sequence[float]]) -> list[Action]:
    """The branch that is best in these playouts, which all of them were in, and those that are not
    clearly behind it. One that never differs from it is left out, too."""
    best = max(totals, key=lambda action: sum(totals[action]))
    found = [best]
    for action, values in totals.items():
        behind, error = lead(totals[best], values)
        if action != best and behind < CLEARLY * error:
            found.append(action)
    return found
