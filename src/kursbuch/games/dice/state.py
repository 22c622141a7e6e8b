"""The state of a game of Railroad Dice as plain data, and its encoding as numbers.

Tiles, squares and companies are indices into the board. Holders in the ledger: `supply` (the bank:
dice, unsold shares, small tiles), the seats ("0", "1" …) for shares and passengers, `0:behind`,
`0:straight` … for the dice behind and in front of the screen of a seat, `tile:4` for the dice on the
large tile that belongs to the small tile number 4, `card` and `map` for stations, `landscape` for
small tiles, and `bank` for passengers, which cannot run out.
"""

from __future__ import annotations

from typing import get_args

import msgspec

from kursbuch.core.state import Bits, Encoding, Listed, Size, State, Step
from kursbuch.games.dice.actions import EndName, Seller, SideName
from kursbuch.games.dice.components import MAX_TILES, Board


class Opening(Step, tag="opening"):
    """The start player is to be drawn."""


class Turn(Step, tag="turn"):
    """A player's turn: whether income has been taken and dice rolled in it. `paid` holds a square
    (row and column in the whole landscape) of every mountain already paid for."""

    seat: int
    income: bool = False
    rolled: bool = False
    paid: list[tuple[int, int]] = msgspec.field(default_factory=list)

    def paid_squares(self) -> tuple[tuple[int, int], ...]:
        """`paid`, as it does not change any more."""
        return tuple((row, column) for row, column in self.paid)


class Bridge(Step, tag="bridge"):
    """An end of the line leads against or over water and must be brought back to land."""

    seat: int
    end: int


class Crossing(Step, tag="crossing"):
    """An end of the line leads against the edge: a new tile is to be chosen."""

    seat: int
    end: int


class Joining(Step, tag="joining"):
    """A new tile has been chosen: a piece on it must join the line."""

    seat: int
    end: int
    tile: int
    rotation: int


class Reduction(Step, tag="reduction"):
    """Too many dice lie in front of the screen at the end of the turn."""

    seat: int


class YearChange(Step, tag="year"):
    """Everybody has had a turn."""


class FinalCount(Step, tag="final"):
    """The game is ending: passengers are determined once more."""


DiceStep = Opening | Turn | Bridge | Crossing | Joining | Reduction | YearChange | FinalCount


class Small(msgspec.Struct, array_like=True):
    """A small tile in the landscape; `stations` is the bit mask of the companies whose stations
    have been moved to it."""

    row: int
    column: int
    tile: int
    rotation: int
    stations: int = 0


class Piece(msgspec.Struct, array_like=True):
    """A track piece or station (`company`, else -1) on a large tile. `back` and `front` are the two
    sides it joins; `front` is -1 for a station the line does not leave yet."""

    square: int
    back: int
    front: int
    company: int = -1


class Large(msgspec.Struct, array_like=True):
    """A large tile in play: the number of its small tile, and what lies on it."""

    small: int
    pieces: list[Piece]


class End(msgspec.Struct, array_like=True):
    """An end of the line: its tile (as number of the small tile), the square of its last piece and
    the open side of that piece, -1 for a station."""

    small: int
    square: int
    front: int


class DiceState(State[DiceStep], kw_only=True):
    """Everything that changes during a game.

    `turns` counts the turns of the year that are over. `directors` has a seat or None per company;
    `fallen` marks the seats that lost their last directorship in the last year change. `ending` is
    what the end of the game was caused by: "company", "tiles" or "bank". `screened` are the seats
    whose screens hide something in this view; in a full state there are none. `added_dice` is how many
    dice there are besides those of the component data.
    """

    year: int
    start: int
    turns: int
    landscape: list[Small]
    large: list[Large]
    ends: list[End]
    directors: list[int | None]
    fallen: list[bool]
    ending: str
    screened: list[int]
    added_dice: int = 0


SEATS = tuple(str(seat) for seat in range(4))
BEHIND = tuple(f"{seat}:behind" for seat in range(4))

#: The holders of the dice in front of a seat's screen: straight, curve, share, question.
FRONT = tuple(
    tuple(f"{seat}:{face}" for face in ("straight", "curve", "share", "question"))
    for seat in range(4)
)
STRAIGHT, CURVE, SHARE, QUESTION = range(4)
END_NAMES: tuple[EndName, ...] = ("A", "B")


def share(company: str) -> str:
    """The ledger's name for the shares of a company."""
    return f"share:{company}"


def small(tile: str) -> str:
    """The ledger's name for the small tiles of a type."""
    return f"small:{tile}"


def on_tile(number: int) -> str:
    """The holder of the dice on a large tile."""
    return f"tile:{number}"


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
