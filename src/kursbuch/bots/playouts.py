"""How games go on in what opponents imagine: for some decisions, or to their end by a title's judgement and a
course that settles what takes long."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from kursbuch.bots.bot import candidates, decline, nearly_best
from kursbuch.core.actions import Action
from kursbuch.core.evaluator import PlayoutPolicy
from kursbuch.core.position import Endless, Position

#: How many decisions of one interruption are played; then its end is estimated.
INTERRUPTION = 8

#: Where a title's judgement plays, an action is taken that falls behind the best by at most this part of what
#: the best one gains over the mean.
LEEWAY = 0.15

#: More decisions than this no game has.
MOST_DECISIONS = 5000


def deciding(position: Position[Any], decisions: int, interruptions: int) -> Iterator[int]:
    """Whose turn it is, time after time, until this many decisions have been made; the caller performs each.
    Offers to object are declined, other interruptions do not count, but at most this many are gone through."""
    while decisions > 0:
        decline(position)
        if position.over:
            return
        if position.title.judge.unsettled(position.state):
            interruptions -= 1
            if interruptions < 0:
                return
        else:
            decisions -= 1
        yield position.deciders()[0]


def deciding_judged(position: Position[Any], decisions: int) -> Iterator[int]:
    """The same in a title that judges actions by themselves: every small step counts, and an interruption is
    played to its end."""
    unsettled = position.title.judge.unsettled
    while not position.over and (decisions > 0 or unsettled(position.state)):
        yield position.deciders()[0]
        decisions -= 1
        if decisions < -INTERRUPTION:
            return


def judged_reply(position: Position[Any], seat: int, rng: random.Random) -> Action:
    """One of the actions that the title judges about as good as the best, unless it passes the decision over."""
    passed_over = position.title.judge.passed_over(position.state, seat)
    if passed_over is not None:
        return passed_over
    actions, judged = _judged(position, seat)
    if len(actions) == 1:
        return actions[0]
    return rng.choice(nearly_best(actions, judged, LEEWAY))


def reply(position: Position[Any], seat: int, course: PlayoutPolicy[Any]) -> Action:
    """What a seat does in an imagined game: what the course says, or what is judged best."""
    found = course.action(position.state, seat)
    if found is not None:
        return found
    actions, judged = _judged(position, seat, course)
    return actions[max(range(len(actions)), key=judged.__getitem__)]


def _judged(
    position: Position[Any], seat: int, course: PlayoutPolicy[Any] | None = None
) -> tuple[list[Action], Sequence[float]]:
    """What a seat can do and what each of it gains by the title's judgement, or by that of a course that has one of
    its own; neither is asked about a single action."""
    actions = candidates(position.legal_actions(seat), position)
    if len(actions) == 1:
        return actions, (0.0,)
    judged = None if course is None else course.appraise(position.state, seat, actions)
    if judged is None:
        judged = position.title.judge.appraise(position.state, seat, actions)
    assert judged is not None
    return actions, judged


def play_out(
    position: Position[Any], course: PlayoutPolicy[Any], late: Callable[[], bool] = lambda: False
) -> bool:
    """Play a game to its end; whether it came to one before it was too late."""
    for _ in range(MOST_DECISIONS):
        if position.over:
            return True
        if late():
            return False
        try:
            position.perform(reply(position, position.deciders()[0], course))
        except Endless:
            return False
    return False
