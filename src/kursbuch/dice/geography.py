"""Where the line can go: exits of tiles, ways to them, what a piece would do, and whether something
begun can be finished.

Everything here works on small immutable values made from a state, so that it can look ahead without
touching the state. Ids in brackets are those of rules.toml.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from kursbuch.dice.components import STEPS, Board, Layout
from kursbuch.dice.state import DiceState, End, Joining, Large, small

Tile = tuple[int, int, int, int]


class Land(NamedTuple):
    """The landscape: row, column, type and rotation of every small tile, and how many small tiles
    of each type are left."""

    tiles: tuple[Tile, ...]
    left: tuple[int, ...]


class Rival(NamedTuple):
    """The other end of the line where it is on the same tile: its square and open side."""

    square: int
    front: int


class Site(NamedTuple):
    """A large tile as an end of the line sees it.

    `ways` are the squares the end points to, each with the side by which a piece there would be
    joined; `leaves` is the side over which the end leads off the tile, or -1. `pieces` counts
    stations too [tile-2]. `bridge` says that the end's last piece lies over water, `joining` that
    the end has not come onto this tile yet.
    """

    land: Land
    number: int
    layout: Layout
    occupied: int
    stations: int
    pieces: int
    ways: tuple[tuple[int, int], ...]
    square: int
    leaves: int
    bridge: bool
    rival: Rival | None
    joining: bool = False


class Hand(NamedTuple):
    """The dice a player can build with."""

    straight: int
    curve: int
    question: int
    behind: int


class Outlook(NamedTuple):
    """A moment in the middle of laying track, as far as is needed to see whether it can be
    finished: `other` is the site of the other end, `supply` and `closed` are the bank's."""

    site: Site
    other: Site
    hand: Hand
    paid: tuple[tuple[int, int], ...]
    supply: int
    closed: bool


