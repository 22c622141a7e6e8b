"""Bot server for `benchmarks.versus`, run in the `src` of another version of Kursbuch.

It keeps its own game. Each line of standard input is a JSON request: optionally a game to start (`new`), the moves
since the last request in notation, and the action requested of a seat's bot. The response is a line with the move in
notation, or null.
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
