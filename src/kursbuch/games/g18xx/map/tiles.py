"""Tiles that fit a hex: supply, rotation, upgrades, and routes over new track [upgrade]."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any, NamedTuple

from kursbuch.games.g18xx.map.board import COLOURS, STOP, Board, Face, Tile
from kursbuch.games.g18xx.map.networks import PER_HEX, Ground
from kursbuch.games.g18xx.map.track import Laid, TrackPosition


class Fit(NamedTuple):
    """A tile and rotation that fit. `stops` maps each stop of the old face to one of the tile, to
    which its tokens move."""

    tile: str
    rotation: int
    stops: tuple[int, ...]


def supply(board: Board, tiles: Mapping[str, Laid]) -> dict[str, int]:
    """Number of tiles left by type [tile-supply]; below 0 if more lie on the map."""
    left = board.counts.copy()
    for tile, _ in tiles.values():
        left[tile] -= 1
    return left


def shown(board: Board, tiles: Mapping[str, Laid], name: str) -> Face:
    """The face that a hex shows."""
    laid = tiles.get(name)
    return board.printed[board.number(name)] if laid is None else _face(board, laid)


def successors(
    board: Board, tiles: Mapping[str, Laid], name: str, *, unlisted: bool = True
) -> list[Tile]:
    """Tiles that the tables allow on a hex, whatever their colour: first tiles by colour, label and
    stops of the hex [first-tile-plain, first-tile-city], upgrades by the tile's list
    [upgrade-table]. `unlisted` adds upgrades missing in the rulebook's table."""
    laid = tiles.get(name)
    if laid is not None:
        record = board.tile(laid.tile).record
        return [board.tiles[n] for n in (*record.upgrades, *(record.unlisted_upgrades * unlisted))]
    face = board.printed[board.number(name)]
    kinds = face.kinds()
    return [
        board.tiles[number]
        for lay in board.file.lays
        if (lay.color, lay.label, lay.stops) == (face.colour, face.label, kinds)
        for number in lay.tiles
    ]


def fits(
    board: Board,
    tiles: Mapping[str, Laid],
    name: str,
    colours: Collection[str] = COLOURS,
    *,
    unlisted: bool = True,
    unlimited: bool = False,
) -> Iterator[Fit]:
    """All tiles and rotations that fit a hex, one rotation per look.

    `colours` are the colours on offer. A hex with printed track takes the next colour like an
    upgrade [printed-upgrade].
    """
    place = board.number(name)
    if board.records[place].first_phase is None:
        return
    left = supply(board, tiles)
    old = shown(board, tiles, name)
    for tile in successors(board, tiles, name, unlisted=unlisted):
        if tile.colour not in colours or (left[tile.id] < 1 and not unlimited):
            continue
        for rotation in tile.rotations:
            face = tile.faces[rotation]
            if face.edges() & board.closed[place]:
                continue
            stops = kept(old, face)
            if stops is not None:
                yield Fit(tile.id, rotation, stops)


def find(board: Board, tiles: Mapping[str, Laid], name: str, laid: Laid) -> Fit | None:
    """The fit of this tile and rotation, or of one that looks the same, regardless of supply and
    colour."""
    tile = board.tile(laid.tile)
    lowest = tile.lowest[laid.rotation]
    for fit in fits(board, tiles, name, unlimited=True):
        if (fit.tile, fit.rotation) == (tile.id, lowest):
            stops = kept(shown(board, tiles, name), tile.faces[laid.rotation])
            return None if stops is None else Fit(tile.id, laid.rotation, stops)
    return None


def kept(old: Face, new: Face) -> tuple[int, ...] | None:
    """For each stop of the old face its successor in the new one, or None if a connection would be
    lost [track-kept].

    Stops with track go where their track leads. If the new face has fewer stops, several may share
    a successor. Track keeps its gauge or becomes dual.
    """
    ways: dict[tuple[int, int], int] = {}
    for path in new.paths:
        ways[path.a, path.b] = ways[path.b, path.a] = path.gauge
    junctions = [STOP + n for n, stop in enumerate(new.stops) if stop.kind == "junction"]

    def joined(a: int, b: int, gauge: int) -> bool:
        if gauge & ~ways.get((a, b), 0) == 0:
            return True
        return any(gauge & ~(ways.get((a, j), 0) & ways.get((b, j), 0)) == 0 for j in junctions)

    becomes: list[set[int]] = [set(range(len(new.stops))) for _ in old.stops]
    for a, b, gauge in old.paths:
        if a >= STOP:
            a, b = b, a
        if a >= STOP:
            continue
        if b < STOP:
            if not joined(a, b, gauge):
                return None
        else:
            becomes[b - STOP] &= {
                n for n in range(len(new.stops)) if gauge & ~ways.get((a, STOP + n), 0) == 0
            }
    stops: tuple[int, ...] | None
    if len(new.stops) >= len(old.stops):
        stops = _matching(becomes, ())
    else:
        stops = tuple(min(choice) for choice in becomes) if all(becomes) else None
    if stops is not None:
        for a, b, gauge in old.paths:
            if min(a, b) >= STOP:
                one, two = stops[a - STOP], stops[b - STOP]
                if one != two and gauge & ~ways.get((STOP + one, STOP + two), 0):
                    return None
    return stops


