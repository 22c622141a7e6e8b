"""Where everything is on the page, for one position."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.words import Words
from kursbuch.games.nimm.components import Cards
from kursbuch.games.nimm.drawing import looks
from kursbuch.games.nimm.drawing.looks import BOLD
from kursbuch.games.nimm.state import NimmState
from kursbuch.games.nimm.text.names import Names
from kursbuch.hexmap import svg

WIDTH = 980.0
NARROW = 490.0
MARGIN = 14.0
TOP = 236.0
LANE = 60.0
HEAD = 40.0
LOCO = 88.0
WAGON = 53.0


class Page:
    """The position that is drawn, and where things are on the page."""

    def __init__(self, state: NimmState, cards: Cards, words: Words, marks: Sequence[str]) -> None:
        self.state = state
        self.cards = cards
        self.words = words
        self.names = Names(cards, words)
        self.marks = frozenset(marks)
        # Two players get the whole width, more are side by side.
        self.columns = 1 if state.seats == 2 else 2
        self.column = (WIDTH - (self.columns + 1) * MARGIN) / self.columns
        self.lane = LANE * (1.55 if self.columns == 1 else 1.0)
        self.block = HEAD + 3 * self.lane + 8
        rows = -(-state.seats // self.columns)
        self.height = TOP + rows * (self.block + MARGIN)

    def scale(self, wagons: int) -> float:
        """How much larger than the sizes given here a train with so many wagons is drawn: it fills its
        track, as far as that is high enough."""
        return min((self.column - 94) / (LOCO + wagons * WAGON), self.lane / 54)

    def narrow(self, top: float) -> str:
        """The size of the drawing with the players below each other, beginning there."""
        block = self.block * (NARROW - 2 * MARGIN) / self.column + MARGIN
        return f"0 0 {svg.number(NARROW)} {svg.number(top + self.state.seats * block)}"


def left(x: float, y: float, content: str, /, **values: object) -> str:
    """A text that begins at x."""
    return svg.text(x, y, content, text_anchor="start", **values)


def right(x: float, y: float, content: str, /, **values: object) -> str:
    """A text that ends at x."""
    return svg.text(x, y, content, text_anchor="end", **values)


def sign(x: float, y: float, seat: int, radius: float) -> str:
    """A player's number in his colour."""
    disc = svg.circle(x, y, radius, **svg.seat_fill(seat), **looks.OUTLINE)
    look = svg.seat_ink(seat) | BOLD | {"font_size": 13}
    return disc + svg.text(x, y + 4.7, str(seat + 1), **look)
