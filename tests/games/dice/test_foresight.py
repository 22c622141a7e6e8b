"""What is begun in a step can be finished, and only what cannot is refused."""

from __future__ import annotations

import random

import pytest

from kursbuch.core.actions import Action
from kursbuch.core.game import Game
from kursbuch.core.position import Position
from kursbuch.games.dice import TITLE, RailroadDice
from kursbuch.games.dice.actions import BuildStation, LayTrack, OpenTile
from kursbuch.games.dice.state import BEHIND, FRONT, DiceState, Turn
from kursbuch.games.dice.track import BuildingRules
from tests.games.dice.scenario import NAMES
from tests.games.dice.test_invariants import every_action


def careless() -> RailroadDice:
    """The game as it would be if no one looked ahead: every step may be begun."""
    title = RailroadDice()
    rules = title.steps[Turn]
    assert isinstance(rules, BuildingRules)
    rules.layer.foresight.can_finish = lambda now: True  # type: ignore[method-assign]
    return title


def can_be_finished(
    position: Position[DiceState], action: Action, *, stations: bool = True
) -> bool:
    """Whether an action, and anything that may follow it, leads back to the turn."""
    after = position.clone()
    after.perform(action)
    if after.over or isinstance(after.state.agenda[-1], Turn):
        return True
    (seat,) = after.deciders()
    return any(
        can_be_finished(after, each, stations=stations)
        for choice in after.legal_actions(seat)
        if stations or not isinstance(choice.action, BuildStation)
        for each in choice.actions()
    )


def deal(state: DiceState, seat: int, rng: random.Random) -> None:
    """Other dice, few of them, and other companies for a player."""
    ledger = state.ledger
    for holder in (*FRONT[seat], BEHIND[seat]):
        ledger.move("die", holder, "supply", ledger.held("die", holder))
    straight, curve, _, question = FRONT[seat]
    for holder, most in ((straight, 2), (curve, 2), (question, 2), (BEHIND[seat], 6)):
        ledger.move(
            "die", "supply", holder, min(rng.randint(0, most), ledger.held("die", "supply"))
        )
    state.directors[:] = [seat if rng.random() < 0.5 else None for _ in state.directors]


def near_lakes(seed: int) -> Game:
    """A random game in which the line comes to lakes."""
    game, rng = Game(TITLE, NAMES[:2], seed=str(seed)), random.Random(seed)
    for _ in range(rng.randint(15, 60)):
        if game.over:
            break
        seat = game.pending[0].seat
        if isinstance(game.state.agenda[-1], Turn):
            deal(game.state, seat, rng)
        choices = game.legal_actions(seat)
        lakes = [c for c in choices if isinstance(c.action, OpenTile) and c.action.tile == "lake"]
        track = [c for c in choices if isinstance(c.action, LayTrack | OpenTile)]
        game.apply(rng.choice(lakes or track or choices).action)
    return game


@pytest.mark.rule("dice:ban-1", "dice:ban-2", "dice:lake-3")
def test_a_step_is_offered_exactly_if_it_can_be_finished() -> None:
    """Compared with trying everything that may follow."""
    free = careless()
    found = {"offered": 0, "refused": 0, "with a station only": 0}
    for seed in range(80):
        game, rng = near_lakes(seed), random.Random(seed)
        if game.over or not isinstance(game.state.agenda[-1], Turn):
            continue
        seat = game.pending[0].seat
        for _ in range(3):
            deal(game.state, seat, rng)
            position = Position(free, free.clone(game.state), game.position.chance)
            offered = {each for c in game.legal_actions(seat) for each in c.actions()}
            for action in every_action(game.state, seat):
                if not begins_something(position, action):
                    continue
                good = can_be_finished(position, action)
                assert good == (action in offered), game.format(action)
                found["offered" if good else "refused"] += 1
                if good and not can_be_finished(position, action, stations=False):
                    found["with a station only"] += 1
    assert min(found["offered"], found["refused"]) > 50
    assert found["with a station only"] > 3


def begins_something(position: Position[DiceState], action: Action) -> bool:
    """Whether something must follow a piece that is only refused, if at all, for want of that."""
    if not isinstance(action, LayTrack):
        return False
    rules = position.title.steps[Turn]
    if rules.problem(position.state, position.state.agenda[-1], action) is not None:
        return False
    after = position.clone()
    after.perform(action)
    return not after.over and not isinstance(after.state.agenda[-1], Turn)


@pytest.mark.rule("dice:ban-1", "dice:ban-2", "dice:lake-3")
def test_nobody_is_ever_stuck_in_a_step() -> None:
    """Whatever is begun can be finished, in many random positions."""
    rng = random.Random(13)
    seen = set()
    for round_ in range(20):
        game = Game(TITLE, NAMES[:2], seed=f"stuck {round_}")
        for _ in range(120):
            if game.over:
                break
            (decision,) = game.pending
            choices = game.legal_actions(decision.seat)
            assert choices, decision.step
            seen.add(decision.step)
            kinds = [choice for choice in choices if isinstance(choice.action, LayTrack)]
            choice = rng.choice(kinds if kinds and rng.random() < 0.7 else choices)
            game.apply(rng.choice([*choice.actions()]))
    assert seen >= {"turn", "crossing", "joining", "bridge"}
