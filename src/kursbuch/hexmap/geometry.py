"""Coordinates of pointy-top hexes: rows are letters, columns are doubled numbers.

Edges are numbered clockwise from east: 0 E, 1 SE, 2 SW, 3 W, 4 NW, 5 NE.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

#: (row, column) step across each edge.
STEPS = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))

_NAME = re.compile(r"([A-Z])([0-9]{1,2})")


class Hex(NamedTuple):
    """A hex of the map.

    >>> Hex.parse("K16"), str(Hex(10, 16)), str(Hex.parse("K16").neighbour(5))
    (Hex(row=10, column=16), 'K16', 'J17')
    >>> Hex.parse("K16").distance(Hex.parse("J15")), Hex.parse("K16").distance(Hex.parse("K22"))
    (1, 3)
    """

    row: int
    column: int

    @classmethod
    def parse(cls, name: str) -> Hex:
        """Parse the name of a hex; `ValueError` if it is invalid."""
        found = _NAME.fullmatch(name)
        if not found:
            raise ValueError(f"{name!r} is not the name of a hex, such as K16")
        return cls(ord(found[1]) - ord("A"), int(found[2]))

    def __str__(self) -> str:
        return f"{chr(ord('A') + self.row)}{self.column}"

    def neighbour(self, edge: int) -> Hex:
        """The hex across an edge, on the map or not."""
        rows, columns = STEPS[edge]
        return Hex(self.row + rows, self.column + columns)

    def distance(self, other: Hex) -> int:
        """Number of steps to another hex."""
        rows, columns = abs(self.row - other.row), abs(self.column - other.column)
        return rows + max(0, (columns - rows) // 2)

    def centre(self, size: float) -> tuple[float, float]:
        """Centre in drawing units; `size` is the distance from the centre to a corner."""
        return self.column * size * math.sqrt(3) / 2, self.row * size * 1.5


def corners(x: float, y: float, size: float) -> list[tuple[float, float]]:
    """Corners of a hex around (x, y), clockwise from the one between E and SE."""
    return [
        (
            x + size * math.cos(math.radians(30 + 60 * n)),
            y + size * math.sin(math.radians(30 + 60 * n)),
        )
        for n in range(6)
    ]


def edge_middle(x: float, y: float, size: float, edge: int) -> tuple[float, float]:
    """Midpoint of an edge of the hex around (x, y)."""
    reach = size * math.sqrt(3) / 2
    return x + reach * math.cos(math.radians(60 * edge)), y + reach * math.sin(
        math.radians(60 * edge)
    )
