"""The search of games of two in which nothing is left to chance."""

from __future__ import annotations

import pytest

import kursbuch
from kursbuch.bots import deepening, make
from kursbuch.bots.base import advantage, candidates, outlook, worthwhile
from kursbuch.bots.deepening import Deepening, Node
from kursbuch.core.actions import Action
from kursbuch.core.game import Game
from kursbuch.core.position import Position
from kursbuch.rocket.state import RocketState

#: Positions looked at: more than any search of these tests needs.
MANY = 5000


class Exhaustive(Deepening):
    """The same without leaving anything out."""

    def _value(self, node: Node, depth: int, alpha: float, beta: float) -> float:
        if node.seat < 0:
            return advantage(self.valuation(node.position.state), self.seat)
        ways = self._ways(node)
        if depth == 1 and not node.unsettled:
            return ways[0][0]
        rest = depth if node.unsettled else depth - 1
        values = []
        for number, (worth, after) in enumerate(ways[: deepening.ANSWERS]):
            reached = self._node(after) if isinstance(after, Position) else after
            ways[number] = worth, reached
            values.append(self._value(reached, rest, alpha, beta))
        return max(values) if node.seat == self.seat else min(values)


def late(seed: int, moves: int) -> Game:
    """A game that opponents with open eyes have played so far."""
    game = kursbuch.new("rocket", ["Anna", "Bernd"], seed=seed)
    players = [make("careless", seed=seat) for seat in range(2)]
    while len(game.moves) < moves:
        seat = game.pending[0].seat
        game.apply(players[seat].choose(game.view(seat)))
    return game


def searched(
    kind: type[Deepening], position: Position[RocketState], budget: int
) -> tuple[dict[Action, float], Deepening]:
    seat = position.deciders()[0]
    foresee = position.title.judge.foresee
    actions = candidates(position.legal_actions(seat), position)
    worth = {action: advantage(outlook(position, action, foresee), seat) for action in actions}
    now = advantage(foresee(position.state), seat)
    gains = {action: value - now for action, value in worth.items()}
    search = kind(seat, foresee, lambda looked_at: looked_at / budget)
    ranking = search.ranking(position.clone(), worth, worthwhile(position.title, gains))
    values = [ranked.value for ranked in ranking]
    assert values == sorted(values, reverse=True)
    return {ranked.action: ranked.value for ranked in ranking}, search


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nothing_is_lost_by_leaving_out(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The best action and its value are those of a search that looks at everything; less is looked at."""
    monkeypatch.setattr(deepening, "DEEPEST", 4)
    monkeypatch.setattr(deepening, "RECOMPUTED", 1000)
    position = late(seed, 30).position
    all_found, exhaustive = searched(Exhaustive, position, MANY)
    found, search = searched(Deepening, position, MANY)
    best = max(found, key=found.__getitem__)
    assert found[best] == pytest.approx(max(all_found.values()))
    assert all_found[best] == pytest.approx(found[best])
    assert search.looked_at < exhaustive.looked_at


def test_the_budget_is_kept() -> None:
    position = late(1, 30).position
    for budget in (1, 7, 40):
        _, search = searched(Deepening, position, budget)
        assert search.looked_at == budget


def test_searching_changes_nothing() -> None:
    position = late(2, 30).position
    before = position.title.encode(position.state)
    searched(Deepening, position, 40)
    assert position.title.encode(position.state) == before


def test_what_is_as_good_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Actions that are nearly equal are looked at exactly, and each of them is chosen now and then."""
    monkeypatch.setattr(deepening, "DEEPEST", 3)
    monkeypatch.setattr(deepening, "RECOMPUTED", 1000)
    monkeypatch.setattr(deepening, "EQUAL", 0.5)
    game = next(
        game
        for game in (late(1, moves) for moves in range(20, 40))
        if len(game.position.legal_actions(game.pending[0].seat)) > 20
    )
    found, search = searched(Deepening, game.position, MANY)
    exact, _ = searched(Exhaustive, game.position, MANY)
    assert len(search.even) > 1
    assert {action: found[action] for action in search.even} == {
        action: pytest.approx(exact[action]) for action in search.even
    }
    view = game.view(game.pending[0].seat)
    chosen = {make("mcts:1000", seed=seed).choose(view) for seed in range(20)}
    assert len(chosen) > 1
    assert chosen <= set(search.even)
