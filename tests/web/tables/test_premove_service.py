"""Moves planned ahead of time are made for whom and when they were planned: without a server, in positions of 1835."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kursbuch.core.actions import Action
from kursbuch.core.game import View
from kursbuch.games.g18xx.actions import BuyTrain, Dividend, Done
from kursbuch.games.g18xx.components import BANK
from kursbuch.games.g18xx.state import Build, BuyTrains, Pay
from kursbuch.web.db.models import Premove
from kursbuch.web.http.errors import Refused
from kursbuch.web.tables import premove_routes
from kursbuch.web.tables.premove_routes import PremoveRequest
from kursbuch.web.tables.premoves import Act, Ending, PassUntil, Plan, PremoveQueue, read_plan
from tests.games.g18xx.g1835.table import Scene
from tests.games.g18xx.g1835.test_trains import companies
from tests.games.g18xx.scene import NAMES

FIRST_TRAIN = BuyTrain(0, "2", BANK)


def at(company: str, **money: int) -> Scene:
    """Player A has Bavaria and Hessen; one of them may buy trains."""
    return companies().money(**money).turn(company, BuyTrains)


def fixed(scene: Scene, action: Action, **fields: Any) -> Premove:
    """What player A plans there."""
    wanted = PremoveRequest("act", action=scene.title.action_to_json(action), **fields)
    return row(premove_routes.as_plan(viewed(scene), wanted))


def viewed(scene: Scene) -> View:
    """The scene as player A sees it."""
    return View(scene.title, scene.title.view(scene.state, 0), 0, tuple(NAMES[:4]))


def row(plan: Plan) -> Premove:
    return Premove(seat=0, plan=msgspec.to_builtins(plan), dropped="")


def due(scene: Scene, *rows: Premove) -> Action | None:
    """What is made of that there."""
    planned = PremoveQueue(rows)
    planned.hear(scene.position, [])
    found = planned.next(scene.position, [0])
    return None if found is None else found[0]


def test_what_is_fixed_for_one_company_is_not_done_by_another() -> None:
    buy = fixed(at("BY"), FIRST_TRAIN, step="buy-trains", subject="HE", otherwise="pass")
    plan = read_plan(buy.plan)
    assert isinstance(plan, Act)
    assert (plan.subject, plan.later) == ("HE", True)
    assert isinstance(plan.label, dict)
    assert "HE" in plan.label["en"].partition(":")[0]
    assert due(at("BY"), buy) is None
    # Nor is it dropped, or passed, because the other one cannot do it.
    assert due(at("BY", BY=0), buy) is None
    assert not buy.dropped
    assert due(at("HE"), buy) == FIRST_TRAIN


def test_passing_for_one_company_does_not_pass_for_another() -> None:
    def building(company: str) -> Scene:
        return companies().turn(company, Build)

    wanted = PremoveRequest("pass", step="build", subject="HE", until="phase")
    passes = row(premove_routes.as_plan(viewed(building("BY")), wanted))
    assert due(building("BY"), passes) is None
    assert due(building("HE"), passes) == Done(0)
    # Those of before the companies were told apart pass for all.
    assert due(building("BY"), row(PassUntil("build", "phase"))) == Done(0)


def routine(scene: Scene, company: str = "BY") -> Premove:
    """Player A lets the turns of a company run by themselves."""
    wanted = PremoveRequest("routine", subject=company)
    return row(premove_routes.as_plan(viewed(scene), wanted))


def test_turns_run_by_themselves_until_something_changes() -> None:
    def turn(step: Any = Build) -> Scene:
        return companies().trains("BY", "2").turn("BY", step)

    runs = routine(turn())
    assert due(turn(), runs) == Done(0)
    assert due(turn(BuyTrains), runs) == Done(0)
    paying = turn()
    paying.state.agenda[-1] = Pay("BY", 50)
    assert due(paying, runs) == Dividend(0, True)
    # Other companies are asked about.
    assert due(companies().turn("HE", Build), runs) is None
    # A train more: the director decides again.
    assert due(turn().trains("BY", "2", "3"), runs) is None
    assert runs.dropped == "happened"


def test_only_own_companies_run_by_themselves() -> None:
    with pytest.raises(Refused):
        routine(companies().turn("BY", Build), "SX")


def test_a_company_without_a_train_is_asked_where_it_must_buy_one() -> None:
    scene = companies().money(BY=500).turn("BY", BuyTrains)
    must = scene.position.problem(Done(0)) is not None
    found = due(scene, routine(scene))
    assert found == (None if must else Done(0))


def test_the_turn_of_another_company_is_not_ended() -> None:
    buy = fixed(at("BY"), FIRST_TRAIN, step="buy-trains", subject="BY", ends=True)
    assert due(at("BY"), buy) == FIRST_TRAIN
    assert read_plan(buy.plan) == Ending("buy-trains", "BY")
    scene, planned = at("HE"), PremoveQueue([buy])
    planned.hear(scene.position, [])
    assert planned.next(scene.position, [0]) is None
    assert planned.gone == [buy]


def test_what_is_fixed_for_the_next_turn_is_not_done_in_this_one() -> None:
    def stock(player: str) -> Scene:
        return Scene().shares("BY", A="20P 10 10 10").sold().operating("BY").stock(player)

    sell = stock("A").read("A sells BY 10")
    later = fixed(stock("A"), sell, step="stock-turn", later=True)
    now = fixed(stock("A"), sell, step="stock-turn")
    assert due(stock("A"), now) == sell
    assert due(stock("A"), later) is None
    # It may come as soon as someone else has had a turn.
    assert due(stock("B"), later) is None
    assert due(stock("A"), later) == sell


def test_a_train_is_not_bought_with_money_that_was_not_spoken_of() -> None:
    buy = fixed(at("BY"), FIRST_TRAIN, step="buy-trains")
    assert due(at("BY", BY=10), buy) is None
    assert buy.dropped == "changed"
    # Where the director was to add something, he adds as much.
    adds = fixed(at("BY", BY=10), FIRST_TRAIN, step="buy-trains")
    assert due(at("BY", BY=10), adds) == FIRST_TRAIN
    again = fixed(at("BY", BY=10), FIRST_TRAIN, step="buy-trains")
    assert due(at("BY", BY=0), again) is None
