"""How games of 1835 go on in imagined ones: track as in games played before, the rest quickly judged."""

from __future__ import annotations

import random
from collections.abc import Sequence

from kursbuch.core.actions import Action
from kursbuch.games.g18xx.g1835.book import Book1835
from kursbuch.games.g18xx.g1835.state import State1835
from kursbuch.games.g18xx.g1835.turns import gains
from kursbuch.games.g18xx.prospects import Prospects
from kursbuch.games.g18xx.scripted import Scripted, tracks


class Imagined1835(Scripted[State1835]):
    """A course on scripted track."""

    def __init__(self, book: Book1835, prospects: Prospects, rng: random.Random) -> None:
        super().__init__(book, tracks(__package__), rng)
        self.prospects = prospects

    def appraise(self, state: State1835, seat: int, actions: Sequence[Action]) -> Sequence[float]:
        """Purchases and sales by themselves: to judge whole turns takes as long as all the rest."""
        return gains(self.book, self.prospects, state, seat, actions, whole=False)
