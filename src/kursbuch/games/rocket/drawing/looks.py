"""Page layout, colours and named looks, which are attributes of SVG elements."""

from __future__ import annotations

from functools import lru_cache

from kursbuch.core.words import Words
from kursbuch.games.rocket.components import Board
from kursbuch.games.rocket.state import RocketState
from kursbuch.hexmap.svg import Look

INK = "#1d1a16"
WHITE = "#ffffff"
LAND_FILL = "#eef0d8"
OUTLINE: Look = {"stroke": INK, "stroke_width": 1.5, "stroke_linejoin": "round"}
DASHED: Look = {"fill": "none", "stroke_dasharray": "5 4"}
BOLD: Look = {"font_weight": "bold"}

#: Lettering that stays readable on whatever it crosses.
HALO: Look = BOLD | {
    "fill": INK,
    "stroke": LAND_FILL,
    "stroke_width": 3.2,
    "stroke_linejoin": "round",
    "paint_order": "stroke",
}
LETTERS: Look = {"font_size": 10.8}
SEA: Look = {"class_": "sea", "fill": "#a9cfe0"}
_BAND: Look = {"fill": "none", "stroke_linejoin": "round"}
DEEP: Look = _BAND | {"class_": "shallows outer", "stroke": "#b9dae7", "stroke_width": 26}
SHALLOWS: Look = _BAND | {"class_": "shallows", "stroke": "#d0e8ef", "stroke_width": 13}
COAST: Look = _BAND | {"class_": "coast", "stroke": "#7c7350", "stroke_width": 4}
LAND: Look = {"class_": "land", "fill": LAND_FILL, "stroke": "#d3cba6", "stroke_width": 1}
HILL: Look = {
    "class_": "hill",
    "fill": "none",
    "stroke": "#b3aa7c",
    "stroke_width": 2,
    "stroke_linecap": "round",
}
COORDINATE: Look = {"class_": "coord", "font_size": 10.8, "fill": "#2f4a56"}
RAILWAY_TOWN: Look = {
    "class_": "town railway",
    "fill": WHITE,
    "stroke": INK,
    "stroke_width": 3,
}
TOWN_NAME: Look = {"class_": "town-name halo", "font_size": 10.8} | HALO
TOKEN: Look = {"class_": "token", "fill": INK, "stroke": INK, "stroke_width": 1.1}
TAKEN_TOKEN: Look = TOKEN | {"class_": "token taken", "fill": "none"}
TRACK: Look = {"fill": "none", "stroke_linecap": "round", "stroke_width": 7}
CASING: Look = TRACK | {"class_": "casing", "stroke": INK, "stroke_width": 10.5}
PLATE: Look = {"rx": 4, "stroke": WHITE, "stroke_width": 1.4}
WHEEL: Look = {"class_": "wheel", "fill": "#f2eee2", "stroke": INK, "stroke_width": 2}
ISOLATED: Look = {"stroke_dasharray": "3 2"}
GHOST: Look = {"class_": "ghost", "stroke_width": 4} | DASHED
MARK: Look = {"class_": "mark", "stroke": "#b3202c", "stroke_width": 2.5} | DASHED

#: Fill and text colour for the colours of the lines.
LINES = {
    "red": ("#c8372d", WHITE),
    "blue": ("#2467b3", WHITE),
    "black": ("#26262b", WHITE),
    "violet": ("#7c3f98", WHITE),
    "green": ("#2a7d46", WHITE),
    "orange": ("#e07b1a", INK),
    "yellow": ("#efc71e", INK),
}
OTHER_LINE = ("#6d6a63", WHITE)
INDUSTRIES = {
    "steel": ("#5d7284", WHITE),
    "textile": ("#dc9fca", INK),
    "beer": ("#e3ae3a", INK),
    "leather": ("#85552c", WHITE),
}
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
        return LINES.get(self.board.lines[line].colour, OTHER_LINE)
