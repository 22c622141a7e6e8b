"""The words and sizes with which positions of an 18xx game are written as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kursbuch.core.state import Counted, Encoding, Keyed, LeftOut, Listed, Ranked, Size
from kursbuch.games.g18xx.components import (
    BANK,
    BOX,
    EXCHANGE_SHARES,
    MAP,
    PACKET,
    PERCENT,
    PLAYERS,
    POOL,
    STACK,
    Components,
)

#: Maximum number of tiles laid in one turn that are told.
LAID = 4


def encoding(
    components: Components,
    seats: int,
    words: Sequence[str] = (),
    sizes: Mapping[str, Size] | None = None,
    purses: Sequence[str] = (),
) -> Encoding:
    """The words and sizes of a game with so many seats; a title adds its own, and who else can hold
    money."""
    players = PLAYERS[:seats]
    public = tuple(components.public)
    companies = (*public, *components.minors)
    papers = (*components.minors, *components.privates)
    trains = components.train_order
    hexes = components.board.names
    file = components.file.companies
    markers = sum(record.station_markers for record in file.public) + len(components.minors)
    by_kind = {
        "money": (BANK, *players, *companies, *purses),
        "note": (BANK, *players, *companies),
        "paper": (PACKET, POOL, BOX, *players),
        "train": (STACK, POOL, BOX, *companies),
    }
    shares = (STACK, POOL, PACKET, EXCHANGE_SHARES, BOX, *players)

    def holders(item: str) -> Sequence[str]:
        kind, _, name = item.partition(":")
        return (MAP, BOX, name) if kind == "marker" else by_kind.get(kind, shares)

    found = (
        *companies,
        *components.privates,
        *hexes,
        *components.board.tiles,
        *trains,
        *PERCENT,
        *(STACK, POOL, BANK),
        *components.chart.price,
        *("stock", "operating"),
        *words,
    )
    each: dict[str, Size] = {
        "house": LeftOut(),
        "round.sold": Listed(seats, Counted(companies)),
        "round.acted": Counted(companies),
        "round.paid": Counted(papers),
        "round.ran": Keyed(companies, Counted(trains)),
        "companies": Keyed(companies),
        "chart": Ranked(public),
        "layout.tiles": Keyed(hexes),
        "layout.stations": Listed(markers),
        "stock-turn.prices": Keyed(companies),
        "build.laid": Listed(LAID),
        "buy-trains.offered": LeftOut(),
        "buy-trains.demanded": LeftOut(),
        "raise-money.prices": Keyed(companies),
        "surplus.companies": Counted(companies),
        **(sizes or {}),
    }
    return Encoding(tuple(dict.fromkeys(found)), holders, each)
