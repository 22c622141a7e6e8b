"""Map style of a title: sizes, land, hex notes, and what is shown beside the track.

It is constant during a game, except for `Note`s that show what a player is being asked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import msgspec

from kursbuch.hexmap.scenery import Surroundings


class ByIdentity:
    """Cache key that stands for a constant value: equal only for the same object, without comparing
    contents."""

    def __init__(self, value: object) -> None:
        self.value: Any = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByIdentity) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


class Sizes(msgspec.Struct, frozen=True, cache_hash=True):
    """Sizes relative to the size of a hex.

    Lettering may cross hex borders and looks for room there as well. `near` is the lettering shown
    only when zoomed in: numbers of hexes and tiles.
    """

    name: float = 0.36
    value: float = 0.37
    label: float = 0.37
    cost: float = 0.33
    near: float = 0.22
    city: float = 0.31
    town: float = 0.15
    track: float = 0.13
    casing: float = 0.21


USUAL = Sizes()
#: For large maps, on which the usual lettering would be unreadable.
LARGE = Sizes(
    name=0.425,
    value=0.435,
    label=0.435,
    cost=0.36,
    near=0.25,
    city=0.265,
    town=0.15,
    track=0.16,
    casing=0.23,
)


class Note(msgspec.Struct, frozen=True, cache_hash=True):
    """What a title shows on a hex.

    `land` is the CSS class of its land colour. Terrain and bonus are shown until a tile is laid, the
    building cost while a tile can be laid. `ask` is a number being asked, with the companies it
    concerns; `ring` is "solid" or "dashed" for a hex that matters to the reader. `doubt` marks
    reconstructed data of the hex, `ask_doubt` of the companies.
    """

    land: str = ""
    terrains: tuple[str, ...] = ()
    cost: str = ""
    bonus: str = ""
    ask: str = ""
    companies: tuple[str, ...] = ()
    ring: str = ""
    doubt: bool = False
    ask_doubt: bool = False


class MapLook(NamedTuple):
    """Map style. `lands` are land colours by CSS class, `signs` what tokens show instead of a
    company name, `areas` the hexes of each company, `rivers` courses from hex to hex, `around` what
    lies around the map. The legends of track and companies start at hexes that need not be on the
    map."""

    sizes: Sizes = USUAL
    notes: Mapping[str, Note] = {}
    lands: Mapping[str, str] = {}
    signs: Mapping[str, str] = {}
    areas: Mapping[str, Collection[str]] = {}
    rivers: tuple[str, ...] = ()
    around: Surroundings | None = None
    track_legend: str = ""
    company_legend: str = ""


PLAIN = MapLook()
