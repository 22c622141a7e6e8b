"""Where everything is on the page, for one position."""

from __future__ import annotations

from functools import lru_cache

from kursbuch.core.words import Words
from kursbuch.games.rocket import looks
from kursbuch.games.rocket.components import Board
from kursbuch.games.rocket.state import RocketState

SIZE = 30.0
#: Between the land and the edge of the drawing: sea, and the letters and numbers of the hexes.
MARGIN = 18.0


class Sheet:
    """Where the hexes of a board are on the page."""

    def __init__(self, board: Board) -> None:
        self.board = board
        # Doubled columns grow by half a hex's width, rows by one and a half times its size.
        raw = [place.centre(SIZE) for place in board.places]
        left = min(x for x, _ in raw) - SIZE - MARGIN
        top = min(y for _, y in raw) - SIZE - MARGIN
        self.centres = [(x - left, y - top) for x, y in raw]
        self.width = max(x for x, _ in self.centres) + SIZE + MARGIN
        self.height = max(y for _, y in self.centres) + SIZE + MARGIN


@lru_cache(maxsize=8)
def sheet_of(board: Board) -> Sheet:
    """The sheet of a board, the same for all its positions."""
    return Sheet(board)


class Page:
    """One drawing in the making: the position and where things are on the page."""

    def __init__(self, state: RocketState, board: Board, words: Words) -> None:
        self.state = state
        self.board = board
        self.words = words
        self.sheet = sheet_of(board)
        self.centres = self.sheet.centres
        self.width, self.height = self.sheet.width, self.sheet.height

    def colours(self, line: int) -> tuple[str, str]:
        """The fill and text colour of a line."""
        return looks.LINES.get(self.board.lines[line].colour, looks.OTHER_LINE)
