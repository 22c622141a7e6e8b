"""Kinds of blunders by title: which action in place of a good one, and what a review should name as their mechanism."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from kursbuch.bots.review import Verdict
from kursbuch.core.actions import Action
from kursbuch.core.position import Position
from kursbuch.games.g18xx.actions import BuyShare, BuyTrain, Dividend, Done, LayTile, SellShares

#: Whether the second action in place of the first is a blunder, at a position.
Fits = Callable[[Position[Any], Action, Action], bool]


class Kind(msgspec.Struct, frozen=True):
    """A kind of blunder."""

    name: str
    #: Whether doing the second action in place of the first is one, at a position.
    fits: Fits
    #: What it is about, given the position, the good action and the bad one: names, or the seat of a player.
    about: Callable[[Position[Any], Action, Action], frozenset[str]]
    #: Kinds of cause (`Title.tally`) that tell its mechanism.
    causes: frozenset[str]
    #: Loss from which it is clear, as a share of what the leader can expect.
    least: float = 0.05

    def told(self, verdict: Verdict, about: frozenset[str]) -> bool:
        """Whether a verdict names the mechanism."""
        return any(
            cause.key[0] in self.causes and not about.isdisjoint((*cause.key[1:], str(cause.seat)))
            for cause in verdict.causes
        )


def company(at: Position[Any], made: Action, worse: Action) -> frozenset[str]:
    """The company sold, not bought, or acting."""
    for part in (worse, made, at.state.agenda[-1]):
        name = getattr(part, "company", None)
        if name is not None:
            return frozenset({name})
    return frozenset()


def _sells(directorship: bool) -> Fits:
    def fits(at: Position[Any], made: Action, worse: Action) -> bool:
        return (
            isinstance(worse, SellShares)
            and any(name.endswith("P") for name in worse.certificates) is directorship
        )

    return fits


def instead(good: Any, bad: Any) -> Fits:
    """Whether an action of a good type is replaced by one of a bad type."""
    return lambda at, made, worse: isinstance(made, good) and isinstance(worse, bad)


def _pays(well: bool) -> Fits:
    def fits(at: Position[Any], made: Action, worse: Action) -> bool:
        return (
            isinstance(made, Dividend)
            and isinstance(worse, Dividend)
            and made.pays is well
            and worse.pays is not well
        )

    return fits


def _eighteen(name: str, fits: Fits, *causes: str) -> Kind:
    return Kind(name, fits, company, frozenset(causes))


EIGHTEEN = (
    _eighteen("sells a directorship", _sells(True), "director"),
    _eighteen(
        "buys no train before the rust",
        instead(BuyTrain, Done),
        "train",
        "rusted",
        "runs",
        "added",
    ),
    _eighteen("pays out what a train needs", _pays(False), "train", "runs", "added", "withheld"),
    _eighteen("withholds without purpose", _pays(True), "dividends", "withheld", "price"),
    _eighteen("buys no share", instead(BuyShare, Done), "dividends", "shares", "director"),
    _eighteen("sells low", _sells(False), "dividends", "shares"),
    _eighteen("spoils its track", instead(LayTile, LayTile), "dividends", "runs"),
)
