"""Names of cards, trains and tiles."""

from __future__ import annotations

from typing import Any

from kursbuch.core.voice import Speech
from kursbuch.core.words import Words
from kursbuch.games.nimm.components import (
    CURRENCY,
    DRIVE_NAMES,
    KIND_NAMES,
    LOADED,
    SPECIAL_NAMES,
    Cards,
)


class Names(Speech):
    """Names in the reader's language, and sentence parts made of them."""

    currency = CURRENCY

    def __init__(self, cards: Cards, words: Words) -> None:
        super().__init__(words)
        self.cards = cards

    # ---- players in the log

    def bid(self, seat: int, amount: int) -> str:
        """A revealed bid."""
        return f"{self.name(seat)} {self.money(amount)}"

    def bid_or_hold(self, seat: int, amount: int) -> str:
        """A revealed raise; 0 lets the bid stand."""
        return self.bid(seat, amount) if amount else self._("{name} holds", name=self.name(seat))

    def place(self, seat: int, power: int) -> str:
        """A player in the order of phase two."""
        return self._("{name} (power {power})", name=self.name(seat), power=self.number(power))

    def final_sum(self, seat: int, money: int, used: int) -> str:
        """A player's final money and tiles used."""
        return self.ngettext(
            "{name} {amount} ({n} target tile)",
            "{name} {amount} ({n} target tiles)",
            used,
            name=self.name(seat),
            amount=self.money(money),
        )

    # ---- cards of the wagon deck

    def card(self, card: str) -> str:
        """A card of the wagon deck, such as "Coal $200"."""
        wagon = self.cards.wagons.get(card)
        if wagon is None:
            return self._(SPECIAL_NAMES[card]) if card in SPECIAL_NAMES else card
        return self._(
            "{kind} {value}", kind=self._(KIND_NAMES[wagon.kind]), value=self.money(wagon.value)
        )

    def wagon(self, card: str, kind: str, value: int) -> str:
        """A card being coupled; a double wagon with what it copies."""
        if card in self.cards.wagons:
            return self.card(card)
        return self._(
            "the double wagon as {kind} {value}",
            kind=self._(KIND_NAMES[kind]),
            value=self.money(value),
        )

    # ---- locomotives

    def facts(self, loco: str) -> str:
        """The values on a locomotive card."""
        card = self.cards.locomotive[loco]
        return self._(
            "{drive}, power {power}, {speed} km/h, ×{multiplier}",
            drive=self._(DRIVE_NAMES[card.drive]),
            power=card.power,
            speed=card.speed,
            multiplier=card.multiplier,
        )

    def loco(self, loco: str) -> str:
        """A locomotive with its multiplier."""
        return f"{loco} (×{self.cards.locomotive[loco].multiplier})"

    def power(self, loco: str) -> str:
        """A locomotive's power as a price."""
        return self.money(self.cards.locomotive[loco].power)

    def train(self, train: int, loco: str) -> str:
        """A player's train with number and locomotive."""
        if not loco:
            return self._("train {number} (spare locomotive)", number=train)
        return self._("train {number} ({loco})", number=train, loco=loco)

    # ---- target tiles

    def target(self, tile: str) -> str:
        """A target tile with its bonus."""
        return self._(
            "{condition}: {bonus}",
            condition=self.condition(tile),
            bonus=self.money(self.cards.targets[tile].bonus),
        )

    def condition(self, tile: str) -> str:
        """The condition of a target tile."""
        target = self.cards.targets[tile]
        args: dict[str, Any] = target.args
        count = args.get("count", 0)
        match target.condition:
            case "two_targets":
                return self.ngettext(
                    "{n} other target tile handed in", "{n} other target tiles handed in", count
                )
            case "special_taken":
                return self._(
                    "special card taken ({cards})",
                    cards=self.words.either([self.card(card) for card in args["cards"]]),
                )
            case "wagons_on_each":
                return self.ngettext(
                    "{n} wagon on each of one's locomotives",
                    "{n} wagons on each of one's locomotives",
                    count,
                )
            case "order_first":
                return self._("first in the order of phase two")
            case "order_last":
                return self._("last in the order of phase two")
            case "wagons_total":
                return self.ngettext(
                    "{n} wagon on all of one's locomotives together",
                    "{n} wagons on all of one's locomotives together",
                    count,
                )
            case "wagons_of_kind":
                return self.ngettext(
                    "{n} wagon {loaded} on one locomotive",
                    "{n} wagons {loaded} on one locomotive",
                    count,
                    loaded=self._(LOADED[args["kind"]]),
                )
            case "drives":
                return self._(
                    "locomotives: {list}",
                    list=", ".join(
                        f"{number} × {self._(DRIVE_NAMES[drive])}" for drive, number in args.items()
                    ),
                )
            case "fastest":
                return self._("the fastest of all locomotives")
        return self._("the slowest of all locomotives")
