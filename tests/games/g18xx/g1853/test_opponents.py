"""Computer opponents of 1853: what they find good, what they cannot know, and that they finish games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

import kursbuch
from kursbuch.bots import make
from kursbuch.bots.bot import candidates, worthwhile
from kursbuch.bots.playouts import play_out, reply
from kursbuch.core.actions import Action
from kursbuch.core.evaluator import Plan, PlayoutPolicy
from kursbuch.core.game import Game, View
from kursbuch.core.position import Position
from kursbuch.games.g18xx.actions import (
    Answer,
    BuyShare,
    BuyTrain,
    Dividend,
    Done,
    LayTile,
    SellShares,
)
from kursbuch.games.g18xx.evaluation import tracks
from kursbuch.games.g18xx.g1853 import TITLE, contracts
from kursbuch.games.g18xx.g1853.action_values import SALE_COST, ShareValues, TrainValues
from kursbuch.games.g18xx.g1853.actions import OrderRound, Redeem, WriteBond, WriteCity
from kursbuch.games.g18xx.g1853.ai import BEST_MORE, Bids, Evaluator1853
from kursbuch.games.g18xx.g1853.estimates import TREASURY_PART
from kursbuch.games.g18xx.g1853.state import (
    BidTurn,
    ElephantOffer,
    ExtraRound,
    SellElephant,
    State1853,
)
from kursbuch.games.g18xx.state import Build, BuyTrains, Run
from tests.games.g18xx.g1853.land import land
from tests.games.g18xx.g1853.table import Scene, sell_out
from tests.games.g18xx.scene import NAMES


def view(scene: Scene) -> View:
    return View(TITLE, scene.state, scene.position.deciders()[0], tuple(NAMES[: scene.state.seats]))


def choice(scene: Scene) -> Action:
    return make("greedy", seed=1).choose(view(scene))


def bid(players: int, seed: str, **options: str) -> Game:
    """A game in which greedy opponents have written their contracts."""
    game = kursbuch.new("1853", list(NAMES[:players]), seed=seed, options=options)
    bots = [make("greedy", seed=seat) for seat in range(players)]
    while not all(contract.complete for contract in game.state.contracts):
        seat = game.pending[0].seat
        game.apply(bots[seat].choose(game.view(seat)))
    return game


def judged(state: State1853, seat: int, actions: Sequence[Action]) -> list[float]:
    """What actions gain by the judgement itself."""
    found = TITLE.evaluator.action_values(state, seat, actions)
    assert found is not None
    return list(found)


# ---- contracts


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_contracts_are_legal_near_and_of_few_companies(players: int) -> None:
    game = bid(players, "near")
    state, components = game.state, TITLE.ruleset.components
    row = components.players[players]
    evaluator = TITLE.evaluator
    assert isinstance(evaluator, Evaluator1853)
    for contract in state.contracts:
        assert contracts.legal(components, players, contract)
        assert contract.bond == row.least_bond + BEST_MORE
        distances = evaluator.lists.distances
        assert evaluator.ways.tree(distances, sorted(contract.cities)) < 6 * row.min_cities
    companies = {company for contract in state.contracts for company in contract.companies}
    assert len(companies) <= players // 2 + 1


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_contracts_leave_money_for_the_shares_with_which_companies_begin(players: int) -> None:
    game = bid(players, "bond")
    state = game.state
    needed = TITLE.ruleset.components.players[players].float_percent // 10
    taken = Counter(company for contract in state.contracts for company in contract.companies)
    company, count = taken.most_common(1)[0]
    money = sum(
        TITLE.ruleset.cash(state, seat)
        for seat in range(players)
        if company in state.contracts[seat].companies
    )
    assert money >= (needed - count) * TITLE.ruleset.public[company].par


def test_shares_that_run_out_first_are_taken_first() -> None:
    """Four players share them equally, so the first in the order has no better contract."""
    for seed in ("one", "two"):
        contracts = bid(4, seed).state.contracts
        assert {contract.companies[0] for contract in contracts} == {"NWR"}
        assert len({tuple(sorted(contract.companies)) for contract in contracts}) == 1


def test_every_bond_and_every_list_can_be_judged() -> None:
    """Also what only people write: a bond above all plans; where contracts may be illegal, a city twice."""
    game = kursbuch.new("1853", list(NAMES[:3]), seed="1")
    seat = game.pending[0].seat
    (bond,) = game.legal_actions(seat)
    assert bond.amount is not None
    high = bond.with_amount(bond.amount.high)
    assert len(judged(game.state, seat, [high])) == 1
    game = kursbuch.new("1853", list(NAMES[:3]), seed="1", options={"illegal-contracts": "on"})
    written: dict[int, Action] = {}
    twice = False
    while not twice:
        seat = game.pending[0].seat
        first = game.legal_actions(seat)[0]
        action = first.action if first.amount is None else first.with_amount(first.amount.low)
        if isinstance(action, WriteCity):
            twice = seat in written
            action = written.setdefault(seat, action)
        game.apply(action)
    offered = [each.action for each in game.legal_actions(seat)]
    assert len(judged(game.state, seat, offered)) == len(offered)


@pytest.mark.parametrize("players", [3, 4])
def test_lists_are_legal_also_where_they_need_not_be(players: int) -> None:
    """Cities that can never be a legal list are no plan, however near they are; nor is passing too early."""
    game = bid(players, "b", **{"illegal-contracts": "on"})
    components = TITLE.ruleset.components
    for contract in game.state.contracts:
        assert contracts.legal(components, players, contract)


def test_cities_are_as_far_apart_as_on_the_empty_map() -> None:
    """Whatever lies when they are first asked for."""

    def distances(scene: Scene) -> Mapping[tuple[str, str], float]:
        plans = Evaluator1853(TITLE.ruleset).lists
        Bids(TITLE.ruleset, plans, scene.state, 0).stop()
        return plans.distances

    assert distances(mountains("A")) == distances(Scene().contract("A", 60, *NORTH))


NORTH = ("Lahore", "Rawalpindi", "Peshawar")


def mountains(name: str) -> Scene:
    """Only the tile of Peshawar is missing in someone's contract, and the NWR of A may lay it."""
    scene = Scene().shares("NWR", A=5).operating("NWR").money(NWR=300)
    scene.contract(name, 60, *NORTH)
    return land(scene, "C11 B10 D10", "B10 C11 B8").turn("NWR", Build)


