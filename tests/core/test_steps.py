"""What the core does with the rules of steps: choices without a problem, the hook after every step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import kursbuch
from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.chance import SeededChance
from kursbuch.core.errors import IllegalAction
from kursbuch.core.game import Game
from kursbuch.core.play import Play, StepRules
from kursbuch.core.position import Position
from kursbuch.core.state import Step


class Guess(Action, frozen=True, tag="guess"):
    AMOUNT = "number"

    number: int


class Odd(StepRules[Any, Step]):
    """Only odd numbers are allowed."""

    def candidates(self, state: Any, step: Step, seat: int) -> Iterator[Choice]:
        yield from (Choice(Guess(seat, number)) for number in range(4))
        yield Choice(Guess(seat, 11), Range(11, 19, 2))
        yield Choice(Guess(seat, 12), Range(12, 20, 2))

    def problem(self, state: Any, step: Step, action: Action) -> IllegalAction | None:
        if not isinstance(action, Guess):
            return super().problem(state, step, action)
        if action.number % 2:
            return None
        return IllegalAction("odd", "{number} is even.", number=action.number)


def test_choices_are_the_candidates_without_a_problem() -> None:
    choices = Odd().choices(None, Step(), 1)
    assert choices == [
        Choice(Guess(1, 1)),
        Choice(Guess(1, 3)),
        Choice(Guess(1, 11), Range(11, 19, 2)),
    ]


def test_an_action_of_another_step_does_not_fit() -> None:
    problem = Odd().problem(None, Step(), Action(1))
    assert problem is not None
    assert (problem.rule, str(problem)) == ("", ("This action is not possible at this point."))


def test_a_position_raises_the_problem_it_names() -> None:
    game = kursbuch.new("rocket", players=["Anna", "Bernd"], seed=7)
    action = game.parse("Anna extends GWR to D13")
    problem = game.position.problem(action)
    assert problem is not None
    assert problem.reference.startswith("rocket:")
    with pytest.raises(IllegalAction) as refused:
        game.position.check(action)
    assert (refused.value.reference, str(refused.value)) == (problem.reference, str(problem))
    assert game.position.problem(game.parse("Anna takes Manchester")) is None


def test_the_title_is_told_of_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """The opening, run; a move, performed; and what follows from it, run."""
    title = kursbuch.title("rocket")
    seen: list[str] = []

    def after_step(play: Play[Any]) -> None:
        top = play.state.agenda[-1] if play.state.agenda else None
        seen.append(type(top).__name__)

    monkeypatch.setattr(title, "after_step", after_step)
    game = Game(title, ["Anna", "Bernd"], seed="7")
    assert seen == ["Turn"]
    game.apply(game.parse("Anna takes Manchester"))
    assert seen == ["Turn", "Turn"]
    position = Position(title, title.clone(game.state), SeededChance("7"))
    for choice in position.legal_actions(0):
        if type(choice.action).__name__ == "ExtendLine":
            position.apply(choice.action)
            break
    # No one can object: the line is extended, the move settled, and the turn passes on.
    assert seen[2:] == ["Settlement", "Turn", "Turn"]
