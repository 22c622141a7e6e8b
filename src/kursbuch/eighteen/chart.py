"""The share price chart: where prices move, and what a field is worth.

Fields are named by column and row, the upper left corner being A1. A chart of one dimension is a
grid of one row.
"""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.errors import KursbuchError


class Chart:
    """A grid of prices; None is no field.

    `right`, `left`, `up` and `down` name the field a marker comes to from each field, which is the
    field itself where it cannot move. A marker that cannot go right goes up, one that cannot go
    left goes down.

    >>> chart = Chart([[None, 98, 108], [82, 86, 92], [78, 84, None]])
    >>> chart.right["B2"], chart.right["C2"], chart.left["A2"], chart.down["B3"], chart.up["A2"]
    ('C2', 'C1', 'A3', 'B3', 'A2')
    >>> chart.price["C1"]
    108
    """

    def __init__(self, grid: Sequence[Sequence[int | None]]) -> None:
        if not grid or not 0 < max(len(row) for row in grid) <= 26:
            raise KursbuchError("The share price chart must have 1 to 26 columns.")
        self.price = {
            f"{chr(ord('A') + column)}{row + 1}": value
            for row, values in enumerate(grid)
            for column, value in enumerate(values)
            if value is not None
        }
        self.right = {name: self._go(name, (1, 0), (0, -1)) for name in self.price}
        self.left = {name: self._go(name, (-1, 0), (0, 1)) for name in self.price}
        self.up = {name: self._go(name, (0, -1)) for name in self.price}
        self.down = {name: self._go(name, (0, 1)) for name in self.price}
        #: The place of a field in the order of play: higher prices first, then further right.
        self.rank = {name: (-price, -ord(name[0])) for name, price in self.price.items()}

    def _go(self, name: str, *ways: tuple[int, int]) -> str:
        for columns, rows in ways:
            other = f"{chr(ord(name[0]) + columns)}{int(name[1:]) + rows}"
            if other in self.price:
                return other
        return name
