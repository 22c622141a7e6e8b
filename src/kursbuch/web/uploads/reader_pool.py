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
from kursbuch.web.http.errors import Refused
from kursbuch.web.http.queues import FairScheduler, overloaded
from kursbuch.web.uploads import parsers

ResultT = TypeVar("ResultT")

#: What one call may use. A large record takes a second and some ten megabytes.
LIMITS = Limits(seconds=6.0, clock=60.0, memory=200_000_000, result=20_000_000)

#: Component data stay in the memory of the server when they have been read.
OF_DATA = LIMITS._replace(memory=80_000_000)

#: So long a visitor waits for the answer, other people's calls included, in seconds; only the start of a process is
#: not counted.
PATIENCE = 9.0

#: So many wait at most.
LONGEST = 50

#: What a call costs, in seconds, until it is known.
GUESS = 0.5

#: A process is replaced after so many calls, so that nothing grows in it.
MOST_CALLS = 100
log = logging.getLogger(__name__)


class UploadParserPool:
    """Processes for reading, started when they are first needed. Everybody gets one at a time, so that nobody holds up
    others with traps."""

    def __init__(self, places: int | None = None) -> None:
        count = places or max(2, min(4, os.cpu_count() or 1))
        self._turns = FairScheduler(count, each=1)
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="readers")
        self._idle: list[Sandbox] = []
        self._busy: set[Sandbox] = set()
        self._stopped = False

    @property
    def busy(self) -> int:
        """How many processes read something now."""
        return len(self._busy)

    @property
    def waiting(self) -> int:
        """How much waits to be read."""
        return self._turns.waiting

    async def read(
        self,
        owner: str,
        function: Callable[..., ResultT],
        *args: object,
        limits: Limits = LIMITS,
    ) -> ResultT:
        """The result of a function of `reading`, for somebody who sent something. Refused if it takes too much."""
        if self._turns.waiting >= LONGEST:
            raise overloaded()
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
                # Also when the visitor has gone away, or been told that it takes too long.
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
        """End the processes, whatever they are at."""
        self._stopped = True
        for sandbox in (*self._idle, *self._busy):
            sandbox.kill()
        self._idle.clear()
        await asyncio.to_thread(self._threads.shutdown)


class UploadParser:
    """Reads what one visitor sends. `gone` ends when the visitor goes away, and with it what is being read."""

    def __init__(
        self, readers: UploadParserPool, owner: str, gone: Callable[[], Awaitable[None]]
    ) -> None:
        self._readers = readers
        self._owner = owner
        self._gone = gone

    async def __call__(
        self, function: Callable[..., ResultT], *args: object, limits: Limits = LIMITS
    ) -> ResultT:
        """The result of a function of `reading`."""
        working = asyncio.ensure_future(
            self._readers.read(self._owner, function, *args, limits=limits)
        )
        watching = asyncio.ensure_future(self._gone())
        try:
            await asyncio.wait({working, watching}, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                return working.result()
            raise Refused(N_("What was sent cannot be read."))  # which no one hears
        finally:
            for task in (working, watching):
                task.cancel()
            await asyncio.gather(working, watching, return_exceptions=True)


def _too_much() -> Refused:
    return Refused(
        N_(
            "Reading this takes too much time or memory here: the file is too large, or made to do harm."
        )
    )
