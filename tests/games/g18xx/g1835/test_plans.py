"""Plans of 1835: several actions with one purpose, as opponents compare them and hints name them."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

import kursbuch
from kursbuch.bots import advise, make
from kursbuch.bots.bot import candidates
from kursbuch.bots.playouts import follow
from kursbuch.core.actions import Action
from kursbuch.core.evaluator import Plan
from kursbuch.core.words import Words
from kursbuch.games.g18xx.actions import (
    Answer,
    BuyPaper,
    BuyShare,
    BuyTrain,
    Dividend,
    Done,
    Nationalise,
    OfferTrain,
    SellShares,
)
from kursbuch.games.g18xx.g1835 import TITLE
from kursbuch.games.g18xx.plans import (
    Sale,
    SaleForPurchase,
    SaleForTaking,
    SavedForTrain,
    TrainFromCompany,
)
from kursbuch.games.g18xx.state import BuyTrains, EndTurn, NextCompany, Pay
from tests.games.g18xx.g1835.table import Scene
from tests.games.g18xx.g1835.test_turns import sisters, trading, view
from tests.games.g18xx.scene import NAMES

SALE = SellShares(0, "SX", ("10",))


def gains(scene: Scene) -> Mapping[Action, float]:
    seen = view(scene)
    assert seen.seat is not None
    actions = candidates(seen.legal_actions(), seen)
    found = TITLE.evaluator.action_values(scene.state, seen.seat, actions)
    assert found is not None
    return dict(zip(actions, found, strict=True))


def plans(scene: Scene) -> list[Plan]:
    seat = scene.position.deciders()[0]
    found = TITLE.evaluator.plans(scene.state, seat, gains(scene))
    assert found is not None
    return list(found)


@pytest.mark.parametrize(
    ("plan", "english", "german"),
    [
        (Plan((Done(0),)), "", ""),
        (Sale((SALE,)), "Sell 10\u202f% of SX.", "10\u202f% von SX verkaufen."),
        (
            SaleForPurchase((SALE, BuyShare(0, "BA", "20P", "stack"))),
            "Sell 10\u202f% of SX to buy 20\u202f% (director) of BA.",
            "10\u202f% von SX verkaufen, um 20\u202f% (Direktor) von BA zu kaufen.",
        ),
        (
            SaleForTaking((SALE, Nationalise(0, "BY", "10", 1))),
            "Sell 10\u202f% of SX to take 10\u202f% of BY from B.",
            "10\u202f% von SX verkaufen, um B 10\u202f% von BY abzunehmen.",
        ),
        (
            SavedForTrain((Dividend(0, False), BuyTrain(0, "6"))),
            "Withhold the revenue to buy a 6-train with it.",
            "Das Einfahrergebnis einbehalten, um damit eine 6er-Lok zu kaufen.",
        ),
        (
            TrainFromCompany((OfferTrain(0, "SX", "3", 120),)),
            "Buy the 3-train of SX for 120 M.",
            "Die 3er-Lok von SX für 120 M kaufen.",
        ),
    ],
)
def test_plans_are_said_in_both_languages(plan: Plan, english: str, german: str) -> None:
    for language, sentence in (("en", english), ("de", german)):
        said = TITLE.voice(Words(language, NAMES)).plan(plan)
        assert said.replace("\N{NO-BREAK SPACE}", " ").replace("\u202f", " ") == sentence.replace(
            "\u202f", " "
        )


def test_a_sale_is_one_plan_with_the_purchase_it_pays_for() -> None:
    scene = trading().stock()
    found = plans(scene)
    assert SaleForPurchase((SALE, BuyShare(0, "BY", "10", "pool"))) in found
    advice = advise(view(scene), "greedy", 1)
    assert advice.plan["en"].startswith("Sell 10")
    assert " of SX to buy 10" in advice.plan["en"]
    for plan in found:
        after = scene.position.clone()
        policy = TITLE.evaluator.playout_policy(after.state, random.Random(1))
        assert policy is not None
        assert follow(after, plan, policy)


def test_revenue_is_withheld_for_the_train_it_makes_affordable() -> None:
    scene = sisters().phase("6").trains("BY", "3").money(BY=560, A=20)
    scene.state.round.part, scene.state.round.parts = 1, 3
    scene.on(NextCompany(), EndTurn("BY"), BuyTrains("BY"), Pay("BY", 80))
    saved = [plan for plan in plans(scene) if isinstance(plan, SavedForTrain)]
    assert [plan.bought for plan in saved] == ["6"]
    policy = TITLE.evaluator.playout_policy(scene.state, random.Random(1))
    assert policy is not None
    assert follow(scene.position, saved[0], policy)
    assert "6" in TITLE.ruleset.trains(scene.state, "BY")


def strangers() -> Scene:
    """Bavaria of A lacks a train, Saxony of B has two; a new one costs 360."""
    scene = Scene(3).sold().phase("4")
    scene.shares("BY", A="20P 10 10 10", C="10").shares("SX", B="20P 10 10 10", C="10")
    scene.operating("BY", "SX").tiles("O15:201:3", "N14:8:1", "N12:57:0")
    return scene.trains("SX", "3", "3").money(BY=60, SX=0, A=500)


def test_a_train_of_another_player_is_asked_for_at_what_it_is_worth_to_the_owner() -> None:
    """The owner accepts, for its own interest."""
    scene = strangers().turn("BY", BuyTrains)
    (plan,) = [plan for plan in plans(scene) if isinstance(plan, TrainFromCompany)]
    scene.position.perform(plan.first)
    assert scene.position.deciders() == (1,)
    assert make("greedy", seed=1).choose(view(scene)) == Answer(1, True)


def test_no_train_is_asked_for_that_would_never_run() -> None:
    """In the last operating round nothing follows an offer."""
    scene = sisters().phase("4").trains("BY", "2+2").trains("SX", "3", "3").money(BY=500, A=500)
    assert any(isinstance(plan, TrainFromCompany) for plan in plans(scene.turn("BY", BuyTrains)))
    scene.state.broken = "operating"
    scene.state.round.part = scene.state.round.parts = 1
    assert not any(isinstance(plan, TrainFromCompany) for plan in plans(scene))
    found = gains(scene)
    assert all(gain < 0 for action, gain in found.items() if isinstance(action, OfferTrain))
    assert not isinstance(make("greedy", seed=1).choose(view(scene)), OfferTrain)


def test_papers_of_the_start_packet_are_plans() -> None:
    """A pass is one as well, but not where all would wait for each other."""
    game = kursbuch.new("1835", list(NAMES[:4]), seed="plans")
    passes = []
    for _ in range(4):
        seat = game.pending[0].seat
        seen = game.view(seat)
        actions = candidates(seen.legal_actions(), seen)
        judged = TITLE.evaluator.action_values(game.state, seat, actions)
        assert judged is not None
        found = TITLE.evaluator.plans(game.state, seat, dict(zip(actions, judged, strict=True)))
        assert found is not None
        first = [plan.first for plan in found]
        passes.append(Done(seat) in first)
        assert 1 <= sum(isinstance(action, BuyPaper) for action in first) <= 4
        game.apply(next(action for action in first if isinstance(action, BuyPaper)))
    assert True in passes
    assert False in passes


def test_the_start_packet_is_searched_alike_with_the_same_seed() -> None:
    game = kursbuch.new("1835", list(NAMES[:4]), seed="search")
    seen = game.view(game.pending[0].seat)
    first, again = (make("mcts:4", seed=3).choose(seen) for _ in range(2))
    assert isinstance(first, BuyPaper)
    assert first == again
