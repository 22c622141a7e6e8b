"""Jobs that run in bot processes. Imports nothing of the server."""

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
    """A position as one seat knows it, and who is to think about it; with a `seed`, always with the same
    chance."""

    title: str
    data: bytes | None
    state: bytes
    seat: int
    names: tuple[str, ...]
    spec: str
    seed: int | None = None

    def view(self) -> View:
        """The view that was sent."""
        title = title_with_data(self.title, self.data)
        return View(title, title.decode(self.state), self.seat, self.names)


def make_job(view: View, data: bytes | None, spec: str, seed: int | None = None) -> Job:
    """The job of thinking about a view."""
    assert view.seat is not None
    state = view.title.encode(view.state)
    return Job(view.title.id, data, state, view.seat, view.names, spec, seed)


def choose(job: Job) -> dict[str, Any]:
    """The action a bot chooses, as JSON."""
    from kursbuch.bots import make

    view = job.view()
    return view.title.action_to_json(make(job.spec).choose(view))


def volunteer(job: Job) -> dict[str, Any] | None:
    """What a bot does although nobody waits for it, as JSON."""
    from kursbuch.bots import make

    view = job.view()
    action = make(job.spec).volunteer(view)
    return None if action is None else view.title.action_to_json(action)


def advise(job: Job) -> Any:
    """What a bot advises, and why (`kursbuch.bots.advice`)."""
    from kursbuch.bots.advice import advise

    return advise(job.view(), job.spec, job.seed)


def weigh(point: Any) -> Any:
    """A point of a review, weighed (`kursbuch.bots.review`)."""
    from kursbuch.bots import review

    return review.weigh(point)


#: So many seconds are spent on the best trains of one request.
LONGEST_SEARCH = 6.0


class PlanJob(msgspec.Struct, frozen=True):
    """A position set up by hand, and the companies whose best runs are to be found."""

    plan: Plan
    companies: tuple[str, ...]


def best_trains(job: PlanJob) -> list[Earned]:
    """The best runs of these companies. `TimeoutError` if the search takes too long, where the
    system has an alarm clock for it."""
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
    """Some legal action, for when thinking fails: the game must go on."""
    choice = random.choice(view.legal_actions())
    return view.title.action_to_json(next(choice.actions()))


def timed(function: Callable[[JobT], ResultT], job: JobT) -> tuple[ResultT, float]:
    """The result of a function of this module, and the seconds of the processor it took."""
    started = time.process_time()
    return function(job), time.process_time() - started


def begin(nice: int = 0) -> None:
    """Prepare a process: it ends with the server, leaves Ctrl-C to it, and is as `nice` to other
    processes where the system knows of that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    kursbuch.titles()  # so that the first thought takes no longer than others
    tune_garbage_collector()
    exit_with_parent()