def test_a_tile_that_fulfils_the_contract_is_laid() -> None:
    scene = mountains("A")
    action = choice(scene)
    assert isinstance(action, LayTile)
    assert action.hex == "B8"
    scene.position.apply(action)
    assert scene.state.contracts[0].shown


def test_a_contract_of_somebody_else_counts_for_nothing() -> None:
    def gains(name: str) -> dict[Action, float]:
        scene = mountains(name)
        actions = [each for each in tiles(scene) if each.hex == "B8"]
        return dict(zip(actions, judged(scene.state, 0, actions), strict=True))

    own, other = gains("A"), gains("B")
    assert max(own[action] - other[action] for action in own) > 60


def tiles(scene: Scene) -> list[LayTile]:
    """The tiles that can be laid."""
    found = [each.action for each in scene.position.legal_actions(0)]
    return [action for action in found if isinstance(action, LayTile)]


# ---- shares


def test_shares_are_redeemed_before_others_are_bought() -> None:
    scene = Scene().shares("EIR", A=3, B=2).unredeemed("A", EIR=2).money(A=220).operating("EIR")
    scene.stock("A")
    action = choice(scene)
    assert action == Redeem(0, "EIR", 2)


def test_the_company_one_can_direct_is_bought() -> None:
    """Of two equal shares that makes the player director is better."""
    scene = Scene().shares("NWR", A=2, B=2, C=2).shares("GIP", B=3, C=2)
    scene.operating("NWR", "GIP").trains("NWR", "2").trains("GIP", "2").money(A=100)
    scene.stock("A")
    action = choice(scene)
    assert getattr(action, "company", "") == "NWR"


