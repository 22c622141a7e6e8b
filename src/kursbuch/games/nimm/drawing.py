"""The table of Nimm den Zug as SVG: auction, open wagons and all trains.

Selectable elements carry `data-pick`: `loco:E3` (a locomotive card at auction or in hand), `card:coal200` (an open
card of the wagon deck), `train:0:2` (the second train of the first seat), `seat:0` (a player) and `target:target-7`
(a target tile the viewer holds). Pages enable clicks only for current choices.

Classes for recolouring: `cloth`, `tray`, `lane`, `paper`, `ink`, `note`, `rail`, `wheel`, `ticket`, `mark`;
`drive-ID` and `kind-ID` on vehicles, `special` on special cards, `seat-N` on player badges. Nothing relies on colour
alone: each kind of vehicle has a shape and a tooltip, seats have numbers.

`data-narrow` rearranges the drawing for narrow screens: a `viewBox` on the drawing, a `transform` on its parts.
`data-wide` is the original `viewBox`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from kursbuch.core.events import Event
from kursbuch.core.state import Step
from kursbuch.core.words import Words
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.components import (
    AUCTION_NAMES,
    BONUS,
    DOUBLE,
    KIND_NAMES,
    MULTIPLIER,
    SPECIAL_NAMES,
    Cards,
    Locomotive,
)
from kursbuch.games.nimm.holdings import (
    limit,
    locos_at,
    multiplier,
    needy,
    profit,
    tiles_of,
    wagons,
)
from kursbuch.games.nimm.state import (
    ChoiceBids,
    Draft,
    FirstBid,
    NimmState,
    OpenAuction,
    SecretBids,
    Tie,
    Train,
    TurnAuction,
    hand,
    open_bids,
)
from kursbuch.games.nimm.text.panels import Names
from kursbuch.hexmap import svg
from kursbuch.hexmap.svg import Look

INK = "#1d1a16"
WHITE = "#ffffff"
PAPER_FILL = "#fbf6e9"
MARKED = "#b3202c"
OUTLINE: Look = {"stroke": INK, "stroke_width": 1.3, "stroke_linejoin": "round"}
THIN: Look = {"stroke": INK, "stroke_width": 0.8}
BOLD: Look = {"font_weight": "bold"}
CLOTH: Look = {"class_": "cloth", "fill": "#d4e0cf"}
TRAY: Look = {"class_": "tray", "rx": 8, "fill": "#e9e2cd"} | OUTLINE
LANE: Look = {"class_": "lane", "rx": 5, "fill": "#f3edda"}
MARKED_LANE: Look = LANE | {"class_": "lane mark", "stroke": MARKED, "stroke_width": 2}
RAIL: Look = {"class_": "rail", "stroke": "#5f594d", "stroke_width": 2.4}
FREE_RAIL: Look = RAIL | {"stroke_dasharray": "10 5"}
SLEEPERS: Look = {
    "class_": "sleeper",
    "stroke": "#b3a689",
    "stroke_width": 5,
    "stroke_dasharray": "4 7",
}
BUFFER: Look = {"class_": "rail", "fill": "none", "stroke": "#5f594d", "stroke_width": 3}
LETTERS: Look = {"class_": "ink", "fill": INK}
SMALL_LETTERS: Look = LETTERS | {"font_size": 11.3}
NOTE: Look = {"class_": "note", "fill": INK}
SPECIAL_NOTE: Look = {"class_": "note special", "fill": "#8c2f39"} | BOLD
SPECIAL: Look = {"class_": "special", "font_size": 24, "fill": "#8c2f39"} | BOLD
PAPER: Look = {"class_": "paper", "rx": 6, "fill": PAPER_FILL, "stroke": INK, "stroke_width": 1.3}
MARKED_PAPER: Look = PAPER | {"class_": "paper mark", "stroke": MARKED, "stroke_width": 3}
BACK: Look = {"class_": "back", "rx": 4, "fill": "#4d6a7a"}
TICKET: Look = {"class_": "ticket", "rx": 3, "fill": "#f4d35e"} | OUTLINE
TICKET_BACK: Look = TICKET | {"class_": "ticket back", "fill": "#8c2f39"}
WHEEL: Look = {"class_": "wheel", "fill": "#d8d3c4", "stroke": INK, "stroke_width": 1.6}
SPARE: Look = {"rx": 4, "fill": "#b8b2a0", "stroke_dasharray": "4 3"} | OUTLINE
WIRE: Look = {"class_": "rail", "fill": "none", "stroke": INK, "stroke_width": 2}
SMOKE: Look = {"class_": "smoke", "fill": "#c9c6bd", "opacity": "0.75"}
HEAP: Look = {"class_": "heap", "fill": INK}
WINDOW: Look = {"fill": "#dcebf5"}
GEM: Look = {"fill": "#f4d35e"} | THIN
APPLE: Look = {"fill": "#d6453d"} | THIN
COPIED: Look = {"stroke_dasharray": "5 2"}
DRIVES: dict[str, Look] = {
    drive: {"class_": f"drive-{drive}", "fill": fill} | OUTLINE
    for drive, fill in {"steam": "#3b3b40", "diesel": "#a5372b", "electric": "#1f6f5c"}.items()
}
KINDS: dict[str, Look] = {
    kind: {"class_": f"kind-{kind}", "fill": fill} | OUTLINE
    for kind, fill in {
        "food": "#7fa650",
        "cattle": "#b98a55",
        "coal": "#6b6b73",
        "oil": "#c9772e",
        "luxury": "#8b62a6",
        "passenger": "#3f78b5",
    }.items()
}

#: Kinds with white text.
LIGHT_INK = ("coal", "luxury", "passenger")
WIDTH = 980.0
NARROW = 490.0
MARGIN = 14.0
TOP = 236.0
LANE_HEIGHT = 60.0
HEAD = 40.0
LOCO = 88.0
WAGON = 53.0


class Page:
    """Context of one drawing: position and layout."""

    def __init__(self, state: NimmState, cards: Cards, words: Words, marks: Sequence[str]) -> None:
        self.state = state
        self.cards = cards
        self.words = words
        self.names = Names(cards, words)
        #: Names without those of players, by which drawings are cached.
        self.nameless = Names(cards, words.nameless)
        self.marks = frozenset(marks)
        # Two players get the full width, more are side by side.
        self.columns = 1 if state.seats == 2 else 2
        self.column = (WIDTH - (self.columns + 1) * MARGIN) / self.columns
        self.lane = LANE_HEIGHT * (1.55 if self.columns == 1 else 1.0)
        self.block = HEAD + 3 * self.lane + 8
        rows = -(-state.seats // self.columns)
        self.height = TOP + rows * (self.block + MARGIN)

    def scale(self, wagons: int) -> float:
        """Scale of a train that fills its track, limited by the track's height."""
        return min((self.column - 94) / (LOCO + wagons * WAGON), self.lane / 54)

    def narrow(self, top: float) -> str:
        """The drawing's size for narrow screens, with players stacked from `top`."""
        block = self.block * (NARROW - 2 * MARGIN) / self.column + MARGIN
        return f"0 0 {svg.number(NARROW)} {svg.number(top + self.state.seats * block)}"


