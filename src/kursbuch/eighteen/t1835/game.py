"""What is different in 1835 from other 18xx titles: Prussia, groups of shares, the options."""

from __future__ import annotations

from typing import ClassVar

from kursbuch.core.errors import IllegalAction
from kursbuch.core.ledger import Ledger
from kursbuch.eighteen.kernel import Kernel
from kursbuch.eighteen.map.track import Layout
from kursbuch.eighteen.pieces import PACKET, STACK
from kursbuch.eighteen.state import Round, StockRound
from kursbuch.eighteen.t1835.components import Components1835, Paper
from kursbuch.eighteen.t1835.state import State1835

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
FREE_REVENUE = "free-revenue=on"
PAYS_BEYOND_BANK = "pays-beyond-bank=on"
AS_RAILS = "as-rails=on"


class Game1835(Kernel[State1835, Components1835]):
    """The components of 1835, and everything that is asked about a state and done to it."""

    #: [2.6.2.4]
    nationalise_from: ClassVar[int] = 55

    def __init__(self, components: Components1835) -> None:
        super().__init__(components)
        numbers = sorted({public.record.group for public in self.public.values()})
        #: The groups in which the new shares are released; Prussia has a rule of its own [1.2.3].
        self.groups = tuple(
            tuple(
                public.id
                for public in self.public.values()
                if public.record.group == number and public.id != PRUSSIA
            )
            for number in numbers
        )
        prussia = self.public[PRUSSIA]
        #: The company whose first sale releases Prussia's shares [1.2.6].
        self.herald = self.groups[numbers.index(prussia.record.group)][0]
        #: The share every paper is exchanged for, by paper [3.1.3.5, 3.2.1].
        self.exchanges = prussia.given

    # ---- trade

    def in_packet(self, state: State1835, paper: Paper) -> bool:
        """Whether a paper of the start packet is unsold."""
        return PACKET in state.ledger.items[paper.item]

    def packet_left(self, state: State1835) -> bool:
        """Whether any paper of the start packet is unsold."""
        items = state.ledger.items
        return any(PACKET in items[paper.item] for paper in self.components.packet.values())

    def offered(self, state: State1835) -> list[tuple[str, str]]:
        """The new shares on offer: none before the start packet is sold; then group by group, and in
        a group a company when half of the one before is sold [1.2.1 to 1.2.6]."""
        found: list[tuple[str, str]] = []
        if self.packet_left(state):
            return found
        for companies in self.groups:
            sold_out = True
            for company in companies:
                top = self.top(state, company)
                if top:
                    sold_out = False
                    found.append((company, top))
                if 100 - self.unsold(state, company) < 50:
                    sold_out = False
                    break
            if self.herald in companies and self._heralded(state):
                top = self.top(state, PRUSSIA)
                if top:
                    found.append((PRUSSIA, top))
                    sold_out = sold_out and GROUP3_WITHOUT_PRUSSIA in state.options
            if not sold_out:
                break
        return found

    def _heralded(self, state: State1835) -> bool:
        return STACK not in state.ledger.items[self.public[self.herald].items[0][0]]

    def not_offered(self, state: State1835, company: str, certificate: str) -> IllegalAction:
        offered = self.offered(state)
        if not self.top(state, company) or any(name == company for name, _ in offered):
            return super().not_offered(state, company, certificate)
        if self.packet_left(state):
            return IllegalAction(
                "1.2.1", "New shares are on offer only when the whole start packet is sold."
            )
        if company == PRUSSIA:
            return IllegalAction(
                "1.2.6",
                "Shares of {company} are on offer only when the director's certificate of {other} "
                "has been sold.",
                company=company,
                other=self.herald,
            )
        group = next(companies for companies in self.groups if company in companies)
        before = [name for names in self.groups[: self.groups.index(group)] for name in names]
        if self.herald in before and GROUP3_WITHOUT_PRUSSIA not in state.options:
            before.append(PRUSSIA)
        for name in before:
            if self.top(state, name):
                return IllegalAction(
                    "1.2.3",
                    "Shares of {company} are on offer only when all new shares of {other} have been "
                    "sold.",
                    company=company,
                    other=name,
                )
        return IllegalAction(
            "1.2.4",
            "Shares of {company} are on offer only when half of {other} has been sold.",
            company=company,
            other=group[group.index(company) - 1],
        )

    def saleable(self, state: State1835, company: str) -> bool:
        """Prussian shares can be sold as soon as Prussia is open [2.6.3.2c]."""
        if company == PRUSSIA:
            return state.companies[company].operating
        return super().saleable(state, company)

    def one_price(self, state: State1835) -> bool:
        return SAME_PRICE in state.options

    def pays_beyond_bank(self, state: State1835) -> bool:
        return PAYS_BEYOND_BANK in state.options

    def as_rails(self, state: State1835) -> bool:
        return AS_RAILS in state.options

    def income(self, state: State1835, private: str) -> int:
        """What a private railway pays in an operating round [3.1.2b, 7.1]."""
        if private == "LD" and LD_PAYS_30 in state.options:
            return 30
        return self.components.privates[private].income

    # ---- companies

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
            # With the Clemens packet the last player begins, and the turns go backwards at first.
            priority=seats - 1 if CLEMENS in options else 0,
            companies=self.companies(),
            chart={},
            layout=Layout({}, []),
        )
