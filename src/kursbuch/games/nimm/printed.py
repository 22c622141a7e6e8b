"""Printed values of Nimm den Zug that owners of the game can correct: locomotives, wagons and order tiles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kursbuch.core.components import (
    RECONSTRUCTED,
    Data,
    PrintedChoice,
    PrintedComponent,
    PrintedNumber,
    PrintedValue,
)
from kursbuch.core.errors import require
from kursbuch.core.words import N_, Words
from kursbuch.games.nimm import drawing
from kursbuch.games.nimm.components import DRIVE_NAMES, KIND_NAMES, MOST, MOST_CARDS, Cards

_CARDS = re.compile(r"([0-9]{1,4}) ?[x×*] ?([0-9]{1,7})")


class WagonCards(PrintedValue):
    """The cards of a kind of wagon as numbers and values: "9×50, 7×100"."""

    def read(self, file: Data) -> str:
        pairs = self.record(file)["values"]
        return ", ".join(f"{count}×{value}" for value, count in pairs)

    def write(self, file: Data, text: str) -> None:
        pairs = []
        for word in text.split(","):
            found = _CARDS.fullmatch(word.strip())
            require(
                found is not None,
                "Cards are written as 9×50, 7×100, unlike {text}.",
                text=repr(word.strip()[:20]),
            )
            assert found is not None
            pairs.append([int(found[2]), int(found[1])])
        record = self.record(file)
        record["values"] = pairs


def components(cards: Cards, file: Data, words: Words) -> Iterator[PrintedComponent]:
    """Locomotives, wagons and order tiles."""
    for record in file["locomotives"]:
        yield _locomotive(cards, file, words, record["id"])
    for number, record in enumerate(file["wagons"]):
        kind, path = record["kind"], ("wagons", number)
        values: Sequence[PrintedValue] = [
            WagonCards((*path, "values"), N_("Cards (number × value)")),
            PrintedNumber(
                (*path, "count"), N_("Cards in all"), "count_source", limits=(0, MOST_CARDS, 1)
            ),
        ]
        values_of = [card.value for card in cards.wagons.values() if card.kind == kind]
        yield PrintedComponent(
            f"wagons-{kind}",
            words._(KIND_NAMES[kind]),
            words._("Wagons"),
            values,
            drawing=drawing.draw_wagons(kind, values_of, words),
        )
    for number, record in enumerate(file["order_tiles"]):
        path = ("order_tiles", number)
        limits = (0, MOST, cards.step)
        values = [
            PrintedNumber((*path, "replace_price"), N_("Price to replace cards"), limits=limits)
        ]
        if "replace_price_two_players" in record:
            values.append(
                PrintedNumber(
                    (*path, "replace_price_two_players"), N_("With two players"), limits=limits
                )
            )
        name = words._("Order tile {place}", place=record["place"])
        yield PrintedComponent(f"order-{record['place']}", name, words._("Order tiles"), values)


def _locomotive(cards: Cards, file: Data, words: Words, name: str) -> PrintedComponent:
    path, limits = ("locomotives", name), (1, MOST, 1)
    record = next(one for one in file["locomotives"] if one["id"] == name)
    fixed = record.get("fixed_by_text", ())

    def known(key: str) -> str:
        """The worked examples of the rules tell some values of some cards."""
        return "rulebook" if key in fixed else RECONSTRUCTED

    values: Sequence[PrintedValue] = [
        PrintedChoice((*path, "drive"), N_("Drive"), DRIVE_NAMES, known=known("drive")),
        PrintedNumber(
            (*path, "multiplier"),
            N_("Multiplier"),
            known=known("multiplier"),
            limits=(1, 100, 1),
        ),
        PrintedNumber(
            (*path, "power"),
            N_("Power"),
            known=known("power"),
            limits=(cards.step, MOST, cards.step),
        ),
        PrintedNumber((*path, "speed"), N_("Speed (km/h)"), known=known("speed"), limits=limits),
    ]
    group = words._("Locomotives")
    picture = drawing.draw_locomotive(cards.locomotive[name], words)
    return PrintedComponent(f"loco-{name}", name, group, values, drawing=picture)
