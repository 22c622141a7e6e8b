"""How players buy locomotives in what computer opponents imagine: everybody has a limit for each, drawn anew."""

from __future__ import annotations

import random
from collections.abc import Sequence

from kursbuch.core.actions import Action
from kursbuch.games.nimm.actions import Bid, Buy, Favour, Hold, Keep, Offer, Pass, TurnDown
from kursbuch.games.nimm.auctions import SECRET
from kursbuch.games.nimm.components import Cards, Locomotive
from kursbuch.games.nimm.holdings import locos_at, money, payable
from kursbuch.games.nimm.state import (
    Buying,
    ChoiceBids,
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
)

#: What the best, second and third multiplier of a player bring in phase two, for each one of it: 1,500 rounds of
#: two greedy opponents with locomotives drawn by lot, as `benchmarks/loads.py` plays them.
LOADS = (530.0, 460.0, 380.0)

#: The multiplier and the price of a locomotive a player has yet to buy.
EXPECTED_MULTIPLIER = 2.4
EXPECTED_PRICE = 550.0

#: Between which parts of a locomotive's worth a player's limit is drawn; so that it covers both who overrates
#: good locomotives and who waits for bargains.
KEENNESS = (0.6, 1.4)

#: Between which parts of the limit a sealed bid is drawn, and the first of two.
SEALED = (0.5, 1.0)
FIRST_OF_TWO = (0.3, 1.0)

#: Between which amounts a bid for the first choice is drawn.
FIRST_CHOICE = (200.0, 700.0)


def promise(multipliers: Sequence[float]) -> float:
    """What locomotives bring in phase two."""
    ordered = sorted(multipliers, reverse=True)
    return sum(load * factor for load, factor in zip(LOADS, ordered, strict=False))


class Buyers:
    """What players do in phase one of an imagined round. Nobody looks at what is hidden from him."""

    def __init__(self, cards: Cards, seats: int, rng: random.Random) -> None:
        self.cards = cards
        self.rng = rng
        self.keenness = [rng.uniform(*KEENNESS) for _ in range(seats)]

    def action(self, state: NimmState, seat: int) -> Action | None:
        """What the seat does; None outside phase one."""
        match state.agenda[-1]:
            case ChooseCard():
                return Offer(
                    seat, self._best(state, seat, payable(state, self.cards, seat, state.offer))
                )
            case FirstBid(loco=loco):
                return Bid(seat, self.cards.locomotive[loco].power)
            case TurnAuction(loco=loco, bid=bid):
                return self._raise(state, seat, loco, bid) or Pass(seat)
            case OpenAuction(loco=loco, bid=bid) | SealedRaises(loco=loco, bid=bid):
                return self._raise(state, seat, loco, bid) or Hold(seat)
            case SealedBids() | SecondBids() | ChoiceBids() as step:
                return self._secret(state, seat, step)
            case Tie(tied=tied):
                return Favour(seat, seat if seat in tied else tied[0])
            case Ranking() as step:
                return self._rank(seat, step)
            case Buying(bids=bids):
                purse = money(state, seat) - bids[seat]
                able = [loco for loco in state.offer if self.cards.locomotive[loco].power <= purse]
                return Buy(seat, self._best(state, seat, able))
            case Draft():
                return Keep(seat, self._kept(state, seat))
            case TooDear():
                return TurnDown(seat, self._turned_down(state, seat))
        return None

    def answer_anew(self, state: NimmState, step: SecretBids) -> None:
        """Put other bids in the place of those that have been made secretly, at least and at most what each
        seat may bid."""
        rules = SECRET[type(step)](self.cards)
        for seat in step.answers:
            action = self.action(state, seat)
            low, high = rules.limits(state, step, seat)
            step.answers[seat] = (
                min(high, max(low, action.amount)) if isinstance(action, Bid) else 0
            )

    def _value(self, state: NimmState, seat: int, loco: str) -> float:
        """What a locomotive is worth to a player who would otherwise buy the expected one."""
        owned = [
            self.cards.locomotive[train.loco].multiplier
            for train in state.trains[seat]
            if train.loco
        ]
        missing = self.cards.setup.locomotives_per_player - len(state.trains[seat])
        others = [*owned, *[EXPECTED_MULTIPLIER] * (missing - 1)]
        better = promise([*others, self.cards.locomotive[loco].multiplier])
        return better - promise([*others, EXPECTED_MULTIPLIER]) + EXPECTED_PRICE

    def _best(self, state: NimmState, seat: int, locos: Sequence[str]) -> str:
        """The locomotive that is worth most beyond its power."""
        locomotive = self.cards.locomotive
        return max(locos, key=lambda loco: self._value(state, seat, loco) - locomotive[loco].power)

    # ---- bids

    def _limit(self, state: NimmState, seat: int, loco: str) -> float:
        """What a player pays for a locomotive at most."""
        limit = self.keenness[seat] * self._value(state, seat, loco)
        return min(limit, float(money(state, seat)))

    def _raise(self, state: NimmState, seat: int, loco: str, bid: int) -> Action | None:
        """A bid just above another, if that is within the limit."""
        amount = bid + self.cards.step
        return Bid(seat, amount) if amount <= self._limit(state, seat, loco) else None

    def _secret(
        self, state: NimmState, seat: int, step: SealedBids | SecondBids | ChoiceBids
    ) -> Action:
        """A secret bid: a part of the limit, the second of two what is missing to the limit."""
        if isinstance(step, ChoiceBids):
            wanted = self.rng.uniform(*FIRST_CHOICE)
            return Bid(seat, self._rounded(min(wanted, money(state, seat))))
        limit = self._limit(state, seat, step.loco)
        if isinstance(step, SecondBids):
            return Bid(seat, self._rounded(limit - step.before[seat]))
        part = self.rng.uniform(*(FIRST_OF_TWO if state.auction == "double" else SEALED))
        least = self.cards.locomotive[step.loco].power if seat == step.starter else 0
        return Bid(seat, max(least, self._rounded(part * limit)))

    def _rounded(self, amount: float) -> int:
        step = self.cards.step
        return max(0, int(amount) // step * step)

    def _rank(self, seat: int, step: Ranking) -> Action:
        """Whoever orders equal bids comes first himself."""
        left = [other for other in step.bids if other not in step.ranked]
        best = max(step.bids[other] for other in left)
        tied = [other for other in left if step.bids[other] == best]
        return Favour(seat, seat if seat in tied else tied[0])

    # ---- pass on

    def _kept(self, state: NimmState, seat: int) -> str:
        """The locomotive that goes best with those kept before."""
        cards = self.cards
        owned = [cards.locomotive[loco] for loco in locos_at(state, cards, kept(seat))]
        held = locos_at(state, cards, hand(seat))
        return max(held, key=lambda loco: _left_over([*owned, cards.locomotive[loco]]))

    def _turned_down(self, state: NimmState, seat: int) -> str:
        """The locomotive without which the rest is best."""
        own = [train.loco for train in state.trains[seat] if train.loco]
        locomotive = self.cards.locomotive
        return max(
            own,
            key=lambda loco: _left_over([locomotive[other] for other in own if other != loco]),
        )


def _left_over(locos: Sequence[Locomotive]) -> float:
    """What locomotives passed on bring beyond their price [auction-pass-5]."""
    factors = [loco.multiplier for loco in locos]
    return promise(factors) - sum(loco.power for loco in locos) * max(factors, default=0)
