"""The landscape of small tiles: what fits where, what hangs together.

Ids in brackets are those of rules.toml.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from kursbuch.games.dice.components import STEPS, Board, Layout
from kursbuch.games.dice.holdings import tiles_left
from kursbuch.games.dice.state import DiceState

Tile = tuple[int, int, int, int]


class Land(NamedTuple):
    """The landscape: row, column, type and rotation of every small tile, and how many small tiles
    of each type are left."""

    tiles: tuple[Tile, ...]
    left: tuple[int, ...]


class Landscape:
    """Questions about landscapes of a board's tiles, answers remembered."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.size = board.size
        self.fitting = lru_cache(maxsize=50_000)(self._fitting)
        self.open_sides = lru_cache(maxsize=50_000)(self._open_sides)
        self.places = lru_cache(maxsize=5_000)(self._places)
        self.mountain = lru_cache(maxsize=2_000)(self._mountain)

    def of(self, state: DiceState) -> Land:
        """The landscape of a state."""
        return Land(
            tuple([(s.row, s.column, s.tile, s.rotation) for s in state.landscape]),
            tuple([tiles_left(state, tile.id) for tile in self.board.tiles]),
        )

    def layout(self, land: Land, number: int) -> Layout:
        """A tile of the landscape as it lies."""
        _, _, tile, rotation = land.tiles[number]
        return self.board.layout(tile, rotation)

    def _places(self, tiles: tuple[Tile, ...]) -> dict[tuple[int, int], int]:
        return {(row, column): number for number, (row, column, _, _) in enumerate(tiles)}

    # ---- new tiles

    def beyond(self, land: Land, number: int, side: int) -> tuple[int, int]:
        """The place beyond a side of a tile."""
        row, column, _, _ = land.tiles[number]
        return row + STEPS[side][0], column + STEPS[side][1]

    def _fitting(self, land: Land, row: int, column: int) -> tuple[Layout, ...]:
        """The tiles that can be put on a free place: available, with every side like that of the
        tile it meets [tile-3, tile-5]."""
        board, places = self.board, self.places(land.tiles)
        wanted: list[tuple[int, str]] = []
        for side, (rows, columns) in enumerate(STEPS):
            number = places.get((row + rows, column + columns))
            if number is not None:
                wanted.append((side, self.layout(land, number).sides[(side + 2) % 4]))
        return tuple(
            layout
            for tile, layouts in enumerate(board.layouts)
            if land.left[tile]
            for layout in layouts
            if all(layout.sides[side] == terrain for side, terrain in wanted)
        )

    def is_taken(self, land: Land, place: tuple[int, int]) -> bool:
        """Whether a small tile lies on a place [tile-6]."""
        return place in self.places(land.tiles)

    def is_open(self, land: Land, number: int, side: int) -> bool:
        """Whether a new tile can be connected over a side of a tile now."""
        return bool(self.open_sides(land, number) >> side & 1)

    def _open_sides(self, land: Land, number: int) -> int:
        """The sides of a tile over which a new one can be connected now, as a bit mask."""
        found = 0
        for side in range(4):
            place = self.beyond(land, number, side)
            if not self.is_taken(land, place) and self.fitting(land, *place):
                found |= 1 << side
        return found

    def with_tile(self, land: Land, place: tuple[int, int], tile: int, rotation: int) -> Land:
        """The landscape with another small tile."""
        left = list(land.left)
        left[tile] -= 1
        return Land((*land.tiles, (*place, tile, rotation)), tuple(left))

    # ---- mountains

    def same_mountain(
        self, land: Land, start: tuple[int, int], paid: tuple[tuple[int, int], ...]
    ) -> bool:
        """Whether the mountain a square belongs to has been paid for. A mountain is what hangs
        together over the borders of tiles too [mountain-2]. Squares are those of the landscape."""
        return bool(paid) and not self.mountain(land.tiles, start).isdisjoint(paid)

    def _mountain(
        self, tiles: tuple[Tile, ...], start: tuple[int, int]
    ) -> frozenset[tuple[int, int]]:
        """All squares of the mountain a square belongs to."""
        size, places, board = self.size, self.places(tiles), self.board
        seen, waiting = {start}, [start]
        while waiting:
            here = waiting.pop()
            for rows, columns in STEPS:
                row, column = here[0] + rows, here[1] + columns
                number = places.get((row // size, column // size))
                if number is None or (row, column) in seen:
                    continue
                _, _, tile, rotation = tiles[number]
                square = row % size * size + column % size
                if board.layout(tile, rotation).mountain >> square & 1:
                    seen.add((row, column))
                    waiting.append((row, column))
        return frozenset(seen)

    def square_at(self, land: Land, number: int, square: int) -> tuple[int, int]:
        """A square of a tile as row and column in the whole landscape."""
        row, column, _, _ = land.tiles[number]
        return row * self.size + square // self.size, column * self.size + square % self.size


# ---- stations in the landscape


def station_places(state: DiceState) -> dict[tuple[int, int], int]:
    """The companies with a station on every place of the landscape, those on large tiles still in
    play included [passenger-2]."""
    found = {(tile.row, tile.column): tile.stations for tile in state.landscape}
    for large in state.large:
        tile = state.landscape[large.small]
        for piece in large.pieces:
            if piece.company >= 0:
                found[tile.row, tile.column] |= 1 << piece.company
    return found


def chains(places: dict[tuple[int, int], int], company: int) -> int:
    """The size of the largest group of places with a station of the company that hang together in
    the four directions [passenger-1]. `places` gives bit masks of companies."""
    waiting_for = {place for place, mask in places.items() if mask >> company & 1}
    longest = 0
    while waiting_for:
        group = [waiting_for.pop()]
        for row, column in group:
            for rows, columns in STEPS:
                other = (row + rows, column + columns)
                if other in waiting_for:
                    waiting_for.remove(other)
                    group.append(other)
        longest = max(longest, len(group))
    return longest
