"""Layout and shapes of a drawing of Railroad Dice."""

from __future__ import annotations

from functools import lru_cache
from xml.sax.saxutils import escape

from kursbuch.core.words import Words
from kursbuch.games.dice.components import MOUNTAIN, STEPS, WATER, Layout
from kursbuch.games.dice.geography import Geography
from kursbuch.games.dice.state import Crossing, DiceState, Joining
from kursbuch.games.dice.text.panels import Names
from kursbuch.hexmap import svg
from kursbuch.hexmap.svg import Look

INK = "#1d1a16"
PAPER = "#fbf6e6"
GRASS = "#5d6b46"
TABLE: Look = {"class_": "table", "fill": "#e3d9c3"}
MEADOW: Look = {"class_": "meadow", "fill": "#a9cb7f"}
GROUND: dict[str, Look] = {
    MOUNTAIN: {"class_": "mountain", "fill": "#b59a7a"},
    WATER: {"class_": "water", "fill": "#7fb4d8"},
}
PEAK: Look = {"class_": "glyph", "fill": "#8d7353", "stroke": "#6d573c", "stroke_width": 0.8}
WAVES: Look = {"class_": "glyph", "fill": "none", "stroke": "#3f7ba3", "stroke_width": 1.4}
GRID: Look = {"class_": "grid", "fill": "none", "stroke": GRASS, "stroke_width": 0.6}
CANDIDATE: Look = {"class_": "grid", "fill": "none", "stroke": INK, "stroke_width": 1.4}
SMALL: Look = {"class_": "grid", "fill": "none", "stroke": GRASS, "stroke_width": 0.9}
SMALL_IN_PLAY: Look = {"class_": "grid", "fill": "none", "stroke": INK, "stroke_width": 2.2}
FREE_PLACE: Look = {
    "class_": "place-free",
    "fill": "#ffffff",
    "fill_opacity": 0.45,
    "stroke": INK,
    "stroke_width": 1.4,
    "stroke_dasharray": "4 3",
}
DIE: Look = {"class_": "die", "fill": PAPER, "stroke": INK, "stroke_width": 1.3}
EXIT: Look = DIE | {"stroke_width": 2.0}

#: Strokes of track: class, colour, width at the usual square size, dashes.
TRACK = (
    ("sleeper", "#7a5a3a", 13.0, "2.4 3.4"),
    ("rail", INK, 7.4, None),
    ("die", PAPER, 4.2, None),
)
SHARE: Look = {"class_": "paper", "fill": "#d9e6c3", "stroke": INK, "stroke_width": 1.1}
SCREEN: Look = {"class_": "screen", "fill": "#6f6145", "stroke": INK, "stroke_width": 1.2}
CARD: Look = {"class_": "card", "fill": PAPER, "stroke": INK, "stroke_width": 1.2}
CUBE: Look = {"stroke": INK, "stroke_width": 1.2}
SQUARE: Look = {"stroke": INK, "stroke_width": 1.4}

#: Badge of a player's number.
SIGN: Look = {"stroke": INK, "stroke_width": 1.2}
NUMBER: Look = {"font_size": 13, "font_weight": "bold"}
ON_TURN: Look = {"class_": "turn", "fill": "#fff3bf"}

#: Invisible ground that makes an element selectable without gaps.
POINTABLE: Look = {"class_": "ground", "fill_opacity": 0}
MARKER: Look = {"stroke": INK, "stroke_width": 1.4}
SMALL_MARKER: Look = {"stroke": INK, "stroke_width": 0.8}
ARROW: Look = {"class_": "arrow", "stroke": "#ffffff", "stroke_width": 1.2}
RING: Look = {
    "fill": "#ffffff",
    "fill_opacity": 0.55,
    "stroke_width": 2.2,
    "stroke_dasharray": "5 3",
}
MARK: Look = {
    "class_": "mark",
    "stroke": "#b3202c",
    "stroke_width": 2.8,
    "fill": "none",
    "stroke_dasharray": "5 4",
}
COORDINATE: Look = {"class_": "coord", "font_size": 9.8, "fill": "#5c5443"}
BOLD: Look = {"font_weight": "bold"}
ON_SCREEN: Look = {"font_size": 15, "font_weight": "bold", "fill": "#ffffff"}

