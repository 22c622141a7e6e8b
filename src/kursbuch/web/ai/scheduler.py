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
from kursbuch.web.http.queues import FairScheduler
from kursbuch.web.ops.metrics import QUEUED, THINKING, THOUGHTS, timed

JobT = TypeVar("JobT")
ResultT = TypeVar("ResultT")

#: How often thinking about a move is tried.
ATTEMPTS = 3

#: Moves that take the computer less than so many seconds do not wait behind longer ones.
SHORT = 0.5

#: What a move of an opponent costs, in seconds, until it has been seen.
GUESSES = {"random": 0.01, "careless": 0.1, "greedy": 0.1}
UNKNOWN = 1.0

#: What somebody asks the computer costs about so many seconds.
QUESTION = 0.6

#: How much the last time counts for what is expected the next time.
LATEST = 0.2

#: Pages come before thinking, and everything before reviews.
NICE, NICEST = 10, 19

#: The lanes: quick moves, long ones, what people ask the computer, and reviews of games that are over.
QUICK, LONG, ASKED, REVIEWED = "quick", "long", "asked", "reviewed"
log = logging.getLogger(__name__)


class AiScheduler:
    """Processes for thinking, some for each lane; they are started when they are first needed.

    With an `allowance` no owner of tables gets more than so many seconds of thinking a minute.
    """

    def __init__(self, processes: int | None = None, allowance: float | None = None) -> None:
        count = processes or max(1, min(4, (os.cpu_count() or 2) - 1))
        #: Reviews may take every core: whatever else is to be done comes first.
        self.reviewers = processes or max(1, min(4, os.cpu_count() or 1))
        self._counts = {QUICK: count, LONG: count, ASKED: 1, REVIEWED: self.reviewers}
        self._turns = {
            lane: FairScheduler(places, allowance) for lane, places in self._counts.items()
        }
        self._executors: dict[str, ProcessPoolExecutor] = {}
        self._costs: dict[tuple[str, str], float] = {}

    # ---- whose turn it is

    @asynccontextmanager
    async def moving(
        self,
        title: str,
        bots: Sequence[str],
        owner: str,
        table_id: str,
        watched: Callable[[], bool],
    ) -> AsyncIterator[None]:
        """A turn for moves of these opponents at a table."""
        cost = max((self.expected(title, bot) for bot in bots), default=0.0)
        async with self._turn(self._lane(cost), owner, table_id, cost, watched):
            yield

    @asynccontextmanager
    async def asking(self, visitor: str) -> AsyncIterator[None]:
        """A turn for a question of somebody."""
        async with self._turn(ASKED, visitor, visitor, QUESTION, lambda: True):
            yield

    @asynccontextmanager
    async def _turn(
        self, lane: str, owner: str, table_id: str, cost: float, watched: Callable[[], bool]
    ) -> AsyncIterator[None]:
        """A turn in a lane; who waits for one is counted."""
        async with AsyncExitStack() as stack:
            with QUEUED.labels(lane).track_inprogress():
                turn = self._turns[lane].turn(owner, table_id, cost, watched)
                await stack.enter_async_context(turn)
            yield

    def expected(self, title: str, bot: str) -> float:
        """How long an opponent thinks about a move, in seconds."""
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

    # ---- thinking

    async def think(self, function: Callable[[JobT], ResultT], job: JobT) -> ResultT:
        """The result of a function of `thinking`, computed elsewhere."""
        with THOUGHTS.track_inprogress(), timed(THINKING.labels(function.__name__)):
            return await self._think(function, job)

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
            # Not by forking, which copies locks and connections of the server in any condition.
            self._executors[lane] = ProcessPoolExecutor(
                self._counts[lane],
                mp_context=multiprocessing.get_context("spawn"),
                initializer=bot_jobs.begin,
                initargs=(NICEST if lane == REVIEWED else NICE,),
            )
        return self._executors[lane]

    async def stop(self) -> None:
        """End the processes. They finish the thought they are in, which takes a moment; without
        waiting for them, a server that is ended by a signal leaves their semaphores behind."""
        executors, self._executors = list(self._executors.values()), {}
        for executor in executors:
            executor.shutdown(wait=False, cancel_futures=True)
        for executor in executors:
            await asyncio.to_thread(executor.shutdown, wait=True)
        if executors:
            executors.clear()
            del executor
            gc.collect()
