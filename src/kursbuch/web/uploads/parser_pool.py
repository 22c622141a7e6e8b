"""Child processes that parse uploads, with limits of time and memory."""

from __future__ import annotations

import asyncio
import logging
import math
import os
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from kursbuch.core.processes import Failure, LimitReached, Limits, Sandbox
from kursbuch.core.words import N_
from kursbuch.web.http.admission import aside
from kursbuch.web.http.errors import Refused, overloaded
from kursbuch.web.http.fair_scheduler import FairScheduler
from kursbuch.web.uploads import parsers

ResultT = TypeVar("ResultT")

#: Limits of one call. A large record takes a second and some ten megabytes.
LIMITS = Limits(seconds=6.0, clock=60.0, memory=200_000_000, result=20_000_000)

#: Component data stay in the server's memory once they are read.
OF_DATA = LIMITS._replace(memory=80_000_000)

#: Maximum time to wait, including other visitors' calls but not the start of a process, in seconds.
PATIENCE = 9.0

#: Maximum number of waiting uploads.
LONGEST = 50

#: Expected duration of a call, in seconds.
GUESS = 0.5

#: Number of calls after which a process is replaced, to limit its growth.
MOST_CALLS = 100
log = logging.getLogger(__name__)


class UploadParserPool:
    """Parser processes, started on first use. Each visitor gets one at a time, so no one can block the others."""

    def __init__(self, places: int | None = None) -> None:
        count = places or max(2, min(4, os.cpu_count() or 1))
        self._turns = FairScheduler(count, each=1, longest=LONGEST)
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="readers")
        self._idle: list[Sandbox] = []
        self._busy: set[Sandbox] = set()
        self._stopped = False

    @property
    def busy(self) -> int:
        """Number of busy processes."""
        return len(self._busy)

    @property
    def waiting(self) -> int:
        """Number of waiting uploads."""
        return self._turns.waiting

    async def read(
        self,
        owner: str,
        function: Callable[..., ResultT],
        *args: object,
        limits: Limits = LIMITS,
    ) -> ResultT:
        """Run a function of `parsers` for a visitor; refuse it above its limits."""
        has_begun = False
        try:
            async with (
                asyncio.timeout(PATIENCE) as patience,
                self._turns.turn(owner, owner, GUESS, lambda: True),
            ):
                has_begun = True
                return await self._run(patience, function, args, limits)
        except TimeoutError:
            if not has_begun:
                raise overloaded() from None
            raise _too_much() from None
        except LimitReached:
            raise _too_much() from None
        except Failure as failure:
            log.error("What a visitor sent could not be read: %s", failure)
            raise Refused(N_("This file cannot be read.")) from None

    async def _run(
        self,
        patience: asyncio.Timeout,
        function: Callable[..., ResultT],
        args: tuple[object, ...],
        limits: Limits,
    ) -> ResultT:
        sandbox = self._ready()
        self._busy.add(sandbox)
        loop = asyncio.get_running_loop()
        ended = False
        try:
            left = (patience.when() or math.inf) - loop.time()
            patience.reschedule(None)
            await loop.run_in_executor(self._threads, sandbox.wait)
            patience.reschedule(loop.time() + left)
            result = await loop.run_in_executor(
                self._threads, lambda: sandbox.run(function, *args, limits=limits)
            )
            ended = True
            return result
        except (LimitReached, asyncio.CancelledError):
            raise
        except Exception:
            ended = True
            raise
        finally:
            self._busy.discard(sandbox)
            if ended and sandbox.calls < MOST_CALLS and not self._stopped:
                self._idle.append(sandbox)
            else:
                # Also when the visitor has left or was told that it takes too long.
                sandbox.kill()
                if not self._stopped:
                    self._idle.append(Sandbox(parsers.begin))

    def _ready(self) -> Sandbox:
        while self._idle:
            sandbox = self._idle.pop()
            if sandbox.is_alive:
                return sandbox
        return Sandbox(parsers.begin)

    async def stop(self) -> None:
        """Kill all processes."""
        self._stopped = True
        for sandbox in (*self._idle, *self._busy):
            sandbox.kill()
        self._idle.clear()
        await asyncio.to_thread(self._threads.shutdown)


class UploadParser:
    """Parses uploads of one visitor. The parsing is cancelled when `gone` returns, because the visitor has left."""

    def __init__(
        self, readers: UploadParserPool, owner: str, gone: Callable[[], Awaitable[None]]
    ) -> None:
        self._readers = readers
        self._owner = owner
        self._gone = gone

    async def __call__(
        self, function: Callable[..., ResultT], *args: object, limits: Limits = LIMITS
    ) -> ResultT:
        """Run a function of `parsers`."""
        working = asyncio.ensure_future(
            self._readers.read(self._owner, function, *args, limits=limits)
        )
        watching = asyncio.ensure_future(self._gone())
        try:
            tasks = {working, watching}
            await aside(asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED))
            if working.done():
                return working.result()
            raise Refused(N_("The request cannot be read."))  # no one is left to read it
        finally:
            for task in (working, watching):
                task.cancel()
            await asyncio.gather(working, watching, return_exceptions=True)


def _too_much() -> Refused:
    return Refused(
        N_("Reading this file takes too much time or memory: it is too large or malicious.")
    )