def left(x: float, y: float, content: str, /, **values: object) -> str:
    """Left-aligned text."""
    return svg.text(x, y, content, text_anchor="start", **values)


def right(x: float, y: float, content: str, /, **values: object) -> str:
    """Right-aligned text."""
    return svg.text(x, y, content, text_anchor="end", **values)


def sign(x: float, y: float, seat: int, radius: float) -> str:
    """A player's number in the seat colour."""
    disc = svg.disc(x, y, radius, **svg.seat_fill(seat), **OUTLINE)
    look = svg.seat_ink(seat) | BOLD | {"font_size": 13}
    return disc + svg.text(x, y + 4.7, str(seat + 1), **look)


@lru_cache(maxsize=1024)
def locomotive(x: float, y: float, loco: Locomotive | None, factor: int) -> str:
    """A locomotive 84 wide with its rail at y; without a card, a spare one face down."""
    if loco is None:
        body = svg.rect(x + 4, y - 30, 74.0, 26.0, **SPARE)
        return body + wheels(x, y - 3, (18, 41, 64))
    outline = _outline(x, y, loco.drive)
    parts = [svg.polygon(outline, **DRIVES[loco.drive]), svg.polygon(outline, **svg.SHEEN)]
    if loco.drive == "electric":
        parts.insert(0, svg.path(f"M{x + 30} {y - 34}l8 -7l-8 -7h22l-8 7l8 7", **WIRE))
    if loco.drive == "steam":
        for aft, rise, size in ((20, 40, 3.5), (27, 43, 4.5), (36, 45, 5.5)):
            parts.append(svg.circle(x + aft, y - rise, size, **SMOKE))
    parts.append(svg.text(x + 36, y - 11.5, loco.id, font_size=12.5, fill=WHITE, **BOLD))
    parts.append(svg.text(x + 67, y - 14, f"×{factor}", font_size=13.5, fill=WHITE, **BOLD))
    big = (14, 34, 54, 70) if loco.drive == "steam" else (12, 26, 58, 72)
    parts.append(wheels(x, y - 3, big, 5.0))
    return "".join(parts)


