"""Turns of 1835 that computer opponents have to see as a whole: several actions that make sense only
together."""

from __future__ import annotations

import random
from collections.abc import Mapping

from kursbuch.bots import make
from kursbuch.bots.bot import candidates
from kursbuch.core.actions import Action
from kursbuch.core.game import View
from kursbuch.games.g18xx.actions import BuyShare, Dividend, Nationalise, OfferTrain, SellShares
from kursbuch.games.g18xx.g1835 import TITLE
from kursbuch.games.g18xx.state import BuyTrains, EndTurn, NextCompany, Pay
from tests.games.g18xx.g1835.table import Scene, sell_out
from tests.games.g18xx.scene import NAMES


def view(scene: Scene) -> View:
    return View(TITLE, scene.state, scene.position.deciders()[0], tuple(NAMES[: scene.state.seats]))


def chosen(scene: Scene) -> Action:
    return make("greedy", seed=1).choose(view(scene))


def gains(scene: Scene) -> Mapping[Action, float]:
    seen = view(scene)
    assert seen.seat is not None
    actions = candidates(seen.legal_actions(), seen)
    found = TITLE.evaluator.action_values(scene.state, seen.seat, actions)
    assert found is not None
    return dict(zip(actions, found, strict=True))


def sisters() -> Scene:
    """Bavaria and Saxony of one player; a new train costs 360."""
    scene = Scene(3).sold().phase("4")
    scene.shares("BY", A="20P 10 10 10", B="10 10", C="10")
    scene.shares("SX", A="20P 10 10 10", B="10", C="10 10")
    return scene.operating("BY", "SX").tiles("O15:201:3", "N14:8:1", "N12:57:0")


def test_a_first_train_comes_from_a_company_of_the_same_player() -> None:
    """Before he pays from his own pocket."""
    scene = sisters().trains("SX", "3", "3").money(BY=20, SX=100, A=500)
    scene.turn("BY", BuyTrains)
    action = chosen(scene)
    assert isinstance(action, OfferTrain)
    assert action.company == "SX"
    assert action.price <= 20


def test_a_train_about_to_go_brings_a_poor_company_money_for_the_next() -> None:
    """Saxony has a train that rusts with the next one sold, and nothing to pay a new one with; Bavaria
    has money to spare, and the same player leads both."""
    scene = sisters().phase("6").trains("SX", "3").trains("BY", "5").money(BY=900, SX=0, A=100)
    scene.state.round.acted = ["SX"]
    scene.turn("BY", BuyTrains)
    found = gains(scene)
    offers = {each.price: gain for each, gain in found.items() if isinstance(each, OfferTrain)}
    assert max(offers, key=offers.__getitem__) >= 500
    assert max(offers.values()) > 0


def paying(treasury: int, **money: int) -> Scene:
    """Bavaria has earned 80 with a train that rusts with the next one sold."""
    scene = sisters().phase("6").trains("BY", "3").money(BY=treasury, **money)
    scene.state.round.part, scene.state.round.parts = 1, 3
    return scene.on(NextCompany(), EndTurn("BY"), BuyTrains("BY"), Pay("BY", 80))


def test_revenue_is_kept_for_a_train_the_director_would_have_to_pay() -> None:
    assert chosen(paying(100, A=20)) == Dividend(0, False)
    assert chosen(paying(900, A=20)) == Dividend(0, True)


def test_revenue_is_kept_for_a_better_train_at_once() -> None:
    """With it the treasury can pay a train that earns much more."""
    scene = Scene(3).sold().phase("3").shares("BY", A="20P 10 10", B="10", C="10")
    scene.operating("BY").tiles("O15:201:3", "N14:8:1", "N12:57:0")
    scene.money(BY=150, A=20)
    scene.state.round.part, scene.state.round.parts = 1, 2
    scene.on(NextCompany(), EndTurn("BY"), BuyTrains("BY"), Pay("BY", 30))
    assert chosen(scene) == Dividend(0, False)


def trading() -> Scene:
    """Two rounds before the end, so that a share is worth about what it costs: Bavaria has good trains,
    Saxony a dear share and none. A has no money and no room for a further certificate."""
    scene = Scene(3).sold().phase("5")
    scene.shares("BY", B="20P 10 10", C="10 10", pool="10 10").shares(
        "SX", A="10", B="20P 10 10", C="10"
    )
    scene.operating("BY", SX="H4").tiles("O15:201:3", "N14:8:1", "N12:57:0")
    return sell_out(scene, "BY", "SX").trains("BY", "5").money(BY=50, SX=0, A=20, B=0, C=0)


def test_a_share_is_sold_for_a_better_one() -> None:
    scene = trading().stock()
    assert chosen(scene) == SellShares(0, "SX", ("10",))
    scene.position.perform(chosen(scene))
    assert chosen(scene) == BuyShare(0, "BY", "10", "pool")


def test_a_company_without_means_for_a_train_is_left_to_another() -> None:
    """A new train costs 600; Saxony has none and no money, and its director little himself."""
    scene = Scene(3).sold().phase("6").shares("SX", A="20P 10", B="10 10", C="10 10 10")
    scene.operating("SX").money(SX=0, A=300, B=900, C=900).stock()
    action = chosen(scene)
    assert isinstance(action, SellShares)
    scene.position.perform(action)
    assert scene.director("SX") == "C"


def test_what_the_other_player_loses_counts() -> None:
    """A share of another player is worth more to take than the same share would be from the pool at that
    price."""
    scene = Scene(3).sold().phase("5").shares("BY", A="20P 10 10 10 10", B="10 10", C="10 10")
    scene.operating("BY").trains("BY", "5", "5").money(BY=900, A=500, B=0, C=0).stock()
    found = gains(scene)
    taken = next(gain for action, gain in found.items() if isinstance(action, Nationalise))
    alone = TITLE.evaluator.action_values(scene.state, 0, [Nationalise(0, "BY", "10", 1)])
    assert alone is not None
    assert taken == alone[0] > 0


def test_imagined_games_judge_purchases_and_sales_by_themselves() -> None:
    """To judge whole turns would take as long as all the rest of an imagined game."""
    scene = trading().stock()
    actions = candidates(scene.position.legal_actions(0), scene.position)
    policy = TITLE.evaluator.playout_policy(scene.state, random.Random(1))
    assert policy is not None
    quick = policy.action_values(scene.state, 0, actions)
    whole = TITLE.evaluator.action_values(scene.state, 0, actions)
    assert quick is not None
    assert whole is not None
    sale = actions.index(SellShares(0, "SX", ("10",)))
    assert quick[sale] < whole[sale]
