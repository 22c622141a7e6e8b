"""How the map of a title looks: sizes, the land and the notes on its hexes, what is shown beside the track.

Nothing of this changes during a game but `Note`s, which may say what someone asks of a hex now.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple


class Same:
    """Stands for a value by which something is found that is kept, and is equal for the same value only: what never
    changes need not be compared."""

    def __init__(self, value: object) -> None:
        self.value: Any = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


class Sizes(NamedTuple):
    """How large things are, as parts of the size of a hex.

    Lettering reaches over the border of its hex and looks for room there as well. `letter` is the width
    of a letter as part of its height, to which long words are fitted. `near` is what is read only from
    nearby: the number of a hex and of its tile.
    """

    name: float = 0.36
    value: float = 0.37
    label: float = 0.37
    near: float = 0.22
    letter: float = 0.52
    city: float = 0.31
    town: float = 0.15
    track: float = 0.13
    casing: float = 0.21


USUAL = Sizes()
#: For maps of this many hexes that the usual lettering could not be read.
LARGE = Sizes(
    name=0.435,
    value=0.435,
    label=0.435,
    near=0.25,
    letter=0.5,
    city=0.265,
    town=0.15,
    track=0.16,
    casing=0.23,
)


class Note(NamedTuple):
    """What a title has to say about a hex.

    `land` is a class for the colour of its land. Signs of terrain (`terrain.SIGNS`), what building
    costs there and a bonus are shown as long as no tile lies there. `ask` is a number asked now, with
    the companies it is about; `ring` is "solid" or "dashed" for a hex that matters to the reader.
    `doubt` says that what lies there is reconstructed, `ask_doubt` that this is so of the companies.
    """

    land: str = ""
    signs: tuple[str, ...] = ()
    cost: str = ""
    bonus: str = ""
    ask: str = ""
    companies: tuple[str, ...] = ()
    ring: str = ""
    doubt: bool = False
    ask_doubt: bool = False


class MapLook(NamedTuple):
    """How a map looks. `lands` are the colours of land by the class in its note, `signs` what markers
    carry instead of the name of their company, `areas` the hexes that belong to each company; `sea` says
    that there is water around the land. The
    legends of the track and of the companies begin at these hexes, which need not be on the map.
    """

    sizes: Sizes = USUAL
    notes: Mapping[str, Note] = {}
    lands: Mapping[str, str] = {}
    signs: Mapping[str, str] = {}
    areas: Mapping[str, Collection[str]] = {}
    sea: bool = False
    track_legend: str = ""
    company_legend: str = ""


PLAIN = MapLook()