class Geography:
    """Questions about a board's tiles, answers remembered."""

    def __init__(self, board: Board) -> None:
        self.board = board
        size = board.size
        self.not_east = board.every & ~board.borders[1]
        self.not_west = board.every & ~board.borders[3]
        self.size = size
        self.least = board.economy.minimum_pieces_before_leaving
        self.fitting = lru_cache(maxsize=50_000)(self._fitting)
        self.outlets = lru_cache(maxsize=50_000)(self._outlets)
        self.places = lru_cache(maxsize=5_000)(self._places)
        self.mountain = lru_cache(maxsize=2_000)(self._mountain)
        self.reaches = lru_cache(maxsize=200_000)(self._reaches)

    # ---- from the state

    def land(self, state: DiceState) -> Land:
        """The landscape of a state."""
        return Land(
            tuple([(s.row, s.column, s.tile, s.rotation) for s in state.landscape]),
            tuple([state.ledger.held(small(tile.id), "supply") for tile in self.board.tiles]),
        )

    def site(self, state: DiceState, end: int, land: Land | None = None) -> Site:
        """The tile an end is on, as that end sees it."""
        here, there = state.ends[end], state.ends[1 - end]
        large = large_tile(state, here.small)
        tile = state.landscape[here.small]
        occupied, stations = masks(large)
        rival = Rival(there.square, there.front) if there.small == here.small else None
        return self._at(
            Site(
                land or self.land(state),
                here.small,
                self.board.layout(tile.tile, tile.rotation),
                occupied,
                stations,
                len(large.pieces),
                (),
                -1,
                -1,
                False,
                rival,
            ),
            here.square,
            here.front,
        )

    def joining(self, state: DiceState, step: Joining) -> Site:
        """The site of a chosen tile that has not been joined yet."""
        return self.connected(self.site(state, step.end), step.tile, step.rotation)

    def _at(self, site: Site, square: int, front: int) -> Site:
        """The site with the end's last piece on a square: a track piece with an open side, or a
        station, which points to all free squares beside it [track-4]."""
        row = self.board.neighbours[square]
        bridge = bool(site.layout.water >> square & 1)
        if front < 0:
            ways = tuple(
                (other, (side + 2) % 4)
                for side, other in enumerate(row)
                if other >= 0 and not site.occupied >> other & 1
            )
            return site._replace(ways=ways, square=square, leaves=-1, bridge=bridge, joining=False)
        other = row[front]
        ways = ((other, (front + 2) % 4),) if other >= 0 else ()
        leaves = front if other < 0 else -1
        return site._replace(ways=ways, square=square, leaves=leaves, bridge=bridge, joining=False)

    # ---- the landscape

    def _places(self, tiles: tuple[Tile, ...]) -> dict[tuple[int, int], int]:
        return {(row, column): number for number, (row, column, _, _) in enumerate(tiles)}

    def _fitting(self, land: Land, row: int, column: int) -> tuple[Layout, ...]:
        """The tiles that can be put on a free place: available, with every side like that of the
        tile it meets [tile-3, tile-5]."""
        board, places = self.board, self.places(land.tiles)
        wanted: list[tuple[int, str]] = []
        for side, (rows, columns) in enumerate(STEPS):
            number = places.get((row + rows, column + columns))
            if number is not None:
                _, _, tile, rotation = land.tiles[number]
                wanted.append((side, board.layout(tile, rotation).sides[(side + 2) % 4]))
        return tuple(
            layout
            for tile, layouts in enumerate(board.layouts)
            if land.left[tile]
            for layout in layouts
            if all(layout.sides[side] == terrain for side, terrain in wanted)
        )

    def beyond(self, land: Land, number: int, side: int) -> tuple[int, int]:
        """The place beyond a side of a tile."""
        row, column, _, _ = land.tiles[number]
        return row + STEPS[side][0], column + STEPS[side][1]

    def closed(self, land: Land, number: int, side: int) -> str:
        """Why no new tile can be connected over a side of a tile: the rule, empty if one can."""
        place = self.beyond(land, number, side)
        if place in self.places(land.tiles):
            return "tile-6"
        if not any(land.left):
            return "tile-3"
        return "" if self.fitting(land, *place) else "tile-5"

    def _outlets(self, land: Land, number: int) -> int:
        """The squares of a tile from which the line could leave it now."""
        return sum_masks(
            self.board.borders[side] for side in range(4) if not self.closed(land, number, side)
        )

    def connected(self, site: Site, tile: int, rotation: int) -> Site:
        """The site beyond the edge the end leads against, with a tile put there."""
        board = self.board
        row, column = self.beyond(site.land, site.number, site.leaves)
        left = list(site.land.left)
        left[tile] -= 1
        entry = board.opposite[site.square][site.leaves]
        return Site(
            Land((*site.land.tiles, (row, column, tile, rotation)), tuple(left)),
            len(site.land.tiles),
            board.layout(tile, rotation),
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

    def in_landscape(self, site: Site, square: int) -> tuple[int, int]:
        """A square of a tile as row and column in the whole landscape."""
        row, column, _, _ = site.land.tiles[site.number]
        return row * self.size + square // self.size, column * self.size + square % self.size

    # ---- ways off a tile [ban-5]

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

    def apart(self, first: int, second: int, free: int, outlets: int) -> bool:
        """Whether two lines over free squares can lead from `first` and from `second` to outlets
        without crossing each other: a flow of two through squares of capacity one."""
        way = self._shortest(first, free, outlets)
        if way is None:
            return False
        taken = sum_masks(1 << square for square in way)
        if self.spread(second & ~taken, free & ~taken) & outlets:
            return True
        return self._second_way(first & free, second & free, way, free, outlets)

    def _shortest(self, start: int, free: int, outlets: int) -> list[int] | None:
        before: dict[int, int] = dict.fromkeys(bits(start & free), -1)
        waiting = list(before)
        for square in waiting:
            if outlets >> square & 1:
                way = [square]
                while before[way[-1]] >= 0:
                    way.append(before[way[-1]])
                return way[::-1]
            for other in bits(self.board.around[square] & free):
                if other not in before:
                    before[other] = square
                    waiting.append(other)
        return None

    def _second_way(self, first: int, second: int, way: list[int], free: int, outlets: int) -> bool:
        """Whether a second way exists, the first being led differently if need be.

        An augmenting path: a square of the first way is entered by pushing that way off it, so
        that the search goes on backwards along the way until it turns aside, at the latest where
        the first line starts (a station lets it start elsewhere)."""
        on_way = {square: index for index, square in enumerate(way)}
        # States are squares come to from outside the way, and squares of the way come to against
        # its direction (where it may be left).
        seen: set[tuple[int, bool]] = set()
        waiting = [(square, False) for square in bits(second)]
        while waiting:
            node = waiting.pop()
            if node in seen:
                continue
            seen.add(node)
            square, backwards = node
            index = on_way.get(square)
            if index is None or backwards:
                if outlets >> square & 1 and square != way[-1]:
                    return True
                waiting += [
                    (other, False)
                    for other in bits(self.board.around[square] & free)
                    if index is None or on_way.get(other) != index + 1
                ]
            if index is not None:
                if index:
                    waiting.append((way[index - 1], True))
                else:
                    waiting += [(other, False) for other in bits(first)]
        return False

    def targets(self, ways: tuple[tuple[int, int], ...]) -> int:
        """The squares of ways as a mask."""
        return sum_masks(1 << square for square, _ in ways)

    def rival_targets(self, rival: Rival) -> int:
        """The squares the other end points to, taken or not."""
        if rival.front < 0:
            return self.board.around[rival.square]
        other = self.board.neighbours[rival.square][rival.front]
        return 1 << other if other >= 0 else 0

    def alive(self, site: Site) -> bool:
        """Whether an end can still leave its tile [tile-9, end-2]."""
        if site.leaves >= 0:
            return not self.closed(site.land, site.number, site.leaves)
        free = self.board.every & ~site.occupied
        return self.reaches(
            self.targets(site.ways),
            free,
            self.outlets(site.land, site.number),
            self.least - site.pieces,
        )

    # ---- one piece

    def problem(self, site: Site, square: int, back: int, side: int) -> str:
        """The rule that forbids a piece on a square the end points to, leading on to `side`; empty
        if none does. What must follow in the same step, and the dice for it, are not looked at."""
        board = self.board
        if site.occupied >> square & 1:
            return "track-3"
        if side == back:
            return "track-4"
        if self._pointed_at(site, square):
            return "ban-4"
        other = board.neighbours[square][side]
        occupied = site.occupied | 1 << square
        free = board.every & ~occupied
        if other < 0:
            if site.pieces + 1 < self.least:
                return "tile-2"
            rule = self.closed(site.land, site.number, side)
            if rule:
                return rule if self.alive(site) else "tile-9"
            onward = 0
        else:
            if site.stations >> other & 1:
                return "ban-3"
            if occupied >> other & 1:
                return "ban-4"
            onward = 1 << other
        if site.joining:
            # Nothing else lies on the tile, so that every way on leads to every outlet it has.
            return ""
        return self.dead_end(site, onward, free, left=other < 0)

    def _pointed_at(self, site: Site, square: int) -> bool:
        """Whether the other end is a track piece that points to the square [ban-4]."""
        rival = site.rival
        return (
            rival is not None and rival.front >= 0 and bool(self.rival_targets(rival) >> square & 1)
        )

    def dead_end(self, site: Site, onward: int, free: int, *, left: bool = False) -> str:
        """ "ban-5" if a piece takes from an end on its tile the last way off it. `onward`
        and `free` are what the end points to and the free squares afterwards; `left` says that the
        piece itself leads off the tile.

        While both ends are on the tile and could both leave it without crossing, they must be able
        to do so afterwards; an end that could not leave it any more is not looked at [tile-9]."""
        before = self.board.every & ~site.occupied
        outlets = self.outlets(site.land, site.number)
        rival = site.rival
        least = self.least - site.pieces
        if rival is None:
            if left or self.reaches(onward, free, outlets, least - 1):
                return ""
            had = self.reaches(self.targets(site.ways), before, outlets, least)
            return "ban-5" if had else ""
        own, other = self.targets(site.ways), self.rival_targets(rival)
        if left:
            lost = self.spread(other, before) & outlets and not self.spread(other, free) & outlets
            return "ban-5" if lost else ""
        if self.apart(onward, other, free, outlets):
            return ""
        if self.apart(own, other, before, outlets):
            return "ban-5"
        for now, then in ((own, onward), (other, other)):
            if self.spread(now, before) & outlets and not self.spread(then, free) & outlets:
                return "ban-5"
        return ""

    def laid(self, site: Site, square: int, side: int) -> Site:
        """The site after a piece."""
        after = site._replace(
            occupied=site.occupied | 1 << square, pieces=site.pieces + 1, joining=False
        )
        return self._at(after, square, side)

    def unfinished(self, site: Site) -> str:
        """What must follow in the same step: "edge" if the end leads off its tile [ban-1],
        "bridge" if it leads against water or lies over it [ban-2, lake-3], else nothing."""
        if site.leaves >= 0:
            return "edge"
        if site.bridge:
            return "bridge"
        # A station does not lead against anything.
        is_track = len(site.ways) == 1 and not site.stations >> site.square & 1
        return "bridge" if is_track and site.layout.water >> site.ways[0][0] & 1 else ""

    def surcharge(
        self, site: Site, square: int, paid: tuple[tuple[int, int], ...]
    ) -> tuple[int, bool]:
        """The dice to be paid for building on a square besides the piece, and whether they are for a
        bridge [mountain-1, lake-1]."""
        layout, economy = site.layout, self.board.economy
        if layout.mountain >> square & 1:
            there = self.in_landscape(site, square)
            covered = self.same_mountain(site.land, there, paid)
            return (0 if covered else economy.mountain_cost), False
        if layout.water >> square & 1 and not site.bridge:
            return economy.lake_cost, True
        return 0, False

    # ---- what has been begun must be finished

    def can_finish(self, now: Outlook) -> bool:
        """Whether the player can carry out all that must follow, with the dice he has and those he
        gets on the way.

        Dice of their own face are used before question marks and dice behind the screen are paid
        before question marks: a question mark can do whatever these can, so this never makes
        anything impossible that another use would allow.
        """
        need = self.unfinished(now.site)
        if not need:
            return True
        if need == "edge":
            site = now.site
            place = self.beyond(site.land, site.number, site.leaves)
            return any(
                self._can_lay(now, self.connected(site, layout.tile, layout.rotation))
                for layout in self.fitting(site.land, *place)
            )
        return self._can_lay(now, now.site)

    def _can_lay(self, now: Outlook, site: Site) -> bool:
        """Whether some piece can be laid on a site and all that must follow it be carried out."""
        for square, back in site.ways:
            for side in range(4):
                if side == back or self.problem(site, square, back, side):
                    continue
                cost, _ = self.surcharge(site, square, now.paid)
                hand = spend(now.hand, (side - back) % 4 == 2, cost)
                if hand is not None and self.can_finish(
                    self.after(now, site, square, side, hand, cost)
                ):
                    return True
        return False

    def after(
        self, now: Outlook, site: Site, square: int, side: int, hand: Hand, cost: int
    ) -> Outlook:
        """The moment after a piece has been laid on a site with a hand that has paid for it."""
        paid = now.paid
        if cost and site.layout.mountain >> square & 1:
            paid = (*paid, self.in_landscape(site, square))
        next_site = self.laid(site, square, side)
        supply = now.supply + cost
        if not site.joining:
            other = now.other
            if other.number == site.number:
                other = other._replace(
                    occupied=next_site.occupied, pieces=next_site.pieces, land=site.land
                )
            return Outlook(next_site, other, hand, paid, supply, now.closed)
        old = now.site
        other = now.other._replace(land=site.land)
        if old.rival is None:
            supply += old.pieces - old.stations.bit_count()
        else:
            other = other._replace(occupied=old.occupied, pieces=old.pieces, rival=None)
        closed = now.closed or not (self.alive(next_site) or self.alive(other))
        if not closed:
            premium = self.board.economy.premium_new_tile
            if supply < premium:
                # The bank breaks and the game ends: nothing more has to follow.
                return Outlook(
                    next_site._replace(bridge=False, ways=(), leaves=-1),
                    other,
                    hand,
                    paid,
                    supply,
                    closed,
                )
            supply -= premium
            hand = hand._replace(question=hand.question + premium)
        return Outlook(next_site, other, hand, paid, supply, closed)


def spend(hand: Hand, straight: bool, cost: int) -> Hand | None:
    """The hand after a piece and a payment, made so that most remains possible; None if it has not
    the dice."""
    straights, curves, questions, behind = hand
    if straight and straights:
        straights -= 1
    elif not straight and curves:
        curves -= 1
    else:
        questions -= 1
    from_behind = min(cost, behind)
    questions -= cost - from_behind
    if questions < 0:
        return None
    return Hand(straights, curves, questions, behind - from_behind)


def masks(large: Large) -> tuple[int, int]:
    """The squares of a large tile that are taken, and those with stations."""
    occupied = stations = 0
    for piece in large.pieces:
        occupied |= 1 << piece.square
        if piece.company >= 0:
            stations |= 1 << piece.square
    return occupied, stations


def large_tile(state: DiceState, number: int) -> Large:
    """The large tile in play that belongs to a small tile."""
    return next(large for large in state.large if large.small == number)


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


def end_of(state: DiceState, number: int) -> list[End]:
    """The ends of the line on a tile."""
    return [end for end in state.ends if end.small == number]


def bits(mask: int) -> Iterator[int]:
    """The numbers of the squares of a mask.

    >>> list(bits(0b1010))
    [1, 3]
    """
    while mask:
        bit = mask & -mask
        mask ^= bit
        yield bit.bit_length() - 1


def sum_masks(masks_: Iterable[int]) -> int:
    """All squares of several masks."""
    found = 0
    for mask in masks_:
        found |= mask
    return found
