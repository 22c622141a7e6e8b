"""The ASGI application of a server process. It reloads after its database was replaced."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import traceback
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from litestar import Litestar

from kursbuch.core.errors import KursbuchError, NotNow
from kursbuch.core.processes import tune_garbage_collector
from kursbuch.web.app import create_app
from kursbuch.web.background import break_off, failed
from kursbuch.web.cache import clear_all_caches
from kursbuch.web.db.database import Database
from kursbuch.web.http.overload import put_off
from kursbuch.web.ops import maintenance_lock
from kursbuch.web.ops.logs import ThrottledLog

#: Grace period for open requests when the application ends, in seconds.
GRACE = 10.0

#: Delay before a failed start is tried again, in seconds.
RETRY_AFTER_FAILURE = 3.0
log = logging.getLogger(__name__)
told = ThrottledLog(log, logging.ERROR)
ResultT = TypeVar("ResultT")


class ReloadingApp:
    """An ASGI application made by `make`, and made again after a restore. During maintenance
    (`maintenance_lock`) requests are put off. The new application knows nothing of the old
    database."""

    def __init__(self, make: Callable[[], Litestar]) -> None:
        self._make = make
        # Made here, so that wrong settings are reported at once.
        self._first: Litestar | None = make()
        self._app: Litestar | None = None
        #: Tasks that answer requests, and those of them that were cancelled.
        self._answering: set[asyncio.Task[Any]] = set()
        self._broken_off: set[asyncio.Task[Any]] = set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, or run the lifespan."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif self._app is not None:
            await self._answer(self._app, scope, receive, send)
        elif scope["path"] == "/health":
            await _say_ok(send)
        else:
            await put_off(scope, send, maintenance_lock.REPLACED)

    async def _answer(self, app: Litestar, scope: Any, receive: Any, send: Any) -> None:
        begun = False

        async def sending(message: Any) -> None:
            nonlocal begun
            begun = True
            await send(message)

        task = asyncio.current_task()
        assert task is not None
        self._answering.add(task)
        try:
            await app(scope, receive, sending)
        except asyncio.CancelledError:
            if task not in self._broken_off:
                raise
            task.uncancel()
            if not begun:
                await put_off(scope, send, maintenance_lock.REPLACED)
        finally:
            self._answering.discard(task)
            self._broken_off.discard(task)

    async def _live(self, receive: Any, send: Any) -> None:
        await receive()
        ending = asyncio.create_task(receive())
        started = False
        try:
            while not ending.done():
                try:
                    app = self._first or self._make()
                    self._first = None
                    # This may take long: maintenance has to end first.
                    await _unless(ending, _started(app))
                    if ending.done():
                        break
                    async with app.lifespan():
                        if not started:
                            await send({"type": "lifespan.startup.complete"})
                            started = True
                        await self._serve(app, ending)
                except Exception as error:
                    self._app = None
                    if ending.done() or not (started or _may_wait(error)):
                        raise
                    _note(error)
                    await asyncio.wait([ending], timeout=RETRY_AFTER_FAILURE)
                if not ending.done():
                    clear_all_caches()
        except BaseException:
            kind = "shutdown" if started else "startup"
            await send({"type": f"lifespan.{kind}.failed", "message": traceback.format_exc()})
            raise
        await send({"type": "lifespan.shutdown.complete"})

    async def _serve(self, app: Litestar, ending: asyncio.Task[Any]) -> None:
        """Serve until the server ends, or until maintenance begins and open requests are
        answered."""
        database: Database = app.state.tables.database
        self._app = app
        while not await _unless(ending, database.is_wanted()):
            await asyncio.wait([ending], timeout=maintenance_lock.EVERY)
            if ending.done():
                return
        log.warning("A backup is to be restored, so this server lets go of its database.")
        self._app = None
        app.state.live.close()
        if self._answering:
            await asyncio.wait(self._answering, timeout=GRACE)
        self._broken_off |= self._answering
        await break_off(*self._answering)


async def _started(app: Litestar) -> None:
    """Wait until the database of an application can be used."""
    database: Database = app.state.tables.database
    try:
        await database.start()
    except BaseException:
        await database.close()
        raise


async def _unless(ending: asyncio.Task[Any], work: Coroutine[Any, Any, ResultT]) -> ResultT | None:
    """Return the result of `work`, or None if the server ends first and the work is cancelled."""
    task = asyncio.create_task(work)
    await asyncio.wait([task, ending], return_when=asyncio.FIRST_COMPLETED)
    if not task.done():
        await break_off(task)
        return None
    return task.result()


def _may_wait(error: Exception) -> bool:
    """Whether a starting worker waits for its database: the server has used it, so it is away for a while."""
    return isinstance(error, NotNow) and multiprocessing.parent_process() is not None


def _note(error: Exception) -> None:
    why: BaseException = error
    # The framework wraps startup errors in a group.
    while isinstance(why, BaseExceptionGroup):
        why = why.exceptions[0]
    if isinstance(why, KursbuchError):
        told.write(str(why), "The server cannot go on: %s", why)
    else:
        failed(log, "The server cannot go on.")


async def _say_ok(send: Any) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"ok"})


def application() -> ReloadingApp:
    """Return the application, with settings from the environment."""
    return ReloadingApp(_make)


def _make() -> Litestar:
    app = create_app()
    app.on_startup.append(tune_garbage_collector)
    return app
