"""Actions of Nimm den Zug and their notation (docs/notation.md)."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from kursbuch.core.actions import Action, PickSpec
from kursbuch.core.notation import PLAYER, Form, List, Name, Number
from kursbuch.core.sentences import NAME, By, Each, Sentence
from kursbuch.core.words import N_

LOCOMOTIVE = Name("LOCOMOTIVE", r"\w+")

#: The words in the names of wagon cards.
CARD_WORDS = (
    N_("food"),
    N_("cattle"),
    N_("coal"),
    N_("oil"),
    N_("luxury"),
    N_("passenger"),
    N_("bin"),
    N_("longer-train"),
    N_("multiplier"),
    N_("bonus"),
    N_("double"),
)
CARD = Name("CARD", words=CARD_WORDS)

#: Groups of choices.
_AUCTION = N_("Auction")
_TARGETS = N_("Target tiles")
_LOCO = ("loco:{loco}",)


class Offer(Action, frozen=True, tag="offer"):
    """Choose the locomotive to auction [auction-turn-1]."""

    FORM = Form("offers {loco}", loco=LOCOMOTIVE)
    PICK = PickSpec(_AUCTION, _LOCO, Sentence("Put {loco} up for auction", loco=By("loco")))

    loco: str


class Bid(Action, frozen=True, tag="bid"):
    """Bid an amount, openly or sealed."""

    FORM = Form("bids {amount}", amount=Number("AMOUNT", pattern=r"\$?\d{1,7}"))

    AMOUNT: ClassVar[str] = "amount"

    amount: int


class Pass(Action, frozen=True, tag="pass"):
    """Stop bidding for this locomotive [auction-turn-3], or take no card [pass-1]."""

    FORM = Form("passes")
    PICK = PickSpec(_AUCTION, ("pass",), Sentence("Pass"))


class Hold(Action, frozen=True, tag="hold"):
    """Let the highest bid of an open auction stand for now [auction-open-4]."""

    FORM = Form("holds")
    PICK = PickSpec(_AUCTION, ("hold",), Sentence("Let the bid stand"))


class Favour(Action, frozen=True, tag="favour"):
    """Break a tie: rank this player first [auction-general-2]."""

    FORM = Form("favours player {player}", player=PLAYER)
    PICK = PickSpec(
        "Equal bids", ("seat:{player}",), Sentence("Decide for {name}", name=NAME.of("player"))
    )

    player: Annotated[int, msgspec.Meta(ge=0)]


class Buy(Action, frozen=True, tag="buy"):
    """Buy one of the locomotives of a first choice auction [auction-choice-5]."""

    FORM = Form("buys {loco}", loco=LOCOMOTIVE)
    PICK = PickSpec(_AUCTION, _LOCO, Sentence("Buy {loco}", loco=By("loco")))

    loco: str


class Keep(Action, frozen=True, tag="keep"):
    """Keep a locomotive and pass the others on [auction-pass-2, auction-pass-3]."""

    FORM = Form("keeps {loco}", loco=LOCOMOTIVE)
    PICK = PickSpec(_AUCTION, _LOCO, Sentence("Keep {loco}", loco=By("loco")))

    loco: str


class TurnDown(Action, frozen=True, tag="turn-down"):
    """Turn an unaffordable locomotive into a spare one [auction-pass-6]."""

    FORM = Form("turns down {loco}", loco=LOCOMOTIVE)
    PICK = PickSpec(_AUCTION, _LOCO, Sentence("Turn {loco} face down", loco=By("loco")))

    loco: str


class Take(Action, frozen=True, tag="take"):
    """Take an open card for a train (1 to 3; 0 for none) [couple-1]."""

    FORM = Form("takes {card}[ for train {train}]", card=CARD, train=Number(digits=1))

    card: str
    train: int = 0


class Replace(Action, frozen=True, tag="replace"):
    """Replace open cards [replace-1]. They are in the order of the component file; text and JSON may list them in
    any order."""

    FORM = Form("replaces {cards}", cards=List(CARD, ordered=True, separator=r", ?| "))
    PICK = PickSpec(
        "Replace cards",
        ("card:{cards}",),
        Sentence("Replace {list}", list=Each(By("card")).of("cards")),
        several=True,
    )

    cards: tuple[str, ...]


class UseTarget(Action, frozen=True, tag="use-target"):
    """Hand in a target tile whose condition is met [target-use-1]."""

    FORM = Form("hands in {tile}", tile=Name("TARGET", words=(N_("target"),)))
    PICK = PickSpec(
        _TARGETS, ("target:{tile}",), Sentence("Hand in: {target}", target=By("target").of("tile"))
    )

    tile: str


class Ready(Action, frozen=True, tag="ready"):
    """Hand in no more target tiles now."""

    FORM = Form("is ready")
    PICK = PickSpec(_TARGETS, ("ready",), Sentence("Hand in none"))


NimmAction = (
    Offer | Bid | Pass | Hold | Favour | Buy | Keep | TurnDown | Take | Replace | UseTarget | Ready
)
