"""Process pool for bot moves, with priority lanes."""

from __future__ import annotations

import asyncio
import gc
import logging
import multiprocessing
import os
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeVar

from kursbuch.core.processes import signals_blocked
from kursbuch.web.ai import jobs as bot_jobs
from kursbuch.web.http.admission import aside, this_client
from kursbuch.web.http.fair_scheduler import FairScheduler, Share
from kursbuch.web.ops.metrics import QUEUED, THINKING, THOUGHTS, timed

JobT = TypeVar("JobT")
ResultT = TypeVar("ResultT")

#: Number of attempts for a job.
ATTEMPTS = 3

#: Moves expected to take less than this many seconds go to the quick lane.
SHORT = 0.5

#: Expected duration of a bot's first move, in seconds.
GUESSES = {"random": 0.01, "careless": 0.1, "greedy": 0.1}
UNKNOWN = 1.0

#: Expected duration of a question, in seconds.
QUESTION = 0.6

#: Weight of the last duration in the expected one.
LATEST = 0.2

#: Nice levels: pages before bots, and everything before reviews.
NICE, NICEST = 10, 19

#: Lanes: quick moves, long moves, questions, and reviews of finished games.
QUICK, LONG, ASKED, REVIEWED = "quick", "long", "asked", "reviewed"
log = logging.getLogger(__name__)


class AiScheduler:
    """Bot processes, started on first use, in one pool per lane.

    `allowance` limits the thinking time of each owner of tables, in seconds a minute.
    """

    def __init__(self, processes: int | None = None, allowance: float | None = None) -> None:
        count = processes or max(1, min(4, (os.cpu_count() or 2) - 1))
        #: Reviews may use every core, because they have the lowest priority.
        self.reviewers = processes or max(1, min(4, os.cpu_count() or 1))
        self._counts = {QUICK: count, LONG: count, ASKED: 1, REVIEWED: self.reviewers}
        share = allowance and Share(allowance / 60, allowance, strict=True)
        self._turns = {
            lane: FairScheduler(places, share or None) for lane, places in self._counts.items()
        }
        self._executors: dict[str, ProcessPoolExecutor] = {}
        self._costs: dict[tuple[str, str], float] = {}

    @asynccontextmanager
    async def moving(
        self,
        title: str,
        bots: Sequence[str],
        owner: str,
        table_id: str,
        watched: Callable[[], bool],
    ) -> AsyncIterator[None]:
        """Hold a turn for moves of these bots at a table."""
        cost = max((self.expected(title, bot) for bot in bots), default=0.0)
        async with self._turn(self._lane(cost), owner, table_id, cost, watched):
            yield

    @asynccontextmanager
    async def asking(self) -> AsyncIterator[None]:
        """Hold a turn for a client's question."""
        async with self._turn(ASKED, *this_client(), QUESTION, lambda: True):
            yield

    @asynccontextmanager
    async def _turn(
        self, lane: str, owner: str, table_id: str, cost: float, watched: Callable[[], bool]
    ) -> AsyncIterator[None]:
        """Hold a turn in a lane, and count those who wait."""
        async with AsyncExitStack() as stack:
            with QUEUED.labels(lane).track_inprogress():
                turn = self._turns[lane].turn(owner, table_id, cost, watched)
                await aside(stack.enter_async_context(turn))
            yield

    def expected(self, title: str, bot: str) -> float:
        """Return the expected duration of a bot's move, in seconds."""
        known = self._costs.get((title, bot))
        if known is not None:
            return known
        _, _, budget = bot.partition(":")
        if budget.endswith("ms") and budget[:-2].isdecimal():
            return int(budget[:-2]) / 1000
        return GUESSES.get(bot, UNKNOWN)

    @staticmethod
    def _lane(cost: float) -> str:
        return QUICK if cost < SHORT else LONG

    async def think(self, function: Callable[[JobT], ResultT], job: JobT) -> ResultT:
        """Run a function of `jobs` in a bot process and return its result."""
        with THOUGHTS.track_inprogress(), timed(THINKING.labels(function.__name__)):
            return await aside(self._think(function, job))

    async def _think(self, function: Callable[[JobT], ResultT], job: JobT) -> ResultT:
        lane, key = ASKED, None
        if function is bot_jobs.weigh:
            lane = REVIEWED
        if isinstance(job, bot_jobs.Job) and function in (bot_jobs.choose, bot_jobs.volunteer):
            key = (job.title, job.spec)
            lane = self._lane(self.expected(*key))
        loop = asyncio.get_running_loop()
        for attempt in range(ATTEMPTS):
            executor = self._ready(lane)
            try:
                with signals_blocked():
                    future = loop.run_in_executor(executor, bot_jobs.timed, function, job)
                found, took = await future
            except BrokenProcessPool:
                log.warning("A thinking process ended unexpectedly.")
                if self._executors.get(lane) is executor:
                    del self._executors[lane]
                executor.shutdown(wait=False, cancel_futures=True)
                if attempt + 1 == ATTEMPTS:
                    raise
            else:
                if key is not None:
                    self._costs[key] = self.expected(*key) * (1 - LATEST) + took * LATEST
                return found
        raise AssertionError("not reached")

    def _ready(self, lane: str) -> ProcessPoolExecutor:
        if lane not in self._executors:
            # Spawned: forking would copy locks and connections of the server.
            self._executors[lane] = ProcessPoolExecutor(
                self._counts[lane],
                mp_context=multiprocessing.get_context("spawn"),
                initializer=bot_jobs.begin,
                initargs=(NICEST if lane == REVIEWED else NICE,),
            )
        return self._executors[lane]

    async def stop(self) -> None:
        """Stop the processes. They finish their current job; without waiting for them, a server
        stopped by a signal would leak their semaphores."""
        executors, self._executors = list(self._executors.values()), {}
        for executor in executors:
            executor.shutdown(wait=False, cancel_futures=True)
        for executor in executors:
            await asyncio.to_thread(executor.shutdown, wait=True)
        if executors:
            executors.clear()
            del executor
            gc.collect()
