"""The sealed auctions, with one bid or with two."""

from __future__ import annotations

from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.auctions.common import highest, sell
from kursbuch.games.nimm.auctions.secret import SecretBidsRules
from kursbuch.games.nimm.holdings import NimmPlay, money
from kursbuch.games.nimm.state import NimmState, SealedBids, SecondBids, Tie


def decide(play: NimmPlay, step: SealedBids | SecondBids, bids: dict[int, int]) -> None:
    """The highest bid wins; between equal ones the starter decides [auction-general-2]."""
    best = max(bids.values())
    tied = [seat for seat in step.seats if bids[seat] == best]
    if len(tied) > 1:
        play.push(Tie(step.starter, step.loco, tied, best))
    else:
        sell(play, tied[0], step.loco, best, step.starter)


class SealedBidsRules(SecretBidsRules[SealedBids]):
    """The only secret bid, or the first of two. The starter must bid the power at least
    [auction-sealed-3, auction-double-1]."""

    bidding = "auction-sealed-2"
    least = "auction-sealed-3"
    showing = "auction-sealed-4"

    def limits(self, state: NimmState, step: SealedBids, seat: int) -> tuple[int, int]:
        low = self.cards.locomotive[step.loco].power if seat == step.starter else 0
        return low, highest(self.cards, money(state, seat))

    def decide(
        self, state: NimmState, step: SealedBids, bids: dict[int, int], play: NimmPlay
    ) -> None:
        if state.auction == "double":
            play.push(SecondBids(step.starter, step.loco, step.seats, {}, bids))
        else:
            decide(play, step, bids)


class SecondBidsRules(SecretBidsRules[SecondBids]):
    """The second secret bid is added to the first; both together are not more than the bidder has
    [auction-double-1, auction-double-2]."""

    bidding = least = showing = "auction-double-1"
    shown = happened.SecondBidsShown

    def limits(self, state: NimmState, step: SecondBids, seat: int) -> tuple[int, int]:
        return 0, highest(self.cards, money(state, seat) - step.before[seat])

    def decide(
        self, state: NimmState, step: SecondBids, bids: dict[int, int], play: NimmPlay
    ) -> None:
        decide(play, step, {seat: bid + step.before[seat] for seat, bid in bids.items()})
