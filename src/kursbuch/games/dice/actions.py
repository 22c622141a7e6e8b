"""Actions of Railroad Dice and their notation (docs/notation.md).

Ends of the line are called A and B. `behind` is how many dice of a payment come from behind the
screen; the rest are question marks from in front of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, ClassVar, Literal, cast

import msgspec

from kursbuch.core.actions import Action
from kursbuch.core.errors import no_move

EndName = Literal["A", "B"]
SideName = Literal["N", "E", "S", "W"]
Seller = Literal["bank", "director"]
Square = Annotated[str, msgspec.Meta(pattern=r"^[a-i][1-9]\Z")]

#: A number of dice.
Dice = Annotated[int, msgspec.Meta(ge=0)]

#: A number of quarter turns.
Turns = Annotated[int, msgspec.Meta(ge=0, le=3)]


class TakeIncome(Action, frozen=True, tag="take-income"):
    """Take dice from the bank [income-2]."""


class Roll(Action, frozen=True, tag="roll"):
    """Roll dice from behind the screen and question marks, with a bonus die for each of these
    [roll-2]."""

    AMOUNT: ClassVar[str] = "behind"

    behind: Dice
    questions: Dice


class BuyShare(Action, frozen=True, tag="buy-share"):
    """Buy a share of a company from the bank or its director [share-2, share-3], with a die that
    shows a share or a question mark."""

    company: str
    seller: Seller
    question: bool = False


class LayTrack(Action, frozen=True, tag="lay-track"):
    """Lay a piece on a square an end points to, leading on to a side [track-3]; with a question mark
    or a die of its own face."""

    AMOUNT: ClassVar[str] = "behind"

    end: EndName
    square: Square
    side: SideName
    question: bool = False
    behind: Dice = 0


class OpenTile(Action, frozen=True, tag="open-tile"):
    """Choose the new tile beyond the edge, turned clockwise by quarters [tile-1]."""

    tile: str
    rotation: Turns


class BuildStation(Action, frozen=True, tag="build-station"):
    """Build one of a company's stations at an end [station-1]."""

    AMOUNT: ClassVar[str] = "behind"

    company: str
    terrain: str
    cost: int
    end: EndName
    behind: Dice = 0


class EndTurn(Action, frozen=True, tag="end-turn"):
    """Do no more in this turn [turn-3]."""


class ReturnDice(Action, frozen=True, tag="return-dice"):
    """Return surplus dice from in front of the screen [reduce-1]."""

    straights: Dice = 0
    curves: Dice = 0
    shares: Dice = 0
    questions: Dice = 0


DiceAction = (
    TakeIncome | Roll | BuyShare | LayTrack | OpenTile | BuildStation | EndTurn | ReturnDice
)
FORMS = (
    "takes income",
    "rolls NUMBER [and NUMBER ?]",
    "buys COMPANY from bank|director [with ?]",
    "lays END SQUARE to SIDE [with ?] [paying NUMBER behind]",
    "opens TILE [turned NUMBER]",
    "builds COMPANY TERRAIN COST at END [paying NUMBER behind]",
    "returns NUMBER straight, NUMBER curve, NUMBER share, NUMBER ?",
    "ends turn",
)
FACES = ("straight", "curve", "share", "?")


def format_action(action: Action) -> str:
    """The text form of an action.

    >>> format_action(LayTrack(0, "A", "e4", "N", question=True, behind=1))
    'lays A e4 to N with ? paying 1 behind'
    >>> format_action(ReturnDice(0, 2, 0, 1))
    'returns 2 straight, 1 share'
    """
    match action:
        case TakeIncome():
            return "takes income"
        case Roll(_, behind, questions):
            return f"rolls {behind} and {questions} ?" if questions else f"rolls {behind}"
        case BuyShare(_, company, seller, question):
            return f"buys {company} from {seller}{' with ?' if question else ''}"
        case LayTrack(_, end, square, side, question, behind):
            return f"lays {end} {square} to {side}{' with ?' if question else ''}{_paying(behind)}"
        case OpenTile(_, tile, rotation):
            return f"opens {tile} turned {rotation}" if rotation else f"opens {tile}"
        case BuildStation(_, company, terrain, cost, end, behind):
            return f"builds {company} {terrain} {cost} at {end}{_paying(behind)}"
        case ReturnDice(_, straights, curves, shares, questions):
            counts = (straights, curves, shares, questions)
            return "returns " + ", ".join(
                f"{count} {face}" for count, face in zip(counts, FACES, strict=True) if count
            )
        case EndTurn():
            return "ends turn"
    raise TypeError(f"not an action of this game: {action!r}")


