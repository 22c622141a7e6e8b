"""Worker pools: independent tasks in parallel on this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from typing import Protocol, Self, TypeVar

from kursbuch.core.errors import KursbuchError
from kursbuch.core.processes import tune_garbage_collector

WorkT = TypeVar("WorkT")
ResultT = TypeVar("ResultT")

#: Number of queued tasks per process, so that none is idle.
WAITING = 2

#: Maximum number of processes lost in a row.
MOST_LOSSES = 5


class WorkerPool(Protocol):
    """A pool that runs tasks in parallel."""

    def each(
        self, function: Callable[[WorkT], ResultT], work: Iterable[WorkT]
    ) -> Iterator[ResultT]:
        """Yield the results of a module-level function for each item, as they finish. Closing the iterator cancels
        the work. The task of a lost process is repeated."""
        ...


class LocalPool:
    """Processes on this machine, by default one per core; a single job runs in this process.

    In a `with` block the processes, and what they have cached, are kept from one call of `each` to the next.
    """

    def __init__(self, jobs: int | None = None) -> None:
        self.jobs = jobs or os.cpu_count() or 1
        #: Closes the processes that are kept; None outside a `with` block.
        self._kept: ExitStack | None = None
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        self._kept = ExitStack()
        return self

    def __exit__(self, *raised: object) -> None:
        self._close()
        self._kept = None

    def each(
        self, function: Callable[[WorkT], ResultT], work: Iterable[WorkT]
    ) -> Iterator[ResultT]:
        if self.jobs == 1:
            yield from map(function, work)
            return
        left = iter(work)
        again: list[WorkT] = []
        losses = 0
        while True:
            under_way: dict[Future[ResultT], WorkT] = {}
            try:
                with self._processes() as pool:
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
                raise KursbuchError("The processes that play keep ending.")

    @contextmanager
    def _processes(self) -> Iterator[ProcessPoolExecutor]:
        """The processes that are kept, or some for this call. After an error they are replaced, as work may be left."""
        if self._kept is None:
            with _pool(self.jobs) as pool:
                yield pool
            return
        if self._pool is None:
            self._pool = self._kept.enter_context(_pool(self.jobs))
        try:
            yield self._pool
        except BaseException:
            self._close()
            raise

    def _close(self) -> None:
        """End the processes that are kept."""
        assert self._kept is not None
        self._pool = None
        self._kept.close()

    def _filled(
        self,
        pool: ProcessPoolExecutor,
        function: Callable[[WorkT], ResultT],
        left: Iterator[WorkT],
        again: list[WorkT],
        under_way: dict[Future[ResultT], WorkT],
    ) -> bool:
        """Submit work until enough is pending; return whether any is."""
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
    """A process pool that is killed on exit, even during work."""
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(jobs, initializer=_initialize)
    try:
        with _interrupts_later(), suppress(BrokenProcessPool):
            pool.submit(int).result()  # start the processes
        yield pool
    finally:
        for process in set(multiprocessing.active_children()) - before:
            # A new process may still have this one's signal handlers.
            process.kill()
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Defer Ctrl-C to the end, since an interrupted start of a pool may hang. Blocking the signal in this thread is
    not enough, as other threads receive it."""
    if threading.current_thread() is not threading.main_thread():
        yield  # never interrupted
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
    """Set up a worker: ignore Ctrl-C, which the main process handles, and reset inherited signal handlers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    tune_garbage_collector()
