"""What a table has agreed on beside the book."""

from __future__ import annotations

import msgspec


class Variants(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The options of a table that the shared rules know; a title adds its own.

    - `free_track`: tiles and markers need no connection;
    - `unlimited_tiles`: there are as many tiles of a kind as are wanted [tile-supply];
    - `printed_upgrades`: tiles are replaced only as the book's table says [upgrade-table];
    - `routes_by_hand`: the director may choose the runs [revenue];
    - `free_revenue`: a revenue may be entered that is not the highest [entered-revenue];
    - `one_sale_price`: all sales of one company in one turn are made at the price of the first, as one
      sale [sale];
    - `pays_beyond_bank`: payments are made in full when the bank has no money left [bank-broken];
    - `nationalised_down`: the price of shares taken from others is rounded down [nationalisation];
    - `distance_by_track`: the distance of a marker is counted over sides that track can cross
      [station-cost];
    - `sell_beyond_need`: a forced sale may bring more than is needed [forced-sale].
    """

    free_track: bool = False
    unlimited_tiles: bool = False
    printed_upgrades: bool = False
    routes_by_hand: bool = False
    free_revenue: bool = False
    one_sale_price: bool = False
    pays_beyond_bank: bool = False
    nationalised_down: bool = False
    distance_by_track: bool = False
    sell_beyond_need: bool = False
