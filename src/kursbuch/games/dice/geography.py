"""The landscape of small tiles, and the possible continuations of the line.

All values are small, immutable copies of the state, so that searches do not touch it. Ids in brackets refer to
rules.toml.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec

from kursbuch.games.dice import bans
from kursbuch.games.dice.bans import Ban
from kursbuch.games.dice.components import STEPS, Board, Layout
from kursbuch.games.dice.state import DiceState, Joining, Large, small

#: Maximum number of cached pairs of sites.
REMEMBERED = 20_000


class Paths:
    """Cached path queries on the tiles of a board.

    For disjoint paths the tile's sides are places too, numbered after the squares; every border square leads to its
    side.
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
        """The places of these sides."""
        return sides << self.board.squares

    def outlets(self, sides: int) -> int:
        """Squares from which a line could leave the tile over these sides."""
        return sum_masks(self.board.borders[side] for side in bits(sides))

    def spread(self, start: int, free: int) -> int:
        """Free squares connected to those of `start`."""
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
        """Whether a line over free squares can lead from a square of `start` to an outlet with at least `least`
        pieces. Exact: if the shortest path is too short, all longer ones are tried."""
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
        """Whether lines from `first` and `second` can reach two different goals (squares or sides) over free squares
        without crossing: a two-unit flow with vertex capacity one."""
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
        """Whether a second path exists, rerouting the first if needed.

        An augmenting path: entering the first path pushes it off that place, so the search continues backwards along
        it until it turns off, at the latest at its start (a station lets the line start elsewhere).
        """
        on_way = {place: index for index, place in enumerate(way)}
        # A state is a place and whether it was reached against the first path, from where it may be left.
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
    """Numbers of the squares in a mask.

    >>> list(bits(0b1010))
    [1, 3]
    """
    while mask:
        bit = mask & -mask
        mask ^= bit
        yield bit.bit_length() - 1


def sum_masks(masks: Iterable[int]) -> int:
    """Union of masks."""
    found = 0
    for mask in masks:
        found |= mask
    return found


Tile = tuple[int, int, int, int]


class Land(NamedTuple):
    """Row, column, type and rotation of each small tile in the landscape, and the number of small tiles left of each
    type."""

    tiles: tuple[Tile, ...]
    left: tuple[int, ...]


class Landscape:
    """Cached queries about landscapes."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.size = board.size
        self.items = tuple(small(tile.id) for tile in board.tiles)
        self.fitting = lru_cache(maxsize=50_000)(self._fitting)
        self.open_sides = lru_cache(maxsize=50_000)(self._open_sides)
        self.places = lru_cache(maxsize=5_000)(self._places)
        self.mountain = lru_cache(maxsize=2_000)(self._mountain)

    def of(self, state: DiceState) -> Land:
        """The landscape of a state."""
        return Land(
            tuple([(s.row, s.column, s.tile, s.rotation) for s in state.landscape]),
            self.left(state),
        )

    def left(self, state: DiceState) -> tuple[int, ...]:
        """The number of small tiles left of each type."""
        items = state.ledger.items
        return tuple([items[item].get("supply", 0) for item in self.items])

    def layout(self, land: Land, number: int) -> Layout:
        """A tile of the landscape in its rotation."""
        _, _, tile, rotation = land.tiles[number]
        return self.board.layout(tile, rotation)

    def _places(self, tiles: tuple[Tile, ...]) -> dict[tuple[int, int], int]:
        return {(row, column): number for number, (row, column, _, _) in enumerate(tiles)}

    # ---- new tiles

    def beyond(self, land: Land, number: int, side: int) -> tuple[int, int]:
        """The place beyond a tile's side."""
        row, column, _, _ = land.tiles[number]
        return row + STEPS[side][0], column + STEPS[side][1]

    def _fitting(self, land: Land, row: int, column: int) -> tuple[Layout, ...]:
        """Available tiles that fit a free place, with sides matching all neighbours [tile-3, tile-5]."""
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
        """Whether a place has a small tile [tile-6]."""
        return place in self.places(land.tiles)

    def is_open(self, land: Land, number: int, side: int) -> bool:
        """Whether a new tile can be connected over a tile's side now."""
        return bool(self.open_sides(land, number) >> side & 1)

    def _open_sides(self, land: Land, number: int) -> int:
        """Bit mask of the sides over which a new tile can be connected now."""
        found = 0
        for side in range(4):
            place = self.beyond(land, number, side)
            if not self.is_taken(land, place) and self.fitting(land, *place):
                found |= 1 << side
        return found

    def with_tile(self, land: Land, place: tuple[int, int], tile: int, rotation: int) -> Land:
        """The landscape with one more small tile."""
        left = list(land.left)
        left[tile] -= 1
        return Land((*land.tiles, (*place, tile, rotation)), tuple(left))

    # ---- mountains

    def same_mountain(
        self, land: Land, start: tuple[int, int], paid: tuple[tuple[int, int], ...]
    ) -> bool:
        """Whether this square's mountain has been paid for. Mountains extend over tile borders [mountain-2]; squares
        are landscape coordinates."""
        return bool(paid) and not self.mountain(land.tiles, start).isdisjoint(paid)

    def _mountain(
        self, tiles: tuple[Tile, ...], start: tuple[int, int]
    ) -> frozenset[tuple[int, int]]:
        """All squares of a square's mountain."""
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
        """Landscape row and column of a tile's square."""
        row, column, _, _ = land.tiles[number]
        return row * self.size + square // self.size, column * self.size + square % self.size


