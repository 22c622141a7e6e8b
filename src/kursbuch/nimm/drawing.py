"""The table of Nimm den Zug as SVG: auction, open wagons, and everybody's trains.

Elements a player can point at carry `data-pick`: `loco:E3` (a locomotive card at auction or in hand),
`card:coal200` (an open card of the wagon deck), `train:0:2` (the second train of the first seat),
`seat:0` (a player) and `target:target-7` (a target tile the viewer holds). A page that wants clicks
lets only the elements that can be chosen receive them.

Classes for recolouring: `cloth`, `tray`, `lane`, `paper`, `ink`, `note`, `rail`, `wheel`, `ticket`,
`mark`; `drive-ID` and `kind-ID` on vehicles, `special` on special cards, `seat-N` on a player's sign.
Nothing is shown by colour alone: every kind of vehicle has its shape and its name as tooltip, seats
have numbers.

`data-narrow` is how a page may arrange the drawing on a narrow screen: on the drawing its `viewBox`,
on its parts their `transform`; `data-wide` is the `viewBox` as drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kursbuch.core.events import Event
from kursbuch.core.words import Words
from kursbuch.hexmap import svg
from kursbuch.nimm import events as happened
from kursbuch.nimm.components import (
    AUCTION_NAMES,
    BONUS,
    DOUBLE,
    KIND_NAMES,
    MULTIPLIER,
    SPECIAL_NAMES,
    Cards,
    Locomotive,
)
from kursbuch.nimm.holdings import locos_at, needy
from kursbuch.nimm.state import (
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
from kursbuch.nimm.targets import tiles_of
from kursbuch.nimm.texts.names import Names
from kursbuch.nimm.trains import limit, multiplier, profit, wagons

WIDTH = 980.0
NARROW = 490.0
MARGIN = 14.0
TOP = 236.0
LANE = 60.0
HEAD = 40.0
LOCO = 88.0
WAGON = 53.0
CARD = 1.4
ABOVE = 68
BIDDERS = 300.0

INK = "#1d1a16"
PAPER = "#fbf6e9"
OUTLINE: dict[str, object] = {"stroke": INK, "stroke_width": 1.3, "stroke_linejoin": "round"}

SEAT_COLOURS = (
    ("#f4f1e8", INK),
    ("#5c4033", "#ffffff"),
    ("#8fd3d1", INK),
    ("#f2a3b8", INK),
    ("#b8c46a", INK),
    ("#3f4f8a", "#ffffff"),
)

DRIVE_COLOURS = {"steam": "#3b3b40", "diesel": "#a5372b", "electric": "#1f6f5c"}
KIND_COLOURS = {
    "food": "#7fa650",
    "cattle": "#b98a55",
    "coal": "#6b6b73",
    "oil": "#c9772e",
    "luxury": "#8b62a6",
    "passenger": "#3f78b5",
}
LIGHT_INK = ("coal", "luxury", "passenger")


class Drawing:
    """One drawing in the making."""

    def __init__(self, state: NimmState, cards: Cards, words: Words, marks: Sequence[str]) -> None:
        self.state = state
        self.cards = cards
        self.words = words
        self.names = Names(cards, words)
        self.marks = frozenset(marks)
        # Two players get the whole width, more are side by side.
        self.columns = 1 if state.seats == 2 else 2
        self.column = (WIDTH - (self.columns + 1) * MARGIN) / self.columns
        self.lane = LANE * (1.55 if self.columns == 1 else 1.0)
        self.block = HEAD + 3 * self.lane + 8
        rows = -(-state.seats // self.columns)
        self.height = TOP + rows * (self.block + MARGIN)
        #: How much larger trains are drawn than the sizes given here, so that the longest fits.
        length = LOCO + limit(state, cards) * WAGON
        self.scale = min((self.column - 84) / length, self.lane / 50)

    # ---- vehicles

    def wheels(self, x: float, y: float, places: Iterable[float], radius: float = 4.5) -> str:
        """Wheels on the rail below a vehicle."""
        return "".join(
            svg.element(
                "circle",
                cx=x + place,
                cy=y,
                r=radius,
                class_="wheel",
                fill="#d8d3c4",
                stroke=INK,
                stroke_width=1.6,
            )
            for place in places
        )

    def locomotive(self, x: float, y: float, loco: Locomotive | None, factor: int) -> str:
        """A locomotive 84 wide, its rail at y; without a card it is a spare one, face down."""
        if loco is None:
            body = _box(x + 4, y - 30, 74.0, 26.0, 4, "#b8b2a0", stroke_dasharray="4 3", **OUTLINE)
            return body + self.wheels(x, y - 3, (18, 41, 64))
        fill = DRIVE_COLOURS[loco.drive]
        look: dict[str, object] = {"class_": f"drive-{loco.drive}", "fill": fill, **OUTLINE}
        parts = [svg.polygon(_outline(x, y, loco.drive), **look)]
        if loco.drive == "electric":
            wire = f"M{x + 30} {y - 34}l8 -7l-8 -7h22l-8 7l8 7"
            parts.insert(
                0,
                svg.element("path", d=wire, class_="rail", fill="none", stroke=INK, stroke_width=2),
            )
        if loco.drive == "steam":
            for aft, rise, size in ((20, 40, 3.5), (27, 43, 4.5), (36, 45, 5.5)):
                puff: dict[str, object] = {"class_": "smoke", "fill": "#c9c6bd", "opacity": "0.75"}
                parts.append(svg.element("circle", cx=x + aft, cy=y - rise, r=size, **puff))
        parts.append(
            svg.text(x + 38, y - 12, loco.id, font_size=10, font_weight="bold", fill="#ffffff")
        )
        parts.append(
            svg.text(x + 67, y - 14, f"×{factor}", font_size=13, font_weight="bold", fill="#ffffff")
        )
        big = (14, 34, 54, 70) if loco.drive == "steam" else (12, 26, 58, 72)
        parts.append(self.wheels(x, y - 3, big, 5.0))
        return "".join(parts)

    def wagon(self, x: float, y: float, kind: str, value: int, *, copied: bool = False) -> str:
        """A wagon 52 wide, its rail at y."""
        look: dict[str, object] = {
            "class_": f"kind-{kind}",
            "fill": KIND_COLOURS[kind],
            **OUTLINE,
        }
        if copied:
            look |= {"stroke_dasharray": "5 2"}
        left, right, low = x + 3, x + 49, y - 6
        shapes = []
        match kind:
            case "coal":
                heap = [(left + 3, y - 27), (x + 16, y - 35), (x + 28, y - 31), (x + 38, y - 36)]
                heap += [(right - 3, y - 27)]
                shapes.append(svg.polygon(heap, class_="heap", fill=INK))
                tub = [(left, y - 27), (right, y - 27), (right - 5, low), (left + 5, low)]
                shapes.append(svg.polygon(tub, **look))
            case "oil":
                shapes.append(
                    svg.element("rect", x=left, y=y - 30, width=46.0, height=24.0, rx=12, **look)
                )
                dome = {**look, "stroke_width": 1}
                shapes.append(
                    svg.element("rect", x=x + 21, y=y - 35, width=10.0, height=6.0, **dome)
                )
            case _:
                roof = 3.0 if kind in ("food", "luxury") else 0.0
                body = [(left, low), (left, y - 31), (x + 26, y - 31 - roof), (right, y - 31)]
                shapes.append(svg.polygon([*body, (right, low)], **look))
        ink = "#ffffff" if kind in LIGHT_INK else INK
        shapes += self.fittings(x, y, kind, ink)
        shapes.append(
            svg.text(x + 26, y - 11, str(value), font_size=12, font_weight="bold", fill=ink)
        )
        shapes.append(self.wheels(x, y - 3, (14, 38), 4.0))
        return "".join(shapes)

    def fittings(self, x: float, y: float, kind: str, ink: str) -> Iterable[str]:
        """What tells closed wagons apart: slats, windows, a gem, an apple."""
        if kind == "cattle":
            for rise in (29, 26, 23):
                line = f"M{x + 5} {y - rise}h42"
                yield svg.element("path", d=line, fill="none", stroke=ink, stroke_width=1)
        elif kind == "passenger":
            for place in (7, 17, 27, 37):
                yield svg.element(
                    "rect", x=x + place, y=y - 28, width=7.0, height=6.0, fill="#dcebf5"
                )
        elif kind == "luxury":
            gem = [(x + 26, y - 32), (x + 31, y - 27), (x + 26, y - 22), (x + 21, y - 27)]
            yield svg.polygon(gem, fill="#f4d35e", stroke=INK, stroke_width=0.8)
        elif kind == "food":
            yield svg.element(
                "circle", cx=x + 26, cy=y - 26, r=3.4, fill="#d6453d", stroke=INK, stroke_width=0.8
            )

    # ---- cards

    def paper(self, width: float, height: float, key: str) -> str:
        """A card's ground, ringed if the last move changed it."""
        marked = key in self.marks
        return _box(
            0.0,
            0.0,
            width,
            height,
            6,
            PAPER,
            class_="paper mark" if marked else "paper",
            stroke="#b3202c" if marked else INK,
            stroke_width=3 if marked else 1.3,
        )

    def loco_card(self, loco: str) -> str:
        """A locomotive card, 104 by 92."""
        card, key = self.cards.locomotive[loco], f"loco:{loco}"
        facts = self.words._("{power} ⚡  {speed} km/h", power=card.power, speed=card.speed)
        return svg.group(
            [
                self.paper(104.0, 92.0, key),
                self.locomotive(10, 68, card, card.multiplier),
                svg.text(52, 84, facts, class_="ink", font_size=10, fill=INK),
            ],
            title=f"{loco}: {self.names.facts(loco)}",
            class_="card",
            data_pick=key,
        )

    def face_down(self) -> str:
        """The back of a locomotive card."""
        return svg.group(
            [
                self.paper(104.0, 92.0, ""),
                _box(8.0, 8.0, 88.0, 76.0, 4, "#4d6a7a", class_="back"),
                svg.text(52, 56, "?", font_size=30, font_weight="bold", fill="#ffffff"),
            ],
            title=self.words._("a locomotive face down"),
        )

    def open_card(self, card: str) -> str:
        """A card of the wagon deck, 80 by 92."""
        key = f"card:{card}"
        name = self.names.card(card)
        wagon = self.cards.wagons.get(card)
        if wagon is not None:
            body = self.wagon(0, 0, wagon.kind, wagon.value)
            picture = svg.group([body], transform="translate(5 66) scale(1.35)")
            label = self.words._(KIND_NAMES[wagon.kind])
        else:
            sign = {MULTIPLIER: "×+1", DOUBLE: "2×", BONUS: self._bonus()}.get(card, "!")
            look: dict[str, object] = {"class_": "special", "fill": "#8c2f39"}
            picture = svg.text(40, 52, sign, font_size=24, font_weight="bold", **look)
            label = self.words._(SPECIAL_NAMES.get(card, card))
        return svg.group(
            [
                self.paper(80.0, 92.0, key),
                picture,
                svg.text(40, 84, label, class_="ink", font_size=10, fill=INK),
            ],
            title=name,
            class_="card",
            data_pick=key,
        )

    def _bonus(self) -> str:
        return f"+{self.cards.special[BONUS].money}"

    # ---- the middle of the table

    def heading(self) -> Iterable[str]:
        """Round, type of auction, and what the auction or the round has come to."""
        state, words = self.state, self.words
        number = words._(
            "Round {number} of {last}", number=state.round, last=self.cards.setup.rounds
        )
        auction = words._(AUCTION_NAMES[state.auction]) if state.auction else ""
        line = words._("{round} · auction: {auction}", round=number, auction=auction)
        yield _left(MARGIN, 28, line, font_size=19, font_weight="bold", class_="note", fill=INK)
        second = self.bidding()
        if state.order:
            second = words._(
                "The round ends with wagon number {number}.", number=limit(state, self.cards)
            )
        look: dict[str, object] = {"class_": "note", "fill": INK}
        if state.longer:
            second = f"{words._('Longer train')}: {second}"
            look = {"class_": "note special", "fill": "#8c2f39", "font_weight": "bold"}
        yield _left(MARGIN, 50, second, font_size=15, **look)

    def bidding(self) -> str:
        """The highest bid, or the equal ones."""
        state, words = self.state, self.words
        match state.agenda[-1] if state.agenda else None:
            case TurnAuction(bidder=seat, bid=bid) | OpenAuction(bidder=seat, bid=bid):
                return words._(
                    "Highest bid: {name} {amount}",
                    name=words.name(seat),
                    amount=self.names.money(bid),
                )
            case SecretBids(answers=answers):
                return words._("secret bids so far: {count}", count=len(answers))
            case Tie(tied=tied, bid=bid):
                return words._(
                    "Equal bids of {amount}: {list}",
                    amount=self.names.money(bid),
                    list=words.join([words.name(seat) for seat in tied]),
                )
        return ""

    def bidders(self) -> list[tuple[int, str]]:
        """Who takes part in the auction, and what he has said so far."""
        state, words = self.state, self.words
        step = state.agenda[-1] if state.agenda else None
        waiting = "…"
        found: dict[int, str] = {}
        match step:
            case FirstBid(seat=starter):
                found = dict.fromkeys(needy(state, self.cards), "")
                found[starter] = waiting
            case TurnAuction():
                for seat in needy(state, self.cards):
                    found[seat] = "" if seat in step.active else words._("passed")
                found[step.seat] = waiting
                found[step.bidder] = self.names.money(step.bid)
            case OpenAuction():
                for seat in step.others:
                    found[seat] = waiting if seat in step.waiting else words._("lets it stand")
                found[step.bidder] = self.names.money(step.bid)
            case SecretBids():
                for seat in step.seats:
                    found[seat] = words._("has bid") if seat in step.answers else waiting
                for seat, bid in open_bids(step).items():
                    given = found.get(seat, "")
                    found[seat] = " + ".join(x for x in (self.names.money(bid), given) if x)
            case Tie():
                found = dict.fromkeys(step.tied, self.names.money(step.bid))
        return sorted(found.items())

    def table(self) -> Iterable[str]:
        """The locomotives at auction with those who bid, or the open cards of the wagon deck."""
        state = self.state
        step = state.agenda[-1] if state.agenda else None
        shown = [self.loco_card(loco) for loco in state.offer]
        if isinstance(step, ChoiceBids):
            shown = [self.face_down()] * state.seats
        owners: dict[int, str] = {}
        if isinstance(step, Draft):
            for seat in range(state.seats):
                held = locos_at(state, self.cards, hand(seat))
                if held:
                    owners[len(shown)] = self.words.name(seat)
                shown += [self.loco_card(loco) for loco in held]
        wide = 104.0
        if not shown:
            shown = [self.open_card(card) for card in state.display]
            wide = 80.0
        bidders = self.bidders()
        # Many cards overlap.
        room = WIDTH - 2 * MARGIN - 60 - (BIDDERS if bidders else 0)
        apart = min((wide + 8) * CARD, (room - wide * CARD) / max(1, len(shown) - 1))
        parts = []
        for place, card in enumerate(shown):
            x = place * apart
            parts.append(svg.group([card], transform=f"translate({svg.number(x)} 0) scale({CARD})"))
            if place in owners:
                parts.append(_left(x, 148, owners[place], font_size=14, class_="note", fill=INK))
        width = max(0, len(shown) - 1) * apart + wide * CARD
        if bidders:
            parts += self.bidder_list(width + 24, bidders)
            width += BIDDERS
        factor = min(1.0, (NARROW - 2 * MARGIN) / width)
        yield svg.group(
            parts,
            transform=f"translate({svg.number(MARGIN)} {ABOVE})",
            data_narrow=f"translate({svg.number(MARGIN)} {ABOVE}) scale({factor:.3f})",
        )

    def bidder_list(self, x: float, bidders: list[tuple[int, str]]) -> Iterable[str]:
        """One line for everybody who takes part."""
        step = 134 / max(4, len(bidders))
        for line, (seat, text) in enumerate(bidders):
            y = 11 + line * step
            yield self.sign(x + 10, y, seat, 9.5)
            yield _left(x + 27, y + 5, self.words.name(seat), font_size=14, class_="note", fill=INK)
            yield svg.text(
                x + BIDDERS - 34,
                y + 5,
                text,
                font_size=14,
                font_weight="bold",
                class_="note",
                fill=INK,
            ).replace('text-anchor="middle"', 'text-anchor="end"')

    def sign(self, x: float, y: float, seat: int, radius: float) -> str:
        """A player's number in his colour."""
        fill, ink = SEAT_COLOURS[seat % len(SEAT_COLOURS)]
        look: dict[str, object] = {"class_": f"seat-{seat}", "fill": fill, **OUTLINE}
        size = round(radius)
        number = svg.text(
            x, y + radius * 0.36, str(seat + 1), font_size=size, font_weight="bold", fill=ink
        )
        return svg.element("circle", cx=x, cy=y, r=radius, **look) + number

    # ---- the players

    def players(self) -> Iterable[str]:
        """A block with three tracks for every player."""
        factor = (NARROW - 2 * MARGIN) / self.column
        for seat in range(self.state.seats):
            x = MARGIN + (seat % self.columns) * (self.column + MARGIN)
            y = TOP + (seat // self.columns) * (self.block + MARGIN)
            low = TOP + seat * (self.block * factor + MARGIN)
            yield svg.group(
                [self.player(seat)],
                transform=f"translate({svg.number(x)} {svg.number(y)})",
                data_narrow=f"translate({MARGIN} {svg.number(low)}) scale({factor:.3f})",
            )

    @property
    def narrow(self) -> str:
        """The size of the drawing with the players below each other."""
        block = self.block * (NARROW - 2 * MARGIN) / self.column + MARGIN
        return f"0 0 {svg.number(NARROW)} {svg.number(TOP + self.state.seats * block)}"

    def player(self, seat: int) -> str:
        """One player's sign, target tiles and trains."""
        state, words = self.state, self.words
        name = words.name(seat)
        notes = []
        if state.order:
            place = state.order.index(seat) + 1
            notes.append(words._("place {number}", number=place))
        if state.start == seat:
            notes.append(words._("start player"))
        sign = [
            _box(0.0, 0.0, self.column, self.block, 8, "#e9e2cd", class_="tray", **OUTLINE),
            self.sign(20, 20, seat, 12.0),
            _left(40, 26, name, font_size=17, font_weight="bold", class_="ink", fill=INK),
        ]
        blocks = [svg.group(sign, title=name, class_="player", data_pick=f"seat:{seat}")]
        tickets = self.tickets(seat)
        right = self.column - 10 - len(tickets) * 38
        blocks += [
            svg.group([ticket], transform=f"translate({svg.number(right + place * 38)} 8)")
            for place, ticket in enumerate(tickets)
        ]
        if notes:
            text = svg.text(right - 8, 25, " · ".join(notes), font_size=13, class_="ink", fill=INK)
            blocks.append(text.replace('text-anchor="middle"', 'text-anchor="end"'))
        for number in range(1, 4):
            low = HEAD + number * self.lane
            trains = state.trains[seat]
            train = trains[number - 1] if number <= len(trains) else None
            blocks.append(self.track(low, seat, number, train))
        return "".join(blocks)

    def tickets(self, seat: int) -> list[str]:
        """The target tiles of a player: what they bring if the viewer knows them, else face down."""
        words, known = self.words, tiles_of(self.state, self.cards, seat)
        found = []
        for tile in known:
            bonus = self.cards.targets[tile].bonus
            found.append(
                svg.group(
                    [
                        _box(0.0, 0.0, 34.0, 24.0, 3, "#f4d35e", class_="ticket", **OUTLINE),
                        svg.text(17, 16.5, str(bonus), font_size=11, font_weight="bold", fill=INK),
                    ],
                    title=f"{self.names.condition(tile)}: {self.names.money(bonus)}",
                    class_="target-tile",
                    data_pick=f"target:{tile}",
                )
            )
        if not known:
            title = words._("a target tile, face down")
            back = [
                _box(0.0, 0.0, 34.0, 24.0, 3, "#8c2f39", class_="ticket back", **OUTLINE),
                svg.text(17, 17, "★", font_size=13, fill="#f4d35e"),
            ]
            found += [svg.group(back, title=title) for _ in range(self.state.tiles[seat])]
        return found

    def track(self, low: float, seat: int, number: int, train: Train | None) -> str:
        """One of a player's three tracks, its lower edge at `low`, with the train if there is one,
        the locomotive in front on the left."""
        key = f"train:{seat}:{number}"
        marked = key in self.marks
        parts = [
            # The ground makes the whole track an element to point at.
            _box(
                6.0,
                low - self.lane + 3,
                self.column - 12,
                self.lane - 4,
                5,
                "#f3edda",
                class_="lane mark" if marked else "lane",
                stroke="#b3202c" if marked else None,
                stroke_width=2 if marked else None,
            ),
            svg.element(
                "path",
                d=f"M12 {svg.number(low - 5)}h{svg.number(self.column - 24)}",
                class_="rail",
                stroke="#7a7468",
                stroke_width=2,
                stroke_dasharray=None if train else "10 5",
            ),
        ]
        if train is None:
            return svg.group(parts, class_="track")
        card = self.cards.locomotive[train.loco] if train.loco else None
        vehicles = [self.locomotive(0, 0, card, multiplier(self.cards, train))]
        place = LOCO - 1
        for name, wagon in zip(train.wagons, wagons(self.cards, train), strict=True):
            vehicles.append(self.wagon(place, 0, wagon.kind, wagon.value, copied=name == DOUBLE))
            place += WAGON
        move = f"translate(12 {svg.number(low - 7)}) scale({self.scale:.3f})"
        parts.append(svg.group(vehicles, transform=move))
        worth = self.names.money(profit(self.cards, train))
        if train.wagons:
            parts.append(
                svg.text(
                    self.column - 14,
                    low - 14,
                    worth,
                    font_size=15,
                    font_weight="bold",
                    class_="ink",
                    fill=INK,
                ).replace('text-anchor="middle"', 'text-anchor="end"')
            )
        title = self.names.train(number, train.loco)
        if train.loco:
            title = f"{title}: {self.names.facts(train.loco)}"
        loads = ", ".join(self.names.card(name) for name in train.wagons)
        title = "; ".join(part for part in (title, loads, worth) if part)
        return svg.group(parts, title=title, class_="train", data_pick=key)


def _outline(x: float, y: float, drive: str) -> list[tuple[float, float]]:
    """The silhouette of a locomotive with its rail at y."""
    if drive == "steam":
        shape = [(4, 6), (4, 24), (14, 24), (14, 36), (23, 36), (23, 24), (54, 24)]
        shape += [(54, 34), (50, 34), (50, 38), (82, 38), (82, 34), (80, 34), (80, 6)]
    elif drive == "diesel":
        shape = [(3, 6), (3, 20), (10, 32), (52, 32), (52, 36), (80, 36), (80, 6)]
    else:
        shape = [(3, 6), (3, 18), (12, 34), (72, 34), (81, 18), (81, 6)]
    return [(x + right, y - up) for right, up in shape]


def _box(
    x: float, y: float, width: float, height: float, radius: float, fill: str, /, **values: object
) -> str:
    """A rectangle with round corners."""
    return svg.element("rect", x=x, y=y, width=width, height=height, rx=radius, fill=fill, **values)


def _left(x: float, y: float, content: str, /, **values: object) -> str:
    """A text that begins at x."""
    return svg.text(x, y, content, **values).replace('text-anchor="middle"', 'text-anchor="start"')


def draw(state: NimmState, cards: Cards, words: Words, marks: Sequence[str] = ()) -> str:
    """The table as a complete SVG document; `marks` are keys of elements to point out."""
    page = Drawing(state, cards, words, marks)
    return svg.document(
        WIDTH,
        page.height,
        [
            svg.element("rect", width="100%", height="100%", class_="cloth", fill="#d4e0cf"),
            svg.group(page.heading(), class_="heading"),
            svg.group(page.table(), class_="table"),
            svg.group(page.players(), class_="players"),
        ],
        label=words._("Board of {title}", title="Nimm den Zug"),
        class_="board",
        data_title="nimm",
        data_wide=f"0 0 {svg.number(WIDTH)} {svg.number(page.height)}",
        data_narrow=page.narrow,
    )


def marks(events: Sequence[Event]) -> list[str]:
    """The elements the board points out after these events."""
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
