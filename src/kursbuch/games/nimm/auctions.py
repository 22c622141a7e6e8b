"""Phase one: the auctions of Nimm den Zug. Ids in brackets refer to rules.toml.

Money is secret, so all participants are asked even if they can only pass. Affordability shows only where the rules
require it (a starter who cannot pay, an unaffordable locomotive).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction, Players
from kursbuch.core.state import Step, clockwise
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.actions import Bid, Buy, Favour, Hold, Offer, Pass
from kursbuch.games.nimm.bids import (
    CITATIONS,
    SecretBidsRules,
    amount_problem,
    bids,
    full,
    highest,
    loco_problem,
    raised,
    sell,
    set_aside,
    turn_up_locos,
)
from kursbuch.games.nimm.components import Cards
from kursbuch.games.nimm.draft import DraftPriceRules, DraftRules, TooDearRules
from kursbuch.games.nimm.holdings import (
    NimmPlay,
    dollars,
    left_of,
    locos_at,
    money,
    needy,
    only,
    pay_bank,
    payable,
    take_loco,
    take_spares,
)
from kursbuch.games.nimm.state import (
    Buying,
    ChoiceBids,
    ChooseCard,
    Draft,
    DraftPrice,
    FirstBid,
    NextAuction,
    NimmState,
    OpenAuction,
    PhaseTwo,
    Ranking,
    SealedBids,
    SealedRaises,
    SecondBids,
    Tie,
    TooDear,
    TurnAuction,
    loco_item,
)
from kursbuch.games.nimm.steps import NimmRules


def ask_others(
    play: NimmPlay, starter: int, loco: str, seats: Sequence[int], bidder: int, bid: int
) -> None:
    """Let the others outbid a new highest bid: at any time or, in a game by mail, in a round of sealed raises
    [auction-open-3, option-open]."""
    others = [seat for seat in clockwise(play.state, bidder)[1:] if seat in seats]
    if play.state.by_rounds:
        play.push(SealedRaises(starter, loco, others, {}, bidder, bid))
    else:
        play.push(OpenAuction(starter, loco, others, list(others), bidder, bid))


class OpenAuctionRules(NimmRules[OpenAuction]):
    """Open bidding at any time; a bid wins when all others have let it stand. A clock lets it stand for players
    whose time is up [auction-open-4]."""

    def deciders(self, state: NimmState, step: OpenAuction) -> Sequence[int]:
        return step.waiting

    def volunteers(self, state: NimmState, step: OpenAuction) -> Sequence[int]:
        """Players who let the bid stand may still change their minds."""
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
            return IllegalAction("auction-open-3", "Bid more than the highest bid, or hold.")
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
    return IllegalAction(rule, "Your bid is the highest; only the others can raise it.")


class SealedRaisesRules(SecretBidsRules[SealedRaises]):
    """In a game by mail the others raise secretly or let the bid stand; the highest raise becomes the bid
    [option-open]."""

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
        return IllegalAction("option-open", "Raise the highest bid secretly, or hold.")

    def decide(
        self, state: NimmState, step: SealedRaises, bids: dict[int, int], play: NimmPlay
    ) -> None:
        """The highest raise stands and the others are asked again; without a raise the bid wins."""
        best = max(bids.values())
        tied = [seat for seat in step.seats if bids[seat] == best]
        if best <= step.bid:
            sell(play, step.bidder, step.loco, step.bid, step.starter)
        elif len(tied) > 1:
            play.push(Tie(step.starter, step.loco, tied, best))
        else:
            ask_others(play, step.starter, step.loco, [step.bidder, *step.seats], tied[0], best)


class TurnAuctionRules(NimmRules[TurnAuction]):
    """Clockwise, each player raises or passes for good [auction-turn-3, auction-turn-4]."""

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
            return IllegalAction(rule, "Bid more than the last bid, or pass.")
        return amount_problem(self.cards, action.amount, self._limits(state, step, seat), rule)

    def left_out(self, state: NimmState, step: TurnAuction, seat: int) -> IllegalAction | None:
        if seat not in step.active:
            return full(state, self.cards, seat) or IllegalAction(
                "auction-turn-3", "You have passed and cannot bid for this locomotive again."
            )
        return IllegalAction(
            "auction-turn-3",
            "Bidding goes clockwise: it is the turn of {players}.",
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


def decide(play: NimmPlay, step: SealedBids | SecondBids, bids: dict[int, int]) -> None:
    """The highest bid wins; the starter breaks ties [auction-general-2]."""
    best = max(bids.values())
    tied = [seat for seat in step.seats if bids[seat] == best]
    if len(tied) > 1:
        play.push(Tie(step.starter, step.loco, tied, best))
    else:
        sell(play, tied[0], step.loco, best, step.starter)


class SealedBidsRules(SecretBidsRules[SealedBids]):
    """A single secret bid, or the first of two. The starter must bid at least the power [auction-sealed-3,
    auction-double-1]."""

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
    """A second secret bid is added to the first; their sum is limited by the bidder's money [auction-double-1,
    auction-double-2]."""

    bidding = least = showing = "auction-double-1"
    shown = happened.SecondBidsShown

    def limits(self, state: NimmState, step: SecondBids, seat: int) -> tuple[int, int]:
        return 0, highest(self.cards, money(state, seat) - step.before[seat])

    def decide(
        self, state: NimmState, step: SecondBids, bids: dict[int, int], play: NimmPlay
    ) -> None:
        decide(play, step, {seat: bid + step.before[seat] for seat, bid in bids.items()})


RULE = "auction-general-2"


class TieRules(NimmRules[Tie]):
    """The starter breaks a tie; the bid wins or, in an open auction, stands [auction-general-2]."""

    def deciders(self, state: NimmState, step: Tie) -> Sequence[int]:
        return (step.starter,)

    def candidates(self, state: NimmState, step: Tie, seat: int) -> Iterable[Choice]:
        return favours(seat, step.tied)

    def step_problem(self, state: NimmState, step: Tie, action: Action) -> IllegalAction | None:
        return favour_problem(step.tied, action)

    def left_out(self, state: NimmState, step: Tie, seat: int) -> IllegalAction | None:
        return not_the_starter(step.starter)

    def perform(self, state: NimmState, step: Tie, action: Action, play: NimmPlay) -> None:
        assert isinstance(action, Favour)
        play.done()
        emit_favour(play, action, step.tied)
        if state.auction == "open":
            seats = needy(state, self.cards)
            ask_others(play, step.starter, step.loco, seats, action.player, step.bid)
        else:
            sell(play, action.player, step.loco, step.bid, step.starter)


def favours(seat: int, tied: Sequence[int]) -> list[Choice]:
    """Choices among tied players."""
    return [Choice(Favour(seat, player)) for player in tied]


def not_the_starter(starter: int) -> IllegalAction:
    """Why the others do not decide."""
    return IllegalAction(
        RULE,
        "{players} started the auction and decides between the equal bids.",
        players=Players((starter,)),
    )


def favour_problem(tied: Sequence[int], action: Action) -> IllegalAction | None:
    """Why an action does not break the tie."""
    if not isinstance(action, Favour):
        return IllegalAction(RULE, "Decide which of the equal bids comes first.")
    if action.player not in tied:
        return IllegalAction(
            RULE,
            "{players} is not among the equal bidders.",
            players=Players((action.player,)),
        )
    return None


def emit_favour(play: NimmPlay, action: Favour, tied: Sequence[int]) -> None:
    """Report the starter's decision."""
    play.emit(
        happened.TieBroken(rule=RULE, seat=action.seat, player=action.player, tied=tuple(tied))
    )


