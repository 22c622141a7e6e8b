"""The large tiles in play with what lies on them, and those that can be chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from kursbuch.games.dice.components import MOUNTAIN, WATER, Board, Layout
from kursbuch.games.dice.drawing.looks import (
    CANDIDATE,
    COORDINATE,
    CUBE,
    END_COLOURS,
    GRID,
    GROUND,
    MARKER,
    bold,
)
from kursbuch.games.dice.drawing.page import Page
from kursbuch.games.dice.drawing.shapes import (
    arrow,
    company_square,
    die,
    glyph,
    label,
    rails,
    terrain,
)
from kursbuch.games.dice.geography import large_tile
from kursbuch.games.dice.holdings import tiles_left
from kursbuch.games.dice.state import END_NAMES, Crossing, Piece
from kursbuch.games.dice.ways import bits, sum_masks
from kursbuch.hexmap import svg


def fields(page: Page) -> Iterable[str]:
    """The large tiles in play with what lies on them, and the one being joined."""
    for number, x in page.left.items():
        yield svg.group(
            _shown(page, number, x),
            transform="translate(0 0)",
            data_narrow=page.narrow_field(number),
        )


def _shown(page: Page, number: int, x: float) -> Iterator[str]:
    """What lies at one of the places for large tiles."""
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
    """One large tile."""
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
    """A large tile without what lies on it."""
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


def _grid(size: int, x: float, y: float, cell: float) -> str:
    """Path data of the lines between squares."""
    field = svg.number(size * cell)
    return "".join(
        f"M{svg.number(x + n * cell)} {svg.number(y)}v{field}"
        f"M{svg.number(x)} {svg.number(y + n * cell)}h{field}"
        for n in range(size + 1)
    )


def _marker(page: Page, end: int, x: float, y: float) -> str:
    """The marker of an end of the line."""
    fill, ink = END_COLOURS[end]
    name = END_NAMES[end]
    return svg.group(
        [
            svg.circle(x, y, 11.0, fill=fill, **MARKER),
            svg.text(x, y + 4.5, name, **bold(13, ink)),
        ],
        title=page.words._("end {end} of the line", end=name),
        class_="marker",
    )


def _piece(page: Page, x: float, y: float, piece: Piece) -> str:
    """A die with its track, or a station."""
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
    """A die with its track."""
    return svg.group(
        [die(x, y, cell - 4), rails(x, y, cell, back, front)],
        title=title,
        class_="die-on-tile",
        data_piece=key,
    )


def _station(page: Page, x: float, y: float, piece: Piece) -> str:
    """A station cube on the track that leads through it."""
    company = page.board.companies[piece.company]
    title = page.words._("station of {company}", company=company.name)
    cube = Cube(company.id, page.letter(piece.company), page.colours(piece.company), title)
    return _built(x, y, page.cell, piece.back, piece.front, cube)


class Cube(NamedTuple):
    """A station of a company."""

    company: str
    letter: str
    colours: tuple[str, str]
    title: str


@lru_cache(maxsize=2048)
def _built(x: float, y: float, cell: float, back: int, front: int, cube: Cube) -> str:
    """A station where it stands."""
    fill, ink = cube.colours
    shapes = [rails(x, y, cell, back, front)]
    half = cell * 0.33
    corner = (x + half, y - half)
    roof = [(x - half, y - half), (x - half + 5, y - half - 5), (x + half + 5, y - half - 5)]
    wall = [(x + half + 5, y - half - 5), (x + half + 5, y + half - 5), (x + half, y + half)]
    for points in ([*roof, corner], [*wall, corner]):
        shapes.append(svg.polygon(points, class_=f"company-{cube.company}", fill=fill, **CUBE))
    shapes.append(company_square(cube.company, fill, x, y, 2 * half))
    shapes.append(svg.text(x, y + 6, cube.letter, **bold(17, ink)))
    return svg.group(shapes, title=cube.title, class_="station")


# ---- tiles to choose from


def _candidates(page: Page, x: float, step: Crossing) -> Iterator[str]:
    """The tiles that fit beyond the edge, turned as they would lie."""
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
        # Where the line comes in.
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