@lru_cache(maxsize=4096)
def wagon(x: float, y: float, kind: str, value: int, *, copied: bool = False) -> str:
    """A wagon 52 wide with its rail at y."""
    ink = WHITE if kind in LIGHT_INK else INK
    look = KINDS[kind] | (COPIED if copied else {})
    parts = [
        *_body(x, y, kind, look),
        *_fittings(x, y, kind, ink),
        svg.text(x + 26, y - 11, str(value), font_size=13, fill=ink, **BOLD),
        wheels(x, y - 3, (14, 38), 4.0),
    ]
    return "".join(parts)


def wheels(x: float, y: float, places: Iterable[float], radius: float = 4.5) -> str:
    """Wheels of a vehicle on the rail."""
    return "".join(svg.circle(x + place, y, radius, **WHEEL) for place in places)


def _outline(x: float, y: float, drive: str) -> list[tuple[float, float]]:
    """Outline of a locomotive with its rail at y."""
    if drive == "steam":
        shape = [(4, 6), (4, 24), (14, 24), (14, 36), (23, 36), (23, 24), (54, 24)]
        shape += [(54, 34), (50, 34), (50, 38), (82, 38), (82, 34), (80, 34), (80, 6)]
    elif drive == "diesel":
        shape = [(3, 6), (3, 20), (10, 32), (52, 32), (52, 36), (80, 36), (80, 6)]
    else:
        shape = [(3, 6), (3, 18), (12, 34), (72, 34), (81, 18), (81, 6)]
    return [(x + right, y - up) for right, up in shape]


def _body(x: float, y: float, kind: str, look: svg.Look) -> Iterable[str]:
    """Body of a wagon: a tub with a heap, a tank with a dome, or a box."""
    left, right, low = x + 3, x + 49, y - 6
    match kind:
        case "coal":
            heap = [(left + 3, y - 27), (x + 16, y - 35), (x + 28, y - 31), (x + 38, y - 36)]
            yield svg.polygon([*heap, (right - 3, y - 27)], **HEAP)
            tub = [(left, y - 27), (right, y - 27), (right - 5, low), (left + 5, low)]
            yield svg.polygon(tub, **look)
            yield svg.polygon(tub, **svg.SHEEN)
        case "oil":
            yield svg.rect(left, y - 30, 46.0, 24.0, rx=12, **look)
            yield svg.rect(left, y - 30, 46.0, 24.0, rx=12, **svg.SHEEN)
            yield svg.rect(x + 21, y - 35, 10.0, 6.0, **(look | {"stroke_width": 1}))
        case _:
            roof = 3.0 if kind in ("food", "luxury") else 0.0
            body = [(left, low), (left, y - 31), (x + 26, y - 31 - roof), (right, y - 31)]
            yield svg.polygon([*body, (right, low)], **look)
            yield svg.polygon([*body, (right, low)], **svg.SHEEN)


def _fittings(x: float, y: float, kind: str, ink: str) -> Iterable[str]:
    """Details that distinguish closed wagons: slats, windows, a gem, an apple."""
    if kind == "cattle":
        for rise in (29, 26, 23):
            yield svg.path(f"M{x + 5} {y - rise}h42", fill="none", stroke=ink, stroke_width=1)
    elif kind == "passenger":
        for place in (7, 17, 27, 37):
            yield svg.rect(x + place, y - 28, 7.0, 6.0, **WINDOW)
    elif kind == "luxury":
        gem = [(x + 26, y - 32), (x + 31, y - 27), (x + 26, y - 22), (x + 21, y - 27)]
        yield svg.polygon(gem, **GEM)
    elif kind == "food":
        yield svg.circle(x + 26, y - 26, 3.4, **APPLE)


