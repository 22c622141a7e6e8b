"""Recorded positions with the revenue another program found (`../shared/peer`, see its README)."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from kursbuch.games.g18xx.g1835.components import standard
from kursbuch.games.g18xx.map.track import Laid, Layout, Station

ROOT = Path(__file__).parents[3]
#: Beside the project; one step further up from a worktree.
FOLDER = next(
    (up / "shared/peer" for up in ROOT.parents if (up / "shared/peer").is_dir()),
    ROOT.parent / "shared/peer",
)

#: The games the README of the folder describes; others are only imported (`tests/games/g18xx/g1835`).
KNOWN = ("1835_Issue129done", "1835_SellDoubleShare", "1835_SellPresidency", "1835_Stoll_12")

#: Phases of that program, as our phases counted from 0.
PHASES = {"2": 0, "3": 1, "4": 1, "4+4": 1, "5": 2, "6": 2, "6+6": 2}


class Case(NamedTuple):
    """A position with the trains of one company. `recorded` is false for the runs on the last
    board of a game, which that program computed but no one played."""

    game: str
    action: str
    company: str
    phase: int
    trains: tuple[str, ...]
    layout: Layout
    revenue: int
    recorded: bool

    @property
    def name(self) -> str:
        return f"{self.game}:{self.action}:{self.company}"


def there() -> bool:
    return all((FOLDER / f"{game}.revenue.jsonl.gz").exists() for game in KNOWN)


def state_files() -> list[Path]:
    """The states of the known games."""
    return [FOLDER / f"{game}.states.jsonl.gz" for game in KNOWN]


def layout(state: dict[str, Any]) -> Layout:
    """The tiles and markers of a recorded state, in our rotations and numbers of stops."""
    board = standard().board
    tiles = {}
    for name, (tile, orientation) in state["tiles"].items():
        turned = board.tile(tile).record.rotation_elsewhere["Rails"]
        tiles[name] = Laid(tile, (orientation + turned) % 6)
    stations = []
    for company in state["companies"]:
        for token in company["tokens"]:
            name, _, city = token.partition("/")
            record = (
                board.tile(tiles[name].tile).record
                if name in tiles
                else board.records[board.number(name)]
            )
            order = record.stops_elsewhere.get("Rails") or range(len(record.stops))
            stations.append(Station(company["id"], name, order[int(city) - 1]))
    return Layout(tiles, stations)


def lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def cases() -> list[Case]:
    """Every revenue of every known game."""
    found = []
    for game in KNOWN:
        path = FOLDER / f"{game}.revenue.jsonl.gz"
        states = {state["i"]: state for state in lines(FOLDER / f"{game}.states.jsonl.gz")}
        for record in lines(path):
            final = record["i"] == "final"
            # The state before the dividend; nothing is laid after the last action.
            state = states[max(states) if final else record["i"] - 1]
            found.append(
                Case(
                    game.removeprefix("1835_"),
                    str(record["i"]),
                    record["company"],
                    PHASES[record["phase"]],
                    tuple(train.partition("_")[0] for train in record["trains"]),
                    layout(state),
                    record["revenue"] if final else record["recorded"],
                    not final,
                )
            )
    return found
