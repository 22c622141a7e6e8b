"""Random games of ours, written down as Rails-18xx would, come back as they were."""

from __future__ import annotations

import random
from itertools import groupby
from typing import Any

import pytest

from kursbuch.core.actions import Action
from kursbuch.core.events import Event
from kursbuch.core.game import Game
from kursbuch.core.position import Position
from kursbuch.games.g18xx.actions import (
    Answer,
    AskPrice,
    BuyPaper,
    BuyShare,
    BuyTrain,
    ChooseHome,
    ChooseSwap,
    Discard,
    Dividend,
    Done,
    EnterRevenue,
    Exchange,
    LayTile,
    Nationalise,
    OfferTrain,
    PlaceStation,
    SellShares,
)
from kursbuch.games.g18xx.components import BANK, PERCENT, PLAYERS
from kursbuch.games.g18xx.events import (
    Ended,
    OperatingRoundBegan,
    Passed,
    RunEvent,
    StockRoundBegan,
    TrainsDiscarded,
    TurnBegan,
)
from kursbuch.games.g18xx.g1835 import TITLE, rails18xx
from kursbuch.games.g18xx.g1835.rails18xx.terms import BAVARIAN_DIRECTOR
from kursbuch.games.g18xx.g1835.state import OpenPrussia, State1835, Variants1835
from kursbuch.games.g18xx.rails18xx import Act, Save, stations
from kursbuch.games.g18xx.state import BuyTrains, Pay, RaiseMoney, StockTurn, TrainOffer

BOOK = TITLE.ruleset
BOARD = BOOK.components.board
FILE = BOOK.components.file
NAMES = ["Anna", "Bernd", "Clara", "Dirk", "Emil", "Frieda", "Georg"]

THEIRS = {
    record.id: record.ids_elsewhere["Rails"]
    for records in (FILE.companies.public, FILE.companies.minors, FILE.companies.privates)
    for record in records
}

WEIGHTS: dict[type[Action], float] = {
    Done: 0.4,
    AskPrice: 0.3,
    OfferTrain: 0.02,
    SellShares: 0.05,
    Nationalise: 3.0,
    PlaceStation: 0.2,
    EnterRevenue: 0.02,
}


#: What may come in another order.
TOGETHER = ("DiscardTrain", "FoldIntoPrussian")


