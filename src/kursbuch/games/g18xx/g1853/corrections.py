"""Corrections of 1853: what differs in shares and trains, and the elephant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from kursbuch.core.corrections import seat_of
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play
from kursbuch.core.words import N_
from kursbuch.games.g18xx import corrections as family
from kursbuch.games.g18xx.components import BANK, BOX, PLAYERS, POOL
from kursbuch.games.g18xx.corrections import Values
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.shares import split
from kursbuch.games.g18xx.g1853.state import CARD, DOUBLE, SIDE, State1853

State = Any


class Certificates1853(family.Certificates):
    """Transfers of shares; afterwards the company has its rightful director. Unredeemed shares
    stay, and so does the double share."""

    def has(self, state: State, chosen: Values, value: str) -> int:
        found = super().has(state, chosen, value)
        company, seat = chosen["company"], seat_of(value)
        if seat is not None:
            return found - self.ruleset.unpaid(state, seat, company)
        if state.charters[company].double == value:
            return max(0, found - DOUBLE)
        return found

    def forbids(self, state: State, values: Values) -> IllegalAction | None:
        problem = super().forbids(state, values)
        if problem is None and self._splits(state, values):
            return split(values["company"])
        return problem

    def _splits(self, state: State, values: Values) -> bool:
        """Whether the company would lose its director, leaving half of the double share in the pool
        [1-shares]."""
        company, count = values["company"], int(values["count"])
        if not state.companies[company].operating or state.charters[company].director is None:
            return False
        left = Counter(state.ledger.items[self.item(values)])
        left[self.holder(values["source"])] -= count
        left[self.holder(values["target"])] += count
        return all(left[holder] < DOUBLE for holder in (*PLAYERS[: state.seats], POOL))

    def perform(self, play: Play[Any], values: Values) -> None:
        super().perform(play, values)
        self.ruleset.control.settle_director(play, values["company"])


class Trains1853(family.Trains):
    """Transfers of trains, except those on credit. A two-sided card is a train of its second side
    only with a company; cards in the box are not trains yet."""

    ruleset: Ruleset1853

    def holders(self, state: State, chosen: Values) -> Sequence[str]:
        found = super().holders(state, chosen)
        return [holder for holder in found if holder != BOX or chosen["train"] not in (CARD, SIDE)]

    def has(self, state: State, chosen: Values, value: str) -> int:
        turned = chosen["train"] == SIDE and value in (BANK, POOL)
        return super().has(state, {**chosen, "train": CARD} if turned else chosen, value)

    def forbids(self, state: State, values: Values) -> IllegalAction | None:
        charter = state.charters.get(values["source"])
        if charter is not None and charter.credit == values["train"]:
            return IllegalAction("", "This train was bought on credit: pay for it first.")
        return super().forbids(state, values)

    def perform(self, play: Play[Any], values: Values) -> None:
        depot, turned = self.ruleset.depot, values["train"] == SIDE
        if turned and values["source"] in (BANK, POOL):
            depot.turn_card(play.state, SIDE, values["source"])
        super().perform(play, values)
        if turned and values["target"] in (BANK, POOL):
            depot.turn_back(play.state, values["target"])


class Status1853(family.Status):
    """Operating companies have a director, if any player has enough shares."""

    def perform(self, play: Play[Any], values: Values) -> None:
        super().perform(play, values)
        self.ruleset.control.settle_director(play, values["company"])


class Elephant(family.Priority):
    """Change of the holder of the elephant."""

    label = N_("Elephant")
    form = N_("elephant to {player}")
    sentence = N_("{player} has the elephant")


class InStockRound1853(family.InStockRound):
    """A turn in a stock round; the end of the first one takes effect only once."""

    def forbids(self, state: State, values: Values) -> IllegalAction | None:
        if int(values["number"]) > 1:
            return None
        return IllegalAction("", "The first stock round is over.")


_OTHERS: Mapping[type[family.RulesetCorrection], type[family.RulesetCorrection]] = {
    family.InStockRound: InStockRound1853,
    family.Certificates: Certificates1853,
    family.Trains: Trains1853,
    family.Status: Status1853,
    family.Priority: Elephant,
}

#: Kinds of the family, except privates and minors.
KINDS = tuple(_OTHERS.get(kind, kind) for kind in family.KINDS if kind is not family.Papers)


def uncorrectable(state: State1853) -> IllegalAction | None:
    """Refusal until the end of the first stock round: holdings depend on contracts, which are
    secret."""
    if state.round.number > 1 or state.round.part:
        return None
    return IllegalAction("", "Corrections are possible once the first stock round is over.")
