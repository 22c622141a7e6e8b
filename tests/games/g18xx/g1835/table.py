"""Positions of 1835 for tests, made readably and consistently.

Players are called A, B, C …, clockwise; A holds the priority marker unless said otherwise. A scene
begins with the whole start packet unsold, no one owning anything but the starting capital, and no
step on the agenda: `stock`, `turn` or `on` put one there.
"""

from __future__ import annotations

from typing import Any

from kursbuch.core.play import Play
from kursbuch.core.state import Step
from kursbuch.games.g18xx.components import BANK, PLAYERS, STACK
from kursbuch.games.g18xx.g1835 import TITLE
from kursbuch.games.g18xx.g1835.ruleset import Ruleset1835
from kursbuch.games.g18xx.g1835.state import State1835
from kursbuch.games.g18xx.map.track import Station
from kursbuch.games.g18xx.state import (
    Build,
    BuyTrains,
    EndTurn,
    NextCompany,
    PlaceToken,
    Round,
    Run,
    StockTurn,
)
from tests.games.g18xx.scene import NAMES, EighteenScene


class Scene(EighteenScene[State1835, Ruleset1835]):
    """A game in a position made for a test. The methods that set something return the scene."""

    def __init__(self, players: int = 4, **options: str) -> None:
        """Options by name with underscores: `same_price="on"`."""
        super().__init__(TITLE, players, options)
        state = self.state
        state.round = Round(1, sold=[[] for _ in range(players)])

    # ---- setting the scene

    def phase(self, train: str) -> Scene:
        """The phase that begins with the first train of a type; all earlier trains are in the box."""
        self.state.phase = self.ruleset.components.phase_row.get(train, 0)
        ledger = self.state.ledger
        for earlier in self.ruleset.components.train_order:
            if earlier == train:
                break
            count = ledger.held(f"train:{earlier}", STACK)
            ledger.move(f"train:{earlier}", STACK, "box", count)
        return self

    def money(self, **sums: int) -> Scene:
        """What players or companies have; minors are given as M1 … M6."""
        minors = {name: name[1:] for name in sums if name[0] == "M" and name[1:].isdigit()}
        return super().money(**{minors.get(name, name): amount for name, amount in sums.items()})

    def papers(self, **owned: str) -> Scene:
        """Privates and minors of players: `papers(A="NF 1 2")`. Minors go into operation, with
        their treasury and home; what comes with a private is not given."""
        state = self.state
        for name, papers in owned.items():
            for paper in papers.split():
                row = state.ledger.items[f"paper:{paper}"]
                state.ledger.move(f"paper:{paper}", next(iter(row)), self.holder(name))
                if paper in self.ruleset.components.minors and not state.companies[paper].operating:
                    state.companies[paper].operating = True
                    minor = self.ruleset.components.minors[paper]
                    state.ledger.move("money", BANK, paper, minor.treasury)
                    stop = minor.home.number
                    assert stop is not None
                    self.station(paper, minor.home.hex, stop)
        return self

    def sold(self) -> Scene:
        """Whatever is left of the start packet is out of the way: papers in the box, certificates
        among the new shares."""
        ledger = self.state.ledger
        for item, row in ledger.items.items():
            count = row.get("packet", 0)
            ledger.move(item, "packet", "box" if item.startswith("paper:") else STACK, count)
        return self

    def shares(self, company: str, **held: str) -> Scene:
        """Certificates of a company: `shares("BY", A="20P 10", pool="10")`. They are taken from the
        new shares, the packet or the exchange shares, wherever there are some."""
        ledger = self.state.ledger
        for name, certificates in held.items():
            for certificate in certificates.split():
                row = ledger.items[f"{company}:{certificate}"]
                source = next(h for h in ("stack", "packet", "exchange") if row.get(h))
                ledger.move(f"{company}:{certificate}", source, self.holder(name))
        return self

    def fill(self, name: str, papers: int) -> Scene:
        """Ten percent shares for a player until he has this many papers, no more than four of a
        company, the last companies first."""
        seat = NAMES.index(name)
        for company in reversed(self.ruleset.public):
            for _ in range(4):
                left = self.state.ledger.held(f"{company}:10", STACK)
                if left and self.ruleset.shares.count_certificates(self.state, seat) < papers:
                    self.state.ledger.move(f"{company}:10", STACK, PLAYERS[seat])
        assert self.ruleset.shares.count_certificates(self.state, seat) == papers
        return self

    def operating(self, *companies: str, worked: bool = True, **cells: str) -> Scene:
        """Share companies in operation, on their start fields or those given, without money and
        with their home station; Baden needs `station`."""
        for company in (*companies, *cells):
            found = self.state.companies[company]
            found.operating, found.worked = True, worked
            cell = cells.get(company, self.ruleset.public[company].cell)
            self.ruleset.market.place_price(self.state, company, cell)
            (home,) = self.ruleset.components.homes[company]
            stop = home.number
            if stop is not None and not self.state.layout.stations.count(
                Station(company, home.hex, stop)
            ):
                self.station(company, home.hex, stop)
        return self

    # ---- whose turn it is

    def stock(self, name: str = "A") -> Scene:
        """A stock round, at the turn of a player."""
        return self.on(StockTurn(NAMES.index(name)))

    def turn(self, company: str, step: type[Step] | None = None) -> Scene:
        """An operating round at a company's turn: at its first step, or at `step`."""
        state = self.state
        if not state.round.part:
            state.round.part, state.round.parts = 1, self.ruleset.phase(state).operating_rounds
        order: list[Any] = [Build, PlaceToken, Run, BuyTrains]
        wanted = order.index(step) if step in order else 0
        rest = [kind(company) for kind in order[wanted:]]
        return self.on(NextCompany(), EndTurn(company), *reversed(rest))

    # ---- looking

    def noted(self, name: str) -> int:
        """What the bank could not pay someone."""
        return self.ruleset.noted(self.state, self.holder(name))

    def held(self, name: str, company: str) -> str:
        """The certificates someone has: "20P 10 10"."""
        found = self.ruleset.certificates(self.state, self.holder(name), company)
        return " ".join(name for name, count in found.items() for _ in range(count))

    def cell(self, company: str) -> str:
        """Where the price marker of a company is."""
        return self.state.companies[company].cell

    def director(self, company: str) -> str:
        """Who acts for a company."""
        seat = self.ruleset.control.decider(self.state, company)
        return NAMES[seat] if seat >= 0 else ""


def trading(players: int = 4, **options: str) -> Scene:
    """The packet is sold; Bavaria works."""
    scene = Scene(players, **options).shares("BY", A="20P", B="10", C="10", D="10").sold()
    return scene.operating("BY")


def sell_out(scene: Scene, *companies: str) -> Scene:
    """The new shares of companies have all been sold and are out of the way."""
    for company in companies:
        for certificate in scene.ruleset.certificates(scene.state, "stack", company):
            item = f"{company}:{certificate}"
            count = scene.state.ledger.held(item, "stack")
            scene.state.ledger.move(item, "stack", "box", count)
    return scene


def play_of(scene: Scene) -> Play:  # type: ignore[type-arg]
    return Play(scene.state, scene.position.chance)
