"""The state of a game of Stephenson's Rocket as plain data, and its encoding as numbers.

Hexes, towns and lines are indices into the board. Holders in the ledger are the seats ("0", "1" …),
`stock`, `map`, `bank` and `gone` (out of the game).
"""

from __future__ import annotations

import msgspec

from kursbuch.core.state import Bits, Encoding, Keyed, Listed, Size, State, Step
from kursbuch.games.rocket.components import Board


class Opening(Step, tag="opening"):
    """The start player is to be drawn."""


class Turn(Step, tag="turn"):
    """A player's turn: `action` is 1 or 2 (3: both are done), `moved` the lines moved in it."""

    seat: int
    action: int
    moved: list[int]


class Objection(Step, tag="objection"):
    """A locomotive has been moved; `waiting` are the seats that may still call a veto round."""

    seat: int
    line: int
    hex: int
    waiting: list[int]


class Veto(Step, tag="veto"):
    """A veto round. `order` are the seats still to speak, the active player last; `bidder` is None
    until somebody bids, `shares` the highest bid so far and `target` its hex."""

    seat: int
    line: int
    hex: int
    order: list[int]
    bidder: int | None
    shares: int
    target: int


class Settlement(Step, tag="settlement"):
    """The move is final: locomotive to `hex`, tile, passengers, scorings, isolation, end."""

    seat: int
    line: int
    chosen: int
    hex: int


class FinalScoring(Step, tag="final"):
    """The end has come."""


RocketStep = Opening | Turn | Objection | Veto | Settlement | FinalScoring


class Track(msgspec.Struct, array_like=True):
    """A track tile on the map: it joins two edges of its hex. `line` laid it."""

    hex: int
    rear: int
    exit: int
    line: int


class RocketState(State[RocketStep], kw_only=True):
    """Everything that changes during a game.

    `owner` gives the line every hex belongs to (-1: none), start towns included; `locomotive` is -1
    for a dissolved line and `facing` -1 before the first move; `connected` are bit masks of towns;
    `merged_into` is -1 for a line that still exists.
    """

    start: int | None
    owner: list[int]
    locomotive: list[int]
    facing: list[int]
    stations: dict[int, int]
    connected: list[int]
    isolated: list[bool]
    merged_into: list[int]
    track: list[Track]
    exact: bool
    hidden_money: bool
    wide: bool


SEATS = tuple(str(seat) for seat in range(8))


def share(line: str) -> str:
    """The ledger's name for the shares of a line."""
    return f"share:{line}"


def token(metropolis: str) -> str:
    """The ledger's name for the tokens of a metropolis."""
    return f"token:{metropolis}"


def supplementary(seat: int, line: str) -> str:
    """The holder of supplementary shares that stand for shares of a line."""
    return f"{seat}:{line}"


def encoding(board: Board, seats: int) -> Encoding:
    """Words and sizes of a game with a number of seats."""
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
