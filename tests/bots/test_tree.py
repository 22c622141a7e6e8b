"""The search of games of two in which nothing is left to chance."""

from __future__ import annotations

import random
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import kursbuch
from kursbuch.bots import game_tree, make
from kursbuch.bots.bot import advantage, candidates, outlook, worthwhile
from kursbuch.bots.game_tree import Node, Tree, Way
from kursbuch.core.actions import Action
from kursbuch.core.game import Game
from kursbuch.core.position import Position
from kursbuch.games.rocket.actions import CallVeto
from kursbuch.games.rocket.state import Objection, RocketState
from tests import documented


def late(seed: int, moves: int) -> Game:
    """A game that opponents with open eyes have played so far."""
    game = kursbuch.new("rocket", ["Anna", "Bernd"], seed=seed)
    players = [make("careless", seed=seat) for seat in range(2)]
    while len(game.moves) < moves and not game.over:
        seat = game.pending[0].seat
        game.apply(players[seat].choose(game.view(seat)))
    return game


def searched(position: Position[RocketState], budget: int) -> tuple[dict[Action, float], Tree]:
    seat = position.deciders()[0]
    leaf_value = position.title.evaluator.leaf_value
    actions = candidates(position.legal_actions(seat), position)
    worth = {action: advantage(outlook(position, action, leaf_value), seat) for action in actions}
    now = advantage(leaf_value(position.state), seat)
    gains = {action: value - now for action, value in worth.items()}
    search = Tree(seat, leaf_value, lambda looked_at: looked_at / budget)
    ranking = search.ranking(position.clone(), worth, worthwhile(position.title, gains))
    values = [ranked.value for ranked in ranking]
    assert values == sorted(values, reverse=True)
    return {ranked.action: ranked.value for ranked in ranking}, search


def heap_worth(state: Any) -> list[float]:
    """Who has taken the last piece, before the end the pieces taken."""
    if not state.agenda:
        return [100.0 * state.ledger.held("points", str(each)) for each in range(2)]
    return [float(state.ledger.held("coal", str(each))) for each in range(2)]


@pytest.mark.parametrize("taken", range(12))
def test_what_is_known_to_the_end_is_taken_as_it_is(
    taken: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a heap of twelve, from which one to three pieces are taken, the last one wins: anyone who leaves a multiple of
    four does, although a search that believes in pieces thinks little of taking few."""
    game = Game(documented.coal(tmp_path, monkeypatch), ["Anna", "Bernd"], seed="1")
    Take: Any = import_module("coal.state").Take
    for _ in range(taken):
        game.apply(Take(game.pending[0].seat, 1))
    position, seat, left = game.position, game.pending[0].seat, 12 - taken
    actions = candidates(position.legal_actions(seat))
    worth = {action: advantage(outlook(position, action, heap_worth), seat) for action in actions}
    order = sorted(worth, key=worth.__getitem__, reverse=True)
    if left > 4:
        assert order[0] == Take(seat, 3)
    ranking = Tree(seat, heap_worth, lambda looked_at: looked_at / 1000).ranking(
        position, worth, order
    )
    if len(actions) > 1 and left % 4:
        assert ranking[0].action == Take(seat, left % 4)
        assert ranking[0].value > 50
    elif len(actions) > 1:
        assert ranking[0].value < -50
    if left <= 4:
        assert ranking[0].value == (100 if left % 4 else -100)


def test_the_budget_is_kept() -> None:
    position = late(1, 30).position
    for budget in (1, 7, 40):
        _, search = searched(position, budget)
        assert search.looked_at == budget


def test_replies_are_those_searched_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(documented.coal(tmp_path, monkeypatch), ["Anna", "Bernd"], seed="1")
    Take: Any = import_module("coal.state").Take
    for _ in range(6):
        game.apply(Take(game.pending[0].seat, 1))
    position, seat = game.position, game.pending[0].seat
    tree = Tree(seat, heap_worth, float)
    assert tree.reply(position, random.Random(1)) is None
    assert tree.explore(position.clone(), 1) == 0
    assert tree.explore(position.clone(), 100) > 50
    assert tree.reply(position, random.Random(1)) == Take(seat, 2)


def test_nobody_is_expected_to_object() -> None:
    game = late(1, 80)
    number = next(
        number for number, move in enumerate(game.moves) if isinstance(move.action, CallVeto)
    )
    _, search = searched(game.at(number - 1), 40)
    assert search.nodes
    for node in search.nodes.values():
        state = node.position.state
        assert not (state.agenda and isinstance(state.agenda[-1], Objection))


def test_what_everything_that_can_follow_is_worth_is_known() -> None:
    """A position is worth what the player who decides makes of it, as soon as all that can follow is known."""
    position = late(1, 30).position
    decider = position.deciders()[0]
    action = candidates(position.legal_actions(decider), position)[0]
    for seat, worth in ((decider, 3.0), (1 - decider, 1.0)):
        search = Tree(seat, position.title.evaluator.leaf_value, float)
        node = Node(position)
        node.ways = [Way(action, 0.0, Node(position)) for _ in range(2)]
        first, second = (way.after for way in node.ways)
        assert isinstance(first, Node)
        assert isinstance(second, Node)
        first.final = 3.0
        search._conclude(node)
        assert node.final is None
        second.final = 1.0
        search._conclude(node)
        assert node.final == worth


def test_searching_changes_nothing() -> None:
    position = late(2, 30).position
    before = position.title.encode(position.state)
    searched(position, 40)
    assert position.title.encode(position.state) == before


def test_what_is_as_good_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of actions that are nearly equal each is chosen now and then."""
    monkeypatch.setattr(game_tree, "EQUAL", 1.0)
    for moves in range(20, 60):
        game = late(1, moves)
        found, search = searched(game.position, 60)
        if len(search.even) > 1:
            break
    assert len(search.even) > 1
    assert max(found, key=found.__getitem__) in search.even
    monkeypatch.setattr(game_tree, "EQUAL", 1000.0)
    assert len(searched(game.position, 60)[1].even) < game_tree.BRANCHES  # some are rarely followed
    monkeypatch.setattr(game_tree, "EQUAL", 1.0)
    view = game.view(game.pending[0].seat)
    chosen = {make("mcts:60", seed=seed).choose(view) for seed in range(20)}
    assert len(chosen) > 1
    assert chosen <= set(search.even)
