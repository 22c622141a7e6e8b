"""A bot that searches a tree of what may come, on positions that fit its view.

Every playout starts from a fresh position that fits the view (hidden things guessed anew), goes
down the tree, adds one action to it, continues with likely actions up to a fixed number of
decisions and evaluates the position there. The same distance everywhere matters: a position is
worth more to whoever has just moved, so values at different distances cannot be compared.

What a seat gains by an action one step ahead orders the actions of every position: it is computed
once for an action of a seat and looked up when the same action is possible again, and only the few
best of a position are computed anew. Actions are taken into the tree one after the other in that
order as the visits of their position grow, because a railway game may offer several hundred.
"""

from __future__ import annotations

import math
import time
from typing import Any

import msgspec

from kursbuch.bots.base import (
    Bot,
    Ranked,
    advantages,
    candidates,
    decision_seat,
    decline,
    is_likely,
    outlook,
    worthwhile,
)
from kursbuch.core.actions import Action
from kursbuch.core.errors import IllegalAction
from kursbuch.core.game import View
from kursbuch.core.position import Position

#: A playout is evaluated after so many decisions outside interruptions.
HORIZON = 2

#: How many of the likeliest actions of a position are looked at anew when it is first expanded,
#: and how many are kept at all.
RECOMPUTED = 8
KEPT = 40

#: With n visits so many actions of a position are in the tree: WIDTH_BASE + WIDTH_GROWTH * sqrt(n).
WIDTH_BASE = 2
WIDTH_GROWTH = 1.2

#: How strongly rarely tried actions are preferred in the tree.
EXPLORATION = 0.8

#: Below the tree, how often the likeliest action is passed over for the next one.
PASS_OVER = 0.25

#: With how many visits the expectation of one step ahead counts in the final choice.
CAUTION = 2.0

#: How many actions below the tree are tried for being possible before one is drawn.
TRIED = 200


class Budget(msgspec.Struct, frozen=True):
    """How long a move may take: a time, or a number of playouts."""

    seconds: float | None = None
    playouts: int | None = None


class Node:
    """A place in the tree: what has been found out about the decision there."""

    __slots__ = ("children", "gains", "order", "seat", "totals", "visits")

    def __init__(self, seats: int) -> None:
        self.visits = 0
        self.totals = [0.0] * seats
        self.seat = -1
        self.order: list[Action] | None = None
        self.gains: list[float] = []
        self.children: dict[Action, Node] = {}

    def mean(self, seat: int) -> float:
        """The mean value for a seat of the playouts through here."""
        return self.totals[seat] / self.visits if self.visits else 0.0


class MctsBot(Bot):
    """Searches within a budget of time or playouts."""

    def __init__(self, budget: Budget, seed: int | None = None, name: str = "mcts") -> None:
        super().__init__(name, seed)
        self.budget = budget

    def rank(self, view: View) -> list[Ranked]:
        seat = decision_seat(view)
        search = Search(self, view, seat)
        if len(search.actions) > 1:
            search.run(self.budget)
        return search.ranking()


