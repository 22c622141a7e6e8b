"""What things are called in 1853."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kursbuch.games.g18xx.components import PERCENT
from kursbuch.games.g18xx.g1853.builder import OPEN_LAND, TWO_TILES
from kursbuch.games.g18xx.g1853.components import Components1853
from kursbuch.games.g18xx.g1853.depot import METRE_FOR_ALL
from kursbuch.games.g18xx.g1853.lookup import CARD, SIDE
from kursbuch.games.g18xx.g1853.ruleset import POLICY, Ruleset1853
from kursbuch.games.g18xx.g1853.state import HIDDEN, State1853
from kursbuch.games.g18xx.text.names import Names

#: What the book calls otherwise than the sentences of the family.
TERMS = {
    "de": {
        "Operationsrunde": "Betriebsrunde",
        "einsparen": "einbehalten",
        "eingespart": "einbehalten",
        "Direktoraktie": "Direktorenaktie",
        "Kleinstadt": "Kleine Stadt",
    }
}


class Names1853(Names[Ruleset1853]):
    """The names for one reader."""

    currency = POLICY.currency
    components: Components1853

    # ---- shares

    def certificate(self, name: str) -> str:
        return self.certificates((name,))

    def certificates(self, names: Iterable[str]) -> str:
        """Players hold shares of 10 percent: they are counted."""
        return self.shares(sum(PERCENT[name] for name in names) // 10)

    def shares(self, count: int) -> str:
        """A number of shares."""
        if count == 1:
            return self._("a share")
        return self.words.ngettext("{n} share", "{n} shares", count)

    def shares_of(self, count: int, company: str) -> str:
        """A number of shares of a company."""
        return self.words.ngettext(
            "{n} share of {company}", "{n} shares of {company}", count, company=company
        )

    def priority(self) -> str:
        return self._("Elephant")

    # ---- trains

    def train(self, name: str) -> str:
        if name in self.ruleset.depot.metre_trains:
            return self._("{metre}-train", metre=name)
        return super().train(name)

    def left(self, state: Any, train: str) -> str:
        """A 1M is the other side of a card that is counted as a 2."""
        if train in (CARD, SIDE) and self.ruleset.depot.endless(state):
            return self._("any number")
        return super().left(state, CARD if train == SIDE else train)

    # ---- contracts

    def known(self, state: State1853, seat: int) -> list[tuple[str, str]]:
        """The cities of a contract that the reader of a view may know, each with the company whose share
        was taken for it."""
        contract = state.contracts[seat]
        pairs = zip(contract.cities, contract.companies, strict=True)
        return [(city, company) for city, company in pairs if city != HIDDEN]

    def open(self, state: State1853, seat: int) -> bool:
        """Whether the reader of a view may know all cities of a contract."""
        return HIDDEN not in state.contracts[seat].cities

    # ---- phases

    def phase_notes(self, number: int) -> list[str]:
        phases = self.components.phases
        notes = super().phase_notes(number)
        now, before = phases[number].number, phases[number - 1].number if number else 0
        if before < TWO_TILES <= now:
            notes.append(self._("all large companies may lay two tiles"))
        if before < METRE_FOR_ALL <= now:
            notes.append(self._("metre-gauge trains for large companies, too"))
        if before < OPEN_LAND <= now:
            notes.append(self._("a 5-train or 6-train opens the land outside the own territory"))
        return notes
