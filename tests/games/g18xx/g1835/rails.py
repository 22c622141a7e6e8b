"""Tiles named by where their track leads."""

from __future__ import annotations

from kursbuch.games.g18xx.g1835.components import standard

BOARD = standard().board


def rotation(hex: str, tile: str, *towards: str) -> int:
    """The lowest rotation in which the tile on a hex leads to all these neighbours."""
    around = [
        BOARD.names[place] if place >= 0 else "" for place in BOARD.neighbours[BOARD.number(hex)]
    ]
    kind = BOARD.tile(tile)
    for turned in kind.rotations:
        if all(kind.faces[turned].edges() >> around.index(other) & 1 for other in towards):
            return turned
    raise AssertionError(f"{tile} on {hex} does not lead to {towards}")


def rail(hex: str, tile: str, *towards: str) -> str:
    """A tile on the map, as `Scene.tiles` takes it."""
    return f"{hex}:{tile}:{rotation(hex, tile, *towards)}"


def lays(hex: str, tile: str, *towards: str) -> str:
    """The move that lays a tile."""
    return f"lays {tile} on {hex} turned {rotation(hex, tile, *towards)}"
