"""The sentences of Nimm den Zug."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.actions import Action, Choice, raised
from kursbuch.core.corrections import Field, seat_of
from kursbuch.core.events import Event, Payment
from kursbuch.core.state import Decision
from kursbuch.core.voice import (
    Amounts,
    Card,
    Ending,
    Panel,
    Pick,
    Row,
    Sheet,
    Stretch,
    Summary,
    Voice,
)
from kursbuch.core.words import Words
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.actions import Bid, Pass, Take
from kursbuch.games.nimm.components import CURRENCY, Cards
from kursbuch.games.nimm.corrections import KINDS
from kursbuch.games.nimm.premoves import AUCTION
from kursbuch.games.nimm.state import ChooseCard, FirstBid, NimmState, SecretBids, TurnAuction
from kursbuch.games.nimm.state import Turn as PhaseTurn
from kursbuch.games.nimm.text.choices import Prompts
from kursbuch.games.nimm.text.log import Statistics
from kursbuch.games.nimm.text.names import Names
from kursbuch.games.nimm.text.panels import Cards as About
from kursbuch.games.nimm.text.panels import Panels, Summaries

#: Events that say no more than the choice itself.
_THEMSELVES = (
    happened.BidMade,
    happened.BidSealed,
    happened.BidPassed,
    happened.BidHeld,
    happened.LocoKept,
    happened.SaidReady,
    happened.TurnPassed,
)


class NimmVoice(Voice[NimmState]):
    """What is said about Nimm den Zug to one reader."""

    currency = CURRENCY
    corrections = KINDS

    def __init__(self, cards: Cards, words: Words) -> None:
        super().__init__(words)
        names = Names(cards, words)
        self._prompts = Prompts(names)
        self._panels = Panels(names)
        self._about = About(names)
        self._names = names
        self._summaries = Summaries(names)
        self._sums = Statistics(names)

    def trigger(self, name: str) -> str:
        if name == AUCTION:
            return self._("another locomotive is auctioned")
        return self._("the round is over")

    @property
    def speaker(self) -> Names:
        return self._names

    def spoken(self, field: Field, value: str) -> str:
        if field.of == "card":
            return self._names.card(value)
        if field.of == "train":
            who, _, number = value.partition(" train ")
            seat = seat_of(who)
            if seat is not None:
                return self._("train {number} of {name}", number=number, name=self.name(seat))
            return self._("the display") if value == "display" else self._("the discard pile")
        return super().spoken(field, value)

    def prompt(self, state: NimmState, decision: Decision) -> str:
        return self._prompts.of(state.agenda[-1], state, decision.seat)

    def pick(self, state: NimmState, action: Action) -> Pick:
        names, step = self._names, state.agenda[-1] if state.agenda else None
        match action:
            case Bid():
                secret = isinstance(step, SecretBids)
                label = self._("Bid secretly") if secret else self._("Bid")
                return Pick(self._("Auction"), ("bid",), label)
            case Pass() if isinstance(step, PhaseTurn):
                return Pick(self._("Pass"), ("pass",), self._("Take no card"))
            case Take(seat, card, train):
                group, name = self._("Take a card"), names.card(card)
                if not train:
                    return Pick(group, (f"card:{card}",), self._("Take {card}", card=name))
                loco = state.trains[seat][train - 1].loco
                label = self._("{card} for {train}", card=name, train=names.train(train, loco))
                return Pick(group, (f"card:{card}", f"train:{seat}:{train}"), label)
        return super().pick(state, action)

    def card(self, state: NimmState, key: str) -> Card | None:
        """What an element of the table is."""
        return self._about.of(state, key)

    def outcome(self, events: Sequence[Event]) -> list[str]:
        """What an action leads to, without the action itself."""
        return [self.describe(event) for event in events if not isinstance(event, _THEMSELVES)]

    def panels(self, state: NimmState) -> list[Panel]:
        """What every player holds as far as it may be known, and the table."""
        found = [self._panels.player(state, seat) for seat in range(state.seats)]
        return [*found, self._panels.table(state)]

    def summaries(self, state: NimmState) -> list[Summary]:
        """A card for each player."""
        return [self._summaries.player(state, seat) for seat in range(state.seats)]

    def amount_label(self, action: Action) -> str:
        """The only amounts are bids."""
        return self._("Your bid in {sign}", sign=self.currency)

    def board_text(self, state: NimmState) -> list[Panel]:
        """The open cards and locomotives."""
        names = self._names
        rows = [Row(self._("Locomotive"), names.loco(loco), f"loco:{loco}") for loco in state.offer]
        rows += [Row(self._("Card"), names.card(card), f"card:{card}") for card in state.display]
        return [Panel(self._("Open on the table"), None, tuple(rows))] if rows else []

    def task(self, state: NimmState, decision: Decision) -> str:
        match state.agenda[-1]:
            case ChooseCard():
                return self._("choose the locomotive that is auctioned")
            case FirstBid(loco=loco) | TurnAuction(loco=loco):
                return self._("bid for {loco}", loco=loco)
            case SecretBids():
                return self._("bid in secret")
            case PhaseTurn():
                return self._("take a card")
        return ""

    def amounts(self, state: NimmState, choice: Choice) -> Amounts:
        """The least bid and some steps more. An open bid is made with one tap; a secret one is thought
        over."""
        if choice.amount is None:
            return Amounts()
        send = self._("Bid {amount}")
        open_ = not isinstance(state.agenda[-1], SecretBids)
        return Amounts(send, self.some_money(), tuple(raised(choice.amount)), at_once=open_)

    def others_asked(self, names: Sequence[str]) -> str:
        """In an open auction (`Nimm.standing_refusal`)."""
        return self.ngettext(
            "{names} may raise.", "{names} may raise.", len(names), names=self.words.join(names)
        )

    def subject(self, subject: str) -> str:
        loco, _, number = subject.partition("/")
        return self._("{loco} in round {number}", loco=loco, number=number)

    # ---- numbers over time, and the end

    def source(self, event: Payment) -> str:
        return self._sums.source(event)

    def stretch(self, events: Sequence[Event]) -> str:
        return self._sums.stretch(events)

    def figures(self, stretches: Sequence[Stretch]) -> list[Sheet]:
        return self._sums.figures(stretches)

    def highlights(self, events: Sequence[Event]) -> list[Row]:
        return self._sums.highlights(events)

    def ending(self, state: NimmState, events: Sequence[Event]) -> Ending | None:
        return self._sums.ending(events)

    def near_end(self, state: NimmState) -> str:
        return self._sums.near_end(state)
