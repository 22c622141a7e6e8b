"""Money and pieces: they exist in fixed numbers and move only by transfers between named holders."""

from __future__ import annotations

import msgspec

#: Holders that may go below zero: the money a player has is what this holder is short of. What corrections
#: take into the game comes from `nowhere`.
UNLIMITED = frozenset({"bank", "nowhere"})


class Ledger(msgspec.Struct):
    """Who holds how many of what: item -> holder -> count (or amount of money).

    Nothing is created or lost after set-up: a transfer takes from one holder what it gives to
    another. The holder `bank` is unlimited and shows what it has paid out as a negative number, so
    the total of every item stays the same for the whole game.

    >>> ledger = Ledger({"share:GWR": {"stock": 16}, "money": {"bank": 0}})
    >>> ledger.move("share:GWR", "stock", "0", 1)
    >>> ledger.move("money", "bank", "0", 2000)
    >>> ledger.held("share:GWR", "0"), ledger.held("money", "0"), ledger.totals()
    (1, 2000, {'share:GWR': 16, 'money': 0})
    """

    items: dict[str, dict[str, int]]

    def copy(self) -> Ledger:
        """An independent copy."""
        return Ledger({item: row.copy() for item, row in self.items.items()})

    def held(self, item: str, holder: str) -> int:
        """How many of `item` the holder has; 0 for a holder never heard of."""
        return self.items[item].get(holder, 0)

    def move(self, item: str, source: str, target: str, count: int = 1) -> None:
        """Transfer `count` of `item`; the source must have them. A transfer of 0 changes nothing."""
        if count == 0:
            return
        row = self.items[item]
        left = row.get(source, 0) - count
        if count < 0 or (left < 0 and source not in UNLIMITED):
            raise AssertionError(
                f"cannot move {count} of {item} from {source}, which has {left + count}"
            )
        if left == 0 and source not in UNLIMITED:
            row.pop(source, None)
        else:
            row[source] = left
        row[target] = row.get(target, 0) + count

    def totals(self) -> dict[str, int]:
        """The sum over all holders, per item; the same at every moment of a game."""
        return {item: sum(row.values()) for item, row in self.items.items()}
