"""Tree search (PUCT) for two-player games without chance.

Each step descends from the root to the most promising position not yet expanded, judged by results so far and the
gain one step ahead. Its value counts towards the mean of all positions above. Means are used rather than the best
line, since the maximum of inexact evaluations is biased upwards. Values known to the end of the game are exact.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kursbuch.bots.bot import (
    Ranked,
    Valuation,
    advantage,
    candidates,
    decline,
    is_likely,
    leeway,
    settled,
)
from kursbuch.core.actions import Action
from kursbuch.core.position import Position

#: Number of best actions followed at the root and below.
BRANCHES = 8
ANSWERS = 6

#: Number of a seat's previously best actions evaluated in a position, besides all new ones.
RECOMPUTED = 10

#: Value difference, as a share of the spread one step ahead, at which an action is followed 1/e times as readily.
DIFFERENCE = 0.15

#: Weight of exploration.
CURIOSITY = 1.5

#: An action counts as equal to the best if it was visited at least this share as often and its deficit is within this
#: share of the best one's gain over the mean.
OFTEN = 0.25
EQUAL = 0.1

#: Visits of a position from which it knows replies.
VISITED = 4

#: Maximum depth, since pieces may move to and fro.
DEEPEST = 60

#: Number of steps without a new position that ends the search.
IDLE = 500


class OutOfBudget(Exception):
    """The search must stop."""


class Node:
    """A position in the tree."""

    __slots__ = ("count", "final", "position", "seat", "ways")

    def __init__(self, position: Position[Any]) -> None:
        self.position = position
        self.seat = -1 if position.over else position.deciders()[0]
        #: Possible continuations, best one step ahead first; None until expanded.
        self.ways: list[Way] | None = None
        #: Number of visits.
        self.count = 0
        #: Exact value for the searching seat, if known to the end.
        self.final: float | None = None


class Way:
    """An action followed from a position: its value one step ahead for the searching seat, its target (a position,
    later a node), its prior, its visits and the sum of their results."""

    __slots__ = ("action", "after", "count", "readiness", "total", "worth")

    def __init__(self, action: Action, worth: float, after: Position[Any] | Node) -> None:
        self.action = action
        self.worth = worth
        self.after = after
        self.readiness = 0.0
        self.count = 0
        self.total = 0.0

    @property
    def final(self) -> float | None:
        """Exact value, if known to the end."""
        return self.after.final if isinstance(self.after, Node) else None

    @property
    def value(self) -> float:
        """Value found so far."""
        final = self.final
        if final is not None:
            return final
        return self.total / self.count if self.count else self.worth


class Tree:
    """The search for one decision. `used` returns the share of the budget spent after expanding a number of
    positions."""

    def __init__(self, seat: int, valuation: Valuation, used: Callable[[int], float]) -> None:
        self.seat = seat
        #: Actions equal to the best one.
        self.even: list[Action] = []
        self.valuation = valuation
        self.used = used
        #: Number of positions expanded.
        self.looked_at = 0
        #: Latest gain one step ahead of each seat's actions.
        self.known: tuple[dict[Action, float], ...] = ({}, {})
        self.nodes: dict[bytes, Node] = {}
        #: Value difference at which an action is followed 1/e times as readily.
        self.scale = 1.0

    def ranking(
        self, position: Position[Any], worth: Mapping[Action, float], order: Sequence[Action]
    ) -> list[Ranked]:
        """Rank all actions by the values found, best first. `worth` is their value one step ahead."""
        now = advantage(self.valuation(position.state), self.seat)
        self.known[self.seat].update({action: value - now for action, value in worth.items()})
        followed = order[:BRANCHES]
        root = Node(position)
        root.ways = []
        for action in followed:
            after = position.clone()
            after.perform(action)
            root.ways.append(Way(action, worth[action], after))
        values = [way.worth for way in root.ways]
        # any scale will do if all are equal
        self.scale = DIFFERENCE * (max(values) - min(values)) or 1.0
        self._weigh(root.ways, 1)
        if len(followed) > 1:
            self._grow(root)
        found = dict(zip(followed, root.ways, strict=True))
        # Fewer visits mean that it looked less promising.
        first = {
            action: (0 if root.final is not None else way.count, way.value)
            for action, way in found.items()
        }
        ranked = sorted(followed, key=first.__getitem__, reverse=True)
        best = found[ranked[0]]
        enough = best.value - leeway(list(worth.values()), EQUAL)
        self.even = [
            action
            for action, way in found.items()
            if way.count >= OFTEN * best.count and way.value >= enough
        ]
        ranking: list[Ranked] = []
        least = math.inf
        for action in ranked:
            least = min(least, found[action].value)
            ranking.append(Ranked(action, least))
        for action in order[BRANCHES:]:
            least = min(least, worth[action])
            ranking.append(Ranked(action, least))
        return ranking

    def explore(self, position: Position[Any], number: int) -> float:
        """The value of a later position of the game, after searching this number of positions more from there."""
        most = self.looked_at + number
        self.used = lambda looked_at: looked_at / most
        root = self._node(position)
        self._grow(root)
        if root.final is not None:
            return root.final
        if not root.count:
            return advantage(self.valuation(root.position.state), self.seat)
        return sum(way.total for way in root.ways or ()) / root.count

    def reply(self, position: Position[Any], rng: random.Random) -> Action | None:
        """A reply drawn from those visited most; None for a position that was hardly visited."""
        node = self.nodes.get(position.title.encode(position.state))
        if node is None or not node.ways or node.count < VISITED:
            return None
        if node.final is not None:
            return next(way.action for way in node.ways if way.final == node.final)
        return rng.choices(node.ways, [way.count**2 for way in node.ways])[0].action

    def _grow(self, root: Node) -> None:
        """Search until the budget is spent or everything is known."""
        idle = 0
        try:
            while root.final is None and idle < IDLE:
                before = self.looked_at
                self._step(root)
                idle = idle + 1 if self.looked_at == before else 0
        except OutOfBudget:
            pass

    def _step(self, root: Node) -> None:
        path: list[tuple[Node, Way]] = []
        node = root
        while node.final is None and node.ways is not None and len(path) < DEEPEST:
            way = self._most_promising(node, node.ways)
            path.append((node, way))
            if isinstance(way.after, Position):
                way.after = self._node(way.after)
            node = way.after
        if node.final is not None:
            value = node.final
        elif node.ways is None:
            node.ways = self._ways(node)
            value = node.ways[0].worth
        else:
            value = advantage(self.valuation(node.position.state), self.seat)
        for above, way in reversed(path):
            above.count += 1
            way.count += 1
            way.total += value
            self._conclude(above)

    def _most_promising(self, node: Node, ways: Sequence[Way]) -> Way:
        sign = 1 if node.seat == self.seat else -1
        curiosity = CURIOSITY * self.scale * math.sqrt(node.count + 1)
        return max(
            ways,
            key=lambda way: sign * way.value + curiosity * way.readiness / (1 + way.count),
        )

    def _conclude(self, node: Node) -> None:
        """Set the exact value of a position if those of all its continuations are known."""
        finals = [way.final for way in node.ways or ()]
        known = [final for final in finals if final is not None]
        if len(known) == len(finals):
            node.final = max(known) if node.seat == self.seat else min(known)

    def _node(self, position: Position[Any]) -> Node:
        """The node of a position, after declining offers to object."""
        decline(position)
        key = position.title.encode(position.state)
        node = self.nodes.get(key)
        if node is None:
            node = self.nodes[key] = Node(position)
            if position.over:
                node.final = advantage(self.valuation(position.state), self.seat)
        return node

    def _ways(self, node: Node) -> list[Way]:
        """The continuations of a position; raises `OutOfBudget`."""
        if self.used(self.looked_at) >= 1:
            raise OutOfBudget
        self.looked_at += 1
        position, seat, known = node.position, node.seat, self.known[node.seat]
        title = position.title
        actions = candidates(position.legal_actions(seat), position)
        likely = [action for action in actions if is_likely(title, action)] or actions
        now = advantage(self.valuation(position.state), self.seat)
        sign = 1 if seat == self.seat else -1
        looked_at: dict[Action, Way] = {}

        def look(action: Action) -> None:
            after = position.clone()
            after.perform(action)
            value = advantage(settled(after, self.valuation), self.seat)
            known[action] = sign * (value - now)
            looked_at[action] = Way(action, value, after)

        for action in likely:
            if action not in known:
                look(action)
        for action in sorted(likely, key=known.__getitem__, reverse=True)[:RECOMPUTED]:
            if action not in looked_at:
                look(action)
        ways = sorted(looked_at.values(), key=lambda way: -sign * way.worth)[:ANSWERS]
        self._weigh(ways, sign)
        return ways

    def _weigh(self, ways: Sequence[Way], sign: int) -> None:
        """Set the priors from the values one step ahead; they add up to 1."""
        best = max(sign * way.worth for way in ways)
        for way in ways:
            way.readiness = math.exp((sign * way.worth - best) / self.scale)
        total = sum(way.readiness for way in ways)
        for way in ways:
            way.readiness /= total
