"""Corrections of 1835: the start packet and papers to be exchanged for Prussian shares reserve
certificates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from kursbuch.core.errors import IllegalAction
from kursbuch.games.g18xx import corrections as family
from kursbuch.games.g18xx.components import BOX, EXCHANGE_SHARES, PACKET, paper_item, share_item
from kursbuch.games.g18xx.corrections import Values
from kursbuch.games.g18xx.g1835.ruleset import PRUSSIA, Ruleset1835

State = Any


def promised(ruleset: Ruleset1835, state: State, place: str) -> Counter[str]:
    """Reserved certificates, as ledger items, in a place: those that come with papers of the start
    packet, and those that papers in the game are exchanged for."""
    items = state.ledger.items
    if place == PACKET:
        return Counter(
            share_item(*paper.free)
            for paper in ruleset.components.packet.values()
            if paper.free and items[paper.item].get(PACKET)
        )
    if place == EXCHANGE_SHARES:
        return Counter(
            share_item(PRUSSIA, certificate)
            for paper, certificate in ruleset.exchanges.items()
            if not items[paper_item(paper)].get(BOX)
        )
    return Counter()


class Certificates1835(family.Certificates):
    """Transfers of shares, except those reserved for holders of papers."""

    ruleset: Ruleset1835

    def has(self, state: State, chosen: Values, value: str) -> int:
        found = super().has(state, chosen, value)
        return found - promised(self.ruleset, state, value)[self.item(chosen)]


class Papers1835(family.Papers):
    """Transfers of papers; they return to the game only with the certificate that belongs to
    them."""

    ruleset: Ruleset1835

    def forbids(self, state: State, values: Values) -> IllegalAction | None:
        items, paper, target = state.ledger.items, values["paper"], values["target"]
        needed: list[tuple[str, str]] = []
        free = self.ruleset.components.packet[paper].free
        if target == PACKET and free:
            needed.append((PACKET, share_item(*free)))
        if values["source"] == BOX and paper in self.ruleset.exchanges:
            needed.append((EXCHANGE_SHARES, share_item(PRUSSIA, self.ruleset.exchanges[paper])))
        for place, item in needed:
            if items[item].get(place, 0) <= promised(self.ruleset, state, place)[item]:
                return IllegalAction("", "First the certificate that belongs to it has to go back.")
        return super().forbids(state, values)


_OTHERS: Mapping[type[family.RulesetCorrection], type[family.RulesetCorrection]] = {
    family.Certificates: Certificates1835,
    family.Papers: Papers1835,
}

#: Kinds of the family, as adapted to 1835.
KINDS = tuple(_OTHERS.get(kind, kind) for kind in family.KINDS)