def follow(old: Face, new: Face) -> tuple[int, ...]:
    """For every stop of the old face the one where its markers go: where its track leads, or if track is lost the
    stop of the same number, which need not exist."""
    stops = kept(old, new)
    return tuple(range(len(old.stops))) if stops is None else stops


def _matching(choices: list[set[int]], taken: tuple[int, ...]) -> tuple[int, ...] | None:
    """Assign a different choice to each, lowest first."""
    if len(taken) == len(choices):
        return taken
    for choice in sorted(choices[len(taken)]):
        if choice not in taken:
            found = _matching(choices, (*taken, choice))
            if found is not None:
                return found
    return None


def _face(board: Board, laid: Laid) -> Face:
    return board.tile(laid.tile).faces[laid.rotation]


#: A way: hex to be entered, border, track used with stops passed (as `stop_key` bits), gauges.
_Way = tuple[int, int, int, int]


class _Leads(IntEnum):
    """Whether a way comes to a station. Open if it comes back to the hex in question."""

    NO = 0
    YES = 1
    OPEN = 2


def best(results: Iterable[_Leads]) -> _Leads:
    """Combine results: yes before open before no."""
    found = _Leads.NO
    for result in results:
        if result is _Leads.YES:
            return result
        if result is _Leads.OPEN:
            found = result
    return found


def crossing(position: TrackPosition, company: str) -> Crossing:
    """Routes of a company in a position, with cached results."""
    found = Crossing(position, company)
    known: Any = position.memo.setdefault(f"crossing {company}", found.known)
    found.known = (
        known  # only the results: a position that holds itself waits for garbage collection
    )
    return found


