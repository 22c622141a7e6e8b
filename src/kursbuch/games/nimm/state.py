"""The state of a game of Nimm den Zug as plain data, and its encoding as numbers.

A face-down deck is a set: the card that is turned up is drawn at that moment, which is the same
chance as an order drawn before, and leaves nothing to be hidden. Holders in the ledger are the
seats ("0", "1" …) and

- for money: `bank`;
- for locomotives: `unseen` (face down, whether in use in this round or not), `deck` (face down
  again after having been set aside), `offer`, `aside`, `hand:0` and `kept:0` (held and kept by seat
  0 in the auction pass on), `spare` (face down before a player);
- for cards of the wagon deck: `deck`, `display`, `discard`, `spent` (on the discard pile, but not
  to be shuffled in again in this round), `table` (a longer train in force), `box`;
- for auction tiles: `pool`, `table`, `box`; for target tiles: `pool`, `used`, and `hidden` in the
  view of a player who does not know where the tile is.
"""

from __future__ import annotations

from functools import cache

import msgspec

from kursbuch.core.state import Counted, Encoding, Listed, Size, State, Step
from kursbuch.games.nimm.components import Cards


class Opening(Step, tag="opening"):
    """Start player, money and target tiles are to be dealt out."""


class NewRound(Step, tag="new-round"):
    """A round is to be prepared."""

    number: int


class NextAuction(Step, tag="next-auction"):
    """An auction is to be started by `seat`, or by the next who still takes part."""

    seat: int


class ChooseCard(Step, tag="choose-card"):
    """The starter chooses which of the open locomotives is auctioned."""

    seat: int


class FirstBid(Step, tag="first-bid"):
    """The starter makes the first bid for a locomotive, in turn or open."""

    seat: int
    loco: str


class TurnAuction(Step, tag="turn-auction"):
    """Bidding in turn. `active` are the seats still in it; `seat` is to speak."""

    starter: int
    loco: str
    active: list[int]
    seat: int
    bidder: int
    bid: int


class OpenAuction(Step, tag="open-auction"):
    """Calling out bids. `others` are all who may outbid the highest bidder, `waiting` those of them
    who have not let the last bid stand."""

    starter: int
    loco: str
    others: list[int]
    waiting: list[int]
    bidder: int
    bid: int


class SecretBids(Step):
    """What all steps with secret bids of several `seats` at once share. `answers` are the bids given
    so far, None for one the viewer may not know."""

    starter: int
    loco: str
    seats: list[int]
    answers: dict[int, int | None]


class SealedBids(SecretBids, tag="sealed-bids"):
    """The sealed bid for a locomotive, or, double sealed, the first of two."""


class SecondBids(SecretBids, tag="second-bids"):
    """The second sealed bid; `before` are the first ones."""

    before: dict[int, int]


class ChoiceBids(SecretBids, tag="choice-bids"):
    """First choice: bids for the order of buying; the locomotives are not yet known."""


class SealedRaises(SecretBids, tag="sealed-raises"):
    """An open auction by mail: everybody raises the bid of `bidder` or lets it stand, which is an
    answer of 0."""

    bidder: int
    bid: int


def open_bids(step: SecretBids) -> dict[int, int]:
    """The bids that lie open while others are made secretly."""
    match step:
        case SecondBids(before=before):
            return before
        case SealedRaises(bidder=bidder, bid=bid):
            return {bidder: bid}
    return {}


class Tie(Step, tag="tie"):
    """The starter decides which of the tied seats has made the highest bid; in an open auction the
    others then go on bidding."""

    starter: int
    loco: str
    tied: list[int]
    bid: int


class Ranking(Step, tag="ranking"):
    """First choice: the order of buying follows from the bids, the starter ordering equal ones."""

    starter: int
    bids: dict[int, int]
    ranked: list[int]


class Buying(Step, tag="buying"):
    """First choice: the seats of `order` are still to buy, the first of them now; `without` have
    paid their bids and can pay for no card. The cards are not turned up until `shown`."""

    starter: int
    bids: dict[int, int]
    order: list[int]
    without: list[int]
    shown: bool


class Draft(Step, tag="draft"):
    """Pass on: everybody keeps one card. `picks` are the answers so far, empty for one the viewer
    may not know; `stage` is 0 before the cards are dealt."""

    stage: int
    picks: dict[int, str]


class DraftPrice(Step, tag="draft-price"):
    """Pass on: the seats of `order` are still to pay."""

    order: list[int]


