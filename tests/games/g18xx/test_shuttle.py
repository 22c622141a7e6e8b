"""The shared rules without 1835: the toy title of docs/adding-an-18xx.md plays to its end, and shows what
the values of a policy and the parts of a book change."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kursbuch import bots
from kursbuch.core import record
from kursbuch.core.game import Game
from kursbuch.games.g18xx.actions import Answer, BuyTrain, Dividend, LayTile, OfferTrain
from kursbuch.games.g18xx.components import PLAYERS, POOL, STACK
from kursbuch.games.g18xx.map.track import Laid, Layout, Station
from kursbuch.games.g18xx.ruleset import Ruleset
from kursbuch.games.g18xx.state import Build, BuyTrains, EndStockRound, Pay, PlaceToken, StockTurn
from tests import documented
from tests.games.g18xx.citations import family_names
from tests.games.g18xx.toy import (
    ENGLISH,
    begun,
    buy,
    everything,
    new,
    play,
    ruleset,
    say,
    with_policy,
)

# ---- the document


def test_the_test_of_the_document_passes(tmp_path: Path) -> None:
    documented.write("adding-an-18xx.md", tmp_path)
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-W", "ignore", "-o", "markers=rule(id)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 passed" in ran.stdout, ran.stdout + ran.stderr


def test_every_name_is_stated_or_never_comes_up(
    shuttle: ModuleType,
) -> None:
    index = shuttle.TITLE.rules
    stated, unstated = set(index.stated), set(index.game.unstated)
    assert family_names() <= stated | unstated
    assert not stated & unstated


def test_a_part_is_replaced(shuttle: ModuleType) -> None:
    from shuttle.cheap import CheapBuilder  # type: ignore[import-not-found]

    components = shuttle.TITLE.ruleset.components
    cheap: Ruleset[Any] = Ruleset(components, shuttle.POLICY, builder=CheapBuilder)
    state = new(shuttle.TITLE).state
    assert cheap.builder.station_cost(state, "N", "B6") == 40
    assert shuttle.TITLE.ruleset.builder.station_cost(state, "N", "B6") == 60


def test_a_step_is_added(shuttle: ModuleType) -> None:
    from shuttle.bonus import BonusShuttle  # type: ignore[import-not-found]

    game = begun(BonusShuttle())
    before = ruleset(game).money(game.state, "N")
    say(game, "Anna lays 8 on B2 turned 4", "Anna lays 4 on B4 turned 0", "Anna is done")
    assert ruleset(game).money(game.state, "N") == before + 10
    sentences = [game.title.voice(ENGLISH).describe(event) for _, event in game.events()]
    assert "N gets £10 for its way to the town." in sentences
    assert record.read(game.record(), lambda _: game.title).moves == game.moves


# ---- whole games


@pytest.mark.parametrize("seed", range(12))
def test_random_games_come_to_their_end(shuttle: ModuleType, seed: int) -> None:
    rng = random.Random(seed)
    game = new(shuttle.TITLE, rng.choice((2, 3)))
    pieces = everything(game.position)
    while not game.over:
        seat = game.pending[0].seat
        choices = game.legal_actions(seat)
        choice = rng.choice(choices)
        action = choice.action if choice.amount is None else choice.with_amount(choice.amount.low)
        assert game.parse(game.format(action)) == action
        events = game.apply(action)
        assert all(event.rule in shuttle.TITLE.rules for event in events)
        assert everything(game.position) == pieces
        assert len(game.moves) < 3000
    assert game.result is not None
    assert record.read(game.record(), lambda _: shuttle.TITLE).state == game.state


def test_opponents_play_it_and_everything_is_said(shuttle: ModuleType) -> None:
    game = new(shuttle.TITLE)
    voice = shuttle.TITLE.voice(ENGLISH)
    greedy = bots.make("greedy", seed=1)
    kinds = set()
    while not game.over:
        decision = game.pending[0]
        assert voice.prompt(game.state, decision)
        for choice in game.legal_actions(decision.seat)[:5]:
            assert voice.pick(game.state, choice.action).label
        kinds.add(decision.step)
        game.apply(greedy.choose(game.view(decision.seat)))
    assert all(voice.describe(event) for _, event in game.events())
    assert voice.panels(game.state)
    assert voice.tables(game.state)
    assert "South" in shuttle.TITLE.draw(game.state, ENGLISH)
    assert {"stock-turn", "build", "pay", "buy-trains"} <= kinds


# ---- the policy


@pytest.mark.parametrize(("capital", "treasury"), [("all", 600), ("sold", 300)])
def test_capital(shuttle: ModuleType, capital: str, treasury: int) -> None:
    game = begun(with_policy(shuttle, capital=capital))
    assert ruleset(game).money(game.state, "N") == treasury


@pytest.mark.parametrize(("receiver", "gets"), [("bank", 0), ("company", 60)])
def test_later_shares(shuttle: ModuleType, receiver: str, gets: int) -> None:
    game = new(with_policy(shuttle, later_shares=receiver))
    buy(game, "Anna N 20P", "Bernd S 20P", "Anna N 10", "Bernd S 10", "Anna N 10", "Bernd S 10")
    buy(game, "Anna N 10", "Bernd S 10")
    before = ruleset(game).money(game.state, "N")
    buy(game, "Anna N 10")
    assert ruleset(game).money(game.state, "N") - before == gets


def test_float_percent(shuttle: ModuleType) -> None:
    game = new(with_policy(shuttle, float_percent=30))
    buy(game, "Anna N 20P", "Bernd")
    assert not game.state.companies["N"].operating
    say(game, "Anna buys N 10")
    assert game.state.companies["N"].operating
    assert Station("N", "A1", 0) in game.state.layout.stations


@pytest.mark.parametrize(("ties", "director"), [("longest", 2), ("left", 1)])
def test_ties_for_director(shuttle: ModuleType, ties: str, director: int) -> None:
    """Anna sells below two others with equally many; Clara has held shares longer than Bernd."""
    game = new(with_policy(shuttle, ties=ties), 3)
    state, control = game.state, ruleset(game).control
    ledger = state.ledger
    ledger.move("N:20P", STACK, PLAYERS[0])
    ledger.move("N:20", STACK, PLAYERS[0])
    ledger.move("N:10", STACK, PLAYERS[2], 3)
    control.settle_director(play(game), "N")
    ledger.move("N:10", STACK, PLAYERS[1])
    ledger.move("N:20", STACK, PLAYERS[1])
    control.settle_director(play(game), "N")
    assert control.director(state, "N") == 0
    ledger.move("N:20", PLAYERS[0], POOL)
    control.settle_director(play(game), "N")
    assert control.director(state, "N") == director


def test_an_answer_may_be_written_in_capitals(shuttle: ModuleType) -> None:
    assert new(shuttle.TITLE).parse("Anna ACCEPTS") == Answer(0, True)


def test_the_first_to_the_left_of_the_first_player(shuttle: ModuleType) -> None:
    game = new(with_policy(shuttle, ties="left"), 3)
    game.state.priority = 2
    assert ruleset(game).control.in_line(game.state, "N", 0) == [1, 2, 0]
    assert ruleset(game).control.in_line(game.state, "N", None) == [2, 0, 1]


def test_a_purchase_gives_everybody_another_turn(shuttle: ModuleType) -> None:
    game = new(shuttle.TITLE)
    buy(game, "Anna", "Bernd S 20P", "Anna N 20P", "Bernd")
    assert game.state.agenda[-1] == StockTurn(0, asked=True)


def test_who_sells_all_shares_stands_behind_those_who_have_kept_some(shuttle: ModuleType) -> None:
    game = new(shuttle.TITLE, 3)
    state, control, ledger = game.state, ruleset(game).control, game.state.ledger
    for seat in (0, 1, 2):
        ledger.move("N:10", STACK, PLAYERS[seat])
        control.settle_director(play(game), "N")
    assert control.in_line(state, "N", -1) == [0, 1, 2]
    ledger.move("N:10", PLAYERS[0], POOL)
    control.settle_director(play(game), "N")
    ledger.move("N:10", POOL, PLAYERS[0])
    control.settle_director(play(game), "N")
    assert control.in_line(state, "N", -1) == [1, 2, 0]


def test_who_sells_the_directors_certificate_with_all_else_stands_behind(
    shuttle: ModuleType,
) -> None:
    game = worked(begun(shuttle.TITLE), "N")
    state, control = game.state, ruleset(game).control
    state.ledger.move("N:10", PLAYERS[0], STACK)
    state.ledger.move("N:10", PLAYERS[0], PLAYERS[1], 2)
    control.settle_director(play(game), "N")
    assert control.in_line(state, "N", None) == [0, 1]
    ruleset(game).shares.carry_out_sale(play(game), 0, "N", ("20P",))
    game.position.run(play(game))
    assert control.director(state, "N") == 1
    assert control.in_line(state, "N", None) == [1]


@pytest.mark.parametrize(("order", "first"), [("data", "N"), ("price", "S")])
def test_order(shuttle: ModuleType, order: str, first: str) -> None:
    game = begun(with_policy(shuttle, order=order))
    step = game.state.agenda[-1]
    assert isinstance(step, Build)
    assert step.company == first


@pytest.mark.parametrize("order", ["data", "price"])
def test_who_is_not_in_operation_has_no_turn(shuttle: ModuleType, order: str) -> None:
    game = begun(with_policy(shuttle, order=order))
    game.state.companies["S"].operating = False
    assert ruleset(game).control.order(game.state) == ["N"]


def worked(game: Game, *companies: str) -> Game:
    for company in companies:
        game.state.companies[company].worked = True
    return game


@pytest.mark.parametrize(("lowers", "cell"), [(True, "B2"), (False, "B1")])
def test_a_sale_and_the_price(shuttle: ModuleType, lowers: bool, cell: str) -> None:
    game = worked(begun(with_policy(shuttle, sale_lowers_price=lowers)), "N")
    game.state.agenda.append(StockTurn(0, asked=True))
    game.state.round.part = 0
    game.state.round.sold = [[], []]
    say(game, "Anna sells N 10")
    assert game.state.companies["N"].cell == cell


def test_the_pool_takes_what_the_policy_says(shuttle: ModuleType) -> None:
    for limit, allowed in ((50, 1), (10, 0)):
        game = worked(begun(with_policy(shuttle, pool_limit=limit)), "N")
        game.state.ledger.move("N:10", STACK, POOL)
        game.state.agenda.append(StockTurn(0, asked=True))
        game.state.round.part = 0
        game.state.round.sold = [[], []]
        problem = game.position.problem(game.parse("Anna sells N 10"))
        assert (problem is None) == bool(allowed)
        if problem is not None:
            assert problem.reference == "shuttle:shares-3"


@pytest.mark.parametrize(("raises", "cell"), [(True, "B1"), (False, "B2")])
def test_sold_out_companies(shuttle: ModuleType, raises: bool, cell: str) -> None:
    game = begun(with_policy(shuttle, sold_out_raises_price=raises))
    state = game.state
    ruleset(game).market.move_price(play(game), "N", "B2", "sold", "sale")
    for name, count in ruleset(game).certificates(state, STACK, "N").items():
        state.ledger.move(f"N:{name}", STACK, PLAYERS[0], count)
    state.agenda.append(EndStockRound())
    game.position.run(play(game))
    assert state.companies["N"].cell == cell


@pytest.mark.parametrize(("earns", "treasury"), [("bank", 0), ("company", 8)])
def test_the_dividend_of_the_pool(shuttle: ModuleType, earns: str, treasury: int) -> None:
    game = begun(with_policy(shuttle, pool_earns=earns))
    state = game.state
    state.ledger.move("N:10", STACK, POOL)
    before = ruleset(game).money(state, "N")
    state.agenda.append(Pay("N", 80))
    say(game, "Anna pays out")
    assert ruleset(game).money(state, "N") - before == treasury
    assert state.companies["N"].cell == "C1"


@pytest.mark.parametrize("duty", [True, False])
def test_train_duty(shuttle: ModuleType, duty: bool) -> None:
    game = begun(with_policy(shuttle, train_duty=duty))
    game.state.agenda.append(BuyTrains("N"))
    game.position.run(play(game))
    problem = game.position.problem(game.parse("Anna is done"))
    assert (problem is not None) == duty
    if problem is not None:
        assert problem.reference == "shuttle:trains-1"


@pytest.mark.parametrize(("least", "asked"), [(10, 10), (1, 1)])
def test_least_price_between_companies(shuttle: ModuleType, least: int, asked: int) -> None:
    game = begun(with_policy(shuttle, least_price=least))
    state = game.state
    state.phase = 1
    state.ledger.move("train:2", STACK, "S")
    state.agenda.append(BuyTrains("N", asked=True))
    offers = [c for c in game.legal_actions(0) if isinstance(c.action, OfferTrain)]
    assert [(one.amount.low if one.amount else None) for one in offers] == [asked]
    problem = game.position.problem(OfferTrain(0, "S", "2", least - 1))
    assert problem is not None
    assert problem.reference == "shuttle:trains-1"


def test_room_for_one_more_certificate(shuttle: ModuleType) -> None:
    for room, more in ((0, 0), (40, 1)):
        game = begun(with_policy(shuttle, room_from=room))
        limit = ruleset(game).shares.certificate_limit(game.state, 0)
        assert limit - 10 == more


def test_the_turn_is_the_list_of_the_policy(shuttle: ModuleType) -> None:
    game = begun(with_policy(shuttle, turn=(PlaceToken, BuyTrains)))
    assert isinstance(game.state.agenda[-1], BuyTrains), "no marker can be placed yet"


# ---- homes, gauges, offers


def test_a_company_may_have_several_homes(shuttle: ModuleType) -> None:
    components = shuttle.TITLE.ruleset.components
    homes = components.homes
    try:
        components.homes = {**homes, "N": (*homes["N"], *homes["S"])}
        components.at_home["B6"].append("N")
        game = new(shuttle.TITLE)
        buy(game, "Anna N 20P", "Bernd S 20P", "Anna N 10", "Bernd")
        assert ruleset(game).builder.reserved(game.state, "B6", 0) == "space-reserved"
        buy(game, "Anna N 10", "Bernd", "Anna N 10")
        found = {(one.company, one.hex) for one in game.state.layout.stations}
        assert found == {("N", "A1"), ("N", "B6")}
        assert ruleset(game).builder.station_cost(game.state, "N", "B6") == 0
    finally:
        components.homes = homes
        components.at_home["B6"].remove("N")


def test_a_route_is_built_and_run(shuttle: ModuleType) -> None:
    """From North over A3 and A5 to South: three tiles, then a train has something to run on."""
    game = begun(shuttle.TITLE)
    state = game.state
    assert {a.action.hex for a in game.legal_actions(0) if isinstance(a.action, LayTile)} == {
        "A3",
        "B2",
    }
    state.layout = Layout({"A3": Laid("9", 0), "A5": Laid("8", 1)}, state.layout.stations)
    state.ledger.move("train:2", STACK, "N")
    assert ruleset(game).depot.best_runs(state, "N").revenue == 70
    assert ruleset(game).depot.best_runs(state, "S").revenue == 0, "it has no train"


def test_two_steps_of_one_company_follow_each_other(shuttle: ModuleType) -> None:
    game = begun(shuttle.TITLE)
    say(game, "Anna lays 9 on A3 turned 0", "Anna is done")
    assert game.pending[0].step == "buy-trains", "no marker can be placed and no train runs"
    say(game, "Anna buys train 2", "Anna is done")
    step = game.state.agenda[-1]
    assert isinstance(step, Build)
    assert step.company == "S"


def test_actions_of_other_moments_name_a_rule_or_say_what_is_asked(shuttle: ModuleType) -> None:
    game = begun(shuttle.TITLE)
    early = game.position.problem(BuyTrain(0, "2"))
    assert early is not None
    assert early.reference == "shuttle:track-1"
    out_of_turn = game.position.problem(Dividend(1, True))
    assert out_of_turn is not None
    assert out_of_turn.reference == "shuttle:turn-1"