HEIGHT = 92.0
LOCO_WIDTH = 104.0
WAGON_WIDTH = 88.0


def loco_card(page: Page, loco: str) -> str:
    """A locomotive card."""
    card, key = page.cards.locomotive[loco], f"loco:{loco}"
    facts = page.words._("{power} ⚡  {speed} km/h", power=card.power, speed=card.speed)
    parts = [
        _paper(page, LOCO_WIDTH, key),
        locomotive(10, 68, card, card.multiplier),
        svg.text(52, 84, facts, **SMALL_LETTERS),
    ]
    title = f"{loco}: {page.names.facts(loco)}"
    return svg.group(parts, title=title, class_="card", data_pick=key)


def draw_locomotive(card: Locomotive, words: Words) -> str:
    """A locomotive card on its own."""
    facts = words._("{power} ⚡  {speed} km/h", power=card.power, speed=card.speed)
    parts = [
        svg.rect(0.0, 0.0, LOCO_WIDTH, HEIGHT, **PAPER),
        locomotive(10, 68, card, card.multiplier),
        svg.text(52, 84, facts, **SMALL_LETTERS),
    ]
    return svg.document(LOCO_WIDTH, HEIGHT, parts, label=card.id, data_title="nimm")


def draw_wagons(kind: str, values: Sequence[int], words: Words) -> str:
    """The different wagons of a kind side by side."""
    width = 60.0 * max(1, len(values))
    wagons = [wagon(4 + 60.0 * place, 50, kind, value) for place, value in enumerate(values)]
    label = words._(KIND_NAMES[kind])
    return svg.document(width, 56.0, wagons, label=label, data_title="nimm")


def face_down(page: Page) -> str:
    """The back of a locomotive card."""
    parts = [
        _paper(page, LOCO_WIDTH, ""),
        svg.rect(8.0, 8.0, 88.0, 76.0, **BACK),
        svg.text(52, 56, "?", font_size=30, fill=WHITE, **BOLD),
    ]
    return svg.group(parts, title=page.words._("a locomotive face down"))


def open_card(page: Page, card: str) -> str:
    """An open card of the wagon deck."""
    key = f"card:{card}"
    found = page.cards.wagons.get(card)
    if found is not None:
        body = wagon(0, 0, found.kind, found.value)
        picture = svg.group([body], transform="translate(9 66) scale(1.35)")
        label = page.words._(KIND_NAMES[found.kind])
    else:
        bonus = f"+{page.cards.special[BONUS].money}"
        sign = {MULTIPLIER: "×+1", DOUBLE: "2×", BONUS: bonus}.get(card, "!")
        picture = svg.text(44, 52, sign, **SPECIAL)
        label = page.words._(SPECIAL_NAMES.get(card, card))
    # Shrink long words, but keep them readable.
    size = max(9.2, min(11.0, (WAGON_WIDTH - 6) / len(label) / 0.58))
    name = svg.text(44, 84, label, **(SMALL_LETTERS | {"font_size": round(size, 1)}))
    parts = [_paper(page, WAGON_WIDTH, key), picture, name]
    return svg.group(parts, title=page.names.card(card), class_="card", data_pick=key)


def _paper(page: Page, width: float, key: str) -> str:
    """A card's background, outlined if changed by the last move."""
    look = MARKED_PAPER if key in page.marks else PAPER
    return svg.card(0.0, 0.0, width, HEIGHT, **look)


#: Scale of cards.
CARD = 1.4
SMALL_CARD = 1.12
ABOVE = 68
BIDDERS = 300.0


def heading(page: Page) -> Iterable[str]:
    """The round, the type of auction and its state."""
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
        second, look = f"{words._('Longer train')}: {second}", SPECIAL_NOTE
    yield left(MARGIN, 50, second, font_size=15, **look)


def middle(page: Page) -> tuple[list[str], float]:
    """The locomotives at auction with bidders, or the open wagon cards; also the lower edge on narrow screens."""
    shown, owners, wide = _shown(page)
    bidders = _bidders(page)
    # Cards overlap if there are many; on narrow screens they wrap.
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
    # Players keep their position while the cards fit in two rows.
    usual = ABOVE + 2 * (HEIGHT * SMALL_CARD + 8)
    if bidders:
        # Beside a single card, otherwise below the cards.
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
    """The cards in the middle, the labels where hands begin, and the card width."""
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
    """The highest bid, or tied bids."""
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
    """Participants of the auction with their last bids."""
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
    """Line spacing of the bidders."""
    return 146 / max(5, len(bidders))


