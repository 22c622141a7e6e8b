"""How computer opponents imagine the rest of a phase of Nimm den Zug: the auctions up to the first turn of phase
two, or the turns up to the payment."""

from __future__ import annotations

import random
from collections.abc import Sequence

from kursbuch.core.actions import Action
from kursbuch.core.evaluator import Playout
from kursbuch.games.nimm.bidding import Buyers, promise
from kursbuch.games.nimm.components import Cards
from kursbuch.games.nimm.coupling import coupling
from kursbuch.games.nimm.holdings import money
from kursbuch.games.nimm.prospects import target_worth
from kursbuch.games.nimm.state import NimmState, SecretBids, TooDear
from kursbuch.games.nimm.targets import usable
from kursbuch.games.nimm.trains import multiplier

#: What every place further back in the order of phase two costs, with two players and with more. Found as the
#: loads of locomotives (`bidding.py`).
PLACE_OF_TWO = 300.0
PLACE_OF_MORE = 200.0


class NimmPlayout(Playout[NimmState]):
    """Everybody buys and couples by rules of thumb."""

    def __init__(self, cards: Cards, state: NimmState, rng: random.Random) -> None:
        self.cards = cards
        self.round = state.round
        self.buying = not state.order
        self.buyers = Buyers(cards, state.seats, rng)
        step = state.agenda[-1]
        if isinstance(step, SecretBids):
            # Whoever has yet to answer knows none of the answers.
            self.buyers.answer_anew(state, step)

    def action(self, state: NimmState, seat: int) -> Action | None:
        if state.round != self.round or (self.buying and state.order):
            return None
        if self.buying:
            if isinstance(state.agenda[-1], TooDear):
                # A bonus may be what is missing [target-use-1].
                for choice in usable(state, self.cards, seat):
                    return choice.action
            return self.buyers.action(state, seat)
        return coupling(state, self.cards, seat)

    def worth(self, state: NimmState) -> Sequence[float]:
        """Money and what target tiles may bring; before the first turn of phase two also what locomotives and
        the order promise."""
        return [
            money(state, seat) + target_worth(state, self.cards, seat) + self._promise(state, seat)
            for seat in range(state.seats)
        ]

    def _promise(self, state: NimmState, seat: int) -> float:
        if not state.order or not state.agenda:
            return 0.0
        place = PLACE_OF_TWO if state.seats == 2 else PLACE_OF_MORE
        factors = [multiplier(self.cards, train) for train in state.trains[seat]]
        return promise(factors) - place * state.order.index(seat)
