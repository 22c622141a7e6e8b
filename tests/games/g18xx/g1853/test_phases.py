"""The phases, and what the list of actions says in random positions."""

from __future__ import annotations

import random
from collections import Counter
from functools import lru_cache
from itertools import product
from typing import Any

import pytest

from kursbuch.core.actions import Action
from kursbuch.core.game import Game
from kursbuch.games.g18xx.actions import BuyTrain, Discard, Dividend, OfferTrain, PlaceStation
from kursbuch.games.g18xx.events import OperatingRoundBegan, PhaseBegan, TrainsRusted
from kursbuch.games.g18xx.g1853 import TITLE
from kursbuch.games.g18xx.g1853.actions import BuyOnCredit
from kursbuch.games.g18xx.g1853.contracts import connections
from kursbuch.games.g18xx.g1853.state import State1853
from kursbuch.games.g18xx.map.networks import PER_HEX
from kursbuch.games.g18xx.map.track import Layout
from kursbuch.games.g18xx.state import Build, BuyTrains, Pay, PlaceToken, Surplus
from tests.games.g18xx import randomnet
from tests.games.g18xx.g1853.land import BOARD, Slow, every_tile
from tests.games.g18xx.g1853.table import Scene
from tests.happened import every, only

#: The rows of the table of phases.
ROWS: list[Any] = [*TITLE.rules["table-6"].data]

TRAINS = ("2", "3", "4", "5", "6", "1M", "2M", "3M", "4M")


@pytest.mark.rule("1853:table-6", "1853:4.10.1", "1853:4.10.2", "1853:4.10.3", "1853:4.10.4")
@pytest.mark.rule("1853:4.10.5", "1853:4.8.4")
@pytest.mark.parametrize("number", range(4))
def test_the_table_of_phases(number: int) -> None:
    """Every row, by buying the train it begins with: what is scrapped wherever it lies, tiles, limit, rounds,
    what may be owned."""
    name, begins, in_use, scrapped, tiles, limit, rounds = ROWS[number]
    scene = Scene().small_founded().shares("EIR", A=3).shares("MSM", B=3).operating("EIR", "MSM")
    if number:
        train = begins.en.split()[1].removesuffix("-train")
        before = ROWS[number - 1][1].en.split()[1].removesuffix("-train")
        scene.phase(before if number > 1 else "2")
        for item in TRAINS[: TRAINS.index(train)]:
            held = scene.state.ledger.held(f"train:{item}", "stack")
            scene.state.ledger.move(f"train:{item}", "stack", "box", held)
        for each in scrapped:
            scene.trains("MSM", each).trains("pool", *[each] * (each != "1M"))
        scene.money(EIR=2000).turn("EIR", BuyTrains)
        rounds_before = scene.state.round.parts
        events = scene.do(f"A buys train {train}")
        assert only(events, PhaseBegan).phase == str(name)
        assert scene.state.round.parts == rounds_before
        for each in scrapped:
            for holder, row in scene.state.ledger.items[f"train:{each}"].items():
                assert holder == "box" or not row
        gone = {each for event in every(events, TrainsRusted) for _, each, _ in event.trains}
        assert gone == {*scrapped}
        assert scene.owns("MSM") == scene.owns("pool") == ""
    phase = scene.ruleset.phase(scene.state)
    assert str(phase.number) == str(name)
    assert ", ".join(phase.tiles) == tiles.en
    assert scene.ruleset.depot.train_limit(scene.state, "EIR") == limit
    assert phase.operating_rounds == rounds
    # What is in use has not been scrapped so far.
    gone_so_far = {each for row in ROWS[: number + 1] for each in row[3]}
    assert not {*in_use} & gone_so_far


@pytest.mark.rule("1853:4.10.1", "1853:4.9")
def test_the_number_of_rounds_is_fixed_by_the_stock_round_before() -> None:
    """A phase that begins in a series does not lengthen it."""
    scene = Scene().shares("EIR", A=3).operating("EIR").money(EIR=900)
    scene.ended()
    while scene.step() != "build":
        scene.do(
            f"{scene.deciders()} is done"
            if scene.step() != "choose-right"
            else "A lays two tiles later"
        )
    assert scene.state.round.parts == 1
    later = Scene().phase("3").shares("EIR", A=3).operating("EIR").money(EIR=900)
    later.state.charters["EIR"].right = "later"
    events = later.ended()
    while later.step() != "build":
        events += later.do(f"{later.deciders()} is done")
    assert (later.state.round.part, later.state.round.parts) == (1, 2)
    later.state.phase = 2
    assert later.ruleset.phase(later.state).operating_rounds == 3
    while later.step() != "extra-round":
        events += later.do(f"{later.deciders()} is done")
    assert [event.part for event in every(events, OperatingRoundBegan)] == [1, 2]


@pytest.mark.rule("1853:table-6-note", "1853:4.9")
@pytest.mark.parametrize("phase", ["2", "3", "4", "5"])
def test_an_extra_round_in_any_phase(phase: str) -> None:
    scene = Scene().phase(phase).shares("EIR", A=3).operating("EIR").money(EIR=0, A=0)
    scene.state.charters["EIR"].right = "later"
    scene.state.round.part = scene.state.round.parts = scene.ruleset.phase(
        scene.state
    ).operating_rounds
    scene.turn("EIR", BuyTrains, part=scene.state.round.parts)
    while scene.step() not in ("extra-round", "stock-turn"):
        scene.do(f"{scene.deciders()} is done")
    assert (scene.step(), scene.deciders()) == ("extra-round", "A")
    assert scene.can("A") == ["orders no operating round", "orders an operating round"]


