"""The table: the auction in the middle, and every player's sign, target tiles and trains."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from kursbuch.core.state import Step
from kursbuch.games.nimm.components import AUCTION_NAMES, DOUBLE
from kursbuch.games.nimm.drawing import looks
from kursbuch.games.nimm.drawing.cards import (
    HEIGHT,
    LOCO_WIDTH,
    WAGON_WIDTH,
    face_down,
    loco_card,
    locomotive,
    open_card,
    wagon,
)
from kursbuch.games.nimm.drawing.looks import (
    BOLD,
    HEAD,
    INK,
    LETTERS,
    LOCO,
    MARGIN,
    NARROW,
    NOTE,
    TOP,
    WAGON,
    WIDTH,
    Page,
    left,
    right,
    sign,
)
from kursbuch.games.nimm.holdings import limit, locos_at, multiplier, needy, profit, wagons
from kursbuch.games.nimm.state import (
    ChoiceBids,
    Draft,
    FirstBid,
    OpenAuction,
    SecretBids,
    Tie,
    Train,
    TurnAuction,
    hand,
    open_bids,
)
from kursbuch.games.nimm.targets import tiles_of
from kursbuch.hexmap import svg

#: How much larger cards are drawn than their own sizes.
CARD = 1.4
SMALL_CARD = 1.12
ABOVE = 68
BIDDERS = 300.0


def heading(page: Page) -> Iterable[str]:
    """Round, type of auction, and what the auction or the round has come to."""
    state, words = page.state, page.words
    number = words._("Round {number} of {last}", number=state.round, last=page.cards.setup.rounds)
    auction = words._(AUCTION_NAMES[state.auction]) if state.auction else ""
    line = words._("{round} · auction: {auction}", round=number, auction=auction)
    yield left(MARGIN, 28, line, font_size=19, **NOTE, **BOLD)
    second, look = _bidding(page), NOTE
    if state.order:
        last = limit(state, page.cards)
        second = words._("The round ends with wagon number {number}.", number=last)
    if state.longer:
        second, look = f"{words._('Longer train')}: {second}", looks.SPECIAL_NOTE
    yield left(MARGIN, 50, second, font_size=15, **look)


def middle(page: Page) -> tuple[list[str], float]:
    """The locomotives at auction with those who bid, or the open cards of the wagon deck; and how far
    down they reach where the page is narrow."""
    shown, owners, wide = _shown(page)
    bidders = _bidders(page)
    # Many cards overlap; where the page is narrow, they lie in several rows.
    room = WIDTH - 2 * MARGIN - 60 - (BIDDERS if bidders else 0)
    apart = min((wide + 8) * CARD, (room - wide * CARD) / max(1, len(shown) - 1))
    columns = max(1, int((NARROW - 2 * MARGIN + 8) / ((wide + 6) * SMALL_CARD)))
    line = HEIGHT * SMALL_CARD + (26 if owners else 8)
    parts = []
    for place, card in enumerate(shown):
        row, column = divmod(place, columns)
        x, y = MARGIN + column * (wide + 6) * SMALL_CARD, ABOVE + row * line
        label = []
        if place in owners:
            label.append(left(0, HEIGHT + 14, owners[place], font_size=11.5, **NOTE))
        parts.append(
            svg.group(
                [card, *label],
                transform=_placed(MARGIN + place * apart, ABOVE, CARD),
                data_narrow=_placed(x, y, SMALL_CARD),
            )
        )
    bottom = ABOVE + -(-len(shown) // columns) * line
    # The players stay where they are as long as the cards have room in two rows.
    usual = ABOVE + 2 * (HEIGHT * SMALL_CARD + 8)
    if bidders:
        # Beside a single card, else below the cards.
        there = (MARGIN + (wide + 24) * SMALL_CARD, float(ABOVE))
        if len(shown) > 1:
            there = (MARGIN + 4, bottom + 8)
            bottom += 16 + len(bidders) * _step_of(bidders)
        x = MARGIN + max(0, len(shown) - 1) * apart + wide * CARD + 24
        parts.append(
            svg.group(
                _bidder_list(page, bidders),
                transform=_placed(x, ABOVE, 1.0),
                data_narrow=_placed(*there, 1.0),
            )
        )
    return parts, max(bottom, usual) + 12


def _placed(x: float, y: float, scale: float) -> str:
    return f"translate({svg.number(x)} {svg.number(y)}) scale({scale:.3f})"


def _shown(page: Page) -> tuple[list[str], dict[int, str], float]:
    """The cards in the middle, whose hands begin at which of them, and how wide they are."""
    state = page.state
    step = _step(page)
    if isinstance(step, ChoiceBids):
        return [face_down(page)] * state.seats, {}, LOCO_WIDTH
    shown = [loco_card(page, loco) for loco in state.offer]
    owners: dict[int, str] = {}
    if isinstance(step, Draft):
        for seat in range(state.seats):
            held = locos_at(state, page.cards, hand(seat))
            if held:
                owners[len(shown)] = page.words.name(seat)
            shown += [loco_card(page, loco) for loco in held]
    if shown:
        return shown, owners, LOCO_WIDTH
    return [open_card(page, card) for card in state.display], {}, WAGON_WIDTH


def _step(page: Page) -> Step | None:
    return page.state.agenda[-1] if page.state.agenda else None


def _bidding(page: Page) -> str:
    """The highest bid, or the equal ones."""
    words, money = page.words, page.names.money
    match _step(page):
        case TurnAuction(bidder=seat, bid=bid) | OpenAuction(bidder=seat, bid=bid):
            name = words.name(seat)
            return words._("Highest bid: {name} {amount}", name=name, amount=money(bid))
        case SecretBids(answers=answers):
            return words._("secret bids so far: {count}", count=len(answers))
        case Tie(tied=tied, bid=bid):
            names = words.join([words.name(seat) for seat in tied])
            return words._("Equal bids of {amount}: {list}", amount=money(bid), list=names)
    return ""


def _bidders(page: Page) -> list[tuple[int, str]]:
    """Who takes part in the auction, and what he has said so far."""
    state, words, money = page.state, page.words, page.names.money
    waiting = "…"
    found: dict[int, str] = {}
    match _step(page):
        case FirstBid(seat=starter):
            found = dict.fromkeys(needy(state, page.cards), "")
            found[starter] = waiting
        case TurnAuction() as step:
            for seat in needy(state, page.cards):
                found[seat] = "" if seat in step.active else words._("passed")
            found[step.seat] = waiting
            found[step.bidder] = money(step.bid)
        case OpenAuction() as step:
            for seat in step.others:
                found[seat] = waiting if seat in step.waiting else words._("lets it stand")
            found[step.bidder] = money(step.bid)
        case SecretBids() as step:
            for seat in step.seats:
                found[seat] = words._("has bid") if seat in step.answers else waiting
            for seat, bid in open_bids(step).items():
                found[seat] = " + ".join(x for x in (money(bid), found.get(seat, "")) if x)
        case Tie() as step:
            found = dict.fromkeys(step.tied, money(step.bid))
    return sorted(found.items())


def _step_of(bidders: list[tuple[int, str]]) -> float:
    """How far the lines of those who bid are apart."""
    return 146 / max(5, len(bidders))


def _bidder_list(page: Page, bidders: list[tuple[int, str]]) -> Iterable[str]:
    """One line for everybody who takes part."""
    step = _step_of(bidders)
    for line, (seat, text) in enumerate(bidders):
        y = 11 + line * step
        yield sign(10, y, seat, 10.5)
        free = BIDDERS - 34 - 28 - 8 - svg.width(text, 14) * svg.BOLD
        name = svg.shortened(page.words.name(seat), 14, free)
        yield left(28, y + 5, name, font_size=14, **NOTE)
        yield right(BIDDERS - 34, y + 5, text, font_size=14, **NOTE, **BOLD)


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
    shown = svg.shortened(name, 17, edge - 56 - svg.width(notes, 13), bold=True)
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
