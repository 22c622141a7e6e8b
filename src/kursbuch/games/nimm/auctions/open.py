"""The open auction: called out, or, by mail, in rounds of sealed raises."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.actions import Bid, Hold
from kursbuch.games.nimm.asking import NimmRules
from kursbuch.games.nimm.auctions.common import amount_problem, bids, full, raised, sell
from kursbuch.games.nimm.auctions.secret import SecretBidsRules
from kursbuch.games.nimm.holdings import NimmPlay, clockwise
from kursbuch.games.nimm.state import NimmState, OpenAuction, SealedRaises, Tie


def ask_others(
    play: NimmPlay, starter: int, loco: str, seats: Sequence[int], bidder: int, bid: int
) -> None:
    """A new highest bid stands; everybody else may outbid it: at once and in any order, or, in a
    game by mail, all in a round of sealed raises [auction-open-3, option-open]."""
    others = [seat for seat in clockwise(play.state, bidder)[1:] if seat in seats]
    if play.state.by_rounds:
        play.push(SealedRaises(starter, loco, others, {}, bidder, bid))
    else:
        play.push(OpenAuction(starter, loco, others, list(others), bidder, bid))


class OpenAuctionRules(NimmRules[OpenAuction]):
    """Anybody may outbid at any time; when all others have let the bid stand, it wins. A table with
    a clock lets the bid stand for whoever is silent when the time is up [auction-open-4]."""

    def deciders(self, state: NimmState, step: OpenAuction) -> Sequence[int]:
        return step.waiting

    def volunteers(self, state: NimmState, step: OpenAuction) -> Sequence[int]:
        """Who let the bid stand may still change his mind while it does."""
        return [seat for seat in step.others if seat not in step.waiting]

    def candidates(self, state: NimmState, step: OpenAuction, seat: int) -> Iterable[Choice]:
        return [Choice(Hold(seat)), *bids(self.cards, seat, self._limits(state, step, seat))]

    def _limits(self, state: NimmState, step: OpenAuction, seat: int) -> tuple[int, int]:
        return raised(state, self.cards, seat, step.bid)

    def step_problem(
        self, state: NimmState, step: OpenAuction, action: Action
    ) -> IllegalAction | None:
        seat = action.seat
        if isinstance(action, Hold):
            if seat in step.waiting:
                return None
            return IllegalAction("auction-open-4", "You already let this bid stand.")
        if not isinstance(action, Bid):
            return IllegalAction("auction-open-3", "You bid more than the highest bid, or hold.")
        limits = self._limits(state, step, seat)
        return amount_problem(self.cards, action.amount, limits, "auction-open-3")

    def left_out(self, state: NimmState, step: OpenAuction, seat: int) -> IllegalAction | None:
        return full(state, self.cards, seat) or highest_already("auction-open-3")

    def perform(self, state: NimmState, step: OpenAuction, action: Action, play: NimmPlay) -> None:
        seat = action.seat
        if isinstance(action, Bid):
            play.done()
            play.emit(
                happened.BidMade(
                    rule="auction-open-3", seat=seat, loco=step.loco, amount=action.amount
                )
            )
            seats = [step.bidder, *step.others]
            ask_others(play, step.starter, step.loco, seats, seat, action.amount)
            return
        step.waiting.remove(seat)
        play.emit(happened.BidHeld(rule="auction-open-4", seat=seat))
        if not step.waiting:
            play.done()
            sell(play, step.bidder, step.loco, step.bid, step.starter)


def highest_already(rule: str) -> IllegalAction:
    """Why the highest bidder is not asked."""
    return IllegalAction(rule, "Your bid is the highest; only others can bid more.")


class SealedRaisesRules(SecretBidsRules[SealedRaises]):
    """In a game by mail all others raise secretly, or let the bid stand; the highest raise is the
    new highest bid [option-open]."""

    bidding = least = showing = "option-open"
    shown = happened.RaisesShown

    def limits(self, state: NimmState, step: SealedRaises, seat: int) -> tuple[int, int]:
        return raised(state, self.cards, seat, step.bid)

    def candidates(self, state: NimmState, step: SealedRaises, seat: int) -> Iterable[Choice]:
        return [Choice(Hold(seat)), *super().candidates(state, step, seat)]

    def left_out(self, state: NimmState, step: SealedRaises, seat: int) -> IllegalAction:
        return super().left_out(state, step, seat) or highest_already("option-open")

    def not_a_bid(self, action: Action) -> IllegalAction | None:
        if isinstance(action, Hold):
            return None
        return IllegalAction("option-open", "You raise the highest bid secretly, or hold.")

    def decide(
        self, state: NimmState, step: SealedRaises, bids: dict[int, int], play: NimmPlay
    ) -> None:
        """The highest raise stands and all others are asked again; without one the old bid wins."""
        best = max(bids.values())
        tied = [seat for seat in step.seats if bids[seat] == best]
        if best <= step.bid:
            sell(play, step.bidder, step.loco, step.bid, step.starter)
        elif len(tied) > 1:
            play.push(Tie(step.starter, step.loco, tied, best))
        else:
            ask_others(play, step.starter, step.loco, [step.bidder, *step.seats], tied[0], best)