def _paying(behind: int) -> str:
    return f" paying {behind} behind" if behind else ""


def _returned(seat: int, found: tuple[str | None, ...]) -> Action:
    counts = [0, 0, 0, 0]
    for part in str(found[0]).lower().split(","):
        number, face = part.split()
        counts[FACES.index(face.rstrip("s"))] += int(number)
    return ReturnDice(seat, *counts)


Found = tuple[str | None, ...]
_COUNT = r"\d{1,3} (?:straights?|curves?|shares?|\?)"
_PAYING = r"(?: paying (\d{1,3}) behind)?"
_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[int, Found], Action]], ...] = (
    (re.compile(r"takes income", re.I), lambda seat, found: TakeIncome(seat)),
    (
        re.compile(r"rolls (\d{1,3})(?: and (\d{1,3}) \?)?", re.I),
        lambda seat, found: Roll(seat, int(found[0] or 0), int(found[1] or 0)),
    ),
    (
        re.compile(r"buys (\w+) from (bank|director)( with \?)?", re.I),
        lambda seat, found: BuyShare(
            seat, str(found[0]).lower(), cast("Seller", str(found[1]).lower()), bool(found[2])
        ),
    ),
    (
        re.compile(rf"lays ([AB]) ([a-i][1-9]) to ([NESW])( with \?)?{_PAYING}", re.I),
        lambda seat, found: LayTrack(
            seat,
            cast("EndName", str(found[0]).upper()),
            str(found[1]).lower(),
            cast("SideName", str(found[2]).upper()),
            bool(found[3]),
            int(found[4] or 0),
        ),
    ),
    (
        re.compile(r"opens (\w+)(?: turned ([0-3]))?", re.I),
        lambda seat, found: OpenTile(seat, str(found[0]).lower(), int(found[1] or 0)),
    ),
    (
        re.compile(rf"builds (\w+) (\w+) (\d{{1,2}}) at ([AB]){_PAYING}", re.I),
        lambda seat, found: BuildStation(
            seat,
            str(found[0]).lower(),
            str(found[1]).lower(),
            int(found[2] or 0),
            cast("EndName", str(found[3]).upper()),
            int(found[4] or 0),
        ),
    ),
    (
        re.compile(rf"returns ({_COUNT}(?:, ?{_COUNT}){{0,3}})", re.I),
        _returned,
    ),
    (re.compile(r"ends turn", re.I), lambda seat, found: EndTurn(seat)),
)


def parse_action(text: str, seat: int, names: dict[str, str]) -> Action:
    """The action a text means. `names` gives the exact spelling of companies and tiles in small
    letters.

    >>> parse_action("Lays a E4 to n with ?", 0, {})
    LayTrack(seat=0, end='A', square='e4', side='N', question=True, behind=0)
    >>> parse_action("returns 2 straights, 1 share, 1 ?", 0, {})
    ReturnDice(seat=0, straights=2, curves=0, shares=1, questions=1)
    """
    for pattern, build in _PATTERNS:
        found = pattern.fullmatch(text.strip())
        if found:
            action = build(seat, found.groups())
            match action:
                case BuyShare(_, company, seller, question):
                    return BuyShare(seat, names.get(company, company), seller, question)
                case OpenTile(_, tile, rotation):
                    return OpenTile(seat, names.get(tile, tile), rotation)
                case BuildStation(_, company, terrain, cost, end, behind):
                    name = names.get(company, company)
                    return BuildStation(seat, name, names.get(terrain, terrain), cost, end, behind)
            return action
    raise no_move(text, FORMS)
