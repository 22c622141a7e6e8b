"""The board of Railroad Dice as SVG: the large tiles in play, the landscape, companies and dice.

Elements a player can point at carry `data-pick`: `square:A:e4` (a square the end A of the line points
to), `exit:A:e4:N` (the piece that leads on northwards from there), `die:curve` (the dice of the player on
turn that show a curve), `company:insel`, `tile:lake:0` (a new tile that fits, unturned), `stock:lake` (the
small tiles that are left). A page that wants clicks lets only the elements that can be chosen at the
moment receive them; exits are hidden until they can be.

Classes for recolouring: `table`, `meadow`, `mountain`, `water`, `glyph`, `grid`, `coord`, `die`, `rail`,
`sleeper`, `card`, `label`, `marker`, `ring`, `letter`, `place-free`, `mark`; `company-ID` on everything in
a company's colour and `seat-N` on a player's row. Nothing is shown by colour alone: mountains carry peaks, water waves,
companies their letters, ends of the line A and B.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kursbuch.core.events import Event
from kursbuch.core.words import Words
from kursbuch.dice import events as happened
from kursbuch.dice.components import MOUNTAIN, SIDES, STEPS, WATER, Layout
from kursbuch.dice.geography import Geography
from kursbuch.dice.holdings import faces, supply
from kursbuch.dice.state import (
    BEHIND,
    CURVE,
    END_NAMES,
    SHARE,
    STRAIGHT,
    Bridge,
    Crossing,
    DiceState,
    Joining,
    Piece,
    Reduction,
    Small,
    Turn,
    share,
    small,
)
from kursbuch.dice.texts import FACE_KEYS, SIDE_NAMES, dice_list, tile_name
from kursbuch.dice.ways import bits, sum_masks
from kursbuch.hexmap import svg

CELL = 42.0
GAP = 46.0
HEAD = 26.0
MARGIN = 36.0
#: The width of everything, whatever is on it, so that nothing jumps when a tile comes into play.
WIDTH = 2 * 7 * CELL + GAP + 2 * MARGIN
MAP_WIDTH = 236.0
#: The tile that is being chosen or joined, among the numbers of the small tiles.
NEW = -1
ROW = 40.0
CARD = 78.0

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
#: The steps in which somebody is on turn.
WITH_SEAT = Turn | Bridge | Crossing | Joining | Reduction
DASHED: dict[str, object] = {"fill": "none", "stroke_dasharray": "5 4"}


class Drawing:
    """One drawing in the making: the position and where things are on the page."""

    def __init__(self, state: DiceState, geography: Geography, words: Words) -> None:
        self.state = state
        self.geo = geography
        self.board = geography.board
        self.words = words
        numbers = sorted({end.small for end in state.ends})
        step = state.agenda[-1] if state.agenda else None
        self.step = step
        self.joining = step if isinstance(step, Joining) else None
        self.crossing = step if isinstance(step, Crossing) else None
        #: The large tiles shown, with their left edges: end A's first. A new tile takes the place
        #: of the other end's, where nothing can happen now.
        first = state.ends[0].small
        numbers.sort(key=lambda number: number != first)
        new = self.joining or self.crossing
        if new is not None:
            numbers = [state.ends[new.end].small]
            numbers.insert(1 - new.end, NEW)
        self.field = (WIDTH - 2 * MARGIN - GAP) / 2
        self.cell = self.field / self.board.size
        left = (WIDTH - len(numbers) * self.field - (len(numbers) - 1) * GAP) / 2
        self.left = {
            number: left + index * (self.field + GAP) for index, number in enumerate(numbers)
        }
        self.top = MARGIN + HEAD - 18
        self.middle_top = self.top + self.field + 34.0
        self.middle_height = max(4, state.seats) * ROW + ROW
        self.rows_left = MARGIN + MAP_WIDTH + 24.0
        self.cards_top = self.middle_top + self.middle_height + 12.0
        self.height = self.cards_top + CARD + 16
        self.width = WIDTH

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

    def middle(
        self, x: float, y: float, square: int, cell: float | None = None
    ) -> tuple[float, float]:
        """The middle of a square of the tile at (x, y)."""
        row, column = divmod(square, self.board.size)
        cell = cell or self.cell
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
            elif self.crossing is not None:
                yield from self.candidates(x, self.crossing)

    def candidates(self, x: float, step: Crossing) -> Iterator[str]:
        """The tiles that fit beyond the edge, turned as they would lie; an arrow shows where the
        line comes in."""
        board, words, y = self.board, self.words, self.top
        end = END_NAMES[step.end]
        yield _label(x, y - 10, words._("Which tile at end {end}?", end=end), 13, bold=True)
        site = self.geo.site(self.state, step.end)
        land = self.geo.landscape
        layouts = land.fitting(site.land, *land.beyond(site.land, site.number, site.leaves))
        columns = 2 if len(layouts) <= 4 else 3
        rows = -(-len(layouts) // columns)
        gap = 14.0
        size = min(
            (self.field - (columns - 1) * gap) / columns, (self.field - (rows - 1) * gap) / rows
        )
        entry = board.opposite[site.square][site.leaves]
        fill, _ = END_COLOURS[step.end]
        for index, layout in enumerate(layouts):
            row, column = divmod(index, columns)
            left, top = x + column * (size + gap), y + row * (size + gap)
            cell = size / board.size
            tile = board.tiles[layout.tile].id
            shapes = list(self.terrain(layout, left, top, cell))
            shapes.append(
                svg.element(
                    "rect",
                    x=left,
                    y=top,
                    width=size,
                    height=size,
                    class_="grid",
                    fill="none",
                    stroke=INK,
                    stroke_width=1.4,
                )
            )
            for letter, mask in ((MOUNTAIN, layout.mountain), (WATER, layout.water)):
                inner = mask & ~sum_masks(board.borders)
                squares = list(bits(inner))
                for square in squares[len(squares) // 4 :: max(1, len(squares) // 2)][:2]:
                    shapes.append(
                        self.glyph(letter, *self.middle(left, top, square, cell), cell * 1.7)
                    )
            cx, cy = self.middle(left, top, entry, cell)
            shapes.append(_arrow(cx, cy, site.leaves, cell * 1.1, fill))
            left_over = self.state.ledger.held(small(tile), "supply")
            name = words._("{tile}, {n} left", tile=tile_name(tile, words), n=left_over)
            yield svg.group(
                shapes, title=name, class_="candidate", data_pick=f"tile:{tile}:{layout.rotation}"
            )

    def field_at(
        self, x: float, layout: Layout, ends: Sequence[int], pieces: Sequence[Piece]
    ) -> str:
        """One large tile."""
        board, y = self.board, self.top
        shapes = list(self.terrain(layout, x, y, self.cell))
        for square, letter in enumerate(layout.terrain):
            if letter in CLASSES:
                shapes.append(self.glyph(letter, *self.middle(x, y, square), self.cell))
        lines = "".join(
            f"M{svg.number(x + n * self.cell)} {svg.number(y)}v{svg.number(self.field)}"
            f"M{svg.number(x)} {svg.number(y + n * self.cell)}h{svg.number(self.field)}"
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
            middle = (n + 0.5) * self.cell
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
            [
                self.die_body(cx, cy, self.cell - 4),
                *self.rails(cx, cy, self.cell, piece.back, piece.front),
            ],
            title=f"{name}, {title}",
            class_="die-on-tile",
        )

    def station(self, x: float, y: float, piece: Piece) -> str:
        """A station cube on the track that leads through it."""
        company = self.board.companies[piece.company]
        fill, ink = self.colours(piece.company)
        shapes = list(self.rails(x, y, self.cell, piece.back, piece.front))
        half = self.cell * 0.33
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
        """The squares the ends of the line point to, and above them the pieces that can lie there."""
        if not self.state.agenda:
            return
        exits: list[str] = []
        for end in (0, 1):
            if self.joining is not None and end == self.joining.end:
                site, x = self.geo.joining(self.state, self.joining), self.left[NEW]
            elif self.state.ends[end].small in self.left:
                site = self.geo.site(self.state, end)
                x = self.left[site.number]
            else:
                continue
            for square, back in site.ways:
                if not site.occupied >> square & 1:
                    yield self.target(end, square, x)
                    exits += self.exits(end, square, back, x)
        yield from exits

    def target(self, end: int, square: int, x: float) -> str:
        """A square an end points to, as a ring with its letter."""
        fill, _ = END_COLOURS[end]
        size, name = self.cell, self.board.names[square]
        cx, cy = self.middle(x, self.top, square)
        return svg.group(
            [
                svg.element(
                    "rect",
                    x=cx - size / 2 + 2,
                    y=cy - size / 2 + 2,
                    width=size - 4,
                    height=size - 4,
                    rx=size / 6,
                    class_=f"ring end-{END_NAMES[end]}",
                    fill="#ffffff",
                    fill_opacity=0.55,
                    stroke=fill,
                    stroke_width=2.2,
                    stroke_dasharray="5 3",
                ),
                svg.text(
                    cx,
                    cy + size * 0.16,
                    END_NAMES[end],
                    class_=f"letter end-{END_NAMES[end]}",
                    font_size=round(size * 0.44, 1),
                    font_weight="bold",
                    fill=fill,
                ),
            ],
            title=self.words._("{square}, end {end} of the line", square=name, end=END_NAMES[end]),
            class_="place",
            data_pick=f"square:{END_NAMES[end]}:{name}",
        )

    def exits(self, end: int, square: int, back: int, x: float) -> Iterator[str]:
        """The pieces for a square, each drawn as a small die on the side it leads to."""
        words, name = self.words, self.board.names[square]
        cx, cy = self.middle(x, self.top, square)
        size = self.cell * 0.86
        for side, letter in enumerate(SIDES):
            if side == back:
                continue
            px, py = _side(cx, cy, self.cell * 0.98, side)
            title = words._(
                "{piece} on {square}, on to the {side}",
                piece=words._("straight") if (side - back) % 4 == 2 else words._("curve"),
                square=name,
                side=words._(SIDE_NAMES[letter]),
            )
            yield svg.group(
                [
                    svg.element(
                        "rect",
                        x=px - size / 2,
                        y=py - size / 2,
                        width=size,
                        height=size,
                        rx=size / 6,
                        class_="die",
                        fill=PAPER,
                        stroke=INK,
                        stroke_width=2.0,
                    ),
                    *self.rails(px, py, size - 2, back, side),
                ],
                title=title,
                class_="exit",
                visibility="hidden",
                data_pick=f"exit:{END_NAMES[end]}:{name}:{letter}",
            )

    # ---- the landscape

    def map_scale(self) -> tuple[float, float, float]:
        """The size of a small tile and the position of the place (0, 0)."""
        places = [(tile.row, tile.column) for tile in self.state.landscape]
        place = self.new_place()
        if place is not None:
            places.append(place)
        rows, columns = [row for row, _ in places], [column for _, column in places]
        tall, wide = max(rows) - min(rows) + 1, max(columns) - min(columns) + 1
        height = self.middle_height - 62.0
        size = min(64.0, MAP_WIDTH / wide, height / tall)
        left = MARGIN + (MAP_WIDTH - wide * size) / 2 - min(columns) * size
        top = self.middle_top + 12 + (height - tall * size) / 2 - min(rows) * size
        return size, left, top

    def new_place(self) -> tuple[int, int] | None:
        """The place in the landscape of the tile that is being chosen or joined."""
        step = self.joining or self.crossing
        if step is None:
            return None
        site = self.geo.site(self.state, step.end)
        return self.geo.landscape.beyond(site.land, site.number, site.leaves)

    def landscape(self) -> Iterable[str]:
        """The small tiles with the stations on them; those in play carry the letters of the ends."""
        words = self.words
        yield svg.element(
            "text",
            _escaped(words._("Landscape")),
            x=MARGIN,
            y=self.middle_top,
            class_="label",
            font_size=13,
            font_weight="bold",
            fill=INK,
        )
        size, left, top = self.map_scale()
        in_play = {large.small: large.pieces for large in self.state.large}
        place = self.new_place()
        if place is not None:
            x, y = left + place[1] * size, top + place[0] * size
            yield svg.element(
                "rect",
                x=x + 2,
                y=y + 2,
                width=size - 4,
                height=size - 4,
                class_="place-free",
                fill="#ffffff",
                fill_opacity=0.45,
                stroke=INK,
                stroke_width=1.4,
                stroke_dasharray="4 3",
            )
            mark = round(size * 0.5, 1)
            yield svg.text(
                x + size / 2, y + size * 0.68, "?", class_="label", font_size=mark, fill=INK
            )
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
        """The companies with their directors and what is left of their shares and stations."""
        board, state, words = self.board, self.state, self.words
        gap = 10.0
        width = (WIDTH - 2 * MARGIN + gap) / max(5, len(board.companies)) - gap
        for index, company in enumerate(board.companies):
            x, y = MARGIN + index * (width + gap), self.cards_top
            director = state.directors[index]
            left = state.ledger.held(share(company.id), "supply")
            stations = sum(
                state.ledger.held(stock.item, "card") for stock in board.stocks_of[index]
            )
            who = words.name(director) if director >= 0 else words._("no director")
            fill, ink = self.colours(index)
            shapes = [
                svg.element(
                    "rect",
                    x=x,
                    y=y,
                    width=width,
                    height=CARD,
                    rx=5,
                    class_="card",
                    fill=PAPER,
                    stroke=INK,
                    stroke_width=1.2,
                ),
                svg.element(
                    "path",
                    d=f"M{svg.number(x)} {svg.number(y + 25)}v-20q0-5 5-5h{svg.number(width - 10)}"
                    "q5 0 5 5v20z",
                    class_=f"company-{company.id}",
                    fill=fill,
                    stroke=INK,
                    stroke_width=1.2,
                ),
                svg.text(
                    x + width / 2,
                    y + 17.5,
                    company.name,
                    font_size=round(min(12.5, width / len(company.name) / 0.7), 1),
                    font_weight="bold",
                    fill=ink,
                ),
                _label(x + 9, y + 43, _short(who, 17), 12),
                *self.paper(x + 18, y + 61),
                _label(x + 31, y + 65.5, f"×{left}", 12.5, bold=True),
                self.square_of(x + width / 2 + 14, y + 61, 14.0, company.id, fill),
                svg.text(
                    x + width / 2 + 14,
                    y + 65,
                    self.letter(index),
                    font_size=10.5,
                    font_weight="bold",
                    fill=ink,
                ),
                _label(x + width / 2 + 24, y + 65.5, f"×{stations}", 12.5, bold=True),
            ]
            title = words._(
                "{company}: {who}; {shares} shares in the bank, {stations} stations left",
                company=company.name,
                who=who,
                shares=left,
                stations=stations,
            )
            yield svg.group(
                shapes, title=title, class_="company", data_pick=f"company:{company.id}"
            )

    def stocks(self) -> Iterable[str]:
        """The small tiles that are left."""
        size = 28.0
        shown = max(4, len(self.board.tiles))
        step = (MAP_WIDTH + 14) / shown
        y = self.middle_top + self.middle_height - 38
        for index, tile in enumerate(self.board.tiles):
            x = MARGIN + index * step
            layout = self.board.layouts[index][0]
            left = self.state.ledger.held(small(tile.id), "supply")
            shapes = list(self.terrain(layout, x, y, size / self.board.size))
            shapes.append(_label(x + size + 3, y + 19, f"×{left}", 12.5, bold=True))
            name = self.words._("{tile}, {n} left", tile=tile_name(tile.id, self.words), n=left)
            yield svg.group(shapes, title=name, class_="stock", data_pick=f"stock:{tile.id}")

    def pools(self) -> Iterable[str]:
        """The dice of every player, before and behind the screen, and the bank's."""
        state, words = self.state, self.words
        right = WIDTH - MARGIN
        y = self.middle_top - 4
        yield svg.group(
            [
                _label(
                    self.rows_left, y + 5, words._("Year {year}", year=state.year), 15, bold=True
                ),
                svg.element(
                    "text",
                    _escaped(words._("Bank")),
                    x=right - 68,
                    y=y + 5,
                    class_="label",
                    text_anchor="end",
                    font_size=13,
                    font_weight="bold",
                    fill=INK,
                ),
                self.die_body(right - 50, y, 22.0),
                _label(right - 34, y + 5, f"× {supply(state)}", 13, bold=True),
            ],
            title=words._("{n} dice in the bank", n=supply(state)),
            class_="bank",
        )
        turn = next(
            (step.seat for step in reversed(state.agenda) if isinstance(step, WITH_SEAT)), -1
        )
        for seat in range(state.seats):
            yield self.pool(seat, y + ROW * (seat + 1) - 2, turn == seat)

    def pool(self, seat: int, y: float, on_turn: bool) -> str:
        """The name of a player, the screen, and the dice in front of it."""
        state, words, left = self.state, self.words, self.rows_left
        right = WIDTH - MARGIN
        shapes = []
        if on_turn:
            shapes.append(
                svg.element(
                    "rect",
                    x=left - 8,
                    y=y - ROW / 2 + 1,
                    width=right - left + 14,
                    height=ROW - 2,
                    rx=6,
                    class_="turn",
                    fill="#fff3bf",
                )
            )
        shapes.append(_label(left, y + 5, _short(words.name(seat), 12), 13, bold=True))
        hidden = seat in state.screened
        number = "?" if hidden else str(state.ledger.held("die", BEHIND[seat]))
        x = left + 96.0
        title = words._("behind the screen of {name}", name=words.name(seat))
        shapes.append(svg.group(self.screen(x, y, number), title=title, class_="behind"))
        x += 86.0
        counts = faces(state, seat)
        row = [face for face, count in enumerate(counts) for _ in range(count)]
        # Many dice are drawn smaller, in the end in two lines, so that each can be pointed at.
        room, lines = right - x + 4, 1
        if len(row) * 22 > room:
            lines = 2
        each = -(-len(row) // lines)
        step = min(34.0 if lines == 1 else 19.0, room / max(1, each))
        tall = 32.0 / lines + 3 * (lines - 1)
        for place, face in enumerate(row):
            line, column = divmod(place, each)
            cx = x + step * (column + 0.5)
            cy = y + tall * (line - (lines - 1) / 2)
            # What can be pointed at has no gaps.
            ground = svg.element(
                "rect",
                x=cx - step / 2,
                y=cy - tall / 2,
                width=step,
                height=tall,
                class_="ground",
                fill_opacity=0,
            )
            shapes.append(
                svg.group(
                    [ground, *self.face(cx, cy, face, step - 5 + lines)],
                    title=dice_list([int(n == face) for n in range(4)], words),
                    class_="face",
                    data_pick=f"die:{FACE_KEYS[face]}" if on_turn else None,
                )
            )
        return svg.group(shapes, class_=f"dice seat-{seat}", data_seat=seat)

    def face(self, x: float, y: float, face: int, size: float) -> list[str]:
        """A die in front of a screen."""
        shapes = [self.die_body(x, y, size)]
        if face == STRAIGHT:
            shapes += self.rails(x, y, size - 2, 3, 1)
        elif face == CURVE:
            shapes += self.rails(x, y, size - 2, 3, 2)
        elif face == SHARE:
            shapes += self.paper(x, y, size)
        else:
            look = {"font_size": size * 0.7, "font_weight": "bold", "fill": INK}
            shapes.append(svg.text(x, y + size / 4, "?", **look))
        return shapes

    def paper(self, x: float, y: float, size: float = 30.0) -> list[str]:
        """A share."""
        unit = size / 30
        return [
            svg.element(
                "rect",
                x=x - 10 * unit,
                y=y - 7 * unit,
                width=20 * unit,
                height=14 * unit,
                class_="paper",
                fill="#d9e6c3",
                stroke=INK,
                stroke_width=1.1,
            ),
            svg.text(x, y + 4 * unit, "%", font_size=10.5 * unit, font_weight="bold", fill=INK),
        ]

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
                if number not in self.left:
                    continue
                square = self.board.square_index[second]
                cx, cy = self.middle(self.left[number], self.top, square)
                yield _frame(cx - self.cell / 2, cy - self.cell / 2, self.cell, look)
            elif kind == "place":
                x, y = left + int(second) * size, top + int(first) * size
                yield _frame(x, y, size, look)


def _side(x: float, y: float, reach: float, side: int) -> tuple[float, float]:
    rows, columns = STEPS[side]
    return x + columns * reach, y + rows * reach


def _escaped(content: str) -> str:
    return content.replace("&", "&amp;").replace("<", "&lt;")


def _short(name: str, most: int) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def _arrow(x: float, y: float, side: int, size: float, fill: str) -> str:
    """An arrow towards a side."""
    rows, columns = STEPS[side]
    tip = (x + columns * size / 2, y + rows * size / 2)
    base = (x - columns * size / 2, y - rows * size / 2)
    points = [
        tip,
        (base[0] + rows * size * 0.5, base[1] + columns * size * 0.5),
        (base[0] - rows * size * 0.5, base[1] - columns * size * 0.5),
    ]
    return svg.polygon(points, class_="arrow", fill=fill, stroke="#ffffff", stroke_width=1.2)


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
            svg.group(page.stocks(), class_="stocks"),
            svg.group(page.cards(), class_="cards"),
            svg.group(page.pools(), class_="pools"),
            svg.group(page.targets(), class_="targets"),
            svg.group(page.marked(marks), class_="marks"),
        ],
        label=words._("Board of {title}", title="Railroad Dice"),
        class_="board",
        data_title="dice",
    )


def marks(events: Sequence[Event]) -> list[str]:
    """The elements the board points out after these events."""
    found: list[str] = []
    for event in events:
        match event:
            case happened.TrackLaid() | happened.StationBuilt():
                found.append(f"square:{event.end}:{event.square}")
            case happened.TileConnected(row=row, column=column):
                found.append(f"place:{row}:{column}")
            case happened.ShareBought(company=company):
                found.append(f"company:{company}")
    return list(dict.fromkeys(found))
