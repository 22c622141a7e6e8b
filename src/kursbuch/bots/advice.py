"""Hints: the best action of a bot with its plan, compared with the runner-up by playouts. The result is plain data."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from kursbuch.bots.bot import Ranked
from kursbuch.bots.estimates import credible, noise
from kursbuch.bots.registry import make
from kursbuch.bots.review.positions import (
    PlayoutResult,
    Verdict,
    run_playouts,
    verdict_by_evaluation,
    verdict_by_playouts,
)
from kursbuch.core.actions import Action
from kursbuch.core.evaluator import Plan
from kursbuch.core.game import View
from kursbuch.core.words import LANGUAGES, Words

#: Maximum number of playouts after each of the two actions.
PLAYOUTS = 16

#: Decisions per playout: few, so that the action's own effect shows, and fewer if longer playouts vary too much. In
#: titles that evaluate actions directly, every small step is a decision.
DECISIONS = (8, 3)
EVALUATED_DECISIONS = (40,)

#: CPU seconds within which new playouts start.
SECONDS = 0.2

#: Minimum reported gain in standard errors.
CLEARLY = 2.0


class Advice(msgspec.Struct, frozen=True):
    """The actions considered, best first (`Ranked`), and the clear gain of the best over the next, if any. `gain` is
    its range, None if the two are about equal or the estimate is not credible; `plan` says by language what the best
    action is the beginning of, empty for a plain action."""

    choices: tuple[tuple[dict[str, Any], float], ...]
    verdict: Verdict | None = None
    gain: tuple[float, float] | None = None
    plan: dict[str, str] = {}


def advise(view: View, spec: str, seed: int | None = None, seconds: float = SECONDS) -> Advice:
    """Ask the bot of a specification for advice to the viewer, who must have a decision. Comparing may take `seconds`
    beyond its thinking time.

    >>> import kursbuch
    >>> game = kursbuch.new("dice", ["Anna", "Bernd"], seed=7)
    >>> advice = advise(game.view(game.pending[0].seat), "greedy", seed=1)
    >>> advice.choices[0][1] >= advice.choices[-1][1]
    True
    """
    ranking = make(spec, seed).rank(view)
    choices = tuple((view.title.action_to_json(each.action), each.value) for each in ranking)
    verdict = compare(view, ranking, seed, seconds)
    plan = ranking[0].plan or _plan(view, ranking)
    said: dict[str, str] = {}
    if plan is not None and plan.SENTENCE is not None:
        said = {
            language: view.title.voice(Words(language, view.names)).plan(plan)
            for language in LANGUAGES
        }
    return Advice(choices, verdict, gain_range(view, ranking, verdict), said)


def _plan(view: View, ranking: Sequence[Ranked]) -> Plan | None:
    """The first of the title's plans that begin with the best action."""
    assert view.seat is not None
    state = view.determinize(random.Random(0)).state
    values = {each.action: each.value for each in ranking}
    plans = view.title.evaluator.plans(state, view.seat, values) or ()
    return next((plan for plan in plans if plan.first == ranking[0].action), None)


def gain_range(
    view: View, ranking: Sequence[Ranked], verdict: Verdict | None
) -> tuple[float, float] | None:
    """Range of the gain of the best action over the next: that of the playouts, or of the evaluation. None if the two
    are about equal, or if it is more than such an estimate can know."""
    if len(ranking) < 2:
        return None
    values = [each.value for each in ranking]
    gain, width = values[0] - values[1], noise(view, values)
    if gain <= width:
        return None
    if verdict is not None and verdict.error > 0:
        gain, width = verdict.cost, CLEARLY * verdict.error
    return (max(0.0, gain - width), gain + width) if gain + width <= credible(view) else None


def compare(
    view: View, ranking: Sequence[Ranked], seed: int | None, seconds: float
) -> Verdict | None:
    """Gain of the best action over the next; None if they are about equal or playouts do not confirm it."""
    assert view.seat is not None
    values = [each.value for each in ranking]
    if len(ranking) < 2 or values[0] - values[1] <= noise(view, values):
        return None
    title, (best, following) = view.title, [each.action for each in ranking[:2]]
    worth = {each.action: each.value for each in ranking}
    rng = random.Random(seed)
    debatable = title.evaluator.debatable(view.determinize(rng).state, worth)
    if best not in debatable or following not in debatable:
        return verdict_by_evaluation(title, worth, [best], following)

    lengths = EVALUATED_DECISIONS if title.evaluator.evaluates_actions else DECISIONS
    for decisions in lengths:
        seeds = _seeds(rng, seconds / len(lengths))
        lines = run_playouts(view, [best, following], decisions, seeds)
        if lines[best]:
            own: dict[tuple[Action, ...], list[PlayoutResult]] = {(following,): lines[following]}
            rivals: dict[tuple[Action, ...], list[PlayoutResult]] = {(best,): lines[best]}
            verdict = verdict_by_playouts(title, view.seat, own, rivals, 0.0)
            if verdict.cost > CLEARLY * verdict.error:
                return verdict
    return None


def _seeds(rng: random.Random, seconds: float) -> Iterator[int]:
    started = time.thread_time()
    for _ in range(PLAYOUTS):
        yield rng.getrandbits(64)
        if time.thread_time() - started >= seconds:
            return
