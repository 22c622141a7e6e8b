"""Where the line can go: the tile an end is on, what may lie on it, and ways off it.

Everything here works on small immutable values made from a state, so that foresight.py can look
ahead without touching the state. Ids in brackets are those of rules.toml.
"""

from __future__ import annotations

from typing import NamedTuple

from kursbuch.games.dice import bans
from kursbuch.games.dice.bans import Ban
from kursbuch.games.dice.components import Board, Layout
from kursbuch.games.dice.landscape import Land, Landscape
from kursbuch.games.dice.state import DiceState, Joining, Large
from kursbuch.games.dice.ways import Ways, sum_masks


class Rival(NamedTuple):
    """The other end of the line where it is on the same tile: its square and open side."""

    square: int
    front: int


class Site(NamedTuple):
    """A large tile as an end of the line sees it.

    `ways` are the squares the end points to, each with the side by which a piece there would be
    joined; `leaves` is the side over which the end leads off the tile, or -1. `pieces` counts
    stations too [tile-2]; `stations` are the squares, `companies` the owners of the stations.
    `bridge` says that the end's last piece lies over water, `joining` that the end has not come onto
    this tile yet. `two_sides` says that ends on one tile need ways over two different sides
    (correction dead-end-sides).
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
    """Questions about what lies on the tiles of a board and what may lie there."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.landscape = Landscape(board)
        self.ways = Ways(board)
        self.least = board.economy.minimum_pieces_before_leaving

    # ---- sites

    def site(self, state: DiceState, end: int, land: Land | None = None) -> Site:
        """The tile an end is on, as that end sees it."""
        here, there = state.ends[end], state.ends[1 - end]
        large = large_tile(state, here.small)
        land = land or self.landscape.of(state)
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
            two_sides=state.corrected("dead-end-sides"),
        )
        return self._at(site, here.square, here.front)

    def joining(self, state: DiceState, step: Joining) -> Site:
        """The site of a chosen tile that has not been joined yet."""
        return self.connected(self.site(state, step.end), step.tile, step.rotation)

    def connected(self, site: Site, tile: int, rotation: int) -> Site:
        """The site beyond the edge the end leads against, with a tile put there."""
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
        """The site after a piece."""
        after = site._replace(
            occupied=site.occupied | 1 << square, pieces=site.pieces + 1, joining=False
        )
        return self._at(after, square, side)

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
            return site._replace(ways=ways, square=square, leaves=-1, bridge=bridge)
        other = row[front]
        ways = ((other, (front + 2) % 4),) if other >= 0 else ()
        leaves = front if other < 0 else -1
        return site._replace(ways=ways, square=square, leaves=leaves, bridge=bridge)

    def at_station(self, site: Site) -> bool:
        """Whether the end is a station."""
        return not site.joining and bool(site.stations >> site.square & 1)

    def unfinished(self, site: Site) -> str:
        """What must follow in the same step: "edge" if the end leads off its tile [ban-1],
        "bridge" if it leads against water or lies over it [ban-2, lake-3], else nothing."""
        if site.leaves >= 0:
            return "edge"
        if site.bridge:
            return "bridge"
        # A station does not lead against anything.
        is_track = len(site.ways) == 1 and not self.at_station(site)
        return "bridge" if is_track and site.layout.water >> site.ways[0][0] & 1 else ""

    def surcharge(
        self, site: Site, square: int, paid: tuple[tuple[int, int], ...]
    ) -> tuple[int, bool]:
        """The dice to be paid for building on a square besides the piece, and whether they are for a
        bridge [mountain-1, lake-1]."""
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
        """What forbids a piece on a square the end points to, leading on to `side`. What must follow
        in the same step, and the dice for it, are not looked at."""
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
            # Nothing else lies on the tile, so that every way on leads to every outlet it has.
            return None
        return self.dead_end(site, 1 << other, free)

    def _edge_problem(self, site: Site, side: int) -> Ban | None:
        """What forbids a piece that leads over a side of the tile."""
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
        """Why no piece may lead to a square that is taken: also a station at the other end has an
        exit left, but the line can never close [ban-3, ban-4]."""
        if site.rival is not None and site.rival.square == other and site.rival.front < 0:
            return bans.CLOSES
        return bans.FULL_STATION if site.stations >> other & 1 else bans.TOUCHES

    def _pointed_at(self, site: Site, square: int) -> bool:
        """Whether the other end is a track piece that points to the square [ban-4]."""
        rival = site.rival
        return (
            rival is not None
            and rival.front >= 0
            and bool(self._rival_targets(rival) >> square & 1)
        )

    def station_problem(self, site: Site) -> Ban | None:
        """What forbids a station of any kind at the end.

        A station closes in nobody: it stands on the only square its end points to, and the line can
        go on from it to every side, while the other end, which must not cross that line, goes past
        it."""
        if self.at_station(site):
            # The free squares at a station are all beside it.
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

    # ---- ways off a tile [ban-5]

    def outlets(self, site: Site) -> int:
        """The squares of the tile from which the line could leave it now."""
        return self.ways.outlets(self.landscape.open_sides(site.land, site.number))

    def alive(self, site: Site) -> bool:
        """Whether an end can still leave its tile [tile-9, end-2]."""
        if site.leaves >= 0:
            return self.landscape.is_open(site.land, site.number, site.leaves)
        free = self.board.every & ~site.occupied
        return self.ways.reaches(
            self._targets(site), free, self.outlets(site), self.least - site.pieces
        )

    def dead_end(self, site: Site, onward: int, free: int, *, leaving: int = -1) -> Ban | None:
        """What forbids a piece that takes from an end on its tile the last way off it. `onward` and
        `free` are what the end points to and the free squares afterwards; `leaving` is the side over
        which the piece itself leads off the tile, or -1.

        While both ends are on the tile and could both leave it, over two different sides and without
        crossing, they must be able to do so afterwards. An end that could not leave it any more is
        not looked at [tile-9]."""
        if site.rival is not None:
            return self._dead_end_for_two(site, site.rival, onward, free, leaving)
        if leaving >= 0:
            return None
        outlets = self.outlets(site)
        least = self.least - site.pieces
        if self.ways.reaches(onward, free, outlets, least - 1):
            return None
        before = self.board.every & ~site.occupied
        had = self.ways.reaches(self._targets(site), before, outlets, least)
        return bans.DEAD_END if had else None

    def _dead_end_for_two(
        self, site: Site, rival: Rival, onward: int, free: int, leaving: int
    ) -> Ban | None:
        ways = self.ways
        before = self.board.every & ~site.occupied
        own, other = self._targets(site), self._rival_targets(rival)
        sides = self.landscape.open_sides(site.land, site.number)
        outlets = ways.outlets(sides)
        goals = ways.over_sides(sides) if site.two_sides else outlets
        if leaving >= 0:
            # Its place in the landscape is taken then.
            still = ways.outlets(sides & ~(1 << leaving)) if site.two_sides else outlets
            if ways.spread(other, free) & still:
                return None
            return bans.SHUT_IN if ways.apart(own, other, before, goals) else None
        if ways.apart(onward, other, free, goals):
            return None
        for now, then, ban in ((own, onward, bans.DEAD_END), (other, other, bans.SHUT_IN)):
            if ways.spread(now, before) & outlets and not ways.spread(then, free) & outlets:
                return ban
        return bans.ONE_WAY_FOR_TWO if ways.apart(own, other, before, goals) else None

    def _targets(self, site: Site) -> int:
        """The squares the end points to, taken or not."""
        return sum_masks(1 << square for square, _ in site.ways)

    def _rival_targets(self, rival: Rival) -> int:
        """The squares the other end points to, taken or not."""
        if rival.front < 0:
            return self.board.around[rival.square]
        other = self.board.neighbours[rival.square][rival.front]
        return 1 << other if other >= 0 else 0


def masks(large: Large) -> tuple[int, int, int]:
    """The squares of a large tile that are taken, those with stations, and the companies of these."""
    occupied = stations = companies = 0
    for piece in large.pieces:
        occupied |= 1 << piece.square
        if piece.company >= 0:
            stations |= 1 << piece.square
            companies |= 1 << piece.company
    return occupied, stations, companies


def large_tile(state: DiceState, number: int) -> Large:
    """The large tile in play that belongs to a small tile."""
    return next(large for large in state.large if large.small == number)
