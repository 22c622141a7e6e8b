"""The rights of the private railways NF, OB and PF [3.1.3.1 to 3.1.3.3c]."""

from __future__ import annotations

from kursbuch.eighteen.kernel import StationRight, TileRight
from kursbuch.eighteen.rules.stations import vacant
from kursbuch.eighteen.t1835.game import Game1835
from kursbuch.eighteen.t1835.state import State1835

#: The company whose home is on the hex of PF.
BADEN = "BA"


def hexes(game: Game1835, private: str) -> list[str]:
    """The hexes that carry the name of a private railway."""
    return [record.id for record in game.components.board.records if private in record.privates]


def belongs_to_director(game: Game1835, state: State1835, private: str, company: str) -> bool:
    """Whether the owner of a private railway acts as the director of a share company."""
    owner = game.owner(state, private)
    return owner >= 0 and not game.is_minor(company) and game.decider(state, company) == owner


def tile_rights(game: Game1835, state: State1835, company: str) -> list[TileRight]:
    """OB: one tile in an operating round on one of its hexes that have none; PF: the first tile on
    its hex [3.1.3.2, 3.1.3.2b, 3.1.3.3]."""
    return [
        TileRight(private, hex)
        for private in ("OB", "PF")
        if belongs_to_director(game, state, private, company)
        and not (private == "OB" and state.ob_used)
        for hex in hexes(game, private)
        if hex not in state.layout.tiles
    ]


def station_rights(game: Game1835, state: State1835, company: str) -> list[StationRight]:
    """NF: a marker in one of the cities of its hex; PF: one in its hex, once Baden has its home there
    [3.1.3.1, 3.1.3.3b]."""
    found: list[StationRight] = []
    if not game.spare_markers(state, company):
        return found
    for private in ("NF", "PF"):
        if not belongs_to_director(game, state, private, company):
            continue
        for hex in hexes(game, private):
            if game.station(state, company, hex) >= 0:
                continue
            if private == "PF" and game.station(state, BADEN, hex) < 0:
                continue
            board = game.components.board
            stops = game.position(state).grounds[board.place(hex)].face.stops
            found += [
                StationRight(private, hex, stop)
                for stop in range(len(stops))
                if vacant(game, state, hex, stop)
            ]
    return found


def spent(game: Game1835, state: State1835) -> tuple[str, ...]:
    """OB, once both its hexes have a tile, whoever laid them [3.1.3.2b]."""
    if game.owner(state, "OB") >= 0 and all(hex in state.layout.tiles for hex in hexes(game, "OB")):
        return ("OB",)
    return ()
