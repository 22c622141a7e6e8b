"""What is different in 1835 from other 18xx titles: Prussia, groups of shares, the options."""

from __future__ import annotations

from kursbuch.core.ledger import Ledger
from kursbuch.eighteen.kernel import Kernel
from kursbuch.eighteen.state import Round, StockRound
from kursbuch.eighteen.t1835.components import Components1835
from kursbuch.eighteen.t1835.state import State1835
from kursbuch.eighteen.track import Layout

PRUSSIA = "PR"
#: The minor that opens Prussia.
OPENER = "2"

#: Options as the state keeps them: the name and the value of each that is not the usual one.
CLEMENS = "packet=clemens"
SNAKE = "packet=snake"
LD_PAYS_30 = "ld-30=on"
CHEAPER = "cheaper-privates=on"
MINORS_WAIT = "minors-wait=on"
MINORS_NEED_BAVARIA = "minors-need-bavaria=on"
UNLIMITED_TILES = "unlimited-tiles=on"
SAME_PRICE = "same-price=on"
GROUP3_WITHOUT_PRUSSIA = "group3-without-prussia=on"
FREE_TRACK = "free-track=on"
NO_206 = "no-206=on"
BY_HAND = "routes-by-hand=on"


class Game1835(Kernel[State1835, Components1835]):
    """The components of 1835, and everything that is asked about a state and done to it."""

    def train_limit(self, state: State1835, company: str) -> int:
        limit = self.phase(state).train_limit
        if company == PRUSSIA and limit.prussia is not None:
            return limit.prussia
        return super().train_limit(state, company)

    def floats(self, state: State1835, company: str) -> bool:
        """Prussia opens by rules of its own [2.7.1, 4-intro]."""
        return company != PRUSSIA and super().floats(state, company)

    def new(self, seats: int, options: list[str]) -> State1835:
        """The state before the first stock round."""
        return State1835(
            seats=seats,
            agenda=[StockRound(1)],
            ledger=Ledger(self.items(seats)),
            options=options,
            phase=0,
            round=Round(0),
            priority=0,
            companies=self.companies(),
            chart={},
            layout=Layout({}, []),
        )