class NextAuctionRules(NimmRules[NextAuction]):
    """Start the next auction or end phase one. Only here is affordability revealed."""

    secretive = True

    def run(self, state: NimmState, step: NextAuction, play: NimmPlay) -> None:
        play.done()
        wanting = needy(state, self.cards)
        if not wanting:
            play.push(PhaseTwo())
        elif state.auction == "choice":
            # The cards stay face down until the bids are revealed [auction-choice-1].
            play.push(ChoiceBids(step.seat, "", list(range(state.seats)), {}))
        elif self._sold_out(state, wanting):
            self._hand_out_spares(state, wanting, play)
            play.push(PhaseTwo())
        else:
            self._turn_up(state, step, wanting, play)

    def _sold_out(self, state: NimmState, wanting: list[int]) -> bool:
        """Whether all cards have been seen and no player can afford one [bid-7]."""
        unsold = [
            *locos_at(state, self.cards, "deck"),
            *locos_at(state, self.cards, "aside"),
        ]
        return not state.unseen and not any(
            payable(state, self.cards, seat, unsold) for seat in wanting
        )

    def _hand_out_spares(self, state: NimmState, wanting: list[int], play: NimmPlay) -> None:
        """Give out the unsold cards, as many as locomotives are missing [bid-4]."""
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
    """Start the auction of a locomotive; a single participant buys it at its power [auction-turn-9]."""
    state = play.state
    seats = [seat for seat in clockwise(state, starter) if seat in needy(state, cards)]
    if len(seats) == 1:
        sell(play, starter, loco, cards.locomotive[loco].power, starter, alone=True)
    elif state.auction in ("turn", "open"):
        play.push(FirstBid(starter, loco))
    else:
        play.push(SealedBids(starter, loco, seats, {}))


