"""The words and sizes with which positions of 1853 are written as numbers."""

from __future__ import annotations

from kursbuch.core.state import Counted, Encoding, Keyed, Listed, Size
from kursbuch.games.g18xx import state as family
from kursbuch.games.g18xx.g1853.components import Components1853
from kursbuch.games.g18xx.g1853.state import bond_holder


def encoding(components: Components1853, seats: int) -> Encoding:
    """The words and sizes of a game with so many seats."""
    companies = tuple(components.public)
    most = components.players[seats].max_cities
    by_company = Keyed(companies)
    sizes: dict[str, Size] = {
        "contracts.cities": Listed(most),
        "contracts.companies": Listed(most),
        "charters": by_company,
        "unredeemed": Listed(seats, by_company),
        "drawn": Listed(seats, by_company),
        "first_group": Counted(companies),
        "founded": Counted(companies),
        "noticed": Listed(seats, Counted(companies)),
        "opening": Counted(companies),
        "turn.tiles": Listed(family.LAID),
        "turn.duties": Listed(family.LAID),
    }
    words = (*components.cities, "later", "fee")
    purses = [bond_holder(seat) for seat in range(seats)]
    return family.encoding(components, seats, words, sizes, purses)
