"""The cards of the companies, and the small tiles that are left."""

from __future__ import annotations

from collections.abc import Iterable

from kursbuch.games.dice.drawing.looks import CARD, CUBE, bold
from kursbuch.games.dice.drawing.page import CARD_HEIGHT, MARGIN, WIDTH, Page
from kursbuch.games.dice.drawing.shapes import label, share
from kursbuch.games.dice.holdings import shares_left, stations_left, tiles_left
from kursbuch.hexmap import svg
from kursbuch.hexmap.text_width import shortened


def cards(page: Page) -> Iterable[str]:
    """The companies with their directors and what is left of their shares and stations."""
    gap = 10.0
    width = (WIDTH - 2 * MARGIN + gap) / max(5, len(page.board.companies)) - gap
    for index in range(len(page.board.companies)):
        yield _card(page, index, MARGIN + index * (width + gap), width)


def _card(page: Page, index: int, x: float, width: float) -> str:
    board, state, words, y = page.board, page.state, page.words, page.cards_top
    company, director = board.companies[index], state.directors[index]
    left = shares_left(state, company.id)
    stations = sum(stations_left(state, stock) for stock in board.stocks_of[index])
    who = words._("no director") if director is None else words.name(director)
    fill, ink = page.colours(index)
    middle = x + width / 2
    head = f"M{svg.number(x)} {svg.number(y + 25)}v-20q0-5 5-5h{svg.number(width - 10)}q5 0 5 5v20z"
    title_size = round(min(12.5, width / len(company.name) / 0.7), 1)
    shapes = [
        svg.rect(x, y, width, CARD_HEIGHT, rx=5, **CARD),
        svg.path(head, class_=f"company-{company.id}", fill=fill, **CUBE),
        svg.text(middle, y + 17.5, company.name, **bold(title_size, ink)),
        label(x + 9, y + 43, shortened(who, 12, width - 16), 12),
        *share(x + 18, y + 61),
        label(x + 31, y + 65.5, f"×{left}", 12.5, bold=True),
        page.company_square(index, middle + 14, y + 61, 14.0),
        svg.text(middle + 14, y + 65, page.letter(index), **bold(10.5, ink)),
        label(middle + 24, y + 65.5, f"×{stations}", 12.5, bold=True),
    ]
    title = words._(
        "{company}: {who}; {shares} shares in the bank, {stations} stations left",
        company=company.name,
        who=who,
        shares=left,
        stations=stations,
    )
    card = svg.group(shapes, title=title, class_="company", data_pick=f"company:{company.id}")
    narrow = page.narrow_card(index, x, width)
    return svg.group([card], transform="translate(0 0)", data_narrow=narrow)


def stocks(page: Page) -> Iterable[str]:
    """The small tiles that are left."""
    board, words, size = page.board, page.words, 28.0
    x, step = MARGIN, (page.middle_height - 24) / max(4, len(board.tiles))
    for index, tile in enumerate(board.tiles):
        y = page.middle_top + 10 + index * step
        left = tiles_left(page.state, tile.id)
        shapes = [page.terrain(board.layouts[index][0], x, y, size / board.size)]
        shapes.append(label(x + size + 3, y + 19, f"×{left}", 12.5, bold=True))
        name = words._("{tile}, {n} left", tile=page.names.tile(tile.id), n=left)
        yield svg.group(shapes, title=name, class_="stock", data_pick=f"stock:{tile.id}")
