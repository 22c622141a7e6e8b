"""How the map of a title looks: sizes, the land and the notes on its hexes, what is shown beside the track.

Nothing of this changes during a game but `Note`s, which may say what somebody asks of a hex now.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple


class Sizes(NamedTuple):
    """How large things are, as parts of the size of a hex.

    `letter` is the width of a letter as part of its height, to which long words are fitted if the
    lettering is `large`. Large lettering reaches over the border of a hex and looks for room there
    as well; coordinates then stand at the rim of the map.
    """

    name: float = 1 / 5.2
    value: float = 1 / 5
    label: float = 1 / 5
    coord: float = 1 / 6
    letter: float = 0.62
    city: float = 0.235
    town: float = 0.12
    track: float = 1 / 9
    casing: float = 1 / 6
    large: bool = False


SMALL = Sizes()
#: For maps of so many hexes that small lettering could not be read.
LARGE = Sizes(
    name=0.435,
    value=0.435,
    label=0.435,
    letter=0.5,
    city=0.265,
    town=0.15,
    track=0.16,
    casing=0.23,
    large=True,
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
    carry instead of the name of their company, `areas` the hexes that belong to each company. The
    legends of the track and of the companies begin at these hexes, which need not be on the map.
    """

    sizes: Sizes = SMALL
    notes: Mapping[str, Note] = {}
    lands: Mapping[str, str] = {}
    signs: Mapping[str, str] = {}
    areas: Mapping[str, Collection[str]] = {}
    track_legend: str = ""
    company_legend: str = ""


PLAIN = MapLook()
