"""How long the computer opponents think about a move, and how much a search gets done.

Every move is thought about cold; warm is the same move again.
"""

from __future__ import annotations

from functools import partial
from statistics import median

import kursbuch
from benchmarks.common import Caches, Measurement, asked, faster, reference, seconds, shorter
from kursbuch.bots import make

#: A search of Rocket by two looks at so many positions.
POSITIONS = 100
EVERY = 6

REFERENCE = "reference workload"


def run() -> list[Measurement]:
    """Thinking times over the decisions of one game between greedy bots."""
    base = seconds(reference)
    game = kursbuch.new("rocket", ["Anna", "Bernd"], seed=1)
    bot = make("greedy", 1)
    bot.choose(game.view(game.pending[0].seat))
    caches = Caches()
    greedy, search = [], []
    while not game.over:
        view = game.view(game.pending[0].seat)
        if len(view.legal_actions()) > 20:
            greedy.append(asked(partial(bot.choose, view), caches))
            if len(greedy) % EVERY == 0:
                work = partial(make(f"mcts:{POSITIONS}", 1).choose, view)
                search.append(asked(work, caches, 1).cold)
        game.apply(bot.choose(view))
    cold, warm = median(one.cold for one in greedy), median(one.warm for one in greedy)
    return [
        shorter("greedy, one move", cold * 1e3, "ms", REFERENCE, base * 1e3, warm * 1e3),
        faster("search", POSITIONS / median(search), "positions/s", REFERENCE, 1 / base),
    ]