class ChooseCardRules(NimmRules[ChooseCard]):
    """The starter chooses an affordable open card [auction-turn-1]."""

    def deciders(self, state: NimmState, step: ChooseCard) -> Sequence[int]:
        return (step.seat,)

    def candidates(self, state: NimmState, step: ChooseCard, seat: int) -> Iterable[Choice]:
        return [Choice(Offer(seat, loco)) for loco in state.offer]

    def step_problem(
        self, state: NimmState, step: ChooseCard, action: Action
    ) -> IllegalAction | None:
        rule = CITATIONS[state.auction].turning_up
        if not isinstance(action, Offer):
            return IllegalAction(rule, "Choose the locomotive that is auctioned.")
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


class ChoiceBidsRules(SecretBidsRules[ChoiceBids]):
    """All bid for first choice before the cards are known [auction-choice-2, auction-choice-3]."""

    bidding = "auction-choice-2"
    least = showing = "auction-choice-3"

    def limits(self, state: NimmState, step: ChoiceBids, seat: int) -> tuple[int, int]:
        return 0, highest(self.cards, money(state, seat))

    def decide(
        self, state: NimmState, step: ChoiceBids, bids: dict[int, int], play: NimmPlay
    ) -> None:
        play.push(Ranking(step.starter, bids, []))


class RankingRules(NimmRules[Ranking]):
    """Order the buyers by bid; the starter breaks ties before the cards are turned up [auction-choice-4,
    auction-general-2]."""

    def tied(self, step: Ranking) -> list[int]:
        """Seats with the highest bid among those without a place."""
        left = [seat for seat in step.bids if seat not in step.ranked]
        best = max((step.bids[seat] for seat in left), default=0)
        return [seat for seat in left if step.bids[seat] == best]

    def deciders(self, state: NimmState, step: Ranking) -> Sequence[int]:
        return (step.starter,) if len(self.tied(step)) > 1 else ()

    def candidates(self, state: NimmState, step: Ranking, seat: int) -> Iterable[Choice]:
        return favours(seat, self.tied(step))

    def step_problem(self, state: NimmState, step: Ranking, action: Action) -> IllegalAction | None:
        return favour_problem(self.tied(step), action)

    def left_out(self, state: NimmState, step: Ranking, seat: int) -> IllegalAction | None:
        return not_the_starter(step.starter)

    def perform(self, state: NimmState, step: Ranking, action: Action, play: NimmPlay) -> None:
        assert isinstance(action, Favour)
        emit_favour(play, action, self.tied(step))
        step.ranked.append(action.player)

    def run(self, state: NimmState, step: Ranking, play: NimmPlay) -> None:
        if len(step.ranked) < len(step.bids):
            step.ranked += self.tied(step)
            return
        play.done()
        play.push(Buying(step.starter, step.bids, step.ranked, [], False))


