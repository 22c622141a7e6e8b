"""How Rails-18xx turns tiles and numbers the cities on them."""

from __future__ import annotations

from kursbuch.games.g18xx.map.board import STOP, Face, Tile


def turned(tile: Tile, orientation: int) -> int:
    """Our rotation of a tile that has this orientation in that program."""
    return (orientation + tile.record.rotation_elsewhere.get("Rails", 0)) % 6


def stations(tile: Tile, rotation: int) -> list[int]:
    """The stops that program numbers from 1 on a tile in this rotation, as numbers of the stops in
    the rotation that we use for all that look the same."""
    face, shown = tile.faces[rotation], tile.faces[tile.lowest[rotation]]

    def exits(of: Face, stop: int) -> set[int]:
        return {path.a for path in of.paths if path.b == STOP + stop}

    found = []
    for stop in tile.record.stops_elsewhere.get("Rails") or range(len(face.stops)):
        same = (
            other
            for other in range(len(shown.stops))
            if exits(shown, other) == exits(face, stop) and other not in found
        )
        found.append(next(same, stop))
    return found
