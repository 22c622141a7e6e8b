"""The board of Railroad Dice as SVG: the large tiles in play, the landscape, companies and dice.

Selectable elements carry `data-pick`: `square:A:e4` (a square that end A of the line points to), `exit:A:e4:N` (the
piece leading north from there), `die:curve` (the current player's curves), `company:insel`, `tile:lake:0` (a new
tile that fits, unrotated), `stock:lake` (the small tiles left). Pages enable clicks only for current choices; exits
are hidden until then.

Classes for recolouring: `table`, `meadow`, `mountain`, `water`, `glyph`, `grid`, `coord`, `die`, `rail`, `sleeper`,
`card`, `label`, `marker`, `ring`, `letter`, `place-free`, `mark`; `company-ID` for a company's colour and `seat-N`
on player badges. Nothing relies on colour alone: mountains have peaks, water has waves, companies have letters, ends
of the line are A and B.

`data-narrow` rearranges the drawing for narrow screens: a `viewBox` on the drawing, a `transform` on its parts.
`data-wide` is the original `viewBox`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from kursbuch.core.events import Event
from kursbuch.core.words import Words
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.components import MOUNTAIN, SIDES, WATER, Board, Layout
from kursbuch.games.dice.drawing import shapes
from kursbuch.games.dice.drawing.shapes import (
    BOLD,
    CANDIDATE,
    CARD,
    CARD_HEIGHT,
    COORDINATE,
    CUBE,
    END_COLOURS,
    EXIT,
    FREE_PLACE,
    GRID,
    GROUND,
    INK,
    MARGIN,
    MARKER,
    NEW,
    NUMBER,
    ON_TURN,
    POINTABLE,
    RING,
    ROW,
    SIGN,
    SMALL,
    SMALL_IN_PLAY,
    SMALL_MARKER,
    TABLE,
    WIDTH,
    Page,
    arrow,
    bold,
    company_square,
    die,
    glyph,
    label,
    rails,
    screen,
    share,
    terrain,
)
from kursbuch.games.dice.geography import Geography, bits, large_tile, sum_masks
from kursbuch.games.dice.state import (
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
    behind,
    faces,
    shares_left,
    stations_left,
    supply,
    tiles_left,
)
from kursbuch.games.dice.text.panels import FACE_KEYS, Names
from kursbuch.hexmap import svg
from kursbuch.hexmap.svg import shortened


def landscape(page: Page) -> Iterable[str]:
    """Small tiles with their stations; tiles in play show the letters of the ends."""
    state = page.state
    yield label(MARGIN, page.middle_top, page.words._("Landscape"), 13, bold=True)
    size, left, top = page.map_scale()
    in_play = {large.small: large.pieces for large in state.large}
    place = page.new_place()
    if place is not None:
        yield from _free_place(left + place[1] * size, top + place[0] * size, size)
    for number, tile in enumerate(state.landscape):
        x, y = left + tile.column * size, top + tile.row * size
        yield _small_tile(page, tile, x, y, size, in_play.get(number, []))
    for number in in_play:
        tile = state.landscape[number]
        ends = [end for end in (0, 1) if state.ends[end].small == number]
        yield from _markers(ends, left + tile.column * size, top + tile.row * size, size)


def _free_place(x: float, y: float, size: float) -> Iterator[str]:
    """The place of the tile being chosen or joined."""
    yield svg.rect(x + 2, y + 2, size - 4, size - 4, **FREE_PLACE)
    look = {"class_": "label", "font_size": round(size * 0.5, 1), "fill": INK}
    yield svg.text(x + size / 2, y + size * 0.68, "?", **look)


def _markers(ends: Sequence[int], x: float, y: float, size: float) -> Iterator[str]:
    """Letters of the ends on the small tile at (x, y)."""
    for index, end in enumerate(ends):
        fill, ink = END_COLOURS[end]
        cx, cy = x + size * (0.18 + 0.34 * index), y + size * 0.18
        yield svg.circle(cx, cy, size * 0.17, fill=fill, **SMALL_MARKER)
        yield svg.text(cx, cy + size * 0.115, END_NAMES[end], **bold(round(size * 0.33, 1), ink))


def _small_tile(
    page: Page, tile: Small, x: float, y: float, size: float, pieces: Sequence[Piece]
) -> str:
    """A small tile with its stations, including those on its large tile."""
    board = page.board
    companies = [n for n in range(len(board.companies)) if tile.stations >> n & 1]
    companies += [piece.company for piece in pieces if piece.company >= 0]
    return _drawn(
        page.words.nameless,
        board,
        board.layout(tile.tile, tile.rotation),
        (x, y, size),
        bool(pieces),
        tuple(_cube(page, n) for n in companies),
        f"{tile.row}:{tile.column}",
    )


@lru_cache(maxsize=2048)
def _drawn(
    words: Words,
    board: Board,
    layout: Layout,
    place: tuple[float, float, float],
    in_play: bool,
    stations: tuple[Cube, ...],
    key: str,
) -> str:
    """Cached part of `_small_tile`."""
    x, y, size = place
    shapes = [terrain(layout, board.size, x, y, size / board.size)]
    shapes.append(svg.rect(x, y, size, size, **(SMALL_IN_PLAY if in_play else SMALL)))
    for letter, mask in ((MOUNTAIN, layout.mountain), (WATER, layout.water)):
        if mask:
            shapes.append(glyph(letter, x + size * 0.78, y + size * 0.24, size * 0.34))
    # Three in a row at the largest size, to keep letters readable.
    cube = size * 0.31
    parts = [Names(board, words).tile(board.tiles[layout.tile].id)]
    for index, station in enumerate(stations):
        cx = x + size * 0.035 + cube * (0.5 + index % 3)
        cy = y + size * 0.36 + cube * (0.5 + index // 3)
        fill, ink = station.colours
        shapes.append(company_square(station.company, fill, cx, cy, cube - 0.8))
        look = bold(round(cube * 0.98, 1), ink)
        shapes.append(svg.text(cx, cy + cube * 0.35, station.letter, **look))
        parts.append(words._("station of {company}", company=station.title))
    return svg.group(shapes, title=", ".join(parts), class_="small", data_place=key)


def targets(page: Page) -> Iterable[str]:
    """Squares the ends point to, and above them the possible pieces."""
    if not page.state.agenda:
        return
    above: list[str] = []
    for end in (0, 1):
        if page.joining is not None and end == page.joining.end:
            site, number = page.geo.joining(page.state, page.joining), NEW
        elif page.state.ends[end].small in page.left:
            site = page.geo.site(page.state, end)
            number = site.number
        else:
            continue
        x = page.left[number]
        squares: list[str] = []
        exits: list[str] = []
        for square, back in site.ways:
            if not site.occupied >> square & 1:
                name, middle = page.board.names[square], page.middle(x, page.top, square)
                squares.append(_target(page.words.nameless, end, name, middle, page.cell))
                exits += _exits(page.words.nameless, page.board, end, name, back, middle, page.cell)
        narrow = page.narrow_field(number)
        yield svg.group(squares, transform="translate(0 0)", data_narrow=narrow)
        above.append(svg.group(exits, transform="translate(0 0)", data_narrow=narrow))
    yield from above


@lru_cache(maxsize=2048)
def _target(words: Words, end: int, name: str, middle: tuple[float, float], size: float) -> str:
    """A square an end points to, as a ring with its letter."""
    letter, (fill, _), (cx, cy) = END_NAMES[end], END_COLOURS[end], middle
    look = {"rx": size / 6, "class_": f"ring end-{letter}"} | RING | {"stroke": fill}
    return svg.group(
        [
            shapes.square(cx, cy, size - 4, **look),
            svg.text(
                cx,
                cy + size * 0.16,
                letter,
                class_=f"letter end-{letter}",
                font_size=round(size * 0.44, 1),
                **BOLD,
                fill=fill,
            ),
        ],
        title=words._("{square}, end {end} of the line", square=name, end=letter),
        class_="place",
        data_pick=f"square:{letter}:{name}",
    )


@lru_cache(maxsize=2048)
def _exits(
    words: Words,
    board: Board,
    end: int,
    name: str,
    back: int,
    middle: tuple[float, float],
    cell: float,
) -> Sequence[str]:
    """Possible pieces on a square, each a small die on the side it leads to."""
    names, (cx, cy), size = Names(board, words), middle, cell * 0.86
    drawn = []
    for side, letter in enumerate(SIDES):
        if side == back:
            continue
        px, py = shapes.towards(cx, cy, cell * 0.98, side)
        title = words._(
            "{piece} on {square}, on to the {side}",
            piece=names.piece((side - back) % 4 != 2),
            square=name,
            side=names.side(letter),
        )
        drawn.append(
            svg.group(
                [
                    shapes.square(px, py, size, rx=size / 6, **EXIT),
                    shapes.rails(px, py, size - 2, back, side),
                ],
                title=title,
                class_="exit",
                visibility="hidden",
                data_pick=f"exit:{END_NAMES[end]}:{name}:{letter}",
            )
        )
    return drawn


def marked(page: Page, marks: Sequence[str]) -> Iterable[str]:
    """Frames around the changes of the last move."""
    size, left, top = page.map_scale()
    for key in marks:
        kind, _, rest = key.partition(":")
        first, _, second = rest.partition(":")
        if kind == "square" and first in END_NAMES and second in page.board.square_index:
            number = page.state.ends[END_NAMES.index(first)].small
            if number in page.left:
                square = page.board.square_index[second]
                cx, cy = page.middle(page.left[number], page.top, square)
                frame = shapes.frame(cx - page.cell / 2, cy - page.cell / 2, page.cell)
                narrow = page.narrow_field(number)
                yield svg.group([frame], transform="translate(0 0)", data_narrow=narrow)
        elif kind == "place":
            frame = shapes.frame(left + int(second) * size, top + int(first) * size, size)
            narrow = page.narrow_landscape()
            yield svg.group([frame], transform="translate(0 0)", data_narrow=narrow)


def fields(page: Page) -> Iterable[str]:
    """Large tiles in play with their pieces, and the tile being joined."""
    for number, x in page.left.items():
        yield svg.group(
            _shown(page, number, x),
            transform="translate(0 0)",
            data_narrow=page.narrow_field(number),
        )


def _shown(page: Page, number: int, x: float) -> Iterator[str]:
    """Content of a place for large tiles."""
    state = page.state
    if number >= 0:
        tile = state.landscape[number]
        layout = page.board.layout(tile.tile, tile.rotation)
        ends = [end for end in (0, 1) if state.ends[end].small == number]
        yield _field(page, x, layout, ends, large_tile(state, number).pieces)
    elif page.joining is not None:
        layout = page.board.layout(page.joining.tile, page.joining.rotation)
        yield _field(page, x, layout, [], [])
    elif page.crossing is not None:
        yield from _candidates(page, x, page.crossing)


def _field(
    page: Page, x: float, layout: Layout, ends: Sequence[int], pieces: Sequence[Piece]
) -> str:
    """A large tile."""
    board, y = page.board, page.top
    shapes = [_ground(board, layout, x, y, page.cell)]
    shapes += [_piece(page, x, y, piece) for piece in pieces]
    start = x
    for end in ends:
        shapes.append(_marker(page, end, start + 12, y - 15))
        start += 28
    name = page.names.tile(board.tiles[layout.tile].id)
    if not ends:
        name = page.words._("new: {tile}", tile=name)
    shapes.append(label(start + 4, y - 10, name, 13, bold=True))
    return svg.group(shapes, title=name, class_="field")


@lru_cache(maxsize=128)
def _ground(board: Board, layout: Layout, x: float, y: float, cell: float) -> str:
    """A large tile without pieces."""
    size, field = board.size, board.size * cell
    shapes = [terrain(layout, size, x, y, cell)]
    for square, letter in enumerate(layout.terrain):
        if letter in GROUND:
            row, column = divmod(square, size)
            shapes.append(glyph(letter, x + (column + 0.5) * cell, y + (row + 0.5) * cell, cell))
    shapes.append(svg.path(_grid(size, x, y, cell), **GRID))
    for n in range(size):
        name = board.names[n * size + n]
        middle = (n + 0.5) * cell
        shapes.append(svg.text(x + middle, y + field + 11, name[0], **COORDINATE))
        shapes.append(svg.text(x - 8, y + middle + 3, name[1:], **COORDINATE))
    return "".join(shapes)


def draw_tile(board: Board, tile: int, label: str) -> str:
    """A type of tile on its own, unrotated, with the names of rows and columns."""
    cell = 20.0
    width = board.size * cell
    parts = [_ground(board, board.layout(tile, 0), 18, 4, cell)]
    return svg.document(width + 24, width + 22, parts, label=label, data_title="dice")


def _grid(size: int, x: float, y: float, cell: float) -> str:
    """Path of the lines between squares."""
    field = svg.number(size * cell)
    return "".join(
        f"M{svg.number(x + n * cell)} {svg.number(y)}v{field}"
        f"M{svg.number(x)} {svg.number(y + n * cell)}h{field}"
        for n in range(size + 1)
    )


def _marker(page: Page, end: int, x: float, y: float) -> str:
    """Marker of an end of the line."""
    fill, ink = END_COLOURS[end]
    name = END_NAMES[end]
    return svg.group(
        [
            svg.disc(x, y, 11.0, fill=fill, **MARKER),
            svg.text(x, y + 4.5, name, **bold(13, ink)),
        ],
        title=page.words._("end {end} of the line", end=name),
        class_="marker",
    )


def _piece(page: Page, x: float, y: float, piece: Piece) -> str:
    """A die with track, or a station."""
    cx, cy = page.middle(x, y, piece.square)
    if piece.company >= 0:
        return _station(page, cx, cy, piece)
    is_straight = (piece.back - piece.front) % 4 == 2
    title = page.names.piece(not is_straight)
    name = page.board.names[piece.square]
    tile = next(number for number, left in page.left.items() if left == x)
    key = f"die:{tile}:{name}"
    return _laid(cx, cy, page.cell, piece.back, piece.front, f"{name}, {title}", key)


@lru_cache(maxsize=4096)
def _laid(x: float, y: float, cell: float, back: int, front: int, title: str, key: str) -> str:
    """A die with track."""
    return svg.group(
        [die(x, y, cell - 4), rails(x, y, cell, back, front)],
        title=title,
        class_="die-on-tile",
        data_piece=key,
    )


def _station(page: Page, x: float, y: float, piece: Piece) -> str:
    """A station cube on its track."""
    cube = _cube(page, piece.company)
    title = page.words._("station of {company}", company=cube.title)
    return _built(x, y, page.cell, piece.back, piece.front, cube._replace(title=title))


def _cube(page: Page, company: int) -> Cube:
    """The look of a company, with its name."""
    found = page.board.companies[company]
    return Cube(found.id, page.letter(company), page.colours(company), found.name)


class Cube(NamedTuple):
    """The look of a company, and what it is in words."""

    company: str
    letter: str
    colours: tuple[str, str]
    title: str


@lru_cache(maxsize=2048)
def _built(x: float, y: float, cell: float, back: int, front: int, cube: Cube) -> str:
    """A station in place."""
    fill, ink = cube.colours
    shapes = [rails(x, y, cell, back, front)]
    half = cell * 0.33
    corner = (x + half, y - half)
    roof = [(x - half, y - half), (x - half + 5, y - half - 5), (x + half + 5, y - half - 5)]
    wall = [(x + half + 5, y - half - 5), (x + half + 5, y + half - 5), (x + half, y + half)]
    for points, shade in (([*roof, corner], "#ffffff"), ([*wall, corner], "#000000")):
        shapes.append(svg.polygon(points, class_=f"company-{cube.company}", fill=fill, **CUBE))
        shapes.append(svg.polygon(points, class_="face", fill=shade, fill_opacity=".3"))
    shapes.append(company_square(cube.company, fill, x, y, 2 * half))
    shapes.append(svg.text(x, y + 6, cube.letter, **bold(17, ink)))
    return svg.group(shapes, title=cube.title, class_="station")


def _candidates(page: Page, x: float, step: Crossing) -> Iterator[str]:
    """Tiles that fit beyond the edge, rotated to fit."""
    end = END_NAMES[step.end]
    title = page.words._("Which tile at end {end}?", end=end)
    yield label(x, page.top - 10, title, 13, bold=True)
    site, land = page.geo.site(page.state, step.end), page.geo.landscape
    layouts = land.fitting(site.land, *land.beyond(site.land, site.number, site.leaves))
    columns = 2 if len(layouts) <= 4 else 3
    rows = -(-len(layouts) // columns)
    gap = 14.0
    size = min((page.field - (columns - 1) * gap) / columns, (page.field - (rows - 1) * gap) / rows)
    entry = page.board.opposite[site.square][site.leaves]
    for index, layout in enumerate(layouts):
        row, column = divmod(index, columns)
        left, top = x + column * (size + gap), page.top + row * (size + gap)
        shapes = [*_candidate(page, layout, left, top, size)]
        cx, cy = page.middle(left, top, entry, size / page.board.size)
        # Entry of the line.
        fill, _ = END_COLOURS[step.end]
        shapes.append(arrow(cx, cy, site.leaves, size / page.board.size * 1.1, fill))
        tile = page.board.tiles[layout.tile].id
        left_over = tiles_left(page.state, tile)
        name = page.words._("{tile}, {n} left", tile=page.names.tile(tile), n=left_over)
        yield svg.group(
            shapes, title=name, class_="candidate", data_pick=f"tile:{tile}:{layout.rotation}"
        )


def _candidate(page: Page, layout: Layout, x: float, y: float, size: float) -> Iterator[str]:
    cell = size / page.board.size
    yield page.terrain(layout, x, y, cell)
    yield svg.rect(x, y, size, size, **CANDIDATE)
    for letter, mask in ((MOUNTAIN, layout.mountain), (WATER, layout.water)):
        squares = list(bits(mask & ~sum_masks(page.board.borders)))
        for square in squares[len(squares) // 4 :: max(1, len(squares) // 2)][:2]:
            yield glyph(letter, *page.middle(x, y, square, cell), cell * 1.7)


#: Steps with a current player.
WITH_SEAT = Turn | Bridge | Crossing | Joining | Reduction
RIGHT = WIDTH - MARGIN
SCREEN_LEFT = 114.0


def pools(page: Page) -> Iterable[str]:
    """Dice of the bank and of each player."""
    state, words = page.state, page.words
    y, left = page.middle_top - 4, supply(state)
    yield svg.group(
        [
            label(page.rows_left, y + 5, words._("Year {year}", year=state.year), 15, bold=True),
            label(RIGHT - 68, y + 5, words._("Bank"), 13, bold=True, anchor="end"),
            die(RIGHT - 50, y, 22.0),
            label(RIGHT - 34, y + 5, f"× {left}", 13, bold=True),
        ],
        title=words._("{n} dice in the bank", n=left),
        class_="bank",
    )
    turn = next((step.seat for step in reversed(state.agenda) if isinstance(step, WITH_SEAT)), None)
    for seat in range(state.seats):
        yield _pool(page, seat, y + ROW * (seat + 1) - 2, turn == seat)


def _pool(page: Page, seat: int, y: float, on_turn: bool) -> str:
    state = page.state
    number = "?" if seat in state.screened else str(behind(state, seat))
    shown = tuple(faces(state, seat))
    place = page.rows_left, y
    name = page.words.name(seat)
    return _player(page.words.nameless, page.board, seat, name, place, on_turn, number, shown)


@lru_cache(maxsize=1024)
def _player(
    words: Words,
    board: Board,
    seat: int,
    name: str,
    place: tuple[float, float],
    on_turn: bool,
    number: str,
    faces: tuple[int, ...],
) -> str:
    """A player's name, screen with the number of dice behind it, and the faces in front of it."""
    left, y = place
    drawn = []
    if on_turn:
        drawn.append(
            svg.rect(left - 8, y - ROW / 2 + 1, RIGHT - left + 14, ROW - 2, rx=6, **ON_TURN)
        )
    drawn.append(shapes.square(left + 9, y, 19.0, rx=3, **svg.seat_fill(seat), **SIGN))
    drawn.append(svg.text(left + 9, y + 4.7, str(seat + 1), **svg.seat_ink(seat), **NUMBER))
    shown = shortened(name, 13, SCREEN_LEFT - 24 - 14, bold=True)
    drawn.append(label(left + 24, y + 5, shown, 13, bold=True))
    title = words._("behind the screen of {name}", name=name)
    drawn.append(svg.group(screen(left + SCREEN_LEFT, y, number), title=title, class_="behind"))
    drawn += _in_front(Names(board, words), faces, left + SCREEN_LEFT + 80, y, on_turn)
    return svg.group(drawn, class_=f"dice seat-{seat}", data_seat=seat)


