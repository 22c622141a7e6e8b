"""Evaluation of a position of Nimm den Zug for every player, in money."""

from __future__ import annotations

import random

from kursbuch.core.actions import Action, Choice
from kursbuch.core.evaluator import Evaluator
from kursbuch.games.nimm.actions import Bid, Hold, Pass, Replace, Take, UseTarget
from kursbuch.games.nimm.components import Cards
from kursbuch.games.nimm.holdings import kind, limit, money, multiplier, profit
from kursbuch.games.nimm.rollout_policy import (
    NimmPlayout,
    added,
    best_offer,
    kind_table,
    target_worth,
)
from kursbuch.games.nimm.state import (
    ChoiceBids,
    FirstBid,
    NimmState,
    OpenAuction,
    SealedRaises,
    SecondBids,
    SecretBids,
    SpecialTaken,
    TooDear,
    Turn,
    TurnAuction,
)

#: What the best, second and third train of a player pull in a usual round.
USUAL_LOADS = (680.0, 360.0, 200.0)

#: What a player expects of a locomotive he has yet to buy.
USUAL_MULTIPLIER = 2.0
USUAL_PRICE = 550.0

#: How many good turns a player still has for every wagon the longest train is short of the last.
#: Fewer than there will be: a wagon coupled now is worth more than one hoped for.
TURNS_PER_WAGON = 0.5

#: What others bid secretly, as a part of what the locomotive is worth to them.
BID_PART = 0.6

#: The bids considered, as parts of what the locomotive is worth to the bidder.
BID_PARTS = (0.2, 0.4, 0.55, 0.7, 0.85)


def gain(state: NimmState, cards: Cards, seat: int, loco: str) -> float:
    """What a locomotive brings a player over the usual one for the same place."""
    owned = [float(multiplier(cards, train)) for train in state.trains[seat]]
    better = [*owned, float(cards.locomotive[loco].multiplier)]
    return _promise(cards, better) - _promise(cards, owned)


def _promise(cards: Cards, multipliers: list[float]) -> float:
    """What locomotives bring in phase two, the missing ones being bought at the usual price."""
    missing = cards.setup.locomotives_per_player - len(multipliers)
    best = sorted([*multipliers, *[USUAL_MULTIPLIER] * missing], reverse=True)
    loads = zip(best, USUAL_LOADS, strict=False)
    return sum(factor * load for factor, load in loads) - missing * USUAL_PRICE


def _trains(state: NimmState, cards: Cards, seat: int) -> float:
    """Profit, and what the rest of the round may add; nothing once profits have been paid."""
    if not state.agenda or (not state.order and not state.trains[seat]):
        return _promise(cards, []) if state.agenda else 0.0
    if not state.order:
        return _promise(cards, [float(multiplier(cards, train)) for train in state.trains[seat]])
    now = float(sum(profit(cards, train) for train in state.trains[seat]))
    if not isinstance(state.agenda[-1], Turn | SpecialTaken):
        return now
    return now + _prospects(state, cards, seat)


def _prospects(state: NimmState, cards: Cards, seat: int) -> float:
    """What the coming turns may add: in each the best wagon that fits, as often as its kind lies
    open."""
    trains = state.trains[seat]
    most = limit(state, cards)
    longest = max(len(train.wagons) for row in state.trains for train in row)
    # Every pass brings the end of the round nearer [pass-2].
    turns = TURNS_PER_WAGON * (most - longest) * (1 - state.passes / state.seats)
    shares, means = kind_table(state, cards)
    kinds = [kind(cards, train) for train in trains]
    free = [name for name in shares if name not in kinds]
    open_cards = cards.display(state.seats)
    offers: list[tuple[float, float]] = []
    for train, pulled in zip(trains, kinds, strict=True):
        for name in [pulled] if pulled else free:
            seen = 1 - (1 - shares[name]) ** open_cards
            offers.append((added(cards, train, means[name]), seen))
    return turns * best_offer(offers)