class TooDear(Step, tag="too-dear"):
    """Pass on: the seat cannot pay and turns a locomotive down."""

    seat: int


class PhaseTwo(Step, tag="phase-two"):
    """All own their locomotives: the order is to be set and the wagons turned up."""


class Turn(Step, tag="turn"):
    """A turn of phase two; `replaced` once cards have been replaced in it."""

    seat: int
    replaced: bool


class SpecialTaken(Step, tag="special-taken"):
    """The seat has taken a special card and may still hand in target tiles in this turn."""

    seat: int


class Closing(Step, tag="closing"):
    """The round is over; `waiting` may still hand in target tiles before the payment."""

    waiting: list[int]


class Reckoning(Step, tag="reckoning"):
    """Profits are to be paid."""


NimmStep = (
    Opening
    | NewRound
    | NextAuction
    | ChooseCard
    | FirstBid
    | TurnAuction
    | OpenAuction
    | SealedBids
    | SecondBids
    | ChoiceBids
    | SealedRaises
    | Tie
    | Ranking
    | Buying
    | Draft
    | DraftPrice
    | TooDear
    | PhaseTwo
    | Turn
    | SpecialTaken
    | Closing
    | Reckoning
)

#: The steps in which everybody owns three locomotives, so that target tiles can be used.
WITH_TARGETS = (TooDear, Turn, SpecialTaken, Closing)


class Train(msgspec.Struct):
    """A locomotive (empty: a spare one) with its wagon cards from front to rear, and how much
    multiplier cards add."""

    loco: str
    wagons: list[str]
    plus: int = 0


class Special(msgspec.Struct):
    """A special card taken in the turn that is being played."""

    seat: int
    card: str


class NimmState(State[NimmStep], kw_only=True):
    """Everything that changes during a game.

    `start` is the start player of the round, `auction` its type; `unseen` counts the locomotive
    cards in use that no one has seen yet; `offer` and `display` are the open cards as they lie.
    `order` are the seats by their order tiles, empty in phase one. `tiles` and `used` count every
    player's target tiles, in hand and handed in.
    """

    round: int
    start: int
    auction: str
    unseen: int
    offer: list[str]
    trains: list[list[Train]]
    order: list[int]
    display: list[str]
    longer: bool
    passes: int
    special: Special | None
    tiles: list[int]
    used: list[int]
    by_rounds: bool


@cache
def owner(seat: int) -> str:
    """The ledger's name for a player."""
    return str(seat)


@cache
def hand(seat: int) -> str:
    """The ledger's name for the locomotives a player holds in the auction pass on."""
    return f"hand:{seat}"


@cache
def kept(seat: int) -> str:
    """The ledger's name for the locomotives a player has kept in the auction pass on."""
    return f"kept:{seat}"


@cache
def loco_item(loco: str) -> str:
    """The ledger's name for a locomotive card."""
    return f"loco:{loco}"


@cache
def card_item(card: str) -> str:
    """The ledger's name for a card of the wagon deck."""
    return f"card:{card}"


@cache
def target_item(tile: str) -> str:
    """The ledger's name for a target tile."""
    return f"target:{tile}"


@cache
def auction_item(auction: str) -> str:
    """The ledger's name for an auction tile."""
    return f"auction:{auction}"


#: Maximum number of trains of a player.
TRAINS = 4


def encoding(cards: Cards, seats: int) -> Encoding:
    """Words and sizes of a game with a number of seats."""
    players = [owner(seat) for seat in range(seats)]
    passing = [name(seat) for name in (hand, kept) for seat in range(seats)]
    wagons = list(cards.counts)
    holders = {
        "money": ("bank", *players),
        "loco": ("unseen", "deck", "offer", "aside", "spare", *players, *passing),
        "card": ("deck", "display", "discard", "spent", "table", "box", *players),
        "target": ("pool", "used", "hidden", *players),
        "auction": ("pool", "table", "box"),
    }
    locos = list(cards.locomotive)
    sizes: dict[str, Size] = {
        "offer": Counted(locos),
        "trains": Listed(seats, Listed(TRAINS)),
        "trains.wagons": Listed(cards.setup.wagon_limit_longer_train),
        "display": Counted(wagons),
    }
    words = (*locos, *wagons, *cards.targets, *cards.auctions)
    return Encoding(words, lambda item: holders[item.partition(":")[0]], sizes)