class BuyingRules(NimmRules[Buying]):
    """Each player pays the bid and buys a card at its power; a player who can afford none gets a spare locomotive
    later [auction-choice-5]."""

    secretive = True

    def deciders(self, state: NimmState, step: Buying) -> Sequence[int]:
        return step.order[:1] if step.shown else ()

    def affordable(self, state: NimmState, step: Buying, seat: int) -> list[str]:
        """Cards the seat can pay besides its bid."""
        purse = money(state, seat) - step.bids[seat]
        return [loco for loco in state.offer if self.cards.locomotive[loco].power <= purse]

    def candidates(self, state: NimmState, step: Buying, seat: int) -> Iterable[Choice]:
        return [Choice(Buy(seat, loco)) for loco in state.offer]

    def step_problem(self, state: NimmState, step: Buying, action: Action) -> IllegalAction | None:
        rule = "auction-choice-5"
        if not isinstance(action, Buy):
            return IllegalAction(rule, "Choose the locomotive you buy.")
        problem = loco_problem(self.cards, action.loco, state.offer, rule)
        if problem is None and action.loco not in self.affordable(state, step, action.seat):
            return IllegalAction(
                "bid-2",
                "You cannot pay your bid of {bid} and the power of {loco}, {power}.",
                bid=dollars(step.bids[action.seat]),
                loco=action.loco,
                power=dollars(self.cards.locomotive[action.loco].power),
            )
        return problem

    def left_out(self, state: NimmState, step: Buying, seat: int) -> IllegalAction | None:
        if seat in step.order:
            return IllegalAction(
                "auction-choice-4",
                "Others choose before you: it is the turn of {players}.",
                players=Players((step.order[0],)),
            )
        return IllegalAction("auction-choice-5", "You have had your turn to buy in this auction.")

    def perform(self, state: NimmState, step: Buying, action: Action, play: NimmPlay) -> None:
        assert isinstance(action, Buy)
        self._buy(state, step, action.loco, play)
        self._go_on(state, step, play)

    def run(self, state: NimmState, step: Buying, play: NimmPlay) -> None:
        if not step.shown:
            step.shown = True
            state.offer = turn_up_locos(play, self.cards, len(step.order))
            play.emit(
                happened.LocosShown(
                    rule="auction-choice-4", locos=tuple(state.offer), order=tuple(step.order)
                )
            )
            self._go_on(state, step, play)
            return
        play.done()
        for seat in sorted(step.without):
            loco = state.offer.pop()
            take_spares(play, seat, [loco], "offer")
        play.push(NextAuction(left_of(state, step.starter)))

    def _buy(self, state: NimmState, step: Buying, loco: str, play: NimmPlay) -> None:
        seat = step.order.pop(0)
        power, bid = self.cards.locomotive[loco].power, step.bids[seat]
        pay_bank(play, seat, bid + power)
        take_loco(play, seat, loco, "offer")
        state.offer.remove(loco)
        play.emit(
            happened.ChoiceBought(
                rule="auction-choice-5",
                amounts=only(state, seat, -bid - power),
                seat=seat,
                loco=loco,
                bid=bid,
                power=power,
            )
        )

    def _go_on(self, state: NimmState, step: Buying, play: NimmPlay) -> None:
        """Continue; players without a choice are not asked."""
        while step.order:
            seat = step.order[0]
            if not self.affordable(state, step, seat):
                step.order.pop(0)
                step.without.append(seat)
                pay_bank(play, seat, step.bids[seat])
                play.emit(
                    happened.ChoiceMissed(
                        rule="auction-choice-5",
                        amounts=only(state, seat, -step.bids[seat]),
                        seat=seat,
                        bid=step.bids[seat],
                    )
                )
            elif len(state.offer) == 1:
                self._buy(state, step, state.offer[0], play)
            else:
                return


#: Rules of secret bids, by step type.
SECRET: Mapping[type[Step], type[SecretBidsRules[Any]]] = {
    SealedBids: SealedBidsRules,
    SecondBids: SecondBidsRules,
    SealedRaises: SealedRaisesRules,
    ChoiceBids: ChoiceBidsRules,
}

#: Rules of all steps of phase one.
PHASE_ONE: Mapping[type[Step], type[NimmRules[Any]]] = {
    NextAuction: NextAuctionRules,
    ChooseCard: ChooseCardRules,
    FirstBid: FirstBidRules,
    TurnAuction: TurnAuctionRules,
    OpenAuction: OpenAuctionRules,
    **SECRET,
    Tie: TieRules,
    Ranking: RankingRules,
    Buying: BuyingRules,
    Draft: DraftRules,
    DraftPrice: DraftPriceRules,
    TooDear: TooDearRules,
}