class Crossing:
    """Routes of one company over the hexes of a position."""

    def __init__(self, position: TrackPosition, company: str) -> None:
        self.position = position
        self.company = company
        self.reach = position.reach(company)
        self.known: dict[tuple[int, int, int, int], _Leads] = {}

    def now(self, place: int) -> bool:
        """Whether a route can run over a hex as it is."""
        if self.reach.run & self.position.around[place]:
            return True
        return self.runs_over(place, self.position.grounds[place])

    def runs_over(self, place: int, ground: Ground, became: Sequence[int] | None = None) -> bool:
        """Whether a route of at least two stations could use track of a hex that shows `ground`;
        `became` maps its stops to their successors."""
        found = best(self._over(place, ground, became))
        return found is _Leads.YES or (
            found is _Leads.OPEN and self.certainly(place, ground, became)
        )

    def _over(self, place: int, ground: Ground, became: Sequence[int] | None) -> Iterator[_Leads]:
        """Results of all ways from or over the hex."""
        if not ground.links:
            return
        for stop in self.position.stations(self.company):
            if stop // PER_HEX == place:
                now = stop % PER_HEX if became is None else became[stop % PER_HEX]
                for border, behind, gauges, _ in ground.exits[now]:
                    yield self.leaves(place, stop, border, behind, gauges)
        for border, links in ground.links.items():
            if (place, border) not in self.reach.borders:
                continue
            for end, beyond, gauges in links:
                if end >= 0:
                    yield self.passes(place, border, end, beyond, gauges)
                    continue
                if ground.face.stops[~end % PER_HEX].kind != "junction":
                    yield self.ends(place, border, ~end, gauges)
                for onward, behind, common in leading(ground, border, end, beyond, gauges):
                    yield self.passes(place, border, onward, behind, common)

    def starts(self, place: int, ground: Ground) -> bool:
        """Whether a company could run a route from a city of `ground` if it chose it as home."""
        return any(
            self.leaves(place, place * PER_HEX + stop, border, behind, gauges) == _Leads.YES
            for stop, exits in enumerate(ground.exits)
            for border, behind, gauges, _ in exits
        )

    # ---- the parts of an answer

    def leaves(self, place: int, stop: int, border: int, behind: int, gauges: int) -> _Leads:
        """Result of a way from an own station on the hex."""
        key = (place, ~stop, border, gauges)
        if key not in self.known:
            used = self.position.stop_key(stop) | 1 << border
            self.known[key] = self.comes(place, (behind, border, used, gauges))
        return self.known[key]

    def passes(self, place: int, border: int, onward: int, beyond: int, gauges: int) -> _Leads:
        """Result of ways that enter by one border and leave by another."""
        key = (place, border, onward, gauges)
        found = self.known.get(key)
        if found is None:
            around = self.position.around[place] ^ 1 << border
            way = (beyond, onward, 1 << onward, gauges)
            found = self.known[key] = best(
                leads
                for used, left, leads in self.calls(place, way)
                if self.entered(place, border, around | used, left)
            )
        return found

    def ends(self, place: int, border: int, stop: int, gauges: int) -> _Leads:
        """Result of a way that ends in a station on the hex."""
        own = self.position.stop_key(stop)
        key = (place, border, ~own, gauges)
        if key not in self.known:
            around = self.position.around[place] ^ 1 << border
            self.known[key] = _Leads(self.entered(place, border, around | own, gauges))
        return self.known[key]

    def entered(self, place: int, border: int, without: int, gauges: int) -> bool:
        """Whether a way from an own station enters the hex by this border without this track and
        these stops."""
        for _, _, used, common in self.reach.ways.get((place, border), ()):
            if not used & without and common & gauges:
                return True
        if self.reach.unique:
            return False
        return self.position.comes_from(self.company, place, border, without, gauges)

    def comes(self, place: int, way: _Way) -> _Leads:
        """Result of a way onwards to a station it has not passed, away from the hex in question."""
        return best(found for *_, found in self.calls(place, way))

    def calls(self, place: int, way: _Way) -> Iterator[tuple[int, int, _Leads]]:
        """All ways onwards to the first station not passed, with used track, that station included,
        and remaining gauges; or back to the hex `place`."""
        position = self.position
        walk, keys = position.walk(self.company), position.track.keys
        ways = [way] if way[0] >= 0 else []
        while ways:
            here, border, used, gauges = ways.pop()
            if here == place:
                yield used, gauges, _Leads.OPEN
                continue
            for stop, onward, beyond, common in walk[here][border, gauges]:
                if stop >= 0:
                    key = keys[stop]
                    if onward < 0 and not used & key and position.value(stop):
                        yield used | key, common, _Leads.YES
                elif beyond >= 0 and not used >> onward & 1:
                    ways.append((beyond, onward, used | 1 << onward, common))

    def certainly(self, place: int, ground: Ground, became: Sequence[int] | None) -> bool:
        """Decide by the changed position, for ways that come back to the hex."""
        after = Crossing(self.position.changed(place, ground, became), self.company)
        position = after.position
        for stop in position.stations(self.company):
            if stop // PER_HEX == place:
                for border, behind, gauges, _ in ground.exits[stop % PER_HEX]:
                    way = (behind, border, position.stop_key(stop) | 1 << border, gauges)
                    if after.comes(-1, way) == _Leads.YES:
                        return True
        for border, links in ground.links.items():
            for end, beyond, gauges in links:
                if (
                    end < 0
                    and ground.face.stops[~end % PER_HEX].kind != "junction"
                    and after.entered(place, border, position.stop_key(~end), gauges)
                ):
                    return True
                for onward, behind, common in leading(ground, border, end, beyond, gauges):
                    way = (behind, onward, 1 << onward, common)
                    for used, left, _ in after.calls(-1, way):
                        if after.entered(place, border, used, left):
                            return True
        return False


def leading(
    ground: Ground, border: int, end: int, beyond: int, gauges: int
) -> Iterator[tuple[int, int, int]]:
    """How a way leaves a hex after entering by a border and following this track: border, hex
    behind it, gauges."""
    if end >= 0:
        yield end, beyond, gauges
    elif ground.face.stops[~end % PER_HEX].kind == "junction":
        for onward, behind, allowed, _ in ground.exits[~end % PER_HEX]:
            if onward != border and gauges & allowed:
                yield onward, behind, gauges & allowed
