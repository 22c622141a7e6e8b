"""Random games of ours, written down as Rails-18xx would, come back as they were."""

from __future__ import annotations

import random
from typing import Any

import pytest

from kursbuch.core.actions import Action
from kursbuch.core.events import Event
from kursbuch.core.game import Game
from kursbuch.core.position import Position
from kursbuch.eighteen.actions import (
    Answer,
    BuyPaper,
    BuyShare,
    BuyTrain,
    ChooseHome,
    ChooseSwap,
    Discard,
    Dividend,
    Done,
    Exchange,
    LayTile,
    Nationalise,
    OfferTrain,
    PlaceStation,
    SellShares,
)
from kursbuch.eighteen.companies import PERCENT, PLAYERS
from kursbuch.eighteen.events import Passed, RunEvent, TrainsDiscarded
from kursbuch.eighteen.rails import Act, Save
from kursbuch.eighteen.state import BuyTrains, RaiseMoney, StockTurn, TrainOffer
from kursbuch.eighteen.t1835 import TITLE, rails
from kursbuch.eighteen.t1835.actions import OpenPrussia
from kursbuch.eighteen.t1835.rails_terms import BAVARIAN_DIRECTOR, stations
from kursbuch.eighteen.t1835.state import State1835

KERNEL = TITLE.game
BOARD = KERNEL.components.board
FILE = KERNEL.components.file
NAMES = ["Anna", "Bernd", "Clara", "Dirk", "Emil"]

THEIRS = {
    record.id: record.ids_elsewhere["Rails"]
    for records in (FILE.companies.public, FILE.companies.minors, FILE.companies.privates)
    for record in records
}

WEIGHTS: dict[type[Action], float] = {
    Done: 0.4,
    OfferTrain: 0.02,
    SellShares: 0.05,
    Nationalise: 3.0,
    PlaceStation: 0.2,
}