class Search:
    """The search for one decision."""

    def __init__(self, bot: Bot, view: View, seat: int) -> None:
        self.started = time.perf_counter()
        self.rng = bot.rng
        self.view = view
        self.seat = seat
        self.actions = candidates(view.legal_actions(), view)
        seats = view.state.seats
        self.known: list[dict[Action, float]] = [{} for _ in range(seats)]
        self.sorted: list[list[Action]] = [[] for _ in range(seats)]
        self.root = Node(seats)
        position = view.determinize(self.rng)
        self._expand(self.root, position, seat, len(self.actions), len(self.actions))
        spread = self.root.gains[0] - sum(self.root.gains) / len(self.root.gains)
        self.scale = max(spread, 1e-9)

    def run(self, budget: Budget) -> None:
        """Playouts until the budget is used up."""
        if budget.playouts is not None:
            for _ in range(budget.playouts):
                self._playout()
        if budget.seconds is not None:
            end = self.started + budget.seconds
            while time.perf_counter() < end:
                self._playout()

    def ranking(self) -> list[Ranked]:
        """All actions, best first, with what they are worth as far as it was found out."""
        root, seat = self.root, self.seat
        assert root.order is not None
        found = []
        for action, gain in zip(root.order, root.gains, strict=True):
            expected = root.mean(seat) + gain - root.gains[0]
            child = root.children.get(action)
            if child is not None:
                expected = (child.totals[seat] + CAUTION * expected) / (child.visits + CAUTION)
            found.append(Ranked(action, expected))
        return sorted(found, key=lambda ranked: -ranked.value)

    # ---- one playout

    def _playout(self) -> None:
        position = self.view.determinize(self.rng)
        title = position.title
        node, path, distance = self.root, [self.root], 0
        while True:
            unsettled = title.unsettled(position.state)
            if position.over or (distance >= HORIZON and not unsettled):
                break
            seat = self.seat if node is self.root else position.deciders()[0]
            if node.order is None:
                self._expand(node, position, seat, RECOMPUTED, KEPT)
            action = self._select(node, position)
            if action is None:
                break
            position.perform(action)
            distance += not unsettled
            child = node.children.get(action)
            if child is None:
                child = node.children[action] = Node(position.state.seats)
            path.append(child)
            node = child
            if not node.visits:
                self._continue(position, distance)
                break
        values = advantages(title.evaluate(position.state))
        for node in path:
            node.visits += 1
            for seat, value in enumerate(values):
                node.totals[seat] += value

    def _select(self, node: Node, position: Position[Any]) -> Action | None:
        """The action to try next. One that is impossible in this position (something hidden may
        be different from the time before) is passed over."""
        assert node.order is not None
        width = WIDTH_BASE + int(WIDTH_GROWTH * math.sqrt(node.visits))
        seat, mean, best_gain = node.seat, node.mean(node.seat), node.gains[0]
        reach = EXPLORATION * self.scale * math.sqrt(node.visits + 1)
        best, best_score, open_ = None, -math.inf, 0
        for action, gain in zip(node.order, node.gains, strict=True):
            if open_ >= width:
                break
            child = node.children.get(action)
            likely = math.exp(max((gain - best_gain) / self.scale, -3.0))
            if child is not None and child.visits:
                score = child.totals[seat] / child.visits + reach * likely / (1 + child.visits)
            else:
                score = mean + gain - best_gain + reach * likely
            if score > best_score:
                if not _possible(position, action):
                    continue
                best, best_score = action, score
            open_ += 1
        return best

    def _continue(self, position: Position[Any], distance: int) -> None:
        """Below the tree: likely actions as far as the horizon."""
        title = position.title
        while True:
            decline(position)
            if position.over:
                return
            if title.unsettled(position.state):
                seat = position.deciders()[0]
                position.perform(candidates(position.legal_actions(seat), position)[0])
                continue
            if distance >= HORIZON:
                return
            seat = position.deciders()[0]
            action = self._likely(position, seat)
            if action is None:
                action = self.rng.choice(candidates(position.legal_actions(seat), position))
            position.perform(action)
            distance += 1

    def _likely(self, position: Position[Any], seat: int) -> Action | None:
        """One of the best known actions of a seat that is possible now."""
        if not self.known[seat]:
            self._learn(position, seat, self._considered(position, seat))
        if not self.sorted[seat]:
            self.sorted[seat] = worthwhile(position.title, self.known[seat])
        fallback = None
        for action in self.sorted[seat][:TRIED]:
            if _possible(position, action):
                if self.rng.random() >= PASS_OVER:
                    return action
                fallback = fallback or action
        return fallback

    # ---- what actions gain

    def _learn(self, position: Position[Any], seat: int, actions: list[Action]) -> None:
        """Find out what actions gain one step ahead."""
        now = advantages(position.title.evaluate(position.state))[seat]
        known = self.known[seat]
        for action in actions:
            known[action] = advantages(outlook(position, action))[seat] - now
        self.sorted[seat] = []

    def _expand(
        self, node: Node, position: Position[Any], seat: int, recomputed: int, kept: int
    ) -> None:
        """Put the actions of a position into the order in which they will be tried."""
        title, known = position.title, self.known[seat]
        actions = self._considered(position, seat)
        fresh = [action for action in actions if action not in known]
        if fresh:
            self._learn(position, seat, fresh)
        order = worthwhile(title, {action: known[action] for action in actions})[:kept]
        stale = set(order[:recomputed]).difference(fresh)
        if stale:
            self._learn(position, seat, list(stale))
            order.sort(key=lambda action: -known[action])
        node.seat, node.order = seat, order
        node.gains = [known[action] for action in order]

    def _considered(self, position: Position[Any], seat: int) -> list[Action]:
        """What a seat could do. Beyond the decision itself, unlikely actions are left out unless
        they are known to be good: there are often more of them than of all the others."""
        if self.root.order is None:
            return self.actions
        actions = candidates(position.legal_actions(seat), position)
        title, known = position.title, self.known[seat]
        return [
            action for action in actions if is_likely(title, action) or known.get(action, 0.0) > 0.0
        ] or actions


def _possible(position: Position[Any], action: Action) -> bool:
    try:
        position.check(action)
    except IllegalAction:
        return False
    return True
