"""The players: sign, target tiles, and three tracks with their trains."""

from __future__ import annotations

from collections.abc import Iterable

from kursbuch.hexmap import svg
from kursbuch.nimm.components import DOUBLE
from kursbuch.nimm.drawing import looks
from kursbuch.nimm.drawing.looks import BOLD, INK, LETTERS
from kursbuch.nimm.drawing.page import (
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
from kursbuch.nimm.drawing.vehicles import locomotive, wagon
from kursbuch.nimm.state import Train
from kursbuch.nimm.targets import tiles_of
from kursbuch.nimm.trains import multiplier, profit, wagons

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
    head = [
        svg.rect(0.0, 0.0, page.column, page.block, **looks.TRAY),
        sign(20, 20, seat, 12.5),
        left(40, 26, name, font_size=17, **LETTERS, **BOLD),
    ]
    yield svg.group(head, title=name, class_="player", data_pick=f"seat:{seat}")
    tickets = _tickets(page, seat)
    edge = page.column - 10 - len(tickets) * TICKETS
    for place, ticket in enumerate(tickets):
        where = f"translate({svg.number(edge + place * TICKETS)} 7)"
        yield svg.group([ticket], transform=where)
    notes = _notes(page, seat)
    if notes:
        yield right(edge - 8, 25, " · ".join(notes), font_size=13, **LETTERS)
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
    # The ground makes the whole track an element to point at.
    ground = looks.MARKED_LANE if key in page.marks else looks.LANE
    y = svg.number(low - 5)
    end = svg.number(page.column - 12)
    rail = f"M12 {y}H{end}"
    parts = [
        svg.rect(6.0, low - page.lane + 3, page.column - 12, page.lane - 4, **ground),
        svg.path(f"M14 {svg.number(low - 2.5)}H{end}", **looks.SLEEPERS),
        svg.path(rail, **(looks.RAIL if train else looks.FREE_RAIL)),
        svg.path(f"M{end} {y}v-12m-3 3h6", **looks.BUFFER),
    ]
    if train is None:
        return svg.group(parts, class_="track")
    move = f"translate(12 {svg.number(low - 7)}) scale({page.scale(len(train.wagons)):.3f})"
    parts.append(svg.group(_train(page, train), transform=move))
    worth = page.names.money(profit(page.cards, train))
    if train.wagons:
        parts.append(right(page.column - 20, low - 16, worth, font_size=15, **LETTERS, **BOLD))
    title = page.names.train(number, train.loco)
    if train.loco:
        title = f"{title}: {page.names.facts(train.loco)}"
    loads = ", ".join(page.names.card(name) for name in train.wagons)
    title = "; ".join(part for part in (title, loads, worth) if part)
    return svg.group(parts, title=title, class_="train", data_pick=key)


def _train(page: Page, train: Train) -> Iterable[str]:
    """A locomotive with its wagons."""
    card = page.cards.locomotive[train.loco] if train.loco else None
    yield locomotive(0, 0, card, multiplier(page.cards, train))
    for place, (name, drawn) in enumerate(
        zip(train.wagons, wagons(page.cards, train), strict=True)
    ):
        x = LOCO - 1 + place * WAGON
        yield wagon(x, 0, drawn.kind, drawn.value, copied=name == DOUBLE)
