"""The outline of several hexes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kursbuch.games.g18xx.map.board import Board
from kursbuch.hexmap import svg
from kursbuch.hexmap.geometry import corners

Point = tuple[float, float]


def outline(board: Board, centres: Sequence[Point], names: Collection[str], size: float) -> str:
    """The path data of the border between these hexes and all others."""
    inside = {board.place(name) for name in names}
    # Corners are known by the three hexes around them, whether or not these are on the map.
    follows: dict[tuple[int, int], tuple[int, int]] = {}
    at: dict[tuple[int, int], Point] = {}
    for place in inside:
        around = [board.places[place].neighbour(edge) for edge in range(6)]
        row, column = board.places[place]
        keys = [
            (row + one.row + two.row, column + one.column + two.column)
            for one, two in zip(around, (*around[1:], around[0]), strict=True)
        ]
        at.update(zip(keys, corners(*centres[place], size), strict=True))
        for edge, other in enumerate(board.neighbours[place]):
            if other not in inside:
                follows[keys[edge - 1]] = keys[edge]
    data = ""
    while follows:
        first = min(follows)
        ring, corner = [first], follows.pop(first)
        while corner != first:
            ring.append(corner)
            corner = follows.pop(corner)
        points = (f"{svg.number(x)} {svg.number(y)}" for x, y in map(at.__getitem__, ring))
        data += f"M{'L'.join(points)}Z"
    return data
