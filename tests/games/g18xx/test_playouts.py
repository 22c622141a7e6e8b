"""Imagined games are as they would be without short cuts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

import kursbuch
from kursbuch.bots.playouts import reply
from kursbuch.core.game import Game
from kursbuch.core.position import Position
from kursbuch.games.g18xx.actions import LayTile
from kursbuch.games.g18xx.evaluation import EighteenEvaluator
from kursbuch.games.g18xx.g1853.action_values import TrainValues
from kursbuch.games.g18xx.map.networks import PER_HEX
from kursbuch.games.g18xx.map.revenue import Obligation, best_runs, earnings
from kursbuch.games.g18xx.rules.track_step import BuildRules
from kursbuch.games.g18xx.state import Build

TITLES = ("1835", "1853")


@pytest.fixture(autouse=True)
def _short_packet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kursbuch.games.g18xx.g1835.ai.MAX_POSITIONS", 50)


def imagined(title: str, seed: int, *, recorded: bool = True) -> Iterator[Position[Any]]:
    """An imagined game, decision by decision."""
    game = Game(kursbuch.title(title), list("ABCD"), seed=str(seed))
    rng = random.Random(seed)
    position = game.view(game.pending[0].seat).determinize(rng)
    position.recorded = recorded
    evaluator = position.title.evaluator
    assert isinstance(evaluator, EighteenEvaluator)
    policy = evaluator.playout_policy(position.state, rng)
    while not position.over:
        yield position
        position.perform(reply(position, position.deciders()[0], policy))
    yield position


def last(title: str, seed: int, *, recorded: bool) -> bytes:
    """The end of an imagined game."""
    *_, position = imagined(title, seed, recorded=recorded)
    return position.title.encode(position.state)


@pytest.mark.parametrize("title", TITLES)
def test_events_change_nothing(title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    end = last(title, 3, recorded=False)
    # Without events neither runs nor, in 1853, revenue to withhold are looked for.
    monkeypatch.setattr(TrainValues, "surely_pays", lambda self: False)
    assert last(title, 3, recorded=True) == end


@pytest.mark.parametrize("title", TITLES)
def test_earnings_are_those_of_the_best_runs(title: str) -> None:
    rng = random.Random(1)
    compared = 0
    for number, position in enumerate(imagined(title, 1)):
        if number % 40 or position.over:
            continue
        ruleset: Any = position.title.ruleset  # type: ignore[attr-defined]
        components = ruleset.components
        track = ruleset.position(position.state)
        for company in sorted({one.company for one in position.state.layout.stations}):
            network = track.network(company)
            if not network.stops:
                continue
            trains = rng.choices(list(components.train_records), k=rng.randint(1, 3))
            place, stop = divmod(rng.choice(network.stops), PER_HEX)
            duty = Obligation(components.board.names[place], rng.choice((-1, stop)))
            for duties in ((), (duty,)):
                demands = tuple(each.demand(track, network) for each in duties)
                for aim in ("pay", "save"):
                    best = best_runs(
                        components, track, company, trains, mail=True, aim=aim, duties=duties
                    )
                    found = earnings(components, network, trains, aim, demands)
                    assert tuple(found) == (best.revenue, best.mail)
                    assert bool(best.runs) == (best.total() > 0)
                best = best_runs(components, track, company, trains, duties=duties)
                assert tuple(earnings(components, network, trains, None, demands)) == (
                    best.revenue,
                    0,
                )
            compared += 1
    assert compared > 20


@pytest.mark.parametrize("title", TITLES)
def test_a_tile_is_legal_if_it_is_not_refused(title: str) -> None:
    rng = random.Random(2)
    found = {True: 0, False: 0}
    for position in imagined(title, 2):
        step = position.state.agenda[-1] if position.state.agenda else None
        if not isinstance(step, Build) or rng.random() < 0.9:
            continue
        rules = position.top()[1]
        ruleset: Any = position.title.ruleset  # type: ignore[attr-defined]
        build, board = BuildRules(ruleset), ruleset.components.board
        seat = position.deciders()[0]
        legal = [
            choice.action
            for choice in rules.choices(position.state, step, seat)
            if isinstance(choice.action, LayTile) and not choice.action.private
        ]
        others = [
            LayTile(seat, rng.choice(board.names), rng.choice(list(board.tiles)), rng.randrange(6))
            for _ in range(20)
        ]
        for free in (True, False):
            state = msgspec.structs.replace(
                position.state, house=msgspec.structs.replace(position.state.house, free_track=free)
            )
            for action in (*rng.sample(legal, min(5, len(legal))), *others):
                why = build.tile_problem(state, step, action)
                refused = why is not None
                assert build.is_legal(state, step, action) != refused, (free, str(why))
                found[refused] += 1
    assert min(found.values()) > 20
