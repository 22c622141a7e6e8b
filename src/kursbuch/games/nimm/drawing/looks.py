"""Page layout, colours and named looks, which are attributes of SVG elements."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.words import Words
from kursbuch.games.nimm.components import Cards
from kursbuch.games.nimm.state import NimmState
from kursbuch.games.nimm.text.names import Names
from kursbuch.hexmap import svg
from kursbuch.hexmap.svg import Look

INK = "#1d1a16"
WHITE = "#ffffff"
PAPER_FILL = "#fbf6e9"
MARKED = "#b3202c"
OUTLINE: Look = {"stroke": INK, "stroke_width": 1.3, "stroke_linejoin": "round"}
THIN: Look = {"stroke": INK, "stroke_width": 0.8}
BOLD: Look = {"font_weight": "bold"}
CLOTH: Look = {"class_": "cloth", "fill": "#d4e0cf"}
TRAY: Look = {"class_": "tray", "rx": 8, "fill": "#e9e2cd"} | OUTLINE
LANE: Look = {"class_": "lane", "rx": 5, "fill": "#f3edda"}
MARKED_LANE: Look = LANE | {"class_": "lane mark", "stroke": MARKED, "stroke_width": 2}
RAIL: Look = {"class_": "rail", "stroke": "#5f594d", "stroke_width": 2.4}
FREE_RAIL: Look = RAIL | {"stroke_dasharray": "10 5"}
SLEEPERS: Look = {
    "class_": "sleeper",
    "stroke": "#b3a689",
    "stroke_width": 5,
    "stroke_dasharray": "4 7",
}
BUFFER: Look = {"class_": "rail", "fill": "none", "stroke": "#5f594d", "stroke_width": 3}
LETTERS: Look = {"class_": "ink", "fill": INK}
SMALL_LETTERS: Look = LETTERS | {"font_size": 11.3}
NOTE: Look = {"class_": "note", "fill": INK}
SPECIAL_NOTE: Look = {"class_": "note special", "fill": "#8c2f39"} | BOLD
SPECIAL: Look = {"class_": "special", "font_size": 24, "fill": "#8c2f39"} | BOLD
PAPER: Look = {"class_": "paper", "rx": 6, "fill": PAPER_FILL, "stroke": INK, "stroke_width": 1.3}
MARKED_PAPER: Look = PAPER | {"class_": "paper mark", "stroke": MARKED, "stroke_width": 3}
BACK: Look = {"class_": "back", "rx": 4, "fill": "#4d6a7a"}
TICKET: Look = {"class_": "ticket", "rx": 3, "fill": "#f4d35e"} | OUTLINE
TICKET_BACK: Look = TICKET | {"class_": "ticket back", "fill": "#8c2f39"}
WHEEL: Look = {"class_": "wheel", "fill": "#d8d3c4", "stroke": INK, "stroke_width": 1.6}
SPARE: Look = {"rx": 4, "fill": "#b8b2a0", "stroke_dasharray": "4 3"} | OUTLINE
WIRE: Look = {"class_": "rail", "fill": "none", "stroke": INK, "stroke_width": 2}
SMOKE: Look = {"class_": "smoke", "fill": "#c9c6bd", "opacity": "0.75"}
HEAP: Look = {"class_": "heap", "fill": INK}
WINDOW: Look = {"fill": "#dcebf5"}
GEM: Look = {"fill": "#f4d35e"} | THIN
APPLE: Look = {"fill": "#d6453d"} | THIN
COPIED: Look = {"stroke_dasharray": "5 2"}
DRIVES: dict[str, Look] = {
    drive: {"class_": f"drive-{drive}", "fill": fill} | OUTLINE
    for drive, fill in {"steam": "#3b3b40", "diesel": "#a5372b", "electric": "#1f6f5c"}.items()
}
KINDS: dict[str, Look] = {
    kind: {"class_": f"kind-{kind}", "fill": fill} | OUTLINE
    for kind, fill in {
        "food": "#7fa650",
        "cattle": "#b98a55",
        "coal": "#6b6b73",
        "oil": "#c9772e",
        "luxury": "#8b62a6",
        "passenger": "#3f78b5",
    }.items()
}

#: Kinds that are so dark that their letters are white.
LIGHT_INK = ("coal", "luxury", "passenger")
WIDTH = 980.0
NARROW = 490.0
MARGIN = 14.0
TOP = 236.0
LANE_HEIGHT = 60.0
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
        self.lane = LANE_HEIGHT * (1.55 if self.columns == 1 else 1.0)
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
    disc = svg.circle(x, y, radius, **svg.seat_fill(seat), **OUTLINE)
    look = svg.seat_ink(seat) | BOLD | {"font_size": 13}
    return disc + svg.text(x, y + 4.7, str(seat + 1), **look)