def station_places(state: DiceState) -> dict[tuple[int, int], int]:
    """Companies with a station at each place of the landscape, including large tiles in play [passenger-2]."""
    found = {(tile.row, tile.column): tile.stations for tile in state.landscape}
    for large in state.large:
        tile = state.landscape[large.small]
        for piece in large.pieces:
            if piece.company >= 0:
                found[tile.row, tile.column] |= 1 << piece.company
    return found


def chains(places: dict[tuple[int, int], int], company: int) -> int:
    """Size of the largest orthogonally connected group of places with the company's stations [passenger-1]. `places`
    gives bit masks of companies."""
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


class Rival(NamedTuple):
    """The other end of the line on the same tile: its square and open side."""

    square: int
    front: int


class Site(NamedTuple):
    """A large tile from the point of view of an end of the line.

    `ways` are the squares the end points to, each with its entry side; `leaves` is the side over which the end
    leaves the tile, or -1. `pieces` counts stations too [tile-2]; `stations` are their squares and `companies` their
    owners. `bridge` marks a last piece over water, `joining` an end that has not entered the tile yet. `two_sides`
    requires two ends on a tile to have exits over different sides (correction dead-end-sides).
    """

    land: Land
    number: int
    layout: Layout
    occupied: int
    stations: int
    companies: int
    pieces: int
    ways: tuple[tuple[int, int], ...]
    square: int
    leaves: int
    bridge: bool
    rival: Rival | None
    joining: bool = False
    two_sides: bool = True