class Writer:
    """Writes a game down as that program does. Steps that offer nothing there are left out at
    random, and so are passes of players who can do nothing; steps that our game passes over are
    written at random."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.acts: list[Act] = []
        #: The company whose turn it is, and which steps of it have been written down.
        self.turn = ""
        self.written: set[str] = set()
        #: The names of single trains, by type, in the order of their holders.
        self.trains: dict[tuple[str, str], list[str]] = {}
        for record in FILE.trains:
            self.trains["stack", record.id] = [f"{record.id}_{n}" for n in range(record.count)]

    def write(self, kind: str, seat: int, **fields: Any) -> None:
        self.acts.append(Act(len(self.acts), kind, seat, fields))

    def train(self, kind: str, source: str, target: str) -> str:
        places = [source, *(BOOK.components.minors if source == "PR" else ())]
        # Prussia's trains may still be entered for the minor that brought them.
        held = next(found for place in places if (found := self.trains.get((place, kind))))
        name = held.pop(0)
        self.trains.setdefault((target, kind), []).append(name)
        return name

    def action(self, state: State1835, action: Action) -> None:
        """Write an action down before it is carried out."""
        step = state.agenda[-1]
        seat, company = action.seat, getattr(step, "company", "")
        self.written.add(type(step).__name__)
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
                    **self.price(state, of, PERCENT[names[0]]),
                )
                purchase = self.purchase
                if isinstance(step, RaiseMoney) and purchase and self.rng.random() < 0.3:
                    # Some versions ask again what is bought.
                    self.write(purchase.kind, purchase.seat, **purchase.fields)
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
                hex = BOOK.components.homes["BA"][0].hex
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
            case Dividend(pays=pays) | EnterRevenue(pays=pays):
                assert isinstance(step, Pay)
                revenue = step.revenue
                if isinstance(action, EnterRevenue):
                    revenue = action.revenue
                allocation = 1 if BOOK.is_minor(company) else 2 if pays else 0
                if revenue or self.rng.random() < 0.5:
                    self.dividend(seat, company, revenue, allocation)
            case BuyTrain(train=train, source=source):
                place = "pool" if source == "pool" else "stack"
                self.buy(seat, company, train, place, "Pool" if source == "pool" else "IPO", 0)
            case OfferTrain(company=owner, train=train, price=price):
                same = BOOK.control.decider(state, owner) == seat
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
                self.fold(seat, BOOK.privates_and_minors(state, seat), list(papers))
            case Answer() | AskPrice() | ChooseSwap():
                pass
            case _:
                raise AssertionError(action)

    def station(self, state: State1835, hex: str, stop: int) -> int:
        """The number of a city there."""
        laid = state.layout.tiles.get(hex)
        if laid is not None:
            return stations(BOARD.tile(laid.tile), laid.rotation).index(stop) + 1
        order = BOARD.records[BOARD.number(hex)].stops_elsewhere.get("Rails")
        return (order.index(stop) if order else stop) + 1

    def price(self, state: State1835, company: str, percent: int) -> dict[str, int]:
        """What a share unit is sold for."""
        step = state.agenda[-1]
        assert isinstance(step, StockTurn | RaiseMoney)
        unit = 5 if company == "PR" else 10
        price = BOOK.shares.sale_price(state, company, step.prices) * unit // 10
        return {"shareUnit": unit, "shareUnits": percent // unit, "price": price}

    @property
    def purchase(self) -> Act | None:
        """The train that forced sales are to pay for."""
        found = (act for act in reversed(self.acts) if act.kind != "SellShares")
        act = next(found, None)
        return act if act is not None and act.kind == "BuyTrain" else None

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

    def fold(self, seat: int, exchangeable: list[str], folded: list[str]) -> None:
        self.write(
            "FoldIntoPrussian",
            seat,
            foldableCompanyNames=",".join(THEIRS[name] for name in exchangeable),
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
            case TurnBegan(company=company):
                self.end_turn()
                self.turn = company
            case OperatingRoundBegan() | StockRoundBegan() | Ended():
                self.end_turn()
            case RunEvent(company=company, revenue=revenue):
                if not isinstance(action, Dividend):
                    self.skip("Build", "PlaceToken")
                    if BOOK.is_minor(company) and revenue:
                        self.dividend(0, company, revenue, 1)
            case TrainsDiscarded(company=company, trains=trains):
                if not isinstance(action, Discard) or action.company != company:
                    self.discard(0, company, trains)
            case Passed(rule="2.6.1.4", seat=seat, able=False):
                if self.rng.random() < 0.5:
                    self.write("NullAction", seat, mode=1)
            case _:
                pass

    def skip(self, *steps: str) -> None:
        """Steps our game has passed over."""
        for step in steps:
            if step not in self.written and self.rng.random() < 0.5:
                self.write("NullAction", 0, mode=2)

    def end_turn(self) -> None:
        """The end of a company's turn, if our game has passed over the trains."""
        if self.turn and "BuyTrains" not in self.written and self.rng.random() < 0.7:
            self.write("NullAction", 0, mode=0)
        self.turn = ""
        self.written.clear()

    def exchanges(self, state: State1835) -> None:
        """Trains that have left the game or have become Prussia's with a minor."""
        if any(isinstance(step, RaiseMoney) for step in state.agenda):
            return  # a train is written down that is not bought yet
        held = {
            (holder, kind): BOOK.trains(state, holder).count(kind)
            for holder in state.companies
            for kind in BOOK.components.train_order
        }
        for (holder, kind), count in held.items():
            named = self.trains.setdefault((holder, kind), [])
            while len(named) > count:
                found = named.pop(0)
                prussian = self.trains.setdefault(("PR", kind), [])
                if holder != "PR" and len(prussian) < held["PR", kind]:
                    prussian.append(found)


def choose(
    position: Position[State1835], seat: int, rng: random.Random, trade: bool = False
) -> Action:
    """Something that program can write down: sales of one size, the fewest certificates at a change
    of director. With `trade` there are more sales, and older versions gave small certificates."""
    state = position.state
    choices = position.legal_actions(seat)
    actions = []
    for choice in choices:
        action = choice.action
        if isinstance(action, EnterRevenue):
            action = choice.with_amount(10 * rng.randrange(1, 30))
        elif choice.amount is not None:
            action = choice.with_amount(rng.choice([choice.amount.low, choice.amount.high]))
        if isinstance(action, SellShares):
            sizes = {name.removesuffix("P") for name in action.certificates}
            held = BOOK.certificates(state, PLAYERS[seat], action.company)
            director = action.certificates[0].endswith("P")
            size = action.certificates[0].removesuffix("P")
            plain = held.get(size, 0)
            # The director's certificate goes last there.
            if len(sizes) > 1 or (director and len(action.certificates) - 1 < plain):
                continue
        if isinstance(action, ChooseSwap) and not trade:
            ways = [c.action for c in choices if isinstance(c.action, ChooseSwap)]
            if len(action.certificates) > min(len(way.certificates) for way in ways):
                continue
        actions.append(action)
    usual = WEIGHTS | ({SellShares: 0.4} if trade else {})
    weights = [usual.get(type(action), 1.0) for action in actions]
    return rng.choices(actions, weights)[0]