#: Fill and text colour by company colour.
COMPANY_COLOURS = {
    "white": ("#ffffff", INK),
    "blue": ("#2467b3", "#ffffff"),
    "green": ("#2a7d46", "#ffffff"),
    "yellow": ("#efc71e", INK),
    "red": ("#c8372d", "#ffffff"),
    "black": ("#26262b", "#ffffff"),
    "orange": ("#e07b1a", INK),
    "violet": ("#7c3f98", "#ffffff"),
}
OTHER_COMPANY = ("#6d6a63", "#ffffff")

#: Colours of the two end markers.
END_COLOURS = (("#7a2e1d", "#ffffff"), ("#1f4d63", "#ffffff"))


def bold(size: float, fill: str = INK) -> Look:
    """Bold text."""
    return {"font_size": size, **BOLD, "fill": fill}


#: Square size of a large tile of seven by seven.
CELL = 42.0


def square(x: float, y: float, size: float, /, **look: object) -> str:
    """A square around its centre."""
    return svg.rect(x - size / 2, y - size / 2, size, size, **look)


@lru_cache(maxsize=1024)
def company_square(company: str, fill: str, x: float, y: float, size: float) -> str:
    """A square in a company's colour."""
    return square(x, y, size, class_=f"company-{company}", fill=fill, **SQUARE)


def label(
    x: float, y: float, content: str, size: float, *, bold: bool = False, anchor: str | None = None
) -> str:
    """Text that begins at x unless anchored otherwise."""
    return svg.element(
        "text",
        escape(content),
        x=x,
        y=y,
        class_="label",
        text_anchor=anchor,
        font_size=size,
        font_weight="bold" if bold else None,
        fill=INK,
    )


def towards(x: float, y: float, reach: float, side: int) -> tuple[float, float]:
    """The point at a distance towards a side."""
    rows, columns = STEPS[side]
    return x + columns * reach, y + rows * reach


def arrow(x: float, y: float, side: int, size: float, fill: str) -> str:
    """An arrow towards a side."""
    rows, columns = STEPS[side]
    tip = (x + columns * size / 2, y + rows * size / 2)
    base = (x - columns * size / 2, y - rows * size / 2)
    points = [
        tip,
        (base[0] + rows * size * 0.5, base[1] + columns * size * 0.5),
        (base[0] - rows * size * 0.5, base[1] - columns * size * 0.5),
    ]
    return svg.polygon(points, **({"fill": fill} | ARROW))


def frame(x: float, y: float, size: float) -> str:
    """A frame around a change of the last move."""
    return svg.rect(x + 1.5, y + 1.5, size - 3, size - 3, rx=4, **MARK)


@lru_cache(maxsize=1024)
def terrain(layout: Layout, size: int, x: float, y: float, cell: float) -> str:
    """Ground of a tile: meadow with runs of mountain and water squares."""
    drawn = [svg.rect(x, y, size * cell, size * cell, **MEADOW)]
    for row in range(size):
        line = layout.terrain[row * size : (row + 1) * size]
        column = 0
        while column < size:
            run = column
            while run < size and line[run] == line[column]:
                run += 1
            look = GROUND.get(line[column])
            if look is not None:
                at = (x + column * cell, y + row * cell)
                drawn.append(svg.rect(*at, (run - column) * cell, cell, **look))
            column = run
    return "".join(drawn)


@lru_cache(maxsize=1024)
def glyph(letter: str, x: float, y: float, size: float) -> str:
    """A peak or waves, so that terrain does not rely on colour."""
    if letter == MOUNTAIN:
        points = [
            (x - size * 0.34, y + size * 0.24),
            (x - size * 0.06, y - size * 0.26),
            (x + size * 0.1, y + size * 0.02),
            (x + size * 0.2, y - size * 0.1),
            (x + size * 0.36, y + size * 0.24),
        ]
        return svg.polygon(points, **PEAK)
    path = "".join(
        f"M{svg.number(x - size * 0.3)} {svg.number(y + shift)}"
        f"q{svg.number(size * 0.15)} {svg.number(-size * 0.16)} {svg.number(size * 0.3)} 0"
        f"t{svg.number(size * 0.3)} 0"
        for shift in (-size * 0.12, size * 0.14)
    )
    return svg.path(path, **WAVES)


