"""How computer opponents imagine the rest of a phase: legal, to its end, without what is hidden."""

from __future__ import annotations

import random

import pytest

import kursbuch
from kursbuch.bots import make
from kursbuch.core.game import Game
from kursbuch.games.nimm import TITLE
from kursbuch.games.nimm.actions import Bid, Keep, Take, UseTarget
from kursbuch.games.nimm.evaluation import NimmPlayout
from kursbuch.games.nimm.state import (
    Draft,
    FirstBid,
    NimmState,
    OpenAuction,
    SealedBids,
    Turn,
)
from tests.games.nimm.scenario import Scene

NAMES = ("Anna", "Bernd", "Clara", "Dirk", "Ede", "Fritz")


def played(seed: int, players: int, moves: int, **options: str) -> Game:
    """A game some moves after its start, or just before its end."""
    game = kursbuch.new("nimm", NAMES[:players], seed, options)
    bot = make("random", seed)
    while len(game.moves) < moves and not game.over:
        game.apply(bot.choose(game.view(game.pending[0].seat)))
    if game.over:
        game.undo()
    return game


def imagined(state: NimmState, seed: int = 1) -> NimmPlayout:
    return NimmPlayout(TITLE.cards, state, random.Random(seed))


@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize("auctions", ["calls", "rounds"])
def test_playouts_are_legal_and_come_to_the_end_of_the_phase(players: int, auctions: str) -> None:
    for seed in range(30):
        game = played(seed, players, 7 * seed, open_auction=auctions)
        state = game.view(game.pending[0].seat).determinize(random.Random(seed))
        playout, buying, number = imagined(state.state), not state.state.order, state.state.round
        for _ in range(400):
            action = None if state.over else playout.action(state.state, state.deciders()[0])
            if action is None:
                break
            assert state.problem(action) is None
            state.perform(action)
        assert state.over or (state.state.order if buying else state.state.round == number + 1)
        assert len(playout.worth(state.state)) == players


def test_open_bids_jump_to_what_a_rival_will_pay() -> None:
    """No one climbs to it in the smallest steps."""
    game = kursbuch.new("nimm", NAMES[:3], "n3", {"open_auction": "calls"})
    bots = [make("greedy", seat) for seat in range(3)]
    raises: list[list[int]] = []
    while len(game.moves) < 60:
        step = game.state.agenda[-1]
        action = bots[game.pending[0].seat].choose(game.view(game.pending[0].seat))
        if isinstance(step, FirstBid):
            raises.append([])
        elif isinstance(step, OpenAuction) and isinstance(action, Bid):
            raises[-1].append(action.amount - step.bid)
        game.apply(action)
    assert max(map(len, raises)) <= 14
    assert max(map(max, filter(None, raises))) >= 500


@pytest.mark.rule("nimm:auction-sealed-2")
def test_what_is_hidden_from_a_seat_does_not_matter() -> None:
    """Others' money, and what they have bid secretly: that is drawn again, within what they may bid."""
    scene = Scene(2).coming("E3", "D5", "S5").auction("sealed")
    scene.do("A offers D5", "A bids 500")
    state = scene.state
    answer = imagined(state).action(state, 1)
    step = state.agenda[-1]
    assert isinstance(step, SealedBids)
    guessed = step.answers[0]
    assert guessed is not None
    assert scene.title.cards.locomotive["D5"].power <= guessed <= scene.purse("A")
    step.answers[0] = 5000
    assert imagined(state).action(state, 1) == answer
    assert step.answers[0] == guessed
    scene.money(A=900)
    assert imagined(state).action(state, 1) == answer


def test_a_round_that_is_over_is_not_gone_on_with() -> None:
    """What the next auction may bring is not held against the wagon that ends a round."""
    game = played(3, 2, 60)
    while game.pending[0].step != "turn":
        game.undo()
    state = game.state
    playout = imagined(state)
    state.round += 1
    assert playout.action(state, game.pending[0].seat) is None


@pytest.mark.rule("nimm:target-use-1")
def test_fulfilled_targets_are_handed_in_at_once_and_others_sought() -> None:
    scene = Scene(2).own(A="D5 D1 S1", B="E3 S4 S5").load("A", 1, "coal200 coal150")
    scene.open("coal150 oil200 food50").tiles(A="9").turn("A", "A B")
    state = scene.state
    assert imagined(state).action(state, 0) == Take(0, "coal150", 1)
    scene.do("A takes coal150 for train 1")
    state.agenda[-1] = Turn(0, False)
    assert imagined(state).action(state, 0) == UseTarget(0, "target-9")


@pytest.mark.rule("nimm:auction-pass-5")
def test_locomotives_whose_price_is_above_their_worth_are_passed_on() -> None:
    scene = Scene(2).coming("E5", "S4", "E4", "S1", "S2", "S3").run(Draft(0, {}))
    assert imagined(scene.state).action(scene.state, 0) == Keep(0, "S4")