def dealing(scene: Scene) -> ShareValues:
    evaluator = TITLE.evaluator
    assert isinstance(evaluator, Evaluator1853)
    return ShareValues(evaluator.estimates(scene.state), 0)


def pointless(scene: Scene, sale: SellShares) -> bool:
    """Whether a sale gains nothing beyond what it brings and costs by itself."""
    known = dealing(scene)
    count = len(sale.certificates)
    price = TITLE.ruleset.shares.sale_price(scene.state, sale.company, None)
    alone = count * (price - known.worth(sale.company)) - SALE_COST
    return judged(scene.state, 0, [sale])[0] == pytest.approx(alone)


ONE = SellShares(0, "GIP", ("10",))


def buyable(*companies: str) -> Scene:
    """A has a share of the GIP and no money; of others than these nothing is for sale."""
    scene = Scene().shares("GIP", A=1, B=3).shares("NWR", A=1, B=3).operating("GIP", "NWR")
    scene.trains("NWR", "2").track("standard", "F14", "E13", "D12", "C11")
    sell_out(scene, *(name for name in TITLE.ruleset.public if name not in companies))
    return scene.money(A=0).stock()


def test_a_share_is_sold_for_a_better_one() -> None:
    assert not pointless(buyable("NWR"), ONE)


def test_nothing_is_sold_for_a_share_of_the_same_company() -> None:
    """Who has sold may not buy it in that round."""
    scene = buyable("NWR")
    one = SellShares(0, "NWR", ("10",))
    assert pointless(scene, one)


def test_nothing_is_sold_for_the_last_paper_of_two() -> None:
    """Only who is director with it may buy it."""
    scene = buyable()
    scene.state.ledger.move("NWR:10", "box", "pool", 2)
    scene.state.charters["NWR"].director = None
    scene.state.charters["NWR"].double = "pool"
    scene.state.ledger.move("NWR:10", "p0", "box", 1)
    assert scene.pool("NWR") == 2
    assert pointless(scene, ONE)


def test_nothing_is_sold_for_a_share_above_the_limit_of_a_company() -> None:
    scene = buyable("NWR")
    most = TITLE.ruleset.components.players[4].per_company
    scene.shares("NWR", A=most - 1)
    assert pointless(scene, ONE)


def test_who_has_no_room_buys_only_after_a_sale() -> None:
    scene = buyable("NWR").money(A=500)
    limit = TITLE.ruleset.shares.certificate_limit(scene.state, 0)
    for company in ("EIR", "BNR", "MSM", "SIR"):
        count = min(5, limit - TITLE.ruleset.shares.count_certificates(scene.state, 0))
        scene.state.ledger.move(f"{company}:10", "box", "p0", count)
    known = dealing(scene)
    assert known.best_purchase() == (0.0, None)
    gain, purchase = known.best_purchase(ONE)
    assert gain > 0
    assert purchase is not None
    assert purchase.company == "NWR"


def test_unredeemed_shares_bring_no_revenue() -> None:
    scene = Scene().shares("NWR", A=3, B=2).unredeemed("A", NWR=2).operating("NWR")
    assert dealing(scene).estimates.part(0, "NWR") == pytest.approx(0.1)


# ---- trains and dividends


def test_a_company_without_trains_buys_one_of_its_gauge() -> None:
    """The SIR has metre-gauge track only."""
    scene = Scene().small_founded().shares("SIR", A=5).operating("SIR").money(SIR=500)
    land(scene, "metre T16 S17 T14", "metre S17 T16 R18")
    scene.turn("SIR", BuyTrains)
    action = choice(scene)
    assert isinstance(action, BuyTrain)
    assert action.train == "1M"


