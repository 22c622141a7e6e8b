"""The buttons below the board lead to the neighbouring moves, turns and parts of a game."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from kursbuch.core.game import Game
from kursbuch.web.tables.history_view import steps
from kursbuch.web.tables.viewer import EVERYTHING, Viewer, _told
from tests.browser.positions import whole_game


def shown(game: Game, at: int | None = None) -> Viewer:
    """The table of a game."""
    told = SimpleNamespace(
        game=game, number=len(game.moves), at=at, told=lambda one: _told(one, EVERYTHING)
    )
    return cast(Viewer, told)


def expected(game: Game, here: int) -> tuple[int, ...]:
    """The targets, found by looking at every move."""
    last = len(game.moves)
    turns = [
        n for n in range(1, last) if game.moves[n].action.seat != game.moves[n - 1].action.seat
    ]
    parts = [n for n in range(1, last + 1) if any(map(game.title.opens, game.moves[n - 1].events))]
    found: list[Any] = []
    for stops in (turns, parts):
        found.append(max((n for n in stops if n < here), default=0))
        found.append(min((n for n in stops if n > here), default=last))
    return *found, bool(parts)


@pytest.mark.parametrize("title", ["1835", "rocket", "nimm"])
def test_targets_are_those_found_by_looking_at_every_move(title: str) -> None:
    last = len(whole_game(title).moves)
    game = whole_game(title).branch(last)
    # Also after moves were taken back.
    for number in (last, last // 2):
        game.rewind(number)
        for here in (0, 1, 2, number // 3, number // 2, number - 1, None):
            at = number if here is None else here
            found = steps(shown(game, here))
            assert (
                found.turn_back,
                found.turn_on,
                found.part_back,
                found.part_on,
                found.parts,
            ) == expected(game, at)
            assert (found.back, found.on) == (max(0, at - 1), min(number, at + 1))
