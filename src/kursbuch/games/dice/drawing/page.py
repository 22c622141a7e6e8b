"""Where everything is on the page, for one position."""

from __future__ import annotations

from kursbuch.core.words import Words
from kursbuch.games.dice.components import Layout
from kursbuch.games.dice.drawing import shapes
from kursbuch.games.dice.drawing.shapes import CELL, COMPANY_COLOURS, OTHER_COMPANY
from kursbuch.games.dice.geography import Geography
from kursbuch.games.dice.state import Crossing, DiceState, Joining
from kursbuch.games.dice.text.names import Names
from kursbuch.hexmap import svg

GAP = 46.0
HEAD = 26.0
MARGIN = 36.0
#: The width of the drawing where everything stands below each other.
NARROW = 350.0
#: The width of everything, whatever is on it, so that nothing jumps when a tile comes into play.
WIDTH = 2 * 7 * CELL + GAP + 2 * MARGIN
MAP_WIDTH = 262.0
#: The small tiles that are left stand in a column beside the landscape.
STOCK_WIDTH = 62.0
#: The tile that is being chosen or joined, among the numbers of the small tiles.
NEW = -1
#: The height of a player's row and of a company's card.
ROW = 40.0
CARD_HEIGHT = 78.0


class Page:
    """The position that is drawn, and where things are on the page."""

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
        #: The large tiles shown, with their left edges.
        self.left = self._left()
        self.top = MARGIN + HEAD - 18
        self.middle_top = self.top + self.field + 34.0
        self.middle_height = max(4, state.seats) * ROW + ROW + 14
        self.rows_left = MARGIN + MAP_WIDTH + 24.0
        self.cards_top = self.middle_top + self.middle_height + 12.0
        self.height = self.cards_top + CARD_HEIGHT + 16
        self.width = WIDTH

    def _left(self) -> dict[int, float]:
        """End A's tile first. A new tile takes the place of the other end's, where nothing can happen
        now."""
        first = self.state.ends[0].small
        numbers = sorted({end.small for end in self.state.ends}, key=lambda number: number != first)
        new = self.joining or self.crossing
        if new is not None:
            numbers = [self.state.ends[new.end].small]
            numbers.insert(1 - new.end, NEW)
        left = (WIDTH - len(numbers) * self.field - (len(numbers) - 1) * GAP) / 2
        return {number: left + index * (self.field + GAP) for index, number in enumerate(numbers)}

    # ---- the narrow arrangement: tiles in play, dice, companies, landscape below each other

    @property
    def narrow(self) -> str:
        """The size of the drawing on a narrow screen."""
        return f"0 0 {svg.number(NARROW)} {svg.number(self._narrow_landscape + self.middle_height + 8)}"

    def narrow_field(self, number: int) -> str:
        """How a large tile moves there."""
        place = list(self.left).index(number)
        y = place * (self.field + HEAD + 30)
        return self._moved(self.left[number], 0, 32, y)

    def narrow_pools(self) -> str:
        """How the dice move there."""
        scale = (NARROW - 16) / (WIDTH - MARGIN - self.rows_left + 14)
        return self._moved(self.rows_left - 8, self.middle_top - 20, 8, self._narrow_pools, scale)

    def narrow_card(self, index: int, x: float, width: float) -> str:
        """How the card of a company moves there."""
        scale = (NARROW - 26) / 2 / width
        row, column = divmod(index, 2)
        y = self._narrow_cards + row * (CARD_HEIGHT * scale + 8)
        return self._moved(x, self.cards_top, 8 + column * (width * scale + 10), y, scale)

    def narrow_landscape(self) -> str:
        """How the landscape and the stock of small tiles move there."""
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
        """What moves the point (x, y) to another one."""
        right, down = svg.number(to_x - x * scale), svg.number(to_y - y * scale)
        return f"translate({right} {down}) scale({scale:.3f})"

    # ---- companies and tiles

    def colours(self, company: int) -> tuple[str, str]:
        """The fill and text colour of a company."""
        return COMPANY_COLOURS.get(self.board.companies[company].colour, OTHER_COMPANY)

    def letter(self, company: int) -> str:
        """The letter of a company."""
        return self.board.companies[company].name[:1]

    def company_square(self, company: int, x: float, y: float, size: float) -> str:
        """A square in a company's colour."""
        fill, _ = self.colours(company)
        return shapes.company_square(self.board.companies[company].id, fill, x, y, size)

    def terrain(self, layout: Layout, x: float, y: float, cell: float) -> str:
        """The ground of a tile."""
        return shapes.terrain(layout, self.board.size, x, y, cell)

    def middle(
        self, x: float, y: float, square: int, cell: float | None = None
    ) -> tuple[float, float]:
        """The middle of a square of the tile at (x, y)."""
        row, column = divmod(square, self.board.size)
        cell = cell or self.cell
        return x + (column + 0.5) * cell, y + (row + 0.5) * cell

    # ---- the landscape

    def map_scale(self) -> tuple[float, float, float]:
        """The size of a small tile and the position of the place (0, 0)."""
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
        """The place in the landscape of the tile that is being chosen or joined."""
        step = self.joining or self.crossing
        if step is None:
            return None
        site = self.geo.site(self.state, step.end)
        return self.geo.landscape.beyond(site.land, site.number, site.leaves)