def test_revenue_is_paid_out_unless_it_buys_the_next_train() -> None:
    def pays(money: int, *trains: str) -> bool:
        scene = Scene().shares("NWR", A=5).operating("NWR").money(NWR=money)
        scene.trains("NWR", *trains).track("standard", "F14", "E13", "D12", "C11")
        action = choice(scene.turn("NWR", Run))
        assert isinstance(action, Dividend)
        return action.pays

    assert pays(600, "2", "2")
    assert pays(0, "2")


@pytest.mark.rule("1853:4.6.6", "1853:4.6.4")
def test_a_dividend_is_judged_by_the_runs_for_it() -> None:
    """70 can be paid out, with 40 mail for the treasury in any case; saved it is 120 by another run."""
    scene = land(Scene().shares("EIR", A=5).operating("EIR"), "H24 716 0", "H22 716 0", "I23 58 2")
    state = scene.money(EIR=0).trains("EIR", "2").turn("EIR", Run).state
    evaluator = TITLE.evaluator
    assert isinstance(evaluator, Evaluator1853)
    estimates = evaluator.estimates(state)
    assert estimates.earnings("EIR", ["2"]) == (70, 40)
    fleet, part = TrainValues(estimates, 0, "EIR"), estimates.part(0, "EIR")
    paid, saved = fleet.dividend(Dividend(0, True)), fleet.dividend(Dividend(0, False))
    assert paid == pytest.approx(part * (70 + 0.8 * 10 * 4))
    assert saved == pytest.approx(part * TREASURY_PART * (120 - 40))
    assert choice(scene) == Dividend(0, True)


@pytest.mark.parametrize("spec", ["greedy", "careless:75"])
def test_no_train_is_taken_from_others_for_nothing(spec: str) -> None:
    """The owner of a train knows what it is worth to him, however much else he overlooks."""
    scene = Scene().shares("NWR", A=5).shares("BNR", B=5).operating("NWR", "BNR")
    scene.trains("NWR", "2").track("standard", "F14", "E13", "D12", "C11").money(BNR=500)
    scene.turn("BNR", BuyTrains).do("B offers 10 for train 2 of NWR")
    for seed in range(10):
        assert make(spec, seed).choose(view(scene)) != Answer(0, True)


# ---- the elephant


def test_who_owns_what_runs_orders_one_more_round() -> None:
    def orders(**held: int) -> bool:
        scene = Scene().shares("NWR", **held).operating("NWR").trains("NWR", "2")
        scene.track("standard", "F14", "E13", "D12", "C11").on(ExtraRound())
        return choice(scene) == OrderRound(0, True)

    assert orders(A=5, B=1)
    assert not orders(A=1, B=5)


def test_the_elephant_has_a_price() -> None:
    def taken(price: int) -> bool:
        scene = Scene().shares("NWR", A=3, B=3).operating("NWR")
        scene.on(SellElephant(), ElephantOffer(1, price))
        answers = {make("careless:75", seed).choose(view(scene)) for seed in range(10)}
        assert answers == {choice(scene)}
        return answers == {Answer(1, True)}

    assert taken(5)
    assert not taken(300)


# ---- what is hidden


def test_the_cities_of_others_change_nothing() -> None:
    """With the same view the choice is the same, whatever others have written."""
    first = bid(4, "hidden")
    step = 0
    bots = [make("greedy", seed=seat) for seat in range(4)]
    while step < 25:
        seat = first.pending[0].seat
        state = TITLE.clone(first.state)
        for other, contract in enumerate(state.contracts):
            if other != seat and not contract.shown and state.claimant != other:
                contract.cities = ["Karachi", "Calcutta", "Hyderabad", "Waltair"][
                    : len(contract.cities)
                ]
        names = tuple(NAMES[:4])
        other_view = View(TITLE, TITLE.view(state, seat), seat, names)
        assert TITLE.evaluator.evaluate(state) == TITLE.evaluator.evaluate(first.state)
        twin = make("greedy", seed=step).choose(other_view)
        assert make("greedy", seed=step).choose(first.view(seat)) == twin
        first.apply(bots[seat].choose(first.view(seat)))
        step += 1


