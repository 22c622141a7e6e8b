"""State of Nimm den Zug and its numeric encoding.

A face-down deck is a set: cards are drawn when turned up, which has the same odds as shuffling first and leaves no
order to hide. Ledger holders are the seats ("0", "1" …) and

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
    """Draw the start player and deal money and target tiles."""


class NewRound(Step, tag="new-round"):
    """Prepare a round."""

    number: int


class NextAuction(Step, tag="next-auction"):
    """`seat`, or the next participant, starts an auction."""

    seat: int


class ChooseCard(Step, tag="choose-card"):
    """The starter chooses an open locomotive to auction."""

    seat: int


class FirstBid(Step, tag="first-bid"):
    """The starter makes the first bid for a locomotive, in turn or openly."""

    seat: int
    loco: str


class TurnAuction(Step, tag="turn-auction"):
    """Bidding in turn. `active` seats take part; `seat` is next."""

    starter: int
    loco: str
    active: list[int]
    seat: int
    bidder: int
    bid: int


class OpenAuction(Step, tag="open-auction"):
    """Open bidding. `others` may outbid the highest bidder; those `waiting` have not let the last bid stand."""

    starter: int
    loco: str
    others: list[int]
    waiting: list[int]
    bidder: int
    bid: int


class SecretBids(Step):
    """Base of steps with simultaneous secret bids. `answers` are the bids so far, None if hidden."""

    starter: int
    loco: str
    seats: list[int]
    answers: dict[int, int | None]


class SealedBids(SecretBids, tag="sealed-bids"):
    """The sealed bid for a locomotive, or the first of two in a double sealed auction."""


class SecondBids(SecretBids, tag="second-bids"):
    """The second sealed bid; `before` are the first ones."""

    before: dict[int, int]


class ChoiceBids(SecretBids, tag="choice-bids"):
    """First choice: bids for the buying order; the locomotives are not known yet."""


class SealedRaises(SecretBids, tag="sealed-raises"):
    """An open auction by mail: raise the bid of `bidder`, or let it stand with 0."""

    bidder: int
    bid: int


def open_bids(step: SecretBids) -> dict[int, int]:
    """Bids that are open while others bid secretly."""
    match step:
        case SecondBids(before=before):
            return before
        case SealedRaises(bidder=bidder, bid=bid):
            return {bidder: bid}
    return {}


class Tie(Step, tag="tie"):
    """The starter breaks a tie for the highest bid; an open auction then continues."""

    starter: int
    loco: str
    tied: list[int]
    bid: int


class Ranking(Step, tag="ranking"):
    """First choice: rank the bids; the starter breaks ties."""

    starter: int
    bids: dict[int, int]
    ranked: list[int]


class Buying(Step, tag="buying"):
    """First choice: the seats in `order` have yet to buy; those `without` paid their bids and can afford no card.
    Cards are hidden until `shown`."""

    starter: int
    bids: dict[int, int]
    order: list[int]
    without: list[int]
    shown: bool


class Draft(Step, tag="draft"):
    """Pass on: each player keeps a card. `picks` are the answers so far, empty if hidden; `stage` is 0 before the
    deal."""

    stage: int
    picks: dict[int, str]


class DraftPrice(Step, tag="draft-price"):
    """Pass on: the seats in `order` have yet to pay."""

    order: list[int]


class TooDear(Step, tag="too-dear"):
    """Pass on: the seat cannot pay and turns down a locomotive."""

    seat: int


class PhaseTwo(Step, tag="phase-two"):
    """All own locomotives: set the order and turn up the wagons."""


class Turn(Step, tag="turn"):
    """A turn of phase two; `replaced` after replacing cards."""

    seat: int
    replaced: bool


class SpecialTaken(Step, tag="special-taken"):
    """The seat took a special card and may still hand in target tiles this turn."""

    seat: int


class Closing(Step, tag="closing"):
    """The round is over; `waiting` seats may still hand in target tiles."""

    waiting: list[int]


class Reckoning(Step, tag="reckoning"):
    """Pay profits."""


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

#: Steps in which all own three locomotives, so that target tiles can be used.
WITH_TARGETS = (TooDear, Turn, SpecialTaken, Closing)


class Train(msgspec.Struct):
    """A locomotive (empty: a spare) with its wagon cards from front to rear, and the sum of its multiplier cards."""

    loco: str
    wagons: list[str]
    plus: int = 0


class Special(msgspec.Struct):
    """A special card taken in the current turn."""

    seat: int
    card: str


class NimmState(State[NimmStep], kw_only=True):
    """State of a game.

    `start` is the round's start player and `auction` its type. `unseen` counts unseen locomotive cards in use.
    `offer` and `display` are the open cards in order. `order` lists seats by order tile, empty in phase one. `tiles`
    and `used` count each player's target tiles in hand and handed in.
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
    """Ledger holder of a player."""
    return str(seat)


@cache
def hand(seat: int) -> str:
    """Ledger holder of a player's hand in the pass-on auction."""
    return f"hand:{seat}"


@cache
def kept(seat: int) -> str:
    """Ledger holder of the locomotives a player has kept in the pass-on auction."""
    return f"kept:{seat}"


@cache
def loco_item(loco: str) -> str:
    """Ledger item of a locomotive card."""
    return f"loco:{loco}"


@cache
def card_item(card: str) -> str:
    """Ledger item of a wagon deck card."""
    return f"card:{card}"


@cache
def target_item(tile: str) -> str:
    """Ledger item of a target tile."""
    return f"target:{tile}"


@cache
def auction_item(auction: str) -> str:
    """Ledger item of an auction tile."""
    return f"auction:{auction}"


#: Maximum number of trains of a player.
TRAINS = 4


#: Fields that hold seats.
OF_SEATS = (
    *("active", "bidder", "order", "others", "ranked", "seat", "seats", "start", "starter"),
    *("tied", "waiting", "without"),
)


def encoding(cards: Cards, seats: int) -> Encoding:
    """Numeric encoding of a game."""
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
    return Encoding(words, lambda item: holders[item.partition(":")[0]], sizes, OF_SEATS)
