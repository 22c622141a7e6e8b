"""Secret bids of several seats at once, as several types of auction have them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar, TypeVar

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.actions import Bid
from kursbuch.games.nimm.asking import NimmRules
from kursbuch.games.nimm.auctions.common import amount_problem, bids, full
from kursbuch.games.nimm.holdings import NimmPlay
from kursbuch.games.nimm.state import NimmState, SecretBids

SecretT = TypeVar("SecretT", bound=SecretBids)


class SecretBidsRules(NimmRules[SecretT]):
    """Everybody bids at once and secretly; when all bids are in, they are shown
    [auction-sealed-2, auction-sealed-4]."""

    #: Under which rule a bid is made, under which it may not be lower, and under which all are shown.
    bidding: ClassVar[str]
    least: ClassVar[str]
    showing: ClassVar[str]
    shown: ClassVar[type[happened.BidsShown]] = happened.BidsShown
    secretive = True

    @abstractmethod
    def limits(self, state: NimmState, step: SecretT, seat: int) -> tuple[int, int]:
        """The lowest and the highest bid of a seat."""

    @abstractmethod
    def decide(self, state: NimmState, step: SecretT, bids: dict[int, int], play: NimmPlay) -> None:
        """What follows when the bids have been shown."""

    def deciders(self, state: NimmState, step: SecretT) -> Sequence[int]:
        return [seat for seat in step.seats if seat not in step.answers]

    def candidates(self, state: NimmState, step: SecretT, seat: int) -> Iterable[Choice]:
        return bids(self.cards, seat, self.limits(state, step, seat))

    def step_problem(self, state: NimmState, step: SecretT, action: Action) -> IllegalAction | None:
        if not isinstance(action, Bid):
            return self.not_a_bid(action)
        return amount_problem(
            self.cards, action.amount, self.limits(state, step, action.seat), self.least
        )

    def left_out(self, state: NimmState, step: SecretT, seat: int) -> IllegalAction | None:
        if seat in step.answers:
            return IllegalAction(self.bidding, "You have already answered secretly.")
        return full(state, self.cards, seat)

    def not_a_bid(self, action: Action) -> IllegalAction | None:
        """Why something other than a bid is no answer."""
        return IllegalAction(self.bidding, "You make a secret bid; it may be 0.")

    def perform(self, state: NimmState, step: SecretT, action: Action, play: NimmPlay) -> None:
        step.answers[action.seat] = action.amount if isinstance(action, Bid) else 0
        play.emit(happened.BidSealed(rule=self.bidding, seat=action.seat))

    def run(self, state: NimmState, step: SecretT, play: NimmPlay) -> None:
        play.done()
        found = {seat: step.answers[seat] or 0 for seat in step.seats}
        play.emit(self.shown(rule=self.showing, loco=step.loco, bids=tuple(found.items())))
        self.decide(state, step, found, play)
