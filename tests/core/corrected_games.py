"""Games in which a moderator corrects something now and then."""

from __future__ import annotations

import random

import kursbuch
from kursbuch.bots.bot import RandomBot
from kursbuch.cli.check import any_correction, check_correction
from kursbuch.core.game import Game

NAMES = ("Anna", "Bernd", "Clara", "Dirk", "Eva")


def play(title: str, seats: int, seed: int, often: float = 0.2) -> tuple[Game, list[str]]:
    """A game of random moves and corrections to its end; the kinds of those that were possible."""
    rng = random.Random(f"{title} {seats} {seed}")
    game = kursbuch.new(title, players=NAMES[:seats], seed=seed)
    words = kursbuch.Words("en", game.names)
    voice = game.title.voice(words)
    made: list[str] = []
    while not game.over:
        if rng.random() < often and len(game.moves) < 1500:
            action = any_correction(game, rng)
            if action is not None and check_correction(game, action, rng):
                made.append(action.kind)
            continue
        seat = rng.choice(game.pending).seat
        game.apply(RandomBot(rng.randrange(1 << 30)).choose(game.view(seat)))
        if rng.random() < 0.02:
            for reader in (None, *range(seats)):
                view = game.view(reader)
                voice.summaries(view.state)
                voice.panels(view.state)
                voice.status(view.state)
                game.title.draw(view.state, words)
                view.determinize(rng)
    return game, made
