"""How long the computer opponents think about a move, and how much a search gets done."""

from __future__ import annotations

import time
from statistics import median

import kursbuch
from benchmarks.common import Measurement, faster, reference, seconds, shorter
from kursbuch.bots import make

#: A search of Rocket by two looks at so many positions.
POSITIONS = 100
EVERY = 6


def run() -> list[Measurement]:
    """Thinking times over the decisions of one game between greedy bots."""
    base = seconds(reference)
    greedy, search = make("greedy", 1), make(f"mcts:{POSITIONS}", 1)
    game = kursbuch.new("rocket", ["Anna", "Bernd"], seed=1)
    greedy_times, search_times = [], []
    while not game.over:
        view = game.view(game.pending[0].seat)
        started = time.perf_counter()
        action = greedy.choose(view)
        if len(view.legal_actions()) > 20:
            greedy_times.append(time.perf_counter() - started)
            if len(greedy_times) % EVERY == 0:
                started = time.perf_counter()
                search.choose(view)
                search_times.append(time.perf_counter() - started)
        game.apply(action)
    positions = POSITIONS / median(search_times)
    return [
        shorter(
            "greedy, one move", median(greedy_times) * 1e3, "ms", "reference workload", base * 1e3
        ),
        faster("search", positions, "positions/s", "reference workload", 1 / base),
    ]
