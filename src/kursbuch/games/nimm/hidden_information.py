"""What a player may not know: taking it out of a state, and guessing it [setup-4, setup-5,
auction-sealed-2, auction-pass-2].

The sums of money are secret although every payment is made openly: that is what the screens are
for. Locomotives passed on are known to the player who passed them on.
"""

from __future__ import annotations

import random

from kursbuch.games.nimm.auctions import SECRET
from kursbuch.games.nimm.auctions.draft import draft_price
from kursbuch.games.nimm.components import Cards
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
    """Take out of a state what the seat (None: a spectator) may not know."""
    items = state.ledger.items
    own = owner(seat) if seat is not None else ""
    # What the bank has paid out would give the sum of the others away.
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
    """The cards of the pass on auction a player knows: his own, and those he has passed on."""
    known = {hand(seat), kept(seat)}
    if step.stage == 2:
        known.add(hand(left_of(state, seat)))
    return known


def guess(state: NimmState, cards: Cards, seat: int | None, rng: random.Random) -> None:
    """Fill a masked state with what might be: money, target tiles, cards passed on, secret bids."""
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
    """What a player must go on having, by bids lying open and by what he has to be able to pay."""
    return max(_committed(state, seat), _starters_need(state, cards, seat))


def _committed(state: NimmState, seat: int) -> int:
    """What a player must have, by his bids lying open."""
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
    """About as much as the viewer has, by what the locomotives may have cost, and never less than
    a bid lying open or the power the player was able to pay, nor as much as a price he cannot."""
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
    """What the starter of an auction, or who is to choose, must be able to pay [bid-7]."""
    bid = 0
    match state.agenda[-1]:
        case Buying(order=[needing, *_], bids=bids):
            # Who is to choose can pay for a card besides his bid [auction-choice-5].
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
    """Everybody holds as many cards as must be passed on and has kept the others."""
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
