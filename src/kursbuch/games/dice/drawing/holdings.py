"""The dice of every player and the bank, company cards, and the small tiles that are left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kursbuch.games.dice.drawing.page import CARD_HEIGHT, MARGIN, ROW, WIDTH, Page
from kursbuch.games.dice.drawing.shapes import (
    CARD,
    CUBE,
    NUMBER,
    ON_TURN,
    POINTABLE,
    SIGN,
    bold,
    die,
    label,
    rails,
    screen,
    share,
    square,
)
from kursbuch.games.dice.holdings import (
    behind,
    faces,
    shares_left,
    stations_left,
    supply,
    tiles_left,
)
from kursbuch.games.dice.state import (
    CURVE,
    SHARE,
    STRAIGHT,
    Bridge,
    Crossing,
    Joining,
    Reduction,
    Turn,
)
from kursbuch.games.dice.text.names import FACE_KEYS
from kursbuch.hexmap import svg
from kursbuch.hexmap.svg import shortened

#: The steps in which somebody is on turn.
WITH_SEAT = Turn | Bridge | Crossing | Joining | Reduction
RIGHT = WIDTH - MARGIN
SCREEN_LEFT = 114.0


def pools(page: Page) -> Iterable[str]:
    """The dice of the bank and of every player."""
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
    """The name of a player, the screen, and the dice in front of it."""
    state, words, left = page.state, page.words, page.rows_left
    shapes = []
    if on_turn:
        shapes.append(
            svg.rect(left - 8, y - ROW / 2 + 1, RIGHT - left + 14, ROW - 2, rx=6, **ON_TURN)
        )
    shapes.append(square(left + 9, y, 19.0, rx=3, **svg.seat_fill(seat), **SIGN))
    shapes.append(svg.text(left + 9, y + 4.7, str(seat + 1), **svg.seat_ink(seat), **NUMBER))
    name = shortened(words.name(seat), 13, SCREEN_LEFT - 24 - 14, bold=True)
    shapes.append(label(left + 24, y + 5, name, 13, bold=True))
    hidden = seat in state.screened
    number = "?" if hidden else str(behind(state, seat))
    title = words._("behind the screen of {name}", name=words.name(seat))
    shapes.append(svg.group(screen(left + SCREEN_LEFT, y, number), title=title, class_="behind"))
    shapes += _in_front(page, seat, left + SCREEN_LEFT + 80, y, on_turn)
    return svg.group(shapes, class_=f"dice seat-{seat}", data_seat=seat)


def _in_front(page: Page, seat: int, x: float, y: float, on_turn: bool) -> Iterator[str]:
    """Many dice are drawn smaller, in the end in two lines, so that each can be pointed at."""
    row = [face for face, count in enumerate(faces(page.state, seat)) for _ in range(count)]
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
            title=page.names.dice([int(n == face) for n in range(4)]),
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
