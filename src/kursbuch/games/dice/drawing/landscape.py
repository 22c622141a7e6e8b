"""The landscape of small tiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from kursbuch.games.dice.components import MOUNTAIN, WATER, Layout
from kursbuch.games.dice.drawing.looks import (
    END_COLOURS,
    FREE_PLACE,
    INK,
    SMALL,
    SMALL_IN_PLAY,
    SMALL_MARKER,
    bold,
)
from kursbuch.games.dice.drawing.page import MARGIN, Page
from kursbuch.games.dice.drawing.shapes import company_square, glyph, label, terrain
from kursbuch.games.dice.state import END_NAMES, Piece, Small
from kursbuch.hexmap import svg


def landscape(page: Page) -> Iterable[str]:
    """The small tiles with the stations on them; those in play carry the letters of the ends."""
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
    """The place of the tile that is being chosen or joined."""
    yield svg.rect(x + 2, y + 2, size - 4, size - 4, **FREE_PLACE)
    look = {"class_": "label", "font_size": round(size * 0.5, 1), "fill": INK}
    yield svg.text(x + size / 2, y + size * 0.68, "?", **look)


def _markers(ends: Sequence[int], x: float, y: float, size: float) -> Iterator[str]:
    """The letters of the ends on the small tile at (x, y)."""
    for index, end in enumerate(ends):
        fill, ink = END_COLOURS[end]
        cx, cy = x + size * (0.18 + 0.34 * index), y + size * 0.18
        yield svg.circle(cx, cy, size * 0.17, fill=fill, **SMALL_MARKER)
        yield svg.text(cx, cy + size * 0.115, END_NAMES[end], **bold(round(size * 0.33, 1), ink))


def _small_tile(
    page: Page, tile: Small, x: float, y: float, size: float, pieces: Sequence[Piece]
) -> str:
    """One small tile with its stations, those on its large tile included."""
    board, words = page.board, page.words
    companies = [n for n in range(len(board.companies)) if tile.stations >> n & 1]
    companies += [piece.company for piece in pieces if piece.company >= 0]
    parts = [page.names.tile(board.tiles[tile.tile].id)]
    parts += [
        words._("station of {company}", company=board.companies[company].name)
        for company in companies
    ]
    return _drawn(
        board.size,
        board.layout(tile.tile, tile.rotation),
        (x, y, size),
        bool(pieces),
        tuple((board.companies[n].id, page.letter(n), page.colours(n)) for n in companies),
        ", ".join(parts),
        f"{tile.row}:{tile.column}",
    )


@lru_cache(maxsize=2048)
def _drawn(
    squares: int,
    layout: Layout,
    place: tuple[float, float, float],
    in_play: bool,
    stations: tuple[tuple[str, str, tuple[str, str]], ...],
    title: str,
    key: str,
) -> str:
    """The same with these stations, each by its company, its letter and its colours."""
    x, y, size = place
    shapes = [terrain(layout, squares, x, y, size / squares)]
    shapes.append(svg.rect(x, y, size, size, **(SMALL_IN_PLAY if in_play else SMALL)))
    for letter, mask in ((MOUNTAIN, layout.mountain), (WATER, layout.water)):
        if mask:
            shapes.append(glyph(letter, x + size * 0.78, y + size * 0.24, size * 0.34))
    # Three in a row, as large as there is room: their letters have to be read.
    cube = size * 0.31
    for index, (company, letter, (fill, ink)) in enumerate(stations):
        cx = x + size * 0.035 + cube * (0.5 + index % 3)
        cy = y + size * 0.36 + cube * (0.5 + index // 3)
        shapes.append(company_square(company, fill, cx, cy, cube - 0.8))
        shapes.append(svg.text(cx, cy + cube * 0.35, letter, **bold(round(cube * 0.98, 1), ink)))
    return svg.group(shapes, title=title, class_="small", data_place=key)
