"""What cards, trains and tiles are called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kursbuch.core.words import Words
from kursbuch.games.nimm.components import (
    CURRENCY,
    DRIVE_NAMES,
    KIND_NAMES,
    LOADED,
    SPECIAL_NAMES,
    Cards,
)


class Names:
    """The names in the language of one reader, and the parts of sentences made of them."""

    def __init__(self, cards: Cards, words: Words) -> None:
        self.cards = cards
        self.words = words
        self._ = words._
        self.ngettext = words.ngettext
        self.number = words.number
        self.name = words.name

    def money(self, amount: int) -> str:
        """An amount of money."""
        return self.words.money(amount, CURRENCY)

    # ---- cards of the wagon deck

    def card(self, card: str) -> str:
        """A card of the wagon deck, such as "Coal $200"."""
        wagon = self.cards.wagons.get(card)
        if wagon is None:
            return self._(SPECIAL_NAMES[card]) if card in SPECIAL_NAMES else card
        return self._(
            "{kind} {value}", kind=self._(KIND_NAMES[wagon.kind]), value=self.money(wagon.value)
        )

    def card_list(self, cards: Sequence[str]) -> str:
        """A list of cards in words."""
        return self.words.join([self.card(card) for card in cards])

    # ---- locomotives

    def facts(self, loco: str) -> str:
        """What stands on a locomotive card."""
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

    def loco_list(self, locos: Sequence[str]) -> str:
        """A list of locomotives in words."""
        return self.words.join([self.loco(loco) for loco in locos])

    def power(self, loco: str) -> str:
        """The power of a locomotive as a price."""
        return self.money(self.cards.locomotive[loco].power)

    def train(self, train: int, loco: str) -> str:
        """A player's train with its number and locomotive."""
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
        """The condition of a target tile, whoever holds it."""
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
