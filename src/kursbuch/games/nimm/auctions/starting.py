"""An auction begins: cards are turned up, and the starter chooses one and bids first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction, Players
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.actions import Bid, Offer
from kursbuch.games.nimm.asking import NimmRules
from kursbuch.games.nimm.auctions.common import (
    CITATIONS,
    amount_problem,
    bids,
    full,
    highest,
    loco_problem,
    sell,
    set_aside,
    turn_up_locos,
)
from kursbuch.games.nimm.auctions.open import ask_others
from kursbuch.games.nimm.components import Cards
from kursbuch.games.nimm.holdings import (
    NimmPlay,
    clockwise,
    dollars,
    left_of,
    locos_at,
    money,
    needy,
    payable,
    take_spares,
)
from kursbuch.games.nimm.state import (
    ChoiceBids,
    ChooseCard,
    FirstBid,
    NextAuction,
    NimmState,
    PhaseTwo,
    SealedBids,
    TurnAuction,
    loco_item,
)


class NextAuctionRules(NimmRules[NextAuction]):
    """The next auction begins, or phase one is over. Who can pay for something is not known before."""

    secretive = True

    def run(self, state: NimmState, step: NextAuction, play: NimmPlay) -> None:
        play.done()
        wanting = needy(state, self.cards)
        if not wanting:
            play.push(PhaseTwo())
        elif state.auction == "choice":
            # The cards stay face down until the bids have been shown [auction-choice-1].
            play.push(ChoiceBids(step.seat, "", list(range(state.seats)), {}))
        elif self._sold_out(state, wanting):
            self._hand_out_spares(state, wanting, play)
            play.push(PhaseTwo())
        else:
            self._turn_up(state, step, wanting, play)

    def _sold_out(self, state: NimmState, wanting: list[int]) -> bool:
        """Whether all cards have been seen and nobody can pay for one of them [bid-7]."""
        unsold = [
            *locos_at(state, self.cards, "deck"),
            *locos_at(state, self.cards, "aside"),
        ]
        return not state.unseen and not any(
            payable(state, self.cards, seat, unsold) for seat in wanting
        )

    def _hand_out_spares(self, state: NimmState, wanting: list[int], play: NimmPlay) -> None:
        """Just as many cards are unsold as locomotives are missing [bid-4]."""
        full = self.cards.setup.locomotives_per_player
        for loco in locos_at(state, self.cards, "deck"):
            state.ledger.move(loco_item(loco), "deck", "aside")
        for seat in wanting:
            unsold = locos_at(state, self.cards, "aside")
            missing = full - len(state.trains[seat])
            take_spares(play, seat, unsold[:missing], "aside")

    def _turn_up(
        self, state: NimmState, step: NextAuction, wanting: list[int], play: NimmPlay
    ) -> None:
        in_line = [seat for seat in clockwise(state, step.seat) if seat in wanting]
        state.offer = turn_up_locos(play, self.cards, 1 if state.auction == "open" else 3)
        play.emit(
            happened.LocosTurnedUp(
                rule=CITATIONS[state.auction].turning_up,
                seat=in_line[0],
                locos=tuple(state.offer),
            )
        )
        able = [seat for seat in in_line if payable(state, self.cards, seat, state.offer)]
        if not able:
            play.emit(happened.NobodyCanPay(rule="bid-7", locos=tuple(state.offer)))
            set_aside(play, list(state.offer))
            play.push(NextAuction(left_of(state, in_line[0])))
            return
        starter = able[0]
        if starter != in_line[0]:
            play.emit(happened.StarterReplaced(rule="bid-7", seat=in_line[0], other=starter))
        if len(state.offer) == 1:
            begin(play, self.cards, starter, state.offer[0])
        else:
            play.push(ChooseCard(starter))


def begin(play: NimmPlay, cards: Cards, starter: int, loco: str) -> None:
    """The auction of one locomotive. Whoever is left alone buys it for its power
    [auction-turn-9]."""
    state = play.state
    seats = [seat for seat in clockwise(state, starter) if seat in needy(state, cards)]
    if len(seats) == 1:
        sell(play, starter, loco, cards.locomotive[loco].power, starter, alone=True)
    elif state.auction in ("turn", "open"):
        play.push(FirstBid(starter, loco))
    else:
        play.push(SealedBids(starter, loco, seats, {}))


class ChooseCardRules(NimmRules[ChooseCard]):
    """The starter chooses one of the open cards, one he can pay [auction-turn-1]."""

    def deciders(self, state: NimmState, step: ChooseCard) -> Sequence[int]:
        return (step.seat,)

    def candidates(self, state: NimmState, step: ChooseCard, seat: int) -> Iterable[Choice]:
        return [Choice(Offer(seat, loco)) for loco in state.offer]

    def step_problem(
        self, state: NimmState, step: ChooseCard, action: Action
    ) -> IllegalAction | None:
        rule = CITATIONS[state.auction].turning_up
        if not isinstance(action, Offer):
            return IllegalAction(rule, "You choose the locomotive that is auctioned.")
        problem = loco_problem(self.cards, action.loco, state.offer, rule)
        if problem is None and not payable(state, self.cards, action.seat, [action.loco]):
            return IllegalAction(
                "bid-7",
                "You cannot pay the first bid for {loco}, {power}.",
                loco=action.loco,
                power=dollars(self.cards.locomotive[action.loco].power),
            )
        return problem

    def left_out(self, state: NimmState, step: ChooseCard, seat: int) -> IllegalAction | None:
        return full(state, self.cards, seat) or IllegalAction(
            CITATIONS[state.auction].turning_up,
            "{players} starts this auction and chooses the locomotive.",
            players=Players((step.seat,)),
        )

    def perform(self, state: NimmState, step: ChooseCard, action: Action, play: NimmPlay) -> None:
        assert isinstance(action, Offer)
        play.done()
        rule = CITATIONS[state.auction].turning_up
        play.emit(happened.LocoOffered(rule=rule, seat=action.seat, loco=action.loco))
        set_aside(play, [loco for loco in state.offer if loco != action.loco])
        begin(play, self.cards, action.seat, action.loco)


class FirstBidRules(NimmRules[FirstBid]):
    """The starter bids at least the power [auction-turn-2, auction-open-2]."""

    def deciders(self, state: NimmState, step: FirstBid) -> Sequence[int]:
        return (step.seat,)

    def candidates(self, state: NimmState, step: FirstBid, seat: int) -> Iterable[Choice]:
        return bids(self.cards, seat, self._limits(state, step))

    def _limits(self, state: NimmState, step: FirstBid) -> tuple[int, int]:
        power = self.cards.locomotive[step.loco].power
        return power, highest(self.cards, money(state, step.seat))

    def _rule(self, state: NimmState) -> str:
        return "auction-open-2" if state.auction == "open" else "auction-turn-2"

    def step_problem(
        self, state: NimmState, step: FirstBid, action: Action
    ) -> IllegalAction | None:
        rule = self._rule(state)
        if not isinstance(action, Bid):
            return IllegalAction(rule, "You make the first bid.")
        return amount_problem(self.cards, action.amount, self._limits(state, step), rule)

    def left_out(self, state: NimmState, step: FirstBid, seat: int) -> IllegalAction | None:
        return full(state, self.cards, seat) or IllegalAction(
            self._rule(state),
            "{players} started the auction and makes the first bid.",
            players=Players((step.seat,)),
        )

    def perform(self, state: NimmState, step: FirstBid, action: Action, play: NimmPlay) -> None:
        assert isinstance(action, Bid)
        play.done()
        seat, loco, amount = step.seat, step.loco, action.amount
        play.emit(happened.BidMade(rule=self._rule(state), seat=seat, loco=loco, amount=amount))
        seats = [other for other in clockwise(state, seat) if other in needy(state, self.cards)]
        if state.auction == "turn":
            play.push(TurnAuction(seat, loco, seats, seats[1], seat, amount))
        else:
            ask_others(play, seat, loco, seats, seat, amount)