def _bidder_list(page: Page, bidders: list[tuple[int, str]]) -> Iterable[str]:
    """A line per bidder."""
    step = _step_of(bidders)
    for line, (seat, text) in enumerate(bidders):
        yield _bidder(seat, page.words.name(seat), text, 11 + line * step)


@lru_cache(maxsize=1024)
def _bidder(seat: int, name: str, text: str, y: float) -> str:
    """A bidder with the last bid."""
    free = BIDDERS - 34 - 28 - 8 - svg.width(text, 14) * svg.BOLD
    return "".join(
        (
            sign(10, y, seat, 10.5),
            left(28, y + 5, svg.shortened(name, 14, free), font_size=14, **NOTE),
            right(BIDDERS - 34, y + 5, text, font_size=14, **NOTE, **BOLD),
        )
    )


#: Size and spacing of target tiles.
TICKET_WIDTH, TICKET_HEIGHT, TICKETS = 40.0, 26.0, 44


def players(page: Page, narrow_top: float) -> Iterable[str]:
    """A block per player, starting at `narrow_top` on narrow screens."""
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
    state, notes = page.state, " · ".join(_notes(page, seat))
    known, count = tuple(tiles_of(state, page.cards, seat)), state.tiles[seat]
    name = page.words.name(seat)
    yield _head(page.nameless, seat, name, page.column, page.block, known, count, notes)
    trains = state.trains[seat]
    for number in range(1, 4):
        train = trains[number - 1] if number <= len(trains) else None
        yield _track(page, HEAD + number * page.lane, seat, number, train)


@lru_cache(maxsize=1024)
def _head(
    names: Names,
    seat: int,
    name: str,
    column: float,
    block: float,
    known: tuple[str, ...],
    count: int,
    notes: str,
) -> str:
    """A player's tray with name, target tiles (those known to the viewer, or their `count`) and notes."""
    tickets = _tickets(names, known, count)
    edge = column - 10 - len(tickets) * TICKETS
    shown = svg.shortened(name, 17, edge - 56 - svg.width(notes, 13), bold=True)
    head = [
        svg.rect(0.0, 0.0, column, block, **TRAY),
        sign(20, 20, seat, 12.5),
        left(40, 26, shown, font_size=17, **LETTERS, **BOLD),
    ]
    parts = [svg.group(head, title=name, class_="player", data_pick=f"seat:{seat}")]
    for place, ticket in enumerate(tickets):
        where = f"translate({svg.number(edge + place * TICKETS)} 7)"
        parts.append(svg.group([ticket], transform=where))
    if notes:
        parts.append(right(edge - 8, 25, notes, font_size=13, **LETTERS))
    return "".join(parts)


def _notes(page: Page, seat: int) -> Iterable[str]:
    """A player's place in the order, and the start player marker."""
    state, words = page.state, page.words
    notes = []
    if state.order:
        notes.append(words._("place {number}", number=state.order.index(seat) + 1))
    if state.start == seat:
        notes.append(words._("start player"))
    return notes


def _tickets(names: Names, known: Sequence[str], count: int) -> list[str]:
    """A player's target tiles: the bonus if known to the viewer, otherwise face down."""
    if known:
        return [_ticket(names, tile) for tile in known]
    back = [
        svg.rect(0.0, 0.0, TICKET_WIDTH, TICKET_HEIGHT, **TICKET_BACK),
        svg.text(TICKET_WIDTH / 2, 18, "★", font_size=14, fill="#f4d35e"),
    ]
    return [svg.group(back, title=names._("a target tile, face down"))] * count


def _ticket(names: Names, tile: str) -> str:
    bonus = names.cards.targets[tile].bonus
    parts = [
        svg.rect(0.0, 0.0, TICKET_WIDTH, TICKET_HEIGHT, **TICKET),
        svg.text(TICKET_WIDTH / 2, 17.7, str(bonus), font_size=13, fill=INK, **BOLD),
    ]
    title = f"{names.condition(tile)}: {names.money(bonus)}"
    return svg.group(parts, title=title, class_="target-tile", data_pick=f"target:{tile}")


