"""Who does many independent pieces of work: the processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Protocol, TypeVar

from kursbuch.core.errors import KursbuchError
from kursbuch.core.processes import tune_garbage_collector

WorkT = TypeVar("WorkT")
ResultT = TypeVar("ResultT")

#: Number of queued tasks per process, so that none is idle.
WAITING = 2

#: Work is given up when processes end this many times in a row.
MOST_LOSSES = 5


class WorkerPool(Protocol):
    """A pool that runs tasks in parallel."""

    def each(
        self, function: Callable[[WorkT], ResultT], work: Iterable[WorkT]
    ) -> Iterator[ResultT]:
        """The results of a function of the top level of a module for every piece of work, as they come.
        Closing the iterator stops the work. What a process was at when it was killed is done
        again."""
        ...


class LocalPool:
    """The processes of this machine, one per core unless it is said how many; with one job, this process
    itself."""

    def __init__(self, jobs: int | None = None) -> None:
        self.jobs = jobs or os.cpu_count() or 1

    def each(
        self, function: Callable[[WorkT], ResultT], work: Iterable[WorkT]
    ) -> Iterator[ResultT]:
        """The results as they come, see `WorkerPool`."""
        if self.jobs == 1:
            yield from map(function, work)
            return
        left = iter(work)
        again: list[WorkT] = []
        losses = 0
        while True:
            under_way: dict[Future[ResultT], WorkT] = {}
            with _pool(self.jobs) as pool:
                try:
                    while self._filled(pool, function, left, again, under_way):
                        done, _ = wait(under_way, return_when=FIRST_COMPLETED)
                        for future in done:
                            result = future.result()
                            del under_way[future]
                            losses = 0
                            yield result
                    return
                except BrokenProcessPool:
                    again += under_way.values()
            losses += 1
            if losses == MOST_LOSSES:
                raise KursbuchError("The processes that play end again and again.")

    def _filled(
        self,
        pool: ProcessPoolExecutor,
        function: Callable[[WorkT], ResultT],
        left: Iterator[WorkT],
        again: list[WorkT],
        under_way: dict[Future[ResultT], WorkT],
    ) -> bool:
        """Hand out work until there is enough under way; whether there is any."""
        while len(under_way) < WAITING * self.jobs:
            if not again:
                again += islice(left, 1)
            if not again:
                break
            future = pool.submit(function, again[-1])
            under_way[future] = again.pop()
        return bool(under_way)


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that end when they are left, also in the middle of their work."""
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(jobs, initializer=_initialize)
    try:
        with _interrupts_later(), suppress(BrokenProcessPool):
            pool.submit(int).result()  # starts the processes
        yield pool
    finally:
        for process in set(multiprocessing.active_children()) - before:
            # One that has only begun may still listen to whatever this process does when it is to end.
            process.kill()
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Ctrl-C takes effect at the end: a pool interrupted while it starts may wait for ever. Blocking the signal for
    this thread would not do: the process has others that take it, and this one is interrupted all the same."""
    if threading.current_thread() is not threading.main_thread():
        yield  # which is never interrupted
        return
    came = []
    before = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            signal.raise_signal(signal.SIGINT)


def _initialize() -> None:
    """Prepare a process. Ctrl-C is for the main process alone, which then ends the others, at once: whatever it does
    itself when it is ended is not for them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    tune_garbage_collector()
