"""Prompts of Nimm den Zug."""

from __future__ import annotations

from functools import singledispatchmethod

from kursbuch.core.state import Step
from kursbuch.games.nimm.auctions.draft import draft_price
from kursbuch.games.nimm.holdings import knows_money, money
from kursbuch.games.nimm.state import (
    Buying,
    ChoiceBids,
    ChooseCard,
    Closing,
    Draft,
    FirstBid,
    NimmState,
    OpenAuction,
    Ranking,
    SealedBids,
    SealedRaises,
    SecondBids,
    SpecialTaken,
    Tie,
    TooDear,
    Turn,
    TurnAuction,
)
from kursbuch.games.nimm.targets import usable
from kursbuch.games.nimm.text.names import Names


class Prompts:
    """What a seat has to decide in a state, for one reader."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.cards = names.cards
        self.money, self.name, self._ = names.money, names.name, names._

    @singledispatchmethod
    def of(self, step: Step, state: NimmState, seat: int) -> str:
        """What the seat has to decide in a step."""
        raise TypeError(f"nobody decides: {step!r}")

    # ---- auctions

    @of.register
    def _choose(self, step: ChooseCard, state: NimmState, seat: int) -> str:
        return self._("You start the auction: choose the locomotive that is auctioned.")

    @of.register
    def _first_bid(self, step: FirstBid, state: NimmState, seat: int) -> str:
        return self._(
            "Make the first bid for {loco}, at least {power}.",
            loco=self.names.loco(step.loco),
            power=self.names.power(step.loco),
        )

    @of.register
    def _bid(self, step: TurnAuction, state: NimmState, seat: int) -> str:
        return self._(
            "{name} has bid {amount} for {loco}. Bid more, or pass for this locomotive.",
            name=self.name(step.bidder),
            amount=self.money(step.bid),
            loco=self.names.loco(step.loco),
        )

    @of.register
    def _call(self, step: OpenAuction, state: NimmState, seat: int) -> str:
        return self._(
            "{name} has bid {amount} for {loco}. Bid more, or let the bid stand.",
            name=self.name(step.bidder),
            amount=self.money(step.bid),
            loco=self.names.loco(step.loco),
        )

    @of.register
    def _raise(self, step: SealedRaises, state: NimmState, seat: int) -> str:
        return self._(
            "{name} has bid {amount} for {loco}. Raise secretly, or let the bid stand.",
            name=self.name(step.bidder),
            amount=self.money(step.bid),
            loco=self.names.loco(step.loco),
        )

    @of.register
    def _secret(self, step: SealedBids, state: NimmState, seat: int) -> str:
        loco = self.names.loco(step.loco)
        if seat != step.starter:
            return self._("Bid secretly for {loco}; 0 is possible.", loco=loco)
        return self._(
            "Bid secretly for {loco}, at least {power}.",
            loco=loco,
            power=self.names.power(step.loco),
        )

    @of.register
    def _second(self, step: SecondBids, state: NimmState, seat: int) -> str:
        return self._(
            "Second secret bid for {loco}: it is added to your first bid of {bid}.",
            loco=self.names.loco(step.loco),
            bid=self.money(step.before[seat]),
        )

    @of.register
    def _tie(self, step: Tie, state: NimmState, seat: int) -> str:
        return self._(
            "Several have bid {amount} for {loco}. You started the auction: decide whose bid "
            "counts.",
            amount=self.money(step.bid),
            loco=self.names.loco(step.loco),
        )

    @of.register
    def _choice(self, step: ChoiceBids, state: NimmState, seat: int) -> str:
        return self._(
            "Bid secretly for the right to choose among {count} locomotives nobody knows; you pay "
            "the bid besides the power of the locomotive.",
            count=state.seats,
        )

    @of.register
    def _rank(self, step: Ranking, state: NimmState, seat: int) -> str:
        return self._("Equal bids: you started the auction and decide who of them chooses first.")

    @of.register
    def _buy(self, step: Buying, state: NimmState, seat: int) -> str:
        return self._(
            "Choose a locomotive; you pay its power and your bid of {bid}.",
            bid=self.money(step.bids[seat]),
        )

    @of.register
    def _keep(self, step: Draft, state: NimmState, seat: int) -> str:
        if step.stage == 1:
            return self._("Keep one of the three locomotives; the others go to your left.")
        return self._("Keep one of the two locomotives; the other goes to your left.")

    @of.register
    def _too_dear(self, step: TooDear, state: NimmState, seat: int) -> str:
        price = self.money(draft_price(state, self.cards, seat))
        if usable(state, self.cards, seat):
            return self._(
                "You cannot pay {price} for your locomotives. Turn one of them down, which becomes a "
                "spare locomotive, or hand in a target tile first.",
                price=price,
            )
        return self._(
            "You cannot pay {price} for your locomotives. Turn one of them down; it becomes a spare "
            "locomotive.",
            price=price,
        )

    # ---- phase two

    @of.register
    def _turn(self, step: Turn, state: NimmState, seat: int) -> str:
        price = self.cards.replace_price(state.seats, state.order.index(seat))
        if step.replaced or (knows_money(state, seat) and money(state, seat) < price):
            return self._("Take one of the open cards, or pass.")
        return self._(
            "Take an open card, have cards replaced for {price}, or pass.", price=self.money(price)
        )

    @of.register
    def _special(self, step: SpecialTaken, state: NimmState, seat: int) -> str:
        return self._("You have taken a special card. Hand in target tiles, or none.")

    @of.register
    def _closing(self, step: Closing, state: NimmState, seat: int) -> str:
        return self._("The round is over. Hand in target tiles before the payment, or none.")
