"""The table of Nimm den Zug as SVG: auction, open wagons, and everybody's trains.

Elements a player can point at carry `data-pick`: `loco:E3` (a locomotive card at auction or in hand),
`card:coal200` (an open card of the wagon deck), `train:0:2` (the second train of the first seat) and
`seat:0` (a player). A page that wants clicks lets only the elements that can be chosen receive them.

Classes for recolouring: `cloth`, `tray`, `paper`, `ink`, `note`, `rail`, `wheel`, `mark`; `drive-ID`
and `kind-ID` on vehicles, `special` on special cards, `seat-N` on a player's sign. Nothing is shown
by colour alone: every kind of vehicle has its shape and its name as tooltip, seats have numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

from kursbuch.core.words import Words
from kursbuch.hexmap import svg
from kursbuch.nimm.auctions import locos_at
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
from kursbuch.nimm.state import (
    HANDS,
    Draft,
    NimmState,
    OpenAuction,
    SealedBids,
    Tie,
    Train,
    TurnAuction,
)
from kursbuch.nimm.texts import card_name, dollars, loco_facts, train_name
from kursbuch.nimm.trains import limit, multiplier, profit, wagons

WIDTH = 980.0
MARGIN = 14.0
COLUMN = (WIDTH - 3 * MARGIN) / 2
TOP = 188.0
LANE = 50.0
BLOCK = 3 * LANE + 40.0

INK = "#1d1a16"
PAPER = "#fbf6e9"
OUTLINE: dict[str, object] = {"stroke": INK, "stroke_width": 1.3, "stroke_linejoin": "round"}

SEAT_COLOURS = (
    ("#f4f1e8", INK),
    ("#5c4033", "#ffffff"),
    ("#8fd3d1", INK),
    ("#f2a3b8", INK),
    ("#34568b", "#ffffff"),
    ("#e2c044", INK),
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
        self.marks = frozenset(marks)
        rows = (state.seats + 1) // 2
        self.height = TOP + rows * (BLOCK + MARGIN)

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
            for rise, size in ((44, 5.5), (50, 7.5)):
                parts.append(
                    svg.element(
                        "circle",
                        cx=x + 20 - (rise - 44) * 1.6,
                        cy=y - rise,
                        r=size,
                        class_="smoke",
                        fill="#c9c6bd",
                        opacity="0.7",
                    )
                )
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

    def paper(self, x: float, y: float, width: float, height: float, key: str) -> str:
        """A card's ground, ringed if the last move changed it."""
        marked = key in self.marks
        return _box(
            x,
            y,
            width,
            height,
            6,
            PAPER,
            class_="paper mark" if marked else "paper",
            stroke="#b3202c" if marked else INK,
            stroke_width=3 if marked else 1.3,
        )

    def loco_card(self, x: float, y: float, loco: str) -> str:
        """A locomotive card, 104 by 92."""
        card, key = self.cards.locomotive[loco], f"loco:{loco}"
        facts = self.words._("{power} ⚡  {speed} km/h", power=card.power, speed=card.speed)
        return svg.group(
            [
                self.paper(x, y, 104.0, 92.0, key),
                self.locomotive(x + 10, y + 68, card, card.multiplier),
                svg.text(x + 52, y + 84, facts, class_="ink", font_size=10, fill=INK),
            ],
            title=f"{loco}: {loco_facts(self.words, self.cards, loco)}",
            class_="card",
            data_pick=key,
        )

    def open_card(self, x: float, y: float, card: str) -> str:
        """A card of the wagon deck, 78 by 72."""
        key = f"card:{card}"
        name = card_name(self.words, self.cards, card)
        wagon = self.cards.wagons.get(card)
        if wagon is not None:
            picture = self.wagon(x + 13, y + 50, wagon.kind, wagon.value)
            label = self.words._(KIND_NAMES[wagon.kind])
        else:
            sign = {MULTIPLIER: "×+1", DOUBLE: "2×", BONUS: self._bonus()}.get(card, "!")
            picture = svg.text(
                x + 39,
                y + 40,
                sign,
                class_="special",
                font_size=20,
                font_weight="bold",
                fill="#8c2f39",
            )
            label = self.words._(SPECIAL_NAMES.get(card, card))
        return svg.group(
            [
                self.paper(x, y, 78.0, 72.0, key),
                picture,
                svg.text(x + 39, y + 64, label, class_="ink", font_size=9, fill=INK),
            ],
            title=name,
            class_="card",
            data_pick=key,
        )

    def _bonus(self) -> str:
        return f"+{self.cards.special[BONUS].money}"

    # ---- the parts of the table

    def heading(self) -> Iterable[str]:
        """Round, type of auction, and what the auction has come to."""
        state, words = self.state, self.words
        number = words._(
            "Round {number} of {last}", number=state.round, last=self.cards.setup.rounds
        )
        auction = words._(AUCTION_NAMES[state.auction]) if state.auction else ""
        line = words._("{round} · auction: {auction}", round=number, auction=auction)
        yield _left(MARGIN, 22, line, font_size=15, font_weight="bold", class_="note", fill=INK)
        if state.order:
            length = words._(
                "The round ends with wagon number {number}.", number=limit(state, self.cards)
            )
            yield _left(MARGIN, 40, length, font_size=12, class_="note", fill=INK)
        else:
            yield _left(MARGIN, 40, self.bidding(), font_size=12, class_="note", fill=INK)

    def bidding(self) -> str:
        """The highest bid, or the bids lying open."""
        state, words = self.state, self.words
        match state.agenda[-1] if state.agenda else None:
            case TurnAuction(bidder=seat, bid=bid) | OpenAuction(bidder=seat, bid=bid):
                return words._(
                    "Highest bid: {name} {amount}",
                    name=words.name(seat),
                    amount=dollars(words, bid),
                )
            case SealedBids(before=before, answers=answers):
                parts = [
                    f"{words.name(seat)} {dollars(words, bid)}" for seat, bid in before.items()
                ]
                given = words._("secret bids so far: {count}", count=len(answers))
                return " · ".join([*parts, given])
            case Tie(tied=tied, bid=bid):
                return words._(
                    "Equal bids of {amount}: {list}",
                    amount=dollars(words, bid),
                    list=words.join([words.name(seat) for seat in tied]),
                )
        return ""

    def auction(self) -> Iterable[str]:
        """The locomotives at auction, or the hands of the auction pass on the viewer knows."""
        state = self.state
        step = state.agenda[-1] if state.agenda else None
        shown = list(state.offer)
        if isinstance(step, SealedBids) and step.purpose == "choice":
            shown = [""] * state.seats
        names: dict[int, str] = {}
        if isinstance(step, Draft):
            for seat in range(state.seats):
                hand = locos_at(state, self.cards, HANDS[seat])
                if hand:
                    names[len(shown)] = self.words.name(seat)
                shown += hand
        # Many cards overlap.
        apart = min(112.0, (WIDTH - 2 * MARGIN - 104) / max(1, len(shown) - 1))
        for place, loco in enumerate(shown):
            x = MARGIN + place * apart
            if place in names:
                yield _left(x, 64, names[place], font_size=11, class_="note", fill=INK)
            yield self.loco_card(x, 70, loco) if loco else self.face_down(x, 70)

    def face_down(self, x: float, y: float) -> str:
        """The back of a locomotive card."""
        return svg.group(
            [
                self.paper(x, y, 104.0, 92.0, ""),
                _box(x + 8, y + 8, 88.0, 76.0, 4, "#4d6a7a", class_="back"),
                svg.text(x + 52, y + 56, "?", font_size=30, font_weight="bold", fill="#ffffff"),
            ],
            title=self.words._("a locomotive face down"),
        )

    def display(self) -> Iterable[str]:
        """The open cards of the wagon deck."""
        x = MARGIN
        for card in self.state.display:
            yield self.open_card(x, 82, card)
            x += 86
        if self.state.longer:
            yield _left(
                x + 8,
                120,
                self.words._("Longer train"),
                font_size=13,
                font_weight="bold",
                class_="note",
                fill="#8c2f39",
            )

    def players(self) -> Iterable[str]:
        """A block with three lanes for every player."""
        for seat in range(self.state.seats):
            x = MARGIN + (seat % 2) * (COLUMN + MARGIN)
            y = TOP + (seat // 2) * (BLOCK + MARGIN)
            yield self.player(x, y, seat)

    def player(self, x: float, y: float, seat: int) -> str:
        """One player's sign and trains."""
        state, words = self.state, self.words
        fill, ink = SEAT_COLOURS[seat % len(SEAT_COLOURS)]
        name = words.name(seat)
        sign = [
            _box(x, y, COLUMN, BLOCK, 8, "#e9e2cd", class_="tray", **OUTLINE),
            svg.element(
                "circle", cx=x + 18, cy=y + 17, r=11.0, class_=f"seat-{seat}", fill=fill, **OUTLINE
            ),
            svg.text(x + 18, y + 21, str(seat + 1), font_size=11, font_weight="bold", fill=ink),
            _left(x + 36, y + 22, name, font_size=14, font_weight="bold", class_="ink", fill=INK),
        ]
        notes = [words.ngettext("{n} target tile", "{n} target tiles", state.tiles[seat])]
        if state.order:
            place = state.order.index(seat) + 1
            notes.insert(0, words._("place {number}", number=place))
        if state.start == seat:
            notes.insert(0, words._("start player"))
        sign.append(
            svg.element(
                "text",
                escape(" · ".join(notes)),
                x=x + COLUMN - 12,
                y=y + 21,
                text_anchor="end",
                font_size=11,
                class_="ink",
                fill=INK,
            )
        )
        blocks = [svg.group(sign, title=name, class_="player", data_pick=f"seat:{seat}")]
        for number, train in enumerate(state.trains[seat]):
            low = y + 36 + (number + 1) * LANE - 6
            blocks.append(self.train(x + 8, low, seat, number + 1, train))
        return "".join(blocks)

    def train(self, x: float, y: float, seat: int, number: int, train: Train) -> str:
        """A train on its rail, the locomotive in front on the left."""
        key = f"train:{seat}:{number}"
        marked = key in self.marks
        parts = [
            # The ground makes the whole lane an element to point at.
            _box(
                x - 4,
                y - LANE + 8,
                COLUMN - 8,
                LANE - 4,
                5,
                "#f3edda",
                class_="lane mark" if marked else "lane",
                stroke="#b3202c" if marked else None,
                stroke_width=2 if marked else None,
            ),
            svg.element(
                "path",
                d=f"M{svg.number(x)} {svg.number(y + 2)}h{svg.number(COLUMN - 16)}",
                class_="rail",
                stroke="#7a7468",
                stroke_width=2,
            ),
        ]
        card = self.cards.locomotive[train.loco] if train.loco else None
        parts.append(self.locomotive(x, y, card, multiplier(self.cards, train)))
        place = x + 84
        for name, wagon in zip(train.wagons, wagons(self.cards, train), strict=True):
            parts.append(self.wagon(place, y, wagon.kind, wagon.value, copied=name == DOUBLE))
            place += 53
        title = train_name(self.words, self.cards, number, train.loco)
        if train.loco:
            title = f"{title}: {loco_facts(self.words, self.cards, train.loco)}"
        loads = ", ".join(card_name(self.words, self.cards, name) for name in train.wagons)
        worth = dollars(self.words, profit(self.cards, train))
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
            svg.group(page.auction(), class_="auction"),
            svg.group(page.display(), class_="display"),
            svg.group(page.players(), class_="players"),
        ],
        label=words._("Board of {title}", title="Nimm den Zug"),
        class_="board",
        data_title="nimm",
    )