class Geography:
    """Queries about what is, and may be, on the tiles of a board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.landscape = Landscape(board)
        self.paths = Paths(board)
        self.least = board.economy.minimum_pieces_before_leaving
        self._sites: dict[tuple[bytes, tuple[int, ...], bool], tuple[Site, Site]] = {}

    # ---- sites

    def site(self, state: DiceState, end: int) -> Site:
        """The tile of an end, from its point of view."""
        return self.sites(state)[end]

    def sites(self, state: DiceState) -> tuple[Site, Site]:
        """The cached tiles of both ends, each from its point of view."""
        left = self.landscape.left(state)
        two_sides = state.corrected("dead-end-sides")
        track = msgspec.msgpack.encode((state.landscape, state.large, state.ends))
        key = (track, left, two_sides)
        found = self._sites.get(key)
        if found is None:
            if len(self._sites) >= REMEMBERED:
                self._sites.clear()
            land = self.landscape.of(state)
            found = self._sites[key] = (
                self._site(state, 0, land, two_sides),
                self._site(state, 1, land, two_sides),
            )
        return found

    def _site(self, state: DiceState, end: int, land: Land, two_sides: bool) -> Site:
        here, there = state.ends[end], state.ends[1 - end]
        large = large_tile(state, here.small)
        occupied, stations, companies = masks(large)
        site = Site(
            land,
            here.small,
            self.landscape.layout(land, here.small),
            occupied,
            stations,
            companies,
            len(large.pieces),
            (),
            -1,
            -1,
            False,
            Rival(there.square, there.front) if there.small == here.small else None,
            two_sides=two_sides,
        )
        return self._at(site, here.square, here.front)

    def joining(self, state: DiceState, step: Joining) -> Site:
        """The site of a chosen tile that is not connected yet."""
        return self.connected(self.site(state, step.end), step.tile, step.rotation)

    def connected(self, site: Site, tile: int, rotation: int) -> Site:
        """The site beyond the edge if this tile is placed there."""
        place = self.landscape.beyond(site.land, site.number, site.leaves)
        land = self.landscape.with_tile(site.land, place, tile, rotation)
        entry = self.board.opposite[site.square][site.leaves]
        return Site(
            land,
            len(site.land.tiles),
            self.board.layout(tile, rotation),
            0,
            0,
            0,
            0,
            ((entry, (site.leaves + 2) % 4),),
            -1,
            -1,
            False,
            None,
            True,
        )

    def laid(self, site: Site, square: int, side: int) -> Site:
        """The site after laying a piece."""
        after = site._replace(
            occupied=site.occupied | 1 << square, pieces=site.pieces + 1, joining=False
        )
        return self._at(after, square, side)

    def _at(self, site: Site, square: int, front: int) -> Site:
        """The site with the end's last piece on a square: track with an open side, or a station, which points to all
        free neighbours [track-4]."""
        row = self.board.neighbours[square]
        bridge = bool(site.layout.water >> square & 1)
        if front < 0:
            ways = tuple(
                (other, (side + 2) % 4)
                for side, other in enumerate(row)
                if other >= 0 and not site.occupied >> other & 1
            )
            return site._replace(ways=ways, square=square, leaves=-1, bridge=bridge)
        other = row[front]
        ways = ((other, (front + 2) % 4),) if other >= 0 else ()
        leaves = front if other < 0 else -1
        return site._replace(ways=ways, square=square, leaves=leaves, bridge=bridge)

    def at_station(self, site: Site) -> bool:
        """Whether the end is a station."""
        return not site.joining and bool(site.stations >> site.square & 1)

    def unfinished(self, site: Site) -> str:
        """What must follow in the same step: "edge" if the end leaves its tile [ban-1], "bridge" if it leads to or
        lies over water [ban-2, lake-3], otherwise empty."""
        if site.leaves >= 0:
            return "edge"
        if site.bridge:
            return "bridge"
        # A station leads to nothing.
        is_track = len(site.ways) == 1 and not self.at_station(site)
        return "bridge" if is_track and site.layout.water >> site.ways[0][0] & 1 else ""

    def surcharge(
        self, site: Site, square: int, paid: tuple[tuple[int, int], ...]
    ) -> tuple[int, bool]:
        """Surcharge in dice for building on a square, and whether it is for a bridge [mountain-1, lake-1]."""
        layout, economy = site.layout, self.board.economy
        if layout.mountain >> square & 1:
            there = self.landscape.square_at(site.land, site.number, square)
            covered = self.landscape.same_mountain(site.land, there, paid)
            return (0 if covered else economy.mountain_cost), False
        if layout.water >> square & 1 and not site.bridge:
            return economy.lake_cost, True
        return 0, False

    # ---- one piece

    def problem(self, site: Site, square: int, back: int, side: int) -> Ban | None:
        """The ban on a piece on a square the end points to, leading to `side`, if any; without regard to dice and
        required continuations."""
        if site.occupied >> square & 1:
            return bans.TAKEN
        if self._pointed_at(site, square):
            return bans.OTHER_END
        if side == back:
            return bans.BACKWARDS
        other = self.board.neighbours[square][side]
        free = self.board.every & ~(site.occupied | 1 << square)
        if other < 0:
            return self._edge_problem(site, side) or self.dead_end(site, 0, free, leaving=side)
        if site.occupied >> other & 1:
            return self._touching(site, other)
        if site.joining:
            # No other pieces: all exits are reachable.
            return None
        return self.dead_end(site, 1 << other, free)

    def _edge_problem(self, site: Site, side: int) -> Ban | None:
        """The ban on a piece leading over a side of the tile, if any."""
        if site.pieces + 1 < self.least:
            return bans.TOO_FEW
        land = self.landscape
        if land.is_open(site.land, site.number, side):
            return None
        if not self.alive(site):
            return bans.FINISHED
        if land.is_taken(site.land, land.beyond(site.land, site.number, side)):
            return bans.PLACE_TAKEN
        return bans.NONE_FITS if any(site.land.left) else bans.NO_TILES

    def _touching(self, site: Site, other: int) -> Ban:
        """Why no piece may lead to an occupied square: even a station at the other end, which has an exit left,
        would close the line [ban-3, ban-4]."""
        if site.rival is not None and site.rival.square == other and site.rival.front < 0:
            return bans.CLOSES
        return bans.FULL_STATION if site.stations >> other & 1 else bans.TOUCHES

    def _pointed_at(self, site: Site, square: int) -> bool:
        """Whether the other end is track pointing to the square [ban-4]."""
        rival = site.rival
        return (
            rival is not None
            and rival.front >= 0
            and bool(self._rival_targets(rival) >> square & 1)
        )

    def station_problem(self, site: Site) -> Ban | None:
        """The ban on any station at the end, if any.

        A station traps no end: it occupies the only square its end points to and allows every exit, and the other
        end must not cross the line anyway.
        """
        if self.at_station(site):
            # Free squares at a station are all beside it.
            return bans.BESIDE_STATION
        if not site.ways or site.occupied >> site.ways[0][0] & 1:
            return bans.NO_FREE_SQUARE
        square = site.ways[0][0]
        if -1 in self.board.neighbours[square]:
            return bans.AT_EDGE
        if self.board.around[square] & site.stations:
            return bans.BESIDE_STATION
        if site.layout.water >> square & 1:
            return bans.ON_WATER
        return bans.TOUCHED if self._pointed_at(site, square) else None

    # ---- exits of a tile [ban-5]

    def outlets(self, site: Site) -> int:
        """Squares from which the line could leave the tile now."""
        return self.paths.outlets(self.landscape.open_sides(site.land, site.number))

    def alive(self, site: Site) -> bool:
        """Whether an end can still leave its tile [tile-9, end-2]."""
        if site.leaves >= 0:
            return self.landscape.is_open(site.land, site.number, site.leaves)
        free = self.board.every & ~site.occupied
        return self.paths.reaches(
            self._targets(site), free, self.outlets(site), self.least - site.pieces
        )

    def dead_end(self, site: Site, onward: int, free: int, *, leaving: int = -1) -> Ban | None:
        """The ban on a piece that takes the last exit from an end on its tile, if any. `onward` and `free` are the
        end's targets and the free squares afterwards; `leaving` is the side over which the piece leaves the tile, or
        -1.

        If both ends could leave the tile over different sides without crossing, they must still be able to. An end
        that is already trapped is ignored [tile-9].
        """
        if site.rival is not None:
            return self._dead_end_for_two(site, site.rival, onward, free, leaving)
        if leaving >= 0:
            return None
        outlets = self.outlets(site)
        least = self.least - site.pieces
        if self.paths.reaches(onward, free, outlets, least - 1):
            return None
        before = self.board.every & ~site.occupied
        had = self.paths.reaches(self._targets(site), before, outlets, least)
        return bans.DEAD_END if had else None

    def _dead_end_for_two(
        self, site: Site, rival: Rival, onward: int, free: int, leaving: int
    ) -> Ban | None:
        paths = self.paths
        before = self.board.every & ~site.occupied
        own, other = self._targets(site), self._rival_targets(rival)
        sides = self.landscape.open_sides(site.land, site.number)
        outlets = paths.outlets(sides)
        goals = paths.over_sides(sides) if site.two_sides else outlets
        if leaving >= 0:
            # The place beyond is then occupied.
            still = paths.outlets(sides & ~(1 << leaving)) if site.two_sides else outlets
            if paths.spread(other, free) & still:
                return None
            return bans.SHUT_IN if paths.apart(own, other, before, goals) else None
        if paths.apart(onward, other, free, goals):
            return None
        for now, then, ban in ((own, onward, bans.DEAD_END), (other, other, bans.SHUT_IN)):
            if paths.spread(now, before) & outlets and not paths.spread(then, free) & outlets:
                return ban
        return bans.ONE_WAY_FOR_TWO if paths.apart(own, other, before, goals) else None

    def _targets(self, site: Site) -> int:
        """Squares the end points to, occupied or not."""
        return sum_masks(1 << square for square, _ in site.ways)

    def _rival_targets(self, rival: Rival) -> int:
        """Squares the other end points to, occupied or not."""
        if rival.front < 0:
            return self.board.around[rival.square]
        other = self.board.neighbours[rival.square][rival.front]
        return 1 << other if other >= 0 else 0


def masks(large: Large) -> tuple[int, int, int]:
    """Occupied squares of a large tile, those with stations, and the stations' companies."""
    occupied = stations = companies = 0
    for piece in large.pieces:
        occupied |= 1 << piece.square
        if piece.company >= 0:
            stations |= 1 << piece.square
            companies |= 1 << piece.company
    return occupied, stations, companies


def large_tile(state: DiceState, number: int) -> Large:
    """The large tile in play for a small tile."""
    return next(large for large in state.large if large.small == number)
