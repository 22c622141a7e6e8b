"""How positions and actions are written as numbers, for programs that learn."""

from __future__ import annotations

from typing import get_args

from kursbuch.core.state import Bits, Encoding, Listed, Size
from kursbuch.games.dice.actions import EndName, Seller, SideName
from kursbuch.games.dice.components import MAX_TILES, Board
from kursbuch.games.dice.state import BEHIND, FRONT, SEATS, on_tile

#: What can cause the end.
ENDINGS = ("company", "tiles", "bank")


def encoding(board: Board, seats: int) -> Encoding:
    """The words and sizes of a game with so many seats."""
    players = SEATS[:seats]
    companies = [company.id for company in board.companies]
    tiles = sum(record.small for record in board.file.tiles)
    screens = [holder for seat in range(seats) for holder in (BEHIND[seat], *FRONT[seat])]
    holders = {
        "die": ("supply", *screens, *map(on_tile, range(tiles))),
        "passengers": ("bank", *players),
        "small": ("supply", "landscape"),
        "share": ("supply", *players),
        "station": ("card", "map"),
    }
    sizes: dict[str, Size] = {
        "landscape": Listed(tiles),
        "landscape.stations": Bits(len(companies)),
        "large": Listed(MAX_TILES),
        "large.pieces": Listed(board.squares),
        "ends": Listed(2),
        "directors": Listed(len(companies)),
        "turn.paid": Listed(seats),
    }
    words = (
        *companies,
        *(word for kind in (Seller, EndName, SideName) for word in get_args(kind)),
        *board.names,
        *(record.id for record in board.file.tiles),
        *(record.terrain for record in board.surroundings),
        *ENDINGS,
    )
    return Encoding(
        tuple(dict.fromkeys(words)), lambda item: holders[item.partition(":")[0]], sizes
    )
