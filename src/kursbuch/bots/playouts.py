"""Imagined games to their end, by a title's judgement and a course that settles what takes long."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kursbuch.bots.base import candidates
from kursbuch.core.actions import Action
from kursbuch.core.judge import Course
from kursbuch.core.position import Position

#: More decisions than this no game has.
MOST_DECISIONS = 5000


def reply(position: Position[Any], seat: int, course: Course[Any]) -> Action:
    """What a seat does in an imagined game: what the course says, or what is judged best."""
    found = course.action(position.state, seat)
    if found is not None:
        return found
    actions = candidates(position.legal_actions(seat), position)
    if len(actions) == 1:
        return actions[0]
    judged = course.appraise(position.state, seat, actions)
    if judged is None:
        judged = position.title.judge.appraise(position.state, seat, actions)
    assert judged is not None
    return actions[max(range(len(actions)), key=judged.__getitem__)]


def play_out(
    position: Position[Any], course: Course[Any], late: Callable[[], bool] = lambda: False
) -> bool:
    """Play a game to its end; whether it came to one before it was too late."""
    for _ in range(MOST_DECISIONS):
        if position.over:
            return True
        if late():
            return False
        position.perform(reply(position, position.deciders()[0], course))
    return False
