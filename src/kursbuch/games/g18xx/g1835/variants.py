"""The options of a table of 1835."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from msgspec.structs import replace

from kursbuch.games.g18xx.variants import Variants

Packet = Literal["standard", "clemens", "snake"]

#: Options of the title that the importer of Rails-18xx sets where an action needs them.
MINORS_NEED_BAVARIA = "minors-need-bavaria"
SAME_PRICE = "same-price"
GROUP3_WITHOUT_PRUSSIA = "group3-without-prussia"
UNLIMITED_TILES = "unlimited-tiles"
FREE_TRACK = "free-track"
FREE_REVENUE = "free-revenue"
PAYS_BEYOND_BANK = "pays-beyond-bank"
AS_RAILS = "as-rails"

#: What each option of the title that is off or on switches.
SWITCHES = {
    "ld-30": ("ld_pays_30",),
    "cheaper-privates": ("cheaper_privates",),
    "minors-wait": ("minors_wait",),
    MINORS_NEED_BAVARIA: ("minors_need_bavaria",),
    SAME_PRICE: ("one_sale_price",),
    GROUP3_WITHOUT_PRUSSIA: ("group3_without_prussia",),
    UNLIMITED_TILES: ("unlimited_tiles",),
    "no-206": ("printed_upgrades",),
    FREE_TRACK: ("free_track",),
    "routes-by-hand": ("routes_by_hand",),
    FREE_REVENUE: ("free_revenue",),
    PAYS_BEYOND_BANK: ("pays_beyond_bank",),
    AS_RAILS: (
        "nationalised_down",
        "distance_by_track",
        "sell_beyond_need",
        "refused_beforehand",
    ),
}


class Variants1835(Variants, frozen=True, kw_only=True, omit_defaults=True):
    """What 1835 adds to the options of every table.

    - `packet`: how the start packet is sold, "standard", "clemens" or "snake";
    - `ld_pays_30`, `cheaper_privates`, `minors_wait`: the optional rules [7.1, 7.2, 7.3];
    - `minors_need_bavaria`: minors wait until Bavaria is in operation;
    - `group3_without_prussia`: the third group does not wait for Prussian shares [1.2.3];
    - `refused_beforehand`: in the round in which Prussia opens, shares that could still be got for
      papers that have earned bring no dividend either [4.5].
    """

    packet: Packet = "standard"
    ld_pays_30: bool = False
    cheaper_privates: bool = False
    minors_wait: bool = False
    minors_need_bavaria: bool = False
    group3_without_prussia: bool = False
    refused_beforehand: bool = False

    def agreed(self, option: str) -> bool:
        """Whether an option that is off or on is on."""
        return all(getattr(self, field) for field in SWITCHES[option])

    def having(self, option: str, on: bool = True) -> Variants1835:
        """The same with an option on or off.

        >>> Variants1835().having("same-price").one_sale_price
        True
        """
        return replace(self, **dict.fromkeys(SWITCHES[option], on))


def variants(options: Iterable[tuple[str, str]]) -> Variants1835:
    """The agreements that options of the title with their values make.

    >>> agreed = variants([("packet", "snake"), ("ld-30", "on"), ("no-206", "off")])
    >>> agreed.packet, agreed.ld_pays_30, agreed.printed_upgrades
    ('snake', True, False)
    """
    fields: dict[str, Any] = {}
    for name, value in options:
        if name == "packet":
            fields["packet"] = value
        else:
            fields.update(dict.fromkeys(SWITCHES[name], value == "on"))
    return Variants1835(**fields)
