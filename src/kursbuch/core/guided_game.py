"""The guided first game of a title: its moves, and how far a game follows them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import takewhile
from typing import Any

from kursbuch.core import record
from kursbuch.core.actions import Action
from kursbuch.core.errors import KursbuchError
from kursbuch.core.title import Title
from kursbuch.core.tutorial import Guide, GuideJump

#: The seat of whoever is guided.
LEARNER = 0


class GuidedGame:
    """The course of a guided game, replayed."""

    def __init__(self, title: Title[Any], guide: Guide) -> None:
        self.guide = guide
        self.game = game = record.read(guide.record, lambda name: _same(title, name))
        if (game.seed, game.names[1:]) != (guide.seed, guide.players):
            raise KursbuchError(
                "The record of the guided game of {title} has another seed or other names.",
                title=title.name,
            )
        if title.option_values(guide.options) != dict(game.options):
            raise KursbuchError(
                "The record of the guided game of {title} was played with other options.",
                title=title.name,
            )
        moves = game.moves[: guide.stop]
        own = [
            number
            for number, move in enumerate(moves)
            if move.action.seat == LEARNER and self.jump(number) is None
        ]
        if len(moves) < guide.stop or own != [step.at for step in guide.step]:
            raise KursbuchError(
                "The steps of the guided game of {title} must stand at {own}, where the reader decides.",
                title=title.name,
                own=", ".join(map(str, own)),
            )

    def followed(self, actions: Sequence[Action]) -> int:
        """How many moves of a game with these actions are those of the guide, which says nothing after
        its last one."""
        pairs = zip(actions, self.game.moves[: self.guide.stop], strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1].action, pairs))

    def on_course(self, actions: Sequence[Action]) -> bool:
        """Whether all of these are moves of the guide, so that the position is one of its own."""
        return self.followed(actions) == len(actions)

    def jump(self, number: int) -> GuideJump | None:
        """The stretch that is played for everybody, if the game is in one after so many moves."""
        return next((jump for jump in self.guide.jump if jump.at <= number < jump.to), None)

    def next(self, number: int) -> Action | None:
        """The move of the guide after so many; None at its end and where it is played for everybody."""
        if number >= self.guide.stop or self.jump(number) is not None:
            return None
        return self.game.moves[number].action

    def jumped(self, number: int) -> list[Action]:
        """The moves from so many to the end of the stretch that is played for everybody."""
        jump = self.jump(number)
        return [move.action for move in self.game.moves[number : jump.to]] if jump else []


def _same(title: Title[Any], name: str) -> Title[Any]:
    if name != title.id:
        raise KursbuchError("This is a record of {name}.", name=name)
    return title


@cache
def guided_game(title: Title[Any]) -> GuidedGame | None:
    """The guided game of a title, if it has one; `KursbuchError` says what is wrong with its record."""
    guide = title.lessons.guide if title.lessons is not None else None
    return None if guide is None else GuidedGame(title, guide)
