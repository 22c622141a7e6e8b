"""Kinds of blunders by title: which action in place of a good one, and what a review should name as their mechanism."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from kursbuch.bots.review import Verdict
from kursbuch.core.actions import Action
from kursbuch.games.g18xx.actions import BuyShare, BuyTrain, Dividend, Done, LayTile, SellShares


class Kind(msgspec.Struct, frozen=True):
    """A kind of blunder."""

    name: str
    #: Whether doing the second action in place of the first is one.
    fits: Callable[[Action, Action], bool]
    #: What it is about, given the state, the good action and the bad one.
    about: Callable[[Any, Action, Action], frozenset[str]]
    #: Kinds of cause (`Title.tally`) that tell its mechanism; if empty, any cause about it, or about the player.
    causes: frozenset[str] = frozenset()
    #: Loss from which it is clear, as a share of what the leader can expect.
    least: float = 0.05

    def told(self, verdict: Verdict, about: frozenset[str]) -> bool:
        """Whether a verdict names the mechanism."""
        if not self.causes:
            return any(
                cause.seat == verdict.seat or not about.isdisjoint(cause.key[1:])
                for cause in verdict.causes
            )
        return any(
            cause.key[0] in self.causes and not about.isdisjoint(cause.key[1:2])
            for cause in verdict.causes
        )


def names(state: Any, made: Action, worse: Action) -> frozenset[str]:
    """Names in the actions and in the step, and the player."""
    found = {str(made.seat)}
    for part in (worse, made, state.agenda[-1]):
        found |= {
            value
            for field in part.__struct_fields__
            if isinstance(value := getattr(part, field), str)
        }
    return frozenset(found)


def company(state: Any, made: Action, worse: Action) -> frozenset[str]:
    """The company sold, not bought, or acting."""
    for part in (worse, made, state.agenda[-1]):
        name = getattr(part, "company", None)
        if name is not None:
            return frozenset({name})
    return frozenset()


def _sells(directorship: bool) -> Callable[[Action, Action], bool]:
    def fits(made: Action, worse: Action) -> bool:
        return (
            isinstance(worse, SellShares)
            and any(name.endswith("P") for name in worse.certificates) is directorship
        )

    return fits


def _instead(good: type[Action], bad: type[Action]) -> Callable[[Action, Action], bool]:
    return lambda made, worse: isinstance(made, good) and isinstance(worse, bad)


def _pays(well: bool) -> Callable[[Action, Action], bool]:
    def fits(made: Action, worse: Action) -> bool:
        return (
            isinstance(made, Dividend)
            and isinstance(worse, Dividend)
            and made.pays is well
            and worse.pays is not well
        )

    return fits


def _eighteen(name: str, fits: Callable[[Action, Action], bool], *causes: str) -> Kind:
    return Kind(name, fits, company, frozenset(causes))


EIGHTEEN = (
    _eighteen("sells a directorship", _sells(True), "director"),
    _eighteen(
        "buys no train before the rust",
        _instead(BuyTrain, Done),
        "train",
        "rusted",
        "runs",
        "added",
    ),
    _eighteen("pays out what a train needs", _pays(False), "train", "runs", "added", "withheld"),
    _eighteen("withholds without purpose", _pays(True), "dividends", "withheld", "price"),
    _eighteen("buys no share", _instead(BuyShare, Done), "dividends", "shares", "director"),
    _eighteen("sells low", _sells(False), "dividends", "shares"),
    _eighteen("spoils its track", _instead(LayTile, LayTile), "dividends", "runs"),
)

#: Bad actions of no kind in particular.
WORST = Kind("takes a bad action", lambda made, worse: True, names, least=0.15)

#: Kinds of each title.
KINDS: dict[str, tuple[Kind, ...]] = {"1835": EIGHTEEN, "1853": EIGHTEEN}


def kinds(title: str) -> tuple[Kind, ...]:
    """The kinds of a title."""
    return KINDS.get(title, (WORST,))
