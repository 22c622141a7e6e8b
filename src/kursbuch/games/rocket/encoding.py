"""How positions and actions are written as numbers, for programs that learn."""

from __future__ import annotations

from kursbuch.core.state import Bits, Encoding, Keyed, Listed, Size
from kursbuch.games.rocket.components import Board
from kursbuch.games.rocket.state import SEATS, supplementary


def encoding(board: Board, seats: int) -> Encoding:
    """The words and sizes of a game with so many seats."""
    lines = [line.id for line in board.lines]
    players = SEATS[:seats]
    per_line = Listed(len(lines))
    hexes = range(len(board.hex_names))
    whose = ["stock", *(supplementary(seat, line) for seat in range(seats) for line in lines)]
    holders = {
        "share": ("stock", "gone", *players),
        "token": ("map", "gone", *players),
        "station": ("supply", "map", "gone"),
        "supplementary": (*whose, "gone"),
        "passenger": ("supply", "gone", *players),
        "tile": ("supply", "map", "gone"),
        "money": ("bank", *players),
    }
    sizes: dict[str, Size] = {
        "owner": Listed(len(hexes)),
        "locomotive": per_line,
        "facing": per_line,
        "stations": Keyed(hexes),
        "connected": Listed(len(lines), Bits(len(board.towns))),
        "isolated": per_line,
        "merged_into": per_line,
        "track": Keyed(hexes, by="hex"),
        "turn.moved": per_line,
    }
    towns = [board.towns[number].name for number in board.metropolises]
    words = (*lines, *board.hex_names, *towns)
    return Encoding(words, lambda item: holders[item.partition(":")[0]], sizes)