class Writer:
    """Writes a game down as that program does. Steps that offer nothing there are left out at
    random, and so are passes of players who can do nothing."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.acts: list[Act] = []
        #: The names of single trains, by type, in the order of their holders.
        self.trains: dict[tuple[str, str], list[str]] = {}
        for record in FILE.trains:
            self.trains["stack", record.id] = [f"{record.id}_{n}" for n in range(record.count)]

    def write(self, kind: str, seat: int, **fields: Any) -> None:
        self.acts.append(Act(len(self.acts), kind, seat, fields))

    def train(self, kind: str, source: str, target: str) -> str:
        places = [source, *(KERNEL.components.minors if source == "PR" else ())]
        # Prussia's trains may still be entered for the minor that brought them.
        held = next(found for place in places if (found := self.trains.get((place, kind))))
        name = held.pop(0)
        self.trains.setdefault((target, kind), []).append(name)
        return name

    def action(self, state: State1835, action: Action) -> None:
        """Write an action down before it is carried out."""
        step = state.agenda[-1]
        seat, company = action.seat, getattr(step, "company", "")
        match action:
            case BuyPaper(paper=paper):
                name = BAVARIAN_DIRECTOR if paper == "BY-director" else THEIRS[paper]
                self.write("BuyStartItem", seat, startItemName=name)
            case BuyShare(company=of, certificate=name, source=source):
                kind = "StartCompany" if name.endswith("P") and source == "stack" else ""
                self.write(
                    kind or "BuyCertificate",
                    seat,
                    companyName=THEIRS[of],
                    sharePerCert=PERCENT[name],
                    fromName="Bank_Pool" if source == "pool" else "Bank_IPO",
                )
            case Nationalise(company=of, certificate=name, player=player):
                self.write(
                    "BuyCertificate",
                    seat,
                    companyName=THEIRS[of],
                    sharePerCert=PERCENT[name],
                    fromName=f"Player_{NAMES[player]}",
                )
            case SellShares(company=of, certificates=names):
                self.write(
                    "SellShares",
                    seat,
                    companyName=THEIRS[of],
                    share=PERCENT[names[0]],
                    number=len(names),
                )
            case Done():
                if isinstance(step, BuyTrains) or (isinstance(step, StockTurn) and step.acted):
                    self.write("NullAction", seat, mode=0)
                elif not company:
                    self.write("NullAction", seat, mode=1)
                elif self.rng.random() < 0.7:
                    self.write("NullAction", seat, mode=2)
            case LayTile(hex=hex, tile=tile, rotation=rotation, private=private):
                turned = BOARD.tile(tile).record.rotation_elsewhere.get("Rails", 0)
                self.write(
                    "LayTile",
                    seat,
                    companyName=THEIRS[company],
                    chosenHexName=hex,
                    sLaidTileId=tile,
                    orientation=(rotation - turned) % 6,
                    specialPropertyId=3 if private else 0,
                )
            case PlaceStation(hex=hex, stop=stop, private=private):
                self.write(
                    "LayBaseToken",
                    seat,
                    companyName=THEIRS[company],
                    chosenHexName=hex,
                    chosenStation=self.station(state, hex, stop),
                    specialPropertyId=1 if private else 0,
                    type=2 if private else 1,
                )
            case ChooseHome(stop=stop):
                last = self.acts[-1]
                hex = KERNEL.components.homes["BA"].hex
                number = self.station(state, hex, stop)
                if last.kind == "LayTile" and last["chosenHexName"] == hex:
                    fields = {**last.fields, "relaidBaseTokensString": f"BA:{number}"}
                    self.acts[-1] = Act(last.number, last.kind, last.seat, fields)
                else:
                    self.write(
                        "LayBaseToken",
                        seat,
                        companyName="BA",
                        chosenHexName=hex,
                        chosenStation=number,
                        type=3,
                    )
            case Dividend(pays=pays):
                assert company
                revenue = state.companies[company].revenue
                self.dividend(seat, company, revenue, 2 if pays else 0)
            case BuyTrain(train=train, source=source):
                place = "pool" if source == "pool" else "stack"
                self.buy(seat, company, train, place, "Pool" if source == "pool" else "IPO", 0)
            case OfferTrain(company=owner, train=train, price=price):
                same = KERNEL.decider(state, owner) == seat
                if same:
                    self.buy(seat, company, train, owner, THEIRS[owner], price)
            case Answer(accepts=True):
                assert isinstance(step, TrainOffer)
                name = THEIRS[step.owner]
                self.buy(seat, step.company, step.train, step.owner, name, step.price)
            case Discard(company=of, trains=trains):
                self.discard(seat, of, trains)
            case OpenPrussia(opens=opens):
                self.fold(seat, ["2"], ["2"] if opens else [])
            case Exchange(papers=papers):
                self.fold(seat, KERNEL.papers(state, seat), list(papers))
            case Answer() | ChooseSwap():
                pass
            case _:
                raise AssertionError(action)

    def station(self, state: State1835, hex: str, stop: int) -> int:
        """The number of a city there."""
        laid = state.layout.tiles.get(hex)
        if laid is not None:
            return stations(BOARD.tile(laid.tile), laid.rotation).index(stop) + 1
        order = BOARD.records[BOARD.place(hex)].stops_elsewhere.get("Rails")
        return (order.index(stop) if order else stop) + 1

    def buy(
        self, seat: int, company: str, train: str, source: str, source_name: str, price: int
    ) -> None:
        self.write(
            "BuyTrain",
            seat,
            companyName=THEIRS[company],
            typeName=train,
            trainUniqueId=self.train(train, source, company),
            fromName=source_name,
            pricePaid=price,
        )

    def discard(self, seat: int, company: str, trains: tuple[str, ...]) -> None:
        for train in trains:
            self.write(
                "DiscardTrain",
                seat,
                companyName=THEIRS[company],
                discardedTrainUniqueId=self.train(train, company, "pool"),
            )

    def fold(self, seat: int, foldable: list[str], folded: list[str]) -> None:
        self.write(
            "FoldIntoPrussian",
            seat,
            foldableCompanyNames=",".join(THEIRS[name] for name in foldable),
            foldedCompanyNames=",".join(THEIRS[name] for name in folded),
        )

    def dividend(self, seat: int, company: str, revenue: int, allocation: int) -> None:
        self.write(
            "SetDividend",
            seat,
            companyName=THEIRS[company],
            actualRevenue=revenue,
            revenueAllocation=allocation,
        )

    def event(self, state: State1835, event: Event, action: Action | None) -> None:
        """Write down what our game has done by itself."""
        match event:
            case RunEvent(company=company, revenue=revenue):
                if KERNEL.is_minor(company) and revenue:
                    self.dividend(0, company, revenue, 1)
            case TrainsDiscarded(company=company, trains=trains):
                if not isinstance(action, Discard) or action.company != company:
                    self.discard(0, company, trains)
            case Passed(rule="2.6.1.4", seat=seat, able=False):
                if self.rng.random() < 0.5:
                    self.write("NullAction", seat, mode=1)
            case _:
                pass

    def exchanges(self, state: State1835) -> None:
        """Trains that have left the game or have become Prussia's with a minor."""
        if any(isinstance(step, RaiseMoney) for step in state.agenda):
            return  # a train is written down that is not bought yet
        held = {
            (holder, kind): KERNEL.trains(state, holder).count(kind)
            for holder in state.companies
            for kind in KERNEL.components.train_order
        }
        for (holder, kind), count in held.items():
            named = self.trains.setdefault((holder, kind), [])
            while len(named) > count:
                found = named.pop(0)
                prussian = self.trains.setdefault(("PR", kind), [])
                if holder != "PR" and len(prussian) < held["PR", kind]:
                    prussian.append(found)


