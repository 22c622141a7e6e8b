"""A search for games of two in which nothing is left to chance: a tree of what can follow, which grows where it
matters.

Every step goes down from the position at hand, always to what is most promising by all that was found below it and by
what it gains one step ahead, until it comes to a position whose actions have not been looked at. What that position is
worth then counts in the mean of every position above it (PUCT). Means are believed rather than the best line: what a
title expects of a position is never exact, and the best of many such values is one that is too high. Only what is
known to the end of the game is taken as it is.
"""

from __future__ import annotations

import math
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

#: How many of the best actions are followed where the search begins, and in later positions.
BRANCHES = 8
ANSWERS = 6

#: In a position this many of the actions are looked at that gained a seat most when last looked at, and all new ones.
RECOMPUTED = 10

#: An action that is behind the best one by this part of what the followed ones differ by, one step ahead, is followed
#: 1/e times as readily.
DIFFERENCE = 0.15

#: How much those are preferred that have been followed rarely.
CURIOSITY = 1.5

#: An action is as good as the best one if it was followed at least this part as often and is behind by no more than
#: this part of what the best one gains over the mean one step ahead.
OFTEN = 0.25
EQUAL = 0.1

#: No step goes deeper than that; pieces can be moved to and fro.
DEEPEST = 60

#: The search ends after this many steps without a new position.
IDLE = 500


class OutOfBudget(Exception):
    """The search has to end."""


class Node:
    """A position in the search."""

    __slots__ = ("count", "final", "position", "seat", "ways")

    def __init__(self, position: Position[Any]) -> None:
        self.position = position
        self.seat = -1 if position.over else position.deciders()[0]
        #: What can follow, best first as it looks one step ahead; None until that has been looked at.
        self.ways: list[Way] | None = None
        #: How often a step has come through.
        self.count = 0
        #: What it is worth for the seat that searches, if the end of all that can follow is known.
        self.final: float | None = None


class Way:
    """An action that is followed from a position: what it is worth one step ahead for the seat that searches, where it
    leads (the position after it or, once needed, its node), how readily it is followed, and how often it was, with the
    sum of what was found."""

    __slots__ = ("after", "count", "readiness", "total", "worth")

    def __init__(self, worth: float, after: Position[Any] | Node) -> None:
        self.worth = worth
        self.after = after
        self.readiness = 0.0
        self.count = 0
        self.total = 0.0

    @property
    def final(self) -> float | None:
        """What it is worth if the end of all that can follow is known."""
        return self.after.final if isinstance(self.after, Node) else None

    @property
    def value(self) -> float:
        """What it is worth as far as it was found out."""
        final = self.final
        if final is not None:
            return final
        return self.total / self.count if self.count else self.worth


class Tree:
    """The search for one decision. `used` says which part of the budget is used up when the actions of this many
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
        #: How far behind an action has to be to be followed 1/e times as readily, in the unit of the score.
        self.scale = 1.0

    def ranking(
        self, position: Position[Any], worth: Mapping[Action, float], order: Sequence[Action]
    ) -> list[Ranked]:
        """All actions, best first, with what they are worth as far as it was found out. `worth` is what they are worth
        one step ahead."""
        now = advantage(self.valuation(position.state), self.seat)
        self.known[self.seat].update({action: value - now for action, value in worth.items()})
        followed = order[:BRANCHES]
        root = Node(position)
        root.ways = []
        for action in followed:
            after = position.clone()
            after.perform(action)
            root.ways.append(Way(worth[action], after))
        values = [way.worth for way in root.ways]
        # With all of them equal it does not matter.
        self.scale = DIFFERENCE * (max(values) - min(values)) or 1.0
        self._weigh(root.ways, 1)
        if len(followed) > 1:
            self._grow(root)
        found = dict(zip(followed, root.ways, strict=True))
        # What was followed less often is not better: nothing would have been more promising.
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

    def _grow(self, root: Node) -> None:
        """Step by step, until the budget is used up or nothing is left to find out."""
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
        """Note what a position is worth if that of all positions that can follow is known."""
        finals = [way.final for way in node.ways or ()]
        known = [final for final in finals if final is not None]
        if len(known) == len(finals):
            node.final = max(known) if node.seat == self.seat else min(known)

    def _node(self, position: Position[Any]) -> Node:
        """The node of a position, which is changed: offers to object are declined."""
        decline(position)
        key = position.title.encode(position.state)
        node = self.nodes.get(key)
        if node is None:
            node = self.nodes[key] = Node(position)
            if position.over:
                node.final = advantage(self.valuation(position.state), self.seat)
        return node

    def _ways(self, node: Node) -> list[Way]:
        """What can follow a position; raises `OutOfBudget`."""
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
            looked_at[action] = Way(value, after)

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
        """How readily actions are followed, by what they are worth one step ahead; together 1."""
        best = max(sign * way.worth for way in ways)
        for way in ways:
            way.readiness = math.exp((sign * way.worth - best) / self.scale)
        total = sum(way.readiness for way in ways)
        for way in ways:
            way.readiness /= total
