"""A search for games of two in which nothing is left to chance: what can be answered to an action, what to that, and so
on, one decision deeper every time until the budget is used up.

Alpha-beta: whoever decides takes what is best for him after all answers, and what the other would not let come about
is not looked at. Of the actions of a position only the few are followed that gain most one step ahead. All actions
are judged after the same number of decisions: a position is worth more to whoever has just moved. What is found out
about a position is kept for the deeper searches of the same decision.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any

from kursbuch.bots.base import (
    EQUAL,
    Ranked,
    Valuation,
    advantage,
    candidates,
    decline,
    is_likely,
    settled,
)
from kursbuch.core.actions import Action
from kursbuch.core.position import Position

#: How many of the best actions are followed where the search begins, and in later positions.
BRANCHES = 8
ANSWERS = 4

#: In a position so many of the actions are looked at that gained a seat most when last looked at, and all new ones.
RECOMPUTED = 10

#: No search goes deeper than that.
DEEPEST = 40


class OutOfBudget(Exception):
    """The search has to end."""


class Node:
    """A position in the search, what has been found out about it, and where its actions lead: for each what it is
    worth one step ahead for the seat that searches, and the position after it or, once needed, its node. Those that
    are best for whoever decides come first."""

    __slots__ = ("bounds", "position", "seat", "unsettled", "ways")

    def __init__(self, position: Position[Any]) -> None:
        self.position = position
        self.seat = -1 if position.over else position.deciders()[0]
        self.unsettled = not position.over and position.title.judge.unsettled(position.state)
        self.ways: list[tuple[float, Position[Any] | Node]] | None = None
        #: For every depth between what its value lies.
        self.bounds: dict[int, tuple[float, float]] = {}


class Deepening:
    """The search for one decision. `used` says which part of the budget is used up when the actions of so many
    positions have been looked at."""

    def __init__(self, seat: int, valuation: Valuation, used: Callable[[int], float]) -> None:
        self.seat = seat
        #: The actions that are as good as the best one.
        self.even: list[Action] = []
        self.valuation = valuation
        self.used = used
        #: In how many positions the actions have been looked at.
        self.looked_at = 0
        #: What actions of each seat gained one step ahead when last looked at.
        self.known: tuple[dict[Action, float], ...] = ({}, {})
        self.nodes: dict[bytes, Node] = {}

    def ranking(
        self, position: Position[Any], worth: Mapping[Action, float], order: Sequence[Action]
    ) -> list[Ranked]:
        """All actions, best first, with what they are worth as far as it was found out: of those that are not best,
        what they are worth at most. `worth` is what they are worth one step ahead."""
        now = advantage(self.valuation(position.state), self.seat)
        self.known[self.seat].update({action: value - now for action, value in worth.items()})
        nodes = {}
        for action in order[:BRANCHES]:
            after = position.clone()
            after.perform(action)
            nodes[action] = self._node(after)
        found = {action: worth[action] for action in nodes}
        margin = EQUAL * (max(found.values()) - fmean(worth.values()))
        if len(nodes) > 1:
            for depth in range(1, DEEPEST):
                before = self.looked_at
                ordered = sorted(found, key=found.__getitem__, reverse=True)
                deeper: dict[Action, float] = {}
                try:
                    self._deepen(nodes, ordered, depth, margin, deeper)
                except OutOfBudget:
                    # What was best before has been looked at first; the others are taken to be as far behind as before.
                    if deeper:
                        gained = deeper[ordered[0]] - found[ordered[0]]
                        found = deeper | {
                            action: found[action] + gained
                            for action in ordered
                            if action not in deeper
                        }
                    break
                found = deeper
                if self.looked_at == before:
                    break
        best = max(found.values())
        self.even = [action for action, value in found.items() if value > best - margin]
        # Of those that are equal the first was looked at first: the others may be worth less.
        ranking: list[Ranked] = []
        least = math.inf
        for action in sorted(found, key=found.__getitem__, reverse=True):
            least = min(least, found[action])
            ranking.append(Ranked(action, least))
        for action in order[BRANCHES:]:
            least = min(least, worth[action])
            ranking.append(Ranked(action, least))
        return ranking

    def _deepen(
        self,
        nodes: Mapping[Action, Node],
        order: Sequence[Action],
        depth: int,
        margin: float,
        found: dict[Action, float],
    ) -> None:
        """Find what actions are worth after so many more decisions, of those that are worse than the best by the margin
        or more only at most; raises `OutOfBudget`."""
        best = -math.inf
        for action in order:
            found[action] = self._value(nodes[action], depth, best - margin, math.inf)
            best = max(best, found[action])

    def _node(self, position: Position[Any]) -> Node:
        """The node of a position, which is changed: offers to object are declined."""
        decline(position)
        key = position.title.encode(position.state)
        node = self.nodes.get(key)
        if node is None:
            node = self.nodes[key] = Node(position)
        return node

    def _value(self, node: Node, depth: int, alpha: float, beta: float) -> float:
        """What a position is worth for the seat that searches after so many decisions, interruptions not counted. If
        it is not between `alpha` and `beta`, a bound on that side."""
        if node.seat < 0:
            return advantage(self.valuation(node.position.state), self.seat)
        low, high = node.bounds.get(depth, (-math.inf, math.inf))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        ways = self._ways(node)
        if depth == 1 and not node.unsettled:
            return ways[0][0]
        rest = depth if node.unsettled else depth - 1
        own = node.seat == self.seat
        best = -math.inf if own else math.inf
        found = 0
        from_low, to_high = alpha, beta
        for number in range(min(len(ways), ANSWERS)):
            worth, after = ways[number]
            if isinstance(after, Position):
                after = self._node(after)
                ways[number] = worth, after
            value = self._value(after, rest, from_low, to_high)
            if own and value > best:
                best, found = value, number
                from_low = max(from_low, best)
            elif not own and value < best:
                best, found = value, number
                to_high = min(to_high, best)
            if from_low >= to_high:
                break
        # The next search looks first at what was best.
        ways.insert(0, ways.pop(found))
        if best <= alpha:
            high = best
        elif best >= beta:
            low = best
        else:
            low = high = best
        node.bounds[depth] = low, high
        return best

    def _ways(self, node: Node) -> list[tuple[float, Position[Any] | Node]]:
        """Where the actions of a position lead; raises `OutOfBudget`."""
        if node.ways is not None:
            return node.ways
        if self.used(self.looked_at) >= 1:
            raise OutOfBudget
        self.looked_at += 1
        position, seat, known = node.position, node.seat, self.known[node.seat]
        title = position.title
        actions = candidates(position.legal_actions(seat), position)
        likely = [action for action in actions if is_likely(title, action)] or actions
        now = advantage(self.valuation(position.state), self.seat)
        sign = 1 if seat == self.seat else -1
        looked_at: dict[Action, tuple[float, Position[Any]]] = {}

        def look(action: Action) -> None:
            after = position.clone()
            after.perform(action)
            value = advantage(settled(after, self.valuation), self.seat)
            known[action] = sign * (value - now)
            looked_at[action] = value, after

        for action in likely:
            if action not in known:
                look(action)
        for action in sorted(likely, key=known.__getitem__, reverse=True)[:RECOMPUTED]:
            if action not in looked_at:
                look(action)
        node.ways = [*sorted(looked_at.values(), key=lambda way: -sign * way[0])]
        return node.ways
