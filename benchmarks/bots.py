"""Thinking times of bots, and the amount of search per move.

Each move and each whole game starts cold; warm is the same move again.
"""

from __future__ import annotations

from functools import partial
from statistics import median

import kursbuch
from benchmarks.common import Caches, Measurement, faster, reference, seconds, shorter, timed
from kursbuch.bots import make
from kursbuch.bots.match import Match, play_game

#: Positions examined in a two-player Rocket search.
POSITIONS = 100
EVERY = 6

REFERENCE = "reference workload"

#: Whole games: title, bots, players and number of games for the median.
GAMES = (
    ("rocket", "random", 2),
    ("rocket", "greedy", 2),
    ("nimm", "random", 2),
    ("nimm", "greedy", 2),
    ("dice", "greedy", 2),
    ("1835", "random", 4),
    ("1835", "greedy", 4),
    ("1853", "greedy", 4),
)
PLAYED = 3


def run() -> list[Measurement]:
    """Thinking times over the decisions of a greedy game, and whole games."""
    base = seconds(reference)
    return [*moves(base), *(whole(base, *each) for each in GAMES)]


def whole(base: float, title: str, bot: str, players: int) -> Measurement:
    """A game as in `kursbuch match`."""
    match = Match(kursbuch.title(title), [bot], players, "1")
    tasks = [task for number in range(PLAYED + 1) for task in match.block(number)]
    play_game(tasks.pop())  # load everything
    caches = Caches()
    times = [seconds(partial(play_game, task), 1, caches) for task in tasks]
    name = f"{title}: a game of {players} × {bot}"
    return shorter(name, median(times), "s", REFERENCE, base)


def moves(base: float) -> list[Measurement]:
    """Moves of Stephenson's Rocket."""
    game = kursbuch.new("rocket", ["Anna", "Bernd"], seed=1)
    bot = make("greedy", 1)
    bot.choose(game.view(game.pending[0].seat))
    caches = Caches()
    greedy, search = [], []
    while not game.over:
        view = game.view(game.pending[0].seat)
        if len(view.legal_actions()) > 20:
            greedy.append(timed(partial(bot.choose, view), caches))
            if len(greedy) % EVERY == 0:
                work = partial(make(f"mcts:{POSITIONS}", 1).choose, view)
                search.append(timed(work, caches, 1).cold)
        game.apply(bot.choose(view))
    cold, warm = median(one.cold for one in greedy), median(one.warm for one in greedy)
    return [
        shorter("rocket: greedy, one move", cold * 1e3, "ms", REFERENCE, base * 1e3, warm * 1e3),
        faster("rocket: search", POSITIONS / median(search), "positions/s", REFERENCE, 1 / base),
    ]
