"""Cards: locomotives, the wagon deck, and their backs."""

from __future__ import annotations

from kursbuch.games.nimm.components import BONUS, DOUBLE, KIND_NAMES, MULTIPLIER, SPECIAL_NAMES
from kursbuch.games.nimm.drawing import looks
from kursbuch.games.nimm.drawing.looks import BOLD, WHITE
from kursbuch.games.nimm.drawing.page import Page
from kursbuch.games.nimm.drawing.vehicles import locomotive, wagon
from kursbuch.hexmap import svg

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
