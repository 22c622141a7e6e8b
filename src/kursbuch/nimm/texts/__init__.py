"""The sentences of Nimm den Zug."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.actions import Action
from kursbuch.core.events import Event
from kursbuch.core.state import Decision
from kursbuch.core.voice import Panel, Pick, Voice
from kursbuch.core.words import Words
from kursbuch.nimm.components import CURRENCY, Cards
from kursbuch.nimm.state import NimmState
from kursbuch.nimm.texts.log import Log
from kursbuch.nimm.texts.names import Names
from kursbuch.nimm.texts.panels import Panels
from kursbuch.nimm.texts.picks import Picks
from kursbuch.nimm.texts.prompts import Prompts


class NimmVoice(Voice[NimmState]):
    """What is said about Nimm den Zug to one reader."""

    currency = CURRENCY

    def __init__(self, cards: Cards, words: Words) -> None:
        super().__init__(words)
        names = Names(cards, words)
        self._log = Log(names)
        self._prompts = Prompts(names)
        self._picks = Picks(names)
        self._panels = Panels(names)

    def describe(self, event: Event) -> str:
        return self._log.line(event)

    def prompt(self, state: NimmState, decision: Decision) -> str:
        return self._prompts.of(state.agenda[-1], state, decision.seat)

    def pick(self, state: NimmState, action: Action) -> Pick:
        return self._picks.of(action, state)

    def panels(self, state: NimmState) -> list[Panel]:
        """What every player holds as far as it may be known, and the table."""
        found = [self._panels.player(state, seat) for seat in range(state.seats)]
        return [*found, self._panels.table(state)]

    def amount_label(self, action: Action) -> str:
        """The only amounts are bids."""
        return self._("Your bid in {sign}", sign=self.currency)

    def others_asked(self, names: Sequence[str]) -> str:
        """In an open auction (`Nimm.standing_refusal`)."""
        return self.ngettext(
            "{names} may raise.", "{names} may raise.", len(names), names=self.words.join(names)
        )

    def subject(self, subject: str) -> str:
        loco, _, number = subject.partition("/")
        return self._("{loco} in round {number}", loco=loco, number=number)
