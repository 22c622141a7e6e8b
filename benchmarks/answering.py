"""Answers for the bots of another version of Kursbuch, in whose `src` it is run (`benchmarks.versus`).

It keeps its own game. Every line of the standard input is a question in JSON: perhaps the game to begin
(`new`), the moves made since the last question in notation, and what a bot in a seat is asked for. Every
answer is a line with the move in notation, or null.
"""

from __future__ import annotations

import json
import sys

from kursbuch.bots import Bot, make
from kursbuch.core import registry
from kursbuch.core.game import Game


def main() -> None:
    bots: dict[int, Bot] = {}
    game: Game | None = None
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["new"] is not None:
            new = asked["new"]
            title = registry.title(new["title"])
            game, bots = Game(title, new["names"], new["options"], seed=new["seed"]), {}
        assert game is not None
        for move in asked["moves"]:
            game.apply(game.parse(move))
        seat = asked["seat"]
        if seat not in bots:
            bots[seat] = make(asked["bot"], asked["seed"])
        ask = bots[seat].volunteer if asked["unasked"] else bots[seat].choose
        action = ask(game.view(seat))
        print(json.dumps(None if action is None else game.format(action)), flush=True)


if __name__ == "__main__":
    main()
