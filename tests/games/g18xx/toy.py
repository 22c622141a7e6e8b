"""Games of the toy title of docs/adding-an-18xx.md, and what is done in them."""

from __future__ import annotations

import json
from importlib import resources
from types import ModuleType
from typing import Any

from msgspec.structs import replace

from kursbuch.core.game import Game
from kursbuch.core.play import Play
from kursbuch.core.position import Position
from kursbuch.core.title import parse_data
from kursbuch.core.words import Words
from kursbuch.games.g18xx.components import Components, EighteenFile
from kursbuch.games.g18xx.ruleset import Ruleset
from kursbuch.games.g18xx.state import StockTurn

ENGLISH = Words("en", ("Anna", "Bernd", "Clara"))


def new(title: Any, seats: int = 2) -> Game:
    return Game(title, ["Anna", "Bernd", "Clara"][:seats], seed="1")


def with_policy(shuttle: ModuleType, **values: Any) -> Any:
    return shuttle.Shuttle(replace(shuttle.POLICY, **values))


def ruleset(game: Game) -> Ruleset[Any]:
    found: Ruleset[Any] = game.title.ruleset  # type: ignore[attr-defined]
    return found


def say(game: Game, *lines: str) -> None:
    for line in lines:
        game.apply(game.parse(line))


def buy(game: Game, *lines: str) -> None:
    """Purchases of a stock round, with which turns end: "Anna N 20P"; "Anna" alone passes."""
    for line in lines:
        name, *share = line.split()
        if share:
            say(game, f"{name} buys {' '.join(share)}")
        step = game.state.agenda[-1]
        if isinstance(step, StockTurn) and game.names[step.seat] == name:
            say(game, f"{name} is done")


def play(game: Game) -> Play[Any]:
    return Play(game.state, game.position.chance)


def begun(title: Any) -> Game:
    """Both companies are in operation: Anna directs N, Bernd S, and N is to build."""
    game = new(title)
    buy(game, "Anna N 20P", "Bernd S 20P", "Anna N 10", "Bernd S 10", "Anna N 10", "Bernd S 10")
    buy(game, "Anna N 10", "Bernd S 10", "Anna", "Bernd")
    return game


def everything(position: Position[Any]) -> dict[str, int]:
    return {item: sum(row.values()) for item, row in position.state.ledger.items.items()}


def data_of(shuttle: ModuleType) -> Any:
    """The data of the title, to be changed."""
    return json.loads((resources.files(shuttle) / "board.json").read_bytes())


def read(data: Any, kind: type[EighteenFile] = EighteenFile) -> Components:
    return Components(parse_data(json.dumps(data).encode(), kind))