def written(seed: int, options: dict[str, str], *, trade: bool = False) -> tuple[Game, list[Act]]:
    """A random game to its end with these options of the table, and how that program writes it."""
    rng = random.Random(seed)
    game = Game(TITLE, NAMES[: 3 + seed % 5], options, seed="x")
    writer = Writer(rng)
    while not game.over:
        action = choose(game.position, game.pending[0].seat, rng, trade)
        writer.action(game.state, action)
        for event in game.apply(action):
            writer.event(game.state, event, action)
        writer.exchanges(game.state)
    return game, in_another_order(writer.acts, rng)


def in_another_order(acts: list[Act], rng: random.Random) -> list[Act]:
    """Exchanges and surplus trains that follow each other have another order there; only the opening
    of Prussia comes before the exchanges."""
    found: list[Act] = []
    for together, group in groupby(acts, lambda act: act.kind in TOGETHER):
        rest = list(group)
        opens = [n for n, act in enumerate(rest) if act["foldedCompanyNames"] == "M2"]
        for _ in range(opens[0] + 1 if opens else 0):
            found.append(rest.pop(0))
        asked = [act.seat for act in rest if act.kind == "FoldIntoPrussian"]
        if together and len(set(asked)) == len(asked):
            # Everybody is asked once on an occasion.
            rng.shuffle(rest)
        found += rest
    return [Act(n, act.kind, act.seat, act.fields) for n, act in enumerate(found)]


def options(seed: int) -> tuple[dict[str, str], dict[str, str]]:
    """The options of a game here and there. That program always plays by its small print, pays what
    the bank does not have, does not wait for Prussia, and some versions do not look at track."""
    variant = ("Standard", "Clemens", "Snake")[seed % 3]
    here = {
        "packet": variant.lower(),
        "as-rails": "on",
        "pays-beyond-bank": "on",
        "group3-without-prussia": "on",
        "same-price": "on" if seed % 2 else "off",
        "free-revenue": "on" if seed % 4 == 2 else "off",
        "minors-need-bavaria": "on" if seed % 5 == 3 else "off",
        "unlimited-tiles": "on" if seed % 7 == 1 else "off",
        "ld-30": "on" if seed % 7 == 2 else "off",
        "free-track": "on" if seed % 11 == 4 else "off",
    }
    yes = {"on": "yes", "off": "no"}
    there = {
        "Variant": variant,
        "SeparateSalesAtSamePrice": yes[here["same-price"]],
        "MinorsRequireFloatedBY": yes[here["minors-need-bavaria"]],
        "UnlimitedTiles": yes[here["unlimited-tiles"]],
        "LDIncome": "30M" if here["ld-30"] == "on" else "20M",
    }
    return here, there


def plain(state: State1835) -> State1835:
    """A state without the options of the table: those that were not needed are not set. What is noted
    is paid."""
    state = TITLE.clone(state)
    state.house = Variants1835()
    ledger = state.ledger
    for holder, amount in list(ledger.items["note"].items()):
        if holder != BANK:
            ledger.move("note", holder, BANK, amount)
            ledger.move("money", BANK, holder, amount)
    return state


# With these every option is on and off, and three to seven play.
@pytest.mark.parametrize("seed", [202, 203, 120, 79])
def test_a_game_comes_back(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = options(seed)
    game, acts = written(seed, here)
    save = Save("1835", there, list(game.names), acts)
    monkeypatch.setattr(rails18xx, "read", lambda data: save)
    found = rails18xx.import_rails(TITLE, b"")
    assert found.game.over
    assert found.game.result == game.result
    assert plain(found.game.state) == plain(game.state)
    assert all(found.game.options[name] in (here[name], "off") for name in here)


def small(game: Game) -> list[int]:
    """The moves in which an old director gets two certificates where he could get one."""
    return [
        number
        for number, move in enumerate(game.moves)
        if isinstance(move.action, ChooseSwap)
        and len(move.action.certificates) > 1
        and len(game.at(number).legal_actions(move.action.seat)) > 1
    ]


@pytest.mark.parametrize(
    ("seed", "shown"), [(324, 1), (415, 2), pytest.param(436, 2, marks=pytest.mark.long)]
)
def test_what_an_old_director_got_is_found_out(
    seed: int, shown: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file does not say whether it was one certificate or two; what is done with them does."""
    here, there = options(seed)
    game, acts = written(seed, here, trade=True)
    assert len(small(game)) >= shown
    save = Save("1835", there, list(game.names), acts)
    monkeypatch.setattr(rails18xx, "read", lambda data: save)
    found = rails18xx.import_rails(TITLE, b"")
    assert found.done == found.actions
    assert found.game.result == game.result
    assert len(small(found.game)) >= shown
    # Money the bank does not have is at hand only where an action needs it, and that is said.
    needed = seed == 324
    said = [one for one in found.remarks if one.params["option"] == "pays-beyond-bank"]
    assert (found.game.options["pays-beyond-bank"] == "on", len(said)) == (needed, needed)
    assert all(len(remark.actions) == 1 for remark in said)
