"""Paths over the free squares of a tile, found exactly. Sets of squares are bit masks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from kursbuch.games.dice.components import Board


class Paths:
    """Questions about ways on the tiles of a board, answers remembered.

    For two ways the sides of the tile are places too: they have the numbers after those of the
    squares, and every square at a side leads on to it.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.size = board.size
        self.not_east = board.every & ~board.borders[1]
        self.not_west = board.every & ~board.borders[3]
        no_way_on = (0, 0, 0, 0)
        self.onward = (*map(self._onward, range(board.squares)), *no_way_on)
        self.reaches = lru_cache(maxsize=200_000)(self._reaches)
        self.apart = lru_cache(maxsize=50_000)(self._apart)

    def _onward(self, square: int) -> int:
        sides = sum_masks(
            1 << side for side, other in enumerate(self.board.neighbours[square]) if other < 0
        )
        return self.board.around[square] | self.over_sides(sides)

    def over_sides(self, sides: int) -> int:
        """The places that stand for some of the four sides of a tile."""
        return sides << self.board.squares

    def outlets(self, sides: int) -> int:
        """The squares from which a line could leave the tile over some of its sides."""
        return sum_masks(self.board.borders[side] for side in bits(sides))

    def spread(self, start: int, free: int) -> int:
        """All free squares that hang together with those of `start`."""
        reached, size = start & free, self.size
        while True:
            grown = (
                reached
                | (reached & self.not_east) << 1
                | (reached & self.not_west) >> 1
                | reached << size
                | reached >> size
            ) & free
            if grown == reached:
                return reached
            reached = grown

    def _reaches(self, start: int, free: int, outlets: int, least: int) -> bool:
        """Whether a line over free squares can lead from one of the squares of `start` to an outlet
        and have at least that many pieces. Exact: a line that would be too short on the shortest
        way is tried on every longer one."""
        if not self.spread(start, free) & outlets:
            return False
        if least <= 1:
            return True
        return any(self._long_way(square, free, outlets, least) for square in bits(start & free))

    def _long_way(self, square: int, free: int, outlets: int, least: int) -> bool:
        bit = 1 << square
        free &= ~bit
        if least <= 1 and bit & outlets:
            return True
        onward = self.board.around[square] & free
        if least <= 2:
            return bool(self.spread(onward, free) & outlets)
        return any(self._long_way(other, free, outlets, least - 1) for other in bits(onward))

    def _apart(self, first: int, second: int, free: int, goals: int) -> bool:
        """Whether two lines over free squares can lead from `first` and from `second` to two
        different goals without crossing each other: a flow of two through places of capacity one.
        Goals are squares or sides."""
        room = free | goals
        way = self._shortest(first & free, room, goals)
        if way is None:
            return False
        left = ~sum_masks(1 << place for place in way)
        last = goals & left | self.outlets((goals & left) >> self.board.squares)
        if self.spread(second & left, free & left) & last:
            return True
        return self._second_way(first & free, second & free, way, room, goals)

    def _shortest(self, start: int, room: int, goals: int) -> list[int] | None:
        before: dict[int, int] = dict.fromkeys(bits(start), -1)
        waiting = list(before)
        for place in waiting:
            if goals >> place & 1:
                way = [place]
                while before[way[-1]] >= 0:
                    way.append(before[way[-1]])
                return way[::-1]
            for other in bits(self.onward[place] & room):
                if other not in before:
                    before[other] = place
                    waiting.append(other)
        return None

    def _second_way(self, first: int, second: int, way: list[int], room: int, goals: int) -> bool:
        """Whether a second way exists, the first being led differently if need be.

        An augmenting path: a place of the first way is entered by pushing that way off it, so
        that the search goes on backwards along the way until it turns aside, at the latest where
        the first line starts (a station lets it start elsewhere)."""
        on_way = {place: index for index, place in enumerate(way)}
        # States are places come to from outside the way, and places of the way come to against
        # its direction (where it may be left).
        seen: set[tuple[int, bool]] = set()
        waiting = [(place, False) for place in bits(second)]
        while waiting:
            node = waiting.pop()
            if node in seen:
                continue
            seen.add(node)
            place, backwards = node
            index = on_way.get(place)
            if index is None or backwards:
                if goals >> place & 1 and place != way[-1]:
                    return True
                waiting += [
                    (other, False)
                    for other in bits(self.onward[place] & room)
                    if index is None or on_way.get(other) != index + 1
                ]
            if index is not None:
                if index:
                    waiting.append((way[index - 1], True))
                else:
                    waiting += [(other, False) for other in bits(first)]
        return False


def bits(mask: int) -> Iterator[int]:
    """The numbers of the squares of a mask.

    >>> list(bits(0b1010))
    [1, 3]
    """
    while mask:
        bit = mask & -mask
        mask ^= bit
        yield bit.bit_length() - 1


def sum_masks(masks: Iterable[int]) -> int:
    """All squares of several masks."""
    found = 0
    for mask in masks:
        found |= mask
    return found