def die(x: float, y: float, size: float) -> str:
    """An empty die."""
    left, top, reach = svg.number(x - size / 2 + 1), svg.number(y + size / 2 - 3), size - 2
    below = f"M{left} {top}v5h{svg.number(reach)}v-5z"
    shadow = svg.path(below, **svg.SHADOW)
    rounded = {"rx": size / 6}
    return (
        shadow + square(x, y, size, **rounded, **DIE) + square(x, y, size, **rounded, **svg.SHEEN)
    )


@lru_cache(maxsize=4096)
def rails(x: float, y: float, size: float, back: int, front: int) -> str:
    """Track between two sides of a square, or from one side to the middle."""
    path = _way(x, y, size, back, front)
    scale = size / CELL
    return "".join(
        svg.element(
            "path",
            d=path,
            class_=class_,
            fill="none",
            stroke=colour,
            stroke_width=width * scale,
            stroke_dasharray=dashes,
        )
        for class_, colour, width, dashes in TRACK
    )


def _way(x: float, y: float, size: float, back: int, front: int) -> str:
    """Path from side to side."""
    reach = size / 2
    x1, y1 = towards(x, y, reach, back)
    if front < 0:
        return f"M{svg.number(x1)} {svg.number(y1)}L{svg.number(x)} {svg.number(y)}"
    x2, y2 = towards(x, y, reach, front)
    if (back - front) % 4 == 2:
        return f"M{svg.number(x1)} {svg.number(y1)}L{svg.number(x2)} {svg.number(y2)}"
    return (
        f"M{svg.number(x1)} {svg.number(y1)}"
        f"Q{svg.number(x)} {svg.number(y)} {svg.number(x2)} {svg.number(y2)}"
    )


def share(x: float, y: float, size: float = 30.0) -> list[str]:
    """A share."""
    unit = size / 30
    return [
        svg.rect(x - 10 * unit, y - 7 * unit, 20 * unit, 14 * unit, **SHARE),
        svg.text(x, y + 4 * unit, "%", **bold(10.5 * unit)),
    ]


def screen(x: float, y: float, number: str) -> list[str]:
    """A screen with the number of dice behind it."""
    outline = [(x - 10, y + 15), (x, y - 15), (x + 58, y - 15), (x + 68, y + 15)]
    return [svg.polygon(outline, **SCREEN), svg.text(x + 29, y + 6, number, **ON_SCREEN)]


GAP = 46.0
HEAD = 26.0
MARGIN = 36.0

#: Width of the stacked drawing for narrow screens.
NARROW = 350.0

#: Constant width, so that nothing moves when a tile comes into play.
WIDTH = 2 * 7 * CELL + GAP + 2 * MARGIN
MAP_WIDTH = 262.0

#: Width of the column of small tiles left, beside the landscape.
STOCK_WIDTH = 62.0

#: Number of the tile being chosen or joined, among the small tiles.
NEW = -1

#: Height of a player's row and of a company's card.
ROW = 40.0
CARD_HEIGHT = 78.0


