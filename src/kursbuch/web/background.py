"""Background tasks of a server process."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kursbuch.web.http.errors import Unavailable
from kursbuch.web.ops.metrics import ERRORS

#: Interval at which a task that does not end is cancelled again, in seconds.
AGAIN = 1.0


class Background(ABC):
    """A task that runs until it is stopped."""

    _task: asyncio.Task[None] | None = None

    def _begin(self) -> None:
        self._task = asyncio.create_task(self._run())

    @abstractmethod
    async def _run(self) -> None:
        """Do the work; it does not end by itself."""

    async def stop(self) -> None:
        """Cancel the task and wait for its end."""
        if self._task is not None:
            await break_off(self._task)


def failed(log: logging.Logger, what: str, *about: object) -> None:
    """Log and count the error that is being handled."""
    log.exception(what, *about, stacklevel=2)
    ERRORS.inc()


@contextmanager
def noting(log: logging.Logger, what: str, *about: object) -> Iterator[None]:
    """Log and count errors of the block, and continue after it."""
    try:
        yield
    except Unavailable:
        pass  # logged already
    except Exception:
        failed(log, what, *about)


async def break_off(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks and wait until they have ended. The cancellation is repeated: a library may
    swallow the first one, for example when an answer arrives too late."""
    running = {task for task in tasks if not task.done()}
    while running:
        for task in running:
            task.cancel()
        _, running = await asyncio.wait(running, timeout=AGAIN)
    await asyncio.gather(*tasks, return_exceptions=True)
