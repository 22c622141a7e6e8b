"""Cards, locomotives and wagons. Every kind of wagon has its own shape."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from kursbuch.games.nimm.components import (
    BONUS,
    DOUBLE,
    KIND_NAMES,
    MULTIPLIER,
    SPECIAL_NAMES,
    Locomotive,
)
from kursbuch.games.nimm.drawing import looks
from kursbuch.games.nimm.drawing.looks import BOLD, INK, WHITE, Page
from kursbuch.hexmap import svg


@lru_cache(maxsize=1024)
def locomotive(x: float, y: float, loco: Locomotive | None, factor: int) -> str:
    """A locomotive 84 wide, its rail at y; without a card it is a spare one, face down."""
    if loco is None:
        body = svg.rect(x + 4, y - 30, 74.0, 26.0, **looks.SPARE)
        return body + wheels(x, y - 3, (18, 41, 64))
    parts = [svg.polygon(_outline(x, y, loco.drive), **looks.DRIVES[loco.drive])]
    if loco.drive == "electric":
        parts.insert(0, svg.path(f"M{x + 30} {y - 34}l8 -7l-8 -7h22l-8 7l8 7", **looks.WIRE))
    if loco.drive == "steam":
        for aft, rise, size in ((20, 40, 3.5), (27, 43, 4.5), (36, 45, 5.5)):
            parts.append(svg.circle(x + aft, y - rise, size, **looks.SMOKE))
    parts.append(svg.text(x + 36, y - 11.5, loco.id, font_size=12.5, fill=WHITE, **BOLD))
    parts.append(svg.text(x + 67, y - 14, f"×{factor}", font_size=13.5, fill=WHITE, **BOLD))
    big = (14, 34, 54, 70) if loco.drive == "steam" else (12, 26, 58, 72)
    parts.append(wheels(x, y - 3, big, 5.0))
    return "".join(parts)


@lru_cache(maxsize=4096)
def wagon(x: float, y: float, kind: str, value: int, *, copied: bool = False) -> str:
    """A wagon 52 wide, its rail at y."""
    ink = WHITE if kind in looks.LIGHT_INK else INK
    look = looks.KINDS[kind] | (looks.COPIED if copied else {})
    parts = [
        *_body(x, y, kind, look),
        *_fittings(x, y, kind, ink),
        svg.text(x + 26, y - 11, str(value), font_size=13, fill=ink, **BOLD),
        wheels(x, y - 3, (14, 38), 4.0),
    ]
    return "".join(parts)


def wheels(x: float, y: float, places: Iterable[float], radius: float = 4.5) -> str:
    """Wheels on the rail below a vehicle."""
    return "".join(svg.circle(x + place, y, radius, **looks.WHEEL) for place in places)


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


def _body(x: float, y: float, kind: str, look: svg.Look) -> Iterable[str]:
    """A tub with its heap, a tank with its dome, or a box."""
    left, right, low = x + 3, x + 49, y - 6
    match kind:
        case "coal":
            heap = [(left + 3, y - 27), (x + 16, y - 35), (x + 28, y - 31), (x + 38, y - 36)]
            yield svg.polygon([*heap, (right - 3, y - 27)], **looks.HEAP)
            tub = [(left, y - 27), (right, y - 27), (right - 5, low), (left + 5, low)]
            yield svg.polygon(tub, **look)
        case "oil":
            yield svg.rect(left, y - 30, 46.0, 24.0, rx=12, **look)
            yield svg.rect(x + 21, y - 35, 10.0, 6.0, **(look | {"stroke_width": 1}))
        case _:
            roof = 3.0 if kind in ("food", "luxury") else 0.0
            body = [(left, low), (left, y - 31), (x + 26, y - 31 - roof), (right, y - 31)]
            yield svg.polygon([*body, (right, low)], **look)


def _fittings(x: float, y: float, kind: str, ink: str) -> Iterable[str]:
    """What tells closed wagons apart: slats, windows, a gem, an apple."""
    if kind == "cattle":
        for rise in (29, 26, 23):
            yield svg.path(f"M{x + 5} {y - rise}h42", fill="none", stroke=ink, stroke_width=1)
    elif kind == "passenger":
        for place in (7, 17, 27, 37):
            yield svg.rect(x + place, y - 28, 7.0, 6.0, **looks.WINDOW)
    elif kind == "luxury":
        gem = [(x + 26, y - 32), (x + 31, y - 27), (x + 26, y - 22), (x + 21, y - 27)]
        yield svg.polygon(gem, **looks.GEM)
    elif kind == "food":
        yield svg.circle(x + 26, y - 26, 3.4, **looks.APPLE)


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
        svg.text(52, 84, facts, **looks.SMALL_LETTERS),
    ]
    title = f"{loco}: {page.names.facts(loco)}"
    return svg.group(parts, title=title, class_="card", data_pick=key)


def face_down(page: Page) -> str:
    """The back of a locomotive card."""
    parts = [
        _paper(page, LOCO_WIDTH, ""),
        svg.rect(8.0, 8.0, 88.0, 76.0, **looks.BACK),
        svg.text(52, 56, "?", font_size=30, fill=WHITE, **BOLD),
    ]
    return svg.group(parts, title=page.words._("a locomotive face down"))


def open_card(page: Page, card: str) -> str:
    """A card of the wagon deck."""
    key = f"card:{card}"
    found = page.cards.wagons.get(card)
    if found is not None:
        body = wagon(0, 0, found.kind, found.value)
        picture = svg.group([body], transform="translate(9 66) scale(1.35)")
        label = page.words._(KIND_NAMES[found.kind])
    else:
        bonus = f"+{page.cards.special[BONUS].money}"
        sign = {MULTIPLIER: "×+1", DOUBLE: "2×", BONUS: bonus}.get(card, "!")
        picture = svg.text(44, 52, sign, **looks.SPECIAL)
        label = page.words._(SPECIAL_NAMES.get(card, card))
    # Long words are written smaller, but not so small that they could not be read.
    size = max(9.2, min(11.0, (WAGON_WIDTH - 6) / len(label) / 0.58))
    name = svg.text(44, 84, label, **(looks.SMALL_LETTERS | {"font_size": round(size, 1)}))
    parts = [_paper(page, WAGON_WIDTH, key), picture, name]
    return svg.group(parts, title=page.names.card(card), class_="card", data_pick=key)


def _paper(page: Page, width: float, key: str) -> str:
    """A card's ground, ringed if the last move changed it."""
    look = looks.MARKED_PAPER if key in page.marks else looks.PAPER
    return svg.rect(0.0, 0.0, width, HEIGHT, **look)
