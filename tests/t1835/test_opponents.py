"""Computer opponents of 1835: what they search, what they leave to judgement, and what they know of track."""

from __future__ import annotations

import kursbuch
from kursbuch.bots import make
from kursbuch.bots.base import Ranked
from kursbuch.core.game import Game, View
from kursbuch.eighteen.actions import BuyPaper, Done, LayTile
from kursbuch.eighteen.map.track import Laid, Layout, Station
from kursbuch.eighteen.prospects import Prospects
from kursbuch.eighteen.state import BuyTrains, StockTurn
from kursbuch.eighteen.t1835 import TITLE
from kursbuch.eighteen.t1835.heuristics import Appraisal
from tests.t1835.table import NAMES, Scene


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


def test_a_search_sees_more_than_the_judgement() -> None:
    """What shares are worth is found out by playing on: the values differ, and the same playouts
    give the same values again."""
    game = begun(25, "stock-turn", 3)
    searched = ranking(game, "mcts:12")
    assert searched == ranking(game, "mcts:12")
    judged = {ranked.action: ranked.value for ranked in ranking(game, "greedy")}
    assert searched[0].value != judged[searched[0].action]
    assert {ranked.action for ranked in searched} == set(judged)


def test_track_is_left_to_the_judgement() -> None:
    game = begun(25, "build")
    assert ranking(game, "mcts:12") == ranking(game, "greedy")
    assert isinstance(ranking(game, "greedy")[0].action, LayTile)


def test_not_everybody_waits_for_others_to_buy_the_packet() -> None:
    """Only LD, NF and waiting are left for the second player. If all others have waited, the last
    one buys; else nothing would be sold for rounds."""
    game = begun(1, "packet")
    waits = game.title.judge.debatable(game.state, {Done(1): 0.0, BuyPaper(1, "NF"): 90.0})
    assert Done(1) in waits
    for _ in range(3):
        game.apply(Done(game.pending[0].seat))
    found = ranking(game, "mcts:12")
    assert isinstance(found[0].action, BuyPaper)
    assert isinstance(found[-1].action, Done)


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
            judged = TITLE.judge.appraise(game.state, decision.seat, actions)
            assert fresh.gains(decision.seat, actions) == judged
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
        return place in known.sight(layout, phase, "3").frontier

    assert inviting(0)
    assert [inviting(phase, F16=Laid("7", 4)) for phase in (0, 1, 2)] == [False, True, True]
    assert [inviting(phase, F16=Laid("27", 1)) for phase in (0, 1, 2)] == [False, False, True]