def choose(position: Position[State1835], seat: int, rng: random.Random) -> Action:
    """Something that program can write down: sales of one size, the fewest certificates at a change
    of director."""
    state = position.state
    choices = position.legal_actions(seat)
    actions = []
    for choice in choices:
        action = choice.action
        if choice.amount is not None:
            action = choice.with_amount(rng.choice([choice.amount.low, choice.amount.high]))
        if isinstance(action, SellShares):
            sizes = {name.removesuffix("P") for name in action.certificates}
            held = KERNEL.certificates(state, PLAYERS[seat], action.company)
            director = action.certificates[0].endswith("P")
            size = action.certificates[0].removesuffix("P")
            plain = held.get(size, 0)
            # The director's certificate goes last there.
            if len(sizes) > 1 or (director and len(action.certificates) - 1 < plain):
                continue
        if isinstance(action, ChooseSwap):
            ways = [c.action for c in choices if isinstance(c.action, ChooseSwap)]
            if len(action.certificates) > min(len(way.certificates) for way in ways):
                continue
        actions.append(action)
    weights = [WEIGHTS.get(type(action), 1.0) for action in actions]
    return rng.choices(actions, weights)[0]


@pytest.mark.parametrize("seed", [0, 2, 5, 7, 28, 87])
def test_a_game_comes_back(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    names = NAMES[: 3 + seed % 3]
    variant = ("Standard", "Clemens", "Snake")[seed % 3]
    game = Game(TITLE, names, {"packet": variant.lower()}, seed="x")
    writer = Writer(rng)
    moves = 0
    while not game.over and moves < 1500:
        seat = game.pending[0].seat
        action = choose(game.position, seat, rng)
        writer.action(game.state, action)
        for event in game.apply(action):
            writer.event(game.state, event, action)
        writer.exchanges(game.state)
        moves += 1
    options = {"Variant": variant, "SeparateSalesAtSamePrice": "no"}
    save = Save("1835", options, names, writer.acts)
    monkeypatch.setattr(rails, "read", lambda data: save)
    found = rails.import_rails(TITLE, b"")
    assert found.game.over == game.over
    assert found.game.options == game.options
    assert found.game.state == game.state
    if game.over:
        assert found.game.result == game.result
