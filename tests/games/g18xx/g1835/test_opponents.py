"""Computer opponents of 1835: what they search, what they leave to judgement, and what they know of track."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

import kursbuch
from kursbuch.bots import make
from kursbuch.bots.bot import Ranked, candidates
from kursbuch.bots.playouts import play_out, reply
from kursbuch.core.actions import Action
from kursbuch.core.evaluator import PlayoutPolicy
from kursbuch.core.game import Game, View
from kursbuch.core.position import Position
from kursbuch.games.g18xx.actions import (
    Answer,
    AskPrice,
    BuyPaper,
    BuyShare,
    Dividend,
    Done,
    EnterRevenue,
    OfferTrain,
    SellShares,
)
from kursbuch.games.g18xx.evaluation import Prospects
from kursbuch.games.g18xx.g1835 import TITLE, ai
from kursbuch.games.g18xx.g1835.ai import worths
from kursbuch.games.g18xx.g1835.evaluation import Appraisal
from kursbuch.games.g18xx.g1835.start_packet import on_offer, paper_price
from kursbuch.games.g18xx.g1835.state import PacketTurn, State1835
from kursbuch.games.g18xx.map.track import Laid, Layout, Station
from kursbuch.games.g18xx.state import BuyTrains, Pay, Round, StockTurn
from tests.games.g18xx.g1835.table import Scene, trading
from tests.games.g18xx.scene import NAMES


def begun(moves: int, step: str, choices: int = 2) -> Game:
    """A game played by judgement for this many moves, and then on to such a step with this many
    choices."""
    game = kursbuch.new("1835", list("ABCD"), seed="7")
    bot = make("greedy", seed=7)
    while (
        len(game.moves) < moves
        or game.pending[0].step != step
        or len(game.legal_actions(game.pending[0].seat)) < choices
    ):
        game.apply(bot.choose(game.view(game.pending[0].seat)))
    return game


def ranking(game: Game, spec: str) -> list[Ranked]:
    return make(spec, seed=3).rank(game.view(game.pending[0].seat))


def view(scene: Scene) -> View:
    return View(TITLE, scene.state, scene.position.deciders()[0], tuple(NAMES[: scene.state.seats]))


def test_a_search_leaves_track_to_the_judgement() -> None:
    game = begun(25, "build")
    assert ranking(game, "mcts:6") == ranking(game, "greedy")


@pytest.mark.parametrize("step", ["stock-turn", "buy-trains", "pay"])
def test_every_decision_that_moves_money_is_searched(step: str) -> None:
    """The same playouts give the same values."""
    game = begun(25, step)
    found = ranking(game, "mcts:6")
    assert found == ranking(game, "mcts:6")
    assert len([each for each in found if each.plan is not None]) > 1


def judged(state: State1835, seat: int, actions: Sequence[Action]) -> Sequence[float]:
    found = TITLE.evaluator.action_values(state, seat, actions)
    assert found is not None
    return found


def imagined(state: State1835, seed: int) -> PlayoutPolicy[State1835]:
    found = TITLE.evaluator.playout_policy(state, random.Random(seed))
    assert found is not None
    return found


def drafted(seed: int, **options: str) -> tuple[list[str], list[str]]:
    """What four players of judgement buy of the start packet in its first round, and what is left that
    someone could pay for after the last turn."""
    game = kursbuch.new("1835", list("ABCD"), str(seed), options)
    bot, ruleset = make("greedy", seed), TITLE.ruleset
    bought: list[str] = []
    left: list[str] = []
    while isinstance(game.state.agenda[-1], PacketTurn):
        action = bot.choose(game.view(game.pending[0].seat))
        sold = action.paper if isinstance(action, BuyPaper) else ""
        bought += [sold] if sold else []
        cash = [ruleset.cash(game.state, seat) for seat in range(4)]
        if isinstance(action, BuyPaper):
            cash[action.seat] -= paper_price(ruleset, game.state, ruleset.components.packet[sold])
        left = [
            paper.id
            for paper in on_offer(ruleset, game.state)
            if paper.id != sold and paper_price(ruleset, game.state, paper) <= max(cash)
        ]
        game.apply(action)
    return bought, left


@pytest.mark.parametrize("packet", ["standard", "clemens", "snake"])
def test_the_start_packet_is_sold_without_a_standstill(packet: str) -> None:
    """What someone can pay for is sold in the first round, though no one wants every paper, and row by
    row not always in one order."""
    openings = set()
    for seed in range(4):
        bought, left = drafted(seed, packet=packet)
        assert len(bought) >= 11
        assert not left
        openings.add(tuple(bought))
    assert len(openings) > 1 or packet != "standard"


def test_who_waits_last_buys() -> None:
    """No one wants what is left. If all others have waited, the last one buys all the same; else
    nothing would be sold for rounds."""
    worthless = "4"
    assert worths(4)[worthless] < 0
    scene = Scene(4).on(PacketTurn(0))
    for paper in set(TITLE.ruleset.components.packet) - {worthless}:
        scene.state.ledger.items[TITLE.ruleset.components.packet[paper].item] = {"box": 1}
    scene.state.round = Round(1, passed=[], sold=[[], [], [], []])
    scene.money(A=200, B=200, C=200, D=200)
    buys, waits = BuyPaper(0, worthless), Done(0)
    first, wait = judged(scene.state, 0, [buys, waits])
    assert wait > first
    scene.state.round.passed = [1, 2, 3]
    last, wait = judged(scene.state, 0, [buys, waits])
    assert wait < last


def late(seed: int, round_: int) -> Position[Any]:
    """An imagined game at a turn of a stock round in which shares can be bought and sold."""
    position = kursbuch.new("1835", list("ABCD"), str(seed)).position.clone()
    course = imagined(position.state, seed)
    while not (
        isinstance(position.state.agenda[-1], StockTurn)
        and position.state.round.number >= round_
        and {BuyShare, SellShares}
        <= {type(each.action) for each in position.legal_actions(position.deciders()[0])}
    ):
        position.perform(reply(position, position.deciders()[0], course))
    position.state.house = replace(position.state.house, free_track=False)
    return position


def test_a_game_is_imagined_to_its_end() -> None:
    """With track from reference games the players together get about as rich as with track that is
    judged; the same seed imagines the same game."""
    results = []
    for _ in range(2):
        position = kursbuch.new("1835", list("ABCD"), "1").position.clone()
        course = imagined(position.state, 5)
        assert play_out(position, course)
        results.append(TITLE.scores(position.state))
    assert results[0] == results[1]
    assert 20_000 < sum(results[0]) < 30_000
    assert len(position.state.layout.tiles) > 50


def test_a_search_plays_plans_to_the_end() -> None:
    """In later stock rounds what is best of every kind is played out, and a sale with the purchase it
    is made for; all actions are ranked, and the same playouts give the same values again."""
    position = late(3, 7)
    seat = position.deciders()[0]
    seen = View(TITLE, position.state, seat, tuple("ABCD"))
    before = TITLE.clone(position.state)
    actions = candidates(seen.legal_actions(), seen)
    gains = dict(zip(actions, judged(position.state, seat, actions), strict=True))
    plans = TITLE.evaluator.plans(position.state, seat, gains)
    assert plans is not None
    kinds = {type(action) for plan in plans for action in plan.actions}
    assert {BuyShare, SellShares, Done} <= kinds
    assert any(len(plan) == 2 for plan in plans)
    searched = make("mcts:12", seed=3).rank(seen)
    assert searched == make("mcts:12", seed=3).rank(seen)
    assert {each.action for each in searched} >= {plan.first for plan in plans}
    assert [each.value for each in searched] == sorted(
        (each.value for each in searched), reverse=True
    )
    assert position.state == before


def test_a_finished_game_is_worth_its_result() -> None:
    scene = Scene(3).sold().phase("5").shares("BY", A="20P 10 10", B="10 10", C="10 10 10")
    scene.operating("BY").trains("BY", "4").money(BY=900, A=10, B=10, C=900)
    scene.state.out.append(2)
    assert scene.position.over
    assert list(TITLE.evaluator.evaluate(scene.state)) == [
        float(score) for score in TITLE.scores(scene.state)
    ]


def test_a_train_is_not_taken_from_a_minor_that_has_not_run_yet() -> None:
    """Moving a train to and fro between two minors of one owner would only lose runs."""
    scene = Scene(3).sold().phase("3").papers(A="3 4").trains("4", "2")
    scene.tiles("G5:6:0", "F14:6:0").on(StockTurn(0))
    scene.state.agenda.clear()
    scene.turn("3", BuyTrains)
    chosen = make("greedy", seed=1).choose(view(scene))
    assert chosen == Done(0)


def test_judgement_is_the_same_with_and_without_a_memory() -> None:
    """What has been found out about track is kept; it is what a fresh look gives."""
    game = kursbuch.new("1835", list("ABCD"), seed="7")
    bot = make("greedy", seed=7)
    looks = 0
    while len(game.moves) < 110:
        decision = game.pending[0]
        actions = [choice.action for choice in game.legal_actions(decision.seat)]
        if decision.step == "build" and len(game.moves) % 3 == 0:
            fresh = Appraisal(TITLE.ruleset, Prospects(TITLE.ruleset.components), game.state)
            found = TITLE.evaluator.action_values(game.state, decision.seat, actions)
            assert [fresh.gain(decision.seat, action) for action in actions] == found
            looks += 1
        game.apply(bot.choose(game.view(decision.seat)))
    assert looks > 4


def test_track_is_drawn_to_where_a_tile_can_be_laid() -> None:
    """From Magdeburg eastwards: open land invites track, a yellow tile without track on that side
    does so only when green tiles can replace it, a green one when brown tiles can."""
    known = Prospects(TITLE.ruleset.components)
    place = TITLE.ruleset.components.board.number("F16")
    straight, home = Laid("57", 0), [Station("3", "F14", 0)]

    def inviting(phase: int, **laid: Laid) -> bool:
        layout = Layout({"F14": straight, **laid}, home)
        position = TITLE.ruleset.components.track.position(layout, phase)
        return place in {entered for entered, _, _ in known.sight(position, "3").entries}

    assert inviting(0)
    assert [inviting(phase, F16=Laid("7", 4)) for phase in (0, 1, 2)] == [False, True, True]
    assert [inviting(phase, F16=Laid("27", 1)) for phase in (0, 1, 2)] == [False, False, True]


def test_opponents_play_with_revenue_as_it_is_entered() -> None:
    """Minors are asked, too, and what people have entered is judged."""
    option = {"free-revenue": "on"}
    game = kursbuch.new("1835", list("ABC"), seed="1", options=option)
    bot = make("greedy", seed=1)
    asked: set[bool] = set()
    while len(asked) < 2:
        decision = game.pending[0]
        step = game.state.agenda[-1]
        if isinstance(step, Pay):
            asked.add(TITLE.ruleset.is_minor(step.company))
            entered = EnterRevenue(decision.seat, True, step.revenue)
            found = TITLE.evaluator.action_values(game.state, decision.seat, [entered])
            # More is better, anyone who else is paid.
            more = replace(entered, revenue=step.revenue + 100)
            better = TITLE.evaluator.action_values(game.state, decision.seat, [more])
            assert found is not None
            assert better is not None
            assert better[0] > found[0]
        game.apply(bot.choose(game.view(decision.seat)))


# ---- what is overlooked


def test_the_careless_do_nothing_that_is_worse_than_passing() -> None:
    """No one overlooks that he may pass, not even who sees nearly nothing else."""
    game = kursbuch.new("1835", list("ABCD"), seed="7")
    bots = [make("careless:75", seed=seat) for seat in range(4)]
    looks = 0
    while len(game.moves) < 70:
        seat = game.pending[0].seat
        action = bots[seat].choose(game.view(seat))
        if any(choice.action == Done(seat) for choice in game.legal_actions(seat)):
            gain, passing = judged(game.state, seat, [action, Done(seat)])
            assert gain >= passing
            looks += action != Done(seat)
        game.apply(action)
    assert looks > 5


def test_the_careless_know_what_a_train_is_worth() -> None:
    """An offer is never accepted because refusing it has been overlooked."""
    scene = Scene(3).sold().phase("3").shares("BY", A="20P 10").shares("SX", B="20P 10")
    scene.operating("BY", "SX").trains("BY", "3").money(SX=100).turn("SX", BuyTrains)
    scene.do("B offers 1 for train 3 of BY")
    for seed in range(20):
        assert make("careless:75", seed).choose(view(scene)) == Answer(0, False)


# ---- shares


def appraisal(scene: Scene) -> Appraisal:
    return Appraisal(TITLE.ruleset, Prospects(TITLE.ruleset.components), scene.state)


def rich(papers: int) -> Scene:
    """Plenty of money, and this many papers of 15 that are allowed."""
    return trading().fill("A", papers).money(A=2000).stock()


def test_only_so_many_purchases_follow_as_there_is_room_for() -> None:
    def beyond(papers: int) -> float:
        scene = rich(papers)
        purchase = BuyShare(0, "BY", "10", "stack")
        return judged(scene.state, 0, [purchase])[0] - appraisal(scene).gain(0, purchase)

    limit = TITLE.ruleset.shares.certificate_limit(rich(1).state, 0)
    assert beyond(limit - 1) == 0
    assert beyond(limit - 2) > 100


@pytest.mark.parametrize(("option", "cash", "cell"), [("on", 220, "E4"), ("off", 212, "E5")])
def test_a_sale_is_thought_of_at_the_price_of_the_turn(option: str, cash: int, cell: str) -> None:
    """What is sold again brings the first price where the table says so, and moves none."""
    scene = Scene(3, same_price=option).sold().shares("BY", A="10 10 10", B="20P 10")
    scene.operating(BY="E3").money(A=0).stock().do("A sells BY 10")
    sale = SellShares(0, "BY", ("10",))
    proceeds = cash - TITLE.ruleset.cash(scene.state, 0)
    kept = appraisal(scene).share_value("BY", 10)
    trouble = 12 + 0.02 * TITLE.ruleset.market.price(scene.state, "BY")
    assert appraisal(scene).gain(0, sale) == pytest.approx(proceeds - kept - trouble)
    after = ai.raised(appraisal(scene), 0, sale)[0].state
    assert (TITLE.ruleset.cash(after, 0), after.companies["BY"].cell) == (cash, cell)
    assert scene.has("A") == 110


# ---- trains and dividends


def test_to_withhold_costs_two_fields() -> None:
    """The one that a dividend would win, and the one that is lost."""
    scene = Scene(3).sold().phase("3").shares("BY", A="20P 10", B="10", C="10")
    scene.operating(BY="E3").trains("BY", "3", "3", "3", "3").turn("BY")
    scene.state.agenda[-1:] = [Pay("BY", revenue=100)]
    pays, withholds = judged(scene.state, 0, [Dividend(0, True), Dividend(0, False)])
    chart = TITLE.ruleset.chart
    fields = chart.price[chart.right["E3"]] - chart.price[chart.left["E3"]]
    part = 0.3 - 0.1
    assert pays - withholds == pytest.approx(part * (0.65 * 100 + 10 * fields))


def asked(scene: Scene, goods: str) -> int:
    """What A asks when the company in turn, which B directs, offers nothing worth the name."""
    scene.shares("SX", B="20P 10").operating("SX").money(SX=900, B=900).turn("SX", BuyTrains)
    scene.do(f"B offers 1 for train {goods}")
    (price,) = (
        price
        for choice in scene.position.legal_actions(0)
        if isinstance(choice.action, AskPrice)
        for price in TITLE.evaluator.amounts(scene.state, choice)
    )
    return price


def before_the_last_4() -> Scene:
    """With the next train but one a 2+2 is scrapped."""
    return Scene(3).sold().phase("4").trains("box", "4", "4")


def test_the_last_train_that_lasts_costs_no_less_than_the_next_one() -> None:
    """A company would be left with one that is scrapped."""
    scene = before_the_last_4().shares("BY", A="20P 10").operating("BY").trains("BY", "3", "2+2")
    assert asked(scene, "3 of BY") > 360


def test_a_train_that_is_scrapped_soon_costs_little() -> None:
    scene = before_the_last_4().papers(A="3").trains("3", "2+2").tiles("F14:57:0")
    revenue = appraisal(scene).revenue("3", ["2+2"])
    assert revenue > 0
    assert asked(scene, "2+2 of 3") < 120 + revenue


def test_no_train_to_buy_is_no_shortage() -> None:
    """But those in the pool can be bought."""
    scene = Scene(3).sold().phase("6+6").shares("BY", A="20P").operating("BY").money(BY=0)
    assert appraisal(scene).shortage("BY") == 720
    scene.trains("box", "6+6", "6+6", "6+6", "6+6")
    assert appraisal(scene).shortage("BY") == 0
    scene.trains("pool", "5")
    assert appraisal(scene).shortage("BY") == 500


def test_a_train_of_an_own_company_counts_beside_the_one_that_would_be_bought() -> None:
    """Beside the best train there is, not beside any."""
    scene = before_the_last_4().shares("BY", A="20P 10").shares("SX", A="20P 10")
    scene.operating("BY", "SX").trains("SX", "3", "3").trains("pool", "3", "3+3")
    scene.money(BY=500, A=500).turn("BY", BuyTrains)
    known = appraisal(scene)
    offer = OfferTrain(0, "SX", "3", 1)
    offers = TITLE.ruleset.depot.offers(scene.state, "BY")
    gains = [known.train_gain(0, "BY", train, price) for train, _, price in offers]
    worths = [
        ai.train_value(known, 0, "BY", [train], max(500 - price, 0), max(price - 500, 0))
        for train, _, price in offers
    ]
    best = max(range(len(offers)), key=gains.__getitem__)
    money = TITLE.ruleset.money(scene.state, "SX")
    moved = ai.train_value(known, 0, "BY", ["3"], 499)
    moved += ai.train_value(known, 0, "SX", ["3"], money + 1)
    moved -= ai.train_value(known, 0, "SX", ["3", "3"], money)
    found = judged(scene.state, 0, [offer])[0]
    assert found == pytest.approx(moved + gains[best] - worths[best] - ai.TRANSFER_COST)
    assert max(range(len(offers)), key=lambda each: gains[each] - worths[each]) != best
