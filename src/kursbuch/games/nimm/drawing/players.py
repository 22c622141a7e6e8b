"""The players: sign, target tiles, and three tracks with their trains."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from kursbuch.games.nimm.components import DOUBLE
from kursbuch.games.nimm.drawing import looks
from kursbuch.games.nimm.drawing.looks import BOLD, INK, LETTERS
from kursbuch.games.nimm.drawing.page import (
    HEAD,
    LOCO,
    MARGIN,
    NARROW,
    TOP,
    WAGON,
    Page,
    left,
    right,
    sign,
)
from kursbuch.games.nimm.drawing.vehicles import locomotive, wagon
from kursbuch.games.nimm.state import Train
from kursbuch.games.nimm.targets import tiles_of
from kursbuch.games.nimm.trains import multiplier, profit, wagons
from kursbuch.hexmap import svg, text_width

#: The size of a target tile, and how far apart they lie.
TICKET_WIDTH, TICKET_HEIGHT, TICKETS = 40.0, 26.0, 44


def players(page: Page, narrow_top: float) -> Iterable[str]:
    """A block for every player; where the page is narrow, they begin there."""
    factor = (NARROW - 2 * MARGIN) / page.column
    for seat in range(page.state.seats):
        x = MARGIN + (seat % page.columns) * (page.column + MARGIN)
        y = TOP + (seat // page.columns) * (page.block + MARGIN)
        low = narrow_top + seat * (page.block * factor + MARGIN)
        yield svg.group(
            _player(page, seat),
            transform=f"translate({svg.number(x)} {svg.number(y)})",
            data_narrow=f"translate({MARGIN} {svg.number(low)}) scale({factor:.3f})",
        )


def _player(page: Page, seat: int) -> Iterable[str]:
    state, name = page.state, page.words.name(seat)
    tickets, notes = _tickets(page, seat), " · ".join(_notes(page, seat))
    edge = page.column - 10 - len(tickets) * TICKETS
    shown = text_width.shortened(name, 17, edge - 56 - text_width.width(notes, 13), bold=True)
    head = [
        svg.rect(0.0, 0.0, page.column, page.block, **looks.TRAY),
        sign(20, 20, seat, 12.5),
        left(40, 26, shown, font_size=17, **LETTERS, **BOLD),
    ]
    yield svg.group(head, title=name, class_="player", data_pick=f"seat:{seat}")
    for place, ticket in enumerate(tickets):
        where = f"translate({svg.number(edge + place * TICKETS)} 7)"
        yield svg.group([ticket], transform=where)
    if notes:
        yield right(edge - 8, 25, notes, font_size=13, **LETTERS)
    trains = state.trains[seat]
    for number in range(1, 4):
        train = trains[number - 1] if number <= len(trains) else None
        yield _track(page, HEAD + number * page.lane, seat, number, train)


def _notes(page: Page, seat: int) -> Iterable[str]:
    """A player's place in the order of play, and whether he starts."""
    state, words = page.state, page.words
    notes = []
    if state.order:
        notes.append(words._("place {number}", number=state.order.index(seat) + 1))
    if state.start == seat:
        notes.append(words._("start player"))
    return notes


def _tickets(page: Page, seat: int) -> list[str]:
    """The target tiles of a player: what they bring if the viewer knows them, else face down."""
    known = tiles_of(page.state, page.cards, seat)
    if known:
        return [_ticket(page, tile) for tile in known]
    back = [
        svg.rect(0.0, 0.0, TICKET_WIDTH, TICKET_HEIGHT, **looks.TICKET_BACK),
        svg.text(TICKET_WIDTH / 2, 18, "★", font_size=14, fill="#f4d35e"),
    ]
    title = page.words._("a target tile, face down")
    return [svg.group(back, title=title)] * page.state.tiles[seat]


def _ticket(page: Page, tile: str) -> str:
    bonus = page.cards.targets[tile].bonus
    parts = [
        svg.rect(0.0, 0.0, TICKET_WIDTH, TICKET_HEIGHT, **looks.TICKET),
        svg.text(TICKET_WIDTH / 2, 17.7, str(bonus), font_size=13, fill=INK, **BOLD),
    ]
    title = f"{page.names.condition(tile)}: {page.names.money(bonus)}"
    return svg.group(parts, title=title, class_="target-tile", data_pick=f"target:{tile}")


def _track(page: Page, low: float, seat: int, number: int, train: Train | None) -> str:
    """One of a player's three tracks, its lower edge at `low`, with the train if there is one, the
    locomotive in front on the left."""
    key = f"train:{seat}:{number}"
    marked, lane = key in page.marks, page.lane
    if train is None:
        return _drawn_track(page.column, lane, low, marked, None)
    worth = page.names.money(profit(page.cards, train))
    title = page.names.train(number, train.loco)
    if train.loco:
        title = f"{title}: {page.names.facts(train.loco)}"
    loads = ", ".join(page.names.card(name) for name in train.wagons)
    title = "; ".join(part for part in (title, loads, worth) if part)
    vehicles, scale = "".join(_train(page, train)), page.scale(len(train.wagons))
    drawn = Drawn(key, title, vehicles, scale, worth if train.wagons else "")
    return _drawn_track(page.column, lane, low, marked, drawn)


class Drawn(NamedTuple):
    """A train as it is drawn: its key and title, and what it is worth if that is said."""

    key: str
    title: str
    vehicles: str
    scale: float
    worth: str


@lru_cache(maxsize=1024)
def _drawn_track(column: float, lane: float, low: float, marked: bool, train: Drawn | None) -> str:
    """The same; most moves are about one train."""
    # The ground makes the whole track an element to point at.
    ground = looks.MARKED_LANE if marked else looks.LANE
    y = svg.number(low - 5)
    end = svg.number(column - 12)
    rail = f"M12 {y}H{end}"
    parts = [
        svg.rect(6.0, low - lane + 3, column - 12, lane - 4, **ground),
        svg.path(f"M14 {svg.number(low - 2.5)}H{end}", **looks.SLEEPERS),
        svg.path(rail, **(looks.RAIL if train else looks.FREE_RAIL)),
        svg.path(f"M{end} {y}v-12m-3 3h6", **looks.BUFFER),
    ]
    if train is None:
        return svg.group(parts, class_="track")
    move = f"translate(12 {svg.number(low - 7)}) scale({train.scale:.3f})"
    parts.append(svg.group([train.vehicles], transform=move))
    if train.worth:
        parts.append(right(column - 20, low - 16, train.worth, font_size=15, **LETTERS, **BOLD))
    return svg.group(parts, title=train.title, class_="train", data_pick=train.key)


def _train(page: Page, train: Train) -> Iterable[str]:
    """A locomotive with its wagons."""
    card = page.cards.locomotive[train.loco] if train.loco else None
    yield locomotive(0, 0, card, multiplier(page.cards, train))
    for place, (name, drawn) in enumerate(
        zip(train.wagons, wagons(page.cards, train), strict=True)
    ):
        x = LOCO - 1 + place * WAGON
        yield wagon(x, 0, drawn.kind, drawn.value, copied=name == DOUBLE)
