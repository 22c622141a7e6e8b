"""Jobs that run in bot processes. This module imports nothing of the server."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

import kursbuch
from kursbuch.core.game import View
from kursbuch.core.planner import Earned, Plan
from kursbuch.core.processes import exit_with_parent, tune_garbage_collector
from kursbuch.core.registry import title_with_data

JobT = TypeVar("JobT")
ResultT = TypeVar("ResultT")


class Job(msgspec.Struct, frozen=True):
    """A position as one seat sees it, and the bot that plays it. With a `seed` the answer is reproducible."""

    title: str
    data: bytes | None
    state: bytes
    seat: int
    names: tuple[str, ...]
    spec: str
    seed: int | None = None

    def view(self) -> View:
        """Return the view of the job."""
        title = title_with_data(self.title, self.data)
        return View(title, title.decode(self.state), self.seat, self.names)


def make_job(view: View, data: bytes | None, spec: str, seed: int | None = None) -> Job:
    """Return the job for a view."""
    assert view.seat is not None
    state = view.title.encode(view.state)
    return Job(view.title.id, data, state, view.seat, view.names, spec, seed)


def choose(job: Job) -> dict[str, Any]:
    """Return the action a bot chooses, as JSON."""
    from kursbuch.bots import make

    view = job.view()
    return view.title.action_to_json(make(job.spec).choose(view))


def volunteer(job: Job) -> dict[str, Any] | None:
    """Return a voluntary action of a bot as JSON, None if it has none."""
    from kursbuch.bots import make

    view = job.view()
    action = make(job.spec).volunteer(view)
    return None if action is None else view.title.action_to_json(action)


def advise(job: Job) -> Any:
    """Return a bot's advice with its reasons (`kursbuch.bots.advice`)."""
    from kursbuch.bots.advice import advise

    return advise(job.view(), job.spec, job.seed)


def weigh(point: Any) -> Any:
    """Evaluate a point of a review (`kursbuch.bots.review`)."""
    from kursbuch.bots import review

    return review.weigh(point)


#: Time limit of the search for best trains in one request, in seconds.
LONGEST_SEARCH = 6.0


class PlanJob(msgspec.Struct, frozen=True):
    """A position set up by hand, and the companies whose best runs are wanted."""

    plan: Plan
    companies: tuple[str, ...]


def best_trains(job: PlanJob) -> list[Earned]:
    """Return the best runs of these companies. Raises `TimeoutError` after `LONGEST_SEARCH`
    seconds, on systems with an interval timer."""
    planner = kursbuch.title(job.plan.title).planner
    assert planner is not None
    alarm = getattr(signal, "setitimer", None)
    if alarm is not None:
        signal.signal(signal.SIGALRM, _too_long)
        alarm(signal.ITIMER_REAL, LONGEST_SEARCH)
    try:
        return [planner.best(job.plan, company) for company in job.companies]
    finally:
        if alarm is not None:
            alarm(signal.ITIMER_REAL, 0)


def _too_long(number: int, frame: object) -> None:
    raise TimeoutError


def any_move(view: View) -> dict[str, Any]:
    """Return a random legal action, for when a bot fails: the game must go on."""
    choice = random.choice(view.legal_actions())
    return view.title.action_to_json(next(choice.actions()))


def timed(function: Callable[[JobT], ResultT], job: JobT) -> tuple[ResultT, float]:
    """Return the result of a job and the CPU seconds it took."""
    started = time.process_time()
    return function(job), time.process_time() - started


def begin(nice: int = 0) -> None:
    """Initialise a process. It ends with the server, ignores Ctrl-C, and lowers its priority by `nice`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    dict(kursbuch.titles())  # loaded before the first job
    tune_garbage_collector()
    exit_with_parent()
