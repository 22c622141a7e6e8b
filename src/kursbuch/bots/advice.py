"""What a computer opponent advises, and why: its best action beside the next one, played on as a review does.
Everything comes out as plain data."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from kursbuch.bots.bot import Ranked
from kursbuch.bots.estimates import noise
from kursbuch.bots.registry import make
from kursbuch.bots.review.positions import Verdict, by_judgement, compared, courses
from kursbuch.core.game import View

#: Maximum number of courses imagined after each of the two actions.
COURSES = 16

#: Decisions in a course: few, so that what the action itself brings shows, and fewer if the longer
#: ones scatter too much. In titles that judge actions by themselves every small step is one.
DECISIONS = (8, 3)
JUDGED_DECISIONS = (40,)

#: Processor time for starting further courses, in seconds.
SECONDS = 0.2

#: Least gain that is reported, in standard errors.
CLEARLY = 2.0


class Advice(msgspec.Struct, frozen=True):
    """What was considered, best first, with what it is worth (`Ranked`), and what the best gains over the
    next; None where nothing clearly speaks for it."""

    choices: tuple[tuple[dict[str, Any], float], ...]
    verdict: Verdict | None = None


def advise(view: View, spec: str, seed: int | None = None, seconds: float = SECONDS) -> Advice:
    """What the opponent of a specification advises the viewer, who must have something to decide. It may
    compare for this many seconds beyond its thinking time.

    >>> import kursbuch
    >>> game = kursbuch.new("dice", ["Anna", "Bernd"], seed=7)
    >>> advice = advise(game.view(game.pending[0].seat), "greedy", seed=1)
    >>> advice.choices[0][1] >= advice.choices[-1][1]
    True
    """
    ranking = make(spec, seed).rank(view)
    choices = tuple((view.title.action_to_json(each.action), each.value) for each in ranking)
    return Advice(choices, compare(view, ranking, seed, seconds))


def compare(
    view: View, ranking: Sequence[Ranked], seed: int | None, seconds: float
) -> Verdict | None:
    """What the best action gains over the next one; None if they are about equal, or playing on does not
    show it."""
    values = [each.value for each in ranking]
    if len(ranking) < 2 or values[0] - values[1] <= noise(view, values):
        return None
    title, (best, following) = view.title, [each.action for each in ranking[:2]]
    worth = {each.action: each.value for each in ranking}
    rng = random.Random(seed)
    debatable = title.judge.debatable(view.determinize(rng).state, worth)
    if best not in debatable or following not in debatable:
        return by_judgement(title, worth, [best], following, 0.0)

    lengths = JUDGED_DECISIONS if title.judge.judges_actions else DECISIONS
    for decisions in lengths:
        seeds = _seeds(rng, seconds / len(lengths))
        lines = courses(view, [best, following], decisions, seeds)
        if lines[best]:
            verdict = compared(title, following, lines, 0.0, 0.0)
            if verdict.cost > CLEARLY * verdict.error:
                return verdict
    return None


def _seeds(rng: random.Random, seconds: float) -> Iterator[int]:
    started = time.thread_time()
    for _ in range(COURSES):
        yield rng.getrandbits(64)
        if time.thread_time() - started >= seconds:
            return
