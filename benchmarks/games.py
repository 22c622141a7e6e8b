"""Whole games of our own, played by computer opponents, which everybody has who has the source.

    python -m benchmarks.games

plays them and writes their records into `benchmarks/records`. They stay as they are when computer opponents play
differently, so that figures can be compared.
"""

from __future__ import annotations

from pathlib import Path

import kursbuch
from kursbuch.bots import make
from kursbuch.core.game import Game
from tests.browser.positions import whole_game

FOLDER = Path(__file__).parent / "records"

#: The games beside those of the browser's tests: numbers of players, which are their seeds too.
PLAYED = {"1835": (3, 4, 5), "1853": (3, 4, 5)}
PLAYERS = ("Anna", "Bernd", "Clara", "Dirk", "Emma")
BOT = "greedy"


def own(title: str) -> list[Game]:
    """The games of a title."""
    paths = sorted(FOLDER.glob(f"{title}-*.txt"))
    return [whole_game(title), *(kursbuch.load(path.read_text("utf-8")) for path in paths)]


def played(title: str, seats: int) -> Game:
    """A game between greedy opponents."""
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
