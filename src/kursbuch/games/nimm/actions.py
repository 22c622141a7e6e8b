"""Actions of Nimm den Zug and their notation (docs/notation.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Annotated, ClassVar

import msgspec

from kursbuch.core.actions import Action
from kursbuch.core.errors import no_move
from kursbuch.games.nimm.components import Cards
from kursbuch.games.nimm.holdings import in_order


class Offer(Action, frozen=True, tag="offer"):
    """Choose the locomotive that is auctioned [auction-turn-1]."""

    loco: str


class Bid(Action, frozen=True, tag="bid"):
    """Bid an amount: aloud or, in a sealed auction, in the closed hand."""

    AMOUNT: ClassVar[str] = "amount"

    amount: int


class Pass(Action, frozen=True, tag="pass"):
    """Bid no more for this locomotive [auction-turn-3], or take no card [pass-1]."""


class Hold(Action, frozen=True, tag="hold"):
    """Let the highest bid of an open auction stand for now [auction-open-4]."""


class Favour(Action, frozen=True, tag="favour"):
    """Decide between equal bids: this player comes first [auction-general-2]."""

    player: Annotated[int, msgspec.Meta(ge=0)]


class Buy(Action, frozen=True, tag="buy"):
    """Buy one of the locomotives of a first choice auction [auction-choice-5]."""

    loco: str


class Keep(Action, frozen=True, tag="keep"):
    """Keep a locomotive and pass the others on [auction-pass-2, auction-pass-3]."""

    loco: str


class TurnDown(Action, frozen=True, tag="turn-down"):
    """Turn a locomotive that is too dear into a spare locomotive [auction-pass-6]."""

    loco: str


class Take(Action, frozen=True, tag="take"):
    """Take an open card for a train (1 to 3; 0 for a card that goes to none) [couple-1]."""

    card: str
    train: int = 0


class Replace(Action, frozen=True, tag="replace"):
    """Have open cards replaced, which stand in the order of the component file [replace-1]. Text and
    JSON may name them in any order."""

    cards: tuple[str, ...]


class UseTarget(Action, frozen=True, tag="use-target"):
    """Hand in a target tile whose condition holds [target-use-1]."""

    tile: str


class Ready(Action, frozen=True, tag="ready"):
    """Hand in no (further) target tile at this moment."""


NimmAction = (
    Offer | Bid | Pass | Hold | Favour | Buy | Keep | TurnDown | Take | Replace | UseTarget | Ready
)
FORMS = (
    "offers LOCOMOTIVE",
    "bids AMOUNT",
    "passes",
    "holds",
    "favours player NUMBER",
    "buys LOCOMOTIVE",
    "keeps LOCOMOTIVE",
    "turns down LOCOMOTIVE",
    "takes CARD for train NUMBER",
    "takes CARD",
    "replaces CARD, CARD …",
    "hands in TARGET",
    "is ready",
)


def format_action(action: Action) -> str:
    """The text form of an action.

    >>> format_action(Take(0, "coal200", 2))
    'takes coal200 for train 2'
    >>> format_action(Replace(0, ("food50", "food50", "double")))
    'replaces food50, food50, double'
    """
    match action:
        case Offer(_, loco):
            return f"offers {loco}"
        case Bid(_, amount):
            return f"bids {amount}"
        case Pass():
            return "passes"
        case Hold():
            return "holds"
        case Favour(_, player):
            return f"favours player {player + 1}"
        case Buy(_, loco):
            return f"buys {loco}"
        case Keep(_, loco):
            return f"keeps {loco}"
        case TurnDown(_, loco):
            return f"turns down {loco}"
        case Take(_, card, 0):
            return f"takes {card}"
        case Take(_, card, train):
            return f"takes {card} for train {train}"
        case Replace(_, cards):
            return f"replaces {', '.join(cards)}"
        case UseTarget(_, tile):
            return f"hands in {tile}"
        case Ready():
            return "is ready"
    raise TypeError(f"not an action of this game: {action!r}")


Build = Callable[[int, tuple[str, ...]], Action]
_PATTERNS: tuple[tuple[re.Pattern[str], Build], ...] = (
    (re.compile(r"offers (\w+)", re.I), lambda seat, found: Offer(seat, found[0])),
    (re.compile(r"bids \$?(\d{1,7})", re.I), lambda seat, found: Bid(seat, int(found[0]))),
    (re.compile(r"passes", re.I), lambda seat, found: Pass(seat)),
    (re.compile(r"holds", re.I), lambda seat, found: Hold(seat)),
    (
        re.compile(r"favours player (\d{1,2})", re.I),
        lambda seat, found: Favour(seat, int(found[0]) - 1),
    ),
    (re.compile(r"buys (\w+)", re.I), lambda seat, found: Buy(seat, found[0])),
    (re.compile(r"keeps (\w+)", re.I), lambda seat, found: Keep(seat, found[0])),
    (re.compile(r"turns down (\w+)", re.I), lambda seat, found: TurnDown(seat, found[0])),
    (
        re.compile(r"takes ([\w-]+)(?: for train (\d))?", re.I),
        lambda seat, found: Take(seat, found[0], int(found[1] or 0)),
    ),
    (
        re.compile(r"replaces ([\w-]+(?:(?:, ?| )[\w-]+)*)", re.I),
        lambda seat, found: Replace(seat, tuple(re.split(r", ?| ", found[0]))),
    ),
    (re.compile(r"hands in ([\w-]+)", re.I), lambda seat, found: UseTarget(seat, found[0])),
    (re.compile(r"is ready", re.I), lambda seat, found: Ready(seat)),
)


def parse_action(text: str, seat: int, cards: Cards) -> Action:
    """The action a text means. Upper and lower case are the same, and cards to be replaced may be
    named in any order.

    >>> from kursbuch.games.nimm.components import parse_cards, standard_data
    >>> cards = Cards(parse_cards(standard_data()))
    >>> parse_action("Replaces coal200 FOOD50", 1, cards)
    Replace(seat=1, cards=('food50', 'coal200'))
    >>> parse_action("offers e3", 1, cards)
    Offer(seat=1, loco='E3')
    """
    for pattern, build in _PATTERNS:
        found = pattern.fullmatch(text.strip())
        if found:
            return _spelt(build(seat, found.groups()), cards)
    raise no_move(text, FORMS)


def _spelt(action: Action, cards: Cards) -> Action:
    """The action with the names spelt as in the component file."""
    match action:
        case Offer(seat, loco):
            return Offer(seat, _name(loco, cards.locomotive))
        case Buy(seat, loco):
            return Buy(seat, _name(loco, cards.locomotive))
        case Keep(seat, loco):
            return Keep(seat, _name(loco, cards.locomotive))
        case TurnDown(seat, loco):
            return TurnDown(seat, _name(loco, cards.locomotive))
        case Take(seat, card, train):
            return Take(seat, _name(card, cards.counts), train)
        case UseTarget(seat, tile):
            return UseTarget(seat, _name(tile, cards.targets))
        case Replace(seat, names):
            spelt = [_name(name, cards.counts) for name in names]
            return Replace(seat, tuple(in_order(cards, spelt)))
    return action


def _name(given: str, known: Iterable[str]) -> str:
    return next((name for name in known if name.casefold() == given.casefold()), given)
