"""Playouts: games continued for some decisions, or to the end by a title's evaluation and policy."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from kursbuch.bots.bot import candidates, decline, nearly_best
from kursbuch.core.actions import Action
from kursbuch.core.evaluator import Plan, PlayoutPolicy
from kursbuch.core.position import Endless, Position

#: Maximum number of decisions in an interruption before it is estimated.
INTERRUPTION = 8

#: Share of the best action's gain over the mean by which a played action may fall behind.
LEEWAY = 0.15

#: Maximum number of decisions in a game.
MOST_DECISIONS = 5000


def deciding_seats(position: Position[Any], decisions: int, interruptions: int) -> Iterator[int]:
    """Yield the deciding seat until this many decisions have been made; the caller performs each. Offers to object
    are declined. Up to `interruptions` other interruptions do not count."""
    while decisions > 0:
        decline(position)
        if position.over:
            return
        if position.title.evaluator.unsettled(position.state):
            interruptions -= 1
            if interruptions < 0:
                return
        else:
            decisions -= 1
        yield position.deciders()[0]


def deciding_seats_evaluated(position: Position[Any], decisions: int) -> Iterator[int]:
    """The same for a title that evaluates actions directly: every small step counts, and interruptions are played to
    the end."""
    unsettled = position.title.evaluator.unsettled
    while not position.over and (decisions > 0 or unsettled(position.state)):
        yield position.deciders()[0]
        decisions -= 1
        if decisions < -INTERRUPTION:
            return


def evaluated_reply(position: Position[Any], seat: int, rng: random.Random) -> Action:
    """A random one of the actions about as good as the best, unless the title passes the decision over."""
    passed_over = position.title.evaluator.passed_over(position.state, seat)
    if passed_over is not None:
        return passed_over
    actions, judged = _evaluated(position, seat)
    if len(actions) == 1:
        return actions[0]
    return rng.choice(nearly_best(actions, judged, LEEWAY))


def reply(position: Position[Any], seat: int, policy: PlayoutPolicy[Any]) -> Action:
    """A seat's action in a playout: the policy's, or the best by evaluation."""
    found = policy.action(position.state, seat)
    if found is not None:
        return found
    actions, judged = _evaluated(position, seat, policy)
    return actions[max(range(len(actions)), key=judged.__getitem__)]


def _evaluated(
    position: Position[Any], seat: int, policy: PlayoutPolicy[Any] | None = None
) -> tuple[list[Action], Sequence[float]]:
    """A seat's actions and their gains, by the policy if it evaluates actions, otherwise by the title. A single action
    is not evaluated."""
    actions = candidates(position.legal_actions(seat), position)
    if len(actions) == 1:
        return actions, (0.0,)
    judged = None if policy is None else policy.action_values(position.state, seat, actions)
    if judged is None:
        judged = position.title.evaluator.action_values(position.state, seat, actions)
    assert judged is not None
    return actions, judged


def follow(position: Position[Any], plan: Plan, policy: PlayoutPolicy[Any]) -> bool:
    """Play a plan. The others, and the seat itself in interruptions, reply by the policy; return whether the plan
    could be carried out."""
    unsettled = position.title.evaluator.unsettled
    for action in plan.actions:
        while not position.over and (
            position.deciders()[0] != action.seat
            or (position.problem(action) is not None and unsettled(position.state))
        ):
            position.perform(reply(position, position.deciders()[0], policy))
        if position.over or position.problem(action) is not None:
            return False
        position.perform(action)
    return True


def play_out(
    position: Position[Any], policy: PlayoutPolicy[Any], late: Callable[[], bool] = lambda: False
) -> bool:
    """Play a game out to its end, without events; return whether it was reached."""
    position.recorded = False
    for _ in range(MOST_DECISIONS):
        if position.over:
            return True
        if late():
            return False
        try:
            position.perform(reply(position, position.deciders()[0], policy))
        except Endless:
            return False
    return False