class Page:
    """Context of one drawing: position and layout."""

    def __init__(self, state: DiceState, geography: Geography, words: Words) -> None:
        self.state = state
        self.geo = geography
        self.board = geography.board
        self.words = words
        self.names = Names(self.board, words)
        step = state.agenda[-1] if state.agenda else None
        self.joining = step if isinstance(step, Joining) else None
        self.crossing = step if isinstance(step, Crossing) else None
        self.field = (WIDTH - 2 * MARGIN - GAP) / 2
        self.cell = self.field / self.board.size
        #: Large tiles shown, with their left edges.
        self.left = self._left()
        self.top = MARGIN + HEAD - 18
        self.middle_top = self.top + self.field + 34.0
        self.middle_height = max(4, state.seats) * ROW + ROW + 14
        self.rows_left = MARGIN + MAP_WIDTH + 24.0
        self.cards_top = self.middle_top + self.middle_height + 12.0
        self.height = self.cards_top + CARD_HEIGHT + 16
        self.width = WIDTH

    def _left(self) -> dict[int, float]:
        """End A's tile comes first. A new tile replaces the other end's tile, which is inactive."""
        first = self.state.ends[0].small
        numbers = sorted({end.small for end in self.state.ends}, key=lambda number: number != first)
        new = self.joining or self.crossing
        if new is not None:
            numbers = [self.state.ends[new.end].small]
            numbers.insert(1 - new.end, NEW)
        left = (WIDTH - len(numbers) * self.field - (len(numbers) - 1) * GAP) / 2
        return {number: left + index * (self.field + GAP) for index, number in enumerate(numbers)}

    # ---- narrow screens: tiles in play, dice, companies and landscape, stacked

    @property
    def narrow(self) -> str:
        """ViewBox for narrow screens."""
        return f"0 0 {svg.number(NARROW)} {svg.number(self._narrow_landscape + self.middle_height + 8)}"

    def narrow_field(self, number: int) -> str:
        """Transform of a large tile."""
        place = list(self.left).index(number)
        y = place * (self.field + HEAD + 30)
        return self._moved(self.left[number], 0, 32, y)

    def narrow_pools(self) -> str:
        """Transform of the dice."""
        scale = (NARROW - 16) / (WIDTH - MARGIN - self.rows_left + 14)
        return self._moved(self.rows_left - 8, self.middle_top - 20, 8, self._narrow_pools, scale)

    def narrow_card(self, index: int, x: float, width: float) -> str:
        """Transform of a company's card."""
        scale = (NARROW - 26) / 2 / width
        row, column = divmod(index, 2)
        y = self._narrow_cards + row * (CARD_HEIGHT * scale + 8)
        return self._moved(x, self.cards_top, 8 + column * (width * scale + 10), y, scale)

    def narrow_landscape(self) -> str:
        """Transform of the landscape and the small tiles left."""
        x = (NARROW - MAP_WIDTH) / 2
        return self._moved(MARGIN, self.middle_top - 14, x, self._narrow_landscape)

    @property
    def _narrow_pools(self) -> float:
        return len(self.left) * (self.field + HEAD + 30) + 16

    @property
    def _narrow_cards(self) -> float:
        return self._narrow_pools + self.middle_height

    @property
    def _narrow_landscape(self) -> float:
        rows = -(-len(self.board.companies) // 2)
        return self._narrow_cards + rows * (CARD_HEIGHT * 1.4 + 8) + 12

    @staticmethod
    def _moved(x: float, y: float, to_x: float, to_y: float, scale: float = 1.0) -> str:
        """Transform that moves the point (x, y) to another."""
        right, down = svg.number(to_x - x * scale), svg.number(to_y - y * scale)
        return f"translate({right} {down}) scale({scale:.3f})"

    # ---- companies and tiles

    def colours(self, company: int) -> tuple[str, str]:
        """Fill and text colour of a company."""
        return COMPANY_COLOURS.get(self.board.companies[company].colour, OTHER_COMPANY)

    def letter(self, company: int) -> str:
        """The letter of a company."""
        return self.board.companies[company].name[:1]

    def company_square(self, company: int, x: float, y: float, size: float) -> str:
        """A square in a company's colour."""
        fill, _ = self.colours(company)
        return company_square(self.board.companies[company].id, fill, x, y, size)

    def terrain(self, layout: Layout, x: float, y: float, cell: float) -> str:
        """Ground of a tile."""
        return terrain(layout, self.board.size, x, y, cell)

    def middle(
        self, x: float, y: float, square: int, cell: float | None = None
    ) -> tuple[float, float]:
        """Centre of a square of the tile at (x, y)."""
        row, column = divmod(square, self.board.size)
        cell = cell or self.cell
        return x + (column + 0.5) * cell, y + (row + 0.5) * cell

    # ---- the landscape

    def map_scale(self) -> tuple[float, float, float]:
        """Size of a small tile and position of the place (0, 0)."""
        places = [(tile.row, tile.column) for tile in self.state.landscape]
        place = self.new_place()
        if place is not None:
            places.append(place)
        rows, columns = [row for row, _ in places], [column for _, column in places]
        tall, wide = max(rows) - min(rows) + 1, max(columns) - min(columns) + 1
        height, width = self.middle_height - 24.0, MAP_WIDTH - STOCK_WIDTH
        size = min(64.0, width / wide, height / tall)
        left = MARGIN + STOCK_WIDTH + (width - wide * size) / 2 - min(columns) * size
        top = self.middle_top + 12 + (height - tall * size) / 2 - min(rows) * size
        return size, left, top

    def new_place(self) -> tuple[int, int] | None:
        """Landscape place of the tile being chosen or joined."""
        step = self.joining or self.crossing
        if step is None:
            return None
        site = self.geo.site(self.state, step.end)
        return self.geo.landscape.beyond(site.land, site.number, site.leaves)