def test_bids_of_others_are_known_by_their_shares_only() -> None:
    """A company of which others have shares begins more easily, whatever their cities are."""
    found = []
    for city, company in (("Lahore", "NWR"), ("Peshawar", "NWR"), ("Mysore", "SIR")):
        game = kursbuch.new("1853", list(NAMES[:4]), seed="bids")
        for seat in range(4):
            game.apply(game.title.parse("writes a bond of 120", seat, game.state))
        game.apply(WriteCity(game.pending[0].seat, city, company))
        seat = game.pending[0].seat
        found.append(judged(game.state, seat, [WriteCity(seat, "Multan", "NWR")])[0])
    lahore, peshawar, mysore = found
    assert lahore == peshawar > mysore


# ---- whole games


@pytest.mark.parametrize(
    "players", [3, *(pytest.param(players, marks=pytest.mark.long) for players in (4, 5, 6))]
)
def test_greedy_opponents_finish_a_game_by_the_book(players: int) -> None:
    """A shortened one: it takes some seconds. Their contracts pay off."""
    game = kursbuch.new("1853", list(NAMES[:players]), seed="5", options={"bank": "7500"})
    bots = [make("greedy", seed=seat) for seat in range(players)]
    while not game.over and len(game.moves) < 2500:
        seat = game.pending[0].seat
        game.apply(bots[seat].choose(game.view(seat)))
    assert game.over
    assert sum(TITLE.scores(game.state)) > 7500


# ---- imagined games


def imagined(state: State1853, seed: int) -> PlayoutPolicy[State1853]:
    found = TITLE.evaluator.playout_policy(state, random.Random(seed))
    assert found is not None
    return found


def played_on(game: Game, seed: int) -> Position[State1853]:
    """How a game goes on in thought, to its end."""
    position: Position[State1853] = game.view(game.pending[0].seat).determinize(random.Random(seed))
    assert play_out(position, imagined(position.state, seed))
    return position


def test_imagined_games_end_and_have_track() -> None:
    game = bid(4, "imagined")
    ends = [played_on(game, seed) for seed in (1, 2)]
    for end in ends:
        assert end.over
        assert len(end.state.layout.tiles) > 45
        assert sum(TITLE.scores(end.state)) > 20_000
    assert TITLE.scores(ends[0].state) != TITLE.scores(ends[1].state)
    assert TITLE.scores(played_on(game, 1).state) == TITLE.scores(ends[0].state)
    assert not game.state.house.free_track


def test_companies_lay_what_they_laid_in_earlier_games() -> None:
    position = played_on_to_track(bid(4, "imagined"))
    step = position.state.agenda[-1]
    assert isinstance(step, Build)
    action = imagined(position.state, 3).action(position.state, position.deciders()[0])
    assert isinstance(action, LayTile)
    laid = (action.hex, action.tile, action.rotation)
    games = tracks("kursbuch.games.g18xx.g1853")
    assert any(laid in game.tiles.get(step.company, ()) for game in games)
    assert position.problem(action) is None


def played_on_to_track(game: Game) -> Position[State1853]:
    """The same up to the first tile."""
    position: Position[State1853] = game.view(game.pending[0].seat).determinize(random.Random(1))
    course = imagined(position.state, 1)
    while not isinstance(position.state.agenda[-1], Build):
        position.perform(reply(position, position.deciders()[0], course))
    return position


