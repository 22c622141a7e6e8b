"""Positions of 1853 for tests, made readably and consistently.

Players are called A, B, C …, clockwise; A holds the elephant unless said otherwise. A scene begins in
stock round 2 with no one owning anything but the starting capital, without contracts (as if they had
been fulfilled) and without a step on the agenda: `stock`, `turn` or `on` put one there. `bidding`
begins a game as it is set up, and `first_round` puts a scene into the first stock round.
"""

from __future__ import annotations

from typing import Any

from kursbuch.core.chance import RecordedChance
from kursbuch.core.events import Event
from kursbuch.core.play import Play
from kursbuch.core.state import Step
from kursbuch.games.g18xx.components import BANK, BOX, POOL, STACK
from kursbuch.games.g18xx.g1853 import TITLE
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.state import Contract, State1853, bond_holder
from kursbuch.games.g18xx.map.board import GAUGES
from kursbuch.games.g18xx.map.track import Laid
from kursbuch.games.g18xx.state import (
    EndStockRound,
    EndTurn,
    NextCompany,
    Round,
    StockRound,
    StockTurn,
)
from tests.games.g18xx.scene import NAMES, EighteenScene


class Scene(EighteenScene[State1853, Ruleset1853]):
    """A game in a position made for a test. The methods that set something return the scene."""

    def __init__(self, players: int = 4, **options: str) -> None:
        """Options by name with underscores: `illegal_contracts="on"`."""
        super().__init__(TITLE, players, options)
        state = self.state
        state.round = Round(2, sold=[[] for _ in range(players)])
        state.seating = list(range(players))
        state.contracts = [Contract(bond=0, complete=True, shown=True) for _ in range(players)]

    # ---- setting the scene

    def draws(self, *draws: tuple[int, int]) -> Scene:
        """The draws to come, as values (from 0) with the number of sides."""
        self.position.chance = RecordedChance(draws)
        return self

    def phase(self, train: str) -> Scene:
        """The phase that begins with the first train of a type; all earlier standard trains are in
        the box."""
        phases = self.ruleset.components.phases
        self.state.phase = self.ruleset.components.phase_row.get(train, 0)
        for phase in phases[: self.state.phase]:
            item = f"train:{phase.starts_with_train or phases[0].id}"
            ledger = self.state.ledger
            ledger.move(item, STACK, BOX, ledger.held(item, STACK))
        return self

    def small_founded(self) -> Scene:
        """A small company was founded in the first stock round: there are more trains."""
        state = self.state
        state.small_founded = True
        for record in self.ruleset.components.file.trains:
            if record.count:
                count = record.small_count - record.count
                state.ledger.move(f"train:{record.id}", BOX, STACK, count)
        return self

    def shares(self, company: str, **held: int) -> Scene:
        """Shares of a company, in the order in which players got them: `shares("EIR", A=3, B=2,
        pool=1)`. They are taken from the bank offering."""
        for name, count in held.items():
            self.state.ledger.move(f"{company}:10", STACK, self.holder(name), count)
            self.ruleset.control.note_holders(self.state, company)
        return self

    def unredeemed(self, name: str, **counts: int) -> Scene:
        """This many of a player's shares of companies are not redeemed."""
        self.state.unredeemed[NAMES.index(name)] = dict(counts)
        return self

    def fill(self, name: str, papers: int, *companies: str) -> Scene:
        """Shares for a player until he has this many papers, no more of a company than he may have, of the
        last companies first if none are named."""
        seat = NAMES.index(name)
        most = self.ruleset.components.players[self.state.seats].per_company
        for company in companies or tuple(reversed(self.ruleset.public)):
            for _ in range(most):
                if self.ruleset.shares.count_certificates(self.state, seat) < papers:
                    self.shares(company, **{name: 1})
        assert self.ruleset.shares.count_certificates(self.state, seat) == papers
        return self

    def operating(self, *companies: str, **prices: int) -> Scene:
        """Companies in operation, at par or the prices given, without money and with their homes; who
        should be director is (so the shares come first). The BBCI is small unless `large` came
        before."""
        state = self.state
        for company in (*companies, *prices):
            state.companies[company].operating = True
            cell = self.ruleset.public[company].cell
            if company in prices:
                chart = self.ruleset.chart.price
                cell = next(name for name, price in chart.items() if price == prices[company])
            self.ruleset.market.place_price(state, company, cell)
            charter = state.charters[company]
            charter.director = self.ruleset.control.rightful_director(state, company)
            if charter.director is not None:
                charter.double = ""
            for home in self.ruleset.homes(state, company):
                assert home.number is not None
                self.station(company, home.hex, home.number)
        return self

    def large(self) -> Scene:
        """The BBCI is large."""
        charter = self.state.charters["BBCI"]
        charter.large, charter.token = True, False
        return self

    def small(self) -> Scene:
        """The BBCI is small, with its loco token."""
        self.state.charters["BBCI"].token = True
        return self

    def contract(self, name: str, bond: int, *cities: str, complete: bool = True) -> Scene:
        """A sealed contract: "Delhi" with the first company of the city, or "Delhi NWR". The bond is
        taken from the bank, and no shares are given."""
        pairs = [city.split() for city in cities]
        companies = [
            pair[1] if len(pair) == 2 else self.ruleset.components.cities[pair[0]].companies[0]
            for pair in pairs
        ]
        seat = NAMES.index(name)
        self.state.contracts[seat] = Contract(bond, [p[0] for p in pairs], companies, complete)
        self.state.ledger.move("money", BANK, bond_holder(seat), bond)
        return self

    def track(self, gauge: str, *hexes: str) -> Scene:
        """A line of "standard", "metre" or "dual" track from hex to hex, ending in the first and last of
        them. Hexes with track are left as they are; each of the others gets the first tile that fits."""
        board = self.ruleset.components.board
        wanted = GAUGES[gauge]
        places = [board.number(hex) for hex in hexes]
        for number, place in enumerate(places):
            name = board.names[place]
            printed = board.printed[place]
            if name in self.state.layout.tiles or printed.paths:
                continue
            beside = [places[n] for n in (number - 1, number + 1) if 0 <= n < len(places)]
            edges = sum(1 << board.neighbours[place].index(other) for other in beside)
            laid = next(
                Laid(tile.id, rotation)
                for more in range(5)
                for tile in board.tiles.values()
                for rotation in range(6)
                if (face := tile.faces[rotation]).kinds() == printed.kinds()
                and all(path.gauge == wanted for path in face.paths)
                and face.edges() & edges == edges
                and face.edges().bit_count() == edges.bit_count() + more
            )
            self.state.layout = self.state.layout.with_tile(name, laid, range(9))
        return self

    def trains(self, holder: str, *trains: str) -> Scene:
        """Trains of a company or of the pool, taken from the stack or the box. A 2/1M card has its
        2 in the box while a company has it as a 1M."""
        ledger = self.state.ledger
        for train in trains:
            if train == "1M":
                card = STACK if ledger.held("train:2", STACK) else BOX
                ledger.move("train:2", card, BOX)
            super().trains(holder, train)
        return self

    def credit(self, company: str, train: str) -> Scene:
        """A train of a company that it has not paid."""
        self.trains(company, train)
        charter = self.state.charters[company]
        charter.credit, charter.owed = train, self.ruleset.depot.price(train)
        return self

    # ---- whose turn it is

    def stock(self, name: str = "A", number: int = 2) -> Scene:
        """A stock round, at the turn of a player; of stock round 1 the bids are over."""
        state = self.state
        state.round = Round(number, sold=[[] for _ in range(state.seats)])
        state.noticed = [[] for _ in range(state.seats)]
        return self.on(StockTurn(NAMES.index(name)))

    def first_round(self) -> Scene:
        """The beginning of the first stock round: what players have they got for their contracts, and
        these companies are the first group."""
        state = self.state
        for seat, drawn in enumerate(state.drawn):
            for company in self.ruleset.public:
                count = self.ruleset.shares_of(state, seat, company)
                if count:
                    drawn[company] = count
                    if company not in state.first_group:
                        state.first_group.append(company)
        return self.on(StockRound(1))

    def ended(self) -> list[Event]:
        """The stock round ends; returns what happens."""
        play = Play(self.state, self.position.chance, TITLE.rules.stated)
        self.state.agenda.append(EndStockRound())
        self.position.run(play)
        return play.events

    def turn(self, company: str, step: type[Step] | None = None, part: int = 0) -> Scene:
        """An operating round at a company's turn: at its first step, or at `step`. `part` is the
        number of the operating round, if not the first."""
        state = self.state
        if not state.round.part:
            state.round.part, state.round.parts = 1, self.ruleset.phase(state).operating_rounds
        state.round.part = part or state.round.part
        names = list(self.ruleset.public)
        state.round.acted = [
            name for name in names[: names.index(company)] if state.companies[name].operating
        ]
        order: list[Any] = list(self.ruleset.policy.turn)
        wanted = order.index(step) if step in order else 0
        rest = [kind(company) for kind in order[wanted:]]
        return self.on(NextCompany(), EndTurn(company), *reversed(rest))

    # ---- looking

    def bond(self, name: str) -> int:
        """What a player has set aside for his contract."""
        return self.state.ledger.held("money", bond_holder(NAMES.index(name)))

    def held(self, holder: str, company: str) -> int:
        """How many shares of a company a player, the pool or the bank offering has."""
        return self.ruleset.percent(self.state, self.holder(holder), company) // 10

    def pool(self, company: str) -> int:
        """How many shares of a company the pool has."""
        return self.held(POOL, company)

    def price(self, company: str) -> int:
        """The market price of a company, 0 if there is none."""
        return self.ruleset.market.price(self.state, company)

    def director(self, company: str) -> str:
        """The director of a company, empty if it has none."""
        seat = self.ruleset.control.director(self.state, company)
        return NAMES[seat] if seat is not None else ""

    def leads(self, company: str) -> str:
        """Who acts for a company: its director or operating manager."""
        return NAMES[self.ruleset.control.decider(self.state, company)]

    def elephant(self) -> str:
        """Who has the elephant."""
        return NAMES[self.state.priority]


def bidding(players: int = 4, **options: str) -> Scene:
    """A game as it begins: everybody writes a bond. The seats are those of the players' letters."""
    scene = Scene(players, **options)
    given = {name.replace("_", "-"): value for name, value in options.items()}
    scene.position.state = TITLE.setup(players, TITLE.option_values(given))
    return scene.on()


def listing(players: int, *bonds: int, **options: str) -> Scene:
    """The bonds are written: players choose cities. They sit as their bonds say, equal ones in the order
    of their letters."""
    equals = (bonds.count(bond) for bond in sorted({*bonds}, reverse=True))
    scene = bidding(players, **options)
    scene.draws(*((0, left) for count in equals for left in range(count, 1, -1)))
    scene.do(*(f"{NAMES[seat]} writes a bond of {bond}" for seat, bond in enumerate(bonds)))
    return scene


def sell_out(scene: Scene, *companies: str) -> Scene:
    """The shares of companies in the bank offering have all been sold and are out of the way."""
    for company in companies:
        item = f"{company}:10"
        scene.state.ledger.move(item, STACK, BOX, scene.state.ledger.held(item, STACK))
    return scene
