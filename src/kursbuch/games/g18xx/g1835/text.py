"""Sentences of 1835: log lines, prompts, choices, holdings."""

from __future__ import annotations

from msgspec.structs import replace

from kursbuch.core.state import Decision
from kursbuch.core.voice import Card, Row
from kursbuch.games.g18xx.components import PACKET
from kursbuch.games.g18xx.g1835 import start_packet
from kursbuch.games.g18xx.g1835.components import Components1835
from kursbuch.games.g18xx.g1835.ruleset import PRUSSIA, Ruleset1835
from kursbuch.games.g18xx.g1835.state import ExchangeOffer, PacketTurn, PrussiaOffer, State1835
from kursbuch.games.g18xx.text.voice import Texts


class Texts1835(Texts[State1835, Ruleset1835]):
    """All sentences about a game of 1835 for one reader."""

    components: Components1835

    # ---- names

    def paper(self, paper: str) -> str:
        found = self.components.packet.get(paper)
        if found is not None and found.company:
            return f"{found.company} {self.certificate(found.certificate)}"
        return super().paper(paper)

    def full_paper(self, paper: str) -> str:
        found = self.components.packet.get(paper)
        if found is not None and found.company:
            return self.paper(paper)
        return super().full_paper(paper)

    def is_paper(self, name: str) -> bool:
        return name in self.components.packet

    def paper_price(self, state: State1835, paper: str) -> int:
        return start_packet.paper_price(self.ruleset, state, self.components.packet[paper])

    def paper_card(self, state: State1835, paper: str) -> Card:
        """With the share that comes with a paper of the start packet [2.4c]."""
        card, entry = super().paper_card(state, paper), self.components.packet.get(paper)
        if entry is None or entry.free is None or not state.ledger.held(entry.item, PACKET):
            return card
        company, certificate = entry.free
        share = f"{self.company(company)} {self.certificate(certificate)}"
        return replace(card, rows=(*card.rows, Row(self._("Comes with"), share)))

    # ---- phases

    def limit_note(self, number: int) -> str:
        note = super().limit_note(number)
        limit = self.components.file.phases[number].train_limit
        if limit.prussia is None:
            return note
        return f"{note}, {PRUSSIA} {limit.prussia}"

    def phase_notes(self, number: int) -> list[str]:
        notes = super().phase_notes(number)
        train = self.components.phases[number].starts_with_train
        if train == "4":
            notes.append(self._("Prussia may open"))
        elif train == "4+4":
            notes.append(self._("Prussia must open"))
        elif train == "5":
            notes.append(
                self._("all minors and privates are exchanged for Prussian shares or close")
            )
        return notes

    # ---- decisions

    def prompt(self, state: State1835, decision: Decision) -> str:
        match state.agenda[-1]:
            case PacketTurn():
                return self._(
                    "Buy one certificate of the start packet, or pass. You have {money}.",
                    money=self.money(self.ruleset.cash(state, decision.seat)),
                )
            case PrussiaOffer():
                return self._("Open the Prussian railway now?")
            case ExchangeOffer():
                return self._("Which of your certificates do you exchange for Prussian shares?")
        return super().prompt(state, decision)

    def task(self, state: State1835, decision: Decision) -> str:
        match state.agenda[-1]:
            case PacketTurn():
                return self._("buy from the start packet")
            case PrussiaOffer():
                return self._("decide on the opening of the Prussian railway")
            case ExchangeOffer():
                return self._("decide on exchanges for Prussian shares")
        return super().task(state, decision)
