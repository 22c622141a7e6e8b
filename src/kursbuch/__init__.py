"""Kursbuch plays railway board games exactly as their rulebooks say.

>>> import kursbuch
>>> game = kursbuch.new("rocket", players=["Anna", "Bernd"], seed=7)
>>> decision = game.pending[0]
>>> len(game.legal_actions(decision.seat)) > 10
True
>>> events = game.apply(game.parse("Anna takes Manchester"))
>>> kursbuch.load(game.record()).state == game.state
True
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kursbuch.core import record as records
from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.errors import IllegalAction, KursbuchError, RecordError
from kursbuch.core.game import Game, Move, View
from kursbuch.core.registry import title, titles
from kursbuch.core.state import Decision
from kursbuch.core.title import Result, Title

__all__ = [
    "Action",
    "Choice",
    "Decision",
    "Game",
    "IllegalAction",
    "KursbuchError",
    "Move",
    "Range",
    "RecordError",
    "Result",
    "Title",
    "View",
    "load",
    "new",
    "title",
    "titles",
]


def new(
    name: str,
    players: Sequence[str],
    seed: int | str | None = None,
    options: Mapping[str, str] | None = None,
    data: bytes | None = None,
) -> Game:
    """A new game of the title with that id.

    `players` are the names in order of their seats, clockwise. Without a `seed` a secret one is
    drawn. `data` is the content of a file with corrected component data. Raises `KursbuchError`
    for an unknown title or option, a wrong number of players or an unusable name or file.
    """
    chosen = title(name)
    if data is not None:
        chosen = chosen.with_data(data)
    return Game(chosen, players, options, seed=secrets.token_hex(16) if seed is None else str(seed))


def load(
    text: str, data: bytes | None = None, progress: Callable[[int, int], None] | None = None
) -> Game:
    """The game of a record, replayed and checked move by move.

    Raises `RecordError` naming the line, and the rule if a move breaks one.
    """

    def find(name: str) -> Title[Any]:
        chosen = title(name)
        return chosen if data is None else chosen.with_data(data)

    return records.read(text, find, progress)
