"""The board of Railroad Dice as SVG: the large tiles in play, the landscape, companies and dice.

Elements a player can point at carry `data-pick`: `square:A:e4` (a square the end A of the line points
to), `end:A` (the marker of an end), `company:insel`, `tile:lake` (the stock of small tiles). A page that
wants clicks lets only the elements that can be chosen at the moment receive them.

Classes for recolouring: `table`, `meadow`, `mountain`, `water`, `glyph`, `grid`, `coord`, `die`, `rail`,
`sleeper`, `card`, `label`, `marker`, `target`, `mark`; `company-ID` on everything in a company's colour
and `seat-N` on a player's row. Nothing is shown by colour alone: mountains carry peaks, water waves,
companies their letters, ends of the line A and B.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kursbuch.core.words import Words
from kursbuch.dice.components import MOUNTAIN, WATER, Layout
from kursbuch.dice.geography import Geography, Site
from kursbuch.dice.holdings import faces, supply
from kursbuch.dice.state import (
    BEHIND,
    END_NAMES,
    DiceState,
    Joining,
    Piece,
    Small,
    share,
    small,
)
from kursbuch.dice.texts import tile_name
from kursbuch.hexmap import svg

CELL = 42.0
GAP = 26.0
HEAD = 34.0
MAP_WIDTH = 330.0
MARGIN = 22.0

INK = "#1d1a16"
PAPER = "#fbf6e6"
TABLE = "#e3d9c3"
TERRAIN = {"meadow": "#a9cb7f", MOUNTAIN: "#b59a7a", WATER: "#7fb4d8"}
CLASSES = {MOUNTAIN: "mountain", WATER: "water"}

#: Fill and text colour for the colours of the companies.
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
#: The two colours of the tile markers.
END_COLOURS = (("#7a2e1d", "#ffffff"), ("#1f4d63", "#ffffff"))
DASHED: dict[str, object] = {"fill": "none", "stroke_dasharray": "5 4"}


class Drawing:
    """One drawing in the making: the position and where things are on the page."""

    def __init__(self, state: DiceState, geography: Geography, words: Words) -> None:
        self.state = state
        self.geo = geography
        self.board = geography.board
        self.words = words
        self.field = self.board.size * CELL
        numbers = sorted({end.small for end in state.ends})
        step = state.agenda[-1] if state.agenda else None
        self.joining = step if isinstance(step, Joining) else None
        #: The large tiles shown, with their left edges. End A's comes first.
        first = state.ends[0].small
        numbers.sort(key=lambda number: number != first)
        fields: list[int] = [*numbers, *([-1] if self.joining else [])]
        self.left = {
            number: MARGIN + index * (self.field + GAP) for index, number in enumerate(fields)
        }
        self.top = MARGIN + HEAD
        shown = max(2, len(fields))
        self.map_left = MARGIN + shown * (self.field + GAP)
        self.width = self.map_left + MAP_WIDTH + MARGIN
        self.cards_top = self.top + self.field + GAP
        self.rows_top = self.cards_top + 74.0
        self.height = self.rows_top + state.seats * 46.0 + 46.0 + MARGIN

    def colours(self, company: int) -> tuple[str, str]:
        """The fill and text colour of a company."""
        return COMPANY_COLOURS.get(self.board.companies[company].colour, OTHER_COMPANY)

    def letter(self, company: int) -> str:
        """The letter of a company."""
        return self.board.companies[company].name[:1]

    # ---- terrain

    def terrain(self, layout: Layout, x: float, y: float, cell: float) -> Iterator[str]:
        """The ground of a tile: meadow, and runs of mountain and water squares on it."""
        size = self.board.size
        yield svg.element(
            "rect",
            x=x,
            y=y,
            width=size * cell,
            height=size * cell,
            class_="meadow",
            fill=TERRAIN["meadow"],
        )
        for row in range(size):
            line = layout.terrain[row * size : (row + 1) * size]
            column = 0
            while column < size:
                run = column
                while run < size and line[run] == line[column]:
                    run += 1
                if line[column] in CLASSES:
                    yield svg.element(
                        "rect",
                        x=x + column * cell,
                        y=y + row * cell,
                        width=(run - column) * cell,
                        height=cell,
                        class_=CLASSES[line[column]],
                        fill=TERRAIN[line[column]],
                    )
                column = run

    def glyph(self, letter: str, x: float, y: float, size: float) -> str:
        """A peak or waves, so that the ground is not told by colour alone."""
        if letter == MOUNTAIN:
            points = [
                (x - size * 0.34, y + size * 0.24),
                (x - size * 0.06, y - size * 0.26),
                (x + size * 0.1, y + size * 0.02),
                (x + size * 0.2, y - size * 0.1),
                (x + size * 0.36, y + size * 0.24),
            ]
            return svg.polygon(
                points, class_="glyph", fill="#8d7353", stroke="#6d573c", stroke_width=0.8
            )
        path = "".join(
            f"M{svg.number(x - size * 0.3)} {svg.number(y + shift)}"
            f"q{svg.number(size * 0.15)} {svg.number(-size * 0.16)} {svg.number(size * 0.3)} 0"
            f"t{svg.number(size * 0.3)} 0"
            for shift in (-size * 0.12, size * 0.14)
        )
        return svg.element(
            "path", d=path, class_="glyph", fill="none", stroke="#3f7ba3", stroke_width=1.4
        )

    def middle(self, x: float, y: float, square: int, cell: float = CELL) -> tuple[float, float]:
        """The middle of a square of the tile at (x, y)."""
        row, column = divmod(square, self.board.size)
        return x + (column + 0.5) * cell, y + (row + 0.5) * cell

    # ---- the large tiles

    def fields(self) -> Iterable[str]:
        """The large tiles in play with what lies on them, and the one being joined."""
        for number, x in self.left.items():
            if number >= 0:
                tile = self.state.landscape[number]
                pieces = next(large for large in self.state.large if large.small == number).pieces
                layout = self.board.layout(tile.tile, tile.rotation)
                ends = [end for end in (0, 1) if self.state.ends[end].small == number]
                yield self.field_at(x, layout, ends, pieces)
            elif self.joining is not None:
                layout = self.board.layout(self.joining.tile, self.joining.rotation)
                yield self.field_at(x, layout, [], [])

    def field_at(
        self, x: float, layout: Layout, ends: Sequence[int], pieces: Sequence[Piece]
    ) -> str:
        """One large tile."""
        board, y = self.board, self.top
        shapes = list(self.terrain(layout, x, y, CELL))
        for square, letter in enumerate(layout.terrain):
            if letter in CLASSES:
                shapes.append(self.glyph(letter, *self.middle(x, y, square), CELL))
        lines = "".join(
            f"M{svg.number(x + n * CELL)} {svg.number(y)}v{svg.number(self.field)}"
            f"M{svg.number(x)} {svg.number(y + n * CELL)}h{svg.number(self.field)}"
            for n in range(board.size + 1)
        )
        shapes.append(
            svg.element(
                "path", d=lines, class_="grid", fill="none", stroke="#5d6b46", stroke_width=0.6
            )
        )
        for n in range(board.size):
            name = board.names[n * board.size + n]
            look = {"class_": "coord", "font_size": 9, "fill": "#5c5443"}
            middle = (n + 0.5) * CELL
            shapes.append(svg.text(x + middle, y + self.field + 11, name[0], **look))
            shapes.append(svg.text(x - 8, y + middle + 3, name[1:], **look))
        shapes += [self.piece(x, y, piece) for piece in pieces]
        name = tile_name(board.tiles[layout.tile].id, self.words)
        start = x
        for end in ends:
            shapes.append(self.marker(end, start + 12, y - 15))
            start += 28
        if not ends:
            name = self.words._("new: {tile}", tile=name)
        shapes.append(
            svg.element(
                "text",
                _escaped(name),
                x=start + 4,
                y=y - 10,
                class_="label",
                font_size=13,
                font_weight="bold",
                fill=INK,
            )
        )
        return svg.group(shapes, title=name, class_="field")

    def marker(self, end: int, x: float, y: float) -> str:
        """The marker of an end of the line."""
        fill, ink = END_COLOURS[end]
        name = END_NAMES[end]
        return svg.group(
            [
                svg.element("circle", cx=x, cy=y, r=11.0, fill=fill, stroke=INK, stroke_width=1.4),
                svg.text(x, y + 4.5, name, font_size=13, font_weight="bold", fill=ink),
            ],
            title=self.words._("end {end} of the line", end=name),
            class_="marker",
            data_pick=f"end:{name}",
        )

    def piece(self, x: float, y: float, piece: Piece) -> str:
        """A die with its track, or a station."""
        cx, cy = self.middle(x, y, piece.square)
        if piece.company >= 0:
            return self.station(cx, cy, piece)
        title = (
            self.words._("straight")
            if (piece.back - piece.front) % 4 == 2
            else self.words._("curve")
        )
        name = self.board.names[piece.square]
        return svg.group(
            [self.die_body(cx, cy, CELL - 4), *self.rails(cx, cy, CELL, piece.back, piece.front)],
            title=f"{name}, {title}",
            class_="die-on-tile",
        )

    def station(self, x: float, y: float, piece: Piece) -> str:
        """A station cube on the track that leads through it."""
        company = self.board.companies[piece.company]
        fill, ink = self.colours(piece.company)
        shapes = list(self.rails(x, y, CELL, piece.back, piece.front))
        half = CELL * 0.33
        roof = [(x - half, y - half), (x - half + 5, y - half - 5), (x + half + 5, y - half - 5)]
        wall = [(x + half + 5, y - half - 5), (x + half + 5, y + half - 5), (x + half, y + half)]
        for corner in ([*roof, (x + half, y - half)], [*wall, (x + half, y - half)]):
            shapes.append(
                svg.polygon(
                    corner, class_=f"company-{company.id}", fill=fill, stroke=INK, stroke_width=1.2
                )
            )
        shapes.append(self.square_of(x, y, 2 * half, company.id, fill))
        letter = self.letter(piece.company)
        shapes.append(svg.text(x, y + 6, letter, font_size=17, font_weight="bold", fill=ink))
        return svg.group(
            shapes,
            title=self.words._("station of {company}", company=company.name),
            class_="station",
        )

    def square_of(self, x: float, y: float, size: float, company: str, fill: str) -> str:
        """A square in a company's colour."""
        return svg.element(
            "rect",
            x=x - size / 2,
            y=y - size / 2,
            width=size,
            height=size,
            class_=f"company-{company}",
            fill=fill,
            stroke=INK,
            stroke_width=1.4,
        )

    def die_body(self, x: float, y: float, size: float) -> str:
        """An empty die."""
        return svg.element(
            "rect",
            x=x - size / 2,
            y=y - size / 2,
            width=size,
            height=size,
            rx=size / 6,
            class_="die",
            fill=PAPER,
            stroke=INK,
            stroke_width=1.3,
        )

    def rails(self, x: float, y: float, size: float, back: int, front: int) -> Iterator[str]:
        """Track between two sides of a square; to the middle only if there is no second side."""
        path = self.way(x, y, size, back, front)
        for class_, colour, width, dashes in (
            ("sleeper", "#7a5a3a", 13.0, "2.4 3.4"),
            ("rail", INK, 7.4, None),
            ("die", PAPER, 4.2, None),
        ):
            scale = size / CELL
            yield svg.element(
                "path",
                d=path,
                class_=class_,
                fill="none",
                stroke=colour,
                stroke_width=width * scale,
                stroke_dasharray=dashes,
            )

    def way(self, x: float, y: float, size: float, back: int, front: int) -> str:
        """Path data from side to side."""
        reach = size / 2
        x1, y1 = _side(x, y, reach, back)
        if front < 0:
            return f"M{svg.number(x1)} {svg.number(y1)}L{svg.number(x)} {svg.number(y)}"
        x2, y2 = _side(x, y, reach, front)
        if (back - front) % 4 == 2:
            return f"M{svg.number(x1)} {svg.number(y1)}L{svg.number(x2)} {svg.number(y2)}"
        return (
            f"M{svg.number(x1)} {svg.number(y1)}"
            f"Q{svg.number(x)} {svg.number(y)} {svg.number(x2)} {svg.number(y2)}"
        )

    # ---- where the line can go on

    def targets(self) -> Iterable[str]:
        """The squares the ends of the line point to."""
        if not self.state.agenda:
            return
        for end in (0, 1):
            if self.joining is not None and end == self.joining.end:
                site, x = self.geo.joining(self.state, self.joining), self.left[-1]
            else:
                site = self.geo.site(self.state, end)
                x = self.left[site.number]
            yield from self.targets_of(end, site, x)

    def targets_of(self, end: int, site: Site, x: float) -> Iterator[str]:
        """The squares an end points to, as rings with its letter."""
        fill, _ = END_COLOURS[end]
        for square, _ in site.ways:
            if site.occupied >> square & 1:
                continue
            cx, cy = self.middle(x, self.top, square)
            name = self.board.names[square]
            yield svg.group(
                [
                    svg.element(
                        "rect",
                        x=cx - CELL / 2 + 2,
                        y=cy - CELL / 2 + 2,
                        width=CELL - 4,
                        height=CELL - 4,
                        rx=6,
                        class_="target",
                        fill="#ffffff",
                        fill_opacity=0.35,
                        stroke=fill,
                        stroke_width=1.8,
                        stroke_dasharray="4 3",
                    ),
                    svg.text(
                        cx, cy + 4.5, END_NAMES[end], font_size=12, font_weight="bold", fill=fill
                    ),
                ],
                title=f"{END_NAMES[end]} {name}",
                class_="place",
                data_pick=f"square:{END_NAMES[end]}:{name}",
            )

    # ---- the landscape

    def map_scale(self) -> tuple[float, float, float]:
        """The size of a small tile and the position of the place (0, 0)."""
        tiles = self.state.landscape
        rows = [tile.row for tile in tiles]
        columns = [tile.column for tile in tiles]
        tall, wide = max(rows) - min(rows) + 1, max(columns) - min(columns) + 1
        size = min(70.0, MAP_WIDTH / wide, (self.field - 4) / tall)
        left = self.map_left + (MAP_WIDTH - wide * size) / 2 - min(columns) * size
        top = self.top + (self.field - tall * size) / 2 - min(rows) * size
        return size, left, top

    def landscape(self) -> Iterable[str]:
        """The small tiles with the stations on them; those in play carry the letters of the ends."""
        words = self.words
        yield svg.element(
            "text",
            _escaped(words._("Landscape")),
            x=self.map_left,
            y=self.top - 10,
            class_="label",
            font_size=13,
            font_weight="bold",
            fill=INK,
        )
        size, left, top = self.map_scale()
        in_play = {large.small: large.pieces for large in self.state.large}
        for number, tile in enumerate(self.state.landscape):
            x, y = left + tile.column * size, top + tile.row * size
            yield self.small_tile(tile, number, x, y, size, in_play.get(number, []))
        for number in in_play:
            tile = self.state.landscape[number]
            ends = [end for end in (0, 1) if self.state.ends[end].small == number]
            x, y = left + tile.column * size, top + tile.row * size
            for index, end in enumerate(ends):
                fill, ink = END_COLOURS[end]
                cx, cy = x + size * (0.24 + 0.3 * index), y + size * 0.24
                yield svg.element(
                    "circle", cx=cx, cy=cy, r=size * 0.13, fill=fill, stroke=INK, stroke_width=0.8
                )
                yield svg.text(
                    cx,
                    cy + size * 0.06,
                    END_NAMES[end],
                    font_size=round(size * 0.17, 1),
                    font_weight="bold",
                    fill=ink,
                )

    def small_tile(
        self, tile: Small, number: int, x: float, y: float, size: float, pieces: Sequence[Piece]
    ) -> str:
        """One small tile."""
        board, words = self.board, self.words
        layout = board.layout(tile.tile, tile.rotation)
        shapes = list(self.terrain(layout, x, y, size / board.size))
        shapes.append(
            svg.element(
                "rect",
                x=x,
                y=y,
                width=size,
                height=size,
                class_="grid",
                fill="none",
                stroke=INK if pieces else "#5d6b46",
                stroke_width=2.2 if pieces else 0.9,
            )
        )
        for letter, mask in ((MOUNTAIN, layout.mountain), (WATER, layout.water)):
            if mask:
                shapes.append(self.glyph(letter, x + size * 0.78, y + size * 0.24, size * 0.34))
        companies = [n for n in range(len(board.companies)) if tile.stations >> n & 1]
        companies += [piece.company for piece in pieces if piece.company >= 0]
        cube = size * 0.24
        for index, company in enumerate(companies):
            cx = x + size * (0.2 + 0.29 * (index % 3))
            cy = y + size * (0.56 + 0.27 * (index // 3))
            fill, ink = self.colours(company)
            shapes.append(self.square_of(cx, cy, cube, board.companies[company].id, fill))
            shapes.append(
                svg.text(
                    cx,
                    cy + cube * 0.33,
                    self.letter(company),
                    font_size=round(cube * 0.85, 1),
                    font_weight="bold",
                    fill=ink,
                )
            )
        parts = [tile_name(board.tiles[tile.tile].id, words)]
        parts += [
            words._("station of {company}", company=board.companies[company].name)
            for company in companies
        ]
        return svg.group(
            shapes,
            title=", ".join(parts),
            class_="small",
            data_place=f"{tile.row}:{tile.column}",
        )

    # ---- companies, stocks and dice

    def cards(self) -> Iterable[str]:
        """The companies with their directors and what the bank has of them, and the small tiles
        that are left."""
        board, state, words = self.board, self.state, self.words
        shown = len(board.companies)
        width = min(150.0, (self.map_left - MARGIN - GAP) / shown - 8)
        for index, company in enumerate(board.companies):
            x, y = MARGIN + index * (width + 8), self.cards_top
            fill, ink = self.colours(index)
            director = state.directors[index]
            left = state.ledger.held(share(company.id), "supply")
            stations = sum(
                state.ledger.held(stock.item, "card") for stock in board.stocks_of[index]
            )
            who = words.name(director) if director >= 0 else words._("no director")
            shapes = [
                svg.element(
                    "rect",
                    x=x,
                    y=y,
                    width=width,
                    height=60.0,
                    rx=5,
                    class_="card",
                    fill=PAPER,
                    stroke=INK,
                    stroke_width=1.2,
                ),
                self.square_of(x + 15, y + 15, 18.0, company.id, fill),
                svg.text(
                    x + 15, y + 20, self.letter(index), font_size=13, font_weight="bold", fill=ink
                ),
                _label(x + 27, y + 19, company.name, 9.5, bold=True),
                _label(x + 8, y + 36, who, 10),
                _label(
                    x + 8,
                    y + 51,
                    words._("{shares} shares, {stations} stations", shares=left, stations=stations),
                    9.5,
                ),
            ]
            yield svg.group(
                shapes, title=company.name, class_="company", data_pick=f"company:{company.id}"
            )
        size = 34.0
        step = MAP_WIDTH / max(4, len(board.tiles))
        for index, tile in enumerate(board.tiles):
            x, y = self.map_left + index * step, self.cards_top
            layout = board.layouts[index][0]
            count = str(state.ledger.held(small(tile.id), "supply"))
            shapes = list(self.terrain(layout, x, y, size / board.size))
            shapes.append(_label(x + size + 6, y + 22, f"× {count}", 13, bold=True))
            yield svg.group(
                shapes,
                title=tile_name(tile.id, words),
                class_="stock",
                data_pick=f"tile:{tile.id}",
            )

    def pools(self) -> Iterable[str]:
        """The dice of every player, before and behind the screen, and the bank's."""
        state, words = self.state, self.words
        for seat in range(state.seats):
            y = self.rows_top + seat * 46.0 + 22
            shapes = [_label(MARGIN, y + 5, words.name(seat), 13, bold=True)]
            x = MARGIN + 130
            for face, count in enumerate(faces(state, seat)):
                for _ in range(count):
                    shapes += self.face(x, y, face)
                    x += 36
            x = max(x + 16, MARGIN + 330)
            hidden = seat in state.screened
            number = "?" if hidden else str(state.ledger.held("die", BEHIND[seat]))
            shapes += self.screen(x, y, number)
            yield svg.group(shapes, class_=f"dice seat-{seat}", data_seat=seat)
        y = self.rows_top + state.seats * 46.0 + 22
        yield svg.group(
            [
                _label(MARGIN, y + 5, words._("Bank"), 13, bold=True),
                self.die_body(MARGIN + 140, y, 26.0),
                _label(MARGIN + 162, y + 5, f"× {supply(state)}", 13, bold=True),
                _label(MARGIN + 330, y + 5, words._("Year {year}", year=state.year), 13, bold=True),
            ],
            class_="bank",
        )

    def face(self, x: float, y: float, face: int) -> list[str]:
        """A die in front of a screen."""
        size = 30.0
        shapes = [self.die_body(x, y, size)]
        if face == 0:
            shapes += self.rails(x, y, size - 2, 3, 1)
        elif face == 1:
            shapes += self.rails(x, y, size - 2, 3, 2)
        elif face == 2:
            shapes.append(
                svg.element(
                    "rect",
                    x=x - 9,
                    y=y - 6.5,
                    width=18.0,
                    height=13.0,
                    class_="paper",
                    fill="#d9e6c3",
                    stroke=INK,
                    stroke_width=1.1,
                )
            )
            shapes.append(svg.text(x, y + 4, "%", font_size=10, font_weight="bold", fill=INK))
        else:
            shapes.append(svg.text(x, y + 7.5, "?", font_size=21, font_weight="bold", fill=INK))
        return shapes

    def screen(self, x: float, y: float, number: str) -> list[str]:
        """A screen with the number of dice behind it."""
        outline = [(x - 10, y + 15), (x, y - 15), (x + 58, y - 15), (x + 68, y + 15)]
        return [
            svg.polygon(outline, class_="screen", fill="#8a7a5c", stroke=INK, stroke_width=1.2),
            svg.text(x + 29, y + 6, number, font_size=15, font_weight="bold", fill="#ffffff"),
        ]

    # ---- the last move

    def marked(self, marks: Sequence[str]) -> Iterable[str]:
        """Frames around what the last move changed."""
        look = {"class_": "mark", "stroke": "#b3202c", "stroke_width": 2.8, **DASHED}
        size, left, top = self.map_scale()
        for key in marks:
            kind, _, rest = key.partition(":")
            first, _, second = rest.partition(":")
            if kind == "square" and first in END_NAMES and second in self.board.square_index:
                number = self.state.ends[END_NAMES.index(first)].small
                square = self.board.square_index[second]
                cx, cy = self.middle(self.left[number], self.top, square)
                yield _frame(cx - CELL / 2, cy - CELL / 2, CELL, look)
            elif kind == "place":
                x, y = left + int(second) * size, top + int(first) * size
                yield _frame(x, y, size, look)


def _side(x: float, y: float, reach: float, side: int) -> tuple[float, float]:
    rows, columns = ((-1, 0), (0, 1), (1, 0), (0, -1))[side]
    return x + columns * reach, y + rows * reach


def _escaped(content: str) -> str:
    return content.replace("&", "&amp;").replace("<", "&lt;")


def _label(x: float, y: float, content: str, size: float, *, bold: bool = False) -> str:
    return svg.element(
        "text",
        _escaped(content),
        x=x,
        y=y,
        class_="label",
        font_size=size,
        font_weight="bold" if bold else None,
        fill=INK,
    )


def _frame(x: float, y: float, size: float, look: dict[str, object]) -> str:
    return svg.element("rect", x=x + 1.5, y=y + 1.5, width=size - 3, height=size - 3, rx=4, **look)


def draw(state: DiceState, geography: Geography, words: Words, marks: Sequence[str] = ()) -> str:
    """The board as a complete SVG document; `marks` are keys of elements to point out."""
    page = Drawing(state, geography, words)
    return svg.document(
        page.width,
        page.height,
        [
            svg.element("rect", width="100%", height="100%", class_="table", fill=TABLE),
            svg.group(page.fields(), class_="fields"),
            svg.group(page.landscape(), class_="landscape"),
            svg.group(page.cards(), class_="cards"),
            svg.group(page.pools(), class_="pools"),
            svg.group(page.targets(), class_="targets"),
            svg.group(page.marked(marks), class_="marks"),
        ],
        label=words._("Board of {title}", title="Railroad Dice"),
        class_="board",
        data_title="dice",
    )
