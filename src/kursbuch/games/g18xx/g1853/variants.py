"""The options of a table of 1853."""

from __future__ import annotations

from collections.abc import Mapping

from kursbuch.games.g18xx.variants import Variants

#: The sizes of the bank a table can choose, the usual one first [1-money, 1-money-option, 2.4].
BANKS = ("15000", "12500", "10000", "7500", "17760", "20000")


class Variants1853(Variants, frozen=True, kw_only=True, omit_defaults=True):
    """What 1853 adds to the options of every table.

    - `bank`: the money in the game [1-money-option];
    - `bond_step`: bonds are multiples of it [2.5.2];
    - `illegal_contracts`: players see for themselves that their contracts are legal [2.5.12];
    - `dual_any_gauge`: dual track may be extended in any gauge, however it is reached
      [option-dual-any-gauge].
    """

    bank: int = 15000
    bond_step: int = 10
    illegal_contracts: bool = False
    dual_any_gauge: bool = False


def variants(options: Mapping[str, str]) -> Variants1853:
    """The agreements that options of the title make. Missing money is always made up [5.1.2].

    >>> agreed = variants({"bank": "10000", "bond-step": "1"})
    >>> agreed.bank, agreed.bond_step, agreed.pays_beyond_bank, agreed.illegal_contracts
    (10000, 1, True, False)
    """
    return Variants1853(
        pays_beyond_bank=True,
        bank=int(options.get("bank", BANKS[0])),
        bond_step=int(options.get("bond-step", "10")),
        illegal_contracts=options.get("illegal-contracts") == "on",
        dual_any_gauge=options.get("dual-any-gauge") == "on",
    )
