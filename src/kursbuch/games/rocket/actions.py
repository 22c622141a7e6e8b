"""Actions of Stephenson's Rocket and their notation (docs/notation.md)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

from kursbuch.core.actions import Action
from kursbuch.core.errors import no_move


class TakeToken(Action, frozen=True, tag="take-token"):
    """Take a metropolis token [token-1]."""

    metropolis: str


class PlaceStation(Action, frozen=True, tag="place-station"):
    """Put a station from the supply on a hex [station-1]."""

    hex: str


class MoveStation(Action, frozen=True, tag="move-station"):
    """Move a station to another hex [station-3]."""

    origin: str
    hex: str


class ExtendLine(Action, frozen=True, tag="extend-line"):
    """Move the locomotive of a line to a neighbouring hex [move-1]."""

    line: str
    hex: str


class LetStand(Action, frozen=True, tag="let-stand"):
    """Call no veto round [veto-2]."""


class CallVeto(Action, frozen=True, tag="call-veto"):
    """Call a veto round [veto-2]."""


class Bid(Action, frozen=True, tag="bid"):
    """Bid shares for a destination in a veto round [veto-4]."""

    AMOUNT: ClassVar[str] = "shares"

    hex: str
    shares: int


class PassVeto(Action, frozen=True, tag="pass-veto"):
    """Make no bid in a veto round [veto-7]."""


RocketAction = (
    TakeToken | PlaceStation | MoveStation | ExtendLine | LetStand | CallVeto | Bid | PassVeto
)
FORMS = (
    "takes METROPOLIS",
    "builds HEX",
    "moves HEX to HEX",
    "extends LINE to HEX",
    "agrees",
    "objects",
    "bids NUMBER for HEX",
    "passes",
)


def format_action(action: Action) -> str:
    """The text form of an action.

    >>> format_action(ExtendLine(0, "GWR", "K10"))
    'extends GWR to K10'
    """
    match action:
        case TakeToken(_, metropolis):
            return f"takes {metropolis}"
        case PlaceStation(_, place):
            return f"builds {place}"
        case MoveStation(_, origin, place):
            return f"moves {origin} to {place}"
        case ExtendLine(_, line, place):
            return f"extends {line} to {place}"
        case LetStand():
            return "agrees"
        case CallVeto():
            return "objects"
        case Bid(_, place, shares):
            return f"bids {shares} for {place}"
        case PassVeto():
            return "passes"
    raise TypeError(f"not an action of this game: {action!r}")


_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[int, tuple[str, ...]], Action]], ...] = (
    (re.compile(r"takes (.+)", re.I), lambda seat, found: TakeToken(seat, found[0])),
    (re.compile(r"builds (\w+)", re.I), lambda seat, found: PlaceStation(seat, found[0].upper())),
    (
        re.compile(r"moves (\w+) to (\w+)", re.I),
        lambda seat, found: MoveStation(seat, found[0].upper(), found[1].upper()),
    ),
    (
        re.compile(r"extends (\w+) to (\w+)", re.I),
        lambda seat, found: ExtendLine(seat, found[0].upper(), found[1].upper()),
    ),
    (re.compile(r"agrees", re.I), lambda seat, found: LetStand(seat)),
    (re.compile(r"objects", re.I), lambda seat, found: CallVeto(seat)),
    (
        re.compile(r"bids (\d{1,4}) for (\w+)", re.I),
        lambda seat, found: Bid(seat, found[1].upper(), int(found[0])),
    ),
    (re.compile(r"passes", re.I), lambda seat, found: PassVeto(seat)),
)


def parse_action(text: str, seat: int, metropolises: dict[str, str]) -> Action:
    """The action a text means. `metropolises` gives the exact spelling for names in lower case.

    >>> parse_action("Extends gwr to k10", 0, {})
    ExtendLine(seat=0, line='GWR', hex='K10')
    """
    for pattern, build in _PATTERNS:
        found = pattern.fullmatch(text.strip())
        if found:
            action = build(seat, found.groups())
            if isinstance(action, TakeToken):
                return TakeToken(
                    seat, metropolises.get(action.metropolis.casefold(), action.metropolis)
                )
            return action
    raise no_move(text, FORMS)
