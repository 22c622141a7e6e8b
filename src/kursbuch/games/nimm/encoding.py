"""How positions and actions are written as numbers, for programs that learn."""

from __future__ import annotations

from kursbuch.core.state import Counted, Encoding, Listed, Size
from kursbuch.games.nimm.components import Cards
from kursbuch.games.nimm.state import hand, kept, owner

#: What is not on the first train has so many trains in all.
TRAINS = 4


def encoding(cards: Cards, seats: int) -> Encoding:
    """The words and sizes of a game with so many seats."""
    players = [owner(seat) for seat in range(seats)]
    passing = [name(seat) for name in (hand, kept) for seat in range(seats)]
    wagons = list(cards.counts)
    holders = {
        "money": ("bank", *players),
        "loco": ("unseen", "deck", "offer", "aside", "spare", *players, *passing),
        "card": ("deck", "display", "discard", "spent", "table", "box", *players),
        "target": ("pool", "used", "hidden", *players),
        "auction": ("pool", "table", "box"),
    }
    locos = list(cards.locomotive)
    sizes: dict[str, Size] = {
        "offer": Counted(locos),
        "trains": Listed(seats, Listed(TRAINS)),
        "trains.wagons": Listed(cards.setup.wagon_limit_longer_train),
        "display": Counted(wagons),
    }
    words = (*locos, *wagons, *cards.targets, *cards.auctions)
    return Encoding(words, lambda item: holders[item.partition(":")[0]], sizes)
