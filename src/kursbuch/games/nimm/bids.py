"""Shared by all auctions: citations, new cards, amounts, secret bids and sales."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar, NamedTuple, TypeVar

from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.errors import IllegalAction
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.actions import Bid
from kursbuch.games.nimm.components import Cards
from kursbuch.games.nimm.holdings import (
    NimmPlay,
    dollars,
    left_of,
    locos_at,
    money,
    needy,
    only,
    pay_bank,
    take_loco,
)
from kursbuch.games.nimm.state import NextAuction, NimmState, SecretBids, loco_item
from kursbuch.games.nimm.steps import NimmRules


class Citations(NamedTuple):
    """Rules of a type of auction about turning up cards, sales, players with three locomotives, single buyers, and
    shuffling."""

    turning_up: str
    selling: str
    full: str
    alone: str
    new_deck: str


CITATIONS = {
    "turn": Citations(
        "auction-turn-1", "auction-turn-5", "auction-turn-8", "auction-turn-9", "auction-turn-10"
    ),
    "sealed": Citations(
        "auction-sealed-1",
        "auction-sealed-5",
        "auction-sealed-8",
        "auction-sealed-9",
        "auction-sealed-10",
    ),
    "double": Citations(
        "auction-double-3",
        "auction-double-2",
        "auction-double-3",
        "auction-double-3",
        "auction-double-3",
    ),
    "open": Citations(
        "auction-open-1", "auction-open-4", "auction-open-6", "auction-open-7", "auction-open-7"
    ),
}


def turn_up_locos(play: NimmPlay, cards: Cards, count: int) -> list[str]:
    """Turn up to `count` cards of the locomotive deck. If it is exhausted, the cards set aside are shuffled
    [auction-turn-1, auction-turn-10]."""
    state = play.state
    found: list[str] = []
    for _ in range(count):
        source = "unseen"
        if not state.unseen:
            source = "deck"
            if not locos_at(state, cards, "deck"):
                aside = locos_at(state, cards, "aside")
                for loco in aside:
                    state.ledger.move(loco_item(loco), "aside", "deck")
                if aside:
                    rule = CITATIONS[state.auction].new_deck
                    play.emit(happened.LocosShuffled(rule=rule, count=len(aside)))
        deck = locos_at(state, cards, source)
        if not deck:
            break
        loco = deck[play.draw(len(deck))]
        if source == "unseen":
            state.unseen -= 1
        state.ledger.move(loco_item(loco), source, "offer")
        found.append(loco)
    return found


def set_aside(play: NimmPlay, locos: Sequence[str]) -> None:
    """Set open locomotives aside; they will return [auction-turn-6]."""
    for loco in locos:
        play.state.ledger.move(loco_item(loco), "offer", "aside")
        play.state.offer.remove(loco)


def sell(
    play: NimmPlay,
    seat: int,
    loco: str,
    price: int,
    starter: int,
    *,
    alone: bool = False,
) -> None:
    """The winner takes and pays the locomotive [auction-turn-5]; the starter's left neighbour starts the next
    auction [auction-turn-7]."""
    state = play.state
    cited = CITATIONS[state.auction]
    pay_bank(play, seat, price)
    take_loco(play, seat, loco, "offer")
    state.offer.remove(loco)
    play.emit(
        happened.LocoSold(
            rule=cited.alone if alone else cited.selling,
            amounts=only(state, seat, -price),
            seat=seat,
            loco=loco,
            price=price,
            alone=alone,
        )
    )
    play.push(NextAuction(left_of(state, starter)))


def highest(cards: Cards, amount: int) -> int:
    """Highest bid allowed by an amount of money [bid-6]."""
    return amount // cards.step * cards.step


def raised(state: NimmState, cards: Cards, seat: int, bid: int) -> tuple[int, int]:
    """Lowest and highest bid with which a seat can outbid another [bid-2, bid-6]."""
    return bid + cards.step, highest(cards, money(state, seat))


def bids(cards: Cards, seat: int, limits: tuple[int, int]) -> list[Choice]:
    """A bid of any amount within limits, if there is one."""
    low, high = limits
    return [Choice(Bid(seat, low), Range(low, high, cards.step))] if low <= high else []


def amount_problem(
    cards: Cards, amount: int, limits: tuple[int, int], rule: str
) -> IllegalAction | None:
    """Why an amount cannot be bid: it must be within the limits and a multiple of the step. `rule` justifies the
    minimum."""
    low, high = limits
    if amount > high:
        return IllegalAction("bid-2", "You can bid at most {high}.", high=dollars(high))
    if amount < low:
        return IllegalAction(rule, "The bid must be at least {low}.", low=dollars(low))
    if amount % cards.step:
        return IllegalAction(
            "bid-6", "A bid must be a multiple of {step}.", step=dollars(cards.step)
        )
    return None


def loco_problem(cards: Cards, loco: str, locos: Sequence[str], rule: str) -> IllegalAction | None:
    """Why a locomotive cannot be chosen among these."""
    if loco not in cards.locomotive:
        return IllegalAction("loco-1", "There is no locomotive {loco}.", loco=loco)
    if loco not in locos:
        return IllegalAction(rule, "The locomotive {loco} is not among these cards.", loco=loco)
    return None


def full(state: NimmState, cards: Cards, seat: int) -> IllegalAction | None:
    """Why a player with three locomotives takes no part in auctions [auction-turn-8]."""
    if seat in needy(state, cards):
        return None
    return IllegalAction(
        CITATIONS[state.auction].full,
        "You have three locomotives and no longer take part in the auctions.",
    )


SecretT = TypeVar("SecretT", bound=SecretBids)


class SecretBidsRules(NimmRules[SecretT]):
    """Simultaneous secret bids, revealed when complete [auction-sealed-2, auction-sealed-4]."""

    #: Rules for bidding, for the minimum, and for revealing the bids.
    bidding: ClassVar[str]
    least: ClassVar[str]
    showing: ClassVar[str]
    shown: ClassVar[type[happened.BidsShown]] = happened.BidsShown
    secretive = True

    @abstractmethod
    def limits(self, state: NimmState, step: SecretT, seat: int) -> tuple[int, int]:
        """Lowest and highest bid of a seat."""

    @abstractmethod
    def decide(self, state: NimmState, step: SecretT, bids: dict[int, int], play: NimmPlay) -> None:
        """Continue after the bids are revealed."""

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
        """Why anything but a bid is refused."""
        return IllegalAction(self.bidding, "Make a secret bid; it may be 0.")

    def perform(self, state: NimmState, step: SecretT, action: Action, play: NimmPlay) -> None:
        step.answers[action.seat] = action.amount if isinstance(action, Bid) else 0
        play.emit(happened.BidSealed(rule=self.bidding, seat=action.seat))

    def run(self, state: NimmState, step: SecretT, play: NimmPlay) -> None:
        play.done()
        found = {seat: step.answers[seat] or 0 for seat in step.seats}
        play.emit(self.shown(rule=self.showing, loco=step.loco, bids=tuple(found.items())))
        self.decide(state, step, found, play)
