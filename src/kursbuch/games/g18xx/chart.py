"""The share price chart: where prices move, and what a field is worth.

Fields are named by column and row, the upper left corner being A1; after Z come AA, AB and so on. A
chart of one dimension is a grid of one row.
"""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.errors import KursbuchError


def field(column: int, row: int) -> str:
    """The name of a field; columns and rows count from 0.

    >>> field(0, 0), field(25, 2), field(26, 0), field(53, 0)
    ('A1', 'Z3', 'AA1', 'BB1')
    """
    letters = ""
    while column >= 0:
        column, letter = column // 26 - 1, column % 26
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row + 1}"


def column_and_row(name: str) -> tuple[int, int]:
    """The column and row of a field.

    >>> column_and_row("A1"), column_and_row("Z3"), column_and_row("BB1")
    ((0, 0), (25, 2), (53, 0))
    """
    letters = name.rstrip("0123456789")
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - ord("A") + 1
    return column - 1, int(name[len(letters) :]) - 1


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
        if not grid or not max(len(row) for row in grid):
            raise KursbuchError("The share price chart has no fields.")
        self.price = {
            field(column, row): value
            for row, values in enumerate(grid)
            for column, value in enumerate(values)
            if value is not None
        }
        self.right = {name: self._go(name, (1, 0), (0, -1)) for name in self.price}
        self.left = {name: self._go(name, (-1, 0), (0, 1)) for name in self.price}
        self.up = {name: self._go(name, (0, -1)) for name in self.price}
        self.down = {name: self._go(name, (0, 1)) for name in self.price}
        #: The place of a field in the order of play: higher prices first, then further right.
        self.rank = {name: (-price, -column_and_row(name)[0]) for name, price in self.price.items()}

    def _go(self, name: str, *ways: tuple[int, int]) -> str:
        column, row = column_and_row(name)
        for columns, rows in ways:
            other = field(column + columns, row + rows)
            if other in self.price:
                return other
        return name
