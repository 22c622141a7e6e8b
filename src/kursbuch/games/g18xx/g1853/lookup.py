"""Who has what in 1853: the order of the bonds, shares by number, and what is on charters."""

from __future__ import annotations

from functools import cached_property

from kursbuch.core.errors import IllegalAction
from kursbuch.games.g18xx.components import BOX, PLAYERS, STACK, HomeRecord, share_item, train_item
from kursbuch.games.g18xx.g1853.components import Components1853
from kursbuch.games.g18xx.g1853.state import Charter, State1853
from kursbuch.games.g18xx.lookup import Lookup
from kursbuch.games.g18xx.map.obligations import Obligation

#: All papers that can be bought and sold are single shares.
SINGLE = "10"
#: How many shares the director's paper is: with fewer nobody directs a company [1-shares, 3.2.2].
DOUBLE = 2
#: The card with two sides: large companies buy it as the first of these, small ones as either.
CARD, SIDE = "2", "1M"


class Lookup1853(Lookup[State1853]):
    """Lookup of a game of 1853."""

    components: Components1853

    @cached_property
    def _singles(self) -> dict[str, str]:
        """The item of the single shares of every company."""
        return {company: share_item(company, SINGLE) for company in self.public}

    def left_of(self, state: State1853, seat: int) -> int:
        """The next player in the order of the bonds [2.5.3]."""
        seating = state.clockwise()
        return seating[(seating.index(seat) + 1) % state.seats]

    def around(self, state: State1853, seat: int) -> list[int]:
        seating = [*state.clockwise()]
        place = seating.index(seat)
        return seating[place:] + seating[:place]

    def purse(self, state: State1853, company: str) -> int:
        """A company that owes the bank a train pays for nothing else [3.4.6]."""
        return 0 if state.charters[company].credit else super().purse(state, company)

    def mixes_gauges(self, state: State1853) -> bool:
        """Where the table takes it at its word, any gauge may follow on dual track
        [option-dual-any-gauge]."""
        return state.house.dual_any_gauge

    def barred(self, state: State1853, company: str) -> IllegalAction | None:
        if not state.charters[company].credit:
            return None
        return IllegalAction(
            "3.4.6",
            "{company} has not paid its train yet: it pays for nothing else.",
            company=company,
        )

    def items(self, seats: int) -> dict[str, dict[str, int]]:
        """The box holds the trains that come with a small company, and as many 2/1M cards as could
        ever be bought in the first operating round [2.8.4, 4.8.17]."""
        items = super().items(seats)
        most = len(self.public) * max(
            phase.train_limit.public or 0 for phase in self.components.phases
        )
        for record in self.components.file.trains:
            row = items[train_item(record.id)] = {STACK: record.count}
            row[BOX] = record.small_count - record.count
            if record.id in (CARD, SIDE):
                row[BOX] += most
        return {item: {who: n for who, n in row.items() if n} for item, row in items.items()}

    def charters(self) -> dict[str, Charter]:
        """The charters before the first round."""
        size = self.components.size
        return {
            name: Charter(large=size[name] == "large", token=size[name] == "small")
            for name in self.public
        }

    def shares_of(self, state: State1853, seat: int, company: str) -> int:
        """How many shares of a company a player has, unredeemed ones included [2.7.3]."""
        return state.ledger.items[self._singles[company]].get(PLAYERS[seat], 0)

    def unpaid(self, state: State1853, seat: int, company: str) -> int:
        """How many of them are unredeemed [2.7.3]."""
        return state.unredeemed[seat].get(company, 0)

    def never_paid(self, state: State1853) -> list[dict[str, int]]:
        """What every player has that nobody has paid for: unredeemed shares, and until the bids are over
        all shares of contracts [2.7.2, 2.7.3]."""
        return state.unredeemed if state.round.number else state.drawn

    def to_pay(self, state: State1853, seat: int) -> int:
        """What these shares of a player will cost."""
        counts = self.never_paid(state)[seat]
        return sum(count * self.public[company].par for company, count in counts.items())

    def punished(self, state: State1853, seat: int) -> bool:
        """Whether a player has to give up being director because of his contract [4.3.2]."""
        return seat in state.penalties and state.round.number >= state.penalties[seat]

    def homes(self, state: State1853, company: str) -> tuple[HomeRecord, ...]:
        """The homes of a company: some only if it is large [table-1, 2.6.2]."""
        large = state.charters[company].large
        record = self.components.records[company]
        return tuple(home for home in record.home if large or not home.only_if)

    def duty(
        self, state: State1853, hex: str, stop: int, homes: tuple[tuple[str, int], ...]
    ) -> Obligation:
        """A run with one of these home stations has to come to a tile or a city. Several stations on a hex
        are one city, and all track there leads into one of them [4.2.3, 4.4.2, 4.5.5]."""
        if state.corrected("any-station-of-a-city"):
            stop = -1
        return Obligation(hex, stop, homes)

    def home_hexes(self, state: State1853, company: str) -> set[str]:
        """The hexes of these homes."""
        return {home.hex for home in self.homes(state, company)}