# ---- what is listed and what is allowed


def moved(game: Game, rng: random.Random) -> None:
    """A random move: first its kind, so that there are few sales and many tiles."""
    seat = rng.choice(game.pending).seat
    kinds: dict[type, list[Any]] = {}
    for choice in game.legal_actions(seat):
        kinds.setdefault(type(choice.action), []).append(choice)
    choice = rng.choice(kinds[rng.choice([*kinds])])
    game.apply(choice.action)


@lru_cache
def states(seed: int) -> list[State1853]:
    """Positions of a random game: some of every step of a company's turn in every phase."""
    rng = random.Random(seed)
    game: Game = Game(TITLE, [f"P{n}" for n in range(3 + seed % 4)], seed=str(seed))
    found: list[State1853] = []
    seen: Counter[object] = Counter()
    while not game.over:
        step = game.state.agenda[-1]
        key = (type(step), game.state.phase)
        if (
            isinstance(step, Build | PlaceToken | Pay | BuyTrains | Surplus)
            and seen[key] < 3
            and rng.random() < 0.3
        ):
            seen[key] += 1
            found.append(TITLE.clone(game.state))
        moved(game, rng)
    return found


def candidates(state: State1853, seat: int) -> list[Action]:
    """Many actions of the step, most of which are not allowed."""
    match state.agenda[-1]:
        case Build():
            return [*every_tile(seat)]
        case PlaceToken():
            return [PlaceStation(seat, name, stop) for name, stop in product(BOARD.names, range(7))]
        case BuyTrains():
            buys: list[Action] = [
                kind(seat, train, source)
                for kind, train, source in product(
                    (BuyTrain, BuyOnCredit), TRAINS, ("bank", "pool", "nobody")
                )
            ]
            return buys + [
                OfferTrain(seat, owner, train, price)
                for owner, train, price in product(
                    TITLE.ruleset.public, TRAINS, (-10, 0, 9, 10, 11, 100, 300, 3000)
                )
            ]
        case Surplus(companies=companies):
            return [
                Discard(seat, company, trains)
                for company in companies
                for trains in ((), *product(TRAINS), *product(TRAINS, TRAINS))
            ]
        case Pay():
            return [Dividend(seat, True), Dividend(seat, False)]
    return []


@pytest.mark.rule("1853:4.0", "1853:4.1", "1853:4.4", "1853:4.8")
@pytest.mark.parametrize(
    "seed", [0, pytest.param(1, marks=pytest.mark.long), pytest.param(2, marks=pytest.mark.long)]
)
def test_what_is_listed_is_allowed_and_nothing_else(seed: int) -> None:
    """In random positions: every action of the list, and all tiles on all hexes, all stations, all trains."""
    checked: Counter[type] = Counter()
    for state in states(seed):
        scene = Scene()
        scene.position.state = state
        for seat in scene.position.deciders():
            choices = scene.position.legal_actions(seat)
            for choice in choices:
                assert scene.position.problem(choice.action) is None
                if choice.amount is not None:
                    highest = choice.with_amount(choice.amount.high)
                    assert scene.position.problem(highest) is None
            step = type(state.agenda[-1])
            if step is Build and checked[Build] > 3:
                continue
            checked[step] += 1
            exact = {choice.action for choice in choices if choice.amount is None}
            ranges = [choice for choice in choices if choice.amount is not None]
            for action in candidates(state, seat):
                listed = action in exact or any(choice.covers(action) for choice in ranges)
                assert (scene.position.problem(action) is None) == listed, action
    assert checked[Build]
    assert checked[BuyTrains]


# ---- contracts


def one_city(stop: int) -> object:
    """A stop, or the city of contracts it belongs to."""
    hex = BOARD.names[stop // PER_HEX]
    return hex if hex in TITLE.ruleset.components.city_of_hex else stop


@pytest.mark.rule("1853:4.3.1", "1853:2.5-network", "1853:4.2.5")
@pytest.mark.parametrize("part", range(3))
def test_connections_agree_with_a_slow_search(part: int) -> None:
    """Cities are joined over stations, full or not, in which the gauge may change, and between those of one
    city; never by a change of gauge on open track, nor by turning back."""
    seen: Counter[bool] = Counter()
    track = TITLE.ruleset.components.track
    cities = TITLE.ruleset.components.cities
    for seed in range(100 * part, 100 * part + 40):
        rng = random.Random(seed)
        layout = randomnet.layout(track, rng, rng.randint(60, 260), 2, 12)
        position = track.position(layout, 2)
        slow = Slow(position, free=True)
        joined: dict[object, set[object]] = {}

        for ground in position.grounds:
            for number, stop in enumerate(ground.face.stops):
                if stop.kind == "junction":
                    continue
                start = ground.place * PER_HEX + number
                for end in slow.next_stops(start):
                    joined.setdefault(one_city(start), set()).add(one_city(end))
        state = Scene().state
        state.layout = Layout(layout.tiles, layout.stations)
        found = connections(TITLE.ruleset, state)
        for a in cities.values():
            reached: set[object] = {a.hex}
            waiting: list[object] = [a.hex]
            while waiting:
                for other in joined.get(waiting.pop(), ()):
                    if other not in reached:
                        reached.add(other)
                        waiting.append(other)
            for b in cities.values():
                expected = b.hex in reached
                assert (found[a.name] == found[b.name]) == expected, (seed, a.name, b.name)
                seen[expected] += 1
    assert min(seen.values()) > 500
    assert len(seen) == 2
