"""What was corrected by hand in Rails-18xx, as corrections of ours.

Fields are known by what stands in them, because versions of that program name them otherwise: a holder of
money by its name, a direction on the chart by its word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from kursbuch.core.corrections import NOBODY, Correct, player
from kursbuch.core.words import N_
from kursbuch.games.g18xx.actions import LayTile, PlaceStation
from kursbuch.games.g18xx.g1835.rails.course import Course
from kursbuch.games.g18xx.g1835.rails.names import unknown
from kursbuch.games.g18xx.map.track import Laid
from kursbuch.games.g18xx.pieces import BANK, BOX, PACKET, POOL
from kursbuch.games.g18xx.rails.save import Act
from kursbuch.games.g18xx.rails.tiles import turned

#: Switching corrections on and off changes nothing.
MODES = ("CorrectionModeAction",)

#: A correction that leaves everything as it is here.
NOTHING = Correct(NOBODY, "", ())

TAKEN_OVER = N_(
    "In action {actions} something was corrected by hand. It is taken over as a correction."
)


def _texts(act: Act) -> Iterator[str]:
    """All that stands in fields as text, but for who made the correction."""
    for name, value in act.fields.items():
        if name != "playerName":
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, str):
                    yield part


def _cash(course: Course, act: Act) -> Correct | None:
    """The bank pays somebody, or is paid."""
    amount = act["amount"]
    if not isinstance(amount, int) or isinstance(amount, bool):
        return None
    for text in _texts(act):
        name = " ".join(text.split())
        names = course.game.names
        holder = player(names.index(name)) if name in names else course.terms.names.get(name, "")
        if holder and not amount:
            return NOTHING
        if holder:
            source, target = (BANK, holder) if amount > 0 else (holder, BANK)
            return Correct(NOBODY, "money", (source, target, str(abs(amount))))
    return None


def _price(course: Course, act: Act) -> Correct | None:
    """A price goes one field in some direction."""
    company = course.terms.names.get(act.company)
    chart = course.book.chart
    ways = {"UP": chart.up, "DOWN": chart.down, "LEFT": chart.left, "RIGHT": chart.right}
    way = next((ways[text.upper()] for text in _texts(act) if text.upper() in ways), None)
    if company is None or way is None:
        return None
    here = course.state.companies[company].cell
    there = way.get(here, here)
    return Correct(NOBODY, "price", (company, there)) if there != here else None


def _close(course: Course, act: Act) -> Correct | None:
    """A private railway is closed."""
    privates = course.book.components.privates
    for text in _texts(act):
        paper = course.terms.names.get(text, "")
        if paper in privates:
            seat = course.book.owner(course.state, paper)
            source = PACKET if seat is None else player(seat)
            return Correct(NOBODY, "paper", (paper, source, BOX))
    return None


def _tile(course: Course, act: Act) -> Correct | None:
    """A tile lies on a hex, in the place of what lay there, or none any more: what is printed there is a tile, too."""
    hex = str(act["locationCoordinates"] or act["hexName"] or "")
    tiles = act["sTileIds"] or act["tileIds"] or [act["tileNumber"]]
    tile = str(tiles[0]) if isinstance(tiles, list) and len(tiles) == 1 else ""
    turn = act["orientation"] if act["rotation"] is None else act["rotation"]
    board = course.book.components.board
    if not isinstance(turn, int):
        return None
    if tile in board.tiles:
        rotation = turned(board.tile(tile), turn)
        course.terms.turned[hex] = rotation
        lowest = board.tile(tile).lowest[rotation]
        if course.state.layout.tiles.get(hex) == Laid(tile, lowest):
            return NOTHING
        return Correct(NOBODY, "tile", (hex, tile, str(lowest)))
    return Correct(NOBODY, "no-tile", (hex,)) if hex in course.state.layout.tiles else None


def _train(course: Course, act: Act) -> Correct | None:
    """A train goes from one to another."""
    train = course.terms.train(act["trainId"])
    given = [act[name] for name in ("sourceOwnerName", "destOwnerName")]
    sides = [_depot(course, str(name)) for name in given]
    for name, side in zip(given, sides, strict=True):
        if name and not side:
            raise unknown(name, act)
    if train not in course.book.components.train_order or not all(sides):
        return None
    course.terms.trains[str(act["trainId"])] = sides[1]
    return Correct(NOBODY, "train", (train, *sides))


def _depot(course: Course, name: str) -> str:
    """Whoever has trains, by the name of that program, such as "Bank Pool" or "Trash/Scrap Heap"."""
    place = name.removeprefix("Bank").strip(" _")
    if "Trash" in place or "Scrap" in place:
        return BOX
    found = {"IPO": BANK, "Pool": POOL}.get(place) or course.terms.names.get(place, "")
    companies = course.state.companies
    return found if found in (BANK, POOL, *companies) else ""


CORRECTIONS: Mapping[str, Callable[[Course, Act], Correct | None]] = {
    "CashCorrectionAction": _cash,
    "CorrectCash": _cash,
    "AdjustSharePrice": _price,
    "ClosePrivate": _close,
    "MapCorrectionAction": _tile,
    "TrainCorrectionAction": _train,
}

#: Of a correction that is made in steps, a step that changes nothing yet, or never.
STEPS = frozenset(
    {"SELECT_HEX", "SELECT_TILE", "SELECT_ORIENTATION", "CONFIRM", "RELAY_BASETOKENS"}
)


#: The type of tiles and markers that are laid by hand, in newer versions.
BY_HAND = 99


def _by_hand(course: Course, act: Act) -> Correct | None:
    """A tile or a marker that is laid as a correction."""
    move = course.terms.building(act, 0)
    if isinstance(move, LayTile):
        if course.state.layout.tiles.get(move.hex) == Laid(move.tile, move.rotation):
            return NOTHING
        return Correct(NOBODY, "tile", (move.hex, move.tile, str(move.rotation)))
    assert isinstance(move, PlaceStation)
    company = course.terms.company(act)
    return Correct(NOBODY, "station", (company, move.hex, str(move.stop + 1)))


def corrected(course: Course) -> bool:
    """Take over the next action if it is a correction."""
    act: Act = course.next()
    if act.kind in MODES or act["stepName"] in STEPS:
        course.take([course.head])
        return True
    translate: Callable[[Course, Act], Any] | None = CORRECTIONS.get(act.kind)
    if act.kind in ("LayTile", "LayBaseToken") and act["type"] == BY_HAND:
        translate = _by_hand
    if translate is None:
        return False
    action = translate(course, act)
    if action is NOTHING:
        course.take([course.head])
        return True
    if action is None:
        raise course.cannot(
            "Action {number} ({kind}) is a correction of which it is not clear what it changes."
        )
    course.memory.corrected.append(act.number)
    course.take([course.head], action)
    return True
