"""Background tasks of a server process, and its exit when the parent dies."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kursbuch.web.http.errors import Unavailable
from kursbuch.web.ops.metrics import ERRORS

#: After so many seconds a task that goes on is told again to end.
AGAIN = 1.0


class Background(ABC):
    """Work that goes on until it is stopped."""

    _task: asyncio.Task[None] | None = None

    def _begin(self) -> None:
        self._task = asyncio.create_task(self._run())

    @abstractmethod
    async def _run(self) -> None:
        """The work; it does not end by itself."""

    async def stop(self) -> None:
        """Break the work off, wherever it is."""
        if self._task is not None:
            await break_off(self._task)


def failed(log: logging.Logger, what: str, *about: object) -> None:
    """Note and count the error that is being handled."""
    log.exception(what, *about, stacklevel=2)
    ERRORS.inc()


@contextmanager
def noting(log: logging.Logger, what: str, *about: object) -> Iterator[None]:
    """What goes wrong in the block is noted and counted, and the work goes on after it."""
    try:
        yield
    except Unavailable:
        pass  # that is in the log already
    except Exception:
        failed(log, what, *about)


async def break_off(*tasks: asyncio.Task[Any]) -> None:
    """Break tasks off and wait until they have ended. They are told again and again: a library they are in may
    take the first time for something else, such as an answer that came too late."""
    running = {task for task in tasks if not task.done()}
    while running:
        for task in running:
            task.cancel()
        _, running = await asyncio.wait(running, timeout=AGAIN)
    await asyncio.gather(*tasks, return_exceptions=True)
