"""What can be fixed ahead of time in 1835 beside what all 18xx titles know: papers of the start packet."""

from __future__ import annotations

from typing import Any

from kursbuch.core.actions import Action
from kursbuch.games.g18xx.actions import BuyPaper
from kursbuch.games.g18xx.ahead import EighteenAhead
from kursbuch.games.g18xx.g1835.book import Book1835
from kursbuch.games.g18xx.g1835.packet import paper_price


class Ahead1835(EighteenAhead):
    """Papers have a price, too."""

    book: Book1835

    def terms(self, state: Any, action: Action) -> str:
        if isinstance(action, BuyPaper):
            paper = self.book.components.packet.get(action.paper)
            return "" if paper is None else str(paper_price(self.book, state, paper))
        return super().terms(state, action)
