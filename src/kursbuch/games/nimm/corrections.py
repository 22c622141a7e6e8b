"""Corrections of Nimm den Zug: money, and in phase two wagons, open cards, locomotives and turns. Target tiles are
secret and cannot be corrected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kursbuch.core.corrections import VALUE_WORDS, Field, Kind, Money, TurnOf, player, seat_of
from kursbuch.core.errors import IllegalAction
from kursbuch.core.words import N_
from kursbuch.games.nimm.actions import CARD_WORDS
from kursbuch.games.nimm.components import Cards
from kursbuch.games.nimm.hidden_information import committed
from kursbuch.games.nimm.holdings import NimmPlay, knows_money, limit
from kursbuch.games.nimm.state import (
    ChooseCard,
    Closing,
    FirstBid,
    NimmState,
    OpenAuction,
    SecretBids,
    SpecialTaken,
    Train,
    Turn,
    TurnAuction,
    card_item,
    loco_item,
    owner,
)

_CARD = Field("card", N_("Card"), "card")


class CardCorrection(Kind[NimmState]):
    """A correction that uses the cards."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards


class Sums(CardCorrection, Money[NimmState]):
    """Transfer money; the bank is unlimited. Players keep at least what they have bid."""

    places = unlimited = ("bank",)

    def private(self, state: NimmState, holder: str) -> bool:
        return holder != "bank"

    def hidden(self, state: NimmState, holder: str) -> bool:
        return holder != "bank" and not knows_money(state, int(holder))

    def has(self, state: NimmState, chosen: Mapping[str, str], value: str) -> int:
        found = super().has(state, chosen, value)
        seat = seat_of(value)
        return found if seat is None else found - committed(state, self.cards, seat)

    def forbids(self, state: NimmState, values: Mapping[str, str]) -> IllegalAction | None:
        if int(values["count"]) % self.cards.step:
            return IllegalAction(
                "", "Money comes in notes of {step} or more.", step=self.cards.step
            )
        return super().forbids(state, values)


class Wagons(CardCorrection):
    """Move a wagon card from the display or a train to another train or the discard pile."""

    name = "wagon"
    label = N_("Wagon card")
    form = N_("wagon {card} from {source} to {target}")
    sentence = N_("{card} from {source} to {target}")
    fields = (_CARD, Field("source", N_("From"), "train"), Field("target", N_("To"), "train"))
    words = (*VALUE_WORDS, *CARD_WORDS)

    def trains(self, state: NimmState) -> Iterator[tuple[str, int, Train]]:
        """All trains as field values, with their owners."""
        for seat, trains in enumerate(state.trains):
            for number, train in enumerate(trains, 1):
                yield f"{player(seat)} train {number}", seat, train

    def candidates(self, state: NimmState, field: str, chosen: Mapping[str, str]) -> Sequence[str]:
        if field == "card":
            return list(self.cards.wagons)
        card = chosen["card"]
        if field == "source":
            # Only the last wagon can be uncoupled, since a double wagon copies the one before it.
            last = [name for name, _, train in self.trains(state) if train.wagons[-1:] == [card]]
            open_ = ["display"] if card in state.display else []
            discard = ["discard"] if state.ledger.held(card_item(card), "discard") else []
            return [*open_, *last, *discard]
        most = limit(state, self.cards) - 1
        room = [name for name, _, train in self.trains(state) if len(train.wagons) < most]
        found = ["discard", *room]
        if len(state.display) < self.cards.display(state.seats):
            found.append("display")
        return [value for value in found if value != chosen["source"]]

    def forbids(self, state: NimmState, values: Mapping[str, str]) -> IllegalAction | None:
        card = values["card"]
        for name, seat, train in self.trains(state):
            if name != values["target"]:
                continue
            own = [each for _, other, each in self.trains(state) if other == seat]
            kinds = {self._kind(each): each for each in own if each.wagons}
            wanted = self.cards.wagons[card].kind
            fits = kinds[wanted] is train if wanted in kinds else not train.wagons
            if not fits and not self._moves_within(state, values, seat, wanted):
                return IllegalAction(
                    "", "Each of a player's trains pulls a different kind of wagon."
                )
        return None

    def _kind(self, train: Train) -> str:
        return self.cards.wagons[train.wagons[0]].kind

    def _moves_within(
        self, state: NimmState, values: Mapping[str, str], seat: int, wanted: str
    ) -> bool:
        """Whether the only wagon of a train moves to an empty train of the same player."""
        trains = {name: (other, train) for name, other, train in self.trains(state)}
        source = trains.get(values["source"])
        return (
            source is not None
            and source[0] == seat
            and len(source[1].wagons) == 1
            and not trains[values["target"]][1].wagons
        )

    def perform(self, play: NimmPlay, values: Mapping[str, str]) -> None:
        state, card = play.state, values["card"]
        trains = {name: (owner(seat), train) for name, seat, train in self.trains(state)}
        if values["source"] in trains:
            source, train = trains[values["source"]]
            train.wagons.pop()
        else:
            source = values["source"]
            if source == "display":
                state.display.remove(card)
        if values["target"] in trains:
            target, train = trains[values["target"]]
            train.wagons.append(card)
        else:
            target = values["target"]
            if target == "display":
                state.display.append(card)
        state.ledger.move(card_item(card), source, target)


