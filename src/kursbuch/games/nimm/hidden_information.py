"""Hidden information: masking a state and guessing it [setup-4, setup-5, auction-sealed-2, auction-pass-2].

Money is secret although payments are open: players have screens. A player knows the locomotives he passed on.
"""

from __future__ import annotations

import random

from kursbuch.games.nimm.auctions import SECRET
from kursbuch.games.nimm.components import Cards
from kursbuch.games.nimm.draft import draft_price
from kursbuch.games.nimm.holdings import left_of, locos_at, power
from kursbuch.games.nimm.state import (
    Buying,
    ChooseCard,
    Draft,
    FirstBid,
    NimmState,
    OpenAuction,
    Ranking,
    SealedBids,
    SealedRaises,
    SecondBids,
    SecretBids,
    Tie,
    TooDear,
    TurnAuction,
    hand,
    kept,
    loco_item,
    open_bids,
    owner,
    target_item,
)


def mask(state: NimmState, cards: Cards, seat: int | None) -> None:
    """Remove information hidden from the seat (None: a spectator)."""
    items = state.ledger.items
    own = owner(seat) if seat is not None else ""
    # The bank's balance would reveal the others' total.
    items["money"] = {own: items["money"].get(own, 0)} if own else {}
    for tile in cards.targets:
        row = items[target_item(tile)]
        if own not in row and "used" not in row:
            items[target_item(tile)] = {"hidden": 1}
    step = state.agenda[-1] if state.agenda else None
    if isinstance(step, SecretBids):
        step.answers = {
            other: bid if other == seat else None for other, bid in sorted(step.answers.items())
        }
    elif isinstance(step, Draft):
        step.picks = {
            other: loco if other == seat else "" for other, loco in sorted(step.picks.items())
        }
        known = set() if seat is None else _known_hands(state, step, seat)
        for loco in cards.locomotives:
            row = items[loco_item(loco.id)]
            if not known.intersection(row):
                items[loco_item(loco.id)] = {"unseen": 1}


def _known_hands(state: NimmState, step: Draft, seat: int) -> set[str]:
    """Cards of the pass-on auction known to a player: his own and those he passed on."""
    known = {hand(seat), kept(seat)}
    if step.stage == 2:
        known.add(hand(left_of(state, seat)))
    return known


def guess(state: NimmState, cards: Cards, seat: int | None, rng: random.Random) -> None:
    """Fill a masked state with guesses: money, target tiles, passed-on cards, secret bids."""
    _guess_money(state, cards, seat, rng)
    _guess_targets(state, cards, seat, rng)
    step = state.agenda[-1] if state.agenda else None
    if isinstance(step, Draft):
        _guess_draft(state, step, cards, rng)
    elif isinstance(step, SecretBids):
        rules = SECRET[type(step)](cards)
        for other, bid in step.answers.items():
            if bid is None:
                low, high = rules.limits(state, step, other)
                fair = min(high, max(low, cards.step * rng.randint(0, 20)))
                holds = isinstance(step, SealedRaises) and (low > high or rng.random() < 0.5)
                step.answers[other] = 0 if holds else fair


def committed(state: NimmState, cards: Cards, seat: int) -> int:
    """Minimum money implied by a player's open bids and affordability."""
    return max(_committed(state, seat), _starters_need(state, cards, seat))


def _committed(state: NimmState, seat: int) -> int:
    """Minimum money implied by a player's open bids."""
    match state.agenda[-1]:
        case TurnAuction(bidder=bidder, bid=bid) | OpenAuction(bidder=bidder, bid=bid):
            return bid if bidder == seat else 0
        case SecretBids() as step:
            return open_bids(step).get(seat, 0)
        case Tie(tied=tied, bid=bid):
            return bid if seat in tied else 0
        case Ranking(bids=bids):
            return bids.get(seat, 0)
        case Buying(bids=bids, order=order):
            return bids[seat] if seat in order else 0
    return 0


def _guess_money(state: NimmState, cards: Cards, seat: int | None, rng: random.Random) -> None:
    """Guess money near the viewer's own, adjusted for locomotive prices, at least each open bid and known
    affordability, and below prices known to be unaffordable."""
    purses = state.ledger.items["money"]
    usual = purses.get(owner(seat), 0) if seat is not None else cards.setup.start_money
    if seat is not None and not state.order:
        usual += power(cards, state.trains[seat])
    for other in range(state.seats):
        if other == seat:
            continue
        sum_ = usual if state.order else usual - power(cards, state.trains[other])
        sum_ = int(sum_ * rng.uniform(0.7, 1.3)) // cards.step * cards.step
        sum_ = max(sum_, _committed(state, other), _starters_need(state, cards, other), 0)
        if state.agenda[-1] == TooDear(other):
            sum_ = min(sum_, draft_price(state, cards, other) - cards.step)
        if sum_:
            purses[owner(other)] = sum_
    purses["bank"] = -sum(purses.values())


def _starters_need(state: NimmState, cards: Cards, seat: int) -> int:
    """Money the starter of an auction, or the player to choose, must have [bid-7]."""
    bid = 0
    match state.agenda[-1]:
        case Buying(order=[needing, *_], bids=bids):
            # The player to choose can afford a card besides the bid [auction-choice-5].
            locos, bid = state.offer, bids[needing]
        case ChooseCard(seat=needing):
            locos = state.offer
        case (
            FirstBid(seat=needing, loco=loco)
            | TurnAuction(starter=needing, loco=loco)
            | OpenAuction(starter=needing, loco=loco)
            | SealedBids(starter=needing, loco=loco)
            | SecondBids(starter=needing, loco=loco)
            | SealedRaises(starter=needing, loco=loco)
            | Tie(starter=needing, loco=loco)
        ):
            locos = [loco]
        case _:
            return 0
    return bid + min(cards.locomotive[loco].power for loco in locos) if needing == seat else 0


def _guess_targets(state: NimmState, cards: Cards, seat: int | None, rng: random.Random) -> None:
    items = state.ledger.items
    unknown = [tile for tile in cards.targets if "hidden" in items[target_item(tile)]]
    rng.shuffle(unknown)
    for other in range(state.seats):
        if other != seat:
            for _ in range(state.tiles[other]):
                items[target_item(unknown.pop())] = {owner(other): 1}
    for tile in unknown:
        items[target_item(tile)] = {"pool": 1}


def _guess_draft(state: NimmState, step: Draft, cards: Cards, rng: random.Random) -> None:
    """Deal every player the right number of cards to pass on and to keep."""
    items = state.ledger.items
    full = cards.setup.locomotives_per_player
    unseen = locos_at(state, cards, "unseen")
    rng.shuffle(unseen)
    for seat in range(state.seats):
        for holder, count in ((hand(seat), full + 1 - step.stage), (kept(seat), step.stage - 1)):
            for _ in range(count - len(locos_at(state, cards, holder))):
                items[loco_item(unseen.pop())] = {holder: 1}
    for seat, loco in step.picks.items():
        if not loco:
            step.picks[seat] = rng.choice(locos_at(state, cards, hand(seat)))
