"""The large tiles in play with what lies on them, and those that can be chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kursbuch.dice.components import MOUNTAIN, WATER, Layout
from kursbuch.dice.drawing.looks import (
    CANDIDATE,
    COORDINATE,
    CUBE,
    END_COLOURS,
    GRID,
    GROUND,
    MARKER,
    bold,
)
from kursbuch.dice.drawing.page import Page
from kursbuch.dice.drawing.shapes import arrow, die, glyph, label, rails
from kursbuch.dice.geography import large_tile
from kursbuch.dice.holdings import tiles_left
from kursbuch.dice.state import END_NAMES, Crossing, Piece
from kursbuch.dice.ways import bits, sum_masks
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
    shapes = list(page.terrain(layout, x, y, page.cell))
    for square, letter in enumerate(layout.terrain):
        if letter in GROUND:
            shapes.append(glyph(letter, *page.middle(x, y, square), page.cell))
    shapes.append(svg.path(_grid(page, x, y), **GRID))
    for n in range(board.size):
        name = board.names[n * board.size + n]
        middle = (n + 0.5) * page.cell
        shapes.append(svg.text(x + middle, y + page.field + 11, name[0], **COORDINATE))
        shapes.append(svg.text(x - 8, y + middle + 3, name[1:], **COORDINATE))
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


def _grid(page: Page, x: float, y: float) -> str:
    """Path data of the lines between squares."""
    return "".join(
        f"M{svg.number(x + n * page.cell)} {svg.number(y)}v{svg.number(page.field)}"
        f"M{svg.number(x)} {svg.number(y + n * page.cell)}h{svg.number(page.field)}"
        for n in range(page.board.size + 1)
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
    return svg.group(
        [
            die(cx, cy, page.cell - 4),
            *rails(cx, cy, page.cell, piece.back, piece.front),
        ],
        title=f"{name}, {title}",
        class_="die-on-tile",
        data_piece=f"die:{tile}:{name}",
    )


def _station(page: Page, x: float, y: float, piece: Piece) -> str:
    """A station cube on the track that leads through it."""
    company = page.board.companies[piece.company]
    fill, ink = page.colours(piece.company)
    shapes = list(rails(x, y, page.cell, piece.back, piece.front))
    half = page.cell * 0.33
    corner = (x + half, y - half)
    roof = [(x - half, y - half), (x - half + 5, y - half - 5), (x + half + 5, y - half - 5)]
    wall = [(x + half + 5, y - half - 5), (x + half + 5, y + half - 5), (x + half, y + half)]
    for points in ([*roof, corner], [*wall, corner]):
        shapes.append(svg.polygon(points, class_=f"company-{company.id}", fill=fill, **CUBE))
    shapes.append(page.company_square(piece.company, x, y, 2 * half))
    shapes.append(svg.text(x, y + 6, page.letter(piece.company), **bold(17, ink)))
    return svg.group(
        shapes,
        title=page.words._("station of {company}", company=company.name),
        class_="station",
    )


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
    yield from page.terrain(layout, x, y, cell)
    yield svg.rect(x, y, size, size, **CANDIDATE)
    for letter, mask in ((MOUNTAIN, layout.mountain), (WATER, layout.water)):
        squares = list(bits(mask & ~sum_masks(page.board.borders)))
        for square in squares[len(squares) // 4 :: max(1, len(squares) // 2)][:2]:
            yield glyph(letter, *page.middle(x, y, square, cell), cell * 1.7)