class Locomotives(CardCorrection):
    """Swap two locomotives: of two players, or of a player and the deck."""

    name = "locomotive"
    label = N_("Locomotive")
    form = N_("locomotive {loco} for {other}")
    sentence = N_("{loco} and {other} change places")
    fields = (
        Field("loco", N_("Locomotive in front of a player"), "loco"),
        Field("other", N_("The other locomotive"), "loco"),
    )

    def candidates(self, state: NimmState, field: str, chosen: Mapping[str, str]) -> Sequence[str]:
        mine = [train.loco for trains in state.trains for train in trains if train.loco]
        if field == "loco":
            return mine
        unseen = [
            loco.id
            for loco in self.cards.locomotives
            if state.ledger.held(loco_item(loco.id), "unseen")
        ]
        return [loco for loco in (*mine, *unseen) if loco != chosen["loco"]]

    def perform(self, play: NimmPlay, values: Mapping[str, str]) -> None:
        state = play.state
        one, other = values["loco"], values["other"]
        place = {loco: next(iter(state.ledger.items[loco_item(loco)])) for loco in (one, other)}
        if place[one] != place[other]:
            state.ledger.move(loco_item(one), place[one], place[other])
            state.ledger.move(loco_item(other), place[other], place[one])
        for trains in state.trains:
            for train in trains:
                if train.loco in (one, other):
                    train.loco = other if train.loco == one else one


class TurnAt(CardCorrection, TurnOf[NimmState]):
    """Start a player's turn of phase two."""

    def perform(self, play: NimmPlay, values: Mapping[str, str]) -> None:
        # Earlier passes no longer count as consecutive [pass-2].
        play.state.passes, play.state.special = 0, None
        super().perform(play, values)

    def turn(self, seat: int, values: Mapping[str, str]) -> Turn:
        return Turn(seat, False)


KINDS: tuple[type[CardCorrection], ...] = (Sums, Wagons, Locomotives, TurnAt)

#: Steps in which all bids are open, so that no player can be left with less money than a bid.
_OPEN = (ChooseCard, FirstBid, TurnAuction, OpenAuction, Turn, SpecialTaken, Closing)


def uncorrectable(state: NimmState, kind: str) -> IllegalAction | None:
    """Money can be corrected unless secret bids are pending, everything else in phase two."""
    step = state.agenda[-1]
    if isinstance(step, Turn) or (kind == Sums.name and isinstance(step, _OPEN)):
        return None
    if kind == TurnAt.name and isinstance(step, SpecialTaken | Closing):
        return None
    if kind == Sums.name:
        if isinstance(step, SecretBids):
            return IllegalAction("", "Money cannot be corrected while bids are made in secret.")
        # Affordability has been settled already.
        return IllegalAction("", "Money can be corrected again once this auction is settled.")
    return IllegalAction(
        "", ("Wagons, locomotives and whose turn it is can be corrected during turns in phase two.")
    )
