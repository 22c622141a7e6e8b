"""Which tiles may lie where: supply, rotation, replacements.

What is asked here is whether a tile fits a hex: its colour, what it replaces, the borders, the supply.
Whether a company may build there (connection, money) is for the rules of a turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from kursbuch.games.g18xx.map.board import COLOURS, STOP, Board, Face, Tile
from kursbuch.games.g18xx.map.track import Laid


class Fit(NamedTuple):
    """A tile in a rotation that fits. `stops` says for every stop of what it replaces which stop
    of the tile it becomes: where its markers go."""

    tile: str
    rotation: int
    stops: tuple[int, ...]


def supply(board: Board, tiles: Mapping[str, Laid]) -> dict[str, int]:
    """How many tiles of each kind are left [tile-supply]; below 0 if more lie on the map."""
    left = board.counts.copy()
    for tile, _ in tiles.values():
        left[tile] -= 1
    return left


def shown(board: Board, tiles: Mapping[str, Laid], name: str) -> Face:
    """What a hex shows."""
    laid = tiles.get(name)
    return board.printed[board.place(name)] if laid is None else _face(board, laid)


def successors(
    board: Board, tiles: Mapping[str, Laid], name: str, *, public: bool = True
) -> list[Tile]:
    """The tiles that the tables allow on a hex, whatever their colour: first tiles by colour, label
    and stops of the hex [first-tile-plain, first-tile-city], replacements by the list of the tile
    [upgrade-table]. `public` also allows what only other records than the rulebook's table have."""
    laid = tiles.get(name)
    if laid is not None:
        record = board.tile(laid.tile).record
        return [board.tiles[n] for n in (*record.upgrades, *(record.upgrades_public * public))]
    face = board.printed[board.place(name)]
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
    public: bool = True,
    unlimited: bool = False,
) -> Iterator[Fit]:
    """Every tile and rotation that fits a hex, rotations that look the same only once.

    `colours` are those on offer. A hex that shows track only of its own print takes tiles of the next
    colour like a replacement [printed-upgrade].
    """
    place = board.place(name)
    if board.records[place].first_phase is None:
        return
    left = supply(board, tiles)
    old = shown(board, tiles, name)
    for tile in successors(board, tiles, name, public=public):
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
    """The fit of this tile in this rotation, or in one that looks the same; supply and colours are
    not asked."""
    tile = board.tile(laid.tile)
    lowest = tile.lowest[laid.rotation]
    for fit in fits(board, tiles, name, unlimited=True):
        if (fit.tile, fit.rotation) == (tile.id, lowest):
            stops = kept(shown(board, tiles, name), tile.faces[laid.rotation])
            return None if stops is None else Fit(tile.id, laid.rotation, stops)
    return None


def kept(old: Face, new: Face) -> tuple[int, ...] | None:
    """For every stop of the old face the stop of the new one that takes its place, or None if a
    connection would be lost [track-kept].

    Stops with track go where their track leads. A new stop may take the place of several, if the new
    face has fewer. Track of a gauge keeps it or becomes dual.
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


def _matching(choices: list[set[int]], taken: tuple[int, ...]) -> tuple[int, ...] | None:
    """A different choice for each, the lowest first."""
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
