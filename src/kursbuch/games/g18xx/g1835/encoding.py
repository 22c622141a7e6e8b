"""What 1835 adds to how 18xx games are written as numbers."""

from __future__ import annotations

from kursbuch.core.state import Counted, Encoding, LeftOut, Size
from kursbuch.games.g18xx import encoding as family
from kursbuch.games.g18xx.g1835.components import Components1835


def encoding(components: Components1835, seats: int) -> Encoding:
    """The words and sizes of a game with so many seats."""
    sizes: dict[str, Size] = {"idle": Counted(components.train_order), "exchange.rule": LeftOut()}
    return family.encoding(components, seats, tuple(components.packet), sizes)