def _known_bids(step: SecretBids) -> dict[int, int]:
    """The secret bids that say something, as far as they are known."""
    found = {seat: bid for seat, bid in step.answers.items() if bid is not None}
    if isinstance(step, SecondBids):
        return {seat: bid + step.before[seat] for seat, bid in found.items()}
    if isinstance(step, ChoiceBids | SealedRaises):
        return {seat: bid for seat, bid in found.items() if bid}
    return found


def _expect_bids(state: NimmState, cards: Cards, step: SecretBids, found: list[float]) -> None:
    """What the secret bids made so far are worth, the others bidding up to a part of what the
    locomotive is worth to them."""
    bids = _known_bids(step)
    choosing = isinstance(step, ChoiceBids)
    for seat, bid in bids.items():
        # Choosing first is worth a locomotive of one multiplier more.
        value = USUAL_LOADS[0] if choosing else gain(state, cards, seat, step.loco)
        chance = 1.0
        for other in step.seats:
            if other == seat:
                continue
            if not choosing and other in bids:
                chance *= 0.5 if bids[other] == bid else float(bid > bids[other])
                continue
            limit_ = USUAL_LOADS[0] * 0.8
            if not choosing:
                limit_ = max(100.0, BID_PART * gain(state, cards, other, step.loco))
            limit_ = min(limit_, max(50.0, money(state, other)))
            chance *= min(1.0, (bid + cards.step / 2) / limit_)
        paid = bid if choosing else chance * bid
        found[seat] += chance * value - paid


class NimmEvaluator(Evaluator[NimmState]):
    """What computer opponents ask."""

    guess_anew = True

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def evaluate(self, state: NimmState) -> list[float]:
        """Money, what the trains promise, and what the target tiles may bring."""
        found = [
            money(state, seat)
            + _trains(state, self.cards, seat)
            + target_worth(state, self.cards, seat)
            for seat in range(state.seats)
        ]
        step = state.agenda[-1] if state.agenda else None
        if isinstance(step, SecretBids):
            _expect_bids(state, self.cards, step, found)
        elif isinstance(step, TurnAuction | OpenAuction):
            found[step.bidder] += gain(state, self.cards, step.bidder, step.loco) - step.bid
        return found

    def amounts(self, state: NimmState, choice: Choice) -> list[int]:
        """Some amounts of a bid worth considering: the lowest, and parts of what it can bring."""
        amounts = choice.amount
        if amounts is None:
            return []
        step = state.agenda[-1]
        loco = getattr(step, "loco", "")
        worth = gain(state, self.cards, choice.action.seat, loco) if loco else USUAL_LOADS[0]
        found = {amounts.low}
        for part in BID_PARTS:
            wanted = int(part * worth) // amounts.step * amounts.step
            found.add(min(amounts.high, max(amounts.low, wanted)))
        return sorted(found)

    def at_stake(self, state: NimmState, action: Action) -> float | None:
        """What a locomotive brings over the usual one."""
        loco = getattr(state.agenda[-1], "loco", "") if state.agenda else ""
        if not loco or not isinstance(action, Bid | Hold | Pass):
            return None
        return max(0.0, gain(state, self.cards, action.seat, loco))

    def unsettled(self, state: NimmState) -> bool:
        """Whether a locomotive is being bid for openly, or locomotives passed on have yet to be paid
        for; bidding in turn can be evaluated as it stands."""
        step = state.agenda[-1] if state.agenda else None
        return isinstance(step, FirstBid | OpenAuction | TooDear)

    def playout(self, state: NimmState, rng: random.Random) -> NimmPlayout:
        return NimmPlayout(self.cards, state, rng)

    def playout_weight(self, action: Action) -> float:
        match action:
            case Take() | UseTarget():
                return 5.0
            case Bid():
                return 0.5
            case Replace():
                return 0.1
        return 1.0
