"""Games that computer opponents play to their end."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.bots.bot import Bot
from kursbuch.core.game import Game


def played_out(game: Game, bots: Sequence[Bot]) -> Game:
    """The game, which these have played on to its end, one for every seat."""
    while not game.over:
        seat = game.pending[0].seat
        game.apply(bots[seat].choose(game.view(seat)))
    return game
