"""Recorded games between bots, part of the source.

    python -m benchmarks.games

plays them and writes their records to `benchmarks/records`. They do not change when bots play differently, so that
figures stay comparable.
"""

from __future__ import annotations

from pathlib import Path

import kursbuch
from kursbuch.bots import make
from kursbuch.core.game import Game
from tests.browser.positions import whole_game

FOLDER = Path(__file__).parent / "records"

#: Games besides those of the browser tests: numbers of players, also used as seeds.
PLAYED = {"1835": (3, 4, 5), "1853": (3, 4, 5)}
PLAYERS = ("Anna", "Bernd", "Clara", "Dirk", "Emma")
BOT = "greedy"


def own(title: str) -> list[Game]:
    paths = sorted(FOLDER.glob(f"{title}-*.txt"))
    return [whole_game(title), *(kursbuch.load(path.read_text("utf-8")) for path in paths)]


def played(title: str, seats: int) -> Game:
    """A game between greedy bots."""
    game = kursbuch.new(title, PLAYERS[:seats], seed=seats)
    bot = make(BOT, seats)
    while not game.over:
        game.apply(bot.choose(game.view(game.pending[0].seat)))
    return game


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for title, numbers in PLAYED.items():
        for seats in numbers:
            record = played(title, seats).record()
            (FOLDER / f"{title}-{seats}.txt").write_text(record, "utf-8")


if __name__ == "__main__":
    main()