def _in_front(
    names: Names, faces: Sequence[int], x: float, y: float, on_turn: bool
) -> Iterator[str]:
    """Many dice are drawn smaller, then in two rows, so that each can be selected."""
    row = [face for face, count in enumerate(faces) for _ in range(count)]
    room, lines = RIGHT - x + 4, 1
    if len(row) * 22 > room:
        lines = 2
    each = -(-len(row) // lines)
    step = min(34.0 if lines == 1 else 19.0, room / max(1, each))
    tall = 32.0 / lines + 3 * (lines - 1)
    for place, face in enumerate(row):
        line, column = divmod(place, each)
        cx = x + step * (column + 0.5)
        cy = y + tall * (line - (lines - 1) / 2)
        ground = svg.rect(cx - step / 2, cy - tall / 2, step, tall, **POINTABLE)
        yield svg.group(
            [ground, *_face(cx, cy, face, step - 5 + lines)],
            title=names.dice([int(n == face) for n in range(4)]),
            class_="face",
            data_pick=f"die:{FACE_KEYS[face]}" if on_turn else None,
        )


def _face(x: float, y: float, face: int, size: float) -> Iterator[str]:
    """A die in front of a screen."""
    yield die(x, y, size)
    if face == STRAIGHT:
        yield rails(x, y, size - 2, 3, 1)
    elif face == CURVE:
        yield rails(x, y, size - 2, 3, 2)
    elif face == SHARE:
        yield from share(x, y, size)
    else:
        yield svg.text(x, y + size / 4, "?", **bold(size * 0.7))


def cards(page: Page) -> Iterable[str]:
    """Companies with their directors, shares and stations left."""
    gap = 10.0
    width = (WIDTH - 2 * MARGIN + gap) / max(5, len(page.board.companies)) - gap
    for index in range(len(page.board.companies)):
        yield _card(page, index, MARGIN + index * (width + gap), width)


def _card(page: Page, index: int, x: float, width: float) -> str:
    state, company = page.state, page.board.companies[index]
    director = state.directors[index]
    stations = sum(stations_left(state, stock) for stock in page.board.stocks_of[index])
    card = _company(
        page.words.nameless,
        _cube(page, index),
        None if director is None else page.words.name(director),
        shares_left(state, company.id),
        stations,
        (x, page.cards_top, width),
    )
    narrow = page.narrow_card(index, x, width)
    return svg.group([card], transform="translate(0 0)", data_narrow=narrow)


@lru_cache(maxsize=2048)
def _company(
    words: Words,
    cube: Cube,
    director: str | None,
    shares: int,
    stations: int,
    place: tuple[float, float, float],
) -> str:
    """A company's card, with the name of its director; most moves change none."""
    (x, y, width), (fill, ink), name = place, cube.colours, cube.title
    who = words._("no director") if director is None else director
    middle = x + width / 2
    head = f"M{svg.number(x)} {svg.number(y + 25)}v-20q0-5 5-5h{svg.number(width - 10)}q5 0 5 5v20z"
    title_size = round(min(12.5, width / len(name) / 0.7), 1)
    shapes = [
        svg.card(x, y, width, CARD_HEIGHT, rx=5, **CARD),
        svg.path(head, class_=f"company-{cube.company}", fill=fill, **CUBE),
        svg.text(middle, y + 17.5, name, **bold(title_size, ink)),
        label(x + 9, y + 43, shortened(who, 12, width - 16), 12),
        *share(x + 18, y + 61),
        label(x + 31, y + 65.5, f"×{shares}", 12.5, bold=True),
        company_square(cube.company, fill, middle + 14, y + 61, 14.0),
        svg.text(middle + 14, y + 65, cube.letter, **bold(10.5, ink)),
        label(middle + 24, y + 65.5, f"×{stations}", 12.5, bold=True),
    ]
    title = words._(
        "{company}: {who}; {shares} shares in the bank, {stations} stations left",
        company=name,
        who=who,
        shares=shares,
        stations=stations,
    )
    return svg.group(shapes, title=title, class_="company", data_pick=f"company:{cube.company}")


def stocks(page: Page) -> Iterable[str]:
    """Small tiles left."""
    board, words, size = page.board, page.words, 28.0
    x, step = MARGIN, (page.middle_height - 24) / max(4, len(board.tiles))
    for index, tile in enumerate(board.tiles):
        y = page.middle_top + 10 + index * step
        left = tiles_left(page.state, tile.id)
        shapes = [page.terrain(board.layouts[index][0], x, y, size / board.size)]
        shapes.append(label(x + size + 3, y + 19, f"×{left}", 12.5, bold=True))
        name = words._("{tile}, {n} left", tile=page.names.tile(tile.id), n=left)
        yield svg.group(shapes, title=name, class_="stock", data_pick=f"stock:{tile.id}")


def draw(state: DiceState, geography: Geography, words: Words, marks: Sequence[str] = ()) -> str:
    """The board as an SVG document; `marks` are keys of highlighted elements."""
    page = Page(state, geography, words)
    return svg.document(
        page.width,
        page.height,
        [
            svg.element("rect", width="100%", height="100%", **TABLE),
            svg.group(fields(page), class_="fields"),
            _moving(landscape(page), "landscape", page.narrow_landscape()),
            _moving(stocks(page), "stocks", page.narrow_landscape()),
            svg.group(cards(page), class_="cards"),
            _moving(pools(page), "pools", page.narrow_pools()),
            svg.group(targets(page), class_="targets"),
            svg.group(marked(page, marks), class_="marks"),
        ],
        label=words._("Board of {title}", title="Railroad Dice"),
        class_="board",
        data_title="dice",
        data_wide=f"0 0 {svg.number(page.width)} {svg.number(page.height)}",
        data_narrow=page.narrow,
    )


def _moving(content: Iterable[str], class_: str, narrow: str) -> str:
    """A group with another position on narrow screens."""
    return svg.group(content, class_=class_, transform="translate(0 0)", data_narrow=narrow)


def marks(events: Sequence[Event]) -> list[str]:
    """Board elements to highlight after these events."""
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