def _track(page: Page, low: float, seat: int, number: int, train: Train | None) -> str:
    """A player's track with its lower edge at `low` and the train, locomotive on the left."""
    drawn = None
    if train is not None:
        held = train.loco, tuple(train.wagons), train.plus
        drawn = Drawn(page.nameless, seat, number, *held, page.scale(len(train.wagons)))
    marked = f"train:{seat}:{number}" in page.marks
    return _drawn_track(page.column, page.lane, low, marked, drawn)


class Drawn(NamedTuple):
    """A player's train to be drawn for a reader, in a size."""

    names: Names
    seat: int
    number: int
    loco: str
    wagons: tuple[str, ...]
    plus: int
    scale: float


@lru_cache(maxsize=2048)
def _drawn_track(column: float, lane: float, low: float, marked: bool, drawn: Drawn | None) -> str:
    """Cached part of `_track`; most moves change one train."""
    # The background makes the whole track selectable.
    ground = MARKED_LANE if marked else LANE
    y = svg.number(low - 5)
    end = svg.number(column - 12)
    rail = f"M12 {y}H{end}"
    parts = [
        svg.rect(6.0, low - lane + 3, column - 12, lane - 4, **ground),
        svg.path(f"M14 {svg.number(low - 2.5)}H{end}", **SLEEPERS),
        svg.path(rail, **(RAIL if drawn else FREE_RAIL)),
        svg.path(f"M{end} {y}v-12m-3 3h6", **BUFFER),
    ]
    if drawn is None:
        return svg.group(parts, class_="track")
    names, train = drawn.names, Train(drawn.loco, list(drawn.wagons), drawn.plus)
    worth = names.money(profit(names.cards, train))
    title = names.train(drawn.number, train.loco)
    if train.loco:
        title = f"{title}: {names.facts(train.loco)}"
    loads = ", ".join(names.card(name) for name in train.wagons)
    title = "; ".join(part for part in (title, loads, worth) if part)
    move = f"translate(12 {svg.number(low - 7)}) scale({drawn.scale:.3f})"
    parts.append(svg.group(_train(names.cards, train), transform=move))
    if train.wagons:
        parts.append(right(column - 20, low - 16, worth, font_size=15, **LETTERS, **BOLD))
    key = f"train:{drawn.seat}:{drawn.number}"
    return svg.group(parts, title=title, class_="train", data_pick=key)


def _train(cards: Cards, train: Train) -> Iterable[str]:
    """A locomotive with its wagons."""
    card = cards.locomotive[train.loco] if train.loco else None
    yield locomotive(0, 0, card, multiplier(cards, train))
    for place, (name, drawn) in enumerate(zip(train.wagons, wagons(cards, train), strict=True)):
        x = LOCO - 1 + place * WAGON
        yield wagon(x, 0, drawn.kind, drawn.value, copied=name == DOUBLE)


def draw(state: NimmState, cards: Cards, words: Words, marks: Sequence[str] = ()) -> str:
    """The table as an SVG document; `marks` are keys of highlighted elements."""
    page = Page(state, cards, words, marks)
    table, narrow_top = middle(page)
    return svg.document(
        WIDTH,
        page.height,
        [
            svg.element("rect", width="100%", height="100%", **CLOTH),
            svg.group(heading(page), class_="heading"),
            svg.group(table, class_="table"),
            svg.group(players(page, narrow_top), class_="players"),
        ],
        label=words._("Board of {title}", title="Nimm den Zug"),
        class_="board",
        data_title="nimm",
        data_wide=f"0 0 {svg.number(WIDTH)} {svg.number(page.height)}",
        data_narrow=page.narrow(narrow_top),
    )


def marks(events: Sequence[Event]) -> list[str]:
    """Board elements to highlight after these events."""
    found: list[str] = []
    for event in events:
        match event:
            case happened.LocoOffered(loco=loco) | happened.BidMade(loco=loco):
                found.append(f"loco:{loco}")
            case happened.LocoSold(loco=loco) | happened.ChoiceBought(loco=loco):
                found.append(f"loco:{loco}")
            case happened.WagonCoupled(seat=seat, train=train):
                found.append(f"train:{seat}:{train}")
            case happened.MultiplierLaid(seat=seat, train=train):
                found.append(f"train:{seat}:{train}")
            case happened.CardsTurnedUp(cards=names):
                found += [f"card:{name}" for name in names]
    return list(dict.fromkeys(found))
