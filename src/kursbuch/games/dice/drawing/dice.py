"""The dice of every player, before and behind the screen, and the bank's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kursbuch.games.dice.drawing.looks import NUMBER, ON_TURN, POINTABLE, SIGN, bold
from kursbuch.games.dice.drawing.page import MARGIN, ROW, WIDTH, Page
from kursbuch.games.dice.drawing.shapes import die, label, rails, screen, share, square
from kursbuch.games.dice.holdings import behind, faces, supply
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
from kursbuch.hexmap.text_width import shortened

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
