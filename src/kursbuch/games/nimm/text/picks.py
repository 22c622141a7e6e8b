"""How the actions of Nimm den Zug are pointed at on the board, and their texts."""

from __future__ import annotations

from functools import singledispatchmethod

from kursbuch.core.actions import Action
from kursbuch.core.voice import Pick
from kursbuch.games.nimm.actions import (
    Bid,
    Buy,
    Favour,
    Hold,
    Keep,
    Offer,
    Pass,
    Ready,
    Replace,
    Take,
    TurnDown,
    UseTarget,
)
from kursbuch.games.nimm.state import NimmState, SecretBids, Turn
from kursbuch.games.nimm.text.names import Names


class Picks:
    """The choices of one reader."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._ = names._

    @singledispatchmethod
    def of(self, action: Action, state: NimmState) -> Pick:
        """How an action is pointed at in a state, and its text."""
        raise TypeError(f"not an action of this game: {action!r}")

    # ---- auctions

    @of.register
    def _offer(self, action: Offer, state: NimmState) -> Pick:
        return self._loco(
            action.loco, self._("Put {loco} up for auction", loco=self._named(action))
        )

    @of.register
    def _buy(self, action: Buy, state: NimmState) -> Pick:
        return self._loco(action.loco, self._("Buy {loco}", loco=self._named(action)))

    @of.register
    def _keep(self, action: Keep, state: NimmState) -> Pick:
        return self._loco(action.loco, self._("Keep {loco}", loco=self._named(action)))

    @of.register
    def _turn_down(self, action: TurnDown, state: NimmState) -> Pick:
        return self._loco(action.loco, self._("Turn {loco} down", loco=self._named(action)))

    def _named(self, action: Offer | Buy | Keep | TurnDown) -> str:
        return self.names.loco(action.loco)

    def _loco(self, loco: str, label: str) -> Pick:
        return Pick(self._("Auction"), (f"loco:{loco}",), label)

    @of.register
    def _bid(self, action: Bid, state: NimmState) -> Pick:
        secret = bool(state.agenda) and isinstance(state.agenda[-1], SecretBids)
        label = self._("Bid secretly") if secret else self._("Bid")
        return Pick(self._("Auction"), ("bid",), label)

    @of.register
    def _hold(self, action: Hold, state: NimmState) -> Pick:
        return Pick(self._("Auction"), ("hold",), self._("Let the bid stand"))

    @of.register
    def _favour(self, action: Favour, state: NimmState) -> Pick:
        label = self._("Decide for {name}", name=self.names.name(action.player))
        return Pick(self._("Equal bids"), (f"seat:{action.player}",), label)

    # ---- phase two

    @of.register
    def _pass(self, action: Pass, state: NimmState) -> Pick:
        if state.agenda and isinstance(state.agenda[-1], Turn):
            return Pick(self._("Pass"), ("pass",), self._("Take no card"))
        return Pick(self._("Auction"), ("pass",), self._("Pass"))

    @of.register
    def _take(self, action: Take, state: NimmState) -> Pick:
        seat, card, train = action.seat, action.card, action.train
        group, name = self._("Take a card"), self.names.card(card)
        if not train:
            return Pick(group, (f"card:{card}",), self._("Take {card}", card=name))
        loco = state.trains[seat][train - 1].loco
        label = self._("{card} for {train}", card=name, train=self.names.train(train, loco))
        return Pick(group, (f"card:{card}", f"train:{seat}:{train}"), label)

    @of.register
    def _replace(self, action: Replace, state: NimmState) -> Pick:
        label = self._("Replace {list}", list=self.names.card_list(action.cards))
        keys = tuple(f"card:{card}" for card in action.cards)
        return Pick(self._("Replace cards"), keys, label, several=True)

    @of.register
    def _target(self, action: UseTarget, state: NimmState) -> Pick:
        label = self._("Hand in: {target}", target=self.names.target(action.tile))
        return Pick(self._("Target tiles"), (f"target:{action.tile}",), label)

    @of.register
    def _ready(self, action: Ready, state: NimmState) -> Pick:
        return Pick(self._("Target tiles"), ("ready",), self._("Hand in none"))
