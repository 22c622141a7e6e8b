"""Computer opponents of 1835: what they search, what they leave to judgement, and what they know of track."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

import kursbuch
from kursbuch.bots import make
from kursbuch.bots.base import Ranked, candidates
from kursbuch.bots.playouts import play_out, reply
from kursbuch.core.actions import Action
from kursbuch.core.game import Game, View
from kursbuch.core.judge import Course
from kursbuch.core.position import Position
from kursbuch.eighteen.actions import BuyPaper, BuyShare, Done, EnterRevenue, SellShares
from kursbuch.eighteen.map.track import Laid, Layout, Station
from kursbuch.eighteen.prospects import Prospects
from kursbuch.eighteen.state import BuyTrains, Pay, Round, StockTurn
from kursbuch.eighteen.t1835 import TITLE
from kursbuch.eighteen.t1835.draft import worths
from kursbuch.eighteen.t1835.heuristics import Appraisal
from kursbuch.eighteen.t1835.packet import on_offer, paper_price
from kursbuch.eighteen.t1835.state import PacketTurn, State1835
from tests.eighteen.scene import NAMES
from tests.t1835.table import Scene


def begun(moves: int, step: str, choices: int = 2) -> Game:
    """A game played by judgement for so many moves, and then on to such a step with so many
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


@pytest.mark.parametrize("step", ["build", "stock-turn", "buy-trains"])
def test_a_search_leaves_track_trains_and_early_stock_rounds_to_the_judgement(step: str) -> None:
    game = begun(25, step)
    assert ranking(game, "mcts:12") == ranking(game, "greedy")


def judged(state: State1835, seat: int, actions: Sequence[Action]) -> Sequence[float]:
    found = TITLE.judge.appraise(state, seat, actions)
    assert found is not None
    return found


def imagined(state: State1835, seed: int) -> Course[State1835]:
    found = TITLE.judge.course(state, random.Random(seed))
    assert found is not None
    return found


def drafted(seed: int, **options: str) -> tuple[list[str], list[str]]:
    """What four players of judgement buy of the start packet in its first round, and what is left that
    somebody could pay for after the last turn."""
    game = kursbuch.new("1835", list("ABCD"), str(seed), options)
    bot, book = make("greedy", seed), TITLE.book
    bought: list[str] = []
    left: list[str] = []
    while isinstance(game.state.agenda[-1], PacketTurn):
        action = bot.choose(game.view(game.pending[0].seat))
        sold = action.paper if isinstance(action, BuyPaper) else ""
        bought += [sold] if sold else []
        cash = [book.cash(game.state, seat) for seat in range(4)]
        if isinstance(action, BuyPaper):
            cash[action.seat] -= paper_price(book, game.state, book.components.packet[sold])
        left = [
            paper.id
            for paper in on_offer(book, game.state)
            if paper.id != sold and paper_price(book, game.state, paper) <= max(cash)
        ]
        game.apply(action)
    return bought, left


@pytest.mark.parametrize("packet", ["standard", "clemens", "snake"])
def test_the_start_packet_is_sold_without_a_standstill(packet: str) -> None:
    """What somebody can pay for is sold in the first round, though nobody wants every paper, and row by
    row not always in one order."""
    openings = set()
    for seed in range(4):
        bought, left = drafted(seed, packet=packet)
        assert len(bought) >= 11
        assert not left
        openings.add(tuple(bought))
    assert len(openings) > 1 or packet != "standard"


def test_who_waits_last_buys() -> None:
    """Nobody wants what is left. If all others have waited, the last one buys all the same; else
    nothing would be sold for rounds."""
    worthless = "4"
    assert worths(4)[worthless] < 0
    scene = Scene(4).on(PacketTurn(0))
    for paper in set(TITLE.book.components.packet) - {worthless}:
        scene.state.ledger.items[TITLE.book.components.packet[paper].item] = {"box": 1}
    scene.state.round = Round(1, idle=[], sold=[[], [], [], []])
    scene.money(A=200, B=200, C=200, D=200)
    buys, waits = BuyPaper(0, worthless), Done(0)
    first, wait = judged(scene.state, 0, [buys, waits])
    assert wait > first
    scene.state.round.idle = [1, 2, 3]
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
    plans = TITLE.judge.lines(position.state, seat, gains)
    assert plans is not None
    kinds = {type(action) for plan in plans for action in plan}
    assert {BuyShare, SellShares, Done} <= kinds
    assert any(len(plan) == 2 for plan in plans)
    searched = make("mcts:12", seed=3).rank(seen)
    assert searched == make("mcts:12", seed=3).rank(seen)
    assert {each.action for each in searched} >= {plan[0] for plan in plans}
    assert [each.value for each in searched] == sorted(
        (each.value for each in searched), reverse=True
    )
    assert position.state == before


def test_a_finished_game_is_worth_its_result() -> None:
    scene = Scene(3).sold().phase("5").shares("BY", A="20P 10 10", B="10 10", C="10 10 10")
    scene.operating("BY").trains("BY", "4").money(BY=900, A=10, B=10, C=900)
    scene.state.out.append(2)
    assert scene.position.over
    assert list(TITLE.judge.evaluate(scene.state)) == [
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
            fresh = Appraisal(TITLE.book, Prospects(TITLE.book.components), game.state)
            found = TITLE.judge.appraise(game.state, decision.seat, actions)
            assert [fresh.gain(decision.seat, action) for action in actions] == found
            looks += 1
        game.apply(bot.choose(game.view(decision.seat)))
    assert looks > 4


def test_track_is_drawn_to_where_a_tile_can_be_laid() -> None:
    """From Magdeburg eastwards: open land invites track, a yellow tile without track on that side
    does so only when green tiles can replace it, a green one when brown tiles can."""
    known = Prospects(TITLE.book.components)
    place = TITLE.book.components.board.place("F16")
    straight, home = Laid("57", 0), [Station("3", "F14", 0)]

    def inviting(phase: int, **laid: Laid) -> bool:
        layout = Layout({"F14": straight, **laid}, home)
        position = TITLE.book.components.track.position(layout, phase)
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
            asked.add(TITLE.book.is_minor(step.company))
            entered = EnterRevenue(decision.seat, True, step.revenue)
            found = TITLE.judge.appraise(game.state, decision.seat, [entered])
            # More is better, whoever else is paid.
            more = replace(entered, revenue=step.revenue + 100)
            better = TITLE.judge.appraise(game.state, decision.seat, [more])
            assert found is not None
            assert better is not None
            assert better[0] > found[0]
        game.apply(bot.choose(game.view(decision.seat)))
