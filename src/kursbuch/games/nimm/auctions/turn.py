"""The auction in turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction, Players
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.actions import Bid, Pass
from kursbuch.games.nimm.asking import NimmRules
from kursbuch.games.nimm.auctions.common import amount_problem, bids, full, raised, sell
from kursbuch.games.nimm.holdings import NimmPlay
from kursbuch.games.nimm.state import NimmState, TurnAuction


class TurnAuctionRules(NimmRules[TurnAuction]):
    """Clockwise everybody bids more or passes for good [auction-turn-3, auction-turn-4]."""

    def deciders(self, state: NimmState, step: TurnAuction) -> Sequence[int]:
        return (step.seat,)

    def candidates(self, state: NimmState, step: TurnAuction, seat: int) -> Iterable[Choice]:
        return [Choice(Pass(seat)), *bids(self.cards, seat, self._limits(state, step, seat))]

    def _limits(self, state: NimmState, step: TurnAuction, seat: int) -> tuple[int, int]:
        return raised(state, self.cards, seat, step.bid)

    def step_problem(
        self, state: NimmState, step: TurnAuction, action: Action
    ) -> IllegalAction | None:
        seat, rule = action.seat, "auction-turn-3"
        if isinstance(action, Pass):
            return None
        if not isinstance(action, Bid):
            return IllegalAction(rule, "You bid more than the last bid, or pass.")
        return amount_problem(self.cards, action.amount, self._limits(state, step, seat), rule)

    def left_out(self, state: NimmState, step: TurnAuction, seat: int) -> IllegalAction | None:
        if seat not in step.active:
            return full(state, self.cards, seat) or IllegalAction(
                "auction-turn-3", "You have passed and bid no more for this locomotive."
            )
        return IllegalAction(
            "auction-turn-3",
            "Bids are made clockwise: it is the turn of {players}.",
            players=Players((step.seat,)),
        )

    def perform(self, state: NimmState, step: TurnAuction, action: Action, play: NimmPlay) -> None:
        seat = action.seat
        speaker = step.active.index(seat)
        step.seat = step.active[(speaker + 1) % len(step.active)]
        if isinstance(action, Bid):
            step.bidder, step.bid = seat, action.amount
            play.emit(
                happened.BidMade(
                    rule="auction-turn-3", seat=seat, loco=step.loco, amount=action.amount
                )
            )
            return
        step.active.remove(seat)
        play.emit(happened.BidPassed(rule="auction-turn-3", seat=seat))
        if step.active == [step.bidder]:
            play.done()
            sell(play, step.bidder, step.loco, step.bid, step.starter)
