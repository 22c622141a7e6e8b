"""What computer opponents expect of the cards still to come in Nimm den Zug, and of target tiles."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from kursbuch.games.nimm.components import Cards
from kursbuch.games.nimm.state import WITH_TARGETS, NimmState, Train, card_item
from kursbuch.games.nimm.targets import fulfilled, tiles_of
from kursbuch.games.nimm.trains import multiplier, profit

#: What a target tile in hand is worth: usable now, later in the game, and no longer.
USABLE_NOW = 0.9
USABLE_LATER = 0.2


def target_worth(state: NimmState, cards: Cards, seat: int) -> float:
    """What the target tiles of a player may bring."""
    if not state.agenda:
        return 0.0
    now = isinstance(state.agenda[-1], WITH_TARGETS)
    return sum(
        cards.targets[tile].bonus
        * (USABLE_NOW if now and fulfilled(state, cards, seat, tile) else USABLE_LATER)
        for tile in tiles_of(state, cards, seat)
    )


def kind_table(state: NimmState, cards: Cards) -> tuple[dict[str, float], dict[str, float]]:
    """The share of each kind of wagon among the cards that can still come, and its mean value."""
    items = state.ledger.items
    return _kind_table(cards, tuple([to_come(items[card_item(name)]) for name in cards.wagons]))


def added(cards: Cards, train: Train, value: float) -> float:
    """What one more wagon of a value adds; a spare locomotive pays for one wagon only [pay-2]."""
    if not train.loco:
        return max(0.0, value - profit(cards, train))
    return value * multiplier(cards, train)


def best_offer(offers: Iterable[tuple[float, float]]) -> float:
    """What the best of some wagons brings in the mean, each given by its value and how likely it lies open."""
    left, expected = 1.0, 0.0
    for value, seen in sorted(offers, reverse=True):
        expected += left * seen * value
        left *= 1 - seen
    return expected


def to_come(row: dict[str, int]) -> int:
    """How many cards of a row of the ledger can still be taken in this round."""
    return row.get("deck", 0) + row.get("display", 0)


@lru_cache(maxsize=10_000)
def _kind_table(
    cards: Cards, numbers: tuple[int, ...]
) -> tuple[dict[str, float], dict[str, float]]:
    counts: dict[str, int] = {}
    sums: dict[str, int] = {}
    for wagon, number in zip(cards.wagons.values(), numbers, strict=True):
        counts[wagon.kind] = counts.get(wagon.kind, 0) + number
        sums[wagon.kind] = sums.get(wagon.kind, 0) + number * wagon.value
    total = max(1, sum(counts.values()))
    return (
        {name: count / total for name, count in counts.items()},
        {name: sums[name] / counts[name] if counts[name] else 0.0 for name in counts},
    )