def offered(scene: Scene) -> list[Plan]:
    """What is played out in the position of a scene."""
    seat = scene.position.deciders()[0]
    actions = candidates(scene.position.legal_actions(seat), scene.position)
    gains = dict(zip(actions, judged(scene.state, seat, actions), strict=True))
    found = TITLE.evaluator.plans(scene.state, seat, gains)
    assert found is not None
    return list(found)


def selling(number: int) -> Scene:
    """A has shares that can be sold, and too little money for the best share there is."""
    scene = Scene().shares("NWR", A=5, B=2).shares("GIP", A=3, B=4).operating("NWR", "GIP")
    scene.trains("GIP", "2").track("standard", "F14", "E13", "D12", "C11").money(A=40)
    return scene.stock("A", number)


def test_bonds_and_lists_are_played_out_as_plans() -> None:
    game = kursbuch.new("1853", list(NAMES[:4]), seed="plans")
    kinds = []
    while not game.state.round.number:
        seat = game.pending[0].seat
        seen = game.view(seat)
        actions = candidates(seen.legal_actions(), seen)
        gains = dict(zip(actions, judged(game.state, seat, actions), strict=True))
        plans = TITLE.evaluator.plans(game.state, seat, gains)
        assert plans
        kinds.append({type(plan.first) for plan in plans})
        game.apply(plans[0].first)
    assert kinds[:5] == [{WriteBond}] * 4 + [{WriteCity}]
    assert all(kind <= {WriteCity, Done} for kind in kinds[4:])


def test_the_bonds_of_others_are_drawn_in_imagined_games() -> None:
    bonds = set()
    for seed in range(20):
        rng = random.Random(seed)
        game = kursbuch.new("1853", list(NAMES[:4]), seed="drawn")
        after = game.view(0).determinize(rng)
        policy = TITLE.evaluator.playout_policy(after.state, rng)
        assert policy is not None
        action = policy.action(after.state, 1)
        assert isinstance(action, WriteBond)
        bonds.add(action.bond)
    assert len(bonds) >= 4
    assert min(bonds) >= 60


def test_stock_turns_are_played_out_as_plans() -> None:
    found = offered(selling(7))
    assert Plan((Done(0),)) in found
    sales = [plan for plan in found if isinstance(plan.first, SellShares)]
    assert {len(plan) for plan in sales} == {2}
    for plan in found:
        scene = selling(7)
        for action in plan.actions:
            scene.position.apply(action)


def test_what_a_sale_allows_is_what_its_proceeds_can_pay() -> None:
    scene = selling(7)
    pairs = [plan for plan in offered(scene) if len(plan) == 2]
    for sale, purchase in (plan.actions for plan in pairs):
        assert isinstance(sale, SellShares)
        assert isinstance(purchase, BuyShare)
        assert purchase.company != sale.company
        assert not scene.listed(purchase)


def test_of_every_company_one_city_is_played_out() -> None:
    game = kursbuch.new("1853", list(NAMES[:4]), seed="bids")
    bot = make("greedy", seed=1)
    while not isinstance(game.state.agenda[-1], BidTurn):
        game.apply(bot.choose(game.view(game.pending[0].seat)))
    seat = game.pending[0].seat
    actions = candidates(game.legal_actions(seat), game.view(seat))
    gains = dict(zip(actions, judged(game.state, seat, actions), strict=True))
    plans = TITLE.evaluator.plans(game.state, seat, gains)
    assert plans is not None
    picked = [plan.first for plan in plans]
    companies = [action.company for action in picked if isinstance(action, WriteCity)]
    assert len(companies) == len(set(companies)) == 4
    for action in picked:
        assert isinstance(action, WriteCity)
        rivals = [
            gains[each]
            for each in actions
            if isinstance(each, WriteCity) and each.company == action.company
        ]
        assert gains[action] == max(rivals)
    first, again = (make("mcts:2", seed=3).rank(game.view(seat)) for _ in range(2))
    assert first == again
    assert {ranked.action for ranked in first} == set(worthwhile(TITLE, gains))
