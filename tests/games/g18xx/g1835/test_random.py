"""Random games: what is offered is accepted and nothing else, money and pieces stay, every game ends."""

from __future__ import annotations

import random

import pytest

from kursbuch.core.actions import Action, Choice
from kursbuch.core.chance import SeededChance
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play
from kursbuch.core.position import Position
from kursbuch.games.g18xx.actions import (
    BuyTrain,
    Discard,
    Done,
    EnterRevenue,
    LayTile,
    OfferTrain,
    PlaceStation,
    SellShares,
)
from kursbuch.games.g18xx.g1835 import TITLE
from kursbuch.games.g18xx.g1835.state import State1835
from tests.games.g18xx import cpsat

BOARD = TITLE.ruleset.components.board
WEIGHTS: dict[type[Action], float] = {
    Done: 0.4,
    EnterRevenue: 0.01,
    OfferTrain: 0.02,
    SellShares: 0.03,
}


def begin(seed: int, **options: str) -> Position[State1835]:
    values = TITLE.option_values({name.replace("_", "-"): value for name, value in options.items()})
    position = Position(TITLE, TITLE.setup(3 + seed % 5, values), SeededChance(str(seed)))
    position.run(Play(position.state, position.chance))
    return position


def anything(state: State1835, seat: int, rng: random.Random) -> Action:
    """Some action of an operating round, seldom a legal one."""
    trains = TITLE.ruleset.components.train_order
    company = rng.choice(list(state.companies))
    if rng.random() < 0.7 and state.layout.tiles:
        near = rng.choice(
            [*state.layout.tiles, *(station.hex for station in state.layout.stations)]
        )
        places = [BOARD.number(near), *BOARD.neighbours[BOARD.number(near)]]
        hex = BOARD.names[max(0, rng.choice(places))]
    else:
        hex = rng.choice(BOARD.names)
    match rng.randrange(7):
        case 0 | 1:
            private = rng.choice(["", "", "", "OB", "PF"])
            return LayTile(seat, hex, rng.choice(list(BOARD.tiles)), rng.randrange(6), private)
        case 2:
            private = rng.choice(["", "", "NF", "PF"])
            return PlaceStation(seat, hex, rng.randrange(3), private)
        case 3:
            return BuyTrain(seat, rng.choice(trains), rng.choice(["bank", "pool"]))
        case 4:
            return OfferTrain(seat, company, rng.choice(trains), rng.randrange(900))
        case 5:
            return EnterRevenue(seat, rng.random() < 0.5, rng.randrange(-5, 2010))
        case _:
            return Discard(seat, company, (rng.choice(trains),))


def accepted(position: Position[State1835], action: Action) -> bool:
    try:
        position.check(action)
    except IllegalAction:
        return False
    return True


def settled(choice: Choice, rng: random.Random) -> Action:
    """One action of a choice."""
    if choice.amount is None:
        return choice.action
    return choice.with_amount(rng.choice([choice.amount.low, choice.amount.high]))


@pytest.mark.parametrize(
    ("seed", "options"),
    [
        (1, {}),
        pytest.param(2, {}, marks=pytest.mark.long),
        (3, {"minors_need_bavaria": "on", "no_206": "on"}),
        (4, {"packet": "snake"}),
        (5, {"free_revenue": "on", "as_rails": "on"}),
    ],
)
def test_random_games(seed: int, options: dict[str, str]) -> None:
    rng = random.Random(seed)
    position = begin(seed, **options)
    state = position.state
    totals = state.ledger.totals()
    moves = 0
    while not position.over:
        moves += 1
        assert moves < 5000
        (seat,) = position.deciders()
        choices = position.legal_actions(seat)
        assert choices
        if state.round.part and moves % 3 == 0:
            before = TITLE.encode(state)
            for choice in choices:
                assert accepted(position, settled(choice, rng)), choice
            for _ in range(20):
                action = anything(state, seat, rng)
                assert accepted(position, action) == any(c.covers(action) for c in choices), action
            assert TITLE.encode(state) == before
        weights = [WEIGHTS.get(type(choice.action), 1.0) for choice in choices]
        position.apply(settled(rng.choices(choices, weights)[0], rng))
        assert state.ledger.totals() == totals
    assert position.result is not None
    assert TITLE.encode(TITLE.decode(TITLE.encode(state))) == TITLE.encode(state)


def test_runs_in_simulated_games_are_the_best() -> None:
    """Against a CP-SAT model of the network (`tests/games/g18xx/cpsat.py`)."""
    position, rng = begin(21), random.Random(21)
    game, compared = TITLE.ruleset, 0
    for number in range(900):
        if position.over:
            break
        seat = position.deciders()[0]
        choices = position.legal_actions(seat)
        weights = [WEIGHTS.get(type(choice.action), 1.0) for choice in choices]
        position.apply(rng.choices(choices, weights)[0].action)
        if number % 130:
            continue
        state = position.state
        for company, found in state.companies.items():
            trains = game.depot.running_trains(state, company)
            if not found.operating or not trains:
                continue
            network = game.position(state).network(company).network
            ranges = [game.components.train(train) for train in trains]
            best = cpsat.network_total(network, ranges)
            assert game.depot.best_runs(state, company)[0] == best
            compared += 1
    assert compared > 5
